package deploytime_test

import (
	"testing"

	"github.com/radbicep/rad/pkg/bicep/internal/casetest"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/checktest"
	"github.com/radbicep/rad/pkg/bicep/internal/deploytime"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
)

// TestCases runs this check alone on the programs of testdata/cases.
func TestCases(t *testing.T) {
	t.Parallel()
	casetest.Run(t, func(t *testing.T, c casetest.Case) casetest.Result {
		m := checktest.Program(t, c.Entry, c.Files, check.Options{}).Entry()
		var r casetest.Result
		deploytime.Inspector{}.Inspect(m, func(d diag.Diagnostic) {
			d.File = m.Source()
			r.Add(d)
		})
		return r
	})
}
