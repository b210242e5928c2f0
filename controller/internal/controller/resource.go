package controller

import (
	"cmp"
	"context"
	"errors"
	"sort"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/internal/deployment"
	"github.com/radbicep/rad/controller/internal/radius"
	"github.com/radbicep/rad/controller/internal/resourceid"
)

// ResourceReconciler reconciles DeploymentResources.
type ResourceReconciler struct {
	core
	owners owners
}

// NewResourceReconciler makes a ResourceReconciler.
func NewResourceReconciler(c Config) *ResourceReconciler {
	return &ResourceReconciler{core: newCore(c)}
}

// resourceWork is one reconcile of one DeploymentResource.
type resourceWork struct {
	*ResourceReconciler
	dr      *v1alpha3.DeploymentResource // as it is known to be saved
	owner   *v1alpha3.DeploymentTemplate // nil if there is none
	state   *resourceState
	mem     *remembered
	secrets *deployment.Secrets
}

// Reconcile works on one DeploymentResource.
func (r *ResourceReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.Options.ReconcileTimeout())
	defer cancel()
	dr := &v1alpha3.DeploymentResource{}
	if err := r.Client.Get(ctx, req.NamespacedName, dr); err != nil {
		if apierrors.IsNotFound(err) {
			r.memory.forget(req.NamespacedName)
			observeOperation("resource "+req.String(), nil)
			return ctrl.Result{}, nil
		}
		return ctrl.Result{}, err
	}
	if problem, _ := r.schemaProblem(); problem != "" {
		return ctrl.Result{RequeueAfter: r.jittered(blockedDelay)}, nil // the owner says why
	}
	w, err := r.begin(ctx, dr.DeepCopy())
	if err != nil {
		return ctrl.Result{}, err
	}
	class := annotation(dr, v1alpha3.ControllerClassAnnotation)
	if class == "" && w.owner != nil {
		class = annotation(w.owner, v1alpha3.ControllerClassAnnotation)
	}
	if class != r.Options.Class {
		return ctrl.Result{}, nil
	}
	result, err := w.run(ctx)
	observeOperation("resource "+req.String(), w.state.status.Operation)
	return result, err
}

// begin gathers what decisions are made from.
func (r *ResourceReconciler) begin(ctx context.Context, dr *v1alpha3.DeploymentResource) (*resourceWork, error) {
	w := &resourceWork{
		ResourceReconciler: r, dr: dr, secrets: &deployment.Secrets{},
		mem: r.memory.of(client.ObjectKeyFromObject(dr), dr.UID),
	}
	s := &resourceState{
		now: r.Now(), generation: dr.Generation, deleting: !dr.DeletionTimestamp.IsZero(),
		finalizer: controllerutil.ContainsFinalizer(dr, v1alpha3.DeploymentResourceFinalizer),
		orphan:    isOrphan(dr), version: dr.Spec.APIVersion,
		again:     dr.Annotations[v1alpha3.DeployedAgainAnnotation],
		status:    resourceAsSaved(&dr.Status),
		pollLimit: r.Options.PollInterval, timeout: r.Options.OperationTimeout,
		azureReads: r.Options.AzureReads, azureKeeps: r.Options.AzureKeeps, made: dr.CreationTimestamp.Time,
	}
	s.id, s.idError = resourceid.Parse(dr.Spec.ID)
	w.state = s
	s.age = s.now.Sub(dr.CreationTimestamp.Time)
	var err error
	if w.owner, err = ownerFrom(ctx, r.Client, dr); err != nil {
		return nil, err
	}
	s.owner = ownershipOf(w.owner, s.id.Key())
	if !s.deleting {
		return w, nil
	}
	ownerDeleting := false
	if w.owner != nil {
		ownerDeleting = !w.owner.DeletionTimestamp.IsZero()
		if deployed := w.owner.Status.DeployedAt; deployed != nil && deployed.After(s.made) {
			s.made = deployed.Time
		}
		s.suspended = isSuspended(w.owner)
		s.orphan = s.orphan || ownerDeleting && isOrphan(w.owner)
		key := strings.ToLower(s.id.Type())
		s.version = cmp.Or(s.version, w.owner.Status.APIVersions[key])
		// Messages of Radius may quote the owner's parameters.
		said := r.owners.of(ctx, r.Live, w.owner, r.Options.Deployments, s.now)
		w.secrets = said.secrets
		// The CRDs of released Radius do not keep the version.
		s.version = cmp.Or(s.version, said.versions[key])
	}
	s.forbidden = s.idError == nil && !deployment.MayTouch(s.id.String(), dr.Namespace, r.Options.Deployments.AllowedScopes)
	if ref := ownerOf(dr); ref != nil && s.idError == nil && (s.id.Rank() > 0 || s.azureReads && s.id.Plane() == resourceid.Azure) {
		siblings, err := r.owned(ctx, dr.Namespace, ref.UID)
		if err != nil {
			return nil, err
		}
		for i := range siblings {
			sibling := &siblings[i]
			// Those of a template that is being deleted will all be deleted; otherwise only some are.
			going := ownerDeleting || !sibling.DeletionTimestamp.IsZero()
			if id, err := resourceid.Parse(sibling.Spec.ID); err == nil && id.Rank() < s.id.Rank() && going {
				s.waitsFor = append(s.waitsFor, sibling.Spec.ID)
			}
		}
		sort.Strings(s.waitsFor)
		if len(s.waitsFor) > 5 {
			s.waitsFor = append(s.waitsFor[:5], "and others")
		}
	}
	return w, nil
}

// run carries out one action after the other, until there is a reason to wait.
func (w *resourceWork) run(ctx context.Context) (ctrl.Result, error) {
	s := w.state
	key, who := "delete "+annotation(w.dr, v1alpha3.ReconcileRequestAnnotation), "resource "+string(w.dr.UID)
	for range maxActions {
		d := decideResource(s)
		if wait := w.mem.held(s.now, key, w.Outage.current()); wait > 0 && d.action.asksRadius() {
			d = restResource(wait)
		}
		s.take(d)
		if d.action == resWait {
			break
		}
		if d.action == resRelease {
			return retryConflict(ctx, w.release(ctx))
		}
		var res resourceResult
		var err error
		if d.action.asksRadius() {
			res.err = w.mayAsk(w.mem, who, key, s.now)
		}
		if res.err == nil {
			res, err = w.perform(ctx, d.action)
		}
		if err != nil {
			return retryConflict(ctx, err)
		}
		s.now = w.Now()
		absorbResource(s, d.action, res)
	}
	wait := time.Second
	if s.wait != nil {
		wait = *s.wait
	}
	if s.retryWhen.set {
		wait = w.retryIn(w.mem, s.retryWhen, who, key, s.now)
		untilWhen(&s.status.Message, s.status.Conditions, s.now, wait)
	}
	if err := w.save(ctx); err != nil {
		return retryConflict(ctx, err)
	}
	return ctrl.Result{RequeueAfter: wait}, nil
}

func (w *resourceWork) save(ctx context.Context) error {
	s := w.state
	clean(&s.status.Message, s.status.Conditions, w.secrets)
	var lost error
	if want := resourceToSave(s.status); !equality.Semantic.DeepEqual(want, w.dr.Status) {
		changed := w.dr.DeepCopy()
		changed.Status = *want.DeepCopy()
		if err := w.patchStatus(ctx, changed, w.dr); err != nil {
			return err
		}
		lost = w.kept(want, changed.Status)
		w.dr = changed
	}
	w.emit(ctx, w.dr, s.notes, "Delete", w.secrets)
	s.notes = nil
	return lost
}

// release saves the last status, then lets the object go.
func (w *resourceWork) release(ctx context.Context) error {
	w.state.status.Operation, w.state.status.Failure = nil, nil
	if err := w.save(ctx); err != nil {
		return err
	}
	changed := w.dr.DeepCopy()
	controllerutil.RemoveFinalizer(changed, v1alpha3.DeploymentResourceFinalizer)
	return w.patch(ctx, changed, w.dr)
}

func (w *resourceWork) perform(ctx context.Context, a resourceAction) (resourceResult, error) {
	s := w.state
	var r resourceResult
	switch a {
	case resPoll:
		r.progress, r.err = w.Radius.Poll(ctx, s.status.Operation.ResumeToken)
	case resRead:
		version := s.apiVersion()
		if version == "" {
			version, r.err = w.Radius.DefaultVersion(ctx, s.id)
		}
		if r.err == nil {
			_, r.err = w.Radius.Get(ctx, s.id.Path(), version)
		}
		var e *radius.Error
		switch {
		case r.err == nil:
			r.exists = true
		case radius.Gone(r.err):
			r.err = nil
		case errors.As(r.err, &e) && !e.Transient():
			r.err, r.exists = nil, true // it cannot be read; the request to delete it says more
		}
	case resAddFinalizer:
		changed := w.dr.DeepCopy()
		controllerutil.AddFinalizer(changed, v1alpha3.DeploymentResourceFinalizer)
		if err := w.patch(ctx, changed, w.dr); err != nil {
			return r, err
		}
		w.dr = changed
	case resOwner:
		owner, err := ownerFrom(ctx, w.Live, w.dr)
		r.owner = ownershipOf(owner, s.id.Key())
		return r, err
	case resHolders:
		held, err := w.holder(ctx)
		if err != nil || held == nil {
			return r, err
		}
		r.holder = nameFor(held.object, w.dr.Namespace)
		return r, w.tellDropped(ctx, held)
	case resVersion:
		r.version, r.err = w.Radius.DefaultVersion(ctx, s.id)
	case resDelete:
		r.progress, r.err = w.Radius.Delete(ctx, s.id.Path(), s.apiVersion())
	}
	return r, nil
}

// holding is an object of another template that holds the resource, too.
type holding struct {
	object client.Object
	owner  *v1alpha3.DeploymentTemplate
}

// tellDropped tells the owner of another object for the resource that this one's does not deploy it any more, unless
// the other one has certainly deployed it later: it deploys again what this one may have changed.
func (w *resourceWork) tellDropped(ctx context.Context, held *holding) error {
	mine, its := w.owner, held.owner
	if mine == nil ||
		!mine.DeletionTimestamp.IsZero() && mine.Status.Failure == nil && mine.Status.DeployedAt.Before(its.Status.DeployedAt) {
		return nil
	}
	other := &v1alpha3.DeploymentResource{}
	if err := w.Live.Get(ctx, client.ObjectKeyFromObject(held.object), other); err != nil {
		return unlessGone(err)
	}
	base := other.DeepCopy()
	if other.Annotations == nil {
		other.Annotations = map[string]string{}
	}
	other.Annotations[v1alpha3.DroppedAnnotation] = string(w.dr.UID)
	if equality.Semantic.DeepEqual(base.Annotations, other.Annotations) {
		return nil
	}
	return unlessGone(w.patch(ctx, other, base))
}

// unlessGone is an error, unless it says that an object, or the right to its namespace, is gone.
func unlessGone(err error) error {
	if apierrors.IsForbidden(err) {
		return nil
	}
	return client.IgnoreNotFound(err)
}

// holder is another living DeploymentTemplate that holds the resource: one that has an object for
// it, and that deployed it. The API server itself is asked too: what the cache does not show yet
// must not be deleted.
func (w *resourceWork) holder(ctx context.Context) (*holding, error) {
	uid := ownerUID(w.dr)
	// An old copy must not delete what was made since: the object itself must still be there.
	self := &metav1.PartialObjectMetadata{}
	self.SetGroupVersionKind(v1alpha3.GroupVersion.WithKind("DeploymentResource"))
	if err := w.Live.Get(ctx, client.ObjectKeyFromObject(w.dr), self); err != nil {
		return nil, err
	}
	if self.UID != w.dr.UID || self.DeletionTimestamp.IsZero() {
		return nil, apierrors.NewNotFound(
			schema.GroupResource{Group: v1alpha3.GroupVersion.Group, Resource: "deploymentresources"}, w.dr.Name,
		)
	}
	key := w.state.id.Key()
	holds := func(other client.Object) (*holding, error) {
		if other.GetUID() == w.dr.UID || !other.GetDeletionTimestamp().IsZero() || ownerUID(other) == uid {
			return nil, nil
		}
		owner, err := ownerFrom(ctx, w.Live, other)
		if apierrors.IsForbidden(err) {
			owner, err = ownerFrom(ctx, w.Client, other) // as it was last seen
		}
		if err != nil || !ownershipOf(owner, key).recorded {
			return nil, err
		}
		log.FromContext(ctx).Info("not deleted, because another object holds the resource too",
			"resource", w.state.id.String(), "holder", client.ObjectKeyFromObject(owner))
		return &holding{other, owner}, nil
	}
	var cached v1alpha3.DeploymentResourceList
	if err := w.Client.List(ctx, &cached, client.MatchingFields{indexID: key}); err != nil {
		return nil, err
	}
	for i := range cached.Items {
		if held, err := holds(&cached.Items[i]); held != nil || err != nil {
			return held, err
		}
	}
	namespaces := w.Namespaces
	if len(namespaces) == 0 {
		namespaces = []string{""}
	}
	label := client.MatchingLabels{v1alpha3.ResourceHashLabel: resourceid.Hash(w.state.id.String())}
	for _, ns := range namespaces {
		live, err := liveNames(ctx, w.Live, ns, label)
		if apierrors.IsForbidden(err) && ns != w.dr.Namespace {
			continue // the namespace is gone, or is not the controller's any more
		}
		if err != nil {
			return nil, err
		}
		for i := range live {
			if held, err := holds(&live[i]); held != nil || err != nil {
				return held, err
			}
		}
	}
	return nil, nil
}
