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
	"github.com/radbicep/rad/cmd/rad/internal/targets"
	"github.com/radbicep/rad/pkg/bicep/plan"
	"github.com/radbicep/rad/pkg/manifest"
)

// Planner makes the plans of targets.
type Planner struct {
	*deliver.Delivery
	Against       string // the manifests to compare with: a file, a folder, or - for standard input
	AllConditions bool   // plan also what is not deployed since its condition is false
	BaseShort     string // what lines of a plan call the revision that is compared with

	now      project.Side
	base     project.Side      // what is compared with; its Tree is nil where no revision is compared
	baseText string            // what titles call it
	was      []*targets.Target // what base makes
	deployed []manifest.Deployed
}

// OpenRevisions opens the revisions to compare: REV, A..B or A...B; "" is none.
func (p *Planner) OpenRevisions(ctx context.Context, revisions string) (closeBase func(), err error) {
	p.now = p.Disk()
	if revisions == "" {
		return func() {}, nil
	}
	if p.External {
		return nil, cli.Fail(cli.ExitUsage, "--base needs the embedded compiler: another one reads files from the disk only")
	}
	b, notice, err := p.OpenBase(ctx, revisions)
	if err != nil {
		return nil, err
	}
	p.note(notice)
	p.baseText, p.BaseShort = b.Text, b.Short
	if p.base, notice, err = p.At(b.Before); err == nil {
		p.note(notice)
		p.now, notice, err = p.At(b.After)
	}
	if err != nil {
		b.Close()
		return nil, err
	}
	p.note(notice)
	return b.Close, nil
}

func (p *Planner) note(notice string) {
	if notice != "" {
		p.Found.Notice(notice)
	}
}

// Sections returns the plans of the targets that are selected. What is wrong with them is reported.
func (p *Planner) Sections(ctx context.Context, s targets.Selection) ([]plan.Section, error) {
	var list []*targets.Target
	var err error
	if p.base.Tree == nil {
		list, _, err = targets.List(p.now, s)
	} else {
		list, p.was, err = targets.Both(p.now, p.base, s)
	}
	if err == nil {
		err = targets.Check(list, false)
	}
	if err != nil {
		return nil, err
	}
	if err := p.readAgainst(); err != nil {
		return nil, err
	}
	return p.sections(ctx, list)
}
