package types

import (
	"fmt"
	"slices"

	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Access is how a property is read.
type Access struct {
	At     source.Span // of the property's name
	Safe   bool        // with .? or [?
	Warn   bool        // what is wrong is only warned about
	Report diag.Sink
}

func (a *Access) level() diag.Severity {
	if a.Warn {
		return diag.Warning
	}
	return diag.Error
}

// PropertyOf returns the type of a property that is read from a value of type
// t: an object, a choice of objects, or a union.
func PropertyOf(t Type, name string, a Access) Type {
	switch t := t.(type) {
	case *Object:
		return objectProperty(t, t, name, a)
	case *Namespace:
		return objectProperty(t, t.Object, name, a)
	case *DiscriminatedObject:
		return choiceProperty(t, name, a)
	case *Union:
		switch c := CollapseOf(t.Members...).(type) {
		case *Object, *DiscriminatedObject:
			return PropertyOf(c, name, a)
		case *Error:
			return c
		case nil:
			if bodies := moduleBodies(t); bodies != nil {
				return PropertyOf(bodies, name, a)
			}
		}
	}
	return TAny
}

// moduleBodies returns the union of the bodies of a union of modules.
func moduleBodies(u *Union) *Union {
	if len(u.Members) < 2 {
		return nil
	}
	bodies := make([]Ref, len(u.Members))
	for i, m := range u.Members {
		mod, ok := m.Type().(*Module)
		if !ok {
			return nil
		}
		bodies[i] = mod.Body.Type()
	}
	return &Union{Members: bodies}
}

func objectProperty(base Type, o *Object, name string, a Access) Type {
	p := o.Property(name)
	if p == nil {
		p = o.Additional
	}
	if p == nil {
		return unknownProperty(base, o.Properties(), name, a)
	}
	if err := checkAccess(base, p.Flags, name, a); err != nil {
		return err
	}
	return p.Type.Type()
}

func choiceProperty(t *DiscriminatedObject, name string, a Access) Type {
	if name == t.Discriminator.Name {
		return t.Discriminator.Type.Type()
	}
	var flags PropertyFlags
	var list []Ref
	declared := false
	for _, m := range t.Members {
		p := m.Object.Property(name)
		if p == nil {
			p = m.Object.Additional
		}
		if p == nil {
			list = append(list, TNull)
			flags |= FallbackProperty
			continue
		}
		declared = true
		list = append(list, p.Type.Type())
		flags |= p.Flags
	}
	if !declared {
		var all []Property
		for _, m := range t.Members {
			all = append(all, m.Object.Properties()...)
		}
		return unknownProperty(t, all, name, a)
	}
	if err := checkAccess(t, flags, name, a); err != nil {
		return err
	}
	return CollapseOrUnion(list...)
}

// checkAccess reports reading what can only be set, and what is not declared.
func checkAccess(base Type, flags PropertyFlags, name string, a Access) Type {
	if flags.Has(WriteOnly) {
		a.Report(diag.BCP077.At(a.At, name, base.String()).As(a.level()))
		if !a.Warn {
			return NewError()
		}
	}
	if flags.Has(FallbackProperty) {
		d := diag.BCP187.At(a.At, name, nearProperty(base, name))
		if a.Safe {
			d = d.As(diag.Info)
		}
		a.Report(d)
	}
	return nil
}

// nearProperty asks whether a property was meant that the type declares. It is found when it is shown.
func nearProperty(base Type, name string) fmt.Stringer { return nearest{base, name} }

type nearest struct {
	base Type
	name string
}

func (n nearest) String() string {
	o, ok := n.base.(*Object)
	if !ok || o.Property(n.name) != nil {
		return ""
	}
	declared := slices.DeleteFunc(slices.Clone(o.Properties()), func(p Property) bool { return p.Flags.Has(FallbackProperty) })
	if s := Guess(n.name, readableNames(declared)); s.Name != "" {
		return fmt.Sprintf(" Did you mean %q?", s.Name)
	}
	return ""
}

func unknownProperty(base Type, properties []Property, name string, a Access) Type {
	a.Report(unknownPropertyDiagnostic(base, properties, name, a))
	if a.Warn {
		return TAny
	}
	return NewError()
}

// UnknownProperty returns the diagnostic for a property that an object does not have.
func UnknownProperty(o *Object, name string, a Access) diag.Diagnostic {
	return unknownPropertyDiagnostic(o, o.Properties(), name, a)
}

func unknownPropertyDiagnostic(base Type, properties []Property, name string, a Access) diag.Diagnostic {
	var names *nameList
	if o, ok := base.(*Object); ok && o.rareParts().readable != nil {
		names = o.rare.readable()
	} else {
		names = newNameList(readableNames(properties))
	}
	var d diag.Diagnostic
	clause := ""
	if base.Flags().Has(KnownByHeart) {
		clause = " If a newer release has it, configure the extension's archive in bicepconfig.json, or read it through any()."
	}
	switch {
	case len(names.sorted) == 0:
		d = diag.BCP052.At(a.At, base.String(), name, clause)
	default:
		if s := names.suggest(name); s.Name != "" {
			d = diag.BCP083.At(a.At, base.String(), name, s)
		} else {
			d = diag.BCP053.At(a.At, base.String(), name, QuoteList(names.sorted), clause)
		}
	}
	return d.As(a.level())
}

// readableNames returns the names of properties that can be read, each once.
func readableNames(properties []Property) []string {
	var names []string
	seen := map[string]bool{}
	for i := range properties {
		if p := &properties[i]; !p.Flags.Has(WriteOnly) && !seen[p.Name] {
			seen[p.Name] = true
			names = append(names, p.Name)
		}
	}
	return names
}

// QuoteList writes names in quotes for a message.
func QuoteList(names []string) string {
	return diag.QuotedNames(names)
}
