package manifest

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/internal/cputime"
)

// TestLaidOut: a text that is said to be laid out is not changed by the code that lays out.
func TestLaidOut(t *testing.T) {
	t.Parallel()
	pieces := []string{"{", "}", "\n", "  ", " ", "\"a\"", ": ", ",", "\"x/y\"", "\"\\\"/\"", "\"\\\\\"", "1", "// c", "/* \" */", "\t", "\r\n", "[]", "\"a b \"", "/"}
	r := rand.New(rand.NewPCG(1, 2))
	same, other := 0, 0
	for range 200_000 {
		var text []byte
		for range 1 + r.IntN(8) {
			text = append(text, pieces[r.IntN(len(pieces))]...)
		}
		out, ok := rewrite(text, false)
		is := isLaidOut(text)
		if is {
			same++
			require.True(t, ok, "%q", text)
			require.Equal(t, string(out), string(text))
		} else if ok && string(out) == string(text) {
			other++
		}
	}
	require.Greater(t, same, 1000)
	require.Less(t, other, same/10, "many texts are laid out and not seen to be")
}

// TestLaidOutLongLine: each part of a line is looked at once. Looking at the line again for
// each slash takes a minute.
func TestLaidOutLongLine(t *testing.T) {
	t.Parallel()
	text := []byte(`["` + strings.Repeat("http://a/ ", 100_000) + `"]`)
	require.Less(t, cputime.Measure(func() { require.True(t, isLaidOut(text)) }), 5*time.Second)
}
