package test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestProgress: a run of many templates counts them on a terminal, in one line that is gone at
// the end, and nowhere else.
func TestProgress(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("onterminal is for Linux")
	}
	_, sh := workbench(t)
	status, _ := sh(`mkdir many && for i in $(seq 30); do echo "output o int = $i" > many/m$i.bicep; done`)
	require.Equal(t, 0, status)
	run := "rad bicep generate-kubernetes-manifest many --outdir out"

	status, out := sh("onterminal 2m env -u CI " + run)
	require.Equal(t, 0, status, out)
	require.Regexp(t, `\r\x1b\[K1/30  many/m\d+\.bicep`, out)
	_, end, cleared := strings.Cut(out, "\r\x1b[K"+"out: 30 manifests")
	require.True(t, cleared, "the line with the count stays: %q", out)
	require.NotContains(t, end, "/30")

	status, out = sh("onterminal 2m env -u CI " + run + " --quiet")
	require.Equal(t, 0, status, out)
	require.Empty(t, strings.TrimSpace(out))

	status, out = sh("rm -r out; " + run + " 2>&1 | cat")
	require.Equal(t, 0, status, out)
	require.NotContains(t, out, "\x1b")
	require.NotContains(t, out, "1/30")
}
