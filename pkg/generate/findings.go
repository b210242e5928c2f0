package generate

import (
	"path/filepath"
	"slices"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/params"
)

// note adds what a compiler found.
func (p *Program) note(result *bicep.Result, file string) {
	p.Files = append(p.Files, file)
	if result == nil {
		return
	}
	// Where an extension cannot be read, its types are unknown for that reason alone. The commands that are official
	// ones tell it all.
	unread := slices.ContainsFunc(result.Findings, func(f report.Finding) bool {
		return f.Severity == report.Error && slices.Contains([]string{"BCP091", "BCP190", "BCP192", "BCP204", "BCP396"}, f.Code)
	})
	follows := func(f report.Finding) bool {
		return f.Consequence || unread && (f.Code == "BCP029" || f.Code == "BCP264")
	}
	told := slices.ContainsFunc(result.Findings, func(f report.Finding) bool { return f.Severity == report.Error && !follows(f) })
	unknown := bicep.UnknownRadiusTypes(p.source.request(p.Path))
	for _, f := range result.Findings {
		if p.source.Existing && f.Code == "no-unused-existing-resources" {
			continue
		}
		if told && follows(f) {
			p.Follow++
			continue
		}
		if !p.source.AsCompiled && f.ResourceType != "" {
			// Deployed, a Radius type that does not exist would be taken for a resource of Azure.
			if message, ok := unknown(f); ok {
				if unread {
					p.Follow++
					continue
				}
				f.Severity, f.Message = report.Error, message
			}
		}
		p.Findings = append(p.Findings, f)
	}
	if !p.source.AsCompiled {
		p.Findings = append(p.Findings, result.LineEnds...)
	}
	p.Missing = append(p.Missing, result.Missing...)
	p.Notices = append(p.Notices, result.Notices...)
	p.Files = append(p.Files, result.Files...)
}

// problems adds what is wrong with parameters.
func (p *Program) problems(list []params.Problem) {
	p.Findings = append(p.Findings, p.findingsOf(list, p.Path)...)
}

// findingsOf returns what is wrong with parameters. A problem without a place of its own is reported
// for the file at path: where the template declares the parameter, if that is the template.
func (p *Program) findingsOf(list []params.Problem, path string) (findings []report.Finding) {
	for i := range list {
		one := &list[i]
		f := report.Finding{Path: path, Severity: report.Error, Code: one.Code, Message: report.Sentence(one.Message), Cause: one}
		if one.Warning {
			f.Severity = report.Warning
		}
		if one.Source.Path != "" {
			f.Path = one.Source.Path
			if abs, err := filepath.Abs(f.Path); err == nil {
				f.Path = abs
			}
			if one.Source.Line > 0 {
				f.Start = source.Position{Line: one.Source.Line, Column: max(1, one.Source.Column)}
			}
		}
		if f.Path == p.Path && f.Start.Line == 0 && p.input.Bundle == nil {
			f.Start = p.declaredAt()[one.Parameter]
		}
		findings = append(findings, f)
	}
	return findings
}
