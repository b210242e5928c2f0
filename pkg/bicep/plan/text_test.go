package plan_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/plan"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// compiled returns what a program of files deploys; the entry is /app.bicep.
func compiled(t testing.TB, files source.Memory) *expand.Result {
	t.Helper()
	result, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{FS: files, File: "/app.bicep", Options: bicep.Options{Symbolic: true}})
	require.NoError(t, err)
	template, err := result.TemplateTree()
	require.NoError(t, err, "%v", result.Findings)
	e, err := expand.Expand(template, expand.Options{Tolerant: true, Graphs: true, Places: result.Places})
	require.NoError(t, err)
	return e
}

// What is not known is written as in a Bicep file, on one line.
func TestExpressionsAreWrittenAsBicep(t *testing.T) {
	t.Parallel()
	const before = `param a string
param b string
param n int
param m int
param c bool
param d bool
param list array
param o object
@secure()
param secret string
resource known 'Contoso.Stores/stores@2024-01-01' existing = {
  name: 'known'
}
resource store 'Contoso.Stores/stores@2024-01-01' = {
  name: '${a}-store'
  location: resourceGroup().location
}
resource item 'Contoso.Stores/stores/items@2024-01-01' = {
  parent: store
  name: 'x'
}
resource s 'Contoso.Stores/shops@2024-01-01' = {
  name: 's'
  properties: { v: %s }
}
`
	for written, want := range map[string]string{
		`a`:                                   "",
		`'${a}-x'`:                            "",
		`'it\'s \${a} ${a}$'`:                 "",
		`concat(a, '-', b)`:                   "'${a}-${b}'",
		`format('{0}{{x}}{1}', a, b)`:         "'${a}{x}${b}'",
		`c ? a : b`:                           "",
		`(c ? o : list[0]).x`:                 "",
		`!c`:                                  "",
		`!(c && d)`:                           "!c || !d",
		`(c || d) && n > 3`:                   "",
		`c && d || n == m`:                    "",
		`a != b`:                              "",
		`!(n < m)`:                            "n >= m",
		`(n + m) * 2`:                         "",
		`n - (m - 1)`:                         "",
		`n - m - 1`:                           "",
		`-n`:                                  "",
		`-(n + m) * 2`:                        "",
		`n / m % 2`:                           "",
		`o.?x.y`:                              "",
		`o.?x ?? 'z'`:                         "",
		`o['a b'].c`:                          "",
		`list[n]`:                             "",
		`list[?n]`:                            "",
		`[a, 1, true, null]`:                  "",
		`[{ a: a, 'b c': [n], '${b}-x': 1 }]`: "",
		`union(o, { x: a })`:                  "",
		`map(list, e => e.name)`:              "map(list, x1 => x1.name)",
		`reduce(list, 0, (x, y) => x + y)`:    "reduce(list, 0, (x1, x2) => x1 + x2)",
		`toLower(a)`:                          "",
		`resourceId('Contoso.Stores/stores/items', '${a}-store', 'x')`: "item.id",
		`resourceId('Contoso.Stores/stores/items', a, 'x')`:            "",
		`store.id`:                       "",
		`store.properties.size`:          "",
		`store.location`:                 "",
		`store.listKeys().keys[0].value`: "",
		`known.properties.size`:          "",
		`known.id`:                       "",
		`3 < n`:                          "n > 3",
		`3 <= n`:                         "n >= 3",
		`3 > n`:                          "n < 3",
		`3 >= n`:                         "n <= 3",
		`3 < 4 ? n : m`:                  "n",
		`[[[[[[[[a]]]]]]]]`:              "",
		`toLower(toUpper(trim(trim(trim(trim(trim(trim(a))))))))`: "",
		`[toLower(toUpper(a)), { x: { y: [a] } }, a]`:             "",
		`c ? (d ? a : b) : 'x'`:                                   "c ? d ? a : b : 'x'",
		`(c ? n : m) + 1`:                                         "",
		`c == d`:                                                  "",
		`(c == d) == c`:                                           "c == d == c",
		`(n + 1) % m`:                                             "",
		`n * -1`:                                                  "",
		`a ?? b`:                                                  "",
		`(a ?? b) == 'x'`:                                         "",
		`map(range(0, n), i => i + 1)`:                            "map(range(0, n), x1 => x1 + 1)",
		`list[n + 1]['a-b']`:                                      "",
		`o[a]`:                                                    "",
		`o[?a].b`:                                                 "",
		`{}`:                                                      "",
		`'${a}'`:                                                  "a",
		`contains(o, 'x') && !empty(list)`:                        "",
		`secret`:                                                  "(secure)",
		`'${secret}-x'`:                                           "(secure)",
		`resourceGroup().location`:                                "",
	} {
		if want == "" {
			want = written
		}
		e := compiled(t, source.Memory{"/app.bicep": fmt.Sprintf(before, written)})
		text := strings.Join(lines(t, plan.List(e)), "\n")
		var got []string
		for l := range strings.SplitSeq(text, "\n") {
			if rest, ok := strings.CutPrefix(l, "      properties.v"); ok {
				got = append(got, strings.TrimPrefix(rest, ": "))
			}
		}
		require.Equal(t, want, strings.Join(got, "\n"), "%s\n%s", written, text)
	}
}

const shopBefore = `extension radius
param environment string
param tag string
resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  properties: {
    application: environment
    container: { image: 'acme/web:${tag}' }
  }
}
resource legacy 'Applications.Core/extenders@2023-10-01-preview' = {
  name: 'old'
  properties: { environment: environment, kind: 'x' }
}
resource cache 'Applications.Datastores/redisCaches@2023-10-01-preview' = {
  name: 'cache'
  properties: { environment: environment }
}
`

const shopAfter = `extension radius
param environment string
param tag string
param disks array
resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  properties: {
    application: environment
    container: { image: 'acme/web:${tag}-slim' }
  }
}
resource db 'Applications.Datastores/sqlDatabases@2023-10-01-preview' = {
  name: 'db'
  properties: { environment: environment }
}
resource store 'Applications.Datastores/redisCaches@2023-10-01-preview' = {
  name: 'store'
  properties: { environment: environment }
}
resource disk 'Applications.Core/extenders@2023-10-01-preview' = [for d in disks: {
  name: 'disk-${d}'
  properties: { environment: environment }
}]
output host string = db.properties.server
`

// A line for each resource, which begins with its symbol and ends with its place. What is not known is named once.
func TestShapeOfThePlan(t *testing.T) {
	t.Parallel()
	p := plan.Compare(compiled(t, source.Memory{"/app.bicep": shopBefore}), compiled(t, source.Memory{"/app.bicep": shopAfter}))
	p.Remedy = func(c plan.Cause) string {
		if c.Kind == expand.NoValue {
			return "--parameters"
		}
		return ""
	}
	var b strings.Builder
	style := plan.Style{Base: "a1b2c3d", File: func(path string) string { return strings.TrimPrefix(path, "/") }}
	sections := []plan.Section{{Title: "app.bicep, against a1b2c3d", Plan: p}}
	require.NoError(t, plan.WriteText(&b, sections, style))
	require.Equal(t, `app.bicep, against a1b2c3d
  ~ web               Applications.Core/containers          app.bicep:5
      properties.container.image: 'acme/web:${tag}' -> 'acme/web:${tag}-slim'
  + db                Applications.Datastores/sqlDatabases  app.bicep:12
      name: 'db'
      properties.environment: environment
  -/+ cache -> store  Applications.Datastores/redisCaches (replaced: 'cache' is deleted, 'store' is created)  app.bicep:16
      name: 'cache' -> 'store'
  ? disk[*]           Applications.Core/extenders, one for each of disks, not known  app.bicep:20
      name: 'disk-${disks[i]}'
      properties.environment: environment
  - legacy            Applications.Core/extenders           app.bicep:11 of a1b2c3d
  + output host: db.properties.server
2 to create, 1 to update, 2 to delete (1 replaced), 1 unknown, 1 output changed; unknown: tag, environment, disks (give them with --parameters); db.properties.server (known when deployed)
`, b.String())
	b.Reset()
	style.Details = plan.NoDetails
	require.NoError(t, plan.WriteText(&b, sections, style))
	require.NotContains(t, b.String(), "properties.environment: environment")

	require.Equal(t, "### app.bicep, against a1b2c3d\n\n"+
		"**2 to create, 1 to update, 2 to delete (1 replaced), 1 unknown, 1 output changed**\n\n"+
		"- update `web`, Applications.Core/containers, app.bicep:5\n"+
		"  - `properties.container.image`: `'acme/web:${tag}'` → `'acme/web:${tag}-slim'`\n"+
		"- create `db`, Applications.Datastores/sqlDatabases, app.bicep:12\n"+
		"- replace `cache -> store`, Applications.Datastores/redisCaches (replaced: 'cache' is deleted, 'store' is created), app.bicep:16\n"+
		"  - `name`: `'cache'` → `'store'`\n"+
		"- unknown `disk[*]`, Applications.Core/extenders, one for each of disks, not known, app.bicep:20\n"+
		"- delete `legacy`, Applications.Core/extenders, app.bicep:11 of a1b2c3d\n\n"+
		"Outputs\n\n"+
		"- `host`: added `db.properties.server`\n\n"+
		"Unknown: tag, environment, disks (give them with --parameters); db.properties.server (known when deployed)\n",
		strings.ReplaceAll(plan.Markdown(sections, style, plan.MaxMarkdown), "\\[\\*\\]", "[*]"))
}

// The properties of what is created are listed for few resources, or for all that are asked for.
func TestDetails(t *testing.T) {
	t.Parallel()
	of := func(n int) string {
		var list []string
		for i := range n {
			list = append(list, container(fmt.Sprint("s", i), fmt.Sprint("n", i), "'v': 'a value'"))
		}
		p := plan.List(predict(t, template(t, "", strings.Join(list, ",")), nil))
		var text strings.Builder
		require.NoError(t, p.WriteText(&text, plan.Style{}))
		var all strings.Builder
		require.NoError(t, p.WriteText(&all, plan.Style{Details: plan.AllDetails}))
		require.Equal(t, n, strings.Count(all.String(), "a value"))
		return text.String()
	}
	require.Equal(t, 20, strings.Count(of(20), "a value"))
	require.Zero(t, strings.Count(of(21), "a value"))
	// Of many properties of one resource, the first are listed and the others counted. A long list is one line for
	// each of its elements.
	properties := "'long': [{'name': 'first', 'value': '" + strings.Repeat("x", 100) + "'}, {'name': 'second', 'value': 2}]"
	for i := range 50 {
		properties += fmt.Sprintf(", 'p%d': %[1]d", i)
	}
	text := strings.Join(lines(t, plan.List(predict(t, template(t, "", container("s", "n", properties)), nil))), "\n")
	require.Contains(t, text, "\n      properties.long[name=second].value: 2\n")
	require.Contains(t, text, "\n      properties.p36: 36\n      … and 13 more\n")
	var all strings.Builder
	require.NoError(t, plan.List(predict(t, template(t, "", container("s", "n", properties)), nil)).WriteText(&all, plan.Style{Details: plan.AllDetails}))
	require.Contains(t, all.String(), "\n      properties.p49: 49\n1 resource\n")
}

// Two long values differ at the end: the difference is seen.
func TestDifferencesAreSeen(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("same ", 200)
	of := func(v string) *expand.Result {
		return predict(t, template(t, "", container("s", "n", "'v': '"+v+"'")), nil)
	}
	text := strings.Join(lines(t, plan.Compare(of(long+"one"), of(long+"two"))), "\n")
	require.Contains(t, text, "properties.v: …same same same same one' -> …same same same same two'")
}

// Of many targets, those without changes are counted.
func TestManyTargets(t *testing.T) {
	t.Parallel()
	one, two := container("a", "a", "'v': 1"), container("a", "a", "'v': 2")
	of := func(resources string) *expand.Result { return predict(t, template(t, "", resources), nil) }
	var sections []plan.Section
	for i := range 120 {
		after := one
		if i == 60 {
			after = two
		}
		sections = append(sections, plan.Section{Title: fmt.Sprint("app", i), Plan: plan.Compare(of(one), of(after))})
	}
	var b strings.Builder
	require.NoError(t, plan.WriteText(&b, sections, plan.Style{}))
	require.Equal(t, "app60\n  ~ a  Applications.Core/containers\n      properties.v: 1 -> 2\n1 to update\n\n119 targets unchanged; in all: 1 to update\n", b.String())
	require.Equal(t, "### app60\n\n**1 to update**\n\n- update `a`, Applications.Core/containers\n  - `properties.v`: `1` → `2`\n\n119 targets unchanged; in all: 1 to update\n",
		plan.Markdown(sections, plan.Style{}, plan.MaxMarkdown))
	b.Reset()
	require.NoError(t, plan.WriteText(&b, sections[:2], plan.Style{}))
	require.Equal(t, "2 targets unchanged\n", b.String())
	b.Reset()
	require.NoError(t, plan.WriteText(&b, []plan.Section{sections[60], sections[60]}, plan.Style{}))
	require.Equal(t, "app60\napp60\n  ~ a  Applications.Core/containers\n      properties.v: 1 -> 2\n1 to update\n\nin all: 2 to update\n", b.String())
	require.Equal(t, "### app60, app60\n\n**1 to update**\n\n- update `a`, Applications.Core/containers\n  - `properties.v`: `1` → `2`\n\nin all: 2 to update\n",
		plan.Markdown([]plan.Section{sections[60], sections[60]}, plan.Style{}, plan.MaxMarkdown))
	b.Reset()
	require.NoError(t, plan.WriteText(&b, sections[:1], plan.Style{}))
	require.Equal(t, "app0\nno changes\n", b.String())
}

// Much that is unknown is listed below the last line, so that no line is too long to be read.
func TestManyUnknowns(t *testing.T) {
	t.Parallel()
	parameters, properties := "", ""
	for i := range 40 {
		parameters += fmt.Sprintf("'aParameter%d': {'type': 'string'}, ", i)
		properties += fmt.Sprintf("'p%d': '[parameters(`aParameter%[1]d`)]', ", i)
	}
	for i := range 20 {
		properties += fmt.Sprintf("'q%d': '[reference(`/a/b/something/quite/long/%[1]d`, `1`).and.a.long.property]', ", i)
	}
	text := lines(t, plan.List(predict(t, template(t, parameters+"'z': {'type': 'string'}", container("s", "n", properties+"'z': 1")), nil)))
	require.Equal(t, "1 resource; unknown:", text[len(text)-3])
	require.Regexp(t, `^    aParameter0, aParameter1, .* and 32 more \(without a value\)$`, text[len(text)-2])
	require.Regexp(t, ` and 12 more \(known when deployed\)$`, text[len(text)-1])
	for _, l := range text {
		require.Less(t, len(l), 500)
	}
}

// Of plans that do not fit into a comment, the beginning is shown, and what all of them do.
func TestMarkdownOfManyTargets(t *testing.T) {
	t.Parallel()
	var sections []plan.Section
	for i := range 40 {
		one, two := container("a", "a", "'v': 1"), container("a", "a", "'v': 2")
		for j := range i { // each has more changes than those before
			one, two = one+","+container(fmt.Sprint("a", j), fmt.Sprint("a", j), "'v': 1"), two+","+container(fmt.Sprint("a", j), fmt.Sprint("a", j), "'v': 2")
		}
		before, after := predict(t, template(t, "", one), nil), predict(t, template(t, "", two), nil)
		sections = append(sections, plan.Section{Title: fmt.Sprint("app", i), Plan: plan.Compare(before, after)})
	}
	text := plan.Markdown(sections, plan.Style{}, 600)
	require.LessOrEqual(t, len(text), 600)
	require.True(t, strings.HasPrefix(text, "### app0\n\n**1 to update**\n\n### app1\n"), text)
	require.True(t, strings.HasSuffix(text, "\n… the rest is too long for a comment.\n\nin all: 820 to update\n"), text)
	require.True(t, strings.HasSuffix(plan.Markdown(sections[:1], plan.Style{}, 10), "… the rest is too long for a comment.\n"))
}

// A name without a symbol is written as it is, in Markdown between as many backticks as it needs.
func TestNamesWithBackticks(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"x": "`x`", "a`b": "``a`b``", "`b": "`` `b ``", "a`": "`` a` ``", "a```b": "````a```b````", " a": "`  a `"} {
		tree := armjson.NewObject(armjson.Member{Key: "resources", Value: armjson.Array{armjson.NewObject(armjson.Member{Key: "type", Value: armjson.String("T.S/a")},
			armjson.Member{Key: "apiVersion", Value: armjson.String("1")}, armjson.Member{Key: "name", Value: armjson.String(name)})}})
		text := plan.Markdown([]plan.Section{{Title: "t", Plan: plan.List(predict(t, tree, nil))}}, plan.Style{Details: plan.NoDetails}, plan.MaxMarkdown)
		require.Contains(t, text, "- "+want+", T.S/a\n", name)
	}
}

// A format that is not what Bicep writes stays a call.
func TestFormatsThatAreCalls(t *testing.T) {
	t.Parallel()
	for expr, want := range map[string]string{
		"format(`{0}`, parameters(`p`))": "p", "format(`{1}`, parameters(`p`))": "format('{1}', p)", "format(`{0:N2}`, parameters(`p`))": "format('{0:N2}', p)", "format(`{0`, parameters(`p`))": "format('{0', p)",
		"format(`}`, parameters(`p`))": "format('}', p)", "format(parameters(`p`), 1)": "format(p, 1)", "format(`{-1}`, parameters(`p`))": "format('{-1}', p)", "format(`{{{0}}}`, parameters(`p`))": "'{${p}}'",
	} {
		p := plan.List(predict(t, template(t, "'p': {'type': 'string'}", container("s", "n", "'v': '["+expr+"]'")), nil))
		require.Contains(t, lines(t, p), "      properties.v: "+want, expr)
	}
}
