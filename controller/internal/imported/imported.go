// Package imported brings clusters to life that Crossplane observes and Cluster API lists: what `--target crossplane` writes. It
// does for them what the contract of Cluster API asks of an external system: it writes what Crossplane observes into the
// objects of Cluster API's providers. Begin with Reconciler.Look.
//
// Only objects with the annotation ManagedBy are written, and never an object of Crossplane.
package imported

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// ManagedBy is the annotation of objects whose infrastructure is Crossplane's.
const ManagedBy = "cluster.x-k8s.io/managed-by"

// Condition says on a Cluster or a MachinePool whether it shows what is in the cloud.
const Condition = "Imported"

// The reasons of the condition.
const (
	reasonObserved    = "Observed"
	reasonNotObserved = "NotObserved"
	reasonNotSynced   = "NotSynced"
	reasonContested   = "Contested"
)

// interval is the time between two looks.
const interval = 15 * time.Second

// rivalry is how often another controller may take back what was written, until this one stops.
const rivalry = 2

var (
	clusterKind = schema.GroupVersionKind{Group: "cluster.x-k8s.io", Version: "v1beta2", Kind: "Cluster"}
	poolKind    = schema.GroupVersionKind{Group: "cluster.x-k8s.io", Version: "v1beta2", Kind: "MachinePool"}
)

// Reconciler looks at all imported clusters now and then. It watches nothing, so that it works whichever CRDs are there,
// and whenever they come.
type Reconciler struct {
	Client     client.Client // that reads nothing from a cache
	Recorder   events.EventRecorder
	Namespaces []string // none: all

	mu      sync.Mutex
	written map[types.UID]*memory
}

// memory is what was written into an object.
type memory struct {
	asked, shown []byte // what was sent, and what the object said then of the same fields
	taken        int    // how often another controller took it back
}

// NeedLeaderElection says that only one replica writes.
func (r *Reconciler) NeedLeaderElection() bool { return true }

// Start looks again and again until ctx ends.
func (r *Reconciler) Start(ctx context.Context) error {
	log := ctrl.Log.WithName("imported")
	for {
		if err := r.Look(ctx); err != nil && ctx.Err() == nil {
			log.Error(err, "imported clusters could not all be looked at")
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(interval):
		}
	}
}

// Look looks at all imported clusters and pools once.
func (r *Reconciler) Look(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var problems []error
	for _, kind := range []schema.GroupVersionKind{clusterKind, poolKind} {
		list, err := r.list(ctx, kind)
		problems = append(problems, err)
		for i := range list {
			if err := r.one(ctx, &list[i]); err != nil {
				problems = append(problems, fmt.Errorf("%s %s/%s: %w", kind.Kind, list[i].GetNamespace(), list[i].GetName(), err))
			}
		}
	}
	return errors.Join(problems...)
}

// list returns the imported objects of a kind; none if there is no such kind.
func (r *Reconciler) list(ctx context.Context, kind schema.GroupVersionKind) (out []unstructured.Unstructured, err error) {
	namespaces := r.Namespaces
	if len(namespaces) == 0 {
		namespaces = []string{""}
	}
	for _, namespace := range namespaces {
		list := &unstructured.UnstructuredList{}
		list.SetGroupVersionKind(kind)
		if err := r.Client.List(ctx, list, client.InNamespace(namespace)); err != nil {
			if meta.IsNoMatchError(err) || apierrors.IsNotFound(err) {
				return nil, nil
			}
			return nil, err
		}
		for _, o := range list.Items {
			if isImported(&o) {
				out = append(out, o)
			}
		}
	}
	return out, nil
}

func isImported(o *unstructured.Unstructured) bool {
	return o.GetAnnotations()[ManagedBy] == "crossplane" && o.GetDeletionTimestamp().IsZero()
}

// one brings a Cluster or a MachinePool up to date. What is wrong with it is in its condition; an error is about the API
// server.
func (r *Reconciler) one(ctx context.Context, o *unstructured.Unstructured) error {
	p := provisionerOf(o)
	if p == nil {
		return nil // of another provider
	}
	managed, err := r.get(ctx, p.managed, o)
	if err != nil {
		return err
	}
	observed := observationOf(managed)
	if observed == nil {
		return r.say(ctx, o, metav1.ConditionFalse, reasonNotObserved, "Crossplane has not observed the "+p.managed.Kind+" yet")
	}
	writes, contested := p.writes(observed), ""
	if len(writes) == 0 {
		return r.say(ctx, o, metav1.ConditionFalse, reasonNotObserved, "Crossplane has not observed all of the "+p.managed.Kind+" yet")
	}
	for _, w := range writes {
		target := o
		if w.kind != o.GroupVersionKind() {
			if target, err = r.get(ctx, w.kind, o); err != nil {
				return err
			}
		}
		if target == nil || !isImported(target) {
			continue
		}
		took, err := r.write(ctx, target, w)
		if err != nil {
			return err
		}
		if took {
			contested = w.kind.Kind
		}
	}
	synced := conditionOf(managed, "Synced")
	switch {
	case contested != "":
		return r.say(ctx, o, metav1.ConditionFalse, reasonContested, "another controller takes back what is written into the "+contested+
			", so it is not written any more; --capi-paused pauses that controller")
	case synced["status"] == "False":
		return r.say(ctx, o, metav1.ConditionFalse, reasonNotSynced, fmt.Sprintf("Crossplane cannot observe the %s any more: %v",
			p.managed.Kind, synced["message"]))
	}
	return r.say(ctx, o, metav1.ConditionTrue, reasonObserved, "it shows what Crossplane observes")
}

// get returns the object of a kind that has the name of another one, or nil.
func (r *Reconciler) get(ctx context.Context, kind schema.GroupVersionKind, like client.Object) (*unstructured.Unstructured, error) {
	o := &unstructured.Unstructured{}
	o.SetGroupVersionKind(kind)
	err := r.Client.Get(ctx, client.ObjectKeyFromObject(like), o)
	if meta.IsNoMatchError(err) || apierrors.IsNotFound(err) {
		return nil, nil
	}
	return o, err
}

// write writes fields into an object, unless they are there or another controller took them back too often.
func (r *Reconciler) write(ctx context.Context, o *unstructured.Unstructured, w write) (contested bool, err error) {
	if r.written == nil {
		r.written = map[types.UID]*memory{}
	}
	asked, err := json.Marshal([]any{w.spec, w.status})
	if err != nil {
		return false, err
	}
	last := r.written[o.GetUID()]
	if last == nil {
		last = &memory{}
		r.written[o.GetUID()] = last
	}
	same := string(last.asked) == string(asked)
	switch {
	case last.taken >= rivalry:
		return true, nil
	case same && string(last.shown) == string(shown(o, w)):
		return false, nil
	case same:
		if last.taken++; last.taken >= rivalry {
			r.Recorder.Eventf(o, nil, corev1.EventTypeWarning, reasonContested, "Write",
				"another controller takes back what is written; it is not written any more")
			return true, nil
		}
	}
	for _, part := range []struct {
		name   string
		fields map[string]any
		writer client.SubResourceWriter
	}{{"spec", w.spec, nil}, {"status", w.status, r.Client.Status()}} {
		if len(part.fields) == 0 {
			continue
		}
		text, err := json.Marshal(map[string]any{part.name: part.fields})
		if err != nil {
			return false, err
		}
		patch := client.RawPatch(types.MergePatchType, text)
		if part.writer != nil {
			err = part.writer.Patch(ctx, o, patch)
		} else {
			err = r.Client.Patch(ctx, o, patch)
		}
		if err != nil {
			return false, client.IgnoreNotFound(err)
		}
	}
	last.asked, last.shown = asked, shown(o, w)
	return false, nil
}

// shown returns what an object says of the fields that are written. A field that its schema does not have is absent.
func shown(o *unstructured.Unstructured, w write) []byte {
	pick := func(from any, fields map[string]any) map[string]any {
		out := map[string]any{}
		have, _ := from.(map[string]any)
		for name := range fields {
			if v, ok := have[name]; ok {
				out[name] = v
			}
		}
		return out
	}
	text, _ := json.Marshal([]any{pick(o.Object["spec"], w.spec), pick(o.Object["status"], w.status)}) // it came as JSON
	return text
}

// say sets the condition of a Cluster or a MachinePool.
func (r *Reconciler) say(ctx context.Context, o *unstructured.Unstructured, status metav1.ConditionStatus, reason, message string) error {
	old := conditionOf(o, Condition)
	fresh := map[string]any{"type": Condition, "status": string(status), "reason": reason, "message": message,
		"lastTransitionTime": time.Now().UTC().Format(time.RFC3339)}
	if old["status"] == fresh["status"] {
		fresh["lastTransitionTime"] = old["lastTransitionTime"]
	}
	if equality.Semantic.DeepEqual(old, fresh) {
		return nil
	}
	list, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
	var kept []any
	for _, c := range list {
		if one, _ := c.(map[string]any); one["type"] != Condition {
			kept = append(kept, c)
		}
	}
	// A list is replaced as a whole, so the version keeps what somebody else writes at the same time.
	text, err := json.Marshal(map[string]any{"metadata": map[string]any{"resourceVersion": o.GetResourceVersion()},
		"status": map[string]any{"conditions": append(kept, fresh)}})
	if err != nil {
		return err
	}
	err = r.Client.Status().Patch(ctx, o, client.RawPatch(types.MergePatchType, text))
	if apierrors.IsConflict(err) {
		return nil // next time
	}
	return client.IgnoreNotFound(err)
}

// conditionOf returns a condition of an object; it is empty if there is none.
func conditionOf(o *unstructured.Unstructured, name string) map[string]any {
	if o != nil {
		list, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
		for _, c := range list {
			if one, ok := c.(map[string]any); ok && one["type"] == name {
				return one
			}
		}
	}
	return map[string]any{}
}
