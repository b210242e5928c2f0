package engine

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
)

// request makes a resource, and returns what it is then.
func (r *run) request(resource *expand.Resource) (armjson.Value, error) {
	body := resource.Body
	if strings.EqualFold(resource.Extension.Provider, "Kubernetes") {
		return r.object(resource, body)
	}
	id, ok := expand.Known(resource.ID)
	if !ok {
		return nil, fmt.Errorf("the ID of %s is not known", resource.Symbol)
	}
	where := r.UCP + id + "?api-version=" + resource.APIVersion
	if resource.Existing {
		return r.send(http.MethodGet, where, nil)
	}
	sent := body.Clone()
	sent.Delete("name")
	if sent.Find("location") < 0 {
		sent.Set("location", armjson.String("global"))
	}
	record := r.record(resource.Module)
	s := r.begin(record, id)
	made, err := r.send(http.MethodPut, where, sent)
	r.end(record, s, err)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", id, err)
	}
	return made, nil
}

// record returns the deployment that a module is. As in Azure it is an operation of the deployment around it, and its
// resources are its own operations.
func (r *run) record(m *expand.Module) *deployment {
	if m == nil || m.Parent == nil {
		return r.deployment
	}
	if d := r.modules[m.Path()]; d != nil {
		return d
	}
	name, _ := expand.Known(m.Name)
	d := &deployment{id: r.scope + "/providers/Microsoft.Resources/deployments/" + name, state: "Running"}
	r.begin(r.record(m.Parent), d.id)
	r.modules[m.Path()] = d
	r.mu.Lock()
	defer r.mu.Unlock()
	r.deployments[strings.ToLower(d.id)] = d
	return d
}

func (r *run) begin(in *deployment, id string) *step {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := &step{id: id, state: "Running"}
	in.steps = append(in.steps, s)
	return s
}

func (r *run) end(in *deployment, s *step, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.state = "Succeeded"; err != nil {
		s.state, s.message = "Failed", err.Error()
		return
	}
	in.resources = append(in.resources, s.id)
	if in != r.deployment {
		r.deployment.resources = append(r.deployment.resources, s.id)
	}
}

// endModules ends the deployments that the modules are. The lock is held.
func (r *run) endModules() {
	for _, d := range r.modules {
		d.state = "Succeeded"
		for _, s := range d.steps {
			if s.state == "Failed" {
				d.state, d.failure = "Failed", s.message
			}
		}
		for _, around := range append(slices.Collect(maps.Values(r.modules)), r.deployment) {
			for _, s := range around.steps {
				if s.id == d.id {
					s.state, s.message = d.state, d.failure
				}
			}
		}
	}
}

// object makes an object of Kubernetes. Like the engine of Radius, this one does not list it among what it made.
func (r *run) object(resource *expand.Resource, body *armjson.Object) (armjson.Value, error) {
	group, kind, ok := strings.Cut(resource.Type, "/")
	if !ok {
		return nil, fmt.Errorf("%s is no type of Kubernetes", resource.Type)
	}
	base, version := "/apis/"+group+"/"+resource.APIVersion, group+"/"+resource.APIVersion
	if group == "core" {
		base, version = "/api/"+resource.APIVersion, resource.APIVersion
	}
	list, err := r.send(http.MethodGet, r.Kubernetes+base, nil)
	if err != nil {
		return nil, err
	}
	plural, namespaced := "", false
	known, _ := list.(*armjson.Object).Get("resources")
	for _, each := range known.(armjson.Array) {
		if o := each.(*armjson.Object); o.Str("kind") == kind && !strings.Contains(o.Str("name"), "/") {
			is, _ := o.Get("namespaced")
			plural, namespaced = o.Str("name"), is == armjson.Bool(true)
		}
	}
	if plural == "" {
		return nil, fmt.Errorf("the API server has no %s", resource.Type)
	}
	metadata := body.Object("metadata")
	if metadata == nil {
		return nil, errors.New(resource.Symbol + " has no metadata")
	}
	namespace := metadata.Str("namespace")
	if config, _ := resource.Extension.Config.(*armjson.Object); namespace == "" && config != nil {
		namespace = config.Str("namespace")
	}
	where := r.Kubernetes + base + "/" + plural + "/" + metadata.Str("name")
	if namespaced {
		where = r.Kubernetes + base + "/namespaces/" + namespace + "/" + plural + "/" + metadata.Str("name")
	}
	if resource.Existing {
		return r.send(http.MethodGet, where, nil)
	}
	sent := armjson.NewObject(
		armjson.Member{Key: "apiVersion", Value: armjson.String(version)},
		armjson.Member{Key: "kind", Value: armjson.String(kind)},
	)
	for name, member := range body.All() {
		sent.Set(name, member)
	}
	if r.Applied != nil {
		told := armjson.Copy(sent).(*armjson.Object)
		if namespaced {
			told.Object("metadata").Set("namespace", armjson.String(namespace))
		}
		r.Applied(r.scope, told)
	}
	return r.send(http.MethodPatch, where+"?fieldManager=engine&force=true", sent)
}

// send sends a request, waits for the end of what it starts, and returns the resource.
func (s *Server) send(method, where string, body armjson.Value) (armjson.Value, error) {
	status, header, answer, err := s.once(method, where, body)
	if err != nil {
		return nil, err
	}
	poll := header.Get("Azure-AsyncOperation")
	if status != http.StatusCreated && status != http.StatusAccepted || poll == "" {
		return answer, nil
	}
	u, err := url.Parse(poll)
	if err != nil {
		return nil, err
	}
	at := strings.Index(strings.ToLower(u.Path), "/planes/")
	if at < 0 {
		return nil, fmt.Errorf("the operation is at %q", poll)
	}
	poll = s.UCP + u.Path[at:] + "?" + u.RawQuery
	for {
		time.Sleep(300 * time.Millisecond)
		_, _, answer, err := s.once(http.MethodGet, poll, nil)
		if err != nil {
			return nil, err
		}
		operation, _ := answer.(*armjson.Object)
		if operation == nil {
			return nil, fmt.Errorf("%s answers %s", poll, armjson.Text(answer))
		}
		switch operation.Str("status") {
		case "Succeeded":
			return s.send(http.MethodGet, where, nil)
		case "Failed", "Canceled":
			return nil, errors.New(armjson.Text(operation.Object("error")))
		}
	}
}

// once sends a request, and sends it again for a minute while nobody answers: UCP may be started anew.
func (s *Server) once(method, where string, body armjson.Value) (status int, header http.Header, answer armjson.Value, err error) {
	for tries := 0; ; tries++ {
		status, header, answer, err = s.try(method, where, body)
		if err == nil || tries == 60 || status < 500 && status != 0 {
			return status, header, answer, err
		}
		time.Sleep(time.Second)
	}
}

func (s *Server) try(method, where string, body armjson.Value) (status int, header http.Header, answer armjson.Value, err error) {
	var sent io.Reader
	if body != nil {
		sent = strings.NewReader(armjson.Text(body))
	} else if method == http.MethodPost {
		sent = strings.NewReader("{}")
	}
	request, err := http.NewRequest(method, where, sent)
	if err != nil {
		return 0, nil, nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	if method == http.MethodPatch {
		request.Header.Set("Content-Type", "application/apply-patch+yaml")
	}
	response, err := s.Client.Do(request)
	if err != nil {
		return 0, nil, nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, nil, nil, err
	}
	if response.StatusCode >= 300 {
		return response.StatusCode, nil, nil, fmt.Errorf("%s %s: %d: %s", method, request.URL.Path, response.StatusCode, text)
	}
	if len(text) == 0 {
		return response.StatusCode, response.Header, armjson.Null{}, nil
	}
	answer, err = armjson.ParseBytes(text, armjson.Options{})
	return response.StatusCode, response.Header, answer, err
}
