package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

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
	Tally   *Tally    // nil if it is not asked for
	Strict  bool      // warnings are errors

	mu      sync.Mutex // the limit of time may be met while findings come in
	pending []report.Finding
	printed bool
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
	r := &Reporter{app: a, Printer: p, Out: stderr, log: stderr}
	a.limit.mu.Lock()
	defer a.limit.mu.Unlock()
	a.limit.reporter = r
	return r
}

// ToStdout makes findings the result of the command.
func (r *Reporter) ToStdout() { r.Out = r.app.Stdout }

// Judge makes findings what the user is told: it adds what can be done about them, and makes errors of warnings if that is
// asked for. Nothing else does either. making says what is made of the program, if that is known.
func (r *Reporter) Judge(list []report.Finding, making string) {
	for i := range list {
		f := &list[i]
		addRemedy(f, making)
		if r.Strict && f.Severity == report.Warning {
			f.Severity = report.Error
		}
	}
}

// Take reports what a compiler found, and whether there is an error among it.
func (r *Reporter) Take(result *bicep.Result) (failed bool, err error) {
	for _, n := range result.Notices {
		r.Notice(n)
	}
	err = r.Add(result.Findings)
	return report.AnyError(result.Findings), err
}

// Add judges findings and reports them. On a terminal, those to correct come first: errors that follow from others, and
// warnings, come after them.
func (r *Reporter) Add(list []report.Finding) error {
	r.Judge(list, "")
	if r.Printer.Format == report.Text && IsTerminal(r.Out) {
		rank := func(f report.Finding) int {
			switch {
			case f.Severity != report.Error:
				return 2
			case f.Consequence:
				return 1
			}
			return 0
		}
		list = slices.SortedStableFunc(slices.Values(list), func(a, b report.Finding) int { return rank(a) - rank(b) })
	}
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
	r.Put(list...)
	return nil
}

// Put notes findings for a format that machines read.
func (r *Reporter) Put(list ...report.Finding) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pending = append(r.pending, list...)
}

// Notice reports a warning that concerns no place.
func (r *Reporter) Notice(text string) { r.notice(report.Warning, text) }

// Note reports what concerns no place and is no warning.
func (r *Reporter) Note(text string) { r.notice(report.Info, text) }

func (r *Reporter) notice(severity report.Severity, text string) {
	message := text
	if word := "warning: "; len(text) > len(word) && strings.EqualFold(text[:len(word)], word) { // the finding says that
		message = text[len(word):]
	}
	f := report.Finding{Severity: severity, Code: "notice", Message: message}
	r.app.findings = append(r.app.findings, f)
	if r.app.Quiet && !r.Document() {
		return
	}
	if r.Printer.Format == report.Text {
		fmt.Fprintln(r.log, report.Lines(report.Visible(text)))
		return
	}
	r.Put(f)
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

// Finish ends the report of a run that ends with an error or without, and returns the error of the run. It prints what
// has been put off. A document without findings beside an error would say that nothing is wrong, so there is none.
func (r *Reporter) Finish(err error) error {
	err = r.late(err)
	if e := r.print(err == nil || err.Error() == ""); e != nil && err == nil {
		return e
	}
	return err
}

// print prints what has been put off, once. empty says that this may be nothing.
func (r *Reporter) print(empty bool) error {
	r.mu.Lock()
	list, done := r.pending, r.printed || r.Printer.Format == report.Text
	r.printed = r.printed || empty || len(r.pending) > 0
	r.mu.Unlock()
	if done || !empty && len(list) == 0 {
		return nil
	}
	return r.Printer.Print(r.Out, list)
}

// late returns the error of a run that was stopped, since its limit of time was met, or the error of another. In a
// document, it is a finding beside those that there are.
func (r *Reporter) late(err error) error {
	late := r.app.met()
	if late == nil || !errors.Is(err, context.Canceled) {
		return err
	}
	failed := &Failure{Status: ExitIO, Err: late}
	if r.Printer.Format != report.Text {
		r.Put(report.Finding{Severity: report.Error, Code: "rad", Message: late.Error()})
		failed.Said = r.Out == r.log
	}
	return failed
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
	err = r.late(err)
	var f *Failure
	said := errors.As(err, &f) && f.Said
	if err != nil && err.Error() != "" && r.Printer.Format != report.Text && !said && !errors.Is(err, context.Canceled) {
		status := ExitUsage
		if f != nil {
			status = f.Status
		}
		var internal *bicep.InternalError
		if !errors.As(err, &internal) {
			r.Put(report.Finding{Severity: report.Error, Code: "rad", Message: err.Error()})
			err = &Failure{Status: status, Err: err, Said: true}
		}
	}
	if e := r.print(true); e != nil && err == nil {
		return FailWith(ExitIO, e)
	}
	return err
}
