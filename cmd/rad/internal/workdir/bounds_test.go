package workdir

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/source"
)

// TestBounds: where names lead that a user or a repository gives. The repository is /repo in a
// temporary folder, and so is what the names below it lead to.
func TestBounds(t *testing.T) {
	t.Parallel()
	top, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	write := func(name string) {
		path := filepath.Join(top, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(name), 0o666))
	}
	link := func(to, name string) {
		if filepath.IsAbs(to) {
			to = filepath.Join(top, to)
		}
		require.NoError(t, os.Symlink(filepath.FromSlash(to), filepath.Join(top, name)))
	}
	for _, name := range []string{"repo/in/file", "repo/.git/config", "outside/file", "repository/file"} {
		write(name)
	}
	link("in", "repo/within")
	link("/repo/in", "repo/absolute")
	link("../outside", "repo/out")
	link("/outside/file", "repo/outfile")
	link("../repository", "repo/sibling")
	link(".git", "repo/git")
	link("loop", "repo/loop")
	link("../repo/in", "outside/back")
	link("../repo/out", "outside/through")
	link("file", "outside/here")
	link("repo", "alias")
	link("../outside/back/file", "repo/round")

	outside, git := new(source.OutsideError), source.ErrGit
	for _, test := range []struct {
		name    string
		leads   string // "" if the name is refused, also if the user gives it
		refused any    // what it is refused with where the repository names it, if it is
	}{
		{"repo", "repo", nil},
		{"repo/in/file", "repo/in/file", nil},
		{"repo/in/../in/new", "repo/in/new", nil},
		{"repo/new/file", "repo/new/file", nil},
		{"repo/within/file", "repo/in/file", nil},
		{"repo/absolute/file", "repo/in/file", nil},
		{"repo/in/../../outside/file", "outside/file", outside},
		{"repository/file", "repository/file", outside},
		{"outside/file", "outside/file", outside},
		{"outside/here", "outside/file", outside},
		{"outside/back/file", "repo/in/file", nil},
		{"outside/through/file", "", outside},
		{"repo/out/file", "", outside},
		{"repo/out", "", outside},
		{"repo/out/here", "", outside},
		{"repo/out/new", "", outside},
		{"repo/outfile", "", outside},
		{"repo/sibling/file", "", outside},
		{"repo/round", "repo/in/file", nil},
		{"repo/.git/config", "", git},
		{"repo/git/config", "", git},
		{"repo/.GIT/config", "", git},
		{"repo/loop", "", "too many links"},
		{"alias/in/file", "repo/in/file", nil},
		{"alias/out/file", "", outside},
	} {
		for _, dir := range []string{"repo", "alias"} {
			b := NewBounds(filepath.Join(top, dir))
			path := filepath.Join(top, filepath.FromSlash(test.name))
			got, err := b.follow(path)
			if test.leads == "" {
				requireRefused(t, err, test.refused, true, test.name)
			} else {
				require.NoError(t, err, test.name)
				assert.Equal(t, filepath.Join(top, filepath.FromSlash(test.leads)), got, test.name)
			}
			_, err = b.Own(path)
			if test.refused == nil {
				require.NoError(t, err, test.name)
			} else {
				requireRefused(t, err, test.refused, test.leads == "", test.name)
			}
		}
	}
}

// requireRefused requires an error that is, or says, what is wanted, and says whether a link is
// to blame for leading outside.
func requireRefused(t *testing.T, err error, want any, link bool, name string) {
	t.Helper()
	switch want := want.(type) {
	case *source.OutsideError:
		require.ErrorAs(t, err, &want, name)
		require.Equal(t, link, want.Link, name)
	case error:
		require.ErrorIs(t, err, want, name)
	case string:
		require.ErrorContains(t, err, want, name)
	}
}

// TestBoundsOfFolders: a folder that is written to holds no link that leads out of the bounds,
// however deep; and what is removed is a file or the link itself.
func TestBoundsOfFolders(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	b := NewBounds(filepath.Join(top, "repo"))
	deep := filepath.Join(top, "repo", "a", "b", "c")
	require.NoError(t, os.MkdirAll(deep, 0o777))
	outside := filepath.Join(top, "outside")
	require.NoError(t, os.MkdirAll(outside, 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(outside, "file"), []byte("kept"), 0o666))
	folder := filepath.Join(top, "repo", "a")

	require.NoError(t, b.CheckFolder(folder))
	require.NoError(t, b.CheckFolder(filepath.Join(top, "repo", "new")), "a folder that is made later")
	require.NoError(t, os.Symlink("../b", filepath.Join(deep, "in")))
	require.NoError(t, b.CheckFolder(folder))
	require.NoError(t, os.Symlink(outside, filepath.Join(deep, "out")))
	requireRefused(t, b.CheckFolder(folder), new(source.OutsideError), true, "a link in it")
	requireRefused(t, b.CheckFolder(filepath.Join(deep, "out")), new(source.OutsideError), true, "a link")
	require.NoError(t, b.CheckFolder(outside), "a folder that the user names")

	requireRefused(t, b.Remove(filepath.Join(deep, "out", "file")), new(source.OutsideError), true, "a file behind a link")
	_, err := b.Entries(filepath.Join(deep, "out"))
	requireRefused(t, err, new(source.OutsideError), true, "the files behind a link")
	_, err = b.Stat(filepath.Join(deep, "out", "file"))
	requireRefused(t, err, new(source.OutsideError), true, "a file behind a link")
	_, err = b.ReadFile(filepath.Join(deep, "out", "file"))
	requireRefused(t, err, new(source.OutsideError), true, "a file behind a link")
	require.NoError(t, b.Remove(filepath.Join(deep, "out")))
	require.NoFileExists(t, filepath.Join(deep, "out"))
	text, err := b.ReadFile(filepath.Join(outside, "file"))
	require.NoError(t, err)
	require.Equal(t, "kept", string(text))
	require.NoError(t, b.Remove(filepath.Join(outside, "file")))
	require.NoFileExists(t, filepath.Join(outside, "file"))

	missing := filepath.Join(deep, "missing")
	for _, err := range []error{b.Remove(missing), func() error { _, err := b.ReadFile(missing); return err }()} {
		require.ErrorIs(t, err, fs.ErrNotExist)
		require.ErrorContains(t, err, missing, "the name that the user knows")
	}
	_, err = b.ReadFile(deep)
	require.Error(t, err, "a folder")
	found, err := b.Entries(deep)
	require.NoError(t, err)
	require.Len(t, found, 1)
}

// TestStreamNumber: the names of the streams of this process, which no bounds hold.
func TestStreamNumber(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such names")
	}
	for name, want := range map[string]int{
		"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2, "/dev/fd/63": 63, "/proc/self/fd/7": 7, "/dev/fd/9999": 9999, "/dev/../dev/fd/3": 3,
		"/dev/fd/": -1, "/dev/fd/12345": -1, "/dev/fd/1x": -1, "/dev/fd/-1": -1, "/dev/fd/1/2": -1, "/dev/null": -1, "/proc/1/fd/0": -1, "stdin": -1,
	} {
		n, ok := streamNumber(name)
		assert.Equal(t, want >= 0, ok, name)
		if want >= 0 {
			assert.Equal(t, want, n, name)
		}
	}
}
