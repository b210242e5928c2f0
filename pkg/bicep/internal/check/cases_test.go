package check_test

import (
	"testing"

	"github.com/radbicep/rad/pkg/bicep/internal/casetest"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/checktest"
)

// TestCases checks the programs of testdata/cases, and the files that they use.
func TestCases(t *testing.T) {
	t.Parallel()
	casetest.Run(t, func(t *testing.T, c casetest.Case) casetest.Result {
		p := checktest.Program(t, c.Entry, c.Files, check.Options{})
		var r casetest.Result
		for _, f := range p.Graph.Files {
			m := p.Model(f)
			if m == nil {
				continue
			}
			for _, d := range m.Diagnostics() {
				d.File = f.Source
				r.Add(d)
			}
		}
		m := p.Entry()
		for _, p := range m.Parameters() {
			_ = p.Type.Type()
		}
		for _, o := range m.Outputs() {
			_ = o.Type.Type()
		}
		m.Exports()
		return r
	})
}
