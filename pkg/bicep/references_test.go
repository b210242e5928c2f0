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
