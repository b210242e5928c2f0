package bicep_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/artifacts"
	"github.com/radbicep/rad/pkg/bicep/source"
)

func build(t *testing.T, r bicep.Request) *bicep.Result {
	t.Helper()
	result, err := bicep.Embedded{}.Build(context.Background(), r)
	require.NoError(t, err)
	return result
}

func TestBuild(t *testing.T) {
	t.Parallel()
	file := write(t, map[string]string{
		"main.bicep": "module m 'm.bicep' = {\n  name: 'm'\n  params: {\n    text: loadTextContent('t.txt')\n  }\n}\n",
		"m.bicep":    "param text string\noutput o string = text\n",
		"t.txt":      "hello",
	})
	r := build(t, bicep.Request{FS: source.Disk{}, File: file, Options: bicep.Options{GeneratorVersion: "9.8.7"}})
	require.True(t, r.OK(), "findings: %v", r.Findings)
	require.NotNil(t, r.Template, "findings: %v", r.Findings)
	for _, want := range []string{`"version": "9.8.7"`, `"$fxv#0": "hello"`, `"expressionEvaluationOptions"`} {
		assert.True(t, bytes.Contains(r.Template, []byte(want)), "the template lacks %s", want)
	}
	assert.False(t, bytes.Contains(r.Template, []byte(bicep.DefaultGeneratorVersion)), "the module has the usual version of the generator")
	dir := filepath.Dir(file)
	for _, name := range []string{"main.bicep", "m.bicep", "t.txt"} {
		found := false
		for _, f := range r.Files {
			found = found || f == filepath.Join(dir, name)
		}
		assert.True(t, found, "%s is not among the files %q", name, r.Files)
	}
}

func TestBuildFindings(t *testing.T) {
	t.Parallel()
	file := write(t, map[string]string{
		"main.bicep": "module m 'm.bicep' = {\n  name: 'm'\n}\noutput o int = 'x'\n",
		"m.bicep":    "output o int = true\n",
	})
	r := build(t, bicep.Request{FS: source.Disk{}, File: file})
	require.False(t, r.OK(), "there is a template, and findings %v", r.Findings)
	require.Nil(t, r.Template, "there is a template, and findings %v", r.Findings)
	var got []string
	for _, f := range r.Findings {
		got = append(got, filepath.Base(f.Path)+" "+f.Code)
	}
	want := "main.bicep BCP104, main.bicep BCP033, m.bicep BCP033"
	assert.Equal(t, want, strings.Join(got, ", "))
}

// TestExperimentsAreNoticed: unless the configuration of the entry file asks for silence.
func TestExperimentsAreNoticed(t *testing.T) {
	t.Parallel()
	for warning, want := range map[string]int{"": 1, `"experimentalFeaturesWarning": true, `: 1, `"experimentalFeaturesWarning": false, `: 0} {
		r := build(t, bicep.Request{FS: source.Disk{}, File: write(t, map[string]string{
			"main.bicep":       "assert a = true\n",
			"bicepconfig.json": "{" + warning + `"experimentalFeaturesEnabled": {"assertions": true, "sourceMapping": true}}`,
		})})
		require.Len(t, r.Notices, want, "%s: the notices", warning)
		require.False(t, want > 0 && !strings.HasSuffix(r.Notices[0], ": Source mapping, Asserts"), "%s: notices %q", warning, r.Notices)
	}
}

// The findings for the operands differ, so that neither is removed as a duplicate.
func TestBothOperandsAreNamed(t *testing.T) {
	t.Parallel()
	file := write(t, map[string]string{"main.bicep": "func f(c bool, a int?, b int?) int => c ? a + b : 0\noutput o int = f(true, 1, 2)\n"})
	r := build(t, bicep.Request{FS: source.Disk{}, File: file})
	var got []string
	for _, f := range r.Findings {
		if f.Code == "BCP321" {
			got = append(got, f.Message)
		}
	}
	require.Len(t, got, 2)
	require.Contains(t, got[0], "left", "got %q", got)
	require.Contains(t, got[1], "right", "got %q", got)
}

func TestDiagnoseOnly(t *testing.T) {
	t.Parallel()
	r := build(t, bicep.Request{FS: source.Disk{}, File: write(t, map[string]string{"main.bicep": "param unused string\n"}), DiagnoseOnly: true})
	require.Nil(t, r.Template, "template %s, findings %v", r.Template, r.Findings)
	require.Len(t, r.Findings, 1, "template %s", r.Template)
	require.Equal(t, "no-unused-params", r.Findings[0].Code, "template %s, findings %v", r.Template, r.Findings)
}

func TestBuildErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := (bicep.Embedded{}).Build(context.Background(), bicep.Request{FS: source.Disk{}, File: filepath.Join(dir, "none.bicep")})
	assert.ErrorIs(t, err, os.ErrNotExist, "a file that is not there")
	file := write(t, map[string]string{"main.bicep": ""})
	var outside *source.OutsideError
	_, err = (bicep.Embedded{}).Build(context.Background(), bicep.Request{FS: source.Below(dir), File: file})
	assert.ErrorAs(t, err, &outside, "a file outside the root")
	stopped, stop := context.WithCancel(context.Background())
	stop()
	_, err = (bicep.Embedded{}).Build(stopped, bicep.Request{FS: source.Disk{}, File: file})
	assert.ErrorIs(t, err, context.Canceled, "a run that was stopped")
}

// TestBuildStaysBelowRoot: a module outside the root is not read, whatever leads to it.
func TestBuildStaysBelowRoot(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"secret.bicep":        "output o string = 'secret'\n",
		"project/main.bicep":  "module m '../secret.bicep' = {\n  name: 'm'\n}\n",
		"project/text.bicep":  "output o string = loadTextContent('../secret.bicep')\n",
		"project/child.bicep": "module m 'link.bicep' = {\n  name: 'm'\n}\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	project := filepath.Join(dir, "project")
	if err := os.Symlink(filepath.Join(dir, "secret.bicep"), filepath.Join(project, "link.bicep")); err != nil {
		t.Skip(err)
	}
	for _, name := range []string{"main.bicep", "text.bicep", "child.bicep"} {
		file := filepath.Join(project, name)
		r := build(t, bicep.Request{FS: source.Below(project), File: file})
		assert.False(t, r.OK(), "%s compiles to %s", name, r.Template)
		r = build(t, bicep.Request{FS: source.Disk{}, File: file})
		assert.True(t, r.OK(), "%s without a root: %v", name, r.Findings)
	}
}

// TestTooLarge: a few lines that double with each link come to an end.
func TestTooLarge(t *testing.T) {
	t.Parallel()
	const storage = " 'Microsoft.Storage/storageAccounts@2023-01-01' = {\n  location: 'x'\n"
	vars := "resource s 'Microsoft.Storage/storageAccounts@2023-01-01' existing = {\n  name: 's'\n}\nvar v0 = s.properties.x\n"
	names := "resource r0" + storage + "  name: 'r'\n}\n"
	modules := map[string]string{"m30.bicep": ""}
	for i := range 30 {
		vars += fmt.Sprintf("var v%d = '${v%d}${v%d}'\n", i+1, i, i)
		names += fmt.Sprintf("resource r%d%s  name: '${r%d.name}${r%d.name}'\n}\n", i+1, storage, i, i)
		name := fmt.Sprintf("m%d.bicep", i)
		if i == 0 {
			name = "main.bicep"
		}
		modules[name] = fmt.Sprintf("module a 'm%d.bicep' = {\n  name: 'a'\n}\nmodule b 'm%d.bicep' = {\n  name: 'b'\n}\n", i+1, i+1)
	}
	choices := "param c bool = true\nvar v0 = { a: 'a0' }\n"
	for i := range 800 {
		choices += fmt.Sprintf("var v%d = c ? v%d : { a: 'a%d' }\n", i+1, i, i+1)
	}
	many := "var s = [\n"
	for i := range 700 {
		many += fmt.Sprintf("  's%d'\n", i)
	}
	many += "]\noutput o array = [\n" + strings.Repeat("  map(s, x => x)\n", 3000) + "]\n"
	r := build(t, bicep.Request{FS: source.Disk{}, File: write(t, map[string]string{"main.bicep": many})})
	require.True(t, r.OK(), "a type that is made once counts once: %v", r.Findings)
	for name, files := range map[string]map[string]string{
		"variables": {"main.bicep": vars + "output o string = v30\n"},
		"types":     {"main.bicep": choices + "output o object = v800\n"},
		"names":     {"main.bicep": names},
		"modules":   modules,
	} {
		files["p.bicepparam"] = "using 'main.bicep'\n"
		file := write(t, files)
		for _, compile := range []func(context.Context, bicep.Request) (*bicep.Result, error){bicep.Embedded{}.Build, bicep.Embedded{}.BuildParams} {
			r, err := compile(context.Background(), bicep.Request{FS: source.Disk{}, File: file})
			require.NoError(t, err, name)
			found := false
			for _, f := range r.Findings {
				found = found || f.Code == "RAD002"
			}
			require.True(t, found, "%s: a template of %d bytes, findings %v", name, len(r.Template), r.Findings)
			require.False(t, r.OK(), "%s: a template of %d bytes, findings %v", name, len(r.Template), r.Findings)
			require.Nil(t, r.Template, "%s: a template of %d bytes, findings %v", name, len(r.Template), r.Findings)
			require.Nil(t, r.Parameters, "%s: a template of %d bytes, findings %v", name, len(r.Template), r.Findings)
			file = filepath.Join(filepath.Dir(file), "p.bicepparam")
		}
	}
}

// TestBuildInParallel is of use with the race detector.
func TestBuildInParallel(t *testing.T) {
	t.Parallel()
	file := write(t, map[string]string{
		"main.bicep": "extension radius\nimport { t } from 'm.bicep'\nparam p t\nmodule m 'm.bicep' = [for i in range(0, 2): {\n  name: 'm${i}'\n}]\n" +
			"resource e 'Applications.Core/environments@2023-10-01-preview' existing = {\n  name: p\n}\noutput o string = e.id\n",
		"m.bicep": "@export()\ntype t = 'a' | 'b'\n" + resources(20),
	})
	want := build(t, bicep.Request{FS: source.Disk{}, File: file})
	require.True(t, want.OK(), "%v", want.Findings)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			got, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{FS: source.Disk{}, File: file})
			require.NoError(t, err, "another result")
			require.True(t, bytes.Equal(got.Template, want.Template), "another result: %v", err)
			require.Len(t, got.Findings, len(want.Findings), "another result: %v", err)
		})
	}
	wait.Wait()
}

// TestCostGrowsLinearly: eight times the resources take about eight times the work,
// which is counted in allocations since time is not to be relied on.
func TestCostGrowsLinearly(t *testing.T) {
	cost := func(n int) float64 {
		file := write(t, map[string]string{"main.bicep": resources(n), "bicepconfig.json": noLimit})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if r := build(t, bicep.Request{FS: source.Disk{}, File: file}); !r.OK() {
			t.Fatal(r.Findings[0])
		}
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	cost(10) // what is made once
	few, many := cost(250), cost(2000)
	assert.LessOrEqual(t, many, 12*few, "250 resources take %.0f bytes, 2000 take %.0f", few, many)
}

// TestNoFilesystem: a request that does not say where files are read reads none, not even one
// that is there.
func TestNoFilesystem(t *testing.T) {
	t.Parallel()
	file := write(t, map[string]string{"main.bicep": "output o int = 1\n", "main.bicepparam": "using 'main.bicep'\n"})
	folder := filepath.Dir(file)
	external := &bicep.External{Path: filepath.Join(folder, "none")}
	for name, run := range map[string]func() error{
		"build": func() error {
			_, err := bicep.Embedded{}.Build(t.Context(), bicep.Request{File: file, Root: folder})
			return err
		},
		"params": func() error {
			_, err := bicep.Embedded{}.BuildParams(t.Context(), bicep.Request{File: file + "param"})
			return err
		},
		"external": func() error { _, err := external.Build(t.Context(), bicep.Request{File: file}); return err },
		"external params": func() error {
			_, err := external.BuildParams(t.Context(), bicep.Request{File: file + "param"})
			return err
		},
		"sources": func() error { _, err := bicep.SourceArchive(t.Context(), bicep.Request{File: file}); return err },
		"restore": func() error {
			_, err := artifacts.Restore(t.Context(), artifacts.RestoreRequest{Files: []string{file}, Root: folder})
			return err
		},
		"outdated": func() error {
			_, err := artifacts.FindOutdated(t.Context(), artifacts.RestoreRequest{Files: []string{file}})
			return err
		},
		"target": func() error {
			return artifacts.CheckTarget(artifacts.PublishTarget{Reference: "br:ghcr.io/a:v1", Folder: folder})
		},
		"cache": func() error { _, err := artifacts.FindCache(nil, folder, folder, ""); return err },
	} {
		require.ErrorIs(t, run(), bicep.ErrNoFS, name)
	}
	require.ErrorContains(t, bicep.ErrNoFS, "bicep.Dir(root)")
	assert.True(t, build(t, bicep.Request{FS: bicep.Dir(folder), File: file}).OK())
	_, err := bicep.Embedded{}.Build(t.Context(), bicep.Request{FS: bicep.Dir(t.TempDir()), File: file})
	require.Error(t, err, "a file outside of the folder is read")
}
