package integration

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	clientset "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/internal/radiustest"
)

// ownServer gives a test an API server of its own, whose CRDs it may change.
func ownServer(t *testing.T) func(*world) {
	t.Helper()
	config, stop, err := startAPIServer(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(stop)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	require.NoError(t, installCRDs(ctx, config))
	return func(w *world) { w.cluster = config }
}

func (w *world) crds() clientset.Interface {
	w.Helper()
	c, err := clientset.NewForConfig(w.cluster)
	require.NoError(w, err)
	return c
}

var crdNames = []string{"deploymenttemplates.radapp.io", "deploymentresources.radapp.io"}

// TestTheCRDsAreDeleted: who deletes the CRDs while the controller runs deletes all objects with
// them, and what they stand for. No finalizer stays, whatever the controller is doing, and in
// whatever order the CRDs go.
func TestTheCRDsAreDeleted(t *testing.T) {
	for _, order := range [][]string{crdNames, {crdNames[1], crdNames[0]}} {
		t.Run(order[0]+" first", func(t *testing.T) {
			w := newWorld(t, ownServer(t))
			w.create("ready", template(web, app, env))
			w.waitFor("ready", "True/Succeeded")
			w.radius.Set(func(s *radiustest.Server) { s.DeployTime = 4 * time.Second })
			w.create("deploying", template(db))
			w.eventually(func() string {
				if len(w.radius.Puts()) < 2 {
					return "the second template is not deployed"
				}
				return ""
			})
			w.create("wrong", `{"broken`)
			w.waitFor("wrong", "False/InvalidSpec")
			for _, name := range order {
				require.NoError(t, w.crds().ApiextensionsV1().CustomResourceDefinitions().Delete(context.Background(), name, metav1.DeleteOptions{}))
			}
			w.within(90*time.Second, func() string {
				for _, name := range order {
					crd, err := w.crds().ApiextensionsV1().CustomResourceDefinitions().Get(context.Background(), name, metav1.GetOptions{})
					if !apierrors.IsNotFound(err) {
						return fmt.Sprintf("%s is there: %v %+v", name, err, crd.Status.Conditions)
					}
				}
				return ""
			})
			// The server deletes the objects in an order of its own.
			require.Len(t, w.radius.Gone(), 4, "what had been deployed is deleted, and what was deployed meanwhile: %v", w.radius.Gone())
		})
	}
}

// TestTheCRDOfResourcesIsDeletedLongBefore: somebody deletes the CRD of DeploymentResources, and only that. What was
// deployed is deleted with its objects; it is not deployed again, and the template says why. When the CRD comes
// back, the template is deployed again.
func TestTheCRDOfResourcesIsDeletedLongBefore(t *testing.T) {
	w := newWorld(t, ownServer(t))
	ctx := context.Background()
	w.create("ready", template(web, app, env))
	w.waitFor("ready", "True/Succeeded")
	crds := w.crds().ApiextensionsV1().CustomResourceDefinitions()
	was, err := crds.Get(ctx, crdNames[1], metav1.GetOptions{})
	require.NoError(t, err)
	require.NoError(t, crds.Delete(ctx, crdNames[1], metav1.DeleteOptions{}))
	w.within(90*time.Second, func() string {
		if _, err := crds.Get(ctx, crdNames[1], metav1.GetOptions{}); !apierrors.IsNotFound(err) {
			return fmt.Sprintf("the CRD is there: %v", err)
		}
		return ""
	})
	w.within(90*time.Second, func() string {
		if is := condition(w.get("ready").Status.Conditions, "Ready"); is != "False/SchemaOutdated" {
			return is + ": " + w.get("ready").Status.Message
		}
		return ""
	})
	require.Len(t, w.radius.Puts(), 1)
	require.Empty(t, w.radius.Resources())

	was.ResourceVersion, was.UID, was.Status = "", "", apiextensionsv1.CustomResourceDefinitionStatus{}
	_, err = crds.Create(ctx, was, metav1.CreateOptions{})
	require.NoError(t, err)
	w.within(90*time.Second, func() string {
		if is := condition(w.get("ready").Status.Conditions, "Ready"); is != "True/Succeeded" {
			return is + ": " + w.get("ready").Status.Message
		}
		return ""
	})
	require.Len(t, w.radius.Puts(), 2)
	require.Len(t, w.children(), 3)
}

// TestObjectsAreRefused: a rule of the cluster refuses the objects that stand for resources. The template says so, and
// goes on by itself when the rule is gone; nothing is sent again.
func TestObjectsAreRefused(t *testing.T) {
	w := newWorld(t, ownServer(t))
	w.putCRDs(func(crd *apiextensionsv1.CustomResourceDefinition) {
		if crd.Spec.Names.Kind == "DeploymentResource" {
			spec := crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"]
			spec.XValidations = append(spec.XValidations, apiextensionsv1.ValidationRule{Rule: "false", Message: "the bank allows none"})
			crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"] = spec
		}
	})
	w.create("shop", template(web))
	w.eventually(func() string {
		status := w.get("shop").Status
		if got := condition(status.Conditions, "Ready"); got != "False/ObjectRefused" {
			return got + ": " + status.Message
		}
		return ""
	})
	message := w.get("shop").Status.Message
	require.Contains(t, message, "no DeploymentResource can be made for /planes/radius/local/resourceGroups/default/providers/Applications.Core/containers/web: ")
	require.Contains(t, message, "the bank allows none")
	w.putCRDs(nil)
	w.waitFor("shop", "True/Succeeded")
	require.Len(t, w.radius.Puts(), 1)
	require.Len(t, w.children(), 1)
}

// putCRDs replaces the schemas of the CRDs.
func (w *world) putCRDs(schema func(*apiextensionsv1.CustomResourceDefinition)) {
	w.Helper()
	ctx := context.Background()
	files, err := filepath.Glob("../../config/crd/radapp.io_*.yaml")
	require.NoError(w, err)
	require.Len(w, files, 2)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(w, err)
		crd := &apiextensionsv1.CustomResourceDefinition{}
		require.NoError(w, yaml.UnmarshalStrict(text, crd))
		if schema != nil {
			schema(crd)
		}
		was, err := w.crds().ApiextensionsV1().CustomResourceDefinitions().Get(ctx, crd.Name, metav1.GetOptions{})
		require.NoError(w, err)
		crd.ResourceVersion = was.ResourceVersion
		_, err = w.crds().ApiextensionsV1().CustomResourceDefinitions().Update(ctx, crd, metav1.UpdateOptions{})
		require.NoError(w, err)
	}
	time.Sleep(500 * time.Millisecond) // the server takes up the new schemas
}

// released makes the schemas those of released Radius: the fields that it has, and no rules.
func released(crd *apiextensionsv1.CustomResourceDefinition) {
	text := apiextensionsv1.JSONSchemaProps{Type: "string"}
	object := func(fields map[string]apiextensionsv1.JSONSchemaProps) apiextensionsv1.JSONSchemaProps {
		return apiextensionsv1.JSONSchemaProps{Type: "object", Properties: fields}
	}
	operation := object(map[string]apiextensionsv1.JSONSchemaProps{"operationKind": text, "resumeToken": text})
	spec, status := object(map[string]apiextensionsv1.JSONSchemaProps{"id": text}), object(map[string]apiextensionsv1.JSONSchemaProps{
		"id": text, "observedGeneration": {Type: "integer"}, "operation": operation, "phrase": text,
	})
	if crd.Spec.Names.Kind == "DeploymentTemplate" {
		spec = object(map[string]apiextensionsv1.JSONSchemaProps{
			"template": text, "providerConfig": text, "repository": text,
			"parameters": {Type: "object", AdditionalProperties: &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true, Schema: &text}},
		})
		status = object(map[string]apiextensionsv1.JSONSchemaProps{
			"observedGeneration": {Type: "integer"}, "operation": operation, "phrase": text, "statusHash": text,
			"outputResources": {Type: "array", Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &text}},
		})
	}
	all := object(map[string]apiextensionsv1.JSONSchemaProps{"apiVersion": text, "kind": text, "metadata": {Type: "object"}, "spec": spec, "status": status})
	crd.Spec.Versions[0].Schema = &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &all}
	crd.Spec.Versions[0].AdditionalPrinterColumns = nil
}

// TestTheCRDsOfReleasedRadiusAndBack: the CRDs of this controller take the place of those of
// released Radius, and the other way round, with objects in between. Each time the template is
// deployed at most once more, and in the end nothing is left.
func TestTheCRDsOfReleasedRadiusAndBack(t *testing.T) {
	w := newWorld(t, ownServer(t))
	w.stop()
	ctx := context.Background()
	w.putCRDs(released)
	const webID = "/planes/radius/local/resourceGroups/default/providers/Applications.Core/containers/web"
	dt := w.create("shop", template(web, db), func(dt *v1alpha3.DeploymentTemplate) {
		dt.Finalizers = []string{v1alpha3.DeploymentTemplateFinalizer}
		dt.Spec.Parameters = &apiextensionsv1.JSON{Raw: []byte(`{"port":"8080"}`)}
		dt.Spec.ProviderConfig = text(`{"radius":{"type":"Radius","value":{"scope":"/planes/radius/local/resourceGroups/default"}},"deployments":{"type":"Microsoft.Resources","value":{"scope":"/planes/radius/local/resourceGroups/default"}}}`)
	})
	dt.Status = v1alpha3.DeploymentTemplateStatus{ObservedGeneration: 1, StatusHash: "0f", OutputResources: []string{webID}, Phrase: "Ready"}
	require.NoError(t, w.Status().Update(ctx, dt))
	yes := true
	old := &v1alpha3.DeploymentResource{Spec: v1alpha3.DeploymentResourceSpec{ID: webID}}
	old.Namespace, old.Name, old.Finalizers = w.ns, "web", []string{v1alpha3.DeploymentResourceFinalizer}
	old.OwnerReferences = []metav1.OwnerReference{{APIVersion: "radapp.io/v1alpha3", Kind: "DeploymentTemplate", Name: "shop", UID: dt.UID, Controller: &yes}}
	require.NoError(t, w.Create(ctx, old))

	w.putCRDs(nil)
	w.start()
	spec := w.waitFor("shop", "True/Succeeded").Spec
	require.Len(t, w.radius.Puts(), 1)
	require.Len(t, w.children(), 2)
	w.stop()

	// Back: the server of released Radius drops what it does not know as soon as something is written.
	w.putCRDs(released)
	require.Equal(t, spec, w.get("shop").Spec)
	w.change("shop", annotate("seen", "by released Radius"))
	was := w.get("shop")
	require.Empty(t, was.Status.Conditions)
	was.Status.Phrase = "Ready"
	require.NoError(t, w.Status().Update(ctx, was))
	for _, dr := range w.children() {
		require.Contains(t, dr.Finalizers, v1alpha3.DeploymentResourceFinalizer)
		dr.Status.Phrase = "Ready"
		require.NoError(t, w.Status().Update(ctx, &dr))
	}

	w.putCRDs(nil)
	w.start()
	w.waitFor("shop", "True/Succeeded")
	require.LessOrEqual(t, len(w.radius.Puts()), 2)
	require.Len(t, w.children(), 2)
	w.delete("shop")
	w.waitGone("shop")
	require.Empty(t, w.radius.Resources())
	require.Empty(t, w.radius.Deployments(), "the deployment is deleted too")
	require.NotEmpty(t, w.radius.Requests(http.MethodDelete, "/microsoft.resources/deployments/"))
	require.Empty(t, client.IgnoreNotFound(w.Get(ctx, client.ObjectKey{Namespace: w.ns, Name: "web"}, &v1alpha3.DeploymentResource{})))
}
