package eval

import (
	"math/big"
	"net/netip"
	"strconv"
	"strings"

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
	p, ok := parsePrefix(s)
	if !ok {
		return p, c.errorf("the string is not an address range such as 10.0.0.0/16")
	}
	return p.Masked(), nil
}

func parsePrefix(s string) (netip.Prefix, bool) {
	addr, bits, ok := strings.Cut(strings.TrimSpace(s), "/")
	if !ok {
		return netip.Prefix{}, false
	}
	a, err := netip.ParseAddr(addr)
	if err != nil || a.Zone() != "" {
		return netip.Prefix{}, false
	}
	n, ok := dotnet.Digits(bits)
	if !ok || n > a.BitLen() {
		return netip.Prefix{}, false
	}
	return netip.PrefixFrom(a, n), true
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

// parseCIDR describes a range. In version 6 there is no broadcast, and all
// addresses count as usable, though cidrHost begins with the second.
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
	set("network", first.String())
	set("netmask", mask.String())
	usableFirst, usableLast := first, last
	if first.Is4() {
		set("broadcast", last.String())
		if n.Cmp(big.NewInt(2)) > 0 {
			usableFirst = plus(first, big.NewInt(1))
			usableLast = plus(first, new(big.Int).Sub(n, big.NewInt(2)))
		}
	}
	set("firstUsable", usableFirst.String())
	set("lastUsable", usableLast.String())
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
	bits, err := c.int(1)
	if err != nil {
		return nil, err
	}
	index, err := c.int(2)
	if err != nil {
		return nil, err
	}
	if bits < int64(p.Bits()) || bits > int64(p.Addr().BitLen()) {
		return nil, c.errorf("a range of /%d is not within one of /%d", bits, p.Bits())
	}
	count := new(big.Int).Lsh(big.NewInt(1), uint(bits)-uint(p.Bits()))
	if index < 0 || big.NewInt(index).Cmp(count) >= 0 {
		return nil, c.errorf("there is no subnet %d: the range has %s of /%d", index, count, bits)
	}
	offset := new(big.Int).Lsh(big.NewInt(index), uint(int64(p.Addr().BitLen())-bits))
	return armjson.String(plus(p.Addr(), offset).String() + "/" + strconv.FormatInt(bits, 10)), nil
}

// cidrHost evaluates cidrHost(network, index): the usable address of that
// index, counted from 0.
func cidrHost(c *invocation) (Value, error) {
	p, err := c.network(0)
	if err != nil {
		return nil, err
	}
	index, err := c.int(1)
	if err != nil {
		return nil, err
	}
	n := size(p)
	first := int64(1)
	if n.Cmp(big.NewInt(2)) <= 0 {
		first = 0
	}
	usable := new(big.Int).Sub(n, big.NewInt(first))
	if p.Addr().Is4() {
		usable.Sub(usable, big.NewInt(first))
	}
	if index < 0 || big.NewInt(index).Cmp(usable) >= 0 {
		return nil, c.errorf("there is no usable address %d in the range", index)
	}
	return armjson.String(plus(p.Addr(), new(big.Int).Add(big.NewInt(index), big.NewInt(first))).String()), nil
}
