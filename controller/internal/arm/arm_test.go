package arm

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/controller/internal/armtest"
	"github.com/radbicep/rad/controller/internal/radius"
	"github.com/radbicep/rad/controller/internal/resourceid"
)

const storeID = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/store"

type roundTrip func(r *http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// clientOf is a client of a stand-in of Azure, with a clock.
func clientOf(t *testing.T, s *armtest.Server) (*Client, *time.Time) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	clock := &now
	s.Now = func() time.Time { return *clock }
	c, err := New(Options{Cloud: "AzureCloud", Credential: armtest.Credential{}, Transport: s, Timeout: 5 * time.Second, Now: s.Now})
	require.NoError(t, err)
	return c, clock
}

// What is of Azure goes to Azure, everything else to Radius.
func TestTheRouter(t *testing.T) {
	t.Parallel()
	var seen []string
	rad, err := radius.New(radius.Options{Endpoint: "http://radius", Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		seen = append(seen, r.URL.Path)
		return httptest.NewRecorder().Result(), nil
	})})
	require.NoError(t, err)
	s := &armtest.Server{}
	s.Make(storeID, json.RawMessage(`{"accessTier":"Hot"}`), "w")
	azure, _ := clientOf(t, s)
	r := Router{rad, azure}
	for _, id := range []string{storeID, "/planes/azure/azurecloud" + storeID, "/planes/Azure/other" + storeID} {
		got, err := r.Get(t.Context(), id, "2023-01-01")
		require.NoError(t, err)
		require.Contains(t, string(got.Body), "Hot")
	}
	require.Empty(t, seen)
	for _, id := range []string{"/planes/radius/local/resourceGroups/g/providers/A.B/c/d", "/planes/aws/aws/accounts/1/regions/r/providers/AWS.S3/Bucket/b", "/planes/azure/azurecloud/providers/x"} {
		_, _ = r.Get(t.Context(), id, "v")
		_, _ = r.Delete(t.Context(), id, "v")
	}
	_, _ = r.Poll(t.Context(), "status:/planes/radius/local/op")
	require.Len(t, seen, 7)
	require.Len(t, s.Requests("", ""), 3)

	// A token of Azure means nothing to Radius: nothing is sent.
	p, err := rad.Poll(t.Context(), "azure:status:/subscriptions/s/op")
	require.NoError(t, err)
	require.Equal(t, radius.Lost, p.State)
	require.Len(t, seen, 7)
}

// A role definition, for example, has the scope of its subscription in its own ID. An answer without one is nothing of Azure.
func TestIDsOfAzure(t *testing.T) {
	t.Parallel()
	const role = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Authorization/roleDefinitions/r1"
	for body, ok := range map[string]bool{
		`{"id": "/subscriptions/s/providers/Microsoft.Authorization/roleDefinitions/R1"}`: true,
		`{"id": "/subscriptions/s/providers/Microsoft.Authorization/roleDefinitions/r2"}`: false, `{"status": "ok"}`: false,
	} {
		c, _ := clientOf(t, &armtest.Server{Fault: func(*armtest.Request) *armtest.Fault { return &armtest.Fault{Status: 200, Body: body} }})
		_, err := c.Get(t.Context(), role, "v")
		require.Equal(t, ok, err == nil, body)
	}
}

// What Azure says of a missing resource, and what says nothing of it.
func TestWhatIsGone(t *testing.T) {
	t.Parallel()
	for code, gone := range map[string]bool{"ResourceNotFound": true, "ResourceGroupNotFound": true, "ParentResourceNotFound": true,
		"SubscriptionNotFound": false, "NotFound": false, "InvalidResourceType": false, "AuthorizationFailed": false} {
		s := &armtest.Server{Fault: func(*armtest.Request) *armtest.Fault {
			return &armtest.Fault{Status: 404, Body: armtest.Problem(code, "of 'store'")}
		}}
		c, _ := clientOf(t, s)
		_, err := c.Get(t.Context(), storeID, "v")
		require.Equal(t, gone, radius.Gone(err), code)
		p, err := c.Delete(t.Context(), storeID, "v")
		require.Equal(t, gone, err == nil && p.State == radius.Succeeded && p.Absent, code)
	}
}

// When Azure says how long nothing is to be sent, nothing of the subscription is.
func TestAzuresTimeIsKept(t *testing.T) {
	t.Parallel()
	s := &armtest.Server{}
	s.Make(storeID, nil, "")
	c, clock := clientOf(t, s)
	*clock = clock.Add(time.Minute)
	s.Set(func(s *armtest.Server) {
		s.Fault = func(*armtest.Request) *armtest.Fault {
			return &armtest.Fault{Status: 429, RetryAfter: "90", Body: armtest.Problem("TooManyRequests", "slower")}
		}
	})
	_, err := c.Get(t.Context(), storeID, "v")
	require.Contains(t, err.Error(), "slower")
	sent := len(s.Requests("", ""))
	s.Set(func(s *armtest.Server) { s.Fault = nil })
	_, err = c.Delete(t.Context(), storeID, "v")
	require.Contains(t, err.Error(), "the subscription s is asked nothing until 2026-01-01T00:02:30Z, as Azure said")
	require.Len(t, s.Requests("", ""), sent)
	*clock = clock.Add(91 * time.Second)
	_, err = c.Get(t.Context(), storeID, "v")
	require.NoError(t, err)
}

// A burst is spread. What would wait too long is told when to come again.
func TestBursts(t *testing.T) {
	t.Parallel()
	sent, now := 0, time.Now()
	limit := &throttle{subscriptions: map[string]*turns{}, now: func() time.Time { return now }, next: roundTrip(func(*http.Request) (*http.Response, error) {
		sent++
		return httptest.NewRecorder().Result(), nil
	})}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	later := 0
	for range atOnce + 20 {
		res, err := limit.RoundTrip(httptest.NewRequestWithContext(ctx, http.MethodGet, storeID, nil))
		if err == nil && res.StatusCode == http.StatusTooManyRequests {
			later++
			require.Equal(t, "2", res.Header.Get("Retry-After"))
		}
	}
	require.Equal(t, atOnce, sent)
	require.Equal(t, 10, later, "those whose turn is more than a second away")
	_, err := limit.RoundTrip(httptest.NewRequest(http.MethodGet, strings.Replace(storeID, "/s/", "/other/", 1), nil))
	require.NoError(t, err, "another subscription has turns of its own")
	require.Equal(t, atOnce+1, sent)
}

// The version of a type is the newest that is not a preview. It is asked for once.
func TestVersions(t *testing.T) {
	t.Parallel()
	s := &armtest.Server{Versions: map[string][]string{
		"microsoft.storage/storageaccounts": {"2022-01-01", "2023-05-01", "2024-01-01-preview"}, "microsoft.storage/storageaccounts/blobservices": {"2025-01-01-preview"},
	}}
	c, _ := clientOf(t, s)
	for id, want := range map[string]string{storeID: "2023-05-01", storeID + "/blobServices/default": "2025-01-01-preview", storeID + "/tables/t": ""} {
		for range 2 {
			parsed, err := resourceid.Parse(id)
			require.NoError(t, err)
			got, err := c.DefaultVersion(t.Context(), parsed)
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
	}
	require.Len(t, s.Requests("", "providers/Microsoft.Storage"), 3)
	require.Equal(t, "2023-05-01", bestVersion("2023-05-01", []string{"2099-01-01"}))
}

// entra is a stand-in of Entra ID. It gives a token to who shows the right assertion.
func entra(t *testing.T, asked *[]url.Values) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		w := httptest.NewRecorder()
		authority := "https://" + r.URL.Host + "/t"
		switch path := r.URL.Path; {
		case strings.HasSuffix(path, "/discovery/instance"):
			_, _ = io.WriteString(w, `{"tenant_discovery_endpoint":"`+authority+`/v2.0/.well-known/openid-configuration","metadata":[]}`)
		case strings.HasSuffix(path, "/openid-configuration"):
			_, _ = io.WriteString(w, `{"token_endpoint":"`+authority+`/oauth2/v2.0/token","authorization_endpoint":"`+authority+`/a","issuer":"`+authority+`/v2.0"}`)
		default:
			require.NoError(t, r.ParseForm())
			form := r.PostForm
			form.Set("host", r.URL.Host)
			*asked = append(*asked, form)
			if form.Get("client_assertion") != "of the pod" && form.Get("client_secret") != "s3cret" {
				w.WriteHeader(401)
				_, _ = io.WriteString(w, `{"error":"invalid_client","error_description":"AADSTS700213: No matching federated identity record found for the subject. Trace ID: 1 Correlation ID: 2 Timestamp: 3"}`)
				break
			}
			_, _ = io.WriteString(w, `{"access_token":"`+armtest.Token+`","expires_in":3600,"token_type":"Bearer"}`)
		}
		res := w.Result()
		res.Request = r
		return res, nil
	})
}

// The credentials get tokens for the management of their cloud, from what the environment has.
func TestCredentials(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	require.NoError(t, os.WriteFile(file, []byte("of the pod"), 0o600))
	t.Setenv("AZURE_TENANT_ID", "t")
	t.Setenv("AZURE_CLIENT_ID", "c")
	_, err := Credential(WorkloadIdentity, "AzureCloud", nil)
	require.ErrorContains(t, err, "--azure-credential=workload-identity: ")
	t.Setenv("AZURE_FEDERATED_TOKEN_FILE", file)
	t.Setenv("AZURE_CLIENT_SECRET", "s3cret")
	for cloudName, want := range map[string][3]string{
		"AzureCloud":        {"login.microsoftonline.com", "https://management.core.windows.net/.default", "management.azure.com"},
		"AzureChinaCloud":   {"login.chinacloudapi.cn", "https://management.core.chinacloudapi.cn/.default", "management.chinacloudapi.cn"},
		"AzureUSGovernment": {"login.microsoftonline.us", "https://management.core.usgovcloudapi.net/.default", "management.usgovcloudapi.net"},
	} {
		for _, kind := range []string{WorkloadIdentity, Environment} {
			var asked []url.Values
			credential, err := Credential(kind, cloudName, entra(t, &asked))
			require.NoError(t, err)
			s := &armtest.Server{}
			s.Make(storeID, nil, "")
			c, err := New(Options{Cloud: cloudName, Credential: credential, Transport: s, Timeout: 5 * time.Second})
			require.NoError(t, err)
			for range 2 {
				_, err = c.Get(context.Background(), storeID, "v")
				require.NoError(t, err)
			}
			require.Len(t, asked, 1, "a token is kept")
			require.Equal(t, want[0], asked[0].Get("host"))
			require.Contains(t, asked[0].Get("scope"), want[1])
			require.Equal(t, want[2], s.Requests("", "")[0].Host)
		}
	}

	require.NoError(t, os.WriteFile(file, []byte("of another"), 0o600))
	credential, err := Credential(WorkloadIdentity, "AzureCloud", entra(t, new([]url.Values)))
	require.NoError(t, err)
	c, err := New(Options{Cloud: "AzureCloud", Credential: credential, Transport: &armtest.Server{}, Timeout: 5 * time.Second})
	require.NoError(t, err)
	_, err = c.Get(context.Background(), storeID, "v")
	var e *radius.Error
	require.ErrorAs(t, err, &e)
	require.True(t, e.Transient())
	require.Equal(t, "Azure did not answer: no token: AADSTS700213: No matching federated identity record found for the subject.", e.Sentence())
}
