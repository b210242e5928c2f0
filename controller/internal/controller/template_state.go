package controller

import (
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/radbicep/rad/controller/api/v1alpha3"
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
	wishes
	desired   *deployment.Deployment
	specError error
	status    *v1alpha3.DeploymentTemplateStatus
	children  []child
	rivals    []rival
	pollLimit time.Duration // the longest time between two polls
	timeout   time.Duration // after which the operation is not waited for; 0 is never
	knowsSent bool          // the secrets of the running operation are known

	// What follows is learned while the object is worked on, by operation.
	deploying
	looking
	removing
	wait      *time.Duration
	retryWhen retry
	notes     []note
}

// wishes are the annotations of the user.
type wishes struct {
	request  string // reconcile-requested-at
	redeploy string // redeploy-requested-at
	confirm  string // confirm-deletion
	accepts  bool   // accept-unreadable
}

// deploying is what is known of a deployment.
type deploying struct {
	stage      stage
	spread     float64       // how much later than its interval says it is sent again, as a part of the interval
	reason     string        // why what is deployed is sent again
	depends    bool          // the spec depends on other objects
	awaited    bool          // which were looked at
	awaits     string        // why the spec is not sent yet
	circle     bool          // what it depends on depends on it
	probed     bool          // the API server was asked whether objects can be made
	closed     string        // why they cannot be made
	sent       bool          // the deployment was sent
	progress   string        // how far it is
	pollWithin time.Duration // the longest time until the next poll; 0 is that of the settings
	unlisted   bool          // it succeeded, and did not list what it made
	failed     string        // why it failed
	hung       bool          // the status says already that it does not end
	abandoned  bool          // it runs on, and is not waited for
	former     bool          // what the one that is not waited for has made is known
	passing    bool          // the failure is one that passes by itself
	outputs    []string
	made       []step
}

// looking is what is known of looks at what was deployed.
type looking struct {
	lookDue    bool      // the time has come to look for drift
	blindSince time.Time // that looks fail
	looked     bool
	lookSpent  bool // the next look for drift is one interval away
	found      inspection
}

// removing is what is known of a deletion.
type removing struct {
	unrecorded bool // the inventory has changed, and is not saved
	confirmed  bool // the API server itself was asked for the children
	cleaned    bool // the deployment object is deleted
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
	stageFormer          // what a deployment that is not waited for has made meanwhile is to be read
	stageSend            // the request is to be sent
)

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

// timedOut is true if the operation has run for too long.
func (s *templateState) timedOut() bool {
	return operationTimedOut(s.status.Operation, s.now, s.timeout)
}

func operationTimedOut(op *v1alpha3.ResourceOperation, now time.Time, timeout time.Duration) bool {
	return timeout > 0 && op != nil && op.StartedAt != nil && now.Sub(op.StartedAt.Time) >= timeout
}

// wantsOther is true if there is something to do that an operation holds up.
func (s *templateState) wantsOther() bool {
	return s.deleting || s.asked() || s.desired != nil && s.desired.Hash != s.status.Operation.Hash
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

// say makes the status say a phrase and a verdict.
func (s *templateState) say(phrase v1alpha3.DeploymentTemplatePhrase, v verdict) {
	s.status.ObservedGeneration, s.status.Phrase, s.status.Message = v.generation, phrase, v.message
	v.set(&s.status.Conditions, s.now)
}

func (s *templateState) ready() *metav1.Condition {
	return meta.FindStatusCondition(s.status.Conditions, v1alpha3.ConditionReady)
}
