// Package expand predicts what a template deploys.
//
// Expand takes a compiled template (the ARM JSON tree), the values of its
// parameters and what is known of the deployment, its Context, and returns the
// resources: modules, loops and conditions are gone, names and bodies are
// evaluated, and every resource knows its ID, where it is declared and what it
// depends on.
//
//	result, err := expand.Expand(template, expand.Options{
//		Parameters: map[string]expand.Parameter{"tag": {Value: armjson.String("1.0")}},
//		Context:    expand.Context{SubscriptionID: "…", ResourceGroup: "apps"},
//	})
//	for _, r := range result.Resources {
//		if name, ok := expand.Known(r.Name); ok { … }
//	}
//
// # What is not known
//
// Much is known only when a deployment runs: what reference() and listKeys() find,
// utcNow() and newGuid(), a part of the context that was not given, a parameter
// without a value. In place of such a value stands an Unknown: the expression
// with all its known parts evaluated. Arrays and objects hold unknown values among
// known ones; what a function makes of an unknown argument is unknown as well.
// Reasons tells why, and Read and References which resource is meant.
//
// A value that must not be shown is an Unknown as well, although it was given: so nothing that is decided depends on it.
// Those of two expansions can be compared, since an Unknown tells which secrets went into it. An Unknown
// prints as an expression ("[parameters('password')]"), which holds no secret. Printable protects texts that look like one.
//
// # The template
//
// The symbolic form of a template (language version 2.0) says most: it names its
// resources and lists those that exist already. The classic form works too.
//
// Expansion is pure. It costs what its result is large, and Limits bound it.
package expand

import (
	"context"
	"fmt"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
	"github.com/radbicep/rad/pkg/secret"
)

// Unfetched reports whether the resource stands for all that a module deploys which could not be fetched. APIVersion
// is then the reference to the module, and the properties are its parameters. One with a symbol stands for an import.
// One with NotKnown stands for what a recipe makes.
func (r *Resource) Unfetched() bool { return r.Type == armexpr.UnfetchedModule || r.NotKnown != "" }

// Value is a JSON value that may contain an Unknown at any depth.
type Value = armjson.Value

// Unknown is a value that only the deployment can know, or that must not be shown: an expression of
// which the known parts are evaluated. Reasons, References, Read, CallOf, ParameterOf and Text say more of it.
type Unknown interface {
	armjson.Value
	// String returns the expression between brackets, as armjson prints it, too. Of a long one it is the beginning.
	String() string
	// IsSecure reports whether a secure value went into the expression. Its text shows none.
	IsSecure() bool
}

// unknown is the Unknown as eval makes it.
type unknown = eval.Unknown

var _ Unknown = (*unknown)(nil)

// Context is what is known of a deployment. Empty fields are unknown.
type Context struct {
	TenantID          string
	ManagementGroupID string
	SubscriptionID    string
	ResourceGroup     string
	// Location is that of the resource group, or of the deployment at other scopes.
	Location       string
	DeploymentName string
	// Cloud is one of Clouds.
	Cloud string
	// RadiusGroup is the Radius resource group: a name, or a scope such as
	// /planes/radius/local/resourceGroups/NAME.
	RadiusGroup string
	// AWSScope is /planes/aws/aws/accounts/ACCOUNT/regions/REGION.
	AWSScope string
}

// Parameter is what is given for a parameter: a value, or a reference to a secret
// in a key vault, or an expression of external inputs as parameter files have it.
type Parameter struct {
	// Mark is that of the value, beyond what the template declares of the parameter.
	Mark       secret.Mark
	Value      armjson.Value
	Reference  armjson.Value
	Expression string
}

// Limits bound an expansion. Zero stands for the default.
type Limits struct {
	Resources int // all in all, modules included; default 100,000
	Copies    int // of one loop of resources; default 800, as in a deployment
	Modules   int // how deep modules nest; default 200
	Text      int // bytes of all that is deployed when it is written; default 64 MB
	Edges     int // dependencies of resources on others; default 250,000

	// Of the evaluation of expressions:
	Steps int // calls of functions, rounds of loops; default 4 million
	Walk  int // elements visited when values are put into others, compared or printed; default 50 million
	Size  int // bytes of the values that are made, all in all; default 64 MB
	Depth int // how deep calls nest; default 20,000
}

// Run is what the compiles and expansions of one run may use together, beyond what each may use by itself. So a
// hundred files that each go to the limits do not take a hundred times as long as one.
type Run struct{ shared *eval.Run }

// WithRun returns a context for a run: compiles with that context, and expansions with its RunOf, share one Run.
func WithRun(ctx context.Context) context.Context { return eval.WithRun(ctx) }

// RunOf returns the Run of a context; nil if it has none.
func RunOf(ctx context.Context) *Run {
	if shared := eval.RunOf(ctx); shared != nil {
		return &Run{shared}
	}
	return nil
}

// Trees holds what was read of the expressions of a template, for all who expand it. The zero value is ready to use.
type Trees struct{ shared eval.Trees }

// Options are what Expand takes beside the template.
type Options struct {
	Parameters map[string]Parameter
	Context    Context
	// Inputs are values of external inputs, by the names that expressions of Parameters have for them.
	Inputs map[string]armjson.Value
	Limits Limits
	// Run is what this expansion shares with others; may be nil.
	Run *Run
	// Places says where the template's declarations are in the source; may be nil.
	Places Places
	// Trees are those of the template, if it is expanded more often; may be nil.
	Trees *Trees
	// Official writes references as the official compiler's snapshots do, by the
	// symbolic names of the program. Otherwise they name type and name of what is
	// referred to, so that they do not change when symbols do.
	Official bool
	// SecretsApart says that the values of secure parameters are kept elsewhere. One whose
	// default is not known, such as newGuid(), is then parameters('name') and not its default.
	SecretsApart bool
	// Tolerant makes a value unknown that cannot be evaluated, such as the call of
	// fail() or a property that does not exist, and reports it as a diagnostic.
	// Otherwise it ends the expansion, as it would end a deployment.
	Tolerant bool
	// Graphs allows unknown values whose text would take more than there is memory: an expression shares
	// parts with others, and costs what it takes by itself. Text and Printable write the beginning of a long
	// one. A resource that is too large is then left without a body, and the others are there.
	Graphs bool
	// ForWriting makes known what may be written, though it must not be shown: values of the
	// environment. The result must then be written only; messages are about one without this option.
	ForWriting bool
	// Declared makes reference() of a resource of the template known where it asks for a text, a number or true that the
	// resource declares. What the deployment changes of it is then overlooked, and the dependency is not among the
	// resource's as one that Reads. What is declared as null or false, or not at all, may be anything, and stays unknown.
	Declared bool
	// Returned gives the properties that reference() of a resource of Radius returns, nil if they are not known. It is asked
	// when an expression reads one. An error says that the resource needs itself.
	Returned func(r *Resource, find Finder) (*armjson.Object, error)
	// Strict holds the values of parameters to their declarations, as a deployment does.
	Strict bool
	// All keeps what a condition that is false leaves out; its Condition is then the expression that is written, or false.
	All bool
}

// Finder returns the resource of a program that has an ID, with its body; nil if there is none. An error says that it needs
// the resource that asks.
type Finder func(id string) (*Resource, error)

// Places finds declarations in the source of a template. A position may be zero.
type Places interface {
	// Resource returns where a resource is declared; path leads to a property
	// of its body, as far as it is written there.
	Resource(symbol string, path ...string) Position
	// Declaration returns where a variable, parameter or output (kind) is declared.
	Declaration(kind, name string) Position
	// Module returns where a module is declared, and the places of its file, or nil.
	Module(symbol string) (Position, Places)
	// ListsExisting reports whether the template that is deployed lists resources that exist already. One that
	// does not has their names where it uses them.
	ListsExisting() bool
	// Unfetched returns the imports of the file, and of those that it imports from, that could not be fetched.
	Unfetched() []UnfetchedImport
}

// UnfetchedImport is an import of a file that could not be fetched.
type UnfetchedImport struct {
	Reference string
	Names     string // what it brings: names, or the one that stands for all
	Position  Position
}

// Position is a place in a source file. Line and Column count from 1.
type Position struct {
	File         string
	Line, Column int
	EndLine      int // of a resource; else 0
}

// String returns the position as findings show it, or "" without a file.
func (p Position) String() string {
	if p.File == "" {
		return ""
	}
	return fmt.Sprintf("%s(%d,%d)", p.File, p.Line, p.Column)
}

// Short returns the position without the folders of its file.
func (p Position) Short() string {
	p.File = p.File[strings.LastIndexAny(p.File, `/\`)+1:]
	return p.String()
}

// Result is what a template deploys.
type Result struct {
	// Scope is what the template is deployed to: resourceGroup, subscription,
	// managementGroup or tenant.
	Scope string
	// Resources are in the order of the template; the resources of a module stand
	// where the module does. Existing resources are among them.
	Resources []*Resource
	// Named are resources that only expressions name, of which nothing says that they are deployed: the round of a loop
	// by an index that is not known, or of a loop of which the number of rounds is not known. They are not among Resources.
	Named []*Resource
	// Root is the deployment of the template itself.
	Root *Module
	// Outputs of the template, in order. Secure ones are marked.
	Outputs []Output
	// LeftOut says that a condition that is false left something out.
	LeftOut bool
	// Crowded says that there are more dependencies than are noted.
	Crowded bool
	// Diagnostics say what could not be expanded, such as a linked template.
	Diagnostics []Diagnostic
}

// ParameterTypes returns the types of the template's parameters by name: string, int, bool, array or object. Those that
// may be null are left out.
func (r *Result) ParameterTypes() map[string]string {
	m := map[string]string{}
	if r == nil || r.Root == nil || r.Root.at == nil {
		return m
	}
	for _, p := range r.Root.at.params {
		if kind := r.Root.at.typeOf(p.schema); kind != "" && !r.Root.at.nullable(p.schema) {
			m[p.name] = strings.ToLower(strings.TrimPrefix(kind, "Secure"))
		}
	}
	return m
}

// Output is an output of a template.
type Output struct {
	Name  string
	Value Value
}

// Diagnostic is a remark on an expansion.
type Diagnostic struct {
	Target, Level, Code, Message string
	Position                     Position

	of *Error // nil but of what was tolerated
}

// String returns the diagnostic on one line: what it is about, level, code and message.
func (d Diagnostic) String() string {
	return fmt.Sprintf("%s %s %s: %s", d.Target, d.Level, d.Code, d.Message)
}

// Module is a deployment: the template itself, or a module of it.
type Module struct {
	// Symbol is the module's symbolic name, with its index if a loop declares it;
	// the template itself has none.
	Symbol    string
	Name      Value // of the deployment; may be nil
	Parent    *Module
	Scope     Value // ID of what it deploys to
	Condition Value // as that of a resource
	Position  Position

	Dependencies []Dependency

	places Places
	at     *deployment // of the template itself; nil of a module
	id     Value       // of the deployment
	api    string
}

// Path returns the symbolic names of the modules that lead to m, outermost first.
func (m *Module) Path() string {
	if m == nil || m.Parent == nil {
		return ""
	}
	if up := m.Parent.Path(); up != "" {
		return up + "/" + m.Symbol
	}
	return m.Symbol
}

// Resource is a resource that a template deploys or refers to.
type Resource struct {
	// Symbol is the symbolic name, with the index if a loop declares it: "db",
	// "subnet[2]", "vnet::subnet". In a classic template it is empty.
	Symbol string
	Module *Module

	Type       string // without version
	APIVersion string
	// Name is the whole name of an Azure resource ("account/default"); that of
	// others is taken from the body, where it has one; else nil.
	Name Value
	// ID is the resource's ID: a string, an Unknown, or nil if the resource's kind
	// has none that can be predicted.
	ID Value
	// Scope is the ID of what the resource is deployed to: a resource group, a
	// subscription, another resource, a Radius or AWS scope. It may be nil.
	Scope Value

	// Group is the name of the Azure resource group that the resource is in; nil if it is
	// in none, or if nothing says in which.
	Group Value

	// Existing says that the resource is only referred to.
	Existing bool
	// Condition is nil if the resource is deployed in any case, else an Unknown, or
	// what is written with Options.All. The conditions of the modules around are part of it.
	Condition Value
	// Copies is nil but for loops of which the number of rounds is unknown. The resource then stands for all rounds.
	// It is the number, or an array of the numbers if there are several such loops around the resource, those of
	// modules among them, outermost first.
	Copies Value

	// Decorators are what the program asks of the deployment engine for this resource, such
	// as onlyIfNotExists, retryOn and patch.
	Decorators []string

	// Maker is the resource of Radius whose recipe makes this one; nil of what the program deploys itself. See Result.Within.
	Maker *Resource
	// NotKnown says why it is not known what the recipe of Maker makes, all of which the resource stands for.
	NotKnown string

	// Extension says which extension the resource belongs to; nil for Azure.
	Extension *Extension
	// Body is what is sent: for Azure the members beside type, name and the like
	// (location, sku, properties …), for extensions the resource's properties.
	Body *armjson.Object
	// TooLarge says that the body is left out; see Options.Graphs.
	TooLarge bool

	Position     Position
	Dependencies []Dependency

	decl  *declaration
	index int
	given Value     // what tells a resource of AWS from others beside its name, or in place of one
	apart bool      // only expressions name it; see rounds.go
	noted bool      // in Result.Named
	of    *Resource // what stands for it among the resources of the result; may be nil
}

// Property returns where a property of the resource's body is declared, or the
// place of the resource if that is not known.
func (r *Resource) Property(path ...string) Position {
	if r.Module == nil || r.Module.places == nil || r.decl == nil {
		return r.Position
	}
	if p := r.Module.places.Resource(r.decl.symbol, path...); p.File != "" {
		return p
	}
	return r.Position
}

// Extension is the extension of a resource.
type Extension struct {
	Alias    string // in the template
	Provider string // Radius, Kubernetes, AWS …
	Version  string
	Config   Value // may be nil
}

// DependencyKind says how a resource depends on another.
type DependencyKind string

const (
	// DependsOn: it is deployed after the other, because the program says so or uses it.
	DependsOn DependencyKind = "dependsOn"
	// Reads: a value that only the other's deployment gives goes into it.
	Reads DependencyKind = "reads"
	// Parent: it is a child of the other.
	Parent DependencyKind = "parent"
	// Scoped: it extends the other, which is its scope.
	Scoped DependencyKind = "scope"
)

// Dependency is what a resource or module depends on: a resource or a module.
type Dependency struct {
	Kind     DependencyKind
	Resource *Resource
	Module   *Module
}

// CodeCannotExpand is the code of findings about a program that cannot be expanded.
const CodeCannotExpand = "cannot-expand"

// Error is what makes a template impossible to expand.
type Error struct {
	Kind     string // variable, parameter, resource, module, output
	Name     string
	Module   string // path of the module it is in
	Position Position
	Err      error

	unlisted *declaration // what it is about, if the template that is deployed does not hold it (existing.go)
	apart    bool         // it is in what only expressions name (rounds.go)
}

// Error names what could not be evaluated, and why.
func (e *Error) Error() string {
	s := fmt.Sprintf("%s %q", e.Kind, e.Name)
	if e.Module != "" {
		s += " of module " + lastOf(e.Module)
	}
	return s + ": " + Reason(e.Err)
}

// lastOf shortens the path of a module that is deep in others.
func lastOf(path string) string {
	const shown = 3
	names := strings.Split(path, "/")
	if len(names) <= shown+1 {
		return path
	}
	return "…/" + strings.Join(names[len(names)-shown:], "/")
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// Reason returns an error's text: of fail(), what the program says.
func Reason(err error) string {
	if s, ok := eval.FailMessage(err); ok {
		return s
	}
	return err.Error()
}
