package typelib

import (
	"cmp"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/memo"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// shapes is a table of types that are known without an archive. Nothing of it is
// read before it is asked for, and then a line at a time. A line names a type:
//
//	line  = name ": " type | name ": " field { ", " field }
//	field = property { mark } " " type   a property of an object
//	      | "^"                          what is within properties is readable beside them (Radius)
//	      | property { mark } " " key "=" name { "|" key "=" name }
//	                                     the property that decides which other line is added to this one
//	      | "+" name                     the fields of another line, before those that replace them
//	      | "..." type                   the type of all properties that are not named
//	      | function "(" [name] ") " type   whose parameters are the fields of another line
//	mark  = "!" | "<" | "=" | "#"        required; read-only; a deploy-time constant; part of the identity
//	type  = "s" | "x" | "i" | "b"        string; secret string; int; bool
//	      | "*" | "?"                    any; the type is not described here
//	      | "[" type "]"                 an array
//	      | [ name ] "{" type "}"        an object of properties that are not named
//	      | literal { "|" literal }      strings in single quotes
//	      | name                         another line
//
// The text after a dot in the name of a line tells it from other lines of the same name.
type shapes struct {
	text string // its first line is not looked at: a comment, or an API version
	// record is the name of the objects without named properties that have none of their own.
	record string
	flags  types.ValidationFlags // of the objects
	lax    types.ValidationFlags // of the other types
	made   memo.Map[string, types.Type]
}

// shape leads to a type of a table, made when it is first looked at.
type shape struct {
	table *shapes
	name  string
}

func (s *shape) Type() types.Type { return s.table.typeOfLine(s.name) }

// line returns what a line says.
func (t *shapes) line(name string) (string, bool) {
	_, line, ok := strings.Cut(t.text, "\n"+name+": ")
	line, _, _ = strings.Cut(line, "\n")
	return line, ok
}

// typeOfLine returns the type of a line.
func (t *shapes) typeOfLine(name string) types.Type {
	return t.made.Get(name, func() types.Type { return t.read(name) })
}

func (t *shapes) read(name string) types.Type {
	line, ok := t.line(name)
	if !ok {
		return types.TAny
	}
	if line[0] == '\'' {
		return t.typ(line).Type()
	}
	shown, _, _ := strings.Cut(name, ".")
	b := t.body(line)
	if len(b.members) == 0 {
		return types.NewObject(shown, t.flags, b.properties, b.rest)
	}
	members := make([]types.Ref, len(b.members))
	for i, m := range b.members {
		line, _ := t.line(m.line)
		own := t.body(line)
		ps := append(own.properties, b.properties...)
		ps = append(ps, types.Property{Name: b.discriminator, Type: types.Str(m.key), Flags: types.Required})
		members[i] = types.NewObject(m.key, t.flags, ps, own.rest)
	}
	return types.NewDiscriminatedObject(shown, t.flags, b.discriminator, members)
}

// shapeBody is what the fields of a line say.
type shapeBody struct {
	properties    []types.Property
	rest          *types.Property
	methods       []*types.FunctionOverload
	discriminator string
	members       []shapeMember
	beside        bool // what is within properties is readable beside them
}

type shapeMember struct{ key, line string }

func (t *shapes) body(line string) (b shapeBody) {
	b.properties = make([]types.Property, 0, strings.Count(line, ", ")+1)
	for field := range strings.SplitSeq(line, ", ") {
		if of, ok := strings.CutPrefix(field, "..."); ok {
			b.rest = &types.Property{Type: t.typ(of)}
			continue
		}
		if name, ok := strings.CutPrefix(field, "+"); ok {
			line, _ := t.line(name)
			b.properties = append(b.properties, t.body(line).properties...)
			continue
		}
		name, of, _ := strings.Cut(field, " ")
		switch {
		case name == "^":
			b.beside = true
		case name[len(name)-1] == ')':
			b.methods = append(b.methods, t.method(name, of))
		case of[0] != '\'' && strings.Contains(of, "="):
			b.discriminator = strings.TrimSuffix(name, "!")
			for m := range strings.SplitSeq(of, "|") {
				key, line, _ := strings.Cut(m, "=")
				b.members = append(b.members, shapeMember{key, line})
			}
		default:
			b.properties = append(b.properties, t.property(name, of))
		}
	}
	return b
}

func (t *shapes) property(name, of string) types.Property {
	p := types.Property{Type: t.typ(of)}
	end := len(name)
	for ; ; end-- {
		switch name[end-1] {
		case '!':
			p.Flags |= types.Required
			continue
		case '<':
			p.Flags |= types.ReadOnly
			continue
		case '=':
			p.Flags |= types.DeployTimeConstant
			continue
		case '#':
			p.Flags |= types.ResourceIdentifier | types.LoopVariant
			continue
		}
		break
	}
	p.Name = name[:end]
	if p.Flags&(types.Required|types.ReadOnly) == 0 && p.Type != types.Ref(types.TUnknown) {
		p.Flags |= types.AllowImplicitNull
	}
	return p
}

func (t *shapes) method(name, result string) *types.FunctionOverload {
	name, params, _ := strings.Cut(strings.TrimSuffix(name, ")"), "(")
	o := &types.FunctionOverload{Name: name, Return: t.typ(result).Type(), Flags: types.RequiresInlining}
	if line, ok := t.line(params); ok {
		for _, p := range t.body(line).properties {
			o.Params = append(o.Params, types.Param{Name: p.Name, Type: p.Type.Type(), Flags: types.ParamRequired})
		}
	}
	return o
}

func (t *shapes) typ(s string) types.Ref {
	if s[0] == '[' {
		return types.NewTypedArray(t.typ(s[1:len(s)-1]), nil, nil, t.lax)
	}
	if s[0] == '\'' {
		var members []types.Ref
		for m := range strings.SplitSeq(s, "|") {
			members = append(members, types.NewStringLiteral(strings.Trim(m, "'"), t.lax))
		}
		return types.NewUnion(members...)
	}
	if name, of, ok := strings.Cut(strings.TrimSuffix(s, "}"), "{"); ok {
		name = cmp.Or(name, t.record)
		return types.NewObject(name, t.flags, nil, &types.Property{Type: t.typ(of)})
	}
	switch s {
	case "s":
		return types.NewString(nil, nil, "", t.lax)
	case "x":
		return types.NewString(nil, nil, "", t.lax|types.IsSecure)
	case "i":
		return types.NewInt(nil, nil, t.lax)
	case "b":
		return types.NewBool(t.lax)
	case "*":
		return types.TAny
	case "?":
		return types.TUnknown
	}
	return &shape{t, s}
}
