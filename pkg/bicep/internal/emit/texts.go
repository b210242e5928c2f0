package emit

import (
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

// Text is the text of a template. If it is kept, so is what was found out about it, because
// the template that holds it is written, hashed and read whenever another module changes.
type Text struct {
	bytes []byte
	parts []part

	hashed  []byte // what is hashed of it as a module
	shifted []byte // as it was last written into another template
	indent  int    // that of shifted

	once   sync.Once
	parsed *armjson.Parsed // nil if it is none that can be parsed
}

// part is a place in a text where the template of a module is.
type part struct {
	start, end int
	indent     int
	text       *Text
}

// newText returns a text of whose parts shift says how far they moved since they were written.
func newText(bytes []byte, parts []part, shift int) *Text {
	for i := range parts {
		p := &parts[i]
		p.start += shift
		p.end += shift
		p.text.shifted, p.text.indent = bytes[p.start:p.end:p.end], p.indent
	}
	return &Text{bytes: bytes, parts: parts}
}

// nested writes the template of a module.
func (w *writer) nested(t *Text) {
	start, indent := len(w.buf), 2*len(w.frames)
	if t.shifted != nil && t.indent == indent {
		w.buf = append(w.buf, t.shifted...)
	} else {
		w.text(t.bytes)
	}
	if w.emitter.texts != nil {
		w.parts = append(w.parts, part{start, len(w.buf), indent, t})
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
