// Package test runs the plugin of this folder in Argo CD's own plugin server, over its protocol:
// files go in as a stream, manifests come back. It is a module of its own, since Argo CD is large.
package test

import (
	"context"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/argoproj/argo-cd/v3/cmpserver/apiclient"
	"github.com/argoproj/argo-cd/v3/cmpserver/plugin"
	"github.com/argoproj/argo-cd/v3/common"
	"github.com/argoproj/argo-cd/v3/util/cmp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// start starts the plugin server with plugin.yaml and returns a client.
func start(t *testing.T) apiclient.ConfigManagementPluginServiceClient {
	t.Helper()
	bin := t.TempDir()
	build := exec.Command("go", "build", "-C", "../../..", "-o", bin+string(filepath.Separator), "./cmd/rad")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("HOME", t.TempDir())
	t.Setenv("SECRET", "hunter2")
	t.Setenv(common.EnvCMPWorkDir, t.TempDir())
	config, err := plugin.ReadPluginConfig("..")
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	service := plugin.NewService(plugin.CMPServerInitConstants{PluginConfig: *config})
	if err := service.Init(common.GetCMPWorkDir()); err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	apiclient.RegisterConfigManagementPluginServiceServer(server, service)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	connection, err := grpc.NewClient(listener.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	return apiclient.NewConfigManagementPluginServiceClient(connection)
}

func TestPlugin(t *testing.T) {
	client := start(t)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	repository := t.TempDir()
	if err := os.CopyFS(filepath.Join(repository, "app"), os.DirFS(filepath.Join("..", "app"))); err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(repository, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("docs/README.md", "nothing for the plugin\n")

	for folder, want := range map[string]bool{"app": true, "docs": false} {
		stream, err := client.MatchRepository(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if err := cmp.SendRepoStream(ctx, filepath.Join(repository, folder), repository, stream, nil, nil); err != nil {
			t.Fatal(err)
		}
		answer, err := stream.CloseAndRecv()
		if err != nil {
			t.Fatal(err)
		}
		if !answer.IsDiscoveryEnabled || answer.IsSupported != want {
			t.Errorf("%s: %v", folder, answer)
		}
	}

	generate := func(env ...string) (string, error) {
		t.Helper()
		stream, err := client.GenerateManifest(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if err := cmp.SendRepoStream(ctx, filepath.Join(repository, "app"), repository, stream, env, nil); err != nil {
			t.Fatal(err)
		}
		answer, err := stream.CloseAndRecv()
		if err != nil {
			return "", err
		}
		return strings.Join(answer.Manifests, "\n---\n"), nil
	}
	parameters := `ARGOCD_APP_PARAMETERS=[{"name": "template", "string": "prod.bicepparam"}, {"name": "parameters", "map": {"replicas": "3"}}]`
	text, err := generate("ARGOCD_APP_NAMESPACE=shop", parameters)
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Kind     string
		Metadata struct{ Name, Namespace string }
		Spec     struct{ Template, Parameters string }
	}
	if err := json.Unmarshal([]byte(text), &manifest); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if manifest.Kind != "DeploymentTemplate" || manifest.Metadata.Namespace != "shop" || !strings.Contains(manifest.Spec.Parameters, `"value": 3`) || !strings.Contains(manifest.Spec.Template, "templateHash") {
		t.Errorf("%s", text)
	}

	// Files may be called anything.
	for _, name := range []string{"a b", "it's", `say "no"`, "-o", "--check", "@r", "two\nlines", "$(id)"} {
		write(filepath.Join("app", name+".bicep"), "output o string = 'odd'\n")
		named, err := json.Marshal([]map[string]string{{"name": "template", "string": name + ".bicep"}, {"name": "name", "string": "odd"}})
		if err != nil {
			t.Fatal(err)
		}
		if text, err := generate("ARGOCD_APP_PARAMETERS=" + string(named)); err != nil || !strings.Contains(text, `\"odd\"`) {
			t.Errorf("%q: %v: %s", name, err, text)
		}
		if err := os.Remove(filepath.Join(repository, "app", name+".bicep")); err != nil {
			t.Fatal(err)
		}
	}

	// The environment of the server is closed, that of the Application is not.
	write("app/prod.bicepparam", "using 'app.bicep'\nparam environment = readEnvironmentVariable('SECRET', 'closed')\nparam tag = readEnvironmentVariable('ARGOCD_ENV_TAG')\n")
	if text, err = generate(parameters, "ARGOCD_ENV_TAG=from-the-application"); err != nil || !strings.Contains(text, "closed") || !strings.Contains(text, "from-the-application") || strings.Contains(text, "hunter2") {
		t.Errorf("%v: %s", err, text)
	}

	// The user of Argo CD sees what is wrong, with its place.
	write("app/prod.bicepparam", "using 'app.bicep'\nparam environment = 1\nparam tag = 'v1'\n")
	if _, err = generate(parameters); err == nil || !strings.Contains(err.Error(), "prod.bicepparam(2,21) : Error BCP033") {
		t.Errorf("the error is %v", err)
	}

	stream, err := client.GetParametersAnnouncement(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := cmp.SendRepoStream(ctx, filepath.Join(repository, "app"), repository, stream, []string{`ARGOCD_APP_PARAMETERS=[{"name": "template", "string": "app.bicep"}]`}, nil); err != nil {
		t.Fatal(err)
	}
	answer, err := stream.CloseAndRecv()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range answer.ParameterAnnouncements {
		if p.Name == "parameters" && p.Map["replicas"] == "1" && p.CollectionType == "map" {
			return
		}
	}
	t.Errorf("announced: %v", answer.ParameterAnnouncements)
}
