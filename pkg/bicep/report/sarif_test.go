package report_test

import (
	"encoding/json"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// The parts of SARIF 2.1.0 that our logs use. What the standard, or
// GitHub's reader, requires is checked by valid.
type (
	sarifLog struct {
		Schema  string `json:"$schema"`
		Version string
		Runs    []sarifRun
	}
	sarifRun struct {
		Tool struct {
			Driver struct {
				Name, Version, InformationURI string
				Rules                         []sarifRule
			}
		}
		Invocations []struct {
			ExecutionSuccessful        *bool
			ToolExecutionNotifications []struct {
				Descriptor struct{ ID string }
				Level      string
				Message    sarifText
			}
		}
		ColumnKind         string
		OriginalURIBaseIDs map[string]struct{ URI string }
		Results            []sarifResult
	}
	sarifRule struct {
		ID                                      string
		ShortDescription, FullDescription, Help sarifText
		HelpURI                                 string
		DefaultConfiguration                    struct {
			Enabled *bool
			Level   string
		}
	}
	sarifText   struct{ Text string }
	sarifResult struct {
		RuleID              string
		RuleIndex           *int
		Level               string
		Message             sarifText
		Locations           []struct{ PhysicalLocation sarifLocation }
		PartialFingerprints map[string]string
	}
	sarifLocation struct {
		ArtifactLocation struct{ URI, URIBaseID string }
		Region           *struct{ StartLine, StartColumn, EndLine, EndColumn int }
	}
)

// readSARIF reads a log as strictly as its schema: names are as the standard
// writes them, and none is unknown.
func readSARIF(t *testing.T, p report.Printer, findings ...report.Finding) sarifRun {
	t.Helper()
	p.Format = report.SARIF
	text := printed(t, p, findings...)
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields()
	var log sarifLog
	if err := d.Decode(&log); err != nil {
		t.Fatal(err)
	}
	// The decoder takes names in any case; these are all that there may be.
	names := strings.Fields("$schema version runs tool driver name informationUri rules id shortDescription fullDescription help text helpUri " +
		"defaultConfiguration enabled level invocations executionSuccessful toolExecutionNotifications descriptor message columnKind " +
		"originalUriBaseIds %SRCROOT% uri results ruleId ruleIndex locations physicalLocation artifactLocation uriBaseId " +
		"region startLine startColumn endLine endColumn partialFingerprints primaryLocationLineHash")
	for _, m := range regexp.MustCompile(`"([^"\\]+)": `).FindAllStringSubmatch(text, -1) {
		if !slices.Contains(names, m[1]) {
			t.Errorf("there is no property %q", m[1])
		}
	}
	if !strings.Contains(log.Schema, "sarif") || log.Version != "2.1.0" || len(log.Runs) != 1 {
		t.Fatalf("%s", text)
	}
	valid(t, log.Runs[0])
	return log.Runs[0]
}

func valid(t *testing.T, run sarifRun) {
	t.Helper()
	level := func(l string) {
		if !slices.Contains([]string{"none", "note", "warning", "error"}, l) {
			t.Errorf("there is no level %q", l)
		}
	}
	driver := run.Tool.Driver
	if u, err := url.Parse(driver.InformationURI); driver.Name == "" || err != nil || !u.IsAbs() {
		t.Errorf("%+v", driver)
	}
	if run.ColumnKind != "utf16CodeUnits" {
		t.Errorf("columns are %q", run.ColumnKind)
	}
	ids := map[string]bool{}
	for _, r := range driver.Rules {
		if r.ID == "" || ids[r.ID] {
			t.Errorf("the rule %q is there twice", r.ID)
		}
		ids[r.ID] = true
		for _, text := range []string{r.ShortDescription.Text, r.FullDescription.Text, r.Help.Text} {
			if text == "" || len(text) > 1024 || strings.Contains(text, "%") {
				t.Errorf("%s is described by %q", r.ID, text)
			}
		}
		if r.HelpURI != "" && !strings.HasPrefix(r.HelpURI, "https://") {
			t.Errorf("%s is explained at %q", r.ID, r.HelpURI)
		}
		level(r.DefaultConfiguration.Level)
	}
	for _, i := range run.Invocations {
		if i.ExecutionSuccessful == nil {
			t.Error("whether the run succeeded is not told")
		}
		for _, n := range i.ToolExecutionNotifications {
			level(n.Level)
			if n.Message.Text == "" || n.Descriptor.ID == "" {
				t.Errorf("%+v", n)
			}
		}
	}
	for id, base := range run.OriginalURIBaseIDs {
		if u, err := url.Parse(base.URI); err != nil || u.Scheme != "file" || !strings.HasSuffix(u.Path, "/") {
			t.Errorf("%s is %q", id, base.URI)
		}
	}
	if run.Results == nil {
		t.Error("there is no list of results")
	}
	prints := map[string]bool{}
	for _, r := range run.Results {
		level(r.Level)
		if r.RuleIndex == nil || *r.RuleIndex >= len(driver.Rules) || driver.Rules[*r.RuleIndex].ID != r.RuleID {
			t.Fatalf("%s points to another rule", r.RuleID)
		}
		if r.Message.Text == "" || len(r.Locations) != 1 {
			t.Fatalf("%+v", r)
		}
		fingerprint := r.PartialFingerprints["primaryLocationLineHash"]
		if fingerprint == "" || prints[fingerprint] {
			t.Errorf("%s: the fingerprint %q is there twice", r.RuleID, fingerprint)
		}
		prints[fingerprint] = true
		at := r.Locations[0].PhysicalLocation
		u, err := url.Parse(at.ArtifactLocation.URI)
		if err != nil || u.Path == "" || path.Clean(u.Path) != u.Path {
			t.Errorf("%q is not a URI", at.ArtifactLocation.URI)
		} else if _, based := run.OriginalURIBaseIDs[at.ArtifactLocation.URIBaseID]; based == u.IsAbs() {
			t.Errorf("%q is relative to %q", at.ArtifactLocation.URI, at.ArtifactLocation.URIBaseID)
		}
		if g := at.Region; g != nil && (g.StartLine < 1 || g.StartColumn < 1 || g.EndLine < g.StartLine || g.EndLine == g.StartLine && g.EndColumn <= g.StartColumn) {
			t.Errorf("%+v", *g)
		}
	}
}

func TestSARIF(t *testing.T) {
	t.Parallel()
	other := report.Finding{Path: "/elsewhere/x y.bicep", Start: at(1, 1), Severity: report.Warning, Code: "no-unused-params", Message: "unused"}
	placeless := report.Finding{Path: "/repo/a.json", Severity: report.Info, Code: "BCP302", Message: "m"}
	again := wrong
	again.Start, again.End = at(7, 9), at(8, 1)
	run := readSARIF(t, report.Printer{Base: "/repo", Version: "1.2.3"}, wrong, other, placeless, again)
	if run.OriginalURIBaseIDs["%SRCROOT%"].URI != "file:///repo/" || run.Tool.Driver.Version != "1.2.3" || run.Invocations != nil {
		t.Errorf("%+v", run)
	}
	if len(run.Tool.Driver.Rules) != 2 || len(run.Results) != 4 {
		t.Fatalf("%+v", run)
	}
	one, two := run.Results[0].Locations[0].PhysicalLocation, run.Results[1].Locations[0].PhysicalLocation
	if one.ArtifactLocation.URI != "infra/app.bicep" || one.ArtifactLocation.URIBaseID != "%SRCROOT%" || one.Region.StartColumn != 9 || one.Region.EndColumn != 14 {
		t.Errorf("%+v", one)
	}
	if two.ArtifactLocation.URI != "file:///elsewhere/x%20y.bicep" || two.Region.EndColumn != 2 {
		t.Errorf("%+v", two)
	}
	if run.Results[0].Level != "error" || run.Results[1].Level != "warning" || run.Results[2].Level != "note" || run.Results[2].Locations[0].PhysicalLocation.Region != nil {
		t.Errorf("%+v", run.Results)
	}
	if none := readSARIF(t, report.Printer{}); len(none.Results) != 0 {
		t.Errorf("%+v", none)
	}
}

// GitHub refuses a log with a result that has no location.
func TestSARIFSaysOfTheRunWhatConcernsNoFile(t *testing.T) {
	t.Parallel()
	warning := report.Finding{Severity: report.Warning, Code: "notice", Message: "old settings"}
	failure := report.Finding{Severity: report.Error, Code: "rad", Message: "no such file"}
	for _, c := range []struct {
		findings  []report.Finding
		levels    string
		succeeded bool
	}{
		{[]report.Finding{warning}, "warning", true},
		{[]report.Finding{failure, wrong, warning, warning}, "error warning", false},
	} {
		run := readSARIF(t, report.Printer{Base: "/repo"}, c.findings...)
		if len(run.Invocations) != 1 || *run.Invocations[0].ExecutionSuccessful != c.succeeded {
			t.Fatalf("%+v", run.Invocations)
		}
		var levels []string
		for _, n := range run.Invocations[0].ToolExecutionNotifications {
			levels = append(levels, n.Level)
		}
		if got := strings.Join(levels, " "); got != c.levels {
			t.Errorf("%s, want %s", got, c.levels)
		}
	}
}

// Rules are described by the catalogue, whatever level the configuration gives them.
func TestSARIFDescribesRules(t *testing.T) {
	t.Parallel()
	finding := func(d diag.Diagnostic) report.Finding {
		f := d.Finding()
		f.Path = "/repo/a.bicep"
		return f
	}
	run := readSARIF(t, report.Printer{Base: "/repo"},
		finding(diag.LintUnusedParams.At(source.Span{}, "p").As(report.Error)), finding(diag.LintModuleName.At(source.Span{}).As(report.Warning)), finding(diag.BCP302.At(source.Span{}, "strin", "x")),
		report.Finding{Path: "/repo/b", Severity: report.Error, Code: "missing-parameter", Message: "m"}, report.Finding{Path: "/repo/b", Severity: report.Error, Code: "BCP999", Message: "m"})
	rules := run.Tool.Driver.Rules
	if r := rules[0]; r.ShortDescription.Text != "The parameter … is never used." || r.FullDescription.Text != "The parameter … is never used. Remove it." ||
		r.DefaultConfiguration.Level != "warning" || r.HelpURI != "https://aka.ms/bicep/linter-diagnostics#no-unused-params" || !strings.Contains(r.Help.Text, r.HelpURI) {
		t.Errorf("%+v", r)
	}
	if run.Results[0].Level != "error" {
		t.Errorf("%+v", run.Results[0])
	}
	if r := rules[1]; r.DefaultConfiguration.Enabled == nil || *r.DefaultConfiguration.Enabled {
		t.Errorf("%+v is off by default", r)
	}
	if r := rules[2]; r.HelpURI != "https://aka.ms/bicep/core-diagnostics#BCP302" || r.DefaultConfiguration.Enabled != nil || r.DefaultConfiguration.Level != "error" {
		t.Errorf("%+v", r)
	}
	if rules[3].ShortDescription.Text != "Missing parameter." || !strings.Contains(rules[4].ShortDescription.Text, "BCP999") {
		t.Errorf("%+v", rules[3:])
	}
}
