//go:build !windows

package registry

import (
	"errors"
	"syscall"
)

// isReset reports whether the other side closed the connection in the middle.
func isReset(err error) bool {
	return errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}
