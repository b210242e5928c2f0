package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// Conclude says what made a command fail, and returns the exit status.
func (a *App) Conclude(ctx context.Context, command *cobra.Command, err error) int {
	if err == nil {
		return ExitOK
	}
	var late *TimeLimitError
	switch stopped := ctx.Err() != nil && errors.Is(err, context.Canceled); {
	case stopped && errors.As(context.Cause(ctx), &late):
		err = FailWith(ExitIO, late)
	case stopped:
		return ExitInterrupted
	}
	if internal, ok := errors.AsType[*bicep.InternalError](err); ok {
		return a.Bug(internal, nil)
	}
	status := ExitUsage // what cobra itself refuses
	var failed *Failure
	var file *fs.PathError
	switch {
	case errors.As(err, &failed):
		status = failed.Status
	case errors.As(err, &file): // cobra's, when it prints
		failed = &Failure{Status: ExitIO, Err: err}
		status = ExitIO
	}
	if text := err.Error(); text != "" && (failed == nil || !failed.Said) {
		a.Tell("Error: %s", err)
		if failed == nil { // cobra's own words, which name no remedy
			fmt.Fprintf(a.Stderr, "Run '%s --help' for usage.\n", report.Visible(command.CommandPath()))
		}
	}
	if IsDropIn(command) && status < ExitBug {
		return 1 // the one status that the official compiler fails with
	}
	return status
}

// Bug reports a fault of this program.
func (a *App) Bug(v any, stack []byte) int {
	if internal, ok := v.(*bicep.InternalError); ok {
		stack = internal.Stack
	}
	a.Tell("Error: internal error: %s", fmt.Sprint(v))
	fmt.Fprintln(a.Stderr, "This is a bug in rad. Please report it, with the input if you can: https://github.com/radbicep/rad/issues")
	if os.Getenv("RAD_DEBUG") != "" {
		_ = Page(a.Stderr, string(stack))
	} else {
		fmt.Fprintln(a.Stderr, "(RAD_DEBUG=1 prints the stack)")
	}
	return ExitBug
}

// Annotations of commands.
const (
	// DropIn marks commands that stand in for one of the official compiler's. Its value names that command.
	DropIn = "drop-in"
	// Protocol marks commands that answer another program in its own form, so that they have no --format.
	// Its value names the program.
	Protocol = "protocol"
)

// IsDropIn reports whether the command stands in for one of the official compiler's.
func IsDropIn(c *cobra.Command) bool { return c != nil && c.Annotations[DropIn] != "" }
