// Package radiustest is a Radius for tests. It deploys templates by naming what they declare,
// takes the time it is told to take, records every request, and fails as it is told to.
package radiustest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/radbicep/rad/controller/internal/standin"
)

// What all stand-ins have in common.
type (
	Request = standin.Request
	Fault   = standin.Fault
	Made    = standin.Made
)

// Deployment is a deployment that was sent.
type Deployment struct {
	ID       string
	Body     string
	Ends     time.Time
	State    string // Running, Succeeded, Failed
	Outputs  []string
	Error    string
	Steps    []Step
	AnswerOK bool // the sender got the answer to its request
	Forgot   bool // the operation was forgotten
	op       string
	took     time.Duration
	declared []Resource
	changes  bool // the next of them is being made
	code     string
}

// Step is a step of a deployment.
type Step struct{ ID, State, Message string }

// Azure is what holds the resources of Azure.
type Azure interface {
	Make(id string, properties json.RawMessage, by string)
	Made() map[string]Made
}

// Server is a Radius. Its fields are set before it is used, or through Set.
type Server struct {
	// Now is the time; nil means time.Now.
	Now func() time.Time
	// DeployTime and DeleteTime are how long things take; 0 means that they are done at once.
	DeployTime, DeleteTime time.Duration
	// Fault is asked for each request.
	Fault func(r *Request) *Fault
	// Before is called for each request before anything else, without the lock.
	Before func(r *Request)
	// FailResource gives the message with which a resource fails, or "".
	FailResource func(id string) string
	// BadVersions are API versions that are refused.
	BadVersions map[string]bool
	// Azure, if set, has what is deployed of Azure. Radius itself has no access to it then, as released Radius has none.
	Azure Azure
	// NoAzure answers 404 to everything of Azure, as a Radius without that plane does.
	NoAzure bool
	// State overrides provisioningState of a resource.
	State map[string]string
	// ForeignHost is put into the headers of operations.
	ForeignHost string
	// Providers are the default versions by lower-case type.
	Providers map[string]string
	// BasePath is the path before /planes/.
	BasePath string
	// NoOutputs leaves outputResources out of the answers for deployments.
	NoOutputs bool
	// NoSteps lists no steps of deployments that run.
	NoSteps bool
	// NoOperationURL leaves out the headers of operations.
	NoOperationURL bool

	mu          sync.Mutex
	log         standin.Log
	groups      map[string]bool
	deployments map[string]*Deployment
	resources   map[string]Made
	deleting    map[string]time.Time
	deleteOps   map[string]string // op -> key
	gone        []string          // in the order of deletion
	goneAt      map[string]time.Time
	nextOp      int
}

func (s *Server) init() {
	if s.groups == nil {
		s.groups, s.deployments, s.resources = map[string]bool{}, map[string]*Deployment{}, map[string]Made{}
		s.deleting, s.deleteOps, s.goneAt = map[string]time.Time{}, map[string]string{}, map[string]time.Time{}
	}
}

// Set changes fields of the server while it is in use.
func (s *Server) Set(f func(s *Server)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.init()
	f(s)
}

func (s *Server) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}

func key(id string) string { return strings.ToLower(strings.TrimRight(id, "/")) }

// Requests are the requests so far whose method and path contain the given texts.
func (s *Server) Requests(method, path string) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.Find(method, path)
}

// Puts are the requests that sent deployments.
func (s *Server) Puts() []Request {
	return s.Requests(http.MethodPut, "/microsoft.resources/deployments/")
}

// Resources are the IDs of the resources that exist, in order.
func (s *Server) Resources() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.init()
	s.tick()
	var ids []string
	for id := range s.resources {
		ids = append(ids, id)
	}
	sort.Strings(ids)
	return ids
}

// Made are the resources that exist, by their lower-case IDs.
func (s *Server) Made() map[string]Made {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.init()
	s.tick()
	all := maps.Clone(s.resources)
	for k := range s.deleting {
		if m, ok := all[k]; ok {
			m.Going = true
			all[k] = m
		}
	}
	return all
}

// GoneAt is when a resource was last deleted, by whomever.
func (s *Server) GoneAt() map[string]time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.goneAt)
}

// Gone are the keys of the resources that were deleted, in order.
func (s *Server) Gone() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.gone)
}

// Deployments are the deployments that exist.
func (s *Server) Deployments() map[string]Deployment {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.init()
	s.tick()
	all := map[string]Deployment{}
	for k, d := range s.deployments {
		all[k] = *d
	}
	return all
}

// Add makes a resource that was not deployed.
func (s *Server) Add(id, version string) {
	s.Set(func(s *Server) { s.resources[key(id)] = Made{Version: version} })
}

// EndAll ends all that runs, as if its time had passed.
func (s *Server) EndAll() {
	s.Set(func(s *Server) {
		for _, d := range s.deployments {
			d.Ends = s.now()
		}
		for k := range s.deleting {
			s.deleting[k] = s.now()
		}
	})
}

// Remove deletes a resource behind everybody's back.
func (s *Server) Remove(id string) {
	s.Set(func(s *Server) {
		delete(s.resources, key(id))
		s.goneAt[key(id)] = s.now()
	})
}

// DropDeployments removes the records of all deployments. It is for use within Set.
func (s *Server) DropDeployments() { clear(s.deployments) }

// Forget makes the server forget all operations that run or ran, and with all=true the deployments
// that run too, which then make nothing. What a forgotten deployment had made could not be known.
func (s *Server) Forget(all bool) {
	s.Set(func(s *Server) {
		s.tick()
		for k, d := range s.deployments {
			d.op, d.Forgot = "", true
			if all && d.State == "Running" {
				delete(s.deployments, k)
			}
		}
		clear(s.deleteOps)
	})
}

// tick does what has happened by now, in its order.
func (s *Server) tick() {
	now := s.now()
	for {
		var first time.Time
		var name string
		var happens func()
		next := func(at time.Time, k string, f func()) {
			if !at.After(now) && (happens == nil || at.Before(first) || at.Equal(first) && k < name) {
				first, name, happens = at, k, f
			}
		}
		for k, d := range s.deployments {
			if d.State == "Running" {
				next(d.next(), k, func() { s.advance(d) })
			}
		}
		for k, at := range s.deleting {
			next(at, k, func() { s.drop(k) })
		}
		if happens == nil {
			return
		}
		happens()
	}
}

func (s *Server) drop(k string) {
	delete(s.deleting, k)
	if _, ok := s.resources[k]; ok {
		delete(s.resources, k)
		s.gone, s.goneAt[k] = append(s.gone, k), s.now()
	}
}

// next is when the next step of a deployment begins, or ends. Each takes as long as the others.
func (d *Deployment) next() time.Time {
	left := len(d.declared) - len(d.Steps)
	if d.changes {
		left--
	}
	return d.Ends.Add(-d.took * time.Duration(left) / time.Duration(max(1, len(d.declared))))
}

// ofAzure is true of what is made in an Azure.
func (s *Server) ofAzure(k string) bool {
	return s.Azure != nil && strings.HasPrefix(k, "/subscriptions/")
}

// Changing is true if a deployment is making a resource now.
func (s *Server) Changing(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.init()
	s.tick()
	return s.changer(key(id)) != nil
}

// changer is the deployment that is making a resource now, or nil.
func (s *Server) changer(k string) *Deployment {
	for _, d := range s.deployments {
		if d.State == "Running" && d.changes && key(d.declared[len(d.Steps)].ID) == k {
			return d
		}
	}
	return nil
}

// advance begins the next step of a deployment, or ends it. What changes already is not changed: that is a conflict.
func (s *Server) advance(d *Deployment) {
	if len(d.Steps) == len(d.declared) {
		d.State = "Succeeded"
		return
	}
	r := d.declared[len(d.Steps)]
	k, code, message := key(r.ID), "BadRequest", ""
	_, going := s.deleting[k]
	if s.ofAzure(k) {
		going = s.Azure.Made()[k].Going
	}
	if !d.changes && (going || s.changer(k) != nil) {
		code, message = "Conflict", "the resource '"+r.ID+"' is being changed"
	} else if !d.changes {
		d.changes = true
		return
	}
	if message == "" && s.FailResource != nil {
		message = s.FailResource(r.ID)
	}
	d.changes = false
	if message != "" {
		d.State, d.Error, d.code, d.Outputs = "Failed", message, code, nil
		d.Steps = append(d.Steps, Step{r.ID, "Failed", message})
		return
	}
	if s.ofAzure(k) {
		s.Azure.Make(r.ID, r.Properties, d.ID)
	} else {
		s.resources[k] = Made{Version: r.Version, By: d.ID, Contents: string(r.Properties)}
	}
	d.Steps = append(d.Steps, Step{r.ID, "Succeeded", ""})
	d.Outputs = append(d.Outputs, r.ID)
}

// Resource is a resource that a template declares.
type Resource struct {
	ID, Version string
	Properties  json.RawMessage // with the values of parameters
}

var parameterRef = regexp.MustCompile(`^\[parameters\('([^']+)'\)\]$`)

// Declared are the resources of the template in a request's body, by name.
func Declared(deploymentID string, body []byte) []Resource {
	var b struct {
		Properties struct {
			Template   struct{ Resources json.RawMessage }
			Parameters map[string]struct{ Value any }
			Providers  struct {
				AWS struct {
					Value struct{ Scope string }
				} `json:"aws"`
				Az struct {
					Value struct{ Scope string }
				} `json:"az"`
			} `json:"providerconfig"`
		}
	}
	if json.Unmarshal(body, &b) != nil {
		return nil
	}
	scope, _, _ := strings.Cut(deploymentID, "/providers/")
	type declared struct {
		Type, Name, APIVersion string
		Existing               bool
		Properties             map[string]any
	}
	named := map[string]declared{}
	var names []string
	if json.Unmarshal(b.Properties.Template.Resources, &named) == nil {
		for n := range named {
			names = append(names, n)
		}
		sort.Strings(names)
	} else {
		var listed []declared
		_ = json.Unmarshal(b.Properties.Template.Resources, &listed)
		for i, d := range listed {
			n := fmt.Sprintf("r%d", i)
			named[n] = d
			names = append(names, n)
		}
	}
	var all []Resource
	for _, symbol := range names {
		d := named[symbol]
		typ, version, ok := strings.Cut(d.Type, "@")
		if !ok {
			version = d.APIVersion
		}
		if d.Existing || typ == "" {
			continue
		}
		for k, v := range d.Properties {
			if m := parameterRef.FindStringSubmatch(fmt.Sprint(v)); m != nil {
				d.Properties[k] = b.Properties.Parameters[m[1]].Value
			}
		}
		properties := []byte("{}")
		if d.Properties != nil {
			properties, _ = json.Marshal(d.Properties)
		}
		name, _ := d.Properties["name"].(string)
		if name == "" {
			name = d.Name
		}
		if m := parameterRef.FindStringSubmatch(name); m != nil {
			name = fmt.Sprint(b.Properties.Parameters[m[1]].Value)
		}
		if name == "" || strings.HasPrefix(name, "[") {
			name = symbol
		}
		in := scope
		switch aws, az := b.Properties.Providers.AWS.Value.Scope, b.Properties.Providers.Az.Value.Scope; {
		case strings.HasPrefix(typ, "AWS."):
			in = cmp.Or(aws, "/planes/aws/aws/accounts/1/regions/us-west-2")
		case strings.HasPrefix(typ, "Microsoft.") && typ != "Microsoft.Resources/deployments":
			in = cmp.Or(az, "/subscriptions/s/resourceGroups/g")
		}
		all = append(all, Resource{in + "/providers/" + typ + "/" + name, version, properties})
	}
	return all
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer, fault := s.Handle(r)
	if fault != nil && fault.Drop {
		if h, ok := w.(http.Hijacker); ok {
			if conn, _, err := h.Hijack(); err == nil {
				conn.Close()
				return
			}
		}
		panic(http.ErrAbortHandler)
	}
	for k, v := range answer.Header() {
		w.Header()[k] = v
	}
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes())
}

// RoundTrip answers a request without a network.
func (s *Server) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, fault := s.Handle(r)
	return standin.Response(answer, fault, r)
}

// Handle carries out a request. The fault is returned if there was one.
func (s *Server) Handle(r *http.Request) (*httptest.ResponseRecorder, *Fault) {
	var body []byte
	if r.Body != nil {
		body, _ = io.ReadAll(r.Body)
	}
	rec := Request{
		Method: r.Method, Path: strings.TrimPrefix(r.URL.EscapedPath(), s.BasePath), Query: r.URL.RawQuery,
		Body: string(body), Header: r.Header.Clone(),
	}
	if s.Before != nil {
		s.Before(&rec)
	}
	s.mu.Lock()
	s.init()
	rec.At = s.now()
	var fault *Fault
	if s.Fault != nil {
		fault = s.Fault(&rec)
	}
	if fault != nil && fault.Delay > 0 {
		s.mu.Unlock()
		select {
		case <-time.After(fault.Delay):
		case <-r.Context().Done():
		}
		s.mu.Lock()
	}
	defer s.mu.Unlock()
	s.tick()
	w := s.log.Answer(rec, fault, func(w *httptest.ResponseRecorder) { s.route(w, &rec, body) })
	if d := s.deployments[key(rec.Path)]; d != nil && rec.Method == http.MethodPut && fault != nil && (fault.Status != 0 || fault.Drop) {
		d.AnswerOK = false
	}
	return w, fault
}

// missing is the error of UCP for an ID that names nothing.
func missing(id string) map[string]any {
	message := "the resource with id '" + id + "' was not found"
	return map[string]any{"error": map[string]any{"code": "NotFound", "message": message, "target": id}}
}

// noDeployment is the error of the engine.
func noDeployment(id string) map[string]any {
	return standin.Problem("DeploymentNotFound", "Deployment '"+id[strings.LastIndex(id, "/")+1:]+"' could not be found.")
}

func nested(code, message string) map[string]any {
	return map[string]any{"code": "DeploymentFailed", "message": "At least one resource deployment operation failed.",
		"details": []any{map[string]any{"code": "ResourceDeploymentFailure",
			"message": "The resource operation completed with terminal provisioning state 'Failed'.",
			"details": []any{map[string]any{"code": code, "message": message}}}}}
}

var (
	groupPath      = regexp.MustCompile(`(?i)^/planes/radius/[^/]+/resourcegroups/[^/]+$`)
	deploymentPath = regexp.MustCompile(`(?i)^(/planes/radius/[^/]+/resourcegroups/[^/]+)/providers/microsoft\.resources/deployments/[^/]+$`)
	operationsPath = regexp.MustCompile(`(?i)^(.*/microsoft\.resources/deployments/[^/]+)/operations$`)
	statusPath     = regexp.MustCompile(`(?i)/operationstatuses/(\w+)$`)
	providerPath   = regexp.MustCompile(`(?i)^/planes/radius/[^/]+/providers/([^/]+)$`)
)

func (s *Server) operation(w *httptest.ResponseRecorder, r *Request) string {
	s.nextOp++
	op := "op" + strconv.Itoa(s.nextOp)
	host := s.ForeignHost
	if host == "" {
		host = "http://radius.internal:8443"
	}
	if !s.NoOperationURL {
		w.Header().Set("Azure-AsyncOperation",
			host+"/planes/radius/local/providers/System/locations/global/operationstatuses/"+op+"?api-version=2020-10-01")
		w.Header().Set("Retry-After", "60")
	}
	return op
}

func (s *Server) route(w *httptest.ResponseRecorder, r *Request, body []byte) {
	if !strings.Contains(r.Query, "api-version=") {
		standin.Reply(w, 400, standin.Problem("MissingApiVersionParameter", "the api-version query parameter is required"))
		return
	}
	switch {
	case groupPath.MatchString(r.Path):
		s.group(w, r)
	case operationsPath.MatchString(r.Path):
		s.listSteps(w, operationsPath.FindStringSubmatch(r.Path)[1])
	case deploymentPath.MatchString(r.Path):
		s.deployment(w, r, body)
	case statusPath.MatchString(r.Path):
		s.status(w, statusPath.FindStringSubmatch(r.Path)[1])
	case providerPath.MatchString(r.Path):
		namespace := key(providerPath.FindStringSubmatch(r.Path)[1])
		types := map[string]any{}
		for t, v := range s.Providers {
			if ns, short, _ := strings.Cut(t, "/"); ns == namespace {
				types[short] = map[string]any{"apiVersions": map[string]any{v: map[string]any{}}, "defaultApiVersion": v}
			}
		}
		if len(types) == 0 {
			standin.Reply(w, 404, standin.Problem("NotFound", "the resource provider with name '"+namespace+"' was not found"))
			return
		}
		standin.Reply(w, 200, map[string]any{"resourceTypes": types})
	default:
		s.resource(w, r)
	}
}

func (s *Server) group(w *httptest.ResponseRecorder, r *Request) {
	switch {
	case r.Method == http.MethodPut:
		s.groups[key(r.Path)] = true
		standin.Reply(w, 200, map[string]any{"id": r.Path})
	case !s.groups[key(r.Path)]:
		standin.Reply(w, 404, missing(r.Path))
	default:
		standin.Reply(w, 200, map[string]any{"id": r.Path})
	}
}

func (s *Server) deployment(w *httptest.ResponseRecorder, r *Request, body []byte) {
	k := key(r.Path)
	d := s.deployments[k]
	switch r.Method {
	case http.MethodPut:
		group, _, _ := strings.Cut(k, "/providers/")
		if !s.groups[group] {
			standin.Reply(w, 404, standin.Problem("NotFound", `the resource with id '`+r.Path+`' was not found: resource group "`+group+`" not found`))
			return
		}
		if d != nil && d.State == "Running" {
			standin.Reply(w, 409, standin.Problem("DeploymentActive", "the deployment is active"))
			return
		}
		if !json.Valid(body) {
			standin.Reply(w, 400, standin.Problem("InvalidRequestContent", "the body is not JSON"))
			return
		}
		d = &Deployment{ID: r.Path, Body: string(body), State: "Running", Ends: s.now().Add(s.DeployTime), AnswerOK: true,
			took: s.DeployTime, declared: Declared(r.Path, body)}
		s.deployments[k] = d
		if s.tick(); s.DeployTime == 0 {
			standin.Reply(w, 200, s.deploymentBody(d))
			return
		}
		d.op = s.operation(w, r)
		standin.Reply(w, 201, s.deploymentBody(d))
	case http.MethodGet:
		if d == nil {
			standin.Reply(w, 404, noDeployment(r.Path))
			return
		}
		standin.Reply(w, 200, s.deploymentBody(d))
	case http.MethodDelete:
		if d == nil {
			standin.Reply(w, 404, noDeployment(r.Path))
			return
		}
		delete(s.deployments, k)
		standin.Reply(w, 200, nil)
	}
}

func (s *Server) deploymentBody(d *Deployment) map[string]any {
	properties := map[string]any{"provisioningState": d.State}
	if d.State == "Succeeded" {
		outputs := []any{}
		for _, id := range d.Outputs {
			outputs = append(outputs, map[string]any{"id": id})
		}
		if !s.NoOutputs {
			properties["outputResources"] = outputs
		}
	}
	if d.State == "Failed" {
		properties["error"] = nested(d.code, d.Error)
	}
	return map[string]any{"id": d.ID, "properties": properties}
}

func (s *Server) listSteps(w *httptest.ResponseRecorder, id string) {
	d := s.deployments[key(id)]
	if d == nil {
		standin.Reply(w, 404, noDeployment(id))
		return
	}
	value := []any{}
	steps := d.Steps
	switch {
	case d.State == "Running" && s.NoSteps:
		steps = nil
	case d.changes:
		steps = append(slices.Clip(steps), Step{d.declared[len(steps)].ID, "Running", ""})
	}
	for _, step := range steps {
		value = append(value, map[string]any{"properties": map[string]any{
			"provisioningOperation": "Create", "provisioningState": step.State,
			"targetResource": map[string]any{"id": step.ID},
			"statusMessage":  map[string]any{"error": map[string]any{"code": "BadRequest", "message": step.Message}},
		}})
	}
	standin.Reply(w, 200, map[string]any{"value": value})
}

func (s *Server) status(w *httptest.ResponseRecorder, op string) {
	for _, d := range s.deployments {
		if d.op == op {
			answer := map[string]any{"status": d.State}
			if d.State == "Failed" {
				answer["error"] = nested(d.code, d.Error)
			}
			standin.Reply(w, 200, answer)
			return
		}
	}
	if k, ok := s.deleteOps[op]; ok {
		state := "Succeeded"
		if _, running := s.deleting[k]; running {
			state = "Deleting"
		}
		standin.Reply(w, 200, map[string]any{"status": state})
		return
	}
	standin.Reply(w, 404, standin.Problem("NotFound", "no such operation"))
}

func (s *Server) resource(w *httptest.ResponseRecorder, r *Request) {
	k := key(r.Path)
	if azure, ok := strings.CutPrefix(k, "/planes/azure/azurecloud"); ok {
		if s.NoAzure || s.Azure != nil {
			standin.Reply(w, 404, missing(r.Path))
			return
		}
		k = azure
	}
	version := strings.TrimPrefix(r.Query, "api-version=")
	if s.BadVersions[version] {
		standin.Reply(w, 400, standin.Problem("BadRequest", "api version '"+version+"' is not supported for the type"))
		return
	}
	_, exists := s.resources[k]
	if !exists {
		if r.Method == http.MethodDelete && strings.HasPrefix(k, "/planes/aws/") {
			standin.Reply(w, 204, nil)
			return
		}
		standin.Reply(w, 404, missing(r.Path))
		return
	}
	switch r.Method {
	case http.MethodGet:
		state := "Succeeded"
		if v, ok := s.State[k]; ok {
			state = v
		}
		if _, ok := s.deleting[k]; ok {
			state = "Deleting"
		}
		standin.Reply(w, 200, map[string]any{"id": r.Path, "properties": map[string]any{"provisioningState": state}})
	case http.MethodDelete:
		if _, ok := s.deleting[k]; ok || s.changer(k) != nil {
			standin.Reply(w, 409, standin.Problem("Conflict", "the resource is being changed"))
			return
		}
		if s.DeleteTime == 0 {
			s.drop(k)
			standin.Reply(w, 200, nil)
			return
		}
		s.deleting[k] = s.now().Add(s.DeleteTime)
		s.deleteOps[s.operation(w, r)] = k
		standin.Reply(w, 202, nil)
	default:
		standin.Reply(w, 405, standin.Problem("MethodNotAllowed", r.Method))
	}
}
