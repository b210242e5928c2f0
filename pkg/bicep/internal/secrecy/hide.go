package secrecy

import (
	"slices"
	"sort"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/secret"
)

// Hide takes what is secret out of a diagnostic of a file. Of a message about a secret, it keeps
// names and fixed text: the class of each argument says what it is. Text that the source gives is
// hidden, whatever it is, since a secret may lack its quotes.
func (s *Program) Hide(m *check.Model, d diag.Diagnostic) diag.Diagnostic {
	if m == nil || len(d.Args) == 0 || s.hasNone() {
		return d
	}
	f := s.of(m)
	mark := s.markAt(f, d.Span)
	if mark == 0 {
		return d
	}
	at := m.Source().Slice(d.Span) // no secret, if the mark is that of the environment alone
	args := make([]any, len(d.Args))
	for i, a := range d.Args {
		args[i] = s.shown(f, d.Kind.Class(i), a, at, mark.Written())
	}
	d.Args = args
	return d
}

// declares reports whether an argument is the name of something that the file declares.
func (f *file) declares(name string) bool {
	if f.declared == nil {
		f.declared = map[string]bool{}
		for _, d := range f.model.Binding().Root.Locals {
			f.declared[d.Name()] = true
		}
	}
	return f.declared[name]
}

// markAt returns the mark that hides what a diagnostic says about a place: that of the expressions
// around it, up to the property, element or statement that they are in.
func (s *Program) markAt(f *file, at source.Span) secret.Mark {
	var found secret.Mark
	m := f.model
	inside := f.innermost(at)
	if len(f.unsure) > 0 {
		for n := inside; n != nil; n = m.Parent(n) {
			if f.unsure[n.ID()] {
				return secret.Secure
			}
		}
	}
	var from syntax.Node // what the loop comes from
	for n := inside; n != nil; from, n = n, m.Parent(n) {
		if f.secure[n.ID()] {
			return found | secret.Secure
		}
		switch x := n.(type) {
		case *syntax.ParamAssign:
			found |= s.mark(m, x.Value, "")
			if f.given[x.ID()] {
				found |= secret.Secure
			}
			return found
		case *syntax.Var:
			return found | s.mark(m, x.Value, "")
		case *syntax.Property:
			found |= s.mark(m, x.Value, "")
			if o := m.Parent(n); o != nil && f.secure[o.ID()] {
				found |= secret.Secure
			}
			return found
		case syntax.Stmt:
			return found
		case syntax.Access:
			if from != nil && from != syntax.Node(x.Base()) { // the name of a member, or an index
				found |= s.mark(m, x.Base(), "")
			}
		}
		if x, ok := n.(syntax.Expr); ok {
			found |= s.mark(m, x, "")
		}
		switch p := m.Parent(n).(type) {
		case *syntax.Array:
			if f.secure[p.ID()] {
				found |= secret.Secure
			}
			return found
		case *syntax.Call:
			if s.isSourceName(m, p, p.Args, n) {
				return found
			}
		case *syntax.InstanceCall:
			if s.isSourceName(m, p, p.Args, n) {
				return found
			}
		}
	}
	return found
}

// isSourceName reports whether an argument names what a call reads: the variable or the file.
func (s *Program) isSourceName(m *check.Model, call syntax.Expr, args []syntax.Expr, n syntax.Node) bool {
	if len(args) == 0 || syntax.Node(args[0]) != n {
		return false
	}
	kind, _, _ := s.kind(m, call)
	return kind == callEnvironment || kind == callFile
}

// innermost returns the smallest node or name that holds a span.
func (f *file) innermost(at source.Span) syntax.Node {
	tree := f.model.Tree()
	if f.nodes == nil {
		// They are sorted already, but perhaps for those that stand for missing text.
		byStart := func(a, b syntax.Node) int { return int(a.Span().Start) - int(b.Span().Start) }
		f.nodes = tree.Nodes()
		if !slices.IsSortedFunc(f.nodes, byStart) {
			f.nodes = slices.Clone(f.nodes)
			slices.SortStableFunc(f.nodes, byStart)
		}
	}
	i := sort.Search(len(f.nodes), func(i int) bool { return f.nodes[i].Span().Start > at.Start })
	if i == 0 {
		return nil
	}
	n := f.nodes[i-1]
	for n != nil && !n.Span().Contains(at) {
		n = tree.Parent(n)
	}
	if n != nil {
		syntax.Names(n, func(name *syntax.Ident) {
			if name.Span().Contains(at) {
				n = name
			}
		})
	}
	return n
}

// Line returns a line of a file without the secrets that are written in it.
func (s *Program) Line(m *check.Model, number int) string {
	line := m.Source().Line(number)
	start := m.Source().Offset(number)
	end := start + int32(len(line))
	written := s.Written(m, source.Span{Start: start, End: end})
	if len(written) == 0 {
		return line // as it is: it may be long, and have a finding at each word
	}
	var b strings.Builder
	from := start
	for _, at := range written {
		b.WriteString(line[from-start : max(at.Start, start)-start])
		b.WriteString(secret.Text)
		from = min(at.End, end)
	}
	b.WriteString(line[from-start:])
	return b.String()
}

// Written returns the places, in order, where secrets are written in a part of a file, or reach into it.
func (s *Program) Written(m *check.Model, in source.Span) []source.Span {
	f := s.of(m)
	if f == nil || len(f.masks) == 0 {
		return nil
	}
	if !f.masked {
		f.masked = true
		f.masks = merged(f.masks)
	}
	i := sort.Search(len(f.masks), func(i int) bool { return f.masks[i].End > in.Start })
	n := sort.Search(len(f.masks)-i, func(n int) bool { return f.masks[i+n].Start >= in.End })
	return f.masks[i : i+n]
}

// merged sorts spans and puts together those that meet.
func merged(list []source.Span) []source.Span {
	slices.SortFunc(list, func(a, b source.Span) int { return int(a.Start) - int(b.Start) })
	out := list[:1]
	for _, s := range list[1:] {
		if last := &out[len(out)-1]; s.Start <= last.End {
			last.End = max(last.End, s.End)
		} else {
			out = append(out, s)
		}
	}
	return out
}
