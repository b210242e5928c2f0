package armtemplate_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armtemplate"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
)

// Any JSON can be where a template is expected.
func FuzzModel(f *testing.F) {
	for _, members := range []string{
		`"parameters": {"p": {"$ref": "#/definitions/d/properties/x"}}, "definitions": {"d": {"type": "object", "properties": {"x": {"$ref": "#/definitions/d", "nullable": true}}}}`,
		`"languageVersion": "2.0", "definitions": {"T": {"type": "array", "prefixItems": [{"type": "int"}], "items": {"type": "bool"}, "metadata": {"__bicep_export!": true}}}`,
		`"definitions": {"T": {"type": "object", "discriminator": {"propertyName": "k", "mapping": {"a": {"type": "object", "properties": {"k": {"type": "string", "allowedValues": ["a"]}}}}}, "metadata": {"__bicep_export!": true}}}`,
		`"functions": [{"namespace": "n", "members": {"f": {"parameters": [{"name": "a", "type": "string"}], "output": {"type": "int", "value": "[add(1, 2)]"}, "metadata": {"__bicep_export!": true}}}}]`,
		`"variables": {"a": "[variables('b')]", "b": "[concat('x', n.f('y'))]", "copy": [{"name": "c", "count": 3, "input": "[copyIndex('c')]"}]}, "metadata": {"__bicep_exported_variables!": [{"name": "a"}, {"name": "c"}]}`,
		`"outputs": {"o": {"type": "string", "metadata": {"resourceType": "A.B/c@2020-01-01"}}}, "parameters": {"p": {"type": "object", "metadata": {"__bicep_resource_derived_type!": {"source": "A.B/c@2020-01-01#a/b"}}}}`,
	} {
		f.Add("{" + schema + ", " + members + "}")
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := armjson.Parse(text, armjson.Options{Relaxed: true})
		if err != nil {
			t.Skip()
		}
		o, _ := v.(*armjson.Object)
		m := armtemplate.New(&graph.File{Kind: graph.ARMTemplate, Template: o}, eval.NewBudget(eval.DefaultLimits(), nil))
		m.HasErrors()
		for _, p := range m.Parameters() {
			_ = p.Type.Type().String()
		}
		for _, x := range m.Outputs() {
			_ = x.Type.Type().String()
		}
		for _, x := range m.Exports() {
			_ = x.Type.Type().String()
			assert.True(t, m.FindExport(x.Name) == x, "the export %q is not found by its name", x.Name)
		}
		m.Extensions()
		m.Embedded()
	})
}
