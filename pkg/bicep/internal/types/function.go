package types

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// FunctionFlags say where and how a function may be used.
type FunctionFlags uint32

const (
	ParamDefaultsOnly FunctionFlags = 1 << iota
	RequiresInlining
	ParameterDecorator
	VariableDecorator
	ResourceDecorator
	ModuleDecorator
	OutputDecorator
	ExtensionDecorator
	ModuleSecureParameterOnly // only as the value of a module's @secure() parameter
	MetadataDecorator
	TypeDecorator
	GenerateIntermediateVariableAlways
	GenerateIntermediateVariableOnIndirectAssignment
	FunctionDecorator
	DirectAssignment           // only as the whole value of a declaration
	IsArgumentValueIndependent // looks at the argument's syntax only
	RequiresExternalInput
	Pure // depends on nothing but its arguments

	ResourceOrModuleDecorator       = ResourceDecorator | ModuleDecorator
	ParameterOutputOrTypeDecorator  = ParameterDecorator | OutputDecorator | TypeDecorator
	TypeVariableOrFunctionDecorator = TypeDecorator | VariableDecorator | FunctionDecorator
	AnyDecorator                    = ParameterDecorator | VariableDecorator | FunctionDecorator | ResourceDecorator |
		ModuleDecorator | OutputDecorator | ExtensionDecorator | MetadataDecorator | TypeDecorator
)

// Has reports whether all of the given flags are set.
func (f FunctionFlags) Has(g FunctionFlags) bool { return f&g == g }

// ParamFlags say what a function's parameter takes.
type ParamFlags uint8

const (
	ParamRequired ParamFlags = 1 << iota
	ParamConstant            // a compile-time constant
	ParamDeployTimeConstant
)

// Param is a parameter of a function.
type Param struct {
	Name  string
	Type  Type
	Flags ParamFlags
	// Expected returns a better type for the argument, given the types of the
	// arguments and, in a decorator, that of what is decorated. It may be nil,
	// and may return nil.
	Expected func(arg func(i int) Type, attached func() Type) Type
}

// Required reports whether an argument is needed.
func (p *Param) Required() bool { return p.Flags&ParamRequired != 0 }

// Variadic is the parameter that takes all further arguments.
type Variadic struct {
	Type  Type
	Min   int // how many arguments it needs at least
	Flags ParamFlags
}

// CallContext is what the checker offers to a function that computes the type
// of a call. It is implemented by package check.
type CallContext interface {
	// Call is the *syntax.Call or *syntax.InstanceCall.
	Call() syntax.Expr
	// Args are the call's arguments.
	Args() []syntax.Expr
	// Report adds a diagnostic of the file.
	Report(diag.Diagnostic)
	// TypeOf returns the type assigned to a node.
	TypeOf(syntax.Node) Type
	// DeclaredType returns the declared type of a node, or nil.
	DeclaredType(syntax.Node) Type
	// Narrow checks an expression against a type, reporting what is wrong, and
	// returns the narrowed type.
	Narrow(x syntax.Expr, target Type) Type
	// Symbol returns the bind.Symbol a node refers to or declares, or nil.
	Symbol(syntax.Node) Symbol
	// Parent returns the node around a node, or nil.
	Parent(syntax.Node) syntax.Node
	// Model returns the model of the file that contains the call.
	Model() Model
}

// Symbol is a symbol of package bind, which is built on this package.
type Symbol interface {
	Name() string
}

// Model is what this package knows of the model of a file. Package namespaces extends it
// by what functions need beyond types.
type Model interface {
	TargetScope() ResourceScope
}

// FunctionResult is what a call gives: its type and, if the compiler has worked
// it out, its value.
type FunctionResult struct {
	Type  Type
	Value armjson.Value // nil if unknown. Numbers that are not integers are kept as written.
	// Secret is the Key Vault reference that getSecret gives in a parameter file.
	Secret *SecretReference
}

// SecretReference is a Key Vault reference all of whose parts are known.
type SecretReference struct {
	VaultID, Name, Version string // no version: ""
}

// EvaluatorKind names the ways in which a call is rewritten when it is lowered.
type EvaluatorKind uint8

const (
	EvaluateCall          EvaluatorKind = iota // it stays a call
	EvaluateFirstArgument                      // any(x) is x
	EvaluateExternalInput                      // externalInput(kind, …); EvaluatorArg, if set, is the kind to put first
	EvaluateGetSecret                          // a Key Vault reference
	EvaluateExtension                          // a function of an extension: see FunctionOverload.Expansion
)

// Expansion is an ARM expression that stands for a call. In it, parameters('name')
// is an argument.
type Expansion struct {
	Expression string
	Params     []string // the names of the arguments
}

// FunctionOverload is one way to call a function.
type FunctionOverload struct {
	Name     string
	Params   []Param
	Variadic *Variadic
	Flags    FunctionFlags
	// Return is the result's type as signatures show it.
	Return Type
	// Result works out the type of a call. If nil, it is Return.
	Result func(ctx CallContext, args []Type) FunctionResult
	// Wildcard, if set, is the prefix of all names of the overload, such as list.
	Wildcard     string
	Evaluator    EvaluatorKind
	EvaluatorArg string
	// Expansion is what stands for a call of a function of an extension, if the
	// extension says so.
	Expansion *Expansion
	// Pure, if set, decides whether a call depends on nothing but its arguments.
	Pure func(ctx CallContext) bool
}

// ResultOf returns the type and, if known, the value of a call.
func (o *FunctionOverload) ResultOf(ctx CallContext, args []Type) FunctionResult {
	if o.Result == nil {
		return FunctionResult{Type: o.Return}
	}
	return o.Result(ctx, args)
}

// MinArgs returns how many arguments are needed.
func (o *FunctionOverload) MinArgs() int {
	n := 0
	for i := range o.Params {
		if o.Params[i].Required() {
			n++
		}
	}
	if o.Variadic != nil {
		n += o.Variadic.Min
	}
	return n
}

// MaxArgs returns how many arguments are allowed; ok is false if there is no end.
func (o *FunctionOverload) MaxArgs() (n int, ok bool) { return len(o.Params), o.Variadic == nil }

// ParamType returns the type that argument i is checked against. The two
// functions give the types of the arguments and of the decorated thing; they
// may be nil.
func (o *FunctionOverload) ParamType(i int, arg func(int) Type, attached func() Type) Type {
	if i < len(o.Params) {
		p := &o.Params[i]
		if p.Expected != nil && arg != nil && attached != nil {
			if t := p.Expected(arg, attached); t != nil {
				return t
			}
		}
		return p.Type
	}
	if o.Variadic == nil {
		return TAny
	}
	return o.Variadic.Type
}

// ParamFlags returns the flags of the parameter that argument i goes to.
func (o *FunctionOverload) ParamFlags(i int) ParamFlags {
	if i < len(o.Params) {
		return o.Params[i].Flags
	}
	if o.Variadic != nil {
		return o.Variadic.Flags | ParamRequired
	}
	return 0
}

// Signature returns the overload as messages show it, without the name.
func (o *FunctionOverload) Signature() string {
	var b strings.Builder
	b.WriteByte('(')
	for i := range o.Params {
		if i > 0 {
			b.WriteString(", ")
		}
		p := &o.Params[i]
		s := p.Name + ": " + p.Type.String()
		if !p.Required() {
			s = "[" + s + "]"
		}
		b.WriteString(s)
	}
	if o.Variadic != nil {
		if len(o.Params) > 0 {
			b.WriteString(", ")
		}
		b.WriteString("... : " + o.Variadic.Type.String())
	}
	b.WriteString("): " + o.Return.String())
	return b.String()
}

// Function is a function of a namespace or a method of an object: all overloads of one name.
type Function struct {
	Name      string
	Overloads []*FunctionOverload
	Flags     FunctionFlags
	Owner     *Object // a namespace's object or the object that has the method
}

// Match says how well arguments fit an overload.
type Match uint8

const (
	Mismatch       Match = iota
	PotentialMatch       // some arguments are any
	FullMatch
)

// CountMismatch says how many arguments there are, and how many there should be.
type CountMismatch struct {
	Count, Min int
	Max        int
	Unbounded  bool // there is no Max
}

// Merge widens the range by another one.
func (m CountMismatch) Merge(o CountMismatch) CountMismatch {
	r := CountMismatch{Count: m.Count, Min: min(m.Min, o.Min), Max: m.Max, Unbounded: m.Unbounded}
	if !m.Unbounded && !o.Unbounded {
		r.Max = max(m.Max, o.Max)
	}
	return r
}

// Expected returns how many arguments there should be, as text.
func (m CountMismatch) Expected() string {
	switch {
	case m.Unbounded:
		return "at least " + diag.Arguments(m.Min)
	case m.Min == m.Max:
		return diag.Arguments(m.Min)
	}
	return strconv.Itoa(m.Min) + " to " + diag.Arguments(m.Max)
}

// TypeMismatch names the first argument that does not fit an overload.
type TypeMismatch struct {
	Index    int
	Argument Type
	Param    Type
}

// Matches reports how well arguments fit.
func (o *FunctionOverload) Matches(args []Type) (Match, *CountMismatch, *TypeMismatch) {
	hi, bounded := o.MaxArgs()
	if lo := o.MinArgs(); len(args) < lo || bounded && len(args) > hi {
		return Mismatch, &CountMismatch{Count: len(args), Min: lo, Max: hi, Unbounded: !bounded}, nil
	}
	anys := 0
	for _, a := range args {
		if a.Kind() == KindAny {
			anys++
		}
	}
	if anys == len(args) {
		return PotentialMatch, nil, nil
	}
	for i, a := range args {
		if want := o.ParamType(i, nil, nil); !AreAssignable(a, want) {
			return Mismatch, nil, &TypeMismatch{Index: i, Argument: a, Param: want}
		}
	}
	if anys > 0 {
		return PotentialMatch, nil, nil
	}
	return FullMatch, nil, nil
}

// MatchOverloads returns the overloads that fit the arguments: the first that fits for certain, or
// else all that may fit. If there are none, it says why.
func MatchOverloads(overloads []*FunctionOverload, args []Type) (matches []*FunctionOverload,
	counts []CountMismatch, mismatches []TypeMismatch) {
	for i, o := range overloads {
		m, c, t := o.Matches(args)
		switch {
		case m == FullMatch:
			return overloads[i : i+1 : i+1], counts, mismatches
		case m == PotentialMatch:
			matches = append(matches, o)
		case c != nil:
			counts = append(counts, *c)
		case t != nil:
			mismatches = append(mismatches, *t)
		}
	}
	exact := matches[:0:0]
	for _, o := range matches {
		if o.Wildcard == "" {
			exact = append(exact, o)
		}
	}
	if len(exact) > 0 {
		return exact, counts, mismatches
	}
	return matches, counts, mismatches
}

// Banned is a function of ARM that Bicep does not have, because an operator or another construct
// replaces it.
type Banned struct {
	Name string
	// At makes the diagnostic for the use of the name.
	At func(name *syntax.Ident) diag.Diagnostic
}

// Functions are the functions of a namespace or the methods of an object.
type Functions struct {
	Overloads []*FunctionOverload
	Banned    []Banned
	owner     *Object
	found     atomic.Pointer[functionIndex]
}

// functionIndex finds functions by their names. It is made when it is first needed.
type functionIndex struct {
	byName    map[string]*Function
	wildcards []*FunctionOverload
}

// NewFunctions collects overloads under their names. Within a name they keep their order.
func NewFunctions(owner *Object, overloads []*FunctionOverload, banned []Banned) *Functions {
	return &Functions{Overloads: overloads, Banned: banned, owner: owner}
}

func (f *Functions) index() *functionIndex {
	if x := f.found.Load(); x != nil {
		return x
	}
	x := &functionIndex{byName: make(map[string]*Function, len(f.Overloads))}
	for _, o := range f.Overloads {
		if o.Wildcard != "" {
			x.wildcards = append(x.wildcards, o)
			continue
		}
		fn := x.byName[o.Name]
		if fn == nil {
			fn = &Function{Name: o.Name, Flags: o.Flags, Owner: f.owner}
			x.byName[o.Name] = fn
		}
		fn.Overloads = append(fn.Overloads, o)
	}
	if len(x.wildcards) > 0 {
		for name, fn := range x.byName {
			fn.Overloads = append(fn.Overloads, x.matchingWildcards(name)...)
		}
	}
	if f.found.CompareAndSwap(nil, x) {
		return x
	}
	return f.found.Load()
}

func (f *Functions) copyTo(owner *Object) *Functions {
	return NewFunctions(owner, f.Overloads, f.Banned)
}

func (f *functionIndex) matchingWildcards(name string) []*FunctionOverload {
	var list []*FunctionOverload
	for _, o := range f.wildcards {
		if matchesWildcard(o.Wildcard, name) {
			list = append(list, o)
		}
	}
	return list
}

// matchesWildcard: a wildcard function matches its prefix followed by letters.
func matchesWildcard(prefix, name string) bool {
	if !strings.HasPrefix(name, prefix) {
		return false
	}
	for i := len(prefix); i < len(name); i++ {
		if c := name[i] | 0x20; c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}

// Find returns the function of that name, or nil. For a name that only a
// wildcard answers to, each call returns another Function. f may be nil.
func (f *Functions) Find(name string) *Function {
	if f == nil {
		return nil
	}
	x := f.index()
	if fn := x.byName[name]; fn != nil {
		return fn
	}
	if list := x.matchingWildcards(name); len(list) > 0 {
		return &Function{Name: name, Overloads: list, Flags: list[0].Flags, Owner: f.owner}
	}
	return nil
}

// FindBanned returns the banned function of that name, or nil.
func (f *Functions) FindBanned(name string) *Banned {
	if f == nil {
		return nil
	}
	for i := range f.Banned {
		if f.Banned[i].Name == name {
			return &f.Banned[i]
		}
	}
	return nil
}

// Names returns the names of all functions, wildcards apart, in no particular order.
func (f *Functions) Names() []string {
	if f == nil {
		return nil
	}
	return slices.Collect(maps.Keys(f.index().byName))
}

// DecoratorContext is what the checker offers to a decorator's own checks.
type DecoratorContext interface {
	CallContext
	// Decorator is the decorator that is being checked.
	Decorator() *syntax.Decorator
	// Decorated is the declaration or type member that it belongs to.
	Decorated() syntax.Node
	// HasParseErrors reports whether a diagnostic of the parser is within the node.
	HasParseErrors(syntax.Node) bool
}

// Decorator is one way to call a decorator.
type Decorator struct {
	Overload *FunctionOverload
	// Attachable is the type of what it may decorate.
	Attachable Type
	// Validate checks what the types do not say; it may be nil.
	Validate func(ctx DecoratorContext, target Type)
}

// CanAttachTo reports whether something of type t may be decorated.
func (d *Decorator) CanAttachTo(t Type) bool { return AreAssignable(t, d.Attachable) }

// Decorators are the decorators of a namespace.
type Decorators struct {
	byOverload map[*FunctionOverload]*Decorator
	functions  *Functions
}

// NewDecorators collects decorators under their names.
func NewDecorators(owner *Object, list []*Decorator) *Decorators {
	d := &Decorators{byOverload: make(map[*FunctionOverload]*Decorator, len(list))}
	overloads := make([]*FunctionOverload, len(list))
	for i, dec := range list {
		overloads[i] = dec.Overload
		d.byOverload[dec.Overload] = dec
	}
	d.functions = NewFunctions(owner, overloads, nil)
	return d
}

// Find returns the function through which a decorator is called, or nil.
func (d *Decorators) Find(name string) *Function {
	if d == nil {
		return nil
	}
	return d.functions.Find(name)
}

// Functions returns the functions through which the decorators are called.
func (d *Decorators) Functions() *Functions {
	if d == nil {
		return nil
	}
	return d.functions
}

// ForOverload returns the decorator of an overload, or nil.
func (d *Decorators) ForOverload(o *FunctionOverload) *Decorator {
	if d == nil {
		return nil
	}
	return d.byOverload[o]
}

// Matches returns the decorators of a name that arguments fit.
func (d *Decorators) Matches(f *Function, args []Type) []*Decorator {
	overloads, _, _ := MatchOverloads(f.Overloads, args)
	var list []*Decorator
	for _, o := range overloads {
		if dec := d.ForOverload(o); dec != nil {
			list = append(list, dec)
		}
	}
	return list
}

// ResourceTypeProvider looks up the resource types of a namespace.
type ResourceTypeProvider interface {
	// DefinedType returns a type that is known, or nil.
	DefinedType(ns *Namespace, ref *ResourceTypeReference, flags GenerationFlags) *Resource
	// FallbackType returns a type that accepts anything, or nil if the namespace knows all its types.
	FallbackType(ns *Namespace, ref *ResourceTypeReference, flags GenerationFlags) *Resource
	// HasDefinedType reports whether the type is known.
	HasDefinedType(ref *ResourceTypeReference) bool
}

// NamespaceSettings say what a namespace is in the language and in the template.
type NamespaceSettings struct {
	Singleton       bool
	ExtensionName   string     // as Bicep files name it: sys, az, kubernetes …
	Config          ObjectLike // nil if there is nothing to configure
	TemplateName    string     // of the extension in the template
	TemplateVersion string
}

// Namespace is the type of a namespace: an object whose methods are its functions.
type Namespace struct {
	*Object   // Name is the alias
	Settings  NamespaceSettings
	Decorator *Decorators
	Resources ResourceTypeProvider
}

// Type returns t.
func (t *Namespace) Type() Type { return t }

// Kind returns KindNamespace.
func (*Namespace) Kind() Kind { return KindNamespace }

// NewNamespace returns a namespace under an alias.
func NewNamespace(alias string, settings NamespaceSettings, properties []Property,
	overloads []*FunctionOverload, banned []Banned, decorators []*Decorator, resources ResourceTypeProvider) *Namespace {
	o := NewObject(alias, PreventAssignment, properties, nil)
	ns := &Namespace{Object: o, Settings: settings, Resources: resources}
	o.setRare(func(r *rareParts) { r.namespace = ns })
	o.Methods = NewFunctions(o, overloads, banned)
	ns.Decorator = NewDecorators(o, decorators)
	return ns
}

// NamespaceOf returns the namespace whose object o is, or nil.
func NamespaceOf(o *Object) *Namespace {
	if o == nil {
		return nil
	}
	return o.rareParts().namespace
}

// TypeParam is a parameter of a parametrised type.
type TypeParam struct {
	Name     string
	Type     Type // nil: any type at all
	Required bool
}

// GenericType is a type that needs arguments to become one: resourceInput<'…'>.
type GenericType struct {
	Name   string // without parameters
	Params []TypeParam
	// Variant says what resourceInput and resourceOutput derive; DerivedNone is the old resource<>.
	Variant DerivedVariant
}

func (t *GenericType) Type() Type           { return t }
func (*GenericType) Kind() Kind             { return KindTypeReference }
func (*GenericType) Flags() ValidationFlags { return PreventAssignment }

func (t *GenericType) String() string {
	names := make([]string, len(t.Params))
	for i, p := range t.Params {
		names[i] = p.Name
	}
	return t.Name + "<" + strings.Join(names, ", ") + ">"
}

// MinArgs returns how many arguments are needed.
func (t *GenericType) MinArgs() int {
	n := 0
	for n < len(t.Params) && t.Params[n].Required {
		n++
	}
	return n
}
