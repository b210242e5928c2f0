package controller

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/radbicep/rad/controller/api/v1alpha3"
)

func on(names ...string) (all []v1alpha3.Dependency) {
	for _, name := range names {
		all = append(all, v1alpha3.Dependency{APIVersion: "radapp.io/v1alpha3", Kind: "DeploymentTemplate", Name: name})
	}
	return all
}

const webOfSim = "/planes/radius/local/resourceGroups/default/providers/Applications.Core/containers/web"

// add makes a template of one container that depends on others.
func (s *sim) add(name string, on []v1alpha3.Dependency) {
	spec := specOf(name)
	spec.DependsOn = on
	s.userCreate(&v1alpha3.DeploymentTemplate{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name}, Spec: spec})
}

// readyOf is what the condition Ready of a template says.
func (s *sim) readyOf(t *testing.T, name string) string {
	templates, _ := s.all()
	for _, dt := range templates {
		if dt.Name == name {
			ready := meta.FindStatusCondition(dt.Status.Conditions, "Ready")
			require.NotNil(t, ready)
			return string(ready.Status) + " " + ready.Reason + ": " + ready.Message
		}
	}
	return "gone"
}

// A new spec waits until each object that it depends on is ready with its own generation. What is deployed stays so, and deletion has no order.
func TestDependsOn(t *testing.T) {
	s := shop(t)
	s.add("web", on("db", "cache"))
	s.run(10 * time.Second)
	require.Equal(t, "False DependencyNotReady: waits for what spec.dependsOn names: DeploymentTemplate db does not exist; "+
		"DeploymentTemplate cache does not exist", s.readyOf(t, "web"))
	s.add("db", nil)
	s.add("cache", nil)
	s.run(3 * time.Second)
	require.Contains(t, s.readyOf(t, "web"), "DeploymentTemplate cache is not ready: ")
	s.run(time.Minute)
	require.Contains(t, s.readyOf(t, "web"), "True Succeeded")
	puts := s.radius.Puts()
	require.Contains(t, puts[len(puts)-1].Body, "web")

	// An edit of what it depends on is nothing to it, until it has a new spec itself. A look is made, and nothing is sent.
	suspend := func(name, value string) {
		s.user(name, func(dt *v1alpha3.DeploymentTemplate) bool {
			dt.Annotations = map[string]string{v1alpha3.SuspendAnnotation: value}
			return true
		})
	}
	suspend("db", "true")
	s.user("db", func(dt *v1alpha3.DeploymentTemplate) bool { dt.Spec = specOf("db", "more"); return true })
	s.run(time.Minute)
	require.Contains(t, s.readyOf(t, "web"), "True Succeeded")
	// What is deployed is sent again without a look, on request and for drift.
	for n, annotation := range []string{v1alpha3.RedeployRequestAnnotation, v1alpha3.ReconcileRequestAnnotation} {
		if annotation == v1alpha3.ReconcileRequestAnnotation {
			s.radius.Remove(webOfSim)
		}
		s.user("web", func(dt *v1alpha3.DeploymentTemplate) bool {
			dt.Annotations = map[string]string{annotation: "now"}
			return true
		})
		s.run(time.Minute)
		require.Contains(t, s.readyOf(t, "web"), "True Succeeded")
		require.Len(t, s.radius.Puts(), len(puts)+n+1)
	}
	puts = s.radius.Puts()
	s.user("web", func(dt *v1alpha3.DeploymentTemplate) bool {
		dt.Spec.Template = specOf("web", "api").Template
		return true
	})
	s.run(time.Minute)
	require.Contains(t, s.readyOf(t, "web"), "DependencyNotReady: waits for what spec.dependsOn names: DeploymentTemplate db is not ready")
	require.Len(t, s.radius.Puts(), len(puts))
	suspend("db", "")
	s.run(time.Minute)
	require.Contains(t, s.readyOf(t, "web"), "True Succeeded")

	s.userDelete(&v1alpha3.DeploymentTemplate{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "db"}})
	s.run(time.Minute)
	require.Equal(t, "gone", s.readyOf(t, "db"))
	require.Contains(t, s.readyOf(t, "web"), "True Succeeded")
	require.Empty(t, s.problems)
}

// Dependencies that go in a circle are told. A change of any of them ends it.
func TestDependenciesInACircle(t *testing.T) {
	s := shop(t)
	s.add("a", on("b"))
	s.add("b", on("c"))
	s.add("c", on("a"))
	s.add("waits", on("a"))
	s.run(30 * time.Second)
	require.Equal(t, "False DependencyNotReady: spec.dependsOn goes in a circle: a -> b -> c -> a", s.readyOf(t, "a"))
	require.Contains(t, s.readyOf(t, "waits"), "DeploymentTemplate a is not ready: spec.dependsOn goes in a circle")
	templates, _ := s.all()
	require.True(t, meta.IsStatusConditionTrue(templates[0].Status.Conditions, "Stalled"))
	require.Equal(t, 3, strings.Count(strings.Join(s.events, "\n"), "Warning DependencyNotReady"))
	s.user("c", func(dt *v1alpha3.DeploymentTemplate) bool { dt.Spec.DependsOn = nil; return true })
	s.run(time.Minute)
	for _, name := range []string{"a", "b", "c", "waits"} {
		require.Contains(t, s.readyOf(t, name), "True Succeeded")
	}
}

// Who depends on one of a circle and on something else is not held up by the circle: that one may become ready.
func TestACircleThatHoldsNothingUp(t *testing.T) {
	s := shop(t)
	s.add("a", nil)
	s.run(time.Minute)
	s.add("b", on("a", "later"))
	s.user("a", func(dt *v1alpha3.DeploymentTemplate) bool { dt.Spec.DependsOn = on("b"); return true })
	s.run(time.Minute)
	require.Equal(t, "False DependencyNotReady: waits for what spec.dependsOn names: DeploymentTemplate later does not exist",
		s.readyOf(t, "b"))
	s.add("later", nil)
	s.run(time.Minute)
	require.Contains(t, s.readyOf(t, "b"), "True Succeeded")
}

// A chain of templates in which each waits for the next costs no request for each link: neither a look at the next, nor that for a circle.
func TestAChainThatWaits(t *testing.T) {
	const links = 40
	s := shop(t)
	s.run(time.Minute)
	last := "nothing"
	for i := range links {
		name := fmt.Sprint("link", i)
		s.add(name, on(last))
		last = name
	}
	s.run(time.Minute) // each has said what it waits for
	asked := 0
	s.disturb = func(*sim) { asked++ }
	s.run(time.Minute)
	s.disturb = nil
	require.Contains(t, s.readyOf(t, last), "waits for what spec.dependsOn names: DeploymentTemplate link38 is not ready")
	require.LessOrEqual(t, asked, 2*links, "requests to the API server and to Radius in a minute, of which it looks twelve times")
}

// An object that says nothing of its own generation does not count as ready, though kstatus may call it current.
func TestWhatIsReady(t *testing.T) {
	s := shop(t)
	require.NoError(t, corev1.AddToScheme(s.scheme))
	require.NoError(t, s.live.Create(context.Background(), &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "p", Generation: 1}}))
	ask := func(apiVersion, kind, name string) string {
		on := v1alpha3.Dependency{APIVersion: apiVersion, Kind: kind, Name: name}
		problem, err := s.templates.notReady(context.Background(), "ns", on)
		require.NoError(t, err)
		return problem
	}
	require.Equal(t, "does not say whether it is ready", ask("v1", "Pod", "p"))
	require.Empty(t, ask("radapp.io/v1alpha3", "DeploymentTemplate", "shop"))
	s.change(specOf("web", "api"))
	s.deliver(len(s.pending))
	require.Equal(t, "is not ready in its generation 2", ask("radapp.io/v1alpha3", "DeploymentTemplate", "shop"))
}
