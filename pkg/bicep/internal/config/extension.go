package config

import (
	"errors"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
)

// NamedExtension returns what a configuration says of an extension by itself, without those that it extends; "" if it
// says nothing.
func NamedExtension(text []byte, name string) (string, error) {
	p, err := placeExtension(text, name)
	return p.value, err
}

// SetExtension returns the text of a configuration that names a reference for an extension. Everything else
// stays as it is written. An empty text is a configuration that says nothing.
func SetExtension(text []byte, name, reference string) ([]byte, error) {
	p, err := placeExtension(text, name)
	if err != nil {
		return nil, err
	}
	member := quoted(name) + ": " + quoted(reference)
	if strings.TrimSpace(string(text)) == "" {
		return []byte("{\n  \"extensions\": {\n    " + member + "\n  }\n}\n"), nil
	}
	s := string(text)
	switch {
	case p.valueAt > 0:
		return []byte(s[:p.valueAt] + quoted(reference) + s[p.valueEnd:]), nil
	case p.extensions > 0:
		return []byte(insertMember(s, p.extensions, member)), nil
	}
	// The members of the new object are one step further in than its name.
	gap := gapAfter(s, p.root)
	step := gap[strings.LastIndexByte(gap, '\n')+1:]
	if strings.Contains(gap, "\n") && step != "" {
		member = gap + step + member + gap
	}
	return []byte(insertMember(s, p.root, `"extensions": {`+member+"}")), nil
}

// extensionPlace says where a configuration names an extension. An offset is 0 if there is no such place.
type extensionPlace struct {
	value             string
	root              int // behind the brace that opens the configuration
	extensions        int // behind the one that opens "extensions"
	valueAt, valueEnd int
}

func placeExtension(text []byte, name string) (p extensionPlace, err error) {
	s := string(text)
	if strings.TrimSpace(s) == "" {
		return p, nil
	}
	within, member := false, 0
	v, err := armjson.Parse(s, armjson.Options{Comments: true, MaxDepth: 64, OnName: func(level int, key string, offset int) {
		switch {
		case level == 1:
			if within = key == "extensions"; within {
				p.extensions, member = offset, 0
			}
		case level == 2 && within && key == name:
			member = offset
		}
	}})
	if err != nil {
		return p, err
	}
	root, ok := v.(*armjson.Object)
	if !ok {
		return p, errors.New("it must hold an object")
	}
	mark := len(s) - len(strings.TrimPrefix(s, "\ufeff"))
	p.root = skipSpace(s, mark) + 1
	if p.extensions == 0 {
		return p, nil
	}
	list, _ := root.Get("extensions")
	extensions, ok := list.(*armjson.Object)
	if !ok {
		return p, errors.New(`"extensions" must be an object`)
	}
	p.extensions = afterName(s, p.extensions) + 1
	if member == 0 {
		return p, nil
	}
	named, _ := extensions.Get(name)
	reference, ok := named.(armjson.String)
	if !ok {
		return p, errors.New("the extension " + quoted(name) + " must be a string")
	}
	p.value = string(reference)
	p.valueAt = afterName(s, member)
	p.valueEnd = skipString(s, p.valueAt)
	return p, nil
}

// insertMember makes a member the first one of an object whose brace opens before at.
func insertMember(s string, at int, member string) string {
	gap := gapAfter(s, at)
	if next := skipSpace(s, at); s[next] == '}' {
		if i := strings.LastIndexByte(gap, '\n'); i >= 0 && next == at+len(gap) {
			// An empty object of two lines: its brace stays where it is.
			return s[:at] + gap + "  " + member + s[at:]
		}
		return s[:at] + member + s[at:]
	}
	if gap == "" {
		return s[:at] + member + ", " + s[at:]
	}
	return s[:at] + gap + member + "," + s[at:]
}

// gapAfter returns the white space at an offset.
func gapAfter(s string, at int) string {
	return s[at : len(s)-len(strings.TrimLeft(s[at:], " \t\r\n"))]
}

// afterName returns where the value of a member begins whose name is at an offset.
func afterName(s string, at int) int {
	return skipSpace(s, skipSpace(s, skipString(s, at))+1) // the colon
}

// skipString returns the end of a string.
func skipString(s string, at int) int {
	for at++; s[at] != '"'; at++ {
		if s[at] == '\\' {
			at++
		}
	}
	return at + 1
}

// skipSpace passes over white space and comments.
func skipSpace(s string, at int) int {
	for {
		at += len(gapAfter(s, at))
		switch {
		case strings.HasPrefix(s[at:], "//"):
			at += strings.IndexAny(s[at:]+"\n", "\r\n")
		case strings.HasPrefix(s[at:], "/*"):
			at += 2 + strings.Index(s[at+2:], "*/") + 2
		default:
			return at
		}
	}
}

func quoted(s string) string { return string(armjson.AppendString(nil, s)) }
