package cycles_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/radbicep/rad/pkg/bicep/internal/cycles"
)

func TestFind(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		graph [][]int
		want  map[int][]int
	}{
		{[][]int{{1}, {2}, nil}, nil},
		{[][]int{{0}}, map[int][]int{0: {0}}},
		{[][]int{{1}, {2}, {1}}, map[int][]int{1: {1, 2}, 2: {2, 1}}},
		// of two cycles through a node the shorter one counts
		{[][]int{{1}, {2}, {0, 1}}, map[int][]int{0: {0, 1, 2}, 1: {1, 2}, 2: {2, 1}}},
		// a walk goes through a node once, so the second way into a cycle is not seen
		{[][]int{{1, 2}, {0}, {1}}, map[int][]int{0: {0, 1}, 1: {1, 0}}},
	} {
		found := cycles.Find(len(test.graph), func(i int) []int { return test.graph[i] })
		var got map[int][]int
		for i := range test.graph {
			cycle := found.Cycle(i)
			assert.Equal(t, (cycle != nil), found.Has(i), "%v: Has(%d)", test.graph, i)
			assert.Equal(t, len(cycle), found.Len(i), "%v: Len(%d)", test.graph, i)
			for j := range test.graph {
				assert.Equal(t, slices.Contains(cycle, j), found.On(i, j), "%v: On(%d, %d)", test.graph, i, j)
			}
			if cycle != nil {
				if got == nil {
					got = map[int][]int{}
				}
				got[i] = slices.Clone(cycle)
			}
		}
		assert.True(t, reflect.DeepEqual(got, test.want), "%v: got %v, want %v", test.graph, got, test.want)
	}
}
