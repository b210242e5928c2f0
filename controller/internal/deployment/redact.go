package deployment

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"sort"
	"strings"
	"unicode/utf16"
)

const redacted = "(redacted)"

// Redact takes secrets out of a text, in the forms in which services quote them:
// as they are, escaped as JSON, as part of a URL, in base64, and line by line.
func Redact(text string, secrets []string) string {
	forms := map[string]bool{}
	for _, s := range secrets {
		variants := []string{s, jsonEscaped(s), asciiEscaped(s), url.QueryEscape(s), url.PathEscape(s)}
		if len(s) >= 4 {
			variants = append(variants, base64.StdEncoding.EncodeToString([]byte(s)), base64.RawURLEncoding.EncodeToString([]byte(s)))
		}
		for _, line := range strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' }) {
			if len(line) >= 6 {
				variants = append(variants, line)
			}
		}
		if trimmed := strings.TrimSpace(s); len(trimmed) >= 3 {
			variants = append(variants, trimmed)
		}
		for _, v := range variants {
			if v != "" {
				forms[v] = true
			}
		}
	}
	ordered := sortedKeys(forms)
	sort.SliceStable(ordered, func(i, j int) bool { return len(ordered[i]) > len(ordered[j]) })
	for _, form := range ordered {
		if len(form) < 3 {
			text = replaceWord(text, form)
		} else {
			text = strings.ReplaceAll(text, form, redacted)
		}
	}
	return text
}

// replaceWord replaces a short text only where it stands by itself.
func replaceWord(text, word string) string {
	var b strings.Builder
	alnum := func(i int) bool {
		return i >= 0 && i < len(text) && (text[i] >= '0' && text[i] <= '9' || text[i] >= 'a' && text[i] <= 'z' || text[i] >= 'A' && text[i] <= 'Z')
	}
	for i := 0; i < len(text); {
		if strings.HasPrefix(text[i:], word) && !alnum(i-1) && !alnum(i+len(word)) {
			b.WriteString(redacted)
			i += len(word)
			continue
		}
		b.WriteByte(text[i])
		i++
	}
	return b.String()
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
