package integration

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/stretchr/testify/require"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/check"
	"github.com/radbicep/rad/controller/internal/radiustest"
	"github.com/radbicep/rad/controller/manager"
)

func silence() {
	if os.Getenv("CONTROLLER_TEST_LOG") == "" {
		klog.SetLogger(logr.Discard())
		ctrl.SetLogger(logr.Discard())
	}
}

var namespaces atomic.Int64

// world is a namespace of the API server with a Radius and a manager of its own.
type world struct {
	*testing.T
	client.Client
	ns       string
	cluster  *rest.Config
	radius   *radiustest.Server
	endpoint string
	settings manager.Settings
	checks   *check.Registry
	stop     func()
}

func newWorld(t *testing.T, change ...func(*world)) *world {
	t.Helper()
	t.Parallel()
	w := &world{T: t, ns: fmt.Sprintf("ns%d", namespaces.Add(1)), radius: &radiustest.Server{BasePath: "/base"}, checks: check.NewRegistry()}
	w.cluster = cluster
	w.settings = manager.Settings{
		MetricsBindAddress: "0", HealthProbeBindAddress: "0", MaxConcurrentReconciles: 16, PollInterval: 5 * time.Second,
		DefaultResourceGroup: "default", WatchNamespaces: []string{w.ns}, AnyControllerName: true,
	}
	for _, f := range change {
		f(w)
	}
	w.Client = newClient(t, w.cluster)
	server := httptest.NewServer(w.radius)
	w.endpoint = server.URL + "/base"
	if w.settings.RadiusEndpoint == "" {
		w.settings.RadiusEndpoint = w.endpoint
	}
	w.start()
	t.Cleanup(func() {
		w.stop()
		server.CloseClientConnections()
		server.Close()
	})
	return w
}

func newClient(t *testing.T, cluster *rest.Config) client.Client {
	scheme := runtime.NewScheme()
	require.NoError(t, v1alpha3.AddToScheme(scheme))
	c, err := client.New(cluster, client.Options{Scheme: scheme})
	require.NoError(t, err)
	return c
}

// start starts a manager; stop stops it.
func (w *world) start() {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- manager.Run(ctx, w.cluster, w.settings, w.checks) }()
	stopped := false
	w.stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		select {
		case err := <-done:
			if err != nil {
				w.Errorf("the manager ended with: %v", err)
			}
		case <-time.After(25 * time.Second):
			w.Errorf("the manager does not end")
		}
	}
}

// template is the text of a template with resources given as symbol=type@version.
func template(resources ...string) string {
	var parts []string
	for _, r := range resources {
		symbol, typ, _ := strings.Cut(r, "=")
		parts = append(parts, fmt.Sprintf(`%q: {"import": "radius", "type": %q, "properties": {"name": %q}}`, symbol, typ, symbol))
	}
	return `{"languageVersion": "2.0", "contentVersion": "1.0.0.0",
 "parameters": {"port": {"type": "int", "defaultValue": 1}, "password": {"type": "securestring", "defaultValue": ""}, "tag": {"type": "string", "defaultValue": "x"}},
 "resources": {` + strings.Join(parts, ", ") + `}}`
}

const (
	app  = "app=Applications.Core/applications@2023-10-01-preview"
	env  = "env=Applications.Core/environments@2023-10-01-preview"
	web  = "web=Applications.Core/containers@2023-10-01-preview"
	db   = "db=Radius.Data/redisCaches@2025-08-01-preview"
	root = "/planes/radius/local/resourcegroups/default/providers/"
)

func text(s string) *apiextensionsv1.JSON {
	quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s)
	return &apiextensionsv1.JSON{Raw: []byte(`"` + quoted + `"`)}
}

func (w *world) create(name, template string, change ...func(*v1alpha3.DeploymentTemplate)) *v1alpha3.DeploymentTemplate {
	w.Helper()
	dt := &v1alpha3.DeploymentTemplate{ObjectMeta: metav1.ObjectMeta{Namespace: w.ns, Name: name}, Spec: v1alpha3.DeploymentTemplateSpec{Template: template}}
	for _, f := range change {
		f(dt)
	}
	require.NoError(w, w.Create(context.Background(), dt))
	return dt
}

func (w *world) get(name string) *v1alpha3.DeploymentTemplate {
	w.Helper()
	dt := &v1alpha3.DeploymentTemplate{}
	require.NoError(w, w.Get(context.Background(), client.ObjectKey{Namespace: w.ns, Name: name}, dt))
	return dt
}

// change changes the newest copy of a template, again if somebody else did.
func (w *world) change(name string, f func(*v1alpha3.DeploymentTemplate)) {
	w.Helper()
	dt := w.get(name)
	base := dt.DeepCopy()
	f(dt)
	require.NoError(w, w.Patch(context.Background(), dt, client.MergeFrom(base)))
}

func annotate(key, value string) func(*v1alpha3.DeploymentTemplate) {
	return func(dt *v1alpha3.DeploymentTemplate) {
		if dt.Annotations == nil {
			dt.Annotations = map[string]string{}
		}
		dt.Annotations[key] = value
		if value == "" {
			delete(dt.Annotations, key)
		}
	}
}

func (w *world) children() []v1alpha3.DeploymentResource {
	w.Helper()
	var list v1alpha3.DeploymentResourceList
	require.NoError(w, w.List(context.Background(), &list, client.InNamespace(w.ns)))
	return list.Items
}

func (w *world) delete(name string) {
	w.Helper()
	require.NoError(w, w.Delete(context.Background(), &v1alpha3.DeploymentTemplate{ObjectMeta: metav1.ObjectMeta{Namespace: w.ns, Name: name}}))
}

// eventually waits until f returns "", and reports what it said last.
func (w *world) eventually(f func() string) {
	w.Helper()
	w.within(30*time.Second, f)
}

func (w *world) within(limit time.Duration, f func() string) {
	w.Helper()
	deadline := time.Now().Add(limit)
	for {
		said := f()
		if said == "" {
			return
		}
		if time.Now().After(deadline) {
			w.Fatalf("after %s: %s\nrequests:\n%s", limit, said, w.log())
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func (w *world) log() string {
	var b strings.Builder
	all := w.radius.Requests("", "")
	for _, r := range all[max(0, len(all)-60):] {
		fmt.Fprintln(&b, r.At.Format("05.000"), r.Method, r.Path, r.Status)
	}
	return b.String()
}

func condition(conditions []metav1.Condition, typ string) string {
	c := meta.FindStatusCondition(conditions, typ)
	if c == nil {
		return "none"
	}
	return string(c.Status) + "/" + c.Reason
}

// waitFor waits until Ready is status/reason for the newest generation.
func (w *world) waitFor(name, ready string) *v1alpha3.DeploymentTemplate {
	w.Helper()
	var dt *v1alpha3.DeploymentTemplate
	w.eventually(func() string {
		dt = w.get(name)
		if got := condition(dt.Status.Conditions, "Ready"); got != ready || dt.Status.ObservedGeneration != dt.Generation {
			return fmt.Sprintf("%s is %s (%s, %s; generation %d of %d), want %s", name, got, dt.Status.Phrase, dt.Status.Message, dt.Status.ObservedGeneration, dt.Generation, ready)
		}
		return ""
	})
	return dt
}

func (w *world) waitGone(name string) {
	w.Helper()
	w.eventually(func() string {
		dt := &v1alpha3.DeploymentTemplate{}
		switch err := w.Get(context.Background(), client.ObjectKey{Namespace: w.ns, Name: name}, dt); {
		case apierrors.IsNotFound(err):
			return ""
		case err != nil:
			return err.Error()
		}
		return fmt.Sprintf("%s is there: %s %s", name, dt.Status.Phrase, dt.Status.Message)
	})
}

type deploymentTemplate = v1alpha3.DeploymentTemplate
