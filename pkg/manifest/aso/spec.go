package aso

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/manifest/objects"
)

// convert makes the spec of an item.
func (c *converter) convert(it *item) {
	if it.resource.Existing {
		it.spec = it.body // see complete
		return
	}
	w := walker{c: c, it: it, shown: it.shown.body}
	it.spec, _ = w.object(c.table.object(it.kind.spec), it.body).(*armjson.Object)
}

// walker walks a body along the table. It knows where in the body it is.
type walker struct {
	c     *converter
	it    *item
	path  []string      // names and indexes
	out   string        // those in the spec, each after a slash
	shown objects.Shown // what may be shown of the value there

	carries bool // the operator can take the value there from another object
}

func (w walker) in(name string) walker {
	outer := w.shown
	w.shown = outer.In(name)
	if _, isObject := outer.Value().(*armjson.Object); isObject && !outer.Has(name) || outer.Value() == nil || isMark(outer.Value()) {
		name = "…"
	}
	if name == "" {
		name = `""`
	}
	w.path = append(w.path[:len(w.path):len(w.path)], name)
	return w
}

// text returns how messages call the place: properties.rules[2].name of vnet.
func (w walker) text() string {
	var b strings.Builder
	const longest = 1000
	for _, p := range w.path {
		if b.Len() > longest {
			b.WriteString("…")
			break
		}
		if len(p) > longest {
			p = strings.ToValidUTF8(p[:longest], "") + "…"
		}
		switch {
		case p[0] >= '0' && p[0] <= '9' && strings.Trim(p, "0123456789") == "":
			b.WriteString("[" + p + "]")
		case b.Len() > 0:
			b.WriteString("." + p)
		default:
			b.WriteString(p)
		}
	}
	return fmt.Sprintf("%q of %s", b.String(), w.it.what())
}

// name returns a key for the value at the place: the name of the property, as far as it may be shown and be a key.
func (w walker) name() string {
	for _, name := range slices.Backward(w.path) {
		if word.MatchString(name) {
			return name
		}
	}
	return "value"
}

func (w walker) position() expand.Position { return w.it.at(w.path...) }

// to goes on to a part of the spec, and notes where it comes from.
func (w walker) to(name string) walker {
	w.out += "/" + name
	if w.it.from == nil {
		w.it.from = map[string][]string{}
	}
	w.it.from[w.out] = w.path
	return w
}

func (w walker) refuse(code, format string, args ...any) {
	w.c.out.Refuse(w.position(), code, format, args...)
}

// unknown refuses a value that is not known, or that must not be shown.
func (w walker) unknown(v armjson.Value) {
	if expand.IsSecure(v) {
		w.refuse(CodeSecret, "%s is secure, and Azure Service Operator takes it in plain text only; use a value that is not secure: %s",
			w.text(), w.shown.Text())
		return
	}
	if w.elsewhere(v) {
		w.refuse(objects.CodeUnknown, "%s is the location of a resource group that the program does not make; give it by a parameter",
			w.text())
		return
	}
	if w.leaves(v) {
		return
	}
	if of := expand.References(v); isLate(v, expand.Runtime) && len(of) > 0 {
		remedy := "give it by a parameter"
		if !of[0].Existing {
			remedy = fmt.Sprintf("apply the object of %s first, and then %s", objects.What(of[0]), remedy)
		}
		w.refuse(objects.CodeUnknown, "%s is a value that Azure returns, and Azure Service Operator does not carry it there; %s: %s",
			w.text(), remedy, w.shown.Text())
		if w.carries {
			w.c.mayExist(of)
		}
		return
	}
	w.c.out.RefuseUnknown(w.position(), w.text(), v, w.shown)
}

// isLate reports whether a value is unknown for reasons of some kinds only.
func isLate(v armjson.Value, kinds ...expand.ReasonKind) bool {
	reasons := expand.Reasons(v)
	return len(reasons) > 0 && !slices.ContainsFunc(reasons, func(c expand.Cause) bool { return !slices.Contains(kinds, c.Kind) })
}

// leaves leaves the resource out, if that is asked for and a value is known only in Azure; false otherwise.
func (w walker) leaves(v armjson.Value) bool {
	return isLate(v, expand.Runtime, expand.Keys) &&
		w.leave("is a value that Azure returns, and Azure Service Operator does not carry it there")
}

// leave leaves the resource out because of the value at the place, if that is asked for; false otherwise.
func (w walker) leave(why string) bool {
	if w.c.in.Skips() {
		w.c.unfit = append(w.c.unfit, objects.Problem{Resource: w.it.resource, Code: CodeType, Message: w.text() + " " + why})
	}
	return w.c.in.Skips()
}

// object converts an object. A union becomes an object with the one variant.
func (w walker) object(o *object, v armjson.Value) armjson.Value {
	body, ok := v.(*armjson.Object)
	if !ok {
		w.mismatch("an object", v)
		return nil
	}
	if o.discriminator != "" {
		return w.union(o, body)
	}
	out := armjson.NewObject()
	given := map[*field]bool{}
	w.members(o, body, "", out, given)
	for _, f := range o.fields {
		if f.required && !given[f] {
			w.refuse(CodeProperty, "%s lacks the property %q, which %s requires; add it", w.whole(), f.inBody, w.version())
		}
	}
	return out
}

// whole is how messages call the object at the place.
func (w walker) whole() string {
	if len(w.path) == 0 {
		return w.it.what()
	}
	return w.text()
}

// version names the kind in its version.
func (w walker) version() string {
	return w.it.kind.name + " of Azure Service Operator's " + w.it.kind.version
}

// members converts the members of a body, or of the object properties in it.
func (w walker) members(o *object, body *armjson.Object, prefix string, out *armjson.Object, given map[*field]bool) {
	for name, v := range body.All() {
		if _, null := v.(armjson.Null); null {
			continue // as if it was not there
		}
		at := w.in(name)
		if prefix == "" && strings.EqualFold(name, "properties") && o.byPath["properties"] == nil {
			inner, ok := v.(*armjson.Object)
			if !ok {
				at.mismatch("an object", v)
				continue
			}
			w.it.hidesSpec = w.it.hidesSpec || at.shown.Hides(inner) && len(w.path) == 0
			at.members(o, inner, "properties.", out, given)
			continue
		}
		f := o.byPath[prefix+strings.ToLower(name)]
		if f == nil {
			at.lacking(o, name, prefix)
			continue
		}
		if given[f] {
			at.refuse(CodeProperty, "%s and another property are both %q of %s; remove one of them", at.text(), f.name, w.version())
			continue
		}
		given[f] = true
		at = at.to(f.name)
		at.carries = f.config || strings.HasSuffix(f.typ, "p")
		if f.config && at.fromConfig(f, v, out) {
			continue
		}
		if converted := at.value(f.typ, v, f.limits); converted != nil {
			out.Set(f.name, converted)
		}
	}
}

// lacking refuses a property that the kind does not have.
func (w walker) lacking(o *object, name, prefix string) {
	it := w.it
	text := fmt.Sprintf("%s has no place for the property %s", w.version(), w.text())
	if !strings.EqualFold(it.apiVersion, it.kind.apiVersion) {
		text = fmt.Sprintf("the property %s, which the file declares with version %s, is not in %s of %s, "+
			"the version that %s has", w.text(), it.apiVersion, it.armType, it.kind.apiVersion, w.c.table.operator)
	}
	var near []string
	for _, f := range o.fields {
		if (prefix != "") == f.nested {
			near = append(near, f.path)
		}
	}
	if s := w.c.spelling.Nearest(name, near); s != "" && w.path[len(w.path)-1] != "…" {
		w.refuse(CodeProperty, "%s; did you mean %q?", text, s)
		return
	}
	w.refuse(CodeProperty, "%s; remove it", text)
}

// union converts an object that is one of several kinds of objects.
func (w walker) union(o *object, body *armjson.Object) armjson.Value {
	if o.discriminator == unclear {
		return w.unclear()
	}
	var given armjson.Value
	for name, v := range body.All() {
		if strings.EqualFold(name, o.discriminator) {
			given = v
		}
	}
	at := w.in(o.discriminator)
	var values []string
	for _, f := range o.fields {
		if f.value != "" {
			values = append(values, f.value)
		}
	}
	if given == nil {
		w.refuse(CodeProperty, "%s lacks the property %q, which says what it is; want %s", w.whole(), o.discriminator, orList(values))
		return nil
	}
	s, ok := given.(armjson.String)
	if !ok {
		at.mismatch("a text", given)
		return nil
	}
	for _, f := range o.fields {
		if f.value == "" || !strings.EqualFold(f.value, string(s)) {
			continue
		}
		inner := w.to(f.name).value(f.typ, body, f.limits)
		if inner == nil {
			return nil
		}
		return armjson.NewObject(armjson.Member{Key: f.name, Value: inner})
	}
	at.refuse(CodeValue, "%s is %s; %s takes %s", at.text(), at.shownText(), w.version(), orList(values))
	return nil
}

// value converts a value to a type of the table; nil if it is refused. A value that must not be
// shown is Hidden.
func (w walker) value(typ string, v armjson.Value, l *limits) armjson.Value {
	out := w.converted(typ, v, l)
	if out != nil && w.shown.Hides(v) {
		return &manifest.Hidden{Value: out}
	}
	return out
}

func (w walker) converted(typ string, v armjson.Value, l *limits) armjson.Value {
	switch typ[0] {
	case 'r':
		return w.reference(v)
	case 'p':
		return w.secret(v)
	case 'P':
		return w.secretMap(v)
	case 'u':
		return w.identities(v)
	case unclear[0]:
		return w.unclear()
	}
	switch v.(type) {
	case expand.Unknown:
		if typ == "s" {
			if known, seen := w.reread(v); known != nil {
				w.shown = seen
				return w.value(typ, known, l)
			}
		}
		w.unknown(v)
		return nil
	}
	switch typ[0] {
	case '[':
		return w.list(typ[1:], v, l)
	case '{':
		return w.dictionary(typ[1:], v)
	case 'j':
		if !expand.IsKnown(v) || expand.IsSecure(v) {
			v, w.shown = firstMark(v, w.shown)
			w.unknown(v)
			return nil
		}
		return w.shown.Mark(v)
	case 'e', 'E':
		return w.enumeration(typ, v)
	case 's', 'i', 'n', 'b':
		return w.scalar(typ, v, l)
	}
	o, ok := w.object(w.c.table.object(number(typ)), v).(*armjson.Object)
	if !ok {
		return nil // a nil object is not a nil value
	}
	return o
}

// unclear refuses what a CRD does not tell apart.
func (w walker) unclear() armjson.Value {
	w.refuse(CodeProperty, "%s can be read in two ways by the CRD of %s, which does not say in which; "+
		"one with descriptions may say it, or else remove the property", w.text(), w.it.kind.name)
	return nil
}

func (w walker) list(typ string, v armjson.Value, l *limits) armjson.Value {
	list, ok := v.(armjson.Array)
	if !ok {
		w.mismatch("an array", v)
		return nil
	}
	if why := l.items(len(list)); why != "" {
		if w.shown.Hides(list) {
			w.refuse(CodeValue, "%s has another number of elements; %s", w.text(), why)
		} else {
			w.refuse(CodeValue, "%s has the length %d; %s", w.text(), len(list), why)
		}
	}
	out := make(armjson.Array, 0, len(list))
	for i, one := range list {
		at := w.in(fmt.Sprint(i)).to(fmt.Sprint(i))
		if _, null := one.(armjson.Null); null {
			at.refuse(CodeValue, "%s is null; remove the element", at.text())
			continue
		}
		if converted := at.value(typ, one, nil); converted != nil {
			out = append(out, converted)
		}
	}
	return out
}

func (w walker) dictionary(typ string, v armjson.Value) armjson.Value {
	o, ok := v.(*armjson.Object)
	if !ok {
		w.mismatch("an object", v)
		return nil
	}
	out := armjson.NewObject()
	for name, one := range o.All() {
		at := w.in(name).to(name)
		if _, null := one.(armjson.Null); null {
			continue
		}
		if converted := at.value(typ, one, nil); converted != nil {
			out.Set(name, converted)
		}
	}
	return out
}

// scalar converts a text, number or boolean.
func (w walker) scalar(typ string, v armjson.Value, l *limits) armjson.Value {
	want, ok, why := "", false, ""
	switch typ[0] {
	case 's':
		var s armjson.String
		s, ok = v.(armjson.String)
		want, why = "a text", l.text(string(s))
	case 'i':
		n, isNumber := v.(armjson.Number)
		i, isInt := n.Int64()
		ok = isNumber && isInt
		want, why = "an integer", l.integer(i)
	case 'n':
		_, ok = v.(armjson.Number)
		want = "a number"
	case 'b':
		_, ok = v.(armjson.Bool)
		want = "a boolean"
	}
	switch {
	case !ok:
		w.mismatch(want, v)
		return nil
	case why != "":
		w.refuse(CodeValue, "%s is %s; %s", w.text(), w.shownText(), why)
	}
	return v
}

// enumeration converts a value of an enumeration to the letter case that the CRD has.
func (w walker) enumeration(typ string, v armjson.Value) armjson.Value {
	values := w.c.table.enum(number(typ[1:]))
	if typ[0] == 'E' {
		n, ok := v.(armjson.Number)
		if !ok {
			w.mismatch("an integer", v)
			return nil
		}
		for _, one := range values {
			if one == string(n) {
				return n
			}
		}
	} else {
		s, ok := v.(armjson.String)
		if !ok {
			w.mismatch("a text", v)
			return nil
		}
		for _, one := range values {
			if strings.EqualFold(unspaced(one), unspaced(string(s))) {
				return armjson.String(one)
			}
		}
	}
	w.refuse(CodeValue, "%s is %s; %s takes %s", w.text(), w.shownText(), w.version(), orList(values))
	return nil
}

// unspaced returns a text without blanks: some versions of an API write "SystemAssigned,
// UserAssigned" with a blank, and some without.
func unspaced(s string) string { return strings.ReplaceAll(s, " ", "") }

// mismatch refuses a value of another type than the operator takes.
func (w walker) mismatch(want string, v armjson.Value) {
	if isMark(v) {
		w.unknown(v)
		return
	}
	w.refuse(CodeValue, "%s is %s; Azure Service Operator takes %s", w.text(), typeOf(v), want)
}

func typeOf(v armjson.Value) string {
	switch v.(type) {
	case armjson.String:
		return "a text"
	case armjson.Number:
		return "a number"
	case armjson.Bool:
		return "a boolean"
	case armjson.Array:
		return "an array"
	case *armjson.Object:
		return "an object"
	}
	return "null"
}

// shownText returns the value at the place for a message.
func (w walker) shownText() string {
	v := w.shown.Value()
	s := w.shown.Text()
	if v != nil && !isMark(v) {
		s = armjson.Text(v)
	}
	const most = 300 // an ID of a resource is seldom longer
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

// firstMark returns the first unknown or secure value in a value, and what may be shown of it.
func firstMark(v armjson.Value, seen objects.Shown) (armjson.Value, objects.Shown) {
	switch v := v.(type) {
	case expand.Unknown:
		return v, seen
	case armjson.Array:
		for i, x := range v {
			if m, s := firstMark(x, seen.In(strconv.Itoa(i))); m != nil {
				return m, s
			}
		}
	case *armjson.Object:
		for name, x := range v.All() {
			if m, s := firstMark(x, seen.In(name)); m != nil {
				return m, s
			}
		}
	}
	return nil, objects.Shown{}
}

func isMark(v armjson.Value) bool {
	_, ok := v.(expand.Unknown)
	return ok
}

// orList returns "a, b or c", and not more of them than a message can have.
func orList(list []string) string {
	const most = 20
	if len(list) > most {
		return strings.Join(list[:most], ", ") + " …"
	}
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " or " + list[len(list)-1]
}
