package test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/radbicep/rad/cmd/rad/internal/command"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
)

// workbench is a folder in which the examples of the help texts and of the README
// work, and a function that runs a command line there.
func workbench(t *testing.T) (dir string, sh func(line string) (status int, output string)) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	dir = t.TempDir()
	for name, from := range map[string]string{
		"app.bicep": "app.bicep", "app.bicepparam": "app.bicepparam", "dev.bicepparam": "app.bicepparam",
		"deploy/app.bicep": "app.bicep", "deploy/prod.bicepparam": "app.bicepparam", "modules/part/m.bicep": "app.bicep",
	} {
		text, err := os.ReadFile(filepath.Join(samples, "design-sample", from))
		require.NoError(t, err)
		write(t, filepath.Join(dir, name), string(text))
	}
	write(t, filepath.Join(dir, "deploy/tools.bicep"), "param x string\n")
	write(t, filepath.Join(dir, "deploy/tools.bicepparam"), "using 'tools.bicep'\nparam x = ''\n")
	self, err := os.Executable()
	require.NoError(t, err)
	bin := t.TempDir()
	require.NoError(t, os.Symlink(self, filepath.Join(bin, "rad")))
	// A kubectl for examples: get answers with what was deployed, apply looks for the file.
	kubectl := `#!/bin/sh
case $1 in
apply)
	while [ $# -gt 0 ]; do case $1 in -f|-k) shift; test -e "$1" || { echo "$1: not found" >&2; exit 1; };; esac; shift; done;;
*) exec rad bicep generate-kubernetes-manifest app.bicepparam -o - ;;
esac
`
	require.NoError(t, os.WriteFile(filepath.Join(bin, "kubectl"), []byte(kubectl), 0o777))
	return dir, func(line string) (int, string) {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, "sh", "-c", line)
		cmd.WaitDelay = time.Second // what it has started may hold the pipe open
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "BICEP=", "RAD_BICEP=", "GIT_CONFIG_NOSYSTEM=1",
			"GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@example.com", "GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@example.com", "HOME="+t.TempDir(), "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=")
		out, err := cmd.CombinedOutput()
		require.False(t, err != nil && cmd.ProcessState == nil, "%v", err)
		require.NoError(t, ctx.Err(), "%s: did not end", line)
		return cmd.ProcessState.ExitCode(), string(out)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
}

// TestExamplesWork pastes the example of every command's help.
func TestExamplesWork(t *testing.T) {
	t.Parallel()
	dir, sh := workbench(t)
	write(t, filepath.Join(dir, "app.yaml"), "")
	write(t, filepath.Join(dir, "types.yaml"), "namespace: Own.Shop\ntypes: {shops: {apiVersions: {'2025-01-01': {schema: {}}}}}\n")
	write(t, filepath.Join(dir, "bicep-types-az", "generated", "shop", "types.json"),
		`[{"$type": "ObjectType", "name": "Own.Shop/shops", "properties": {}}, {"$type": "ResourceType", "name": "Own.Shop/shops@2025-01-01", "body": {"$ref": "#/0"}}]`)
	write(t, filepath.Join(dir, "release", "index.json"), `{"resources": {"Own.Shop/shops@2025-01-01": {"$ref": "types.json#/1"}}, "settings": {"name": "Radius", "version": "latest"}}`)
	write(t, filepath.Join(dir, "release", "types.json"),
		`[{"$type": "ObjectType", "name": "Own.Shop/shops", "properties": {}}, {"$type": "ResourceType", "name": "Own.Shop/shops@2025-01-01", "body": {"$ref": "#/0"}}]`)
	if status, out := sh("rad bicep publish-extension release/index.json --target radius-0.58.tgz && git init -q . && git add -A && git -c user.name=t -c user.email=t@example.com commit -q -m t && git update-ref refs/remotes/origin/main HEAD"); status != 0 {
		t.Fatal(out)
	}
	n := 0
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Hidden { // it only says that it is not here
			return
		}
		if c.Example == "" && c.Name() != "help" && c.Name() != "completion" && (c.Parent() == nil || c.Parent().Name() != "completion") {
			t.Errorf("%s has no example", c.CommandPath())
		}
		for line := range strings.SplitSeq(c.Example, "\n") {
			if line = strings.TrimSpace(line); line == "" {
				continue
			}
			if strings.Contains(line, "--target br:") {
				continue // the scripts publish, to a registry of their own
			}
			n++
			status, out := sh(line)
			if want := 0; strings.Contains(line, "--check") || strings.HasSuffix(line, " --diff") {
				want = 1 // nothing was generated for these values, or there is a difference
				assert.False(t, status != want && status != 0, "%s: status %d\n%s", line, status, out)
			} else if status != want {
				t.Errorf("%s: status %d\n%s", line, status, out)
			}
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(command.Tree())
	assert.GreaterOrEqual(t, n, 10, "only")
}

// TestSettingsPage holds the table of docs/settings.md to the settings that there are.
func TestSettingsPage(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../docs/settings.md")
	require.NoError(t, err)
	for _, s := range settings.Generate.All() {
		if !strings.Contains(string(text), "| `"+s.Key+"` |") || !strings.Contains(string(text), s.Env()) || !strings.Contains(string(text), "--"+s.Flag()+"`") {
			t.Errorf("the table of docs/settings.md lacks the setting %s, %s", s.Key, s.Env())
		}
		assert.NotEmpty(t, s.Project.May, "the table of settings has no rule for %s", s.Key)
		row := regexp.MustCompile("(?m)^\\| `" + s.Key + "` .*$").FindString(string(text))
		if !strings.HasSuffix(row, "| "+s.Project.May+" |") {
			t.Errorf("the table of docs/settings.md says of %s: %s; the last column is %q", s.Key, row, s.Project.May)
		}
	}
}

// TestHooks runs the commands of .pre-commit-hooks.yaml as pre-commit does: in the
// root of a repository.
func TestHooks(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../.pre-commit-hooks.yaml")
	require.NoError(t, err)
	var hooks []struct {
		ID            string   `json:"id"`
		Entry         string   `json:"entry"`
		Language      string   `json:"language"`
		Files         string   `json:"files"`
		PassFilenames *bool    `json:"pass_filenames"`
		AlwaysRun     bool     `json:"always_run"`
		RequireSerial bool     `json:"require_serial"`
		Types         []string `json:"types"`
	}
	require.NoError(t, yaml.Unmarshal(text, &hooks))
	require.Len(t, hooks, 8)
	entry := map[string]string{}
	for _, h := range hooks {
		passes := h.PassFilenames == nil || *h.PassFilenames
		id, isSystem := strings.CutSuffix(h.ID, "-system")
		require.Equal(t, map[bool]string{false: "golang", true: "system"}[isSystem], h.Language, "%s: %+v", h.ID, h)
		if isSystem {
			require.Equal(t, entry[id], h.Entry, "%s runs what %s runs", h.ID, id)
		}
		require.Equal(t, id == "rad-bicep-format" || id == "rad-bicep-lint", passes, "%s: %+v", h.ID, h)
		require.Equal(t, passes, strings.HasSuffix(h.Entry, " --"), "%s: the names of a commit come after --, and options do not", h.ID)
		require.False(t, !passes && (!h.RequireSerial || !h.AlwaysRun), "%s: %+v", h.ID, h)
		entry[h.ID] = h.Entry
	}
	dir, sh := workbench(t)
	git := func(line string) string {
		t.Helper()
		status, out := sh("git -c user.name=t -c user.email=t@example.com " + line)
		require.Equal(t, 0, status, "git %s: %s", line, out)
		return out
	}
	write(t, filepath.Join(dir, ".rad", "bicep.yaml"), "targets:\n- template: app.bicep\n  parameters: [tag=v1, port=80]\n- template: deploy/prod.bicepparam\n  name: prod\n")
	git("init -q")
	git("add .")
	git("commit -qm all")
	expect := func(what, id string, want int, has string) {
		t.Helper()
		status, out := sh(entry[id])
		require.Equal(t, want, status, "%s: %s: status %d, want %d with %q:\n%s", what, id, status, want, has, out)
		require.Contains(t, out, has, "%s: %s: status %d, want %d", what, id, status, want)
	}
	expect("new manifests", "rad-bicep-check", 1, "app.yaml does not exist")
	assert.Empty(t, git("status --porcelain"), "the check wrote")
	expect("new manifests", "rad-bicep-generate", 1, "generated at app.yaml")
	out := git("status --porcelain")
	require.Contains(t, out, "?? app.yaml", "not written")
	require.Contains(t, out, "?? deploy/prod.yaml", "not written")
	expect("manifests that are not tracked", "rad-bicep-generate", 1, "git add app.yaml deploy/prod.yaml")
	expect("manifests that are not tracked", "rad-bicep-check", 1, "git add app.yaml deploy/prod.yaml")
	git("add .")
	expect("current manifests", "rad-bicep-generate", 0, "up to date")
	expect("current manifests", "rad-bicep-check", 0, "")
	git("commit -qm manifests")
	write(t, filepath.Join(dir, "deploy", "prod.bicepparam"), "using 'app.bicep'\nparam tag = 'v2'\nparam port = 1\n")
	expect("a stale manifest", "rad-bicep-check", 1, "deploy/prod.yaml is not up to date")
	expect("a stale manifest", "rad-bicep-generate", 1, "generated at deploy/prod.yaml")
	expect("a manifest that is not staged", "rad-bicep-check", 1, "git add deploy/prod.yaml")
	git("add .")
	expect("a current manifest", "rad-bicep-check", 0, "")

	// pre-commit passes the names of the changed files, and sees that one was written.
	write(t, filepath.Join(dir, "app2.bicep"), "param   tag   string\n")
	status, out := sh(entry["rad-bicep-format"] + " app2.bicep app.bicep")
	require.Equal(t, 0, status, "format: status %d: %s", status, out)
	require.Empty(t, out, "format: status %d", status)
	_, out = sh("cat app2.bicep")
	assert.Equal(t, "param tag string\n", out, "format wrote")
	write(t, filepath.Join(dir, "--outfile=x.bicep"), "param tag string = 3\n")
	status, out = sh(entry["rad-bicep-lint"] + " app2.bicep --outfile=x.bicep")
	require.Equal(t, 1, status, "lint: status %d: %s", status, out)
	assert.Contains(t, out, "no-unused-params")
	assert.Contains(t, out, "--outfile=x.bicep(1,20) : Error BCP033")
	status, out = sh(entry["rad-bicep-lint"] + " app2.bicep")
	assert.Equal(t, 0, status, out)
}

func TestWatch(t *testing.T) {
	t.Parallel()
	_, sh := workbench(t)
	script := `echo '{"tag": "given"}' | rad bicep generate-kubernetes-manifest app.bicep -p app.bicepparam -p @- --watch 2>log & p=$!
wait_for() { for i in $(seq 400); do grep -q "$1" "$2" 2>/dev/null && return 0; sleep 0.05; done; echo "no $1 in $2"; cat log; kill $p; exit 1; }
wait_for "Watching" log
wait_for '"value": 3000' app.yaml
echo "using 'app.bicep'
param tag = 'x'
param port = 'wrong'" > app.bicepparam
wait_for "Error BCP033" log
echo "using 'app.bicep'
param tag = 'x'
param port = 4711" > app.bicepparam
wait_for '"value": 4711' app.yaml
sed -i.bak 's/demoapp/otherapp/' app.bicep
wait_for otherapp app.yaml
rad bicep generate-kubernetes-manifest app.bicep -p app.bicepparam -p tag=given -o fresh.yaml 2>/dev/null
cmp app.yaml fresh.yaml
grep -q '"value": "given"' app.yaml || { echo "what was read from standard input is gone"; cat log; }
kill -INT $p; wait $p; echo "status $?"`
	status, out := sh(script)
	require.Equal(t, 0, status, "status %d: %s", status, out)
	require.Equal(t, "status 130\n", out, "status %d", status)
}

// TestWatchWaits: --watch waits for what is missing or broken, and starts again when it is there.
func TestWatchWaits(t *testing.T) {
	t.Parallel()
	_, sh := workbench(t)
	script := `mkdir -p w/.rad && cd w && git init -q .
rad bicep generate-kubernetes-manifest late.bicep --watch 2>log & p=$!
wait_for() { for i in $(seq 400); do grep -q "$1" "$2" 2>/dev/null && return 0; sleep 0.05; done; echo "no $1 in $2"; cat log; kill $p; exit 1; }
wait_for "late.bicep: there is no such file" log
wait_for "no manifest was written; waiting for a change" log
echo "module m 'm.bicep' = {}
output o int = m.outputs.port" > late.bicep
wait_for "Error BCP091" log
echo "output port int = 4711" > m.bicep
wait_for "generated at late.yaml" log
grep -q 4711 late.yaml || { echo "no 4711"; kill $p; exit 1; }
# An editor that deletes the file, and gives another its name.
rm m.bicep; sleep 0.4; echo "output port int = 4712" > m.new; mv m.new m.bicep
wait_for 4712 late.yaml
# Settings that come and are broken, and are repaired.
printf 'namespace: [' > .rad/bicep.yaml; echo "// touched" >> m.bicep
wait_for "Error: .*bicep.yaml" log
echo "namespace: apps" > .rad/bicep.yaml
wait_for "namespace: apps" late.yaml
kill -INT $p; wait $p; echo "status $?"
grep -c "there is no such file" log`
	status, out := sh(script)
	require.Equal(t, 0, status, "status %d: %s", status, out)
	require.Equal(t, "status 130\n1\n", out, "status %d", status)
	// A mistake that no file can repair ends it.
	status, out = sh("rad bicep generate-kubernetes-manifest nope.bicep --watch --target foo")
	assert.Equal(t, 3, status, "status %d: %s", status, out)
}
