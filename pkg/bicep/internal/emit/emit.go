// Package emit writes templates: it turns the intermediate form of package ir into the text that
// Azure Resource Manager and Radius read. Begin with New and Emitter.Template.
//
// A template is written front to back into one buffer. The template of a module is written once,
// however often the module is used, and copied to each place. The package decides nothing about
// types or names: lower has done that.
package emit

import (
	"fmt"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/ir"
	"github.com/radbicep/rad/pkg/bicep/internal/lower"
	"github.com/radbicep/rad/pkg/bicep/internal/resources"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/templatehash"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Emitter writes the templates of one program.
type Emitter struct {
	program *check.Program
	version string // of the generator, as it is in the templates
	done    map[*graph.File]*Text
	uses    map[*graph.File]int // how many modules that are yet to be written have this template

	texts *Texts // of an earlier run; nil if they are not kept
}

// New returns an emitter for a program that has no errors.
func New(p *check.Program, generatorVersion string) *Emitter {
	e := &Emitter{program: p, version: generatorVersion, done: map[*graph.File]*Text{}, uses: map[*graph.File]int{}}
	for _, f := range p.Graph.Files {
		for _, ref := range f.References {
			if _, ok := ref.Stmt.(*syntax.Module); ok && ref.File != nil {
				e.uses[ref.File]++
			}
		}
	}
	return e
}

// used drops the text of a module's template after its last use: each template contains those of
// its modules, so all of them may be far larger than the last.
func (e *Emitter) used(f *graph.File) {
	if e.uses[f]--; e.uses[f] <= 0 {
		delete(e.done, f)
	}
}

// Text returns the text of the template that a file is or becomes. The error is a
// *TooLargeError or an *UnfitTypeError. Any other error is a bug of the compiler, because the
// program was checked.
func (e *Emitter) Text(f *graph.File) (*Text, error) {
	t, err := e.text(f, false)
	if err == nil && t.module {
		t = &Text{bytes: t.appendAt(nil, 0)}
	}
	return t, err
}

// text returns the text of a template. That of a module is not as it is printed: see texts.go.
func (e *Emitter) text(f *graph.File, module bool) (*Text, error) {
	if t, ok := e.done[f]; ok {
		if t == nil {
			return nil, fmt.Errorf("%s is a module of itself", f.Path)
		}
		return t, nil
	}
	if t := e.texts.get(f); t != nil {
		return t, nil
	}
	e.done[f] = nil
	t, err := e.write(f, module)
	if err != nil {
		return nil, err
	}
	e.done[f] = t
	e.texts.add(f, t)
	return t, nil
}

func (e *Emitter) write(f *graph.File, module bool) (*Text, error) {
	switch f.Kind {
	case graph.ARMTemplate:
		return &Text{bytes: armjson.Append(nil, f.Template, armjson.Indented)}, nil
	case graph.TemplateSpec:
		p := printer{}
		p.uniqueObject()
		p.stringMember("id", f.TemplateID)
		p.end()
		return &Text{bytes: p.buf}, nil
	}
	m := e.program.Model(f)
	ctx := lower.ContextOf(m)
	w := &writer{
		printer:   printer{buf: make([]byte, 0, e.roomFor(f, ctx))},
		converter: converter{b: ctx.Builder(nil), file: newFile(ctx)},
		emitter:   e,
		features:  m.Features(),
		local:     m.TargetScope() == types.ScopeLocal,
		inner:     module,
	}
	program := w.b.Program()
	if ctx.Err() == nil {
		w.template(program)
	}
	if err := ctx.Err(); err != nil || w.tooLarge || len(w.buf) > maxTemplate {
		return nil, &TooLargeError{f, err}
	}
	if w.err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, w.err)
	}
	if w.unfit != nil {
		if !ctx.Imports().FromARM() {
			return nil, fmt.Errorf("%s: no template can hold %s", f.Path, w.unfit.Reason)
		}
		w.unfit.File = f
		return nil, w.unfit
	}
	t := w.hashed()
	if t.module && t.sizeAt(0) > maxTemplate {
		return nil, &TooLargeError{f, nil}
	}
	return t, nil
}

// roomFor estimates how long a template becomes. With many resources, the first of them show it,
// and the buffer grows then.
func (e *Emitter) roomFor(f *graph.File, ctx *lower.Context) int {
	if last := e.texts.lastLength(f); last > 0 {
		return last + last/16 + 256
	}
	if len(ctx.Flow.Resources.Declared()) >= manyResources {
		return 64 << 10
	}
	return max(4096, 5*len(f.Source.Text)/2)
}

const (
	manyResources  = 1000
	firstResources = 50
)

// UnfitTypeError says that a type of an ARM template cannot be declared in the
// template that imports it. Most of them are found when types are checked, but not
// what is imported and not used.
type UnfitTypeError struct {
	File   *graph.File
	Span   source.Span // of the import, if that is known
	Reason string
}

func (e *UnfitTypeError) Error() string { return e.Reason + " cannot be declared" }

// TooLargeError says that a template would be larger than any deployment can be: expressions that
// have to be repeated where they are used grow with each use.
type TooLargeError struct {
	File *graph.File
	Err  error // of lowering, if that is where it was seen
}

func (e *TooLargeError) Error() string { return "the template would be too large" }

func (e *TooLargeError) Unwrap() error { return e.Err }

// The limits are far beyond the engine's, which takes templates of 4 MB and
// expressions of 24,576 characters.
const (
	maxTemplate = 64 << 20 // bytes
	maxNodes    = 1 << 20  // of one expression
)

// writer writes one template.
type writer struct {
	printer
	converter
	emitter  *Emitter
	features *config.Features
	local    bool // the target scope is local
	inner    bool // another template holds this one
	types    map[string]*ir.TypeDecl
	hashAt   int // where the hash goes
}

// hashed returns the text with the hash of what was written before.
func (w *writer) hashed() *Text {
	hash := templatehash.Sum(w.buf, hashedParts(w.parts)...)
	if w.emitter.texts == nil {
		for _, p := range w.parts {
			p.text.forget()
		}
	}
	member := make([]byte, 0, 64)
	member = append(member, ',')
	member = armjson.AppendNewline(member, armjson.Indented, 3)
	member = append(member, `"templateHash": "`...)
	member = append(append(member, hash...), '"')
	n := len(w.buf)
	w.buf = append(w.buf, member...)
	copy(w.buf[w.hashAt+len(member):], w.buf[w.hashAt:n])
	copy(w.buf[w.hashAt:], member)
	return newText(w, len(member))
}

// converter turns expressions into those of the template language.
type converter struct {
	b *lower.Builder
	*file
}

// file is what converters of one file have in common.
type file struct {
	model    *check.Model
	ctx      *lower.Context
	symbolic bool
	err      error
	unfit    *UnfitTypeError // the first type that no template can hold

	nodes    int // of the expression that is being converted
	tooLarge bool

	make  *armexpr.Maker
	kept  *armexpr.Maker                // makes the values of named, which are kept longer than the others
	named map[*resources.Resource]names // outside of loops, whose variables change what a name becomes
}

func newFile(ctx *lower.Context) *file {
	return &file{model: ctx.Model, ctx: ctx, symbolic: ctx.Settings.Symbolic, make: &armexpr.Maker{}, kept: &armexpr.Maker{}}
}

// at returns the converter for the expressions of one element of a collection, in which the
// variables of the loop are replaced.
func (c *converter) at(index *ir.IndexContext) *converter {
	if index == nil {
		return c
	}
	return &converter{b: c.b.At(index), file: c.file}
}
