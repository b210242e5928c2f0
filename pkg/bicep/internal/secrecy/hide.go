package secrecy

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Hide takes what is secret out of a diagnostic of a file. Of a message about a secret, it keeps
// the words of the catalogue and of declarations. Text that the source gives is hidden, whatever it
// is, since a secret may lack its quotes or be an object's key.
func (s *Program) Hide(m *check.Model, d diag.Diagnostic) diag.Diagnostic {
	if m == nil || len(d.Args) == 0 || s.hasNone() {
		return d
	}
	f := s.of(m)
	mark := s.markAt(f, d.Span)
	if mark == 0 {
		return d
	}
	text := ""
	if mark&Secure == 0 { // a value of the environment: the source does not show it
		text = m.Source().Slice(d.Span)
	}
	args := make([]any, len(d.Args))
	for i, a := range d.Args {
		args[i] = a
		if !s.isPublic(d.Kind, i, a) && !f.declares(a) && (text == "" || fmt.Sprint(a) != text) {
			args[i] = diag.Secret
		}
	}
	d.Args = args
	return d
}

// declared are the arguments of diagnostics that name what is declared or expected, not
// what a value is. Those of all other kinds are hidden.
var declared = map[diag.Kind][]int{
	diag.BCP006: {0}, diag.BCP012: {0}, diag.BCP018: {0}, diag.BCP024: {0},
	diag.BCP033: {0}, diag.BCP035: {0, 2}, diag.BCP036: {1}, diag.BCP037: {2}, diag.BCP070: {1}, diag.BCP321: {0, 1}, diag.BCP046: {0},
	diag.BCP082: {1}, diag.BCP351: {0}, diag.LintSecureInParamsFile: {0, 1},
	diag.BCP234: {0}, diag.BCP258: {0}, diag.BCP259: {0, 1}, diag.BCP338: {0, 1},
	diag.BCP327: {1}, diag.BCP328: {1}, diag.BCP329: {1}, diag.BCP330: {1},
	diag.BCP332: {1}, diag.BCP333: {1}, diag.BCP334: {1}, diag.BCP335: {1},
}

// declares reports whether an argument is the name of something that the file declares.
func (f *file) declares(a any) bool {
	if f.declared == nil {
		f.declared = map[string]bool{}
		for _, d := range f.model.Binding().Root.Locals {
			f.declared[d.Name()] = true
		}
	}
	name, ok := a.(string)
	return ok && f.declared[name]
}

// isPublic reports whether an argument of a diagnostic about a secret may be shown. Of
// the types that are expected, those that hold values may come from values.
func (s *Program) isPublic(k diag.Kind, i int, a any) bool {
	if !slices.Contains(declared[k], i) {
		return false
	}
	switch k {
	case diag.BCP033, diag.BCP036, diag.BCP037, diag.BCP070, diag.BCP321:
		return !strings.ContainsAny(fmt.Sprint(a), "'0123456789{")
	}
	return true
}

// markAt returns the mark that hides what a diagnostic says about a place: that of the expressions
// around it, up to the property, element or statement that they are in.
func (s *Program) markAt(f *file, at source.Span) Mark {
	var found Mark
	m := f.model
	inside := f.innermost(at)
	if len(f.unsure) > 0 {
		for n := inside; n != nil; n = m.Parent(n) {
			if f.unsure[n.ID()] {
				return Secure
			}
		}
	}
	var from syntax.Node // what the loop comes from
	for n := inside; n != nil; from, n = n, m.Parent(n) {
		if f.secure[n.ID()] {
			return found | Secure
		}
		switch x := n.(type) {
		case *syntax.ParamAssign:
			found |= s.mark(m, x.Value, "")
			if f.given[x.ID()] {
				found |= Secure
			}
			return found
		case *syntax.Var:
			return found | s.mark(m, x.Value, "")
		case *syntax.Property:
			found |= s.mark(m, x.Value, "")
			if o := m.Parent(n); o != nil && f.secure[o.ID()] {
				found |= Secure
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
				found |= Secure
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
	f := s.of(m)
	if f == nil || len(f.masks) == 0 {
		return line
	}
	if !f.masked {
		f.masked = true
		f.masks = merged(f.masks)
	}
	start := m.Source().Offset(number)
	end := start + int32(len(line))
	var b strings.Builder
	from := start
	i := sort.Search(len(f.masks), func(i int) bool { return f.masks[i].End > start })
	for ; i < len(f.masks) && f.masks[i].Start < end; i++ {
		at := f.masks[i]
		b.WriteString(line[from-start : max(at.Start, start)-start])
		b.WriteString(fmt.Sprint(diag.Secret))
		from = min(at.End, end)
	}
	b.WriteString(line[from-start:])
	return b.String()
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
