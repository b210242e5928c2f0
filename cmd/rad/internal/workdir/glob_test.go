package workdir

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestGlob(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, f := range []string{"a.bicep", "B.BICEP", "c.txt", "sub/d.bicep", "sub/deep/e.bicep", "other/f.bicep"} {
		path := filepath.Join(dir, filepath.FromSlash(f))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, nil, 0o666))
	}
	for pattern, want := range map[string]string{
		"*.bicep":          "B.BICEP a.bicep",
		"**/*.bicep":       "B.BICEP a.bicep other/f.bicep sub/d.bicep sub/deep/e.bicep",
		"sub/**":           "sub/d.bicep sub/deep/e.bicep",
		"sub/*.bicep":      "sub/d.bicep",
		"s*/**/e.*":        "sub/deep/e.bicep",
		"*/*.bicep":        "other/f.bicep sub/d.bicep",
		"a.bicep":          "a.bicep",
		"absent/*.bicep":   "",
		"*x*":              "c.txt",
		"**/deep/*.bicep":  "sub/deep/e.bicep",
		"**/**/e.bicep":    "sub/deep/e.bicep",
		"**/s*/**/*.bicep": "sub/d.bicep sub/deep/e.bicep",
		"**/sub/*/*/*":     "",
	} {
		_, paths, err := Glob(filepath.Join(dir, pattern))
		require.NoError(t, err)
		var got []string
		for _, p := range paths {
			rel, err := filepath.Rel(dir, p)
			require.NoError(t, err)
			got = append(got, filepath.ToSlash(rel))
		}
		assert.Equal(t, want, strings.Join(got, " "), pattern)
	}
}

// A pattern is not tried in all the ways in which its folders may be divided among the names: doing so would not end.
func TestManyFoldersInAPattern(t *testing.T) {
	t.Parallel()
	names := strings.Split(strings.Repeat("a/", 300)+"x.txt", "/")
	require.False(t, matchParts(strings.Split(strings.Repeat("**/a/", 40)+"*.bicep", "/"), names), "x.txt is taken for *.bicep")
}
