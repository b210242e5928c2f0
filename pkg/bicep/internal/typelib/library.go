package typelib

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/radbicep/rad/pkg/bicep/internal/jsonscan"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// Library is an extension's package: an index of resource types, and the files
// that describe them. It is safe for concurrent use.
type Library struct {
	archive *Archive
	index   index

	mu    sync.Mutex
	files map[string]*typeFile

	broken error // why a file of types could not be read

	// warnOnMismatch makes mistakes in bodies warnings, as for Microsoft Graph.
	warnOnMismatch bool
}

// ref points to an element of a file of types.
type ref = jsonscan.Ref

var nowhere = jsonscan.Nowhere

// index is what index.json says.
type index struct {
	resources []resourceEntry
	settings  *settings
	fallback  ref
	functions []ref
}

type resourceEntry struct {
	name string // type@version
	at   ref
}

type settings struct {
	name, version string
	singleton     bool
	config        ref
}

var errIndex = errors.New("index.json is not an index of types")

// OpenLibrary reads an archive's index. The settings must be there.
func OpenLibrary(a *Archive) (*Library, error) {
	text, err := a.File("index.json")
	if err != nil {
		return nil, err
	}
	l := &Library{archive: a, files: make(map[string]*typeFile)}
	if l.index, err = readIndex(text); err != nil {
		return nil, err
	}
	l.warnOnMismatch = l.index.settings.name == graphBetaName || l.index.settings.name == graphName
	return l, nil
}

func readIndex(text string) (index, error) {
	x := index{fallback: nowhere}
	c := jsonscan.New(text, 0)
	c.Object(func(name string) {
		switch name {
		case "resources":
			if !c.Optional('{') {
				return
			}
			c.Object(func(name string) {
				at := c.Ref()
				if !plausibleName(name) || at == nowhere {
					c.Bad = true
				}
				x.resources = append(x.resources, resourceEntry{name, at})
			})
		case "settings":
			if c.Optional('{') {
				x.settings = readSettings(c)
			}
		case "fallbackResourceType":
			x.fallback = c.Ref()
		case "namespaceFunctions":
			if c.Optional('[') {
				c.Array(func() { x.functions = append(x.functions, c.Ref()) })
			}
		default:
			c.Skip()
		}
	})
	if c.Bad || c.Peek() != 0 || x.settings == nil || x.settings.name == "" {
		return index{}, errIndex
	}
	return x, nil
}

func readSettings(c *jsonscan.Cursor) *settings {
	s := &settings{config: nowhere}
	c.Object(func(name string) {
		switch name {
		case "name":
			s.name = c.Text()
		case "version":
			s.version = c.Text()
		case "isSingleton":
			s.singleton = c.Boolean()
		case "configurationType":
			s.config = c.Ref()
		default:
			c.Skip()
		}
	})
	return s
}

// plausibleName rules out what cannot be the name of a resource type.
func plausibleName(s string) bool {
	at := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '.', c == '/':
		case c == '@':
			at++
		default:
			return false
		}
	}
	return s != "" && at <= 1
}

// Names returns the resource types, with their versions.
func (l *Library) Names() (list []string) {
	for _, entry := range l.index.resources {
		list = append(list, entry.name)
	}
	return list
}

// RadiusRelease returns the release of Radius that a project named before it imported these types; "" if they do not say it.
func (l *Library) RadiusRelease() string {
	release, _ := l.archive.File(RadiusReleaseFile)
	return release
}

// find returns where a resource type is described.
func (l *Library) find(r *types.ResourceTypeReference) (resourceEntry, bool) {
	size := len(r.Type)
	if r.Version != "" {
		size += 1 + len(r.Version)
	}
	for _, e := range l.index.resources {
		if len(e.name) != size || !strings.EqualFold(e.name[:len(r.Type)], r.Type) {
			continue
		}
		if r.Version == "" || e.name[len(r.Type)] == '@' && strings.EqualFold(e.name[len(r.Type)+1:], r.Version) {
			return e, true
		}
	}
	return resourceEntry{}, false
}

// typeFile is a file of types: a JSON array of which each element is a type.
type typeFile struct {
	lib      *Library
	name     string
	text     string
	elements []element
}

type element struct {
	start     int32
	converted atomic.Pointer[types.Type]
}

// file returns a file of types, split but not read. It returns nil if the archive
// has none, or something else, of that name.
func (l *Library) file(name string) *typeFile {
	l.mu.Lock()
	defer l.mu.Unlock()
	if f, ok := l.files[name]; ok {
		return f
	}
	f := l.split(name)
	l.files[name] = f
	return f
}

func (l *Library) split(name string) *typeFile {
	text, err := l.archive.File(name)
	if err != nil {
		l.fail(name, err.Error())
		return nil
	}
	var starts []int32
	c := jsonscan.New(text, 0)
	c.Array(func() {
		starts = append(starts, int32(c.PeekAt()))
		c.Skip()
	})
	if c.Bad {
		l.fail(name, "it is not a JSON array of types")
		return nil
	}
	f := &typeFile{lib: l, name: name, text: text, elements: make([]element, len(starts))}
	for i, s := range starts {
		f.elements[i].start = s
	}
	return f
}

// fail notes the first file that cannot be read. The lock is held.
func (l *Library) fail(name, reason string) {
	if l.broken == nil {
		l.broken = fmt.Errorf("%q: %s", name, reason)
	}
}

// smallArchive is the size up to which an archive is read only to see whether it can be.
const smallArchive = 4 << 20

// Err returns why a file of types could not be read. Of a small library that was
// not used, all files are tried.
func (l *Library) Err() error {
	l.mu.Lock()
	unused := len(l.files) == 0
	l.mu.Unlock()
	if unused && l.archive.size <= smallArchive {
		for _, r := range l.index.resources {
			l.file(r.at.File)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.broken
}

// at returns the element that r points to, seen from file f: a reference that names
// no file is to the same one. It returns a nil file if there is no such element.
func (l *Library) at(f *typeFile, r ref) (*typeFile, int) {
	if r.File != "" && (f == nil || r.File != f.name) {
		f = l.file(r.File)
	}
	if f == nil || r.Index < 0 || r.Index >= len(f.elements) {
		return nil, 0
	}
	return f, r.Index
}
