package paramsfile_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/paramsfile"
)

// What a whole parameter file becomes is tested where it is compiled: see
// pkg/bicep/embedded_params_test.go.

func TestOverride(t *testing.T) {
	t.Parallel()
	const file = "using none\n@description('d')\nparam a = { // kept\n  x: 1\n} // kept too\nparam b = a\n"
	for _, c := range []struct{ name, values, want string }{
		{"nothing", `{}`, file},
		{"null is nothing", `null`, file},
		{"a value, in its place", `{"a": "x"}`, "using none\n@description('d')\nparam a = 'x' // kept too\nparam b = a\n"},
		{"each value once, in the order of the file", `{"b": 2, "a": 1}`, "using none\n@description('d')\nparam a = 1 // kept too\nparam b = 2\n"},
		{"what the file lacks, at its end", `{"z": true, "y": null}`, file + "\n\nparam z = true\n\nparam y = null"},
		{"text that would mean something", `{"b": "it's ${a} \\ \n"}`, "using none\n@description('d')\nparam a = { // kept\n  x: 1\n} // kept too\nparam b = 'it\\'s \\${a} \\\\ \\n'\n"},
		{"nesting", `{"b": {"k": [1, -2, 2.50, []], "a b": {}}}`,
			"using none\n@description('d')\nparam a = { // kept\n  x: 1\n} // kept too\nparam b = {\n  k: [\n    1\n    -2\n    json('2.5')\n    [\n    ]\n  ]\n  'a b': {\n  }\n}\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := paramsfile.Override(file, c.values)
			require.NoError(t, err)
			assert.Equal(t, c.want, got)
		})
	}
	for _, values := range []string{``, `{`, `[]`, `"a"`, `{"a b": 1}`, `{"1": 1}`, `{"": 1}`} {
		if got, err := paramsfile.Override(file, values); err == nil {
			t.Errorf("%s is taken: %q", values, got)
		}
	}
}
