// Package radius speaks the part of Radius' protocol, which is Azure Resource Manager's, that
// deploying and deleting need. It sends one request a call, waits for nothing, and repeats nothing.
package radius

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/radbicep/rad/controller/internal/resourceid"
)

// API versions of what is not in a template.
const (
	groupVersion      = "2023-10-01-preview"
	deploymentVersion = "2020-10-01"
)

// maxBody bounds what is read of an answer.
const maxBody = 32 << 20

// Client sends requests to one Radius.
type Client struct {
	base    *url.URL
	http    *http.Client
	timeout time.Duration
	agent   string
	plain   bool
	observe func(method, kind string, status int, took time.Duration)
	heard   func(err error)
	now     func() time.Time
}

// Options are the settings of a Client.
type Options struct {
	// Endpoint is the URL before /planes/.
	Endpoint string
	// Transport carries the requests, with the credentials that they need.
	Transport http.RoundTripper
	// Timeout is how long one request may take.
	Timeout time.Duration
	// UserAgent names the program.
	UserAgent string
	// Plain means that the URL of the header Location answers with 200 and no more when an operation has ended, as Azure says,
	// and that a resource can be in another scope by its own ID: a role definition has that of the subscription.
	Plain bool
	// Observe, if set, is called for each request.
	Observe func(method, kind string, status int, took time.Duration)
	// Heard, if set, is called with what came back from each request: nil, or an *Error.
	Heard func(err error)
}

// New makes a Client.
func New(o Options) (*Client, error) {
	base, err := url.Parse(o.Endpoint)
	if err != nil {
		return nil, fmt.Errorf("Radius endpoint: %w", err)
	}
	if base.Scheme != "http" && base.Scheme != "https" || base.Host == "" {
		return nil, fmt.Errorf("Radius endpoint %q is not an http or https URL", o.Endpoint)
	}
	if base.RawQuery != "" || base.Fragment != "" || base.User != nil {
		return nil, fmt.Errorf("Radius endpoint %q has more than a host and a path", base.Redacted())
	}
	base.Path = strings.TrimRight(base.Path, "/")
	base.RawPath = ""
	c := &Client{base: base, timeout: o.Timeout, agent: o.UserAgent, plain: o.Plain, observe: o.Observe, heard: o.Heard, now: time.Now}
	c.http = &http.Client{
		Transport: o.Transport,
		// A redirect could send the credentials elsewhere. Radius sends none.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c, nil
}

// send sends one request. target is an escaped path from /planes/ on, with its query.
// An answer of 300 or more, and one that is not Radius', is an *Error.
func (c *Client) send(ctx context.Context, method, kind, target string, body []byte) (*answer, error) {
	a, err := c.sendOne(ctx, method, kind, target, body)
	if c.heard != nil {
		c.heard(err)
	}
	return a, err
}

func (c *Client) sendOne(ctx context.Context, method, kind, target string, body []byte) (*answer, error) {
	if c.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.timeout)
		defer cancel()
	}
	path, query, _ := strings.Cut(target, "?")
	fail := func(cause error) error {
		var in *url.Error
		if errors.As(cause, &in) {
			cause = in.Err // it repeats the URL
		}
		if errors.Is(cause, context.DeadlineExceeded) {
			cause = fmt.Errorf("no answer in %s", c.timeout)
		}
		return &Error{Method: method, Path: path, Cause: cause}
	}
	u := *c.base
	unescaped, err := url.PathUnescape(path)
	if err != nil {
		return nil, fail(err)
	}
	u.Path, u.RawPath, u.RawQuery = c.base.Path+unescaped, c.base.EscapedPath()+path, query
	var reader io.Reader
	if body != nil {
		reader = bytes.NewReader(body)
	}
	req, err := http.NewRequestWithContext(ctx, method, u.String(), reader)
	if err != nil {
		return nil, fail(err)
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", c.agent)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	start := time.Now()
	res, err := c.http.Do(req)
	if err != nil {
		c.note(method, kind, 0, start)
		return nil, fail(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, maxBody+1))
	c.note(method, kind, res.StatusCode, start)
	if err != nil {
		return nil, fail(err)
	}
	if len(text) > maxBody {
		return nil, fail(fmt.Errorf("the answer is larger than %d bytes", maxBody))
	}
	return read(method, path, res, text, c.now())
}

func (c *Client) note(method, kind string, status int, start time.Time) {
	if c.observe != nil {
		c.observe(method, kind, status, time.Since(start))
	}
}

// target is the escaped path of an ID with a version. Escapes that the ID holds are kept.
func target(id, version string) string {
	u := url.URL{Path: id}
	if unescaped, err := url.PathUnescape(id); err == nil {
		u.Path, u.RawPath = unescaped, id
	}
	return u.EscapedPath() + "?api-version=" + url.QueryEscape(version)
}

// maxRetryAfter bounds how long the service can have us wait. An answer of a day, from a proxy or a
// wrong clock, must not stop an object for a day.
const maxRetryAfter = 10 * time.Minute

// retryAfter reads the header: seconds or a date.
func retryAfter(value string, now time.Time) time.Duration {
	value = strings.TrimSpace(value)
	if value == "" {
		return 0
	}
	if seconds, err := strconv.ParseFloat(value, 64); err == nil {
		if !(seconds > 0) { // not a number too
			return 0
		}
		return time.Duration(min(seconds, maxRetryAfter.Seconds()) * float64(time.Second))
	}
	if at, err := http.ParseTime(value); err == nil && at.After(now) {
		return min(at.Sub(now), maxRetryAfter)
	}
	return 0
}

// EnsureGroup makes a resource group if it does not exist. An existing one is left as it is.
func (c *Client) EnsureGroup(ctx context.Context, id string) error {
	a, err := c.send(ctx, http.MethodGet, "group", target(id, groupVersion), nil)
	if err == nil {
		return a.isFor(http.MethodGet, id)
	}
	if !Gone(err) {
		return err
	}
	name := id[strings.LastIndex(id, "/")+1:]
	body, err := json.Marshal(map[string]any{"location": "global", "name": name, "properties": map[string]any{}})
	if err != nil {
		return err
	}
	if a, err = c.send(ctx, http.MethodPut, "group", target(id, groupVersion), body); err != nil {
		return err
	}
	return a.isFor(http.MethodPut, id)
}

// Resource is what Radius holds of a resource.
type Resource struct {
	ID string
	// Body is the answer as it came.
	Body json.RawMessage
	// State is properties.provisioningState; it may be empty.
	State string
}

// Get reads a resource.
func (c *Client) Get(ctx context.Context, id, version string) (*Resource, error) {
	a, err := c.send(ctx, http.MethodGet, "resource", target(id, version), nil)
	if err == nil {
		err = c.isResource(a, id)
	}
	if err != nil {
		return nil, err
	}
	return &Resource{ID: id, Body: a.body, State: stateOf(a.body)}, nil
}

// isResource returns an error if an answer is not the resource that an ID names.
func (c *Client) isResource(a *answer, id string) error {
	if c.plain && strings.EqualFold(lastOf(idOf(a.body)), lastOf(id)) {
		return nil
	}
	return a.isFor(http.MethodGet, id)
}

// stateOf is the provisioning state in a body.
func stateOf(body []byte) string {
	var b struct {
		Properties struct {
			ProvisioningState string `json:"provisioningState"`
		} `json:"properties"`
	}
	_ = json.Unmarshal(body, &b)
	return b.Properties.ProvisioningState
}

// Read reads the answer for an ID that is no resource.
func (c *Client) Read(ctx context.Context, kind, id, version string) ([]byte, error) {
	a, err := c.send(ctx, http.MethodGet, kind, target(id, version), nil)
	if err != nil {
		return nil, err
	}
	return a.body, nil
}

// DefaultVersion asks for the version with which the type of a resource is best read and deleted.
// It returns "" if Radius does not know the type.
func (c *Client) DefaultVersion(ctx context.Context, id resourceid.ID) (string, error) {
	namespace, short, _ := strings.Cut(id.Type(), "/")
	body, err := c.Read(ctx, "provider", id.PlanePath()+"/providers/"+namespace, groupVersion)
	if Gone(err) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	type resourceType struct {
		APIVersions       map[string]any `json:"apiVersions"`
		DefaultAPIVersion string         `json:"defaultApiVersion"`
	}
	var b struct {
		ResourceTypes map[string]resourceType `json:"resourceTypes"`
	}
	if json.Unmarshal(body, &b) != nil || b.ResourceTypes == nil {
		cause := badAnswer("what it answered is not a resource provider: it has no resourceTypes")
		return "", &Error{Method: http.MethodGet, Path: id.PlanePath(), Cause: cause}
	}
	for name, t := range b.ResourceTypes {
		if !strings.EqualFold(name, short) {
			continue
		}
		if t.DefaultAPIVersion != "" {
			return t.DefaultAPIVersion, nil
		}
		newest := ""
		for v := range t.APIVersions {
			newest = max(newest, v)
		}
		return newest, nil
	}
	return "", nil
}
