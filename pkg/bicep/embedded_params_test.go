package bicep_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
)

// buildParams writes the files of a txtar archive and compiles its p.bicepparam.
func buildParams(t *testing.T, files string, change func(*bicep.Request)) (*bicep.Result, error) {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(files)).Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r := bicep.Request{File: filepath.Join(dir, "p.bicepparam"), Root: dir, LookupEnv: func(name string) (string, bool) {
		return "from the environment", name == "KNOWN"
	}}
	if change != nil {
		change(&r)
	}
	return bicep.Embedded{}.BuildParams(context.Background(), r)
}

// errorsOf lists the errors as line:column code, those of other files than the entry with their names.
func errorsOf(r *bicep.Result) string {
	var list []string
	for _, f := range r.Findings {
		if f.Severity != diag.Error {
			continue
		}
		s := fmt.Sprintf("%d:%d %s", f.Start.Line, f.Start.Column, f.Code)
		if name := filepath.Base(f.Path); name != "p.bicepparam" {
			s = name + " " + s
		}
		list = append(list, s)
	}
	return strings.Join(list, ", ")
}

// part returns a member of the parameters that were written.
func part(t *testing.T, r *bicep.Result, name string) string {
	t.Helper()
	v, err := armjson.ParseBytes(r.Parameters, armjson.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, r.Parameters)
	}
	p, ok := v.(*armjson.Object).Get(name)
	if !ok {
		return ""
	}
	return armjson.Text(p)
}

const usingNone = "-- p.bicepparam --\nusing none\n"

func TestBuildParams(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, files string
		want        string // the parameters
		inputs      string // the definitions of external inputs
		errors      string
	}{
		{
			name:  "values of every type",
			files: usingNone + "param a = 'it\\'s'\nparam b = -7\nparam c = true\nparam d = null\nparam e = [1, 'x', null]\nparam f = { 'a b': 1, copy: 2 }\nparam g = 9223372036854775807\n",
			want:  `{"a":{"value":"it's"},"b":{"value":-7},"c":{"value":true},"d":{"value":null},"e":{"value":[1,"x",null]},"f":{"value":{"a b":1,"copy":2}},"g":{"value":9223372036854775807}}`,
		},
		{
			name:  "brackets are plain text",
			files: usingNone + "param a = '[x]'\nparam b = '[${1}]'\nvar v = '[concat(1)]'\nparam c = v\nparam d = { '[k]': '[[v]' }\n",
			want:  `{"a":{"value":"[x]"},"b":{"value":"[1]"},"c":{"value":"[concat(1)]"},"d":{"value":{"[k]":"[[v]"}}}`,
		},
		{
			name:  "variables and parameters, in any order",
			files: usingNone + "param a = '${b}-${v}'\nparam b = v\nvar v = w + 1\nvar w = 41\n",
			want:  `{"a":{"value":"42-42"},"b":{"value":42}}`,
		},
		{
			name: "loops",
			files: usingNone + "var v = [for (x, i) in ['a', 'b']: '${i}${x}']\nparam a = [for x in range(0, 3): { n: x, m: map([x], y => y + x) }]\nparam b = [for (x, i) in v: [i, x]]\n" +
				"param c = [for i in []: i]\nparam d = [for o in [{ k: 'v' }]: o.k]\n",
			want: `{"a":{"value":[{"n":0,"m":[0]},{"n":1,"m":[2]},{"n":2,"m":[4]}]},"b":{"value":[[0,"0a"],[1,"1b"]]},"c":{"value":[]},"d":{"value":["v"]}}`,
		},
		{
			name: "operators, access and spreads",
			files: usingNone + "var o = { a: { b: [1, 2, 3] }, n: null }\nparam a = o.a.b[^1]\nparam b = o.?x.?y ?? 'none'\nparam c = { ...o.a, z: 1 }\nparam d = [...o.a.b, 4]\n" +
				"param e = o['a'].b[1] > 1 && !false ? 'yes' : fail('no')\nparam f = 'A' =~ 'a'\nparam g = 7 / 2 * -1 % 2\nparam h = o.n!\n",
			want: `{"a":{"value":3},"b":{"value":"none"},"c":{"value":{"b":[1,2,3],"z":1}},"d":{"value":[1,2,3,4]},"e":{"value":"yes"},"f":{"value":true},"g":{"value":-1},"h":{"value":null}}`,
		},
		{
			name: "imports of variables and functions",
			files: usingNone + "import { n, greet as hi, list } from 'lib.bicep'\nimport * as lib from 'lib.bicep'\nimport { armVar } from 'arm.json'\nparam a = n + lib.n\nparam b = hi('you')\nparam c = lib.greet(lib.deep.x)\nparam d = list\nparam e = armVar\n" +
				"-- lib.bicep --\nvar hidden = 'hello'\n@export()\nvar n = 20 + 1\n@export()\nvar deep = { x: hidden }\n@export()\nvar list = [for i in range(0, 2): '[${i}]']\nfunc inner(s string) string => toUpper(s)\n@export()\nfunc greet(who string) string => '${inner(who)}!'\n" +
				`-- arm.json --
{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#", "contentVersion": "1.0.0.0",
 "metadata": {"__bicep_exported_variables!": [{"name": "armVar"}]},
 "variables": {"armVar": "[concat('a', variables('other'))]", "other": "b"}, "resources": []}
`,
			want: `{"a":{"value":42},"b":{"value":"YOU!"},"c":{"value":"HELLO!"},"d":{"value":["[0]","[1]"]},"e":{"value":"ab"}}`,
		},
		{
			name: "files and the environment",
			files: usingNone + "var j = loadJsonContent('d.json')\nparam a = j.x\nparam b = loadTextContent('t.txt')\nparam c = readEnvironmentVariable('KNOWN')\nparam d = readEnvironmentVariable('UNKNOWN', 'default')\n" +
				"-- d.json --\n{\"x\": [1, 2.50]}\n-- t.txt --\ntext\n",
			want: `{"a":{"value":[1,2.5]},"b":{"value":"text\n"},"c":{"value":"from the environment"},"d":{"value":"default"}}`,
		},
		{
			name:   "a variable of the environment that is not there",
			files:  usingNone + "param a = readEnvironmentVariable('UNKNOWN')\n",
			errors: "2:35 BCP427",
		},
		{
			name: "what is inherited comes last, and is what its own file makes of it",
			files: "-- p.bicepparam --\nusing none\nextends 'base.bicepparam'\nparam b = '${base.b}+'\nparam c = base.c.n + 1\n" +
				"-- base.bicepparam --\nusing none\nextends 'root.bicepparam'\nvar v = 'V'\nparam a = '${b}${v}'\nparam b = 'B'\nparam c = { n: 1 }\n-- root.bicepparam --\nusing none\nparam a = 'never'\nparam z = 'Z'\n",
			want: `{"b":{"value":"B+"},"c":{"value":2},"a":{"value":"BV"},"z":{"value":"Z"}}`,
		},
		{
			name:   "files that cannot be extended",
			files:  "-- p.bicepparam --\nusing none\nextends 'main.bicep'\n-- main.bicep --\n",
			errors: "2:9 BCP404",
		},
		{
			name:  "secrets of a Key Vault",
			files: usingNone + "param a = getSecret('s', 'g', 'v', 'n')\nparam b = az.getSecret('s', 'g', 'v', 'n', '1')\nparam c = getSecret(externalInput('x'), 'g', 'v', 'n')\n",
			want: `{"a":{"reference":{"keyVault":{"id":"/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/v"},"secretName":"n"}},` +
				`"b":{"reference":{"keyVault":{"id":"/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/v"},"secretName":"n","secretVersion":"1"}},` +
				`"c":{"reference":{"keyVault":{"id":"[resourceId(externalInputs('x_0'), 'g', 'Microsoft.KeyVault', 'vaults', 'v')]"},"secretName":"n"}}}`,
			inputs: `{"x_0":{"kind":"x"}}`,
		},
		{
			name:   "a secret is the whole value, and nothing else can use it",
			files:  usingNone + "param a = getSecret('s', 'g', 'v', 'n')\nparam b = '${a}!'\nvar v = a\nparam c = v\nparam d = '${getSecret('s', 'g', 'v', 'n')}'\n",
			errors: "3:14 BCP368, 4:9 BCP368, 6:11 BCP338, 6:14 BCP351",
		},
		{
			name:   "a parameter that is left to its default cannot be used",
			files:  usingNone + "param a = null\nparam b = a\n",
			errors: "3:11 BCP369",
		},
		{
			name: "external inputs",
			files: usingNone + "import { twice } from 'lib.bicep'\nvar v = externalInput('my kind', { a: [1] })\nvar w = 'w'\nparam a = externalInput('sys.cli', 'x')\nparam b = '${a}-${w}-${twice('t')}-${v}'\nparam c = [externalInput('sys.cli', 'x'), 5]\nparam d = w\n" +
				"-- lib.bicep --\n@export()\nfunc twice(s string) string => '${s}${s}'\n",
			want: `{"a":{"expression":"[externalInputs('sys_cli_0')]"},"b":{"expression":"[format('{0}-{1}-{2}-{3}', externalInputs('sys_cli_0'), 'w', 'tt', externalInputs('my_kind_1'))]"},` +
				`"c":{"expression":"[createArray(externalInputs('sys_cli_0'), 5)]"},"d":{"value":"w"}}`,
			inputs: `{"my_kind_1":{"kind":"my kind","config":{"a":[1]}},"sys_cli_0":{"kind":"sys.cli","config":"x"}}`,
		},
		{
			name:   "what fails tells where",
			files:  usingNone + "param a = int('x')\nparam b = { k: dateTimeAdd('x', 'P1D') }\nvar v = int('y')\nparam c = v\nparam d = fail('no')\nparam e = a\n",
			errors: "2:11 BCP338, 3:11 BCP338, 5:11 BCP338, 6:11 BCP338",
		},
		{
			name:   "missing, unknown and of the wrong type",
			files:  "-- p.bicepparam --\nusing 'main.bicep'\nparam b = 1\nparam x = 1\nparam n = null\n-- main.bicep --\nparam a string\nparam b string\nparam n string?\nparam d int = 1\n",
			errors: "1:7 BCP258, 2:11 BCP033, 3:1 BCP259",
		},
		{
			name:   "nothing is evaluated in a file that cannot be parsed",
			files:  usingNone + "param a = int('x')\nparam b = \n",
			errors: "3:11 BCP009",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r, err := buildParams(t, c.files, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := errorsOf(r); got != c.errors {
				t.Fatalf("errors: got %q, want %q", got, c.errors)
			}
			if c.errors != "" {
				return
			}
			if d := cmp.Diff(c.want, part(t, r, "parameters")); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(c.inputs, part(t, r, "externalInputDefinitions")); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestBuildParamsOfExtensionsAndDeployments(t *testing.T) {
	t.Parallel()
	r, err := buildParams(t, `-- bicepconfig.json --
{"experimentalFeaturesEnabled": {"moduleExtensionConfigs": true, "deployCommands": true}}
-- main.bicep --
extension kubernetes as zed
-- p.bicepparam --
var sub = readCliArg('sub')
using 'main.bicep' with {
  mode: 'deployment'
  scope: '/subscriptions/${sub}'
}
extensionConfig zed with { namespace: 'n${1}', kubeConfig: getSecret('s', 'g', 'v', 'n') }
`, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := errorsOf(r); got != "" {
		t.Fatal(got)
	}
	const want = `{"zed":{"kubeConfig":{"keyVaultReference":{"keyVault":{"id":"/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/v"},"secretName":"n"}},"namespace":{"value":"n1"}}}`
	if d := cmp.Diff(want, part(t, r, "extensionConfigs")); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(`{"expression":"[createObject('mode', 'deployment', 'scope', format('/subscriptions/{0}', externalInputs('sys_cliArg_0')))]"}`, part(t, r, "usingConfig")); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(`{"sys_cliArg_0":{"kind":"sys.cliArg","config":"sub"}}`, part(t, r, "externalInputDefinitions")); d != "" {
		t.Error(d)
	}
}

// TestBuildParamsOfBrokenExtensions shows that configurations of extensions are
// evaluated even if something else in the file cannot be parsed.
func TestBuildParamsOfBrokenExtensions(t *testing.T) {
	t.Parallel()
	r, err := buildParams(t, `-- bicepconfig.json --
{"experimentalFeaturesEnabled": {"moduleExtensionConfigs": true}}
-- main.bicep --
extension kubernetes
-- p.bicepparam --
using 'main.bicep'
var secret = getSecret('s', 'g', 'v', 'n')
extensionConfig kubernetes with { namespace: secret, kubeConfig: true ? getSecret('s', 'g', 'v', 'n') : '' }
param x = int('y')
param broken =
`, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := errorsOf(r), "3:46 BCP338, 3:66 BCP338, 4:1 BCP259, 5:1 BCP259, 5:15 BCP009"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestBuildParamsOverrides(t *testing.T) {
	t.Parallel()
	const files = "-- p.bicepparam --\nusing none\nparam a = '1' // kept\nparam b = [\n  a\n]\n"
	r, err := buildParams(t, files, func(r *bicep.Request) {
		r.Overrides = `{"a": "it's ${x}", "c": {"k 1": [1.5, -2, null, true, {}], "n": []}}`
	})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"a":{"value":"it's ${x}"},"b":{"value":["it's ${x}"]},"c":{"value":{"k 1":[1.5,-2,null,true,{}],"n":[]}}}`
	if d := cmp.Diff(want, part(t, r, "parameters")); d != "" {
		t.Error(d)
	}
	for _, bad := range []string{"{", "[]", `{"no name": 1}`} {
		if _, err := buildParams(t, files, func(r *bicep.Request) { r.Overrides = bad }); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}

func TestBuildParamsPartial(t *testing.T) {
	t.Parallel()
	const files = "-- p.bicepparam --\nusing 'main.bicep'\nparam a = 1\n-- main.bicep --\nparam a int\nparam b int\n"
	r, err := buildParams(t, files, func(r *bicep.Request) { r.Partial = true })
	if err != nil {
		t.Fatal(err)
	}
	if got := errorsOf(r); got != "" || part(t, r, "parameters") != `{"a":{"value":1}}` || r.Template == nil {
		t.Errorf("%q %s", got, r.Parameters)
	}
	if filepath.Base(r.Using) != "main.bicep" {
		t.Errorf("using %q", r.Using)
	}
}

// TestBuildParamsTemplate looks at the template beside the parameters.
func TestBuildParamsTemplate(t *testing.T) {
	t.Parallel()
	const arm = "{ \"$schema\": \"https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#\",\n \"contentVersion\": \"1.0.0.0\", \"resources\": [] }\n"
	r, err := buildParams(t, "-- p.bicepparam --\nusing 'main.json'\n-- main.json --\n"+arm, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := errorsOf(r); got != "" || string(r.Template) != arm {
		t.Errorf("%q: an ARM template is not passed on as it is: %q", got, r.Template)
	}
	if r, err = buildParams(t, usingNone, nil); err != nil || r.Template != nil || r.Parameters == nil {
		t.Errorf("using none: %v %q", err, r.Template)
	}
}

func FuzzBuildParams(f *testing.F) {
	for _, s := range []string{
		"using 'main.bicep'\nparam s = 'x'\nparam n = length('abc') + 1\n",
		"using none\nextends 'base.bicepparam'\nparam a = '${base.a}+${v}'\nvar v = [for (x, i) in range(0, 3): { n: x, i: i }]\n",
		"using none\nimport { n, f as g } from 'lib.bicep'\nimport * as lib from 'lib.bicep'\nparam a = g(n) + lib.f(lib.n)\n",
		"using none\nparam a = getSecret('s', 'g', 'v', 'n')\nparam b = externalInput('k', { a: 1 })\nparam c = '${b}-${d}'\nparam d = null\n",
		"using 'main.bicep' with { mode: 'stack' }\nextensionConfig x with { a: 1 }\nparam s = readEnvironmentVariable('KNOWN')\n",
		"using none\nparam a = map([1, 2], x => { v: x, w: [x, ...[x]] })[^1].?v!.w[0] ?? 'd'\n",
	} {
		f.Add(s)
	}
	dir := f.TempDir()
	for name, text := range map[string]string{
		"main.bicep":      "@minLength(1)\nparam s string\nparam n int = 1\nparam o { a: string, b: int? }?\n@allowed(['x', 'y'])\nparam e string = 'x'\n",
		"base.bicepparam": "using none\nvar v = 'V'\nparam a = v\nparam z = { k: a }\n",
		"lib.bicep":       "@export()\nvar n = 5\n@export()\nfunc f(x int) int => x * n\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "p.bicepparam")
		if err := os.WriteFile(path, []byte(strings.NewReplacer("'main", "'"+filepath.ToSlash(relative(path, dir))+"/main", "'base", "'"+filepath.ToSlash(relative(path, dir))+"/base",
			"'lib", "'"+filepath.ToSlash(relative(path, dir))+"/lib").Replace(text)), 0o644); err != nil {
			t.Fatal(err)
		}
		r, err := bicep.Embedded{}.BuildParams(context.Background(), bicep.Request{File: path, LookupEnv: func(string) (string, bool) { return "", false }})
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if r.OK() != (r.Parameters != nil) {
			t.Fatalf("%q: errors are %q, parameters %q", text, errorsOf(r), r.Parameters)
		}
	})
}

// relative returns the way from the folder of a file to another folder.
func relative(file, to string) string {
	rel, err := filepath.Rel(filepath.Dir(file), to)
	if err != nil {
		return to
	}
	return rel
}

// TestBuildParamsOfLongChains evaluates variables that use each other in a row,
// with a mistake at the end of one.
func TestBuildParamsOfLongChains(t *testing.T) {
	t.Parallel()
	chain := func(first string) string {
		var b strings.Builder
		fmt.Fprintf(&b, "%svar v0 = %s\n", usingNone, first)
		for i := 1; i < 500; i++ {
			fmt.Fprintf(&b, "var v%d = toLower('${v%d}A')\n", i, i-1)
		}
		return b.String() + "param p = v499\n"
	}
	r, err := buildParams(t, chain("'X'"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := part(t, r, "parameters"), `{"p":{"value":"x`+strings.Repeat("a", 499)+`"}}`; got != want {
		t.Errorf("got %s, errors %s", got, errorsOf(r))
	}
	r, err = buildParams(t, chain("base64ToString('?')"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		if f.Code == "BCP338" && strings.Count(f.Message, "variable") != 1 {
			t.Errorf("the message is %s", f.Message)
		}
	}
	if got := errorsOf(r); !strings.HasSuffix(got, "BCP338") {
		t.Errorf("errors %s", got)
	}
}
