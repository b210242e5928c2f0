package expand_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/expand"
)

// classic is a source whose template, as it is deployed, does not hold existing resources.
type classic struct{ places }

func (classic) ListsExisting() bool { return false }

// What is wrong with a resource that only the symbolic form holds matters where its ID is used.
func TestExistingResourcesThatAreNotUsed(t *testing.T) {
	t.Parallel()
	const (
		empty  = "'apiVersion': '1', 'type': 'T.S/a', 'name': '[parameters(`n`)]'"
		failed = "resource \"old\": its name is empty"
		id     = "resourceId(`T.S/a`, parameters(`n`))"
	)
	for _, c := range []struct{ old, use, want string }{
		{empty, "", ""},
		{empty, ", 'tags': {'t': '[parameters(`n`)]'}", ""},
		{empty, ", 'tags': {'t': '[if(empty(parameters(`n`)), null(), " + id + ")]'}", ""},
		{empty, ", 'tags': {'t': '[resourceId(`T.S/a`, `other`)]'}", ""},
		{empty, ", 'tags': {'t': '[" + id + "]'}", failed},
		{empty, ", 'tags': {'t': '[format(`{0}/b/c`, " + id + ")]'}", failed},
		{empty, ", 'identity': {'[" + id + "]': {}}", failed},
		{empty, ", 'scope': '[" + id + "]'", failed},
		{empty, ", 'tags': {'t': '[reference(`old`).x]'}", failed},
		{empty, ", 'tags': {'t': '[listKeys(`old`, `1`).x]'}", failed},
		{"'apiVersion': '1', 'type': 'T.S/a', 'name': '[split(parameters(`n`), `/`)[8]]'", "", ""},
		{"'apiVersion': '1', 'type': 'T.S/a', 'name': 'a', 'subscriptionId': '[parameters(`n`)]', 'resourceGroup': 'g'", "", ""},
		{"'copy': {'name': 'l', 'count': 2}, " + empty, "", ""},
	} {
		template := parse(t, "{"+groupSchema+", 'parameters': {'n': {'type': 'string', 'defaultValue': ''}}, 'resources': {'old': {'existing': true, "+
			c.old+"}, "+plainResource("new", c.use)+"}}")
		for _, at := range []expand.Context{inGroup, {}} {
			result, err := expand.Expand(template, expand.Options{Context: at, Tolerant: true, Places: classic{places{"app.bicep"}}})
			require.NoError(t, err)
			var got []string
			for _, d := range result.Diagnostics {
				got = append(got, d.Message)
			}
			require.Equal(t, c.want, strings.Join(got, "; "), "%s %s", c.old, c.use)
		}
		result, err := expand.Expand(template, expand.Options{Tolerant: true})
		require.NoError(t, err)
		require.NotEmpty(t, result.Diagnostics, "this template holds it")
	}
}
