package command

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/deliver"
	"github.com/radbicep/rad/cmd/rad/internal/memory"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/targets"
	"github.com/radbicep/rad/cmd/rad/internal/watch"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep"
)

// watch runs the work, and again whenever one of the files that it depends on, or looked
// for, changes. What the compiler knows of files that have not changed is kept in a.workspace.
// The limit of time is that of one round.
func (a *app) watch(c *cobra.Command, run func() ([]string, error)) error {
	whole := c.Context()
	limited := func() ([]string, error) {
		round, stop := a.Timed(whole)
		defer stop()
		c.SetContext(round)
		files, err := run()
		c.SetContext(whole)
		if late := new(cli.TimeLimitError); errors.Is(err, context.Canceled) && errors.As(context.Cause(round), &late) {
			err = cli.FailWith(cli.ExitIO, late)
		}
		return files, err
	}
	a.workspace, a.written = &bicep.Workspace{}, deliver.Written{}
	memory.CollectRarely()
	a.watcher = &watch.Watcher{App: a.App, Idle: memory.CollectSoon, Done: a.SayTypes}
	return a.watcher.Loop(whole, limited)
}

// awaited returns the files whose appearance or change can help a run that failed before
// it knew what it reads: those that are named, and those that may hold the settings.
func awaited(args []string, err error) []string {
	folder, e := targets.Folder(args)
	if e != nil {
		return nil
	}
	var files []string
	var f *cli.Failure
	missing := errors.As(err, &f) && f.Status == cli.ExitIO // and not wrong usage
	for _, arg := range args {
		if !missing {
			break
		}
		if path, e := filepath.Abs(arg); e == nil && !strings.Contains(arg, "*") && !workdir.Exists(path) {
			files = append(files, path)
		}
	}
	for _, path := range settings.Places(folder) {
		if workdir.Exists(path) && strings.Contains(err.Error(), filepath.Base(path)) {
			files = append(files, path)
		}
	}
	return files
}
