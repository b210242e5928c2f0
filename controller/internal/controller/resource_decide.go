package controller

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/internal/radius"
	"github.com/radbicep/rad/controller/internal/resourceid"
)

// resourceState is all that a decision about a DeploymentResource is made from.
type resourceState struct {
	now        time.Time
	generation int64
	deleting   bool
	finalizer  bool
	orphan     bool
	suspended  bool     // the owner is suspended
	forbidden  bool     // the scope may not be deployed to
	waitsFor   []string // siblings that must be gone first
	id         resourceid.ID
	idError    error
	version    string        // what was saved when the object was made
	again      string        // says which deployment made the resource again since the object is being deleted
	owner      ownership     // as the cache shows it, until the API server is asked
	age        time.Duration // of the object
	status     *v1alpha3.DeploymentResourceStatus
	made       time.Time // when the resource was deployed last, as far as that is known
	azureReads bool
	azureKeeps bool
	pollLimit  time.Duration
	timeout    time.Duration // after which the deletion is sent again; 0 is never

	// What follows is learned while the object is worked on.
	ownerAsked bool   // the API server was asked for the owner
	asked      bool   // who else holds the resource
	holder     string // another object that holds the resource
	versions   bool   // Radius was asked for the version
	lost       bool   // the operation is not known any more; the resource is to be read
	done       bool   // the resource is gone
	retryWhen  retry
	wait       *time.Duration
	notes      []note
}

// resourceAction is what is to be done next with a DeploymentResource.
type resourceAction int

const (
	resWait         resourceAction = iota
	resPoll                        // ask how far the deletion is
	resRead                        // read the resource
	resOwner                       // ask the API server whether the owner recorded the resource, and wants it
	resHolders                     // ask the API server who else holds the resource
	resVersion                     // ask Radius for the version of the type
	resDelete                      // delete the resource
	resRelease                     // remove the finalizer
	resAddFinalizer                // put back the finalizer

	// These ask nobody. They only change what is known.
	resForgetOperation // it is another program's
	resCapRetry        // the next try is so far ahead that it was written with a wrong clock
	resFail            // the resource cannot be deleted
)

func (a resourceAction) asksRadius() bool {
	return a == resPoll || a == resRead || a == resVersion || a == resDelete
}

// Delays of deletions that failed.
const (
	firstDeleteDelay = 5 * time.Second
	maxDeleteDelay   = time.Minute
	laterDelay       = time.Second
	settleDelay      = 30 * time.Second
	idleDelay        = 5 * time.Minute // after which a resource that does not say that it is being deleted is not
	notRecordedDelay = 5 * time.Minute
	newChildAge      = 10 * time.Second // in which an owner records what it has made
)

func (s *resourceState) stop(d time.Duration) { s.wait = &d }

func (s *resourceState) note(warning bool, reason, message string) {
	s.notes = append(s.notes, note{warning, reason, message})
}

// say makes the status say a phrase and a verdict.
func (s *resourceState) say(phrase v1alpha3.DeploymentResourcePhrase, v verdict) {
	v.generation = s.generation
	s.status.ID, s.status.ObservedGeneration, s.status.Phrase, s.status.Message = s.id.String(), v.generation, phrase, v.message
	v.set(&s.status.Conditions, s.now)
}

// resourceDecision is what is to be done next with a DeploymentResource, and what is said before. It is a
// value: take carries it into the state.
type resourceDecision struct {
	action resourceAction
	phrase v1alpha3.DeploymentResourcePhrase
	says   *verdict // what the status says from now on; nil leaves it
	notes  []note
	wait   time.Duration // of resWait; 0 means that only an event goes on
	failed string        // of resFail: why
}

func (d resourceDecision) saying(phrase v1alpha3.DeploymentResourcePhrase, v verdict) resourceDecision {
	d.phrase, d.says = phrase, &v
	return d
}

func (d resourceDecision) noting(warning bool, reason, message string) resourceDecision {
	d.notes = []note{{warning, reason, message}}
	return d
}

func doResource(a resourceAction) resourceDecision { return resourceDecision{action: a} }

func restResource(d time.Duration) resourceDecision {
	return resourceDecision{action: resWait, wait: d}
}

// cannot is the decision for a resource that cannot be deleted.
func cannot(why string) resourceDecision { return resourceDecision{action: resFail, failed: why} }

// take carries a decision into the state.
func (s *resourceState) take(d resourceDecision) {
	if d.says != nil {
		s.say(d.phrase, *d.says)
	}
	s.notes = append(s.notes, d.notes...)
	switch d.action {
	case resWait:
		s.stop(d.wait)
	case resFail:
		s.fail(d.failed)
	}
}

// decideResource says what is to be done next. It is the state machine of a DeploymentResource:
// the first case that fits counts. It changes nothing.
func decideResource(s *resourceState) resourceDecision {
	if s.wait != nil {
		return restResource(*s.wait)
	}
	if !s.deleting {
		return s.decideLiving()
	}
	switch {
	case !s.finalizer:
		return restResource(0)
	case s.orphan:
		return letGo("left as it is, as the deletion policy says").
			noting(false, v1alpha3.EventResourceOrphaned, s.id.String()+" is left as it is, as the deletion policy says")
	case s.done:
		return letGo("deleted").noting(false, v1alpha3.EventResourceDeleted, s.id.String()+" is deleted")
	}
	// A deletion that was begun is followed to its end. The right to begin it was there.
	if op := s.status.Operation; !s.owner.recorded && (op == nil || op.OperationKind != v1alpha3.OperationDelete || op.ResumeToken == "") {
		switch {
		case !s.ownerAsked:
			return doResource(resOwner)
		case s.owner.busy:
			return restResource(childDelay).saying(
				deletingBecause("waits for the end of the deployment, which says whether it made the resource"),
			)
		}
		ready := meta.FindStatusCondition(s.status.Conditions, v1alpha3.ConditionReady)
		if s.owner.exists && ready != nil && ready.Reason == v1alpha3.ReasonCreating {
			return letGo("the deployment did not make it") // the object was made when the deployment began to
		}
		return letGo("not deleted: "+notRecorded).noting(true, v1alpha3.EventDeletionSkipped, s.shown()+" is not deleted: "+notRecorded)
	}
	return s.decideDeletion()
}

// decideDeletion says what is to be done next to delete the resource, where that is the object's right.
func (s *resourceState) decideDeletion() resourceDecision {
	switch {
	case s.idError != nil:
		return cannot(s.idError.Error() + "; " + remedy)
	case s.id.IsScope():
		return letGo("a scope is never deleted").noting(
			true, v1alpha3.EventResourceOrphaned, s.id.String()+" is a scope, which is never deleted",
		)
	case s.forbidden:
		return cannot(s.id.String() + " is outside of the scopes that the controller's --allowed-scopes names; " + remedy)
	case s.id.Plane() == resourceid.Kubernetes:
		return cannot(s.id.String() + " is an object of Kubernetes, which Radius does not delete: " +
			"delete it with kubectl, then set the annotation " + orphanAnnotation)
	case s.suspended:
		return restResource(childDelay).saying(v1alpha3.DeploymentResourcePhraseDeleting,
			verdict{ready: metav1.ConditionFalse, reason: v1alpha3.ReasonSuspended, message: "the DeploymentTemplate is suspended"})
	}
	if op := s.status.Operation; op != nil {
		switch {
		case s.lost:
			return doResource(resRead)
		case op.OperationKind == v1alpha3.OperationDelete && op.ResumeToken != "":
			return doResource(resPoll)
		}
		return doResource(resForgetOperation)
	}
	if s.again != "" && !s.ownerAsked {
		return doResource(resOwner)
	}
	if s.again != "" && s.owner.wanted {
		return letGo("not deleted, because it has been deployed again")
	}
	if f := s.status.Failure; f != nil && s.now.Before(f.RetryAt.Time) {
		if f.RetryAt.Sub(s.now) > maxDeleteDelay {
			return doResource(resCapRetry)
		}
		return restResource(f.RetryAt.Sub(s.now))
	}
	if len(s.waitsFor) > 0 {
		return restResource(childDelay).saying(deletingBecause("waits for the deletion of " + strings.Join(s.waitsFor, ", ")))
	}
	if !s.asked {
		return doResource(resHolders)
	}
	if s.holder != "" {
		return letGo("not deleted, because "+s.holder+" deployed it too").
			noting(false, v1alpha3.EventResourceOrphaned, fmt.Sprintf("%s is not deleted, because %s deployed it too", s.id, s.holder))
	}
	if s.azureKeeps && s.id.Plane() == resourceid.Azure {
		return cannot(s.id.String() + " is not deleted, as --azure-delete=false of the controller says; " + remedy)
	}
	if s.apiVersion() == "" {
		if !s.versions {
			return doResource(resVersion)
		}
		return cannot(fmt.Sprintf("%s cannot be deleted: neither the template nor Radius names an API version of %s; %s",
			s.id, s.id.Type(), remedy))
	}
	return doResource(resDelete).saying(deletingBecause("deletes the resource"))
}

// apiVersion is the version that the resource is read and deleted with, or "". AWS has none.
func (s *resourceState) apiVersion() string {
	if s.version == "" && s.id.Plane() == resourceid.AWS {
		return "default"
	}
	return s.version
}

// notRecorded says why an object gives no right to delete.
const notRecorded = "no DeploymentTemplate that owns this object has recorded the resource as its own"

// shown is the ID for messages. One that cannot be read is shown as it is.
func (s *resourceState) shown() string {
	return cmp.Or(s.id.String(), s.status.ID, "the resource")
}

// decideLiving is for an object that is not being deleted. It says Ready only of what its owner deployed.
func (s *resourceState) decideLiving() resourceDecision {
	ready := meta.FindStatusCondition(s.status.Conditions, v1alpha3.ConditionReady)
	if !s.owner.recorded {
		next := restResource(childDelay)
		if s.age < newChildAge {
			next = restResource(laterDelay) // the owner may be about to record it
		}
		switch {
		case s.owner.busy && ready == nil && s.age >= laterDelay: // what is made at once is said when it is made
			return next.saying("", verdict{
				ready: metav1.ConditionUnknown, reason: v1alpha3.ReasonCreating, message: "is being deployed", reconciling: true,
			})
		case s.owner.busy:
			return next
		case !s.ownerAsked:
			return doResource(resOwner)
		}
		// Nothing wakes it when its owner records it after all.
		return restResource(notRecordedDelay).saying(v1alpha3.DeploymentResourcePhraseFailed, verdict{
			ready: metav1.ConditionFalse, reason: v1alpha3.ReasonNotRecorded, message: notRecorded + "; deleting it deletes nothing",
			stalled: true,
		})
	}
	if !s.finalizer {
		return doResource(resAddFinalizer) // somebody removed it
	}
	// What was made of a deployment that failed is marked by the reconciler of templates.
	if ready == nil || ready.Reason == v1alpha3.ReasonNotRecorded || ready.Reason == v1alpha3.ReasonCreating ||
		s.status.ObservedGeneration != s.generation && ready.Reason != v1alpha3.ReasonFailed {
		return restResource(0).saying(resourceDeployed())
	}
	return restResource(0)
}

// resourceDeployed is what the status of a resource that was deployed says.
func resourceDeployed() (v1alpha3.DeploymentResourcePhrase, verdict) {
	return v1alpha3.DeploymentResourcePhraseReady,
		verdict{ready: metav1.ConditionTrue, reason: v1alpha3.ReasonSucceeded, message: "deployed"}
}

const (
	orphanAnnotation = v1alpha3.DeletionPolicyAnnotation + ": " + v1alpha3.DeletionPolicyOrphan
	remedy           = "delete the resource by other means, then set the annotation " + orphanAnnotation
)

// letGo removes the finalizer.
func letGo(message string) resourceDecision {
	return doResource(resRelease).saying(v1alpha3.DeploymentResourcePhraseDeleted, verdict{
		ready: metav1.ConditionFalse, reason: v1alpha3.ReasonDeleted, message: message,
	})
}

// deletingBecause is what the status says during a deletion.
func deletingBecause(message string) (v1alpha3.DeploymentResourcePhrase, verdict) {
	return v1alpha3.DeploymentResourcePhraseDeleting, verdict{
		ready: metav1.ConditionFalse, reason: v1alpha3.ReasonDeleting, message: message, reconciling: true,
	}
}

// fail notes that the resource could not be deleted.
func (s *resourceState) fail(message string) {
	f := &v1alpha3.Failure{}
	if s.status.Failure != nil {
		f = s.status.Failure.DeepCopy()
	}
	f.Count++
	delay := maxDeleteDelay
	if f.Count <= 4 {
		delay = min(firstDeleteDelay<<(f.Count-1), maxDeleteDelay)
	}
	f.RetryAt = metav1.NewTime(s.now.Add(delay))
	if s.status.Message != message {
		s.note(true, v1alpha3.EventDeletionFailed, message)
	}
	s.status.Operation, s.status.Failure = nil, f
	s.say(v1alpha3.DeploymentResourcePhraseFailed, verdict{
		ready: metav1.ConditionFalse, reason: v1alpha3.ReasonDeletionFailed, message: message, stalled: f.Count >= stalledAfter,
	})
	s.stop(delay)
}

// later notes that Radius cannot delete the resource now.
func (s *resourceState) later(err error) {
	s.retryWhen = retry{set: true, first: laterDelay}
	phrase, v := deletingBecause(err.Error())
	v.reason = unavailableReason(err)
	var e *radius.Error
	if errors.As(err, &e) {
		v.message = e.Sentence()
		s.retryWhen.after = e.RetryAfter
		if e.Status == http.StatusConflict {
			v.reason = v1alpha3.ReasonDeleting // it is being changed
		}
	}
	s.say(phrase, v)
	s.stop(0)
}

// barred notes that somebody must act before the resource can be deleted: give a right, or lift a lock.
func (s *resourceState) barred(e *radius.Error) {
	message := s.id.String() + " could not be deleted: " + e.Sentence()
	if !strings.HasPrefix(s.status.Message, message) {
		s.note(true, v1alpha3.EventDeletionFailed, message)
	}
	s.status.Operation = nil
	s.say(v1alpha3.DeploymentResourcePhraseFailed, verdict{
		ready: metav1.ConditionFalse, reason: v1alpha3.ReasonDeletionFailed, message: message, stalled: true,
	})
	s.retryWhen = retry{set: true, first: firstLateDelay, most: maxLateDelay, after: e.RetryAfter}
	s.stop(0)
}

// unsettled is true if the resource is of Azure, and was deployed so lately that no 404 says that it is gone.
func (s *resourceState) unsettled() bool {
	return s.azureReads && s.id.Plane() == resourceid.Azure && settles(s.made, s.now) > 0
}

// askAgain waits until a 404 says something.
func (s *resourceState) askAgain() {
	s.lost, s.status.Operation = false, nil
	delay := min(settleDelay, max(settles(s.made, s.now), time.Second))
	s.retryWhen = retry{set: true, first: delay, most: delay}
	s.say(deletingBecause("Azure says that it is not there. That is certain only some minutes after a deployment, " +
		"so it is deleted once more then"))
	s.stop(0)
}

// resourceResult is what came back from an action.
type resourceResult struct {
	err      error
	progress radius.Progress
	exists   bool
	holder   string
	version  string
	owner    ownership
}

// absorbResource takes in what came back from an action.
func absorbResource(s *resourceState, a resourceAction, r resourceResult) {
	switch a {
	case resPoll:
		if r.err != nil {
			s.later(r.err)
			return
		}
		if r.progress.Absent && s.unsettled() {
			s.askAgain()
			return
		}
		s.absorbProgress(r.progress)
	case resRead:
		switch {
		case r.err != nil:
			s.later(r.err)
		case !r.exists && s.unsettled():
			s.askAgain()
		case !r.exists:
			s.ended()
		default:
			s.lost, s.status.Operation = false, nil // the request is sent again
			s.retryWhen = retry{set: true, first: laterDelay}
			s.say(deletingBecause("it is there, and nothing is known of its deletion any more; that is sent again"))
			s.stop(0)
		}
	case resAddFinalizer:
		s.finalizer = true
	case resForgetOperation:
		s.status.Operation = nil
	case resCapRetry:
		f := s.status.Failure.DeepCopy()
		f.RetryAt = metav1.NewTime(s.now.Add(maxDeleteDelay))
		s.status.Failure = f
	case resOwner:
		s.ownerAsked, s.owner = true, r.owner
	case resHolders:
		s.asked, s.holder = true, r.holder
	case resVersion:
		if r.err != nil {
			s.refused(r.err, "the API versions of "+s.id.Type()+" cannot be read")
			return
		}
		s.versions, s.version = true, r.version
	case resDelete:
		if r.err != nil {
			s.refused(r.err, "")
			return
		}
		if r.progress.Absent && s.unsettled() {
			s.askAgain()
			return
		}
		if r.progress.State == radius.Running {
			started := metav1.NewTime(s.now)
			s.status.Operation = &v1alpha3.ResourceOperation{
				OperationKind: v1alpha3.OperationDelete, StartedAt: &started, Resource: s.id.String(), Hash: s.again,
			}
		}
		s.absorbProgress(r.progress)
	}
}

func (s *resourceState) absorbProgress(p radius.Progress) {
	switch p.State {
	case radius.Running:
		op := s.status.Operation
		op.ResumeToken = p.Token
		age := time.Duration(0)
		if op.StartedAt != nil {
			age = s.now.Sub(op.StartedAt.Time)
		}
		if operationTimedOut(op, s.now, s.timeout) {
			s.fail(fmt.Sprintf("%s could not be deleted: the deletion did not end in %s; it is sent again", s.id, s.timeout))
			return
		}
		if p.Idle && age >= idleDelay {
			s.lost = true // it was made again, or the deletion has come to nothing
			return
		}
		s.say(deletingBecause("deletes the resource"))
		s.stop(radius.PollDelay(age, s.pollLimit))
	case radius.Succeeded:
		s.ended()
	case radius.Failed:
		s.fail(s.id.String() + " could not be deleted: " + cmp.Or(p.Error.Sentence(), "Radius does not say why"))
	case radius.Lost:
		s.lost = true
	}
}

// ended notes that the resource is gone, unless it was deployed again after the deletion began.
func (s *resourceState) ended() {
	if op := s.status.Operation; op != nil && op.Hash != s.again {
		s.lost, s.status.Operation = false, nil
		return
	}
	s.done = true
}

// refused takes in a refusal of a deletion.
func (s *resourceState) refused(err error, what string) {
	var e *radius.Error
	if !errors.As(err, &e) || e.Transient() {
		s.later(err)
		return
	}
	azure := s.id.Plane() == resourceid.Azure
	direct := azure && s.azureReads
	switch {
	case direct && (e.Status == http.StatusForbidden || e.Detail.Is("ScopeLocked")):
		s.barred(e)
	case e.Status == http.StatusConflict || direct && e.Status == http.StatusUnauthorized:
		s.later(err)
	case what == "" && !s.versions && (direct || s.id.Plane() == resourceid.Radius) && mentionsVersion(e):
		s.version, s.versions = "", false
		s.asked = true
	case !azure && e.Status == http.StatusNotFound:
		s.later(err) // it does not say what is not there
	case direct && e.Status == http.StatusNotFound:
		s.barred(e) // the subscription, for example
	case azure && !direct:
		s.fail(fmt.Sprintf("%s could not be deleted through Radius, which has no access to it: %s; %s", s.id, e.Sentence(), remedy))
	default:
		s.fail(s.id.String() + " could not be deleted: " + strings.TrimPrefix(cmp.Or(what, "")+": "+e.Sentence(), ": "))
	}
}

// mentionsVersion is true if a request was refused because of its API version.
func mentionsVersion(e *radius.Error) bool {
	if e.Status != http.StatusBadRequest && e.Status != http.StatusNotFound {
		return false
	}
	text := strings.ToLower(e.Sentence())
	return strings.Contains(text, "api version") || strings.Contains(text, "api-version") || strings.Contains(text, "apiversion")
}
