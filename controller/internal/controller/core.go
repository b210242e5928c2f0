// Package controller holds the reconcilers of DeploymentTemplates and DeploymentResources.
//
// What is to be done is decided by pure functions, decideTemplate and decideResource, from what
// is known. Their decisions are values; take carries one into the state, and absorbTemplate and
// absorbResource take in what came back. The reconcilers around them read objects, carry out one
// action after the other, and save the status.
//
// The files, from the top down: setup.go puts the reconcilers into a manager. template.go is that of DeploymentTemplates;
// template_state.go is what is known, template_decide.go decides, and template_absorb.go takes in what came back. An operation has a file
// with its requests and with what their answers mean: deploy.go with progress.go, look.go with rivals.go, delete.go; children.go is for the
// objects
// that stand for resources. resource.go and resource_decide.go are the same for DeploymentResources. Both stand on core.go (clients and
// settings), ownership.go (who may delete what), memory.go, outage.go, sources.go, carried.go and status.go.
package controller

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/internal/deployment"
	"github.com/radbicep/rad/controller/internal/radius"
	"github.com/radbicep/rad/controller/internal/resourceid"
)

// Radius is what the reconcilers ask of Radius. Each call is one step: it sends few requests and waits for nothing.
type Radius interface {
	EnsureGroup(ctx context.Context, id string) error
	PutDeployment(ctx context.Context, id string, body []byte) (radius.Progress, error)
	GetDeployment(ctx context.Context, id string) (*radius.Deployment, error)
	DeleteDeployment(ctx context.Context, id string) error
	Poll(ctx context.Context, token string) (radius.Progress, error)
	Steps(ctx context.Context, id string, ended map[string][]radius.Step) ([]radius.Step, error)
	Get(ctx context.Context, id, version string) (*radius.Resource, error)
	Delete(ctx context.Context, id, version string) (radius.Progress, error)
	DefaultVersion(ctx context.Context, id resourceid.ID) (string, error)
}

// Options are the settings of both reconcilers.
type Options struct {
	// RequestTimeout is how long one request to Radius may take; 0 means 5 s.
	RequestTimeout time.Duration
	// Class is the controller class whose objects are reconciled; "" means those without a class.
	Class string
	// OperationTimeout is the time after which an operation is not waited for any more; 0 means never.
	OperationTimeout time.Duration
	// PollInterval is the longest time between two polls of an operation.
	PollInterval time.Duration
	// DriftInterval is the time between two looks at the resources; 0 means never.
	DriftInterval time.Duration
	// Deployments are the settings of deployments.
	Deployments deployment.Settings
	// AzureReads is true if Radius is a router that asks Azure itself for resources of Azure.
	AzureReads bool
	// AzureKeeps is true if no resource of Azure may be deleted.
	AzureKeeps bool
}

// settleTime is how long a 404 of Azure says nothing after a deployment: not all of its regions know at once what was made.
const settleTime = 5 * time.Minute

// settles is how long it is until a 404 of Azure says something, for what was made at a time; 0 means that it does now.
// A time that lies further ahead is that of a wrong clock.
func settles(made, now time.Time) time.Duration {
	if left := made.Add(settleTime).Sub(now); left > 0 && left < 2*settleTime {
		return left
	}
	return 0
}

// ReconcileTimeout is how long one reconcile may take: as long as three requests, of which most take far less.
func (o Options) ReconcileTimeout() time.Duration { return 3 * cmp.Or(o.RequestTimeout, 5*time.Second) }

// Config is what a reconciler is made of.
type Config struct {
	Client     client.Client
	Live       client.Reader // reads from the API server, not from the cache
	Radius     Radius
	Recorder   events.EventRecorder
	Namespaces []string // those that are watched; none means all
	Options    Options
	Now        func() time.Time // nil means time.Now
	Random     func() float64   // from 0 to 1; nil means one that differs each time
	Schemas    Schemas          // nil means that all fields are kept
	Outage     *Outage          // both reconcilers have the same; nil is one of their own
}

// Schemas says whether the API server keeps all fields of the objects.
type Schemas interface {
	// Problem says why nothing may be done, or is "". What is not sure is not said to users.
	Problem() (problem string, sure bool)
	// Dropped notes that a field was dropped.
	Dropped(field string)
}

// core is what both reconcilers have.
type core struct {
	Config
	memory memory
}

func newCore(c Config) core {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Random == nil {
		c.Random = rand.Float64
	}
	if c.Outage == nil {
		c.Outage = &Outage{}
	}
	c.Outage.within = c.Options.ReconcileTimeout()
	return core{Config: c}
}

// Times that a reconcile may take.
const (
	saveTimeout   = 5 * time.Second
	conflictDelay = 100 * time.Millisecond
	maxMessage    = 20000
	maxEventNote  = 1000
)

// patchStatus saves a status, unless it has not changed. It fails if the object has changed.
func (c *core) patchStatus(ctx context.Context, changed, base client.Object) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), saveTimeout)
	defer cancel()
	base = withoutSpec(changed, base)
	return c.Client.Status().Patch(ctx, changed, client.MergeFromWithOptions(base, client.MergeFromWithOptimisticLock{}))
}

// errDropped means that the API server did not save all that it was sent.
var errDropped = errors.New("the API server drops fields of the status")

// kept returns an error if a status that was saved lacks what it was sent with.
func (c *core) kept(sent, saved any) error {
	if c.Schemas == nil {
		return nil
	}
	field := dropped(sent, saved)
	if field == "" {
		return nil
	}
	c.Schemas.Dropped(field)
	return errDropped
}

// schemaProblem says why nothing may be done, or is "".
func (c *core) schemaProblem() (problem string, sure bool) {
	if c.Schemas == nil {
		return "", true
	}
	return c.Schemas.Problem()
}

// withoutSpec takes the spec of a DeploymentTemplate out of what is compared to make a patch: no
// patch changes it, and it may be large. The answer brings it back.
func withoutSpec(changed, base client.Object) client.Object {
	is, ok := changed.(*v1alpha3.DeploymentTemplate)
	was, also := base.(*v1alpha3.DeploymentTemplate)
	if !ok || !also {
		return base
	}
	light := *was
	light.Spec, is.Spec = v1alpha3.DeploymentTemplateSpec{}, v1alpha3.DeploymentTemplateSpec{}
	return &light
}

// patch saves metadata, and the spec of DeploymentResources. It fails if the object has changed.
func (c *core) patch(ctx context.Context, changed, base client.Object) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), saveTimeout)
	defer cancel()
	base = withoutSpec(changed, base)
	return c.Client.Patch(ctx, changed, client.MergeFromWithOptions(base, client.MergeFromWithOptimisticLock{}))
}

// retryConflict turns the errors that come from working on an old copy into another try.
func retryConflict(ctx context.Context, err error) (ctrl.Result, error) {
	switch {
	case err == nil, apierrors.IsNotFound(err):
		return ctrl.Result{}, nil
	case errors.Is(err, errDropped):
		return ctrl.Result{RequeueAfter: laterDelay}, nil
	case apierrors.IsConflict(err):
		log.FromContext(ctx).V(1).Info("the object has changed; tries again")
		return ctrl.Result{RequeueAfter: conflictDelay}, nil
	}
	return ctrl.Result{}, err
}

// emit sends notes as events, without secrets.
func (c *core) emit(ctx context.Context, o runtime.Object, notes []note, action string, secrets *deployment.Secrets) {
	for _, n := range notes {
		kind := corev1.EventTypeNormal
		if n.warning {
			kind = corev1.EventTypeWarning
		}
		text := truncate(secrets.Redact(n.message), maxEventNote)
		log.FromContext(ctx).Info(n.reason, "message", text)
		eventsByReason.WithLabelValues(n.reason).Inc()
		if c.Recorder != nil {
			c.Recorder.Eventf(o, nil, kind, n.reason, action, "%s", text)
		}
	}
}

// mayAsk returns an error if Radius must not be asked, since it does not answer. What a user has just done is tried.
func (c *core) mayAsk(e *remembered, who, key string, now time.Time) error {
	if e.holdKey != "" && e.holdKey != key {
		return nil
	}
	return c.Outage.mayAsk(who, now)
}

// retryIn is how long to wait before the next try, which is said.
func (c *core) retryIn(e *remembered, r retry, who, key string, now time.Time) time.Duration {
	wait := e.delay(r, now, key)
	e.holdOutage = c.Outage.current()
	c.Outage.asksAgain(who, now.Add(wait))
	return wait
}
