package snapshot_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/snapshot"
)

// of returns a snapshot of resources, in which ' stands for ".
func of(t *testing.T, resources string) *snapshot.Snapshot {
	t.Helper()
	s, err := snapshot.Parse([]byte(strings.ReplaceAll(`{'predictedResources': [`+resources+`]}`, "'", `"`)))
	require.NoError(t, err)
	return s
}

// hidden returns the differences that are shown. In marked, expressions stand for secrets.
func hidden(t *testing.T, before, now, marked string, values ...string) string {
	t.Helper()
	changes := snapshot.Changes(of(t, before), of(t, now))
	return snapshot.Format(snapshot.NewHider(of(t, now), of(t, marked), values).Hide(changes), false)
}

// What was computed from a secret is hidden as well, wherever it was: in names of members, of
// resources and of those around them.
func TestWhatASecretWasIsHidden(t *testing.T) {
	t.Parallel()
	const (
		now    = `{'id': '/a/NEW/b/child', 'type': 'T/a/b', 'name': 'NEW/child', 'tags': {'NEW.x': 1, 'same': ['NEW.x', 2]}}, {'type': 'E/x@1', 'properties': {'name': 'NEW', 'v': 1}}`
		marked = `{'id': '[f()]', 'type': 'T/a/b', 'name': '[f()]', 'tags': {'[f()]': 1, 'same': ['[f()]', 2]}}, {'type': 'E/x@1', 'properties': {'name': '[f()]', 'v': 1}}`
	)
	for name, before := range map[string]string{
		"resources that are gone":  `{'id': '/a/OLD/b/infant', 'type': 'T/a/b', 'name': 'OLD/infant', 'tags': {'OLD.x': 1, 'OLD.y': 2, 'same': ['OLD.x', 2]}}, {'type': 'E/x@1', 'properties': {'name': 'OLD', 'v': 1}}`,
		"resources that change":    `{'id': '/a/NEW/b/child', 'type': 'T/a/b', 'name': 'NEW/child', 'tags': {'OLD.x': 1, 'same': ['OLD.x', 2]}}, {'type': 'E/x@1', 'properties': {'name': 'NEW', 'v': 2}}`,
		"a resource that is new":   ``,
		"names that hold a secret": `{'id': '/a/x', 'type': 'T/c', 'name': 'x', 'tags': {'of-OLDEST-1': 1, 'of-OLDEST-2': {'x': 2}}}`,
	} {
		text := hidden(t, before, now, marked, "OLDEST")
		require.NotEmpty(t, text, name)
		require.NotContains(t, text, "OLD", name)
		require.NotContains(t, text, "NEW", name)
		require.NotContains(t, text, "infant", name)
	}
}

// Names that are hidden do not hide each other's members.
func TestHiddenNamesAreNumbered(t *testing.T) {
	t.Parallel()
	text := hidden(t, ``, `{'id': '/a/x', 'type': 'T/a', 'name': 'x', 'tags': {'S1': 'one', '(secure)': 'two', 'S2': 'three', 'S3': 'four'}}`,
		`{'id': '/a/x', 'type': 'T/a', 'name': 'x', 'tags': {'(secure)': 'two', '[f()]': ['one', 'three', 'four']}}`)
	for _, want := range []string{
		`tags.(secure 2): "one"`, `tags.(secure):   "two"`, `tags.(secure 3): "three"`, `tags.(secure 4): "four"`,
	} {
		require.Contains(t, text, want)
	}
}

// A file that a stranger wrote steers neither the terminal nor the CI job.
func TestDifferencesSteerNothing(t *testing.T) {
	t.Parallel()
	steers := armjson.Text(armjson.String("\x1b[2J\u202e\n::add-mask::x\n##[error]x"))
	for _, text := range []string{
		hidden(t, ``, `{'id': `+steers+`, 'type': 'T/a', 'name': 'x', 'tags': {`+steers+`: `+steers+`}}`, ``),
		hidden(t, `{'id': 'i', 'type': 'T/a', 'tags': {`+steers+`: 1}}`, `{'id': 'i', 'type': 'T/a', 'tags': {`+steers+`: {`+steers+`: [1]}}}`, ``),
	} {
		require.NotContains(t, text, "\x1b")
		require.NotContains(t, text, "\u202e")
		require.NotContains(t, text, "\n::")
		require.NotContains(t, text, "##[")
	}
}

// Long names, deep values and many lines do not multiply.
func TestDifferencesStayInProportion(t *testing.T) {
	t.Parallel()
	name := "'" + strings.Repeat("k", 100_000) + "'"
	deep := strings.Repeat(`{'nested': `, 200)
	for _, now := range []string{
		`{'id': 'i', 'tags': {` + name + `: 1` + many(2000) + `}}`,
		`{'id': 'i', 'tags': {` + name + `: {'x': 1` + many(2000) + `}}}`,
		`{'id': 'i', 'tags': ` + deep + `{'x': 1` + many(2000) + `}` + strings.Repeat("}", 200) + `}`,
		`{'id': 'i', 'tags': ` + strings.Repeat("[", 200) + `{'x': 1` + many(2000) + `}` + strings.Repeat("]", 200) + `}`,
	} {
		require.Less(t, len(hidden(t, ``, now, ``)), 4_000_000)
		require.Less(t, len(hidden(t, strings.ReplaceAll(now, ": 1", ": 2"), now, ``)), 4_000_000)
	}
}

func many(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(", 'm" + string(armjson.Int(int64(i))) + "': 1")
	}
	return b.String()
}
