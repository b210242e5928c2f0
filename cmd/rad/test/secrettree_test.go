package test

import (
	"slices"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/cmd/rad/internal/command"
	"github.com/radbicep/rad/pkg/generate"
)

// secretCases are the command lines of TestSecretRoutes for each command of the tree. What they write
// for the user is in the folder made. They read the program of the test, or a part of it.
var secretCases = map[string]treeCase{
	"bicep generate-kubernetes-manifest": {lines: map[string][]string{
		"bicep":      {"main.bicep", "-p", "@p.bicepparam", "-o", "made/out.yaml", "--group=g", "--explain-parameters"},
		"bicepparam": {"p.bicepparam", "-o", "made/out.yaml", "--group=g", "--explain-parameters"},
		"json":       {"main.json", "-p", "@p.bicepparam", "-o", "made/out.yaml", "--group=g", "--explain-parameters"},
	}},
	"bicep build":           {lines: map[string][]string{"bicep": {"main.bicep", "--outfile", "made/main.json", "--deps", "made/deps.mk"}, "releases": {"--compare-versions", "0.40.2", "0.49.2", "main.bicep", "p.bicepparam"}}},
	"bicep build-params":    {lines: map[string][]string{"bicepparam": {"p.bicepparam", "--outfile", compiled, "--deps", "made/deps.mk"}}},
	"bicep format":          {lines: map[string][]string{"bicep": {"main.bicep", "--outfile", "made/f"}, "bicepparam": {"p.bicepparam", "--outfile", compiled}}},
	"bicep generate-params": {lines: map[string][]string{"bicep": {"main.bicep", "--outfile", "made/g"}}},
	"bicep migrate":         {lines: map[string][]string{"bicep": {"main.bicep"}}},
	"bicep lint":            {lines: map[string][]string{"bicep": {"main.bicep"}, "bicepparam": {"p.bicepparam"}}},
	"bicep restore":         {lines: map[string][]string{"bicep": {"main.bicep"}, "bicepparam": {"p.bicepparam"}}},
	"bicep outdated":        {lines: map[string][]string{"bicep": {"main.bicep"}, "bicepparam": {"p.bicepparam"}}},
	"bicep snapshot":        {lines: map[string][]string{"bicepparam": {"p.bicepparam"}}},
	"bicep publish":         {lines: map[string][]string{"bicep": {"main.bicep", "--target=br:127.0.0.1:1/a:v1"}, "json": {"main.json", "--target=br:127.0.0.1:1/a:v1"}}},
	"bicep plan":            {lines: shows("--against", "old.yaml")},
	"bicep graph":           {lines: shows()},
	"bicep affected":        {lines: shows("--deps", "made/deps.mk")},
	"bicep bundle": {lines: map[string][]string{
		"bicep":      {"main.bicep", "-p", "@p.bicepparam", "-o", "made/out.tar"},
		"bicepparam": {"p.bicepparam", "-o", "made/out.tar"},
		"json":       {"main.json", "-p", "@p.bicepparam", "-o", "made/out.tar"},
		"tar":        {"out.tar", "-o", "made/out.tar"},
	}},
	"bicep inspect":           {lines: map[string][]string{"tar": {"out.tar"}}},
	"bicep verify":            {lines: map[string][]string{"tar": {"out.tar", "p.bicepparam"}, "bicep": {"out.tar", "main.bicep"}, "json": {"out.tar", "main.json"}}},
	"bicep fn":                {lines: map[string][]string{"": {}}},
	"bicep argocd discover":   {lines: map[string][]string{"": {}}},
	"bicep argocd generate":   {lines: map[string][]string{"": {}}},
	"bicep argocd parameters": {lines: map[string][]string{"": {}}},
	"bicep init":              {lines: map[string][]string{"": {"--dry-run"}}},

	"bicep jsonrpc":             {why: "it answers what build-params and snapshot print"},
	"bicep publish-extension":   {why: "it packs types, and reads no program"},
	"bicep types import az":     {why: "it converts Azure's types, and reads no program"},
	"bicep types import radius": {why: "it packs types, and reads no program"},
	"bicep cache list":          {why: "it lists artifacts, and reads no program"},
	"bicep cache clean":         {why: "it removes artifacts, and reads no program"},
	"bicep cache path":          {why: "it prints the path of a folder"},
	"bicep link":                {why: "it makes a link to this program"},
	"bicep explain":             {why: "it prints texts of ours"},
	"bicep schema":              {why: "it prints texts of ours"},
	"bicep version":             {why: "it prints versions"},
	"version":                   {why: "it prints versions"},
}

// shows are the command lines of a command that shows a program.
func shows(more ...string) map[string][]string {
	return map[string][]string{
		"bicep":      append([]string{"main.bicep", "-p", "@p.bicepparam"}, more...),
		"bicepparam": append([]string{"p.bicepparam"}, more...),
		"json":       append([]string{"main.json", "-p", "@p.bicepparam"}, more...),
	}
}

// compiled is what holds the values of a parameter file, since it is that file in another form.
const compiled = "made/compiled"

// What the commands of protocols read: a program of fn in stdin, and one of Argo CD in the environment.
const (
	secretList = "{kind: ResourceList, functionConfig: {kind: BicepManifest, metadata: {name: n}, spec: {template: p.bicepparam}}, items: []}"
	secretArgo = `[{"name": "template", "string": "p.bicepparam"}]`
)

// sameSecrets are flags whose choices do not change what is shown of values.
var sameSecrets = []string{"base", "builtin-types", "compiler", "generator-metadata", "reconcile-policy", "existing", "cloud", "include-params", "indent-kind", "newline-kind", "compare-versions"}

// secretGaps returns what TestSecretRoutes lacks.
func secretGaps(root *cobra.Command) []string {
	list := gaps(root, secretCases, sameSecrets)
	for _, target := range targetNames(root) {
		if len(targetPrograms[target]) == 0 {
			list = append(list, "the target "+target+" has no program in targetPrograms")
		}
	}
	return list
}

// targetPrograms are the programs that are made into a target: those whose values are written, and those
// that are refused.
var targetPrograms = map[string][]string{
	"design": {"main"}, "radius": {"main"}, "aso": {"aso", "asobad", "asofails"}, "crossplane": {"cross", "crossbad"}, "kubernetes": {"kube", "kubebad", "shop", "shopbad"},
}

// TestSecretRoutesAreOfAllCommands: what is added to the tree of commands, a format, a target or a kind
// of file has a case in TestSecretRoutes.
func TestSecretRoutesAreOfAllCommands(t *testing.T) {
	requireGapsAreFound(t, secretGaps)

	root := command.Tree()
	lint, _, err := root.Find([]string{"bicep", "lint"})
	require.NoError(t, err)
	lint.Flags().String("dummy", "", "")
	require.NoError(t, lint.RegisterFlagCompletionFunc("dummy", cobra.FixedCompletions([]string{"a", "b"}, cobra.ShellCompDirectiveNoFileComp)))
	require.Equal(t, []string{`the flag --dummy of "bicep lint" has choices, and is neither in varied nor said to make no difference`}, secretGaps(root))

	lines := linesOf(command.Tree(), secretCases)
	require.Greater(t, len(lines), 200)
	for _, line := range [][]string{
		{"bicep", "plan", "p.bicepparam", "--against", "old.yaml", "--format=markdown"},
		{"bicep", "lint", "p.bicepparam", "--diagnostics-format=sarif"},
		{"bicep", "fn", "--target=crossplane"},
	} {
		require.True(t, slices.ContainsFunc(lines, func(l []string) bool { return slices.Equal(l, line) }), line)
	}

	before := generate.Kinds
	t.Cleanup(func() { generate.Kinds = before })
	generate.Kinds = append(slices.Clip(before), &generate.Kind{Name: "dummy"})
	require.Equal(t, []string{"the target dummy has no program in targetPrograms"}, secretGaps(command.Tree()))
}
