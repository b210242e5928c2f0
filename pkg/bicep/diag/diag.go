// Package diag holds what the compiler has to say to its user: diagnostics as
// values, the catalogue of their kinds, and the printers that show them.
package diag

import (
	"fmt"
	"sort"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/source"
)

// Severity says how much a diagnostic matters. The zero value is not a severity.
type Severity uint8

const (
	Off Severity = iota + 1
	Info
	Warning
	Error
)

// Rule is one kind of diagnostic: an entry of the catalogue. The entries are
// package variables named after their codes, in catalogue_*.go.
type Rule struct {
	Code  string
	Level Severity
	Text  string // a fmt format, whose arguments At takes
	URL   string // "" stands for the page that the official compiler links to, if it has one
}

// Diagnostic is one finding at one place. Its message is put together only when
// it is asked for, since a checker makes many that are never shown.
type Diagnostic struct {
	Rule     *Rule
	Severity Severity
	File     *source.File
	Span     source.Span
	Args     []any
}

// At reports the rule at a place of the file that is being looked at; whoever
// collects the diagnostics of a file says which one that is.
func (r *Rule) At(span source.Span, args ...any) Diagnostic {
	return Diagnostic{Rule: r, Severity: r.Level, Span: span, Args: args}
}

// As returns the diagnostic with another severity.
func (d Diagnostic) As(s Severity) Diagnostic {
	d.Severity = s
	return d
}

// Code returns the code, such as BCP057 or no-unused-params.
func (d Diagnostic) Code() string { return d.Rule.Code }

// Message returns the text for the user.
func (d Diagnostic) Message() string {
	if len(d.Args) == 0 {
		return d.Rule.Text
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
	return fmt.Sprintf(d.Rule.Text, args...)
}

// FromLinter reports whether the diagnostic is the linter's, whose codes are names
// of rules; the compiler's are numbered.
func (d Diagnostic) FromLinter() bool {
	return !strings.HasPrefix(d.Rule.Code, "BCP") && !strings.HasPrefix(d.Rule.Code, "RAD")
}

// The pages that the official compiler links its diagnostics to.
const (
	corePage   = "https://aka.ms/bicep/core-diagnostics#"
	linterPage = "https://aka.ms/bicep/linter-diagnostics#"
)

// Page returns the address of the page about the rule, or "".
func (r *Rule) Page() string {
	switch {
	case r.URL != "":
		return r.URL
	case strings.HasPrefix(r.Code, "BCP"):
		return corePage + r.Code
	case strings.Contains(r.Code, " "):
		return ""
	}
	return linterPage + r.Code
}

// Summary returns what the rule says of every place: its text, in which … stands
// for the values of a place. What only some messages have, or what only a place
// can tell (": %s."), is left out.
func (r *Rule) Summary() string {
	var b strings.Builder
	last := byte(' ')
	for text := r.Text; text != ""; {
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
	sort.SliceStable(l, func(i, j int) bool { return l[i].Span.Start < l[j].Span.Start })
}
