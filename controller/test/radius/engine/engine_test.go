package engine

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// store keeps what is put, in the place of UCP.
type store struct {
	mu    sync.Mutex
	order []string
	kept  map[string]map[string]any
}

func (s *store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, name := r.URL.Path, r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
	switch r.Method {
	case http.MethodPut:
		var body map[string]any
		_ = json.NewDecoder(r.Body).Decode(&body)
		body["id"], body["name"] = id, name
		if properties, ok := body["properties"].(map[string]any); ok && strings.Contains(id, "redisCaches") {
			properties["host"], properties["port"] = "[cache]", 6379
		}
		s.order, s.kept[id] = append(s.order, name), body
		answer(w, http.StatusOK, body)
	case http.MethodPost:
		answer(w, http.StatusOK, map[string]any{"connectionString": "[secret"})
	default:
		if s.kept[id] == nil {
			refuse(w, http.StatusNotFound, "NotFound", id)
			return
		}
		answer(w, http.StatusOK, s.kept[id])
	}
}

// run deploys a template, and returns the answer of the engine at the end.
func deploy(t *testing.T, s *store, template string, parameters map[string]any) map[string]any {
	t.Helper()
	ucp := httptest.NewServer(s)
	t.Cleanup(ucp.Close)
	server := httptest.NewServer(&Server{UCP: ucp.URL, Client: ucp.Client()})
	t.Cleanup(server.Close)
	given := map[string]any{}
	for name, value := range parameters {
		given[name] = map[string]any{"value": value}
	}
	body, err := json.Marshal(map[string]any{"properties": map[string]any{
		"template": json.RawMessage(template), "parameters": given,
		"providerconfig": map[string]any{"radius": map[string]any{"value": map[string]any{"scope": "/planes/radius/local/resourceGroups/g"}}},
	}})
	require.NoError(t, err)
	const id = "/planes/radius/local/resourceGroups/g/providers/Microsoft.Resources/deployments/d"
	send := func(method, path, body string) (int, map[string]any, http.Header) {
		request, err := http.NewRequest(method, server.URL+path+"?api-version=2020-10-01", strings.NewReader(body))
		require.NoError(t, err)
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		var o map[string]any
		if len(text) > 0 {
			require.NoError(t, json.Unmarshal(text, &o), "%s", text)
		}
		return response.StatusCode, o, response.Header
	}
	status, _, header := send(http.MethodPut, id, string(body))
	require.Equal(t, http.StatusCreated, status)
	operation := strings.TrimPrefix(header.Get("Azure-AsyncOperation"), server.URL)
	require.Eventually(t, func() bool {
		_, o, _ := send(http.MethodGet, strings.TrimSuffix(operation, "?api-version=2020-10-01"), "")
		return o["status"] != "Running"
	}, time.Minute, 5*time.Millisecond)
	_, o, _ := send(http.MethodGet, id, "")
	return o["properties"].(map[string]any)
}

func sample(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../../../testdata", name, "template.json"))
	require.NoError(t, err)
	return string(text)
}

// What resources read of each other is what the store answered, in modules too.
func TestDeploy(t *testing.T) {
	for _, c := range []struct {
		sample     string
		parameters map[string]any
		order      []string
		outputs    map[string]any
	}{
		{"modules", map[string]any{"environment": "e"}, []string{"modular", "cache", "web", "api"}, map[string]any{
			"webId": "/planes/radius/local/resourceGroups/g/providers/Applications.Core/containers/web", "cache": map[string]any{"host": "[cache]", "port": 6379.0}}},
		{"loops", map[string]any{"application": "a"}, []string{"svc-users", "svc-orders", "region-eu", "region-us", "numbered-0", "numbered-1"}, map[string]any{
			"names": []any{"svc-users", "svc-orders"}, "indexedNames": []any{"0-users", "1-orders"}, "portOf": map[string]any{"users": 7001.0, "orders": 7002.0}, "largePorts": []any{7002.0}}},
		{"conditions", map[string]any{"application": "a", "environment": "e", "stage": "test"}, []string{"web-test", "collector", "probe"}, map[string]any{
			"collectorId": "/planes/radius/local/resourceGroups/g/providers/Applications.Core/containers/collector"}},
		{"extender", map[string]any{"application": "a", "environment": "e"}, []string{"messages", "notifier"}, map[string]any{}},
	} {
		t.Run(c.sample, func(t *testing.T) {
			s := &store{kept: map[string]map[string]any{}}
			d := deploy(t, s, sample(t, c.sample), c.parameters)
			require.Equal(t, "Succeeded", d["provisioningState"], "%v", d["error"])
			assert.Equal(t, c.order, s.order)
			assert.Len(t, d["outputResources"], len(c.order))
			outputs := map[string]any{}
			for name, o := range d["outputs"].(map[string]any) {
				outputs[name] = o.(map[string]any)["value"]
			}
			assert.Equal(t, c.outputs, outputs)
		})
	}
}

// Secrets are asked for, and texts that begin with a bracket stay texts.
func TestSecretsAndBrackets(t *testing.T) {
	s := &store{kept: map[string]map[string]any{}}
	d := deploy(t, s, sample(t, "datastores"), map[string]any{"application": "a", "environment": "e", "host": "h.example", "password": "p"})
	require.Equal(t, "Succeeded", d["provisioningState"], "%v", d["error"])
	reader := s.kept["/planes/radius/local/resourceGroups/g/providers/Applications.Core/containers/reader"]
	text, err := json.Marshal(reader)
	require.NoError(t, err)
	assert.Contains(t, string(text), `"MONGO":{"value":"[secret"}`)
	assert.Contains(t, string(text), `"SQL_HOST":{"value":"h.example"}`)
	sql := s.kept["/planes/radius/local/resourceGroups/g/providers/Applications.Datastores/sqlDatabases/sql"]
	assert.Equal(t, map[string]any{"password": "p"}, sql["properties"].(map[string]any)["secrets"])
}

func TestFailures(t *testing.T) {
	s := &store{kept: map[string]map[string]any{}}
	for template, why := range map[string]string{
		sample(t, "existing"): "environments/prod: 404",
		`{"languageVersion": "2.0", "resources": {"a": {"type": "A.B/c", "apiVersion": "1", "name": "n"}}}`: "a resource of Azure",
	} {
		d := deploy(t, s, template, nil)
		assert.Equal(t, "Failed", d["provisioningState"])
		text, err := json.Marshal(d["error"])
		require.NoError(t, err)
		assert.Contains(t, string(text), why)
	}
}
