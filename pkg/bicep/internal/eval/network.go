package eval

import (
	"math"
	"math/big"
	"math/bits"
	"net/netip"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/dotnet"
)

// addNetwork adds the functions of IP address ranges.
func addNetwork(m map[string]builtin) {
	m["parsecidr"] = builtin{1, 1, parseCIDR}
	m["cidrsubnet"] = builtin{3, 3, cidrSubnet}
	m["cidrhost"] = builtin{2, 2, cidrHost}
}

// network reads argument i, an address range.
func (c *invocation) network(i int) (netip.Prefix, error) {
	s, err := c.str(i)
	if err != nil {
		return netip.Prefix{}, err
	}
	p, ok := readRange(s)
	if !ok {
		return p, c.errorf("the string is not an address range such as 10.0.0.0/16")
	}
	return p.Masked(), nil
}

// readRange reads an address range as the library does that ARM uses: what cannot be in one is left out first.
//
//	10.0.0.0/8, 10.0.0.0 8        an address and a length
//	10.0.0.0/255.0.0.0            an address and a mask
//	10.0.0.0                      the length of the class that the address had before lengths were written: 8, 16
//	                              or 24; of version 6 always 64
//	10.0.0/8, 8                   addresses as C reads them: the last number fills the bytes that are left (dotnet.IP)
//	10.0.0.0/8/9                  what follows is ignored
//	10.0.0.0/-8, fe80::%1/64      10.0.0.0/8 and fe80::1/64: the other characters are left out
func readRange(s string) (netip.Prefix, bool) {
	parts := strings.FieldsFunc(strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && (isHex(byte(r)) || strings.ContainsRune("./: ", r)) {
			return r
		}
		return -1
	}, strings.TrimSpace(s)), func(r rune) bool { return r == ' ' || r == '/' })
	if len(parts) == 0 {
		return netip.Prefix{}, false
	}
	a, ok := dotnet.IP(parts[0])
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
	m, ok := dotnet.IP(s)
	if !ok || m.BitLen() != size {
		return 0, false
	}
	n := 0
	for _, b := range m.AsSlice() {
		n += bits.OnesCount8(b)
	}
	return n, netmask(netip.PrefixFrom(m, n)) == m
}

// plus returns the address that many places after a.
func plus(a netip.Addr, n *big.Int) netip.Addr {
	sum := new(big.Int).SetBytes(a.AsSlice())
	sum.Add(sum, n)
	b := make([]byte, a.BitLen()/8)
	sum.FillBytes(b)
	out, _ := netip.AddrFromSlice(b)
	return out
}

// size returns how many addresses a range of that many bits has.
func size(p netip.Prefix) *big.Int {
	return new(big.Int).Lsh(big.NewInt(1), uint(p.Addr().BitLen()-p.Bits()))
}

// parseCIDR describes a range. In version 6 there is no broadcast, and all addresses count as usable, though
// cidrHost begins with the second. In version 4 a range of two addresses has one usable address, the first.
func parseCIDR(c *invocation) (Value, error) {
	p, err := c.network(0)
	if err != nil {
		return nil, err
	}
	first := p.Addr()
	n := size(p)
	last := plus(first, new(big.Int).Sub(n, big.NewInt(1)))
	mask := netmask(p)
	o := armjson.NewObject()
	set := func(k, v string) { o.Set(k, armjson.String(v)) }
	set("network", dotnet.IPText(first))
	set("netmask", dotnet.IPText(mask))
	usableFirst, usableLast := first, last
	if first.Is4() {
		set("broadcast", dotnet.IPText(last))
		usableLast = first
		if n.Cmp(big.NewInt(2)) > 0 {
			usableFirst = plus(first, big.NewInt(1))
			usableLast = plus(first, new(big.Int).Sub(n, big.NewInt(2)))
		}
	}
	set("firstUsable", dotnet.IPText(usableFirst))
	set("lastUsable", dotnet.IPText(usableLast))
	o.Set("cidr", armjson.Int(int64(p.Bits())))
	return o, nil
}

func netmask(p netip.Prefix) netip.Addr {
	b := make([]byte, p.Addr().BitLen()/8)
	for i := range p.Bits() {
		b[i/8] |= 0x80 >> (i % 8)
	}
	a, _ := netip.AddrFromSlice(b)
	return a
}

// cidrSubnet evaluates cidrSubnet(network, bits, index): the index-th range of
// that many bits within a range.
func cidrSubnet(c *invocation) (Value, error) {
	p, err := c.network(0)
	if err != nil {
		return nil, err
	}
	length, err := c.int(1)
	if err != nil {
		return nil, err
	}
	index, err := c.int(2)
	if err != nil {
		return nil, err
	}
	if length < int64(p.Bits()) || length > int64(p.Addr().BitLen()) {
		return nil, c.errorf("a range of /%d is not within one of /%d", length, p.Bits())
	}
	count := new(big.Int).Lsh(big.NewInt(1), uint(length)-uint(p.Bits()))
	if index < 0 || big.NewInt(index).Cmp(count) >= 0 {
		return nil, c.errorf("there is no subnet %d: the range has %s of /%d", index, count, length)
	}
	offset := new(big.Int).Lsh(big.NewInt(index), uint(int64(p.Addr().BitLen())-length))
	return armjson.String(dotnet.IPText(plus(p.Addr(), offset)) + "/" + strconv.FormatInt(length, 10)), nil
}

// cidrHost evaluates cidrHost(network, index): the address of that index, counted from 0 behind the first of the
// range, which is -1, up to the last but one. So ranges of one or two addresses have none. They would in version 6, but the
// rule is that of version 4.
func cidrHost(c *invocation) (Value, error) {
	p, err := c.network(0)
	if err != nil {
		return nil, err
	}
	index, err := c.int(1)
	if err != nil {
		return nil, err
	}
	usable := new(big.Int).Sub(size(p), big.NewInt(2))
	if index < -1 || index > math.MaxInt32 || usable.Sign() <= 0 || big.NewInt(index).Cmp(usable) >= 0 {
		return nil, c.errorf("there is no usable address %d in the range", index)
	}
	return armjson.String(dotnet.IPText(plus(p.Addr(), big.NewInt(index+1)))), nil
}
