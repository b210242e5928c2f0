package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/radbicep/rad/pkg/bicep/report"
)

// reporter prints findings: as text at once, and in the formats that machines
// read at the end, since some of them are one document.
type reporter struct {
	app     *app
	printer report.Printer
	out     io.Writer // where findings go
	log     io.Writer // where messages for people go as well
	pending []report.Finding
	tally   *tally // nil if it is not asked for
}

// newReporter returns the reporter of a run. As text it names files from base; what
// reads the other forms knows a file by its place in the checkout.
func (a *app) newReporter(o *compileOptions, base string) *reporter {
	stderr := a.stderr
	if a.base = o.base.Root; a.base == "" {
		a.base = o.cwd
	}
	p := report.Printer{Format: report.Format(o.str(keyDiagnosticsFormat)), Base: base}
	color := o.str(keyColor)
	switch p.Format {
	case report.Text:
		p.Color = colors(color, stderr)
		p.Snippets = isTerminal(stderr) || color == "always"
	default:
		p.Base = a.base
	}
	if p.Format == report.SARIF {
		p.Version = version()
	}
	return &reporter{app: a, printer: p, out: stderr, log: stderr}
}

// add reports findings.
func (r *reporter) add(list []report.Finding) error {
	if r.tally != nil {
		list = r.tally.count(list)
	}
	r.app.findings = append(r.app.findings, list...)
	if r.app.quiet && !r.document() {
		list = slices.DeleteFunc(slices.Clone(list), func(f report.Finding) bool { return f.Severity != report.Error })
	}
	if r.printer.Format == report.Text {
		return r.printer.Print(r.out, list)
	}
	r.pending = append(r.pending, list...)
	return nil
}

// notice reports a warning that concerns no place.
func (r *reporter) notice(text string) {
	f := report.Finding{Severity: report.Warning, Code: "notice", Message: text}
	r.app.findings = append(r.app.findings, f)
	if r.app.quiet && !r.document() {
		return
	}
	if r.printer.Format == report.Text {
		fmt.Fprintln(r.log, report.Lines(report.Visible(text)))
		return
	}
	r.pending = append(r.pending, f)
}

// document reports whether findings are one document, so that nothing else may
// are beside them.
func (r *reporter) document() bool {
	switch r.printer.Format {
	case report.JSON, report.SARIF, report.GitLab:
		return true
	}
	return false
}

// finish prints what has been put off.
func (r *reporter) finish() error {
	if r.printer.Format == report.Text {
		return nil
	}
	return r.printer.Print(r.out, r.pending)
}
