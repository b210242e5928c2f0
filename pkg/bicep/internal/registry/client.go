// Package registry speaks with registries: it fetches modules and extensions, publishes them, and
// lists their tags. Begin with New and Client.Run, which restores many artifacts.
//
// Whatever a registry answers is taken for hostile: digests are verified, sizes and times are
// bounded, and credentials go only to the host that they are for. A compile opens no connection: it
// reads the cache.
package registry

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/config"
)

// Options are what a client has been told by the user: no repository decides them.
type Options struct {
	Mirrors      map[string]string // where else a registry's content is: host to host[/prefix]
	TokenServers []string          // hosts that may be given credentials of registries
	Credentials  config.Credentials
	Times        *Times // nil means DefaultTimes
	UserAgent    string
}

// Client speaks with registries. It is safe for concurrent use, and remembers
// connections and tokens. Making one costs nothing.
type Client struct {
	options Options
	times   Times
	azure   *azureClient

	mu        sync.Mutex
	hosts     map[string]*host
	blobs     map[string]*blob
	manifests map[string]*knownManifest // by digest
}

// UserAgent names this program to registries.
const UserAgent = "rad-bicep"

// New returns a client.
func New(o Options) *Client {
	c := &Client{options: o, times: DefaultTimes, hosts: map[string]*host{},
		blobs: map[string]*blob{}, manifests: map[string]*knownManifest{}}
	if o.Times != nil {
		c.times = *o.Times
	}
	c.azure = newAzureClient(o.Credentials, c.times)
	return c
}

// Close lets go of connections and of what was fetched for later use.
func (c *Client) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, h := range c.hosts {
		h.transport.close()
	}
	for _, b := range c.blobs {
		b.remove()
	}
}

// host is a registry as the client knows it.
type host struct {
	name      string // as references name it
	transport *transport
	anonymous *session
	identity  *session

	// The credential, once it was looked for.
	lookup    sync.Mutex
	looked    bool // where docker keeps it
	exchanged bool // for an identity of Azure
	cred      credential
	err       error

	mu    sync.Mutex
	needs map[string]bool // repositories that are closed to strangers
}

// host returns what is known about a registry. With plain, it is asked without TLS.
func (c *Client) host(name string, plain bool) *host {
	home := url.URL{Scheme: "https", Host: name}
	if plain || IsLoopback(name) {
		home.Scheme = "http"
	}
	key := home.String()
	c.mu.Lock()
	defer c.mu.Unlock()
	if h := c.hosts[key]; h != nil {
		return h
	}
	h := &host{name: name, needs: map[string]bool{}}
	if hostname(name) == "docker.io" {
		home.Host = "registry-1.docker.io"
	}
	h.transport = newTransport(origin(&home), c.times, func(to string) bool { return c.isTokenServer(name, to) })
	client := &http.Client{Transport: h.transport, CheckRedirect: checkRedirect}
	h.anonymous = &session{client: client, home: home.String(), userAgent: c.options.UserAgent, tokens: map[string]string{}}
	h.identity = &session{client: client, home: home.String(), userAgent: c.options.UserAgent, tokens: map[string]string{},
		cred: h.secret}
	c.hosts[key] = h
	return h
}

// checkRedirect bounds redirects, and takes the credential out of those that have
// left the origin that it was for, even if they come back to it.
func checkRedirect(req *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return &ruleError{fmt.Sprintf("it redirects more than %d times", maxRedirects)}
	}
	first := origin(via[0].URL)
	left := origin(req.URL) != first
	for _, r := range via {
		left = left || origin(r.URL) != first
	}
	if left {
		req.Header.Del("Authorization")
	}
	return nil
}

// tokenPairs are the token servers of well-known registries.
var tokenPairs = map[string]string{
	"docker.io":            "auth.docker.io",
	"registry-1.docker.io": "auth.docker.io",
	"registry.gitlab.com":  "gitlab.com",
}

// isTokenServer reports whether a host may be given the credentials of a registry.
func (c *Client) isTokenServer(registry, host string) bool {
	if tokenPairs[hostname(registry)] == strings.ToLower(host) {
		return true
	}
	return slices.ContainsFunc(c.options.TokenServers, func(s string) bool { return strings.EqualFold(strings.TrimSpace(s), host) })
}

// credential looks for the credential of the registry, once. A token of Azure is
// asked for only where the registry said that it wants to know who we are.
func (c *Client) credential(ctx context.Context, h *host, asked bool) (credential, error) {
	h.lookup.Lock()
	defer h.lookup.Unlock()
	ctx, stop := context.WithTimeout(ctx, cmp.Or(c.times.Tools, DefaultTimes.Tools))
	defer stop()
	if !h.looked {
		h.looked = true
		h.cred, h.err = dockerCredential(ctx, h.name)
	}
	if asked && !h.exchanged && azureCloud(h.name) != "" {
		h.exchanged = true
		if h.err == nil && h.cred.secret == (secret{}) {
			h.cred, h.err = c.azure.credential(ctx, h.name)
		}
	}
	return h.cred, h.err
}

// secret returns the credential that was found.
func (h *host) secret() secret {
	h.lookup.Lock()
	defer h.lookup.Unlock()
	return h.cred.secret
}

// place is where an artifact is asked for: its own registry or a mirror of that.
func (c *Client) place(a *artifact.Reference) (registry, repository string) {
	for from, to := range c.options.Mirrors {
		if strings.EqualFold(from, a.Registry) {
			host, prefix, ok := strings.Cut(strings.TrimSuffix(to, "/"), "/")
			if ok {
				return strings.ToLower(host), prefix + "/" + a.Repository
			}
			return strings.ToLower(host), a.Repository
		}
	}
	return a.Registry, a.Repository
}

// with calls f with the repository of an artifact: as a stranger first, and if that
// is refused, with the user's credential. write skips the first step, since
// registries let strangers read at most.
func (c *Client) with(ctx context.Context, a *artifact.Reference, write bool, f func(ctx context.Context, r *repository) error) error {
	registry, name := c.place(a)
	plain := a.PlainHTTP && registry == a.Registry && !IsLoopback(registry)
	h := c.host(registry, plain)
	h.mu.Lock()
	needs := h.needs[name] || write
	h.mu.Unlock()
	tried := "no credentials"
	var anonymous error
	if !needs {
		anonymous = f(ctx, &repository{h.anonymous, name})
		if plain && anonymous != nil {
			tried += ", since none are sent without TLS"
		}
		if anonymous == nil || plain || !refused(anonymous) {
			return explain(anonymous, registry, tried)
		}
	}
	cred, err := c.credential(ctx, h, write || statusOf(anonymous) != http.StatusNotFound)
	switch {
	case err != nil && anonymous != nil:
		return explain(anonymous, registry, fmt.Sprintf("no credentials, since none were found (%s)", display(err.Error())))
	case err != nil:
		return fmt.Errorf("no credentials for %s were found: %s", registry, display(err.Error()))
	case cred.secret == (secret{}) && anonymous != nil:
		return explain(anonymous, registry, tried)
	case cred.secret == (secret{}):
		return explain(f(ctx, &repository{h.anonymous, name}), registry, tried)
	}
	err = f(ctx, &repository{h.identity, name})
	if err == nil {
		h.mu.Lock()
		h.needs[name] = true
		h.mu.Unlock()
	}
	return explain(err, registry, "credentials from "+cred.from)
}

// budget bounds the time of a request whose body has a size.
func (c *Client) budget(ctx context.Context, size int64) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, c.times.Request+time.Duration(size>>20+1)*c.times.PerMiB)
}
