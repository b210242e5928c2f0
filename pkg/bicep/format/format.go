// Package format lays out Bicep files as the official formatter does. Begin with New.
package format

import (
	"fmt"
	"math"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/internal/config"
	layout "github.com/radbicep/rad/pkg/bicep/internal/format"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Layout is how Bicep files are laid out. A field that has its zero value is taken from the
// formatting section of the nearest bicepconfig.json, or else has the official formatter's default.
type Layout struct {
	NewlineKind  string // LF, CRLF or CR, in any letter case
	IndentKind   string // Space or Tab, in any letter case
	IndentSize   *int
	FinalNewline *bool
	Config       string // the path of a configuration that is used in place of the nearest one
}

// The kinds of line ends and indents that a Layout may name.
var (
	NewlineKinds = []string{"LF", "CRLF", "CR"}
	IndentKinds  = []string{"Space", "Tab"}
)

// Formatter lays out Bicep files as the official formatter does. It reads their
// configuration, each once, and nothing else: neither what they import nor types.
type Formatter struct {
	layout Layout
	loader *config.Loader
}

// New returns a formatter that reads configurations from files.
func New(files source.FS, l Layout) (*Formatter, error) {
	if kind := l.NewlineKind; kind != "" && !slices.ContainsFunc(NewlineKinds, func(k string) bool { return strings.EqualFold(k, kind) }) {
		return nil, fmt.Errorf("there is no kind of line end %q", kind)
	}
	if kind := l.IndentKind; kind != "" && !slices.ContainsFunc(IndentKinds, func(k string) bool { return strings.EqualFold(k, kind) }) {
		return nil, fmt.Errorf("there is no kind of indent %q", kind)
	}
	return &Formatter{layout: l, loader: config.NewLoader(files).WithFile(l.Config)}, nil
}

// Result is a file that was laid out.
type Result struct {
	Text string
	// Findings are what the author should know: what is wrong with the
	// configuration, and strings whose value the line ends change.
	Findings []report.Finding
}

// Format lays out the text of the file at an absolute path: a .bicepparam file if
// the path ends so, else a .bicep file. The file itself is not read. Syntax errors are not errors
// here: a statement that has one stays as it is.
func (f *Formatter) Format(path string, content []byte) (out *Result, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			out, err = nil, &bicep.InternalError{File: path, Fault: fault, Stack: debug.Stack()}
		}
	}()
	file := &source.File{Path: path, Text: source.Decode(content, "")}
	if len(file.Text) > math.MaxInt32 {
		return nil, fmt.Errorf("%s: the file has more than 2 GiB", path)
	}
	c := f.loader.For(path)
	result := layout.File(file, strings.EqualFold(filepath.Ext(path), ".bicepparam"), f.options(c))
	out = &Result{Text: result.Text}
	if d := graph.NotUTF8(content); d != nil { // its text would be lost
		d.File = file
		return &Result{Text: file.Text, Findings: []report.Finding{d.Finding()}}, nil
	}
	for _, p := range c.Problems {
		d := p.At(source.Span{})
		d.File = file
		finding := d.Finding()
		finding.Severity = report.Warning
		out.Findings = append(out.Findings, finding)
	}
	warn := func(spans []source.Span, code, message string) {
		for _, s := range spans {
			start := file.Position(s.Start)
			out.Findings = append(out.Findings, report.Finding{
				Path: file.Path, Start: start, End: file.Position(s.End), Line: file.Line(start.Line),
				Severity: report.Warning, Code: code, Message: message,
			})
		}
	}
	warn(result.Strings, "format-line-ends",
		"The value of this multi-line string changes with its line ends. Set newlineKind in bicepconfig.json to keep those of the file.")
	warn(result.Broken, "format-decorated-tuple", "The official layout puts this tuple on one line, "+
		"where its decorators are a syntax error. A comment on a line of its own in the tuple keeps its lines.")
	return out, nil
}

// options are what the flags, the configuration and the defaults say together.
func (f *Formatter) options(c *config.Config) layout.Options {
	o := layout.Defaults()
	set := func(flag, key string, apply func(string)) {
		if flag != "" {
			apply(strings.ToLower(flag))
		} else if v, ok := c.Formatting.Word(key); ok {
			apply(v)
		}
	}
	set(f.layout.IndentKind, "indentKind", func(v string) { o.Tabs = v == "tab" })
	set(f.layout.NewlineKind, "newlineKind", func(v string) {
		o.Newline = map[string]string{"lf": "\n", "crlf": "\r\n", "cr": "\r"}[v]
	})
	if v, ok := c.Formatting.Int("width"); ok {
		o.Width = v
	}
	if c.Features.LegacyFormatter { // which does not break lines because of their width
		o.Width = math.MaxInt32
	}
	if f.layout.IndentSize != nil {
		o.IndentSize = *f.layout.IndentSize
	} else if v, ok := c.Formatting.Int("indentSize"); ok {
		o.IndentSize = v
	}
	if f.layout.FinalNewline != nil {
		o.FinalNewline = *f.layout.FinalNewline
	} else if v, ok := c.Formatting.Bool("insertFinalNewline"); ok {
		o.FinalNewline = v
	}
	return o
}
