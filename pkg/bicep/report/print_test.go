package report_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

func at(line, column int) source.Position { return source.Position{Line: line, Column: column} }

var wrong = report.Finding{Path: "/repo/infra/app.bicep", Start: at(3, 9), End: at(3, 14), Severity: report.Error,
	Code: "BCP302", Message: "no type strin", URL: "https://example.com/x", Line: "param x strin"}

func printed(t *testing.T, p report.Printer, findings ...report.Finding) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, p.Print(&b, findings))
	return b.String()
}

func TestText(t *testing.T) {
	t.Parallel()
	got, want := printed(t, report.Printer{}, wrong), "/repo/infra/app.bicep(3,9) : Error BCP302: no type strin [https://example.com/x]\n"
	assert.Equal(t, want, got)
	got, want = printed(t, report.Printer{Base: "/repo"}, wrong), "infra/app.bicep(3,9) : Error BCP302: no type strin [https://example.com/x]\n"
	assert.Equal(t, want, got)
	got, want = printed(t, report.Printer{Base: "/other"}, wrong), "/repo/infra/app.bicep(3,9) : "
	assert.True(t, strings.HasPrefix(got, want), "%q, want %q", got, want)
	plain := report.Finding{Path: "a.bicep", Severity: report.Warning, Code: "x", Message: "m"}
	got, want = printed(t, report.Printer{}, plain, report.Finding{Severity: report.Info, Code: "y", Message: "n"}), "a.bicep : Warning x: m\nInfo y: n\n"
	assert.Equal(t, want, got)
	nasty := report.Finding{Path: "a\x1b[2Jb", Severity: report.Error, Code: "x", Message: "line\nbreak\u202e \x07"}
	got = printed(t, report.Printer{}, nasty)
	require.False(t, strings.ContainsAny(got, "\x1b\x07\u202e"), "%q", got)
	require.Equal(t, 1, strings.Count(got, "\n"), "%q", got)
}

func TestSnippets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		line       string
		start, end int
		want       string
	}{
		{"param x strin", 9, 14, "  3 | param x strin\n    |         ^^^^^\n"},
		{"param x strin", 9, 0, "  3 | param x strin\n    |         ^\n"},
		{"param x =", 10, 10, "  3 | param x =\n    |          ^\n"},
		{"\tparam", 2, 7, "  3 |  param\n    |  ^^^^^\n"},
		{"a '🚀' b", 8, 9, "  3 | a '🚀' b\n    |        ^\n"},
		{"漢字 x", 4, 5, "  3 | 漢字 x\n    |      ^\n"},
		{strings.Repeat("x", 300) + "y", 301, 302, "  3 | " + strings.Repeat("x", 40) + "y\n    | " + strings.Repeat(" ", 40) + "^\n"},
	} {
		f := wrong
		f.Line, f.Start, f.End = c.line, at(3, c.start), at(3, c.end)
		_, got, _ := strings.Cut(printed(t, report.Printer{Snippets: true}, f), "\n")
		assert.Empty(t, cmp.Diff(c.want, got), "%q at %d", c.line, c.start)
	}
	colored := printed(t, report.Printer{Snippets: true, Color: true}, wrong)
	assert.Contains(t, colored, "\x1b[31m        ^^^^^\x1b[0m")
}

func TestCommandsOfPipelinesCannotBeForged(t *testing.T) {
	t.Parallel()
	f := wrong
	f.Path = "/repo/a,b:c%.bicep"
	f.Message = "50%\n::error::forged ##vso[task.complete]"
	got := printed(t, report.Printer{Format: report.GitHub, Base: "/repo"}, f)
	assert.Equal(t, "::error file=a%2Cb%3Ac%25.bicep,line=3,endLine=3,col=9,endColumn=14,title=BCP302::50%25%0A::error::forged ##vso[task.complete] [https://example.com/x]\n", got)
	got = printed(t, report.Printer{Format: report.Azure, Base: "/repo"}, f)
	require.Equal(t, 1, strings.Count(got, "\n"), "%q", got)
	require.True(t, strings.HasPrefix(got, "##vso[task.logissue type=error;sourcepath=a,b:c%AZP25.bicep;linenumber=3;columnnumber=9;code=BCP302;]50%AZP25%0A"), "%q", got)
}

func TestGitLab(t *testing.T) {
	t.Parallel()
	moved := wrong
	moved.Start, moved.End = at(30, 9), at(30, 14)
	type issue struct {
		CheckName   string `json:"check_name"`
		Fingerprint string
		Severity    string
		Location    struct {
			Path  string
			Lines struct{ Begin int }
		}
	}
	read := func(findings ...report.Finding) []issue {
		var out []issue
		require.NoError(t, json.Unmarshal([]byte(printed(t, report.Printer{Format: report.GitLab, Base: "/repo"}, findings...)), &out))
		return out
	}
	a, b := read(wrong), read(moved)
	require.Equal(t, b[0].Fingerprint, a[0].Fingerprint, "%+v %+v", a, b)
	require.Equal(t, "infra/app.bicep", a[0].Location.Path, "%+v %+v", a, b)
	require.Equal(t, 3, a[0].Location.Lines.Begin, "%+v %+v", a, b)
	require.Equal(t, "critical", a[0].Severity, "%+v %+v", a, b)
	both := read(wrong, moved)
	assert.NotEqual(t, both[1].Fingerprint, both[0].Fingerprint, "two findings have one fingerprint")
	assert.Equal(t, "[]\n", printed(t, report.Printer{Format: report.GitLab}))
}
