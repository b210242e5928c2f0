package format

import (
	"sort"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/arena"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// layout turns a tree into documents. The tree says what belongs together. The
// tokens, which are taken one after the other, say what is printed, so that none
// of them can be left out unnoticed.
type layout struct {
	text    string
	tokens  []syntax.Token
	pragmas []syntax.Pragma
	newline string
	wrong   errorSpans

	next int // the token to be taken
	// breaks counts what makes the brackets around it break: // comments, blank
	// lines, and brackets that are broken in any case. A builder that finds it
	// risen makes glue instead of a group.
	breaks int
	// lost is set when the tree and the tokens do not agree. The statement is
	// printed as it is then.
	lost bool
	// commaTaken is the comma whose comments were added to the item before it.
	commaTaken int
	// beforePipe are the comments before the | of the next member of a union.
	beforePipe []*doc
	// changed are the multi-line strings whose value other line ends change.
	changed []source.Span
	// decoratedTuple are tuples with a decorated item, one for each such item.
	decoratedTuple []source.Span

	docs  arena.Arena[doc]
	lists arena.Arena[*doc]
}

func (l *layout) new(d doc) *doc { return l.docs.New(d) }

func (l *layout) plain(s string) *doc {
	return l.new(doc{kind: text, text: s, width: textWidth(s)})
}

func (l *layout) container(k kind, parts ...*doc) *doc {
	return l.new(doc{kind: k, parts: l.lists.List(parts)})
}

func (l *layout) glue(parts ...*doc) *doc { return l.container(glue, parts...) }

// spread puts parts side by side with a blank between them.
func (l *layout) spread(parts ...*doc) *doc {
	room := [16]*doc{}
	return l.glue(separated(room[:0], parts, space)...)
}

func (l *layout) textOf(i int) string {
	s := l.tokens[i].Span
	return l.text[s.Start:s.End]
}

// token takes a token, with the comments that belong to it.
func (l *layout) token() *doc {
	before := l.leading(l.next)
	d := l.body()
	if len(before) == 0 {
		return d
	}
	return l.spread(append(before, d)...)
}

// body takes a token, with the comments that belong to it and comes after it.
func (l *layout) body() *doc {
	i := l.next
	if l.tokens[i].Kind == syntax.EndOfFileToken {
		l.lost = true
		return empty
	}
	l.next++
	return l.behind(l.plain(l.textOf(i)), i)
}

// behind adds the comments behind a token to its document.
func (l *layout) behind(d *doc, i int) *doc {
	list, end := l.trailing(i)
	if len(list) > 0 {
		d = l.spread(append([]*doc{d}, list...)...)
	}
	if end != nil {
		d = l.glue(d, end)
	}
	return d
}

// newLine takes a line end, and appends it and the comments before it.
func (l *layout) newLine(list []*doc) []*doc {
	i := l.next
	l.next++
	before := l.leading(i)
	if len(before) > 0 {
		// The official formatter counts a // comment that stands alone three
		// times in all, which matters where it takes one off again.
		l.breaks++
		if before[0].kind == comment {
			l.breaks++
		}
		list = append(list, l.spread(before...))
	}
	// A backslash in a broken string takes a line end, or the first half of one. What is kept of the
	// string ends before it, so that the next run finds one line end less than was written: a blank
	// line would be gone then.
	at := l.tokens[i].Span.Start
	taken := at > 0 && (l.text[at-1] == '\r' || l.text[at-1] == '\n')
	if blankLine(l.textOf(i)) && !taken {
		return append(list, hard)
	}
	return append(list, soft)
}

// between takes what separates the items of a list, up to an offset: line ends
// are kept, commas and pipes are not.
func (l *layout) between(list []*doc, until int32) []*doc {
	for {
		t := l.tokens[l.next]
		if t.Kind == syntax.EndOfFileToken || t.Span.Start >= until {
			return list
		}
		switch t.Kind {
		case syntax.NewLineToken:
			list = l.newLine(list)
		case syntax.CommaToken:
			if before := l.leading(l.next); len(before) > 0 && l.next != l.commaTaken {
				list = append(list, l.spread(before...))
			}
			l.next++
		case syntax.PipeToken:
			l.beforePipe = append(l.beforePipe, l.leading(l.next)...)
			l.next++
		default:
			l.lost = true
			return list
		}
	}
}

// beforeComma adds the comments that belong to the comma after an item to the item.
func (l *layout) beforeComma(d *doc) *doc {
	if l.tokens[l.next].Kind == syntax.CommaToken {
		if before := l.leading(l.next); len(before) > 0 {
			l.commaTaken = l.next
			return l.spread(append([]*doc{d}, before...)...)
		}
	}
	return d
}

// detach takes the // comment off the end of a container.
func (l *layout) detach(d *doc) (rest, end *doc) {
	if d.kind == suffix {
		text := strings.TrimLeft(d.text, " ")
		return empty, l.new(doc{kind: comment, text: text, width: textWidth(text)})
	}
	last := len(d.parts) - 1
	parts := append([]*doc(nil), d.parts...)
	parts[last], end = l.detach(parts[last])
	return l.new(doc{kind: d.kind, width: d.width, parts: parts}), end
}

// skipLines passes over line ends that carry no comment. It reports false, and
// stays, if one does.
func (l *layout) skipLines(until int32) bool {
	i := l.next
	for ; l.tokens[i].Kind == syntax.NewLineToken && l.tokens[i].Span.Start < until; i++ {
		if !l.blank(i) && !(i > 0 && l.tokens[i-1].Sticky) {
			return false
		}
	}
	l.next = i
	return true
}

// commentedLines reports whether line ends come next and one of them carries a
// comment.
func (l *layout) commentedLines(until int32) bool {
	i := l.next
	ok := l.skipLines(until)
	l.next = i
	return !ok
}

// brackets say how what they hold is laid out.
type brackets struct {
	separator *doc
	padding   *doc
	// tight keeps a single item beside the brackets.
	tight bool
}

var (
	objectBrackets = brackets{separator: lineOrComma, padding: lineOrSpace}
	arrayBrackets  = brackets{separator: lineOrComma, padding: lineOrEmpty}
	callBrackets   = brackets{separator: lineOrSpace, padding: lineOrEmpty, tight: true}
	blockBrackets  = brackets{separator: lineOrSpace, padding: lineOrEmpty}
	loopBrackets   = brackets{separator: lineOrEmpty, padding: lineOrEmpty}
)

// bracket lays out brackets. items appends what they hold, and returns how many
// of the breaks in it do not count for them. forced breaks the brackets if a line
// end follows the opening one. closing is where the closing one is.
func (l *layout) bracket(b brackets, forced bool, closing int32, items func([]*doc) ([]*doc, int)) *doc {
	open := l.token()
	forced = forced && l.tokens[l.next].Kind == syntax.NewLineToken
	before := l.breaks
	room := [16]*doc{}
	list, ignored := items(room[:0])
	list = l.between(list, closing)
	before += ignored
	list, blankLines := collapse(trim(list))
	l.breaks += blankLines
	dangling := l.leading(l.next)
	list = append(list, dangling...)
	switch {
	case len(list) == 0:
		return l.glue(open, l.body())
	case len(list) == 1 && b.tight && !(list[0].container() && list[0].endsInComment()):
		if b.padding.flat == "" {
			return l.glue(open, list[0], l.body())
		}
	}
	if forced || len(dangling) > 0 {
		l.breaks++
	}
	k := group
	if l.breaks > before {
		k = glue
	}
	inner := make([]*doc, 0, 2*len(list))
	inner = separated(append(inner, b.padding), list, b.separator)
	return l.container(k, open, l.new(doc{kind: indent, parts: inner}), b.padding, l.body())
}

// indented lays out what is written on lines of its own where it does not fit
// after what is before it: with a line end at its beginning, or without.
func (l *layout) indented(first bool, items func([]*doc) []*doc) *doc {
	before := l.breaks
	var list []*doc
	for _, d := range items(nil) {
		if !d.isLine() {
			list = append(list, d)
		}
	}
	if len(list) == 0 {
		l.lost = true
		return empty
	}
	var inner []*doc
	if first {
		inner = append(inner, lineOrEmpty)
	}
	in := l.new(doc{kind: indent, parts: separated(inner, list, lineOrSpace)})
	if in.endsInComment() {
		l.breaks--
	}
	if l.breaks > before {
		return l.glue(in)
	}
	return l.container(group, in)
}

// program lays out a whole file. It gives each statement to emit as soon as it is
// laid out, with the line ends around it, so that the documents of one statement at
// a time are kept.
func (l *layout) program(f *syntax.File, diags diag.List, emit func([]*doc)) {
	l.wrong = errorsIn(diags)
	var list []*doc
	for _, s := range f.Stmts {
		list = l.topLevel(l.stray(list[:0], s.Span().Start), s)
		emit(list)
	}
	list = l.stray(list[:0], int32(len(l.text))+1)
	if before := l.leading(l.next); len(before) > 0 {
		list = append(list, l.spread(before...))
	}
	emit(list)
}

// topLevel appends a statement of the file: as it is, if there is an error in it.
func (l *layout) topLevel(list []*doc, s syntax.Stmt) []*doc {
	span, first := s.Span(), l.next
	_, skipped := s.(*syntax.Skipped)
	_, missing := s.(*syntax.Missing)
	if !skipped && (missing || !l.wrong.within(span)) {
		laid := l.statement(list, s)
		if !l.lost && l.next > first && l.tokens[l.next-1].Span.End == span.End {
			return laid
		}
		l.lost, l.next = false, first
	}
	for t := l.tokens[l.next]; t.Kind != syntax.EndOfFileToken &&
		(t.Span.Start < span.End || t.Span.End == span.End && l.next > first && t.Kind != syntax.NewLineToken); t = l.tokens[l.next] {
		l.next++
	}
	return append(list, l.raw(first))
}

// stray takes line ends between statements, and text that is not a statement.
func (l *layout) stray(list []*doc, until int32) []*doc {
	for l.tokens[l.next].Kind != syntax.EndOfFileToken && l.tokens[l.next].Span.Start < until {
		if l.tokens[l.next].Kind == syntax.NewLineToken {
			list = l.newLine(list)
			continue
		}
		first := l.next
		for t := l.tokens[l.next]; t.Kind != syntax.EndOfFileToken && t.Span.Start < until; t = l.tokens[l.next] {
			l.next++
			if t.Kind == syntax.NewLineToken {
				break
			}
		}
		list = append(list, l.raw(first))
	}
	return list
}

// raw is the text of the tokens from first up to the next one, as it is.
func (l *layout) raw(first int) *doc {
	if first == l.next {
		return empty
	}
	start, end := l.tokens[first].Span.Start, l.tokens[l.next-1].Span.End
	if first == 0 {
		start = 0
	} else if !l.tokens[first-1].Sticky {
		start = l.tokens[first-1].Span.End
	}
	if l.tokens[l.next-1].Sticky {
		end = l.tokens[l.next].Span.Start
	}
	return l.plain(l.uniform(strings.TrimSpace(l.text[start:end])))
}

// errorSpans are where lexing and parsing failed, by their beginnings.
type errorSpans []source.Span

func errorsIn(diags diag.List) errorSpans {
	var list errorSpans
	for _, d := range diags {
		list = append(list, d.Span)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Start < list[j].Start })
	return list
}

// within reports whether one of them is within a span.
func (e errorSpans) within(s source.Span) bool {
	i := sort.Search(len(e), func(i int) bool { return e[i].Start >= s.Start })
	for ; i < len(e) && e[i].Start <= s.End; i++ {
		if e[i].End <= s.End {
			return true
		}
	}
	return false
}
