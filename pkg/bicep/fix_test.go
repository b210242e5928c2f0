package bicep_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
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
			FS: overlaid{fsys, file, text}, File: file, Options: bicep.Options{Fixes: true}, DiagnoseOnly: true, NoRestore: true})
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

// TestFixes repairs the programs of testdata/fixes.txtar.
func TestFixes(t *testing.T) {
	t.Parallel()
	archive, err := txtar.ParseFile("testdata/fixes.txtar")
	require.NoError(t, err)
	shared := ""
	cases := map[string]map[string]string{}
	for _, f := range archive.Files {
		name, part, ok := strings.Cut(f.Name, "/")
		if !ok {
			shared = string(f.Data)
			continue
		}
		if cases[name] == nil {
			cases[name] = map[string]string{}
		}
		cases[name][part] = string(f.Data)
	}
	require.Greater(t, len(cases), 20)
	// An archive cannot hold these line ends.
	cases["the line ends of Windows"] = map[string]string{"before": "type t = {\n  a: string\n}\r\noutput o int = 1\r\n", "certain": "output o int = 1\r\n"}
	cases["no line end at the end"] = map[string]string{"before": "output o int = 1\nvar a = 1", "certain": "output o int = 1\n"}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for part := range c {
				require.Contains(t, []string{"before", "certain", "likely"}, part)
			}
			certain, changes := c["certain"]
			if !changes {
				certain = c["before"]
			}
			likely, changes := c["likely"]
			if !changes {
				likely = certain
			}
			files := source.Memory{"/p/main.bicep": c["before"], "/p/e.bicep": shared}
			got, _ := repaired(t, files, "/p/main.bicep", report.Certain)
			assert.Equal(t, certain, got)
			got, _ = repaired(t, files, "/p/main.bicep", report.Likely)
			assert.Equal(t, likely, got)
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
			before, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{File: file, FS: memory, NoRestore: true, Options: bicep.Options{Fixes: true}})
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
