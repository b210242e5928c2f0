package expand_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
)

// What one declaration can ask of another: a resource, a loop, a module. Official says how snapshots write it.
func TestWhatIsAskedOfOthers(t *testing.T) {
	t.Parallel()
	const declared = `'a': {'type': 'T.S/a', 'apiVersion': '1', 'name': 'a', 'properties': {'x': 1}},
		'l': {'copy': {'name': 'l', 'count': 2}, 'type': 'T.S/a', 'apiVersion': '1', 'name': '[format(¦l{0}¦, copyIndex())]'},
		'one': {'copy': {'name': 'one', 'count': 1}, 'type': 'T.S/a', 'apiVersion': '1', 'name': '[format(¦one{0}¦, copyIndex())]'},
		'u': {'copy': {'name': 'u', 'count': '[parameters(¦n¦)]'}, 'type': 'T.S/a', 'apiVersion': '1', 'name': '[format(¦u{0}¦, copyIndex())]'},
		'v': {'copy': {'name': 'v', 'count': '[parameters(¦n¦)]'}, 'type': 'T.S/a', 'apiVersion': '1', 'name': '[createArray(¦x¦)[copyIndex()]]'},
		'e': {'existing': true, 'type': 'T.S/a', 'apiVersion': '2', 'name': 'e'},
		'off': {'condition': false, 'type': 'T.S/a', 'apiVersion': '1', 'name': 'off'},
		'ml': {'copy': {'name': 'ml', 'count': 2}, 'type': 'Microsoft.Resources/deployments', 'apiVersion': '9', 'name': '[format(¦ml{0}¦, copyIndex())]',
			'properties': {'expressionEvaluationOptions': {'scope': 'inner'}, 'parameters': {'i': {'value': '[copyIndex()]'}}, 'template': {GROUP, 'parameters': {'i': {'type': 'int'}}, 'resources': {}, 'outputs': {'i': {'type': 'int', 'value': '[parameters(¦i¦)]'}}}}},
		'k': {'import': 'k', 'type': 'core/ConfigMap@v1', 'properties': {'metadata': {'name': 'cm', 'namespace': 'ns'}}},
		'k2': {'import': 'k', 'type': 'core/ConfigMap@v1', 'properties': {'metadata': {'name': '[utcNow()]', 'namespace': '[newGuid()]'}}},
		'r': {'import': 'r', 'type': 'Applications.Core/containers@1', 'properties': {'name': 'c'}},
		'w': {'import': 'w', 'type': 'AWS.S3/Bucket@default', 'properties': {'alias': 'bucket', 'name': 'n'}}, `
	const inner = "'parameters': {'pw': {'type': 'securestring', 'defaultValue': 'hunter2'}}, 'resources': {}, 'outputs': {'s': {'type': 'string', 'value': 'text'}, 'pw': {'type': 'secureString', 'value': '[parameters(¦pw¦)]'}, 'no': {'condition': false, 'type': 'string', 'value': 'x'}, 'yes': {'condition': true, 'type': 'string', 'value': 'y'}, 'loop': {'type': 'array', 'copy': {'count': 2, 'input': '[copyIndex()]'}}}"
	for _, c := range []struct{ expr, plan, official string }{
		{"reference('a').y", "[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a', '1').y]", "[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a', '1').y]"},
		{"reference('a', '1', 'full').location", "[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a', '1', 'full').location]", "[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a', '1', 'full').location]"},
		{"reference('A').y", "[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a', '1').y]", "[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a', '1').y]"},
		{"reference(resourceId('T.S/a', 'a'), '1').y", "[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a', '1').y]", "[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a', '1').y]"},
		{"reference('e').y", "[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/e', '2').y]", "[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/e', '2').y]"},
		{"reference('l[1]').y", "[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/l1', '1').y]", "[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/l1', '1').y]"},
		{"reference('l[2]').y", "[reference('l[2]').y]", "[reference('l[2]').y]"},
		{"reference('l[x]').y", "[reference('l[x]').y]", "[reference('l[x]').y]"},
		{"reference('a[0]').y", "[reference('a[0]').y]", "[reference('a[0]').y]"},
		{"reference('off').y", "[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/off', '1').y]", "[reference('off').y]"},
		{"references('l')", `["[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/l0', '1')]","[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/l1', '1')]"]`, `["[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/l0', '1')]","[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/l1', '1')]"]`},
		{"references('l', 'full')", `["[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/l0', '1', 'full')]","[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/l1', '1', 'full')]"]`, `["[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/l0', '1', 'full')]","[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/l1', '1', 'full')]"]`},
		{"references('a')", "[references('a')]", "[references('a')]"},
		{"references('none')", "[references('none')]", "[references('none')]"},
		{"references('u')", "[map(range(0, parameters('n')), lambda('i', reference(format('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/{0}', format('u{0}', lambdaVariables('i'))), '1')))]", "[references('u')]"},
		{"references('u', 'full')", "[map(range(0, parameters('n')), lambda('i', reference(format('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/{0}', format('u{0}', lambdaVariables('i'))), '1', 'full')))]", "[references('u', 'full')]"},
		{"reference(format('u[{0}]', parameters('n'))).y", "[reference(format('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/{0}', format('u{0}', parameters('n'))), '1').y]", "[reference(format('u[{0}]', parameters('n'))).y]"},
		{"reference(format('l[{0}]', parameters('n'))).y", "[reference(format('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/{0}', format('l{0}', parameters('n'))), '1').y]", "[reference(format('l[{0}]', parameters('n'))).y]"},
		{"reference(format('ml[{0}]', add(parameters('n'), 1))).outputs.i.value", "[add(parameters('n'), 1)]", "[reference(format('ml[{0}]', add(parameters('n'), 1))).outputs.i.value]"},
		{"map(createArray(parameters('n')), lambda('i', reference(format('ml[{0}]', lambdaVariables('i'))).outputs.i.value))", `["[parameters('n')]"]`, `["[reference(format('ml[{0}]', parameters('n'))).outputs.i.value]"]`},
		{"listKeys(format('u[{0}]', parameters('n')), '1').k", "[listKeys(format('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/{0}', format('u{0}', parameters('n'))), '1').k]", "[listKeys(format('u[{0}]', parameters('n')), '1').k]"},
		{"resourceInfo(format('u[{0}]', parameters('n'))).name", "[format('u{0}', parameters('n'))]", "[resourceInfo(format('u[{0}]', parameters('n'))).name]"},
		{"reference('u[1]').y", "[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/u1', '1').y]", "[reference('u[1]').y]"},
		{"reference('U[1]', '1', 'full').y", "[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/u1', '1', 'full').y]", "[reference('U[1]', '1', 'full').y]"},
		{"listKeys('u[1]', '1').k", "[listKeys('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/u1', '1').k]", "[listKeys('u[1]', '1').k]"},
		{"invokeResourceMethod('u[1]', 'm')", "[invokeResourceMethod('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/u1', 'm')]", "[invokeResourceMethod('u[1]', 'm')]"},
		{"resourceInfo('u[1]').name", "u1", "[resourceInfo('u[1]').name]"},
		{"reference('v[0]').y", "[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/x', '1').y]", "[reference('v[0]').y]"},
		{"reference('v[1]').y", "[reference(format('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/{0}', createArray('x')[copyIndex()]), '1').y]", "[reference('v[1]').y]"},
		{"reference('one').y", "[reference('one').y]", "[reference('one').y]"},
		{"reference('one[0]').y", "[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/one0', '1').y]", "[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/one0', '1').y]"},
		{"references('one')[0].y", "[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/one0', '1').y]", "[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/one0', '1').y]"},
		{"references()", "[references()]", "[references()]"},
		{"reference()", "[reference()]", "[reference()]"},
		{"reference(utcNow()).x", "[reference(utcNow()).x]", "[reference(utcNow()).x]"},
		{"resourceInfo()", "[resourceInfo()]", "[resourceInfo()]"},
		{"references('ml')", `[{"outputs":{"i":{"value":0}}},{"outputs":{"i":{"value":1}}}]`, `["[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/Microsoft.Resources/deployments/ml0', '9')]","[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/Microsoft.Resources/deployments/ml1', '9')]"]`},
		{"reference('m').outputs.s.value", "text", "text"},
		{"reference('m').outputs", `{"s":{"value":"text"},"pw":{"value":"[parameters('pw')]"},"yes":{"value":"y"},"loop":{"value":[0,1]}}`, `{"s":{"type":"String","value":"text"},"pw":{"type":"SecureString","value":"[outputs('pw')]"},"yes":{"type":"String","value":"y"},"loop":{"type":"Array","value":[0,1]}}`},
		{"reference('m').outputs.no", `output "o": the object has no property "no"; it has s, pw, yes, loop`, "[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/Microsoft.Resources/deployments/m', '2025-04-01').outputs.no]"},
		{"reference('m', '2025-04-01', 'full').name", "m", "m"},
		{"reference('ml[1]').outputs.i.value", "1", "1"},
		{"listOutputsWithSecureValues('m', '2025-04-01').pw", "[parameters('pw')]", "[listOutputsWithSecureValues('/subscriptions/sub-1/resourceGroups/rg-1/providers/Microsoft.Resources/deployments/m', '2025-04-01').pw]"},
		{"listOutputsWithSecureValues('m', '2025-04-01').s", "text", "[listOutputsWithSecureValues('/subscriptions/sub-1/resourceGroups/rg-1/providers/Microsoft.Resources/deployments/m', '2025-04-01').s]"},
		{"listOutputsWithSecureValues('none', '1').x", "[listOutputsWithSecureValues('none', '1').x]", "[listOutputsWithSecureValues('none', '1').x]"},
		{"listOutputsWithSecureValues('a', '1').x", "[listOutputsWithSecureValues('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a', '1').x]", "[listOutputsWithSecureValues('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a', '1').x]"},
		{"listKeys('a', '1').k", "[listKeys('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a', '1').k]", "[listKeys('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a', '1').k]"},
		{"listKeys(resourceId('T.S/a', 'a'), '1').k", "[listKeys('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a', '1').k]", "[listKeys('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a', '1').k]"},
		{"listKeys('/x', '1').k", "[listKeys('/x', '1').k]", "[listKeys('/x', '1').k]"},
		{"invokeResourceMethod('a', 'm', 1)", "[invokeResourceMethod('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a', 'm', 1)]", "[invokeResourceMethod('/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a', 'm', 1)]"},
		{"invokeResourceMethod('none', 'm')", "[invokeResourceMethod('none', 'm')]", "[invokeResourceMethod('none', 'm')]"},
		{"resourceInfo('a')", `{"id":"/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a","name":"a","type":"T.S/a","apiVersion":"1"}`, `{"id":"/subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/a","name":"a","type":"T.S/a","apiVersion":"1"}`},
		{"resourceInfo('l[0]').name", "l0", "l0"},
		{"resourceInfo('off').name", "off", "[resourceInfo('off').name]"},
		{"resourceInfo('none').name", "[resourceInfo('none').name]", "[resourceInfo('none').name]"},
		{"reference('k').metadata.name", "cm", "cm"},
		{"reference('k').metadata.namespace", "ns", "ns"},
		{"reference('k').metadata.uid", "[reference('core/ConfigMap/ns/cm').metadata.uid]", "[reference('k').metadata.uid]"},
		{"reference('k2').metadata.name", "[reference(format('core/ConfigMap/{0}/{1}', newGuid(), utcNow())).metadata.name]", "[reference('k2').metadata.name]"},
		{"reference('k2').metadata.namespace", "[reference(format('core/ConfigMap/{0}/{1}', newGuid(), utcNow())).metadata.namespace]", "[reference('k2').metadata.namespace]"},
		{"reference(resourceId('Microsoft.Resources/deployments', 'm'), '2025-04-01').outputs.s.value", "[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/Microsoft.Resources/deployments/m', '2025-04-01').outputs.s.value]", "[reference('/subscriptions/sub-1/resourceGroups/rg-1/providers/Microsoft.Resources/deployments/m', '2025-04-01').outputs.s.value]"},
		{"reference('k').data", "[reference('core/ConfigMap/ns/cm').data]", "[reference('k').data]"},
		{"reference('r').name", "c", "c"},
		{"reference('r').type", "Applications.Core/containers", "[reference('r').type]"},
		{"reference('r').id", "[reference('Applications.Core/containers/c').id]", "[reference('r').id]"},
		{"reference('r').properties.x", "[reference('Applications.Core/containers/c').properties.x]", "[reference('r').properties.x]"},
		{"reference('w').properties.x", "[reference('AWS.S3/Bucket/bucket').properties.x]", "[reference('w').properties.x]"},
	} {
		got := map[bool]string{}
		for _, official := range []bool{false, true} {
			text := declared
			if official { // loops over something unknown have no snapshot
				before, rest, _ := strings.Cut(text, "'u': ")
				_, after, _ := strings.Cut(rest, "'e': ")
				text = before + "'e': " + after
			}
			text = `{` + groupSchema + `, 'imports': {'k': {'provider': 'Kubernetes', 'version': '1'}, 'r': {'provider': 'Radius', 'version': '1'}, 'w': {'provider': 'AWS', 'version': '1'}}, 'parameters': {'n': {'type': 'int'}},
				'resources': {` + strings.ReplaceAll(text, "GROUP", groupSchema) + module("m", "", "group", inner) + `}, 'outputs': {'o': {'value': '[` + c.expr + `]'}}}`
			text = strings.ReplaceAll(strings.ReplaceAll(text, c.expr, strings.ReplaceAll(c.expr, "'", "`")), "¦", "`")
			result, err := expand.Expand(parse(t, text), expand.Options{Context: inGroup, Official: official, Tolerant: true})
			require.NoError(t, err, c.expr)
			for _, o := range result.Outputs {
				got[official] = expand.Text(o.Value)
			}
			if len(result.Diagnostics) > 0 {
				got[official] = result.Diagnostics[0].Message
			}
		}
		require.Equal(t, []string{c.plan, c.official}, []string{got[false], got[true]}, c.expr)
	}
}

// Names that a deployment refuses, and other mistakes in what a resource is.
func TestResourcesThatAreRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ resource, want string }{
		{"'type': 'T.S/a', 'name': ''", `resource "r": its name is empty`},
		{"'type': 'T.S/a', 'name': null", `resource "r": its name is null`},
		{"'type': 'T.S/a', 'name': 'a/b'", `resource "r": the parts of its name "a/b", between slashes, are 2; a resource of type T.S/a has 1`},
		{"'type': 'T.S/a/b', 'name': 'a'", `resource "r": the parts of its name "a", between slashes, are 1; a resource of type T.S/a/b has 2`},
		{"'type': 'T.S/a', 'name': 'a', 'condition': 'yes'", `resource "r": its condition is not a boolean`},
		{"'type': 'T.S/a', 'name': 'a', 'copy': {'name': 'c'}", `resource "r": the number of its copies is not valid`},
		{"'type': 'T.S/a', 'name': 'a', 'copy': {'name': 'c', 'count': '2'}", `resource "r": the number of its copies is not valid`},
		{"'type': 'T.S/a', 'name': 'a', 'copy': {'name': 'c', 'count': 801}", `resource "r": its loop makes 801 copies; the limit is 800`},
		{"'type': 'T.S/a', 'name': 'a', 'copy': {'name': 'c', 'count': '[length(reference(`r[0]`).x)]'}", `resource "r": the number of its copies depends on itself`},
		{"'type': 'T.S/a', 'name': 'a', 'condition': '[equals(resourceInfo(`r`).name, `a`)]'", `resource "r": its name, scope or condition depends on itself`},
		{"'type': 'T.S/a', 'name': 'a', 'tags': '[reference(null())]'", `resource "r": function reference: its first argument is null; it must name a resource`},
		{"'type': 'Microsoft.Resources/deployments', 'name': 'a', 'extension': 'az0synthesized', 'properties': {'name': 'm', 'template': '[createArray()]'}", ``},
		{"'type': 'Microsoft.Resources/deployments', 'name': '', 'properties': {'template': {}}", `module "r": its name is empty`},
	} {
		_, err := expand.Expand(parse(t, `{`+groupSchema+`, 'resources': {'r': {'apiVersion': '1', `+c.resource+`}}}`), expand.Options{Context: inGroup})
		if c.want == "" {
			require.NoError(t, err, c.resource)
			continue
		}
		require.EqualError(t, err, c.want, c.resource)
	}
}

// A deployment whose template is elsewhere is a resource, and a diagnostic says that what it deploys is not known.
func TestLinkedTemplates(t *testing.T) {
	t.Parallel()
	template := `{` + groupSchema + `, 'resources': {'m': {'type': 'Microsoft.Resources/deployments', 'apiVersion': '1', 'name': 'm', 'properties': {'templateLink': {'uri': 'https://x/t.json'}}},
		'b': {'type': 'T.S/a', 'apiVersion': '1', 'name': 'b', 'tags': {'o': '[reference(` + "`m`" + `).outputs.o.value]'}}}}`
	const id = "/subscriptions/sub-1/resourceGroups/rg-1/providers/Microsoft.Resources/deployments/m"
	for official, level := range map[bool]string{false: "Info", true: "Warning"} {
		result, err := expand.Expand(parse(t, template), expand.Options{Context: inGroup, Official: official})
		require.NoError(t, err)
		require.Len(t, result.Diagnostics, 1)
		require.Equal(t, id+" "+level+" NestedDeploymentShortCircuited: The template of this deployment is linked, and so its resources are not known.", result.Diagnostics[0].String())
		b := result.Resources[len(result.Resources)-1]
		require.Contains(t, show(b), `{"tags":{"o":"[reference('`+id+`', '1').outputs.o.value]"}}`)
		require.Len(t, result.Resources, map[bool]int{false: 2, true: 1}[official])
	}
}

// The modules of a file whose target scope is local are made by an extension: their names and templates are properties.
func TestLocalModules(t *testing.T) {
	t.Parallel()
	module := `'m': {'extension': 'az0synthesized', 'type': 'Microsoft.Resources/deployments', 'apiVersion': '1', 'properties': {'name': '[toLower(` + "`M`" + `)]', TEMPLATE}}`
	inner := `{` + groupSchema + `, 'parameters': {'p': {'type': 'string'}}, 'resources': {'x': {'type': 'T.S/a', 'apiVersion': '1', 'name': '[parameters(` + "`p`" + `)]'}}}`
	result, err := expand.Expand(parse(t, `{`+groupSchema+`, 'resources': {`+strings.ReplaceAll(module, "TEMPLATE", `'parameters': {'p': {'value': 'in'}}, 'template': `+strings.ReplaceAll(inner, "'[parameters", "'[[parameters"))+`}}`), expand.Options{Context: inGroup})
	require.NoError(t, err)
	require.Equal(t, []string{`m/x /subscriptions/sub-1/resourceGroups/rg-1/providers/T.S/a/in {}`}, lines(result))
	require.Equal(t, armjson.String("m"), result.Modules()[0].Name)
}

// Modules are listed in their order, outer ones first; those that a condition leaves out are not.
func TestModules(t *testing.T) {
	t.Parallel()
	text := `{` + groupSchema + `, 'resources': {` + module("a", "", "group", "'resources': {"+module("in", "", "group", "'resources': {}")+"}") + "," + module("off", "'condition': false,", "group", "'resources': {}") + "," +
		module("b", "'copy': {'name': 'b', 'count': 2},", "group", "'resources': {}") + "," + module("c", "'condition': '[equals(utcNow(), `x`)]',", "group", "'resources': {"+module("in", "'condition': '[equals(newGuid(), `x`)]',", "group", "'resources': {"+plainResource("r", "")+"}")+"}") + `}}`
	result, err := expand.Expand(parse(t, text), expand.Options{Context: inGroup})
	require.NoError(t, err)
	var got []string
	for _, m := range result.Modules() {
		got = append(got, strings.TrimSpace(m.Path()+" "+expand.Text(m.Name)+" "+expand.Text(m.Condition)))
	}
	require.Equal(t, []string{"a a", "a/in in", "b[0] b", "b[1] b", "c c [equals(utcNow(), 'x')]", "c/in in [and(equals(utcNow(), 'x'), equals(newGuid(), 'x'))]"}, got)
	require.Equal(t, "[and(equals(utcNow(), 'x'), equals(newGuid(), 'x'))]", expand.Text(result.Resources[0].Condition))
	require.True(t, result.LeftOut)
}

// What a deployment checks though nothing asks for it, a plan checks too.
func TestWhatNothingAsksFor(t *testing.T) {
	t.Parallel()
	const fails = "'[int(`x`)]'"
	for _, c := range []struct{ template, want string }{
		{"'variables': {'v': " + fails + "}, 'resources': {}", `variable "v"`},
		{"'resources': {}, 'outputs': {'o': {'type': 'int', 'value': " + fails + "}}", `output "o"`},
		{"'resources': {" + module("m", "", "group", "'parameters': {'p': {'type': 'int', 'defaultValue': "+fails+"}}, 'resources': {}") + "}", `parameter "p" of module m`},
		{"'resources': {" + module("m", "", "group", "'variables': {'v': "+fails+"}, 'resources': {}") + "}", `variable "v" of module m`},
		{"'resources': {" + module("m", "", "group", "'resources': {}, 'outputs': {'o': {'type': 'int', 'value': "+fails+"}}") + "}", `output "o" of module m`},
		{"'resources': {" + module("m", "", "group", "'resources': {}, 'outputs': {'o': {'type': 'int', 'condition': "+fails+", 'value': 1}}") + "}", `output "o" of module m`},
		{"'resources': {" + module("m", "", "group", "'resources': {}, 'outputs': {'o': {'type': 'array', 'copy': {'count': "+fails+", 'input': 1}}}") + "}", `output "o" of module m`},
		{"'imports': {'k': {'provider': 'Kubernetes', 'version': '1', 'config': {'kubeConfig': " + fails + "}}}, 'resources': {}", `extension "k"`},
	} {
		template := parse(t, "{"+groupSchema+", "+c.template+"}")
		_, err := expand.Expand(template, expand.Options{Context: inGroup})
		require.ErrorContains(t, err, c.want, c.template)
		result, err := expand.Expand(template, expand.Options{Context: inGroup, Tolerant: true})
		require.NoError(t, err, c.template)
		require.Contains(t, result.Diagnostics[0].Message, c.want)
	}
}
