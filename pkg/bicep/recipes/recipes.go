// Package recipes predicts what the recipes of Radius make of the resources of a program: a recipe is a template that an
// environment has for a resource type, and Radius deploys it in place of the resource. Begin with New.
//
//	engine := recipes.New(options)
//	result, err := expand.Expand(template, expand.Options{Returned: engine.Returned, …})
//	engine.Finish(result)     // Made, Problems and Warnings are complete
//
// Expand asks for what a resource returns when an expression needs it. So recipes run in the order of references, and see
// what those before them returned. For each resource:
//
//	schema.go       defaults of its type, then whether its properties fit; which of them are secret
//	environment.go  the environment, its recipe packs, and the recipe of the type
//	context.go      the parameter context that a recipe is given
//	parameters.go   its other parameters, where {{context.*}} stands for parts of the context
//	outputs.go      what it returns: properties, and secrets that go to a Secret of their own
//
// The package is pure: templates and programs are handed in. The rules are those of Radius 0.60; what 0.61 does otherwise
// rests on its release notes.
package recipes

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
)

// Codes of problems and warnings.
const (
	CodeEnvironment = "recipe-environment" // none, or one that cannot be used
	CodeMissing     = "recipe-missing"     // no pack has a recipe for the type
	CodeTwice       = "recipe-twice"       // two packs have one
	CodeKind        = "recipe-kind"        // it is in another language
	CodeSource      = "recipe-source"      // its template is not there
	CodeType        = "recipe-type"        // nothing describes the resource type
	CodeProperties  = "recipe-properties"  // the properties do not fit the type
	CodeParameter   = "recipe-parameter"   // undeclared, missing, or of another type
	CodeExpression  = "recipe-expression"  // {{…}} that stays a text
	CodeResult      = "recipe-result"      // an unknown member, or a mapping to no output
	CodeLost        = "recipe-lost"        // what Radius drops without a word
	CodeCloud       = "recipe-cloud"       // it deploys what is no Kubernetes object
	CodeOldType     = "recipe-old-type"    // Applications.*
	CodeConnection  = "recipe-connection"  // to a resource that is not in the program
	CodeUnknown     = "value-not-known"
)

// Options are what an engine knows beside the program.
type Options struct {
	Release string // the tag of Radius; "" is the newest that is known
	// Namespace is that of an environment where none is declared.
	Namespace string
	// Declared are programs that declare environments and recipe packs, beside the one that is deployed. The packs of Packs
	// come after those of each environment.
	Declared, Packs []*expand.Result
	// Default are releases whose default recipe packs come after those.
	Default []string
	Types   Types
	// Template returns the template of a source, of which a pack may say that it is asked without TLS. A nil one is not there. With
	// the error ErrLater, what is made and found is not complete, and is not to be used.
	Template func(source string, plainHTTP bool) (*Template, error)
	// Assume has properties by TYPE/NAME in lower case: they stand for what the recipe returns.
	Assume map[string]*armjson.Object
	// Partly goes on where something is not known, as a comparison needs it: see Engine.Into.
	Partly bool
	// Expand has the options of all expansions. Parameters, places and context are those of each recipe.
	Expand expand.Options
}

// ErrLater says that a template is not here yet. The engine goes on to see which others will be needed.
var ErrLater = errors.New("the template of a recipe is not here yet")

// ErrHidden says that a template is not here, and must not be asked for.
var ErrHidden = errors.New("the source of its recipe depends on a value of the environment, which no registry is told")

// Template is the template of a recipe.
type Template struct {
	Tree   *armjson.Object
	Places expand.Places // may be nil
	Trees  expand.Trees
}

// Made is what became of a resource by its recipe.
type Made struct {
	// Resource is that of the program. A Secret for what its recipe returned has its own Name and Type.
	Resource   *expand.Resource
	Type, Name string
	Source     string                      // of the recipe
	Context    expand.Value                // that it was given
	Given      map[string]expand.Parameter // all that it was given; nil if no recipe ran
	Result     *expand.Result              // nil if no recipe ran
}

// Problem is what cannot be predicted, or a warning.
type Problem struct {
	Position expand.Position
	Code     string
	Message  string
	// Resource is what cannot be predicted, though Radius may deploy it; nil if there is a mistake, or something wrong with an
	// environment.
	Resource *expand.Resource
	// Option is what helps: OptionAssume, OptionSource or OptionTypes. Example is a value for it. If Err is that a template has to be
	// fetched, it is one for OptionSource, which helps, too.
	Option, Example string
	Err             error // why a template is not there; may be nil
}

// What a user can say that helps with a problem: what a resource returns, where a recipe is, what describes a type.
const (
	OptionAssume = "assume"
	OptionSource = "recipe-source"
	OptionTypes  = "recipes.types"
)

// Engine runs recipes for the resources of one expansion.
type Engine struct {
	Made               []*Made
	Problems, Warnings []Problem
	Notices            []string

	o            Options
	next         bool // the release is 0.61 or newer
	states       map[string]*state
	chain        []*state // those that run, each because the one before it needs it
	environments map[string]*environment
	packs        map[*expand.Resource]*pack
	returned     int  // bytes
	reveal       bool // tests compare values that have marks otherwise
}

// state is how far a resource has got.
type state struct {
	r              *expand.Resource
	id, kind, name string
	running, done  bool
	failed         bool
	why            string          // it failed
	given          *armjson.Object // what decides what its recipe makes
	schema         *armjson.Object // of its properties
	stored         *armjson.Object // its properties, as Radius keeps them; nil if they are not known
	made           []*Made
	secrets        []string // keys of its managed secret
	secretID       string
}

// New returns an engine for one expansion.
func New(o Options) *Engine {
	e := &Engine{o: o, states: map[string]*state{}, environments: map[string]*environment{}, packs: map[*expand.Resource]*pack{}}
	e.next = minorOf(o.Release) > 60
	return e
}

// minorOf returns the second number of a release: that of the newest one that is known where there is none.
func minorOf(release string) uint64 {
	v, ok := artifact.ParseVersion(release)
	switch {
	case !ok || len(v.Numbers) < 2:
		return 60
	case v.Numbers[0] > 0:
		return math.MaxUint64
	}
	return v.Numbers[1]
}

// Returned is what expand.Options.Returned asks.
func (e *Engine) Returned(r *expand.Resource, find expand.Finder) (*armjson.Object, error) {
	s, err := e.run(r, find)
	if err != nil || s == nil || s.stored == nil {
		return nil, err
	}
	out := s.stored.Clone()
	out.Set("provisioningState", armjson.String("Succeeded"))
	return out, nil
}

// Finish runs the recipes of resources that no expression asked for, and puts what was made into the order of the program.
func (e *Engine) Finish(result *expand.Result) {
	byID := map[string]*expand.Resource{}
	for _, r := range result.Resources {
		if id, ok := expand.Known(r.ID); ok && r.IsRadius() && !r.Existing {
			byID[strings.ToLower(id)] = r
		}
	}
	find := func(id string) (*expand.Resource, error) { return byID[strings.ToLower(id)], nil }
	for _, r := range result.Resources {
		if !r.IsRadius() || r.Existing {
			continue
		}
		s, err := e.run(r, find)
		if err != nil {
			e.refuse(r.Position, expand.CodeCannotExpand, "%v", err)
		} else if s != nil && (!s.failed || e.o.Partly) {
			e.Made = append(e.Made, s.made...)
		}
	}
}

// refuse adds a problem, to which what helps can be added.
func (e *Engine) refuse(at expand.Position, code, format string, args ...any) *Problem {
	e.Problems = append(e.Problems, Problem{Position: at, Code: code, Message: fmt.Sprintf(format, args...)})
	return &e.Problems[len(e.Problems)-1]
}

// fail refuses a resource.
func (e *Engine) fail(s *state, code, format string, args ...any) *Problem {
	return e.failAt(s, s.r.Position, code, format, args...)
}

func (e *Engine) failAt(s *state, at expand.Position, code, format string, args ...any) *Problem {
	s.failed, s.why = true, cmp.Or(s.why, fmt.Sprintf(format, args...))
	p := e.refuse(at, code, "%s %s: %s", s.kind, s.name, fmt.Sprintf(format, args...))
	switch code {
	case CodeMissing, CodeKind, CodeCloud, CodeConnection, CodeOldType, CodeUnknown:
		p.Resource = s.r
	}
	return p
}

// warn adds a warning about a resource.
func (e *Engine) warn(s *state, code, format string, args ...any) {
	message := s.kind + " " + s.name + ": " + fmt.Sprintf(format, args...)
	e.Warnings = append(e.Warnings, Problem{Position: s.r.Position, Code: code, Message: message})
}

// helps adds what helps to a problem.
func (p *Problem) helps(option, example string) { p.Option, p.Example = option, example }

// run runs the recipe of a resource, once. The state is nil if the resource has none that can be told. An error says that the
// resource needs itself.
func (e *Engine) run(r *expand.Resource, find expand.Finder) (*state, error) {
	id, known := expand.Known(r.ID)
	if !known {
		if !r.Existing {
			e.refuse(r.Position, CodeUnknown, "the name of %s %s is not known before the deployment: %s",
				r.Type, r.Symbol, expand.Text(r.Name)).Resource = r
		}
		return nil, nil
	}
	key := strings.ToLower(id)
	s := e.states[key]
	if s == nil {
		name, _ := expand.Known(r.Name)
		s = &state{r: r, id: id, kind: r.Type, name: name}
		e.states[key] = s
	}
	switch {
	case s.done:
		return s, nil
	case s.running:
		return nil, fmt.Errorf("%s %s needs itself: %s", s.kind, s.name, e.circle(s))
	}
	s.running = true
	e.chain = append(e.chain, s)
	err := e.resource(s, find)
	e.chain = e.chain[:len(e.chain)-1]
	s.running, s.done = false, true
	s.failed = s.failed || err != nil
	return s, err
}

// circle names the resources by which one needs itself.
func (e *Engine) circle(s *state) string {
	var names []string
	for _, one := range e.chain[slices.Index(e.chain, s):] {
		names = append(names, one.name)
	}
	if n := len(names); n > 6 {
		names = slices.Replace(names, 3, n-2, "…")
	}
	return strings.Join(append(names, s.name), " → ")
}

// assumed returns the properties that somebody gives a resource; nil if nobody does.
func (e *Engine) assumed(kind, name string) *armjson.Object {
	return e.o.Assume[strings.ToLower(kind+"/"+name)]
}

// resource decides what becomes of a resource.
func (e *Engine) resource(s *state, find expand.Finder) error {
	r := s.r
	if r.Existing {
		s.stored = e.assumed(s.kind, s.name)
		return nil
	}
	properties := armjson.NewObject()
	if v, ok := r.Body.Get("properties"); ok {
		if properties, ok = plain(v).(*armjson.Object); !ok {
			e.fail(s, CodeUnknown, "its properties are not known before the deployment")
			return nil
		}
	}
	core, _, _ := strings.Cut(s.kind, "/")
	switch {
	case strings.EqualFold(core, "Radius.Core"), strings.EqualFold(s.kind, "Applications.Core/applications"):
		s.stored = properties
		return nil
	case strings.HasPrefix(strings.ToLower(s.kind), "applications."):
		e.fail(s, CodeOldType, "Radius makes objects of it without a recipe, which this target cannot; %s", replacement(s.kind))
		return nil
	case r.TooLarge:
		e.fail(s, CodeUnknown, "its properties are too large to be evaluated")
		return nil
	case r.Condition != nil && !e.o.Partly, r.Copies != nil:
		e.fail(s, CodeUnknown, "it is not known before the deployment whether, or how often, it is deployed: %s",
			expand.Text(cmp.Or(r.Condition, r.Copies)))
		return nil
	}
	for _, needed := range expand.References(properties) {
		if id, ok := expand.Known(needed.ID); ok {
			if other := e.states[strings.ToLower(id)]; other != nil && other.failed && !e.o.Partly {
				s.failed = true // that was said of the other
				return nil
			}
		}
	}
	return e.deploy(s, properties, find)
}

// deploy does what Radius does when a resource that has a recipe is put.
func (e *Engine) deploy(s *state, properties *armjson.Object, find expand.Finder) error {
	t := e.o.Types.find(s.kind, s.r.APIVersion, e.o.Release)
	if t == nil {
		e.fail(s, CodeType, "Radius%s does not register the type in version %s, and no manifest of it is named",
			e.release(), s.r.APIVersion).helps(OptionTypes, "")
		return nil
	}
	applyDefaults(properties, t.schema)
	properties = armjson.Sorted(properties).(*armjson.Object)
	if path, wrong := mismatch(properties, t.schema, nil); wrong != "" {
		path = append([]string{"properties"}, path...)
		e.failAt(s, s.r.Property(path...), CodeProperties, "%s %s", strings.Join(path, "."), wrong)
		return nil
	}
	if v := properties.Value("application"); unknownPart(v, 0, "application") != nil {
		e.fail(s, CodeUnknown, "its application is not known before the deployment: %s", expand.Text(v))
		return nil
	}
	for _, owner := range []string{"environment", "application"} {
		id, isText := properties.Value(owner).(armjson.String)
		if _, _, isID := partsOf(string(id)); isText && !isID && (id != "" || owner == "environment") {
			such := ""
			if declared := typed(e.o.Declared, environmentType); owner == "environment" && len(declared) > 0 {
				such = ", such as " + named(declared)
			}
			e.failAt(s, s.r.Property("properties", owner), CodeProperties, "its %s %q is not the ID of a resource%s", owner, id, such)
			return nil
		}
	}
	s.schema = t.schema
	s.stored = redacted(properties, t.schema)
	if t.manual {
		return nil
	}
	env := e.environmentOf(s, properties, find)
	if env == nil || env.failed {
		s.failed, s.stored = true, nil
		return nil
	}
	own := e.marked(s, properties)
	if !hasSecrets(t.schema) && own.Find("status") < 0 {
		own.Set("status", armjson.NewObject())
		own = armjson.Sorted(own).(*armjson.Object)
	}
	connections, ok, err := e.connections(s, properties, find)
	if err != nil || !ok {
		s.failed, s.stored = true, nil
		return err
	}
	if env.simulated {
		return nil
	}
	out := e.recipe(s, env, contextOf(e, s.id, s.kind, s.name, own, connections, env))
	if s.failed {
		s.stored = nil
		return nil
	}
	e.store(s, env, t, out)
	return nil
}

func (e *Engine) release() string {
	if e.o.Release == "" {
		return ""
	}
	return " " + e.o.Release
}

// replacement says what stands in for a type of Applications.*.
func replacement(kind string) string {
	lower := strings.ToLower(kind)
	if to := replacements[lower]; to != "" {
		return "use " + to
	}
	return "use a resource type that has a recipe"
}

var replacements = map[string]string{
	"applications.core/containers": "Radius.Compute/containers", "applications.core/gateways": "Radius.Compute/routes",
	"applications.core/volumes": "Radius.Compute/persistentVolumes", "applications.core/secretstores": "Radius.Security/secrets",
	"applications.core/environments":         "Radius.Core/environments",
	"applications.datastores/mongodatabases": "Radius.Data/mongoDatabases",
	"applications.datastores/rediscaches":    "Radius.Data/redisCaches",
	"applications.datastores/sqldatabases":   "Radius.Data/sqlServerDatabases",
	"applications.messaging/rabbitmqqueues":  "Radius.Messaging/rabbitMQ",
}
