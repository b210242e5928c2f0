package bicep_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/internal/casetest"
)

// TestCases compiles the programs of testdata/cases with the embedded compiler.
// The only variable of the environment is KNOWN.
func TestCases(t *testing.T) {
	t.Parallel()
	casetest.Run(t, func(t *testing.T, c casetest.Case) casetest.Result {
		r := bicep.Request{File: "/p/" + c.Entry, FS: c.Sources(), Env: variables{"KNOWN": "from the environment"}}
		compile := bicep.Embedded{}.Build
		if c.Entry == "main.bicepparam" {
			compile = bicep.Embedded{}.BuildParams
		}
		result, err := compile(context.Background(), r)
		require.NoError(t, err)
		for i := range result.Findings {
			f := &result.Findings[i]
			f.Message = strings.ReplaceAll(f.Message, filepath.FromSlash("/p/"), "")
		}
		return casetest.Result{Findings: result.Findings, Template: result.Template, Parameters: result.Parameters}
	})
}
