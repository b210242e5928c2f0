package check

import (
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/pragma"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Diagnostics returns all diagnostics of the file in the order of their places: of the
// configuration, the lexer and the parser, of names and types, of what a template cannot express,
// and of the linter. Pragmas have removed what they silence.
func (m *Model) Diagnostics() diag.List { return m.checked.Get(m.assemble) }

// HasErrors reports whether the file has errors that keep other files from using it. An error about
// the library of Azure's types, which is not available, does not: other files need nothing of it.
func (m *Model) HasErrors() bool {
	return slices.ContainsFunc(m.Diagnostics(), func(d diag.Diagnostic) bool { return d.Severity == diag.Error && d.Kind != diag.BCP411 })
}

// HasParseErrors reports whether the text of a node has errors of the lexer or the parser.
func (m *Model) HasParseErrors(n syntax.Node) bool {
	list := m.file.Diagnostics
	if len(list) == 0 {
		return false
	}
	at := n.Span()
	for i := range list {
		if s := list[i].Span; at.Contains(s) {
			return true
		}
	}
	return false
}

func (m *Model) assemble() diag.List {
	var list diag.List
	for _, p := range m.file.Config.Problems {
		list.Add(p.At(source.Span{}))
	}
	list = append(list, m.file.Diagnostics...)
	list = append(list, m.checkNames()...)
	syntax.Children(m.tree, m.visit) // the types of all that no symbol has led to
	list = append(list, m.diags...)
	for _, i := range m.program.options.Inspectors {
		i.Inspect(m, list.Add)
	}
	if len(m.valueless) > 0 && !list.HasErrors() {
		m.checkValues(list.Add)
	}
	return m.sortAndFilter(list)
}

// checkValues reports names that have no value where one is needed: namespaces, and what is
// imported and is no variable. They can be called, and their members be named. Most of the other
// uses have an error of the type already. The official compiler does not look for the rest, such
// as '${sys}' or (m).v, and fails when it writes the template.
func (m *Model) checkValues(report diag.Sink) {
	for _, n := range m.valueless {
		base := syntax.Node(n)
		parent := m.Parent(n)
		if _, ok := m.bound(n).(*bind.BuiltInNamespace); ok { // of which (sys) and sys! are one, too
			for isWrapper(parent) {
				base, parent = parent, m.Parent(parent)
			}
		}
		switch p := parent.(type) {
		case *syntax.InstanceCall:
			if syntax.Node(p.X) == base {
				continue
			}
		case *syntax.PropertyAccess:
			if syntax.Node(p.X) == base {
				continue
			}
		}
		report(diag.BCP063.At(n.Name.Span(), n.Name.Name))
	}
}

func isWrapper(n syntax.Node) bool {
	switch n.(type) {
	case *syntax.Paren, *syntax.NonNull:
		return true
	}
	return false
}

// checkNames finds the types of all symbols, and collects the diagnostics that they carry.
func (m *Model) checkNames() diag.List {
	var list diag.List
	b := m.binding
	typed := func(s bind.Symbol) {
		t := m.symbolType(s)
		list = append(list, types.ErrorsOf(t)...)
		for {
			a, ok := t.(*types.Array)
			if !ok || types.IsDeferred(a.Item) {
				return
			}
			t = a.Item.Type()
			list = append(list, types.ErrorsOf(t)...)
		}
	}
	for _, ns := range b.Namespaces {
		if ns.Origin != nil {
			continue
		}
		// Of two with one name, the later counts.
		if s := b.ImplicitNamespace(ns.Name); s != nil && s.Type == ns.Type {
			list = append(list, types.ErrorsOf(ns.Type)...)
		}
	}
	each(b.Extensions, typed)
	each(b.ExtensionConfigs, typed)
	var locals func(*bind.Scope)
	locals = func(s *bind.Scope) {
		for _, c := range s.Children {
			locals(c)
		}
		for _, d := range s.Locals {
			switch d.(type) {
			case *bind.Resource:
				typed(d)
			case *bind.LocalThis:
				list = append(list, types.ErrorsOf(m.symbolType(d))...)
			}
		}
	}
	for _, c := range b.Root.Children {
		locals(c)
	}
	for _, s := range b.Metadata {
		typed(s)
		if strings.HasPrefix(s.Name(), "_") {
			list.Add(diag.BCP268.At(s.NameSpan(), s.Name()))
		}
	}
	each(b.Params, typed)
	each(b.Vars, typed)
	each(b.Funcs, typed)
	each(b.Resources, typed)
	each(b.Modules, typed)
	each(b.Outputs, typed)
	each(b.Asserts, typed)
	each(b.ParamAssigns, typed)
	each(b.Tests, typed)
	for _, s := range b.ErroredImports {
		list = append(list, s.Problems...)
	}
	for _, s := range b.Wildcards {
		var twice []string
		for _, e := range s.From.Exports() {
			if e.Duplicate {
				twice = append(twice, e.Name)
			}
		}
		if len(twice) > 0 {
			list.Add(diag.BCP374.At(s.Node.Span(), strings.Join(twice, ", ")))
		}
	}
	list = append(list, b.Diagnostics()...)
	return list
}

// each calls f for every symbol of a list.
func each[S bind.Symbol](list []S, f func(bind.Symbol)) {
	for _, s := range list {
		f(s)
	}
}

// sortAndFilter sorts diagnostics by place and drops those that pragmas silence.
func (m *Model) sortAndFilter(list diag.List) diag.List {
	list.SortByPlace()
	silenced := pragma.Silenced(m.Source(), m.tree.Pragmas)
	out := list[:0]
	for _, d := range list {
		if silenced.Hides(&d) {
			continue
		}
		if d.File == nil {
			d.File = m.Source()
		}
		out = append(out, d)
	}
	return out
}
