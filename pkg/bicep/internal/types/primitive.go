package types

import (
	"strconv"

	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// String is the type of strings, perhaps narrowed by length or pattern. Use
// TString for the plain one. Lengths count UTF-16 code units.
type String struct {
	MinLength, MaxLength *int64
	Pattern              string // "" stands for none
	flags                ValidationFlags
}

// StringLiteral is the type of one string.
type StringLiteral struct {
	Value string
	name  lazyName
	flags ValidationFlags
}

// Int is the type of integers, perhaps narrowed to a range. Use TInt for the plain one.
type Int struct {
	Min, Max *int64
	flags    ValidationFlags
}

// IntLiteral is the type of one integer.
type IntLiteral struct {
	Value int64
	flags ValidationFlags
}

// Bool is the type of true and false. Use TBool for the plain one.
type Bool struct{ flags ValidationFlags }

// BoolLiteral is the type of true, or that of false.
type BoolLiteral struct {
	Value bool
	flags ValidationFlags
}

func (t *String) Type() Type             { return t }
func (*String) Kind() Kind               { return KindPrimitive }
func (*String) String() string           { return "string" }
func (t *String) Flags() ValidationFlags { return t.flags }

func (t *StringLiteral) Type() Type             { return t }
func (*StringLiteral) Kind() Kind               { return KindStringLiteral }
func (t *StringLiteral) Flags() ValidationFlags { return t.flags }

// String returns the literal as it is written in the language.
func (t *StringLiteral) String() string {
	return t.name.get(func() string { return QuoteString(t.Value) })
}

func (t *Int) Type() Type             { return t }
func (*Int) Kind() Kind               { return KindPrimitive }
func (*Int) String() string           { return "int" }
func (t *Int) Flags() ValidationFlags { return t.flags }

func (t *IntLiteral) Type() Type             { return t }
func (*IntLiteral) Kind() Kind               { return KindIntLiteral }
func (t *IntLiteral) String() string         { return strconv.FormatInt(t.Value, 10) }
func (t *IntLiteral) Flags() ValidationFlags { return t.flags }

func (t *Bool) Type() Type             { return t }
func (*Bool) Kind() Kind               { return KindPrimitive }
func (*Bool) String() string           { return "bool" }
func (t *Bool) Flags() ValidationFlags { return t.flags }

func (t *BoolLiteral) Type() Type             { return t }
func (*BoolLiteral) Kind() Kind               { return KindBoolLiteral }
func (t *BoolLiteral) String() string         { return strconv.FormatBool(t.Value) }
func (t *BoolLiteral) Flags() ValidationFlags { return t.flags }

// Len returns a pointer to n, for lengths and ranges.
func Len(n int64) *int64 { return &n }

// NewString returns the type of strings of such lengths and such a pattern. If only the empty
// string fits, it is a literal.
func NewString(minLength, maxLength *int64, pattern string, flags ValidationFlags) Type {
	if maxLength != nil && *maxLength == 0 {
		return NewStringLiteral("", flags)
	}
	if minLength == nil && maxLength == nil && pattern == "" {
		switch flags {
		case 0:
			return TString
		case AllowLooseAssignment:
			return TLooseString
		case AllowLooseAssignment | IsSecure:
			return TSecureString
		}
	}
	return &String{MinLength: minLength, MaxLength: maxLength, Pattern: pattern, flags: flags}
}

// NewStringLiteral returns the type of one string.
func NewStringLiteral(value string, flags ValidationFlags) *StringLiteral {
	return &StringLiteral{Value: value, flags: flags}
}

// Str returns the type of one string, without flags.
func Str(value string) *StringLiteral { return &StringLiteral{Value: value} }

// NewNamedStringLiteral returns the type of one string whose value is not
// shown: its name stands for it (a file's path for its content).
func NewNamedStringLiteral(name, value string, flags ValidationFlags) *StringLiteral {
	t := &StringLiteral{Value: value, flags: flags}
	t.name.p.Store(&name)
	return t
}

// NewInt returns the type of the integers from lo to hi; nil means no bound. A
// range of one value is a literal.
func NewInt(lo, hi *int64, flags ValidationFlags) Type {
	if lo != nil && hi != nil && *lo == *hi {
		return NewIntLiteral(*lo, flags)
	}
	if lo == nil && hi == nil {
		switch flags {
		case 0:
			return TInt
		case AllowLooseAssignment:
			return TLooseInt
		}
	}
	return &Int{Min: lo, Max: hi, flags: flags}
}

// NewIntLiteral returns the type of one integer.
func NewIntLiteral(value int64, flags ValidationFlags) *IntLiteral {
	return &IntLiteral{Value: value, flags: flags}
}

// NewBool returns the type of true and false.
func NewBool(flags ValidationFlags) Type {
	switch flags {
	case 0:
		return TBool
	case AllowLooseAssignment:
		return TLooseBool
	}
	return &Bool{flags: flags}
}

// NewBoolLiteral returns the type of true, or that of false.
func NewBoolLiteral(value bool, flags ValidationFlags) *BoolLiteral {
	if flags == 0 {
		if value {
			return TTrue
		}
		return TFalse
	}
	return &BoolLiteral{Value: value, flags: flags}
}

// QuoteString writes a string as the language does, in single quotes.
func QuoteString(s string) string {
	clean := true
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\', '\'', '\r', '\n', '\t', '$':
			clean = false
		}
	}
	if clean {
		return "'" + s + "'"
	}
	b := make([]byte, 0, len(s)+8)
	b = append(b, '\'')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' || c == '\'':
			b = append(b, '\\', c)
		case c == '\r':
			b = append(b, `\r`...)
		case c == '\n':
			b = append(b, `\n`...)
		case c == '\t':
			b = append(b, `\t`...)
		case c == '$' && i+1 < len(s) && s[i+1] == '{':
			b = append(b, `\$`...)
		default:
			b = append(b, c)
		}
	}
	return string(append(b, '\''))
}

// maxIdentifier is the length of the longest name that needs no quotes.
const maxIdentifier = 255

// QuoteProperty writes a property's name as the language does: quoted only
// where it has to be.
func QuoteProperty(name string) string {
	if syntax.IsIdentifier(name) && len(name) <= maxIdentifier && name != "true" && name != "false" && name != "null" {
		return name
	}
	return QuoteString(name)
}
