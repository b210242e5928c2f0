package command

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// panicking stands for a fault anywhere in a run.
type panicking struct{}

func (panicking) Write([]byte) (int, error) { panic("oops") }

// The drop-in commands end with status 1 for mistakes of the user, and with 70 for an
// internal error.
func TestAFaultIsToldFromAMistakeByCommandsThatStandIn(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "main.bicep")
	require.NoError(t, os.WriteFile(file, []byte("output o string = 'a'\n"), 0o644))
	var stderr bytes.Buffer
	got := Run(context.Background(), []string{"bicep", "build", file, "--stdout"}, strings.NewReader(""), panicking{}, &stderr)
	assert.Equal(t, 70, got, "a fault ends in status %d, want 70: %s", got, &stderr)
	got = Run(context.Background(), []string{"bicep", "build", file + "x", "--stdout"}, strings.NewReader(""), &bytes.Buffer{}, &stderr)
	assert.Equal(t, 1, got, "a mistake ends in status %d, want 1: %s", got, &stderr)
}

func TestBugsAreReportedAsSuch(t *testing.T) {
	t.Parallel()
	var out, errs strings.Builder
	a := newApp(nil, &out, &errs)
	assert.Equal(t, 70, a.Bug("oops", nil), "status")
	if !strings.Contains(errs.String(), "internal error: oops") || out.Len() != 0 {
		t.Errorf("stdout %q, stderr %q", out.String(), errs.String())
	}
}

func TestRunInProcess(t *testing.T) {
	t.Parallel()
	var out, errs strings.Builder
	if got := Run(context.Background(), []string{"version"}, strings.NewReader(""), &out, &errs); got != 0 {
		t.Fatalf("status %d: %s", got, errs.String())
	}
	assert.Contains(t, out.String(), "bicep  0.49.2.45890", "version")
}
