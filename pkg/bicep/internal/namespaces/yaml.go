package namespaces

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"go.yaml.in/yaml/v3"
)

// The official compiler reads YAML with SharpYaml: it loads the documents, with the aliases written
// out, prints the first, and reads what it has printed. Most values survive this unchanged. These
// do not:
//
//   - an empty plain value within brackets is printed as '';
//   - what is printed is trimmed, and where a text ends within a block scalar, that gets a NUL for
// its line break (Azure/bicep issue 20297);
//   - characters of two UTF-16 units are broken up by the escapes of double quotes.

// How deep a YAML file may be nested, and how many values it may have: aliases can make a short
// text large.
const (
	maxYAMLNesting = 64
	maxYAMLNodes   = 1_000_000
)

// parseYAML reads the first document of a YAML text as JSON, by YAML's core schema with a few
// additions. A text without a document, one whose value is null, and one in which any document is
// broken have no value.
func parseYAML(text string, v release.Version) (value armjson.Value, line int) {
	d := yaml.NewDecoder(strings.NewReader(text))
	var first yaml.Node
	if err := d.Decode(&first); err != nil || len(first.Content) == 0 {
		return nil, lineOf(err, text)
	}
	for {
		var more yaml.Node
		if err := d.Decode(&more); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, lineOf(err, text)
		}
	}
	y := &yamlReader{text: text, release: v}
	value = y.value(first.Content[0], place{last: true})
	if _, null := value.(armjson.Null); null || y.failed {
		return nil, y.line
	}
	return value, 0
}

// lineOf returns the line that an error of the parser names; 0 without an error. The parser counts the lines
// of its own errors from 0 and may name the end of the text, names those of its scanner from 1, and the first line not at all.
func lineOf(err error, text string) int {
	if err == nil || errors.Is(err, io.EOF) {
		return 0
	}
	_, rest, _ := strings.Cut(err.Error(), "line ")
	digits, problem, _ := strings.Cut(rest, ":")
	line, _ := strconv.Atoi(digits)
	if line == 0 || strings.HasPrefix(problem, " did not find expected") {
		line++
	}
	return min(line, 1+strings.Count(strings.TrimRight(text, "\r\n"), "\n"))
}

type yamlReader struct {
	text    string
	release release.Version
	nodes   int
	failed  bool
	line    int // of the node that was read last: where it failed
}

// place is where a node is printed.
type place struct {
	nested int  // in how many collections
	flow   bool // one of them is written with brackets
	last   bool // nothing follows
}

// within is the place of what a collection holds.
func (p place) within(n *yaml.Node, last bool) place {
	p.nested++
	p.flow = p.flow || n.Style&yaml.FlowStyle != 0
	p.last = p.last && last && !p.flow
	return p
}

func (y *yamlReader) value(n *yaml.Node, at place) armjson.Value {
	if !y.failed {
		y.line = n.Line
	}
	if y.nodes++; y.nodes > maxYAMLNodes || !y.mayHave(n) {
		y.failed = true
	}
	if y.failed {
		return armjson.Null{}
	}
	switch n.Kind {
	case yaml.AliasNode:
		return y.value(n.Alias, at)
	case yaml.SequenceNode, yaml.MappingNode:
		if at.nested == maxYAMLNesting {
			y.failed = true
			return armjson.Null{}
		}
		if n.Kind == yaml.MappingNode {
			return y.mapping(n, at)
		}
		list := make(armjson.Array, len(n.Content))
		for i, c := range n.Content {
			list[i] = y.value(c, at.within(n, i == len(n.Content)-1))
		}
		return list
	}
	return y.scalar(n, at)
}

// mayHave reports whether the release takes a node: early ones take no aliases, or none of scalars.
func (y *yamlReader) mayHave(n *yaml.Node) bool {
	switch {
	case n.Kind != yaml.AliasNode:
		return true
	case n.Alias.Kind == yaml.ScalarNode:
		return y.release.Has(release.YAMLScalarAliases)
	}
	return y.release.Has(release.YAMLAliases)
}

// mapping reads a mapping. Members that << merges replace earlier ones, except those that the
// mapping itself has given; later members replace them in turn.
func (y *yamlReader) mapping(n *yaml.Node, at place) *armjson.Object {
	o := armjson.NewObject()
	own := make(map[string]bool, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		inside := at.within(n, i+2 == len(n.Content))
		if !y.failed {
			y.line = key.Line
		}
		if !y.mayHave(key) {
			y.failed = true
			return o
		}
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		if key.Kind != yaml.ScalarNode {
			y.failed = true
			return o
		}
		if key.Value == "<<" {
			y.merge(o, y.value(value, inside), own)
			continue
		}
		name := printed(key, key.Value, place{flow: inside.flow})
		if own[name] {
			y.failed = true
			return o
		}
		own[name] = true
		o.Set(name, y.value(value, inside))
	}
	return o
}

// merge adds the members of a mapping, or of each mapping of a list, to o. Null adds nothing.
func (y *yamlReader) merge(o *armjson.Object, from armjson.Value, own map[string]bool) {
	list, ok := from.(armjson.Array)
	if _, null := from.(armjson.Null); !ok && !null {
		list = armjson.Array{from}
	}
	for _, e := range list {
		m, ok := e.(*armjson.Object)
		if !ok {
			y.failed = true
			return
		}
		for k, v := range m.All() {
			if !own[k] {
				o.Set(k, v)
			}
		}
	}
}

const blockStyle = yaml.LiteralStyle | yaml.FoldedStyle

// scalar reads a scalar. One in quotes, in a block, or tagged as a string is a
// string; no other tag counts.
func (y *yamlReader) scalar(n *yaml.Node, at place) armjson.Value {
	tagged := n.Style&yaml.TaggedStyle != 0
	if n.Style&^yaml.TaggedStyle == 0 && !(at.flow && n.Value == "") && !(tagged && n.ShortTag() == "!!str") {
		return y.plain(n, at)
	}
	s := n.Value
	if at.last && y.cutOff(n) {
		s += "\x00"
	}
	return armjson.String(printed(n, s, at))
}

// cutOff reports whether the text ends within a block scalar that needs a line break at its end.
// The scalar is known to be the last of its document.
func (y *yamlReader) cutOff(n *yaml.Node) bool {
	if n.Style&blockStyle == 0 || n.Value == "" || strings.HasSuffix(n.Value, "\n") {
		return false
	}
	line := y.text
	for i := 1; i < n.Line; i++ {
		_, line, _ = strings.Cut(line, "\n")
	}
	line, _, _ = strings.Cut(line, "\n")
	for range n.Column - 1 {
		_, size := utf8.DecodeRuneInString(line)
		line = line[size:]
	}
	_, header, _ := strings.Cut(strings.Replace(line, ">", "|", 1), "|") // an anchor or a tag may come first
	return !strings.HasPrefix(strings.TrimLeft(header, "123456789"), "-")
}

// printed is a string after it has been printed and read again.
func printed(n *yaml.Node, s string, at place) string {
	switch trimmed := strings.TrimRightFunc(s, unicode.IsSpace); {
	case n.Style&blockStyle == 0 || at.flow || !fitsBlock(s):
		return brokenUp(s)
	case !at.last:
		return s
	case !strings.HasSuffix(s, "\n"):
		text, _, _ := strings.Cut(trimmed, "\x00") // where a text ends
		return text
	case trimmed == "":
		return ""
	default:
		return trimmed + "\x00"
	}
}

// fitsBlock reports whether a string can be printed as a block scalar.
func fitsBlock(s string) bool {
	if s == "" || strings.HasSuffix(s, " ") || strings.Contains(s, " \n") {
		return false
	}
	return strings.IndexFunc(s, unprintable) < 0 || len(s) > 1 && strings.Contains(s, "\n")
}

func unprintable(r rune) bool {
	return r < ' ' || r > '~' && r < 0xA0 && r != 0x85 || splits(r)
}

// splits reports whether the escape of a character is read as something else: its
// UTF-16 units are written as \xD83D, of which two digits are read.
func splits(r rune) bool { return r >= 0xFFFE }

// brokenUp is a string as double quotes change it, which are used if a character has to be escaped.
func brokenUp(s string) string {
	if strings.IndexFunc(s, splits) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if !splits(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			b.WriteRune(rune(unit >> 8))
			fmt.Fprintf(&b, "%02X", unit&0xFF)
		}
	}
	return b.String()
}

// plain gives an unquoted scalar the type that it looks like.
func (y *yamlReader) plain(n *yaml.Node, at place) armjson.Value {
	s := strings.TrimFunc(n.Value, unicode.IsSpace)
	switch strings.ToLower(s) {
	case "", "~", "null":
		return armjson.Null{}
	case "true":
		return armjson.Bool(true)
	case "false":
		return armjson.Bool(false)
	case ".inf", "+.inf":
		return armjson.Float(math.Inf(1))
	case "-.inf":
		return armjson.Float(math.Inf(-1))
	case ".nan":
		return armjson.Float(math.NaN())
	}
	s = strings.ReplaceAll(s, "_", "")
	digits, negative := strings.CutPrefix(s, "-")
	if !negative {
		digits = strings.TrimPrefix(s, "+")
	}
	if n, ok := y.integer(digits, negative); ok {
		return armjson.Int(n)
	}
	if isFloat(digits) || strings.EqualFold(digits, "infinity") || strings.EqualFold(digits, "nan") {
		f, _ := strconv.ParseFloat(digits, 64) // infinite if it is out of range
		if negative {
			f = -f
		}
		return armjson.Float(f)
	}
	return armjson.String(printed(n, n.Value, at))
}

// integer reads digits, which 0x, 0o and 0b may precede. With such a prefix, a
// number of more than 64 bits breaks the whole text.
func (y *yamlReader) integer(s string, negative bool) (int64, bool) {
	var n uint64
	base := 10
	if len(s) > 1 && s[0] == '0' {
		switch s[1] | 0x20 {
		case 'x':
			base = 16
		case 'o':
			base = 8
		case 'b':
			base = 2
		}
	}
	if base == 10 {
		v, err := strconv.ParseUint(s, 10, 64)
		if err != nil || !digits(s) {
			return 0, false
		}
		n = v
	} else {
		if len(s) == 2 {
			return 0, false
		}
		for _, c := range s[2:] {
			digit := strings.IndexRune("0123456789abcdef", unicode.ToLower(c))
			if digit < 0 || digit >= base {
				return 0, false
			}
			if n > (math.MaxUint64-uint64(digit))/uint64(base) {
				y.failed = true
				return 0, false
			}
			n = n*uint64(base) + uint64(digit)
		}
	}
	switch {
	case !negative && n <= math.MaxInt64:
		return int64(n), true
	case negative && n <= 1<<63:
		return -int64(n), true
	}
	return 0, false
}

// isFloat: digits with a point, an exponent, or both.
func isFloat(s string) bool {
	mantissa, exponent, scaled := s, "", false
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa, exponent, scaled = s[:i], s[i+1:], true
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	if whole == "" && fraction == "" || !digits(whole) || !digits(fraction) {
		return false
	}
	if !scaled {
		return true
	}
	if exponent != "" && (exponent[0] == '+' || exponent[0] == '-') {
		exponent = exponent[1:]
	}
	return exponent != "" && digits(exponent)
}

func digits(s string) bool { return strings.Trim(s, "0123456789") == "" }
