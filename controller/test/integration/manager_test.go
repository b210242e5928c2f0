package integration

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/internal/radiustest"
)

func TestDeploysThenDeletesInOrder(t *testing.T) {
	w := newWorld(t, func(w *world) { w.radius.DeployTime, w.radius.DeleteTime = 300*time.Millisecond, 200*time.Millisecond })
	w.create("shop", template(app, env, web, db), func(dt *v1alpha3.DeploymentTemplate) {
		dt.Spec.Parameters = text(`{"port":{"value":9007199254740993}}`)
	})
	dt := w.waitFor("shop", "True/Succeeded")
	require.Equal(t, v1alpha3.DeploymentTemplatePhraseReady, dt.Status.Phrase)
	require.Len(t, dt.Status.OutputResources, 4)
	require.Nil(t, dt.Status.Operation)
	require.Equal(t, "none", condition(dt.Status.Conditions, "Reconciling"))
	require.Equal(t, "none", condition(dt.Status.Conditions, "Stalled"))
	require.Contains(t, dt.Finalizers, "radapp.io/deployment-template-finalizer")

	puts := w.radius.Puts()
	require.Len(t, puts, 1)
	require.Equal(t, "api-version=2020-10-01", puts[0].Query)
	require.Contains(t, puts[0].Body, `"value":9007199254740993`)
	require.Contains(t, puts[0].Body, `"providerconfig":{`)
	require.Contains(t, puts[0].Body, `"mode":"Incremental"`)
	require.Contains(t, puts[0].Body, `"tags":null`)
	require.Len(t, w.radius.Requests("PUT", "/resourcegroups/default"), 2, "the group and the deployment")

	children := w.children()
	require.Len(t, children, 4)
	for _, dr := range children {
		ref := metav1.GetControllerOf(&dr)
		require.NotNil(t, ref)
		require.Equal(t, "radapp.io/v1alpha3", ref.APIVersion)
		require.Equal(t, dt.UID, ref.UID)
		require.Contains(t, dr.Finalizers, "radapp.io/deployment-resource-finalizer")
	}
	w.eventually(func() string {
		for _, dr := range w.children() {
			if got := condition(dr.Status.Conditions, "Ready"); got != "True/Succeeded" {
				return dr.Name + " is " + got
			}
		}
		return ""
	})

	w.delete("shop")
	w.waitGone("shop")
	require.Empty(t, w.children())
	require.Empty(t, w.radius.Resources())
	require.Empty(t, w.radius.Deployments())
	gone := w.radius.Gone()
	require.Len(t, gone, 4)
	require.Contains(t, gone[2], "/applications/app")
	require.Contains(t, gone[3], "/environments/env")
	for _, r := range w.radius.Requests("DELETE", "/redisCaches/") {
		require.Equal(t, "api-version=2025-08-01-preview", r.Query)
	}
	deletes := w.radius.Requests("DELETE", "")
	require.Contains(t, strings.ToLower(deletes[len(deletes)-1].Path), "/microsoft.resources/deployments/", "the deployment goes last")
}

func TestSynchronousAnswersEndTheDeployment(t *testing.T) {
	w := newWorld(t)
	w.create("now", template(web))
	w.waitFor("now", "True/Succeeded")
	require.Len(t, w.radius.Puts(), 1)
	w.delete("now")
	w.waitGone("now")
	require.Empty(t, w.radius.Resources())
}

func TestChangesDeployAgainAndRemoveWhatVanished(t *testing.T) {
	w := newWorld(t, func(w *world) { w.radius.DeployTime = 200 * time.Millisecond })
	w.create("shop", template(web, db))
	w.waitFor("shop", "True/Succeeded")

	// The same spec in the other shape, and with other white space, deploys nothing.
	w.change("shop", func(dt *v1alpha3.DeploymentTemplate) { dt.Spec.Template = "\n" + dt.Spec.Template + "\n" })
	w.waitFor("shop", "True/Succeeded")
	require.Len(t, w.radius.Puts(), 1)

	w.change("shop", func(dt *v1alpha3.DeploymentTemplate) { dt.Spec.Template = template(web) })
	w.waitFor("shop", "True/Succeeded")
	w.eventually(func() string {
		if n := len(w.children()); n != 1 {
			return fmt.Sprintf("%d children", n)
		}
		return ""
	})
	require.Len(t, w.radius.Puts(), 2)
	require.Equal(t, []string{root + "applications.core/containers/web"}, w.radius.Resources())
}

func TestAnEditWhileADeploymentRunsIsNotLost(t *testing.T) {
	w := newWorld(t, func(w *world) { w.radius.DeployTime = time.Second })
	w.create("shop", template(web))
	w.eventually(func() string {
		if len(w.radius.Puts()) == 0 {
			return "nothing sent"
		}
		return ""
	})
	w.change("shop", func(dt *v1alpha3.DeploymentTemplate) { dt.Spec.Template = template(web, db) })
	w.waitFor("shop", "True/Succeeded")
	require.Len(t, w.radius.Puts(), 2)
	require.Len(t, w.children(), 2)
}

func TestAFailureIsSaidAndTriedAgainLater(t *testing.T) {
	w := newWorld(t, func(w *world) {
		w.radius.DeployTime = 100 * time.Millisecond
		w.radius.FailResource = func(id string) string {
			if strings.HasSuffix(id, "/web") {
				return "the image is missing; the password is hunter2-secret"
			}
			return ""
		}
	})
	w.create("shop", template(db, web), func(dt *v1alpha3.DeploymentTemplate) {
		dt.Spec.Parameters = text(`{"password":{"value":"hunter2-secret"}}`)
	})
	dt := w.waitFor("shop", "False/Failed")
	require.Equal(t, v1alpha3.DeploymentTemplatePhraseFailed, dt.Status.Phrase)
	require.Contains(t, dt.Status.Message, "the image is missing")
	require.NotContains(t, fmt.Sprint(dt.Status), "hunter2")
	children := w.children()
	require.Len(t, children, 1, "what the failed deployment made is known")
	require.Contains(t, children[0].Spec.ID, "redisCaches/db")
	time.Sleep(2 * time.Second)
	require.Len(t, w.radius.Puts(), 1, "it is not sent again at once")

	// A new spec is sent at once.
	w.radius.Set(func(s *radiustest.Server) { s.FailResource = nil })
	w.change("shop", func(dt *v1alpha3.DeploymentTemplate) { dt.Spec.Template = template(db, web, app) })
	w.waitFor("shop", "True/Succeeded")
}

func TestWrongSpecsStall(t *testing.T) {
	w := newWorld(t)
	for name, change := range map[string]func(*v1alpha3.DeploymentTemplate){
		"not-json":   func(dt *v1alpha3.DeploymentTemplate) { dt.Spec.Template = `{"resources": ` },
		"parameters": func(dt *v1alpha3.DeploymentTemplate) { dt.Spec.Parameters = text(`{"port": 3}`) },
		"config":     func(dt *v1alpha3.DeploymentTemplate) { dt.Spec.ProviderConfig = text(`{"radius": `) },
		"scope": func(dt *v1alpha3.DeploymentTemplate) {
			dt.Spec.ProviderConfig = text(`{"deployments":{"type":"Microsoft.Resources","value":{}}}`)
		},
	} {
		w.create(name, template(web), change)
		dt := w.waitFor(name, "False/InvalidSpec")
		require.Equal(t, "True/InvalidSpec", condition(dt.Status.Conditions, "Stalled"), name)
		require.Equal(t, v1alpha3.DeploymentTemplatePhraseFailed, dt.Status.Phrase)
	}
	require.Empty(t, w.radius.Requests("", ""))
	w.change("not-json", func(dt *v1alpha3.DeploymentTemplate) { dt.Spec.Template = template(web) })
	w.waitFor("not-json", "True/Succeeded")
	for _, name := range []string{"parameters", "config", "scope", "not-json"} {
		w.delete(name)
		w.waitGone(name)
	}
}

func TestSuspend(t *testing.T) {
	w := newWorld(t)
	w.create("shop", template(web), annotate("radapp.io/suspend", "true"))
	w.waitFor("shop", "False/Suspended")
	require.Empty(t, w.radius.Requests("", ""))
	w.change("shop", annotate("radapp.io/suspend", ""))
	w.waitFor("shop", "True/Succeeded")

	w.change("shop", annotate("radapp.io/suspend", "true"))
	w.change("shop", func(dt *v1alpha3.DeploymentTemplate) { dt.Spec.Template = template(web, db) })
	w.waitFor("shop", "False/Suspended")
	require.Len(t, w.radius.Puts(), 1)
	sent := len(w.radius.Requests("", ""))
	w.delete("shop")
	w.eventually(func() string {
		if message := w.get("shop").Status.Message; !strings.Contains(message, "Remove the annotation") {
			return message
		}
		return ""
	})
	require.Len(t, w.radius.Requests("", ""), sent, "what is suspended waits")
	w.change("shop", annotate("radapp.io/suspend", ""))
	w.waitGone("shop")
	require.Empty(t, w.radius.Resources())
}

func TestDriftIsRepairedOnRequestAndByTime(t *testing.T) {
	w := newWorld(t)
	w.create("shop", template(web, db))
	w.waitFor("shop", "True/Succeeded")
	request := func(value string) {
		w.change("shop", annotate("radapp.io/reconcile-requested-at", value))
		w.eventually(func() string {
			if got := w.get("shop").Status.LastHandledReconcileAt; got != value {
				return "handled: " + got
			}
			return ""
		})
		w.waitFor("shop", "True/Succeeded")
	}
	request("1")
	require.Len(t, w.radius.Puts(), 1)
	w.radius.Remove(root + "applications.core/containers/web")
	request("2")
	require.Len(t, w.radius.Puts(), 2)
	require.Len(t, w.radius.Resources(), 2)

	w.stop()
	w.settings.DriftInterval = 500 * time.Millisecond
	w.start()
	w.radius.Remove(root + "radius.data/rediscaches/db")
	w.eventually(func() string {
		if len(w.radius.Resources()) != 2 {
			return "not repaired"
		}
		return ""
	})
	require.Len(t, w.radius.Puts(), 3)
}

func TestAChildThatIsDeletedComesBack(t *testing.T) {
	w := newWorld(t)
	w.create("shop", template(web, db))
	w.waitFor("shop", "True/Succeeded")
	first := w.children()[0]
	require.NoError(t, w.Delete(context.Background(), &first))
	w.eventually(func() string {
		if puts := len(w.radius.Puts()); puts != 2 || len(w.children()) != 2 || len(w.radius.Resources()) != 2 {
			return fmt.Sprintf("%d puts, %d children, %d resources", puts, len(w.children()), len(w.radius.Resources()))
		}
		return ""
	})
	w.waitFor("shop", "True/Succeeded")
}

func TestTwoTemplatesWithOneResource(t *testing.T) {
	w := newWorld(t)
	w.create("one", template(env, web))
	w.waitFor("one", "True/Succeeded")
	w.create("two", template(env, db))
	w.waitFor("two", "True/Succeeded")
	w.delete("two")
	w.waitGone("two")
	require.Contains(t, w.radius.Resources(), root+"applications.core/environments/env")
	require.Empty(t, w.radius.Requests("DELETE", "/environments/"))
	w.waitFor("one", "True/Succeeded")
	require.Len(t, w.children(), 2)
	w.delete("one")
	w.waitGone("one")
	require.Empty(t, w.radius.Resources())
}

func TestOrphan(t *testing.T) {
	w := newWorld(t)
	w.create("shop", template(env, web), annotate("radapp.io/deletion-policy", "orphan"))
	w.waitFor("shop", "True/Succeeded")
	w.delete("shop")
	w.waitGone("shop")
	require.Empty(t, w.radius.Requests("DELETE", ""))
	require.Len(t, w.radius.Resources(), 2)
	require.Empty(t, w.children())
}

func TestNothingIsLeakedInSilence(t *testing.T) {
	w := newWorld(t, func(w *world) { w.radius.NoAzure = true })
	w.create("clouds", template("bucket=AWS.S3/Bucket@default", "store=Microsoft.Storage/storageAccounts@2023-01-01", web))
	w.waitFor("clouds", "True/Succeeded")
	w.delete("clouds")
	w.eventually(func() string {
		dt := w.get("clouds")
		if !strings.Contains(dt.Status.Message, "/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/store") {
			return dt.Status.Message
		}
		return ""
	})
	w.eventually(func() string {
		if n := len(w.children()); n != 1 {
			return fmt.Sprintf("%d objects are left", n)
		}
		return ""
	})
	w.eventually(func() string {
		if got := condition(w.children()[0].Status.Conditions, "Ready"); got != "False/DeletionFailed" {
			return got
		}
		return ""
	})
	require.NotEmpty(t, w.radius.Requests("DELETE", "/planes/aws/"))
	require.NotEmpty(t, w.radius.Requests("DELETE", "/planes/azure/azurecloud/subscriptions/"))
	dr := w.children()[0]
	base := dr.DeepCopy()
	dr.Annotations = map[string]string{"radapp.io/deletion-policy": "orphan"}
	require.NoError(t, w.Patch(context.Background(), &dr, client.MergeFrom(base)))
	w.waitGone("clouds")
}

func TestThrottlingIsObeyed(t *testing.T) {
	var first time.Time
	w := newWorld(t, func(w *world) {
		w.radius.Fault = func(r *radiustest.Request) *radiustest.Fault {
			if r.Method == http.MethodPut && strings.Contains(r.Path, "/deployments/") && first.IsZero() {
				first = time.Now()
				return &radiustest.Fault{Status: 429, RetryAfter: "3"}
			}
			return nil
		}
	})
	w.create("shop", template(web))
	w.waitFor("shop", "False/RadiusUnavailable")
	w.waitFor("shop", "True/Succeeded")
	for _, r := range w.radius.Requests("", "/deployments/") {
		if since := r.At.Sub(first); since > 100*time.Millisecond && since < 2900*time.Millisecond {
			t.Errorf("%s %s after %s", r.Method, r.Path, since)
		}
	}
}

func TestAConnectionThatBreaksAfterTheDeploymentWasTaken(t *testing.T) {
	broken := false
	w := newWorld(t, func(w *world) {
		w.radius.DeployTime = 200 * time.Millisecond
		w.radius.Fault = func(r *radiustest.Request) *radiustest.Fault {
			if r.Method == http.MethodPut && strings.Contains(r.Path, "/deployments/") && !broken {
				broken = true
				return &radiustest.Fault{Drop: true, After: true}
			}
			return nil
		}
	})
	w.create("shop", template(web))
	w.waitFor("shop", "True/Succeeded")
	require.Len(t, w.radius.Puts(), 1)
}

func TestOperationsThatAreForgotten(t *testing.T) {
	w := newWorld(t, func(w *world) { w.radius.DeployTime = 1500 * time.Millisecond })
	w.create("shop", template(web))
	w.eventually(func() string {
		if len(w.radius.Puts()) == 0 {
			return "nothing sent"
		}
		return ""
	})
	w.radius.Forget(false)
	w.waitFor("shop", "True/Succeeded")
	require.Len(t, w.radius.Puts(), 1)
}

func TestOneThatHangsDoesNotStopOthers(t *testing.T) {
	w := newWorld(t, func(w *world) {
		w.radius.Fault = func(r *radiustest.Request) *radiustest.Fault {
			if strings.Contains(r.Body, "hangs") {
				return &radiustest.Fault{Delay: 20 * time.Second, Drop: true}
			}
			return nil
		}
	})
	for i := range 10 {
		w.create(fmt.Sprintf("hangs-%d", i), template("hangs=Applications.Core/containers@2023-10-01-preview"))
	}
	w.create("well", template(web))
	start := time.Now()
	w.waitFor("well", "True/Succeeded")
	require.Less(t, time.Since(start), 5*time.Second)
}

func TestChecksHoldBackReady(t *testing.T) {
	w := newWorld(t, func(w *world) {
		w.radius.State = map[string]string{root + "applications.core/containers/web": "Updating"}
	})
	w.create("shop", template(web))
	dt := w.waitFor("shop", "False/ResourceNotReady")
	require.Contains(t, dt.Status.Message, "containers/web")
	require.Contains(t, dt.Status.Message, "Updating")
	require.NotEqual(t, v1alpha3.DeploymentTemplatePhraseReady, dt.Status.Phrase)
	w.radius.Set(func(s *radiustest.Server) { s.State = nil })
	w.waitFor("shop", "True/Succeeded")
	require.Len(t, w.radius.Puts(), 1)
}

func TestRestartsDoNotDeployAgain(t *testing.T) {
	w := newWorld(t, func(w *world) { w.radius.DeployTime = 2 * time.Second })
	w.create("shop", template(web))
	w.eventually(func() string {
		if op := w.get("shop").Status.Operation; op == nil || op.ResumeToken == "" {
			return "no operation"
		}
		return ""
	})
	w.stop()
	w.start()
	w.waitFor("shop", "True/Succeeded")
	w.stop()
	w.start()
	time.Sleep(time.Second)
	require.Len(t, w.radius.Puts(), 1)
}

func TestItIsQuietAtRest(t *testing.T) {
	w := newWorld(t)
	for i := range 5 {
		w.create(fmt.Sprintf("shop-%d", i), template(fmt.Sprintf("web%d=Applications.Core/containers@2023-10-01-preview", i)))
	}
	for i := range 5 {
		w.waitFor(fmt.Sprintf("shop-%d", i), "True/Succeeded")
	}
	w.eventually(func() string { // an object for a resource is ready once its owner has recorded it
		for _, dr := range w.children() {
			if got := condition(dr.Status.Conditions, "Ready"); got != "True/Succeeded" {
				return dr.Name + " is " + got
			}
		}
		return ""
	})
	time.Sleep(500 * time.Millisecond)
	versions := func() string {
		var b strings.Builder
		for i := range 5 {
			fmt.Fprintln(&b, w.get(fmt.Sprintf("shop-%d", i)).ResourceVersion)
		}
		for _, dr := range w.children() {
			fmt.Fprintln(&b, dr.ResourceVersion)
		}
		return b.String()
	}
	requests, before := len(w.radius.Requests("", "")), versions()
	time.Sleep(3 * time.Second)
	require.Equal(t, requests, len(w.radius.Requests("", "")))
	require.Equal(t, before, versions())
}

func TestTwoHundredAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	const n = 200
	w := newWorld(t, func(w *world) { w.radius.DeployTime = 3 * time.Second; w.settings.MaxConcurrentReconciles = 32 })
	start := time.Now()
	for i := range n {
		w.create(fmt.Sprintf("shop-%d", i), template(fmt.Sprintf("web%d=Applications.Core/containers@2023-10-01-preview", i)))
	}
	w.within(2*time.Minute, func() string {
		var list v1alpha3.DeploymentTemplateList
		require.NoError(t, w.List(context.Background(), &list, client.InNamespace(w.ns)))
		ready := 0
		for i := range list.Items {
			if condition(list.Items[i].Status.Conditions, "Ready") == "True/Succeeded" {
				ready++
			}
		}
		if ready < n {
			time.Sleep(500 * time.Millisecond)
			return fmt.Sprintf("%d are ready", ready)
		}
		return ""
	})
	took := time.Since(start)
	t.Logf("%d templates took %s", n, took)
	// One after another, each needs three seconds to deploy.
	require.Less(t, took, n*3*time.Second/10)
	require.Len(t, w.radius.Puts(), n)
}
