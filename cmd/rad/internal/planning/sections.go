package planning

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/run"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/targets"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/plan"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/generate"
)

// sections makes the plans of all targets. What is wrong with them is reported.
func (p *Planner) sections(ctx context.Context, list []*targets.Target) ([]plan.Section, error) {
	var sections []plan.Section
	var outcomes []*run.Outcome
	for _, t := range list {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r := &run.Outcome{Target: t}
		outcomes = append(outcomes, r)
		o := targets.Counterpart(t, &p.was)
		after := p.predict(ctx, p.Base.Now, r, &p.files[0])
		t, context, title := r.Target, r.Context, titleOf(r.Target)
		switch {
		case r.Failed():
		case p.Base.Was.Tree() != nil:
			title += ", against " + p.Base.Text
			var before *expand.Result
			was := &run.Outcome{Target: o}
			if o == nil && t.ListedAt == "" {
				r.Notices = append(r.Notices, fmt.Sprintf("%s is not in %s, so everything is new", t.Arg, p.Base.Was.Tree().Revision))
			}
			if o != nil {
				before = p.predictBase(ctx, was)
				r.Missing = addMissing(r.Missing, was.Missing)
				r.Findings, r.Err = append(r.Findings, was.Findings...), errors.Join(r.Err, was.Err)
				r.Notices = append(r.Notices, was.Notices...)
			}
			if !r.Failed() {
				made := p.compare(t, before, after)
				if made.Empty() && r.Program != nil && was.Program != nil && (before.LeftOut || after.LeftOut) {
					before, _, _ := was.Program.ExpandAll(was.Context)
					after, _, _ := r.Program.ExpandAll(context)
					made.Hides(plan.Compare(before, after))
				}
				sections = append(sections, plan.Section{Title: title, Plan: made})
			}
		case p.Against != "":
			title += ", against " + p.Against
			d, err := p.match(t, len(list))
			if err != nil {
				r.Fail(err)
				break
			}
			if d != nil {
				given := context
				generate.FillContext(&context, d)
				if context != given { // as the manifest is deployed
					after, _, _ = r.Program.Expand(context)
				}
			}
			before, err := generate.ExpandDeployed(d, context, r.Program.Hides, expand.RunOf(ctx))
			if err != nil {
				r.Fail(cli.Fail(cli.ExitSource, "--against %s: %w", p.Against, err))
				break
			}
			sections = append(sections, plan.Section{Title: title, Plan: p.compare(t, before, after)})
		default:
			sections = append(sections, plan.Section{Title: title, Plan: plan.List(after)})
		}
	}
	for _, o := range p.was { // what is not made any more
		r := &run.Outcome{Target: o}
		outcomes = append(outcomes, r)
		if before := p.predictBase(ctx, r); !r.Failed() {
			if o.ListedAt == "" {
				r.Notices = append(r.Notices, o.Arg+" is not there any more, so everything is deleted")
			}
			sections = append(sections, plan.Section{Title: titleOf(o) + ", against " + p.Base.Text, Plan: p.compare(o, before, nil)})
		}
	}
	return sections, p.Report(outcomes)
}

// compare compares what a target deploys. Where controllers deploy it, they delete what it does not deploy any more: what
// Kubernetes gets a manifest of. Crossplane only observes resources.
func (p *Planner) compare(t *targets.Target, before, after *expand.Result) *plan.Plan {
	made := plan.Compare(before, after)
	observed := false
	if k := t.Kind(); k != nil {
		observed = k.Name == settings.CrossplaneTarget
	}
	if !observed && (t.ListedAt != "" || p.Against != "" || p.Given(settings.KeyTarget)) {
		made.Replaces(t.Kind().OfAnyKind())
	}
	return made
}

// addMissing adds what could not be read in a revision, unless it is the same on the other side.
func addMissing(list, was []report.Finding) []report.Finding {
	for _, f := range was {
		if !slices.ContainsFunc(list, func(o report.Finding) bool { return o.Path == f.Path && o.Message == f.Message }) {
			list = append(list, f)
		}
	}
	return list
}

// titleOf returns what a plan of a target is called.
func titleOf(t *targets.Target) string {
	if t.Name != "" {
		return t.Name + " (" + t.Arg + ")"
	}
	return t.Arg
}
