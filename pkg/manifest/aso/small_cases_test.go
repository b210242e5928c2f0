package aso

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/manifest/objects"
)

// TestValues: what each type of the table makes of a value of the resource's properties, or what is said about it.
func TestValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ properties, want string }{
		{"'text': 7", `aso-value: "properties.text" of "a" is a number; Azure Service Operator takes a text`},
		{"'text': true", `aso-value: "properties.text" of "a" is a boolean; Azure Service Operator takes a text`},
		{"'text': []", `aso-value: "properties.text" of "a" is an array; Azure Service Operator takes a text`},
		{"'text': {}", `aso-value: "properties.text" of "a" is an object; Azure Service Operator takes a text`},
		{"'text': '[parameters(`pw`)]'", `aso-secret: "properties.text" of "a" is secure, and Azure Service Operator takes it in plain text only; use a value that is not secure: [parameters('pw')]`},
		{"'text': '[parameters(`plain`)]'", `value-not-known: "properties.text" of "a" is not known before the deployment: a parameter has no value; give it a value: [parameters('plain')]`},
		{"'text': '[utcNow()]'", `value-not-known: "properties.text" of "a" is not known before the deployment: it differs in each deployment; pass it as a parameter: [utcNow()]`},
		{"'count': 2", `{"count":2}`},
		{"'count': 4", `{"count":4}`},
		{"'count': 1", `aso-value: "properties.count" of "a" is 1; want at least 2`},
		{"'count': 5", `aso-value: "properties.count" of "a" is 5; want at most 4`},
		{"'count': 2.5", `aso-value: "properties.count" of "a" is a number; Azure Service Operator takes an integer`},
		{"'count': '3'", `aso-value: "properties.count" of "a" is a text; Azure Service Operator takes an integer`},
		{"'steps': 10", `{"steps":10}`},
		{"'steps': 0", `{"steps":0}`},
		{"'steps': -5", `{"steps":-5}`},
		{"'steps': 11", `aso-value: "properties.steps" of "a" is 11; want a multiple of 5`},
		{"'list': ['x']", `{"list":["x"]}`},
		{"'list': ['x', 'y']", `{"list":["x","y"]}`},
		{"'list': []", `aso-value: "properties.list" of "a" has the length 0; want at least 1 element`},
		{"'list': ['x', 'y', 'z']", `aso-value: "properties.list" of "a" has the length 3; want at most 2 elements`},
		{"'list': 'x'", `aso-value: "properties.list" of "a" is a text; Azure Service Operator takes an array`},
		{"'list': ['x', null]", `aso-value: "properties.list[1]" of "a" is null; remove the element`},
		{"'list': ['x', 3]", `aso-value: "properties.list[1]" of "a" is a number; Azure Service Operator takes a text`},
		{"'list': ['x', '[parameters(`pw`)]']", `aso-secret: "properties.list[1]" of "a" is secure, and Azure Service Operator takes it in plain text only; use a value that is not secure: [parameters('pw')]`},
		{"'ratio': 1.5", `{"ratio":1.5}`},
		{"'ratio': '1'", `aso-value: "properties.ratio" of "a" is a text; Azure Service Operator takes a number`},
		{"'on': false", `{"on":false}`},
		{"'on': 'true'", `aso-value: "properties.on" of "a" is a text; Azure Service Operator takes a boolean`},
		{"'any': {'a': [1, null, 'x']}", `{"any":{"a":[1,null,"x"]}}`},
		{"'any': {'a': [1, '[utcNow()]']}", `value-not-known: "properties.any" of "a" is not known before the deployment: it differs in each deployment; pass it as a parameter: [utcNow()]`},
		{"'any': {'a': [1, {'b': '[parameters(`pw`)]'}]}", `aso-secret: "properties.any" of "a" is secure, and Azure Service Operator takes it in plain text only; use a value that is not secure: [parameters('pw')]`},
		{"'mode': 'basic'", `{"mode":"Basic"}`},
		{"'mode': 'systemassigned, userassigned'", `{"mode":"SystemAssigned,UserAssigned"}`},
		{"'mode': 'Other'", `aso-value: "properties.mode" of "a" is "Other"; Thing of Azure Service Operator's v1 takes Basic, Premium or SystemAssigned,UserAssigned`},
		{"'mode': 1", `aso-value: "properties.mode" of "a" is a number; Azure Service Operator takes a text`},
		{"'level': 2", `{"level":2}`},
		{"'level': 4", `aso-value: "properties.level" of "a" is 4; Thing of Azure Service Operator's v1 takes 1, 2 or 3`},
		{"'level': '2'", `aso-value: "properties.level" of "a" is a text; Azure Service Operator takes an integer`},
		{"'part': '/subscriptions/s/resourceGroups/g/providers/A.B/c/d'", `{"partReference":{"armId":"/subscriptions/s/resourceGroups/g/providers/A.B/c/d"}}`},
		{"'part': 'abc'", `aso-reference: "properties.part" of "a" is "abc"; Azure Service Operator takes the ID of a resource: /subscriptions/…`},
		{"'part': 7", `aso-value: "properties.part" of "a" is a number; Azure Service Operator takes the ID of a resource`},
		{"'part': '[parameters(`pw`)]'", `aso-secret: "properties.part" of "a" is secure, and Azure Service Operator takes it in plain text only; use a value that is not secure: [parameters('pw')]`},
		{"'part': '[parameters(`plain`)]'", `value-not-known: "properties.part" of "a" is not known before the deployment: a parameter has no value; give it a value: [parameters('plain')]`},
		{"'password': '[parameters(`pw`)]'", `{"password":{"name":"main","key":"pw"}}`},
		{"'password': '[concat(parameters(`pw`), `x`)]'", `aso-secret: "properties.password" of "a" is computed from a secure value, and Azure Service Operator takes the value of a secret as it is; make the whole value a secure parameter: [concat(parameters('pw'), 'x')]`},
		{"'password': 'plain'", `aso-secret: "properties.password" of "a" is a secret for Azure Service Operator, and is written in the file as plain text; make it a parameter that is @secure()`},
		{"'password': 7", `aso-value: "properties.password" of "a" is a number; Azure Service Operator takes a secret`},
		{"'password': '[parameters(`plain`)]'", `value-not-known: "properties.password" of "a" is not known before the deployment: a parameter has no value; give it a value: [parameters('plain')]`},
		{"'password': '[parameters(`kv`)]'", `aso-secret: "properties.password" of "a" is the parameter "kv", whose value is in a key vault, which Azure Service Operator does not read; make a secret in the cluster, and give the parameter no value`},
		{"'passwords': '[parameters(`so`)]'", `{"passwords":{"name":"main-so"}}`},
		{"'passwords': {'a': 'b'}", `aso-secret: "properties.passwords" of "a" is a map of secrets for Azure Service Operator, which takes a whole secret; make it one parameter that is a @secure() object`},
		{"'passwords': '[parameters(`kv`)]'", `aso-secret: "properties.passwords" of "a" is the parameter "kv", whose value is in a key vault, which Azure Service Operator does not read; make a secret in the cluster, and give the parameter no value`},
		{"'passwords': '[parameters(`plain`)]'", `value-not-known: "properties.passwords" of "a" is not known before the deployment: a parameter has no value; give it a value: [parameters('plain')]`},
		{"'passwords': '[createObject(`a b`, parameters(`pw`))]'", `aso-secret: "properties.passwords" of "a" is a map of secrets for Azure Service Operator, which takes a whole secret; make it one parameter that is a @secure() object`},
		{"'passwords': '[createObject(`a`, parameters(`pw`))]'", `{"passwords":{"name":"main-abc-passwords"}}`},
		{"'identities': {'/subscriptions/s/resourceGroups/g/providers/A.B/c/d': {}, '/subscriptions/s/resourceGroups/g/providers/A.B/c/e': {}}", `{"identities":[{"reference":{"armId":"/subscriptions/s/resourceGroups/g/providers/A.B/c/d"}},{"reference":{"armId":"/subscriptions/s/resourceGroups/g/providers/A.B/c/e"}}]}`},
		{"'identities': {'x': {}}", `aso-reference: "properties.identities" of "a" is "x"; Azure Service Operator takes the ID of a resource: /subscriptions/…`},
		{"'identities': ['x']", `aso-value: "properties.identities" of "a" is an array; Azure Service Operator takes an object`},
		{"'inner': {'need': 'a', 'properties': {'deep': 'b'}, 'extra': 'c'}", `{"inner":{"need":"a","deep":"b","extra":"c"}}`},
		{"'inner': {'need': 'a', 'deep': 'b'}", `aso-property: Thing of Azure Service Operator's v1 has no place for the property "properties.inner.deep" of "a"; did you mean "need"?`},
		{"'inner': {}", `aso-property: "properties.inner" of "a" lacks the property "need", which Thing of Azure Service Operator's v1 requires; add it`},
		{"'inner': 'x'", `aso-value: "properties.inner" of "a" is a text; Azure Service Operator takes an object`},
		{"'inner': {'need': 'a', 'properties': 'x'}", `aso-value: "properties.inner.properties" of "a" is a text; Azure Service Operator takes an object`},
		{"'inner': {'need': 'a', 'extar': 'x', 'properties': {'depe': 'y'}}", `aso-property: Thing of Azure Service Operator's v1 has no place for the property "properties.inner.extar" of "a"; did you mean "extra"?
aso-property: Thing of Azure Service Operator's v1 has no place for the property "properties.inner.properties.depe" of "a"; did you mean "deep"?`},
		{"'shape': {'kind': 'round', 'radius': 3}", `{"shape":{"round":{"kind":"round","radius":3}}}`},
		{"'shape': {'kind': 'Square', 'side': 3}", `{"shape":{"square":{"kind":"Square","side":3}}}`},
		{"'shape': {'kind': 'Square'}", `aso-property: "properties.shape" of "a" lacks the property "side", which Thing of Azure Service Operator's v1 requires; add it`},
		{"'shape': {'kind': 'Oval'}", `aso-value: "properties.shape.kind" of "a" is "Oval"; Thing of Azure Service Operator's v1 takes Round or Square`},
		{"'shape': {'radius': 3}", `aso-property: "properties.shape" of "a" lacks the property "kind", which says what it is; want Round or Square`},
		{"'shape': {'kind': 3}", `aso-value: "properties.shape.kind" of "a" is a number; Azure Service Operator takes a text`},
		{"'shape': {'KIND': 'Round', 'radius': 'x'}", `aso-value: "properties.shape.radius" of "a" is a text; Azure Service Operator takes an integer`},
		{"'shape': 'x'", `aso-value: "properties.shape" of "a" is a text; Azure Service Operator takes an object`},
		{"'map': {'one': {'need': 'a'}, 'two': null, 'three': {}}", `aso-property: "properties.map.three" of "a" lacks the property "need", which Thing of Azure Service Operator's v1 requires; add it`},
		{"'map': []", `aso-value: "properties.map" of "a" is an array; Azure Service Operator takes an object`},
		{"'rows': [{'need': 'a'}, {'need': 'b', 'nope': 1}, null]", `aso-property: Thing of Azure Service Operator's v1 has no place for the property "properties.rows[1].nope" of "a"; remove it
aso-value: "properties.rows[2]" of "a" is null; remove the element`},
		{"'nope': 1", `aso-property: Thing of Azure Service Operator's v1 has no place for the property "properties.nope" of "a"; did you mean "mode"?`},
		{"'texxt': 'abc'", `aso-property: Thing of Azure Service Operator's v1 has no place for the property "properties.texxt" of "a"; did you mean "text"?`},
		{"'nope': null", `{}`},
		{"'properties': {'x': 1}", `aso-property: Thing of Azure Service Operator's v1 has no place for the property "properties.properties" of "a"; remove it`},
		{"'map': {'': {'need': 1}, '7': {'need': 2}, 'a.b': {'need': 3}}", `aso-value: "properties.map.\"\".need" of "a" is a number; Azure Service Operator takes a text
aso-value: "properties.map[7].need" of "a" is a number; Azure Service Operator takes a text
aso-value: "properties.map.a.b.need" of "a" is a number; Azure Service Operator takes a text`},
		{"'text': 'abc'", `{"text":"abc"}`},
		{"'text': 'abcde'", `{"text":"abcde"}`},
		{"'TEXT': 'abc'", `{"text":"abc"}`},
		{"'text': 'ab'", `aso-value: "properties.text" of "a" is "ab"; want at least 3 characters`},
		{"'text': 'abcdef'", `aso-value: "properties.text" of "a" is "abcdef"; want at most 5 characters`},
		{"'text': 'ABC'", `aso-value: "properties.text" of "a" is "ABC"; want a text that matches ^[a-z0-9]+$`},
		{"'text': 'ühü'", `aso-value: "properties.text" of "a" is "ühü"; want a text that matches ^[a-z0-9]+$`},
		{"'list': null", `{}`},
		{"'map': {'a': {'need': 'x'}, 'b': null}", `{"map":{"a":{"need":"x"}}}`},
		{"'password': '[newGuid()]'", `value-not-known: "properties.password" of "a" is not known before the deployment: it differs in each deployment; pass it as a parameter: [newGuid()]`},
		{"'password': null", `{}`},
		{"'password': '[reference(`x`).y]'", `value-not-known: "properties.password" of "a" is not known before the deployment: Azure returns it once a resource is deployed; use a value that is known before the deployment: [reference('x').y]`},
		{"'part': ''", `aso-reference: "properties.part" of "a" is ""; Azure Service Operator takes the ID of a resource: /subscriptions/…`},
		{"'part': '/subscriptions/s/resourceGroups/g/'", `aso-reference: "properties.part" of "a" is "/subscriptions/s/resourceGroups/g/"; Azure Service Operator takes the ID of a resource: /subscriptions/…`},
		{"'identities': null", `{}`},
		{"'any': null", `{}`},
		{"'any': []", `{"any":[]}`},
		{"'any': '[parameters(`so`)]'", `aso-secret: "properties.any" of "a" is secure, and Azure Service Operator takes it in plain text only; use a value that is not secure: [parameters('so')]`},
		{"'on': '[parameters(`plain`)]'", `value-not-known: "properties.on" of "a" is not known before the deployment: a parameter has no value; give it a value: [parameters('plain')]`},
		{"'list': '[parameters(`plain`)]'", `value-not-known: "properties.list" of "a" is not known before the deployment: a parameter has no value; give it a value: [parameters('plain')]`},
		{"'inner': '[parameters(`so`)]'", `aso-secret: "properties.inner" of "a" is secure, and Azure Service Operator takes it in plain text only; use a value that is not secure: [parameters('so')]`},
		{"'rows': [{'need': 'a', 'properties': {'deep': 'b', 'extra': 'c'}}]", `aso-property: Thing of Azure Service Operator's v1 has no place for the property "properties.rows[0].properties.extra" of "a"; remove it`},
		{"'rows': [{'NEED': 'a', 'Properties': {'DEEP': 'b'}}]", `{"rows":[{"need":"a","deep":"b"}]}`},
		{"'map': {'1a': {'need': 7}, '١': {'need': 7}}", `aso-value: "properties.map.1a.need" of "a" is a number; Azure Service Operator takes a text
aso-value: "properties.map.١.need" of "a" is a number; Azure Service Operator takes a text`},
		{"'shape': {'kind': 'Round', 'radius': 3, 'side': 4}", `aso-property: Thing of Azure Service Operator's v1 has no place for the property "properties.shape.side" of "a"; remove it`},
		{"'level': 0", `aso-value: "properties.level" of "a" is 0; Thing of Azure Service Operator's v1 takes 1, 2 or 3`},
		{"'ratio': '[parameters(`pw`)]'", `aso-secret: "properties.ratio" of "a" is secure, and Azure Service Operator takes it in plain text only; use a value that is not secure: [parameters('pw')]`},
		{"'mode': '[parameters(`plain`)]'", `value-not-known: "properties.mode" of "a" is not known before the deployment: a parameter has no value; give it a value: [parameters('plain')]`},
		{"'mode': '[parameters(`pw`)]'", `aso-secret: "properties.mode" of "a" is secure, and Azure Service Operator takes it in plain text only; use a value that is not secure: [parameters('pw')]`},
		{"'mode': 'SystemAssigned'", `aso-value: "properties.mode" of "a" is "SystemAssigned"; Thing of Azure Service Operator's v1 takes Basic, Premium or SystemAssigned,UserAssigned`},
		{"'count': 99999999999999999999", `aso-value: "properties.count" of "a" is a number; Azure Service Operator takes an integer`},
		{"'count': '[parameters(`pw`)]'", `aso-secret: "properties.count" of "a" is secure, and Azure Service Operator takes it in plain text only; use a value that is not secure: [parameters('pw')]`},
	} {
		assert.Equal(t, c.want, convertSmall(t, thing(c.properties), options{parameters: smallParameters, vault: "kv"}).spec(), c.properties)
	}
}

// TestPrograms: names, owners, versions, references, children, values and keys that the operator carries, secrets, and
// what is refused of them.
func TestPrograms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ resources, want string }{
		{"'a': {'type': '/things@1', 'name': 'a_c'}", `aso-value: the name "a_c" of "a" is not valid: want a text that matches ^[a-z0-9]+$`},
		{"'a': {'type': '/things@1', 'name': 'abc'}, 'p': {'type': '/things/parts@1', 'name': 'abc/one', 'properties': {'size': 's'}}", `Thing abc {"azureName":"abc","owner":{"armId":"GROUP"}}
ThingsPart abc-one {"azureName":"one","owner":{"name":"abc"},"size":"s"}`},
		{"'p': {'type': '/things/parts@1', 'name': 'abc/one'}", `ThingsPart one {"azureName":"one","owner":{"armId":"GROUP/providers/Acme.Things/things/abc"}}`},
		{"'p': {'type': '/things/parts@1', 'name': 'abc/on'}", `aso-value: the name "on" of "p" is not valid: want at least 3 characters`},
		{"'p': {'type': '/things/parts@1', 'name': 'one'}", `aso-resource: the name "one" of "p" does not fit the type Acme.Things/things/parts: it has a part for each part of the type but the first, separated by /`},
		{"'p': {'type': '/things/parts@1', 'name': 'abc/'}", `aso-resource: the name "abc/" of "p" does not fit the type Acme.Things/things/parts: it has a part for each part of the type but the first, separated by /`},
		{"'o': {'type': '/others@1', 'name': 'oth'}, 'p': {'type': '/others/parts@1', 'name': 'oth/one'}", `aso-resource: "p" belongs to acme.azure.com/Thing in Azure Service Operator, and its parent is not such an object; declare it at the top level`},
		{"'s': {'type': '/things/settings@1', 'name': 'abc/default'}", `ThingsSetting default {"owner":{"armId":"GROUP/providers/Acme.Things/things/abc"}}`},
		{"'s': {'type': '/things/settings@1', 'name': 'abc/Default'}", `ThingsSetting default {"owner":{"armId":"GROUP/providers/Acme.Things/things/abc"}}`},
		{"'s': {'type': '/things/settings@1', 'name': 'abc/other'}", `aso-resource: "s" is called "other", and Azure Service Operator calls every ThingsSetting "default"; change the name`},
		{"'f': {'type': '/free@1', 'name': 'free'}", `Free free {"azureName":"free"}`},
		{"'a': {'type': '/things@1', 'name': 'abc'}, 'g': {'type': '/grants@1', 'name': 'g', 'scope': '[resourceId(`Acme.Things/things`, `abc`)]', 'properties': {'principalId': '[reference(`a`, `2024-01-01`, `full`).identity.principalId]', 'role': '[resourceId(`Acme.Things/things`, `abc`)]'}}", `Grant abc-g {"azureName":"g","owner":{"group":"acme.azure.com","kind":"Thing","name":"abc"},"principalIdFromConfig":{"name":"abc","key":"principal"},"roleReference":{"group":"acme.azure.com","kind":"Thing","name":"abc"}}
Thing abc {"azureName":"abc","owner":{"armId":"GROUP"},"operatorSpec":{"configMaps":{"principal":{"name":"abc","key":"principal"}}}}`},
		{"'g': {'type': '/grants@1', 'name': 'g'}", `Grant g {"azureName":"g","owner":{"armId":"GROUP"}}`},
		{"'g': {'type': '/grants@1', 'name': 'g', 'scope': 'Acme.Things/things/x'}", `Grant g {"azureName":"g","owner":{"armId":"GROUP/providers/Acme.Things/things/x"}}`},
		{"'a': {'type': '/things', 'apiVersion': '2023-12-01', 'name': 'abc'}", `Thing abc {"azureName":"abc","owner":{"armId":"GROUP"}}
aso-version: the version 2023-12-01 of Acme.Things/things is not in Azure Service Operator 1.2.3; "a" calls Azure with 2024-01-01`},
		{"'a': {'type': '/things', 'apiVersion': '2024-03-01', 'name': 'abc'}", `Thing acme.azure.com/v2 abc {"azureName":"abc","owner":{"armId":"GROUP"}}
aso-version: the version 2024-03-01 of Acme.Things/things is not in Azure Service Operator 1.2.3; "a" calls Azure with 2024-06-01`},
		{"'a': {'type': '/things', 'apiVersion': '2025-03-01', 'name': 'abc'}", `Thing acme.azure.com/v2 abc {"azureName":"abc","owner":{"armId":"GROUP"}}
aso-version: the version 2025-03-01 of Acme.Things/things is not in Azure Service Operator 1.2.3; "a" calls Azure with 2024-06-01`},
		{"'a': {'type': '/things', 'apiVersion': '2024-01-01-preview', 'name': 'abc'}", `Thing abc {"azureName":"abc","owner":{"armId":"GROUP"}}
aso-version: the version 2024-01-01-preview of Acme.Things/things is not in Azure Service Operator 1.2.3; "a" calls Azure with 2024-01-01`},
		{"'a': {'type': 'acme.things/THINGS', 'apiVersion': '2023-01-01-preview', 'name': 'abc'}", `Thing acme.azure.com/v0 abc {"azureName":"abc","owner":{"armId":"GROUP"}}`},
		{"'a': {'type': '/news', 'apiVersion': '2024-03-01', 'name': 'abc'}", `aso-version: "a": of Acme.Things/news, Azure Service Operator 1.2.3 has previews only, and not 2024-03-01; use 2024-01-01-preview or 2024-02-01-preview`},
		{"'a': {'type': '/news', 'apiVersion': '2024-02-02-preview', 'name': 'abc'}", `aso-version: "a": of Acme.Things/news, Azure Service Operator 1.2.3 has previews only, and not 2024-02-02-preview; use 2024-01-01-preview or 2024-02-01-preview`},
		{"'a': {'type': '/news', 'apiVersion': '2023-12-01-preview', 'name': 'abc'}", `News acme.azure.com/v1p abc {"azureName":"abc","owner":{"armId":"GROUP"}}
aso-version: the version 2023-12-01-preview of Acme.Things/news is not in Azure Service Operator 1.2.3; "a" calls Azure with 2024-01-01-preview`},
		{"'a': {'type': '/news', 'apiVersion': '2024-02-01-preview', 'name': 'abc'}", `News acme.azure.com/v2p abc {"azureName":"abc","owner":{"armId":"GROUP"}}`},
		{"'a': {'type': '/unknown', 'apiVersion': '2024-03-01', 'name': 'abc'}", `aso-type: "a": Azure Service Operator 1.2.3 has no kind for the type Acme.Things/unknown; deploy this resource in another way`},
		{"'a': {'type': '/things', 'apiVersion': '2024-06-01', 'name': 'abc', 'properties': {'nope': 1, 'text': 'abc'}}", `aso-property: Thing of Azure Service Operator's v2 has no place for the property "properties.nope" of "a"; did you mean "mode"?`},
		{"'a': {'type': '/things', 'apiVersion': '2024-03-01', 'name': 'abc', 'properties': {'nope': 1}}", `aso-property: the property "properties.nope" of "a", which the file declares with version 2024-03-01, is not in Acme.Things/things of 2024-06-01, the version that Azure Service Operator 1.2.3 has; did you mean "mode"?
aso-version: the version 2024-03-01 of Acme.Things/things is not in Azure Service Operator 1.2.3; "a" calls Azure with 2024-06-01`},
		{"'a': {'type': 'Microsoft.Resources/deployments', 'apiVersion': '2024-03-01', 'name': 'abc', 'properties': {'mode': 'Incremental', 'templateLink': {'uri': 'x'}}}", `aso-type: "a" is a deployment whose template is not known here; make it a module`},
		{"'a': {'condition': '[equals(parameters(`plain`), `x`)]', 'type': '/things@1', 'name': 'abc'}", `value-not-known: the condition of "a" is not known before the deployment: a parameter has no value; give it a value: [equals(parameters('plain'), 'x')]`},
		{"'a': {'copy': {'name': 'a', 'count': '[length(parameters(`plain`))]'}, 'type': '/things@1', 'name': '[concat(`abc`, copyIndex())]'}", `value-not-known: how many resources the loop "a[*]" makes is not known before the deployment: a parameter has no value; give it a value: [length(parameters('plain'))]`},
		{"'a': {'type': '/things@1', 'name': '[parameters(`pw`)]'}", `aso-secret: the name of "a" is secure, and would be in the manifest; use another parameter`},
		{"'a': {'type': '/things@1', 'name': '[parameters(`plain`)]'}", `value-not-known: the name of "a" is not known before the deployment: a parameter has no value; give it a value: [parameters('plain')]`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'text': 'abc'}}, 'b': {'type': '/things@1', 'name': 'abc', 'properties': {'text': 'abd'}}", `aso-resource: Acme.Things/things abc is declared twice with different properties (the other is at ); a cluster has one object for it`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'text': 'abc'}}, 'b': {'type': '/things', 'apiVersion': '2024-06-01', 'name': 'ABC', 'properties': {'text': 'abc'}}", `aso-resource: Acme.Things/things ABC is declared twice with different versions (the other is at ); a cluster has one object for it`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'parts': [{'name': 'one', 'properties': {'size': 'x'}}, {'name': 'two'}]}}", `Thing abc {"azureName":"abc","owner":{"armId":"GROUP"}}
ThingsPart abc-one {"azureName":"one","owner":{"name":"abc"},"size":"x"}
ThingsPart abc-two {"azureName":"two","owner":{"name":"abc"}}`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'text': 'abc', 'parts': [{'name': 'one', 'properties': {'size': 3}}, {'name': '[parameters(`plain`)]'}, {'name': 'a/b'}]}}", `value-not-known: the name of properties.parts[1] of "a" is not known before the deployment: a parameter has no value; give it a value: [parameters('plain')]
aso-resource: "a/b" is not a name for properties.parts[2] of "a"
aso-value: "properties.size" of "Acme.Things/things/parts/abc/one" is a number; Azure Service Operator takes a text`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'parts': ['one']}}", `aso-property: Thing of Azure Service Operator's v1 has no place for the property "properties.parts" of "a"; did you mean "part"?`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'parts': [{'name': 'one'}, {'size': 'x'}]}}", `aso-property: Thing of Azure Service Operator's v1 has no place for the property "properties.parts" of "a"; did you mean "part"?`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'parts': []}}", `Thing abc {"azureName":"abc","owner":{"armId":"GROUP"}}`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'parts': [{'name': 'one'}]}}, 'b': {'type': '/things@1', 'name': 'abd', 'properties': {'part': '[reference(`a`).parts[0].id]'}}", `Thing abc {"azureName":"abc","owner":{"armId":"GROUP"}}
Thing abd {"azureName":"abd","owner":{"armId":"GROUP"},"partReference":{"group":"acme.azure.com","kind":"ThingsPart","name":"abc-one"}}
ThingsPart abc-one {"azureName":"one","owner":{"name":"abc"}}`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'parts': [{'name': 'one'}]}}, 'b': {'type': '/things@1', 'name': 'abd', 'properties': {'part': '[reference(`a`).parts[1].id]'}}", `value-not-known: "properties.part" of "b" is a value that Azure returns, and Azure Service Operator does not carry it there; apply the object of "a" first, and then give it by a parameter: [reference('GROUP/providers/Acme.Things/things/abc', '2024-01-01').parts[1].id]`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'parts': [{'name': 'one'}]}}, 'b': {'type': '/things@1', 'name': 'abd', 'properties': {'part': '[reference(`a`, `2024-01-01`, `full`).properties.parts[0].id]'}}", `Thing abc {"azureName":"abc","owner":{"armId":"GROUP"}}
Thing abd {"azureName":"abd","owner":{"armId":"GROUP"},"partReference":{"group":"acme.azure.com","kind":"ThingsPart","name":"abc-one"}}
ThingsPart abc-one {"azureName":"one","owner":{"name":"abc"}}`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'parts': [{'name': 'one'}]}}, 'b': {'type': '/things@1', 'name': 'abd', 'properties': {'part': '[resourceId(`Acme.Things/things/parts`, `abc`, `one`)]'}}", `Thing abc {"azureName":"abc","owner":{"armId":"GROUP"}}
Thing abd {"azureName":"abd","owner":{"armId":"GROUP"},"partReference":{"group":"acme.azure.com","kind":"ThingsPart","name":"abc-one"}}
ThingsPart abc-one {"azureName":"one","owner":{"name":"abc"}}`},
		{"'a': {'type': '/things@1', 'name': 'abc'}, 'b': {'type': '/things@1', 'name': 'abd', 'properties': {'part': '[reference(`a`).id]'}}", `Thing abc {"azureName":"abc","owner":{"armId":"GROUP"}}
Thing abd {"azureName":"abd","owner":{"armId":"GROUP"},"partReference":{"group":"acme.azure.com","kind":"Thing","name":"abc"}}`},
		{"'a': {'type': '/things@1', 'name': 'abc'}, 'b': {'type': '/things@1', 'name': 'abd', 'properties': {'identities': {'[resourceId(`Acme.Things/things`, `abc`)]': {}}}}", `Thing abc {"azureName":"abc","owner":{"armId":"GROUP"}}
Thing abd {"azureName":"abd","owner":{"armId":"GROUP"},"identities":[{"reference":{"group":"acme.azure.com","kind":"Thing","name":"abc"}}]}`},
		{"'a': {'type': '/things@1', 'name': 'abc'}, 'b': {'type': '/things@1', 'name': 'abd', 'properties': {'carried': '[reference(`a`).simple]'}}", `Thing abc {"azureName":"abc","owner":{"armId":"GROUP"},"operatorSpec":{"configMapExpressions":[{"name":"abc","key":"simple","value":"self.status.simple"}]}}
Thing abd {"azureName":"abd","owner":{"armId":"GROUP"},"carriedFromConfig":{"name":"abc","key":"simple"}}`},
		{"'a': {'type': '/things@1', 'name': 'abc'}, 'b': {'type': '/things@1', 'name': 'abd', 'properties': {'carried': '[reference(`a`).address.host]', 'plain': '[reference(`a`).other.host]'}}", `Thing abc {"azureName":"abc","owner":{"armId":"GROUP"},"operatorSpec":{"configMapExpressions":[{"name":"abc","key":"host","value":"self.status.address.host"},{"name":"abc","key":"other.host","value":"self.status.other.host"}]}}
Thing abd {"azureName":"abd","owner":{"armId":"GROUP"},"carriedFromConfig":{"name":"abc","key":"host"},"plainFromConfig":{"name":"abc","key":"other.host"}}`},
		{"'a': {'type': '/things@1', 'name': 'abc'}, 'b': {'type': '/things@1', 'name': 'abd', 'properties': {'carried': '[reference(`a`).Other.HOST]', 'plain': '[reference(`a`, `2024-01-01`, `full`).properties.address.host]'}}", `Thing abc {"azureName":"abc","owner":{"armId":"GROUP"},"operatorSpec":{"configMapExpressions":[{"name":"abc","key":"address.host","value":"self.status.address.host"},{"name":"abc","key":"host","value":"self.status.other.host"}]}}
Thing abd {"azureName":"abd","owner":{"armId":"GROUP"},"carriedFromConfig":{"name":"abc","key":"host"},"plainFromConfig":{"name":"abc","key":"address.host"}}`},
		{"'a': {'type': '/things@1', 'name': 'abc'}, 'b': {'type': '/things@1', 'name': 'abd', 'properties': {'carried': '[reference(`a`).nope.x]'}}", `aso-reference: "properties.carried" of "b" is the value nope.x of "a", which Thing does not report; give the value by a parameter`},
		{"'a': {'type': '/things@1', 'name': 'abc'}, 'b': {'type': '/things@1', 'name': 'abd', 'properties': {'carried': '[concat(reference(`a`).simple, `x`)]', 'text': '[reference(`a`).simple]'}}", `value-not-known: "properties.text" of "b" is a value that Azure returns, and Azure Service Operator does not carry it there; apply the object of "a" first, and then give it by a parameter: [reference('GROUP/providers/Acme.Things/things/abc', '2024-01-01').simple]`},
		{"'a': {'existing': true, 'type': '/things@1', 'name': 'abc'}, 'b': {'type': '/things@1', 'name': 'abd', 'properties': {'carried': '[reference(`a`).simple]'}}", "aso-reference: \"properties.carried\" of \"b\" is a value of a, which is `existing`, and Azure Service Operator reads values of its own objects only; give the value by a parameter, or declare the resource without `existing`"},
		{"'a': {'type': '/things@1', 'name': 'abc'}, 'b': {'type': '/things@1', 'name': 'abd', 'properties': {'password': '[listKeys(`a`, `2024-01-01`).connection]'}}", `Thing abc {"azureName":"abc","owner":{"armId":"GROUP"},"operatorSpec":{"secrets":{"connection":{"name":"abc","key":"connection"}}}}
Thing abd {"azureName":"abd","owner":{"armId":"GROUP"},"password":{"name":"abc","key":"connection"}}`},
		{"'a': {'type': '/things@1', 'name': 'abc'}, 'b': {'type': '/things@1', 'name': 'abd', 'properties': {'password': '[listKeys(`a`, `2024-01-01`).keys[1].value]'}}", `Thing abc {"azureName":"abc","owner":{"armId":"GROUP"},"operatorSpec":{"secrets":{"key2":{"name":"abc","key":"key2"}}}}
Thing abd {"azureName":"abd","owner":{"armId":"GROUP"},"password":{"name":"abc","key":"key2"}}`},
		{"'a': {'type': '/things@1', 'name': 'abc'}, 'b': {'type': '/things@1', 'name': 'abd', 'properties': {'password': '[listKeys(`a`, `2024-01-01`).keys[2].value]'}}", `Thing abc {"azureName":"abc","owner":{"armId":"GROUP"}}
Thing abd {"azureName":"abd","owner":{"armId":"GROUP"},"password":{"name":"main","key":"abc.key3"}}
# Make these secrets in the namespace of the objects; they hold the values of secure parameters, and keys that Azure issues and the operator does not write:
#   main, with the keys abc.key3
aso-secret: "properties.password" of "b" is key3 of "a", which Azure Service Operator does not write into a secret; put it into the key abc.key3 of the secret main`},
		{"'a': {'type': '/things@1', 'name': 'abc'}, 'b': {'type': '/things@1', 'name': 'abd', 'properties': {'password': '[listAdminKeys(`a`, `2024-01-01`).key]'}}", `Thing abc {"azureName":"abc","owner":{"armId":"GROUP"},"operatorSpec":{"secrets":{"adminkey":{"name":"abc","key":"adminkey"}}}}
Thing abd {"azureName":"abd","owner":{"armId":"GROUP"},"password":{"name":"abc","key":"adminkey"}}`},
		{"'a': {'type': '/things@1', 'name': 'abc'}, 'b': {'type': '/things@1', 'name': 'abd', 'properties': {'password': '[listKeys(`a`, `2024-01-01`).a.b]'}}", `aso-secret: "properties.password" of "b" needs a key that Azure issues, and Azure Service Operator does not write this value into a secret: [listKeys('GROUP/providers/Acme.Things/things/abc', '2024-01-01').a.b]; use a secure parameter`},
		{"'a': {'type': '/things@1', 'name': 'abc'}, 'b': {'type': '/things@1', 'name': 'abd', 'properties': {'text': '[listKeys(`a`, `2024-01-01`).connection]'}}", `value-not-known: "properties.text" of "b" is not known before the deployment: it is a key that Azure issues, and the property takes plain text; use a value that is known before the deployment: [listKeys('GROUP/providers/Acme.Things/things/abc', '2024-01-01').connection]`},
		{"'n': {'type': 'Microsoft.ServiceBus/namespaces', 'apiVersion': '2021-11-01', 'name': 'bus'}, 'b': {'type': '/things@1', 'name': 'abd', 'properties': {'password': '[listKeys(resourceId(`Microsoft.ServiceBus/namespaces/AuthorizationRules`, `bus`, `RootManageSharedAccessKey`), `2021-11-01`).primaryKey]'}}", `Thing abd {"azureName":"abd","owner":{"armId":"GROUP"},"password":{"name":"bus","key":"primaryKey"}}
Namespace servicebus.azure.com/v1 bus {"azureName":"bus","owner":{"armId":"GROUP"},"operatorSpec":{"secrets":{"primaryKey":{"name":"bus","key":"primaryKey"}}}}`},
		{"'n': {'type': 'Microsoft.ServiceBus/namespaces', 'apiVersion': '2021-11-01', 'name': 'bus'}, 'b': {'type': '/things@1', 'name': 'abd', 'properties': {'password': '[listKeys(resourceId(`Microsoft.ServiceBus/namespaces/AuthorizationRules`, `bus`, `Mine`), `2021-11-01`).primaryKey]'}}", `aso-secret: "properties.password" of "b" needs a key that Azure issues, and Azure Service Operator does not write this value into a secret: [listKeys('GROUP/providers/Microsoft.ServiceBus/namespaces/bus/AuthorizationRules/Mine', '2021-11-01').primaryKey]; use a secure parameter`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'location': 'here'}, 'b': {'type': '/things@1', 'name': 'abd', 'location': '[reference(`a`, `2024-01-01`, `full`).location]'}", `Thing abc {"azureName":"abc","owner":{"armId":"GROUP"},"location":"here"}
Thing abd {"azureName":"abd","owner":{"armId":"GROUP"},"location":"here"}`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'location': 'here'}, 'b': {'type': '/things@1', 'name': 'abd', 'location': '[reference(`a`).location]'}", `value-not-known: "location" of "b" is a value that Azure returns, and Azure Service Operator does not carry it there; apply the object of "a" first, and then give it by a parameter: [reference('GROUP/providers/Acme.Things/things/abc', '2024-01-01').location]`},
		{"'a': {'existing': true, 'type': '/things@1', 'name': 'abc'}, 'b': {'type': '/things@1', 'name': 'abd', 'location': '[reference(`a`, `2024-01-01`, `full`).location]'}", `value-not-known: "location" of "b" is a value that Azure returns, and Azure Service Operator does not carry it there; give it by a parameter: [reference('GROUP/providers/Acme.Things/things/abc', '2024-01-01', 'full').location]`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'password': '[parameters(`pw`)]', 'passwords': '[parameters(`so`)]'}}, 'b': {'type': '/things@1', 'name': 'abd', 'properties': {'password': '[parameters(`pw`)]'}}", `Thing abc {"azureName":"abc","owner":{"armId":"GROUP"},"password":{"name":"main","key":"pw"},"passwords":{"name":"main-so"}}
Thing abd {"azureName":"abd","owner":{"armId":"GROUP"},"password":{"name":"main","key":"pw"}}
# Make these secrets in the namespace of the objects; they hold the values of secure parameters:
#   main, with the keys pw
#   main-so, with a key for each value`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'location': 'x', 'tags': {'a': 'b', 'c': null}, 'sku': {'name': 'x'}}", `aso-property: Thing of Azure Service Operator's v1 has no place for the property "sku" of "a"; remove it`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'kind': 'x', 'properties': 'x'}", `aso-property: Thing of Azure Service Operator's v1 has no place for the property "kind" of "a"; remove it
aso-value: "properties" of "a" is a text; Azure Service Operator takes an object`},
		{"'a': {'type': '/things@1', 'name': 'a/b'}", `aso-resource: the name "a/b" of "a" does not fit the type Acme.Things/things: it has a part for each part of the type but the first, separated by /`},
		{"'a': {'type': '/things@1', 'name': 'ab'}", `aso-value: the name "ab" of "a" is not valid: want at least 3 characters`},
		{"'a': {'type': '/things@1', 'name': 'abcdef'}", `aso-value: the name "abcdef" of "a" is not valid: want at most 5 characters`},
		{"'a': {'type': '/others@1', 'name': 'X_y'}, 'b': {'type': '/others@1', 'name': 'x-y'}, 'c': {'type': '/free@1', 'name': 'x y'}", `Free x-y {"azureName":"x y"}
Other x-y {"azureName":"X_y","owner":{"armId":"GROUP"}}
Other x-y-d9808394 {"azureName":"x-y","owner":{"armId":"GROUP"}}`},
		{"'a': {'type': '/others@1', 'name': '___'}", `Other r-882a21d9 {"azureName":"___","owner":{"armId":"GROUP"}}`},
		{"'p': {'type': '/others/parts@1', 'name': 'x/y'}", `OthersPart y {"azureName":"y","owner":{"armId":"GROUP/providers/Acme.Things/others/x"}}`},
		{"'p': {'type': '/others/parts@1', 'name': 'oth/one'}", `OthersPart one {"azureName":"one","owner":{"armId":"GROUP/providers/Acme.Things/others/oth"}}`},
		{"'p': {'type': '/things/parts@1', 'name': 'abc/one'}, 'a': {'type': '/things@1', 'name': 'ABC'}", `aso-value: the name "ABC" of "a" is not valid: want a text that matches ^[a-z0-9]+$`},
		{"'g': {'type': '/grants@1', 'name': 'g', 'scope': '[parameters(`plain`)]'}", `value-not-known: what "g" belongs to is not known before the deployment: a parameter has no value; give it a value: [parameters('plain')]`},
		{"'g': {'type': '/grants@1', 'name': 'g', 'scope': '/x/y'}", `aso-reference: "g" belongs to "/x/y", which Azure Service Operator does not take for an owner`},
		{"'g': {'type': '/grants@1', 'name': 'g', 'properties': {'principalId': '[reference(`g`).principalId]'}}", `aso-reference: "properties.principalId" of "g" is the value principalId of "g", which Grant does not report; give the value by a parameter`},
		{"'a': {'copy': {'name': 'a', 'count': 2}, 'type': '/things@1', 'name': '[concat(`abc`, copyIndex())]'}", `Thing abc0 {"azureName":"abc0","owner":{"armId":"GROUP"}}
Thing abc1 {"azureName":"abc1","owner":{"armId":"GROUP"}}`},
		{"'a': {'copy': {'name': 'a', 'count': 2}, 'type': '/things@1', 'name': '[concat(`a_`, copyIndex())]'}", `aso-value: the name "a_0" of "a[0]" is not valid: want a text that matches ^[a-z0-9]+$
aso-value: the name "a_1" of "a[1]" is not valid: want a text that matches ^[a-z0-9]+$`},
		{"'a': {'existing': true, 'type': '/things@1', 'name': 'abc'}, 'p': {'type': '/things/parts@1', 'name': 'abc/one'}", `ThingsPart one {"azureName":"one","owner":{"armId":"GROUP/providers/Acme.Things/things/abc"}}`},
		{"'a': {'type': '/things@1', 'name': 'abc'}, 'b': {'type': '/others@1', 'name': 'abc'}, 'c': {'type': '/grants@1', 'name': 'g', 'properties': {'principalId': '[reference(`a`).simple]'}}, 'd': {'type': '/things@1', 'name': 'abd', 'properties': {'carried': '[reference(`a`).simple]', 'password': '[listKeys(`a`, `2024-01-01`).key1]'}}", `Grant g {"azureName":"g","owner":{"armId":"GROUP"},"principalIdFromConfig":{"name":"abc","key":"simple"}}
Other abc {"azureName":"abc","owner":{"armId":"GROUP"}}
Thing abc {"azureName":"abc","owner":{"armId":"GROUP"},"operatorSpec":{"configMapExpressions":[{"name":"abc","key":"simple","value":"self.status.simple"}],"secrets":{"key1":{"name":"abc","key":"key1"}}}}
Thing abd {"azureName":"abd","owner":{"armId":"GROUP"},"carriedFromConfig":{"name":"abc","key":"simple"},"password":{"name":"abc","key":"key1"}}`},
		{"'n': {'type': 'Microsoft.ServiceBus/namespaces', 'apiVersion': '2021-11-01', 'name': 'abc'}, 'a': {'type': '/things@1', 'name': 'abc'}, 'd': {'type': '/things@1', 'name': 'abd', 'properties': {'password': '[listKeys(`a`, `2024-01-01`).key1]', 'rows': []}}, 'e': {'type': '/things@1', 'name': 'abe', 'properties': {'password': '[listKeys(resourceId(`Microsoft.ServiceBus/namespaces/AuthorizationRules`, `abc`, `RootManageSharedAccessKey`), `2021-11-01`).primaryKey]'}}", `Thing abc {"azureName":"abc","owner":{"armId":"GROUP"},"operatorSpec":{"secrets":{"key1":{"name":"abc-acme-thing","key":"key1"}}}}
Thing abd {"azureName":"abd","owner":{"armId":"GROUP"},"password":{"name":"abc-acme-thing","key":"key1"},"rows":[]}
Thing abe {"azureName":"abe","owner":{"armId":"GROUP"},"password":{"name":"abc-servicebus-namespace","key":"primaryKey"}}
Namespace servicebus.azure.com/v1 abc {"azureName":"abc","owner":{"armId":"GROUP"},"operatorSpec":{"secrets":{"primaryKey":{"name":"abc-servicebus-namespace","key":"primaryKey"}}}}`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'password': '[parameters(`kv`)]'}}", `aso-secret: "properties.password" of "a" is the parameter "kv", whose value is in a key vault, which Azure Service Operator does not read; make a secret in the cluster, and give the parameter no value`},
		{"'a': {'type': '/things@1', 'name': 'main'}, 'd': {'type': '/things@1', 'name': 'abd', 'properties': {'password': '[listKeys(`a`, `2024-01-01`).key1]', 'passwords': '[parameters(`so`)]'}}", `Thing abd {"azureName":"abd","owner":{"armId":"GROUP"},"password":{"name":"main-acme-thing","key":"key1"},"passwords":{"name":"main-so"}}
Thing main {"azureName":"main","owner":{"armId":"GROUP"},"operatorSpec":{"secrets":{"key1":{"name":"main-acme-thing","key":"key1"}}}}
# Make these secrets in the namespace of the objects; they hold the values of secure parameters:
#   main-so, with a key for each value`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'passwords': {'command': '[parameters(`pw`)]', 'account': 'x'}}}", `Thing abc {"azureName":"abc","owner":{"armId":"GROUP"},"passwords":{"name":"main-abc-passwords"}}
# Make these secrets in the namespace of the objects; they hold the values of secure parameters:
#   main-abc-passwords, with the keys account, command: what "properties.passwords" of "a" has`},
		// Each place has a secret of its own, and none that the operator writes.
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'rows': [{'need': 'x', 'secrets': {'k': '[parameters(`pw`)]'}}, {'need': 'x', 'secrets': {'k': '[parameters(`pw`)]'}}]}}", `Thing abc {"azureName":"abc","owner":{"armId":"GROUP"},"rows":[{"need":"x","secrets":{"name":"main-abc-secrets"}},{"need":"x","secrets":{"name":"main-abc-secrets-2"}}]}
# Make these secrets in the namespace of the objects; they hold the values of secure parameters:
#   main-abc-secrets, with the keys k: what "properties.rows[0].secrets" of "a" has
#   main-abc-secrets-2, with the keys k: what "properties.rows[1].secrets" of "a" has`},
		{"'d': {'type': '/things@1', 'name': 'abd', 'properties': {'password': '[listKeys(`n`, `2021-11-01`).primaryKey]', 'passwords': '[parameters(`so`)]'}}, 'n': {'type': 'Microsoft.ServiceBus/namespaces', 'apiVersion': '2021-11-01', 'name': 'main-so'}", `Thing abd {"azureName":"abd","owner":{"armId":"GROUP"},"password":{"name":"main-so-servicebus-namespace","key":"primaryKey"},"passwords":{"name":"main-so"}}
Namespace servicebus.azure.com/v1 main-so {"azureName":"main-so","owner":{"armId":"GROUP"},"operatorSpec":{"secrets":{"primaryKey":{"name":"main-so-servicebus-namespace","key":"primaryKey"}}}}
# Make these secrets in the namespace of the objects; they hold the values of secure parameters:
#   main-so, with a key for each value`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'password': '[listKeys(`o`, `2024-01-01`).more]'}}, 'b': {'type': '/things@1', 'name': 'abd', 'properties': {'password': '[listKeys(`a`, `2024-01-01`).more]'}}, 'o': {'type': '/others@1', 'name': 'abc'}", `Other abc {"azureName":"abc","owner":{"armId":"GROUP"}}
Thing abc {"azureName":"abc","owner":{"armId":"GROUP"},"password":{"name":"main","key":"abc.more"}}
Thing abd {"azureName":"abd","owner":{"armId":"GROUP"},"password":{"name":"main","key":"abc-acme-thing.more"}}
# Make these secrets in the namespace of the objects; they hold the values of secure parameters, and keys that Azure issues and the operator does not write:
#   main, with the keys abc-acme-thing.more, abc.more
aso-secret: "properties.password" of "a" is more of "o", which Azure Service Operator does not write into a secret; put it into the key abc.more of the secret main
aso-secret: "properties.password" of "b" is more of "a", which Azure Service Operator does not write into a secret; put it into the key abc-acme-thing.more of the secret main`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'passwords': {'inner': {'command': '[parameters(`pw`)]'}}}}", `aso-secret: "properties.passwords" of "a" is a map of secrets for Azure Service Operator, which takes a whole secret; make it one parameter that is a @secure() object`},
		{"'d': {'type': '/things@1', 'name': 'abd', 'properties': {'password': '[listKeys(resourceId(`Acme.Things/things`, `other`), `2024-01-01`).key1]'}}", `aso-secret: "properties.password" of "d" needs a key that Azure issues, and Azure Service Operator does not write this value into a secret: [listKeys('GROUP/providers/Acme.Things/things/other', '2024-01-01').key1]; use a secure parameter`},
		{"'d': {'type': '/things@1', 'name': 'abd', 'properties': {'password': '[concat(listKeys(resourceId(`Acme.Things/things`, `other`), `2024-01-01`).key1, `x`)]'}}", `aso-secret: "properties.password" of "d" needs a key that Azure issues, and Azure Service Operator does not write this value into a secret: [concat(listKeys('GROUP/providers/Acme.Things/things/other', '2024-01-01').key1, 'x')]; use a secure parameter`},
		{"'d': {'type': '/things@1', 'name': 'abd', 'properties': {'carried': '[reference(resourceId(`Acme.Things/things`, `other`), `2024-01-01`).simple]'}}", `value-not-known: "properties.carried" of "d" is not known before the deployment: Azure returns it once a resource is deployed; use a value that is known before the deployment: [reference('GROUP/providers/Acme.Things/things/other', '2024-01-01').simple]`},
		{"'a': {'type': '/things@1', 'name': 'abc'}, 'd': {'type': '/things@1', 'name': 'abd', 'properties': {'part': '[reference(`a`).other.id]', 'text': '[reference(`a`, `2024-01-01`, `full`).name]'}}", `value-not-known: "properties.part" of "d" is a value that Azure returns, and Azure Service Operator does not carry it there; apply the object of "a" first, and then give it by a parameter: [reference('GROUP/providers/Acme.Things/things/abc', '2024-01-01').other.id]
value-not-known: "properties.text" of "d" is a value that Azure returns, and Azure Service Operator does not carry it there; apply the object of "a" first, and then give it by a parameter: [reference('GROUP/providers/Acme.Things/things/abc', '2024-01-01', 'full').name]`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'parts': [{'name': 'one'}]}}, 'd': {'type': '/things@1', 'name': 'abd', 'properties': {'part': '[reference(`a`).parts[0].name]'}}", `value-not-known: "properties.part" of "d" is a value that Azure returns, and Azure Service Operator does not carry it there; apply the object of "a" first, and then give it by a parameter: [reference('GROUP/providers/Acme.Things/things/abc', '2024-01-01').parts[0].name]`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'PARTS': [{'name': 'one', 'properties': {'size': 'x', 'nope': 1}}]}}", `aso-property: ThingsPart of Azure Service Operator's v1 has no place for the property "properties.nope" of "Acme.Things/things/PARTS/abc/one"; remove it`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'parts': [{'name': 'one'}, {'name': 'ONE'}]}}", `Thing abc {"azureName":"abc","owner":{"armId":"GROUP"}}
ThingsPart abc-one {"azureName":"one","owner":{"name":"abc"}}`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'parts': [{'name': 'one', 'properties': {'size': 'x'}}, {'name': 'one', 'properties': {'size': 'y'}}]}}", `aso-resource: Acme.Things/things/parts abc/one is declared twice with different properties (the other is at ); a cluster has one object for it`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'settings': [{'name': 'default', 'location': 'x'}], 'text': 'abc'}}", `aso-property: ThingsSetting of Azure Service Operator's v1 has no place for the property "location" of "Acme.Things/things/settings/abc/default"; remove it`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'settings': [{'name': 'other'}]}}", `aso-resource: "Acme.Things/things/settings/abc/other" is called "other", and Azure Service Operator calls every ThingsSetting "default"; change the name`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'location': 'here'}, 'd': {'type': '/things@1', 'name': 'abd', 'properties': {'text': '[reference(`a`, `2024-01-01`, `full`).name]'}}", `value-not-known: "properties.text" of "d" is a value that Azure returns, and Azure Service Operator does not carry it there; apply the object of "a" first, and then give it by a parameter: [reference('GROUP/providers/Acme.Things/things/abc', '2024-01-01', 'full').name]`},
		{"'a': {'type': '/things@1', 'name': 'abc'}, 'd': {'type': '/things@1', 'name': 'abd', 'properties': {'carried': '[listKeys(`a`, `2024-01-01`).key1]'}}", `value-not-known: "properties.carried" of "d" is not known before the deployment: it is a key that Azure issues, and the property takes plain text; use a value that is known before the deployment: [listKeys('GROUP/providers/Acme.Things/things/abc', '2024-01-01').key1]`},
		{"'a': {'type': '/things@1', 'name': 'abc'}, 'n': {'type': 'Microsoft.ServiceBus/namespaces', 'apiVersion': '2021-11-01', 'name': 'abc'}, 'd': {'type': '/things@1', 'name': 'abd', 'properties': {'carried': '[reference(`a`).simple]', 'plain': '[reference(`n`).host]'}}", `Thing abc {"azureName":"abc","owner":{"armId":"GROUP"},"operatorSpec":{"configMapExpressions":[{"name":"abc-acme-thing","key":"simple","value":"self.status.simple"}]}}
Thing abd {"azureName":"abd","owner":{"armId":"GROUP"},"carriedFromConfig":{"name":"abc-acme-thing","key":"simple"},"plainFromConfig":{"name":"abc-servicebus-namespace","key":"host"}}
Namespace servicebus.azure.com/v1 abc {"azureName":"abc","owner":{"armId":"GROUP"},"operatorSpec":{"configMapExpressions":[{"name":"abc-servicebus-namespace","key":"host","value":"self.status.host"}]}}`},
	} {
		assert.Equal(t, c.want, convertSmall(t, c.resources, options{parameters: smallParameters, vault: "kv"}).brief(), c.resources)
	}
}

// TestComposedValues: what texts and values of one resource are put together to is an expression in CEL, which the operator
// evaluates: into a secret for a secret, into a config map for a value with a reference to one.
func TestComposedValues(t *testing.T) {
	t.Parallel()
	key := "listKeys(`a`, `2024-01-01`).key1"
	for _, c := range []struct{ property, value, want string }{
		{"password", "concat(`a=`, `{x}`, " + key + ", `;`)", `"a={x}" + secret.key1 + ";"`},
		{"password", "format(`{{{0}}}-{1}:{2}`, reference(`a`).simple, " + key + ", 8080)", `"{" + self.status.simple + "}-" + secret.key1 + ":8080"`},
		{"password", "replace(toLower(reference(`a`).simple), `https://`, ``)", `self.status.simple.lowerAscii().replace("https://", "")`},
		{"password", "split(concat(`x/`, reference(`a`).simple), `/`)[1]", `("x/" + self.status.simple).split("/")[1]`},
		{"password", "concat(reference(`a`, `2024-01-01`, `full`).properties.simple, `ü\\\\`)", `self.status.simple + "ü\\"`},
		{"password", "concat(reference(`a`, `2024-01-01`, `full`).identity.principalId, `x`)", `self.status.identity.principalId + "x"`},
		{"password", "reference(`a`).simple", "self.status.simple"},
		{"carried", "concat(`https://`, reference(`a`).address.host, `/`)", `"https://" + self.status.address.host + "/"`},
		{"carried", "concat(`x`, " + key + ")", ""},                                // a key is in no config map
		{"password", "concat(reference(`a`).simple, reference(`c`).simple)", ""},   // two resources
		{"password", "concat(" + key + ", parameters(`pw`))", ""},                  // the operator knows no parameter
		{"password", "concat(" + key + ", listKeys(`a`, `2024-01-01`).other)", ""}, // nor all keys
		{"password", "concat(reference(`a`).nothing, `x`)", ""},                    // nor all values
		{"password", "format(`{0:D2}`, reference(`a`).simple)", ""},                // nor all formats
		{"password", "base64(" + key + ")", ""},                                    // nor all functions
		{"password", "toLower(concat(`É`, reference(`a`).simple))", ""},            // nor the case of all letters
		{"password", "split(toUpper(reference(`a`).simple), `ß`)[0]", `self.status.simple.upperAscii().split("ß")[0]`},
		{"password", "split(reference(`a`).simple, ``)[0]", ""}, // which would be a letter
		{"password", "replace(reference(`a`).simple, ``, `x`)", ""},
		{"password", "concat(listKeys(resourceId(`Acme.Things/things`, `other`), `2024-01-01`).key1, `x`)", ""},
	} {
		m := convertSmall(t, "'a': {'type': '/things@1', 'name': 'abc'}, 'c': {'type': '/things@1', 'name': 'abe'}, 'b': {'type': '/things@1', 'name': 'abd', 'properties': {'"+
			c.property+"': '["+c.value+"]'}}", options{parameters: smallParameters})
		if c.want == "" {
			assert.Len(t, m.Problems, 1, c.value)
			continue
		}
		require.Empty(t, m.problems(), c.value)
		for _, o := range m.Objects {
			spec := armjson.Text(o.Root().Object("spec"))
			if o.Name == "abc" {
				assert.Contains(t, spec, `"value":`+armjson.Text(armjson.String(c.want))+`}]}`, c.value)
			} else if o.Name == "abd" {
				assert.Regexp(t, `"(password|carriedFromConfig)":{"name":"abc","key":"[a-zA-Z]+"}`, spec, c.value)
			}
		}
	}
}

// TestWhatCannotBeCarriedIsLeftOut, with what needs it, if that is asked for; a mistake is one in any case.
func TestWhatCannotBeCarriedIsLeftOut(t *testing.T) {
	t.Parallel()
	for property, left := range map[string]bool{
		"'text': '[reference(`a`).simple]'": true, "'text': '[listKeys(`a`, `2024-01-01`).key1]'": true,
		"'carried': '[reference(`a`).nothing]'": true, "'password': '[concat(listKeys(`a`, `2024-01-01`).other, `x`)]'": true,
		"'passwords': {'inner': {'x': '[parameters(`pw`)]'}}": true,
		"'text': 7": false, "'text': '[parameters(`plain`)]'": false,
		"'text': '[concat(reference(`a`).simple, parameters(`plain`))]'": false,
	} {
		m := convertSmall(t, "'a': {'type': '/things@1', 'name': 'abc'}, 'b': {'type': '/things@1', 'name': 'abd', 'properties': {"+property+
			"}}, 'c': {'type': '/things@1', 'name': 'abe', 'properties': {'part': '[resourceId(`Acme.Things/things`, `abd`)]'}}",
			options{parameters: smallParameters, options: map[string]string{objects.SkipUnsupported: "true"}})
		if !left {
			assert.Len(t, m.Problems, 1, property)
			continue
		}
		assert.Empty(t, m.problems(), property)
		assert.Len(t, m.Objects, 1, property)
		require.Len(t, m.LeftOut, 2, property)
		assert.Contains(t, m.LeftOut[0].String(), "Azure Service Operator", property)
		assert.Equal(t, `"c" is left out: it needs "b", which is left out`, m.LeftOut[1].String())
	}
}

// TestExistingIsNamed: --existing is named where the operator could carry a value of an existing resource, and nowhere else.
func TestExistingIsNamed(t *testing.T) {
	t.Parallel()
	for property, option := range map[string]string{"carried": Existing, "password": Existing, "text": ""} {
		for _, value := range []string{"[reference(`a`).simple]", "[concat(`x`, reference(`a`).simple)]"} {
			m := convertSmall(t, "'a': {'existing': true, 'type': '/things@1', 'name': 'abc'}, 'b': {'type': '/things@1', 'name': 'abd', 'properties': {'"+
				property+"': '"+value+"'}}", options{})
			require.Len(t, m.Problems, 1)
			assert.Equal(t, option, m.Problems[0].Option, m.problems())
		}
	}
}

// TestWhatNeedsWhatIsLeftOut is left out, too: it belongs to it or has its ID, or that of a part of it, in a text or for a name.
func TestWhatNeedsWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	id := "resourceId(`Acme.Things/unknown`, `abc`)"
	const thing = "'c': {'type': '/things@1', 'name': 'abe', 'properties': "
	for needs, isLeft := range map[string]bool{
		thing + "{'identities': {'[" + id + "]': {}}}}":                                                        true,
		thing + "{'part': '[concat(" + id + ", `/parts/one`)]'}}":                                              true,
		thing + "{'any': {'query': '[concat(`id == (`, toUpper(" + id + "), `)`)]'}}}":                         true,
		"'c': {'type': '/unknown/parts@1', 'name': 'abc/one'}":                                                 true,
		"'c': {'type': '/grants@1', 'name': 'g', 'scope': '[" + id + "]'}":                                     true,
		"'e': {'existing': true, 'type': '/unknown@1', 'name': 'abc'}, " + thing + "{'part': '[" + id + "]'}}": true,
		thing + "{'part': '[concat(" + id + ", `d`)]'}}":                                                       false,
		thing + "{'part': '[resourceId(`other`, `Acme.Things/unknown`, `abc`)]'}}":                             false,
	} {
		m := convertSmall(t, "'a': {'type': '/unknown@1', 'name': 'abc'}, "+needs,
			options{options: map[string]string{objects.SkipUnsupported: "true"}})
		assert.Empty(t, m.problems(), needs)
		assert.Equal(t, isLeft, len(m.LeftOut) == 2 && len(m.Objects) == 0, needs)
	}
}

// TestValuesOfTheEnvironment are written, and no comparison, message or name of a file shows them.
func TestValuesOfTheEnvironment(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ resources, want string }{
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'text': '[parameters(`e`)]'}}", `abc: "abc" {"azureName":"abc","owner":{"armId":"GROUP"},"text":"(secure)"}`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'text': '[concat(parameters(`e`), `-`)]'}}", `aso-value: "properties.text" of "a" is [concat(parameters('e'), '-')]; want a text that matches ^[a-z0-9]+$`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'list': '[parameters(`l`)]'}}", `abc: "abc" {"azureName":"abc","owner":{"armId":"GROUP"},"list":"(secure)"}`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'list': '[concat(parameters(`l`), createArray(`x`))]'}}", `aso-value: "properties.list" of "a" has another number of elements; want at most 2 elements`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'list': ['x', '[parameters(`e`)]']}}", `abc: "abc" {"azureName":"abc","owner":{"armId":"GROUP"},"list":["(secure)","(secure)"]}`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'count': '[parameters(`n`)]'}}", `abc: "abc" {"azureName":"abc","owner":{"armId":"GROUP"},"count":"(secure)"}`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'count': '[add(parameters(`n`), 7)]'}}", `aso-value: "properties.count" of "a" is [add(parameters('n'), 7)]; want at most 4`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'any': '[parameters(`o`)]'}}", `abc: "abc" {"azureName":"abc","owner":{"armId":"GROUP"},"any":"(secure)"}`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'any': {'a': '[parameters(`e`)]', 'b': 1}}}", `abc: "abc" {"azureName":"abc","owner":{"armId":"GROUP"},"any":{"a":"(secure)","b":1}}`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'inner': '[parameters(`o`)]'}}", `aso-property: Thing of Azure Service Operator's v1 has no place for the property "properties.inner.…" of "a"; remove it
aso-property: "properties.inner" of "a" lacks the property "need", which Thing of Azure Service Operator's v1 requires; add it`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'inner': {'need': '[parameters(`e`)]'}}}", `abc: "abc" {"azureName":"abc","owner":{"armId":"GROUP"},"inner":{"need":"(secure)"}}`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'map': '[parameters(`o`)]'}}", `aso-value: "properties.map.…" of "a" is a text; Azure Service Operator takes an object`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'map': '[createObject(parameters(`e`), createObject(`need`, 7))]'}}", `aso-value: "properties.map.….…" of "a" is a number; Azure Service Operator takes a text`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'map': '[createObject(parameters(`e`), createObject(`need`, `x`))]'}}", `abc: "abc" {"azureName":"abc","owner":{"armId":"GROUP"},"map":"(secure)"}`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'mode': '[parameters(`e`)]'}}", `aso-value: "properties.mode" of "a" is [parameters('e')]; Thing of Azure Service Operator's v1 takes Basic, Premium or SystemAssigned,UserAssigned`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'part': '[parameters(`e`)]'}}", `aso-reference: "properties.part" of "a" is [parameters('e')]; Azure Service Operator takes the ID of a resource: /subscriptions/…`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'part': '[concat(`/subscriptions/`, parameters(`e`))]'}}", `abc: "abc" {"azureName":"abc","owner":{"armId":"GROUP"},"partReference":"(secure)"}`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'identities': '[createObject(concat(`/subscriptions/`, parameters(`e`)), createObject())]'}}", `abc: "abc" {"azureName":"abc","owner":{"armId":"GROUP"},"identities":"(secure)"}`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'identities': '[createObject(parameters(`e`), createObject())]'}}", `aso-reference: "properties.identities" of "a" is …; Azure Service Operator takes the ID of a resource: /subscriptions/…`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'password': '[parameters(`e`)]'}}", `aso-secret: "properties.password" of "a" is a secret for Azure Service Operator, and is written in the file as plain text; make it a parameter that is @secure()`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'shape': {'kind': '[parameters(`e`)]'}}}", `aso-value: "properties.shape.kind" of "a" is [parameters('e')]; Thing of Azure Service Operator's v1 takes Round or Square`},
		{"'a': {'type': '/things@1', 'name': '[parameters(`e`)]'}", `a: "(secure)" {"azureName":"(secure)","owner":{"armId":"(secure)"}}`},
		{"'a': {'type': '/things@1', 'name': '[concat(parameters(`e`), `-`)]'}", `aso-value: the name "[concat(parameters('e'), '-')]" of "a" is not valid: want a text that matches ^[a-z0-9]+$`},
		{"'a': {'type': '/things@1', 'name': '[parameters(`e`)]', 'properties': {'parts': [{'name': 'one'}, {'name': '[parameters(`e`)]'}]}}", `a: "(secure)" {"azureName":"(secure)","owner":{"armId":"(secure)"}}
a-parts-1: "(secure)" {"azureName":"(secure)","owner":{"name":"(secure)"}}
a-parts-0: "(secure)" {"azureName":"(secure)","owner":{"name":"(secure)"}}`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'parts': [{'name': 'one'}, {'name': '[concat(parameters(`e`), `/`)]'}]}}", `aso-resource: "[concat(parameters('e'), '/')]" is not a name for properties.parts[1] of "a"`},
		{"'s': {'type': '/things/settings@1', 'name': '[concat(`abc/`, parameters(`e`))]'}", `aso-resource: "s" is called "[concat('abc/', parameters('e'))]", and Azure Service Operator calls every ThingsSetting "default"; change the name`},
		{"'p': {'type': '/things/parts@1', 'name': '[concat(parameters(`e`), `/one`)]'}", `p: "(secure)" {"azureName":"(secure)","owner":{"armId":"(secure)"}}`},
		{"'p': {'type': '/things/parts@1', 'name': '[concat(`abc/`, parameters(`e`), `/x`)]'}", `aso-resource: the name "[concat('abc/', parameters('e'), '/x')]" of "p" does not fit the type Acme.Things/things/parts: it has a part for each part of the type but the first, separated by /`},
		{"'a': {'type': '/things@1', 'name': '[parameters(`e`)]'}, 'b': {'type': '/things@1', 'name': 'abd', 'properties': {'part': '[resourceId(`Acme.Things/things`, parameters(`e`))]', 'carried': '[reference(`a`).simple]', 'password': '[listKeys(`a`, `2024-01-01`).key1]'}}", `abd: "(secure)" {"azureName":"(secure)","owner":{"armId":"(secure)"},"partReference":"(secure)","carriedFromConfig":{"name":"(secure)","key":"simple"},"password":"(secure)"}
a: "(secure)" {"azureName":"(secure)","owner":{"armId":"(secure)"},"operatorSpec":{"configMapExpressions":[{"name":"(secure)","key":"simple","value":"self.status.simple"}],"secrets":{"key1":{"name":"(secure)","key":"(secure)"}}}}`},
		{"'a': {'type': '/things@1', 'name': 'abc'}, 'b': {'type': '/things@1', 'name': 'abd', 'properties': {'carried': '[reference(`a`)[concat(`sim`, substring(parameters(`e`), 0, 0), `ple`)]]', 'password': '[listKeys(`a`, `2024-01-01`)[concat(`key`, parameters(`n`))]]'}}", `aso-secret: "properties.password" of "b" is … of "a", which Azure Service Operator does not write into a secret; use a secure parameter`},
		{"'a': {'type': '/things@1', 'name': 'abc'}, 'b': {'type': '/things@1', 'name': 'abd', 'properties': {'password': '[listKeys(`a`, `2024-01-01`)[concat(`key`, sub(parameters(`n`), 1))]]'}}", `abc: "abc" {"azureName":"abc","owner":{"armId":"GROUP"},"operatorSpec":"(secure)"}
abd: "abd" {"azureName":"abd","owner":{"armId":"GROUP"},"password":"(secure)"}`},
		{"'a': {'type': '/things@1', 'name': 'abc'}, 'b': {'type': '/things@1', 'name': 'abd', 'properties': {'carried': '[reference(`a`)[concat(`sim`, substring(parameters(`e`), 0, 0), `ple`)]]'}}", `abc: "abc" {"azureName":"abc","owner":{"armId":"GROUP"},"operatorSpec":"(secure)"}
abd: "abd" {"azureName":"abd","owner":{"armId":"GROUP"},"carriedFromConfig":"(secure)"}`},
		{"'a': {'type': '/things@1', 'name': 'abc'}, 'b': {'type': '/things@1', 'name': 'abd', 'properties': {'password': '[concat(parameters(`e`), listKeys(`a`, `2024-01-01`).key1)]'}}", `abc: "abc" {"azureName":"abc","owner":{"armId":"GROUP"},"operatorSpec":"(secure)"}
abd: "abd" {"azureName":"abd","owner":{"armId":"GROUP"},"password":"(secure)"}`},
		{"'a': {'type': '/things@1', 'name': 'abc'}, 'b': {'type': '/things@1', 'name': 'abd', 'properties': {'password': '[listKeys(`a`, `2024-01-01`)[concat(`x`, parameters(`e`))]]'}}", `aso-secret: "properties.password" of "b" is … of "a", which Azure Service Operator does not write into a secret; use a secure parameter`},
		{"'a': {'type': '/things@1', 'name': 'abc'}, 'b': {'type': '/things@1', 'name': 'abd', 'properties': {'carried': '[reference(`a`)[concat(`x`, parameters(`e`))]]'}}", `aso-reference: "properties.carried" of "b" is the value … of "a", which Thing does not report; give the value by a parameter`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'location': '[parameters(`e`)]'}, 'b': {'type': '/things@1', 'name': 'abd', 'location': '[reference(`a`, `2024-01-01`, `full`).location]'}", `abc: "abc" {"azureName":"abc","owner":{"armId":"GROUP"},"location":"(secure)"}
abd: "abd" {"azureName":"abd","owner":{"armId":"GROUP"},"location":"(secure)"}`},
		{"'a': {'type': '/things@1', 'name': '[parameters(`e`)]', 'properties': {'text': 'abc'}}, 'b': {'type': '/things@1', 'name': '[parameters(`e`)]', 'properties': {'text': 'abd'}}", `aso-resource: Acme.Things/things [parameters('e')] is declared twice with different properties (the other is at ); a cluster has one object for it`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': '[parameters(`o`)]'}", `aso-property: Thing of Azure Service Operator's v1 has no place for the property "properties.…" of "a"; remove it`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': '[createObject(`text`, `abc`, concat(`co`, substring(parameters(`e`), 0, 0), `unt`), 3)]'}", `abc: "abc" "(secure)"`},
		{"'g': {'type': '/grants@1', 'name': 'g', 'scope': '[concat(`/subscriptions/s/resourceGroups/`, parameters(`e`))]'}", `g: "g" {"azureName":"g","owner":{"armId":"(secure)"}}`},
		{"'a': {'type': '/things@1', 'name': '[parameters(`e`)]'}, 'g': {'type': '/grants@1', 'name': 'g', 'scope': '[resourceId(`Acme.Things/things`, parameters(`e`))]'}", `g: "(secure)" {"azureName":"g","owner":{"group":"acme.azure.com","kind":"Thing","name":"(secure)"}}
a: "(secure)" {"azureName":"(secure)","owner":{"armId":"(secure)"}}`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': '[createObject(concat(`tex`, substring(parameters(`near`), 5)), `x`)]'}", `aso-property: Thing of Azure Service Operator's v1 has no place for the property "properties.…" of "a"; remove it`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'location': 'here'}, 'b': {'type': '/things@1', 'name': 'abd', 'location': '[reference(`a`, `2024-01-01`, `full`).location]'}", `abc: "abc" {"azureName":"abc","owner":{"armId":"GROUP"},"location":"here"}
abd: "abd" {"azureName":"abd","owner":{"armId":"GROUP"},"location":"here"}`},
		{"'a': {'type': '/others@1', 'name': '[parameters(`e`)]'}, 'b': {'type': '/others@1', 'name': 'a'}", `a: "(secure)" {"azureName":"(secure)","owner":{"armId":"(secure)"}}
a-6a50dc85: "(secure)" {"azureName":"(secure)","owner":{"armId":"(secure)"}}`},
		{"'a': {'type': '/things@1', 'name': 'abc', 'properties': {'parts': [{'name': '[concat(parameters(`e`), `-`)]'}]}}", `aso-value: the name "…" of "Acme.Things/things/parts/…" is not valid: want a text that matches ^[a-z0-9]+$`},
	} {
		m := convertSmall(t, c.resources, options{parameters: hiddenParameters, values: hiddenValues})
		assert.Equal(t, c.want, m.masked(), c.resources)
		assert.NotContains(t, m.masked()+m.warnings(), "hid")
	}
}
