package bicep_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/internal/casetest"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
)

// prepare does what it takes to produce an entry beyond files of text.
var prepare = map[string]func(t *testing.T, dir string){
	"BCP184": func(t *testing.T, dir string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "large.txt"), bytes.Repeat([]byte("large "), 1<<18), 0o644))
	},
	"RAD003": func(t *testing.T, dir string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "main.bicep"), bytes.Repeat([]byte("$\n"), 3*diag.MaxShown), 0o644))
	},
	"RAD004": func(t *testing.T, dir string) {
		var b bytes.Buffer
		for i := range 2 * diag.MaxShown {
			fmt.Fprintf(&b, "type t%d = string\nparam p%d t%d\n", i, i, i)
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, "main.bicep"), b.Bytes(), 0o644))
	},
	"BCP274": func(t *testing.T, dir string) {
		// What a folder that may not be read is to others, a link to itself is to root, too.
		if err := os.Symlink("bicepconfig.json", filepath.Join(dir, "bicepconfig.json")); err != nil {
			t.Skipf("no links here: %v", err)
		}
	},
}

// Every entry of the catalogue has a folder of files that produces it, in a txtar
// named after it whose first line is the entry file. The files in a folder called
// NAME.tgz become an archive of that name.
func TestEveryEntryOfTheCatalogueCanBeProduced(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for kind := range diag.Kinds() {
		code := kind.Code()
		known[code] = true
		assert.Regexp(t, `^(https://[^\s]+)?$`, kind.Page(), "the link of %s", code)
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(filepath.Join("testdata", "diagnostics", code+".txtar"))
			require.NoError(t, err)
			main, trimmed := strings.CutSuffix(strings.TrimSpace(string(archive.Comment)), ", without its last line end")
			dir := t.TempDir()
			for _, f := range packed(t, archive.Files) {
				if trimmed {
					f.Data = bytes.TrimSuffix(f.Data, []byte("\n"))
				}
				path := filepath.Join(dir, f.Name)
				require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
				require.NoError(t, os.WriteFile(path, f.Data, 0o644))
			}
			if more := prepare[code]; more != nil {
				more(t, dir)
			}
			main = filepath.Join(dir, main)
			config := filepath.Join(dir, "bicepconfig.json")

			level := configuredLevel(config, code)
			if level != "" {
				assert.Contains(t, levelsOf(t, kind, main), level, "the level that the configuration asks for")
				require.NoError(t, os.Remove(config))
			}
			found := levelsOf(t, kind, main)
			if kind.Level() == diag.Off {
				assert.NotEmpty(t, level, "a rule that is off needs a configuration that turns it on")
				assert.Empty(t, found)
			} else {
				assert.Contains(t, found, kind.Level().String())
			}
		})
	}
	archives, err := filepath.Glob("testdata/diagnostics/*.txtar")
	require.NoError(t, err)
	for _, a := range archives {
		code := strings.TrimSuffix(filepath.Base(a), ".txtar")
		assert.True(t, known[code], "%s produces what is not in the catalogue", a)
	}
}

// What stops a compile cannot be silenced, as the linter's errors can.
func TestOurOwnErrorsAreErrorsOfTheCompiler(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 600) + strings.Repeat("]", 600)
	result, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{File: write(t, map[string]string{
		"main.bicep": "#disable-next-line RAD001\nvar a = " + deep + "\n",
	})})
	require.NoError(t, err)
	assert.Nil(t, result.Template)
	assert.False(t, result.OK())
}

// levelsOf compiles a file and returns the levels of what it finds of one kind.
func levelsOf(t *testing.T, kind diag.Kind, main string) (levels []string) {
	t.Helper()
	build := bicep.Embedded{}.Build
	if strings.HasSuffix(main, ".bicepparam") {
		build = bicep.Embedded{}.BuildParams
	}
	result, err := build(context.Background(), bicep.Request{File: main, NoRestore: true})
	require.NoError(t, err)
	for _, f := range result.Findings {
		assert.NotContains(t, f.Message, "%!", "%s has a message that does not fit its arguments", f.Code)
		assert.NotContains(t, f.Message, "\n", "%s has a message of several lines", f.Code)
		if f.Code == kind.Code() {
			levels = append(levels, f.Severity.String())
			assert.Equal(t, kind.Page(), f.URL)
		}
	}
	return levels
}

// configuredLevel returns the level that a configuration gives a rule, or "".
func configuredLevel(config, code string) string {
	text, err := os.ReadFile(config)
	if err != nil {
		return ""
	}
	var c struct {
		Analyzers struct {
			Core struct {
				Rules map[string]struct{ Level string }
			}
		}
	}
	if json.Unmarshal(text, &c) != nil || c.Analyzers.Core.Rules[code].Level == "" {
		return ""
	}
	level := c.Analyzers.Core.Rules[code].Level
	return strings.ToUpper(level[:1]) + level[1:]
}

// packed returns files with those in a folder called NAME.tgz put into an archive,
// which may hold other archives.
func packed(t *testing.T, files []txtar.File) []txtar.File {
	t.Helper()
	var out []txtar.File
	within := map[string][]txtar.File{}
	for _, f := range files {
		folder, rest, ok := strings.Cut(f.Name, ".tgz/")
		if !ok {
			out = append(out, f)
			continue
		}
		name := folder + ".tgz"
		if within[name] == nil {
			out = append(out, txtar.File{Name: name})
		}
		within[name] = append(within[name], txtar.File{Name: rest, Data: f.Data})
	}
	for i, f := range out {
		if within[f.Name] == nil {
			continue
		}
		var list []string
		for _, x := range packed(t, within[f.Name]) {
			list = append(list, x.Name, string(x.Data))
		}
		out[i].Data = []byte(tgz(t, list...))
	}
	return out
}

// The page of all diagnostics is made from the catalogue.
func TestThePageOfDiagnosticsIsFresh(t *testing.T) {
	t.Parallel()
	list := slices.Collect(diag.Kinds())
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i].Code(), list[j].Code()
		if x, y := strings.HasPrefix(a, "BCP"), strings.HasPrefix(b, "BCP"); x != y {
			return x
		}
		return a < b
	})
	var b strings.Builder
	b.WriteString("# Diagnostics\n\nMade from the catalogue by `make golden`. Where a message has a gap, the values of the place stand: %s a text,\n" +
		"%q one in quotes, %d a number. Codes and rules link to the official compiler's pages, which describe the same findings; those that begin with RAD are ours alone.\n" +
		"The level of a linter's rule is its default; `bicepconfig.json` sets another. Where a type is known only roughly, as those of\n" +
		"many resources are, an error about what does not fit it is a warning.\n\n| code | level | message |\n|---|---|---|\n")
	for _, kind := range list {
		code := kind.Code()
		if page := kind.Page(); page != "" {
			code = "[" + code + "](" + page + ")"
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", code, strings.ToLower(kind.Level().String()), strings.NewReplacer("|", "\\|", "<", "&lt;").Replace(kind.Text()))
	}
	const name = "DIAGNOSTICS.md"
	if *casetest.Update {
		require.NoError(t, os.WriteFile(name, []byte(b.String()), 0o644))
		return
	}
	got, err := os.ReadFile(name)
	require.NoError(t, err, "run make golden")
	assert.Equal(t, b.String(), string(got), "%s is not fresh: run make golden", name)
}
