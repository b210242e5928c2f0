package controller

import (
	"context"
	"fmt"
	"slices"
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
func depend(ctx context.Context, live client.Reader, dt *v1alpha3.DeploymentTemplate) (awaits string, circle bool, err error) {
	var missing []string
	for _, on := range dt.Spec.DependsOn {
		problem, err := notReady(ctx, live, dt.Namespace, on)
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
	path, err := circleOf(ctx, live, dt)
	if err != nil {
		return "", false, err
	}
	if path != nil {
		return "spec.dependsOn goes in a circle: " + strings.Join(path, " -> "), true, nil
	}
	return "waits for what spec.dependsOn names: " + strings.Join(missing, "; "), false, nil
}

// notReady says why an object is not ready, or "".
func notReady(ctx context.Context, live client.Reader, namespace string, on v1alpha3.Dependency) (string, error) {
	o := &unstructured.Unstructured{}
	o.SetAPIVersion(on.APIVersion)
	o.SetKind(on.Kind)
	switch err := live.Get(ctx, client.ObjectKey{Namespace: namespace, Name: on.Name}, o); {
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
	// What has another form says nothing.
	_ = runtime.DefaultUnstructuredConverter.FromUnstructured(o.Object, &said)
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

// circleOf is a path of DeploymentTemplates from one back to it, or nil.
func circleOf(ctx context.Context, live client.Reader, dt *v1alpha3.DeploymentTemplate) ([]string, error) {
	seen := map[string]bool{}
	var find func(from *v1alpha3.DeploymentTemplate, path []string) ([]string, error)
	find = func(from *v1alpha3.DeploymentTemplate, path []string) ([]string, error) {
		for _, on := range from.Spec.DependsOn {
			group, _, _ := strings.Cut(on.APIVersion, "/")
			if on.Kind != "DeploymentTemplate" || group != v1alpha3.GroupVersion.Group {
				continue
			}
			next := append(slices.Clip(path), on.Name)
			if on.Name == dt.Name {
				return next, nil
			}
			if seen[on.Name] {
				continue
			}
			seen[on.Name] = true
			to := &v1alpha3.DeploymentTemplate{}
			if err := live.Get(ctx, client.ObjectKey{Namespace: dt.Namespace, Name: on.Name}, to); err != nil {
				if apierrors.IsNotFound(err) {
					continue
				}
				return nil, err
			}
			if found, err := find(to, next); found != nil || err != nil {
				return found, err
			}
		}
		return nil, nil
	}
	return find(dt, []string{dt.Name})
}
