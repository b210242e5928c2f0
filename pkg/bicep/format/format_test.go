package format_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/format"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// TestFormattingKeepsTheTemplate: a formatted file compiles to the same template,
// hash included. The samples are put out of shape first.
func TestFormattingKeepsTheTemplate(t *testing.T) {
	t.Parallel()
	samples, err := filepath.Glob("../../../testdata/*")
	require.NoError(t, err)
	compiled := 0
	for _, sample := range samples {
		if info, err := os.Stat(sample); err != nil || !info.IsDir() {
			continue
		}
		dir := t.TempDir()
		require.NoError(t, os.CopyFS(dir, os.DirFS(sample)))
		before := buildAll(t, dir)
		size := 7
		for _, l := range []format.Layout{{IndentKind: "tab"}, {IndentSize: &size}, {}} {
			formatAll(t, dir, l)
			require.Equal(t, before, buildAll(t, dir), sample)
		}
		compiled += len(before)
	}
	require.Greater(t, compiled, 20)
}

func bicepFiles(t *testing.T, dir string) []string {
	t.Helper()
	var files []string
	for _, pattern := range []string{"*.bicep", "*.bicepparam", "*/*.bicep", "*/*.bicepparam"} {
		list, err := filepath.Glob(filepath.Join(dir, pattern))
		require.NoError(t, err)
		files = append(files, list...)
	}
	return files
}

func buildAll(t *testing.T, dir string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, file := range bicepFiles(t, dir) {
		build := bicep.Embedded{}.Build
		if filepath.Ext(file) == ".bicepparam" {
			build = bicep.Embedded{}.BuildParams
		}
		result, err := build(context.Background(), bicep.Request{FS: source.Disk{}, File: file})
		require.NoError(t, err)
		if result.OK() {
			texts[file] = string(result.Template) + string(result.Parameters)
		}
	}
	return texts
}

func formatAll(t *testing.T, dir string, l format.Layout) {
	t.Helper()
	f, err := format.New(source.Below(dir), l)
	require.NoError(t, err)
	for _, file := range bicepFiles(t, dir) {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		out, err := f.Format(file, content)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, []byte(out.Text), 0o644))
	}
}

func TestFormatterRefusesUnknownKinds(t *testing.T) {
	t.Parallel()
	_, err := format.New(source.Disk{}, format.Layout{NewlineKind: "auto"})
	require.EqualError(t, err, `there is no kind of line end "auto"`)
	_, err = format.New(source.Disk{}, format.Layout{IndentKind: "both"})
	require.EqualError(t, err, `there is no kind of indent "both"`)
}

func TestFormatTellsOfTextThatIsNone(t *testing.T) {
	t.Parallel()
	f, err := format.New(source.Memory{}, format.Layout{})
	require.NoError(t, err)
	out, err := f.Format("/main.bicep", []byte("// caf\xe9\nvar  a = 1"))
	require.NoError(t, err)
	require.Len(t, out.Findings, 1)
	require.Equal(t, "RAD005", out.Findings[0].Code)
	require.Equal(t, report.Error, out.Findings[0].Severity)
	require.Equal(t, source.Position{Line: 1, Column: 7}, out.Findings[0].Start)
	out, err = f.Format("/main.bicep", []byte("\xff\xfev\x00a\x00r\x00 \x00a\x00=\x001\x00"))
	require.NoError(t, err)
	require.Equal(t, "var a = 1\n", out.Text)
	require.Empty(t, out.Findings)
}
