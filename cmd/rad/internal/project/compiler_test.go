package project

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep"
)

func TestChooseCompiler(t *testing.T) {
	t.Parallel()
	unset := func(string) string { return "" }
	c, err := chooseCompiler("embedded", "0.49", "", 0, unset)
	require.NoError(t, err)
	assert.IsType(t, bicep.Embedded{}, c)
	for required, release := range map[string]string{"0.50": "", "0.45": "0.49.2"} {
		_, err = chooseCompiler("embedded", required, release, 0, unset)
		assert.ErrorContains(t, err, "the embedded compiler is Bicep 0.49.2.45890, and requiredVersion is "+required)
	}
	_, err = chooseCompiler("embedded", "0.45", "", 0, unset)
	require.NoError(t, err, "a bicepconfig.json may choose it")
	// auto does not look at the PATH: two machines must agree.
	c, err = chooseCompiler("", "", "", 0, unset)
	require.NoError(t, err)
	assert.IsType(t, bicep.Embedded{}, c)
	_, err = chooseCompiler("auto", "", "", 0, func(name string) string { return map[string]string{"BICEP": "/nowhere"}[name] })
	assert.ErrorContains(t, err, "the environment's BICEP")
}
