package integration

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/internal/radiustest"
)

// A deployment that succeeds, and does not say what it made, deletes nothing until the user says so.
func TestAnAnswerWithoutOutputsDeletesNothing(t *testing.T) {
	w := newWorld(t)
	w.create("shop", template(web, db))
	w.waitFor("shop", "True/Succeeded")
	w.radius.Set(func(s *radiustest.Server) { s.NoOutputs = true })
	w.change("shop", func(dt *v1alpha3.DeploymentTemplate) { dt.Spec.Template = template(web) })
	dt := w.waitFor("shop", "False/OutputsUnknown")
	require.Equal(t, "True/OutputsUnknown", condition(dt.Status.Conditions, "Stalled"))
	require.Contains(t, dt.Status.Message, "redisCaches/db")
	require.Len(t, w.radius.Resources(), 2)
	w.change("shop", annotate(v1alpha3.ConfirmDeletionAnnotation, dt.Status.Held.Token))
	w.waitFor("shop", "True/Succeeded")
	require.Equal(t, []string{root + "applications.core/containers/web"}, w.radius.Resources())
	require.Len(t, w.radius.Puts(), 2)
}

// A proxy that answers {} to everything about deployments does not look like a success.
func TestEmptyAnswersAreNoSuccess(t *testing.T) {
	var empty atomic.Bool
	w := newWorld(t, func(w *world) {
		w.radius.Fault = func(r *radiustest.Request) *radiustest.Fault {
			if empty.Load() && strings.Contains(strings.ToLower(r.Path), "/deployments/") {
				return &radiustest.Fault{Status: 200, Body: "{}"}
			}
			return nil
		}
	})
	w.create("shop", template(web, db))
	w.waitFor("shop", "True/Succeeded")
	empty.Store(true)
	w.change("shop", func(dt *v1alpha3.DeploymentTemplate) { dt.Spec.Template = template(web, db, app) })
	dt := w.waitFor("shop", "False/RadiusUnavailable")
	require.Contains(t, dt.Status.Message, "not a deployment")
	require.Len(t, w.radius.Resources(), 2)
	empty.Store(false)
	w.waitFor("shop", "True/Succeeded")
	require.Len(t, w.radius.Resources(), 3)
}

// Radius asks to wait for two hours. The status says until when the controller waits, and a request passes.
func TestALongWaitHasAWayOut(t *testing.T) {
	var asked atomic.Int32
	w := newWorld(t, func(w *world) {
		w.radius.Fault = func(r *radiustest.Request) *radiustest.Fault {
			if r.Method == http.MethodPut && strings.Contains(r.Path, "/deployments/") && asked.Add(1) == 1 {
				return &radiustest.Fault{Status: 429, RetryAfter: "7200"}
			}
			return nil
		}
	})
	w.create("shop", template(web))
	dt := w.waitFor("shop", "False/RadiusUnavailable")
	_, until, found := strings.Cut(dt.Status.Message, "; tried again at ")
	require.True(t, found, dt.Status.Message)
	at, err := time.Parse(time.RFC3339, until)
	require.NoError(t, err)
	require.WithinDuration(t, time.Now().Add(10*time.Minute), at, time.Minute, "ten minutes at most")
	w.change("shop", annotate(v1alpha3.ReconcileRequestAnnotation, "now"))
	w.waitFor("shop", "True/Succeeded")
}

// Finalizers that somebody removes are put back at once, not at the next look for drift.
func TestFinalizersArePutBack(t *testing.T) {
	w := newWorld(t)
	w.create("shop", template(web))
	w.waitFor("shop", "True/Succeeded")
	ctx := context.Background()
	unhold := client.RawPatch("application/merge-patch+json", []byte(`{"metadata": {"finalizers": null}}`))
	require.NoError(t, w.Patch(ctx, w.get("shop"), unhold))
	child := w.children()[0]
	require.NoError(t, w.Patch(ctx, &child, unhold))
	w.within(10*time.Second, func() string {
		if len(w.get("shop").Finalizers) == 0 {
			return "the template has no finalizer"
		}
		if children := w.children(); len(children) != 1 || len(children[0].Finalizers) == 0 {
			return "the resource has no finalizer"
		}
		return ""
	})
	w.delete("shop")
	w.waitGone("shop")
	require.Empty(t, w.radius.Resources())
}

// A private endpoint is ready when its connection is approved, not before, and not when nobody can say.
func TestAPrivateEndpoint(t *testing.T) {
	const endpoint = "pe=Microsoft.Network/privateEndpoints@2023-11-01"
	w := newWorld(t, func(w *world) { w.radius.NoAzure = true })
	w.create("shop", template(endpoint))
	dt := w.waitFor("shop", "Unknown/ResourceNotReadable")
	require.Contains(t, dt.Status.Message, "/planes/azure/azurecloud/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/privateEndpoints/pe' was not found")
	w.change("shop", annotate("radapp.io/accept-unreadable", "true"))
	require.Contains(t, w.waitFor("shop", "True/Succeeded").Status.Message, "what cannot be read is accepted")
	w.change("shop", annotate("radapp.io/accept-unreadable", ""))
	w.change("shop", annotate("radapp.io/reconcile-requested-at", "now"))
	w.waitFor("shop", "Unknown/ResourceNotReadable")
	says := func(state, ready string) {
		t.Helper()
		w.radius.Set(func(s *radiustest.Server) {
			s.NoAzure = false
			s.Fault = func(r *radiustest.Request) *radiustest.Fault {
				if r.Method != http.MethodGet || !strings.Contains(r.Path, "/privateEndpoints/") {
					return nil
				}
				return &radiustest.Fault{Status: 200, Body: `{"id":"` + r.Path + `","properties":{"provisioningState":"Succeeded","privateLinkServiceConnections":[{"name":"sql","properties":{"privateLinkServiceConnectionState":{"status":"` + state + `"}}}]}}`}
			}
		})
		w.waitFor("shop", ready)
	}
	says("Pending", "False/ConnectionPending")
	says("Approved", "True/Succeeded")
	require.Len(t, w.radius.Puts(), 1)
}

// A request that takes longer than --request-timeout is given up, and tried again.
func TestRequestTimeout(t *testing.T) {
	slow := func(w *world) {
		w.radius.Fault = func(r *radiustest.Request) *radiustest.Fault { return &radiustest.Fault{Delay: 300 * time.Millisecond} }
	}
	w := newWorld(t, slow, func(w *world) { w.settings.RequestTimeout = 100 * time.Millisecond })
	w.create("shop", template(web))
	dt := w.waitFor("shop", "False/RadiusUnavailable")
	require.Contains(t, dt.Status.Message, "no answer in 100ms")
	w.stop()
	w.settings.RequestTimeout = time.Second
	w.start()
	w.waitFor("shop", "True/Succeeded")
}
