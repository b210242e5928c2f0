package source_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/source"
)

func TestBelow(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	root := filepath.Join(top, "root")
	write := func(name, text string) {
		name = filepath.Join(top, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
	write("root/a.txt", "a")
	write("root/sub/b.txt", "b")
	write("secret.txt", "secret")
	for link, target := range map[string]string{
		"root/out": "../secret.txt", "root/absolute": filepath.Join(top, "secret.txt"), "root/in": "sub/b.txt", "root/up": "..", "other": "root",
	} {
		if err := os.Symlink(target, filepath.Join(top, link)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	below := source.Below(root)
	for _, test := range []struct{ name, want string }{
		{"root/a.txt", "a"},
		{"root/sub/../a.txt", "a"},
		{"root/in", "b"},
		{"root/none", "missing"},
		{"secret.txt", "outside"},
		{"root/../secret.txt", "outside"},
		{"root/out", "outside"},
		{"root/absolute", "outside"},
		{"root/up/secret.txt", "outside"},
		{"rootless.txt", "outside"},
	} {
		b, err := below.ReadFile(filepath.Join(top, filepath.FromSlash(test.name)))
		got := string(b)
		var outside *source.OutsideError
		switch {
		case errors.As(err, &outside):
			got = "outside"
		case errors.Is(err, fs.ErrNotExist):
			got = "missing"
		case err != nil:
			got = err.Error()
		}
		assert.Equal(t, test.want, got, test.name)
		text, err := below.ReadText(filepath.Join(top, filepath.FromSlash(test.name)))
		assert.Equal(t, string(b), text, test.name)
		_, statErr := below.Stat(filepath.Join(top, filepath.FromSlash(test.name)))
		for _, err := range []error{err, statErr} {
			assert.Equal(t, test.want == "outside", errors.As(err, &outside), test.name)
			assert.Equal(t, test.want == "missing", errors.Is(err, fs.ErrNotExist), test.name)
		}
	}
	for _, name := range []string{"", "root/up", "root/.."} {
		_, err := below.ReadDir(filepath.Join(top, filepath.FromSlash(name)))
		var outside *source.OutsideError
		assert.ErrorAs(t, err, &outside, "the directory above can be listed as %q", name)
	}
	_, err := below.ReadDir(filepath.Join(root, "a.txt"))
	require.ErrorContains(t, err, "is not a directory")
	list, err := below.ReadDir(root)
	require.NoError(t, err, "listing the root: %v", list)
	require.Len(t, list, 6, "listing the root: %v, %v", list, err)
	require.Equal(t, "a.txt", list[0].Name(), "listing the root: %v, %v", list, err)

	// A root that is named through a link is the same place under both names.
	linked := source.Below(filepath.Join(top, "other"))
	for _, name := range []string{"other/a.txt", "root/a.txt"} {
		b, err := linked.ReadFile(filepath.Join(top, name))
		require.NoError(t, err, "%s by way of a linked root: %q", name, b)
		require.Equal(t, "a", string(b), "%s by way of a linked root: %q, %v", name, b, err)
	}
}

// TestOnlyRegularFiles: what is not a regular file, or is git's, is refused at once.
func TestOnlyRegularFiles(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, ".git", "x"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(root, ".git", "config"), []byte("token"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(root, "plain"), []byte("text"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(root, "empty"), nil, 0o600))
	sparse, err := os.Create(filepath.Join(root, "sparse"))
	require.NoError(t, err)
	require.NoError(t, sparse.Truncate(1<<40))
	require.NoError(t, sparse.Close())
	want := map[string]error{"plain": nil, "empty": nil, "sparse": source.ErrTooLarge, ".git/config": source.ErrGit, ".GIT/config": source.ErrGit, ".git./config": source.ErrGit, ".git/x": source.ErrGit, "git~1/x": source.ErrGit, ".git . /x": source.ErrGit, ".g\u200cit/x": source.ErrGit}
	if err := os.Symlink(filepath.Join(".git", "config"), filepath.Join(root, "link")); err == nil {
		want["link"] = source.ErrGit
	}
	if makeFIFO(filepath.Join(root, "pipe")) == nil {
		want["pipe"] = source.ErrNotRegular
	}
	assert.True(t, source.InGitFolder("a/.git::$INDEX_ALLOCATION/config"), "a folder of NTFS by the name of its stream")
	for name, want := range want {
		_, err := source.Below(root).ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		require.ErrorIs(t, err, want, name)
		_, err = source.Below(root).ReadText(filepath.Join(root, filepath.FromSlash(name)))
		require.ErrorIs(t, err, want, name)
		if want != source.ErrGit { // without a root, everything is read that can be
			_, err = source.Disk{}.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
			require.ErrorIs(t, err, want, name)
		}
	}
	_, err = source.Below(root).ReadDir(filepath.Join(root, ".git"))
	require.ErrorIs(t, err, source.ErrGit, "git's folder can be listed")
	inside := filepath.Join(root, ".git", "x") // a root that is in such a folder itself
	require.NoError(t, os.WriteFile(filepath.Join(inside, "plain"), []byte("text"), 0o600))
	_, err = source.Below(inside).ReadFile(filepath.Join(inside, "plain"))
	require.NoError(t, err)
	if _, err := os.Stat("/dev/zero"); err == nil {
		_, err = source.Disk{}.ReadFile("/dev/zero")
		require.ErrorIs(t, err, source.ErrNotRegular)
	}
	_, err = source.Disk{}.ReadFile(root)
	require.ErrorContains(t, err, "is a directory")
}

// TestOverlay: texts that are not saved are read as if they were files.
func TestOverlay(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	require.NoError(t, os.WriteFile(at("a.txt"), []byte("saved"), 0o600))
	require.NoError(t, os.WriteFile(at("c.txt"), []byte("c"), 0o600))
	files := source.Overlay{Below: source.Below(folder), Texts: map[string]string{at("a.txt"): "edited", at("b.txt"): "new"}}
	for name, want := range map[string]string{"a.txt": "edited", "b.txt": "new", "c.txt": "c", filepath.Join("x", "..", "a.txt"): "edited"} {
		text, err := files.ReadFile(folder + string(filepath.Separator) + name)
		require.NoError(t, err, name)
		assert.Equal(t, want, string(text), name)
		info, err := files.Stat(at(name))
		require.NoError(t, err, name)
		assert.Equal(t, int64(len(want)), info.Size(), name)
	}
	list, err := files.ReadDir(folder)
	require.NoError(t, err)
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	assert.Equal(t, []string{"a.txt", "b.txt", "c.txt"}, names)
	if of := source.Versions(files); of != nil {
		assert.False(t, of(at("a.txt")).Known())
	}
	_, err = files.ReadFile(at("d.txt"))
	require.ErrorIs(t, err, fs.ErrNotExist)
}
