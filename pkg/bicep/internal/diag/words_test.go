package diag_test

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/source"
)

func TestLongListsAreCutShort(t *testing.T) {
	t.Parallel()
	numbers := make([]int, 5000)
	names := make([]string, len(numbers))
	for i := range numbers {
		numbers[i], names[i] = i, strconv.Itoa(i)
	}
	for _, c := range []struct{ got, want string }{
		{diag.Names(nil), ""},
		{diag.Names(names[:2]), "0, 1"},
		{diag.Names(names[:20]), strings.Join(names[:20], ", ")},
		{diag.Names(names[:21]), strings.Join(names[:20], ", ") + " and 1 more"},
		{diag.Chain(numbers[:1], strconv.Itoa), "0"},
		{diag.Chain(numbers[:20], strconv.Itoa), strings.Join(names[:20], " -> ")},
		{diag.Chain(numbers, strconv.Itoa), strings.Join(names[:19], " -> ") + " -> (4980 more) -> 4999"},
	} {
		assert.Equal(t, c.want, c.got)
	}
}

// A type is described by all that it holds, which may be the better part of a program.
func TestMessagesQuoteTheBeginningOfLongTexts(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 5000)
	for _, arg := range []any{long, text(long)} {
		got := diag.BCP057.At(source.Span{}, arg).Message()
		require.LessOrEqual(t, len(got), 1200, "a message of %d bytes: %.80s", len(got), got)
		require.True(t, utf8.ValidString(got), "a message of %d bytes: %.80s", len(got), got)
		require.Contains(t, got, "éé…", "a message of %d bytes", len(got))
	}
}

type text string

func (t text) String() string { return string(t) }
