// Package planning finds what plan shows: the targets of both sides of a comparison, and what each
// deploys.
//
// Begin with Planner.Sections.
package planning

import (
	"context"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/deliver"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/pkg/bicep/plan"
	"github.com/radbicep/rad/pkg/manifest"
)

// Planner makes the plans of targets.
type Planner struct {
	*deliver.Delivery
	Against       string // the manifests to compare with: a file, a folder, or - for standard input
	AllConditions bool   // plan also what is not deployed since its condition is false
	BaseShort     string // what lines of a plan call the revision that OpenRevisions opened

	base     *project.Work     // reads what is compared with; nil where no revision is compared
	baseText string            // what titles call it
	was      []*project.Target // what base makes
	deployed []manifest.Deployed
}

// OpenRevisions opens the revisions to compare: REV, A..B or A...B; "" is none.
func (p *Planner) OpenRevisions(ctx context.Context, revisions string) (closeBase func(), err error) {
	if revisions == "" {
		return func() {}, nil
	}
	if p.Project.External {
		return nil, cli.Fail(cli.ExitUsage, "--base needs the embedded compiler: another one reads files from the disk only")
	}
	b, notice, err := p.Work.OpenBase(ctx, revisions)
	if err != nil {
		return nil, err
	}
	if notice != "" {
		p.Found.Notice(notice)
	}
	p.baseText, p.BaseShort, p.base = b.Text, b.Short, p.Work.At(b.Before)
	sides := []*project.Work{p.base}
	if b.After != nil {
		p.Tree = b.After
		sides = append(sides, p.Work)
	}
	for _, side := range sides {
		if notice, err = side.SettleAt(); err != nil {
			b.Close()
			return nil, err
		}
		if notice != "" {
			p.Found.Notice(notice)
		}
	}
	return b.Close, nil
}

// Sections returns the plans of the targets that arguments name, or of those that the settings list.
// What is wrong with them is reported.
func (p *Planner) Sections(ctx context.Context, args []string) ([]plan.Section, error) {
	tasks, err := p.targets(args)
	if err == nil {
		err = p.CheckOptions(tasks)
	}
	if err != nil {
		return nil, err
	}
	if err := p.readAgainst(); err != nil {
		return nil, err
	}
	return p.sections(ctx, tasks)
}

// targets returns what there is to plan, and notes what the base makes. With --base, an argument, or a
// word of --only, may name what only one of the two sides has.
func (p *Planner) targets(args []string) ([]*project.Target, error) {
	if p.base == nil {
		return p.Work.TargetsAt(args)
	}
	p.Compared, p.base.Compared = true, true
	tasks, err := p.bothTargets(args)
	if err == nil {
		err = project.CheckOnly(p.Work, p.base)
	}
	return tasks, err
}

func (p *Planner) bothTargets(args []string) ([]*project.Target, error) {
	if len(args) == 0 {
		tasks, err := p.Work.TargetsAt(args)
		if err == nil {
			p.was, err = p.base.TargetsAt(args)
		}
		return tasks, err
	}
	var now, then []string
	for _, arg := range args {
		_, err := p.Work.ArgumentTargets([]string{arg})
		_, wasErr := p.base.ArgumentTargets([]string{arg})
		if err != nil && (!project.NamesNothing(err) || wasErr != nil) {
			return nil, err
		}
		if wasErr != nil && !project.NamesNothing(wasErr) {
			return nil, wasErr
		}
		if err == nil {
			now = append(now, arg)
		}
		if wasErr == nil {
			then = append(then, arg)
		}
	}
	tasks, err := p.Work.ArgumentTargets(now)
	if err == nil {
		p.was, err = p.base.ArgumentTargets(then)
	}
	return tasks, err
}
