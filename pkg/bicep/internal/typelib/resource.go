package typelib

import (
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

const anywhere = types.ScopeTenant | types.ScopeManagementGroup | types.ScopeSubscription | types.ScopeResourceGroup | types.ScopeResource

// resourceType is what an archive says about a resource type.
type resourceType struct {
	ref                    *types.ResourceTypeReference
	parentScopes, readOnly types.ResourceScope
	flags                  types.ResourceFlags
	body                   types.Type
}

// resource reads the resource type that at points to. It is nil if there is none.
func (l *Library) resource(at ref) *resourceType {
	f, i := l.at(nil, at)
	if f == nil {
		if f = l.file(at.File); f != nil {
			f.broken("it has no type %d, which the index names", at.Index)
		}
		return nil
	}
	x := f.element(i)
	if x.kind != "ResourceType" {
		f.broken("type %d is not a resource type, and the index names it as one", i)
		return nil
	}
	r := &resourceType{ref: types.ParseResourceType(f.str(x.name)), body: f.resolve(f.ref(x.body), true)}
	if r.ref == nil {
		return nil
	}
	if o, ok := r.body.(*types.Object); ok && x.functions != 0 {
		if methods := f.methods(x.functions); len(methods) > 0 {
			r.body = o.With(func(o *types.Object) { o.Methods = types.NewFunctions(o, methods, nil) })
		}
	}
	readable, writable := f.scopes(x)
	r.parentScopes, r.readOnly = readable|writable, readable&^writable
	switch {
	case writable == 0 && readable != 0:
		r.flags = types.ResourceReadOnly
	case readable == 0 && writable != 0:
		r.flags = types.ResourceWriteOnly
	}
	return r
}

// The scopes of an archive.
const (
	scopeTenant = 1 << iota
	scopeManagementGroup
	scopeSubscription
	scopeResourceGroup
	scopeExtension
	scopeAll = 1<<iota - 1
)

// scopes returns where a resource can be read and where it can be deployed. The
// older form has one set of scopes, some of which are for reading only.
func (f *typeFile) scopes(x fields) (readable, writable types.ResourceScope) {
	if x.readable != 0 || x.writable != 0 {
		readable, writable = scopeSet(f.number(x.readable)), scopeSet(f.number(x.writable))
	} else {
		const readOnlyFlag = 1
		all := f.number(x.scope)
		readable = scopeSet(all)
		if f.number(x.flags)&readOnlyFlag == 0 {
			writable = scopeSet(all &^ f.number(x.readOnly))
		}
	}
	if readable == 0 && writable == 0 {
		readable, writable = scopeSet(scopeAll), scopeSet(scopeAll)
	}
	return readable, writable
}

func scopeSet(in int) (out types.ResourceScope) {
	if in == scopeAll {
		return anywhere | types.ScopeLocal
	}
	for _, s := range [...]struct {
		in  int
		out types.ResourceScope
	}{{scopeTenant, types.ScopeTenant}, {scopeManagementGroup, types.ScopeManagementGroup}, {scopeSubscription, types.ScopeSubscription},
		{scopeResourceGroup, types.ScopeResourceGroup}, {scopeExtension, types.ScopeResource}} {
		if in&s.in != 0 {
			out |= s.out
		}
	}
	return out
}

// methods reads the functions of a resource.
func (f *typeFile) methods(at int32) (list []*types.FunctionOverload) {
	c := f.cursor(at)
	if !c.Optional('{') {
		return nil
	}
	c.Object(func(name string) {
		o := &types.FunctionOverload{Name: name, Flags: types.RequiresInlining, Return: types.TAny}
		if !c.Optional('{') {
			return
		}
		c.Object(func(key string) {
			switch key {
			case "type":
				if g, i := f.lib.at(f, c.Ref()); g != nil {
					x := g.element(i)
					if x.kind == "FunctionType" {
						o.Return = g.resolve(g.ref(x.output), false)
						o.Params = g.parameters(x.parameters, false)
					}
				}
			default:
				c.Skip()
			}
		})
		list = append(list, o)
	})
	return list
}

// parameters reads the parameters of a function. Those of a resource's function
// are all required; others say it by flags.
func (f *typeFile) parameters(at int32, flagged bool) (list []types.Param) {
	if at == 0 {
		return nil
	}
	c := f.cursor(at)
	if !c.Optional('[') {
		return nil
	}
	c.Array(func() {
		p := types.Param{Type: types.TAny, Flags: types.ParamRequired}
		if !c.Optional('{') {
			return
		}
		flags := 0
		c.Object(func(key string) {
			switch key {
			case "name":
				p.Name = c.Text()
			case "type":
				p.Type = f.resolve(c.Ref(), false)
			case "flags":
				flags = c.Number()
			default:
				c.Skip()
			}
		})
		if flagged {
			p.Flags = 0
			if flags&1 != 0 {
				p.Flags |= types.ParamRequired
			}
			if flags&2 != 0 {
				p.Flags |= types.ParamConstant
			}
			if flags&4 != 0 {
				p.Flags |= types.ParamDeployTimeConstant
			}
		}
		list = append(list, p)
	})
	return list
}

// FileKind says in which kind of file a function can be called.
type FileKind uint8

const (
	AnyFile FileKind = iota
	BicepFile
	ParamsFile
)

// Functions returns the functions of the extension's namespace.
func (l *Library) Functions(in FileKind) (list []*types.FunctionOverload) {
	for _, at := range l.index.functions {
		f, i := l.at(nil, at)
		if f == nil {
			continue
		}
		x := f.element(i)
		if visible := FileKind(f.number(x.visible)); x.kind != "NamespaceFunctionType" ||
			visible != AnyFile && visible <= ParamsFile && visible != in {
			continue
		}
		o := &types.FunctionOverload{Name: f.str(x.name), Return: types.TAny}
		if x.outputType != 0 {
			o.Return = f.resolve(f.ref(x.outputType), false)
		}
		o.Params = f.parameters(x.parameters, true)
		if e := f.str(x.evaluated); !blank(e) {
			fn := &types.Expansion{Expression: e}
			for i := range o.Params {
				fn.Params = append(fn.Params, o.Params[i].Name)
			}
			o.Evaluator, o.Expansion = types.EvaluateExtension, fn
			if calls(e, "externalInput") {
				o.Flags |= types.RequiresExternalInput
			}
		}
		list = append(list, o)
	}
	return list
}

func blank(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] > ' ' {
			return false
		}
	}
	return true
}

// calls reports whether an ARM expression calls a function: its name is before
// a parenthesis, and not within a string.
func calls(expr, function string) bool {
	quoted := false
	for i := 0; i < len(expr); i++ {
		if expr[i] == '\'' {
			quoted = !quoted
		}
		if quoted || i+len(function) >= len(expr) || expr[i:i+len(function)] != function {
			continue
		}
		j := i + len(function)
		for j < len(expr) && expr[j] == ' ' {
			j++
		}
		if j < len(expr) && expr[j] == '(' && (i == 0 || !letter(expr[i-1])) {
			return true
		}
	}
	return false
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// Settings returns what the extension says of itself.
func (l *Library) Settings() types.NamespaceSettings {
	s := l.index.settings
	out := types.NamespaceSettings{Singleton: s.singleton, ExtensionName: s.name, TemplateName: s.name, TemplateVersion: s.version}
	if f, i := l.at(nil, s.config); f != nil {
		out.Config, _ = f.convert(i, false).(types.ObjectLike)
	}
	if s.name == graphBetaName {
		out.TemplateName = graphName
	}
	return out
}
