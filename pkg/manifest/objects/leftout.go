package objects

import (
	"slices"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
)

// SkipUnsupported is the key of the option that leaves out the resources that a target cannot write, and all that need them.
// What is a mistake in any case is one with it, too.
const SkipUnsupported = "skipUnsupported"

// Left is a resource that no objects are made of, where the user asks for that.
type Left struct {
	Resource  *expand.Resource
	What, Why string // as messages say it
	problem   Problem
}

// String says that the resource is left out, and why.
func (l Left) String() string { return l.What + " is left out: " + l.Why }

// Skips reports whether the user asks to leave out what cannot be written.
func (in *Input) Skips() bool { return in.Options[SkipUnsupported] == "true" }

// IsLeft reports whether no object is to be made of a resource.
func (in *Input) IsLeft(r *expand.Resource) bool { return in.isLeft[r] }

// LeaveOut notes the resources that problems are about, and all that need them, if the user asks for that. It reports whether
// there are more of them now.
func (in *Input) LeaveOut(problems []Problem) bool {
	before := len(in.left)
	if !in.Skips() {
		return false
	}
	leave := func(r *expand.Resource, p Problem) {
		if in.isLeft == nil {
			in.isLeft = map[*expand.Resource]bool{}
		}
		if !in.isLeft[r] {
			in.isLeft[r] = true
			in.left = append(in.left, Left{r, What(r), p.Message, p})
		}
	}
	for _, p := range problems {
		if p.Resource != nil {
			leave(p.Resource, p)
		}
	}
	if len(in.left) == before {
		return false
	}
	needed := in.needed()
	for i := before; i < len(in.left); i++ {
		of := in.left[i]
		for _, r := range needed[of.Resource] {
			leave(r, Problem{Code: of.problem.Code, Message: "it needs " + of.What + ", which is left out"})
		}
	}
	return true
}

// TellLeft says which resources are left out.
func (o *Output) TellLeft(in *Input) {
	for _, l := range in.left {
		if !l.Resource.Existing {
			p := o.Warn(l.Resource.Position, l.problem.Code, "%s", l)
			p.Option, p.Example = l.problem.Option, l.problem.Example
			o.LeftOut = append(o.LeftOut, l)
		}
	}
}

// needed returns which resources need one: they belong to it, depend on it, or have an ID or a value of it.
func (in *Input) needed() map[*expand.Resource][]*expand.Resource {
	ids, within := map[string]*expand.Resource{}, map[*expand.Module][]*expand.Resource{}
	for _, r := range in.Program.Resources {
		if id, ok := expand.Known(r.ID); ok && (!r.Existing || ids[strings.ToLower(id)] == nil) {
			ids[strings.ToLower(id)] = r
		}
		for m := r.Module; m != nil; m = m.Parent {
			within[m] = append(within[m], r)
		}
	}
	by := map[*expand.Resource][]*expand.Resource{}
	for _, r := range in.Program.Resources {
		for _, of := range needs(r, ids, within) {
			if !slices.Contains(by[of], r) {
				by[of] = append(by[of], r)
			}
		}
	}
	return by
}

// needs returns the resources that another one needs. An existing resource needs only what it belongs to.
func needs(r *expand.Resource, ids map[string]*expand.Resource, within map[*expand.Module][]*expand.Resource) (list []*expand.Resource) {
	depends := slices.Clip(r.Dependencies)
	named := r.ID == nil // by texts that may be anything, which outputs and parameters of modules carry
	for m := r.Module; m != nil && named; m = m.Parent {
		depends = append(depends, m.Dependencies...)
	}
	for _, d := range depends {
		switch {
		case r.Existing && d.Kind != expand.Parent && d.Kind != expand.Scoped:
		case d.Resource != nil:
			list = append(list, d.Resource)
		case named:
			list = append(list, within[d.Module]...)
		}
	}
	id, _ := expand.Known(r.ID)
	list = append(list, namedIn(id, ids)...)
	if r.Existing || r.Body == nil {
		return list
	}
	var walk func(v armjson.Value)
	walk = func(v armjson.Value) {
		switch v := v.(type) {
		case armjson.String:
			list = append(list, namedIn(string(v), ids)...)
		case armjson.Array:
			for _, x := range v {
				walk(x)
			}
		case *armjson.Object:
			for name, x := range v.All() { // identities are named by their IDs
				walk(armjson.String(name))
				walk(x)
			}
		}
	}
	walk(r.Body)
	return append(list, expand.References(r.Body)...)
}

// namedIn returns the resources whose IDs, or those of parts of them, are in a text.
func namedIn(text string, ids map[string]*expand.Resource) (list []*expand.Resource) {
	const most = 100 // words in an ID
	text = strings.ToLower(text)
	for i := range text {
		id := text[i:]
		if !strings.HasPrefix(id, "/subscriptions/") && !strings.HasPrefix(id, "/providers/") {
			continue
		}
		for end, words := 1, 0; end <= len(id) && words < most; end++ {
			if end < len(id) && !strings.ContainsRune("/ \t\n'\"`,;&?<>)]}|", rune(id[end])) {
				continue
			}
			words++
			if of := ids[id[:end]]; of != nil {
				list = append(list, of)
			}
		}
	}
	return list
}

// What is how messages call a resource.
func What(r *expand.Resource) string {
	if r.Symbol == "" {
		return "the resource of the type " + r.Type
	}
	return strconv.Quote(r.Symbol)
}
