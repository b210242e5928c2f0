package params

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/secret"
)

// SecurePolicy says what happens to a value for a @secure() parameter.
type SecurePolicy string

// The policies. A manifest is not a secret: it is committed, and shown by tools.
const (
	SecureError SecurePolicy = "error" // it is refused
	SecureOmit  SecurePolicy = "omit"  // it is left out, for somebody to give later
	SecureAllow SecurePolicy = "allow" // it is written
	// SecureReference refers to a key of a Secret in the cluster in its place.
	SecureReference SecurePolicy = "reference"
)

// Bound is the final value of a parameter.
type Bound struct {
	*Declaration
	Value     armjson.Value   // nil for a reference
	Reference *armjson.Object // to a secret in a key vault
	InSecret  bool            // the value is in a Secret of the cluster; there is neither value nor reference
	Source    Source
	// Mark says whether the value may be written and shown: that of the entry, and that of a secure
	// parameter. A reference holds no secret, and has none.
	Mark secret.Mark
}

// Values are the values that a template gets, in the order in which their
// parameters were first given.
type Values []Bound

// Private reports whether one of the values must not be written.
func (v Values) Private() bool {
	return slices.ContainsFunc(v, func(b Bound) bool { return !b.Mark.Written() })
}

// Merge lays layers over each other: the later wins, and a parameter keeps the
// place of its first appearance.
func Merge(layers ...Layer) Layer {
	out, _ := (*Declarations)(nil).Merge(layers...)
	return out
}

// Bind gives the values of a merged layer to the parameters that a template
// declares. All that is wrong is found at once.
func Bind(d *Declarations, merged Layer, policy SecurePolicy) (Values, []Problem) {
	return d.Bind(merged).Values(policy)
}

// Binding is what the parameters of a template are given. It does not change.
type Binding struct {
	d       *Declarations
	entries []bound
	given   map[string]bool
}

// bound is a value, and what is wrong with it. If it must not be written, that counts only where it is used.
type bound struct {
	Bound
	problems []Problem
	fits     bool
}

// Bind gives the values of a merged layer to the parameters.
func (d *Declarations) Bind(merged Layer) *Binding {
	b := &Binding{d: d, given: map[string]bool{}}
	var spellings map[string][]string
	var declared []string
	for _, e := range merged {
		one := d.get(e.Name)
		if one == nil {
			if spellings == nil {
				spellings, declared = merged.spellings(), d.Names()
			}
			p := d.unknown(e, spellings, declared)
			b.entries = append(b.entries, bound{problems: []Problem{p}})
			if p.Code == CodeCase {
				b.given[d.sameButCase(e.Name)] = true // one complaint is enough
			}
			continue
		}
		b.given[e.Name] = true
		b.entries = append(b.entries, one.bind(e))
	}
	return b
}

// Problems returns what is wrong with values whatever becomes of those that must not be written, and whether or not
// one is missing.
func (b *Binding) Problems() (problems []Problem) {
	for _, v := range b.entries {
		if v.Mark.Written() {
			problems = append(problems, v.problems...)
		}
	}
	return errorsFirst(WithoutMissing(problems))
}

// Values returns the values that are written by a policy, and all that is wrong with them.
func (b *Binding) Values(policy SecurePolicy) (values Values, problems []Problem) {
	for _, v := range b.entries {
		switch {
		case v.Mark.Written() || policy == SecureAllow:
			problems = append(problems, v.problems...)
		case policy == SecureReference:
			v.InSecret, v.Mark, v.Value, v.fits = true, 0, nil, true
			problems = append(problems, v.secure("%s, so the manifest refers to its key in a Secret, and does not hold the value", true))
		case policy == SecureOmit:
			v.fits = false
			problems = append(problems,
				v.secure("%s, so its value is left out of the manifest; give one when you deploy the manifest", true))
		default:
			v.fits = false
			problems = append(problems,
				v.secure("%s, and a manifest is readable by everybody who can read the repository or the cluster", false))
		}
		if v.fits {
			values = append(values, v.Bound)
		}
	}
	for _, one := range b.d.list {
		switch {
		case !one.Required() || b.given[one.Name]:
		case one.Secure && policy == SecureReference:
			values = append(values, Bound{Declaration: one, InSecret: true})
		case one.Secure && policy == SecureOmit:
			problems = append(problems, Problem{Code: CodeSecure, Parameter: one.Name, Warning: true,
				Message: fmt.Sprintf("parameter %q: it is secure and has no value in the manifest; give one when you deploy the manifest",
					one.Name)})
		default:
			problems = append(problems, one.missing())
		}
	}
	return values, errorsFirst(problems)
}

// secure is the problem of a value that must not be written. The format says what becomes of it, after why.
func (v *bound) secure(format string, warning bool) Problem {
	why, remedy := "it is secure", GiveReference
	if !v.Secure {
		why, remedy = "its value and that of a secure parameter are computed from each other or from one source", ComputeInstead
	}
	if warning {
		remedy = 0
	}
	return Problem{Code: CodeSecure, Parameter: v.Name, Source: v.Source, Warning: warning, Remedy: remedy,
		Message: fmt.Sprintf("parameter %q: "+format, v.Name, why)}
}

func errorsFirst(problems []Problem) []Problem {
	sort.SliceStable(problems, func(i, j int) bool { return !problems[i].Warning && problems[j].Warning })
	return problems
}

// spellings returns the names in all spellings, by lower case.
func (l Layer) spellings() map[string][]string {
	m := map[string][]string{}
	for _, e := range l {
		folded := strings.ToLower(e.Name)
		m[folded] = append(m[folded], e.Name)
	}
	return m
}

func (d *Declaration) missing() Problem {
	p := Problem{Code: CodeMissing, Parameter: d.Name, Remedy: GiveValue}
	p.Message = fmt.Sprintf("the template requires a value for the parameter %q (%s)", d.Name, d.Type())
	if d.Secure {
		p.Message, p.Remedy = fmt.Sprintf("the template requires a value for the parameter %q, which is secure", d.Name), GiveReference
	}
	return p
}

// sameButCase returns the declared name that differs by letter case only, or "".
func (d *Declarations) sameButCase(name string) string {
	if d.spelt == nil {
		d.spelt = map[string]string{}
		for _, one := range d.list {
			if folded := strings.ToLower(one.Name); d.spelt[folded] == "" {
				d.spelt[folded] = one.Name
			}
		}
	}
	return d.spelt[strings.ToLower(name)]
}

// unknown is the problem of a value for a parameter that is not declared. given are the names
// in all spellings, by lower case, and declared those of the template.
func (d *Declarations) unknown(e Entry, given map[string][]string, declared []string) Problem {
	p := Problem{Code: CodeUnknown, Parameter: e.Name, Source: e.Source}
	spellings := given[strings.ToLower(e.Name)]
	if right := d.sameButCase(e.Name); right != "" {
		p.Code = CodeCase
		p.Message = fmt.Sprintf("parameter %q: the template spells it %q", e.Name, right)
		if slices.Contains(spellings, right) {
			p.Message += ", and both spellings are given"
		}
		return p
	}
	p.Message = fmt.Sprintf("the template declares no parameter %q%s", e.Name, suggest(&d.spelling, e.Name, declared))
	for i, other := range spellings {
		if other != e.Name && i < maxListed {
			p.Message += fmt.Sprintf(" (%q is given too)", other)
		}
	}
	return p
}

// bind gives one value to its parameter.
func (d *Declaration) bind(e Entry) bound {
	b := bound{Bound: Bound{Declaration: d, Source: e.Source, Mark: e.Mark}}
	if d.Secure {
		b.Mark |= secret.Secure
	}
	problem := func(code, format string, args ...any) {
		b.problems = append(b.problems, Problem{Code: code, Parameter: d.Name,
			Source: e.Source, Message: fmt.Sprintf("parameter %q: ", d.Name) + fmt.Sprintf(format, args...)})
	}
	switch v := e.Value.(type) {
	case Expression:
		problem(CodeExternal, "its value uses externalInput, which only a deployment can find")
		b.problems[0].Remedy, b.Mark = GiveValue, 0
		return b
	case Reference:
		b.Mark = 0
		if k := d.kind(); k != kindString && k != kindObject && k != kindAny {
			problem(CodeType, "want %s, not a reference to a secret", article(d.Type()))
			return b
		}
		b.Reference, b.fits = v.Object, true
		return b
	}
	c := checker{name: d.Name, secure: !b.Mark.Shown(), declared: d.Secure,
		compiled: isBicepParam(e.Source.Path), spelling: &d.schema.decls.spelling}
	switch v := e.Value.(type) {
	case Text:
		if !armjson.IsText(string(v)) {
			c.add(CodeType, nil, "%s", notText)
			break
		}
		b.Value = c.convert(string(v), d.schema)
	case JSON:
		b.Value = v.Value
	}
	c.text(b.Value, nil)
	if b.Value != nil {
		if _, null := b.Value.(armjson.Null); null && !d.schema.nullable() {
			// Upstream takes null for "not assigned", which needs a default.
			if !d.HasDefault {
				c.add(CodeMissing, nil, "it has no default, so null is not a value for it; want %s", article(d.Type()))
			}
		} else {
			c.check(b.Value, d.schema, nil)
		}
	}
	b.fits = true
	for _, f := range c.told(b.Value) {
		problem(f.code, "%s", f.text)
		b.problems[len(b.problems)-1].Warning, b.fits = f.warning, b.fits && f.warning
	}
	return b
}
