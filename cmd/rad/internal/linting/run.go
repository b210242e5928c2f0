// Package linting reports what is wrong with Bicep files, repairs it, and knows what was wrong before.
package linting

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/compile"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// Run compiles files for their findings alone, after it has repaired them if that is
// asked for.
func Run(ctx context.Context, a *cli.App, c *compile.Run, l *Options, jobs []compile.Job, found *cli.Reporter) error {
	options := c.Project
	format := found.Printer.Format
	if options.External && l.Fix != "" {
		return cli.Fail(cli.ExitUsage, "--fix and --diff need the embedded compiler")
	}
	if l.Diff && format != report.Text {
		return cli.Fail(cli.ExitUsage, "--diff cannot be used with --diagnostics-format %s: both write to stdout", format)
	}
	// What is known is compared by its place in the checkout, wherever the run begins.
	place := report.Printer{Base: options.Base.Root}
	place.Base = cmp.Or(place.Base, options.Cwd)
	area, _, err := settings.Area(options.Flags, filepath.Dir(cmp.Or(l.WriteBaseline, l.Baseline)))
	if err != nil {
		return err
	}
	var known *baseline
	if l.Baseline != "" && l.WriteBaseline == "" {
		if known, err = readBaseline(area, l.Baseline); err != nil {
			return err
		}
	}
	c.Base.Fixes = l.Fix != "" || format == report.SARIF || format == report.JSON
	if !a.AsBicep {
		c.Base.Advice = bicep.AdviceToAuthor
	}
	var fix *fixer
	if l.Fix != "" {
		level, err := certainty(l.Fix)
		if err != nil {
			return err
		}
		fix = &fixer{app: a, level: level, diff: l.Diff, color: options.Color, Run: c}
		if err := fix.run(ctx, jobs); err != nil {
			return err
		}
	}
	atOnce := known == nil && l.WriteBaseline == ""
	all, broken, err := gather(ctx, c, jobs, found, atOnce)
	if err != nil {
		return err
	}
	failed := report.AnyError(all)
	if !atOnce {
		if failed, err = l.add(all, known, broken == nil, area, &place, found); err != nil {
			return err
		}
	}
	if fix != nil && format == report.Text {
		fix.tell()
	}
	switch {
	case broken != nil:
		return broken
	case failed:
		return cli.Silent(cli.ExitSource)
	case fix != nil && fix.diff && fix.changed > 0:
		return cli.Silent(cli.ExitStale)
	}
	return nil
}

// gather compiles the files and returns what is found. atOnce has it reported file by file.
// broken is why a file cannot be read: what was found until then is reported all the same.
func gather(ctx context.Context, c *compile.Run, jobs []compile.Job,
	found *cli.Reporter, atOnce bool) (all []report.Finding, broken, err error) {
	given := map[bicep.Given]bool{}
	unknown := bicep.UnknownRadiusTypes(c.Base)
	for _, outcome := range c.All(ctx, jobs) {
		if outcome.Err != nil {
			if broken = cmp.Or(broken, outcome.Err); errors.Is(broken, context.Canceled) {
				continue // others may be done
			}
			break
		}
		for _, n := range outcome.Result.Notices {
			found.Notice(n)
		}
		for _, g := range outcome.Result.Given {
			given[g] = true
		}
		findings := outcome.Result.Findings
		if c.Base.Advice != bicep.NoAdvice {
			for i := range findings {
				if message, ok := unknown(findings[i]); ok {
					findings[i].Message = message
				}
			}
		}
		found.Judge(findings, "")
		if atOnce {
			if err := found.Add(findings); err != nil {
				return nil, nil, err
			}
		}
		all = append(all, findings...)
	}
	judgeFixes(all, given)
	return all, broken, nil
}

// add reports findings, but those that a baseline knows, or writes them to one. whole says that
// all files could be read. It reports whether the run fails.
func (l *Options) add(all []report.Finding, known *baseline,
	whole bool, area workdir.Bounds, place *report.Printer, found *cli.Reporter) (failed bool, err error) {
	failed = report.AnyError(all)
	if l.WriteBaseline != "" && whole || known != nil {
		all = (&cli.Tally{Known: map[string]bool{}, Codes: map[string]int{}}).Count(all)
	}
	switch {
	case l.WriteBaseline != "" && whole:
		if err := writeBaseline(area, l.WriteBaseline, place, all); err != nil {
			return false, err
		}
		failed = false // they are known from now on
	case known != nil:
		all = known.fresh(place, all)
		failed = slices.ContainsFunc(all, func(f report.Finding) bool { return f.Severity == report.Error || f.Severity == report.Warning })
	}
	return failed, found.Add(all)
}
