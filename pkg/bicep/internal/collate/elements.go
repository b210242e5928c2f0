package collate

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// # Weights
//
// The official tables of weights have some 40,000 lines. Nearly all follow from what Unicode says of a character, so here the
// weights are derived:
//
//   - A character that is made of others has their elements: é those of e and of the accent, ﬁ those of f and i, with another
//     third weight.
//   - The order of first weights is: white space, punctuation, signs, signs of currencies, digits, then letters: Latin, Greek,
//     Cyrillic, and so on (scripts), then Han, and what is not assigned. Digits of all scripts have the weights of 0 to 9.
//   - Within these, the lists below give the order of what is used most; the others follow by their numbers.
//
// TestAgainstTables holds all this against the tables of golang.org/x/text/collate.

type element struct {
	first  uint32 // 0 for an accent
	second uint16
	third  uint8
	class  uint8 // of accents: where they are on a letter
	end    bool  // it is the last of its character
	at     int   // where its character begins in the text, in bytes
}

// signs are white space, punctuation and other signs in their order. Those of Unicode's general punctuation that come to mind
// are among them.
const signs = "\t\n\v\f\r\u0085\u2028\u2029 _‗-‐‒–—―,;:!¡?¿.·'‘’‚‛‹›\"“”„‟«»()[]{}‖§¶@*/\\&#%‰†‡•" + // punctuation
	"`´¨^¯˘˙¸˛°©®+±÷×<=>¬|¦~⁄" + // others
	"¤¢$£¥₠₡₢₣₤₥₦₧₩₪₫€₭₮₯₰₱₲₳₴₵" // currencies

// latin are the Latin letters that are not made of others, in their order.
const latin = "abƀƃcȼƈdƌȡeɇǝəɛfƒgǥɣƣhƕiıɨjȷɉkƙlƚɫȴƛmnɲƞȵŋoɔɵȣpƥqɋĸrɍsȿʃƪtŧƫƭȶuʉɯʊvʋʌwxyɏƴȝzƶȥɀʒƹƺþƿƨƽƅɂʔ"

// cyrillic are the Cyrillic letters that are not made of others, in their order.
const cyrillic = "абвгґдђеєжзѕиіјклљмнњопрстћуфхцчџшщъыьэюя"

// ligatures are letters that count as others, with an accent on the first.
var ligatures = map[rune]string{'ß': "ss", 'æ': "ae", 'œ': "oe", 'ẞ': "SS", 'Æ': "AE", 'Œ': "OE"}

// strokes are letters that count as others with a stroke.
var strokes = map[rune]rune{'đ': 'd', 'ħ': 'h', 'ł': 'l', 'ø': 'o', 'ð': 'd', 'Đ': 'D', 'Ħ': 'H', 'Ł': 'L', 'Ø': 'O', 'Ð': 'D'}

// accents are combining characters in their order. Others follow by their numbers.
const accents = "\u0332\u0313\u0314\u0301\u0300\u0306\u0302\u030c\u030a\u0342\u0308\u030b\u0303\u0307\u0338\u0327\u0328\u0304"

// scripts are the letters in their order, after Latin and before Han. Those that are not named are between.
var scripts = []*unicode.RangeTable{unicode.Greek, unicode.Coptic, unicode.Cyrillic, unicode.Glagolitic, unicode.Georgian, unicode.Armenian,
	unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati,
	unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Thai,
	unicode.Lao, unicode.Tibetan,
	unicode.Myanmar, unicode.Khmer, unicode.Mongolian}

// Groups of first weights. Within one, weights are below 1<<21.
const (
	groupSpace = iota + 1
	groupPunct
	groupSign
	groupCurrency
	groupDigit
	groupLatin
	groupScripts // one for each of scripts
	groupOther   = groupScripts + 32
	groupHangul  = groupOther + 1
	groupKana    = groupOther + 2
	groupHan     = groupOther + 3
	groupNone    = groupOther + 4

	perGroup = 1 << 21
)

// Second and third weights.
const (
	plain    = 1
	joined   = 200 // a ligature
	native   = 201 // a digit of another script
	small    = 1
	form     = 2 // another form of a small letter
	large    = 4
	accented = 2 // of accents, the first
)

// asciiWeights are the first weights of ASCII, which are made when they are first needed.
var asciiWeights = sync.OnceValue(func() *[utf8.RuneSelf]uint32 {
	var w [utf8.RuneSelf]uint32
	for c := range w {
		if r := rune(c); !ignorable(r) {
			w[c] = weigh(r)
		}
	}
	return &w
})

// weigh returns the first weight of a character that is not made of others, nor is an accent.
func weigh(r rune) uint32 {
	switch {
	case '0' <= r && r <= '9':
		return groupDigit*perGroup + uint32(r)
	case unicode.IsLetter(r) || unicode.Is(unicode.M, r) || unicode.IsNumber(r):
		return letter(r)
	}
	group := uint32(groupNone)
	switch {
	case unicode.IsSpace(r):
		group = groupSpace
	case unicode.IsPunct(r):
		group = groupPunct
	case unicode.Is(unicode.Sc, r):
		group = groupCurrency
	case unicode.IsSymbol(r):
		group = groupSign
	}
	return group*perGroup + listed(signs, r)
}

// listed returns where a character is in a list, or a weight behind the list.
func listed(list string, r rune) uint32 {
	if i := strings.IndexRune(list, r); i >= 0 {
		return uint32(i) + 1
	}
	return uint32(len(list)) + uint32(r)
}

func letter(r rune) uint32 {
	r = unicode.ToLower(r)
	group := uint32(groupOther)
	switch {
	case unicode.Is(unicode.Latin, r):
		return groupLatin*perGroup + listed(latin, r)
	case unicode.Is(unicode.Cyrillic, r):
		return (groupScripts+2)*perGroup + listed(cyrillic, r)
	case unicode.Is(unicode.Han, r):
		group = groupHan
	case unicode.Is(unicode.Hangul, r):
		group = groupHangul
	case unicode.In(r, unicode.Hiragana, unicode.Katakana):
		group = groupKana
		if r >= 0x30A1 && r <= 0x30F6 {
			r -= 0x60 // as in Hiragana
		}
	case r == 'ς':
		r = 'σ'
		group = groupScripts
	default:
		for i, s := range scripts {
			if unicode.Is(s, r) {
				group = groupScripts + uint32(i)
				break
			}
		}
	}
	return group*perGroup + uint32(r)
}

// ignorable reports whether a character has no element.
func ignorable(r rune) bool {
	return unicode.IsControl(r) && !unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) ||
		unicode.Is(unicode.Variation_Selector, r) || r == '\u034f'
}

// elementsOf returns the elements of a text. Accents on one letter are in Unicode's canonical order.
func elementsOf(s string) []element {
	out := make([]element, 0, len(s))
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			r = rune(s[i]) + 0x200000 - 1000 // no character: behind all
		}
		from := len(out)
		if out = appendElements(out, r, i, small); len(out) > from {
			out[len(out)-1].end = true
		}
		i += n
	}
	return out
}

func appendElements(out []element, r rune, at int, third uint8) []element {
	if r < utf8.RuneSelf {
		if w := asciiWeights()[r]; w != 0 {
			out = append(out, element{first: w, second: plain, third: third + sizeOf(r), at: at})
		}
		return out
	}
	if ignorable(r) {
		return out
	}
	if two, ok := ligatures[r]; ok {
		for i, c := range two {
			if i > 0 {
				out = append(out, element{second: joined, third: small, at: at})
			}
			out = appendElements(out, c, at, max(third, form))
		}
		return out
	}
	if base, ok := strokes[r]; ok {
		return append(appendElements(out, base, at, third), element{second: accent('\u0338'), third: small, at: at})
	}
	var buf [utf8.UTFMax]byte
	b := buf[:utf8.EncodeRune(buf[:], min(r, utf8.MaxRune))]
	if d := norm.NFD.Properties(b).Decomposition(); d != nil && r <= utf8.MaxRune {
		return appendAll(out, d, at, third)
	}
	if d := norm.NFKD.Properties(b).Decomposition(); d != nil && r <= utf8.MaxRune && (d[0] != ' ' || len(d) == 1) {
		return appendAll(out, d, at, max(third, form))
	}
	switch {
	case unicode.Is(unicode.Mn, r) && norm.NFD.Properties(b).CCC() != 0:
		return insertAccent(out, element{second: accent(r), third: small, class: norm.NFD.Properties(b).CCC(), at: at})
	case unicode.Is(unicode.Nd, r):
		zero := r
		for unicode.Is(unicode.Nd, zero-1) && r-zero < 9 {
			zero--
		}
		return append(out, element{first: asciiWeights()['0'+(r-zero)], second: plain, third: third, at: at},
			element{second: native, third: small, at: at})
	}
	return append(out, element{first: weigh(r), second: plain, third: third + sizeOf(r), at: at})
}

func appendAll(out []element, decomposed []byte, at int, third uint8) []element {
	for _, r := range string(decomposed) {
		out = appendElements(out, r, at, third)
	}
	return out
}

// insertAccent appends an accent, before those of higher classes: they can be written in any order.
func insertAccent(out []element, e element) []element {
	i := len(out)
	for i > 0 && out[i-1].class > e.class {
		i--
	}
	return slices.Insert(out, i, e)
}

func sizeOf(r rune) uint8 {
	if unicode.IsUpper(r) {
		return large
	}
	return 0
}

// accent returns the second weight of a combining character.
func accent(r rune) uint16 {
	if i := strings.IndexRune(accents, r); i >= 0 {
		return uint16(accented + i)
	}
	return uint16(joined + 100 + r&0x3FFF)
}
