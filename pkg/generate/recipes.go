package generate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/artifacts"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/recipes"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/manifest/kubernetes"
	"github.com/radbicep/rad/pkg/manifest/objects"
	"github.com/radbicep/rad/pkg/params"
)

// RecipeInput says what a cluster has for the resources of Radius: environments, recipe packs, types and recipes. Paths are
// those of files, as in Input.Template.
type RecipeInput struct {
	Environment string                   // declares environments and packs; "" is none
	Packs       []string                 // declare more packs, which come after those of an environment; or DefaultPack and a release
	Types       []string                 // manifests of resource types
	Sources     map[string]string        // Bicep or JSON files by the sources of recipes, as recipes.Repository has them
	Assume      map[string]armjson.Value // by TYPE/NAME.PROPERTY
	Group       string                   // of Radius
	// Namespace is that of the environment if none is declared.
	Namespace string
	Release   string // the tag of Radius; "" is what the program's configuration says
}

// DefaultPack begins the name of the recipe pack that rad of a release puts into a cluster: default@0.60.
const DefaultPack = "default@"

// Recipes is a RecipeInput that is read. One belongs to one target.
type Recipes struct {
	Found
	Files []string // that were read
	Err   error    // why they could not be read

	ctx      context.Context
	input    RecipeInput
	source   Source
	shared   *Templates
	declared []*Program
	packs    []*Program
	hidden   bool     // whether those have values that are written and not shown
	defaults []string // releases, whose default packs count
	types    recipes.Types
	compiled map[string]bool    // files of recipes that this target has asked for
	late     []report.Finding   // on those
	store    *artifacts.Recipes // those of registries; nil before one is needed
}

// Templates are the files that the recipes of several targets have in common: each is compiled once.
type Templates struct {
	// Restore fetches recipes from registries, and returns what went wrong; nil fetches what is missing, as compiling does.
	Restore func(ctx context.Context, q bicep.Request, sources []artifacts.RecipeSource) map[artifacts.RecipeSource]error

	made   sync.Map // func() *Program by file
	parsed sync.Map // func() (*recipes.Template, error) by texts of registries
}

// parse parses a template.
func (t *Templates) parse(text []byte) (*recipes.Template, error) {
	made, _ := t.parsed.LoadOrStore(string(text), sync.OnceValues(func() (*recipes.Template, error) {
		tree, err := bicep.ParseTemplate(text)
		return &recipes.Template{Tree: tree}, err
	}))
	return made.(func() (*recipes.Template, error))()
}

// load compiles a file.
func (t *Templates) load(ctx context.Context, s Source, path string) *Program {
	made, _ := t.made.LoadOrStore(path, sync.OnceValue(func() *Program {
		p, _ := Load(ctx, s, Input{Template: path})
		p.recipe = &recipes.Template{Tree: p.Tree, Places: p.Places}
		return p
	}))
	return made.(func() *Program)()
}

// LoadRecipes reads what stands for a cluster. What is wrong is in the result.
func LoadRecipes(ctx context.Context, s Source, in RecipeInput, shared *Templates) *Recipes {
	s.Base.Symbolic, s.AsCompiled, s.ReadOn = true, false, false
	r := &Recipes{ctx: ctx, input: in, source: s, shared: shared,
		types: recipes.Types{}, compiled: map[string]bool{}}
	read := func(path string) *Program {
		p := shared.load(ctx, s, path)
		r.Files = append(r.Files, p.Files...)
		values, found := p.written(params.SecureOmit, needPlain)
		r.hidden = r.hidden || anyHidden(values)
		r.Findings, r.Notices = append(r.Findings, found.Findings...), append(r.Notices, found.Notices...)
		if p.Err != nil {
			r.Err = p.Err
		}
		return p
	}
	if in.Environment != "" {
		r.declared = append(r.declared, read(in.Environment))
	}
	for _, path := range in.Packs {
		if release, ok := strings.CutPrefix(path, DefaultPack); ok {
			r.defaults = append(r.defaults, release)
			continue
		}
		r.packs = append(r.packs, read(path))
	}
	for _, path := range in.Types {
		r.readTypes(path)
	}
	return r
}

// readTypes reads the manifest of resource types.
func (r *Recipes) readTypes(path string) {
	r.Files = append(r.Files, path)
	text, err := r.source.Host.ReadFile(path)
	if err != nil {
		r.Err = err
		return
	}
	if err := r.types.ReadTypes(text); err != nil {
		number, problem, _ := strings.Cut(err.Error(), ": ")
		line, _ := strconv.Atoi(number)
		r.find(report.Finding{Path: path, Start: source.Position{Line: line, Column: 1}, Severity: report.Error,
			Code: recipes.CodeType, Message: report.Sentence(problem)})
	}
}

// OnlyEnvironment returns the ID of the environment that is declared, if there is one alone.
func (r *Recipes) OnlyEnvironment() string {
	var ids []string
	if list, err := r.expanded(r.declared, expand.Options{Tolerant: true}); err == nil {
		for _, result := range list {
			for _, one := range result.Resources {
				if id, ok := expand.Known(one.ID); ok && strings.EqualFold(one.Type, "Radius.Core/environments") && !one.Existing {
					ids = append(ids, id)
				}
			}
		}
	}
	if len(ids) == 1 {
		return strings.Replace(ids[0], "/resourcegroups/", "/resourceGroups/", 1) // as rad deploy gives it to a program
	}
	return ""
}

// RadiusScope returns the ID of a resource group of Radius, as IDs of its resources have it; "" if none is named.
func RadiusScope(group string) string {
	if group == "" {
		return ""
	}
	name := group[strings.LastIndexByte(group, '/')+1:]
	return "/planes/radius/local/resourcegroups/" + name
}

// expanded expands programs that declare environments and packs.
func (r *Recipes) expanded(programs []*Program, o expand.Options) (list []*expand.Result, err error) {
	o.Context = expand.Context{RadiusGroup: RadiusScope(r.input.Group)}
	for _, p := range programs {
		if p.Failed() != nil || p.Tree == nil {
			continue
		}
		values, _ := p.written(params.SecureOmit, needNone)
		result, err := p.expand(values, o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.source.Host.Shown(p.Path), err)
		}
		list = append(list, result)
	}
	return list, nil
}

// engine returns what runs recipes in an expansion with options.
func (r *Recipes) engine(p *Program, o expand.Options, partly bool) (*recipes.Engine, error) {
	of := recipes.Options{
		Release: r.input.Release, Namespace: r.input.Namespace,
		Default: r.defaults, Types: r.types, Assume: map[string]*armjson.Object{}, Partly: partly, Expand: o,
	}
	if of.Release == "" {
		of.Release = bicep.RadiusTypesOf(p.source.request(p.Path), p.Path).Tag
	}
	for _, name := range slices.Sorted(maps.Keys(r.input.Assume)) {
		point := strings.LastIndexByte(name, '.')
		resource := strings.ToLower(name[:point])
		if of.Assume[resource] == nil {
			of.Assume[resource] = armjson.NewObject()
		}
		of.Assume[resource].Set(name[point+1:], r.input.Assume[name])
	}
	of.Expand.Run = p.run
	of.Template = func(from string, plainHTTP bool) (*recipes.Template, error) {
		return r.template(p, from, plainHTTP, o.ForWriting)
	}
	var err error
	if of.Declared, err = r.expanded(r.declared, o); err == nil {
		of.Packs, err = r.expanded(r.packs, o)
	}
	return recipes.New(of), err
}

// template returns the template of a source of recipes: that of a file, or else of a registry.
// With hidden, a value that must not be shown may be in the source, and no registry is told of it.
func (r *Recipes) template(p *Program, from string, plainHTTP, hidden bool) (*recipes.Template, error) {
	if path := r.input.Sources[recipes.Repository(from)]; path != "" {
		return r.compile(from, path)
	}
	if r.store == nil {
		r.store = artifacts.NewRecipes(p.source.request(p.Path))
		r.store.Restore = r.shared.Restore
	}
	text, err := r.store.Read(artifacts.RecipeSource{Source: from, PlainHTTP: plainHTTP})
	switch {
	case errors.Is(err, artifacts.ErrLater) && hidden:
		return nil, recipes.ErrHidden
	case errors.Is(err, artifacts.ErrLater):
		return nil, recipes.ErrLater
	}
	var made *recipes.Template
	if err == nil {
		if made, err = r.shared.parse(text); err != nil {
			err = fmt.Errorf("%s: %w", from, err)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("its recipe %w", err)
	}
	return made, nil
}

// compile returns the template of a source of recipes that a file stands for.
func (r *Recipes) compile(from, path string) (*recipes.Template, error) {
	s := r.source
	s.AsCompiled = true
	p := r.shared.load(r.ctx, s, path)
	shown := r.source.Host.Shown(path)
	if !r.compiled[path] {
		r.compiled[path] = true
		r.Files = append(r.Files, p.Files...)
		for _, f := range p.Findings {
			if f.Severity == report.Error {
				r.late = append(r.late, f)
			}
		}
	}
	switch {
	case p.Err != nil:
		return nil, fmt.Errorf("its recipe %s: %w", from, p.Err)
	case p.Failed() != nil || p.Tree == nil:
		return nil, fmt.Errorf("the file %s of its recipe %s cannot be compiled", shown, from)
	}
	return p.recipe, nil
}

// expandBy expands the program, and runs the recipes of its resources of Radius if there are any. The engine is nil if nothing
// stands for a cluster. partly is recipes.Options.Partly.
func (p *Program) expandBy(r *Recipes, values params.Values, o expand.Options, partly bool) (*expand.Result, *recipes.Engine, error) {
	if r == nil || o.Context.RadiusGroup == "" && !partly {
		result, err := p.expand(values, o)
		return result, nil, err
	}
	for {
		engine, err := r.engine(p, o, partly)
		if err != nil {
			return nil, nil, err
		}
		o.Returned = engine.Returned
		result, err := p.expand(values, o)
		if err == nil {
			engine.Finish(result)
		}
		if err := r.stopped(); err != nil {
			p.fail(err)
			return nil, nil, err
		}
		// With what is fetched, recipes return more, and others may be needed for that.
		if r.store == nil || o.ForWriting || !r.store.Fetch(r.ctx) {
			return result, engine, err
		}
	}
}

// stopped returns why the work cannot go on, whatever the program is.
func (r *Recipes) stopped() error {
	if r.store == nil {
		return r.ctx.Err()
	}
	return cmp.Or(r.ctx.Err(), r.store.Err())
}

// ReadAll compiles all recipes that files stand for, and reads the lock file of the program, so that what is read is noted.
func (r *Recipes) ReadAll(p *Program) {
	if r.input.Group != "" {
		artifacts.NewRecipes(p.source.request(p.Path)).ReadLock()
	}
	for from, path := range r.input.Sources {
		_, _ = r.compile(from, path) // what is wrong with one is not asked here
	}
}

// RestoreRecipes has the recipes of registries restored that the program needs. Parameters without a value are not known. What is
// found is about those recipes alone; an error says that others may be needed.
func (p *Program) RestoreRecipes(r *Recipes, x expand.Context) (found Found, err error) {
	values, _ := p.written(params.SecureOmit, needNone)
	if err := p.Failed(); err != nil {
		return found, err
	}
	_, engine, err := p.expandBy(r, values, expand.Options{Context: x, Tolerant: true, SecretsApart: true}, true)
	if err == nil && engine != nil {
		engine.Problems = slices.DeleteFunc(engine.Problems, func(p recipes.Problem) bool {
			switch p.Code {
			case recipes.CodeEnvironment, recipes.CodeTwice, recipes.CodeType, recipes.CodeProperties: // mistakes, which nobody leaves out
				err = errors.New(p.Message)
			}
			return p.Code != recipes.CodeSource
		})
		p.noteRecipes(&objects.Input{}, &found, engine, &recipes.Engine{Problems: engine.Problems})
	}
	return found, err
}

// noteRecipes adds what an engine found: in the words of another one, which does not know the values of the environment.
func (p *Program) noteRecipes(in *objects.Input, found *Found, program, shown *recipes.Engine) (failing bool) {
	if program == nil {
		return false
	}
	add := func(list, may []recipes.Problem, level report.Severity) (problems []objects.Problem) {
		for _, one := range list {
			of := one.Resource
			i := slices.IndexFunc(may, func(o recipes.Problem) bool { return o.Position == one.Position && o.Code == one.Code })
			if i >= 0 {
				one, may = may[i], slices.Delete(slices.Clone(may), i, i+1)
			} else {
				one = recipes.Problem{Position: one.Position, Code: one.Code,
					Message: "the deployment would fail because of a value of the environment, which is not shown"}
			}
			if i >= 0 || level == report.Error {
				problems = append(problems, problemOf(one, of))
			}
		}
		if in.LeaveOut(problems) {
			problems = slices.DeleteFunc(problems, func(p objects.Problem) bool { return p.Resource != nil })
		}
		p.addProblems(found, level, problems)
		return problems
	}
	failing = len(add(program.Problems, shown.Problems, report.Error)) > 0
	add(program.Warnings, shown.Warnings, report.Warning)
	found.Notices = append(found.Notices, shown.Notices...)
	return failing
}

func problemOf(p recipes.Problem, of *expand.Resource) objects.Problem {
	return objects.Problem{Position: p.Position, Code: p.Code, Message: p.Message, Resource: of, Option: p.Option,
		Example: p.Example, Err: p.Err}
}

// becomes is expand with the objects that the resources become. What a recipe lacks is a warning: the result says where
// nothing is known.
func (p *Program) becomes(values params.Values, o expand.Options, found *Found) (*expand.Result, error) {
	of := p.Plain
	o.Declared, o.SecretsApart = false, true // as objects are made
	result, engine, err := p.expandBy(of.Recipes, values, o, true)
	if err != nil {
		return nil, err
	}
	left, notices := p.leftOut()
	found.Notices = append(found.Notices, notices...)
	if engine != nil {
		engine.Into(result)
		for _, one := range engine.Problems {
			if one.Code != recipes.CodeUnknown && (one.Resource == nil || !left[placeOf(one.Resource)]) {
				p.addProblems(found, report.Warning, []objects.Problem{problemOf(one, nil)})
			}
		}
		found.Notices, found.Findings = append(found.Notices, engine.Notices...), append(found.Findings, of.Recipes.late...)
	}
	result.Resources = slices.DeleteFunc(result.Resources, func(r *expand.Resource) bool {
		return r.Maker != nil && left[placeOf(r.Maker)] || !r.IsRadius() && !r.Existing && left[placeOf(r)]
	})
	result.Resources = kubernetes.Predict(objects.Input{Program: result, Namespace: of.Namespace, Labels: of.Labels,
		Annotations: of.Annotations, Options: of.Settings, Kinds: of.kinds()})
	return result, nil
}

// leftOut returns the places of the resources that the target leaves out, if the user asks for that, and says so. Where it would
// refuse the program, nothing is left out.
func (p *Program) leftOut() (left map[string]bool, notices []string) {
	if in := (objects.Input{Options: p.Plain.Settings}); !in.Skips() {
		return nil, nil
	}
	out, _, err := p.Objects(KindOf("kubernetes"), *p.Plain)
	if err != nil {
		return nil, nil
	}
	left = map[string]bool{}
	for _, l := range out.LeftOut {
		left[placeOf(l.Resource)] = true
		notices = append(notices, fmt.Sprintf("%s: %s", p.source.Host.Shown(p.Path), l))
	}
	return left, notices
}

// placeOf tells a resource from all others, in each expansion of a program.
func placeOf(r *expand.Resource) string {
	return strings.Join([]string{r.Module.Path(), r.Symbol, r.Type, expand.Text(r.ID), expand.Text(r.Name)}, "\x00")
}

// madeOf pairs what recipes made with what may be shown of it.
func madeOf(program, shown *recipes.Engine) (list []objects.Made) {
	if program == nil {
		return nil
	}
	key := func(m *recipes.Made) string {
		return strings.Join([]string{m.Resource.Module.Path(), m.Resource.Symbol, m.Resource.Type, m.Type}, "\x00")
	}
	seen := map[string]*recipes.Made{}
	for _, m := range shown.Made {
		seen[key(m)] = m
	}
	for _, m := range program.Made {
		if m.Result == nil {
			continue
		}
		one := objects.Made{Resource: m.Resource, For: m.Type, Program: m.Result, Shown: &expand.Result{}} // of which nothing may be shown
		if s := seen[key(m)]; s != nil && s.Result != nil {
			one.For, one.Shown = m.Type+" "+s.Name, s.Result
		}
		list = append(list, one)
	}
	return list
}
