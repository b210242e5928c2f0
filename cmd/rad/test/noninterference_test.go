package test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/cmd/rad/internal/command"
)

// decisions is a template in which values decide what there is, how often, where, and whether something fails.
// The values are those of the parameters, and what a module makes of them.
const decisions = secretParameters + `var letters = [for i in range(0, length(text)): substring(text, i, 1)]
func shout(s string) string => endsWith(s, 'z') ? toUpper(s) : fail('no ${s}')
resource one 'Contoso.Stores/stores@2024-01-01' = if (contains(text, 'a')) {
  name: 'one-${substring(text, 0, 1)}'
  location: { a: 'x', '${text}': 'y' }[text]
  properties: { fails: int(text), choice: choice, sum: 10 / count, json: json(text).a, parts: split(text, 'n')[1], all: shout(text) }
}
resource each 'Contoso.Stores/stores@2024-01-01' = [for (l, i) in letters: {
  name: 'each-${i}'
  properties: { letter: l, sorted: sort(list, (a, b) => a < b), kept: filter(list, x => x > 'b') }
}]
resource listed 'Contoso.Stores/stores@2024-01-01' = [for l in list: if (l != '17') {
  name: l
}]
resource secured 'Contoso.Stores/stores@2024-01-01' = if (startsWith(password, 'C') || pin.?a == 1) {
  name: 'secured'
  properties: { length: length(password), pins: map(items(pin), i => i.key), fails: whole.a, host: empty(config.password) ? config.host : 'x' }
}
resource many 'Contoso.Stores/stores@2024-01-01' = [for i in range(0, length(password)): {
  name: 'many-${i}'
}]
resource there 'Contoso.Stores/stores@2024-01-01' existing = {
  name: 'there-${text}'
}
resource child 'Contoso.Stores/stores/boxes@2024-01-01' = if (bool(text)) {
  parent: there
  name: text
  properties: { key: there.listKeys().key, is: there.properties[text] }
}
module told 'told.bicep' = if (length(text) > 5) {
  name: 'told-${text}'
  scope: resourceGroup('group-${text}')
  params: { text: text, password: password, choice: text }
}
module plain 'told.bicep' = [for l in list: {
  name: 'plain-${l}'
  params: { text: l, password: 'x${password}', choice: choice }
}]
output yes bool = contains(text, '7')
output first string = letters[0]
output made string = told.outputs.made
output long string = length(password) > 5 ? 'long' : 'short'
`

const told = `@minLength(3)
param text string
@secure()
@maxLength(8)
param password string
@allowed(['a', 'b'])
param choice string
resource box 'Contoso.Stores/boxes@2024-01-01' = if (password == 'x17') {
  name: text
  properties: { choice: choice, length: length(password) }
}
output made string = startsWith(text, 'C') ? 'yes' : fail('no')
`

// decided are uses of a value in which it decides.
var decided = []struct{ name, statement string }{
	{"a condition of an error", "param count = contains(%s, 'a') ? int('x') : 1"},
	{"a condition of JSON", "param pin = json(startsWith(%s, '1') ? '{' : '{\"a\": 1}')"},
	{"a condition of a type", "param text = length(%s) > 5 ? 'x' : 1"},
	{"a number of rounds", "param list = [for i in range(0, length(%s)): 'i${i}']"},
	{"letters", "param list = map(range(0, length(%s)), i => substring(%[1]s, i, 1))"},
	{"an index", "param text = ['a', 'b'][length(%s)]"},
	{"a key's value", "param text = { '17': 'b' }[%s]"},
	{"a division", "param count = 10 / (length(%s) - 2)"},
	{"a choice", "param choice = contains(%s, 'x') ? 'a' : 'c'"},
	{"a file's name", "param text = loadTextContent('${%s}.txt')"},
	{"a part of an object", "param pin = { '${%s}': 1, a: length(%[1]s) }"},
	{"a spread", "param pin = { ...json(%s) }"},
	{"two parameters", "param text = %s\nparam list = [%[1]s, 'x', '${%[1]s}2']"},
	{"a vault", "param password = az.getSecret('00000000-0000-0000-0000-000000000011', %s, 'vault', 'name')"},
	{"a default", "param text = readEnvironmentVariable('NOT_THERE', %s)"},
}

// pairs are values that differ in length, letters and meaning. Commands that tell them apart tell of a value.
var pairs = [][2]string{{canary, "17"}, {`{"a": 1}`, "x"}, {"true", "other and long"}, {"a", "b"}}

// TestCommandsDoNotTellValuesApart: what a command prints and writes, and its status, is the same for any two values of
// the environment, and of secure parameters on the command line.
func TestCommandsDoNotTellValuesApart(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write := func(name, text string) { require.NoError(t, os.WriteFile(name, []byte(text), 0o600)) }
	write("main.bicep", secretTemplate)
	write("inner.bicep", secretModule)
	write("decisions.bicep", decisions)
	write("told.bicep", told)
	write("secret.txt", canary)
	write("17.txt", "of the file 17")
	write("shared.bicep", "@export()\nvar exported = '"+canary+"'\n")
	write("old.yaml", "kind: DeploymentTemplate\napiVersion: radapp.io/v1alpha3\nspec:\n  template: '{\"parameters\":{\"password\":{\"type\":\"securestring\"},\"text\":{\"type\":\"string\"}}}'\n"+
		"  parameters: '{\"password\":{\"value\":\""+former+"\"},\"text\":{\"value\":\""+former+"\"}}'\n")
	require.NoError(t, os.Mkdir("made", 0o777))
	lines := tellingLines(t)

	runs := 0
	check := func(line []string, program string, set func(value string)) {
		pair := pairs[runs%len(pairs)]
		var seen [2]string
		for i, value := range pair {
			write("p.bicepparam", program) // --fix changes it
			set(value)
			seen[i] = outcomeOf(t, line)
		}
		require.Equal(t, seen[0], seen[1], "%q tells %q from %q:\n%s", line, pair[0], pair[1], program)
		runs++
	}
	t.Setenv("SECRET", former)
	env := func(value string) { require.NoError(t, os.Setenv("SECRET", value)) }
	const flat = "using 'main.bicep'\nvar e = readEnvironmentVariable('SECRET')\nparam text = e\nparam config = { host: e, password: '' }\nparam list = [e, 'open']\n"
	for _, target := range []string{"design", "radius"} { // a value differs from what it was, whichever it is
		write("p.bicepparam", flat)
		line := []string{"bicep", "generate-kubernetes-manifest", "p.bicepparam", "-o", target + ".yaml", "--secure-parameters=omit", "--target", target, "--group=g"}
		require.Contains(t, outcomeOf(t, line), "status 0")
		check(append(line, "--diff=resources"), flat, env)
		env(former)
	}
	of := slices.DeleteFunc(slices.Clone(sources), func(s source) bool { return !strings.Contains(s.declarations+s.value, "'SECRET'") })
	for i, u := range slices.Concat(uses, decided) {
		for j, s := range of {
			if !testing.Verbose() && (i+j)%4 > 0 { // -v takes all, as make thorough does
				continue
			}
			for _, base := range []string{"main", "decisions"} {
				program := "using '" + base + ".bicep'\n" + s.declarations + fmt.Sprintf(u.statement, s.value) + "\n"
				few := lines
				if !testing.Verbose() {
					few = lines[runs%len(lines):][:1]
				}
				for _, line := range few {
					check(line, program, env)
				}
			}
		}
	}
	// Values of the command line, and variables that it names.
	for _, format := range []string{"text", "json", "markdown"} {
		check([]string{"bicep", "plan", "decisions.bicep", "-p", "text=@env:SECRET", "-p", "list=@env:SECRET", "-p", "count=@env:SECRET", "-p", "choice=@env:SECRET", "-p", "config.host=@env:SECRET", "--format", format}, "", env)
		line := []string{"bicep", "plan", "decisions.bicep", "-p", "", "-p", "text=Canary", "--all-conditions", "--format", format}
		check(line, "", func(value string) { line[4] = "password=" + value })
		line = []string{"bicep", "plan", "decisions.bicep", "-p", "@values.json", "--details", "--format", format}
		check(line, "", func(value string) {
			write("values.json", fmt.Sprintf(`{"parameters": {"password": {"value": %q}, "pin": {"value": {%q: %d}}, "whole": {"value": {"a": %q}}}}`, value, value, len(value), value))
		})
	}
	t.Logf("%d runs", runs)
}

// tellingLines are the command lines of commands and secretCases that must tell nothing of values.
func tellingLines(t *testing.T) (lines [][]string) {
	add := func(line []string) {
		told := line[1] == "lint" || line[1] == "plan" || line[1] == "graph" || line[1] == "affected"
		if told && slices.Contains(line, "p.bicepparam") {
			lines = append(lines, line)
		}
	}
	for _, c := range commands {
		add(c.args)
	}
	for _, line := range linesOf(command.Tree(), secretCases) {
		add(line)
	}
	require.Greater(t, len(lines), 20)
	return lines
}

// outcomeOf returns all that a user sees of a run: its status, what it prints, and what it writes.
func outcomeOf(t *testing.T, line []string) string {
	var out, errs strings.Builder
	status := command.Run(context.Background(), line, strings.NewReader(""), &out, &errs)
	text := fmt.Sprintf("status %d\n%s\n%s\n", status, out.String(), errs.String())
	files, err := filepath.Glob("made/*")
	require.NoError(t, err)
	for _, name := range append(files, "deps.mk", "p.bicepparam") {
		if f, err := os.Open(name); err == nil {
			written, err := io.ReadAll(f)
			require.NoError(t, err)
			require.NoError(t, f.Close())
			text += name + ":\n" + string(written)
			require.NoError(t, os.Remove(name))
		}
	}
	return text
}
