package test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/codes"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/params"
)

// TestCommandCodes runs the examples of the codes that commands report.
func TestCommandCodes(t *testing.T) {
	known := map[string]bool{}
	for _, c := range codes.Commands() {
		t.Run(c.Code, func(t *testing.T) {
			known[c.Code] = true
			if c.Command == "" {
				t.Skip("no example")
			}
			dir := t.TempDir()
			t.Chdir(dir)
			t.Setenv("HOME", dir)
			t.Setenv("XDG_CONFIG_HOME", "")
			write(t, filepath.Join(dir, ".git", "HEAD"), "")
			for _, f := range c.Files {
				name, times, repeated := strings.Cut(f.Name, " *")
				n := 1
				if repeated {
					var err error
					n, err = strconv.Atoi(times)
					require.NoError(t, err)
				}
				write(t, filepath.Join(dir, name), strings.Repeat(f.Text, n))
			}
			args := strings.Fields(c.Command)[1:]
			count, shown := `"code": "`, `"code": "`+c.Code+`"`
			if args[1] == "format" { // it reports as text only
				count, shown = " : Warning ", " : Warning "+c.Code+": "
			} else if !strings.Contains(c.Command, "--diagnostics-format") {
				args = append(args, "--diagnostics-format", "json")
			}
			status, _, errs := runIn(t, args...)
			require.Equal(t, c.Explanation().Level == report.Error, status != 0)
			require.Equal(t, 1, strings.Count(errs, count), errs)
			require.Contains(t, errs, shown)
		})
	}
	for _, code := range cli.ParameterCodes {
		require.True(t, known[code], code)
	}
	require.True(t, known[params.CodeFile])
}

// TestEachCodeIsExplained: there is an entry for each code in the source of the
// commands and of the packages that they report findings of.
func TestEachCodeIsExplained(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, e := range codes.All() {
		known[e.Code] = true
	}
	written := regexp.MustCompile(`(?:\bCode:|\bCode[A-Z]\w* +=|\bwarn\([\w.]+,) *"([a-z][a-z-]*)"`)
	n := 0
	for _, pattern := range []string{"../internal/*/*.go", "../../../pkg/generate/*.go", "../../../pkg/bicep/*.go", "../../../pkg/bicep/*/*.go", "../../../pkg/manifest/*.go", "../../../pkg/manifest/*/*.go", "../../../pkg/params/*.go"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			for _, m := range written.FindAllStringSubmatch(string(text), -1) {
				n++
				require.True(t, known[m[1]], "%s: there is no entry for %s", name, m[1])
			}
		}
	}
	require.Greater(t, n, 30)
}
