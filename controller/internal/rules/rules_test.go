package rules

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/controller/check"
)

func run(t *testing.T, file, typ, body string) (check.Result, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "checks.yaml")
	require.NoError(t, os.WriteFile(path, []byte(file), 0o600))
	registry := check.NewRegistry()
	require.NoError(t, Add(registry, path))
	in := check.Input{Resource: check.Resource{ID: "/r", Type: typ, Exists: body != "", Readable: true, Body: []byte(body)}}
	return registry.Run(t.Context(), in)
}

func one(expr string) string {
	return "- {type: A.B/c, reason: NotReachable, message: it has no address, expr: '" + expr + "'}"
}

func TestExpressions(t *testing.T) {
	t.Parallel()
	const body = `{"id": "/r", "tags": {"team": "a"}, "properties": {"url": "http://x", "port": 80, "on": true, "list": [1, 2], "secret": "s3cret"}}`
	for expr, want := range map[string]string{
		`resource.properties.url != ""`: "", `has(resource.properties.url)`: "", `resource.properties.port == 80 && resource.properties.port < 81`: "",
		`resource.properties.?missing.orValue("x") == "x"`: "", `resource.tags.team == "a"`: "", `resource.properties.on`: "",
		`resource.properties.list.all(x, x > 0)`: "", `resource.properties.url.matches("^https:")`: "NotReachable", `has(resource.properties.missing)`: "NotReachable",
		`resource.properties.missing == ""`: "error: no such key: missing", `resource.properties.secret`: "error: gives string",
		`int(resource.properties.secret) == 1`: "error: its expression fails for this resource", `resource.properties.secret < 1`: "error: no such overload",
		`resource.properties.list.all(a, resource.properties.list.all(b, a.foo == b))`: "error: the check NotReachable could not be made",
	} {
		result, err := run(t, one(expr), "a.b/C", body)
		if text, bad := strings.CutPrefix(want, "error: "); bad {
			require.ErrorContains(t, err, text, expr)
			require.NotContains(t, err.Error(), "s3cret")
			continue
		}
		require.NoError(t, err, expr)
		require.Equal(t, want, result.Reason(), expr)
		if want != "" {
			require.Equal(t, "/r: it has no address", result.Message())
			require.Equal(t, check.Warning, result.Severity())
		}
	}
	// What is missing, and what is not in its end state, is said by the default check.
	result, err := run(t, one("true"), "A.B/c", "")
	require.NoError(t, err)
	require.Equal(t, "ResourceNotReady", result.Reason())
	result, err = run(t, one("true"), "A.B/c", `{"properties": {"provisioningState": "Updating"}}`)
	require.NoError(t, err)
	require.Equal(t, "ResourceNotReady", result.Reason())
	for severity, want := range map[string]check.Severity{"Info": check.Info, "Error": check.Error} {
		result, err := run(t, `[{"type": "*", "expr": "false", "reason": "Wrong", "message": "m", "severity": "`+severity+`"}]`, "X.Y/z", body)
		require.NoError(t, err)
		require.Equal(t, want, result.Severity())
	}
}

// An expression that costs too much, or takes too long, is an error and no verdict.
func TestTheCostOfExpressions(t *testing.T) {
	t.Parallel()
	list := strings.TrimSuffix(strings.Repeat("1,", 2000), ",")
	body := `{"properties": {"list": [` + list + `]}}`
	start := time.Now()
	_, err := run(t, one(`resource.properties.list.all(a, resource.properties.list.all(b, resource.properties.list.all(c, a == b)))`), "A.B/c", body)
	require.ErrorContains(t, err, "cost")
	require.Less(t, time.Since(start), 20*time.Second, "that would be hours")

	list2, err := read([]byte(one(`resource.properties.list.all(a, a == 1)`)))
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	in := check.Input{Resource: check.Resource{ID: "/r", Exists: true, Readable: true, Body: []byte(body)}}
	_, err = list2[0].Check(ctx, in, nil)
	require.ErrorContains(t, err, "interrupted")
}

// A file that is wrong is refused, with the place.
func TestWrongFiles(t *testing.T) {
	t.Parallel()
	const good = `type: A.B/c, reason: Wrong, message: m`
	for file, want := range map[string]string{
		`{}`: "want a list of checks", `- {` + good + `, expr: "true", color: red}`: `unknown field "color"`, `- null`: "check 1: it is empty",
		`- {` + good + `}`: `check 1, of "A.B/c": expr: `, "- {" + good + `, expr: "true"}` + "\n- {" + good + `, expr: "resource.("}`: `check 2, of "A.B/c": expr: ERROR: <input>:1:10`,
		`- {` + good + `, expr: "1 + 1"}`: "it gives int, and not true or false", `- {` + good + `, expr: "other.x == 1"}`: "undeclared reference to 'other'",
		`- {type: c, reason: Wrong, message: m, expr: "true"}`: "type: want the type of a resource", `- {type: A.B/c, reason: not so, message: m, expr: "true"}`: `reason: "not so" is not a word`,
		`- {type: A.B/c, reason: Wrong, expr: "true"}`: "message: it is missing", `- {` + good + `, expr: "true", severity: Fatal}`: `severity: "Fatal" is none of`,
		strings.Repeat(" ", maxFile+1): "larger than",
	} {
		_, err := read([]byte(file))
		require.ErrorContains(t, err, want, file[:min(len(file), 80)])
	}
	require.ErrorContains(t, Add(check.NewRegistry(), filepath.Join(t.TempDir(), "none.yaml")), "none.yaml")
}
