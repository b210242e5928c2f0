package recipes

import (
	"regexp"
	"strings"
	"sync"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
)

// # {{context.*}}
//
// A recipe without the parameter context is a module that knows nothing of Radius. In its parameters, {{context.resource.name}}
// stands for a part of the context, and {{a == "x" ? "y" : "z"}} for one of two texts. A parameter that is nothing but
// an expression of properties keeps the type of the value. What names nothing stays a text.

var (
	expressions = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{\{([^}]+)\}\}`) })
	single      = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*\{\{([^}]+)\}\}\s*$`) })
	comparison  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*(.+?)\s*==\s*"([^"]*)"\s*$`) })
)

// resolver replaces expressions in parameters.
type resolver struct {
	texts, typed map[string]expand.Value  // by what expressions say
	unknown      map[string]*eval.Unknown // what has members that are not known, by what stands before their names
	left         []string                 // expressions that stay as they are
	undecided    []string                 // those whose condition is not known, or a secret
}

// newResolver returns a resolver for a context.
func newResolver(context *armjson.Object) *resolver {
	r := &resolver{texts: map[string]expand.Value{}, typed: map[string]expand.Value{}, unknown: map[string]*eval.Unknown{}}
	bag := func(prefix string, v expand.Value) {
		if u, ok := v.(*eval.Unknown); ok {
			r.unknown[prefix] = u
		}
		if properties, ok := v.(*armjson.Object); ok {
			for name, x := range properties.All() {
				r.texts[prefix+name], r.typed[prefix+name] = x, x
			}
		}
	}
	var walk func(prefix string, o *armjson.Object)
	walk = func(prefix string, o *armjson.Object) {
		for name, v := range o.All() {
			inner, isObject := v.(*armjson.Object)
			switch {
			case prefix == "context.resource." && name == "properties":
				bag(prefix+"properties.", v)
			case prefix == "context.resource." && name == "connections":
				for name, c := range inner.All() {
					connection := c.(*armjson.Object)
					at := prefix + "connections." + name + "."
					for _, key := range []string{"id", "name", "type"} {
						r.texts[at+key] = connection.Value(key)
					}
					bag(at+"properties.", connection.Value("properties"))
				}
			case isObject:
				walk(prefix+name+".", inner)
			default:
				r.texts[prefix+name] = v
			}
		}
	}
	walk("context.", context)
	return r
}

// value returns a value in which expressions are replaced, at any depth.
func (r *resolver) value(v expand.Value) expand.Value {
	switch v := v.(type) {
	case armjson.String:
		if m := single().FindStringSubmatch(string(v)); m != nil {
			if typed, ok := r.typed[strings.TrimSpace(m[1])]; ok {
				return typed
			}
		}
		return r.text(string(v))
	case *armjson.Object, armjson.Array:
		return armjson.WithParts(v, func(_ string, part expand.Value) expand.Value { return r.value(part) })
	}
	return v
}

// text returns a text in which expressions are replaced.
func (r *resolver) text(s string) expand.Value {
	var parts []expand.Value
	end := 0
	for _, at := range expressions().FindAllStringSubmatchIndex(s, -1) {
		parts = append(parts, armjson.String(s[end:at[0]]), r.expression(s[at[2]:at[3]]))
		end = at[1]
	}
	return joined(append(parts, armjson.String(s[end:])))
}

// joined puts texts together. With one that is not known, the whole is not.
func joined(parts []expand.Value) expand.Value {
	var b strings.Builder
	for _, p := range parts {
		s, ok := p.(armjson.String)
		if !ok {
			return eval.NewUnknown(nil, "concat", parts...)
		}
		b.WriteString(string(s))
	}
	return armjson.String(b.String())
}

// expression returns the text that an expression stands for.
func (r *resolver) expression(inner string) expand.Value {
	whole := armjson.String("{{" + inner + "}}")
	if value, matched, resolved := r.ternary(inner); matched {
		if !resolved {
			r.left = append(r.left, string(whole))
			return whole
		}
		return armjson.String(value)
	}
	v, ok := r.named(strings.TrimSpace(inner))
	if !ok {
		r.left = append(r.left, string(whole))
		return whole
	}
	if s, ok := printed(v); ok {
		return armjson.String(s)
	}
	return v
}

// named returns what a name stands for.
func (r *resolver) named(name string) (expand.Value, bool) {
	v, ok := r.texts[name]
	point := strings.LastIndexByte(name, '.') + 1
	if u := r.unknown[name[:point]]; u != nil && !ok {
		return eval.Get(u, name[point:]), true
	}
	return v, ok
}

// ternary evaluates CONDITION ? ARM : ARM. matched says that it is one, and resolved that what its condition names is there.
func (r *resolver) ternary(expr string) (value string, matched, resolved bool) {
	question, colon, ok := splitTernary(expr)
	if !ok {
		return "", false, false
	}
	m := comparison().FindStringSubmatch(strings.TrimSpace(expr[:question]))
	if m == nil {
		return "", false, false
	}
	v, found := r.named(strings.TrimSpace(m[1]))
	if !found {
		return "", true, false
	}
	is, known := printed(v)
	if !known {
		r.undecided = append(r.undecided, expr)
	}
	arm := strings.TrimSpace(expr[colon+1:])
	if is == m[2] {
		arm = strings.TrimSpace(expr[question+1 : colon])
	}
	if value, matched, resolved := r.ternary(arm); matched {
		return value, true, resolved
	}
	if len(arm) >= 2 && strings.HasPrefix(arm, `"`) && strings.HasSuffix(arm, `"`) {
		return arm[1 : len(arm)-1], true, true
	}
	return "", true, false
}

// splitTernary returns where the first ? is and the : that belongs to it, both outside of quotes.
func splitTernary(s string) (question, colon int, ok bool) {
	question, colon = -1, -1
	quoted, depth := false, 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '?':
			if depth == 0 && question < 0 {
				question = i
			}
			depth++
		case c == ':' && depth == 0:
			return -1, -1, false
		case c == ':':
			if depth--; depth == 0 && colon < 0 {
				colon = i
			}
		}
	}
	return question, colon, question >= 0 && colon >= 0
}

// parametersOf returns what a recipe is given beside its context, the weakest first: what the pack says, the environment, the
// resource.
func parametersOf(of *recipe, env *environment, kind string, properties *armjson.Object) *armjson.Object {
	out := armjson.NewObject()
	for _, o := range []*armjson.Object{
		of.parameters,
		env.parameters.Object(kind), // in exactly this spelling
		properties.Object("recipe").Object("parameters"),
	} {
		for name, v := range o.All() {
			out.Set(name, plain(v))
		}
	}
	return out
}
