package bicep_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/source"
)

func TestAssignedParameters(t *testing.T) {
	t.Parallel()
	files := source.Memory{
		"/p/main.bicepparam": "using 'main.bicep'\nextends 'base.bicepparam'\nparam a = 1\nparam b = null\nparam c = broken(",
		"/p/base.bicepparam": "using none\nextends 'main.bicepparam'\nparam a = null\nparam b = 2\nparam d = 'x'",
	}
	assigned, err := bicep.AssignedParameters(files, "/p/main.bicepparam")
	require.NoError(t, err)
	require.Equal(t, map[string]bool{"a": true, "b": false, "c": true, "d": true}, assigned)
	_, err = bicep.AssignedParameters(source.Memory{"/p/a.bicepparam": "extends 'none.bicepparam'"}, "/p/a.bicepparam")
	require.Error(t, err)
}

func TestDeclaredParameters(t *testing.T) {
	t.Parallel()
	files := source.Memory{
		"/p/main.bicep":      "param a string\nvar v = 1\nparam b int = broken(",
		"/p/main.json":       `{ "parameters": { /* one */ "c": { "type": "string" }, "d": {} } }`,
		"/p/empty.json":      `{}`,
		"/p/a.bicepparam":    "using 'main.json'",
		"/p/none.bicepparam": "using none",
		"/p/self.bicepparam": "using 'self.bicepparam'",
		"/p/broken.json":     `[`,
	}
	for path, want := range map[string][]string{
		"/p/main.bicep": {"a", "b"}, "/p/main.json": {"c", "d"}, "/p/empty.json": nil,
		"/p/a.bicepparam": {"c", "d"}, "/p/none.bicepparam": nil, "/p/self.bicepparam": nil,
	} {
		list, err := bicep.DeclaredParameters(files, path)
		require.NoError(t, err, path)
		var names []string
		for _, p := range list {
			names = append(names, p.Name)
		}
		require.Equal(t, want, names, path)
	}
	for _, path := range []string{"/p/broken.json", "/p/absent.bicep", "/p/absent.json"} {
		_, err := bicep.DeclaredParameters(files, path)
		require.Error(t, err, path)
	}
}
