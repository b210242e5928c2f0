package watch_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/watch"
)

// A file that is taken away, or replaced by an older one, after the first run has read it and before that run is over
// has changed.
func TestChangeWithinTheFirstRun(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(file string) error{
		"taken away": os.Remove,
		"replaced": func(file string) error {
			long := time.Now().Add(-time.Hour)
			if err := os.Chtimes(file+".old", long, long); err != nil {
				return err
			}
			return os.Rename(file+".old", file)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "app.bicep")
			require.NoError(t, os.WriteFile(file, []byte("new"), 0o600))
			require.NoError(t, os.WriteFile(file+".old", []byte("old text"), 0o600))
			ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
			defer stop()
			w := &watch.Watcher{App: &cli.App{Stdout: io.Discard, Stderr: io.Discard}, Done: func() {}, Idle: func() {}}
			runs := 0
			_ = w.Loop(ctx, func() ([]string, error) {
				w.Saw(file)
				if runs++; runs == 2 {
					stop()
				} else {
					require.NoError(t, change(file))
				}
				return []string{file}, nil
			})
			assert.Equal(t, 2, runs)
		})
	}
}
