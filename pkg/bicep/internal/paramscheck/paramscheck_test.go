package paramscheck_test

import (
	"testing"

	"github.com/radbicep/rad/pkg/bicep/internal/casetest"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/checktest"
	"github.com/radbicep/rad/pkg/bicep/internal/paramscheck"
)

// TestCases checks the parameter files of testdata/cases against their templates.
func TestCases(t *testing.T) {
	t.Parallel()
	casetest.Run(t, func(t *testing.T, c casetest.Case) (r casetest.Result) {
		o := check.Options{Inspectors: []check.Inspector{paramscheck.Inspector{}}}
		for _, d := range checktest.Program(t, c.Entry, c.Files, o).Entry().Diagnostics() {
			r.Add(d)
		}
		return r
	})
}
