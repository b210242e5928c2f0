package registry_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/registry"
	"github.com/radbicep/rad/pkg/bicep/registrytest"
)

// fetch fetches the module of a registry with a client of its own.
func fetch(t *testing.T, host string) error {
	t.Helper()
	_, err := newClient(t, registry.Options{}).Fetch(t.Context(), module(host, "v1"), "", filepath.Join(t.TempDir(), "cache"), false)
	return err
}

// tokenServer is a registry with a token server at /token.
type tokenServer struct {
	*registrytest.Registry
	challenge string // of the registry; TOKEN is the address of the token server
	status    int    // of the token server
	answer    string // of the token server
	wants     string // what the registry takes; anything but nothing if it is ""
	mu        sync.Mutex
	tokens    []string // what the token server was asked
}

func newTokenServer(t *testing.T) *tokenServer {
	t.Helper()
	s := &tokenServer{Registry: registrytest.New(t), challenge: `Bearer realm="TOKEN",service="the service",scope="the scope"`, status: 200, answer: `{"token": "abc"}`}
	s.Module("mods/web", "v1", template)
	s.Fault = func(w http.ResponseWriter, q *http.Request) bool {
		if q.URL.Path == "/token" {
			_ = q.ParseForm()
			s.mu.Lock()
			s.tokens = append(s.tokens, fmt.Sprintf("%s %s %s|%s", q.Method, q.Form.Encode(), q.Header.Get("Authorization"), q.Header.Get("Content-Type")))
			s.mu.Unlock()
			return answer(s.status, map[string]string{"Retry-After": ""}, s.answer)(w, q)
		}
		if got := q.Header.Get("Authorization"); got != "" && (s.wants == "" || got == s.wants) {
			return false
		}
		return answer(401, map[string]string{"WWW-Authenticate": strings.ReplaceAll(s.challenge, "TOKEN", "http://"+s.Host+"/token")}, "")(w, q)
	}
	return s
}

// TestRequestsForTokens: what a token server is asked, by what the user has.
func TestRequestsForTokens(t *testing.T) {
	basic := "Basic " + base64.StdEncoding.EncodeToString([]byte("me:s3cret"))
	form := func(pairs ...string) string {
		v := url.Values{}
		for i := 0; i < len(pairs); i += 2 {
			v.Set(pairs[i], pairs[i+1])
		}
		return v.Encode()
	}
	whole := form("service", "the service", "scope", "the scope")
	for name, c := range map[string]struct {
		entry     string // of docker's configuration
		challenge string
		want      []string // requests; the first is a stranger's
		sent      string   // to the registry, in the end
	}{
		"a stranger": {"", "", []string{"GET " + whole + " |"}, "Bearer abc"},
		"a password": {`{"username": "me", "password": "s3cret"}`, "", []string{"GET " + whole + " |", "GET " + whole + " " + basic + "|"}, "Bearer for me"},
		"a token of the identity": {`{"identitytoken": "id"}`, "", []string{"GET " + whole + " |",
			"POST " + form("service", "the service", "scope", "the scope", "grant_type", "refresh_token", "refresh_token", "id", "client_id", "test") + " |application/x-www-form-urlencoded"}, "Bearer for me"},
		"a token of the registry": {`{"registrytoken": "rt"}`, "", []string{"GET " + whole + " |"}, "Bearer rt"},
		"no service":              {"", `Bearer realm="TOKEN",scope="the scope"`, []string{"GET " + form("scope", "the scope") + " |"}, "Bearer abc"},
		"no scope":                {"", `Bearer realm="TOKEN",service="the service"`, []string{"GET " + form("service", "the service", "scope", "repository:mods/web:pull") + " |"}, "Bearer abc"},
		"an address with a query": {"", `Bearer realm="TOKEN?a=b&scope=x",scope="the scope"`, []string{"GET " + form("scope", "the scope", "a", "b") + " |"}, "Bearer abc"},
	} {
		s := newTokenServer(t)
		if c.challenge != "" {
			s.challenge = c.challenge
		}
		if c.entry != "" {
			dockerConfig(t, fmt.Sprintf(`{"auths": {%q: %s}}`, s.Host, c.entry))
			s.wants = c.sent
			inner := s.Fault
			s.Fault = func(w http.ResponseWriter, q *http.Request) bool {
				if q.URL.Path == "/token" && (q.Header.Get("Authorization") != "" || q.Method == http.MethodPost) {
					s.answer = `{"token": "no", "access_token": "for me"}`
				}
				return inner(w, q)
			}
		}
		err := fetch(t, s.Host)
		require.NoError(t, err, name)
		assert.Equal(t, c.want, slices.Compact(s.tokens), name)
		requests := s.Requests()
		assert.Equal(t, c.sent, requests[len(requests)-1].Authorization, name)
	}
}

// TestAnswersOfTokenServers: an answer is a token, or there is a message that says what is wrong.
func TestAnswersOfTokenServers(t *testing.T) {
	t.Parallel()
	padded := func(n int) string { return `{"token": "abc"` + strings.Repeat(" ", n-len(`{"token": "abc"}`)) + "}" }
	for name, c := range map[string]struct {
		challenge string
		status    int
		answer    string
		want      string // the error; "" if the token is taken
	}{
		"a token":              {"", 200, `{"token": "abc"}`, ""},
		"another name of it":   {"", 200, `{"access_token": "abc"}`, ""},
		"more than a token":    {"", 200, `{"token": "abc", "expires_in": 300} `, ""},
		"an empty token":       {"", 200, `{"token": ""}`, "the registry HOST is not followed: its token server answered with an empty token"},
		"no token":             {"", 200, `{}`, "the registry HOST is not followed: its token server answered with an empty token"},
		"no JSON":              {"", 200, `abc`, "the registry HOST is not followed: its token server did not answer with a token"},
		"a number":             {"", 200, `{"token": 1}`, "the registry HOST is not followed: its token server did not answer with a token"},
		"the longest answer":   {"", 200, padded(1 << 20), ""},
		"too long an answer":   {"", 200, padded(1<<20 + 1), "the registry HOST is not followed: its token server did not answer with a token"},
		"another status":       {"", 201, `{"token": "abc"}`, "HOST answered with status 201"},
		"a refusal":            {"", 403, `{"errors": [{"message": "no"}]}`, "HOST refused access (status 403) with no credentials; 'docker login HOST' gives it credentials"},
		"words":                {"", 400, `{"errors": [{"message": "who are\nyou?"}, {"message": "second"}]}`, "HOST answered with status 400: who are you?"},
		"no words":             {"", 400, `{"errors": []}`, "HOST answered with status 400"},
		"other words":          {"", 400, `who are you`, "HOST answered with status 400"},
		"no address":           {`Bearer realm="token"`, 200, "", `the registry HOST is not followed: it names the token server "token", which is not an address`},
		"no realm":             {`Bearer service="s"`, 200, "", `the registry HOST is not followed: it names the token server "", which is not an address`},
		"a broken address":     {`Bearer realm="http://[x"`, 200, "", `the registry HOST is not followed: it names the token server "http://[x", which is not an address`},
		"no challenge":         {"none", 200, "", "HOST refused access (status 401) with no credentials; 'docker login HOST' gives it credentials"},
		"a challenge to basic": {`Basic realm="x"`, 200, "", "HOST refused access (status 401) with no credentials; 'docker login HOST' gives it credentials"},
	} {
		s := newTokenServer(t)
		if s.status, s.answer = c.status, c.answer; c.challenge != "" {
			s.challenge = c.challenge
		}
		err := fetch(t, s.Host)
		if c.want == "" {
			require.NoError(t, err, name)
			requests := s.Requests()
			assert.Equal(t, "Bearer abc", requests[len(requests)-1].Authorization, name)
			continue
		}
		require.EqualError(t, err, strings.ReplaceAll(c.want, "HOST", s.Host), name)
	}
}

// TestTokensAreRemembered: for what they are for, and a registry that refuses one is asked no second time.
func TestTokensAreRemembered(t *testing.T) {
	t.Parallel()
	s := newTokenServer(t)
	s.Module("mods/api", "v1", template+" ")
	s.challenge = `Bearer realm="TOKEN"`
	client := newClient(t, registry.Options{})
	for _, name := range []string{"mods/web", "mods/web", "mods/api"} {
		a := &artifact.Reference{Scheme: artifact.OCI, Registry: s.Host, Repository: name, Tag: "v1"}
		_, err := client.Fetch(t.Context(), a, "", filepath.Join(t.TempDir(), "cache"), false)
		require.NoError(t, err)
	}
	assert.Equal(t, []string{"GET scope=repository%3Amods%2Fweb%3Apull |", "GET scope=repository%3Amods%2Fapi%3Apull |"}, s.tokens)

	refusing := newTokenServer(t)
	refusing.wants = "nothing is good enough"
	err := fetch(t, refusing.Host)
	require.EqualError(t, err, strings.ReplaceAll("HOST refused access (status 401) with no credentials; 'docker login HOST' gives it credentials", "HOST", refusing.Host))
	assert.Len(t, refusing.tokens, 1)
	assert.Len(t, refusing.Requests(), 3, "without, for a token, with")
}

// TestClosedRepositories: once the user's credential has opened a repository, strangers are not tried again.
func TestClosedRepositories(t *testing.T) {
	withoutCredentials(t)
	r := registrytest.New(t)
	r.User, r.Password = "me", "s3cret"
	r.Module("mods/web", "v1", template)
	r.Module("mods/web", "v2", template+" ")
	dockerLogin(t, r.Host)
	client := newClient(t, registry.Options{})
	_, err := client.Fetch(t.Context(), module(r.Host, "v1"), "", filepath.Join(t.TempDir(), "cache"), false)
	require.NoError(t, err)
	var with []bool
	for _, q := range r.Requests() {
		with = append(with, q.Authorization != "")
	}
	assert.Equal(t, []bool{false, false, true, true}, with)
	_, err = client.Fetch(t.Context(), module(r.Host, "v2"), "", filepath.Join(t.TempDir(), "cache"), false)
	require.NoError(t, err)
	for _, q := range r.Requests() {
		assert.NotEmpty(t, q.Authorization)
	}
	// The message says whose credentials did not help.
	r.Password = "changed"
	_, err = client.Fetch(t.Context(), module(r.Host, "v3"), "", filepath.Join(t.TempDir(), "cache"), false)
	require.ErrorContains(t, err, r.Host+" refused access (status 401) with credentials from ")
	require.ErrorContains(t, err, "config.json; 'docker login "+r.Host+"' gives it credentials")
}

// TestPrivateBehind404: a registry that hides what is private is asked again with the user's credential.
func TestPrivateBehind404(t *testing.T) {
	withoutCredentials(t)
	r := registrytest.New(t)
	r.Module("mods/web", "v1", template)
	basic := "Basic " + base64.StdEncoding.EncodeToString([]byte("me:s3cret"))
	first := true
	r.Fault = func(w http.ResponseWriter, q *http.Request) bool {
		if q.Header.Get("Authorization") == basic {
			return false
		}
		if first {
			first = false
			return answer(404, nil, "")(w, q)
		}
		return answer(401, map[string]string{"WWW-Authenticate": "Basic"}, "")(w, q)
	}
	dockerLogin(t, r.Host)
	require.NoError(t, fetch(t, r.Host))
	// Where the file cannot be read, the message says so beside the status.
	dockerConfig(t, "{")
	first = true
	err := fetch(t, r.Host)
	require.ErrorContains(t, err, r.Host+" has no such artifact (status 404), with no credentials, since none were found (")
	require.ErrorContains(t, err, "config.json is not what docker writes: no JSON at byte 1)")
}

// TestListsOfTags: pages are followed on the registry alone, up to a number of them.
func TestListsOfTags(t *testing.T) {
	t.Parallel()
	tags := func(n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf("%q", "t"+strconv.Itoa(i)))
		}
		return `{"tags": [` + strings.Join(list, ",") + `]}`
	}
	numbered := func(pages, each int) func(host string, page int) (string, string) {
		return func(_ string, page int) (string, string) {
			if page == pages {
				return "", tags(each)
			}
			return `</v2/mods/web/tags/list?page=` + strconv.Itoa(page+1) + `>; rel="next"`, tags(each)
		}
	}
	first := func(link string) func(host string, page int) (string, string) {
		return func(host string, page int) (string, string) {
			if page > 1 {
				return "", `{"tags": ["b"]}`
			}
			return strings.ReplaceAll(link, "HOST", host), `{"tags": ["a"]}`
		}
	}
	const elsewhere = "the registry HOST is not followed: its list of tags goes on at another place"
	for name, c := range map[string]struct {
		page  func(host string, page int) (link, body string)
		want  []string // nil: only their number matters
		n     int
		fails string
	}{
		"one page":             {first(""), []string{"a"}, 1, ""},
		"an absolute path":     {first(`</v2/mods/web/tags/list?page=2>; rel="next"`), []string{"a", "b"}, 2, ""},
		"a relative path":      {first(`<list?page=2>;rel=next`), []string{"a", "b"}, 2, ""},
		"a query":              {first(`<?page=2>`), []string{"a", "b"}, 2, ""},
		"an address":           {first(`<http://HOST/v2/mods/web/tags/list?page=2>`), []string{"a", "b"}, 2, ""},
		"another host":         {first(`<http://localhost:1/?page=2>`), nil, 0, elsewhere},
		"another scheme":       {first(`<https://HOST/?page=2>`), nil, 0, elsewhere},
		"no address":           {first(`<http://[x>`), nil, 0, elsewhere},
		"a link without end":   {first(`</v2/mods/web/tags/list?page=2`), []string{"a"}, 1, ""},
		"a link without begin": {first(`/v2/mods/web/tags/list?page=2>`), []string{"a"}, 1, ""},
		"no tags":              {func(string, int) (string, string) { return "", `{"tags": null}` }, nil, 0, ""},
		"no JSON":              {func(string, int) (string, string) { return "", `tags` }, nil, 0, "the registry HOST is not followed: its list of tags is not JSON of the right form"},
		"another form":         {func(string, int) (string, string) { return "", `{"tags": "a"}` }, nil, 0, "the registry HOST is not followed: its list of tags is not JSON of the right form"},
		"100 pages":            {numbered(100, 1), nil, 100, ""},
		"101 pages":            {numbered(101, 1), nil, 0, "the registry HOST is not followed: its list of tags has more than 100 pages"},
		"many tags":            {numbered(2, 50_000), nil, 100_000, ""},
		"too many tags":        {numbered(2, 50_001), nil, 0, "the registry HOST is not followed: it has more than 100000 tags"},
	} {
		r := registrytest.New(t)
		r.Fault = func(w http.ResponseWriter, q *http.Request) bool {
			page := 1
			if n, err := strconv.Atoi(q.URL.Query().Get("page")); err == nil {
				page = n
			} else {
				assert.Equal(t, "/v2/mods/web/tags/list?n=1000", q.URL.RequestURI(), name)
			}
			link, body := c.page(r.Host, page)
			if link != "" {
				w.Header().Set("Link", link)
			}
			fmt.Fprint(w, body)
			return true
		}
		got, err := newClient(t, registry.Options{}).Tags(t.Context(), module(r.Host, ""))
		if c.fails != "" {
			require.EqualError(t, err, strings.ReplaceAll(c.fails, "HOST", r.Host), name)
			assert.Empty(t, got, name)
			continue
		}
		require.NoError(t, err, name)
		require.Len(t, got, c.n, name)
		if c.want != nil {
			assert.Equal(t, c.want, got, name)
		}
	}
	r := registrytest.New(t)
	_, err := newClient(t, registry.Options{}).Tags(t.Context(), module(r.Host, ""))
	require.EqualError(t, err, r.Host+" has no such artifact (status 404), with no credentials: repository name not known to registry")
}

// TestUploads: a blob is sent to where the registry says, unless it has it.
func TestUploads(t *testing.T) {
	t.Parallel()
	content := registry.Content{Main: []byte(template)}
	publish := func(r *registrytest.Registry, force bool) error {
		_, err := newClient(t, registry.Options{}).Publish(t.Context(), module(r.Host, "v1"), content, force)
		return err
	}
	sequence := func(r *registrytest.Registry) (list []string) {
		for _, q := range r.Requests() {
			path, _, _ := strings.Cut(q.Path, "?")
			list = append(list, q.Method+" "+strings.TrimPrefix(path, "/v2/mods/web/"))
		}
		return list
	}
	config, main := registrytest.Digest([]byte("{}")), registrytest.Digest([]byte(template))
	r := registrytest.New(t)
	require.NoError(t, publish(r, false))
	assert.Equal(t, []string{
		"HEAD manifests/v1",
		"HEAD blobs/" + config, "POST blobs/uploads/", "PUT blobs/uploads/1",
		"HEAD blobs/" + main, "POST blobs/uploads/", "PUT blobs/uploads/2",
		"PUT manifests/v1",
	}, sequence(r))
	require.NoError(t, publish(r, true))
	assert.Equal(t, []string{"HEAD blobs/" + config, "HEAD blobs/" + main, "PUT manifests/v1"}, sequence(r), "what is there is not sent again")
	require.ErrorIs(t, publish(r, false), registry.ErrExists)
	assert.Equal(t, []string{"HEAD manifests/v1"}, sequence(r))

	for name, c := range map[string]struct {
		fault func(w http.ResponseWriter, q *http.Request) bool
		put   string // the path and query of the upload
		fails string
	}{
		"a path":         {location("/upload/here"), "/upload/here?digest=D", ""},
		"a query":        {location("/upload/here?state=a%2Fb"), "/upload/here?digest=D&state=a%2Fb", ""},
		"an address":     {location("http://HOST/upload/here"), "/upload/here?digest=D", ""},
		"a name":         {location("here"), "/v2/mods/web/blobs/uploads/here?digest=D", ""},
		"no place":       {location(""), "", "the registry HOST is not followed: it names no place for an upload"},
		"no address":     {location("http://[x"), "", "the registry HOST is not followed: it names no place for an upload"},
		"200":            {on("/uploads/", answer(200, map[string]string{"Location": "/x"}, "")), "", "HOST answered with status 200"},
		"a refusal":      {on("/blobs/sha", answer(403, nil, "")), "", "HOST refused access (status 403) with no credentials; 'docker login HOST' gives it credentials"},
		"an upload lost": {method("PUT", on("/uploads/", answer(202, nil, ""))), "", "HOST answered with status 202"},
		"a bad blob":     {method("PUT", on("/uploads/", answer(400, nil, `{"errors": [{"message": "bad"}]}`))), "", "HOST answered with status 400: bad"},
		"a bad manifest": {method("PUT", on("/manifests/", answer(200, nil, ""))), "", "HOST answered with status 200"},
		"a bad tag":      {on("/manifests/", answer(405, nil, "")), "", "HOST answered with status 405"},
	} {
		r := registrytest.New(t)
		r.Fault = c.fault
		err := publish(r, false)
		if c.fails != "" {
			require.EqualError(t, err, strings.ReplaceAll(c.fails, "HOST", r.Host), name)
			continue
		}
		require.NoError(t, err, name)
		var puts []string
		for _, q := range r.Requests() {
			if q.Method == http.MethodPut && q.Body == template {
				puts = append(puts, q.Path)
			}
		}
		assert.Equal(t, []string{strings.ReplaceAll(c.put, "D", url.QueryEscape(main))}, puts, name)
	}
}

// location answers the requests for a place for an upload, and takes what is sent there.
func location(to string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, q *http.Request) bool {
		if q.Method == http.MethodPost {
			return answer(202, map[string]string{"Location": strings.ReplaceAll(to, "HOST", q.Host)}, "")(w, q)
		}
		if q.Method == http.MethodPut && strings.Contains(q.URL.Path, "/here") {
			return answer(201, nil, "")(w, q)
		}
		return false
	}
}

// method limits a fault to a method.
func method(name string, f func(http.ResponseWriter, *http.Request) bool) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, q *http.Request) bool { return q.Method == name && f(w, q) }
}

// TestHeaders: what a registry is told of the program and of what it wants.
func TestHeaders(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var seen []string
	r := registrytest.New(t)
	r.Module("mods/web", "v1", template)
	r.Fault = func(_ http.ResponseWriter, q *http.Request) bool {
		mu.Lock()
		defer mu.Unlock()
		part := strings.Split(q.URL.Path, "/")[4]
		seen = append(seen, fmt.Sprintf("%s %s %s accept=%s content=%s", q.Method, part, q.UserAgent(), q.Header.Get("Accept"), q.Header.Get("Content-Type")))
		return false
	}
	require.NoError(t, fetch(t, r.Host))
	_, err := newClient(t, registry.Options{}).Publish(t.Context(), module(r.Host, "v2"), registry.Content{Main: []byte("x")}, false)
	require.NoError(t, err)
	slices.Sort(seen)
	const manifest = "application/vnd.oci.image.manifest.v1+json"
	assert.Equal(t, []string{
		"GET blobs test accept= content=",
		"GET manifests test accept=" + manifest + " content=",
		"HEAD blobs test accept= content=",
		"HEAD manifests test accept=" + manifest + " content=",
		"POST blobs test accept= content=",
		"PUT blobs test accept= content=application/octet-stream",
		"PUT manifests test accept= content=" + manifest,
	}, slices.Compact(seen))
	seen = nil
	own := registry.New(registry.Options{UserAgent: registry.UserAgent})
	defer own.Close()
	_, err = own.Resolve(t.Context(), module(r.Host, "v1"))
	require.NoError(t, err)
	assert.Equal(t, []string{"GET manifests rad-bicep accept=" + manifest + " content="}, seen)
}
