package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// The exit statuses. Commands that stand in for the official compiler's know
// only 0 and 1, and those from exitBug.
const (
	exitOK          = 0
	exitStale       = 1   // --check or --diff: the manifest is not up to date
	exitSource      = 2   // the source or the parameters have errors
	exitUsage       = 3   // the command line or the configuration is wrong
	exitIO          = 4   // files, network, the external compiler
	exitBug         = 70  // a fault of this program
	exitInterrupted = 130 // the user stopped it
)

// app is what a command has of the outside world.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	asBicep        bool // the program was called bicep
	quiet          bool // --quiet: stderr gets errors only
	allFlags       bool // --help --all

	replaced replacedTypes // that built-in types stood in for

	// With --watch:
	workspace *bicep.Workspace // what is known from the run before
	written   writtenFiles     // its outputs
	changing  *burst           // the changes that the run is for; nil in the first one

	// What --format json prints at the end; see answer.go.
	form     string // the value of --format
	running  bool   // the command line was accepted
	command  *cobra.Command
	base     string // the folder that files are named from
	findings []report.Finding
	result   any
}

// failure is an error that knows the exit status it ends the process with.
type failure struct {
	status int
	err    error
	said   bool // the error was reported already
}

func (f *failure) Error() string {
	if f.err == nil {
		return ""
	}
	return f.err.Error()
}

func (f *failure) Unwrap() error { return f.err }

// fail returns an error that ends the process with the status.
func fail(status int, format string, args ...any) error {
	return &failure{status: status, err: fmt.Errorf(format, args...)}
}

// failWith gives an error its status, unless it has one.
func failWith(status int, err error) error {
	var f *failure
	if err == nil || errors.As(err, &f) {
		return err
	}
	return &failure{status: status, err: err}
}

// silent ends the process with the status: everything has been said.
func silent(status int) error { return &failure{status: status} }

// say writes a line for people to stderr, unless they want errors only.
func (a *app) say(format string, args ...any) {
	if !a.quiet {
		a.tell(format, args...)
	}
}

// tell writes an error for people to stderr. Texts, errors and what becomes a text among the
// arguments may come from a repository: they steer neither a terminal nor a CI job.
func (a *app) tell(format string, args ...any) {
	for i, arg := range args {
		switch arg := arg.(type) {
		case string:
			args[i] = report.Visible(arg)
		case error:
			args[i] = errorText(arg)
		case fmt.Stringer:
			args[i] = report.Visible(arg.String())
		}
	}
	fmt.Fprint(a.stderr, report.Lines(fmt.Sprintf(format, args...)+"\n"))
}

// errorText returns an error as people read it. Only errors that were joined, and the
// words of an external compiler, have several lines.
func errorText(err error) string {
	var f *failure
	for errors.As(err, &f) && f.err != nil && f.Error() == err.Error() {
		err = f.err
	}
	if list, ok := err.(interface{ Unwrap() []error }); ok {
		if one := list.Unwrap(); joined(one) == err.Error() {
			var lines []string
			for _, e := range one {
				lines = append(lines, errorText(e))
			}
			return strings.Join(lines, "\n")
		}
	}
	var external *bicep.ExternalError
	if errors.As(err, &external) {
		lines := strings.Split(err.Error(), "\n")
		for i, line := range lines {
			lines[i] = report.Visible(line)
		}
		return strings.Join(lines, "\n")
	}
	return report.Visible(err.Error())
}

// joined returns the text of errors that were joined.
func joined(list []error) string {
	lines := make([]string, len(list))
	for i, e := range list {
		lines[i] = e.Error()
	}
	return strings.Join(lines, "\n")
}

// isTerminal reports whether the stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// colors decides whether a stream is coloured.
func colors(mode string, stream any) bool {
	switch mode {
	case "always":
		return true
	case "never":
		return false
	}
	if os.Getenv("NO_COLOR") != "" {
		return false
	}
	if v := os.Getenv("CLICOLOR_FORCE"); v != "" && v != "0" {
		return true
	}
	if os.Getenv("FORCE_COLOR") != "" {
		return true
	}
	if os.Getenv("CLICOLOR") == "0" || os.Getenv("TERM") == "dumb" {
		return false
	}
	return isTerminal(stream)
}
