package format

import (
	"strings"
	"unicode"
)

// printer writes documents. It decides for each group, when it comes to it,
// whether what is left of the line has room for it.
type printer struct {
	out     []byte
	blanks  []byte // held back until something follows them on the line
	used    int    // width of the line so far
	width   int
	indent  string
	newline string
	// commented is set after a // comment: what follows needs a new line.
	commented bool
	flat      []*doc // what groups are on one line, of which some are being printed
}

func (p *printer) line(level int) {
	p.out = append(p.out, p.newline...)
	p.blanks = p.blanks[:0]
	for range level {
		p.blanks = append(p.blanks, p.indent...)
	}
	p.used = len(p.indent) * level
	p.commented = false
}

func (p *printer) text(level int, d *doc) {
	p.used += d.width
	if strings.TrimLeftFunc(d.text, unicode.IsSpace) == "" {
		p.blanks = append(p.blanks, d.text...)
		return
	}
	if p.commented {
		p.line(level)
		p.used += d.width
	}
	p.out = append(p.out, p.blanks...)
	p.blanks = p.blanks[:0]
	p.out = append(p.out, d.text...)
	p.commented = d.kind == suffix || d.kind == comment
}

func (p *printer) print(level int, d *doc) {
	switch d.kind {
	case text, choice, comment, suffix:
		p.text(level, d)
	case line, softLine, hardLine:
		p.line(level)
	case glue, tail:
		p.all(level, d.parts)
	case indent:
		p.all(level+1, d.parts)
	case group:
		begin := len(p.flat)
		rest := p.width - p.used
		if f := (fit{list: p.flat, rest: rest}); rest >= 0 && f.add(d) {
			p.flat = f.list
			for i, end := begin, len(p.flat); i < end; i++ {
				p.print(level, p.flat[i])
			}
		} else {
			p.all(level, d.parts)
		}
		p.flat = p.flat[:begin]
	}
}

func (p *printer) all(level int, list []*doc) {
	for _, d := range list {
		p.print(level, d)
	}
}

// fit lists what a group is on one line, as long as there is room.
type fit struct {
	list      []*doc
	rest      int
	tailed    bool // after the tail of a call, which breaks the line, width does not count
	commented bool
}

var (
	flatSpace = space
	flatComma = &doc{kind: text, text: ", ", width: 2}
)

// add appends a document in the form of one line. It returns false if that does not
// fit, or if the document has no such form.
func (f *fit) add(d *doc) bool {
	switch d.kind {
	case glue, indent, group:
		for _, p := range d.parts {
			if !f.add(p) {
				return false
			}
		}
		return true
	case softLine, hardLine:
		return false
	case line, choice:
		switch d.flat {
		case "":
			return true
		case " ":
			d = flatSpace
		default:
			d = flatComma
		}
	}
	if f.commented && strings.TrimSpace(d.text) != "" || f.commented && d.kind == tail {
		return false // it would become part of the comment
	}
	f.commented = f.commented || d.kind == suffix || d.kind == comment
	if !f.tailed {
		f.rest -= d.width
		if f.rest < 0 {
			return false
		}
	}
	f.tailed = f.tailed || d.kind == tail
	f.list = append(f.list, d)
	return true
}
