package syntax

import (
	"slices"
	"strconv"

	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// flags say what an expression may hold.
type flags uint8

const (
	allowLiterals  flags = 1 << iota // arrays and objects
	allowResources                   // nested resources in the object
)

// expression reads an expression.
//
//	expression = binary [ NL* "?" expression NL* ":" expression ]
func (p *parser) expression(f flags) Expr {
	var x Expr
	if p.enter() {
		x = p.conditional(f)
	}
	p.leave()
	return x
}

func (p *parser) conditional(f flags) Expr {
	x := p.binary(f, 0)
	if x == nil {
		return nil
	}
	switch p.token.kind {
	case question:
	case newLine:
		if p.peekPastLines(1).kind != question {
			return x
		}
		p.newLines()
	default:
		return x
	}
	p.advance()
	then := p.expressionOr(f, false, closers|of(colon))
	if _, bad := then.(*Skipped); !bad && p.peekPastLines(0).kind == colon {
		p.newLines()
	}
	mid := p.expect(colon, ":", quietAfter(then), closers)
	alt := p.expressionOr(f, mid.quiet(), closers)
	return &Ternary{p.expr(source.Between(x.Span(), alt.Span())), x, then, alt}
}

// expressionOr reads an expression, or passes over tokens up to one of stop.
func (p *parser) expressionOr(f flags, quiet bool, stop set) Expr {
	return p.orSkip(p.mark(), p.expression(f), quiet, stop)
}

// binaryOp returns the operator that a token is, and how tightly it binds; 0 for other tokens.
func binaryOp(k kind) (BinaryOp, int) {
	switch k {
	case asterisk:
		return OpMultiply, 100
	case slash:
		return OpDivide, 100
	case modulo:
		return OpModulo, 100
	case plus:
		return OpAdd, 90
	case minus:
		return OpSubtract, 90
	case less:
		return OpLess, 80
	case lessOrEqual:
		return OpLessOrEqual, 80
	case greater:
		return OpGreater, 80
	case greaterOrEqual:
		return OpGreaterOrEqual, 80
	case equal:
		return OpEquals, 70
	case notEqual:
		return OpNotEquals, 70
	case equalFold:
		return OpEqualsFold, 70
	case notEqualFold:
		return OpNotEqualsFold, 70
	case logicalAnd:
		return OpAnd, 50
	case logicalOr:
		return OpOr, 40
	case doubleQuestion:
		return OpCoalesce, 30
	}
	return 0, 0
}

// binary reads operands and the operators between them that bind tighter than
// least; all operators associate to the left.
func (p *parser) binary(f flags, least int) Expr {
	x := p.unary(f)
	if x == nil {
		return nil
	}
	for n := 0; ; n++ {
		op, strength := binaryOp(p.token.kind)
		if strength <= least {
			return x
		}
		if !p.withinLimit(n, maxChain) {
			return nil
		}
		p.advance()
		y := p.orSkip(p.mark(), p.binary(f, strength), false, closers)
		x = p.make.binaries.New(Binary{p.expr(source.Between(x.Span(), y.Span())), op, x, y})
	}
}

func unaryOp(k kind) (UnaryOp, bool) {
	switch k {
	case exclamation:
		return Not, true
	case minus:
		return Minus, true
	}
	return 0, false
}

// unary = [ "!" | "-" ] member
func (p *parser) unary(f flags) Expr {
	op, ok := unaryOp(p.token.kind)
	if !ok {
		return p.member(f)
	}
	opSpan := p.read().span()
	x := p.orSkip(p.mark(), p.member(f), false, closers)
	return &Unary{p.expr(source.Between(opSpan, x.Span())), op, x}
}

// member = primary { "[" index "]" | "." name [ call ] | "::" name | "!" }
func (p *parser) member(f flags) Expr {
	x := p.primary(f)
	for n := 0; x != nil; n++ {
		if n > maxChain && !p.withinLimit(n, maxChain) {
			return nil
		}
		switch p.token.kind {
		case leftSquare:
			x = p.index(x, f)
		case dot:
			x = p.dotted(x, f)
		case doubleColon:
			colons := p.read().span()
			name := p.identOrEmpty(diag.BCP020)
			x = &NestedAccess{p.expr(source.Between(x.Span(), name.span)), x, colons, name}
		case exclamation:
			x = &NonNull{p.expr(source.Between(x.Span(), p.read().span())), x}
		default:
			return x
		}
	}
	return nil
}

// index = "[" [ "?" ] [ "^" ] expression "]"
func (p *parser) index(x Expr, f flags) Expr {
	a := &Index{X: x, Open: p.read().span()}
	if p.check(question) {
		p.advance()
		a.Safe = true
	}
	if p.check(hat) {
		p.advance()
		a.FromEnd = true
	}
	if p.check(rightSquare) {
		p.report(diag.BCP117, p.here())
		a.Index = p.skipEmpty()
	} else if a.Index = p.expression(f); a.Index == nil {
		return nil
	}
	closing, ok := p.need(rightSquare, "]")
	if !ok {
		return nil
	}
	a.Close = closing.span()
	a.expression = p.expr(source.Between(x.Span(), a.Close))
	return a
}

// dotted = "." [ "?" ] name [ "(" arguments ")" ]
func (p *parser) dotted(x Expr, f flags) Expr {
	d := p.read().span()
	safe := p.check(question)
	var mark source.Span
	if safe {
		mark = p.read().span()
	}
	var name *Ident
	if t := p.peek(); t.kind == identifier {
		p.advance()
		if !p.check(leftParen) {
			a := p.make.accesses.New(namedAccess{name: p.identOf(t)})
			a.PropertyAccess = PropertyAccess{p.expr(source.Between(x.Span(), t.span())), d.Start, safe, x, &a.name}
			return &a.PropertyAccess
		}
		name = p.make.idents.New(p.identOf(t))
	} else if name = p.identOrEmpty(diag.BCP020); !p.check(leftParen) {
		return &PropertyAccess{p.expr(source.Between(x.Span(), name.span)), d.Start, safe, x, name}
	}
	if safe {
		p.report(diag.BCP322, mark)
		name = &Ident{base{span: source.Between(mark, name.span)}, ""}
	}
	c := &InstanceCall{X: x, Dot: d, Name: name}
	c.Args, c.Open, c.Close = p.callArgs(f)
	c.expression = p.expr(source.Between(x.Span(), c.Close))
	return c
}

// callArgs reads "(" arguments ")". The opening parenthesis is there.
func (p *parser) callArgs(f flags) (args []Expr, open, closing source.Span) {
	open = p.read().span()
	begin := p.make.exprs.begin()
	p.arguments(rightParen, func() {
		p.make.exprs.add(p.expressionOr(f, false, lineEnd|of(comma, rightParen)))
	})
	args = p.make.exprs.end(begin)
	if p.check(rightParen) {
		return args, open, p.read().span()
	}
	p.report(diag.BCP018, p.here(), ")")
	return args, open, p.here()
}

// primary reads a literal, a string, an array, an object, a loop, a name, a
// call, a lambda or an expression in parentheses.
func (p *parser) primary(f flags) Expr {
	t := p.peek()
	switch t.kind {
	case integer:
		v, err := strconv.ParseUint(p.textOf(t), 10, 64)
		if err != nil {
			p.advance()
			p.fail(t, diag.BCP010)
			return nil
		}
		p.advance()
		return p.make.ints.New(Int{p.expr(t.span()), v})
	case nullKeyword:
		p.advance()
		return &Null{p.expr(t.span())}
	case trueKeyword, falseKeyword:
		p.advance()
		return p.make.bools.New(Bool{p.expr(t.span()), t.kind == trueKeyword})
	case stringComplete, stringLeft:
		return p.interpolated()
	case leftBrace, leftSquare:
		if f&allowLiterals == 0 {
			p.fail(t, diag.BCP087)
			return nil
		}
		if t.kind == leftBrace {
			return p.object(f)
		}
		if p.isWord(p.peekPastLines(1), "for") {
			return p.loop(f, false)
		}
		return p.array()
	case leftParen:
		return p.parenOrLambda(f)
	case identifier:
		return p.nameOrCall(f)
	}
	p.fail(t, diag.BCP009)
	return nil
}

// nameOrCall = name [ "(" arguments ")" | "=>" NL* expression ]
func (p *parser) nameOrCall(f flags) Expr {
	t := p.read()
	switch p.token.kind {
	case leftParen:
		c := p.make.calls.New(Call{Name: p.make.idents.New(p.identOf(t))})
		c.Args, c.Open, c.Close = p.callArgs(f)
		c.expression = p.expr(source.Between(t.span(), c.Close))
		return c
	case arrow:
		local := &Local{base: p.node(t.span()), Name: p.make.idents.New(p.identOf(t))}
		return p.lambda([]*Local{local}, t.span())
	}
	return p.varRef(t)
}

// lambda reads "=>" and the body.
func (p *parser) lambda(params []*Local, span source.Span) Expr {
	at := p.read().span()
	body := p.lambdaBody(true)
	return &Lambda{p.expr(source.Between(span, body.Span())), params, at, body}
}

// lambdaBody reads what follows "=>", on the same line or, unless a declaration
// begins there, on a later one.
func (p *parser) lambdaBody(linesAllowed bool) Expr {
	if linesAllowed && !declares(p.textOf(p.peekPastLines(0))) {
		p.newLines()
	}
	return p.expressionOr(allowLiterals, false, lineEnd|of(rightParen))
}

// declares reports whether a line that begins with the word is taken for the next declaration.
func declares(word string) bool {
	switch word {
	case "assert", "import", "metadata", "param", "var", "resource", "output", "module", "type":
		return true
	}
	return false
}

// parenthesized is what was read between two parentheses.
type parenthesized struct {
	open, close source.Span
	closed      bool // with a parenthesis
	item        Node // the first
	others      []Node
	count       int // items, and the commas and line ends among them
	first, last source.Span
}

func (l *parenthesized) add(s source.Span) {
	if l.count == 0 {
		l.first = s
	}
	l.last = s
	l.count++
}

func (l *parenthesized) addItem(x Node) {
	if l.item == nil {
		l.item = x
	} else {
		l.others = append(l.others, x)
	}
	l.add(x.Span())
}

// items returns all items.
func (l *parenthesized) items() []Node {
	if l.item == nil {
		return nil
	}
	return append([]Node{l.item}, l.others...)
}

// parenList reads "(" items ")". It fails only when it does not begin.
func (p *parser) parenList(item func() Node, linesAllowed bool) (l parenthesized, ok bool) {
	open, ok := p.need(leftParen, "(")
	if !ok {
		return l, false
	}
	l.open = open.span()
	lines := func() {
		for linesAllowed && p.check(newLine) {
			l.add(p.read().span())
		}
	}
	var lastItem Node
	lines()
	for !p.check(rightParen) {
		m := p.mark()
		x := item()
		if x == nil {
			x = p.recoverTo(m, false, closers|of(comma))
		}
		l.addItem(x)
		lastItem = x
		n := l.count
		lines()
		more := p.check(comma)
		if more {
			l.add(p.read().span())
			lines()
		}
		if l.count > n {
			lastItem = nil
		}
		if !more {
			break
		}
	}
	e := p.expect(rightParen, ")", lastItem != nil && quietAfter(lastItem), of(stringRight, rightBrace, rightSquare)|lineEnd)
	l.close, l.closed = e.span, e.found
	return l, true
}

// content returns the one expression that the parentheses hold, or reports that they do not.
func (p *parser) content(l parenthesized) Node {
	switch {
	case l.count == 0:
		s := p.skipEmptyAt(l.open.End)
		p.report(diag.BCP243, s.span)
		return s
	case l.count == 1 && l.item != nil:
		return l.item
	case l.count == 1:
		return &Skipped{p.node(l.first)}
	}
	s := &Skipped{p.node(source.Between(l.first, l.last))}
	p.report(diag.BCP243, s.span)
	return s
}

func (p *parser) exprItem(f flags) func() Node {
	return func() Node {
		if x := p.expression(f); x != nil {
			return x
		}
		return nil
	}
}

// paren reads "(" expression ")". closed is false if the end is missing.
func (p *parser) paren(f flags) (x Expr, closed bool) {
	l, ok := p.parenList(p.exprItem(f), true)
	if !ok {
		return nil, false
	}
	return p.parenExpr(l), l.closed
}

func (p *parser) parenExpr(l parenthesized) Expr {
	inner := p.content(l).(Expr)
	return p.make.parens.New(Paren{p.expr(source.Between(l.open, l.close)), inner})
}

// parenOrLambda = "(" expression ")" | "(" names ")" "=>" NL* expression
func (p *parser) parenOrLambda(f flags) Expr {
	l, ok := p.parenList(p.exprItem(f), true)
	if !ok {
		return nil
	}
	if p.check(arrow) {
		return p.lambda(p.locals(l), source.Between(l.open, l.close))
	}
	return p.parenExpr(l)
}

// locals returns the names among the items as declarations of variables.
func (p *parser) locals(l parenthesized) []*Local {
	var locals []*Local
	for _, x := range l.items() {
		if v, ok := x.(*VarRef); ok {
			locals = append(locals, &Local{base: p.node(v.span), Name: v.Name})
		}
	}
	return locals
}

// array = "[" elements "]"
func (p *parser) array() Expr {
	open, ok := p.need(leftSquare, "[")
	if !ok {
		return nil
	}
	a := p.make.arrays.New(Array{})
	begin := p.make.exprs.begin()
	p.elements(rightSquare, func() {
		m := p.mark()
		var x Expr
		if p.check(ellipsis) {
			x = p.spread(lineEnd | of(comma, rightSquare))
		} else {
			x = p.expression(allowLiterals)
		}
		if x == nil {
			x = p.recoverTo(m, false, lineEnd|of(rightSquare))
		}
		p.make.exprs.add(x)
	})
	a.Items = p.make.exprs.end(begin)
	closing, ok := p.need(rightSquare, "]")
	if !ok {
		return nil
	}
	a.expression = p.expr(source.Between(open.span(), closing.span()))
	return a
}

// spread = "..." expression
func (p *parser) spread(stop set) *Spread {
	dots := p.read().span()
	x := p.expressionOr(allowLiterals, false, stop)
	return &Spread{p.expr(source.Between(dots, x.Span())), x}
}

// object = "{" elements "}"
func (p *parser) object(f flags) Expr {
	open, ok := p.need(leftBrace, "{")
	if !ok {
		return nil
	}
	o := p.make.objects.New(Object{})
	begin := p.make.items.begin()
	p.elements(rightBrace, func() {
		m := p.mark()
		item := p.objectItem(f)
		if item == nil {
			item = p.recoverTo(m, false, lineEnd|of(rightBrace))
		}
		p.make.items.add(item)
	})
	o.Items = p.make.items.end(begin)
	closing, ok := p.need(rightBrace, "}")
	if !ok {
		return nil
	}
	o.expression = p.expr(source.Between(open.span(), closing.span()))
	return o
}

// objectItem = property | "..." expression | decorators resource
func (p *parser) objectItem(f flags) ObjectItem {
	if f&allowResources != 0 && (p.check(at) || p.isWord(p.peek(), "resource") && p.ahead(1).kind == identifier) {
		if item, ok := p.declaration("resource").(ObjectItem); ok {
			return item
		}
		return p.skipEmpty()
	}
	if p.check(ellipsis) {
		return p.spread(lineEnd | of(comma, rightBrace))
	}
	if t := p.peek(); t.kind == identifier {
		p.advance()
		x := p.make.properties.New(namedProperty{name: p.identOf(t)})
		x.Property = p.property(&x.name)
		return &x.Property
	}
	m := p.mark()
	key := p.stringKey()
	if key == nil {
		key = p.recoverTo(m, false, lineEnd|of(colon, rightBrace))
	}
	x := p.property(key)
	return &x
}

// property reads what follows the key of a property.
func (p *parser) property(key Node) Property {
	mid := p.expect(colon, ":", quietAfter(key), lineEnd|of(rightBrace))
	value := p.expressionOr(allowLiterals, mid.quiet(), lineEnd|of(rightBrace))
	return Property{p.node(source.Between(key.Span(), value.Span())), key, value}
}

// stringKey reads the key of a property that is not a name.
func (p *parser) stringKey() Node {
	switch t := p.peek(); t.kind {
	case stringComplete, stringLeft:
		if x := p.stringOrFail(diag.BCP022); x != nil {
			return x
		}
		return nil
	default:
		p.fail(t, diag.BCP022)
		return nil
	}
}

// loop = "[" NL* "for" variables "in" expression ":" body NL* "]"
func (p *parser) loop(f flags, resource bool) Expr {
	open, ok := p.need(leftSquare, "[")
	if !ok {
		return nil
	}
	x := &For{Open: open.span()}
	p.newLines()
	if x.Keyword, ok = p.needWord("for"); !ok {
		return nil
	}
	m := p.mark()
	x.Vars = p.loopVars()
	quiet := len(p.diags) > m.diags || p.hasLexicalError(x.Vars.Span())
	in := p.wordOrSkip("in", quiet, lineEnd|of(rightSquare))
	x.In = in.span
	x.X = p.expressionOr(allowLiterals, in.quiet(), lineEnd|of(colon, rightSquare))
	mid := p.expect(colon, ":", quietAfter(x.X), lineEnd|of(rightSquare))
	x.Colon = mid.span
	m = p.mark()
	if x.Body = p.loopBody(f, resource); x.Body == nil {
		x.Body = p.recoverTo(m, mid.quiet(), lineEnd|of(rightSquare))
	} else if _, bad := x.Body.(*Skipped); !bad {
		p.newLines()
	}
	closing := p.expect(rightSquare, "]", quietAfter(x.Body), lineEnd|of(rightSquare))
	x.Close = closing.span
	x.expression = p.expr(source.Between(x.Open, x.Close))
	return x
}

func (p *parser) hasLexicalError(s source.Span) bool {
	return slices.ContainsFunc(p.lexer.diags, func(d diag.Diagnostic) bool { return d.Span.Start < s.End && s.Start < d.Span.End })
}

// wordOrSkip reads a word, or passes over tokens up to one of stop.
func (p *parser) wordOrSkip(word string, quiet bool, stop set) expected {
	m := p.mark()
	if s, ok := p.needWord(word); ok {
		return expected{s, true}
	}
	return expected{p.recoverTo(m, quiet, stop).span, false}
}

// loopVars = name | "(" name "," name ")"
func (p *parser) loopVars() Node {
	switch p.peek().kind {
	case identifier:
		name := p.readIdent()
		item := &Local{base: p.node(name.span), Name: name}
		return &ForVars{p.node(name.span), item, nil}
	case leftParen:
		m := p.mark()
		l, _ := p.parenList(p.exprItem(0), false)
		span := source.Between(l.open, l.close)
		locals := p.locals(l)
		if len(locals) == 2 {
			return &ForVars{p.node(span), locals[0], locals[1]}
		}
		if len(p.diags) == m.diags && !p.hasLexicalError(span) {
			p.report(diag.BCP249, span, len(locals))
			return &Skipped{p.node(span)}
		}
		vars := &ForVars{base: p.node(span)}
		if len(locals) > 0 {
			vars.Item = locals[0]
		}
		if len(locals) > 1 {
			vars.Index = locals[1]
		}
		return vars
	}
	p.report(diag.BCP162, p.here())
	return p.skipEmpty()
}

// loopBody reads any expression, or in a resource or module an object or a condition.
func (p *parser) loopBody(f flags, resource bool) Expr {
	if !resource {
		return p.expression(f | allowLiterals)
	}
	switch t := p.peek(); {
	case t.kind == leftBrace:
		return p.object(f)
	case p.isWord(t, "if"):
		return p.condition(f, true)
	default:
		p.fail(t, diag.BCP167)
		return nil
	}
}

// condition = "if" "(" expression ")" object
func (p *parser) condition(f flags, inLoop bool) Expr {
	x := &If{Keyword: p.read().span()}
	var also set
	if inLoop {
		also = of(rightSquare)
	}
	m := p.mark()
	cond, closed := p.paren(f &^ allowResources)
	x.Cond = p.orSkip(m, cond, false, also|lineEnd|of(leftBrace))
	x.Body = p.orSkip(p.mark(), p.object(f), quietAfter(x.Cond) || !closed, also|lineEnd)
	x.expression = p.expr(source.Between(x.Keyword, x.Body.Span()))
	return x
}
