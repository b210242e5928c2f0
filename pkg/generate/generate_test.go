package generate_test

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/generate"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/params"
)

// shop is the template of most tests.
const shop = `param port int
param tag string = 'latest'
param sizes int[] = []
@secure()
param password string = ''
output all object = { port: port, tag: tag, sizes: sizes }
@secure()
output hidden string = password
`

// files are those of all tests.
var files = source.Memory{
	"/shop.bicep":        shop,
	"/shop.bicepparam":   "using 'shop.bicep'\nparam port = 1\nparam tag = 'file'\n",
	"/secure.bicepparam": "using 'shop.bicep'\nparam port = 1\nparam password = 'hush'\n",
	"/env.bicepparam":    "using 'shop.bicep'\nparam port = 1\nparam tag = readEnvironmentVariable('TAG')\n",
	"/none.bicepparam":   "using none\nparam port = 1\n",
	"/other.bicepparam":  "using 'other.bicep'\n",
	"/other.bicep":       "output o int = 1\n",
	"/values.json":       `{"port": 2, "sizes": [1, 2]}`,
	"/tag.txt":           "text",
	"/broken.bicep":      "param port int\noutput o int = nosuch\n",
	"/needs.bicep":       "param plain string\n@secure()\nparam secret string\noutput o string = plain\n@secure()\noutput p string = secret\n",
	"/store.bicep": `param name string
resource store 'Microsoft.Storage/storageAccounts@2023-01-01' = {
  name: name
  location: 'westeurope'
  kind: 'StorageV2'
  sku: { name: 'Standard_LRS' }
}
`,
	"/store.bicepparam": "using 'store.bicep'\nparam name = readEnvironmentVariable('TAG')\n",
	"/text.json":        "{\n  \"a\": ",
	"/list.json":        "[]",
	"/object.json":      "{}",
	"/params.json":      `{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentParameters.json#", "parameters": {}}`,
	"/template.json":    `{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#", "contentVersion": "1.0.0.0", "parameters": {"port": {"type": "int"}}, "resources": []}`,
}

// environment are variables.
type environment map[string]string

func (e environment) Lookup(name string) (string, bool) { v, ok := e[name]; return v, ok }
func (e environment) Hint(string) string                { return "" }

// inMemory is a source of these files.
func inMemory() generate.Source {
	return generate.Source{
		Base: bicep.Request{FS: files, Root: "/", Env: environment{"TAG": "variable"}, Options: bicep.Options{AzTypes: bicep.NoAzTypes}},
		Host: host{files},
	}
}

// host is a command line in the folder of files.
type host struct{ source.Memory }

func (h host) FilesFor(string) (string, source.FS) { return "/", h.Memory }
func (host) Shown(path string) string              { return path }
func (host) ReadStdin() ([]byte, error)            { return []byte(`{"port": 3}`), nil }

// input is a template with arguments.
func input(t *testing.T, template string, args ...string) generate.Input {
	t.Helper()
	parsed, err := params.ParseArgs(args)
	require.NoError(t, err)
	return generate.Input{Template: template, Args: parsed}
}

// load loads a program that is right.
func load(t *testing.T, s generate.Source, template string, args ...string) *generate.Program {
	t.Helper()
	p, err := generate.Load(context.Background(), s, input(t, template, args...))
	require.NoError(t, err)
	return p
}

// values are the values of a program, as text.
func values(p *generate.Program) map[string]string {
	all := map[string]string{}
	for _, v := range p.Values {
		all[v.Name] = armjson.Text(v.Value)
	}
	return all
}

func TestArguments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		template string
		args     []string
		want     map[string]string
	}{
		{"/shop.bicep", []string{"port=1"}, map[string]string{"port": "1"}},
		{"/shop.bicep", []string{"port:=1", "sizes=[3]"}, map[string]string{"port": "1", "sizes": "[3]"}},
		{"/shop.bicep", []string{"@/values.json"}, map[string]string{"port": "2", "sizes": "[1,2]"}},
		{"/shop.bicep", []string{"@/values.json", "port=9"}, map[string]string{"port": "9", "sizes": "[1,2]"}},
		{"/shop.bicep", []string{"port=9", "@/values.json"}, map[string]string{"port": "2", "sizes": "[1,2]"}},
		{"/shop.bicep", []string{"@-"}, map[string]string{"port": "3"}},
		{"/shop.bicep", []string{"port=1", "tag=@text:/tag.txt"}, map[string]string{"port": "1", "tag": `"text"`}},
		{"/shop.bicep", []string{"port=1", "tag=@env:TAG"}, map[string]string{"port": "1", "tag": `"variable"`}},
		{"/shop.bicep", []string{"/shop.bicepparam"}, map[string]string{"port": "1", "tag": `"file"`}},
		{"/shop.bicepparam", nil, map[string]string{"port": "1", "tag": `"file"`}},
		{"/shop.bicepparam", []string{"port=9"}, map[string]string{"port": "9", "tag": `"file"`}},
		{"/env.bicepparam", nil, map[string]string{"port": "1", "tag": `"variable"`}},
		{"/template.json", []string{"port=1"}, map[string]string{"port": "1"}},
	} {
		p := load(t, inMemory(), c.template, c.args...)
		assert.Equal(t, c.want, values(p), "%s %q", c.template, c.args)
	}
}

// TestFiles tells what a program was made of.
func TestFiles(t *testing.T) {
	t.Parallel()
	p := load(t, inMemory(), "/shop.bicepparam", "@/values.json", "tag=@text:/tag.txt")
	assert.Equal(t, "/shop.bicep", p.Path)
	assert.Equal(t, "shop.bicep", p.Name)
	assert.Subset(t, p.Files, []string{"/shop.bicepparam", "/shop.bicep", "/values.json", "/tag.txt"})
	assert.Subset(t, p.Compiled, []string{"/shop.bicepparam", "/shop.bicep"})
	assert.NotContains(t, p.Compiled, "/values.json")

	// A file for another template is read, too: --watch runs again when it is repaired.
	p, err := generate.Load(context.Background(), inMemory(), input(t, "/template.json", "/shop.bicepparam"))
	require.ErrorContains(t, err, "This file is for the template /shop.bicep, not for /template.json")
	assert.Contains(t, p.Files, "/shop.bicepparam")
}

func TestFallbacks(t *testing.T) {
	t.Parallel()
	in := generate.Input{Template: "/app.bicep", Group: "g", Fallbacks: []generate.Fallback{
		{Parameter: "environment", Value: "e", Kind: "environments"},
		{Parameter: "application", Value: "/an/id", Kind: "applications"},
		{Parameter: "absent", Value: "x", Kind: "environments"},
	}}
	s := inMemory()
	s.Host, s.Base.FS = nil, source.Memory{"/app.bicep": "param environment string\nparam application string\noutput o string = '${environment}${application}'\n"}
	p, err := generate.Load(context.Background(), s, in)
	require.NoError(t, err)
	assert.Equal(t, map[string]string{"environment": `"/planes/radius/local/resourceGroups/g/providers/Applications.Core/environments/e"`, "application": `"/an/id"`}, values(p))
	in.Args = input(t, "", "environment=given").Args
	p, err = generate.Load(context.Background(), s, in)
	require.NoError(t, err)
	assert.Equal(t, `"given"`, values(p)["environment"])

	// One that was asked for is not ignored, unless another value was asked for, too.
	in.Fallbacks[0].Firm, in.Own = true, 1
	_, err = generate.Load(context.Background(), s, in)
	var e *generate.FallbackError
	require.ErrorAs(t, err, &e)
	assert.Equal(t, "environment=…", e.By.String())
	in.Args = input(t, "", "environment=given", "environment=now").Args
	p, err = generate.Load(context.Background(), s, in)
	require.NoError(t, err)
	assert.Equal(t, `"now"`, values(p)["environment"])
	in.Args = input(t, "", "environment="+"/planes/radius/local/resourceGroups/g/providers/Applications.Core/environments/e").Args
	_, err = generate.Load(context.Background(), s, in)
	require.NoError(t, err, "it is the same value")
}

// specCompiler is a compiler of a parameter file that uses a template spec.
type specCompiler struct{ bicep.Embedded }

func (specCompiler) BuildParams(context.Context, bicep.Request) (*bicep.Result, error) {
	return &bicep.Result{TemplateSpec: "/subscriptions/s/resourceGroups/g/providers/Microsoft.Resources/templateSpecs/t/versions/1"}, nil
}

func TestTemplateErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		template string
		compiler bicep.Compiler
		problem  generate.Problem
		want     string
	}{
		{"/text.json", nil, generate.NotJSON, "/text.json(2,8): not JSON: the text ends where a value is expected"},
		{"/list.json", nil, generate.NotJSON, "/list.json: the template is not a JSON object"},
		{"/object.json", nil, generate.NotTemplate, "/object.json: not an ARM template: it has no resources"},
		{"/params.json", nil, generate.ParameterFile, "/params.json: this is an ARM parameter file"},
		{"/none.bicepparam", nil, generate.UsesNone, "/none.bicepparam: it uses no template"},
		{"/none.bicepparam", specCompiler{}, generate.UsesSpec, "/none.bicepparam: it uses a template spec, which a manifest cannot hold"},
	} {
		s := inMemory()
		s.Compiler = c.compiler
		p, err := generate.Load(context.Background(), s, input(t, c.template, "port=1"))
		var e *generate.TemplateError
		if assert.ErrorAs(t, err, &e, c.template) {
			assert.Equal(t, c.problem, e.Problem, c.template)
			assert.EqualError(t, err, c.want)
			assert.Equal(t, err, p.Failed())
		}
	}
	s := inMemory()
	s.NoTemplate = true
	p := load(t, s, "/none.bicepparam")
	assert.Nil(t, p.Tree)
	assert.Equal(t, []string{"/none.bicepparam: it uses no template, so it deploys nothing"}, p.Notices)
	_, err := generate.Load(context.Background(), inMemory(), input(t, "/absent.json"))
	assert.ErrorIs(t, err, fs.ErrNotExist)
}

func TestReadErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		arg, want string
		private   bool
	}{
		{"@/absent.json", "/absent.json: ", false},
		{"/absent.bicepparam", "/absent.bicepparam: ", false},
		{"port=@/absent.json", "/absent.json: ", false},
		{"tag=@text:/absent.txt", "/absent.txt: ", false},
		{"password=@text:/absent.txt", "password: its file cannot be read: file does not exist", true},
		{"tag=@env:ABSENT", "there is no such environment variable", false},
		{"@-", "there is none", false},
	} {
		s := inMemory()
		s.Host = nil // which has no standard input
		p, err := generate.Load(context.Background(), s, input(t, "/shop.bicep", c.arg))
		var e *params.ReadError
		if assert.ErrorAs(t, err, &e, c.arg) {
			assert.ErrorContains(t, err, c.want)
			assert.Equal(t, c.private, e.Private, c.arg)
			assert.Equal(t, c.private, !strings.Contains(err.Error(), "absent") && strings.Contains(c.arg, "absent"), "%s: %v", c.arg, err)
			assert.NotNil(t, p.Declared)
		}
	}
	// All that cannot be read is said at once.
	_, err := generate.Load(context.Background(), inMemory(), input(t, "/shop.bicep", "@/a.json", "port=@/b.json"))
	assert.ErrorContains(t, err, "/a.json")
	assert.ErrorContains(t, err, "/b.json")
}

// codes are the codes of the errors among findings, with the parameters that they are about.
func codes(findings []report.Finding) []string {
	var list []string
	for _, f := range findings {
		if f.Severity != report.Error {
			continue
		}
		code := f.Code
		var problem *params.Problem
		if errors.As(f.Cause, &problem) {
			code += " " + problem.Parameter
		}
		list = append(list, code)
	}
	return list
}

// TestMissing: what looks at a program needs no values.
func TestMissing(t *testing.T) {
	t.Parallel()
	p := load(t, inMemory(), "/needs.bicep")
	_, found, err := p.Manifest(manifest.Options{}, "")
	assert.Equal(t, []string{"missing-parameter plain", "missing-parameter secret"}, codes(found.Findings))
	require.Error(t, err)
	_, found, err = p.Objects(generate.KindOf("aso"), generate.ObjectOptions{})
	assert.Equal(t, []string{"missing-parameter plain"}, codes(found.Findings))
	require.Error(t, err)
	b, _, err := p.Bundle(generate.BundleOptions{})
	require.NoError(t, err)
	assert.Empty(t, b.Manifests)
	_, _, err = p.Expand(generate.ObjectOptions{}.Context)
	require.NoError(t, err)
	// What cannot be read may hold what is missing.
	p, _ = generate.Load(context.Background(), inMemory(), input(t, "/needs.bicep", "@/text.json"))
	_, found, _ = p.Manifest(manifest.Options{}, "")
	assert.Equal(t, []string{"parameter-file "}, codes(found.Findings))
	// A null for a parameter that needs a value is none.
	p = load(t, inMemory(), "/needs.bicep", "plain:=null", "secret=x")
	_, found, _ = p.Manifest(manifest.Options{}, params.SecureAllow)
	assert.Equal(t, []string{"missing-parameter plain"}, codes(found.Findings))
}

func TestSecure(t *testing.T) {
	t.Parallel()
	p := load(t, inMemory(), "/secure.bicepparam")
	assert.True(t, p.Hides("password"))
	assert.False(t, p.Hides("port"))
	for policy, want := range map[params.SecurePolicy]struct {
		codes []string
		text  string // of the manifest
	}{
		"":                     {codes: []string{"secure-parameter password"}},
		params.SecureError:     {codes: []string{"secure-parameter password"}},
		params.SecureOmit:      {text: `"port": {`},
		params.SecureReference: {text: "secretKeyRef"},
		params.SecureAllow:     {text: "hush"},
	} {
		values, _ := p.Written(policy, nil)
		assert.Equal(t, policy == params.SecureAllow, values.Private())
		m, found, err := p.Manifest(manifest.Options{}, policy)
		assert.Equal(t, want.codes, codes(found.Findings), policy)
		if want.text == "" {
			require.Error(t, err, policy)
			assert.NotContains(t, err.Error(), "hush")
			continue
		}
		require.NoError(t, err, policy)
		text, err := m.Render(manifest.YAML)
		require.NoError(t, err, policy)
		assert.Contains(t, string(text), want.text, policy)
		assert.Equal(t, policy == params.SecureAllow, strings.Contains(string(text), "hush"), policy)
	}
	// A value that is left out may be anything; one that is used must fit.
	p = load(t, inMemory(), "/shop.bicep", "port=1", "password:=5")
	_, _, err := p.Manifest(manifest.Options{}, params.SecureOmit)
	require.NoError(t, err)
	_, found, err := p.Manifest(manifest.Options{}, params.SecureAllow)
	assert.Equal(t, []string{"parameter-type password"}, codes(found.Findings))
	require.Error(t, err)
	_, found, err = p.Expand(generate.ObjectOptions{}.Context)
	assert.Equal(t, []string{"parameter-type password"}, codes(found.Findings))
	require.Error(t, err)
}

// TestReadOn reads the arguments of a template with errors only if that is asked for.
func TestReadOn(t *testing.T) {
	t.Parallel()
	for _, on := range []bool{false, true} {
		s := inMemory()
		s.ReadOn = on
		for _, template := range []string{"/broken.bicep", "/absent.json", "/object.json"} {
			p, err := generate.Load(context.Background(), s, input(t, template, "@/values.json"))
			require.Error(t, err, template)
			assert.Equal(t, on, slices.Contains(p.Files, "/values.json"), "%s: %q", template, p.Files)
		}
	}
}

// TestNoFiles reads nothing where the source says nothing of files: nothing stands for the
// whole disk.
func TestNoFiles(t *testing.T) {
	t.Parallel()
	p, err := generate.Load(context.Background(), generate.Source{}, input(t, "/shop.bicep", "port=1"))
	assert.ErrorContains(t, err, "bicep.Dir")
	assert.Equal(t, err, p.Failed())
	// Files that depend on the path are enough, for arguments too.
	s := inMemory()
	s.Base.FS = nil
	assert.Equal(t, "2", values(load(t, s, "/shop.bicep", "@/values.json"))["port"])
	assert.Equal(t, "1", values(load(t, s, "/template.json", "port=1"))["port"])
}

// TestFailed makes nothing of a program that could not be loaded, and says why.
func TestFailed(t *testing.T) {
	t.Parallel()
	for _, template := range []string{"/broken.bicep", "/absent.json", "/object.json", "/none.bicepparam"} {
		p, why := generate.Load(context.Background(), inMemory(), input(t, template))
		require.Error(t, why, template)
		_, _, err := p.Manifest(manifest.Options{}, "")
		assert.Equal(t, why, err, "%s: Manifest", template)
		_, _, err = p.Objects(generate.KindOf("aso"), generate.ObjectOptions{})
		assert.Equal(t, why, err, "%s: Objects", template)
		_, _, err = p.Bundle(generate.BundleOptions{})
		assert.Equal(t, why, err, "%s: Bundle", template)
		_, _, err = p.Expand(generate.ObjectOptions{}.Context)
		assert.Equal(t, why, err, "%s: Expand", template)
	}
}

func TestManifest(t *testing.T) {
	t.Parallel()
	p := load(t, inMemory(), "/shop.bicep", "port=1")
	m, _, err := p.Manifest(manifest.Options{Target: manifest.Design, Group: "g"}, "")
	require.NoError(t, err)
	assert.Equal(t, "shop.bicep", m.Name)
	text, err := m.Render(manifest.YAML)
	require.NoError(t, err)
	assert.Contains(t, string(text), "name: shop.bicep\n")
	assert.Contains(t, string(text), "/planes/radius/local/resourceGroups/g")
	_, _, err = p.Manifest(manifest.Options{Group: "a/b"}, "")
	var e *manifest.OptionError
	if assert.ErrorAs(t, err, &e) {
		assert.Equal(t, manifest.OptionGroup, e.Option)
	}
}

func TestExpand(t *testing.T) {
	t.Parallel()
	s := inMemory()
	x := generate.ObjectOptions{}.Context
	x.SubscriptionID, x.ResourceGroup = "sub", "apps"
	for _, c := range []struct {
		template string
		args     []string
		name     string // "" is one that is not shown
	}{
		{"/store.bicep", []string{"name=shop"}, "shop"},
		{"/store.bicepparam", nil, ""}, // a value of the environment
		{"/store.bicep", nil, ""},      // none
	} {
		result, _, err := load(t, s, c.template, c.args...).Expand(x)
		require.NoError(t, err)
		require.Len(t, result.Resources, 1)
		assert.Equal(t, "Microsoft.Storage/storageAccounts", result.Resources[0].Type)
		name, _ := result.Resources[0].Name.(armjson.String)
		assert.Equal(t, c.name, string(name), "%s %q", c.template, c.args)
	}
	s.Host, s.Base.FS = nil, source.Memory{"/app.bicep": "param i int\noutput o int = [1][i]\n"}
	p := load(t, s, "/app.bicep", "i=5")
	_, found, err := p.Expand(x)
	require.NoError(t, err)
	assert.Len(t, found.Notices, 1, "the deployment would fail")
}

func TestObjects(t *testing.T) {
	t.Parallel()
	s := inMemory()
	s.Base.Symbolic = true
	aso := generate.KindOf("aso")
	require.NotNil(t, aso)
	assert.Nil(t, generate.KindOf("design"))
	p := load(t, s, "/store.bicep", "name=shop")
	_, _, err := p.Objects(aso, generate.ObjectOptions{})
	require.ErrorIs(t, err, generate.ErrOptions)

	o := generate.ObjectOptions{Namespace: "apps", Labels: map[string]string{"team": "web"}}
	o.Context.SubscriptionID, o.Context.ResourceGroup = "00000000-0000-0000-0000-000000000000", "apps"
	made, _, err := p.Objects(aso, o)
	require.NoError(t, err)
	require.NotEmpty(t, made.List)
	store := made.List[slices.IndexFunc(made.List, func(o *manifest.Object) bool { return o.Kind == "StorageAccount" })]
	assert.Equal(t, "apps", store.Namespace)
	assert.Equal(t, "web", store.Labels["team"])

	p = load(t, s, "/shop.bicep", "port=1")
	_, found, err := p.Objects(aso, o)
	assert.Equal(t, []string{"no-objects"}, codes(found.Findings))
	assert.Equal(t, report.ErrorOf(found.Findings), err)
}

// TestProgramsShareNothing loads programs of one source, one after the other and at the same
// time: each stays as if it were the only one, whatever is made of it.
func TestProgramsShareNothing(t *testing.T) {
	t.Parallel()
	inputs := []generate.Input{
		input(t, "/shop.bicep", "port=x"), input(t, "/shop.bicep", "port=1", "tag:=2"), input(t, "/shop.bicepparam", "tag=other"),
		input(t, "/shop.bicep", "@/values.json"), input(t, "/broken.bicep"), input(t, "/env.bicepparam"), input(t, "/none.bicepparam"),
	}
	type outcome struct {
		values            map[string]string
		findings, notices []string
		files             []string
		failed            error
	}
	look := func(p *generate.Program) outcome {
		o := outcome{values: values(p), notices: slices.Clone(p.Notices), files: slices.Clone(p.Files), failed: p.Err}
		for _, f := range p.Findings {
			o.findings = append(o.findings, f.Path+": "+f.Code+": "+f.Message)
		}
		return o
	}
	source := func() generate.Source {
		s := inMemory()
		s.NoTemplate = true
		return s
	}
	s := source()
	var programs []*generate.Program
	var want []outcome
	for _, in := range inputs {
		p, _ := generate.Load(context.Background(), s, in)
		programs = append(programs, p)
		want = append(want, look(p))
	}
	use := func(p *generate.Program) {
		_, _, _ = p.Bundle(generate.BundleOptions{})
		_, _, _ = p.Manifest(manifest.Options{Group: "g"}, params.SecureOmit)
		_, _, _ = p.Objects(generate.KindOf("aso"), generate.ObjectOptions{})
		_, _, _ = p.ExpandAll(generate.ObjectOptions{}.Context)
	}
	for i, in := range inputs {
		use(programs[i])
		assert.Equal(t, want[i], look(programs[i]), "%s: after the others", in.Template)
		alone, _ := generate.Load(context.Background(), source(), in)
		assert.Equal(t, want[i], look(alone), "%s: of a source of its own", in.Template)
	}
	var wg sync.WaitGroup
	for range 5 {
		for i, in := range inputs {
			wg.Go(func() {
				p, _ := generate.Load(context.Background(), s, in)
				use(p)
				use(programs[i])
				assert.Equal(t, want[i], look(p), "%s: at the same time", in.Template)
			})
		}
	}
	wg.Wait()
}
