package main

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
	got := run(context.Background(), []string{"bicep", "build", file, "--stdout"}, strings.NewReader(""), panicking{}, &stderr)
	assert.Equal(t, 70, got, "a fault ends in status %d, want 70: %s", got, &stderr)
	got = run(context.Background(), []string{"bicep", "build", file + "x", "--stdout"}, strings.NewReader(""), &bytes.Buffer{}, &stderr)
	assert.Equal(t, 1, got, "a mistake ends in status %d, want 1: %s", got, &stderr)
}
