package report_test

import (
	"encoding/json"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
	require.NoError(t, d.Decode(&log))
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
	require.Contains(t, log.Schema, "sarif", "%s", text)
	require.Equal(t, "2.1.0", log.Version, "%s", text)
	require.Len(t, log.Runs, 1, "%s", text)
	valid(t, log.Runs[0])
	return log.Runs[0]
}

func valid(t *testing.T, run sarifRun) {
	t.Helper()
	level := func(l string) {
		assert.True(t, slices.Contains([]string{"none", "note", "warning", "error"}, l), "there is no level %q", l)
	}
	driver := run.Tool.Driver
	u, err := url.Parse(driver.InformationURI)
	require.NotEmpty(t, driver.Name, "%+v", driver)
	require.NoError(t, err, "%+v", driver)
	require.True(t, u.IsAbs(), "%+v", driver)
	assert.Equal(t, "utf16CodeUnits", run.ColumnKind, "columns")
	ids := map[string]bool{}
	for _, r := range driver.Rules {
		require.NotEmpty(t, r.ID, "the rule %q is there twice", r.ID)
		require.False(t, ids[r.ID], "the rule %q is there twice", r.ID)
		ids[r.ID] = true
		for _, text := range []string{r.ShortDescription.Text, r.FullDescription.Text, r.Help.Text} {
			require.NotEmpty(t, text, "%s is described by %q", r.ID, text)
			require.LessOrEqual(t, len(text), 1024, "%s is described by %q", r.ID, text)
			require.NotContains(t, text, "%", "the description of %s", r.ID)
		}
		assert.False(t, r.HelpURI != "" && !strings.HasPrefix(r.HelpURI, "https://"), "%s is explained at %q", r.ID, r.HelpURI)
		level(r.DefaultConfiguration.Level)
	}
	for _, i := range run.Invocations {
		assert.NotNil(t, i.ExecutionSuccessful, "whether the run succeeded is not told")
		for _, n := range i.ToolExecutionNotifications {
			level(n.Level)
			require.NotEmpty(t, n.Message.Text, "%+v", n)
			require.NotEmpty(t, n.Descriptor.ID, "%+v", n)
		}
	}
	for id, base := range run.OriginalURIBaseIDs {
		u, err := url.Parse(base.URI)
		require.NoError(t, err, "%s is %q", id, base.URI)
		require.Equal(t, "file", u.Scheme, "%s is %q", id, base.URI)
		require.True(t, strings.HasSuffix(u.Path, "/"), "%s is %q", id, base.URI)
	}
	assert.NotNil(t, run.Results, "there is no list of results")
	prints := map[string]bool{}
	for _, r := range run.Results {
		level(r.Level)
		require.NotNil(t, r.RuleIndex, "%s points to another rule", r.RuleID)
		require.Less(t, *r.RuleIndex, len(driver.Rules), "%s points to another rule", r.RuleID)
		require.Equal(t, r.RuleID, driver.Rules[*r.RuleIndex].ID)
		require.NotEmpty(t, r.Message.Text, "%+v", r)
		require.Len(t, r.Locations, 1, "%+v", r)
		fingerprint := r.PartialFingerprints["primaryLocationLineHash"]
		require.NotEmpty(t, fingerprint, "%s: the fingerprint %q is there twice", r.RuleID, fingerprint)
		require.False(t, prints[fingerprint], "%s: the fingerprint %q is there twice", r.RuleID, fingerprint)
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
	require.Equal(t, "file:///repo/", run.OriginalURIBaseIDs["%SRCROOT%"].URI, "%+v", run)
	require.Equal(t, "1.2.3", run.Tool.Driver.Version, "%+v", run)
	require.Nil(t, run.Invocations, "%+v", run)
	require.Len(t, run.Tool.Driver.Rules, 2, "%+v", run)
	require.Len(t, run.Results, 4, "%+v", run)
	one, two := run.Results[0].Locations[0].PhysicalLocation, run.Results[1].Locations[0].PhysicalLocation
	require.Equal(t, "infra/app.bicep", one.ArtifactLocation.URI, "%+v", one)
	require.Equal(t, "%SRCROOT%", one.ArtifactLocation.URIBaseID, "%+v", one)
	require.Equal(t, 9, one.Region.StartColumn, "%+v", one)
	require.Equal(t, 14, one.Region.EndColumn, "%+v", one)
	require.Equal(t, "file:///elsewhere/x%20y.bicep", two.ArtifactLocation.URI, "%+v", two)
	require.Equal(t, 2, two.Region.EndColumn, "%+v", two)
	require.Equal(t, "error", run.Results[0].Level, "%+v", run.Results)
	require.Equal(t, "warning", run.Results[1].Level, "%+v", run.Results)
	require.Equal(t, "note", run.Results[2].Level, "%+v", run.Results)
	require.Nil(t, run.Results[2].Locations[0].PhysicalLocation.Region, "%+v", run.Results)
	assert.Empty(t, readSARIF(t, report.Printer{}).Results)
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
		require.Len(t, run.Invocations, 1)
		require.Equal(t, c.succeeded, *run.Invocations[0].ExecutionSuccessful, "%+v", run.Invocations)
		var levels []string
		for _, n := range run.Invocations[0].ToolExecutionNotifications {
			levels = append(levels, n.Level)
		}
		assert.Equal(t, c.levels, strings.Join(levels, " "))
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
	r := rules[0]
	require.Equal(t, "The parameter … is never used.", r.ShortDescription.Text, "%+v", r)
	require.Equal(t, "The parameter … is never used. Remove it.", r.FullDescription.Text, "%+v", r)
	require.Equal(t, "warning", r.DefaultConfiguration.Level, "%+v", r)
	require.Equal(t, "https://aka.ms/bicep/linter-diagnostics#no-unused-params", r.HelpURI, "%+v", r)
	require.Contains(t, r.Help.Text, r.HelpURI, "%+v", r)
	if run.Results[0].Level != "error" {
		t.Errorf("%+v", run.Results[0])
	}
	r = rules[1]
	require.NotNil(t, r.DefaultConfiguration.Enabled, "%+v is off by default", r)
	require.False(t, *r.DefaultConfiguration.Enabled, "%+v is off by default", r)
	r = rules[2]
	require.Equal(t, "https://aka.ms/bicep/core-diagnostics#BCP302", r.HelpURI, "%+v", r)
	require.Nil(t, r.DefaultConfiguration.Enabled, "%+v", r)
	require.Equal(t, "error", r.DefaultConfiguration.Level, "%+v", r)
	require.Equal(t, "Missing parameter.", rules[3].ShortDescription.Text, "%+v", rules[3:])
	require.Contains(t, rules[4].ShortDescription.Text, "BCP999", "%+v", rules[3:])
}
