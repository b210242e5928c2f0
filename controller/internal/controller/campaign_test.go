package controller

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/internal/armtest"
	"github.com/radbicep/rad/controller/internal/oracle"
	"github.com/radbicep/rad/controller/internal/radiustest"
	"github.com/radbicep/rad/controller/internal/resourceid"
)

// The campaign runs histories that are made up: templates are made, changed, suspended and
// deleted; resources are deleted behind the controller's back; the CRDs of released Radius come and go; Radius fails, throttles, forgets,
// and breaks connections before and after it acts; the cache is behind; the process is killed.
// Then everything is calm; then all is deleted. The package oracle judges what happens and what is left, by docs/controller.md alone.
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
		if h.play(); len(h.problems) > 0 {
			h.report(t)
		}
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
	if failed == 0 && min(puts, deletes) < 2*histories {
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
		h.timeout = 30 * time.Minute // each poll of an operation costs time here
		h.restart()
	}
	h.radius.Fault = h.fault
	h.oracle = oracle.New(func() time.Time { return h.clock }, h.look)
	h.oracle.Timeout, h.oracle.Closing = h.timeout, func() bool { return h.closing }
	asked := func(method, path string) {
		by := h.cache[h.running]
		h.oracle.Request(by, h.templateOf(by), method, path, h.pruned && h.noticed)
	}
	h.radius.Before = func(r *radiustest.Request) { asked(r.Method, r.Path) }
	if h.rng.IntN(3) == 0 {
		a := h.withAzure()
		a.Way, a.Lag = h.rng.IntN(3), time.Duration(h.rng.IntN(2)*h.rng.IntN(240))*time.Second
		a.Before = func(r *armtest.Request) { asked(r.Method, r.Path) }
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
	var b strings.Builder
	requests := h.radius.Requests("", "")
	if h.azure != nil {
		requests = append(requests, h.azure.Requests("", "")...)
		slices.SortStableFunc(requests, func(a, b radiustest.Request) int { return a.At.Compare(b.At) })
	}
	for _, r := range requests[max(0, len(requests)-120):] {
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

// look is what is true in Radius and in Azure.
func (h *history) look() oracle.World {
	w := oracle.World{Resources: map[string]oracle.Made{}, Deployments: map[string]oracle.Sent{}, Gone: map[string]time.Time{}}
	made := h.radius.Made()
	maps.Copy(w.Gone, h.radius.GoneAt())
	if h.azure != nil {
		maps.Copy(made, h.azure.Made())
		maps.Copy(w.Gone, h.azure.GoneAt())
	}
	for id, m := range made {
		w.Resources[id] = oracle.Made{By: m.By, Contents: m.Contents, Going: m.Going}
	}
	for id, d := range h.radius.Deployments() {
		sent := oracle.Sent{State: d.State, Contents: map[string]string{}}
		for _, r := range radiustest.Declared(d.ID, []byte(d.Body)) {
			sent.Contents[strings.ToLower(r.ID)] = string(r.Properties)
		}
		w.Deployments[id] = sent
	}
	return w
}

// templateOf is the DeploymentTemplate that an object belongs to, as the cache has it.
func (h *history) templateOf(o client.Object) client.Object {
	if ref := ownerOf(o); ref != nil {
		return h.cache[kindKey{"DeploymentTemplate", types.NamespacedName{Namespace: o.GetNamespace(), Name: ref.Name}}]
	}
	return o
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

// spec makes up a spec. The number makes it differ from all others.
func (h *history) spec(n int) v1alpha3.DeploymentTemplateSpec {
	var parts []string
	for _, r := range h.pooled() {
		if h.rng.IntN(2) == 0 {
			symbol, typ, _ := strings.Cut(r, "=")
			parts = append(parts, fmt.Sprintf(`%q: {"type": %q, "properties": {"name": %q, "size": %d, "password": "[parameters('password')]"}}`,
				symbol, typ, symbol, h.rng.IntN(3)))
		}
	}
	text := fmt.Sprintf(`{"contentVersion": "1.0.0.%d", "parameters": {"password": {"type": "secureString"}}, "resources": {%s}}`, n, strings.Join(parts, ", "))
	return v1alpha3.DeploymentTemplateSpec{Template: text, Parameters: &apiextensionsv1.JSON{Raw: []byte(`{"password": "` + simSecret + `value"}`)}}
}

// dependsOn is now and then a template of a smaller number: in a circle nothing is ever ready.
func (h *history) dependsOn(name string) []v1alpha3.Dependency {
	n := slices.Index(names, name)
	if n == 0 || h.rng.IntN(4) > 0 {
		return nil
	}
	other := names[h.rng.IntN(n)]
	h.say("%s depends on %s", name, other)
	return []v1alpha3.Dependency{{APIVersion: "radapp.io/v1alpha3", Kind: "DeploymentTemplate", Name: other}}
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
			h.user(name, func(dt *v1alpha3.DeploymentTemplate) bool {
				dt.Spec.DependsOn = h.dependsOn(name)
				return true
			})
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
				dt.Spec.DependsOn = h.dependsOn(name)
			}
			return true
		})
	case p < 62:
		h.say("delete %s", name)
		if h.rng.IntN(6) == 0 {
			h.say("with the deletion policy orphan")
			h.user(name, func(dt *v1alpha3.DeploymentTemplate) bool {
				dt.Annotations = map[string]string{v1alpha3.DeletionPolicyAnnotation: v1alpha3.DeletionPolicyOrphan}
				return true
			})
		}
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
		all := h.rng.IntN(3) == 0
		for id, d := range h.radius.Deployments() {
			if all && d.State == "Running" {
				h.oracle.Lost(id)
			}
		}
		if h.radius.Forget(all); h.azure != nil {
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
			h.say("time passes")
			h.run(time.Duration(1+h.rng.IntN(7)) * 10 * time.Minute)
		}
	}
	h.calm()
	h.run(45 * time.Minute)
	h.oracle.Settled(h.clocks)
	if h.maxTen > 80 {
		h.problem("an object made %d requests in ten seconds", h.maxTen)
	}
	puts := len(h.radius.Puts())
	h.run(30 * time.Minute)
	h.oracle.Rested(len(h.radius.Puts()) - puts)

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
	h.oracle.Empty()
	h.problems = append(h.problems, h.oracle.Problems...)
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
