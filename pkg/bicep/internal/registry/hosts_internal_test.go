package registry

import (
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// runAlone runs the test again in a process of its own, with variables of the environment.
func runAlone(t *testing.T, variables ...string) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), self, "-test.run", "^"+t.Name()+"$", "-test.v")
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		name = strings.ToUpper(name)
		if name != "HTTPS_PROXY" && name != "HTTP_PROXY" && name != "ALL_PROXY" && name != "NO_PROXY" {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, variables...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Contains(t, string(out), "--- PASS: "+t.Name())
}

// TestPrivateAddresses: those that are reached from inside only, at both ends of each range.
func TestPrivateAddresses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"127.0.0.1": true, "127.255.255.255": true, "126.255.255.255": false, "128.0.0.0": false, "::1": true, "::2": false,
		"::ffff:127.0.0.1": true, "::ffff:8.8.8.8": false,
		"10.0.0.0": true, "10.255.255.255": true, "9.255.255.255": false, "11.0.0.0": false,
		"172.16.0.0": true, "172.31.255.255": true, "172.15.255.255": false, "172.32.0.0": false,
		"192.168.0.0": true, "192.168.255.255": true, "192.167.255.255": false, "192.169.0.0": false,
		"169.254.169.254": true, "169.253.255.255": false, "169.255.0.0": false, "fe80::1": true, "fc00::1": true, "fd12::1": true, "fe00::1": false,
		"224.0.0.1": true, "ff02::1": true, "0.0.0.0": true, "::": true, "0.0.0.1": false,
		"100.64.0.0": true, "100.127.255.255": true, "100.63.255.255": false, "100.128.0.0": false, "::ffff:100.64.0.1": true,
		"8.8.8.8": false, "2606:4700::1111": false,
	} {
		addr := netip.MustParseAddr(text)
		assert.Equal(t, want, isPrivate(addr), text)
		err := refusePrivate(t.Context(), "tcp", netip.AddrPortFrom(addr, 443).String(), nil)
		if want {
			require.EqualError(t, err, "it leads to the private address "+text)
		} else {
			assert.NoError(t, err, text)
		}
	}
	assert.NoError(t, refusePrivate(t.Context(), "unix", "/tmp/s", nil))
}

// TestHostnames: a host is compared without its port, its brackets, its last dot and its letter case.
func TestHostnames(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{
		"r.example": "r.example", "R.Example:443": "r.example", "r.example.": "r.example", "r.example.:443": "r.example",
		"[::1]:5000": "::1", "[::1]": "::1", "": "", "127.0.0.1:80": "127.0.0.1",
	} {
		assert.Equal(t, want, hostname(host), host)
	}
	for address, want := range map[string]string{
		"https://R.example/v2/?x#y": "https://r.example:443", "https://r.example:443": "https://r.example:443", "https://r.example:444": "https://r.example:444",
		"HTTP://r.example": "http://r.example:80", "http://r.example:443": "http://r.example:443", "https://[::1]/": "https://::1:443",
	} {
		u, err := url.Parse(address)
		require.NoError(t, err)
		assert.Equal(t, want, origin(u), address)
	}
}

// TestLabels: a host of Azure has letters, digits, hyphens and dots, and begins with none of the last.
func TestLabels(t *testing.T) {
	t.Parallel()
	for label, want := range map[string]bool{
		"az09-.z": true, "a": true, "z": true, "0": true, "9": true, "-a": true, "a.b": true,
		".a": false, "a`": false, "a{": false, "a/": false, "a:": false, "A": false, "a_b": false, "é": false, "a@b": false,
	} {
		assert.Equal(t, want, validLabels(label), label)
	}
}

// TestIsProxy: a proxy of the environment is an address that connections may go to, whatever it is.
func TestIsProxy(t *testing.T) {
	names := []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"}
	for _, name := range names {
		t.Setenv(name, "")
	}
	assert.False(t, isProxy("10.0.0.1:3128"))
	for _, name := range names {
		for value, addr := range map[string]string{
			"http://10.0.0.1:3128": "10.0.0.1:3128", "10.0.0.1:3128": "10.0.0.1:3128", "http://me:s3cret@10.0.0.1:3128": "10.0.0.1:3128",
			"http://10.0.0.1": "10.0.0.1:80", "10.0.0.1": "10.0.0.1:80", "https://10.0.0.1": "10.0.0.1:443",
			"socks5://10.0.0.1": "10.0.0.1:1080", "socks5h://10.0.0.1": "10.0.0.1:1080", "http://Proxy.Example": "proxy.example:80",
		} {
			t.Setenv(name, value)
			assert.True(t, isProxy(addr), "%s=%s", name, value)
			assert.False(t, isProxy("10.0.0.1:22"), "%s=%s", name, value)
			assert.False(t, isProxy("10.0.0.2:3128"), "%s=%s", name, value)
		}
		t.Setenv(name, "")
	}
	t.Setenv("HTTPS_PROXY", "http://[broken")
	t.Setenv("http_proxy", "http://10.0.0.1:3128")
	assert.True(t, isProxy("10.0.0.1:3128"), "a value that is none is passed over")
}
