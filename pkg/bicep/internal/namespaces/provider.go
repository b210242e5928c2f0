// Package namespaces makes the namespaces that a file sees: sys and az, those of extensions, and
// `this`, with their functions, decorators and resource types.
//
// Few facts about a file decide what its namespaces hold (see key). A namespace is made once for
// all files in which these are the same.
//
// Begin with NewProvider. The tables of functions are in sys.go, az.go and the files beside them.
// Package eval computes the values of calls.
package namespaces

import (
	"cmp"
	"sync"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/aztypes"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/memo"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/typelib"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Model is what functions and decorators need to know of the file that uses them.
// *check.Model implements it, and is what types.CallContext.Model returns.
type Model interface {
	types.Model
	File() *graph.File
	Binding() *bind.Binding
}

func modelOf(ctx types.CallContext) Model { return ctx.Model().(Model) }

// Environment is where readEnvironmentVariable reads.
type Environment interface {
	Lookup(name string) (value string, ok bool)
	// Hint says what to do about a variable that Lookup does not find; it may be "".
	Hint(name string) string
}

// Provider makes namespaces. It may be used from several goroutines.
type Provider struct {
	options Options
	az      *typelib.Az // nil if there is no library of Azure's types

	mu        sync.Mutex
	made      map[key]*types.Namespace
	libraries map[string]*library
}

// common are the namespaces that are the same in all programs. They are made once in the
// process, since a process may compile many programs.
var common struct {
	k8s  typelib.Kubernetes
	aws  typelib.AWS
	made memo.Map[key, *types.Namespace]
}

var (
	// azWithoutLibrary provides the shape that all resources of Azure have.
	azWithoutLibrary = sync.OnceValue(func() *typelib.Az { return typelib.NewAz(nil) })

	commonThis = sync.OnceValue(newThis)
)

// key holds what a namespace depends on.
type key struct {
	builtIn string          // the name of what is known without an archive …
	radius  *typelib.Radius // … whose release this is
	archive string          // … or the path of the archive
	alias   string
	params  bool
	scope   types.ResourceScope // of az
	flags   features
}

// features are those that change what a namespace holds.
type features struct {
	release                                                        release.Version
	waitUntil, retryOn, nullIfNotFound                             bool
	constraints, patch, deployCommands, extensionConfigs, azConfig bool
}

func featuresOf(c *config.Config) features {
	f := &c.Features
	return features{c.Release, f.WaitUntil || f.WaitAndRetry, c.Has(release.RetryOnIsFree) || f.WaitAndRetry,
		c.Has(release.ThisAndNullAreFree) ||
			f.ExistingNullIfNotFound, f.UserDefinedConstraints, f.Patch, f.DeployCommands, f.ModuleExtensionConfigs, f.AzExtensionConfig}
}

// library is an archive that was tried.
type library struct {
	provider *typelib.Extension
	az       *typelib.Az // of an archive of Azure's types; there is no provider then
	problem  *diag.Problem
}

// noVariables is an empty environment.
type noVariables struct{}

func (noVariables) Lookup(string) (string, bool) { return "", false }
func (noVariables) Hint(string) string           { return "" }

// hidden is an environment whose values are not looked at.
type hidden struct{ Environment }

// Options say where a provider finds what is not in the program. All may be nil.
type Options struct {
	// Environment is what functions read; nil is an empty one. Hidden says that values are not looked at.
	Environment Environment
	Hidden      bool
	// AzTypes opens the library of Azure's types. It returns nil if there is none.
	AzTypes func() *aztypes.Library
	// Converted returns the library that an archive of Azure's types is made into,
	// from where it was kept, or by convert. Without convert it returns nil if it was
	// not kept.
	Converted func(archive []byte, convert func() ([]byte, error)) (*aztypes.Library, error)
}

// NewProvider returns a provider.
func NewProvider(o Options) *Provider {
	if o.Environment == nil {
		o.Environment = noVariables{}
	}
	if o.Hidden {
		o.Environment = hidden{o.Environment}
	}
	if o.Converted == nil {
		o.Converted = convertAlways
	}
	p := &Provider{options: o, made: make(map[key]*types.Namespace), libraries: make(map[string]*library)}
	if o.AzTypes != nil {
		p.az = typelib.NewAz(o.AzTypes)
	}
	return p
}

// convertAlways keeps nothing.
func convertAlways(_ []byte, convert func() ([]byte, error)) (*aztypes.Library, error) {
	if convert == nil {
		return nil, nil
	}
	data, err := convert()
	if err != nil {
		return nil, err
	}
	return aztypes.Verified(data)
}

// This returns the namespace that `this` is in the body of a resource.
func (p *Provider) This() types.Type { return commonThis() }

// Namespaces returns the namespaces that a file sees: those of its extension
// statements in order, then those that need none.
func (p *Provider) Namespaces(f *graph.File, scope types.ResourceScope) (list []bind.Namespace) {
	implicit := f.Implicit
	taken := make(map[string]bool)
	for i := range implicit {
		if implicit[i].Name == "sys" {
			list = append(list, bind.Namespace{Name: "sys", Type: types.NewError(diag.BCP419.At(source.Span{}, "sys"))})
		}
	}
	for _, s := range f.Tree.Stmts {
		x, ok := s.(*syntax.Extension)
		if !ok {
			continue
		}
		t := p.declared(f, scope, x)
		name := aliasOf(x)
		if ns, ok := t.(*types.Namespace); ok {
			taken[ns.Settings.ExtensionName] = true
			name = cmp.Or(name, ns.Name)
		} else if name == "" {
			name = t.String()
		}
		list = append(list, bind.Namespace{Name: name, Type: t, Origin: x})
	}
	for i := range implicit {
		if x := &implicit[i]; x.Name != "sys" && !taken[x.Name] {
			list = append(list, bind.Namespace{Name: x.Name, Type: p.implied(f, scope, x)})
		}
	}
	if !taken["sys"] {
		list = append(list, bind.Namespace{Name: "sys", Type: p.builtIn(f, scope, "sys", nil, "sys")})
	}
	return list
}

// aliasOf returns the name that a statement gives its namespace: its alias, or else
// the identifier that it names. A statement that names a path may have neither.
func aliasOf(x *syntax.Extension) string {
	if x.As != nil {
		if x.As.Name != nil && x.As.Name.Valid() {
			return x.As.Name.Name
		}
		return ""
	}
	if id, ok := x.Spec.(*syntax.Ident); ok {
		return id.Name
	}
	return ""
}

// declared returns the namespace of an extension statement.
func (p *Provider) declared(f *graph.File, scope types.ResourceScope, x *syntax.Extension) types.Type {
	r := f.Reference(x)
	switch {
	case r == nil:
		id, ok := x.Spec.(*syntax.Ident)
		if !ok {
			return types.NewError()
		}
		if t := p.builtIn(f, scope, id.Name, nil, aliasOf(x)); t != nil {
			return t
		}
		return types.NewError(diag.BCP398.At(x.Span(), id.Name, f.Config.Source()))
	case r.Problem != nil:
		return types.NewError(r.Problem.At(r.Span()))
	case r.Archive != nil:
		ns, problem := p.archived(f, scope, r.Archive, aliasOf(x))
		if problem != nil {
			return types.NewError(problem.At(r.Span()))
		}
		return ns
	case r.BuiltIn != "":
		return p.builtIn(f, scope, r.BuiltIn, r.Artifact, aliasOf(x))
	}
	return types.NewError()
}

// implied returns the namespace of an extension that the configuration adds.
func (p *Provider) implied(f *graph.File, scope types.ResourceScope, x *graph.ImplicitExtension) types.Type {
	switch {
	case x.Missing:
		return types.NewError(diag.BCP397.At(source.Span{}, x.Name, f.Config.Source()))
	case x.Problem != nil:
		return types.NewError(x.Problem.At(source.Span{}))
	case x.Archive != nil:
		ns, problem := p.archived(f, scope, x.Archive, x.Name)
		if problem != nil {
			return types.NewError(problem.At(source.Span{}))
		}
		return ns
	}
	name := cmp.Or(x.BuiltIn, x.Name)
	if name == "microsoftGraph" {
		return types.NewError(diag.BCP407.At(source.Span{}))
	}
	if t := p.builtIn(f, scope, name, x.Artifact, x.Name); t != nil {
		return t
	}
	return types.NewError(diag.BCP398.At(source.Span{}, name, f.Config.Source()))
}

// builtIn returns a namespace that is known without an archive, or nil. It may stand in for an artifact.
func (p *Provider) builtIn(f *graph.File, scope types.ResourceScope, name string, of *artifact.Reference, alias string) types.Type {
	k := key{builtIn: name, alias: alias, params: f.Kind == graph.Params, flags: featuresOf(f.Config)}
	switch name {
	case "sys":
		if !k.params { // the functions of parameter files read the environment
			return common.made.Get(k, func() *types.Namespace { return newSys(alias, false, k.flags, nil) })
		}
		return p.get(k, func() *types.Namespace { return newSys(alias, true, k.flags, p.options.Environment) })
	case "az":
		k.scope = scope
		if p.az != nil {
			return p.get(k, func() *types.Namespace { return azNamespace(k, p.az) })
		}
		return common.made.Get(k, func() *types.Namespace { return azNamespace(k, azWithoutLibrary()) })
	case "kubernetes":
		return common.made.Get(k, func() *types.Namespace {
			return newExtension(alias, typelib.KubernetesSettings(), k.flags, nil, &common.k8s)
		})
	case "radius":
		tag := ""
		if of != nil {
			tag = of.Tag
		}
		k.radius = typelib.RadiusOf(tag)
		return common.made.Get(k, func() *types.Namespace {
			return newExtension(alias, typelib.RadiusSettings(), k.flags, nil, k.radius)
		})
	case "aws":
		return common.made.Get(k, func() *types.Namespace { return newExtension(alias, typelib.AWSSettings(), k.flags, nil, &common.aws) })
	}
	return nil
}

func azNamespace(k key, az *typelib.Az) *types.Namespace {
	if k.scope == types.ScopeLocal {
		return newAz(k.alias, k.scope, k.params, k.flags.release, typelib.Empty{})
	}
	ns := newAz(k.alias, k.scope, k.params, k.flags.release, az)
	if k.flags.azConfig {
		ns.Settings.Config = az.Config()
	}
	return ns
}

func (p *Provider) get(k key, build func() *types.Namespace) *types.Namespace {
	p.mu.Lock()
	defer p.mu.Unlock()
	ns := p.made[k]
	if ns == nil {
		ns = build()
		p.made[k] = ns
	}
	return ns
}

// archived returns the namespace of an archive of types.
func (p *Provider) archived(f *graph.File, scope types.ResourceScope, a *graph.Archive, alias string) (*types.Namespace, *diag.Problem) {
	p.mu.Lock()
	lib := p.libraries[a.Path]
	p.mu.Unlock()
	if lib == nil {
		lib = p.openLibrary(a)
		p.mu.Lock()
		if first := p.libraries[a.Path]; first != nil {
			lib = first
		}
		p.libraries[a.Path] = lib
		p.mu.Unlock()
	}
	if lib.problem != nil {
		return nil, lib.problem
	}
	k := key{archive: a.Path, alias: alias, params: f.Kind == graph.Params, flags: featuresOf(f.Config)}
	if lib.az != nil {
		k.scope = scope
		return p.get(k, func() *types.Namespace {
			ns := newAz(alias, scope, k.params, k.flags.release, lib.az)
			if k.flags.azConfig {
				ns.Settings.Config = lib.az.Config()
			}
			return ns
		}), nil
	}
	settings := lib.provider.Library().Settings()
	return p.get(k, func() *types.Namespace {
		alias = cmp.Or(alias, settings.ExtensionName)
		kind := typelib.BicepFile
		if k.params {
			kind = typelib.ParamsFile
		}
		return newExtension(alias, settings, k.flags, lib.provider.Library().Functions(kind), lib.provider)
	}), nil
}

// largeArchive is how large an archive has to be for it to be worth finding out
// whether it was converted before it is unpacked.
const largeArchive = 1 << 20

// Broken returns what kept the types of an archive from being read, after they were
// asked for.
func (p *Provider) Broken(a *graph.Archive) error {
	p.mu.Lock()
	lib := p.libraries[a.Path]
	p.mu.Unlock()
	if lib == nil || lib.provider == nil {
		return nil
	}
	return lib.provider.Library().Err()
}

func (p *Provider) openLibrary(archive *graph.Archive) *library {
	if len(archive.Packed) >= largeArchive {
		if lib, err := p.options.Converted(archive.Packed, nil); lib != nil && err == nil {
			return azLibrary(lib)
		}
	}
	data, problem := archive.Types()
	if problem != nil {
		return &library{problem: problem}
	}
	broken := func(err error) *library { return &library{problem: diag.BCP396.With(err.Error())} }
	a, err := typelib.NewArchive(data)
	if err != nil {
		return broken(err)
	}
	l, err := typelib.OpenLibrary(a)
	if err != nil {
		return broken(err)
	}
	if !l.IsAz() {
		return &library{provider: typelib.NewExtension(l)}
	}
	lib, err := p.options.Converted(archive.Packed, func() ([]byte, error) { return l.PackAz("an archive") })
	if err != nil {
		return broken(err)
	}
	return azLibrary(lib)
}

func azLibrary(lib *aztypes.Library) *library {
	return &library{az: typelib.NewAz(func() *aztypes.Library { return lib })}
}

// newExtension makes the namespace of an extension.
func newExtension(alias string, s types.NamespaceSettings, on features,
	functions []*types.FunctionOverload, resources types.ResourceTypeProvider) *types.Namespace {
	alias = cmp.Or(alias, s.ExtensionName)
	var ps []types.Property
	if on.extensionConfigs && s.Config != nil {
		ps = append(ps, types.Property{Name: "config", Type: s.Config, Flags: types.ReadOnly})
	}
	return types.NewNamespace(alias, s, ps, functions, nil, nil, resources)
}
