package memo_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/memo"
)

func TestValueIsComputedOnce(t *testing.T) {
	t.Parallel()
	var v memo.Value[int]
	calls, inner := 0, -1
	compute := func() int {
		calls++
		inner = v.Get(func() int { return 9 }) // asked for while it is computed
		return 7
	}
	require.Equal(t, 7, v.Get(compute))
	require.Equal(t, 7, v.Get(compute))
	require.Equal(t, 1, calls)
	require.Equal(t, 0, inner)
}

func TestMapKeepsTheFirstAnswer(t *testing.T) {
	t.Parallel()
	var m memo.Map[string, int]
	// The key is answered by someone else while this answer is computed.
	require.Equal(t, 1, m.Get("a", func() int { return m.Get("a", func() int { return 1 }) + 1 }))
	require.Equal(t, 1, m.Get("a", func() int { return 3 }))
	require.Equal(t, 2, m.Get("b", func() int { return 2 }))
}
