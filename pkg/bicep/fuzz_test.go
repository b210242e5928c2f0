package bicep_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep"
)

// Whatever the text, a compile ends in a template that is JSON, or in findings,
// and never in an internal error. RAD_FUZZ_SEEDS may name a folder of .bicep
// files to begin with.
func FuzzBuild(f *testing.F) {
	for _, text := range []string{
		"param a string = 'x'\noutput b string = '${a}!'\n",
		"type t = { a: t?, b: 'x' | 'y', *: int }\nparam p t\noutput o string = p.?a.?b ?? 'z'\n",
		"import { f, v as w } from 'lib.bicep'\nvar x = map(range(0, 3), i => f(i, w))\noutput o array = x\n",
		"module m 'lib.bicep' = [for (x, i) in [1, 2]: if (x > 1) {\n  name: 'm${i}'\n}]\noutput o object = m[0].outputs\n",
		"resource r 'A.B/c@2020-01-01' = {\n  name: 'n'\n  resource s 'd' existing = {\n    name: 'k'\n  }\n}\noutput o string = r::s.id\n",
		"extension radius\nparam e string\nresource a 'Applications.Core/applications@2023-10-01-preview' = {\n  name: 'a'\n  properties: {\n    environment: e\n  }\n}\n",
		"func f(a string) string => '${a}${f(a)}'\n@sys.secure()\n@minLength(3)\nparam p string\n#disable-next-line BCP057\nvar v = nope\n",
		"targetScope = 'subscription'\nmodule m 'lib.bicep' = {\n  scope: resourceGroup('x')\n}\noutput o string = m.outputs.u\n",
	} {
		f.Add(text)
	}
	if dir := os.Getenv("RAD_FUZZ_SEEDS"); dir != "" {
		files, _ := filepath.Glob(filepath.Join(dir, "*.bicep"))
		for _, name := range files {
			if text, err := os.ReadFile(name); err == nil {
				f.Add(string(text))
			}
		}
	}
	dir := f.TempDir()
	lib := "@export()\nfunc f(a int, b string) string => '${a}${b}'\n@export()\nvar v = 'q'\n@export()\ntype t = string[]\noutput u string = v\n"
	require.NoError(f, os.WriteFile(filepath.Join(dir, "lib.bicep"), []byte(lib), 0o600))
	f.Fuzz(func(t *testing.T, text string) {
		file := filepath.Join(dir, "main.bicep")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		r, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{File: file, FS: bicep.Dir(dir), Root: dir, NoRestore: true})
		require.NoError(t, err)
		require.Equal(t, (r.Template != nil), r.OK(), "findings %v, template %s", r.Findings, r.Template)
		require.False(t, r.OK() && !json.Valid(r.Template), "findings %v, template %s", r.Findings, r.Template)
		for _, x := range r.Findings {
			_ = x.Message
		}
	})
}
