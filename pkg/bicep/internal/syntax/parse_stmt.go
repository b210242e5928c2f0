package syntax

import (
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// program reads a whole file.
//
//	program = { [ declaration ] NL }
func (p *parser) program() []Stmt {
	stmts := make([]Stmt, 0, len(p.text)/128+4) // a statement is rarely shorter
	for !p.atEnd() && !p.stopsHere() {
		s := p.declaration("")
		if s == nil {
			continue // an empty line
		}
		stmts = append(stmts, s)
		switch s.(type) {
		case *Skipped:
			continue
		case *Missing:
			if !p.params {
				continue
			}
		}
		// One line holds one declaration.
		if p.atEnd() {
			break
		}
		m := p.mark()
		if p.check(newLine) {
			p.advance()
			continue
		}
		p.fail(p.peek(), diag.BCP019)
		p.recoverPast(m)
	}
	return stmts
}

// recoverPast reports the pending diagnostic over the rest of the line, and passes over the line's end too.
func (p *parser) recoverPast(m point) {
	p.recoverTo(m, false, lineEnd)
	if p.check(newLine) {
		p.advance()
	}
}

// decorations are the decorators before something.
type decorations struct {
	list []*Decorator
	span source.Span // of the decorators and the line ends after them
}

// startOr returns the span of the first decorator, or s if there is none.
func (d *decorations) startOr(s source.Span) source.Span {
	if len(d.list) > 0 {
		return d.list[0].span
	}
	return s
}

// decorators = { "@" name [ call ] { "." name [ call ] } NL+ }
func (p *parser) decorators() decorations {
	var d decorations
	missed := int32(0) // where the end of a line is missing: a comment may lie between it and the decorator
	for p.check(at) {
		sign := p.read().span()
		x := p.orSkip(p.mark(), p.decoratorExpr(), false, lineEnd)
		d.list = append(d.list, &Decorator{p.node(source.Between(sign, x.Span())), x})
		if m := p.mark(); p.check(newLine) {
			p.newLines()
		} else {
			missed = p.peek().span().Start
			p.fail(p.peek(), diag.BCP019)
			p.recoverPast(m)
			p.newLines()
		}
	}
	if len(d.list) > 0 {
		d.span = source.Between(d.list[0].span, d.list[len(d.list)-1].span)
		d.span.End = max(d.span.End, p.end, missed)
	}
	return d
}

func (p *parser) decoratorExpr() Expr {
	name := p.ident(diag.BCP123)
	if name == nil {
		return nil
	}
	var x Expr
	if p.check(leftParen) {
		c := &Call{Name: name}
		c.Args, c.Open, c.Close = p.callArgs(allowLiterals)
		c.expression = p.expr(source.Between(name.span, c.Close))
		x = c
	} else {
		x = &VarRef{p.expr(name.span), name}
	}
	for n := 0; p.check(dot); n++ {
		if !p.withinLimit(n, maxChain) {
			return nil
		}
		d := p.read().span()
		name := p.identOrEmpty(diag.BCP020)
		if !p.check(leftParen) {
			x = &PropertyAccess{p.expr(source.Between(x.Span(), name.span)), d.Start, false, x, name}
			continue
		}
		c := &InstanceCall{X: x, Dot: d, Name: name}
		c.Args, c.Open, c.Close = p.callArgs(allowLiterals)
		c.expression = p.expr(source.Between(x.Span(), c.Close))
		x = c
	}
	return x
}

// declaration reads a declaration with its decorators, or an empty line, for
// which it returns nil. If only is not empty, no other keyword will do.
func (p *parser) declaration(only string) Stmt {
	m := p.mark()
	d := p.decorators()
	t := p.peek()
	if t.kind == newLine {
		p.advance()
		return nil
	}
	if t.kind == identifier && (only == "" || p.textOf(t) == only) {
		s, known := p.statement(d)
		if s != nil {
			return s
		}
		if known {
			return p.recoverTo(m, false, lineEnd)
		}
	}
	if p.params {
		p.fail(t, diag.BCP337)
		return p.recoverTo(m, false, lineEnd)
	}
	if len(d.list) > 0 {
		return &Missing{statement{p.node(d.span), decorable{d.list}, source.Span{}}}
	}
	p.fail(t, diag.BCP007)
	return p.recoverTo(m, false, lineEnd)
}

// statement reads the declaration that the next word begins. known is false if
// it begins none; s is nil if the declaration could not be read.
func (p *parser) statement(d decorations) (s Stmt, known bool) {
	word := p.textOf(p.peek())
	var read func(decorations) Stmt
	if p.params {
		switch word {
		case "using":
			read = p.using
		case "extends":
			read = p.extends
		case "param":
			read = p.paramAssign
		case "var":
			read = p.variable
		case "import":
			read = p.importSymbols
		case "extensionConfig":
			read = p.extensionConfig
		case "extension":
			read = p.extension
		case "type":
			read = p.typeDecl
		}
	} else {
		switch word {
		case "targetScope":
			read = p.targetScope
		case "metadata":
			read = p.metadata
		case "type":
			read = p.typeDecl
		case "param":
			read = p.param
		case "var":
			read = p.variable
		case "func":
			read = p.function
		case "resource":
			read = p.resource
		case "output":
			read = p.output
		case "module":
			read = p.module
		case "test":
			read = p.test
		case "import":
			if k := p.ahead(1).kind; k == stringLeft || k == stringComplete {
				read = p.extension // its old keyword
			} else {
				read = p.importSymbols
			}
		case "extension":
			read = p.extension
		case "assert":
			read = p.assert
		}
	}
	if read == nil {
		return nil, false
	}
	return read(d), true
}

// begin reads the keyword of a statement.
func (p *parser) begin(d decorations) statement {
	return statement{decorable: decorable{d.list}, Keyword: p.read().span()}
}

// finish gives the statement its span, up to the end of last.
func (p *parser) finish(s *statement, last source.Span) {
	start := s.Keyword
	if len(s.Decorators) > 0 {
		start = s.Decorators[0].span
	}
	s.base = p.node(source.Between(start, last))
}

// value reads the expression that ends a line.
func (p *parser) value(quiet bool) Expr { return p.expressionOr(allowLiterals, quiet, lineEnd) }

// assigned reads "=" expression.
func (p *parser) assigned(quiet bool) (source.Span, Expr) {
	eq := p.expect(assign, "=", quiet, lineEnd)
	return eq.span, p.value(eq.quiet())
}

// targetScope = "targetScope" "=" expression
func (p *parser) targetScope(d decorations) Stmt {
	s := &TargetScope{statement: p.begin(d)}
	eq := p.expect(assign, "=", false, lineEnd)
	s.Assign, s.Value = eq.span, p.value(false)
	p.finish(&s.statement, s.Value.Span())
	return s
}

// metadata = "metadata" name "=" expression
func (p *parser) metadata(d decorations) Stmt {
	s := &Metadata{statement: p.begin(d)}
	s.Name = p.identOrSkip(diag.BCP266, lineEnd|of(assign))
	s.Assign, s.Value = p.assigned(quietAfter(s.Name))
	p.finish(&s.statement, s.Value.Span())
	return s
}

// param = "param" name type [ "=" expression ]
func (p *parser) param(d decorations) Stmt {
	s := &Param{statement: p.begin(d)}
	s.Name = p.identOrSkip(diag.BCP013, lineEnd|of(identifier))
	s.Type = p.typeOr(false, quietAfter(s.Name), lineEnd|of(assign, leftBrace))
	end := s.Type.Span()
	switch t := p.peek(); t.kind {
	case newLine, endOfFile:
	case assign:
		eq := p.read().span()
		v := p.value(false)
		end = v.Span()
		s.Default = &ParamDefault{p.node(source.Between(eq, end)), eq, v}
	default:
		m := p.mark()
		p.fail(t, diag.BCP008)
		s.Bad = p.recoverTo(m, quietAfter(s.Type), lineEnd)
		end = s.Bad.span
	}
	p.finish(&s.statement, end)
	return s
}

// typeDecl = "type" name "=" type
func (p *parser) typeDecl(d decorations) Stmt {
	s := &TypeDecl{statement: p.begin(d)}
	s.Name = p.identOrSkip(diag.BCP325, lineEnd|of(assign))
	s.Assign = p.expect(assign, "=", quietAfter(s.Name), lineEnd).span
	s.Value = p.typeOr(false, quietAfter(s.Name), lineEnd|of(assign, leftBrace))
	p.finish(&s.statement, s.Value.Span())
	return s
}

// variable = "var" name [ type ] "=" expression
func (p *parser) variable(d decorations) Stmt {
	s := &Var{statement: p.begin(d)}
	s.Name = p.identOrSkip(diag.BCP015, lineEnd|of(identifier))
	before := Node(s.Name)
	switch p.peek().kind {
	case endOfFile, newLine, assign:
	default:
		s.Type = p.typeOr(false, quietAfter(s.Name), lineEnd|of(assign))
		before = s.Type
	}
	s.Assign, s.Value = p.assigned(quietAfter(before))
	p.finish(&s.statement, s.Value.Span())
	return s
}

// function = "func" name "(" { name type } ")" type "=>" NL* expression
func (p *parser) function(d decorations) Stmt {
	s := &Func{statement: p.begin(d)}
	s.Name = p.identOrSkip(diag.BCP015, lineEnd|of(assign))
	s.Lambda = p.orSkip(p.mark(), p.typedLambda(), quietAfter(s.Name), lineEnd)
	p.finish(&s.statement, s.Lambda.Span())
	return s
}

func (p *parser) typedLambda() Expr {
	l, ok := p.parenList(p.typedLocal, true)
	if !ok {
		return nil
	}
	f := &TypedLambda{}
	for _, x := range l.items() {
		if local, ok := x.(*Local); ok {
			f.Params = append(f.Params, local)
		}
	}
	stop := lineEnd | of(rightParen)
	f.Return = p.typeOr(false, false, stop)
	to := p.expect(arrow, "=>", false, stop)
	f.Arrow = to.span
	f.Body = p.lambdaBody(to.found)
	f.expression = p.expr(source.Between(l.open, f.Body.Span()))
	return f
}

func (p *parser) typedLocal() Node {
	name := p.identOrEmpty(diag.BCP015)
	t := p.typeOr(false, false, lineEnd|of(comma, rightParen))
	return &Local{p.node(source.Between(name.span, t.Span())), name, t}
}

// nameAndString reads the name of a resource, module or test, and the string after it.
func (p *parser) nameAndString(nameRule, stringRule diag.Kind) (*Ident, Expr) {
	name := p.identOrSkip(nameRule, lineEnd|of(stringComplete, stringLeft))
	return name, p.orSkip(p.mark(), p.stringOrFail(stringRule), quietAfter(name), lineEnd|of(assign))
}

// body reads what follows the "=" of a resource or module.
//
//	body = [ NL* ] condition | object | loop
func (p *parser) body(eq expected, f flags) Expr {
	m := p.mark()
	var x Expr
	switch t := p.peek(); {
	case p.isWord(t, "if"):
		x = p.condition(f, false)
	case t.kind == leftBrace:
		x = p.object(f)
	case t.kind == leftSquare:
		x = p.loop(f, true)
	default:
		p.fail(t, diag.BCP118)
	}
	return p.orSkip(m, x, eq.quiet(), lineEnd)
}

// resource = "resource" name string [ "existing" ] "=" body
func (p *parser) resource(d decorations) Stmt {
	s := p.make.resources.New(Resource{statement: p.begin(d)})
	s.Name, s.Type = p.nameAndString(diag.BCP017, diag.BCP068)
	if t := p.peek(); p.isWord(t, "existing") {
		s.Existing = p.read().span()
	}
	eq := p.expect(assign, "=", quietAfter(s.Type), lineEnd|of(leftBrace))
	s.Assign = eq.span
	if eq.found && p.isWord(p.peekPastLines(0), "if") {
		p.newLines()
	}
	s.Value = p.body(eq, allowLiterals|allowResources)
	p.finish(&s.statement, s.Value.Span())
	return s
}

// module = "module" name string "=" body
func (p *parser) module(d decorations) Stmt {
	s := &Module{statement: p.begin(d)}
	s.Name, s.Path = p.nameAndString(diag.BCP096, diag.BCP097)
	eq := p.expect(assign, "=", quietAfter(s.Path), lineEnd|of(leftBrace))
	s.Assign = eq.span
	if p.isWord(p.peekPastLines(0), "if") {
		p.newLines()
	}
	s.Value = p.body(eq, allowLiterals)
	p.finish(&s.statement, s.Value.Span())
	return s
}

// test = "test" name string "=" object
func (p *parser) test(d decorations) Stmt {
	s := &Test{statement: p.begin(d)}
	s.Name, s.Path = p.nameAndString(diag.BCP346, diag.BCP347)
	eq := p.expect(assign, "=", quietAfter(s.Path), lineEnd|of(leftBrace))
	s.Assign = eq.span
	s.Value = p.orSkip(p.mark(), p.object(allowLiterals), eq.quiet(), lineEnd)
	p.finish(&s.statement, s.Value.Span())
	return s
}

// output = "output" name type "=" expression
func (p *parser) output(d decorations) Stmt {
	s := &Output{statement: p.begin(d)}
	s.Name = p.identOrSkip(diag.BCP016, lineEnd|of(identifier))
	s.Type = p.typeOr(true, quietAfter(s.Name), lineEnd|of(assign))
	s.Assign, s.Value = p.assigned(quietAfter(s.Type))
	p.finish(&s.statement, s.Value.Span())
	return s
}

// assert = "assert" name "=" expression
func (p *parser) assert(d decorations) Stmt {
	s := &Assert{statement: p.begin(d)}
	s.Name = p.identOrSkip(diag.BCP344, lineEnd|of(assign))
	s.Assign, s.Value = p.assigned(quietAfter(s.Name))
	p.finish(&s.statement, s.Value.Span())
	return s
}

// importSymbols = "import" ( "{" items "}" | "*" "as" name ) "from" string
func (p *parser) importSymbols(d decorations) Stmt {
	s := &Import{statement: p.begin(d)}
	symbols := true // some stand there
	switch t := p.peek(); t.kind {
	case endOfFile, newLine, identifier:
		hint := ""
		if t.kind == identifier {
			hint = " An extension is declared by: extension " + p.textOf(t)
		}
		p.report(diag.BCP354, p.here(), hint)
		s.Symbols, symbols = p.skipEmpty(), false
	case leftBrace:
		l := p.importList()
		if l == nil {
			return nil
		}
		s.Symbols = l
	case asterisk:
		m := p.mark()
		if w := p.wildcard(); w != nil {
			s.Symbols = w
		} else {
			s.Symbols = p.recoverTo(m, false, lineEnd)
		}
	default:
		p.advance()
		p.report(diag.BCP354, t.span(), "")
		s.Symbols = &Skipped{p.node(t.span())}
	}
	m := p.mark()
	if from := p.from(); from != nil {
		s.From = from
	} else {
		if !symbols { // the same mistake: as a rule, an extension in the form of early versions
			p.pending = p.pending.Follows()
		}
		s.From = p.recoverTo(m, false, lineEnd)
	}
	p.finish(&s.statement, s.From.Span())
	return s
}

func (p *parser) importList() *ImportList {
	open := p.read().span()
	l := &ImportList{}
	p.elements(rightBrace, func() {
		if item := p.importItem(); item != nil {
			l.Items = append(l.Items, item)
		}
	})
	closing, ok := p.need(rightBrace, "}")
	if !ok {
		return nil
	}
	l.base = p.node(source.Between(open, closing.span()))
	return l
}

// importItem = ( name | string ) [ "as" name ]
func (p *parser) importItem() *ImportItem {
	item := &ImportItem{}
	switch t := p.peek(); t.kind {
	case identifier:
		item.Original = p.readIdent()
	case stringComplete:
		item.Original = p.interpolated()
	case stringLeft:
		x := p.interpolated()
		p.report(diag.BCP032, x.Span())
		item.Original = &Skipped{p.node(x.Span())}
	default:
		p.advance()
		p.report(diag.BCP355, t.span())
		item.Original = &Skipped{p.node(t.span())}
	}
	span := item.Original.Span()
	if p.isWord(p.peek(), "as") {
		item.As = p.asClause(diag.BCP325, lineEnd|of(comma))
		span = source.Between(span, item.As.span)
	} else if _, quoted := item.Original.(*String); quoted {
		p.report(diag.BCP375, span)
		return nil
	}
	item.base = p.node(span)
	return item
}

// asClause reads "as" name. The keyword is there.
func (p *parser) asClause(r diag.Kind, stop set) *AsClause {
	c := &AsClause{Keyword: p.read().span()}
	c.Name = p.identOrSkip(r, stop)
	c.base = p.node(source.Between(c.Keyword, c.Name.span))
	return c
}

func (p *parser) wildcard() *WildcardImport {
	star := p.read().span()
	as, ok := p.needWord("as")
	if !ok {
		return nil
	}
	name := p.ident(diag.BCP356)
	if name == nil {
		return nil
	}
	c := &AsClause{p.node(source.Between(as, name.span)), as, name}
	return &WildcardImport{p.node(source.Between(star, name.span)), c}
}

func (p *parser) from() *FromClause {
	from, ok := p.needWord("from")
	if !ok {
		return nil
	}
	path := p.orSkip(p.mark(), p.stringOrFail(diag.BCP097), false, lineEnd)
	return &FromClause{p.node(source.Between(from, path.Span())), from, path}
}

// extension = "extension" ( name | string ) [ "with" object ] [ "as" name ]
func (p *parser) extension(d decorations) Stmt {
	s := &Extension{statement: p.begin(d)}
	if p.check(identifier) {
		s.Spec = p.readIdent()
	} else {
		s.Spec = p.orSkip(p.mark(), p.stringOrFail(diag.BCP201), false, lineEnd)
	}
	end := s.Spec.Span()
	quiet := quietAfter(s.Spec)
	if t := p.peek(); t.kind != endOfFile && t.kind != newLine && !p.isWord(t, "as") {
		m := p.mark()
		if s.With = p.withClause(diag.BCP305); s.With != nil {
			end, quiet = s.With.span, false
		} else {
			s.Bad = p.recoverTo(m, quiet, lineEnd)
			end, quiet = s.Bad.span, quietAfter(s.Bad)
		}
	} else {
		quiet = true // the clause left out is as if it were missing
	}
	if t := p.peek(); t.kind != endOfFile && t.kind != newLine {
		m := p.mark()
		if p.isWord(t, "as") {
			s.As = p.asClause(diag.BCP202, lineEnd)
			end = s.As.span
		} else {
			p.fail(t, diag.BCP305)
			s.Bad = p.recoverTo(m, quiet, lineEnd)
			end = s.Bad.span
		}
	}
	p.finish(&s.statement, end)
	return s
}

// withClause = "with" object
func (p *parser) withClause(r diag.Kind, args ...any) *WithClause {
	if t := p.peek(); !p.isWord(t, "with") {
		p.fail(t, r, args...)
		return nil
	}
	c := &WithClause{Keyword: p.read().span()}
	c.Config = p.orSkip(p.mark(), p.object(allowLiterals), false, lineEnd)
	c.base = p.node(source.Between(c.Keyword, c.Config.Span()))
	return c
}

// using = "using" ( string | "none" ) [ "with" object ]
func (p *parser) using(d decorations) Stmt {
	s := &Using{statement: p.begin(d)}
	switch p.peek().kind {
	case identifier:
		none, ok := p.needWord("none")
		if !ok {
			return nil
		}
		s.Path = &None{p.expr(none)}
	case stringComplete:
		if s.Path = p.stringOrFail(diag.BCP257); s.Path == nil {
			return nil
		}
	default:
		p.report(diag.BCP354, p.here(), "")
		s.Path = p.skipEmpty()
	}
	end := s.Path.Span()
	if t := p.peek(); t.kind != endOfFile && t.kind != newLine {
		m := p.mark()
		if s.With = p.withClause(diag.BCP436); s.With != nil {
			end = s.With.span
		} else {
			s.Bad = p.recoverTo(m, quietAfter(s.Path), lineEnd)
			end = s.Bad.span
		}
	}
	p.finish(&s.statement, end)
	return s
}

// extends = "extends" string
func (p *parser) extends(d decorations) Stmt {
	s := &Extends{statement: p.begin(d)}
	s.Path = p.orSkip(p.mark(), p.stringOrFail(diag.BCP404), false, lineEnd)
	p.finish(&s.statement, s.Path.Span())
	return s
}

// paramAssign = "param" name "=" expression
func (p *parser) paramAssign(d decorations) Stmt {
	s := &ParamAssign{statement: p.begin(d)}
	s.Name = p.identOrSkip(diag.BCP013, lineEnd|of(identifier))
	s.Assign, s.Value = p.assigned(quietAfter(s.Name))
	p.finish(&s.statement, s.Value.Span())
	return s
}

// extensionConfig = "extensionConfig" name "with" object
func (p *parser) extensionConfig(d decorations) Stmt {
	s := &ExtensionConfig{statement: p.begin(d)}
	s.Alias = p.identOrSkip(diag.BCP202, lineEnd|of(identifier))
	m := p.mark()
	var end source.Span
	if s.With = p.withClause(diag.BCP012, "with"); s.With != nil {
		end = s.With.span
	} else {
		s.Bad = p.recoverTo(m, quietAfter(s.Alias), lineEnd)
		end = s.Bad.span
	}
	p.finish(&s.statement, end)
	return s
}
