package gittree

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPublicURL(t *testing.T) {
	t.Parallel()
	for remote, want := range map[string]string{
		"https://github.com/acme/shop":                               "https://github.com/acme/shop",
		"https://me:Canary7331@example.com:8443/acme/shop.git?t=x#y": "https://example.com:8443/acme/shop.git",
		"https://ghp_Canary7331@github.com/acme/shop":                "https://github.com/acme/shop",
		"git@github.com:acme/shop.git":                               "ssh://git@github.com/acme/shop.git",
		"ssh://git:pw@example.com:22/acme/shop":                      "ssh://git@example.com:22/acme/shop",
		"me@example.com:/srv/shop":                                   "ssh://example.com/srv/shop",
		"/srv/git/shop":                                              "",
		"../shop":                                                    "",
		`C:\git\shop`:                                                "",
		"file:///srv/git/shop":                                       "",
		"ext::sh -c x":                                               "",
		"":                                                           "",
	} {
		assert.Equal(t, want, publicURL(remote), remote)
	}
}

func TestOriginOf(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not there")
	}
	dir := t.TempDir()
	run := func(when string, args ...string) {
		t.Helper()
		c := exec.Command("git", args...)
		c.Dir = dir
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_COMMITTER_DATE="+when, "GIT_AUTHOR_DATE="+when,
			"GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@example.com", "GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@example.com")
		out, err := c.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	files := map[string][]byte{}
	write := func(name, content string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
		if name != "README" {
			files[filepath.Join(dir, name)] = []byte(content)
		}
	}
	ask := func() (Origin, bool) { return OriginOf(context.Background(), dir, files) }
	write("a.bicep", "one")
	_, ok := ask()
	assert.False(t, ok, "there is no repository")
	run("", "init", "-q")
	run("", "add", ".")
	run("2026-01-01T10:00:00+02:00", "commit", "-qm", "one")
	first, ok := ask()
	require.True(t, ok)
	assert.Equal(t, time.Date(2026, 1, 1, 8, 0, 0, 0, time.UTC), first.Created)
	assert.Len(t, first.Revision, 40)
	assert.Empty(t, first.Source)

	// Another file changes, so this does not.
	write("README", "x")
	run("", "add", ".")
	run("2026-01-02T10:00:00Z", "commit", "-qm", "two")
	run("", "remote", "add", "origin", "https://me:Canary7331@example.com/shop")
	second, ok := ask()
	require.True(t, ok)
	assert.Equal(t, first.Revision, second.Revision)
	assert.Equal(t, "https://example.com/shop", second.Source)

	// A file that is not committed is in no revision.
	write("a.bicep", "two")
	_, ok = ask()
	assert.False(t, ok)
	run("2026-01-03T10:00:00Z", "commit", "-qam", "three")
	third, ok := ask()
	require.True(t, ok)
	assert.NotEqual(t, first.Revision, third.Revision)
	write("b.bicep", "new")
	_, ok = ask()
	assert.False(t, ok)
}
