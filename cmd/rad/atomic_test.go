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
)

// TestKilledWhileWriting kills the command at random moments. A good file stays
// good: it holds the old manifest or the new one, whole.
func TestKilledWhileWriting(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	filler := strings.Repeat(`"0123456789012345678901234567890123456789",`, 5000)
	template := filepath.Join(dir, "app.json")
	if err := os.WriteFile(template, []byte(`{"parameters": {"n": {"type": "int"}}, "resources": [`+filler+`0]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "app.yaml")
	start := func(n int) *exec.Cmd {
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(self)
		cmd.Args = []string{"rad", "bicep", "generate-kubernetes-manifest", template, "-p", fmt.Sprintf("n=%d", n), "-o", out}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	want := func(n int) []byte {
		if err := start(n).Wait(); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
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
			if code := cmd.ProcessState.ExitCode(); code != -1 {
				t.Fatalf("the command was not killed, but ended with status %d", code)
			}
		}
		got, err := os.ReadFile(out)
		if err != nil {
			t.Fatalf("the file is gone: %v", err)
		}
		if !bytes.Equal(got, one) && !bytes.Equal(got, two) {
			t.Fatalf("the file holds %d bytes of neither manifest", len(got))
		}
		if i%2 == 0 && bytes.Equal(got, one) || i%2 == 1 && bytes.Equal(got, two) {
			written++
		}
	}
	if killed == 0 || written == 0 {
		t.Errorf("of %d runs %d were killed and %d had written: this tests nothing", rounds, killed, written)
	}
}

func TestWriteFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a", "b.yaml")
	if err := writeFile(path, []byte("one")); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if before.Mode().Perm()&0o400 == 0 || before.Mode().Perm()&0o111 != 0 {
		t.Errorf("mode %v", before.Mode())
	}
	// Identical content is left alone.
	if err := writeFile(path, []byte("one")); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if !os.SameFile(before, after) || !before.ModTime().Equal(after.ModTime()) {
		t.Error("identical content was written again")
	}
	// The mode of a file stays, whatever new files get, and a link stays a link.
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link.yaml")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if err := writeFile(link, []byte("two")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o666 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if b, _ := os.ReadFile(path); string(b) != "two" {
		t.Errorf("content %q", b)
	}
	if err := newBounds(dir).writeFileMode(filepath.Join(dir, "secret.yaml"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(dir, "secret.yaml")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	// A folder that cannot be written keeps what is in it.
	if os.Getuid() != 0 {
		if err := os.Chmod(filepath.Dir(path), 0o555); err != nil {
			t.Fatal(err)
		}
		if err := writeFile(path, []byte("three")); err == nil {
			t.Error("wrote into a folder that is read-only")
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, "*", ".*.tmp"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
