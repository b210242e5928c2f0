// Package planning finds what plan shows: the targets of both sides of a comparison, and what each
// deploys.
//
// Begin with Planner.Sections.
package planning

import (
	"context"
	"slices"

	"github.com/radbicep/rad/cmd/rad/internal/deliver"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/run"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/targets"
	"github.com/radbicep/rad/pkg/bicep/plan"
	"github.com/radbicep/rad/pkg/manifest"
)

// Planner makes the plans of targets.
type Planner struct {
	*deliver.Delivery
	Against       string // the manifests to compare with: a file, a folder, or - for standard input
	AllConditions bool   // plan also what is not deployed since its condition is false
	Base          *project.Base

	was      []*targets.Target // what Base.Was makes
	deployed []manifest.Deployed
	files    [2]run.Shared // of Base.Now and Base.Was
}

// Sections returns the plans of the targets that are selected. What is wrong with them is reported.
func (p *Planner) Sections(ctx context.Context, s targets.Selection) ([]plan.Section, error) {
	var list []*targets.Target
	var err error
	if p.Base.Was.Tree() == nil {
		list, _, err = targets.List(p.Base.Now, s)
	} else {
		list, p.was, err = targets.Both(p.Base.Now, p.Base.Was, s)
	}
	if err == nil {
		err = targets.Check(list, false)
	}
	if err == nil {
		err = targets.CheckFlags(p.Flags, settings.OnlyObjects(), slices.Concat(list, p.was))
	}
	if err != nil {
		return nil, err
	}
	if err := p.readAgainst(); err != nil {
		return nil, err
	}
	return p.sections(ctx, list)
}
