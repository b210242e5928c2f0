package integration

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/check"
	"github.com/radbicep/rad/controller/internal/armtest"
	"github.com/radbicep/rad/controller/internal/radiustest"
)

// Objects that the controller of released Radius left are taken over: the template is deployed
// once more, its objects are kept, and they are deleted in the end.
func TestObjectsOfReleasedRadiusAreTakenOver(t *testing.T) {
	w := newWorld(t)
	w.stop()
	ctx := context.Background()
	const webID = "/planes/radius/local/resourceGroups/default/providers/Applications.Core/containers/web"
	dt := w.create("shop", template(web), func(dt *v1alpha3.DeploymentTemplate) {
		dt.Finalizers = []string{v1alpha3.DeploymentTemplateFinalizer}
	})
	dt.Status = v1alpha3.DeploymentTemplateStatus{ObservedGeneration: 1, StatusHash: "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a", OutputResources: []string{webID}, Phrase: "Ready",
		Operation: &v1alpha3.ResourceOperation{OperationKind: "PUT", ResumeToken: `{"type":"x","token":{"asyncURL":"http://h/planes/op"}}`}}
	require.NoError(t, w.Status().Update(ctx, dt))
	yes := true
	old := &v1alpha3.DeploymentResource{Spec: v1alpha3.DeploymentResourceSpec{ID: webID}}
	old.Namespace, old.Name, old.Finalizers = w.ns, "web", []string{v1alpha3.DeploymentResourceFinalizer}
	old.OwnerReferences = []metav1.OwnerReference{{APIVersion: "radapp.io/v1alpha3", Kind: "DeploymentTemplate", Name: "shop", UID: dt.UID, Controller: &yes}}
	require.NoError(t, w.Create(ctx, old))
	w.start()
	w.waitFor("shop", "True/Succeeded")
	require.Len(t, w.radius.Puts(), 1)
	children := w.children()
	require.Len(t, children, 1)
	require.Equal(t, "web", children[0].Name)
	require.Equal(t, "2023-10-01-preview", children[0].Spec.APIVersion)
	w.delete("shop")
	w.waitGone("shop")
	require.Empty(t, w.radius.Resources())
}

// Who asks for it has what is deployed sent once more, once for each value.
func TestDeployedAgainOnRequest(t *testing.T) {
	w := newWorld(t)
	w.create("shop", template(web))
	w.waitFor("shop", "True/Succeeded")
	for i, value := range []string{"1", "2"} {
		w.change("shop", annotate(v1alpha3.RedeployRequestAnnotation, value))
		w.eventually(func() string {
			if got := w.get("shop").Status.LastHandledRedeployAt; got != value {
				return "handled: " + got
			}
			return ""
		})
		w.waitFor("shop", "True/Succeeded")
		require.Len(t, w.radius.Puts(), 2+i)
	}
	w.change("shop", func(dt *v1alpha3.DeploymentTemplate) { dt.Spec.RedeployInterval = "1h30m" })
	w.waitFor("shop", "True/Succeeded")
	w.stop()
	w.start()
	w.change("shop", annotate("other", "x"))
	time.Sleep(300 * time.Millisecond)
	require.Len(t, w.radius.Puts(), 3, "the same is not sent again by itself")

	ctx := context.Background()
	for _, wrong := range []string{"1 hour", "-1h", "24"} {
		dt := w.get("shop")
		dt.Spec.RedeployInterval = wrong
		require.ErrorContains(t, w.Update(ctx, dt), "spec.redeployInterval", wrong)
	}
	for _, wrong := range []string{"30s", "99999999999999999h"} {
		w.change("shop", func(dt *v1alpha3.DeploymentTemplate) { dt.Spec.RedeployInterval = wrong })
		dt := w.waitFor("shop", "False/InvalidSpec")
		require.Contains(t, dt.Status.Message, "spec.redeployInterval")
	}
	require.Len(t, w.radius.Puts(), 3)
}

func TestClasses(t *testing.T) {
	w := newWorld(t, func(w *world) { w.settings.ControllerClass = "blue" })
	w.create("ours", template(web), annotate("radapp.io/controller-class", "blue"))
	w.create("theirs", template(db), annotate("radapp.io/controller-class", "green"))
	w.create("nobodys", template(app))
	w.waitFor("ours", "True/Succeeded")
	time.Sleep(300 * time.Millisecond)
	require.Len(t, w.radius.Puts(), 1)
	for _, name := range []string{"theirs", "nobodys"} {
		require.Empty(t, w.get(name).Finalizers)
		require.Empty(t, w.get(name).Status.Conditions)
	}
	w.delete("ours")
	w.waitGone("ours")
	require.Empty(t, w.radius.Resources())
}

func TestScopesThatAreNotAllowed(t *testing.T) {
	w := newWorld(t, func(w *world) {
		w.settings.AllowedScopes = []string{"/planes/radius/local/resourceGroups/{namespace}"}
	})
	w.create("shop", template(web))
	dt := w.waitFor("shop", "False/ScopeNotAllowed")
	require.Equal(t, "True/ScopeNotAllowed", condition(dt.Status.Conditions, "Stalled"))
	require.Empty(t, w.radius.Requests("", ""))
	w.change("shop", func(dt *v1alpha3.DeploymentTemplate) {
		dt.Spec.ProviderConfig = text(fmt.Sprintf(`{"radius":{"type":"Radius","value":{"scope":"/planes/radius/local/resourceGroups/%s"}}}`, w.ns))
	})
	w.waitFor("shop", "True/Succeeded")
}

// Programs that build on the controller add checks, which are given what they need.
func TestAnAddedCheck(t *testing.T) {
	w := newWorld(t, func(w *world) {
		w.checks.Add("Applications.Core/containers", check.Func(func(ctx context.Context, in check.Input, next check.Next) (check.Result, error) {
			env, err := in.Radius.Read(ctx, strings.Replace(in.Resource.ID, "containers/web", "environments/env", 1), "2023-10-01-preview")
			if err != nil {
				return check.Result{}, err
			}
			var again v1alpha3.DeploymentTemplate
			if err := in.Kube.Get(ctx, client.ObjectKeyFromObject(in.Owner), &again); err != nil {
				return check.Result{}, err
			}
			if !env.Exists || again.UID != in.Owner.UID {
				return check.Failure("NoEnvironment", "there is no environment yet"), nil
			}
			return next(ctx, in)
		}))
	})
	w.create("shop", template(web))
	dt := w.waitFor("shop", "False/NoEnvironment")
	require.Contains(t, dt.Status.Message, "there is no environment yet")
	w.radius.Add("/planes/radius/local/resourceGroups/default/providers/Applications.Core/environments/env", "v")
	w.waitFor("shop", "True/Succeeded")
	require.Len(t, w.radius.Puts(), 1)
}

// A version that Radius does not support is replaced by the one that it names.
func TestTheVersionOfADeletion(t *testing.T) {
	w := newWorld(t, func(w *world) { w.radius.Providers = map[string]string{"radius.data/rediscaches": "2026-01-01"} })
	w.create("shop", template(db))
	w.waitFor("shop", "True/Succeeded")
	w.radius.Set(func(s *radiustest.Server) { s.BadVersions = map[string]bool{"2025-08-01-preview": true} })
	w.delete("shop")
	w.waitGone("shop")
	require.Empty(t, w.radius.Resources())
	deletes := w.radius.Requests("DELETE", "/redisCaches/")
	require.Equal(t, "api-version=2025-08-01-preview", deletes[0].Query)
	require.Equal(t, "api-version=2026-01-01", deletes[1].Query)
}

// Removing one application while another resource of the template stays must end.
func TestAnApplicationGoesWhileItsMemberStays(t *testing.T) {
	w := newWorld(t)
	w.create("shop", template(app, web))
	w.waitFor("shop", "True/Succeeded")
	w.change("shop", func(dt *v1alpha3.DeploymentTemplate) { dt.Spec.Template = template(web) })
	w.waitFor("shop", "True/Succeeded")
	require.Equal(t, []string{root + "applications.core/containers/web"}, w.radius.Resources())
}

// A deletion while the deployment runs waits for its end, and deletes what it made.
func TestDeletionDuringADeployment(t *testing.T) {
	w := newWorld(t, func(w *world) { w.radius.DeployTime = 1500 * time.Millisecond })
	w.create("shop", template(web, db))
	w.eventually(func() string {
		if len(w.radius.Puts()) == 0 {
			return "nothing sent"
		}
		return ""
	})
	w.delete("shop")
	w.waitGone("shop")
	require.Len(t, w.radius.Gone(), 2)
	require.Empty(t, w.radius.Resources())
	require.Empty(t, w.radius.Deployments())
}

// The group is changed: what was deployed to the former one is deleted there.
func TestAnotherGroup(t *testing.T) {
	w := newWorld(t)
	w.create("shop", template(web))
	w.waitFor("shop", "True/Succeeded")
	w.change("shop", func(dt *v1alpha3.DeploymentTemplate) {
		dt.Spec.ProviderConfig = text(`{"radius":{"type":"Radius","value":{"scope":"/planes/radius/local/resourceGroups/other"}}}`)
	})
	w.waitFor("shop", "True/Succeeded")
	require.Equal(t, []string{"/planes/radius/local/resourcegroups/other/providers/applications.core/containers/web"}, w.radius.Resources())
	require.Len(t, w.radius.Deployments(), 1)
	w.delete("shop")
	w.waitGone("shop")
	require.Empty(t, w.radius.Deployments())
}

// A check that is in a file holds back Ready as one in Go does.
func TestACheckInAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "checks.yaml")
	rule := "- {type: Applications.Core/containers, reason: NotOpen, message: it is closed, severity: Error, expr: resource.id.endsWith('open')}"
	require.NoError(t, os.WriteFile(file, []byte(rule), 0o600))
	w := newWorld(t, func(w *world) { w.settings.ChecksFile = file })
	w.create("shop", template(web))
	dt := w.waitFor("shop", "False/NotOpen")
	require.Contains(t, dt.Status.Message, "containers/web: it is closed")
	w.change("shop", func(dt *v1alpha3.DeploymentTemplate) {
		dt.Spec.Template = template(strings.Replace(web, "web", "open", 1))
	})
	w.waitFor("shop", "True/Succeeded")
}

// With a credential, what is of Azure is asked of Azure itself: a private endpoint is checked there, and deleted.
func TestThroughAzure(t *testing.T) {
	azure := &armtest.Server{}
	w := newWorld(t, func(w *world) {
		w.radius.Azure = azure
		w.settings.AzureCredential, w.settings.AzureCloud, w.settings.AzureDelete = "environment", "AzureCloud", true
		w.settings.AzureTransport, w.settings.AzureToken = azure, armtest.Credential{}
	})
	endpoint := func(state string) string {
		return `{"resources": {"e": {"type": "Microsoft.Network/privateEndpoints@2024-01-01", "name": "e", "properties":
			{"privateLinkServiceConnections": [{"name": "c", "properties": {"privateLinkServiceConnectionState": {"status": "` + state + `"}}}]}}}}`
	}
	w.create("shop", endpoint("Pending"))
	w.waitFor("shop", "False/ConnectionPending")
	w.change("shop", func(dt *v1alpha3.DeploymentTemplate) { dt.Spec.Template = endpoint("Approved") })
	w.waitFor("shop", "True/Succeeded")
	w.delete("shop")
	w.waitGone("shop")
	require.Empty(t, azure.Resources())
	require.Len(t, azure.Requests("DELETE", "privateEndpoints/e"), 1)
	require.Empty(t, w.radius.Requests("", "azurecloud"))
}
