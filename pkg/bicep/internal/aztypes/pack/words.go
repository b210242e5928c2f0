package pack

import (
	"cmp"
	"slices"

	"github.com/radbicep/rad/pkg/bicep/internal/aztypes"
)

// words are parts of strings that occur often enough to be written as a code.
type words struct {
	list    []string // the most frequent first
	number  map[string]int
	longest int
}

// How words are put together: parts that are often beside each other are made
// one, for so many rounds, the most frequent pairs first.
const (
	wordRounds    = 24
	wordsARound   = 400
	leastTogether = 8
)

// newWords finds the words of strings.
func newWords(strings []string) *words {
	// Parts have numbers while they are put together.
	var parts []string
	number := make(map[string]int32)
	part := func(s string) int32 {
		n, ok := number[s]
		if !ok {
			n = int32(len(parts))
			number[s] = n
			parts = append(parts, s)
		}
		return n
	}
	texts := make([][]int32, len(strings))
	for i, s := range strings {
		for _, p := range split(s) {
			texts[i] = append(texts[i], part(p))
		}
	}
	for range wordRounds {
		often := oftenTogether(texts, parts)
		if len(often) == 0 {
			break
		}
		joined := make(map[pair]int32, len(often))
		for _, p := range often {
			joined[p] = part(parts[p.a] + parts[p.b])
		}
		for k, t := range texts {
			texts[k] = join(t, joined)
		}
	}
	uses := make([]int, len(parts))
	for _, t := range texts {
		for _, p := range t {
			uses[p]++
		}
	}
	w := &words{number: make(map[string]int)}
	for p, s := range parts {
		// As text it takes two bytes more than it has, at every use; as a word two
		// bytes at every use, and once its own length and one.
		if n := uses[p]; n > 0 && len(s) < aztypes.Text && (n*(2+len(s)) > 1+len(s)+n*2 || len(s) == 1) {
			w.list = append(w.list, s)
		}
	}
	slices.SortFunc(w.list, func(x, y string) int {
		return cmp.Or(uses[number[y]]-uses[number[x]], cmp.Compare(x, y))
	})
	w.list = w.list[:min(len(w.list), aztypes.MaxWords)]
	for i, s := range w.list {
		w.number[s] = i
		w.longest = max(w.longest, len(s))
	}
	return w
}

// pair is two parts that follow each other.
type pair struct{ a, b int32 }

// oftenTogether returns the pairs that are worth a word, the most frequent first.
func oftenTogether(texts [][]int32, parts []string) []pair {
	count := make(map[pair]int)
	for _, t := range texts {
		for i := 0; i+1 < len(t); i++ {
			count[pair{t[i], t[i+1]}]++
		}
	}
	var often []pair
	for p, n := range count {
		if n >= leastTogether && len(parts[p.a])+len(parts[p.b]) < aztypes.Text {
			often = append(often, p)
		}
	}
	slices.SortFunc(often, func(x, y pair) int {
		return cmp.Or(count[y]-count[x], cmp.Compare(parts[x.a], parts[y.a]), cmp.Compare(parts[x.b], parts[y.b]))
	})
	return often[:min(len(often), wordsARound)]
}

// join puts the part of a pair in the place of its two, in the memory of the text.
func join(text []int32, joined map[pair]int32) []int32 {
	out := text[:0]
	for i := 0; i < len(text); i++ {
		if i+1 < len(text) {
			if p, ok := joined[pair{text[i], text[i+1]}]; ok {
				out = append(out, p)
				i++
				continue
			}
		}
		out = append(out, text[i])
	}
	return out
}

// split cuts a string where a word begins: at capitals, digits and punctuation.
func split(s string) (parts []string) {
	for len(s) > 0 {
		n := 1
		switch class := classOf(s[0]); {
		case class == upperCase && len(s) > 1 && classOf(s[1]) == lowerCase:
			for n < len(s) && classOf(s[n]) == lowerCase {
				n++
			}
		case class == upperCase:
			for n < len(s) && classOf(s[n]) == upperCase && !(n+1 < len(s) && classOf(s[n+1]) == lowerCase) {
				n++
			}
		case class != punctuation:
			for n < len(s) && classOf(s[n]) == class {
				n++
			}
		}
		parts = append(parts, s[:n])
		s = s[n:]
	}
	return parts
}

const (
	lowerCase = iota
	upperCase
	digit
	punctuation
)

func classOf(c byte) int {
	switch {
	case 'a' <= c && c <= 'z':
		return lowerCase
	case 'A' <= c && c <= 'Z':
		return upperCase
	case '0' <= c && c <= '9':
		return digit
	}
	return punctuation
}

// codes returns the shortest way to write a string.
func (w *words) codes(s string) []byte {
	const isText = -1
	type step struct{ cost, from, word int }
	best := make([]step, len(s)+1)
	for i := 1; i <= len(s); i++ {
		best[i].cost = 1 << 30
		for j := i - 1; j >= max(0, i-aztypes.Text+1); j-- {
			if word, ok := w.number[s[j:i]]; ok && i-j <= w.longest {
				cost := best[j].cost + 1
				if word >= aztypes.OneByte {
					cost++
				}
				if cost < best[i].cost {
					best[i] = step{cost, j, word}
				}
			}
			if cost := best[j].cost + 2 + i - j; cost < best[i].cost {
				best[i] = step{cost, j, isText}
			}
		}
	}
	var ends []int
	for i := len(s); i > 0; i = best[i].from {
		ends = append(ends, i)
	}
	var out []byte
	for _, end := range slices.Backward(ends) {
		switch b := best[end]; {
		case b.word == isText:
			out = append(append(out, aztypes.Text, byte(end-b.from)), s[b.from:end]...)
		case b.word < aztypes.OneByte:
			out = append(out, byte(b.word))
		default:
			n := b.word - aztypes.OneByte
			out = append(out, byte(aztypes.OneByte+n>>8), byte(n))
		}
	}
	return out
}
