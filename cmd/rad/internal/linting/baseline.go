package linting

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// baselineVersion is the version of the form of baselines.
const baselineVersion = 1

// baseline holds findings that are known. Only the fingerprints count; the rest is for
// people who review a change of the file.
type baseline struct {
	Version  int             `json:"version"`
	Findings []knownFinding  `json:"findings"`
	prints   map[string]bool // of Findings
}

type knownFinding struct {
	Fingerprint string `json:"fingerprint"`
	Path        string `json:"path"`
	Code        string `json:"code"`
	Message     string `json:"message"`
}

func readBaseline(area workdir.Bounds, path string) (*baseline, error) {
	text, err := area.ReadFileText(path)
	if err != nil {
		return nil, cli.Fail(cli.ExitIO, "--baseline %s: %w; make it with --write-baseline", path, cli.ReasonOf(err))
	}
	b := &baseline{prints: map[string]bool{}}
	d := json.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(b); err != nil {
		return nil, cli.Fail(cli.ExitIO, "--baseline %s: not a baseline: %w", path, err)
	}
	if b.Version != baselineVersion {
		return nil, cli.Fail(cli.ExitIO, "--baseline %s: not a baseline of version %d; make it again with --write-baseline",
			path, baselineVersion)
	}
	for _, f := range b.Findings {
		b.prints[f.Fingerprint] = true
	}
	return b, nil
}

// fresh returns the findings that are not known.
func (b *baseline) fresh(p *report.Printer, findings []report.Finding) []report.Finding {
	var out []report.Finding
	for i, fingerprint := range p.Fingerprints(findings) {
		if fingerprint == "" || !b.prints[fingerprint] {
			out = append(out, findings[i])
		}
	}
	return out
}

// writeBaseline writes the findings that concern a file as known.
func writeBaseline(area workdir.Bounds, path string, p *report.Printer, findings []report.Finding) error {
	b := baseline{Version: baselineVersion, Findings: []knownFinding{}}
	for i, fingerprint := range p.Fingerprints(findings) {
		if f := findings[i]; fingerprint != "" {
			name := f.Path
			if rel, err := filepath.Rel(p.Base, f.Path); err == nil && filepath.IsLocal(rel) {
				name = rel
			}
			b.Findings = append(b.Findings, knownFinding{fingerprint, filepath.ToSlash(name), f.Code, p.Message(f)})
		}
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(b); err != nil {
		return err
	}
	if err := area.WriteFile(path, text.Bytes()); err != nil {
		return fmt.Errorf("--write-baseline: %w", err)
	}
	return nil
}
