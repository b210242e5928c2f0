package expand_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/secret"
)

// A secret in a value is hidden by itself: what stands beside it takes no memory again, however many get the value.
func TestPartsBesideSecretsAreShared(t *testing.T) {
	t.Parallel()
	large := armjson.NewObject(armjson.Member{Key: "a", Value: armjson.String("b")})
	value := armjson.NewObject(armjson.Member{Key: "large", Value: large},
		armjson.Member{Key: "list", Value: armjson.Array{large, expand.Secure(armjson.String("s3cret"), "s")}})
	result, err := expand.Expand(parse(t, "{"+groupSchema+", 'parameters': {'p': {'type': 'object'}}, 'resources': {}, "+
		"'outputs': {'all': {'type': 'object', 'value': '[parameters(`p`)]'}}}"), expand.Options{Parameters: map[string]expand.Parameter{"p": {Value: value}}})
	require.NoError(t, err)
	got := result.Outputs[0].Value.(*armjson.Object)
	require.Equal(t, `{"large":{"a":"b"},"list":[{"a":"b"},"[parameters('p').list[1]]"]}`, armjson.Text(expand.Printable(got)))
	list, _ := got.Get("list")
	require.Same(t, large, got.Object("large"))
	require.Same(t, large, list.(armjson.Array)[0])
}

// How a parameter of the template gets its value.
func TestValuesOfParameters(t *testing.T) {
	t.Parallel()
	text := armjson.String("given")
	for _, c := range []struct {
		schema string
		given  *expand.Parameter
		o      expand.Options
		want   string
	}{
		{"'type': 'string'", nil, expand.Options{}, "[parameters('p')]"},
		{"'type': 'string', 'nullable': true", nil, expand.Options{}, "null"},
		{"'type': 'string', 'defaultValue': 'd'", nil, expand.Options{}, "d"},
		{"'type': 'string', 'defaultValue': '[utcNow()]'", nil, expand.Options{}, "[utcNow()]"},
		{"'type': 'string', 'defaultValue': 'd'", &expand.Parameter{Value: text}, expand.Options{}, "given"},
		{"'type': 'string', 'defaultValue': 'd'", &expand.Parameter{Value: armjson.Null{}}, expand.Options{}, "d"},
		{"'type': 'string'", &expand.Parameter{Reference: armjson.NewObject()}, expand.Options{}, "[parameters('p')] secure"},
		{"'type': 'string'", &expand.Parameter{Expression: "[externalInput(`k`)]"}, expand.Options{}, "[externalInput('k')]"},
		{"'type': 'securestring'", &expand.Parameter{Value: text}, expand.Options{}, "[parameters('p')] secure"},
		{"'type': 'securestring'", nil, expand.Options{}, "[parameters('p')] secure"},
		{"'type': 'securestring', 'defaultValue': '[newGuid()]'", nil, expand.Options{}, "[newGuid()] secure"},
		{"'type': 'securestring', 'defaultValue': '[newGuid()]'", nil, expand.Options{SecretsApart: true}, "[parameters('p')] secure"},
		{"'type': 'securestring', 'defaultValue': 'd'", nil, expand.Options{SecretsApart: true}, "[parameters('p')] secure"},
		{"'type': 'string', 'defaultValue': '[newGuid()]'", nil, expand.Options{SecretsApart: true}, "[newGuid()]"},
		{"'type': 'string'", &expand.Parameter{Value: text, Mark: secret.Environment}, expand.Options{}, "[parameters('p')] secure"},
		{"'type': 'string'", &expand.Parameter{Value: text, Mark: secret.Environment}, expand.Options{ForWriting: true}, "given"},
		{"'type': 'string'", &expand.Parameter{Value: text, Mark: secret.Secure}, expand.Options{ForWriting: true}, "[parameters('p')] secure"},
		{"'type': 'string', 'defaultValue': 'd'", &expand.Parameter{Value: armjson.Null{}, Mark: secret.Secure}, expand.Options{}, "[parameters('p')] secure"},
		{"'type': 'string', 'defaultValue': 'd'", &expand.Parameter{Value: armjson.Null{}, Mark: secret.Secure}, expand.Options{SecretsApart: true}, "d"},
	} {
		o := c.o
		if c.given != nil {
			given := *c.given
			if given.Expression != "" {
				given.Expression = "[externalInput('k')]"
			}
			o.Parameters = map[string]expand.Parameter{"P": given}
		}
		result, err := expand.Expand(parse(t, `{`+groupSchema+`, 'parameters': {'p': {`+c.schema+`}}, 'resources': {`+plainResource("r", ", 'tags': '[parameters(`p`)]'")+`}}`), o)
		require.NoError(t, err)
		v, _ := result.Resources[0].Body.Get("tags")
		got := expand.Text(v)
		if expand.IsSecure(v) {
			got += " secure"
		}
		require.Equal(t, c.want, got, "%s %+v %+v", c.schema, c.given, c.o)
	}
}

// places says that each thing is in the file of its template, in the line of its name's length.
type places struct{ file string }

func (p places) Resource(symbol string, path ...string) expand.Position {
	if symbol == "nowhere" {
		return expand.Position{}
	}
	return expand.Position{File: p.file, Line: len(symbol), Column: 1 + len(path)}
}

func (p places) Declaration(kind, name string) expand.Position {
	if name == "nowhere" {
		return expand.Position{}
	}
	return expand.Position{File: p.file, Line: len(name), Column: len(kind)}
}

func (p places) Module(symbol string) (expand.Position, expand.Places) {
	if symbol == "nested" {
		return expand.Position{}, nil
	}
	return expand.Position{File: p.file, Line: len(symbol), Column: 7}, places{symbol + ".bicep"}
}

func (p places) ListsExisting() bool { return true }

func (p places) Unfetched() []expand.UnfetchedImport { return nil }

// A mistake is told with the place of what it is in: a declaration, a resource, a module, or the module around.
func TestPlacesOfMistakes(t *testing.T) {
	t.Parallel()
	const fails = "'[int(`x`)]'"
	bad := func(symbol string) string { return plainResource(symbol, ", 'tags': {'t': "+fails+"}") }
	for _, c := range []struct{ template, want string }{
		{"'resources': {}, 'variables': {'vars': " + fails + "}", "app.bicep(4,8)"},
		{"'resources': {}, 'outputs': {'ou': {'type': 'int', 'value': " + fails + "}}", "app.bicep(2,6)"},
		{"'resources': {" + bad("res") + "}", "app.bicep(3,1)"},
		{"'resources': {'loop': {'copy': {'name': 'l', 'count': 2}, 'type': 'T.S/a', 'apiVersion': '1', 'name': " + fails + "}}", "app.bicep(4,1)"},
		{"'resources': {" + module("mod", "'condition': "+fails+",", "group", "'resources': {}") + "}", "app.bicep(3,7)"},
		{"'resources': {" + module("mod", "", "group", "'resources': {"+bad("res")+"}") + "}", "mod.bicep(3,1)"},
		{"'resources': {" + module("mod", "", "group", "'resources': {"+bad("nowhere")+"}") + "}", "app.bicep(3,7)"},
		{"'resources': {" + module("nested", "", "group", "'resources': {"+bad("res")+"}") + "}", "app.bicep(6,1)"},
	} {
		_, err := expand.Expand(parse(t, "{"+groupSchema+", "+c.template+"}"), expand.Options{Context: inGroup, Places: places{"app.bicep"}})
		var e *expand.Error
		require.ErrorAs(t, err, &e, c.template)
		require.Equal(t, c.want, e.Position.String(), c.template)
	}
	result, err := expand.Expand(parse(t, "{"+groupSchema+", 'resources': {"+plainResource("res", "")+","+module("mod", "", "group", "'resources': {"+plainResource("in", "")+"}")+","+module("nested", "", "group", "'resources': {"+plainResource("in", "")+"}")+"}}"),
		expand.Options{Context: inGroup, Places: places{"app.bicep"}})
	require.NoError(t, err)
	var got []string
	for _, r := range result.Resources {
		got = append(got, r.Position.String(), r.Property("tags", "x").String())
	}
	for _, m := range result.Modules() {
		got = append(got, m.Position.String())
	}
	require.Equal(t, []string{"app.bicep(3,1)", "app.bicep(3,3)", "mod.bicep(2,1)", "mod.bicep(2,3)", "app.bicep(6,1)", "app.bicep(6,1)", "app.bicep(3,7)", "app.bicep(6,1)"}, got)
	require.Empty(t, expand.Position{}.String())
}

// What a resource says of its own deployment is not part of its body.
func TestBodies(t *testing.T) {
	t.Parallel()
	text := `{` + groupSchema + `, 'extensions': {'ext': {'name': 'Contoso', 'version': '2', 'config': {'c': '[toUpper(` + "`x`" + `)]'}}}, 'resources': {
		'r': {'type': 'T.S/a@5', 'name': 'r', 'location': 'north', 'sku': {'name': 's'}, 'Properties': {'p': 1}, 'DependsOn': [], 'SubscriptionId': '00000000-0000-0000-0000-00000000000b', 'resourceGroup': 'g', 'condition': true, 'comments': 'c', 'metadata': {}, '@options': {'onlyIfNotExists': true, 'retryOn': []}, 'method': 'patch'},
		'x': {'extension': 'ext', 'type': 'A/b@1', 'properties': {'name': 'n', 'v': '[add(1, 2)]'}}, 'none': {'extension': 'other', 'type': 'A/b@1'}}}`
	result, err := expand.Expand(parse(t, text), expand.Options{Context: inGroup})
	require.NoError(t, err)
	r, x, none := result.Resources[0], result.Resources[1], result.Resources[2]
	require.Equal(t, `{"location":"north","sku":{"name":"s"},"Properties":{"p":1}}`, armjson.Text(r.Body))
	require.Equal(t, []string{"T.S/a", "5"}, []string{r.Type, r.APIVersion})
	require.Equal(t, []string{"onlyIfNotExists", "retryOn", "patch"}, r.Decorators)
	require.Equal(t, `{"name":"n","v":3}`, armjson.Text(x.Body))
	require.Equal(t, expand.Extension{Alias: "ext", Provider: "Contoso", Version: "2", Config: x.Extension.Config}, *x.Extension)
	require.Equal(t, `{"c":"X"}`, armjson.Text(x.Extension.Config))
	require.Equal(t, "n", expand.Text(x.Name))
	require.Nil(t, x.ID)
	require.Equal(t, expand.Extension{Alias: "other"}, *none.Extension)
	require.Equal(t, `{}`, armjson.Text(none.Body))
}

// Resources count with those of modules and loops, and what they are when they are written does too.
func TestLimitsCountEverything(t *testing.T) {
	t.Parallel()
	loop := `'l': {'copy': {'name': 'l', 'count': 5}, 'type': 'T.S/a', 'apiVersion': '1', 'name': '[concat(string(copyIndex()))]', 'tags': {'t': '` + strings.Repeat("x", 1000) + `'}}`
	template := parse(t, `{`+groupSchema+`, 'resources': {`+plainResource("a", "")+","+loop+","+module("m", "", "group", "'resources': {"+loop+"}")+`}}`)
	for limit, fits := range map[int]bool{11: false, 12: true} { // the module counts too
		_, err := expand.Expand(template, expand.Options{Context: inGroup, Limits: expand.Limits{Resources: limit}})
		if fits {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, "the template deploys more than 11 resources")
		}
	}
	_, err := expand.Expand(template, expand.Options{Context: inGroup, Limits: expand.Limits{Copies: 4}})
	require.EqualError(t, err, `resource "l": its loop makes 5 copies; the limit is 4`)
	_, err = expand.Expand(template, expand.Options{Context: inGroup, Limits: expand.Limits{Text: 9000}})
	require.ErrorContains(t, err, "all that the template deploys takes more than")
	result, err := expand.Expand(template, expand.Options{Context: inGroup, Graphs: true, Limits: expand.Limits{Text: 9000}})
	require.NoError(t, err)
	require.Len(t, result.Resources, 11)
	large := 0
	for _, r := range result.Resources {
		if r.TooLarge {
			large++
			require.Zero(t, r.Body.Len())
		}
	}
	require.Len(t, result.Diagnostics, large)
	require.Greater(t, large, 0)
	require.Less(t, large, 6)
	require.Contains(t, result.Diagnostics[0].String(), "Info TooLarge: Resource l[")
}
