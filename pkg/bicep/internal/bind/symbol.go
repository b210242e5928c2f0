package bind

import (
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Symbol is what a name stands for. The concrete types are pointers to the
// structs of this package, and no others.
type Symbol interface {
	Name() string
	Kind() Kind
	symbol()
}

// Kind names kinds of symbols as messages do.
type Kind string

const (
	KindError           Kind = "Error"
	KindParameter       Kind = "Parameter"
	KindVariable        Kind = "Variable"
	KindResource        Kind = "Resource"
	KindModule          Kind = "Module"
	KindTest            Kind = "Test"
	KindAssert          Kind = "Assert"
	KindOutput          Kind = "Output"
	KindMetadata        Kind = "Metadata"
	KindNamespace       Kind = "Namespace"
	KindImported        Kind = "ImportedNamespace"
	KindFunction        Kind = "Function"
	KindLocal           Kind = "Local"
	KindTypeAlias       Kind = "TypeAlias"
	KindParamAssignment Kind = "ParameterAssignment"
	KindExtensionConfig Kind = "ExtensionConfigAssignment"
	KindBaseParameters  Kind = "BaseParameters"
)

// IsLoop reports whether a symbol is a resource or module that a loop declares.
func IsLoop(s Symbol) bool {
	switch s := s.(type) {
	case *Resource:
		return syntax.IsLoop(s.Stmt.Value)
	case *Module:
		return syntax.IsLoop(s.Stmt.Value)
	}
	return false
}

// Declared is a symbol that a statement or another node of a file declares.
type Declared interface {
	Symbol
	Decl() syntax.Node     // the node that declares it
	NameSpan() source.Span // where its name is
	NameValid() bool       // false where the name is missing
	Binding() *Binding     // of the file that declares it
	base() *declared
}

type symbolName struct{ name string }

func (n *symbolName) Name() string { return n.name }
func (*symbolName) symbol()        {}

type declared struct {
	symbolName
	node    syntax.Node
	span    source.Span
	binding *Binding
	number  uint32 // among the symbols of the binding; 0 if none has been given
	order   int32  // its place among the declarations in which cycles are looked for, from 1
	valid   bool
}

func (d *declared) base() *declared { return d }

func (d *declared) Decl() syntax.Node     { return d.node }
func (d *declared) NameSpan() source.Span { return d.span }
func (d *declared) NameValid() bool       { return d.valid }
func (d *declared) Binding() *Binding     { return d.binding }

// stated is what all symbols have in common that a statement declares.
type stated[S syntax.Node] struct {
	declared
	Stmt S
}

func stateOf[S syntax.Node](d *declarer, name *syntax.Ident, stmt S) stated[S] {
	return stated[S]{d.newDeclared(name, stmt), stmt}
}

// Param is a parameter.
type Param struct{ stated[*syntax.Param] }

// Var is a variable.
type Var struct{ stated[*syntax.Var] }

// TypeAlias is a declared type.
type TypeAlias struct{ stated[*syntax.TypeDecl] }

// Func is a function that the file declares.
type Func struct{ stated[*syntax.Func] }

// Resource is a resource, at the top level or nested.
type Resource struct{ stated[*syntax.Resource] }

// Module is a module.
type Module struct{ stated[*syntax.Module] }

// Test is a test.
type Test struct{ stated[*syntax.Test] }

// Output is an output. It cannot be referred to.
type Output struct{ stated[*syntax.Output] }

// Assert is an assertion.
type Assert struct{ stated[*syntax.Assert] }

// Metadata is a metadata statement. It cannot be referred to.
type Metadata struct{ stated[*syntax.Metadata] }

// ParamAssign is an assignment of a parameter file.
type ParamAssign struct{ stated[*syntax.ParamAssign] }

// ExtensionConfig is a configuration of an extension in a parameter file.
type ExtensionConfig struct {
	stated[*syntax.ExtensionConfig]
}

// BaseParams is what `base` means in a file that extends others.
type BaseParams struct {
	declared
	Parents []*ParamAssign
}

// ExtensionNamespace is the namespace of an `extension` statement.
type ExtensionNamespace struct {
	declared
	Stmt *syntax.Extension
	Type types.Type // *types.Namespace, or *types.Error with what is wrong
}

// BuiltInNamespace is a namespace that needs no declaration.
type BuiltInNamespace struct {
	symbolName
	Type types.Type // *types.Namespace, or *types.Error with what is wrong
}

// LocalThis is `this` in the body of a resource that is not existing.
type LocalThis struct {
	declared
	Resource *syntax.Resource
	Type     types.Type
}

// LocalKind tells where a local symbol is declared.
type LocalKind uint8

const (
	ForItem LocalKind = iota
	ForIndex
	LambdaItem
)

// Local is the variable of a loop or the parameter of a lambda or function.
type Local struct {
	declared
	Node *syntax.Local
	Var  LocalKind
}

// imported is what all symbols have in common that an import list names.
type imported struct {
	declared
	Item     *syntax.ImportItem
	Stmt     *syntax.Import
	Original string // the name in the file that is imported from
	From     Exporter
	Export   *Export
}

// Imported is a symbol that an import list names.
type Imported interface {
	Declared
	ImportItem() *syntax.ImportItem
	ImportStmt() *syntax.Import
	OriginalName() string
	Source() Exporter
	Exported() *Export
}

func (i *imported) ImportItem() *syntax.ImportItem { return i.Item }
func (i *imported) ImportStmt() *syntax.Import     { return i.Stmt }
func (i *imported) OriginalName() string           { return i.Original }
func (i *imported) Source() Exporter               { return i.From }
func (i *imported) Exported() *Export              { return i.Export }

// ImportedType, ImportedVar and ImportedFunc are symbols of an import list.
type (
	ImportedType struct{ imported }
	ImportedVar  struct{ imported }
	ImportedFunc struct{ imported }
)

// WildcardImport is the namespace of `import * as name`.
type WildcardImport struct {
	declared
	Node *syntax.WildcardImport
	Stmt *syntax.Import
	From Exporter
}

// ErroredImport stands for an imported name that could not be imported.
type ErroredImport struct {
	declared
	Problems diag.List
}

// WildcardFunc is a function of a wildcard import: the `f` of `ns.f()`.
type WildcardFunc struct {
	symbolName
	Import *WildcardImport
	Export *Export
}

// NewWildcardFunc returns the symbol of a function of a wildcard import.
func NewWildcardFunc(w *WildcardImport, e *Export) *WildcardFunc {
	return &WildcardFunc{symbolName: symbolName{e.Name}, Import: w, Export: e}
}

// Function is a function that a namespace offers.
type Function struct {
	symbolName
	Func      *types.Function
	Namespace *types.Namespace
}

// NewFunction returns the symbol of a function that a namespace or an object
// offers. The checker makes those of functions that are called on a value.
func NewFunction(f *types.Function, ns *types.Namespace) *Function {
	return &Function{symbolName: symbolName{f.Name}, Func: f, Namespace: ns}
}

// AmbientType is a type that a namespace offers, such as string.
type AmbientType struct {
	symbolName
	Type      types.Type // a *types.TypeType
	Namespace *types.Namespace
}

// ErrorSymbol stands for a name that means nothing. Its diagnostic, if it has
// one, is reported where the name is used.
type ErrorSymbol struct {
	symbolName
	Diagnostic *diag.Diagnostic
}

func (*Param) Kind() Kind              { return KindParameter }
func (*Var) Kind() Kind                { return KindVariable }
func (*TypeAlias) Kind() Kind          { return KindTypeAlias }
func (*Func) Kind() Kind               { return KindFunction }
func (*Resource) Kind() Kind           { return KindResource }
func (*Module) Kind() Kind             { return KindModule }
func (*Test) Kind() Kind               { return KindTest }
func (*Output) Kind() Kind             { return KindOutput }
func (*Assert) Kind() Kind             { return KindAssert }
func (*Metadata) Kind() Kind           { return KindMetadata }
func (*ParamAssign) Kind() Kind        { return KindParamAssignment }
func (*ExtensionConfig) Kind() Kind    { return KindExtensionConfig }
func (*BaseParams) Kind() Kind         { return KindBaseParameters }
func (*ExtensionNamespace) Kind() Kind { return KindImported }
func (*BuiltInNamespace) Kind() Kind   { return KindNamespace }
func (*LocalThis) Kind() Kind          { return KindLocal }
func (*Local) Kind() Kind              { return KindLocal }
func (*ImportedType) Kind() Kind       { return KindTypeAlias }
func (*ImportedVar) Kind() Kind        { return KindVariable }
func (*ImportedFunc) Kind() Kind       { return KindFunction }
func (*WildcardImport) Kind() Kind     { return KindImported }
func (*ErroredImport) Kind() Kind      { return KindError }
func (*WildcardFunc) Kind() Kind       { return KindFunction }
func (*Function) Kind() Kind           { return KindFunction }
func (*AmbientType) Kind() Kind        { return KindTypeAlias }
func (*ErrorSymbol) Kind() Kind        { return KindError }

// Type returns the error type of a use of the name.
func (s *ErrorSymbol) Type() types.Type {
	if s.Diagnostic == nil {
		return types.TReported
	}
	return types.NewError(*s.Diagnostic)
}

// NamespaceType returns the namespace that a symbol stands for, if it is one
// that could be made. Wildcard imports get theirs from the checker.
func NamespaceType(s Symbol) *types.Namespace {
	var t types.Type
	switch s := s.(type) {
	case *ExtensionNamespace:
		t = s.Type
	case *BuiltInNamespace:
		t = s.Type
	case *LocalThis:
		t = s.Type
	}
	ns, _ := t.(*types.Namespace)
	return ns
}

// canBeReferenced reports whether expressions may name the symbol.
func canBeReferenced(s Symbol) bool {
	switch s.(type) {
	case *Output, *Metadata:
		return false
	}
	return true
}
