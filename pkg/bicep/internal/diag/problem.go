package diag

import "github.com/radbicep/rad/pkg/bicep/source"

// Problem is a diagnostic that has no place yet: what went wrong with something
// that several places of a program may name, such as a file that cannot be read.
type Problem struct {
	Kind Kind
	Args []any
}

// With returns a problem of this kind with the arguments of its message, to be placed later.
func (k Kind) With(args ...any) *Problem { return &Problem{Kind: k, Args: args} }

// At places the problem.
func (p *Problem) At(span source.Span) Diagnostic { return p.Kind.At(span, p.Args...) }

// Code returns the code of the diagnostic to be.
func (p *Problem) Code() string { return p.Kind.Code() }

// Message returns the text for the user.
func (p *Problem) Message() string { return p.At(source.Span{}).Message() }
