package source

import (
	"bytes"
	"strings"
)

// IsConflictMarker reports whether a line is one that git leaves where it could not merge.
func IsConflictMarker(line string) bool {
	line = strings.TrimRight(line, "\r\n")
	for _, mark := range [...]string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"} {
		if rest, ok := strings.CutPrefix(line, mark); ok && (rest == "" || rest[0] == ' ') {
			return true
		}
	}
	return false
}

// ConflictMarker returns the number of the first such line of a text, or 0.
func ConflictMarker(text []byte) int {
	n := 0
	for line := range bytes.Lines(text) {
		if n++; IsConflictMarker(string(line)) {
			return n
		}
	}
	return 0
}
