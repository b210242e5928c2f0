package bicep_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// repaired applies the fixes of a certainty to a file until none is left. It returns
// the text and the codes of what was repaired.
func repaired(t *testing.T, fsys source.FS, file string, level report.Certainty) (string, map[string]bool) {
	t.Helper()
	codes := map[string]bool{}
	content, err := fsys.ReadFile(file)
	require.NoError(t, err)
	text := string(content)
	for range 1000 {
		r, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{
			FS: overlaid{fsys, file, text}, File: file, Fixes: true, DiagnoseOnly: true, NoRestore: true})
		require.NoError(t, err)
		fixes := report.ChooseFixes(file, r.Findings, level)
		for _, f := range r.Findings {
			if slices.Contains(fixes, f.Fix) {
				codes[f.Code] = true
			}
		}
		next, n := report.ApplyFixes(text, fixes)
		if n == 0 {
			return text, codes
		}
		require.NotEqual(t, text, next)
		text = next
	}
	t.Fatalf("there is no end to the repairs of:\n%s\n%v", text, codes)
	return "", nil
}

type overlaid struct {
	source.FS
	file, text string
}

func (o overlaid) ReadFile(name string) ([]byte, error) {
	if name == o.file {
		return []byte(o.text), nil
	}
	return o.FS.ReadFile(name)
}

func TestFixes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, certain, likely string }{
		{"unused, with decorators and its comment",
			"// about the file\n\n// the region\n@description('r')\nparam region string // tail\n\n// the size\nparam size string\noutput o string = size\n",
			"// about the file\n\n// the size\nparam size string\noutput o string = size\n", ""},
		{"a comment that may be about the next one stays",
			"var x = 1\n// both\nparam a string\nparam b string\noutput o string = '${b}-${x}'\n",
			"var x = 1\n// both\nparam b string\noutput o string = '${b}-${x}'\n", ""},
		{"the comment that begins the file stays", "// licence\nparam a string\n", "// licence\n", ""},
		{"variables one after the other", "var a = 1\nvar b = a\nvar c = b\n\noutput o int = 1\n", "output o int = 1\n", ""},
		{"a type", "type t = {\n  a: string\n}\r\noutput o int = 1\r\n", "output o int = 1\r\n", ""},
		{"a comment of several lines, and a pragma", "output o int = 1\n\n/*\n a\n*/\n#disable-next-line no-x\nvar a = [\n  1\n]\n", "output o int = 1\n", ""},
		{"no line end at the end", "output o int = 1\nvar a = 1", "output o int = 1\n", ""},
		{"part of an import", "import { A, C } from 'e.bicep'\noutput o A = 'x'\n", "import { A } from 'e.bicep'\noutput o A = 'x'\n", ""},
		{"lines of an import", "import {\n  A // a\n  C // c\n  q as d\n} from 'e.bicep'\noutput o C = 1\n", "import {\n  C // c\n} from 'e.bicep'\noutput o C = 1\n", ""},
		{"whole imports", "import { A, C } from 'e.bicep'\nimport * as e from 'e.bicep'\noutput o int = 1\n", "output o int = 1\n", ""},
		{"concat", "param a string\noutput o string = concat('it\\'s $', '{', a, '${a}', '''x'y''', concat('z', a))\n",
			"param a string\noutput o string = 'it\\'s \\${${a}${a}x\\'yz${a}'\n", ""},
		{"a comment in concat stays", "param a string\noutput o string = concat(a /* first */, 'x')\n", "param a string\noutput o string = concat(a /* first */, 'x')\n", ""},
		{"interpolation", "param a string\noutput o string = '${a}'\n", "param a string\noutput o string = a\n", ""},
		{"quotes", "param a object\nvar b = { 'c': 1, 'd-e': 2 }\noutput o string = a['f']\noutput p object = b\n",
			"param a object\nvar b = { c: 1, 'd-e': 2 }\noutput o string = a.f\noutput p object = b\n", ""},
		{"json", "output o object? = json(' null ')\n", "output o object? = null\n", ""},
		{"a misspelt name", "param region string\noutput o string = regoin\n", "param region string\noutput o string = region\n", ""},
		{"a misspelt name with several that are near", "var item1 = 1\nvar item2 = 2\noutput o array = [item1, item2, item3]\n",
			"var item1 = 1\nvar item2 = 2\noutput o array = [item1, item2, item3]\n", "var item1 = 1\nvar item2 = 2\noutput o array = [item1, item2, item1]\n"},
		{"a misspelt property", "var a = { firstOne: 1 }\noutput o int = a.fristOne\n", "var a = { firstOne: 1 }\noutput o int = a.firstOne\n", ""},
		{"a misspelt type", "param a strng\noutput o string = a\n", "param a string\noutput o string = a\n", ""},
		{"an error may be why a parameter is unused", "param a string\noutput o string = nothingLikeIt\n", "param a string\noutput o string = nothingLikeIt\n", "output o string = nothingLikeIt\n"},
		{"what sounds like a secret", "@description('x')\nparam password string\nvar a = length(password)\noutput o int = a\n",
			"@description('x')\nparam password string\nvar a = length(password)\noutput o int = a\n", "@secure()\n@description('x')\nparam password string\nvar a = length(password)\noutput o int = a\n"},
		{"unused, and like a secret", "param password string\n\nparam other string\noutput o string = other\n", "param other string\noutput o string = other\n", ""},
		{"dependencies", "resource a 'My.Rp/a@2020-01-01' = {\n  name: 'a'\n}\nresource b 'My.Rp/b@2020-01-01' = {\n  name: a.name\n  dependsOn: [\n    a\n  ]\n}\nresource c 'My.Rp/c@2020-01-01' = { name: b.name, dependsOn: [b, d] }\nresource d 'My.Rp/d@2020-01-01' = {\n  name: 'd'\n}\n",
			"resource a 'My.Rp/a@2020-01-01' = {\n  name: 'a'\n}\nresource b 'My.Rp/b@2020-01-01' = {\n  name: a.name\n}\nresource c 'My.Rp/c@2020-01-01' = { name: b.name, dependsOn: [d] }\nresource d 'My.Rp/d@2020-01-01' = {\n  name: 'd'\n}\n", ""},
		{"a question that .? answers", "param a object\noutput o string = contains(a, 'b') ? a.b : 'x'\n", "param a object\noutput o string = contains(a, 'b') ? a.b : 'x'\n", "param a object\noutput o string = a.?b ?? 'x'\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			files := source.Memory{"/p/main.bicep": c.in, "/p/e.bicep": "@export()\ntype A = string\n@export()\ntype C = int\n@export()\nvar q = 1\n"}
			got, _ := repaired(t, files, "/p/main.bicep", report.Certain)
			assert.Equal(t, c.certain, got)
			if c.likely == "" {
				c.likely = c.certain
			}
			got, _ = repaired(t, files, "/p/main.bicep", report.Likely)
			assert.Equal(t, c.likely, got)
		})
	}
}

// Fixes that are not asked for cost nothing.
func TestFixesAreMadeOnRequest(t *testing.T) {
	t.Parallel()
	r, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{FS: source.Memory{"/main.bicep": "var a = 1\n"}, File: "/main.bicep"})
	require.NoError(t, err)
	require.Len(t, r.Findings, 1)
	assert.Nil(t, r.Findings[0].Fix)
}

// The repairs of these rules leave the template as it is, byte for byte.
var keepTemplate = map[string]bool{"prefer-unquoted-property-names": true}

// What is repaired compiles as before, over a part of the programs that the official
// compiler has answered for.
func TestFixesKeepProgramsCorrect(t *testing.T) {
	t.Parallel()
	files := 0
	seen := map[string]int{}
	for _, list := range programs(t) {
		for i, p := range list {
			if i%7 != 0 || !strings.HasSuffix(p.Entry, ".bicep") {
				continue
			}
			file, memory := p.memory()
			before, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{File: file, FS: memory, NoRestore: true, Fixes: true})
			require.NoError(t, err)
			if len(report.ChooseFixes(file, before.Findings, report.Likely)) == 0 {
				continue
			}
			files++
			for _, level := range []report.Certainty{report.Certain, report.Likely} {
				text, codes := repaired(t, memory, file, level)
				after, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{File: file, FS: overlaid{memory, file, text}, NoRestore: true})
				require.NoError(t, err)
				same := before.OK() && level == report.Certain
				for code := range codes {
					seen[code]++
					same = same && keepTemplate[code]
				}
				if before.OK() {
					assert.True(t, after.OK(), "%s, %s:\n%s\nbecame\n%s\n%v", p.ID, level, p.Files[p.Entry], text, after.Findings)
				}
				if same {
					assert.Equal(t, string(before.Template), string(after.Template), p.ID)
				}
			}
		}
	}
	t.Logf("%d files: %v", files, seen)
	assert.Greater(t, files, 100)
	for code := range keepTemplate {
		assert.Positive(t, seen[code], code)
	}
}
