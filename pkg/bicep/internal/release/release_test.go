package release

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	for asked, want := range map[string]string{
		"":                  "0.49.2",
		"0.49.2":            "0.49.2",
		"=0.40.2":           "0.40.2",
		">=0.45 <0.47":      "0.46.1",
		">=0.45, <0.46":     "0.45.15",
		">= 0.45 , < 0.46":  "0.45.15",
		"<0.42.1":           "0.41.2",
		"<=0.42.1":          "0.42.1",
		">0.43":             "0.49.2",
		">0.44.1 <=0.45.15": "0.45.15",
	} {
		v, err := Parse(asked)
		if assert.NoError(t, err, asked) {
			assert.Equal(t, want, v.String(), asked)
		}
	}
	for _, asked := range []string{"0.46", "0.47.1", "v0.46.1", "^0.46", "~0.46", ">=0.50", "<0.40", ">=", "latest", " ", "0.46.01", "0.46.1.21595", ">=0.46 <0.46", "!=0.46.1", "=>0.46"} {
		_, err := Parse(asked)
		var unknown *UnknownError
		if assert.ErrorAs(t, err, &unknown, asked) {
			assert.Contains(t, err.Error(), "0.49.2, 0.46.1, 0.45.15, 0.44.1, 0.43.8, 0.42.1, 0.41.2, 0.40.2", asked)
		}
	}
}

func TestConstraint(t *testing.T) {
	for text, want := range map[string]string{
		"0.46.1": "0.46.1", "= 0.46.1": "0.46.1", ">=0.45, <0.46": "0.45.15", "< 0.45 , >= 0.44": "0.44.1", ">0.46.1": "0.49.2", "<=0.43.8": "0.43.8",
		"0.46": "", ">=0.50, <0.46": "", "<0.40": "",
	} {
		r, err := ParseConstraint(text)
		require.NoError(t, err, text)
		v, ok := Newest(r)
		assert.Equal(t, want != "", ok, text)
		if ok {
			assert.Equal(t, want, v.String(), text)
		}
	}
	for _, text := range []string{"", " ", "~0.46", "^0.46", "0.46.*", "v0.46.1", "!=0.46.1", "0.46.1.2", "00.46.1", ">=0.40, >=0.46", "<0.40, <0.46",
		"0.46.1, 0.49.2", ">=0.40, 0.46.1", ">=0.40, <0.49, <0.50", ">=0.40 <0.49", ">=0.40 || <0.30", ">=", "0.46,", "=>0.46"} {
		_, err := ParseConstraint(text)
		assert.ErrorContains(t, err, "bicep.version", text)
	}
}

func TestRanges(t *testing.T) {
	of := func(text string) Range {
		r, ok := parseRange(text)
		require.True(t, ok, text)
		return r
	}
	assert.True(t, of(">=0.45").IsIn(of(">=0.40")))
	assert.False(t, of(">=0.40").IsIn(of(">=0.45")))
	assert.True(t, of(">=0.40").IsIn(Range{}))
	assert.False(t, (Range{}).IsIn(of(">=0.40")))
	assert.True(t, of(">0.40 <0.49").IsIn(of(">=0.40 <=0.49")))
	assert.False(t, of(">=0.40 <=0.49").IsIn(of(">0.40 <0.49")))
	assert.True(t, of(">=0.45").And(of("<0.45")).IsEmpty())
	assert.False(t, of(">=0.45").And(of("<=0.45")).IsEmpty())
}

// TestTables compares the tables with themselves: a release or a fact that is added without its row
// would silently be as the first one.
func TestTables(t *testing.T) {
	for v := Default + 1; v < count; v++ {
		require.NotEmpty(t, releases[v].name, "release %d has no row", v)
		assert.True(t, strings.HasPrefix(v.Stamp(), v.String()+"."), "%s: %s", v, v.Stamp())
		if v > Default+1 {
			assert.Positive(t, numberOf(v).compare(numberOf(v-1)), "%s is not after %s", v, v-1)
		}
	}
	for f := range factCount {
		fact := facts[f]
		require.NotEmpty(t, fact.what, "fact %d has no row", f)
		if f == Always || f == Never {
			continue
		}
		assert.NotZero(t, fact.since, fact.what)
		if !strings.HasPrefix(fact.test, "version/") {
			_, err := os.Stat(filepath.FromSlash("../../../../cmd/rad/test/testdata/script/" + fact.test))
			assert.NoError(t, err, "the test of: %s", fact.what)
		}
		for v := Default + 1; v < count; v++ {
			assert.Equal(t, v >= fact.since, v.Has(f), "%s: %s", v, fact.what)
		}
	}
	for f := range factCount {
		assert.Equal(t, f != Never, Default.Has(f), "the newest release: %s", facts[f].what)
	}
}
