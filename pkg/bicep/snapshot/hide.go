package snapshot

import (
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
)

// hiddenText stands for a text that must not be shown.
const hiddenText = "(secure)"

// Hider hides what must not be shown in changes.
type Hider struct {
	whole map[string]bool // texts that are hidden
	parts []string        // texts that hide what holds them
	// paths are where something is hidden now, by type of resource. What was there in a
	// resource that is gone is hidden as well.
	paths map[string]bool
}

// NewHider returns what hides the secret values in changes to a snapshot. marked is the
// same snapshot with expressions in place of what is computed from secrets: what only the
// first one holds is secret. values are the secrets themselves.
func NewHider(now, marked *Snapshot, values []string) *Hider {
	h := &Hider{whole: map[string]bool{}, paths: map[string]bool{}}
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
		h.note(text(r, "type"), r)
	}
	return h
}

// nameOf is the step of a path to the names in an object.
const nameOf = ".\x00"

// note notes where something is hidden.
func (h *Hider) note(path string, v armjson.Value) {
	switch v := v.(type) {
	case armjson.String:
		h.paths[path] = h.paths[path] || h.hides(string(v))
	case armjson.Number:
		h.paths[path] = h.paths[path] || h.hides(string(v))
	case armjson.Array:
		for _, x := range v {
			h.note(path+"[]", x)
		}
	case *armjson.Object:
		for k, x := range v.All() {
			h.paths[path+nameOf] = h.paths[path+nameOf] || h.hides(k)
			h.note(path+"."+k, x)
		}
	}
}

// gone returns what can be shown of a value of a resource that is gone.
func (h *Hider) gone(path string, v armjson.Value) armjson.Value {
	switch v := v.(type) {
	case armjson.String, armjson.Number:
		if h.paths[path] {
			return armjson.String(hiddenText)
		}
	case armjson.Array:
		out := make(armjson.Array, len(v))
		for i, x := range v {
			out[i] = h.gone(path+"[]", x)
		}
		return out
	case *armjson.Object:
		out := armjson.NewObject()
		for k, x := range v.All() {
			name := k
			if h.paths[path+nameOf] {
				name = hiddenText
			}
			out.Set(name, h.gone(path+"."+k, x))
		}
		return out
	}
	return h.value(v)
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
		kind := text(c.Body, "type")
		if name := text(c.Body, "name"); h.hides(name) || c.Kind == Delete && h.paths[kind+".name"] && name != "" {
			c.ID = strings.ReplaceAll(c.ID, name, hiddenText)
		}
		c.ID = h.within(c.ID, "/")
		switch {
		case c.Kind == Delete && c.Body != nil:
			c.Body = h.gone(kind, c.Body).(*armjson.Object)
		case c.Body != nil:
			c.Body = h.value(c.Body).(*armjson.Object)
		}
		c.Delta = h.deltas(c.Delta)
		out[i] = c
	}
	return out
}

func (h *Hider) deltas(list []delta) []delta {
	out := make([]delta, len(list))
	for i, d := range list {
		d.path = h.within(d.path, ".")
		if d.after != nil {
			after := h.value(d.after)
			if d.before != nil && !armjson.Equal(after, d.after) && !isObject(d.after) {
				d.before = armjson.String(hiddenText) // what a secret was may be one, too
			}
			d.after = after
		}
		if d.before != nil {
			d.before = h.value(d.before)
		}
		d.children = h.deltas(d.children)
		out[i] = d
	}
	return out
}

func isObject(v armjson.Value) bool {
	_, ok := v.(*armjson.Object)
	return ok
}

func (h *Hider) hides(s string) bool {
	if h.whole[s] {
		return true
	}
	for _, p := range h.parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// Text returns a message that can be shown.
func (h *Hider) Text(s string) string { return h.within(s, "'") }

// within hides the parts of a path that must not be shown.
func (h *Hider) within(path, separator string) string {
	parts := strings.Split(path, separator)
	for i, p := range parts {
		if h.whole[p] {
			parts[i] = hiddenText
		}
	}
	path = strings.Join(parts, separator)
	for _, p := range h.parts {
		path = strings.ReplaceAll(path, p, hiddenText)
	}
	return path
}

func (h *Hider) value(v armjson.Value) armjson.Value {
	switch v := v.(type) {
	case armjson.String:
		if h.hides(string(v)) {
			return armjson.String(hiddenText)
		}
	case armjson.Number:
		if h.hides(string(v)) {
			return armjson.String(hiddenText)
		}
	case armjson.Array:
		out := make(armjson.Array, len(v))
		for i, x := range v {
			out[i] = h.value(x)
		}
		return out
	case *armjson.Object:
		out := armjson.NewObject()
		for k, x := range v.All() {
			if h.hides(k) {
				k = hiddenText
			}
			out.Set(k, h.value(x))
		}
		return out
	}
	return v
}
