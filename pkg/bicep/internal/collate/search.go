package collate

// # Finding text
//
// .NET finds text by its elements, and by their first and second weights only: case and form do not count. What has no element is
// in all texts, at any place. So these hold:
//
//	the prefix of "ﬁx" is "fi", and "\x00" is one of any text
//	"é" begins with "e\u0301", but not with "e": the accent is part of the letter

func (e element) like(f element) bool { return e.first == f.first && e.second == f.second }

// HasPrefix reports whether s begins with x.
func HasPrefix(s, x string) bool {
	a, b := elementsOf(s), elementsOf(x)
	if len(a) < len(b) {
		return false
	}
	for i := range b {
		if !a[i].like(b[i]) {
			return false
		}
	}
	return len(b) == 0 || len(a) == len(b) || a[len(b)].first != 0
}

// HasSuffix reports whether s ends with x.
func HasSuffix(s, x string) bool {
	a, b := elementsOf(s), elementsOf(x)
	if len(a) < len(b) {
		return false
	}
	a = a[len(a)-len(b):]
	for i := range b {
		if !a[i].like(b[i]) {
			return false
		}
	}
	return true
}

// Index returns the byte at which x begins in s for the first time, or the last time, or -1. A text without elements begins at
// the start, and for the last time at the end.
func Index(s, x string, last bool) int {
	a, b := elementsOf(s), elementsOf(x)
	if len(b) == 0 {
		if last {
			return len(s)
		}
		return 0
	}
	next := failures(b)
	found, k := -1, 0
	for i := range a {
		for k > 0 && !a[i].like(b[k]) {
			k = next[k-1]
		}
		if a[i].like(b[k]) {
			k++
		}
		if k < len(b) {
			continue
		}
		start := i - k + 1
		k = next[k-1]
		// A match is of whole characters with their accents.
		if start > 0 && (!a[start-1].end || a[start].first == 0) || !a[i].end || i+1 < len(a) && a[i+1].first == 0 {
			continue
		}
		if found = a[start].at; !last {
			break
		}
	}
	return found
}

// failures returns how many elements match again where a match breaks off: the table of the algorithm of Knuth, Morris and
// Pratt, with which a search takes one pass.
func failures(b []element) []int {
	next := make([]int, len(b))
	k := 0
	for i := 1; i < len(b); i++ {
		for k > 0 && !b[i].like(b[k]) {
			k = next[k-1]
		}
		if b[i].like(b[k]) {
			k++
		}
		next[i] = k
	}
	return next
}
