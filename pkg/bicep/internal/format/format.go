// Package format lays out Bicep files as the official formatter does: the same
// text, to the byte.
//
// A file is parsed; its tree and its tokens become documents (layout), which say
// where lines may be broken; and the documents are printed at a width (print).
// Nothing but the syntax counts. A statement with a syntax error is left as it is.
package format

import (
	"fmt"
	"slices"

	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Options say how a file is laid out.
type Options struct {
	Tabs         bool   // one tab a level instead of blanks
	IndentSize   int    // blanks a level
	Newline      string // the line end: "\n", "\r\n" or "\r"
	Width        int    // of a line, in UTF-16 code units
	FinalNewline bool   // ends the file with a line end
}

// Defaults are the options of a file without a configuration.
func Defaults() Options {
	return Options{IndentSize: 2, Newline: "\n", Width: 120, FinalNewline: true}
}

// MaxIndent is the largest indent; a larger one counts as this.
const MaxIndent = 1000

// Result is a text that was laid out.
type Result struct {
	Text string
	// Strings are the places of multi-line strings whose value the line ends
	// that were asked for change.
	Strings []source.Span
	// Broken are the places of tuples with decorated items that the layout has put
	// on one line, where a decorator cannot be. The official formatter does that.
	Broken []source.Span
}

// File lays out a .bicep file, or a .bicepparam file if params is set.
func File(file *source.File, params bool, o Options) Result {
	tree, tokens, diags := syntax.ParseTokens(file, params)
	l := &layout{text: file.Text, tokens: tokens, pragmas: tree.Pragmas, newline: o.Newline}
	p := &printer{width: max(o.Width, 0), newline: o.Newline, indent: "\t", out: make([]byte, 0, len(file.Text)+len(file.Text)/8+64)}
	if !o.Tabs {
		p.indent = fmt.Sprintf("%*s", min(max(o.IndentSize, 0), MaxIndent), "")
	}
	lines := topLines{printer: p}
	l.program(tree, diags, lines.add)
	if o.FinalNewline {
		p.out = append(p.out, o.Newline...)
	}
	r := Result{Text: string(p.out), Strings: l.changed}
	if len(l.decoratedTuple) > 0 {
		if _, _, after := syntax.ParseTokens(source.NewFile(file.Path, r.Text), params); len(after) > len(diags) {
			r.Broken = slices.Compact(l.decoratedTuple)
		}
	}
	return r
}

// topLines prints documents that begin a line each, with at most one blank line
// between two, and none at the ends of the file.
type topLines struct {
	printer *printer
	begun   bool
	line    bool // a line end of the source is after the last document
	blank   bool // a blank line belongs before the next document
}

func (t *topLines) add(list []*doc) {
	for _, d := range list {
		if d.isLine() {
			t.blank = t.blank || t.line || d == hard
			t.line = true
			continue
		}
		if t.begun {
			t.printer.line(0)
			if t.blank {
				t.printer.line(0)
			}
		}
		t.printer.print(0, d)
		t.begun, t.line, t.blank = true, false, false
	}
}
