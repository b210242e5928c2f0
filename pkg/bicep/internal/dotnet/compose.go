package dotnet

import (
	"errors"
	"fmt"
	"strings"
)

// Items are what a composite format shows, and its limits.
type Items struct {
	Count  int
	Text   func(i int, spec string) (string, error) // item i in the format of that name, which may be empty
	Size   int                                      // a guess of how long all items are
	Widest int                                      // the widest alignment
	Most   int                                      // the longest text
}

// ErrTooLong says that a text has more bytes than Items.Most.
var ErrTooLong = errors.New("the text is too long")

var errComposite = errors.New("the format string is not well formed")

// Compose writes a text in a composite format:
//
//	item = "{" index [ "," [ "-" ] width ] [ ":" format ] "}"
//
// with {{ and }} standing for braces.
func Compose(f string, items Items) ([]byte, error) {
	out := make([]byte, 0, min(len(f)+items.Size, items.Most))
	for i := 0; i < len(f); {
		c := f[i]
		if c != '{' && c != '}' {
			j := i + 1
			for j < len(f) && f[j] != '{' && f[j] != '}' {
				j++
			}
			out = append(out, f[i:j]...)
			i = j
			continue
		}
		if i+1 < len(f) && f[i+1] == c {
			out = append(out, c)
			i += 2
			continue
		}
		if c == '}' {
			return nil, errComposite
		}
		end := strings.IndexByte(f[i:], '}')
		if end < 0 {
			return nil, errComposite
		}
		item := f[i+1 : i+end]
		i += end + 1
		if strings.IndexByte(item, '{') >= 0 {
			return nil, errComposite
		}
		var err error
		if out, err = appendItem(out, item, items); err != nil {
			return nil, err
		}
		if len(out) > items.Most {
			return nil, ErrTooLong
		}
	}
	return out, nil
}

// appendItem appends what is between braces.
func appendItem(out []byte, item string, items Items) ([]byte, error) {
	spec := ""
	if k := strings.IndexByte(item, ':'); k >= 0 {
		item, spec = item[:k], item[k+1:]
	}
	width, left := 0, false
	if k := strings.IndexByte(item, ','); k >= 0 {
		w := strings.Trim(item[k+1:], " ")
		if strings.HasPrefix(w, "-") {
			left = true
			w = w[1:]
		}
		n, ok := Digits(w)
		if !ok || n > items.Widest {
			return nil, errComposite
		}
		item, width = item[:k], n
	}
	index, ok := Digits(strings.TrimRight(item, " "))
	if !ok {
		return nil, errComposite
	}
	if index >= items.Count {
		return nil, fmt.Errorf("{%d} has no argument: there are %d", index, items.Count)
	}
	s, err := items.Text(index, spec)
	if err != nil {
		return nil, err
	}
	fill := width - Length(s)
	if fill > 0 && !left {
		out = append(out, strings.Repeat(" ", fill)...)
	}
	out = append(out, s...)
	if fill > 0 && left {
		out = append(out, strings.Repeat(" ", fill)...)
	}
	return out, nil
}
