package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/plan"
)

// template returns a template of Radius' with the given resources, in which ' stands
// for " and ` for '.
func template(t testing.TB, parameters, resources string) *armjson.Object {
	t.Helper()
	text := "{'$schema': 'x/deploymentTemplate.json#', 'languageVersion': '2.0', 'contentVersion': '1.0.0.0', 'parameters': {" + parameters + "}, 'imports': {'r': {'provider': 'Radius', 'version': '1'}}, 'resources': {" + resources + "}}"
	v, err := armjson.Parse(strings.NewReplacer("'", `"`, "`", "'").Replace(text), armjson.Options{})
	require.NoError(t, err, text)
	return v.(*armjson.Object)
}

func container(symbol, name, properties string) string {
	return fmt.Sprintf("'%s': {'import': 'r', 'type': 'Applications.Core/containers@1', 'properties': {'name': '%s', 'properties': {%s}}}", symbol, name, properties)
}

func predict(t testing.TB, template *armjson.Object, values map[string]armjson.Value) *expand.Result {
	t.Helper()
	given := map[string]expand.Parameter{}
	for name, v := range values {
		given[name] = expand.Parameter{Value: v}
	}
	e, err := expand.Expand(template, expand.Options{Parameters: given})
	require.NoError(t, err)
	return e
}

// lines returns the text of a plan without what is empty.
func lines(t testing.TB, p *plan.Plan) []string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, p.WriteText(&b, plan.Style{}))
	return strings.Split(strings.TrimSpace(b.String()), "\n")
}

func TestPropertiesAndArrays(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, after string
		want          []string
	}{
		"the order of members": {"'a': {'x': 1, 'y': 2}", "'a': {'y': 2, 'x': 1}", nil},
		"a value and a member": {"'a': {'x': 1, 'z': 3}", "'a': {'x': 2, 'y': 'n'}", []string{
			"properties.a.x: 1 -> 2", "- properties.a.z: 3", "+ properties.a.y: 'n'"}},
		"names that are not identifiers": {"'a': {'x.y': 1}", "'a': {'x.y': 2}", []string{"properties.a['x.y']: 1 -> 2"}},
		"arrays of names": {"'a': [{'name': 'one', 'v': 1}, {'name': 'two', 'v': 2}]", "'a': [{'name': 'zero', 'v': 0}, {'name': 'one', 'v': 1}, {'name': 'two', 'v': 3}]", []string{
			"properties.a[name=two].v: 2 -> 3", "+ properties.a[name=zero]: { name: 'zero', v: 0 }"}},
		"arrays of names in another order": {"'a': [{'name': 'one'}, {'name': 'two'}]", "'a': [{'name': 'two'}, {'name': 'one'}]", []string{
			"properties.a: ['one', 'two'] -> ['two', 'one']"}},
		"other arrays":             {"'a': [1, 2, 3, 4]", "'a': [1, 2, 9, 3, 4]", []string{"+ properties.a[2]: 9"}},
		"arrays that shrink":       {"'a': [1, 2, 3]", "'a': []", []string{"- properties.a[0]: 1", "- properties.a[1]: 2", "- properties.a[2]: 3"}},
		"another type":             {"'a': [1]", "'a': {'x': 1}", []string{"properties.a: [1] -> { x: 1 }"}},
		"another type in an array": {"'a': [[], 1]", "'a': [{}, 1]", []string{"properties.a[0]: [] -> {}"}},
		"arrays in arrays":         {"'a': [[], [1], 'x']", "'a': [[2], [1, 3], 'x']", []string{"+ properties.a[0][0]: 2", "+ properties.a[1][1]: 3"}},
		"arrays in arrays shrink":  {"'a': [[2], [1, 3], 'x']", "'a': [[], [1], 'x']", []string{"- properties.a[0][0]: 2", "- properties.a[1][1]: 3"}},
		"an empty array moves":     {"'a': [[], {}, 1]", "'a': [9, [], {}, 1]", []string{"+ properties.a[0]: 9"}},
		"objects in arrays":        {"'a': [{}, {'x': 1}]", "'a': [{'y': 2}, {'x': 1, 'y': 3}]", []string{"+ properties.a[0].y: 2", "+ properties.a[1].y: 3"}},
		"objects in arrays shrink": {"'a': [{'y': 2}, {'x': 1, 'y': 3}]", "'a': [{}, {'x': 1}]", []string{"- properties.a[0].y: 2", "- properties.a[1].y: 3"}},
		"null is a value":          {"'a': null", "", []string{"- properties.a: null"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := plan.Compare(predict(t, template(t, "", container("s", "n", c.before)), nil), predict(t, template(t, "", container("other", "n", c.after)), nil))
			var got []string
			for _, l := range lines(t, p) {
				if l = strings.TrimSpace(l); strings.Contains(l, "properties.") {
					got = append(got, l)
				}
			}
			require.Equal(t, c.want, got)
			require.Equal(t, len(c.want) == 0, p.Empty())
		})
	}
}

func TestUnknownIsNotAChangeByItself(t *testing.T) {
	t.Parallel()
	// Values that are unknown on both sides in the same way do not differ.
	resources := container("a", "a", "'v': '[parameters(`p`)]'")
	e := predict(t, template(t, "'p': {'type': 'string'}", resources), nil)
	require.True(t, plan.Compare(e, predict(t, template(t, "'p': {'type': 'string'}", resources), nil)).Empty())
	// A value on one side only: it may be the same.
	known := predict(t, template(t, "'p': {'type': 'string'}", resources), map[string]armjson.Value{"p": armjson.String("x")})
	p := plan.Compare(e, known)
	require.Equal(t, 1, p.Count(plan.Unknown))
	require.Contains(t, strings.Join(lines(t, p), "\n"), "? properties.v: p -> 'x'")
	// A resource whose condition is unknown may be created or not.
	conditional := strings.Replace(resources, "{'import'", "{'condition': '[parameters(`q`)]', 'import'", 1)
	p = plan.Compare(nil, predict(t, template(t, "'p': {'type': 'string'}, 'q': {'type': 'bool'}", conditional), nil))
	require.Equal(t, 1, p.Count(plan.Unknown))
	require.Zero(t, p.Count(plan.Create))
}

func TestSecretsAreComparedAndNotShown(t *testing.T) {
	t.Parallel()
	const one, two = "CANARY-one", "CANARY-two-longer"
	resources := container("a", "a", "'direct': '[parameters(`p`)]', 'made': '[format(`x-{0}`, parameters(`p`))]', 'length': '[length(parameters(`p`))]', 'nested': {'deep': ['[createObject(`k`, parameters(`p`))]']}") + "," +
		container("b", "b", "'v': '[parameters(`p`)]'")
	of := func(v string) *expand.Result {
		return predict(t, template(t, "'p': {'type': 'securestring'}", resources), map[string]armjson.Value{"p": armjson.String(v)})
	}
	require.True(t, plan.Compare(of(one), of(one)).Empty())
	for _, p := range []*plan.Plan{plan.Compare(of(one), of(two)), plan.List(of(one)), plan.Compare(nil, of(one)), plan.Compare(of(one), nil)} {
		text := strings.Join(lines(t, p), "\n") + armjson.Text(p.JSON(nil)) + plan.Markdown([]plan.Section{{Title: "t", Plan: p}}, plan.Style{}, plan.MaxMarkdown)
		require.NotContains(t, text, "CANARY")
		require.NotContains(t, text, fmt.Sprint(len(one)))
		require.NotContains(t, text, fmt.Sprint(len(two)))
	}
	p := plan.Compare(of(one), of(two))
	require.Equal(t, 2, p.Count(plan.Update))
	require.Contains(t, lines(t, p), "      properties.direct: (secure) -> (secure)")
}

// A secure value is compared as a whole: more or less within it is a change.
func TestSizesOfSecrets(t *testing.T) {
	t.Parallel()
	of := func(value string) *expand.Result {
		v, err := armjson.Parse(value, armjson.Options{})
		require.NoError(t, err)
		resources := container("a", "a", "'v': '[parameters(`o`)]'")
		return predict(t, template(t, "'o': {'type': 'secureObject'}", resources), map[string]armjson.Value{"o": v})
	}
	values := []string{`{}`, `{"a": {}}`, `{"a": {"b": 1}}`, `{"a": {"b": 1}, "c": 1}`, `{"a": {"b": 1, "c": 1}}`, `{"a": []}`, `{"a": [[]]}`, `{"a": [[], []]}`, `{"a": [{}]}`, `{"a": [{"b": 1}]}`}
	for _, x := range values {
		for _, y := range values {
			p := plan.Compare(of(x), of(y))
			require.Equal(t, x == y, p.Empty(), "%s -> %s", x, y)
			if x != y {
				require.Contains(t, lines(t, p), "      properties.v: (secure) -> (secure)")
			}
		}
	}
}

func TestAnotherVersionIsAChange(t *testing.T) {
	t.Parallel()
	one := container("a", "a", "'v': 1")
	two := strings.Replace(one, "containers@1", "containers@2", 1)
	before, after := predict(t, template(t, "", one), nil), predict(t, template(t, "", two), nil)
	require.Equal(t, []string{
		"~ a  Applications.Core/containers",
		"      apiVersion: '1' -> '2'",
		"1 to update",
	}, lines(t, plan.Compare(before, after)))
	require.True(t, plan.Compare(after, after).Empty())
}

// What is left out of an expansion because it is too large is not compared, and not called unchanged.
func TestTooLarge(t *testing.T) {
	t.Parallel()
	of := func(v string) *expand.Result {
		e, err := expand.Expand(template(t, "", container("a", "a", "'v': '"+strings.Repeat(v, 1000)+"'")), expand.Options{Graphs: true, Limits: expand.Limits{Text: 500}})
		require.NoError(t, err)
		return e
	}
	require.Equal(t, []string{"? a  Applications.Core/containers, too large to be compared", "1 unknown"}, lines(t, plan.Compare(of("x"), of("y"))))
}

// The JSON of a plan holds what is created, deleted or deployed, and what changes of the rest.
func TestBodiesInJSON(t *testing.T) {
	t.Parallel()
	before := predict(t, template(t, "", container("a", "gone", "'v': 1")+","+container("b", "kept", "'v': 2")), nil)
	after := predict(t, template(t, "", container("b", "kept", "'v': 3")+","+container("c", "new", "'v': 4")), nil)
	bodies := func(p *plan.Plan) map[string]string {
		list, _ := p.JSON(nil).Get("resources")
		m := map[string]string{}
		for _, r := range list.(armjson.Array) {
			o := r.(*armjson.Object)
			body, changes := "", ""
			if v, ok := o.Get("body"); ok {
				body = armjson.Text(v)
			}
			if v, ok := o.Get("changes"); ok {
				changes = armjson.Text(v)
			}
			m[o.Str("action")+" "+o.Str("name")] = body + changes
		}
		return m
	}
	body := func(name string, v int) string {
		return fmt.Sprintf(`{"name":"%s","properties":{"v":%d}}`, name, v)
	}
	require.Equal(t, map[string]string{
		"delete gone": body("gone", 1),
		"create new":  body("new", 4),
		"update kept": `[{"path":"properties.v","change":"update","before":2,"after":3}]`,
	}, bodies(plan.Compare(before, after)))
	require.Equal(t, map[string]string{"deploy kept": body("kept", 3), "deploy new": body("new", 4)}, bodies(plan.List(after)))
}

func TestMarkdownFitsIntoAComment(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 200, 3000} {
		var resources []string
		for i := range n {
			resources = append(resources, container(fmt.Sprint("s", i), fmt.Sprint("n", i), fmt.Sprintf("'v': '%s', 'w': %d", strings.Repeat("ü`|<", 100), i)))
		}
		before := predict(t, template(t, "", strings.Join(resources, ",")), nil)
		after := predict(t, template(t, "", strings.ReplaceAll(strings.Join(resources, ","), "'w': ", "'w': 1")), nil)
		text := plan.Markdown([]plan.Section{{Title: "app.bicep", Plan: plan.Compare(before, after)}}, plan.Style{}, plan.MaxMarkdown)
		require.LessOrEqual(t, len(text), plan.MaxMarkdown)
		require.Contains(t, text, fmt.Sprintf("**%d to update**", n), "the summary is never left out")
		require.Contains(t, text, "app.bicep")
	}
	// Text of a program cannot leave its code span, mention people or end a cell.
	hostile := predict(t, template(t, "", container("s", "@everyone <img src=x> **b** |", "'v': '```\\n</details>@team'")), nil)
	titled := func(title string) string {
		return plan.Markdown([]plan.Section{{Title: title, Plan: plan.Compare(nil, hostile)}}, plan.Style{}, plan.MaxMarkdown)
	}
	require.Contains(t, titled("t"), "`'@everyone <img src=x> **b** |'`")
	// Nor does text that stands for itself become a link, whatever shows the Markdown.
	for _, address := range []string{"<b>@org/team</b>", "https://evil.example/x@v", "HTTP://evil", "www.evil.example/app.bicep", "a@b.example", "x#12", "gh-7", "mailto:a"} {
		require.Contains(t, titled(address), "### `"+address+"`\n")
	}
	require.Contains(t, titled("A.B/c@2023-10-01-preview <c>"), "### A.B/c&#64;2023-10-01-preview &lt;c&gt;\n")
	evil := predict(t, template(t, "", strings.ReplaceAll(container("s", "n", "'v': 1"), "Applications.Core/containers", "https://evil.example/x")), nil)
	require.Contains(t, plan.Markdown([]plan.Section{{Title: "t", Plan: plan.Compare(nil, evil)}}, plan.Style{}, plan.MaxMarkdown), ", `https://evil.example/x`")
}

// TestRenames: what gets another name is replaced where what a program does not deploy any more is deleted. With a resource
// of Radius that is so, in a plain template of ARM only if the caller says it, and never of Kubernetes' objects.
func TestRenames(t *testing.T) {
	t.Parallel()
	of := func(resources string) *expand.Result { return predict(t, template(t, "", resources), nil) }
	before := of(container("a", "old", "'v': 1") + "," + container("b", "gone", "'v': 2"))
	after := of(container("a", "new", "'v': 1") + "," + container("b", "fresh", "'v': 3"))
	p := plan.Compare(before, after)
	require.Equal(t, []string{
		"-/+ a  Applications.Core/containers (replaced: 'old' is deleted, 'new' is created)",
		"      name: 'old' -> 'new'",
		"  -/+ b  Applications.Core/containers (replaced: 'gone' is deleted, 'fresh' is created)",
		"      name: 'gone' -> 'fresh'",
		"      properties.v: 2 -> 3",
		"2 to create, 2 to delete (2 replaced)",
	}, lines(t, p))
	text := armjson.Text(p.JSON(nil))
	require.Contains(t, text, `{"summary":{"create":2,"update":0,"delete":2,"replace":2,"rename":0,"unknown":0,"unchanged":0}`)
	require.Contains(t, text, `"renamedFrom":"old","deletes":"yes"`)

	store := func(name, more string) string {
		return "'s': {'type': 'T.S/stores', 'apiVersion': '1', 'name': '" + name + "'" + more + "}"
	}
	p = plan.Compare(of(store("old", "")), of(store("new", "")))
	require.Equal(t, []string{"> s  T.S/stores (renamed; the old one stays)", "      name: 'old' -> 'new'", "1 renamed"}, lines(t, p))
	p.Replaces(false)
	require.Equal(t, []string{"-/+ s  T.S/stores (replaced: 'old' is deleted, 'new' is created)", "      name: 'old' -> 'new'", "1 to create, 1 to delete (1 replaced)"}, lines(t, p))
	p = plan.Compare(of(store("n", ", 'resourceGroup': 'g'")), of(store("n", ", 'resourceGroup': 'h'")))
	p.Replaces(false)
	require.Equal(t, "-/+ s  T.S/stores (replaced: 'n' is deleted, and created in another scope)", lines(t, p)[0])
}

// TestDeletions: what a deployment deletes, or may delete; of a plain template of ARM, and of one that deletes what it does
// not deploy any more.
func TestDeletions(t *testing.T) {
	t.Parallel()
	store := func(name, more string) string {
		return "'s': {'type': 'T.S/stores', 'apiVersion': '1', 'name': '" + name + "'" + more + "}"
	}
	object := func(name string) string {
		return "'k': {'import': 'k', 'type': 'core/Secret@v1', 'properties': {'metadata': {'name': '" + name + "'}}}"
	}
	loop := func(name, count string) string {
		return store(name, ", 'copy': {'name': 'l', 'count': '[parameters(`"+count+"`)]'}")
	}
	const when, changed = ", 'condition': '[parameters(`c`)]'", ", 'tags': {'t': 'x'}"
	of := func(resources string) *expand.Result {
		text := strings.Replace(armjson.Text(template(t, "'c': {'type': 'bool'}, 'd': {'type': 'bool'}, 'a': {'type': 'string'}, 'b': {'type': 'string'}, 'n': {'type': 'int'}, 'm': {'type': 'int'}", resources)),
			`"imports":{`, `"imports":{"k":{"provider":"Kubernetes","version":"1"},`, 1)
		v, err := armjson.Parse(text, armjson.Options{})
		require.NoError(t, err)
		return predict(t, v.(*armjson.Object), nil)
	}
	for _, c := range []struct{ what, before, after, plain, replaces string }{
		{"another name", store("a", ""), store("b", ""), "rename", "replace yes"},
		{"removed", store("a", ""), "", "delete yes", "delete yes"},
		{"new", "", store("a", ""), "create", "create"},
		{"changed", store("a", ""), store("a", changed), "update", "update"},
		{"removed, and was there maybe", store("a", when), "", "unknown maybe", "unknown maybe"},
		{"new, and there maybe", "", store("a", when), "unknown", "unknown"},
		{"a condition", store("a", ""), store("a", when), "unknown maybe", "unknown maybe"},
		{"a condition, and a change", store("a", ""), store("a", when+changed), "update maybe", "update maybe"},
		{"one condition, and a change", store("a", when), store("a", when+changed), "update", "update"},
		{"another condition", store("a", when), store("a", strings.Replace(when, "`c`", "`d`", 1)), "unknown maybe", "unknown maybe"},
		{"no condition any more", store("a", when), store("a", ""), "unknown", "unknown"},
		{"another name under a condition", store("a", when), store("b", when), "unknown", "unknown maybe"},
		{"a name that may be another", store("[parameters(`a`)]", ""), store("[parameters(`b`)]", ""), "unknown", "unknown maybe"},
		{"another number of rounds", loop("[concat(`a`, copyIndex())]", "n"), loop("[concat(`a`, copyIndex())]", "m"), "unknown maybe", "unknown maybe"},
		{"rounds of other names", loop("[concat(`a`, copyIndex())]", "n"), loop("[concat(`b`, copyIndex())]", "n"), "unknown", "unknown maybe"},
		{"an object of Kubernetes", object("a"), object("b"), "rename", "rename"},
	} {
		p := plan.Compare(of(c.before), of(c.after))
		got := func() string {
			require.Len(t, p.Items, 1, c.what)
			return strings.TrimSpace(string(p.Items[0].Action) + " " + string(p.Deletion(&p.Items[0])))
		}
		require.Equal(t, c.plain, got(), c.what)
		p.Replaces(false)
		require.Equal(t, c.replaces, got(), c.what)
	}
}

// A secret object that the template puts together: the names that the template gives are shown, and
// those that only the secret value has are not.
func TestNamesInSecretObjects(t *testing.T) {
	t.Parallel()
	types := "'parameters': {'o': {'type': 'secureObject'}, 'p': {'type': 'string'}},"
	text := "{'$schema': 'x/deploymentTemplate.json#', 'languageVersion': '2.0', " + types + " 'imports': {'r': {'provider': 'Radius', 'version': '1'}}, 'resources': {" +
		container("s", "n", "'v': '[union(createObject(`shown`, parameters(`p`), `same`, 1, `in`, createObject(`deep`, parameters(`p`))), parameters(`o`))]'") + "}}"
	v, err := armjson.Parse(strings.NewReplacer("'", `"`, "`", "'").Replace(text), armjson.Options{})
	require.NoError(t, err, text)
	given := func(p, key string) map[string]armjson.Value {
		return map[string]armjson.Value{
			"p": armjson.String(p), "o": armjson.NewObject(armjson.Member{Key: key, Value: armjson.String("hunter3")}),
		}
	}
	one := predict(t, v.(*armjson.Object), given("CANARY-1", "hunter2"))
	require.True(t, plan.Compare(one, predict(t, v.(*armjson.Object), given("CANARY-1", "hunter2"))).Empty())
	paths := func(p *plan.Plan) (list []string) {
		for _, c := range p.Items[0].Changes {
			require.True(t, c.Secure)
			list = append(list, c.Path)
		}
		require.NotContains(t, armjson.Text(p.JSON(nil)), "hunter")
		require.NotContains(t, armjson.Text(p.JSON(nil)), "CANARY")
		return list
	}
	require.Equal(t, []string{"properties.v.in", "properties.v.shown"}, paths(plan.Compare(one, predict(t, v.(*armjson.Object), given("CANARY-2", "hunter2")))))
	require.Equal(t, []string{"properties.v"}, paths(plan.Compare(one, predict(t, v.(*armjson.Object), given("CANARY-1", "hunter4")))))
	require.Equal(t, []string{"properties.v"}, paths(plan.Compare(one, predict(t, v.(*armjson.Object), given("CANARY-1", "shown")))))
}

// An object that is put together of a plain one and a secure one without a value: what changes is told by the names that
// the template gives.
func TestNamesInUnknownSecretObjects(t *testing.T) {
	t.Parallel()
	changes := func(before, after string) (list []string) {
		program := func(expression string) *expand.Result {
			text := "{'$schema': 'x/deploymentTemplate.json#', 'languageVersion': '2.0', 'parameters': {'o': {'type': 'secureObject'}, 'n': {'type': 'secureObject'}}, " +
				"'imports': {'r': {'provider': 'Radius', 'version': '1'}}, 'resources': {" + container("s", "n", "'v': '["+expression+"]'") + "}}"
			v, err := armjson.Parse(strings.NewReplacer("'", `"`, "`", "'").Replace(text), armjson.Options{})
			require.NoError(t, err, text)
			return predict(t, v.(*armjson.Object), nil)
		}
		for _, item := range plan.Compare(program(before), program(after)).Items {
			for _, c := range item.Changes {
				require.True(t, c.Secure)
				require.Equal(t, plan.Unknown, c.Action)
				list = append(list, c.Path)
			}
		}
		return list
	}
	const plain = "createObject(`a`, 1, `b`, 2)"
	require.Empty(t, changes("union("+plain+", parameters(`o`))", "union("+plain+", parameters(`o`))"))
	require.Equal(t, []string{"properties.v.b", "properties.v.c"}, changes("union("+plain+", parameters(`o`))", "union(createObject(`a`, 1, `b`, 3, `c`, 4), parameters(`o`))"))
	require.Equal(t, []string{"properties.v.b"}, changes("union(parameters(`o`), "+plain+")", "union(parameters(`o`), createObject(`a`, 1))"))
	require.Equal(t, []string{"properties.v.k"}, changes("union(parameters(`o`), createObject(`k`, utcNow()))", "union(parameters(`o`), createObject(`k`, newGuid()))"))
	require.Equal(t, []string{"properties.v.a"}, changes("shallowMerge(createArray("+plain+", parameters(`o`)))", "shallowMerge(createArray(createObject(`a`, 0, `b`, 2), parameters(`o`)))"))
	require.Equal(t, []string{"properties.v"}, changes("union("+plain+", parameters(`o`))", "union("+plain+", parameters(`n`))"))
	require.Equal(t, []string{"properties.v"}, changes("union("+plain+", parameters(`o`))", "union(parameters(`o`), "+plain+")"))
}

// Whatever a property computes from a secure value: a change of the value is a change of the
// property, and none of it is shown.
func TestChangesOfWhatIsComputedFromSecrets(t *testing.T) {
	t.Parallel()
	types := "'definitions': {'t': {'type': 'securestring'}, 'chain0': {'$ref': '#/definitions/t'}"
	for i := range 200 {
		types += fmt.Sprintf(", 'chain%d': {'$ref': '#/definitions/chain%d'}", i+1, i)
	}
	nested, value := "{'type': 'securestring'}", func(s string) armjson.Value { return armjson.String(s) }
	for range 60 {
		inner := value
		nested, value = "{'type': 'object', 'properties': {'n': "+nested+"}}", func(s string) armjson.Value { return armjson.NewObject(armjson.Member{Key: "n", Value: inner(s)}) }
	}
	types += "}, 'parameters': {'p': {'type': 'securestring'}, 'o': {'type': 'secureObject'}, 'c': {'$ref': '#/definitions/chain200'}, 'n': " + nested + "," +
		"'a': {'type': 'array', 'items': {'$ref': '#/definitions/t'}}, 'b': {'type': 'object', 'additionalProperties': {'$ref': '#/definitions/t'}}," +
		"'u': {'type': 'object', 'discriminator': {'propertyName': 'kind', 'mapping': {'x': {'type': 'object', 'properties': {'kind': {'type': 'string'}, 'pw': {'type': 'securestring'}}}}}}},"
	expressions := []string{
		"parameters(`p`)", "parameters(`c`)", "parameters(`n`)", "parameters(`u`)", "parameters(`u`).pw", "string(parameters(`u`))", "parameters(`a`)", "parameters(`b`)",
		"concat(parameters(`a`), createArray(1))", "union(createObject(`x`, parameters(`o`)), createObject(`x`, createObject(`y`, 1)))",
		"union(createObject(`x`, createObject(`y`, 1)), createObject(`x`, parameters(`o`)))", "union(parameters(`o`), createObject(`x`, 1))",
		"union(createObject(`x`, parameters(`p`)), createObject(`y`, 1))", "flatten(createArray(parameters(`o`).list, createArray(1)))",
		"shallowMerge(createArray(parameters(`o`), createObject(`x`, 1)))", "filter(createArray(`CANARY-1`, `x`), lambda(`v`, equals(lambdaVariables(`v`), parameters(`p`))))",
		"filter(parameters(`a`), lambda(`v`, greater(length(lambdaVariables(`v`)), 0)))", "map(parameters(`a`), lambda(`v`, toUpper(lambdaVariables(`v`))))",
		"reduce(parameters(`a`), ``, lambda(`x`, `y`, concat(lambdaVariables(`x`), lambdaVariables(`y`))))", "sort(parameters(`o`).list, lambda(`x`, `y`, less(lambdaVariables(`x`), lambdaVariables(`y`))))",
		"toObject(parameters(`a`), lambda(`v`, lambdaVariables(`v`)))", "toObject(createArray(1), lambda(`v`, `k`), lambda(`v`, parameters(`p`)))",
		"groupBy(parameters(`a`), lambda(`v`, lambdaVariables(`v`)))", "mapValues(parameters(`b`), lambda(`v`, base64(lambdaVariables(`v`))))", "items(parameters(`b`))",
		"tryGet(parameters(`o`), `list`, 0)", "tryGet(createObject(`k`, parameters(`o`)), `k`, `list`)", "indexFromEnd(parameters(`o`).list, 2)", "parameters(`o`).list[0]",
		"if(equals(parameters(`p`), `CANARY-1`), 1, 2)", "json(concat(`{\\\"a\\\": \\\"`, parameters(`p`), `\\\"}`)).a", "createObject(parameters(`p`), 1)", "uniqueString(parameters(`p`))",
		"uri(`https://x/`, parameters(`p`))", "format(`{0}`, parameters(`p`))", "join(parameters(`a`), `,`)", "split(parameters(`p`), `-`)", "first(parameters(`a`))", "last(split(parameters(`p`), `-`))",
		"substring(parameters(`p`), 0)", "dataUri(parameters(`p`))", "guid(parameters(`p`))", "intersection(parameters(`o`).list, createArray(`CANARY-1`))", "coalesce(null(), parameters(`p`))", "toLower(string(parameters(`o`)))",
		"objectKeys(parameters(`o`).keys)", "replace(parameters(`p`), `C`, `D`)", "padLeft(parameters(`p`), 16)", "reference(parameters(`p`), `2020-01-01`).x", "listKeys(parameters(`p`), `2020-01-01`)",
	}
	given := func(s string) map[string]armjson.Value {
		text := armjson.String("CANARY-" + s)
		list := armjson.Array{text, armjson.String("CANARY-z")}
		return map[string]armjson.Value{"p": text, "c": text, "a": list, "n": value(string(text)),
			"b": armjson.NewObject(armjson.Member{Key: "k", Value: text}),
			"u": armjson.NewObject(armjson.Member{Key: "kind", Value: armjson.String("x")}, armjson.Member{Key: "pw", Value: text}),
			"o": armjson.NewObject(armjson.Member{Key: "list", Value: list}, armjson.Member{Key: "keys", Value: armjson.NewObject(armjson.Member{Key: string(text), Value: armjson.Int(1)})}),
		}
	}
	for _, e := range expressions {
		text := "{'$schema': 'x/deploymentTemplate.json#', 'languageVersion': '2.0', " + types + " 'imports': {'r': {'provider': 'Radius', 'version': '1'}}, 'resources': {" + container("s", "n", "'v': '["+e+"]'") + "}, 'outputs': {'o': {'value': '[" + e + "]'}}}"
		v, err := armjson.Parse(strings.NewReplacer("'", `"`, "`", "'").Replace(text), armjson.Options{})
		require.NoError(t, err, text)
		one, two := predict(t, v.(*armjson.Object), given("1")), predict(t, v.(*armjson.Object), given("2"))
		require.True(t, plan.Compare(one, predict(t, v.(*armjson.Object), given("1"))).Empty(), e)
		p := plan.Compare(one, two)
		shown := strings.Join(lines(t, p), "\n") + armjson.Text(p.JSON(nil)) + plan.Markdown([]plan.Section{{Title: "t", Plan: p}}, plan.Style{}, plan.MaxMarkdown) + strings.Join(lines(t, plan.List(two)), "\n") + armjson.Text(plan.List(two).JSON(nil))
		require.NotContains(t, strings.ToUpper(strings.ReplaceAll(shown, "CANARY-1'", "")), "CANARY", e)
		require.False(t, p.Empty(), "%s: the plan says that nothing changes", e)
		for _, c := range plan.List(two).Unknowns {
			require.NotEqual(t, expand.NoValue, c.Kind, "%s: all parameters have values", e)
		}
	}
}

// A program may deploy a resource twice, as to change what the first has made. Their order,
// and names of loops and of parameters of lambdas, make no difference.
func TestResourcesThatAreDeployedTwice(t *testing.T) {
	t.Parallel()
	one, two := container("a", "same", "'v': 1"), container("b", "same", "'v': 2")
	x := predict(t, template(t, "", one+","+two), nil)
	y := predict(t, template(t, "", two+","+one), nil)
	require.True(t, plan.Compare(x, y).Empty())
	require.True(t, plan.Compare(y, x).Empty())
	z := predict(t, template(t, "", container("c", "same", "'v': 3")+","+one), nil)
	require.Contains(t, lines(t, plan.Compare(x, z)), "      properties.v: 2 -> 3")
	require.Equal(t, 1, plan.Compare(x, predict(t, template(t, "", two), nil)).Count(plan.Delete))
}

func TestNamesInLoopsMakeNoDifference(t *testing.T) {
	t.Parallel()
	loop := func(name, variable string) *expand.Result {
		resources := "'" + name + "': {'copy': {'name': '" + name + "', 'count': '[length(parameters(`p`))]'}, 'import': 'r', 'type': 'Applications.Core/containers@1', 'properties': {'name': '[parameters(`p`)[copyIndex()]]', 'properties': {'v': '[copyIndex(`" + name + "`)]'}}}," +
			container("m", "m", "'v': '[map(parameters(`p`), lambda(`"+variable+"`, concat(lambdaVariables(`"+variable+"`), `x`)))]'")
		return predict(t, template(t, "'p': {'type': 'array'}", resources), nil)
	}
	require.True(t, plan.Compare(loop("first", "x"), loop("second", "y")).Empty())
}

// Loops and lambdas of one name within each other: which of them a value comes from makes a difference.
func TestLoopsOfOneName(t *testing.T) {
	t.Parallel()
	of := func(member string) *expand.Result {
		text := "{'$schema': 'x/deploymentTemplate.json#', 'languageVersion': '2.0', 'parameters': {'l': {'type': 'array'}}, 'imports': {'r': {'provider': 'Radius', 'version': '1'}}," +
			"'functions': [{'namespace': 'n', 'members': {'f': {'parameters': [{'name': 'a', 'type': 'int'}, {'name': 'l', 'type': 'array'}], 'output': {'type': 'array', 'value': '[map(parameters(`l`), lambda(`x`, add(parameters(`a`), lambdaVariables(`x`))))]'}}," +
			"'g': {'parameters': [{'name': 'l', 'type': 'array'}], 'output': {'type': 'array', 'value': '[map(parameters(`l`), lambda(`x`, add(lambdaVariables(`x`), lambdaVariables(`x`))))]'}}}}]," +
			"'resources': {" + container("s", "n", member) + "}}"
		v, err := armjson.Parse(strings.NewReplacer("'", `"`, "`", "'").Replace(text), armjson.Options{})
		require.NoError(t, err, text)
		return predict(t, v.(*armjson.Object), nil)
	}
	loop := func(input string) string {
		return "'copy': [{'name': 'x', 'count': '[length(parameters(`l`))]', 'input': '[" + input + "]'}]"
	}
	mapped := func(body string) string { return "map(parameters(`l`), lambda(`x`, " + body + "))" }
	for _, c := range [][2]string{
		{loop(mapped("add(copyIndex(`x`), lambdaVariables(`x`))")), loop(mapped("add(lambdaVariables(`x`), lambdaVariables(`x`))"))},
		{loop("n.f(copyIndex(`x`), parameters(`l`))"), loop("n.g(parameters(`l`))")},
		{"'v': '[" + mapped("n.f(lambdaVariables(`x`), parameters(`l`))") + "]'", "'v': '[" + mapped("n.g(parameters(`l`))") + "]'"},
		{"'v': '[" + mapped("map(createArray(lambdaVariables(`x`)), lambda(`y`, "+mapped("add(lambdaVariables(`y`), lambdaVariables(`x`))")+"))") + "]'",
			"'v': '[" + mapped("map(createArray(lambdaVariables(`x`)), lambda(`y`, "+mapped("add(lambdaVariables(`x`), lambdaVariables(`x`))")+"))") + "]'"},
	} {
		require.False(t, plan.Compare(of(c[0]), of(c[1])).Empty(), "%s and %s are told to be the same", c[0], c[1])
		require.True(t, plan.Compare(of(c[0]), of(c[0])).Empty(), c[0])
	}
}

// A part of a secure object is known only when it is deployed. A change of another part is a
// change all the same, and the resources that the first part is read of are known.
func TestSecretsBesideWhatIsUnknown(t *testing.T) {
	t.Parallel()
	module := "'m': {'type': 'Microsoft.Resources/deployments', 'apiVersion': '1', 'name': 'm', 'properties': {'expressionEvaluationOptions': {'scope': 'inner'}," +
		"'parameters': {'o': {'value': {'pw': '[parameters(`p`)]', 'later': '[reference(`a`).x]'}}}," +
		"'template': {'$schema': 'x/deploymentTemplate.json#', 'languageVersion': '2.0', 'imports': {'r': {'provider': 'Radius', 'version': '1'}}, 'parameters': {'o': {'type': 'secureObject'}}," +
		"'resources': {" + container("b", "b", "'v': '[parameters(`o`).pw]'") + "}}}}"
	of := func(v string) *expand.Result {
		return predict(t, template(t, "'p': {'type': 'string'}", container("a", "a", "'v': 1")+","+module), map[string]armjson.Value{"p": armjson.String(v)})
	}
	require.True(t, plan.Compare(of("CANARY-1"), of("CANARY-1")).Empty())
	text := strings.Join(lines(t, plan.Compare(of("CANARY-1"), of("CANARY-2"))), "\n")
	require.NotContains(t, text, "CANARY")
	require.Contains(t, text, "properties.v: (secure) -> (secure)")
}

// Long names, deep values and many changes do not multiply.
func TestPlansStayInProportion(t *testing.T) {
	t.Parallel()
	long, many := strings.Repeat("k", 20_000), strings.TrimSuffix(strings.Repeat("V, ", 2000), ", ")
	var members, unknown strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&members, "'m%d': V, ", i)
		fmt.Fprintf(&unknown, "'u%d': '[reference(`/a/b/c`, `%[1]d`).x]', ", i)
	}
	const depth = 200
	for name, c := range map[string]struct{ name, properties string }{
		"elements below a long name":   {"n", "'" + long + "': [" + many + "]"},
		"members below a long name":    {"n", "'" + long + "': {" + members.String() + "'x': 1}"},
		"elements deep in objects":     {"n", strings.Repeat("'nested': {", depth) + "'x': [" + many + "]" + strings.Repeat("}", depth)},
		"elements deep in arrays":      {"n", "'x': " + strings.Repeat("[", depth) + many + strings.Repeat("]", depth)},
		"unknowns of a long name":      {long, unknown.String() + "'x': V"},
		"a resource that is all there": {"n", "'" + long + "': {" + strings.ReplaceAll(members.String(), "V", "1") + "'x': 1}"},
	} {
		of := func(v string) *expand.Result {
			return predict(t, template(t, "", container("s", c.name, strings.ReplaceAll(c.properties, "V", v))), nil)
		}
		same := plan.Compare(of("1"), of("1"))
		require.True(t, same.Empty(), name)
		for _, p := range []*plan.Plan{plan.List(of("1")), plan.Compare(of("1"), of("2")), plan.Compare(nil, of("1"))} {
			require.Less(t, len(strings.Join(lines(t, p), "\n")), 8_000_000, name)
			require.Less(t, len(armjson.Text(p.JSON(nil))), 8_000_000, name)
			require.LessOrEqual(t, len(plan.Markdown([]plan.Section{{Title: "t", Plan: p}}, plan.Style{}, plan.MaxMarkdown)), plan.MaxMarkdown, name)
		}
	}
}

// When there are too many changes, one of the whole value stands for those within it.
func TestMoreChangesThanAreListed(t *testing.T) {
	t.Parallel()
	many := strings.Repeat("'"+strings.Repeat("n", 150)+"': {", 4) + "'a': [" + strings.TrimSuffix(strings.Repeat("V, ", 60_000), ", ") + "], 'b': {'c': [V, [V, V]]}" + strings.Repeat("}", 4)
	of := func(v string) *expand.Result {
		return predict(t, template(t, "", container("s", "n", strings.ReplaceAll(many, "V", v))), nil)
	}
	before, after := of("1"), of("2")
	p := plan.Compare(before, after)
	require.Len(t, p.Items[0].Changes, 1)
	require.Equal(t, "properties"+strings.Repeat("."+strings.Repeat("n", 150), 4), strings.TrimSuffix(p.Items[0].Changes[0].Path, "…")+strings.Repeat("n", 14))
	require.Equal(t, plan.Update, p.Items[0].Action)
}
