package plan

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/secret"
)

// # Values as Bicep
//
// People read values as they would write them in a Bicep file, on one line: format('{0}-x', parameters('a')) is
// '${a}-x', and reference() of a resource of the program its symbol. What is too long is folded: {…} and […] stand for
// objects and arrays that are left out, deep ones first.

// deepest is how many brackets within each other are written out.
const deepest = 60

// bicep returns a value as Bicep, in at most so many bytes.
func (p *Plan) bicep(v expand.Value, limit int) string {
	var s string
	for _, depth := range []int{deepest, 4, 3, 2, 1} {
		w := bicepWriter{plan: p, most: limit, depth: depth}
		w.value(v)
		if s = string(w.b); len(s) <= limit {
			break
		}
	}
	return clip(s, limit)
}

// bicepWriter writes a value or an expression.
type bicepWriter struct {
	plan  *Plan
	b     []byte
	most  int  // bytes; soon after them nothing more is written
	depth int  // brackets that are still written out
	names bool // the program's resources are written with their names beside their symbols
	plain bool // the program's resources are written with their IDs, and not their symbols
}

func (w *bicepWriter) full() bool { return len(w.b) > w.most }

func (w *bicepWriter) text(s string) {
	if !w.full() {
		w.b = append(w.b, s...)
	}
}

// quote returns a text as Bicep. Of one that is too long only the beginning is looked at.
func (w *bicepWriter) quote(s string) string {
	if len(s) > w.most {
		s = strings.ToValidUTF8(s[:w.most], "")
	}
	return types.QuoteString(s)
}

func (w *bicepWriter) value(v expand.Value) {
	switch v := v.(type) {
	case nil:
		w.text("nothing")
	case *eval.Unknown:
		if v.IsSecure() {
			w.text(secret.Text)
		} else {
			w.expr(v.Expr, anything)
		}
	case armjson.String:
		w.known(string(v))
	case armjson.Array:
		w.list(len(v), func(i int) { w.value(v[i]) })
	case *armjson.Object:
		w.object(v.Len(), func(i int) {
			m := v.At(i)
			if e, err := armexpr.Parse(m.Key); err == nil && armexpr.IsExpression(m.Key) {
				w.interpolation([]armexpr.Expr{e})
			} else {
				w.text(w.key(m.Key))
			}
			w.text(": ")
			w.value(m.Value)
		})
	default:
		w.text(armjson.Text(v))
	}
}

// known writes a text, or what it is the ID of.
func (w *bicepWriter) known(s string) {
	if !w.plain && strings.HasPrefix(s, "/") && len(s) < maxID {
		if r := w.plan.byID[strings.ToLower(s)]; r != nil && symbol(r) != "" {
			w.symbol(r)
			w.text(".id")
			return
		}
	}
	w.text(w.quote(s))
}

// maxID is how long an ID is at most that a resource is looked for by.
const maxID = 4096

func (w *bicepWriter) key(s string) string {
	if len(s) > w.most {
		return w.quote(s)
	}
	return types.QuoteProperty(s)
}

func (w *bicepWriter) list(n int, item func(i int)) { w.brackets("[", "]", n, item) }

func (w *bicepWriter) object(n int, member func(i int)) { w.brackets("{ ", " }", n, member) }

func (w *bicepWriter) brackets(open, end string, n int, part func(i int)) {
	switch {
	case n == 0:
		w.text(strings.TrimSpace(open) + strings.TrimSpace(end))
		return
	case w.depth == 0:
		w.text(strings.TrimSpace(open) + "…" + strings.TrimSpace(end))
		return
	}
	w.depth--
	w.text(open)
	for i := 0; i < n && !w.full(); i++ {
		if i > 0 {
			w.text(", ")
		}
		part(i)
	}
	w.text(end)
	w.depth++
}

// How tightly operators bind.
const (
	anything = iota
	ternary
	coalesce
	or
	and
	equality
	relation
	sum
	product
	unary
	primary
)

// operators are the functions that Bicep writes as operators between their arguments.
var operators = map[string]struct {
	text  string
	binds int
}{
	"coalesce": {" ?? ", coalesce}, "or": {" || ", or}, "and": {" && ", and}, "equals": {" == ", equality},
	"less": {" < ", relation}, "lessorequals": {" <= ", relation}, "greater": {" > ", relation}, "greaterorequals": {" >= ", relation},
	"add": {" + ", sum}, "sub": {" - ", sum}, "mul": {" * ", product}, "div": {" / ", product}, "mod": {" % ", product},
}

// turned are comparisons with their sides exchanged: 3 < n is read as n > 3.
var turned = map[string]string{"less": "greater", "lessorequals": "greaterorequals", "greater": "less", "greaterorequals": "lessorequals"}

// expr writes an expression as an operand of what binds as tightly as least.
func (w *bicepWriter) expr(e armexpr.Expr, least int) {
	if w.full() {
		return
	}
	switch e := e.(type) {
	case armexpr.Str:
		w.known(string(e))
	case armexpr.Int:
		s := strconv.FormatInt(int64(e), 10)
		w.within(e < 0 && least > unary, func() { w.text(s) })
	case *armexpr.Call:
		w.call(e, least)
	}
}

// within writes a part of an expression, in parentheses if they are needed.
func (w *bicepWriter) within(parentheses bool, part func()) {
	if !parentheses {
		part()
		return
	}
	w.text("(")
	part()
	w.text(")")
}

func (w *bicepWriter) call(c *armexpr.Call, least int) {
	if w.resource(c) {
		return
	}
	if len(c.Access) > 0 {
		w.call(&armexpr.Call{Name: c.Name, Args: c.Args}, primary)
		w.access(c.Access)
		return
	}
	name := strings.ToLower(c.Name)
	args := c.Args
	if name == "sub" && len(args) == 2 && args[0] == armexpr.Expr(armexpr.Int(0)) {
		w.within(least > unary, func() {
			w.text("-")
			w.expr(args[1], primary)
		})
		return
	}
	if o, ok := operators[name]; ok && len(args) >= 2 {
		if other := turned[name]; other != "" && isLiteral(args[0]) && !isLiteral(args[1]) {
			o, args = operators[other], []armexpr.Expr{args[1], args[0]}
		}
		w.within(least > o.binds, func() {
			for i, a := range args {
				if i > 0 {
					w.text(o.text)
				}
				w.expr(a, o.binds+min(i, 1))
			}
		})
		return
	}
	switch {
	case len(args) == 0 && (name == "true" || name == "false" || name == "null"):
		w.text(name)
	case name == "not" && len(args) == 1:
		w.not(args[0], least)
	case name == "if" && len(args) == 3:
		w.within(least > ternary, func() {
			w.expr(args[0], ternary+1)
			w.text(" ? ")
			w.expr(args[1], ternary)
			w.text(" : ")
			w.expr(args[2], ternary)
		})
	case name == "lambda" && len(args) > 0:
		w.lambda(args)
	case (name == "parameters" || name == "variables" || name == "lambdavariables") && len(args) == 1 && w.named(name, args[0]):
	case name == "copyindex":
		w.index(args)
	case name == "createarray":
		w.list(len(args), func(i int) { w.expr(args[i], anything) })
	case name == "createobject" && len(args)%2 == 0:
		w.object(len(args)/2, func(i int) {
			if s, ok := args[2*i].(armexpr.Str); ok {
				w.text(w.key(string(s)))
			} else {
				w.interpolation([]armexpr.Expr{args[2*i]})
			}
			w.text(": ")
			w.expr(args[2*i+1], anything)
		})
	case name == "format" && w.format(args):
	case name == "tryget" && len(args) > 1:
		w.expr(args[0], primary)
		w.tried(args[1])
		w.access(args[2:])
	default:
		w.text(strings.TrimPrefix(c.Name, "__bicep."))
		w.arguments(args)
	}
}

// not writes a negation. That of an equality is an inequality.
func (w *bicepWriter) not(x armexpr.Expr, least int) {
	if inner, ok := x.(*armexpr.Call); ok && strings.EqualFold(inner.Name, "equals") && len(inner.Args) == 2 && len(inner.Access) == 0 {
		w.within(least > equality, func() {
			w.expr(inner.Args[0], equality)
			w.text(" != ")
			w.expr(inner.Args[1], equality+1)
		})
		return
	}
	w.within(least > unary, func() {
		w.text("!")
		w.expr(x, unary)
	})
}

func isLiteral(e armexpr.Expr) bool {
	_, isCall := e.(*armexpr.Call)
	return !isCall
}

func (w *bicepWriter) arguments(args []armexpr.Expr) {
	if w.depth == 0 && len(args) > 0 {
		w.text("(…)")
		return
	}
	w.depth--
	w.text("(")
	for i, a := range args {
		if i > 0 {
			w.text(", ")
		}
		w.expr(a, anything)
	}
	w.text(")")
	w.depth++
}

func (w *bicepWriter) access(keys []armexpr.Expr) {
	for _, k := range keys {
		if s, ok := k.(armexpr.Str); ok && types.QuoteProperty(string(s)) == string(s) {
			w.text("." + string(s))
			continue
		}
		w.text("[")
		w.expr(k, anything)
		w.text("]")
	}
}

// tried writes the key of tryGet().
func (w *bicepWriter) tried(key armexpr.Expr) {
	if s, ok := key.(armexpr.Str); ok && types.QuoteProperty(string(s)) == string(s) {
		w.text(".?" + string(s))
		return
	}
	w.text("[?")
	w.expr(key, anything)
	w.text("]")
}

// named writes the name of a parameter, a variable or a parameter of a lambda.
func (w *bicepWriter) named(kind string, name armexpr.Expr) bool {
	s, ok := name.(armexpr.Str)
	if !ok || kind != "lambdavariables" && types.QuoteProperty(string(s)) != string(s) {
		return false
	}
	if kind == "lambdavariables" {
		s = armexpr.Str(lambdaName(string(s)))
	}
	if kind == "variables" && w.plan.mentioned != nil {
		w.plan.mentioned[string(s)] = true
	}
	w.text(string(s))
	return true
}

// lambdaName returns the name of a parameter of a lambda. Normal forms number them: $1.
func lambdaName(s string) string {
	if number, ok := strings.CutPrefix(s, "$"); ok {
		return "x" + number
	}
	return s
}

func (w *bicepWriter) lambda(args []armexpr.Expr) {
	var names []string
	for _, a := range args[:len(args)-1] {
		s, _ := a.(armexpr.Str)
		names = append(names, lambdaName(string(s)))
	}
	if len(names) == 1 {
		w.text(names[0])
	} else {
		w.text("(" + strings.Join(names, ", ") + ")")
	}
	w.text(" => ")
	w.expr(args[len(args)-1], anything)
}

// index writes the index of a loop whose rounds are not known: i, and of a loop in a loop j (expand calls it 'loop 2').
func (w *bicepWriter) index(args []armexpr.Expr) {
	loop := 1
	if len(args) > 0 {
		name, _ := args[0].(armexpr.Str)
		number, _ := strings.CutPrefix(string(name), "loop ")
		loop, _ = strconv.Atoi(number)
	}
	w.text(w.letter(loop))
}

// letter returns what the index of a loop is called: one of so many within each other. No parameter has the name.
func (w *bicepWriter) letter(loop int) string {
	for letter := 'i'; letter <= 'z'; letter++ {
		if !w.plan.normal.parameters[string(letter)] {
			if loop--; loop <= 0 {
				return string(letter)
			}
		}
	}
	return "i" + strconv.Itoa(loop)
}

// format writes format() as a text with expressions in it; false if that says less.
func (w *bicepWriter) format(args []armexpr.Expr) bool {
	if len(args) == 0 {
		return false
	}
	f, ok := args[0].(armexpr.Str)
	if !ok {
		return false
	}
	var parts []armexpr.Expr
	literal := ""
	for s := string(f); s != ""; {
		i := strings.IndexAny(s, "{}")
		if i < 0 {
			literal += s
			break
		}
		literal += s[:i]
		if strings.HasPrefix(s[i+1:], s[i:i+1]) {
			literal += s[i : i+1]
			s = s[i+2:]
			continue
		}
		item, rest, ok := strings.Cut(s[i+1:], "}")
		n, err := strconv.Atoi(item)
		if s[i] == '}' || !ok || err != nil || n < 0 || n+1 >= len(args) {
			return false
		}
		if literal != "" {
			parts, literal = append(parts, armexpr.Str(literal)), ""
		}
		parts, s = append(parts, args[n+1]), rest
	}
	if literal != "" {
		parts = append(parts, armexpr.Str(literal))
	}
	w.interpolation(parts)
	return true
}

// interpolation writes a text of parts. Those that are texts are written as they are.
func (w *bicepWriter) interpolation(parts []armexpr.Expr) {
	if c, ok := parts[0].(*armexpr.Call); ok && len(parts) == 1 &&
		strings.EqualFold(c.Name, "format") && len(c.Access) == 0 && w.format(c.Args) {
		return
	}
	w.text("'")
	for i, p := range parts {
		if s, ok := p.(armexpr.Str); ok {
			s := w.quote(string(s))
			if s = s[1 : len(s)-1]; strings.HasSuffix(s, "$") && i+1 < len(parts) {
				s = s[:len(s)-1] + `\$`
			}
			w.text(s)
			continue
		}
		w.text("${")
		w.expr(p, anything)
		w.text("}")
	}
	w.text("'")
}

// resource writes what is read of a resource of the program, or asked of it, with its symbol.
func (w *bicepWriter) resource(c *armexpr.Call) bool {
	name := strings.ToLower(c.Name)
	switch {
	case w.plain:
		return false
	case name == "unreadablemodule" && len(c.Args) == 1:
		s, _ := c.Args[0].(armexpr.Str)
		w.text(string(s))
	case (c.Name == armexpr.UnfetchedValue || c.Name == armexpr.UnfetchedCall) && len(c.Args) > 1:
		s, _ := c.Args[0].(armexpr.Str)
		from, _ := c.Args[1].(armexpr.Str)
		if w.text(string(s)); w.names {
			w.text(" of " + string(from[strings.LastIndexByte(string(from), '/')+1:]))
		}
		if c.Name == armexpr.UnfetchedCall {
			w.arguments(c.Args[2:])
		}
	case name == "reference" && len(c.Args) > 0:
		r := w.plan.symbolOf(c.Args[0])
		if r == nil {
			return false
		}
		w.symbol(r)
		if whole := len(c.Args) > 2; r.Extension == nil && !whole {
			w.text(".properties")
		}
	case strings.HasPrefix(name, "list") && len(c.Args) > 1:
		r := w.plan.symbolOf(c.Args[0])
		if r == nil {
			return false
		}
		w.symbol(r)
		w.text("." + c.Name)
		w.arguments(c.Args[2:])
	case strings.HasSuffix(name, "resourceid"):
		r := w.plan.symbolOf(&armexpr.Call{Name: c.Name, Args: c.Args})
		if r == nil {
			r = w.plan.symbolOf(joinedNames(c))
		}
		if r == nil {
			return false
		}
		w.symbol(r)
		w.text(".id")
	default:
		return false
	}
	w.access(c.Access)
	return true
}

// symbol writes the symbol of a resource after those of the modules that it is in. An index in one is an expression.
func (w *bicepWriter) symbol(r *expand.Resource) {
	if w.names && r.Name != nil {
		w.names = false
		w.text("(")
		w.symbol(r)
		w.text(" named ")
		w.value(w.plan.normal.value(r.Name))
		w.text(")")
		w.names = true
		return
	}
	var modules []string
	for m := r.Module; m != nil && m.Parent != nil; m = m.Parent {
		modules = append(modules, m.Symbol)
	}
	loops := 0
	for _, s := range slices.Backward(append([]string{r.Symbol}, modules...)) {
		name, index, ok := strings.Cut(s, "[")
		if index == "*]" { // what is read has the index in its ID
			loops++
			s = name + "[" + w.letter(loops) + "]"
		} else if e, err := armexpr.Parse("[" + index); ok && err == nil && !isLiteral(e) {
			w.text(name + "[")
			w.expr(w.plan.normal.table.Of(e), anything)
			s = "]"
		}
		if w.text(s); len(modules) > 0 {
			w.text("/")
			modules = modules[1:]
		}
	}
}

// know notes the resources of an expansion by their IDs.
func (p *Plan) know(result *expand.Result) {
	if result == nil {
		return
	}
	for _, r := range result.Resources {
		if id, ok := expand.Known(r.ID); ok {
			p.byID[strings.ToLower(id)] = r
		}
		p.knowSymbol(r)
	}
	for _, r := range result.Named {
		if p.symbols[p.idKey(r)] == nil {
			p.knowSymbol(r)
		}
	}
}

// knowSymbol notes a resource by what reference() says of its ID.
func (p *Plan) knowSymbol(r *expand.Resource) {
	if key := p.idKey(r); key != "" && symbol(r) != "" {
		p.symbols[key] = r
	}
	if name, ok := expand.Known(r.Name); ok && r.Extension != nil && symbol(r) != "" { // reference() has no ID of it
		p.symbols[strings.ToLower(p.normal.table.Key(armexpr.Str(r.Type+"/"+name)))] = r
	}
}

// idKey returns what the ID of a resource is found by; "" for none. That of a resource of Radius whose group is not
// known is reference(TYPE/NAME).id.
func (p *Plan) idKey(r *expand.Resource) string {
	if r.ID == nil || expand.IsSecure(r.ID) {
		return ""
	}
	e := p.normal.expression(r.ID)
	if c, ok := e.(*armexpr.Call); ok && strings.EqualFold(c.Name, "reference") && len(c.Args) > 0 && len(c.Access) == 1 {
		e = p.normal.table.Of(c.Args[0])
	}
	return strings.ToLower(p.normal.table.Key(e))
}

// symbolOf returns the resource that an ID is that of; nil if it is none of the program.
func (p *Plan) symbolOf(id armexpr.Expr) *expand.Resource {
	return p.symbols[strings.ToLower(p.normal.table.Key(p.normal.table.Of(id)))]
}

// joinedNames returns resourceId() with one name, as IDs of resources have it, of one with a name for each part.
func joinedNames(c *armexpr.Call) armexpr.Expr {
	for i, a := range c.Args {
		if s, ok := a.(armexpr.Str); !ok || !strings.Contains(string(s), "/") {
			continue
		}
		names := c.Args[i+1:]
		var format []string
		for n := range names {
			format = append(format, "{"+strconv.Itoa(n)+"}")
		}
		name := armexpr.Fn("format", append([]armexpr.Expr{armexpr.Str(strings.Join(format, "/"))}, names...)...)
		return armexpr.Fn(c.Name, append(slices.Clone(c.Args[:i+1]), name)...)
	}
	return c
}

// symbol returns the symbol of a resource after those of the modules that it is in; "" if it has none.
func symbol(r *expand.Resource) string {
	if r.Unfetched() && r.Symbol == "" {
		return r.Module.Path()
	}
	if r.Symbol == "" {
		return ""
	}
	if path := r.Module.Path(); path != "" {
		return path + "/" + r.Symbol
	}
	return r.Symbol
}

// longestSymbol is how many bytes of a symbol are shown.
const longestSymbol = 120

// called returns what people call a resource: its symbol, or its name if it has none. One of a loop has both, since
// indexes change.
func (p *Plan) called(r *expand.Resource) string {
	if s := clip(symbol(r), longestSymbol); s != "" {
		if name, ok := expand.Known(r.Name); ok && strings.HasSuffix(s, "]") {
			s += " " + clip(types.QuoteString(name), longestSymbol)
		}
		return s
	}
	if name, ok := expand.Known(r.Name); ok {
		return clip(name, longestSymbol)
	}
	if r.Name == nil {
		return "(no name)"
	}
	return p.bicep(r.Name, longestSymbol)
}

// difference returns two values as Bicep, of which the difference can be seen.
func (p *Plan) difference(before, after expand.Value, limit int) (x, y string) {
	if x, y = p.bicep(before, limit), p.bicep(after, limit); x != y {
		return x, y
	}
	const far = 1 << 16 // bytes in which a difference is looked for
	whole := func(v expand.Value, plain bool) string {
		w := bicepWriter{plan: p, most: far, depth: deepest, plain: plain, names: !plain}
		w.value(v)
		return string(w.b)
	}
	a, b := whole(before, false), whole(after, false)
	if a == b {
		a, b = whole(before, true), whole(after, true)
	}
	if a == b { // what cannot be evaluated, or is longer than that
		if !expand.IsSecure(before) && !expand.IsSecure(after) {
			y += " (may be another)"
		}
		return x, y
	}
	same := 0
	for same < len(a) && same < len(b) && a[same] == b[same] {
		same++
	}
	const around = 20 // bytes of what is the same that are shown before the difference
	from := max(same-around, 0)
	for from > 0 && !utf8.RuneStart(a[from]) {
		from--
	}
	if from == 0 || len(a) <= limit && len(b) <= limit {
		return clip(a, limit), clip(b, limit)
	}
	return clip("…"+a[from:], limit), clip("…"+b[from:], limit)
}
