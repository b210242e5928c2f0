package expand_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/expand"
)

// parse reads a template that is written with ' in place of ", and ` in place of '.
func parse(t testing.TB, text string) *armjson.Object {
	t.Helper()
	text = strings.NewReplacer("'", `"`, "`", "'").Replace(text)
	v, err := armjson.Parse(text, armjson.Options{MaxDepth: 1 << 20})
	require.NoError(t, err)
	return v.(*armjson.Object)
}

const groupSchema = "'$schema': 'https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#', 'contentVersion': '1.0.0.0', 'languageVersion': '2.0'"

var inGroup = expand.Context{SubscriptionID: "sub-1", ResourceGroup: "rg-1"}

// show writes a resource on one line.
func show(r *expand.Resource) string {
	s := r.Symbol + " " + expand.Text(r.ID)
	if p := r.Module.Path(); p != "" {
		s = p + "/" + s
	}
	if r.Existing {
		s += " existing"
	}
	if r.Condition != nil {
		s += " if " + expand.Text(r.Condition)
	}
	s += " " + armjson.Text(expand.Printable(r.Body))
	for _, d := range r.Dependencies {
		to := ""
		if d.Resource != nil {
			to = d.Resource.Symbol
		} else {
			to = "module " + d.Module.Path()
		}
		s += fmt.Sprintf(" (%s %s)", d.Kind, to)
	}
	return s
}

func expandText(t testing.TB, text string, o expand.Options) []string {
	t.Helper()
	result, err := expand.Expand(parse(t, text), o)
	require.NoError(t, err)
	var out []string
	for _, r := range result.Resources {
		out = append(out, show(r))
	}
	for _, x := range result.Outputs {
		out = append(out, "output "+x.Name+" "+expand.Text(x.Value))
	}
	return out
}

func TestExpand(t *testing.T) {
	t.Parallel()
	radius := groupSchema + ", 'imports': {'radius': {'provider': 'Radius', 'version': 'latest'}, 'kube': {'provider': 'Kubernetes', 'version': '1.0.0', 'config': {'namespace': 'default'}}}"
	for name, c := range map[string]struct {
		template string
		options  expand.Options
		want     []string
	}{
		"a loop, its names and their ID": {
			`{` + groupSchema + `, 'variables': {'names': ['a', 'b']}, 'resources': {'s': {'copy': {'name': 's', 'count': '[length(variables(` + "`names`" + `))]'},
				'type': 'T.S/accounts', 'apiVersion': '2020-01-01', 'name': '[variables(` + "`names`" + `)[copyIndex()]]', 'tags': {'n': '[copyIndex(1)]'}}}}`,
			expand.Options{Context: inGroup},
			[]string{
				`s[0] /subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/accounts/a {"tags":{"n":1}}`,
				`s[1] /subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/accounts/b {"tags":{"n":2}}`,
			},
		},
		"without a context the ID is an expression": {
			`{` + groupSchema + `, 'resources': {'s': {'type': 'T.S/a/b', 'apiVersion': '1', 'name': 'x/y', 'location': '[resourceGroup().location]'}}}`,
			expand.Options{},
			[]string{`s [resourceId('T.S/a/b', 'x', 'y')] {"location":"[resourceGroup().location]"}`},
		},
		"a condition that is false removes, one that is unknown stays": {
			`{` + groupSchema + `, 'parameters': {'on': {'type': 'bool', 'defaultValue': false}, 'later': {'type': 'bool'}}, 'resources': {
				'no': {'condition': '[parameters(` + "`on`" + `)]', 'type': 'T.S/a', 'apiVersion': '1', 'name': '[fail(` + "`never evaluated`" + `)]'},
				'maybe': {'condition': '[and(not(parameters(` + "`on`" + `)), parameters(` + "`later`" + `))]', 'type': 'T.S/a', 'apiVersion': '1', 'name': 'm'}}}`,
			expand.Options{Context: inGroup},
			[]string{`maybe /subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/m if [and(true(), parameters('later'))] {}`},
		},
		"what a resource will have is unknown, and what is made of it": {
			`{` + groupSchema + `, 'variables': {'host': 'h'}, 'resources': {
				'a': {'type': 'T.S/a', 'apiVersion': '1', 'name': 'a'},
				'b': {'type': 'T.S/b', 'apiVersion': '2', 'name': 'b', 'properties': {
					'url': '[format(` + "`{0}://{1}`" + `, variables(` + "`host`" + `), reference(` + "`a`" + `).endpoint)]',
					'list': '[concat(createArray(1), createArray(reference(` + "`a`" + `).x))]', 'n': '[length(createArray(reference(` + "`a`" + `).x))]'}, 'dependsOn': ['a']}}}`,
			expand.Options{Context: inGroup},
			[]string{
				`a /subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a {}`,
				`b /subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/b/b {"properties":{"url":"[format('{0}://{1}', 'h', reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a', '1').endpoint)]",` +
					`"list":[1,"[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a', '1').x]"],"n":1}} (reads a)`,
			},
		},
		"parents and extension resources": {
			`{` + groupSchema + `, 'resources': {
				'v': {'existing': true, 'type': 'T.N/nets', 'apiVersion': '1', 'name': 'v'},
				'v::s': {'type': 'T.N/nets/subs', 'apiVersion': '1', 'name': '[format(` + "`{0}/{1}`, `v`, `s`" + `)]'},
				'lock': {'type': 'T.A/locks', 'apiVersion': '1', 'scope': '[resourceId(` + "`T.N/nets`, `v`" + `)]', 'name': 'l'}}}`,
			expand.Options{Context: inGroup},
			[]string{
				`v /subscriptions/sub-1/resourceGroups/rg-1/providers/T.N/nets/v existing {}`,
				`v::s /subscriptions/sub-1/resourceGroups/rg-1/providers/T.N/nets/v/subs/s {} (parent v)`,
				`lock /subscriptions/sub-1/resourceGroups/rg-1/providers/T.N/nets/v/providers/T.A/locks/l {} (scope v)`,
			},
		},
		"modules: outputs flow, and the group is another": {
			`{` + groupSchema + `, 'resources': {
				'one': {'type': 'Microsoft.Resources/deployments', 'apiVersion': '2025-04-01', 'name': 'one', 'resourceGroup': 'other', 'properties': {'expressionEvaluationOptions': {'scope': 'inner'},
					'template': {` + groupSchema + `, 'resources': {'x': {'type': 'T.S/a', 'apiVersion': '1', 'name': '[resourceGroup().name]'}}, 'outputs': {'o': {'type': 'string', 'value': 'known'}, 'r': {'type': 'string', 'value': '[reference(` + "`x`" + `).p]'}}}}},
				'two': {'type': 'Microsoft.Resources/deployments', 'apiVersion': '2025-04-01', 'properties': {'expressionEvaluationOptions': {'scope': 'inner'},
					'parameters': {'p': {'value': '[reference(` + "`one`" + `).outputs.o.value]'}, 'q': {'value': '[reference(` + "`one`" + `).outputs.r.value]'}},
					'template': {` + groupSchema + `, 'parameters': {'p': {'type': 'string'}, 'q': {'type': 'string'}}, 'resources': {'y': {'type': 'T.S/a', 'apiVersion': '1', 'name': '[parameters(` + "`p`" + `)]', 'tags': {'q': '[parameters(` + "`q`" + `)]'}}}}}, 'dependsOn': ['one']}}}`,
			expand.Options{Context: inGroup},
			[]string{
				`one/x /subscriptions/sub-1/resourceGroups/other/providers/T.S/a/other {}`,
				`two/y /subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/known {"tags":{"q":"[reference('/subscriptions/sub-1/resourceGroups/other/providers/T.S/a/other', '1').p]"}} (reads x)`,
			},
		},
		"Radius and Kubernetes: names and IDs are known": {
			`{` + radius + `, 'resources': {
				'app': {'import': 'radius', 'type': 'Applications.Core/applications@2023-10-01-preview', 'properties': {'name': 'shop'}},
				'c': {'import': 'radius', 'type': 'Applications.Core/containers@2023-10-01-preview', 'properties': {'name': '[format(` + "`{0}-web`, reference(`app`).name" + `)]', 'properties': {'application': '[reference(` + "`app`" + `).id]', 'svc': '[reference(` + "`k`" + `).metadata.name]'}}},
				'k': {'import': 'kube', 'type': 'core/Service@v1', 'properties': {'metadata': {'name': 'svc'}}}}}`,
			expand.Options{Context: expand.Context{RadiusGroup: "default"}},
			[]string{
				`app /planes/radius/local/resourceGroups/default/providers/Applications.Core/applications/shop {"name":"shop"}`,
				`c /planes/radius/local/resourceGroups/default/providers/Applications.Core/containers/shop-web {"name":"shop-web","properties":{"application":"/planes/radius/local/resourceGroups/default/providers/Applications.Core/applications/shop","svc":"svc"}}`,
				`k  {"metadata":{"name":"svc"}}`,
			},
		},
		"a loop over something unknown": {
			`{` + groupSchema + `, 'parameters': {'n': {'type': 'int'}}, 'resources': {'s': {'copy': {'name': 's', 'count': '[parameters(` + "`n`" + `)]'}, 'type': 'T.S/a', 'apiVersion': '1', 'name': '[format(` + "`s{0}`" + `, copyIndex())]',
				'properties': {'copy': [{'name': 'l', 'count': '[parameters(` + "`n`" + `)]', 'input': '[copyIndex(` + "`l`" + `)]'}]}}}}`,
			expand.Options{Context: inGroup},
			[]string{`s[*] [format('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/{0}', format('s{0}', copyIndex()))] {"properties":{"l":"[map(range(0, parameters('n')), lambda('l', lambdaVariables('l')))]"}}`},
		},
		"a nested template that is evaluated outside": {
			`{` + groupSchema + `, 'variables': {'v': 'outer'}, 'resources': {'m': {'copy': {'name': 'l', 'count': 2}, 'type': 'Microsoft.Resources/deployments', 'apiVersion': '1', 'name': '[format(` + "`m{0}`" + `, copyIndex())]', 'resourceGroup': 'other',
				'properties': {'template': {` + groupSchema + `, 'variables': {'v': 'inner'}, 'resources': [{'type': 'T.S/a', 'apiVersion': '1', 'name': '[format(` + "`{0}{1}`, variables(`v`), copyIndex(`l`)" + `)]', 'tags': {'g': '[resourceGroup().name]'}}]}}}}}`,
			expand.Options{Context: inGroup},
			[]string{
				`m[0]/ /subscriptions/sub-1/resourceGroups/other/providers/T.S/a/outer0 {"tags":{"g":"rg-1"}}`,
				`m[1]/ /subscriptions/sub-1/resourceGroups/other/providers/T.S/a/outer1 {"tags":{"g":"rg-1"}}`,
			},
		},
		"a classic template": {
			`{'$schema': 'https://schema.management.azure.com/schemas/2018-05-01/subscriptionDeploymentTemplate.json#', 'contentVersion': '1.0.0.0', 'resources': [
				{'type': 'Microsoft.Resources/resourceGroups', 'apiVersion': '1', 'name': 'g', 'location': '[deployment().location]'},
				{'type': 'Microsoft.Resources/deployments', 'apiVersion': '1', 'name': 'm', 'resourceGroup': 'g', 'properties': {'expressionEvaluationOptions': {'scope': 'inner'}, 'template': {` + groupSchema + `, 'resources': [{'type': 'T.S/a', 'apiVersion': '1', 'name': 'x', 'resources': [{'type': 'b', 'apiVersion': '1', 'name': 'y'}]}], 'outputs': {'o': {'type': 'string', 'value': 'v'}}}},
					'dependsOn': ['[subscriptionResourceId(` + "`Microsoft.Resources/resourceGroups`, `g`" + `)]']}],
				'outputs': {'o': {'type': 'string', 'value': '[reference(extensionResourceId(format(` + "`/subscriptions/{0}/resourceGroups/{1}`, subscription().subscriptionId, `g`), `Microsoft.Resources/deployments`, `m`), `1`" + `).outputs.o.value]'}}}`,
			expand.Options{Context: expand.Context{SubscriptionID: "s", Location: "west"}},
			[]string{
				` /subscriptions/s/resourceGroups/g {"location":"west"}`,
				`Microsoft.Resources/deployments/m/ /subscriptions/s/resourceGroups/g/providers/T.S/a/x {} (scope )`,
				`Microsoft.Resources/deployments/m/ /subscriptions/s/resourceGroups/g/providers/T.S/a/x/b/y {} (parent )`,
				"output o v",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, strings.Join(c.want, "\n"), strings.Join(expandText(t, c.template, c.options), "\n"))
		})
	}
}

func TestSecretsAreKnownAndNotShown(t *testing.T) {
	t.Parallel()
	const canary = "CANARY-7731"
	template := `{` + groupSchema + `, 'definitions': {'login': {'type': 'object', 'properties': {'user': {'type': 'string'}, 'password': {'type': 'secureString'}}}},
		'parameters': {'pw': {'type': 'SecureString'}, 'login': {'$ref': '#/definitions/login'}, 'plain': {'type': 'string', 'defaultValue': '[parameters(` + "`pw`" + `)]'}},
		'variables': {'both': '[format(` + "`{0}:{1}`, `u`, parameters(`pw`)" + `)]', 'length': '[length(parameters(` + "`pw`" + `))]'},
		'resources': {'s': {'condition': '[not(empty(parameters(` + "`pw`" + `)))]', 'type': 'T.S/a', 'apiVersion': '1', 'name': 'a', 'properties': {
			'both': '[variables(` + "`both`" + `)]', 'length': '[variables(` + "`length`" + `)]', 'user': '[parameters(` + "`login`" + `).user]', 'nested': '[parameters(` + "`login`" + `).password]',
			'all': '[string(parameters(` + "`login`" + `))]', 'if': '[if(equals(parameters(` + "`pw`), `x`), `a`, `b`" + `)]', 'plain': '[parameters(` + "`plain`" + `)]'}}},
		'outputs': {'o': {'type': 'string', 'value': '[base64(parameters(` + "`pw`" + `))]'}, 'bad': {'type': 'object', 'value': '[createObject(` + "`k`, parameters(`pw`)" + `)]'}}}`
	login := armjson.NewObject(armjson.Member{Key: "user", Value: armjson.String("me")}, armjson.Member{Key: "password", Value: armjson.String(canary)})
	o := expand.Options{Context: inGroup, Parameters: map[string]expand.Parameter{"pw": {Value: armjson.String(canary)}, "login": {Value: login}}}
	lines := strings.Join(expandText(t, template, o), "\n")
	require.NotContains(t, lines, canary)
	require.Equal(t, `s /subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a {"properties":{"both":"[format('{0}:{1}', 'u', parameters('pw'))]","length":"[length(parameters('pw'))]",`+
		`"user":"me","nested":"[parameters('login').password]","all":"[string(createObject('user', 'me', 'password', parameters('login').password))]","if":"[if(equals(parameters('pw'), 'x'), 'a', 'b')]","plain":"[parameters('pw')]"}}`+"\n"+
		`output o [base64(parameters('pw'))]`+"\n"+`output bad {"k":"[parameters('pw')]"}`, lines)

	result, err := expand.Expand(parse(t, template), o)
	require.NoError(t, err)
	props, _ := result.Resources[0].Body.Get("properties")
	require.True(t, expand.IsKnown(props))
	require.True(t, expand.IsSecure(props))
	require.NotContains(t, armjson.Text(props), canary, "marks print as null")
	both, _ := expand.Plain(props).(*armjson.Object).Get("both")
	require.Equal(t, armjson.String("u:"+canary), both, "what is compared is the value")

	_, err = expand.Expand(parse(t, `{`+groupSchema+`, 'parameters': {'pw': {'type': 'securestring'}}, 'variables': {'v': '[fail(parameters(`+"`pw`"+`))]'}, 'resources': {}}`), o)
	require.EqualError(t, err, `variable "v": function fail fails on a secure value`)
}

func TestTheLengthOfASecretIsNotTold(t *testing.T) {
	t.Parallel()
	template := `{` + groupSchema + `, 'parameters': {'pw': {'type': 'securestring'}}, 'resources': {
		's': {'copy': {'name': 's', 'count': '[length(parameters(` + "`pw`" + `))]'}, 'type': 'T.S/a', 'apiVersion': '1', 'name': '[string(copyIndex())]'},
		'v': {'type': 'T.S/a', 'apiVersion': '1', 'name': 'v', 'properties': {'copy': [{'name': 'l', 'count': '[length(parameters(` + "`pw`" + `))]', 'input': '[copyIndex(` + "`l`" + `)]'}]}}}}`
	o := expand.Options{Context: inGroup, Parameters: map[string]expand.Parameter{"pw": {Value: armjson.String("seven77")}}}
	require.Equal(t, []string{
		`s[*] [format('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/{0}', string(copyIndex()))] {}`,
		`v /subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/v {"properties":{"l":"[map(range(0, length(parameters('pw'))), lambda('l', lambdaVariables('l')))]"}}`,
	}, expandText(t, template, o))
	result, err := expand.Expand(parse(t, template), o)
	require.NoError(t, err)
	l, _ := result.Resources[1].Body.Object("properties").Get("l")
	require.Equal(t, `[0,1,2,3,4,5,6]`, armjson.Text(expand.Plain(l)), "it is known, so that it can be compared")
}

func TestAllKeepsWhatConditionsLeaveOut(t *testing.T) {
	t.Parallel()
	template := `{` + groupSchema + `, 'resources': {
		'm': {'condition': '[equals(1, 2)]', 'type': 'Microsoft.Resources/deployments', 'apiVersion': '1', 'name': 'm', 'properties': {'expressionEvaluationOptions': {'scope': 'inner'},
			'template': {` + groupSchema + `, 'resources': {'x': {'type': 'T.S/a', 'apiVersion': '1', 'name': 'x'}}}}},
		'y': {'condition': false, 'type': 'T.S/a', 'apiVersion': '1', 'name': 'y'}}}`
	require.Empty(t, expandText(t, template, expand.Options{Context: inGroup}))
	require.Equal(t, []string{
		`m/x /subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/x if false {}`,
		`y /subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/y if false {}`,
	}, expandText(t, template, expand.Options{Context: inGroup, All: true}))
}

func TestErrorsAreToleratedIfAsked(t *testing.T) {
	t.Parallel()
	template := `{` + groupSchema + `, 'variables': {'v': '[fail(` + "`no`" + `)]'}, 'parameters': {'p': {'type': 'string', 'defaultValue': '[createObject().x]'}}, 'resources': {
		'a': {'type': 'T.S/a', 'apiVersion': '1', 'name': 'a', 'tags': {'v': '[variables(` + "`v`" + `)]', 'p': '[parameters(` + "`p`" + `)]', 'ok': 'yes', 'bad': '[int(` + "`x`" + `)]'}}}}`
	_, err := expand.Expand(parse(t, template), expand.Options{})
	require.Error(t, err)
	result, err := expand.Expand(parse(t, template), expand.Options{Context: inGroup, Tolerant: true})
	require.NoError(t, err)
	require.Equal(t, `a /subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a {"tags":{"v":"[variables('v')]","p":"[parameters('p')]","ok":"yes","bad":"[int('x')]"}}`, show(result.Resources[0]))
	require.Len(t, result.Diagnostics, 3)
	require.Contains(t, result.Diagnostics[0].String(), `variable "v": no`)
}

func TestReasons(t *testing.T) {
	t.Parallel()
	result, err := expand.Expand(parse(t, `{`+groupSchema+`, 'parameters': {'p': {'type': 'string'}, 'kv': {'type': 'secureString'}}, 'resources': {
		'a': {'type': 'T.S/a', 'apiVersion': '1', 'name': 'a'},
		'b': {'type': 'T.S/a', 'apiVersion': '1', 'name': 'b', 'location': '[resourceGroup().location]', 'properties': {'x': '[concat(parameters(`+"`p`), utcNow(), listKeys(`a`, `1`).k, reference(`a`).v, parameters(`kv`)"+`)]', 'r': '[reference(`+"`a`"+`).v]'}}}}`),
		expand.Options{Context: expand.Context{}})
	require.NoError(t, err)
	b := result.Resources[1]
	var got []string
	for _, c := range expand.Reasons(b.Body) {
		got = append(got, fmt.Sprint(c.Kind, " ", c.Call, " ", c.Option))
	}
	require.Equal(t, []string{
		"context resourceGroup().location location", "parameter parameters('p') ", "time utcNow() ",
		"list listKeys(resourceId('T.S/a', 'a'), '1').k ", "context resourceId('T.S/a', 'a') subscription-id", "runtime reference(resourceId('T.S/a', 'a'), '1').v ",
		"parameter parameters('kv') ",
	}, got)
	props, _ := b.Body.Get("properties")
	r, _ := props.(*armjson.Object).Get("r")
	from, function, path := expand.Read(r)
	require.Equal(t, "a", from.Symbol)
	require.Equal(t, "reference", function)
	require.Equal(t, []string{"v"}, path)
	x, _ := props.(*armjson.Object).Get("x")
	require.True(t, expand.IsSecure(x), "a key vault's parameter is secure")
	require.Equal(t, []*expand.Resource{result.Resources[0]}, expand.References(x))
}

func TestWhatCannotBeExpandedIsRefused(t *testing.T) {
	t.Parallel()
	deep := `{` + groupSchema + `, 'resources': {}}`
	for range 300 {
		deep = `{` + groupSchema + `, 'resources': {'m': {'type': 'Microsoft.Resources/deployments', 'apiVersion': '1', 'name': 'm', 'properties': {'expressionEvaluationOptions': {'scope': 'inner'}, 'template': ` + deep + `}}}}`
	}
	loop := func(count, inner string) string {
		return `{` + groupSchema + `, 'parameters': {'n': {'type': 'int', 'defaultValue': 1000}}, 'resources': {'s': {'copy': {'name': 's', 'count': '` + count + `'}, ` + inner + `}}}`
	}
	leaf := `'type': 'T.S/a', 'apiVersion': '1', 'name': 'a'`
	explosion := `{` + groupSchema + `, 'parameters': {'p': {'type': 'string'}}, 'variables': {'v0': '[parameters(` + "`p`" + `)]'`
	for i := range 40 {
		explosion += fmt.Sprintf(", 'v%d': '[concat(variables(`v%[2]d`), variables(`v%[2]d`))]'", i+1, i)
	}
	explosion += `}, 'resources': {}}`
	for name, c := range map[string]struct{ template, want string }{
		"ten million copies":    {loop("[mul(10000, parameters(`n`))]", leaf), `resource "s": its loop makes 10000000 copies; the limit is 10000`},
		"loops within modules":  {loop("[mul(5, parameters(`n`))]", `'type': 'Microsoft.Resources/deployments', 'apiVersion': '1', 'name': 'm', 'properties': {'expressionEvaluationOptions': {'scope': 'inner'}, 'template': `+loop("[parameters(`n`)]", leaf)+`}`), `the template deploys more than 100000 resources`},
		"a negative count":      {loop("-1", leaf), `resource "s": the number of its copies is not valid`},
		"modules too deep":      {deep, "modules nest more than 200 levels deep"},
		"a variable of itself":  {`{` + groupSchema + `, 'variables': {'v': '[variables(` + "`v`" + `)]'}, 'resources': {}}`, `variable "v": the variable "v" refers to itself`},
		"a parameter of itself": {`{` + groupSchema + `, 'parameters': {'v': {'type': 'string', 'defaultValue': '[parameters(` + "`v`" + `)]'}}, 'resources': {}, 'outputs': {'o': {'type': 'string', 'value': '[parameters(` + "`v`" + `)]'}}}`, `parameter "v": its value refers to itself`},
		"a name of itself":      {`{` + groupSchema + `, 'imports': {'r': {'provider': 'Radius', 'version': '1'}}, 'resources': {'a': {'import': 'r', 'type': 'Applications.Core/x@1', 'properties': {'name': '[reference(` + "`a`" + `).name]'}}}}`, `resource "a": its name, scope or condition depends on itself`},
		"fail, in a variable":   {`{` + groupSchema + `, 'variables': {'v': '[fail(` + "`no`" + `)]'}, 'resources': {}}`, `variable "v": no`},
		"an output of itself":   {`{` + groupSchema + `, 'resources': {'m': {'type': 'Microsoft.Resources/deployments', 'apiVersion': '1', 'name': 'm', 'properties': {'expressionEvaluationOptions': {'scope': 'inner'}, 'parameters': {'p': {'value': '[reference(` + "`m`" + `).outputs.o.value]'}}, 'template': {` + groupSchema + `, 'parameters': {'p': {'type': 'string'}}, 'resources': {}, 'outputs': {'o': {'type': 'string', 'value': '[parameters(` + "`p`" + `)]'}}}}}}, 'outputs': {'x': {'type': 'string', 'value': '[reference(` + "`m`" + `).outputs.o.value]'}}}`, `refer`},
		"an unknown parameter":  {`{` + groupSchema + `, 'resources': {'a': {'type': 'T.S/a', 'apiVersion': '1', 'name': '[parameters(` + "`p`" + `)]'}}}`, `resource "a": the template has no parameter "p"`},
		"a value that explodes": {explosion, `the expression becomes too large`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := expand.Expand(parse(t, c.template), expand.Options{})
			require.ErrorContains(t, err, c.want)
		})
	}
}
