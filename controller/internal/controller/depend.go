package controller

import (
	"context"
	"fmt"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/radbicep/rad/controller/api/v1alpha3"
)

// dependDelay is the time between two looks at what a spec waits for. Nothing is watched: most objects wait for nothing.
const dependDelay = 5 * time.Second

// depend says what a DeploymentTemplate waits for, or "". An error is one of the API server.
func (w *templateWork) depend(ctx context.Context) (awaits string, circle bool, err error) {
	var missing []string
	for _, on := range w.dt.Spec.DependsOn {
		problem, err := w.notReady(ctx, w.dt.Namespace, on)
		if err != nil {
			return "", false, err
		}
		if problem != "" {
			missing = append(missing, fmt.Sprintf("%s %s %s", on.Kind, on.Name, problem))
		}
	}
	if len(missing) == 0 {
		return "", false, nil
	}
	path, err := w.circle(ctx, w.dt, []string{w.dt.Name}, map[string]bool{})
	if err != nil {
		return "", false, err
	}
	if path != nil {
		return "spec.dependsOn goes in a circle: " + strings.Join(path, " -> "), true, nil
	}
	return "waits for what spec.dependsOn names: " + strings.Join(missing, "; "), false, nil
}

// isTemplate is true of the kind that the cache holds.
func isTemplate(on v1alpha3.Dependency) bool {
	return on.Kind == "DeploymentTemplate" && on.APIVersion == v1alpha3.GroupVersion.String()
}

// notReady says why an object is not ready, or "". DeploymentTemplates are read from the cache, which shows them in the order in which
// they were written: what it has of them is as new as the spec that waits. For all others the API server is asked.
func (c *core) notReady(ctx context.Context, namespace string, on v1alpha3.Dependency) (string, error) {
	template, other := &v1alpha3.DeploymentTemplate{}, &unstructured.Unstructured{}
	other.SetAPIVersion(on.APIVersion)
	other.SetKind(on.Kind)
	var from client.Reader = c.Live
	var o client.Object = other
	if isTemplate(on) {
		from, o = c.Client, template
	}
	switch err := from.Get(ctx, client.ObjectKey{Namespace: namespace, Name: on.Name}, o); {
	case meta.IsNoMatchError(err):
		return "is of a kind that the API server does not serve in " + on.APIVersion, nil
	case apierrors.IsNotFound(err):
		return "does not exist", nil
	case apierrors.IsForbidden(err):
		return "may not be read by the controller: see docs/controller.md, Rights", nil
	case err != nil:
		return "", err
	case o.GetNamespace() != namespace:
		return "is of no namespace", nil
	case o.GetDeletionTimestamp() != nil:
		return "is being deleted", nil
	}
	var said struct {
		Status struct {
			ObservedGeneration int64              `json:"observedGeneration"`
			Conditions         []metav1.Condition `json:"conditions"`
		} `json:"status"`
	}
	said.Status.ObservedGeneration, said.Status.Conditions = template.Status.ObservedGeneration, template.Status.Conditions
	if !isTemplate(on) { // what has another form says nothing
		_ = runtime.DefaultUnstructuredConverter.FromUnstructured(other.Object, &said)
	}
	ready := meta.FindStatusCondition(said.Status.Conditions, v1alpha3.ConditionReady)
	switch {
	case ready == nil:
		return "does not say whether it is ready", nil
	case ready.Status != metav1.ConditionTrue:
		return "is not ready: " + truncate(ready.Message, 200), nil
	}
	of := ready.ObservedGeneration
	if of == 0 {
		of = said.Status.ObservedGeneration
	}
	if of != o.GetGeneration() {
		return fmt.Sprintf("is not ready in its generation %d", o.GetGeneration()), nil
	}
	return "", nil
}

// circle is a path of DeploymentTemplates that wait for each other, back to the one that the work is on, or nil. It is looked for in
// the cache: each template of a long chain looks, and no request may be sent for that. seen are those that lead nowhere.
func (w *templateWork) circle(ctx context.Context, from *v1alpha3.DeploymentTemplate, path []string, seen map[string]bool) (
	[]string, error,
) {
	for _, on := range from.Spec.DependsOn {
		if !isTemplate(on) {
			continue
		}
		next := append(path, on.Name) // what follows writes over it only after it has led nowhere
		if on.Name == w.dt.Name {
			return next, nil
		}
		if seen[on.Name] {
			continue
		}
		seen[on.Name] = true
		to := &v1alpha3.DeploymentTemplate{}
		if err := w.Client.Get(ctx, client.ObjectKey{Namespace: w.dt.Namespace, Name: on.Name}, to); client.IgnoreNotFound(err) != nil {
			return nil, err
		}
		ready := meta.FindStatusCondition(to.Status.Conditions, v1alpha3.ConditionReady)
		if ready == nil || ready.Reason != v1alpha3.ReasonDependencyNotReady {
			continue // it does not wait, so it may become ready
		}
		if found, err := w.circle(ctx, to, next, seen); found != nil || err != nil {
			return found, err
		}
	}
	return nil, nil
}
