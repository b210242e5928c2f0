package armjson_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
)

func TestParseThenPrintCompact(t *testing.T) {
	t.Parallel()
	relaxed := armjson.Options{Relaxed: true}
	for _, c := range []struct {
		name, in, want string
		o              armjson.Options
	}{
		{"scalars", ` [ null , true,false, 0, -1, 12.50e+3, "x" ] `, `[null,true,false,0,-1,12.50e+3,"x"]`, armjson.Options{}},
		{"number text is kept", `1.10`, `1.10`, armjson.Options{}},
		{"order of members", `{"b":1,"a":2,"c":{}}`, `{"b":1,"a":2,"c":{}}`, armjson.Options{}},
		{"last duplicate in the first place", `{"a":1,"b":2,"a":3}`, `{"a":3,"b":2}`, armjson.Options{}},
		{"escapes in", `"\"\\\/\b\f\n\r\t\u0041"`, `"\"\\/\b\f\n\r\tA"`, armjson.Options{}},
		{"escapes out", "\"\\u0000\\u001f\u007f\u0085\u2028\u2029<>&'é\"", "\"\\u0000\\u001f\u007f\\u0085\\u2028\\u2029<>&'é\"", armjson.Options{}},
		{"surrogate pair", `"\ud83d\ude00"`, `"😀"`, armjson.Options{}},
		{"lone surrogate", `"a\ud83dz\ude00"`, "\"a\ufffdz\ufffd\"", armjson.Options{}},
		{"two high surrogates, then a low one", `"\ud83d\ud83d\ude00"`, "\"\ufffd😀\"", armjson.Options{}},
		{"byte order mark", "\ufeff{}", `{}`, armjson.Options{}},
		{"comments", "/* a */ { // b\n \"x\" /* c */ : /**/ 1 } // end", `{"x":1}`, armjson.Options{Comments: true}},
		{"trailing commas", `{"a":[1,2,],}`, `{"a":[1,2]}`, armjson.Options{TrailingCommas: true}},
		{"relaxed names and quotes", `{a: 'b"c', 'd': "e'", $f_1: 'it\'s',}`, `{"a":"b\"c","d":"e'","$f_1":"it's"}`, relaxed},
		{"relaxed numbers", `[0x1F, 010, 1.50, 1e3, 1e15, 123456789012345680.0, 0.0001, 0.00001, 12345678901234567890, .5, -0]`,
			`[31,8,1.5,1000.0,1E+15,1.2345678901234568E+17,0.0001,1E-05,12345678901234567890,0.5,0]`, relaxed},
		{"relaxed words for numbers", `[NaN, Infinity, -Infinity]`, `["NaN","Infinity","-Infinity"]`, relaxed},
		{"the last duplicate in its own place", `{"a":1,"b":{"c":1,"c":2},"a":3,"d":4,"a":5,"b":6}`, `{"d":4,"a":5,"b":6}`, armjson.Options{Untyped: true}},
		{"open at the end", `{"a":[1,{"b":2`, `{"a":[1,{"b":2}]}`, armjson.Options{Untyped: true}},
		{"relaxed line break in a string", "'a\nb'", `"a\nb"`, relaxed},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			v, err := armjson.Parse(c.in, c.o)
			require.NoError(t, err)
			assert.Equal(t, c.want, armjson.Text(v))
		})
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in string
		at int
	}{
		{``, 0}, {`  `, 2}, {`{`, 1}, {`[1 2]`, 3}, {`[1,]`, 3}, {`{"a":1,}`, 7}, {`{a:1}`, 1}, {`"abc`, 0}, {`"a\x"`, 2},
		{`"\u12g4"`, 1}, {`01`, 0}, {`1.`, 0}, {`-`, 0}, {`1e`, 0}, {`1x`, 0}, {`tru`, 0}, {`truex`, 0}, {`{} {}`, 3}, {`// c`, 0},
		{"\"a\nb\"", 2}, {`'a'`, 0}, {`{"a" 1}`, 5}, {`]`, 0}, {`"a\`, 0},
	} {
		v, err := armjson.Parse(c.in, armjson.Options{})
		var se *armjson.SyntaxError
		if !errors.As(err, &se) {
			t.Errorf("%q: parsed as %s", c.in, armjson.Text(v))
		} else if se.Offset != c.at {
			t.Errorf("%q: offset %d, want %d (%v)", c.in, se.Offset, c.at, err)
		}
	}
	_, err := armjson.Parse(strings.Repeat("[", 4)+strings.Repeat("]", 4), armjson.Options{MaxDepth: 3})
	assert.Error(t, err, "nesting of 4 passes a limit of 3")
	_, err = armjson.Parse(strings.Repeat("[", 4)+strings.Repeat("]", 4), armjson.Options{MaxDepth: 4})
	assert.NoError(t, err)
	_, err = armjson.Parse(strings.Repeat(`{"a":`, 1_000_000), armjson.Options{})
	assert.Error(t, err, "endless nesting is parsed")
}

func TestDuplicatesAreReported(t *testing.T) {
	t.Parallel()
	var many strings.Builder
	many.WriteString(`{"k0":0`)
	for range 20 {
		many.WriteString(`,"k`)
		many.WriteString(strings.Repeat("x", many.Len()%37))
		many.WriteString(`":0`)
	}
	many.WriteString(`,"k0":9}`)
	var got []string
	v, err := armjson.Parse(many.String(), armjson.Options{OnDuplicate: func(name string, at int) {
		assert.True(t, strings.HasPrefix(many.String()[at:], `"`+name+`"`), "offset %d is not that of %q", at, name)
		got = append(got, name)
	}})
	require.NoError(t, err)
	require.NotEmpty(t, got, "duplicates: %q", got)
	require.Equal(t, "k0", got[len(got)-1], "duplicates: %q", got)
	k0, _ := v.(*armjson.Object).Get("k0")
	assert.True(t, k0 == armjson.Number("9"), "k0 is %v", k0)
}

// However many members there are, superseded ones leave no trace.
func TestManyDuplicatesMoveToTheEnd(t *testing.T) {
	t.Parallel()
	text := "{"
	for i := range 100 {
		text += fmt.Sprintf("\"k%d\": %d, ", i%40, i)
	}
	v, err := armjson.Parse(text+"\"k99\": 0}", armjson.Options{Untyped: true})
	require.NoError(t, err)
	o := v.(*armjson.Object)
	if o.Len() != 41 || o.At(0).Key != "k20" || o.At(39).Key != "k19" || o.At(40).Key != "k99" {
		t.Errorf("got %s", armjson.Text(o))
	}
	for i, want := range map[int]string{0: "80", 19: "99", 20: "60", 39: "79"} {
		got, _ := o.Get(fmt.Sprintf("k%d", i))
		assert.True(t, got == armjson.Number(want), "k%d is %v, want %s", i, got, want)
	}
}

func TestIndented(t *testing.T) {
	t.Parallel()
	const want = "{\n  \"a\": [],\n  \"b\": {},\n  \"c\": [\n    1,\n    {\n      \"d\": null\n    }\n  ]\n}"
	v, err := armjson.Parse(`{"a":[],"b":{},"c":[1,{"d":null}]}`, armjson.Options{})
	require.NoError(t, err)
	assert.Equal(t, want, string(armjson.Append(nil, v, armjson.Indented)))
	deep, _ := armjson.Parse(strings.Repeat("[", 60)+"1"+strings.Repeat("]", 60), armjson.Options{})
	lines := strings.Split(string(armjson.Append(nil, deep, armjson.Indented)), "\n")
	assert.Equal(t, strings.Repeat("  ", 60)+"1", lines[60], "line 60")
}

func TestSurrogatesThatMeetAreOneCharacter(t *testing.T) {
	t.Parallel()
	a, _ := armjson.Parse(`"\ud83d"`, armjson.Options{})
	b, _ := armjson.Parse(`"\ude00"`, armjson.Options{})
	assert.Equal(t, `"😀"`, armjson.Text(a.(armjson.String)+b.(armjson.String)))
}

func TestEqual(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`1`, `1.0`, true}, {`1e2`, `100`, true}, {`1`, `2`, false}, {`1`, `"1"`, false}, {`1e999999999`, `1e999999998`, true},
		{`{"a":1,"b":[2]}`, `{"b":[2],"a":1}`, true}, {`{"a":1}`, `{"A":1}`, false}, {`{"a":1}`, `{"a":1,"b":2}`, false},
		{`[1,2]`, `[2,1]`, false}, {`[]`, `[]`, true}, {`null`, `null`, true}, {`null`, `false`, false}, {`"a"`, `"A"`, false}, {`true`, `true`, true},
	} {
		a, _ := armjson.Parse(c.a, armjson.Options{})
		b, _ := armjson.Parse(c.b, armjson.Options{})
		require.Equal(t, c.want, armjson.Equal(a, b), "%s and %s", c.a, c.b)
		require.Equal(t, c.want, armjson.Equal(b, a), "%s and %s", c.a, c.b)
	}
}

func TestObjectKeepsItsIndexRight(t *testing.T) {
	t.Parallel()
	o := armjson.NewObject()
	for i := range 40 {
		o.Set(string(rune('A'+i)), armjson.Int(int64(i)))
	}
	o.Delete("C")
	o.Set("E", armjson.Int(-1))
	if o.Len() != 39 || o.Find("C") != -1 || o.At(3).Key != "E" || o.At(3).Value != armjson.Int(-1) {
		t.Errorf("%s", armjson.Text(o))
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"a":[1,-2.5e3,"\ud83d\ude00",null,true]}`, `// x` + "\n[1,]", `{a:'b'}`, "\"\xed\xa0\x80\"", `0x1f`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, o := range []armjson.Options{{}, {Comments: true, TrailingCommas: true}, {Relaxed: true}} {
			v, err := armjson.Parse(s, o)
			if err != nil {
				continue
			}
			for _, indent := range []string{armjson.Compact, armjson.Indented} {
				out := armjson.Append(nil, v, indent)
				require.True(t, utf8.Valid(out), "%q is printed as %q, which is not UTF-8", s, out)
				again, err := armjson.ParseBytes(out, armjson.Options{})
				require.NoError(t, err, "%q is printed as %q", s, out)
				require.Equal(t, string(out), string(armjson.Append(nil, again, indent)), "%q", out)
			}
		}
	})
}

func big() string {
	var b strings.Builder
	b.WriteString(`{"resources":[`)
	for i := range 2000 {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`{"type":"Microsoft.Storage/storageAccounts","apiVersion":"2023-01-01","name":"[format('{0}-{1}', parameters('name'), 12)]","properties":{"a":true,"n":12345,"list":["x","y\n"]}}`)
	}
	b.WriteString(`]}`)
	return b.String()
}

func BenchmarkParse(b *testing.B) {
	s := big()
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := armjson.Parse(s, armjson.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendIndented(b *testing.B) {
	v, err := armjson.Parse(big(), armjson.Options{})
	require.NoError(b, err)
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf = armjson.Append(buf[:0], v, armjson.Indented)
	}
	b.SetBytes(int64(len(buf)))
}

func TestOpenAtTheEnd(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"a": [1, {"b": 2`: `{"a":[1,{"b":2}]}`,
		`[1`:                `[1]`,
		`[1,`:               "error",
		`[`:                 "error",
		`[[1]`:              `[[1]]`,
		`[{`:                "error",
		`{"a":`:             "error",
		`{"a"`:              "error",
		`{"a": 1`:           `{"a":1}`,
		`{"a": 1,`:          "error",
		`{`:                 "error",
		`{"a": "x`:          "error",
		``:                  "error",
		`[1}`:               "error",
	} {
		got := "error"
		if v, err := armjson.Parse(text, armjson.Options{Untyped: true}); err == nil {
			got = armjson.Text(v)
		}
		assert.Equal(t, want, got, text)
		if v, err := armjson.Parse(text, armjson.Options{Relaxed: true}); err == nil {
			t.Errorf("%s: taken without the option, as %s", text, armjson.Text(v))
		}
	}
}

func TestTrailing(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{`"a" : 1}`: `"a"`, `{"b": 2} x`: `{"b":2}`, `[1]]`: `[1]`, `x`: "error"} {
		got := "error"
		if v, err := armjson.Parse(text, armjson.Options{Trailing: true}); err == nil {
			got = armjson.Text(v)
		}
		assert.Equal(t, want, got, text)
	}
}
