package bicep_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep"
)

// What the official compiler dies of ends here in a diagnostic, or compiles.
func TestWhatTheOfficialCompilerCrashesOn(t *testing.T) {
	t.Parallel()
	const module = "output o string = 'x'\n"
	arm := func(definitions string) string {
		return `{ "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#", "languageVersion": "2.0",
			"contentVersion": "1.0.0.0", "definitions": { ` + definitions + ` }, "resources": {} }`
	}
	const branches = `"T": { "type": "object", "discriminator": { "propertyName": "k", "mapping": { "x": { "$ref": "#/definitions/X" } } }, "metadata": { "__bicep_export!": true } },`
	for name, c := range map[string]struct {
		files map[string]string
		want  string // a code that is found; "" if it compiles without one
	}{
		"a circle of types and parts":         {map[string]string{"main.bicep": "type a = b.x\ntype b = { x: a }\noutput o a = 1\n"}, "BCP062"},
		"a safe access on a module":           {map[string]string{"main.bicep": "module m 'm.bicep' = { name: 'm' }\noutput o string? = m.?nope\n", "m.bicep": module}, "BCP053"},
		"a safe access on sys":                {map[string]string{"main.bicep": "output o object? = sys.?nope\n"}, "BCP053"},
		"a hole in a member of a union":       {map[string]string{"main.bicep": "param n string\ntype t = 'a${n}' | 'b'\noutput o t = 'b'\n"}, "BCP293"},
		"the items of what may be null":       {map[string]string{"main.bicep": "type T = { kids: { v: int }[]? }\noutput o T.kids[*].v = 1\n"}, ""},
		"a type that points nowhere":          {map[string]string{"main.bicep": "import { t } from 'j.json'\noutput o t = 1\n", "j.json": arm(`"t": { "$ref": "#/definitions/none", "metadata": { "__bicep_export!": true } }`)}, "BCP319"},
		"a list of itself":                    {map[string]string{"main.bicep": "type a = (a?)[]\ntype b = [int, b?]\nparam p a\nparam q b\noutput x a = p\noutput y b = q\n"}, ""},
		"lists of themselves that do not fit": {map[string]string{"main.bicep": "type a = [string, a?]\ntype b = [int, b?]\nparam p a\noutput x b = p\n"}, "BCP033"},
		"a union of itself":                   {map[string]string{"main.bicep": "import { T } from 'j.json'\n", "j.json": arm(strings.ReplaceAll(branches, "/X", "/T"))}, "BCP319"},
		"a union of itself by a resource": {map[string]string{"main.bicep": "import * as j from 'j.json'\nparam p j.X\n", "j.json": arm(branches + `"X": { "$ref": "#/definitions/T",
			"metadata": { "__bicep_export!": true, "__bicep_resource_derived_type!": { "source": "A.B/c@2020-01-01#properties" } } }`)}, "BCP319"},
		"a branch that is no object":          {map[string]string{"main.bicep": "import { T } from 'j.json'\n", "j.json": arm(branches + `"X": { "type": "string" }`)}, "BCP319"},
		"a branch of no type":                 {map[string]string{"main.bicep": "import * as j from 'j.json'\n", "j.json": arm(branches + `"X": { "properties": { "k": { "type": "string", "allowedValues": ["x"] } } }`)}, "BCP319"},
		"a branch that may be null":           {map[string]string{"main.bicep": "import * as j from 'j.json'\n", "j.json": arm(branches + `"X": { "type": "object", "nullable": true, "properties": { "k": { "type": "string", "allowedValues": ["x"] } } }`)}, "BCP319"},
		"a configuration of the wrong kinds":  {map[string]string{"main.bicep": "output o int = 1\n", "bicepconfig.json": `{"analyzers": 3, "extensions": [1], "moduleAliases": "x"}`}, "BCP273"},
		"a configuration that is a list":      {map[string]string{"main.bicep": "output o int = 1\n", "bicepconfig.json": `[]`}, "BCP273"},
		"a rule's level that is a number":     {map[string]string{"main.bicep": "var v = 1\n", "bicepconfig.json": `{"analyzers":{"core":{"rules":{"no-unused-vars":{"level":3}}}}}`}, "no-unused-vars"},
		"an extension that is not an archive": {map[string]string{"main.bicep": "extension './x.tgz' as x\n", "x.tgz": "no archive"}, "BCP192"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{File: write(t, c.files)})
			require.NoError(t, err)
			var found []string
			for _, f := range result.Findings {
				found = append(found, f.Code)
			}
			if c.want == "" {
				assert.Empty(t, found)
				assert.NotEmpty(t, result.Template)
			} else {
				assert.Contains(t, found, c.want)
			}
		})
	}
}
