// Package murmur computes the 64-bit hash that ARM uses for template hashes and
// for uniqueString: MurmurHash with two 32-bit lanes.
package murmur

import (
	"encoding/binary"
	"math/bits"
)

const (
	c1 = 0x239b961b
	c2 = 0xab0e9789
)

// Hash is a hash in the making. The zero value is that of nothing.
type Hash struct {
	h1, h2 uint32
	n      uint32
	rest   [8]byte // the n%8 bytes that make no block yet
}

// Write adds bytes.
func (h *Hash) Write(b []byte) {
	used := h.n % 8
	h.n += uint32(len(b))
	if used > 0 {
		k := copy(h.rest[used:], b)
		if int(used)+k < 8 {
			return
		}
		h.blocks(h.rest[:])
		b = b[k:]
	}
	whole := len(b) &^ 7
	h.blocks(b[:whole])
	copy(h.rest[:], b[whole:])
}

// blocks adds blocks of eight bytes.
func (h *Hash) blocks(b []byte) {
	h1, h2 := h.h1, h.h2
	for len(b) >= 8 {
		k1 := binary.LittleEndian.Uint32(b)
		k2 := binary.LittleEndian.Uint32(b[4:])
		b = b[8:]
		h1 ^= bits.RotateLeft32(k1*c1, 15) * c2
		h1 = (bits.RotateLeft32(h1, 19)+h2)*5 + 0x561ccd1b
		h2 ^= bits.RotateLeft32(k2*c2, 17) * c1
		h2 = (bits.RotateLeft32(h2, 13)+h1)*5 + 0x0bcaa747
	}
	h.h1, h.h2 = h1, h2
}

// Sum returns the hash of what was written.
func (h *Hash) Sum() uint64 {
	h1, h2, b := h.h1, h.h2, h.rest[:h.n%8]
	if len(b) > 0 {
		h1 ^= bits.RotateLeft32(tail(b[:min(4, len(b))])*c1, 15) * c2
	}
	if len(b) > 4 {
		h2 ^= bits.RotateLeft32(tail(b[4:])*c2, 17) * c1
	}
	h1 ^= h.n
	h2 ^= h.n
	h1 += h2
	h2 += h1
	h1 = mix(h1)
	h2 = mix(h2)
	h1 += h2
	h2 += h1
	return uint64(h2)<<32 | uint64(h1)
}

// Sum returns the hash of b.
func Sum(b []byte) uint64 {
	var h Hash
	h.Write(b)
	return h.Sum()
}

func tail(b []byte) uint32 {
	var k uint32
	for i, c := range b {
		k |= uint32(c) << (8 * i)
	}
	return k
}

func mix(h uint32) uint32 {
	h ^= h >> 16
	h *= 0x85ebca6b
	h ^= h >> 13
	h *= 0xc2b2ae35
	return h ^ h>>16
}

// Base32 writes a hash in 13 letters, the highest five bits first, as uniqueString does.
func Base32(h uint64) string {
	const alphabet = "abcdefghijklmnopqrstuvwxyz234567"
	var out [13]byte
	for i := range out {
		out[i] = alphabet[h>>59]
		h <<= 5
	}
	return string(out[:])
}
