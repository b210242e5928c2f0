//go:build !race

package memory

import (
	"runtime"
	"sync"
	"syscall"
	"unsafe"
)

// useHugePages asks the kernel to give the heap its next 128 MB in pages of 2 MB rather than 4 KB: a compile takes
// new memory until it ends, and each page costs an interrupt when it is first touched.
//
// Advice is for memory that is mapped, and comes too late for a huge page of which a small one is in use. So the rest
// of the one that the heap is in is set aside, untouched, and then a goroutine gets the 128 MB as its stack, which it
// does not use. The heap has them back when the goroutine ends, without a collection.
var useHugePages = sync.OnceFunc(func() {
	const part = 64 << 10 // the heap is asked for such a size at its end, rather than in a gap
	end := uintptr(unsafe.Pointer(unsafe.SliceData(make([]byte, part)))) + part
	setAside := make([]byte, -end&(hugePage-1))
	stack := make(chan uintptr)
	go func() { stack <- largeStack(false) }()
	const inHugePages = 14 // MADV_HUGEPAGE
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, <-stack&^(hugePage-1), advised, inHugePages)
	runtime.KeepAlive(setAside)
})

const (
	hugePage = 2 << 20
	advised  = 128 << 20 // a power of two, as the sizes of stacks are
	frame    = advised - 32<<10
)

// largeStack returns where a stack begins that is large enough for such a frame. It calls no function, which
// would use the beginning.
//
//go:noinline
func largeStack(never bool) uintptr {
	if never {
		fillLarge([frame]byte{})
	}
	var top byte
	return uintptr(unsafe.Pointer(&top)) - frame
}

//go:noinline
func fillLarge([frame]byte) {}
