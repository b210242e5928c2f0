package ir

// MergeProperty returns o with the property name set to v. A property that is
// already there keeps its place; if both values are objects, they are merged the
// same way. o may be nil.
func MergeProperty(o *Object, name string, v Expr) *Object {
	if o == nil {
		return &Object{Props: []*Property{{Key: &String{Value: name}, Value: v}}}
	}
	props := append(make([]*Property, 0, len(o.Props)+1), o.Props...)
	for i, p := range props {
		if s, ok := p.KeyText(); ok && s == name {
			if into, ok := p.Value.(*Object); ok {
				if from, ok := v.(*Object); ok {
					v = DeepMerge(into, from)
				}
			}
			props[i] = &Property{p.At, p.Key, v}
			return &Object{o.At, props}
		}
	}
	props = append(props, &Property{Key: &String{Value: name}, Value: v})
	return &Object{o.At, props}
}

// DeepMerge returns into with each property of from merged in.
func DeepMerge(into, from *Object) *Object {
	for _, p := range from.Props {
		if name, ok := p.KeyText(); ok {
			into = MergeProperty(into, name, p.Value)
		}
	}
	return into
}
