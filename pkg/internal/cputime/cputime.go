// Package cputime measures the work of this process, for tests of how it grows: other
// programs on the machine do not change it, as they change the time on the clock.
package cputime

import "time"

// Measure returns the processor time that this process spends while f runs. On systems where
// it cannot be asked for, it is the time on the clock.
func Measure(f func()) time.Duration {
	start := used()
	f()
	return used() - start
}
