package cycles_test

import (
	"reflect"
	"slices"
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
		circles := cycles.Find(len(test.graph), func(i int) []int { return test.graph[i] })
		var got map[int][]int
		for i := range test.graph {
			circle := circles.Of(i)
			if circles.Has(i) != (circle != nil) {
				t.Errorf("%v: Has(%d) = %v", test.graph, i, circles.Has(i))
			}
			if circles.Len(i) != len(circle) {
				t.Errorf("%v: Len(%d) = %d", test.graph, i, circles.Len(i))
			}
			for j := range test.graph {
				if on := circles.On(i, j); on != slices.Contains(circle, j) {
					t.Errorf("%v: On(%d, %d) = %v", test.graph, i, j, on)
				}
			}
			if circle != nil {
				if got == nil {
					got = map[int][]int{}
				}
				got[i] = slices.Clone(circle)
			}
		}
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%v: got %v, want %v", test.graph, got, test.want)
		}
	}
}
