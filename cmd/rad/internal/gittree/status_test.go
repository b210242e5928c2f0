package gittree_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/cmd/rad/internal/gittree"
)

// TestUnstaged: which files git would not commit as they are, without `git status`, which runs the
// filters of the repository's configuration.
func TestUnstaged(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the programs of the test are shell commands")
	}
	for _, format := range []string{"sha1", "sha256"} {
		dir, git := repository(t)
		if format != "sha1" {
			require.NoError(t, os.RemoveAll(filepath.Join(dir, ".git")))
			git("init", "-q", "--object-format="+format, ".")
		}
		ran := filepath.Join(t.TempDir(), "ran")
		write(t, dir, ".gitattributes", "*.yaml filter=x diff=x\nlfs/* filter=x\nplain* !filter\n")
		write(t, dir, ".gitignore", "ignored.*\n")
		git("config", "filter.x.clean", "tr a-z A-Z") // as Git LFS, it keeps something else than the file
		for _, name := range []string{"same.yaml", "changed.yaml", "lfs/same", "lfs/touched", "lfs/longer", "plain", "plain-crlf", "plain-same", "gone", "[a]*.txt"} {
			write(t, dir, name, name+"\n")
		}
		git("add", "-A")
		git("commit", "-q", "-m", "one")
		for key, value := range map[string]string{
			"filter.x.clean": "touch " + ran + "; cat", "filter.x.process": "touch " + ran, "filter.x.required": "true",
			"diff.x.textconv": "touch " + ran + "; cat", "diff.external": "touch " + ran, "core.fsmonitor": "touch " + ran,
			"core.pager": "touch " + ran, "core.sshCommand": "touch " + ran, "core.alternateRefsCommand": "touch " + ran, "core.gitProxy": "touch " + ran,
		} {
			git("config", key, value)
		}
		write(t, dir, "changed.yaml", "other\n")
		write(t, dir, "plain", "other\n")
		write(t, dir, "plain-crlf", "plain-crlf\r\n")
		write(t, dir, "lfs/longer", "lfs/longer\nmore\n")
		later := time.Now().Add(time.Hour)
		require.NoError(t, os.Chtimes(filepath.Join(dir, "lfs", "touched"), later, later))
		require.NoError(t, os.Chtimes(filepath.Join(dir, "plain-same"), later, later))
		require.NoError(t, os.Remove(filepath.Join(dir, "gone")))
		write(t, dir, "new", "new\n")
		write(t, dir, "ignored.yaml", "new\n")
		write(t, dir, "[a]*.txt", "other\n")
		write(t, dir, "a.txt", "not asked for\n")
		var files []string
		for _, name := range []string{"same.yaml", "changed.yaml", "lfs/same", "lfs/touched", "lfs/longer", "plain", "plain-crlf", "plain-same", "gone", "new", "ignored.yaml", "[a]*.txt"} {
			files = append(files, filepath.Join(dir, filepath.FromSlash(name)))
		}
		got, err := gittree.Unstaged(t.Context(), dir, files)
		require.NoError(t, err, format)
		require.NoFileExists(t, ran, "a program of the repository's configuration ran")
		require.Equal(t, map[string]bool{"changed.yaml": true, "lfs/longer": true, "lfs/touched": true, "plain": true, "gone": true, "new": true, "[a]*.txt": true}, got, format)
	}
	dir, _ := repository(t)
	_, err := gittree.Unstaged(t.Context(), filepath.Dir(dir), []string{filepath.Join(dir, "x")})
	require.Error(t, err, "a folder that is no repository")
}
