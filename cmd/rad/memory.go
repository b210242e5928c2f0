package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
)

// tuneMemory puts off the first garbage collection until the heap has 96 MB: most
// runs end before that, and what the end of the process frees need not be
// collected. A run that comes so far is a long one, which collects as usual, and
// more often where the heap would come near 400 MB; unless most of that is in use.
func tuneMemory() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	const (
		smallestHeap = 4 // MB, at the usual 100 per cent
		limit        = 360 << 20
	)
	debug.SetGCPercent(96 / smallestHeap * 100)
	var collected func(*[16]byte)
	watch := func() { runtime.SetFinalizer(new([16]byte), collected) } // for the next collection
	first := true
	collected = func(*[16]byte) {
		if first {
			first = false
			debug.SetGCPercent(100)
			debug.SetMemoryLimit(limit)
		}
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		if m.HeapAlloc > limit*9/10 {
			debug.SetMemoryLimit(math.MaxInt64)
			return
		}
		watch()
	}
	watch()
}
