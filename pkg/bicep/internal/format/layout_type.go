package format

import "github.com/radbicep/rad/pkg/bicep/internal/syntax"

// typ lays out a type.
func (l *layout) typ(n syntax.TypeExpr) *doc {
	switch n := n.(type) {
	case *syntax.StringTypeLit:
		return l.str(n.Value)
	case *syntax.UnaryType:
		return l.glue(l.token(), l.node(n.X))
	case *syntax.ParenType:
		return l.glue(l.token(), l.node(n.X), l.token())
	case *syntax.NullableType:
		return l.glue(l.node(n.X), l.token())
	case *syntax.NonNullType:
		return l.glue(l.node(n.X), l.token())
	case *syntax.ArrayType:
		return l.glue(l.node(n.Item), l.token(), l.token())
	case *syntax.TypeItems:
		return l.glue(l.node(n.X), l.token(), l.token(), l.token())
	case *syntax.TypeIndex:
		return l.glue(l.node(n.X), l.token(), l.node(n.Index), l.token())
	case *syntax.TypePropertyAccess:
		return l.glue(l.node(n.X), l.token(), l.node(n.Name))
	case *syntax.TypeRestAccess:
		return l.glue(l.node(n.X), l.token(), l.token())
	case *syntax.TypeCall:
		return l.glue(l.node(n.Name), l.typeArguments(n.Args, n.Close.Start))
	case *syntax.InstanceTypeCall:
		return l.glue(l.node(n.X), l.token(), l.node(n.Name), l.typeArguments(n.Args, n.Close.Start))
	case *syntax.ResourceTypeRef:
		if n.Type == nil {
			return l.token()
		}
		return l.glue(l.token(), l.node(n.Type))
	case *syntax.UnionType:
		return l.union(n)
	case *syntax.TupleType:
		return l.tuple(n)
	case *syntax.ObjectType:
		return l.objectType(n)
	}
	l.lost = true
	return empty
}

// typeArguments lays out the arguments of a type, which are not broken because
// of their width.
func (l *layout) typeArguments(args []syntax.TypeExpr, closing int32) *doc {
	return l.onOneLine(l.bracket(blockBrackets, len(args) > 0, closing, func(list []*doc) ([]*doc, int) {
		return argumentList(l, false, args, list)
	}))
}

func (l *layout) union(u *syntax.UnionType) *doc {
	var head []*doc
	body := l.indented(true, func(list []*doc) []*doc {
		for _, d := range l.between(nil, u.Members[0].Span().Start) {
			if !d.isLine() { // on a line of its own a comment would end the type
				head = append(head, d)
			}
		}
		return l.members(list, u, leadingPipe)
	})
	if len(head) > 0 {
		return l.glue(l.spread(head...), body)
	}
	return body
}

// members appends the members of a union.
func (l *layout) members(list []*doc, u *syntax.UnionType, sign *doc) []*doc {
	for _, m := range u.Members {
		list = l.between(list, m.Span().Start)
		before := l.beforePipe
		l.beforePipe = nil
		d := l.glue(sign, l.node(m))
		sign = pipe
		if len(before) > 0 { // on a line of its own a comment would end the type
			d = l.spread(append(before, d)...)
		}
		list = append(list, d)
	}
	return list
}

// tupleItem lays out the type of an item of a tuple. A union after another item
// must not begin on a line of its own: it would be taken for that item's.
func (l *layout) tupleItem(t syntax.TypeExpr, first bool) *doc {
	u, ok := t.(*syntax.UnionType)
	if !ok || first {
		return l.node(t)
	}
	return l.indented(false, func(list []*doc) []*doc { return l.members(list, u, empty) })
}

func (l *layout) tuple(t *syntax.TupleType) *doc {
	return l.bracket(arrayBrackets, false, t.Span().End-1, func(list []*doc) ([]*doc, int) {
		for i, item := range t.Items {
			list = l.between(list, item.Span().Start)
			list = l.decorators(list, item.Decorators, item.Value.Span().Start)
			if len(item.Decorators) > 0 {
				l.breaks-- // the official formatter does not break here, though it should
				l.decoratedTuple = append(l.decoratedTuple, t.Span())
			}
			list = append(list, l.beforeComma(l.tupleItem(item.Value, i == 0 && len(item.Decorators) == 0)))
		}
		return list, 0
	})
}

func (l *layout) objectType(o *syntax.ObjectType) *doc {
	return l.bracket(objectBrackets, len(o.Members) > 0, o.Close.Start, func(list []*doc) ([]*doc, int) {
		for _, m := range o.Members {
			list = l.between(list, m.Span().Start)
			var value syntax.TypeExpr
			var key *doc
			switch m := m.(type) {
			case *syntax.TypeProperty:
				list = l.decorators(list, m.Decorators, m.Key.Span().Start)
				key, value = l.node(m.Key), m.Value
			case *syntax.TypeRest:
				list = l.decorators(list, m.Decorators, m.Star.Start)
				key, value = l.token(), m.Value
			default:
				l.lost = true
				return list, 0
			}
			key = l.glue(key, l.token())
			list = append(list, l.beforeComma(l.spread(key, l.node(value))))
		}
		return list, 0
	})
}
