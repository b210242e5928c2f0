package registry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"
)

// transport makes the requests to one registry. It sees every request, those of
// redirects and of token servers included, and so it is where the rules are kept:
// a secret goes to the origin that it is for, https does not become http, and a
// public registry does not send us to addresses of the inner network.
type transport struct {
	registry string // the origin
	times    Times
	open     http.RoundTripper // may reach any address
	public   http.RoundTripper // refuses private ones
	dialer   *dialer
	tokens   func(host string) bool // hosts that may be given the registry's credentials
}

func newTransport(origin string, times Times, tokens func(string) bool) *transport {
	t := &transport{registry: origin, times: times, tokens: tokens, dialer: &dialer{private: map[string]bool{}}}
	t.open = t.base(t.dialer.dial)
	t.public = t.base(t.dialer.dialPublic)
	return t
}

func (t *transport) base(dial func(ctx context.Context, network, addr string) (net.Conn, error)) *http.Transport {
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           dial,
		ForceAttemptHTTP2:     true,
		MaxConnsPerHost:       perHost,
		MaxIdleConnsPerHost:   perHost,
		IdleConnTimeout:       30 * time.Second,
		TLSHandshakeTimeout:   15 * time.Second,
		ResponseHeaderTimeout: t.times.Silence,
		// A body that unpacks to more than it claims would get past the limits.
		DisableCompression:     true,
		MaxResponseHeaderBytes: 256 << 10,
	}
}

func (t *transport) close() {
	for _, r := range []http.RoundTripper{t.open, t.public} {
		if h, ok := r.(*http.Transport); ok {
			h.CloseIdleConnections()
		}
	}
}

// RoundTrip sends a request, again if the registry is busy.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	base, err := t.route(req)
	if err != nil {
		return nil, err
	}
	for attempt := 1; ; attempt++ {
		resp, err := base.RoundTrip(req)
		wait, again := t.again(attempt, resp, err)
		if again && req.Body != nil && req.Body != http.NoBody {
			again = req.GetBody != nil
		}
		if !again || req.Context().Err() != nil {
			if resp != nil {
				resp.Body = t.watch(resp.Body)
			}
			return resp, err
		}
		if resp != nil {
			io.CopyN(io.Discard, resp.Body, 4<<10)
			resp.Body.Close()
		}
		select {
		case <-req.Context().Done():
			return nil, req.Context().Err()
		case <-t.after(wait):
		}
		if req.Body != nil && req.Body != http.NoBody {
			body, err := req.GetBody()
			if err != nil {
				return nil, err
			}
			req = req.Clone(req.Context())
			req.Body = body
		}
	}
}

// route holds a request to the rules, and says by which transport it goes.
func (t *transport) route(req *http.Request) (http.RoundTripper, error) {
	home := origin(req.URL) == t.registry
	if home {
		return t.open, nil
	}
	host := req.URL.Host
	switch {
	case req.URL.Scheme == "http" && !IsLoopback(host):
		return nil, &ruleError{fmt.Sprintf("it leads to %s without TLS, which is done for localhost only", display(host))}
	case req.URL.Scheme != "http" && req.URL.Scheme != "https":
		return nil, &ruleError{"it leads to an address that is not HTTP"}
	case req.URL.Scheme == "http" && strings.HasPrefix(t.registry, "https:"):
		return nil, &ruleError{fmt.Sprintf("it leads from https to http (%s)", display(host))}
	}
	// A request that posts a form asks for a token and has a password in it.
	secret := req.Header.Get("Authorization") != "" ||
		strings.HasPrefix(req.Header.Get("Content-Type"), "application/x-www-form-urlencoded")
	if secret && !t.tokens(host) && req.Context().Value(tokenServerKey{}) != origin(req.URL) {
		return nil, &ruleError{fmt.Sprintf("it asks that credentials be sent to %s, and they are for the registry alone; "+
			"if that is its token server, list it under tokenServers in your settings", display(host))}
	}
	if t.dialer.isPrivate(strings.TrimPrefix(strings.TrimPrefix(t.registry, "https://"), "http://")) {
		return t.open, nil
	}
	if IsLoopback(host) {
		return nil, &ruleError{fmt.Sprintf("it leads to %s, which is this machine", display(host))}
	}
	return t.public, nil
}

// ruleError says that a registry asked for something that is not done.
type ruleError struct{ text string }

func (e *ruleError) Error() string { return e.text }

// after waits before another attempt.
func (t *transport) after(wait time.Duration) <-chan time.Time {
	if t.times.After != nil {
		return t.times.After(wait)
	}
	return time.After(wait)
}

// again decides whether a request is worth another attempt, and after which time.
func (t *transport) again(attempt int, resp *http.Response, err error) (time.Duration, bool) {
	if attempt >= maxAttempts {
		return 0, false
	}
	wait := min(t.times.Backoff<<(attempt-1), t.times.Wait)
	if err != nil {
		var timeout net.Error
		var rule *ruleError
		switch {
		case errors.As(err, &rule), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
			return 0, false
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), isReset(err):
			return wait, true
		case errors.As(err, &timeout) && timeout.Timeout():
			return wait, attempt < 2
		}
		return 0, false
	}
	switch code := resp.StatusCode; {
	case code == http.StatusTooManyRequests, code == http.StatusRequestTimeout, code >= 500 && code != http.StatusNotImplemented:
	default:
		return 0, false
	}
	if after, ok := retryAfter(resp.Header.Get("Retry-After"), time.Now()); ok {
		if after > t.times.Wait {
			return 0, false // its answer is the error that is shown
		}
		wait = max(after, 0)
	}
	return wait, true
}

// retryAfter reads the header of that name: seconds, or a date.
func retryAfter(text string, now time.Time) (time.Duration, bool) {
	if text = strings.TrimSpace(text); text == "" {
		return 0, false
	}
	if n, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(n) * time.Second, true
	}
	if at, err := http.ParseTime(text); err == nil {
		return at.Sub(now), true
	}
	return 0, false
}

// watch ends a body that stops arriving.
func (t *transport) watch(body io.ReadCloser) io.ReadCloser {
	w := &watchedBody{ReadCloser: body, silence: t.times.Silence}
	w.timer = time.AfterFunc(t.times.Silence, func() {
		w.mu.Lock()
		w.stalled = true
		w.mu.Unlock()
		body.Close()
	})
	return w
}

type watchedBody struct {
	io.ReadCloser
	silence time.Duration
	timer   *time.Timer

	mu      sync.Mutex
	stalled bool
}

func (w *watchedBody) Read(p []byte) (int, error) {
	w.timer.Reset(w.silence)
	n, err := w.ReadCloser.Read(p)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stalled && err != nil {
		return n, fmt.Errorf("no more of the answer arrived for %v", w.silence)
	}
	return n, err
}

func (w *watchedBody) Close() error {
	w.timer.Stop()
	return w.ReadCloser.Close()
}

// dialer opens connections, and remembers which hosts have private addresses.
type dialer struct {
	net.Dialer
	mu      sync.Mutex
	private map[string]bool // by host and port
}

func (d *dialer) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	dialer := net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}
	c, err := dialer.DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	if remote, err := netip.ParseAddrPort(c.RemoteAddr().String()); err == nil && isPrivate(remote.Addr()) {
		d.mu.Lock()
		d.private[strings.ToLower(addr)] = true
		d.mu.Unlock()
	}
	return c, nil
}

// isPrivate reports whether a host that was reached has a private address.
func (d *dialer) isPrivate(hostport string) bool {
	if IsLoopback(hostport) {
		return true
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.private[hostport]
}

// dialPublic opens connections to public addresses alone. Proxies may have others:
// what they connect to is theirs to decide.
func (d *dialer) dialPublic(ctx context.Context, network, addr string) (net.Conn, error) {
	dialer := net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}
	if !isProxy(addr) {
		dialer.ControlContext = refusePrivate
	}
	return dialer.DialContext(ctx, network, addr)
}
