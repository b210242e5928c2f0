package controller

import (
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/radbicep/rad/controller/internal/radius"
	"github.com/radbicep/rad/controller/internal/resourceid"
)

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
	awaits     string   // why the spec is not sent yet
	circle     bool

	progressText string
	ended        []resourceid.ID // steps that have ended since the last poll
	pollWithin   time.Duration
	found        inspection
	rivals       []rival
}

// absorbTemplate takes in what came back from an action.
func absorbTemplate(s *templateState, a action, r result) {
	switch a {
	case actAddFinalizer:
		s.finalizer = true
	case actOwn:
		s.children = slices.Clone(s.children)
		for i := range s.children {
			s.children[i].unowned = false
		}
	case actPoll:
		s.absorbPoll(r)
	case actRead:
		s.absorbRead(r)
	case actSteps:
		s.absorbSteps(r)
	case actAdopt:
		s.absorbAdopt(r)
	case actSync:
		s.absorbSync(r)
	case actDepend:
		s.awaited, s.awaits, s.circle = true, r.awaits, r.circle
	case actProbe:
		s.probed, s.closed = true, r.closed
	case actGroups:
		s.absorbGroups(r.err)
	case actSave:
		if s.stage = stageSend; s.runsOn() && !s.former {
			s.stage, s.former = stageFormer, true
		}
	case actPut:
		s.absorbPut(r)
	case actLook:
		s.absorbLook(r)
	case actDeleteDeployment:
		s.absorbDeleteDeployment(r.err)
	case actDeleteChildren:
		s.children = r.children
	case actGather:
		s.children, s.status.Gathered = r.children, true
	case actConfirmEmpty, actOrphan:
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
	case actAbandon:
		s.abandoned, s.unlisted, s.passing, s.stage = true, false, false, stageFailed
		s.failed = fmt.Sprintf("the deployment did not end in %s", s.timeout)
	case actRedeploy:
		s.sendOnce()
	case actSettle:
		s.status.ObsoleteResources, s.status.Failure = nil, nil
	}
}
