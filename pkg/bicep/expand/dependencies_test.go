package expand_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/expand"
)

// dependencies writes what each resource and each module depends on: "a: dependsOn b, reads c".
func dependencies(result *expand.Result) []string {
	text := func(list []expand.Dependency) string {
		var parts []string
		for _, d := range list {
			to := "module " + d.Module.Path()
			if d.Resource != nil {
				to = d.Resource.Symbol
				if to == "" {
					to = expand.Text(d.Resource.Name)
				}
			}
			parts = append(parts, fmt.Sprint(d.Kind, " ", to))
		}
		return strings.Join(parts, ", ")
	}
	var list []string
	for _, r := range result.Resources {
		name := r.Symbol
		if name == "" {
			name = expand.Text(r.Name)
		}
		if len(r.Dependencies) > 0 {
			list = append(list, strings.TrimPrefix(r.Module.Path()+"/"+name, "/")+": "+text(r.Dependencies))
		}
	}
	for _, m := range result.Modules() {
		if len(m.Dependencies) > 0 {
			list = append(list, "module "+m.Path()+": "+text(m.Dependencies))
		}
	}
	return list
}

func plainResource(symbol, members string) string {
	return "'" + symbol + "': {'type': 'T.S/a', 'apiVersion': '1', 'name': '" + symbol + "'" + members + "}"
}

// What a resource depends on is what dependsOn names, what it reads, what it is a child of and what it extends, each
// resource once.
func TestDependencies(t *testing.T) {
	t.Parallel()
	loop := "'l': {'copy': {'name': 'round', 'count': 3}, 'type': 'T.S/a', 'apiVersion': '1', 'name': '[format(`l{0}`, copyIndex())]'}"
	a, b := plainResource("a", ""), plainResource("b", "")
	m := module("m", "", "group", "'resources': {"+plainResource("in", "")+","+plainResource("next", ", 'dependsOn': ['in']")+"}, 'outputs': {'o': {'value': '[reference(`in`).x]'}}")
	for name, c := range map[string]struct {
		resources string
		want      []string
	}{
		"none":                      {a + "," + b, nil},
		"dependsOn":                 {a + "," + b + "," + plainResource("c", ", 'dependsOn': ['b', 'A', 'b']"), []string{"c: dependsOn b, dependsOn a"}},
		"itself":                    {plainResource("a", ", 'dependsOn': ['a']"), nil},
		"nothing that is there":     {a + "," + plainResource("c", ", 'dependsOn': ['x', 'a[0', '[utcNow()]', 1]"), nil},
		"by its ID":                 {a + "," + plainResource("c", ", 'dependsOn': ['[resourceId(`T.S/A`, `a`)]']"), []string{"c: dependsOn a"}},
		"one that is left out":      {plainResource("a", ", 'condition': false") + "," + b + "," + plainResource("c", ", 'dependsOn': ['a', 'b']"), []string{"c: dependsOn b"}},
		"by one that is left out":   {a + "," + plainResource("c", ", 'condition': false, 'dependsOn': ['a']"), nil},
		"what it reads":             {a + "," + b + "," + plainResource("c", ", 'tags': {'x': '[reference(`a`).x]', 'y': '[listKeys(`b`, `1`).y]'}"), []string{"c: reads a, reads b"}},
		"reads and depends":         {a + "," + plainResource("c", ", 'dependsOn': ['a'], 'tags': {'x': '[reference(`a`).x]'}"), []string{"c: reads a"}},
		"in its condition":          {a + "," + plainResource("c", ", 'condition': '[equals(reference(`a`).x, 1)]'"), []string{"c: reads a"}},
		"a child":                   {a + ",'c': {'type': 'T.S/a/cs', 'apiVersion': '1', 'name': 'a/c', 'dependsOn': ['a']}", []string{"c: parent a"}},
		"a child of none":           {a + ",'c': {'type': 'T.S/a/cs', 'apiVersion': '1', 'name': 'b/c'}", nil},
		"a child of a child":        {a + ",'b': {'type': 'T.S/a/bs', 'apiVersion': '1', 'name': 'a/b'}, 'c': {'type': 'T.S/a/bs/cs', 'apiVersion': '1', 'name': 'a/b/c'}", []string{"b: parent a", "c: parent b"}},
		"an extension":              {a + ",'c': {'type': 'T.R/r', 'apiVersion': '1', 'scope': 'T.S/a/A', 'name': 'c'}", []string{"c: scope a"}},
		"a loop":                    {loop + "," + plainResource("c", ", 'dependsOn': ['l']"), []string{"c: dependsOn l[0], dependsOn l[1], dependsOn l[2]"}},
		"a loop by its name":        {loop + "," + plainResource("c", ", 'dependsOn': ['Round']"), []string{"c: dependsOn l[0], dependsOn l[1], dependsOn l[2]"}},
		"a round":                   {loop + "," + plainResource("c", ", 'dependsOn': ['l[1]', 'L[0]', 'l[3]', 'l[x]']"), []string{"c: dependsOn l[1], dependsOn l[0]"}},
		"the round of a round":      {loop + ",'c': {'copy': {'name': 'c', 'count': 2}, 'type': 'T.S/a', 'apiVersion': '1', 'name': '[format(`c{0}`, copyIndex())]', 'dependsOn': ['[format(`l[{0}]`, copyIndex())]']}", []string{"c[0]: dependsOn l[0]", "c[1]: dependsOn l[1]"}},
		"a module":                  {m + "," + plainResource("c", ", 'dependsOn': ['m', 'M']"), []string{"m/next: dependsOn in", "c: dependsOn module m"}},
		"what a module reads":       {m + "," + plainResource("c", ", 'tags': {'o': '[reference(`m`).outputs.o.value]'}"), []string{"m/next: dependsOn in", "c: reads in"}},
		"of a module":               {a + "," + m[:len(m)-1] + ", 'dependsOn': ['a', 'A']}", []string{"m/next: dependsOn in", "module m: dependsOn a"}},
		"of a module on a module":   {m + "," + module("n", "'dependsOn': ['m', 'm'],", "group", "'resources': {}"), []string{"m/next: dependsOn in", "module n: dependsOn module m"}},
		"a module that is left out": {strings.Replace(m, "'apiVersion'", "'condition': false, 'apiVersion'", 1) + "," + plainResource("c", ", 'dependsOn': ['m']"), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result, err := expand.Expand(parse(t, `{`+groupSchema+`, 'resources': {`+c.resources+`}}`), expand.Options{Context: inGroup})
			require.NoError(t, err)
			require.Equal(t, c.want, dependencies(result))
			require.False(t, result.Crowded)
		})
	}
}

// A template without symbolic names names resources by ID, by name and by loop, and children stand in their parents.
func TestDependenciesOfClassicTemplates(t *testing.T) {
	t.Parallel()
	resources := `{'type': 'T.S/a', 'apiVersion': '1', 'name': 'a', 'resources': [{'type': 'kids', 'apiVersion': '1', 'name': 'k'}, {'type': 'T.S/a/kids', 'apiVersion': '1', 'name': 'a/whole', 'scope': '/'}]},
		{'type': 'T.S/a', 'apiVersion': '1', 'name': 'off', 'condition': false, 'resources': [{'type': 'kids', 'apiVersion': '1', 'name': 'k'}]},
		{'copy': {'name': 'many', 'count': 2}, 'type': 'T.S/a', 'apiVersion': '1', 'name': '[format(` + "`l{0}`" + `, copyIndex())]'},
		{'copy': {'count': 2}, 'type': 'T.S/a', 'apiVersion': '1', 'name': '[format(` + "`o{0}`" + `, copyIndex())]'},
		{'type': 'Microsoft.Resources/deployments', 'apiVersion': '1', 'name': 'mod', 'dependsOn': ['[resourceId(` + "`T.S/a`, `a`" + `)]'], 'properties': {'expressionEvaluationOptions': {'scope': 'inner'}, 'template': {'resources': []}}},
		{'type': 'T.S/a', 'apiVersion': '1', 'name': 'c', 'dependsOn': ['[resourceId(` + "`T.S/a`, `a`" + `)]', 'MANY', 'mod', '']}`
	result, err := expand.Expand(parse(t, `{`+strings.ReplaceAll(groupSchema, ", 'languageVersion': '2.0'", "")+`, 'resources': [`+resources+`]}`), expand.Options{Context: inGroup})
	require.NoError(t, err)
	require.Equal(t, []string{"a/k: parent a", "a/whole: parent a", "c: dependsOn a, dependsOn l0, dependsOn l1, dependsOn module Microsoft.Resources/deployments/mod", "module Microsoft.Resources/deployments/mod: dependsOn a"}, dependencies(result))
}

// Many dependencies are cut off, and the result says so.
func TestManyDependencies(t *testing.T) {
	t.Parallel()
	loop := func(symbol, members string) string {
		return "'" + symbol + "': {'copy': {'name': '" + symbol + "', 'count': 20}, 'type': 'T.S/a', 'apiVersion': '1', 'name': '[format(`" + symbol + "{0}`, copyIndex())]'" + members + "}"
	}
	template := parse(t, `{`+groupSchema+`, 'resources': {`+loop("l", "")+","+loop("c", ", 'dependsOn': ['l']")+`}}`)
	for limit, crowded := range map[int]bool{0: false, 400: false, 399: true, 50: true} {
		result, err := expand.Expand(template, expand.Options{Context: inGroup, Limits: expand.Limits{Edges: limit}})
		require.NoError(t, err)
		n := 0
		for _, r := range result.Resources {
			n += len(r.Dependencies)
		}
		require.Equal(t, crowded, result.Crowded, limit)
		if crowded {
			require.Equal(t, limit+1, n)
		} else {
			require.Equal(t, 400, n)
		}
	}
	// Long names count too.
	long := strings.ReplaceAll(loop("c", ", 'dependsOn': ['l']"), "c{0}", strings.Repeat("c", 2000)+"{0}")
	result, err := expand.Expand(parse(t, `{`+groupSchema+`, 'resources': {`+loop("l", "")+","+long+`}}`), expand.Options{Context: inGroup, Limits: expand.Limits{Text: 300_000}})
	require.NoError(t, err)
	require.True(t, result.Crowded)
}

// In a template without symbolic names, a module is asked by its name or its ID, and a resource by its ID.
func TestWhatIsAskedInClassicTemplates(t *testing.T) {
	t.Parallel()
	const id = "/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a"
	for expr, want := range map[string]string{
		"reference(`mod`).outputs.o.value": "made", "reference(`MOD`).outputs.o.value": "made",
		"reference(resourceId(`Microsoft.Resources/deployments`, `mod`)).outputs.o.value": "made",
		"reference(`other`).outputs.o.value":                                              "[reference('other').outputs.o.value]",
		"reference(resourceId(`T.S/a`, `a`), `1`).x":                                      "[reference('" + id + "', '1').x]",
		"reference(`mod/x`).x":                                                            "[reference('mod/x').x]",
		"reference(`mod[0]`).x":                                                           "[reference('mod[0]').x]",
	} {
		text := `{` + strings.ReplaceAll(groupSchema, ", 'languageVersion': '2.0'", "") + `, 'resources': [{'type': 'T.S/a', 'apiVersion': '1', 'name': 'a'},
			{'type': 'T.S/a', 'apiVersion': '1', 'name': 'b', 'tags': {'v': '[` + expr + `]'}},
			{'type': 'Microsoft.Resources/deployments', 'apiVersion': '1', 'name': 'mod', 'properties': {'expressionEvaluationOptions': {'scope': 'inner'}, 'template': {'resources': [], 'outputs': {'o': {'type': 'string', 'value': 'made'}}}}}]}`
		result, err := expand.Expand(parse(t, text), expand.Options{Context: inGroup})
		require.NoError(t, err)
		v, _ := result.Resources[1].Body.Object("tags").Get("v")
		require.Equal(t, want, expand.Text(v), expr)
	}
}
