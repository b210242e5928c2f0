package eval

import (
	"fmt"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
)

// TemplateScope is the scope of an ARM template's variables and functions. Each
// variable is evaluated when it is first asked for, and once. Parameters have the
// values that SetParameters says, and nothing that only a deployment knows has one.
type TemplateScope struct {
	NoScope
	ev        *Evaluator
	parameter func(name string) (Value, error)
	variables *armjson.Object
	loops     []loop // the entries of variables.copy
	byName    map[string]loop
	unnamed   []loop // those whose names were not evaluated yet
	functions map[string]*Function
	results   map[string]*result // of variables
}

// result is what an evaluation returned.
type result struct {
	value Value
	err   error
	args  []Value // if it is of a call
	next  *result // of another call with the same key
}

// NewTemplateScope returns the scope of a template, whose evaluations draw on a budget.
func NewTemplateScope(template *armjson.Object, b *Budget) *TemplateScope {
	t := &TemplateScope{results: map[string]*result{}, functions: map[string]*Function{}, byName: map[string]loop{}}
	t.ev = NewShared(t, b)
	if v, ok := Find(template, "variables"); ok {
		t.variables, _ = v.(*armjson.Object)
	}
	if t.variables == nil {
		t.variables = armjson.NewObject()
	}
	if v, ok := Find(t.variables, "copy"); ok {
		if list, ok := v.(armjson.Array); ok {
			for _, x := range list {
				if o, ok := x.(*armjson.Object); ok {
					if l, ok := asLoop(o); ok {
						t.loops = append(t.loops, l)
					}
				}
			}
		}
	}
	t.unnamed = t.loops
	if v, ok := Find(template, "functions"); ok {
		if list, ok := v.(armjson.Array); ok {
			for _, x := range list {
				t.addFunctions(x)
			}
		}
	}
	return t
}

// Bind makes the template evaluate its variables and functions with ev, in whose
// scope their names are looked up.
func (t *TemplateScope) Bind(ev *Evaluator) {
	t.ev = ev
	for _, f := range t.functions {
		f.Scope = ev.scope
	}
}

// Variables returns the names of the variables, those that loops declare included.
func (t *TemplateScope) Variables() []string {
	var names []string
	for k := range t.variables.All() {
		if !strings.EqualFold(k, "copy") {
			names = append(names, k)
		}
	}
	for _, l := range t.loops {
		names = append(names, l.name)
	}
	return names
}

// addFunctions reads one namespace of functions.
func (t *TemplateScope) addFunctions(v Value) {
	ns, ok := v.(*armjson.Object)
	if !ok {
		return
	}
	name, _ := Find(ns, "namespace")
	members, _ := Find(ns, "members")
	prefix, ok := name.(armjson.String)
	all, ok2 := members.(*armjson.Object)
	if !ok || !ok2 {
		return
	}
	for member, v := range all.All() {
		f, ok := v.(*armjson.Object)
		if !ok {
			continue
		}
		fn := &Function{Scope: t}
		if list, ok := Find(f, "parameters"); ok {
			params, _ := list.(armjson.Array)
			for _, p := range params {
				if o, ok := p.(*armjson.Object); ok {
					n, _ := Find(o, "name")
					s, _ := n.(armjson.String)
					fn.Params = append(fn.Params, string(s))
				}
			}
		}
		if out, ok := Find(f, "output"); ok {
			if o, ok := out.(*armjson.Object); ok {
				fn.Body, _ = Find(o, "value")
			}
		}
		t.functions[strings.ToLower(string(prefix)+"."+member)] = fn
	}
}

// SetParameters says where the values of parameters come from.
func (t *TemplateScope) SetParameters(value func(name string) (Value, error)) { t.parameter = value }

// Parameter evaluates parameters('name').
func (t *TemplateScope) Parameter(name string) (Value, error) {
	if t.parameter == nil {
		return t.NoScope.Parameter(name)
	}
	return t.parameter(name)
}

// Eval evaluates an expression of the template.
func (t *TemplateScope) Eval(e armexpr.Expr) (Value, error) { return t.ev.Eval(e) }

// Value evaluates a value of the template, in which strings may be expressions.
func (t *TemplateScope) Value(v Value) (Value, error) { return t.ev.Value(v) }

// Variable evaluates variables('name').
func (t *TemplateScope) Variable(name string) (Value, error) {
	key := strings.ToLower(name)
	r := t.results[key]
	if r == nil {
		r = &result{err: Circular(fmt.Errorf("the variable %q refers to itself", name))}
		t.results[key] = r
		if r.value, r.err = t.evaluate(name); r.err != nil && t.ev.budget.Passing(r.err) {
			delete(t.results, key)
		}
	}
	return r.value, r.err
}

func (t *TemplateScope) evaluate(name string) (Value, error) {
	if !strings.EqualFold(name, "copy") {
		if v, ok := t.ev.find(t.variables, name); ok {
			return t.ev.Value(v)
		}
	}
	l, err := t.loop(name)
	if err != nil {
		return nil, err
	}
	return t.ev.loop(l)
}

// loop returns the loop that declares a variable. The names of loops can be
// expressions.
func (t *TemplateScope) loop(name string) (loop, error) {
	key := strings.ToLower(name)
	for {
		if l, ok := t.byName[key]; ok {
			return l, nil
		}
		if len(t.unnamed) == 0 {
			return loop{}, fmt.Errorf("the template has no variable %q", name)
		}
		l := t.unnamed[0]
		t.unnamed = slices.Clip(t.unnamed[1:])
		v, err := t.ev.Value(armjson.String(l.name))
		if err != nil {
			t.unnamed = slices.Insert(t.unnamed, 0, l) // what is behind it is not found either
			return loop{}, err
		}
		s, _ := v.(armjson.String)
		l.name = string(s)
		if _, twice := t.byName[strings.ToLower(l.name)]; !twice {
			t.byName[strings.ToLower(l.name)] = l
		}
	}
}

// Declaration returns the value that a variable is declared with, or the count and
// the input of the loop that declares it; nil if there is none.
func (t *TemplateScope) Declaration(name string) (value, count, input Value) {
	if !strings.EqualFold(name, "copy") {
		if v, ok := t.ev.find(t.variables, name); ok {
			return v, nil, nil
		}
	}
	if l, err := t.loop(name); err == nil {
		return nil, l.count, l.input
	}
	return nil, nil, nil
}

// Function returns a function of the template.
func (t *TemplateScope) Function(name string) (*Function, error) {
	return t.functions[strings.ToLower(name)], nil
}
