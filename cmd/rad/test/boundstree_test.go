package test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/radbicep/rad/cmd/rad/internal/command"
	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

// boundCases are the command lines of the tests of bounds, for each command of the tree and each kind of
// file that it takes. FILE is the file, REPO the repository.
var boundCases = map[string]treeCase{
	"bicep generate-kubernetes-manifest": {lines: boundLines("-o", "-", "--group=g")},
	"bicep build":                        {lines: map[string][]string{"bicep": {"FILE", "--stdout"}}},
	"bicep build-params":                 {lines: map[string][]string{"bicepparam": {"FILE", "--stdout"}}},
	"bicep generate-params":              {lines: map[string][]string{"bicep": {"FILE", "--stdout"}}},
	"bicep format":                       {lines: map[string][]string{"bicep": {"FILE", "--stdout"}, "bicepparam": {"FILE", "--stdout"}}},
	"bicep lint":                         {lines: map[string][]string{"bicep": {"FILE"}, "bicepparam": {"FILE"}}},
	"bicep migrate":                      {lines: map[string][]string{"bicep": {"FILE"}}},
	"bicep restore":                      {lines: map[string][]string{"bicep": {"FILE"}, "bicepparam": {"FILE"}}},
	"bicep outdated":                     {lines: map[string][]string{"bicep": {"FILE"}, "bicepparam": {"FILE"}}},
	"bicep snapshot":                     {lines: map[string][]string{"bicepparam": {"FILE"}}},
	"bicep plan":                         {lines: boundLines()},
	"bicep graph":                        {lines: boundLines()},
	"bicep affected":                     {lines: boundLines("--deps", "REPO/deps.mk")},
	"bicep bundle":                       {lines: withTar(boundLines("-o", "REPO/out.tar"), "FILE", "-o", "REPO/out.tar")},
	"bicep publish":                      {lines: map[string][]string{"bicep": {"FILE", "--target=br:127.0.0.1:1/a:v1"}, "json": {"FILE", "--target=br:127.0.0.1:1/a:v1"}}},
	"bicep publish-extension":            {lines: map[string][]string{"json": {"FILE", "--target=REPO/o.tgz"}, "yaml": {"-f", "FILE", "--target=REPO/o.tgz"}, "yml": {"-f", "FILE", "--target=REPO/o.tgz"}}},
	"bicep inspect":                      {lines: map[string][]string{"tar": {"FILE"}}},
	"bicep verify":                       {lines: map[string][]string{"tar": {"FILE"}, "bicep": {"REPO/out.tar", "FILE"}, "json": {"REPO/out.tar", "FILE"}}},

	"bicep types import az":     {why: "it reads what the user names"},
	"bicep types import radius": {why: "it reads what the user names"},
	"bicep fn":                  {why: "its template is read as that of generate-kubernetes-manifest"},
	"bicep argocd discover":     {why: "it prints names of files"},
	"bicep argocd generate":     {why: "its template is read as that of generate-kubernetes-manifest"},
	"bicep argocd parameters":   {why: "its template is read as that of generate-kubernetes-manifest"},
	"bicep jsonrpc":             {why: "TestJSONRPC asks it for a file outside"},
	"bicep init":                {why: "TestOutputsDoNotEscape is about what it writes"},
	"bicep cache list":          {why: "TestCacheCommandsStayInTheRoot"},
	"bicep cache clean":         {why: "TestCacheCommandsStayInTheRoot"},
	"bicep cache path":          {why: "TestCacheCommandsStayInTheRoot"},
	"bicep link":                {why: "it makes a link to this program"},
	"bicep explain":             {why: "it prints texts of ours"},
	"bicep schema":              {why: "it prints texts of ours"},
	"bicep version":             {why: "it prints versions"},
	"version":                   {why: "it prints versions"},
}

// boundLines are the command lines of a command that takes any program.
func boundLines(more ...string) map[string][]string {
	lines := map[string][]string{}
	for _, kind := range []string{"bicep", "bicepparam", "json"} {
		lines[kind] = append([]string{"FILE"}, more...)
	}
	return lines
}

func withTar(lines map[string][]string, line ...string) map[string][]string {
	lines["tar"] = line
	return lines
}

// boundGaps returns what the tests of bounds lack.
func boundGaps(root *cobra.Command) []string {
	return gaps(root, boundCases, append([]string{"fix", "color", "secure-parameters"}, sameSecrets...))
}

// TestBoundsAreOfAllCommands: what is added to the tree of commands, or a kind of file, has a case in the
// tests of bounds.
func TestBoundsAreOfAllCommands(t *testing.T) {
	requireGapsAreFound(t, boundGaps)
	require.Greater(t, len(linesOf(command.Tree(), boundCases)), 200)
}

// TestEntriesDoNotEscape: a file that a command gets by its name is not read through a link of the
// repository that leads out, whichever command, kind of file, format and target it is.
func TestEntriesDoNotEscape(t *testing.T) {
	setUserless(t)
	t.Setenv("BICEP_TRUSTED_REGISTRIES", "127.0.0.1:1")
	w := newEscapeWorld(t)
	for name, text := range map[string]string{"outside/x.tar": bait, "outside/x.yml": "c: " + bait + "\n", "repo/out.tar": "none"} {
		w.write(name, text)
	}
	links := map[string][]string{}
	for _, kind := range []string{"bicep", "bicepparam", "json", "tar", "yaml", "yml"} {
		outside := "x." + kind
		if kind == "json" {
			outside = "t.json"
		}
		w.link("../outside/"+outside, "l."+kind)
		w.link(filepath.Join(w.outside, outside), "a."+kind)
		w.link("../../outside", "d-"+kind+"/in")
		links[kind] = []string{"l." + kind, "a." + kind, "d-" + kind + "/in/" + outside}
	}
	before := w.files(w.outside)
	for i, l := range allBoundLines() {
		if (testing.Short() || raceEnabled) && i%5 != 0 {
			continue
		}
		for _, file := range links[l.kind] {
			t.Chdir(w.repo)
			args := w.args(l.args, file)
			status, out := w.rad(args...)
			if l.args[0] != "affected" { // which lists what a change of the file affects, and compiles nothing
				require.NotZero(t, status, "%q was accepted\n%s", args, out)
			}
			require.NotContains(t, out, bait, args)
			require.Empty(t, w.holdsNoCanary(before), args)
		}
	}
}

// boundLine is a command line without the program's name, and the kind of file that it is for.
type boundLine struct {
	kind string
	args []string
}

// allBoundLines are those of boundCases, with each value of the flags that are varied.
func allBoundLines() (list []boundLine) {
	for path, c := range boundCases {
		for kind, line := range c.lines {
			one := map[string]treeCase{path: {lines: map[string][]string{kind: line}}}
			for _, args := range linesOf(command.Tree(), one) {
				list = append(list, boundLine{kind, args[1:]})
			}
		}
	}
	slices.SortFunc(list, func(a, b boundLine) int { return strings.Compare(strings.Join(a.args, " "), strings.Join(b.args, " ")) })
	return list
}

// compilingLines are the command lines that compile a template, without variations.
func compilingLines() (list [][]string) {
	for _, l := range leaves(command.Tree()) {
		line, ok := boundCases[l.path].lines["bicep"]
		if ok && !slices.Contains([]string{"format", "outdated", "restore", "verify"}, l.Name()) {
			list = append(list, append(strings.Fields(l.path)[1:], line...))
		}
	}
	return list
}
