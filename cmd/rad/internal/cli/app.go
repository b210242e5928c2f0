// Package cli holds the parts that all commands share: exit statuses and errors (Fail, FailWith),
// messages and findings (App, Reporter), the answer of --format json, and help, completion and
// hints for misspelt words.
//
// Begin with App, which holds the streams of a run. The package compiles nothing and knows no
// settings.
package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"reflect"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/radbicep/rad/pkg/bicep/report"
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
	limit timeLimit // of the run; see timed.go

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
