// Package syntax turns the text of .bicep and .bicepparam files into trees. It
// holds the lexer, the tree, the parser and the walker together, since each of
// them knows the others' shapes. It imports only source and diag.
//
// A tree never changes after parsing. Later stages keep what they learn about a node beside the
// tree, in slices indexed by the node's ID.
package syntax

import "github.com/radbicep/rad/pkg/bicep/source"

// ID numbers the nodes of one file, parents first, in the order of the text,
// densely from 0, so that facts about nodes can be kept in slices, and what is below a
// node has the numbers after its own. Names have no numbers of their own: the ID of an
// *Ident is that of the node that holds it.
type ID int32

// Node is a node of the tree. The concrete types are pointers to the structs of
// this package, and no others.
type Node interface {
	Span() source.Span
	ID() ID
	node() *base
}

// Stmt is a statement of a file: a declaration, or *Skipped for text that is not a statement.
type Stmt interface {
	Node
	stmt()
}

// Expr is an expression of the value language, or *Skipped.
type Expr interface {
	Node
	expr()
}

// TypeExpr is an expression of the type language, or *Skipped.
type TypeExpr interface {
	Node
	typeExpr()
}

type base struct {
	span   source.Span
	id     ID
	parent ID // the ID of the node around it, -1 for the file
}

func (b *base) Span() source.Span { return b.span }
func (b *base) ID() ID            { return b.id }
func (b *base) node() *base       { return b }

// Skipped is a part of the text that could not be understood. Code that meets one can
// be silent: the parser has reported it.
type Skipped struct{ base }

func (*Skipped) stmt()       {}
func (*Skipped) expr()       {}
func (*Skipped) typeExpr()   {}
func (*Skipped) objectItem() {}
func (*Skipped) typeMember() {}

// Ident is a name. Where a name is missing, Name is empty and the span is where
// it was expected.
type Ident struct {
	base
	Name string
}

// Valid reports whether there is a name.
func (i *Ident) Valid() bool { return i.Name != "" }

// File is the tree of one source file.
type File struct {
	base
	Source *source.File
	Params bool // a .bicepparam file
	Stmts  []Stmt
	End    source.Span // the end of the file, an empty span

	Pragmas []Pragma

	// By the IDs of nodes.
	nodes []Node
	ends  []ID // the ID after those of the nodes below
}

// Nodes returns the nodes of the tree, parents first, in the order of the text. The list
// must not be changed.
func (f *File) Nodes() []Node { return f.nodes }

// NodeCount returns how many nodes the tree has: IDs are below it.
func (f *File) NodeCount() int { return len(f.nodes) }

// Node returns the node with an ID.
func (f *File) Node(id ID) Node { return f.nodes[id] }

// After returns the ID after those of a node and of what is below it.
func (f *File) After(id ID) ID { return f.ends[id] }

// Parent returns the node around a node of the file, or nil for the file.
func (f *File) Parent(n Node) Node {
	if p := n.node().parent; p >= 0 {
		return f.nodes[p]
	}
	return nil
}

// PragmaKind tells the three comments apart that silence diagnostics.
type PragmaKind uint8

const (
	DisableNextLine PragmaKind = iota
	DisableDiagnostics
	RestoreDiagnostics
)

// Pragma is a line such as `#disable-next-line BCP081`.
type Pragma struct {
	Kind    PragmaKind
	Span    source.Span // from the # to the last code
	Keyword source.Span // the # and the word after it
	Codes   []PragmaCode
}

// PragmaCode is one code of a pragma.
type PragmaCode struct {
	Code string
	Span source.Span
}

// Decorator is `@name(args)` before a declaration or a member of a type.
type Decorator struct {
	base
	Expr Expr // *Call, *InstanceCall, or what was written instead
}

// Decorated is what may carry decorators.
type Decorated interface {
	Node
	DecoratorList() []*Decorator
}

type decorable struct{ Decorators []*Decorator }

func (d *decorable) DecoratorList() []*Decorator { return d.Decorators }
