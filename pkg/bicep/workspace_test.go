package bicep_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// edited are the files that edits are played on.
const edited = `
-- app/main.bicep --
extension shop
import { Size, sizes, double } from 'lib/types.bicep'
import * as net from 'lib/net.bicep'
param count int = 3
param size Size = 'small'
@secure()
param password string
param location string = resourceGroup().location
module one 'modules/one.bicep' = {
  name: 'one'
  params: { count: double(count), size: size, password: password }
}
module two 'modules/two.bicep' = {
  name: 'two'
  params: { text: one.outputs.text, ports: net.ports }
}
module three 'modules/three.bicep' = [for i in range(0, count): {
  name: 'three${i}'
  params: { number: i }
}]
module arm 'modules/arm.json' = {
  name: 'arm'
  params: { tag: loadTextContent('text/a.txt') }
}
resource basket 'Shop/basket@v1' = {
  name: 'b'
  note: sizes.large
}
output all array = [one.outputs.text, two.outputs.sum, arm.outputs.tag]
-- app/lib/types.bicep --
import { prefix } from 'net.bicep'
@export()
type Size = 'small' | 'large'
@export()
var sizes = { small: 1, large: '${prefix}12' }
@export()
func double(n int) int => n * 2
@export()
var files = loadDirectoryFileInfo('../text', '*.txt')
-- app/lib/net.bicep --
@export()
var prefix = loadJsonContent('../text/b.json').prefix
@export()
var ports = [80, 443]
-- app/modules/one.bicep --
import { Size, files } from '../lib/types.bicep'
param count int
param size Size
@secure()
param password string
param unused string = 'x'
module inner 'deep/inner.bicep' = {
  name: 'inner'
  params: { token: password }
}
output text string = '${count} ${size} ${files[0].baseName}'
-- app/modules/deep/inner.bicep --
@secure()
param token string
@maxLength(20)
param name string = 'inner'
resource s 'Microsoft.Storage/storageAccounts@2023-01-01' = {
  name: name
  location: 'westeurope'
  kind: 'StorageV2'
  sku: { name: token }
}
-- app/modules/two.bicep --
import * as net from '../lib/net.bicep'
param text string
param ports array
var n = 10
output sum string = '${text}${length(ports)}${net.ports[1]}${n}'
-- app/modules/three.bicep --
param number int
var doubled = number * 2
-- app/modules/arm.json --
{
  "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
  "contentVersion": "1.0.0.0",
  "parameters": { "tag": { "type": "string", "maxLength": 12 } },
  "resources": [],
  "outputs": { "tag": { "type": "string", "value": "[parameters('tag')]" } }
}
-- app/modules/bicepconfig.json --
{ "analyzers": { "core": { "rules": { "no-unused-params": { "level": "info" } } } } }
-- app/bicepconfig.json --
{ "extensions": { "shop": "./shop.tgz" },
  "analyzers": { "core": { "rules": { "no-unused-vars": { "level": "info" } } } } }
-- app/text/a.txt --
v12
-- app/text/c.txt --
other 3
-- app/text/b.json --
{ "prefix": "p1" }
-- app/main.bicepparam --
using 'main.bicep'
import { sizes } from 'lib/types.bicep'
param password = readEnvironmentVariable('PASSWORD')
param count = 4
param size = length('${sizes.small}') == 1 ? 'small' : 'large'
`

// editor plays random edits on a tree of files.
type editor struct {
	*rand.Rand
	files, original source.Memory
	archives        []string // that the archive of types may become
	env             variables
	disk            *onDisk // where the files are compiled; nil if that is memory
}

func newEditor(t *testing.T, seed uint64) *editor {
	e := &editor{Rand: rand.New(rand.NewPCG(seed, 1)), original: source.Memory{}, env: variables{"PASSWORD": "hunter2"}}
	for _, f := range txtar.Parse([]byte(edited)).Files {
		e.original["/"+f.Name] = string(f.Data)
	}
	types := func(text string) string { return tgz(t, "types.tgz", tgz(t, "index.json", shopIndex, "t.json", text)) }
	e.archives = []string{
		types(shopTypes), types(strings.ReplaceAll(shopTypes, `"note"`, `"remark"`)), types(shopTypes[:300]),
		tgz(t, "types.tgz", tgz(t, "index.json", "{")),
	}
	e.original["/app/shop.tgz"] = e.archives[0]
	e.files = maps.Clone(e.original)
	return e
}

// any returns the path of one of the files that there were at the beginning.
func (e *editor) any() string {
	paths := slices.Sorted(maps.Keys(e.original))
	return paths[e.IntN(len(paths))]
}

// edit makes one change, and says which.
func (e *editor) edit() string {
	path := e.any()
	text, exists := e.files[path]
	lines := strings.SplitAfter(text, "\n")
	at := e.IntN(len(lines))
	isText := !strings.HasSuffix(path, ".tgz")
	switch kind := e.IntN(12); {
	case kind == 0:
		delete(e.files, path)
		return "delete " + path
	case kind == 1:
		e.env["PASSWORD"] = fmt.Sprint("secret", e.IntN(3))
		return "environment"
	case kind == 2:
		e.files["/app/shop.tgz"] = e.archives[e.IntN(len(e.archives))]
		return "another archive"
	case kind == 3:
		e.files[fmt.Sprintf("/app/text/new%d.txt", e.IntN(3))] = "new"
		return "new text"
	case kind == 4:
		for p := range e.files {
			if strings.Contains(p, "/new") {
				delete(e.files, p)
			}
		}
		return "no new text"
	case kind < 7 && exists && isText: // another number
		for i, c := range text {
			if c >= '0' && c <= '9' && e.IntN(3) == 0 {
				e.files[path] = text[:i] + fmt.Sprint(e.IntN(10)) + text[i+1:]
				return "number in " + path
			}
		}
		return "no number in " + path
	case kind == 7 && exists && isText:
		e.files[path] = strings.Join(slices.Delete(lines, at, at+1), "")
		return fmt.Sprintf("delete line %d of %s", at+1, path)
	case kind == 8 && exists && isText: // a line of another file
		other := strings.SplitAfter(e.original[e.any()], "\n")
		e.files[path] = strings.Join(slices.Insert(lines, at, other[e.IntN(len(other))]), "")
		return fmt.Sprintf("insert at line %d of %s", at+1, path)
	case kind == 9:
		other := e.any()
		a, b := e.files[path], e.files[other]
		if isText && !strings.HasSuffix(other, ".tgz") && strings.HasSuffix(path, ".bicep") == strings.HasSuffix(other, ".bicep") {
			e.files[path], e.files[other] = b, a
		}
		return "exchange " + path + " and " + other
	}
	e.files[path] = e.original[path]
	return "restore " + path
}

// outcomes compiles what there is to compile, and returns everything that can be seen.
func (e *editor) outcomes(w *bicep.Workspace) map[string]any {
	all := map[string]any{}
	for _, file := range []string{"/app/main.bicep", "/app/main.bicepparam", "/app/modules/one.bicep"} {
		var fsys source.FS = e.files
		if e.disk != nil {
			file, fsys = e.disk.path(file), source.Below(e.disk.dir)
		}
		r := bicep.Request{File: file, FS: fsys, Env: maps.Clone(e.env), Options: bicep.Options{Workspace: w, LineEnds: true, Fixes: e.fixes()}}
		build := bicep.Embedded{}.Build
		if strings.HasSuffix(file, "param") {
			build = bicep.Embedded{}.BuildParams
		}
		result, err := build(context.Background(), r)
		if err != nil {
			all[file] = err.Error()
			continue
		}
		slices.Sort(result.Files)
		slices.Sort(result.Folders)
		all[file] = result
		if result.Template == nil {
			continue
		}
		tree, err := result.TemplateTree()
		if err != nil {
			all["tree of "+file] = err.Error()
			continue
		}
		all["tree of "+file] = armjson.Text(tree)
	}
	return all
}

func (e *editor) fixes() bool { return len(e.files)%2 == 0 }

// compare compares a compile in a workspace with one without it, and reports whether
// there is a template.
func (e *editor) compare(t *testing.T, w *bicep.Workspace, history []string) bool {
	t.Helper()
	kept, fresh := e.outcomes(w), e.outcomes(nil)
	if reflect.DeepEqual(fresh, kept) { // cmp looks at each byte of a template by itself
		return whole(kept)
	}
	if diff := cmp.Diff(fresh, kept, cmpopts.IgnoreUnexported(bicep.Result{}), cmp.Comparer(sameCause)); diff != "" {
		t.Fatalf("after %s:\n- fresh\n+ kept\n%s", strings.Join(history, ", "), diff)
	}
	return whole(kept)
}

// whole reports whether there is a template of main.bicep.
func whole(outcomes map[string]any) bool {
	for path, r := range outcomes {
		if r, ok := r.(*bicep.Result); ok && filepath.Base(path) == "main.bicep" {
			return r.Template != nil
		}
	}
	return false
}

// TestWorkspaceEqualsFresh plays random edits.
func TestWorkspaceEqualsFresh(t *testing.T) {
	t.Parallel()
	steps, seeds := 75, 3
	if testing.Verbose() { // make thorough does it
		steps, seeds = 150, 8
	}
	templates := 0
	for seed := range seeds {
		e := newEditor(t, uint64(seed))
		w := &bicep.Workspace{}
		history := []string{fmt.Sprint("seed ", seed)}
		for range steps {
			if e.compare(t, w, history) {
				templates++
			}
			if e.IntN(3) == 0 {
				maps.Copy(e.files, e.original)
				history = append(history, "restore all")
			}
			history = append(history, e.edit())
			for e.IntN(3) == 0 {
				history = append(history, e.edit())
			}
		}
	}
	require.Greater(t, templates, seeds*steps/5, "too few of the programs were right for this test to mean anything")
}

// onDisk is a folder that holds the files of an editor.
type onDisk struct {
	dir string
	has source.Memory // what it holds
}

func (d *onDisk) path(name string) string { return filepath.Join(d.dir, filepath.FromSlash(name)) }

// update writes and removes what has changed.
func (d *onDisk) update(t *testing.T, files source.Memory) {
	for name := range d.has {
		if _, ok := files[name]; !ok {
			require.NoError(t, os.Remove(d.path(name)))
		}
	}
	for name, text := range files {
		if old, ok := d.has[name]; !ok || old != text {
			require.NoError(t, os.MkdirAll(filepath.Dir(d.path(name)), 0o700))
			require.NoError(t, os.WriteFile(d.path(name), []byte(text), 0o600))
		}
	}
	d.has = maps.Clone(files)
}

// TestWorkspaceOnDisk plays random edits on files of the disk, of which most are not read
// again after a while.
func TestWorkspaceOnDisk(t *testing.T) {
	t.Parallel()
	steps := 60
	if testing.Short() {
		steps = 15
	}
	e := newEditor(t, 7)
	e.disk = &onDisk{dir: t.TempDir()}
	w := &bicep.Workspace{}
	history := []string{}
	whole := 0
	for step := range steps {
		e.disk.update(t, e.files)
		if step%2 == 0 { // until the files have versions
			time.Sleep(120 * time.Millisecond)
		}
		if e.compare(t, w, history) {
			whole++
		}
		if e.IntN(2) == 0 {
			maps.Copy(e.files, e.original)
			history = append(history, "restore all")
		}
		history = append(history, e.edit())
	}
	require.Greater(t, whole, steps/5, "too few of the programs were right for this test to mean anything")
}

// TestWorkspaceSeesOtherFiles puts links, folders and other files where modules and folders
// of modules were.
func TestWorkspaceSeesOtherFiles(t *testing.T) {
	t.Parallel()
	e := newEditor(t, 1)
	top := t.TempDir()
	e.disk = &onDisk{dir: filepath.Join(top, "root")}
	e.disk.update(t, e.files)
	copies := &onDisk{dir: filepath.Join(top, "outside")}
	copies.update(t, e.files) // the same files, outside the root
	if os.Symlink("x", filepath.Join(top, "link")) != nil {
		t.Skip("there are no links here")
	}
	w := &bicep.Workspace{}
	settle := func() { time.Sleep(120 * time.Millisecond) }
	settle()
	require.True(t, e.compare(t, w, nil))
	require.True(t, e.compare(t, w, nil))
	names := []string{"/app/modules/one.bicep", "/app/modules", "/app/text/a.txt", "/app/bicepconfig.json"}
	if testing.Short() {
		names = names[:2]
	}
	for _, name := range names {
		path, saved := e.disk.path(name), filepath.Join(top, "root", "saved")
		in, err := filepath.Rel(filepath.Dir(path), saved)
		require.NoError(t, err)
		for what, put := range map[string]func() error{
			"nothing":               func() error { return nil },
			"a link out":            func() error { return os.Symlink(copies.path(name), path) },
			"a link to where it is": func() error { return os.Symlink(in, path) },
			"a link to nothing":     func() error { return os.Symlink("nothing", path) },
			"a link to itself":      func() error { return os.Symlink(filepath.Base(path), path) },
			"a folder":              func() error { return os.Mkdir(path, 0o700) },
			"an empty file":         func() error { return os.WriteFile(path, nil, 0o600) },
			"a hard link": func() error {
				if info, err := os.Stat(saved); err != nil || info.IsDir() {
					return err
				}
				return os.Link(saved, path)
			},
		} {
			require.NoError(t, os.Rename(path, saved))
			require.NoError(t, put())
			e.compare(t, w, []string{what, "at", name})
			settle()
			e.compare(t, w, []string{what, "at", name, "again"})
			require.NoError(t, os.RemoveAll(path))
			require.NoError(t, os.Rename(saved, path))
			require.True(t, e.compare(t, w, []string{what, "at", name, "no more"}))
		}
	}
}

// TestWorkspaceSeesEachChange takes away, one after the other, each thing that a program is
// made of, and puts it back.
func TestWorkspaceSeesEachChange(t *testing.T) {
	t.Parallel()
	e := newEditor(t, 1)
	w := &bicep.Workspace{}
	require.True(t, e.compare(t, w, nil))
	for _, path := range slices.Sorted(maps.Keys(e.original)) {
		delete(e.files, path)
		e.compare(t, w, []string{"delete " + path})
		e.files[path] = e.original[path]
		require.True(t, e.compare(t, w, []string{"restore " + path}))
	}
	for i, archive := range e.archives {
		e.files["/app/shop.tgz"] = archive
		e.compare(t, w, []string{fmt.Sprint("archive ", i)})
	}
	e.files["/app/shop.tgz"] = e.archives[0]
	e.env["PASSWORD"] = "other"
	require.True(t, e.compare(t, w, []string{"environment"}))
	delete(e.env, "PASSWORD")
	e.compare(t, w, []string{"no environment"})
	e.files["/app/text/b2.txt"] = "new"
	e.compare(t, w, []string{"new text"})
	e.files["/app/modules/deep/bicepconfig.json"] = `{"analyzers": {"core": {"rules": {
  "max-params": {"level": "error"},
  "no-loc-expr-outside-params": {"level": "warning"},
  "no-hardcoded-location": {"level": "error"}
}}}}`
	e.compare(t, w, []string{"new configuration"})
}

// sameCause compares the errors behind findings.
func sameCause(a, b report.Finding) bool {
	text := func(err error) string {
		if err == nil {
			return ""
		}
		return err.Error()
	}
	if text(a.Cause) != text(b.Cause) {
		return false
	}
	a.Cause, b.Cause = nil, nil
	return cmp.Equal(a, b)
}

// manyModules is a program of n modules.
func manyModules(n int) source.Memory {
	files := source.Memory{}
	var main strings.Builder
	for i := range n {
		var b strings.Builder
		fmt.Fprintf(&b, "param location string = resourceGroup().location\nvar unused%d = 1\n", i)
		for k := range 8 {
			fmt.Fprintf(&b, "resource s%d 'Microsoft.Storage/storageAccounts@2023-01-01' = {\n  name: 'st%d'\n  location: location\n  kind: 'StorageV2'\n  sku: {\n    name: 'Standard_LRS'\n  }\n}\n", k, k)
		}
		files[fmt.Sprintf("/m/m%d.bicep", i)] = b.String() + "output id string = s0.id\n"
		fmt.Fprintf(&main, "module m%d 'm/m%d.bicep' = {\n  name: 'm%d'\n}\n", i, i, i)
	}
	files["/main.bicep"] = main.String()
	return files
}

// allocated returns how many objects f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs
}

// TestWorkspaceSavesWork counts what a rebuild allocates after one of many modules has
// changed, and looks at the memory after many rebuilds.
func TestWorkspaceSavesWork(t *testing.T) {
	files := manyModules(100)
	w := &bicep.Workspace{}
	build := func() {
		r, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{File: "/main.bicep", FS: files, Options: bicep.Options{Workspace: w}})
		require.NoError(t, err)
		require.NotNil(t, r.Template)
		_, err = r.TemplateTree()
		require.NoError(t, err)
	}
	edit := func(i int) {
		name := fmt.Sprintf("/m/m%d.bicep", i%100)
		files[name] = strings.Replace(manyModules(100)[name], "'st0'", fmt.Sprintf("'st0x%d'", i), 1)
	}
	first := allocated(build)
	edit(7)
	again := allocated(build)
	require.Less(t, again, first/8, "a rebuild allocates %d objects, the first build %d", again, first)

	heap := func() uint64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	for i := range 300 {
		edit(i)
		build()
	}
	require.Less(t, heap(), before+before/2, "the heap grows with each rebuild; it was %d", before)
}

// TestWorkspaceShared: compiles at the same time, of the same program and of others, do not
// disturb each other.
func TestWorkspaceShared(t *testing.T) {
	t.Parallel()
	e := newEditor(t, 1)
	w := &bicep.Workspace{}
	want := e.outcomes(nil)
	for range 3 {
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				got := e.outcomes(w)
				assert.Empty(t, cmp.Diff(want, got, cmpopts.IgnoreUnexported(bicep.Result{}), cmp.Comparer(sameCause)))
			})
		}
		all.Wait()
	}
}
