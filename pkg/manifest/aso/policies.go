package aso

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/manifest/objects"
	"github.com/radbicep/rad/pkg/spell"
)

// The annotations of the operator.
const (
	policyAnnotation     = "serviceoperator.azure.com/reconcile-policy"
	credentialAnnotation = "serviceoperator.azure.com/credential-from"
)

// rule gives an annotation to the objects that its pattern fits; to all of them if it has none.
type rule struct{ pattern, value string }

// rules reads the value of an option: a list of VALUE and PATTERN=VALUE.
func rules(in *objects.Input, option string) []rule {
	var list []rule
	for text := range strings.SplitSeq(in.Options[option], ",") {
		i := strings.LastIndexByte(text, '=')
		if text = strings.TrimSpace(text); text != "" {
			list = append(list, rule{text[:max(i, 0)], text[i+1:]})
		}
	}
	return list
}

// decide returns what the rules of an option say of each subject: the value of the last rule that fits. An error is about
// the options.
func decide[T comparable](c *converter, option, what string, rules []rule, subjects []T, of func(T) subject) (map[T]string, error) {
	values := map[T]string{}
	for _, r := range rules {
		fits := false
		for _, one := range subjects {
			if r.fits(of(one)) {
				fits, values[one] = true, r.value
			}
		}
		if fits || r.pattern == "" || len(c.out.Problems) > 0 { // what is refused may be what it is for
			continue
		}
		var known []string
		for _, one := range subjects {
			if s := of(one); isType(r.pattern) {
				known = append(known, s.armType)
			} else {
				known = append(known, s.symbols)
			}
		}
		near := ""
		if s := spell.Near(r.pattern, known); s != "" {
			near = fmt.Sprintf("; did you mean %q?", s)
		}
		return nil, fmt.Errorf("--%s %s=%s: the pattern fits no %s%s", option, r.pattern, r.value, what, near)
	}
	return values, nil
}

// annotate gives all items their annotations. An error is about the options.
func (c *converter) annotate() error {
	made := slices.DeleteFunc(slices.Clone(c.items), func(it *item) bool { return it.resource.Existing })
	for _, it := range c.items {
		if it.annotations = maps.Clone(c.in.Annotations); it.annotations == nil {
			it.annotations = map[string]string{}
		}
	}
	for _, one := range []struct {
		option, flag, annotation string
		items                    []*item
	}{
		{ReconcilePolicy, "reconcile-policy", policyAnnotation, made},
		{CredentialFrom, "credential-from", credentialAnnotation, c.items},
	} {
		given, isGiven := c.in.Annotations[one.annotation]
		list := rules(&c.in, one.option)
		for _, r := range append(list[:len(list):len(list)], rule{value: given}) {
			if err := checkAnnotation(one.annotation, r.value); err != nil && (isGiven || r.value != "") {
				return err
			}
		}
		values, err := decide(c, one.flag, "resource that becomes an object", list, one.items,
			func(it *item) subject { return subjectOf(it.resource, it.armType) })
		if err != nil {
			return err
		}
		for _, it := range c.items {
			value, flag := values[it], one.flag
			if it.resource.Existing && one.annotation == policyAnnotation {
				value, flag = Policies[1], "existing"
			}
			switch {
			case value == "" || value == Policies[0] && one.annotation == policyAnnotation && !isGiven:
			case isGiven && given != value:
				return fmt.Errorf("the annotation %s is %q, and --%s is %q; give one of them", one.annotation, given, flag, value)
			default:
				it.annotations[one.annotation] = value
			}
		}
	}
	return nil
}

// checkAnnotation refuses what an annotation of the operator cannot be.
func checkAnnotation(annotation, value string) error {
	switch {
	case annotation == policyAnnotation && !slices.Contains(Policies, value):
		return fmt.Errorf("the annotation %s is %q, which the operator takes for manage; want manage, skip or detach-on-delete",
			annotation, value)
	case annotation == credentialAnnotation && !manifest.IsSubdomain(value):
		return fmt.Errorf("the credential %q: want the name of a secret: lower-case letters, digits, dots and -", value)
	}
	return nil
}

// subject is what patterns know of a resource: its type, and the symbols of the modules and of the resource that lead to
// it, as plan shows them, but without the indexes of loops.
type subject struct{ armType, symbols string }

func subjectOf(r *expand.Resource, armType string) subject {
	path := r.Symbol
	if module := r.Module.Path(); module != "" {
		path = module + "/" + path
	}
	return subject{armType, index.ReplaceAllString(path, "")}
}

var index = regexp.MustCompile(`\[\d+\]`)

// fits reports whether a pattern fits a subject: one with a dot and a slash its type, in any letter case, and another
// one its symbols. A * stands for any text.
func (r rule) fits(s subject) bool {
	if r.pattern == "" {
		return true
	}
	pattern := "^" + strings.ReplaceAll(regexp.QuoteMeta(r.pattern), `\*`, ".*") + "$"
	if isType(r.pattern) {
		return regexp.MustCompile("(?i)" + pattern).MatchString(s.armType)
	}
	return regexp.MustCompile(pattern).MatchString(s.symbols)
}

func isType(pattern string) bool {
	return strings.Contains(pattern, ".") && strings.Contains(pattern, "/")
}

// addExisting adds the existing resources that are to have objects of their own. One that the program makes, too, has the
// object of that one. An error is about the options.
func (c *converter) addExisting() error {
	var list []*expand.Resource
	for _, r := range c.in.Program.Resources {
		name, known := expand.Known(r.Name)
		made := c.byPlace[placeKey(r.Scope, r.Type, name)]
		switch {
		case !r.Existing || r.Extension != nil || c.in.IsLeft(r):
		case known && made != nil && expand.IsKnown(r.Scope):
			c.byResource[r] = made
		case c.table.has(r.Type): // the operator does not know others, so IDs stand for them
			list = append(list, r)
		}
	}
	values, err := decide(c, "existing", "existing resource of a type that the operator has", rules(&c.in, Existing), list,
		func(r *expand.Resource) subject { return subjectOf(r, r.Type) })
	if err != nil {
		return err
	}
	for _, r := range list {
		if values[r] == ExistingForms[1] {
			c.add(r)
		}
	}
	return nil
}

// complete gives the body of an existing resource, of which Bicep says no more than the name, what the operator requires:
// the location, if that is known. Where it requires more, the resource is refused.
func (c *converter) complete(it *item) {
	it.body = armjson.NewObject()
	var lacks []string
	refused := len(c.out.Problems)
	for _, f := range c.table.object(it.kind.spec).fields {
		switch location := c.in.Options[objects.OptionLocation]; {
		case !f.required:
		case f.inBody != "location":
			lacks = append(lacks, strconv.Quote(f.inBody))
		case location == "":
			c.out.RefuseMissing(it.at(), "the location of "+it.what(), objects.OptionLocation)
		default:
			it.body.Set("location", armjson.String(location))
		}
	}
	if len(lacks) > 0 {
		c.out.Refuse(it.at(), CodeProperty, "%s is `existing`, and %s requires %s, which it does not say",
			it.what(), walker{it: it}.version(), strings.Join(lacks, " and "))
		p := &c.out.Problems[len(c.out.Problems)-1]
		p.Option, p.Example = Existing, subjectOf(it.resource, it.armType).symbols+"="+ExistingForms[0]
	}
	if len(c.out.Problems) > refused {
		it.body = nil
	}
}
