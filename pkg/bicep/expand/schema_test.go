package expand_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
)

// A value that is secure by its type is shown as the expression that leads to it; what is not clear
// counts as secure, and all else is shown.
func TestWhatTypesMakeSecure(t *testing.T) {
	t.Parallel()
	const definitions = `
		'secret': {'type': 'SecureString'},
		'one': {'$ref': '#/definitions/two'}, 'two': {'$REF': '#/definitions/Secret', 'nullable': true},
		'middle': {'$ref': '#/definitions/plain', 'type': 'securestring'}, 'outer': {'$ref': '#/definitions/middle'}, 'plain': {'type': 'string'},
		'round': {'$ref': '#/definitions/about'}, 'about': {'$ref': '#/definitions/round', 'properties': {'pw': {'type': 'securestring'}}},
		'empty': {'$ref': '#/definitions/empty'},
		'a/b': {'type': 'object', 'properties': {'pw': {'type': 'securestring'}}},
		'tree': {'type': 'object', 'properties': {'pw': {'type': 'securestring'}, 'name': {'type': 'string'}, 'children': {'type': 'array', 'items': {'$ref': '#/definitions/tree'}}}},
		'list': {'type': 'array', 'prefixItems': [{'type': 'string'}, {'type': 'securestring'}], 'items': {'type': 'object', 'additionalProperties': {'type': 'securestring'}}},
		'union': {'type': 'object', 'discriminator': {'propertyName': 'kind', 'mapping': {
			'open': {'type': 'object', 'properties': {'name': {'type': 'string'}}},
			'shut': {'type': 'object', 'properties': {'name': {'type': 'string'}, 'pw': {'type': 'securestring'}, 'inner': {'$ref': '#/definitions/union'}}},
			'again': {'$ref': '#/definitions/union'}}}},
		'wide': {'$ref': '#/definitions/union', 'properties': {'pw': {'type': 'securestring'}, 'inner': {'$ref': '#/definitions/wide'}}},
		'twice': {'type': 'object', 'properties': {'pw': {'type': 'string'}, 'PW': {'type': 'securestring'}}, 'Properties': {'q': {'type': 'securestring'}}}`
	for _, c := range []struct{ schema, value, want string }{
		{`'$ref': '#/definitions/one'`, `'CANARY'`, `"[parameters('p')]"`},
		{`'$ref': '#/definitions/outer'`, `'CANARY'`, `"[parameters('p')]"`},
		{`'$ref': '#/definitions/plain'`, `'shown'`, `"shown"`},
		{`'$ref': '#/definitions/round'`, `{'x': {'pw': 'CANARY'}}`, `"[parameters('p')]"`},
		{`'$ref': '#/definitions/empty'`, `'shown'`, `"shown"`},
		{`'$ref': '#/definitions/a~1b'`, `{'Pw': 'CANARY', 'q': 1}`, `{"Pw":"[parameters('p').Pw]","q":1}`},
		{`'$ref': '#/definitions/tree'`, `{'name': 'shown', 'pw': 'CANARY', 'children': [{'name': 'shown', 'children': [{'PW': 'CANARY'}]}]}`,
			`{"name":"shown","pw":"[parameters('p').pw]","children":[{"name":"shown","children":[{"PW":"[parameters('p').children[0].children[0].PW]"}]}]}`},
		{`'$ref': '#/definitions/list'`, `['shown', 'CANARY', {'a': 'CANARY'}, 1]`, `["shown","[parameters('p')[1]]",{"a":"[parameters('p')[2].a]"},1]`},
		{`'$ref': '#/definitions/union'`, `{'kind': 'open', 'name': 'shown'}`, `{"kind":"open","name":"shown"}`},
		{`'$ref': '#/definitions/union'`, `{'kind': 'shut', 'name': 'shown', 'pw': 'CANARY', 'inner': {'kind': 'open', 'name': 'shown'}}`,
			`{"kind":"shut","name":"shown","pw":"[parameters('p').pw]","inner":{"kind":"open","name":"shown"}}`},
		{`'$ref': '#/definitions/union'`, `{'kind': 'shut', 'inner': {'pw': 'CANARY'}}`, `{"kind":"shut","inner":"[parameters('p').inner]"}`},
		{`'$ref': '#/definitions/union'`, `{'kind': 'Shut', 'pw': 'CANARY'}`, `"[parameters('p')]"`},
		{`'$ref': '#/definitions/union'`, `{'kind': 'again', 'pw': 'CANARY'}`, `"[parameters('p')]"`},
		{`'$ref': '#/definitions/union'`, `{'pw': 'CANARY'}`, `"[parameters('p')]"`},
		{`'$ref': '#/definitions/wide'`, `{'kind': 'shut', 'pw': 'CANARY'}`, `"[parameters('p')]"`},
		{`'$ref': '#/definitions/twice'`, `{'pw': 'CANARY', 'q': 'CANARY', 'r': 'shown'}`, `{"pw":"[parameters('p').pw]","q":"[parameters('p').q]","r":"shown"}`},
		{`'type': 'string', 'TYPE': 'secureString'`, `'CANARY'`, `"[parameters('p')]"`},
	} {
		template := `{` + groupSchema + `, 'definitions': {` + definitions + `}, 'parameters': {'p': {` + c.schema + `, 'defaultValue': ` + c.value + `}},
			'resources': {'r': {'type': 'T.S/a', 'apiVersion': '1', 'name': 'a', 'tags': '[parameters(` + "`p`" + `)]'}}}`
		result, err := expand.Expand(parse(t, template), expand.Options{Context: inGroup})
		require.NoError(t, err)
		tags, _ := result.Resources[0].Body.Get("tags")
		require.Equal(t, c.want, armjson.Text(expand.Printable(tags)), "%s: %s", c.schema, c.value)
	}
}

// Each level of the value fits the schema of the object and that of its variant, so 2 to the
// power of 200 ways lead to the secret.
func TestWaysThroughTypesAreNotFollowedTwice(t *testing.T) {
	t.Parallel()
	template := `{` + groupSchema + `, 'definitions': {
		't': {'type': 'object', 'properties': {'n': {'$ref': '#/definitions/t'}, 'pw': {'type': 'securestring'}}, 'discriminator': {'propertyName': 'kind', 'mapping': {
			'a': {'type': 'object', 'properties': {'n': {'$ref': '#/definitions/t'}}}, 'b': {'type': 'object', 'properties': {'n': {'$ref': '#/definitions/t'}}}}}}},
		'parameters': {'p': {'$ref': '#/definitions/t', 'defaultValue': ` + strings.Repeat("{'kind': 'a', 'n': {'n': ", 100) + "{'pw': 'CANARY'}" + strings.Repeat("}}", 100) + `}},
		'resources': {'r': {'type': 'T.S/a', 'apiVersion': '1', 'name': 'a', 'tags': '[parameters(` + "`p`" + `)]'}}}`
	require.NotContains(t, strings.Join(expandText(t, template, expand.Options{Context: inGroup}), "\n"), "CANARY")
}

// The expression that stands for a secret deep inside a value is short.
func TestTheWayToASecretIsCut(t *testing.T) {
	t.Parallel()
	const depth = 1000
	template := `{` + groupSchema + `, 'definitions': {'t': {'type': 'object', 'properties': {'deeper': {'$ref': '#/definitions/t'}, 'pw': {'type': 'securestring'}}}},
		'parameters': {'p': {'$ref': '#/definitions/t', 'defaultValue': ` + strings.Repeat("{'deeper': ", depth) + "{'pw': 'CANARY'}" + strings.Repeat("}", depth) + `}},
		'resources': {'r': {'type': 'T.S/a', 'apiVersion': '1', 'name': 'a', 'tags': '[parameters(` + "`p`" + `)]'}}}`
	text := strings.Join(expandText(t, template, expand.Options{Context: inGroup}), "\n")
	require.NotContains(t, text, "CANARY")
	require.Contains(t, text, "[parameters('p').deeper.deeper")
	require.Less(t, strings.Count(text, ".deeper"), 100)
}
