package bicep_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/internal/arena"
	"github.com/radbicep/rad/pkg/bicep/source"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Flags of `make official`.
var (
	installed = flag.String("bicep", "", "the official compiler that TestInstalledCompiler runs")
	every     = flag.Int("every", 1, "TestInstalledCompiler runs only each n-th program")
)

// extensions is the configuration with which the official compiler fetches the
// archives of Radius' types.
const extensions = `{
  "extensions": {
    "radius": "br:biceptypes.azurecr.io/radius:latest",
    "aws": "br:biceptypes.azurecr.io/aws:latest"
  }
}
`

// TestInstalledCompiler runs the recorded programs and the samples through an
// installed official compiler and reports each difference. `make official` runs it.
func TestInstalledCompiler(t *testing.T) {
	if *installed == "" {
		t.Skip("needs -bicep PATH; make official BICEP=PATH runs it")
	}
	t.Setenv("stringEnvVariableName", "test")
	t.Setenv("intEnvVariableName", "100")
	t.Setenv("boolEnvironmentVariable", "true")
	i := newInstalled(t, *installed)
	var list []program
	all := programs(t)
	for _, family := range slices.Sorted(maps.Keys(all)) {
		list = append(list, all[family]...)
	}
	list = slices.DeleteFunc(list, func(p program) bool { return p.Release != "" && !bicep.VersionMatches(i.version, p.Release) })
	list = slices.Concat(sampleEach(list, *every), samplePrograms(t))
	differences := i.compare(t, list)
	for _, d := range differences {
		t.Error(d)
	}
	t.Logf("Bicep %s: %d of %d programs and samples are answered as recorded", i.version, len(list)-len(differences), len(list))
}

// sampleEach returns each n-th program.
func sampleEach(list []program, n int) []program {
	var out []program
	for i := 0; i < len(list); i += max(n, 1) {
		out = append(out, list[i])
	}
	return out
}

// samplePrograms returns the samples of testdata with our answers.
func samplePrograms(t *testing.T) []program {
	t.Helper()
	entries, err := filepath.Glob("../../testdata/*/app.bicep")
	require.NoError(t, err)
	require.NotEmpty(t, entries)
	var list []program
	for _, entry := range entries {
		dir := filepath.Dir(entry)
		p := program{ID: "sample/" + filepath.Base(dir), Entry: "app.bicep", Radius: true, Files: map[string]string{}}
		require.NoError(t, filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			name, _ := filepath.Rel(dir, path)
			p.Files[filepath.ToSlash(name)] = string(text)
			return err
		}))
		file, err := filepath.Abs(entry)
		require.NoError(t, err)
		p.answer, err = ask(bicep.Embedded{}, bicep.Request{FS: source.Disk{}, File: file, Env: process{}})
		require.NoError(t, err)
		list = append(list, p)
	}
	return list
}

// An installedCompiler is the official compiler as a program.
type installedCompiler struct {
	compiler *bicep.External
	version  string
}

func newInstalled(t *testing.T, path string) installedCompiler {
	t.Helper()
	path, err := exec.LookPath(path)
	require.NoError(t, err)
	path, err = filepath.Abs(path)
	require.NoError(t, err)
	out, err := exec.Command(path, "--version").Output()
	require.NoError(t, err, "%s --version", path)
	version := regexp.MustCompile(`[0-9]+(\.[0-9]+)+`).FindString(string(out))
	require.NotEmpty(t, version, "%s --version printed %q", path, out)
	return installedCompiler{&bicep.External{Path: path, Timeout: 2 * time.Minute}, version}
}

// compare runs the programs, as many at a time as there are processors, and
// returns a report of each difference.
func (i installedCompiler) compare(t *testing.T, list []program) []string {
	t.Helper()
	top := t.TempDir()
	reports := make([]string, len(list))
	work := make(chan int)
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for n := range work {
				dir := filepath.Join(top, fmt.Sprint(n))
				if report := i.report(list[n], dir); report != "" {
					reports[n] = list[n].ID + ": " + report
				}
				os.RemoveAll(dir)
			}
		})
	}
	for n := range list {
		work <- n
	}
	close(work)
	wait.Wait()
	return slices.DeleteFunc(reports, func(s string) bool { return s == "" })
}

func (i installedCompiler) report(p program, dir string) string {
	if _, has := p.Files["bicepconfig.json"]; p.Radius && !has {
		p.Files["bicepconfig.json"] = extensions
	}
	file, err := p.write(dir)
	if err != nil {
		return err.Error()
	}
	got, err := ask(i.compiler, bicep.Request{Env: process{}, FS: source.Disk{}, File: file, NoRestore: !p.Radius})
	if err != nil {
		return err.Error()
	}
	p.Output, got.Output = withoutVersion(p.Output, got.Output)
	if diff := p.difference(got); diff != "" {
		return "- recorded, + installed:\n" + diff + "\n" + p.text()
	}
	return ""
}

var (
	generatorVersion = regexp.MustCompile(`(\\?"name\\?": \\?"bicep\\?",\s*(?:\\r|\\n| )*\\?"version\\?": \\?")([^"\\]*)`)
	templateHash     = regexp.MustCompile(`(\\?"templateHash\\?": \\?")[0-9]+`)
)

// withoutVersion removes the versions of the compilers from two outputs, and the
// hashes, which hash the version too. Outputs of one version stay as they are.
func withoutVersion(want, got string) (string, string) {
	a, b := generatorVersion.FindStringSubmatch(want), generatorVersion.FindStringSubmatch(got)
	if a == nil || b == nil || a[2] == b[2] {
		return want, got
	}
	remove := func(s string) string {
		return templateHash.ReplaceAllString(generatorVersion.ReplaceAllString(s, "${1}VERSION"), "${1}HASH")
	}
	return remove(want), remove(got)
}

// TestMain lets the test binary stand in for the official compiler. The arguments
// decide, not the environment: a stand-in must never run the tests.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // the command collects later than Go does, too
	if len(os.Args) > 1 && (os.Args[1] == "--version" || !strings.HasPrefix(os.Args[1], "-")) {
		os.Exit(standIn(os.Getenv("RAD_TEST_BICEP")))
	}
	// The tests have a cache of their own, in which there is no library of Azure's types.
	cache, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	os.Setenv("XDG_CACHE_HOME", cache)
	os.Setenv("LocalAppData", cache)
	arena.Check = true
	code := m.Run()
	os.RemoveAll(cache)
	os.Exit(code)
}

// standIn answers as the official compiler does, through the embedded compiler. In
// the mode "newer" its version is another one, and it has no warnings.
func standIn(mode string) int {
	version := officialStamp
	if mode == "newer" {
		version = "0.99.7"
	}
	if os.Args[1] == "--version" {
		fmt.Printf("Bicep CLI version %s (0123456789)\n", version)
		return 0
	}
	r := bicep.Request{FS: source.Disk{}, File: os.Args[len(os.Args)-1], Env: process{}, Options: bicep.Options{BicepVersion: officialRelease, GeneratorVersion: version}}
	a, err := ask(bicep.Embedded{}, r)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for _, d := range a.Diagnostics {
		if mode == "newer" && d.level == "Warning" {
			continue
		}
		fmt.Fprintf(os.Stderr, "%s(%d,%d) : %s %s: a message\n", r.File, d.line, d.column, d.level, d.code)
	}
	if !a.OK {
		return 1
	}
	fmt.Println(a.Output)
	return 0
}

// TestInstalledCompilerIsCompared runs some of the programs through the stand-in:
// one that answers alike, and a newer one that has lost its warnings.
func TestInstalledCompilerIsCompared(t *testing.T) {
	officialEnvironment(t)
	var list []program
	warnings := 0
	for _, family := range []string{"module", "param", "lint", "type"} {
		list = append(list, sampleEach(programs(t)[family], 45)...)
	}
	for _, p := range list {
		if slices.ContainsFunc(p.compared(p.Diagnostics), func(d place) bool { return d.level == "Warning" }) {
			warnings++
		}
	}
	require.Positive(t, warnings)
	self, err := os.Executable()
	require.NoError(t, err)

	t.Setenv("RAD_TEST_BICEP", "same")
	same := newInstalled(t, self)
	assert.Equal(t, officialStamp, same.version)
	assert.Empty(t, same.compare(t, list))

	t.Setenv("RAD_TEST_BICEP", "newer")
	newer := newInstalled(t, self)
	assert.Equal(t, "0.99.7", newer.version)
	reports := newer.compare(t, list)
	assert.Len(t, reports, warnings, "only the programs with warnings differ")
	for _, r := range reports {
		assert.Contains(t, r, "Warning")
	}
	_, err = newer.compiler.Build(context.Background(), bicep.Request{FS: source.Disk{}, File: "none.bicep"})
	assert.Error(t, err)
}
