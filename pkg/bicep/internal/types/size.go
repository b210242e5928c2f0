package types

// Size returns about how many literals have room where a type has its own parts: what is copied when another type is
// made of it.
func Size(t Type) int {
	const object = 8 // literals
	switch t := t.(type) {
	case *Union:
		if len(t.Members) > 0 {
			switch t.Members[0].Type().(type) {
			case *Object, ArrayLike:
				return object * len(t.Members)
			}
		}
		return len(t.Members)
	case *DiscriminatedObject:
		return object * len(t.Members)
	case *Tuple:
		return len(t.Items)
	case *Object:
		n := len(t.properties)
		for i := range t.properties {
			if u, ok := t.properties[i].Type.(*Union); ok {
				n += len(u.Members)
			}
		}
		return n
	}
	return 0
}
