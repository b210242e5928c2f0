package test

import (
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/command"
)

func TestUnifiedDiffApplies(t *testing.T) {
	t.Parallel()
	patch, err := exec.LookPath("patch")
	if err != nil {
		t.Skip("there is no patch program")
	}
	r := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		var before, after strings.Builder
		for i := range 60 {
			line := fmt.Sprintf("line %d\n", i)
			if r.IntN(8) > 0 {
				before.WriteString(line)
			}
			if r.IntN(8) > 0 {
				after.WriteString(line)
			}
		}
		path := filepath.Join(t.TempDir(), "f")
		require.NoError(t, os.WriteFile(path, []byte(before.String()), 0o666))
		cmd := exec.Command(patch, "-s", path)
		cmd.Stdin = strings.NewReader(cli.UnifiedDiff("f", "f", before.String(), after.String(), false))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		got, _ := os.ReadFile(path)
		require.Equal(t, after.String(), string(got), "patched to %q", got)
	}
}

// TestImportsRunOneWay holds the packages to the arrow that ARCHITECTURE.md draws.
func TestImportsRunOneWay(t *testing.T) {
	t.Parallel()
	const module = "github.com/radbicep/rad/"
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", module+"...").CombinedOutput()
	require.NoError(t, err, "go list: %v: %s", err, out)
	// What each package may import of this module. A name that ends in / stands for
	// all below it.
	allowed := map[string][]string{
		"pkg/armjson":             {},
		"pkg/spell":               {},
		"pkg/secret":              {},
		"pkg/internal/armschema":  {"pkg/armjson"},
		"pkg/bicep/source":        {},
		"pkg/bicep/report":        {"pkg/bicep/source"},
		"pkg/params":              {"pkg/armjson", "pkg/secret", "pkg/internal/armschema", "pkg/spell"},
		"pkg/manifest":            {"pkg/armjson", "pkg/secret"},
		"pkg/bicep/expand":        {"pkg/armjson", "pkg/secret", "pkg/internal/armschema", "pkg/bicep/internal/"},
		"pkg/manifest/schema":     {"pkg/armjson", "pkg/spell", "pkg/manifest"},
		"pkg/manifest/objects":    {"pkg/armjson", "pkg/bicep/expand", "pkg/manifest", "pkg/manifest/schema"},
		"pkg/manifest/crossplane": {"pkg/armjson", "pkg/bicep/expand", "pkg/manifest", "pkg/manifest/objects"},
		"pkg/manifest/aso":        {"pkg/armjson", "pkg/spell", "pkg/bicep/expand", "pkg/manifest", "pkg/manifest/objects", "pkg/manifest/schema"},
		"pkg/manifest/kubernetes": {"pkg/armjson", "pkg/bicep/expand", "pkg/manifest", "pkg/manifest/objects", "pkg/manifest/schema"},
		"pkg/bicep":               {"pkg/armjson", "pkg/secret", "pkg/spell", "pkg/bicep/expand", "pkg/bicep/report", "pkg/bicep/source", "pkg/bicep/internal/"},
		"pkg/bicep/appgraph":      {"pkg/armjson", "pkg/bicep/expand", "pkg/bicep/report", "pkg/bicep/internal/"},
		"pkg/bicep/artifacts":     {"pkg/armjson", "pkg/bicep", "pkg/bicep/report", "pkg/bicep/source", "pkg/bicep/internal/"},
		"pkg/bicep/bundle":        {"pkg/bicep", "pkg/bicep/report", "pkg/bicep/source", "pkg/bicep/internal/"},
		"pkg/bicep/explain":       {"pkg/bicep", "pkg/bicep/report", "pkg/bicep/internal/"},
		"pkg/bicep/format":        {"pkg/bicep", "pkg/bicep/report", "pkg/bicep/source", "pkg/bicep/internal/"},
		"pkg/bicep/plan":          {"pkg/armjson", "pkg/secret", "pkg/bicep/expand", "pkg/bicep/report", "pkg/bicep/internal/"},
		"pkg/bicep/recipes":       {"pkg/armjson", "pkg/bicep/expand", "pkg/bicep/internal/"},
		"pkg/bicep/snapshot":      {"pkg/armjson", "pkg/secret", "pkg/bicep/expand", "pkg/bicep/report", "pkg/bicep/internal/"},
		"pkg/generate":            {"pkg/armjson", "pkg/secret", "pkg/params", "pkg/manifest", "pkg/manifest/", "pkg/bicep", "pkg/bicep/artifacts", "pkg/bicep/bundle", "pkg/bicep/expand", "pkg/bicep/plan", "pkg/bicep/recipes", "pkg/bicep/report", "pkg/bicep/source"},

		"cmd/rad/internal/gittree": {"pkg/bicep/source"},
	}
	// The packages below the command, from the bottom up: each imports only those before it.
	order := []string{"memory", "workdir", "cli", "codes", "watch", "settings", "schema", "project", "targets", "argocd", "snapshots", "scaffold", "run", "deliver", "krm", "compile", "linting", "migrating", "releases", "formatting", "changed", "planning", "bundles", "jsonrpc", "rpc", "command"}
	for i, name := range order {
		may := []string{"pkg/", "cmd/rad/internal/gittree"}
		for _, below := range order[:i] {
			may = append(may, "cmd/rad/internal/"+below)
		}
		allowed["cmd/rad/internal/"+name] = may
	}
	allowed["cmd/rad"] = []string{"cmd/rad/internal/command"}
	seen := 0
	for line := range strings.SplitSeq(strings.TrimSpace(string(out)), "\n") {
		fields := strings.Fields(line)
		from := strings.TrimPrefix(fields[0], module)
		for _, imported := range fields[1:] {
			to, ours := strings.CutPrefix(imported, module)
			if !ours {
				continue
			}
			seen++
			if strings.HasPrefix(from, "pkg/bicep/internal/") {
				assert.False(t, !strings.HasPrefix(to, "pkg/bicep/internal/") && to != "pkg/bicep/source" && to != "pkg/bicep/report" && to != "pkg/armjson" && to != "pkg/secret" && to != "pkg/internal/armschema" && to != "pkg/spell", "%s imports %s: a stage of the compiler must not import the packages that use the compiler", from, to)
				if after, ok := strings.CutPrefix(to, "pkg/bicep/internal/"); ok {
					ok, known := mayImport(strings.TrimPrefix(from, "pkg/bicep/internal/"), after)
					if !known {
						t.Errorf("%s imports %s: give both a row in stages, and a line in ARCHITECTURE.md", from, to)
					} else if !ok {
						t.Errorf("%s imports %s: against the arrow", from, to)
					}
				}
				continue
			}
			ok := false
			if strings.HasPrefix(from, "cmd/rad") && strings.HasPrefix(to, "pkg/") && strings.Contains(to, "/internal/") {
				t.Errorf("%s imports %s: a command uses what is public", from, to)
			}
			for _, a := range allowed[from] {
				ok = ok || to == a || strings.HasSuffix(a, "/") && strings.HasPrefix(to, a)
			}
			_, known := allowed[from]
			assert.True(t, known || !strings.HasPrefix(from, "cmd/rad") || isProgram(from), "%s has no row here, and so no place in ARCHITECTURE.md", from)
			assert.False(t, known && !ok, "%s imports %s: against the arrow", from, to)
		}
	}
	assert.GreaterOrEqual(t, seen, 20, "only")
}

// isProgram reports whether a package below cmd/rad is a program of its own.
func isProgram(path string) bool {
	return path == "cmd/rad/internal/fakebicep" || strings.HasPrefix(path, "cmd/rad/internal/tools/")
}

// TestImportsOfTheController: the controller is another module, and takes of this one only what
// predicts, compares and generates. Its tests may start a registry.
func TestImportsOfTheController(t *testing.T) {
	t.Parallel()
	const module = "github.com/radbicep/rad/"
	allowed := []string{"pkg/armjson", "pkg/bicep", "pkg/bicep/expand", "pkg/bicep/plan", "pkg/bicep/report", "pkg/bicep/source", "pkg/generate", "pkg/manifest", "pkg/params"}
	files := 0
	require.NoError(t, filepath.WalkDir(filepath.Join("..", "..", "..", "controller"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		files++
		for _, i := range f.Imports {
			to, ours := strings.CutPrefix(strings.Trim(i.Path.Value, `"`), module)
			ours = ours && !(strings.HasSuffix(path, "_test.go") && to == "pkg/bicep/registrytest")
			if ours && to != "controller" && !strings.HasPrefix(to, "controller/") {
				assert.Contains(t, allowed, to, "%s imports it", path)
			}
		}
		return nil
	}))
	assert.Greater(t, files, 20)
}

// stages are the packages below pkg/bicep/internal, from the top down: a package
// imports only those of the rows below its own.
var stages = [][]string{
	{"paramsfile", "placeholder"},
	{"emit"},
	{"migrate"},
	{"repair", "examples"},
	{"lint"},
	{"lower", "deploytime"},
	{"flow", "ir", "secrecy", "checktest"},
	{"resources", "paramscheck"},
	{"check"},
	{"narrow", "pragma", "typeexpr", "casetest"},
	{"resourcetypes"},
	{"namespaces", "armtemplate"},
	{"azlibrary"},
	{"aztypes/generate", "aztypes/store", "typelib", "typelib/generate"},
	{"aztypes/pack"},
	{"bind"},
	{"graph", "types", "registry"},
	{"cache"},
	{"lockfile", "normal"},
	{"eval", "artifact"},
	{"armexpr", "config", "format"},
	{"syntax", "templatehash", "jsonpath"},
	{"diag", "murmur", "collate", "cycles", "arena", "memo", "jsonscan", "aztypes", "radiusmanifest", "process", "dotnet", "release"},
}

// mayImport reports whether one stage may import another.
func mayImport(from, to string) (ok, known bool) {
	rank := func(name string) int {
		for i, row := range stages {
			if slices.Contains(row, name) {
				return i
			}
		}
		return -1
	}
	a, b := rank(from), rank(to)
	return a < b, a >= 0 && b >= 0
}

// BenchmarkCommand runs the whole command in process on the design's sample.
func BenchmarkCommand(b *testing.B) {
	args := []string{"bicep", "generate-kubernetes-manifest", "--compiler", "embedded", "-o", "-", "-p", "port=3000", "-p", "tag=latest", samples + "/design-sample/app.bicep"}
	b.ReportAllocs()
	for b.Loop() {
		var errs strings.Builder
		if status := command.Run(b.Context(), args, strings.NewReader(""), io.Discard, &errs); status != 0 {
			b.Fatalf("status %d: %s", status, errs.String())
		}
	}
}

// BenchmarkProcess runs it in a process of its own, beside `rad version`: the
// ratio of the two is what starting up costs against what the work costs.
func BenchmarkProcess(b *testing.B) {
	self, err := os.Executable()
	require.NoError(b, err)
	for name, args := range map[string][]string{
		"version":  {"rad", "version"},
		"generate": {"rad", "bicep", "generate-kubernetes-manifest", "--compiler", "embedded", "-o", "-", "-p", "port=3000", "-p", "tag=latest", samples + "/design-sample/app.bicep"},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				cmd := exec.Command(self)
				cmd.Args = args
				if out, err := cmd.CombinedOutput(); err != nil {
					b.Fatalf("%v: %s", err, out)
				}
			}
		})
	}
}
