package eval

import (
	"math"
	"math/big"
	"net/netip"
	"strconv"

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
	p, ok := dotnet.ReadRange(s)
	if !ok {
		return p, c.errorf("the string is not an address range such as 10.0.0.0/16")
	}
	return p.Masked(), nil
}

// parseCIDR describes a range. In version 6 there is no broadcast, and all addresses count as usable, though
// cidrHost begins with the second. In version 4 a range of two addresses has one usable address, the first.
func parseCIDR(c *invocation) (Value, error) {
	p, err := c.network(0)
	if err != nil {
		return nil, err
	}
	first := p.Addr()
	n := dotnet.Size(p)
	last := dotnet.Plus(first, new(big.Int).Sub(n, big.NewInt(1)))
	mask := dotnet.Netmask(p)
	o := armjson.NewObject()
	set := func(k, v string) { o.Set(k, armjson.String(v)) }
	set("network", dotnet.IPText(first))
	set("netmask", dotnet.IPText(mask))
	usableFirst, usableLast := first, last
	if first.Is4() {
		set("broadcast", dotnet.IPText(last))
		usableLast = first
		if n.Cmp(big.NewInt(2)) > 0 {
			usableFirst = dotnet.Plus(first, big.NewInt(1))
			usableLast = dotnet.Plus(first, new(big.Int).Sub(n, big.NewInt(2)))
		}
	}
	set("firstUsable", dotnet.IPText(usableFirst))
	set("lastUsable", dotnet.IPText(usableLast))
	o.Set("cidr", armjson.Int(int64(p.Bits())))
	return o, nil
}

// cidrSubnet evaluates cidrSubnet(network, bits, index): the index-th range of
// that many bits within a range.
func cidrSubnet(c *invocation) (Value, error) {
	p, length, err := args2(c.network, c.int)
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
	return armjson.String(dotnet.IPText(dotnet.Plus(p.Addr(), offset)) + "/" + strconv.FormatInt(length, 10)), nil
}

// cidrHost evaluates cidrHost(network, index): the address of that index, counted from 0 behind the first of the
// range, which is -1, up to the last but one. So ranges of one or two addresses have none. They would in version 6, but the
// rule is that of version 4.
func cidrHost(c *invocation) (Value, error) {
	p, index, err := args2(c.network, c.int)
	if err != nil {
		return nil, err
	}
	usable := new(big.Int).Sub(dotnet.Size(p), big.NewInt(2))
	if index < -1 || index > math.MaxInt32 || usable.Sign() <= 0 || big.NewInt(index).Cmp(usable) >= 0 {
		return nil, c.errorf("there is no usable address %d in the range", index)
	}
	return armjson.String(dotnet.IPText(dotnet.Plus(p.Addr(), big.NewInt(index+1)))), nil
}
