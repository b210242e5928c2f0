package registry

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/registrytest"
)

// fakeAzure answers as Azure's directory, its metadata service and one of its registries.
type fakeAzure struct {
	registry *registrytest.Registry // holds the content
	server   *httptest.Server

	mu   sync.Mutex
	seen []string // method, host and path, and what matters of the form
}

const (
	acrHost       = "demo.azurecr.io"
	directoryHost = "login.microsoftonline.com"
	metadataHost  = "169.254.169.254"
)

func newFakeAzure(t *testing.T) *fakeAzure {
	f := &fakeAzure{registry: registrytest.New(t)}
	f.server = httptest.NewTLSServer(f)
	t.Cleanup(f.server.Close)
	return f
}

// client returns a client all of whose connections lead to the fake.
func (f *fakeAzure) client(c config.Credentials) *Client {
	client := New(Options{Credentials: c})
	pool := f.server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	to := &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: pool, ServerName: "example.com"},
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, f.server.Listener.Addr().String())
		},
	}
	client.host(acrHost, false).transport.open = to
	client.azure.http.Transport = to
	client.azure.direct.Transport = insecure{to}
	return client
}

// insecure sends what is for http over TLS, since the fake speaks nothing else.
type insecure struct{ to http.RoundTripper }

func (i insecure) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Scheme = "https"
	return i.to.RoundTrip(r)
}

func (f *fakeAzure) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	form := []string{}
	for _, key := range []string{"grant_type", "client_id", "client_secret", "client_assertion", "msi_res_id", "resource", "scope", "service", "access_token", "refresh_token"} {
		if v := r.Form.Get(key); v != "" {
			form = append(form, key+"="+v)
		}
	}
	f.mu.Lock()
	f.seen = append(f.seen, strings.TrimSpace(fmt.Sprintf("%s %s%s %s", r.Method, r.Host, r.URL.Path, strings.Join(form, " "))))
	f.mu.Unlock()
	answer := func(status int, v map[string]string) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(v)
	}
	switch {
	case r.Host == directoryHost, r.Host == metadataHost && r.Header.Get("Metadata") == "true":
		answer(http.StatusOK, map[string]string{"access_token": "AAD-TOKEN"})
	case r.Host != acrHost:
		answer(http.StatusTeapot, nil)
	case r.URL.Path == "/oauth2/exchange" && r.Form.Get("access_token") == "AAD-TOKEN" && r.Form.Get("service") == acrHost:
		answer(http.StatusOK, map[string]string{"refresh_token": "ACR-REFRESH"})
	case r.URL.Path == "/oauth2/token" && r.Form.Get("refresh_token") == "ACR-REFRESH":
		answer(http.StatusOK, map[string]string{"access_token": "ACR-ACCESS"})
	case strings.HasPrefix(r.URL.Path, "/oauth2/"):
		answer(http.StatusUnauthorized, map[string]string{"error": "no"})
	case r.Header.Get("Authorization") != "Bearer ACR-ACCESS":
		w.Header().Set("WWW-Authenticate", `Bearer realm="https://`+acrHost+`/oauth2/token",service="`+acrHost+`",scope="repository:mods/web:pull"`)
		answer(http.StatusUnauthorized, nil)
	default:
		http.Redirect(w, r, "http://"+f.registry.Host+r.URL.Path, http.StatusTemporaryRedirect)
	}
}

// restored fetches the module of the fake's registry, and returns the requests that
// were made for tokens.
func (f *fakeAzure) restored(t *testing.T, c config.Credentials) ([]string, error) {
	t.Helper()
	f.registry.Module("mods/web", "v1", `{"resources": []}`)
	client := f.client(c)
	defer client.Close()
	// The fake passes on to a registry of this machine, which no registry of Azure may do.
	host := client.host(acrHost, false)
	host.transport.dialer.private[acrHost+":443"] = true
	open := host.transport.open
	host.transport.open = passOn{open, f.registry.Host}
	a := &artifact.Reference{Scheme: artifact.OCI, Registry: acrHost, Repository: "mods/web", Tag: "v1"}
	root := t.TempDir()
	_, err := client.Fetch(t.Context(), a, "", root, false)
	if err == nil {
		require.FileExists(t, filepath.Join(a.CacheDir(root), "main.json"))
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(f.seen), func(s string) bool { return strings.Contains(s, "/v2/") }), err
}

// passOn follows the redirects of the fake.
type passOn struct {
	to       http.RoundTripper
	registry string
}

func (p passOn) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := p.to.RoundTrip(r)
	if err != nil || resp.StatusCode != http.StatusTemporaryRedirect {
		return resp, err
	}
	resp.Body.Close()
	inner, err := http.NewRequestWithContext(r.Context(), r.Method, resp.Header.Get("Location"), nil)
	if err != nil {
		return nil, err
	}
	return http.DefaultTransport.RoundTrip(inner)
}

// An identity of Azure becomes a token of one of its registries: a token of the
// directory, exchanged for one of the registry, exchanged for one of the repository.
func TestAzureIdentities(t *testing.T) {
	bin := t.TempDir()
	for _, name := range []string{"HOME", "DOCKER_CONFIG", "PATH"} {
		t.Setenv(name, bin)
	}
	for _, name := range []string{"DOCKER_REGISTRY", "AZURE_CLIENT_ID", "AZURE_TENANT_ID", "AZURE_CLIENT_SECRET", "AZURE_FEDERATED_TOKEN_FILE"} {
		t.Setenv(name, "")
	}
	exchange := []string{
		"GET demo.azurecr.io/oauth2/token scope=repository:mods/web:pull service=demo.azurecr.io", // anonymously
		"POST demo.azurecr.io/oauth2/exchange grant_type=access_token service=demo.azurecr.io access_token=AAD-TOKEN",
		"POST demo.azurecr.io/oauth2/token grant_type=refresh_token scope=repository:mods/web:pull service=demo.azurecr.io refresh_token=ACR-REFRESH",
	}
	with := func(directory string) []string { return slices.Insert(slices.Clone(exchange), 1, directory) }

	t.Run("a secret of a service principal", func(t *testing.T) {
		t.Setenv("AZURE_TENANT_ID", "tenant")
		t.Setenv("AZURE_CLIENT_ID", "app")
		t.Setenv("AZURE_CLIENT_SECRET", "hunter2")
		seen, err := newFakeAzure(t).restored(t, config.Credentials{Precedence: []string{"AzureCLI", "Environment"}})
		require.NoError(t, err)
		require.Equal(t, with("POST login.microsoftonline.com/tenant/oauth2/v2.0/token grant_type=client_credentials client_id=app client_secret=hunter2 scope=https://management.azure.com/.default"), seen)
	})
	t.Run("a workload's token", func(t *testing.T) {
		token := filepath.Join(t.TempDir(), "token")
		require.NoError(t, os.WriteFile(token, []byte("JWT\n"), 0o600))
		t.Setenv("AZURE_TENANT_ID", "tenant")
		t.Setenv("AZURE_CLIENT_ID", "app")
		t.Setenv("AZURE_FEDERATED_TOKEN_FILE", token)
		seen, err := newFakeAzure(t).restored(t, config.Credentials{Precedence: []string{"Environment"}})
		require.NoError(t, err)
		require.Equal(t, with("POST login.microsoftonline.com/tenant/oauth2/v2.0/token grant_type=client_credentials client_id=app client_assertion=JWT scope=https://management.azure.com/.default"), seen)
	})
	t.Run("the identity of a machine", func(t *testing.T) {
		seen, err := newFakeAzure(t).restored(t, config.Credentials{Precedence: []string{"ManagedIdentity"}})
		require.NoError(t, err)
		require.Equal(t, with("GET 169.254.169.254/metadata/identity/oauth2/token resource=https://management.azure.com"), seen)
	})
	t.Run("one of several identities of a machine", func(t *testing.T) {
		seen, err := newFakeAzure(t).restored(t, config.Credentials{Precedence: []string{"ManagedIdentity"}, ResourceID: "/subscriptions/s/one"})
		require.NoError(t, err)
		require.Equal(t, with("GET 169.254.169.254/metadata/identity/oauth2/token msi_res_id=/subscriptions/s/one resource=https://management.azure.com"), seen)
	})
	t.Run("a credential of docker", func(t *testing.T) {
		configure(t, `{"auths": {"demo.azurecr.io": {"identitytoken": "ACR-REFRESH"}}}`)
		seen, err := newFakeAzure(t).restored(t, config.Credentials{Precedence: []string{"ManagedIdentity"}})
		require.NoError(t, err)
		require.Equal(t, []string{exchange[0], exchange[2]}, seen, "the identity is not asked for")
	})
	t.Run("docker's configuration is broken", func(t *testing.T) {
		configure(t, `{`)
		seen, err := newFakeAzure(t).restored(t, config.Credentials{Precedence: []string{"ManagedIdentity"}})
		require.ErrorContains(t, err, "config.json is not what docker writes: no JSON at byte 1")
		require.Equal(t, exchange[:1], seen, "no other credential is used in place of one that cannot be read")
	})
	t.Run("no identity", func(t *testing.T) {
		seen, err := newFakeAzure(t).restored(t, config.Credentials{Precedence: []string{"VisualStudio", "AzureCLI"}})
		require.ErrorContains(t, err, "VisualStudio: this program cannot use it; AzureCLI: there is no az on the PATH")
		require.Equal(t, exchange[:1], seen)
	})
}
