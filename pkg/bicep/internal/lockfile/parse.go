package lockfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// maxSize bounds a lock file. An entry takes about 500 bytes.
const maxSize = 16 << 20

// Parse reads a lock file. It takes what Bytes prints, in any layout and order,
// and nothing else. An error begins with the number of the line that it is about.
func Parse(text []byte) (*File, error) {
	if len(text) > maxSize {
		return nil, fmt.Errorf("1: a lock file of more than %d MiB is refused", maxSize>>20)
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if line := source.ConflictMarker(text); line > 0 {
		return nil, &report.HintedError{Text: fmt.Sprintf("%d: a merge conflict is not resolved here", line), Hint: report.HintMerge}
	}
	p := &parser{text: text, decoder: json.NewDecoder(bytes.NewReader(text))}
	p.decoder.UseNumber()
	f, err := p.file()
	if err != nil {
		if bad, ok := errors.AsType[*lineError](err); ok {
			return nil, bad
		}
		return nil, &lineError{p.line(), err.Error()}
	}
	return f, nil
}

// lineError is an error at a line.
type lineError struct {
	line int
	text string
}

func (e *lineError) Error() string { return fmt.Sprintf("%d: %s", e.line, e.text) }

// parser reads tokens, so that places are known and keys that occur twice are seen.
type parser struct {
	text    []byte
	decoder *json.Decoder
}

// line returns the line of the token that was read last.
func (p *parser) line() int {
	at := min(int(p.decoder.InputOffset()), len(p.text))
	return 1 + bytes.Count(p.text[:at], []byte("\n"))
}

func (p *parser) fail(format string, args ...any) error {
	return &lineError{p.line(), fmt.Sprintf(format, args...)}
}

func (p *parser) token() (json.Token, error) {
	t, err := p.decoder.Token()
	if err == nil {
		return t, nil
	}
	var bad *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, &lineError{1 + bytes.Count(bytes.TrimRight(p.text, "\r\n"), []byte("\n")), "the file ends too early"}
	case errors.As(err, &bad):
		at := min(int(bad.Offset), len(p.text))
		return nil, &lineError{1 + bytes.Count(p.text[:at], []byte("\n")), "this is not JSON: " + bad.Error()}
	}
	return nil, p.fail("this is not JSON: %v", err)
}

// object reads an object. member is called for each key, and reads its value.
func (p *parser) object(what string, member func(key string) error) error {
	t, err := p.token()
	if err != nil {
		return err
	}
	if t != json.Delim('{') {
		return p.fail("%s must be an object", what)
	}
	seen := map[string]bool{}
	for {
		t, err := p.token()
		if err != nil {
			return err
		}
		if t == json.Delim('}') {
			return nil
		}
		key, ok := t.(string)
		if !ok {
			return p.fail("%s: want a key, not %v", what, t)
		}
		if seen[key] {
			return p.fail("%q occurs twice", key)
		}
		seen[key] = true
		if err := member(key); err != nil {
			return err
		}
	}
}

func (p *parser) string(key string) (string, error) {
	t, err := p.token()
	if err != nil {
		return "", err
	}
	s, ok := t.(string)
	if !ok {
		return "", p.fail("%q must be a string", key)
	}
	return s, nil
}

func (p *parser) size(key string) (int64, error) {
	t, err := p.token()
	if err != nil {
		return 0, err
	}
	if number, ok := t.(json.Number); ok {
		if n, err := number.Int64(); err == nil && n >= 0 {
			return n, nil
		}
	}
	return 0, p.fail("%q must be a number of bytes", key)
}

func (p *parser) digest(key string) (string, error) {
	s, err := p.string(key)
	if err == nil && !artifact.ValidDigest(s) {
		err = p.fail("%q must be sha256: and 64 hexadecimal digits", key)
	}
	return s, err
}

func (p *parser) unknown(key string, known ...string) error {
	return p.fail("unknown key %q; this version of rad knows %s", key, strings.Join(known, ", "))
}

func (p *parser) missing(what string, have map[string]bool, want ...string) error {
	for _, key := range want {
		if !have[key] {
			return p.fail("%s lacks %q", what, key)
		}
	}
	return nil
}

func (p *parser) file() (*File, error) {
	f := &File{Entries: map[string]Entry{}}
	have := map[string]bool{}
	err := p.object("a lock file", func(key string) error {
		have[key] = true
		switch key {
		case "version":
			t, err := p.token()
			if err != nil {
				return err
			}
			if n, ok := t.(json.Number); !ok || n.String() != fmt.Sprint(Version) {
				return p.fail("the lock file has version %v, and this rad reads version %d only", t, Version)
			}
			return nil
		case "artifacts":
			return p.object(`"artifacts"`, func(key string) error {
				e, err := p.entry(key)
				f.Entries[key] = e
				return err
			})
		}
		return p.unknown(key, "version", "artifacts")
	})
	if err != nil {
		return nil, err
	}
	if err := p.missing("the lock file", have, "version", "artifacts"); err != nil {
		return nil, err
	}
	if _, err := p.decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, p.fail("there is text after the end of the lock file")
	}
	return f, nil
}

func (p *parser) entry(key string) (Entry, error) {
	var a *artifact.Reference
	if strings.HasPrefix(key, "br:") {
		a, _ = artifact.Parse(key, artifact.Module, nil)
	} else {
		a, _ = artifact.ParseRecipe(key, false)
	}
	if a == nil || a.String() != key {
		return Entry{}, p.fail("%q is not a full reference such as br:host/path:tag", key)
	}
	e := Entry{Type: a.Type}
	have := map[string]bool{}
	err := p.object(fmt.Sprintf("%q", key), func(name string) (err error) {
		have[name] = true
		switch name {
		case "kind":
			var kind string
			kind, err = p.string(name)
			switch {
			case err != nil:
			case a.Type == artifact.Recipe && kind != a.Type.String():
				err = p.fail(`"kind" must be recipe, not %q, since the reference does not begin with br:`, kind)
			case kind == a.Type.String():
			case kind == artifact.Extension.String():
				e.Type = artifact.Extension
			default:
				err = p.fail(`"kind" must be module or extension, not %q`, kind)
			}
		case "digest":
			e.Digest, err = p.digest(name)
			if err == nil && a.Digest != "" && a.Digest != e.Digest {
				err = p.fail("the digest is not the one of the reference")
			}
		case "size":
			e.Size, err = p.size(name)
		case "mediaType":
			e.MediaType, err = p.string(name)
		case "layers":
			e.Layers, err = p.layers()
		default:
			err = p.unknown(name, "kind", "digest", "size", "mediaType", "layers")
		}
		return err
	})
	if err != nil {
		return e, err
	}
	if err := p.missing(fmt.Sprintf("%q", key), have, "kind", "digest", "size", "mediaType", "layers"); err != nil {
		return e, err
	}
	if e.Main().Digest == "" {
		return e, p.fail("%q has no layer of the type %s", key, e.Type.Layer())
	}
	return e, nil
}

func (p *parser) layers() ([]Layer, error) {
	t, err := p.token()
	if err != nil {
		return nil, err
	}
	if t != json.Delim('[') {
		return nil, p.fail(`"layers" must be an array`)
	}
	var list []Layer
	seen := map[Layer]bool{}
	for p.decoder.More() {
		var l Layer
		have := map[string]bool{}
		err := p.object("a layer", func(key string) (err error) {
			have[key] = true
			switch key {
			case "mediaType":
				l.MediaType, err = p.string(key)
			case "digest":
				l.Digest, err = p.digest(key)
			case "size":
				l.Size, err = p.size(key)
			default:
				err = p.unknown(key, "mediaType", "digest", "size")
			}
			return err
		})
		if err == nil {
			err = p.missing("the layer", have, "mediaType", "digest", "size")
		}
		if err == nil && seen[l] {
			err = p.fail("the layer occurs twice")
		}
		if err != nil {
			return nil, err
		}
		seen[l] = true
		list = append(list, l)
	}
	_, err = p.token() // ]
	return list, err
}
