// Package engine is a deployment engine for tests. It stands in for the one of Radius, whose source is
// closed: it takes deployments from UCP, and puts their resources to UCP in the order of their
// dependencies. What it knows of templates is what package expand knows.
//
// It keeps deployments in memory. It has no Azure and no AWS.
package engine

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/radbicep/rad/pkg/armjson"
)

// Server is an engine.
type Server struct {
	// UCP is where resources are put: a URL, up to what is before /planes/.
	UCP string
	// Kubernetes is the URL of the API server.
	Kubernetes string
	// Client sends the requests to both.
	Client *http.Client
	// Applied, if it is set, is told of each object that a deployment of a scope makes: with the namespace that it is sent to.
	Applied func(scope string, made *armjson.Object)
	// Deployed, if it is set, is told of the parameters of each deployment.
	Deployed func(id string, parameters *armjson.Object)

	mu          sync.Mutex
	deployments map[string]*deployment // by ID, in lower case
	puts        map[string]int         // how often each was put
}

// Puts returns how many deployments have been put whose ID holds a text.
func (s *Server) Puts(text string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, puts := range s.puts {
		if strings.Contains(id, strings.ToLower(text)) {
			n += puts
		}
	}
	return n
}

// deployment is a deployment, and how far it is. The lock of the server guards what changes.
type deployment struct {
	id, operation string
	template      *armjson.Object
	parameters    *armjson.Object
	scope         string // where its resources go

	state     string // Running, Succeeded, Failed
	failure   string
	steps     []*step
	resources []string // IDs of what it made
	outputs   *armjson.Object
}

// step is a resource that a deployment makes.
type step struct{ id, state, message string }

func (d *deployment) name() string { return d.id[strings.LastIndex(d.id, "/")+1:] }

// ServeHTTP answers what UCP asks of a deployment engine.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	id, sub := r.URL.Path, ""
	if at := strings.Index(strings.ToLower(id), "/providers/microsoft.resources/deployments/"); at < 0 {
		refuse(w, http.StatusNotFound, "NotFound", "there are only deployments here")
		return
	} else if name, rest, ok := strings.Cut(id[at+len("/providers/microsoft.resources/deployments/"):], "/"); ok {
		sub = strings.ToLower(rest)
		id = id[:at+len("/providers/microsoft.resources/deployments/")] + name
	}
	if r.Method == http.MethodPut && sub == "" {
		s.put(w, r, id)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.deployments[strings.ToLower(id)]
	kind, operation, _ := strings.Cut(sub, "/")
	switch {
	case d == nil && r.Method == http.MethodDelete:
		w.WriteHeader(http.StatusNoContent)
	case d == nil:
		refuse(w, http.StatusNotFound, "DeploymentNotFound", "there is no deployment "+id)
	case r.Method == http.MethodDelete && sub == "":
		delete(s.deployments, strings.ToLower(id))
		w.WriteHeader(http.StatusOK)
	case r.Method != http.MethodGet:
		refuse(w, http.StatusMethodNotAllowed, "MethodNotAllowed", r.Method+" is not known")
	case sub == "":
		answer(w, http.StatusOK, d.body())
	case kind == "operations":
		answer(w, http.StatusOK, d.operations())
	case kind == "operationstatuses" && strings.EqualFold(operation, d.operation):
		answer(w, http.StatusOK, d.status())
	default:
		refuse(w, http.StatusNotFound, "NotFound", "there is no "+sub)
	}
}

func (s *Server) put(w http.ResponseWriter, r *http.Request, id string) {
	d, err := read(r.Body, id)
	if err != nil {
		refuse(w, http.StatusBadRequest, "InvalidTemplate", err.Error())
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	key := strings.ToLower(id)
	if old := s.deployments[key]; old != nil && old.state == "Running" {
		refuse(w, http.StatusConflict, "DeploymentActive", "the deployment "+id+" runs")
		return
	}
	if s.deployments == nil {
		s.deployments, s.puts = map[string]*deployment{}, map[string]int{}
	}
	s.deployments[key] = d
	s.puts[key]++
	if s.Deployed != nil {
		s.Deployed(id, d.parameters)
	}
	go s.deploy(d)
	w.Header().Set("Azure-AsyncOperation", "http://"+r.Host+id+"/operationStatuses/"+d.operation+"?"+r.URL.RawQuery)
	answer(w, http.StatusCreated, d.body())
}

// read reads the body of a PUT.
func read(body io.Reader, id string) (*deployment, error) {
	text, err := io.ReadAll(body)
	if err != nil {
		return nil, err
	}
	v, err := armjson.ParseBytes(text, armjson.Options{MaxDepth: armjson.TemplateMaxDepth})
	if err != nil {
		return nil, err
	}
	whole, _ := v.(*armjson.Object)
	if whole == nil || whole.Object("properties") == nil || whole.Object("properties").Object("template") == nil {
		return nil, errors.New("the deployment has no template")
	}
	properties := whole.Object("properties")
	d := &deployment{
		id: id, state: "Running", operation: rand.Text(),
		template: properties.Object("template"), parameters: properties.Object("parameters"),
	}
	for _, part := range []string{"providerconfig", "radius", "value"} {
		if properties = properties.Object(part); properties == nil {
			return nil, errors.New("providerconfig names no scope of Radius")
		}
	}
	d.scope = properties.Str("scope")
	return d, nil
}

func (d *deployment) body() any {
	ids := []map[string]any{}
	for _, id := range d.resources {
		ids = append(ids, map[string]any{"id": id})
	}
	properties := map[string]any{"provisioningState": d.state, "mode": "Incremental", "outputResources": ids}
	if d.outputs != nil {
		properties["outputs"] = json.RawMessage(armjson.Text(d.outputs))
	}
	if d.failure != "" {
		properties["error"] = d.problem()
	}
	return map[string]any{"id": d.id, "name": d.name(), "type": "Microsoft.Resources/deployments", "properties": properties}
}

func (d *deployment) problem() any {
	details := []any{map[string]any{"code": "ResourceFailed", "message": d.failure}}
	return map[string]any{"code": "DeploymentFailed", "message": "the deployment failed", "details": details}
}

func (d *deployment) status() any {
	status := map[string]any{"id": d.id + "/operationStatuses/" + d.operation, "name": d.operation, "status": d.state}
	if d.failure != "" {
		status["error"] = d.problem()
	}
	return status
}

func (d *deployment) operations() any {
	list := []any{}
	for i, s := range d.steps {
		properties := map[string]any{"provisioningState": s.state, "targetResource": map[string]any{"id": s.id}}
		if s.message != "" {
			properties["statusMessage"] = map[string]any{"error": map[string]any{"code": "ResourceFailed", "message": s.message}}
		}
		list = append(list, map[string]any{
			"id": fmt.Sprintf("%s/operations/%d", d.id, i), "operationId": fmt.Sprint(i), "properties": properties,
		})
	}
	return map[string]any{"value": list}
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

func refuse(w http.ResponseWriter, status int, code, message string) {
	answer(w, status, map[string]any{"error": map[string]any{"code": code, "message": message}})
}
