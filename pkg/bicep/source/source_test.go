package source_test

import (
	"strings"
	"testing"

	"github.com/radbicep/rad/pkg/bicep/source"
)

// TestPositions: lines end in any of the three ways, and columns count UTF-16 units.
func TestPositions(t *testing.T) {
	t.Parallel()
	const text = "ab\r\nc\rd\n\n\U0001F600e"
	f := source.NewFile("f", "\ufeff"+text)
	for at, want := range map[string]source.Position{
		"a": {Line: 1, Column: 1}, "b": {Line: 1, Column: 2}, "c": {Line: 2, Column: 1}, "d": {Line: 3, Column: 1}, "e": {Line: 5, Column: 3},
	} {
		if got := f.Position(int32(strings.Index(text, at))); got != want {
			t.Errorf("%s stands at %v, want %v", at, got, want)
		}
	}
	if got := f.Position(int32(len(text))); got != (source.Position{Line: 5, Column: 4}) {
		t.Errorf("the end is at %v", got)
	}
	for n, want := range []string{"", "ab", "c", "d", "", "\U0001F600e", ""} {
		if got := f.Line(n); got != want {
			t.Errorf("line %d is %q, want %q", n, got, want)
		}
	}
}
