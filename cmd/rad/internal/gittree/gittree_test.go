package gittree_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/cmd/rad/internal/gittree"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// repository makes a repository with one commit, and returns its folder and a
// function that runs git in it.
func repository(t *testing.T) (string, func(args ...string)) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not there")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	git := func(args ...string) {
		t.Helper()
		c := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "core.autocrlf=false"}, args...)...)
		c.Dir = dir
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		out, err := c.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	git("init", "-q", ".")
	return dir, git
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
}

func TestFilesOfARevision(t *testing.T) {
	t.Parallel()
	dir, git := repository(t)
	write(t, dir, "app.bicep", "first")
	write(t, dir, "a folder/ü/m.bicep", "module")
	write(t, dir, "empty", "")
	git("add", "-A")
	git("commit", "-q", "-m", "one")
	write(t, dir, "app.bicep", "second")
	write(t, dir, "new.bicep", "new")
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "a folder")))
	git("add", "-A")
	git("commit", "-q", "-m", "two")
	write(t, dir, "app.bicep", "not committed")

	open := func(rev string) *gittree.Tree {
		tree, err := gittree.Open(context.Background(), filepath.Join(dir), rev)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, tree.Close()) })
		return tree
	}
	read := func(tree *gittree.Tree, name string) string {
		b, err := tree.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		require.NoError(t, err)
		return string(b)
	}
	old, now := open("HEAD~1"), open("HEAD")
	require.Equal(t, "first", read(old, "app.bicep"))
	require.Equal(t, "second", read(now, "app.bicep"))
	require.Equal(t, "module", read(old, "a folder/ü/m.bicep"))
	require.Equal(t, "", read(old, "empty"))
	_, err := now.ReadFile(filepath.Join(dir, "a folder", "ü", "m.bicep"))
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = old.ReadFile(filepath.Join(dir, "new.bicep"))
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = old.ReadFile(filepath.Join(dir, "a folder"))
	require.Error(t, err)

	info, err := old.Stat(filepath.Join(dir, "a folder"))
	require.NoError(t, err)
	require.True(t, info.IsDir())
	info, err = old.Stat(filepath.Join(dir, "app.bicep"))
	require.NoError(t, err)
	require.Equal(t, int64(5), info.Size())
	list, err := old.ReadDir(dir)
	require.NoError(t, err)
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	require.Equal(t, []string{"a folder", "app.bicep", "empty"}, names)

	// Nothing outside of the repository is read, by whatever name.
	var outside *source.OutsideError
	for _, name := range []string{filepath.Dir(dir), filepath.Join(dir, "..", "x"), filepath.Join(dir, "a folder", "..", "..", "x")} {
		_, err = old.ReadFile(name)
		require.True(t, errors.As(err, &outside), name)
	}
	require.True(t, old.Contains(filepath.Join(dir, "x")))
	require.False(t, old.Contains(filepath.Join(filepath.Dir(dir), "x")))
}

func TestLinksStayWithinTheTree(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links need rights on Windows")
	}
	dir, git := repository(t)
	write(t, dir, "real/m.bicep", "module")
	for link, target := range map[string]string{
		"to-file.bicep": "real/m.bicep", "to-folder": "real", "real/up": "../to-folder", "outside": "../../etc", "absolute": "/etc/passwd", "cycle": "circle2", "circle2": "cycle",
	} {
		require.NoError(t, os.Symlink(target, filepath.Join(dir, link)))
	}
	git("add", "-A")
	git("commit", "-q", "-m", "links")
	tree, err := gittree.Open(context.Background(), dir, "HEAD")
	require.NoError(t, err)
	defer tree.Close()
	for _, name := range []string{"to-file.bicep", "to-folder/m.bicep", "real/up/m.bicep", "to-folder/up/up/m.bicep"} {
		b, err := tree.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err, name)
		require.Equal(t, "module", string(b))
	}
	var outside *source.OutsideError
	for _, name := range []string{"outside/passwd", "absolute"} {
		_, err := tree.ReadFile(filepath.Join(dir, name))
		require.True(t, errors.As(err, &outside), "%s: %v", name, err)
	}
	_, err = tree.ReadFile(filepath.Join(dir, "cycle"))
	require.ErrorContains(t, err, "too many links")
}

func TestRevisionsAreNotOptions(t *testing.T) {
	t.Parallel()
	dir, git := repository(t)
	write(t, dir, "a", "a")
	git("add", "-A")
	git("commit", "-q", "-m", "one")
	for _, rev := range []string{"", "-h", "--output=x", "nosuch", "HEAD:a", "HEAD^{tree}"} {
		_, err := gittree.Open(context.Background(), dir, rev)
		require.Error(t, err, rev)
	}
	_, err := gittree.Open(context.Background(), t.TempDir(), "HEAD")
	require.ErrorContains(t, err, "git")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = gittree.Open(ctx, dir, "HEAD")
	require.ErrorIs(t, err, context.Canceled)
}

// A repository of a few hundred bytes can describe ten billion files.
func TestOnlyWhatIsNeededIsRead(t *testing.T) {
	t.Parallel()
	dir, git := repository(t)
	write(t, dir, "file", "text")
	git("add", "-A")
	git("commit", "-q", "-m", "one")
	run := func(input string, args ...string) string {
		t.Helper()
		c := exec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
		c.Dir, c.Stdin = dir, strings.NewReader(input)
		out, err := c.Output()
		require.NoError(t, err)
		return strings.TrimSpace(string(out))
	}
	file := run("text", "hash-object", "-w", "--stdin")
	huge := run(strings.Repeat("0", 5000), "hash-object", "-w", "--stdin")
	tree := run("100644 blob "+file+"\tfile\n120000 blob "+huge+"\tlink\n", "mktree")
	for range 10 {
		list := ""
		for i := range 10 {
			list += fmt.Sprintf("040000 tree %s\td%d\n", tree, i)
		}
		tree = run(list, "mktree")
	}
	commit := run("", "commit-tree", tree, "-m", "many")

	many, err := gittree.Open(context.Background(), dir, commit)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, many.Close()) })
	deep := filepath.Join(dir, filepath.FromSlash(strings.Repeat("d7/", 10)))
	// A link that is too long is refused, and the next file is read all the same.
	_, err = many.ReadFile(filepath.Join(deep, "link"))
	require.ErrorContains(t, err, "it has 5000 bytes; at most 4096 are read")
	b, err := many.ReadFile(filepath.Join(deep, "file"))
	require.NoError(t, err)
	require.Equal(t, "text", string(b))
	list, err := many.ReadDir(deep)
	require.NoError(t, err)
	require.Len(t, list, 2)
}

// What was read is not kept: a few kilobytes of git's objects can be files of hundreds of megabytes.
func TestContentsAreNotKept(t *testing.T) {
	dir, git := repository(t)
	const files, size = 5, 4 << 20
	for i := range files {
		write(t, dir, fmt.Sprintf("large%d", i), strings.Repeat(string(rune('a'+i)), size))
	}
	git("-c", "core.compression=0", "add", "-A")
	git("commit", "-q", "-m", "one")
	tree, err := gittree.Open(t.Context(), dir, "HEAD")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, tree.Close()) })
	inUse := func() int64 {
		var now runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&now)
		return int64(now.HeapAlloc)
	}
	before := inUse()
	for i := range files {
		b, err := tree.ReadFile(filepath.Join(dir, fmt.Sprintf("large%d", i)))
		require.NoError(t, err)
		require.Len(t, b, size)
	}
	require.Less(t, inUse()-before, int64(2*size))
	runtime.KeepAlive(tree)
}

// A folder of the repository can look like a repository of its own, with settings that run programs.
func TestARepositoryInTheRepositoryIsNotAsked(t *testing.T) {
	t.Parallel()
	dir, git := repository(t)
	write(t, dir, "app.bicep", "text")
	git("add", "-A")
	git("commit", "-q", "-m", "one")
	git("init", "-q", "--bare", "sub")
	write(t, dir, "sub/config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n")
	_, err := gittree.Open(context.Background(), filepath.Join(dir, "sub"), "HEAD")
	require.ErrorContains(t, err, "safe.bareRepository")
}
