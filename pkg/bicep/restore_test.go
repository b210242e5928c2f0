package bicep_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/artifacts"
	"github.com/radbicep/rad/pkg/bicep/registrytest"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// template is an ARM template with one output.
const template = `{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#", "contentVersion": "1.0.0.0", "resources": [], "outputs": {"who": {"type": "string", "value": "VALUE"}}}`

// project is a folder with sources, and a cache of its own.
type project struct {
	*testing.T
	dir, cache string
	registry   *registrytest.Registry
}

// newProject writes files, in which HOST is the registry.
func newProject(t *testing.T, files map[string]string) *project {
	t.Helper()
	p := &project{T: t, dir: t.TempDir(), registry: registrytest.New(t)}
	p.cache = filepath.Join(p.dir, "cache")
	p.write("bicepconfig.json", `{"cacheRootDirectory": "`+filepath.ToSlash(p.cache)+`"}`)
	for name, text := range files {
		p.write(name, text)
	}
	return p
}

func (p *project) path(name string) string { return filepath.Join(p.dir, filepath.FromSlash(name)) }

func (p *project) write(name, text string) {
	p.Helper()
	text = strings.NewReplacer("HOST", p.registry.Host, "CACHE", filepath.ToSlash(p.cache)).Replace(text)
	require.NoError(p, os.MkdirAll(filepath.Dir(p.path(name)), 0o777))
	require.NoError(p, os.WriteFile(p.path(name), []byte(text), 0o666))
}

func (p *project) read(name string) string {
	p.Helper()
	text, err := os.ReadFile(p.path(name))
	require.NoError(p, err)
	return string(text)
}

func (p *project) artifacts() bicep.Artifacts { return bicep.Artifacts{Trusted: "127.0.0.1"} }

// writeLock puts a file into the place of another in one step, as commands do: other runs read it at any time.
func writeLock(path string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".lock-*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// restore restores main.bicep, writes the lock file, and returns the findings.
func (p *project) restore(change func(*artifacts.RestoreRequest)) []report.Finding {
	p.Helper()
	r := artifacts.RestoreRequest{Files: []string{p.path("main.bicep")}, FS: bicep.Dir(p.dir), Root: p.dir, Artifacts: p.artifacts(), WriteLock: writeLock}
	if change != nil {
		change(&r)
	}
	result, err := artifacts.Restore(context.Background(), r)
	require.NoError(p, err)
	return result.Findings
}

// build builds main.bicep.
func (p *project) build(change func(*bicep.Request)) *bicep.Result {
	p.Helper()
	r := bicep.Request{File: p.path("main.bicep"), FS: bicep.Dir(p.dir), Root: p.dir, Options: bicep.Options{Artifacts: p.artifacts()}}
	if change != nil {
		change(&r)
	}
	result, err := bicep.Embedded{}.Build(context.Background(), r)
	require.NoError(p, err)
	return result
}

func noRestore(r *bicep.Request) { r.NoRestore = true }

// find returns the one finding of a code.
func find(t *testing.T, list []report.Finding, code string) report.Finding {
	t.Helper()
	var found []report.Finding
	for _, f := range list {
		if f.Code == code {
			found = append(found, f)
		}
	}
	require.Len(t, found, 1, "findings of %s in %v", code, list)
	return found[0]
}

// folder is where the cache keeps an artifact of the registry.
func (p *project) folder(repository, version string) string {
	return filepath.Join(p.cache, "br", strings.ReplaceAll(p.registry.Host, ":", "$"), repository, version)
}

func TestRestoreFillsTheCache(t *testing.T) {
	t.Parallel()
	p := newProject(t, map[string]string{
		"main.bicep":       "module a 'br:HOST/mods/app/web:V2-Beta' = { name: 'a' }\nmodule b 'sub/b.bicep' = { name: 'b' }\noutput who string = a.outputs.who\n",
		"sub/b.bicep":      "extension acme\nresource t 'Acme/things@v1' = { name: 'n', size: 'x' }\nmodule c 'br:HOST/mods/c@DIGEST' = { name: 'c' }\n",
		"bicepconfig.json": `{"cacheRootDirectory": "CACHE", "extensions": {"acme": "br:HOST/ext/acme:1.0"}}`,
	})
	digest := p.registry.Module("mods/c", "v1", template)
	p.write("sub/b.bicep", strings.ReplaceAll(p.read("sub/b.bicep"), "DIGEST", digest))
	p.registry.Module("mods/app/web", "V2-Beta", template)
	types := registrytest.Types(t, "size")
	p.registry.Extension("ext/acme", "1.0", types)

	require.Empty(t, p.restore(nil))
	folder := p.folder("mods$app$web", "V2-Beta$9")
	for name, want := range map[string]string{
		"main.json": template,
		"manifest":  string(p.registry.ModuleManifest(template)),
		"metadata":  "{\n  \"manifestDigest\": \"" + registrytest.Digest(p.registry.ModuleManifest(template)) + "\"\n}",
		"lock":      "",
	} {
		got, err := os.ReadFile(filepath.Join(folder, name))
		require.NoError(t, err)
		require.Equal(t, want, string(got), name)
	}
	got, err := os.ReadFile(filepath.Join(p.folder("ext$acme", "1.0$"), "types.tgz"))
	require.NoError(t, err)
	require.Equal(t, types, got)
	require.FileExists(t, filepath.Join(p.folder("mods$c", strings.Replace(digest, ":", "#", 1)), "main.json"))
	for _, dir := range []string{"mods$app$web", "mods$c", "ext$acme"} {
		entries, err := os.ReadDir(p.folder(dir, ""))
		require.NoError(t, err)
		require.Len(t, entries, 1, "something was left behind in %s", dir)
	}

	p.registry.Requests()
	result := p.build(noRestore)
	require.True(t, result.OK(), "%v", result.Findings)
	require.Contains(t, string(result.Template), `"value": "VALUE"`)
	require.Empty(t, p.registry.Requests(), "a build without restoring asked the registry")
	require.Empty(t, p.restore(nil))
	require.Empty(t, p.registry.Requests(), "restoring what is there asked the registry")
}

func TestBuildRestoresWhatIsMissing(t *testing.T) {
	t.Parallel()
	p := newProject(t, map[string]string{"main.bicep": "module a 'br:HOST/a:v1' = { name: 'a' }\n"})
	p.registry.Module("a", "v1", template)
	result := p.build(noRestore)
	f := find(t, result.Findings, "BCP190")
	require.Equal(t, "1:10", where(f))
	require.Empty(t, p.registry.Requests())

	result = p.build(func(r *bicep.Request) { r.Artifacts.Offline = true })
	f = find(t, result.Findings, "BCP192")
	require.Contains(t, f.Message, "the run is offline")
	require.Empty(t, p.registry.Requests())

	result = p.build(nil)
	require.True(t, result.OK(), "%v", result.Findings)
	require.NoFileExists(t, p.path("bicep.lock.json"), "only restore writes the lock file")
}

// where returns the line and column of a finding.
func where(f report.Finding) string { return fmt.Sprintf("%d:%d", f.Start.Line, f.Start.Column) }

func TestRestoreTellsAllThatFailed(t *testing.T) {
	t.Parallel()
	p := newProject(t, map[string]string{
		"main.bicep": "module a 'br:HOST/none:v1' = { name: 'a' }\nmodule b 'br:HOST/a:v1' = { name: 'b' }\n" +
			"module c 'br:evil.example/a:v1' = { name: 'c' }\nmodule d 'br:HOST/Bad:v1' = { name: 'd' }\n" +
			"module e 'ts:00000000-0000-0000-0000-000000000000/rg/n:v' = { name: 'e' }\nmodule f 'br:HOST/ext:v1' = { name: 'f' }\nextension 'br:HOST/gone:v1' as x\n",
	})
	p.registry.Module("a", "v1", template)
	p.registry.Extension("ext", "v1", registrytest.Types(t, "size"))
	var got []string
	for _, f := range p.restore(nil) {
		got = append(got, where(f)+" "+f.Code)
	}
	require.Equal(t, []string{"1:10 BCP192", "3:10 BCP446", "4:10 BCP195", "5:10 BCP192", "6:10 BCP192", "7:11 BCP192"}, got)
	require.FileExists(t, filepath.Join(p.folder("a", "v1$"), "main.json"), "one that failed kept another from being fetched")
	require.NoDirExists(t, p.folder("none", ""), "what failed left a folder behind")
	require.NoDirExists(t, p.folder("ext", ""))
}

func TestTheLockFilePins(t *testing.T) {
	t.Parallel()
	p := newProject(t, map[string]string{"main.bicep": "module a 'br:HOST/a:v1' = { name: 'a' }\noutput who string = a.outputs.who\n"})
	first := p.registry.Module("a", "v1", template)
	require.Empty(t, p.restore(nil))
	lock := p.read("bicep.lock.json")
	require.Contains(t, lock, first)

	// The tag moves. Neither a fresh machine nor --force sees it.
	second := p.registry.Module("a", "v1", strings.Replace(template, "VALUE", "MOVED", 1))
	require.NotEqual(t, first, second)
	require.NoError(t, os.RemoveAll(p.cache))
	require.Contains(t, string(p.build(nil).Template), "VALUE")
	require.Empty(t, p.restore(func(r *artifacts.RestoreRequest) { r.Force = true }))
	require.Equal(t, lock, p.read("bicep.lock.json"))
	require.Contains(t, string(p.build(noRestore).Template), "VALUE")

	// --update does.
	require.Empty(t, p.restore(func(r *artifacts.RestoreRequest) { r.Update = true }))
	require.Contains(t, p.read("bicep.lock.json"), second)
	require.Contains(t, string(p.build(noRestore).Template), "MOVED")

	// The artifacts that the lock names may be gone.
	p.registry.Remove("a", second)
	require.NoError(t, os.RemoveAll(p.cache))
	f := find(t, p.build(nil).Findings, "BCP192")
	require.Contains(t, f.Message, second)
	require.Contains(t, f.Message, "pins it to")
	hinted, _ := f.Cause.(*report.HintedError)
	require.Equal(t, report.HintUpdate, hinted.Hint)

	// To take what is sent in their place is no remedy.
	p.registry.Fault = func(w http.ResponseWriter, r *http.Request) bool {
		_, err := w.Write([]byte("{}"))
		return err == nil
	}
	f = find(t, p.build(nil).Findings, "BCP192")
	require.Contains(t, f.Message, "pins it to")
	require.NoError(t, f.Cause)
}

func TestTheCacheIsVerifiedAgainstTheLockFile(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"main.json", "manifest", "metadata"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t, map[string]string{"main.bicep": "module a 'br:HOST/a:v1' = { name: 'a' }\n"})
			p.registry.Module("a", "v1", template)
			require.Empty(t, p.restore(nil))
			file := filepath.Join(p.folder("a", "v1$"), name)
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			bad := strings.NewReplacer("VALUE", "WRONG", "sha256:", "sha256:0").Replace(string(text))
			require.NotEqual(t, string(text), bad)
			require.NoError(t, os.WriteFile(file, []byte(bad), 0o666))

			f := find(t, p.build(noRestore).Findings, "BCP192")
			require.Contains(t, f.Message, file)
			f = find(t, p.build(func(r *bicep.Request) { r.Artifacts.Offline = true }).Findings, "BCP192")
			require.Contains(t, f.Message, "the run is offline")
			require.True(t, p.build(nil).OK(), "it is fetched again")
			got, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Equal(t, string(text), string(got))
		})
	}
}

func TestLocked(t *testing.T) {
	t.Parallel()
	p := newProject(t, map[string]string{"main.bicep": "module a 'br:HOST/a:v1' = { name: 'a' }\n"})
	p.registry.Module("a", "v1", template)
	p.registry.Module("b", "v1", template)
	locked := func(r *artifacts.RestoreRequest) { r.Locked = true }
	f := find(t, p.restore(locked), "BCP192")
	require.Contains(t, f.Message, "does not name it")
	require.NoFileExists(t, p.path("bicep.lock.json"))
	require.Empty(t, p.restore(nil))
	require.Empty(t, p.restore(locked))
	p.write("main.bicep", p.read("main.bicep")+"module b 'br:HOST/b:v1' = { name: 'b' }\n")
	require.Equal(t, "2:10", where(find(t, p.restore(locked), "BCP192")))
	require.NotContains(t, p.read("bicep.lock.json"), "/b:v1")
}

func TestUpdatePrunes(t *testing.T) {
	t.Parallel()
	p := newProject(t, map[string]string{
		"main.bicep":  "module a 'br:HOST/a:v1' = { name: 'a' }\nmodule b 'br:HOST/b:v1' = { name: 'b' }\n",
		"other.bicep": "module c 'br:HOST/c:v1' = { name: 'c' }\n",
	})
	for _, name := range []string{"a", "b", "c"} {
		p.registry.Module(name, "v1", template)
	}
	require.Empty(t, p.restore(func(r *artifacts.RestoreRequest) { r.Files = append(r.Files, p.path("other.bicep")) }))
	p.write("main.bicep", "module a 'br:HOST/a:v1' = { name: 'a' }\n")
	require.Empty(t, p.restore(nil))
	require.Contains(t, p.read("bicep.lock.json"), "/b:v1", "a plain restore takes nothing out")
	require.Empty(t, p.restore(func(r *artifacts.RestoreRequest) { r.Update = true }))
	lock := p.read("bicep.lock.json")
	require.Contains(t, lock, "/a:v1")
	require.NotContains(t, lock, "/b:v1")
	require.Contains(t, lock, "/c:v1", "another file of the project needs it")
}

func TestUpdateOfSome(t *testing.T) {
	t.Parallel()
	p := newProject(t, map[string]string{"main.bicep": "module a 'br:HOST/a:v1' = { name: 'a' }\nmodule b 'br:HOST/b:v1' = { name: 'b' }\n"})
	a, b := p.registry.Module("a", "v1", template), p.registry.Module("b", "v1", template)
	require.Equal(t, a, b)
	require.Empty(t, p.restore(nil))
	moved := p.registry.Module("a", "v1", template+" ")
	p.registry.Module("b", "v1", template+" ")
	require.Empty(t, p.restore(func(r *artifacts.RestoreRequest) {
		r.Update, r.Only = true, []string{"br:" + p.registry.Host + "/a:v1"}
	}))
	lock := p.read("bicep.lock.json")
	require.Equal(t, 1, strings.Count(lock, moved))
	require.Equal(t, 1, strings.Count(lock, b))
	_, err := artifacts.Restore(context.Background(), artifacts.RestoreRequest{
		Files: []string{p.path("main.bicep")}, FS: bicep.Dir(p.dir), Root: p.dir, Artifacts: p.artifacts(), Update: true, Only: []string{"br:ghcr.io/none:v1"}})
	require.ErrorContains(t, err, "br:ghcr.io/none:v1")
}

func TestVendor(t *testing.T) {
	t.Parallel()
	p := newProject(t, map[string]string{"main.bicep": "module a 'br:HOST/a:v1' = { name: 'a' }\n"})
	p.registry.Module("a", "v1", template)
	vendor := p.path("third_party/bicep")
	require.Empty(t, p.restore(func(r *artifacts.RestoreRequest) { r.VendorTo = vendor }))
	p.registry.Close()
	require.NoError(t, os.RemoveAll(p.cache))
	vendored := func(r *bicep.Request) { r.Artifacts = bicep.Artifacts{Vendor: vendor} }
	result := p.build(vendored)
	require.True(t, result.OK(), "%v", result.Findings)

	folder := filepath.Join(vendor, "br", strings.ReplaceAll(p.registry.Host, ":", "$"), "a", "v1$")
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, entries, 3, "main.json, manifest and metadata")
	require.NoError(t, os.WriteFile(filepath.Join(folder, "main.json"), []byte(strings.Replace(template, "VALUE", "WRONG", 1)), 0o666))
	require.Contains(t, find(t, p.build(vendored).Findings, "BCP192").Message, "main.json")
	require.NoError(t, os.Remove(p.path("bicep.lock.json")))
	require.Contains(t, find(t, p.build(vendored).Findings, "BCP192").Message, "bicep.lock.json")
}

func TestABadLockFile(t *testing.T) {
	t.Parallel()
	p := newProject(t, map[string]string{"main.bicep": "module a 'br:HOST/a:v1' = { name: 'a' }\n"})
	p.registry.Module("a", "v1", template)
	require.Empty(t, p.restore(nil))
	good := p.read("bicep.lock.json")
	p.write("bicep.lock.json", strings.Replace(good, `"size"`, `"sise"`, 1))
	_, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{File: p.path("main.bicep"), FS: bicep.Dir(p.dir), Root: p.dir, Options: bicep.Options{Artifacts: p.artifacts()}})
	require.ErrorContains(t, err, "bicep.lock.json:7: unknown key \"sise\"")
	_, err = artifacts.Restore(context.Background(), artifacts.RestoreRequest{Files: []string{p.path("main.bicep")}, FS: bicep.Dir(p.dir), Root: p.dir, Artifacts: p.artifacts(), Update: true})
	require.ErrorContains(t, err, "bicep.lock.json:7: ")
}

// TestConcurrentRestores: many restores of the same artifacts leave a whole cache.
func TestConcurrentRestores(t *testing.T) {
	t.Parallel()
	p := newProject(t, map[string]string{"main.bicep": "module a 'br:HOST/a:v1' = { name: 'a' }\nmodule b 'br:HOST/b:v1' = { name: 'b' }\n"})
	p.registry.Module("a", "v1", template)
	p.registry.Module("b", "v1", template)
	p.registry.Latency = 5 * time.Millisecond
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			r, err := artifacts.Restore(context.Background(), artifacts.RestoreRequest{Files: []string{p.path("main.bicep")}, FS: bicep.Dir(p.dir), Root: p.dir, Artifacts: p.artifacts(), Force: true})
			require.NoError(t, err, "%v, %v", err, r)
			require.LessOrEqual(t, len(r.Findings), 0, "%v, %v", err, r)
		})
	}
	wg.Wait()
	require.True(t, p.build(noRestore).OK())
	for _, name := range []string{"a", "b"} {
		entries, err := os.ReadDir(p.folder(name, ""))
		require.NoError(t, err)
		require.Len(t, entries, 1)
	}
}

// TestOneDownload: what two artifacts have in common is downloaded once.
func TestOneDownload(t *testing.T) {
	t.Parallel()
	p := newProject(t, map[string]string{"main.bicep": "module a 'br:HOST/a:v1' = { name: 'a' }\nmodule b 'br:HOST/b:v1' = { name: 'b' }\nmodule c 'br:HOST/a:v1' = { name: 'c' }\n"})
	p.registry.Module("a", "v1", template)
	p.registry.Module("b", "v1", template)
	require.Empty(t, p.restore(nil))
	blobs := 0
	for _, q := range p.registry.Requests() {
		if strings.Contains(q.Path, "/blobs/") {
			blobs++
		}
	}
	require.Equal(t, 1, blobs)
}

// TestInterruptedRestore: a restore that is stopped leaves nothing.
func TestInterruptedRestore(t *testing.T) {
	t.Parallel()
	p := newProject(t, map[string]string{"main.bicep": "module a 'br:HOST/a:v1' = { name: 'a' }\n"})
	p.registry.Module("a", "v1", template)
	ctx, stop := context.WithCancel(context.Background())
	p.registry.Fault = func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.Contains(r.URL.Path, "/blobs/") {
			return false
		}
		w.Header().Set("Content-Length", "1000")
		w.Write([]byte("{"))
		w.(http.Flusher).Flush()
		stop()
		<-r.Context().Done()
		return true
	}
	_, err := artifacts.Restore(ctx, artifacts.RestoreRequest{Files: []string{p.path("main.bicep")}, FS: bicep.Dir(p.dir), Root: p.dir, Artifacts: p.artifacts()})
	require.ErrorIs(t, err, context.Canceled)
	require.NoDirExists(t, p.cache)
}

// A cache in a repository may hold links. Nothing outside is written through them, not
// even an empty file.
func TestLinksInTheCache(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights")
	}
	t.Parallel()
	for _, link := range []string{".", "br", "br/HOST", "br/HOST/a", "br/HOST/a/v1$", "br/HOST/a/v1$/lock", "br/HOST/a/.tmp-v1$.lock", "br/HOST/a/v1$/main.json", "br/HOST/a/v1$/metadata"} {
		t.Run(link, func(t *testing.T) {
			t.Parallel()
			p := newProject(t, map[string]string{"main.bicep": "module a 'br:HOST/a:v1' = { name: 'a' }\n"})
			p.registry.Module("a", "v1", template)
			at := filepath.Join(p.cache, strings.ReplaceAll(link, "HOST", strings.ReplaceAll(p.registry.Host, ":", "$")))
			outside := t.TempDir()
			require.NoError(t, os.MkdirAll(filepath.Dir(at), 0o777))
			require.NoError(t, os.Symlink(filepath.Join(outside, "new"), at))
			p.restore(nil)
			p.build(nil)
			entries, err := os.ReadDir(outside)
			require.NoError(t, err)
			require.Empty(t, entries)
			require.NoError(t, os.Mkdir(filepath.Join(outside, "new"), 0o777))
			p.restore(nil)
			p.build(nil)
			entries, err = os.ReadDir(filepath.Join(outside, "new"))
			require.NoError(t, err)
			require.Empty(t, entries)
		})
	}
}

// TestLockFileOfManyRuns: runs at the same time do not lose what the others put into
// the lock file, and leave nothing else behind.
func TestLockFileOfManyRuns(t *testing.T) {
	t.Parallel()
	p := newProject(t, nil)
	const runs = 8
	for i := range runs {
		p.registry.Module(fmt.Sprintf("mods/m%d", i), "v1", template)
		p.write(fmt.Sprintf("e%d.bicep", i), fmt.Sprintf("module m 'br:HOST/mods/m%d:v1' = { name: 'm' }\n", i))
	}
	for range 2 { // the second time, everything is in the cache
		var wg sync.WaitGroup
		for i := range runs {
			wg.Go(func() {
				_, err := artifacts.Restore(t.Context(), artifacts.RestoreRequest{
					Files: []string{p.path(fmt.Sprintf("e%d.bicep", i))}, FS: bicep.Dir(p.dir), Root: p.dir, Artifacts: p.artifacts(),
					WriteLock: func(path string, text []byte) error {
						time.Sleep(5 * time.Millisecond)
						return writeLock(path, text)
					},
				})
				assert.NoError(t, err)
			})
		}
		wg.Wait()
		require.Equal(t, runs, strings.Count(p.read("bicep.lock.json"), `"kind": "module"`))
		require.NoError(t, os.Remove(p.path("bicep.lock.json")))
	}
	entries, err := os.ReadDir(p.cache)
	require.NoError(t, err)
	require.Len(t, entries, 1, "the locks are not left behind")
}

// TestLockFileThatErrs: what a lock file says of an artifact beside its digest is set right
// by a restore, and an error with Locked, whether the artifact is fetched or is in the cache.
func TestLockFileThatErrs(t *testing.T) {
	t.Parallel()
	p := newProject(t, map[string]string{"main.bicep": "module a 'br:HOST/a:v1' = { name: 'a' }\n"})
	p.registry.Module("a", "v1", template)
	require.Empty(t, p.restore(nil))
	good := p.read("bicep.lock.json")
	locked := func(r *artifacts.RestoreRequest) { r.Locked = true }
	for _, layer := range []bool{true, false} {
		bad := strings.Replace(good, `"size": `, `"size": 1`, 1)
		if layer {
			i := strings.LastIndex(good, `"size": `)
			bad = good[:i] + strings.Replace(good[i:], `"size": `, `"size": 1`, 1)
		}
		for _, cached := range []bool{true, false} {
			p.write("bicep.lock.json", bad)
			if !cached {
				require.NoError(t, os.RemoveAll(p.cache))
			}
			f := find(t, p.restore(locked), "BCP192")
			require.Contains(t, f.Message, "bicep.lock.json does not say of it what its manifest says")
			require.Equal(t, bad, p.read("bicep.lock.json"))
			require.Empty(t, p.restore(nil))
			require.Equal(t, good, p.read("bicep.lock.json"))
			require.Empty(t, p.restore(locked))
		}
	}
}
