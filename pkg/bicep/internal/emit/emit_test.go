package emit_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/arena"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/checktest"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/emit"
	"github.com/radbicep/rad/pkg/bicep/internal/templatehash"
)

func TestMain(m *testing.M) {
	arena.Check = true
	os.Exit(m.Run())
}

// compile returns the template of main.bicep.
func compile(t testing.TB, files map[string]string) []byte {
	t.Helper()
	p := checktest.Program(t, "main.bicep", files, check.Options{})
	for _, f := range p.Graph.Files {
		if m := p.Model(f); m != nil {
			for _, d := range m.Diagnostics() {
				if d.Severity == diag.Error {
					t.Fatalf("%s: %s: %s", f.Source.Slice(d.Span), d.Code(), d.Message())
				}
			}
		}
	}
	out, err := emit.New(p, "1.2.3").Text(p.Graph.Entry)
	require.NoError(t, err)
	return out.Bytes()
}

// at returns what is at a path of keys in a template.
func at(t testing.TB, template []byte, path string) string {
	t.Helper()
	v, err := armjson.ParseBytes(template, armjson.Options{})
	require.NoError(t, err)
	if path != "" {
		for key := range strings.SplitSeq(path, "/") {
			switch x := v.(type) {
			case *armjson.Object:
				var ok bool
				if v, ok = x.Get(key); !ok {
					return "nothing"
				}
			case armjson.Array:
				i := int(key[0] - '0')
				if i >= len(x) {
					return "nothing"
				}
				v = x[i]
			default:
				return "nothing"
			}
		}
	}
	return armjson.Text(v)
}

const storageType = "Microsoft.Storage/storageAccounts@2023-01-01"

const storage = "resource s '" + storageType + "' = {\n  name: 'st'\n  location: 'x'\n}\n"

func TestWholeTemplate(t *testing.T) {
	t.Parallel()
	got := compile(t, map[string]string{"main.bicep": "metadata m = 'x'\nparam p string\nvar v = p\noutput o string = v\n"})
	const want = `{
  "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
  "contentVersion": "1.0.0.0",
  "metadata": {
    "_generator": {
      "name": "bicep",
      "version": "1.2.3",
      "templateHash": "HASH"
    },
    "m": "x"
  },
  "parameters": {
    "p": {
      "type": "string"
    }
  },
  "variables": {
    "v": "[parameters('p')]"
  },
  "resources": [],
  "outputs": {
    "o": {
      "type": "string",
      "value": "[variables('v')]"
    }
  }
}`
	hash := templatehash.Sum([]byte(strings.Replace(want, ",\n      \"templateHash\": \"HASH\"", "", 1)))
	assert.Equal(t, strings.Replace(want, "HASH", hash, 1), string(got), "got\n%s", got)
}

func TestSchemas(t *testing.T) {
	t.Parallel()
	for scope, want := range map[string]string{
		"resourceGroup":   "2019-04-01/deploymentTemplate.json#",
		"subscription":    "2018-05-01/subscriptionDeploymentTemplate.json#",
		"managementGroup": "2019-08-01/managementGroupDeploymentTemplate.json#",
		"tenant":          "2019-08-01/tenantDeploymentTemplate.json#",
	} {
		got := at(t, compile(t, map[string]string{"main.bicep": "targetScope = '" + scope + "'\n"}), "$schema")
		assert.True(t, strings.HasSuffix(got, "/"+want+`"`), "%s: %s", scope, got)
	}
}

// TestModuleIsWrittenOnce: a module that is used many times costs little more than
// one that is used once, and its text is laid out as if it had been printed in
// each place.
func TestModuleIsWrittenOnce(t *testing.T) {
	var module strings.Builder
	module.WriteString("param text string = '''\na\n  b'''\n")
	for i := range 200 {
		fmt.Fprintf(&module, "output o%d string = '${text}${%d}'\n", i, i)
	}
	cost := func(uses int) float64 {
		var main strings.Builder
		for i := range uses {
			fmt.Fprintf(&main, "module m%d 'm.bicep' = {\n  name: 'm%d'\n}\n", i, i)
		}
		p := checktest.Program(t, "main.bicep", map[string]string{"main.bicep": main.String(), "m.bicep": module.String()}, check.Options{})
		var out []byte
		allocations := testing.AllocsPerRun(1, func() {
			text, err := emit.New(p, "1.2.3").Text(p.Graph.Entry)
			require.NoError(t, err)
			out = text.Bytes()
		})
		v, err := armjson.ParseBytes(out, armjson.Options{})
		require.NoError(t, err)
		require.Equal(t, string(armjson.Append(nil, v, armjson.Indented)), string(out))
		require.Equal(t, uses, strings.Count(string(out), `"o199"`))
		return allocations
	}
	once, many := cost(1), cost(8)
	assert.LessOrEqual(t, many, 3*once, "a module that is used once takes %.0f allocations, and one that is used eight times %.0f", once, many)
}

func TestJSONModule(t *testing.T) {
	t.Parallel()
	out := compile(t, map[string]string{
		"main.bicep": "module a 'm.json' = {\n  name: 'a'\n}\n",
		"m.json":     `{"$schema":"https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#","contentVersion":"1.0.0.0", /* c */ "resources":[], "z":[1.50,{}]}`,
	})
	got, want := at(t, out, "resources/0/properties/template/z"), `[1.5,{}]`
	assert.Equal(t, want, got)
}

func BenchmarkTemplate(b *testing.B) {
	var s strings.Builder
	for i := range 500 {
		s.WriteString(strings.Replace(storage, "resource s ", "resource s"+string(rune('a'+i%26))+strings.Repeat("x", i/26)+" ", 1))
	}
	files := map[string]string{"main.bicep": s.String()}
	b.ReportAllocs()
	for b.Loop() {
		b.SetBytes(int64(len(compile(b, files))))
	}
}
