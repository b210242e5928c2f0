package source_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/radbicep/rad/pkg/bicep/source"
)

func TestDecode(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ data, encoding, want string }{
		{"héllo", "", "héllo"},
		{"\xef\xbb\xbfa", "us-ascii", "a"},
		{"\xff\xfea\x00\x3d\xd8\x00\xde", "", "a😀"},
		{"\xfe\xff\x00a", "utf-8", "a"},
		{"a\x00b", "utf-16", "a\ufffd"},
		{"\x00a", "utf-16BE", "a"},
		{"\xff\xfe\x00\x00a\x00\x00\x00", "", "a"},
		{"\x00\x00\xfe\xff\x00\x00\x00a", "", "a"},
		{"caf\xe9", "iso-8859-1", "café"},
		{"caf\xe9", "us-ascii", "caf?"},
		// one replacement for what breaks off, one for each byte that begins nothing
		{"a\xe2\x82b", "", "a\ufffdb"},
		{"\xf0\x9f\x98", "", "\ufffd"},
		{"\xc0\x80", "", "\ufffd\ufffd"},
		{"\xed\xa0\x80", "", "\ufffd\ufffd\ufffd"},
		{"\x80\xff", "", "\ufffd\ufffd"},
	} {
		assert.Equal(t, test.want, source.Decode([]byte(test.data), test.encoding), "%q as %q", test.data, test.encoding)
	}
}
