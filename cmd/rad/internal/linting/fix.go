package linting

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/compile"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// maxFixRounds bounds how often a file is compiled again because a fix made others
// possible, such as that of a variable that only an unused one uses.
const maxFixRounds = 1000

// fixer repairs the files of a run of lint.
type fixer struct {
	*compile.Run
	app   *cli.App
	level report.Certainty // what is applied: this and what is more certain
	diff  bool             // show, and write nothing
	color string
	files source.Overlay // as they are repaired
	given map[bicep.Given]bool

	repaired int // findings
	changed  int // files
}

// certainty returns what the value of --fix stands for.
func certainty(value string) (report.Certainty, error) {
	switch strings.ToLower(value) {
	case "certain", "true":
		return report.Certain, nil
	case "likely":
		return report.Likely, nil
	}
	return 0, cli.Fail(cli.ExitUsage, "--fix: want certain or likely, not %q%s",
		value, cli.DidYouMean(value, []string{"certain", "likely"}))
}

// run repairs the files that were named, and no others. All is done in memory before
// the first file is written.
func (x *fixer) run(ctx context.Context, jobs []compile.Job) error {
	x.files = source.Overlay{Below: x.Base.FS, Texts: map[string]string{}}
	x.Base.FS = x.files
	x.given = map[bicep.Given]bool{}
	results := make([]*bicep.Result, len(jobs))
	for i, j := range jobs {
		outcome := x.One(ctx, j, false)
		if outcome.Err != nil {
			return outcome.Err
		}
		r := outcome.Result
		for _, g := range r.Given {
			x.given[g] = true
		}
		results[i] = r
	}
	var paths []string
	before := map[string]string{}
	for i, j := range jobs {
		old, err := x.repair(ctx, j, results[i])
		if err != nil {
			return err
		}
		if old != nil {
			paths = append(paths, j.Input)
			before[j.Input] = string(old)
		}
	}
	x.changed = len(paths)
	for _, path := range paths {
		if x.diff {
			text := cli.UnifiedDiff(workdir.Shown(path), workdir.Shown(path),
				before[path], x.files.Texts[path], cli.Colors(x.color, x.app.Stdout))
			if _, err := fmt.Fprint(x.app.Stdout, text); err != nil {
				return err
			}
			continue
		}
		if err := compile.Rewrite(x.files.Below, path, before[path], x.files.Texts[path], "repaired"); err != nil {
			return err
		}
	}
	return nil
}

// repair repairs one file in memory, until there is nothing left to repair. It
// returns the old content if there is a new one.
func (x *fixer) repair(ctx context.Context, j compile.Job, r *bicep.Result) ([]byte, error) {
	path := filepath.Clean(j.Input)
	if len(x.fixes(path, r.Findings)) == 0 {
		return nil, nil
	}
	old, err := x.files.ReadFile(path)
	if err != nil {
		return nil, err
	}
	mark, text, ok := compile.SourceText(old)
	if !ok {
		x.app.Tell("Warning: %s is not UTF-8, so it is not repaired", workdir.Shown(path))
		return nil, nil
	}
	repaired := 0
	for range maxFixRounds {
		fixes := x.fixes(path, r.Findings)
		if len(fixes) == 0 {
			break
		}
		next, n := report.ApplyFixes(text, fixes)
		if n == 0 || next == text {
			break
		}
		x.files.Texts[path] = mark + next
		outcome := x.One(ctx, j, false)
		if outcome.Err != nil {
			return nil, outcome.Err
		}
		after := outcome.Result
		if errorsIn(after.Findings) > errorsIn(r.Findings) {
			// A fix that breaks the file is not one.
			x.files.Texts[path] = mark + text
			x.app.Tell("Warning: %s: the rest is not repaired, since the compiler would not take the result", workdir.Shown(path))
			break
		}
		text, r = next, after
		repaired += n
	}
	if repaired == 0 {
		delete(x.files.Texts, path)
		return nil, nil
	}
	x.repaired += repaired
	return old, nil
}

// fixes returns what is to be applied to a file.
func (x *fixer) fixes(path string, findings []report.Finding) []*report.Fix {
	judgeFixes(findings, x.given)
	return report.ChooseFixes(path, findings, x.level)
}

// judgeFixes leaves the removal of a parameter that other files give a value to to
// people: those files have to change, too.
func judgeFixes(findings []report.Finding, given map[bicep.Given]bool) {
	for i := range findings {
		if f := &findings[i]; f.Fix != nil && f.Fix.Parameter != "" && given[bicep.Given{Path: f.Path, Parameter: f.Fix.Parameter}] {
			f.Fix.Certainty = report.NeedsPerson
		}
	}
}

func errorsIn(findings []report.Finding) (n int) {
	for i := range findings {
		if findings[i].Severity == report.Error {
			n++
		}
	}
	return n
}

// tell says what was done.
func (x *fixer) tell() {
	if x.repaired == 0 {
		return
	}
	did := "repaired"
	if x.diff {
		did = "would repair"
	}
	x.app.Say("%s %s in %s", did, cli.Plural(x.repaired, "finding"), cli.Plural(x.changed, "file"))
}
