package objects

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/manifest/schema"
)

// The codes of what is wrong with objects by the schemas of their kinds.
const (
	CodeSchema    = "object-schema"
	CodeUnchecked = "object-unchecked"
)

// OptionCRDs is the option that gives the definitions of more kinds.
const OptionCRDs = "crds"

// Check holds the objects to the schemas of their kinds. Kinds that are not known are told once, if that is asked for.
func (o *Output) Check(kinds *schema.Kinds, tell bool) {
	var unknown []string
	var first expand.Position
	refused := len(o.Problems) > 0
	for _, one := range o.Objects {
		of := o.Of[one]
		if path, found := unknownName(one.Marked()); found {
			at, _ := of.place(path)
			o.Refuse(at, CodeUnknown, "a name in %q of %s is secret, or not known before the deployment; use one that is known",
				PathText(path), of.Called)
			o.Problems[len(o.Problems)-1].Resource = of.Of
			continue
		}
		group, version, ok := strings.Cut(one.APIVersion, "/")
		if !ok {
			group, version = "", group
		}
		kind := kinds.Find(group, version, one.Kind)
		if name := one.Kind + " (" + one.APIVersion + ")"; kind == nil {
			if len(unknown) == 0 {
				first = of.Resource.Position
			}
			if !slices.Contains(unknown, name) {
				unknown = append(unknown, name)
			}
			continue
		}
		if refused && of.Place != nil {
			continue // what is refused may be missing in it
		}
		for _, p := range kind.Check(one) {
			o.judge(&of, p)
		}
	}
	if tell && len(unknown) > 0 {
		p := o.Warn(first, CodeUnchecked, "there is no definition here of %s, so the fields of such objects are not checked",
			strings.Join(unknown, ", "))
		p.Option = OptionCRDs
	}
	o.Sort()
}

// judge notes what a schema does not take: what comes of the program at its place there, and the rest as a fault.
func (o *Output) judge(of *Origin, p schema.Problem) {
	text := of.Called + " " + p.Text
	if len(p.Path) > 0 {
		text = fmt.Sprintf("%q of %s", PathText(p.Path), text)
	}
	switch at, said := of.place(p.Path); {
	case p.Doubtful:
		o.Warn(at, CodeSchema, "%s", text)
	case said && (of.Place == nil || !p.Unknown):
		o.Refuse(at, CodeSchema, "%s", text)
	case o.Fault == "":
		o.Fault = "an object does not fit the definition of its kind, which may be of a release that is not known here: " + text
	}
}

// unknownName returns where a member's name is not known. It would be written as an expression.
func unknownName(v armjson.Value, path ...string) (at []string, found bool) {
	if expand.HasUnknownName(v) {
		return path, true
	}
	switch v := v.(type) {
	case *manifest.Hidden: // what leads to a part of it is not shown, either
		_, found = unknownName(v.Value)
		return path, found
	case *armjson.Object:
		for name, x := range v.All() {
			if at, found = unknownName(x, append(slices.Clip(path), name)...); found {
				return at, true
			}
		}
	case armjson.Array:
		for i, x := range v {
			if at, found = unknownName(x, append(slices.Clip(path), strconv.Itoa(i))...); found {
				return at, true
			}
		}
	}
	return nil, false
}

// PathText returns how messages call a part of an object: spec.containers[0].image.
func PathText(path []string) string {
	var b strings.Builder
	for i, name := range path {
		switch _, err := strconv.Atoi(name); {
		case err == nil:
			b.WriteString("[" + name + "]")
		case i > 0:
			b.WriteString("." + name)
		default:
			b.WriteString(name)
		}
	}
	return b.String()
}
