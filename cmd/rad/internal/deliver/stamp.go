package deliver

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// sameButStamp reports whether two manifests differ only in the generator's stamp: the compiler's
// version, and the hash, which covers the versions in nested templates. Comments and layout count as
// differences, since a manifest that is written again loses them.
func sameButStamp(a, b []byte) bool {
	before, ok1 := documents(a)
	after, ok2 := documents(b)
	return ok1 && ok2 && slices.EqualFunc(before, after, func(x, y *yaml.Node) bool {
		dropStamps(x)
		dropStamps(y)
		return sameNode(x, y)
	})
}

// documents returns the documents of a text in YAML or JSON. Git may have changed the ends of its lines.
func documents(text []byte) (list []*yaml.Node, ok bool) {
	d := yaml.NewDecoder(bytes.NewReader(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))))
	for {
		var n yaml.Node
		if err := d.Decode(&n); err != nil {
			return list, errors.Is(err, io.EOF)
		}
		list = append(list, &n)
	}
}

// sameNode reports whether two nodes are equal, with their comments and their places in the text.
func sameNode(a, b *yaml.Node) bool {
	return a.Kind == b.Kind && a.Style == b.Style && a.Tag == b.Tag && a.Value == b.Value && a.Anchor == b.Anchor &&
		a.HeadComment == b.HeadComment && a.LineComment == b.LineComment && a.FootComment == b.FootComment &&
		a.Line == b.Line && a.Column == b.Column && slices.EqualFunc(a.Content, b.Content, sameNode)
}

// dropStamps takes the stamps out of the template in a document, which is the text of
// spec.template. A text that is not JSON stays as it is.
func dropStamps(document *yaml.Node) {
	template := valueOf(valueOf(document.Content[0], "spec"), "template")
	if template == nil {
		return
	}
	s := stampReader{text: template.Value, tokens: json.NewDecoder(strings.NewReader(template.Value))}
	if err := s.read(inTemplate, 0); err == nil {
		template.Value = s.rest()
	}
}

// valueOf returns the value of a key of a mapping; nil if there is none.
func valueOf(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// A part is a value of a template, as far as stamps are in it.
type part int

const (
	elsewhere part = iota // no stamps are in it
	inTemplate
	inMetadata
	inGenerator
	stampText // a part of the stamp
	inResources
	inResource
	inProperties
)

// members says which parts the members of a part are. Resources are an object or an array, and all
// members are resources. Modules are resources that hold a template.
var members = map[part]map[string]part{
	inTemplate:   {"metadata": inMetadata, "resources": inResources},
	inMetadata:   {"_generator": inGenerator},
	inGenerator:  {"version": stampText, "templateHash": stampText},
	inResource:   {"properties": inProperties},
	inProperties: {"template": inTemplate},
}

// A stampReader reads a template and leaves out the texts of its stamps.
type stampReader struct {
	text   string
	tokens *json.Decoder
	kept   strings.Builder
	done   int // how much of the text has been kept or left out
}

var errTooDeep = errors.New("nested too deep")

// read reads the next value, which is a part of the template.
func (s *stampReader) read(p part, depth int) error {
	const maxDepth = 10_000 // so that a file of brackets does not use up the stack
	if depth > maxDepth {
		return errTooDeep
	}
	start := int(s.tokens.InputOffset())
	t, err := s.tokens.Token()
	if err != nil {
		return err
	}
	switch t := t.(type) {
	case string:
		if p == stampText {
			s.leaveOut(start+strings.IndexByte(s.text[start:], '"'), int(s.tokens.InputOffset()))
		}
	case json.Delim:
		for s.tokens.More() {
			member := elsewhere
			if p == inResources {
				member = inResource
			}
			if t == '{' {
				key, err := s.tokens.Token()
				if err != nil {
					return err
				}
				if known, ok := members[p][key.(string)]; ok {
					member = known
				}
			}
			if err := s.read(member, depth+1); err != nil {
				return err
			}
		}
		_, err = s.tokens.Token() // the closing bracket
	}
	return err
}

// leaveOut leaves out a part of the text, and keeps what is before it.
func (s *stampReader) leaveOut(start, end int) {
	s.kept.WriteString(s.text[s.done:start])
	s.done = end
}

// rest returns the text without what was left out.
func (s *stampReader) rest() string { return s.kept.String() + s.text[s.done:] }
