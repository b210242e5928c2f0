package registry

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseChallenge(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		headers []string
		scheme  string
		params  map[string]string
	}{
		{[]string{`Bearer realm="https://auth.example.com/token",service="reg,istry",scope="repository:a/b:pull,push"`}, "bearer",
			map[string]string{"realm": "https://auth.example.com/token", "service": "reg,istry", "scope": "repository:a/b:pull,push"}},
		{[]string{`bearer Realm=https://x/t, service=s`}, "bearer", map[string]string{"realm": "https://x/t", "service": "s"}},
		{[]string{`Negotiate`, `Basic realm="r"`}, "basic", map[string]string{"realm": "r"}},
		{[]string{`Basic`}, "basic", map[string]string{}},
		{[]string{`Bearer realm="never ends`}, "bearer", map[string]string{"realm": "never ends"}},
		{[]string{`Bearer ,,,=`}, "bearer", map[string]string{"": ""}},
		{[]string{`Negotiate, Bearer realm="r", service="s"`}, "bearer", map[string]string{"realm": "r", "service": "s"}},
		{[]string{`Negotiate abc==, Basic realm="r"`}, "basic", map[string]string{"realm": "r"}},
		{[]string{`Digest realm="d", nonce="n,n" , BEARER  Realm = "r" ,, Basic realm="b"`}, "bearer", map[string]string{"realm": "r"}},
		{[]string{"Digest realm=d", "\tBasic\trealm=\"r\""}, "basic", map[string]string{"realm": "r"}},
		{[]string{`Bearer realm="a \"b\" \\c", service=" s "`}, "bearer", map[string]string{"realm": `a "b" \c`, "service": "s"}},
		{[]string{`Bearer realm="a\`}, "bearer", map[string]string{"realm": `a\`}},
		{[]string{`Bearer realm=, service=s`}, "bearer", map[string]string{"realm": "", "service": "s"}},
		{[]string{`realm="r", Basic`}, "basic", map[string]string{}},
		{[]string{"", " , ", "Digest", "basically"}, "", nil},
		{nil, "", nil},
	} {
		c := parseChallenge(test.headers)
		require.Equal(t, test.scheme, c.scheme, "%q", test.headers)
		require.Equal(t, test.params, c.params, "%q", test.headers)
	}
}

// TestAzureCloud: only hosts of Azure's own clouds may draw a token.
func TestAzureCloud(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{
		"me.azurecr.io": "AzureCloud", "me.azurecr.io:443": "AzureCloud", "ME.AZURECR.IO": "AzureCloud", "a.b.azurecr.io": "AzureCloud",
		"me.azurecr.cn": "AzureChinaCloud", "me.azurecr.us": "AzureUSGovernment",
		"azurecr.io": "", ".azurecr.io": "", "me.azurecr.io.evil.com": "", "evil.com": "", "meazurecr.io": "", "me.azurecr.io:5000": "",
		"evil.com/.azurecr.io": "", "me@evil.azurecr.io": "", "localhost": "", "ghcr.io": "", "mcr.microsoft.com": "",
	} {
		require.Equal(t, want, azureCloud(host), host)
	}
}

func TestIsLoopback(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]bool{
		"localhost": true, "localhost:5000": true, "LOCALHOST": true, "127.0.0.1:80": true, "127.9.9.9": true, "[::1]:5000": true, "[::1]": true,
		"localhost.evil.com": false, "127.0.0.1.evil.com": false, "10.0.0.1": false, "ghcr.io": false, "0.0.0.0": false, "": false,
	} {
		require.Equal(t, want, IsLoopback(host), host)
	}
}
