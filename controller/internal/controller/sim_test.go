package controller

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore/policy"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	clienttesting "k8s.io/client-go/testing"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/check"
	"github.com/radbicep/rad/controller/internal/arm"
	"github.com/radbicep/rad/controller/internal/armtest"
	"github.com/radbicep/rad/controller/internal/deployment"
	"github.com/radbicep/rad/controller/internal/oracle"
	"github.com/radbicep/rad/controller/internal/radius"
	"github.com/radbicep/rad/controller/internal/radiustest"
)

// sim is a cluster, a Radius and a controller in one thread, with a clock of its own. The cache
// of the controller is fed by events, as an informer is, so it can be behind; the process can be
// killed at each request.
type sim struct {
	rng     *rand.Rand
	clock   time.Time
	skew    time.Duration // how far ahead the clock of the controller's node is
	next    time.Duration // that of the node where it starts next
	scheme  *runtime.Scheme
	live    client.Client
	radius  *radiustest.Server
	azure   *armtest.Server // nil if there is no credential
	keeps   bool            // --azure-delete=false
	scopes  []string        // --allowed-scopes
	noToken error           // what Entra ID says

	cache   map[kindKey]client.Object
	pending []client.Object // objects as they became, in order by kind; a deleted one has the annotation "gone"
	known   map[kindKey]client.Object

	queue     map[kindKey]time.Time
	failures  map[kindKey]int
	templates *TemplateReconciler
	resources *ResourceReconciler

	dead     bool // the process was killed; nothing it does has an effect
	killAt   int  // counts down requests; 0 is never
	running  kindKey
	lag      float64 // how likely an event is held back
	faults   bool
	events   []string
	problems []string
	perTen   map[string]int // requests in ten seconds
	maxTen   int
	kills    int
	disturb  func(s *sim)   // called at requests
	closing  bool           // the namespace is being deleted
	timeout  time.Duration  // of operations
	pruned   bool           // the CRDs are those of released Radius
	noticed  bool           // the controller knows it
	oracle   *oracle.Oracle // judges what happens, if there is one
}

type kindKey struct {
	kind string
	types.NamespacedName
}

var errKilled = errors.New("killed")

func newSim(rng *rand.Rand) *sim {
	s := &sim{
		rng: rng, clock: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), scheme: runtime.NewScheme(),
		cache: map[kindKey]client.Object{}, known: map[kindKey]client.Object{}, queue: map[kindKey]time.Time{}, failures: map[kindKey]int{},
		perTen: map[string]int{},
	}
	if err := v1alpha3.AddToScheme(s.scheme); err != nil {
		panic(err)
	}
	// Without managed fields, which nobody looks at here, a history takes a third less time.
	tracker := clienttesting.NewObjectTracker(s.scheme, serializer.NewCodecFactory(s.scheme).UniversalDecoder())
	s.live = fake.NewClientBuilder().WithScheme(s.scheme).WithObjectTracker(tracker).WithStatusSubresource(&v1alpha3.DeploymentTemplate{}, &v1alpha3.DeploymentResource{}).Build()
	s.radius = &radiustest.Server{Now: func() time.Time { return s.clock }, DeployTime: 4 * time.Second, DeleteTime: 3 * time.Second}
	s.restart()
	return s
}

func (s *sim) problem(format string, args ...any) {
	s.problems = append(s.problems, fmt.Sprintf("%s: ", s.clock.Format("15:04:05"))+fmt.Sprintf(format, args...))
}

// restart starts the controller: with an empty memory and a full cache, as an informer lists first.
func (s *sim) restart() {
	s.dead, s.killAt, s.skew = false, 0, s.next
	outage := &Outage{Wake: func() {
		for _, k := range s.cached() {
			s.wakeIn(k, time.Duration(s.rng.Int64N(int64(spreadEach)*int64(len(s.cache)))))
		}
	}}
	rad, err := radius.New(radius.Options{Endpoint: "http://radius", Transport: simTransport{s, s.radius}, Timeout: 0, Heard: outage.Heard})
	if err != nil {
		panic(err)
	}
	var asked Radius = rad
	if s.azure != nil {
		azure, err := arm.New(arm.Options{Cloud: "AzureCloud", Credential: simToken{s}, Transport: simTransport{s, s.azure}, Now: func() time.Time { return s.clock.Add(s.skew) }})
		if err != nil {
			panic(err)
		}
		asked = arm.Router{Client: rad, Azure: azure}
	}
	s.noticed = s.pruned // the first look is made before anything else
	c := Config{Outage: outage, Schemas: simSchemas{s}, Client: simClient{s.live, s}, Live: simLive{s.live, s}, Radius: asked, Recorder: simRecorder{s}, Random: s.rng.Float64, Now: func() time.Time { return s.clock.Add(s.skew) },
		Options: Options{OperationTimeout: s.timeout, PollInterval: 5 * time.Second, DriftInterval: 10 * time.Minute, AzureReads: s.azure != nil, AzureKeeps: s.keeps,
			Deployments: deployment.Settings{DefaultGroup: "default", AllowedScopes: s.scopes}}}
	s.templates, s.resources = NewTemplateReconciler(c, check.NewRegistry()), NewResourceReconciler(c)
	s.templates.lookWorkers = 1
	s.deliver(len(s.pending))
	clear(s.queue)
	clear(s.failures)
	for k := range s.cache {
		s.queue[k] = s.clock
	}
}

// cached are the keys of the cache, in an order that is always the same.
func (s *sim) cached() []kindKey {
	return slices.SortedFunc(maps.Keys(s.cache), func(a, b kindKey) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
}

func keyOf(o client.Object) kindKey {
	kind := "DeploymentTemplate"
	if _, ok := o.(*v1alpha3.DeploymentResource); ok {
		kind = "DeploymentResource"
	}
	return kindKey{kind, client.ObjectKeyFromObject(o)}
}

// wrote notes that an object was written, for the cache to learn of it.
func (s *sim) wrote(o client.Object) {
	k := keyOf(o)
	var now client.Object = &v1alpha3.DeploymentTemplate{}
	if k.kind == "DeploymentResource" {
		now = &v1alpha3.DeploymentResource{}
	}
	if err := s.live.Get(context.Background(), k.NamespacedName, now); err != nil {
		if !apierrors.IsNotFound(err) {
			panic(err)
		}
		was := s.known[k]
		if was == nil {
			return
		}
		gone := was.DeepCopyObject().(client.Object)
		gone.SetAnnotations(map[string]string{"gone": "true"})
		delete(s.known, k)
		s.pending = append(s.pending, gone)
		if s.oracle != nil {
			s.oracle.Gone(was)
		}
		return
	}
	if s.pruned && s.prune(now) {
		_ = s.live.Get(context.Background(), k.NamespacedName, now)
	}
	s.checkSecrets(now)
	if s.oracle != nil {
		s.oracle.Wrote(now)
	}
	s.known[k] = now
	s.pending = append(s.pending, now.DeepCopyObject().(client.Object))
}

// simSchemas is what the controller knows of the schemas.
type simSchemas struct{ s *sim }

func (c simSchemas) Problem() (string, bool) {
	if c.s.noticed {
		return "the CRDs are those of released Radius", true
	}
	return "", true
}

func (c simSchemas) Dropped(string) { c.s.noticed = true }

// prune takes from an object what the CRDs of released Radius have no field for.
func (s *sim) prune(o client.Object) bool {
	cut := func(op *v1alpha3.ResourceOperation) *v1alpha3.ResourceOperation {
		if op == nil {
			return nil
		}
		return &v1alpha3.ResourceOperation{OperationKind: op.OperationKind, ResumeToken: op.ResumeToken}
	}
	was := o.DeepCopyObject()
	switch o := o.(type) {
	case *v1alpha3.DeploymentTemplate:
		st := o.Status
		o.Status = v1alpha3.DeploymentTemplateStatus{ObservedGeneration: st.ObservedGeneration, Operation: cut(st.Operation), OutputResources: st.OutputResources, Phrase: st.Phrase, StatusHash: st.StatusHash}
	case *v1alpha3.DeploymentResource:
		st := o.Status
		o.Spec = v1alpha3.DeploymentResourceSpec{ID: o.Spec.ID}
		o.Status = v1alpha3.DeploymentResourceStatus{ID: st.ID, ObservedGeneration: st.ObservedGeneration, Operation: cut(st.Operation), Phrase: st.Phrase}
	}
	if equality.Semantic.DeepEqual(was, o) {
		return false
	}
	status := o.DeepCopyObject().(client.Object)
	if err := s.live.Update(context.Background(), o); err != nil {
		if apierrors.IsNotFound(err) {
			return false // the last finalizer is gone
		}
		panic(err)
	}
	status.SetResourceVersion(o.GetResourceVersion())
	if err := s.live.Status().Update(context.Background(), status); err != nil {
		panic(err)
	}
	return true
}

// notice lets the controller know which CRDs there are, or not. It looks at all objects then.
func (s *sim) notice(noticed bool) {
	if s.noticed != noticed {
		for k := range s.cache {
			s.wake(k)
		}
	}
	s.noticed = noticed
}

// setCRDs changes the CRDs. Objects are read through them from then on.
func (s *sim) setCRDs(released bool) {
	s.pruned = released
	if released && s.oracle != nil {
		s.oracle.Pruned()
	}
	if !released {
		return
	}
	templates, resources := s.all()
	for i := range templates {
		s.wrote(&templates[i])
	}
	for i := range resources {
		s.wrote(&resources[i])
	}
}

// deliver lets the cache see n events, and wakes whom the watches would wake.
func (s *sim) deliver(n int) {
	for range n {
		o := s.pending[0]
		s.pending = s.pending[1:]
		k := keyOf(o)
		was := s.cache[k]
		if o.GetAnnotations()["gone"] != "" {
			delete(s.cache, k)
			s.wake(k)
			if k.kind == "DeploymentResource" {
				s.wakeFamily(o)
			}
			continue
		}
		s.cache[k] = o
		if was == nil || was.GetGeneration() != o.GetGeneration() || was.GetDeletionTimestamp().IsZero() != o.GetDeletionTimestamp().IsZero() ||
			fmt.Sprint(was.GetAnnotations()) != fmt.Sprint(o.GetAnnotations()) || len(conditionsOf(was)) > 0 && len(conditionsOf(o)) == 0 {
			s.wake(k)
		}
		if is, ok := o.(*v1alpha3.DeploymentTemplate); ok && was != nil && !was.(*v1alpha3.DeploymentTemplate).Status.DeployedAt.Equal(is.Status.DeployedAt) {
			for _, r := range s.templates.sharers(context.Background(), is) {
				s.wake(kindKey{"DeploymentTemplate", r.NamespacedName})
			}
		}
		if is, ok := o.(*v1alpha3.DeploymentResource); ok && was != nil {
			old := was.(*v1alpha3.DeploymentResource)
			if old.DeletionTimestamp.IsZero() != is.DeletionTimestamp.IsZero() || metav1.GetControllerOf(old) != nil && metav1.GetControllerOf(is) == nil || old.Annotations[v1alpha3.DroppedAnnotation] != is.Annotations[v1alpha3.DroppedAnnotation] || !is.DeletionTimestamp.IsZero() && old.Status.Phrase != is.Status.Phrase {
				s.wakeOwner(o)
			}
		}
	}
}

func (s *sim) wake(k kindKey) { s.queue[k] = s.clock }

// wakeIn wakes an object after some time, unless it is due before.
func (s *sim) wakeIn(k kindKey, d time.Duration) {
	if at, due := s.queue[k]; !due || s.clock.Add(d).Before(at) {
		s.queue[k] = s.clock.Add(d)
	}
}

func (s *sim) wakeOwner(o client.Object) {
	if ref := ownerOf(o); ref != nil {
		s.wake(kindKey{"DeploymentTemplate", types.NamespacedName{Namespace: o.GetNamespace(), Name: ref.Name}})
	}
}

func (s *sim) wakeFamily(o client.Object) {
	s.wakeOwner(o)
	for k, other := range s.cache {
		if k.kind == "DeploymentResource" && ownerUID(other) == ownerUID(o) && !other.GetDeletionTimestamp().IsZero() {
			s.wake(k)
		}
	}
}

// mix shuffles what is pending. Each kind has a watch of its own, so only the order within a kind is kept.
func (s *sim) mix() {
	var templates, resources []client.Object
	for _, o := range s.pending {
		if keyOf(o).kind == "DeploymentTemplate" {
			templates = append(templates, o)
		} else {
			resources = append(resources, o)
		}
	}
	s.pending = s.pending[:0]
	for len(templates)+len(resources) > 0 {
		from := &templates
		if s.rng.IntN(len(templates)+len(resources)) >= len(templates) {
			from = &resources
		}
		s.pending = append(s.pending, (*from)[0])
		*from = (*from)[1:]
	}
}

// step works on the object that has been due for longest. It returns false if nothing is due before limit.
func (s *sim) step(limit time.Time) bool {
	if n := len(s.pending); n > 0 {
		if s.rng.Float64() >= s.lag {
			s.deliver(n)
		} else {
			s.mix()
			s.deliver(s.rng.IntN(n + 1))
		}
	}
	var due []kindKey
	next := limit
	for k, at := range s.queue {
		if !at.After(s.clock) {
			due = append(due, k)
		} else if at.Before(next) {
			next = at
		}
	}
	if len(due) == 0 {
		if len(s.pending) > 0 {
			s.deliver(len(s.pending))
			return true
		}
		if !next.Before(limit) {
			return false
		}
		s.clock = next
		return true
	}
	slices.SortFunc(due, func(a, b kindKey) int { return strings.Compare(a.kind+a.Name, b.kind+b.Name) })
	k := due[s.rng.IntN(len(due))]
	delete(s.queue, k)
	s.running = k
	var result ctrl.Result
	var err error
	if k.kind == "DeploymentTemplate" {
		result, err = s.templates.Reconcile(context.Background(), ctrl.Request{NamespacedName: k.NamespacedName})
	} else {
		result, err = s.resources.Reconcile(context.Background(), ctrl.Request{NamespacedName: k.NamespacedName})
	}
	s.running = kindKey{}
	if s.dead {
		s.kills++
		s.clock = s.clock.Add(time.Second)
		s.restart()
		return true
	}
	s.clock = s.clock.Add(10 * time.Millisecond)
	at := time.Time{}
	switch {
	case err != nil:
		at = s.clock.Add(min(firstRetryDelay<<min(s.failures[k], 10), maxRetryDelay))
		s.failures[k]++
	case result.RequeueAfter > 0:
		s.failures[k] = 0
		at = s.clock.Add(result.RequeueAfter)
	default:
		s.failures[k] = 0
	}
	if _, again := s.queue[k]; !again && !at.IsZero() {
		s.queue[k] = at
	}
	if s.rng.Float64() < s.lag/4 {
		s.wake(k) // the cache shows an event before it wakes for it
	}
	return true
}

// run works until the time has come, or nothing is left to do.
func (s *sim) run(d time.Duration) {
	limit := s.clock.Add(d)
	for i := 0; s.step(limit); i++ {
		if i > 200000 {
			s.problem("it never rests")
			return
		}
	}
	if s.clock.Before(limit) {
		s.clock = limit
	}
}

// tick is called at each request of the controller. It returns an error when the process is dead.
func (s *sim) tick() error {
	if s.dead {
		return errKilled
	}
	if s.killAt > 0 {
		s.killAt--
		if s.killAt == 0 {
			s.dead = true
			return errKilled
		}
	}
	if s.disturb != nil {
		s.disturb(s)
	}
	return nil
}

// withAzure gives the controller a credential for Azure.
func (s *sim) withAzure() *armtest.Server {
	s.azure = &armtest.Server{Now: func() time.Time { return s.clock }, DeleteTime: 3 * time.Second}
	s.radius.Azure, s.azure.Changing = s.azure, s.radius.Changing
	s.restart()
	return s.azure
}

// simToken is the credential of the simulation.
type simToken struct{ s *sim }

func (c simToken) GetToken(ctx context.Context, o policy.TokenRequestOptions) (azcore.AccessToken, error) {
	return armtest.Credential{Err: c.s.noToken}.GetToken(ctx, o)
}

// simTransport carries requests to the Radius, or to the Azure, of the simulation.
type simTransport struct {
	s  *sim
	to http.RoundTripper
}

func (t simTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	s := t.s
	if err := s.tick(); err != nil {
		return nil, err
	}
	s.clock = s.clock.Add(5 * time.Millisecond)
	window := fmt.Sprintf("%d %s", s.clock.Unix()/10, s.running)
	s.perTen[window]++
	s.maxTen = max(s.maxTen, s.perTen[window])
	res, err := t.to.RoundTrip(r)
	if tickErr := s.tick(); tickErr != nil {
		// Killed after the request was carried out, before the answer was read.
		return nil, tickErr
	}
	return res, err
}

// simClient is the client of a manager: it reads from the cache and writes to the server.
type simClient struct {
	client.Client
	s *sim
}

func (c simClient) Get(_ context.Context, key client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	if c.s.dead {
		return errKilled
	}
	k := keyOf(into)
	k.NamespacedName = key
	o, ok := c.s.cache[k]
	if !ok {
		return apierrors.NewNotFound(schema.GroupResource{Group: "radapp.io", Resource: k.kind}, key.Name)
	}
	switch into := into.(type) {
	case *v1alpha3.DeploymentTemplate:
		o.(*v1alpha3.DeploymentTemplate).DeepCopyInto(into)
	case *v1alpha3.DeploymentResource:
		o.(*v1alpha3.DeploymentResource).DeepCopyInto(into)
	}
	return nil
}

func (c simClient) List(_ context.Context, into client.ObjectList, opts ...client.ListOption) error {
	if c.s.dead {
		return errKilled
	}
	o := client.ListOptions{}
	o.ApplyOptions(opts)
	list := into.(*v1alpha3.DeploymentResourceList)
	for _, k := range c.s.cached() {
		object := c.s.cache[k]
		if k.kind != "DeploymentResource" || o.Namespace != "" && k.Namespace != o.Namespace {
			continue
		}
		fits := true
		for _, r := range o.FieldSelector.Requirements() {
			fits = fits && slices.Contains(Indexes[r.Field](object), r.Value)
		}
		if fits {
			list.Items = append(list.Items, *object.(*v1alpha3.DeploymentResource).DeepCopy())
		}
	}
	return nil
}

func (c simClient) write(o client.Object, f func() error) error {
	if err := c.s.tick(); err != nil {
		return err
	}
	err := f()
	if err == nil {
		c.s.wrote(o)
		if now := c.s.known[keyOf(o)]; c.s.pruned && now != nil {
			switch o := o.(type) { // the answer has what was saved
			case *v1alpha3.DeploymentTemplate:
				now.(*v1alpha3.DeploymentTemplate).DeepCopyInto(o)
			case *v1alpha3.DeploymentResource:
				now.(*v1alpha3.DeploymentResource).DeepCopyInto(o)
			}
		}
	}
	if tickErr := c.s.tick(); tickErr != nil {
		return tickErr
	}
	return err
}

func (c simClient) Create(ctx context.Context, o client.Object, opts ...client.CreateOption) error {
	if c.s.closing && o.GetNamespace() == "ns" {
		refused := apierrors.NewForbidden(schema.GroupResource{Group: "radapp.io", Resource: "deploymentresources"}, o.GetName(), errors.New("it is being terminated"))
		refused.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: corev1.NamespaceTerminatingCause}}
		return cmp.Or[error](c.s.tick(), refused)
	}
	if (&client.CreateOptions{}).ApplyOptions(opts).DryRun != nil {
		return c.s.tick()
	}
	return c.write(o, func() error {
		if dr, ok := o.(*v1alpha3.DeploymentResource); ok {
			if owner, err := ownerFrom(ctx, c.Client, dr); err == nil && owner == nil {
				c.s.problem("an object is made for %s, whose template is gone", dr.Spec.ID)
			}
		}
		o.SetUID(types.UID(fmt.Sprintf("uid-%d", c.s.rng.Uint32())))
		o.SetCreationTimestamp(metav1.NewTime(c.s.clock))
		o.SetGeneration(1)
		return c.Client.Create(ctx, o, opts...)
	})
}

func (c simClient) Patch(ctx context.Context, o client.Object, p client.Patch, opts ...client.PatchOption) error {
	return c.write(o, func() error { return c.Client.Patch(ctx, o, p, opts...) })
}

func (c simClient) Delete(ctx context.Context, o client.Object, opts ...client.DeleteOption) error {
	return c.write(o, func() error { return c.Client.Delete(ctx, o, opts...) })
}

func (c simClient) Status() client.SubResourceWriter { return simStatus{c.Client.Status(), c} }

type simStatus struct {
	client.SubResourceWriter
	c simClient
}

func (w simStatus) Patch(ctx context.Context, o client.Object, p client.Patch, opts ...client.SubResourcePatchOption) error {
	return w.c.write(o, func() error { return w.SubResourceWriter.Patch(ctx, o, p, opts...) })
}

// simLive reads from the server.
type simLive struct {
	client.Reader
	s *sim
}

func (c simLive) Get(ctx context.Context, key client.ObjectKey, into client.Object, opts ...client.GetOption) error {
	if err := c.s.tick(); err != nil {
		return err
	}
	return c.Reader.Get(ctx, key, into, opts...)
}

func (c simLive) List(ctx context.Context, into client.ObjectList, opts ...client.ListOption) error {
	o := client.ListOptions{}
	o.ApplyOptions(opts)
	if _, light := into.(*metav1.PartialObjectMetadataList); !light || o.LabelSelector == nil || o.LabelSelector.Empty() {
		c.s.problem("the API server was asked for all objects: %T", into)
	}
	if err := c.s.tick(); err != nil {
		return err
	}
	return c.Reader.List(ctx, into, opts...)
}

type simRecorder struct{ s *sim }

func (r simRecorder) Eventf(regarding, _ runtime.Object, kind, reason, action, note string, args ...any) {
	text := fmt.Sprintf(note, args...)
	if strings.Contains(text, simSecret) {
		r.s.problem("an event holds a secret: %s", text)
	}
	r.s.events = append(r.s.events, kind+" "+reason+" "+text)
	if r.s.oracle != nil {
		r.s.oracle.Event(regarding, reason, text)
	}
}

// simSecret begins the value of every secure parameter.
const simSecret = "s3cret-"

func (s *sim) checkSecrets(o client.Object) {
	var status string
	switch o := o.(type) {
	case *v1alpha3.DeploymentTemplate:
		status = fmt.Sprint(o.Status, o.Status.Failure, o.Status.Operation)
	case *v1alpha3.DeploymentResource:
		status = fmt.Sprint(o.Spec, o.Status, o.Labels, o.Annotations)
	}
	if strings.Contains(status, simSecret) {
		s.problem("%s holds a secret: %s", o.GetName(), status)
	}
}

// user acts as a user does: on the newest copy.
func (s *sim) user(name string, f func(dt *v1alpha3.DeploymentTemplate) bool) {
	dt := &v1alpha3.DeploymentTemplate{}
	if err := s.live.Get(context.Background(), types.NamespacedName{Namespace: "ns", Name: name}, dt); err != nil {
		return
	}
	spec := dt.Spec.DeepCopy()
	if !f(dt) {
		return
	}
	if !equality.Semantic.DeepEqual(*spec, dt.Spec) {
		dt.Generation++
	}
	if err := s.live.Update(context.Background(), dt); err != nil {
		panic(err)
	}
	s.wrote(dt)
}

func (s *sim) userCreate(o client.Object) {
	o.SetUID(types.UID(fmt.Sprintf("uid-%d", s.rng.Uint32())))
	o.SetGeneration(1)
	if dt, ok := o.(*v1alpha3.DeploymentTemplate); ok {
		dt.Status.ObservedGeneration = -1
	}
	if err := s.live.Create(context.Background(), o); err != nil && !apierrors.IsAlreadyExists(err) {
		panic(err)
	}
	s.wrote(o)
}

func (s *sim) userDelete(o client.Object) {
	if err := s.live.Delete(context.Background(), o); client.IgnoreNotFound(err) != nil {
		panic(err)
	}
	s.wrote(o)
}

func (s *sim) all() (templates []v1alpha3.DeploymentTemplate, resources []v1alpha3.DeploymentResource) {
	var dts v1alpha3.DeploymentTemplateList
	var drs v1alpha3.DeploymentResourceList
	if err := errors.Join(s.live.List(context.Background(), &dts), s.live.List(context.Background(), &drs)); err != nil {
		panic(err)
	}
	slices.SortFunc(dts.Items, func(a, b v1alpha3.DeploymentTemplate) int {
		return strings.Compare(a.Namespace+a.Name, b.Namespace+b.Name)
	})
	slices.SortFunc(drs.Items, func(a, b v1alpha3.DeploymentResource) int {
		return strings.Compare(a.Namespace+a.Name, b.Namespace+b.Name)
	})
	return dts.Items, drs.Items
}
