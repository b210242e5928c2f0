package snapshot

import (
	"fmt"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/secret"
)

// Hider hides what must not be shown in changes.
type Hider struct {
	whole map[string]bool // texts that are hidden
	parts []string        // texts that hide what holds them
	// spots are where something is hidden now, by type of resource. The values that stood there
	// before are hidden as well.
	spots map[string]*spot
	// names are the segments of hidden IDs that are hidden: those of the resource's name.
	names map[string][]string
}

// spot is a place in the resources of a type. Elements of an array share one.
type spot struct {
	value   bool // a text or a number is hidden here
	keys    bool // names of members are
	members map[string]*spot
	items   *spot
}

// NewHider returns what hides the secret values in changes to a snapshot. marked is the
// same snapshot with expressions in place of what is computed from secrets: what only the
// first one holds is secret. values are the secrets themselves.
func NewHider(now, marked *Snapshot, values []string) *Hider {
	h := &Hider{whole: map[string]bool{}, spots: map[string]*spot{}, names: map[string][]string{}}
	public := map[string]bool{}
	for _, r := range marked.Resources {
		leaves(r, func(s string) { public[s] = true })
	}
	for _, r := range now.Resources {
		leaves(r, func(s string) {
			if !public[s] {
				h.whole[s] = true
			}
		})
	}
	const shortest = 3 // what is shorter is part of anything
	for _, v := range values {
		if len(v) >= shortest {
			h.parts = append(h.parts, v)
		}
	}
	for _, r := range now.Resources {
		kind := r.Str("type")
		if h.spots[kind] == nil {
			h.spots[kind] = &spot{}
		}
		h.note(h.spots[kind], r)
		id := idOf(r)
		for _, name := range namesOf(r) {
			if h.hides(name) {
				h.names[id] = append(h.names[id], segments(name)...)
			}
		}
	}
	return h
}

// member returns the spot of a member, if there is one.
func (s *spot) member(name string) *spot {
	if s == nil {
		return nil
	}
	return s.members[name]
}

// item returns the spot of the elements, if there is one.
func (s *spot) item() *spot {
	if s == nil {
		return nil
	}
	return s.items
}

// note notes where something is hidden.
func (h *Hider) note(s *spot, v armjson.Value) {
	switch v := v.(type) {
	case armjson.String:
		s.value = s.value || h.hides(string(v))
	case armjson.Number:
		s.value = s.value || h.hides(string(v))
	case armjson.Array:
		if s.items == nil {
			s.items = &spot{}
		}
		for _, x := range v {
			h.note(s.items, x)
		}
	case *armjson.Object:
		if s.members == nil {
			s.members = map[string]*spot{}
		}
		for k, x := range v.All() {
			s.keys = s.keys || h.hides(k)
			if s.members[k] == nil {
				s.members[k] = &spot{}
			}
			h.note(s.members[k], x)
		}
	}
}

// leaves calls yield with each text, number and name in a value.
func leaves(v armjson.Value, yield func(string)) {
	switch v := v.(type) {
	case armjson.String:
		yield(string(v))
	case armjson.Number:
		yield(string(v))
	case armjson.Array:
		for _, x := range v {
			leaves(x, yield)
		}
	case *armjson.Object:
		for k, x := range v.All() {
			yield(k)
			leaves(x, yield)
		}
	}
}

// Hide returns changes that can be shown.
func (h *Hider) Hide(changes []Change) []Change {
	out := make([]Change, len(changes))
	for i, c := range changes {
		hidden := h.names[c.ID]
		if c.Body != nil {
			was := h.spots[c.kind]
			if c.Kind != Delete {
				was = nil
			}
			shown := h.rewrite(c.Body, was).(*armjson.Object)
			names := namesOf(shown)
			for i, name := range namesOf(c.Body) {
				if names[i] != name {
					hidden = append(slices.Clip(hidden), segments(name)...)
				}
			}
			c.Body = shown
		}
		var id strings.Builder
		for _, s := range segments(c.ID) {
			if s != "" && !strings.ContainsAny(s, separators) && (h.whole[s] || slices.Contains(hidden, s)) {
				s = secret.Text
			}
			id.WriteString(s)
		}
		c.ID = h.within(id.String(), "/")
		c.Delta = h.deltas(c.Delta, h.spots[c.kind])
		out[i] = c
	}
	return out
}

// separators stand between the names in an ID, which may be an expression.
const separators = "/'"

// segments splits an ID or a name at its separators, which are segments, too.
func segments(s string) []string {
	var list []string
	for {
		i := strings.IndexAny(s, separators)
		switch {
		case i > 0:
			list = append(list, s[:i])
			fallthrough
		case i == 0:
			list = append(list, s[i:i+1])
			s = s[i+1:]
		default:
			return append(list, s)
		}
	}
}

// namesOf returns what IDs are made of: the names of a resource, "" for those that it lacks.
func namesOf(r *armjson.Object) []string {
	properties := r.Object("properties")
	metadata := properties.Object("metadata")
	return []string{r.Str("name"), properties.Str("name"), metadata.Str("name"), metadata.Str("namespace")}
}

// deltas returns changes of properties, or of elements, at a spot.
func (h *Hider) deltas(list []delta, at *spot) []delta {
	out := make([]delta, len(list))
	known := map[*place]placed{nil: {spot: at}}
	for i, d := range list {
		here := placed{spot: at.item()}
		if d.at != nil {
			here = h.placed(d.at, known)
			d.at = here.shown
		}
		if d.after != nil {
			after := h.rewrite(d.after, nil)
			if d.before != nil && !armjson.Equal(after, d.after) && !isObject(d.after) {
				d.before = armjson.String(secret.Text) // what a secret was may be one, too
			}
			d.after = after
		}
		if d.before != nil {
			d.before = h.rewrite(d.before, here.spot)
		}
		d.children = h.deltas(d.children, here.spot)
		out[i] = d
	}
	return out
}

// placed is what a place is shown as, and what is hidden there.
type placed struct {
	shown *place
	spot  *spot
}

// placed hides names in a place. Places that have steps in common are looked at once.
func (h *Hider) placed(p *place, known map[*place]placed) placed {
	here, ok := known[p]
	if ok {
		return here
	}
	up := h.placed(p.up, known)
	name := p.name
	if h.hides(name) || up.spot != nil && up.spot.keys {
		name = secret.Text
	}
	here = placed{up.shown.to(name), up.spot.member(p.name)}
	known[p] = here
	return here
}

func isObject(v armjson.Value) bool {
	_, ok := v.(*armjson.Object)
	return ok
}

func (h *Hider) hides(s string) bool {
	return h.whole[s] || slices.ContainsFunc(h.parts, func(p string) bool { return strings.Contains(s, p) })
}

// Text returns a message that can be shown.
func (h *Hider) Text(s string) string { return h.within(s, "'") }

// within hides the parts of a text that must not be shown.
func (h *Hider) within(text, separator string) string {
	parts := strings.Split(text, separator)
	for i, p := range parts {
		if h.whole[p] {
			parts[i] = secret.Text
		}
	}
	text = strings.Join(parts, separator)
	for _, p := range h.parts {
		text = strings.ReplaceAll(text, p, secret.Text)
	}
	return text
}

// rewrite returns what can be shown of a value, where was says what is hidden at its spot.
// No member gets lost: names that are hidden are numbered.
func (h *Hider) rewrite(v armjson.Value, was *spot) armjson.Value {
	switch v := v.(type) {
	case armjson.String:
		if h.hides(string(v)) || was != nil && was.value {
			return armjson.String(secret.Text)
		}
	case armjson.Number:
		if h.hides(string(v)) || was != nil && was.value {
			return armjson.String(secret.Text)
		}
	case armjson.Array:
		out := make(armjson.Array, len(v))
		for i, x := range v {
			out[i] = h.rewrite(x, was.item())
		}
		return out
	case *armjson.Object:
		out := armjson.NewObject()
		number := 1
		for k, x := range v.All() {
			name := k
			if h.hides(k) || was != nil && was.keys {
				for name = secret.Text; v.Find(name) >= 0 || out.Find(name) >= 0; {
					number++
					name = fmt.Sprintf("(secure %d)", number)
				}
			}
			out.Set(name, h.rewrite(x, was.member(k)))
		}
		return out
	}
	return v
}
