package source

// Match reports whether a name fits a pattern. In the pattern, * stands for any text, and
// one for any character, unless it is 0. Match takes time in proportion to the product of
// both lengths at most.
func Match(pattern, name string, one rune) bool {
	p, n := []rune(pattern), []rune(name)
	star, mark := -1, 0
	i, j := 0, 0
	for j < len(n) {
		switch {
		case i < len(p) && p[i] == '*':
			star, mark = i, j
			i++
		case i < len(p) && (one != 0 && p[i] == one || p[i] == n[j]):
			i++
			j++
		case star >= 0:
			mark++
			i, j = star+1, mark
		default:
			return false
		}
	}
	for i < len(p) && p[i] == '*' {
		i++
	}
	return i == len(p)
}
