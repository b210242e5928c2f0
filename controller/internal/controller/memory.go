package controller

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/check"
	"github.com/radbicep/rad/controller/internal/deployment"
	"github.com/radbicep/rad/controller/internal/radius"
	"github.com/radbicep/rad/controller/internal/resourceid"
)

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
	absent     map[string]time.Time  // since when Azure has said that what no object stands for is not there, by key
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
		e = &remembered{
			uid: uid, secrets: &deployment.Secrets{}, undropped: map[string]string{},
			sources: map[string]seenSource{}, absent: map[string]time.Time{},
		}
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
	most := cmp.Or(r.most, maxRetryDelay)
	d := most
	if e.retries < 10 {
		d = min(first<<e.retries, most)
	}
	e.retries++
	d = max(d, r.after)
	e.holdUntil, e.holdKey = now.Add(d), key
	return d
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
func (o *owners) of(
	ctx context.Context, live client.Reader, dt *v1alpha3.DeploymentTemplate, s deployment.Settings, now time.Time,
) ownerSpec {
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

type lookedAt struct {
	exists, readable bool
	reason, message  string
	severity         check.Severity
	hidden           string // why Azure does not show it, although there is a credential
}

// progress is what is known of the steps of a running deployment. It is remembered between polls; when the
// process ends, the next one begins afresh.
type progress struct {
	operation string                   // that it is of
	modules   map[string][]radius.Step // of modules that have ended
	steps     map[string]*stepSeen     // by key
	order     []string                 // their keys, as they were first listed
	changed   time.Time                // when a step began or ended last
	polls     int
	empty     int // how often nothing was listed
}

type stepSeen struct {
	id    resourceid.ID
	state radius.State
	since time.Time
}

const (
	// stepsDelay is the longest time between two polls while steps follow each other.
	stepsDelay = 2500 * time.Millisecond
	// stepsRest is the time without a change after which polls become as rare as --poll-interval says.
	stepsRest = 2 * time.Minute
	// maxEmpty is how often nothing may be listed before it is asked for no more: not every Radius lists steps.
	maxEmpty = 3
	// askEvery is the number of polls after which the operation itself is asked for, whatever the steps say.
	askEvery = 4
)

// progressOf is what is remembered of the steps of an operation.
func (e *remembered) progressOf(op *v1alpha3.ResourceOperation) *progress {
	name := op.Resource + " " + op.Hash
	if op.StartedAt != nil {
		name += " " + op.StartedAt.UTC().Format(time.RFC3339)
	}
	if e.progress == nil || e.progress.operation != name {
		e.progress = &progress{operation: name, modules: map[string][]radius.Step{}, steps: map[string]*stepSeen{}}
	}
	return e.progress
}
