package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// Reporter prints findings: as text at once, and in the formats that machines
// read at the end, since some of them are one document.
type Reporter struct {
	app     *App
	Printer report.Printer
	Out     io.Writer // where findings go
	log     io.Writer // where messages for people go as well
	Pending []report.Finding
	Tally   *Tally // nil if it is not asked for
}

// NewReporter returns the reporter of a run. As text it names files from base; what
// reads the other forms knows a file by its place in the checkout.
func (a *App) NewReporter(format report.Format, color, checkout, base string) *Reporter {
	stderr := a.Stderr
	a.base = checkout
	p := report.Printer{Format: format, Base: base}
	switch p.Format {
	case report.Text:
		if base != "" {
			p.Top = checkout
		}
		p.Color = FindingColors(color, stderr)
		p.Snippets = IsTerminal(stderr) || color == "always"
	default:
		p.Base = a.base
	}
	if p.Format == report.SARIF {
		p.Version = Version()
	}
	return &Reporter{app: a, Printer: p, Out: stderr, log: stderr}
}

// ToStdout makes findings the result of the command.
func (r *Reporter) ToStdout() { r.Out = r.app.Stdout }

// Add reports findings.
func (r *Reporter) Add(list []report.Finding) error {
	if r.Tally != nil {
		list = r.Tally.Count(list)
	}
	r.app.findings = append(r.app.findings, list...)
	if r.app.Quiet && !r.Document() {
		list = slices.DeleteFunc(slices.Clone(list), func(f report.Finding) bool { return f.Severity != report.Error })
	}
	if r.Printer.Format == report.Text {
		return r.Printer.Print(r.Out, list)
	}
	r.Pending = append(r.Pending, list...)
	return nil
}

// Notice reports a warning that concerns no place.
func (r *Reporter) Notice(text string) {
	message := text
	if word := "warning: "; len(text) > len(word) && strings.EqualFold(text[:len(word)], word) { // the finding says that
		message = text[len(word):]
	}
	f := report.Finding{Severity: report.Warning, Code: "notice", Message: message}
	r.app.findings = append(r.app.findings, f)
	if r.app.Quiet && !r.Document() {
		return
	}
	if r.Printer.Format == report.Text {
		fmt.Fprintln(r.log, report.Lines(report.Visible(text)))
		return
	}
	r.Pending = append(r.Pending, f)
}

// Document reports whether findings are printed as one document, so that nothing else may
// be printed beside them.
func (r *Reporter) Document() bool {
	switch r.Printer.Format {
	case report.JSON, report.SARIF, report.GitLab:
		return true
	}
	return false
}

// Finish prints what has been put off.
func (r *Reporter) Finish() error {
	if r.Printer.Format == report.Text {
		return nil
	}
	return r.Printer.Print(r.Out, r.Pending)
}

// Say tells the user how it goes, unless findings are one document.
func (r *Reporter) Say(format string, args ...any) {
	if !r.Document() {
		r.app.Say(format, args...)
	}
}

// End ends the report of a run. In a document, the error that ends the run is a finding like
// the others.
func (r *Reporter) End(err error) error {
	if err != nil && err.Error() != "" && r.Printer.Format != report.Text && !errors.Is(err, context.Canceled) {
		status := ExitUsage
		var f *Failure
		if errors.As(err, &f) {
			status = f.Status
		}
		var internal *bicep.InternalError
		if !errors.As(err, &internal) {
			r.Pending = append(r.Pending, report.Finding{Severity: report.Error, Code: "rad", Message: err.Error()})
			err = &Failure{Status: status, Err: err, Said: true}
		}
	}
	if e := r.Finish(); e != nil && err == nil {
		return FailWith(ExitIO, e)
	}
	return err
}
