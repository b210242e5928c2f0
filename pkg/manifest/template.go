package manifest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/radbicep/rad/pkg/armjson"
)

// parseTemplate returns the value of a template's text. ARM reads comments in templates,
// and templates of many levels of modules.
func parseTemplate(text []byte) (*armjson.Object, error) {
	v, err := armjson.ParseBytes(bytes.TrimPrefix(text, byteOrderMark), armjson.Options{Comments: true, MaxDepth: armjson.TemplateMaxDepth})
	if err != nil {
		return nil, fmt.Errorf("the template cannot be read as JSON: %w", err)
	}
	tree, ok := v.(*armjson.Object)
	if !ok {
		return nil, errors.New("the template is not a JSON object")
	}
	return tree, nil
}

var byteOrderMark = []byte("\ufeff")

// prepare returns the template's text as the manifest holds it, and its value. The text is
// the compiler's own, unless the options ask for something else, and always of a form that
// YAML can show as a literal block. It ends with a line break.
func prepare(o *Options) (text string, tree *armjson.Object, err error) {
	tree = o.Tree
	if o.DropGenerator {
		if changed := armjson.Copy(tree).(*armjson.Object); dropGenerator(changed) {
			tree = changed
		}
	}
	if o.Target == Radius {
		if tree, err = withDefaults(tree, o.Parameters); err != nil {
			return "", nil, err
		}
	}
	var out []byte
	if tree == o.Tree {
		if laidOut, ok := layOut(bytes.TrimPrefix(o.Template, byteOrderMark), o.Compact); ok {
			return line(escape(laidOut)), tree, nil
		}
		// A template with comments is printed from the tree, without them.
	}
	out, _ = layOut(armjson.Append(nil, tree, armjson.Indented), o.Compact)
	return line(escape(out)), tree, nil
}

// line returns a text with a line break.
func line(text []byte) string {
	var b strings.Builder
	b.Grow(len(text) + 1)
	b.Write(text)
	b.WriteByte('\n')
	return b.String()
}

// layOut brings the white space of a JSON text into a form that a literal block keeps:
// lines end in \n and not in blanks, and are indented by spaces. A compact text has none.
// Strings and numbers stay as they are written. It is not ok if the text has comments.
func layOut(text []byte, compact bool) (laidOut []byte, ok bool) {
	if !compact && isLaidOut(text) {
		return text, true
	}
	return rewrite(text, compact)
}

// rewrite is layOut for a text that it changes.
func rewrite(text []byte, compact bool) (laidOut []byte, ok bool) {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '"':
			j := i + 1
			for j < len(text) && text[j] != '"' {
				if text[j] == '\\' {
					j++
				}
				j++
			}
			j = min(j+1, len(text))
			out = append(out, text[i:j]...)
			i = j
			continue
		case c == '\n' && !compact: // and the indentation of the next line
			for len(out) > 0 && out[len(out)-1] == ' ' {
				out = out[:len(out)-1]
			}
			j := i + 1
			for j < len(text) && text[j] == ' ' {
				j++
			}
			out = append(out, text[i:j]...)
			i = j
			continue
		case c == '/':
			return nil, false
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			if compact {
				break
			}
			switch c {
			case ' ':
				out = append(out, ' ')
			case '\t':
				out = append(out, ' ', ' ')
			case '\r':
				if i+1 < len(text) && text[i+1] == '\n' {
					break
				}
				for len(out) > 0 && out[len(out)-1] == ' ' {
					out = out[:len(out)-1]
				}
				out = append(out, '\n')
			}
		default:
			out = append(out, c)
		}
		i++
	}
	return bytes.Trim(out, " \n"), true
}

// isLaidOut reports whether the white space of a JSON text is as layOut makes it, and the
// text has no comments.
func isLaidOut(text []byte) bool {
	if len(text) == 0 || text[0] == ' ' || text[0] == '\n' || text[len(text)-1] == ' ' || text[len(text)-1] == '\n' ||
		bytes.IndexByte(text, '\t') >= 0 || bytes.IndexByte(text, '\r') >= 0 || bytes.Contains(text, []byte(" \n")) {
		return false
	}
	inString := false
	for at := 0; ; {
		i := bytes.IndexByte(text[at:], '/')
		if i < 0 {
			return true
		}
		slash := at + i
		if i := bytes.LastIndexByte(text[at:slash], '\n'); i >= 0 { // a string ends on its line
			at += i + 1
			inString = false
		}
		for ; at < slash; at++ {
			switch c := text[at]; {
			case c == '"':
				inString = !inString
			case c == '\\' && inString:
				at++
			}
		}
		if !inString {
			return false // a comment begins
		}
		at = max(at, slash+1)
	}
}

// escape writes as \u escapes the characters for which YAML libraries give up the
// literal block, or do not read back what they wrote: DEL, the C1 controls, the
// line and paragraph separators, the byte order mark, the two non-characters and all
// beyond the basic plane. In JSON they can stand within strings only, so the text
// means the same, and templateHash, which is made of the meaning, still holds.
func escape(text []byte) []byte {
	if isASCII(text) && bytes.IndexByte(text, 0x7f) < 0 {
		return text
	}
	out := make([]byte, 0, len(text)+64)
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case r >= 0x10000:
			r -= 0x10000
			out = appendEscape(out, 0xd800+r>>10)
			out = appendEscape(out, 0xdc00+r&0x3ff)
		case r == utf8.RuneError && size == 1:
			out = append(out, "\ufffd"...)
		case r >= 0x7f && r < 0xa0, r == 0x2028, r == 0x2029, r == 0xfeff, r == 0xfffe, r == 0xffff:
			out = appendEscape(out, r)
		default:
			out = append(out, text[i:i+size]...)
		}
		i += size
	}
	return out
}

// isASCII reports whether no byte is beyond ASCII. It looks at eight of them at a time.
func isASCII(text []byte) bool {
	for ; len(text) >= 8; text = text[8:] {
		if binary.LittleEndian.Uint64(text)&0x8080808080808080 != 0 {
			return false
		}
	}
	return !slices.ContainsFunc(text, func(c byte) bool { return c >= 0x80 })
}

func appendEscape(out []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	return append(out, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}

// dropGenerator removes the compiler's mark from a template and from the templates
// nested in it, and reports whether there was one.
func dropGenerator(template *armjson.Object) bool {
	dropped := false
	if metadata := template.Object("metadata"); metadata != nil && metadata.Find("_generator") >= 0 {
		metadata.Delete("_generator")
		if metadata.Len() == 0 {
			template.Delete("metadata")
		}
		dropped = true
	}
	eachResource(template, func(_ string, r *armjson.Object) {
		if nested := r.Object("properties").Object("template"); nested != nil && isDeployment(r) {
			dropped = dropGenerator(nested) || dropped
		}
	})
	return dropped
}

func isDeployment(r *armjson.Object) bool {
	return hasPrefixFold(r.Str("type"), "microsoft.resources/deployments")
}

// eachResource calls f with each resource of a template, whether they are in an
// array or, with symbolic names, in an object; children come after their parents.
func eachResource(template *armjson.Object, f func(symbol string, r *armjson.Object)) {
	v, _ := template.Get("resources")
	visit := func(symbol string, v armjson.Value) {
		if r, ok := v.(*armjson.Object); ok {
			f(symbol, r)
			if r.Find("resources") >= 0 {
				eachResource(r, f)
			}
		}
	}
	switch resources := v.(type) {
	case armjson.Array:
		for _, r := range resources {
			visit("", r)
		}
	case *armjson.Object:
		for symbol, r := range resources.All() {
			visit(symbol, r)
		}
	}
}

// withDefaults returns a template in which values that are not strings are the defaults of
// their parameters: the map of strings in a manifest of released Radius cannot hold them.
func withDefaults(template *armjson.Object, parameters []Parameter) (*armjson.Object, error) {
	declared := template.Object("parameters")
	changed := false
	for _, p := range parameters {
		if _, ok := p.Value.(armjson.String); ok || p.Value == nil {
			continue
		}
		declaration := declared.Object(p.Name)
		if declaration == nil {
			return nil, fmt.Errorf("the template declares no parameter %q", p.Name)
		}
		if _, null := p.Value.(armjson.Null); null {
			continue // as if it was not given, which is what null means to ARM
		}
		if !changed {
			declared, changed = declared.Clone(), true
		}
		declaration = declaration.Clone()
		declaration.Set("defaultValue", literal(p.Value))
		declared.Set(p.Name, declaration)
	}
	if changed {
		template = template.Clone()
		template.Set("parameters", declared)
	}
	return template, nil
}

// literal returns a value with its strings written so that ARM does not take them
// for expressions: one that begins with [ and ends with ] gets another [.
func literal(v armjson.Value) armjson.Value {
	switch v := v.(type) {
	case armjson.String:
		return armjson.String(literalText(string(v)))
	case armjson.Array:
		out := make(armjson.Array, len(v))
		for i := range v {
			out[i] = literal(v[i])
		}
		return out
	case *armjson.Object:
		out := armjson.NewObject()
		for k, inner := range v.All() {
			out.Set(literalText(k), literal(inner))
		}
		return out
	}
	return v
}

func literalText(s string) string {
	if strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") {
		return "[" + s
	}
	return s
}

// warnCollisions finds resources that Radius would give one object in the cluster:
// it names that object after the resource alone, without its type.
func (m *Manifest) warnCollisions(template *armjson.Object) {
	names := map[string][]string{}
	collectNames(template, names, true)
	for _, k := range slices.Sorted(maps.Keys(names)) {
		types := distinct(names[k])
		if len(types) > 1 {
			m.warn(CodeCollision, "resources of the types %s have one name, %q; "+
				"Radius names objects after that name alone, so all but one of them would fail", strings.Join(types, " and "), k)
		}
	}
}

// collectNames notes the types of the resources that have a name. A nested template
// has parameters of its own, so only plain names mean the same there.
func collectNames(template *armjson.Object, names map[string][]string, top bool) {
	eachResource(template, func(_ string, r *armjson.Object) {
		if existing, _ := r.Get("existing"); existing == armjson.Bool(true) {
			return
		}
		if isDeployment(r) {
			if nested := r.Object("properties").Object("template"); nested != nil {
				collectNames(nested, names, false)
			}
			return
		}
		if r.Find("import") < 0 && r.Find("extension") < 0 {
			return // not Radius'
		}
		kind, _, _ := strings.Cut(r.Str("type"), "@")
		if !strings.HasPrefix(kind, "Applications.") && !strings.HasPrefix(kind, "Radius.") {
			return
		}
		name := r.Object("properties").Str("name")
		if name == "" || !top && strings.HasPrefix(name, "[") || r.Find("copy") >= 0 {
			return
		}
		if !strings.HasPrefix(name, "[") {
			name = strings.ToLower(name)
		}
		names[name] = append(names[name], kind)
	})
}

func distinct(list []string) []string {
	slices.Sort(list)
	var out []string
	for _, s := range list {
		if len(out) == 0 || !strings.EqualFold(out[len(out)-1], s) {
			out = append(out, s)
		}
	}
	return out
}
