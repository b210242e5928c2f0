// Package compile compiles the files of a command, several at a time, and gives the results in order.
package compile

import (
	"context"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/deliver"
	"github.com/radbicep/rad/cmd/rad/internal/project"
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
	BicepFile string // that parameter files have to use; "" if it may be any
	Traced    bool   // whether outcomes say what was read
}

// All returns the outcomes of jobs in their order. The built-in compiler works on
// as many of them at a time as there are processors.
func (c *Run) All(ctx context.Context, jobs []Job) iter.Seq2[int, Outcome] {
	workers := min(len(jobs), runtime.GOMAXPROCS(0), maxWorkers)
	configures := func(j Job) bool { return filepath.Base(j.Output) == "bicepconfig.json" }
	if workers < 2 || c.Project.External || slices.ContainsFunc(jobs, configures) {
		return func(yield func(int, Outcome) bool) {
			for i, j := range jobs {
				if !yield(i, c.One(ctx, j, len(jobs) == 1)) {
					return
				}
			}
		}
	}
	return func(yield func(int, Outcome) bool) {
		ctx, stop := context.WithCancel(ctx)
		var all sync.WaitGroup
		defer all.Wait()
		defer stop()
		// A job is begun when there is room for its outcome, so that outcomes do not pile up.
		outcomes := make([]chan Outcome, len(jobs))
		for i := range outcomes {
			outcomes[i] = make(chan Outcome, 1)
		}
		room := make(chan struct{}, 4*workers)
		next := make(chan int)
		all.Go(func() {
			defer close(next)
			for i := range jobs {
				select {
				case room <- struct{}{}:
				case <-ctx.Done():
					return
				}
				select {
				case next <- i:
				case <-ctx.Done():
					return
				}
			}
		})
		for range workers {
			all.Go(func() {
				for i := range next {
					outcomes[i] <- c.early(ctx, jobs[i])
				}
			})
		}
		for i := range jobs {
			select {
			case outcome := <-outcomes[i]:
				<-room
				if !yield(i, outcome) {
					return
				}
			case <-ctx.Done():
				yield(i, Outcome{Err: ctx.Err()})
				return
			}
		}
	}
}

// early compiles one of several jobs on a goroutine of its own, where a panic would end the
// process without a word.
func (c *Run) early(ctx context.Context, j Job) (outcome Outcome) {
	defer func() {
		if fault := recover(); fault != nil {
			outcome.Err = &bicep.InternalError{File: j.Input, Fault: fault, Stack: debug.Stack()}
		}
	}()
	outcome = c.One(ctx, j, false)
	outcome.Early = true
	return outcome
}

// maxWorkers bounds how many files are compiled at a time, and with it the memory.
const maxWorkers = 8

// One compiles a job. only says that it is the only one of the run.
func (c *Run) One(ctx context.Context, j Job, only bool) (outcome Outcome) {
	r := c.Project.Request(j.Input)
	if c.Traced {
		reads := workdir.NewTrace()
		r.FS = reads.Of(r.FS)
		defer func() {
			if outcome.Err == nil {
				outcome.Reads = deliver.Dependencies(c.Project, reads, j.Output, append(deliver.SettingsInputs(c.Project), outcome.Result.Files...))
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
