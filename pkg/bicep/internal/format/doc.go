package format

import "unicode/utf8"

// kind tells the documents apart.
type kind uint8

const (
	text     kind = iota
	choice        // text where the group around it is broken, flat where it is not
	comment       // a // comment on its own line: nothing can follow it
	suffix        // a // comment after other text; it takes no width
	line          // a line end where the group around it is broken, flat where it is not
	softLine      // a line end of the source, which may vanish
	hardLine      // a blank line of the source
	glue          // parts side by side
	indent        // parts one level deeper
	group         // parts on one line if they fit, else with their lines broken
	tail          // the last argument of a call, which may be broken though the call is not
)

// doc is a document: text, and how it may be laid out. Documents are built
// bottom up and printed once.
type doc struct {
	kind  kind
	width int // of the text, in UTF-16 code units, as the official formatter counts
	text  string
	flat  string
	parts []*doc
}

var (
	space       = &doc{kind: text, text: " ", width: 1}
	empty       = &doc{kind: text}
	comma       = &doc{kind: text, text: ",", width: 1}
	pipe        = &doc{kind: text, text: "| ", width: 2}
	leadingPipe = &doc{kind: choice, text: "| ", width: 2}
	soft        = &doc{kind: softLine}
	hard        = &doc{kind: hardLine}
	lineOrEmpty = &doc{kind: line}
	lineOrSpace = &doc{kind: line, flat: " "}
	lineOrComma = &doc{kind: line, flat: ", "}
)

func (d *doc) isLine() bool { return d.kind == line || d.kind == softLine || d.kind == hardLine }

func (d *doc) container() bool { return d.kind >= glue }

// endsInComment reports whether a // comment is at the end of a container.
func (d *doc) endsInComment() bool {
	for d.container() {
		d = d.parts[len(d.parts)-1]
	}
	return d.kind == suffix
}

// textWidth counts UTF-16 code units.
func textWidth(s string) int {
	n := 0
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			i++
			n++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		n++
		if r >= 0x10000 {
			n++
		}
	}
	return n
}

// trim drops the lines at both ends.
func trim(list []*doc) []*doc {
	for len(list) > 0 && list[0].isLine() {
		list = list[1:]
	}
	for len(list) > 0 && list[len(list)-1].isLine() {
		list = list[:len(list)-1]
	}
	return list
}

// collapse drops single line ends, and makes one blank line of several line ends
// in a row. It works in place, and returns how many blank lines remain as well.
func collapse(list []*doc) (out []*doc, blankLines int) {
	out = list[:0]
	var last *doc // the line before, if what came last is one
	for _, d := range list {
		switch {
		case d == soft && last == nil:
			last = soft
		case d == soft || d == hard:
			if last != hard {
				out = append(out, hard)
				blankLines++
			}
			last = hard
		default:
			out = append(out, d)
			last = nil
		}
	}
	return out, blankLines
}

// separated appends a list with a separator between neighbours, but not after a
// blank line.
func separated(out, list []*doc, separator *doc) []*doc {
	for i, d := range list {
		if i > 0 && list[i-1] != hard {
			out = append(out, separator)
		}
		out = append(out, d)
	}
	return out
}

// flatten appends a document in the form of one line. It returns false if it has no
// such form.
func flatten(out []*doc, d *doc) ([]*doc, bool) {
	switch d.kind {
	case softLine, hardLine, comment:
		return out, false
	case choice, line:
		if d.flat == "" {
			return out, true
		}
		return append(out, &doc{kind: text, text: d.flat, width: len(d.flat)}), true
	case glue, indent, group:
		ok := true
		for _, p := range d.parts {
			if out, ok = flatten(out, p); !ok {
				return out, false
			}
		}
		return out, true
	}
	return append(out, d), true
}
