package types

import (
	"slices"
	"strconv"
)

// HasSecrets reports whether values of the type are or contain secrets.
func HasSecrets(t Type) bool { return hasSecrets(t, map[Type]bool{}) }

// hasSecrets looks at each part once, however often and deep it is used.
func hasSecrets(t Type, seen map[Type]bool) bool {
	if t.Flags().Has(IsSecure) {
		return true
	}
	some := func(list []Ref) bool {
		return slices.ContainsFunc(list, func(r Ref) bool { return hasSecrets(r.Type(), seen) })
	}
	switch t := t.(type) {
	case *Namespace: // its configuration may have some
		return hasSecrets(t.Object, seen)
	case *Union:
		return some(t.Members)
	case *Object:
		if seen[t] {
			return false
		}
		seen[t] = true
		if t.Additional != nil && hasSecrets(t.Additional.Type.Type(), seen) {
			return true
		}
		for i := range t.Properties() {
			if hasSecrets(t.Properties()[i].Type.Type(), seen) {
				return true
			}
		}
	case *Tuple:
		if seen[t] {
			return false
		}
		seen[t] = true
		return some(t.Items)
	case *Array:
		if seen[t] {
			return false
		}
		seen[t] = true
		return hasSecrets(t.Item.Type(), seen)
	}
	return false
}

// maxSecretPaths bounds how many paths to secrets are reported.
const maxSecretPaths = 1000

// SecretPaths returns the paths to all secrets in values of the type: "" for the value itself,
// .name, [0], [*] and .* for its parts. If only a part of the value is used, what else it contains
// does not matter.
func SecretPaths(t Type, partUsed bool) []string {
	if !partUsed && !HasSecrets(t) {
		return nil
	}
	var paths []string
	steps := 0
	secretPaths(t, partUsed, "", map[Type]bool{}, &steps, func(p string) bool {
		paths = append(paths, p)
		return len(paths) < maxSecretPaths
	})
	return paths
}

func secretPaths(t Type, partUsed bool, path string, busy map[Type]bool, steps *int, yield func(string) bool) bool {
	if busy[t] { // a type may contain itself
		return true
	}
	if *steps++; *steps > 1000*maxSecretPaths {
		return false
	}
	busy[t] = true
	defer delete(busy, t)

	if t.Flags().Has(IsSecure) && !yield(path) {
		return false
	}
	if u, ok := t.(*Union); ok {
		for _, m := range u.Members {
			if !secretPaths(m.Type(), partUsed, path, busy, steps, yield) {
				return false
			}
		}
	}
	if partUsed {
		return true
	}
	switch t := t.(type) {
	case *Namespace:
		return secretPaths(t.Object, partUsed, path, busy, steps, yield)
	case *Object:
		if t.Additional != nil && !secretPaths(t.Additional.Type.Type(), partUsed, path+".*", busy, steps, yield) {
			return false
		}
		for i := range t.Properties() {
			p := &t.Properties()[i]
			if !secretPaths(p.Type.Type(), partUsed, path+"."+p.Name, busy, steps, yield) {
				return false
			}
		}
	case *Tuple:
		for i, item := range t.Items {
			if !secretPaths(item.Type(), partUsed, path+"["+strconv.Itoa(i)+"]", busy, steps, yield) {
				return false
			}
		}
	case *Array:
		return secretPaths(t.Item.Type(), partUsed, path+"[*]", busy, steps, yield)
	}
	return true
}
