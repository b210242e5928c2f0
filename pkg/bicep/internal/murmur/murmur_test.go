package murmur_test

import (
	"testing"

	"github.com/radbicep/rad/pkg/bicep/internal/murmur"
)

func TestUniqueString(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"snap-crackle-pop": "byghxckddilkc",
		"asd-asdf-asdf":    "iizpqit7ih3cc",
		"a-b":              "i3z4v3sp6aooa",
	} {
		if got := murmur.Base32(murmur.Sum([]byte(in))); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

func BenchmarkSum(b *testing.B) {
	buf := make([]byte, 1<<20)
	b.SetBytes(int64(len(buf)))
	for b.Loop() {
		murmur.Sum(buf)
	}
}
