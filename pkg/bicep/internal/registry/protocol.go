package registry

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
)

// The protocol of registries, as the OCI distribution specification has it. It is
// written here rather than taken from a library: those that there are compile
// regular expressions when a program starts, which costs every run a millisecond.

// session speaks with one registry as one user, or as a stranger.
type session struct {
	client    *http.Client
	home      string // the registry's scheme, host and port, as in a URL
	userAgent string
	cred      func() secret

	mu     sync.Mutex
	tokens map[string]string // headers that worked, by scope; those of Basic by ""
}

// secret is the user's credential for a registry.
type secret struct {
	Username, Password string
	RefreshToken       string // to ask a token server for others
	AccessToken        string
}

// statusError is an answer that is not the one that was asked for.
type statusError struct {
	status  int
	message string // of the registry
	wait    string // how long it wants to be left alone, as it says so
	host    string // that answered
}

func (e *statusError) Error() string { return fmt.Sprintf("status %d", e.status) }

// scope names what may be done with a repository.
func (s *session) scope(repository string, write bool) string {
	if write {
		return "repository:" + repository + ":pull,push"
	}
	return "repository:" + repository + ":pull"
}

// request is a request to a registry.
type request struct {
	method, url string
	accept      string
	contentType string
	body        []byte
	scope       string
	want        int
}

// do sends a request, with what the registry asks for to know us.
func (s *session) do(ctx context.Context, q request) (*http.Response, error) {
	s.mu.Lock()
	authorization := cmp.Or(s.tokens[q.scope], s.tokens[""])
	s.mu.Unlock()
	resp, err := s.send(ctx, q, authorization)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode == http.StatusUnauthorized && origin(resp.Request.URL) == s.origin() {
		challenge := parseChallenge(resp.Header.Values("WWW-Authenticate"))
		if next, err := s.authorize(ctx, challenge, q.scope); err != nil {
			discard(resp)
			return nil, err
		} else if next != "" && next != authorization {
			discard(resp)
			if resp, err = s.send(ctx, q, next); err != nil {
				return nil, err
			}
			if resp.StatusCode != http.StatusUnauthorized {
				scope := q.scope
				if challenge.scheme == "basic" {
					scope = "" // a name and a password are for the whole registry
				}
				s.mu.Lock()
				s.tokens[scope] = next
				s.mu.Unlock()
			}
		}
	}
	if resp.StatusCode != q.want {
		defer discard(resp)
		return nil, &statusError{resp.StatusCode, errorMessage(resp), resp.Header.Get("Retry-After"), resp.Request.URL.Host}
	}
	return resp, nil
}

func (s *session) origin() string {
	u, err := url.Parse(s.home)
	if err != nil {
		return ""
	}
	return origin(u)
}

// send sends a request once.
func (s *session) send(ctx context.Context, q request, authorization string) (*http.Response, error) {
	var body io.Reader
	if q.body != nil {
		body = bytes.NewReader(q.body)
	}
	req, err := http.NewRequestWithContext(ctx, q.method, q.url, body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", s.userAgent)
	if q.accept != "" {
		req.Header.Set("Accept", q.accept)
	}
	if q.contentType != "" {
		req.Header.Set("Content-Type", q.contentType)
	}
	if authorization != "" && origin(req.URL) == s.origin() {
		req.Header.Set("Authorization", authorization)
	}
	return s.client.Do(req)
}

// challenge is what a registry wants to be told.
type challenge struct {
	scheme string // basic, bearer or nothing
	params map[string]string
}

// parseChallenge returns the first challenge of headers that asks for something that is known.
func parseChallenge(headers []string) challenge {
	for _, h := range headers {
		for _, c := range challenges(h) {
			if c.scheme == "basic" || c.scheme == "bearer" {
				return c
			}
		}
	}
	return challenge{}
}

// challenges reads a header: a list of schemes and of their parameters, all with commas between them.
func challenges(header string) (list []challenge) {
	const separators = " \t,"
	for rest := strings.Trim(header, separators); rest != ""; rest = strings.TrimLeft(rest, separators) {
		end := strings.IndexAny(rest, separators+"=")
		if end < 0 {
			end = len(rest)
		}
		word := strings.ToLower(rest[:end])
		value, isParameter := strings.CutPrefix(strings.TrimLeft(rest[end:], " \t"), "=")
		if !isParameter {
			list = append(list, challenge{scheme: word, params: map[string]string{}})
			rest = rest[end:]
			continue
		}
		if value = strings.TrimLeft(value, " \t"); strings.HasPrefix(value, `"`) {
			value, rest = unquote(value[1:])
		} else {
			value, rest, _ = strings.Cut(value, ",")
		}
		if len(list) > 0 {
			list[len(list)-1].params[word] = strings.TrimSpace(value)
		}
	}
	return list
}

// unquote reads a quoted text whose first quotation mark was read, and returns what follows it.
func unquote(text string) (value, rest string) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '"':
			return b.String(), text[i+1:]
		case text[i] == '\\' && i+1 < len(text):
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String(), ""
}

// authorize returns the header that answers a challenge, or "" if there is none.
func (s *session) authorize(ctx context.Context, c challenge, scope string) (string, error) {
	var cred secret
	if s.cred != nil {
		cred = s.cred()
	}
	switch c.scheme {
	case "basic":
		if cred.Username == "" || cred.Password == "" {
			return "", nil
		}
		return basic(cred), nil
	case "bearer":
		if cred.AccessToken != "" {
			return "Bearer " + cred.AccessToken, nil
		}
		if asked := c.params["scope"]; asked != "" {
			scope = asked
		}
		token, err := s.token(ctx, c.params["realm"], c.params["service"], scope, cred)
		if err != nil {
			return "", err
		}
		return "Bearer " + token, nil
	}
	return "", nil
}

func basic(cred secret) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(cred.Username+":"+cred.Password))
}

// tokenServerKey is the key of the origin of a token server on the registry's own host, in
// the context of a request for a token. Only that origin is given the credential, and none
// to which it redirects.
type tokenServerKey struct{}

// token asks a token server for a token.
func (s *session) token(ctx context.Context, realm, service, scope string, cred secret) (string, error) {
	u, err := url.Parse(realm)
	if err != nil || u.Host == "" {
		return "", &ruleError{fmt.Sprintf("it names the token server %q, which is not an address", display(realm))}
	}
	var req *http.Request
	if cred.RefreshToken != "" {
		form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {cred.RefreshToken},
			"service": {service}, "scope": {scope}, "client_id": {s.userAgent}}
		req, err = http.NewRequestWithContext(ctx, http.MethodPost, realm, strings.NewReader(form.Encode()))
		if err == nil {
			req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
	} else {
		query := u.Query()
		if service != "" {
			query.Set("service", service)
		}
		query.Set("scope", scope)
		u.RawQuery = query.Encode()
		req, err = http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
		if err == nil && cred.Username != "" {
			req.Header.Set("Authorization", basic(cred))
		}
	}
	if err != nil {
		return "", err
	}
	req.Header.Set("User-Agent", s.userAgent)
	if hostname(u.Host) == hostname(strings.TrimPrefix(strings.TrimPrefix(s.home, "https://"), "http://")) {
		req = req.WithContext(context.WithValue(ctx, tokenServerKey{}, origin(u)))
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return "", err
	}
	defer discard(resp)
	if resp.StatusCode != http.StatusOK {
		return "", &statusError{resp.StatusCode, errorMessage(resp), resp.Header.Get("Retry-After"), resp.Request.URL.Host}
	}
	var answer struct {
		Token       string `json:"token"`
		AccessToken string `json:"access_token"`
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxTokenAnswer)).Decode(&answer); err != nil {
		return "", &ruleError{"its token server did not answer with a token"}
	}
	if answer.AccessToken != "" {
		return answer.AccessToken, nil
	}
	if answer.Token == "" {
		return "", &ruleError{"its token server answered with an empty token"}
	}
	return answer.Token, nil
}

// errorMessage returns what a registry says of an error.
func errorMessage(resp *http.Response) string {
	text, err := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	if err != nil {
		return ""
	}
	var answer struct {
		Errors []struct{ Message string }
	}
	if json.Unmarshal(text, &answer) != nil || len(answer.Errors) == 0 {
		return ""
	}
	return answer.Errors[0].Message
}

// discard ends an answer so that its connection can be used again.
func discard(resp *http.Response) {
	io.CopyN(io.Discard, resp.Body, 64<<10)
	resp.Body.Close()
}

// repository is a repository of a registry, as one user sees it.
type repository struct {
	*session
	name string
}

func (r *repository) url(rest string) string { return r.home + "/v2/" + r.name + rest }

// manifest fetches a manifest by tag or digest. claimed is the digest that the
// registry says it has, or "".
func (r *repository) manifest(ctx context.Context, reference string, t artifact.Type) (data []byte, claimed string, err error) {
	accept := artifact.MediaTypeManifest
	if t == artifact.Recipe {
		accept += ", " + artifact.DockerManifest
	}
	resp, err := r.do(ctx, request{method: http.MethodGet, url: r.url("/manifests/" + reference),
		accept: accept, scope: r.scope(r.name, false), want: http.StatusOK})
	if err != nil {
		return nil, "", err
	}
	defer discard(resp)
	data, err = io.ReadAll(io.LimitReader(resp.Body, maxManifest+1))
	return data, resp.Header.Get("Docker-Content-Digest"), err
}

// hasManifest reports whether there is a manifest.
func (r *repository) hasManifest(ctx context.Context, reference string) (bool, error) {
	resp, err := r.do(ctx, request{method: http.MethodHead, url: r.url("/manifests/" + reference),
		accept: artifact.MediaTypeManifest, scope: r.scope(r.name, true), want: http.StatusOK})
	if statusOf(err) == http.StatusNotFound {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	discard(resp)
	return true, nil
}

// blob fetches a blob.
func (r *repository) blob(ctx context.Context, d descriptor) (io.ReadCloser, error) {
	resp, err := r.do(ctx,
		request{method: http.MethodGet, url: r.url("/blobs/" + d.Digest), scope: r.scope(r.name, false), want: http.StatusOK})
	if err != nil {
		return nil, err
	}
	if resp.ContentLength >= 0 && resp.ContentLength != d.Size {
		resp.Body.Close()
		return nil, &contentError{fmt.Sprintf("it has %d bytes instead of %d", resp.ContentLength, d.Size)}
	}
	return resp.Body, nil
}

// push uploads a blob, unless the registry has it.
func (r *repository) push(ctx context.Context, digest string, data []byte) error {
	scope := r.scope(r.name, true)
	resp, err := r.do(ctx, request{method: http.MethodHead, url: r.url("/blobs/" + digest), scope: scope, want: http.StatusOK})
	if err == nil {
		discard(resp)
		return nil
	}
	if statusOf(err) != http.StatusNotFound {
		return err
	}
	resp, err = r.do(ctx,
		request{method: http.MethodPost, url: r.url("/blobs/uploads/"), scope: scope, body: []byte{}, want: http.StatusAccepted})
	if err != nil {
		return err
	}
	discard(resp)
	to, err := resp.Request.URL.Parse(resp.Header.Get("Location"))
	if err != nil || resp.Header.Get("Location") == "" {
		return &ruleError{"it names no place for an upload"}
	}
	query := to.Query()
	query.Set("digest", digest)
	to.RawQuery = query.Encode()
	resp, err = r.do(ctx, request{method: http.MethodPut, url: to.String(),
		contentType: "application/octet-stream", body: data, scope: scope, want: http.StatusCreated})
	if err != nil {
		return err
	}
	discard(resp)
	return nil
}

// pushManifest puts a manifest under a tag.
func (r *repository) pushManifest(ctx context.Context, tag string, data []byte) error {
	resp, err := r.do(ctx, request{method: http.MethodPut, url: r.url("/manifests/" + tag),
		contentType: artifact.MediaTypeManifest, body: data, scope: r.scope(r.name, true), want: http.StatusCreated})
	if err != nil {
		return err
	}
	discard(resp)
	return nil
}

// tags lists the tags, page by page.
func (r *repository) tags(ctx context.Context) (list []string, err error) {
	next := r.url("/tags/list?n=1000")
	for range maxTagPages {
		resp, err := r.do(ctx, request{method: http.MethodGet, url: next, scope: r.scope(r.name, false), want: http.StatusOK})
		if err != nil {
			return nil, err
		}
		var page struct {
			Tags []string `json:"tags"`
		}
		err = json.NewDecoder(io.LimitReader(resp.Body, maxManifest)).Decode(&page)
		link := resp.Header.Get("Link")
		base := resp.Request.URL
		discard(resp)
		if err != nil {
			return nil, &ruleError{"its list of tags is not JSON of the right form"}
		}
		if list = append(list, page.Tags...); len(list) > maxTags {
			return nil, &ruleError{fmt.Sprintf("it has more than %d tags", maxTags)}
		}
		_, rest, ok := strings.Cut(link, "<")
		target, _, closed := strings.Cut(rest, ">")
		if !ok || !closed {
			return list, nil
		}
		to, err := base.Parse(target)
		if err != nil || origin(to) != r.origin() {
			return nil, &ruleError{"its list of tags goes on at another place"}
		}
		next = to.String()
	}
	return nil, &ruleError{fmt.Sprintf("its list of tags has more than %d pages", maxTagPages)}
}
