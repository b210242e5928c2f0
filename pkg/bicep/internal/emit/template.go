package emit

import (
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/ir"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// template writes a whole template, but for its hash.
func (w *writer) template(p *ir.Program) {
	if imports := w.ctx.Imports(); imports != nil {
		p.Types = append(p.Types, imports.Types...)
		p.Funcs = append(p.Funcs, imports.Funcs...)
	}
	w.types = make(map[string]*ir.TypeDecl, len(p.Types))
	for _, t := range p.Types {
		w.types[t.Name] = t
	}
	w.uniqueObject()
	w.stringMember("$schema", schema(w.model.TargetScope()))
	switch {
	case w.ctx.Settings.Experimental && w.features.ModuleExtensionConfigs:
		w.stringMember("languageVersion", "2.2-experimental")
	case w.ctx.Settings.Experimental:
		w.stringMember("languageVersion", "2.1-experimental")
	case w.symbolic:
		w.stringMember("languageVersion", "2.0")
	}
	w.stringMember("contentVersion", "1.0.0.0")
	w.metadata(p)
	w.definitions(p.Types)
	w.functions(p.Funcs)
	w.parameters(p.Params)
	w.variables(p)
	w.extensions(p.Extensions)
	w.resources(p)
	w.outputs(p.Outputs)
	if len(p.Asserts) > 0 {
		w.key("asserts")
		w.object()
		for _, a := range p.Asserts {
			w.member(a.Name, a.Value)
		}
		w.end()
	}
	w.end()
}

func schema(s types.ResourceScope) string {
	const root = "https://schema.management.azure.com/schemas/"
	switch {
	case s&types.ScopeTenant != 0:
		return root + "2019-08-01/tenantDeploymentTemplate.json#"
	case s&types.ScopeManagementGroup != 0:
		return root + "2019-08-01/managementGroupDeploymentTemplate.json#"
	case s&types.ScopeSubscription != 0:
		return root + "2018-05-01/subscriptionDeploymentTemplate.json#"
	}
	return root + "2019-04-01/deploymentTemplate.json#"
}

// experimentalWarning is a fact of the format: readers compare it.
const experimentalWarning = "This template uses ARM features that are experimental. " +
	"Experimental features should be enabled for testing purposes only, as there are no guarantees about the quality or stability " +
	"of these features. Do not enable these settings for any production usage, or your production environment may be subject to breaking."

func (w *writer) metadata(p *ir.Program) {
	w.key("metadata")
	w.object()
	if w.ctx.Settings.Experimental {
		w.stringMember("_EXPERIMENTAL_WARNING", experimentalWarning)
		w.key("_EXPERIMENTAL_FEATURES_ENABLED")
		w.array()
		for _, name := range w.features.Engine() {
			w.item()
			w.string(name)
		}
		w.end()
	}
	w.key("_generator")
	w.uniqueObject()
	w.stringMember("name", "bicep")
	w.stringMember("version", w.emitter.version)
	w.hashAt = len(w.buf)
	w.end()
	w.exportedVars()
	for _, m := range p.Metadata {
		w.member(m.Name, m.Value)
	}
	w.end()
}

// exportedVars says which variables other files may import.
func (w *writer) exportedVars() {
	open := false
	var declared map[string]*bind.Var
	for _, x := range w.model.Exports() {
		if x.Kind != bind.ExportVar {
			continue
		}
		if !open {
			open = true
			declared = map[string]*bind.Var{}
			for _, v := range w.model.Binding().Vars {
				if declared[v.Name()] == nil {
					declared[v.Name()] = v
				}
			}
			w.key(armexpr.ExportedVariablesKey)
			w.array()
		}
		w.item()
		w.uniqueObject()
		w.key("name")
		w.literal(x.Name)
		if x.Description != "" {
			w.key("description")
			w.literal(x.Description)
		}
		if t := w.b.VarType(declared[x.Name]); t != nil {
			w.key("type")
			w.value(w.schema(t))
		}
		w.end()
	}
	if open {
		w.end()
	}
}

// parameters writes the parameters. Names of declarations differ, as the checker has made sure, so
// neither here nor in the sections below are keys compared.
func (w *writer) parameters(list []*ir.Param) {
	if len(list) == 0 {
		return
	}
	w.key("parameters")
	w.uniqueObject()
	for _, p := range list {
		w.key(p.Name)
		o := w.schema(p.Type)
		if p.Default != nil {
			o = ir.MergeProperty(o, "defaultValue", p.Default)
		}
		if p.Allowed != nil {
			o = ir.MergeProperty(o, "allowedValues", p.Allowed)
		}
		w.plainObject(modify(o, &p.Modifiers, false))
	}
	w.end()
}

// plainObject writes an object without loops whose keys are all known.
func (w *writer) plainObject(o *ir.Object) {
	w.object()
	w.plainProperties(o)
	w.end()
}

func (w *writer) plainProperties(o *ir.Object) {
	for _, p := range o.Props {
		if key, ok := p.KeyText(); ok {
			w.member(key, p.Value)
		}
	}
}

func (w *writer) variables(p *ir.Program) {
	open, loops := false, false
	begin := func() {
		if !open {
			open = true
			w.key("variables")
			w.object()
		}
	}
	for v := range w.withImported(p.Loops, true) {
		begin()
		if !loops {
			loops = true
			w.key(copyKey)
			w.array()
		}
		w.item()
		w.copyLoop(v.Name, v.Value.(*ir.ForLoop), true, "")
		w.make.Reset()
	}
	if loops {
		w.end()
	}
	for v := range w.withImported(p.Vars, false) {
		begin()
		w.member(v.Name, v.Value)
		w.make.Reset()
	}
	if open {
		w.end()
	}
}

// withImported returns variables of the file, and after them those that are imported:
// either those whose values are loops, or the others.
func (w *writer) withImported(own ir.Turns[*ir.Var], loops bool) ir.Turns[*ir.Var] {
	return func(yield func(*ir.Var) bool) {
		for v := range own {
			if !yield(v) {
				return
			}
		}
		imports := w.ctx.Imports()
		if imports == nil {
			return
		}
		for _, v := range imports.Vars {
			if _, isLoop := v.Value.(*ir.ForLoop); isLoop == loops && !yield(v) {
				return
			}
		}
	}
}

// extensions lists the extensions that resources come from, in the old form as
// `imports`.
func (w *writer) extensions(list []*ir.Extension) {
	if len(list) == 0 && !w.local {
		return
	}
	newForm := w.features.ModuleExtensionConfigs
	section, nameKey := "imports", "provider"
	if newForm {
		section, nameKey = "extensions", "name"
	}
	w.key(section)
	w.object()
	for _, x := range list {
		w.key(x.Name)
		w.object()
		w.key(nameKey)
		w.literal(x.Settings.TemplateName)
		w.key("version")
		w.literal(x.Settings.TemplateVersion)
		if x.Config != nil {
			w.key("config")
			config, ok := x.Config.(*ir.Object)
			if !newForm || !ok {
				w.value(x.Config)
			} else {
				w.object()
				for _, p := range config.Props {
					if key, ok := p.KeyText(); ok {
						w.key(key)
						w.uniqueObject()
						w.member("defaultValue", p.Value)
						w.end()
					}
				}
				w.end()
			}
		}
		w.end()
	}
	if w.local {
		w.key(localExtension)
		w.uniqueObject()
		w.stringMember(nameKey, "LocalNested")
		w.stringMember("version", "0.0.0")
		w.end()
	}
	w.end()
}

// localExtension is what deploys modules of a file whose target scope is local.
const localExtension = "az0synthesized"

func (w *writer) outputs(list []*ir.Output) {
	if len(list) == 0 {
		return
	}
	w.key("outputs")
	w.uniqueObject()
	for _, o := range list {
		w.key(o.Name)
		w.object()
		w.plainProperties(modify(w.schema(o.Type), &o.Modifiers, false))
		if loop, ok := o.Value.(*ir.ForLoop); ok {
			w.key(copyKey)
			w.copyLoop("", loop, true, "")
		} else {
			v := o.Value
			if _, ok := o.Type.Expressed().(*types.Resource); ok {
				v = &ir.PropertyAccess{At: o.At, Base: v, Name: "id"}
			}
			w.member("value", v)
		}
		w.end()
		w.make.Reset()
	}
	w.end()
}

// functions groups the user functions by namespace, in the order in which the
// namespaces appear first.
func (w *writer) functions(list []*ir.Func) {
	if len(list) == 0 {
		return
	}
	w.key("functions")
	w.array()
	var spaces []string
	members := map[string][]*ir.Func{}
	for _, f := range list {
		if members[f.Namespace] == nil {
			spaces = append(spaces, f.Namespace)
		}
		members[f.Namespace] = append(members[f.Namespace], f)
	}
	for _, space := range spaces {
		w.item()
		w.uniqueObject()
		w.stringMember("namespace", space)
		w.key("members")
		w.uniqueObject()
		for _, f := range members[space] {
			w.key(f.Name)
			w.function(f)
		}
		w.end()
		w.end()
	}
	w.end()
}

func (w *writer) function(f *ir.Func) {
	lambda, ok := f.Lambda.(*ir.Lambda)
	if !ok {
		w.fail(f.Lambda)
		w.null()
		return
	}
	w.uniqueObject()
	w.key("parameters")
	w.array()
	for i, name := range lambda.Params {
		w.item()
		w.plainObject(ir.MergeProperty(w.schema(lambda.Types[i]), "name", irString(name)))
	}
	w.end()
	w.key("output")
	w.plainObject(ir.MergeProperty(w.schema(lambda.Output), "value", lambda.Body))

	lookup := f.Name
	if f.Namespace != armexpr.UserNamespace {
		lookup = f.Namespace + "." + f.Name
	}
	origin, imported := w.ctx.Imports().Origin(lookup)
	if f.Description != nil || f.Exported != nil || imported {
		w.key("metadata")
		w.uniqueObject()
		if f.Description != nil {
			w.member("description", f.Description)
		}
		if f.Exported != nil {
			w.key(armexpr.ExportedKey)
			w.bool(true)
		}
		if imported {
			w.key(armexpr.ImportedFromKey)
			w.uniqueObject()
			w.key("sourceTemplate")
			w.literal(origin.Template)
			if f.Name != origin.Name {
				w.key("originalIdentifier")
				w.literal(origin.Name)
			}
			w.end()
		}
		w.end()
	}
	w.end()
}

func irString(s string) *ir.String { return &ir.String{Value: s} }
