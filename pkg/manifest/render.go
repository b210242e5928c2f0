package manifest

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/radbicep/rad/pkg/armjson"
)

// Format is the notation of a manifest.
type Format string

// The notations.
const (
	YAML Format = "yaml" // also ""
	JSON Format = "json"
)

// Render writes the manifest.
func (m *Manifest) Render(f Format) ([]byte, error) { return below(m.comments, m.root, f) }

// below writes an object below comments. JSON has no comments.
func below(comments []string, root *armjson.Object, f Format) ([]byte, error) {
	text, err := render(root, f)
	if err != nil || f == JSON || len(comments) == 0 {
		return text, err
	}
	return append(commentLines(comments), text...), nil
}

// commentLines writes each text as a comment of one line. What would end the line, or is not
// allowed in YAML, becomes a blank.
func commentLines(texts []string) (b []byte) {
	for _, text := range texts {
		text = strings.Map(func(r rune) rune {
			if r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 ||
				r == 0xfeff || r == 0xfffe || r == 0xffff || r == utf8.RuneError {
				return ' '
			}
			return r
		}, text)
		b = append(append(b, strings.TrimRight("# "+text, " ")...), '\n')
	}
	return b
}

// commentsOf returns the comments at the top of a file.
func commentsOf(content []byte) (list []string) {
	for line := range strings.SplitSeq(string(content), "\n") {
		text, ok := strings.CutPrefix(strings.TrimRight(line, "\r"), "#")
		if !ok {
			break
		}
		list = append(list, strings.TrimPrefix(text, " "))
	}
	return list
}

func render(root *armjson.Object, f Format) ([]byte, error) {
	if err := checkChoice(OptionFormat, "format", f, YAML, JSON); err != nil {
		return nil, err
	}
	if at, ok := notText(root); !ok {
		return nil, &TextError{Kind: root.Str("kind"), At: at}
	}
	if f == JSON {
		return append(armjson.Append(nil, root, "  "), '\n'), nil
	}
	n := node(root)
	if out, err := encode(n, &blocks{}); out != nil || err != nil {
		return out, err
	}
	return encode(n, nil)
}

// TextError says that a value of an object is no Unicode text. YAML cannot hold it, and JSON would
// hold another text in its place.
type TextError struct {
	Kind string // of the object
	At   string // the names and indexes that lead to the value
}

// Error says where the text is, and what is wrong with it.
func (e *TextError) Error() string {
	return e.Kind + ": " + e.At +
		" holds what is no Unicode text: a byte that is not UTF-8, or half of a pair of surrogates, such as \\ud800 alone"
}

// notText looks for a text that is none. It returns the names and indexes that lead to it.
func notText(v armjson.Value) (at string, ok bool) {
	switch v := v.(type) {
	case armjson.String:
		return "", utf8.ValidString(string(v))
	case armjson.Array:
		for i, one := range v {
			if at, ok := notText(one); !ok {
				return fmt.Sprintf("[%d]%s", i, dotted(at)), false
			}
		}
	case *armjson.Object:
		for name, one := range v.All() {
			if !utf8.ValidString(name) {
				return "the name of a property", false
			}
			if at, ok := notText(one); !ok {
				return name + dotted(at), false
			}
		}
	}
	return "", true
}

// dotted returns what follows a step of the way to a value.
func dotted(at string) string {
	if at == "" || at[0] == '[' {
		return at
	}
	return "." + at
}

// encode writes a node as YAML. Long texts are put in with the help of blocks, unless that is
// nil; it returns nil if that cannot be done.
func encode(n *yaml.Node, long *blocks) ([]byte, error) {
	if long != nil {
		long.takeOut(n)
		defer long.putBack()
	}
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(n); err != nil {
		return nil, err
	}
	if err := e.Close(); err != nil {
		return nil, err
	}
	if long == nil {
		return b.Bytes(), nil
	}
	return long.write(b.Bytes()), nil
}

// blocks are the long literal blocks of a node. The encoder looks at each character several
// times, so a short text is encoded in the place of each, and replaced in the output.
type blocks struct {
	nodes []*yaml.Node
	texts []string
}

// longBlock is the length from which a literal block is long, and standIn the text that
// is encoded for one.
const (
	longBlock = 4096
	standIn   = "the text of a long literal block\n"
)

func (l *blocks) takeOut(n *yaml.Node) {
	if n.Style == yaml.LiteralStyle && len(n.Value) >= longBlock {
		l.nodes, l.texts = append(l.nodes, n), append(l.texts, n.Value)
		n.Value = standIn
	}
	for _, inner := range n.Content {
		l.takeOut(inner)
	}
}

func (l *blocks) putBack() {
	for i, n := range l.nodes {
		n.Value = l.texts[i]
	}
}

// write returns what was encoded with the texts of the blocks. It returns nil if something
// else holds the text that stands for them.
func (l *blocks) write(encoded []byte) []byte {
	parts := bytes.Split(encoded, []byte(standIn))
	if len(parts) != len(l.texts)+1 {
		return nil
	}
	size := len(encoded)
	for _, text := range l.texts {
		size += len(text) + 8*strings.Count(text, "\n")
	}
	out := make([]byte, 0, size)
	for i, part := range parts {
		out = append(out, part...)
		if i == len(l.texts) {
			break
		}
		indent := part[bytes.LastIndexByte(part, '\n')+1:]
		for rest := l.texts[i]; ; {
			end := strings.IndexByte(rest, '\n') + 1 // a literal block ends with a line break
			out = append(out, rest[:end]...)
			if rest = rest[end:]; rest == "" {
				break
			}
			if rest[0] != '\n' {
				out = append(out, indent...)
			}
		}
	}
	return out
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
	// Manifests of this package have no numbers and booleans; those that are read may have, such as
	// the status of a manifest that was taken from a cluster.
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
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c < 0x7f {
			i++
			continue
		}
		r, size := rune(c), 1
		if c >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		i += size
		switch {
		case r == '\n':
			if i > 1 && s[i-2] == ' ' {
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
