package format

import (
	"sort"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// remark is a comment or a pragma.
type remark struct {
	text string
	line bool // a // comment
}

// remarks returns the comments and pragmas between a token and the one before.
func (l *layout) remarks(i int) []remark {
	pos := int32(0)
	if i > 0 {
		pos = l.tokens[i-1].Span.End
	}
	end := l.tokens[i].Span.Start
	var list []remark
	for pos < end {
		rest := l.text[pos:end]
		switch {
		case strings.HasPrefix(rest, "//"):
			list = append(list, remark{rest, true})
			return list
		case strings.HasPrefix(rest, "/*"):
			n := len(rest)
			if j := strings.Index(rest[2:], "*/"); j >= 0 {
				n = j + 4
			}
			// The end of a comment that is not closed is the end of the file.
			list = append(list, remark{text: l.uniform(strings.TrimRight(rest[:n], "\r\n"))})
			pos += int32(n)
		case rest[0] == '#':
			p := l.pragma(pos)
			if p == nil {
				return list
			}
			list = append(list, remark{text: l.pragmaText(p)})
			pos = p.Span.End
		default:
			pos++
		}
	}
	return list
}

// pragma returns the pragma that begins at an offset.
func (l *layout) pragma(at int32) *syntax.Pragma {
	i := sort.Search(len(l.pragmas), func(i int) bool { return l.pragmas[i].Span.Start >= at })
	if i < len(l.pragmas) && l.pragmas[i].Span.Start == at && l.pragmas[i].Span.End > at {
		return &l.pragmas[i]
	}
	return nil
}

func (l *layout) pragmaText(p *syntax.Pragma) string {
	text := l.text[p.Keyword.Start:p.Keyword.End] + " "
	for i, c := range p.Codes {
		if i > 0 {
			text += " "
		}
		text += c.Code
	}
	return text
}

// blank reports whether nothing but blanks is between a token and the one before.
func (l *layout) blank(i int) bool {
	pos := int32(0)
	if i > 0 {
		pos = l.tokens[i-1].Span.End
	}
	for ; pos < l.tokens[i].Span.Start; pos++ {
		if c := l.text[pos]; c != ' ' && c != '\t' {
			return false
		}
	}
	return true
}

// leading returns what is before a token and belongs to it.
func (l *layout) leading(i int) []*doc {
	if i > 0 && l.tokens[i-1].Sticky || l.blank(i) {
		return nil
	}
	var docs []*doc
	for _, r := range l.remarks(i) {
		k := text
		if r.line {
			k = comment
			l.breaks++
		}
		docs = append(docs, l.new(doc{kind: k, text: r.text, width: textWidth(r.text)}))
	}
	return docs
}

// trailing returns the block comments after a token that belong to it, and the
// // comment, if there is one.
func (l *layout) trailing(i int) (list []*doc, end *doc) {
	if !l.tokens[i].Sticky || i+1 >= len(l.tokens) || l.blank(i+1) {
		return nil, nil
	}
	for _, r := range l.remarks(i + 1) {
		if r.line {
			l.breaks++
			end = l.new(doc{kind: suffix, text: " " + r.text})
		} else {
			list = append(list, l.plain(r.text))
		}
	}
	return list, end
}

// lineComment reports whether a // comment belongs to a token and comes after it.
func (l *layout) lineComment(i int) bool {
	if !l.tokens[i].Sticky || i+1 >= len(l.tokens) || l.blank(i+1) {
		return false
	}
	list := l.remarks(i + 1)
	return len(list) > 0 && list[len(list)-1].line
}

// uniform gives the lines of a text the ends that are asked for.
func (l *layout) uniform(s string) string {
	if strings.IndexByte(s, '\r') < 0 && (l.newline == "\n" || strings.IndexByte(s, '\n') < 0) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\r' && i+1 < len(s) && s[i+1] == '\n':
			i++
			b.WriteString(l.newline)
		case c == '\r', c == '\n':
			b.WriteString(l.newline)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// blankLine reports whether a text of line ends holds more than one.
func blankLine(s string) bool { return len(strings.Replace(s, "\r\n", "\n", 1)) > 1 }
