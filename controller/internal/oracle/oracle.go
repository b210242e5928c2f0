// Package oracle judges, for tests, what the controller does: by docs/controller.md alone. It imports none of the controller's packages,
// and reads objects as JSON, with the names that the page and the CRDs have.
package oracle

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Made is a resource as it is in Radius.
type Made struct {
	By       string // the ID of the deployment that made it so
	Contents string // what that declares of it, as JSON
	Going    bool   // it is being deleted
}

// Sent is a deployment in Radius.
type Sent struct {
	State    string            // Running, Succeeded, Failed
	Contents map[string]string // what it declares, by lower-case ID
}

// World is what is true in Radius, whatever it answers.
type World struct {
	Resources   map[string]Made      // by lower-case ID
	Deployments map[string]Sent      // by lower-case ID
	Gone        map[string]time.Time // when a resource was last deleted, by whomever
}

// Oracle sees what happens, in order, and notes what the page does not allow.
type Oracle struct {
	// Now is the time.
	Now func() time.Time
	// Look looks at Radius.
	Look func() World
	// Timeout is --operation-timeout; 0 is never.
	Timeout time.Duration
	// Closing says whether the namespace is being deleted.
	Closing func() bool

	Problems []string

	objects map[string]*object
	specs   map[string]spec            // by UID and generation
	names   map[string]string          // UID -> its deployment in Radius
	held    map[string]map[string]bool // UID -> what its status ever named and is not gone
	began   map[string]time.Time       // when a deployment was sent
	dying   map[string]time.Time       // when an object was first seen to be deleted, by UID
	told    []string                   // the events OutputsUnknown
	pruned  bool                       // the API server dropped fields of statuses at some time
	since   map[string]time.Time       // when a spec was first seen, by UID and generation
	readyAt map[string]time.Time       // when a template was last ready
	lost    map[string]bool            // deployments whose records are lost
	kept    map[string]bool            // what the deletion policy has left, and the records of deployments
}

// New makes an oracle.
func New(now func() time.Time, look func() World) *Oracle {
	return &Oracle{Now: now, Look: look, objects: map[string]*object{}, specs: map[string]spec{}, names: map[string]string{},
		held: map[string]map[string]bool{}, began: map[string]time.Time{}, dying: map[string]time.Time{}, lost: map[string]bool{},
		since: map[string]time.Time{}, readyAt: map[string]time.Time{}, kept: map[string]bool{}}
}

// spec is that of a DeploymentTemplate.
type spec struct {
	Template   string
	DependsOn  []struct{ Name string }
	Parameters json.RawMessage
}

// object is a DeploymentTemplate or a DeploymentResource.
type object struct {
	Metadata struct {
		Namespace, Name, UID string
		Generation           int64
		DeletionTimestamp    *time.Time
		Annotations, Labels  map[string]string
		OwnerReferences      []struct{ Kind, Name, UID string }
	}
	Spec struct {
		spec
		ID string
	}
	Status struct {
		ObservedGeneration                 int64
		Resource, Phrase, Message          string
		OutputResources, ObsoleteResources []string
		DeployedAt                         *time.Time
		Conditions                         []condition
	}
	template bool
}

type condition struct {
	Type, Status, Reason, Message string
	ObservedGeneration            int64
}

func read(o any) *object {
	data, err := json.Marshal(o)
	read := &object{}
	if err == nil {
		err = json.Unmarshal(data, read)
	}
	if err != nil {
		panic(err)
	}
	read.template = read.Spec.ID == ""
	return read
}

func (o *object) key() string {
	return fmt.Sprintf("%t %s/%s", o.template, o.Metadata.Namespace, o.Metadata.Name)
}

func (o *object) deleting() bool { return o.Metadata.DeletionTimestamp != nil }

func (o *object) suspended() bool { return o.Metadata.Annotations["radapp.io/suspend"] == "true" }

// leaves is true of a template that is deleted and leaves what it deployed.
func (o *object) leaves() bool {
	return o.deleting() && o.Metadata.Annotations["radapp.io/deletion-policy"] == "orphan"
}

func (o *object) recorded() []string {
	return slices.Concat(o.Status.OutputResources, o.Status.ObsoleteResources)
}

func (o *object) records(id string) bool { return slices.ContainsFunc(o.recorded(), same(id)) }

// condition is that of a type, or an empty one.
func (o *object) condition(kind string) condition {
	for _, c := range o.Status.Conditions {
		if c.Type == kind {
			return c
		}
	}
	return condition{}
}

// ready is true of a template that is ready with its own generation.
func (o *object) ready() bool {
	return o.condition("Ready").Status == "True" && o.Status.ObservedGeneration == o.Metadata.Generation && !o.deleting()
}

func lower(id string) string { return strings.ToLower(strings.TrimRight(id, "/")) }

func same(id string) func(string) bool {
	return func(other string) bool { return lower(id) == lower(other) }
}

// owner is the UID of the DeploymentTemplate that a DeploymentResource belongs to. What --cascade=orphan has taken the reference from is
// taken back.
func (o *object) owner() string {
	for _, ref := range o.Metadata.OwnerReferences {
		if ref.Kind == "DeploymentTemplate" {
			return ref.UID
		}
	}
	return o.Metadata.Labels["radapp.io/deployment-template-uid"]
}

// rank is the place of a resource in the order of deletion. A lock of Azure comes before what it may lock.
func rank(id string) int {
	switch id = lower(id); {
	case strings.Contains(id, "/providers/microsoft.authorization/locks/"):
		return -1
	case strings.Contains(id, "/providers/applications.core/applications/"):
		return 1
	case strings.Contains(id, "/providers/applications.core/environments/"):
		return 2
	}
	return 0
}

func before(a, b string) bool {
	return rank(a) < rank(b) && (rank(a) >= 0 || strings.HasPrefix(lower(b), "/subscriptions/"))
}

// breaks notes that something breaks a rule of the page.
func (o *Oracle) breaks(r rule, format string, args ...any) {
	o.Problems = append(o.Problems, fmt.Sprintf("%s: %s\n    the page: %s", o.Now().Format("15:04:05"), fmt.Sprintf(format, args...), r))
}

// template is the newest DeploymentTemplate with a UID, or nil.
func (o *Oracle) template(uid string) *object {
	for _, t := range o.objects {
		if t.template && t.Metadata.UID == uid {
			return t
		}
	}
	return nil
}

// resources are the newest DeploymentResources of a template.
func (o *Oracle) resources(uid string) (all []*object) {
	for _, r := range o.objects {
		if !r.template && r.owner() == uid {
			all = append(all, r)
		}
	}
	return all
}

// Pruned notes that the API server drops fields of statuses from now on.
func (o *Oracle) Pruned() { o.pruned = true }

// Lost notes that Radius has lost the records of deployments: then nobody can say what they made.
func (o *Oracle) Lost(ids ...string) {
	for _, id := range ids {
		o.lost[lower(id)] = true
	}
}

// Wrote tells of an object as the API server has it now, as JSON gives it.
func (o *Oracle) Wrote(v any) {
	now := read(v)
	was := o.objects[now.key()]
	if was != nil && was.Metadata.UID != now.Metadata.UID {
		was = nil
	}
	o.objects[now.key()] = now
	if _, known := o.dying[now.Metadata.UID]; now.deleting() && !known {
		o.dying[now.Metadata.UID] = o.Now()
	}
	if !now.template {
		return
	}
	uid := now.Metadata.UID
	if id := now.Status.Resource; id != "" {
		o.names[uid] = id
	}
	g := generation(uid, now.Metadata.Generation)
	o.specs[g] = now.Spec.spec
	if o.since[g].IsZero() {
		o.since[g] = o.Now()
	}
	if was != nil && was.ready() || now.ready() {
		o.readyAt[now.key()] = o.Now()
	}
	if o.held[uid] == nil {
		o.held[uid] = map[string]bool{}
	}
	for _, id := range now.recorded() {
		o.held[uid][lower(id)] = true
	}
	o.judgeConditions(now, was)
	if now.condition("Ready").Status == "True" && (was == nil || was.condition("Ready") != now.condition("Ready")) {
		o.judgeReady(now)
	}
}

func generation(uid string, n int64) string { return fmt.Sprint(uid, " ", n) }

// Gone tells of an object that the API server has not any more.
func (o *Oracle) Gone(v any) {
	was := read(v)
	if last := o.objects[was.key()]; last != nil && last.Metadata.UID == was.Metadata.UID {
		was = last
	}
	delete(o.objects, was.key())
	if !was.template {
		return
	}
	if was.leaves() {
		o.leave(was)
		return
	}
	world := o.Look()
	for _, id := range was.recorded() {
		if made, ok := world.Resources[lower(id)]; ok && o.left(id, made, was.Metadata.UID) {
			o.breaks(deletionDeletes, "%s is gone, and %s exists", was.Metadata.Name, id)
		}
	}
}

// leave notes what a template has left that is gone. It may have made more than its status names.
func (o *Oracle) leave(was *object) {
	id := lower(o.names[was.Metadata.UID])
	o.kept[id] = true
	for _, r := range was.recorded() {
		o.kept[lower(r)] = true
	}
	for r := range o.Look().Deployments[id].Contents {
		o.kept[lower(r)] = true
	}
}

// left is true if a resource that exists is what a template which goes has made, and nobody else holds it. When the namespace
// closes no object can stand for it, nobody waits for the end of its deletion, and an event comes after the fact.
func (o *Oracle) left(id string, made Made, uid string) bool {
	return lower(made.By) == lower(o.names[uid]) && !o.holds(id, uid) && !o.Closing() && !o.excused(id, made)
}

// holds is true if another template than one holds a resource.
func (o *Oracle) holds(id, uid string) bool {
	for _, t := range o.objects {
		if t.template && t.Metadata.UID != uid && (t.records(id) || o.pruned && o.held[t.Metadata.UID][lower(id)]) {
			return true
		}
	}
	return false
}

// Event tells of an event.
func (o *Oracle) Event(regarding any, reason, message string) {
	about := read(regarding)
	switch reason {
	case "OutputsUnknown", "DeletionFailed":
		o.told = append(o.told, message)
	case "ResourceDeleted":
		id, world := lower(about.Spec.ID), o.Look()
		made, exists := world.Resources[id]
		if made.Going && strings.HasPrefix(id, "/subscriptions/") {
			return // a part of Azure that does not know it yet has answered a request that Azure took
		}
		if exists && world.Gone[id].Before(o.dying[about.Metadata.UID]) {
			o.breaks(goneWhenSaid, "%s is said to be deleted, and exists, made by %s", id, made.By)
		}
	}
}
