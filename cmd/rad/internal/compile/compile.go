// Package compile compiles the files of a command, several at a time, and gives the results in order.
package compile

import (
	"context"
	"iter"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/deliver"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/run"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// Job is one file to compile and where its output goes.
type Job struct{ Input, Output string }

// ReadsAny reports whether a result may depend on one of the files that were written, which
// are given by outputName. One with errors may depend on any: what is missing is not among
// the files that it names. So may one that lists the files of a folder.
func ReadsAny(r *bicep.Result, written map[string]bool) bool {
	if len(written) == 0 {
		return false
	}
	return report.AnyError(r.Findings) || len(r.Folders) > 0 || slices.ContainsFunc(r.Files, func(path string) bool {
		if ext := filepath.Ext(path); ext != ".bicep" && ext != ".bicepparam" {
			if resolved, err := filepath.EvalSymlinks(path); err == nil {
				path = resolved
			}
		}
		return written[OutputName(path)]
	})
}

// OutputName is what a file is known by, whatever way leads to its folder and whether or not
// the file system looks at the case of names. Files of different folders may share it.
func OutputName(path string) string { return strings.ToLower(filepath.Base(path)) }

// Outcome is what became of a job.
type Outcome struct {
	Result *bicep.Result
	Reads  []string // the files that make has to look at, if they are asked for
	Err    error
	Early  bool // other jobs were perhaps not done when it was compiled
}

// Run compiles the files of a run.
type Run struct {
	Project   *project.Project
	Base      bicep.Request // what all requests have in common
	BicepFile string        // that parameter files have to use; "" if it may be any
	Traced    bool          // whether outcomes say what was read
}

// All returns the outcomes of jobs in their order. The built-in compiler works on several of them at a time.
func (c *Run) All(ctx context.Context, jobs []Job) iter.Seq2[int, Outcome] {
	configures := func(j Job) bool { return filepath.Base(j.Output) == "bicepconfig.json" }
	workers := run.Workers(len(jobs))
	if c.Project.External || slices.ContainsFunc(jobs, configures) {
		workers = 1
	}
	return run.Each(jobs, workers, func(j Job) Outcome {
		if workers < 2 {
			return c.One(ctx, j, len(jobs) == 1)
		}
		return c.early(ctx, j)
	})
}

// early compiles one of several jobs on a goroutine of its own, where a panic would end the
// process without a word.
func (c *Run) early(ctx context.Context, j Job) (outcome Outcome) {
	defer func() {
		if fault := recover(); fault != nil {
			outcome.Err = &bicep.InternalError{File: j.Input, Fault: fault, Stack: debug.Stack()}
		}
	}()
	if err := ctx.Err(); err != nil {
		return Outcome{Err: err}
	}
	outcome = c.One(ctx, j, false)
	outcome.Early = true
	return outcome
}

// One compiles a job. only says that it is the only one of the run.
func (c *Run) One(ctx context.Context, j Job, only bool) (outcome Outcome) {
	r := c.Project.Request(c.Base, j.Input)
	if c.Traced {
		reads := workdir.NewTrace()
		r.FS = reads.Of(r.FS)
		defer func() {
			if outcome.Err == nil {
				outcome.Reads = deliver.Dependencies(c.Project, reads, j.Output,
					append(deliver.SettingsInputs(c.Project), outcome.Result.Files...))
			}
		}()
	}
	if !strings.EqualFold(filepath.Ext(j.Input), ".bicepparam") {
		outcome.Result, outcome.Err = c.Project.Compiler.Build(ctx, r)
		return outcome
	}
	if only && !c.Project.Hermetic { // the environment is closed then
		r.Overrides = os.Getenv("BICEP_PARAMETERS_OVERRIDES")
	}
	outcome.Result, outcome.Err = c.Project.Compiler.BuildParams(ctx, r)
	if outcome.Err == nil && c.BicepFile != "" {
		outcome.Err = c.checkUsing(outcome.Result)
	}
	return outcome
}

// checkUsing holds a parameter file to --bicep-file.
func (c *Run) checkUsing(r *bicep.Result) error {
	if err := project.CheckExtension(c.BicepFile, ".bicep"); err != nil {
		return err
	}
	want, err := filepath.Abs(c.BicepFile)
	if err != nil {
		return err
	}
	if r.Using == "" || workdir.SameFile(r.Using, want) { // `using none` is accepted
		return nil
	}
	return cli.Fail(cli.ExitUsage, "--bicep-file %s: the parameter file uses another template, %s", c.BicepFile, r.Using)
}
