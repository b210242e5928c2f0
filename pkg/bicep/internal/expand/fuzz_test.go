package expand_test

import (
	"strings"
	"testing"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
	"github.com/radbicep/rad/pkg/bicep/internal/expand"
)

// FuzzExpand expands any template with any parameters. It must end, not panic, show
// nothing of a secure parameter, and predict the same twice.
func FuzzExpand(f *testing.F) {
	quote := strings.NewReplacer("'", `"`, "`", "'")
	for _, seed := range []struct{ template, parameters string }{
		{`{` + groupSchema + `, 'parameters': {'pw': {'type': 'securestring'}, 'n': {'type': 'int'}, 'o': {'$ref': '#/definitions/t'}}, 'definitions': {'t': {'type': 'object', 'properties': {'s': {'type': 'secureString'}, 'l': {'type': 'array', 'items': {'$ref': '#/definitions/t'}}}}},
			'variables': {'copy': [{'name': 'v', 'count': '[parameters(` + "`n`" + `)]', 'input': '[format(` + "`{0}-{1}`, copyIndex(`v`), parameters(`pw`)" + `)]'}], 'w': '[map(variables(` + "`v`), lambda(`x`, concat(lambdaVariables(`x`), parameters(`pw`)))" + `)]'},
			'functions': [{'namespace': '__bicep', 'members': {'f': {'parameters': [{'name': 'x', 'type': 'string'}], 'output': {'type': 'string', 'value': '[toUpper(parameters(` + "`x`" + `))]'}}}}],
			'resources': {'a': {'copy': {'name': 'a', 'count': '[length(variables(` + "`v`" + `))]'}, 'condition': '[not(empty(parameters(` + "`pw`" + `)))]', 'type': 'T.S/a', 'apiVersion': '1', 'name': '[__bicep.f(string(copyIndex()))]', 'tags': {'w': '[variables(` + "`w`" + `)[copyIndex()]]', 'o': '[union(parameters(` + "`o`), createObject(`z`, reference(`b`).q)" + `)]'}, 'dependsOn': ['b']},
				'b': {'existing': true, 'type': 'T.S/b', 'apiVersion': '1', 'name': 'b', 'scope': '/subscriptions/s'}}, 'outputs': {'p': {'type': 'string', 'value': '[base64(parameters(` + "`pw`" + `))]'}, 'q': {'type': 'array', 'copy': {'count': 2, 'input': '[copyIndex()]'}}}}`,
			`{'pw': {'value': 'CANARYCANARY'}, 'n': {'value': 2}, 'o': {'value': {'s': 'CANARYCANARY', 'l': [{'s': 'CANARYCANARY'}]}}}`},
		{`{'$schema': 'x/subscriptionDeploymentTemplate.json#', 'resources': [{'type': 'Microsoft.Resources/deployments', 'apiVersion': '1', 'name': 'm', 'resourceGroup': 'g', 'properties': {'expressionEvaluationOptions': {'scope': 'inner'}, 'parameters': {'p': {'value': '[parameters(` + "`p`" + `)]'}},
			'template': {` + groupSchema + `, 'parameters': {'p': {'type': 'secureObject'}}, 'resources': [{'type': 'a/b', 'name': 'x', 'apiVersion': '1', 'resources': [{'type': 'c', 'name': 'y', 'apiVersion': '1'}]}], 'outputs': {'o': {'type': 'string', 'value': '[string(parameters(` + "`p`" + `))]'}}}}}], 'parameters': {'p': {'type': 'object'}},
			'outputs': {'o': {'type': 'string', 'value': '[reference(` + "`m`" + `).outputs.o.value]'}}}`, `{'p': {'value': {'a': 'CANARYCANARY'}}}`},
		{`{` + groupSchema + `, 'imports': {'r': {'provider': 'Radius', 'version': '1'}, 'k': {'provider': 'Kubernetes', 'version': '1', 'config': {'namespace': '[parameters(` + "`n`" + `)]'}}}, 'parameters': {'n': {'type': 'string'}},
			'resources': {'a': {'import': 'r', 'type': 'Applications.Core/containers@1', 'properties': {'name': '[reference(` + "`b`" + `).metadata.name]'}}, 'b': {'import': 'k', 'type': 'core/Service@v1', 'properties': {'metadata': {'name': '[if(equals(1, parameters(` + "`n`), `a`, `b`" + `)]'}}}}}`, `{}`},
	} {
		f.Add(quote.Replace(seed.template), quote.Replace(seed.parameters))
	}
	const canary = "CANARYCANARY"
	f.Fuzz(func(t *testing.T, template, parameters string) {
		v, err := armjson.Parse(template, armjson.Options{})
		root, ok := v.(*armjson.Object)
		if err != nil || !ok || strings.Contains(template, canary) {
			return
		}
		given := map[string]expand.Parameter{}
		if p, err := armjson.Parse(parameters, armjson.Options{}); err == nil {
			if o, ok := p.(*armjson.Object); ok {
				for name, v := range o.All() {
					if entry, ok := v.(*armjson.Object); ok {
						var one expand.Parameter
						one.Value, _ = entry.Get("value")
						one.Reference, _ = entry.Get("reference")
						given[name] = one
					}
				}
			}
		}
		// Only where every value is of a secure parameter may nothing of it be seen.
		secure := strings.Contains(strings.ToLower(template), `"type":"securestring"`) || strings.Contains(strings.ToLower(template), `"type": "securestring"`)
		for name, p := range given {
			if p.Value != nil && strings.Contains(armjson.Text(p.Value), canary) && name != "pw" {
				secure = false
			}
		}
		for _, tolerant := range []bool{false, true} {
			o := expand.Options{Parameters: given, Context: inGroup, Tolerant: tolerant, All: tolerant, Official: !tolerant,
				Limits: expand.Limits{Resources: 500, Copies: 100, Modules: 20, Eval: eval.Limits{Steps: 20_000, Walk: 200_000, Size: 4 << 20, Depth: 500}}}
			first, err := expand.Expand(root, o)
			if err != nil {
				_ = err.Error()
				continue
			}
			var out strings.Builder
			for _, r := range first.Resources {
				out.WriteString(show(r))
				for _, c := range expand.Reasons(r.Body) {
					out.WriteString(c.Call)
				}
			}
			for _, x := range first.Outputs {
				out.WriteString(expand.Text(x.Value) + expand.Expression(x.Value) + armjson.Text(x.Value))
			}
			for _, d := range first.Diagnostics {
				out.WriteString(d.String())
			}
			if secure && declaresSecure(root, "pw") && strings.Contains(out.String(), canary) {
				t.Fatalf("a secure value is shown: %s", out.String())
			}
			second, err := expand.Expand(root, o)
			if err != nil || len(second.Resources) != len(first.Resources) {
				t.Fatalf("the second expansion differs: %v", err)
			}
		}
	})
}

// declaresSecure tells whether a template declares a parameter as a secure string.
func declaresSecure(template *armjson.Object, name string) bool {
	v, _ := template.Object("parameters").Get(name)
	o, ok := v.(*armjson.Object)
	if !ok {
		return false
	}
	kind, _ := o.Get("type")
	s, _ := kind.(armjson.String)
	return strings.EqualFold(string(s), "securestring")
}
