package format

import (
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// statement appends a statement, with its decorators before it.
func (l *layout) statement(list []*doc, s syntax.Node) []*doc {
	if d, ok := s.(syntax.Decorated); ok {
		if _, missing := s.(*syntax.Missing); missing {
			return l.missing(list, d)
		}
		if k, ok := s.(interface{ KeywordSpan() source.Span }); ok {
			list = l.decorators(list, d.DecoratorList(), k.KeywordSpan().Start)
		}
	}
	switch s := s.(type) {
	case *syntax.TargetScope:
		return append(list, l.spread(l.token(), l.token(), l.node(s.Value)))
	case *syntax.Metadata:
		return append(list, l.spread(l.token(), l.node(s.Name), l.token(), l.node(s.Value)))
	case *syntax.Param:
		parts := []*doc{l.token(), l.node(s.Name), l.node(s.Type)}
		if s.Default != nil {
			parts = append(parts, l.spread(l.token(), l.node(s.Default.Value)))
		}
		return append(list, l.spread(parts...))
	case *syntax.TypeDecl:
		return append(list, l.spread(l.token(), l.node(s.Name), l.token(), l.node(s.Value)))
	case *syntax.Var:
		parts := []*doc{l.token(), l.node(s.Name)}
		if s.Type != nil {
			parts = append(parts, l.node(s.Type))
		}
		return append(list, l.spread(append(parts, l.token(), l.node(s.Value))...))
	case *syntax.Func:
		return append(list, l.spread(l.token(), l.glue(l.node(s.Name), l.node(s.Lambda))))
	case *syntax.Resource:
		parts := []*doc{l.token(), l.node(s.Name), l.node(s.Type)}
		if s.IsExisting() {
			parts = append(parts, l.token())
		}
		return append(list, l.spread(append(parts, l.token(), l.resourceValue(s.Value))...))
	case *syntax.Module:
		return append(list, l.spread(l.token(), l.node(s.Name), l.node(s.Path), l.token(), l.resourceValue(s.Value)))
	case *syntax.Test:
		return append(list, l.spread(l.token(), l.node(s.Name), l.node(s.Path), l.token(), l.node(s.Value)))
	case *syntax.Output:
		return append(list, l.spread(l.token(), l.node(s.Name), l.node(s.Type), l.token(), l.node(s.Value)))
	case *syntax.Assert:
		return append(list, l.spread(l.token(), l.node(s.Name), l.token(), l.node(s.Value)))
	case *syntax.Import:
		return append(list, l.spread(l.token(), l.importSymbols(s.Symbols), l.from(s.From)))
	case *syntax.Extension:
		// A clause that is left out leaves its blank.
		parts := []*doc{l.token(), l.node(s.Spec), l.with(s.With), empty}
		if s.As != nil {
			parts[3] = l.as(s.As)
		}
		return append(list, l.spread(parts...))
	case *syntax.Using:
		return append(list, l.spread(l.token(), l.node(s.Path), l.with(s.With)))
	case *syntax.Extends:
		return append(list, l.spread(l.token(), l.node(s.Path)))
	case *syntax.ParamAssign:
		return append(list, l.spread(l.token(), l.node(s.Name), l.token(), l.node(s.Value)))
	case *syntax.ExtensionConfig:
		return append(list, l.spread(l.token(), l.node(s.Alias), l.with(s.With)))
	}
	l.lost = true
	return list
}

// decorators appends decorators and the comments among them, without the blank
// lines. The brackets around a decorated member break, since a decorator needs a
// line of its own.
func (l *layout) decorators(list []*doc, decorators []*syntax.Decorator, until int32) []*doc {
	begin := len(list)
	if len(decorators) > 0 {
		l.breaks++
	}
	for _, d := range decorators {
		list = l.between(list, d.Span().Start)
		list = append(list, l.node(d))
	}
	list = l.between(list, until)
	kept := list[:begin]
	for _, d := range list[begin:] {
		if !d.isLine() {
			kept = append(kept, d)
		}
	}
	return kept
}

// missing appends decorators that nothing follows.
func (l *layout) missing(list []*doc, s syntax.Decorated) []*doc {
	for _, d := range s.DecoratorList() {
		list = l.stray(list, d.Span().Start)
		if l.wrong.within(d.Span()) {
			list = append(list, l.skipped(d.Span()))
		} else {
			list = append(list, l.node(d))
		}
	}
	return l.stray(list, s.Span().End)
}

// resourceValue lays out what is after the = of a resource or a module: a
// condition may be on a later line, which is kept only if there are comments
// before it.
func (l *layout) resourceValue(value syntax.Expr) *doc {
	start := value.Span().Start
	if !l.commentedLines(start) {
		l.skipLines(start)
		return l.node(value)
	}
	return l.indented(true, func(list []*doc) []*doc {
		return append(l.between(list, start), l.node(value))
	})
}

func (l *layout) with(w *syntax.WithClause) *doc {
	if w == nil {
		return empty
	}
	return l.spread(l.token(), l.node(w.Config))
}

func (l *layout) as(a *syntax.AsClause) *doc { return l.spread(l.token(), l.node(a.Name)) }

func (l *layout) from(n syntax.Node) *doc {
	f, ok := n.(*syntax.FromClause)
	if !ok {
		l.lost = true
		return empty
	}
	return l.spread(l.token(), l.node(f.Path))
}

func (l *layout) importSymbols(n syntax.Node) *doc {
	switch n := n.(type) {
	case *syntax.WildcardImport:
		return l.spread(l.token(), l.as(n.As))
	case *syntax.ImportList:
		return l.bracket(objectBrackets, len(n.Items) > 0, n.Span().End-1, func(list []*doc) ([]*doc, int) {
			for _, item := range n.Items {
				list = l.between(list, item.Span().Start)
				parts := []*doc{l.node(item.Original)}
				if item.As != nil {
					parts = append(parts, l.as(item.As))
				}
				list = append(list, l.beforeComma(l.spread(parts...)))
			}
			return list, 0
		})
	}
	l.lost = true
	return empty
}
