package registry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// answers is a registry that answers each request with the next status or error, and the last one for ever.
type answers struct {
	list   []any // statuses and errors
	header http.Header
	mu     sync.Mutex
	bodies []string // of the requests
}

func (a *answers) RoundTrip(req *http.Request) (*http.Response, error) {
	body := ""
	if req.Body != nil {
		text, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		body = string(text)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.list[min(len(a.bodies), len(a.list)-1)]
	a.bodies = append(a.bodies, body)
	if err, ok := now.(error); ok {
		return nil, err
	}
	header := a.header
	if header == nil {
		header = http.Header{}
	}
	return &http.Response{StatusCode: now.(int), Header: header, Body: io.NopCloser(strings.NewReader("answer")), Request: req}, nil
}

type slowError struct{}

func (slowError) Error() string   { return "slow" }
func (slowError) Timeout() bool   { return true }
func (slowError) Temporary() bool { return true }

// noting is a transport of https://r.example whose waits are noted.
func noting(times Times) (*transport, *[]time.Duration) {
	waits := &[]time.Duration{}
	times.After = func(d time.Duration) <-chan time.Time {
		*waits = append(*waits, d)
		return time.After(0)
	}
	return newTransport("https://r.example:443", times, func(host string) bool { return host == "t.example" }), waits
}

// TestAttempts: what a busy or broken registry is asked again, how often, and after which waits.
func TestAttempts(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	whole := []time.Duration{300 * ms, 600 * ms, 1200 * ms, 2400 * ms} // before each attempt but the first
	wrapped := func(err error) error { return &url.Error{Op: "Get", URL: "https://r.example", Err: err} }
	for name, c := range map[string]struct {
		list   []any
		after  string // Retry-After
		wait   time.Duration
		status int // 0 for an error
		waits  []time.Duration
	}{
		"200":                        {[]any{200}, "", 0, 200, nil},
		"404":                        {[]any{404, 200}, "", 0, 404, nil},
		"401":                        {[]any{401, 200}, "", 0, 401, nil},
		"499":                        {[]any{499, 200}, "", 0, 499, nil},
		"501":                        {[]any{501, 200}, "", 0, 501, nil},
		"408":                        {[]any{408, 200}, "", 0, 200, whole[:1]},
		"429":                        {[]any{429, 200}, "", 0, 200, whole[:1]},
		"500":                        {[]any{500, 200}, "", 0, 200, whole[:1]},
		"502, 503, 504":              {[]any{502, 503, 504, 200}, "", 0, 200, whole[:3]},
		"599 for ever":               {[]any{599}, "", 0, 599, whole},
		"a short longest wait":       {[]any{500}, "", time.Second, 500, []time.Duration{300 * ms, 600 * ms, time.Second, time.Second}},
		"seconds":                    {[]any{429, 429, 200}, "7", 0, 200, []time.Duration{7 * time.Second, 7 * time.Second}},
		"0 seconds":                  {[]any{503, 200}, " 0 ", 0, 200, []time.Duration{0}},
		"the longest wait":           {[]any{503, 200}, "30", 0, 200, []time.Duration{30 * time.Second}},
		"more than the longest wait": {[]any{503, 200}, "31", 0, 503, nil},
		"a date of the past":         {[]any{503, 200}, "Mon, 01 Jan 2024 00:00:00 GMT", 0, 200, []time.Duration{0}},
		"a date far away":            {[]any{503, 200}, "Mon, 01 Jan 2185 00:00:00 GMT", 0, 503, nil},
		"no time":                    {[]any{503, 200}, "-1", 0, 200, whole[:1]},
		"a time where all is well":   {[]any{200}, "9", 0, 200, nil},
		"it closes":                  {[]any{wrapped(io.EOF), 200}, "", 0, 200, whole[:1]},
		"it breaks off":              {[]any{wrapped(io.ErrUnexpectedEOF), 200}, "", 0, 200, whole[:1]},
		"it resets":                  {[]any{wrapped(syscall.ECONNRESET), 200}, "", 0, 200, whole[:1]},
		"a broken pipe":              {[]any{wrapped(syscall.EPIPE), 200}, "", 0, 200, whole[:1]},
		"it resets for ever":         {[]any{wrapped(syscall.ECONNRESET)}, "", 0, 0, whole},
		"it refuses":                 {[]any{wrapped(syscall.ECONNREFUSED), 200}, "", 0, 0, nil},
		"it is slow once":            {[]any{wrapped(slowError{}), 200}, "", 0, 200, whole[:1]},
		"it is slow for ever":        {[]any{wrapped(slowError{})}, "", 0, 0, whole[:1]},
		"a rule":                     {[]any{&ruleError{"no"}, 200}, "", 0, 0, nil},
		"the time is over":           {[]any{wrapped(context.DeadlineExceeded), 200}, "", 0, 0, nil},
		"another error":              {[]any{errors.New("odd"), 200}, "", 0, 0, nil},
	} {
		times := DefaultTimes
		if c.wait > 0 {
			times.Wait = c.wait
		}
		tr, waits := noting(times)
		a := &answers{list: c.list, header: http.Header{"Retry-After": {c.after}}}
		tr.open = a
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, "https://r.example/v2/", strings.NewReader("content"))
		require.NoError(t, err)
		resp, err := tr.RoundTrip(req)
		if c.status == 0 {
			require.Error(t, err, name)
		} else {
			require.NoError(t, err, name)
			assert.Equal(t, c.status, resp.StatusCode, name)
			text, err := io.ReadAll(resp.Body)
			require.NoError(t, err, name)
			assert.Equal(t, "answer", string(text), name)
			require.NoError(t, resp.Body.Close())
		}
		assert.Equal(t, c.waits, append([]time.Duration(nil), *waits...), name)
		for _, body := range a.bodies {
			assert.Equal(t, "content", body, "%s: each attempt has the whole body", name)
		}
		assert.Len(t, a.bodies, len(c.waits)+1, name)
	}
}

// TestAttemptsEnd: what cannot be sent again is not, and a run that ends does not wait.
func TestAttemptsEnd(t *testing.T) {
	t.Parallel()
	send := func(ctx context.Context, change func(*transport, *http.Request)) (*answers, *http.Response, error) {
		tr, _ := noting(DefaultTimes)
		a := &answers{list: []any{500, 200}}
		tr.open = a
		req, err := http.NewRequestWithContext(ctx, http.MethodPut, "https://r.example/v2/", strings.NewReader("content"))
		require.NoError(t, err)
		change(tr, req)
		resp, err := tr.RoundTrip(req)
		if resp != nil {
			t.Cleanup(func() { resp.Body.Close() })
		}
		return a, resp, err
	}
	a, resp, err := send(t.Context(), func(_ *transport, r *http.Request) { r.GetBody = nil })
	require.NoError(t, err)
	assert.Equal(t, 500, resp.StatusCode, "the body is gone")
	assert.Len(t, a.bodies, 1)

	_, resp, err = send(t.Context(), func(_ *transport, r *http.Request) { r.Body, r.GetBody = http.NoBody, nil })
	require.NoError(t, err)
	assert.Equal(t, 200, resp.StatusCode, "there is no body")

	_, _, err = send(t.Context(), func(_ *transport, r *http.Request) {
		r.GetBody = func() (io.ReadCloser, error) { return nil, errors.New("it is gone") }
	})
	require.EqualError(t, err, "it is gone")

	ctx, stop := context.WithCancel(t.Context())
	a, _, err = send(ctx, func(tr *transport, _ *http.Request) {
		tr.times.After = func(time.Duration) <-chan time.Time {
			stop()
			return nil
		}
	})
	require.ErrorIs(t, err, context.Canceled, "it does not wait to the end")
	assert.Len(t, a.bodies, 1)

	ended, stop := context.WithCancel(t.Context())
	stop()
	a, resp, err = send(ended, func(*transport, *http.Request) {})
	require.NoError(t, err)
	assert.Equal(t, 500, resp.StatusCode)
	assert.Len(t, a.bodies, 1, "nothing more is asked")
}

// TestWaits: without a clock of the test, waits take their time.
func TestWaits(t *testing.T) {
	t.Parallel()
	tr := newTransport("https://r.example:443", DefaultTimes, nil)
	began := time.Now()
	<-tr.after(20 * time.Millisecond)
	assert.GreaterOrEqual(t, time.Since(began), 20*time.Millisecond)
}

// TestRoutes are the rules of where a registry may lead, and what may be sent there.
func TestRoutes(t *testing.T) {
	t.Parallel()
	const form = "application/x-www-form-urlencoded; charset=utf-8"
	for _, c := range []struct {
		home, to string
		basic    bool
		kind     string // Content-Type
		server   string // the origin of a token server of the registry
		private  string // the host of the registry, if its address is private
		want     string // "open", "public" or the error
	}{
		{home: "https://r.example:443", to: "https://r.example/v2/", basic: true, want: "open"},
		{home: "https://r.example:443", to: "https://R.EXAMPLE:443/v2/", basic: true, want: "open"},
		{home: "http://localhost:80", to: "http://localhost/v2/", basic: true, want: "open"},
		{home: "https://r.example:443", to: "https://blob.example/x", want: "public"},
		{home: "https://r.example:443", to: "https://r.example:444/x", want: "public"},
		{home: "https://r.example:443", to: "http://blob.example/x", want: "it leads to blob.example without TLS, which is done for localhost only"},
		{home: "https://r.example:443", to: "http://r.example/x", want: "it leads to r.example without TLS, which is done for localhost only"},
		{home: "https://r.example:443", to: "ftp://blob.example/x", want: "it leads to an address that is not HTTP"},
		{home: "https://r.example:443", to: "http://localhost:5000/x", want: "it leads from https to http (localhost:5000)"},
		{home: "https://r.example:443", to: "https://localhost:5000/x", want: "it leads to localhost:5000, which is this machine"},
		{home: "https://r.example:443", to: "https://127.0.0.1/x", want: "it leads to 127.0.0.1, which is this machine"},
		{home: "https://localhost:5000", to: "https://127.0.0.1/x", want: "open"},
		{home: "http://localhost:5000", to: "http://127.0.0.1:1/x", want: "open"},
		{home: "http://localhost:5000", to: "https://blob.example/x", want: "open"},
		{home: "https://r.example:443", private: "r.example:443", to: "https://10.0.0.1/x", want: "open"},
		{home: "https://r.example:443", private: "r.example:444", to: "https://10.0.0.1/x", want: "public"},
		{home: "https://r.example:443", to: "https://blob.example/x", basic: true, want: secretRule("blob.example")},
		{home: "https://r.example:443", to: "https://blob.example/x", kind: form, want: secretRule("blob.example")},
		{home: "https://r.example:443", to: "https://blob.example/x", kind: "application/json", want: "public"},
		{home: "https://r.example:443", to: "https://t.example/x", basic: true, want: "public"},
		{home: "https://r.example:443", to: "https://t.example/x", kind: form, want: "public"},
		{home: "https://r.example:443", to: "https://r.example:444/t", basic: true, server: "https://r.example:444", want: "public"},
		{home: "https://r.example:443", to: "https://r.example:445/t", basic: true, server: "https://r.example:444", want: secretRule("r.example:445")},
	} {
		tr := newTransport(c.home, DefaultTimes, func(host string) bool { return host == "t.example" })
		if c.private != "" {
			tr.dialer.private[c.private] = true
		}
		ctx := t.Context()
		if c.server != "" {
			ctx = context.WithValue(ctx, tokenServerKey{}, c.server)
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.to, nil)
		require.NoError(t, err)
		if c.basic {
			req.Header.Set("Authorization", "Basic x")
		}
		if c.kind != "" {
			req.Header.Set("Content-Type", c.kind)
		}
		got, err := tr.route(req)
		what := fmt.Sprintf("%+v", c)
		switch c.want {
		case "open":
			require.NoError(t, err, what)
			assert.Same(t, tr.open, got, what)
		case "public":
			require.NoError(t, err, what)
			assert.Same(t, tr.public, got, what)
		default:
			require.EqualError(t, err, c.want, what)
			_, err = tr.RoundTrip(req)
			require.EqualError(t, err, c.want, "nothing is sent")
		}
	}
}

func secretRule(host string) string {
	return "it asks that credentials be sent to " + host + ", and they are for the registry alone; if that is its token server, list it under tokenServers in your settings"
}

// TestRedirects: five of them are followed, and the credential stays behind when they leave the registry.
func TestRedirects(t *testing.T) {
	t.Parallel()
	hop := func(address string) *http.Request {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		require.NoError(t, err)
		req.Header.Set("Authorization", "Basic x")
		return req
	}
	for _, c := range []struct {
		via  []string
		to   string
		keep bool
	}{
		{[]string{"https://r.example/a"}, "https://r.example:443/b", true},
		{[]string{"https://r.example/a"}, "https://r.example:444/b", false},
		{[]string{"https://r.example/a"}, "http://r.example/b", false},
		{[]string{"https://r.example/a"}, "https://s.example/b", false},
		{[]string{"https://r.example/a", "https://s.example/b"}, "https://r.example/c", false},
		{[]string{"https://r.example/a", "https://r.example/b"}, "https://r.example/c", true},
	} {
		var via []*http.Request
		for _, address := range c.via {
			via = append(via, hop(address))
		}
		req := hop(c.to)
		require.NoError(t, checkRedirect(req, via))
		assert.Equal(t, c.keep, req.Header.Get("Authorization") != "", "%v", c)
	}
	via := make([]*http.Request, 6)
	for i := range via {
		via[i] = hop("https://r.example/")
	}
	require.NoError(t, checkRedirect(hop("https://r.example/"), via[:5]))
	require.EqualError(t, checkRedirect(hop("https://r.example/"), via), "it redirects more than 5 times")
}

// TestSlowBodies: a body may take any time, as long as bytes arrive.
func TestSlowBodies(t *testing.T) {
	t.Parallel()
	watch := func(silence, pause time.Duration) (string, error) {
		r, w := io.Pipe()
		go func() {
			for range 3 {
				time.Sleep(pause)
				if _, err := w.Write([]byte("x")); err != nil {
					return
				}
			}
			w.Close()
		}()
		body := newTransport("https://r.example:443", Times{Silence: silence}, nil).watch(r)
		defer body.Close()
		text, err := io.ReadAll(body)
		return string(text), err
	}
	text, err := watch(time.Second, 400*time.Millisecond)
	require.NoError(t, err, "three bytes in more than a second")
	assert.Equal(t, "xxx", text)
	_, err = watch(100*time.Millisecond, time.Minute)
	require.EqualError(t, err, "no more of the answer arrived for 100ms")
	text, err = watch(time.Minute, 0)
	require.NoError(t, err)
	assert.Equal(t, "xxx", text)
}

// TestDialing: a public registry leads to no private address, and a private one is remembered as such.
func TestDialing(t *testing.T) {
	for _, name := range []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"} {
		t.Setenv(name, "")
	}
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	require.NoError(t, err)
	d := &dialer{private: map[string]bool{}}
	_, err = d.dialPublic(t.Context(), "tcp", l.Addr().String())
	var rule *ruleError
	require.ErrorAs(t, err, &rule)
	assert.EqualError(t, rule, "it leads to the private address 127.0.0.1")
	t.Setenv("https_proxy", "http://"+l.Addr().String())
	c, err := d.dialPublic(t.Context(), "tcp", l.Addr().String())
	require.NoError(t, err, "a proxy may be private")
	c.Close()

	assert.False(t, d.isPrivate("r.example:443"))
	assert.True(t, d.isPrivate("localhost:1"), "nobody has to be asked")
	c, err = d.dial(t.Context(), "tcp", "127.0.0.1:"+port)
	require.NoError(t, err)
	c.Close()
	assert.Equal(t, map[string]bool{"127.0.0.1:" + port: true}, d.private)
	assert.True(t, d.isPrivate("127.0.0.1:"+port))
	l.Close()
	_, err = d.dial(t.Context(), "tcp", l.Addr().String())
	require.ErrorIs(t, err, syscall.ECONNREFUSED)
}

// TestTransports: what a registry sends is read as it is, for at most so long, over as many connections.
func TestTransports(t *testing.T) {
	t.Parallel()
	tr := newTransport("https://r.example:443", DefaultTimes, nil)
	for _, one := range []http.RoundTripper{tr.open, tr.public} {
		h, ok := one.(*http.Transport)
		require.True(t, ok)
		assert.True(t, h.DisableCompression, "a body that unpacks to more would get past the limits")
		assert.NotZero(t, h.MaxResponseHeaderBytes)
		assert.NotZero(t, h.ResponseHeaderTimeout)
		assert.NotZero(t, h.TLSHandshakeTimeout)
	}
}

// TestLimits: how long a transfer may take, by its size.
func TestLimits(t *testing.T) {
	t.Parallel()
	c := New(Options{})
	for size, want := range map[int64]time.Duration{0: 140, 1<<20 - 1: 140, 1 << 20: 160, 64 << 20: 1420} {
		ctx, stop := c.budget(t.Context(), size)
		end, ok := ctx.Deadline()
		require.True(t, ok)
		assert.InDelta(t, (want * time.Second).Seconds(), time.Until(end).Seconds(), 3, "%d bytes", size)
		stop()
	}
}
