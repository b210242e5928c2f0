package objects

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// maxName is how long the name of an object may be.
const maxName = 253

// FitsType reports whether a name of Azure has a part for each part of a type but the first.
func FitsType(name, armType string) bool {
	if strings.Count(name, "/") != strings.Count(armType, "/")-1 {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if strings.TrimSpace(part) == "" {
			return false
		}
	}
	return true
}

// SafeName makes the name of an object of a text: in lower case, with hyphens for blanks,
// underscores and slashes, and without other signs. If it has to be told apart from
// another, a hash of the resource's ID ends it.
func SafeName(text, id string, apart bool) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case strings.ContainsRune("-_/\\% \t", r):
			if b.Len() > 0 && b.String()[b.Len()-1] != '-' {
				b.WriteByte('-')
			}
		}
	}
	hash := sha256.Sum256([]byte(id))
	suffix := hex.EncodeToString(hash[:4])
	s := strings.TrimRight(b.String(), "-")
	switch {
	case s == "":
		return "r-" + suffix
	case apart:
		return strings.TrimRight(s[:min(len(s), maxName-len(suffix)-1)], "-") + "-" + suffix
	}
	return strings.TrimRight(s[:min(len(s), maxName)], "-")
}
