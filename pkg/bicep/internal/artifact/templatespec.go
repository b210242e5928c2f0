package artifact

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
)

// maxName is how long the names of resource groups and template specs may be.
const maxName = 90

// parseTemplateSpec reads what follows `ts:` or `ts/ALIAS:`, which is
// subscription "/" resource group "/" name ":" version.
func parseTemplateSpec(rest, alias string, aliased bool, c *config.Config) (*Reference, *diag.Problem) {
	if aliased {
		subscription, group, p := c.TemplateSpecAlias(alias)
		if p != nil {
			return nil, p
		}
		rest = subscription + "/" + group + "/" + rest
	}
	full := "ts:" + rest
	parts := strings.Split(rest, "/")
	if len(parts) != 3 {
		return nil, diag.BCP194.With(full)
	}
	name, version, ok := strings.Cut(parts[2], ":")
	if !ok || parts[0] == "" || parts[1] == "" || name == "" || version == "" {
		return nil, diag.BCP194.With(full)
	}
	ref := &Reference{Scheme: TemplateSpec, Type: Module,
		Subscription: decodePath(parts[0]), ResourceGroup: decodePath(parts[1]), Name: decodePath(name), Version: decodePath(version)}
	switch {
	case !validGUID(ref.Subscription):
		return nil, diag.BCP217.With(full, ref.Subscription)
	case length(ref.ResourceGroup) > maxName:
		return nil, diag.BCP218.With(full, ref.ResourceGroup, maxName)
	case !validGroup(ref.ResourceGroup):
		return nil, diag.BCP219.With(full, ref.ResourceGroup)
	case length(ref.Name) > maxName:
		return nil, diag.BCP220.With(full, ref.Name, maxName)
	case !validName(ref.Name):
		return nil, diag.BCP221.With(full, ref.Name)
	case length(ref.Version) > maxName:
		return nil, diag.BCP222.With(full, ref.Version, maxName)
	case !validName(ref.Version):
		return nil, diag.BCP223.With(full, ref.Version)
	}
	return ref, nil
}

func decodePath(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	return decode(strings.ReplaceAll(s, "+", "%2B"))
}

func length(s string) int { return utf8.RuneCountInString(s) }

// validGroup takes letters and digits of any script and a few marks; a dot must
// not end the name.
func validGroup(s string) bool {
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.()", r) {
			return false
		}
	}
	return s != "" && s[len(s)-1] != '.'
}

// validName is validGroup for names, whose letters may also carry marks.
func validName(s string) bool {
	for _, r := range s {
		if !unicode.In(r, unicode.L, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc) && !strings.ContainsRune("-.()", r) {
			return false
		}
	}
	return s != "" && s[len(s)-1] != '.'
}

// validGUID takes the forms in which a GUID may be written: 32 digits, with
// hyphens or without, in braces or parentheses or bare.
func validGUID(s string) bool {
	s = strings.TrimSpace(s)
	if n := len(s); n > 2 && (s[0] == '{' && s[n-1] == '}' || s[0] == '(' && s[n-1] == ')') {
		if s = s[1 : n-1]; len(s) != 36 {
			return false
		}
	}
	digits := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case '0' <= c && c <= '9', 'a' <= c && c <= 'f', 'A' <= c && c <= 'F':
			digits++
		case c == '-' && len(s) == 36 && (i == 8 || i == 13 || i == 18 || i == 23):
		default:
			return false
		}
	}
	return digits == 32 && (len(s) == 32 || len(s) == 36)
}
