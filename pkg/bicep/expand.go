package bicep

import (
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/expand"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/lower"
	"github.com/radbicep/rad/pkg/bicep/internal/resources"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// What a template deploys is predicted by package expand. These are its types for
// those who cannot import it; its package comment says how they are used.
type (
	Expansion       = expand.Result
	ExpandOptions   = expand.Options
	ExpandContext   = expand.Context
	ExpandLimits    = expand.Limits
	ExpandParameter = expand.Parameter
	ExpandError     = expand.Error
	ExpandedOutput  = expand.Output
	Resource        = expand.Resource
	Module          = expand.Module
	Dependency      = expand.Dependency
	DependencyKind  = expand.DependencyKind
	Extension       = expand.Extension
	Unknown         = expand.Unknown
	Secret          = expand.Secret
	Cause           = expand.Cause
	ReasonKind      = expand.ReasonKind
	Position        = expand.Position
	Places          = expand.Places
	Call            = expand.Call
)

// The ways in which a resource depends on another.
const (
	DependsOn = expand.DependsOn
	Reads     = expand.Reads
	Parent    = expand.Parent
	Scoped    = expand.Scoped
)

// Why a value is unknown.
const (
	ReasonRuntime  = expand.Runtime
	ReasonKeys     = expand.Keys
	ReasonTime     = expand.Time
	ReasonNoValue  = expand.NoValue
	ReasonVault    = expand.Vault
	ReasonPlace    = expand.Place
	ReasonInput    = expand.Input
	ReasonFunction = expand.Function
)

// Expand predicts what a template deploys.
func Expand(template *armjson.Object, o ExpandOptions) (*Expansion, error) {
	return expand.Expand(template, o)
}

// Functions about the values in an expansion.
var (
	Known          = expand.Known
	IsKnown        = expand.IsKnown
	IsSecure       = expand.IsSecure
	ValueText      = expand.Text
	Printable      = expand.Printable
	ExpressionText = expand.Expression
	Plain          = expand.Plain
	Read           = expand.Read
	CallOf         = expand.CallOf
	ParameterOf    = expand.ParameterOf
	ResourcesIn    = expand.References
	Reasons        = expand.Reasons
	ExpandReason   = expand.Reason
)

// places finds the declarations of a file of a program.
type places struct {
	program *check.Program
	model   *check.Model
	found   map[string]bind.Declared // by lower-case name in the template; made when needed
}

// placesOf returns the places of a file, or nil if it is no Bicep.
func placesOf(p *check.Program, f *graph.File) expand.Places {
	m := p.Model(f)
	if m == nil {
		return nil
	}
	return &places{program: p, model: m}
}

func (p *places) declared(symbol string) bind.Declared {
	if p.found == nil {
		p.found = map[string]bind.Declared{}
		ctx := lower.ContextOf(p.model)
		for _, r := range resources.Of(p.model).Declared() {
			p.found[strings.ToLower(ctx.SymbolicName(r))] = r.Symbol
		}
		for _, m := range p.model.Binding().Modules {
			p.found[strings.ToLower(m.Name())] = m
		}
	}
	return p.found[strings.ToLower(symbol)]
}

func (p *places) at(n syntax.Node) expand.Position {
	f := p.model.File()
	at := f.Source.Position(n.Span().Start)
	return expand.Position{File: f.Path, Line: at.Line, Column: at.Column}
}

// Resource returns where a resource, or a property of its body, is declared.
func (p *places) Resource(symbol string, path ...string) expand.Position {
	r, ok := p.declared(symbol).(*bind.Resource)
	if !ok {
		return expand.Position{}
	}
	var at syntax.Node = r.Stmt
	o := syntax.Body(r.Stmt.Value)
	for _, name := range path {
		if o == nil {
			break
		}
		prop := o.Property(name)
		if prop == nil {
			break
		}
		at = prop
		o, _ = prop.Value.(*syntax.Object)
	}
	return p.at(at)
}

// Declaration returns where a variable, parameter or output is declared.
func (p *places) Declaration(kind, name string) expand.Position {
	b := p.model.Binding()
	switch kind {
	case "variable":
		for _, v := range b.Vars {
			if strings.EqualFold(v.Name(), name) {
				return p.at(v.Stmt)
			}
		}
	case "parameter":
		for _, v := range b.Params {
			if strings.EqualFold(v.Name(), name) {
				return p.at(v.Stmt)
			}
		}
	case "output":
		for _, v := range b.Outputs {
			if strings.EqualFold(v.Name(), name) {
				return p.at(v.Stmt)
			}
		}
	}
	return expand.Position{}
}

// Module returns where a module is declared, and the places of its file.
func (p *places) Module(symbol string) (expand.Position, expand.Places) {
	m, ok := p.declared(symbol).(*bind.Module)
	if !ok {
		return expand.Position{}, nil
	}
	var inner expand.Places
	if ref := p.model.File().Reference(m.Stmt); ref != nil && ref.File != nil {
		inner = placesOf(p.program, ref.File)
	}
	return p.at(m.Stmt), inner
}

// TemplateScope returns what a template is deployed to: resourceGroup, subscription,
// managementGroup or tenant.
func TemplateScope(template *armjson.Object) string { return expand.TemplateScope(template) }
