package lower_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/arena"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/checktest"
	"github.com/radbicep/rad/pkg/bicep/internal/emit"
	"github.com/radbicep/rad/pkg/bicep/internal/flow"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/lower"
	"github.com/radbicep/rad/pkg/bicep/internal/namespaces"
	"github.com/radbicep/rad/pkg/bicep/source"
)

func TestMain(m *testing.M) {
	arena.Check = true
	os.Exit(m.Run())
}

// files are the files of a program by name; main.bicep is the entry.
type files map[string]string

func program(t *testing.T, in files) *check.Program {
	t.Helper()
	dir := t.TempDir()
	for name, text := range in {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	g, err := graph.Load(context.Background(), filepath.Join(dir, "main.bicep"), graph.Options{FS: source.Disk{}})
	require.NoError(t, err)
	return check.NewProgram(g, check.Options{Namespaces: namespaces.NewProvider(namespaces.Options{})})
}

// template compiles a program.
func template(t *testing.T, in files) armjson.Value {
	t.Helper()
	p := program(t, in)
	text, err := emit.New(p, "test").Text(p.Graph.Entry)
	require.NoError(t, err)
	v, err := armjson.ParseBytes(text.Bytes(), armjson.Options{})
	require.NoError(t, err)
	return v
}

// at returns the compact text of a part of a value: a path such as resources/0/name.
func at(v armjson.Value, path string) string {
	for key := range strings.SplitSeq(path, "/") {
		switch x := v.(type) {
		case *armjson.Object:
			v, _ = x.Get(key)
		case armjson.Array:
			i, ok := armjson.Number(key).Int64()
			if !ok || i >= int64(len(x)) {
				return ""
			}
			v = x[i]
		}
		if v == nil {
			return ""
		}
	}
	return string(armjson.Append(nil, v, armjson.Compact))
}

func TestInlined(t *testing.T) {
	t.Parallel()
	p := program(t, files{"main.bicep": `
resource r 'A.B/c@2020-01-01' = { name: 'r', properties: {} }
var whole = r
var id = r.id
var props = r.properties
var unknown = r.whatever
var keys = listKeys(r.id, '2020-01-01')
var chain = '${keys.a}'
var both = '${id}${props.x}'
var name = nameof(keys)
resource fixed 'A.B/c@2020-01-01' existing = { name: id }
resource open 'A.B/c@2020-01-01' existing = { name: props.name }
resource below 'A.B/c/d@2020-01-01' existing = { parent: open, name: 'x' }
var ofOpen = open.id
`})
	f := flow.Analyze(p.Entry())
	var got []string
	for _, v := range p.Entry().Binding().Vars {
		if f.Inlined().Vars[v] {
			got = append(got, v.Name())
		}
	}
	for _, r := range p.Entry().Binding().Resources {
		if f.Inlined().Resources[r] {
			got = append(got, r.Name())
		}
	}
	want := []string{"whole", "props", "keys", "chain", "both", "ofOpen", "open", "below"}
	assert.Empty(t, cmp.Diff(want, got))
	for _, v := range p.Entry().Binding().Vars {
		if v.Name() != "chain" {
			continue
		}
		path, ok := f.MustInline(v)
		require.True(t, ok, "chain: %q, %v", path, ok)
		require.Len(t, path, 1, "chain: %q, %v", path, ok)
		require.Equal(t, "keys", path[0], "chain: %q, %v", path, ok)
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]flow.Settings{
		"param p string":                     {},
		"param p string?":                    {Symbolic: true},
		"param p string[]":                   {Symbolic: true},
		"param p 'a' | 'b'":                  {Symbolic: true},
		"var v string = 'x'":                 {Symbolic: true},
		"func f() int => 1":                  {Symbolic: true},
		"module m 'm.bicep' = {}":            {Symbolic: true},
		"module m 'm.bicep' = { name: 'm' }": {},
		"@secure()\noutput o string = 'x'":   {Symbolic: true},
		"resource r 'A.B/c@2020-01-01' existing = { name: 'x' }":                                                                                   {},
		"@retryOn(['x'])\nresource r 'A.B/c@2020-01-01' = { name: 'x' }":                                                                           {Symbolic: true},
		"@nullIfNotFound()\nresource r 'A.B/c@2020-01-01' existing = { name: 'x' }":                                                                {Symbolic: true},
		"resource r 'A.B/c@2020-01-01' = { name: 'x', properties: { e: this.exists() } }":                                                          {Symbolic: true},
		"resource r 'A.B/c@2020-01-01' = [for i in range(0, 2): { name: 'x${i}' }]\noutput o array = (r)":                                          {Symbolic: true},
		"resource r 'A.B/c@2020-01-01' = [for i in range(0, 2): { name: 'x${i}' }]\nresource s 'A.B/c@2020-01-01' = { name: 's', dependsOn: [r] }": {},
	} {
		p := program(t, files{"main.bicep": text, "m.bicep": ""})
		got := flow.Analyze(p.Entry()).Settings()
		assert.True(t, got == want, "%s\n got %+v, want %+v", text, got, want)
	}
}

// Each of these variables is written out twice in the next one.
func TestWhatWouldFillTheMemoryIsRefused(t *testing.T) {
	t.Parallel()
	text := "resource r 'A.B/c@2020-01-01' = { name: 'r', properties: {} }\nvar v0 = r.properties.x\n"
	for i := 1; i < 50; i++ {
		text += fmt.Sprintf("var v%d = '${v%d}${v%d}'\n", i, i-1, i-1)
	}
	p := program(t, files{"main.bicep": text + "output o string = v49\n"})
	_, err := emit.New(p, "test").Text(p.Graph.Entry)
	var large *lower.TooLargeError
	require.ErrorAs(t, err, &large)
	require.Equal(t, "v49", large.Var, "error = %v", err)
}

// The index by which a parent is picked uses two variables of the loop around it,
// each of which stands for the index of the next parent.
func TestLongChainsOfParentsAreRefused(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	kind := "A.B"
	for i := range 40 {
		kind += fmt.Sprintf("/c%d", i)
		fmt.Fprintf(&text, "resource r%d '%s@2020-01-01' = [for (x, i) in range(0, 2): {\n  name: 'n${x}${i}'\n", i, kind)
		if i > 0 {
			fmt.Fprintf(&text, "  parent: r%d[x + i]\n", i-1)
		}
		text.WriteString("}]\n")
	}
	p := program(t, files{"main.bicep": text.String()})
	_, err := emit.New(p, "test").Text(p.Graph.Entry)
	var tooLarge *emit.TooLargeError
	assert.ErrorAs(t, err, &tooLarge)
}

// Variables that need each other over many paths are followed once.
func TestManyPaths(t *testing.T) {
	t.Parallel()
	text := "resource r 'A.B/c@2020-01-01' = [for i in range(0, 2): { name: 'r${i}' }]\n" +
		"var v0 = [for i in range(0, 2): r[i].id]\nvar w0 = [for i in range(0, 2): r[i].id]\n"
	for i := 1; i < 60; i++ {
		for _, v := range []string{"v", "w"} {
			text += fmt.Sprintf("var %s%d = [for i in range(0, 2): '${v%d[i]}${w%d[i]}']\n", v, i, i-1, i-1)
		}
	}
	v := template(t, files{"main.bicep": text + "resource z 'A.B/c@2020-01-01' = { name: 'z', properties: { x: v59[0] } }\n"})
	// One entry for each of the two uses of the resource.
	if at(v, "resources/1/dependsOn/1") == "" || at(v, "resources/1/dependsOn/2") != "" {
		t.Errorf("got %s", at(v, "resources/1/dependsOn"))
	}
}

func TestOneContextForEachFile(t *testing.T) {
	t.Parallel()
	m := program(t, files{"main.bicep": "var v = 1"}).Entry()
	assert.Same(t, lower.ContextOf(m), lower.ContextOf(m), "the context is kept with the model")
}

func BenchmarkProgram(b *testing.B) {
	checktest.Benchmark(b, func(m *check.Model) {
		for range lower.ContextOf(m).Builder(nil).Program().Resources {
		}
	})
}
