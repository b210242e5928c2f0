package controller

import (
	"cmp"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/check"
	"github.com/radbicep/rad/controller/internal/deployment"
	"github.com/radbicep/rad/controller/internal/resourceid"
)

// templateState is all that a decision about a DeploymentTemplate is made from. Status is changed
// as answers come in; everything else about the object is as it was read.
type templateState struct {
	now        time.Time
	generation int64
	deleting   bool
	finalizer  bool
	suspended  bool
	orphan     bool
	request    string  // the annotation reconcile-requested-at
	redeploy   string  // the annotation redeploy-requested-at
	confirm    string  // the annotation confirm-deletion
	accepts    bool    // the annotation accept-unreadable
	spread     float64 // how much later than its interval says it is sent again, as a part of the interval
	desired    *deployment.Deployment
	specError  error
	status     *v1alpha3.DeploymentTemplateStatus
	children   []child
	lookDue    bool          // the time has come to look for drift
	blindSince time.Time     // that looks fail
	pollLimit  time.Duration // the longest time between two polls
	knowsSent  bool          // the secrets of the running operation are known

	// What follows is learned while the object is worked on.
	stage      stage
	probed     bool   // the API server was asked whether objects can be made
	closed     string // why they cannot be made
	looked     bool
	lookSpent  bool          // the next look for drift is one interval away
	confirmed  bool          // the API server itself was asked for the children
	reason     string        // why what is deployed is sent again
	progress   string        // how far the deployment is
	pollWithin time.Duration // the longest time until the next poll; 0 is that of the settings
	unlisted   bool          // the deployment succeeded, and did not list what it made
	unrecorded bool          // the inventory has changed, and is not saved
	cleaned    bool          // the deployment object is deleted
	sent       bool          // the deployment was sent
	failed     string
	passing    bool // the failure is one that passes by itself
	retryWhen  retry
	outputs    []string
	made       []step
	found      inspection
	rivals     []rival
	wait       *time.Duration
	notes      []note
}

// stage is where in the course of an operation the work is.
type stage int

const (
	stageNone      stage = iota
	stageUncertain       // it is not known whether the request was taken
	stageConflict        // the request was refused because a deployment runs
	stageResult          // the operation succeeded; its result is to be read
	stageLost            // the operation is not known any more
	stageFailed          // the operation failed; what it made is to be listed
	stageAdopt           // objects are to be made for what a failed deployment made
	stageFound           // a deployment was found that may be of another spec; what it made is to be listed
	stageMerge           // objects are to be made for what such a deployment made
	stageSync            // objects are to be made equal to the outputs
	stageReplace         // the deployment object in the former scope is to be deleted
	stageIntent          // the intent to send is to be saved
	stageSend            // the request is to be sent
)

// retry says that something is tried again, for a reason that is not a verdict on the spec.
type retry struct {
	set   bool
	first time.Duration // the first delay; each next one is twice as long
	after time.Duration // what the service asked for
}

// child is a DeploymentResource of the DeploymentTemplate.
type child struct {
	name     string
	id       string
	rank     int
	deleting bool
	phrase   v1alpha3.DeploymentResourcePhrase
	message  string
	version  string
	labelled bool
	unowned  bool   // its owner reference was removed
	dropped  string // tells that another template, which deployed the resource too, does not any more
	loose    bool   // it has no finalizer, so it can go without its resource
}

// rival is another DeploymentTemplate that deployed a resource too.
type rival struct {
	id         resourceid.ID
	name       string
	deployedAt *metav1.Time
}

// step is a resource that a deployment which failed had begun to make.
type step struct {
	id      string
	failed  bool
	message string
}

// inspection is what a look at the outputs found.
type inspection struct {
	missing  []string
	reason   string // of the worst check that did not pass
	message  string
	severity check.Severity
	partial  bool // there was not enough time to look at all
}

// note is an event to be sent when the status is saved.
type note struct {
	warning bool
	reason  string
	message string
}

func (s *templateState) note(warning bool, reason, message string) {
	s.notes = append(s.notes, note{warning, reason, message})
}

// stop ends the work, to go on after d; 0 means that only an event goes on.
func (s *templateState) stop(d time.Duration) { s.wait = &d }

// outputKeys are the keys of the outputs.
func (s *templateState) outputKeys() map[string]bool {
	keys := make(map[string]bool, len(s.status.OutputResources))
	for _, id := range s.status.OutputResources {
		keys[resourceid.Key(id)] = true
	}
	return keys
}

// residual are the children that stand for nothing any more.
func (s *templateState) residual() []child {
	keys := s.outputKeys()
	var left []child
	for _, c := range s.children {
		if !keys[resourceid.Key(c.id)] || c.deleting {
			left = append(left, c)
		}
	}
	return left
}

// childless are the outputs without a child.
func (s *templateState) childless() []string {
	held := map[string]bool{}
	for _, c := range s.children {
		if !c.loose {
			held[resourceid.Key(c.id)] = true
		}
	}
	var missing []string
	for _, text := range s.status.OutputResources {
		if id, err := resourceid.Parse(text); err == nil && !id.IsScope() && !held[id.Key()] {
			missing = append(missing, text)
		}
	}
	return missing
}

// lookWanted is true if the resources are to be looked at for drift.
func (s *templateState) lookWanted() bool {
	return s.request != s.status.LastHandledReconcileAt && s.request != "" || s.lookDue || len(s.childless()) > 0
}

// asked is true if the user wants something now.
func (s *templateState) asked() bool {
	return s.request != "" && s.request != s.status.LastHandledReconcileAt || s.redeployAsked()
}

func (s *templateState) redeployAsked() bool {
	return s.redeploy != "" && s.redeploy != s.status.LastHandledRedeployAt
}

// redeployIn is how long it is until what is deployed is sent again. ok is false if that is never.
func (s *templateState) redeployIn() (d time.Duration, ok bool) {
	switch {
	case s.redeployAsked():
		return 0, true
	case s.desired.Interval == 0:
		return 0, false
	case s.status.DeployedAt == nil:
		return 0, true // a version of the controller deployed it that did not note when
	}
	interval := s.desired.Interval + time.Duration(s.spread*float64(s.desired.Interval))
	// A clock that was ahead must not put it off for longer than the interval.
	return min(s.status.DeployedAt.Add(interval).Sub(s.now), interval), true
}

// verdict is what the conditions of an object say of one of its generations.
type verdict struct {
	generation  int64
	ready       metav1.ConditionStatus
	reason      string
	message     string
	reconciling bool
	stalled     bool
}

// set writes the verdict into conditions. Ready is always there; the others only while they are true.
func (v verdict) set(conditions *[]metav1.Condition, now time.Time) {
	set := func(typ string, status metav1.ConditionStatus) {
		meta.SetStatusCondition(conditions, metav1.Condition{Type: typ, Status: status, Reason: v.reason, Message: cmp.Or(v.message, v.reason),
			ObservedGeneration: v.generation, LastTransitionTime: metav1.NewTime(now)})
	}
	set(v1alpha3.ConditionReady, v.ready)
	for typ, on := range map[string]bool{v1alpha3.ConditionReconciling: v.reconciling, v1alpha3.ConditionStalled: v.stalled} {
		if on {
			set(typ, metav1.ConditionTrue)
		} else {
			meta.RemoveStatusCondition(conditions, typ)
		}
	}
}

// say makes the status say a phrase and a verdict.
func (s *templateState) say(phrase v1alpha3.DeploymentTemplatePhrase, v verdict) {
	s.status.ObservedGeneration, s.status.Phrase, s.status.Message = v.generation, phrase, v.message
	v.set(&s.status.Conditions, s.now)
}

func (s *templateState) ready() *metav1.Condition {
	return meta.FindStatusCondition(s.status.Conditions, v1alpha3.ConditionReady)
}
