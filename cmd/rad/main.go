// Command rad compiles Bicep and writes the Kubernetes manifests that Radius
// deploys.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/pkg/bicep"
)

func main() {
	tuneMemory()
	growStack(false)
	os.Exit(runMain())
}

// runMain runs the command line that the process was given, and returns its exit status.
func runMain() int {
	if !calledAsBicep(os.Args[0]) {
		if status, handed := handOver(os.Args[1:]); handed {
			return status
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	interrupts := make(chan os.Signal, 2)
	go func() { // Notify waits for threads that the runtime starts first: a fifth of a short run
		signal.Notify(interrupts, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
		<-interrupts
		stop()
		// Work that can be stopped stops now, and removes incomplete files.
		// Work that cannot be interrupted is not waited for.
		select {
		case <-interrupts:
		case <-time.After(3 * time.Second):
		}
		os.Exit(exitInterrupted)
	}()
	return runAs(ctx, os.Args[0], os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
}

// run runs one command line and returns the exit status.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (status int) {
	return runAs(ctx, "rad", args, stdin, stdout, stderr)
}

// runAs is run for a program that was started by some name.
func runAs(ctx context.Context, program string, args []string, stdin io.Reader, stdout, stderr io.Writer) (status int) {
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr, asBicep: calledAsBicep(program)}
	var command *cobra.Command
	defer func() {
		if v := recover(); v != nil {
			status = a.bug(v, debug.Stack())
			if a.wantsJSON() {
				status = a.answer(ctx, a.command, status, fmt.Errorf("internal error: %v", v))
			}
		}
	}()
	root, args, err := commandLine(a, args)
	if err != nil {
		a.tell("Error: %v", err)
		return 1
	}
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	command, err = root.ExecuteContextC(ctx)
	a.sayReplaced()
	status = a.conclude(ctx, command, err)
	if a.answers(command, args, err) {
		status = a.answer(ctx, command, status, err)
	}
	return status
}

// conclude says what made a command fail, and returns the exit status.
func (a *app) conclude(ctx context.Context, command *cobra.Command, err error) int {
	if err == nil {
		return exitOK
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return exitInterrupted
	}
	var internal *bicep.InternalError
	if errors.As(err, &internal) {
		return a.bug(internal, internal.Stack)
	}
	status := exitUsage // what cobra itself refuses
	var failed *failure
	if errors.As(err, &failed) {
		status = failed.status
	}
	if text := err.Error(); text != "" && (failed == nil || !failed.said) {
		a.tell("Error: %s", err)
		if failed == nil { // cobra's own words, which name no remedy
			fmt.Fprintf(a.stderr, "Run '%s --help' for usage.\n", command.CommandPath())
		}
	}
	if isDropIn(command) && status < exitBug {
		return 1 // the one status that the official compiler fails with
	}
	return status
}

// commandLine returns the command tree, and the arguments as it takes them.
func commandLine(a *app, args []string) (*cobra.Command, []string, error) {
	newTree := newRoot
	if a.asBicep {
		newTree = newBicepRoot
		if len(args) > 0 && strings.HasPrefix(args[0], "@") { // the command's name is in the file
			var err error
			if args, err = expandResponseFiles(args); err != nil {
				return nil, nil, err
			}
		}
	}
	if len(args) > 1 && args[0] == "bicep" && args[1] == "help" { // as `rad help bicep …`
		args = append([]string{"help", "bicep"}, args[2:]...)
	}
	args = withoutAll(a, args)
	root := newTree(a, args)
	args, err := respell(a, root, args)
	return root, args, err
}

// bug reports a fault of this program.
func (a *app) bug(v any, stack []byte) int {
	a.tell("Error: internal error: %s", fmt.Sprint(v))
	fmt.Fprintln(a.stderr, "This is a bug in rad. Please report it, with the input if you can: https://github.com/radbicep/rad/issues")
	if os.Getenv("RAD_DEBUG") != "" {
		a.stderr.Write(stack)
	} else {
		fmt.Fprintln(a.stderr, "(RAD_DEBUG=1 prints the stack)")
	}
	return exitBug
}

const dropIn = "drop-in"

// isDropIn reports whether the command stands in for one of the official compiler's.
func isDropIn(c *cobra.Command) bool { return c != nil && c.Annotations[dropIn] != "" }
