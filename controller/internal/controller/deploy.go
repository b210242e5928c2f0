package controller

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/internal/deployment"
	"github.com/radbicep/rad/controller/internal/radius"
	"github.com/radbicep/rad/controller/internal/resourceid"
)

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
		if !id.CanBeRead() && !(w.Options.AzureReads && id.Plane() == resourceid.Azure) {
			continue
		}
		res, err := reader{w.Radius, w.Options, w.dt.Namespace}.Read(ctx, l.ID, w.version(id))
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
		generation: generation, ready: metav1.ConditionFalse, reason: s.whyFailed(), message: message, stalled: f.Count >= stalledAfter,
	})
}

// whyFailed is the reason of a failure: what is not waited for any more has not failed.
func (s *templateState) whyFailed() string {
	if s.abandoned {
		return v1alpha3.ReasonOperationTimedOut
	}
	return v1alpha3.ReasonFailed
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
	if s.timedOut() && !s.deleting {
		s.sayTimedOut()
	}
}

// sayTimedOut says that the deployment does not end. It is asked for now and then: a late end is taken.
func (s *templateState) sayTimedOut() {
	op := s.status.Operation
	v := verdict{generation: op.Generation, ready: metav1.ConditionFalse, reason: v1alpha3.ReasonOperationTimedOut, stalled: true,
		message: fmt.Sprintf("%s: it has not ended in %s. A new spec, a request and a deletion do not wait for it any more",
			s.status.Message, s.timeout)}
	if !s.hung {
		s.note(true, v1alpha3.EventOperationTimedOut, v.message)
	}
	s.say(v1alpha3.DeploymentTemplatePhraseUpdating, v)
	s.stop(hangDelay)
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

// runsOn stands before the hash of a failure whose deployment is not waited for any more: what is found running may be that one.
const runsOn = "runs on: "

// runsOn is true if the deployment before may run on, and is not waited for.
func (s *templateState) runsOn() bool {
	return s.status.Failure != nil && strings.HasPrefix(s.status.Failure.Hash, runsOn)
}

// absorbRead takes in the deployment that was read.
func (s *templateState) absorbRead(r result) {
	if r.err != nil {
		s.unavailable(r.err)
		return
	}
	if s.stage == stageNone {
		s.stage = stageUncertain // there is an operation, and no answer to it was saved
	}
	op, d := s.status.Operation, r.deployment
	same := !s.deleting && s.desired != nil && op.Hash == s.desired.Hash && strings.EqualFold(op.Resource, s.desired.ID)
	from := s.stage
	another := from == stageFormer || (from == stageUncertain || from == stageConflict) && !op.First // it may be that of another spec
	if from == stageFormer && (d == nil || d.State == radius.Running) {
		s.stage = stageSend
		return
	}
	if d == nil {
		if from == stageResult || from == stageLost {
			s.noteForgotten()
		}
		switch {
		case from == stageUncertain && same:
			s.stage = stageSend // it never arrived
			if op.StartedAt != nil && s.now.Sub(op.StartedAt.Time) > time.Minute {
				s.sendAgain() // it begins now, after an outage of Radius, for example
			}
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
		if another && (from == stageConflict || s.runsOn()) {
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
	s.noteUnknown("Radius has lost the record of the deployment and of what it made. " +
		"What no later deployment makes stays in Radius: look there, and delete it")
}

// noteUnknown tells the user that it is not known what a deployment made, and names what was seen to begin.
func (s *templateState) noteUnknown(text string) {
	recorded := map[string]bool{}
	for _, id := range union(s.status.OutputResources, s.status.ObsoleteResources) {
		recorded[resourceid.Key(id)] = true
	}
	begun := slices.DeleteFunc(slices.Clone(s.children), func(c child) bool { return recorded[resourceid.Key(c.id)] || c.loose })
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
	return fmt.Sprintf("the deployment succeeded, and Radius did not say what it made; kept from the one before: %s. "+
		"To delete what is kept, set the annotation %s to %q",
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
		Resource: s.desired.ID,
		First:    s.status.Failure == nil && !strings.EqualFold(s.status.Resource, s.desired.ID),
		Secrets:  s.desired.HasSecrets, APIVersions: s.desired.Versions,
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
		s.progress = "waits for a deployment that runs: " + e.Sentence()
		s.note(false, v1alpha3.EventDeploymentStarted, s.progress)
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

// step is a resource that a deployment which failed had begun to make.
type step struct {
	id      string
	failed  bool
	message string
}

// poll asks how far the deployment is: one request for its steps, and one for the operation when no step
// runs, and now and then. New steps are given objects.
func (w *templateWork) poll(ctx context.Context, op *v1alpha3.ResourceOperation) (result, error) {
	s := w.state
	var r result
	p := w.mem.progressOf(op)
	p.polls++
	running := false
	if p.empty < maxEmpty {
		listed, err := w.Radius.Steps(ctx, op.Resource, p.modules)
		if err == nil || errors.Is(err, radius.ErrNotListed) {
			fresh := p.polls == 1 && op.StartedAt != nil && s.now.Sub(op.StartedAt.Time) > stepsDelay
			ended := p.see(listed, s.now)
			if !fresh && !s.deleting {
				r.ended = ended
			}
			running = p.runs()
			r.progressText = p.text(s.now, w.total(op))
			r.pollWithin = p.delay(s.now)
		}
	}
	if !running || p.polls%askEvery == 0 {
		r.progress, r.err = w.Radius.Poll(ctx, op.ResumeToken)
	} else {
		r.progress = radius.Progress{State: radius.Running, Token: op.ResumeToken}
	}
	if missing := p.without(s.children); !s.deleting && len(missing) > 0 && r.err == nil && r.progress.State == radius.Running {
		var err error
		if r.children, r.shared, err = w.adopt(ctx, missing, nil); err != nil {
			return r, err
		}
	}
	return r, nil
}

// total is how many resources the deployment makes, or 0 if that is not known.
func (w *templateWork) total(op *v1alpha3.ResourceOperation) int {
	if d := w.state.desired; d != nil && d.Hash == op.Hash {
		return d.Resources
	}
	return 0
}

// absorbPoll takes in how far the deployment is.
func (s *templateState) absorbPoll(r result) {
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
}

// absorbSteps takes in what a deployment did.
func (s *templateState) absorbSteps(r result) {
	op := s.status.Operation
	s.made = r.steps
	if r.err != nil {
		// The operation is kept, so that the list is asked for again: what it names must not be forgotten.
		s.unavailable(r.err)
		if !s.deleting && !s.unlisted && s.stage == stageFailed {
			s.say(v1alpha3.DeploymentTemplatePhraseFailed, verdict{
				generation: op.Generation, ready: metav1.ConditionFalse, reason: s.whyFailed(),
				message: s.failed, reconciling: true,
			})
		}
		return
	}
	s.outputs = s.outputs[:0]
	for _, m := range r.steps {
		s.outputs = append(s.outputs, m.id)
	}
	if f := s.status.Failure; r.unlisted && !s.unlisted && (f == nil || f.Hash != op.Hash) {
		s.note(true, v1alpha3.EventOutputsUnknown,
			"Radius does not list what the deployment made. "+
				"What no later deployment makes stays in Radius: look there, and delete it")
	}
	if s.stage == stageFound {
		s.stage = stageMerge
		return
	}
	s.stage = stageAdopt
}

// absorbAdopt goes on when what a failed or unknown deployment made has objects.
func (s *templateState) absorbAdopt(r result) {
	op := s.status.Operation
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
	abandoned, hash := s.abandoned, op.Hash
	if abandoned {
		hash, s.former = runsOn+hash, true
		s.noteUnknown("the deployment runs on in Radius, and is not waited for any more. " +
			"What it still makes, no DeploymentResource stands for: look there when it has ended")
	}
	s.fail(hash, op.Generation, s.failed)
	s.abandoned = false
	if !abandoned && !s.deleting && s.desired != nil && s.desired.Hash == op.Hash {
		s.stop(s.status.Failure.RetryAt.Sub(s.now))
	}
}

// absorbSync goes on when the objects are equal to the outputs.
func (s *templateState) absorbSync(r result) {
	op := s.status.Operation
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
}

// sendOnce makes what is deployed be sent once more, and keeps why.
func (s *templateState) sendOnce() {
	switch {
	case s.redeployAsked():
		s.reason = reasonRequest
	case s.droppedByAnother():
		s.reason = reasonDropped
	default:
		s.reason = reasonInterval
	}
	s.forget()
}

// again stands before the hash of what is deployed and is to be sent once more. It does not wait for what it depends on.
const again = "again: "

// forget makes what is deployed count as not deployed.
func (s *templateState) forget() {
	s.status.StatusHash, s.status.VerifiedHash = again+s.status.StatusHash, ""
}

// adoptMade makes children for what a failed or unknown deployment made.
func (w *templateWork) adoptMade(ctx context.Context) (r result, err error) {
	s := w.state
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
}

// sync makes the children equal to the outputs.
func (w *templateWork) sync(ctx context.Context) (r result, err error) {
	s := w.state
	if r.children, r.shared, err = w.adopt(ctx, s.outputs, minus(s.childless(), s.outputs)); err != nil {
		return r, err
	}
	if err := w.forgetDropped(ctx, r.children); err != nil {
		return r, err
	}
	r.children, err = w.prune(ctx, r.children, s.outputs)
	return r, err
}

// ensureGroups makes the resource groups that are not there.
func (w *templateWork) ensureGroups(ctx context.Context) error {
	for _, g := range w.state.desired.Groups {
		if err := w.Radius.EnsureGroup(ctx, g); err != nil {
			return err
		}
	}
	return nil
}

// put sends the deployment.
func (w *templateWork) put(ctx context.Context) (r result, err error) {
	// A copy of before the last status was saved may say that it is not known whether the request was taken.
	if err := w.checkNewest(ctx); err != nil {
		return r, err
	}
	w.mem.dropped = map[string]string{}
	for _, c := range w.state.children {
		w.mem.dropped[c.name] = c.dropped
	}
	sent, err := deployment.New(w.dt, w.Options.Deployments, w.from.values) // the body is not remembered
	if err != nil {
		return r, err
	}
	r.progress, r.err = w.Radius.PutDeployment(ctx, w.state.status.Operation.Resource, sent.Body)
	return r, nil
}
