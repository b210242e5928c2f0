package registry

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"syscall"
)

// refusePrivate keeps a connection from being made to an address of the inner
// network. It sees the address that a name stands for at that moment.
func refusePrivate(_ context.Context, _, address string, _ syscall.RawConn) error {
	if addr, err := netip.ParseAddrPort(address); err == nil && isPrivate(addr.Addr()) {
		return &ruleError{"it leads to the private address " + addr.Addr().String()}
	}
	return nil
}

// isProxy reports whether an address is that of a proxy which the environment names.
func isProxy(addr string) bool {
	for _, name := range []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"} {
		v := os.Getenv(name)
		if v == "" {
			continue
		}
		if !strings.Contains(v, "://") {
			v = "http://" + v
		}
		u, err := url.Parse(v)
		if err != nil {
			continue
		}
		port := u.Port()
		if port == "" {
			port = map[string]string{"https": "443", "socks5": "1080", "socks5h": "1080"}[u.Scheme]
			port = cmp.Or(port, "80")
		}
		if strings.EqualFold(net.JoinHostPort(u.Hostname(), port), addr) {
			return true
		}
	}
	return false
}

// proxyFor names the proxy through which a host is reached, or "".
func proxyFor(host string) string {
	if IsLoopback(host) {
		return ""
	}
	u, err := http.ProxyFromEnvironment(&http.Request{URL: &url.URL{Scheme: "https", Host: host}})
	if err != nil || u == nil {
		return ""
	}
	return u.Host
}
