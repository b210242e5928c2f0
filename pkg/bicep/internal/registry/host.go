package registry

import (
	"net"
	"net/netip"
	"net/url"
	"strings"
)

// hostname returns a host without its port, in lower case.
func hostname(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

// IsLoopback reports whether a host, with or without a port, is this machine. Only
// there plain HTTP is spoken.
func IsLoopback(host string) bool {
	name := hostname(host)
	if name == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(name)
	return err == nil && addr.Unmap().IsLoopback()
}

// isPrivate reports whether an address is reached from inside only: of this machine,
// of a private network, or one that clouds keep for themselves.
func isPrivate(addr netip.Addr) bool {
	addr = addr.Unmap()
	return addr.IsLoopback() || addr.IsPrivate() || addr.IsLinkLocalUnicast() || addr.IsLinkLocalMulticast() ||
		addr.IsUnspecified() || carrierNAT.Contains(addr)
}

// carrierNAT holds addresses between private and public ones (RFC 6598).
var carrierNAT = netip.PrefixFrom(netip.AddrFrom4([4]byte{100, 64}), 10)

// origin is the scheme, host and port of a URL.
func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = "443"
		if u.Scheme == "http" {
			port = "80"
		}
	}
	return strings.ToLower(u.Scheme) + "://" + hostname(u.Host) + ":" + port
}

// azureSuffixes are those of Azure's registries, by the name of the cloud in which
// tokens for them are made.
var azureSuffixes = []struct{ suffix, cloud string }{
	{".azurecr.io", "AzureCloud"},
	{".azurecr.cn", "AzureChinaCloud"},
	{".azurecr.us", "AzureUSGovernment"},
}

// azureCloud returns the cloud of a registry of Azure, or "" for any other host.
func azureCloud(host string) string {
	name := hostname(host)
	if strings.Contains(host, ":") && !strings.HasSuffix(host, ":443") {
		return "" // Azure's registries have no other port
	}
	for _, s := range azureSuffixes {
		label, ok := strings.CutSuffix(name, s.suffix)
		if ok && label != "" && validLabels(label) {
			return s.cloud
		}
	}
	return ""
}

// validLabels reports whether a name is made of letters, digits, hyphens and dots.
func validLabels(name string) bool {
	for i := 0; i < len(name); i++ {
		c := name[i]
		if !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '.' && i > 0) {
			return false
		}
	}
	return true
}
