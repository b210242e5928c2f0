package settings

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUnknownVariables(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"RAD_BICEP_TRAGET":   `the environment's RAD_BICEP_TRAGET is not a setting; did you mean "RAD_BICEP_TARGET"?`,
		"RAD_BICEP_COMPILR":  `the environment's RAD_BICEP_COMPILR is not a setting; did you mean "RAD_BICEP_COMPILER"?`,
		"RAD_BICEP_XX":       `the environment's RAD_BICEP_XX is not a setting; unset it ('rad bicep schema settings' lists the settings)`,
		"RAD_BICEP_FOO":      `the environment's RAD_BICEP_FOO is not a setting; unset it ('rad bicep schema settings' lists the settings)`,
		"RAD_BICEP_PASSWORD": `the environment's RAD_BICEP_PASSWORD is not a setting; unset it ('rad bicep schema settings' lists the settings)`,
		"RAD_BICEP_":         `the environment's RAD_BICEP_ is not a setting; unset it ('rad bicep schema settings' lists the settings)`,
	} {
		require.EqualError(t, unknownVariables([]string{"PATH=/bin", "RAD_BICEP_TARGET=radius", CallerVariable + "=1", name + "=1"}), want)
	}
	require.NoError(t, unknownVariables([]string{"RAD_BICEP=/usr/bin/bicep", "RAD_BICEP_OUTDIR=out", "PATH"}))
}
