package test

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/command"
	"github.com/radbicep/rad/cmd/rad/internal/watch"
)

// watched is a project that --watch compiles.
type watched struct {
	t    *testing.T
	top  string // the folder above the project
	args []string
	rad  string // a program to run in the project, in place of this process

	mu  sync.Mutex
	log strings.Builder
}

// Write implements io.Writer, for what --watch says.
func (w *watched) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.log.Write(b)
}

// endOfRun is the one line in which a run says what it did.
var endOfRun = pattern(`(?m)^\d\d:\d\d:\d\d .*\n`)

// said returns what --watch said from a run on that is not done yet, or was done last.
func (w *watched) said() (last string, runs int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	parts := endOfRun().Split(w.log.String(), -1)
	return parts[max(0, len(parts)-2)], len(parts) - 1
}

func (w *watched) path(name string) string { return filepath.Join(w.top, filepath.FromSlash(name)) }

// write replaces a file as editors do: at once.
func (w *watched) write(name, text string) {
	require.NoError(w.t, os.MkdirAll(filepath.Dir(w.path(name)), 0o700))
	require.NoError(w.t, os.WriteFile(w.path("temporary"), []byte(text), 0o600))
	require.NoError(w.t, os.Rename(w.path("temporary"), w.path(name)))
}

// start begins to watch, and ends with the test.
func (w *watched) start() {
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan int)
	go func() { done <- w.generate(ctx, w, "out.yaml", "--watch") }()
	w.t.Cleanup(func() {
		stop()
		require.Equal(w.t, cli.ExitInterrupted, <-done)
	})
}

// generate writes a manifest, and returns the exit status.
func (w *watched) generate(ctx context.Context, errs io.Writer, out string, options ...string) int {
	args := append([]string{"bicep", "generate-kubernetes-manifest", "-o", w.path(out)}, options...)
	args = append(args, w.args...)
	if w.rad == "" {
		return command.Run(ctx, args, strings.NewReader(""), io.Discard, errs)
	}
	c := exec.CommandContext(ctx, w.rad, args...)
	c.Dir, c.Stderr = w.path("p"), errs
	c.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=10")
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	_ = c.Run() // the status says it
	return c.ProcessState.ExitCode()
}

// arrives waits until the output, or what was said, is that of a run that knows nothing.
func (w *watched) arrives(what string) {
	w.t.Helper()
	var errs strings.Builder
	fails := w.generate(context.Background(), &errs, "fresh.yaml") != cli.ExitOK
	want := errs.String()
	if !fails {
		text, err := os.ReadFile(w.path("fresh.yaml"))
		require.NoError(w.t, err)
		want = string(text)
	}
	var got string
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if fails {
			got, _ = w.said()
		} else {
			text, _ := os.ReadFile(w.path("out.yaml")) // a file that is absent is not as wanted
			got = string(text)
		}
		if got == want || fails && strings.Contains(got, want) {
			return
		}
	}
	w.t.Fatalf("%s: want\n%s\ngot\n%s", what, want, got)
}

// TestWatchEqualsFresh changes the files of a program in all ways that there are. The output
// becomes that of a run that knows nothing.
func TestWatchEqualsFresh(t *testing.T) {
	t.Parallel()
	w := &watched{t: t, top: t.TempDir()}
	w.args = []string{w.path("p/app/main.bicep"), "-p", w.path("p/app/main.bicepparam"), "-p", "@" + w.path("p/more.json")}
	require.NoError(t, os.MkdirAll(w.path("p/.git"), 0o700))
	leaf := func(text string) string { return fmt.Sprintf("output text string = '%s'\n", text) }
	w.write("p/app/main.bicep", `import { size } from '../lib/size.bicep'
param tag string = 'x'
param n int
module one 'modules/one.bicep' = { name: 'one', params: { tag: tag } }
output file string = loadTextContent('text/a.txt')
output names array = map(loadDirectoryFileInfo('text', '*.txt'), f => f.baseName)
output all array = [size, n]
`)
	w.write("p/app/main.bicepparam", "using 'main.bicep'\nparam n = 1\n")
	w.write("p/app/modules/one.bicep", "param tag string\nvar unused = 1\nmodule deep 'deep/leaf.bicep' = { name: 'deep' }\noutput tag string = tag\n")
	w.write("p/app/modules/deep/leaf.bicep", leaf("first"))
	w.write("p/app/modules/deep/other.bicep", leaf("another file"))
	w.write("p/lib/size.bicep", "@export()\nvar size = 1\n")
	w.write("p/app/text/a.txt", "a")
	w.write("p/more.json", `{"tag": "given"}`)
	w.write("outside/leaf.bicep", leaf("outside"))
	w.start()
	w.arrives("start")

	deep := w.path("p/app/modules/deep")
	file := filepath.Join(deep, "leaf.bicep")
	must := func(errs ...error) {
		for _, err := range errs {
			require.NoError(t, err)
		}
	}
	hasLinks := os.Symlink("x", w.path("link")) == nil
	for _, step := range []struct {
		name  string
		links bool
		do    func()
	}{
		{"a module's body", false, func() { w.write("p/app/modules/deep/leaf.bicep", leaf("second")) }},
		{"a module's parameters", false, func() {
			w.write("p/app/modules/one.bicep", "param tag string\nparam more int = 1\nmodule deep 'deep/leaf.bicep' = { name: 'deep' }\noutput tag string = '${tag}${more}'\n")
		}},
		{"a parameter that is missing", false, func() { w.write("p/app/modules/one.bicep", "param tag string\nparam more int\n") }},
		{"repaired", false, func() {
			w.write("p/app/modules/one.bicep", "param tag string\nvar unused = 1\nmodule deep 'deep/leaf.bicep' = { name: 'deep' }\noutput tag string = tag\n")
		}},
		{"what is imported", false, func() { w.write("p/lib/size.bicep", "@export()\nvar size = 2\n") }},
		{"the parameter file", false, func() { w.write("p/app/main.bicepparam", "using 'main.bicep'\nparam n = 2\n") }},
		{"more parameters", false, func() { w.write("p/more.json", `{"tag": "given again"}`) }},
		{"a loaded text", false, func() { w.write("p/app/text/a.txt", "b") }},
		{"a file in a listed folder", false, func() { w.write("p/app/text/b.txt", "b") }},
		{"a configuration above", false, func() {
			w.write("p/bicepconfig.json", `{"analyzers": {"core": {"rules": {"no-unused-vars": {"level": "error"}}}}}`)
		}},
		{"a nearer configuration", false, func() { w.write("p/app/bicepconfig.json", `{"analyzers": {"core": {"enabled": false}}}`) }},
		{"a broken configuration", false, func() { w.write("p/app/bicepconfig.json", `{`) }},
		{"no configuration", false, func() { must(os.Remove(w.path("p/app/bicepconfig.json")), os.Remove(w.path("p/bicepconfig.json"))) }},
		{"settings", false, func() { w.write("p/.rad/bicep.yaml", "namespace: apps\n") }},
		{"a file that is not UTF-8", false, func() { w.write("p/app/modules/deep/leaf.bicep", leaf("caf\xe9")) }},
		{"a folder in the place of a file", false, func() { must(os.Remove(file), os.Mkdir(file, 0o700)) }},
		{"a file in its place", false, func() { must(os.Remove(file)); w.write("p/app/modules/deep/leaf.bicep", leaf("third")) }},
		{"a folder is gone", false, func() { must(os.Rename(deep, w.path("gone"))) }},
		{"and comes back", false, func() { must(os.Rename(w.path("gone"), deep)) }},
		{"an edit after that", false, func() { w.write("p/app/modules/deep/leaf.bicep", leaf("fourth")) }},
		{"a link", true, func() { must(os.Remove(file), os.Symlink("other.bicep", file)) }},
		{"an edit of what a link leads to", true, func() { w.write("p/app/modules/deep/other.bicep", leaf("fifth")) }},
		{"a link that leads out", true, func() { must(os.Remove(file), os.Symlink(w.path("outside/leaf.bicep"), file)) }},
		{"a file again", true, func() { w.write("p/app/modules/deep/leaf.bicep", leaf("sixth")) }},
		{"a folder that leads out", true, func() { must(os.Rename(deep, w.path("gone")), os.Symlink(w.path("outside"), deep)) }},
		{"a folder again", true, func() { must(os.Remove(deep), os.Rename(w.path("gone"), deep)) }},
	} {
		if step.links && !hasLinks {
			continue
		}
		step.do()
		w.arrives(step.name)
	}
}

// TestWatchReadsRecipes: what stands for a cluster of Radius, and what recipes read, are files of the target.
func TestWatchReadsRecipes(t *testing.T) {
	t.Parallel()
	w := &watched{t: t, top: t.TempDir()}
	w.args = []string{w.path("p/app.bicep"), "--target", "kubernetes", "-g", "g"}
	require.NoError(t, os.MkdirAll(w.path("p/.git"), 0o700))
	env := func(namespace string) string {
		return strings.Replace(secretEnvironment, "namespace: 'shop'", "namespace: '"+namespace+"'", 1)
	}
	recipe := func(key string) string {
		return "param context object\nparam token string\nparam more object\nextension kubernetes with { namespace: context.runtime.kubernetes.namespace, kubeConfig: '' }\n" +
			"resource m 'core/ConfigMap@v1' = { metadata: { name: 'm' }, data: { " + key + ": loadTextContent('text.txt'), size: context.resource.properties.size } }\n"
	}
	types := "namespace: Radius.Data\ntypes:\n  redisCaches:\n    apiVersions:\n      '2025-08-01-preview':\n        schema: {type: object, properties: {size: {type: string, default: %s}}}\n"
	w.write("p/app.bicep", "extension radius\nparam environment string\nresource c 'Radius.Data/redisCaches@2025-08-01-preview' = { name: 'c', properties: { environment: environment } }\n")
	w.write("p/env.bicep", env("one"))
	w.write("p/env.bicepparam", "using 'env.bicep'\nparam token = 'x'\n")
	w.write("p/recipe.bicep", recipe("a"))
	w.write("p/text.txt", "text")
	w.write("p/types.yaml", fmt.Sprintf(types, "S"))
	settings := "recipes:\n  environment: env.bicepparam\n  types: [types.yaml]\n  sources: {reg.example.com/caches: %s}\n"
	w.write("p/.rad/bicep.yaml", fmt.Sprintf(settings, "recipe.bicep"))
	w.start()
	w.arrives("start")
	for _, step := range []struct{ name, file, text string }{
		{"a recipe", "recipe.bicep", recipe("b")},
		{"what it reads", "text.txt", "another"},
		{"a recipe that is wrong", "recipe.bicep", "param context object\n?"},
		{"repaired", "recipe.bicep", recipe("c")},
		{"the environment", "env.bicep", env("two")},
		{"a manifest of types", "types.yaml", fmt.Sprintf(types, "L")},
		{"another recipe", ".rad/bicep.yaml", fmt.Sprintf(settings, "other.bicep")},
		{"that is there now", "other.bicep", recipe("d")},
	} {
		w.write("p/"+step.file, step.text)
		w.arrives(step.name)
	}
	text, err := os.ReadFile(w.path("out.yaml"))
	require.NoError(t, err)
	require.Contains(t, string(text), "  d: another\n  size: L\n")
	require.Contains(t, string(text), "namespace: two\n")
}

// TestWatchIsNeverDeaf: whatever a listed target needs may be away, at the start or later, alone or with
// its folder, and may be replaced. Each time the output is that of a run that knows nothing.
func TestWatchIsNeverDeaf(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be interrupted there by another one")
	}
	t.Parallel()
	rad := copyOfThisProgram(t, "rad")
	content := map[string]func(n int) string{
		".rad/bicep.yaml": func(n int) string {
			return fmt.Sprintf("namespace: n%d\ntargets:\n- {template: deploy/app.bicep, parameters: ['@values/app.json']}\n", n)
		},
		"deploy/app.bicep": func(n int) string {
			return fmt.Sprintf("param v int\nmodule m '../modules/m.bicep' = { name: 'm' }\noutput n int = %d\noutput t string = loadTextContent('../texts/t.txt')\noutput v int = v\n", n)
		},
		"modules/m.bicep": func(n int) string { return fmt.Sprintf("output n int = %d\n", n) },
		"texts/t.txt":     func(n int) string { return fmt.Sprintf("%d", n) },
		"values/app.json": func(n int) string { return fmt.Sprintf(`{"v": %d}`, n) },
	}
	all := func(w *watched, but string) {
		for name, text := range content {
			if name != but {
				w.write("p/"+name, text(1))
			}
		}
	}
	// They wait most of the time, and so all at once: t.Parallel would let two of them wait.
	var each sync.WaitGroup
	defer each.Wait()
	for name, text := range content {
		if testing.Short() && !strings.HasPrefix(name, ".rad") && !strings.HasPrefix(name, "deploy") {
			continue // they are read as in the other test
		}
		file, folder := "p/"+name, filepath.Dir("p/"+name)
		begin := func(t *testing.T) *watched {
			w := &watched{t: t, top: t.TempDir(), rad: rad}
			require.NoError(t, os.MkdirAll(w.path("p/.git"), 0o700))
			return w
		}
		each.Go(func() {
			t.Run(name+", absent at the start", func(t *testing.T) {
				w := begin(t)
				all(w, name)
				w.start()
				w.arrives("absent")
				w.write(file, text(2))
				w.arrives("there")
				w.write(file, text(3))
				w.arrives("edited")
			})
		})
		each.Go(func() {
			t.Run(name+", later", func(t *testing.T) {
				w := begin(t)
				all(w, "")
				w.start()
				w.arrives("start")
				for i, away := range []string{file, folder} {
					require.NoError(t, os.Rename(w.path(away), w.path("away")))
					w.arrives(away + " is away")
					if i == 0 {
						require.NoError(t, os.Rename(w.path("away"), w.path(away)))
						w.arrives(away + " is back")
					}
					w.write(file, text(10+2*i))
					w.arrives("a new " + file)
					w.write(file, text(11+2*i))
					w.arrives("an edit of " + file)
				}
			})
		})
	}
}

// TestWatchRunsOnce: one change is one run, whatever names files have, and what is written
// is no change. Many changes at a time end with the last one.
func TestWatchRunsOnce(t *testing.T) {
	w := &watched{t: t, top: t.TempDir(), args: []string{"app/main.bicep", "-p", "@app/../app/more.json"}}
	t.Chdir(w.top)
	require.NoError(t, os.Mkdir(w.path(".git"), 0o700))
	w.write("app/main.bicep", "param n int\nmodule m 'm.bicep' = { name: 'm' }\noutput all array = [n, loadDirectoryFileInfo('../app', '*')[0].baseName]\n")
	w.write("app/m.bicep", "output n int = 0\n")
	w.write("app/more.json", `{"n": 0}`)
	time.Sleep(50 * time.Millisecond) // until the files are older than the first run
	w.start()
	wait := func(runs int) {
		t.Helper()
		for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
			if _, n := w.said(); n >= runs {
				break
			}
			require.True(t, time.Now().Before(end), "%s", &w.log)
		}
		time.Sleep(3 * watch.WatchEvery / 2) // another one would be seen
		_, n := w.said()
		require.Equal(t, runs, n)
	}
	wait(1)
	require.Contains(t, w.log.String(), "Watching for changes; interrupt to stop.\n")
	w.arrives("start")
	w.write("app/m.bicep", "output n int = 1\n")
	wait(2)
	w.write("app/more.json", `{"n": 1}`)
	wait(3)
	require.Equal(t, 4, strings.Count(w.log.String(), "\n"), "a change has more than one line: %s", &w.log)
	for i := range 100 { // with no time between them
		w.write("app/m.bicep", fmt.Sprintf("output n int = 2%d\n", i))
	}
	w.arrives("many changes")
}

// TestWatchSeesEarlyChanges: a file that changes while the first run reads it, as its time says,
// is compiled again, and only once.
func TestWatchSeesEarlyChanges(t *testing.T) {
	t.Parallel()
	w := &watched{t: t, top: t.TempDir()}
	w.args = []string{w.path("main.bicep")}
	require.NoError(t, os.Mkdir(w.path(".git"), 0o700))
	w.write("main.bicep", "output n int = 0\n")
	later := time.Now().Add(time.Hour)
	require.NoError(t, os.Chtimes(w.path("main.bicep"), later, later))
	w.start()
	runs := 0
	for end := time.Now().Add(time.Minute); runs < 2 && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		_, runs = w.said()
	}
	time.Sleep(3 * watch.WatchEvery / 2) // a third one would be seen
	_, runs = w.said()
	require.Equal(t, 2, runs)
}

// TestBurst: a file that is written over is not compiled while it is empty, and what has
// changed meanwhile is seen.
func TestBurst(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "a.bicep")
	write := func(text string) { require.NoError(t, os.WriteFile(file, []byte(text), 0o600)) }
	write("one")
	c := watch.NewChanges()
	defer c.Close()
	c.Expect([]string{file})
	before := watch.StatesOf([]string{file})
	now := before.Clone()
	write("")
	for now.Same(before) {
		_, ok := c.Wait(ctx, c.Every, now)
		require.True(t, ok)
	}
	b := &watch.Burst{Changes: c, Before: before, Now: now, Last: time.Now(), End: time.Now().Add(time.Hour)}
	later := time.AfterFunc(50*time.Millisecond, func() { _ = os.WriteFile(file, []byte("two, longer"), 0o600) })
	defer later.Stop()
	b.Settle(ctx)
	require.EqualValues(t, len("two, longer"), b.Now[file].Info.Size())
	require.False(t, b.HasChanged(ctx))
	write("three")
	require.True(t, b.HasChanged(ctx))
	require.EqualValues(t, len("three"), b.Now[file].Info.Size())
	b.End = time.Now()
	write("four, after the end")
	require.False(t, b.HasChanged(ctx), "a burst ends, whatever changes")
	require.False(t, (*watch.Burst)(nil).HasChanged(ctx), "the first run is for no change")
}

// TestTheTimeLimitOfWatch: it is that of a round. The next round has its own.
func TestTheTimeLimitOfWatch(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the compiler of the test is a shell script")
	}
	setUserless(t)
	w := newEscapeWorld(t)
	compiler := filepath.Join(w.top, "bicep")
	require.NoError(t, os.WriteFile(compiler, []byte("#!/bin/sh\n[ \"$1\" = --version ] && echo 'Bicep CLI version 0.46.1 (0123456789)' && exit\nsleep 300\n"), 0o700))
	log := &watched{t: t, top: w.top, args: w.args([]string{"FILE", "--compiler", compiler, "--time-limit", "500ms", "--timeout", "1h"}, "main.bicep")}
	log.start()
	for round := 1; round < 3; round++ {
		require.Eventually(t, func() bool { _, runs := log.said(); return runs >= round }, time.Minute, 20*time.Millisecond)
		said, _ := log.said()
		require.Contains(t, said, "main.bicep: it is not done after 500ms")
		w.write("repo/main.bicep", strings.Repeat("\n", round)+"output o string = 'x'\n")
	}
}
