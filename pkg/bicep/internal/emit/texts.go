package emit

import (
	"bytes"
	"slices"
	"sync"
	"unsafe"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/templatehash"
)

// Texts are the templates of modules, which a later run of the compiler uses again.
type Texts struct {
	of          map[*graph.File]*Text
	size, limit int
	lengths     map[string]int // of templates that have been forgotten, by the paths of their files
}

// Retain forgets the templates of files that are not in a program: question 3 at the top of
// pkg/bicep/workspace.go.
func (t *Texts) Retain(p *graph.Program) {
	t.lengths = map[string]int{}
	for f, text := range t.of {
		if f.Index >= len(p.Files) || p.Files[f.Index] != f {
			delete(t.of, f)
			t.size -= len(text.bytes)
			t.lengths[f.Path] = len(text.bytes)
		}
	}
}

// add keeps a template, unless all kept templates would exceed the limit: each contains those of
// its own modules.
func (t *Texts) add(f *graph.File, text *Text) {
	if t == nil || t.size+len(text.bytes) > t.limit {
		return
	}
	if t.of == nil {
		t.of = map[*graph.File]*Text{}
	}
	text.bytes = slices.Clip(text.bytes) // several results may have it
	t.of[f] = text
	t.size += len(text.bytes)
}

// get returns the template of a file, or nil.
func (t *Texts) get(f *graph.File) *Text {
	if t == nil {
		return nil
	}
	return t.of[f]
}

// lastLength returns how long the template of a file was in the run before, or 0.
func (t *Texts) lastLength(f *graph.File) int {
	if t == nil {
		return 0
	}
	return t.lengths[f.Path]
}

// Reuse has the emitter take the templates of modules from texts, and put there those that
// it writes. All together are at most a few times as large as the sources.
func (e *Emitter) Reuse(texts *Texts) {
	texts.limit = 1 << 20
	for _, f := range e.program.Graph.Files {
		texts.limit += 4 * len(f.Source.Text)
	}
	e.texts = texts
}

// # Templates in templates
//
// A template holds those of its modules, and these those of theirs. Each is further to the right than where it was
// written first. To move the text at each level would take as many copies of the innermost template as there are
// levels, each with longer lines.
//
// So a template that holds others and is held by one is not moved. The templates in it are flat: they have their
// lines, and no indentation (flatText). Into the next one it is copied flat as a whole, and only the template
// around all of them indents what it holds (appendIndented). A line that ends with { or [ opens a level, and one
// that begins with } or ] closes one, since strings have no line ends. With the module m in the module n:
//
//	n, as it is kept       what another module copies    the outermost template
//	{                      {                               {
//	  "template": {        "template": {                     "template": {
//	"x": 1                 "x": 1                              "x": 1
//	}                      }                                 }
//	}                      }                               }
//
// The hash of a template reads its indentation. What is flat in it is a known part (hashedParts). How long a text
// becomes is known before it is written (sizeAt).

// Text is the text of a template. If it is kept, so is what was found out about it, because
// the template that holds it is written, hashed and read whenever another module changes.
type Text struct {
	bytes  []byte
	parts  []part
	module bool // the parts are flat

	flat   []byte // without indentation, once it was asked for
	lines  int    // that end in flat
	levels int    // those of all lines but the first

	hashed  []byte // what is hashed of it as a module
	shifted []byte // as it was last written into a template that is no module
	depth   int    // that of shifted

	once   sync.Once
	parsed *armjson.Parsed // nil if it is none that can be parsed
}

// part is a place in a text where the template of a module is.
type part struct {
	start, end int
	depth      int
	text       *Text
}

// newText returns the text that was written. Its parts have moved since by a number of bytes.
func newText(w *writer, shift int) *Text {
	t := &Text{bytes: w.buf, parts: w.parts, module: w.inner && len(w.parts) > 0}
	for i := range t.parts {
		p := &t.parts[i]
		p.start += shift
		p.end += shift
		if !w.inner {
			p.text.shifted, p.text.depth = t.bytes[p.start:p.end:p.end], p.depth
		}
	}
	return t
}

// forget drops what nobody asks for once the template around it has been hashed.
func (t *Text) forget() {
	t.parts = nil
	if t.module {
		t.flatText()
		t.bytes = nil
	}
}

// nested writes the template of a module.
func (w *writer) nested(t *Text) {
	start, depth := len(w.buf), len(w.frames)
	switch {
	case w.inner:
		w.buf = append(w.buf, t.flatText()...)
	case t.shifted != nil && t.depth == depth:
		w.buf = append(w.buf, t.shifted...)
	case start+t.sizeAt(depth) > maxTemplate:
		w.tooLarge = true
		return
	default:
		w.buf = t.appendAt(w.buf, depth)
	}
	if w.inner || w.emitter.texts != nil {
		w.parts = append(w.parts, part{start, len(w.buf), depth, t})
	}
}

// flatText returns the text without indentation.
func (t *Text) flatText() []byte {
	if t.flat != nil {
		return t.flat
	}
	t.flat = make([]byte, 0, len(t.bytes))
	for line := range bytes.Lines(t.bytes) {
		t.flat = append(t.flat, bytes.TrimLeft(line, " ")...)
	}
	eachLine(t.flat, 0, func(line []byte, depth int) {
		if depth >= 0 {
			t.lines++
			t.levels += depth
		}
	})
	return t.flat
}

// sizeAt returns how long the text becomes at a level of another one.
func (t *Text) sizeAt(depth int) int {
	if !t.module {
		return len(t.bytes) + 2*depth*bytes.Count(t.bytes, newline)
	}
	flat := t.flatText()
	return len(flat) + 2*(t.levels+depth*t.lines)
}

// appendAt writes the text at a level.
func (t *Text) appendAt(dst []byte, depth int) []byte {
	if n := len(dst) + t.sizeAt(depth); cap(dst) < n {
		grown := make([]byte, len(dst), max(n+n/16, 2*cap(dst)))
		copy(grown, dst)
		dst = grown
	}
	if t.module {
		return appendIndented(dst, t.flatText(), depth)
	}
	return appendShifted(dst, t.bytes, depth)
}

var newline = []byte{'\n'}

// eachLine calls yield with the lines of a flat text, which begins at a level, and the level of the line after
// each. That is -1 after the last.
func eachLine(text []byte, depth int, yield func(line []byte, next int)) {
	for {
		i := bytes.IndexByte(text, '\n')
		if i < 0 {
			yield(text, -1)
			return
		}
		line := text[:i]
		text = text[i+1:]
		if i > 0 && (line[i-1] == '{' || line[i-1] == '[') {
			depth++
		}
		if len(text) > 0 && (text[0] == '}' || text[0] == ']') {
			depth--
		}
		yield(line, depth)
	}
}

// appendIndented writes a flat text at a level.
func appendIndented(dst, flat []byte, depth int) []byte {
	eachLine(flat, depth, func(line []byte, next int) {
		dst = append(dst, line...)
		if next >= 0 {
			dst = armjson.AppendNewline(dst, armjson.Indented, next)
		}
	})
	return dst
}

// appendShifted writes an indented text at a level.
func appendShifted(dst, text []byte, depth int) []byte {
	for {
		i := bytes.IndexByte(text, '\n')
		if i < 0 {
			return append(dst, text...)
		}
		dst = append(dst, text[:i]...)
		dst = armjson.AppendNewline(dst, armjson.Indented, depth)
		text = text[i+1:]
	}
}

// hashedParts says what is known of the hashes of parts.
func hashedParts(parts []part) []templatehash.Known {
	list := make([]templatehash.Known, len(parts))
	for i, p := range parts {
		if p.text.hashed == nil {
			p.text.hashed = templatehash.Nested(p.text.bytes, hashedParts(p.text.parts)...)
		}
		list[i] = templatehash.Known{Start: p.start, End: p.end, Hashed: p.text.hashed}
	}
	return list
}

// Bytes returns the text.
func (t *Text) Bytes() []byte { return t.bytes }

// Parse returns the value of the text. The values of modules are those of earlier runs, so
// no part of it may be changed. It returns nil if the text is not one that can be parsed.
func (t *Text) Parse(o armjson.Options) *armjson.Parsed {
	var known []armjson.Known
	for _, p := range t.parts {
		p.text.once.Do(func() { p.text.parsed = p.text.Parse(o) })
		if p.text.parsed != nil {
			known = append(known, armjson.Known{Start: p.start, End: p.end, Value: p.text.parsed})
		}
	}
	o.Known = known
	text := unsafe.String(unsafe.SliceData(t.bytes), len(t.bytes)) // the bytes are not written to any more
	parsed, err := armjson.ParseKnown(text, o)
	if err != nil {
		return nil
	}
	return &parsed
}
