package cli

import (
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/radbicep/rad/pkg/bicep/report"
)

// UnifiedDiff returns what turns one text into another, as a unified diff that can be printed: no line
// is a command to a CI job, though one that both texts have begins with a space only. Whether a
// text ends with a line break makes no difference.
func UnifiedDiff(from, to, before, after string, color bool) string {
	from, to = ShowControls(from), ShowControls(to) // a line end in a name would be one of the diff
	text := string(diff.Diff(from, lines(before), to, lines(after)))
	_, text, _ = strings.Cut(text, "\n") // the line with the command, "diff from to"
	var out strings.Builder
	header := 2
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		code := ""
		switch {
		case header > 0:
			header--
			code = "\x1b[1m"
		case line[0] == '@':
			code = "\x1b[36m"
		case line[0] == '-':
			code = "\x1b[31m"
		case line[0] == '+':
			code = "\x1b[32m"
		}
		line = line[:1] + ShowControls(line[1:])
		if color && code != "" {
			line = code + line + "\x1b[0m"
		}
		out.WriteString(line + "\n")
	}
	return report.Lines(out.String())
}

// lines returns a text of whole lines.
func lines(text string) []byte {
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return []byte(text)
}

// ShowControls keeps a line of a file from steering the terminal. A tab is one.
func ShowControls(s string) string {
	parts := strings.Split(s, "\t")
	for i, part := range parts {
		parts[i] = report.Visible(part)
	}
	return strings.Join(parts, "\t")
}
