package format

import (
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// node lays out anything that is one document: names, expressions and types.
func (l *layout) node(n syntax.Node) *doc {
	switch n := n.(type) {
	case *syntax.Skipped:
		return l.skipped(n.Span())
	case *syntax.Ident:
		if !n.Valid() {
			return l.skipped(n.Span())
		}
		return l.token()
	case *syntax.Int, *syntax.Bool, *syntax.Null, *syntax.None,
		*syntax.VarRef, *syntax.TypeName, *syntax.IntTypeLit, *syntax.BoolTypeLit, *syntax.NullTypeLit:
		if l.tokens[l.next].Span != n.Span() {
			l.lost = true
			return empty
		}
		return l.token()
	case *syntax.String:
		return l.str(n)
	case *syntax.Decorator:
		return l.glue(l.token(), l.node(n.Expr))
	case *syntax.Array:
		return l.array(n)
	case *syntax.Object:
		return l.object(n)
	case *syntax.Spread:
		return l.glue(l.token(), l.node(n.X))
	case *syntax.Paren:
		return l.glue(l.token(), l.node(n.X), l.token())
	case *syntax.Unary:
		return l.glue(l.token(), l.node(n.X))
	case *syntax.Binary:
		return l.spread(l.node(n.X), l.token(), l.node(n.Y))
	case *syntax.Ternary:
		return l.ternary(n)
	case *syntax.Call:
		return l.glue(l.node(n.Name), arguments(l, callBrackets, n.Args, n.Close.Start))
	case *syntax.InstanceCall:
		return l.glue(l.node(n.X), l.token(), l.node(n.Name), arguments(l, callBrackets, n.Args, n.Close.Start))
	case *syntax.PropertyAccess:
		parts := []*doc{l.node(n.X), l.token()}
		if n.Safe {
			parts = append(parts, l.token())
		}
		return l.glue(append(parts, l.node(n.Name))...)
	case *syntax.Index:
		parts := []*doc{l.node(n.X), l.token()}
		if n.Safe {
			parts = append(parts, l.token())
		}
		if n.FromEnd {
			parts = append(parts, l.token())
		}
		return l.glue(append(parts, l.node(n.Index), l.token())...)
	case *syntax.NestedAccess:
		return l.glue(l.node(n.X), l.token(), l.node(n.Name))
	case *syntax.NonNull:
		return l.glue(l.node(n.X), l.token())
	case *syntax.Local:
		if n.Type == nil {
			return l.node(n.Name)
		}
		return l.spread(l.node(n.Name), l.node(n.Type))
	case *syntax.Lambda:
		return l.lambda(n)
	case *syntax.TypedLambda:
		return l.typedLambda(n)
	case *syntax.For:
		return l.loop(n)
	case *syntax.If:
		return l.spread(l.token(), l.node(n.Cond), l.node(n.Body))
	case syntax.TypeExpr:
		return l.typ(n)
	}
	l.lost = true
	return empty
}

// skipped lays out what could not be parsed, as it is.
func (l *layout) skipped(s source.Span) *doc {
	first := l.next
	for t := l.tokens[l.next]; t.Kind != syntax.EndOfFileToken && t.Span.End <= s.End && t.Span.Start < s.End; t = l.tokens[l.next] {
		l.next++
	}
	return l.raw(first)
}

// str lays out a string. Expressions in its holes are printed as they are.
func (l *layout) str(s *syntax.String) *doc {
	if l.tokens[l.next].Span != s.Tokens()[0] {
		l.lost = true
		return empty
	}
	before := l.leading(l.next)
	var d *doc
	if len(s.Exprs()) == 0 {
		d = l.plain(l.uniform(l.textOf(l.next)))
	} else {
		var b strings.Builder
		for i, piece := range s.Tokens() {
			if i > 0 {
				hole := l.text[s.Tokens()[i-1].End:piece.Start]
				b.WriteString(strings.TrimLeft(hole, " \t"))
			}
			b.WriteString(l.text[piece.Start:piece.End])
		}
		d = l.plain(l.uniform(b.String()))
	}
	if s.Multiline && l.changesValue(s) {
		l.changed = append(l.changed, s.Span())
	}
	end := s.Tokens()[len(s.Tokens())-1].End
	for l.tokens[l.next].Span.End < end {
		l.next++
	}
	l.next++
	if len(before) > 0 {
		d = l.spread(append(before, d)...)
	}
	return l.behind(d, l.next-1)
}

// changesValue reports whether the line ends that are asked for change what a
// multi-line string stands for. Its first one does not count if nothing is before it.
func (l *layout) changesValue(s *syntax.String) bool {
	for i, piece := range s.Tokens() {
		text := l.text[piece.Start:piece.End]
		if i == 0 {
			text = strings.TrimPrefix(strings.TrimLeft(text, "$"), "'''")
			text = strings.TrimPrefix(strings.TrimPrefix(text, "\r"), "\n")
		}
		if l.uniform(text) != text {
			return true
		}
	}
	return false
}

func (l *layout) array(a *syntax.Array) *doc {
	hasItem := false
	for _, x := range a.Items {
		if _, spread := x.(*syntax.Spread); !spread {
			hasItem = true
		}
	}
	return l.bracket(arrayBrackets, hasItem, a.Span().End-1, func(list []*doc) ([]*doc, int) {
		for _, x := range a.Items {
			list = l.between(list, x.Span().Start)
			list = append(list, l.beforeComma(l.node(x)))
		}
		return list, 0
	})
}

func (l *layout) object(o *syntax.Object) *doc {
	hasProperty := false
	for _, x := range o.Items {
		if _, ok := x.(*syntax.Property); ok {
			hasProperty = true
		}
	}
	return l.bracket(objectBrackets, hasProperty, o.Close().Start, func(list []*doc) ([]*doc, int) {
		for _, x := range o.Items {
			list = l.between(list, x.Span().Start)
			switch x := x.(type) {
			case *syntax.Property:
				key := l.glue(l.node(x.Key), l.token())
				list = append(list, l.beforeComma(l.spread(key, l.node(x.Value))))
			case *syntax.Spread:
				list = append(list, l.beforeComma(l.node(x)))
			default:
				list = l.statement(list, x)
			}
		}
		return list, 0
	})
}

// arguments lays out the arguments of a call, a type, or the parameters of a
// lambda. The commas stay with the arguments.
func arguments[T syntax.Node](l *layout, b brackets, args []T, closing int32) *doc {
	return l.bracket(b, false, closing, func(list []*doc) ([]*doc, int) {
		return argumentList(l, b.tight, args, list)
	})
}

func argumentList[T syntax.Node](l *layout, call bool, args []T, list []*doc) ([]*doc, int) {
	ignored := 0
	for i, a := range args {
		list = l.between(list, a.Span().Start)
		before := l.breaks
		d := l.beforeComma(l.node(a))
		switch {
		case i < len(args)-1 && d.container() && d.endsInComment():
			// The comma is on the next line. It goes before the comment, and then
			// the comment is not the argument's.
			rest, end := l.detach(d)
			list = append(list, l.glue(rest, comma))
			d = end
		case i < len(args)-1:
			d = l.glue(d, comma)
		case call && len(args) > 1 && endsInLiteral(a) && !l.lineComment(l.next-1):
			// A line break in the last argument does not break the call.
			ignored = l.breaks - before
			d = l.tail(a, d)
		}
		list = append(list, d)
	}
	return list, ignored
}

// endsInLiteral reports whether an argument is an object, an array, or a lambda
// that returns one.
func endsInLiteral(n syntax.Node) bool {
	if f, ok := n.(*syntax.Lambda); ok {
		n = f.Body
	}
	return isLiteral(n)
}

func isLiteral(n syntax.Node) bool {
	switch n.(type) {
	case *syntax.Object, *syntax.Array:
		return true
	}
	return false
}

// tail lets the last argument of a call break while the call does not.
func (l *layout) tail(n syntax.Node, d *doc) *doc {
	if d.kind != glue {
		return d
	}
	if isLiteral(n) {
		return l.new(doc{kind: tail, width: 1, parts: d.parts})
	}
	last := d.parts[len(d.parts)-1]
	if last.kind != glue {
		return d
	}
	parts := append([]*doc(nil), d.parts...)
	parts[len(parts)-1] = l.new(doc{kind: tail, width: 1, parts: last.parts})
	return l.glue(parts...)
}

// parameters lays out the names before the arrow of a lambda.
func (l *layout) parameters(list []*syntax.Local, arrow int32) *doc {
	if l.tokens[l.next].Kind != syntax.OpenParenToken {
		if len(list) != 1 {
			l.lost = true
			return empty
		}
		return l.node(list[0])
	}
	return l.bracket(blockBrackets, false, l.closerBefore(arrow), func(docs []*doc) ([]*doc, int) {
		return argumentList(l, false, list, docs)
	})
}

// closerBefore returns where the last ) before an offset is.
func (l *layout) closerBefore(at int32) int32 {
	i := l.next
	for l.tokens[i].Span.Start < at && l.tokens[i].Kind != syntax.EndOfFileToken {
		i++
	}
	for i--; i > l.next && l.tokens[i].Kind != syntax.CloseToken; i-- {
	}
	return l.tokens[i].Span.Start
}

func (l *layout) lambda(f *syntax.Lambda) *doc {
	params := l.parameters(f.Params, f.Arrow.Start)
	arrow := l.token()
	start := f.Body.Span().Start
	if isLiteral(f.Body) && l.skipLines(start) {
		return l.spread(params, arrow, l.node(f.Body))
	}
	return l.spread(params, arrow, l.indented(true, func(list []*doc) []*doc {
		return append(l.between(list, start), l.node(f.Body))
	}))
}

func (l *layout) typedLambda(f *syntax.TypedLambda) *doc {
	params := l.parameters(f.Params, f.Return.Span().Start)
	result := l.node(f.Return)
	start := f.Body.Span().Start
	if isLiteral(f.Body) {
		i, breaks := l.next, l.breaks
		arrow := l.token()
		if l.skipLines(start) {
			return l.spread(params, result, arrow, l.node(f.Body))
		}
		l.next, l.breaks = i, breaks
	}
	return l.spread(params, result, l.indented(false, func(list []*doc) []*doc {
		list = append(list, l.token())
		return append(l.between(list, start), l.node(f.Body))
	}))
}

func (l *layout) ternary(t *syntax.Ternary) *doc {
	return l.indented(false, func(list []*doc) []*doc {
		list = append(list, l.node(t.Cond))
		list = l.branch(list, syntax.QuestionToken, t.Then)
		return l.branch(list, syntax.ColonToken, t.Else)
	})
}

// branch appends the line ends before a ? or a :, and what it begins.
func (l *layout) branch(list []*doc, sign syntax.TokenKind, x syntax.Expr) []*doc {
	for l.tokens[l.next].Kind == syntax.NewLineToken {
		list = l.newLine(list)
	}
	if l.tokens[l.next].Kind != sign {
		l.lost = true
		return list
	}
	mark := l.token()
	return append(list, l.spread(mark, l.container(indent, l.node(x))))
}

func (l *layout) loop(f *syntax.For) *doc {
	return l.bracket(loopBrackets, false, f.Close.Start, func(list []*doc) ([]*doc, int) {
		list = l.between(list, f.Keyword.Start)
		list = append(list, l.spread(l.token(), l.loopVariables(f), l.token(), l.glue(l.node(f.X), l.token()), l.node(f.Body)))
		return list, 0
	})
}

// loopVariables lays out `item` or `(item, index)`, which stays on its line.
func (l *layout) loopVariables(f *syntax.For) *doc {
	vars, ok := f.Vars.(*syntax.ForVars)
	if !ok || vars.Item == nil {
		l.lost = true
		return empty
	}
	list := []*syntax.Local{vars.Item}
	if vars.Index == nil {
		return l.node(vars.Item)
	}
	d := l.parameters(append(list, vars.Index), f.In.Start)
	return l.onOneLine(d)
}

// onOneLine takes from a group the choice to break.
func (l *layout) onOneLine(d *doc) *doc {
	if d.kind == group {
		if flat, ok := flatten(nil, d); ok {
			return l.glue(flat...)
		}
	}
	return d
}
