//go:build unix

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestKilledWhileWriting kills the command at random moments. A good file stays
// good: it holds the old manifest or the new one, whole.
func TestKilledWhileWriting(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	filler := strings.Repeat(`"0123456789012345678901234567890123456789",`, 5000)
	template := filepath.Join(dir, "app.json")
	require.NoError(t, os.WriteFile(template, []byte(`{"parameters": {"n": {"type": "int"}}, "resources": [`+filler+`0]}`), 0o666))
	out := filepath.Join(dir, "app.yaml")
	start := func(n int) *exec.Cmd {
		self, err := os.Executable()
		require.NoError(t, err)
		cmd := exec.Command(self)
		cmd.Args = []string{"rad", "bicep", "generate-kubernetes-manifest", template, "-p", fmt.Sprintf("n=%d", n), "-o", out}
		require.NoError(t, cmd.Start())
		return cmd
	}
	want := func(n int) []byte {
		require.NoError(t, start(n).Wait())
		b, err := os.ReadFile(out)
		require.NoError(t, err)
		return b
	}
	one, two := want(1), want(2)
	began := time.Now()
	_ = start(1).Wait()
	took := time.Since(began)
	rounds := 40
	if testing.Short() || raceEnabled {
		rounds = 10
	}
	killed, written := 0, 0
	// A loaded machine can finish, or delay, every run of a few: then there are more of them.
	for i := 0; i < rounds || (killed == 0 || written == 0) && i < 10*rounds; i++ {
		cmd := start(1 + i%2)
		time.Sleep(time.Duration(rand.Int64N(int64(took) * 5 / 4)))
		_ = cmd.Process.Kill()
		if err := cmd.Wait(); err != nil {
			killed++
			// A process that was killed has no status of its own.
			require.Equal(t, -1, cmd.ProcessState.ExitCode(), "the command was not killed")
		}
		got, err := os.ReadFile(out)
		require.NoError(t, err, "the file is gone")
		require.False(t, !bytes.Equal(got, one) && !bytes.Equal(got, two), "the file holds %d bytes of neither manifest", len(got))
		if i%2 == 0 && bytes.Equal(got, one) || i%2 == 1 && bytes.Equal(got, two) {
			written++
		}
	}
	require.NotEqual(t, 0, killed, "of %d runs %d were killed and %d had written: this tests nothing", rounds, killed, written)
	require.NotEqual(t, 0, written, "of %d runs %d were killed and %d had written: this tests nothing", rounds, killed, written)
}

func TestWriteFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a", "b.yaml")
	require.NoError(t, writeFile(path, []byte("one")))
	before, err := os.Stat(path)
	require.NoError(t, err)
	if before.Mode().Perm()&0o400 == 0 || before.Mode().Perm()&0o111 != 0 {
		t.Errorf("mode %v", before.Mode())
	}
	// Identical content is left alone.
	require.NoError(t, writeFile(path, []byte("one")))
	after, err := os.Stat(path)
	require.NoError(t, err)
	require.True(t, os.SameFile(before, after), "identical content was written again")
	require.True(t, before.ModTime().Equal(after.ModTime()), "identical content was written again")
	// The mode of a file stays, whatever new files get, and a link stays a link.
	require.NoError(t, os.Chmod(path, 0o666))
	link := filepath.Join(dir, "link.yaml")
	require.NoError(t, os.Symlink(path, link))
	require.NoError(t, writeFile(link, []byte("two")))
	info, err := os.Lstat(link)
	require.NoError(t, err, "the link is gone")
	require.False(t, info.Mode()&os.ModeSymlink == 0, "the link is gone: %v", err)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o666 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	b, _ := os.ReadFile(path)
	assert.Equal(t, "two", string(b), "content %q", b)
	require.NoError(t, newBounds(dir).writeFileMode(filepath.Join(dir, "secret.yaml"), []byte("x"), 0o600))
	if info, err := os.Stat(filepath.Join(dir, "secret.yaml")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	// A folder that cannot be written keeps what is in it.
	if os.Getuid() != 0 {
		require.NoError(t, os.Chmod(filepath.Dir(path), 0o555))
		assert.Error(t, writeFile(path, []byte("three")), "wrote into a folder that is read-only")
	}
	left, err := filepath.Glob(filepath.Join(dir, "*", ".*.tmp"))
	require.NoError(t, err, "left behind: %v", left)
	require.LessOrEqual(t, len(left), 0, "left behind: %v, %v", left, err)
}
