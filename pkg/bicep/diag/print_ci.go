package diag

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

func encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

type jsonPlace struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

type jsonFinding struct {
	Path     string     `json:"path,omitempty"`
	Start    *jsonPlace `json:"start,omitempty"`
	End      *jsonPlace `json:"end,omitempty"`
	Severity string     `json:"severity"`
	Code     string     `json:"code"`
	Message  string     `json:"message"`
	URL      string     `json:"url,omitempty"`
}

func (p *Printer) json(w io.Writer, findings []Finding) error {
	out := make([]jsonFinding, 0, len(findings))
	for _, f := range findings {
		j := jsonFinding{Path: filepath.ToSlash(p.path(f.Path)), Severity: strings.ToLower(f.Severity.String()), Code: f.Code, Message: f.Message, URL: f.URL}
		if f.Start.Line > 0 {
			j.Start = &jsonPlace{f.Start.Line, f.Start.Column}
		}
		if f.End.Line > 0 {
			j.End = &jsonPlace{f.End.Line, f.End.Column}
		}
		out = append(out, j)
	}
	return encode(w, out)
}

// github writes workflow commands. A runner keeps ten errors and ten warnings of
// a step; the rest are still in its log.
func (p *Printer) github(w io.Writer, findings []Finding) error {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	var b strings.Builder
	for _, f := range findings {
		kind := "notice"
		switch f.Severity {
		case Error:
			kind = "error"
		case Warning:
			kind = "warning"
		}
		b.WriteString("::" + kind + " ")
		if f.Path != "" {
			b.WriteString("file=" + property.Replace(filepath.ToSlash(p.path(f.Path))))
			if f.Start.Line > 0 {
				start, end := region(f)
				fmt.Fprintf(&b, ",line=%d,endLine=%d,col=%d", start.Line, end.Line, start.Column)
				if start.Line == end.Line { // the runner takes columns within one line only
					fmt.Fprintf(&b, ",endColumn=%d", end.Column)
				}
			}
			b.WriteByte(',')
		}
		b.WriteString("title=" + property.Replace(f.Code) + "::" + data.Replace(withURL(f)) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// azure writes logging commands.
func (p *Printer) azure(w io.Writer, findings []Finding) error {
	data := strings.NewReplacer("%", "%AZP25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%AZP25", "\r", "%0D", "\n", "%0A", ";", "%3B", "]", "%5D")
	var b strings.Builder
	for _, f := range findings {
		kind := "warning"
		if f.Severity == Error {
			kind = "error"
		}
		b.WriteString("##vso[task.logissue type=" + kind + ";")
		if f.Path != "" {
			b.WriteString("sourcepath=" + property.Replace(filepath.ToSlash(p.path(f.Path))) + ";")
		}
		if f.Start.Line > 0 {
			fmt.Fprintf(&b, "linenumber=%d;columnnumber=%d;", f.Start.Line, f.Start.Column)
		}
		b.WriteString("code=" + property.Replace(f.Code) + ";]" + data.Replace(withURL(f)) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func withURL(f Finding) string {
	if f.URL == "" {
		return f.Message
	}
	return f.Message + " [" + f.URL + "]"
}

// gitlab writes a Code Quality report. A fingerprint names a finding across
// commits: it is made of what stays when lines move.
func (p *Printer) gitlab(w io.Writer, findings []Finding) error {
	type lines struct {
		Begin int `json:"begin"`
	}
	type location struct {
		Path  string `json:"path"`
		Lines lines  `json:"lines"`
	}
	type issue struct {
		Description string   `json:"description"`
		CheckName   string   `json:"check_name"`
		Fingerprint string   `json:"fingerprint"`
		Severity    string   `json:"severity"`
		Location    location `json:"location"`
	}
	out := make([]issue, 0, len(findings))
	prints := fingerprints{}
	for _, f := range findings {
		severity := "info"
		switch f.Severity {
		case Error:
			severity = "critical"
		case Warning:
			severity = "minor"
		}
		path := filepath.ToSlash(p.path(f.Path))
		if path == "" {
			path = "."
		}
		out = append(out, issue{withURL(f), f.Code, prints.of(path, f), severity, location{path, lines{max(1, f.Start.Line)}}})
	}
	return encode(w, out)
}

// fingerprints numbers findings that would have one fingerprint.
type fingerprints map[string]int

func (p fingerprints) of(path string, f Finding) string {
	key := path + "\x00" + f.Code + "\x00" + f.Message + "\x00" + strings.TrimSpace(f.Line)
	p[key]++
	sum := sha256.Sum256([]byte(key + "\x00" + strconv.Itoa(p[key])))
	return hex.EncodeToString(sum[:16])
}

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
// that what concerns no file is said of the run instead.
func (p *Printer) sarif(w io.Writer, findings []Finding) error {
	run := sarifRun{
		Tool:       sarifTool{sarifDriver{Name: "rad bicep", Version: p.Version, InformationURI: "https://github.com/radbicep/rad", Rules: []sarifRule{}}},
		ColumnKind: "utf16CodeUnits",
		Results:    []sarifResult{},
	}
	if p.Base != "" {
		run.Bases = map[string]sarifBase{"%SRCROOT%": {fileURI(p.Base) + "/"}}
	}
	rules, prints := map[string]int{}, fingerprints{}
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
		})
	}
	return encode(w, sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

// notify adds what is said of the run itself, once.
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

// sarifRuleOf describes the rule of a finding, by the catalogue if it knows it.
func sarifRuleOf(f Finding) sarifRule {
	about, config := inWords(f.Code), sarifConfig{Level: f.Severity.sarif()}
	if f.Rule != nil {
		about = f.Rule.Summary()
		if f.Rule.Level == Off {
			config = sarifConfig{Enabled: new(bool), Level: Warning.sarif()}
		} else {
			config.Level = f.Rule.Level.sarif()
		}
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
