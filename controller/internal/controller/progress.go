package controller

import (
	"fmt"
	"strings"
	"time"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/internal/radius"
	"github.com/radbicep/rad/controller/internal/resourceid"
)

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
