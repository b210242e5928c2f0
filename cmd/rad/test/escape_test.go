package test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/command"
)

// bait is the content of every file that a repository must not get at.
const bait = "C4N4RY-5EED"

// escapeWorld is a repository, and what is around it.
type escapeWorld struct {
	*testing.T
	top, repo, outside string
	first              map[string]string // the files that reset leaves, or writes again
}

func newEscapeWorld(t *testing.T) *escapeWorld {
	top, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	w := &escapeWorld{T: t, top: top, repo: filepath.Join(top, "repo"), outside: filepath.Join(top, "outside")}
	for _, dir := range []string{"outside", "repo/.git", "repo/in"} {
		w.fill(filepath.FromSlash(dir), bait)
	}
	w.fill(filepath.FromSlash("repo/in"), "legitimate")
	w.write("repo/.git/config", "[http]\n\textraheader = "+bait)
	w.write("repo/main.bicep", "param p string = 'x'\noutput o string = p\n")
	w.first = w.files(top)
	return w
}

// reset makes the world what it was at first. That is faster than to make another.
func (w *escapeWorld) reset() {
	left := w.files(w.top)
	folders := map[string]bool{".": true}
	for name, text := range w.first {
		if now, ok := left[name]; !ok || now != text {
			require.NoError(w, os.RemoveAll(filepath.Join(w.top, filepath.FromSlash(name)))) // it may be a link now
			w.write(name, text)
		}
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	require.NoError(w, filepath.WalkDir(w.top, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(w.top, file)
		rel = filepath.ToSlash(rel)
		if _, ok := w.first[rel]; ok || folders[rel] {
			return nil
		}
		if err := os.RemoveAll(file); err != nil || !d.IsDir() {
			return err
		}
		return fs.SkipDir
	}))
}

// fill writes a file of each kind into a folder.
func (w *escapeWorld) fill(dir, text string) {
	for name, content := range map[string]string{
		"x.bicep":      "@export()\nvar c = '" + text + "'\noutput o string = '" + text + "'\n",
		"x.json":       `{"c": {"value": "` + text + `"}, "p": {"value": "` + text + `"}}`,
		"t.json":       `{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#", "contentVersion": "1.0.0.0", "resources": [], "outputs": {"o": {"type": "string", "value": "` + text + `"}}}`,
		"x.yaml":       "c: " + text + "\n",
		"x.txt":        text,
		"x.bicepparam": "using none\nparam p = '" + text + "'\n",
	} {
		w.write(filepath.Join(dir, name), content)
	}
}

func (w *escapeWorld) write(name, text string) {
	path := filepath.Join(w.top, filepath.FromSlash(name))
	require.NoError(w, os.MkdirAll(filepath.Dir(path), 0o777))
	require.NoError(w, os.WriteFile(path, []byte(text), 0o666))
}

func (w *escapeWorld) link(target, name string) {
	path := filepath.Join(w.repo, filepath.FromSlash(name))
	require.NoError(w, os.MkdirAll(filepath.Dir(path), 0o777))
	require.NoError(w, os.Symlink(filepath.FromSlash(target), path))
}

// deepLink makes a link so deep in the repository that its name is longer than what the system takes, and returns that name.
// A path is opened part by part all the same. The target is relative to the repository.
func (w *escapeWorld) deepLink(target, name string) string {
	limit := 4096
	if runtime.GOOS == "darwin" {
		limit = 1024
	}
	dir, up, room := "deep", "../", limit-len(w.repo)-len("/deep/")
	for ; room > 1; up += "../" {
		part := strings.Repeat("d", min(250, room-1))
		dir, room = dir+"/"+part, room-len(part)-1
	}
	root, err := os.OpenRoot(w.repo)
	require.NoError(w, err)
	defer root.Close()
	require.NoError(w, root.MkdirAll(filepath.FromSlash(dir), 0o777))
	require.NoError(w, root.Symlink(up+target, filepath.FromSlash(dir+"/"+name)))
	return dir + "/" + name
}

// rad runs a command line in this process.
func (w *escapeWorld) rad(args ...string) (status int, output string) {
	var out, errs strings.Builder
	status = command.Run(context.Background(), append([]string{"bicep"}, args...), strings.NewReader(""), &out, &errs)
	return status, out.String() + errs.String()
}

// holdsNoCanary reports what of the bait got into the repository, and what was
// written outside of it.
func (w *escapeWorld) holdsNoCanary(before map[string]string) string {
	for name, text := range w.files(w.repo) {
		if strings.Contains(text, bait) && !strings.HasPrefix(name, ".git") {
			return "the repository's " + name + " holds the canary"
		}
	}
	after := w.files(w.outside)
	for name, text := range after {
		if before[name] != text {
			return name + " outside was written"
		}
	}
	if len(after) != len(before) {
		return "a file outside came or went"
	}
	return ""
}

func (w *escapeWorld) files(dir string) map[string]string {
	out := map[string]string{}
	require.NoError(w, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			text, err := os.ReadFile(path)
			require.NoError(w, err)
			rel, _ := filepath.Rel(dir, path)
			out[filepath.ToSlash(rel)] = string(text)
		}
		return err
	}))
	return out
}

// escapeRoutes are the ways to a file in the folder outside, or in git's own, as the
// repository can spell them from main.bicep.
var escapeRoutes = []struct {
	name string
	make func(w *escapeWorld, file string) string
}{
	{"..", func(_ *escapeWorld, f string) string { return "../outside/" + f }},
	{"absolute", func(w *escapeWorld, f string) string { return filepath.ToSlash(filepath.Join(w.outside, f)) }},
	{"in and out", func(_ *escapeWorld, f string) string { return "in/../../outside/" + f }},
	{"link to a file", func(w *escapeWorld, f string) string { w.link("../outside/"+f, "l-"+f); return "l-" + f }},
	{"absolute link", func(w *escapeWorld, f string) string {
		w.link(filepath.Join(w.outside, f), "a-"+f)
		return "a-" + f
	}},
	{"link to a folder", func(w *escapeWorld, f string) string { w.link("../outside", "dir"); return "dir/" + f }},
	{"link to a link", func(w *escapeWorld, f string) string {
		w.link("../outside/"+f, "two-"+f)
		w.link("two-"+f, "one-"+f)
		return "one-" + f
	}},
	{"link deep", func(w *escapeWorld, f string) string {
		w.link("../../../outside", "a/b/c")
		return "a/b/c/" + f
	}},
	{"link and ..", func(w *escapeWorld, f string) string {
		w.link("in", "inner")
		w.link("inner/../../outside/"+f, "n-"+f)
		return "n-" + f
	}},
	{".git", func(_ *escapeWorld, f string) string { return ".git/" + f }},
	{".GIT", func(_ *escapeWorld, f string) string { return "./.git/./" + f }},
	{"link to .git", func(w *escapeWorld, f string) string { w.link(".git/"+f, "g-"+f); return "g-" + f }},
	{"link to .git as a folder", func(w *escapeWorld, f string) string { w.link(".git", "gitdir"); return "gitdir/" + f }},
	{"link to .git with a long name", func(w *escapeWorld, f string) string { return w.deepLink(".git/"+f, "l-"+f) }},
	{"link to .git as a folder with a long name", func(w *escapeWorld, f string) string { return w.deepLink(".git", "gitdir") + "/" + f }},
}

// escapeSources are what a source file can read.
var escapeSources = []struct{ name, file, source string }{
	{"module", "x.bicep", "module m 'PATH' = { name: 'm' }"},
	{"JSON module", "t.json", "module m 'PATH' = { name: 'm' }"},
	{"import", "x.bicep", "import { c } from 'PATH'\noutput o string = c"},
	{"loadTextContent", "x.txt", "output o string = loadTextContent('PATH')"},
	{"loadFileAsBase64", "x.txt", "output o string = base64ToString(loadFileAsBase64('PATH'))"},
	{"loadJsonContent", "x.json", "output o object = loadJsonContent('PATH')"},
	{"loadYamlContent", "x.yaml", "output o object = loadYamlContent('PATH')"},
}

// TestSourcesDoNotEscape: what a source reads is in the root, however it is named.
func TestSourcesDoNotEscape(t *testing.T) {
	setUserless(t)
	t.Setenv("BICEP_TRUSTED_REGISTRIES", "127.0.0.1:1")
	commands := compilingLines()
	require.GreaterOrEqual(t, len(commands), 8)
	attempts := 0
	w := newEscapeWorld(t)
	for _, route := range escapeRoutes {
		for _, source := range escapeSources {
			prepare := sync.OnceValue(func() map[string]string {
				w.reset()
				path := route.make(w, source.file)
				w.write("repo/main.bicep", strings.ReplaceAll(source.source, "PATH", path)+"\n")
				return w.files(w.outside)
			})
			for _, command := range commands {
				if attempts++; (testing.Short() || raceEnabled) && attempts%23 != 0 {
					continue
				}
				before := prepare() // once for all commands, since each is refused
				status, out := w.rad(w.args(command, "main.bicep")...)
				name := fmt.Sprintf("%s, %s, %s", command[0], source.name, route.name)
				if command[0] != "affected" && command[0] != "graph" { // which show what they can, and warn
					require.NotZero(t, status, "%s was accepted\n%s", name, out)
				}
				require.NotContains(t, out, bait, name)
				require.Empty(t, w.holdsNoCanary(before), name)
			}
		}
	}
	require.GreaterOrEqual(t, attempts, 700)
}

// TestSourcesReadWhatIsTheirs: the same within the root works.
func TestSourcesReadWhatIsTheirs(t *testing.T) {
	setUserless(t)
	routes := map[string]func(w *escapeWorld, f string) string{
		"plain":            func(_ *escapeWorld, f string) string { return "in/" + f },
		"..":               func(_ *escapeWorld, f string) string { return "in/../in/" + f },
		"link to a file":   func(w *escapeWorld, f string) string { w.link("in/"+f, "l-"+f); return "l-" + f },
		"link to a folder": func(w *escapeWorld, f string) string { w.link("in", "dir"); return "dir/" + f },
		"link to a link": func(w *escapeWorld, f string) string {
			w.link("in", "dir")
			w.link("dir/"+f, "l-"+f)
			return "l-" + f
		},
		".github": func(w *escapeWorld, f string) string { w.link("in", ".github"); return ".github/" + f },
	}
	w := newEscapeWorld(t)
	for route, path := range routes {
		for _, source := range escapeSources {
			w.reset()
			w.write("repo/main.bicep", strings.ReplaceAll(source.source, "PATH", path(w, source.file))+"\n")
			for _, command := range [][]string{{"generate-kubernetes-manifest", "FILE", "-o", "-"}, {"build", "FILE", "--stdout"}, {"lint", "FILE"}} {
				status, out := w.rad(w.args(command, "main.bicep")...)
				require.Zero(t, status, "%s, %s, %s\n%s", command[0], source.name, route, out)
			}
		}
	}
}

// args puts the path of a file of the repository into a command line.
func (w *escapeWorld) args(command []string, file string) []string {
	var out []string
	for _, arg := range command {
		out = append(out, strings.ReplaceAll(strings.ReplaceAll(arg, "FILE", filepath.Join(w.repo, file)), "REPO", w.repo))
	}
	return out
}

// setUserless leaves a test without settings of the user, and with a variable that
// holds the canary.
func setUserless(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("making links needs a right")
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	t.Setenv("ESCAPE_CANARY", bait)
	for _, name := range []string{"BICEP", "RAD_BICEP", "RAD_BICEP_ROOT"} {
		t.Setenv(name, "")
	}
}

// TestSettingsDoNotEscape: a settings file of a repository names nothing outside.
func TestSettingsDoNotEscape(t *testing.T) {
	setUserless(t)
	target := "targets: [{template: main.bicep, "
	forms := []struct{ name, file, text string }{
		{"template", "t.json", "targets: [{template: 'PATH', outfile: o.yaml}]"},
		{"outfile", "x.yaml", target + "outfile: 'PATH'}]"},
		{"new outfile", "new.yaml", target + "outfile: 'PATH'}]"},
		{"parameter file", "x.json", target + "outfile: o.yaml, parameters: ['@PATH']}]"},
		{"Bicep parameter file", "x.bicepparam", target + "outfile: o.yaml, parameters: ['PATH']}]"},
		{"JSON value", "x.json", target + "outfile: o.yaml, parameters: ['p=@PATH']}]"},
		{"text value", "x.txt", target + "outfile: o.yaml, parameters: ['p=@text:PATH']}]"},
		{"outdir", "", "outdir: 'PATH'\n" + target + "}]"},
		{"vendor", "", "vendor: 'PATH'\n" + target + "}]"},
		{"azTypes", "x.txt", "azTypes: 'PATH'\n" + target + "}]"},
		{"cache", "", "cacheRootDirectory: 'PATH'\n" + target + "}]"},
		{"compiler", "x.txt", "compiler: './PATH'\n" + target + "}]"},
	}
	attempts := 0
	w := newEscapeWorld(t)
	t.Chdir(w.repo)
	for _, form := range forms {
		for _, route := range escapeRoutes {
			prepare := sync.OnceValue(func() map[string]string {
				w.reset()
				path := route.make(w, form.file)
				w.write("repo/.rad/bicep.yaml", strings.ReplaceAll(form.text, "PATH", path)+"\n")
				return w.files(w.outside)
			})
			for _, flags := range [][]string{{"--check", "--diff"}, {"-o", "-"}, {}} {
				if attempts++; (testing.Short() || raceEnabled) && attempts%7 != 0 {
					continue
				}
				before := prepare() // once for all flags, since each run is refused
				status, out := w.rad(append([]string{"generate-kubernetes-manifest"}, flags...)...)
				name := fmt.Sprintf("%s, %s, %v", form.name, route.name, flags)
				require.Equal(t, cli.ExitUsage, status, "%s\n%s", name, out)
				require.Contains(t, out, "bicep.yaml:", name)
				require.NotContains(t, out, bait, name)
				require.Empty(t, w.holdsNoCanary(before), name)
			}
		}
	}
	require.GreaterOrEqual(t, attempts, 200)
}

// TestOutputsDoNotEscape: an output is not read, nor written, through a link of the
// repository that leads out, whichever command it is of.
func TestOutputsDoNotEscape(t *testing.T) {
	setUserless(t)
	outputs := []struct {
		name, output string
		args         []string
	}{
		{"derived", "main.yaml", []string{"generate-kubernetes-manifest", "FILE"}},
		{"named", "o.yaml", []string{"generate-kubernetes-manifest", "FILE", "-o", "REPO/o.yaml"}},
		{"forced", "o.yaml", []string{"generate-kubernetes-manifest", "FILE", "-o", "REPO/o.yaml", "--force"}},
		{"compared", "main.yaml", []string{"generate-kubernetes-manifest", "FILE", "--check", "--diff"}},
		{"compared by resources", "main.yaml", []string{"generate-kubernetes-manifest", "FILE", "--diff=resources"}},
		{"in a folder", "d/main.yaml", []string{"generate-kubernetes-manifest", "FILE", "--outdir", "REPO/d"}},
		{"build", "main.json", []string{"build", "FILE"}},
		{"build --outfile", "o.json", []string{"build", "FILE", "--outfile", "REPO/o.json"}},
		{"build --outdir", "d/main.json", []string{"build", "FILE", "--outdir", "REPO/d"}},
		{"build-params", "p.json", []string{"build-params", "REPO/p.bicepparam"}},
		{"snapshot", "p.snapshot.json", []string{"snapshot", "REPO/p.bicepparam"}},
		{"generate-params", "main.parameters.json", []string{"generate-params", "FILE"}},
		{"format", "o.bicep", []string{"format", "FILE", "--outfile", "REPO/o.bicep"}},
		{"format --outdir", "d/main.bicep", []string{"format", "FILE", "--outdir", "REPO/d"}},
		{"build-params --outfile", "o.json", []string{"build-params", "REPO/p.bicepparam", "--outfile", "REPO/o.json"}},
		{"build-params --outdir", "d/p.json", []string{"build-params", "REPO/p.bicepparam", "--outdir", "REPO/d"}},
		{"generate-params --outfile", "o.json", []string{"generate-params", "FILE", "--outfile", "REPO/o.json"}},
		{"generate-params --outdir", "d/main.parameters.json", []string{"generate-params", "FILE", "--outdir", "REPO/d"}},
		{"rules for make", "o.mk", []string{"generate-kubernetes-manifest", "FILE", "-o", "REPO/x.yaml", "--deps", "REPO/o.mk"}},
		{"rules for make, of build", "o.mk", []string{"build", "FILE", "--outfile", "REPO/x.json", "--deps", "REPO/o.mk"}},
		{"rules for make, of build-params", "o.mk", []string{"build-params", "REPO/p.bicepparam", "--outfile", "REPO/x.json", "--deps", "REPO/o.mk"}},
		{"rules for make, of affected", "o.mk", []string{"affected", "FILE", "--deps", "REPO/o.mk"}},
		{"named, as rad spells it", "o.yaml", []string{"generate-kubernetes-manifest", "FILE", "--destination-file", "REPO/o.yaml"}},
		{"bundle", "o.tar", []string{"bundle", "FILE", "--force", "--outfile", "REPO/o.tar"}},
		{"baseline", "o.json", []string{"lint", "FILE", "--write-baseline=REPO/o.json"}},
	}
	type use struct{ command, flag string }
	covered := map[use]bool{}
	for _, o := range outputs {
		for _, a := range o.args {
			name, _, _ := strings.Cut(strings.TrimLeft(a, "-"), "=")
			covered[use{"bicep " + o.args[0], name}] = true
		}
	}
	for _, l := range leaves(command.Tree()) {
		l.Flags().VisitAll(func(f *pflag.Flag) {
			kind, usage := pflag.UnquoteUsage(f)
			namesFile := strings.Contains(kind, "FILE") || strings.Contains(kind, "DIR")
			writes := strings.Contains(usage, "write") || strings.HasPrefix(f.Name, "out")
			switch l.path {
			case "bicep bundle", "bicep affected", "bicep fn", "bicep argocd generate", "bicep argocd parameters":
				if f.Name == "outdir" {
					return // it tells which manifests the settings mean, which these commands do not write
				}
			}
			if namesFile && writes && !covered[use{l.path, f.Name}] && !covered[use{l.path, f.Shorthand}] {
				t.Errorf("%s --%s (%s) writes a file and has no case here", l.path, f.Name, usage)
			}
		})
	}
	targets := map[string]func(w *escapeWorld, output string){
		"a file outside":     func(w *escapeWorld, o string) { w.link(filepath.Join(w.outside, "x.json"), o) },
		"a new file outside": func(w *escapeWorld, o string) { w.link(filepath.Join(w.outside, "new"), o) },
		"git's file":         func(w *escapeWorld, o string) { w.link(filepath.Join(w.repo, ".git", "config"), o) },
		"git's folder, by a long name": func(w *escapeWorld, o string) {
			w.link(strings.Repeat("../", strings.Count(o, "/"))+w.deepLink(".git", "l")+"/new", o)
		},
		"a link that leads out": func(w *escapeWorld, o string) {
			w.link(filepath.Join(w.outside, "x.json"), "step")
			w.link(filepath.Join(w.repo, "step"), o)
		},
		"a device":        func(w *escapeWorld, o string) { w.link("/dev/zero", o) },
		"the environment": func(w *escapeWorld, o string) { w.link("/proc/self/environ", o) },
		"a stream":        func(w *escapeWorld, o string) { w.link("/dev/stdout", o) },
		"a folder outside": func(w *escapeWorld, o string) {
			if dir := filepath.Dir(o); dir != "." {
				w.link(w.outside, dir)
			} else {
				w.link(w.outside, o)
			}
		},
	}
	w := newEscapeWorld(t)
	for _, output := range outputs {
		for target, place := range targets {
			w.reset()
			w.write("repo/p.bicepparam", "using 'main.bicep'\nparam p = 'y'\n")
			place(w, output.output)
			git := w.files(filepath.Join(w.repo, ".git"))
			before := w.files(w.outside)
			status, out := w.rad(w.args(output.args, "main.bicep")...)
			name := output.name + ", " + target
			require.NotZero(t, status, "%s was accepted\n%s", name, out)
			require.NotContains(t, out, bait, name)
			require.Empty(t, w.holdsNoCanary(before), name)
			require.Equal(t, git, w.files(filepath.Join(w.repo, ".git")), name)
		}
		// Within the root a link is followed, and a file outside that the user names is written.
		w.reset()
		w.write("repo/p.bicepparam", "using 'main.bicep'\nparam p = 'y'\n")
		w.write("repo/in/target", "")
		w.link(filepath.Join(w.repo, "in", "target"), output.output)
		status, out := w.rad(w.args(output.args, "main.bicep")...)
		require.LessOrEqual(t, status, cli.ExitStale, "%s\n%s", output.name, out)
		info, err := os.Lstat(filepath.Join(w.repo, output.output))
		require.NoError(t, err)
		require.NotZero(t, info.Mode()&fs.ModeSymlink, "%s: the link stays one", output.name)
	}
	w.reset()
	status, out := w.rad(w.args([]string{"generate-kubernetes-manifest", "FILE", "-o", filepath.Join(w.top, "mine", "o.yaml")}, "main.bicep")...)
	require.Zero(t, status, out)
	require.FileExists(t, filepath.Join(w.top, "mine", "o.yaml"))
}

// TestPublishingDoesNotEscape: what is published is in the root, whatever links of the
// repository lead to. What is published cannot be taken back.
func TestPublishingDoesNotEscape(t *testing.T) {
	setUserless(t)
	t.Setenv("BICEP_TRUSTED_REGISTRIES", "127.0.0.1")
	const index = `{"resources": {"Acme/things@v1": {"$ref": "types.json#/2"}}, "settings": {"name": "NAME", "version": "1", "isSingleton": false}}`
	const types = `[{"$type": "StringType"}, {"$type": "ObjectType", "name": "NAME", "properties": {"name": {"type": {"$ref": "#/0"}, "flags": 9}}}, {"$type": "ResourceType", "name": "Acme/things@v1", "scopeType": 8, "body": {"$ref": "#/1"}, "flags": 0}]`
	const manifest = "namespace: Acme.Things\ntypes:\n  things:\n    description: NAME\n    apiVersions:\n      '2025-01-01':\n        schema: {type: object, properties: {a: {type: string}}}\n"
	fill := func(w *escapeWorld, dir, name string) {
		for file, text := range map[string]string{"index.json": index, "types.json": types, "m.yaml": manifest, "program": "NAME"} {
			w.write(dir+"/"+file, strings.ReplaceAll(text, "NAME", name))
		}
	}
	extension := func(args ...string) []string {
		return append([]string{"publish-extension", "--target", "REPO/out.tgz", "--force"}, args...)
	}
	program := extension("REPO/types/index.json", "--bin-linux-x64", "REPO/l")
	w := newEscapeWorld(t)
	t.Chdir(w.repo)
	for name, c := range map[string]struct {
		make func(w *escapeWorld)
		args []string
	}{
		"the index":       {func(w *escapeWorld) { w.link("../../outside/t/index.json", "l/index.json") }, extension("REPO/l/index.json")},
		"its folder":      {func(w *escapeWorld) { w.link("../outside/t", "l") }, extension("REPO/l/index.json")},
		"a file of types": {func(w *escapeWorld) { w.relink("../../outside/t/types.json", "types/types.json") }, extension("REPO/types/index.json")},
		"types in git's": {func(w *escapeWorld) {
			w.write("repo/index.json", strings.ReplaceAll(index, "types.json", ".git/config"))
		}, extension("REPO/index.json")},
		"a manifest":           {func(w *escapeWorld) { w.link("../outside/t/m.yaml", "l.yaml") }, extension("-f", "REPO/l.yaml")},
		"a manifest, --from-…": {func(w *escapeWorld) { w.link("../outside/t/m.yaml", "l.yaml") }, extension("--from-file", "REPO/l.yaml")},
		"a program":            {func(w *escapeWorld) { w.link("../outside/t/program", "l") }, program},
		"a program in git's":   {func(w *escapeWorld) { w.link(".git/config", "l") }, program},
		"the environment":      {func(w *escapeWorld) { w.link("/proc/self/environ", "l") }, program},
		"a device":             {func(w *escapeWorld) { w.link("/dev/zero", "l") }, program},
		"out of a narrow root": {func(w *escapeWorld) { w.link("../in/x.txt", "types/l") }, extension("REPO/types/index.json", "--bin-linux-x64", "REPO/types/l", "--root", "REPO/types")},
		"the target":           {func(w *escapeWorld) { w.link("../outside/t/program", "out.tgz") }, extension("REPO/types/index.json")},
		"a template":           {func(w *escapeWorld) { w.link("../outside/t.json", "l.json") }, []string{"publish", "REPO/l.json", "--target", "br:127.0.0.1:1/l:v1"}},
		"a template, narrow root": {func(w *escapeWorld) { w.link("../in/t.json", "types/l.json") },
			[]string{"publish", "REPO/types/l.json", "--target", "br:127.0.0.1:1/l:v1", "--root", "REPO/types"}},
		"the configuration": {func(w *escapeWorld) {
			w.write("outside/c.json", `{"moduleAliases": {"br": {"a": {"registry": "`+bait+`"}}}}`)
			w.link("../outside/c.json", "bicepconfig.json")
		}, []string{"publish", "REPO/in/t.json", "--target", "br/a:l:v1"}},
	} {
		for _, root := range []string{"", "REPO"} {
			w.reset()
			fill(w, "outside/t", bait)
			fill(w, "repo/types", "fine")
			c.make(w)
			before := w.files(w.outside)
			args := c.args
			if root != "" && !slices.Contains(args, "--root") {
				args = append(slices.Clip(args), "--root", root)
			}
			status, out := w.rad(w.args(args, "")...)
			require.NotZero(t, status, "%s was accepted\n%s", name, out)
			require.NotContains(t, out, bait, name)
			require.Regexp(t, "symbolic link|git's own folder", out, name)
			require.Empty(t, w.holdsNoCanary(before), name)
			require.NotContains(t, w.files(w.repo), "out.tgz", name)
		}
	}
	w.reset()
	fill(w, "repo/real", "fine")
	w.link("real", "types")
	w.link("in/x.txt", "l")
	status, out := w.rad(w.args(program, "")...)
	require.Zero(t, status, "links within the root: "+out)
	require.FileExists(t, filepath.Join(w.repo, "out.tgz"))
}

// relink replaces a file of the repository by a link.
func (w *escapeWorld) relink(target, name string) {
	require.NoError(w, os.Remove(filepath.Join(w.repo, filepath.FromSlash(name))))
	w.link(target, name)
}
