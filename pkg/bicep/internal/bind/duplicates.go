package bind

import (
	"slices"
	"sort"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// Diagnostics returns what is wrong with the names that the file declares and with its statements.
// Problems with the use of a name are in its ErrorSymbol, problems with an import in its
// ErroredImport.
func (b *Binding) Diagnostics() diag.List {
	v := &duplicates{b: b}
	v.scope(b.Root)
	for _, c := range b.Root.Children {
		v.walk(c)
	}
	b.checkStatements(v.list.Add)
	return v.list
}

type duplicates struct {
	b    *Binding
	list diag.List
}

func (v *duplicates) walk(s *Scope) {
	v.scope(s)
	for _, c := range s.Children {
		v.walk(c)
	}
}

// scope looks for names that are declared twice in one scope. Declarations that can be referred to
// share one set of names. Outputs have their own, and so has metadata.
func (v *duplicates) scope(s *Scope) {
	names := s.Locals
	var outputs, metadata []Declared
	if slices.ContainsFunc(names, hasOwnNames) {
		names = nil
		for _, d := range s.Locals {
			switch d.(type) {
			case *Output:
				outputs = append(outputs, d)
			case *Metadata:
				metadata = append(metadata, d)
			default:
				names = append(names, d)
			}
		}
	}
	if s != v.b.Root || v.b.sameNames {
		v.twice(v.withoutBase(names), diag.BCP028)
	}
	v.twice(outputs, diag.BCP145)
	v.twice(metadata, diag.BCP145)
	for _, d := range names {
		if !d.NameValid() {
			continue
		}
		if _, taken := v.b.implicit[d.Name()]; taken {
			v.list.Add(diag.BCP084.At(d.NameSpan(), d.Name(), v.reserved()))
		}
		if s == v.b.Root && d.Name() == "this" && v.b.File.Has(release.ThisIsReserved) {
			v.list.Add(diag.BCP084.At(d.NameSpan(), d.Name(), v.reserved("this")))
		}
	}
	if s == v.b.Root {
		v.extensions()
	}
}

// withoutBase returns names without "base" as the name of what a file extends, in releases where it is free.
func (v *duplicates) withoutBase(names []Declared) []Declared {
	if !v.b.File.Has(release.TypedBase) && len(names) > 0 {
		if _, ok := names[len(names)-1].(*BaseParams); ok {
			return names[:len(names)-1]
		}
	}
	return names
}

// hasOwnNames reports whether a declaration shares its set of names with those of its
// kind alone.
func hasOwnNames(d Declared) bool {
	switch d.(type) {
	case *Output, *Metadata:
		return true
	}
	return false
}

// reserved lists the names of the namespaces that need no declaration.
func (v *duplicates) reserved(more ...string) string {
	for n := range v.b.implicit {
		more = append(more, n)
	}
	sort.Strings(more)
	return strings.Join(more, ", ")
}

func (v *duplicates) twice(list []Declared, kind diag.Kind) {
	if len(list) < 2 {
		return
	}
	count := make(map[string]int, len(list))
	for _, d := range list {
		if d.NameValid() {
			count[d.Name()]++
		}
	}
	if len(count) == len(list) {
		return
	}
	for _, d := range list {
		if d.NameValid() && count[d.Name()] > 1 {
			v.list.Add(kind.At(d.NameSpan(), d.Name()))
		}
	}
}

// extensions reports those that can be declared once only, and are declared twice.
func (v *duplicates) extensions() {
	count := map[string]int{}
	single := func(x *ExtensionNamespace) (string, bool) {
		ns, ok := x.Type.(*types.Namespace)
		if !ok || !ns.Settings.Singleton {
			return "", false
		}
		return ns.Settings.ExtensionName, true
	}
	for _, x := range v.b.Extensions {
		if name, ok := single(x); ok {
			count[name]++
		}
	}
	for _, x := range v.b.Extensions {
		if name, ok := single(x); ok && count[name] > 1 {
			v.list.Add(diag.BCP207.At(x.Stmt.Spec.Span(), name))
		}
	}
}
