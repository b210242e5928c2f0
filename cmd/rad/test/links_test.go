package test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/command"
)

// linkCases are commands that write into, or read, a place that a link of a repository can lead
// elsewhere. They are not among those of TestOutputsDoNotEscape, since they have no --root, or choose
// the place themselves.
var linkCases = []struct {
	name     string
	git, not bool // whether it is tried with a git work tree, and without
	make     func(w *escapeWorld)
	env      string // a variable, NAME=VALUE
	args     []string
	says     string
}{
	{"init, a .rad that leads out", true, true, func(w *escapeWorld) { w.link("../outside", ".rad") }, "", []string{"init", "REPO"}, "symbolic link"},
	{"init, a file that leads out", true, true, func(w *escapeWorld) {
		w.link("../../outside/new.yaml", ".rad/bicep.yaml")
	}, "", []string{"init", "REPO"}, "exists already"},
	{"init, a .rad in git's folder", true, false, func(w *escapeWorld) { w.link(".git", ".rad") }, "", []string{"init", "REPO"}, "git's own folder"},
	{"init, a folder that leads out", true, false, func(w *escapeWorld) { w.link("../outside", "l") }, "", []string{"init", "REPO/l"}, "symbolic link"},
	{"init, a hook that leads out", true, false, func(w *escapeWorld) {
		w.link("../outside/new.yaml", ".pre-commit-config.yaml")
	}, "", []string{"init", "REPO"}, "symbolic link"},
	{"init, out of a narrow root", true, true, func(w *escapeWorld) {
		w.write("repo/sub/main.bicep", "param p string = 'x'\noutput o string = p\nresource r 'A.B/c@2020-01-01' = { name: 'r' }\n")
		w.link("../in", "sub/.rad")
	}, "RAD_BICEP_ROOT=REPO/sub", []string{"init", "REPO/sub"}, "symbolic link"},
	{"manual pages, a folder", true, false, func(w *escapeWorld) { w.link("../outside", "man") }, "", []string{"help", "--man", "REPO/man"}, "symbolic link"},
	{"manual pages, a folder below", true, false, func(w *escapeWorld) { w.link("../outside", "man") }, "", []string{"help", "--man", "REPO/man/man1"}, "symbolic link"},
	{"manual pages, a page", true, true, func(w *escapeWorld) { w.link("../../outside/x.txt", "man/rad.1") }, "", []string{"help", "--man", "REPO/man"}, "symbolic link"},
	{"manual pages, a page that is not there", true, true, func(w *escapeWorld) { w.link("../../outside/new", "man/rad.1") }, "", []string{"help", "--man", "REPO/man"}, "symbolic link"},
	{"manual pages, git's folder", true, false, func(*escapeWorld) {}, "", []string{"help", "--man", "REPO/.git"}, "git's own folder"},
	{"link, a folder", true, false, func(w *escapeWorld) { w.link("../outside", "bin") }, "", []string{"link", "REPO/bin"}, "symbolic link"},
	{"link, a folder below", true, false, func(w *escapeWorld) { w.link("../outside", "bin") }, "", []string{"link", "REPO/bin/new"}, "symbolic link"},
	{"link, forced", true, false, func(w *escapeWorld) {
		w.write("outside/bicep", bait)
		w.link("../outside", "bin")
	}, "", []string{"link", "REPO/bin", "--force"}, "symbolic link"},
	{"link, git's folder", true, false, func(*escapeWorld) {}, "", []string{"link", "REPO/.git/hooks"}, "git's own folder"},
	{"types, a folder", true, false, func(w *escapeWorld) { w.link("../outside", "types") }, "", []string{"types", "import", "az", "REPO/types"}, "symbolic link"},
	{"types, a file", true, false, func(w *escapeWorld) { w.link("../outside/x.txt", "types") }, "", []string{"types", "import", "az", "REPO/types"}, "symbolic link"},
	{"types, the cache of a job", true, false, func(w *escapeWorld) {
		w.types("repo/types")
		w.link("../outside", ".cache")
	}, "XDG_CACHE_HOME=REPO/.cache", []string{"types", "import", "az", "REPO/types"}, "symbolic link"},
	{"types, a folder of that cache", true, false, func(w *escapeWorld) {
		w.types("repo/types")
		w.link("../../../outside", ".cache/rad/azure-types")
	}, "XDG_CACHE_HOME=REPO/.cache", []string{"types", "import", "az", "REPO/types"}, "symbolic link"},
	{"types, the cache of a job in git's folder", true, false, func(w *escapeWorld) {
		w.types("repo/types")
		w.link("../.git", ".cache/rad")
	}, "XDG_CACHE_HOME=REPO/.cache", []string{"types", "import", "az", "REPO/types"}, "git's own folder"},
	{"a new cache in git's folder", true, false, func(w *escapeWorld) {
		w.write("repo/main.bicep", "module m 'br:mcr.microsoft.com/bicep/a:v1' = { name: 'm' }\n")
		w.write("repo/bicepconfig.json", `{"cacheRootDirectory": "l/new"}`)
		w.link(".git", "l")
	}, "", []string{"build", "FILE", "--no-restore"}, "git's own folder"},
	{"a cache in git's folder, by a long name", true, false, func(w *escapeWorld) {
		w.write("repo/main.bicep", "module m 'br:mcr.microsoft.com/bicep/a:v1' = { name: 'm' }\n")
		w.write("repo/bicepconfig.json", `{"cacheRootDirectory": "`+w.deepLink(".git", "l")+`"}`)
	}, "", []string{"build", "FILE", "--no-restore"}, "file name too long"},
	{"cache clean, the library of a job", true, false, func(w *escapeWorld) {
		w.write("outside/x.aztypes", bait)
		w.link("../../../outside", ".cache/rad/azure-types")
	}, "XDG_CACHE_HOME=REPO/.cache", []string{"cache", "clean", "--all"}, "symbolic link"},
	{"the home folder of a job", true, false, func(w *escapeWorld) {
		w.write("repo/main.bicep", "module m 'br:mcr.microsoft.com/bicep/a:v1' = { name: 'm' }\n")
		w.link("../outside", ".bicep")
	}, "HOME=REPO", []string{"build", "FILE", "--no-restore"}, "symbolic link"},
	{"a lock file that leads out", true, true, func(w *escapeWorld) {
		w.write("outside/lock.json", `{"`+bait+`": 1}`)
		w.write("repo/main.bicep", "module m 'br:mcr.microsoft.com/bicep/a:v1' = { name: 'm' }\n")
		w.link("../outside/lock.json", "bicep.lock.json")
	}, "", []string{"outdated", "REPO", "--offline"}, "symbolic link"},
	{"the lock file of build", true, true, func(w *escapeWorld) {
		w.write("outside/lock.json", `{"`+bait+`": 1}`)
		w.write("repo/main.bicep", "module m 'br:mcr.microsoft.com/bicep/a:v1' = { name: 'm' }\n")
		w.link("../outside/lock.json", "bicep.lock.json")
	}, "", []string{"build", "FILE", "--no-restore"}, "symbolic link"},
	{"the lock file of restore", true, true, func(w *escapeWorld) {
		w.write("outside/lock.json", `{"`+bait+`": 1}`)
		w.write("repo/main.bicep", "module m 'br:mcr.microsoft.com/bicep/a:v1' = { name: 'm' }\n")
		w.link("../outside/lock.json", "bicep.lock.json")
	}, "", []string{"restore", "FILE", "--offline"}, "symbolic link"},
	{"a configuration that outdated reads", true, true, func(w *escapeWorld) {
		w.write("outside/c.json", `{"moduleAliases": {"br": {"a": {"registry": "`+strings.ToLower(bait)+`.example"}}}}`)
		w.write("repo/main.bicep", "module m 'br/a:l:v1' = { name: 'm' }\n")
		w.link("../outside/c.json", "bicepconfig.json")
	}, "", []string{"outdated", "FILE", "--offline"}, ""},
	{"format out of a narrow root", true, true, func(w *escapeWorld) { w.link("../in/x.bicep", "sub/l.bicep") }, "RAD_BICEP_ROOT=REPO/sub", []string{"format", "REPO/sub/l.bicep"}, "symbolic link"},
	{"format into what leads out", true, true, func(w *escapeWorld) { w.link("../in", "sub/d") }, "RAD_BICEP_ROOT=REPO/sub", []string{"format", "FILE", "--outdir", "REPO/sub/d"}, "symbolic link"},
	{"a baseline out of a narrow root", true, true, func(w *escapeWorld) {
		w.write("repo/sub/main.bicep", "output o string = 'x'\n")
		w.link("../in/x.json", "sub/base.json")
	}, "", []string{"lint", "REPO/sub/main.bicep", "--root", "REPO/sub", "--write-baseline=REPO/sub/base.json"}, "symbolic link"},
	{"a baseline that is read", true, true, func(w *escapeWorld) {
		w.write("repo/sub/main.bicep", "output o string = 'x'\n")
		w.link("../in/x.json", "sub/base.json")
	}, "", []string{"lint", "REPO/sub/main.bicep", "--root", "REPO/sub", "--baseline=REPO/sub/base.json"}, "symbolic link"},
	{"completion, a file that leads out", true, true, func(w *escapeWorld) {
		w.write("outside/secret.bicep", "param "+completed+" string\n")
		w.link("../outside/secret.bicep", "l.bicep")
	}, "", []string{"__complete", "generate-kubernetes-manifest", "REPO/l.bicep", "-p", ""}, ""},
	{"completion, a JSON template", true, true, func(w *escapeWorld) {
		w.write("outside/secret.json", `{"parameters": {"`+completed+`": {"type": "string"}}}`)
		w.link("../outside/secret.json", "l.json")
	}, "", []string{"__complete", "plan", "REPO/l.json", "-p", ""}, ""},
	{"completion, a folder that leads out", true, false, func(w *escapeWorld) {
		w.write("outside/secret.bicep", "param "+completed+" string\n")
		w.link("../outside", "d")
	}, "", []string{"__complete", "graph", "REPO/d/secret.bicep", "-p", ""}, ""},
	{"completion, what a parameter file uses", true, true, func(w *escapeWorld) {
		w.write("outside/secret.bicep", "param "+completed+" string\n")
		w.write("repo/p.bicepparam", "using '../outside/secret.bicep'\n")
	}, "", []string{"__complete", "bundle", "REPO/p.bicepparam", "-p", ""}, ""},
	{"completion, out of a narrow root", true, true, func(w *escapeWorld) {
		w.write("repo/secret.bicep", "param "+completed+" string\n")
		w.write("repo/sub/p.bicepparam", "using '../secret.bicep'\n")
	}, "", []string{"__complete", "plan", "--root", "REPO/sub", "REPO/sub/p.bicepparam", "-p", ""}, ""},
	{"completion, files of a folder that leads out", true, false, func(w *escapeWorld) {
		w.write("outside/"+completed+".json", "{}")
		w.link("../outside", "d")
	}, "", []string{"__complete", "plan", "FILE", "-p", "@REPO/d/"}, ""},
}

// completed is a name of a parameter that completion must not find.
const completed = "canaryOfCompletion"

// types writes a folder of Azure's types.
func (w *escapeWorld) types(dir string) {
	w.write(dir+"/acme/2020-01-01/types.json", `[{"$type": "StringType"}, {"$type": "ObjectType", "name": "A.B/c", "properties": {"name": {"type": {"$ref": "#/0"}, "flags": 9}}}, {"$type": "ResourceType", "name": "A.B/c@2020-01-01", "scopeType": 8, "body": {"$ref": "#/1"}, "flags": 0}]`)
}

// TestLinksDoNotChooseFolders: commands without a root of their own, and caches in a checkout, are held
// to the work tree, or to the folder that the user names.
func TestLinksDoNotChooseFolders(t *testing.T) {
	setUserless(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("PATH", t.TempDir())
	for _, c := range linkCases {
		for _, git := range []bool{true, false} {
			if git && !c.git || !git && !c.not {
				continue
			}
			name := c.name
			if !git {
				name += ", without git"
			}
			t.Run(name, func(t *testing.T) {
				w := newEscapeWorld(t)
				w.write("repo/main.bicep", "param p string = 'x'\noutput o string = p\nresource r 'A.B/c@2020-01-01' = { name: 'r' }\n")
				if !git {
					require.NoError(t, os.RemoveAll(filepath.Join(w.repo, ".git")))
				}
				c.make(w)
				if key, value, ok := strings.Cut(c.env, "="); ok {
					t.Setenv(key, strings.ReplaceAll(value, "REPO", w.repo))
				}
				before, inside := w.files(w.outside), w.files(filepath.Join(w.repo, "in"))
				t.Chdir(w.repo)
				status, out := w.command(c.args...)
				require.NotContains(t, out, bait)
				require.NotContains(t, out, completed)
				require.NotContains(t, strings.ToLower(out), strings.ToLower(bait))
				if c.says != "" {
					require.NotZero(t, status, out)
					require.Contains(t, out, c.says)
					require.NotEqual(t, cli.ExitBug, status)
				}
				require.Empty(t, w.holdsNoCanary(before))
				require.Equal(t, inside, w.files(filepath.Join(w.repo, "in")))
			})
		}
	}
}

// TestLinksWithinAreFollowed: the same commands follow links that stay in the work tree.
func TestLinksWithinAreFollowed(t *testing.T) {
	setUserless(t)
	t.Setenv("PATH", t.TempDir())
	w := newEscapeWorld(t)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(w.repo, ".cache"))
	w.write("repo/main.bicep", "param p string = 'x'\nresource r 'A.B/c@2020-01-01' = { name: p }\n")
	w.write("repo/in/p.bicepparam", "using 'main.bicep'\n")
	w.types("repo/real")
	for _, dir := range []string{"settings", "pages", "programs", "kept"} {
		require.NoError(t, os.MkdirAll(filepath.Join(w.repo, dir), 0o777))
	}
	w.link("settings", ".rad")
	w.link("pages", "man")
	w.link("programs", "bin")
	w.link("real", "types")
	w.link("kept", ".cache")
	w.link("in/p.bicepparam", "l.bicepparam")
	for _, c := range []struct {
		args  []string
		makes string // a file
		says  string
	}{
		{[]string{"init", "REPO"}, "settings/bicep.yaml", ""},
		{[]string{"help", "--man", "REPO/man"}, "pages/rad-bicep-build.1", ""},
		{[]string{"link", "REPO/bin"}, "programs/bicep", ""},
		{[]string{"types", "import", "az", "REPO/types"}, "kept/rad/azure-types/library.aztypes", "1 resource type"},
		{[]string{"cache", "clean", "--all"}, "kept/rad/azure-types/library.aztypes", "Removed 0 artifacts"},
		{[]string{"__complete", "plan", "FILE", "-p", ""}, "", "p=\n"},
		{[]string{"__complete", "plan", "REPO/l.bicepparam", "-p", ""}, "", "p=\n"},
		{[]string{"__complete", "plan", "FILE", "-p", "@REPO/in/"}, "", "in/p.bicepparam\n"},
	} {
		status, out := w.command(c.args...)
		require.Zero(t, status, "%s\n%s", c.args, out)
		require.Contains(t, out, c.says, c.args)
		if c.makes != "" {
			require.FileExists(t, filepath.Join(w.repo, filepath.FromSlash(c.makes)))
		}
	}
}

// command runs a command line in this process: one of bicep's, or help, or __complete.
func (w *escapeWorld) command(line ...string) (status int, output string) {
	args := w.args(line, "main.bicep")
	switch args[0] {
	case "help":
	case "__complete":
		args = append([]string{"__complete", "bicep"}, args[1:]...)
	default:
		args = append([]string{"bicep"}, args...)
	}
	var printed strings.Builder
	status = command.Run(w.Context(), args, strings.NewReader(""), &printed, &printed)
	return status, printed.String()
}
