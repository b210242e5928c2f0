package main

import (
	"runtime"
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
// A goroutine whose function has a large frame gets such memory, as its stack, and uses
// only the end of it; and when it ends, the heap has that back, for whatever comes next.
var useHugePages = sync.OnceFunc(func() {
	setAside = restOfHugePage()
	runtime.KeepAlive(setAside) // for linters: nothing reads it
	stack := make(chan uintptr)
	go func() { stack <- largeStack(false) }()
	const inHugePages = 14 // MADV_HUGEPAGE
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, <-stack&^(hugePage-1), advised, inHugePages)
})

// setAside keeps memory that nothing uses.
var setAside [][]byte

// restOfHugePage takes what the heap has left of the 2 MB that hold the stack, which is near
// what was last taken from the heap. Small pages are used there, so the kernel would go on
// giving small ones. What is taken is never touched, so it is no memory.
func restOfHugePage() (taken [][]byte) {
	const part = 64 << 10
	var here byte
	end := uintptr(unsafe.Pointer(&here))&^(hugePage-1) + hugePage
	for range 2 * hugePage / part {
		b := make([]byte, part)
		if uintptr(unsafe.Pointer(unsafe.SliceData(b))) >= end {
			break
		}
		taken = append(taken, b)
	}
	return taken
}

const (
	advised    = 64 << 20         // a power of two, as the sizes of stacks are
	stackFrame = advised - 32<<10 // a frame that makes the stack so large
	hugePage   = 2 << 20
)

// largeStack returns where a stack begins that is large enough for its frame. It calls no
// function, since that would use the beginning.
//
//go:noinline
func largeStack(never bool) uintptr {
	if never {
		fillFrame([stackFrame]byte{})
	}
	var top byte
	return uintptr(unsafe.Pointer(&top)) - stackFrame
}
