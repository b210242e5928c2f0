package dotnet

import (
	"math/big"
	"math/bits"
	"net/netip"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ReadRange reads an address range as the library does that ARM uses: what cannot be in one is left out first.
//
//	10.0.0.0/8, 10.0.0.0 8        an address and a length
//	10.0.0.0/255.0.0.0            an address and a mask
//	10.0.0.0                      the length of the class that the address had before lengths were written: 8, 16
//	                              or 24; of version 6 always 64
//	10.0.0/8, 8                   addresses as C reads them: the last number fills the bytes that are left (IP)
//	10.0.0.0/8/9                  what follows is ignored
//	10.0.0.0/-8, fe80::%1/64      10.0.0.0/8 and fe80::1/64: the other characters are left out
func ReadRange(s string) (netip.Prefix, bool) {
	parts := strings.FieldsFunc(strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && (IsHex(byte(r)) || strings.ContainsRune("./: ", r)) {
			return r
		}
		return -1
	}, strings.TrimSpace(s)), func(r rune) bool { return r == ' ' || r == '/' })
	if len(parts) == 0 {
		return netip.Prefix{}, false
	}
	a, ok := IP(parts[0])
	if !ok {
		return netip.Prefix{}, false
	}
	length := 0
	if len(parts) == 1 {
		length = classOf(a)
	} else if n, err := strconv.ParseUint(parts[1], 10, 8); err == nil {
		length = int(n)
	} else if length, ok = maskLength(parts[1], a.BitLen()); !ok {
		return netip.Prefix{}, false
	}
	if length < 0 || length > a.BitLen() {
		return netip.Prefix{}, false
	}
	return netip.PrefixFrom(a, length), true
}

// classOf returns how many bits of an address named the network when networks had classes; -1 if none.
func classOf(a netip.Addr) int {
	if !a.Is4() {
		return 64
	}
	switch first := a.As4()[0]; {
	case first < 128:
		return 8
	case first < 192:
		return 16
	case first < 224:
		return 24
	}
	return -1
}

// maskLength returns how many bits of a mask are set, which must be the first.
func maskLength(s string, size int) (int, bool) {
	m, ok := IP(s)
	if !ok || m.BitLen() != size {
		return 0, false
	}
	n := 0
	for _, b := range m.AsSlice() {
		n += bits.OnesCount8(b)
	}
	return n, Netmask(netip.PrefixFrom(m, n)) == m
}

// Plus returns the address that many places after a.
func Plus(a netip.Addr, n *big.Int) netip.Addr {
	sum := new(big.Int).SetBytes(a.AsSlice())
	sum.Add(sum, n)
	b := make([]byte, a.BitLen()/8)
	sum.FillBytes(b)
	out, _ := netip.AddrFromSlice(b)
	return out
}

// Size returns how many addresses a range of that many bits has.
func Size(p netip.Prefix) *big.Int {
	return new(big.Int).Lsh(big.NewInt(1), uint(p.Addr().BitLen()-p.Bits()))
}

// Netmask returns the mask of a range.
func Netmask(p netip.Prefix) netip.Addr {
	b := make([]byte, p.Addr().BitLen()/8)
	for i := range p.Bits() {
		b[i/8] |= 0x80 >> (i % 8)
	}
	a, _ := netip.AddrFromSlice(b)
	return a
}
