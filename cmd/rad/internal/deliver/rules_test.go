package deliver

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNamesForMake(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"a.bicep": "a.bicep", "a b": `a\ b`, `a\b`: `a\b`, `a\ b`: `a\\\ b`, "a#b": `a\#b`, "a$b": "a$$b", "a=b": "a$(rad.equals)b", "x*?[y": `x\*\?\[y`,
	} {
		require.Equal(t, want, makeName(name, false), name)
	}
	require.Equal(t, `a\%b`, makeName("a%b", true))
	require.Equal(t, `a%b`, makeName("a%b", false))
	_, err := (&Rules{outputs: []string{"a"}, inputs: map[string][]string{"a": {"b\nc"}}}).text()
	require.ErrorContains(t, err, "line end")
}
