package controller

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/check"
	"github.com/radbicep/rad/controller/internal/radius"
)

// TemplateReconciler reconciles DeploymentTemplates.
type TemplateReconciler struct {
	core
	Checks *check.Registry

	lookWorkers int // how many resources are looked at at once
}

// NewTemplateReconciler makes a TemplateReconciler.
func NewTemplateReconciler(c Config, checks *check.Registry) *TemplateReconciler {
	return &TemplateReconciler{core: newCore(c), Checks: checks, lookWorkers: 8}
}

// templateWork is one reconcile of one DeploymentTemplate.
type templateWork struct {
	*TemplateReconciler
	dt     *v1alpha3.DeploymentTemplate // as it is known to be saved
	state  *templateState
	mem    *remembered
	from   sources
	newest bool // the API server has said that dt is the newest
}

// maxActions bounds the actions of one reconcile. No path through the states is as long.
const maxActions = 60

// Reconcile works on one DeploymentTemplate.
func (r *TemplateReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	// What has begun is ended, even if the process is asked to stop: an answer that is not read is lost.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.Options.ReconcileTimeout())
	defer cancel()
	dt := &v1alpha3.DeploymentTemplate{}
	if err := r.Client.Get(ctx, req.NamespacedName, dt); err != nil {
		if apierrors.IsNotFound(err) {
			r.memory.forget(req.NamespacedName)
			observePhase(req.NamespacedName, "")
			observeOperation("template "+req.String(), nil)
			return ctrl.Result{}, nil
		}
		return ctrl.Result{}, err
	}
	if annotation(dt, v1alpha3.ControllerClassAnnotation) != r.Options.Class {
		return ctrl.Result{}, nil
	}
	mem := r.memory.of(req.NamespacedName, dt.UID)
	problem, sure := r.schemaProblem()
	if problem != "" && (!sure || mem.told == problem) {
		return ctrl.Result{RequeueAfter: r.jittered(blockedDelay)}, nil
	}
	w, err := r.begin(ctx, dt.DeepCopy())
	if err != nil {
		return ctrl.Result{}, err
	}
	if problem != "" {
		return w.blocked(ctx, problem)
	}
	mem.told = ""
	result, err := w.run(ctx)
	observeOperation("template "+req.String(), w.state.status.Operation)
	if err == nil {
		observePhase(req.NamespacedName, string(w.dt.Status.Phrase))
	}
	return result, err
}

// begin gathers what decisions are made from.
func (r *TemplateReconciler) begin(ctx context.Context, dt *v1alpha3.DeploymentTemplate) (*templateWork, error) {
	w := &templateWork{TemplateReconciler: r, dt: dt, mem: r.memory.of(client.ObjectKeyFromObject(dt), dt.UID)}
	s := &templateState{
		now: r.Now(), generation: dt.Generation, deleting: !dt.DeletionTimestamp.IsZero(),
		finalizer: controllerutil.ContainsFinalizer(dt, v1alpha3.DeploymentTemplateFinalizer),
		suspended: isSuspended(dt), orphan: isOrphan(dt), status: asSaved(&dt.Status), pollLimit: r.Options.PollInterval,
		wishes: wishes{
			request: annotation(dt, v1alpha3.ReconcileRequestAnnotation), redeploy: annotation(dt, v1alpha3.RedeployRequestAnnotation),
			confirm: annotation(dt, v1alpha3.ConfirmDeletionAnnotation), accepts: acceptsUnreadable(dt),
		},
	}
	s.timeout, s.depends = r.Options.OperationTimeout, len(dt.Spec.DependsOn) > 0
	if ready := s.ready(); ready != nil {
		s.hung = ready.Reason == v1alpha3.ReasonOperationTimedOut
	}
	s.spread = spreadOf(dt.UID, s.status.DeployedAt)
	var err error
	if w.from, err = readSources(ctx, r.Live, dt, w.mem.sources); err != nil && !s.deleting {
		return nil, err // of an object that is being deleted nothing more is sent
	}
	s.desired, s.specError = w.mem.read(dt, r.Options.Deployments, w.from)
	if s.desired != nil && s.status.Resource == "" && s.status.StatusHash == s.desired.Hash {
		s.status.Resource = s.desired.ID // the CRDs of released Radius do not keep it
	}
	s.knowsSent = s.status.Operation == nil || w.mem.knows(s.status.Operation.Hash)
	if interval := r.Options.DriftInterval; interval > 0 {
		if w.mem.nextLook.IsZero() {
			w.mem.nextLook = s.now.Add(r.jittered(interval))
		}
		s.lookDue = !s.now.Before(w.mem.nextLook)
	}
	s.blindSince = w.mem.blindSince
	children, err := r.owned(ctx, dt.Namespace, dt.UID)
	if err != nil {
		return nil, err
	}
	s.children = childrenOf(children, dt)
	for i := range s.children {
		if c := &s.children[i]; c.dropped == w.mem.undropped[c.name] {
			c.dropped = "" // the cache is behind
		}
	}
	w.state = s
	if s.status.StatusHash != "" && !s.deleting {
		s.rivals, err = w.rivals(ctx)
	}
	return w, err
}

// holdKey is what a wait is for: another spec, or another request of the user, need not wait.
func (w *templateWork) holdKey() string {
	return fmt.Sprintf("%d %s %s %t %t", w.state.generation, w.state.request, w.state.redeploy, w.state.deleting, w.state.accepts)
}

// spreadOf is a part of up to a tenth, another one after each deployment, so that templates that were deployed together do
// not stay together.
func spreadOf(uid types.UID, deployedAt *metav1.Time) float64 {
	h := fnv.New32a()
	fmt.Fprint(h, uid, deployedAt)
	return float64(h.Sum32()%1000) / 10000
}

// run carries out one action after the other, until there is a reason to wait.
func (w *templateWork) run(ctx context.Context) (ctrl.Result, error) {
	s := w.state
	held := false
	for range maxActions {
		d := decideTemplate(s)
		if wait := w.mem.held(s.now, w.holdKey(), w.Outage.current()); wait > 0 && d.action.asksRadius() {
			d, held = rest(wait), true
		}
		s.take(d)
		if d.action == actWait {
			break
		}
		res, err := w.askOrPerform(ctx, d.action)
		if err != nil {
			if apierrors.IsConflict(err) || apierrors.IsNotFound(err) || errors.Is(err, errDropped) {
				return retryConflict(ctx, err)
			}
			if refused := (*refusedError)(nil); errors.As(err, &refused) {
				s.sayRefused(refused)
			}
			if saveErr := w.save(ctx); saveErr != nil {
				return retryConflict(ctx, saveErr)
			}
			return ctrl.Result{}, err
		}
		s.now = w.Now()
		before := s.status.Operation
		absorbTemplate(s, d.action, res)
		if before != nil && before.StartedAt != nil && s.status.Operation == nil {
			operationSeconds.WithLabelValues(before.OperationKind).Observe(s.now.Sub(before.StartedAt.Time).Seconds())
		}
	}
	wait := time.Duration(0)
	if s.wait != nil {
		wait = *s.wait
	} else {
		wait = time.Second // not reached, unless the states go in a circle
		log.FromContext(ctx).Info("worked on for too long; goes on later", "status", s.status.Phrase)
	}
	switch {
	case s.retryWhen.set:
		wait = w.retryIn(w.mem, s.retryWhen, w.who(), w.holdKey(), s.now)
		untilWhen(&s.status.Message, s.status.Conditions, s.now, wait)
	case held:
	case wait == 0 || s.status.Operation != nil || s.status.Phrase == v1alpha3.DeploymentTemplatePhraseReady:
		w.mem.retries = 0
	}
	w.mem.blindSince = s.blindSince
	if s.lookSpent && w.Options.DriftInterval > 0 {
		w.mem.nextLook = s.now.Add(w.jittered(w.Options.DriftInterval))
	}
	if !s.finalizer && s.deleting {
		return ctrl.Result{}, nil // gone
	}
	tried := s.retryWhen.set || held
	if s.status.Phrase == v1alpha3.DeploymentTemplatePhraseReady && !tried && !s.suspended && !s.deleting && w.Options.DriftInterval > 0 {
		wait = earlier(wait, max(w.mem.nextLook.Sub(s.now), time.Second))
	}
	if len(w.dt.Spec.ParametersFrom) > 0 && !s.suspended && !s.deleting {
		wait = earlier(wait, w.jittered(sourceInterval))
	}
	if w.savesLater() {
		return ctrl.Result{RequeueAfter: min(wait, countInterval)}, nil
	}
	if err := w.save(ctx); err != nil {
		return retryConflict(ctx, err)
	}
	w.mem.savedAt = s.now
	return ctrl.Result{RequeueAfter: wait}, nil
}

// earlier is the earlier of two times to go on; 0 is never.
func earlier(a, b time.Duration) time.Duration {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// countInterval is the least time between two statuses that differ only in what is still there.
const countInterval = 2 * time.Second

// savesLater is true if nothing has changed but how many children are still there, and that was
// saved a moment ago. A status is saved with its object, which may be large.
func (w *templateWork) savesLater() bool {
	s := w.state
	if !s.deleting || len(s.notes) > 0 || s.now.Sub(w.mem.savedAt) >= countInterval || len(s.children) == 0 || s.retryWhen.set {
		return false
	}
	saved := asSaved(&w.dt.Status)
	now := s.status.DeepCopy()
	was, is := meta.FindStatusCondition(saved.Conditions, v1alpha3.ConditionReady), s.ready()
	if was == nil || is == nil || was.Reason != is.Reason || was.ObservedGeneration != is.ObservedGeneration {
		return false
	}
	saved.Message, now.Message, saved.Conditions, now.Conditions = "", "", nil, nil
	return equality.Semantic.DeepEqual(saved, now)
}

// blockedDelay is the time between two looks at an object that nothing may be done with. A change of
// the schemas wakes it; this is for the case that it does not.
const blockedDelay = 30 * time.Second

// blocked says why nothing is done with the object. The API server may drop most of what is said,
// so it is said once. A status that speaks of no generation is ready for nobody.
func (w *templateWork) blocked(ctx context.Context, why string) (ctrl.Result, error) {
	s := w.state
	w.mem.told = why
	if s.deleting && !s.finalizer {
		return ctrl.Result{}, nil
	}
	phrase := v1alpha3.DeploymentTemplatePhraseFailed
	if s.deleting {
		phrase = v1alpha3.DeploymentTemplatePhraseDeleting
	}
	if ready := s.ready(); ready == nil || ready.Reason != v1alpha3.ReasonSchemaOutdated || ready.Message != why {
		s.note(true, v1alpha3.EventSchemaOutdated, why)
	}
	s.say(phrase, verdict{generation: s.generation, ready: metav1.ConditionFalse, reason: v1alpha3.ReasonSchemaOutdated, message: why})
	s.status.ObservedGeneration = -1
	if err := w.save(ctx); err != nil && !errors.Is(err, errDropped) {
		w.mem.told = ""
		return retryConflict(ctx, err)
	}
	return ctrl.Result{RequeueAfter: w.jittered(blockedDelay)}, nil
}

// save saves the status if it has changed, then sends the events.
func (w *templateWork) save(ctx context.Context) error {
	s := w.state
	clean(&s.status.Message, s.status.Conditions, w.mem.secrets)
	var lost error
	if want := toSave(s.status); !equality.Semantic.DeepEqual(want, w.dt.Status) {
		changed := w.dt.DeepCopy()
		changed.Status = *want.DeepCopy()
		if err := w.patchStatus(ctx, changed, w.dt); err != nil {
			return err
		}
		lost = w.kept(want, changed.Status)
		changed.Status = want
		w.dt, w.newest = changed, true // an older copy would have been refused
	}
	w.emit(ctx, w.dt, s.notes, "Reconcile", w.mem.secrets)
	s.notes = nil
	return lost
}

// who names the object among those that ask Radius.
func (w *templateWork) who() string { return "template " + string(w.dt.UID) }

// askOrPerform carries out an action, unless Radius does not answer and another object asks for all.
func (w *templateWork) askOrPerform(ctx context.Context, a action) (result, error) {
	if a.asksRadius() {
		if err := w.mayAsk(w.mem, w.who(), w.holdKey(), w.state.now); err != nil {
			return result{err: err}, nil
		}
	}
	return w.perform(ctx, a)
}

// perform carries out one action. What Radius answers is part of the result; an error is one of the API server.
func (w *templateWork) perform(ctx context.Context, a action) (r result, err error) {
	op := w.state.status.Operation
	switch a {
	case actAddFinalizer:
		changed := w.dt.DeepCopy()
		controllerutil.AddFinalizer(changed, v1alpha3.DeploymentTemplateFinalizer)
		if err := w.patch(ctx, changed, w.dt); err != nil {
			return r, err
		}
		changed.Status = w.dt.Status
		w.dt = changed
	case actOwn:
		err = w.own(ctx)
	case actPoll:
		r, err = w.poll(ctx, op)
	case actRead:
		r.deployment, r.err = w.Radius.GetDeployment(ctx, op.Resource)
	case actSteps:
		if r.steps, r.err = w.steps(ctx, op.Resource); errors.Is(r.err, radius.ErrNotListed) {
			r.err, r.unlisted = nil, true
		}
	case actAdopt:
		r, err = w.adoptMade(ctx)
	case actSync:
		r, err = w.sync(ctx)
	case actDepend:
		r.awaits, r.circle, err = w.depend(ctx)
	case actProbe:
		r.closed, err = w.probe(ctx)
	case actGroups:
		r.err = w.ensureGroups(ctx)
	case actSave, actRecord:
		err = w.save(ctx)
	case actPut:
		r, err = w.put(ctx)
	case actLook:
		r, err = w.look(ctx)
	case actDeleteChildren:
		r.children, err = w.deleteChildren(ctx)
	case actGather:
		r.children, err = w.gather(ctx)
	case actConfirmEmpty:
		r.children, err = w.liveChildren(ctx)
	case actDeleteDeployment:
		r.err = w.deleteDeployment(ctx)
	case actOrphan:
		err = w.orphan(ctx)
	case actRelease:
		err = w.release(ctx)
	}
	return r, err
}

// checkNewest fails if the DeploymentTemplate is gone, or is another one than the cache has shown: no
// object may be made for a template that was deleted, since nobody would delete the object, and nothing
// may be sent twice because the cache is behind.
func (w *templateWork) checkNewest(ctx context.Context) error {
	if w.newest {
		return nil
	}
	live := &metav1.PartialObjectMetadata{}
	live.SetGroupVersionKind(v1alpha3.GroupVersion.WithKind("DeploymentTemplate"))
	if err := w.Live.Get(ctx, client.ObjectKeyFromObject(w.dt), live); client.IgnoreNotFound(err) != nil {
		return err
	}
	if live.UID != w.dt.UID || live.ResourceVersion != w.dt.ResourceVersion {
		return apierrors.NewConflict(schema.GroupResource{Group: v1alpha3.GroupVersion.Group, Resource: "deploymenttemplates"}, w.dt.Name,
			errors.New("the cache is behind"))
	}
	w.newest = true
	return nil
}
