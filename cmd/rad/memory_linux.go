package main

import (
	"sync"
	"syscall"
	"unsafe"
)

// useHugePages asks the kernel to give the heap its next megabytes in pages of
// 2 MB rather than 4 KB. A compile takes new memory until it ends, and each page
// costs an interrupt when it is first touched: a quarter of the time of a large
// file, with small pages.
//
// Advice is for memory that is mapped, and it is too late for what has been used.
// A goroutine whose function has a large frame gets such memory, as its stack; and
// when it ends, the heap has that back, for whatever comes next.
var useHugePages = sync.OnceFunc(func() {
	done := make(chan struct{})
	go func() {
		defer close(done)
		adviseStack(false)
	}()
	<-done
})

const (
	advised    = 64 << 20         // a power of two, as the sizes of stacks are
	stackFrame = advised - 32<<10 // a frame that makes the stack so large
	hugePage   = 2 << 20
)

//go:noinline
func adviseStack(never bool) {
	if never {
		fillFrame([stackFrame]byte{})
	}
	var top byte
	stack := uintptr(unsafe.Pointer(&top)) - stackFrame
	const inHugePages = 14 // MADV_HUGEPAGE
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, stack&^(hugePage-1), advised, inHugePages)
}
