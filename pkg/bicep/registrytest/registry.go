// Package registrytest is a registry for tests. It runs on the loopback interface,
// keeps what is pushed in memory, notes every request, and misbehaves when told to.
package registrytest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// The media types of what is pushed.
const (
	manifestType  = "application/vnd.oci.image.manifest.v1+json"
	ModuleLayer   = "application/vnd.ms.bicep.module.layer.v1+json"
	moduleConfig  = "application/vnd.ms.bicep.module.config.v1+json"
	moduleType    = "application/vnd.ms.bicep.module.artifact"
	TypesLayer    = "application/vnd.ms.bicep.provider.layer.v1.tar+gzip"
	typesConfig   = "application/vnd.ms.bicep.provider.config.v1+json"
	extensionType = "application/vnd.ms.bicep.provider.artifact"
)

// Registry is a registry.
type Registry struct {
	Host string // 127.0.0.1 and a port

	// Latency is how long each answer takes.
	Latency time.Duration
	// User and Password are asked for by Basic, if they are set.
	User, Password string
	// Fault may answer a request in place of the registry; it then returns true. It is set before the first request, or by Mute.
	Fault func(w http.ResponseWriter, r *http.Request) bool

	server *httptest.Server

	mu        sync.Mutex
	blobs     map[string][]byte            // by digest
	manifests map[string]map[string][]byte // by repository, then tag or digest
	requests  []Request
	uploads   int
}

// Request is a request that was made.
type Request struct {
	Method, Path, Authorization, Body string
}

// New starts a registry that ends with the test.
func New(t testing.TB) *Registry {
	t.Helper()
	r := Start()
	t.Cleanup(r.Close)
	return r
}

// Start starts a registry that ends with Close.
func Start() *Registry {
	r := &Registry{blobs: map[string][]byte{}, manifests: map[string]map[string][]byte{}}
	r.server = httptest.NewServer(http.HandlerFunc(r.serve))
	r.Host = strings.TrimPrefix(r.server.URL, "http://")
	return r
}

// Close ends the registry, as if the machine were switched off.
func (r *Registry) Close() {
	r.server.CloseClientConnections()
	r.server.Close()
}

// Requests returns what was asked of the registry, and forgets it.
func (r *Registry) Requests() []Request {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := r.requests
	r.requests = nil
	return list
}

// Digest returns the digest of data.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Blob puts a blob into the registry.
func (r *Registry) Blob(data []byte) (digest string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	digest = Digest(data)
	r.blobs[digest] = data
	return digest
}

// SetBlob makes the registry answer with data where digest is asked for.
func (r *Registry) SetBlob(digest string, data []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.blobs[digest] = data
}

// Manifest puts a manifest into a repository, under a tag and its digest.
func (r *Registry) Manifest(repository, tag string, data []byte) (digest string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := r.manifests[repository]
	if m == nil {
		m = map[string][]byte{}
		r.manifests[repository] = m
	}
	digest = Digest(data)
	m[tag], m[digest] = data, data
	return digest
}

// Remove takes a tag or digest out of a repository.
func (r *Registry) Remove(repository, reference string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.manifests[repository], reference)
}

// Module publishes a module, and returns the digest of its manifest.
func (r *Registry) Module(repository, tag, template string) string {
	return r.Manifest(repository, tag, r.ModuleManifest(template))
}

// ModuleManifest returns the manifest of a module, whose content is put into the registry.
func (r *Registry) ModuleManifest(template string) []byte {
	return r.manifest(moduleType, moduleConfig, ModuleLayer, []byte(template))
}

// Mute answers no request from now on: each waits until it is given up.
func (r *Registry) Mute() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Fault = func(_ http.ResponseWriter, q *http.Request) bool {
		<-q.Context().Done()
		return true
	}
}

// Extension publishes an extension.
func (r *Registry) Extension(repository, tag string, types []byte) string {
	return r.Manifest(repository, tag, r.manifest(extensionType, typesConfig, TypesLayer, types))
}

func (r *Registry) manifest(kind, config, layer string, content []byte) []byte {
	return fmt.Appendf(nil, `{"schemaVersion":2,"mediaType":%q,"artifactType":%q,"config":{"mediaType":%q,"digest":%q,"size":2},"layers":[{"mediaType":%q,"digest":%q,"size":%d}]}`,
		manifestType, kind, config, r.Blob([]byte("{}")), layer, r.Blob(content), len(content))
}

func (r *Registry) serve(w http.ResponseWriter, q *http.Request) {
	body, _ := io.ReadAll(q.Body)
	q.Body = io.NopCloser(bytes.NewReader(body))
	r.mu.Lock()
	r.requests = append(r.requests, Request{q.Method, q.URL.RequestURI(), q.Header.Get("Authorization"), string(body)})
	fault, latency := r.Fault, r.Latency
	r.mu.Unlock()
	time.Sleep(latency)
	if fault != nil && fault(w, q) {
		return
	}
	if r.User != "" {
		if user, password, ok := q.BasicAuth(); !ok || user != r.User || password != r.Password {
			w.Header().Set("WWW-Authenticate", `Basic realm="test"`)
			fail(w, http.StatusUnauthorized, "UNAUTHORIZED", "authentication required")
			return
		}
	}
	path, ok := strings.CutPrefix(q.URL.Path, "/v2/")
	if !ok {
		http.NotFound(w, q)
		return
	}
	for _, part := range []struct {
		mark  string
		serve func(w http.ResponseWriter, q *http.Request, repository, rest string, body []byte)
	}{
		{"/manifests/", r.serveManifest}, {"/blobs/uploads/", r.serveUpload}, {"/blobs/", r.serveBlob}, {"/tags/list", r.serveTags},
	} {
		if i := strings.Index(path, part.mark); i >= 0 {
			part.serve(w, q, path[:i], path[i+len(part.mark):], body)
			return
		}
	}
	if path != "" {
		http.NotFound(w, q)
	}
}

func fail(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(map[string]any{"errors": []map[string]string{{"code": code, "message": message}}})
}

func (r *Registry) serveManifest(w http.ResponseWriter, q *http.Request, repository, reference string, body []byte) {
	if q.Method == http.MethodPut {
		w.Header().Set("Docker-Content-Digest", r.Manifest(repository, reference, body))
		w.WriteHeader(http.StatusCreated)
		return
	}
	r.mu.Lock()
	data, ok := r.manifests[repository][reference]
	r.mu.Unlock()
	if !ok {
		fail(w, http.StatusNotFound, "MANIFEST_UNKNOWN", "manifest unknown")
		return
	}
	w.Header().Set("Docker-Content-Digest", Digest(data))
	send(w, q, manifestType, data)
}

func send(w http.ResponseWriter, q *http.Request, mediaType string, data []byte) {
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("Content-Length", fmt.Sprint(len(data)))
	if q.Method != http.MethodHead {
		w.Write(data)
	}
}

func (r *Registry) serveBlob(w http.ResponseWriter, q *http.Request, _, digest string, _ []byte) {
	r.mu.Lock()
	data, ok := r.blobs[digest]
	r.mu.Unlock()
	if !ok {
		fail(w, http.StatusNotFound, "BLOB_UNKNOWN", "blob unknown to registry")
		return
	}
	send(w, q, "application/octet-stream", data)
}

func (r *Registry) serveUpload(w http.ResponseWriter, q *http.Request, repository, _ string, body []byte) {
	if q.Method == http.MethodPost {
		r.mu.Lock()
		r.uploads++
		n := r.uploads
		r.mu.Unlock()
		w.Header().Set("Location", fmt.Sprintf("/v2/%s/blobs/uploads/%d", repository, n))
		w.WriteHeader(http.StatusAccepted)
		return
	}
	if want := q.URL.Query().Get("digest"); want != Digest(body) {
		fail(w, http.StatusBadRequest, "DIGEST_INVALID", "provided digest did not match uploaded content")
		return
	}
	r.Blob(body)
	w.WriteHeader(http.StatusCreated)
}

func (r *Registry) serveTags(w http.ResponseWriter, _ *http.Request, repository, _ string, _ []byte) {
	r.mu.Lock()
	var tags []string
	for reference := range r.manifests[repository] {
		if !strings.HasPrefix(reference, "sha256:") {
			tags = append(tags, reference)
		}
	}
	r.mu.Unlock()
	if tags == nil {
		fail(w, http.StatusNotFound, "NAME_UNKNOWN", "repository name not known to registry")
		return
	}
	slices.Sort(tags)
	json.NewEncoder(w).Encode(map[string]any{"name": repository, "tags": tags})
}
