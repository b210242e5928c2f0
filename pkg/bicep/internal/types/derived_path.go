package types

import (
	"strconv"
	"strings"
)

// PathStep is one step of the path from a resource type's body to the part that a
// derived type stands for.
type PathStep struct {
	// Kind is what the step leads through, in lower case: properties,
	// additionalproperties, discriminator, prefixitems, items, or a word that is unknown.
	Kind string
	// Written is the same word as it is written.
	Written string
	// Name is the property, the index of the item, or the value of the discriminator.
	Name string
}

// Steps returns the path as steps.
func (d *ResourceDerived) Steps() []PathStep {
	var steps []PathStep
	rest := d.Pointer
	next := func() string {
		if len(rest) == 0 {
			return ""
		}
		s := rest[0]
		rest = rest[1:]
		return s
	}
	for len(rest) > 0 {
		word := next()
		s := PathStep{Kind: strings.ToLower(word), Written: word}
		switch s.Kind {
		case "properties", "prefixitems":
			s.Name = next()
		case "discriminator":
			if strings.EqualFold(next(), "mapping") {
				s.Name = next()
			}
		}
		steps = append(steps, s)
	}
	return steps
}

// Part returns the part of t that a step leads to, or nil if t has no such part.
func (s *PathStep) Part(t Type) Type {
	switch s.Kind {
	case "properties":
		if o, ok := AsObject(t); ok {
			if p := o.PropertyFold(s.Name); p != nil {
				return p.Type.Type()
			}
		}
	case "additionalproperties":
		if o, ok := AsObject(t); ok && o.Additional != nil {
			return o.Additional.Type.Type()
		}
	case "discriminator":
		if o, ok := t.(*DiscriminatedObject); ok {
			if m := o.Member(s.Name); m != nil {
				return m
			}
		}
	case "prefixitems":
		if tuple, ok := t.(*Tuple); ok {
			if n, err := strconv.Atoi(s.Name); err == nil && n >= 0 && n < len(tuple.Items) {
				return tuple.Items[n].Type()
			}
		}
	case "items":
		if a, ok := AsArray(t); ok {
			return a.ItemRef().Type()
		}
	}
	return nil
}
