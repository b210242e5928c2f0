package registry_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/registry"
	"github.com/radbicep/rad/pkg/bicep/registrytest"
)

const template = `{"resources": []}`

// quick are times that let a test end. No test waits for them but those that set shorter ones.
var quick = registry.Times{Silence: 20 * time.Second, Request: 20 * time.Second, PerMiB: time.Second, Backoff: time.Millisecond, Wait: 2 * time.Second, Tools: 20 * time.Second}

func newClient(t *testing.T, o registry.Options) *registry.Client {
	t.Helper()
	if o.Times == nil {
		o.Times = &quick
	}
	o.UserAgent = "test"
	c := registry.New(o)
	t.Cleanup(c.Close)
	return c
}

func module(host, tag string) *artifact.Reference {
	return &artifact.Reference{Scheme: artifact.OCI, Type: artifact.Module, Registry: host, Repository: "mods/web", Tag: tag}
}

// withoutCredentials makes a test independent of who runs it.
func withoutCredentials(t *testing.T) {
	t.Helper()
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	for _, name := range []string{"DOCKER_REGISTRY", "DOCKER_USERNAME", "DOCKER_PASSWORD", "HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy"} {
		t.Setenv(name, "")
	}
}

func answer(status int, header map[string]string, body string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, _ *http.Request) bool {
		for k, v := range header {
			w.Header().Set(k, v)
		}
		w.WriteHeader(status)
		fmt.Fprint(w, body)
		return true
	}
}

// on limits a fault to paths that hold a text.
func on(part string, f func(http.ResponseWriter, *http.Request) bool) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		return strings.Contains(r.URL.Path, part) && f(w, r)
	}
}

// TestHostileRegistries: whatever a registry answers, there is an error that says
// so, and nothing is in the cache.
func TestHostileRegistries(t *testing.T) {
	t.Parallel()
	content := registrytest.Digest([]byte(template))
	const moduleLayer = `"mediaType":"` + registrytest.ModuleLayer + `"`
	manifest := string(registrytest.New(t).ModuleManifest(template))
	// replaced is a registry whose manifest is changed.
	replaced := func(pairs ...string) func(*registrytest.Registry) {
		return func(r *registrytest.Registry) {
			changed := strings.NewReplacer(pairs...).Replace(manifest)
			require.NotEqual(t, manifest, changed)
			r.Manifest("mods/web", "v1", []byte(changed))
		}
	}
	fault := func(f func(http.ResponseWriter, *http.Request) bool) func(*registrytest.Registry) {
		return func(r *registrytest.Registry) { r.Fault = f }
	}
	// short are the times of those that end by a time alone.
	short := map[string]func(*registry.Times){
		"a blob that never comes":        func(times *registry.Times) { times.Silence = 200 * time.Millisecond },
		"a blob that comes byte by byte": func(times *registry.Times) { times.Request, times.PerMiB = 300*time.Millisecond, 300*time.Millisecond },
	}
	for _, test := range []struct {
		name string
		make func(*registrytest.Registry)
		want string
	}{
		{"no such tag", func(r *registrytest.Registry) { r.Remove("mods/web", "v1") }, "no such artifact (status 404)"},
		{"another blob", func(r *registrytest.Registry) { r.SetBlob(content, []byte(`{"resources": {}}`)) }, "its digest is sha256:"},
		{"a shorter blob", func(r *registrytest.Registry) { r.SetBlob(content, []byte(`{}`)) }, ""},
		{"a longer blob without a length", fault(on("/blobs/", func(w http.ResponseWriter, _ *http.Request) bool {
			fmt.Fprint(w, template)
			w.(http.Flusher).Flush()
			fmt.Fprint(w, "more")
			return true
		})), "it has more than 17 bytes"},
		{"a blob that breaks off", fault(on("/blobs/", answer(200, map[string]string{"Content-Length": "17"}, "{"))), "broke off"},
		{"an endless blob", fault(on("/blobs/", func(w http.ResponseWriter, r *http.Request) bool {
			for r.Context().Err() == nil {
				if _, err := w.Write(make([]byte, 1<<16)); err != nil {
					break
				}
			}
			return true
		})), "it has more than 17 bytes"},
		{"a blob that never comes", fault(on("/blobs/", func(w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Content-Length", "17")
			w.Write([]byte("{"))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
			return true
		})), "no more of the answer arrived"},
		{"a blob that comes byte by byte", fault(on("/blobs/", func(w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Content-Length", "17")
			for range 17 {
				w.Write([]byte(" "))
				w.(http.Flusher).Flush()
				select {
				case <-r.Context().Done():
				case <-time.After(100 * time.Millisecond):
				}
			}
			return true
		})), "took too long"},
		{"no blob", func(r *registrytest.Registry) { r.Fault = on("/blobs/", answer(404, nil, "")) }, "status 404"},
		{"HTML", fault(answer(200, map[string]string{"Content-Type": "text/html"}, "<html>log in</html>")), ""},
		{"an empty manifest", fault(on("/manifests/", answer(200, map[string]string{"Content-Type": "application/vnd.oci.image.manifest.v1+json"}, ""))), ""},
		{"an endless manifest", fault(on("/manifests/", func(w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Content-Type", "application/vnd.oci.image.manifest.v1+json")
			for r.Context().Err() == nil {
				if _, err := fmt.Fprint(w, strings.Repeat(" ", 1<<16)); err != nil {
					break
				}
			}
			return true
		})), ""},
		{"a manifest with another digest than it says", fault(on("/manifests/", func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Content-Type", "application/vnd.oci.image.manifest.v1+json")
			w.Header().Set("Docker-Content-Digest", content)
			fmt.Fprint(w, manifest)
			return true
		})), ""},
		{"no JSON", replaced(`{"schemaVersion"`, `{"schemaVersion`), "not JSON"},
		{"version 1", replaced(`"schemaVersion":2`, `"schemaVersion":1`), "not of version 2"},
		{"an index", replaced(`{"schemaVersion":2,`, `{"schemaVersion":2,"manifests":[{}],`), "an index of several artifacts"},
		{"a module in layers", replaced("application/vnd.ms.bicep.module.config.v1+json", "application/vnd.ms.bicep.module.config.v2+json"), "a module in a newer form"},
		{"an image", replaced("application/vnd.ms.bicep.module.artifact", "application/vnd.oci.image.config.v1+json"), "not an artifact of Bicep"},
		{"another configuration", replaced("application/vnd.ms.bicep.module.config.v1+json", "application/vnd.docker.container.image.v1+json"), "its configuration"},
		{"an extension", func(r *registrytest.Registry) { r.Extension("mods/web", "v1", registrytest.Types(t, "size")) }, "of the kind extension"},
		{"no layer", replaced(`"layers":[{`, `"layers":[],"x":[{`), "0 layers"},
		{"an unknown layer", replaced(registrytest.ModuleLayer, "text/plain"), "0 layers"},
		{"two layers", replaced(`"layers":[{`, `"layers":[{`+moduleLayer+`,"digest":"`+content+`","size":17},{`), "2 layers"},
		{"many layers", replaced(`"layers":[{`, `"layers":[`+strings.Repeat(`{"mediaType":"x"},`, 40)+`{`), "41 layers"},
		{"a huge claim", replaced(`"size":17`, `"size":99999999999`), "more than 67108864 are refused"},
		{"a negative claim", replaced(`"size":17`, `"size":-1`), "negative"},
		{"a claim that is not true", replaced(`"size":17`, `"size":18`), ""},
		{"a digest of another kind", replaced(content, "sha512:"+strings.Repeat("0", 128)), "not a SHA-256"},
		{"a digest that is a path", replaced(content, "sha256:../../../../etc/passwd"), "not a SHA-256"},
		{"a text for terminals", fault(answer(400, map[string]string{"Content-Type": "application/json"}, `{"errors":[{"code":"X","message":"\u001b[31m::add-mask::\n`+strings.Repeat("x", 5000)+`"}]}`)), "?[31m"},
		{"a redirect in a cycle", fault(func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, r.URL.String(), http.StatusTemporaryRedirect)
			return true
		}), "redirects more than 5 times"},
		{"a redirect to a file", fault(answer(307, map[string]string{"Location": "file:///etc/passwd"}, "")), ""},
		{"a redirect to plain HTTP", fault(answer(307, map[string]string{"Location": "http://192.0.2.1/x"}, "")), "without TLS"},
		{"an endless wait", fault(answer(429, map[string]string{"Retry-After": "3600"}, "")), "status 429 and wants to be asked again in 1h0m0s"},
		{"500 for ever", fault(answer(500, nil, "")), "status 500"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := registrytest.New(t)
			r.Module("mods/web", "v1", template)
			test.make(r)
			root := filepath.Join(t.TempDir(), "cache")
			times := quick
			if set := short[test.name]; set != nil {
				set(&times)
			}
			began := time.Now()
			_, err := newClient(t, registry.Options{Times: &times}).Fetch(context.Background(), module(r.Host, "v1"), "", root, false)
			require.Error(t, err)
			require.ErrorContains(t, err, test.want)
			require.Less(t, len(err.Error()), 1000)
			for _, bad := range []string{"\n", "\x1b"} {
				require.NotContains(t, err.Error(), bad)
			}
			require.NoDirExists(t, root)
			require.Less(t, time.Since(began), 15*time.Second)
		})
	}
}

// TestDigestReferencesAreHeld: what a digest asks for is what comes, whatever the
// registry says that it is.
func TestDigestReferencesAreHeld(t *testing.T) {
	t.Parallel()
	r := registrytest.New(t)
	good := r.Module("mods/web", "v1", template)
	r.Module("mods/web", "v2", template+" ")
	other := r.ModuleManifest(template + " ")
	for _, claimed := range []string{good, registrytest.Digest(other), ""} {
		r.Fault = on("/manifests/sha256:", func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Content-Type", "application/vnd.oci.image.manifest.v1+json")
			if claimed != "" {
				w.Header().Set("Docker-Content-Digest", claimed)
			}
			w.Write(other)
			return true
		})
		root := filepath.Join(t.TempDir(), "cache")
		_, err := newClient(t, registry.Options{}).Fetch(context.Background(), module(r.Host, "v1"), good, root, false)
		require.ErrorContains(t, err, good, claimed)
		require.NoDirExists(t, root)
	}
}

// dockerLogin writes docker's configuration with a credential for hosts.
func dockerLogin(t *testing.T, hosts ...string) {
	t.Helper()
	var auths []string
	for _, h := range hosts {
		auths = append(auths, fmt.Sprintf("%q: {\"auth\": %q}", h, base64.StdEncoding.EncodeToString([]byte("me:s3cret"))))
	}
	dockerConfig(t, `{"auths": {`+strings.Join(auths, ", ")+`}}`)
}

func dockerConfig(t *testing.T, text string) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "config.json"), []byte(text), 0o600))
	t.Setenv("DOCKER_CONFIG", dir)
}

func TestCredentials(t *testing.T) {
	for _, test := range []struct {
		name  string
		setUp func(t *testing.T, host string)
		ok    bool
	}{
		{"docker's configuration", func(t *testing.T, host string) { dockerLogin(t, host) }, true},
		{"docker's configuration with a URL", func(t *testing.T, host string) { dockerLogin(t, "http://"+host+"/v2/") }, true},
		{"for another host", func(t *testing.T, host string) { dockerLogin(t, "ghcr.io", "127.0.0.1:1", "127.0.0.1") }, false},
		{"the environment", func(t *testing.T, host string) {
			t.Setenv("DOCKER_REGISTRY", host)
			t.Setenv("DOCKER_USERNAME", "me")
			t.Setenv("DOCKER_PASSWORD", "s3cret")
		}, true},
		{"the environment for another host", func(t *testing.T, host string) {
			t.Setenv("DOCKER_REGISTRY", "ghcr.io")
			t.Setenv("DOCKER_USERNAME", "me")
			t.Setenv("DOCKER_PASSWORD", "s3cret")
		}, false},
		{"the environment beside a store that is not installed", func(t *testing.T, host string) {
			dockerConfig(t, `{"credsStore": "absent"}`)
			t.Setenv("DOCKER_REGISTRY", host)
			t.Setenv("DOCKER_USERNAME", "me")
			t.Setenv("DOCKER_PASSWORD", "s3cret")
		}, true},
		{"docker's configuration beside a helper that is not installed", func(t *testing.T, host string) {
			dockerConfig(t, fmt.Sprintf(`{"credHelpers": {%q: "absent"}, "auths": {%q: {"username": "me", "password": "s3cret"}}}`, host, host))
		}, true},
		{"a store that is not installed", func(t *testing.T, host string) { dockerConfig(t, `{"credsStore": "absent"}`) }, false},
		{"nothing", func(*testing.T, string) {}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			withoutCredentials(t)
			r := registrytest.New(t)
			r.User, r.Password = "me", "s3cret"
			r.Module("mods/web", "v1", template)
			test.setUp(t, r.Host)
			_, err := newClient(t, registry.Options{}).Fetch(context.Background(), module(r.Host, "v1"), "", filepath.Join(t.TempDir(), "cache"), false)
			if test.ok {
				require.NoError(t, err)
				require.Empty(t, r.Requests()[0].Authorization, "the first request is a stranger's")
				return
			}
			require.ErrorContains(t, err, "docker login "+r.Host)
			for _, q := range r.Requests() {
				require.Empty(t, q.Authorization)
			}
		})
	}
}

// TestCredentialsStayAtTheirHost: neither a redirect nor a token server on another
// host is given a credential, whatever the port.
func TestCredentialsStayAtTheirHost(t *testing.T) {
	var stranger struct {
		sync.Mutex
		seen []string
	}
	thief := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.ParseForm()
		stranger.Lock()
		defer stranger.Unlock()
		stranger.seen = append(stranger.seen, r.Method+" "+r.Header.Get("Authorization")+r.Form.Encode())
		if r.URL.Path == "/again" {
			w.Header().Set("WWW-Authenticate", `Basic realm="thief"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		fmt.Fprint(w, `{"token": "t"}`)
	}))
	defer thief.Close()
	redirects := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, thief.URL+r.URL.RequestURI(), http.StatusTemporaryRedirect)
	}))
	defer redirects.Close()
	for _, test := range []struct {
		name  string
		fault func(w http.ResponseWriter, r *http.Request) bool
	}{
		{"a redirect", func(w http.ResponseWriter, r *http.Request) bool {
			if r.Header.Get("Authorization") == "" {
				return false
			}
			http.Redirect(w, r, thief.URL+"/x", http.StatusTemporaryRedirect)
			return true
		}},
		{"a redirect that asks", func(w http.ResponseWriter, r *http.Request) bool {
			if r.Header.Get("Authorization") == "" {
				return false
			}
			http.Redirect(w, r, thief.URL+"/again", http.StatusTemporaryRedirect)
			return true
		}},
		{"a redirect to another name", func(w http.ResponseWriter, r *http.Request) bool {
			if r.Header.Get("Authorization") == "" {
				return false
			}
			http.Redirect(w, r, strings.Replace(thief.URL, "127.0.0.1", "localhost", 1)+"/x", http.StatusFound)
			return true
		}},
		{"a token server on another host", answer(401, map[string]string{"WWW-Authenticate": `Bearer realm="` + strings.Replace(thief.URL, "127.0.0.1", "localhost", 1) + `/token",service="s",scope="repository:mods/web:pull"`}, "")},
		{"a token server that redirects", answer(401, map[string]string{"WWW-Authenticate": `Bearer realm="` + redirects.URL + `/token",service="s",scope="repository:mods/web:pull"`}, "")},
	} {
		t.Run(test.name, func(t *testing.T) {
			withoutCredentials(t)
			r := registrytest.New(t)
			r.User, r.Password = "me", "s3cret"
			r.Module("mods/web", "v1", template)
			r.Fault = test.fault
			dockerLogin(t, r.Host)
			_, err := newClient(t, registry.Options{}).Fetch(context.Background(), module(r.Host, "v1"), "", filepath.Join(t.TempDir(), "cache"), false)
			require.Error(t, err)
			require.NotContains(t, err.Error(), "s3cret")
			stranger.Lock()
			defer stranger.Unlock()
			for _, seen := range stranger.seen {
				require.NotContains(t, seen, base64.StdEncoding.EncodeToString([]byte("me:s3cret")))
				require.NotContains(t, seen, "s3cret")
			}
			stranger.seen = nil
		})
	}
}

// TestTokenServers: a token server on the registry's host is given the credential, on
// another host if the user says so, and strangers' tokens may come from anywhere.
func TestTokenServers(t *testing.T) {
	withoutCredentials(t)
	for _, kind := range []string{"open", "same host", "listed"} {
		open := kind == "open"
		r := registrytest.New(t)
		r.Module("mods/web", "v1", template)
		tokens := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			if user, password, _ := q.BasicAuth(); !open && user+password != "mes3cret" {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			fmt.Fprint(w, `{"token": "t"}`)
		}))
		defer tokens.Close()
		if kind == "listed" {
			tokens.URL = strings.Replace(tokens.URL, "127.0.0.1", "localhost", 1)
		}
		r.Fault = func(w http.ResponseWriter, q *http.Request) bool {
			if q.Header.Get("Authorization") == "Bearer t" {
				return false
			}
			return answer(401, map[string]string{"WWW-Authenticate": `Bearer realm="` + tokens.URL + `/token",service="s",scope="repository:mods/web:pull"`}, "")(w, q)
		}
		dockerLogin(t, r.Host)
		o := registry.Options{}
		if kind == "listed" {
			o.TokenServers = []string{strings.TrimPrefix(tokens.URL, "http://")}
		}
		_, err := newClient(t, o).Fetch(context.Background(), module(r.Host, "v1"), "", filepath.Join(t.TempDir(), "cache"), false)
		require.NoError(t, err)
	}
}

// TestMirror: the content comes from the mirror, and is in the cache under the
// name that is written.
func TestMirror(t *testing.T) {
	t.Parallel()
	r := registrytest.New(t)
	r.Module("proxy/mods/web", "v1", template)
	root := filepath.Join(t.TempDir(), "cache")
	client := newClient(t, registry.Options{Mirrors: map[string]string{"mcr.microsoft.com": r.Host + "/proxy"}})
	_, err := client.Fetch(context.Background(), module("mcr.microsoft.com", "v1"), "", root, false)
	require.NoError(t, err)
	require.FileExists(t, filepath.Join(root, "br", "mcr.microsoft.com", "mods$web", "v1$", "main.json"))
}

// TestStrangersDrawNoAzureToken: only a registry of Azure has one asked for.
func TestStrangersDrawNoAzureToken(t *testing.T) {
	withoutCredentials(t)
	bin := t.TempDir()
	log := filepath.Join(bin, "log")
	require.NoError(t, os.WriteFile(filepath.Join(bin, "az"), []byte("#!/bin/sh\necho called >> "+log+"\necho '{\"accessToken\": \"aad\"}'\n"), 0o755))
	t.Setenv("PATH", bin)
	r := registrytest.New(t)
	r.User, r.Password = "me", "s3cret"
	r.Module("mods/web", "v1", template)
	_, err := newClient(t, registry.Options{}).Fetch(context.Background(), module(r.Host, "v1"), "", filepath.Join(t.TempDir(), "cache"), false)
	require.Error(t, err)
	require.NoFileExists(t, log)
}
