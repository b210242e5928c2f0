package spell_test

import (
	"testing"

	"github.com/radbicep/rad/pkg/bicep/internal/spell"
)

func TestSuggest(t *testing.T) {
	t.Parallel()
	known := spell.Sort([]string{"concat", "contains", "format", "int", "toLower", "ab", "Format"})
	for name, want := range map[string]string{
		"conct": "concat", "CONCAT": "concat", "formt": "format", "toLowr": "toLower", "tolower": "toLower",
		"xyz": "", "in": "", "abc": "", "conacts": "", "": "", "containz": "contains",
	} {
		if got := spell.Suggest(name, known); got != want {
			t.Errorf("for %q: got %q, want %q", name, got, want)
		}
	}
}
