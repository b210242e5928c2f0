package registry_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/registry"
	"github.com/radbicep/rad/pkg/bicep/registrytest"
)

// TestManyAtOnce: thirty modules of a slow registry take less than half of the time
// that they take one after another.
func TestManyAtOnce(t *testing.T) {
	withoutCredentials(t)
	const latency = 50 * time.Millisecond
	r := registrytest.New(t)
	r.Latency = latency
	var jobs []*registry.Job
	root := filepath.Join(t.TempDir(), "cache")
	for i := range 30 {
		name := fmt.Sprintf("mods/m%d", i)
		r.Module(name, "v1", fmt.Sprintf(`{"resources": [], "n": %d}`, i))
		jobs = append(jobs, &registry.Job{Root: root, Reference: &artifact.Reference{
			Scheme: artifact.OCI, Registry: r.Host, Repository: name, Tag: "v1"}})
	}
	began := time.Now()
	newClient(t, registry.Options{}).Run(context.Background(), jobs, nil)
	took := time.Since(began)
	for _, j := range jobs {
		require.NoError(t, j.Err)
	}
	sequential := time.Duration(len(r.Requests())) * latency
	require.Less(t, took, sequential/2, "one after another they take %v", sequential)
	t.Logf("%v instead of %v", took, sequential)
}
