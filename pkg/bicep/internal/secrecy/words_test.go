package secrecy

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestTypeText: of the text of a type, its literals are hidden, and keys that are texts.
func TestTypeText(t *testing.T) {
	t.Parallel()
	s := &Program{}
	for text, want := range map[string]string{
		"":                                 "",
		"string":                           "string",
		"'x'":                              "string",
		"'x":                               "string", // a text that was cut
		"'":                                "string",
		`'it\'s' | int`:                    "string | int",
		"'a' | 'b' | 12 | -3 | null":       "string | int | null",
		"true | false":                     "bool",
		"truely | int2 | a12":              "truely | int2 | a12",
		"12[]":                             "int[]",
		"['x', 12, true]":                  "[string, int, bool]",
		"{ host: 'h', word: 12 }":          "{ host: string, word: int }",
		"{ 'your key': 'x', k: 'x' }":      "{ 'your key': string, (secure): string }",
		"{ 'my key': 'x' }":                "{ (secure): string }",
		"{ 12: 'x', '*': k }":              "{ 12: string, '*': k }",
		"Contoso.Stores/stores@2024-01-01": "Contoso.Stores/stores@2024-01-01",
		"('x') => 'y'":                     "(string) => string",
		"'keep' | 'x' | 7":                 "'keep' | string | 7",
		`'ke\'ep'`:                         `'ke\'ep'`,
	} {
		keep := func(literal string) bool { return strings.HasPrefix(literal, "ke") || literal == "7" }
		assert.Equal(t, want, s.typeText(text, keep, func(key string) bool { return key != "my key" && key != "k" }), text)
	}
}

// TestPropertyNames: a name is shown that stands at the place, or that the program declares without quotes.
func TestPropertyNames(t *testing.T) {
	t.Parallel()
	s := &Program{keys: map[string]bool{"key": true}}
	s.declared.Get(func() map[string]bool { return map[string]bool{"a": true, "key": true} })
	for _, test := range []struct{ names, at, want string }{
		{"", "x", ""},
		{"a", "", "a"},
		{"b", "b", "b"},
		{"b", "v", "(secure)"},
		{"b", "'b'", "(secure)"},
		{"key", "key", "(secure)"},
		{`"a"`, "", `"a"`},
		{`"a", "b", "key"`, "b", `"a", "(secure)", "(secure)"`},
		{` It may have: "a", "b".`, "", ` It may have: "a", "(secure)".`},
	} {
		assert.Equal(t, test.want, words(s.propertyNames(test.names, test.at)), test)
	}
}
