// Package cli holds the parts that all commands share: exit statuses and errors (Fail, FailWith),
// messages and findings (App, Reporter), the answer of --format json, and help, completion and
// hints for misspelt words.
//
// Begin with App, which holds the streams of a run. The package compiles nothing and knows no
// settings.
package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// The exit statuses. Commands that stand in for the official compiler's know
// only 0 and 1, and those from exitBug.
const (
	ExitOK          = 0
	ExitStale       = 1   // --check or --diff: the manifest is not up to date
	ExitSource      = 2   // the source or the parameters have errors
	ExitUsage       = 3   // the command line or the configuration is wrong
	ExitIO          = 4   // files, network, the external compiler
	ExitBug         = 70  // a fault of this program
	ExitInterrupted = 130 // the user stopped it
)

// App is what a command has of the outside world: its streams, and what it says on them.
type App struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	AsBicep        bool // the program was called bicep
	Completing     bool // the shell asks what a command line can be completed with
	Quiet          bool // --quiet: stderr gets errors only
	allFlags       bool // --help --all
	// facts describes the flags that are settings. Only help asks for it.
	Facts func(flag string) FlagFacts

	// Exit ends the process. It is nil where others run in it, too, as in a test.
	Exit  func(status int)
	limit timeLimit // of the run; see timelimit.go

	replaced replacedTypes // that built-in types stood in for

	input *bufio.Reader // of answers to questions

	// The answer that --format json prints at the end; see answer.go.
	Form     string // the value of --format
	running  bool   // the command line was accepted
	Command  *cobra.Command
	base     string // the folder that files are named from
	findings []report.Finding
	Result   any
}

// FlagFacts are what help says of a flag that is a setting.
type FlagFacts struct {
	Variable string // of the environment, that sets it, too
	Rare     bool   // few need it
}

// Failure is an error that knows the exit status it ends the process with.
type Failure struct {
	Status int
	Err    error
	Said   bool // the error was reported already
}

func (f *Failure) Error() string {
	if f.Err == nil {
		return ""
	}
	return f.Err.Error()
}

func (f *Failure) Unwrap() error { return f.Err }

// Fail returns an error that ends the process with the status.
func Fail(status int, format string, args ...any) error {
	return &Failure{Status: status, Err: fmt.Errorf(format, args...)}
}

// FailWith gives an error its status, unless it has one.
func FailWith(status int, err error) error {
	var f *Failure
	if err == nil || errors.As(err, &f) {
		return err
	}
	return &Failure{Status: status, Err: err}
}

// Silent ends the process with the status: everything has been said.
func Silent(status int) error { return &Failure{Status: status} }

// Say writes a line for people to stderr, unless they want errors only.
func (a *App) Say(format string, args ...any) {
	if !a.Quiet {
		a.Tell(format, args...)
	}
}

// Tell writes an error for people to stderr. Texts, errors and what becomes a text among the
// arguments may come from a repository: they steer neither a terminal nor a CI job.
func (a *App) Tell(format string, args ...any) {
	for i, arg := range args {
		switch arg := arg.(type) {
		case string:
			args[i] = report.Visible(arg)
		case error:
			args[i] = ErrorText(arg)
		case fmt.Stringer:
			args[i] = report.Visible(arg.String())
		default: // lists of texts, and texts of other types
			switch reflect.ValueOf(arg).Kind() {
			case reflect.String, reflect.Slice, reflect.Array, reflect.Map, reflect.Struct, reflect.Pointer:
				args[i] = report.Visible(fmt.Sprint(arg))
			}
		}
	}
	fmt.Fprint(a.Stderr, report.Lines(fmt.Sprintf(format, args...)+"\n"))
}

// Clock is how the line of a run of --watch begins.
func Clock() string { return time.Now().Format(time.TimeOnly) + " " }

// ErrorText returns an error as people read it. Only errors that were joined, and the
// words of an external compiler, have several lines.
func ErrorText(err error) string {
	var f *Failure
	for errors.As(err, &f) && f.Err != nil && f.Error() == err.Error() {
		err = f.Err
	}
	if list, ok := err.(interface{ Unwrap() []error }); ok {
		if one := list.Unwrap(); joined(one) == err.Error() {
			var lines []string
			for _, e := range one {
				lines = append(lines, ErrorText(e))
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

// IsTerminal reports whether the stream is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// FindingColors decides whether findings on a stream are coloured. Where they do not go to a
// terminal, other programs look for their places, so only --color=always colours them there:
// FORCE_COLOR and CLICOLOR_FORCE, which CI systems set for all programs, do not.
func FindingColors(mode string, stream any) bool {
	return (mode == "always" || IsTerminal(stream)) && Colors(mode, stream)
}

// Colors decides whether a stream is coloured.
func Colors(mode string, stream any) bool {
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
	return IsTerminal(stream)
}
