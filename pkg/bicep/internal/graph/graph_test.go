package graph_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/cache"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/registrytest"
	"github.com/radbicep/rad/pkg/bicep/source"
)

func load(t *testing.T, files source.Memory, restored source.Memory) *graph.Program {
	t.Helper()
	if restored == nil {
		restored = source.Memory{}
	}
	p, err := graph.Load(context.Background(), "/p/main.bicep", graph.Options{FS: files, Artifacts: &cache.Reader{FS: restored, Project: files}})
	require.NoError(t, err)
	return p
}

// outcome describes what became of each reference of a file: the path of what
// is meant, or a code.
func outcome(f *graph.File) string {
	var list []string
	for _, r := range f.References {
		switch {
		case r.Problem != nil:
			list = append(list, r.Problem.Code())
		case r.File != nil:
			list = append(list, r.File.Path)
		case r.Archive != nil:
			types, problem := r.Archive.Types()
			if problem != nil {
				list = append(list, problem.Code())
				continue
			}
			list = append(list, "archive "+string(types))
		case r.BuiltIn != "":
			list = append(list, "built-in "+r.BuiltIn)
		default:
			list = append(list, "")
		}
	}
	return strings.Join(list, " ")
}

func tgz(t *testing.T, name, content string) string {
	return string(registrytest.Archive(t, name, content))
}

func TestReferences(t *testing.T) {
	t.Parallel()
	const digest = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	for _, test := range []struct{ text, want string }{
		{`module m 'a.bicep' = {}`, "/p/a.bicep"},
		{`module m './sub/../a.bicep' = {}`, "/p/a.bicep"},
		{`module m 'a.json' = {}`, "/p/a.json"},
		{`module m 'none.bicep' = {}`, "BCP091"},
		{`module m 'sub' = {}`, "BCP275"},
		{`module m '' = {}`, "BCP050"},
		{`module m '/a.bicep' = {}`, "BCP051"},
		{`module m 'C:a.bicep' = {}`, "BCP189"},
		{`module m 'a*.bicep' = {}`, "BCP085"},
		{`module m 'a\\b.bicep' = {}`, "BCP098"},
		{`module m 'a.' = {}`, "BCP086"},
		{`module m 'a\u{1}b' = {}`, "BCP111"},
		{`module m '${x}.bicep' = {}`, "BCP092"},
		{`module m = {}`, "BCP090"},
		{`module m 'main.bicep' = {}`, "BCP094"},
		{`module m 'loop1.bicep' = {}`, "/p/loop1.bicep"},
		{`module m 'up.bicep' = {}`, "BCP095"},
		{`module m 'xyz:a' = {}`, "BCP189"},
		{`module m 'br-mock:a' = {}`, "BCP449"},
		{`module m 'br:host.io/a/b:v1' = {}`, "BCP446"},
		{`module m 'br:sub.azurecr.io/a/b:v1' = {}`, "BCP190"},
		{`module m 'br:ghcr.io/a/b:V1' = {}`, "/root/.bicep/br/ghcr.io/a$b/V1$1/main.json"},
		{`module m 'br:ghcr.io/a/b@` + digest + `' = {}`, "BCP190"},
		{`module m 'br:ghcr.io/a/b@sha256:00' = {}`, "BCP224"},
		{`module m 'br:ghcr.io/a/b' = {}`, "BCP196"},
		{`module m 'br:ghcr.io/a/b:' = {}`, "BCP196"},
		{`module m 'br:ghcr.io/a/B:v1' = {}`, "BCP195"},
		{`module m 'br:ghcr.io/a//b:v1' = {}`, "BCP195"},
		{`module m 'br:ghcr.io/a:-' = {}`, "BCP198"},
		{`module m 'br:ghcr.io/a:` + strings.Repeat("x", 129) + `' = {}`, "BCP197"},
		{`module m 'br:ghcr.io/` + strings.Repeat("x", 256) + `:v1' = {}`, "BCP199"},
		{`module m 'br:ghcr.io' = {}`, "BCP193"},
		{`module m 'br/none:a:v1' = {}`, "BCP213"},
		{`module m 'br/no!:a:v1' = {}`, "BCP211"},
		{`module m 'br/public:a:v1' = {}`, "BCP190"},
		{`module m 'br/lib:net/vm:v1' = {}`, "/p/lib/net/vm.bicep"},
		{`module m 'ts:x' = {}`, "BCP194"},
		{`module m 'ts:x/rg/n:v' = {}`, "BCP217"},
		{`module m 'ts:00000000-0000-0000-0000-000000000000/rg./n:v' = {}`, "BCP219"},
		{`module m 'ts:00000000-0000-0000-0000-000000000000/rg/n!:v' = {}`, "BCP221"},
		{`module m 'ts:00000000-0000-0000-0000-000000000000/rg/n:v!' = {}`, "BCP223"},
		{`module m 'ts:00000000-0000-0000-0000-000000000000/RG/N:V' = {}`, "/root/.bicep/ts/00000000-0000-0000-0000-000000000000/rg/n/v/main.json"},
		{`import * as x from 'a.bicep'`, "/p/a.bicep"},
		{`import * as x from 'x.bicepparam'`, "/p/x.bicepparam"},
		{`extension az`, ""},
		{`extension radius`, ""},
		{`extension mine`, "archive types"},
		{`extension 'x.tgz'`, "archive types"},
		{`extension 'a.bicep'`, "BCP192"},
		{`extension 'none.tgz'`, "BCP091"},
		{`extension 'br:biceptypes.azurecr.io/radius:latest'`, "built-in radius"},
		{`extension 'br:biceptypes.azurecr.io/aws:0.60.1'`, "built-in aws"},
		{`extension 'br:BicepTypes.AzureCR.io:443/radius:v0.61.0-rc1'`, "built-in radius"},
		{`extension 'br:biceptypes.azurecr.io/radius:0.58'`, "archive cached"},
		{`extension 'br:biceptypes.azurecr.io/radius:edge'`, "built-in radius"},
		{`extension 'br:biceptypes.azurecr.io/radius:1'`, "BCP190"},
		{`extension 'br:biceptypes.azurecr.io/radius:0..1'`, "BCP190"},
		{`extension 'br:biceptypes.azurecr.io/radius@sha256:` + strings.Repeat("0", 64) + `'`, "BCP190"},
		{`extension 'br:biceptypes.azurecr.io/a/radius:latest'`, "BCP190"},
		{`extension 'br:types.azurecr.io/radius:latest'`, "BCP190"},
		{`module m 'br:biceptypes.azurecr.io/radius:latest' = {}`, "BCP190"},
		{`extension ours`, "built-in radius"},
		{`extension 'br:ghcr.io/ext:v1'`, "archive cached"},
		{`extension 'ts:x/y/z:v'`, "BCP380"},
		{`extension 'br/lib:x:v1'`, "BCP448"},
		{`extension unknown`, "BCP204"},
		{`extension microsoftGraph`, "BCP407"},
	} {
		t.Run(test.text, func(t *testing.T) {
			t.Parallel()
			files := source.Memory{
				"/p/main.bicep":       test.text,
				"/p/a.bicep":          "",
				"/p/a.json":           "{}",
				"/p/sub/b.bicep":      "",
				"/p/loop1.bicep":      "module m 'loop2.bicep' = {}",
				"/p/loop2.bicep":      "",
				"/p/up.bicep":         "module m 'main.bicep' = {}",
				"/p/x.bicepparam":     "",
				"/p/lib/net/vm.bicep": "",
				"/p/x.tgz":            tgz(t, "types.tgz", "types"),
				"/p/bicepconfig.json": `{"moduleAliasesMock": {"br": {"lib": {"mapToFilePath": "./lib"}}}, // a comment
					"extensions": {"mine": "./x.tgz", "ours": "br:biceptypes.azurecr.io/radius:0.60"}, "cacheRootDirectory": "/root/.bicep"}`,
			}
			restored := source.Memory{}
			for _, n := range []string{"main.json", "manifest", "metadata"} {
				restored["/root/.bicep/br/ghcr.io/a$b/V1$1/"+n] = "{}"
			}
			for _, n := range []string{"types.tgz", "manifest", "metadata"} {
				restored["/root/.bicep/br/ghcr.io/ext/v1$/"+n] = "cached"
				restored["/root/.bicep/br/biceptypes.azurecr.io/radius/0.58$/"+n] = "cached"
			}
			restored["/root/.bicep/ts/00000000-0000-0000-0000-000000000000/rg/n/v/main.json"] = "{}"
			p := load(t, files, restored)
			assert.Equal(t, test.want, outcome(p.Entry))
		})
	}
}

// A module that many files use is read once, and files are listed as a reader
// meets them, whatever the order in which they were read.
func TestEachFileOnce(t *testing.T) {
	t.Parallel()
	p := load(t, source.Memory{
		"/p/main.bicep": "module a 'a.bicep' = {}\nmodule b 'b.bicep' = {}\nmodule c 'c.bicep' = {}",
		"/p/a.bicep":    "module c 'c.bicep' = {}",
		"/p/b.bicep":    "module c './c.bicep' = {}\nimport {x} from 'd.json'",
		"/p/c.bicep":    "",
		"/p/d.json":     "{}",
	}, nil)
	var paths []string
	for i, f := range p.Files {
		assert.Equal(t, i, f.Index, "the index of %s", f.Path)
		paths = append(paths, f.Path)
	}
	got, want := strings.Join(paths, " "), "/p/main.bicep /p/a.bicep /p/c.bicep /p/b.bicep /p/d.json"
	assert.Equal(t, want, got, "got files")
}

func TestLoadAux(t *testing.T) {
	t.Parallel()
	p := load(t, source.Memory{
		"/p/main.bicep": "",
		"/p/utf16.txt":  "\xff\xfeh\x00\xe9\x00",
		"/p/plain.txt":  "h\xe9",
		"/p/d/one.txt":  "1",
		"/p/d/two.json": "2",
		"/p/d/e/x.txt":  "3",
	}, nil)
	for _, test := range []struct{ name, encoding, want string }{
		{"utf16.txt", "us-ascii", "hé"},
		{"plain.txt", "iso-8859-1", "hé"},
		{"plain.txt", "", "h\ufffd"},
		{"plain.txt", "us-ascii", "h?"},
		{"none.txt", "", "BCP091"},
		{"d", "", "BCP275"},
		{"/etc/passwd", "", "BCP051"},
	} {
		a, problem := p.Entry.LoadAux(test.name)
		got := ""
		if problem == nil {
			got, problem = a.Text(test.encoding, 10)
		}
		if problem != nil {
			got = problem.Code()
		}
		assert.Equal(t, test.want, got, "%s as %q", test.name, test.encoding)
	}
	for _, test := range []struct{ dir, pattern, want string }{
		{"d", "", "/p/d/one.txt /p/d/two.json"},
		{"d", "*.txt", "/p/d/one.txt"},
		{"d", "t?o.*", "/p/d/two.json"},
		{"no", "", "BCP428"},
		{"plain.txt", "", "BCP430"},
	} {
		list, problem := p.Entry.ListFiles(test.dir, test.pattern)
		got := strings.Join(list, " ")
		if problem != nil {
			got = problem.Code()
		}
		assert.Equal(t, test.want, got, "%s of %s", test.pattern, test.dir)
	}
}
