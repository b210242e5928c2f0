package armjson_test

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
)

// TestIsText: a text is what is written as it is.
func TestIsText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"": true, "a": true, "é😀": true, "\ufffd": true,
		"\xff": false, "a\xc3": false, "\xed\xa0\x80": false, "\xed\xb0\x80": false, "\xed\xb0\x80\xed\xa0\x80": false,
		"x\xed\xa0\xbd\xed\xb8\x80y":           true, // a pair, which is written as one character
		"\xed\xa0\xbd\xed\xb8\x80\xed\xa0\xbd": false,
	} {
		require.Equal(t, want, armjson.IsText(text), "%q", text)
		written := armjson.AppendString(nil, text)
		require.True(t, utf8.Valid(written))
		if want && utf8.ValidString(text) {
			require.Equal(t, `"`+text+`"`, string(written))
		}
	}
}
