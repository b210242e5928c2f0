package expand

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
	"github.com/radbicep/rad/pkg/internal/armschema"
	"github.com/radbicep/rad/pkg/secret"
)

// expander is one run of Expand.
type expander struct {
	options Options
	limits  Limits
	result  *Result
	count   int // resources and modules so far
	apart   int // of those that only expressions name
	written int // bytes of what they are, when they are written
	byID    map[string]*Resource
	// tolerated holds the messages of errors that did not end the expansion.
	tolerated map[string]bool
	edges     map[edge]int                           // where a dependency is in its resource's list
	schemas   map[*armjson.Object]*armschema.Schemas // of templates: a loop deploys one many times
	budget    *eval.Budget
	groups    groupIndex

	deployments []*deployment // the template, and the modules that are opened
}

// deployment is a template that is deployed: the root or a module. It is the scope
// of the expressions in the template.
type deployment struct {
	x        *expander
	parent   *deployment
	module   *Module
	template *armjson.Object
	place    place
	depth    int
	lengths  []Value // of the loops around it whose numbers of rounds are not known
	apart    bool    // only expressions name it; see rounds.go

	// exprs is where expressions are evaluated: the deployment itself, or for a
	// nested template with outer scope the one around it.
	exprs *deployment
	ev    *eval.Evaluator     // in the scope of exprs
	names *eval.TemplateScope // variables and functions

	schemas *armschema.Schemas // once one is asked for

	params     map[string]*param
	extensions map[string]*Extension
	aliases    []string // of extensions, in order
	decls      []*declaration
	bySymbol   map[string]*declaration
	nested     map[string]*instance // deployments by ID, of a classic template
	byPlace    map[string]*instance // resources by what their IDs are (declared.go)
	radius     map[string]*instance // resources of Radius by ID (returned.go)
	partly     bool                 // not all of them
	byLoop     map[string]*declaration
	endless    bool                 // a loop's number of rounds is not known to the engine
	byText     map[string]*instance // by ID and by name, of a classic template that is taken in sequence
	outputs    []Output
	outputsErr error
	outputsAt  state
}

// param is a parameter of a template, evaluated when it is first asked for.
type param struct {
	name    string
	schema  *armjson.Object
	given   bool
	value   func() (Value, error)
	at      state
	result  Value
	failure error
}

// state is how far something that is evaluated once has got.
type state int

const (
	untouched state = iota
	running
	done
)

// after returns the state of what was evaluated, or failed.
func (x *expander) after(err error) state {
	if err != nil && x.budget.Passing(err) {
		return untouched
	}
	return done
}

// mostTolerated is how many rounds a loop of resources may have where mistakes are tolerated.
const mostTolerated = 10_000

// DefaultLimits are far beyond what a deployment engine takes.
func DefaultLimits() Limits {
	l := eval.DefaultLimits()
	return Limits{
		Resources: 100_000, Copies: eval.MaxCopies, Modules: 200, Text: 64 << 20, Edges: 250_000,
		Steps: l.Steps, Walk: l.Walk, Size: l.Size, Depth: 20_000,
	}
}

// fill puts the default in place of what is zero.
func (l *Limits) fill() {
	standard := DefaultLimits()
	of, with := reflect.ValueOf(l).Elem(), reflect.ValueOf(standard)
	for i := range of.NumField() {
		if of.Field(i).IsZero() {
			of.Field(i).Set(with.Field(i))
		}
	}
}

func (x *expander) newBudget() *eval.Budget {
	var shared *eval.Run
	if x.options.Run != nil {
		shared = x.options.Run.shared
	}
	return eval.NewBudget(eval.Limits{Steps: x.limits.Steps, Walk: x.limits.Walk, Size: x.limits.Size, Depth: x.limits.Depth}, shared)
}

// Expand predicts what a template deploys.
func Expand(template *armjson.Object, o Options) (*Result, error) {
	x := &expander{options: o, limits: o.Limits, result: &Result{}, byID: map[string]*Resource{},
		edges: map[edge]int{}, tolerated: map[string]bool{}, schemas: map[*armjson.Object]*armschema.Schemas{}}
	x.limits.fill()
	kind, err := scopeOf(template)
	if err != nil {
		return nil, err
	}
	x.result.Scope = string(kind)
	root := &deployment{x: x, template: template, place: rootPlace(kind, &o), module: &Module{places: o.Places}}
	root.module.at = root
	x.result.Root = root.module
	root.exprs = root
	budget := x.newBudget()
	if o.Trees != nil {
		budget.Trees = &o.Trees.shared
	}
	root.ev = eval.NewPartial(root, budget)
	if o.Official {
		root.ev = root.ev.Verbatim()
	}
	x.budget = root.ev.Budget()
	x.budget.Graphs = o.Graphs
	root.place.contentVersion, _ = find(template, "contentVersion")
	if name := o.Context.DeploymentName; name != "" {
		root.module.Name = armjson.String(name)
	}
	if err := root.open(); err != nil {
		return nil, err
	}
	given := make(map[string]Parameter, len(o.Parameters))
	for name, p := range o.Parameters {
		given[strings.ToLower(name)] = p
	}
	for _, p := range root.params {
		if g, ok := given[strings.ToLower(p.name)]; ok {
			x.rootParameter(root, p, g)
		}
	}
	if err := root.expand(); err != nil {
		return nil, err
	}
	x.result.Root.Scope = root.place.id()
	if x.result.Outputs, err = root.allOutputs(); err != nil {
		return nil, err
	}
	if !o.Official {
		x.link(root)
		x.forgive()
	}
	return x.result, nil
}

// room takes values from what may be written of all that is deployed. A large value takes little
// memory as long as many resources share it, but each of them is compared and printed by itself.
func (x *expander) room(values ...Value) (err error) {
	before := x.written
	defer func() {
		if err != nil { // the next one may be smaller
			x.written = before
		}
	}()
	for _, v := range values {
		if x.written += x.weight(v); x.written > x.limits.Text {
			return eval.Limit(fmt.Errorf("with this, all that the template deploys takes more than %d MB when it is written",
				x.limits.Text>>20))
		}
	}
	return nil
}

// weight returns about how many bytes a value takes when it is written.
func (x *expander) weight(v Value) int {
	longest := x.limits.Text
	if x.options.Graphs {
		longest = maxShown
	}
	return eval.Weight(v, x.limits.Text, longest)
}

// maxShown is what an unknown value counts at most if nobody writes more of it.
const maxShown = 4 << 10

// rootParameter gives a parameter of the template its value from the options.
func (x *expander) rootParameter(d *deployment, p *param, given Parameter) {
	switch {
	case given.Value != nil:
		at := &step{key: armexpr.Fn("parameters", armexpr.Str(p.name))}
		hidden := !given.Mark.Shown()
		if x.options.ForWriting {
			hidden = !given.Mark.Written()
		}
		v := given.Value
		if _, null := v.(armjson.Null); null { // that a secure parameter has none, the official engine shows
			hidden = hidden && !x.options.SecretsApart && (!x.options.Official || given.Mark.Written())
		}
		if hidden {
			v = eval.Concealed(reasonOf(p.name, given.Mark), v, given.Mark, at.expression())
		} else if !IsKnown(v) {
			v, _ = conceal(p.name, v, at)
		}
		p.set(func() (Value, error) { return d.given(p, v), nil })
	case given.Reference != nil:
		p.set(func() (Value, error) {
			u := unknownParameter(p.name, Vault)
			u.Mark = secret.Secure
			return u, nil
		})
	case given.Expression != "":
		p.set(func() (Value, error) { return d.ev.Value(armjson.String(given.Expression)) })
	}
}

// absence is the source of an unknown parameter: why it has no value.
type absence struct {
	name  string
	why   ReasonKind
	inner bool // a module declares the parameter
}

// reasonOf is the absence of a value that is there and has a mark. That of a secure parameter needs no reason.
func reasonOf(name string, mark secret.Mark) *absence {
	if mark.Written() {
		return &absence{name: name, why: Environment}
	}
	return &absence{}
}

// conceal puts expressions that lead to them in place of the parts of a parameter's value that come from the environment.
// What could not be fetched is no secret. Arrays and objects without such a part are shared, since many recipes may get them.
func conceal(name string, v Value, at *step) (_ Value, changed bool) {
	switch v := v.(type) {
	case *unknown:
		if !v.IsSecure() {
			return v, false
		}
		hidden := eval.Concealed(reasonOf(name, v.Mark), v, v.Mark, at.expression())
		if eval.IsSome(v) {
			return hidden.Some(), true
		}
		return hidden, true
	case *armjson.Object:
		out := v
		for key, x := range v.All() {
			if x, other := conceal(name, x, at.to(armexpr.Str(key))); other {
				if !changed {
					out, changed = v.Clone(), true
				}
				out.Set(key, x)
			}
		}
		return out, changed
	case armjson.Array:
		out := v
		for i, x := range v {
			if x, other := conceal(name, x, at.to(armexpr.Int(int64(i)))); other {
				if !changed {
					out, changed = slices.Clone(v), true
				}
				out[i] = x
			}
		}
		return out, changed
	}
	return v, false
}

func unknownParameter(name string, why ReasonKind) *unknown {
	return eval.NewUnknown(&absence{name: name, why: why}, "parameters", armjson.String(name))
}

func (p *param) set(value func() (Value, error)) {
	p.given, p.value = true, value
}

func find(o *armjson.Object, name string) (Value, bool) {
	if o == nil {
		return nil, false
	}
	return eval.Find(o, name)
}

func findObject(o *armjson.Object, name string) *armjson.Object {
	v, _ := find(o, name)
	inner, _ := v.(*armjson.Object)
	return inner
}

func findString(o *armjson.Object, name string) string {
	v, _ := find(o, name)
	s, _ := v.(armjson.String)
	return string(s)
}

// open reads the declarations of a template.
func (d *deployment) open() error {
	if d.depth > d.x.limits.Modules {
		return d.fail("module", d.module.Symbol, fmt.Errorf("modules nest more than %d levels deep", d.x.limits.Modules))
	}
	d.x.deployments = append(d.x.deployments, d)
	if d.exprs == d {
		d.names = eval.NewTemplateScope(d.template, d.ev.Budget())
		d.names.Bind(d.ev)
		d.params = map[string]*param{}
		if list := findObject(d.template, "parameters"); list != nil {
			for name, v := range list.All() {
				schema, _ := v.(*armjson.Object)
				d.params[strings.ToLower(name)] = &param{name: name, schema: schema}
			}
		}
	}
	d.readExtensions()
	d.bySymbol = map[string]*declaration{}
	v, _ := find(d.template, "resources")
	return d.declare(v, nil)
}

// readExtensions reads `imports`, and `extensions`, which is its newer form.
func (d *deployment) readExtensions() {
	for _, section := range []struct{ name, provider string }{{"imports", "provider"}, {"extensions", "name"}} {
		list := findObject(d.template, section.name)
		if list == nil {
			continue
		}
		if d.extensions == nil {
			d.extensions = map[string]*Extension{}
		}
		for alias, v := range list.All() {
			o, ok := v.(*armjson.Object)
			if !ok {
				continue
			}
			x := &Extension{Alias: alias, Provider: findString(o, section.provider), Version: findString(o, "version")}
			x.Config, _ = find(o, "config")
			d.extensions[strings.ToLower(alias)] = x
			d.aliases = append(d.aliases, alias)
		}
	}
}

// configure evaluates the configurations of extensions. It may ask for parameters, which have no values yet where
// the declarations are read.
func (d *deployment) configure() error {
	for _, alias := range d.aliases {
		x := d.extensions[strings.ToLower(alias)]
		if x.Config == nil {
			continue
		}
		v, err := d.value(d.ev, x.Config, "extension", alias)
		if err != nil {
			return d.fail("extension", alias, err)
		}
		x.Config = v
	}
	return nil
}

// fail says what could not be expanded.
func (d *deployment) fail(kind, name string, err error) error {
	if e, ok := err.(*Error); ok {
		return e
	}
	e := &Error{Kind: kind, Name: name, Module: d.module.Path(), Err: err, apart: d.apart, Position: d.module.Position}
	if d.module.places != nil {
		symbol, _, _ := strings.Cut(name, "[")
		if c := d.bySymbol[strings.ToLower(symbol)]; kind == "resource" && c != nil && c.isUnlisted() {
			e.unlisted = c
		}
		if p := d.module.places.Resource(symbol); kind == "resource" && p.File != "" {
			e.Position = p
		} else if p, _ := d.module.places.Module(symbol); kind == "module" && p.File != "" {
			e.Position = p
		} else if p := d.module.places.Declaration(kind, name); p.File != "" {
			e.Position = p
		}
	}
	return e
}

// expand adds all that the template deploys to the result.
func (d *deployment) expand() error {
	if err := d.configure(); err != nil {
		return err
	}
	if err := d.resources(); err != nil {
		return err
	}
	if d.parent != nil { // deployment checks all outputs, also those that nothing refers to
		if _, err := d.allOutputs(); err != nil {
			return err
		}
	}
	if d.exprs != d {
		return nil
	}
	if d.parent != nil || d.x.options.Strict { // deployment checks all parameters, also unused ones
		if list := findObject(d.template, "parameters"); list != nil {
			for name := range list.All() {
				if _, err := d.Parameter(name); err != nil {
					return err
				}
			}
		}
	}
	// Deployment evaluates all variables, also unused ones.
	for _, name := range d.names.Variables() {
		if _, err := d.names.Variable(name); err != nil {
			if err = d.fail("variable", name, err); !d.x.tolerate(err) {
				return err
			}
		}
	}
	return nil
}

// unfetched adds a resource for each file that could not be fetched and that the template imports from.
func (d *deployment) unfetched() {
	if d.module.places == nil {
		return
	}
	for _, i := range d.module.places.Unfetched() {
		known := func(r *Resource) bool { return r.Unfetched() && r.Symbol != "" && r.APIVersion == i.Reference }
		if slices.ContainsFunc(d.x.result.Resources, known) {
			continue
		}
		name := i.Reference
		if at := strings.LastIndexAny(name, ":@"); at > strings.LastIndexByte(name, '/') {
			name = name[:at] // another version is a change
		}
		d.x.result.Resources = append(d.x.result.Resources,
			&Resource{Symbol: i.Names, Module: d.x.result.Root, Type: armexpr.UnfetchedModule,
				APIVersion: i.Reference, Name: armjson.String(name), Position: i.Position, Body: armjson.NewObject()})
	}
}

// resources adds the resources of the template to the result.
func (d *deployment) resources() error {
	d.unfetched()
	if d.x.options.Official {
		return d.inSequence()
	}
	for _, decl := range d.decls {
		if err := decl.expand(); err != nil {
			return err
		}
	}
	return nil
}

// Variable evaluates variables('name').
func (d *deployment) Variable(name string) (Value, error) {
	v, err := d.names.Variable(name)
	if err != nil {
		err = d.fail("variable", name, err)
		if d.x.tolerate(err) {
			return eval.NewUnknown(nil, "variables", armjson.String(name)), nil
		}
		return nil, err
	}
	return v, nil
}

// Function returns a function of the template.
func (d *deployment) Function(name string) (*eval.Function, error) { return d.names.Function(name) }

// Parameter evaluates parameters('name').
func (d *deployment) Parameter(name string) (Value, error) {
	p := d.params[strings.ToLower(name)]
	if p == nil {
		return nil, fmt.Errorf("the template has no parameter %q", name)
	}
	switch p.at {
	case running:
		return nil, d.fail("parameter", name, eval.Circular(fmt.Errorf("its value refers to itself")))
	case untouched:
		p.at = running
		p.result, p.failure = d.evaluate(p)
		p.at = d.x.after(p.failure)
	}
	return p.result, p.failure
}

func (d *deployment) evaluate(p *param) (Value, error) {
	var v Value
	var err error
	standard, hasDefault := find(p.schema, "defaultValue")
	if p.given {
		v, err = p.value()
	}
	_, null := v.(armjson.Null)
	switch {
	case err != nil:
		return d.lost(d.fail("parameter", p.name, err), p)
	case null && !hasDefault && (d.parent != nil || d.x.options.Strict) && !d.nullable(p.schema):
		return d.lost(d.fail("parameter", p.name, fmt.Errorf("it is given null, and needs a value")), p)
	case null && !hasDefault && d.x.options.Official:
		return v, nil
	case p.given && v != nil && !null:
	case hasDefault:
		if v, err = d.ev.Value(standard); err != nil {
			return d.lost(d.fail("parameter", p.name, err), p)
		}
		if d.parent == nil && d.x.options.SecretsApart && !IsKnown(v) && d.isSecure(p.schema) {
			return d.noValue(p), nil
		}
		if d.x.options.Official { // the source shows it
			return v, d.fitting(p, v)
		}
	case null || d.nullable(p.schema):
		return armjson.Null{}, nil
	default:
		return d.noValue(p), nil
	}
	if err := d.fitting(p, v); err != nil {
		return d.lost(err, p)
	}
	return d.secure(p.schema, v, "parameters", p.name), nil
}

// given returns what a value that is given for a parameter is in the template. The official engine evaluates
// nothing that depends on a secure one, and puts an expression in its place: a known value would be shown. Those of
// key vaults have functions of their own.
func (d *deployment) given(p *param, v Value) Value {
	switch v.(type) {
	case nil, armjson.Null, *unknown:
		return v
	}
	if d.x.options.Official && d.isSecure(p.schema) {
		return d.noValue(p)
	}
	return v
}

// fitting returns an error if a module's parameter cannot have a value.
func (d *deployment) fitting(p *param, v Value) error {
	if d.parent == nil && !d.x.options.Strict {
		return nil
	}
	if err := d.fits(p.schema, v, "the value"); err != nil {
		return d.fail("parameter", p.name, err)
	}
	return nil
}

// noValue stands for the value of a parameter that has none.
func (d *deployment) noValue(p *param) Value {
	u := unknownParameter(p.name, NoValue)
	if d.isSecure(p.schema) {
		u.Mark = secret.Secure
	}
	if d.parent != nil {
		u.Source = &absence{name: p.name, why: NoValue, inner: true}
	}
	// A deployment gives it one. The official engine makes nothing of that.
	if d.isSecure(p.schema) && !d.nullable(p.schema) && !d.x.options.Official {
		return u.Some()
	}
	return u
}

// lost returns what stands for the value of a parameter that cannot be evaluated.
func (d *deployment) lost(err error, p *param) (Value, error) {
	if d.x.tolerate(err) {
		return d.noValue(p), nil
	}
	return nil, err
}

func (d *deployment) nullable(schema *armjson.Object) bool { return d.schema(schema).Nullable() }

// isSecure tells whether a schema is that of a secure string or object.
func (d *deployment) isSecure(schema *armjson.Object) bool { return d.schema(schema).Secure() }

// allOutputs evaluates the outputs of the template, once.
func (d *deployment) allOutputs() ([]Output, error) {
	switch d.outputsAt {
	case running:
		return nil, d.fail("module", d.module.Symbol, eval.Circular(fmt.Errorf("its outputs refer to themselves")))
	case untouched:
		d.outputsAt = running
		d.outputs, d.outputsErr = d.evaluateOutputs()
		d.outputsAt = d.x.after(d.outputsErr)
	}
	return d.outputs, d.outputsErr
}

func (d *deployment) evaluateOutputs() ([]Output, error) {
	list := findObject(d.template, "outputs")
	if list == nil {
		return nil, nil
	}
	out := make([]Output, 0, list.Len())
	for name, v := range list.All() {
		o, ok := v.(*armjson.Object)
		if !ok {
			continue
		}
		value, err := d.output(name, o)
		if err != nil {
			return nil, d.fail("output", name, err)
		}
		if value == nil || d.leftOut(o, value) {
			continue
		}
		if d.parent == nil {
			if err := d.x.room(value); err != nil {
				return nil, d.fail("output", name, err)
			}
		}
		out = append(out, Output{name, value})
	}
	return out, nil
}

// leftOut reports whether the engine leaves out an output: one that is null and may not be, and a loop of which the
// number of rounds is not known.
func (d *deployment) leftOut(o *armjson.Object, value Value) bool {
	switch v := value.(type) {
	case armjson.Null:
		return d.parent == nil && !d.nullable(o)
	case *unknown:
		return d.x.options.Official && findObject(o, "copy") != nil && !v.IsSecure() && armexpr.Same(v.Expr, armexpr.Fn("unknown"))
	}
	return false
}

// output evaluates one output; nil if its condition is false.
func (d *deployment) output(name string, o *armjson.Object) (Value, error) {
	ev := d.ev
	if c, ok := find(o, "condition"); ok {
		v, err := d.value(ev, c, "output", name)
		if err != nil {
			return nil, err
		}
		if v == armjson.Bool(false) {
			return nil, nil
		}
	}
	var v Value
	var err error
	if loop := findObject(o, "copy"); loop != nil {
		count, _ := find(loop, "count")
		input, _ := find(loop, "input")
		v, err = ev.OutputLoop(count, input)
		if err != nil && d.x.tolerate(d.fail("output", name, err)) {
			v, err = failing(err), nil
		}
	} else {
		value, ok := find(o, "value")
		if !ok {
			return nil, nil
		}
		v, err = d.value(ev, value, "output", name)
	}
	if err != nil {
		return nil, err
	}
	if _, null := v.(armjson.Null); !null {
		if err := d.fits(o, v, "the value"); err != nil {
			if err = d.fail("output", name, err); !d.x.tolerate(err) {
				return nil, err
			}
			return failing(err), nil
		}
	}
	if d.parent == nil && d.x.options.Official { // the source shows what is known of it
		return v, nil
	}
	return d.secure(o, v, "outputs", name), nil
}
