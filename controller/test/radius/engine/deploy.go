package engine

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
)

// run is a deployment while its resources are made.
//
// The template is expanded again after each resource. What was made is then known: in the template,
// reference('symbol') becomes a variable that has the resource's body as its value.
type run struct {
	*Server
	*deployment
	done map[*armjson.Object]map[string]armjson.Value // templates -> resources that are there -> what they are

	modules  map[string]*deployment // the deployments that modules are, by their paths
	declared *armjson.Object        // the outputs, as the template declares them
}

// deploy carries out a deployment to its end.
func (s *Server) deploy(d *deployment) {
	r := &run{Server: s, deployment: d, done: map[*armjson.Object]map[string]armjson.Value{}, modules: map[string]*deployment{}}
	r.declared = d.template.Object("outputs")
	d.template = armjson.Copy(d.template).(*armjson.Object)
	reveal(d.template, "parameters", "definitions")
	if strings.HasPrefix(d.name(), "recipe") { // Radius keeps secure outputs of recipes for their resources
		reveal(d.template, "outputs")
	}
	if cloud := "environment()"; mentions(d.template, cloud) {
		r.set(d.template, "~environment", armjson.NewObject(
			armjson.Member{Key: "name", Value: armjson.String("AzureCloud")},
			armjson.Member{Key: "suffixes", Value: armjson.NewObject(
				armjson.Member{Key: "storage", Value: armjson.String("core.windows.net")},
			)}),
			cloud, "variables('~environment')")
	}
	err := r.all()
	s.mu.Lock()
	defer s.mu.Unlock()
	r.endModules()
	d.state = "Succeeded"
	if err != nil {
		d.state, d.failure = "Failed", err.Error()
	}
}

// reveal makes the secure types in parts of a template plain ones, in all that its modules declare too: what is secure
// is unknown to expand, and a deployment needs its value. The outputs of the template itself are not revealed.
func reveal(template *armjson.Object, parts ...string) {
	plain := map[string]string{"securestring": "string", "secureobject": "object"}
	var walk func(v armjson.Value)
	walk = func(v armjson.Value) {
		switch v := v.(type) {
		case armjson.Array:
			for _, part := range v {
				walk(part)
			}
		case *armjson.Object:
			if kind := plain[strings.ToLower(v.Str("type"))]; kind != "" {
				v.Set("type", armjson.String(kind))
			}
			for name, part := range v.All() {
				if name != "defaultValue" && name != "value" {
					walk(part)
				}
			}
		}
	}
	for _, part := range parts {
		if v := template.Object(part); v != nil {
			walk(v)
		}
	}
	resources := template.Object("resources")
	if resources == nil {
		return
	}
	for _, resource := range resources.All() {
		if o, ok := resource.(*armjson.Object); ok {
			if module := o.Object("properties").Object("template"); module != nil {
				reveal(module, "parameters", "definitions", "outputs")
			}
		}
	}
}

// all makes one resource after the other, and then the outputs.
func (r *run) all() error {
	for {
		result, err := r.expand()
		if err != nil {
			return err
		}
		next, waits, err := r.next(result)
		switch {
		case err != nil:
			return err
		case next != nil:
			if err := r.one(next); err != nil {
				return err
			}
			if err := r.learn(result); err != nil {
				return err
			}
		case len(waits) > 0:
			return fmt.Errorf("nothing that is there makes these known: %s", strings.Join(waits, "; "))
		default:
			return r.results(result)
		}
	}
}

func (r *run) expand() (*expand.Result, error) {
	parameters := map[string]expand.Parameter{}
	if r.parameters != nil {
		for name, p := range r.parameters.All() {
			given, _ := p.(*armjson.Object)
			if given == nil {
				return nil, fmt.Errorf("the parameter %s has no value", name)
			}
			value, ok := given.Get("value")
			if !ok {
				return nil, fmt.Errorf("the parameter %s has no value", name)
			}
			parameters[name] = expand.Parameter{Value: value}
		}
		for name := range parameters {
			if declared := r.template.Object("parameters"); declared == nil || declared.Find(name) < 0 {
				return nil, fmt.Errorf("the template has no parameter %s", name)
			}
		}
	}
	in := expand.Context{RadiusGroup: r.scope, DeploymentName: r.name()}
	return expand.Expand(r.template, expand.Options{Parameters: parameters, Context: in})
}

// next returns a resource that can be made: what it depends on is there, and all of it is known.
func (r *run) next(result *expand.Result) (next *expand.Resource, waits []string, err error) {
	for _, resource := range result.Resources {
		if r.is(resource) {
			continue
		}
		if resource.Extension == nil {
			return nil, nil, fmt.Errorf("%s is a resource of Azure, and there is none here", resource.Type)
		}
		if ready := r.ready(resource); ready && expand.IsKnown(resource.Body) && (resource.ID == nil || expand.IsKnown(resource.ID)) {
			return resource, nil, nil
		} else if ready {
			waits = append(waits, fmt.Sprintf("%s: %s", resource.Symbol, expand.Text(resource.Body)))
		}
	}
	return nil, waits, nil
}

func (r *run) ready(resource *expand.Resource) bool {
	for _, d := range resource.Dependencies {
		if d.Resource != nil && !r.is(d.Resource) {
			return false
		}
	}
	return true
}

// is reports whether a resource is there.
func (r *run) is(resource *expand.Resource) bool {
	template, err := r.templateOf(resource.Module)
	return err == nil && r.done[template][key(resource)] != nil
}

// key tells the resources of a template apart. The module is in it, since copies of a module share a template.
func key(resource *expand.Resource) string { return resource.Module.Path() + " " + resource.Symbol }

// templateOf returns the template that a module is declared with.
func (r *run) templateOf(m *expand.Module) (*armjson.Object, error) {
	if m == nil || m.Parent == nil {
		return r.template, nil
	}
	outer, err := r.templateOf(m.Parent)
	if err != nil {
		return nil, err
	}
	symbol, _, _ := strings.Cut(m.Symbol, "[")
	for _, part := range []string{"resources", symbol, "properties", "template"} {
		if outer = outer.Object(part); outer == nil {
			return nil, fmt.Errorf("the module %s has no template", m.Path())
		}
	}
	return outer, nil
}

// one makes a resource, or looks for one that exists already.
func (r *run) one(resource *expand.Resource) error {
	body, err := r.request(resource)
	if err != nil {
		return err
	}
	template, err := r.templateOf(resource.Module)
	if err != nil {
		return err
	}
	if r.done[template] == nil {
		r.done[template] = map[string]armjson.Value{}
	}
	r.done[template][key(resource)] = body
	return nil
}

// learn makes known to the templates what has been made. The resources of a loop become known together, when all are there.
func (r *run) learn(result *expand.Result) error {
	waiting := map[string]bool{}
	for _, resource := range result.Resources {
		waiting[declaration(resource)] = waiting[declaration(resource)] || !r.is(resource)
	}
	for _, resource := range result.Resources {
		if waiting[declaration(resource)] || resource.Symbol == "" {
			continue
		}
		template, err := r.templateOf(resource.Module)
		if err != nil {
			return err
		}
		symbol, _, looped := strings.Cut(resource.Symbol, "[")
		variable := "~" + resource.Symbol
		calls := []string{"reference('" + resource.Symbol + "')", "variables('" + variable + "')"}
		if looped {
			calls = append(calls, "reference(format('"+symbol+"[", "variables(format('~"+symbol+"[")
		}
		if err := r.give(template, resource, variable, r.done[template][key(resource)], calls); err != nil {
			return err
		}
		list := "invokeResourceMethod('" + resource.Symbol + "', 'listSecrets', createArray())"
		if !mentions(template, list) {
			continue
		}
		id, _ := expand.Known(resource.ID)
		secrets, err := r.send(http.MethodPost, r.UCP+id+"/listSecrets?api-version="+resource.APIVersion, nil)
		if err != nil {
			return err
		}
		calls = []string{list, "variables('" + variable + ".listSecrets')"}
		if err := r.give(template, resource, variable+".listSecrets", secrets, calls); err != nil {
			return err
		}
	}
	return nil
}

// declaration tells apart what a template declares: the resources of a loop are one.
func declaration(resource *expand.Resource) string {
	symbol, _, _ := strings.Cut(resource.Symbol, "[")
	return resource.Module.Path() + " " + symbol
}

// give gives a template a variable with a value, which it reads where it made a call before. calls are pairs of
// what stood there and what stands there now.
func (r *run) give(template *armjson.Object, resource *expand.Resource, variable string, value armjson.Value, calls []string) error {
	used := false
	for _, text := range calls {
		used = used || mentions(template, text)
	}
	if variables := template.Object("variables"); !used || variables != nil && variables.Find(variable) >= 0 {
		return nil
	}
	for m := resource.Module; m != nil; m = m.Parent {
		if strings.Contains(m.Symbol, "[") {
			return errors.New("a module in a loop that reads its own resources is not known here")
		}
	}
	r.set(template, variable, value, calls...)
	return nil
}

func (r *run) set(template *armjson.Object, variable string, value armjson.Value, calls ...string) {
	substitute(template, strings.NewReplacer(calls...))
	if template.Object("variables") == nil {
		template.Set("variables", armjson.NewObject())
	}
	template.Object("variables").Set(variable, literal(value))
}

// results makes the outputs.
func (r *run) results(result *expand.Result) error {
	outputs := armjson.NewObject()
	for _, o := range result.Outputs {
		if expand.IsSecure(o.Value) {
			continue
		}
		if !expand.IsKnown(o.Value) {
			return fmt.Errorf("the output %s is not known: %s", o.Name, expand.Text(o.Value))
		}
		outputs.Set(o.Name, armjson.NewObject(
			armjson.Member{Key: "type", Value: armjson.String(r.declared.Object(o.Name).Str("type"))},
			armjson.Member{Key: "value", Value: o.Value}))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.outputs = outputs
	return nil
}

// mentions reports whether an expression of a template has a text in it. Modules have expressions of their own.
func mentions(template *armjson.Object, text string) (found bool) {
	eachText(template, func(s string) string {
		found = found || strings.HasPrefix(s, "[") && strings.Contains(s, text)
		return s
	})
	return found
}

// substitute changes the expressions of a template.
func substitute(template *armjson.Object, with *strings.Replacer) {
	eachText(template, func(s string) string {
		if strings.HasPrefix(s, "[") && !strings.HasPrefix(s, "[[") {
			return with.Replace(s)
		}
		return s
	})
}

func eachText(template *armjson.Object, f func(string) string) {
	var walk func(v armjson.Value) armjson.Value
	walk = func(v armjson.Value) armjson.Value {
		switch v := v.(type) {
		case armjson.String:
			return armjson.String(f(string(v)))
		case armjson.Array:
			for i := range v {
				v[i] = walk(v[i])
			}
		case *armjson.Object:
			for name, member := range v.All() {
				if name != "template" { // that of a module
					v.Set(name, walk(member))
				}
			}
		}
		return v
	}
	for _, part := range []string{"resources", "outputs", "variables"} {
		if v, ok := template.Get(part); ok {
			walk(v)
		}
	}
}

// literal returns a value as a template writes it.
func literal(v armjson.Value) armjson.Value {
	if s, ok := v.(armjson.String); ok && strings.HasPrefix(string(s), "[") && strings.HasSuffix(string(s), "]") {
		return "[" + s
	}
	return armjson.WithParts(v, func(_ string, part armjson.Value) armjson.Value { return literal(part) })
}
