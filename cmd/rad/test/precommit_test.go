package test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"
)

// hooks are those of .pre-commit-hooks.yaml.
func hooks(t *testing.T) (list []map[string]any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", ".pre-commit-hooks.yaml"))
	require.NoError(t, err)
	require.NoError(t, yaml.UnmarshalStrict(text, &list))
	return list
}

// TestInitHook compares the hook that init writes with the one that others can name: what pre-commit does is the same.
func TestInitHook(t *testing.T) {
	t.Parallel()
	dir, sh := workbench(t)
	must(t, sh, `git init -q . && rad bicep init`)
	text, err := os.ReadFile(filepath.Join(dir, ".pre-commit-config.yaml"))
	require.NoError(t, err)
	var config struct {
		Repos []struct {
			Repo  string
			Hooks []map[string]any
		}
	}
	require.NoError(t, yaml.Unmarshal(text, &config))
	require.Equal(t, "local", config.Repos[0].Repo)
	written := config.Repos[0].Hooks[0]
	for _, hook := range hooks(t) {
		if hook["id"] == "rad-bicep-generate-system" {
			for key, value := range written {
				if key != "id" {
					require.Equal(t, hook[key], value, key)
				}
			}
			return
		}
	}
	t.Error("there is no such hook")
}

// hookRepository is a git repository with the hook of .pre-commit-hooks.yaml that has the
// id, and a function that runs a command line in it.
func hookRepository(t *testing.T, id string) (dir string, sh func(line string) (status int, output string)) {
	t.Helper()
	if testing.Short() {
		t.Skip("pre-commit takes seconds")
	}
	if _, err := exec.LookPath("pre-commit"); err != nil {
		t.Skip("pre-commit is not installed (apt-get install pre-commit), so the hooks are not run")
	}
	dir, sh = workbench(t)
	for _, hook := range hooks(t) {
		if hook["id"] != id {
			continue
		}
		hook["language"] = "system" // the program of this test, in place of one that pre-commit builds
		config, err := yaml.Marshal(map[string]any{"repos": []any{map[string]any{"repo": "local", "hooks": []any{hook}}}})
		require.NoError(t, err)
		write(t, filepath.Join(dir, ".pre-commit-config.yaml"), string(config))
	}
	must(t, sh, `git init -q . && git config user.name t && git config user.email t@example.com && pre-commit install`)
	return dir, sh
}

// oddNames are names of files that a stranger may choose.
var oddNames = []string{"a b.bicep", "it's.bicep", `say "no".bicep`, "-o.bicep", "--check.bicep", "@r.bicep", "two\nlines.bicep", "$(id).bicep"}

// oddTargets lists a target for each odd name, with an outfile that is as odd.
func oddTargets(t *testing.T, dir string) (settings string) {
	t.Helper()
	settings = "targets:\n"
	for i, name := range oddNames {
		write(t, filepath.Join(dir, name), fmt.Sprintf("output o int = %d\n", i))
		settings += fmt.Sprintf("- {template: %q, outfile: %q, name: n%d}\n", name, strings.TrimSuffix(name, ".bicep")+".yaml", i)
	}
	return settings
}

func must(t *testing.T, sh func(string) (int, string), line string) string {
	t.Helper()
	status, out := sh(line)
	require.Equal(t, 0, status, "%s\n%s", line, out)
	return out
}

func TestPreCommitGenerate(t *testing.T) {
	t.Parallel()
	dir, sh := hookRepository(t, "rad-bicep-generate")
	write(t, filepath.Join(dir, "t", "app.bicep"), "output t string = loadTextContent('note.md')\n")
	write(t, filepath.Join(dir, "t", "note.md"), "one")
	write(t, filepath.Join(dir, ".rad", "bicep.yaml"), "targets:\n  - template: t/app.bicep\n    outfile: out/a b.yaml\n")
	refused := func(why string) {
		t.Helper()
		status, out := sh(`git commit -q -m x`)
		require.Equal(t, 1, status, "%s\n%s", why, out)
		require.Contains(t, out, "Run:\ngit add 'out/a b.yaml'\n", why)
	}
	done := func() {
		t.Helper()
		must(t, sh, `git add 'out/a b.yaml' && git commit -q -m x && git diff --quiet HEAD`)
	}

	must(t, sh, `git add t .rad .pre-commit-config.yaml`)
	refused("a manifest that the hook has just written")
	refused("a manifest that is not tracked")
	done()

	write(t, filepath.Join(dir, "t", "note.md"), "two")
	must(t, sh, `git add t`)
	refused("a text file that the template loads has changed")
	require.Contains(t, must(t, sh, `cat 'out/a b.yaml'`), "two")
	done()

	must(t, sh, `echo '# by hand' >> 'out/a b.yaml' && git add out`)
	refused("a manifest that was edited by hand")
	status, out := sh(`git add out && git commit -q -m x`)
	require.Equal(t, 1, status, out) // there is nothing left to commit
	require.Contains(t, out, "nothing added to commit")

	must(t, sh, `git rm -q t/app.bicep`)
	status, out = sh(`git commit -q -m x`)
	require.Equal(t, 1, status, out)
	require.Contains(t, out, "t/app.bicep")

	must(t, sh, `git reset -q --hard`)
	write(t, filepath.Join(dir, ".rad", "bicep.yaml"), oddTargets(t, dir))
	must(t, sh, `rm -r out && git add --all .`)
	status, out = sh(`git commit -q -m x`)
	require.Equal(t, 1, status, out)
	for _, name := range oddNames {
		require.FileExists(t, filepath.Join(dir, strings.TrimSuffix(name, ".bicep")+".yaml"))
	}
	must(t, sh, `git add --all . && git commit -q -m x && git diff --quiet HEAD`)
}

func TestPreCommitLint(t *testing.T) {
	t.Parallel()
	dir, sh := hookRepository(t, "rad-bicep-lint")
	must(t, sh, `git add . && git commit -q --no-verify -m start`)
	for _, name := range oddNames {
		write(t, filepath.Join(dir, name), "output o int = 1\n")
	}
	must(t, sh, `git add --all . && git commit -q -m x`)
	for _, name := range oddNames {
		write(t, filepath.Join(dir, name), "output o int = 'text'\n")
		status, out := sh(`git add --all . && git commit -q -m x`)
		require.Equal(t, 1, status, "%q: %s", name, out)
		require.Contains(t, out, strings.ReplaceAll(name, "\n", `\n`)+"(1,16) : Error BCP033")
		must(t, sh, `git reset -q --hard`)
	}
}

// TestGitAddLine runs the command that is printed for manifests that are not staged.
func TestGitAddLine(t *testing.T) {
	t.Parallel()
	dir, sh := workbench(t)
	write(t, filepath.Join(dir, "a.bicep"), "output o string = 'o'\n")
	write(t, filepath.Join(dir, ".rad", "bicep.yaml"), `targets:
- {template: a.bicep, name: a, outfile: --force.yaml}
- {template: a.bicep, name: b, outfile: ":(top).yaml"}
- {template: a.bicep, name: c, outfile: "a 'b'.yaml"}
`)
	must(t, sh, `git init -q .`)
	status, out := sh(`rad bicep generate-kubernetes-manifest --fail-on-change`)
	require.Equal(t, 1, status, out)
	_, line, found := strings.Cut(out, "Run:\n")
	require.True(t, found, out)
	must(t, sh, line)
	must(t, sh, `rad bicep generate-kubernetes-manifest --fail-on-change`)
}

func TestPreCommitCheck(t *testing.T) {
	t.Parallel()
	dir, sh := hookRepository(t, "rad-bicep-check")
	write(t, filepath.Join(dir, "t", "app.bicep"), "output t string = 'one'\n")
	write(t, filepath.Join(dir, ".rad", "bicep.yaml"), "targets:\n  - template: t/app.bicep\n    outfile: out/app.yaml\n")
	must(t, sh, `git add t .rad .pre-commit-config.yaml`)
	status, out := sh(`git commit -q -m x`)
	require.Equal(t, 1, status, out)
	require.Contains(t, out, "out/app.yaml does not exist")
	require.NoFileExists(t, filepath.Join(dir, "out", "app.yaml"))

	must(t, sh, `rad bicep generate-kubernetes-manifest`)
	status, out = sh(`git commit -q -m x`)
	require.Equal(t, 1, status, out)
	require.Contains(t, out, "Run:\ngit add out/app.yaml\n")
	must(t, sh, `git add out && git commit -q -m x`)

	write(t, filepath.Join(dir, ".rad", "bicep.yaml"), oddTargets(t, dir))
	must(t, sh, `git rm -q -r out && git add --all .`)
	status, out = sh(`git commit -q -m x`)
	require.Equal(t, 1, status, out)
	require.Equal(t, len(oddNames), strings.Count(out, "does not exist; generate it from"), out)
	must(t, sh, `rad bicep generate-kubernetes-manifest`)
	must(t, sh, `git add --all . && git commit -q -m x`)
}

// TestPreCommitFormat commits files whose names are options, or name a response file, as a
// stranger's pull request may: the hook writes what it was given, and nothing else.
func TestPreCommitFormat(t *testing.T) {
	t.Parallel()
	dir, sh := hookRepository(t, "rad-bicep-format")
	must(t, sh, `git add . && git commit -q --no-verify -m start`)
	outside := t.TempDir()
	const messy, tidy = "param   tag   string\n", "param tag string\n"
	read := func(name string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		return string(text)
	}
	commit := func(names ...string) {
		t.Helper()
		for _, name := range names {
			write(t, filepath.Join(dir, name), messy)
		}
		status, out := sh(`git add --all . && git commit -q -m x`)
		require.Equal(t, 1, status, out)
		require.Contains(t, out, "files were modified by this hook")
		for _, name := range names {
			require.Equal(t, tidy, read(name), name)
		}
		require.Empty(t, must(t, sh, "ls '"+outside+"'"), "the hook wrote outside of the repository: %v", names)
		must(t, sh, `git add --all . && git commit -q -m x && git diff --quiet HEAD`)
	}

	commit("--outfile=" + outside + "/y.bicep") // without --, the text of another file goes there
	commit("--outfile="+outside+"/z.bicep", "z.bicep")
	write(t, filepath.Join(dir, "options.bicep"), "--outfile="+outside+"/r.bicep app.bicep\n")
	must(t, sh, `git add options.bicep && git commit -q --no-verify -m x`)
	commit("@options.bicep")
	commit("--indent-size=7.bicep", "*.bicep", "-/-.bicep", "@/@.bicep")
	commit(oddNames...)

	// Arguments of the hook's user come after the --, so they are no options either, and say so.
	config := read(".pre-commit-config.yaml")
	write(t, filepath.Join(dir, ".pre-commit-config.yaml"), strings.Replace(config, "entry:", "args: [--check]\n    entry:", 1))
	write(t, filepath.Join(dir, "z.bicep"), messy)
	status, out := sh(`git add --all . && git commit -q -m x`)
	require.Equal(t, 1, status, out)
	require.Contains(t, out, "--check: there is no such file")
}

// TestHookIsFast holds the hook to what people accept at each commit: 50 small targets that
// have not changed.
func TestHookIsFast(t *testing.T) {
	t.Parallel()
	if testing.Short() || raceEnabled {
		t.Skip("measures time")
	}
	dir, sh := workbench(t)
	targets := "targets:\n"
	for i := range 50 {
		write(t, filepath.Join(dir, fmt.Sprintf("t%d.bicep", i)), fmt.Sprintf("param p string = 'x'\noutput o%d string = p\n", i))
		targets += fmt.Sprintf("  - {template: t%d.bicep, outfile: out/t%d.yaml}\n", i, i)
	}
	write(t, filepath.Join(dir, ".rad", "bicep.yaml"), targets)
	must(t, sh, `git init -q . && rad bicep generate-kubernetes-manifest && git add . && git -c user.name=t -c user.email=t@example.com commit -q -m x`)
	run := exec.Command(copyOfThisProgram(t, "rad"), "bicep", "generate-kubernetes-manifest", "--fail-on-change")
	run.Dir = dir
	out, err := run.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "50 manifests up to date")
	require.Less(t, run.ProcessState.UserTime()+run.ProcessState.SystemTime(), 500*time.Millisecond)
}
