// Package run does the work of a command for each of its targets or files.
package run

import (
	"iter"
	"runtime"
	"sync"
)

// maxWorkers bounds how many items are worked on at a time, and with it the memory.
const maxWorkers = 8

// Workers returns how many of n items to work on at a time.
func Workers(n int) int { return min(n, runtime.GOMAXPROCS(0), maxWorkers) }

// Each calls do for each item and yields the results in the order of the items, as they are done. With more than
// one worker, do runs on goroutines of its own, and must return soon once the context of the work is done. An item
// is begun when there is room for its result, so that results do not pile up behind one that takes long.
func Each[T, R any](items []T, workers int, do func(T) R) iter.Seq2[int, R] {
	return func(yield func(int, R) bool) {
		if workers < 2 {
			for i, item := range items {
				if !yield(i, do(item)) {
					return
				}
			}
			return
		}
		type job struct {
			item   T
			result chan R
		}
		next := make(chan job)
		waiting := make(chan chan R, 4*workers) // results to come, in order
		stop := make(chan struct{})
		var all sync.WaitGroup
		defer all.Wait()
		defer close(stop)
		all.Go(func() {
			defer close(waiting)
			defer close(next)
			for _, item := range items {
				j := job{item, make(chan R, 1)}
				select {
				case waiting <- j.result:
				case <-stop:
					return
				}
				select {
				case next <- j:
				case <-stop:
					return
				}
			}
		})
		for range workers {
			all.Go(func() {
				for j := range next {
					j.result <- do(j.item)
				}
			})
		}
		for i := range items {
			if !yield(i, <-<-waiting) {
				return
			}
		}
	}
}
