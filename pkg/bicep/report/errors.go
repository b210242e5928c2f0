package report

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Error returns the finding as one line: its place, severity, code and message.
func (f Finding) Error() string { return (&Printer{}).Header(f) }

// Errors are the findings that are errors.
type Errors []Finding

// Error returns a line for each finding.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, f := range e {
		lines[i] = f.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the findings.
func (e Errors) Unwrap() []error {
	list := make([]error, len(e))
	for i, f := range e {
		list[i] = f
	}
	return list
}

// ErrorOf returns the findings that are errors as an error of the type Errors, or nil.
func ErrorOf(findings []Finding) error {
	if !AnyError(findings) {
		return nil
	}
	var list Errors
	for i := range findings {
		if findings[i].Severity == Error {
			list = append(list, findings[i])
		}
	}
	return list
}

// Sentence gives a message the form of the compiler's. A message that begins with a
// reference or the name of a file keeps its first letter.
func Sentence(s string) string {
	first, _, _ := strings.Cut(s, " ")
	if !strings.ContainsAny(first, ":./") {
		r, size := utf8.DecodeRuneInString(s)
		s = string(unicode.ToUpper(r)) + s[size:]
	}
	if strings.HasSuffix(s, "?") || strings.HasSuffix(s, "…") || strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}
