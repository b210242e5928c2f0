package report

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/radbicep/rad/pkg/bicep/source"
)

// Format is a form in which findings are written.
type Format string

// The formats.
const (
	Text   Format = "text"   // one line each, as the official compiler writes them
	JSON   Format = "json"   // one JSON array
	SARIF  Format = "sarif"  // a SARIF 2.1.0 log
	GitHub Format = "github" // workflow commands of GitHub Actions
	GitLab Format = "gitlab" // a GitLab Code Quality report
	Azure  Format = "azure"  // logging commands of Azure Pipelines
)

// Formats lists the formats in the order in which help shows them.
var Formats = []Format{Text, JSON, SARIF, GitHub, GitLab, Azure}

// Printer writes findings in one format.
type Printer struct {
	Format Format
	// Base is the folder that paths are written relative to, when they are in
	// it; with none, they are written as they are.
	Base string
	// Top is a folder above Base: in it, paths are written relative to Base, too.
	Top string
	// Snippets adds the source line and a caret to the text format.
	Snippets bool
	// Color colours the text format.
	Color bool
	// Version is that of the tool, for SARIF.
	Version string
}

// Print writes the findings. The formats that are one document are complete with
// one call, so all findings of a run belong in it.
func (p *Printer) Print(w io.Writer, findings []Finding) error {
	findings = p.Worded(findings)
	switch p.Format {
	case JSON:
		return p.json(w, findings)
	case SARIF:
		return p.sarif(w, findings)
	case GitHub:
		return p.github(w, findings)
	case GitLab:
		return p.gitlab(w, findings)
	case Azure:
		return p.azure(w, findings)
	}
	return p.text(w, findings)
}

// path returns the path as it is written: relative to the base when it is in it.
func (p *Printer) path(path string) string {
	if p.Base == "" || path == "" {
		return path
	}
	rel, err := filepath.Rel(p.Base, path)
	if err == nil && !filepath.IsLocal(rel) && p.Top != "" {
		var within string
		if within, err = filepath.Rel(p.Top, path); err == nil && filepath.IsLocal(within) {
			return rel
		}
	}
	if err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// Message returns the message of a finding as it is written: the files that it names are named as
// those are that findings are in.
func (p *Printer) Message(f Finding) string {
	if p.Base == "" || f.Mentions == "" {
		return f.Message
	}
	files := f.Files()
	slices.SortFunc(files, func(a, b string) int { return len(b) - len(a) }) // the name of a folder begins those of its files
	var pairs []string
	for _, name := range files {
		pairs = append(pairs, name, p.path(name))
	}
	return strings.NewReplacer(pairs...).Replace(f.Message)
}

// Worded returns findings with their messages as they are written.
func (p *Printer) Worded(findings []Finding) []Finding {
	if p.Base == "" || !slices.ContainsFunc(findings, func(f Finding) bool { return f.Mentions != "" }) {
		return findings
	}
	out := slices.Clone(findings)
	for i := range out {
		out[i].Message, out[i].Mentions = p.Message(out[i]), ""
	}
	return out
}

// The colours, as SGR sequences.
const (
	red    = "\x1b[31m"
	yellow = "\x1b[33m"
	cyan   = "\x1b[36m"
	bold   = "\x1b[1m"
	dim    = "\x1b[2m"
	reset  = "\x1b[0m"
)

func (s Severity) color() string {
	switch s {
	case Error:
		return red
	case Warning:
		return yellow
	}
	return cyan
}

// Header returns the one line that stands for the finding in the text format.
func (p *Printer) Header(f Finding) string { return string(p.appendHeader(nil, &f)) }

// appendHeader adds the Header of a finding to a text.
func (p *Printer) appendHeader(b []byte, f *Finding) []byte {
	start := len(b)
	if f.Path != "" {
		b = append(b, Visible(p.path(f.Path))...)
		if f.Start.Line > 0 {
			b = append(b, '(')
			b = strconv.AppendInt(b, int64(f.Start.Line), 10)
			b = append(b, ',')
			b = strconv.AppendInt(b, int64(f.Start.Column), 10)
			b = append(b, ')')
		}
		b = append(b, " : "...)
	}
	if p.Color {
		b = append(b, bold...)
		b = append(b, f.Severity.color()...)
	}
	b = append(b, f.Severity.String()...)
	b = append(b, ' ')
	b = append(b, Visible(f.Code)...)
	if p.Color {
		b = append(b, reset...)
	}
	b = append(b, ": "...)
	b = append(b, oneLine(f.Message)...)
	if f.URL != "" {
		b = append(b, " ["...)
		b = append(b, Visible(f.URL)...)
		b = append(b, ']')
	}
	if line := b[start:]; bytes.Contains(line, []byte("::")) || bytes.Contains(line, []byte("##")) {
		return append(b[:start], Lines(string(line))...)
	}
	return b
}

// textPart is how much text is written at a time, if there is so much.
const textPart = 32 << 10

func (p *Printer) text(w io.Writer, findings []Finding) error {
	var b []byte
	for i := range findings {
		f := &findings[i]
		b = p.appendHeader(b, f)
		b = append(b, '\n')
		if p.Snippets && f.Start.Line > 0 && strings.TrimSpace(f.Line) != "" {
			b = p.snippet(b, f)
		}
		if len(b) >= textPart {
			if _, err := w.Write(b); err != nil {
				return err
			}
			b = b[:0]
		}
	}
	_, err := w.Write(b)
	return err
}

// snippetWidth is how much of a line a snippet shows.
const snippetWidth = 120

// snippet writes the line that the finding is on, and carets under its place.
// Columns count UTF-16 code units; carets are under runes.
func (p *Printer) snippet(b []byte, f *Finding) []byte {
	line, start, end := []rune(f.Line), 0, 0
	unit := 1
	last := f.End.Column
	if f.End.Line > f.Start.Line {
		last = 1 << 30
	}
	for i, r := range line {
		if unit < f.Start.Column {
			start = i + 1
		}
		if unit < last {
			end = i + 1
		}
		unit++
		if r >= 0x10000 {
			unit++
		}
	}
	end = max(end, start+1)
	// A long line is cut around the place.
	from := 0
	if start > snippetWidth*2/3 {
		from = start - snippetWidth/3
	}
	to := min(len(line), from+snippetWidth)
	number := fmt.Sprint(f.Start.Line)
	var shown, under strings.Builder
	for i := from; i < to; i++ {
		r := line[i]
		if r == '\t' {
			r = ' '
		}
		if !plain(r) {
			r = utf8.RuneError
		}
		shown.WriteRune(r)
		if i < start {
			under.WriteByte(' ')
			if wide(r) {
				under.WriteByte(' ')
			}
		} else if i < end {
			under.WriteByte('^')
			if wide(r) {
				under.WriteByte('^')
			}
		}
	}
	if under.Len() == 0 || start >= to {
		under.WriteByte('^')
	}
	gutter, mark, off := "", "", ""
	if p.Color {
		gutter, mark, off = dim, f.Severity.color(), reset
	}
	b = fmt.Appendf(b, "  %s%s |%s %s\n", gutter, number, off, defuse(strings.TrimRight(shown.String(), " ")))
	return fmt.Appendf(b, "  %s%s |%s %s%s%s\n", gutter, strings.Repeat(" ", len(number)), off, mark, under.String(), off)
}

// wide reports whether terminals give the rune two cells.
func wide(r rune) bool {
	return r >= 0x1100 && (r <= 0x115f || r >= 0x2e80 && r <= 0xa4cf || r >= 0xac00 && r <= 0xd7a3 ||
		r >= 0xf900 && r <= 0xfaff || r >= 0xfe30 && r <= 0xfe6f || r >= 0xff00 && r <= 0xff60 ||
		r >= 0xffe0 && r <= 0xffe6 || r >= 0x1f300 && r <= 0x1faff || r >= 0x20000 && r <= 0x3fffd)
}

// plain reports whether the rune can be shown without doing something to the
// terminal or to the order of the text around it.
func plain(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0, r == utf8.RuneError:
		return false
	case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x061c, r == 0x200e, r == 0x200f:
		return false // the order of text
	case r == 0x2028, r == 0x2029, r == 0xfeff, r >= 0xe0000 && r <= 0xe007f:
		return false
	}
	return true
}

// oneLine returns a message as one line: its line ends are blanks.
func oneLine(s string) string {
	if isPlainASCII(s) {
		return defuse(s)
	}
	return Visible(lineEnds.Replace(s))
}

var lineEnds = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ", "\u2028", " ", "\u2029", " ")

// region returns the end of a finding for the formats that want one: where only
// the start is known, the character there.
func region(f Finding) (start, end source.Position) {
	start, end = f.Start, f.End
	if end.Line < start.Line || end.Line == start.Line && end.Column <= start.Column {
		end = source.Position{Line: start.Line, Column: start.Column + 1}
	}
	return start, end
}
