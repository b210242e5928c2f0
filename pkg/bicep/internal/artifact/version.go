package artifact

import (
	"cmp"
	"strconv"
	"strings"
)

// Version is a tag such as v1, 0.58 or 1.2.3-beta.1.
type Version struct {
	Prefix  string // v or nothing
	Numbers []uint64
	Pre     string
}

// ParseVersion takes a tag apart. ok is false for one that is not a version.
func ParseVersion(tag string) (v Version, ok bool) {
	rest := tag
	if strings.HasPrefix(rest, "v") {
		v.Prefix, rest = "v", rest[1:]
	}
	rest, v.Pre, _ = strings.Cut(rest, "-")
	for part := range strings.SplitSeq(rest, ".") {
		n, err := strconv.ParseUint(part, 10, 63)
		if err != nil {
			return Version{}, false
		}
		v.Numbers = append(v.Numbers, n)
	}
	return v, len(v.Numbers) <= 4
}

// Compare orders versions as Semantic Versioning does.
func (v Version) Compare(o Version) int {
	for i := range max(len(v.Numbers), len(o.Numbers)) {
		var a, b uint64
		if i < len(v.Numbers) {
			a = v.Numbers[i]
		}
		if i < len(o.Numbers) {
			b = o.Numbers[i]
		}
		if a != b {
			return cmp.Compare(a, b)
		}
	}
	switch {
	case v.Pre == o.Pre:
		return 0
	case v.Pre == "":
		return 1
	case o.Pre == "":
		return -1
	}
	a, b := strings.Split(v.Pre, "."), strings.Split(o.Pre, ".")
	for i := range min(len(a), len(b)) {
		if c := comparePart(a[i], b[i]); c != 0 {
			return c
		}
	}
	return len(a) - len(b)
}

// comparePart orders parts of what follows the hyphen: numbers by value and before
// words, words as texts.
func comparePart(a, b string) int {
	x, err1 := strconv.ParseUint(a, 10, 63)
	y, err2 := strconv.ParseUint(b, 10, 63)
	switch {
	case err1 == nil && err2 == nil:
		return cmp.Compare(x, y)
	case err1 == nil:
		return -1
	case err2 == nil:
		return 1
	}
	return strings.Compare(a, b)
}
