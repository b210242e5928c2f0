package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// The exit statuses. Commands that stand in for the official compiler's know
// only 0 and 1, and those from ExitBug.
const (
	ExitOK          = 0
	ExitStale       = 1   // --check or --diff: the manifest is not up to date
	ExitSource      = 2   // the source or the parameters have errors
	ExitUsage       = 3   // the command line or the configuration is wrong
	ExitIO          = 4   // files, network, the external compiler
	ExitBug         = 70  // a fault of this program
	ExitInterrupted = 130 // the user stopped it
)

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

// FailWith gives an error its status, and says what a user can do about it, unless it has a status.
func FailWith(status int, err error) error {
	var f *Failure
	if err == nil || errors.As(err, &f) {
		return err
	}
	if text := remedy(err); text != "" {
		err = fmt.Errorf("%w; %s", err, text)
	}
	return &Failure{Status: status, Err: err}
}

// Silent ends the process with the status: everything has been said.
func Silent(status int) error { return &Failure{Status: status} }

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
	if _, ok := errors.AsType[*bicep.ExternalError](err); ok {
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
