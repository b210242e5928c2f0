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
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// buildParams writes the files of a txtar archive and compiles its p.bicepparam.
func buildParams(t *testing.T, files string, change func(*bicep.Request)) (*bicep.Result, error) {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(files)).Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, f.Data, 0o644))
	}
	r := bicep.Request{FS: source.Below(dir), File: filepath.Join(dir, "p.bicepparam"), Env: variables{"KNOWN": "from the environment"}}
	if change != nil {
		change(&r)
	}
	return bicep.Embedded{}.BuildParams(context.Background(), r)
}

// variables is an environment.
type variables map[string]string

func (v variables) Lookup(name string) (string, bool) { value, ok := v[name]; return value, ok }
func (v variables) Hint(string) string                { return "" }

// process is the environment of the process.
type process struct{}

func (process) Lookup(name string) (string, bool) { return os.LookupEnv(name) }
func (process) Hint(string) string                { return "" }

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
	require.NoError(t, err, "%v\n%s", err, r.Parameters)
	p, ok := v.(*armjson.Object).Get(name)
	if !ok {
		return ""
	}
	return armjson.Text(p)
}

const usingNone = "-- p.bicepparam --\nusing none\n"

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
	require.NoError(t, err)
	require.Empty(t, errorsOf(r))
	const want = `{"zed":{"kubeConfig":{"keyVaultReference":{"keyVault":{"id":"/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/v"},"secretName":"n"}},"namespace":{"value":"n1"}}}`
	assert.Empty(t, cmp.Diff(want, part(t, r, "extensionConfigs")))
	assert.Empty(t, cmp.Diff(`{"expression":"[createObject('mode', 'deployment', 'scope', format('/subscriptions/{0}', externalInputs('sys_cliArg_0')))]"}`, part(t, r, "usingConfig")))
	assert.Empty(t, cmp.Diff(`{"sys_cliArg_0":{"kind":"sys.cliArg","config":"sub"}}`, part(t, r, "externalInputDefinitions")))
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
	require.NoError(t, err)
	got, want := errorsOf(r), "3:46 BCP338, 3:66 BCP338, 4:1 BCP259, 5:1 BCP259, 5:15 BCP009"
	assert.Equal(t, want, got)
}

// TestConfigurationOfAnExtensionIsNoValue: the alias of an extension is not a value, and the findings say so in words.
func TestConfigurationOfAnExtensionIsNoValue(t *testing.T) {
	t.Parallel()
	r, err := buildParams(t, `-- bicepconfig.json --
{"experimentalFeaturesEnabled": {"moduleExtensionConfigs": true}}
-- main.bicep --
extension kubernetes
-- p.bicepparam --
using 'main.bicep'
extensionConfig kubernetes with { namespace: kubernetes.namespace, kubeConfig: '' }
`, nil)
	require.NoError(t, err)
	require.Equal(t, "2:46 BCP063, 2:46 BCP338", errorsOf(r))
	require.Equal(t, `The configuration of the extension "kubernetes" cannot be evaluated: no template can hold the configuration of the extension "kubernetes" as a value.`, r.Findings[len(r.Findings)-1].Message)
}

func TestBuildParamsOverrides(t *testing.T) {
	t.Parallel()
	const files = "-- p.bicepparam --\nusing none\nparam a = '1' // kept\nparam b = [\n  a\n]\n"
	r, err := buildParams(t, files, func(r *bicep.Request) {
		r.Overrides = `{"a": "it's ${x}", "c": {"k 1": [1.5, -2, null, true, {}], "n": []}}`
	})
	require.NoError(t, err)
	const want = `{"a":{"value":"it's ${x}"},"b":{"value":["it's ${x}"]},"c":{"value":{"k 1":[1.5,-2,null,true,{}],"n":[]}}}`
	assert.Empty(t, cmp.Diff(want, part(t, r, "parameters")))
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
	require.NoError(t, err)
	got := errorsOf(r)
	require.Empty(t, got, "%q %s", got, r.Parameters)
	require.Equal(t, `{"a":{"value":1}}`, part(t, r, "parameters"), "%q %s", got, r.Parameters)
	require.NotNil(t, r.Template, "%q %s", got, r.Parameters)
	assert.Equal(t, "main.bicep", filepath.Base(r.Using), "using %q", r.Using)
}

// TestBuildParamsTemplate looks at the template beside the parameters.
func TestBuildParamsTemplate(t *testing.T) {
	t.Parallel()
	const arm = "{ \"$schema\": \"https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#\",\n \"contentVersion\": \"1.0.0.0\", \"resources\": [] }\n"
	r, err := buildParams(t, "-- p.bicepparam --\nusing 'main.json'\n-- main.json --\n"+arm, nil)
	require.NoError(t, err)
	got := errorsOf(r)
	require.Empty(t, got, "%q: an ARM template is not passed on as it is: %q", got, r.Template)
	require.Equal(t, arm, string(r.Template), "%q: an ARM template is not passed on as it is: %q", got, r.Template)
	r, err = buildParams(t, usingNone, nil)
	require.NoError(t, err, "using none: %v %q", err, r.Template)
	require.Nil(t, r.Template, "using none: %v", err)
	require.NotNil(t, r.Parameters, "using none: %v %q", err, r.Template)
}

func FuzzBuildParams(f *testing.F) {
	seeds, err := txtar.ParseFile("testdata/fuzzparams.txtar")
	require.NoError(f, err)
	for _, s := range seeds.Files {
		f.Add(string(s.Data))
	}
	dir := f.TempDir()
	for name, text := range map[string]string{
		"main.bicep":        "@minLength(1)\nparam s string\nparam n int = 1\nparam o { a: string, b: int? }?\n@allowed(['x', 'y'])\nparam e string = 'x'\n",
		"base.bicepparam":   "using none\nvar v = 'V'\nparam a = v\nparam z = { k: a }\n",
		"broken.bicepparam": "using none\nvar v = nothing.x\nparam a = v[for\nparam z = { k: f(a), ...v }\n",
		"lib.bicep":         "@export()\nvar n = 5\n@export()\nfunc f(x int) int => x * n\n@export()\nvar bad = n.x + nothing()\n@export()\ntype t = { a: t }\n",
	} {
		require.NoError(f, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "p.bicepparam")
		require.NoError(t, os.WriteFile(path, []byte(strings.NewReplacer("'main", "'"+filepath.ToSlash(relative(path, dir))+"/main", "'base", "'"+filepath.ToSlash(relative(path, dir))+"/base",
			"'lib", "'"+filepath.ToSlash(relative(path, dir))+"/lib").Replace(text)), 0o644))
		r, err := bicep.Embedded{}.BuildParams(context.Background(), bicep.Request{FS: source.Disk{}, File: path})
		require.NoError(t, err, "%q", text)
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
	require.NoError(t, err)
	if got, want := part(t, r, "parameters"), `{"p":{"value":"x`+strings.Repeat("a", 499)+`"}}`; got != want {
		t.Errorf("got %s, errors %s", got, errorsOf(r))
	}
	r, err = buildParams(t, chain("base64ToString('?')"), nil)
	require.NoError(t, err)
	for _, f := range r.Findings {
		assert.False(t, f.Code == "BCP338" && strings.Count(f.Message, "variable") != 1, "the message is %s", f.Message)
	}
	got := errorsOf(r)
	assert.True(t, strings.HasSuffix(got, "BCP338"), "errors %s", got)
}

// faulty is an environment that stands for a fault anywhere in the compiler.
type faulty struct{ variables }

func (faulty) Lookup(string) (string, bool) { panic("oops") }

// A fault of the compiler ends the compile with an error of its own kind, which holds the place.
func TestAFaultOfTheCompilerIsAnInternalError(t *testing.T) {
	t.Parallel()
	files := source.Memory{"/p/main.bicepparam": "using none\nparam p = readEnvironmentVariable('X')\n"}
	result, err := bicep.Embedded{}.BuildParams(t.Context(), bicep.Request{File: "/p/main.bicepparam", FS: files, Env: faulty{}})
	var internal *bicep.InternalError
	require.ErrorAs(t, err, &internal)
	require.Equal(t, "oops", internal.Fault)
	require.Contains(t, string(internal.Stack), "Lookup")
	require.Nil(t, result)
}
