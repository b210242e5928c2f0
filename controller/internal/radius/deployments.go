package radius

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// State is how far an operation is.
type State int

// The states of an operation.
const (
	Running State = iota
	Succeeded
	Failed
	// Lost means that Radius does not know the operation any more.
	Lost
)

// Progress is what is known of an operation.
type Progress struct {
	State State
	// Token polls the operation. It is empty if there is nothing to poll.
	Token string
	// Error is why it failed, if that was said.
	Error *ServiceError
	// Absent is true if there was nothing to delete.
	Absent bool
	// Idle is true of a deletion that runs, as far as is known, of a resource that does not say that it changes.
	Idle bool
}

// terminal reads a status. Any text that does not name an end means that the operation runs.
func terminal(status string) State {
	switch strings.ToLower(status) {
	case "succeeded":
		return Succeeded
	case "failed", "canceled", "cancelled":
		return Failed
	}
	return Running
}

// Kinds of tokens. A token is a kind, a colon, and the path and query to ask.
const (
	tokenStatus   = "status"   // answers {"status":…}
	tokenLocation = "location" // answers 202 while the operation runs
	tokenResource = "resource" // answers with the resource, its provisioningState in it
	tokenGone     = "gone"     // answers 404 when the resource is deleted
)

// PutDeployment starts a deployment.
func (c *Client) PutDeployment(ctx context.Context, id string, body []byte) (Progress, error) {
	a, err := c.send(ctx, http.MethodPut, "deployment", target(id, deploymentVersion), body)
	if err != nil {
		return Progress{}, err
	}
	if token := c.token(a.header); token != "" {
		return Progress{State: Running, Token: token}, nil
	}
	// An answer that is not a deployment does not prove that the request was taken: what is there may
	// be the deployment of another spec.
	if err := checkDeployment(http.MethodPut, id, a.body); err != nil {
		return Progress{}, err
	}
	if state := terminal(stateOf(a.body)); state != Running {
		return Progress{State: state, Error: deploymentError(a.body)}, nil
	}
	return Progress{State: Running, Token: DeploymentToken(id)}, nil
}

// DeploymentToken polls a deployment by reading it.
func DeploymentToken(id string) string {
	return tokenResource + ":" + target(id, deploymentVersion)
}

// Delete deletes a resource.
func (c *Client) Delete(ctx context.Context, id, version string) (Progress, error) {
	a, err := c.send(ctx, http.MethodDelete, "resource", target(id, version), nil)
	switch {
	case Gone(err):
		return Progress{State: Succeeded, Absent: true}, nil
	case err != nil:
		return Progress{}, err
	case a.status == http.StatusNoContent || a.status == http.StatusOK && len(a.body) == 0:
		return Progress{State: Succeeded, Absent: a.status == http.StatusNoContent}, nil
	}
	if token := c.token(a.header); token != "" {
		return Progress{State: Running, Token: token}, nil
	}
	// An answer with a body need not be the end.
	return Progress{State: Running, Token: tokenGone + ":" + target(id, version)}, nil
}

// DeleteDeployment deletes the record of a deployment, not what it deployed.
func (c *Client) DeleteDeployment(ctx context.Context, id string) error {
	_, err := c.send(ctx, http.MethodDelete, "deployment", target(id, deploymentVersion), nil)
	if Gone(err) {
		return nil
	}
	return err
}

// token makes a token of the headers that say where an operation is polled.
func (c *Client) token(h http.Header) string {
	if p := c.relative(h.Get("Azure-AsyncOperation")); p != "" {
		return tokenStatus + ":" + p
	}
	if p := c.relative(h.Get("Location")); p != "" {
		return tokenLocation + ":" + p
	}
	return ""
}

// relative is the path and query of a URL. Scheme and host are dropped: behind a proxy they are
// those of another server, and no other server must be sent the credentials.
func (c *Client) relative(text string) string {
	u, err := url.Parse(strings.TrimSpace(text))
	if text == "" || err != nil {
		return ""
	}
	path := u.EscapedPath()
	if i := strings.Index(strings.ToLower(path), "/planes/"); i >= 0 {
		path = path[i:]
	} else {
		path = strings.TrimPrefix(path, c.base.EscapedPath())
	}
	if !strings.HasPrefix(path, "/") || path == "/" {
		return ""
	}
	for _, segment := range strings.Split(path, "/") {
		if segment == ".." || segment == "." {
			return ""
		}
	}
	if u.RawQuery != "" {
		path += "?" + u.RawQuery
	}
	return path
}

// Poll asks how far an operation is.
func (c *Client) Poll(ctx context.Context, token string) (Progress, error) {
	kind, where, ok := strings.Cut(token, ":")
	if !ok || !strings.HasPrefix(where, "/") {
		return Progress{State: Lost}, nil // another program's token
	}
	a, err := c.send(ctx, http.MethodGet, "operation", where, nil)
	if err != nil {
		return pollError(kind, err)
	}
	running := Progress{State: Running, Token: token}
	switch kind {
	case tokenStatus:
		if a.status == http.StatusNoContent {
			return Progress{State: Succeeded}, nil
		}
		var b struct {
			Status string        `json:"status"`
			Error  *ServiceError `json:"error"`
		}
		_ = json.Unmarshal(a.body, &b)
		if b.Status == "" {
			b.Status = stateOf(a.body)
		}
		if b.Status == "" && a.status == http.StatusOK {
			return Progress{State: Lost}, nil
		}
		if state := terminal(b.Status); state != Running {
			return Progress{State: state, Error: b.Error}, nil
		}
		return running, nil
	case tokenLocation:
		if a.status == http.StatusAccepted {
			return running, nil
		}
		switch {
		case terminal(stateOf(a.body)) == Failed:
			return Progress{State: Failed, Error: deploymentError(a.body)}, nil
		case a.status == http.StatusNoContent || idOf(a.body) != "" || c.plain:
			return Progress{State: Succeeded}, nil
		}
		return Progress{State: Lost}, nil // it does not say that it has ended
	case tokenResource:
		if err := checkDeployment(http.MethodGet, where, a.body); err != nil {
			return Progress{}, err
		}
		if s := terminal(stateOf(a.body)); s != Running {
			return Progress{State: s, Error: deploymentError(a.body)}, nil
		}
		return running, nil
	case tokenGone:
		id, _, _ := strings.Cut(where, "?")
		if err := c.isResource(a, unescaped(id)); err != nil {
			return Progress{}, err
		}
		state := stateOf(a.body)
		if terminal(state) == Failed {
			return Progress{State: Failed, Error: deploymentError(a.body)}, nil
		}
		running.Idle = state == "" || terminal(state) == Succeeded
		return running, nil
	}
	return Progress{State: Lost}, nil
}

// pollError takes in that an operation could not be asked for.
func pollError(kind string, err error) (Progress, error) {
	e := err.(*Error)
	switch {
	case kind == tokenGone && e.Gone:
		return Progress{State: Succeeded, Absent: true}, nil
	case e.Transient() || e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden:
		return Progress{}, err
	case kind == tokenLocation && e.Status != http.StatusNotFound && e.Status != http.StatusGone:
		return Progress{State: Failed, Error: e.Detail}, nil
	}
	return Progress{State: Lost}, nil
}

// Deployment is what Radius holds of a deployment.
type Deployment struct {
	State   State
	Error   *ServiceError
	Outputs []string
	// Lists is true if the answer had a list of outputs, even an empty one.
	Lists bool
}

// checkDeployment refuses an answer that is not a deployment. A proxy that answers {} in place of
// Radius must not look like a deployment that succeeded and made nothing.
func checkDeployment(method, path string, body []byte) error {
	missing := ""
	switch {
	case idOf(body) == "":
		missing = "id"
	case stateOf(body) == "":
		missing = "properties.provisioningState"
	case !strings.EqualFold(lastOf(idOf(body)), lastOf(path)):
		return &Error{Method: method, Path: path, Cause: badAnswer("what it answered is " + idOf(body))}
	default:
		return nil
	}
	return &Error{Method: method, Path: path, Cause: badAnswer("what it answered is not a deployment: it has no " + missing)}
}

// lastOf is the last part of an ID, or of a path with a query.
func lastOf(path string) string {
	path, _, _ = strings.Cut(path, "?")
	return path[strings.LastIndex(path, "/")+1:]
}

// badAnswer is what is wrong with an answer that lacks what every answer of its kind has.
type badAnswer string

func (s badAnswer) Error() string { return string(s) }

// idOf is the ID in a body.
func idOf(body []byte) string {
	var b struct {
		ID string `json:"id"`
	}
	_ = json.Unmarshal(body, &b)
	return b.ID
}

// GetDeployment reads a deployment. It returns nil if there is none.
func (c *Client) GetDeployment(ctx context.Context, id string) (*Deployment, error) {
	a, err := c.send(ctx, http.MethodGet, "deployment", target(id, deploymentVersion), nil)
	if Gone(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var b struct {
		Properties struct {
			OutputResources []struct {
				ID string `json:"id"`
			} `json:"outputResources"`
		} `json:"properties"`
	}
	if err := checkDeployment(http.MethodGet, id, a.body); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(a.body, &b); err != nil {
		return nil, &Error{Method: http.MethodGet, Path: id, Cause: badAnswer("what it answered is not a deployment: " + err.Error())}
	}
	d := &Deployment{State: terminal(stateOf(a.body)), Error: deploymentError(a.body), Lists: b.Properties.OutputResources != nil}
	for _, r := range b.Properties.OutputResources {
		if r.ID != "" {
			d.Outputs = append(d.Outputs, r.ID)
		}
	}
	return d, nil
}

func deploymentError(body []byte) *ServiceError {
	var b struct {
		Error      *ServiceError `json:"error"`
		Properties struct {
			Error *ServiceError `json:"error"`
		} `json:"properties"`
	}
	_ = json.Unmarshal(body, &b)
	if b.Properties.Error != nil {
		return b.Properties.Error
	}
	return b.Error
}

// Step is one step of a deployment.
type Step struct {
	ID    string
	State State
	Error *ServiceError
}

// Bounds of a listing of steps.
const (
	maxSteps       = 5000
	maxStepRequest = 50
)

// ErrNotListed means that Radius does not list the steps of a deployment, or not all of them.
var ErrNotListed = errors.New("Radius does not list what the deployment did")

// Steps lists what a deployment did to resources, those of modules included. It leaves out what was only read.
// With ErrNotListed it returns those that Radius does list.
// ended may be nil; otherwise it holds the steps of modules that have ended, which are not asked for again.
func (c *Client) Steps(ctx context.Context, id string, ended map[string][]Step) ([]Step, error) {
	var steps []Step
	requests, all := 0, true
	seen := map[string]bool{strings.ToLower(id): true}
	queue := []Step{{ID: id, State: Running}}
	add := func(step Step) {
		steps = append(steps, step)
		key := strings.ToLower(step.ID)
		switch {
		case !strings.Contains(key, "/providers/microsoft.resources/deployments/") || seen[key]:
		case strings.HasPrefix(key, "/subscriptions/"):
			all = false // Azure has it, and Radius does not even route a request for it
		default:
			seen[key] = true
			queue = append(queue, step)
		}
	}
	for len(queue) > 0 {
		module := queue[0]
		queue = queue[1:]
		if known, ok := ended[strings.ToLower(module.ID)]; ok {
			for _, step := range known {
				add(step)
			}
			continue
		}
		next, first := target(module.ID+"/operations", deploymentVersion), len(steps)
		whole := false
		for next != "" && requests < maxStepRequest && len(steps) < maxSteps {
			requests++
			a, err := c.send(ctx, http.MethodGet, "operations", next, nil)
			if notListed(err) {
				all = all && module.ID != id // a module without a list may not have begun
				break                        // this Radius does not list them
			}
			if err != nil {
				return steps, err
			}
			var b struct {
				Value []struct {
					Properties struct {
						ProvisioningOperation string          `json:"provisioningOperation"`
						ProvisioningState     string          `json:"provisioningState"`
						StatusMessage         json.RawMessage `json:"statusMessage"`
						TargetResource        struct {
							ID string `json:"id"`
						} `json:"targetResource"`
					} `json:"properties"`
				} `json:"value"`
				NextLink string `json:"nextLink"`
			}
			if err := json.Unmarshal(a.body, &b); err != nil || b.Value == nil {
				bad := badAnswer("what it answered is not a list of operations: it has no value")
				return steps, &Error{Method: http.MethodGet, Path: id, Cause: bad}
			}
			for _, v := range b.Value {
				p := v.Properties
				if p.TargetResource.ID == "" || p.ProvisioningOperation != "" && !strings.EqualFold(p.ProvisioningOperation, "Create") {
					continue
				}
				step := Step{ID: p.TargetResource.ID, State: terminal(p.ProvisioningState)}
				if step.State == Failed {
					step.Error = stepError(p.StatusMessage)
				}
				add(step)
			}
			next = c.relative(b.NextLink)
			whole = next == ""
		}
		if ended != nil && whole && module.State != Running {
			ended[strings.ToLower(module.ID)] = slices.Clone(steps[first:])
		}
		all = all && (next == "" || requests < maxStepRequest && len(steps) < maxSteps)
	}
	if !all {
		return steps, ErrNotListed
	}
	return steps, nil
}

// notListed is true of an error with which Radius says that it lists no steps.
func notListed(err error) bool {
	var e *Error
	if !errors.As(err, &e) || e.Foreign || e.unrouted {
		return false
	}
	return e.Status == http.StatusNotFound || e.Status == http.StatusMethodNotAllowed || e.Status == http.StatusNotImplemented
}

// stepError reads a statusMessage: an error, or text.
func stepError(raw json.RawMessage) *ServiceError {
	if e := parseError(bytes.TrimSpace(raw)); e != nil {
		return e
	}
	var text string
	if json.Unmarshal(raw, &text) == nil && text != "" {
		return &ServiceError{Message: text}
	}
	return nil
}

// PollDelay is how long to wait before an operation is asked for again: short at first.
func PollDelay(running, ceiling time.Duration) time.Duration {
	switch {
	case running < 3*time.Second:
		return min(time.Second, ceiling)
	case running < 10*time.Second:
		return min(2*time.Second, ceiling)
	}
	return ceiling
}
