package dotnet

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// IP reads an address as IPAddress.Parse does. Of version 4 it takes what C's inet_aton takes: one to four numbers,
// of which the last fills the bytes that are left, in octal after a 0 and in base sixteen after 0x. 10.1 is
// 10.0.0.1, and 010.0.0.1 is 8.0.0.1.
func IP(s string) (netip.Addr, bool) {
	if strings.Contains(s, ":") {
		a, err := netip.ParseAddr(s)
		return a, err == nil && a.Zone() == ""
	}
	parts := strings.Split(s, ".")
	if len(parts) > 4 {
		return netip.Addr{}, false
	}
	var sum uint64
	for i, p := range parts {
		if p == "" || p[0] < '0' || p[0] > '9' || strings.ContainsAny(p, "_oObB") {
			return netip.Addr{}, false
		}
		limit := uint64(256)
		if i == len(parts)-1 {
			limit = 1 << (8 * (5 - len(parts)))
		}
		n, err := strconv.ParseUint(p, 0, 32)
		if err != nil || n >= limit {
			return netip.Addr{}, false
		}
		if i == len(parts)-1 {
			sum += n
		} else {
			sum += n << (8 * (3 - i))
		}
	}
	return netip.AddrFrom4([4]byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)}), true
}

// IPText writes an address as IPAddress.ToString does: as usual, except that version 6 ends with an address of
// version 4 where it holds one in one of the ways that are, or were, defined for that.
func IPText(a netip.Addr) string {
	if a.Is4() {
		return a.String()
	}
	b := a.As16()
	group := func(i int) int { return int(b[2*i])<<8 | int(b[2*i+1]) }
	four, five := group(4), group(5)
	zeros := group(0)|group(1)|group(2)|group(3) == 0 && group(6) != 0
	last := fmt.Sprintf("%d.%d.%d.%d", b[12], b[13], b[14], b[15])
	switch {
	case zeros && four == 0 && five == 0xFFFF:
		return "::ffff:" + last
	case a.Is4In6():
		return fmt.Sprintf("::ffff:0:%x", group(7))
	case zeros && five == 0 && (four == 0 || four == 0xFFFF), four == 0 && five == 0x5EFE:
		copy(b[12:], []byte{0, 1, 0, 1}) // so that no zeros before them are left out with zeros here
		return strings.TrimSuffix(netip.AddrFrom16(b).String(), "1:1") + last
	}
	return a.String()
}
