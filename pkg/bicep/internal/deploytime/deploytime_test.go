package deploytime_test

import (
	"testing"

	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/checktest"
	"github.com/radbicep/rad/pkg/bicep/internal/deploytime"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
)

func BenchmarkCheck(b *testing.B) {
	checktest.Benchmark(b, func(m *check.Model) { deploytime.Inspector{}.Inspect(m, func(diag.Diagnostic) {}) })
}
