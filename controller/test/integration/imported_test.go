package integration

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/controller/manager"
)

// TestOnlyImportedClusters: alone, they need no Radius, and the CRDs of Cluster API need not be there yet.
func TestOnlyImportedClusters(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	require.NoError(t, manager.Run(ctx, cluster, manager.Settings{
		ImportedClusters: "only", RequestTimeout: time.Second, MetricsBindAddress: "0", HealthProbeBindAddress: "0", AnyControllerName: true,
	}, nil))
	require.ErrorIs(t, ctx.Err(), context.DeadlineExceeded, "it runs until it is told to stop")
}
