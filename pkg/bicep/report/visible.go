package report

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Text from a repository must not steer a terminal, nor be taken for a command by what reads the
// log of a CI job. Visible and Lines are for all text that people read; the other formats are
// escaped by their own rules.

// Visible returns a text as one line in which characters that do something to a
// terminal, to the order of the text or to its lines are written as escapes.
func Visible(s string) string { return defuse(escapes(s)) }

// escapes writes characters as escapes that are not to be printed.
func escapes(s string) string {
	if isPlainASCII(s) {
		return s
	}
	clean := true
	for _, r := range s {
		if !plain(r) {
			clean = false
			break
		}
	}
	if !clean {
		var b strings.Builder
		for i := 0; i < len(s); {
			r, size := utf8.DecodeRuneInString(s[i:])
			switch {
			case r == utf8.RuneError && size == 1:
				fmt.Fprintf(&b, `\x%02x`, s[i])
			case plain(r) || r == utf8.RuneError:
				b.WriteRune(r)
			case r == '\n':
				b.WriteString(`\n`)
			case r == '\r':
				b.WriteString(`\r`)
			case r == '\t':
				b.WriteString(`\t`)
			case r < 0x100:
				fmt.Fprintf(&b, `\x%02x`, r)
			default:
				fmt.Fprintf(&b, `\u%04x`, r)
			}
			i += size
		}
		s = b.String()
	}
	return s
}

// isPlainASCII reports whether a text is of ASCII characters that can all be shown: most are.
func isPlainASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// Lines returns a text of several lines, which may be coloured, in which no line is a
// command to GitHub Actions or to Azure Pipelines.
func Lines(text string) string {
	if !strings.Contains(text, "::") {
		return defuse(text)
	}
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		if rest := strings.TrimLeft(line, " \t\r\v\f\u0085\u00a0"); strings.HasPrefix(rest, "::") {
			lines[i] = line[:len(line)-len(rest)] + ": " + rest[1:]
		}
	}
	return defuse(strings.Join(lines, ""))
}

// defuse parts the characters that begin a command in the middle of a line: ##[ and ##vso[.
func defuse(s string) string {
	if !strings.Contains(s, "##") {
		return s
	}
	var b strings.Builder
	for {
		i := strings.Index(s, "##")
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i+2])
		s = s[i+2:]
		if strings.HasPrefix(s, "[") || len(s) > 3 && strings.EqualFold(s[:4], "vso[") {
			b.WriteByte(' ')
		} else if strings.HasPrefix(s, "#") { // ###[ begins one, too
			b.WriteByte(' ')
		}
	}
}
