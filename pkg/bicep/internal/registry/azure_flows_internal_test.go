package registry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/config"
)

// cloud answers the requests for tokens of Azure, and notes them.
type cloud struct {
	mu     sync.Mutex
	seen   []string
	answer func(host, path string, form url.Values) (int, string)
}

func (c *cloud) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	text := ""
	if r.Body != nil {
		data, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		text = string(data)
	}
	form, err := url.ParseQuery(text)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.seen = append(c.seen, fmt.Sprintf("%s %s %s metadata=%s", r.Method, r.URL, text, r.Header.Get("Metadata")))
	c.mu.Unlock()
	status, body := c.answer(r.URL.Host, r.URL.Path, form)
	if status == 0 {
		return nil, errors.New(body)
	}
	header := http.Header{}
	if status == http.StatusFound {
		header.Set("Location", "https://elsewhere.example/")
	}
	return &http.Response{StatusCode: status, Status: fmt.Sprintf("%d %s", status, http.StatusText(status)), Header: header, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
}

// azureClientOf returns a client whose requests go to a cloud.
func azureClientOf(c *cloud, credentials config.Credentials) *azureClient {
	a := newAzureClient(credentials, DefaultTimes)
	a.http.Transport, a.direct.Transport = c, c
	return a
}

func withoutAzure(t *testing.T) {
	t.Helper()
	for _, name := range []string{"AZURE_CLIENT_ID", "AZURE_TENANT_ID", "AZURE_CLIENT_SECRET", "AZURE_FEDERATED_TOKEN_FILE"} {
		t.Setenv(name, "")
	}
	t.Setenv("PATH", t.TempDir())
}

// token answers as the directory and a registry do.
func token(host, path string, form url.Values) (int, string) {
	if path == "/oauth2/exchange" {
		return 200, `{"refresh_token": "for ` + host + ` by ` + form.Get("access_token") + `"}`
	}
	return 200, `{"access_token": "aad"}`
}

// TestClouds: each of Azure's clouds has a directory and a manager of its own.
func TestClouds(t *testing.T) {
	withoutAzure(t)
	t.Setenv("AZURE_TENANT_ID", "te nant")
	t.Setenv("AZURE_CLIENT_ID", "app")
	t.Setenv("AZURE_CLIENT_SECRET", "hunter2")
	for host, want := range map[string][2]string{
		"me.azurecr.io":     {"https://login.microsoftonline.com", "https://management.azure.com"},
		"me.azurecr.cn":     {"https://login.chinacloudapi.cn", "https://management.chinacloudapi.cn"},
		"me.azurecr.us":     {"https://login.microsoftonline.us", "https://management.usgovcloudapi.net"},
		"ME.azurecr.io:443": {"https://login.microsoftonline.com", "https://management.azure.com"},
	} {
		c := &cloud{answer: token}
		a := azureClientOf(c, config.Credentials{Precedence: []string{"Environment", "ManagedIdentity"}})
		name := hostname(host)
		for range 2 {
			got, err := a.credential(t.Context(), host)
			require.NoError(t, err)
			assert.Equal(t, credential{secret{RefreshToken: "for " + name + " by aad"}, "the identity from Environment"}, got)
		}
		exchange := "POST https://" + name + "/oauth2/exchange access_token=aad&grant_type=access_token&service=" + name + " metadata="
		assert.Equal(t, []string{
			"POST " + want[0] + "/te%20nant/oauth2/v2.0/token client_id=app&client_secret=hunter2&grant_type=client_credentials&scope=" + url.QueryEscape(want[1]+"/.default") + " metadata=",
			exchange, exchange, // the directory is asked once
		}, c.seen)
	}
	c := &cloud{answer: token}
	got, err := azureClientOf(c, config.Credentials{Precedence: []string{"Environment"}}).credential(t.Context(), "ghcr.io")
	require.NoError(t, err)
	assert.Equal(t, credential{}, got)
	assert.Empty(t, c.seen, "no other host draws a token")
}

// TestManagedIdentities: the metadata service is told which identity is meant.
func TestManagedIdentities(t *testing.T) {
	withoutAzure(t)
	const address = "GET http://169.254.169.254/metadata/identity/oauth2/token?api-version=2018-02-01"
	const resource = "&resource=https%3A%2F%2Fmanagement.azure.com"
	for want, credentials := range map[string]config.Credentials{
		address + resource:                                      {},
		address + "&client_id=app" + resource:                   {ClientID: "app"},
		address + "&msi_res_id=%2Fsubscriptions%2Fs" + resource: {ResourceID: "/subscriptions/s"},
	} {
		credentials.Precedence = []string{"ManagedIdentity"}
		c := &cloud{answer: token}
		got, err := azureClientOf(c, credentials).credential(t.Context(), "me.azurecr.io")
		require.NoError(t, err)
		assert.Equal(t, "the identity from ManagedIdentity", got.from)
		assert.Equal(t, want+"  metadata=true", c.seen[0])
	}
}

// TestAzureMessages: what a user reads where no identity leads to a credential.
func TestAzureMessages(t *testing.T) {
	environment := func(t *testing.T, pairs ...string) {
		for i := 0; i < len(pairs); i += 2 {
			t.Setenv(pairs[i], pairs[i+1])
		}
	}
	at := func(host string, status int, body string) func(string, string, url.Values) (int, string) {
		return func(h, path string, form url.Values) (int, string) {
			if h == host {
				return status, body
			}
			return token(h, path, form)
		}
	}
	const directory, metadata, acr = "login.microsoftonline.com", "169.254.169.254", "me.azurecr.io"
	identity := []string{"AZURE_TENANT_ID", "t", "AZURE_CLIENT_ID", "c", "AZURE_CLIENT_SECRET", "hunter2"}
	for name, c := range map[string]struct {
		precedence []string
		set        []string
		answer     func(string, string, url.Values) (int, string)
		want       string
	}{
		"nothing to try":         {nil, nil, token, "credentialPrecedence in bicepconfig.json is empty"},
		"an unknown source":      {[]string{"VisualStudioCode"}, nil, token, "VisualStudioCode: this program cannot use it"},
		"no tools":               {[]string{"AzureCLI", "AzurePowerShell"}, nil, token, "AzureCLI: there is no az on the PATH; AzurePowerShell: there is no pwsh on the PATH"},
		"no variables":           {[]string{"Environment"}, nil, token, "Environment: AZURE_TENANT_ID and AZURE_CLIENT_ID are not set"},
		"no tenant":              {[]string{"Environment"}, identity[2:], token, "Environment: AZURE_TENANT_ID and AZURE_CLIENT_ID are not set"},
		"no client":              {[]string{"Environment"}, identity[:2], token, "Environment: AZURE_TENANT_ID and AZURE_CLIENT_ID are not set"},
		"no secret":              {[]string{"Environment"}, identity[:4], token, "Environment: neither AZURE_CLIENT_SECRET nor AZURE_FEDERATED_TOKEN_FILE is set"},
		"no file of a token":     {[]string{"Environment"}, append([]string{"AZURE_FEDERATED_TOKEN_FILE", "/nowhere/x"}, identity[:4]...), token, "Environment: open /nowhere/x: no such file or directory"},
		"a refusal":              {[]string{"Environment"}, identity, at(directory, 401, `{"error": "hunter2"}`), "Environment: login.microsoftonline.com answered 401 Unauthorized"},
		"another status":         {[]string{"Environment"}, identity, at(directory, 201, `{}`), "Environment: login.microsoftonline.com answered 201 Created"},
		"a redirect":             {[]string{"Environment"}, identity, at(directory, 302, ``), "Environment: login.microsoftonline.com answered 302 Found"},
		"no JSON":                {[]string{"Environment"}, identity, at(directory, 200, `hunter2`), "Environment: login.microsoftonline.com answered with no JSON"},
		"no token":               {[]string{"Environment"}, identity, at(directory, 200, `{}`), "Environment: the answer holds no token"},
		"no answer":              {[]string{"Environment"}, identity, at(directory, 0, "it is gone"), "Environment: it is gone"},
		"no machine":             {[]string{"ManagedIdentity"}, nil, at(metadata, 0, "it is gone"), "ManagedIdentity: it is gone"},
		"no identity":            {[]string{"ManagedIdentity"}, nil, at(metadata, 400, "{}"), "ManagedIdentity: 169.254.169.254 answered 400 Bad Request"},
		"several":                {[]string{"Environment", "ManagedIdentity"}, identity, func(string, string, url.Values) (int, string) { return 500, "" }, "Environment: login.microsoftonline.com answered 500 Internal Server Error; ManagedIdentity: 169.254.169.254 answered 500 Internal Server Error"},
		"no exchange":            {[]string{"ManagedIdentity"}, nil, at(acr, 401, ""), "the token from ManagedIdentity was not accepted: me.azurecr.io answered 401 Unauthorized"},
		"an exchange for naught": {[]string{"ManagedIdentity"}, nil, at(acr, 200, "{}"), "the token from ManagedIdentity was exchanged for nothing"},
		"the next one helps":     {[]string{"AzureCLI", "ManagedIdentity"}, nil, token, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.Contains(c.want, "/nowhere") {
				t.Skip("the system says it otherwise")
			}
			withoutAzure(t)
			environment(t, c.set...)
			got, err := azureClientOf(&cloud{answer: c.answer}, config.Credentials{Precedence: c.precedence}).credential(t.Context(), acr)
			if c.want == "" {
				require.NoError(t, err)
				assert.Equal(t, "the identity from ManagedIdentity", got.from)
				return
			}
			require.EqualError(t, err, c.want)
			assert.Equal(t, credential{}, got)
		})
	}
}

// TestAzureTools: the Azure CLI and PowerShell are asked for a token of the cloud of the registry.
func TestAzureTools(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the tools are shell scripts")
	}
	withoutAzure(t)
	dir := os.Getenv("PATH")
	tool := func(name, script string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\nprintf '%s\\n' \"$@\" > "+filepath.Join(dir, "arguments")+"\n"+script+"\n"), 0o700))
	}
	for _, c := range []struct {
		source, name, script string
		want                 string
	}{
		{"AzureCLI", "az", `echo '{"accessToken": "cli"}'`, ""},
		{"AzureCLI", "az", `echo '{"accessToken": ""}'`, "AzureCLI: az account get-access-token gave no token"},
		{"AzureCLI", "az", `echo hunter2`, "AzureCLI: az account get-access-token gave no token"},
		{"AzureCLI", "az", `echo hunter2; exit 1`, "AzureCLI: az account get-access-token: exit status 1; try 'az login'"},
		{"AzurePowerShell", "pwsh", `echo cli`, ""},
		{"AzurePowerShell", "pwsh", `printf ' cli\r\n'`, ""},
		{"AzurePowerShell", "pwsh", `echo`, "AzurePowerShell: Get-AzAccessToken gave no token"},
		{"AzurePowerShell", "pwsh", `echo hunter2; exit 2`, "AzurePowerShell: Get-AzAccessToken: exit status 2; try 'Connect-AzAccount'"},
	} {
		tool(c.name, c.script)
		got, err := azureClientOf(&cloud{answer: token}, config.Credentials{Precedence: []string{c.source}}).credential(t.Context(), "me.azurecr.us")
		if c.want != "" {
			require.EqualError(t, err, c.want)
			continue
		}
		require.NoError(t, err, c.script)
		assert.Equal(t, "for me.azurecr.us by cli", got.RefreshToken)
		text, err := os.ReadFile(filepath.Join(dir, "arguments"))
		require.NoError(t, err)
		if c.name == "az" {
			assert.Equal(t, "account\nget-access-token\n--output\njson\n--resource\nhttps://management.usgovcloudapi.net\n", string(text))
		} else {
			assert.True(t, strings.HasPrefix(string(text), "-NoProfile\n-NonInteractive\n-Command\n"), string(text))
			assert.Contains(t, string(text), "Get-AzAccessToken -ResourceUrl 'https://management.usgovcloudapi.net'")
		}
	}
}

// TestAnswersOfAzure: at most 1 MiB is read, a run that ends is no answer to remember, and the clients hurry.
func TestAnswersOfAzure(t *testing.T) {
	withoutAzure(t)
	for size, want := range map[int]string{1 << 20: "", 1<<20 + 1: "ManagedIdentity: 169.254.169.254 answered with no JSON"} {
		c := &cloud{answer: func(host, path string, form url.Values) (int, string) {
			if host == "169.254.169.254" {
				const text = `{"access_token": "aad"`
				return 200, text + strings.Repeat(" ", size-len(text)-1) + "}"
			}
			return token(host, path, form)
		}}
		_, err := azureClientOf(c, config.Credentials{Precedence: []string{"ManagedIdentity"}}).credential(t.Context(), "me.azurecr.io")
		if want == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, want)
		}
	}
	c := &cloud{answer: token}
	a := azureClientOf(c, config.Credentials{Precedence: []string{"ManagedIdentity"}})
	ended, stop := context.WithCancel(t.Context())
	stop()
	_, err := a.credential(ended, "me.azurecr.io")
	require.Error(t, err)
	_, err = a.credential(t.Context(), "me.azurecr.io")
	require.NoError(t, err, "the next run asks again")
	a = newAzureClient(config.Credentials{}, DefaultTimes)
	assert.Equal(t, time.Minute, a.http.Timeout)
	assert.Equal(t, 5*time.Second, a.direct.Timeout)
	assert.NotNil(t, a.http.Transport.(*http.Transport).Proxy)
	assert.Nil(t, a.direct.Transport.(*http.Transport).Proxy, "no proxy hears of the identity of a machine")
}
