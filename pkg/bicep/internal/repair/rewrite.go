package repair

import (
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// interpolate turns a call of concat() into a string.
func (f *File) interpolate(d diag.Diagnostic) *report.Fix {
	for _, n := range f.places[d.Span] {
		name, args, ok := syntax.CallName(n)
		if !ok || name.Name != "concat" {
			continue
		}
		if f.holdsComment(n.Span()) {
			return nil
		}
		var b strings.Builder
		b.WriteByte('\'')
		for _, a := range args {
			if !f.piece(&b, a) {
				return nil
			}
		}
		b.WriteByte('\'')
		return replace("Write the string with ${…}.", report.Certain, d.Span, b.String())
	}
	return nil
}

// piece appends an argument of concat() to a string.
func (f *File) piece(b *strings.Builder, x syntax.Expr) bool {
	switch n := x.(type) {
	case *syntax.Paren:
		return f.piece(b, n.X)
	case *syntax.String:
		text, ok := "", false
		if n.Multiline {
			if text, ok = n.Literal(); ok {
				text = quote(text)
			}
		} else if text, ok = f.plain(n); ok {
			text = text[1 : len(text)-1]
		}
		if !ok {
			return false
		}
		if before := b.String(); strings.HasPrefix(text, "{") && strings.HasSuffix(before, "$") && !strings.HasSuffix(before, `\$`) {
			b.Reset() // two parts would make an interpolation
			b.WriteString(before[:len(before)-1] + `\$`)
		}
		b.WriteString(text)
		return true
	case *syntax.Call, *syntax.InstanceCall:
		if name, args, _ := syntax.CallName(n); name.Name == "concat" && len(args) > 0 && f.isString(n) {
			for _, a := range args {
				if !f.piece(b, a) {
					return false
				}
			}
			return true
		}
	}
	text, ok := f.plain(x)
	if !ok || !f.isString(x) && !types.AreAssignable(f.m.TypeOf(x), types.TInt) {
		return false
	}
	b.WriteString("${" + text + "}")
	return true
}

func (f *File) isString(x syntax.Node) bool {
	t := f.m.TypeOf(x)
	return t != types.TAny && types.AreAssignable(t, types.TString)
}

// simplify puts the expression of a string's only hole in place of the string.
func (f *File) simplify(d diag.Diagnostic, s *syntax.String) *report.Fix {
	if len(s.Exprs()) != 1 {
		return nil
	}
	inner := s.Exprs()[0].Span()
	if f.holdsComment(source.Span{Start: d.Span.Start, End: inner.Start}) ||
		f.holdsComment(source.Span{Start: inner.End, End: d.Span.End}) {
		return nil
	}
	return replace("Write the expression alone.", report.Certain, d.Span, f.source.Slice(inner))
}

// jsonNull puts null in place of json('null').
func (f *File) jsonNull(d diag.Diagnostic) *report.Fix {
	if f.holdsComment(d.Span) {
		return nil
	}
	return replace("Write null.", report.Certain, d.Span, "null")
}

// isOutputs reports whether an expression reads something called outputs.
func (f *File) isOutputs(x syntax.Expr) bool {
	switch x := syntax.Unparen(syntax.UnwrapNonNull(x)).(type) {
	case *syntax.PropertyAccess:
		return x.Name.Name == "outputs"
	case *syntax.Index:
		key, ok := x.Index.(*syntax.String)
		if !ok {
			return false
		}
		text, _ := key.Literal()
		return text == "outputs"
	}
	return false
}

// maxName is how long a name without quotes can be.
const maxName = 255

// unquote takes the quotes off a name.
func (f *File) unquote(d diag.Diagnostic) *report.Fix {
	if i, ok := at[*syntax.Index](f, d.Span); ok {
		key, ok := i.Index.(*syntax.String)
		if !ok || f.holdsComment(d.Span) || types.AreAssignable(f.m.TypeOf(i.X), types.TArray) && f.m.TypeOf(i.X) != types.TAny {
			return nil
		}
		text, _ := key.Literal()
		if len(text) > maxName {
			return nil
		}
		dot := "."
		if i.Safe {
			dot = ".?"
		}
		c := report.Certain
		if text == "outputs" || f.isOutputs(i.X) {
			c = report.Likely // of modules, an index reads the output with its type around it
		}
		return replace("Write "+dot+text+".", c, d.Span, dot+text)
	}
	key, ok := at[*syntax.String](f, d.Span)
	if !ok {
		return nil
	}
	text, ok := key.Literal()
	if !ok || len(text) > maxName {
		return nil
	}
	return replace("Remove the quotes.", report.Certain, d.Span, text)
}

// safeAccess writes .? where a condition, or nothing, guards an access.
func (f *File) safeAccess(d diag.Diagnostic) *report.Fix {
	if t, ok := at[*syntax.Ternary](f, d.Span); ok {
		a, ok := t.Then.(syntax.Access)
		if !ok || f.holdsComment(d.Span) {
			return nil
		}
		text := f.safe(a)
		other := f.source.Slice(t.Else.Span())
		switch t.Else.(type) {
		case *syntax.Null:
			return replace("Write .?.", report.Likely, d.Span, text)
		case *syntax.Ternary, *syntax.Binary:
			other = "(" + other + ")"
		}
		return replace("Write .? and ??.", report.Likely, d.Span, text+" ?? "+other)
	}
	for _, n := range f.places[d.Span] {
		if a, ok := n.(syntax.Access); ok && !f.holdsComment(d.Span) {
			// The value may be null now, which what reads it must know.
			return replace("Write .?.", report.NeedsPerson, d.Span, f.safe(a))
		}
	}
	return nil
}

// safe returns an access with a question mark.
func (f *File) safe(a syntax.Access) string {
	base := f.source.Slice(a.Base().Span())
	switch a := a.(type) {
	case *syntax.PropertyAccess:
		return base + ".?" + a.Name.Name
	case *syntax.Index:
		return base + "[?" + f.source.Slice(source.Span{Start: a.Open.End, End: a.Close.End})
	}
	return f.source.Slice(a.Span())
}
