// Package command is the program rad: its tree of commands, one file a command, and what runs them.
package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/memory"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
)

// Main runs the command line of the process, and ends the process with its exit status.
func Main() {
	memory.Tune()
	memory.GrowStack(false)
	os.Exit(runMain())
}

// hangup is SIGHUP, which package syscall does not name for WebAssembly.
const hangup = syscall.Signal(1)

// runMain runs the command line that the process was given, and returns its exit status.
func runMain() int {
	if !CalledAsBicep(os.Args[0]) {
		if status, handed := cli.HandOver(os.Args[1:], isBicepCommand); handed {
			return status
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	interrupts := make(chan os.Signal, 2)
	go func() { // Notify waits for threads that the runtime starts first: a fifth of a short run
		signal.Notify(interrupts, os.Interrupt, syscall.SIGTERM, hangup)
		<-interrupts
		stop()
		// Work that can be stopped stops now, and removes incomplete files.
		// Work that cannot be interrupted is not waited for.
		select {
		case <-interrupts:
		case <-time.After(3 * time.Second):
		}
		os.Exit(cli.ExitInterrupted)
	}()
	return runAs(ctx, os.Args[0], os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Exit)
}

// Run runs one command line and returns the exit status.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (status int) {
	return runAs(ctx, "rad", args, stdin, stdout, stderr, nil)
}

// runAs is Run for a program that was started by some name. exit ends the process where work does not
// stop in time; it may be nil.
func runAs(ctx context.Context, program string, args []string, stdin io.Reader, stdout, stderr io.Writer, exit func(int)) (status int) {
	a := newApp(stdin, stdout, stderr)
	a.Exit = exit
	a.AsBicep = CalledAsBicep(program)
	var command *cobra.Command
	defer func() {
		if v := recover(); v != nil {
			status = a.Bug(v, debug.Stack())
			if a.WantsJSON() {
				status = a.Answer(ctx, a.Command, status, fmt.Errorf("internal error: %v", v))
			}
		}
	}()
	root, args, err := commandLine(a, args)
	if err != nil {
		a.Tell("Error: %v", err)
		return 1
	}
	ctx, stop := a.Timed(ctx)
	defer stop()
	root.SetArgs(args)
	root.SetIn(stdin)
	printed := &checkedWriter{Writer: stdout}
	root.SetOut(printed)
	root.SetErr(stderr)
	command, err = root.ExecuteContextC(ctx)
	if err == nil && printed.err != nil {
		err = cli.FailWith(cli.ExitIO, printed.err)
	}
	// A hook that passes says nothing of types.
	if hook := command.Flags().Lookup("fail-on-change"); err != nil || hook == nil || hook.Value.String() != "true" {
		a.SayTypes()
	}
	status = a.Conclude(ctx, command, err)
	if a.Answers(command, args, err) {
		status = a.Answer(ctx, command, status, err)
	}
	return status
}

// checkedWriter remembers that something could not be written: help and completion, which cobra prints,
// do not say so.
type checkedWriter struct {
	io.Writer
	err error
}

func (w *checkedWriter) Write(b []byte) (int, error) {
	n, err := w.Writer.Write(b)
	if w.err == nil {
		w.err = err
	}
	return n, err
}

// addTimeLimit gives every command the flag of the limit of time, also those without settings, and
// sets the limit when the command is known.
func (a *app) addTimeLimit(root *cobra.Command) {
	flag := settings.Of(settings.KeyTimeLimit).Flag()
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			visit(sub)
		}
		if !c.HasSubCommands() && c.Flags().Lookup(flag) == nil {
			settings.AddFlags(a.App, c, settings.Timed)
		}
	}
	visit(root)
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		limit, err := settings.TimeLimit(c.Flags())
		if err != nil {
			return err
		}
		a.Limits(c)
		a.LimitTime(limit)
		return nil
	}
}

// commandLine returns the command tree, and the arguments as it takes them.
func commandLine(a *app, args []string) (*cobra.Command, []string, error) {
	newTree := newRoot
	if a.AsBicep {
		newTree = newBicepRoot
		if len(args) > 0 && strings.HasPrefix(args[0], "@") { // the command's name is in the file
			var err error
			if args, err = cli.ExpandResponseFiles(args); err != nil {
				return nil, nil, err
			}
		}
	}
	if len(args) > 1 && args[0] == "bicep" && args[1] == "help" { // as `rad help bicep …`
		args = append([]string{"help", "bicep"}, args[2:]...)
	}
	args = cli.WithoutAll(a.App, args)
	a.Completing = len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd)
	root := newTree(a, args)
	args, err := cli.Respell(a.App, root, args)
	return root, args, err
}
