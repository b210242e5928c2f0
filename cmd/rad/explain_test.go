package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/params"
)

// TestCommandCodes runs the examples of the codes that commands report.
func TestCommandCodes(t *testing.T) {
	known := map[string]bool{}
	for _, c := range commandCodes {
		t.Run(c.code, func(t *testing.T) {
			known[c.code] = true
			dir := t.TempDir()
			t.Chdir(dir)
			t.Setenv("HOME", dir)
			t.Setenv("XDG_CONFIG_HOME", "")
			write(t, filepath.Join(dir, ".git", "HEAD"), "")
			for _, f := range c.files {
				write(t, filepath.Join(dir, f.Name), f.Text)
			}
			args := strings.Fields(c.command)[1:]
			if !strings.Contains(c.command, "--diagnostics-format") {
				args = append(args, "--diagnostics-format", "json")
			}
			status, _, errs := runIn(t, args...)
			require.Equal(t, c.explanation().Level == report.Error, status != 0)
			require.Equal(t, 1, strings.Count(errs, `"code": "`), errs)
			require.Contains(t, errs, `"code": "`+c.code+`"`)
		})
	}
	for _, code := range parameterCodes {
		require.True(t, known[code], code)
	}
	require.True(t, known[params.CodeFile])
}
