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
	suspended  bool     // the owner is suspended, and is not being deleted
	forbidden  bool     // the scope may not be deployed to
	waitsFor   []string // siblings that must be gone first
	id         resourceid.ID
	idError    error
	version    string        // what was saved when the object was made
	again      string        // says which deployment made the resource again since the object is being deleted
	owner      ownership     // as the cache shows it, until the API server is asked
	age        time.Duration // of the object
	status     *v1alpha3.DeploymentResourceStatus
	pollLimit  time.Duration

	// What follows is learned while the object is worked on.
	ownerAsked bool   // the API server was asked for the owner
	asked      bool   // who else holds the resource
	holder     string // another object that holds the resource
	versions   bool   // Radius was asked for the version
	lost       bool   // the operation is not known any more; the resource is to be read
	done       bool   // the resource is gone
	release    bool
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
)

func (a resourceAction) asksRadius() bool {
	return a == resPoll || a == resRead || a == resVersion || a == resDelete
}

// Delays of deletions that failed.
const (
	firstDeleteDelay = 5 * time.Second
	maxDeleteDelay   = time.Minute
	laterDelay       = time.Second
	notRecordedDelay = 5 * time.Minute
	newChildAge      = 10 * time.Second // in which an owner records what it has made
)

func (s *resourceState) stop(d time.Duration) { s.wait = &d }

func (s *resourceState) note(warning bool, reason, message string) {
	s.notes = append(s.notes, note{warning, reason, message})
}

func (s *resourceState) conditions(phrase v1alpha3.DeploymentResourcePhrase, ready metav1.ConditionStatus, reason, message string, reconciling, stalled bool) {
	s.status.ID = s.id.String()
	s.status.ObservedGeneration = s.generation
	s.status.Phrase = phrase
	s.status.Message = message
	setConditions(&s.status.Conditions, s.generation, s.now, ready, reason, message, reconciling, stalled)
}

// decideResource says what is to be done next. It is the state machine of a DeploymentResource.
func decideResource(s *resourceState) resourceAction {
	if s.wait != nil {
		return resWait
	}
	if !s.deleting {
		return s.decideLiving()
	}
	switch {
	case !s.finalizer:
		s.stop(0)
		return resWait
	case s.release:
		return resRelease
	case s.orphan:
		s.note(false, v1alpha3.EventResourceOrphaned, s.id.String()+" is left as it is, as the deletion policy says")
		return s.letGo("left as it is, as the deletion policy says")
	case s.done:
		s.note(false, v1alpha3.EventResourceDeleted, s.id.String()+" is deleted")
		return s.letGo("deleted")
	}
	// A deletion that was begun is followed to its end. The right to begin it was there.
	if op := s.status.Operation; !s.owner.recorded && (op == nil || op.OperationKind != v1alpha3.OperationDelete || op.ResumeToken == "") {
		switch {
		case !s.ownerAsked:
			return resOwner
		case s.owner.busy:
			s.deletingBecause("waits for the end of the deployment, which says whether it made the resource")
			s.stop(childDelay)
			return resWait
		}
		s.note(true, v1alpha3.EventDeletionSkipped, s.shown()+" is not deleted: "+notRecorded)
		return s.letGo("not deleted: " + notRecorded)
	}
	switch {
	case s.idError != nil:
		s.fail(s.idError.Error() + "; " + remedy)
		return resWait
	case s.id.IsScope():
		s.note(true, v1alpha3.EventResourceOrphaned, s.id.String()+" is a scope, which is never deleted")
		return s.letGo("a scope is never deleted")
	case s.forbidden:
		s.fail(s.id.String() + " is outside of the scopes that the controller's --allowed-scopes names; " + remedy)
		return resWait
	case s.id.Plane() == resourceid.Kubernetes:
		s.fail(s.id.String() + " is an object of Kubernetes, which Radius does not delete: delete it with kubectl, then set the annotation " + orphanAnnotation)
		return resWait
	}
	if s.suspended {
		s.conditions(v1alpha3.DeploymentResourcePhraseDeleting, metav1.ConditionFalse, v1alpha3.ReasonSuspended, "the DeploymentTemplate is suspended", false, false)
		s.stop(childDelay)
		return resWait
	}
	if op := s.status.Operation; op != nil {
		switch {
		case s.lost:
			return resRead
		case op.OperationKind == v1alpha3.OperationDelete && op.ResumeToken != "":
			return resPoll
		}
		s.status.Operation = nil
	}
	if s.again != "" && !s.ownerAsked {
		return resOwner
	}
	if s.again != "" && s.owner.wanted {
		return s.letGo("not deleted, because it has been deployed again")
	}
	if f := s.status.Failure; f != nil && s.now.Before(f.RetryAt.Time) {
		f.RetryAt = capped(f.RetryAt, s.now, maxDeleteDelay)
		s.stop(f.RetryAt.Sub(s.now))
		return resWait
	}
	if len(s.waitsFor) > 0 {
		s.deletingBecause("waits for the deletion of " + strings.Join(s.waitsFor, ", "))
		s.stop(childDelay)
		return resWait
	}
	if !s.asked {
		return resHolders
	}
	if s.holder != "" {
		s.note(false, v1alpha3.EventResourceOrphaned, fmt.Sprintf("%s is not deleted, because %s deployed it too", s.id, s.holder))
		return s.letGo("not deleted, because " + s.holder + " deployed it too")
	}
	if s.version == "" {
		if s.id.Plane() == resourceid.AWS {
			s.version = "default"
		} else if !s.versions {
			return resVersion
		} else {
			s.fail(fmt.Sprintf("%s cannot be deleted: neither the template nor Radius names an API version of %s; %s", s.id, s.id.Type(), remedy))
			return resWait
		}
	}
	s.deletingBecause("deletes the resource")
	return resDelete
}

// notRecorded says why an object gives no right to delete.
const notRecorded = "no DeploymentTemplate that owns this object has recorded the resource as its own"

// shown is the ID for messages. One that cannot be read is shown as it is.
func (s *resourceState) shown() string {
	return cmp.Or(s.id.String(), s.status.ID, "the resource")
}

// decideLiving is for an object that is not being deleted. It says Ready only of what its owner deployed.
func (s *resourceState) decideLiving() resourceAction {
	ready := meta.FindStatusCondition(s.status.Conditions, v1alpha3.ConditionReady)
	if !s.owner.recorded {
		switch {
		case s.owner.busy && s.age < newChildAge:
			s.stop(laterDelay) // the owner is about to record it
			return resWait
		case s.owner.busy:
			s.stop(childDelay)
			return resWait
		case !s.ownerAsked:
			return resOwner
		}
		s.conditions(v1alpha3.DeploymentResourcePhraseFailed, metav1.ConditionFalse, v1alpha3.ReasonNotRecorded, notRecorded+"; deleting it deletes nothing", false, true)
		s.stop(notRecordedDelay) // nothing wakes it when its owner records it after all
		return resWait
	}
	if !s.finalizer {
		return resAddFinalizer // somebody removed it
	}
	// What was made of a deployment that failed is marked by the reconciler of templates.
	if ready == nil || ready.Reason == v1alpha3.ReasonNotRecorded || s.status.ObservedGeneration != s.generation && ready.Reason != v1alpha3.ReasonFailed {
		s.conditions(v1alpha3.DeploymentResourcePhraseReady, metav1.ConditionTrue, v1alpha3.ReasonSucceeded, "deployed", false, false)
	}
	s.stop(0)
	return resWait
}

const (
	orphanAnnotation = v1alpha3.DeletionPolicyAnnotation + ": " + v1alpha3.DeletionPolicyOrphan
	remedy           = "delete the resource by other means, then set the annotation " + orphanAnnotation
)

// letGo ends with the removal of the finalizer.
func (s *resourceState) letGo(message string) resourceAction {
	s.status.Operation, s.status.Failure = nil, nil
	s.conditions(v1alpha3.DeploymentResourcePhraseDeleted, metav1.ConditionFalse, v1alpha3.ReasonDeleted, message, false, false)
	s.release = true
	return resRelease
}

func (s *resourceState) deletingBecause(message string) {
	s.conditions(v1alpha3.DeploymentResourcePhraseDeleting, metav1.ConditionFalse, v1alpha3.ReasonDeleting, message, true, false)
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
	s.conditions(v1alpha3.DeploymentResourcePhraseFailed, metav1.ConditionFalse, v1alpha3.ReasonDeletionFailed, message, false, f.Count >= stalledAfter)
	s.stop(delay)
}

// later notes that Radius cannot delete the resource now.
func (s *resourceState) later(err error) {
	s.retryWhen = retry{set: true, first: laterDelay}
	message := err.Error()
	var e *radius.Error
	if errors.As(err, &e) {
		message = e.Sentence()
		s.retryWhen.after = e.RetryAfter
	}
	s.deletingBecause(message)
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
		s.absorbProgress(r.progress)
	case resRead:
		switch {
		case r.err != nil:
			s.later(r.err)
		case !r.exists:
			s.ended()
		default:
			s.lost, s.status.Operation = false, nil // the request is sent again
			s.retryWhen = retry{set: true, first: laterDelay}
			s.deletingBecause("Radius lost the deletion; it is sent again")
			s.stop(0)
		}
	case resAddFinalizer:
		s.finalizer = true
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
		if r.progress.State == radius.Running {
			started := metav1.NewTime(s.now)
			s.status.Operation = &v1alpha3.ResourceOperation{OperationKind: v1alpha3.OperationDelete, StartedAt: &started, Resource: s.id.String(), Hash: s.again}
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
		s.deletingBecause("deletes the resource")
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
	switch {
	case e.Status == http.StatusNotFound && (!azure || e.Detail.Is("ResourceNotFound", "ResourceGroupNotFound", "ParentResourceNotFound", "SubscriptionNotFound")):
		s.done = true
	case e.Status == http.StatusConflict:
		s.later(err)
	case e.Status == http.StatusBadRequest && what == "" && !s.versions && s.id.Plane() == resourceid.Radius && mentionsVersion(e):
		s.version, s.versions = "", false
		s.asked = true
	case azure:
		s.fail(fmt.Sprintf("%s could not be deleted through Radius, which has no access to it: %s; %s", s.id, e.Sentence(), remedy))
	default:
		s.fail(s.id.String() + " could not be deleted: " + strings.TrimPrefix(cmp.Or(what, "")+": "+e.Sentence(), ": "))
	}
}

// mentionsVersion is true if a request was refused because of its API version.
func mentionsVersion(e *radius.Error) bool {
	text := strings.ToLower(e.Sentence())
	return strings.Contains(text, "api version") || strings.Contains(text, "api-version") || strings.Contains(text, "apiversion")
}
