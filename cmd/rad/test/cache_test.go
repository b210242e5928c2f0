package test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
)

const (
	aModule = "br/mcr.microsoft.com/bicep$a/v1$"
	aSpec   = "ts/01234567-89ab-cdef-0123-456789abcdef/group/spec/1.0"
)

// artifact writes an artifact of a cache into a folder.
func (w *escapeWorld) artifact(dir string) {
	template := `{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#", "contentVersion": "1.0.0.0", "resources": []}`
	w.write(dir+"/main.json", template)
	w.write(dir+"/lock", "")
	if strings.Contains(dir, "br/") {
		w.write(dir+"/manifest", "{}")
		w.write(dir+"/metadata", "{}")
	}
}

// sameFiles requires that the files of the world are as they were, but for those below the
// given prefixes, which are gone.
func (w *escapeWorld) sameFiles(before map[string]string, name string, gone ...string) {
	want := map[string]string{}
	for path, text := range before {
		kept := true
		for _, prefix := range gone {
			kept = kept && !strings.HasPrefix(path, prefix)
		}
		if kept {
			want[path] = text
		}
	}
	assert.Equal(w, want, w.files(w.top), name)
}

// cacheTraps are what a repository can arrange so that a cache is, or leads, where no
// artifact is to be listed or removed.
var cacheTraps = []struct {
	name, cache string
	make        func(w *escapeWorld)
	says        string // what clean --all says
}{
	{"outside", "OUTSIDE", func(*escapeWorld) {}, "cacheRootDirectory in "},
	{"outside, relative", "../outside", func(*escapeWorld) {}, "cacheRootDirectory in "},
	{"in git's folder", "REPO/.git/c", func(w *escapeWorld) { w.artifact("repo/.git/c/" + aModule) }, "git's own folder"},
	{"a link out", "REPO/c", func(w *escapeWorld) { w.link("../outside", "c") }, "through a symbolic link"},
	{"a link to git's folder", "REPO/c", func(w *escapeWorld) { w.artifact("repo/.git/c/" + aModule); w.link(".git/c", "c") }, "git's own folder"},
	{"a link to nothing", "REPO/c", func(w *escapeWorld) { w.link("none", "c") }, ""},
	{"a scheme", "REPO/c", func(w *escapeWorld) { w.link("../../outside/br", "c/br") }, "br is left: it is a link"},
	{"a registry", "REPO/c", func(w *escapeWorld) {
		w.link("../../../outside/br/mcr.microsoft.com", "c/br/mcr.microsoft.com")
	}, "it is a link"},
	{"a repository", "REPO/c", func(w *escapeWorld) {
		w.link(filepath.Join(w.outside, "br/mcr.microsoft.com/bicep$a"), "c/br/mcr.microsoft.com/bicep$a")
	}, "it is a link"},
	{"a version", "REPO/c", func(w *escapeWorld) { w.link(filepath.Join(w.outside, aModule), "c/"+aModule) }, "it is a link"},
	{"a version within", "REPO/c", func(w *escapeWorld) {
		w.artifact("repo/other/" + aModule)
		w.link(filepath.Join(w.repo, "other", aModule), "c/"+aModule)
	}, "it is a link"},
	{"the top", "REPO/c", func(w *escapeWorld) {
		w.artifact("victim/br")
		w.link("../../../../..", "c/ts/a/b/c")
	}, "it is a link"},
	{"a template spec", "REPO/c", func(w *escapeWorld) {
		w.link("../../../../../outside/"+aSpec, "c/"+aSpec)
	}, "it is a link"},
	{"the group of a template spec", "REPO/c", func(w *escapeWorld) {
		w.link("../../../../outside/"+filepath.Dir(filepath.Dir(aSpec)), "c/"+filepath.Dir(filepath.Dir(aSpec)))
	}, "it is a link"},
	{"the main file", "REPO/c", func(w *escapeWorld) {
		w.artifact("repo/c/" + aModule)
		require.NoError(w, os.Remove(filepath.Join(w.repo, "c", aModule, "main.json")))
		w.link(filepath.Join(w.outside, aModule, "main.json"), "c/"+aModule+"/main.json")
	}, "main.json is not a regular file"},
	{"a name that is none", "REPO", func(w *escapeWorld) { w.write("repo/ts/packages/app/locales/en/main.json", "{}") }, "its name is not that of an artifact's folder"},
	{"a folder beside the artifact's", "REPO/c", func(w *escapeWorld) { w.artifact("repo/c/br/mcr.microsoft.com/bicep$a/v1") }, "its name is not that of an artifact's folder"},
	{"git's folder as a registry", "REPO", func(w *escapeWorld) { w.artifact("repo/br/.git/a/v1$") }, "its name is not that of an artifact's folder"},
	{"a link in an artifact", "REPO/c", func(w *escapeWorld) {
		w.artifact("repo/c/" + aModule)
		w.link(filepath.Join(w.outside, aModule, "manifest"), "c/"+aModule+"/source.tgz")
	}, "it also holds source.tgz"},
	{"a folder in an artifact", "REPO/c", func(w *escapeWorld) {
		w.artifact("repo/c/" + aModule)
		w.artifact("repo/c/" + aModule + "/.git")
	}, "it also holds .git"},
	{"a file of the user's", "REPO/c", func(w *escapeWorld) {
		w.artifact("repo/c/" + aSpec)
		w.write("repo/c/"+aSpec+"/notes.txt", "mine")
	}, "it also holds notes.txt"},
	{"metadata in a template spec", "REPO/c", func(w *escapeWorld) {
		w.artifact("repo/c/" + aSpec)
		w.write("repo/c/"+aSpec+"/metadata", "mine")
	}, "it also holds metadata"},
}

// TestCacheCommandsStayInTheRoot: a repository decides where its cache is. Nothing outside
// of the root, and nothing but artifacts, is listed or removed.
func TestCacheCommandsStayInTheRoot(t *testing.T) {
	setUserless(t)
	w := newEscapeWorld(t)
	w.artifact("outside/" + aModule)
	w.artifact("outside/" + aSpec)
	w.first = w.files(w.top)
	for _, trap := range cacheTraps {
		for _, folder := range []string{"repo", "repo/in", "."} {
			for _, flags := range [][]string{nil, {"--hermetic"}, {"--root", "REPO"}, {"--root", "REPO", "--hermetic"}} {
				if len(flags) == 0 && folder == "." || strings.HasPrefix(trap.cache, "..") && folder != "repo" {
					continue // another cache is meant there
				}
				name := trap.name + ", in " + folder + " " + strings.Join(flags, " ")
				w.reset()
				trap.make(w)
				cache := strings.NewReplacer("REPO", w.repo, "OUTSIDE", w.outside).Replace(trap.cache)
				w.write("repo/bicepconfig.json", `{"cacheRootDirectory": "`+cache+`"}`)
				before := w.files(w.top)
				t.Chdir(filepath.Join(w.top, folder))
				_, listed := w.rad(w.args(append([]string{"cache", "list"}, flags...), "")...)
				assert.NotContains(t, listed, "outside/br", name)
				for _, what := range []string{"*", "--all"} {
					_, out := w.rad(w.args(append([]string{"cache", "clean", what}, flags...), "")...)
					if what == "--all" && folder != "." {
						assert.Contains(t, out, trap.says, name)
						assert.NotContains(t, out, "Removed 1", name)
					}
				}
				w.sameFiles(before, name)
				if t.Failed() {
					return
				}
			}
		}
	}
}

// TestCacheCommandsDoTheirWork: artifacts within the root are listed and removed, and folders
// that become empty. The cache of the user may lie anywhere.
func TestCacheCommandsDoTheirWork(t *testing.T) {
	setUserless(t)
	for name, c := range map[string]struct {
		config   string // of the repository
		settings string
		flags    []string
		cache    string
		folder   string
		make     func(w *escapeWorld)
	}{
		"within":              {config: "REPO/c", cache: "repo/c"},
		"below":               {config: "REPO/c", cache: "repo/c", folder: "in"},
		"relative":            {config: "./c", cache: "repo/c"},
		"linked within":       {config: "REPO/l", cache: "repo/c", make: func(w *escapeWorld) { w.link("c", "l") }},
		"a stage left behind": {config: "REPO/c", cache: "repo/c", make: func(w *escapeWorld) { w.artifact("repo/c/br/mcr.microsoft.com/bicep$a/.tmp-123") }},
		"the user's":          {flags: []string{"--cache-root-directory", "OUTSIDE"}, cache: "outside"},
		"the user's, within":  {flags: []string{"--cache-root-directory", "REPO/c", "--hermetic"}, cache: "repo/c"},
		"the project's":       {settings: "cacheRootDirectory: c\n", cache: "repo/c"},
		"without git": {config: "REPO/c", cache: "repo/c", folder: "in", make: func(w *escapeWorld) {
			require.NoError(w, os.RemoveAll(filepath.Join(w.repo, ".git")))
		}},
	} {
		w := newEscapeWorld(t)
		w.artifact(c.cache + "/" + aModule)
		w.artifact(c.cache + "/" + aSpec)
		w.write(c.cache+"/README", "stays")
		if c.make != nil {
			c.make(w)
		}
		if c.config != "" {
			w.write("repo/bicepconfig.json", `{"cacheRootDirectory": "`+strings.ReplaceAll(c.config, "REPO", w.repo)+`"}`)
		}
		if c.settings != "" {
			w.write("repo/.rad/bicep.yaml", c.settings)
		}
		before := w.files(w.top)
		t.Chdir(filepath.Join(w.repo, c.folder))
		flags := w.args(c.flags, "")
		for i := range flags {
			flags[i] = strings.ReplaceAll(flags[i], "OUTSIDE", w.outside)
		}
		status, out := w.rad(append([]string{"cache", "list"}, flags...)...)
		require.Zero(t, status, "%s\n%s", name, out)
		require.Equal(t, "br:mcr.microsoft.com/bicep/a:v1\tmodule\t144 B\nts:01234567-89ab-cdef-0123-456789abcdef/group/spec:1.0\ttemplateSpec\t140 B\n", out, name)
		status, out = w.rad(append([]string{"cache", "clean", "ts:*"}, flags...)...)
		require.Zero(t, status, "%s\n%s", name, out)
		require.Equal(t, "Removed 1 artifact.\n", out, name)
		w.sameFiles(before, name, c.cache+"/ts")
		status, out = w.rad(append([]string{"cache", "clean", "--all"}, flags...)...)
		require.Zero(t, status, "%s\n%s", name, out)
		w.sameFiles(before, name, c.cache+"/ts", c.cache+"/br")
		require.NoDirExists(t, filepath.Join(w.top, c.cache, "br"), name)
	}
}

// TestCacheWithoutARoot: without git and without a root, a bicepconfig.json names a cache
// beside it or below.
func TestCacheWithoutARoot(t *testing.T) {
	setUserless(t)
	w := newEscapeWorld(t)
	require.NoError(t, os.RemoveAll(filepath.Join(w.repo, ".git")))
	w.artifact("outside/" + aModule)
	w.write("repo/bicepconfig.json", `{"cacheRootDirectory": "`+w.outside+`"}`)
	before := w.files(w.top)
	t.Chdir(w.repo)
	for _, args := range [][]string{{"list"}, {"path"}, {"clean", "--all"}} {
		status, out := w.rad(append([]string{"cache"}, args...)...)
		require.Equal(t, cli.ExitUsage, status, out)
		require.Contains(t, out, "--cache-root-directory")
	}
	w.sameFiles(before, "")
	w.write("repo/bicepconfig.json", "{")
	status, out := w.rad("cache", "clean", "--all")
	require.Equal(t, cli.ExitUsage, status, "another cache would be cleaned: "+out)
	require.Contains(t, out, "bicepconfig.json")
}

// TestCacheCleanSaysWhatItLeft: a program learns it, too.
func TestCacheCleanSaysWhatItLeft(t *testing.T) {
	setUserless(t)
	w := newEscapeWorld(t)
	w.write("repo/bicepconfig.json", `{"cacheRootDirectory": "`+w.repo+`/c"}`)
	w.artifact("repo/c/" + aModule)
	w.artifact("repo/c/" + aSpec)
	w.write("repo/c/"+aSpec+"/\x1b[2J\u202e", "mine")
	t.Chdir(w.repo)
	status, out := w.rad("cache", "clean", "--all", "--format", "json")
	require.Zero(t, status, out)
	_, text, _ := strings.Cut("\n"+out, "\n{")
	text = "{" + text[:strings.LastIndexByte(text, '}')+1]
	var answer struct {
		Result struct {
			Artifacts []struct{}
			Left      []struct{ Path string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(text), &answer), text)
	require.Len(t, answer.Result.Artifacts, 1)
	require.Len(t, answer.Result.Left, 1)
	require.Equal(t, filepath.Join(w.repo, "c", aSpec), answer.Result.Left[0].Path)
	require.NotContains(t, out, "\x1b")
	require.NotContains(t, out, "\u202e")
}

// TestCacheCleanKeepsWhatIsNoStage: what killed processes left beside an artifact goes with it, unless it
// only has such a name.
func TestCacheCleanKeepsWhatIsNoStage(t *testing.T) {
	setUserless(t)
	w := newEscapeWorld(t)
	w.write("repo/bicepconfig.json", `{"cacheRootDirectory": "`+w.repo+`/c"}`)
	w.artifact("outside/br")
	folder := "repo/c/" + filepath.Dir(aModule)
	w.write(folder+"/.tmp-7/notes.txt", "mine")
	w.write(folder+"/.tmp-mine/main.json", "mine")
	w.write(folder+"/.tmp-v1$.lock", "mine")
	w.link(filepath.Join(w.outside, "br"), "c/"+filepath.Dir(aModule)+"/.tmp-8")
	before := w.files(w.top)
	w.artifact("repo/c/" + aModule)
	w.artifact(folder + "/.tmp-9")
	w.write(folder+"/.tmp-v2$.lock", "")
	t.Chdir(w.repo)
	status, out := w.rad("cache", "clean", "--all")
	require.Zero(t, status, out)
	require.Contains(t, out, "Removed 1 artifact.")
	w.sameFiles(before, "")
}
