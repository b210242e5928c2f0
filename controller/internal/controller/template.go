package controller

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"net/http"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
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
	"github.com/radbicep/rad/controller/internal/deployment"
	"github.com/radbicep/rad/controller/internal/radius"
	"github.com/radbicep/rad/controller/internal/resourceid"
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
		return ctrl.Result{RequeueAfter: jittered(blockedDelay)}, nil
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
		suspended: isSuspended(dt), orphan: isOrphan(dt), request: annotation(dt, v1alpha3.ReconcileRequestAnnotation),
		redeploy: annotation(dt, v1alpha3.RedeployRequestAnnotation), confirm: annotation(dt, v1alpha3.ConfirmDeletionAnnotation),
		accepts: acceptsUnreadable(dt), status: asSaved(&dt.Status), pollLimit: r.Options.PollInterval,
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
			w.mem.nextLook = s.now.Add(jittered(interval))
		}
		s.lookDue = !s.now.Before(w.mem.nextLook)
	}
	s.blindSince = w.mem.blindSince
	var list v1alpha3.DeploymentResourceList
	if err := r.Client.List(ctx, &list, client.InNamespace(dt.Namespace), client.MatchingFields{indexOwner: string(dt.UID)}, client.UnsafeDisableDeepCopy); err != nil {
		return nil, err
	}
	s.children = childrenOf(list.Items, dt)
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

// childrenOf are the objects of a list that a DeploymentTemplate owns, in the order of deletion.
func childrenOf(items []v1alpha3.DeploymentResource, dt *v1alpha3.DeploymentTemplate) []child {
	var children []child
	for i := range items {
		dr := &items[i]
		if ownerUID(dr) != dt.UID {
			continue
		}
		children = append(children, newChild(dr))
	}
	sortChildren(children)
	return children
}

func newChild(dr *v1alpha3.DeploymentResource) child {
	c := child{name: dr.Name, id: dr.Spec.ID, deleting: !dr.DeletionTimestamp.IsZero(), phrase: dr.Status.Phrase, version: dr.Spec.APIVersion}
	if c.deleting && (dr.Status.Phrase == v1alpha3.DeploymentResourcePhraseFailed || dr.Status.Phrase == v1alpha3.DeploymentResourcePhraseDeleting) {
		c.message = dr.Status.Message
	}
	c.loose = !controllerutil.ContainsFinalizer(dr, v1alpha3.DeploymentResourceFinalizer)
	c.labelled = dr.Labels[v1alpha3.ResourceHashLabel] != "" && dr.Annotations[v1alpha3.OwnerNameAnnotation] != ""
	c.unowned = metav1.GetControllerOf(dr) == nil
	c.dropped = dr.Annotations[v1alpha3.DroppedAnnotation]
	if id, err := resourceid.Parse(dr.Spec.ID); err == nil {
		c.rank = id.Rank()
	}
	return c
}

func sortChildren(children []child) {
	sort.Slice(children, func(i, j int) bool {
		if children[i].rank != children[j].rank {
			return children[i].rank < children[j].rank
		}
		return children[i].name < children[j].name
	})
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
		w.mem.nextLook = s.now.Add(jittered(w.Options.DriftInterval))
	}
	if !s.finalizer && s.deleting {
		return ctrl.Result{}, nil // gone
	}
	tried := s.retryWhen.set || held
	if s.status.Phrase == v1alpha3.DeploymentTemplatePhraseReady && !tried && !s.suspended && !s.deleting && w.Options.DriftInterval > 0 {
		wait = earlier(wait, max(w.mem.nextLook.Sub(s.now), time.Second))
	}
	if len(w.dt.Spec.ParametersFrom) > 0 && !s.suspended && !s.deleting {
		wait = earlier(wait, jittered(sourceInterval))
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
	return ctrl.Result{RequeueAfter: jittered(blockedDelay)}, nil
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
func (w *templateWork) perform(ctx context.Context, a action) (result, error) {
	s, op := w.state, w.state.status.Operation
	var r result
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
		return r, w.own(ctx)
	case actPoll:
		return w.poll(ctx, op)
	case actRead:
		r.deployment, r.err = w.Radius.GetDeployment(ctx, op.Resource)
	case actSteps:
		if r.steps, r.err = w.steps(ctx, op.Resource); errors.Is(r.err, radius.ErrNotListed) {
			r.err, r.unlisted = nil, true
		}
	case actAdopt:
		var err error
		if r.children, r.shared, err = w.adopt(ctx, s.outputs, nil); err != nil {
			return r, err
		}
		if s.unlisted && s.stage == stageAdopt {
			if err := w.forgetDropped(ctx, r.children); err != nil {
				return r, err
			}
		}
		// Objects that were made for steps go, if the steps made nothing.
		r.children, err = w.prune(ctx, r.children, union(union(s.outputs, s.status.OutputResources), s.status.ObsoleteResources))
		return r, err
	case actSync:
		var err error
		if r.children, r.shared, err = w.adopt(ctx, s.outputs, minus(s.childless(), s.outputs)); err != nil {
			return r, err
		}
		if err := w.forgetDropped(ctx, r.children); err != nil {
			return r, err
		}
		r.children, err = w.prune(ctx, r.children, s.outputs)
		return r, err
	case actProbe:
		var err error
		r.closed, err = w.probe(ctx)
		return r, err
	case actGroups:
		for _, g := range s.desired.Groups {
			if r.err = w.Radius.EnsureGroup(ctx, g); r.err != nil {
				break
			}
		}
	case actSave, actRecord:
		return r, w.save(ctx)
	case actPut:
		// A copy of before the last status was saved may say that it is not known whether the request was taken.
		if err := w.checkNewest(ctx); err != nil {
			return r, err
		}
		w.mem.dropped = map[string]string{}
		for _, c := range s.children {
			w.mem.dropped[c.name] = c.dropped
		}
		sent, err := deployment.New(w.dt, w.Options.Deployments, w.from.values) // the body is not remembered
		if err != nil {
			return r, err
		}
		r.progress, r.err = w.Radius.PutDeployment(ctx, op.Resource, sent.Body)
	case actLook:
		return w.look(ctx)
	case actDeleteChildren:
		var err error
		keep := []string(nil)
		if !s.deleting {
			keep = s.status.OutputResources
		}
		r.children, err = w.prune(ctx, s.children, keep)
		return r, err
	case actGather:
		var err error
		r.children = s.children
		if ids := s.childless(); len(ids) > 0 {
			r.children, _, err = w.adopt(ctx, ids, nil)
		}
		return r, err
	case actConfirmEmpty:
		var err error
		r.children, err = w.liveChildren(ctx)
		return r, err
	case actDeleteDeployment:
		err := w.Radius.DeleteDeployment(ctx, s.status.Resource)
		var e *radius.Error
		if errors.As(err, &e) && (e.Transient() || e.Status == http.StatusConflict) {
			r.err = err // where it cannot be deleted, it stays: it is only a record
		}
	case actOrphan:
		return r, w.orphan(ctx)
	case actRelease:
		return r, w.release(ctx)
	}
	return r, nil
}

// steps lists what a failed deployment made. What did not succeed counts only if it is there and
// broken: it may have been another's all along. With radius.ErrNotListed it returns those that Radius lists.
func (w *templateWork) steps(ctx context.Context, deploymentID string) ([]step, error) {
	listed, listErr := w.Radius.Steps(ctx, deploymentID, nil)
	if listErr != nil && !errors.Is(listErr, radius.ErrNotListed) {
		return nil, listErr
	}
	var made []step
	for _, l := range listed {
		id, err := resourceid.Parse(l.ID)
		if err != nil || id.IsScope() {
			continue
		}
		if l.State == radius.Succeeded || id.IsDeployment() {
			made = append(made, step{id: l.ID})
			continue
		}
		if !id.CanBeRead() {
			continue
		}
		res, err := readResource(ctx, w.Radius, l.ID, w.version(id))
		if err != nil {
			return nil, err
		}
		var p struct {
			ProvisioningState string `json:"provisioningState"`
		}
		if res.Exists && res.Properties(&p) == nil && p.ProvisioningState != "" && !strings.EqualFold(p.ProvisioningState, "Succeeded") {
			made = append(made, step{id: l.ID, failed: true, message: l.Error.Sentence()})
		}
	}
	return made, listErr
}

// version is the API version of a type that the template names: the one that was sent, or the one that is to be.
func (w *templateWork) version(id resourceid.ID) string {
	key := strings.ToLower(id.Type())
	if op := w.state.status.Operation; op != nil && op.APIVersions[key] != "" {
		return op.APIVersions[key]
	}
	if version := w.state.status.APIVersions[key]; version != "" {
		return version
	}
	if w.state.desired != nil {
		return w.state.desired.Versions[key]
	}
	return ""
}

// adopt makes a child for each resource that has none: for ids, and for former ones, which are not made any more,
// so that they are deleted with it. It returns all children, and says which resources objects of others hold too.
func (w *templateWork) adopt(ctx context.Context, ids, former []string) (children []child, shared []string, err error) {
	s := w.state
	children = slices.Clone(s.children)
	held, gone := map[string]int{}, map[int]bool{} // indexes of children
	for i, c := range children {
		if !c.loose {
			held[resourceid.Key(c.id)] = i
		}
	}
	var bare []resourceid.ID
	barred := ""
	failed := map[string]step{}
	for _, m := range s.made {
		if m.failed {
			failed[resourceid.Key(m.id)] = m
		}
	}
	for i, text := range slices.Concat(ids, former) {
		id, err := resourceid.Parse(text)
		if err != nil {
			log.FromContext(ctx).Info("Radius names a resource by something that is not an ID", "error", err.Error())
			continue
		}
		if id.IsScope() {
			continue
		}
		if at, ok := held[id.Key()]; ok {
			there, err := w.refresh(ctx, &children[at], id)
			if err != nil {
				return nil, nil, err
			}
			if there {
				continue
			}
			// The resource it stood for was deleted, and then made again.
			delete(held, id.Key())
			gone[at] = true
		}
		c, err := w.createChild(ctx, id)
		if why := closed(err); why != "" && (s.deleting || why == namespaceCloses && i >= len(ids)) {
			bare, barred = append(bare, id), why
			continue
		} else if why == namespaceCloses {
			continue // the template goes too, and what it recorded with it
		}
		if err != nil {
			return nil, nil, err
		}
		held[id.Key()] = len(children)
		children = append(children, c)
		others, err := w.others(ctx, id)
		if err != nil {
			return nil, nil, err
		}
		if len(others) > 0 {
			var names []string
			for _, o := range others {
				names = append(names, o.name)
			}
			shared = append(shared, fmt.Sprintf("%s was also deployed by %s; it is deleted when the last of them is", text, strings.Join(names, ", ")))
		}
	}
	if err := w.deleteBare(ctx, bare, barred); err != nil {
		return nil, nil, err
	}
	for key, i := range held {
		m, isFailed := failed[key]
		if err := w.markChild(ctx, children[i], isFailed, m.message); err != nil {
			return nil, nil, err
		}
	}
	there := children[:0]
	for i, c := range children {
		if !gone[i] {
			there = append(there, c)
		}
	}
	sortChildren(there)
	return there, shared, nil
}

// probe says why no object can be made, or "". It asks the API server to make one, and not to keep it.
func (w *templateWork) probe(ctx context.Context) (string, error) {
	dr := &v1alpha3.DeploymentResource{Spec: v1alpha3.DeploymentResourceSpec{ID: w.state.desired.ID}}
	dr.Namespace, dr.Name = w.dt.Namespace, "probe-"+strings.ToLower(string(w.dt.UID))
	err := w.Client.Create(ctx, dr, client.DryRunAll)
	return closed(err), nil // other errors will say themselves what they are
}

// deleteBare deletes recorded resources that are to go, and for which no object can be made any more. Nobody waits for the end. An error means that it is to be tried again.
func (w *templateWork) deleteBare(ctx context.Context, ids []resourceid.ID, why string) error {
	sort.SliceStable(ids, func(i, j int) bool { return ids[i].Rank() < ids[j].Rank() })
	for _, id := range ids {
		left := func(because string) {
			w.state.note(true, v1alpha3.EventDeletionFailed, fmt.Sprintf("%s may be left: %s, and so no object can stand for it%s", id, why, because))
		}
		if !deployment.MayTouch(id.String(), w.dt.Namespace, w.Options.Deployments.AllowedScopes) || id.IsDeployment() {
			left("")
			continue
		}
		others, err := w.others(ctx, id)
		if err == nil && len(others) > 0 {
			continue // it is deleted with the last of them
		}
		version := w.version(id)
		if err == nil && version == "" {
			version, err = w.Radius.DefaultVersion(ctx, id.PlanePath(), id.Type())
		}
		if err == nil {
			_, err = w.Radius.Delete(ctx, id.Path(), version)
		}
		var e *radius.Error
		switch {
		case err == nil:
			w.state.note(false, v1alpha3.EventResourceDeleted, fmt.Sprintf("%s: its deletion was begun; %s, and so no object can wait for the end", id, why))
		case errors.As(err, &e) && !e.Transient() && e.Status != http.StatusConflict:
			left(": " + e.Sentence())
		default:
			return err
		}
	}
	return nil
}

const (
	namespaceCloses = "the namespace is being deleted"
	crdCloses       = "the CRD of DeploymentResources is being deleted or is not there"
)

// closed says why an object cannot be made because what it would belong to is going, or "".
func closed(err error) string {
	switch {
	case apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause):
		return namespaceCloses
	case apierrors.IsMethodNotSupported(err), noKind(err), apierrors.IsForbidden(err) && strings.Contains(err.Error(), "custom resource definition is terminating"):
		return crdCloses
	}
	return ""
}

// noKind is true if the API server does not serve the kind.
func noKind(err error) bool {
	return err != nil && (apierrors.IsNotFound(err) || meta.IsNoMatchError(err))
}

// markChild says on a child whether its resource failed.
func (w *templateWork) markChild(ctx context.Context, c child, failed bool, message string) error {
	if c.deleting || failed == (c.phrase == v1alpha3.DeploymentResourcePhraseFailed) {
		return nil
	}
	dr := &v1alpha3.DeploymentResource{}
	if err := w.Live.Get(ctx, client.ObjectKey{Namespace: w.dt.Namespace, Name: c.name}, dr); err != nil {
		return client.IgnoreNotFound(err)
	}
	base := dr.DeepCopy()
	state := resourceState{now: w.state.now, generation: dr.Generation, status: &dr.Status}
	state.id, _ = resourceid.Parse(dr.Spec.ID)
	if failed {
		if message == "" {
			message = "the deployment of the resource failed"
		}
		state.say(v1alpha3.DeploymentResourcePhraseFailed, verdict{ready: metav1.ConditionFalse, reason: v1alpha3.ReasonFailed, message: message})
	} else {
		state.say(resourceDeployed())
	}
	clean(&dr.Status.Message, dr.Status.Conditions, w.mem.secrets)
	return client.IgnoreNotFound(w.patchStatus(ctx, dr, base))
}

// refresh keeps what is saved for the deletion up to date, and gives children that another
// controller made what ours have. It returns false if the child is gone, and the cache still shows it.
func (w *templateWork) refresh(ctx context.Context, c *child, id resourceid.ID) (there bool, err error) {
	if c.deleting {
		return exists(w.deployedAgain(ctx, *c))
	}
	version := w.version(id)
	if c.labelled && (version == "" || version == c.version) {
		return true, nil
	}
	dr := &v1alpha3.DeploymentResource{}
	if err := w.Live.Get(ctx, client.ObjectKey{Namespace: w.dt.Namespace, Name: c.name}, dr); err != nil {
		return exists(err)
	}
	base := dr.DeepCopy()
	w.dress(dr, id)
	if equality.Semantic.DeepEqual(base, dr) {
		return true, nil
	}
	if err := w.patch(ctx, dr, base); err != nil {
		return exists(err)
	}
	c.version, c.labelled = dr.Spec.APIVersion, true
	return true, nil
}

// own puts back the owner references of children that lost them.
func (w *templateWork) own(ctx context.Context) error {
	for _, c := range w.state.children {
		if !c.unowned {
			continue
		}
		dr := &v1alpha3.DeploymentResource{}
		if err := w.Live.Get(ctx, client.ObjectKey{Namespace: w.dt.Namespace, Name: c.name}, dr); err != nil {
			if apierrors.IsNotFound(err) {
				continue
			}
			return err
		}
		if err := w.takeBack(ctx, dr); client.IgnoreNotFound(err) != nil {
			return err
		}
	}
	return nil
}

// takeBack makes an object that has no owner any more, and was made for this template, its child again.
func (w *templateWork) takeBack(ctx context.Context, dr *v1alpha3.DeploymentResource) error {
	id, err := resourceid.Parse(dr.Spec.ID)
	uid := string(w.dt.UID)
	if err != nil || metav1.GetControllerOf(dr) != nil || dr.Labels[v1alpha3.OwnerUIDLabel] != uid || id.ObjectName(uid) != dr.Name {
		return nil
	}
	base := dr.DeepCopy()
	w.dress(dr, id)
	dr.OwnerReferences = append(dr.OwnerReferences, *ownerReference(w.dt.Name, w.dt.UID))
	return w.patch(ctx, dr, base)
}

// exists says whether there is the object of a request that ended with err.
func exists(err error) (bool, error) {
	return !apierrors.IsNotFound(err), client.IgnoreNotFound(err)
}

// deployedAgain tells a child that is being deleted that its resource was made again: what has
// been deleted so far does not count. It fails if there is no child any more.
func (w *templateWork) deployedAgain(ctx context.Context, c child) error {
	op := w.state.status.Operation
	if op == nil {
		return nil
	}
	dr := &v1alpha3.DeploymentResource{}
	if err := w.Live.Get(ctx, client.ObjectKey{Namespace: w.dt.Namespace, Name: c.name}, dr); err != nil {
		return err
	}
	base := dr.DeepCopy()
	if dr.Annotations == nil {
		dr.Annotations = map[string]string{}
	}
	dr.Annotations[v1alpha3.DeployedAgainAnnotation] = fmt.Sprintf("%d-%s", op.StartedAt.Unix(), op.Hash)
	return w.patch(ctx, dr, base)
}

// dress gives a child its labels, finalizer, class and version.
func (w *templateWork) dress(dr *v1alpha3.DeploymentResource, id resourceid.ID) {
	if dr.Labels == nil {
		dr.Labels = map[string]string{}
	}
	dr.Labels[v1alpha3.ResourceHashLabel] = resourceid.Hash(id.String())
	dr.Labels[v1alpha3.OwnerUIDLabel] = string(w.dt.UID)
	if dr.DeletionTimestamp.IsZero() {
		controllerutil.AddFinalizer(dr, v1alpha3.DeploymentResourceFinalizer)
	}
	if dr.Annotations == nil {
		dr.Annotations = map[string]string{}
	}
	dr.Annotations[v1alpha3.OwnerNameAnnotation] = w.dt.Name
	if class := w.Options.Class; class != "" {
		dr.Annotations[v1alpha3.ControllerClassAnnotation] = class
	}
	if version := w.version(id); version != "" {
		dr.Spec.APIVersion = version
	}
}

// createChild makes the object for a resource. That it exists already is not an error: the process may have ended before it was noted.
func (w *templateWork) createChild(ctx context.Context, id resourceid.ID) (child, error) {
	dr := &v1alpha3.DeploymentResource{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: w.dt.Namespace, Name: id.ObjectName(string(w.dt.UID)),
			OwnerReferences: []metav1.OwnerReference{*ownerReference(w.dt.Name, w.dt.UID)},
		},
		Spec: v1alpha3.DeploymentResourceSpec{ID: id.String()},
	}
	w.dress(dr, id)
	if err := w.checkNewest(ctx); err != nil {
		return child{}, err
	}
	err := w.Client.Create(ctx, dr)
	if apierrors.IsAlreadyExists(err) {
		existing := &v1alpha3.DeploymentResource{}
		if err := w.Live.Get(ctx, client.ObjectKeyFromObject(dr), existing); err != nil {
			return child{}, err
		}
		if err := w.takeBack(ctx, existing); err != nil {
			return child{}, err
		}
		if ownerUID(existing) != w.dt.UID || resourceid.Key(existing.Spec.ID) != id.Key() {
			return child{}, fmt.Errorf("the DeploymentResource %s exists, and is not for %s", existing.Name, id)
		}
		return newChild(existing), nil
	}
	if err != nil {
		return child{}, &refusedError{id: id, err: err}
	}
	return newChild(dr), nil
}

// refusedError means that the API server made no object for a resource.
type refusedError struct {
	id  resourceid.ID
	err error
}

func (e *refusedError) Unwrap() error { return e.err }

func (e *refusedError) Error() string {
	return fmt.Sprintf("no DeploymentResource can be made for %s: %s", e.id, cmp.Or(closed(e.err), e.err.Error()))
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

// others are the living DeploymentTemplates that deployed a resource too.
func (w *templateWork) others(ctx context.Context, id resourceid.ID) ([]rival, error) {
	var list v1alpha3.DeploymentResourceList
	if err := w.Client.List(ctx, &list, client.MatchingFields{indexID: id.Key()}, client.UnsafeDisableDeepCopy); err != nil {
		return nil, err
	}
	var found []rival
	for i := range list.Items {
		dr := &list.Items[i]
		if ownerUID(dr) == w.dt.UID || !dr.DeletionTimestamp.IsZero() {
			continue
		}
		owner, err := ownerFrom(ctx, w.Client, dr)
		if err != nil {
			return nil, err
		}
		if ownershipOf(owner, id.Key()).recorded {
			found = append(found, rival{id, nameFor(dr, w.dt.Namespace), owner.Status.DeployedAt})
		}
	}
	slices.SortFunc(found, func(a, b rival) int { return strings.Compare(a.name, b.name) })
	return slices.CompactFunc(found, func(a, b rival) bool { return a.name == b.name }), nil
}

// rivals are the others of all outputs.
func (w *templateWork) rivals(ctx context.Context) ([]rival, error) {
	var all []rival
	for _, text := range w.state.status.OutputResources {
		id, err := resourceid.Parse(text)
		if err != nil || id.IsScope() || id.IsDeployment() {
			continue
		}
		found, err := w.others(ctx, id)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// forgetDropped takes away what asked for a deployment: the one that was sent after it was seen has succeeded.
func (w *templateWork) forgetDropped(ctx context.Context, children []child) error {
	for i := range children {
		c := &children[i]
		seen := w.mem.dropped[c.name]
		if c.dropped == "" || seen == "" {
			continue
		}
		dr := &v1alpha3.DeploymentResource{}
		if err := w.Live.Get(ctx, client.ObjectKey{Namespace: w.dt.Namespace, Name: c.name}, dr); err != nil {
			if apierrors.IsNotFound(err) {
				continue
			}
			return err
		}
		if dr.Annotations[v1alpha3.DroppedAnnotation] != seen {
			continue // it has happened again
		}
		base := dr.DeepCopy()
		delete(dr.Annotations, v1alpha3.DroppedAnnotation)
		if err := w.patch(ctx, dr, base); client.IgnoreNotFound(err) != nil {
			return err
		}
		c.dropped, w.mem.undropped[c.name] = "", seen
	}
	return nil
}

// prune deletes the children that are not for one of ids, in the order of deletion.
func (w *templateWork) prune(ctx context.Context, children []child, ids []string) ([]child, error) {
	keep := map[string]bool{}
	for _, id := range ids {
		keep[resourceid.Key(id)] = true
	}
	left := slices.Clone(children)
	for i := range left {
		c := &left[i]
		if c.deleting || keep[resourceid.Key(c.id)] {
			continue
		}
		dr := &v1alpha3.DeploymentResource{ObjectMeta: metav1.ObjectMeta{Namespace: w.dt.Namespace, Name: c.name}}
		if err := w.Client.Delete(ctx, dr); client.IgnoreNotFound(err) != nil {
			return nil, err
		}
		c.deleting = true
	}
	return left, nil
}

// liveChildren asks the API server itself: the cache may not have seen the newest.
func (w *templateWork) liveChildren(ctx context.Context) ([]child, error) {
	list, err := liveNames(ctx, w.Live, w.dt.Namespace, client.MatchingLabels{v1alpha3.OwnerUIDLabel: string(w.dt.UID)})
	if err != nil {
		return nil, err
	}
	var found []v1alpha3.DeploymentResource
	for i := range list {
		dr := v1alpha3.DeploymentResource{}
		if err := w.Live.Get(ctx, client.ObjectKeyFromObject(&list[i]), &dr); client.IgnoreNotFound(err) != nil {
			return nil, err
		} else if err == nil {
			found = append(found, dr)
		}
	}
	children := childrenOf(found, w.dt)
	// Those that the controller of Radius made have no label until they are taken over.
	for _, c := range w.state.children {
		if !slices.ContainsFunc(children, func(l child) bool { return l.name == c.name }) && !c.labelled {
			children = append(children, c)
		}
	}
	sortChildren(children)
	return children, nil
}

// liveNames lists DeploymentResources as the API server has them, without spec and status.
func liveNames(ctx context.Context, live client.Reader, namespace string, labels client.MatchingLabels) ([]metav1.PartialObjectMetadata, error) {
	list := &metav1.PartialObjectMetadataList{}
	list.SetGroupVersionKind(v1alpha3.GroupVersion.WithKind("DeploymentResourceList"))
	if err := live.List(ctx, list, client.InNamespace(namespace), labels); err != nil && !noKind(err) {
		return nil, err
	}
	return list.Items, nil
}

// orphan lets the children go. Nothing is deleted in Radius.
func (w *templateWork) orphan(ctx context.Context) error {
	children, err := w.liveChildren(ctx)
	if err != nil {
		return err
	}
	for _, c := range children {
		dr := &v1alpha3.DeploymentResource{}
		if err := w.Live.Get(ctx, client.ObjectKey{Namespace: w.dt.Namespace, Name: c.name}, dr); err != nil {
			if apierrors.IsNotFound(err) {
				continue
			}
			return err
		}
		base := dr.DeepCopy()
		if controllerutil.RemoveFinalizer(dr, v1alpha3.DeploymentResourceFinalizer) {
			if err := w.patch(ctx, dr, base); client.IgnoreNotFound(err) != nil {
				return err
			}
		}
		if err := w.Client.Delete(ctx, dr); client.IgnoreNotFound(err) != nil {
			return err
		}
		w.state.note(false, v1alpha3.EventResourceOrphaned, c.id+" is left as it is, as the deletion policy says")
	}
	return nil
}

// release saves the last status, then lets the object go: what is written with the removal would be lost.
func (w *templateWork) release(ctx context.Context) error {
	s := w.state
	s.status.Operation = nil
	s.say(v1alpha3.DeploymentTemplatePhraseDeleted, verdict{generation: s.generation, ready: metav1.ConditionFalse, reason: v1alpha3.ReasonDeleted, message: "deleted"})
	if err := w.save(ctx); err != nil {
		return err
	}
	changed := w.dt.DeepCopy()
	controllerutil.RemoveFinalizer(changed, v1alpha3.DeploymentTemplateFinalizer)
	return w.patch(ctx, changed, w.dt)
}

// look looks at all outputs, and runs the checks. What was seen is remembered, so that a look
// that takes more than one reconcile goes on where it was.
func (w *templateWork) look(ctx context.Context) (result, error) {
	s := w.state
	ctx, cancel := context.WithTimeout(ctx, w.Options.ReconcileTimeout()*8/15) // what is seen is saved by the same reconcile
	defer cancel()
	pass := fmt.Sprint(s.status.StatusHash, " ", s.request, " ", s.accepts)
	if w.mem.lookedHash != pass || w.mem.looked == nil {
		w.mem.lookedHash, w.mem.looked = pass, map[string]lookedAt{}
	}
	versions := map[string]string{}
	for _, c := range s.children {
		versions[resourceid.Key(c.id)] = c.version
	}
	seen := w.mem.looked
	r := result{err: w.lookAtAll(ctx, seen, versions)}
	if ctx.Err() != nil && len(seen) > 0 {
		r.err, r.found.partial = nil, true // time is up; what was seen is kept
		return r, nil
	}
	if r.err != nil {
		return r, nil
	}
	w.mem.looked = nil
	var err error
	if r.rivals, err = w.rivals(ctx); err != nil {
		return r, err
	}
	var lost []string
	for _, id := range s.status.OutputResources {
		at := seen[resourceid.Key(id)]
		if at.readable && !at.exists {
			r.found.missing = append(r.found.missing, id)
		}
		if at.severity > r.found.severity { // of several, the worst is said
			r.found.reason, r.found.message, r.found.severity = at.reason, at.message, at.severity
		}
	}
	for _, id := range s.childless() {
		if !slices.Contains(r.found.missing, id) {
			lost = append(lost, id)
		}
	}
	if len(lost) > 0 {
		if r.children, _, err = w.adopt(ctx, lost, nil); err != nil {
			return r, err
		}
	}
	return r, nil
}

// lookAtAll looks at the outputs that are not in seen yet, several at a time, until one fails or the time is up.
func (w *templateWork) lookAtAll(ctx context.Context, seen map[string]lookedAt, versions map[string]string) error {
	var todo []string
	for _, id := range w.state.status.OutputResources {
		if _, ok := seen[resourceid.Key(id)]; !ok {
			todo = append(todo, id)
		}
	}
	var (
		mu       sync.Mutex
		wg       sync.WaitGroup
		firstErr error
		queue    = make(chan string)
	)
	for range min(w.lookWorkers, len(todo)) {
		wg.Go(func() {
			for id := range queue {
				at, err := w.lookAt(ctx, id, versions[resourceid.Key(id)])
				mu.Lock()
				if err == nil {
					seen[resourceid.Key(id)] = at
				} else if firstErr == nil {
					firstErr = err
				}
				mu.Unlock()
			}
		})
	}
	for _, id := range todo {
		mu.Lock()
		stop := firstErr != nil
		mu.Unlock()
		if stop || ctx.Err() != nil {
			break
		}
		queue <- id
	}
	close(queue)
	wg.Wait()
	return firstErr
}

// lookAt looks at one resource.
func (w *templateWork) lookAt(ctx context.Context, text, version string) (lookedAt, error) {
	id, err := resourceid.Parse(text)
	if err != nil || id.IsScope() || id.IsDeployment() {
		return lookedAt{}, nil
	}
	if version == "" {
		version = w.version(id)
	}
	res := check.Resource{ID: text, Type: id.Type()}
	if id.CanBeRead() || id.Plane() == resourceid.Azure && w.Checks.Has(id.Type()) {
		if res, err = readResource(ctx, w.Radius, text, version); err != nil {
			return lookedAt{}, err
		}
	}
	checked, err := w.Checks.Run(ctx, check.Input{
		Resource: res, Owner: w.dt, Kube: w.Live, Radius: checkReader{w.Radius}, Log: log.FromContext(ctx).WithValues("resource", text),
	})
	if err != nil {
		return lookedAt{}, err
	}
	if w.state.accepts && !res.Readable && checked.Reason() == v1alpha3.ReasonResourceNotReadable {
		checked = check.Success()
	}
	return lookedAt{exists: res.Exists, readable: res.Readable, reason: checked.Reason(), message: checked.Message(), severity: checked.Severity()}, nil
}
