package bicep

import (
	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/expand"
)

// Package expand predicts what a template deploys. These are its types for other programs. Its
// package comment says how they are used.
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
	Known        = expand.Known
	IsKnown      = expand.IsKnown
	IsSecure     = expand.IsSecure
	ValueText    = expand.Text
	Printable    = expand.Printable
	Plain        = expand.Plain
	Read         = expand.Read
	CallOf       = expand.CallOf
	ParameterOf  = expand.ParameterOf
	Reasons      = expand.Reasons
	ExpandReason = expand.Reason
)

// TemplateScope returns what a template is deployed to: resourceGroup, subscription,
// managementGroup or tenant.
func TemplateScope(template *armjson.Object) string { return expand.TemplateScope(template) }
