package murmur_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/murmur"
)

func TestUniqueString(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"snap-crackle-pop": "byghxckddilkc",
		"asd-asdf-asdf":    "iizpqit7ih3cc",
		"a-b":              "i3z4v3sp6aooa",
	} {
		assert.Equal(t, want, murmur.Base32(murmur.Sum([]byte(in))), in)
	}
}

func TestPieces(t *testing.T) {
	t.Parallel()
	b := make([]byte, 100)
	for i := range b {
		b[i] = byte(i * 37)
	}
	for first := range b {
		for _, second := range []int{first, first + (len(b)-first)/2, len(b)} {
			var h murmur.Hash
			h.Write(b[:first])
			h.Write(b[first:second])
			h.Write(b[second:])
			require.Equal(t, murmur.Sum(b), h.Sum(), "in pieces of %d, %d and %d bytes: another hash", first, second-first, len(b)-second)
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
