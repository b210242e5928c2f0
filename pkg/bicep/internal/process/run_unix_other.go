//go:build unix && !linux

package process

import "syscall"

// dieWithParent does nothing: this system has no such signal.
func dieWithParent(*syscall.SysProcAttr) {}

// adopt does nothing: what leaves the process group of its command is out of reach.
func adopt() (end func()) { return func() {} }

// announce does nothing: see CalledBack.
func announce(int) (undo func()) { return func() {} }
