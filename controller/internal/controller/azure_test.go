package controller

import (
	"errors"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/internal/armtest"
	"github.com/radbicep/rad/controller/internal/radiustest"
)

const storeID = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/store"

// store is a spec with a storage account, as it is to be.
func store(tier string) v1alpha3.DeploymentTemplateSpec {
	return v1alpha3.DeploymentTemplateSpec{Template: `{"resources": {
		"store": {"type": "Microsoft.Storage/storageAccounts@2023-01-01", "name": "store", "properties": {"accessTier": "` + tier + `"}},
		"web": {"type": "Applications.Core/containers@2023-10-01-preview"}}}`}
}

// storeShop is a simulation with a storage account in Azure, which is ready for as long as has passed.
func storeShop(t *testing.T, passed time.Duration, set func(s *sim)) *sim {
	s := newSim(rand.New(rand.NewPCG(1, 7)))
	s.withAzure()
	if set != nil {
		set(s)
		s.restart()
	}
	s.userCreate(&v1alpha3.DeploymentTemplate{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "shop"}, Spec: store("Hot")})
	s.run(passed)
	return s
}

func (s *sim) template() v1alpha3.DeploymentTemplate {
	templates, _ := s.all()
	return templates[0]
}

// A storage account that Radius deployed is looked at, changed, made again and deleted.
func TestAzure(t *testing.T) {
	t.Parallel()
	for name, way := range map[string]int{"status": armtest.ByStatus, "location": armtest.ByLocation, "nothing": armtest.ByNothing} {
		s := storeShop(t, 20*time.Second, func(s *sim) { s.azure.Way, s.azure.Lag = way, 90*time.Second })
		require.Equal(t, v1alpha3.DeploymentTemplatePhraseReady, s.template().Status.Phrase)
		require.Equal(t, []string{strings.ToLower(storeID)}, s.azure.Resources())

		s.change(store("Cool"))
		s.run(30 * time.Second)
		require.Contains(t, s.azure.Made()[strings.ToLower(storeID)].Contents, "Cool", name)

		s.run(10 * time.Minute)
		puts := len(s.radius.Puts())
		s.azure.Remove(storeID)
		s.run(12 * time.Minute)
		require.Len(t, s.azure.Resources(), 1, "what is missing is made again")
		require.Len(t, s.radius.Puts(), puts+1)
		require.Contains(t, strings.Join(s.events, "\n"), "Normal DriftRepaired")
		require.Contains(t, s.azure.Requests(http.MethodGet, "storageAccounts/store")[0].Query, "api-version=2023-01-01", "the template's version")

		s.deleteShop()
		s.run(6 * time.Minute) // a 404 that comes too soon is no end
		s.requireNothingLeft(t)
		require.Empty(t, s.azure.Resources(), name)
		require.Empty(t, s.radius.Requests("", "azurecloud"), "Radius is not asked for what is Azure's")
		for _, r := range s.azure.Requests("", "") {
			require.Equal(t, "management.azure.com", r.Host, "the token goes to no other host")
		}
	}
}

// Azure took a deletion and gave no URL. What is there again afterwards, because somebody has made it, does not hold up the object for ever: the
// deletion is sent again, unless another template has the resource now.
func TestADeletionWithoutAURLEnds(t *testing.T) {
	t.Parallel()
	for _, shared := range []bool{false, true} {
		s := storeShop(t, 20*time.Minute, func(s *sim) { s.azure.Way = armtest.ByNothing })
		s.azure.Set(func(a *armtest.Server) {
			a.Fault = func(r *armtest.Request) *armtest.Fault {
				if r.Method == http.MethodGet {
					return &armtest.Fault{Status: 503}
				}
				return nil
			}
		})
		s.deleteShop()
		s.run(20 * time.Second) // the deletion has ended, and the controller cannot know
		require.Empty(t, s.azure.Resources())
		want := 0
		if shared {
			want = 1
			s.userCreate(&v1alpha3.DeploymentTemplate{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "other"}, Spec: store("Hot")})
			s.run(10 * time.Second)
		} else {
			s.azure.Make(storeID, nil, "somebody")
		}
		s.azure.Set(func(a *armtest.Server) { a.Fault = nil })
		s.run(15 * time.Minute)
		require.Equal(t, "gone", s.readyOf(t, "shop"))
		require.Len(t, s.azure.Resources(), want)
		require.Len(t, s.azure.Requests(http.MethodDelete, "storageAccounts/store"), 2-want)
	}
}

// Without a credential nothing is asked of Azure, and Radius is asked as before.
func TestAzureWithoutACredential(t *testing.T) {
	t.Parallel()
	s := newSim(rand.New(rand.NewPCG(1, 7)))
	spec := v1alpha3.DeploymentTemplateSpec{Template: `{"resources": {
		"store": {"type": "Microsoft.Storage/storageAccounts@2023-01-01", "name": "store"},
		"keep": {"type": "Microsoft.Authorization/locks@2020-05-01", "name": "keep"}}}`}
	s.userCreate(&v1alpha3.DeploymentTemplate{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "shop"}, Spec: spec})
	s.run(30 * time.Minute)
	require.Empty(t, s.radius.Requests("", "/providers/Microsoft.Storage"))
	s.radius.Set(func(s2 *radiustest.Server) { s2.NoAzure = true })
	s.deleteShop()
	s.run(10 * time.Second)
	_, resources := s.all()
	require.Len(t, resources, 2)
	for _, dr := range resources {
		require.Contains(t, dr.Status.Message, "could not be deleted through Radius, which has no access to it")
	}
}

// What Azure refuses is said, with Azure's words, and tried late. When somebody has acted, it goes on.
func TestAzureRefuses(t *testing.T) {
	t.Parallel()
	arm := func(f func(a *armtest.Server)) func(*sim) { return func(s *sim) { s.azure.Set(f) } }
	for name, tt := range map[string]struct {
		refuse, allow func(s *sim)
		says          string
		reason        string
		most          int // deletions in half an hour
	}{
		"a lock": {arm(func(a *armtest.Server) { a.Locks = []string{storeID} }), arm(func(a *armtest.Server) { a.Locks = nil }), "ScopeLocked: The scope", "DeletionFailed", 6},
		"no right": {arm(func(a *armtest.Server) { a.Denied = []string{storeID} }), arm(func(a *armtest.Server) { a.Denied = nil }),
			"AuthorizationFailed: The client", "DeletionFailed", 6},
		"no such subscription": {arm(func(a *armtest.Server) { a.Subscriptions = []string{"other"} }), arm(func(a *armtest.Server) { a.Subscriptions = nil }),
			"SubscriptionNotFound: The subscription 's' could not be found", "DeletionFailed", 6},
		"it fails": {arm(func(a *armtest.Server) { a.FailDelete = func(string) string { return "a container is in use" } }), arm(func(a *armtest.Server) { a.FailDelete = nil }),
			"a container is in use", "DeletionFailed", 40},
		"no token": {func(s *sim) { s.noToken = errors.New("AADSTS700016: no application"); s.restart() }, func(s *sim) { s.noToken = nil }, "Azure did not answer: ", "AzureUnavailable", 0},
		"a version that went": {arm(func(a *armtest.Server) {
			a.Versions = map[string][]string{"microsoft.storage/storageaccounts": {"2030-01-01", "2031-01-01-preview"}}
			a.Locks = []string{storeID}
		}), arm(func(a *armtest.Server) { a.Locks = nil }), "ScopeLocked", "DeletionFailed", 12},
		"--azure-delete=false": {func(s *sim) { s.keeps = true; s.restart() }, func(s *sim) { s.keeps = false; s.restart() }, "--azure-delete=false", "DeletionFailed", 0},
		"another scope": {func(s *sim) { s.scopes = []string{"/planes/radius/local/resourceGroups/*"}; s.restart() }, func(s *sim) { s.scopes = nil; s.restart() },
			"outside of the scopes", "DeletionFailed", 0},
	} {
		s := storeShop(t, 10*time.Minute, nil)
		tt.refuse(s)
		s.deleteShop()
		s.run(30 * time.Minute)
		_, resources := s.all()
		require.Len(t, resources, 1, name)
		ready := meta.FindStatusCondition(resources[0].Status.Conditions, v1alpha3.ConditionReady)
		require.Contains(t, ready.Message, tt.says, name)
		require.Equal(t, tt.reason, ready.Reason, name)
		require.LessOrEqual(t, len(s.azure.Requests(http.MethodDelete, "")), tt.most, name)
		require.Contains(t, s.template().Status.Message, tt.says, name)
		require.Len(t, s.azure.Resources(), 1, name)
		tt.allow(s)
		s.run(11 * time.Minute)
		require.Empty(t, s.azure.Resources(), name)
		s.requireNothingLeft(t)
	}
}

// A request of the user does not wait until a lock is tried again.
func TestALockIsTriedAgainOnRequest(t *testing.T) {
	t.Parallel()
	s := storeShop(t, 10*time.Minute, nil)
	s.azure.Set(func(a *armtest.Server) { a.Locks = []string{storeID} })
	s.deleteShop()
	s.run(40 * time.Minute)
	s.azure.Set(func(a *armtest.Server) { a.Locks = nil })
	_, resources := s.all()
	dr := &resources[0]
	dr.Annotations[v1alpha3.ReconcileRequestAnnotation] = "now"
	require.NoError(t, s.live.Update(t.Context(), dr))
	s.wrote(dr)
	s.run(20 * time.Second)
	s.requireNothingLeft(t)
}

// Not all of Azure knows at once what was made: in the first minutes a 404 neither deploys again nor ends a deletion.
func TestAzureIsBehind(t *testing.T) {
	t.Parallel()
	s := storeShop(t, 15*time.Second, func(s *sim) { s.azure.Lag = 4 * time.Minute })
	s.user("shop", func(dt *v1alpha3.DeploymentTemplate) bool {
		dt.Annotations = map[string]string{v1alpha3.ReconcileRequestAnnotation: "now"}
		return true
	})
	s.run(time.Minute)
	require.Len(t, s.radius.Puts(), 1)
	s.deleteShop()
	s.run(10 * time.Minute)
	s.requireNothingLeft(t)
	require.Empty(t, s.azure.Resources())

	// What really went is let go when the minutes are over.
	s = storeShop(t, 15*time.Second, nil)
	s.azure.Remove(storeID)
	s.deleteShop()
	s.run(time.Minute)
	_, resources := s.all()
	require.Contains(t, resources[0].Status.Message, "certain only some minutes after a deployment")
	s.run(10 * time.Minute)
	s.requireNothingLeft(t)
}

// What Azure does not show is said: nobody knows then whether it is there.
func TestAzureShowsNothing(t *testing.T) {
	t.Parallel()
	s := storeShop(t, 10*time.Minute, nil)
	s.azure.Set(func(a *armtest.Server) { a.Denied = []string{storeID} })
	s.run(12 * time.Minute)
	observed := func() *metav1.Condition {
		return meta.FindStatusCondition(s.template().Status.Conditions, v1alpha3.ConditionObserved)
	}
	require.NotNil(t, observed())
	require.Equal(t, v1alpha3.ReasonResourceNotReadable, observed().Reason)
	require.Contains(t, observed().Message, "AuthorizationFailed")
	require.Equal(t, v1alpha3.DeploymentTemplatePhraseReady, s.template().Status.Phrase)
	require.Equal(t, 1, strings.Count(strings.Join(s.events, "\n"), "Warning ResourceNotReadable"))
	s.run(time.Hour)
	require.LessOrEqual(t, len(s.azure.Requests(http.MethodGet, "store")), 10, "it is asked for late")
	s.azure.Set(func(a *armtest.Server) { a.Denied = nil })
	s.run(12 * time.Minute)
	require.Nil(t, observed())
}

// What lies outside of --allowed-scopes is not read either.
func TestAzureOutsideOfTheScopes(t *testing.T) {
	t.Parallel()
	s := storeShop(t, 10*time.Minute, nil)
	s.scopes = []string{"/planes/radius/local/resourceGroups/*"}
	s.restart()
	asked := len(s.azure.Requests("", ""))
	s.run(30 * time.Minute)
	require.Len(t, s.azure.Requests("", ""), asked)
	require.Contains(t, meta.FindStatusCondition(s.template().Status.Conditions, v1alpha3.ConditionObserved).Message, "outside of the scopes")
	s.scopes = append(s.scopes, "/subscriptions/*/resourceGroups/g")
	s.restart()
	s.run(30 * time.Minute)
	require.Greater(t, len(s.azure.Requests("", "")), asked)
}

// A version that Azure has retired is replaced by one that the type has.
func TestAzureRetiresAVersion(t *testing.T) {
	t.Parallel()
	s := storeShop(t, 10*time.Minute, nil)
	s.azure.Set(func(a *armtest.Server) {
		a.Versions = map[string][]string{"microsoft.storage/storageaccounts": {"2030-01-01", "2031-01-01-preview"}}
	})
	s.run(12 * time.Minute)
	require.Nil(t, meta.FindStatusCondition(s.template().Status.Conditions, v1alpha3.ConditionObserved))
	gets := s.azure.Requests(http.MethodGet, "storageAccounts/store")
	require.Contains(t, gets[len(gets)-1].Query, "2030-01-01")
	s.deleteShop()
	s.run(time.Minute)
	s.requireNothingLeft(t)
	require.Empty(t, s.azure.Resources())
}

// Azure says how long nothing is to be asked: no object of the subscription asks in that time.
func TestAzureThrottles(t *testing.T) {
	t.Parallel()
	s := storeShop(t, 10*time.Minute, nil)
	var until time.Time
	early := 0
	s.azure.Set(func(a *armtest.Server) {
		a.Fault = func(r *armtest.Request) *armtest.Fault {
			if s.clock.Before(until) {
				early++
			}
			if until.IsZero() {
				until = s.clock.Add(3 * time.Minute)
				return &armtest.Fault{Status: 429, RetryAfter: "180", Body: armtest.Problem("SubscriptionRequestsThrottled", "Number of requests exceeded the limit.")}
			}
			return nil
		}
	})
	s.deleteShop()
	s.run(2 * time.Minute)
	_, resources := s.all()
	require.Len(t, resources, 1)
	require.Equal(t, v1alpha3.ReasonAzureUnavailable, meta.FindStatusCondition(resources[0].Status.Conditions, v1alpha3.ConditionReady).Reason)
	require.Zero(t, early)
	s.run(3 * time.Minute)
	s.requireNothingLeft(t)
	require.Empty(t, s.azure.Resources())
}

// A lock that a template deploys goes before what it locks.
func TestLocksGoFirst(t *testing.T) {
	t.Parallel()
	s := storeShop(t, 10*time.Minute, nil)
	s.change(v1alpha3.DeploymentTemplateSpec{Template: `{"resources": {
		"store": {"type": "Microsoft.Storage/storageAccounts@2023-01-01", "name": "store"},
		"keep": {"type": "Microsoft.Authorization/locks@2020-05-01", "name": "keep"}}}`})
	s.run(10 * time.Minute)
	s.deleteShop()
	s.run(time.Minute)
	s.requireNothingLeft(t)
	deletions := s.azure.Requests(http.MethodDelete, "")
	require.Len(t, deletions, 2)
	require.Contains(t, deletions[0].Path, "locks")
}
