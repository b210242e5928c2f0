package controller

import (
	"context"
	"math/rand/v2"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/internal/resourceid"
)

// asked lets through what a user did: a status that is written must not wake who wrote it.
var asked = builder.WithPredicates(predicate.Or(predicate.GenerationChangedPredicate{}, predicate.AnnotationChangedPredicate{}, bereft))

// bereft lets through that somebody removed a finalizer of an object that lives on, or that its
// status is lost: other CRDs were served for a while.
var bereft = predicate.Funcs{
	CreateFunc:  func(event.CreateEvent) bool { return false },
	DeleteFunc:  func(event.DeleteEvent) bool { return false },
	GenericFunc: func(event.GenericEvent) bool { return false },
	UpdateFunc: func(e event.UpdateEvent) bool {
		return e.ObjectNew.GetDeletionTimestamp().IsZero() && len(e.ObjectNew.GetFinalizers()) < len(e.ObjectOld.GetFinalizers()) ||
			len(conditionsOf(e.ObjectOld)) > 0 && len(conditionsOf(e.ObjectNew)) == 0
	},
}

func conditionsOf(o client.Object) []metav1.Condition {
	switch o := o.(type) {
	case *v1alpha3.DeploymentTemplate:
		return o.Status.Conditions
	case *v1alpha3.DeploymentResource:
		return o.Status.Conditions
	}
	return nil
}

// childNews lets through what the owner of a DeploymentResource has to know.
var childNews = builder.WithPredicates(predicate.Funcs{
	CreateFunc:  func(event.CreateEvent) bool { return false },
	GenericFunc: func(event.GenericEvent) bool { return false },
	UpdateFunc: func(e event.UpdateEvent) bool {
		was, is := e.ObjectOld.(*v1alpha3.DeploymentResource), e.ObjectNew.(*v1alpha3.DeploymentResource)
		return was.DeletionTimestamp.IsZero() != is.DeletionTimestamp.IsZero() ||
			metav1.GetControllerOf(was) != nil && metav1.GetControllerOf(is) == nil ||
			was.Annotations[v1alpha3.DroppedAnnotation] != is.Annotations[v1alpha3.DroppedAnnotation] ||
			!is.DeletionTimestamp.IsZero() && (was.Status.Phrase != is.Status.Phrase ||
				was.Status.Message != is.Status.Message && is.Status.Phrase == v1alpha3.DeploymentResourcePhraseFailed)
	},
})

// deployedAnew lets through that a DeploymentTemplate was deployed: others that deployed the same resources say so.
var deployedAnew = builder.WithPredicates(predicate.Funcs{
	CreateFunc:  func(event.CreateEvent) bool { return false },
	DeleteFunc:  func(event.DeleteEvent) bool { return false },
	GenericFunc: func(event.GenericEvent) bool { return false },
	UpdateFunc: func(e event.UpdateEvent) bool {
		was, is := e.ObjectOld.(*v1alpha3.DeploymentTemplate), e.ObjectNew.(*v1alpha3.DeploymentTemplate)
		return !was.Status.DeployedAt.Equal(is.Status.DeployedAt)
	},
})

// gone lets through only that an object is gone.
var gone = builder.WithPredicates(predicate.Funcs{
	CreateFunc:  func(event.CreateEvent) bool { return false },
	UpdateFunc:  func(event.UpdateEvent) bool { return false },
	GenericFunc: func(event.GenericEvent) bool { return false },
})

func controllerOptions(workers int, anyName bool) controller.Options {
	return controller.Options{
		MaxConcurrentReconciles: workers,
		SkipNameValidation:      &anyName,
		RateLimiter:             workqueue.NewTypedItemExponentialFailureRateLimiter[reconcile.Request](firstRetryDelay, maxRetryDelay),
		CacheSyncTimeout:        10 * time.Minute, // the CRDs may be installed after the controller
	}
}

// spreadEach is the time between two objects, on average, that are woken together.
const spreadEach = 20 * time.Millisecond

// spread enqueues all objects over a time that grows with their number.
func spread(all func(context.Context, client.Object) []reconcile.Request) handler.EventHandler {
	type requestQueue = workqueue.TypedRateLimitingInterface[reconcile.Request]
	return handler.Funcs{GenericFunc: func(ctx context.Context, e event.GenericEvent, queue requestQueue) {
		requests := all(ctx, e.Object)
		for _, r := range requests {
			queue.AddAfter(r, rand.N(spreadEach*time.Duration(len(requests))))
		}
	}}
}

// Setup adds both reconcilers to a manager. anyName allows more than one manager in a process.
// What it returns wakes all objects.
func Setup(mgr ctrl.Manager, templates *TemplateReconciler, resources *ResourceReconciler, workers int, anyName bool) (
	wake func(), err error,
) {
	again := [2]chan event.GenericEvent{make(chan event.GenericEvent, 1), make(chan event.GenericEvent, 1)}
	wake = func() {
		for _, c := range again {
			select {
			case c <- event.GenericEvent{Object: &v1alpha3.DeploymentTemplate{}}:
			default: // one is on its way
			}
		}
	}
	for name, index := range Indexes {
		if err := mgr.GetFieldIndexer().IndexField(context.Background(), &v1alpha3.DeploymentResource{}, name, index); err != nil {
			return nil, err
		}
	}
	err = ctrl.NewControllerManagedBy(mgr).Named("deploymenttemplate").
		For(&v1alpha3.DeploymentTemplate{}, asked).
		Owns(&v1alpha3.DeploymentResource{}, childNews).
		Watches(&v1alpha3.DeploymentTemplate{}, handler.EnqueueRequestsFromMapFunc(templates.sharers), deployedAnew).
		WatchesRawSource(source.Channel(again[0], spread(templates.all))).
		WithOptions(controllerOptions(workers, anyName)).
		Complete(templates)
	if err != nil {
		return nil, err
	}
	return wake, ctrl.NewControllerManagedBy(mgr).Named("deploymentresource").
		For(&v1alpha3.DeploymentResource{}, asked).
		Watches(&v1alpha3.DeploymentResource{}, handler.EnqueueRequestsFromMapFunc(resources.waiting), gone).
		WatchesRawSource(source.Channel(again[1], spread(resources.all))).
		WithOptions(controllerOptions(workers, anyName)).
		Complete(resources)
}

// all are all DeploymentTemplates.
func (r *TemplateReconciler) all(ctx context.Context, _ client.Object) []reconcile.Request {
	var list v1alpha3.DeploymentTemplateList
	if r.Client.List(ctx, &list, client.UnsafeDisableDeepCopy) != nil {
		return nil // they look again by themselves
	}
	requests := make([]reconcile.Request, len(list.Items))
	for i := range list.Items {
		requests[i].NamespacedName = client.ObjectKeyFromObject(&list.Items[i])
	}
	return requests
}

// sharers are the other DeploymentTemplates that have objects for the resources of one.
func (r *TemplateReconciler) sharers(ctx context.Context, o client.Object) []reconcile.Request {
	var requests []reconcile.Request
	for _, id := range o.(*v1alpha3.DeploymentTemplate).Status.OutputResources {
		var list v1alpha3.DeploymentResourceList
		if err := r.Client.List(ctx, &list, client.MatchingFields{indexID: resourceid.Key(id)}, client.UnsafeDisableDeepCopy); err != nil {
			return nil // they look again by themselves
		}
		for i := range list.Items {
			if ref := ownerOf(&list.Items[i]); ref != nil && ref.UID != o.GetUID() {
				key := client.ObjectKey{Namespace: list.Items[i].Namespace, Name: ref.Name}
				requests = append(requests, reconcile.Request{NamespacedName: key})
			}
		}
	}
	return requests
}

// all are all DeploymentResources.
func (r *ResourceReconciler) all(ctx context.Context, _ client.Object) []reconcile.Request {
	var list v1alpha3.DeploymentResourceList
	if r.Client.List(ctx, &list, client.UnsafeDisableDeepCopy) != nil {
		return nil
	}
	requests := make([]reconcile.Request, len(list.Items))
	for i := range list.Items {
		requests[i].NamespacedName = client.ObjectKeyFromObject(&list.Items[i])
	}
	return requests
}

// waiting are the siblings of an object that is gone which may have waited for that.
func (r *ResourceReconciler) waiting(ctx context.Context, o client.Object) []reconcile.Request {
	ref := ownerOf(o)
	if ref == nil {
		return nil
	}
	rank := rankOf(o)
	siblings, err := r.owned(ctx, o.GetNamespace(), ref.UID)
	if err != nil {
		return nil // they look again by themselves
	}
	var requests []reconcile.Request
	for i := range siblings {
		// Of those with a lower rank none is left when the first with this one is deleted.
		if sibling := &siblings[i]; !sibling.DeletionTimestamp.IsZero() && rankOf(sibling) > rank {
			requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(sibling)})
		}
	}
	return requests
}
