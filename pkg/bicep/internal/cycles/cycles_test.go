package cycles_test

import (
	"reflect"
	"testing"

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
		// of two circles through a node the shorter one counts
		{[][]int{{1}, {2}, {0, 1}}, map[int][]int{0: {0, 1, 2}, 1: {1, 2}, 2: {2, 1}}},
		// a walk goes through a node once, so the second way into a circle is not seen
		{[][]int{{1, 2}, {0}, {1}}, map[int][]int{0: {0, 1}, 1: {1, 0}}},
	} {
		got := cycles.Find(len(test.graph), func(i int) []int { return test.graph[i] }, func(i int) int { return i })
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%v: got %v, want %v", test.graph, got, test.want)
		}
	}
}
