package namespaces

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"go.yaml.in/yaml/v3"
)

// What a YAML file may unfold to: aliases can make much of little.
const (
	maxYAMLNodes = 1_000_000
	maxYAMLDepth = 500
)

// parseYAML reads the first document of a YAML text as JSON, by the core schema. A
// text without a document, one whose value is null, and one in which any document
// is broken have no value.
func parseYAML(text string) (armjson.Value, bool) {
	d := yaml.NewDecoder(strings.NewReader(text))
	var first yaml.Node
	if d.Decode(&first) != nil || len(first.Content) == 0 {
		return nil, false
	}
	for {
		var more yaml.Node
		if err := d.Decode(&more); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, false
		}
	}
	y := &yamlReader{}
	v := y.value(first.Content[0], 0)
	if _, null := v.(armjson.Null); null || y.failed {
		return nil, false
	}
	return v, true
}

type yamlReader struct {
	nodes  int
	failed bool
}

func (y *yamlReader) value(n *yaml.Node, depth int) armjson.Value {
	if y.nodes++; y.nodes > maxYAMLNodes || depth > maxYAMLDepth {
		y.failed = true
	}
	if y.failed {
		return armjson.Null{}
	}
	switch n.Kind {
	case yaml.AliasNode:
		return y.value(n.Alias, depth+1)
	case yaml.SequenceNode:
		list := make(armjson.Array, len(n.Content))
		for i, c := range n.Content {
			list[i] = y.value(c, depth+1)
		}
		return list
	case yaml.MappingNode:
		return y.mapping(n, depth)
	}
	return y.scalar(n)
}

// mapping reads a mapping. Members that << brings in yield to those that are there.
func (y *yamlReader) mapping(n *yaml.Node, depth int) *armjson.Object {
	o := armjson.NewObject()
	own := make(map[string]bool, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		if key.Kind != yaml.ScalarNode {
			y.failed = true
			return o
		}
		if key.Value == "<<" && key.Style == 0 {
			y.merge(o, value, depth)
			continue
		}
		if own[key.Value] {
			y.failed = true
			return o
		}
		own[key.Value] = true
		o.Set(key.Value, y.value(value, depth+1))
	}
	return o
}

func (y *yamlReader) merge(o *armjson.Object, from *yaml.Node, depth int) {
	switch v := y.value(from, depth+1).(type) {
	case *armjson.Object:
		addMissing(o, v)
	case armjson.Array:
		for _, e := range v {
			m, ok := e.(*armjson.Object)
			if !ok {
				y.failed = true
				return
			}
			addMissing(o, m)
		}
	default:
		y.failed = true
	}
}

func addMissing(o, from *armjson.Object) {
	for k, v := range from.All() {
		if o.Find(k) < 0 {
			o.Set(k, v)
		}
	}
}

func (y *yamlReader) scalar(n *yaml.Node) armjson.Value {
	const tagged = yaml.TaggedStyle
	if n.Style&tagged != 0 {
		switch n.Tag {
		case "!!null", "!!bool", "!!int", "!!float":
		default:
			return armjson.String(n.Value)
		}
	} else if n.Style != 0 {
		return armjson.String(n.Value)
	}
	return plain(n.Value)
}

// plain gives an unquoted scalar the type that it looks like.
func plain(s string) armjson.Value {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return armjson.Null{}
	case "true", "True", "TRUE":
		return armjson.Bool(true)
	case "false", "False", "FALSE":
		return armjson.Bool(false)
	}
	digits := strings.TrimLeft(s, "+-")
	if len(s)-len(digits) > 1 || digits == "" {
		return armjson.String(s)
	}
	if n, ok := prefixed(s); ok {
		return armjson.Int(n)
	}
	if only(digits, "0123456789") {
		if n, err := strconv.ParseInt(strings.TrimPrefix(s, "+"), 10, 64); err == nil {
			return armjson.Int(n)
		}
	}
	if isFloat(digits) {
		if f, err := strconv.ParseFloat(s, 64); err == nil {
			return armjson.Float(f)
		}
	}
	return armjson.String(s)
}

// prefixed reads 0x1F and 0o17.
func prefixed(s string) (int64, bool) {
	if len(s) < 3 || s[0] != '0' {
		return 0, false
	}
	base := 16
	switch s[1] {
	case 'x':
	case 'o':
		base = 8
	default:
		return 0, false
	}
	if s[2] == '+' || s[2] == '-' {
		return 0, false
	}
	n, err := strconv.ParseInt(s[2:], base, 64)
	return n, err == nil
}

// isFloat: digits with a point, an exponent, or both.
func isFloat(s string) bool {
	mantissa, exponent, scaled := s, "", false
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa, exponent, scaled = s[:i], s[i+1:], true
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if whole == "" && fraction == "" || !only(whole, "0123456789") || !only(fraction, "0123456789") {
		return false
	}
	if !scaled {
		return true
	}
	if exponent != "" && (exponent[0] == '+' || exponent[0] == '-') {
		exponent = exponent[1:]
	}
	return exponent != "" && only(exponent, "0123456789")
}

func only(s, set string) bool {
	return strings.Trim(s, set) == ""
}
