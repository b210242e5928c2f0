package expand_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"

	"github.com/stretchr/testify/require"
)

// # Random programs
//
// A program is made as a tree: templates of resources and modules, with loops, loops of properties, conditions,
// parameters with defaults, and outputs. The tree is written as a template for Expand, and run by the few lines
// below, which follow ARM's documentation: a loop makes count rounds, in each of them copyIndex() is the round; a
// round whose condition is false makes nothing; a module knows its parameters and nothing else of what is around it.

// node is an expression: a text of the language, and what it is.
type node struct {
	text  string
	value func(e *env) any // int, string or bool
}

// env is what an expression sees.
type env struct {
	params  map[string]any
	outputs map[string]any // of modules, by symbol
	round   int            // of the resource's loop
	element int            // of the property's loop
}

type randomTemplate struct {
	params    []randomParam
	resources []*randomResource
	output    node
}

type randomParam struct {
	name, kind string
	standard   *node
}

type randomResource struct {
	symbol           string
	count, condition *node
	name             node
	properties       []node
	elements         *node // how many the loop of a property has
	element          node
	module           *randomTemplate
	arguments        map[string]node
}

// randomMaker makes programs. What may be used at a place is in its fields.
type randomMaker struct {
	*rand.Rand
	params          []randomParam
	modules         []string // that have an output and are there in any case
	round, element  bool
	symbols, budget int
}

func (m *randomMaker) named(kind string) (list []node) {
	for _, p := range m.params {
		if p.kind == kind {
			list = append(list, node{"parameters('" + p.name + "')", func(e *env) any { return e.params[p.name] }})
		}
	}
	return list
}

func (m *randomMaker) pick(list []node) node { return list[m.IntN(len(list))] }

func literal(text string, v any) node { return node{text, func(*env) any { return v }} }

func (m *randomMaker) int(depth int) node {
	if depth == 0 || m.IntN(4) == 0 {
		n := m.IntN(5)
		list := append(m.named("int"), literal(fmt.Sprint(n), n))
		if m.round {
			list = append(list, node{"copyIndex()", func(e *env) any { return e.round }})
		}
		if m.element {
			list = append(list, node{"copyIndex('list')", func(e *env) any { return e.element }})
		}
		return m.pick(list)
	}
	a, b, s, c := m.int(depth-1), m.int(depth-1), m.text(depth-1), m.bool(depth-1)
	switch m.IntN(5) {
	case 0:
		return node{"add(" + a.text + ", " + b.text + ")", func(e *env) any { return a.value(e).(int) + b.value(e).(int) }}
	case 1:
		return modulo(a, 3)
	case 2:
		return node{"length(" + s.text + ")", func(e *env) any { return len(s.value(e).(string)) }}
	case 3:
		return node{"max(" + a.text + ", " + b.text + ")", func(e *env) any { return max(a.value(e).(int), b.value(e).(int)) }}
	}
	return conditional(c, a, b)
}

func modulo(a node, n int) node {
	return node{fmt.Sprintf("mod(%s, %d)", a.text, n), func(e *env) any { return a.value(e).(int) % n }}
}

func conditional(c, a, b node) node {
	return node{"if(" + c.text + ", " + a.text + ", " + b.text + ")", func(e *env) any {
		if c.value(e).(bool) {
			return a.value(e)
		}
		return b.value(e)
	}}
}

func (m *randomMaker) text(depth int) node {
	if depth == 0 || m.IntN(4) == 0 {
		s := []string{"a", "Bc", "x-y", ""}[m.IntN(4)]
		list := append(m.named("string"), literal("'"+s+"'", s))
		for _, symbol := range m.modules {
			list = append(list, node{"reference('" + symbol + "').outputs.o.value", func(e *env) any { return e.outputs[symbol] }})
		}
		return m.pick(list)
	}
	a, b, n, c := m.text(depth-1), m.text(depth-1), m.int(depth-1), m.bool(depth-1)
	switch m.IntN(5) {
	case 0:
		return node{"concat(" + a.text + ", " + b.text + ")", func(e *env) any { return a.value(e).(string) + b.value(e).(string) }}
	case 1:
		return node{"format('{0}.{1}', " + n.text + ", " + b.text + ")", func(e *env) any { return fmt.Sprintf("%d.%s", n.value(e), b.value(e)) }}
	case 2:
		return node{"toUpper(" + a.text + ")", func(e *env) any { return strings.ToUpper(a.value(e).(string)) }}
	case 3:
		return node{"string(" + n.text + ")", func(e *env) any { return fmt.Sprint(n.value(e)) }}
	}
	return conditional(c, a, b)
}

func (m *randomMaker) bool(depth int) node {
	if depth == 0 || m.IntN(4) == 0 {
		b := m.IntN(2) == 0
		return m.pick(append(m.named("bool"), literal(fmt.Sprint(b)+"()", b)))
	}
	a, b, p, q := m.int(depth-1), m.int(depth-1), m.bool(depth-1), m.bool(depth-1)
	switch m.IntN(5) {
	case 0:
		return node{"equals(" + a.text + ", " + b.text + ")", func(e *env) any { return a.value(e) == b.value(e) }}
	case 1:
		return node{"less(" + a.text + ", " + b.text + ")", func(e *env) any { return a.value(e).(int) < b.value(e).(int) }}
	case 2:
		return node{"not(" + p.text + ")", func(e *env) any { return !p.value(e).(bool) }}
	case 3:
		return node{"and(" + p.text + ", " + q.text + ")", func(e *env) any { return p.value(e).(bool) && q.value(e).(bool) }}
	}
	return node{"or(" + p.text + ", " + q.text + ")", func(e *env) any { return p.value(e).(bool) || q.value(e).(bool) }}
}

func (m *randomMaker) kind(kind string, depth int) node {
	switch kind {
	case "int":
		return m.int(depth)
	case "bool":
		return m.bool(depth)
	}
	return m.text(depth)
}

func (m *randomMaker) template(depth int) *randomTemplate {
	t := &randomTemplate{}
	inner := &randomMaker{Rand: m.Rand, symbols: m.symbols, budget: m.budget}
	for i := range m.IntN(4) {
		p := randomParam{name: fmt.Sprint("p", i), kind: []string{"int", "string", "bool"}[m.IntN(3)]}
		if m.IntN(2) == 0 {
			n := inner.kind(p.kind, 2)
			p.standard = &n
		}
		t.params, inner.params = append(t.params, p), append(inner.params, p)
	}
	for range 1 + m.IntN(3) {
		inner.symbols++
		t.resources = append(t.resources, inner.resource(depth))
	}
	inner.round, inner.element = false, false
	t.output = inner.text(2)
	m.symbols = inner.symbols
	return t
}

func (m *randomMaker) resource(depth int) *randomResource {
	r := &randomResource{symbol: fmt.Sprint("s", m.symbols)}
	m.round, m.element = false, false
	if m.IntN(2) == 0 {
		n := modulo(m.int(1), 4)
		r.count, m.round = &n, true
	}
	if m.IntN(3) == 0 {
		c := m.bool(2)
		r.condition = &c
	}
	tail := m.text(2)
	r.name = node{"concat('n', " + tail.text + ")", func(e *env) any { return "n" + tail.value(e).(string) }}
	if depth > 0 && m.IntN(2) == 0 {
		r.module, r.arguments = m.template(depth-1), map[string]node{}
		for _, p := range r.module.params {
			if p.standard == nil || m.IntN(2) == 0 {
				r.arguments[p.name] = m.kind(p.kind, 2)
			}
		}
		if r.count == nil && r.condition == nil {
			m.modules = append(m.modules, r.symbol)
		}
		return r
	}
	for range m.IntN(3) {
		r.properties = append(r.properties, m.kind([]string{"int", "string", "bool"}[m.IntN(3)], 3))
	}
	if m.IntN(2) == 0 {
		n := modulo(m.int(1), 3)
		r.elements, m.element = &n, true
		r.element = m.kind([]string{"int", "string"}[m.IntN(2)], 2)
	}
	return r
}

// json returns a template as Expand takes it.
func (t *randomTemplate) json() *armjson.Object {
	object := func(members ...any) *armjson.Object {
		o := armjson.NewObject()
		for i := 0; i < len(members); i += 2 {
			o.Set(members[i].(string), members[i+1].(armjson.Value))
		}
		return o
	}
	text := func(s string) armjson.Value { return armjson.String(s) }
	expr := func(n node) armjson.Value { return armjson.String("[" + n.text + "]") }
	params, resources := object(), object()
	for _, p := range t.params {
		o := object("type", text(p.kind))
		if p.standard != nil {
			o.Set("defaultValue", expr(*p.standard))
		}
		params.Set(p.name, o)
	}
	for _, r := range t.resources {
		o := object("type", text("A.B/c"), "apiVersion", text("1"), "name", expr(r.name))
		if r.count != nil {
			o.Set("copy", object("name", text(r.symbol), "count", expr(*r.count)))
		}
		if r.condition != nil {
			o.Set("condition", expr(*r.condition))
		}
		properties := object()
		if r.module != nil {
			o.Set("type", text("Microsoft.Resources/deployments"))
			arguments := object()
			for _, p := range r.module.params {
				if a, ok := r.arguments[p.name]; ok {
					arguments.Set(p.name, object("value", expr(a)))
				}
			}
			properties = object("expressionEvaluationOptions", object("scope", text("inner")), "mode", text("Incremental"), "parameters", arguments, "template", r.module.json())
		}
		for i, p := range r.properties {
			properties.Set(fmt.Sprint("v", i), expr(p))
		}
		if r.elements != nil {
			properties.Set("copy", armjson.Array{object("name", text("list"), "count", expr(*r.elements), "input", expr(r.element))})
		}
		o.Set("properties", properties)
		resources.Set(r.symbol, o)
	}
	return object("$schema", text("https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#"), "contentVersion", text("1.0.0.0"),
		"languageVersion", text("2.0"), "parameters", params, "resources", resources, "outputs", object("o", object("type", text("string"), "value", expr(t.output))))
}

// run adds what a template deploys to a list, and returns its output.
func (t *randomTemplate) run(path string, given map[string]any, list *[]string) any {
	e := &env{params: map[string]any{}, outputs: map[string]any{}}
	for _, p := range t.params {
		v, ok := given[p.name]
		if !ok {
			v = p.standard.value(e)
		}
		e.params[p.name] = v
	}
	for _, r := range t.resources {
		rounds := 1
		if r.count != nil {
			rounds = r.count.value(e).(int)
		}
		for i := range rounds {
			e.round = i
			if r.condition != nil && !r.condition.value(e).(bool) {
				continue
			}
			symbol := path + r.symbol
			if r.count != nil {
				symbol += fmt.Sprintf("[%d]", i)
			}
			if r.module != nil {
				arguments := map[string]any{}
				for name, a := range r.arguments {
					arguments[name] = a.value(e)
				}
				e.outputs[r.symbol] = r.module.run(symbol+"/", arguments, list)
				continue
			}
			line := fmt.Sprintf("%s %s", symbol, r.name.value(e))
			for n, p := range r.properties {
				line += fmt.Sprintf(" v%d=%#v", n, p.value(e))
			}
			if r.elements != nil {
				line += " list="
				for n := range r.elements.value(e).(int) {
					e.element = n
					line += fmt.Sprintf("%#v,", r.element.value(e))
				}
			}
			*list = append(*list, line)
		}
	}
	return t.output.value(e)
}

// plain returns a value as run has it.
func plain(v armjson.Value) any {
	switch v := v.(type) {
	case armjson.Number:
		n, _ := v.Int64()
		return int(n)
	case armjson.Bool:
		return bool(v)
	case armjson.String:
		return string(v)
	}
	return armjson.Text(v)
}

func TestRandomPrograms(t *testing.T) {
	t.Parallel()
	m := &randomMaker{Rand: rand.New(rand.NewPCG(3, 4))}
	resources, nested := 0, 0
	programs := 2000
	if testing.Short() {
		programs = 400
	}
	for n := range programs {
		m.symbols = 0
		program := m.template(3)
		values, given := map[string]any{}, map[string]expand.Parameter{}
		for _, p := range program.params {
			if p.standard == nil || m.IntN(2) == 0 {
				values[p.name] = m.kindOf(p.kind)
				given[p.name] = expand.Parameter{Value: valueOf(values[p.name])}
			}
		}
		var want []string
		output := program.run("", values, &want)
		tree := program.json()
		result, err := expand.Expand(tree, expand.Options{Parameters: given, Context: inGroup})
		require.NoError(t, err, "program %d: %s", n, armjson.Text(tree))
		var got []string
		for _, r := range result.Resources {
			path := r.Module.Path()
			if path != "" {
				path += "/"
				nested++
			}
			line := fmt.Sprintf("%s%s %s", path, r.Symbol, expand.Text(r.Name))
			properties := r.Body.Object("properties")
			for k, v := range properties.All() {
				if k != "list" {
					line += fmt.Sprintf(" %s=%#v", k, plain(v))
				}
			}
			if v, ok := properties.Get("list"); ok {
				line += " list="
				for _, x := range v.(armjson.Array) {
					line += fmt.Sprintf("%#v,", plain(x))
				}
			}
			got = append(got, line)
		}
		resources += len(want)
		if !slices.Equal(want, got) {
			require.Equal(t, want, got, "program %d: %s %v", n, armjson.Text(tree), values)
		}
		require.Equal(t, output, plain(result.Outputs[0].Value), "program %d", n)
	}
	t.Log(resources, "resources,", nested, "in modules")
	require.Greater(t, nested, programs)
}

func (m *randomMaker) kindOf(kind string) any {
	switch kind {
	case "int":
		return m.IntN(6)
	case "bool":
		return m.IntN(2) == 0
	}
	return []string{"", "Q", "long-text"}[m.IntN(3)]
}

func valueOf(v any) armjson.Value {
	switch v := v.(type) {
	case int:
		return armjson.Int(int64(v))
	case bool:
		return armjson.Bool(v)
	}
	return armjson.String(v.(string))
}
