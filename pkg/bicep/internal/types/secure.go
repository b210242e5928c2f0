package types

import "strconv"

// HasSecrets reports whether values of the type are or contain secrets.
func HasSecrets(t Type) bool {
	found := false
	secretPaths(t, false, "", map[Type]bool{}, func(string) bool {
		found = true
		return false
	})
	return found
}

// SecretPaths returns the ways to all secrets in values of the type: "" for the
// value itself, .name, [0], [*] and .* for its parts. If only a part of the value
// is used, what else it contains does not matter.
func SecretPaths(t Type, partUsed bool) []string {
	var paths []string
	secretPaths(t, partUsed, "", map[Type]bool{}, func(p string) bool {
		paths = append(paths, p)
		return true
	})
	return paths
}

func secretPaths(t Type, partUsed bool, path string, busy map[Type]bool, yield func(string) bool) bool {
	if busy[t] { // a type may contain itself
		return true
	}
	busy[t] = true
	defer delete(busy, t)

	if t.Flags().Has(IsSecure) && !yield(path) {
		return false
	}
	if u, ok := t.(*Union); ok {
		for _, m := range u.Members {
			if !secretPaths(m.Type(), partUsed, path, busy, yield) {
				return false
			}
		}
	}
	if partUsed {
		return true
	}
	switch t := t.(type) {
	case *Object:
		if t.Additional != nil && !secretPaths(t.Additional.Type.Type(), partUsed, path+".*", busy, yield) {
			return false
		}
		for i := range t.Properties {
			p := &t.Properties[i]
			if !secretPaths(p.Type.Type(), partUsed, path+"."+p.Name, busy, yield) {
				return false
			}
		}
	case *Tuple:
		for i, item := range t.Items {
			if !secretPaths(item.Type(), partUsed, path+"["+strconv.Itoa(i)+"]", busy, yield) {
				return false
			}
		}
	case *Array:
		return secretPaths(t.Item.Type(), partUsed, path+"[*]", busy, yield)
	}
	return true
}
