package controller

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
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
	"github.com/radbicep/rad/controller/internal/resourceid"
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

	blindAfter = 5 * time.Minute // looks that fail for as long are told

	firstCheckDelay = 2 * time.Second
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
		case s.orphan && len(s.children) > 0:
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
	case stageUncertain, stageConflict, stageResult, stageLost:
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
	if op := s.status.Operation; op != nil {
		switch {
		case op.OperationKind != v1alpha3.OperationPut || op.Resource == "":
			return do(actForgetOperation) // nothing is known of it
		case op.ResumeToken == "":
			return do(actRead)
		default:
			return do(actPoll)
		}
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
	case !s.probed:
		return do(actProbe)
	case s.closed != "":
		// No object could stand for what is deployed now. The objects go one by one, and that of the template may not be the first.
		return rest(childDelay).saying(v1alpha3.DeploymentTemplatePhraseUpdating, verdict{
			generation: s.generation, ready: metav1.ConditionFalse, reason: whyNoObject(s.closed), message: "nothing is deployed: " + s.closed,
		})
	}
	return do(actGroups)
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
		v := verdict{generation: s.generation, ready: metav1.ConditionFalse, reason: cmp.Or(s.found.reason, v1alpha3.ReasonResourceNotReady), message: s.found.message}
		v.stalled = s.found.severity == check.Error
		v.reconciling = !v.stalled
		if s.found.severity == check.Info {
			v.ready = metav1.ConditionUnknown
		}
		next := rest(0).saying(v1alpha3.DeploymentTemplatePhraseUpdating, v)
		next.retry = retry{set: true, first: firstCheckDelay}
		return next
	}
	if h := s.status.Held; h != nil {
		if s.confirm == h.Token {
			return do(actDropHeld)
		}
		return rest(0).saying(v1alpha3.DeploymentTemplatePhraseUpdating, verdict{
			generation: s.generation, ready: metav1.ConditionFalse, reason: v1alpha3.ReasonOutputsUnknown, message: heldMessage(h), stalled: true,
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
	return next.saying(v1alpha3.DeploymentTemplatePhraseReady, verdict{generation: s.generation, ready: metav1.ConditionTrue, reason: v1alpha3.ReasonSucceeded, message: message})
}

// droppedByAnother is true if another template, which deployed one of the resources too, does not any more.
func (s *templateState) droppedByAnother() bool {
	return slices.ContainsFunc(s.children, func(c child) bool { return c.dropped != "" && !c.deleting })
}

// conflicts says which resources others deployed too, and who was the last: the resource is as that one says.
func (s *templateState) conflicts() (later bool, text string) {
	const most = 3
	var parts []string
	for _, r := range s.rivals {
		since := s.status.DeployedAt.Before(r.deployedAt)
		later = later || since
		switch {
		case len(parts) == most:
			parts = append(parts, "and others")
		case len(parts) > most:
		case since:
			parts = append(parts, shortName(r.id)+" was deployed by "+r.name+" since, and is as that says")
		default:
			parts = append(parts, shortName(r.id)+" was deployed by "+r.name+" before")
		}
	}
	return later, strings.Join(parts, ", ")
}

// describe lists children, with what is wrong with them.
func describe(children []child) string {
	const most = 5
	var parts []string
	for i, c := range children {
		if i == most {
			parts = append(parts, fmt.Sprintf("and %d more", len(children)-most))
			break
		}
		text := c.id
		if c.message != "" {
			text += " (" + c.message + ")"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// decideSuspended is for an object that is suspended. What is ready stays so.
func (s *templateState) decideSuspended() decision {
	if ready := s.ready(); ready != nil && ready.Status == metav1.ConditionTrue && s.status.ObservedGeneration == s.generation {
		return rest(0).saying(s.status.Phrase, verdict{generation: s.generation, ready: metav1.ConditionTrue, reason: ready.Reason, message: "deployed; suspended"})
	}
	v := verdict{generation: s.generation, ready: metav1.ConditionFalse, reason: v1alpha3.ReasonSuspended, message: "suspended by the annotation " + v1alpha3.SuspendAnnotation}
	if s.status.Operation != nil {
		v.generation = s.status.ObservedGeneration
	}
	return rest(0).saying(s.status.Phrase, v)
}

// suspendedDeletion names the ways out of a deletion that waits.
const suspendedDeletion = "nothing is deleted, because the annotation " + v1alpha3.SuspendAnnotation + " suspends it. Remove the annotation to delete what was deployed, or set " +
	orphanAnnotation + " to leave it"

// decideInvalid is for a spec that cannot be deployed.
func (s *templateState) decideInvalid() decision {
	v := verdict{generation: s.generation, ready: metav1.ConditionFalse, reason: v1alpha3.ReasonInvalidSpec, message: s.specError.Error(), stalled: true}
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
	v := verdict{generation: s.generation, ready: metav1.ConditionFalse, reason: v1alpha3.ReasonDeleting, message: "deletes what was deployed", reconciling: true}
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

// fail notes that the deployment of a hash failed.
func (s *templateState) fail(hash string, generation int64, message string) {
	f := s.status.Failure
	if f == nil || f.Hash != hash {
		f = &v1alpha3.Failure{Hash: hash}
	} else {
		f = f.DeepCopy()
	}
	f.Count++
	delay, first := maxFailDelay, firstFailDelay
	if s.passing {
		first = firstBusyDelay
	}
	if f.Count <= 8 {
		delay = first << (f.Count - 1)
	}
	f.RetryAt = metav1.NewTime(s.now.Add(min(delay, maxFailDelay)))
	if f.Count == 1 || s.status.Message != message {
		s.note(true, v1alpha3.EventDeploymentFailed, message)
	}
	s.status.Failure = f
	s.status.Operation = nil
	if s.deleting {
		s.markDeleting()
		return
	}
	s.say(v1alpha3.DeploymentTemplatePhraseFailed, verdict{
		generation: generation, ready: metav1.ConditionFalse, reason: v1alpha3.ReasonFailed, message: message, stalled: f.Count >= stalledAfter,
	})
}

// whyNoObject is the reason of a condition for what closed says.
func whyNoObject(closed string) string {
	switch closed {
	case namespaceCloses:
		return v1alpha3.ReasonNamespaceCloses
	case crdCloses:
		return v1alpha3.ReasonSchemaOutdated
	}
	return v1alpha3.ReasonObjectRefused
}

// sayRefused says that the API server makes no object for a resource. It is tried again.
func (s *templateState) sayRefused(e *refusedError) {
	v := verdict{generation: s.generation, ready: metav1.ConditionFalse, reason: whyNoObject(closed(e.err)), message: e.Error(), reconciling: true}
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
	reason := v1alpha3.ReasonRadiusUnavailable
	if ready := s.ready(); ready == nil || ready.Reason != reason {
		s.note(true, v1alpha3.EventRadiusUnavailable, message)
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

// result is what came back from an action.
type result struct {
	err        error
	progress   radius.Progress
	deployment *radius.Deployment
	steps      []step
	unlisted   bool // Radius does not list all steps
	children   []child
	shared     []string // what other objects hold too
	closed     string   // why no object can be made

	progressText string
	ended        []resourceid.ID // steps that have ended since the last poll
	pollWithin   time.Duration
	found        inspection
	rivals       []rival
}

// absorbTemplate takes in what came back from an action.
func absorbTemplate(s *templateState, a action, r result) {
	op := s.status.Operation
	switch a {
	case actAddFinalizer:
		s.finalizer = true
	case actOwn:
		s.children = slices.Clone(s.children)
		for i := range s.children {
			s.children[i].unowned = false
		}
	case actPoll:
		s.notes = append(s.notes, stepNotes(r.ended)...)
		s.progress, s.pollWithin = r.progressText, r.pollWithin
		if r.err != nil {
			s.unavailable(r.err)
			return
		}
		if r.children != nil {
			s.children = r.children
		}
		if len(r.shared) > 0 {
			s.note(true, v1alpha3.EventResourceConflict, strings.Join(r.shared, "; "))
		}
		s.absorbProgress(r.progress, stageLost)
	case actRead:
		if r.err != nil {
			s.unavailable(r.err)
			return
		}
		if s.stage == stageNone {
			s.stage = stageUncertain // there is an operation, and no answer to it was saved
		}
		s.absorbDeployment(r.deployment)
	case actSteps:
		s.made = r.steps
		if r.err != nil {
			// The operation is kept, so that the list is asked for again: what it names must not be forgotten.
			s.unavailable(r.err)
			if !s.deleting && !s.unlisted && s.stage == stageFailed {
				s.say(v1alpha3.DeploymentTemplatePhraseFailed, verdict{generation: op.Generation, ready: metav1.ConditionFalse, reason: v1alpha3.ReasonFailed, message: s.failed, reconciling: true})
			}
			return
		}
		s.outputs = s.outputs[:0]
		for _, m := range r.steps {
			s.outputs = append(s.outputs, m.id)
		}
		if f := s.status.Failure; r.unlisted && !s.unlisted && (f == nil || f.Hash != op.Hash) {
			s.note(true, v1alpha3.EventOutputsUnknown, "Radius does not list what the deployment made. What no later deployment makes stays in Radius: look there, and delete it")
		}
		if s.stage == stageFound {
			s.stage = stageMerge
			return
		}
		s.stage = stageAdopt
	case actAdopt:
		s.children, s.made = r.children, nil
		s.keepVersions()
		before := s.status.OutputResources
		s.record(union(before, s.outputs))
		if s.unlisted && s.stage == stageAdopt {
			s.hold(minus(before, s.outputs))
		}
		if s.stage == stageMerge {
			s.afterMerge()
			return
		}
		if s.unlisted {
			s.succeedUnlisted()
			return
		}
		s.stage = stageNone
		s.status.Resource = cmp.Or(s.status.Resource, op.Resource)
		s.fail(op.Hash, op.Generation, s.failed)
		if !s.deleting && s.desired != nil && s.desired.Hash == op.Hash {
			s.stop(s.status.Failure.RetryAt.Sub(s.now))
		}
	case actSync:
		s.children = r.children
		s.keepVersions()
		s.record(s.outputs)
		s.status.Held = nil
		if len(r.shared) > 0 {
			s.note(true, v1alpha3.EventResourceConflict, strings.Join(r.shared, "; "))
		}
		if former := s.status.Resource; former != "" && !strings.EqualFold(former, op.Resource) {
			s.stage = stageReplace
			return
		}
		s.succeed()
	case actDeleteDeployment:
		if r.err != nil {
			s.unavailable(r.err)
			return
		}
		if s.stage == stageReplace {
			s.succeed()
			return
		}
		s.cleaned = true
	case actProbe:
		s.probed, s.closed = true, r.closed
	case actGroups:
		s.absorbGroups(r.err)
	case actSave:
		s.stage = stageSend
	case actPut:
		s.absorbPut(r)
	case actLook:
		s.absorbLook(r)
	case actDeleteChildren, actOrphan:
		s.children = r.children
	case actGather:
		s.children, s.status.Gathered = r.children, true
	case actConfirmEmpty:
		s.children, s.confirmed = r.children, true
	case actRecord:
		s.unrecorded = false
	case actRelease:
		s.finalizer = false
		s.stop(0)
	case actForgetOperation:
		s.status.Operation = nil
	case actCapRetry:
		f := s.status.Failure.DeepCopy()
		f.RetryAt = metav1.NewTime(s.now.Add(maxFailDelay))
		s.status.Failure = f
	case actDropHeld:
		held := s.status.Held.Resources
		s.status.Held = nil
		s.record(minus(s.status.OutputResources, held))
	case actRedeploy:
		switch {
		case s.redeployAsked():
			s.reason = reasonRequest
		case s.droppedByAnother():
			s.reason = reasonDropped
		default:
			s.reason = reasonInterval
		}
		s.status.StatusHash, s.status.VerifiedHash = "", ""
	case actSettle:
		s.status.ObsoleteResources, s.status.Failure = nil, nil
	}
}

// record makes outputs the resources of the last deployment. What is not among them any more, and
// has an object yet, stays in the inventory until that object is gone.
func (s *templateState) record(outputs []string) {
	kept := make(map[string]bool, len(outputs))
	for _, id := range outputs {
		kept[resourceid.Key(id)] = true
	}
	held := make(map[string]bool, len(s.children))
	for _, c := range s.children {
		held[resourceid.Key(c.id)] = true
	}
	var obsolete []string
	for _, id := range union(s.status.ObsoleteResources, s.status.OutputResources) {
		if key := resourceid.Key(id); !kept[key] && held[key] {
			obsolete = append(obsolete, id)
		}
	}
	s.status.OutputResources, s.status.ObsoleteResources, s.unrecorded = outputs, obsolete, true
}

// keepVersions keeps the versions that were sent: a later template may not name the types any more.
func (s *templateState) keepVersions() {
	for typ, version := range s.status.Operation.APIVersions {
		if s.status.APIVersions == nil {
			s.status.APIVersions = map[string]string{}
		}
		s.status.APIVersions[typ] = version
	}
}

// absorbProgress takes in how far the operation is.
func (s *templateState) absorbProgress(p radius.Progress, lost stage) {
	op := s.status.Operation
	switch p.State {
	case radius.Running:
		op.ResumeToken = p.Token
		s.running()
	case radius.Succeeded:
		s.stage = stageResult
	case radius.Failed:
		s.setFailed(p.Error)
		s.stage = stageFailed
	case radius.Lost:
		s.stage = lost
	}
}

func (s *templateState) running() {
	op := s.status.Operation
	s.stage = stageNone
	s.status.Resource = cmp.Or(s.status.Resource, op.Resource)
	if s.deleting {
		s.markDeleting()
	} else {
		s.markUpdating(op.Generation, cmp.Or(s.progress, "deploys")+s.behind())
	}
	age := time.Duration(0)
	if op.StartedAt != nil {
		age = s.now.Sub(op.StartedAt.Time)
	}
	limit := s.pollLimit
	if s.pollWithin > 0 {
		limit = min(limit, s.pollWithin)
	}
	s.stop(radius.PollDelay(age, limit))
}

// behind tells of an edit that waits for the end of the deployment.
func (s *templateState) behind() string {
	switch {
	case s.desired != nil && s.desired.Hash == s.status.Operation.Hash:
		return ""
	case s.desired != nil:
		return fmt.Sprintf("; generation %d is deployed after it", s.generation)
	}
	return fmt.Sprintf("; generation %d cannot be deployed after it: %s", s.generation, s.specError)
}

func (s *templateState) setFailed(e *radius.ServiceError) {
	s.unlisted = false
	s.passing = e.Transient()
	s.failed = cmp.Or(e.Sentence(), "the deployment failed; Radius does not say why")
	if op := s.status.Operation; op.Secrets && !s.knowsSent {
		s.failed = "the deployment failed; what Radius says is withheld, because it may hold a secret of the former parameters"
	}
}

// absorbDeployment takes in the deployment that was read.
func (s *templateState) absorbDeployment(d *radius.Deployment) {
	op := s.status.Operation
	same := !s.deleting && s.desired != nil && op.Hash == s.desired.Hash && strings.EqualFold(op.Resource, s.desired.ID)
	from := s.stage
	another := (from == stageUncertain || from == stageConflict) && !op.First // it may be that of another spec
	if d == nil {
		if from == stageResult || from == stageLost {
			s.noteForgotten()
		}
		switch {
		case from == stageUncertain && same:
			s.stage = stageSend // it never arrived
		case from == stageUncertain || s.deleting:
			s.stage, s.status.Operation = stageNone, nil
		case from == stageConflict:
			s.unavailable(errors.New("Radius said that a deployment runs, and does not know it"))
		default:
			s.lose()
		}
		return
	}
	s.status.Resource = cmp.Or(s.status.Resource, op.Resource) // it is deleted with the object
	switch d.State {
	case radius.Running:
		if from == stageConflict && another {
			op.Hash = ""
		}
		op.ResumeToken = radius.DeploymentToken(op.Resource)
		s.running()
	case radius.Succeeded:
		s.outputs = d.Outputs
		switch {
		case another && d.Lists:
			s.stage = stageMerge
		case another:
			s.stage = stageFound
		default:
			s.stage = stageSync
			// A template without resources has nothing to list.
			if s.unlisted = !d.Lists && len(op.APIVersions) > 0; s.unlisted {
				s.stage = stageFailed // what it did is listed, as that of a failed one is
			}
		}
	case radius.Failed:
		if another {
			s.stage = stageFound // its failure says nothing of this spec, and it may have made something
			return
		}
		s.setFailed(d.Error)
		s.stage = stageFailed
	}
}

// noteForgotten tells the user that what the deployment made is not known. It names what was seen to begin.
func (s *templateState) noteForgotten() {
	recorded := map[string]bool{}
	for _, id := range union(s.status.OutputResources, s.status.ObsoleteResources) {
		recorded[resourceid.Key(id)] = true
	}
	begun := slices.DeleteFunc(slices.Clone(s.children), func(c child) bool { return recorded[resourceid.Key(c.id)] || c.loose })
	text := "Radius has lost the record of the deployment and of what it made. What no later deployment makes stays in Radius: look there, and delete it"
	if len(begun) > 0 {
		text += ". It had begun with: " + describe(begun)
	}
	s.note(true, v1alpha3.EventOutputsUnknown, text)
}

// lose notes that nothing is known of a deployment that Radius had taken.
func (s *templateState) lose() {
	op := s.status.Operation
	s.stage = stageNone
	if f := s.status.Failure; f == nil || f.Hash != op.Hash {
		// It is sent again at once, but only the first time.
		s.status.Failure = &v1alpha3.Failure{Hash: op.Hash, Count: 1, RetryAt: metav1.NewTime(s.now)}
		s.status.Operation = nil
		return
	}
	s.fail(op.Hash, op.Generation, "Radius lost the deployment: it knows neither the operation nor the deployment")
}

// afterMerge goes on after the deployment that was found need not be the one that was sent.
func (s *templateState) afterMerge() {
	op := s.status.Operation
	if s.sent {
		s.stage = stageNone
		s.unavailable(errors.New("Radius refused the deployment, because another of the same name was running"))
		return
	}
	if !s.deleting && s.desired != nil && op.Hash == s.desired.Hash && strings.EqualFold(op.Resource, s.desired.ID) {
		s.sendAgain()
		return
	}
	s.stage, s.status.Operation = stageNone, nil
}

// sendAgain sends a deployment in the place of one that was found. Radius keeps one record under the name, so what
// the one that was found made is saved before: nobody can read it later. The later time tells the objects of resources
// that are being deleted that the resources are made once more.
func (s *templateState) sendAgain() {
	op := s.status.Operation.DeepCopy()
	started := s.now
	if op.StartedAt != nil && started.Unix() == op.StartedAt.Unix() {
		started = op.StartedAt.Add(time.Second) // it is saved in whole seconds
	}
	at := metav1.NewTime(started)
	op.StartedAt = &at
	s.status.Operation, s.stage = op, stageIntent
}

// hold keeps resources that a deployment which succeeded did not list. An answer that leaves out the
// list must not delete everything.
func (s *templateState) hold(vanished []string) {
	s.status.Held = nil
	if len(vanished) == 0 {
		if len(s.outputs) == 0 {
			s.note(true, v1alpha3.EventOutputsUnknown, "the deployment succeeded, and Radius did not say what it made")
		}
		return
	}
	op := s.status.Operation
	started := int64(0)
	if op.StartedAt != nil {
		started = op.StartedAt.Unix()
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", op.Hash, started))
	s.status.Held = &v1alpha3.HeldResources{Token: hex.EncodeToString(sum[:6]), Resources: vanished}
	s.note(true, v1alpha3.EventOutputsUnknown, heldMessage(s.status.Held))
}

func heldMessage(h *v1alpha3.HeldResources) string {
	held := make([]child, len(h.Resources))
	for i, id := range h.Resources {
		held[i].id = id
	}
	return fmt.Sprintf("the deployment succeeded, and Radius did not say what it made; kept from the one before: %s. To delete what is kept, set the annotation %s to %q",
		describe(held), v1alpha3.ConfirmDeletionAnnotation, h.Token)
}

// succeedUnlisted notes that a deployment succeeded which did not list what it made.
func (s *templateState) succeedUnlisted() {
	if former := s.status.Resource; former != "" && !strings.EqualFold(former, s.status.Operation.Resource) {
		s.stage = stageReplace
		return
	}
	s.succeed()
}

// minus is a without what is in b.
func minus(a, b []string) []string {
	drop := make(map[string]bool, len(b))
	for _, id := range b {
		drop[resourceid.Key(id)] = true
	}
	return slices.DeleteFunc(slices.Clone(a), func(id string) bool { return drop[resourceid.Key(id)] })
}

// succeed notes that the operation has done what was asked.
func (s *templateState) succeed() {
	op := s.status.Operation
	s.stage = stageNone
	s.status.StatusHash = op.Hash
	s.status.VerifiedHash = ""
	now := metav1.NewTime(s.now)
	s.status.DeployedAt = &now
	s.status.Resource = op.Resource
	s.status.Operation = nil
	s.status.Failure = nil
	s.looked = false
	if op.Reason == reasonDrift {
		s.note(false, v1alpha3.EventDriftRepaired, "deployed again, because resources were missing")
	} else {
		s.note(false, v1alpha3.EventDeploymentSucceeded, fmt.Sprintf("deployed; %d resources", len(s.status.OutputResources)))
	}
	if s.deleting {
		s.markDeleting()
		return
	}
	// Until the resources are looked at, this is all that is known.
	s.markUpdating(op.Generation, "deployed; looks at the resources")
}

// Reasons of a deployment that sends what was deployed before.
const (
	reasonDrift    = "drift"    // it brings back what was deleted behind its back
	reasonRequest  = "request"  // a user wants it
	reasonInterval = "interval" // the spec wants it from time to time
	reasonDropped  = "dropped"  // another template that deployed a resource too does not any more
)

// whyAgain says a reason in words.
var whyAgain = map[string]string{
	reasonRequest:  ", because the annotation " + v1alpha3.RedeployRequestAnnotation + " asks for it",
	reasonInterval: ", because spec.redeployInterval has passed",
	reasonDropped:  ", because another DeploymentTemplate that deployed one of its resources does not any more",
}

func (s *templateState) absorbGroups(err error) {
	if err != nil {
		var e *radius.Error
		if errors.As(err, &e) && !e.Transient() {
			s.stage = stageNone
			s.fail(s.desired.Hash, s.generation, e.Sentence())
			s.stop(s.status.Failure.RetryAt.Sub(s.now))
			return
		}
		s.unavailable(err)
		return
	}
	started := metav1.NewTime(s.now)
	op := &v1alpha3.ResourceOperation{
		OperationKind: v1alpha3.OperationPut, StartedAt: &started, Hash: s.desired.Hash, Generation: s.generation,
		Resource: s.desired.ID, First: s.status.Failure == nil && !strings.EqualFold(s.status.Resource, s.desired.ID), Secrets: s.desired.HasSecrets, APIVersions: s.desired.Versions,
	}
	op.Reason = s.reason
	if s.found.missing != nil {
		op.Reason = reasonDrift
	} else if s.reason != "" {
		s.note(false, v1alpha3.EventDeploymentStarted, fmt.Sprintf("deploys generation %d again%s", s.generation, whyAgain[s.reason]))
	} else if f := s.status.Failure; f == nil || f.Hash != s.desired.Hash {
		s.note(false, v1alpha3.EventDeploymentStarted, fmt.Sprintf("deploys generation %d", s.generation))
	}
	s.status.Operation = op
	s.status.LastHandledReconcileAt, s.status.LastHandledRedeployAt = s.request, s.redeploy
	s.knowsSent = true
	s.markUpdating(s.generation, "deploys")
	s.stage = stageIntent
}

func (s *templateState) absorbPut(r result) {
	op := s.status.Operation
	s.sent = true
	var e *radius.Error
	switch {
	case r.err == nil:
		if r.progress.State == radius.Running {
			op.ResumeToken = r.progress.Token
			s.status.Resource = cmp.Or(s.status.Resource, op.Resource)
			s.running()
			return
		}
		s.absorbProgress(r.progress, stageLost)
	case errors.As(r.err, &e) && e.Transient():
		// It may have arrived. The operation stays without a token, and the deployment is read first.
		s.unavailable(r.err)
	case errors.As(r.err, &e) && e.Status == 409:
		s.stage = stageConflict
	case errors.As(r.err, &e):
		s.setFailed(&radius.ServiceError{Message: e.Sentence()})
		s.stage = stageNone
		s.fail(op.Hash, op.Generation, s.failed)
		if !s.deleting {
			s.stop(s.status.Failure.RetryAt.Sub(s.now))
		}
	default:
		s.unavailable(r.err)
	}
}

func (s *templateState) absorbLook(r result) {
	if len(r.children) > 0 {
		s.children = r.children
	}
	if r.err != nil {
		s.retryWhen.set = true
		message := r.err.Error()
		var e *radius.Error
		if errors.As(r.err, &e) {
			message, s.retryWhen.after = e.Sentence(), e.RetryAfter
		}
		s.stop(0)
		if s.status.VerifiedHash == s.status.StatusHash {
			s.blind(message)
		} else {
			s.say(v1alpha3.DeploymentTemplatePhraseUpdating, verdict{generation: s.generation, ready: metav1.ConditionUnknown, reason: v1alpha3.ReasonCheckFailed, message: message, reconciling: true})
		}
		return
	}
	if r.found.partial {
		s.stop(10 * time.Millisecond)
		return
	}
	s.blindSince = time.Time{}
	meta.RemoveStatusCondition(&s.status.Conditions, v1alpha3.ConditionObserved)
	repair := s.lookWanted() && len(r.found.missing) > 0
	s.looked, s.lookSpent, s.lookDue = true, s.lookDue || r.found.reason == "", false
	s.found, s.rivals = r.found, r.rivals
	s.status.LastHandledReconcileAt = s.request
	if repair {
		s.status.StatusHash, s.status.VerifiedHash = "", ""
		return
	}
	s.found.missing = nil
	if r.found.reason != "" {
		s.status.VerifiedHash = ""
		return
	}
	s.status.VerifiedHash = s.status.StatusHash
}

// blind notes that what is ready could not be looked at. It stays ready: nothing is known to have changed.
func (s *templateState) blind(message string) {
	if s.blindSince.IsZero() {
		s.blindSince = s.now
	}
	if s.now.Sub(s.blindSince) < blindAfter || meta.FindStatusCondition(s.status.Conditions, v1alpha3.ConditionObserved) != nil {
		return
	}
	message = "since " + s.blindSince.UTC().Format(time.RFC3339) + " the resources could not be looked at: " + message
	s.note(true, v1alpha3.EventRadiusUnavailable, message)
	meta.SetStatusCondition(&s.status.Conditions, metav1.Condition{Type: v1alpha3.ConditionObserved, Status: metav1.ConditionFalse,
		Reason: v1alpha3.ReasonRadiusUnavailable, Message: message, ObservedGeneration: s.generation, LastTransitionTime: metav1.NewTime(s.now)})
}

// union is a with what of b is not in it.
func union(a, b []string) []string {
	have := map[string]bool{}
	all := slices.Clone(a)
	for _, id := range a {
		have[resourceid.Key(id)] = true
	}
	for _, id := range b {
		if key := resourceid.Key(id); !have[key] {
			have[key] = true
			all = append(all, id)
		}
	}
	return all
}
