// Package lower turns checked files into the tree of package ir. It replaces what the
// template language lacks: loop variables become indexes, variables with values that only
// the deployment knows are inlined, and expressions that move to another place get
// replacements for their local variables.
package lower

import (
	"github.com/radbicep/rad/pkg/bicep/internal/arena"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/flow"
	"github.com/radbicep/rad/pkg/bicep/internal/ir"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// Context is what lowering one file needs and what it finds out about it.
type Context struct {
	Model    *check.Model
	Flow     *flow.Analysis
	Settings flow.Settings

	functionVars map[syntax.Node]*FunctionVar
	orderedVars  []*FunctionVar
	imports      *Imports

	paths *pathFinder // of one declaration after the other
	nodes scratch     // what the file's expressions are made of
	bare  *Scope      // the last that is nothing but a kind

	inlining int // variables that are being written out where they are used
	inlined  int // the expressions that this has made so far
	err      error
}

// scratch makes the nodes that most of a template is made of.
type scratch struct {
	strings      arena.Scratch[ir.String]
	ints         arena.Scratch[ir.Int]
	interpolated arena.Scratch[ir.Interpolated]
	objects      arena.Scratch[ir.Object]
	properties   arena.Scratch[ir.Property]
	binaries     arena.Scratch[ir.Binary]
	ternaries    arena.Scratch[ir.Ternary]
	calls        arena.Scratch[ir.Call]
	accesses     arena.Scratch[ir.PropertyAccess]
	resources    arena.Scratch[ir.ResourceRef]
	params       arena.Scratch[ir.ParamRef]
	vars         arena.Scratch[ir.VarRef]
	exprs        arena.Scratch[ir.Expr]
	props        arena.Scratch[*ir.Property]
	arrays       arena.Scratch[ir.Array]
	decls        arena.Scratch[ir.ResourceDecl]
	dependencies arena.Scratch[ir.Dependency]
}

// reset gives up all nodes that have been made: the end of a turn of ir.Turns.
func (s *scratch) reset() {
	s.strings.Reset()
	s.ints.Reset()
	s.interpolated.Reset()
	s.objects.Reset()
	s.properties.Reset()
	s.binaries.Reset()
	s.ternaries.Reset()
	s.calls.Reset()
	s.accesses.Reset()
	s.resources.Reset()
	s.params.Reset()
	s.vars.Reset()
	s.exprs.Reset()
	s.props.Reset()
	s.arrays.Reset()
	s.decls.Reset()
	s.dependencies.Reset()
}

// maxInlined is how many expressions may come of variables that are written out
// where they are used. Each use doubles what its variable uses twice, so a few lines
// can make a template that fills the memory; the deployment engine takes 4 MB of text.
const maxInlined = 1 << 20

// TooLargeError says that a template would be larger than any engine takes.
type TooLargeError struct{ Var string }

func (e *TooLargeError) Error() string {
	return "the template would become too large: the variable " + e.Var +
		" is known only during the deployment, so it is written out wherever it is used; use it in fewer places"
}

// Err returns what kept the file from being lowered, or nil.
func (c *Context) Err() error { return c.err }

// inline lowers the value of a variable that cannot be in the template.
func (b *Builder) inline(v *bind.Var) ir.Expr {
	if b.err != nil {
		return &ir.Null{}
	}
	b.inlining++
	x := b.Expr(v.Stmt.Value)
	b.inlining--
	if b.inlined > maxInlined {
		b.err = &TooLargeError{v.Name()} // in the end, the outermost
	}
	return x
}

// ContextOf returns the context of a file. There is one for each model.
func ContextOf(m *check.Model) *Context {
	return check.Memo(m, func() *Context {
		f := flow.Analyze(m)
		c := &Context{Model: m, Flow: f, Settings: f.Settings()}
		c.findFunctionVars()
		return c
	})
}

// Imports returns what the file's imports bring into its template.
func (c *Context) Imports() *Imports {
	if c.imports == nil {
		c.imports = closureOf(c)
	}
	return c.imports
}

// Builder lowers the expressions of one file.
type Builder struct {
	*Context
	// locals are expressions that stand for local variables.
	locals *ir.Locals
	// moved are the locals among them that a move has replaced in the source itself:
	// see Moved.
	moved *env
}

// Builder returns a builder in which the given expressions stand for local variables.
func (c *Context) Builder(locals *ir.Locals) *Builder { return &Builder{Context: c, locals: locals} }

// IsPlain reports whether nothing stands for local variables.
func (b *Builder) IsPlain() bool { return b.locals == nil && b.moved == nil }

// InlinedNodes returns how many expressions the variables have become that were written
// out where they are used.
func (c *Context) InlinedNodes() int { return c.inlined }

// At returns a builder for what one element of a collection says about itself. A
// nil context leaves b as it is.
func (b *Builder) At(index *ir.IndexContext) *Builder {
	if index == nil {
		return b
	}
	return b.Builder(index.Locals)
}
