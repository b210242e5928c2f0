package integration

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	noopoteltrace "go.opentelemetry.io/otel/trace/noop"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	"k8s.io/apiextensions-apiserver/pkg/cmd/server/options"
	generatedopenapi "k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	openapinamer "k8s.io/apiserver/pkg/endpoints/openapi"
	genericapiserver "k8s.io/apiserver/pkg/server"
	genericoptions "k8s.io/apiserver/pkg/server/options"
	"k8s.io/apiserver/pkg/server/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/util/openapi"
	"k8s.io/apiserver/pkg/util/webhook"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
	"sigs.k8s.io/yaml"

	"github.com/radbicep/rad/controller/api/v1alpha3"
	"github.com/radbicep/rad/controller/check"
	"github.com/radbicep/rad/controller/manager"
)

// forbidden holds, for a namespace, the user who has no right there. A user's name is the bearer token.
var forbidden sync.Map

// startAPIServer runs the API server of custom resources, with its store, in this process. It
// has all that it does for custom resources in a cluster: schemas, defaults, status, finalizers,
// server-side apply and watches. It has no namespaces, core types, RBAC and garbage collection.
func startAPIServer(dir string) (config *rest.Config, stop func(), err error) {
	etcdConfig := embed.NewConfig()
	etcdConfig.Dir = filepath.Join(dir, "etcd")
	local := url.URL{Scheme: "http", Host: "127.0.0.1:0"}
	etcdConfig.ListenClientUrls, etcdConfig.AdvertiseClientUrls = []url.URL{local}, []url.URL{local}
	etcdConfig.ListenPeerUrls, etcdConfig.AdvertisePeerUrls = []url.URL{local}, []url.URL{local}
	etcdConfig.InitialCluster = etcdConfig.InitialClusterFromName(etcdConfig.Name)
	etcdConfig.UnsafeNoFsync, etcdConfig.TickMs, etcdConfig.ElectionMs = true, 10, 100
	etcdConfig.LogLevel, etcdConfig.LogOutputs = "fatal", []string{os.DevNull}
	etcd, err := embed.StartEtcd(etcdConfig)
	if err != nil {
		return nil, nil, err
	}
	select {
	case <-etcd.Server.ReadyNotify():
	case <-time.After(30 * time.Second):
		etcd.Close()
		return nil, nil, fmt.Errorf("etcd does not become ready")
	}

	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		etcd.Close()
		return nil, nil, err
	}
	config = &rest.Config{Host: "http://" + listener.Addr().String(), QPS: -1}

	generic := genericapiserver.NewRecommendedConfig(apiserver.Codecs)
	run := genericoptions.NewServerRunOptions()
	if err := run.Complete(); err != nil {
		return nil, nil, err
	}
	if err := run.ApplyTo(&generic.Config); err != nil {
		return nil, nil, err
	}
	generic.ExternalAddress = listener.Addr().String()
	generic.LoopbackClientConfig = config
	generic.Authentication.Authenticator = authenticator.RequestFunc(func(r *http.Request) (*authenticator.Response, bool, error) {
		if name, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
			return &authenticator.Response{User: &user.DefaultInfo{Name: name}}, true, nil
		}
		return &authenticator.Response{User: &user.DefaultInfo{Name: "admin", Groups: []string{user.SystemPrivilegedGroup}}}, true, nil
	})
	generic.Authorization.Authorizer = authorizer.AuthorizerFunc(func(_ context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
		if who, found := forbidden.Load(a.GetNamespace()); found && who == a.GetUser().GetName() {
			return authorizer.DecisionDeny, "", nil
		}
		return authorizer.DecisionAllow, "", nil
	})
	generic.AdmissionControl = admission.NewChainHandler() // CRDs that are being deleted ask it
	generic.MergedResourceConfig = storage.NewResourceConfig()
	generic.MergedResourceConfig.EnableVersions(apiextensionsv1.SchemeGroupVersion)
	definitions := openapi.GetOpenAPIDefinitionsWithoutDisabledFeatures(generatedopenapi.GetOpenAPIDefinitions)
	namer := openapinamer.NewDefinitionNamer(apiserver.Scheme, clientscheme.Scheme)
	// Without the former, the latter does not tell of CRDs.
	generic.OpenAPIConfig = genericapiserver.DefaultOpenAPIConfig(definitions, namer)
	generic.OpenAPIConfig.Info.Title, generic.OpenAPIConfig.Info.Version = "CRDs", "1"
	generic.OpenAPIV3Config = genericapiserver.DefaultOpenAPIV3Config(definitions, namer)
	store := genericoptions.NewEtcdOptions(storagebackend.NewDefaultConfig("/registry", apiserver.Codecs.LegacyCodec(apiextensionsv1.SchemeGroupVersion)))
	store.StorageConfig.Transport.ServerList = []string{"http://" + etcd.Clients[0].Addr().String()}
	if err := store.ApplyTo(&generic.Config); err != nil {
		return nil, nil, err
	}
	server, err := (&apiserver.Config{
		GenericConfig: generic,
		ExtraConfig: apiserver.ExtraConfig{
			CRDRESTOptionsGetter: options.NewCRDRESTOptionsGetter(*store, generic.ResourceTransformers, generic.StorageObjectCountTracker),
			ServiceResolver:      webhook.NewDefaultServiceResolver(),
			AuthResolverWrapper:  webhook.NewDefaultAuthenticationInfoResolverWrapper(nil, nil, config, noopoteltrace.NewTracerProvider()),
		},
	}).Complete().New(genericapiserver.NewEmptyDelegate())
	if err != nil {
		return nil, nil, err
	}
	prepared := server.GenericAPIServer.PrepareRun()
	ctx, cancel := context.WithCancel(context.Background())
	front := &http.Server{Handler: discovery(prepared.Handler), ErrorLog: nil}
	go front.Serve(listener)
	done := make(chan struct{})
	go func() { defer close(done); _ = prepared.RunWithContext(ctx) }()
	return config, func() {
		cancel()
		front.Close()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
		}
		etcd.Close()
	}, nil
}

// discovery answers what a whole API server adds to that of custom resources: the lists of groups.
func discovery(next http.Handler) http.Handler {
	write := func(w http.ResponseWriter, v any) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(v)
	}
	group := func(name, version string) metav1.APIGroup {
		v := metav1.GroupVersionForDiscovery{GroupVersion: name + "/" + version, Version: version}
		return metav1.APIGroup{Name: name, Versions: []metav1.GroupVersionForDiscovery{v}, PreferredVersion: v}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if object, ok := strings.CutPrefix(r.URL.Path, "/api/v1/namespaces/"); ok {
			sources.answer(w, r, object)
			return
		}
		switch r.URL.Path {
		case "/api", "/api/":
			write(w, metav1.APIVersions{TypeMeta: metav1.TypeMeta{Kind: "APIVersions", APIVersion: "v1"}, Versions: []string{"v1"}})
		case "/api/v1":
			list := metav1.APIResourceList{TypeMeta: metav1.TypeMeta{Kind: "APIResourceList", APIVersion: "v1"}, GroupVersion: "v1"}
			for kind, name := range map[string]string{"Secret": "secrets", "ConfigMap": "configmaps"} {
				list.APIResources = append(list.APIResources, metav1.APIResource{Name: name, Kind: kind, Namespaced: true, Verbs: metav1.Verbs{"get"}})
			}
			write(w, list)
		case "/apis", "/apis/":
			write(w, metav1.APIGroupList{TypeMeta: metav1.TypeMeta{Kind: "APIGroupList", APIVersion: "v1"},
				Groups: []metav1.APIGroup{group("radapp.io", "v1alpha3"), group("apiextensions.k8s.io", "v1")}})
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// installCRDs creates the CRDs of config/crd and waits until they are served.
func installCRDs(ctx context.Context, config *rest.Config) error {
	client, err := clientset.NewForConfig(config)
	if err != nil {
		return err
	}
	files, err := filepath.Glob("../../config/crd/radapp.io_*.yaml")
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no CRDs: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		crd := &apiextensionsv1.CustomResourceDefinition{}
		if err := yaml.UnmarshalStrict(text, crd); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if _, err := client.ApiextensionsV1().CustomResourceDefinitions().Create(ctx, crd, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		for {
			got, err := client.ApiextensionsV1().CustomResourceDefinitions().Get(ctx, crd.Name, metav1.GetOptions{})
			if err != nil {
				return err
			}
			established := false
			for _, c := range got.Status.Conditions {
				if c.Type == apiextensionsv1.NonStructuralSchema && c.Status == apiextensionsv1.ConditionTrue {
					return fmt.Errorf("%s: %s", file, c.Message)
				}
				established = established || c.Type == apiextensionsv1.Established && c.Status == apiextensionsv1.ConditionTrue
			}
			if established {
				break
			}
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(20 * time.Millisecond):
			}
		}
	}
	// Clients learn of the kinds by discovery, which another loop of the API server fills.
	for _, kind := range []string{"DeploymentTemplate", "DeploymentResource"} {
		for !discovered(config, kind) {
			select {
			case <-ctx.Done():
				return fmt.Errorf("the API server does not tell clients of %s: %w", kind, ctx.Err())
			case <-time.After(20 * time.Millisecond):
			}
		}
	}
	return nil
}

// discovered is true if a client that is made now knows a kind.
func discovered(config *rest.Config, kind string) bool {
	httpClient, err := rest.HTTPClientFor(config)
	if err != nil {
		return false
	}
	mapper, err := apiutil.NewDynamicRESTMapper(config, httpClient)
	if err != nil {
		return false
	}
	_, err = mapper.RESTMapping(schema.GroupKind{Group: v1alpha3.GroupVersion.Group, Kind: kind}, v1alpha3.GroupVersion.Version)
	return err == nil
}

var (
	cluster   *rest.Config
	serverDir string // for what all tests share
)

// asController makes the test's binary the controller's.
const asController = "RAD_CONTROLLER_TEST_MAIN"

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	if os.Getenv(asController) != "" {
		return manager.Main(os.Args[1:], check.NewRegistry()) // a process of its own, which can be killed
	}
	silence()
	if os.Getenv("GOGC") == "" && os.Getenv("SCALE") == "" { // make scale measures memory
		debug.SetGCPercent(400)
	}
	dir, err := os.MkdirTemp("", "apiserver")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	serverDir = dir
	config, stop, err := startAPIServer(dir)
	if err == nil {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		err = installCRDs(ctx, config)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "the API server:", err)
		return 1
	}
	defer stop()
	cluster = config
	return m.Run()
}
