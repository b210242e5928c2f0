// Package armtest is an Azure Resource Manager for tests, written after its public documentation: the reference of the
// REST API, "Track asynchronous Azure operations", "Throttling", "Lock your resources" and the contract for resource
// providers (Azure/azure-resource-manager-rpc). True Azure was not asked.
package armtest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"

	"github.com/radbicep/rad/controller/internal/resourceid"
	"github.com/radbicep/rad/controller/internal/standin"
)

// What all stand-ins have in common.
type (
	Request = standin.Request
	Fault   = standin.Fault
)

// Ways to say that a deletion runs.
const (
	ByStatus   = iota // Azure-AsyncOperation, and Location
	ByLocation        // Location alone
	ByNothing         // 202 without a URL
)

// Server is an Azure Resource Manager. Its fields are set before it is used, or through Set.
type Server struct {
	// Now is the time; nil means time.Now.
	Now func() time.Time
	// DeleteTime is how long a deletion takes; 0 means that it is done at once.
	DeleteTime time.Duration
	// Way is how a deletion is followed.
	Way int
	// Lag is how long a new resource is not seen by all requests, as a part of Azure does not know it yet.
	Lag time.Duration
	// Subscriptions are those that the identity sees; others are answered with SubscriptionNotFound.
	Subscriptions []string
	// Locks are IDs below which nothing is deleted.
	Locks []string
	// Denied are IDs that the identity may not touch.
	Denied []string
	// Versions are the versions of types, in lower case. Types that are not here have all.
	Versions map[string][]string
	// FailDelete gives the message with which a deletion ends, or "".
	FailDelete func(id string) string
	// Fault is called for each request, with the lock held, and Before without it.
	Fault  func(r *Request) *Fault
	Before func(r *Request)
	// Changing is true of a resource that a deployment is making now, which is not deleted meanwhile. It is called without the lock.
	Changing func(id string) bool

	mu        sync.Mutex
	log       standin.Log
	resources map[string]*resource // by key
	ops       map[string]operation
	gone      map[string]time.Time // when
	asked     int
	nextOp    int
}

type resource struct {
	id, by     string
	properties json.RawMessage
	made       time.Time
	state      string
	deleting   string // operation
}

type operation struct {
	key    string
	ends   time.Time
	failed string
}

// Token is what the server accepts.
const Token = "token-of-a-test"

// Credential gives tokens that the server accepts.
type Credential struct{ Err error }

// GetToken gives a token.
func (c Credential) GetToken(context.Context, policy.TokenRequestOptions) (azcore.AccessToken, error) {
	return azcore.AccessToken{Token: Token, ExpiresOn: time.Now().Add(time.Hour)}, c.Err
}

func key(id string) string { return resourceid.Key(id) }

// Set changes fields of the server while it is in use.
func (s *Server) Set(f func(s *Server)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f(s)
}

func (s *Server) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}

// Make makes a resource as it is to be. by is the ID of the deployment.
func (s *Server) Make(id string, properties json.RawMessage, by string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.resources == nil {
		s.resources = map[string]*resource{}
	}
	made := s.now()
	if was := s.resources[key(id)]; was != nil {
		made = was.made
	}
	s.resources[key(id)] = &resource{id: id, by: by, properties: properties, made: made, state: "Succeeded"}
}

// Remove deletes a resource behind everybody's back.
func (s *Server) Remove(id string) { s.Set(func(s *Server) { s.drop(key(id)) }) }

func (s *Server) drop(k string) {
	if s.resources[k] == nil {
		return // it is Radius', for example
	}
	if s.gone == nil {
		s.gone = map[string]time.Time{}
	}
	delete(s.resources, k)
	s.gone[k] = s.now()
}

// EndAll ends all that runs.
func (s *Server) EndAll() {
	s.Set(func(s *Server) {
		for name, op := range s.ops {
			op.ends = s.now()
			s.ops[name] = op
		}
	})
}

// Forget makes the server forget its operations. Those that run go on.
func (s *Server) Forget() {
	s.Set(func(s *Server) {
		s.tick()
		forgotten := map[string]operation{}
		for name, op := range s.ops {
			if r := s.resources[op.key]; r != nil && r.deleting == name {
				r.deleting = "x-" + name
				forgotten[r.deleting] = op
			}
		}
		s.ops = forgotten
	})
}

// Resources are the keys of the resources that exist, in order.
func (s *Server) Resources() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tick()
	keys := []string{}
	for k := range s.resources {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// Made are the resources that exist, by their keys.
func (s *Server) Made() map[string]standin.Made {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tick()
	made := map[string]standin.Made{}
	for k, r := range s.resources {
		made[k] = standin.Made{By: r.by, Contents: string(r.properties), Going: r.deleting != ""}
	}
	return made
}

// GoneAt is when a resource was last deleted, by whomever.
func (s *Server) GoneAt() map[string]time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.gone)
}

// Requests are the requests so far whose method and path contain the given texts.
func (s *Server) Requests(method, path string) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.Find(method, path)
}

// tick ends what has ended by now.
func (s *Server) tick() {
	for name, op := range s.ops {
		r := s.resources[op.key]
		if s.now().Before(op.ends) || r == nil || r.deleting != name {
			continue
		}
		if r.deleting = ""; op.failed == "" {
			s.drop(op.key)
		} else {
			r.state = "Failed"
		}
	}
}

// RoundTrip answers a request without a network.
func (s *Server) RoundTrip(r *http.Request) (*http.Response, error) {
	rec := Request{Method: r.Method, Host: r.URL.Host, Path: r.URL.Path, Query: r.URL.RawQuery}
	if s.Before != nil {
		s.Before(&rec)
	}
	busy := r.Method == http.MethodDelete && s.Changing != nil && s.Changing(r.URL.Path)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tick()
	rec.At = s.now()
	s.asked++
	var fault *Fault
	if s.Fault != nil {
		fault = s.Fault(&rec)
	}
	w := s.log.Answer(rec, fault, func(w *httptest.ResponseRecorder) {
		if busy {
			refuse(w, 409, "AnotherOperationInProgress", "Another operation on this resource is in progress.")
			return
		}
		s.route(w, r)
	})
	return standin.Response(w, fault, r)
}

// Problem is an error of Azure.
func Problem(code, message string) string {
	text, _ := json.Marshal(standin.Problem(code, message))
	return string(text)
}

func refuse(w *httptest.ResponseRecorder, status int, code, format string, args ...any) {
	standin.Reply(w, status, standin.Problem(code, fmt.Sprintf(format, args...)))
}

var (
	inSubscription = regexp.MustCompile(`(?i)^/subscriptions/([^/]+)(/.*)?$`)
	provider       = regexp.MustCompile(`(?i)^/subscriptions/[^/]+/providers/([^/]+)$`)
	operationPath  = regexp.MustCompile(`(?i)^/subscriptions/[^/]+/providers/[^/]+/locations/[^/]+/(operation\w+)/([-\w]+)$`)
)

func (s *Server) route(w *httptest.ResponseRecorder, r *http.Request) {
	path, version := r.URL.Path, r.URL.Query().Get("api-version")
	under := inSubscription.FindStringSubmatch(path)
	switch {
	case r.Header.Get("Authorization") != "Bearer "+Token:
		refuse(w, 401, "AuthenticationFailed", "Authentication failed. The 'Authorization' header is missing.")
	case version == "":
		refuse(w, 400, "MissingApiVersionParameter", "The api-version query parameter (?api-version=) is required for all requests.")
	case under == nil:
		refuse(w, 404, "NotFound", "no such path")
	case s.Subscriptions != nil && !has(s.Subscriptions, under[1]):
		refuse(w, 404, "SubscriptionNotFound", "The subscription '%s' could not be found.", under[1])
	case operationPath.MatchString(path):
		s.operation(w, r, operationPath.FindStringSubmatch(path))
	case provider.MatchString(path):
		s.provider(w, provider.FindStringSubmatch(path)[1])
	default:
		s.resource(w, r, version)
	}
}

func has(list []string, text string) bool {
	for _, item := range list {
		if strings.EqualFold(item, text) {
			return true
		}
	}
	return false
}

// provider lists the versions of the types of a provider.
func (s *Server) provider(w *httptest.ResponseRecorder, namespace string) {
	types := []any{}
	for typ, versions := range s.Versions {
		if ns, short, _ := strings.Cut(typ, "/"); strings.EqualFold(ns, namespace) {
			types = append(types, map[string]any{"resourceType": short, "apiVersions": versions, "locations": []string{"West Europe"}})
		}
	}
	standin.Reply(w, 200, map[string]any{"namespace": namespace, "registrationState": "Registered", "resourceTypes": types})
}

func (s *Server) operation(w *httptest.ResponseRecorder, r *http.Request, match []string) {
	op, ok := s.ops[match[2]]
	switch running := s.now().Before(op.ends); {
	case !ok:
		refuse(w, 404, "NotFound", "The operation '%s' was not found.", match[2])
	case strings.EqualFold(match[1], "operationresults") && running:
		w.Header().Set("Location", r.URL.String())
		standin.Reply(w, 202, nil)
	case strings.EqualFold(match[1], "operationresults") && op.failed != "":
		refuse(w, 409, "Conflict", "%s", op.failed)
	case strings.EqualFold(match[1], "operationresults"):
		standin.Reply(w, 200, nil)
	case running:
		standin.Reply(w, 200, map[string]any{"name": match[2], "status": "InProgress"})
	case op.failed != "":
		why := map[string]any{"code": "Conflict", "message": op.failed}
		standin.Reply(w, 200, map[string]any{"name": match[2], "status": "Failed", "error": why})
	default:
		standin.Reply(w, 200, map[string]any{"name": match[2], "status": "Succeeded"})
	}
}

func (s *Server) resource(w *httptest.ResponseRecorder, r *http.Request, version string) {
	id, err := resourceid.Parse(r.URL.Path)
	if err != nil || id.IsScope() {
		refuse(w, 404, "NotFound", "no such resource")
		return
	}
	if versions := s.Versions[strings.ToLower(id.Type())]; versions != nil && !has(versions, version) {
		_, short, _ := strings.Cut(id.Type(), "/")
		refuse(w, 400, "NoRegisteredProviderFound", "No registered resource provider found for location 'westeurope' and API version "+
			"'%s' for type '%s'. The supported api-versions are '%s'.", version, short, strings.Join(versions, ", "))
		return
	}
	for _, denied := range s.Denied {
		if strings.HasPrefix(id.Key(), key(denied)) {
			refuse(w, 403, "AuthorizationFailed", "The client 'c' with object id 'o' does not have authorization to perform action "+
				"'%s' over scope '%s' or the scope is invalid.", id.Type(), r.URL.Path)
			return
		}
	}
	there := s.resources[id.Key()]
	unseen := there != nil && s.Lag > 0 && s.now().Sub(there.made) < s.Lag && s.asked%2 == 0
	switch {
	case (there == nil || unseen) && r.Method == http.MethodDelete:
		standin.Reply(w, 204, nil)
	case there == nil || unseen:
		refuse(w, 404, "ResourceNotFound", "The Resource '%s/%s' under resource group 'g' was not found. "+
			"For more details please go to https://aka.ms/ARMResourceNotFoundFix", id.Type(), id.Name())
	case r.Method == http.MethodGet:
		properties := map[string]any{}
		_ = json.Unmarshal(there.properties, &properties)
		properties["provisioningState"] = there.state
		if there.deleting != "" {
			properties["provisioningState"] = "Deleting"
		}
		standin.Reply(w, 200, map[string]any{"id": there.id, "type": id.Type(), "name": id.Name(), "properties": properties})
	case r.Method == http.MethodDelete:
		s.delete(w, r, id, there)
	default:
		refuse(w, 405, "MethodNotAllowed", "%s", r.Method)
	}
}

func (s *Server) delete(w *httptest.ResponseRecorder, r *http.Request, id resourceid.ID, there *resource) {
	for _, lock := range s.Locks {
		if strings.HasPrefix(id.Key(), key(lock)) {
			refuse(w, 409, "ScopeLocked", "The scope '%s' cannot perform delete operation because following scope(s) are locked: '%s'. "+
				"Please remove the lock and try again.", r.URL.Path, lock)
			return
		}
	}
	if there.deleting != "" {
		refuse(w, 409, "AnotherOperationInProgress", "Another operation on this resource is in progress.")
		return
	}
	failed := ""
	if s.FailDelete != nil {
		failed = s.FailDelete(id.String())
	}
	if s.DeleteTime == 0 && failed == "" {
		s.drop(id.Key())
		standin.Reply(w, 200, nil)
		return
	}
	s.nextOp++
	name := "op-" + strconv.Itoa(s.nextOp)
	if s.ops == nil {
		s.ops = map[string]operation{}
	}
	s.ops[name] = operation{id.Key(), s.now().Add(s.DeleteTime), failed}
	there.deleting = name
	namespace, _, _ := strings.Cut(id.Type(), "/")
	// A region answers for itself; its host is not that of the request.
	subscription := inSubscription.FindStringSubmatch(r.URL.Path)[1]
	base := "https://westeurope.management.example/subscriptions/" + subscription + "/providers/" + namespace + "/locations/westeurope/"
	if s.Way == ByStatus {
		w.Header().Set("Azure-AsyncOperation", base+"operationStatuses/"+name+"?api-version=2023-01-01&t=1")
	}
	if s.Way != ByNothing {
		w.Header().Set("Location", base+"operationResults/"+name+"?api-version=2023-01-01&t=1")
	}
	w.Header().Set("Retry-After", "15")
	standin.Reply(w, 202, nil)
}
