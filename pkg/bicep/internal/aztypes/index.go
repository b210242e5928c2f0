package aztypes

import (
	"iter"
	"strings"
)

// Resource is a resource type in one of its versions.
type Resource struct {
	Type, Version      string // as this version spells them
	Body               NodeID
	Readable, Writable uint8 // the scopes, as bits of Scope
	Functions          []Function
}

// The scopes at which a resource can be.
const (
	ScopeTenant = 1 << iota
	ScopeManagementGroup
	ScopeSubscription
	ScopeResourceGroup
	ScopeExtension
)

// Function is a function of a resource, whose name begins with "list".
type Function struct {
	Name          string
	Output, Input NodeID // no input is None
}

// Types returns the number of resource types, in whatever versions.
func (l *Library) Types() int { return len(l.section[EntryAt])/3 - 1 }

func (l *Library) appendTypeName(b []byte, t int) []byte {
	return l.appendCodes(b, l.item(TypeNames, TypeNameAt, t))
}

// TypeName returns the name of the type with number t, as its newest version spells it.
// Types are numbered in the order of their names in lower case.
func (l *Library) TypeName(t int) string {
	var buf [160]byte
	return string(l.appendTypeName(buf[:0], t))
}

// FindType returns the number of a type, ignoring letter case.
func (l *Library) FindType(name string) (t int, ok bool) {
	t = l.search(name)
	var buf [160]byte
	return t, t < l.Types() && CompareFold(l.appendTypeName(buf[:0], t), name) == 0
}

// HasProvider reports whether there are types of a provider, such as Microsoft.Storage.
func (l *Library) HasProvider(name string) bool {
	prefix := name + "/"
	t := l.search(prefix)
	if t == l.Types() || strings.Contains(name, "/") {
		return false
	}
	var buf [160]byte
	found := l.appendTypeName(buf[:0], t)
	return len(found) > len(prefix) && CompareFold(found[:len(prefix)], prefix) == 0
}

// search returns the first type whose name is not before the given one.
func (l *Library) search(name string) int {
	var buf [160]byte
	lo, hi := 0, l.Types()
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		if CompareFold(l.appendTypeName(buf[:0], m), name) < 0 {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo
}

// CompareFold orders ASCII texts without regard to case.
func CompareFold[A, B string | []byte](a A, b B) int {
	for i := 0; i < len(a) && i < len(b); i++ {
		if x, y := lower(a[i]), lower(b[i]); x != y {
			return int(x) - int(y)
		}
	}
	return len(a) - len(b)
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// Find returns a resource type, ignoring letter case.
func (l *Library) Find(typ, version string) (Resource, bool) {
	t, ok := l.FindType(typ)
	if !ok {
		return Resource{}, false
	}
	for r := range l.versions(t, func(v string) bool { return CompareFold(v, version) == 0 }) {
		return r, true
	}
	return Resource{}, false
}

// Has reports whether the library has a resource type.
func (l *Library) Has(typ, version string) bool {
	_, ok := l.Find(typ, version)
	return ok
}

// Versions returns the versions of the type with number t, the oldest first.
func (l *Library) Versions(t int) iter.Seq[Resource] {
	return l.versions(t, func(string) bool { return true })
}

// versions returns those of a type's versions that are wanted.
func (l *Library) versions(t int, wanted func(version string) bool) iter.Seq[Resource] {
	return func(yield func(Resource) bool) {
		name := l.TypeName(t)
		r := input{l.section[Entries], u24(l.section[EntryAt], 3*t)}
		spellings := r.uv()
		first := r.i
		r.i += spellings * len(name)
		version, body := -1, 0
		for n := r.uv(); n > 0; n-- {
			version += r.uv()
			scopes := r.uv()
			out := Resource{Type: name}
			if spellings > 0 {
				if k := r.uv(); k < spellings {
					at := first + k*len(name)
					out.Type = r.s[at : at+len(name)]
				}
			}
			body += int(r.zz())
			out.Version = l.version(version)
			found := wanted(out.Version)
			if scopes&1 != 0 {
				for k := r.uv(); k > 0; k-- {
					name, output, input := r.uv(), r.uv(), r.uv()
					if found {
						out.Functions = append(out.Functions, Function{l.str(name), NodeID(output), NodeID(input - 1)})
					}
				}
			}
			if !found {
				continue
			}
			out.Body = NodeID(body)
			out.Readable, out.Writable = l.section[Scopes][scopes>>1*2], l.section[Scopes][scopes>>1*2+1]
			if !yield(out) {
				return
			}
		}
	}
}

// version returns one of the API versions that there are.
func (l *Library) version(n int) string {
	s := l.section[Versions]
	u16 := func(i int) int { return int(s[2*i]) | int(s[2*i+1])<<8 }
	text := s[2+2*(u16(0)+1):]
	return text[u16(1+n):u16(2+n)]
}

// Providers returns the names of the providers: of spellings that differ in case,
// the one that stands first.
func (l *Library) Providers() (list []string) {
	for t := range l.Types() {
		for r := range l.Versions(t) {
			provider, _, _ := strings.Cut(r.Type, "/")
			switch last := len(list) - 1; {
			case last < 0 || CompareFold(list[last], provider) != 0:
				list = append(list, provider)
			case provider < list[last]:
				list[last] = provider
			}
		}
	}
	return list
}
