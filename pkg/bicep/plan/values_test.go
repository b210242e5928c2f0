package plan_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/plan"
	"github.com/radbicep/rad/pkg/bicep/source"

	"github.com/stretchr/testify/require"
)

// # Programs with one difference
//
// A program is made by choices that have names, so that another one is made by the same choices but one. A plan of the two
// without values is held to the expansions with many values: where it says "no changes", these must be the same, and what it
// says of a resource for certain must be so.

// choices makes programs.
type choices struct {
	seed    uint64
	changed map[string]int
	made    []string // names of choices, in order
	of      map[string]int
}

// choose returns a number below n.
func (c *choices) choose(name string, n int) int {
	if _, ok := c.of[name]; !ok {
		c.of[name] = n
		c.made = append(c.made, name)
	}
	if v, ok := c.changed[name]; ok {
		return v % n
	}
	return rand.New(rand.NewPCG(c.seed, hashOf(name))).IntN(n)
}

func hashOf(name string) (h uint64) {
	for _, b := range []byte(name) {
		h = h*1099511628211 + uint64(b)
	}
	return h
}

func (c *choices) one(name string, of ...string) string { return of[c.choose(name, len(of))] }

// nameable is what expressions at a place may name.
type nameable struct {
	loop    bool // copyIndex() counts
	ints    []string
	strings []string
	reads   []func(name string, s *nameable) string
	lambda  bool // lambdaVariables('i') counts
}

func (c *choices) int(name string, s *nameable) string {
	list := append([]string{"0", "1"}, s.ints...)
	for _, x := range s.ints {
		list = append(list, "sub("+x+", 1)")
	}
	if s.loop {
		list = append(list, "copyIndex()", "copyIndex()", "range(0, "+s.ints[0]+")[copyIndex()]", "range(1, "+s.ints[0]+")[copyIndex()]")
	}
	if s.lambda {
		list = append(list, "lambdaVariables(`i`)", "lambdaVariables(`i`)", "lambdaVariables(`i`)", "add(lambdaVariables(`i`), 1)")
	}
	return c.one(name, list...)
}

func (c *choices) text(name string, s *nameable) string {
	switch k := c.choose(name, 5+2*len(s.reads)); k {
	case 0:
		return c.one(name+".literal", "`a`", "`b`")
	case 1:
		return c.one(name+".name", s.strings...)
	case 2, 3:
		return "format(`{0}-{1}`, " + c.one(name+".first", s.strings...) + ", " + c.int(name+".second", s) + ")"
	case 4:
		if s.lambda {
			return "string(lambdaVariables(`i`))"
		}
		inner := *s
		inner.lambda = true
		return "join(map(range(0, " + c.int(name+".range", s) + "), lambda(`i`, " + c.text(name+".body", &inner) + ")), `,`)"
	default:
		return s.reads[(k-5)/2](name+".read", s)
	}
}

// inGroup begins a template that is deployed to a resource group.
const inGroup = "'$schema': 'https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#', 'contentVersion': '1.0.0.0', 'languageVersion': '2.0'"

// template returns a template: of the program, or of a module of it.
func (c *choices) template(name string, depth int) string {
	s := &nameable{ints: []string{"parameters(`n`)", "parameters(`k`)"}, strings: []string{"parameters(`s`)", "parameters(`t`)"}}
	if depth == 0 {
		s.strings = append(s.strings, "parameters(`xs`)[0]")
	}
	var resources []string
	for i := range 2 + c.choose(name+" resources", 2) {
		at := fmt.Sprint(name, " ", i)
		symbol := c.one(at+" symbol", "a", "b", "c", "d") + fmt.Sprint(i)
		if c.choose(at+" symbol of the other", 4) == 1 {
			symbol = fmt.Sprint("s", i)
		}
		resources = append(resources, "'"+symbol+"': "+c.resource(at, symbol, s, depth))
	}
	outputs := "'o': {'type': 'string', 'value': '[" + c.text(name+" output", s) + "]'}"
	if depth == 0 {
		outputs += ", 'all': {'type': 'array', 'copy': {'count': '[" + c.count(name+" outputs", depth) + "]', 'input': '[" + c.text(name+" outputs", s.inLoop()) + "]'}}"
	}
	kinds := "'n': {'type': 'int'}, 'k': {'type': 'int'}, 's': {'type': 'string'}, 't': {'type': 'string'}"
	if depth == 0 {
		kinds += ", 'xs': {'type': 'array'}, 'ys': {'type': 'array'}"
	}
	return "{" + inGroup + ", 'parameters': {" + kinds + "}, 'resources': {" + strings.Join(resources, ", ") + "}, 'outputs': {" + outputs + "}}"
}

func (s *nameable) inLoop() *nameable {
	inner := *s
	inner.loop = true
	return &inner
}

func (c *choices) count(name string, depth int) string {
	list := []string{"parameters(`n`)", "parameters(`k`)", "length(range(0, parameters(`n`)))", "2"}
	if depth == 0 {
		list = append(list, "length(parameters(`xs`))", "length(parameters(`ys`))")
	}
	return c.one(name+" count", list...)
}

// resource returns a resource or a module, and adds what is read of it to the scope.
func (c *choices) resource(name, symbol string, outer *nameable, depth int) string {
	s := outer
	loop := ""
	if c.choose(name+" loop", 3) > 0 {
		s = outer.inLoop()
		list := "xs"
		if count := c.count(name, depth); strings.Contains(count, "`ys`") {
			list = "ys"
		}
		if depth == 0 {
			s.strings = append(slices.Clip(s.strings), "parameters(`"+list+"`)[copyIndex()]")
		}
		loop = "'copy': {'name': '" + symbol + "', 'count': '[" + c.count(name, depth) + "]'}, "
	}
	condition := ""
	if c.choose(name+" condition", 6) == 0 {
		condition = "'condition': '[" + c.one(name+" conditions", "equals(parameters(`k`), 1)", "less(parameters(`k`), parameters(`n`))") + "]', "
	}
	title := "format(`" + c.one(name+" title", "p", "q", "r") + "{0}`, " + c.text(name+" name", &nameable{loop: s.loop, ints: s.ints, strings: s.strings}) + ")"
	if s.loop {
		title = "format(`{0}.{1}`, " + title + ", copyIndex())"
	}
	at := func(string, *nameable) string { return "`" + symbol + "`" }
	if s.loop {
		at = func(n string, s *nameable) string {
			return "format(`" + symbol + "[{0}]`, " + c.int(n+" index", s) + ")"
		}
	}
	if depth < 2 && c.choose(name+" module", 3) == 0 {
		inner := c.template(name+" inner", depth+1)
		args := ""
		for _, p := range []string{"n", "k"} {
			args += "'" + p + "': {'value': '[" + c.int(name+" argument "+p, s) + "]'}, "
		}
		for _, p := range []string{"s", "t"} {
			args += "'" + p + "': {'value': '[" + c.text(name+" argument "+p, s) + "]'}, "
		}
		outer.reads = append(outer.reads, func(n string, s *nameable) string { return "reference(" + at(n, s) + ").outputs.o.value" })
		return "{" + condition + loop + "'type': 'Microsoft.Resources/deployments', 'apiVersion': '1', 'name': '[" + title + "]', 'properties': {'mode': 'Incremental', 'expressionEvaluationOptions': {'scope': 'inner'}, 'parameters': {" +
			strings.TrimSuffix(args, ", ") + "}, 'template': " + inner + "}}"
	}
	body := ", 'properties': {'v': '[" + c.text(name+" v", s) + "]', 'w': '[" + c.text(name+" w", s) + "]'}"
	existing := ""
	if c.choose(name+" existing", 3) == 0 {
		existing, condition, body = "'existing': true, ", "", ""
	}
	isLoop := s.loop
	outer.reads = append(outer.reads, func(n string, s *nameable) string {
		switch c.choose(n+" of", 4) {
		case 0:
			return "listKeys(" + at(n, s) + ", `1`).key"
		case 1:
			return "resourceInfo(" + at(n, s) + ").name"
		case 2:
			if isLoop {
				return "join(map(references(`" + symbol + "`), lambda(`i`, lambdaVariables(`i`).z)), `,`)"
			}
		}
		return "reference(" + at(n, s) + ").y"
	})
	return "{" + existing + condition + loop + "'type': 'T.S/" + c.one(name+" type", "a", "b") + "', 'apiVersion': '1', 'name': '[" + title + "]'" + body + "}"
}

// given returns values of the parameters.
func given(r *rand.Rand) map[string]expand.Parameter {
	texts := func() armjson.Value {
		list := make(armjson.Array, r.IntN(4))
		for i := range list {
			list[i] = armjson.String([]string{"x", "y", "z"}[r.IntN(3)])
		}
		return list
	}
	m := map[string]expand.Parameter{}
	for name, v := range map[string]armjson.Value{
		"n": armjson.Int(int64(r.IntN(4))), "k": armjson.Int(int64(r.IntN(4))), "s": armjson.String([]string{"x", "y"}[r.IntN(2)]), "t": armjson.String([]string{"x", "y"}[r.IntN(2)]),
		"xs": texts(), "ys": texts(),
	} {
		m[name] = expand.Parameter{Value: v}
	}
	return m
}

// state is what an expansion with values deploys.
type state struct {
	all       string
	twice     bool // it deploys a resource twice
	outputs   []expand.Output
	ids       map[string]bool
	resources map[string][]string // by symbols without the numbers of rounds
}

// deploys returns what an expansion deploys; nil if that would fail.
func deploys(tree *armjson.Object, o expand.Options) *state {
	e, err := expand.Expand(tree, o)
	if err != nil {
		return nil
	}
	s := &state{outputs: e.Outputs, ids: map[string]bool{}, resources: map[string][]string{}}
	var list []string
	for _, r := range e.Resources {
		if !r.Existing {
			id := expand.Text(r.ID)
			line := fmt.Sprint(id, " ", r.Type, " ", expand.Text(r.Name), " ", r.APIVersion, " ", canonical(expand.Printable(r.Body)), " if ", expand.Text(r.Condition))
			s.twice = s.twice || s.ids[id]
			list, s.ids[id] = append(list, line), true
			for _, symbol := range []string{symbolOf(r), round.ReplaceAllString(symbolOf(r), "[*]")} {
				s.resources[symbol] = append(s.resources[symbol], line)
			}
		}
	}
	slices.Sort(list)
	for _, x := range e.Outputs {
		list = append(list, x.Name+": "+expand.Text(x.Value))
	}
	if s.all = strings.Join(list, "\n"); missing.MatchString(s.all) {
		return nil
	}
	return s
}

var round = regexp.MustCompile(`\[\d+\]`)

func symbolOf(r *expand.Resource) string { return r.Module.Path() + "/" + r.Symbol }

// wrong returns what a plan says of an item that is not so with some values; "" if nothing is wrong.
func wrong(i *plan.Item, before, after *state) string {
	certain := i.Resource.Copies == nil && i.Resource.Condition == nil && (i.Was == nil || i.Was.Copies == nil && i.Was.Condition == nil)
	var was, is []string
	if i.Was != nil {
		was = slices.Sorted(slices.Values(before.resources[symbolOf(i.Was)]))
	}
	if i.Action != plan.Delete {
		is = slices.Sorted(slices.Values(after.resources[symbolOf(i.Resource)]))
	}
	in := func(lines []string, s *state) bool {
		return slices.ContainsFunc(lines, func(line string) bool { return s.ids[strings.Fields(line)[0]] })
	}
	switch {
	case i.Action == plan.Unchanged && !slices.Equal(was, is):
	case certain && i.Action == plan.Update && slices.Equal(was, is) && len(is) > 0:
	case certain && i.Action != plan.Update && i.Action != plan.Unchanged && i.Action != plan.Unknown && (in(was, after) || in(is, before)):
	default:
		return ""
	}
	return fmt.Sprintf("%s %s: %q -> %q", i.Action, symbolOf(i.Resource), was, is)
}

// missing is what is read of a round that is not there, and of a module whose condition is false.
var missing = regexp.MustCompile(`\('\w+(\[-?\d+\])?'|Microsoft.Resources/deployments`)

func TestPlansHoldForAnyValue(t *testing.T) {
	t.Parallel()
	pairs, most := 0, 200
	if testing.Short() {
		most = 60
	}
	same, empty := 0, 0 // also with values; without changes
	for seed := uint64(1); pairs < most; seed++ {
		r := rand.New(rand.NewPCG(seed, 9))
		before := &choices{seed: seed, of: map[string]int{}}
		text := before.template("", 0)
		old, err := armjson.Parse(strings.NewReplacer("'", `"`, "`", "'").Replace(text), armjson.Options{})
		require.NoError(t, err, text)
		tree := old.(*armjson.Object)
		place := []expand.Context{{}, {SubscriptionID: "00000000-0000-0000-0000-000000000001", ResourceGroup: "g"}}[r.IntN(2)]
		unknown := expand.Options{Context: place, Tolerant: true, Graphs: true, Declared: true}
		was, err := expand.Expand(tree, unknown)
		if err != nil {
			continue // it fails with any values
		}
		for range 6 {
			name := before.made[r.IntN(len(before.made))]
			after := &choices{seed: seed, of: map[string]int{}, changed: map[string]int{name: r.IntN(before.of[name])}}
			other := after.template("", 0)
			if other == text {
				continue
			}
			pairs++
			v, err := armjson.Parse(strings.NewReplacer("'", `"`, "`", "'").Replace(other), armjson.Options{})
			require.NoError(t, err, other)
			is, err := expand.Expand(v.(*armjson.Object), unknown)
			if err != nil {
				continue
			}
			p := plan.Compare(was, is)
			equal, tried := true, 0
			for range 15 {
				o := expand.Options{Context: place, Parameters: given(r), Declared: true}
				x, y := deploys(tree, o), deploys(v.(*armjson.Object), o)
				if x == nil || y == nil {
					continue
				}
				tried++
				for n := range p.Items {
					if s := wrong(&p.Items[n], x, y); s != "" && !x.twice && !y.twice {
						t.Fatalf("seed %d, %s: the plan is wrong with %v: %s\n%s\n%s\n%s", seed, name, o.Parameters, s, strings.Join(lines(t, p), "\n"), text, other)
					}
				}
				if equal = equal && x.all == y.all; !equal && p.Empty() {
					t.Fatalf("seed %d, %s: the plan says that there are no changes, and with %v there are\n%s\n%s\n%s\n%s", seed, name, o.Parameters, text, other, x.all, y.all)
				}
			}
			if p.Empty() {
				empty++
			}
			if equal && tried > 3 {
				same++
				if printed := strings.Join(lines(t, p), "\n"); strings.Contains(name, "symbol") && !p.Empty() && !missing.MatchString(printed) {
					t.Fatalf("seed %d, %s: another name of a symbol is %s\n%s\n%s", seed, name, printed, text, other)
				}
			}
		}
	}
	t.Log(pairs, "pairs,", same, "the same with values,", empty, "without changes")
	require.Greater(t, empty, most/50)
}

// The classic form of a template names a round of a module by its ID. A plan finds the output's expression all the same.
func TestRoundsOfTheClassicForm(t *testing.T) {
	t.Parallel()
	of := func(output string, symbolic bool) *expand.Result {
		files := source.Memory{"/app.bicep": `param n int
param xs array
module m 'm.bicep' = [for x in xs: {
  name: 'm-${x}'
  params: { name: x }
}]
resource web 'T.S/a@2024-01-01' = [for i in range(0, n): {
  name: 'web-${i}'
  properties: { mine: m[i].outputs.o, last: m[n - 1].outputs.o }
}]
`, "/m.bicep": "param name string\noutput o string = " + output + "\n"}
		r, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{FS: files, File: "/app.bicep", Options: bicep.Options{Symbolic: symbolic}})
		require.NoError(t, err)
		tree, err := r.TemplateTree()
		require.NoError(t, err)
		e, err := expand.Expand(tree, expand.Options{Tolerant: true, Graphs: true, Declared: true})
		require.NoError(t, err)
		return e
	}
	require.True(t, plan.Compare(of("name", false), of("name", true)).Empty())
	for _, symbolic := range []bool{false, true} {
		p := plan.Compare(of("name", symbolic), of("'${name}-x'", symbolic))
		require.Contains(t, lines(t, p), "    ? properties.last: xs[n - 1] -> '${xs[n - 1]}-x'")
	}
}

// What is unknown in an expansion without values has, with values, the value that an expansion with these has.
func TestUnknownsHaveTheirValues(t *testing.T) {
	t.Parallel()
	compared, most := 0, 200
	if testing.Short() {
		most = 60
	}
	for seed := uint64(1); compared < most; seed++ {
		r := rand.New(rand.NewPCG(seed, 7))
		text := (&choices{seed: seed, of: map[string]int{}}).template("", 0)
		parsed, err := armjson.Parse(strings.NewReplacer("'", `"`, "`", "'").Replace(text), armjson.Options{})
		require.NoError(t, err, text)
		tree := parsed.(*armjson.Object)
		place := expand.Context{SubscriptionID: "00000000-0000-0000-0000-000000000001", ResourceGroup: "g"}
		unknown, err := expand.Expand(tree, expand.Options{Context: place, Tolerant: true, Graphs: true, Declared: true})
		if err != nil {
			continue
		}
		outputs := armjson.NewObject()
		add := func(name string, v expand.Value) {
			outputs.Set(name, armjson.NewObject(armjson.Member{Key: "value", Value: expand.Printable(v)}))
		}
		for _, o := range unknown.Outputs {
			add(o.Name, o.Value)
		}
		if p := plan.List(unknown); len(p.Values) == 0 {
			for _, o := range p.Outputs { // in their normal forms
				add("normal "+o.Path, o.After)
			}
		}
		written := armjson.NewObject()
		for k, v := range tree.All() {
			switch k {
			case "resources":
				v = armjson.NewObject()
			case "outputs":
				v = outputs
			}
			written.Set(k, v)
		}
		for range 3 {
			o := expand.Options{Context: place, Parameters: given(r), Declared: true}
			want := deploys(tree, o)
			if want == nil {
				continue
			}
			compared++
			got, err := expand.Expand(written, o)
			require.NoError(t, err, "seed %d: %s\n%s", seed, armjson.Text(outputs), text)
			for i, x := range got.Outputs {
				was := want.outputs[i%len(want.outputs)]
				x.Name = was.Name
				p := plan.Compare(&expand.Result{Outputs: []expand.Output{was}}, &expand.Result{Outputs: []expand.Output{x}})
				require.True(t, p.Empty(), "seed %d: %s\n%s\n%v\n%s", seed, strings.Join(lines(t, p), "\n"), armjson.Text(outputs), o.Parameters, text)
			}
		}
	}
}
