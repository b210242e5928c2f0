package bicep_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/internal/casetest"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// TestCasesOfMigrate: the programs of testdata/migrate.txtar, NAME/FILE, become NAME/want/FILE, with what NAME/notes says: its lines are those
// of the findings. Programs whose names begin with "drop" leave out what has no counterpart. What is made compiles, does not
// change once more, and is the same whatever the line ends are.
func TestCasesOfMigrate(t *testing.T) {
	t.Parallel()
	const golden = "testdata/migrate.txtar"
	archive, err := txtar.ParseFile(golden)
	require.NoError(t, err)
	var names []string
	programs, want := map[string]source.Memory{}, map[string]source.Memory{}
	for _, f := range archive.Files {
		name, file, _ := strings.Cut(f.Name, "/")
		if programs[name] == nil {
			names = append(names, name)
			programs[name], want[name] = source.Memory{}, source.Memory{}
		}
		if inner, ok := strings.CutPrefix(file, "want/"); ok || file == "notes" {
			want[name][path.Join("/", cmp.Or(inner, file))] = string(f.Data)
		} else {
			programs[name]["/"+file] = string(f.Data)
		}
	}
	made := &txtar.Archive{Comment: archive.Comment}
	add := func(name, prefix string, files source.Memory) {
		for _, file := range slices.Sorted(maps.Keys(files)) {
			made.Files = append(made.Files, txtar.File{Name: name + prefix + file, Data: []byte(files[file])})
		}
	}
	for _, name := range names {
		got := migrated(t, name, programs[name])
		add(name, "", programs[name])
		add(name, "/want", got)
		if !*casetest.Update {
			assert.Empty(t, gocmp.Diff(want[name], got), name)
		}
	}
	if *casetest.Update {
		require.NoError(t, os.WriteFile(golden, txtar.Format(made), 0o644))
	}
}

// migrated returns the files that change, and the findings as the file /notes.
func migrated(t *testing.T, name string, files source.Memory) source.Memory {
	t.Helper()
	texts, notes := migrateOnce(t, name, files)
	got := source.Memory{}
	maps.Copy(got, texts)
	if notes != "" {
		got["/notes"] = notes
	}
	if strings.Contains(notes, " Error ") || len(texts) == 0 {
		return source.Memory{"/notes": notes}
	}
	after := maps.Clone(files)
	maps.Copy(after, texts)
	r, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{File: "/app.bicep", FS: after})
	require.NoError(t, err, name)
	assert.NoError(t, report.ErrorOf(r.Findings), name)
	again, _ := migrateOnce(t, name, after)
	assert.Empty(t, again, "%s: the second time, nothing changes", name)
	crlf := source.Memory{}
	for file, text := range files {
		crlf[file] = strings.TrimSuffix(strings.ReplaceAll(text, "\n", "\r\n"), "\r\n")
	}
	windows, _ := migrateOnce(t, name, crlf)
	for file, text := range texts {
		assert.Equal(t, strings.TrimSuffix(text, "\n"), strings.TrimSuffix(strings.ReplaceAll(windows[file], "\r\n", "\n"), "\n"), "%s with the line ends of Windows", name)
		assert.NotContains(t, strings.ReplaceAll(windows[file], "\r\n", ""), "\n", name)
	}
	return got
}

func migrateOnce(t *testing.T, name string, files source.Memory) (texts source.Memory, notes string) {
	t.Helper()
	m, err := bicep.Embedded{}.Migrate(context.Background(), bicep.Request{File: "/app.bicep", FS: files}, strings.HasPrefix(name, "drop"))
	require.NoError(t, err, name)
	for _, f := range m.Findings {
		notes += fmt.Sprintf("%s(%d,%d) %s %s: %s\n", strings.TrimPrefix(f.Path, "/"), f.Start.Line, f.Start.Column, f.Severity, f.Code, f.Message)
	}
	return m.Texts, notes
}
