package secrecy

import (
	"fmt"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/secret"
)

// shown returns what a message about a secret shows of an argument. Names and fixed text stay. Of a
// type, its literals go, since the type of a literal is the literal. at is what the source has at the
// place, public says that this is no secret.
func (s *Program) shown(f *file, class diag.Class, a any, at string, public bool) any {
	if public && words(a) == at {
		return a
	}
	switch class {
	case diag.Name:
		return a
	case diag.Property:
		return s.propertyNames(words(a), at)
	case diag.Expected:
		return s.typeText(words(a), func(literal string) bool { return !s.knownTexts()[literal] },
			func(key string) bool { return !s.keys[key] })
	case diag.Found:
		return s.typeText(words(a), func(string) bool { return false }, s.isName)
	case diag.Reason:
		if _, ok := a.(diag.Plain); ok {
			return a
		}
		return diag.HiddenReason
	}
	if name, ok := a.(string); ok && f.declares(name) {
		return a
	}
	return diag.Secret
}

func words(a any) string { return fmt.Sprint(a) }

// propertyNames returns the name of a property, or a list of names in quotes, without what may be a
// value: the name may be the value of an index, or come from an object that was computed. What the
// source has at the place of the message, or declares anywhere without quotes, is a name.
func (s *Program) propertyNames(names, at string) any {
	switch {
	case names == "" || names == at && !s.keys[names] || s.isName(names):
		return names
	case !strings.Contains(names, `"`):
		return diag.Secret
	}
	parts := strings.Split(names, `"`)
	for i := 1; i < len(parts); i += 2 {
		if !s.isName(parts[i]) {
			parts[i] = secret.Text
		}
	}
	return strings.Join(parts, `"`)
}

// isName reports whether the program declares a property, an output or a parameter of a name.
func (s *Program) isName(name string) bool {
	declared := s.declared.Get(func() map[string]bool {
		set := map[string]bool{}
		for _, f := range s.files {
			if f == nil {
				continue
			}
			f.model.Tree().Walk(f.model.Tree(), func(n syntax.Node) bool {
				switch n.(type) {
				case *syntax.Property, *syntax.TypeProperty, *syntax.Output, *syntax.Param:
					syntax.Names(n, func(name *syntax.Ident) { set[name.Name] = true })
				}
				return true
			})
		}
		return set
	})
	return declared[name] && !s.keys[name]
}

// knownTexts is Texts as a set.
func (s *Program) knownTexts() map[string]bool {
	return s.texts.Get(func() map[string]bool {
		set := map[string]bool{}
		for _, text := range s.Texts() {
			set[text] = true
		}
		return set
	})
}

// typeText returns the text of a type in which the types of literals stand for literals, unless keep
// says that a literal may be shown:
//
//	{ host: 'h', 'my key': 12 } | true[]  →  { host: string, 'my key': int } | bool[]
//
// Names of types stay, and keys that isName takes for names. Names such as
// Microsoft.Storage/storageAccounts@2023-01-01 have digits that are no numbers.
func (s *Program) typeText(text string, keep, isName func(string) bool) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		end, literal, plain := i+1, "", text[i:i+1]
		switch c := text[i]; {
		case c == '\'':
			for end < len(text) && text[end] != '\'' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(text)) // a text that was cut has no second quote
			literal, plain = unquote(text[i:end]), "string"
		case isWord(c):
			for end < len(text) && isWord(text[end]) {
				end++
			}
			literal = text[i:end]
			switch {
			case literal == "true" || literal == "false":
				plain = "bool"
			case strings.Trim(literal, "0123456789") == "" || literal[0] == '-' && strings.Trim(literal[1:], "0123456789") == "":
				plain = "int"
			default:
				plain = literal
			}
		}
		isKey := end < len(text) && text[end] == ':'
		switch {
		case isKey && literal != "*" && !isName(literal):
			b.WriteString(secret.Text)
		case isKey || literal != "" && keep(literal):
			b.WriteString(text[i:end])
		case strings.HasSuffix(b.String(), plain+" | ") && (plain == "string" || plain == "int" || plain == "bool"):
			// 'a' | 'b' is string, not string | string
			short := strings.TrimSuffix(b.String(), " | ")
			b.Reset()
			b.WriteString(short)
		default:
			b.WriteString(plain)
		}
		i = end
	}
	return b.String()
}

func isWord(c byte) bool {
	return c == '_' || c == '-' || c == '.' || c == '/' || c == '@' || c >= 0x80 ||
		'0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// unquote returns the text of a literal as types write it.
func unquote(literal string) string {
	text := strings.Trim(literal, "'")
	if !strings.Contains(text, `\`) {
		return text
	}
	return strings.NewReplacer(`\\`, `\`, `\'`, `'`, `\r`, "\r", `\n`, "\n", `\t`, "\t", `\$`, `$`).Replace(text)
}
