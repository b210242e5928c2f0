package emit

import (
	"net/url"
	"path/filepath"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/ir"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// module writes a module: a deployment that holds the module's template.
func (w *writer) module(m *ir.ModuleDecl) {
	if w.local {
		w.localModule(m)
		return
	}
	scope := w.ctx.ModuleScope(m.Module)
	w.object()
	body := w.shell(m.Body)
	w.stringMember("type", deploymentType)
	w.stringMember("apiVersion", deploymentVersion)
	w.properties(body)
	w.scope(scope, m.BodySyntax)
	if scope.Kind != types.ScopeResourceGroup {
		// Only deployments to resource groups need no location; that of the
		// deployment around is known as such only if it is none.
		from := "deployment"
		if w.model.TargetScope() == types.ScopeResourceGroup {
			from = "resourceGroup"
		}
		w.armMember("location", armexpr.Get(fn(from), "location"))
	}
	w.key("properties")
	w.uniqueObject()
	w.key("expressionEvaluationOptions")
	w.uniqueObject()
	w.stringMember("scope", "inner")
	w.end()
	w.stringMember("mode", "Incremental")
	w.moduleParameters(m)
	w.extensionConfigs(m)
	w.moduleTemplate(m)
	w.end()
	w.dependsOn(m.DependsOn)
	w.description(m.Description)
	w.end()
}

// localModule writes a module of a file whose target scope is local: its template
// is protected against evaluation by the deployment around it.
func (w *writer) localModule(m *ir.ModuleDecl) {
	scope := w.ctx.ModuleScope(m.Module)
	w.object()
	w.extensionOf(localExtension)
	body := w.shell(m.Body)
	w.stringMember("type", deploymentType)
	w.key("properties")
	w.object()
	w.scope(scope, m.BodySyntax)
	w.properties(body)
	w.moduleParameters(m)
	w.extensionConfigs(m)
	w.escapedTemplate(m)
	w.end()
	w.dependsOn(m.DependsOn)
	w.description(m.Description)
	w.end()
}

// callee is the file that a module names.
func (w *writer) callee(m *ir.ModuleDecl) (*graph.File, *Text) {
	ref := w.model.File().Reference(m.Module.Stmt)
	if ref == nil || ref.File == nil {
		w.failf("a module without a file: %s", m.Module.Name())
		return nil, nil
	}
	t, err := w.emitter.text(ref.File, true)
	if err != nil && w.err == nil {
		w.err = err
	}
	return ref.File, t
}

// moduleTemplate writes the template of a module, or where it is kept.
func (w *writer) moduleTemplate(m *ir.ModuleDecl) {
	f, t := w.callee(m)
	if f != nil && f.Kind == graph.TemplateSpec {
		w.key("templateLink")
	} else {
		w.key("template")
	}
	if t != nil {
		w.nested(t)
	}
	w.emitter.used(f)
}

// escapedTemplate writes the template of a module so that none of it is evaluated
// along with the one around it, and says which file it came from.
func (w *writer) escapedTemplate(m *ir.ModuleDecl) {
	f, t := w.callee(m)
	if f == nil || t == nil {
		return
	}
	v, err := armjson.ParseBytes(t.flatText(), armjson.Options{MaxDepth: 1 << 20})
	if err != nil {
		w.failf("the template of %s: %v", f.Path, err)
		return
	}
	w.key("template")
	w.nested(&Text{bytes: armjson.Append(nil, escapeStrings(v), armjson.Indented)})
	w.emitter.used(f)
	if f.Kind == graph.Bicep {
		w.stringMember("sourceUri", fileURI(f.Path))
	}
}

// escapeStrings protects all strings within a value from evaluation.
func escapeStrings(v armjson.Value) armjson.Value {
	switch v := v.(type) {
	case armjson.String:
		if strings.HasPrefix(string(v), "[") {
			return "[" + v
		}
	case armjson.Array:
		for i := range v {
			v[i] = escapeStrings(v[i])
		}
	case *armjson.Object:
		for i := range v.Len() {
			v.Set(v.At(i).Key, escapeStrings(v.At(i).Value))
		}
	}
	return v
}

// fileURI is the URI of a file on this machine.
func fileURI(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

func (w *writer) moduleParameters(m *ir.ModuleDecl) {
	params, ok := m.Params.(*ir.Object)
	if !ok {
		return
	}
	w.key("parameters")
	w.object()
	for _, p := range params.Props {
		key, _ := p.KeyText()
		switch v := p.Value.(type) {
		case *ir.ForLoop:
			w.key(key)
			w.valueLoop(v)
		case *ir.ResourceRef:
			if w.takesResource(m.Module, key) {
				w.member(key, parameterValue(&ir.PropertyAccess{At: v.At, Base: v, Name: "id"}))
				continue
			}
			w.member(key, parameterValue(v))
		default:
			w.member(key, parameterValue(v))
		}
	}
	w.end()
}

// takesResource reports whether a parameter of a module is a resource: it is given an id.
func (w *writer) takesResource(m *bind.Module, param string) bool {
	t := types.UnwrapModule(w.model.TypeOf(m.Stmt))
	if t == nil {
		return false
	}
	_, ok := t.ParamType(param).(*types.ResourceParam)
	return ok
}

// valueLoop writes a loop as the value of a parameter of a nested deployment.
func (w *writer) valueLoop(loop *ir.ForLoop) {
	w.uniqueObject()
	w.key(copyKey)
	w.array()
	w.item()
	w.copyLoop("value", loop, true, "value")
	w.end()
	w.end()
}

// parameterValue wraps a value as the parameter of a nested deployment. A secret
// of a key vault is referred to; either branch of a choice may be one.
func parameterValue(v ir.Expr) ir.Expr {
	switch v := v.(type) {
	case *ir.ResourceCall:
		if v.Name == "getSecret" {
			return object("reference", secretReference(v))
		}
	case *ir.Ternary:
		return &ir.Ternary{At: v.At, Cond: v.Cond, Then: parameterValue(v.Then), Else: parameterValue(v.Else)}
	}
	return object("value", v)
}

func object(key string, v ir.Expr) *ir.Object {
	return &ir.Object{Props: []*ir.Property{{Key: irString(key), Value: v}}}
}

func secretReference(call *ir.ResourceCall) *ir.Object {
	o := object("keyVault", object("id", &ir.PropertyAccess{At: call.Resource.At, Base: call.Resource, Name: "id"}))
	o.Props = append(o.Props, &ir.Property{Key: irString("secretName"), Value: call.Args[0]})
	if len(call.Args) > 1 {
		o.Props = append(o.Props, &ir.Property{Key: irString("secretVersion"), Value: call.Args[1]})
	}
	return o
}

func (w *writer) extensionConfigs(m *ir.ModuleDecl) {
	configs, ok := m.ExtensionConfigs.(*ir.Object)
	if !ok || !w.features.ModuleExtensionConfigs {
		return
	}
	w.key("extensionConfigs")
	w.object()
	for _, alias := range configs.Props {
		key, _ := alias.KeyText()
		w.key(key)
		config, ok := alias.Value.(*ir.Object)
		if !ok {
			// The configuration of another extension, as a whole.
			w.language(alias.Value)
			continue
		}
		w.object()
		for _, p := range config.Props {
			key, _ := p.KeyText()
			if loop, ok := p.Value.(*ir.ForLoop); ok {
				w.key(key)
				w.valueLoop(loop)
				continue
			}
			w.member(key, configValue(p.Value))
		}
		w.end()
	}
	w.end()
}

// configValue wraps a value as one of an extension's configuration. A value taken
// from the configuration of another extension is wrapped already.
func configValue(v ir.Expr) ir.Expr {
	switch v := v.(type) {
	case *ir.ResourceCall:
		if v.Name == "getSecret" {
			return object("keyVaultReference", secretReference(v))
		}
	case *ir.Ternary:
		return &ir.Ternary{At: v.At, Cond: v.Cond, Then: configValue(v.Then), Else: configValue(v.Else)}
	case *ir.PropertyAccess:
		if p, ok := v.Base.(*ir.PropertyAccess); ok && p.Name == "config" {
			if _, ok := p.Base.(*ir.ExtensionRef); ok {
				return v
			}
		}
	}
	return object("value", v)
}
