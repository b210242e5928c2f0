package plan_test

import (
	"strings"
	"testing"

	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/plan"

	"github.com/stretchr/testify/require"
)

// Resources whose names are not known: which is which, and what happens to it.
func TestUnknownNames(t *testing.T) {
	t.Parallel()
	of := func(resources string) *expand.Result {
		return predict(t, template(t, "'a': {'type': 'string'}, 'b': {'type': 'string'}, 'c': {'type': 'bool'}", resources), nil)
	}
	loop := strings.Replace(container("s", "[format(`s-{0}`, copyIndex())]", "'v': 1"), "{'import'", "{'copy': {'name': 's', 'count': '[length(parameters(`a`))]'}, 'import'", 1)
	conditional := func(condition, resource string) string {
		return strings.Replace(resource, "{'import'", "{'condition': '"+condition+"', 'import'", 1)
	}
	for name, c := range map[string]struct {
		before, after string
		want          string // summary
		contains      string
	}{
		"one text": {
			container("s", "[concat(parameters(`a`), `-x`)]", "'v': 1"), container("s", "[format(`{0}-{1}`, parameters(`a`), `x`)]", "'v': 1"), "no changes", ""},
		"another symbol": {
			container("s", "[concat(parameters(`a`), `-x`)]", "'v': 1"), container("t", "[format(`{0}-x`, parameters(`a`))]", "'v': 1"), "no changes", ""},
		"letters of another case": {
			container("s", "[concat(parameters(`a`), `-X`)]", "'v': 1"), container("t", "[toLower(format(`{0}-x`, parameters(`a`)))]", "'v': 1"), "no changes", ""},
		"a condition around the name": {
			container("s", "[if(parameters(`c`), `a-x`, `b-x`)]", "'v': 1"), container("t", "[concat(if(not(parameters(`c`)), `b`, `a`), `-x`)]", "'v': 1"), "no changes", ""},
		"a condition around the name, and another body": {
			container("s", "[if(parameters(`c`), `a-x`, `b-x`)]", "'v': 1"), container("t", "[concat(if(not(parameters(`c`)), `b`, `a`), `-x`)]", "'v': 2"), "1 to update", "properties.v: 1 -> 2"},
		"another known part": {
			container("s", "[concat(parameters(`a`), `-x`)]", "'v': 1"), container("s", "[concat(parameters(`a`), `-y`)]", "'v': 1"), "1 to create, 1 to delete (1 replaced)", "name: '${a}-x' -> '${a}-y'"},
		"another parameter": {
			container("s", "[concat(parameters(`a`), `-x`)]", "'v': 1"), container("t", "[concat(parameters(`b`), `-x`)]", "'v': 2"), "1 unknown", "name: "},
		"a value for the parameter": {
			container("s", "[parameters(`a`)]", "'v': 1"), container("t", "known", "'v': 1"), "1 unknown", "name: "},
		"one of two, by its symbol": {
			container("s", "[parameters(`a`)]", "'v': 1") + "," + container("t", "known", "'v': 1"), container("s", "[parameters(`b`)]", "'v': 2") + "," + container("t", "known", "'v': 1"),
			"1 unknown", "name: "},
		"two symbols, of which one may be the other": {
			container("s", "p2.bus", "'v': 1") + "," + container("t", "[concat(`p2`, parameters(`a`))]", "'v': 2"),
			container("s", "p.bus", "'v': 1") + "," + container("t", "[concat(`p`, parameters(`a`))]", "'v': 2"), "2 unknown", "name: 'p2.bus' -> 'p.bus'"},
		"two symbols, of which one may be the other, with other bodies": {
			container("s", "p2.bus", "'v': 1") + "," + container("t", "[concat(`p2`, parameters(`a`))]", "'v': 2"),
			container("s", "p.bus", "'v': 2") + "," + container("t", "[concat(`p`, parameters(`a`))]", "'v': 1"), "2 unknown", "name: 'p2${a}' -> 'p${a}'"},
		"a loop that becomes two resources": {
			loop, container("s", "s-0", "'v': 1") + "," + container("t", "s-1", "'v': 1"), "2 unknown", "unless it is s[*]"},
		"a resource beside a loop": {
			loop, loop + "," + container("t", "s-1", "'v': 1"), "1 to create", ""},
		"two that change places": {
			container("s", "[concat(parameters(`a`), `-1`)]", "'v': 1") + "," + container("t", "[concat(parameters(`a`), `-2`)]", "'v': 2"),
			container("s", "[concat(parameters(`a`), `-2`)]", "'v': 2") + "," + container("t", "[concat(parameters(`a`), `-1`)]", "'v': 1"), "no changes", ""},
		"new beside one that stays": {
			container("s", "[parameters(`a`)]", "'v': 1"), container("s", "[parameters(`a`)]", "'v': 1") + "," + container("t", "[parameters(`b`)]", "'v': 1"), "1 to create", ""},
		"one of two, by its condition": {
			conditional("[parameters(`c`)]", container("s", "n", "'v': 1")) + "," + conditional("[not(parameters(`c`))]", container("t", "n", "'v': 1")),
			conditional("[not(parameters(`c`))]", container("s", "n", "'v': 1")) + "," + conditional("[not(not(parameters(`c`)))]", container("t", "n", "'v': 1")), "no changes", ""},
		"one condition": {
			conditional("[parameters(`c`)]", container("s", "n", "'v': 1")), conditional("[and(true(), not(not(equals(parameters(`c`), true()))))]", container("s", "n", "'v': 1")), "no changes", ""},
		"a condition that is always true": {
			container("s", "n", "'v': 1"), conditional("[or(parameters(`c`), not(parameters(`c`)))]", container("s", "n", "'v': 1")), "no changes", ""},
		"a property that is different in any case": {
			container("s", "n", "'v': '[concat(`web:`, parameters(`a`))]'"), container("s", "n", "'v': '[concat(`web:`, parameters(`a`), `-slim`)]'"), "1 to update", "properties.v: 'web:${a}' -> 'web:${a}-slim'"},
		"a property that may be different": {
			container("s", "n", "'v': '[concat(`web:`, parameters(`a`))]'"), container("s", "n", "'v': '[concat(`web:`, parameters(`b`))]'"), "1 unknown", "? properties.v"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := plan.Compare(of(c.before), of(c.after))
			text := strings.Join(lines(t, p), "\n")
			require.Equal(t, c.want, p.Summary(), text)
			require.Contains(t, text, c.contains)
			back := plan.Compare(of(c.after), of(c.before))
			require.Equal(t, p.Count(plan.Create), back.Count(plan.Delete), "and back")
			require.Equal(t, p.Count(plan.Unknown)+p.Count(plan.Update), back.Count(plan.Unknown)+back.Count(plan.Update), "and back")
		})
	}
}
