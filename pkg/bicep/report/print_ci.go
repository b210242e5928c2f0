package report

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
)

func encode(w io.Writer, v any) error {
	text, err := EncodeJSON(v)
	if err == nil {
		_, err = w.Write(text)
	}
	return err
}

// EncodeJSON writes a value as JSON that steers neither a terminal nor the log of a CI job.
func EncodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return PlainJSON(b.Bytes()), nil
}

// PlainJSON returns a JSON text that steers neither a terminal nor the log of a CI job.
func PlainJSON(text []byte) []byte {
	// Only strings in a JSON text hold characters beyond ASCII or ##, with which a command in the log
	// of a CI job begins. So both can be written as escapes.
	var out []byte
	for _, r := range string(bytes.ReplaceAll(text, []byte("##"), []byte(`#\u0023`))) {
		switch {
		case r < 0x7f:
			out = append(out, byte(r))
		case unicode.IsPrint(r) || unicode.In(r, unicode.Mn, unicode.Mc):
			out = append(out, string(r)...)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, hi, lo)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}

// Record is a finding as it is written in JSON.
type Record struct {
	Path     string       `json:"path,omitempty"`
	Start    *RecordPlace `json:"start,omitempty"`
	End      *RecordPlace `json:"end,omitempty"`
	Severity string       `json:"severity" enum:"error,warning,info,off"`
	Code     string       `json:"code"`
	Message  string       `json:"message"`
	URL      string       `json:"url,omitempty"`
	Fix      *RecordFix   `json:"fix,omitempty"`
}

// RecordPlace is a place in a file. Lines and columns are counted from 1.
type RecordPlace struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// RecordFix is what repairs a finding.
type RecordFix struct {
	Title     string       `json:"title"`
	Certainty string       `json:"certainty"`
	Edits     []RecordEdit `json:"edits"`
}

// RecordEdit replaces a part of the file.
type RecordEdit struct {
	Start RecordPlace `json:"start"`
	End   RecordPlace `json:"end"`
	Text  string      `json:"text"`
}

// Records returns findings as they are written in JSON.
func (p *Printer) Records(findings []Finding) []Record {
	out := make([]Record, 0, len(findings))
	for _, f := range p.Worded(findings) {
		j := Record{Path: filepath.ToSlash(p.path(f.Path)), Severity: strings.ToLower(f.Severity.String()),
			Code: f.Code, Message: f.Message, URL: f.URL}
		if f.Start.Line > 0 {
			j.Start = &RecordPlace{f.Start.Line, f.Start.Column}
		}
		if f.End.Line > 0 {
			j.End = &RecordPlace{f.End.Line, f.End.Column}
		}
		if x := f.Fix; x != nil && !x.Private {
			j.Fix = &RecordFix{Title: x.Title, Certainty: x.Certainty.String()}
			for _, e := range x.Edits {
				j.Fix.Edits = append(j.Fix.Edits,
					RecordEdit{RecordPlace{e.Start.Line, e.Start.Column}, RecordPlace{e.End.Line, e.End.Column}, e.Text})
			}
		}
		out = append(out, j)
	}
	return out
}

func (p *Printer) json(w io.Writer, findings []Finding) error { return encode(w, p.Records(findings)) }

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
			b.WriteString("file=" + property.Replace(escapes(filepath.ToSlash(p.path(f.Path)))))
			if f.Start.Line > 0 {
				start, end := region(f)
				fmt.Fprintf(&b, ",line=%d,endLine=%d,col=%d", start.Line, end.Line, start.Column)
				if start.Line == end.Line { // the runner takes columns within one line only
					fmt.Fprintf(&b, ",endColumn=%d", end.Column)
				}
			}
			b.WriteByte(',')
		}
		b.WriteString("title=" + property.Replace(escapes(f.Code)) + "::" + data.Replace(escapedLines(withURL(f))) + "\n")
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
			b.WriteString("sourcepath=" + property.Replace(escapes(filepath.ToSlash(p.path(f.Path)))) + ";")
		}
		if f.Start.Line > 0 {
			fmt.Fprintf(&b, "linenumber=%d;columnnumber=%d;", f.Start.Line, f.Start.Column)
		}
		b.WriteString("code=" + property.Replace(escapes(f.Code)) + ";]" + data.Replace(escapedLines(withURL(f))) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// escapedLines is escapes for a text that may have several lines.
func escapedLines(s string) string {
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = escapes(line)
	}
	return strings.Join(lines, "\n")
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
	prints := newFingerprints()
	for _, f := range findings {
		severity := "info"
		switch f.Severity {
		case Error:
			severity = "critical"
		case Warning:
			severity = "minor"
		}
		path := cmp.Or(filepath.ToSlash(p.path(f.Path)), ".")
		out = append(out, issue{withURL(f), f.Code, prints.of(path, f), severity, location{path, lines{max(1, f.Start.Line)}}})
	}
	return encode(w, out)
}

// fingerprints numbers findings that would have one fingerprint.
type fingerprints struct {
	count map[string]int
	// The line of the finding before, and what stands for it. Many findings may be on a long line.
	line, short string
}

// Fingerprints returns what names each of the findings across commits, as the SARIF
// log does. Those without a file have "".
func (p *Printer) Fingerprints(findings []Finding) []string {
	out, prints := make([]string, len(findings)), newFingerprints()
	for i, f := range p.Worded(findings) {
		if f.Path != "" {
			out[i] = prints.of(filepath.ToSlash(p.path(f.Path)), f)
		}
	}
	return out
}

func newFingerprints() *fingerprints { return &fingerprints{count: map[string]int{}} }

func (p *fingerprints) of(path string, f Finding) string {
	const longest = 1000
	if p.line != f.Line {
		p.line, p.short = f.Line, strings.TrimSpace(f.Line)
		if len(p.short) > longest {
			sum := sha256.Sum256([]byte(p.short))
			p.short = string(sum[:])
		}
	}
	key := path + "\x00" + f.Code + "\x00" + f.Message + "\x00" + p.short
	p.count[key]++
	sum := sha256.Sum256([]byte(key + "\x00" + strconv.Itoa(p.count[key])))
	return hex.EncodeToString(sum[:16])
}
