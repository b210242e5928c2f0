// Package arm asks Azure Resource Manager for the resources of Azure that Radius deployed: it reads, deletes and polls
// them. Its protocol is that of package radius. What is Azure's own is here: tokens, throttling, and versions of types.
package arm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	armpolicy "github.com/Azure/azure-sdk-for-go/sdk/azcore/arm/policy"
	armruntime "github.com/Azure/azure-sdk-for-go/sdk/azcore/arm/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/cloud"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/Azure/azure-sdk-for-go/sdk/azidentity"

	"github.com/radbicep/rad/controller/internal/radius"
	"github.com/radbicep/rad/controller/internal/resourceid"
)

// Service is what errors call Azure.
const Service = "Azure"

// Kinds of credentials.
const (
	None             = "none"
	WorkloadIdentity = "workload-identity"
	Environment      = "environment"
)

// clouds are the clouds, by their names in Azure's tools.
var clouds = map[string]cloud.Configuration{
	"AzureCloud": cloud.AzurePublic, "AzureChinaCloud": cloud.AzureChina, "AzureUSGovernment": cloud.AzureGovernment,
}

// Options are the settings of a Client.
type Options struct {
	// Cloud is AzureCloud, AzureChinaCloud or AzureUSGovernment.
	Cloud string
	// Credential gives tokens.
	Credential azcore.TokenCredential
	// Transport carries requests.
	Transport http.RoundTripper
	// Timeout is how long one request may take.
	Timeout time.Duration
	// UserAgent names the program.
	UserAgent string
	// Observe, if set, is called for each request.
	Observe func(method, kind string, status int, took time.Duration)
	// Now is the time; nil means time.Now.
	Now func() time.Time
}

// Check returns an error if there is no such credential or cloud.
func Check(kind, cloudName string) error {
	if kind != None && kind != WorkloadIdentity && kind != Environment {
		return fmt.Errorf("--azure-credential: %q is none of %s, %s and %s", kind, WorkloadIdentity, Environment, None)
	}
	if _, ok := clouds[cloudName]; !ok {
		return fmt.Errorf("--azure-cloud: %q is none of AzureCloud, AzureChinaCloud and AzureUSGovernment", cloudName)
	}
	return nil
}

// Credential makes a credential from the environment of the process. transport carries its requests to Entra ID; nil is that of azcore.
func Credential(kind, cloudName string, transport http.RoundTripper) (azcore.TokenCredential, error) {
	options := azcore.ClientOptions{Cloud: clouds[cloudName], Retry: policy.RetryOptions{MaxRetries: -1}}
	if transport != nil {
		options.Transport = transporter{transport}
	}
	var c azcore.TokenCredential
	var err error
	if kind == WorkloadIdentity {
		c, err = azidentity.NewWorkloadIdentityCredential(&azidentity.WorkloadIdentityCredentialOptions{ClientOptions: options})
	} else {
		c, err = azidentity.NewEnvironmentCredential(&azidentity.EnvironmentCredentialOptions{ClientOptions: options})
	}
	if err != nil {
		return nil, fmt.Errorf("--azure-credential=%s: %w", kind, err)
	}
	return c, nil
}

// Client sends requests to Azure Resource Manager.
type Client struct {
	radius *radius.Client
	now    func() time.Time

	mu       sync.Mutex
	versions map[string]knownVersion // by subscription and type, in lower case
}

type knownVersion struct {
	version string
	at      time.Time
}

// New makes a Client.
func New(o Options) (*Client, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	service := clouds[o.Cloud].Services[cloud.ResourceManager]
	scope := strings.TrimRight(service.Audience, "/") + "/.default"
	steps := runtime.PipelineOptions{PerRetry: []policy.Policy{
		armruntime.NewBearerTokenPolicy(o.Credential, &armpolicy.BearerTokenOptions{Scopes: []string{scope}}),
	}}
	pipeline := runtime.NewPipeline("rad-controller", "", steps, &policy.ClientOptions{
		Transport: transporter{o.Transport}, Retry: policy.RetryOptions{MaxRetries: -1}, Telemetry: policy.TelemetryOptions{Disabled: true},
	})
	c := &Client{now: o.Now, versions: map[string]knownVersion{}}
	var err error
	c.radius, err = radius.New(radius.Options{
		Endpoint: service.Endpoint, Transport: &throttle{next: authorized{pipeline}, now: o.Now, subscriptions: map[string]*turns{}},
		Timeout: o.Timeout, UserAgent: o.UserAgent, Plain: true, Observe: o.Observe,
	})
	return c, err
}

// transporter is a RoundTripper as azcore wants it.
type transporter struct{ http.RoundTripper }

func (t transporter) Do(r *http.Request) (*http.Response, error) { return t.RoundTrip(r) }

// authorized gives requests a token.
type authorized struct{ pipeline runtime.Pipeline }

func (a authorized) RoundTrip(r *http.Request) (*http.Response, error) {
	req, err := runtime.NewRequestFromRequest(r)
	if err != nil {
		return nil, err
	}
	res, err := a.pipeline.Do(req)
	var failed *azidentity.AuthenticationFailedError
	if errors.As(err, &failed) {
		return nil, errors.New("no token: " + whyNoToken(failed))
	}
	return res, err
}

var entraCode = regexp.MustCompile(`AADSTS\d+: [^"\r\n\\]*`)

// whyNoToken is one sentence, the same each time: what Entra ID says has IDs and times in it.
func whyNoToken(e *azidentity.AuthenticationFailedError) string {
	text := e.Error()
	if said := entraCode.FindString(text); said != "" {
		said, _, _ = strings.Cut(said, " Trace ID:")
		return strings.TrimSpace(said)
	}
	first, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(first)
}

// named says in an error that it was Azure that was asked.
func named(err error) error {
	var e *radius.Error
	if errors.As(err, &e) {
		e.Service = Service
	}
	return err
}

// Get reads a resource.
func (c *Client) Get(ctx context.Context, path, version string) (*radius.Resource, error) {
	r, err := c.radius.Get(ctx, path, version)
	return r, named(err)
}

// Delete deletes a resource.
func (c *Client) Delete(ctx context.Context, path, version string) (radius.Progress, error) {
	p, err := c.radius.Delete(ctx, path, version)
	return p, named(err)
}

// Poll asks how far a deletion is.
func (c *Client) Poll(ctx context.Context, token string) (radius.Progress, error) {
	p, err := c.radius.Poll(ctx, token)
	return p, named(err)
}

const (
	providersVersion = "2021-04-01"
	versionsAge      = time.Hour // for which versions of types are remembered
)

// DefaultVersion is a version that a type has: the one that Azure prefers, or else the newest that is not a preview.
func (c *Client) DefaultVersion(ctx context.Context, id resourceid.ID) (string, error) {
	path, ok := pathOf(id.Path())
	subscription := subscriptionOf(path)
	if !ok || subscription == "" {
		return "", nil
	}
	key := strings.ToLower(subscription + " " + id.Type())
	c.mu.Lock()
	known, ok := c.versions[key]
	c.mu.Unlock()
	if ok && c.now().Sub(known.at) < versionsAge {
		return known.version, nil
	}
	namespace, short, _ := strings.Cut(id.Type(), "/")
	body, err := c.radius.Read(ctx, "provider", "/subscriptions/"+subscription+"/providers/"+namespace, providersVersion)
	if err != nil {
		return "", named(err)
	}
	var b struct {
		ResourceTypes []struct {
			ResourceType      string   `json:"resourceType"`
			APIVersions       []string `json:"apiVersions"`
			DefaultAPIVersion string   `json:"defaultApiVersion"`
		} `json:"resourceTypes"`
	}
	if err := json.Unmarshal(body, &b); err != nil || b.ResourceTypes == nil {
		cause := errors.New("what it answered is not a resource provider: it has no resourceTypes")
		return "", &radius.Error{Method: http.MethodGet, Path: path, Service: Service, Cause: cause}
	}
	version := ""
	for _, t := range b.ResourceTypes {
		if strings.EqualFold(t.ResourceType, short) {
			version = bestVersion(t.DefaultAPIVersion, t.APIVersions)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.versions[key] = knownVersion{version, c.now()}
	return version, nil
}

func bestVersion(preferred string, all []string) string {
	if preferred != "" {
		return preferred
	}
	newest, stable := "", ""
	for _, v := range all {
		newest = max(newest, v)
		if len(v) == len("2021-04-01") {
			stable = max(stable, v)
		}
	}
	if stable != "" {
		return stable
	}
	return newest
}

// pathOf is the path at Azure of what Radius calls by the path of a resource. ok is false if it is not Azure's.
func pathOf(path string) (at string, ok bool) {
	at = path
	parts := strings.SplitN(path, "/", 5)
	if len(parts) == 5 && strings.EqualFold(parts[1], "planes") && strings.EqualFold(parts[2], "azure") {
		at = "/" + parts[4]
	}
	return at, subscriptionOf(at) != ""
}

// subscriptionOf is the subscription that a path is in, or "".
func subscriptionOf(path string) string {
	parts := strings.SplitN(path, "/", 4)
	if len(parts) < 3 || !strings.EqualFold(parts[1], "subscriptions") {
		return ""
	}
	return strings.ToLower(parts[2])
}
