package emit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/casetest"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/checktest"
	"github.com/radbicep/rad/pkg/bicep/internal/emit"
)

// TestCases compiles the programs of testdata/cases and compares parts of their templates.
func TestCases(t *testing.T) {
	t.Parallel()
	casetest.Run(t, func(t *testing.T, c casetest.Case) casetest.Result {
		p := checktest.Program(t, c.Entry, c.Files, check.Options{})
		text, err := emit.New(p, "1.2.3").Text(p.Graph.Entry)
		require.NoError(t, err)
		return casetest.Result{Template: text.Bytes()}
	})
}
