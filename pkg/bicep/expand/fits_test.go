package expand_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/expand"
)

// A module's parameters and outputs have to fit their declarations, at any depth. The message names the part, and never
// the value. In the expected messages, @ stands for "the value".
func TestValuesFitTheirDeclarations(t *testing.T) {
	t.Parallel()
	const definitions = `
		'size': {'type': 'int', 'minValue': 2, 'maxValue': 4}, 'again': {'$ref': '#/definitions/size'}, 'maybe': {'$ref': '#/definitions/size', 'nullable': true},
		'a/b~c': {'type': 'bool'}, 'round': {'$ref': '#/definitions/round'},
		'tree': {'type': 'object', 'properties': {'name': {'type': 'string'}, 'children': {'type': 'array', 'items': {'$ref': '#/definitions/tree'}, 'nullable': true}}},
		'cat': {'type': 'object', 'properties': {'kind': {'type': 'string'}, 'lives': {'type': 'int'}}},
		'dog': {'type': 'object', 'properties': {'kind': {'type': 'string'}}, 'additionalProperties': false},
		'pet': {'type': 'object', 'discriminator': {'propertyName': 'kind', 'mapping': {'cat': {'$ref': '#/definitions/cat'}, 'dog': {'$ref': '#/definitions/dog'}}}}`
	for _, c := range []struct{ schema, value, want string }{
		{"'type': 'string'", "'x'", ""},
		{"'type': 'string'", "1", "@ is an integer; its type is string"},
		{"'type': 'String'", "true", "@ is a boolean; its type is string"},
		{"'type': 'int'", "7", ""},
		{"'type': 'int'", "1.5", "@ is a number with a fraction; its type is int"},
		{"'type': 'int'", "'7'", "@ is a string; its type is int"},
		{"'type': 'bool'", "false", ""},
		{"'type': 'bool'", "'false'", "@ is a string; its type is bool"},
		{"'type': 'array'", "[]", ""},
		{"'type': 'array'", "{}", "@ is an object; its type is array"},
		{"'type': 'object'", "{}", ""},
		{"'type': 'object'", "[]", "@ is an array; its type is object"},
		{"'type': 'another'", "[]", ""},

		{"'type': 'string', 'allowedValues': ['a', 'b']", "'b'", ""},
		{"'type': 'string', 'allowedValues': ['a', 'b']", "'c'", "@ is not one of the values that are allowed: [\"a\",\"b\"]"},
		{"'type': 'array', 'allowedValues': ['a', 'b']", "['b', 'a', 'b']", ""},
		{"'type': 'array', 'allowedValues': ['a', 'b']", "['a', 'c']", "@ is not one of the values that are allowed: [\"a\",\"b\"]"},
		{"'type': 'array', 'allowedValues': [['a', 'c']]", "['a', 'c']", ""},
		{"'type': 'string', 'allowedValues': ['a']", "'[utcNow()]'", ""},

		{"'type': 'string', 'minLength': 2, 'maxLength': 3", "'ab'", ""},
		{"'type': 'string', 'minLength': 2, 'maxLength': 3", "'abc'", ""},
		{"'type': 'string', 'minLength': 2, 'maxLength': 3", "'a'", "@ is not valid: its length is below 2"},
		{"'type': 'string', 'minLength': 2, 'maxLength': 3", "'abcd'", "@ is not valid: its length is above 3"},
		{"'type': 'string', 'maxLength': 2", "'😀'", ""},
		{"'type': 'string', 'maxLength': 1", "'😀'", "@ is not valid: its length is above 1"},
		{"'type': 'array', 'minLength': 1, 'maxLength': 2", "[1, 2]", ""},
		{"'type': 'array', 'minLength': 1, 'maxLength': 2", "[]", "@ is not valid: its length is below 1"},
		{"'type': 'array', 'minLength': 1, 'maxLength': 2", "[1, 2, 3]", "@ is not valid: its length is above 2"},
		{"'type': 'int', 'minValue': 2, 'maxValue': 4", "2", ""},
		{"'type': 'int', 'minValue': 2, 'maxValue': 4", "4", ""},
		{"'type': 'int', 'minValue': 2, 'maxValue': 4", "1", "@ is not valid: its number is below 2"},
		{"'type': 'int', 'minValue': 2, 'maxValue': 4", "5", "@ is not valid: its number is above 4"},
		{"'type': 'int', 'minLength': 9", "1", ""},
		{"'type': 'object', 'minLength': 9", "{}", ""},

		{"'$ref': '#/definitions/size'", "4", ""},
		{"'$ref': '#/definitions/size'", "5", "@ is not valid: its number is above 4"},
		{"'$ref': '#/definitions/again'", "5", "@ is not valid: its number is above 4"},
		{"'$ref': '#/definitions/again', 'maxValue': 3", "4", "@ is not valid: its number is above 3"},
		{"'$ref': '#/definitions/maybe'", "1", "@ is not valid: its number is below 2"},
		{"'$ref': '#/definitions/a~1b~0c'", "1", "@ is an integer; its type is bool"},
		{"'$ref': '#/definitions/none'", "1", ""},
		{"'$ref': '#/definitions/round'", "1", ""},

		{"'type': 'object', 'properties': {'a': {'type': 'int'}}", "{'a': 1, 'more': 2}", ""},
		{"'type': 'object', 'properties': {'a': {'type': 'int'}}", "{'A': 1}", ""},
		{"'type': 'object', 'properties': {'a': {'type': 'int'}}", "{'a': 'x'}", "@.a is a string; its type is int"},
		{"'type': 'object', 'properties': {'a': {'type': 'int'}}", "{'b': 1}", "@ has no property \"a\", which its type needs"},
		{"'type': 'object', 'properties': {'a': {'type': 'int'}}", "{'a': null}", "@ has no property \"a\", which its type needs"},
		{"'type': 'object', 'properties': {'a': {'type': 'int', 'nullable': true}}", "{}", ""},
		{"'type': 'object', 'properties': {'a': {'type': 'int', 'nullable': true}}", "{'a': null}", ""},
		{"'type': 'object', 'properties': {'a': {'$ref': '#/definitions/maybe'}}", "{'a': null}", ""},
		{"'type': 'object', 'properties': {'a': {'$ref': '#/definitions/maybe'}}", "{'a': 9}", "@.a is not valid: its number is above 4"},
		{"'type': 'object', 'properties': {'a': {'type': 'int'}}", "'[createObject(utcNow(), 1)]'", ""},
		{"'type': 'object', 'properties': {'a': {'type': 'int'}}, 'additionalProperties': false", "{'a': 1}", ""},
		{"'type': 'object', 'properties': {'a': {'type': 'int'}}, 'additionalProperties': false", "{'a': 1, 'b': 2}", "@ has a property \"b\", which its type does not have"},
		{"'type': 'object', 'additionalProperties': false", "{'b': 2}", "@ has a property \"b\", which its type does not have"},
		{"'type': 'object', 'additionalProperties': {'type': 'int'}", "{'b': 2}", ""},
		{"'type': 'object', 'additionalProperties': {'type': 'int'}", "{'b': 'x'}", "@.b is a string; its type is int"},
		{"'type': 'object', 'additionalProperties': {'type': 'int'}", "{'b': null}", "@.b is null, which its type does not allow"},
		{"'type': 'object', 'properties': {'a': {'type': 'string'}}, 'additionalProperties': {'type': 'int'}", "{'a': 'x', 'b': 'y'}", "@.b is a string; its type is int"},
		{"'type': 'object', 'properties': {'a': {'type': 'string'}}, 'additionalProperties': true", "{'a': 'x', 'b': 'y'}", ""},

		{"'$ref': '#/definitions/tree'", "{'name': 'a', 'children': [{'name': 'b'}, {'name': 'c', 'children': [{'name': 'd'}]}]}", ""},
		{"'$ref': '#/definitions/tree'", "{'name': 'a', 'children': [{'name': 'b'}, {'name': 'c', 'children': [{'name': 1}]}]}", "@.children[1].children[0].name is an integer; its type is string"},

		{"'$ref': '#/definitions/pet'", "{'kind': 'cat', 'lives': 9}", ""},
		{"'$ref': '#/definitions/pet'", "{'kind': 'cat', 'lives': 'nine'}", "@.lives is a string; its type is int"},
		{"'$ref': '#/definitions/pet'", "{'kind': 'dog'}", ""},
		{"'$ref': '#/definitions/pet'", "{'kind': 'dog', 'lives': 9}", "@ has a property \"lives\", which its type does not have"},
		{"'$ref': '#/definitions/pet'", "{'kind': 'cow'}", "the property \"kind\" of @ names none of its kinds"},
		{"'$ref': '#/definitions/pet'", "{'lives': 9}", "@ has no property \"kind\", which says of which kind it is"},
		{"'$ref': '#/definitions/pet'", "{'kind': '[utcNow()]'}", ""},
		{"'$ref': '#/definitions/pet'", "'[createObject(utcNow(), 1)]'", ""},

		{"'type': 'array', 'items': {'type': 'int'}", "[1, 2]", ""},
		{"'type': 'array', 'items': {'type': 'int'}", "[1, 'x']", "@[1] is a string; its type is int"},
		{"'type': 'array', 'items': {'type': 'int'}", "[null]", "@[0] is null, which its type does not allow"},
		{"'type': 'array', 'items': {'type': 'int', 'nullable': true}", "[null]", ""},
		{"'type': 'array', 'prefixItems': [{'type': 'int'}, {'type': 'bool'}], 'items': false", "[1, true]", ""},
		{"'type': 'array', 'prefixItems': [{'type': 'int'}, {'type': 'bool'}], 'items': false", "[1, 2]", "@[1] is an integer; its type is bool"},
		{"'type': 'array', 'prefixItems': [{'type': 'int'}], 'items': false", "[1, 2]", "@ has the length 2; its type has 1"},
		{"'type': 'array', 'prefixItems': [{'type': 'int'}], 'items': {'type': 'string'}", "[1, 'x', 2]", "@[2] is an integer; its type is string"},
		{"'type': 'array', 'prefixItems': [{'type': 'int'}]", "[1, 'x']", ""},

		// What is secret in an object is not shown.
		{"'type': 'object', 'properties': {'a': {'type': 'int'}}, 'additionalProperties': false", "'[createObject(`a`, 1, `more`, parameters(`pw`))]'", "@ has a property \"more\", which its type does not have"},
		{"'type': 'string', 'maxLength': 3", "'[parameters(`pw`)]'", ""},
		{"'type': 'array', 'items': {'type': 'string', 'allowedValues': ['x']}", "['[parameters(`pw`)]']", ""},
	} {
		given := "'type': 'Microsoft.Resources/deployments', 'apiVersion': '1', 'name': 'm', 'properties': {'expressionEvaluationOptions': {'scope': 'inner'}, 'parameters': {'pw': {'value': '[parameters(`pw`)]'}, 'p': {'value': VALUE}}, " +
			"'template': {" + groupSchema + ", 'definitions': {" + definitions + "}, 'parameters': {'pw': {'type': 'securestring'}, 'p': {SCHEMA}}, 'resources': {}}}"
		made := "'type': 'Microsoft.Resources/deployments', 'apiVersion': '1', 'name': 'm', 'properties': {'expressionEvaluationOptions': {'scope': 'inner'}, 'parameters': {'pw': {'value': '[parameters(`pw`)]'}}, " +
			"'template': {" + groupSchema + ", 'definitions': {" + definitions + "}, 'parameters': {'pw': {'type': 'securestring'}}, 'resources': {}, 'outputs': {'p': {SCHEMA, 'value': VALUE}}}}"
		for of, body := range map[string]string{"parameter": given, "output": made} {
			body = strings.NewReplacer("SCHEMA", c.schema, "VALUE", c.value).Replace(body)
			template := parse(t, "{"+groupSchema+", 'parameters': {'pw': {'type': 'securestring'}}, 'resources': {'m': {"+body+"}}}")
			o := expand.Options{Context: inGroup, Parameters: map[string]expand.Parameter{"pw": {Value: parse(t, "{'v': 'hunter2'}").At(0).Value}}}
			_, err := expand.Expand(template, o)
			if c.want == "" {
				require.NoError(t, err, "%s: %s is %s", of, c.schema, c.value)
				continue
			}
			want := of + ` "p" of module m: ` + strings.ReplaceAll(c.want, "@", "the value")
			require.EqualError(t, err, want, "%s is %s", c.schema, c.value)
			o.Tolerant = true
			result, err := expand.Expand(template, o)
			require.NoError(t, err)
			require.Len(t, result.Diagnostics, 1)
			require.Equal(t, want, result.Diagnostics[0].Message)
		}
	}
}

// A parameter of a module that is given null has its default, or has to allow it; and each has to be declared.
func TestParametersOfModules(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ schema, given, want string }{
		{"'p': {'type': 'string'}", "'p': {'value': null}", `parameter "p" of module m: it is given null, and needs a value`},
		{"'p': {'type': 'string', 'nullable': true}", "'p': {'value': null}", `null`},
		{"'p': {'type': 'string', 'nullable': true}", "", `null`},
		{"'p': {'type': 'string', 'defaultValue': 'd'}", "'p': {'value': null}", `"d"`},
		{"'p': {'type': 'string', 'defaultValue': 'd'}", "", `"d"`},
		{"'p': {'type': 'string', 'defaultValue': 'd'}", "'Copy': [], 'p': {'value': 'g'}", `"g"`},
		{"'p': {'type': 'string', 'defaultValue': 'd'}, 'copy': {'type': 'string'}", "'copy': {'value': 1}", `parameter "copy" of module m: the value is an integer; its type is string`},
		{"'p': {'type': 'string', 'defaultValue': 'd'}", "'P': {'value': 'g'}", `"g"`},
		{"'p': {'type': 'string'}", "'p': '[createObject(`value`, `g`)]'", `"g"`},
		{"'p': {'type': 'string'}", "'p': '[if(true(), createObject(`Value`, `g`), null())]'", `"g"`},
		{"'p': {'type': 'string'}", "'p': '[createObject(`values`, `g`)]'", `parameter "p" of module m: parameter "p" has no value`},
		{"'p': {'type': 'string'}", "'p': {'reference': {'keyVault': {'id': '/v'}, 'secretName': 's'}}", `"[getSecret('/v', 's')]"`},
		{"'p': {'type': 'string'}", "'p': {'reference': {'keyVault': {'id': '/v'}, 'secretName': 's', 'secretVersion': '3'}}", `"[getSecret('/v', 's', '3')]"`},
		{"'p': {'type': 'string'}", "'p': '[if(equals(utcNow(), `x`), createObject(`value`, 1), createObject(`value`, 2))]'", `"[if(equals(utcNow(), 'x'), createObject('value', 1), createObject('value', 2)).value]"`},
		{"'p': {'type': 'string'}", "'q': {'value': 1}", `module "m": it is given a parameter "q", which its template does not declare`},
	} {
		body := "'type': 'Microsoft.Resources/deployments', 'apiVersion': '1', 'name': 'm', 'properties': {'expressionEvaluationOptions': {'scope': 'inner'}, 'parameters': {" + c.given + "}, " +
			"'template': {" + groupSchema + ", 'parameters': {" + c.schema + "}, 'resources': {'r': {'type': 'T.S/a', 'apiVersion': '1', 'name': 'a', 'tags': {'p': '[parameters(`p`)]'}}}}}"
		result, err := expand.Expand(parse(t, "{"+groupSchema+", 'resources': {'m': {"+body+"}}}"), expand.Options{Context: inGroup})
		if err != nil {
			require.Equal(t, c.want, err.Error(), c.given)
			continue
		}
		require.Equal(t, "m/r /subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a {\"tags\":{\"p\":"+c.want+"}}", show(result.Resources[0]), c.given)
	}
}
