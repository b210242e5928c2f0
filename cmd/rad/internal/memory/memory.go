// Package memory says when a process of rad collects garbage, and how large its first stack is.
package memory

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

const smallestHeap = 4 // MB, at the usual 100 per cent

var tuned, collected atomic.Bool

// Tune puts off the first garbage collection until the heap has 200 MB: most
// runs end before that, those of programs of 20,000 resources among them, and what the end
// of the process frees need not be collected. A run that comes so far collects as usual,
// and more often where it would come near 400 MB; unless most of that is in use.
func Tune() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	const (
		firstHeap = 208       // MB, at which the first collection ends; it begins a little before
		limit     = 350 << 20 // the program's own pages come on top
	)
	debug.SetGCPercent((firstHeap/smallestHeap - 1) * 100)
	tuned.Store(true)
	afterEachCollection(func() (again bool) {
		if collected.CompareAndSwap(false, true) {
			percent := 100
			if rarely.Load() {
				percent = 300
			}
			debug.SetGCPercent(percent)
			debug.SetMemoryLimit(limit)
		}
		// What has been found alive, and not what the heap holds: of that, the sweeper
		// has freed more or less by now.
		// Stacks count, too: those of a program in which each name leads to the next are deep.
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
		metrics.Read(live)
		if live[0].Value.Uint64()+live[1].Value.Uint64() < limit*7/8 {
			return true
		}
		debug.SetMemoryLimit(math.MaxInt64)
		return false
	})
}

// ExpectMany says that a run makes many things one after another, of each of which little is kept: garbage is collected from
// 96 MB on, if there was no collection yet.
func ExpectMany() {
	if tuned.Load() && !collected.Load() {
		debug.SetGCPercent((96/smallestHeap - 1) * 100)
	}
}

// expected is the size of the sources of this run.
var expected atomic.Int64

// smallSources are those of runs that take a heap of one or two megabytes, which is too little for huge pages.
const smallSources = 30 << 10

// Small reports whether the sources that are expected are small.
func Small() bool { return expected.Load() <= smallSources }

// Expect says that a source of some size will be read.
func Expect(size int64) {
	if expected.Add(size) > smallSources {
		useHugePages()
	}
}

var rarely atomic.Bool

// CollectRarely has garbage collected a third as often as usual, by a process that does the same
// work again and again. The limits stay.
func CollectRarely() { rarely.Store(true) }

// CollectSoon collects garbage if the next collection is near, so that it does not come
// while somebody waits for a result.
func CollectSoon() {
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/goal:bytes"}}
	metrics.Read(heap)
	if heap[0].Value.Uint64() > heap[1].Value.Uint64()/10*7 {
		runtime.GC()
	}
}

// GrowStack gives the calling goroutine a stack that is large enough for most compiles. A
// stack that grows as it is needed doubles a few times, and is copied each time.
//
//go:noinline
func GrowStack(never bool) {
	if never {
		fillFrame([128 << 10]byte{})
	}
}

// fillFrame gives a function that calls it a frame as large as its argument. The stack
// grows when the function begins, whether or not the call is reached.
//
//go:noinline
func fillFrame([128 << 10]byte) {}

// afterEachCollection calls a function after each garbage collection, until it
// returns false.
func afterEachCollection(f func() (again bool)) {
	runtime.SetFinalizer(new([16]byte), func(*[16]byte) {
		if f() {
			afterEachCollection(f)
		}
	})
}
