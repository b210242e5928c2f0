package controller

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/internal/radius"
	"github.com/radbicep/rad/controller/internal/resourceid"
)

// progress is what is known of the steps of a running deployment. It is remembered between polls; when the
// process ends, the next one begins afresh.
type progress struct {
	operation string                   // that it is of
	modules   map[string][]radius.Step // of modules that have ended
	steps     map[string]*stepSeen     // by key
	order     []string                 // their keys, as they were first listed
	changed   time.Time                // when a step began or ended last
	polls     int
	empty     int // how often nothing was listed
}

type stepSeen struct {
	id    resourceid.ID
	state radius.State
	since time.Time
}

const (
	// stepsDelay is the longest time between two polls while steps follow each other.
	stepsDelay = 2500 * time.Millisecond
	// stepsRest is the time without a change after which polls become as rare as --poll-interval says.
	stepsRest = 2 * time.Minute
	// maxEmpty is how often nothing may be listed before it is asked for no more: not every Radius lists steps.
	maxEmpty = 3
	// askEvery is the number of polls after which the operation itself is asked for, whatever the steps say.
	askEvery = 4
)

// progressOf is what is remembered of the steps of an operation.
func (e *remembered) progressOf(op *v1alpha3.ResourceOperation) *progress {
	name := op.Resource + " " + op.Hash
	if op.StartedAt != nil {
		name += " " + op.StartedAt.UTC().Format(time.RFC3339)
	}
	if e.progress == nil || e.progress.operation != name {
		e.progress = &progress{operation: name, modules: map[string][]radius.Step{}, steps: map[string]*stepSeen{}}
	}
	return e.progress
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

// see takes in what was listed, and returns the steps that have ended since.
func (p *progress) see(listed []radius.Step, now time.Time) (ended []resourceid.ID) {
	if len(listed) == 0 {
		p.empty++
		return nil
	}
	p.empty = 0
	for _, l := range listed {
		id, err := resourceid.Parse(l.ID)
		if err != nil || id.IsScope() || id.IsDeployment() {
			continue
		}
		was := p.steps[id.Key()]
		if was == nil {
			was = &stepSeen{id: id, state: radius.Running, since: now}
			p.steps[id.Key()] = was
			p.order = append(p.order, id.Key())
			p.changed = now
		}
		if l.State != was.state {
			was.state, p.changed = l.State, now
			if l.State == radius.Succeeded {
				ended = append(ended, id)
			}
		}
	}
	return ended
}

func (p *progress) runs() bool {
	for _, s := range p.steps {
		if s.state == radius.Running {
			return true
		}
	}
	return false
}

// without are the steps for which there is no object.
func (p *progress) without(children []child) []string {
	held := map[string]bool{}
	for _, c := range children {
		held[resourceid.Key(c.id)] = true
	}
	var missing []string
	for _, key := range p.order {
		if !held[key] {
			missing = append(missing, p.steps[key].id.String())
		}
	}
	return missing
}

// delay is the longest time until the next poll; 0 leaves it to the settings.
func (p *progress) delay(now time.Time) time.Duration {
	if len(p.steps) > 0 && now.Sub(p.changed) < stepsRest {
		return stepsDelay
	}
	return 0
}

// text says how far it is. It changes with the steps, and seldom besides: each change is written to the object.
func (p *progress) text(now time.Time, total int) string {
	if len(p.steps) == 0 {
		return ""
	}
	const most = 3
	made, more := 0, 0
	var makes []string
	for _, key := range p.order {
		step := p.steps[key]
		switch {
		case step.state == radius.Succeeded:
			made++
		case step.state != radius.Running:
		case len(makes) == most:
			more++
		default:
			makes = append(makes, shortName(step.id)+since(now.Sub(step.since)))
		}
	}
	text := fmt.Sprintf("%d made", made)
	if total > 0 {
		text = fmt.Sprintf("%d of %d made", made, max(total, len(p.steps)))
	}
	if len(makes) > 0 {
		text += "; makes " + strings.Join(makes, ", ")
	}
	if more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// since is a time in words that change ever less often.
func since(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return ""
	case d < time.Minute:
		return fmt.Sprintf(" since %d s", int(d/(10*time.Second))*10)
	}
	return fmt.Sprintf(" since %d min", int(d/time.Minute))
}

// shortName names a resource for people: redisCaches/db.
func shortName(id resourceid.ID) string {
	return id.Type()[strings.LastIndex(id.Type(), "/")+1:] + "/" + id.Name()
}

// stepNotes are the events for steps that have ended.
func stepNotes(ended []resourceid.ID) []note {
	notes := make([]note, 0, len(ended))
	for _, id := range ended {
		notes = append(notes, note{false, v1alpha3.EventResourceDeployed, shortName(id) + " is made"})
	}
	return notes
}
