package migrate

import (
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// editor changes the text of a file in places that do not overlap. What is moved is taken with the changes within.
type editor struct {
	text string // in which a line end within a multi-line string is the byte mark: it is not laid out again
	mark byte
	eol  string
	unit string // one level of indentation
	list []edit // in the order of the text

	comments []source.Span // and pragmas, in the order of the text
}

type edit struct {
	source.Span
	text string
}

// newEditor returns the editor of a file, or nil if no byte can be the mark.
func newEditor(f *syntax.File) *editor {
	text := f.Source.Text
	e := &editor{text: text, eol: "\n", unit: "  "}
	for mark := byte(1); mark < '\t' && e.mark == 0; mark++ {
		if strings.IndexByte(text, mark) < 0 {
			e.mark = mark
		}
	}
	if e.mark == 0 {
		return nil
	}
	if i := strings.IndexAny(text, "\r\n"); i >= 0 {
		e.eol = text[i : i+1]
		if strings.HasPrefix(text[i:], "\r\n") {
			e.eol = "\r\n"
		}
	}
	b := []byte(text)
	f.Walk(f, func(n syntax.Node) bool {
		if s, ok := n.(*syntax.String); ok && s.Multiline {
			for i := s.Span().Start; i < s.Span().End; i++ {
				if b[i] == e.end()[0] {
					b[i] = e.mark
				}
			}
		}
		return true
	})
	e.text = string(b)
	return e
}

// from returns the number of the first change that ends behind a place.
func (e *editor) from(at int32) int {
	i, _ := slices.BinarySearchFunc(e.list, at, func(old edit, at int32) int {
		if old.End <= at {
			return -1
		}
		return 1
	})
	return i
}

// replace puts a text in a place. Changes within that place must be part of the text; what is replaced already stays so.
func (e *editor) replace(at source.Span, text string) {
	i := e.from(at.Start)
	if at.Len() == 0 { // what is inserted in one place stays in order, before what is replaced there
		if i < len(e.list) && e.list[i].Start < at.Start {
			return
		}
		e.list = slices.Insert(e.list, i, edit{at, text})
		return
	}
	end := i
	for ; end < len(e.list) && e.list[end].Start < at.End; end++ {
		switch old := e.list[end]; {
		case old.Contains(at):
			return
		case !at.Contains(old.Span): // removals that have a separator in common
			at = at.Cover(old.Span)
		}
	}
	e.list = slices.Replace(e.list, i, end, edit{at, text})
}

func (e *editor) insert(at int32, text string) { e.replace(source.Span{Start: at, End: at}, text) }

// slice returns a part of the text with the changes within.
func (e *editor) slice(at source.Span) string {
	var b strings.Builder
	from := max(at.Start, 0)
	for _, one := range e.list[e.from(at.Start):] {
		if one.Start >= at.End {
			break
		}
		if at.Contains(one.Span) && one.Start >= from {
			b.WriteString(e.text[from:one.Start])
			b.WriteString(one.text)
			from = one.End
		}
	}
	b.WriteString(e.text[from:at.End])
	return b.String()
}

// result returns the whole text.
func (e *editor) result() string {
	e.text += "\n" // what is inserted at the end is within
	text := e.slice(source.Span{Start: -1, End: int32(len(e.text))})
	return strings.ReplaceAll(strings.TrimSuffix(text, "\n"), string(rune(e.mark)), e.end())
}

// end returns the last byte of a line end.
func (e *editor) end() string { return e.eol[len(e.eol)-1:] }

// indent returns the blanks that the line of a place begins with.
func (e *editor) indent(at int32) string {
	line := e.text[e.lineStart(at):at]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

func (e *editor) lineStart(at int32) int32 {
	return int32(strings.LastIndexAny(e.text[:at], "\r\n") + 1)
}

// lineEnd returns where the line ends, before its line end.
func (e *editor) lineEnd(at int32) int32 {
	if n := strings.IndexAny(e.text[at:], "\r\n"); n >= 0 {
		return at + int32(n)
	}
	return int32(len(e.text))
}

// nextLine returns where the line after that of a place begins.
func (e *editor) nextLine(at int32) int32 {
	end := e.lineEnd(at)
	switch rest := e.text[end:]; {
	case strings.HasPrefix(rest, "\r\n"):
		return end + 2
	case rest != "":
		return end + 1
	}
	return end
}

// shift indents the lines after the first of a text, which were indented by from, as if the first were indented by to.
func (e *editor) shift(text, from, to string) string {
	lines := strings.SplitAfter(text, e.end())
	for i, line := range lines {
		if i == 0 || strings.TrimSpace(line) == "" {
			continue
		}
		rest, ok := strings.CutPrefix(line, from)
		if !ok {
			rest = strings.TrimLeft(line, " \t")
		}
		lines[i] = to + rest
	}
	return strings.Join(lines, "")
}

// moved returns the text of a node for a place that is indented by to.
func (e *editor) moved(n syntax.Node, to string) string {
	return e.shift(e.slice(n.Span()), e.indent(n.Span().Start), to)
}

// item is an item of an object or an array, and what belongs to it in the text.
type item struct {
	node syntax.Node
	lead source.Span // comments, pragmas and blank lines before, from the end of the line of what is before it
	tail source.Span // what follows on its line: a comma, a comment
}

// gapEnd returns where the first line of what is between two items ends. A comment of several lines is a part of its line.
func gapEnd(text string, at, end int32) int32 {
	for i := at; i < end; i++ {
		switch rest := text[i:end]; {
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest[2:], "*/")
			if n < 0 {
				return end
			}
			i += int32(n) + 3
		case rest[0] == '\n' || rest[0] == '\r':
			return i
		case strings.HasPrefix(rest, "//") || rest[0] == '#':
			if n := strings.IndexAny(rest, "\r\n"); n >= 0 {
				return i + int32(n)
			}
			return end
		}
	}
	return end
}

// itemsOf returns the items of an object or an array.
func itemsOf[N syntax.Node](e *editor, of syntax.Node, nodes []N) []item {
	list := make([]item, len(nodes))
	start := gapEnd(e.text, of.Span().Start+1, of.Span().End-1)
	for i, n := range nodes {
		end := of.Span().End - 1
		if i+1 < len(nodes) {
			end = nodes[i+1].Span().Start
		}
		tail := source.Span{Start: n.Span().End, End: gapEnd(e.text, n.Span().End, end)}
		if i+1 < len(nodes) && tail.End == end { // the next item is on the line
			tail.End = tail.Start
		}
		list[i] = item{n, source.Span{Start: min(start, n.Span().Start), End: n.Span().Start}, tail}
		start = tail.End
	}
	return list
}

// ownLines reports whether nothing else is on the lines of an item.
func (e *editor) ownLines(i item) bool {
	behind := e.text[i.tail.End:min(int(i.tail.End)+1, len(e.text))]
	return strings.Trim(e.text[e.lineStart(i.node.Span().Start):i.node.Span().Start], " \t") == "" && strings.Trim(behind, "\r\n") == ""
}

// remove removes an item, with its lines if they are its own, and a pragma above.
func (e *editor) remove(list []item, at int) {
	i := list[at]
	span := i.node.Span()
	if e.ownLines(i) {
		start := e.lineStart(span.Start)
		for start > i.lead.Start {
			above := e.lineStart(start - 1)
			if start >= 2 && e.text[start-2:start] == "\r\n" {
				above = e.lineStart(start - 2)
			}
			if !strings.HasPrefix(strings.TrimLeft(e.text[above:start], " \t"), "#disable-next-line") {
				break
			}
			start = above
		}
		e.replace(source.Span{Start: start, End: e.nextLine(i.tail.End)}, "")
		return
	}
	before := at
	for before > 0 && e.isGone(list[before-1]) {
		before--
	}
	switch {
	case slices.ContainsFunc(list[at+1:], func(next item) bool { return !e.isGone(next) }):
		span.End = list[at+1].lead.End
	case before > 0:
		span.Start = list[before-1].node.Span().End
	}
	e.replace(span, "")
}

// isGone reports whether an item is removed.
func (e *editor) isGone(i item) bool {
	at := e.from(i.node.Span().Start)
	return at < len(e.list) && e.list[at].text == "" && e.list[at].Contains(i.node.Span())
}

// cut returns an item for a place that is indented by to, as line does, and removes it with what belongs to it.
func (e *editor) cut(list []item, at int, to string) string {
	i := list[at]
	text := e.line(i, to)
	if e.ownLines(i) {
		e.replace(source.Span{Start: i.lead.Start, End: i.tail.End}, "")
	} else {
		e.remove(list, at)
	}
	return text
}

// swap puts a text, which is indented as the item is, in place of an item. Comments of the item that are neither in the text
// nor in what is put elsewhere come above it.
func (e *editor) swap(i item, text string, elsewhere ...string) {
	span, lost := i.node.Span(), ""
	kept := plain(text + strings.Join(elsewhere, ""))
	first, _ := slices.BinarySearchFunc(e.comments, span.Start, func(c source.Span, at int32) int { return int(c.Start - at) })
	for _, c := range e.comments[first:] {
		if c.Start >= span.End {
			break
		}
		if words := e.text[c.Start:c.End]; !strings.Contains(kept, plain(words)) {
			lost += words + e.eol + e.indent(span.Start)
		}
	}
	if lost != "" && !e.ownLines(i) {
		lost = e.eol + e.indent(span.Start) + lost
	}
	e.replace(span, lost+text)
}

// commented reports whether a comment is in a place.
func (e *editor) commented(at source.Span) bool {
	return slices.ContainsFunc(e.comments, func(c source.Span) bool { return at.Contains(c) && e.text[c.Start] == '/' })
}

// plain returns a text without its layout.
func plain(text string) string { return strings.Join(strings.Fields(text), " ") }

// several returns items in place of one.
func (e *editor) several(i item, lines []string) string {
	if e.ownLines(i) {
		return strings.Join(lines, e.eol+e.indent(i.node.Span().Start))
	}
	return strings.Join(lines, ", ")
}

// add puts a text on a line of its own after an item, indented as the item is.
func (e *editor) add(i item, text string) {
	if e.ownLines(i) {
		e.insert(i.tail.End, e.eol+e.indent(i.node.Span().Start)+text)
		return
	}
	e.insert(i.node.Span().End, ", "+text)
}

// block returns the text of an object or an array, on a line that is indented by at; open is its first brace. An item has
// the lines that the next level of indentation needs.
func (e *editor) block(open, at string, items []string) string {
	end := map[string]string{"{": "}", "[": "]"}[open]
	if len(items) == 0 {
		return open + end
	}
	var b strings.Builder
	b.WriteString(open + e.eol)
	for _, one := range items {
		b.WriteString(at + e.unit + one + e.eol)
	}
	b.WriteString(at + end)
	return b.String()
}

// inline returns what block does, on one line.
func (e *editor) inline(items []string) string { return "{ " + strings.Join(items, ", ") + " }" }

// lead returns the comments above an item, if there are any, for a place that is indented by to.
func (e *editor) lead(i item, from, to string) string {
	lead := strings.Trim(e.text[i.lead.Start:i.lead.End], " \t\r\n,")
	if lead == "" {
		return ""
	}
	return e.shift(lead, from, to) + e.eol + to
}

// line returns an item of an object as it is moved to a place that is indented by to: with the comments above and behind it.
func (e *editor) line(i item, to string) string {
	from := e.indent(i.node.Span().Start)
	text := e.lead(i, from, to) + e.moved(i.node, to)
	if tail := strings.Trim(e.text[i.tail.Start:i.tail.End], " \t,"); tail != "" {
		text += " " + tail
	}
	return text
}
