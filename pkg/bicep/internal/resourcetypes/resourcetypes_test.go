package resourcetypes_test

import (
	"testing"

	"github.com/radbicep/rad/pkg/bicep/internal/casetest"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/checktest"
)

// TestCases checks the programs of testdata/cases.
func TestCases(t *testing.T) {
	t.Parallel()
	casetest.Run(t, func(t *testing.T, c casetest.Case) (r casetest.Result) {
		for _, d := range checktest.Program(t, c.Entry, c.Files, check.Options{}).Entry().Diagnostics() {
			r.Add(d)
		}
		return r
	})
}
