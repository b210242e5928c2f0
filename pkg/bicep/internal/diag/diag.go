// Package diag holds the compiler's diagnostics: the catalogue of their kinds, and
// the values that the stages report. A stage reports one with the constant of its kind:
//
//	sink(diag.BCP057.At(name.Span(), name.Text))
//
// When it leaves the compiler, a diagnostic becomes a report.Finding.
package diag

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/secret"
)

// Severity says how much a diagnostic matters.
type Severity = report.Severity

// The severities.
const (
	Off     = report.Off
	Info    = report.Info
	Warning = report.Warning
	Error   = report.Error
)

// Kind is one kind of diagnostic: an entry of the catalogue.
type Kind uint16

//go:generate go run kinds_generate.go

// entry is what the catalogue says of a kind.
type entry struct {
	code   string
	level  Severity
	text   string
	repair string
}

// Kinds returns all kinds, in the catalogue's order.
func Kinds() iter.Seq[Kind] {
	return func(yield func(Kind) bool) {
		for k := Kind(1); int(k) < len(catalogue) && yield(k); k++ {
		}
	}
}

// Code returns the code, such as BCP057 or no-unused-params.
func (k Kind) Code() string { return catalogue[k].code }

// Level returns the severity that diagnostics of this kind have by default.
func (k Kind) Level() Severity { return catalogue[k].level }

// Text returns the format of the message.
func (k Kind) Text() string { return catalogue[k].text }

// Repair says why the diagnostic is reported and how to repair it, in a sentence or two.
func (k Kind) Repair() string { return catalogue[k].repair }

// Hint returns what the message and the repair leave to the program that shows them, since
// it is about commands; 0 for most kinds.
func (k Kind) Hint() report.Hint {
	switch k {
	case BCP035:
		return report.HintListProperties
	case BCP190:
		return report.HintFetch
	case BCP411:
		return report.HintImportTypes
	case LintRecentModules:
		return report.HintAskRegistry
	}
	return 0
}

// FromLinter reports whether the kind is a rule of the linter. The linter's codes are
// names of rules; the compiler's are numbered.
func (k Kind) FromLinter() bool {
	return !strings.HasPrefix(k.Code(), "BCP") && !strings.HasPrefix(k.Code(), "RAD")
}

// Diagnostic is one finding at one place. Its message is formatted only when it is
// needed, since the checker makes many diagnostics that are never shown.
type Diagnostic struct {
	Kind     Kind
	Severity Severity
	File     *source.File
	Span     source.Span
	Args     []any
	Fix      *report.Fix // nil unless somebody asked for it
	// Consequence says that another diagnostic is the reason for this one: the stage that reports
	// it knows that what it is about is wrong already.
	Consequence bool
	// Inherited is where the value is that the diagnostic is about, if that is another parameter
	// file, which File extends.
	Inherited *Place
}

// Place is a place in a file.
type Place struct {
	File *source.File
	Span source.Span
}

// Suggestion is the name that a misspelt one most likely means. It is an argument of
// a diagnostic.
type Suggestion struct {
	Name string
	Only bool // no other name is near
}

// String returns the name.
func (s Suggestion) String() string { return s.Name }

// Suggestion returns s, as those arguments do that compute theirs when it is needed.
func (s Suggestion) Suggestion() Suggestion { return s }

// At returns a diagnostic of this kind at a place. Its File is set by the caller
// that collects the diagnostics of a file.
func (k Kind) At(span source.Span, args ...any) Diagnostic {
	return Diagnostic{Kind: k, Severity: k.Level(), Span: span, Args: args}
}

// Follows returns the diagnostic as a consequence of another one.
func (d Diagnostic) Follows() Diagnostic {
	d.Consequence = true
	return d
}

// As returns the diagnostic with another severity.
func (d Diagnostic) As(s Severity) Diagnostic {
	d.Severity = s
	return d
}

// Code returns the code, such as BCP057 or no-unused-params.
func (d Diagnostic) Code() string { return d.Kind.Code() }

// Message returns the text for the user. Another file is named as the diagnostic's own file would name it.
func (d Diagnostic) Message() string {
	if d.Inherited == nil || d.File == nil {
		return d.text()
	}
	return d.inherited(relative(d.File.Path, d.Inherited.File.Path))
}

// inherited returns the message of a value that comes from another file, which is given its name.
func (d Diagnostic) inherited(name string) string {
	at := d.Inherited.File.Position(d.Inherited.Span.Start)
	return d.text() + fmt.Sprintf(" The value is inherited from %s(%d,%d).", excerpt(name), at.Line, at.Column)
}

func (d Diagnostic) text() string {
	if len(d.Args) == 0 {
		return d.Kind.Text()
	}
	if (d.Kind == BCP057 || d.Kind == BCP082) && d.Args[0] == any(Secret) { // it may be a secret without its quotes
		return "This name is not defined."
	}
	args := make([]any, len(d.Args))
	for i, a := range d.Args {
		switch a := a.(type) {
		case string:
			args[i] = excerpt(a)
		case fmt.Stringer:
			args[i] = excerpt(a.String())
		default:
			args[i] = a
		}
	}
	return fmt.Sprintf(d.Kind.Text(), args...)
}

// relative returns a path as the file at from would name it.
func relative(from, path string) string {
	rel, err := filepath.Rel(filepath.Dir(from), path)
	if err != nil { // another drive
		rel = filepath.Base(path)
	}
	return filepath.ToSlash(rel)
}

// FromLinter reports whether the diagnostic was made by the linter.
func (d Diagnostic) FromLinter() bool { return d.Kind.FromLinter() }

// The pages that explain diagnostics. The first two are those that the official
// compiler links its diagnostics to.
const (
	corePage   = "https://aka.ms/bicep/core-diagnostics#"
	linterPage = "https://aka.ms/bicep/linter-diagnostics#"
	ownPage    = "https://github.com/radbicep/rad/blob/main/pkg/bicep/DIAGNOSTICS.md"
	limitsPage = "https://learn.microsoft.com/azure/azure-resource-manager/templates/best-practices#template-limits"
)

// Page returns the address of the page that explains the kind, or "".
func (k Kind) Page() string {
	switch code := k.Code(); {
	case k == TemplateTooLarge:
		return limitsPage
	case strings.HasPrefix(code, "RAD"), k == LintRemovedType:
		return ownPage
	case strings.HasPrefix(code, "BCP"):
		return corePage + code
	case strings.Contains(code, " "):
		return ""
	default:
		return linterPage + code
	}
}

// Summary returns the message of the kind without the values of a place.
func (k Kind) Summary() string { return summary(k.Text()) }

// summary returns the text of a format, with … for the values of a place. Parts that only some
// messages have, or that only a place can tell (": %s."), are left out.
func summary(text string) string {
	var b strings.Builder
	last := byte(' ')
	for text != "" {
		before, rest, ok := strings.Cut(text, "%")
		if before != "" {
			b.WriteString(before)
			last = before[len(before)-1]
		}
		if !ok {
			break
		}
		verb := strings.IndexFunc(rest, func(c rune) bool { return c == '%' || c|0x20 >= 'a' && c|0x20 <= 'z' })
		if verb < 0 {
			break
		}
		if rest[verb] == '%' {
			b.WriteByte('%')
		} else if isAddition := last == '%' || last == '.' || last|0x20 >= 'a' && last|0x20 <= 'z'; !isAddition {
			b.WriteString("…")
		}
		last, text = '%', rest[verb+1:]
	}
	short := b.String()
	for _, tail := range [...]string{": … ….", ": ….", " (…)."} {
		short = strings.ReplaceAll(short, tail, ".")
	}
	return strings.TrimPrefix(short, "…: ")
}

// Sink takes the diagnostics of one file.
type Sink func(Diagnostic)

// List collects diagnostics.
type List []Diagnostic

// Add puts a diagnostic at the end.
func (l *List) Add(d Diagnostic) { *l = append(*l, d) }

// HasErrors reports whether one of them is an error.
func (l List) HasErrors() bool {
	for i := range l {
		if l[i].Severity == Error {
			return true
		}
	}
	return false
}

// SortByPlace orders the diagnostics of one file by where they begin, keeping
// the order in which they were found where that is equal.
func (l List) SortByPlace() {
	slices.SortStableFunc(l, func(a, b Diagnostic) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
}

// Arguments of a diagnostic that stand for others, which must not be shown.
var (
	Secret       any = hidden(secret.Text)                                                 // a value
	HiddenReason any = hidden("the reason is not shown, since it may hold a secure value") // a Reason
)

type hidden string

// Format implements fmt.Formatter: what is hidden looks the same whatever the verb.
func (h hidden) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, string(h)) }
