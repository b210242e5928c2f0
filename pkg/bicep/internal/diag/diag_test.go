package diag

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Each kind has an entry, and a code of its own.
func TestCatalogue(t *testing.T) {
	t.Parallel()
	require.Equal(t, BCP001, Kind(1))
	codes := map[string]Kind{}
	for k := range Kinds() {
		assert.Zero(t, codes[k.Code()], "%s is in the catalogue twice", k.Code())
		codes[k.Code()] = k
		assert.NotEmpty(t, k.Text(), k.Code())
		assert.NotZero(t, k.Level(), k.Code())
	}
	assert.Equal(t, BCP057, codes["BCP057"])
	assert.Equal(t, BCP455, codes["BCP455"])
	assert.Equal(t, LintUnusedParams, codes["no-unused-params"])
}

// After a change of the catalogue, go generate was run.
func TestTheCatalogueIsGenerated(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("catalogue.txt")
	require.NoError(t, err)
	lines := slices.DeleteFunc(strings.Split(string(text), "\n"), func(l string) bool { return l == "" || l[0] == '#' })
	require.Len(t, lines, 3*(len(catalogue)-1))
	for k := range Kinds() {
		entry := lines[3*(k-1) : 3*k]
		assert.Contains(t, entry[0], k.Code())
		assert.Equal(t, entry[1:], []string{k.Text(), k.Repair()})
	}
}

// A summary is the text of a rule without what only one place can tell.
func TestSummary(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Nothing uses the variable %q. Remove it.":             "Nothing uses the variable …. Remove it.",
		"This %s%s lacks properties: %s. Add them.%s":          "This … lacks properties. Add them.",
		"The value%s is of type %q.%s":                         "The value is of type ….",
		"%s: the tag %q is longer than %d characters.":         "the tag … is longer than … characters.",
		"The value %[2]s of %[1]q is 100%% wrong (%s).":        "The value … of … is 100% wrong.",
		"@%s() is for loops; '%s' and %d (it has: %s) are not": "@…() is for loops; '…' and … (it has: …) are not",
	} {
		assert.Equal(t, want, summary(text))
	}
}

func TestFindingsAreSortedAndDistinct(t *testing.T) {
	t.Parallel()
	rule, lint := BCP060, LintSimplifyInterpolation
	entry, other := source.NewFile("/z.bicep", "abc\ndef"), source.NewFile("/a.bicep", "abc")
	in := func(d Diagnostic, f *source.File) Diagnostic { d.File = f; return d }
	list := List{
		in(rule.At(source.Span{Start: 0, End: 1}), other),
		in(rule.At(source.Span{Start: 5, End: 6}), entry),
		in(rule.At(source.Span{Start: 5, End: 6}), entry),
		in(lint.At(source.Span{Start: 1, End: 2}), entry),
		in(lint.At(source.Span{Start: 1, End: 2}).As(Off), entry),
	}
	var got []string
	for _, f := range Findings("/z.bicep", list) {
		got = append(got, (&report.Printer{}).Header(f))
	}
	want := []string{
		"/z.bicep(1,2) : Warning simplify-interpolation: " + LintSimplifyInterpolation.Text() + " [https://aka.ms/bicep/linter-diagnostics#simplify-interpolation]",
		"/z.bicep(2,2) : Error BCP060: " + BCP060.Text() + " [https://aka.ms/bicep/core-diagnostics#BCP060]",
		"/a.bicep(1,1) : Error BCP060: " + BCP060.Text() + " [https://aka.ms/bicep/core-diagnostics#BCP060]",
	}
	assert.Empty(t, cmp.Diff(want, got))
}

// TestClasses: the class of each argument of each kind is known, so that messages about secrets show
// what they may show and no more.
func TestClasses(t *testing.T) {
	t.Parallel()
	verb := regexp.MustCompile(`%(?:\[(\d)\])?[a-z]`)
	rows := map[Kind]string{}
	for _, row := range classes {
		assert.Regexp(t, `^[nkTtvr]+$`, row.classes)
		for _, k := range row.kinds {
			assert.Empty(t, rows[k], "%s is in two rows of classes", k.Code())
			rows[k] = row.classes
		}
	}
	for k := range Kinds() {
		arguments := 0
		for i, m := range verb.FindAllStringSubmatch(strings.ReplaceAll(k.Text(), "%%", ""), -1) {
			n, err := strconv.Atoi(m[1])
			if err != nil {
				n = i + 1
			}
			arguments = max(arguments, n)
		}
		assert.Len(t, rows[k], arguments, "%s: add the kind to classes, with a letter for each argument of %q", k.Code(), k.Text())
	}
	assert.Equal(t, Found, BCP036.Class(3))
	assert.Equal(t, Value, BCP036.Class(5), "what is not listed may be a value")
	assert.Equal(t, Value, Kind(0).Class(0))
}
