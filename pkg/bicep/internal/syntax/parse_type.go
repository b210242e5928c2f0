package syntax

import (
	"strconv"

	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// typeOrResource reads the type of a declaration. For an output the type after
// the word resource may be left out.
//
//	type = "resource" [ string ] | typeExpression
func (p *parser) typeOrResource(optional bool) TypeExpr {
	if !p.isWord(p.peek(), "resource") || p.ahead(1).kind == less {
		return p.typeExpression()
	}
	t := &ResourceTypeRef{Keyword: p.read().span()}
	end := t.Keyword
	if k := p.peek().kind; !optional || k == stringComplete || k == stringLeft {
		m := p.mark()
		if t.Type = p.stringOrFail(diag.BCP068); t.Type == nil {
			t.Type = p.recoverTo(m, false, lineEnd|of(assign))
		}
		end = t.Type.Span()
	}
	t.typeNode = p.typeNode(source.Between(t.Keyword, end))
	return t
}

// typeOr reads the type of a declaration, or passes over tokens up to one of stop.
func (p *parser) typeOr(optional, quiet bool, stop set) TypeExpr {
	m := p.mark()
	if t := p.typeOrResource(optional); t != nil {
		return t
	}
	return p.recoverTo(m, quiet, stop)
}

// typeExpressionOr reads a type, or passes over tokens up to one of stop.
func (p *parser) typeExpressionOr(quiet bool, stop set) TypeExpr {
	m := p.mark()
	if t := p.typeExpression(); t != nil {
		return t
	}
	return p.recoverTo(m, quiet, stop)
}

// atPipe reports whether another member of a union follows, here or on the next line.
func (p *parser) atPipe() bool {
	return p.check(pipe) || p.check(newLine) && p.ahead(1).kind == pipe
}

// typeExpression = [ "|" ] typeUnary { "|" typeUnary }
func (p *parser) typeExpression() TypeExpr {
	defer p.leave()
	if !p.enter() {
		return nil
	}
	start := p.peek().span()
	leading := p.atPipe()
	if leading {
		p.newLines()
		p.advance()
	}
	x := p.typeUnary()
	if x == nil {
		return nil
	}
	if !leading {
		start = x.Span()
		if !p.atPipe() {
			return x
		}
	}
	u := &UnionType{Members: []TypeExpr{x}}
	end := x.Span()
	for p.atPipe() {
		p.newLines()
		p.advance()
		if p.check(newLine) {
			p.report(diag.BCP300, p.here())
			end = p.here()
			continue
		}
		m := p.mark()
		if y := p.typeUnary(); y != nil {
			u.Members = append(u.Members, y)
			end = y.Span()
		} else {
			end = p.recoverTo(m, false, 0).span
		}
	}
	u.typeNode = p.typeNode(source.Between(start, end))
	return u
}

// typeUnary = [ "-" | "!" ] typeMember { "?" | "!" }
func (p *parser) typeUnary() TypeExpr {
	var x TypeExpr
	if op, ok := unaryOp(p.peek().kind); ok {
		opSpan := p.read().span()
		m := p.mark()
		operand := p.typeMember()
		if operand == nil {
			operand = p.recoverTo(m, false, closers)
		}
		x = &UnaryType{p.typeNode(source.Between(opSpan, operand.Span())), op, opSpan, operand}
	} else if x = p.typeMember(); x == nil {
		return nil
	}
	for n := 0; ; n++ {
		if !p.withinLimit(n, maxChain) {
			return nil
		}
		switch p.peek().kind {
		case question:
			mark := p.read().span()
			x = &NullableType{p.typeNode(source.Between(x.Span(), mark)), x, mark}
		case exclamation:
			mark := p.read().span()
			x = &NonNullType{p.typeNode(source.Between(x.Span(), mark)), x, mark}
		default:
			return x
		}
	}
}

// typeMember = typePrimary { "[" "]" | "[" "*" "]" | "[" expression "]" | "." "*" | "." name [ typeArguments ] }
func (p *parser) typeMember() TypeExpr {
	x := p.typePrimary()
	for n := 0; x != nil; n++ {
		if !p.withinLimit(n, maxChain) {
			return nil
		}
		switch p.peek().kind {
		case leftSquare:
			x = p.typeIndex(x)
		case dot:
			x = p.typeDotted(x)
		default:
			return x
		}
	}
	return nil
}

func (p *parser) typeIndex(x TypeExpr) TypeExpr {
	open := p.read().span()
	switch p.peek().kind {
	case rightSquare:
		return &ArrayType{p.typeNode(source.Between(x.Span(), p.read().span())), x}
	case asterisk:
		star := p.read().span()
		closing, ok := p.need(rightSquare, "]")
		if !ok {
			return nil
		}
		return &TypeItems{p.typeNode(source.Between(x.Span(), closing.span())), x, open, star, closing.span()}
	}
	i := p.expression(0)
	if i == nil {
		return nil
	}
	closing, ok := p.need(rightSquare, "]")
	if !ok {
		return nil
	}
	return &TypeIndex{p.typeNode(source.Between(x.Span(), closing.span())), x, open, closing.span(), i}
}

func (p *parser) typeDotted(x TypeExpr) TypeExpr {
	d := p.read().span()
	if p.check(asterisk) {
		star := p.read().span()
		return &TypeRestAccess{p.typeNode(source.Between(x.Span(), star)), x, d, star}
	}
	name := p.identOrEmpty(diag.BCP020)
	if !p.check(less) {
		return &TypePropertyAccess{p.typeNode(source.Between(x.Span(), name.span)), x, d, name}
	}
	c := &InstanceTypeCall{X: x, Dot: d, Name: name}
	c.Args, c.Open, c.Close = p.typeArgs()
	c.typeNode = p.typeNode(source.Between(x.Span(), c.Close))
	return c
}

// typeArgs reads "<" types ">". The opening chevron is there.
func (p *parser) typeArgs() (args []TypeExpr, open, closing source.Span) {
	open = p.read().span()
	p.arguments(greater, func() {
		args = append(args, p.typeExpressionOr(false, lineEnd|of(comma, greater)))
	})
	if p.check(greater) {
		return args, open, p.read().span()
	}
	p.report(diag.BCP018, p.here(), ">")
	return args, open, p.here()
}

// typePrimary reads a literal, an object or tuple type, a name, or a type in parentheses.
func (p *parser) typePrimary() TypeExpr {
	t := p.peek()
	switch t.kind {
	case integer:
		v, err := strconv.ParseUint(p.textOf(t), 10, 64)
		p.advance()
		if err != nil {
			p.fail(t, diag.BCP010)
			return nil
		}
		return &IntTypeLit{p.typeNode(t.span()), v}
	case nullKeyword:
		p.advance()
		return &NullTypeLit{p.typeNode(t.span())}
	case trueKeyword, falseKeyword:
		p.advance()
		return &BoolTypeLit{p.typeNode(t.span()), t.kind == trueKeyword}
	case stringComplete, stringLeft:
		switch x := p.interpolated().(type) {
		case *String:
			return &StringTypeLit{p.typeNode(x.span), x}
		case *Skipped:
			return x
		}
		return nil
	case leftBrace:
		return p.objectType()
	case leftSquare:
		return p.tupleType()
	case leftParen:
		l, ok := p.parenList(func() Node {
			if x := p.typeExpression(); x != nil {
				return x
			}
			return nil
		}, false)
		if !ok {
			return nil
		}
		inner := p.content(l).(TypeExpr)
		return &ParenType{p.typeNode(source.Between(l.open, l.close)), inner}
	case identifier:
		name := p.readIdent()
		if !p.check(less) {
			return &TypeName{p.typeNode(name.span), name}
		}
		c := &TypeCall{Name: name}
		c.Args, c.Open, c.Close = p.typeArgs()
		c.typeNode = p.typeNode(source.Between(name.span, c.Close))
		return c
	}
	p.fail(t, diag.BCP279)
	return nil
}

// objectType = "{" { decorators ( name | string | "*" ) ":" type } "}"
func (p *parser) objectType() TypeExpr {
	o := &ObjectType{Open: p.read().span()}
	p.elements(rightBrace, func() { o.Members = append(o.Members, p.typeProperty()) })
	closing, ok := p.need(rightBrace, "}")
	if !ok {
		return nil
	}
	o.Close = closing.span()
	o.typeNode = p.typeNode(source.Between(o.Open, o.Close))
	return o
}

func (p *parser) typeProperty() TypeMember {
	d := p.decorators()
	m := p.mark()
	var key Node
	var star source.Span
	switch t := p.peek(); t.kind {
	case asterisk:
		star = p.read().span()
	case identifier:
		key = p.readIdent()
	case stringComplete, stringLeft:
		if x := p.stringOrFail(diag.BCP022); x != nil {
			key = x
		}
	default:
		p.fail(t, diag.BCP317)
	}
	isRest := star.Len() > 0
	begin := star
	if !isRest {
		if key == nil {
			key = p.recoverTo(m, false, lineEnd|of(colon, rightBrace))
		}
		begin = key.Span()
	}
	mid := p.expect(colon, ":", !isRest && quietAfter(key), lineEnd|of(rightBrace))
	value := p.typeExpressionOr(mid.quiet(), lineEnd|of(rightBrace))
	span := source.Between(d.startOr(begin), value.Span())
	if isRest {
		return &TypeRest{p.node(span), decorable{d.list}, star, value}
	}
	return &TypeProperty{p.node(span), decorable{d.list}, key, value}
}

// tupleType = "[" { decorators type } "]"
func (p *parser) tupleType() TypeExpr {
	open := p.read().span()
	t := &TupleType{}
	p.elements(rightSquare, func() {
		m := p.mark()
		d := p.decorators()
		if x := p.typeExpression(); x != nil {
			span := source.Between(d.startOr(x.Span()), x.Span())
			t.Items = append(t.Items, &TupleItem{p.node(span), decorable{d.list}, x})
		} else {
			p.recoverTo(m, false, lineEnd|of(rightSquare))
		}
	})
	closing, ok := p.need(rightSquare, "]")
	if !ok {
		return nil
	}
	t.typeNode = p.typeNode(source.Between(open, closing.span()))
	return t
}
