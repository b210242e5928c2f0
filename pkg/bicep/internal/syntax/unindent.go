package syntax

import "strings"

// Unindent removes from all lines but the first the indentation that they share, as the
// texts of multi-line descriptions are read.
func Unindent(s string) string {
	lines := splitLines(s)
	shared := -1
	for _, l := range lines[1:] {
		if l == "" {
			continue
		}
		n := 0
		for n < len(l) && (l[n] == ' ' || l[n] == '\t') {
			n++
		}
		if shared < 0 || n < shared {
			shared = n
		}
	}
	for i, l := range lines[1:] {
		if l != "" {
			lines[i+1] = l[shared:]
		}
	}
	return strings.Join(lines, "\n")
}

// splitLines splits at each \r\n, \n or \r.
func splitLines(s string) []string {
	var lines []string
	for {
		i := strings.IndexAny(s, "\r\n")
		if i < 0 {
			return append(lines, s)
		}
		lines = append(lines, s[:i])
		if strings.HasPrefix(s[i:], "\r\n") {
			i++
		}
		s = s[i+1:]
	}
}
