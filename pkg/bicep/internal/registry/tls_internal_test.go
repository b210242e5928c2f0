package registry

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestTLS: a registry is spoken to only by TLS of today, and with a certificate that is its own and
// valid. No other server sees a request, and so no credential.
func TestTLS(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for name, c := range map[string]struct {
		host     string // of the certificate
		from, to time.Time
		version  uint16 // the highest that the server speaks
		plain    bool   // it speaks no TLS
		unknown  bool   // nobody knows who signed the certificate
		ok       bool
		says     string
	}{
		"as it should be":      {host: "registry.example", ok: true},
		"of all below":         {host: "*.example", ok: true},
		"of another host":      {host: "other.example", says: "certificate is valid for other.example"},
		"of a deeper host":     {host: "*.registry.example", says: "certificate is valid for"},
		"expired":              {host: "registry.example", from: now.Add(-2 * time.Hour), to: now.Add(-time.Hour), says: "expired"},
		"not valid yet":        {host: "registry.example", from: now.Add(time.Hour), says: "not yet valid"},
		"of an unknown issuer": {host: "registry.example", unknown: true, says: "unknown authority"},
		"TLS 1.1":              {host: "registry.example", version: tls.VersionTLS11, says: "protocol version"},
		"TLS 1.0":              {host: "registry.example", version: tls.VersionTLS10, says: "protocol version"},
		"TLS 1.2":              {host: "registry.example", version: tls.VersionTLS12, ok: true},
		"no TLS":               {plain: true, says: "HTTP response to HTTPS client"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var seen atomic.Int32
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				seen.Add(1)
				w.WriteHeader(http.StatusOK)
			}))
			server.Config.ErrorLog = nil
			pool := x509.NewCertPool()
			if c.plain {
				server.Start()
			} else {
				certificate := selfSigned(t, c.host, c.from, c.to)
				if !c.unknown {
					pool.AddCert(certificate.Leaf)
				}
				server.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS10, MaxVersion: c.version}
				server.StartTLS()
			}
			defer server.Close()
			tr := newTransport("https://registry.example:443", Times{Silence: 5 * time.Second, Backoff: time.Millisecond, Wait: time.Second}, func(string) bool { return false })
			base := tr.base(func(ctx context.Context, network, _ string) (net.Conn, error) {
				return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
			})
			require.Nil(t, base.TLSClientConfig, "the defaults of Go are not weakened")
			base.Proxy = nil
			base.TLSClientConfig = &tls.Config{RootCAs: pool}
			tr.open = base
			defer base.CloseIdleConnections()
			s := &session{client: &http.Client{Transport: tr, CheckRedirect: checkRedirect}, home: "https://registry.example", tokens: map[string]string{"": "Basic c2VjcmV0"}}
			_, err := s.do(t.Context(), request{method: http.MethodGet, url: s.home + "/v2/", want: http.StatusOK})
			if c.ok {
				require.NoError(t, err)
				require.EqualValues(t, 1, seen.Load())
				return
			}
			text := explain(err, "registry.example", "no credentials").Error()
			require.Contains(t, text, "registry.example")
			require.Contains(t, text, c.says)
			if !c.plain { // a server without TLS answers the first bytes of TLS as a request that is none
				require.Zero(t, seen.Load())
			}
		})
	}
}

// selfSigned makes a certificate.
func selfSigned(t *testing.T, host string, from, to time.Time) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	if from.IsZero() {
		from = time.Now().Add(-time.Hour)
	}
	if to.IsZero() {
		to = time.Now().Add(24 * time.Hour)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: host}, DNSNames: []string{host}, NotBefore: from, NotAfter: to,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	leaf, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}
}
