package bicep

import (
	"context"
	"slices"

	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/migrate"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// The codes of what Migrate finds.
const (
	CodeNoCounterpart = "migrate-no-counterpart" // what a new type has no place for
	CodeNotFollowed   = "migrate-not-followed"   // what is not known
	CodeMigrateCheck  = "migrate-check"          // what somebody has to look at
)

// Migration is what becomes of a program that moves to the resource types that take the place of those that Radius removes.
type Migration struct {
	Files    []string          // the Bicep files of the program
	Texts    map[string]string // those that change, without byte order marks
	Findings []report.Finding  // with an error, nothing can be written
}

// Migrate moves a .bicep file and its local modules to the resource types that take the place of those that Radius removes.
// It writes nothing. drop leaves out what has no counterpart, as far as the rest does without it: that is a warning then.
func (Embedded) Migrate(ctx context.Context, r Request, drop bool) (out *Migration, err error) {
	defer contain(r.File, &err)
	r.DiagnoseOnly = true
	c, result, err := compileFrom(ctx, r, nil, nil)
	if err != nil {
		return nil, err
	}
	out = &Migration{Texts: map[string]string{}}
	for _, f := range c.files.Files {
		if f.Kind == graph.Bicep {
			out.Files = append(out.Files, f.Path)
		}
	}
	if report.AnyError(result.Findings) {
		out.Findings = slices.DeleteFunc(result.Findings, func(f report.Finding) bool { return f.Severity != report.Error })
		return out, nil
	}
	made := migrate.Program(c.program, drop)
	for f, text := range made.Texts {
		out.Texts[f.Path] = text
	}
	for _, n := range made.Notes {
		at := n.File.Position(n.Span.Start)
		f := report.Finding{Path: n.File.Path, Start: at, End: n.File.Position(n.Span.End), Line: n.File.Line(at.Line),
			Severity: report.Error, Code: CodeNoCounterpart, Message: report.Sentence(n.Text)}
		if n.Mentions != "" {
			f.AddFile(n.Mentions)
		}
		switch {
		case n.Kind == migrate.NotFollowed:
			f.Code = CodeNotFollowed
		case n.Kind == migrate.Check:
			f.Code, f.Severity = CodeMigrateCheck, report.Info
		case n.Left:
			f.Severity = report.Warning
		}
		out.Findings = append(out.Findings, f)
	}
	c.hideLines(out.Findings)
	return out, nil
}
