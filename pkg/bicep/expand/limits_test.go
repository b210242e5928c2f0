package expand_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
	"github.com/radbicep/rad/pkg/internal/cputime"
)

// Values are shared, so a program of a few kilobytes can deploy what takes gigabytes when it
// is compared or printed. The resource that goes too far is named.
func TestWhatIsDeployedIsBounded(t *testing.T) {
	t.Parallel()
	doubled := "'v0': '[reference(`/a/b/c/d`, `1`).x]'"
	for i := range 14 {
		doubled += fmt.Sprintf(", 'v%d': '[concat(variables(`v%d`), variables(`v%[2]d`))]'", i+1, i)
	}
	for name, c := range map[string]struct{ variables, member string }{
		"an expression":           {doubled, "'tags': {'x': '[variables(`v14`)]'}"},
		"an array":                {"'v': '[range(0, 10000)]'", "'tags': {'x': '[variables(`v`)]'}"},
		"an array as an argument": {"'v': '[range(0, 10000)]'", "'tags': {'x': '[variables(`v`)[reference(`/a/b/c/d`, `1`).x]]'}"},
		"a condition":             {doubled, "'condition': '[equals(variables(`v14`), 1)]'"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var resources strings.Builder
			for i := range 4000 {
				fmt.Fprintf(&resources, ", 'r%d': {'type': 'T.S/a', 'apiVersion': '1', 'name': 'n%[1]d', %s}", i, c.member)
			}
			template := parse(t, `{`+groupSchema+`, 'variables': {`+c.variables+`}, 'resources': {`+resources.String()[2:]+`}}`)
			_, err := expand.Expand(template, expand.Options{Context: inGroup, Tolerant: true, Limits: expand.Limits{Text: 16 << 20}})
			require.ErrorContains(t, err, "all that the template deploys takes more than 16 MB when it is written")
			require.True(t, eval.Exhausted(err))
			var e *expand.Error
			require.ErrorAs(t, err, &e)
			require.Regexp(t, `^r\d+$`, e.Name)
		})
	}
}

// With Graphs, an unknown value takes what it takes in memory, and a resource that is too large is listed
// without its properties.
func TestUnknownValuesThatShareParts(t *testing.T) {
	t.Parallel()
	doubled := "'v0': '[reference(`/a/b/c/d`, `1`).x]'"
	for i := range 100 {
		doubled += fmt.Sprintf(", 'v%d': '[concat(variables(`v%d`), variables(`v%[2]d`))]'", i+1, i)
	}
	large := "'" + strings.Repeat("x", 700_000) + "'"
	template := parse(t, `{`+groupSchema+`, 'variables': {`+doubled+`, 'large': `+large+`}, 'resources': {
		'a': {'type': 'T.S/a', 'apiVersion': '1', 'name': '[concat(`+"`a`, variables(`v100`)"+`)]', 'tags': {'x': '[variables(`+"`v100`"+`)]'}},
		'b': {'type': 'T.S/a', 'apiVersion': '1', 'name': 'b', 'tags': {'x': '[createArray(`+"variables(`large`), variables(`large`)"+`)]'}},
		'c': {'type': 'T.S/a', 'apiVersion': '1', 'name': 'c', 'tags': {'x': 1}}}}`)
	_, err := expand.Expand(template, expand.Options{Context: inGroup, Tolerant: true})
	require.ErrorContains(t, err, "too large")
	result, err := expand.Expand(template, expand.Options{Context: inGroup, Tolerant: true, Graphs: true, Limits: expand.Limits{Text: 1 << 20}})
	require.NoError(t, err)
	require.Len(t, result.Resources, 3)
	for i, tooLarge := range []bool{false, true, false} {
		require.Equal(t, tooLarge, result.Resources[i].TooLarge)
		require.Equal(t, tooLarge, result.Resources[i].Body.Len() == 0)
	}
	require.Len(t, result.Diagnostics, 1)
	require.Contains(t, result.Diagnostics[0].Message, "Resource b is left without its properties")
	require.Less(t, len(expand.Text(result.Resources[0].Name)), 100_000)
}

// The expression of a secret is not read, so it may be cut.
func TestASecretThatGrowsIsNotTooLarge(t *testing.T) {
	t.Parallel()
	variables := "'v0': '[parameters(`pw`)]'"
	for i := range 20 {
		variables += fmt.Sprintf(", 'v%d': '[concat(variables(`v%d`), variables(`v%[2]d`))]'", i+1, i)
	}
	template := parse(t, `{`+groupSchema+`, 'parameters': {'pw': {'type': 'securestring'}}, 'variables': {`+variables+`}, 'resources': {
		'a': {'type': 'T.S/a', 'apiVersion': '1', 'name': 'a', 'tags': {'x': '[variables(`+"`v20`"+`)]', 'many': ['[concat(`+strings.Repeat("variables(`v10`), ", 500)+"`x`"+`)]']}}}}`)
	result, err := expand.Expand(template, expand.Options{Context: inGroup, Parameters: map[string]expand.Parameter{"pw": {Value: armjson.String("CANARY")}}})
	require.NoError(t, err)
	tags, _ := result.Resources[0].Body.Get("tags")
	text := armjson.Text(expand.Printable(tags))
	require.NotContains(t, text, "CANARY")
	require.Contains(t, text, "concat('…')")
	require.Less(t, len(text), 100_000)
}

// Two loops of 5,000 have 25 million dependencies on each other.
func TestDependenciesAreBounded(t *testing.T) {
	t.Parallel()
	loop := "{'copy': {'name': 'a', 'count': 5000}, 'type': 'T.S/a', 'apiVersion': '1', 'name': '[format(`%s{0}`, copyIndex())]', 'dependsOn': [%s]}"
	template := parse(t, `{`+groupSchema+`, 'resources': {'a': `+fmt.Sprintf(loop, "a", "")+`, 'b': `+fmt.Sprintf(loop, "b", "'a'")+`}}`)
	result, err := expand.Expand(template, expand.Options{Context: inGroup, Limits: expand.Limits{Copies: 5000}})
	require.NoError(t, err)
	require.True(t, result.Crowded)
	require.Len(t, result.Resources, 10_000)
}

// A message about a module that is deep in others names the last of them.
func TestErrorsNameTheLastModules(t *testing.T) {
	t.Parallel()
	inner := "{" + groupSchema + ", 'resources': {'r': {'type': 'A.B/c', 'apiVersion': '1', 'name': '[int(`a`)]'}}}"
	for i := range 6 {
		inner = fmt.Sprintf("{%s, 'resources': {'m%d': {'type': 'Microsoft.Resources/deployments', 'apiVersion': '1', 'name': 'm', 'properties': {'expressionEvaluationOptions': {'scope': 'inner'}, 'template': %s}}}}", groupSchema, i, inner)
		_, err := expand.Expand(parse(t, inner), expand.Options{Context: inGroup})
		want := map[int]string{0: `of module m0:`, 3: `of module m3/m2/m1/m0:`, 4: `of module …/m2/m1/m0:`, 5: `of module …/m2/m1/m0:`}[i]
		require.ErrorContains(t, err, want)
	}
}

// Files of one run share what is beyond usual use. When it is used up, those that need much fail at once and say why,
// and usual ones do not notice.
func TestFilesOfOneRunShareABudget(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it evaluates until a limit is reached")
	}
	large := parse(t, "{"+groupSchema+", 'resources': {}, 'variables': {'a': '[range(0, 9000)]', 'v': '[map(variables(`a`), lambda(`x`, length(createArray(variables(`a`), variables(`a`)))))]'}}")
	usual := parse(t, "{"+groupSchema+", 'resources': {'r': {'type': 'A.B/c', 'apiVersion': '1', 'name': '[string(length(map(range(0, 1000), lambda(`x`, 1))))]'}}}")
	evaluate := func(run *expand.Run, template *armjson.Object) (string, time.Duration) {
		var err error
		took := cputime.Measure(func() { _, err = expand.Expand(template, expand.Options{Context: inGroup, Run: run}) })
		return fmt.Sprint(err), took
	}
	run := expand.RunOf(expand.WithRun(t.Context()))
	for range 4 {
		message, _ := evaluate(run, large)
		require.Contains(t, message, "the evaluation takes too many steps")
	}
	for range 20 {
		message, took := evaluate(run, large)
		require.Contains(t, message, "the files of this run take too much to evaluate together")
		require.Less(t, took, 5*time.Second)
		message, _ = evaluate(run, usual)
		require.Equal(t, "<nil>", message)
	}
	message, _ := evaluate(expand.RunOf(expand.WithRun(t.Context())), large)
	require.Contains(t, message, "the evaluation takes too many steps", "another run has a budget of its own")
	require.Nil(t, expand.RunOf(t.Context()))
}

// What only expressions name takes no room from what is deployed.
func TestRoomForRounds(t *testing.T) {
	t.Parallel()
	var reads []string
	for i := range 30 {
		reads = append(reads, fmt.Sprintf("'[reference(format(`l[{0}]`, add(parameters(`n`), %d))).x]'", i))
	}
	template := `{` + groupSchema + `, 'parameters': {'n': {'type': 'int'}}, 'resources': {
		'l': {'copy': {'name': 'l', 'count': '[parameters(` + "`n`" + `)]'}, 'type': 'T.S/a', 'apiVersion': '1', 'name': '[format(` + "`l{0}`" + `, copyIndex())]'},
		'r': {'type': 'T.S/a', 'apiVersion': '1', 'name': 'r', 'tags': {'t': [` + strings.Join(reads, ", ") + `]}},
		` + module("m", "", "group", "'resources': {'x': {'type': 'T.S/a', 'apiVersion': '1', 'name': 'x'}}") + `}}`
	result, err := expand.Expand(parse(t, template), expand.Options{Context: inGroup, Limits: expand.Limits{Resources: 10}})
	require.NoError(t, err)
	require.Len(t, result.Resources, 3)
	require.Len(t, result.Named, 30)
}
