package deployment

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"index/suffixarray"
	"net/url"
	"slices"
	"strings"
	"unicode/utf16"
)

const (
	redacted = "(redacted)"
	withheld = "what was said is withheld, because the parameters hold more secret values than can be taken out of it"
)

// Bounds of what can be taken out of a text in a moment.
const (
	maxWords     = 20000
	maxWordsSize = 2 << 20
	maxText      = 64 << 10
)

// Secrets are texts that must not be shown. The zero value has none. If there are too many, nothing is shown at all.
type Secrets struct {
	words map[string]bool
	size  int
	full  bool
}

// Add adds a text, and its lines.
func (s *Secrets) Add(text string) {
	s.add(text)
	if trimmed := strings.TrimSpace(text); len(trimmed) >= 3 {
		s.add(trimmed)
	}
	if strings.ContainsAny(text, "\r\n") {
		for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
			if len(line) >= 6 {
				s.add(line)
			}
		}
	}
}

func (s *Secrets) add(word string) {
	if word == "" || s.full || s.words[word] {
		return
	}
	if len(s.words) == maxWords || s.size+len(word) > maxWordsSize {
		s.words, s.size, s.full = nil, 0, true
		return
	}
	if s.words == nil {
		s.words = map[string]bool{}
	}
	s.words[word] = true
	s.size += len(word)
}

// Merge adds what other has.
func (s *Secrets) Merge(other *Secrets) {
	for word := range other.words {
		s.add(word)
	}
	if other.full {
		s.words, s.size, s.full = nil, 0, true
	}
}

// Full is true if there are too many.
func (s *Secrets) Full() bool { return s.full }

// Size is about how many bytes of memory they take.
func (s *Secrets) Size() int { return s.size + 100*len(s.words) }

// Redact takes the secrets out of a text, in the forms in which services quote them: as they are, escaped as JSON,
// as part of a URL, in base64, and line by line. All are looked for in one index of the text.
func (s *Secrets) Redact(text string) string {
	switch {
	case s.full:
		return withheld
	case len(s.words) == 0 || text == "":
		return text
	}
	shown := len(text)
	if len(text) > maxText {
		longest := 0
		for word := range s.words {
			longest = max(longest, len(word))
		}
		// What the end cuts off of a secret is not found, in its longest form.
		text, shown = text[:maxText], maxText-6*longest
		if shown <= 0 {
			return withheld
		}
	}
	index := suffixarray.New([]byte(text))
	hides := make([]int32, len(text)+1) // how many forms begin at a byte, less those that end there
	alnum := func(i int) bool {
		return i >= 0 && i < len(text) &&
			(text[i] >= '0' && text[i] <= '9' || text[i] >= 'a' && text[i] <= 'z' || text[i] >= 'A' && text[i] <= 'Z')
	}
	for word := range s.words {
		if len(word) > len(text) {
			continue // no form is shorter
		}
		for _, form := range formsOf(word) {
			for _, at := range index.Lookup([]byte(form), -1) {
				end := at + len(form)
				if len(form) >= 3 || !alnum(at-1) && !alnum(end) { // a short one is hidden where it stands by itself
					hides[at]++
					hides[end]--
				}
			}
		}
	}
	return without(text[:shown], hides)
}

// without is a text with what is hidden replaced.
func without(text string, hides []int32) string {
	var b strings.Builder
	depth, was := int32(0), int32(0)
	for i := range len(text) {
		depth += hides[i]
		switch {
		case depth == 0:
			b.WriteByte(text[i])
		case was == 0:
			b.WriteString(redacted)
		}
		was = depth
	}
	return b.String()
}

// formsOf are the forms in which a secret is quoted.
func formsOf(s string) []string {
	forms := []string{s}
	for _, form := range []string{jsonEscaped(s), asciiEscaped(s), url.QueryEscape(s), url.PathEscape(s)} {
		if !slices.Contains(forms, form) {
			forms = append(forms, form)
		}
	}
	if len(s) >= 4 {
		forms = append(forms, base64.StdEncoding.EncodeToString([]byte(s)), base64.RawURLEncoding.EncodeToString([]byte(s)))
	}
	return forms
}

func jsonEscaped(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil {
		return s
	}
	text := strings.TrimSuffix(b.String(), "\n")
	return text[1 : len(text)-1]
}

// asciiEscaped is JSON as .NET writes it: everything but plain ASCII is escaped.
func asciiEscaped(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\\':
			b.WriteString(`\\`)
		case r < ' ' || r == '"' || r == '\'' || r == '<' || r == '>' || r == '&' || r == '+' || r == '`' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		case r < 0x7f:
			b.WriteRune(r)
		default:
			for _, u := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, `\u%04X`, u)
			}
		}
	}
	return b.String()
}
