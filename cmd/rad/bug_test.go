package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// panicking stands for a fault anywhere in a run.
type panicking struct{}

func (panicking) Write([]byte) (int, error) { panic("oops") }

// The drop-in commands end with status 1 for mistakes of the user, and with 70 for an
// internal error.
func TestAFaultIsToldFromAMistakeByCommandsThatStandIn(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "main.bicep")
	if err := os.WriteFile(file, []byte("output o string = 'a'\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	if got := run(context.Background(), []string{"bicep", "build", file, "--stdout"}, strings.NewReader(""), panicking{}, &stderr); got != 70 {
		t.Errorf("a fault ends in status %d, want 70: %s", got, &stderr)
	}
	if got := run(context.Background(), []string{"bicep", "build", file + "x", "--stdout"}, strings.NewReader(""), &bytes.Buffer{}, &stderr); got != 1 {
		t.Errorf("a mistake ends in status %d, want 1: %s", got, &stderr)
	}
}
