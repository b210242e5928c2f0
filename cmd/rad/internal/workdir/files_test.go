package workdir

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWriteFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a", "b.yaml")
	require.NoError(t, WriteFile(path, []byte("one")))
	before, err := os.Stat(path)
	require.NoError(t, err)
	if before.Mode().Perm()&0o400 == 0 || before.Mode().Perm()&0o111 != 0 {
		t.Errorf("mode %v", before.Mode())
	}
	// Identical content is left alone.
	require.NoError(t, WriteFile(path, []byte("one")))
	after, err := os.Stat(path)
	require.NoError(t, err)
	require.True(t, os.SameFile(before, after), "identical content was written again")
	require.True(t, before.ModTime().Equal(after.ModTime()), "identical content was written again")
	// The mode of a file stays, whatever new files get, and a link stays a link.
	require.NoError(t, os.Chmod(path, 0o666))
	link := filepath.Join(dir, "link.yaml")
	require.NoError(t, os.Symlink(path, link))
	require.NoError(t, WriteFile(link, []byte("two")))
	info, err := os.Lstat(link)
	require.NoError(t, err, "the link is gone")
	require.False(t, info.Mode()&os.ModeSymlink == 0, "the link is gone: %v", err)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o666 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	b, _ := os.ReadFile(path)
	assert.Equal(t, "two", string(b), "content %q", b)
	require.NoError(t, NewBounds(dir).WriteFileMode(filepath.Join(dir, "secret.yaml"), []byte("x"), 0o600))
	if info, err := os.Stat(filepath.Join(dir, "secret.yaml")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	// A folder that cannot be written keeps what is in it.
	if os.Getuid() != 0 {
		require.NoError(t, os.Chmod(filepath.Dir(path), 0o555))
		assert.Error(t, WriteFile(path, []byte("three")), "wrote into a folder that is read-only")
	}
	left, err := filepath.Glob(filepath.Join(dir, "*", ".*.tmp"))
	require.NoError(t, err, "left behind: %v", left)
	require.LessOrEqual(t, len(left), 0, "left behind: %v, %v", left, err)
}
