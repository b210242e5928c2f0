package bicep_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
)

// armSeed has one of everything that an ARM template can say to those that refer to it.
const armSeed = `{
  "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
  "languageVersion": "2.0",
  "contentVersion": "1.0.0.0",
  "metadata": { "__bicep_exported_variables!": [ { "name": "zone" }, { "name": "names", "type": { "type": "array" } }, { "name": "rows" } ] },
  "definitions": {
    "Oak": { "type": "object", "properties": { "kind": { "type": "string", "allowedValues": [ "oak" ] }, "age": { "type": "int", "minValue": 1 } }, "metadata": { "__bicep_export!": true, "description": "a tree" } },
    "Fir": { "type": "object", "properties": { "kind": { "type": "string", "allowedValues": [ "fir" ] }, "next": { "$ref": "#/definitions/Fir", "nullable": true } }, "additionalProperties": { "type": "string" } },
    "Tree": { "type": "object", "discriminator": { "propertyName": "kind", "mapping": { "oak": { "$ref": "#/definitions/Oak" }, "fir": { "$ref": "#/definitions/Fir" } } }, "metadata": { "__bicep_export!": true } },
    "Pair": { "type": "array", "prefixItems": [ { "type": "int" }, { "$ref": "#/definitions/Oak/properties/age" } ], "items": false, "metadata": { "__bicep_export!": true } },
    "Pairs": { "type": "array", "items": { "$ref": "#/definitions/Pair" }, "nullable": true, "metadata": { "__bicep_export!": true } },
    "Word": { "type": "securestring", "minLength": 2, "metadata": { "__bicep_export!": true } },
    "Some": { "type": "array", "allowedValues": [ "a", 1, null, { "q": [ 1 ] } ], "metadata": { "__bicep_export!": true } },
    "Part": { "type": "string", "metadata": { "__bicep_export!": true, "__bicep_resource_derived_type!": { "source": "A.B/c@2020-01-01#properties/name" } } }
  },
  "functions": [ { "namespace": "__bicep", "members": { "call": {
    "parameters": [ { "name": "a", "type": "string" }, { "name": "b", "$ref": "#/definitions/Tree" } ],
    "output": { "type": "object", "value": { "r": "[concat(parameters('a'), variables('rows')[0])]" } },
    "metadata": { "__bicep_export!": true } } } } ],
  "variables": {
    "copy": [ { "name": "rows", "count": 2, "input": "[format('{0}', copyIndex('rows', 1))]" } ],
    "zone": "[__bicep.call('x', createObject()).r]",
    "names": { "[variables('zone')]": [ 1.5, null, true, "[[x]" ] }
  },
  "parameters": { "tree": { "$ref": "#/definitions/Tree" }, "one": { "type": "string", "defaultValue": "x", "allowedValues": [ "x", "y" ] } },
  "resources": { "r": { "type": "A.B/c", "apiVersion": "2020-01-01", "name": "[parameters('one')]", "condition": "[not(empty(variables('rows')))]" } },
  "outputs": { "o": { "type": "string", "value": "[variables('zone')]" }, "p": { "$ref": "#/definitions/Pairs", "value": [] } }
}`

// armUses are lines of a program that uses such a template; the first is always there.
var armUses = []string{
	"import * as m from 'm.json'\n",
	"module mm 'm.json' = { name: 'm', params: { tree: { kind: 'oak', age: 1 } } }\noutput o any = mm.outputs.o\n",
	"param tree m.Tree\noutput age int = tree.age\n",
	"param oak m.Oak\noutput f any = m.call('a', oak)\n",
	"param pairs m.Pairs\nparam pair m.Pair[1]\n",
	"param word m.Word\nparam some m.Some[*]\n",
	"type mine = { a: int, t: m.Tree? }\nparam n mine[]\n",
	"param part m.Part\n@discriminator('kind')\ntype both = m.Tree | { kind: 'elm' }\nparam b both\n",
	"import { zone, Tree as T, call } from 'm.json'\noutput z any = call(zone, { kind: 'fir' })\nparam t T?\n",
	"output all any = [m.zone, m.names, m.rows[0]]\n",
}

// armWords are the keys and armValues the values that a change puts into the template.
var armWords = strings.Fields("nullable $ref type items properties metadata discriminator allowedValues prefixItems additionalProperties mapping copy required value output")

var armValues = []string{
	`null`, `true`, `1`, `-1.5`, `"x"`, `"object"`, `"string"`, `"array"`, `"int"`, `[]`, `{}`, `{"type":"string"}`, `["a",null]`,
	`"#/definitions/Tree"`, `"#/definitions/Fir"`, `"#/definitions"`, `"#/"`, `"#/definitions/Pair/prefixItems/0"`, `"#/definitions/Tree/discriminator/mapping/oak"`,
	`{"$ref":"#/definitions/Tree"}`, `{"$ref":"#/definitions/Oak"}`, `{"$ref":"#/definitions/Pairs"}`, `{"$ref":"#/definitions/none"}`,
	`{"type":"array","items":{"$ref":"#/definitions/Tree"}}`, `{"type":"object","discriminator":{"propertyName":"kind","mapping":{"oak":{"$ref":"#/definitions/Tree"}}}}`,
	`{"__bicep_export!":true,"__bicep_resource_derived_type!":{"source":"A.B/c@2020-01-01"}}`, `{"__bicep_export!":true,"__bicep_resource_derived_type!":"A.B/c@2020-01-01#x"}`, `{"__bicep_export!":true,"__bicep_resource_derived_type!":1}`,
	`"[variables('names')]"`, `"[variables('zone')]"`, `"[variables(variables('zone'))]"`, `"[variables(concat('ro', 'ws'))]"`, `"[copyIndex('rows')]"`, `"[copyIndex()]"`, `"[__bicep.call()]"`, `"[__bicep.call('a', 'b')]"`, `"["`, `"[range(0, 1000000)]"`, `1e400`, `99999999999999999999`,
}

// slots returns the places of all values within v, as functions that look and that change.
type slot struct {
	get func() armjson.Value
	set func(armjson.Value)
	cut func() // nil if the place is needed
	in  *armjson.Object
}

func slots(list []slot, v armjson.Value) []slot {
	switch v := v.(type) {
	case *armjson.Object:
		for k, x := range v.All() {
			list = append(list, slot{func() armjson.Value { x, _ := v.Get(k); return x }, func(x armjson.Value) { v.Set(k, x) }, func() { v.Delete(k) }, v})
			list = slots(list, x)
		}
	case armjson.Array:
		for i, x := range v {
			list = append(list, slot{get: func() armjson.Value { return v[i] }, set: func(x armjson.Value) { v[i] = x }})
			list = slots(list, x)
		}
	}
	return list
}

func parseJSON(t testing.TB, text string) armjson.Value {
	t.Helper()
	v, err := armjson.Parse(text, armjson.Options{Relaxed: true})
	require.NoError(t, err)
	return v
}

// changed returns the seed after the changes that the bytes stand for, four of them each.
func changed(t testing.TB, changes []byte) string {
	t.Helper()
	root := parseJSON(t, armSeed)
	for ; len(changes) >= 4; changes = changes[4:] {
		all := slots(nil, root)
		if len(all) == 0 {
			break
		}
		at := all[(int(changes[1])|int(changes[0]&7)<<8)%len(all)]
		n := int(changes[2])<<8 | int(changes[3])
		switch changes[0] >> 3 % 5 {
		case 0:
			if at.cut != nil {
				at.cut()
			}
		case 1:
			at.set(parseJSON(t, armjson.Text(all[n%len(all)].get())))
		case 2:
			if at.in != nil {
				at.in.Set(armWords[n%len(armWords)], parseJSON(t, armValues[int(changes[2])%len(armValues)]))
			}
		case 3:
			at.set(parseJSON(t, armValues[n%len(armValues)]))
		case 4:
			if at.in != nil {
				at.in.Set(armWords[int(changes[2])%len(armWords)], parseJSON(t, armjson.Text(all[int(changes[3])%len(all)].get())))
			}
		}
	}
	return armjson.Text(root)
}

// Whatever an ARM template says, a program that takes it for a module and imports
// from it ends in a template or in findings, and in a moment.
func FuzzARMTemplate(f *testing.F) {
	f.Add(uint16(0xffff), []byte{})
	for i := range 160 {
		f.Add(uint16(1)<<(i%len(armUses))|uint16(i), []byte{byte(i * 8), byte(i * 37), byte(i * 11), byte(i * 91)})
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, uses uint16, changes []byte) {
		program := armUses[0]
		for i, text := range armUses[1:] {
			if uses>>i&1 == 1 {
				program += text
			}
		}
		module := changed(t, changes[:min(len(changes), 32)])
		file := filepath.Join(dir, "main.bicep")
		for name, text := range map[string]string{file: program, filepath.Join(dir, "m.json"): module} {
			require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		}
		late := time.AfterFunc(20*time.Second, func() { panic("no end:\n" + program + module) })
		defer late.Stop()
		r, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{File: file, FS: bicep.Dir(dir), Root: dir, NoRestore: true})
		require.NoError(t, err, "%v\n%s\n%s", err, program, module)
		require.Equal(t, (r.Template != nil), r.OK(), "findings %v, template %s\n%s\n%s", r.Findings, r.Template, program, module)
		require.False(t, r.OK() && !json.Valid(r.Template), "findings %v, template %s\n%s\n%s", r.Findings, r.Template, program, module)
	})
}
