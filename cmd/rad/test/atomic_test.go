//go:build unix

package test

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
