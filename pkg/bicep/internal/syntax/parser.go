package syntax

import (
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Parse reads a .bicep file. The tree is complete whatever the text holds: what
// could not be understood becomes a *Skipped, and is reported.
func Parse(file *source.File) (*File, diag.List) {
	f, _, diags := parse(file, false, false)
	return f, diags
}

// ParseParams reads a .bicepparam file.
func ParseParams(file *source.File) (*File, diag.List) {
	f, _, diags := parse(file, true, false)
	return f, diags
}

// parse reads a file. It returns all of the tokens if they are asked for.
func parse(file *source.File, params, all bool) (*File, []token, diag.List) {
	p := &parser{text: file.Text, lexer: lexer{text: file.Text}, keep: all, params: params}
	if all {
		p.tokens = make([]token, 0, len(file.Text)/9+64)
	}
	p.token = p.scan()
	f := &File{Source: file, Params: params}
	f.base = p.node(source.Span{End: int32(len(file.Text))})
	f.Stmts = p.program()
	f.End = p.peek().span()
	f.Pragmas = p.lexer.pragmas
	f.index(p.nodes)
	return f, p.tokens, append(p.lexer.diags, p.diags...)
}

// maxNesting bounds how deep expressions may be nested, since every later stage
// recurses over the tree; maxChain bounds a chain of operators or accesses,
// which is nesting too, only to the left.
const (
	maxNesting = 512
	maxChain   = 4096
)

// parser is a recursive descent parser. A method that meets a token it cannot
// use leaves a diagnostic in pending and returns nil; its callers return nil in
// turn, up to one that can recover: it passes over tokens to the next that may
// follow, puts *Skipped into the tree, and drops what was reported since it
// began, so that one mistake gives one diagnostic.
//
// Tokens are read as they are needed, few of them ahead of the current one. There is no
// way back: a point that a caller has kept is where *Skipped begins.
type parser struct {
	text    string
	lexer   lexer
	token   token   // the current one
	next    []token // those after it that have been looked at
	passed  int     // how many tokens are before the current one
	end     int32   // where the one before it ends
	keep    bool    // all tokens, in tokens
	tokens  []token
	diags   diag.List
	pending diag.Diagnostic
	nodes   int
	depth   int
	params  bool
	tooDeep bool // the rest of the file is passed over, and nothing more reported
	make    arenas
}

// set is a set of token kinds.
type set uint64

func of(kinds ...kind) set {
	var s set
	for _, k := range kinds {
		s |= 1 << k
	}
	return s
}

func (s set) has(k kind) bool { return s&(1<<k) != 0 }

const (
	lineEnd set = 1 << newLine
	// closers are what may end an operand.
	closers set = 1<<stringRight | 1<<rightBrace | 1<<rightParen | 1<<rightSquare | lineEnd
)

func (p *parser) node(s source.Span) base {
	p.nodes++
	return base{span: s}
}

func (p *parser) expr(s source.Span) expression   { return expression{p.node(s)} }
func (p *parser) typeNode(s source.Span) typeNode { return typeNode{p.node(s)} }

func (p *parser) peek() token           { return p.token }
func (p *parser) atEnd() bool           { return p.token.kind == endOfFile }
func (p *parser) check(k kind) bool     { return p.token.kind == k }
func (p *parser) checkIn(s set) bool    { return !p.atEnd() && s.has(p.token.kind) }
func (p *parser) textOf(t token) string { return p.text[t.start:t.end] }

func (p *parser) read() token {
	t := p.token
	if t.kind != endOfFile {
		p.advance()
	}
	return t
}

// advance passes over a token that is not the end of the file.
func (p *parser) advance() {
	p.end = p.token.end
	p.passed++
	if len(p.next) == 0 {
		p.token = p.scan()
		return
	}
	p.token = p.next[0]
	p.next = p.next[:copy(p.next, p.next[1:])]
}

// scan takes a token from the lexer.
func (p *parser) scan() token {
	t := p.lexer.next()
	if p.keep {
		p.tokens = append(p.tokens, t)
	}
	return t
}

// giveUp passes over the rest of the file.
func (p *parser) giveUp() {
	for !p.atEnd() {
		p.advance()
	}
	p.tooDeep = true
}

// peekPastLines returns the next token that is not a line end.
func (p *parser) peekPastLines(from int) token {
	for {
		t := p.ahead(from)
		if t.kind != newLine {
			return t
		}
		from++
	}
}

// ahead returns the token n places ahead, or the end of the file.
func (p *parser) ahead(n int) token {
	if n == 0 {
		return p.token
	}
	for len(p.next) < n {
		last := p.token
		if len(p.next) > 0 {
			last = p.next[len(p.next)-1]
		}
		if last.kind == endOfFile {
			return last
		}
		p.next = append(p.next, p.scan())
	}
	return p.next[n-1]
}

func (p *parser) isWord(t token, word string) bool {
	return t.kind == identifier && p.textOf(t) == word
}

func (p *parser) report(r diag.Kind, s source.Span, args ...any) {
	if !p.tooDeep {
		p.diags.Add(r.At(s, args...))
	}
}

// fail leaves a diagnostic about the token for the caller that recovers.
func (p *parser) fail(t token, r diag.Kind, args ...any) {
	s := t.span()
	if t.kind == newLine {
		// A span over several lines would confuse users: report the end of the line.
		s.End = s.Start
	}
	p.pending = r.At(s, args...)
}

// enter counts a level of nesting. Beyond the limit the rest of the file is
// passed over: there is nothing useful to say about it.
func (p *parser) enter() bool {
	p.depth++
	return p.depth <= maxNesting || p.withinLimit(p.depth, maxNesting)
}

func (p *parser) withinLimit(n, limit int) bool {
	if n <= limit {
		return true
	}
	if !p.tooDeep {
		p.fail(p.peek(), diag.NestedTooDeep, limit)
		// Recorded at once: recovery would drop it with the diagnostics of what it abandons.
		p.diags = append(p.diags[:0], p.pending)
	}
	p.giveUp()
	return false
}

func (p *parser) leave() { p.depth-- }

// stopsHere reports whether there are so many mistakes that the rest of the file is
// passed over: it is hardly Bicep.
func (p *parser) stopsHere() bool {
	if p.tooDeep || len(p.diags) < diag.MaxShown {
		return false
	}
	p.report(diag.TooManyErrors, p.here(), diag.MaxShown)
	p.giveUp()
	return true
}

// point is a place in the text from which on recovery passes over tokens.
type point struct {
	passed int   // tokens before it
	start  int32 // of the token there
	diags  int
}

func (p *parser) mark() point { return point{p.passed, p.token.start, len(p.diags)} }

// recoverTo passes over tokens up to one of stop, and returns what stands for
// all that was passed over since the mark. The pending diagnostic is reported
// unless quiet.
func (p *parser) recoverTo(m point, quiet bool, stop set) *Skipped {
	if p.tooDeep {
		return p.skippedSince(m)
	}
	p.diags = append(p.diags[:m.diags], diagIf(!quiet, p.pending)...)
	for !p.atEnd() && !stop.has(p.peek().kind) {
		p.advance()
	}
	return p.skippedSince(m)
}

// orSkip returns an expression that was read since m, or what is skipped in place of one that could not be read.
func (p *parser) orSkip(m point, x Expr, quiet bool, stop set) Expr {
	if x == nil {
		return p.recoverTo(m, quiet, stop)
	}
	return x
}

func diagIf(wanted bool, d diag.Diagnostic) diag.List {
	if wanted {
		return diag.List{d}
	}
	return nil
}

func (p *parser) skippedSince(m point) *Skipped { return &Skipped{p.node(p.spanSince(m))} }

// spanSince returns the span of the tokens that were passed over since the mark.
func (p *parser) spanSince(m point) source.Span {
	if p.passed == m.passed {
		return source.Span{Start: m.start, End: m.start}
	}
	return source.Span{Start: m.start, End: p.end}
}

// skipRest reports what is between m and the next of stop, and passes over it.
func (p *parser) skipRest(m point, stop set, r diag.Kind) *Skipped {
	from := p.mark()
	for !p.atEnd() && !stop.has(p.peek().kind) {
		p.advance()
	}
	p.report(r, p.spanSince(from))
	return p.skippedSince(m)
}

// skipEmpty stands for something that should have been at the current place.
func (p *parser) skipEmpty() *Skipped { return p.skipEmptyAt(p.peek().start) }

func (p *parser) skipEmptyAt(offset int32) *Skipped {
	return &Skipped{p.node(source.Span{Start: offset, End: offset})}
}

// here is the empty span at the current place.
func (p *parser) here() source.Span {
	start := p.peek().start
	return source.Span{Start: start, End: start}
}

// quietAfter reports whether a mistake after n would only echo the one at n:
// where something is missing, what follows is missing for the same reason.
func quietAfter(n Node) bool {
	switch n := n.(type) {
	case *Ident:
		return !n.Valid() && n.span.Len() == 0
	case *Skipped:
		return n.span.Len() == 0
	}
	return false
}

// expected is a token that had to come: where it is, or what was passed over instead.
type expected struct {
	span  source.Span
	found bool
}

func (e expected) quiet() bool { return !e.found && e.span.Len() == 0 }

// expect reads a token of kind k, or passes over tokens up to one of stop.
func (p *parser) expect(k kind, what string, quiet bool, stop set) expected {
	if p.check(k) {
		return expected{p.read().span(), true}
	}
	m := p.mark()
	p.fail(p.peek(), diag.BCP018, what)
	return expected{p.recoverTo(m, quiet, stop).span, false}
}

// need reads a token of kind k, or fails.
func (p *parser) need(k kind, what string) (token, bool) {
	if p.check(k) {
		return p.read(), true
	}
	p.fail(p.peek(), diag.BCP018, what)
	return token{}, false
}

// needWord reads a word, or fails.
func (p *parser) needWord(word string) (source.Span, bool) {
	if t := p.peek(); p.isWord(t, word) {
		return p.read().span(), true
	}
	p.fail(p.peek(), diag.BCP012, word)
	return source.Span{}, false
}

// newLines passes over line ends.
func (p *parser) newLines() {
	for p.check(newLine) {
		p.advance()
	}
}

// ident reads a name, or fails.
func (p *parser) ident(r diag.Kind) *Ident {
	if !p.check(identifier) {
		p.fail(p.peek(), r)
		return nil
	}
	return p.readIdent()
}

func (p *parser) readIdent() *Ident {
	return p.make.idents.New(p.identOf(p.read()))
}

// identOrEmpty reads a name, or reports that there is none and goes on.
func (p *parser) identOrEmpty(r diag.Kind) *Ident {
	if p.check(identifier) {
		return p.readIdent()
	}
	p.report(r, p.here())
	return &Ident{base{span: p.here()}, ""}
}

// identOrSkip reads a name, or passes over tokens up to one of stop.
func (p *parser) identOrSkip(r diag.Kind, stop set) *Ident {
	m := p.mark()
	if id := p.ident(r); id != nil {
		return id
	}
	s := p.recoverTo(m, false, stop)
	return &Ident{base{span: s.span}, ""}
}

// elements reads the items of an array or object, which line ends or single
// commas separate.
//
//	elements = [ NL* item { ( NL+ | "," ) item } NL* ]
func (p *parser) elements(closing kind, item func()) {
	if p.check(closing) {
		return
	}
	p.newLines()
	wantItem := true
	for !p.atEnd() && !p.check(closing) && !p.stopsHere() {
		if wantItem {
			item()
			wantItem = false
			continue
		}
		switch {
		case p.check(newLine):
			p.newLines()
		case p.check(comma):
			p.advance()
			if p.check(newLine) {
				p.report(diag.BCP238, p.here())
				p.advance()
			}
		default:
			p.report(diag.BCP236, p.here())
		}
		wantItem = true
	}
}

// arguments reads the arguments of a call, which commas separate and line ends
// may surround.
//
//	arguments = [ NL* item { "," NL* item } NL* ]
func (p *parser) arguments(closing kind, item func()) {
	if p.check(closing) {
		return
	}
	p.newLines()
	wantItem := true
	for !p.atEnd() && !p.check(closing) && !p.stopsHere() {
		if wantItem {
			item()
			wantItem = false
			continue
		}
		switch {
		case p.check(newLine):
			n := 1
			for t := p.ahead(n); t.kind == newLine && t.marks.has(commented); t = p.ahead(n) {
				n++
			}
			next := p.ahead(n)
			if next.kind == endOfFile {
				// The call is not closed: say so where its line ends.
				return
			}
			if next.kind != closing {
				p.report(diag.BCP237, p.here())
			}
			p.newLines()
		case p.check(comma):
			p.advance()
			p.newLines()
			if p.check(closing) {
				// A comma promises another argument.
				item()
			}
		default:
			p.report(diag.BCP236, p.here())
		}
		wantItem = true
	}
}
