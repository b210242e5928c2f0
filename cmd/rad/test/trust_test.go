package test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
)

// TestProjectSettingsAreFound: where the settings file of a project counts.
func TestProjectSettingsAreFound(t *testing.T) {
	setUserless(t)
	here, none := "namespace: here\n", "namespace: radius-system"
	for name, c := range map[string]struct {
		make func(w *escapeWorld)
		want string
	}{
		"at the top":    {func(w *escapeWorld) { w.write("repo/.rad/bicep.yaml", here) }, "namespace: here"},
		"below the top": {func(w *escapeWorld) { w.write("repo/in/.rad/bicep.yaml", here) }, "namespace: here"},
		"the nearest": {func(w *escapeWorld) {
			w.write("repo/.rad/bicep.yaml", "group: g\n")
			w.write("repo/in/.rad/bicep.yaml", here)
		}, "namespace: here"},
		"above the top": {func(w *escapeWorld) { w.write(".rad/bicep.yaml", here) }, none},
		"of a submodule": {func(w *escapeWorld) {
			w.write("repo/in/.git", "gitdir: ../.git/modules/in")
			w.write("repo/in/.rad/bicep.yaml", here)
		}, "namespace: here"},
		"above a submodule": {func(w *escapeWorld) {
			w.write("repo/in/.git", "gitdir: ../.git/modules/in")
			w.write("repo/.rad/bicep.yaml", here)
		}, none},
		"of a worktree in a worktree": {func(w *escapeWorld) {
			w.write("repo/in/.git", "gitdir: /elsewhere/.git/worktrees/in")
			w.write("repo/in/.rad/bicep.yaml", here)
		}, "namespace: here"},
		"through a link within":   {func(w *escapeWorld) { w.write("repo/settings/bicep.yaml", here); w.link("settings", ".rad") }, "namespace: here"},
		"a folder that leads out": {func(w *escapeWorld) { w.write("outside/bicep.yaml", here+bait+": x\n"); w.link("../outside", ".rad") }, "symbolic link"},
		"a file that leads out": {func(w *escapeWorld) {
			w.write("outside/b.yaml", here+bait+": x\n")
			w.link("../../outside/b.yaml", ".rad/bicep.yaml")
		}, "symbolic link"},
		"in .git":  {func(w *escapeWorld) { w.write("repo/.git/bicep.yaml", here+bait+": x\n"); w.link(".git", ".rad") }, "git's own folder"},
		"a device": {func(w *escapeWorld) { w.link("/dev/zero", ".rad/bicep.yaml") }, "symbolic link"},
		"a pipe": {func(w *escapeWorld) {
			require.NoError(w, os.MkdirAll(filepath.Join(w.repo, ".rad"), 0o777))
			require.NoError(w, exec.Command("mkfifo", filepath.Join(w.repo, ".rad", "bicep.yaml")).Run())
		}, "not a regular file"},
		"without a work tree, beside": {func(w *escapeWorld) {
			require.NoError(w, os.RemoveAll(filepath.Join(w.repo, ".git")))
			w.write("repo/in/.rad/bicep.yaml", here)
		}, "namespace: here"},
		"without a work tree, above": {func(w *escapeWorld) {
			require.NoError(w, os.RemoveAll(filepath.Join(w.repo, ".git")))
			w.write("repo/.rad/bicep.yaml", here)
		}, none},
	} {
		w := newEscapeWorld(t)
		w.write("repo/in/app.bicep", "output o string = 'x'\n")
		c.make(w)
		_, out := w.rad(w.args([]string{"generate-kubernetes-manifest", "FILE", "-o", "-"}, "in/app.bicep")...)
		require.Contains(t, out, c.want, name)
		require.NotContains(t, out, bait, name)
	}
}

// TestSettingsOfAnotherUser: they are refused, unless the user trusts the folder.
func TestSettingsOfAnotherUser(t *testing.T) {
	setUserless(t)
	if os.Geteuid() != 0 {
		t.Skip("giving files away is root's right")
	}
	w := newEscapeWorld(t)
	w.write("repo/.rad/bicep.yaml", "namespace: here\n")
	require.NoError(t, os.Chown(filepath.Join(w.repo, ".rad", "bicep.yaml"), 12345, 12345))
	command := w.args([]string{"generate-kubernetes-manifest", "FILE", "-o", "-"}, "main.bicep")
	status, out := w.rad(command...)
	require.Equal(t, cli.ExitUsage, status, out)
	require.Contains(t, out, "belongs to another user (12345)")
	require.Contains(t, out, "trustedFolders")
	status, out = w.rad(append(command, "--trusted-folders", w.repo)...)
	require.Zero(t, status, out)
	require.Contains(t, out, "namespace: here")
	status, _ = w.rad(append(command, "--trusted-folders", w.outside)...)
	require.Equal(t, cli.ExitUsage, status)
}

// TestACacheOfTheRepositoryStaysInIt: the cache that bicepconfig.json or the project's settings name.
func TestACacheOfTheRepositoryStaysInIt(t *testing.T) {
	setUserless(t)
	module := filepath.FromSlash("br/mcr.microsoft.com/bicep$a/v1$")
	fill := func(w *escapeWorld, dir, text string) {
		dir = filepath.Join(dir, filepath.ToSlash(module))
		w.write(filepath.Join(dir, "main.json"), `{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#", "contentVersion": "1.0.0.0", "resources": [], "outputs": {"o": {"type": "string", "value": "`+text+`"}}}`)
		w.write(filepath.Join(dir, "manifest"), "{}")
		w.write(filepath.Join(dir, "metadata"), "{}")
		w.write(filepath.Join(dir, "lock"), "")
	}
	for name, c := range map[string]struct {
		cache string
		make  func(w *escapeWorld)
		works bool
	}{
		"within":         {"REPO/cache", func(w *escapeWorld) { fill(w, "repo/cache", "fine") }, true},
		"linked within":  {"REPO/c", func(w *escapeWorld) { fill(w, "repo/cache", "fine"); w.link("cache", "c") }, true},
		"outside":        {"REPO/../outside", func(w *escapeWorld) { fill(w, "outside", bait) }, false},
		"a link to it":   {"REPO/c", func(w *escapeWorld) { fill(w, "outside", bait); w.link("../outside", "c") }, false},
		"a folder in it": {"REPO/c", func(w *escapeWorld) { fill(w, "outside", bait); w.link("../../outside/br", "c/br") }, false},
		"a file in it": {"REPO/c", func(w *escapeWorld) {
			fill(w, "outside", bait)
			fill(w, "repo/c", "fine")
			main := filepath.Join("c", module, "main.json")
			require.NoError(w, os.Remove(filepath.Join(w.repo, main)))
			w.link(filepath.Join(w.outside, module, "main.json"), main)
		}, false},
		"the home folder": {"~/other", func(w *escapeWorld) {
			home, err := os.UserHomeDir()
			require.NoError(w, err)
			rel, err := filepath.Rel(w.top, home)
			require.NoError(w, err)
			fill(w, filepath.Join(rel, "other"), bait)
		}, false},
		"git's folder":            {"REPO/.git/c", func(w *escapeWorld) { fill(w, "repo/.git/c", bait) }, false},
		"a link to git's folder":  {"REPO/c", func(w *escapeWorld) { fill(w, "repo/.git/c", bait); w.link(".git/c", "c") }, false},
		"a folder of it in git's": {"REPO/c", func(w *escapeWorld) { w.link("../.git", "c/br") }, false},
		"settings, within":        {"", func(w *escapeWorld) { fill(w, "repo/c", "fine") }, true},
		"settings, a folder in it": {"", func(w *escapeWorld) {
			fill(w, "outside", bait)
			w.link("../../outside/br", "c/br")
		}, false},
		"settings, a file in it": {"", func(w *escapeWorld) {
			fill(w, "outside", bait)
			fill(w, "repo/c", "fine")
			main := filepath.Join("c", module, "main.json")
			require.NoError(w, os.Remove(filepath.Join(w.repo, main)))
			w.link(filepath.Join(w.outside, module, "main.json"), main)
		}, false},
	} {
		w := newEscapeWorld(t)
		c.make(w)
		cache := strings.ReplaceAll(c.cache, "REPO", w.repo)
		if cache == "" {
			w.write("repo/.rad/bicep.yaml", "cacheRootDirectory: c\n")
		} else {
			w.write("repo/bicepconfig.json", `{"cacheRootDirectory": "`+cache+`"}`)
		}
		w.write("repo/main.bicep", "module m 'br:mcr.microsoft.com/bicep/a:v1' = { name: 'm' }\noutput o string = m.outputs.o\n")
		status, out := w.rad(w.args([]string{"generate-kubernetes-manifest", "FILE", "-o", "-", "--offline"}, "main.bicep")...)
		require.NotContains(t, out, bait, name)
		require.Equal(t, c.works, status == 0, "%s\n%s", name, out)
		if strings.Contains(name, "git's") {
			require.Contains(t, out, "git's own folder", "such an artifact is not fetched, either")
		}
		if name == "outside" {
			require.Contains(t, out, "cacheRootDirectory")
			require.Contains(t, out, "bicepconfig.json:1")
			status, out = w.rad(w.args([]string{"generate-kubernetes-manifest", "FILE", "-o", "-", "--offline", "--cache-root-directory", w.outside}, "main.bicep")...)
			require.Zero(t, status, out)
		}
	}
}

// TestVendoringStaysInTheRepository: links of the repository below the folder that
// artifacts are copied to lead nowhere else.
func TestVendoringStaysInTheRepository(t *testing.T) {
	setUserless(t)
	for name, link := range map[string]string{"the folder": "vendor", "a folder in it": "vendor/br", "a file in it": "vendor/br/x/main.json"} {
		w := newEscapeWorld(t)
		w.link(w.outside, link)
		before := w.files(w.outside)
		status, out := w.rad(w.args([]string{"restore", "FILE", "--offline", "--vendor", "REPO/vendor"}, "main.bicep")...)
		require.NotZero(t, status, "%s\n%s", name, out)
		require.Contains(t, out, "symbolic link", name)
		require.Empty(t, w.holdsNoCanary(before), name)
	}
	w := newEscapeWorld(t)
	w.link("in", "vendor")
	status, out := w.rad(w.args([]string{"restore", "FILE", "--offline", "--vendor", "REPO/vendor"}, "main.bicep")...)
	require.Zero(t, status, out)
}

// TestTheSecurityPageNamesTests: the tests that the page names exist.
func TestTheSecurityPageNamesTests(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../SECURITY.md")
	require.NoError(t, err)
	var code strings.Builder
	files, err := filepath.Glob("*_test.go")
	require.NoError(t, err)
	for _, pattern := range []string{"../internal/*/*_test.go", "../internal/tools/*/*_test.go", "../../../pkg/*/*_test.go", "../../../pkg/bicep/*/*_test.go", "../../../pkg/bicep/internal/*/*_test.go"} {
		below, err := filepath.Glob(pattern)
		require.NoError(t, err)
		files = append(files, below...)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		code.Write(text)
	}
	for _, m := range regexp.MustCompile("`(Test\\w+|\\w+\\.txtar|pkg/[\\w/]+)`").FindAllStringSubmatch(string(page), -1) {
		switch {
		case strings.HasPrefix(m[1], "Test"):
			require.Contains(t, code.String(), "func "+m[1]+"(")
		case strings.HasPrefix(m[1], "pkg/"):
			require.DirExists(t, filepath.Join("..", "..", "..", m[1]))
		default:
			require.FileExists(t, filepath.Join("testdata", "script", m[1]))
		}
	}
}
