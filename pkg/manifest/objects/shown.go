package objects

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/manifest"
)

// Values of secure parameters are neither written nor shown. Values of the environment are written
// and not shown. So a target makes objects of Input.Program, and messages of Input.Shown, where
// expressions stand for the values of the environment too.

// Shown is what may be shown of a value of the program.
type Shown struct{ value armjson.Value }

// Show makes a Shown of a value of Input.Shown.
func Show(v armjson.Value) Shown { return Shown{v} }

// Value returns what may be shown; nil is nothing.
func (s Shown) Value() armjson.Value { return s.value }

// In returns what may be shown of a member or an element.
func (s Shown) In(name string) Shown {
	switch v := s.value.(type) {
	case *armjson.Object:
		inner, _ := v.Get(name)
		return Shown{inner}
	case armjson.Array:
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(v) {
			return Shown{v[i]}
		}
	}
	return Shown{}
}

// Has reports whether the name of a member may be shown.
func (s Shown) Has(name string) bool {
	o, ok := s.value.(*armjson.Object)
	return ok && o.Find(name) >= 0
}

// Text returns how messages show the value: as it is, or as an expression.
func (s Shown) Text() string {
	if s.value == nil {
		return "…"
	}
	return expand.Text(s.value)
}

// Brief is Text, of which the end is left out if it is long.
func (s Shown) Brief() string {
	text := s.Text()
	if len(text) > 200 {
		text = strings.ToValidUTF8(text[:200], "") + "…"
	}
	return text
}

// Hides reports whether v, the same value of the program, must not be shown. For an array and
// an object it says so of the whole, and of the names of members; each part says so for itself.
func (s Shown) Hides(v armjson.Value) bool {
	switch v := v.(type) {
	case nil:
		return false
	case armjson.Array:
		_, ok := s.value.(armjson.Array)
		return !ok
	case *armjson.Object:
		for name := range v.All() {
			if !s.Has(name) {
				return true
			}
		}
		_, ok := s.value.(*armjson.Object)
		return !ok
	}
	if isMark(v) || isMark(s.value) {
		return !isMark(v) || !isMark(s.value) || expand.Text(v) != expand.Text(s.value)
	}
	return s.value == nil || !armjson.Equal(v, s.value)
}

// Mark returns a value in which what must not be shown is Hidden.
func (s Shown) Mark(v armjson.Value) armjson.Value {
	if armjson.Equal(v, s.value) {
		return v
	}
	if s.Hides(v) {
		return &manifest.Hidden{Value: v}
	}
	switch v := v.(type) {
	case armjson.Array:
		out := make(armjson.Array, len(v))
		for i, x := range v {
			out[i] = s.In(strconv.Itoa(i)).Mark(x)
		}
		return out
	case *armjson.Object:
		out := armjson.NewObject()
		for name, x := range v.All() {
			out.Set(name, s.In(name).Mark(x))
		}
		return out
	}
	return v
}

func isMark(v armjson.Value) bool {
	_, ok := v.(expand.Unknown)
	return ok
}

// Shower returns a function that finds the counterpart in Shown of a resource of the program. A
// value that it does not find is returned empty: nothing of it is shown.
func (in *Input) Shower() func(*expand.Resource) *expand.Resource {
	if in.Shown == nil || in.Shown == in.Program {
		return func(r *expand.Resource) *expand.Resource { return r }
	}
	type place struct{ module, symbol, kind string }
	placeOf := func(r *expand.Resource) place { return place{r.Module.Path(), r.Symbol, r.Type} }
	at := map[place]*expand.Resource{}
	for _, s := range in.Shown.Resources {
		if p := placeOf(s); at[p] == nil {
			at[p] = s
		} else {
			at[p] = &expand.Resource{} // another one has that place, too
		}
	}
	return func(r *expand.Resource) *expand.Resource {
		if s := at[placeOf(r)]; s != nil {
			return s
		}
		return &expand.Resource{}
	}
}

// Aliases are what messages and the names of files call objects whose names are not shown.
// The keys are taken.
type Aliases map[string]bool

// Of returns an alias after the place of a resource in the program. more leads to a part of it.
func (a Aliases) Of(in *Input, r *expand.Resource, more string) string {
	text := r.Symbol
	for i := 0; text == "" && i < len(in.Program.Resources); i++ {
		if in.Program.Resources[i] == r {
			text = fmt.Sprintf("resource-%d", i)
		}
	}
	text = strings.NewReplacer("::", "/", "[", "/").Replace(r.Module.Path() + "/" + text + more)
	n := SafeName(text, text, false)
	if a[n] {
		n = SafeName(text, text, true)
	}
	a[n] = true
	return n
}
