package controller

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/internal/armtest"
	"github.com/radbicep/rad/controller/internal/deployment"
	"github.com/radbicep/rad/controller/internal/radiustest"
	"github.com/radbicep/rad/controller/internal/resourceid"
)

// The campaign runs histories that are made up: templates are made, changed, suspended and
// deleted; resources are deleted behind the controller's back; the CRDs of released Radius come and go; Radius fails, throttles, forgets,
// and breaks connections before and after it acts; the cache is behind; the process is killed.
// Then everything is calm, and what must hold is checked; then all is deleted, and nothing must be left.
//
//	CAMPAIGN_SEED=17 go test ./internal/controller -run TestCampaign    runs one history again
//	CAMPAIGN_HISTORIES=100000 go test ./internal/controller -run TestCampaign
func TestCampaign(t *testing.T) {
	if seed := os.Getenv("CAMPAIGN_SEED"); seed != "" {
		n, err := strconv.ParseUint(seed, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		h := newHistory(n)
		h.play()
		h.report(t)
		return
	}
	histories := 80 // a sample for every change; make campaign runs more
	if text := os.Getenv("CAMPAIGN_HISTORIES"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		histories = n
	}
	first := uint64(1)
	if text := os.Getenv("CAMPAIGN_FIRST"); text != "" {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		first = n
	}
	kills, requests, puts, deletes, failed, busiest := 0, 0, 0, 0, 0, 0
	for i := range histories {
		h := newHistory(first + uint64(i))
		h.play()
		kills += h.kills
		requests += len(h.radius.Requests("", ""))
		puts += len(h.radius.Puts())
		deletes += len(h.radius.Requests(http.MethodDelete, ""))
		busiest = max(busiest, h.maxTen)
		if (i+1)%250 == 0 {
			t.Logf("%d histories", i+1)
		}
		if len(h.problems) > 0 {
			h.report(t)
			if failed++; failed == 5 {
				break
			}
		}
	}
	t.Logf("%d histories from seed %d on, %d requests, %d of them deployments and %d deletions, %d kills, at most %d requests of one object in ten seconds",
		histories, first, requests, puts, deletes, kills, busiest)
	if failed == 0 && min(puts, deletes) < 3*histories {
		t.Errorf("the histories hold too few deployments and deletions to show anything")
	}
}

// history is one history, made from a seed.
type history struct {
	*sim
	seed     uint64
	trace    []string
	broken   map[string]bool // resources that fail
	excuse   map[string]int  // deployments that may be sent once more
	hostiles map[string]bool // objects that somebody made by hand
	clocks   bool            // which deployment was the last cannot be told by the times
	hung     bool            // operations take days
	away     bool            // others answer in place of Radius
}

func newHistory(seed uint64) *history {
	h := &history{sim: newSim(rand.New(rand.NewPCG(seed, 7))), seed: seed, broken: map[string]bool{}, hostiles: map[string]bool{}}
	h.radius.FailResource = func(id string) string {
		if h.broken[resourceid.Key(id)] {
			return "the resource is broken, said with " + simSecret + "value"
		}
		return ""
	}
	if h.rng.IntN(3) == 0 {
		h.timeout = 5 * time.Hour
		h.restart()
	}
	h.radius.Seen = func(_ *radiustest.Server, r *radiustest.Request) { h.seen(r) }
	h.radius.Fault = h.fault
	if h.rng.IntN(3) == 0 {
		a := h.withAzure()
		a.Way, a.Lag = h.rng.IntN(3), time.Duration(h.rng.IntN(2)*h.rng.IntN(240))*time.Second
		a.Seen = func(r *armtest.Request) { h.seen(&radiustest.Request{Method: r.Method, Path: r.Path}) }
		a.Fault = h.azureFault
		a.FailDelete = func(id string) string {
			if h.broken[resourceid.Key(id)] {
				return "the resource is in use"
			}
			return ""
		}
	}
	return h
}

func (h *history) report(t *testing.T) {
	t.Helper()
	if len(h.problems) == 0 {
		return
	}
	var b strings.Builder
	requests := h.radius.Requests("", "")
	for _, r := range requests[max(0, len(requests)-80):] {
		fmt.Fprintln(&b, r.At.Format("15:04:05.000"), r.Method, r.Path, r.Status)
	}
	t.Errorf("CAMPAIGN_SEED=%d\n%s\nhistory:\n%s\nlast requests:\n%s", h.seed, strings.Join(h.problems, "\n"), strings.Join(h.trace, "\n"), b.String())
}

func (h *history) say(format string, args ...any) {
	h.trace = append(h.trace, h.clock.Format("15:04:05.000 ")+fmt.Sprintf(format, args...))
}

// foreign are answers that are not of Radius, or say nothing of what was asked for.
func foreign(r *radiustest.Request) []radiustest.Fault {
	status := func(code int, message string) string {
		return fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","status":"Failure","message":%q,"code":%d}`, message, code)
	}
	arm := func(message string) string {
		return fmt.Sprintf(`{"error":{"code":"NotFound","message":%q,"target":%q}}`, message, r.Path)
	}
	return []radiustest.Fault{
		{Status: 404, Body: "404 page not found"}, {Status: 404, Body: status(404, "the server could not find the requested resource")}, {Status: 404},
		{Status: 404, Body: "<html>" + r.Path + "</html>", After: true}, {Status: 200, Body: "<html>Please log in</html>"}, {Status: 200, Body: "<html></html>", After: true},
		{Status: 401, Body: status(401, "Unauthorized")}, {Status: 403, Body: status(403, "planes is forbidden")}, {Status: 413, Body: status(413, "too large")},
		{Status: 404, Body: arm("the resource with id '" + r.Path + "' was not found: plane \"/planes/radius/local\" not found")},
		{Status: 404, Body: strings.Replace(arm("The request 'GET "+r.Path+"' is invalid."), "target", "x", 1)},
	}
}

// fault decides what goes wrong with a request.
func (h *history) fault(r *radiustest.Request) *radiustest.Fault {
	if h.away {
		answers := foreign(r)
		return &answers[h.rng.IntN(3)]
	}
	if !h.faults || h.rng.Float64() > 0.15 {
		return nil
	}
	faults := []radiustest.Fault{
		{Status: 500}, {Status: 503, RetryAfter: "7"}, {Status: 429, RetryAfter: "11"}, {Status: 429}, {Status: 409, Body: `{"error":{"code":"Conflict","message":"busy"}}`},
		{Drop: true}, {Drop: true, After: true}, {Status: 502, After: true}, {Status: 504, After: true},
	}
	if lower := strings.ToLower(r.Path); r.Method != http.MethodDelete && (strings.Contains(lower, "/deployments/") || strings.Contains(lower, "/operationstatuses/")) {
		faults = append(faults, radiustest.Fault{Status: 200, Body: "{}"}, radiustest.Fault{Status: 200}, radiustest.Fault{Status: 200, Body: "{}", After: true})
	}
	faults = append(faults, foreign(r)...)
	f := faults[h.rng.IntN(len(faults))]
	if f.Status == 409 && !(r.Method == http.MethodDelete || r.Method == http.MethodPut && strings.Contains(r.Path, "deployments")) {
		return nil
	}
	h.say("fault %s %s: %d drop=%t after=%t", r.Method, r.Path, f.Status, f.Drop, f.After)
	return &f
}

// azureFault decides what goes wrong with a request to Azure.
func (h *history) azureFault(r *armtest.Request) *armtest.Fault {
	if !h.faults || h.rng.Float64() > 0.2 {
		return nil
	}
	arm := armtest.Problem
	faults := []armtest.Fault{
		{Status: 500, Body: arm("InternalServerError", "it broke")}, {Status: 503, RetryAfter: "7"}, {Status: 429, RetryAfter: "13", Body: arm("TooManyRequests", "too many")}, {Status: 429},
		{Drop: true}, {Drop: true, After: true}, {Status: 502, After: true}, {Status: 504, After: true}, {Status: 401, Body: arm("ExpiredAuthenticationToken", "The access token expiry is in the past.")},
		{Status: 403, Body: arm("AuthorizationFailed", "no authorization")}, {Status: 409, Body: arm("ScopeLocked", "locked")}, {Status: 409, Body: arm("AnotherOperationInProgress", "busy")},
		{Status: 404, Body: arm("SubscriptionNotFound", "The subscription 's' could not be found.")}, {Status: 404}, {Status: 404, Body: "<html>blocked</html>"}, {Status: 200, Body: "<html>log in</html>", After: true},
		{Status: 400, Body: arm("NoRegisteredProviderFound", "No registered resource provider found for API version '1'.")},
	}
	if r.Method == http.MethodGet {
		faults = append(faults, armtest.Fault{Status: 200}, armtest.Fault{Status: 200, Body: "{}"})
	}
	f := faults[h.rng.IntN(len(faults))]
	if strings.Contains(strings.ToLower(r.Path), "operationresults") && f.Status != 401 && f.Status < 500 {
		return nil // what is answered there is the end of the operation
	}
	h.say("fault of Azure %s %s: %d drop=%t after=%t", r.Method, r.Path, f.Status, f.Drop, f.After)
	return &f
}

// seen checks a request when it arrives, with the server locked.
func (h *history) seen(r *radiustest.Request) {
	dt, _ := h.cache[h.running].(*v1alpha3.DeploymentTemplate)
	if dr, ok := h.cache[h.running].(*v1alpha3.DeploymentResource); ok {
		if ref := ownerOf(dr); ref != nil {
			dt, _ = h.cache[kindKey{"DeploymentTemplate", types.NamespacedName{Namespace: dr.Namespace, Name: ref.Name}}].(*v1alpha3.DeploymentTemplate)
		}
	}
	if dt != nil && isSuspended(dt) {
		h.problem("%s %s is sent for %s, which is suspended", r.Method, r.Path, dt.Name)
	}
	switch {
	case r.Method == http.MethodDelete && !strings.Contains(strings.ToLower(r.Path), "microsoft.resources/deployments"):
		h.checkDelete(r)
	case r.Method == http.MethodPut && strings.Contains(strings.ToLower(r.Path), "microsoft.resources/deployments"):
		if h.pruned && h.noticed {
			h.problem("a deployment was sent although the API server drops fields")
		}
	}
}

// checkDelete checks that no other template holds what is deleted.
func (h *history) checkDelete(r *radiustest.Request) {
	templates, resources := h.all()
	var self *v1alpha3.DeploymentResource
	for i := range resources {
		if resources[i].Name == h.running.Name {
			self = &resources[i]
		}
	}
	if self == nil && h.closing && slices.ContainsFunc(templates, func(dt v1alpha3.DeploymentTemplate) bool {
		return dt.Name == h.running.Name && (!dt.DeletionTimestamp.IsZero() || records(&dt, resourceid.Key(r.Path)))
	}) {
		return // no object can stand for it any more
	}
	if self == nil {
		h.problem("%s is deleted by %v, which is not there", r.Path, h.running)
		return
	}
	if resourceid.Key(self.Spec.ID) != resourceid.Key(r.Path) {
		h.problem("%s is deleted by %s, which is for %s", r.Path, self.Name, self.Spec.ID)
	}
	if self.DeletionTimestamp.IsZero() {
		h.problem("%s is deleted, and its object is not", r.Path)
	}
	if !h.recorded(self) {
		h.problem("%s is deleted for %s, and its owner did not record it", r.Path, self.Name)
	}
	for _, other := range resources {
		if other.Name != self.Name && h.recorded(&other) && resourceid.Key(other.Spec.ID) == resourceid.Key(self.Spec.ID) && other.DeletionTimestamp.IsZero() && ownerUID(&other) != ownerUID(self) {
			h.problem("%s is deleted for %s, and %s holds it", r.Path, self.Name, other.Name)
		}
	}
	id, _ := resourceid.Parse(self.Spec.ID)
	for _, other := range resources {
		if lower, err := resourceid.Parse(other.Spec.ID); err == nil && ownerUID(&other) == ownerUID(self) && !other.DeletionTimestamp.IsZero() && lower.Rank() < id.Rank() && (id.Rank() > 0 || id.Plane() == resourceid.Azure) && h.cachedDeleting(&other) {
			h.problem("%s is deleted before %s", r.Path, other.Spec.ID)
		}
	}
}

// recorded is true if the owner of an object says that it deployed the resource.
func (h *history) recorded(dr *v1alpha3.DeploymentResource) bool {
	owner, err := ownerFrom(context.Background(), h.live, dr)
	return err == nil && owner != nil && records(owner, resourceid.Key(dr.Spec.ID))
}

// hostile makes an object that names any resource and any owner, as every tenant can.
func (h *history) hostile(n int) {
	ids := append(h.exist(), "/planes/radius/local/resourceGroups/default", "/planes/radius/local/%2e%2e/x", "/planes/radius/local/resourceGroups/default/providers/A.B/c/d")
	dr := &v1alpha3.DeploymentResource{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: fmt.Sprintf("hostile-%d", n)}, Spec: v1alpha3.DeploymentResourceSpec{ID: ids[h.rng.IntN(len(ids))]}}
	templates, _ := h.all()
	if len(templates) > 0 && h.rng.IntN(4) > 0 {
		dt, yes := &templates[h.rng.IntN(len(templates))], true
		uid := dt.UID
		if h.rng.IntN(4) == 0 {
			uid = "another"
		}
		dr.Namespace = dt.Namespace
		dr.OwnerReferences = []metav1.OwnerReference{{APIVersion: "radapp.io/v1alpha3", Kind: "DeploymentTemplate", Name: dt.Name, UID: uid, Controller: &yes}}
	}
	if h.rng.IntN(2) == 0 {
		dr.Finalizers = []string{v1alpha3.DeploymentResourceFinalizer}
	}
	if h.rng.IntN(2) == 0 {
		dr.Labels = map[string]string{v1alpha3.ResourceHashLabel: resourceid.Hash(dr.Spec.ID)}
	}
	if owner := ownerOf(dr); owner != nil && h.rng.IntN(3) == 0 {
		dr.OwnerReferences = nil
		dr.Labels = map[string]string{v1alpha3.ResourceHashLabel: resourceid.Hash(dr.Spec.ID), v1alpha3.OwnerUIDLabel: string(owner.UID)}
		dr.Annotations = map[string]string{v1alpha3.OwnerNameAnnotation: owner.Name}
		if id, err := resourceid.Parse(dr.Spec.ID); err == nil && h.rng.IntN(2) == 0 {
			dr.Name = id.ObjectName(string(owner.UID))
		}
	}
	h.say("hostile object %s for %s of %v, finalizers %v", dr.Name, dr.Spec.ID, ownerOf(dr), dr.Finalizers)
	h.hostiles[dr.Name] = true
	h.userCreate(dr)
}

// cachedDeleting is true if the controller could know that an object is being deleted.
func (h *history) cachedDeleting(o *v1alpha3.DeploymentResource) bool {
	c := h.cache[keyOf(o)]
	return c != nil && !c.GetDeletionTimestamp().IsZero()
}

var pool = []string{
	"env=Applications.Core/environments@2023-10-01-preview", "app=Applications.Core/applications@2023-10-01-preview",
	"web=Applications.Core/containers@2023-10-01-preview", "api=Applications.Core/containers@2023-10-01-preview",
	"db=Radius.Data/redisCaches@2025-08-01-preview", "bucket=AWS.S3/Bucket@default",
}

var azurePool = []string{"store=Microsoft.Storage/storageAccounts@2023-01-01", "keep=Microsoft.Authorization/locks@2020-05-01"}

// pooled is what specs are made of.
func (h *history) pooled() []string {
	if h.azure == nil {
		return pool
	}
	return slices.Concat(azurePool, pool)
}

// exist are the IDs of all resources that exist.
func (h *history) exist() []string {
	if h.azure == nil {
		return h.radius.Resources()
	}
	return append(h.radius.Resources(), h.azure.Resources()...)
}

// writer is the body of the deployment that made a resource as it is.
func (h *history) writer(id string) string {
	if h.azure != nil && strings.HasPrefix(id, "/subscriptions/") {
		return h.azure.Writer(id)
	}
	return h.radius.Writer(id)
}

// spec makes up a spec. The number makes it differ from all others.
func (h *history) spec(n int) v1alpha3.DeploymentTemplateSpec {
	var parts []string
	for _, r := range h.pooled() {
		if h.rng.IntN(2) == 0 {
			symbol, typ, _ := strings.Cut(r, "=")
			parts = append(parts, fmt.Sprintf(`%q: {"type": %q, "properties": {"name": %q}}`, symbol, typ, symbol))
		}
	}
	text := fmt.Sprintf(`{"contentVersion": "1.0.0.%d", "parameters": {"password": {"type": "secureString"}}, "resources": {%s}}`, n, strings.Join(parts, ", "))
	return v1alpha3.DeploymentTemplateSpec{Template: text, Parameters: &apiextensionsv1.JSON{Raw: []byte(`{"password": "` + simSecret + `value"}`)}}
}

// orphan deletes a template as kubectl delete --cascade=orphan does: the garbage collector takes the owner references away
// while the controller works.
func (h *history) orphan(name string, between bool) {
	h.say("delete %s --cascade=orphan", name)
	if h.rng.IntN(4) > 0 { // or somebody takes them away
		h.userDelete(&v1alpha3.DeploymentTemplate{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name}})
		if between { // two reconciles
			h.run(time.Duration(h.rng.IntN(3000)) * time.Millisecond)
		}
	}
	_, resources := h.all()
	for i := range resources {
		if ref := metav1.GetControllerOf(&resources[i]); ref != nil && ref.Name == name {
			resources[i].OwnerReferences = nil
			if err := h.live.Update(context.Background(), &resources[i]); err != nil {
				panic(err)
			}
			h.wrote(&resources[i])
		}
	}
}

// hang makes all that begins from now on take days, or ends that.
func (h *history) hang(on bool) {
	h.say("operations take days: %t", on)
	h.hung = on
	if h.azure != nil {
		h.azure.Set(func(s *armtest.Server) {
			if s.DeleteTime = 3 * time.Second; on {
				s.DeleteTime = 48 * time.Hour
			}
		})
	}
	h.radius.Set(func(s *radiustest.Server) {
		s.DeployTime, s.DeleteTime = 4*time.Second, 3*time.Second
		if on {
			s.DeployTime, s.DeleteTime = 48*time.Hour, 48*time.Hour
		}
	})
}

// deleteNamespace deletes the objects of the namespace, as the namespace controller does: kind by kind, and again.
func (h *history) deleteNamespace() {
	templates, resources := h.inNamespace()
	h.say("the namespace is deleted; first its DeploymentResources: %t", !h.closing)
	for i := range resources {
		h.userDelete(&resources[i])
	}
	if h.closing {
		for i := range templates {
			h.userDelete(&templates[i])
		}
	}
	h.closing = true
}

func (h *history) inNamespace() (templates []v1alpha3.DeploymentTemplate, resources []v1alpha3.DeploymentResource) {
	templates, resources = h.all()
	return slices.DeleteFunc(templates, func(o v1alpha3.DeploymentTemplate) bool { return o.Namespace != "ns" }),
		slices.DeleteFunc(resources, func(o v1alpha3.DeploymentResource) bool { return o.Namespace != "ns" })
}

// setClock lets the controller start on a node with another clock. While it runs, the clock may be set, too; but Go measures
// the time between two readings by one that nobody sets.
func (h *history) setClock() {
	off := []time.Duration{0, -time.Minute, time.Minute, -time.Hour, time.Hour, -30 * time.Hour, 30 * time.Hour, -9 * 365 * 24 * time.Hour, 9 * 365 * 24 * time.Hour}
	h.clocks = true
	h.next, h.killAt = off[h.rng.IntN(len(off))], 1+h.rng.IntN(4)
	h.say("killed after %d requests, and started where the clock is off by %v", h.killAt, h.next)
}

var names = []string{"one", "two", "three"}

// act does one thing that users, operators or the world do.
func (h *history) act(n int) {
	name := names[h.rng.IntN(len(names))]
	if h.away && h.rng.IntN(2) == 0 {
		h.away = false
		h.say("Radius is back")
	}
	if h.closing {
		if templates, resources := h.inNamespace(); len(templates)+len(resources) == 0 {
			h.say("the namespace is made again")
			h.closing = false
		}
	}
	switch p := h.rng.IntN(150); {
	case p >= 146:
		if h.timeout > 0 {
			h.hang(!h.hung)
		}
	case p >= 142:
		h.orphan(name, n < 1000)
	case p >= 136:
		h.away = true
		h.say("Radius is away")
	case p >= 130:
		if h.timeout == 0 && (h.azure == nil || h.azure.Lag == 0) { // how long ago something began is told by the clock
			h.setClock()
		}
	case p >= 124 || h.closing && h.rng.IntN(3) == 0:
		h.deleteNamespace()
	case h.closing && p < 50 || h.closing && p >= 96 && p < 106: // nothing can be made, and nobody changes what goes
	case p < 30:
		templates, _ := h.all()
		if !slices.ContainsFunc(templates, func(dt v1alpha3.DeploymentTemplate) bool { return dt.Name == name }) {
			h.say("create %s", name)
			h.userCreate(&v1alpha3.DeploymentTemplate{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name}, Spec: h.spec(n)})
			return
		}
		fallthrough
	case p < 50:
		h.user(name, func(dt *v1alpha3.DeploymentTemplate) bool {
			h.say("change %s", name)
			if h.rng.IntN(10) == 0 {
				dt.Spec.Template = `{"broken": `
			} else {
				dt.Spec = h.spec(n)
			}
			return true
		})
	case p < 62:
		h.say("delete %s", name)
		h.userDelete(&v1alpha3.DeploymentTemplate{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name}})
	case p < 70:
		h.user(name, func(dt *v1alpha3.DeploymentTemplate) bool {
			was := dt.Annotations[v1alpha3.SuspendAnnotation]
			dt.Annotations = map[string]string{}
			if was == "" {
				dt.Annotations[v1alpha3.SuspendAnnotation] = "true"
			}
			h.say("suspend %s: %t", name, was == "")
			return true
		})
	case p < 76:
		h.user(name, func(dt *v1alpha3.DeploymentTemplate) bool {
			if dt.Annotations == nil {
				dt.Annotations = map[string]string{}
			}
			dt.Annotations[v1alpha3.ReconcileRequestAnnotation] = strconv.Itoa(n)
			h.say("request %s", name)
			return true
		})
	case p < 84:
		if ids := h.exist(); len(ids) > 0 {
			id := ids[h.rng.IntN(len(ids))]
			h.say("remove %s behind the back", id)
			if h.radius.Remove(id); h.azure != nil {
				h.azure.Remove(id)
			}
		}
	case p < 88:
		if _, resources := h.all(); len(resources) > 0 {
			dr := resources[h.rng.IntN(len(resources))]
			h.say("delete object %s", dr.Name)
			h.userDelete(&dr)
		}
	case p < 92:
		h.say("Radius forgets its operations")
		if h.radius.Forget(h.rng.IntN(3) == 0); h.azure != nil {
			h.azure.Forget()
		}
	case p < 96:
		symbol, typ, _ := strings.Cut(pool[h.rng.IntN(len(pool)-1)], "=")
		typ, _, _ = strings.Cut(typ, "@")
		key := resourceid.Key("/planes/radius/local/resourceGroups/default/providers/" + typ + "/" + symbol)
		if h.azure != nil && h.rng.IntN(3) == 0 {
			key = resourceid.Key(storeID)
		}
		h.broken[key] = !h.broken[key]
		h.say("%s fails: %t", key, h.broken[key])
	case p < 106:
		h.hostile(n)
	case p < 112:
		h.radius.Set(func(s *radiustest.Server) { s.NoOutputs = !s.NoOutputs })
		h.say("Radius lists no outputs: %t", h.radius.NoOutputs)
	case p < 118:
		if n < 1000 { // between two reconciles
			h.say("the CRDs are those of released Radius: %t", !h.pruned)
			h.setCRDs(!h.pruned)
			h.notice(h.rng.IntN(2) == 0 && h.pruned)
		}
	default:
		h.killAt = 1 + h.rng.IntN(12)
		h.say("killed after %d requests", h.killAt)
	}
}

// play plays the history.
func (h *history) play() {
	h.lag = []float64{0, 0.3, 0.8}[h.rng.IntN(3)]
	h.faults = h.rng.IntN(3) > 0
	killing := h.rng.IntN(2) == 0
	acts := 4 + h.rng.IntN(12)
	if h.rng.IntN(2) == 0 {
		// Another tenant, whose objects name what is not his.
		h.userCreate(&v1alpha3.DeploymentTemplate{ObjectMeta: metav1.ObjectMeta{Namespace: "other", Name: "tenant"},
			Spec: v1alpha3.DeploymentTemplateSpec{Template: `{"resources": {"own": {"type": "Applications.Core/containers@2023-10-01-preview"}}}`}})
	}
	for n := range acts {
		h.act(n)
		if killing && h.rng.IntN(2) == 0 && h.killAt == 0 {
			h.killAt = 1 + h.rng.IntN(15)
		}
		// Sometimes the next thing happens while a request is on its way.
		if h.rng.IntN(4) == 0 {
			left := 1 + h.rng.IntN(6)
			h.disturb = func(*sim) {
				if left--; left == 0 {
					h.disturb = nil
					h.act(1000 + n)
				}
			}
		}
		h.run(time.Duration(h.rng.IntN(15000)) * time.Millisecond)
		if h.hung && h.rng.IntN(3) == 0 {
			h.say("hours pass")
			h.run(time.Duration(1+h.rng.IntN(7)) * time.Hour)
		}
	}
	h.calm()
	h.run(45 * time.Minute)
	h.checkCalm()
	h.checkPace()
	puts := len(h.radius.Puts())
	h.run(30 * time.Minute)
	if now := len(h.radius.Puts()); now != puts {
		h.problem("%d deployments were sent while nothing happened", now-puts)
	}

	h.say("all is deleted")
	templates, resources := h.all()
	for i := range templates {
		h.userDelete(&templates[i])
	}
	for i := range resources {
		if h.hostiles[resources[i].Name] {
			h.userDelete(&resources[i])
		}
	}
	h.run(30 * time.Minute)
	h.checkEmpty()
}

// calm ends all that disturbs.
func (h *history) calm() {
	h.say("calm")
	if h.closing {
		h.deleteNamespace()
	}
	h.faults, h.away, h.lag, h.killAt, h.disturb = false, false, 0, 0, nil
	if h.next = 0; h.skew != 0 {
		h.restart()
	}
	if h.timeout > 0 {
		h.hang(false)
		if h.radius.EndAll(); h.azure != nil {
			h.azure.EndAll()
		}
	}
	h.setCRDs(false)
	h.notice(false)
	clear(h.broken)
	h.radius.Set(func(s *radiustest.Server) { s.NoOutputs = false })
	for _, name := range names {
		h.user(name, func(dt *v1alpha3.DeploymentTemplate) bool {
			dt.Annotations = nil
			if held := asSaved(&dt.Status).Held; held != nil {
				dt.Annotations = map[string]string{v1alpha3.ConfirmDeletionAnnotation: held.Token}
			}
			return true
		})
	}
}

// checkCalm checks what must hold when all has settled.
func (h *history) checkCalm() {
	templates, resources := h.all()
	deployments := h.radius.Deployments()
	for i := range resources {
		ready := meta.FindStatusCondition(resources[i].Status.Conditions, v1alpha3.ConditionReady)
		if says := ready != nil && ready.Status == metav1.ConditionTrue; says != h.recorded(&resources[i]) {
			h.problem("%s for %s of %v says Ready %t", resources[i].Name, resources[i].Spec.ID, ownerOf(&resources[i]), says)
		}
	}
	exists := map[string]bool{}
	for _, id := range h.exist() {
		exists[id] = true
	}
	bodies := map[string][]string{} // by key, those of the templates that name the resource
	defer func() {
		for key, named := range bodies {
			if !h.clocks && !h.runsOn() && exists[key] && !slices.Contains(named, h.writer(key)) {
				h.problem("%s is as a template says that does not name it any more", key)
			}
		}
	}()
	for i := range templates {
		dt := &templates[i]
		ready := (&templateState{status: &dt.Status}).ready()
		if !dt.DeletionTimestamp.IsZero() {
			h.problem("%s is still being deleted: %s", dt.Name, dt.Status.Message)
			continue
		}
		d, err := deployment.New(dt, deployment.Settings{DefaultGroup: "default"}, nil)
		if err != nil {
			if ready == nil || ready.Reason != v1alpha3.ReasonInvalidSpec {
				h.problem("%s has a wrong spec, and says %v", dt.Name, ready)
			}
			for _, id := range dt.Status.OutputResources { // its last deployment holds
				bodies[resourceid.Key(id)] = append(bodies[resourceid.Key(id)], h.writer(id))
			}
			continue
		}
		if ready == nil || ready.Status != metav1.ConditionTrue || dt.Status.Phrase != v1alpha3.DeploymentTemplatePhraseReady || dt.Status.ObservedGeneration != dt.Generation {
			h.problem("%s is not ready: %s, %s (%+v)", dt.Name, dt.Status.Phrase, dt.Status.Message, dt.Status)
			continue
		}
		sent := deployments[resourceid.Key(d.ID)]
		if sent.State == "" && !sent.Forgot {
			// Radius may have forgotten it; then only the resources count.
			sent.Body, sent.ID = string(d.Body), d.ID
		}
		if sent.Body != string(d.Body) {
			h.problem("%s is ready, and another spec is deployed", dt.Name)
		}
		want, named := map[string]bool{}, map[string]bool{}
		for _, r := range radiustest.Declared(d.ID, d.Body) {
			key := resourceid.Key(r.ID)
			want[key], named[key] = true, true
			bodies[key] = append(bodies[key], string(d.Body))
			if !exists[key] {
				h.problem("%s is ready, and %s does not exist", dt.Name, r.ID)
			}
		}
		for _, dr := range resources {
			if ownerUID(&dr) == dt.UID {
				if key := resourceid.Key(dr.Spec.ID); !named[key] {
					h.problem("%s has an object for %s, which it does not name", dt.Name, dr.Spec.ID)
				} else {
					delete(want, key)
				}
			}
		}
		if len(want) > 0 {
			h.problem("%s has no objects for %v", dt.Name, want)
		}
	}
}

// checkPace checks that no object made requests without end.
func (h *history) checkPace() {
	if h.maxTen > 80 {
		h.problem("an object made %d requests in ten seconds", h.maxTen)
	}
}

// runsOn is true if an event told that nobody waits any more for a deployment, which may make something later.
func (h *history) runsOn() bool {
	return h.timeout > 0 && strings.Contains(strings.Join(h.events, "\n"), "OutputsUnknown the deployment runs on in Radius")
}

func (h *history) checkEmpty() {
	templates, resources := h.all()
	for _, dt := range templates {
		h.problem("%s is left: %s", dt.Name, dt.Status.Message)
	}
	for _, dr := range resources {
		h.problem("%s is left: %s", dr.Name, dr.Status.Message)
	}
	if ids := h.exist(); len(ids) > 0 && !h.runsOn() {
		h.problem("resources are left: %v", ids)
	}
	for id := range h.radius.Deployments() {
		h.problem("a deployment is left: %s", id)
	}
}
