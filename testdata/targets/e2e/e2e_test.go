// Package e2e applies the expected objects of the targets' programs to a real API server, in
// the test's process, with the real CRDs: by a server-side dry run, with strict validation.
// make targets-e2e makes the CRDs and runs it.
package e2e

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.etcd.io/etcd/server/v3/embed"
	noopoteltrace "go.opentelemetry.io/otel/trace/noop"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/cmd/server/options"
	generatedopenapi "k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	openapinamer "k8s.io/apiserver/pkg/endpoints/openapi"
	genericapiserver "k8s.io/apiserver/pkg/server"
	genericoptions "k8s.io/apiserver/pkg/server/options"
	"k8s.io/apiserver/pkg/server/storage"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/apiserver/pkg/util/openapi"
	"k8s.io/apiserver/pkg/util/webhook"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"
)

// start runs the API server of custom resources, with its store.
func start(t *testing.T) string {
	store := embed.NewConfig()
	store.Dir = filepath.Join(t.TempDir(), "etcd")
	local := url.URL{Scheme: "http", Host: "127.0.0.1:0"}
	store.ListenClientUrls, store.AdvertiseClientUrls = []url.URL{local}, []url.URL{local}
	store.ListenPeerUrls, store.AdvertisePeerUrls = []url.URL{local}, []url.URL{local}
	store.InitialCluster = store.InitialClusterFromName(store.Name)
	store.UnsafeNoFsync, store.LogLevel, store.LogOutputs = true, "fatal", []string{os.DevNull}
	etcd, err := embed.StartEtcd(store)
	require.NoError(t, err)
	t.Cleanup(etcd.Close)
	select {
	case <-etcd.Server.ReadyNotify():
	case <-time.After(time.Minute):
		t.Fatal("the store does not become ready")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	config := &rest.Config{Host: "http://" + listener.Addr().String(), QPS: -1}

	generic := genericapiserver.NewRecommendedConfig(apiserver.Codecs)
	run := genericoptions.NewServerRunOptions()
	require.NoError(t, run.Complete())
	require.NoError(t, run.ApplyTo(&generic.Config))
	generic.ExternalAddress = listener.Addr().String()
	generic.LoopbackClientConfig = config
	generic.Authentication.Authenticator = authenticator.RequestFunc(func(*http.Request) (*authenticator.Response, bool, error) {
		return &authenticator.Response{User: &user.DefaultInfo{Name: "admin", Groups: []string{user.SystemPrivilegedGroup}}}, true, nil
	})
	generic.Authorization.Authorizer = authorizerfactory.NewAlwaysAllowAuthorizer()
	generic.MergedResourceConfig = storage.NewResourceConfig()
	generic.MergedResourceConfig.EnableVersions(apiextensionsv1.SchemeGroupVersion)
	generic.OpenAPIV3Config = genericapiserver.DefaultOpenAPIV3Config(openapi.GetOpenAPIDefinitionsWithoutDisabledFeatures(generatedopenapi.GetOpenAPIDefinitions), openapinamer.NewDefinitionNamer(apiserver.Scheme, clientscheme.Scheme))
	kept := genericoptions.NewEtcdOptions(storagebackend.NewDefaultConfig("/registry", apiserver.Codecs.LegacyCodec(apiextensionsv1.SchemeGroupVersion)))
	kept.StorageConfig.Transport.ServerList = []string{"http://" + etcd.Clients[0].Addr().String()}
	require.NoError(t, kept.ApplyTo(&generic.Config))
	server, err := (&apiserver.Config{
		GenericConfig: generic,
		ExtraConfig: apiserver.ExtraConfig{
			CRDRESTOptionsGetter: options.NewCRDRESTOptionsGetter(*kept, generic.ResourceTransformers, generic.StorageObjectCountTracker),
			ServiceResolver:      webhook.NewDefaultServiceResolver(),
			AuthResolverWrapper:  webhook.NewDefaultAuthenticationInfoResolverWrapper(nil, nil, config, noopoteltrace.NewTracerProvider()),
		},
	}).Complete().New(genericapiserver.NewEmptyDelegate())
	require.NoError(t, err)
	prepared := server.GenericAPIServer.PrepareRun()
	ctx, cancel := context.WithCancel(context.Background())
	front := &http.Server{Handler: prepared.Handler}
	go func() { _ = front.Serve(listener) }()
	done := make(chan struct{})
	go func() { defer close(done); _ = prepared.RunWithContext(ctx) }()
	t.Cleanup(func() {
		cancel()
		front.Close()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
		}
	})
	return config.Host
}

// send sends a request and returns the answer's status and text.
func send(t *testing.T, method, at, kind string, body []byte) (int, string) {
	t.Helper()
	request, err := http.NewRequest(method, at, bytes.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Content-Type", kind)
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, string(text)
}

// crds reads the CRDs in the folders that TARGETS_CRDS lists.
func crds(t *testing.T) map[string]*apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	if os.Getenv("TARGETS_CRDS") == "" {
		t.Skip("TARGETS_CRDS names no folder with CRDs; make targets-e2e makes one")
	}
	byKind := map[string]*apiextensionsv1.CustomResourceDefinition{}
	for _, dir := range filepath.SplitList(os.Getenv("TARGETS_CRDS")) {
		if dir == "" {
			continue
		}
		files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
		require.NoError(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			crd := &apiextensionsv1.CustomResourceDefinition{}
			require.NoError(t, yaml.Unmarshal(text, crd), file)
			crd.Spec.Conversion = nil // there is no webhook here
			byKind[crd.Spec.Group+"/"+crd.Spec.Names.Kind] = crd
		}
	}
	require.NotEmpty(t, byKind)
	return byKind
}

type document struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name, Namespace string
	} `json:"metadata"`
}

func TestObjectsAreAccepted(t *testing.T) {
	known := crds(t)
	host := start(t)
	installed := map[string]bool{}
	install := func(crd *apiextensionsv1.CustomResourceDefinition) {
		if installed[crd.Name] {
			return
		}
		installed[crd.Name] = true
		text, err := yaml.Marshal(crd)
		require.NoError(t, err)
		status, answer := send(t, http.MethodPost, host+"/apis/apiextensions.k8s.io/v1/customresourcedefinitions", "application/yaml", text)
		require.Equal(t, http.StatusCreated, status, "%s: %s", crd.Name, answer)
	}
	accepted, without := 0, map[string]bool{}
	for _, target := range []string{"aso", "crossplane"} {
		files, err := filepath.Glob(filepath.Join("..", target, "*.yaml"))
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, one := range strings.Split(string(text), "---\n") {
				var d document
				require.NoError(t, yaml.Unmarshal([]byte(one), &d), file)
				group, _, _ := strings.Cut(d.APIVersion, "/")
				crd := known[group+"/"+d.Kind]
				if crd == nil {
					without[group+"/"+d.Kind] = true
					continue
				}
				install(crd)
				namespace := d.Metadata.Namespace
				if namespace == "" {
					namespace = "default"
				}
				at := fmt.Sprintf("%s/apis/%s/namespaces/%s/%s/%s?dryRun=All&fieldManager=test&fieldValidation=Strict&force=true", host, d.APIVersion, namespace, crd.Spec.Names.Plural, d.Metadata.Name)
				var status int
				var answer string
				for deadline := time.Now().Add(time.Minute); ; time.Sleep(200 * time.Millisecond) { // until the kind is served
					status, answer = send(t, http.MethodPatch, at, "application/apply-patch+yaml", []byte(one))
					if status != http.StatusNotFound && status != http.StatusServiceUnavailable || time.Now().After(deadline) {
						break
					}
				}
				if status != http.StatusOK && status != http.StatusCreated {
					t.Errorf("%s: %s %s: status %d: %s", file, d.Kind, d.Metadata.Name, status, answer)
					continue
				}
				accepted++
			}
		}
	}
	require.Positive(t, accepted)
	t.Logf("%d objects of %d kinds accepted", accepted, len(installed))
	for kind := range without {
		t.Logf("%s has no CRD in TARGETS_CRDS; its objects were not tried", kind)
	}
}

// TestWrongObjectsAreRefused: the server looks, so that being accepted says something.
func TestWrongObjectsAreRefused(t *testing.T) {
	known := crds(t)
	crd := known["managedidentity.azure.com/UserAssignedIdentity"]
	if crd == nil {
		t.Skip("TARGETS_CRDS has no CRDs of Azure Service Operator")
	}
	host := start(t)
	text, err := yaml.Marshal(crd)
	require.NoError(t, err)
	status, answer := send(t, http.MethodPost, host+"/apis/apiextensions.k8s.io/v1/customresourcedefinitions", "application/yaml", text)
	require.Equal(t, http.StatusCreated, status, answer)
	object := "apiVersion: managedidentity.azure.com/v1api20230131\nkind: UserAssignedIdentity\nmetadata:\n  name: me\nspec:\n  owner:\n    name: g\n  location: westeurope\n"
	at := host + "/apis/managedidentity.azure.com/v1api20230131/namespaces/default/userassignedidentities/me?dryRun=All&fieldManager=test&fieldValidation=Strict"
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(200 * time.Millisecond) {
		if status, answer = send(t, http.MethodPatch, at, "application/apply-patch+yaml", []byte(object)); status != http.StatusNotFound || time.Now().After(deadline) {
			break
		}
	}
	require.Contains(t, []int{http.StatusOK, http.StatusCreated}, status, answer)
	for _, wrong := range []string{object + "  nope: 1\n", strings.Replace(object, "  location: westeurope\n", "", 1), strings.Replace(object, "location: westeurope", "location: 1", 1)} {
		status, answer = send(t, http.MethodPatch, at, "application/apply-patch+yaml", []byte(wrong))
		require.GreaterOrEqual(t, status, 400, "%s\n%s", wrong, answer)
	}
}
