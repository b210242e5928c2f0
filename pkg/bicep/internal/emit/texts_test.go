package emit

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A module can be in an object of which members are removed, since other members have their keys: those behind
// it move to the left, and so do the places that are noted.
func TestPartsMoveWithWhatIsCut(t *testing.T) {
	t.Parallel()
	p := &printer{}
	part := func(text string) {
		p.parts = append(p.parts, part{start: len(p.buf), end: len(p.buf) + len(text)})
		p.buf = append(p.buf, text...)
	}
	p.object()
	p.key("before")
	part(`"kept1"`)
	p.key("o")
	p.object()
	p.key("a")
	part(`"gone"`)
	p.key("b")
	part(`"kept2"`)
	p.key("a")
	part(`"kept3"`)
	p.end()
	p.end()
	var is []string
	for _, x := range p.parts {
		is = append(is, string(p.buf[x.start:x.end]))
	}
	require.Equal(t, []string{`"kept1"`, `"kept2"`, `"kept3"`}, is)
	require.JSONEq(t, `{"before": "kept1", "o": {"b": "kept2", "a": "kept3"}}`, string(p.buf))
}
