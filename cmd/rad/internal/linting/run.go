// Package linting reports what is wrong with Bicep files, repairs it, and knows what was wrong before.
package linting

import (
	"context"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"

	"github.com/radbicep/rad/cmd/rad/internal/cli"

	"github.com/radbicep/rad/cmd/rad/internal/compile"
)

// Run compiles files for their findings alone, after it has repaired them if that is
// asked for.
func Run(ctx context.Context, a *cli.App, c *compile.Run, l *Options, jobs []compile.Job, found *cli.Reporter) error {
	options := c.Project
	format := found.Printer.Format
	if options.External && (l.Fix != "" || l.Config != "") {
		return cli.Fail(cli.ExitUsage, "--fix, --diff and --config need the embedded compiler")
	}
	if l.Diff && format != report.Text {
		return cli.Fail(cli.ExitUsage, "--diff cannot be used with --diagnostics-format %s: both write to stdout", format)
	}
	// What is known is compared by its place in the checkout, wherever the run begins.
	place := report.Printer{Base: options.Base.Root}
	if place.Base == "" {
		place.Base = options.Cwd
	}
	var known *baseline
	if l.Baseline != "" && l.WriteBaseline == "" {
		var err error
		if known, err = readBaseline(l.Baseline); err != nil {
			return err
		}
	}
	options.Base.Config = l.Config
	options.Base.Fixes = l.Fix != "" || format == report.SARIF || format == report.JSON
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
	var all []report.Finding
	given := map[bicep.Given]bool{}
	var broken error // what was found is reported if a file cannot be read
	for _, outcome := range c.All(ctx, jobs) {
		result, err := outcome.Result, outcome.Err
		if err != nil {
			broken = err
			break
		}
		for _, n := range result.Notices {
			found.Notice(n)
		}
		for _, g := range result.Given {
			given[g] = true
		}
		findings := options.Judge(result.Findings)
		if known == nil && l.WriteBaseline == "" && format == report.Text {
			if err := found.Add(findings); err != nil {
				return err
			}
		}
		all = append(all, findings...)
	}
	judgeFixes(all, given)
	failed := report.AnyError(all)
	switch {
	case l.WriteBaseline != "" && broken == nil:
		all = (&cli.Tally{Known: map[string]bool{}, Codes: map[string]int{}}).Count(all)
		if err := writeBaseline(l.WriteBaseline, &place, all); err != nil {
			return err
		}
		if err := found.Add(all); err != nil {
			return err
		}
		failed = false // they are known from now on
	case known != nil:
		all = (&cli.Tally{Known: map[string]bool{}, Codes: map[string]int{}}).Count(all)
		all = known.fresh(&place, all)
		if err := found.Add(all); err != nil {
			return err
		}
		failed = false
		for i := range all {
			failed = failed || all[i].Severity == report.Error || all[i].Severity == report.Warning
		}
	case format != report.Text || l.WriteBaseline != "":
		if err := found.Add(all); err != nil {
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
