package aso

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
)

// expression writes in CEL what texts and values of one resource are put together to. The operator evaluates it with the
// resource's object, self, and the keys that Azure issues for the resource, secret.
type expression struct {
	c    *converter
	from *item // the resource; nil before the first value
	keys bool  // whether keys may be in it
}

// composed converts a value that is put together of texts and of values of one resource to a reference to what the operator
// writes: a config map, or a secret, which keys may be in. Nil is a value that the operator cannot write.
func (w walker) composed(v armjson.Value, list string) armjson.Value {
	t, ok := expand.TermOf(v)
	if !ok {
		return nil
	}
	x := expression{c: w.c, keys: list == "secretExpressions"}
	cel, ok := x.term(t)
	if !ok || x.from == nil {
		return nil
	}
	e := export{list: list, field: cel, key: w.name(), value: cel}
	if path, ok := strings.CutPrefix(cel, "self.status."); ok && inStatusName.MatchString(path) {
		e.field, e.key = path, lastWord(path)
	} else if key, ok := strings.CutPrefix(cel, "secret."); ok && word.MatchString(key) {
		e = export{list: "secrets", field: key, key: key}
	}
	if slices.Contains(x.from.kind.withoutLists, e.list) {
		return nil
	}
	return w.written(x.from, e, w.shown.Hides(v))
}

var inStatusName = regexp.MustCompile(`^[A-Za-z0-9_.]+$`)

func (x *expression) term(t expand.Term) (string, bool) {
	switch {
	case t.Function == "":
		return armjson.Text(armjson.String(t.Text)), true
	case t.Function == "reference" && len(t.Args) > 0:
		return x.value(t)
	case strings.HasPrefix(t.Function, "list") && len(t.Args) > 0:
		return x.key(t)
	case t.Function == "split" && len(t.Args) == 2 && len(t.Path) == 1:
		call, ok := x.method(t.Args, "split")
		n, err := strconv.Atoi(t.Path[0])
		return call + "[" + strconv.Itoa(n) + "]", ok && err == nil && n >= 0
	case len(t.Path) > 0:
		return "", false
	case t.Function == "concat":
		return x.sum(t.Args)
	case t.Function == "format" && len(t.Args) > 0 && t.Args[0].Function == "":
		parts, ok := pieces(t.Args[0].Text, t.Args[1:])
		if !ok {
			return "", false
		}
		return x.sum(parts)
	}
	switch method := methods[t.Function]; {
	case method.name == "" || len(t.Args) != method.args:
		return "", false
	default:
		return x.method(t.Args, method.name)
	}
}

// methods are what functions of ARM with a number of arguments are called in CEL, where they are methods of the first one.
var methods = map[string]struct {
	name string
	args int
}{"tolower": {"lowerAscii", 1}, "toupper": {"upperAscii", 1}, "trim": {"trim", 1}, "replace": {"replace", 3}}

// method calls a method where CEL does the same as ARM: it changes the case of ASCII letters only, and takes an empty text for
// what stands between letters.
func (x *expression) method(args []expand.Term, name string) (string, bool) {
	if strings.HasSuffix(name, "Ascii") && strings.IndexFunc(args[0].Text, func(r rune) bool { return r > unicode.MaxASCII }) >= 0 ||
		len(args) > 1 && args[1].Text == "" {
		return "", false
	}
	var list []string
	for _, a := range args {
		s, ok := x.term(a)
		if !ok {
			return "", false
		}
		list = append(list, s)
	}
	if f := args[0].Function; f == "concat" || f == "format" {
		list[0] = "(" + list[0] + ")"
	}
	return list[0] + "." + name + "(" + strings.Join(list[1:], ", ") + ")", true
}

func (x *expression) sum(parts []expand.Term) (string, bool) {
	var list []string
	literal := ""
	for i, p := range parts {
		if p.Function == "" {
			literal += p.Text
			if i+1 < len(parts) && parts[i+1].Function == "" {
				continue
			}
			p.Text, literal = literal, ""
		}
		s, ok := x.term(p)
		if !ok {
			return "", false
		}
		list = append(list, s)
	}
	return strings.Join(list, " + "), len(list) > 0
}

// pieces takes what format() puts together apart; false if it lays out a value, as {0:D2} does.
func pieces(text string, args []expand.Term) (list []expand.Term, ok bool) {
	var literal strings.Builder
	flush := func() {
		if literal.Len() > 0 {
			list = append(list, expand.Term{Text: literal.String()})
			literal.Reset()
		}
	}
	for rest := text; rest != ""; {
		switch {
		case strings.HasPrefix(rest, "{{"), strings.HasPrefix(rest, "}}"):
			literal.WriteByte(rest[0])
			rest = rest[2:]
		case rest[0] == '{':
			number, after, _ := strings.Cut(rest[1:], "}")
			n, err := strconv.Atoi(number)
			if err != nil || n < 0 || n >= len(args) {
				return nil, false
			}
			flush()
			list, rest = append(list, args[n]), after
		default:
			literal.WriteByte(rest[0])
			rest = rest[1:]
		}
	}
	flush()
	return list, true
}

// is notes that a value is one of the item of an ID; false if there is none, or another value is of another item.
func (x *expression) is(it *item) bool {
	if it == nil || x.from != nil && x.from != it {
		return false
	}
	x.from = it
	return true
}

// value is what reference() reads.
func (x *expression) value(t expand.Term) (string, bool) {
	it := x.c.byID[strings.ToLower(t.Args[0].Text)]
	if len(t.Path) == 0 || !x.is(it) {
		return "", false
	}
	path := it.kind.statusPath(inStatusPaths(t.Path, len(t.Args) > 2 && strings.EqualFold(t.Args[2].Text, "full")))
	return "self.status." + path, path != ""
}

// key is what listKeys() and the like give.
func (x *expression) key(t expand.Term) (string, bool) {
	it := x.c.issuer(t.Args[0].Text)
	if !x.keys || !x.is(it) {
		return "", false
	}
	key, _ := it.kind.key(t.Function, t.Path)
	return "secret." + key, key != ""
}
