package syntax

import (
	"unicode/utf8"

	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/source"
)

type kind uint8

const (
	endOfFile kind = iota
	newLine        // one or more line ends in a row
	unrecognized
	identifier
	integer
	trueKeyword
	falseKeyword
	nullKeyword
	stringComplete // 'text', or '''text'''
	stringLeft     // 'text${
	stringMiddle   // }text${
	stringRight    // }text'
	at
	leftBrace
	rightBrace
	leftParen
	rightParen
	leftSquare
	rightSquare
	comma
	dot
	question
	colon
	semicolon
	assign
	plus
	minus
	asterisk
	slash
	modulo
	exclamation
	less
	greater
	lessOrEqual
	greaterOrEqual
	equal
	notEqual
	equalFold
	notEqualFold
	logicalAnd
	logicalOr
	doubleQuestion
	doubleColon
	arrow
	pipe
	ellipsis
	hat
)

// token is one word of the text. Comments and blanks are not tokens. It has no more
// fields than fit into registers.
type token struct {
	kind       kind
	marks      marks
	start, end int32
}

// marks tell more of a token. The upper eight bits are, in a ”' string, how many
// dollars begin a hole.
type marks uint16

const (
	commented marks = 1 << iota // a comment precedes it that does not belong to the token before
	multiline                   // a piece of a ''' string
	plain                       // a piece of a ' string that ends as it should and has no escapes

	dollarsShift = 8
)

func (m marks) has(mark marks) bool { return m&mark != 0 }
func (m marks) dollars() int        { return int(m >> dollarsShift) }

func (t token) span() source.Span { return source.Span{Start: t.start, End: t.end} }

const maxIdentifier = 255

// lexer turns text into tokens. Inside the holes of strings the rules differ (a
// line must not end there, and } may continue the string), so it keeps a stack
// of what is open.
type lexer struct {
	text    string
	pos     int32
	start   int32 // of the token or comment being read
	last    kind  // of the token that was read last
	diags   diag.List
	pragmas []Pragma
	open    []opening
	marks   marks // of the token being read
}

// opening is a string whose hole is being read, or a brace within a hole.
type opening struct {
	brace     bool
	multiline bool
	dollars   uint8
}

// next reads a token. The last one is the end of the file.
func (l *lexer) next() token {
	if l.last != endOfFile && len(l.diags) >= diag.MaxShown {
		// The rest is hardly Bicep. The text is taken to end here.
		l.report(diag.TooManyErrors, l.pos, l.pos, diag.MaxShown)
		l.text = l.text[:l.pos]
	}
	l.marks = 0
	text, at := l.text, int(l.pos)
	for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
		at++
	}
	l.pos = int32(at)
	if at < len(text) && (text[at] == '/' || text[at] == '#') && l.trivia() {
		l.marks = commented
	}
	l.start = l.pos
	l.last = l.scan()
	if l.last == unrecognized {
		l.reportUnrecognized()
	}
	return token{l.last, l.marks, l.start, l.pos}
}

// stickyBehind reports whether a comment after such a token on its line belongs to it.
func stickyBehind(k kind) bool {
	switch k {
	case rightParen, rightSquare, rightBrace, stringRight, question,
		exclamation, falseKeyword, trueKeyword, nullKeyword, stringComplete, integer, identifier:
		return true
	}
	return false
}

func (l *lexer) report(r diag.Kind, start, end int32, args ...any) {
	l.diags.Add(r.At(source.Span{Start: start, End: end}, args...))
}

func (l *lexer) reportUnrecognized() {
	text := l.text[l.start:l.pos]
	if text == `"` {
		l.report(diag.BCP103, l.start, l.pos, text)
		return
	}
	l.report(diag.BCP001, l.start, l.pos, text)
	if len(text) == 4 {
		// Beyond the Basic Multilingual Plane a character counts as two.
		l.report(diag.BCP001, l.start+1, l.pos, text)
	}
}

// peek returns the byte n places ahead, or 0 at the end.
func (l *lexer) peek(n int32) byte {
	if i := l.pos + n; int(i) < len(l.text) {
		return l.text[i]
	}
	return 0
}

func (l *lexer) atEnd() bool { return int(l.pos) >= len(l.text) }

// trivia passes over the comments, pragmas and blanks between two tokens. It reports
// whether there was a comment that belongs to the next one.
func (l *lexer) trivia() bool {
	if l.last != endOfFile {
		// A comment on the same line belongs to the token before it if that token is sticky, and otherwise to the next token.
		l.skipTrivia(stickyBehind(l.last))
	}
	return l.skipTrivia(true)
}

// skipTrivia passes over blanks, and over comments and pragmas if asked. It
// reports whether there was a comment.
func (l *lexer) skipTrivia(comments bool) bool {
	found := false
	for !l.atEnd() {
		switch c := l.text[l.pos]; {
		case c == ' ' || c == '\t':
			l.pos++
		case comments && c == '/' && l.peek(1) == '/':
			found = true
			for !l.atEnd() && !isNewLine(l.text[l.pos]) {
				l.pos++
			}
		case comments && c == '/' && l.peek(1) == '*':
			found = true
			l.skipBlockComment()
		case comments && c == '#' && l.pragma():
		default:
			return found
		}
	}
	return found
}

func (l *lexer) skipBlockComment() {
	start := l.pos
	l.pos += 2
	for !l.atEnd() {
		if l.text[l.pos] == '*' && l.peek(1) == '/' {
			l.pos += 2
			return
		}
		l.pos++
	}
	l.report(diag.BCP002, start, l.pos)
}

var pragmaWords = [...]struct {
	kind PragmaKind
	word string
}{
	{DisableNextLine, "#disable-next-line"},
	{DisableDiagnostics, "#disable-diagnostics"},
	{RestoreDiagnostics, "#restore-diagnostics"},
}

// pragma reads a pragma, if one is here: the first thing on its line.
func (l *lexer) pragma() bool {
	for i := l.pos - 1; i >= 0 && !isNewLine(l.text[i]); i-- {
		if l.text[i] != ' ' && l.text[i] != '\t' {
			return false
		}
	}
	for _, w := range pragmaWords {
		if len(l.text)-int(l.pos) >= len(w.word) && l.text[l.pos:int(l.pos)+len(w.word)] == w.word {
			p := Pragma{Kind: w.kind, Keyword: source.Span{Start: l.pos, End: l.pos + int32(len(w.word))}}
			l.pos = p.Keyword.End
			l.pragmaCodes(&p)
			l.pragmas = append(l.pragmas, p)
			return true
		}
	}
	return false
}

// pragmaCodes reads the codes of a pragma: words of letters, digits and dashes
// between blanks, up to the end of the line or the first other character.
func (l *lexer) pragmaCodes(p *Pragma) {
	end := l.pos
	for {
		for c := l.peek(0); c == ' ' || c == '\t'; c = l.peek(0) {
			l.pos++
		}
		start := l.pos
		for c := l.peek(0); isIdentPart(c) || c == '-'; c = l.peek(0) {
			l.pos++
		}
		if l.pos == start {
			break
		}
		p.Codes = append(p.Codes, PragmaCode{l.text[start:l.pos], source.Span{Start: start, End: l.pos}})
		end = l.pos
		if c := l.peek(0); !l.atEnd() && c != ' ' && c != '\t' {
			break
		}
	}
	if len(p.Codes) == 0 {
		l.report(diag.BCP226, l.pos, l.pos)
		end = l.pos
	}
	p.Span = source.Span{Start: p.Keyword.Start, End: end}
	l.pos = end
}

func isNewLine(c byte) bool { return c == '\n' || c == '\r' }
func isDigit(c byte) bool   { return '0' <= c && c <= '9' }
func isIdentStart(c byte) bool {
	lower := c | 0x20 // of a letter, the small one
	return 'a' <= lower && lower <= 'z' || c == '_'
}
func isIdentPart(c byte) bool { return isIdentStart(c) || isDigit(c) }
func isHex(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// IsIdentifier reports whether s has the form of a name.
func IsIdentifier(s string) bool {
	if s == "" || !isIdentStart(s[0]) {
		return false
	}
	for i := 1; i < len(s); i++ {
		if !isIdentPart(s[i]) {
			return false
		}
	}
	return true
}

// follows consumes c if it is next.
func (l *lexer) follows(c byte) bool {
	if l.peek(0) == c && !l.atEnd() {
		l.pos++
		return true
	}
	return false
}

// scan reads one token.
func (l *lexer) scan() kind {
	if l.atEnd() {
		return endOfFile
	}
	c := l.text[l.pos]
	if isIdentStart(c) {
		text, at := l.text, int(l.pos)+1
		for at < len(text) && isIdentPart(text[at]) {
			at++
		}
		l.pos = int32(at)
		return l.word()
	}
	if c >= utf8.RuneSelf {
		_, n := utf8.DecodeRuneInString(l.text[l.pos:])
		l.pos += int32(n)
		return unrecognized
	}
	l.pos++
	switch c {
	case '{':
		if len(l.open) > 0 {
			l.open = append(l.open, opening{brace: true})
		}
		return leftBrace
	case '}':
		// A brace opened within a hole is not taken off the stack when it
		// closes, as in the official compiler: objects are not allowed in holes.
		if n := len(l.open); n > 0 && !l.open[n-1].brace {
			return l.continueString(l.open[n-1])
		}
		return rightBrace
	case '(':
		return leftParen
	case ')':
		return rightParen
	case '[':
		return leftSquare
	case ']':
		return rightSquare
	case '@':
		return at
	case ',':
		return comma
	case '.':
		if l.peek(0) == '.' && l.peek(1) == '.' {
			l.pos += 2
			return ellipsis
		}
		return dot
	case '?':
		if l.follows('?') {
			return doubleQuestion
		}
		return question
	case ':':
		if l.follows(':') {
			return doubleColon
		}
		return colon
	case ';':
		return semicolon
	case '+':
		return plus
	case '-':
		return minus
	case '%':
		return modulo
	case '*':
		return asterisk
	case '/':
		return slash
	case '^':
		return hat
	case '$':
		return l.dollar()
	case '!':
		switch {
		case l.follows('='):
			return notEqual
		case l.follows('~'):
			return notEqualFold
		}
		return exclamation
	case '<':
		if l.follows('=') {
			return lessOrEqual
		}
		return less
	case '>':
		if l.follows('=') {
			return greaterOrEqual
		}
		return greater
	case '=':
		switch {
		case l.follows('='):
			return equal
		case l.follows('~'):
			return equalFold
		case l.follows('>'):
			return arrow
		}
		return assign
	case '&':
		if l.follows('&') {
			return logicalAnd
		}
		return unrecognized
	case '|':
		if l.follows('|') {
			return logicalOr
		}
		return pipe
	case '\'':
		if l.peek(0) == '\'' && l.peek(1) == '\'' {
			l.pos += 2
			return l.multilineText(true, 0)
		}
		k := l.lineText(true)
		if k == stringLeft {
			l.open = append(l.open, opening{})
		}
		return k
	case '\n', '\r':
		if len(l.open) > 0 {
			// The line ends within a hole: give up on the string, then read the line end again.
			l.pos--
			l.report(diag.BCP004, l.pos, l.pos)
			l.open = l.open[:0]
			return stringRight
		}
		for !l.atEnd() && isNewLine(l.text[l.pos]) {
			l.pos++
		}
		return newLine
	}
	if isDigit(c) {
		for isDigit(l.peek(0)) {
			l.pos++
		}
		return integer
	}
	return unrecognized
}

func (l *lexer) word() kind {
	switch text := l.text[l.start:l.pos]; text {
	case "true":
		return trueKeyword
	case "false":
		return falseKeyword
	case "null":
		return nullKeyword
	default:
		if len(text) > maxIdentifier {
			l.report(diag.BCP024, l.start, l.pos, maxIdentifier)
		}
		return identifier
	}
}

// dollar reads the beginning of a multi-line string with holes: any number of dollars
// and three quotes.
func (l *lexer) dollar() kind {
	n := uint8(1)
	for l.peek(0) == '$' && n < 255 {
		l.pos++
		n++
	}
	if l.peek(0) != '\'' || l.peek(1) != '\'' || l.peek(2) != '\'' {
		return unrecognized
	}
	l.pos += 3
	k := l.multilineText(true, n)
	if k == stringLeft {
		l.open = append(l.open, opening{multiline: true, dollars: n})
	}
	return k
}

func (l *lexer) continueString(o opening) kind {
	var k kind
	if o.multiline {
		k = l.multilineText(false, o.dollars)
	} else {
		k = l.lineText(false)
	}
	if k == stringRight {
		l.open = l.open[:len(l.open)-1]
	}
	return k
}

// piece returns the kind of a piece of a string: the first or a later one, which ends the string or not.
func piece(first, last bool) kind {
	switch {
	case first && last:
		return stringComplete
	case first:
		return stringLeft
	case last:
		return stringRight
	}
	return stringMiddle
}

// multilineText reads the text of a multi-line string up to a hole or its end.
// dollars is how many of them a hole needs; 0 means that there are no holes.
func (l *lexer) multilineText(first bool, dollars uint8) kind {
	l.marks |= multiline | marks(dollars)<<dollarsShift
	for !l.atEnd() {
		switch l.text[l.pos] {
		case '$':
			n := 0
			for l.peek(0) == '$' {
				l.pos++
				n++
			}
			if dollars > 0 && n >= int(dollars) && l.follows('{') {
				return piece(first, false)
			}
		case '\'':
			n := 0
			for l.peek(0) == '\'' {
				l.pos++
				n++
			}
			if n >= 3 {
				return piece(first, true)
			}
		default:
			l.pos++
		}
	}
	l.report(diag.BCP140, l.start, l.pos)
	return piece(first, true)
}

// lineText reads the text of a single-line string up to a hole or its end.
func (l *lexer) lineText(first bool) kind {
	mark := plain
	for {
		l.skipLetters()
		if l.atEnd() {
			l.report(diag.BCP003, l.start, l.pos)
			return piece(first, true)
		}
		switch l.text[l.pos] {
		case '\'':
			l.pos++
			l.marks |= mark
			return piece(first, true)
		case '$':
			if l.peek(1) == '{' {
				l.pos += 2
				l.marks |= mark
				return piece(first, false)
			}
			l.pos++
		case '\\':
			mark = 0
			if int(l.pos)+1 >= len(l.text) {
				l.pos++
				l.report(diag.BCP005, l.start, l.pos)
				return piece(first, true)
			}
			l.escape()
		default: // the end of the line
			l.report(diag.BCP004, l.start, l.pos)
			return piece(first, true)
		}
	}
}

// skipLetters passes over what stands for itself in a single-line string.
func (l *lexer) skipLetters() {
	text, at := l.text, int(l.pos)
	for at < len(text) {
		switch text[at] {
		case '\'', '$', '\\', '\n', '\r':
			l.pos = int32(at)
			return
		}
		at++
	}
	l.pos = int32(at)
}

// escape passes over one escape sequence.
func (l *lexer) escape() {
	start := l.pos
	if _, n := decodeEscape(l.text[l.pos:]); n > 0 {
		l.pos += int32(n)
		return
	}
	c := l.text[l.pos+1]
	if c != 'u' {
		_, n := utf8.DecodeRuneInString(l.text[l.pos+1:])
		l.pos += 1 + int32(n)
		l.report(diag.BCP006, start, l.pos, l.text[start:l.pos])
		return
	}
	l.pos += 2
	if l.atEnd() {
		return
	}
	if l.follows('{') {
		digits := l.pos
		for isHex(l.peek(0)) {
			l.pos++
		}
		if l.atEnd() {
			return
		}
		if l.pos > digits {
			l.follows('}')
		}
	}
	l.report(diag.BCP133, start, l.pos)
}

// decodeEscape returns what the escape sequence at the start of s stands for,
// and its length; the length is 0 if it is not a valid one.
func decodeEscape(s string) (rune, int) {
	if len(s) < 2 {
		return 0, 0
	}
	switch s[1] {
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case '\\', '\'', '$':
		return rune(s[1]), 2
	case 'u':
		if len(s) < 4 || s[2] != '{' {
			return 0, 0
		}
		i, r := 3, rune(0)
		for i < len(s) && isHex(s[i]) {
			if r = r<<4 | hexValue(s[i]); r > 0x10ffff {
				return 0, 0
			}
			i++
		}
		if i == 3 || i >= len(s) || s[i] != '}' {
			return 0, 0
		}
		return r, i + 1
	}
	return 0, 0
}

func hexValue(c byte) rune {
	switch {
	case c >= 'a':
		return rune(c-'a') + 10
	case c >= 'A':
		return rune(c-'A') + 10
	}
	return rune(c - '0')
}
