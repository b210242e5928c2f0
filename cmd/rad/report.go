package main

import (
	"fmt"
	"io"

	"github.com/radbicep/rad/pkg/bicep/diag"
)

// report prints what is found: as text at once, and in the formats that machines
// read at the end, since some of them are one document.
type report struct {
	printer diag.Printer
	out     io.Writer // where findings go
	log     io.Writer // where else people are told something
	pending []diag.Finding
}

// newReport returns the report of a run. As text it names files from base; what
// reads the other forms knows a file by its place in the checkout.
func newReport(o *compileOptions, stderr io.Writer, base string) *report {
	p := diag.Printer{Format: diag.Format(o.str(keyDiagnosticsFormat)), Base: base}
	color := o.str(keyColor)
	switch p.Format {
	case diag.Text:
		p.Color = colors(color, stderr)
		p.Snippets = isTerminal(stderr) || color == "always"
	default:
		if p.Base = o.base.Root; p.Base == "" {
			p.Base = o.cwd
		}
	}
	if p.Format == diag.SARIF {
		p.Version = version()
	}
	return &report{printer: p, out: stderr, log: stderr}
}

// add reports findings.
func (r *report) add(list []diag.Finding) error {
	if r.printer.Format == diag.Text {
		return r.printer.Print(r.out, list)
	}
	r.pending = append(r.pending, list...)
	return nil
}

// notice reports a warning that concerns no place.
func (r *report) notice(text string) {
	if r.printer.Format == diag.Text {
		fmt.Fprintln(r.log, text)
		return
	}
	r.pending = append(r.pending, diag.Finding{Severity: diag.Warning, Code: "notice", Message: text})
}

// document reports whether findings are one document, so that nothing else may
// stand beside them.
func (r *report) document() bool {
	switch r.printer.Format {
	case diag.JSON, diag.SARIF, diag.GitLab:
		return true
	}
	return false
}

// finish prints what has been put off.
func (r *report) finish() error {
	if r.printer.Format == diag.Text {
		return nil
	}
	return r.printer.Print(r.out, r.pending)
}
