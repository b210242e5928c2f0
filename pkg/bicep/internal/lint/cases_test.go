package lint_test

import (
	"testing"

	"github.com/radbicep/rad/pkg/bicep/internal/casetest"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/checktest"
	"github.com/radbicep/rad/pkg/bicep/internal/lint"
)

// TestCases runs the rule that an archive of testdata/cases is named after on the
// programs in it. Other diagnostics are left out.
func TestCases(t *testing.T) {
	t.Parallel()
	casetest.Run(t, func(t *testing.T, c casetest.Case) casetest.Result {
		if _, ok := c.Files["bicepconfig.json"]; !ok {
			c.Files["bicepconfig.json"] = only(c.Archive, "")
		}
		var r casetest.Result
		for _, d := range checktest.Program(t, c.Entry, c.Files, check.Options{Inspectors: []check.Inspector{lint.Inspector{}}}).Entry().Diagnostics() {
			if d.Code() == c.Archive {
				r.Add(d)
			}
		}
		return r
	})
}
