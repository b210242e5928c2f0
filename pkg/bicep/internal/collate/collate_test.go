package collate_test

import (
	"bytes"
	"slices"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	textcollate "golang.org/x/text/collate"
	"golang.org/x/text/language"

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
		{"e", "é", "f", "z", "日"},
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

// TestAgainstTables holds the derived weights against the tables of golang.org/x/text: all pairs of characters
// that are near each other there.
func TestAgainstTables(t *testing.T) {
	t.Parallel()
	official := textcollate.New(language.Und)
	var buffer textcollate.Buffer
	type key struct {
		text string
		key  []byte
	}
	var list []key
	add := func(text string) {
		list = append(list, key{text, slices.Clone(official.KeyFromString(&buffer, text))})
		buffer.Reset()
	}
	for r := rune(' '); r < 0x2100; r++ {
		inUse := r < 0x180 || unicode.In(r, unicode.Greek, unicode.Cyrillic) && r < 0x460 && r > 0x385 || r >= 0x2010 && r <= 0x2027 || r >= 0x20A0 && r <= 0x20AF
		if inUse && !unicode.In(r, unicode.Cc, unicode.Cf) && unicode.IsGraphic(r) && !unicode.Is(unicode.No, r) {
			add(string(r))
		}
	}
	for _, text := range []string{"resume", "résumé", "Résumé", "resumes", "re\u0301sume\u0301", "a\u0323\u0302", "a\u0302\u0323", "co-op", "coop", "fi", "ﬁ", "日", "😀", "1", "10", "٣", "か", "カ", "\ue000"} {
		add(text)
	}
	slices.SortStableFunc(list, func(a, b key) int { return bytes.Compare(a.key, b.key) })
	wrong := 0
	for i := range list {
		for j := i + 1; j < len(list); j++ {
			want := bytes.Compare(list[i].key, list[j].key)
			if got := collate.Compare(list[i].text, list[j].text); got != want {
				wrong++
				if wrong < 20 {
					t.Logf("Compare(%q, %q) is %d, should be %d", list[i].text, list[j].text, got, want)
				}
			}
		}
	}
	pairs := len(list) * (len(list) - 1) / 2
	t.Logf("%d of %d pairs are wrong", wrong, pairs)
	assert.Less(t, wrong*100, pairs, "pairs in another order than in the tables: those of archaic letters and rare signs may be")
}

func TestSearch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		s, x           string
		prefix, suffix bool
		first, last    int
	}{
		{"ﬁx", "fi", true, false, 0, 0},
		{"Café", "CAFE\u0301", true, true, 0, 0},
		{"Café", "cafe", false, false, -1, -1},
		{"e\u0301x", "\x00", true, true, 0, 4},
		{"o\x00x", "ox", true, true, 0, 0},
		{"straße", "STRASSE", false, false, -1, -1},
		{"aXbxc", "x", false, false, 1, 3},
		{"abab", "AB", true, true, 0, 2},
		{"aab", "ab", false, true, 1, 1},
		{"ﬁ", "i", false, true, -1, -1},
		{"👩\u200d👧", "👩👧", true, true, 0, 0},
		{"", "", true, true, 0, 0},
		{"", "a", false, false, -1, -1},
	} {
		assert.Equal(t, c.prefix, collate.HasPrefix(c.s, c.x), "HasPrefix(%q, %q)", c.s, c.x)
		assert.Equal(t, c.suffix, collate.HasSuffix(c.s, c.x), "HasSuffix(%q, %q)", c.s, c.x)
		assert.Equal(t, c.first, collate.Index(c.s, c.x, false), "Index(%q, %q)", c.s, c.x)
		assert.Equal(t, c.last, collate.Index(c.s, c.x, true), "the last Index(%q, %q)", c.s, c.x)
	}
}
