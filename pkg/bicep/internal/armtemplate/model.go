// Package armtemplate reads ARM templates that a Bicep file uses as modules: which parameters they
// take, which outputs they give, and what can be imported from them.
//
// Begin with New. A Model answers when it is asked. Package check wraps it as the signature of a
// file, lower copies what is imported, and package expand predicts what a template deploys.
package armtemplate

import (
	"net/url"
	"slices"
	"sort"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Model is what an ARM template, or the one in a template spec, offers to those
// that refer to it. It must not be used concurrently.
type Model struct {
	file   *graph.File
	root   *armjson.Object // nil if the file is not a template
	load   *loader
	budget *eval.Budget // of everything that is evaluated in the compile

	params   []*Parameter
	outputs  []*Output
	exports  []*bind.Export
	exported map[string]*bind.Export
	read     struct{ params, outputs, exports bool }
	eval     *eval.TemplateScope
}

// Parameter is a parameter of a template.
type Parameter struct {
	Name     string
	Type     types.Ref
	Required bool // it has no default and cannot be null
}

// Output is an output of a template.
type Output struct {
	Name   string
	Type   types.Ref
	Secure bool
}

// New returns the model of an ARM template or template spec.
func New(f *graph.File, b *eval.Budget) *Model {
	m := &Model{file: f, root: f.Template, budget: b}
	if m.root != nil && !wellFormed(m.root) {
		m.root = nil
	}
	m.load = newLoader(m.root)
	return m
}

// File returns the file.
func (m *Model) File() *graph.File { return m.file }

// Root returns the template, or nil if the file holds none that could be
// deployed.
func (m *Model) Root() *armjson.Object { return m.root }

// scopes are the paths of the schemas by which templates say where they are deployed.
var scopes = map[string]types.ResourceScope{
	"/schemas/2019-08-01/tenantDeploymentTemplate.json":          types.ScopeTenant,
	"/schemas/2019-08-01/managementGroupDeploymentTemplate.json": types.ScopeManagementGroup,
	"/schemas/2018-05-01/subscriptionDeploymentTemplate.json":    types.ScopeSubscription,
	"/schemas/2014-04-01-preview/deploymentTemplate.json":        types.ScopeResourceGroup,
	"/schemas/2015-01-01/deploymentTemplate.json":                types.ScopeResourceGroup,
	"/schemas/2019-04-01/deploymentTemplate.json":                types.ScopeResourceGroup,
}

// scope returns the scope that the schema tells, or none.
func (m *Model) scope() types.ResourceScope {
	schema, _ := stringMember(m.root, "$schema")
	u, err := url.Parse(schema)
	if err != nil || !u.IsAbs() {
		return types.ScopeNone
	}
	return scopes[u.Path]
}

// TargetScope returns where the template is deployed: to a resource group, if
// it does not say.
func (m *Model) TargetScope() types.ResourceScope {
	if s := m.scope(); s != types.ScopeNone {
		return s
	}
	return types.ScopeResourceGroup
}

// HasErrors reports whether the template is too broken to be used.
func (m *Model) HasErrors() bool {
	if m.root == nil || m.scope() == types.ScopeNone {
		return true
	}
	for _, p := range m.Parameters() {
		if broken(p.Type) {
			return true
		}
	}
	return slices.ContainsFunc(m.Outputs(), func(o *Output) bool { return broken(o.Type) })
}

func broken(r types.Ref) bool {
	e, ok := r.Type().(*types.Error)
	return ok && len(e.Diags) > 0
}

// Parameters returns the parameters in the ordinal order of their names.
func (m *Model) Parameters() []*Parameter {
	if m.read.params {
		return m.params
	}
	m.read.params = true
	for name, v := range all(objectMember(m.root, "parameters")) {
		o, ok := v.(*armjson.Object)
		if !ok {
			continue
		}
		t := m.declared(o, types.AllowLooseAssignment, m.load.metadata(o))
		_, hasDefault := member(o, "defaultValue")
		nullable := boolMember(o, "nullable")
		m.params = append(m.params, &Parameter{
			Name: name, Type: t,
			Required: !hasDefault && !nullable && !types.IsNullable(t.Type()),
		})
	}
	sort.Slice(m.params, func(i, j int) bool { return types.CompareOrdinal(m.params[i].Name, m.params[j].Name) < 0 })
	return m.params
}

// Outputs returns the outputs as the template orders them.
func (m *Model) Outputs() []*Output {
	if m.read.outputs {
		return m.outputs
	}
	m.read.outputs = true
	for name, v := range all(objectMember(m.root, "outputs")) {
		o, ok := v.(*armjson.Object)
		if !ok {
			continue
		}
		t := m.declared(o, 0, objectMember(o, "metadata"))
		m.outputs = append(m.outputs, &Output{Name: name, Type: t, Secure: types.HasSecrets(t.Type())})
	}
	return m.outputs
}

// declared returns the type of a parameter or output. A string whose metadata names a
// resource type is a resource.
func (m *Model) declared(o *armjson.Object, flags types.ValidationFlags, metadata *armjson.Object) types.Ref {
	if t, ok := stringMember(o, "type"); ok && strings.EqualFold(t, "string") {
		if r, ok := stringMember(metadata, "resourceType"); ok {
			if ref := types.ParseResourceType(r); ref != nil {
				return &types.UnresolvedResource{TypeRef: ref}
			}
			return types.NewError(diag.BCP029.At(source.Span{}))
		}
	}
	return m.load.typeOf(o, flags)
}

// Extensions returns the aliases of the extensions in their ordinal order.
func (m *Model) Extensions() []string {
	var list []string
	for alias, v := range all(objectMember(m.root, "extensions")) {
		if _, ok := v.(*armjson.Object); ok {
			list = append(list, alias)
		}
	}
	slices.SortFunc(list, types.CompareOrdinal)
	return list
}

// Exports returns all exports, in the ordinal order of their names.
func (m *Model) Exports() []*bind.Export {
	if m.read.exports {
		return m.exports
	}
	m.read.exports = true
	var found []*bind.Export
	for name, v := range all(objectMember(m.root, "definitions")) {
		if o, ok := v.(*armjson.Object); ok && isExported(o) {
			t := m.load.typeOf(o, 0)
			if m.file.StandIn {
				t = types.TMissed
			}
			found = append(found, &bind.Export{Kind: bind.ExportType, Name: name, Type: asType(t)})
		}
	}
	for _, f := range m.Functions() {
		if f.exported {
			found = append(found, m.function(f))
		}
	}
	if list, ok := member(objectMember(m.root, "metadata"), armexpr.ExportedVariablesKey); ok {
		variables, _ := list.(armjson.Array)
		for _, v := range variables {
			if x := m.variable(v); x != nil {
				found = append(found, x)
			}
		}
	}
	m.exports = unique(found)
	m.exported = make(map[string]*bind.Export, len(m.exports))
	for _, x := range m.exports {
		m.exported[x.Name] = x
	}
	return m.exports
}

// FindExport returns the export of that name, or nil.
func (m *Model) FindExport(name string) *bind.Export {
	m.Exports()
	return m.exported[name]
}

// unique sorts exports by name. Several with one name are all left out: one that
// says so takes their place.
func unique(list []*bind.Export) []*bind.Export {
	sort.SliceStable(list, func(i, j int) bool { return types.CompareOrdinal(list[i].Name, list[j].Name) < 0 })
	var out []*bind.Export
	for i := 0; i < len(list); {
		j := i + 1
		kinds := list[i].Kind.String()
		for ; j < len(list) && list[j].Name == list[i].Name; j++ {
			kinds += ", " + list[j].Kind.String()
		}
		if j-i == 1 {
			out = append(out, list[i])
		} else {
			out = append(out, &bind.Export{Kind: bind.ExportError, Name: list[i].Name, Type: types.NewError(), Duplicate: true,
				Why: "there are several exports of that name (" + kinds + ")"})
		}
		i = j
	}
	return out
}

func isExported(o *armjson.Object) bool {
	return boolMember(objectMember(o, "metadata"), armexpr.ExportedKey)
}

// asType returns the type of something that stands for the type r.
func asType(r types.Ref) types.Ref {
	wrap := func(t types.Type) types.Type {
		switch t.(type) {
		case *types.TypeType, *types.Error:
			return t
		}
		return &types.TypeType{Inner: t}
	}
	if d, ok := r.(*types.Deferred); ok {
		return types.Defer(func() types.Type { return wrap(d.Type()) })
	}
	return wrap(r.Type())
}

// Function is a function that a template declares.
type Function struct {
	Namespace string
	Name      string // within the namespace
	Node      *armjson.Object

	exported bool
}

// ImportName returns the name by which the function is imported: functions that
// Bicep made go without their namespace.
func (f *Function) ImportName() string {
	if f.Namespace == armexpr.UserNamespace {
		return f.Name
	}
	return f.Namespace + "." + f.Name
}

// Functions returns the functions that the template declares.
func (m *Model) Functions() []*Function {
	list, _ := member(m.root, "functions")
	namespaces, _ := list.(armjson.Array)
	var out []*Function
	for _, v := range namespaces {
		ns, ok := v.(*armjson.Object)
		if !ok {
			continue
		}
		name, ok := stringMember(ns, "namespace")
		if !ok {
			continue
		}
		for member, v := range all(objectMember(ns, "members")) {
			if o, ok := v.(*armjson.Object); ok {
				out = append(out, &Function{name, member, o, isExported(o)})
			}
		}
	}
	return out
}

func (m *Model) function(f *Function) *bind.Export {
	x := &bind.Export{Kind: bind.ExportFunc, Name: f.ImportName()}
	var args []types.Ref
	list, _ := member(f.Node, "parameters")
	params, _ := list.(armjson.Array)
	for _, v := range params {
		o, ok := v.(*armjson.Object)
		if !ok {
			continue
		}
		p := bind.ExportedParam{Type: m.load.typeOf(o, 0)}
		p.Name, _ = stringMember(o, "name")
		x.Params = append(x.Params, p)
		args = append(args, p.Type)
	}
	x.Return = types.TAny
	if out := objectMember(f.Node, "output"); out != nil {
		x.Return = m.load.typeOf(out, 0)
	}
	x.Type = types.NewLambda(args, nil, x.Return)
	return x
}

func (m *Model) variable(v armjson.Value) *bind.Export {
	o, ok := v.(*armjson.Object)
	if !ok {
		return nil
	}
	name, ok := stringMember(o, "name")
	if !ok {
		return nil
	}
	val, err := m.Evaluator().Variable(name)
	switch {
	case err != nil && m.file.StandIn:
		return &bind.Export{Kind: bind.ExportVar, Name: name, Type: types.TMissed}
	case err != nil:
		return nil
	}
	return &bind.Export{Kind: bind.ExportVar, Name: name, Type: types.OfJSON(val)}
}

// Evaluator evaluates the template's variables and functions.
func (m *Model) Evaluator() *eval.TemplateScope {
	if m.eval == nil {
		root := m.root
		if root == nil {
			root = &armjson.Object{}
		}
		m.eval = eval.NewTemplateScope(root, m.budget)
	}
	return m.eval
}

// TypeOf returns the type that a node of the template's schema language, such as
// a definition, describes.
func (m *Model) TypeOf(node *armjson.Object) types.Ref { return m.load.typeOf(node, 0) }
