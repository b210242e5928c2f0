package report_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

func TestVisible(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"app.bicep":                 "app.bicep",
		"größe-日本-😀.bicep":          "größe-日本-😀.bicep",
		"a\nb\r\tc":                 `a\nb\r\tc`,
		"\x1b[31mred\x07\x7f\u0085": `\x1b[31mred\x07\x7f\x85`,
		"abc\u202edef\u2066\u200f":  `abc\u202edef\u2066\u200f`,
		"x\u2028y\u2029\ufeff":      `x\u2028y\u2029\ufeff`,
		"\xff\xfe":                  `\xff\xfe`,
		"a ##[error]b":              "a ## [error]b",
		"a ##vso[task.x]b":          "a ## vso[task.x]b",
		"##VsO[task.x]":             "## VsO[task.x]",
		"###[x]":                    "## #[x]",
		"## heading ::x":            "## heading ::x",
		"":                          "",
	} {
		require.Equal(t, want, report.Visible(in), "%q", in)
	}
}

func TestLinesHoldNoCommands(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"::add-mask::x", " \t::stop", "\u00a0::x", "\r::x"} {
		got := report.Lines("one\n" + line + "\nthree ::not")
		require.NotContains(t, got, strings.TrimLeft(line, " \t\r\u00a0"))
		require.Contains(t, got, "\nthree ::not")
	}
	require.Equal(t, "a\nb\n", report.Lines("a\nb\n"))
}

// Text that a repository chooses is never a command, nor does it steer a terminal, in any format.
func TestNoFormatLetsCommandsThrough(t *testing.T) {
	t.Parallel()
	for _, attack := range []string{"::add-mask::b", "\n::add-mask::b", "\r\n::warning::b", "##[add-mask]b", "x ##vso[task.setvariable variable=a]b", "\x1b]0;b\x07", "\u202eb", "\x7fb", "\u009b31mb", "\u2066b", "\U000e0001b", "a\u2028::error::b", "];code=x"} {
		f := report.Finding{Path: "/w/" + attack + ".bicep", Severity: report.Error, Code: "c" + attack, Message: attack, URL: "https://x" + attack, Line: attack, Start: source.Position{Line: 1, Column: 1}}
		for _, format := range report.Formats {
			var b strings.Builder
			p := report.Printer{Format: format, Base: "/w", Snippets: true}
			require.NoError(t, p.Print(&b, []report.Finding{f}))
			require.False(t, strings.ContainsAny(b.String(), "\x1b\x07\x7f\u009b\u202e\u2066\u2028\U000e0001"), "%s: %q", format, b.String())
			for i, line := range strings.Split(b.String(), "\n") {
				own := format == report.GitHub && i == 0 || format == report.Azure && i == 0
				rest := strings.TrimSpace(line)
				if own {
					rest = rest[2:]
				}
				require.False(t, strings.HasPrefix(rest, "::"), "%s: %q", format, line)
				if !own { // to what reads it, the first command of a line is the only one
					require.NotContains(t, strings.TrimPrefix(rest, "vso["), "##[", "%s: %q", format, line)
				}
				if !own {
					require.NotContains(t, rest, "##vso[", "%s: %q", format, line)
				}
			}
		}
	}
}

// TestEncodeJSON: characters that are not to be printed are escapes, which mean the same.
func TestEncodeJSON(t *testing.T) {
	t.Parallel()
	const value = "\x1b[31m\u009b##vso[x]\u202e\u2028 ü漢字é \U000e0001"
	text, err := report.EncodeJSON([]string{value})
	require.NoError(t, err)
	require.Equal(t, `[
  "\u001b[31m\u009b#\u0023vso[x]\u202e\u2028 ü漢字é \udb40\udc01"
]
`, string(text))
	var back []string
	require.NoError(t, json.Unmarshal(text, &back))
	require.Equal(t, []string{value}, back)
}
