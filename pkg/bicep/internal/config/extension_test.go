package config

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSetExtension(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, before, was, after string }{
		{"nothing", "", "", "{\n  \"extensions\": {\n    \"radius\": \"a.tgz\"\n  }\n}\n"},
		{"replaced", "{\n\t\"extensions\": {\n\t\t\"radius\": \"br:x.io/radius:1\",\n\t\t\"aws\": \"br:y\"\n\t}\n}", "br:x.io/radius:1",
			"{\n\t\"extensions\": {\n\t\t\"radius\": \"a.tgz\",\n\t\t\"aws\": \"br:y\"\n\t}\n}"},
		{"first of several", "{\r\n  \"extensions\": {\r\n    \"aws\": \"br:y\"\r\n  }\r\n}\r\n", "",
			"{\r\n  \"extensions\": {\r\n    \"radius\": \"a.tgz\",\r\n    \"aws\": \"br:y\"\r\n  }\r\n}\r\n"},
		{"no extensions", "{\n  // keep\n  \"formatting\": {}\n}\n", "",
			"{\n  \"extensions\": {\n    \"radius\": \"a.tgz\"\n  },\n  // keep\n  \"formatting\": {}\n}\n"},
		{"empty object", "{}", "", `{"extensions": {"radius": "a.tgz"}}`},
		{"empty object of two lines", "{\n}\n", "", "{\n  \"extensions\": {\"radius\": \"a.tgz\"}\n}\n"},
		{"empty extensions", "{\n\t\"extensions\": {\n\t}\n}", "", "{\n\t\"extensions\": {\n\t  \"radius\": \"a.tgz\"\n\t}\n}"},
		{"one line", `{"extensions":{"aws":"br:y"},"x":{"radius":"z"}}`, "", `{"extensions":{"radius": "a.tgz", "aws":"br:y"},"x":{"radius":"z"}}`},
		{"comments", "/* {\"extensions\" */{ \"extensions\" /* : */ : // {\n { /* a */ \"radius\" /*b*/:/*c*/ \"q\\\"\" /*d*/ } }", `q"`,
			"/* {\"extensions\" */{ \"extensions\" /* : */ : // {\n { /* a */ \"radius\" /*b*/:/*c*/ \"a.tgz\" /*d*/ } }"},
		{"byte order mark", "\ufeff{\"extensions\":{\"radius\":\"q\"}}", "q", "\ufeff{\"extensions\":{\"radius\":\"a.tgz\"}}"},
		{"twice", `{"extensions":{"radius":"1"},"extensions":{"aws":"2"}}`, "", `{"extensions":{"radius":"1"},"extensions":{"radius": "a.tgz", "aws":"2"}}`},
		{"comment at the end", "{}// end", "", `{"extensions": {"radius": "a.tgz"}}// end`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			was, err := NamedExtension([]byte(c.before), "radius")
			require.NoError(t, err)
			assert.Equal(t, c.was, was)
			after, err := SetExtension([]byte(c.before), "radius", "a.tgz")
			require.NoError(t, err)
			assert.Equal(t, c.after, string(after))
			was, err = NamedExtension(after, "radius")
			require.NoError(t, err)
			assert.Equal(t, "a.tgz", was)
		})
	}
	for _, bad := range []string{"[]", "{", `{"extensions": []}`, `{"extensions": {"radius": {}}}`, "// nothing"} {
		_, err := SetExtension([]byte(bad), "radius", "a.tgz")
		require.Error(t, err, bad)
	}
}
