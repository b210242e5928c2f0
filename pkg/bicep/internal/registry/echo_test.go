package registry_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/registry"
	"github.com/radbicep/rad/pkg/bicep/registrytest"
)

// TestCredentialsAreNotEchoed: a registry that sends a credential back, wherever it may choose a text,
// does not get it into a message.
func TestCredentialsAreNotEchoed(t *testing.T) {
	const password = "s3cret/+word"
	basic := base64.StdEncoding.EncodeToString([]byte("me:" + password))
	for _, secret := range []string{password, basic, "me:" + password} {
		in := func(from, to string) func(*registrytest.Registry) {
			return func(r *registrytest.Registry) {
				text := string(r.ModuleManifest(template))
				require.Contains(t, text, from)
				r.Manifest("mods/web", "v1", []byte(strings.Replace(text, from, to, 1)))
			}
		}
		known := func(f func(http.ResponseWriter, *http.Request) bool) func(*registrytest.Registry) {
			return func(r *registrytest.Registry) {
				r.Fault = func(w http.ResponseWriter, q *http.Request) bool {
					return q.Header.Get("Authorization") != "" && f(w, q)
				}
			}
		}
		layer := registrytest.Digest([]byte(template))
		for name, set := range map[string]func(*registrytest.Registry){
			"a digest":      known(answer(200, map[string]string{"Docker-Content-Digest": secret}, "{}")),
			"a type":        in(`"mediaType":"application/vnd.oci.image.manifest.v1+json"`, `"mediaType":"`+secret+`"`),
			"a config":      in("application/vnd.ms.bicep.module.config.v1+json", secret),
			"an artifact":   in(`"artifactType":"`, `"artifactType":"`+secret),
			"a layer":       in(layer, secret),
			"words":         known(answer(500, nil, `{"errors": [{"message": "you are `+secret+`"}]}`)),
			"words, 403":    known(answer(403, nil, `{"errors": [{"message": "you are `+secret+`"}]}`)),
			"a time":        known(answer(503, map[string]string{"Retry-After": secret}, "")),
			"a redirect":    known(answer(307, map[string]string{"Location": "https://" + strings.ReplaceAll(secret, "/", "") + ".invalid/" + secret}, "")),
			"a scheme":      known(answer(307, map[string]string{"Location": secret + "://x"}, "")),
			"a bad address": known(answer(307, map[string]string{"Location": "http://[" + secret}, "")),
			"a realm":       known(answer(401, map[string]string{"WWW-Authenticate": `Bearer realm="` + secret + `"`}, "")),
			"a blob":        known(on("/blobs/", answer(418, nil, `{"errors": [{"message": "`+secret+`"}]}`))),
			"broken HTTP": known(func(w http.ResponseWriter, _ *http.Request) bool {
				c, _, err := w.(http.Hijacker).Hijack()
				if err == nil {
					fmt.Fprintf(c, "HTTP/9.9 %s\r\n\r\n", secret)
					c.Close()
				}
				return true
			}),
			"a broken header": known(func(w http.ResponseWriter, _ *http.Request) bool {
				c, _, err := w.(http.Hijacker).Hijack()
				if err == nil {
					fmt.Fprintf(c, "HTTP/1.1 200 OK\r\n%s\r\n\r\n", secret)
					c.Close()
				}
				return true
			}),
		} {
			withoutCredentials(t)
			r := registrytest.New(t)
			r.User, r.Password = "me", password
			r.Module("mods/web", "v1", template)
			set(r)
			dockerConfig(t, fmt.Sprintf(`{"auths": {%q: {"username": "me", "password": %q}}}`, r.Host, password))
			client := newClient(t, registry.Options{})
			m := module(r.Host, "v1")
			_, err := client.Fetch(t.Context(), m, "", filepath.Join(t.TempDir(), "cache"), false)
			require.Error(t, err, name)
			_, pull := client.Pull(t.Context(), m, registry.Limits{Layers: 9, Blob: 1 << 20, All: 1 << 20}, func([]byte) error { return nil })
			_, tags := client.Tags(t.Context(), m)
			_, publish := client.Publish(t.Context(), m, registry.Content{Main: []byte(template)}, true)
			for _, err := range []error{err, pull, tags, publish} {
				if err != nil {
					require.NotContains(t, err.Error(), secret, name)
					require.NotContains(t, err.Error(), password, name)
				}
			}
		}
	}
}

// TestMessagesNameTheHostThatFailed: not the registry that led to it.
func TestMessagesNameTheHostThatFailed(t *testing.T) {
	for name, c := range map[string]struct{ header, value, want string }{
		"a token server":             {"WWW-Authenticate", `Bearer realm="https://nowhere.invalid/token"`, "the host nowhere.invalid, to which HOST leads, is not known"},
		"a token server, a port":     {"WWW-Authenticate", `Bearer realm="https://nowhere.invalid:444/token"`, "the host nowhere.invalid, to which HOST leads, is not known"},
		"a redirect":                 {"Location", "https://nowhere.invalid/x", "the host nowhere.invalid, to which HOST leads, is not known"},
		"a server that is not there": {"Location", "http://localhost:1/x", "localhost:1, to which HOST leads, cannot be reached"},
	} {
		withoutCredentials(t)
		r := registrytest.New(t)
		r.Module("mods/web", "v1", template)
		status := 401
		if c.header == "Location" {
			status = 307
		}
		r.Fault = answer(status, map[string]string{c.header: c.value}, "")
		_, err := newClient(t, registry.Options{}).Fetch(t.Context(), module(r.Host, "v1"), "", filepath.Join(t.TempDir(), "cache"), false)
		require.ErrorContains(t, err, strings.ReplaceAll(c.want, "HOST", r.Host), name)
	}
	r := registrytest.New(t)
	r.Fault = func(w http.ResponseWriter, q *http.Request) bool {
		if strings.HasPrefix(q.URL.Path, "/token") {
			return answer(500, nil, `{"errors": [{"message": "broken"}]}`)(w, q)
		}
		return answer(401, map[string]string{"WWW-Authenticate": `Bearer realm="http://` + strings.Replace(r.Host, "127.0.0.1", "localhost", 1) + `/token"`}, "")(w, q)
	}
	_, err := newClient(t, registry.Options{}).Fetch(t.Context(), module(r.Host, "v1"), "", filepath.Join(t.TempDir(), "cache"), false)
	require.ErrorContains(t, err, "localhost:", "the token server answered")
	require.ErrorContains(t, err, "to which "+r.Host+" leads, answered with status 500")
}

// TestHelpersAreBounded: a credential helper that does not end, prints without end, or leaves something
// running, keeps no run waiting and fills no memory.
func TestHelpersAreBounded(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the helpers are shell scripts")
	}
	const answer = `echo '{"Username": "me", "Secret": "s3cret"}'`
	const late = "it did not end in time"
	cases := map[string]struct {
		script string
		want   string // in the error; "" if the credential is found
	}{
		"it answers":                    {answer, ""},
		"it leaves a process":           {answer + "\nsleep 300 &", ""},
		"it never ends":                 {"sleep 300", late},
		"it is deaf":                    {"trap '' INT TERM HUP\nwhile :; do sleep 1; done", late},
		"a child of its never ends":     {"sleep 300 & wait", late},
		"it prints without end":         {"while :; do head -c 1000000 /dev/zero; done", late},
		"it prints too much":            {"head -c 100000000 /dev/zero", "its answer is too long"},
		"it prints too much in words":   {"head -c 3000000 /dev/zero | tr '\\0' x; exit 1", "its answer is too long"},
		"it fails":                      {"echo s3cret; exit 3", "exit status 3"},
		"it says that there is nothing": {"echo 'credentials not found in native keychain'; exit 1", "docker login"},
	}
	withoutCredentials(t)
	dir := t.TempDir()
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	registries := map[string]*registrytest.Registry{}
	var helpers []string
	for name, c := range cases {
		r := registrytest.New(t)
		r.User, r.Password = "me", "s3cret"
		r.Module("mods/web", "v1", template)
		registries[name] = r
		helper := strings.ReplaceAll(name, " ", "-")
		require.NoError(t, os.WriteFile(filepath.Join(dir, "docker-credential-"+helper), []byte("#!/bin/sh\n"+c.script+"\n"), 0o700))
		helpers = append(helpers, fmt.Sprintf("%q: %q", r.Host, helper))
	}
	dockerConfig(t, `{"credHelpers": {`+strings.Join(helpers, ", ")+`}}`)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	t.Run("all", func(t *testing.T) {
		for name, c := range cases {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				times := quick
				if c.want == late {
					times.Tools = 300 * time.Millisecond
				}
				began := time.Now()
				_, err := newClient(t, registry.Options{Times: &times}).Fetch(t.Context(), module(registries[name].Host, "v1"), "", filepath.Join(t.TempDir(), "cache"), false)
				require.Less(t, time.Since(began), 15*time.Second)
				if c.want == "" {
					require.NoError(t, err)
					return
				}
				require.ErrorContains(t, err, c.want)
				require.NotContains(t, err.Error(), "s3cret")
				require.NotContains(t, err.Error(), "WaitDelay")
			})
		}
	})
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(64<<20))
	require.LessOrEqual(t, registry.DefaultTimes.Tools, 30*time.Second)
}
