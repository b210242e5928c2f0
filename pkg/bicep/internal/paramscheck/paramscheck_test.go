package paramscheck_test

import (
	"testing"

	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/checktest"
	"github.com/radbicep/rad/pkg/bicep/internal/paramscheck"
)

// TestCases checks the parameter files of testdata/cases against their templates.
func TestCases(t *testing.T) {
	t.Parallel()
	checktest.RunCases(t, check.Options{Inspectors: []check.Inspector{paramscheck.Inspector{}}})
}
