package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/internal/radiustest"
)

// radiusShape makes a spec one that the CRDs of released Radius take.
func radiusShape(dt *v1alpha3.DeploymentTemplate) {
	dt.Spec.Parameters = &apiextensionsv1.JSON{Raw: []byte(`{"port":"8080"}`)}
	dt.Spec.ProviderConfig = text(`{"radius":{"type":"Radius","value":{"scope":"/planes/radius/local/resourceGroups/default"}}}`)
}

// TestUnderTheCRDsOfReleasedRadius: the API server then drops most of a status. Nothing is sent, and
// readyz, the status and the log say why. When our CRDs are there the work begins. When those of
// Radius come back in the middle of a deployment, it stops, and the deployment is not sent again.
func TestUnderTheCRDsOfReleasedRadius(t *testing.T) {
	w := newWorld(t, ownServer(t), func(w *world) { w.settings.HealthProbeBindAddress = freeAddress(t) })
	health := "http://" + w.settings.HealthProbeBindAddress
	w.stop()
	w.putCRDs(released)
	w.start()
	w.create("shop", template(web), radiusShape)
	phrase := func(want string) {
		t.Helper()
		w.eventually(func() string {
			if dt := w.get("shop"); string(dt.Status.Phrase) != want || dt.Status.ObservedGeneration != -1 {
				return fmt.Sprintf("%s %d", dt.Status.Phrase, dt.Status.ObservedGeneration)
			}
			return ""
		})
	}
	ready := func(want int) {
		t.Helper()
		w.eventually(func() string {
			if status, body := fetch(health + "/readyz/schema"); status != want || want != 200 && !strings.Contains(body, "DeploymentTemplate.spec.parametersFrom") {
				return fmt.Sprint(status, body)
			}
			return ""
		})
	}
	phrase("Failed")
	ready(500)
	time.Sleep(2 * time.Second)
	require.Empty(t, w.radius.Puts())

	w.putCRDs(nil)
	w.waitFor("shop", "True/Succeeded")
	ready(200)
	require.Len(t, w.radius.Puts(), 1)

	w.radius.Set(func(s *radiustest.Server) { s.DeployTime = 5 * time.Second })
	w.change("shop", func(dt *v1alpha3.DeploymentTemplate) { dt.Spec.Template = template(db) })
	w.eventually(func() string {
		if op := w.get("shop").Status.Operation; op == nil || !strings.Contains(op.ResumeToken, "/") {
			return "nothing runs"
		}
		return ""
	})
	w.putCRDs(released)
	w.change("shop", annotate("seen", "by somebody")) // now it is lost
	phrase("Failed")
	ready(500)
	require.Empty(t, w.get("shop").Status.Operation.Hash)

	w.putCRDs(nil)
	w.waitFor("shop", "True/Succeeded")
	require.Len(t, w.radius.Puts(), 2, "the operation is followed to its end\n%s", w.log())
	require.Equal(t, []string{root + "radius.data/rediscaches/db"}, w.radius.Resources())
	w.delete("shop")
	w.waitGone("shop")
	require.Empty(t, w.radius.Resources())
	require.Empty(t, w.radius.Deployments())
}

// A part of the status that is missing is enough: that of an older version of this controller.
func TestUnderOlderCRDs(t *testing.T) {
	w := newWorld(t, ownServer(t))
	older := func(crd *apiextensionsv1.CustomResourceDefinition) {
		if crd.Spec.Names.Kind == "DeploymentTemplate" {
			delete(crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["status"].Properties, "held")
		}
	}
	w.putCRDs(older)
	w.create("shop", template(web))
	w.eventually(func() string {
		dt := w.get("shop")
		if got := condition(dt.Status.Conditions, "Ready"); got != "False/SchemaOutdated" || !strings.Contains(dt.Status.Message, "DeploymentTemplate.status.held") {
			return got + dt.Status.Message
		}
		return ""
	})
	w.putCRDs(nil)
	w.waitFor("shop", "True/Succeeded")
	require.Len(t, w.radius.Puts(), 1)
}
