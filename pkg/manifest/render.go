package manifest

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/radbicep/rad/pkg/armjson"
)

// Format is the notation of a manifest.
type Format string

// The notations.
const (
	YAML Format = "yaml"
	JSON Format = "json"
)

// Render writes the manifest.
func (m *Manifest) Render(f Format) ([]byte, error) { return render(m.root, f) }

func render(root *armjson.Object, f Format) ([]byte, error) {
	if f == JSON {
		return append(armjson.Append(nil, root, "  "), '\n'), nil
	}
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(node(root)); err != nil {
		return nil, err
	}
	if err := e.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// node returns a value as YAML.
func node(v armjson.Value) *yaml.Node {
	switch v := v.(type) {
	case *armjson.Object:
		n := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
		if v.Len() == 0 {
			n.Style = yaml.FlowStyle // {}
		}
		for key, inner := range v.All() {
			n.Content = append(n.Content, scalar(key), node(inner))
		}
		return n
	case armjson.String:
		return scalar(string(v))
	case armjson.Array:
		n := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
		if len(v) == 0 {
			n.Style = yaml.FlowStyle // []
		}
		for _, inner := range v {
			n.Content = append(n.Content, node(inner))
		}
		return n
	}
	// What this package writes has no numbers and booleans; what is read may have, such
	// as the status of a manifest that was taken from a cluster.
	return &yaml.Node{Kind: yaml.ScalarNode, Value: armjson.Text(v)}
}

// scalar returns a text as YAML: plain where every reader takes that for the same
// text, a literal block for lines, and double quotes for the rest.
func scalar(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	switch {
	case literalBlock(s):
		n.Style = yaml.LiteralStyle
	case !plain(s):
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// literalBlock reports whether a text can be a literal block that all of YAML's
// readers read back as it is.
func literalBlock(s string) bool {
	if !strings.HasSuffix(s, "\n") || strings.HasSuffix(s, "\n\n") || s == "\n" || s[0] == ' ' || s[0] == '\n' {
		return false
	}
	for i, r := range s {
		switch {
		case r == '\n':
			if i > 0 && s[i-1] == ' ' {
				return false
			}
		case r < 0x20, r >= 0x7f && r < 0xa0, r == 0x2028, r == 0x2029, r == 0xfeff, r == 0xfffe, r >= 0xffff:
			return false
		}
	}
	return true
}

// plain reports whether a text needs no quotes under any version of YAML: it looks
// like a word, and like no number, date or boolean.
func plain(s string) bool {
	if s == "" || !isAlnum(s[0]) && s[0] != '/' || len(s) > 120 {
		return false
	}
	letters := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			letters = true
		case c >= '0' && c <= '9', c == '-', c == '.', c == '_', c == '/':
		default:
			return false
		}
	}
	if !letters || s[0] >= '0' && s[0] <= '9' { // 1e3, 0x1f, 12_000, 2024-01-01t00
		return false
	}
	switch strings.ToLower(s) {
	case "true", "false", "yes", "no", "on", "off", "y", "n", "null":
		return false
	}
	return true
}
