package registry

import (
	"errors"
	"syscall"
)

// isReset reports whether the other side closed the connection in the middle.
func isReset(err error) bool {
	return errors.Is(err, syscall.WSAECONNRESET) || errors.Is(err, syscall.WSAECONNABORTED)
}
