package test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/command"
	"github.com/radbicep/rad/pkg/bicep/registrytest"
)

// fullDisk is a stream that cannot be written to.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) {
	return 0, &fs.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}
}

// TestAFullDiskIsAnError: a command whose result cannot be printed fails, and says why.
func TestAFullDiskIsAnError(t *testing.T) {
	setUserless(t)
	w := newEscapeWorld(t)
	w.write("repo/p.bicepparam", "using 'main.bicep'\nparam p = 'y'\n")
	w.write("repo/main.bicep", "param p string = 'x'\nresource r 'A.B/c@2020-01-01' = { name: p }\n")
	status, out := w.command("bundle", "FILE", "-o", "REPO/b.tar")
	require.Zero(t, status, out)
	for _, line := range [][]string{
		{"help"}, {"version"}, {"bicep"}, {"bicep", "--help"}, {"bicep", "build", "--help"}, {"__complete", "bicep", ""},
		{"bicep", "version"}, {"bicep", "version", "--format", "json"}, {"bicep", "explain"}, {"bicep", "explain", "BCP001"}, {"bicep", "schema"}, {"bicep", "schema", "settings"},
		{"bicep", "generate-kubernetes-manifest", "FILE", "-o", "-"}, {"bicep", "generate-kubernetes-manifest", "FILE", "--format", "json"},
		{"bicep", "build", "FILE", "--stdout"}, {"bicep", "build-params", "REPO/p.bicepparam", "--stdout"}, {"bicep", "format", "FILE", "--stdout"}, {"bicep", "generate-params", "FILE", "--stdout"},
		{"bicep", "lint", "FILE", "--diagnostics-format", "sarif"}, {"bicep", "plan", "FILE"}, {"bicep", "plan", "FILE", "--format", "json"}, {"bicep", "graph", "FILE"},
		{"bicep", "inspect", "REPO/b.tar"}, {"bicep", "verify", "REPO/b.tar"}, {"bicep", "cache", "path"}, {"bicep", "cache", "list", "--format", "json"}, {"bicep", "outdated", "REPO", "--format", "json"},
		{"bicep", "init", "REPO", "--dry-run"}, {"bicep", "argocd", "discover"},
	} {
		t.Chdir(w.repo)
		var said strings.Builder
		status := command.Run(t.Context(), w.args(line, "main.bicep"), strings.NewReader(""), fullDisk{}, &said)
		require.Contains(t, []int{1, cli.ExitIO}, status, "%s\n%s", line, said.String())
		require.Contains(t, said.String(), "no space left on device", line)
		require.NotContains(t, said.String(), "for usage", line)
	}
}

// TestBrokenOffFiles: a file that breaks off at any byte is read as what it is, or refused. It never
// ends the program, and a bundle or an artifact that is locked is never taken for another.
func TestBrokenOffFiles(t *testing.T) {
	setUserless(t)
	t.Setenv("BICEP_TRUSTED_REGISTRIES", "127.0.0.1")
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	r := registrytest.New(t)
	r.Module("mods/a", "v1", `{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#", "contentVersion": "1.0.0.0", "resources": [], "outputs": {"o": {"type": "string", "value": "v"}}}`)
	w := newEscapeWorld(t)
	t.Chdir(w.repo)
	w.write("repo/main.bicep", "param p string\nmodule m 'br:"+r.Host+"/mods/a:v1' = { name: 'm' }\noutput o string = m.outputs.o\n")
	w.write("repo/bicepconfig.json", `{"cacheRootDirectory": "`+filepath.ToSlash(w.repo)+`/c", "analyzers": {"core": {"rules": {"no-unused-params": {"level": "off"}}}}}`)
	w.write("repo/.rad/bicep.yaml", "namespace: shop\nlabels: {team: a}\ntargets:\n  - {template: main.bicep, parameters: [p=x], outfile: o.yaml}\n")
	w.write("repo/p.json", `{"parameters": {"p": {"value": "x\u00e9"}}}`)
	w.write("repo/p.bicepparam", "using 'main.bicep'\nparam p = 'x'\n")
	for _, line := range [][]string{{"restore", "FILE"}, {"generate-kubernetes-manifest", "FILE", "-p", "p=x", "-o", "REPO/o.yaml"}, {"bundle", "FILE", "-p", "p=x", "-o", "REPO/b.tar"},
		{"bundle", "FILE", "-p", "p=x", "-o", "REPO/layout"}, {"lint", "FILE", "--write-baseline=REPO/base.json"}} {
		status, out := w.command(line...)
		require.Zero(t, status, "%s\n%s", line, out)
	}
	cached, err := filepath.Glob(filepath.Join(w.repo, "c", "br", "*", "*", "*"))
	require.NoError(t, err)
	require.Len(t, cached, 1)
	module, err := filepath.Rel(w.repo, cached[0])
	require.NoError(t, err)
	made := []string{"generate-kubernetes-manifest", "FILE", "-p", "p=x", "-o", "-", "--offline"}
	for _, c := range []struct {
		file  string
		line  []string
		whole bool // what is made of it is the same, or it is refused
	}{
		{".rad/bicep.yaml", []string{"generate-kubernetes-manifest", "--check"}, false},
		{"bicepconfig.json", made, false},
		{"bicep.lock.json", made, true},
		{filepath.Join(module, "main.json"), made, true},
		{filepath.Join(module, "manifest"), made, true},
		{filepath.Join(module, "metadata"), made, true},
		{"b.tar", []string{"verify", "REPO/b.tar"}, true},
		{"layout/index.json", []string{"verify", "REPO/layout"}, true},
		{"layout/oci-layout", []string{"verify", "REPO/layout"}, true},
		{"p.json", []string{"generate-kubernetes-manifest", "FILE", "-p", "@REPO/p.json", "-o", "-", "--offline"}, true},
		{"p.bicepparam", []string{"build-params", "REPO/p.bicepparam", "--stdout", "--no-restore"}, false},
		{"base.json", []string{"lint", "FILE", "--baseline", "REPO/base.json"}, true},
		{"o.yaml", []string{"generate-kubernetes-manifest", "FILE", "-p", "p=x", "-o", "REPO/o.yaml", "--diff"}, false},
	} {
		path := filepath.Join(w.repo, filepath.FromSlash(c.file))
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		status, want := w.command(c.line...)
		require.LessOrEqual(t, status, cli.ExitStale, "%s\n%s", c.file, want)
		step := max(1, len(text)/150)
		if testing.Short() || raceEnabled {
			step = max(1, len(text)/20)
		}
		for n := 0; n < len(text); n += step {
			require.NoError(t, os.WriteFile(path, text[:n], 0o644))
			status, out := w.command(c.line...)
			require.LessOrEqual(t, status, cli.ExitIO, "%s of %d bytes\n%s", c.file, n, out)
			require.NotContains(t, out, "internal error", "%s of %d bytes", c.file, n)
			if status == 0 && c.whole {
				require.Equal(t, want, out, "%s of %d bytes", c.file, n)
			}
		}
		require.NoError(t, os.WriteFile(path, text, 0o644))
	}
}
