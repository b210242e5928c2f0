package check

import (
	"github.com/radbicep/rad/pkg/bicep/internal/armtemplate"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/resourcetypes"
	"github.com/radbicep/rad/pkg/bicep/internal/typeexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// An Inspector reports more about a checked file. The inspectors are in packages that are
// built on this one: deploytime, paramsfile, lint, resources and paramscheck.
type Inspector interface {
	Inspect(m *Model, report diag.Sink)
}

// Options say how a program is checked.
type Options struct {
	// Namespaces makes the namespaces that files see (package namespaces).
	Namespaces NamespaceProvider
	// Inspectors look at each file, in this order, when it is checked.
	Inspectors []Inspector
	// Symbolic asks for templates that name their resources, whatever the
	// configuration says.
	Symbolic bool
	// HidesEnv says that parameter files are evaluated without the values of environment variables.
	HidesEnv bool
	// Run is what the program shares with others of one run; may be nil.
	Run *eval.Run
}

// NamespaceProvider makes the namespaces that files see.
type NamespaceProvider interface {
	Namespaces(f *graph.File, scope types.ResourceScope) []bind.Namespace
	This() types.Type
}

// Program is a program that is being checked: a model for each of its files,
// made when it is first asked for.
type Program struct {
	Graph *graph.Program
	// Budget is what may be evaluated in the whole program: its parameter files, the
	// ARM templates that it uses, and the calls that are worked out when it is written.
	Budget  *eval.Budget
	options Options

	models     []*Model    // by graph.File.Index; nil until asked for, or for files that are not Bicep
	signatures []Signature // by graph.File.Index: what modules see
}

// NewProgram prepares to check what was read. Nothing is checked until a model
// is asked for its types or diagnostics.
func NewProgram(g *graph.Program, o Options) *Program {
	n := len(g.Files)
	return &Program{Graph: g, Budget: eval.NewBudget(eval.DefaultLimits(), o.Run),
		options: o, models: make([]*Model, n), signatures: make([]Signature, n)}
}

// Continue makes the program check files that were read again. The models of files that are the
// same objects in g are kept: question 3 at the top of pkg/bicep/workspace.go.
func (p *Program) Continue(g *graph.Program) {
	models, signatures := p.models, p.signatures
	n := len(g.Files)
	p.Graph, p.models, p.signatures = g, make([]*Model, n), make([]Signature, n)
	isKept := func(f *graph.File) bool { return f.Index < n && g.Files[f.Index] == f }
	for _, m := range models {
		if m != nil && isKept(m.file) {
			p.models[m.file.Index] = m
		}
	}
	for _, s := range signatures {
		if s != nil && isKept(s.File()) {
			p.signatures[s.File().Index] = s
		}
	}
}

// Trim drops what other packages keep about the files (Memo). They compute it again when they need
// it.
func (p *Program) Trim() {
	for _, m := range p.models {
		if m != nil {
			m.memos = nil
		}
	}
}

// Entry returns the model of the file that the program begins with. It is nil if
// that is an ARM template.
func (p *Program) Entry() *Model { return p.Model(p.Graph.Entry) }

// Model returns the model of a Bicep or parameter file, and nil for others.
func (p *Program) Model(f *graph.File) *Model {
	if f == nil || f.Tree == nil {
		return nil
	}
	if m := p.models[f.Index]; m != nil {
		return m
	}
	m := newModel(p, f)
	p.models[f.Index] = m
	m.binding = bind.Bind(f, p)
	m.resourceTypes = resourcetypes.New(m.binding)
	m.typeExprs = typeexpr.New(m, m.binding, m.resourceTypes)
	return m
}

// Signature returns what a file offers to those that refer to it, whatever kind
// of file it is.
func (p *Program) Signature(f *graph.File) Signature {
	if m := p.Model(f); m != nil {
		return m
	}
	if t := p.signatures[f.Index]; t != nil {
		return t
	}
	t := newARM(f, p.Budget)
	p.signatures[f.Index] = t
	return t
}

// modelOf returns the model that a binding belongs to.
func (p *Program) modelOf(b *bind.Binding) *Model {
	if b == nil {
		return nil
	}
	return p.Model(b.File)
}

// Namespaces implements bind.Env.
func (p *Program) Namespaces(f *graph.File, scope types.ResourceScope) []bind.Namespace {
	return p.options.Namespaces.Namespaces(f, scope)
}

// This implements bind.Env.
func (p *Program) This() types.Type { return p.options.Namespaces.This() }

// Exporter implements bind.Env.
func (p *Program) Exporter(f *graph.File) bind.Exporter {
	return p.Signature(f)
}

// Binding implements bind.Env.
func (p *Program) Binding(f *graph.File) *bind.Binding {
	if m := p.Model(f); m != nil {
		return m.binding
	}
	return nil
}

type (
	// Parameter is a parameter of a template, as the files that use the template see it.
	Parameter = armtemplate.Parameter
	// Output is an output of a template.
	Output = armtemplate.Output
)

// ExtensionInfo is an extension that a template uses.
type ExtensionInfo struct {
	Alias string
	// Assignment is what a module or a parameter file may give as the
	// configuration, or nil if there is nothing to configure.
	Assignment types.Type
}

// NeedsAssignment reports whether the files that use the template have to give the configuration.
func (e *ExtensionInfo) NeedsAssignment() bool {
	return e.Assignment != nil && requiresConfig(e.Assignment)
}

// Signature is what a file offers to those that refer to it (modules, tests,
// imports, parameter files): its parameters, outputs, exports and extensions.
// *Model implements it for Bicep files and *ARM for ARM templates.
type Signature interface {
	bind.Exporter
	TargetScope() types.ResourceScope
	// Parameters returns the parameters in the ordinal order of their names.
	Parameters() []*Parameter
	// Parameter returns the parameter of that name, or nil.
	Parameter(name string) *Parameter
	Outputs() []*Output
	// Extensions returns the extensions in the ordinal order of their names.
	Extensions() []*ExtensionInfo
}

// HidesEnv reports whether parameter files are evaluated without the values of environment variables.
func (p *Program) HidesEnv() bool { return p.options.HidesEnv }

// features returns what is enabled in a file.
func (p *Program) features(f *graph.File) *config.Features {
	if !p.options.Symbolic {
		return f.Features()
	}
	features := *f.Features()
	features.SymbolicNameCodegen = true
	return &features
}
