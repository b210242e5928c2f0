//go:build unix && !linux

package bicep

import "syscall"

// dieWithParent does nothing: this system has no such signal.
func dieWithParent(*syscall.SysProcAttr) {}
