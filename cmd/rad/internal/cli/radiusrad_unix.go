//go:build unix

package cli

import (
	"fmt"
	"syscall"
)

// become replaces this process by a program: the streams, the terminal, the signals and
// the exit status are then that program's own.
func become(path string, argv, env []string) (int, error) {
	return 0, fmt.Errorf("%s: %w", path, syscall.Exec(path, argv, env))
}
