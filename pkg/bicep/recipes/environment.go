package recipes

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
)

// environment is what an environment says of recipes.
type environment struct {
	id, name   string
	namespace  string
	azure, aws string // scopes
	simulated  bool
	parameters *armjson.Object // by type
	packs      []*pack
	failed     bool
}

// pack is a recipe pack.
type pack struct {
	name    string
	recipes *armjson.Object
}

// recipe is what a pack says of a type.
type recipe struct {
	pack, source, kind string
	plainHTTP          bool          // its registry is asked without TLS
	declared           armjson.Value // all of it
	parameters         *armjson.Object
	outputs, secrets   *armjson.Object // names of outputs by those of properties
}

// plane is what the IDs of Radius' resources begin with. Radius tells its letters from capitals.
const plane = "/planes/radius/"

// unfit says what is wrong with what a pack says of a type: what is not known, which may be a mistake or not, or its form.
func (r *recipe) unfit(path ...string) (at []string, code, wrong string) {
	declared, _ := r.declared.(*armjson.Object)
	at = unknownPart(r.declared, 1, path...)
	if outputs := declared.Value("outputs"); at == nil && outputs != nil {
		at = unknownPart(outputs, 2, append(path, "outputs")...)
	}
	if at != nil {
		return at, CodeUnknown, "is secret as a whole, or not known before the deployment"
	}
	at, wrong = mismatch(r.declared, recipeForm(), path)
	return at, CodeEnvironment, wrong
}

// recipeForm is the form of what a pack says of a type.
var recipeForm = sync.OnceValue(func() *armjson.Object {
	v, _ := armjson.Parse(`{"type": "object", "properties": {"kind": {"type": "string"}, "source": {"type": "string"},
		"recipeKind": {"type": "string"}, "recipeLocation": {"type": "string"}, "parameters": {"type": "object", "nullable": true},
		"outputs": {"type": "object", "nullable": true, "properties": {"secrets": {"type": "object", "nullable": true}}}}}`,
		armjson.Options{})
	return v.(*armjson.Object)
})

// environmentOf returns the environment of a resource; nil if that fails.
func (e *Engine) environmentOf(s *state, properties *armjson.Object, find expand.Finder) *environment {
	v, _ := properties.Get("environment")
	id, ok := v.(armjson.String)
	if !ok {
		e.fail(s, CodeUnknown, "its environment is not known before the deployment: %s", expand.Text(v))
		return nil
	}
	if !strings.HasPrefix(string(id), plane) {
		e.fail(s, CodeEnvironment, "its environment %s is no ID that Radius takes: one begins with %s", id, plane)
		return nil
	}
	key := strings.ToLower(string(id))
	if e.environments[key] == nil {
		e.environments[key] = e.readEnvironment(s, string(id), find)
	}
	found := *e.environments[key]
	found.id, found.name = string(id), string(id[strings.LastIndexByte(string(id), '/')+1:]) // as they were typed here
	return &found
}

// declared returns the resource of an ID, in the program that is deployed or in others.
func (e *Engine) declared(id string, find expand.Finder) *expand.Resource {
	if r, err := find(id); r != nil || err != nil {
		return r
	}
	for _, list := range [][]*expand.Result{e.o.Declared, e.o.Packs} {
		for _, result := range list {
			for _, r := range result.Resources {
				if known, _ := expand.Known(r.ID); strings.EqualFold(known, id) && !r.Existing {
					return r
				}
			}
		}
	}
	return nil
}

// typed returns the resources of a type in programs.
func typed(programs []*expand.Result, kind string) (list []*expand.Resource) {
	for _, result := range programs {
		for _, r := range result.Resources {
			if strings.EqualFold(r.Type, kind) && !r.Existing {
				list = append(list, r)
			}
		}
	}
	return list
}

const (
	environmentType = "Radius.Core/environments"
	packType        = "Radius.Core/recipePacks"
	oldEnvironment  = "Applications.Core/environments"
)

// failEnvironment refuses an environment, of which a resource is the first that is seen.
func (e *Engine) failEnvironment(s *state, env *environment, code, format string, args ...any) {
	env.failed = true
	e.fail(s, code, format, args...).Resource = nil
}

// readEnvironment reads the environment of an ID.
func (e *Engine) readEnvironment(s *state, id string, find expand.Finder) *environment {
	env := &environment{id: id, name: id[strings.LastIndexByte(id, '/')+1:]}
	r := e.declared(id, find)
	switch others := typed(e.o.Declared, environmentType); {
	case strings.Contains(strings.ToLower(id), strings.ToLower("/"+oldEnvironment+"/")):
		e.failEnvironment(s, env, CodeOldType, "its environment is one of %s; %s", oldEnvironment, replacement(oldEnvironment))
		return env
	case r == nil && len(others) > 0:
		e.failEnvironment(s, env, CodeEnvironment,
			"its environment %s is neither in the program nor among those that are declared beside it: %s", id, named(others))
		return env
	case r == nil:
		env.namespace = cmp.Or(e.o.Namespace, "default")
		e.Notices = append(e.Notices, fmt.Sprintf("no environment is declared: %s has the namespace %s and Radius' default recipe pack",
			env.name, env.namespace))
	}
	var packs []expand.Value
	if r != nil {
		packs = e.readProperties(s, env, r)
	}
	e.readPacks(s, env, packs, find)
	return env
}

func named(list []*expand.Resource) string {
	var names []string
	for _, r := range list {
		names = append(names, expand.Text(r.ID))
	}
	return strings.Join(names, ", ")
}

// readProperties reads what an environment says, and returns its packs.
func (e *Engine) readProperties(s *state, env *environment, r *expand.Resource) (packs []expand.Value) {
	v, _ := r.Body.Get("properties")
	if path := unknownPart(v, 2, "properties"); path != nil {
		env.failed = true
		e.refuse(r.Property(path...), CodeUnknown, "%s of the environment %s is secret, or not known before the deployment",
			strings.Join(path, "."), env.name)
		return nil
	}
	properties, ok := v.(*armjson.Object)
	if !ok {
		return nil
	}
	text := func(o *armjson.Object, name string) string {
		v, ok := o.Get(name)
		t, known := expand.Known(v)
		if ok && !known {
			env.failed = true
			e.refuse(r.Property("properties", "providers"), CodeUnknown,
				"the %s of the environment %s is not known before the deployment: %s", name, env.name, expand.Text(v))
		}
		return t
	}
	providers := properties.Object("providers")
	if k := providers.Object("kubernetes"); k != nil {
		if env.namespace = cmp.Or(text(k, "namespace"), "default"); k.Find("namespace") < 0 {
			env.failed = true
			e.refuse(r.Property("properties", "providers", "kubernetes"), CodeEnvironment,
				"the environment %s has no providers.kubernetes.namespace, which Radius demands", env.name)
		}
	}
	if a := providers.Object("azure"); a != nil {
		env.azure = "/subscriptions/" + text(a, "subscriptionId")
		if group := text(a, "resourceGroupName"); group != "" {
			env.azure += "/resourceGroups/" + group
		}
	}
	if a := providers.Object("aws"); a != nil {
		env.aws = "/planes/aws/aws/accounts/" + text(a, "accountId") + "/regions/" + text(a, "region")
	}
	if env.simulated = properties.Is("simulated"); env.simulated {
		e.Notices = append(e.Notices, "the environment "+env.name+" is simulated: no recipe runs in it, and its resources make no objects")
	}
	env.parameters = properties.Object("recipeParameters")
	if v, ok := properties.Get("recipePacks"); ok {
		list, ok := v.(armjson.Array)
		if !ok {
			e.failEnvironment(s, env, CodeUnknown, "the recipe packs of the environment %s are not known before the deployment", env.name)
		}
		packs = list
	}
	return packs
}

// unknownPart returns where a value is not known as a whole, down to a depth; nil if it is. What is deeper may be a mark.
func unknownPart(v expand.Value, depth int, path ...string) []string {
	if _, unknown := v.(expand.Unknown); unknown {
		return path
	}
	if o, ok := v.(*armjson.Object); ok && depth > 0 {
		if expand.HasUnknownName(o) {
			return path
		}
		for name, x := range o.All() {
			if at := unknownPart(x, depth-1, append(slices.Clip(path), name)...); at != nil {
				return at
			}
		}
	}
	return nil
}

// readPacks finds the packs of an environment, and those that come after. One that has none gets the default pack, as rad deploy
// does. No type may be in two of them.
func (e *Engine) readPacks(s *state, env *environment, ids []expand.Value, find expand.Finder) {
	for _, v := range ids {
		id, known := expand.Known(packID(env.id, v))
		r := e.declared(id, find)
		if !known || r == nil || !strings.EqualFold(r.Type, packType) {
			e.failEnvironment(s, env, CodeEnvironment,
				"its environment %s names the recipe pack %s, which is neither in the program nor beside it", env.name, expand.Text(v))
			continue
		}
		env.packs = append(env.packs, e.packOf(env, r))
	}
	for _, r := range typed(e.o.Packs, packType) {
		env.packs = append(env.packs, e.packOf(env, r))
	}
	for _, release := range e.o.Default {
		env.packs = append(env.packs, defaultPack(release))
	}
	if len(env.packs) == 0 {
		env.packs = []*pack{defaultPack(e.o.Release)}
	}
	first := map[string]*pack{}
	for i, p := range env.packs {
		if slices.Contains(env.packs[:i], p) {
			continue
		}
		for kind := range p.recipes.All() {
			kind = strings.ToLower(kind)
			if had := first[kind]; had != nil {
				e.failEnvironment(s, env, CodeTwice,
					"its environment %s has two recipes for %s: in the packs %s and %s", env.name, kind, had.name, p.name)
			}
			first[kind] = p
		}
	}
}

// packID returns the ID of a pack that an environment names, or only its name.
func packID(environment string, v expand.Value) expand.Value {
	if name, known := expand.Known(v); known && !strings.HasPrefix(name, "/") {
		scope, _, _ := strings.Cut(environment, "/providers/")
		return armjson.String(scope + "/providers/" + packType + "/" + name)
	}
	return v
}

// keptEnvironment returns the properties of an environment as Radius keeps them. rad deploy gives one without packs the default pack.
func keptEnvironment(id string, properties *armjson.Object) *armjson.Object {
	kept := properties.Clone()
	if packs, known := kept.Value("recipePacks").(armjson.Array); known || kept.Find("recipePacks") < 0 {
		if packs = slices.Clone(packs); len(packs) == 0 {
			packs = armjson.Array{armjson.String(plane + "local/resourceGroups/default/providers/" + packType + "/default")}
		}
		for i, v := range packs {
			packs[i] = packID(id, v)
		}
		kept.Set("recipePacks", packs)
	}
	if !kept.Is("simulated") {
		kept.Delete("simulated")
	}
	return armjson.Sorted(kept).(*armjson.Object)
}

func (e *Engine) packOf(env *environment, r *expand.Resource) *pack {
	if e.packs[r] == nil {
		p := &pack{name: expand.Text(r.Name)}
		p.recipes = r.Body.Object("properties").Object("recipes")
		if path := unknownPart(r.Body.Value("properties"), 1, "properties"); path != nil {
			env.failed = true
			e.refuse(r.Property(path...), CodeUnknown, "%s of the recipe pack %s is secret as a whole, or not known before the deployment",
				strings.Join(path, "."), p.name)
		}
		e.packs[r] = p
	}
	return e.packs[r]
}

// defaultPack is the pack that rad of a release puts into a cluster.
func defaultPack(release string) *pack {
	kinds := []string{"Radius.Compute/containers", "Radius.Compute/persistentVolumes", "Radius.Compute/routes",
		"Radius.Security/secrets", "Radius.Data/mySqlDatabases"}
	minor, tag := minorOf(release), ""
	switch {
	case minor < 59:
		tag = fmt.Sprintf("0.%d", minor)
	case minor == 59:
		tag = "0.59.0"
	case minor == 60: // the commit of resource-types-contrib that deploy/manifest/defaults.yaml of v0.60.0 names
		tag = "3143b4bb0aecdc1999a34a5f9563f19bd6b96dfb"
	default:
		tag = "latest"
		kinds = append(kinds, "Radius.Data/postgreSqlDatabases", "Radius.Messaging/rabbitMQ", "Radius.Data/redisCaches")
	}
	p := &pack{name: "default", recipes: armjson.NewObject()}
	for _, kind := range kinds {
		_, leaf, _ := strings.Cut(strings.ToLower(kind), "/")
		one := object(text("kind", "bicep"), text("source", "ghcr.io/radius-project/kube-recipes/"+leaf+":"+tag))
		if leaf == "routes" {
			one.Set("parameters", object(text("gatewayName", "radius"), text("gatewayNamespace", "radius-system")))
		}
		p.recipes.Set(kind, one)
	}
	return p
}

// recipeOf returns the recipe of a type; nil if there is none.
func (env *environment) recipeOf(kind string) *recipe {
	for _, p := range env.packs {
		for name, v := range p.recipes.All() {
			if strings.EqualFold(name, kind) {
				return readRecipe(p, v)
			}
		}
	}
	return nil
}

func readRecipe(p *pack, v armjson.Value) *recipe {
	o, _ := v.(*armjson.Object)
	return &recipe{pack: p.name, declared: v, parameters: o.Object("parameters"), plainHTTP: o.Value("plainHttp") == armjson.Bool(true),
		kind:    cmp.Or(o.Str("kind"), o.Str("recipeKind")), // as before 0.60
		source:  cmp.Or(o.Str("source"), o.Str("recipeLocation")),
		outputs: textsIn(o.Object("outputs")), secrets: textsIn(o.Object("outputs").Object("secrets"))}
}

// textsIn returns the members that are texts. Radius overlooks others.
func textsIn(o *armjson.Object) *armjson.Object {
	texts := armjson.NewObject()
	for name, v := range o.All() {
		if _, ok := v.(armjson.String); ok {
			texts.Set(name, v)
		}
	}
	return texts
}

// Repository returns the source of a recipe without scheme and tag, as settings name it.
func Repository(source string) string {
	source = strings.TrimPrefix(strings.TrimPrefix(source, "https://"), "http://")
	slash := strings.LastIndexByte(source, '/')
	if at := strings.IndexByte(source[slash+1:], ':'); at >= 0 {
		source = source[:slash+1+at]
	}
	return source
}
