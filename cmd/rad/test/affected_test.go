package test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/radbicep/rad/cmd/rad/internal/changed"
)

// affectedRepository is a repository with targets that share files.
var affectedRepository = map[string]string{
	".rad/bicep.yaml": `targets:
- template: a/app.bicep
  parameters: ['@a/app.bicepparam']
  outfile: out/a.yaml
- template: b/app.bicep
  parameters: [n=@b/n.json]
  outfile: out/b.yaml
- template: c/app.bicep
  outfile: out/c.yaml
- template: d/app.bicep
  outfile: out/d.yaml
- template: e/template.json
  namespace: own
  outfile: kept/e.yaml
- template: deep/x/app.bicep
  outfile: out/deep.yaml
`,
	"a/app.bicep":           "param n int\nmodule m '../shared/m.bicep' = { name: 'm', params: { n: n } }\n",
	"a/app.bicepparam":      "using 'app.bicep'\nextends 'base.bicepparam'\n",
	"a/base.bicepparam":     "using none\nparam n = 3\n",
	"shared/m.bicep":        "param n int\noutput n int = n\n",
	"shared/unused.bicep":   "param n int\n",
	"b/app.bicep":           "param n int\noutput t string = loadTextContent('text.txt')\noutput n int = n\n",
	"b/text.txt":            "text",
	"b/n.json":              "5",
	"c/app.bicep":           "output l array = map(loadDirectoryFileInfo('data', '*.json'), f => f.baseName)\n",
	"c/data/1.json":         "{}",
	"c/data/readme.txt":     "",
	"d/app.bicep":           "module m '../shared/m.bicep' = { name: 'm', params: { n: 1 } }\nimport { x } from 'x.bicep'\noutput x string = x\n",
	"d/x.bicep":             "@export()\nvar x = 'x'\n",
	"e/template.json":       `{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#", "contentVersion": "1.0.0.0", "resources": []}`,
	"deep/bicepconfig.json": "{}",
	"deep/x/app.bicep":      "param unused string = 'x'\noutput o string = 'o'\n",
	"kept/e.yaml":           "made before",
	"notes.md":              "nothing reads this",
	"with crlf.txt":         "a\r\nb\r\n",
}

var everyTarget = []string{"a", "b", "c", "d", "deep", "e"}

func TestAffected(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not there")
	}
	remove := func(names ...string) func(dir string) {
		return func(dir string) {
			for _, n := range names {
				if err := os.RemoveAll(filepath.Join(dir, n)); err != nil {
					panic(err)
				}
			}
		}
	}
	put := func(name, text string) func(dir string) {
		return func(dir string) {
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				panic(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				panic(err)
			}
		}
	}
	rename := func(from, to string) func(dir string) {
		return func(dir string) {
			if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
				panic(err)
			}
		}
	}
	settings := affectedRepository[".rad/bicep.yaml"]
	dir, git := affectedRepo(t, affectedRepository)
	before := makeTargets(t) // without a change
	for _, c := range []struct {
		name    string
		change  func(dir string)
		want    []string // names of targets
		kind    string   // of the first reason
		removed []string
	}{
		{"nothing", func(string) {}, nil, "", nil},
		{"a file that nothing reads", put("notes.md", "changed"), nil, "", nil},
		{"a module that nothing uses", put("shared/unused.bicep", "param m int\n"), nil, "", nil},
		{"a new file that nothing reads", put("a/new.bicep", ""), nil, "", nil},
		{"a module", put("shared/m.bicep", "param n int\noutput n int = n + 1\n"), []string{"a", "d"}, "changed", nil},
		{"a module that does not compile any more", put("shared/m.bicep", "param n int\noutput n int = \n"), []string{"a", "d"}, "changed", nil},
		{"a module that is deleted", remove("shared/m.bicep"), []string{"a", "d"}, "deleted", nil},
		{"a module that is renamed", rename("shared/m.bicep", "shared/n.bicep"), []string{"a", "d"}, "deleted", nil},
		{"a file that is imported", put("d/x.bicep", "@export()\nvar x = 'y'\n"), []string{"d"}, "changed", nil},
		{"a template", put("b/app.bicep", "param n int\n"), []string{"b"}, "changed", nil},
		{"a template that is deleted", remove("b/app.bicep"), []string{"b"}, "deleted", nil},
		{"a folder that is deleted", remove("b"), []string{"b"}, "deleted", nil},
		{"an ARM template", put("e/template.json", "{}"), []string{"e"}, "changed", nil},
		{"a loaded file", put("b/text.txt", "other"), []string{"b"}, "changed", nil},
		{"a value in a file", put("b/n.json", "6"), []string{"b"}, "changed", nil},
		{"a parameter file", put("a/app.bicepparam", "using 'app.bicep'\nparam n = 1\n"), []string{"a"}, "changed", nil},
		{"a parameter file that is extended", put("a/base.bicepparam", "using none\nparam n = 4\n"), []string{"a"}, "changed", nil},
		{"a new file in a folder that is listed", put("c/data/2.json", "{}"), []string{"c"}, "listing", nil},
		{"a new file there that is not looked for", put("c/data/other.txt", ""), nil, "", nil},
		{"a listed file's content", put("c/data/1.json", "[]"), nil, "", nil},
		{"a listed file that is renamed", rename("c/data/1.json", "c/data/2.json"), []string{"c"}, "listing", nil},
		{"a listed folder that is deleted", remove("c/data"), []string{"c"}, "deleted", nil},
		{"a rule that finds nothing", put("deep/bicepconfig.json", `{"analyzers": {"core": {"rules": {"use-safe-access": {"level": "off"}}}}}`), nil, "", nil},
		{"a rule that finds something", put("deep/bicepconfig.json", `{"analyzers": {"core": {"rules": {"no-unused-params": {"level": "error"}}}}}`), []string{"deep"}, "changed", nil},
		{"a configuration that is wrong", put("deep/bicepconfig.json", `{"analyzers": 7}`), []string{"deep"}, "changed", nil},
		{"a configuration that changes what is written", put("deep/bicepconfig.json", `{"experimentalFeaturesEnabled": {"symbolicNameCodegen": true}}`), []string{"deep"}, "changed", nil},
		{"a configuration and the template", func(dir string) {
			put("deep/bicepconfig.json", `{"analyzers": {"core": {"enabled": true}}}`)(dir)
			put("deep/x/app.bicep", "param unused string = 'x'\noutput o string = 'p'\n")(dir)
		}, []string{"deep"}, "changed", nil},
		{"a configuration that shadows another", put("deep/x/bicepconfig.json", `{"analyzers": {"core": {"enabled": false}}}`), []string{"deep"}, "added", nil},
		{"a configuration where there was none", put("b/bicepconfig.json", "{}"), nil, "", nil},
		{"a configuration of all", put("bicepconfig.json", `{"analyzers": {"core": {"rules": {"use-safe-access": {"level": "error"}}}}}`), nil, "", nil},
		{"a configuration that is deleted", remove("deep/bicepconfig.json"), nil, "", nil},
		{"a manifest that is edited by hand", put("kept/e.yaml", "edited"), []string{"e"}, "manifest", nil},
		{"a manifest that is deleted", remove("kept/e.yaml"), []string{"e"}, "manifest", nil},
		{"a manifest that is not kept", put("out/a.yaml", "\n"), nil, "", nil},
		{"a lock file", put("deep/bicep.lock.json", `{"version": 1, "artifacts": {}}`), nil, "", nil}, // it refers to nothing
		{"a setting", put(".rad/bicep.yaml", "outputFormat: json\n"+settings), everyTarget, "setting", nil},
		{"a setting that a target says itself", put(".rad/bicep.yaml", "namespace: other\n"+settings), []string{"a", "b", "c", "d", "deep"}, "setting", nil},
		{"a label of all", put(".rad/bicep.yaml", "labels: {a: b}\n"+settings), everyTarget, "setting", nil},
		{"a setting without effect", put(".rad/bicep.yaml", "color: never\n"+settings), nil, "", nil},
		{"a comment in the settings", put(".rad/bicep.yaml", "# comment\n"+settings), nil, "", nil},
		{"a target's parameters", put(".rad/bicep.yaml", strings.Replace(settings, "n=@b/n.json", "n=7", 1)), []string{"b"}, "target", nil},
		{"a target's outfile", put(".rad/bicep.yaml", strings.Replace(settings, "out/c.yaml", "out/cc.yaml", 1)), []string{"c"}, "target", nil},
		{"a target that is removed", put(".rad/bicep.yaml", strings.Replace(settings, "- template: d/app.bicep\n  outfile: out/d.yaml\n", "", 1)), nil, "", []string{"out/d.yaml"}},
		{"a target that is added", put(".rad/bicep.yaml", settings+"- template: d/app.bicep\n  outfile: out/new.yaml\n  name: new\n"), []string{"d"}, "target", nil},
		{"the order of targets", put(".rad/bicep.yaml", "targets:\n"+strings.Join(reversed(strings.SplitAfter(strings.TrimPrefix(settings, "targets:\n"), ".yaml\n")), "")), nil, "", nil},
		{"line ends", put("shared/m.bicep", "param n int\r\noutput n int = n\r\n"), nil, "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			defer git("reset", "-q", "--hard", "one")
			c.change(dir)
			status, out, errs := runIn(t, "bicep", "affected", "--base", "HEAD", "--format", "json")
			require.Equal(t, 0, status, out+errs)
			got, removed := readAffected(t, out, c.kind)
			require.Equal(t, c.want, got, out)
			require.Equal(t, c.removed, removed, out)
			// What is not listed makes the same manifests as before.
			for file, text := range makeTargets(t) {
				name := strings.TrimSuffix(filepath.Base(file), ".yaml")
				require.True(t, text == before[file] || slices.Contains(got, name) || before[file] == "", "%s changed", file)
			}
			// The same between two commits, while the work tree is another.
			git("add", "-A")
			git("commit", "-q", "-m", "change", "--allow-empty")
			status, out, errs = runIn(t, "bicep", "affected", "--base", "HEAD~1", "--format", "json", "--exit-code")
			require.Equal(t, map[bool]int{false: 0, true: 1}[len(c.want)+len(c.removed) > 0], status, out+errs)
			again, _ := readAffected(t, out, c.kind)
			if c.name != "line ends" {
				require.Equal(t, c.want, again, out)
			}
		})
	}
}

func reversed(list []string) []string {
	list = slices.DeleteFunc(list, func(s string) bool { return s == "" })
	slices.Reverse(list)
	return list
}

// affectedRepo makes a repository with one commit and goes there.
func affectedRepo(t *testing.T, files map[string]string) (string, func(args ...string)) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	t.Chdir(dir)
	git := func(args ...string) {
		t.Helper()
		c := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "core.autocrlf=false"}, args...)...)
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		out, err := c.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	for name, text := range files {
		write(t, filepath.Join(dir, name), text)
	}
	git("init", "-q", ".")
	git("add", "-A")
	git("commit", "-q", "-m", "one")
	git("tag", "one")
	return dir, git
}

// makeTargets makes the manifests of all targets, each for itself, since some fail.
func makeTargets(t *testing.T) map[string]string {
	t.Helper()
	list := map[string]string{}
	for _, line := range [][]string{
		{"a/app.bicep", "-p", "@a/app.bicepparam", "-o", "out/a.yaml"}, {"b/app.bicep", "-p", "n=@b/n.json", "-o", "out/b.yaml"},
		{"c/app.bicep", "-o", "out/c.yaml"}, {"d/app.bicep", "-o", "out/d.yaml"}, {"e/template.json", "-o", "out/e.yaml"}, {"deep/x/app.bicep", "-o", "out/deep.yaml"},
	} {
		runIn(t, append([]string{"bicep", "generate-kubernetes-manifest"}, line...)...)
		text, _ := os.ReadFile(line[len(line)-1])
		list[line[len(line)-1]] = string(text)
	}
	require.NoError(t, os.RemoveAll("out"))
	return list
}

// TestAffectedIntoXargs hands the names of a branch to another command, as a pipeline does.
func TestAffectedIntoXargs(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("xargs"); err != nil {
		t.Skip("xargs is not there")
	}
	dir, sh := workbench(t)
	const template = "output o string = 'o'\n"
	outside := t.TempDir()
	options := []string{"--force.bicep", "--outfile=" + outside + "/y.bicep", "-o.bicep", "@r.bicep"}
	odd := []string{"a b.bicep", "a --force.bicep", "a\nb.bicep", "it's \"b\".bicep", "e\x1b.bicep"}
	write(t, filepath.Join(dir, "r.bicep"), "--outfile="+outside+"/r.bicep app.bicep\n")
	must(t, sh, `git init -q . && git add . && git -c user.name=t -c user.email=t@example.com commit -q -m x`)
	settings := func(names []string) {
		t.Helper()
		var targets []map[string]string
		for i, name := range names {
			write(t, filepath.Join(dir, name), template)
			targets = append(targets, map[string]string{"template": name, "outfile": fmt.Sprintf("out/%d.yaml", i), "name": fmt.Sprintf("t%d", i)})
		}
		text, err := yaml.Marshal(map[string]any{"targets": targets})
		require.NoError(t, err)
		write(t, filepath.Join(dir, ".rad", "bicep.yaml"), string(text))
	}

	// Names that are options, to a command that does not end its options.
	settings(options)
	require.Equal(t, "./--force.bicep\n./--outfile="+outside+"/y.bicep\n./-o.bicep\n./@r.bicep\n", must(t, sh, `rad bicep affected --base HEAD`))
	for _, command := range []string{`rad bicep format`, `rad bicep format --`, `rad bicep lint`, `rad bicep plan`} {
		must(t, sh, `rad bicep affected --base HEAD | xargs -n 1 `+command)
		must(t, sh, `rad bicep affected --base HEAD -0 | xargs -0 -n 1 `+command)
	}
	require.Empty(t, must(t, sh, "ls '"+outside+"'"), "written outside of the repository")

	// --null gives every name as it is.
	settings(append(options, odd...))
	out := must(t, sh, `rad bicep affected --base HEAD --null | xargs -0 rad bicep format --check --`)
	require.Empty(t, out)
	out = must(t, sh, `rad bicep affected --base HEAD --null | xargs -0 sh -c 'for name; do test -f "$name" && echo found; done' sh`)
	require.Equal(t, len(options)+len(odd), strings.Count(out, "found"), out)
	status, out := sh(`rad bicep affected --base HEAD --null --format json`)
	require.Equal(t, 3, status, out)
	require.Contains(t, out, "--null ends the names of --format text")
}

func readAffected(t *testing.T, text, kind string) (names, removed []string) {
	t.Helper()
	var a struct{ Result changed.Result }
	require.NoError(t, json.Unmarshal([]byte(text), &a), text)
	for _, one := range a.Result.Targets {
		name, _, _ := strings.Cut(one.Template, "/")
		names = append(names, name)
		require.Equal(t, kind, one.Reasons[0].Kind, text)
	}
	for _, one := range a.Result.Removed {
		removed = append(removed, one.Outfile)
	}
	slices.Sort(names)
	return names, removed
}

// TestAffectedSinceTheMergeBase: what came to the other branch meanwhile does not count.
func TestAffectedSinceTheMergeBase(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not there")
	}
	dir, git := affectedRepo(t, affectedRepository)
	git("branch", "-M", "main")
	git("checkout", "-q", "-b", "work")
	write(t, filepath.Join(dir, "b", "text.txt"), "other")
	git("commit", "-qam", "work")
	git("checkout", "-q", "main")
	write(t, filepath.Join(dir, "shared", "m.bicep"), "param n int\noutput n int = 1\n")
	git("commit", "-qam", "main")
	git("checkout", "-q", "work")
	status, out, errs := runIn(t, "bicep", "affected", "--base", "main")
	require.Equal(t, 0, status, errs)
	require.Equal(t, "b/app.bicep\n", filepath.ToSlash(out))
	// Two revisions are compared as they are, and the work tree does not count.
	write(t, filepath.Join(dir, "c", "app.bicep"), "")
	status, out, errs = runIn(t, "bicep", "affected", "--base", "main..work")
	require.Equal(t, 0, status, errs)
	require.Equal(t, "a/app.bicep\nb/app.bicep\nd/app.bicep\n", filepath.ToSlash(out))
	// Templates that are named, and what is wrong.
	status, out, errs = runIn(t, "bicep", "affected", "c/app.bicep", "d/app.bicep", "--base", "main")
	require.Equal(t, 0, status, errs)
	require.Equal(t, "c/app.bicep\n", filepath.ToSlash(out))
	status, _, errs = runIn(t, "bicep", "affected", "--base", "nosuch")
	require.Equal(t, 4, status)
	require.Contains(t, errs, `there is no revision "nosuch"`)
	status, _, _ = runIn(t, "bicep", "affected")
	require.Equal(t, 3, status)
	git("checkout", "-q", "--orphan", "other")
	git("commit", "-qm", "orphan")
	status, out, errs = runIn(t, "bicep", "affected", "c/app.bicep", "--base", "main")
	require.Equal(t, 0, status)
	require.Contains(t, errs, "no common ancestor")
	require.Equal(t, "c/app.bicep\n", filepath.ToSlash(out))
	require.NoError(t, os.RemoveAll(filepath.Join(dir, ".git")))
	status, _, errs = runIn(t, "bicep", "affected", "c/app.bicep", "--base", "main")
	require.Equal(t, 4, status)
	require.Contains(t, errs, "is in no git repository")
}

// TestDepsAreReadByMake runs make with a dependency file: it makes the manifest again when a
// file that was read changes, and only then.
// A rule of make is not run again and again when an input changes and the output stays equal.
func TestMakeTakesAnEqualOutputForDone(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil || runtime.GOOS == "windows" {
		t.Skip("make is not there")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	require.NoError(t, os.Mkdir(".git", 0o777))
	write(t, filepath.Join(dir, "app.bicep"), "output o string = 'o'\n")
	for output, line := range map[string][]string{
		"app.yaml": {"bicep", "generate-kubernetes-manifest", "app.bicep", "-o", "app.yaml", "--deps", "app.yaml.d"},
		"app.json": {"bicep", "build", "app.bicep", "--outfile", "app.json", "--deps", "app.json.d"},
	} {
		write(t, filepath.Join(dir, output+".mk"), output+":\n\t@echo made\n-include "+output+".d\n")
		old := time.Now().Add(-time.Hour)
		require.NoError(t, os.Chtimes("app.bicep", old, old))
		generate := func() {
			t.Helper()
			status, _, errs := runIn(t, line...)
			require.Equal(t, 0, status, errs)
		}
		isDone := func() bool {
			return exec.Command("make", "-q", "-f", output+".mk", output).Run() == nil
		}
		generate()
		require.True(t, isDone(), output)
		old = old.Add(-time.Hour)
		require.NoError(t, os.Chtimes(output, old, old))
		content, err := os.ReadFile(output)
		require.NoError(t, err)
		require.False(t, isDone(), output)
		generate()
		after, err := os.ReadFile(output)
		require.NoError(t, err)
		require.Equal(t, string(content), string(after))
		require.True(t, isDone(), output)
	}
}

func TestDepsAreReadByMake(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil || runtime.GOOS == "windows" {
		t.Skip("make is not there")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	require.NoError(t, os.Mkdir(".git", 0o777))
	odd := "odd a#b$c%d=e_f_g_h_.bicep" // Bicep does not take : * ?
	write(t, filepath.Join(dir, "app.bicep"), "module m '"+odd+`' = { name: 'm' }
output t string = loadTextContent('sub dir/a name.txt')
output l array = loadDirectoryFileInfo('list')
`)
	write(t, filepath.Join(dir, odd), "output o string = 'o'\n")
	write(t, filepath.Join(dir, "sub dir", "a name.txt"), "text")
	write(t, filepath.Join(dir, "list", "one.json"), "{}")
	write(t, filepath.Join(dir, "bicepconfig.json"), "{}")
	write(t, filepath.Join(dir, "Makefile"), "out/app.yaml:\n\t@echo made; touch out/app.yaml\n-include app.d\n")
	status, _, errs := runIn(t, "bicep", "generate-kubernetes-manifest", "app.bicep", "-o", "out/app.yaml", "--deps", "app.d")
	require.Equal(t, 0, status, errs)
	text, err := os.ReadFile("app.d")
	require.NoError(t, err)
	run := func() string {
		out, err := exec.Command("make", "--no-print-directory", "out/app.yaml").CombinedOutput()
		require.NoError(t, err, "%s\n%s", out, text)
		return string(out)
	}
	touch := func(name string, seconds int64) {
		info, err := os.Stat("out/app.yaml")
		require.NoError(t, err)
		when := info.ModTime().Add(time.Duration(seconds) * time.Second)
		require.NoError(t, os.Chtimes(name, when, when))
	}
	inputs := []string{"app.bicep", odd, "sub dir/a name.txt", "bicepconfig.json", "list"}
	for _, name := range inputs {
		touch(name, -10)
	}
	require.Contains(t, run(), "up to date", string(text))
	for _, name := range inputs {
		touch(name, +10)
		require.Contains(t, run(), "made", "%s\n%s", name, text)
		touch(name, -10)
		require.Contains(t, run(), "up to date", name)
	}
	require.NoError(t, os.Remove(odd))
	require.Contains(t, run(), "made") // and no error
	// build, and all targets at once.
	status, _, errs = runIn(t, "bicep", "build", "bicepconfig.bicep", "--deps", "x.d")
	require.Equal(t, 1, status, errs)
	write(t, filepath.Join(dir, "b.bicep"), "output t string = loadTextContent('list/one.json')\n")
	status, _, errs = runIn(t, "bicep", "build", "b.bicep", "--deps", "b.d")
	require.Equal(t, 0, status, errs)
	text, err = os.ReadFile("b.d")
	require.NoError(t, err)
	require.Equal(t, "b.json: \\\n  b.bicep \\\n  bicepconfig.json \\\n  list/one.json\n\nb.bicep:\n\nbicepconfig.json:\n\nlist/one.json:\n", string(text))
	status, _, errs = runIn(t, "bicep", "affected", "b.bicep", "--deps", "all.d")
	require.Equal(t, 0, status, errs)
	text, err = os.ReadFile("all.d")
	require.NoError(t, err)
	require.Contains(t, string(text), "b.yaml: \\\n  b.bicep \\\n")
}
