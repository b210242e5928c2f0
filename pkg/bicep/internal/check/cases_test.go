package check_test

import (
	"testing"

	"github.com/radbicep/rad/pkg/bicep/internal/casetest"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/checktest"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
)

// TestCases checks the programs of testdata/cases, and the files that they use.
func TestCases(t *testing.T) {
	t.Parallel()
	casetest.Run(t, func(t *testing.T, c casetest.Case) casetest.Result {
		p := checktest.Program(t, c.Entry, c.Files, check.Options{})
		var list diag.List
		for _, f := range p.Graph.Files {
			m := p.Model(f)
			if m == nil {
				continue
			}
			for _, d := range m.Diagnostics() {
				d.File = f.Source
				list.Add(d)
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
		return casetest.Result{Findings: diag.Findings(p.Graph.Entry.Path, list)}
	})
}
