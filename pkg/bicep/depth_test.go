package bicep_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Modules that nest more deeply than an expansion goes are refused before the template is written, at the place of the
// first that is too deep. A template that is not to be expanded may have them.
func TestModulesThatNestTooDeeply(t *testing.T) {
	t.Parallel()
	limit := expand.DefaultLimits().Modules
	build := func(deep int, symbolic bool) *bicep.Result {
		files := source.Memory{"m0.bicep": "module shallow 'm" + fmt.Sprint(deep) + ".bicep' = { name: 's' }\nmodule m 'm1.bicep' = { name: 'm1' }\n"}
		for i := 1; i < deep; i++ {
			files[fmt.Sprintf("m%d.bicep", i)] = fmt.Sprintf("\nmodule m 'm%d.bicep' = { name: 'm' }\n", i+1)
		}
		files[fmt.Sprintf("m%d.bicep", deep)] = "output o string = 'x'\n"
		r, err := bicep.Embedded{}.Build(t.Context(), bicep.Request{FS: files, File: "m0.bicep", Options: bicep.Options{Symbolic: symbolic}})
		require.NoError(t, err)
		return r
	}
	r := build(limit, true)
	require.True(t, r.OK())
	template, err := r.TemplateTree()
	require.NoError(t, err)
	_, err = expand.Expand(template, expand.Options{})
	require.NoError(t, err, "what is not refused can be expanded")

	r = build(limit+1, true)
	require.False(t, r.OK())
	require.Empty(t, r.Template)
	require.Equal(t, fmt.Sprintf("m%d.bicep(2,1) : Error cannot-expand: Modules nest more than %d levels deep.", limit, limit), fmt.Sprint(r.Findings[len(r.Findings)-1]))

	require.True(t, build(limit+1, false).OK())
}
