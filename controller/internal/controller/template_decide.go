package controller

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/check"
	"github.com/radbicep/rad/controller/internal/deployment"
	"github.com/radbicep/rad/controller/internal/radius"
)

// action is what is to be done next.
type action int

const (
	actWait             action = iota
	actAddFinalizer            // to the DeploymentTemplate
	actOwn                     // put back the owner references of children
	actPoll                    // ask how far the operation is
	actRead                    // read the deployment
	actSteps                   // list what the deployment did
	actAdopt                   // make children for what a failed or unknown deployment made
	actSync                    // make children for the outputs, and delete the others
	actProbe                   // ask the API server whether objects can be made
	actDepend                  // look at what spec.dependsOn names
	actGroups                  // make the resource groups
	actSave                    // save the status, or meet a conflict
	actRecord                  // save the inventory, before objects that it gives the right to delete are deleted
	actPut                     // send the deployment
	actLook                    // look at the outputs
	actDeleteChildren          // delete the children that are left
	actGather                  // make children for outputs that have none
	actConfirmEmpty            // ask the API server whether there are children
	actDeleteDeployment        // delete the deployment object
	actOrphan                  // let the children go without a request
	actRelease                 // remove the finalizer

	// These ask nobody. They only change what is known.
	actForgetOperation // it is another program's
	actCapRetry        // the next try is so far ahead that it was written with a wrong clock
	actDropHeld        // the user has confirmed that what is held may be deleted
	actSettle          // nothing is left of earlier deployments
	actAbandon         // the operation does not end, and is not waited for any more
	actRedeploy        // what is deployed is to be sent again
)

// asksRadius is true of actions that send requests to Radius.
func (a action) asksRadius() bool {
	switch a {
	case actPoll, actRead, actSteps, actGroups, actPut, actLook, actDeleteDeployment:
		return true
	}
	return false
}

// Delays.
const (
	childDelay     = 5 * time.Second // children wake their owner; this is for the case that they do not
	firstFailDelay = 30 * time.Second
	firstBusyDelay = 5 * time.Second // of failures that pass by themselves
	maxFailDelay   = 10 * time.Minute
	stalledAfter   = 3 // equal failures

	hangDelay  = 10 * time.Minute // between two polls of an operation that does not end
	blindAfter = 5 * time.Minute  // looks that fail for as long are told

	firstCheckDelay = 2 * time.Second
	firstLateDelay  = time.Minute // of what passes only if somebody acts
	maxLateDelay    = 10 * time.Minute
	firstRetryDelay = 500 * time.Millisecond
	maxRetryDelay   = 30 * time.Second
)

// decision is what is to be done next, and what is said before. It is a value: take carries it into the state.
type decision struct {
	action action
	phrase v1alpha3.DeploymentTemplatePhrase
	says   *verdict // what the status says from now on; nil leaves it
	notes  []note
	wait   time.Duration // of actWait; 0 means that only an event goes on
	retry  retry         // of actWait
}

func do(a action) decision { return decision{action: a} }

// rest waits. What is tried again waits as long as its retry says.
func rest(d time.Duration) decision { return decision{action: actWait, wait: d} }

func (d decision) saying(phrase v1alpha3.DeploymentTemplatePhrase, v verdict) decision {
	d.phrase, d.says = phrase, &v
	return d
}

// take carries a decision into the state.
func (s *templateState) take(d decision) {
	if d.says != nil {
		s.say(d.phrase, *d.says)
	}
	s.notes = append(s.notes, d.notes...)
	if d.action != actWait {
		return
	}
	s.stop(d.wait)
	if d.retry.set {
		s.retryWhen = d.retry
	}
}

// decideTemplate says what is to be done next. It is the state machine of a DeploymentTemplate:
// the first case that fits counts. It changes nothing.
func decideTemplate(s *templateState) decision {
	if s.wait != nil {
		return rest(*s.wait)
	}
	if s.deleting {
		switch {
		case !s.finalizer:
			return rest(0)
		case s.orphan && !s.confirmed:
			return do(actOrphan)
		case s.orphan:
			return do(actRelease)
		case s.suspended:
			return rest(0).saying(v1alpha3.DeploymentTemplatePhraseDeleting, verdict{
				generation: s.generation, ready: metav1.ConditionFalse, reason: v1alpha3.ReasonSuspended, message: suspendedDeletion,
			})
		}
	} else {
		if s.suspended {
			return s.decideSuspended()
		}
		if !s.finalizer {
			return do(actAddFinalizer)
		}
	}
	if slices.ContainsFunc(s.children, func(c child) bool { return c.unowned }) {
		return do(actOwn)
	}
	switch s.stage {
	case stageUncertain, stageConflict, stageResult, stageLost, stageFormer:
		return do(actRead)
	case stageFailed, stageFound:
		return do(actSteps)
	case stageAdopt, stageMerge:
		return do(actAdopt)
	case stageSync:
		return do(actSync)
	case stageReplace:
		return do(actDeleteDeployment)
	case stageIntent:
		return do(actSave)
	case stageSend:
		return do(actPut)
	}
	if s.status.Operation != nil {
		return s.decideOperation()
	}
	if s.deleting {
		return s.decideDeletion()
	}
	if s.specError != nil {
		return s.decideInvalid()
	}
	if s.status.StatusHash == s.desired.Hash {
		return s.decideDeployed()
	}
	if f := s.status.Failure; f != nil && f.Hash == s.desired.Hash && s.now.Before(f.RetryAt.Time) && !s.asked() {
		if f.RetryAt.Sub(s.now) > maxFailDelay {
			return do(actCapRetry)
		}
		return rest(f.RetryAt.Sub(s.now))
	}
	switch {
	case s.depends && !s.awaited && s.status.StatusHash != again+s.desired.Hash:
		return do(actDepend)
	case s.awaits != "":
		return s.decideWaiting()
	case !s.probed:
		return do(actProbe)
	case s.closed != "":
		// No object could stand for what is deployed now. The objects go one by one, and that of the template may not be the first.
		return rest(childDelay).saying(v1alpha3.DeploymentTemplatePhraseUpdating, verdict{
			generation: s.generation, ready: metav1.ConditionFalse,
			reason: whyNoObject(s.closed), message: "nothing is deployed: " + s.closed,
		})
	}
	return do(actGroups)
}

// decideWaiting is for a spec that waits for what it depends on. What goes in a circle ends only after a spec has changed.
func (s *templateState) decideWaiting() decision {
	next := rest(dependDelay)
	told := meta.IsStatusConditionTrue(s.status.Conditions, v1alpha3.ConditionStalled) &&
		s.ready().Reason == v1alpha3.ReasonDependencyNotReady
	if s.circle && !told {
		next.notes = []note{{true, v1alpha3.EventDependencyNotReady, s.awaits}}
	}
	return next.saying(v1alpha3.DeploymentTemplatePhraseUpdating, verdict{generation: s.generation, ready: metav1.ConditionFalse,
		reason: v1alpha3.ReasonDependencyNotReady, message: s.awaits, stalled: s.circle, reconciling: !s.circle})
}

// decideOperation is for an object with a deployment that has not ended.
func (s *templateState) decideOperation() decision {
	switch op := s.status.Operation; {
	case op.OperationKind != v1alpha3.OperationPut || op.Resource == "":
		return do(actForgetOperation) // nothing is known of it
	case op.ResumeToken == "":
		return do(actRead)
	case s.timedOut() && s.wantsOther():
		return do(actAbandon)
	}
	return do(actPoll)
}

// decideDeletion is for an object that is being deleted, when no operation runs.
func (s *templateState) decideDeletion() decision {
	if !s.status.Gathered {
		return do(actGather) // once: what has no object later had one, which is gone
	}
	next := rest(childDelay)
	switch {
	case len(s.children) > 0:
		if slices.ContainsFunc(s.children, func(c child) bool { return !c.deleting }) {
			next = s.deleteChildren()
		}
	case !s.confirmed:
		next = do(actConfirmEmpty) // the cache may not have seen the newest object
	case !s.cleaned && s.status.Resource != "":
		return do(actDeleteDeployment)
	default:
		return do(actRelease)
	}
	return next.saying(v1alpha3.DeploymentTemplatePhraseDeleting, s.deletingVerdict())
}

// deleteChildren deletes children once the right to do so is saved.
func (s *templateState) deleteChildren() decision {
	if s.unrecorded {
		return do(actRecord)
	}
	return do(actDeleteChildren)
}

// decideDeployed is for an object whose spec has been deployed.
func (s *templateState) decideDeployed() decision {
	redeployIn, redeploys := s.redeployIn()
	if redeploys && redeployIn <= 0 || s.droppedByAnother() {
		return do(actRedeploy)
	}
	verified := s.status.VerifiedHash == s.status.StatusHash
	if !s.looked && (s.lookWanted() || !verified) {
		return do(actLook)
	}
	if !verified {
		v := verdict{
			generation: s.generation, ready: metav1.ConditionFalse,
			reason: cmp.Or(s.found.reason, v1alpha3.ReasonResourceNotReady), message: s.found.message,
		}
		v.stalled = s.found.severity == check.Error
		v.reconciling = !v.stalled
		if s.found.severity == check.Info {
			v.ready = metav1.ConditionUnknown
		}
		next := rest(0).saying(v1alpha3.DeploymentTemplatePhraseUpdating, v)
		next.retry = retry{set: true, first: firstCheckDelay}
		if s.found.hidden != "" {
			next.retry.first, next.retry.most = firstLateDelay, maxLateDelay // somebody has to give a right first
		}
		return next
	}
	if h := s.status.Held; h != nil {
		if s.confirm == h.Token {
			return do(actDropHeld)
		}
		return rest(0).saying(v1alpha3.DeploymentTemplatePhraseUpdating, verdict{
			generation: s.generation, ready: metav1.ConditionFalse, reason: v1alpha3.ReasonOutputsUnknown,
			message: heldMessage(h), stalled: true,
		})
	}
	if left := s.residual(); len(left) > 0 {
		if slices.ContainsFunc(left, func(c child) bool { return !c.deleting }) {
			return s.deleteChildren()
		}
		return rest(childDelay).saying(v1alpha3.DeploymentTemplatePhraseReadyPendingCleanup, verdict{
			generation: s.generation, ready: metav1.ConditionUnknown, reason: v1alpha3.ReasonReadyPendingCleanup, reconciling: true,
			message: "deployed; waits for the deletion of what the template does not name any more: " + describe(left),
		})
	}
	if len(s.status.ObsoleteResources) > 0 && !s.confirmed {
		return do(actConfirmEmpty) // the cache may not have seen the newest object
	}
	if len(s.status.ObsoleteResources) > 0 || s.status.Failure != nil {
		return do(actSettle)
	}
	n := len(s.status.OutputResources)
	message := fmt.Sprintf("deployed; %d resources", n)
	if n == 1 {
		message = "deployed; 1 resource"
	}
	if s.accepts {
		message += "; what cannot be read is accepted, as the annotation " + v1alpha3.AcceptUnreadableAnnotation + " says"
	}
	next := rest(redeployIn)
	if later, said := s.conflicts(); said != "" {
		if ready := s.ready(); later && (ready == nil || !strings.HasSuffix(ready.Message, said)) {
			next.notes = []note{{true, v1alpha3.EventResourceConflict, said}}
		}
		message += "; " + said
	}
	return next.saying(v1alpha3.DeploymentTemplatePhraseReady, verdict{
		generation: s.generation, ready: metav1.ConditionTrue, reason: v1alpha3.ReasonSucceeded, message: message,
	})
}

// decideSuspended is for an object that is suspended. What is ready stays so.
func (s *templateState) decideSuspended() decision {
	if ready := s.ready(); ready != nil && ready.Status == metav1.ConditionTrue && s.status.ObservedGeneration == s.generation {
		return rest(0).saying(s.status.Phrase, verdict{
			generation: s.generation, ready: metav1.ConditionTrue, reason: ready.Reason, message: "deployed; suspended",
		})
	}
	v := verdict{
		generation: s.generation, ready: metav1.ConditionFalse, reason: v1alpha3.ReasonSuspended,
		message: "suspended by the annotation " + v1alpha3.SuspendAnnotation,
	}
	if s.status.Operation != nil {
		v.generation = s.status.ObservedGeneration
	}
	return rest(0).saying(s.status.Phrase, v)
}

// suspendedDeletion names the ways out of a deletion that waits.
const suspendedDeletion = "nothing is deleted, because the annotation " + v1alpha3.SuspendAnnotation + " suspends it. " +
	"Remove the annotation to delete what was deployed, or set " + orphanAnnotation + " to leave it"

// decideInvalid is for a spec that cannot be deployed.
func (s *templateState) decideInvalid() decision {
	v := verdict{
		generation: s.generation, ready: metav1.ConditionFalse, reason: v1alpha3.ReasonInvalidSpec,
		message: s.specError.Error(), stalled: true,
	}
	if errors.As(s.specError, new(*deployment.ScopeError)) {
		v.reason = v1alpha3.ReasonScopeNotAllowed
	}
	next, event := rest(0), v1alpha3.EventInvalidSpec
	phrase := v1alpha3.DeploymentTemplatePhraseFailed
	if errors.As(s.specError, new(*deployment.SourceError)) {
		// It may come without a change of the spec.
		next, event = rest(sourceDelay), v1alpha3.EventParametersUnavailable
		phrase = v1alpha3.DeploymentTemplatePhraseUpdating
		v.reason, v.stalled, v.reconciling = v1alpha3.ReasonParametersUnavailable, false, true
	}
	if ready := s.ready(); ready == nil || ready.Reason != v.reason || ready.Message != v.message {
		next.notes = []note{{true, event, v.message}}
	}
	return next.saying(phrase, v)
}

func (s *templateState) markUpdating(generation int64, message string) {
	s.say(v1alpha3.DeploymentTemplatePhraseUpdating, verdict{
		generation: generation, ready: metav1.ConditionUnknown, reason: v1alpha3.ReasonCreating, message: message, reconciling: true,
	})
}

func (s *templateState) markDeleting() {
	s.say(v1alpha3.DeploymentTemplatePhraseDeleting, s.deletingVerdict())
}

// deletingVerdict says what a deletion waits for.
func (s *templateState) deletingVerdict() verdict {
	v := verdict{
		generation: s.generation, ready: metav1.ConditionFalse, reason: v1alpha3.ReasonDeleting,
		message: "deletes what was deployed", reconciling: true,
	}
	if s.status.Operation != nil {
		v.message = "waits for the end of the running deployment"
		return v
	}
	if len(s.children) > 0 {
		v.message = "waits for the deletion of " + describe(s.children)
	}
	if slices.ContainsFunc(s.children, func(c child) bool { return c.phrase == v1alpha3.DeploymentResourcePhraseFailed }) {
		v.reason = v1alpha3.ReasonDeletionFailed
	}
	return v
}

// sayRefused says that the API server makes no object for a resource. It is tried again.
func (s *templateState) sayRefused(e *refusedError) {
	v := verdict{
		generation: s.generation, ready: metav1.ConditionFalse, reason: whyNoObject(closed(e.err)),
		message: e.Error(), reconciling: true,
	}
	if ready := s.ready(); ready == nil || ready.Reason != v.reason {
		s.note(true, v1alpha3.EventObjectRefused, v.message)
	}
	if s.deleting {
		s.say(v1alpha3.DeploymentTemplatePhraseDeleting, v)
		return
	}
	if op := s.status.Operation; op != nil {
		v.generation = op.Generation
	}
	s.say(v1alpha3.DeploymentTemplatePhraseUpdating, v)
}

// unavailable notes that Radius could not do what it was asked, for reasons that pass.
func (s *templateState) unavailable(err error) {
	var e *radius.Error
	message := err.Error()
	if errors.As(err, &e) {
		message = e.Sentence()
		s.retryWhen.after = e.RetryAfter
	}
	s.retryWhen.set = true
	s.stop(0)
	reason := unavailableReason(err)
	if ready := s.ready(); ready == nil || ready.Reason != reason {
		s.note(true, reason, message)
	}
	v := verdict{generation: s.generation, ready: metav1.ConditionFalse, reason: reason, message: message, reconciling: true}
	if s.deleting {
		v.message = s.deletingVerdict().message + "; " + message
		s.say(v1alpha3.DeploymentTemplatePhraseDeleting, v)
		return
	}
	if op := s.status.Operation; op != nil {
		v.generation = op.Generation
		if op.ResumeToken != "" {
			v.ready = metav1.ConditionUnknown // the deployment goes on whether or not it can be asked about
		}
	}
	s.say(v1alpha3.DeploymentTemplatePhraseUpdating, v)
}
