package integration

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/radbicep/rad/controller/api/v1alpha3"
)

// TestANamespaceThatIsGone: with a namespace its Roles go, and with them the right to list there. The
// other namespaces are served, also by a controller that starts then, and the namespace is served
// again when it is back.
func TestANamespaceThatIsGone(t *testing.T) {
	const user = "of-two-namespaces"
	other := ""
	w := newWorld(t, func(w *world) {
		other = w.ns + "-other"
		forbidden.Store(other, user)
		w.cluster = rest.CopyConfig(cluster)
		w.cluster.BearerToken = user
		w.settings.WatchNamespaces = []string{w.ns, other}
	})
	t.Cleanup(func() { forbidden.Delete(other) })
	w.Client = newClient(t, cluster)
	inOther := func(dt *v1alpha3.DeploymentTemplate) { dt.Namespace = other }

	w.create("shop", template(web))
	w.waitFor("shop", "True/Succeeded")
	w.delete("shop")
	w.waitGone("shop")
	require.Empty(t, w.radius.Resources())

	w.create("late", template(db), inOther)
	forbidden.Delete(other)
	here := w.ns
	w.ns = other
	w.waitFor("late", "True/Succeeded")
	w.eventually(func() string {
		if children := w.children(); len(children) != 1 || children[0].Status.Phrase != v1alpha3.DeploymentResourcePhraseReady {
			return "its object is not seen"
		}
		return ""
	})
	w.ns = here

	// It goes while the controller runs.
	w.create("again", template(web))
	w.waitFor("again", "True/Succeeded")
	forbidden.Store(other, user)
	w.delete("again")
	w.waitGone("again")
	require.Equal(t, []string{root + "radius.data/rediscaches/db"}, w.radius.Resources())

	// A resource that the other namespace holds too, as it was last seen, is not deleted.
	w.create("both", template(db))
	w.waitFor("both", "True/Succeeded")
	w.delete("both")
	w.waitGone("both")
	require.Equal(t, []string{root + "radius.data/rediscaches/db"}, w.radius.Resources())
	require.NoError(t, w.Get(context.Background(), client.ObjectKey{Namespace: other, Name: "late"}, &v1alpha3.DeploymentTemplate{}))
}
