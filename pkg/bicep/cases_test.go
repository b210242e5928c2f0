package bicep_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/internal/casetest"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// TestCases compiles the programs of testdata/cases with the embedded compiler.
// The only variable of the environment is KNOWN.
func TestCases(t *testing.T) {
	t.Parallel()
	casetest.Run(t, func(t *testing.T, c casetest.Case) casetest.Result {
		dir := t.TempDir()
		for name, text := range c.Files {
			path := filepath.Join(dir, filepath.FromSlash(name))
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
			require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		}
		r := bicep.Request{File: filepath.Join(dir, c.Entry), FS: source.Below(dir), Env: variables{"KNOWN": "from the environment"}}
		compile := bicep.Embedded{}.Build
		if c.Entry == "main.bicepparam" {
			compile = bicep.Embedded{}.BuildParams
		}
		result, err := compile(context.Background(), r)
		require.NoError(t, err)
		for i := range result.Findings {
			f := &result.Findings[i]
			name, err := filepath.Rel(dir, f.Path)
			require.NoError(t, err)
			f.Path = "/p/" + filepath.ToSlash(name)
			f.Message = strings.ReplaceAll(f.Message, dir+string(filepath.Separator), "")
		}
		return casetest.Result{Findings: result.Findings, Template: result.Template, Parameters: result.Parameters}
	})
}
