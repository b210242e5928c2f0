// Package check is where programs that build on the controller hang in checks of their own.
//
// A check is run for each resource that a deployment made, after the deployment has succeeded
// and after each look for drift. As long as one does not pass, the DeploymentTemplate is not
// Ready; the deployment is not sent again. The default check passes when the resource exists
// and its properties.provisioningState is absent or Succeeded.
//
//	registry := check.NewRegistry()
//	gateways := func(ctx context.Context, in check.Input, next check.Next) (check.Result, error) {
//		…
//		return next(ctx, in)
//	}
//	registry.Add("Applications.Core/gateways", check.Func(gateways))
//	os.Exit(manager.Main(os.Args[1:], registry))
package check

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/radbicep/rad/controller/api/v1alpha3"
)

// Resource is what Radius holds of a resource, freshly read.
type Resource struct {
	// ID is the resource ID, and Type its type.
	ID, Type string
	// Exists is false if Radius answered that there is no such resource.
	Exists bool
	// Readable is false if the resource cannot be read through Radius. Body is empty then, and Problem says why.
	Readable bool
	Problem  string
	// Body is Radius' answer.
	Body json.RawMessage
}

// Properties decodes the properties of the body.
func (r Resource) Properties(into any) error {
	var b struct {
		Properties json.RawMessage `json:"properties"`
	}
	if err := json.Unmarshal(r.Body, &b); err != nil {
		return fmt.Errorf("%s: the answer is not JSON: %w", r.ID, err)
	}
	if len(b.Properties) == 0 {
		return nil
	}
	return json.Unmarshal(b.Properties, into)
}

// Reader reads resources from Radius. With an empty version, the one that Radius prefers is taken.
type Reader interface {
	Read(ctx context.Context, id, apiVersion string) (Resource, error)
}

// Input is what a check is given.
type Input struct {
	// Resource is the resource, freshly read.
	Resource Resource
	// Owner is the DeploymentTemplate that deployed it.
	Owner *v1alpha3.DeploymentTemplate
	// Kube reads objects of the cluster, from the API server itself.
	Kube client.Reader
	// Radius reads other resources.
	Radius Reader
	// Log is for what a reader of the controller's log should know. It must not be given secrets.
	Log logr.Logger
}

// Severity is how bad it is that a check has not passed.
type Severity int

// The severities, from the least to the worst.
const (
	// Info is for what is not known, or goes on by itself: Ready is Unknown.
	Info Severity = iota + 1
	// Warning is for what may pass by itself: Ready is False.
	Warning
	// Error is for what does not pass unless somebody acts: Ready is False, and Stalled is True.
	Error
)

// Result is what a check found.
type Result struct {
	passed          bool
	reason, message string
	severity        Severity
}

// Success means that the resource is as it should be.
func Success() Result { return Result{passed: true} }

// Failure means that it is not yet. The reason becomes the reason of the condition Ready, so it
// is a word such as ConnectionPending.
func Failure(reason, message string) Result {
	return Result{reason: reason, message: message, severity: Warning}
}

// Unknown means that the check cannot say whether the resource is as it should be.
func Unknown(reason, message string) Result {
	return Result{reason: reason, message: message, severity: Info}
}

// WithSeverity is a Failure with another severity. A Success has none.
func (r Result) WithSeverity(s Severity) Result {
	if !r.passed {
		r.severity = min(max(s, Info), Error)
	}
	return r
}

// Severity is how bad a Failure is; 0 for Success.
func (r Result) Severity() Severity { return r.severity }

// Passed is true for Success.
func (r Result) Passed() bool { return r.passed }

// Reason is the reason of a Failure.
func (r Result) Reason() string { return r.reason }

// Message is the message of a Failure.
func (r Result) Message() string { return r.message }

// Next runs the rest of the checks.
type Next func(ctx context.Context, in Input) (Result, error)

// Checker is a check. It calls next to run the checks behind it; the last is the default check.
// An error means that the check could not be made; it is tried again later.
type Checker interface {
	Check(ctx context.Context, in Input, next Next) (Result, error)
}

// Func is a Checker that is a function.
type Func func(ctx context.Context, in Input, next Next) (Result, error)

// Check calls f.
func (f Func) Check(ctx context.Context, in Input, next Next) (Result, error) {
	return f(ctx, in, next)
}

// Registry holds the checks by resource type.
type Registry struct {
	all    []Checker
	byType map[string][]Checker
}

// NewRegistry makes a Registry with the checks that come with the controller.
func NewRegistry() *Registry {
	r := &Registry{byType: map[string][]Checker{}}
	r.Add("Microsoft.Network/privateEndpoints", PrivateEndpoint{})
	return r
}

// Add adds a check for a resource type; its case does not matter. "*" stands for all types.
// Checks run in the order in which they are added, those for all types first.
func (r *Registry) Add(resourceType string, c Checker) {
	if resourceType == "*" {
		r.all = append(r.all, c)
		return
	}
	key := strings.ToLower(resourceType)
	r.byType[key] = append(r.byType[key], c)
}

// Has is true if a type has a check of its own.
func (r *Registry) Has(resourceType string) bool {
	return len(r.byType[strings.ToLower(resourceType)]) > 0
}

// Run runs the checks for a resource. A panic in a check becomes an error.
func (r *Registry) Run(ctx context.Context, in Input) (result Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			result, err = Result{}, fmt.Errorf("a check of %s panicked: %v", in.Resource.ID, p)
		}
	}()
	var chain []Checker
	chain = append(chain, r.all...)
	chain = append(chain, r.byType[strings.ToLower(in.Resource.Type)]...)
	result, err = run(ctx, in, chain, r.Has(in.Resource.Type))
	if err == nil && !result.passed {
		if result.reason == "" {
			result.reason = v1alpha3.ReasonCheckFailed
		}
		result.severity = max(result.severity, Info)
	}
	return result, err
}

// run runs a chain. own is true if the type has a check of its own, which must not pass for want of knowledge.
func run(ctx context.Context, in Input, chain []Checker, own bool) (Result, error) {
	if len(chain) == 0 {
		if own && !in.Resource.Readable {
			message := in.Resource.ID + " cannot be read through Radius, so whether it is ready is not known"
			if in.Resource.Problem != "" {
				message += ": " + in.Resource.Problem
			}
			return Unknown(v1alpha3.ReasonResourceNotReadable, message), nil
		}
		return provisioned(in.Resource)
	}
	return chain[0].Check(ctx, in, func(ctx context.Context, in Input) (Result, error) { return run(ctx, in, chain[1:], own) })
}

// provisioned is the default check.
func provisioned(r Resource) (Result, error) {
	if !r.Readable {
		return Success(), nil
	}
	if !r.Exists {
		return Failure(v1alpha3.ReasonResourceNotReady, r.ID+" does not exist"), nil
	}
	var p struct {
		ProvisioningState string `json:"provisioningState"`
	}
	if err := r.Properties(&p); err != nil {
		return Result{}, err
	}
	if p.ProvisioningState == "" || strings.EqualFold(p.ProvisioningState, "Succeeded") {
		return Success(), nil
	}
	return Failure(v1alpha3.ReasonResourceNotReady, fmt.Sprintf("%s is in the state %s", r.ID, p.ProvisioningState)), nil
}
