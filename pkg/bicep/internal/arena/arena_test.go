package arena_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/arena"
)

func TestValuesStayAsTheyWereMade(t *testing.T) {
	t.Parallel()
	var a arena.Arena[int]
	var all []*int
	for i := range 1000 {
		all = append(all, a.New(i))
	}
	for i, p := range all {
		require.Equal(t, i, *p, "value")
	}
}

func TestListsHaveNothingInCommon(t *testing.T) {
	t.Parallel()
	var a arena.Arena[int]
	var source []int
	var all [][]int
	for i := range 200 {
		all = append(all, a.List(source))
		source = append(source, i)
	}
	for _, list := range all {
		_ = append(list, -1) // must not reach the next one
	}
	for i, list := range all {
		require.True(t, slices.Equal(list, source[:i]), "list %d has become %d", i, list)
	}
	assert.Nil(t, all[0], "an empty list is not nil")
}

func TestFewAllocations(t *testing.T) {
	var a arena.Arena[[4]int]
	a.New([4]int{})
	assert.LessOrEqual(t, testing.AllocsPerRun(10_000, func() { a.New([4]int{1}) }), 0.1)
}

func TestScratchUsesItsMemoryAgain(t *testing.T) {
	var s arena.Scratch[[4]int]
	fill := func() {
		for i := range 500 {
			s.New([4]int{i})
			list := s.Make(3)
			if list[0] != ([4]int{}) || list[2] != ([4]int{}) {
				t.Fatalf("list %d is not of zero values: %v", i, list)
			}
			list[0][0], list[2][0] = i, i
		}
		s.Reset()
	}
	fill()
	assert.Zero(t, testing.AllocsPerRun(100, fill))
}

func TestScratchKeepsItsValuesUntilReset(t *testing.T) {
	t.Parallel()
	var s arena.Scratch[int]
	for range 3 {
		var all []*int
		for i := range 1000 {
			all = append(all, s.New(i))
			_ = append(s.List([]int{-1, -2, -3}[:i%4]), -4) // must not reach the next one
		}
		for i, p := range all {
			if *p != i {
				t.Fatalf("value %d has become %d", i, *p)
			}
		}
		s.Reset()
	}
}

// Tests of the compiler run with Check: what is used after its time is not what it was.
func TestCheckClearsWhatIsGivenUp(t *testing.T) {
	arena.Check = true
	defer func() { arena.Check = false }()
	var s arena.Scratch[int]
	kept, list := s.New(7), s.List([]int{8, 9})
	s.Reset()
	assert.Zero(t, *kept)
	assert.Equal(t, []int{0, 0}, list)
}
