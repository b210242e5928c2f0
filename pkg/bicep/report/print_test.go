package report_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

func at(line, column int) source.Position { return source.Position{Line: line, Column: column} }

var wrong = report.Finding{Path: "/repo/infra/app.bicep", Start: at(3, 9), End: at(3, 14), Severity: report.Error,
	Code: "BCP302", Message: "no type strin", URL: "https://example.com/x", Line: "param x strin"}

func printed(t *testing.T, p report.Printer, findings ...report.Finding) string {
	t.Helper()
	var b strings.Builder
	if err := p.Print(&b, findings); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestText(t *testing.T) {
	t.Parallel()
	if got, want := printed(t, report.Printer{}, wrong), "/repo/infra/app.bicep(3,9) : Error BCP302: no type strin [https://example.com/x]\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := printed(t, report.Printer{Base: "/repo"}, wrong), "infra/app.bicep(3,9) : Error BCP302: no type strin [https://example.com/x]\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := printed(t, report.Printer{Base: "/other"}, wrong), "/repo/infra/app.bicep(3,9) : "; !strings.HasPrefix(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	plain := report.Finding{Path: "a.bicep", Severity: report.Warning, Code: "x", Message: "m"}
	if got, want := printed(t, report.Printer{}, plain, report.Finding{Severity: report.Info, Code: "y", Message: "n"}), "a.bicep : Warning x: m\nInfo y: n\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	nasty := report.Finding{Path: "a\x1b[2Jb", Severity: report.Error, Code: "x", Message: "line\nbreak\u202e \x07"}
	if got := printed(t, report.Printer{}, nasty); strings.ContainsAny(got, "\x1b\x07\u202e") || strings.Count(got, "\n") != 1 {
		t.Errorf("%q", got)
	}
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
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q at %d: %s", c.line, c.start, diff)
		}
	}
	colored := printed(t, report.Printer{Snippets: true, Color: true}, wrong)
	if !strings.Contains(colored, "\x1b[31m        ^^^^^\x1b[0m") {
		t.Errorf("%q", colored)
	}
}

func TestCommandsOfPipelinesCannotBeForged(t *testing.T) {
	t.Parallel()
	f := wrong
	f.Path = "/repo/a,b:c%.bicep"
	f.Message = "50%\n::error::forged ##vso[task.complete]"
	got := printed(t, report.Printer{Format: report.GitHub, Base: "/repo"}, f)
	if want := "::error file=a%2Cb%3Ac%25.bicep,line=3,endLine=3,col=9,endColumn=14,title=BCP302::50%25%0A::error::forged ##vso[task.complete] [https://example.com/x]\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	got = printed(t, report.Printer{Format: report.Azure, Base: "/repo"}, f)
	if strings.Count(got, "\n") != 1 || !strings.HasPrefix(got, "##vso[task.logissue type=error;sourcepath=a,b:c%AZP25.bicep;linenumber=3;columnnumber=9;code=BCP302;]50%AZP25%0A") {
		t.Errorf("%q", got)
	}
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
		if err := json.Unmarshal([]byte(printed(t, report.Printer{Format: report.GitLab, Base: "/repo"}, findings...)), &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	a, b := read(wrong), read(moved)
	if a[0].Fingerprint != b[0].Fingerprint || a[0].Location.Path != "infra/app.bicep" || a[0].Location.Lines.Begin != 3 || a[0].Severity != "critical" {
		t.Errorf("%+v %+v", a, b)
	}
	if both := read(wrong, moved); both[0].Fingerprint == both[1].Fingerprint {
		t.Error("two findings have one fingerprint")
	}
	if none := printed(t, report.Printer{Format: report.GitLab}); none != "[]\n" {
		t.Errorf("%q", none)
	}
}
