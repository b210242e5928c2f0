package integration

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/internal/resourceid"
)

// TestOnlyWhatTheOwnerRecordedIsDeleted: a tenant who may write DeploymentResources can name any
// resource and any owner. He can neither delete what another deployed, nor keep it from being
// deleted, nor learn who deployed it.
func TestOnlyWhatTheOwnerRecordedIsDeleted(t *testing.T) {
	w := newWorld(t)
	w.stop()
	tenant := w.ns + "-tenant"
	w.settings.WatchNamespaces = append(w.settings.WatchNamespaces, tenant)
	w.start()
	ctx := context.Background()
	const webID = "/planes/radius/local/resourceGroups/default/providers/Applications.Core/containers/web"
	w.create("victim", template(web))
	w.waitFor("victim", "True/Succeeded")
	own := w.create("own", template(db), func(dt *v1alpha3.DeploymentTemplate) { dt.Namespace = tenant })
	w.eventually(func() string {
		if err := w.Get(ctx, client.ObjectKeyFromObject(own), own); err != nil || condition(own.Status.Conditions, "Ready") != "True/Succeeded" {
			return fmt.Sprint(err, own.Status.Conditions)
		}
		return ""
	})
	yes := true
	owner := []metav1.OwnerReference{{APIVersion: "radapp.io/v1alpha3", Kind: "DeploymentTemplate", Name: "own", UID: own.UID, Controller: &yes}}
	made := map[string]*v1alpha3.DeploymentResource{}
	for name, owners := range map[string][]metav1.OwnerReference{"alone": nil, "owned": owner} {
		dr := &v1alpha3.DeploymentResource{Spec: v1alpha3.DeploymentResourceSpec{ID: webID}}
		dr.Namespace, dr.Name, dr.OwnerReferences = tenant, name, owners
		dr.Finalizers, dr.Labels = []string{v1alpha3.DeploymentResourceFinalizer}, map[string]string{v1alpha3.ResourceHashLabel: resourceid.Hash(webID)}
		require.NoError(t, w.Create(ctx, dr))
		made[name] = dr
	}
	for name, dr := range made {
		w.eventually(func() string {
			if err := w.Get(ctx, client.ObjectKeyFromObject(dr), dr); apierrors.IsNotFound(err) && name == "owned" {
				return "" // its owner has tidied up already
			}
			if got := condition(dr.Status.Conditions, "Ready"); got != "False/NotRecorded" {
				return name + " is " + got
			}
			return ""
		})
		require.NotContains(t, fmt.Sprint(dr.Status), "victim")
		require.NotContains(t, fmt.Sprint(dr.Status), w.ns+"/")
	}

	// The owner's deletion is not held up.
	w.delete("victim")
	w.waitGone("victim")
	require.NotContains(t, w.radius.Resources(), resourceid.Key(webID))
	require.Len(t, w.radius.Requests(http.MethodDelete, "/containers/web"), 1)

	// And theirs deletes nothing, and ends.
	w.create("victim", template(web))
	w.waitFor("victim", "True/Succeeded")
	for _, dr := range made {
		require.NoError(t, client.IgnoreNotFound(w.Delete(ctx, dr)))
		w.eventually(func() string {
			if err := w.Get(ctx, client.ObjectKeyFromObject(dr), dr); !apierrors.IsNotFound(err) {
				return fmt.Sprintf("%s is there: %v %+v", dr.Name, err, dr.Status)
			}
			return ""
		})
	}
	require.Len(t, w.radius.Requests(http.MethodDelete, "/containers/web"), 1)
	require.Contains(t, w.radius.Resources(), resourceid.Key(webID))
}
