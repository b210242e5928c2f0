package namespaces

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
)

func TestYAML(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a: 1\nb: [x, y]\nc: {d: \"q\"}\ne: ~\nf: yes\ng: 0x1F\nh: 1.5\ni: 2020-01-02\n": `{"a":1,"b":["x","y"],"c":{"d":"q"},"e":null,"f":"yes","g":31,"h":1.5,"i":"2020-01-02"}`,
		"j: |\n  one\n  two\nk: >\n  fold\n  ed\n? l\n: m\n\"n o\": 1e3\n":               `{"j":"one\ntwo\n","k":"fold ed\n","l":"m","n o":1000.0}`,
		"b: &b\n  x: 1\nc:\n  <<: *b\n  y: 2\nd: *b\n":                                   `{"b":{"x":1},"c":{"x":1,"y":2},"d":{"x":1}}`,
		"x: 1\nm: &m {x: 2, y: 3}\nn: {x: 1, <<: *m}\n":                                  `{"x":1,"m":{"x":2,"y":3},"n":{"x":1,"y":3}}`,
		"a: 1\n---\nb: 2\n":             `{"a":1}`,
		"plain\n":                       `"plain"`,
		"[1, '1', +2, -3, !!str 4, .5]": `[1,"1",2,-3,"4",0.5]`,
		"[0o17, 1_000, 0b1, -, +-1]":    `[15,1000,1,"-","+-1"]`,
		"[-0X1f, 0b2, 0x, 1_, __, _1]":  `[-31,"0b2","0x",1,"__",1]`,
		"[tRUE, NULL, FALSe, yes]":      `[true,null,false,"yes"]`,
		"[1e400, .INF, -.inf, .nan]":    `["Infinity","Infinity","-Infinity","NaN"]`,
		"[NaN, -infinity, 1_0.5]":       `["NaN","-Infinity",10.5]`,
		"[99999999999999999999]":        `[1E+20]`,
		"a: 0xFFFFFFFFFFFFFFFF\n":       `{"a":"0xFFFFFFFFFFFFFFFF"}`,
		"a: 0x1FFFFFFFFFFFFFFFF\n":      "none",
		"[!!int \"4\", !x 4, !!str 4]":  `["4",4,"4"]`,

		// Later mappings of << win, also over what came before them by <<.
		"a: &a {x: 1}\nb: &b {x: 2, y: 3}\nc: {<<: [*a, *b]}\n": `{"a":{"x":1},"b":{"x":2,"y":3},"c":{"x":2,"y":3}}`,
		"a: &a {x: 1}\nc: {'<<': *a, x: 4}\n":                   `{"a":{"x":1},"c":{"x":4}}`,
		"c:\n  <<:\n  x: 4\n":                                   `{"c":{"x":4}}`,
		"c: {<<: 1}\n":                                          "none",

		"a: &a 1\nb: *a\n*a : 2\n": `{"a":1,"b":1,"1":2}`,

		// An empty value is null in a block, and an empty string between brackets.
		"a:\nb: {c: , d}\ne:\n- \nf: !!str\n": `{"a":null,"b":{"c":"","d":""},"e":[null],"f":""}`,

		// A block that the text ends with.
		"a: |\n  x\n":              `{"a":"x\u0000"}`,
		"a: |+\n  x\n\n":           `{"a":"x\u0000"}`,
		"a: |-\n  x\n":             `{"a":"x"}`,
		"a: |-\n  x":               `{"a":"x"}`,
		"a: |\n  x":                `{"a":"x\u0000"}`,
		"a: &b |2\n   x\n  y":      `{"a":" x\ny"}`,
		"- >\n  x\n  y\n":          `["x y\u0000"]`,
		"a: |\n  x\nb: 1\n":        `{"a":"x\n","b":1}`,
		"- a: |\n    x \n":         `[{"a":"x \n"}]`,
		"a: |\n  x\n---\nb: 1\n":   `{"a":"x\u0000"}`,
		"a: &a |\n  x\nb: {c: *a}": `{"a":"x\n","b":{"c":"x\n"}}`,

		// A character of two units.
		"a: x\U0001F600y\nb: 1\n":          `{"a":"xØ3DÞ00y","b":1}`,
		"a: |\n  x\U0001F600\n  y\nb: 1\n": `{"a":"x😀\ny\n","b":1}`,

		"a: 1\n]\n": "none",
	} {
		got := "none"
		if v, _ := parseYAML(text, release.Default); v != nil {
			got = armjson.Text(v)
		}
		assert.Equal(t, want, got, "%q", text)
	}
}

func TestYAMLBomb(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n")
	for i := 1; i < 12; i++ {
		p, c := string(rune('a'+i-1)), string(rune('a'+i))
		_ = p
		b.WriteString(c + "0: &" + c + "0 [" + strings.Repeat("*"+p+"0,", 9) + "*" + p + "0]\n")
	}
	v, _ := parseYAML(b.String(), release.Default)
	assert.Nil(t, v, "a YAML bomb was unfolded")
}

// The line is that in the file, of what cannot be read or cannot be a value.
func TestLineOfYAML(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"a: 1\nb: [\nc: 2\nd: }\n":   2,
		"[1":                         1,
		"a: 1\nb:\n  ? [1]\n  : 2\n": 3,
		"a: 1\nb: 2\na: 3\n":         3,
		"":                           0,
		"a: 1\n\tb: 2\n":             2,
	} {
		v, line := parseYAML(text, release.Default)
		assert.Nil(t, v, "%q", text)
		assert.Equal(t, want, line, "%q", text)
	}
	v, line := parseJSON("{\n  \"a\": [1,\n  2\n  \"b\": 3 }")
	assert.Nil(t, v)
	assert.Equal(t, 4, line)
}

func TestYAMLNesting(t *testing.T) {
	t.Parallel()
	for depth, want := range map[int]bool{64: true, 65: false} {
		v, _ := parseYAML(strings.Repeat("[", depth)+strings.Repeat("]", depth), release.Default)
		assert.Equal(t, want, v != nil, "%d lists", depth)
	}
}

func FuzzYAML(f *testing.F) {
	f.Add("a: &x [1, {b: *x}]\n<<: {c: 0x1F}\n--- 2\n")
	f.Fuzz(func(t *testing.T, text string) { parseYAML(text, release.Default) })
}
