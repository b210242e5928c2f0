package oracle

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// rule is a sentence of the page, or a part of one.
type rule string

const (
	suspendSends    rule = "no request is sent. Deployments that run in Radius go on"
	sentOnce        rule = "A deployment that runs in Radius meanwhile is not sent again"
	outdatedSends   rule = "While a field is missing it sends nothing to Radius"
	deletionWaits   rule = "Deleting a DeploymentTemplate waits for a running deployment"
	deletionDeletes rule = "resources first, then applications, then environments, then the record of the deployment"
	dependencies    rule = "A new spec is sent when each of them has the condition `Ready`, `True` for its own generation"
	locksFirst      rule = "is deleted before the template's other resources of Azure"
	stepByStep      rule = "Each step begins when the former is done"
	onlyRecorded    rule = "Only what the DeploymentTemplate recorded is deleted"
	withTheLast     rule = "The resource is deleted with the last of them"
	goneWhenSaid    rule = "A resource counts as deleted when Radius says so"
	notRecorded     rule = "A DeploymentResource that somebody made by hand says `Ready` `False` with the reason `NotRecorded`"
	readyTrue       rule = "this generation of the spec is deployed, and all checks have passed"
	readyTable      rule = "| reason of `Ready` | meaning | what to do |"
	stalledMeans    rule = "it goes on only after the spec has changed, or the same failure has come three times"
	failedMeans     rule = "the deployment failed; the message is that of Radius"
	asTheLast       rule = "The resource is as the one says that was deployed last (`status.deployedAt`)"
	vanished        rule = "what it did not make any more is deleted"
	missing         rule = "If one is missing, the template is deployed again"
	oneEach         rule = "makes a `DeploymentResource` object for each resource that the deployment makes"
	invalid         rule = "the template, the parameters or the scopes cannot be read"
	quiet           rule = "without it nothing is sent again by itself"
	nobodyWaits     rule = "it is deleted too, and nobody waits for the end"
	notKnown        rule = "Two things nobody can know afterwards"
	nothingDeleted  rule = "deleting the object deletes nothing in Radius"
)

// rules are all of them.
var rules = []rule{
	suspendSends, sentOnce, outdatedSends, deletionWaits, deletionDeletes, dependencies, locksFirst, stepByStep, onlyRecorded,
	withTheLast, goneWhenSaid, notRecorded, readyTrue, readyTable, stalledMeans, failedMeans, asTheLast, vanished, missing, oneEach,
	invalid, quiet, nobodyWaits, notKnown, nothingDeleted,
}

// reasons are those of Ready in the page's table, with the statuses that they can have.
var reasons = map[string]string{
	"Succeeded": "True", "Creating": "Unknown", "ReadyPendingCleanup": "Unknown", "ResourceNotReadable": "Unknown",
	"CheckFailed": "False Unknown",
	// An operation goes on meanwhile; a check can be an Info.
	"AzureUnavailable": "False Unknown", "RadiusUnavailable": "False Unknown", "ResourceNotReady": "False Unknown",
	"Failed": "False", "OutputsUnknown": "False", "InvalidSpec": "False", "ParametersUnavailable": "False", "ScopeNotAllowed": "False",
	"OperationTimedOut": "False", "DependencyNotReady": "False", "SchemaOutdated": "False", "NamespaceCloses": "False",
	"ObjectRefused": "False", "Suspended": "False", "Deleting": "False", "Deleted": "False", "NotRecorded": "False",
	"DeletionFailed": "False",
}

// stalls are the reasons with which nothing goes on by itself.
var stalls = []string{
	"Failed", "DependencyNotReady", "OutputsUnknown", "InvalidSpec", "ScopeNotAllowed", "OperationTimedOut", "ResourceNotReady",
	"DeletionFailed",
}

func (o *Oracle) judgeConditions(now, was *object) {
	ready, stalled := now.condition("Ready"), now.condition("Stalled").Status == "True"
	if ready.Type == "" {
		return
	}
	if !slices.Contains(strings.Fields(reasons[ready.Reason]), ready.Status) {
		o.breaks(readyTable, "%s says %s %s, which the page has not", now.Metadata.Name, ready.Status, ready.Reason)
	}
	if stalled && (!slices.Contains(stalls, ready.Reason) || now.condition("Reconciling").Status == "True") {
		o.breaks(stalledMeans, "%s is stalled with %s", now.Metadata.Name, ready.Reason)
	}
	if ready.Reason != "Failed" || was != nil && was.condition("Ready").Reason == "Failed" {
		return
	}
	id := lower(o.names[now.Metadata.UID])
	if sent := o.Look().Deployments[id]; sent.State != "Failed" && !o.lost[id] {
		o.breaks(failedMeans, "%s says %q, and Radius has not failed it", now.Metadata.Name, ready.Message)
	}
}

// judgeReady judges an object that has become ready.
func (o *Oracle) judgeReady(t *object) {
	id := lower(o.names[t.Metadata.UID])
	sent, known := o.Look().Deployments[id]
	if !known && o.lost[id] || t.suspended() {
		return // what was said stays
	}
	name, g := t.Metadata.Name, t.Status.ObservedGeneration
	want, err := contents(o.specs[generation(t.Metadata.UID, g)])
	if err != nil {
		o.breaks(invalid, "%s is ready for generation %d: %v", name, g, err)
		return
	}
	if sent.State != "Succeeded" || !sameContents(sent.Contents, want) {
		o.breaks(readyTrue, "%s is ready for generation %d, and %s is %q with %v", name, g, id, sent.State, sent.Contents)
	}
}

// sameContents compares resources by type and name: the scopes are those of the flags.
func sameContents(made, want map[string]string) bool {
	short := map[string]string{}
	for id, c := range made {
		short[id[strings.LastIndex(id, "/providers/"):]] = c
	}
	return maps.Equal(short, want)
}

// contents are what a spec declares, by the end of the ID. It reads what the campaign writes: names, and references to parameters.
func contents(s spec) (map[string]string, error) {
	var template struct {
		Resources map[string]struct {
			Type       string
			Properties map[string]any
		}
	}
	if err := json.Unmarshal([]byte(s.Template), &template); err != nil {
		return nil, err
	}
	parameters := map[string]any{}
	if len(s.Parameters) > 0 {
		if err := json.Unmarshal(s.Parameters, &parameters); err != nil {
			return nil, err
		}
	}
	all := map[string]string{}
	for symbol, r := range template.Resources {
		for k, v := range r.Properties {
			if name, ok := strings.CutPrefix(fmt.Sprint(v), "[parameters('"); ok {
				r.Properties[k] = parameters[strings.TrimSuffix(name, "')]")]
			}
		}
		name, ok := r.Properties["name"].(string)
		if !ok {
			name = symbol
		}
		typ, _, _ := strings.Cut(r.Type, "@")
		text := []byte("{}")
		if r.Properties != nil {
			text, _ = json.Marshal(r.Properties)
		}
		all[lower("/providers/"+typ+"/"+name)] = string(text)
	}
	return all, nil
}

// Request tells of a request before it is sent: for which object, and for which DeploymentTemplate, as the controller could know them.
// outdated is true if it knows that the API server drops fields.
func (o *Oracle) Request(by, template any, method, path string, outdated bool) {
	who := read(by)
	owner := who
	if !who.template {
		owner = o.template(who.owner())
	}
	if t := read(template); t.suspended() {
		o.breaks(suspendSends, "%s %s is sent for %s, which is suspended", method, path, t.Metadata.Name)
	}
	if t := read(template); method == "DELETE" && t.leaves() {
		o.breaks(nothingDeleted, "%s is deleted for %s", path, t.Metadata.Name)
	}
	record := strings.Contains(lower(path), "/providers/microsoft.resources/deployments/")
	switch {
	case method == "PUT" && record:
		o.judgePut(who, path, outdated)
	case method == "DELETE" && record:
		o.judgeRecord(who, path)
	case method == "DELETE":
		o.judgeDelete(owner, path, o.Look())
	}
}

// judgeDependencies judges that a spec is sent. One that was sent already may be sent again.
func (o *Oracle) judgeDependencies(who *object, sent Sent) {
	g := generation(who.Metadata.UID, who.Metadata.Generation)
	want, err := contents(o.specs[g])
	if err != nil || sent.State != "" && sameContents(sent.Contents, want) {
		return
	}
	for _, on := range who.Spec.DependsOn {
		key := fmt.Sprintf("%t %s/%s", true, who.Metadata.Namespace, on.Name)
		if t := o.objects[key]; (t == nil || !t.ready()) && o.readyAt[key].Before(o.since[g]) {
			o.breaks(dependencies, "%s is sent, and %s is not ready", who.Metadata.Name, on.Name)
		}
	}
}

// late is true of a deployment that is not waited for any more. It counts from its first request, which may have got no answer.
func (o *Oracle) late(id string) bool {
	return o.Timeout > 0 && o.Now().Sub(o.began[id]) >= o.Timeout-10*time.Minute
}

func (o *Oracle) judgePut(who *object, path string, outdated bool) {
	if outdated {
		o.breaks(outdatedSends, "a deployment is sent although the API server drops fields")
	}
	o.names[who.Metadata.UID] = path
	id := lower(path)
	o.judgeDependencies(who, o.Look().Deployments[id])
	if o.Look().Deployments[id].State == "Running" && !o.late(id) {
		o.breaks(sentOnce, "%s is sent, and runs since %s", path, o.began[id].Format("15:04:05"))
	}
	o.began[id] = o.Now()
}

// judgeRecord judges that the record of a deployment is deleted.
func (o *Oracle) judgeRecord(who *object, path string) {
	world := o.Look()
	id := lower(path)
	if !who.deleting() {
		return // another one has taken its place
	}
	if world.Deployments[id].State == "Running" && !o.late(id) {
		o.breaks(deletionWaits, "%s is deleted, and runs", path)
	}
	for r := range o.held[who.Metadata.UID] {
		if made, ok := world.Resources[r]; ok && o.left(r, made, who.Metadata.UID) {
			o.breaks(deletionDeletes, "%s is deleted, and %s exists", path, r)
		}
	}
}

// judgeDelete judges that a resource is deleted.
func (o *Oracle) judgeDelete(owner *object, path string, world World) {
	id := lower(path)
	if owner == nil {
		o.breaks(onlyRecorded, "%s is deleted for nobody", path)
		return
	}
	uid := owner.Metadata.UID
	if current := o.template(uid); current != nil {
		owner = current // the cache may be behind
	}
	_, makes := world.Deployments[lower(o.names[uid])].Contents[id]
	if !owner.records(id) && !(o.pruned && o.held[uid][id]) && !(o.Closing() && makes) {
		o.breaks(onlyRecorded, "%s is deleted for %s, whose status does not name it", path, owner.Metadata.Name)
	}
	for _, t := range o.objects {
		other := func(r *object) bool { return lower(r.Spec.ID) == id && !r.deleting() }
		if t.template && t.Metadata.UID != uid && t.records(id) && slices.ContainsFunc(o.resources(t.Metadata.UID), other) {
			o.breaks(withTheLast, "%s is deleted for %s, and %s holds it", path, owner.Metadata.Name, t.Metadata.Name)
		}
	}
	if !owner.deleting() || o.Closing() { // the objects of a namespace go in no particular order
		return
	}
	for _, r := range o.resources(uid) {
		made, exists := world.Resources[lower(r.Spec.ID)]
		if before(r.Spec.ID, id) && exists && owner.records(r.Spec.ID) && o.left(r.Spec.ID, made, uid) && r.deleting() {
			o.breaks(stepByStep, "%s is deleted before %s", path, r.Spec.ID)
		}
	}
}

// Settled judges when all is calm and time has passed. clocks is true if the times in statuses do not say what was the last.
func (o *Oracle) Settled(clocks bool) {
	clocks = clocks || o.pruned // status.deployedAt is dropped
	world := o.Look()
	last := map[string]*object{}    // by the end of the ID
	named := map[string][]string{}  // contents of those that name it
	everything := map[string]bool{} // what must stay
	older := map[string]bool{}
	wants := map[string]map[string]string{}
	for _, t := range o.objects {
		if !t.template {
			o.settledResource(t)
			continue
		}
		want := o.settledTemplate(t, world)
		wants[t.Metadata.UID] = want
		for _, id := range t.recorded() {
			everything[lower(id)] = true
			short := lower(id)[strings.LastIndex(lower(id), "/providers/"):]
			if want[short] == "" { // that of an older spec holds
				older[lower(id)] = true
				continue
			}
			named[lower(id)] = append(named[lower(id)], want[short])
			if l := last[lower(id)]; l == nil || deployedAt(t).After(deployedAt(l)) {
				last[lower(id)] = t
			}
		}
	}
	for id, made := range world.Resources {
		if !everything[id] && !o.excused(id, made) {
			o.breaks(vanished, "%s is named by nobody, and exists", id)
		}
		if l := last[id]; l != nil && !older[id] && !o.kept[id] {
			short := id[strings.LastIndex(id, "/providers/"):]
			// Of deployments that ran at one time nobody can tell which was the last.
			tie := slices.ContainsFunc(slices.Collect(maps.Values(o.objects)), func(t *object) bool {
				return t.template && t != l && t.records(id) &&
					!o.began[lower(o.names[l.Metadata.UID])].After(deployedAt(t).Add(time.Second))
			})
			if !clocks && !tie && made.Contents != wants[l.Metadata.UID][short] || !slices.Contains(named[id], made.Contents) && !clocks {
				o.breaks(asTheLast, "%s is %s, and %s says %s", id, made.Contents, l.Metadata.Name, wants[l.Metadata.UID][short])
			}
		}
	}
}

func deployedAt(t *object) time.Time {
	if t.Status.DeployedAt == nil {
		return time.Time{}
	}
	return *t.Status.DeployedAt
}

// settledResource judges a DeploymentResource when all is calm.
func (o *Oracle) settledResource(r *object) {
	t := o.template(r.owner())
	recorded := t != nil && t.records(r.Spec.ID)
	is, ours := r.condition("Ready"), len(r.Metadata.OwnerReferences) > 0
	if is.Status == "True" && !recorded || ours && recorded && t.ready() && is.Status != "True" || !recorded && is.Reason != "NotRecorded" {
		o.breaks(notRecorded, "%s for %s says %s %s; recorded: %t", r.Metadata.Name, r.Spec.ID, is.Status, is.Reason, recorded)
	}
}

// settledTemplate judges a DeploymentTemplate when all is calm. It returns what the deployment declares that holds.
func (o *Oracle) settledTemplate(t *object, world World) map[string]string {
	name, ready := t.Metadata.Name, t.condition("Ready")
	if t.deleting() {
		o.breaks(deletionDeletes, "%s is still being deleted: %s", name, t.Status.Message)
		return nil
	}
	want, err := contents(t.Spec.spec)
	if err != nil {
		if ready.Reason != "InvalidSpec" {
			o.breaks(invalid, "%s cannot be read (%v), and says %s", name, err, ready.Reason)
		}
		return nil
	}
	for _, on := range t.Spec.DependsOn {
		other := o.objects[fmt.Sprintf("%t %s/%s", true, t.Metadata.Namespace, on.Name)]
		if ready.Reason == "DependencyNotReady" && (other == nil || !other.ready()) {
			return nil // what is deployed is of an older spec
		}
	}
	if !t.ready() {
		o.breaks(readyTrue, "%s is not ready: %s, %s", name, ready.Reason, t.Status.Message)
		return want
	}
	objects := map[string]bool{}
	for _, r := range o.resources(t.Metadata.UID) {
		if t.records(r.Spec.ID) {
			objects[lower(r.Spec.ID)] = true
		}
	}
	found := map[string]string{}
	for _, id := range t.recorded() {
		found[lower(id)] = ""
		if _, exists := world.Resources[lower(id)]; !exists {
			o.breaks(missing, "%s is ready, and %s does not exist", name, id)
		}
		if !objects[lower(id)] {
			o.breaks(oneEach, "%s has no object for %s", name, id)
		}
	}
	blank := maps.Clone(want)
	for id := range blank {
		blank[id] = ""
	}
	if !sameContents(found, blank) {
		o.breaks(vanished, "%s records %v, and declares %v", name, t.recorded(), slices.Sorted(maps.Keys(want)))
	}
	return want
}

// excused is true of a resource of which nobody can know, where an event says so.
func (o *Oracle) excused(id string, made Made) bool {
	return o.kept[lower(id)] || slices.ContainsFunc(o.told, func(text string) bool {
		return strings.Contains(lower(text), lower(id)+" may be left") ||
			strings.Contains(text, "Radius has lost the record") && o.lost[lower(made.By)] ||
			strings.Contains(text, "the deployment runs on in Radius")
	})
}

// Rested judges a time in which nothing has happened.
func (o *Oracle) Rested(deployments int) {
	if deployments > 0 {
		o.breaks(quiet, "%d deployments were sent while nothing happened", deployments)
	}
}

// Empty judges when all was deleted, and time has passed.
func (o *Oracle) Empty() {
	for _, left := range o.objects {
		o.breaks(deletionDeletes, "%s is left: %s", left.Metadata.Name, left.Status.Message)
	}
	world := o.Look()
	for id, made := range world.Resources {
		if !o.excused(id, made) {
			o.breaks(notKnown, "%s is left, and no event told it", id)
		}
	}
	for id := range world.Deployments {
		if !o.kept[id] {
			o.breaks(deletionDeletes, "the record %s is left", id)
		}
	}
}
