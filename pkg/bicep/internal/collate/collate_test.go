package collate_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/radbicep/rad/pkg/bicep/internal/collate"
)

func TestCompare(t *testing.T) {
	t.Parallel()
	for _, names := range [][]string{
		{"avmContainerApp_API", "avmContainerAppEnv"},
		{"devcenter_gallery", "devCenter_project"},
		{"hubrg", "hubVNET"},
		{"a", "A", "b", "B"},
		{"_a", "1a", "a"},
		{"a::b", "a1", "ab"},
		{"a", "a_b", "a-b", "a1"},
		{"ab", "aB", "Ab", "AB", "abc"},
		{"./x.bicep_a", "./x/y.bicep_a"},
		{"z", "é"},
	} {
		for i, a := range names {
			for j, b := range names {
				got, want := collate.Compare(a, b), 0
				switch {
				case i < j:
					want = -1
				case i > j:
					want = 1
				}
				assert.Equal(t, want, got, "Compare(%q, %q)", a, b)
			}
		}
	}
}

func TestSortFuncKeepsTheOrderOfEquals(t *testing.T) {
	t.Parallel()
	list := [][2]string{{"b", "1"}, {"a", "2"}, {"b", "3"}, {"A", "4"}, {"a", "5"}}
	collate.SortFunc(list, func(e [2]string) string { return e[0] })
	got := ""
	for _, e := range list {
		got += e[1]
	}
	assert.Equal(t, "25413", got, "order")
	assert.True(t, slices.IsSortedFunc(list, func(a, b [2]string) int { return collate.Compare(a[0], b[0]) }), "not sorted")
}
