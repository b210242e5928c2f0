package normal

import (
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
)

// piece is a part of a text: a literal, or an expression as format() writes it.
type piece struct {
	text string
	expr armexpr.Expr // nil for a literal
	spec string       // alignment and format of the expression, as in {0,5:D3}
}

// text simplifies a call that makes a text; nil if it is not known to make one that can be taken apart.
func (t *Table) text(key string, args []armexpr.Expr) armexpr.Expr {
	switch key {
	case "format":
		if list, ok := t.formatPieces(args); ok {
			return t.joined(list)
		}
	case "concat":
		return t.concat(args)
	case "string":
		if len(args) == 1 {
			if k := t.kind(args[0]); k == Text || k == Int || k == Bool {
				return t.joined(t.pieces(args[0]))
			}
		}
	case "join":
		return t.join(args)
	case "tolower", "toupper":
		if len(args) == 1 {
			return t.eachPiece(t.pieces(args[0]), map[string]string{"tolower": "toLower", "toupper": "toUpper"}[key], nil)
		}
	case "replace":
		return t.replaced(args)
	}
	return nil
}

// joined returns the text of pieces.
func (t *Table) joined(list []piece) armexpr.Expr {
	var literal, format strings.Builder
	var args []armexpr.Expr
	for _, p := range list {
		if p.expr == nil {
			literal.WriteString(p.text)
			format.WriteString(strings.NewReplacer("{", "{{", "}", "}}").Replace(p.text))
			continue
		}
		format.WriteString("{" + strconv.Itoa(len(args)) + p.spec + "}")
		args = append(args, p.expr)
	}
	switch {
	case len(args) == 0:
		return armexpr.Str(literal.String())
	case len(args) == 1 && literal.Len() == 0 && list[0].spec == "" && t.kind(args[0]) == Text:
		return args[0]
	}
	return t.intern("format", append([]armexpr.Expr{armexpr.Str(format.String())}, args...), nil)
}

// A text is taken apart if it has at most so many pieces, and so many bytes of literals. Otherwise it is
// a piece by itself: doubled again and again, a text would have more pieces than there is memory.
const maxPieces, maxLiteral = 128, 4096

// pieces returns the pieces of the text that format('{0}', e) makes. None is empty.
func (t *Table) pieces(e armexpr.Expr) []piece {
	c, ok := e.(*armexpr.Call)
	if !ok {
		return t.allPieces(e)
	}
	x := t.info[c]
	if !x.split {
		x.split, x.pieces = true, t.allPieces(e)
		size := 0
		for _, p := range x.pieces {
			size += len(p.text)
		}
		if len(x.pieces) > maxPieces || size > maxLiteral {
			x.pieces = []piece{{expr: e}}
		}
	}
	return x.pieces
}

func (t *Table) allPieces(e armexpr.Expr) []piece {
	switch x := e.(type) {
	case armexpr.Str:
		if x == "" {
			return nil
		}
		return []piece{{text: string(x)}}
	case armexpr.Int:
		return []piece{{text: strconv.FormatInt(int64(x), 10)}}
	}
	if c := call(e, "format"); c != nil {
		if list, ok := t.formatPieces(c.Args); ok {
			return list
		}
	}
	if c := call(e, "string"); c != nil && len(c.Args) == 1 {
		if k := t.kind(c.Args[0]); k == Int || k == Bool {
			return t.pieces(c.Args[0])
		}
	}
	if t.constant(e) {
		if s, ok := t.evaluate("format", []armexpr.Expr{armexpr.Str("{0}"), e}).(armexpr.Str); ok {
			return t.pieces(s)
		}
	}
	return []piece{{expr: e}}
}

// formatPieces takes the arguments of format() apart.
func (t *Table) formatPieces(args []armexpr.Expr) ([]piece, bool) {
	if len(args) == 0 {
		return nil, false
	}
	f, ok := args[0].(armexpr.Str)
	if !ok {
		return nil, false
	}
	var list []piece
	literal := func(s string) {
		if n := len(list) - 1; n >= 0 && list[n].expr == nil {
			list[n].text += s
		} else if s != "" {
			list = append(list, piece{text: s})
		}
	}
	for s := string(f); s != ""; {
		i := strings.IndexAny(s, "{}")
		if i < 0 {
			literal(s)
			break
		}
		literal(s[:i])
		brace := s[i : i+1]
		if s = s[i+1:]; strings.HasPrefix(s, brace) {
			literal(brace)
			s = s[1:]
			continue
		}
		item, rest, ok := strings.Cut(s, "}")
		digits := len(item) - len(strings.TrimLeft(item, "0123456789"))
		n, err := strconv.Atoi(item[:digits])
		if brace == "}" || !ok || err != nil || n+1 >= len(args) || digits < len(item) && item[digits] != ',' && item[digits] != ':' {
			return nil, false
		}
		s = rest
		if spec := item[digits:]; spec != "" {
			list = append(list, piece{expr: args[n+1], spec: spec})
			continue
		}
		for _, p := range t.pieces(args[n+1]) {
			if p.expr == nil {
				literal(p.text)
			} else {
				list = append(list, p)
			}
		}
	}
	return list, true
}

// concat simplifies concat(): of texts if one of the arguments is a text, of arrays if one is an array.
func (t *Table) concat(args []armexpr.Expr) armexpr.Expr {
	kind := Any
	var flat []armexpr.Expr
	for _, a := range args {
		if k := t.kind(a); k == Text || k == Array {
			kind = k
		}
		if c := call(a, "concat"); c != nil && len(c.Args) <= maxParts {
			flat = append(flat, c.Args...)
		} else {
			flat = append(flat, a)
		}
	}
	switch kind {
	case Text:
		var list []piece
		for _, a := range flat {
			list = append(list, t.pieces(a)...)
		}
		return t.joined(list)
	case Array:
		return t.concatArrays(flat)
	}
	if len(flat) > len(args) {
		return t.intern("concat", flat, nil)
	}
	return nil
}

// join simplifies join() of an array that is written there.
func (t *Table) join(args []armexpr.Expr) armexpr.Expr {
	if len(args) != 2 || t.kind(args[1]) != Text {
		return nil
	}
	c := call(args[0], "createArray")
	if c == nil {
		return nil
	}
	var list []piece
	for i, a := range c.Args {
		if i > 0 {
			list = append(list, t.pieces(args[1])...)
		}
		list = append(list, t.pieces(a)...)
	}
	return t.joined(list)
}

// eachPiece calls a function on each piece of a text, for one that does with a text what it does with its parts. More
// are further arguments. A piece of which the type is not known must be a text in most programs, so toLower(x) stands for
// toLower('${x}') as well.
func (t *Table) eachPiece(list []piece, name string, more []armexpr.Expr) armexpr.Expr {
	out := make([]piece, len(list))
	for i, p := range list {
		switch {
		case p.expr == nil:
			s, ok := t.evaluate(strings.ToLower(name), append([]armexpr.Expr{armexpr.Str(p.text)}, more...)).(armexpr.Str)
			if !ok {
				return nil
			}
			out[i] = piece{text: string(s)}
		case len(more) == 0 && (t.kind(p.expr) == Int && p.spec == "" || call(p.expr, name) != nil || name == "toLower" && isLower(p.expr)):
			out[i] = p
		default:
			one := p.expr
			if p.spec != "" || t.kind(one) != Text && t.kind(one) != Any {
				one = t.joined([]piece{p})
			}
			out[i] = piece{expr: t.intern(name, append([]armexpr.Expr{one}, more...), nil)}
		}
	}
	return t.joined(out)
}

// isLower reports whether an expression is a text without capital letters, whatever is in it.
func isLower(e armexpr.Expr) bool {
	return call(e, "uniqueString") != nil || call(e, "guid") != nil || call(e, "newGuid") != nil
}

// replaced simplifies replace() of a known text by another: it is done in each part of a text, where what is replaced
// cannot lie across the end of one. In
//
//	replace('${a}-token-${b}', 'token', 'x')
//
// it cannot, since it neither begins nor ends with what is beside a and b. So that is '${replace(a, …)}-x-${replace(b, …)}'.
func (t *Table) replaced(args []armexpr.Expr) armexpr.Expr {
	if len(args) != 3 {
		return nil
	}
	old, ok := args[1].(armexpr.Str)
	if _, known := args[2].(armexpr.Str); !ok || !known || old == "" {
		return nil
	}
	list := t.pieces(args[0])
	var out []piece
	for len(list) > 0 {
		n := 1
		for n < len(list) && mayLieAcross(string(old), list[n-1], list[n]) {
			n++
		}
		part := list[:n:n]
		if list = list[n:]; n == 1 {
			one := t.eachPiece(part, "replace", args[1:])
			if one == nil {
				return nil
			}
			out = append(out, t.pieces(one)...)
			continue
		}
		out = append(out, piece{expr: t.intern("replace", append([]armexpr.Expr{t.joined(part)}, args[1:]...), nil)})
	}
	return t.joined(out)
}

// mayLieAcross reports whether a text can begin in one piece and end in the next one, or behind it.
func mayLieAcross(text string, a, b piece) bool {
	for i := 1; i < len(text); i++ {
		begins, ends := text[:i], text[i:]
		if isLiteral(a) && !strings.HasSuffix(a.text, begins) && !strings.HasSuffix(begins, a.text) {
			continue
		}
		if isLiteral(b) && !strings.HasPrefix(b.text, ends) && !strings.HasPrefix(ends, b.text) {
			continue
		}
		return true
	}
	return false
}
