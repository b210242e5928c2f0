//go:build unix

package source_test

import "syscall"

func makeFIFO(name string) error { return syscall.Mkfifo(name, 0o600) }
