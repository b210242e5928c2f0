package secrecy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/checktest"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/paramscheck"
	"github.com/radbicep/rad/pkg/bicep/internal/secrecy"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// template is what the parameter files of these tests use, unless a test has a main.bicep of
// its own: two parameters that are secure, one of which a part is, and others that are not.
const template = `@secure()
param secret string
@secure()
param vault object
param account {
  host: string
  @secure()
  word: string
}
param a string
param b string
param c string
param d string
param open object
`

// analyzed returns a program that begins with the entry file, and its secrets. Below its text
// stand other files, each after its name.
func analyzed(t *testing.T, entry, text string, also ...string) (*check.Program, *secrecy.Program) {
	t.Helper()
	files := map[string]string{"main.bicep": template}
	archive := txtar.Parse([]byte(text))
	files[entry] = string(archive.Comment)
	if len(archive.Files) == 0 {
		files[entry] = text // perhaps without a line end
	}
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	if strings.HasSuffix(entry, ".bicepparam") && !strings.Contains(files[entry], "using") {
		files[entry] = "using 'main.bicep'\n" + files[entry]
	}
	p := checktest.Program(t, entry, files, check.Options{Inspectors: []check.Inspector{paramscheck.Inspector{}}})
	return p, secrecy.Analyze(p, also)
}

// TestAssigned: the comment after a parameter says what makes its value secret: S if it flows
// into a secure parameter, so that it is neither written nor shown, E if it comes from the environment alone, so that
// it is written and not shown.
func TestAssigned(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"a variable":                      "var v = 'x'\nvar w = v\nparam secret = w\nparam a = v // S\nparam b = 'x'\nparam c = '${v}' // S\nparam d = toUpper(w) // S\n",
		"another parameter":               "param secret = 'x'\nparam a = secret // S\nparam b = a // S\n",
		"a part of a secure object":       "var v = 'x'\nparam vault = { k: [v] }\nparam a = v // S\n",
		"a secure part":                   "var v = 'x'\nvar w = 'h'\nparam account = { host: w, word: v }\nparam a = v // S\nparam b = w\nparam c = account.word // S\nparam d = account.host\n",
		"a secure part under a wrong key": "var v = 'x'\nparam account = { host: 'h', wrod: v }\nparam a = v // S\n",
		"a secure part in a variable":     "var v = { host: 'h', word: 'x' }\nparam account = v\nparam a = v.word // S\n",
		"a secure part that is spread":    "var v = { word: 'x' }\nparam account = { host: 'h', ...v }\nparam a = v.word // S\n",
		"an unknown parameter":            "var v = 'x'\nparam nothing = v // S\nparam a = v // S\n",

		"a member":                   "var o = { host: 'h', word: 'x' }\nparam secret = o.word\nparam a = o.word // S\nparam b = o.host\nparam c = o['WORD'] // S\nparam open = o // S\n",
		"a member of a member":       "var o = { in: { host: 'h', word: 'x' }, word: 'y' }\nparam secret = o.in.word\nparam a = o.in.host\nparam b = o.word\nparam c = o.in.word // S\nparam open = o.in // S\n",
		"a member by a name":         "var o = { host: 'h', word: 'x' }\nparam secret = o['word']\nparam a = o.word // S\nparam b = o.host\n",
		"a member by a computed one": "var k = 'word'\nvar o = { host: 'h', word: 'x' }\nparam secret = o[k]\nparam a = o.word // S\nparam b = o.host // S\nparam c = k\n",
		"a computed key":             "var k = 'word'\nvar o = { host: 'h', '${k}': 'x' }\nparam secret = o.word\nparam a = o.host // S\nparam b = o.word // S\n",
		"a key that is a secret":     "param secret = 'x'\nparam open = { '${secret}': 1 } // S\nparam a = open.y // S\n",
		"a spread of an object":      "var o = { word: 'x', host: 'h' }\nvar p = { ...o }\nparam secret = p.word\nparam a = o.word // S\nparam b = o.host\nparam c = p.word // S\nparam d = p.host\n",
		"an element":                 "var l = ['h', 'x']\nparam secret = l[1]\nparam a = l[0]\nparam b = l[1] // S\nparam c = string(l) // S\n",
		"an element from the end":    "var l = ['h', 'x']\nparam secret = l[^1]\nparam a = l[0] // S\nparam b = l[1] // S\n",
		"an element after a spread":  "var l = ['h', 'x']\nvar w = 'y'\nvar m = [...l, w, 'z']\nparam secret = m[2]\nparam a = l[1] // S\nparam b = m[3] // S\nparam c = l[0] // S\nparam d = w // S\n",
		"an element of a spread one": "var l = ['h', 'x']\nvar m = [...l]\nparam secret = l[1]\nparam a = m[1] // S\nparam b = l[0]\n",
		"an index that is a secret":  "param secret = 'k'\nvar o = { k: 'x' }\nparam a = o[secret] // S\nparam b = o.k\n",

		"parentheses and the rest":     "var o = { host: 'h', word: 'x' }\nparam secret = (o)!.word\nparam a = (o).word // S\nparam b = (o!).host\nparam c = o!.word // S\n",
		"both branches of a condition": "var v = 'x'\nvar w = 'y'\nvar yes = true\nparam secret = yes ? v : w\nparam a = v // S\nparam b = w // S\nparam c = string(yes)\n",
		"a condition that is secret":   "param secret = 'x'\nparam a = secret == 'x' ? 'l' : 'r' // S\n",
		"a part of a condition":        "var o = { host: 'h', word: 'x' }\nparam secret = (true ? o : {}).word\nparam a = o.host\nparam b = (false ? o : { host: 'i' }).host\nparam c = (true ? o : o).word // S\n",
		"a default":                    "var o = { host: 'h', word: 'x' }\nvar w = { word: 'y' }\nparam secret = (o ?? w).word\nparam a = o.word // S\nparam b = o.host\nparam c = w.word // S\nparam d = (o ?? w).host\n",
		"a sum":                        "var n = 1\nvar m = 2\nparam secret = string(n + m)\nparam a = string(n) // S\nparam b = string(m) // S\n",
		"a comparison beside a member": "var o = { host: 'h', word: 'x' }\nparam secret = o.word\nparam a = string((o == {}).no) // S\nparam b = string(o.no)\n",
		"a comparison of a member":     "var o = { host: 'h', word: 'x' }\nparam secret = string((o == {}).no)\nparam a = o.host // S\nparam b = string((o == {}).no) // S\nparam c = o.word // S\n",
		"text":                         "var v = 'x'\nparam secret = 'a${v}b'\nparam a = v // S\n",

		"a loop":                        "var list = [{ host: 'h', word: 'x' }]\nparam vault = { l: [for e in list: e.word] }\nparam a = list[0].word // S\nparam b = list[0].host\n",
		"a loop over secrets":           "var v = 'x'\nparam secret = v\nparam open = { l: [for e in [v]: e] } // S\nparam vault = {}\n",
		"how often a loop runs":         "param vault = { l: [1, 2] }\nparam open = { l: [for e in vault.l: 1] } // S\n",
		"an element of a loop":          "var list = [{ host: 'h', word: 'x' }]\nvar words = [for e in list: e.word]\nparam secret = words[0]\nparam a = list[0].word // S\nparam b = list[0].host\nparam c = words[0] // S\n",
		"a part of a loop":              "var v = 'x'\nvar l = [for e in ['h']: { host: e, word: v }]\nparam secret = v\nparam a = l[0].word // S\nparam b = l[0].host\n",
		"an index of a loop":            "var list = ['x']\nvar n = [for (e, i) in list: i]\nparam secret = list[0]\nparam a = string(n) // S\nparam b = string(n[0]) // S\n",
		"a lambda":                      "var list = [{ host: 'h', word: 'x' }]\nparam secret = join(map(list, e => e.word), '')\nparam a = list[0].word // S\n",
		"a lambda over secrets":         "var v = 'x'\nparam secret = v\nparam a = map([v], e => e)[0] // S\nparam b = map(['h'], e => e)[0]\nparam c = sys.map([v], (e, i) => i)[0] // S\n",
		"a lambda in a member":          "var list = ['x']\nvar o = { word: join(sys.map(list, e => e), '') }\nparam secret = o.word\nparam a = list[0] // S\n",
		"what a lambda returns":         "var v = 'x'\nparam secret = map(['h'], e => v)[0]\nparam a = v // S\n",
		"what a lambda returns too":     "var v = 'x'\nparam secret = v\nparam a = map(['h'], e => v)[0] // S\n",
		"a call":                        "var v = 'x'\nparam secret = toLower(v)\nparam a = v // S\n",
		"a call of a namespace":         "var v = 'x'\nparam secret = sys.toLower(v)\nparam a = v // S\nparam b = sys.concat('h')\n",
		"a member of a call":            "var o = { host: 'h', word: 'x' }\nparam secret = json(string(o)).word\nparam a = o.host // S\nparam b = json(string(o)).host // S\n",
		"objects over each other":       "var o = { host: 'h', word: 'x' }\nvar p = { word: 'y', more: 'm' }\nparam secret = union(o, p).word\nparam a = o.host\nparam b = p.word // S\nparam c = union(o, p).more\nparam d = union(o, p).word // S\n",
		"objects merged":                "var o = { host: 'h', word: 'x' }\nparam secret = shallowMerge([o]).word\nparam a = shallowMerge([o, {}])['word'] // S\nparam b = shallowMerge([o]).host\nparam c = o.word // S\nparam d = o.host\n",
		"arrays joined":                 "var v = 'x'\nvar w = [{ host: 'h', word: v }]\nparam secret = union(['h'], w)[1].word\nparam a = v // S\nparam b = sys.union(['h'], [v])[1] // S\nparam c = union(['h'], w)[0].host\nparam d = w[0].word // S\n",
		"a function":                    "func f(p string) object => { host: 'h', word: p }\nvar v = 'x'\nvar w = 'y'\nparam secret = f(v).word\nparam a = v // S\nparam b = f(w).host\nparam c = w\n",
		"a function of a secret":        "func f(p string) string => 'h'\nvar v = 'x'\nparam secret = v\nparam a = f(v) // S\nparam b = f('h')\n",
		"a function's own value":        "import { f } from 'l.bicep'\nparam secret = f().word\nparam a = f().word // S\nparam b = f().host\n-- l.bicep --\n@export()\nfunc f() object => { host: 'h', word: loadTextContent('t') }\n-- t --\nx",
		"a value that needs itself":     "var v = w\nvar w = v\nparam secret = v\nparam a = w // S\n",
		"a part that needs itself":      "var v = { a: w.a }\nvar w = { a: v.a }\nparam secret = v.a\nparam a = w.a // S\nparam b = w.b\n",
		"deep parts are taken together": "var o = " + strings.Repeat("{ in: ", 18) + "{ host: 'h', word: 'x' }" + strings.Repeat(" }", 18) + "\nparam secret = o." + strings.Repeat("in.", 18) + "word\nparam a = o." + strings.Repeat("in.", 18) + "host // S\n",
		"deep parts are told apart":     "var o = " + strings.Repeat("{ in: ", 8) + "{ host: 'h', word: 'x' }" + strings.Repeat(" }", 8) + "\nparam secret = o." + strings.Repeat("in.", 8) + "word\nparam a = o." + strings.Repeat("in.", 8) + "host\n",
		"nothing is secure":             "var v = 'x'\nparam a = v\nparam b = readEnvironmentVariable('V') // E\n",
		"only the environment":          "param a = readEnvironmentVariable('V') // E\nparam b = toUpper(a) // E\n",
		"a variable of a secure one":    "param secret = readEnvironmentVariable('V') // S\nparam a = readEnvironmentVariable('V') // S\nparam b = readEnvironmentVariable('W') // E\nparam c = readEnvironmentVariable('V', 'h') // S\n",
		"a variable's default":          "var v = 'x'\nparam secret = readEnvironmentVariable('V', v) // S\nparam a = v // S\n",
		"a variable of any name":        "var v = 'x'\nparam b = readEnvironmentVariable('N') // S\nparam secret = readEnvironmentVariable(b) // S\nparam a = readEnvironmentVariable('W') // S\nparam c = v\n",
		"a member of a variable":        "param secret = json(readEnvironmentVariable('V')).word // S\nparam a = json(readEnvironmentVariable('V')).host // S\n",

		"a file":                                 "param secret = loadTextContent('t')\nparam a = loadTextContent('t') // S\nparam b = loadFileAsBase64('t') // S\nparam c = loadTextContent('u')\n-- t --\nx\n-- u --\nh\n",
		"a member of a file":                     "param secret = loadJsonContent('j').word\nparam a = loadJsonContent('j').word // S\nparam b = loadJsonContent('j').host\nparam c = loadTextContent('j') // S\n-- j --\n{\"word\":\"x\",\"host\":\"h\"}\n",
		"a call of a value":                      "var v = 'x'\nparam secret = v.foo()\nparam a = v // S\nparam b = v.foo() // S\nparam c = 'h'.foo()\n",
		"a secure object without its part":       "param account = { host: 'h' }\n",
		"an element that may be a spread one's":  "var v = 'x'\nvar l = ['h']\nparam secret = v\nparam a = [...l, v][2] // S\nparam b = [...l, 'i'][0]\n",
		"a member with no name":                  "var o = { '': { host: 'h', word: 'x' } }\nparam secret = o[''].word\nparam a = o[''].host\nparam b = o[''].word // S\n",
		"very many ways to a part":               manyRoutes(),
		"a member of a file, selected":           "param secret = loadJsonContent('j', '$.in.word')\nparam a = loadJsonContent('j', 'in.host')\nparam b = loadJsonContent('j').in.word // S\nparam c = loadJsonContent('j').in.host\nparam d = loadTextContent('j', 'utf-8') // S\n-- j --\n{\"in\":{\"word\":\"x\",\"host\":\"h\"}}\n",
		"a member of a file, selected by a rule": "param secret = loadJsonContent('j', '$..word')\nparam a = loadJsonContent('j').host // S\n-- j --\n{\"word\":\"x\",\"host\":\"h\"}\n",
		"a member of a YAML file, selected":      "param secret = loadYamlContent('y', '$.word')\nparam a = loadYamlContent('y').word // S\nparam b = loadYamlContent('y', 'host')\nparam c = loadYamlContent('y').host\n-- y --\nword: x\nhost: h\n",
		"a call without arguments":               "param secret = readEnvironmentVariable() // S\nparam a = loadTextContent() // S\n",
		"all of a template at once":              "import * as l from 'l.json'\nparam secret = l.v\nparam a = string(l)\n-- l.json --\n" + exporting,
		"a file in an encoding":                  "param secret = loadTextContent('t', 'utf-8')\nparam a = loadTextContent('t') // S\n-- t --\nx\n",
		"a file of another place":                "import { v } from 'lib/l.bicep'\nparam secret = v\nparam a = loadTextContent('t')\n-- t --\nh\n-- lib/l.bicep --\n@export()\nvar v = loadTextContent('t')\n-- lib/t --\nx\n",
		"the same file twice":                    "var f = loadJsonContent('j')\nparam secret = f.word\nparam a = f.word // S\nparam b = f.host\nparam open = f // S\n-- j --\n{\"word\":\"x\",\"host\":\"h\"}\n",

		"an import":                    "import { v, w as u } from 'l.bicep'\nparam secret = v\nparam a = v // S\nparam b = u\n-- l.bicep --\n@export()\nvar v = 'x'\n@export()\nvar w = 'h'\n",
		"an import's source":           "import { v, w } from 'l.bicep'\nparam secret = w\nparam a = v // S\n-- l.bicep --\nvar o = 'x'\n@export()\nvar v = o\n@export()\nvar w = o\n",
		"a member of an import":        "import { o } from 'l.bicep'\nparam secret = o.word\nparam a = o.word // S\nparam b = o.host\n-- l.bicep --\n@export()\nvar o = { word: 'x', host: 'h' }\n",
		"an import of all":             "import * as l from 'l.bicep'\nparam secret = l.v\nparam a = l.v // S\nparam b = l.w\nparam open = l.o // S\nparam c = l.o.host\n-- l.bicep --\n@export()\nvar v = 'x'\n@export()\nvar w = 'h'\n@export()\nvar o = { host: 'h', word: v }\n",
		"an import from a template":    "import { v, w } from 'l.json'\nparam secret = v\nparam a = v // S\nparam b = w\n-- l.json --\n" + exporting,
		"all of a template":            "import * as l from 'l.json'\nparam secret = l.v\nparam a = l.v // S\nparam b = l.w\n-- l.json --\n" + exporting,
		"a part of a template":         "import { o } from 'l.json'\nparam secret = o.word\nparam a = o.word // S\nparam b = o.host\n-- l.json --\n" + exporting,
		"a part of all of a template":  "import * as l from 'l.json'\nparam secret = l.o.word\nparam a = l.o.word // S\nparam b = l.o.host\nparam c = l.v\n-- l.json --\n" + exporting,
		"a function that is imported":  "import { f } from 'l.bicep'\nparam secret = f()\nparam a = loadTextContent('t') // S\nparam b = f() // S\n-- l.bicep --\n@export()\nfunc f() string => loadTextContent('t')\n-- t --\nx\n",
		"a function of all":            "import * as l from 'l.bicep'\nvar v = 'x'\nparam secret = l.f(v)\nparam a = loadTextContent('t') // S\nparam b = l.f('h') // S\nparam c = v // S\n-- l.bicep --\n@export()\nfunc f(p string) string => loadTextContent('t')\n-- t --\nx\n",
		"a function of all is no more": "import * as l from 'l.bicep'\nparam secret = l.f()\nparam a = l.v\n-- l.bicep --\n@export()\nfunc f() string => 'x'\n@export()\nvar v = 'h'\n",

		"a base":                          "extends 'b.bicepparam'\nparam secret = base.a\nparam a = base.a // S\nparam b = base.b\nparam c = string(base) // S\n-- b.bicepparam --\nusing none\nvar v = 'x'\nparam a = v\nparam b = 'h'\n",
		"what a base has from":            "extends 'b.bicepparam'\nparam a = base.b // S\nparam c = string(base) // S\n-- b.bicepparam --\nusing none\nvar v = 'x'\nparam secret = v\nparam b = v\n",
		"a base without a secret":         "extends 'b.bicepparam'\nparam secret = 'x'\nparam a = base.b\nparam c = string(base)\n-- b.bicepparam --\nusing none\nparam b = 'h'\n",
		"any part of a base":              "extends 'b.bicepparam'\nvar k = 'a'\nparam secret = base[k]\nparam a = base.a // S\nparam b = v // S\nparam c = base[k] // S\nvar v = base.b\n-- b.bicepparam --\nusing none\nparam a = 'x'\nparam b = 'y'\n",
		"any part of a base that has one": "extends 'b.bicepparam'\nvar k = 'a'\nparam secret = base.a\nparam c = base[k] // S\nparam d = base.b\n-- b.bicepparam --\nusing none\nparam a = 'x'\nparam b = 'y'\n",
		"all of a base":                   "extends 'b.bicepparam'\nparam secret = string(base)\nparam c = base.a // S\n-- b.bicepparam --\nusing none\nparam a = 'x'\n",
		"a base that says nothing":        "extends 'b.bicepparam'\nparam a = base.b // E\n-- b.bicepparam --\nusing none\nparam b = readEnvironmentVariable('V')\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, s := analyzed(t, "p.bicepparam", text)
			m := p.Entry()
			for _, a := range m.Binding().ParamAssigns {
				if a.Binding() != m.Binding() {
					continue // of the base
				}
				line := m.Source().Line(m.Source().Position(a.Stmt.Span().Start).Line)
				_, want, _ := strings.Cut(line, " // ")
				got := ""
				switch mark := s.Assigned(a); {
				case !mark.Written():
					got = "S"
				case !mark.Shown():
					got = "E"
				}
				if want == "" && (a.Name() == "secret" || a.Name() == "vault" || a.Name() == "account") {
					want = "S" // as the template says
				}
				assert.Equal(t, want, got, line)
			}
		})
	}
}

// manyRoutes is a program that would be followed for years if every way to a part of a value
// were followed.
func manyRoutes() string {
	var b strings.Builder
	b.WriteString("var v0 = { a: { c: 'x' } }\nvar h = { a: 'h' }\n")
	for i := range 60 {
		fmt.Fprintf(&b, "var v%d = { a: true ? v%d.a.c : v%[2]d.a.d }\n", i+1, i)
	}
	b.WriteString("param secret = v60.a\nparam a = v60.a // S\nparam b = h.a\n")
	return b.String()
}

// exporting is an ARM template that exports variables.
const exporting = `{
  "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
  "languageVersion": "2.0", "contentVersion": "1.0.0.0", "resources": {},
  "metadata": { "__bicep_exported_variables!": [{ "name": "v" }, { "name": "w" }, { "name": "o" }] },
  "variables": { "v": "x", "w": "h", "o": { "word": "x", "host": "h" } }
}
`

// TestLine: what the lines of a file show of what is written in it.
func TestLine(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ text, want string }{
		"texts and numbers": {
			"param secret = 'x' // why\nparam vault = { key: ['x', 12, true], other: 'y' }\nparam a = 'h'",
			"param secret = (secure) // why\nparam vault = { key: [(secure), (secure), (secure)], other: (secure) }\nparam a = 'h'",
		},
		"text with holes":            {"var v = 'x'\nparam secret = 'a${v}b${'c'}d'", "var v = (secure)\nparam secret = (secure)v(secure)"},
		"text of many lines":         {"param secret = '''\nfirst\nlast''' // why\nparam a = 'h'", "param secret = (secure)\n(secure)\n(secure) // why\nparam a = 'h'"},
		"a secure part":              {"param account = { host: 'h', word: 'x' }", "param account = { host: 'h', word: (secure) }"},
		"a wrong key":                {"param account = { host: 'h', wrod: 'x' }", "param account = { host: 'h', wrod: (secure) }"},
		"a wrong key in quotes":      {"param account = { host: 'h', 'wrod': 'x' }", "param account = { host: 'h', (secure): (secure) }"},
		"a computed key":             {"var v = 'k'\nparam account = { host: 'h', '${v}': 'x' }", "var v = (secure)\nparam account = { host: 'h', (secure)v(secure): (secure) }"},
		"a spread":                   {"param account = { host: 'h', ...{ word: 'x' } }", "param account = { host: 'h', ...{ word: (secure) } }"},
		"what has no quotes":         {"param secret = hunter\nparam vault = [hunter.two, hunter[two]]", "param secret = (secure)\nparam vault = [(secure), (secure)]"},
		"an index alone":             {"var o = { host: 'h' }\nparam secret = o[hunter]", "var o = { host: (secure) }\nparam secret = o[(secure)]"},
		"what is no item":            {"param vault = {\n  'x'\n  word: 'y'\n}\nparam account = {\n  host: 'h'\n  hunter2 !\n}", "param vault = (secure)\n(secure)\n(secure)\n(secure)\nparam account = (secure)\n(secure)\n(secure)\n(secure)"},
		"what is no element":         {"param vault = [\n  'x'\n  = hunter\n]", "param vault = (secure)\n(secure)\n(secure)\n(secure)"},
		"what is not whole":          {"param secret = 'x' hunter2\nparam a = 'h' shown", "param secret = (secure)\nparam a = 'h' shown"},
		"what has no equals":         {"param secret 'x'\nparam a = 'h'", "param secret (secure)\nparam a = 'h'"},
		"what is no statement":       {"hunter2 = 'x' // y\nparam a = 'h'", "(secure)\nparam a = 'h'"},
		"the last line":              {"param a = 'h'\nhunter2 = 'x'", "param a = 'h'\n(secure)"},
		"a condition":                {"param secret = 'k' == 'k' ? 'x' : 'y'", "param secret = 'k' == 'k' ? (secure) : (secure)"},
		"a loop":                     {"param vault = [for e in ['x']: e]", "param vault = [for e in [(secure)]: e]"},
		"a call":                     {"param secret = toUpper('x')", "param secret = toUpper((secure))"},
		"a variable's name":          {"param secret = readEnvironmentVariable('V', 'x')", "param secret = readEnvironmentVariable('V', (secure))"},
		"a file's name":              {"param secret = loadTextContent('t')\n-- t --\nx\n", "param secret = loadTextContent('t')"},
		"a lambda":                   {"param secret = map(['x'], e => 'y')[0]", "param secret = map([(secure)], e => (secure))[0]"},
		"a sum":                      {"param secret = -1 + 2", "param secret = -(secure) + (secure)"},
		"an unknown parameter":       {"param nothing = 'x'\nparam a = 'h'", "param nothing = (secure)\nparam a = 'h'"},
		"no template":                {"using none\nparam secret = 'x'", "using none\nparam secret = 'x'"},
		"no template, but a name":    {"using none\nparam also = 'x'\nparam a = 'h'", "using none\nparam also = (secure)\nparam a = 'h'"},
		"a name":                     {"param also = 'x'\n-- main.bicep --\nparam also string", "param also = (secure)"},
		"a template that is missing": {"using 'no.bicep'\nparam a = 'x'", "using 'no.bicep'\nparam a = (secure)"},
		"a type that is wrong":       {"param a = 'x'\n-- main.bicep --\nparam a nothing", "param a = (secure)"},
		"the type of a resource": {
			"param a = 'x' // why\nparam b = 'y'\n-- main.bicep --\ntype t = { in: resourceInput<'Microsoft.KeyVault/vaults/secrets@2023-07-01'>.properties }\nparam a t\nparam b string",
			"param a = (secure) // why\nparam b = 'y'",
		},
		"a decorator of a wrong type": {"param a = 1\n-- main.bicep --\n@secure()\nparam a int", "param a = (secure)"},
		"a decorator of a namespace":  {"param a = 'x'\n-- main.bicep --\n@sys.secure()\nparam a string", "param a = (secure)"},
		"a decorator of a choice":     {"param a = 'x'\n-- main.bicep --\n@secure()\nparam a 'x' | 'y'", "param a = (secure)"},
		"another decorator":           {"param a = 'h'\n-- main.bicep --\n@description('secure')\nparam a string", "param a = 'h'"},
		"parts of parts": {
			"param a = { in: { host: 'h', word: 'x' }, k: { host: 'i', word: 'y' } }\n-- main.bicep --\ntype t = {\n  host: string\n  @secure()\n  word: string\n}\nparam a {\n  in: t\n  *: t\n}",
			"param a = { in: { host: 'h', word: (secure) }, k: { host: 'i', word: (secure) } }",
		},
		"a secure object as a part": {
			"param a = { in: { word: 'x' }, out: 'h' }\n-- main.bicep --\nparam a {\n  @secure()\n  in: object\n  out: string\n}",
			"param a = { in: { word: (secure) }, out: 'h' }",
		},
		"parts of elements": {
			"param a = [{ host: 'h', word: 'x' }]\n-- main.bicep --\ntype t = {\n  host: string\n  @secure()\n  word: string\n}\nparam a t[]",
			"param a = [{ host: 'h', word: (secure) }]",
		},
		"a base": {"using none\nparam secret = 'x'\n-- main.bicep --\n", "using none\nparam secret = 'x'"},
		"an ARM template": {
			"using 'main.json'\nparam a = 'x'\nparam b = { k: 1 }\nparam c = 'y'\nparam d = 'h'\nparam e = 'i'\n-- main.json --\n" + arm(`"definitions": {"t": {"type": "secureString", "allowedValues": ["i"]}}`),
			"using 'main.json'\nparam a = (secure)\nparam b = { k: (secure) }\nparam c = (secure)\nparam d = 'h'\nparam e = (secure)",
		},
		"an ARM template whose types are not secret": {
			"using 'main.json'\nparam a = 'x'\nparam e = 'i'\n-- main.json --\n" + arm(`"definitions": {"t": {"type": "string"}}`),
			"using 'main.json'\nparam a = (secure)\nparam e = 'i'",
		},
		"what is no item of a variable": {"var o = {\n  host: 'h'\n  = hunter2\n}\nparam secret = o", "var o = {\n  host: (secure)\n  (secure)\n}\nparam secret = o"},
		"an item that is not whole":     {"var o = {\n  host: 'h' hunter2\n}\nparam secret = o.host", "var o = {\n  (secure)\n}\nparam secret = o.host"},
		"an item that lacks its colon":  {"var o = {\n  host = 'h'\n  word 'x'\n}\nparam vault = o", "var o = {\n  (secure)\n  (secure)\n}\nparam vault = o"},
		"a part that lacks its colon":   {"var o = {\n  host = 'h'\n}\nparam secret = o.host", "var o = {\n  (secure)\n}\nparam secret = o.host"},
		"an element that is not whole":  {"var l = [\n  'x' hunter2\n  = hunter2\n]\nparam vault = l", "var l = [\n  (secure)\n  (secure)\n]\nparam vault = l"},
		"a variable that is not whole":  {"var v = 'x' hunter2\nparam secret = v", "var v (secure)\nparam secret = v"},
		"a variable that lacks its =":   {"var v 'x'\nparam secret = v", "var v (secure)\nparam secret = v"},
		"a call that is not whole":      {"var v = toUpper('x' hunter2)\nparam secret = v", "var v (secure)\nparam secret = v"},
		"a call that does not end":      {"param secret = v\nvar v = toUpper('x'\nparam a = 'h'", "param secret = v\nvar v (secure)\n(secure)"},
		"text that does not end":        {"var v = 'x\nparam secret = v", "var v (secure)\nparam secret = v"},
		"what is not whole, at the end": {"param secret = 'x' hunter2", "param secret = (secure)"},
		"a type that needs itself":      {"param a = { in: {} }\nparam b = 'h'\n-- main.bicep --\ntype t = { in: t? }\nparam a t\nparam b string", "param a = { in: {} }\nparam b = 'h'"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, s := analyzed(t, "p.bicepparam", test.text, "also")
			assert.Equal(t, test.want, strings.TrimSuffix(strings.TrimPrefix(lines(p.Entry(), s), "using 'main.bicep'\n"), "\n"))
		})
	}
}

// arm is an ARM template: of its parameters a, b and c are secure, d is not, and e has the
// type t.
func arm(more string) string {
	return `{
  "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
  "languageVersion": "2.0", "contentVersion": "1.0.0.0", "resources": {}, ` + more + `,
  "PARAMETERS": {
    "a": { "Type": "SecureString", "allowedValues": ["x", "z"] },
    "b": { "type": "secureObject" }, "c": { "type": "securestring" }, "d": { "type": "string" },
    "e": { "$ref": "#/definitions/t" }
  }
}
`
}

func lines(m *check.Model, s *secrecy.Program) string {
	var b strings.Builder
	for n := range strings.Count(m.Source().Text, "\n") + 1 {
		b.WriteString(s.Line(m, n+1) + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

const types = "@secure()\ntype key = string\ntype t = {\n  host: string\n  word: key?\n}\n"

// TestLineOfTemplate: a template too gives values to secure parameters: its own, by their
// defaults, and those of its modules.
func TestLineOfTemplate(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ text, want string }{
		"a default":           {"var v = 'x'\n@secure()\nparam s string = v\nparam p string = 'h'\n", "var v = (secure)\n@secure()\nparam s string = v\nparam p string = 'h'\n"},
		"no default":          {"@secure()\nparam s string\nparam p string = 'h'\n", "@secure()\nparam s string\nparam p string = 'h'\n"},
		"a part of a default": {"type t = {\n  host: string\n  @secure()\n  word: string\n}\nparam p t = { host: 'h', word: 'x' }\n", "type t = {\n  host: string\n  @secure()\n  word: string\n}\nparam p t = { host: 'h', word: (secure) }\n"},
		"a module": {
			"var v = 'x'\nmodule m 'm.bicep' = {\n  name: 'm'\n  params: { secret: v, account: { host: 'h', word: 'y' }, a: 'h' }\n}\n-- m.bicep --\n" + template,
			"var v = (secure)\nmodule m 'm.bicep' = {\n  name: 'm'\n  params: { secret: v, account: { host: 'h', word: (secure) }, a: 'h' }\n}\n",
		},
		"modules of a condition and a loop": {
			"module m 'm.bicep' = if (true) {\n  name: 'm'\n  params: { secret: 'x' }\n}\nmodule n 'm.bicep' = [for i in ['h']: {\n  name: i\n  params: { secret: 'x', a: 'h' }\n}]\n-- m.bicep --\n" + template,
			"module m 'm.bicep' = if (true) {\n  name: 'm'\n  params: { secret: (secure) }\n}\nmodule n 'm.bicep' = [for i in ['h']: {\n  name: i\n  params: { secret: (secure), a: 'h' }\n}]\n",
		},
		"what a module cannot be given": {
			"module m 'm.bicep' = {\n  params: { nothing: 'h', ...{} }\n}\nmodule n 'no.bicep' = {\n  params: { secret: 'h' }\n}\nmodule o 'm.bicep' = {\n  params: 'h'\n}\nmodule p 'm.bicep' = \n-- m.bicep --\n" + template,
			"module m 'm.bicep' = {\n  params: { nothing: (secure), ...{} }\n}\nmodule n 'no.bicep' = {\n  params: { secret: 'h' }\n}\nmodule o 'm.bicep' = {\n  params: (secure)\n}\nmodule p 'm.bicep' = \n",
		},
		"what types call secret": {
			types + "@secure()\noutput o string = 'x'\nvar v t = { host: 'h', word: 'x', wrod: 'h' }\nvar u t = { host: 'h', wrod: 'x' }\nfunc f(k key, h string) string => k\nvar w = f('x', 'h')\nfunc g() key => 'x'\noutput p t[] = [v, { host: 'h', word: 'y' }, true ? w2 : w2, ...[{ word: 'x' }]]\nvar w2 = { host: 'h', word: 'x' }\n",
			types + "@secure()\noutput o string = (secure)\nvar v t = { host: 'h', word: (secure), wrod: 'h' }\nvar u t = { host: 'h', wrod: (secure) }\nfunc f(k key, h string) string => k\nvar w = f((secure), 'h')\nfunc g() key => (secure)\noutput p t[] = [v, { host: 'h', word: (secure) }, true ? w2 : w2, ...[{ word: (secure) }]]\nvar w2 = { host: 'h', word: (secure) }\n",
		},
		"a parameter that a type calls secret": {
			"module m 'm.bicep' = {\n  params: { p: 'x', q: 'h', r: { s: 'x', t: 'h' } }\n}\n-- m.bicep --\nparam p string\nparam q string\nparam r object\n@secure()\noutput o string = '${p}${r.s}'\noutput q string = q\n",
			"module m 'm.bicep' = {\n  params: { p: (secure), q: 'h', r: { s: (secure), t: 'h' } }\n}\n",
		},
		"a default of such a parameter": {"param p string = 'x'\n@secure()\noutput o string = p\n", "param p string = (secure)\n@secure()\noutput o string = p\n"},
		"an import": {
			"import { v } from 'l.bicepparam.bicep'\n@secure()\nparam s string = v\n-- l.bicepparam.bicep --\n@export()\nvar v = 'x'\n",
			"import { v } from 'l.bicepparam.bicep'\n@secure()\nparam s string = v\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, s := analyzed(t, "main.bicep", test.text)
			assert.Equal(t, test.want, lines(p.Entry(), s))
		})
	}
}

// TestHide: no message shows what is secret, and the messages about what is not do. Secrets
// begin with hunter or 7331 here, other values with shown or 4242.
func TestHide(t *testing.T) {
	t.Parallel()
	const numbers = "\n-- main.bicep --\n@secure()\nparam secret string\n@secure()\nparam vault object\ntype t = {\n  host: int\n  @secure()\n  word: int\n}\nparam account t\nparam one int\nparam two int\nparam open object\n"
	for name, test := range map[string]struct {
		text  string
		shown []string // what messages show
	}{
		"a value":                  {"param secret = 7331\nparam one = 'shown'\n", []string{"'shown'"}},
		"a part":                   {"param account = { host: 'shown', word: 'hunter2' }\n", []string{"'shown'"}},
		"a part that is missing":   {"param account = { host: 4242 }\n", []string{`"word"`}},
		"a part under a wrong key": {"param account = { host: 'shown', shunned: 'hunter3' }\n", []string{"'shown'", "shunned"}},
		"a part under a text":      {"param account = { host: 'shown', 'hunter2': 'hunter3' }\n", []string{"'shown'"}},
		"a part under a secret":    {"var v = 'hunter2'\nparam account = { host: 'shown', '${v}': 'hunter3' }\nparam one = v\n", []string{"'shown'"}},
		"a key of a secret":        {"var v = 'hunter2'\nparam vault = { '${v}': 1 }\nparam one = v\nparam two = 'shown'\n", []string{"'shown'"}},
		"a variable":               {"var v = 'hunter2'\nvar w = 'shown'\nparam secret = v\nparam one = v\nparam two = w\n", []string{"'shown'"}},
		"a member of a variable":   {"var v = { host: 'shown', word: 'hunter2' }\nparam secret = v.word\nparam one = v.word\nparam two = v.host\n", []string{"'shown'"}},
		"a missing member":         {"var v = { 'hunter2': 1, shown: 1 }\nparam vault = v\nparam one = v.shunned\nparam two = v.show\n", []string{"shown", "shunned", `"show"`}},
		"a misspelt member":        {"var v = { 'hunter2': 1 }\nparam vault = v\nparam one = v.hunte\nparam two = 'shown'\n", []string{"'shown'"}},
		"text of a secret":         {"param secret = 'hunter2'\nparam one = '${secret}!'\nparam two = 'shown'\n", []string{"'shown'"}},
		"an element of an array":   {"param vault = { k: ['hunter2', 7331 + 'hunter3'] }\nparam open = { k: [4242 + 'shown'] }\n", []string{"'shown'", "4242"}},
		"a member of a secret":     {"param secret = 'hunter2'\nvar v = secret.shunned\nvar w = 'shown'.shun\n", []string{"'shown'"}},
		"an index of a secret":     {"param secret = 'hunter2'\nvar v = secret['hunter2']\nvar w = ['h']['shown']\n", []string{"'shown'"}},
		"the type of a secret":     {"param secret = ['hunter2', true, 7331]\nparam one = 'shown'\n", []string{"[string, bool, int]", "'shown'"}},
		"a choice of secrets":      {"param open = { pick: 'shown' }\nparam secret = open.pick == 'h' ? 'hunter2' : 'hunter3'\nparam one = secret\n", []string{`is of type "string"`}},
		"what is expected":         {"param secret = 'hunter2'\nparam pick = secret\nparam one = 'shown'\n-- main.bicep --\n@secure()\nparam secret string\nparam pick 'shown' | 'open'\nparam one int", []string{"'open' | 'shown'"}},
		"an expected secret":       {"param secret = 'hunter2'\nparam one = map([secret], x => x)\nparam two = map([secret], (a, b, c) => a)\n", []string{"string"}},
		"what lacks quotes":        {"param secret = hunter2\nparam one = shown\n", []string{`"shown"`}},
		"a call of a secret":       {"param secret = 'hunter2'\nparam one = sys.length(7331, secret)\nvar w = sys.length(4242)\nvar v = int(secret)\n", []string{"4242"}},
		"an index that is one":     {"var v = 'hunter2'\nparam secret = v\nparam one = { shown: 1 }[v]\nparam two = v == 'x' ? 'shown' : v\n", []string{`"shown"`}},
		"an index of text":         {"var v = 'hunter2'\nparam secret = v\nparam one = { shown: 1 }['${v}x']\nparam two = 'shown'\n", []string{`"shown"`, "'shown'"}},
		"a key of an environment":  {"var o = json('{\"hunter2\": 1}')\nparam vault = o\nparam one = o.shunned\nparam two = 'shown'\n", []string{"'shown'"}},
		"a computed key":           {"var v = 'hunter2'\nparam secret = v\nvar o = { shown: 1, '${v}': 2 }\nparam one = o.shunned\nparam two = 'shown'\n", []string{"'shown'"}},
		"an argument":              {"param secret = toLower(7331)\nparam one = toLower(4242)\n", []string{"4242"}},
		"the environment":          {"param one = readEnvironmentVariable('shown')\nparam two = readEnvironmentVariable('E', 4242)\n", []string{"4242"}},
		"what is not wrong":        {"param one = 'shown'\n", []string{"'shown'"}},
		"the type of a resource": {
			"param one = { 'hunter2': 'hunter3', shunned: 1 }\nparam two = 'shown'\n-- main.bicep --\nparam one resourceInput<'Microsoft.KeyVault/vaults/secrets@2023-07-01'>\nparam two int\n",
			[]string{"'shown'", "shunned"},
		},
		"the names of declarations": {"param secret = { a: one }\nparam one = 'shown'\nparam vault = one\n", []string{"object", "string"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := test.text
			if !strings.Contains(text, "-- main.bicep --") {
				text += strings.TrimPrefix(numbers, "\n")
			}
			p, s := analyzed(t, "p.bicepparam", text)
			all := ""
			for _, d := range p.Entry().Diagnostics() {
				got := s.Hide(p.Entry(), d)
				all += got.Message() + "\n"
			}
			require.NotEmpty(t, all)
			assert.NotContains(t, all, "hunter")
			assert.NotContains(t, all, "7331")
			for _, text := range test.shown {
				assert.Contains(t, all, text)
			}
		})
	}
}

// TestHideAt: whether an argument of a diagnostic is hidden depends on the place that the
// diagnostic is about. The places are in « and ».
func TestHideAt(t *testing.T) {
	t.Parallel()
	const secrets = "var v = 'x'\nparam secret = v\n"
	for _, test := range []struct {
		name, text string
		hidden     bool
	}{
		{"a parameter", "param «secret» = 'x'\n", true},
		{"a statement", "var w = 'h'\n«param secret = 'x'»\n", true},
		{"a secure object that lacks its part", "param «account» = { host: 'h' }\n", true},
		{"a parameter whose value is secret", secrets + "param «a» = v\n", true},
		{"a parameter whose value is not", secrets + "param «a» = 'h'\n", false},
		{"a parameter of the environment", "param «a» = readEnvironmentVariable('E')\n", true},
		{"a parameter of a resource's type", "param «a» = 'h'\n-- main.bicep --\nparam a resourceInput<'Microsoft.KeyVault/vaults/secrets@2023-07-01'>.properties\n", true},
		{"a part of a resource's type", "param a = { k: [«1»] }\n-- main.bicep --\nparam a resourceInput<'Microsoft.KeyVault/vaults/secrets@2023-07-01'>.properties\n", true},
		{"a variable", "var «v» = 'x'\nparam secret = v\n", true},
		{"another variable", secrets + "var «w» = 'h'\n", false},
		{"the template", "using «'main.bicep'»\nparam secret = 'x'\n", false},
		{"a key of a secret", secrets + "param open = { «host»: v }\n", true},
		{"a key of another value", secrets + "param open = { «host»: 'h', word: v }\n", false},
		{"a key in a secure object", "param vault = { «host»: 1 }\n", true},
		{"a property", secrets + "param open = { «host: v» }\n", true},
		{"a value beside a secret", secrets + "param open = { l: [«1», v] }\n", false},
		{"a secret in an array", secrets + "param open = { l: [1, «v»] }\n", true},
		{"an element of a secure array", "param vault = { l: [«1», 2] }\n", true},
		{"a member of a secret", secrets + "var w = v.«length»\n", true},
		{"an index of a secret", secrets + "var w = v[«0»]\n", true},
		{"a member of another value", secrets + "var w = { k: 1 }.«length»\n", false},
		{"a member beside a secret", "var o = { host: 'h', word: 'x' }\nparam secret = o.word\nvar w = o.«host»\n", true},
		{"an argument after a secret", secrets + "var w = concat(v, «'h'»)\n", true},
		{"an argument beside a secret", secrets + "var w = concat(«'h'», v)\n", true},
		{"an argument", secrets + "var w = concat(«'h'», 'i')\n", false},
		{"an operand beside a secret", secrets + "var w = «1» + v\n", true},
		{"the name of a variable", "param secret = readEnvironmentVariable(«'E'»)\n", false},
		{"the default of a variable", "param secret = readEnvironmentVariable('E', «'x'»)\n", true},
		{"the name of a file", "param secret = loadTextContent(«'t'»)\n-- t --\nx\n", false},
		{"the name of a file for a namespace", "param secret = sys.loadTextContent(«'t'»)\n-- t --\nx\n", false},
		{"a name that is a secret", secrets + "var w = sys.loadTextContent(«v»)\n", true},
		{"an argument for a namespace", secrets + "var w = sys.concat(«'h'», v)\n", true},
		{"the item of a lambda", secrets + "var l = map([v], e => { k: «e» })\n", true},
		{"the item of a lambda for a namespace", secrets + "var l = sys.map([v], e => { k: «e» })\n", true},
		{"the item of another lambda", secrets + "var l = map(['h'], e => { k: «e», l: v })\n", false},
		{"the item of a loop", secrets + "var l = [for (e, i) in [v]: { k: «e» }]\n", true},
		{"the index of a loop", secrets + "var l = [for (e, i) in [v]: { k: «i» }]\n", true},
		{"a program without secrets", "var v = «'h'»\nparam a = v\n", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p, s := analyzed(t, "p.bicepparam", strings.NewReplacer("«", "", "»", "").Replace(test.text))
			before, rest, _ := strings.Cut(test.text, "«")
			place, _, _ := strings.Cut(rest, "»")
			start := int32(strings.Index(p.Entry().Source().Text, strings.TrimPrefix(before, "using")) + len(strings.TrimPrefix(before, "using")))
			d := diag.Diagnostic{Kind: diag.BCP057, Span: source.Span{Start: start, End: start + int32(len(place))}, Args: []any{"what the source says"}}
			assert.Equal(t, test.hidden, s.Hide(p.Entry(), d).Args[0] == diag.Secret)
			assert.Equal(t, "what the source says", d.Args[0], "the argument of the caller's")
		})
	}
	p, s := analyzed(t, "p.bicepparam", secrets)
	at := p.Entry().Binding().ParamAssigns[0].Stmt.Value.Span()
	for _, test := range []struct {
		kind diag.Kind
		args []any
		want []any
	}{
		{diag.BCP057, []any{"secret"}, []any{"secret"}}, // a name that is declared
		{diag.BCP057, []any{"y"}, []any{diag.Secret}},
		{diag.BCP082, []any{"y", "secret"}, []any{diag.Secret, "secret"}},
		{diag.BCP036, []any{"k", "'h' | 'x'", " of \"v\"", "'x'", " fixed"}, []any{"k", "'h' | string", " of \"v\"", "string", " fixed"}},
		{diag.BCP035, []any{"object", " of \"v\"", `"x"`, " fixed"}, []any{"object", " of \"v\"", `"x"`, " fixed"}},
		{diag.BCP053, []any{"{ k: 'x' }", "x", `"k", "x"`, ""}, []any{"{ (secure): string }", diag.Secret, `"(secure)", "(secure)"`, ""}},
		{diag.BCP053, []any{"{ a: 'x' }", "v", `"a", "x"`, ""}, []any{"{ a: string }", "v", `"a", "(secure)"`, ""}},
		{diag.BCP332, []any{12, 3}, []any{diag.Secret, 3}},
		{diag.BCP338, []any{"parameter", "a", "x is wrong"}, []any{"parameter", "a", diag.HiddenReason}},
		{diag.BCP338, []any{"parameter", "a", diag.Plain("f is not a function")}, []any{"parameter", "a", diag.Plain("f is not a function")}},
		{diag.LinterEnabled, []any{"the file x"}, []any{"the file x"}},
		{diag.BCP041, []any{"Contoso.Stores/stores@2024-01-01 | 12"}, []any{"Contoso.Stores/stores@2024-01-01 | int"}},
		{diag.Kind(0), []any{"x"}, []any{diag.Secret}}, // of no class
	} {
		assert.Equal(t, test.want, s.Hide(p.Entry(), diag.Diagnostic{Kind: test.kind, Span: at, Args: test.args}).Args)
	}
	assert.Equal(t, []any{"x"}, s.Hide(nil, diag.Diagnostic{Args: []any{"x"}}).Args, "of no file of Bicep's")
}

// TestHideInTemplate: a template that gives its own secure parameters their values.
func TestHideInTemplate(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"@secure()\nparam s string = 7331\n",
		"@secure()\nparam n int = 'hunter2'\n",
		"var v = 'hunter2'\n@secure()\nparam s string = v\nparam n int = v\n",
		"module m 'm.bicep' = {\n  name: 'm'\n  params: { secret: 7331 }\n}\n-- m.bicep --\n" + template,
		"module m 'm.bicep' = {\n  name: 'm'\n  params: { n: 'hunter2' }\n}\n-- m.bicep --\n@secure()\nparam n int\n",
	} {
		p, s := analyzed(t, "main.bicep", text)
		all := ""
		for _, d := range p.Entry().Diagnostics() {
			got := s.Hide(p.Entry(), d)
			all += got.Message() + "\n"
		}
		require.NotEmpty(t, all, text)
		require.NotContains(t, all, "hunter2", text)
		require.NotContains(t, all, "7331", text)
	}
}

// TestTexts: what is searched for in words that somebody else wrote about a program.
func TestTexts(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"a text and a number":      {"param secret = 'x'\nparam vault = { k: 12 }\nparam a = 'h'\n", []string{"x", "12"}},
		"a key in quotes":          {"param vault = { 'x': 12 }\nparam a = 'h'\n", []string{"x", "12"}},
		"text with holes":          {"param secret = 'x${a}y'\nparam a = 'h'\n", []string{"x", "y", "h", "xhy"}},
		"what is computed":         {"var v = 'x'\nparam secret = toUpper(v)\nparam a = 'h'\n", []string{"x", "X"}},
		"a choice":                 {"var v = 1 == 2 ? 'x' : 'y'\nparam secret = v\nparam a = 'h'\n", []string{"x", "y"}},
		"a tuple":                  {"var v = ['x', 12]\nparam vault = v\n", []string{"x", "12"}},
		"computed from a secret":   {"param secret = 'x'\nparam a = toUpper(secret)\n", []string{"x", "X"}},
		"text with a hole that is": {"param secret = 'x'\nparam a = 'h${toUpper(secret)}i'\n", []string{"x", "X"}},
		"a template":               {"using 'm.bicep'\n-- m.bicep --\nvar v = 'x'\n@secure()\nparam s string = toUpper(v)\nvar w = toUpper('h')\n", []string{"x", "X"}},
		"nothing":                  {"param a = toUpper('h')\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, s := analyzed(t, "p.bicepparam", test.text)
			got := map[string]bool{}
			for _, text := range s.Texts() {
				got[text] = true
			}
			want := map[string]bool{}
			for _, text := range test.want {
				want[text] = true
			}
			assert.Equal(t, want, got)
		})
	}
}
