package source_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
		got := f.Position(int32(strings.Index(text, at)))
		assert.True(t, got == want, "%s is at %v, want %v", at, got, want)
	}
	got := f.Position(int32(len(text)))
	assert.True(t, got == (source.Position{Line: 5, Column: 4}), "the end is at %v", got)
	for n, want := range []string{"", "ab", "c", "d", "", "\U0001F600e", ""} {
		assert.Equal(t, want, f.Line(n), "line %d", n)
	}
}

// TestPositionsInALongLine compares columns with a count from the start of the line.
func TestPositionsInALongLine(t *testing.T) {
	t.Parallel()
	line := strings.Repeat("aé€\U0001F600", 2000)
	f := source.NewFile("f", "x\n"+line+"\ny")
	want := 1
	for i, r := range line {
		at := int32(2 + i)
		got := f.Position(at)
		require.True(t, got == (source.Position{Line: 2, Column: want}), "the character at byte %d is at %v, want column %d", i, got, want)
		want++
		if r >= 0x10000 {
			got := f.Position(at + 1)
			require.Equal(t, want, got.Column, "the second half of the character at byte %d has another column", i)
			want++
		}
	}
	got := f.Position(int32(len(f.Text)))
	assert.True(t, got == (source.Position{Line: 3, Column: 2}), "the end is at %v", got)
}
