package expand_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
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
	return lines(result)
}

// lines writes the resources and the outputs, one on each line.
func lines(result *expand.Result) []string {
	var out []string
	for _, r := range result.Resources {
		out = append(out, show(r))
	}
	for _, x := range result.Outputs {
		out = append(out, "output "+x.Name+" "+expand.Text(x.Value))
	}
	return out
}

// TestExpand expands the templates of testdata/expand.txtar.
func TestExpand(t *testing.T) {
	t.Parallel()
	archive, err := txtar.ParseFile("testdata/expand.txtar")
	require.NoError(t, err)
	cases := map[string]map[string]string{}
	for _, f := range archive.Files {
		name, part, _ := strings.Cut(f.Name, "/")
		require.Contains(t, []string{"context.json", "template.json", "resources", "error"}, part)
		if cases[name] == nil {
			cases[name] = map[string]string{}
		}
		cases[name][part] = string(f.Data)
	}
	require.Greater(t, len(cases), 15)
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var o expand.Options
			if text, ok := c["context.json"]; ok {
				decoder := json.NewDecoder(strings.NewReader(text))
				decoder.DisallowUnknownFields()
				require.NoError(t, decoder.Decode(&o.Context))
			}
			template, err := armjson.Parse(c["template.json"], armjson.Options{})
			require.NoError(t, err)
			result, err := expand.Expand(template.(*armjson.Object), o)
			if want, fails := c["error"]; fails {
				require.ErrorContains(t, err, strings.TrimSpace(want))
				return
			}
			require.NoError(t, err)
			require.Equal(t, c["resources"], strings.Join(lines(result), "\n")+"\n")
		})
	}
}

func TestSecretsAreNotShown(t *testing.T) {
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
	require.Equal(t, `s /subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a if [not(empty(parameters('pw')))] {"properties":{"both":"[format('{0}:{1}', 'u', parameters('pw'))]","length":"[length(parameters('pw'))]",`+
		`"user":"me","nested":"[parameters('login').password]","all":"[string(createObject('user', 'me', 'password', parameters('login').password))]","if":"[if(equals(parameters('pw'), 'x'), 'a', 'b')]","plain":"[parameters('pw')]"}}`+"\n"+
		`output o [base64(parameters('pw'))]`+"\n"+`output bad {"k":"[parameters('pw')]"}`, lines)

	result, err := expand.Expand(parse(t, template), o)
	require.NoError(t, err)
	props, _ := result.Resources[0].Body.Get("properties")
	require.True(t, expand.IsSecure(props))
	require.NotContains(t, armjson.Text(props), canary, "marks print as null")

	_, err = expand.Expand(parse(t, `{`+groupSchema+`, 'parameters': {'pw': {'type': 'securestring'}}, 'variables': {'v': '[fail(parameters(`+"`pw`"+`))]'}, 'resources': {}}`), o)
	require.NoError(t, err, "no error depends on a secret")
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
}

// TestNothingIsDecidedByASecret: what is deployed is the same whatever a secret is, and so are errors.
func TestNothingIsDecidedByASecret(t *testing.T) {
	t.Parallel()
	resource := func(name, condition string) string {
		return `'` + name + `': {'condition': '[` + strings.ReplaceAll(condition, "C", "parameters(`config`)") + `]', 'type': 'T.S/a', 'apiVersion': '1', 'name': '` + name + `'}`
	}
	template := `{` + groupSchema + `, 'parameters': {'config': {'type': 'secureObject'}}, 'resources': {` + strings.Join([]string{
		resource("both", "and(contains(C, `off`), C.off)"),
		resource("either", "or(contains(C, `on`), C.off)"),
		resource("later", "and(contains(C, `off`), equals(reference(`x`).a, 1))"),
		resource("fails", "if(C.on, bool(`x`), C.off)"),
		resource("known", "and(C.on, false())"),
	}, ", ") + `}}`
	texts := map[string]bool{}
	for _, config := range []string{`{'on': true}`, `{'off': false}`, `{'on': 1, 'off': true}`, `{}`} {
		text := expandText(t, template, expand.Options{Context: inGroup, Parameters: map[string]expand.Parameter{"config": {Value: parse(t, config)}}})
		require.Len(t, text, 4)
		texts[strings.Join(text, "\n")] = true
	}
	require.Len(t, texts, 1)
}

func TestAllKeepsWhatConditionsLeaveOut(t *testing.T) {
	t.Parallel()
	template := `{` + groupSchema + `, 'resources': {
		'm': {'condition': '[equals(1, 2)]', 'type': 'Microsoft.Resources/deployments', 'apiVersion': '1', 'name': 'm', 'properties': {'expressionEvaluationOptions': {'scope': 'inner'},
			'template': {` + groupSchema + `, 'resources': {'x': {'type': 'T.S/a', 'apiVersion': '1', 'name': 'x'}}}}},
		'y': {'condition': false, 'type': 'T.S/a', 'apiVersion': '1', 'name': 'y'}}}`
	require.Empty(t, expandText(t, template, expand.Options{Context: inGroup}))
	require.Equal(t, []string{
		`m/x /subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/x if [equals(1, 2)] {}`,
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

// TestTooLargeIsRefused is about templates that are made; other errors are in testdata/expand.txtar.
func TestTooLargeIsRefused(t *testing.T) {
	t.Parallel()
	deep := `{` + groupSchema + `, 'resources': {}}`
	for range 300 {
		deep = `{` + groupSchema + `, 'resources': {'m': {'type': 'Microsoft.Resources/deployments', 'apiVersion': '1', 'name': 'm',
			'properties': {'expressionEvaluationOptions': {'scope': 'inner'}, 'template': ` + deep + `}}}}`
	}
	explosion := `{` + groupSchema + `, 'parameters': {'p': {'type': 'string'}}, 'variables': {'v0': '[parameters(` + "`p`" + `)]'`
	for i := range 40 {
		explosion += fmt.Sprintf(", 'v%d': '[concat(variables(`v%[2]d`), variables(`v%[2]d`))]'", i+1, i)
	}
	explosion += `}, 'resources': {}}`
	for name, c := range map[string]struct{ template, want string }{
		"modules too deep":      {deep, "modules nest more than 200 levels deep"},
		"a value that explodes": {explosion, `the expression becomes too large`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := expand.Expand(parse(t, c.template), expand.Options{})
			require.ErrorContains(t, err, c.want)
		})
	}
}
