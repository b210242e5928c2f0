package gittree_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/cmd/rad/internal/gittree"
)

// TestStoresOfGit: where git keeps its objects otherwise than usual, a revision's files are read as they
// were committed, or the error says what is missing. Nothing is fetched.
func TestStoresOfGit(t *testing.T) {
	t.Parallel()
	const text = "output o string = 'committed'\n"
	for name, c := range map[string]struct {
		make func(t *testing.T, dir string, git func(args ...string)) (at string)
		fail string // what the error says; "" if the file is read
	}{
		"alternates": {func(t *testing.T, dir string, git func(args ...string)) string {
			at := filepath.Join(t.TempDir(), "clone")
			git("clone", "-q", "--shared", dir, at)
			require.FileExists(t, filepath.Join(at, ".git", "objects", "info", "alternates"))
			return at
		}, ""},
		"alternates that are gone": {func(t *testing.T, dir string, git func(args ...string)) string {
			at := filepath.Join(t.TempDir(), "clone")
			git("clone", "-q", "--shared", dir, at)
			require.NoError(t, os.Rename(filepath.Join(dir, ".git", "objects"), filepath.Join(dir, "objects")))
			return at
		}, "revision"},
		"packs": {func(t *testing.T, dir string, git func(args ...string)) string {
			git("gc", "-q", "--prune=now")
			return dir
		}, ""},
		"grafts": {func(t *testing.T, dir string, git func(args ...string)) string {
			write(t, dir, ".git/info/grafts", head(t, dir)+" 1111111111111111111111111111111111111111\n")
			return dir
		}, ""},
		"a replaced file": {func(t *testing.T, dir string, git func(args ...string)) string {
			write(t, dir, "other", "replaced\n")
			git("hash-object", "-w", "other")
			git("replace", object(t, dir, "HEAD:app.bicep"), hash(t, dir, "other"))
			return dir
		}, ""},
		"a replaced commit": {func(t *testing.T, dir string, git func(args ...string)) string {
			first := head(t, dir)
			write(t, dir, "app.bicep", "replaced\n")
			git("commit", "-aqm", "two")
			second := head(t, dir)
			git("reset", "-q", "--hard", first)
			git("replace", first, second)
			return dir
		}, ""},
		"a partial clone": {func(t *testing.T, dir string, git func(args ...string)) string {
			at := filepath.Join(t.TempDir(), "clone")
			git("config", "uploadpack.allowFilter", "true")
			git("clone", "-q", "--no-checkout", "--filter=blob:none", "file://"+filepath.ToSlash(dir), at)
			return at
		}, "git does not have its content"},
		"a shallow clone": {func(t *testing.T, dir string, git func(args ...string)) string {
			at := filepath.Join(t.TempDir(), "clone")
			git("clone", "-q", "--depth=1", "file://"+filepath.ToSlash(dir), at)
			return at
		}, ""},
		"a work tree of its own": {func(t *testing.T, dir string, git func(args ...string)) string {
			at := filepath.Join(t.TempDir(), "tree")
			git("worktree", "add", "-q", "--detach", at)
			return at
		}, ""},
		"a missing object": {func(t *testing.T, dir string, git func(args ...string)) string {
			o := object(t, dir, "HEAD:app.bicep")
			path := filepath.Join(dir, ".git", "objects", o[:2], o[2:])
			require.NoError(t, os.Chmod(path, 0o600))
			require.NoError(t, os.Remove(path))
			return dir
		}, "git does not have its content"},
		"a damaged object": {func(t *testing.T, dir string, git func(args ...string)) string {
			o := object(t, dir, "HEAD:app.bicep")
			path := filepath.Join(dir, ".git", "objects", o[:2], o[2:])
			require.NoError(t, os.Chmod(path, 0o600))
			require.NoError(t, os.Truncate(path, 5))
			return dir
		}, "git"},
	} {
		for _, format := range []string{"sha1", "sha256"} {
			t.Run(name+", "+format, func(t *testing.T) {
				t.Parallel()
				dir, git := repository(t)
				if format == "sha256" {
					require.NoError(t, os.RemoveAll(filepath.Join(dir, ".git")))
					git("init", "-q", "--object-format=sha256", ".")
				}
				write(t, dir, "app.bicep", text)
				write(t, dir, "folder/m.bicep", "module")
				git("add", "-A")
				git("commit", "-q", "-m", "one")
				at := c.make(t, dir, git)
				tree, err := gittree.Open(t.Context(), at, "HEAD")
				var got []byte
				if err == nil {
					defer tree.Close()
					if got, err = tree.ReadFile(filepath.Join(tree.Top(), "app.bicep")); err == nil {
						same, err := tree.HasContent(filepath.Join(tree.Top(), "app.bicep"), []byte(text))
						require.NoError(t, err)
						require.True(t, same)
					}
				}
				if c.fail != "" {
					require.ErrorContains(t, err, c.fail)
					return
				}
				require.NoError(t, err)
				require.Equal(t, text, string(got))
			})
		}
	}
}

// output returns what a git command prints.
func output(t *testing.T, dir string, args ...string) string {
	t.Helper()
	c := exec.Command("git", args...)
	c.Dir = dir
	out, err := c.Output()
	require.NoError(t, err)
	return strings.TrimSpace(string(out))
}

func head(t *testing.T, dir string) string         { return output(t, dir, "rev-parse", "HEAD") }
func object(t *testing.T, dir, name string) string { return output(t, dir, "rev-parse", name) }
func hash(t *testing.T, dir, file string) string   { return output(t, dir, "hash-object", file) }
