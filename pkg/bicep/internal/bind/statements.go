package bind

import (
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// checkStatements reports statements that a file can have only once, names that are
// imported twice, and a misuse of the name "base".
func (b *Binding) checkStatements(report diag.Sink) {
	tree := b.File.Tree
	var scopes, usings, extends []source.Span
	for _, s := range tree.Stmts {
		switch s := s.(type) {
		case *syntax.TargetScope:
			scopes = append(scopes, s.Keyword)
		case *syntax.Using:
			usings = append(usings, s.Keyword)
		case *syntax.Extends:
			extends = append(extends, s.Keyword)
		}
	}
	once := func(list []source.Span, kind diag.Kind) {
		if len(list) > 1 {
			for _, at := range list {
				report(kind.At(at))
			}
		}
	}
	once(scopes, diag.BCP112)
	once(usings, diag.BCP262)
	once(extends, diag.BCP405)
	if !b.File.Has(release.ExtendsIsFree) && !b.File.Features().ExtendableParamFiles {
		for _, at := range extends {
			report(diag.BCP406.At(at))
		}
	}
	b.checkImportedTwice(report)
	if tree.Params {
		b.checkBase(len(extends) == 1, report)
	}
}

// checkBase reports the use of "base" in a parameter file that extends no other, and
// declarations of that name in one that does.
func (b *Binding) checkBase(extends bool, report diag.Sink) {
	if !extends {
		tree := b.File.Tree
		tree.Walk(tree, func(n syntax.Node) bool {
			if v, ok := n.(*syntax.VarRef); ok && v.Name.Name == "base" {
				report(diag.BCP437.At(v.Name.Span()))
			}
			return true
		})
		return
	}
	for _, d := range b.DeclarationsOf("base") {
		if _, ok := d.(*BaseParams); !ok {
			report(diag.BCP438.At(d.Decl().Span()))
		}
	}
}

// checkImportedTwice reports what is imported more than once, under whichever names.
func (b *Binding) checkImportedTwice(report diag.Sink) {
	type key struct {
		from *graph.File
		name string
	}
	all := b.ImportedByName()
	if len(all) < 2 {
		return
	}
	groups := map[key][]string{}
	for _, s := range all {
		k := key{s.Source().File(), s.OriginalName()}
		groups[k] = append(groups[k], s.Name())
	}
	for _, s := range all {
		if names := groups[key{s.Source().File(), s.OriginalName()}]; len(names) > 1 {
			report(diag.BCP362.At(s.Decl().Span(), diag.Names(names)))
		}
	}
}
