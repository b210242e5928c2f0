// Package report holds the findings of a compiler, and prints them as text, JSON,
// SARIF, or in the forms that GitHub, GitLab and Azure Pipelines read. Begin with a
// Printer.
package report

import (
	"strings"

	"github.com/radbicep/rad/pkg/bicep/source"
)

// Severity says how much a finding matters. The zero value is not a severity.
type Severity uint8

// The severities.
const (
	Off Severity = iota + 1
	Info
	Warning
	Error
)

// Finding is one error, warning or hint about a source file, with its place in lines
// and columns and its whole message.
type Finding struct {
	Path     string // "" when the finding concerns no file
	Start    source.Position
	End      source.Position // the zero Position when only the start is known
	Severity Severity
	Code     string
	Message  string
	URL      string
	Line     string // the text of the line that Start is on, for the caret
	Summary  string // what the code stands for, without the values of this place; "" when not known
	// Default is the severity that findings with this code have when nothing configures
	// them. The zero value means that it is not known.
	Default Severity
	// ResourceType is the type, with its version, that BCP081 says is not known.
	ResourceType string
	// Cause is the error behind the finding, if the caller may know what to do about it:
	// a *source.OutsideError or a *HintedError.
	Cause error
	// Hint says what a user can do about all findings with this code. Its words belong at the
	// end of Message and of Summary. Zero means that there is nothing to say.
	Hint Hint
	// Consequence says that the finding is there only because of another one, and goes away
	// with it. Official compilers report both, so this one does too.
	Consequence bool
	// Fix is what repairs the finding; nil if there is none, or if fixes were not asked for.
	Fix *Fix

	Mentions string // the files that Message names, for Files; between two of them is a NUL, so that findings can be compared
}

// AddFile notes that Message names a file or folder, by its whole path.
func (f *Finding) AddFile(path string) {
	if f.Mentions != "" {
		f.Mentions += "\x00"
	}
	f.Mentions += path
}

// Files returns the files and folders that Message names.
func (f *Finding) Files() []string {
	if f.Mentions == "" {
		return nil
	}
	return strings.Split(f.Mentions, "\x00")
}

// AnyError reports whether one of the findings is an error.
func AnyError(findings []Finding) bool {
	for i := range findings {
		if findings[i].Severity == Error {
			return true
		}
	}
	return false
}

// String returns the severity as diagnostics show it.
func (s Severity) String() string {
	switch s {
	case Error:
		return "Error"
	case Warning:
		return "Warning"
	case Info:
		return "Info"
	case Off:
		return "Off"
	}
	return "Severity(?)"
}
