package armjson

// WithParts returns a copy of an array or an object in which each part is what f returns for it.
// f gets the name of a member, or "" for an element. Any other value has no parts, and is returned
// as it is.
func WithParts(v Value, f func(name string, part Value) Value) Value {
	switch v := v.(type) {
	case Array:
		out := make(Array, len(v))
		for i, part := range v {
			out[i] = f("", part)
		}
		return out
	case *Object:
		out := NewObject()
		for name, part := range v.All() {
			out.Set(name, f(name, part))
		}
		return out
	}
	return v
}
