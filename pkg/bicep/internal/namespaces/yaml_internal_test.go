package namespaces

import (
	"strings"
	"testing"

	"github.com/radbicep/rad/pkg/armjson"
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
		"[0o17, 1_000, 0b1, -, +-1]":    `[15,"1_000","0b1","-","+-1"]`,
		"{\"a\": 1, \"a\": 2}":          "none",
		"":                              "none",
		"~":                             "none",
		"a: [1\nb: }":                   "none",
		"a: 1\n---\nb: [":               "none",
		"a: &a [*a]":                    "none",
	} {
		got := "none"
		if v, ok := parseYAML(text); ok {
			got = armjson.Text(v)
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
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
	if _, ok := parseYAML(b.String()); ok {
		t.Error("a YAML bomb was unfolded")
	}
}

func FuzzYAML(f *testing.F) {
	f.Add("a: &x [1, {b: *x}]\n<<: {c: 0x1F}\n--- 2\n")
	f.Fuzz(func(t *testing.T, text string) { parseYAML(text) })
}
