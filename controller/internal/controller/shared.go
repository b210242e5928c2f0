// Package controller holds the reconcilers of DeploymentTemplates and DeploymentResources.
//
// What is to be done is decided by pure functions, decideTemplate and decideResource, from what
// is known. Their decisions are values; take carries one into the state, and absorbTemplate and
// absorbResource take in what came back. The reconcilers around them read objects, carry out one
// action after the other, and save the status.
package controller

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/check"
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
	DefaultVersion(ctx context.Context, plane, resourceType string) (string, error)
}

// Options are the settings of both reconcilers.
type Options struct {
	// RequestTimeout is how long one request to Radius may take; 0 means 5 s.
	RequestTimeout time.Duration
	// Class is the controller class whose objects are reconciled; "" means those without a class.
	Class string
	// PollInterval is the longest time between two polls of an operation.
	PollInterval time.Duration
	// DriftInterval is the time between two looks at the resources; 0 means never.
	DriftInterval time.Duration
	// Deployments are the settings of deployments.
	Deployments deployment.Settings
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

// Indexes of the cache.
const (
	indexOwner = "ownerUID"
	indexID    = "resourceKey"
)

// Indexes are the indexes that the cache must have.
var Indexes = map[string]client.IndexerFunc{
	indexOwner: func(o client.Object) []string {
		if uid := ownerUID(o); uid != "" {
			return []string{string(uid)}
		}
		return nil
	},
	indexID: func(o client.Object) []string {
		return []string{resourceid.Key(o.(*v1alpha3.DeploymentResource).Spec.ID)}
	},
}

// ownerOf is the reference to the DeploymentTemplate that controls an object. Where kubectl delete --cascade=orphan, or
// somebody else, has removed it, the object itself says whose it is. It gives no right by that: see records.
func ownerOf(o client.Object) *metav1.OwnerReference {
	ref := metav1.GetControllerOf(o)
	if ref == nil {
		return lostOwner(o)
	}
	if ref.Kind != "DeploymentTemplate" || !strings.HasPrefix(ref.APIVersion, v1alpha3.GroupVersion.Group+"/") {
		return nil
	}
	return ref
}

func lostOwner(o client.Object) *metav1.OwnerReference {
	name, uid := o.GetAnnotations()[v1alpha3.OwnerNameAnnotation], o.GetLabels()[v1alpha3.OwnerUIDLabel]
	if name == "" || uid == "" {
		return nil
	}
	if dr, ok := o.(*v1alpha3.DeploymentResource); ok {
		if id, err := resourceid.Parse(dr.Spec.ID); err != nil || id.ObjectName(uid) != dr.Name {
			return nil
		}
	}
	return ownerReference(name, types.UID(uid))
}

func ownerReference(name string, uid types.UID) *metav1.OwnerReference {
	yes := true
	return &metav1.OwnerReference{
		APIVersion: v1alpha3.GroupVersion.String(), Kind: "DeploymentTemplate", Name: name, UID: uid, Controller: &yes, BlockOwnerDeletion: &yes,
	}
}

func ownerUID(o client.Object) types.UID {
	if ref := ownerOf(o); ref != nil {
		return ref.UID
	}
	return ""
}

func annotation(o client.Object, name string) string {
	return strings.TrimSpace(o.GetAnnotations()[name])
}

func isOrphan(o client.Object) bool {
	return strings.EqualFold(annotation(o, v1alpha3.DeletionPolicyAnnotation), v1alpha3.DeletionPolicyOrphan)
}

func acceptsUnreadable(o client.Object) bool {
	return strings.EqualFold(annotation(o, v1alpha3.AcceptUnreadableAnnotation), "true")
}

func isSuspended(o client.Object) bool {
	return strings.EqualFold(annotation(o, v1alpha3.SuspendAnnotation), "true")
}

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

// clean takes secrets out of messages, and bounds their length.
func clean(message *string, conditions []metav1.Condition, secrets *deployment.Secrets) {
	cleaned := map[string]string{} // most conditions say the same
	each := func(text *string) {
		if _, ok := cleaned[*text]; !ok {
			cleaned[*text] = truncate(secrets.Redact(*text), maxMessage)
		}
		*text = cleaned[*text]
	}
	each(message)
	for i := range conditions {
		each(&conditions[i].Message)
	}
}

func truncate(s string, most int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= most {
		return s
	}
	s = s[:most-len(" …")]
	for len(s) > 0 && !utf8.RuneStart(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	if len(s) > 0 && s[len(s)-1] >= utf8.RuneSelf {
		s = s[:len(s)-1]
	}
	return s + " …"
}

// memory is what is remembered of objects between reconciles. Nothing depends on it: it is lost
// when the process ends.
type memory struct {
	mu      sync.Mutex
	entries map[types.NamespacedName]*remembered
}

type remembered struct {
	uid        types.UID
	told       string            // the problem of the schemas that the status says
	retries    int               // of what is tried again, in a row
	holdUntil  time.Time         // no request before
	holdKey    string            // what the wait was for: another spec, or another request of the user, need not wait
	holdOutage int               // the outage that the wait was in; it ends with that
	dropped    map[string]string // what the DroppedAnnotation of children was when the last deployment was sent, by their names
	undropped  map[string]string // the same, of those from which it was taken away
	blindSince time.Time         // that looks at the resources fail
	nextLook   time.Time
	secrets    *deployment.Secrets // those of specs, together
	specs      []specSecrets       // the newest last
	looked     map[string]lookedAt
	lookedHash string
	savedAt    time.Time // of the last status
	spec       *readSpec
	progress   *progress
	sources    map[string]seenSource // by kind, name and key
}

// readSpec is what was read from the spec of a generation. A large template takes long to read.
type readSpec struct {
	key        string
	deployment *deployment.Deployment // without its body
	err        error
}

// of is what is remembered of an object. A new object under an old name starts afresh.
func (m *memory) of(key types.NamespacedName, uid types.UID) *remembered {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.entries == nil {
		m.entries = map[types.NamespacedName]*remembered{}
	}
	e := m.entries[key]
	if e == nil || e.uid != uid {
		e = &remembered{uid: uid, secrets: &deployment.Secrets{}, undropped: map[string]string{}, sources: map[string]seenSource{}}
		m.entries[key] = e
	}
	return e
}

func (m *memory) forget(key types.NamespacedName) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.entries, key)
}

// delay is how long to wait before the next try, and notes that until then no request is sent.
func (e *remembered) delay(r retry, now time.Time, key string) time.Duration {
	first := r.first
	if first == 0 {
		first = firstRetryDelay
	}
	d := maxRetryDelay
	if e.retries < 10 {
		d = min(first<<e.retries, maxRetryDelay)
	}
	e.retries++
	d = max(d, r.after)
	e.holdUntil, e.holdKey = now.Add(d), key
	return d
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

// held is how long requests have to wait yet.
func (e *remembered) held(now time.Time, key string, outage int) time.Duration {
	if e.holdKey != key || !now.Before(e.holdUntil) || e.holdOutage != 0 && e.holdOutage != outage {
		return 0
	}
	return e.holdUntil.Sub(now)
}

// read reads the spec of a DeploymentTemplate, once for each generation and for what it refers to.
func (e *remembered) read(dt *v1alpha3.DeploymentTemplate, s deployment.Settings, from sources) (*deployment.Deployment, error) {
	if key := fmt.Sprint(dt.Generation, from.key()); e.spec == nil || e.spec.key != key {
		d, err := deployment.New(dt, s, from.values)
		if d != nil {
			d.Body = nil
		}
		e.remember(d, from)
		if from.err != nil && (err == nil || errors.As(err, new(*deployment.SourceError))) {
			d, err = nil, from.err
		}
		e.spec = &readSpec{key, d, err}
	}
	return e.spec.deployment, e.spec.err
}

// owners remembers what the reconciler of DeploymentResources has to know of the specs of their owners.
type owners struct {
	mu      sync.Mutex
	entries map[types.UID]ownerSpec
	size    int // of their secrets
}

type ownerSpec struct {
	generation int64
	readAt     time.Time
	secrets    *deployment.Secrets
	versions   map[string]string
}

// of reads the spec of an owner, if that was not done for this generation, and what it refers to now and then.
func (o *owners) of(ctx context.Context, live client.Reader, dt *v1alpha3.DeploymentTemplate, s deployment.Settings, now time.Time) ownerSpec {
	o.mu.Lock()
	said, ok := o.entries[dt.UID]
	o.mu.Unlock()
	if ok && said.generation == dt.Generation && (len(dt.Spec.ParametersFrom) == 0 || now.Sub(said.readAt) < sourceInterval) {
		return said
	}
	said = ownerSpec{generation: dt.Generation, readAt: now, secrets: &deployment.Secrets{}}
	from, _ := readSources(ctx, live, dt, nil) // what cannot be read now was not sent by this process
	if d, err := deployment.New(dt, s, from.values); err == nil {
		said.secrets, said.versions = d.Secrets, d.Versions
	}
	from.hide(said.secrets)
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.entries == nil || len(o.entries) >= 1000 || o.size > maxSecrets {
		o.entries, o.size = map[types.UID]ownerSpec{}, 0
	}
	if was, ok := o.entries[dt.UID]; ok {
		o.size -= was.secrets.Size()
	}
	o.entries[dt.UID] = said
	o.size += said.secrets.Size()
	return said
}

// specSecrets are the secrets of one spec.
type specSecrets struct {
	hash    string // "" if it could not be read
	secrets *deployment.Secrets
}

// Bounds of what is remembered of the secrets of an object. What is older is forgotten, and what Radius says of it is withheld.
const (
	maxSecrets = 4 << 20
	maxSpecs   = 200
)

// remember keeps the secrets of a spec and of what it refers to.
func (e *remembered) remember(d *deployment.Deployment, from sources) {
	seen := specSecrets{secrets: &deployment.Secrets{}}
	if d != nil {
		seen = specSecrets{d.Hash, d.Secrets}
	}
	from.hide(seen.secrets)
	e.specs = slices.DeleteFunc(e.specs, func(s specSecrets) bool { return s.hash == seen.hash && s.hash != "" })
	e.specs = append(e.specs, seen)
	for {
		e.secrets = &deployment.Secrets{}
		for _, s := range e.specs {
			e.secrets.Merge(s.secrets)
		}
		if len(e.specs) == 1 || !e.secrets.Full() && e.secrets.Size() <= maxSecrets && len(e.specs) <= maxSpecs {
			return
		}
		e.specs = slices.Delete(e.specs, 0, 1)
	}
}

// knows is true if the secrets of a spec are known.
func (e *remembered) knows(hash string) bool {
	return slices.ContainsFunc(e.specs, func(s specSecrets) bool { return s.hash == hash })
}

// longWait is a wait that a status speaks of. Shorter ones would make it change all the time.
const longWait = 10 * time.Second

// nextTry stands before the time of the next try in a message.
const nextTry = "; tried again at "

// untilWhen adds to a message when the next try comes, if that is not soon. What is ready stays as it is.
func untilWhen(message *string, conditions []metav1.Condition, now time.Time, wait time.Duration) {
	if wait < longWait || meta.IsStatusConditionTrue(conditions, v1alpha3.ConditionReady) {
		return
	}
	add := func(to *string) {
		said, _, _ := strings.Cut(*to, nextTry)
		*to = said + nextTry + now.Add(wait).UTC().Format(time.RFC3339)
	}
	add(message)
	for i := range conditions {
		add(&conditions[i].Message)
	}
}

// jittered is d, a tenth more or less, so that objects that were made together do not stay together.
func jittered(d time.Duration) time.Duration {
	return d + time.Duration((rand.Float64()-0.5)*0.2*float64(d))
}

// checkReader gives checks what they may read.
type checkReader struct{ radius Radius }

func (r checkReader) Read(ctx context.Context, text, version string) (check.Resource, error) {
	return readResource(ctx, r.radius, text, version)
}

// readResource reads a resource, with the version that Radius prefers if none is given.
func readResource(ctx context.Context, rad Radius, text, version string) (check.Resource, error) {
	id, err := resourceid.Parse(text)
	if err != nil {
		return check.Resource{}, err
	}
	found := check.Resource{ID: text, Type: id.Type()}
	if version == "" && id.Plane() == resourceid.AWS {
		version = "default"
	}
	if version == "" && id.Plane() == resourceid.Radius {
		if version, err = rad.DefaultVersion(ctx, id.PlanePath(), id.Type()); err != nil {
			return found, err
		}
	}
	if version == "" {
		found.Problem = "no API version of " + id.Type() + " is known"
		return found, nil
	}
	res, err := rad.Get(ctx, id.Path(), version)
	var e *radius.Error
	switch {
	case err == nil:
		found.Exists, found.Readable, found.Body = true, true, res.Body
	case radius.Gone(err):
		found.Readable = true
	case errors.As(err, &e) && !e.Transient() && e.Status != http.StatusConflict:
		found.Problem = e.Sentence() // it is there or not; this cannot be said
	default:
		return found, err
	}
	return found, nil
}

type lookedAt struct {
	exists, readable bool
	reason, message  string
	severity         check.Severity
}
