//go:build unix

package source

import "syscall"

// nonBlocking makes opening a pipe return at once, whether or not it has a writer.
const nonBlocking = syscall.O_NONBLOCK
