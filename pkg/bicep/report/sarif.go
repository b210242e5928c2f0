package report

import (
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
)

// The parts of a SARIF 2.1.0 log that are used.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool            `json:"tool"`
		Invocations []sarifInvocation    `json:"invocations,omitempty"`
		ColumnKind  string               `json:"columnKind"`
		Bases       map[string]sarifBase `json:"originalUriBaseIds,omitempty"`
		Results     []sarifResult        `json:"results"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications"`
	}
	sarifNotification struct {
		Descriptor sarifDescriptor `json:"descriptor"`
		Level      string          `json:"level"`
		Message    sarifText       `json:"message"`
	}
	sarifDescriptor struct {
		ID string `json:"id"`
	}
	sarifBase struct {
		URI string `json:"uri,omitempty"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string      `json:"id"`
		Short   sarifText   `json:"shortDescription"`
		Full    sarifText   `json:"fullDescription"`
		Help    sarifText   `json:"help"`
		HelpURI string      `json:"helpUri,omitempty"`
		Default sarifConfig `json:"defaultConfiguration"`
	}
	sarifConfig struct {
		Enabled *bool  `json:"enabled,omitempty"`
		Level   string `json:"level"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints,omitempty"`
		Fixes        []sarifFix        `json:"fixes,omitempty"`
	}
	sarifFix struct {
		Description sarifText         `json:"description"`
		Changes     []sarifChange     `json:"artifactChanges"`
		Properties  map[string]string `json:"properties"`
	}
	sarifChange struct {
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  sarifRegion `json:"deletedRegion"`
		Inserted *sarifText  `json:"insertedContent,omitempty"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI  string `json:"uri"`
		Base string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
)

func (s Severity) sarif() string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	}
	return "note"
}

// sarif writes a log. GitHub refuses one that has a result without a location, so
// that what concerns no file is reported for the run instead.
func (p *Printer) sarif(w io.Writer, findings []Finding) error {
	run := sarifRun{
		Tool: sarifTool{sarifDriver{Name: "rad bicep", Version: p.Version,
			InformationURI: "https://github.com/radbicep/rad", Rules: []sarifRule{}}},
		ColumnKind: "utf16CodeUnits",
		Results:    []sarifResult{},
	}
	if p.Base != "" {
		run.Bases = map[string]sarifBase{"%SRCROOT%": {fileURI(p.Base) + "/"}}
	}
	rules, prints := map[string]int{}, newFingerprints()
	for _, f := range findings {
		if f.Path == "" {
			run.notify(f)
			continue
		}
		i, ok := rules[f.Code]
		if !ok {
			i = len(rules)
			rules[f.Code] = i
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(f))
		}
		path := p.path(f.Path)
		loc := sarifPhysical{Artifact: sarifArtifact{URI: fileURI(path)}}
		if !filepath.IsAbs(path) && p.Base != "" {
			loc.Artifact = sarifArtifact{(&url.URL{Path: filepath.ToSlash(path)}).EscapedPath(), "%SRCROOT%"}
		}
		if f.Start.Line > 0 {
			start, end := region(f)
			loc.Region = &sarifRegion{start.Line, start.Column, end.Line, end.Column}
		}
		run.Results = append(run.Results, sarifResult{
			RuleID: f.Code, RuleIndex: i, Level: f.Severity.sarif(), Message: sarifText{f.Message}, Locations: []sarifLocation{{loc}},
			Fingerprints: map[string]string{"primaryLocationLineHash": prints.of(filepath.ToSlash(path), f)},
			Fixes:        sarifFixes(f.Fix, loc.Artifact),
		})
	}
	return encode(w, sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

// sarifFixes returns the fix of a finding in a file, if it has one that may be shown.
func sarifFixes(f *Fix, file sarifArtifact) []sarifFix {
	if f == nil || f.Private {
		return nil
	}
	change := sarifChange{Artifact: file}
	for _, e := range f.Edits {
		r := sarifReplacement{Deleted: sarifRegion{e.Start.Line, e.Start.Column, e.End.Line, e.End.Column}}
		if e.Text != "" {
			r.Inserted = &sarifText{e.Text}
		}
		change.Replacements = append(change.Replacements, r)
	}
	return []sarifFix{{sarifText{f.Title}, []sarifChange{change}, map[string]string{"certainty": f.Certainty.String()}}}
}

// notify adds a message about the run itself, once.
func (r *sarifRun) notify(f Finding) {
	if len(r.Invocations) == 0 {
		r.Invocations = []sarifInvocation{{Successful: true}}
	}
	i := &r.Invocations[0]
	i.Successful = i.Successful && f.Severity != Error
	if n := (sarifNotification{sarifDescriptor{f.Code}, f.Severity.sarif(), sarifText{f.Message}}); !slices.Contains(i.Notifications, n) {
		i.Notifications = append(i.Notifications, n)
	}
}

// sarifRuleOf describes the rule of a finding.
func sarifRuleOf(f Finding) sarifRule {
	about, config := inWords(f.Code), sarifConfig{Level: f.Severity.sarif()}
	if f.Summary != "" {
		about = f.Summary
	}
	switch f.Default {
	case 0:
	case Off:
		config = sarifConfig{Enabled: new(bool), Level: Warning.sarif()}
	default:
		config.Level = f.Default.sarif()
	}
	short, _, more := strings.Cut(about, ". ")
	if more {
		short += "."
	}
	help := about
	if f.URL != "" {
		help += " See " + f.URL
	}
	return sarifRule{f.Code, sarifText{short}, sarifText{about}, sarifText{help}, f.URL, config}
}

// inWords makes a sentence of a code of which nothing else is known.
func inWords(code string) string {
	if strings.HasPrefix(code, "BCP") {
		return "The Bicep compiler's diagnostic " + code + "."
	}
	words := strings.ReplaceAll(code, "-", " ")
	if words == "" {
		return "A finding."
	}
	return strings.ToUpper(words[:1]) + words[1:] + "."
}

func fileURI(path string) string {
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(path)}
	if !strings.HasPrefix(u.Path, "/") {
		if filepath.IsAbs(path) { // C:/...
			u.Path = "/" + u.Path
		} else {
			return u.EscapedPath()
		}
	}
	return u.String()
}
