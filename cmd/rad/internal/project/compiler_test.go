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
	_, err = chooseCompiler("embedded", "0.50", "", 0, unset)
	assert.ErrorContains(t, err, "requiredVersion is 0.50")
	// auto does not look at the PATH: two machines must agree.
	c, err = chooseCompiler("", "", "", 0, unset)
	require.NoError(t, err)
	assert.IsType(t, bicep.Embedded{}, c)
	_, err = chooseCompiler("auto", "", "", 0, func(name string) string { return map[string]string{"BICEP": "/nowhere"}[name] })
	assert.ErrorContains(t, err, "the environment's BICEP")
}
