package registry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/radbicep/rad/pkg/bicep/internal/config"
)

// azureEndpoints are those of Azure's clouds. A bicepconfig.json cannot name
// others: a repository must not choose where an identity's secret is sent.
var azureEndpoints = map[string]struct{ manager, directory string }{
	"AzureCloud":        {"https://management.azure.com", "https://login.microsoftonline.com"},
	"AzureChinaCloud":   {"https://management.chinacloudapi.cn", "https://login.chinacloudapi.cn"},
	"AzureUSGovernment": {"https://management.usgovcloudapi.net", "https://login.microsoftonline.us"},
}

// tokenSources get a token of a cloud's directory, by the names of credentialPrecedence.
var tokenSources = map[string]func(c *azureClient, ctx context.Context, cloud string) (string, error){
	"AzureCLI":        (*azureClient).fromCLI,
	"AzurePowerShell": (*azureClient).fromPowerShell,
	"Environment":     (*azureClient).fromEnvironment,
	"ManagedIdentity": (*azureClient).fromManagedIdentity,
}

// azureClient turns the identity of the user into tokens for Azure's registries.
type azureClient struct {
	credentials config.Credentials
	http        *http.Client
	direct      *http.Client // asks the metadata service, which no proxy may overhear

	mu     sync.Mutex
	tokens map[string]azureToken // of the directory, by cloud
}

type azureToken struct {
	token, from string
	err         error
}

func newAzureClient(credentials config.Credentials, times Times) *azureClient {
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &azureClient{
		credentials: credentials, tokens: map[string]azureToken{},
		http: &http.Client{
			Timeout:       times.Silence,
			Transport:     &http.Transport{Proxy: http.ProxyFromEnvironment},
			CheckRedirect: stay,
		},
		direct: &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{}, CheckRedirect: stay},
	}
}

// directoryToken returns a token of the cloud's directory, asked for once.
func (c *azureClient) directoryToken(ctx context.Context, cloud string) azureToken {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t, ok := c.tokens[cloud]; ok {
		return t
	}
	var t azureToken
	var failed []string
	for _, name := range c.credentials.Precedence {
		get := tokenSources[name]
		if get == nil {
			failed = append(failed, name+": this program cannot use it")
			continue
		}
		token, err := get(c, ctx, cloud)
		if err == nil && token == "" {
			err = errors.New("the answer holds no token")
		}
		if err != nil {
			failed = append(failed, name+": "+err.Error())
			continue
		}
		t = azureToken{token: token, from: name}
		break
	}
	switch {
	case t.token != "":
	case len(failed) == 0:
		t.err = errors.New("credentialPrecedence in bicepconfig.json is empty")
	default:
		t.err = errors.New(strings.Join(failed, "; "))
	}
	if ctx.Err() == nil {
		c.tokens[cloud] = t
	}
	return t
}

// credential exchanges the user's identity for a credential of a registry of Azure.
// For any other host there is none, and no identity is asked for.
func (c *azureClient) credential(ctx context.Context, registry string) (credential, error) {
	cloud := azureCloud(registry)
	if cloud == "" {
		return credential{}, nil
	}
	t := c.directoryToken(ctx, cloud)
	if t.err != nil {
		return credential{}, t.err
	}
	form := url.Values{"grant_type": {"access_token"}, "service": {hostname(registry)}, "access_token": {t.token}}
	var answer struct {
		RefreshToken string `json:"refresh_token"`
	}
	if err := c.post(ctx, "https://"+hostname(registry)+"/oauth2/exchange", form, &answer); err != nil {
		return credential{}, fmt.Errorf("the token from %s was not accepted: %w", t.from, err)
	}
	if answer.RefreshToken == "" {
		return credential{}, fmt.Errorf("the token from %s was exchanged for nothing", t.from)
	}
	return credential{secret{RefreshToken: answer.RefreshToken}, "the identity from " + t.from}, nil
}

// post sends a form and reads a JSON answer.
func (c *azureClient) post(ctx context.Context, to string, form url.Values, answer any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return do(c.http, req, answer)
}

func do(client *http.Client, req *http.Request, answer any) error {
	resp, err := client.Do(req)
	if err != nil {
		return plainURLError(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answered %s", req.URL.Host, resp.Status)
	}
	if json.Unmarshal(text, answer) != nil {
		return fmt.Errorf("%s answered with no JSON", req.URL.Host)
	}
	return nil
}

// fromCLI asks the Azure CLI.
func (c *azureClient) fromCLI(ctx context.Context, cloud string) (string, error) {
	path, err := exec.LookPath("az")
	if err != nil {
		return "", errors.New("there is no az on the PATH")
	}
	out, err := runTool(ctx, path,
		[]string{"account", "get-access-token", "--output", "json", "--resource", azureEndpoints[cloud].manager}, "")
	if err != nil {
		return "", fmt.Errorf("az account get-access-token: %w; try 'az login'", err)
	}
	var answer struct {
		AccessToken string `json:"accessToken"`
	}
	if json.Unmarshal(out, &answer) != nil || answer.AccessToken == "" {
		return "", errors.New("az account get-access-token gave no token")
	}
	return answer.AccessToken, nil
}

// powerShellScript prints a token. Newer modules return a secure string.
const powerShellScript = `$ErrorActionPreference = 'Stop'
$t = (Get-AzAccessToken -ResourceUrl '%s').Token
if ($t -is [securestring]) { $t = [System.Net.NetworkCredential]::new('', $t).Password }
[Console]::Out.Write($t)`

// fromPowerShell asks the Az module of PowerShell.
func (c *azureClient) fromPowerShell(ctx context.Context, cloud string) (string, error) {
	path, err := exec.LookPath("pwsh")
	if err != nil {
		return "", errors.New("there is no pwsh on the PATH")
	}
	out, err := runTool(ctx, path,
		[]string{"-NoProfile", "-NonInteractive", "-Command", fmt.Sprintf(powerShellScript, azureEndpoints[cloud].manager)}, "")
	if err != nil {
		return "", fmt.Errorf("Get-AzAccessToken: %w; try 'Connect-AzAccount'", err)
	}
	if token := strings.TrimSpace(string(out)); token != "" {
		return token, nil
	}
	return "", errors.New("Get-AzAccessToken gave no token")
}

// fromEnvironment uses a service principal that the environment describes, with a
// secret or with a token of a workload identity.
func (c *azureClient) fromEnvironment(ctx context.Context, cloud string) (string, error) {
	tenant, id := os.Getenv("AZURE_TENANT_ID"), os.Getenv("AZURE_CLIENT_ID")
	if tenant == "" || id == "" {
		return "", errors.New("AZURE_TENANT_ID and AZURE_CLIENT_ID are not set")
	}
	endpoints := azureEndpoints[cloud]
	form := url.Values{"grant_type": {"client_credentials"}, "client_id": {id}, "scope": {endpoints.manager + "/.default"}}
	switch secret, file := os.Getenv("AZURE_CLIENT_SECRET"), os.Getenv("AZURE_FEDERATED_TOKEN_FILE"); {
	case secret != "":
		form.Set("client_secret", secret)
	case file != "":
		token, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		form.Set("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
		form.Set("client_assertion", strings.TrimSpace(string(token)))
	default:
		return "", errors.New("neither AZURE_CLIENT_SECRET nor AZURE_FEDERATED_TOKEN_FILE is set")
	}
	var answer struct {
		AccessToken string `json:"access_token"`
	}
	if err := c.post(ctx, endpoints.directory+"/"+url.PathEscape(tenant)+"/oauth2/v2.0/token", form, &answer); err != nil {
		return "", err
	}
	return answer.AccessToken, nil
}

// fromManagedIdentity asks the metadata service of a virtual machine of Azure.
func (c *azureClient) fromManagedIdentity(ctx context.Context, cloud string) (string, error) {
	query := url.Values{"api-version": {"2018-02-01"}, "resource": {azureEndpoints[cloud].manager}}
	if id := c.credentials.ClientID; id != "" {
		query.Set("client_id", id)
	}
	if id := c.credentials.ResourceID; id != "" {
		query.Set("msi_res_id", id)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet,
		"http://169.254.169.254/metadata/identity/oauth2/token?"+query.Encode(), nil)
	if err != nil {
		return "", err
	}
	req.Header.Set("Metadata", "true")
	var answer struct {
		AccessToken string `json:"access_token"`
	}
	if err := do(c.direct, req, &answer); err != nil {
		return "", err
	}
	return answer.AccessToken, nil
}
