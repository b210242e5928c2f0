package manifest

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
)

// This file finds what a cluster's Radius would refuse, lose or never finish.

// resource is a resource that a template deploys, or one nested in it.
type resource struct {
	kind     string // without its version
	name     string // "" where it is not known
	existing bool
	// likely is the name that a resource has if it is deployed, where name is not known.
	likely string
}

// ResourceName is the type of a resource, without its version, and its name.
type ResourceName struct{ Type, Name string }

// eachDeployed calls f with the resources of a template and of the templates nested in it.
// Names are known that are written out, or are those of parameters and variables.
func eachDeployed(template *armjson.Object, values map[string]string, f func(resource)) {
	know := func(s string) string {
		if !strings.HasPrefix(s, "[") {
			return s
		}
		for _, function := range []string{"parameters", "variables"} {
			name, ok := strings.CutPrefix(s, "["+function+"('")
			if name, rest := strings.CutSuffix(name, "')]"); ok && rest {
				if function == "variables" {
					if v := template.Object("variables").Str(name); !strings.HasPrefix(v, "[") {
						return v
					}
					return ""
				}
				if v, ok := values[strings.ToLower(name)]; ok {
					return v
				}
				if v := template.Object("parameters").Object(name).Str("defaultValue"); !strings.HasPrefix(v, "[") {
					return v
				}
			}
		}
		return ""
	}
	eachResource(template, func(_ string, r *armjson.Object) {
		if isDeployment(r) {
			nested := r.Object("properties").Object("template")
			if nested == nil {
				return
			}
			inner := map[string]string{}
			if given := r.Object("properties").Object("parameters"); given != nil {
				for name, v := range given.All() {
					if o, ok := v.(*armjson.Object); ok {
						if s := know(o.Str("value")); s != "" {
							inner[strings.ToLower(name)] = s
						}
					}
				}
			}
			eachDeployed(nested, inner, f)
			return
		}
		one := resource{}
		one.kind, _, _ = strings.Cut(r.Str("type"), "@")
		if existing, _ := r.Get("existing"); existing == armjson.Bool(true) {
			one.existing = true
		}
		name := r.Str("name")
		if r.Find("import") >= 0 || r.Find("extension") >= 0 {
			name = r.Object("properties").Str("name")
		}
		if one.name = know(name); one.name == "" && isRadiusKind(one.kind) {
			one.likely = formatted(name, know)
		}
		f(one)
	})
}

// ResourceTypes returns the types, without their versions, of the resources of a template and
// of the templates nested in it, those that exist already included.
func ResourceTypes(template *armjson.Object) (kinds []string) {
	eachDeployed(template, nil, func(r resource) { kinds = append(kinds, r.kind) })
	return kinds
}

// formatted returns the value of a call of format that puts known parameters and variables
// into a text, as most names do that are computed. It returns "" for all else.
func formatted(expression string, know func(string) string) string {
	rest, ok := strings.CutPrefix(expression, "[format('")
	layout, rest, closed := strings.Cut(rest, "'")
	if !ok || !closed {
		return ""
	}
	var values []string
	for rest != ")]" {
		if rest, ok = strings.CutPrefix(rest, ", "); !ok {
			return ""
		}
		argument, behind, ok := strings.Cut(rest, ")")
		value := know("[" + argument + ")]")
		if !ok || value == "" {
			return ""
		}
		values, rest = append(values, value), behind
	}
	var name strings.Builder
	for {
		before, behind, more := strings.Cut(layout, "{")
		if strings.Contains(before, "}") {
			return ""
		}
		name.WriteString(before)
		if !more {
			return name.String()
		}
		index, after, _ := strings.Cut(behind, "}")
		n, err := strconv.ParseUint(index, 10, 8)
		if err != nil || n >= uint64(len(values)) {
			return "" // such as {0:D3}, or {{
		}
		name.WriteString(values[n])
		layout = after
	}
}

func isRadiusKind(kind string) bool {
	return hasPrefixFold(kind, "Applications.") || hasPrefixFold(kind, "Radius.")
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// checkResources refuses names that Radius rejects, and warns of what would not be
// deleted or has nowhere to go.
func (m *Manifest) checkResources(o *Options) error {
	values := map[string]string{}
	for _, p := range o.Parameters {
		if s, ok := p.Value.(armjson.String); ok {
			values[strings.ToLower(p.Name)] = string(s)
		}
	}
	secret := map[string]bool{}
	for name := range m.secure {
		secret[values[name]] = true
	}
	var wrong []error
	var endless, azure, aws []string
	computed := false
	eachDeployed(o.Tree, values, func(r resource) {
		if r.existing || r.kind == "" {
			return
		}
		switch {
		case isRadiusKind(r.kind):
			if r.name == "" && (r.likely == "" || checkResourceName(resource{kind: r.kind, name: r.likely}, o.Target) != nil) {
				computed = true // it may not be deployed, which only an expansion tells
			}
			if !secret[r.name] {
				if err := checkResourceName(r, o.Target); err != nil {
					wrong = append(wrong, err)
				}
			}
			if hasPrefixFold(r.kind, "Radius.") {
				endless = append(endless, r.kind)
			}
		case hasPrefixFold(r.kind, "AWS."):
			aws = append(aws, r.kind)
		case hasPrefixFold(r.kind, "Microsoft."):
			azure = append(azure, r.kind)
		}
	})
	if computed && o.Names != nil && len(wrong) == 0 {
		for _, n := range o.Names() {
			if !isRadiusKind(n.Type) || secret[n.Name] {
				continue
			}
			if err := checkResourceName(resource{kind: n.Type, name: n.Name}, o.Target); err != nil {
				wrong = append(wrong, err)
			}
		}
	}
	if o.Target == Radius {
		for _, kind := range distinct(endless) {
			m.warn(CodeDeletion,
				"the deletion of a resource of the type %s does not end: the controllers of Radius 0.43 to 0.60 cannot finish it", kind)
		}
	}
	if o.AzureScope == "" {
		for _, kind := range distinct(azure) {
			m.warn(CodeScope, "the template has a resource of Azure, of the type %s, and the manifest does not say where it goes", kind)
			m.Warnings[len(m.Warnings)-1].Option = OptionAzureScope
		}
	}
	if o.AWSScope == "" {
		for _, kind := range distinct(aws) {
			m.warn(CodeScope, "the template has a resource of AWS, of the type %s, and the manifest does not say where it goes", kind)
			m.Warnings[len(m.Warnings)-1].Option = OptionAWSScope
		}
	}
	return joined(wrong)
}

// joined makes one error of several, on one line.
func joined(list []error) error {
	if len(list) == 0 {
		return nil
	}
	var text []string
	for i, err := range list {
		if i == 10 {
			text = append(text, fmt.Sprintf("and %d more", len(list)-i))
			break
		}
		text = append(text, err.Error())
	}
	return errors.New(strings.Join(text, "; "))
}

// checkResourceName holds a name to the rule of Radius.
func checkResourceName(r resource, target Target) error {
	for name := range strings.SplitSeq(r.name, "/") {
		switch {
		case r.name == "":
		case !isResourceName(name):
			return fmt.Errorf("%q is not a name for a resource of the type %s: "+
				"Radius takes letters, digits and -, at most 63, the first a letter and the last no -", name, r.kind)
		case target == Radius && strings.ToLower(name) != name:
			return fmt.Errorf("%q is not a name for a resource of the type %s: Radius 0.43 to 0.60 takes lower-case letters only",
				name, r.kind)
		}
	}
	return nil
}

// isResourceName reports whether Radius takes a name for a resource or a group:
// letters, digits and hyphens, the first a letter and the last no hyphen.
func isResourceName(s string) bool {
	if s == "" || len(s) > 63 || s[len(s)-1] == '-' || s[0]|0x20 < 'a' || s[0]|0x20 > 'z' {
		return false
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; !isAlnum(c) && c != '-' {
			return false
		}
	}
	return true
}

// checkNumbers refuses numbers that do not arrive, and warns of integers that may be
// changed on the way: the controllers of Radius
// 0.43 to 0.60 read them as floating-point numbers of 64 bits.
func (m *Manifest) checkNumbers(o *Options) error {
	var wrong []error
	seen := map[armjson.Number]bool{}
	var look func(v armjson.Value)
	look = func(v armjson.Value) {
		switch v := v.(type) {
		case armjson.Number:
			if seen[v] {
				return
			}
			seen[v] = true
			switch exact, large, ok := asFloat(string(v)); {
			case !ok:
				wrong = append(wrong, fmt.Errorf("the number %s is beyond what Radius 0.43 to 0.60 can carry", shorten(string(v))))
			case large && !exact:
				m.warn(CodeNumber, "the manifest holds the number %s as it is, "+
					"but Radius 0.43 to 0.60 carries integers exactly up to 9007199254740992 only; pass it as a string", shorten(string(v)))
			case large:
				m.warn(CodeNumber, "the number %s is beyond 9007199254740992, up to which Radius 0.43 to 0.60 carries every integer; "+
					"this one arrives as it is", shorten(string(v)))
			}
		case armjson.Array:
			for _, one := range v {
				look(one)
			}
		case *armjson.Object:
			for _, one := range v.All() {
				look(one)
			}
		}
	}
	look(o.Tree)
	for _, p := range o.Parameters {
		if !slices.Contains(o.Secure, p.Name) && p.Mark.Shown() {
			look(p.Value)
		}
	}
	return errors.Join(wrong...)
}

// asFloat says whether a float64 holds a number exactly, and whether the number is an
// integer beyond 2^53. It is not ok if no float64 comes near it.
func asFloat(text string) (exact, large, ok bool) {
	f, _, err := big.ParseFloat(text, 10, 2048, big.ToNearestEven)
	if err != nil || len(text) > 1000 {
		return false, false, false
	}
	near, accuracy := f.Float64()
	if math.IsInf(near, 0) || near == 0 && f.Sign() != 0 {
		return false, false, false
	}
	return accuracy == big.Exact, f.IsInt() && f.Abs(f).Cmp(big.NewFloat(1<<53)) > 0, true
}

func shorten(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}
