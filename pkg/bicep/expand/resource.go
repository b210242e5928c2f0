package expand

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
)

// # Resources, loops and the order of evaluation
//
// A template declares resources, each of which may be a loop of them (copy), and expressions in one may ask for
// another: for its name, its ID, its outputs. The order in the template does not say which asks for which. So a
// resource is evaluated in three steps, of which the first two are taken when they are first asked for:
//
//	declaration.all         its rounds: one instance, or as many as the loop makes
//	instance.identify       whether it is deployed, its type, its name, its scope, its ID; the parameters of a module
//	instance.evaluate       its body
//
// expand goes through the declarations in order and takes all three steps. An expression that refers to another
// resource takes the first two for that one, and evaluates the outputs of a module. The bodies of other
// resources are not asked for: what the deployment makes of them is unknown (eval/marks.go).
//
//	"b": { "copy": { "name": "b", "count": "[length(variables('names'))]" }, "name": "[variables('names')[copyIndex()]]" }
//	"c": { "name": "[format('{0}-c', resourceInfo('b[1]').name)]" }
//
// With two names, b has the instances b[0] and b[1], each with an evaluator in which copyIndex() is its number.
// The rounds share the values of calls that do not depend on it (eval's memo). c asks for the name of b[1], so
// b is counted and b[1] identified, whichever comes first.
//
// If the number of rounds is not known before the deployment, or is a secret, one instance stands for all of
// them: b[*], with index -1. copyIndex() stays as it is in its expressions, and Copies is the expression of the
// number. Where such loops nest, the index has a number too, copyIndex('loop 2'), so that the expressions
// differ. An expression that names one round, reference('b[3]'), has the ID of that one (rounds.go).
//
// Invariants:
//
//   - A step is running while it is taken and done afterwards (state). Asking for one that is running is a
//     mistake of the program: the resource depends on itself.
//   - The list of instances does not change once it is there, so pointers to them may be kept. An instance that
//     its condition leaves out has no resource; nor has a module, which has inner instead.
//
// It ends because each step is taken once for each instance. Their number is checked before they are made
// (Limits.Copies, Limits.Resources), how deep modules nest by Limits.Modules, and expressions by the
// evaluator's budget.

// declaration is a resource as the template declares it: one, or a loop of them.
type declaration struct {
	d      *deployment
	symbol string // may be empty
	loop   string // name of the loop, may be empty
	body   *armjson.Object
	parent *declaration // in classic templates, that of the resource around

	count     Value // of the loop; nil if there is none
	instances []*instance
	rounds    map[string]*instance // by the index that names them; see rounds.go
	taken     bool                 // in sequence.go
	at        state
	err       error

	// What names the resources that come before, once it is read: first what reference() names (sequence.go).
	before     []armexpr.Expr
	references int
}

// instance is one round of a declaration.
type instance struct {
	decl     *declaration
	index    int // -1 if it stands for all rounds of a loop
	ev       *eval.Evaluator
	id, name Value     // of what it deploys, as those of the resource
	version  string    // API version of a deployment
	resource *Resource // nil for a deployment that is expanded
	inner    *deployment

	at      state
	err     error
	filled  state // the body
	fillErr error
	skipped bool  // its condition is false
	taken   bool  // in sequence.go
	linked  bool  // a deployment of a template that is elsewhere
	apart   bool  // only expressions name it; see rounds.go
	by      Value // the index that names it, if that is not known

	// The outputs of a deployment, as reference() has them and with the values of secure ones.
	referred, revealed *armjson.Object
}

const deploymentType = "microsoft.resources/deployments"

// declare reads a template's resources, an array or an object.
func (d *deployment) declare(v Value, parent *declaration) error {
	add := func(symbol string, v Value) error {
		o, ok := v.(*armjson.Object)
		if !ok {
			return nil
		}
		if err := d.count(1); err != nil {
			return d.fail("resource", symbol, err)
		}
		decl := &declaration{d: d, symbol: symbol, body: o, parent: parent}
		if loop := findObject(o, "copy"); loop != nil {
			decl.loop = findString(loop, "name")
			decl.count, _ = find(loop, "count")
			if decl.count == nil {
				decl.count = armjson.Null{}
			}
		}
		d.decls = append(d.decls, decl)
		d.x.groups.add(decl)
		if symbol != "" {
			d.bySymbol[strings.ToLower(symbol)] = decl
		}
		children, _ := find(o, "resources")
		if children != nil && !isDeployment(o) {
			return d.declare(children, decl)
		}
		return nil
	}
	switch v := v.(type) {
	case armjson.Array:
		for _, r := range v {
			if err := add("", r); err != nil {
				return err
			}
		}
	case *armjson.Object:
		for symbol, r := range v.All() {
			if err := add(symbol, r); err != nil {
				return err
			}
		}
	}
	return nil
}

func isDeployment(o *armjson.Object) bool {
	kind, _, _ := strings.Cut(findString(o, "type"), "@")
	return strings.EqualFold(kind, deploymentType)
}

// name is what messages call the declaration.
func (c *declaration) name() string {
	if c.symbol != "" {
		return c.symbol
	}
	kind := findString(c.body, "type")
	return kind + "/" + strings.Trim(findString(c.body, "name"), "[]")
}

func (c *declaration) kind() string {
	if isDeployment(c.body) {
		return "module"
	}
	return "resource"
}

func (c *declaration) fail(err error) error { return c.d.fail(c.kind(), c.name(), err) }

// all returns the rounds of the declaration.
func (c *declaration) all() ([]*instance, error) {
	switch c.at {
	case running:
		return nil, c.fail(eval.Circular(fmt.Errorf("the number of its copies depends on itself")))
	case untouched:
		c.at = running
		if c.err = c.unroll(); c.err != nil {
			c.err = c.fail(c.err)
		}
		c.at = c.d.x.after(c.err)
	}
	return c.instances, c.err
}

func (c *declaration) unroll() error {
	ev := c.d.ev
	if c.count == nil {
		c.instances = []*instance{{decl: c, ev: ev}}
		return nil
	}
	v, err := c.d.value(ev, c.count, c.kind(), c.name())
	if err != nil {
		return err
	}
	if _, unknown := v.(*unknown); unknown && c.d.x.options.Official {
		c.d.endless = true
		if c.d.parent == nil {
			return fmt.Errorf("the number of its copies is not known before the deployment: %s", Text(v))
		}
		return nil
	}
	if !IsKnown(v) {
		c.count = v
		c.instances = []*instance{{decl: c, index: -1, ev: ev.WithUnknownIndex(c.loop, c.d.indexName(c.loop)...)}}
		return nil
	}
	n, ok := v.(armjson.Number)
	count, isInt := n.Int64()
	switch {
	case !ok || !isInt || count < 0:
		return fmt.Errorf("the number of its copies is not valid")
	case count > int64(c.d.x.limits.Copies):
		err := fmt.Errorf("its loop makes %d copies; the limit is %d", count, c.d.x.limits.Copies)
		if count > mostTolerated || !c.d.x.tolerate(c.fail(err)) {
			return err
		}
	}
	if err := c.d.count(int(count) - 1); err != nil {
		return err
	}
	c.instances = make([]*instance, count)
	ev = ev.WithMemo()
	for i := range c.instances {
		c.instances[i] = &instance{decl: c, index: i, ev: ev.WithCopyIndex(c.loop, int64(i))}
	}
	return nil
}

// indexName returns how expressions name the index of a loop whose number of rounds is unknown. The name of the
// loop is left out, because plans compare expressions and a symbol may change its name.
func (d *deployment) indexName(loop string) []Value {
	switch {
	case d.x.options.Official:
		return []Value{armjson.String(loop)}
	case len(d.lengths) == 0:
		return nil
	}
	return []Value{armjson.String(fmt.Sprint("loop ", len(d.lengths)+1))}
}

// expand adds what the declaration deploys to the result.
func (c *declaration) expand() error {
	list, err := c.all()
	if err != nil {
		return err
	}
	for _, i := range list {
		if err := i.identify(); err != nil {
			return err
		}
		if err := i.deploy(); err != nil {
			return err
		}
	}
	return nil
}

// deploy adds what an instance that is identified deploys to the result.
func (i *instance) deploy() error {
	switch {
	case i.skipped, i.linked && i.decl.d.x.options.Official:
		return nil
	case i.inner != nil:
		return i.inner.expand()
	}
	if err := i.evaluate(); err != nil {
		return i.decl.d.fail(i.decl.kind(), i.symbol(), err)
	}
	return nil
}

func (i *instance) symbol() string {
	s := i.decl.symbol
	if s == "" {
		s = i.decl.name()
	}
	switch {
	case i.decl.count == nil:
		return s
	case i.by != nil:
		return s + Text(i.by)
	case i.index < 0:
		return s + "[*]"
	}
	return s + "[" + strconv.Itoa(i.index) + "]"
}

// identify finds out what the instance is: whether it is there at all, its type,
// name and ID.
func (i *instance) identify() error {
	switch i.at {
	case running:
		return i.decl.d.fail(i.decl.kind(), i.symbol(), eval.Circular(fmt.Errorf("its name, scope or condition depends on itself")))
	case untouched:
		i.at = running
		if i.err = i.identity(); i.err != nil {
			i.err = i.decl.d.fail(i.decl.kind(), i.symbol(), i.err)
		}
		i.at = i.decl.d.x.after(i.err)
	}
	return i.err
}

func (i *instance) value(name string) (Value, error) {
	v, ok := find(i.decl.body, name)
	if !ok {
		return nil, nil
	}
	return i.decl.d.value(i.ev, v, i.decl.kind(), i.symbol())
}

func (i *instance) identity() error {
	c, d := i.decl, i.decl.d
	r := &Resource{Module: d.module, decl: c, index: i.index, apart: i.apart || d.apart}
	if c.symbol != "" {
		r.Symbol = i.symbol()
	}
	r.Copies = copies(i.lengths())
	var condition Value
	var err error
	if !i.apart {
		if condition, err = i.condition(); err != nil || i.skipped {
			return err
		}
	}
	r.Condition = both(d.module.Condition, condition)
	if v, _ := find(c.body, "existing"); v == armjson.Bool(true) {
		r.Existing = true
	}
	if d.module.places != nil {
		if isDeployment(c.body) {
			r.Position, _ = d.module.places.Module(c.symbol)
		}
		if r.Position.File == "" {
			r.Position = d.module.places.Resource(c.symbol)
		}
	}
	if r.Position.File == "" { // of a nested template
		r.Position = d.module.Position
	}
	r.Type = findString(c.body, "type")
	if t, version, ok := strings.Cut(r.Type, "@"); ok {
		r.Type, r.APIVersion = t, version
	}
	if r.APIVersion == "" {
		version, err := i.value("apiVersion")
		if err != nil {
			return err
		}
		r.APIVersion = Text(version)
	}
	alias := findString(c.body, "import")
	if alias == "" {
		alias = findString(c.body, "extension")
	}
	if isDeployment(c.body) && (alias == "" || alias == localExtension) {
		return i.deployment(r, alias == localExtension)
	}
	if alias != "" {
		i.resource = r
		return i.extensible(r, alias)
	}
	if r.Name, err = i.value("name"); err != nil {
		return err
	}
	if err := i.under(r); err != nil {
		return err
	}
	if err := i.checkName(r); err != nil {
		return err
	}
	if err := i.locate(r); err != nil {
		return err
	}
	i.resource, i.id, i.name = r, r.ID, r.Name
	return nil
}

// lengths returns the numbers of rounds that are not known of the loops around an instance, outermost first.
func (i *instance) lengths() []Value {
	outer := i.decl.d.lengths
	if i.index < 0 && i.decl.count != nil {
		return append(slices.Clip(outer), i.decl.count)
	}
	return outer
}

// copies returns one number as it is, and several as an array.
func copies(lengths []Value) Value {
	switch len(lengths) {
	case 0:
		return nil
	case 1:
		return lengths[0]
	}
	return armjson.Array(lengths)
}

// checkName refuses a name that a deployment refuses: an empty one, and one that does not have a segment for each
// segment of the type but the first.
func (i *instance) checkName(r *Resource) error {
	var err error
	switch name := r.Name.(type) {
	case armjson.Null:
		err = fmt.Errorf("its name is null")
	case armjson.String:
		parts, types := strings.Split(string(name), "/"), strings.Count(r.Type, "/")
		if name == "" {
			err = fmt.Errorf("its name is empty")
		} else if len(parts) != types {
			err = fmt.Errorf("the parts of its name %q, between slashes, are %d; a resource of type %s has %d",
				name, len(parts), r.Type, types)
		} else if slices.Contains(parts, "") && !i.decl.d.x.options.Official {
			err = fmt.Errorf("a part of its name %q, between slashes, is empty", name)
		}
	}
	if err == nil || i.decl.d.x.tolerate(i.decl.d.fail(i.decl.kind(), i.symbol(), err)) {
		return nil
	}
	return err
}

// localExtension is what deploys the modules of a file whose target scope is local.
const localExtension = "az0synthesized"

func (i *instance) condition() (Value, error) {
	if p := i.decl.parent; p != nil && p.count == nil {
		up := p.instances
		if len(up) == 0 {
			if _, err := p.all(); err != nil {
				return nil, err
			}
			up = p.instances
		}
		if err := up[0].identify(); err != nil {
			return nil, err
		}
		if up[0].skipped {
			i.skipped = true
			return nil, nil
		}
	}
	v, err := i.value("condition")
	if v == nil || err != nil {
		return nil, err
	}
	switch p := v.(type) {
	case armjson.Bool:
		if !bool(p) && i.decl.d.x.options.All {
			return i.written("condition", p), nil
		}
		if i.skipped = !bool(p); !i.skipped && i.decl.d.module.Condition != nil && i.decl.d.x.options.Official {
			return p, nil // the engine prints it beside the module's
		}
		i.decl.d.x.result.LeftOut = i.decl.d.x.result.LeftOut || i.skipped
		return nil, nil
	case *unknown:
		return p, nil
	}
	err = fmt.Errorf("its condition is not a boolean")
	if i.decl.d.x.tolerate(i.decl.d.fail(i.decl.kind(), i.symbol(), err)) {
		return failing(err), nil
	}
	return nil, err
}

// written returns the expression that a member of the declaration is, in place of its value.
func (i *instance) written(name string, value Value) Value {
	v, _ := find(i.decl.body, name)
	s, _ := v.(armjson.String)
	e, err := armexpr.Parse(string(s))
	if err != nil || !armexpr.IsExpression(string(s)) {
		return value
	}
	return &unknown{Expr: e}
}

// both returns the condition that two conditions make, of which either may be nil.
func both(a, b Value) Value {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case a == armjson.Bool(false), b == armjson.Bool(false):
		return armjson.Bool(false)
	}
	return eval.NewUnknown(nil, "and", a, b)
}

// under gives a resource that stands within another its whole type and name.
func (i *instance) under(r *Resource) error {
	p := i.decl.parent
	if p == nil {
		return nil
	}
	list, err := p.all()
	if err != nil || len(list) == 0 {
		return err
	}
	if err := list[0].identify(); err != nil || list[0].resource == nil {
		return err
	}
	up := list[0].resource
	if !strings.HasPrefix(strings.ToLower(r.Type), strings.ToLower(up.Type)+"/") {
		r.Type = up.Type + "/" + r.Type
		r.Name = join(up.Name, armjson.String("/"), r.Name)
	}
	return nil
}

// locate finds the scope and the ID of an Azure resource.
func (i *instance) locate(r *Resource) error {
	at, err := i.target()
	if err != nil {
		return err
	}
	scope, err := i.value("scope")
	if err != nil {
		return err
	}
	r.Scope = at.id()
	if at.kind == groupScope {
		r.Group = at.group
	}
	if scope == nil {
		r.ID = resourceID(at, r.Type, r.Name)
		return nil
	}
	given := scope
	if s, ok := scope.(armjson.String); ok {
		switch {
		case s == "/":
			t := place{kind: tenantScope, official: at.official}
			r.Scope, r.Group, r.ID = t.id(), nil, resourceID(&t, r.Type, r.Name)
			return nil
		case !strings.HasPrefix(string(s), "/"): // TYPE/NAME of the same scope
			if strings.HasPrefix(strings.ToLower(string(s)), "microsoft.management/managementgroups/") {
				scope = armjson.String("/providers/" + string(s))
			} else {
				scope = join(at.prefix(), armjson.String("/providers/"+string(s)))
			}
		}
	}
	r.Scope = scope
	r.ID = extensionID(scope, r.Type, r.Name)
	if _, known := r.ID.(armjson.String); !known && at.official && r.Name != nil {
		r.ID = printedExtensionID(at, given, r.Type, r.Name)
	}
	return nil
}

// target returns the place that a resource or module names, or the deployment's own.
func (i *instance) target() (*place, error) {
	p := i.decl.d.place
	sub, err := i.value("subscriptionId")
	if err != nil {
		return nil, err
	}
	group, err := i.value("resourceGroup")
	if err != nil {
		return nil, err
	}
	if sub == nil && group == nil {
		return &p, nil
	}
	if text, known := Known(sub); known && !eval.IsGUID(text) {
		err := fmt.Errorf("the subscription %q is not a GUID", text)
		if !i.decl.d.x.tolerate(i.decl.d.fail(i.decl.kind(), i.symbol(), err)) {
			return nil, err
		}
	}
	p.root = p.root && (sub == nil || armjsonText(sub) == armjsonText(p.subscriptionName())) &&
		(group == nil || armjsonText(group) == armjsonText(p.groupName()))
	if sub != nil {
		if armjsonText(sub) != armjsonText(p.subscription) {
			p.group, p.groupID, p.location = nil, nil, nil
		}
		p.subscription, p.kind = sub, subscriptionScope
	}
	if group != nil {
		if armjsonText(group) != armjsonText(p.group) {
			p.groupID, p.location = nil, nil
		}
		p.group, p.kind = group, groupScope
	}
	return &p, nil
}

// armjsonText is a text to compare places by.
func armjsonText(v Value) string {
	if v == nil {
		return ""
	}
	const enough = 64 << 10
	return strings.ToLower(string(armexpr.AppendSome(nil, eval.Expression(v), enough)))
}

// extensible finds name, scope and ID of an extension's resource.
func (i *instance) extensible(r *Resource, alias string) error {
	d := i.decl.d
	r.Extension = d.extensions[strings.ToLower(alias)]
	if r.Extension == nil {
		r.Extension = &Extension{Alias: alias}
	}
	props := findObject(i.decl.body, "properties")
	var err error
	get := func(o *armjson.Object, name string) Value {
		v, ok := find(o, name)
		if !ok || err != nil {
			return nil
		}
		v, err = d.value(i.ev, v, i.decl.kind(), i.symbol())
		return v
	}
	switch strings.ToLower(r.Extension.Provider) {
	case "kubernetes":
		metadata := findObject(props, "metadata")
		r.Name, r.Scope = get(metadata, "name"), get(metadata, "namespace")
		if _, null := r.Scope.(armjson.Null); null && !d.x.options.Official {
			r.Scope = nil // it is not set
		}
		if config, ok := r.Extension.Config.(*armjson.Object); ok && r.Scope == nil && !d.x.options.Official {
			if namespace, ok := find(config, "namespace"); ok {
				r.Scope, err = d.value(d.ev, namespace, "extension", alias)
			}
		}
	case "aws":
		if r.Name = get(props, "alias"); r.Name == nil {
			r.Name = get(props, "name")
		}
		if r.Existing || r.Name == nil {
			if given := get(props, "properties"); given != nil && !d.x.options.Official {
				if r.given = armjson.String(Text(given)); !IsKnown(given) {
					r.given = eval.NewUnknown(nil, "string", given)
				}
			}
		}
		r.Scope = optional(d.place.aws)
	default:
		r.Name = get(props, "name")
		if !r.IsRadius() {
			break
		}
		if d.place.radius != "" {
			r.Scope = armjson.String(d.place.radius)
			r.ID = extensionID(r.Scope, r.Type, r.Name)
		} else if r.Name != nil {
			r.ID = eval.Get(d.reference(r, nil), "id")
		}
	}
	return err
}

// IsKubernetes reports whether the resource is an object of Kubernetes.
func (r *Resource) IsKubernetes() bool {
	return r.Extension != nil && strings.EqualFold(r.Extension.Provider, "Kubernetes")
}

// IsRadius reports whether the resource is one of Radius.
func (r *Resource) IsRadius() bool {
	if r.Extension == nil {
		return false
	}
	namespace, _, _ := strings.Cut(r.Type, "/")
	own := "Radius" + strings.ReplaceAll(namespace, ".", "") // of an extension that publish-extension makes
	return strings.EqualFold(r.Extension.Provider, "Radius") || strings.EqualFold(r.Extension.Provider, own) ||
		strings.HasPrefix(r.Type, "Applications.") || strings.HasPrefix(r.Type, "Radius.")
}

// control holds the members of a resource that are not part of its body.
var control = map[string]bool{
	"type": true, "apiversion": true, "name": true, "condition": true, "copy": true, "dependson": true, "existing": true, "scope": true,
	"subscriptionid": true, "resourcegroup": true, "comments": true, "metadata": true, "resources": true, "@options": true, "import": true,
	"extension": true, "method": true,
}

// evaluate evaluates the body and adds the resource to the result.
func (i *instance) evaluate() error {
	r := i.resource
	x := i.decl.d.x
	x.result.Resources = append(x.result.Resources, r)
	if id, ok := Known(r.ID); ok {
		if id = strings.ToLower(id); !x.options.Official || !r.Existing || x.byID[id] == nil {
			x.byID[id] = r
		}
	}
	if err := i.fill(); err != nil {
		return err
	}
	return i.room(r)
}

// fill evaluates the body, once. An expression in another resource may ask for it (declared.go).
func (i *instance) fill() error {
	switch i.filled {
	case running:
		return eval.Circular(fmt.Errorf("its body depends on itself"))
	case untouched:
		i.filled = running
		i.fillErr = i.fillBody()
		i.filled = i.decl.d.x.after(i.fillErr)
	}
	return i.fillErr
}

func (i *instance) fillBody() error {
	r := i.resource
	if r.Extension != nil {
		v, err := i.value("properties")
		r.Body, _ = v.(*armjson.Object)
		if r.Body == nil {
			r.Body = armjson.NewObject()
		}
		return err
	}
	r.Decorators = decorators(i.decl.body)
	r.Body = armjson.NewObject()
	for k, v := range i.decl.body.All() {
		if control[strings.ToLower(k)] {
			continue
		}
		v, err := i.decl.d.value(i.ev, v, i.decl.kind(), i.symbol())
		if err != nil {
			return err
		}
		r.Body.Set(k, v)
	}
	return nil
}

// CodeTooLarge is the code of the diagnostic that says that a resource is left without its properties.
const CodeTooLarge = "TooLarge"

// room takes a resource from what may be written of all that is deployed.
func (i *instance) room(r *Resource) error {
	x := i.decl.d.x
	err := x.room(r.Body, r.ID, r.Name, r.Scope, r.Condition, r.Copies, armjson.String(r.Module.Path()))
	if err == nil || !x.options.Graphs {
		return err
	}
	r.Body, r.TooLarge = armjson.NewObject(), true
	x.result.Diagnostics = append(x.result.Diagnostics, Diagnostic{
		Target: i.symbol(), Level: "Info", Code: CodeTooLarge, Position: r.Position,
		Message: fmt.Sprintf("Resource %s is left without its properties: %s.", i.symbol(), err),
	})
	return nil
}

// decorators returns what a resource asks of the deployment engine.
func decorators(body *armjson.Object) []string {
	var list []string
	if options := findObject(body, "@options"); options != nil {
		for name := range options.All() {
			list = append(list, name)
		}
	}
	if strings.EqualFold(findString(body, "method"), "PATCH") {
		list = append(list, "patch")
	}
	return list
}
