package run

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEach: results come in order, few of them wait, and nothing is begun after the reader has stopped.
func TestEach(t *testing.T) {
	items := make([]int, 1000)
	for i := range items {
		items[i] = i * i
	}
	for _, workers := range []int{0, 1, 2, 8} {
		var begun, read atomic.Int32
		for i, r := range Each(items, workers, func(n int) int { begun.Add(1); return -n }) {
			require.Equal(t, -i*i, r)
			read.Add(1)
			require.LessOrEqual(t, int(begun.Load()-read.Load()), 5*workers+1)
			if i == 500 {
				break
			}
		}
		require.LessOrEqual(t, int(begun.Load()), 501+5*workers+1)
		for range Each([]int(nil), workers, func(int) int { panic("there is nothing to do") }) {
			t.Fatal("a result of nothing")
		}
	}
}
