package resourcetypes_test

import (
	"testing"

	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/checktest"
)

// TestCases checks the programs of testdata/cases.
func TestCases(t *testing.T) {
	t.Parallel()
	checktest.RunCases(t, check.Options{})
}
