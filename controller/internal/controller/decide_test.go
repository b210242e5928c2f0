package controller

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/check"
	"github.com/radbicep/rad/controller/internal/deployment"
	"github.com/radbicep/rad/controller/internal/radius"
	"github.com/radbicep/rad/controller/internal/resourceid"
)

const (
	scope   = "/planes/radius/local/resourceGroups/g"
	dtID    = scope + "/providers/Microsoft.Resources/deployments/deploymenttemplate-u"
	webID   = scope + "/providers/Applications.Core/containers/web"
	envID   = scope + "/providers/Applications.Core/environments/env"
	opToken = "status:/planes/radius/local/op"
)

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func ago(d time.Duration) *metav1.Time { t := metav1.NewTime(start.Add(-d)); return &t }

// stateWith is the state of a DeploymentTemplate of generation 2 whose spec has the hash "new".
func stateWith(change ...func(*templateState)) *templateState {
	s := &templateState{
		now: start, generation: 2, finalizer: true, pollLimit: 5 * time.Second, knowsSent: true,
		desired: &deployment.Deployment{ID: dtID, Groups: []string{scope}, Hash: "new"},
		status:  &v1alpha3.DeploymentTemplateStatus{ObservedGeneration: -1},
	}
	for _, f := range change {
		f(s)
	}
	return s
}

func deleting(s *templateState) { s.deleting = true }

func deployed(s *templateState) {
	s.status.StatusHash, s.status.VerifiedHash, s.status.Resource = "new", "new", dtID
	s.status.OutputResources = []string{webID}
	s.children = []child{{name: "web", id: webID}}
}

// unlistedState has a running deployment of a template with resources, after one that made two.
func unlistedState() *templateState {
	return stateWith(operation("new", opToken, func(op *v1alpha3.ResourceOperation) { op.APIVersions = map[string]string{"a/b": "1"} }), func(s *templateState) {
		s.status.OutputResources, s.children = []string{webID, envID}, []child{{id: webID}, {id: envID}}
	})
}

func held(s *templateState) {
	s.status.OutputResources = append(s.status.OutputResources, envID)
	s.children = append(s.children, child{id: envID})
	s.status.Held = &v1alpha3.HeldResources{Token: "t1", Resources: []string{envID}}
}

func operation(hash, token string, change ...func(*v1alpha3.ResourceOperation)) func(*templateState) {
	return func(s *templateState) {
		s.status.Operation = &v1alpha3.ResourceOperation{OperationKind: "PUT", Hash: hash, ResumeToken: token, Generation: 1, Resource: dtID, StartedAt: ago(time.Second)}
		for _, f := range change {
			f(s.status.Operation)
		}
	}
}

func first(op *v1alpha3.ResourceOperation) { op.First = true }

func hangs(op *v1alpha3.ResourceOperation) { op.StartedAt = ago(time.Hour) }

// exchange is an action that is expected, and what comes back from it.
type exchange struct {
	want action
	back result
}

func unavailable(status int) error { return &radius.Error{Status: status, RetryAfter: 7 * time.Second} }

// The table is the state machine: a state, what is asked and answered in turn, and where it ends.
func TestDecideTemplate(t *testing.T) {
	running := radius.Progress{State: radius.Running, Token: opToken}
	failure := &radius.ServiceError{Code: "DeploymentFailed", Details: []*radius.ServiceError{{Code: "BadRequest", Message: "no such image"}}}
	for name, tt := range map[string]struct {
		state    *templateState
		exchange []exchange
		phrase   v1alpha3.DeploymentTemplatePhrase
		ready    string
		wait     time.Duration
		retries  bool
		check    func(t *testing.T, s *templateState)
	}{
		"a new one is deployed": {
			state:    stateWith(func(s *templateState) { s.finalizer = false }),
			exchange: []exchange{{want: actAddFinalizer}, {want: actProbe}, {want: actGroups}, {want: actSave}, {actPut, result{progress: running}}},
			phrase:   "Updating", ready: "Unknown/Creating", wait: time.Second,
			check: func(t *testing.T, s *templateState) {
				require.Equal(t, opToken, s.status.Operation.ResumeToken)
				require.Equal(t, "new", s.status.Operation.Hash)
				require.True(t, s.status.Operation.First)
				require.Equal(t, int64(2), s.status.ObservedGeneration)
			},
		},
		"an answer at once is taken for the end": {
			state: stateWith(),
			exchange: []exchange{{want: actProbe}, {want: actGroups}, {want: actSave}, {actPut, result{progress: radius.Progress{State: radius.Succeeded}}},
				{actRead, result{deployment: &radius.Deployment{State: radius.Succeeded, Outputs: []string{webID}}}}, {actSync, result{children: []child{{id: webID}}}}, {want: actLook}},
			phrase: "Ready", ready: "True/Succeeded",
		},
		"suspended from the start": {
			state: stateWith(func(s *templateState) { s.suspended, s.finalizer = true, false }),
			ready: "False/Suspended",
		},
		"suspended while it is ready": {
			state: stateWith(deployed, func(s *templateState) {
				s.suspended = true
				s.say("Ready", verdict{generation: 2, ready: "True", reason: "Succeeded", message: "deployed"})
			}),
			phrase: "Ready", ready: "True/Succeeded",
		},
		"suspended while an operation runs": {
			state: stateWith(operation("new", opToken), func(s *templateState) { s.suspended = true }),
			ready: "False/Suspended",
			check: func(t *testing.T, s *templateState) { require.NotNil(t, s.status.Operation) },
		},
		"an operation runs": {
			state:    stateWith(operation("old", opToken)),
			exchange: []exchange{{actPoll, result{progress: running}}},
			phrase:   "Updating", ready: "Unknown/Creating", wait: time.Second,
			check: func(t *testing.T, s *templateState) {
				require.Equal(t, int64(1), s.status.ObservedGeneration, "that of what was sent")
				require.Equal(t, "deploys; generation 2 is deployed after it", s.status.Message)
			},
		},
		"an edit that is wrong is told while an operation runs": {
			state:    stateWith(operation("old", opToken), func(s *templateState) { s.desired, s.specError = nil, errors.New("spec.template: it is empty") }),
			exchange: []exchange{{actPoll, result{progress: running}}},
			phrase:   "Updating", ready: "Unknown/Creating", wait: time.Second,
			check: func(t *testing.T, s *templateState) {
				require.Equal(t, "deploys; generation 2 cannot be deployed after it: spec.template: it is empty", s.status.Message)
			},
		},
		"an operation runs for long": {
			state:    stateWith(operation("new", opToken, func(op *v1alpha3.ResourceOperation) { op.StartedAt = ago(time.Minute) })),
			exchange: []exchange{{actPoll, result{progress: running}}},
			phrase:   "Updating", ready: "Unknown/Creating", wait: 5 * time.Second,
		},
		"an operation that does not end": {
			state:    stateWith(operation("new", opToken, hangs), func(s *templateState) { s.timeout = time.Hour }),
			exchange: []exchange{{actPoll, result{progress: running}}},
			phrase:   "Updating", ready: "False/OperationTimedOut", wait: 10 * time.Minute,
			check: func(t *testing.T, s *templateState) {
				require.NotNil(t, conditionOf(s, "Stalled"))
				require.Len(t, s.notes, 1)
				require.Contains(t, s.status.Message, "it has not ended in 1h0m0s. A new spec, a request and a deletion do not wait for it any more")
			},
		},
		"that it does not end is told once": {
			state:    stateWith(operation("new", opToken, hangs), func(s *templateState) { s.timeout, s.hung = time.Hour, true }),
			exchange: []exchange{{actPoll, result{progress: running}}},
			phrase:   "Updating", ready: "False/OperationTimedOut", wait: 10 * time.Minute,
			check: func(t *testing.T, s *templateState) { require.Empty(t, s.notes) },
		},
		"a late end is taken": {
			state: stateWith(operation("new", opToken, hangs), func(s *templateState) { s.timeout = time.Hour }),
			exchange: []exchange{{actPoll, result{progress: radius.Progress{State: radius.Succeeded}}}, {actRead, result{deployment: &radius.Deployment{State: radius.Succeeded, Outputs: []string{webID}}}},
				{actSync, result{children: []child{{id: webID}}}}, {want: actLook}},
			phrase: "Ready", ready: "True/Succeeded",
		},
		"an edit does not wait for what does not end": {
			state: stateWith(operation("old", opToken, hangs), func(s *templateState) { s.timeout = time.Hour }),
			exchange: []exchange{{actSteps, result{steps: []step{{id: webID}}}}, {actAdopt, result{children: []child{{id: webID}}}}, {want: actProbe}, {want: actGroups}, {want: actSave},
				{actPut, result{err: &radius.Error{Status: 409, Detail: &radius.ServiceError{Code: "DeploymentActive", Message: "it is active"}}}}, {actRead, result{deployment: &radius.Deployment{State: radius.Running}}}},
			phrase: "Updating", ready: "Unknown/Creating", wait: time.Second,
			check: func(t *testing.T, s *templateState) {
				require.Equal(t, []string{webID}, s.status.OutputResources)
				require.Contains(t, s.notes[0].message, "runs on in Radius")
				require.Contains(t, s.status.Message, "DeploymentActive: it is active")
			},
		},
		"a request does not wait for what does not end": {
			state:    stateWith(operation("new", opToken, hangs), func(s *templateState) { s.timeout, s.request = time.Hour, "now" }),
			exchange: []exchange{{want: actSteps}, {want: actAdopt}, {want: actProbe}, {want: actGroups}, {want: actSave}, {actPut, result{progress: running}}},
			phrase:   "Updating", ready: "Unknown/Creating", wait: time.Second,
		},
		"what runs after that may be the one that does not end": {
			state:    stateWith(operation("new", ""), func(s *templateState) { s.status.Failure = &v1alpha3.Failure{Hash: runsOn + "old"} }),
			exchange: []exchange{{actRead, result{deployment: &radius.Deployment{State: radius.Running}}}},
			phrase:   "Updating", ready: "Unknown/Creating", wait: time.Second,
			check: func(t *testing.T, s *templateState) { require.Empty(t, s.status.Operation.Hash) },
		},
		"what is sent later takes what that one has made meanwhile": {
			state: stateWith(func(s *templateState) { s.status.Failure = &v1alpha3.Failure{Hash: runsOn + "old"} }),
			exchange: []exchange{
				{want: actProbe}, {want: actGroups}, {want: actSave},
				{actRead, result{deployment: &radius.Deployment{State: radius.Succeeded, Lists: true, Outputs: []string{envID}}}},
				{actAdopt, result{children: []child{{id: envID}}}}, {want: actSave}, {actPut, result{progress: running}},
			},
			phrase: "Updating", ready: "Unknown/Creating", wait: time.Second,
			check: func(t *testing.T, s *templateState) { require.Equal(t, []string{envID}, s.status.OutputResources) },
		},
		"what is sent later does not wait for it either": {
			state: stateWith(func(s *templateState) { s.status.Failure = &v1alpha3.Failure{Hash: runsOn + "old"} }),
			exchange: []exchange{
				{want: actProbe}, {want: actGroups}, {want: actSave}, {actRead, result{deployment: &radius.Deployment{State: radius.Running}}},
				{actPut, result{progress: running}},
			},
			phrase: "Updating", ready: "Unknown/Creating", wait: time.Second,
		},
		"what is sent again does not wait for what it depends on": {
			state:    stateWith(deployed, func(s *templateState) { s.depends, s.status.StatusHash = true, again+"new" }),
			exchange: []exchange{{want: actProbe}, {want: actGroups}, {want: actSave}, {actPut, result{progress: running}}},
			phrase:   "Updating", ready: "Unknown/Creating", wait: time.Second,
		},
		"what never arrived begins when it is sent": {
			state:    stateWith(operation("new", "", first, hangs), func(s *templateState) { s.timeout = time.Hour }),
			exchange: []exchange{{want: actRead}, {want: actSave}, {actPut, result{progress: running}}},
			phrase:   "Updating", ready: "Unknown/Creating", wait: time.Second,
		},
		"a deletion does not wait for what does not end": {
			state: stateWith(deleting, operation("new", opToken, hangs), func(s *templateState) { s.timeout = time.Hour }),
			exchange: []exchange{{actSteps, result{steps: []step{{id: webID}}}}, {actAdopt, result{children: []child{{id: webID}}}}, {actGather, result{children: []child{{id: webID}}}}, {want: actRecord},
				{actDeleteChildren, result{children: []child{{id: webID, deleting: true}}}}},
			phrase: "Deleting", ready: "False/Deleting", wait: childDelay,
			check: func(t *testing.T, s *templateState) {
				require.Equal(t, v1alpha3.EventOutputsUnknown, s.notes[0].reason)
			},
		},
		"an operation cannot be asked for": {
			state:    stateWith(operation("new", opToken)),
			exchange: []exchange{{actPoll, result{err: unavailable(503)}}},
			phrase:   "Updating", ready: "Unknown/RadiusUnavailable", retries: true,
			check: func(t *testing.T, s *templateState) {
				require.NotNil(t, s.status.Operation)
				require.Equal(t, 7*time.Second, s.retryWhen.after)
			},
		},
		"an edit while an operation runs is sent after it": {
			state: stateWith(operation("old", opToken)),
			exchange: []exchange{{actPoll, result{progress: radius.Progress{State: radius.Succeeded}}}, {actRead, result{deployment: &radius.Deployment{State: radius.Succeeded}}},
				{want: actSync}, {want: actProbe}, {want: actGroups}, {want: actSave}, {actPut, result{progress: running}}},
			phrase: "Updating", ready: "Unknown/Creating", wait: time.Second,
			check: func(t *testing.T, s *templateState) {
				require.Equal(t, "old", s.status.StatusHash)
				require.Equal(t, "new", s.status.Operation.Hash)
			},
		},
		"a failure is reported, and waited for": {
			state: stateWith(operation("new", opToken)),
			exchange: []exchange{{actPoll, result{progress: radius.Progress{State: radius.Failed, Error: failure}}}, {actSteps, result{steps: []step{{id: webID}}}},
				{actAdopt, result{children: []child{{id: webID}}}}},
			phrase: "Failed", ready: "False/Failed", wait: 30 * time.Second,
			check: func(t *testing.T, s *templateState) {
				require.Equal(t, "BadRequest: no such image", s.status.Message)
				require.Equal(t, []string{webID}, s.status.OutputResources)
				require.Equal(t, int32(1), s.status.Failure.Count)
				require.Len(t, s.notes, 1)
			},
		},
		"the third failure stalls": {
			state:    stateWith(operation("new", opToken), func(s *templateState) { s.status.Failure = &v1alpha3.Failure{Hash: "new", Count: 2} }),
			exchange: []exchange{{actPoll, result{progress: radius.Progress{State: radius.Failed, Error: failure}}}, {want: actSteps}, {want: actAdopt}},
			phrase:   "Failed", ready: "False/Failed", wait: 2 * time.Minute,
			check: func(t *testing.T, s *templateState) { require.NotNil(t, conditionOf(s, "Stalled")) },
		},
		"a failure of what was before the edit withholds what may be a secret": {
			state:    stateWith(operation("old", opToken, func(op *v1alpha3.ResourceOperation) { op.Secrets = true }), func(s *templateState) { s.knowsSent = false; s.suspended = false; s.specError = errors.New("wrong") }),
			exchange: []exchange{{actPoll, result{progress: radius.Progress{State: radius.Failed, Error: failure}}}, {want: actSteps}, {want: actAdopt}},
			phrase:   "Failed", ready: "False/InvalidSpec",
			check: func(t *testing.T, s *templateState) {
				for _, n := range s.notes {
					require.NotContains(t, n.message, "no such image")
				}
			},
		},
		"after a failure nothing is sent before the time": {
			state: stateWith(func(s *templateState) {
				s.status.Failure = &v1alpha3.Failure{Hash: "new", Count: 1, RetryAt: metav1.NewTime(start.Add(20 * time.Second))}
				s.status.Phrase = "Failed"
			}),
			phrase: "Failed", ready: "none", wait: 20 * time.Second,
		},
		"in a namespace that is being deleted nothing is sent": {
			state:    stateWith(deployed, func(s *templateState) { s.children = nil }),
			exchange: []exchange{{actLook, result{found: inspection{missing: []string{webID}}}}, {actProbe, result{closed: namespaceCloses}}},
			phrase:   "Updating", ready: "False/NamespaceCloses", wait: childDelay,
			check: func(t *testing.T, s *templateState) { require.Equal(t, []string{webID}, s.status.OutputResources) },
		},
		"without the CRD of the resources nothing is sent": {
			state:    stateWith(deployed, func(s *templateState) { s.children = nil }),
			exchange: []exchange{{actLook, result{found: inspection{missing: []string{webID}}}}, {actProbe, result{closed: crdCloses}}},
			phrase:   "Updating", ready: "False/SchemaOutdated", wait: childDelay,
			check: func(t *testing.T, s *templateState) { require.Equal(t, []string{webID}, s.status.OutputResources) },
		},
		"a request sends what is deployed once more": {
			state:    stateWith(deployed, func(s *templateState) { s.redeploy = "now" }),
			exchange: []exchange{{want: actProbe}, {want: actGroups}, {want: actSave}, {actPut, result{progress: running}}},
			phrase:   "Updating", ready: "Unknown/Creating", wait: time.Second,
			check: func(t *testing.T, s *templateState) {
				require.Equal(t, "now", s.status.LastHandledRedeployAt)
				require.Equal(t, "request", s.status.Operation.Reason)
				require.Contains(t, s.notes[0].message, "redeploy-requested-at")
				require.False(t, s.status.Operation.First)
			},
		},
		"a request that was handled sends nothing": {
			state:  stateWith(deployed, func(s *templateState) { s.redeploy, s.status.LastHandledRedeployAt = "now", "now" }),
			phrase: "Ready", ready: "True/Succeeded",
		},
		"a request while a deployment runs waits for its end": {
			state: stateWith(deployed, operation("new", opToken), func(s *templateState) { s.redeploy = "now" }),
			exchange: []exchange{{actPoll, result{progress: radius.Progress{State: radius.Succeeded}}}, {actRead, result{deployment: &radius.Deployment{State: radius.Succeeded, Outputs: []string{webID}}}},
				{actSync, result{children: []child{{id: webID}}}}, {want: actProbe}, {want: actGroups}, {want: actSave}, {actPut, result{progress: running}}},
			phrase: "Updating", ready: "Unknown/Creating", wait: time.Second,
		},
		"a request does not wait for the next try": {
			state: stateWith(func(s *templateState) {
				s.status.Failure = &v1alpha3.Failure{Hash: "new", RetryAt: metav1.NewTime(start.Add(time.Minute))}
				s.redeploy = "now"
			}),
			exchange: []exchange{{want: actProbe}, {want: actGroups}, {want: actSave}, {actPut, result{progress: running}}},
			phrase:   "Updating", ready: "Unknown/Creating", wait: time.Second,
		},
		"what is deployed is sent again after the interval": {
			state:    stateWith(deployed, func(s *templateState) { s.desired.Interval, s.status.DeployedAt = time.Hour, ago(time.Hour) }),
			exchange: []exchange{{want: actProbe}, {want: actGroups}, {want: actSave}, {actPut, result{progress: running}}},
			phrase:   "Updating", ready: "Unknown/Creating", wait: time.Second,
			check: func(t *testing.T, s *templateState) { require.Equal(t, "interval", s.status.Operation.Reason) },
		},
		"and not before": {
			state:  stateWith(deployed, func(s *templateState) { s.desired.Interval, s.status.DeployedAt = time.Hour, ago(50*time.Minute) }),
			phrase: "Ready", ready: "True/Succeeded", wait: 10 * time.Minute,
		},
		"the interval is spread": {
			state: stateWith(deployed, func(s *templateState) {
				s.desired.Interval, s.status.DeployedAt, s.spread = time.Hour, ago(time.Hour), 0.05
			}),
			phrase: "Ready", ready: "True/Succeeded", wait: 3 * time.Minute,
		},
		"a clock that was ahead does not put it off": {
			state:  stateWith(deployed, func(s *templateState) { s.desired.Interval, s.status.DeployedAt = time.Hour, ago(-24*time.Hour) }),
			phrase: "Ready", ready: "True/Succeeded", wait: time.Hour,
		},
		"one that fails when it is sent again is not ready": {
			state: stateWith(deployed, func(s *templateState) { s.redeploy = "now" }),
			exchange: []exchange{{want: actProbe}, {want: actGroups}, {want: actSave}, {actPut, result{progress: radius.Progress{State: radius.Failed, Error: failure}}},
				{want: actSteps}, {actAdopt, result{children: []child{{name: "web", id: webID}}}}},
			phrase: "Failed", ready: "False/Failed", wait: 30 * time.Second,
			check: func(t *testing.T, s *templateState) { require.Equal(t, []string{webID}, s.status.OutputResources) },
		},
		"a request sends a failed one now": {
			state: stateWith(func(s *templateState) {
				s.status.Failure = &v1alpha3.Failure{Hash: "new", RetryAt: metav1.NewTime(start.Add(time.Minute))}
				s.request = "now"
			}),
			exchange: []exchange{{want: actProbe}, {want: actGroups}, {want: actSave}, {actPut, result{progress: running}}},
			phrase:   "Updating", ready: "Unknown/Creating", wait: time.Second,
			check: func(t *testing.T, s *templateState) { require.Equal(t, "now", s.status.LastHandledReconcileAt) },
		},
		"killed before the request was sent": {
			state:    stateWith(operation("new", "", first)),
			exchange: []exchange{{actRead, result{}}, {actPut, result{progress: running}}},
			phrase:   "Updating", ready: "Unknown/Creating", wait: time.Second,
		},
		"killed after the first request was sent": {
			state:    stateWith(operation("new", "", first)),
			exchange: []exchange{{actRead, result{deployment: &radius.Deployment{State: radius.Running}}}},
			phrase:   "Updating", ready: "Unknown/Creating", wait: time.Second,
			check: func(t *testing.T, s *templateState) {
				require.Equal(t, radius.DeploymentToken(dtID), s.status.Operation.ResumeToken)
			},
		},
		"killed, and the first deployment has ended": {
			state:    stateWith(operation("new", "", first)),
			exchange: []exchange{{actRead, result{deployment: &radius.Deployment{State: radius.Succeeded, Outputs: []string{webID}}}}, {actSync, result{children: []child{{id: webID}}}}, {want: actLook}},
			phrase:   "Ready", ready: "True/Succeeded",
		},
		"killed, and what has ended may be the former deployment": {
			state:    stateWith(operation("new", "")),
			exchange: []exchange{{actRead, result{deployment: &radius.Deployment{State: radius.Succeeded, Outputs: []string{webID}, Lists: true}}}, {actAdopt, result{children: []child{{id: webID}}}}, {want: actSave}, {actPut, result{progress: running}}},
			phrase:   "Updating", ready: "Unknown/Creating", wait: time.Second,
			check: func(t *testing.T, s *templateState) {
				require.Equal(t, []string{webID}, s.status.OutputResources)
				require.Equal(t, start.Unix(), s.status.Operation.StartedAt.Unix(), "a deletion that began after the former one does not count")
			},
		},
		"killed, and what may be the former deployment has failed": {
			state: stateWith(operation("new", "")),
			exchange: []exchange{{actRead, result{deployment: &radius.Deployment{State: radius.Failed, Error: failure}}}, {actSteps, result{steps: []step{{id: webID}}}},
				{actAdopt, result{children: []child{{id: webID}}}}, {want: actSave}, {actPut, result{progress: running}}},
			phrase: "Updating", ready: "Unknown/Creating", wait: time.Second,
			check: func(t *testing.T, s *templateState) { require.Equal(t, []string{webID}, s.status.OutputResources) },
		},
		"killed, and what may be the former deployment does not say what it made": {
			state: stateWith(operation("new", "")),
			exchange: []exchange{{actRead, result{deployment: &radius.Deployment{State: radius.Succeeded}}}, {actSteps, result{steps: []step{{id: webID}}}},
				{actAdopt, result{children: []child{{id: webID}}}}, {want: actSave}, {actPut, result{progress: running}}},
			phrase: "Updating", ready: "Unknown/Creating", wait: time.Second,
			check: func(t *testing.T, s *templateState) {
				require.Equal(t, []string{webID}, s.status.OutputResources)
				require.Nil(t, s.status.Held, "the next deployment says what it makes")
			},
		},
		"what the former deployment did is asked for again": {
			state:    stateWith(operation("new", "")),
			exchange: []exchange{{actRead, result{deployment: &radius.Deployment{State: radius.Failed, Error: failure}}}, {actSteps, result{err: unavailable(503)}}},
			phrase:   "Updating", ready: "False/RadiusUnavailable", retries: true,
			check: func(t *testing.T, s *templateState) { require.NotNil(t, s.status.Operation) },
		},
		"what a deployment made before it failed is deleted with the object": {
			state: stateWith(deleting, operation("new", "")),
			exchange: []exchange{{actRead, result{deployment: &radius.Deployment{State: radius.Failed, Error: failure}}}, {actSteps, result{steps: []step{{id: webID}}}},
				{actAdopt, result{children: []child{{id: webID}}}}, {actGather, result{children: []child{{id: webID}}}}, {want: actRecord},
				{actDeleteChildren, result{children: []child{{id: webID, deleting: true}}}}},
			phrase: "Deleting", ready: "False/Deleting", wait: childDelay,
			check: func(t *testing.T, s *templateState) {
				require.Equal(t, []string{webID}, s.status.OutputResources)
				require.Equal(t, dtID, s.status.Resource, "the record of the deployment is deleted, too")
			},
		},
		"one that is sent again within a second has another time": {
			state: stateWith(operation("new", "", func(op *v1alpha3.ResourceOperation) { op.StartedAt = ago(0) })),
			exchange: []exchange{{actRead, result{deployment: &radius.Deployment{State: radius.Succeeded, Outputs: []string{webID}, Lists: true}}},
				{actAdopt, result{children: []child{{id: webID}}}}, {want: actSave}, {actPut, result{progress: running}}},
			phrase: "Updating", ready: "Unknown/Creating", wait: time.Second,
			check: func(t *testing.T, s *templateState) {
				require.Equal(t, start.Add(time.Second).Unix(), s.status.Operation.StartedAt.Unix())
			},
		},
		"a lost operation is sent again once": {
			state:    stateWith(operation("new", opToken)),
			exchange: []exchange{{actPoll, result{progress: radius.Progress{State: radius.Lost}}}, {actRead, result{}}, {want: actProbe}, {want: actGroups}, {want: actSave}, {actPut, result{progress: running}}},
			phrase:   "Updating", ready: "Unknown/Creating", wait: time.Second,
		},
		"an operation that is lost again is a failure": {
			state:    stateWith(operation("new", opToken), func(s *templateState) { s.status.Failure = &v1alpha3.Failure{Hash: "new", Count: 1} }),
			exchange: []exchange{{actPoll, result{progress: radius.Progress{State: radius.Lost}}}, {actRead, result{}}},
			phrase:   "Failed", ready: "False/Failed", wait: time.Minute,
		},
		"a request that may have arrived keeps the operation": {
			state:    stateWith(),
			exchange: []exchange{{want: actProbe}, {want: actGroups}, {want: actSave}, {actPut, result{err: unavailable(0)}}},
			phrase:   "Updating", ready: "False/RadiusUnavailable", retries: true,
			check: func(t *testing.T, s *templateState) { require.Empty(t, s.status.Operation.ResumeToken) },
		},
		"a request that is refused is a failure": {
			state:    stateWith(),
			exchange: []exchange{{want: actProbe}, {want: actGroups}, {want: actSave}, {actPut, result{err: &radius.Error{Status: 400, Detail: failure}}}},
			phrase:   "Failed", ready: "False/Failed", wait: 30 * time.Second,
			check: func(t *testing.T, s *templateState) { require.Nil(t, s.status.Operation) },
		},
		"a deployment that runs already is waited for": {
			state:    stateWith(func(s *templateState) { s.status.Resource = dtID }),
			exchange: []exchange{{want: actProbe}, {want: actGroups}, {want: actSave}, {actPut, result{err: unavailable(409)}}, {actRead, result{deployment: &radius.Deployment{State: radius.Running}}}},
			phrase:   "Updating", ready: "Unknown/Creating", wait: time.Second,
			check: func(t *testing.T, s *templateState) {
				require.Empty(t, s.status.Operation.Hash, "it may be that of another spec")
			},
		},
		"groups are refused": {
			state:    stateWith(),
			exchange: []exchange{{want: actProbe}, {actGroups, result{err: &radius.Error{Status: 403}}}},
			phrase:   "Failed", ready: "False/Failed", wait: 30 * time.Second,
		},
		"groups that others than Radius refuse": {
			state:    stateWith(),
			exchange: []exchange{{want: actProbe}, {actGroups, result{err: &radius.Error{Status: 403, Foreign: true}}}},
			phrase:   "Updating", ready: "False/RadiusUnavailable", retries: true,
			check: func(t *testing.T, s *templateState) { require.Nil(t, conditionOf(s, "Stalled")) },
		},
		"a deployment that others than Radius refuse may have arrived": {
			state:    stateWith(),
			exchange: []exchange{{want: actProbe}, {want: actGroups}, {want: actSave}, {actPut, result{err: &radius.Error{Status: 404, Foreign: true}}}},
			phrase:   "Updating", ready: "False/RadiusUnavailable", retries: true,
			check: func(t *testing.T, s *templateState) { require.NotNil(t, s.status.Operation) },
		},
		"at rest nothing is done": {
			state:  stateWith(deployed),
			phrase: "Ready", ready: "True/Succeeded",
		},
		"a reformatted spec is observed": {
			state:  stateWith(deployed, func(s *templateState) { s.generation = 3 }),
			phrase: "Ready", ready: "True/Succeeded",
			check: func(t *testing.T, s *templateState) { require.Equal(t, int64(3), s.status.ObservedGeneration) },
		},
		"drift is repaired": {
			state:    stateWith(deployed, func(s *templateState) { s.lookDue = true }),
			exchange: []exchange{{actLook, result{found: inspection{missing: []string{webID}, reason: "ResourceNotReady"}}}, {want: actProbe}, {want: actGroups}, {want: actSave}, {actPut, result{progress: running}}},
			phrase:   "Updating", ready: "Unknown/Creating", wait: time.Second,
			check: func(t *testing.T, s *templateState) { require.Equal(t, reasonDrift, s.status.Operation.Reason) },
		},
		"a request finds nothing missing": {
			state:    stateWith(deployed, func(s *templateState) { s.request = "1" }),
			exchange: []exchange{{want: actLook}},
			phrase:   "Ready", ready: "True/Succeeded",
			check: func(t *testing.T, s *templateState) { require.Equal(t, "1", s.status.LastHandledReconcileAt) },
		},
		"a look that fails leaves it ready": {
			state: stateWith(deployed, func(s *templateState) {
				s.lookDue = true
				s.say("Ready", verdict{generation: 2, ready: "True", reason: "Succeeded"})
			}),
			exchange: []exchange{{actLook, result{err: unavailable(503)}}},
			phrase:   "Ready", ready: "True/Succeeded", retries: true,
		},
		"a check holds ready back": {
			state:    stateWith(deployed, func(s *templateState) { s.status.VerifiedHash = "" }),
			exchange: []exchange{{actLook, result{found: inspection{reason: "ConnectionPending", message: "not approved"}}}},
			phrase:   "Updating", ready: "False/ConnectionPending", retries: true,
		},
		"a check that cannot be made leaves it unknown": {
			state:    stateWith(deployed, func(s *templateState) { s.status.VerifiedHash = "" }),
			exchange: []exchange{{actLook, result{found: inspection{reason: "ResourceNotReadable", message: "no access", severity: check.Info}}}},
			phrase:   "Updating", ready: "Unknown/ResourceNotReadable", retries: true,
			check: func(t *testing.T, s *templateState) { require.NotNil(t, conditionOf(s, "Reconciling")) },
		},
		"a check that does not pass by itself stalls it": {
			state:    stateWith(deployed, func(s *templateState) { s.status.VerifiedHash = "" }),
			exchange: []exchange{{actLook, result{found: inspection{reason: "ConnectionNotApproved", message: "rejected", severity: check.Error}}}},
			phrase:   "Updating", ready: "False/ConnectionNotApproved", retries: true,
			check: func(t *testing.T, s *templateState) {
				require.NotNil(t, conditionOf(s, "Stalled"))
				require.Nil(t, conditionOf(s, "Reconciling"))
			},
		},
		"an output without an object is looked at": {
			state:    stateWith(deployed, func(s *templateState) { s.children = nil }),
			exchange: []exchange{{actLook, result{children: []child{{id: webID}}}}},
			phrase:   "Ready", ready: "True/Succeeded",
		},
		"what vanished is still being deleted": {
			state:  stateWith(deployed, func(s *templateState) { s.children = append(s.children, child{id: envID, deleting: true}) }),
			phrase: "ReadyPendingCleanup", ready: "Unknown/ReadyPendingCleanup", wait: childDelay,
		},
		"the inventory is saved before objects are deleted": {
			state: stateWith(deleting, operation("new", opToken), func(s *templateState) { s.status.OutputResources = []string{envID} }),
			exchange: []exchange{{actPoll, result{progress: radius.Progress{State: radius.Succeeded}}}, {actRead, result{deployment: &radius.Deployment{State: radius.Succeeded, Outputs: []string{webID}}}},
				{actSync, result{children: []child{{id: webID}, {id: envID, deleting: true}}}}, {actGather, result{children: []child{{id: webID}, {id: envID, deleting: true}}}},
				{want: actRecord}, {actDeleteChildren, result{children: []child{{id: webID, deleting: true}}}}},
			phrase: "Deleting", ready: "False/Deleting", wait: childDelay,
			check: func(t *testing.T, s *templateState) {
				require.Equal(t, []string{webID}, s.status.OutputResources)
				require.Equal(t, []string{envID}, s.status.ObsoleteResources, "it is not known to be deleted yet")
			},
		},
		"the inventory is cleared when the API server shows no object": {
			state:    stateWith(deployed, func(s *templateState) { s.status.ObsoleteResources = []string{envID} }),
			exchange: []exchange{{actConfirmEmpty, result{children: []child{{id: webID}}}}},
			phrase:   "Ready", ready: "True/Succeeded",
			check: func(t *testing.T, s *templateState) { require.Empty(t, s.status.ObsoleteResources) },
		},
		"the inventory is kept while an object stands for it": {
			state:    stateWith(deployed, func(s *templateState) { s.status.ObsoleteResources = []string{envID} }),
			exchange: []exchange{{actConfirmEmpty, result{children: []child{{id: webID}, {id: envID, deleting: true}}}}},
			phrase:   "ReadyPendingCleanup", ready: "Unknown/ReadyPendingCleanup", wait: childDelay,
			check: func(t *testing.T, s *templateState) { require.Equal(t, []string{envID}, s.status.ObsoleteResources) },
		},
		"an object without a finalizer holds nothing": {
			state:    stateWith(deployed, func(s *templateState) { s.children[0].loose = true }),
			exchange: []exchange{{actLook, result{children: []child{{id: webID}}}}},
			phrase:   "Ready", ready: "True/Succeeded",
		},
		"a success that does not list what it made keeps what was there": {
			state: unlistedState(),
			exchange: []exchange{{actPoll, result{progress: radius.Progress{State: radius.Succeeded}}}, {actRead, result{deployment: &radius.Deployment{State: radius.Succeeded}}},
				{actSteps, result{steps: []step{{id: webID}}}}, {actAdopt, result{children: []child{{id: webID}, {id: envID}}}}, {want: actLook}},
			phrase: "Updating", ready: "False/OutputsUnknown",
			check: func(t *testing.T, s *templateState) {
				require.Equal(t, []string{webID, envID}, s.status.OutputResources)
				require.Equal(t, []string{envID}, s.status.Held.Resources)
				require.Contains(t, s.status.Message, s.status.Held.Token)
				require.NotNil(t, conditionOf(s, "Stalled"))
			},
		},
		"a success that lists nothing deletes what was there": {
			state: unlistedState(),
			exchange: []exchange{{actPoll, result{progress: radius.Progress{State: radius.Succeeded}}}, {actRead, result{deployment: &radius.Deployment{State: radius.Succeeded, Lists: true}}},
				{actSync, result{children: []child{{id: webID, deleting: true}, {id: envID, deleting: true}}}}, {want: actLook}},
			phrase: "ReadyPendingCleanup", ready: "Unknown/ReadyPendingCleanup", wait: childDelay,
		},
		"the steps name all that was there": {
			state: unlistedState(),
			exchange: []exchange{{actPoll, result{progress: radius.Progress{State: radius.Succeeded}}}, {actRead, result{deployment: &radius.Deployment{State: radius.Succeeded}}},
				{actSteps, result{steps: []step{{id: webID}, {id: envID}}}}, {actAdopt, result{children: []child{{id: webID}, {id: envID}}}}, {want: actLook}},
			phrase: "Ready", ready: "True/Succeeded",
		},
		"what is held is deleted when the user says so": {
			state:    stateWith(deployed, held, func(s *templateState) { s.confirm = "t1" }),
			exchange: []exchange{{want: actRecord}, {actDeleteChildren, result{children: []child{{id: webID}, {id: envID, deleting: true}}}}},
			phrase:   "ReadyPendingCleanup", ready: "Unknown/ReadyPendingCleanup", wait: childDelay,
			check: func(t *testing.T, s *templateState) { require.Equal(t, []string{envID}, s.status.ObsoleteResources) },
		},
		"the confirmation of another deployment counts for nothing": {
			state:  stateWith(deployed, held, func(s *templateState) { s.confirm = "t0" }),
			phrase: "Updating", ready: "False/OutputsUnknown",
		},
		"a failure that passes by itself is tried again soon": {
			state: stateWith(operation("new", opToken)),
			exchange: []exchange{{actPoll, result{progress: radius.Progress{State: radius.Failed, Error: &radius.ServiceError{Code: "DeploymentFailed", Details: []*radius.ServiceError{{Code: "ServiceUnavailable", Message: "busy"}}}}}},
				{want: actSteps}, {want: actAdopt}},
			phrase: "Failed", ready: "False/Failed", wait: 5 * time.Second,
		},
		"a next try that a wrong clock put far ahead": {
			state: stateWith(func(s *templateState) {
				s.status.Failure = &v1alpha3.Failure{Hash: "new", Count: 1, RetryAt: *ago(-48 * time.Hour)}
			}),
			ready: "none", wait: maxFailDelay,
			check: func(t *testing.T, s *templateState) { require.Equal(t, *ago(-maxFailDelay), s.status.Failure.RetryAt) },
		},
		"a wrong spec stalls": {
			state:  stateWith(func(s *templateState) { s.desired, s.specError = nil, errors.New("spec.template: it is not JSON") }),
			phrase: "Failed", ready: "False/InvalidSpec",
			check: func(t *testing.T, s *templateState) { require.NotNil(t, conditionOf(s, "Stalled")) },
		},
		"deletion waits for the operation": {
			state:    stateWith(deleting, operation("new", opToken)),
			exchange: []exchange{{actPoll, result{progress: running}}},
			phrase:   "Deleting", ready: "False/Deleting", wait: time.Second,
		},
		"deletion of what an operation made meanwhile": {
			state: stateWith(deleting, operation("new", opToken)),
			exchange: []exchange{{actPoll, result{progress: radius.Progress{State: radius.Succeeded}}}, {actRead, result{deployment: &radius.Deployment{State: radius.Succeeded, Outputs: []string{webID}}}},
				{actSync, result{children: []child{{id: webID}}}}, {actGather, result{children: []child{{id: webID}}}}, {want: actRecord},
				{actDeleteChildren, result{children: []child{{id: webID, deleting: true}}}}},
			phrase: "Deleting", ready: "False/Deleting", wait: childDelay,
		},
		"what has no object gets one before anything is deleted, whatever was said before": {
			state: stateWith(deleting, func(s *templateState) { s.status.Phrase, s.status.OutputResources = "Deleting", []string{webID} }),
			exchange: []exchange{{actGather, result{children: []child{{id: webID}}}},
				{actDeleteChildren, result{children: []child{{id: webID, deleting: true}}}}},
			phrase: "Deleting", ready: "False/Deleting", wait: childDelay,
			check: func(t *testing.T, s *templateState) { require.True(t, s.status.Gathered) },
		},
		"deletion ends": {
			state: stateWith(deleting, func(s *templateState) {
				s.status.Resource, s.status.Gathered, s.status.OutputResources = dtID, true, []string{webID} // its object is gone
			}),
			exchange: []exchange{{want: actConfirmEmpty}, {want: actDeleteDeployment}, {want: actRelease}},
			phrase:   "Deleting", ready: "False/Deleting",
		},
		"deletion sees an object that the cache did not show": {
			state:    stateWith(deleting, func(s *templateState) { s.status.Gathered = true }),
			exchange: []exchange{{actConfirmEmpty, result{children: []child{{id: webID}}}}, {actDeleteChildren, result{children: []child{{id: webID, deleting: true}}}}},
			phrase:   "Deleting", ready: "False/Deleting", wait: childDelay,
		},
		"a suspended one that is deleted waits": {
			state:  stateWith(deleting, deployed, operation("new", opToken), func(s *templateState) { s.suspended = true }),
			phrase: "Deleting", ready: "False/Suspended",
			check: func(t *testing.T, s *templateState) {
				require.Contains(t, s.status.Message, "Remove the annotation to delete what was deployed, or set radapp.io/deletion-policy: orphan to leave it")
			},
		},
		"a suspended one that is orphaned goes": {
			state:    stateWith(deleting, deployed, func(s *templateState) { s.suspended, s.orphan = true, true }),
			exchange: []exchange{{want: actOrphan}, {want: actRelease}},
			ready:    "none",
		},
		"orphans are let go": {
			state:    stateWith(deleting, deployed, func(s *templateState) { s.orphan = true }),
			exchange: []exchange{{want: actOrphan}, {want: actRelease}},
			ready:    "none",
		},
		"another controller's operation is not continued": {
			state: stateWith(func(s *templateState) {
				s.status.Operation = &v1alpha3.ResourceOperation{OperationKind: "PUT", ResumeToken: `{"type":"x"}`}
			}),
			exchange: []exchange{{want: actProbe}, {want: actGroups}, {want: actSave}, {actPut, result{progress: running}}},
			phrase:   "Updating", ready: "Unknown/Creating", wait: time.Second,
		},
		"the record in the former scope is deleted": {
			state: stateWith(operation("new", opToken), func(s *templateState) {
				s.status.Resource = "/planes/radius/local/resourceGroups/former/providers/Microsoft.Resources/deployments/d"
			}),
			exchange: []exchange{{actPoll, result{progress: radius.Progress{State: radius.Succeeded}}}, {actRead, result{deployment: &radius.Deployment{State: radius.Succeeded}}},
				{want: actSync}, {want: actDeleteDeployment}, {want: actLook}},
			phrase: "Ready", ready: "True/Succeeded",
			check: func(t *testing.T, s *templateState) { require.Equal(t, dtID, s.status.Resource) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := tt.state
			for i, e := range tt.exchange {
				require.Equal(t, e.want, nextAction(t, s), "action %d", i)
				absorbTemplate(s, e.want, e.back)
			}
			require.Equal(t, actWait, nextAction(t, s))
			require.NotNil(t, s.wait)
			require.Equal(t, tt.wait, *s.wait)
			require.Equal(t, tt.retries, s.retryWhen.set)
			require.Equal(t, tt.phrase, s.status.Phrase)
			ready := "none"
			if c := s.ready(); c != nil {
				ready = string(c.Status) + "/" + c.Reason
				require.NotEmpty(t, c.Message)
			}
			require.Equal(t, tt.ready, ready)
			if tt.check != nil {
				tt.check(t, s)
			}
		})
	}
}

// nextAction is the next action that asks anybody. A decision must change nothing, and be the same when it is made twice.
func nextAction(t *testing.T, s *templateState) action {
	t.Helper()
	for {
		before := *s
		before.status = s.status.DeepCopy()
		before.children, before.notes = slices.Clone(s.children), slices.Clone(s.notes)
		d := decideTemplate(s)
		require.Equal(t, &before, s, "decideTemplate has changed what it decides about")
		require.Equal(t, d, decideTemplate(s))
		s.take(d)
		if d.action <= actRelease {
			return d.action
		}
		absorbTemplate(s, d.action, result{})
	}
}

// nextResourceAction is the same for a DeploymentResource.
func nextResourceAction(t *testing.T, s *resourceState) resourceAction {
	t.Helper()
	for {
		before := *s
		before.status = s.status.DeepCopy()
		before.notes = slices.Clone(s.notes)
		d := decideResource(s)
		require.Equal(t, &before, s, "decideResource has changed what it decides about")
		require.Equal(t, d, decideResource(s))
		s.take(d)
		if d.action <= resAddFinalizer {
			return d.action
		}
		absorbResource(s, d.action, resourceResult{})
	}
}

func conditionOf(s *templateState, typ string) *metav1.Condition {
	for i := range s.status.Conditions {
		if s.status.Conditions[i].Type == typ {
			return &s.status.Conditions[i]
		}
	}
	return nil
}

// goneState is a DeploymentResource that is being deleted.
func goneState(id string, change ...func(*resourceState)) *resourceState {
	parsed, err := resourceid.Parse(id)
	s := &resourceState{now: start, generation: 2, deleting: true, finalizer: true, id: parsed, idError: err, version: "v1", owner: ownership{recorded: true}, status: &v1alpha3.DeploymentResourceStatus{}, pollLimit: 5 * time.Second}
	for _, f := range change {
		f(s)
	}
	return s
}

type resourceExchange struct {
	want resourceAction
	back resourceResult
}

func unrecorded(s *resourceState) { s.owner = ownership{} }

func living(s *resourceState) { s.deleting = false }

func TestDecideResource(t *testing.T) {
	deletion := func(s *resourceState) {
		s.status.Operation = &v1alpha3.ResourceOperation{OperationKind: "DELETE", ResumeToken: opToken, StartedAt: ago(time.Second)}
	}
	done := radius.Progress{State: radius.Succeeded}
	for name, tt := range map[string]struct {
		state    *resourceState
		exchange []resourceExchange
		last     resourceAction
		phrase   v1alpha3.DeploymentResourcePhrase
		ready    string
		wait     time.Duration
		message  string
	}{
		"a living one that nobody recorded":        {state: goneState(webID, unrecorded, living), exchange: []resourceExchange{{want: resOwner}}, phrase: "Failed", ready: "False/NotRecorded", message: "deleting it deletes nothing", wait: 5 * time.Minute},
		"a living one that was recorded late":      {state: goneState(webID, unrecorded, living), exchange: []resourceExchange{{resOwner, resourceResult{owner: ownership{recorded: true}}}}, phrase: "Ready", ready: "True/Succeeded"},
		"nobody recorded it":                       {state: goneState(webID, unrecorded), exchange: []resourceExchange{{want: resOwner}}, last: resRelease, phrase: "Deleted", ready: "False/Deleted", message: "not deleted: no DeploymentTemplate"},
		"what nobody recorded need not be an ID":   {state: goneState("/planes/radius/local/../x", unrecorded), exchange: []resourceExchange{{want: resOwner}}, last: resRelease, phrase: "Deleted", ready: "False/Deleted"},
		"the owner's deployment says who made it":  {state: goneState(webID, unrecorded), exchange: []resourceExchange{{resOwner, resourceResult{owner: ownership{busy: true}}}}, phrase: "Deleting", ready: "False/Deleting", wait: childDelay, message: "waits for the end of the deployment"},
		"a deletion that was begun goes on":        {state: goneState(webID, unrecorded, deletion), exchange: []resourceExchange{{resPoll, resourceResult{progress: done}}}, last: resRelease, phrase: "Deleted", ready: "False/Deleted"},
		"another program's operation is no right":  {state: goneState(webID, unrecorded, func(s *resourceState) { s.status.Operation = &v1alpha3.ResourceOperation{OperationKind: "DELETE"} }), exchange: []resourceExchange{{want: resOwner}}, last: resRelease, phrase: "Deleted", ready: "False/Deleted"},
		"a finalizer that was removed is put back": {state: goneState(webID, living, func(s *resourceState) { s.finalizer = false }), exchange: []resourceExchange{{want: resAddFinalizer}}, phrase: "Ready", ready: "True/Succeeded"},
		"a next try to delete that a wrong clock put far ahead": {state: goneState(webID, func(s *resourceState) {
			s.status.Failure = &v1alpha3.Failure{Count: 1, RetryAt: *ago(-time.Hour)}
			s.say(deletingBecause("waits"))
		}), phrase: "Deleting", ready: "False/Deleting", wait: maxDeleteDelay},
		"a living one is ready":              {state: goneState(webID, func(s *resourceState) { s.deleting = false }), phrase: "Ready", ready: "True/Succeeded"},
		"deleted at once":                    {state: goneState(webID), exchange: []resourceExchange{{want: resHolders}, {resDelete, resourceResult{progress: done}}}, last: resRelease, phrase: "Deleted", ready: "False/Deleted"},
		"a 404 that does not name it":        {state: goneState(webID), exchange: []resourceExchange{{want: resHolders}, {resDelete, resourceResult{err: &radius.Error{Status: 404}}}}, phrase: "Deleting", ready: "False/RadiusUnavailable"},
		"a 404 that is not Radius'":          {state: goneState(webID), exchange: []resourceExchange{{want: resHolders}, {resDelete, resourceResult{err: &radius.Error{Status: 404, Foreign: true, Detail: &radius.ServiceError{Message: "404 page not found"}}}}}, phrase: "Deleting", ready: "False/RadiusUnavailable", message: "what answered is not Radius: 404 Not Found, 404 page not found"},
		"a deletion that is asked of others": {state: goneState(webID, deletion), exchange: []resourceExchange{{resPoll, resourceResult{err: &radius.Error{Status: 403, Foreign: true}}}}, phrase: "Deleting", ready: "False/RadiusUnavailable"},
		"deleted in time":                    {state: goneState(webID), exchange: []resourceExchange{{want: resHolders}, {resDelete, resourceResult{progress: radius.Progress{State: radius.Running, Token: opToken}}}}, phrase: "Deleting", ready: "False/Deleting", wait: time.Second},
		"the deletion has ended":             {state: goneState(webID, deletion), exchange: []resourceExchange{{resPoll, resourceResult{progress: done}}}, last: resRelease, phrase: "Deleted", ready: "False/Deleted"},
		"the deletion is lost":               {state: goneState(webID, deletion), exchange: []resourceExchange{{resPoll, resourceResult{progress: radius.Progress{State: radius.Lost}}}, {resRead, resourceResult{}}}, last: resRelease, phrase: "Deleted", ready: "False/Deleted"},
		"the deletion failed":                {state: goneState(webID, deletion), exchange: []resourceExchange{{resPoll, resourceResult{progress: radius.Progress{State: radius.Failed, Error: &radius.ServiceError{Message: "in use"}}}}}, phrase: "Failed", ready: "False/DeletionFailed", wait: 5 * time.Second, message: "in use"},
		"the deletion does not end":          {state: goneState(webID, deletion, func(s *resourceState) { s.timeout = time.Second }), exchange: []resourceExchange{{resPoll, resourceResult{progress: radius.Progress{State: radius.Running, Token: opToken}}}}, phrase: "Failed", ready: "False/DeletionFailed", wait: 5 * time.Second, message: "the deletion did not end in 1s; it is sent again"},
		"it is refused":                      {state: goneState(webID), exchange: []resourceExchange{{want: resHolders}, {resDelete, resourceResult{err: &radius.Error{Status: 403}}}}, phrase: "Failed", ready: "False/DeletionFailed", wait: 5 * time.Second, message: "Forbidden"},
		"it is being changed":                {state: goneState(webID), exchange: []resourceExchange{{want: resHolders}, {resDelete, resourceResult{err: &radius.Error{Status: 409}}}}, phrase: "Deleting", ready: "False/Deleting"},
		"another holds it":                   {state: goneState(webID), exchange: []resourceExchange{{resHolders, resourceResult{holder: "a DeploymentTemplate of another namespace"}}}, last: resRelease, phrase: "Deleted", ready: "False/Deleted", message: "of another namespace"},
		"a sibling goes first":               {state: goneState(envID, func(s *resourceState) { s.waitsFor = []string{webID} }), phrase: "Deleting", ready: "False/Deleting", wait: childDelay, message: "waits for"},
		"no version is saved":                {state: goneState(webID, func(s *resourceState) { s.version = "" }), exchange: []resourceExchange{{want: resHolders}, {resVersion, resourceResult{version: "v2"}}, {resDelete, resourceResult{progress: done}}}, last: resRelease, phrase: "Deleted", ready: "False/Deleted"},
		"no version is known":                {state: goneState(webID, func(s *resourceState) { s.version = "" }), exchange: []resourceExchange{{want: resHolders}, {resVersion, resourceResult{}}}, phrase: "Failed", ready: "False/DeletionFailed", wait: 5 * time.Second, message: "API version"},
		"the saved version is wrong":         {state: goneState(webID), exchange: []resourceExchange{{want: resHolders}, {resDelete, resourceResult{err: &radius.Error{Status: 400, Detail: &radius.ServiceError{Message: "api version 'v1' is not supported"}}}}, {resVersion, resourceResult{version: "v2"}}, {resDelete, resourceResult{progress: done}}}, last: resRelease, phrase: "Deleted", ready: "False/Deleted"},
		"Azure is not reached":               {state: goneState("/subscriptions/s/resourceGroups/g/providers/A.B/c/d"), exchange: []resourceExchange{{want: resHolders}, {resDelete, resourceResult{err: &radius.Error{Status: 404, Detail: &radius.ServiceError{Code: "NotFound"}}}}}, phrase: "Failed", ready: "False/DeletionFailed", wait: 5 * time.Second, message: "/subscriptions/s/resourceGroups/g/providers/A.B/c/d"},
		"Azure's subscription is away":       {state: goneState("/subscriptions/s/resourceGroups/g/providers/A.B/c/d"), exchange: []resourceExchange{{want: resHolders}, {resDelete, resourceResult{err: &radius.Error{Status: 404, Detail: &radius.ServiceError{Code: "SubscriptionNotFound"}}}}}, phrase: "Failed", ready: "False/DeletionFailed", wait: 5 * time.Second},
		"a scope is never deleted":           {state: goneState(scope), last: resRelease, phrase: "Deleted", ready: "False/Deleted"},
		"Kubernetes' objects":                {state: goneState("/planes/kubernetes/local/namespaces/n/providers/apps/Deployment/d"), phrase: "Failed", ready: "False/DeletionFailed", wait: 5 * time.Second, message: "kubectl"},
		"not an ID":                          {state: goneState("/planes/radius/local/../x"), phrase: "Failed", ready: "False/DeletionFailed", wait: 5 * time.Second},
		"an orphan":                          {state: goneState(webID, func(s *resourceState) { s.orphan = true }), last: resRelease, phrase: "Deleted", ready: "False/Deleted"},
		"the owner is suspended":             {state: goneState(webID, func(s *resourceState) { s.suspended = true }), phrase: "Deleting", ready: "False/Suspended", wait: childDelay},
		"deployed again and wanted":          {state: goneState(webID, func(s *resourceState) { s.again = "1" }), exchange: []resourceExchange{{resOwner, resourceResult{owner: ownership{recorded: true, wanted: true}}}}, last: resRelease, phrase: "Deleted", ready: "False/Deleted"},
		"deployed again and not wanted": {state: goneState(webID, deletion, func(s *resourceState) { s.again = "1" }),
			exchange: []resourceExchange{{resPoll, resourceResult{progress: done}}, {resOwner, resourceResult{owner: ownership{recorded: true}}}, {want: resHolders}, {resDelete, resourceResult{progress: done}}}, last: resRelease, phrase: "Deleted", ready: "False/Deleted"},
	} {
		t.Run(name, func(t *testing.T) {
			s := tt.state
			for i, e := range tt.exchange {
				require.Equal(t, e.want, nextResourceAction(t, s), "action %d", i)
				absorbResource(s, e.want, e.back)
			}
			require.Equal(t, tt.last, nextResourceAction(t, s))
			if tt.last == resWait {
				require.NotNil(t, s.wait)
				require.Equal(t, tt.wait, *s.wait)
			}
			require.Equal(t, tt.phrase, s.status.Phrase)
			require.NotEmpty(t, s.status.Conditions)
			require.Equal(t, tt.ready, string(s.status.Conditions[0].Status)+"/"+s.status.Conditions[0].Reason)
			require.Contains(t, s.status.Message, tt.message)
		})
	}
}

func TestDelaysOfDeletionsThatFail(t *testing.T) {
	s := goneState(webID)
	var got []time.Duration
	for range 6 {
		s.wait = nil
		s.fail("no")
		got = append(got, *s.wait)
	}
	require.Equal(t, []time.Duration{5 * time.Second, 10 * time.Second, 20 * time.Second, 40 * time.Second, time.Minute, time.Minute}, got)
}

// A wait that Radius asked for is over for another spec and for a request of the user, and its end is said.
func TestWaits(t *testing.T) {
	e := &remembered{}
	require.Equal(t, 8*time.Minute, e.delay(retry{set: true, after: 8 * time.Minute}, start, "1  false"))
	require.Equal(t, 8*time.Minute, e.held(start, "1  false", 0))
	require.Zero(t, e.held(start, "2  false", 0), "another generation")
	require.Zero(t, e.held(start, "1 now false", 0), "a request")

	message, conditions := "busy", []metav1.Condition{{Message: "busy"}}
	untilWhen(&message, conditions, start, 5*time.Second)
	require.Equal(t, "busy", message)
	untilWhen(&message, conditions, start, 8*time.Minute)
	require.Equal(t, "busy; tried again at 2026-01-01T00:08:00Z", message)
	require.Equal(t, message, conditions[0].Message)
	untilWhen(&message, conditions, start, 9*time.Minute)
	require.Equal(t, "busy; tried again at 2026-01-01T00:09:00Z", message, "it is said once")
	message, conditions = "deployed", []metav1.Condition{{Type: "Ready", Status: "True", Message: "deployed"}}
	untilWhen(&message, conditions, start, 9*time.Minute)
	require.Equal(t, "deployed", message, "a look that fails leaves it ready")
	require.Equal(t, "deployed", conditions[0].Message)
}

// What is remembered of secrets is bounded: of a user who edits a large spec again and again, the newest count.
func TestWhatIsRememberedOfSecretsIsBounded(t *testing.T) {
	e := &remembered{secrets: &deployment.Secrets{}}
	edit := func(n, words int) string {
		d := &deployment.Deployment{Hash: fmt.Sprint(n), Secrets: &deployment.Secrets{}}
		for i := range words {
			d.Secrets.Add(fmt.Sprintf("secret-%d-%d-%s", n, i, strings.Repeat("x", 100)))
		}
		e.remember(d, sources{secrets: []string{fmt.Sprintf("source-%d", n)}})
		return d.Hash
	}
	small := edit(0, 1)
	for n := range 100 {
		edit(1+n, 9_000)
	}
	newest := edit(1000, 1)
	size := 0
	for _, s := range e.specs {
		size += s.secrets.Size()
	}
	require.Less(t, size, 20<<20)
	require.True(t, e.knows(newest))
	require.False(t, e.knows(small), "what Radius says of it is withheld")
	require.Equal(t, "(redacted) (redacted) source-0", e.secrets.Redact("secret-1000-0-"+strings.Repeat("x", 100)+" source-1000 source-0"))

	edit(2000, 30_000)
	require.Contains(t, e.secrets.Redact("source-2000"), "withheld")
	edit(2001, 1)
	require.Equal(t, "deployed (redacted)", e.secrets.Redact("deployed source-2001"), "too many secrets are of the former spec")
}

func TestTheIntervalIsSpread(t *testing.T) {
	seen := map[float64]bool{}
	for n := range 100 {
		spread := spreadOf(types.UID(fmt.Sprint(n)), ago(0))
		require.GreaterOrEqual(t, spread, 0.0)
		require.Less(t, spread, 0.1)
		seen[spread] = true
	}
	require.Greater(t, len(seen), 50)
	require.NotEqual(t, spreadOf("u", ago(0)), spreadOf("u", ago(time.Minute)))
}
