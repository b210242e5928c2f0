package controller

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/internal/radiustest"
)

// These are the moments at which a resource could be left when all is deleted.

// shop makes a simulation with a template that is ready and has one resource.
func shop(t *testing.T) *sim {
	s := newSim(rand.New(rand.NewPCG(1, 7)))
	s.userCreate(&v1alpha3.DeploymentTemplate{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "shop"}, Spec: specOf("web")})
	s.run(20 * time.Second)
	templates, _ := s.all()
	require.Equal(t, v1alpha3.DeploymentTemplatePhraseReady, templates[0].Status.Phrase)
	return s
}

// specOf makes resources of names, one after the other.
func specOf(names ...string) v1alpha3.DeploymentTemplateSpec {
	var parts []string
	for _, name := range names {
		parts = append(parts, fmt.Sprintf(`%q: {"type": "Applications.Core/containers@2023-10-01-preview"}`, name))
	}
	return v1alpha3.DeploymentTemplateSpec{Template: `{"resources": {` + strings.Join(parts, ", ") + `}}`}
}

func (s *sim) change(spec v1alpha3.DeploymentTemplateSpec) {
	s.user("shop", func(dt *v1alpha3.DeploymentTemplate) bool { dt.Spec = spec; return true })
}

func (s *sim) deleteShop() {
	s.userDelete(&v1alpha3.DeploymentTemplate{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "shop"}})
}

func (s *sim) requireNothingLeft(t *testing.T) {
	t.Helper()
	templates, resources := s.all()
	require.Empty(t, s.problems)
	require.Empty(t, templates)
	require.Empty(t, resources)
	require.Empty(t, s.radius.Resources())
	require.Empty(t, s.radius.Deployments())
}

// isOf is true of requests for the deployment itself.
func isOf(r *radiustest.Request, method string) bool {
	return r.Method == method && strings.Contains(r.Path, "/deployments/") && !strings.HasSuffix(r.Path, "/operations")
}

// lostAnswer is the fault of a deployment that Radius takes, whose answer is lost, and that cannot be read afterwards.
func lostAnswer(r *radiustest.Request) *radiustest.Fault {
	switch {
	case isOf(r, http.MethodPut):
		return &radiustest.Fault{Status: 504, After: true}
	case isOf(r, http.MethodGet):
		return &radiustest.Fault{Status: 503}
	}
	return nil
}

// fails makes a resource fail.
func (s *sim) fails(name string) {
	s.radius.Set(func(r *radiustest.Server) {
		r.FailResource = func(id string) string {
			if strings.HasSuffix(id, "/"+name) {
				return "no such image"
			}
			return ""
		}
	})
}

// The answer to a change is lost. The deployment fails after it has made something, before anybody can ask.
func TestADeploymentFailsWhoseAnswerWasLost(t *testing.T) {
	s := shop(t)
	lost := true
	s.radius.Fault = func(r *radiustest.Request) *radiustest.Fault {
		if lost {
			return lostAnswer(r)
		}
		return nil
	}
	s.fails("web")
	s.change(specOf("api", "web"))
	s.run(10 * time.Second)
	require.Len(t, s.radius.Puts(), 2)
	require.Len(t, s.radius.Resources(), 2)
	s.deleteShop()
	lost = false
	s.run(time.Minute)
	s.requireNothingLeft(t)
}

// The same, and the change is sent again. Its record in Radius is that of the second try from then on, which fails at the
// resource that the first one has made. A user changes the object while the second one is sent, so that the status cannot be saved then.
func TestADeploymentIsSentAgainWhoseAnswerWasLost(t *testing.T) {
	s := shop(t)
	lost := true
	s.radius.Fault = func(r *radiustest.Request) *radiustest.Fault {
		switch {
		case lost:
			return lostAnswer(r)
		case isOf(r, http.MethodPut):
			s.user("shop", func(dt *v1alpha3.DeploymentTemplate) bool {
				dt.Annotations = map[string]string{v1alpha3.SuspendAnnotation: "true"}
				return true
			})
		}
		return nil
	}
	s.change(specOf("api", "web"))
	s.run(10 * time.Second)
	require.Len(t, s.radius.Resources(), 2)
	lost = false
	s.fails("api")
	s.run(time.Minute)
	require.Len(t, s.radius.Puts(), 3)
	s.deleteShop()
	s.run(time.Minute)
	require.NotEmpty(t, s.radius.Resources(), "what is suspended waits")
	s.user("shop", func(dt *v1alpha3.DeploymentTemplate) bool { dt.Annotations = nil; return true })
	s.run(time.Minute)
	s.requireNothingLeft(t)
}

// A deployment makes a resource again whose object is gone. The cache still shows the object, and shows that it is gone
// only after the result of the deployment was read.
func TestAResourceIsMadeAgainAfterItsObject(t *testing.T) {
	for name, closing := range map[string]bool{"an object can be made": false, "the namespace is being deleted": true} {
		t.Run(name, func(t *testing.T) {
			s := shop(t)
			again := specOf("web")
			again.Template = strings.Replace(again.Template, "{", `{"contentVersion": "2.0.0.0", `, 1)
			s.change(again)
			s.run(500 * time.Millisecond)
			_, resources := s.all()
			require.Len(t, resources, 1)
			dr := &resources[0]
			k := keyOf(dr)
			stale := s.cache[k].DeepCopyObject().(client.Object)
			now := metav1.NewTime(s.clock)
			stale.SetDeletionTimestamp(&now)
			dr.Finalizers = nil
			require.NoError(t, s.live.Update(context.Background(), dr))
			require.NoError(t, s.live.Delete(context.Background(), dr))
			s.cache[k] = stale
			s.radius.Remove(dr.Spec.ID)
			s.deleteShop()
			s.closing = closing
			s.run(8 * time.Second)
			require.Contains(t, s.radius.Resources(), strings.ToLower(dr.Spec.ID))
			s.wrote(dr)
			s.run(time.Minute)
			s.requireNothingLeft(t)
		})
	}
}

// Radius has lost the record of a deployment. Nobody can say what it made, so the user is told.
func TestARecordThatIsLostIsSaid(t *testing.T) {
	s := shop(t)
	s.change(specOf("api", "web"))
	s.run(3 * time.Second)
	s.deleteShop()
	s.radius.Forget(true)
	s.run(time.Minute)
	templates, _ := s.all()
	require.Empty(t, templates)
	require.Len(t, s.radius.Resources(), 1, "what it had made stays")
	require.Contains(t, strings.Join(s.events, "\n"), "Warning OutputsUnknown Radius has lost the record of the deployment and of what it made. "+
		"What no later deployment makes stays in Radius: look there, and delete it. It had begun with: /planes/radius/local/resourceGroups/default/providers/Applications.Core/containers/api")
}

// Radius lists no steps of a deployment that fails. The user is told once.
func TestAFailureWithoutStepsIsSaid(t *testing.T) {
	s := shop(t)
	s.radius.Fault = func(r *radiustest.Request) *radiustest.Fault {
		if strings.HasSuffix(r.Path, "/operations") {
			return &radiustest.Fault{Status: 404, Body: `{"error":{"code":"NotFound","message":"there are no operations"}}`}
		}
		return nil
	}
	s.fails("web")
	s.change(specOf("api", "web"))
	s.run(3 * time.Minute)
	require.Greater(t, len(s.radius.Puts()), 3)
	require.Equal(t, 1, strings.Count(strings.Join(s.events, "\n"), "Warning OutputsUnknown Radius does not list what the deployment made."))
}

// away makes all requests end as they do where the APIService of Radius is missing, until it is called.
func (s *sim) away(body string) (back func()) {
	s.radius.Fault = func(*radiustest.Request) *radiustest.Fault { return &radiustest.Fault{Status: 404, Body: body} }
	return func() { s.radius.Fault = nil }
}

// While Radius is away, nothing counts as deleted, and what is at rest stays so.
func TestRadiusIsAway(t *testing.T) {
	for name, body := range map[string]string{
		"the API server":      "404 page not found",
		"a Status":            `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"the server could not find the requested resource","code":404}`,
		"a path of its own":   `{"error":{"code":"NotFound","message":"The request 'GET /planes/radius/local' is invalid."}}`,
		"a page of the proxy": "<html>default backend - 404</html>",
	} {
		t.Run(name, func(t *testing.T) {
			s := shop(t)
			back := s.away(body)
			s.run(45 * time.Minute)
			templates, _ := s.all()
			require.Equal(t, v1alpha3.DeploymentTemplatePhraseReady, templates[0].Status.Phrase)
			s.deleteShop()
			s.run(30 * time.Minute)
			templates, resources := s.all()
			require.Len(t, templates, 1)
			require.Len(t, resources, 1)
			require.NotContains(t, strings.Join(s.events, "\n"), "ResourceDeleted")
			require.Contains(t, templates[0].Status.Message, "waits for the deletion of")
			require.Contains(t, resources[0].Status.Message, map[bool]string{true: "is invalid", false: "what answered is not Radius: 404 Not Found"}[strings.Contains(body, "error")])
			back()
			s.run(2 * time.Minute)
			s.requireNothingLeft(t)
			require.Len(t, s.radius.Puts(), 1)
		})
	}
}

// Radius answers nothing for three quarters of an hour. One object asks for all, the others say that they were not looked at, and all
// go on when it is back.
func TestAnOutageIsAskedForByOne(t *testing.T) {
	const many = 60
	s := newSim(rand.New(rand.NewPCG(1, 7)))
	for i := range many {
		name := fmt.Sprintf("shop%d", i)
		s.userCreate(&v1alpha3.DeploymentTemplate{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name}, Spec: specOf(name)})
	}
	s.run(time.Minute)
	observed := func() (blind int) {
		templates, _ := s.all()
		for i := range templates {
			conditions := templates[i].Status.Conditions
			require.True(t, meta.IsStatusConditionTrue(conditions, "Ready"))
			require.False(t, meta.IsStatusConditionTrue(conditions, "Stalled"))
			if meta.IsStatusConditionFalse(conditions, "Observed") {
				blind++
			}
		}
		return blind
	}
	require.Zero(t, observed())
	s.radius.Fault = func(*radiustest.Request) *radiustest.Fault {
		return &radiustest.Fault{Status: 503, Body: "service unavailable"}
	}
	s.run(15 * time.Minute)
	before := len(s.radius.Requests("", ""))
	s.run(30 * time.Minute)
	require.Less(t, len(s.radius.Requests("", ""))-before, 70, "requests in half an hour: every 30 seconds, of one")
	require.Equal(t, many, observed())
	require.Equal(t, many, strings.Count(strings.Join(s.events, "\n"), "Warning RadiusUnavailable since "), "each says it once")

	// An edit is tried at once, and waits for the others' answer.
	s.user("shop1", func(dt *v1alpha3.DeploymentTemplate) bool { dt.Spec = specOf("other"); return true })
	before = len(s.radius.Requests("", ""))
	s.run(10 * time.Millisecond)
	require.Greater(t, len(s.radius.Requests("", "")), before)
	s.radius.Fault = nil
	s.run(time.Minute)
	require.Zero(t, observed())
	require.Len(t, s.radius.Puts(), many+1)
	require.Empty(t, s.problems)
}

// kubectl delete --cascade=orphan lets the garbage collector take the owner references away, before or while the controller works. What was
// deployed is deleted all the same: the annotation deletion-policy leaves it.
func TestCascadeOrphan(t *testing.T) {
	old := false // the objects were made before they named their owner
	disown := func(s *sim) {
		_, resources := s.all()
		for i := range resources {
			resources[i].OwnerReferences = nil
			if old {
				resources[i].Annotations = nil
			}
			require.NoError(t, s.live.Update(context.Background(), &resources[i]))
			s.wrote(&resources[i])
		}
	}
	for name, delete := range map[string]func(s *sim){
		"before the controller works":  func(s *sim) { disown(s); s.deleteShop() },
		"while the controller works":   func(s *sim) { s.deleteShop(); s.run(300 * time.Millisecond); disown(s) },
		"objects of an old controller": func(s *sim) { old = true; disown(s); old = false; s.deleteShop() },
	} {
		t.Run(name, func(t *testing.T) {
			s := shop(t)
			s.change(specOf("web", "api"))
			s.run(20 * time.Second)
			delete(s)
			s.run(time.Minute)
			s.requireNothingLeft(t)
		})
	}
	s := shop(t)
	disown(s)
	s.run(time.Minute)
	_, resources := s.all()
	require.NotNil(t, metav1.GetControllerOf(&resources[0]), "the owner of an object that lives on is put back")
	require.Len(t, s.radius.Puts(), 1)
}

// Two templates deploy one resource, each its own way. The last wins, and both say so; when it drops the resource, or goes, the other deploys again.
func TestTheLastOfTwoDropsAResource(t *testing.T) {
	for name, drop := range map[string]func(s *sim){
		"by another spec": func(s *sim) {
			s.user("late", func(dt *v1alpha3.DeploymentTemplate) bool { dt.Spec = specOf("api"); return true })
		},
		"by its end": func(s *sim) {
			s.userDelete(&v1alpha3.DeploymentTemplate{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "late"}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := shop(t)
			message := func(name string) string {
				templates, _ := s.all()
				for _, dt := range templates {
					if dt.Name == name {
						require.True(t, meta.IsStatusConditionTrue(dt.Status.Conditions, "Ready"), dt.Status.Message)
						return dt.Status.Message
					}
				}
				return ""
			}
			late := specOf("web")
			late.Template = strings.Replace(late.Template, `preview"`, `preview", "properties": {"size": 2}`, 1)
			s.userCreate(&v1alpha3.DeploymentTemplate{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "late"}, Spec: late})
			s.run(20 * time.Second)
			require.Equal(t, "deployed; 1 resource; containers/web was deployed by the DeploymentTemplate late since, and is as that says", message("shop"))
			require.Equal(t, "deployed; 1 resource; containers/web was deployed by the DeploymentTemplate shop before", message("late"))
			web := s.radius.Resources()[0]
			require.Contains(t, s.radius.Made()[web].Contents, "size")
			drop(s)
			s.run(time.Minute)
			require.NotContains(t, s.radius.Made()[web].Contents, "size", "it is as the one says that is left")
			require.Equal(t, "deployed; 1 resource", message("shop"))
			require.Contains(t, strings.Join(s.events, "\n"), "DeploymentStarted deploys generation 1 again, because another DeploymentTemplate that deployed one of its resources does not any more")
			puts := len(s.radius.Puts())
			s.run(time.Hour)
			require.Len(t, s.radius.Puts(), puts)
			_, resources := s.all()
			require.NotContains(t, fmt.Sprint(resources), v1alpha3.DroppedAnnotation)
			require.Empty(t, s.problems)
		})
	}
	// The one that goes was the first: what the other says holds already.
	s := shop(t)
	s.userCreate(&v1alpha3.DeploymentTemplate{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "late"}, Spec: specOf("web")})
	s.run(20 * time.Second)
	s.deleteShop()
	s.run(time.Minute)
	require.Len(t, s.radius.Puts(), 2)
	require.Len(t, s.radius.Resources(), 1)
}

// hang makes a simulation in which what is deployed and deleted takes days from now on.
func hang(t *testing.T) *sim {
	s := shop(t)
	s.timeout = 5 * time.Hour
	s.restart()
	s.radius.Set(func(r *radiustest.Server) { r.DeployTime, r.DeleteTime = 72*time.Hour, 72*time.Hour })
	return s
}

// A deployment that does not end is told, asked for seldom, and does not hold up an edit or a deletion.
func TestADeploymentThatDoesNotEnd(t *testing.T) {
	s := hang(t)
	s.change(specOf("api", "web"))
	s.run(5*time.Hour + 11*time.Minute)
	ready := func() string {
		templates, _ := s.all()
		c := meta.FindStatusCondition(templates[0].Status.Conditions, "Ready")
		return string(c.Status) + "/" + c.Reason + ": " + templates[0].Status.Message
	}
	require.Contains(t, ready(), "False/OperationTimedOut")
	before := len(s.radius.Requests("", ""))
	s.run(10 * time.Hour)
	require.Less(t, len(s.radius.Requests("", ""))-before, 10*6*3, "two or three requests every ten minutes")
	require.Equal(t, 1, strings.Count(strings.Join(s.events, "\n"), "Warning OperationTimedOut"))

	s.change(specOf("other"))
	s.run(time.Minute)
	require.Len(t, s.radius.Puts(), 3)
	require.Contains(t, strings.Join(s.events, "\n"), "waits for a deployment that runs: DeploymentActive: the deployment is active")
	require.Contains(t, ready(), "generation 3 is deployed after it")
	s.radius.Set(func(r *radiustest.Server) { r.DeployTime, r.DeleteTime = 4*time.Second, 3*time.Second })
	s.radius.EndAll()
	s.run(time.Minute)
	require.Contains(t, ready(), "True/Succeeded")
	require.Len(t, s.radius.Resources(), 1, "what the late deployment made is deleted")
	s.deleteShop()
	s.run(time.Minute)
	s.requireNothingLeft(t)
}

// A late end is taken, and one that is deleted is not waited for.
func TestWhatHangsIsTakenLateAndDeleted(t *testing.T) {
	s := hang(t)
	s.change(specOf("api"))
	s.run(6 * time.Hour)
	s.radius.Set(func(r *radiustest.Server) { r.DeleteTime = 3 * time.Second })
	s.radius.EndAll()
	s.run(11 * time.Minute)
	templates, _ := s.all()
	require.True(t, meta.IsStatusConditionTrue(templates[0].Status.Conditions, "Ready"), templates[0].Status.Message)

	s.change(specOf("db"))
	s.run(6 * time.Hour)
	s.deleteShop()
	s.run(time.Minute)
	s.requireNothingLeft(t)
	require.Contains(t, strings.Join(s.events, "\n"), "Warning OutputsUnknown the deployment runs on in Radius, and is not waited for any more.")
}

// A deletion that does not end is told, and sent again.
func TestADeletionThatDoesNotEnd(t *testing.T) {
	s := hang(t)
	s.deleteShop()
	s.run(5*time.Hour + time.Minute)
	require.Contains(t, strings.Join(s.events, "\n"), "Warning DeletionFailed /planes/radius/local/resourceGroups/default/providers/Applications.Core/containers/web could not be deleted: the deletion did not end in 5h0m0s; it is sent again")
	require.Greater(t, len(s.radius.Requests(http.MethodDelete, "/containers/web")), 1)
	s.radius.EndAll()
	s.run(time.Minute)
	s.requireNothingLeft(t)
}

// What is deleted with the deletion policy "orphan" leaves no object behind: not where the cache has not seen one yet, and not
// where the other reconciler puts back the finalizer that was taken away.
func TestOrphansLeaveNoObject(t *testing.T) {
	for name, disturb := range map[string]func(s *sim){
		"the cache is behind": func(s *sim) {
			maps.DeleteFunc(s.cache, func(k kindKey, _ client.Object) bool { return k.kind == "DeploymentResource" })
		},
		"the finalizer is put back": func(s *sim) {
			s.disturb = func(s *sim) {
				_, resources := s.all()
				if len(resources) == 0 || len(resources[0].Finalizers) > 0 || !resources[0].DeletionTimestamp.IsZero() {
					return
				}
				s.disturb = nil
				s.deliver(len(s.pending))
				key := client.ObjectKeyFromObject(&resources[0])
				_, err := s.resources.Reconcile(context.Background(), ctrl.Request{NamespacedName: key})
				require.NoError(t, err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := shop(t)
			s.user("shop", func(dt *v1alpha3.DeploymentTemplate) bool {
				dt.Annotations = map[string]string{v1alpha3.DeletionPolicyAnnotation: v1alpha3.DeletionPolicyOrphan}
				return true
			})
			s.run(time.Second)
			disturb(s)
			s.userDelete(&v1alpha3.DeploymentTemplate{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "shop"}})
			// No later event may be needed: the template goes last.
			for range 1000 {
				templates, resources := s.all()
				if len(templates) == 0 {
					require.Empty(t, resources)
					break
				}
				s.step(s.clock.Add(time.Minute))
			}
			require.Len(t, s.radius.Resources(), 1)
			require.Empty(t, s.radius.Requests(http.MethodDelete, ""))
		})
	}
}
