package aso

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/source"
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

// annotate gives all items their annotations. An error is about the options.
func (c *converter) annotate() error {
	for _, it := range c.items {
		it.annotations = maps.Clone(c.in.Annotations)
	}
	for _, one := range []struct{ option, flag, annotation string }{
		{ReconcilePolicy, "reconcile-policy", policyAnnotation}, {CredentialFrom, "credential-from", credentialAnnotation},
	} {
		given, isGiven := c.in.Annotations[one.annotation]
		if isGiven {
			if err := checkAnnotation(one.annotation, given); err != nil {
				return err
			}
		}
		values := map[*item]string{}
		for _, r := range rules(&c.in, one.option) {
			if err := checkAnnotation(one.annotation, r.value); err != nil {
				return err
			}
			fits := false
			for _, it := range c.items {
				if r.fits(it) {
					fits, values[it] = true, r.value
				}
			}
			if !fits && r.pattern != "" && len(c.out.Problems) == 0 { // a resource that is refused is no item
				return fmt.Errorf("--%s %s=%s: the pattern fits no resource that becomes an object%s",
					one.flag, r.pattern, r.value, c.near(r.pattern))
			}
		}
		for _, it := range c.items {
			value := values[it]
			if value == "" || value == Policies[0] && one.annotation == policyAnnotation && !isGiven {
				continue
			}
			if isGiven && given != value {
				return fmt.Errorf("the annotation %s is %q, and --%s is %q; give one of them", one.annotation, given, one.flag, value)
			}
			if it.annotations == nil {
				it.annotations = map[string]string{}
			}
			it.annotations[one.annotation] = value
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

// fits reports whether a pattern fits an item: one with a dot and a slash its type, in any letter case, and
// another one the symbols that lead to it. A * stands for any text.
func (r rule) fits(it *item) bool {
	switch {
	case r.pattern == "":
		return true
	case isType(r.pattern):
		return source.Match(strings.ToLower(r.pattern), strings.ToLower(it.armType), 0)
	}
	return source.Match(r.pattern, it.symbols(), 0)
}

func isType(pattern string) bool {
	return strings.Contains(pattern, ".") && strings.Contains(pattern, "/")
}

var index = regexp.MustCompile(`\[\d+\]`)

// symbols returns the symbols of the modules and of the resource that lead to an item, as plan shows them, but
// without the indexes of loops.
func (it *item) symbols() string {
	path := it.resource.Symbol
	if module := it.resource.Module.Path(); module != "" {
		path = module + "/" + path
	}
	return index.ReplaceAllString(path, "")
}

// near returns what a pattern that fits nothing may have been meant for.
func (c *converter) near(pattern string) string {
	var known []string
	for _, it := range c.items {
		if isType(pattern) {
			known = append(known, it.armType)
		} else {
			known = append(known, it.symbols())
		}
	}
	if s := spell.Near(pattern, known); s != "" {
		return fmt.Sprintf("; did you mean %q?", s)
	}
	return ""
}
