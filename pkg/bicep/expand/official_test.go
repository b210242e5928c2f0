package expand_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/expand"
)

// The resources of a snapshot come in the order that the engine deploys them in: before each those that it names.
func TestOrderOfSnapshots(t *testing.T) {
	t.Parallel()
	after := func(names ...string) string { return ", 'dependsOn': ['" + strings.Join(names, "', '") + "']" }
	loop := func(symbol, members string) string {
		return "'" + symbol + "': {'copy': {'name': '" + symbol + "s', 'count': 2}, 'type': 'T.S/a', 'apiVersion': '1', 'name': '[format(`" + symbol + "{0}`, copyIndex())]'" + members + "}"
	}
	const id = "[resourceId(`T.S/a`, `d`)]"
	for _, c := range []struct{ resources, want string }{
		{plainResource("a", "") + "," + plainResource("b", ""), "a b"},
		{plainResource("f", after("c", "d")) + "," + plainResource("c", "") + "," + plainResource("d", after("c", "g")) + "," + plainResource("g", ""), "c g d f"},
		{plainResource("a", ", 'tags': {'x': '[reference(`c`).x]', 'y': ['[toLower(reference(`b`).x)]']}"+after("d")) + "," + plainResource("d", "") + "," + plainResource("b", "") + "," + plainResource("c", ""), "c b d a"},
		{plainResource("a", after("C")) + "," + plainResource("b", "") + "," + plainResource("c", ", 'condition': false"+after("d")) + "," + plainResource("d", ""), "d a b"},
		{plainResource("a", after("l")) + "," + loop("l", ""), "l[0] l[1] a"},
		{plainResource("a", after("ls")) + "," + loop("l", ""), "l[0] l[1] a"},
		{plainResource("a", after("l[1]")) + "," + loop("l", ""), "l[1] a l[0]"},
		{loop("a", after("[format(`l[{0}]`, copyIndex())]")) + "," + loop("l", ""), "l[0] a[0] l[1] a[1]"},
		{plainResource("a", after("l[7]", "l[x]", "none")) + "," + loop("l", ""), "a l[0] l[1]"},
		{plainResource("a", after(id)) + "," + plainResource("d", ""), "a d"},
		{plainResource("a", after("m")) + "," + module("m", "", "group", "'resources': {"+plainResource("y", after("x"))+","+plainResource("x", "")+"}"), "m/x m/y a"},
		{module("m", "'dependsOn': ['a'],", "group", "'resources': {"+plainResource("x", ", 'tags': '[reference(`b`)]'")+"}") + "," + plainResource("b", "") + "," + plainResource("a", ""), "a m/x b"},
	} {
		result, err := expand.Expand(parse(t, `{`+groupSchema+`, 'resources': {`+c.resources+`}}`), expand.Options{Context: inGroup, Official: true})
		require.NoError(t, err)
		var got []string
		for _, r := range result.Resources {
			got = append(got, strings.TrimPrefix(r.Module.Path()+"/"+r.Symbol, "/"))
		}
		require.Equal(t, c.want, strings.Join(got, " "), c.resources)
	}
	// Without symbolic names, an entry is an ID, a name, or the name of a loop.
	classic := `{` + strings.ReplaceAll(groupSchema, ", 'languageVersion': '2.0'", "") + `, 'resources': [{'type': 'T.S/a', 'apiVersion': '1', 'name': 'a', 'dependsOn': ['[resourceId(` + "`T.S/a`, `d`" + `)]', 'C', 'round']},
		{'type': 'T.S/a', 'apiVersion': '1', 'name': 'b'}, {'type': 'T.S/a', 'apiVersion': '1', 'name': 'c'}, {'type': 'T.S/a', 'apiVersion': '1', 'name': 'd'},
		{'copy': {'name': 'round', 'count': 2}, 'type': 'T.S/a', 'apiVersion': '1', 'name': '[format(` + "`l{0}`" + `, copyIndex())]'}]}`
	result, err := expand.Expand(parse(t, classic), expand.Options{Context: inGroup, Official: true})
	require.NoError(t, err)
	var got []string
	for _, r := range result.Resources {
		got = append(got, expand.Text(r.Name))
	}
	require.Equal(t, "d c l0 l1 a b", strings.Join(got, " "))
}

// A loop without rounds names nothing, and yet its entries are evaluated in a template without symbolic names: those that all
// rounds would have in common.
func TestOrderOfLoopsWithoutRounds(t *testing.T) {
	t.Parallel()
	for entry, fails := range map[string]bool{"[resourceId(`T.S/a`, `x`)]": false, "[resourceId(`T.S/a`, `x`, `y`)]": true, "[resourceId(`T.S/a`, `x`, string(copyIndex()))]": false} {
		template := `{` + strings.ReplaceAll(groupSchema, ", 'languageVersion': '2.0'", "") + `, 'resources': [{'copy': {'name': 'l', 'count': 0}, 'type': 'T.S/a', 'apiVersion': '1', 'name': '[string(copyIndex())]', 'dependsOn': ['` + entry + `']}]}`
		result, err := expand.Expand(parse(t, template), expand.Options{Context: inGroup, Official: true})
		require.Equal(t, fails, err != nil, entry)
		if !fails {
			require.Empty(t, result.Resources)
		}
	}
}

// A loop whose number of rounds is not known: the template is refused, and a module is left out with a diagnostic.
func TestLoopsThatSnapshotsRefuse(t *testing.T) {
	t.Parallel()
	loop := "'l': {'copy': {'name': 'l', 'count': '[length(reference(`/x`, `1`).list)]'}, 'type': 'T.S/a', 'apiVersion': '1', 'name': '[format(`l{0}`, copyIndex())]'}"
	o := expand.Options{Context: inGroup, Official: true}
	_, err := expand.Expand(parse(t, `{`+groupSchema+`, 'resources': {`+loop+`}}`), o)
	require.EqualError(t, err, `resource "l": the number of its copies is not known before the deployment: [length(reference('/x', '1').list)]`)
	result, err := expand.Expand(parse(t, `{`+groupSchema+`, 'resources': {`+plainResource("a", "")+`,`+module("m", "", "group", "'resources': {"+loop+","+plainResource("b", "")+"}")+`}}`), o)
	require.NoError(t, err)
	require.Len(t, result.Resources, 1)
	require.Equal(t, []string{" Warning NestedDeploymentShortCircuited: A loop of module m has a number of rounds that is not known, and so the module's resources are not known."}, []string{result.Diagnostics[0].String()})
}

// In a snapshot, what a resource declares is known to those that come after it, if they ask with its version.
func TestWhatSnapshotsKnowOfResources(t *testing.T) {
	t.Parallel()
	const a = "'a': {'type': 'T.S/a', 'apiVersion': '1', 'name': 'a', 'location': 'north', 'properties': {'x': 'X', 'no': null}}, "
	const others = "'bare': {'type': 'T.S/a', 'apiVersion': '1', 'name': 'bare'}, 'again': {'existing': true, 'type': 'T.S/a', 'apiVersion': '1', 'name': 'A'}, 'e': {'existing': true, 'type': 'T.S/a', 'apiVersion': '1', 'name': 'e'}, " +
		"'k': {'import': 'k', 'type': 'core/ConfigMap@v1', 'properties': {'metadata': {'name': 'cm'}, 'data': {'d': 'D'}}}, "
	const id = "/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/"
	for expr, want := range map[string]string{
		"reference('a').x":                                                   "X",
		"reference('a').more":                                                "[reference('" + id + "a', '1').more]",
		"reference('a')":                                                     `{"x":"X","no":null}`,
		"reference('a', '1').x":                                              "X",
		"reference('a', '2').x":                                              "[reference('" + id + "a', '2').x]",
		"reference('a', '1', 'full').properties.x":                           "X",
		"reference('a', '1', 'full').location":                               "[reference('" + id + "a', '1', 'full').location]",
		"reference('again').x":                                               "X",
		"reference('e').x":                                                   "[reference('" + id + "e', '1').x]",
		"reference('bare').x":                                                "[reference('" + id + "bare', '1').x]",
		"reference(resourceId('T.S/a', 'a'), '1').x":                         "X",
		"reference(resourceId('T.S/a', 'a')).x":                              "X",
		"reference(resourceId('T.S/a', 'none'), '1').x":                      "[reference('" + id + "none', '1').x]",
		"reference('k').data.d":                                              "D",
		"reference('k').metadata.uid":                                        "[reference('k').metadata.uid]",
		"if(equals(utcNow(), 'x'), reference('a').x, 'n')":                   "[if(equals(utcNow(), 'x'), reference('" + id + "a', '1').x, 'n')]",
		"if(equals(utcNow(), 'x'), reference('none').x, listKeys('a', '2'))": "[if(equals(utcNow(), 'x'), reference('none').x, listKeys('" + id + "a', '2'))]",
		"toUpper(concat(reference('a').y, 'z'))":                             "[toUpper(concat(reference('" + id + "a', '1').y, 'z'))]",
		"concat(listKeys('a', '1').k, utcNow())":                             "[concat(listKeys('" + id + "a', '1').k, utcNow())]",
	} {
		text := `{` + groupSchema + `, 'imports': {'k': {'provider': 'Kubernetes', 'version': '1'}}, 'resources': {` + a + others + plainResource("z", ", 'dependsOn': ['a', 'again', 'k'], 'tags': {'v': '["+strings.ReplaceAll(expr, "'", "`")+"]'}") + `}}`
		result, err := expand.Expand(parse(t, text), expand.Options{Context: inGroup, Official: true})
		require.NoError(t, err)
		z := result.Resources[len(result.Resources)-1]
		require.Equal(t, "z", z.Symbol)
		v, ok := z.Body.Object("tags").Get("v")
		require.True(t, ok)
		require.Equal(t, want, expand.Text(v), expr)
	}
}
