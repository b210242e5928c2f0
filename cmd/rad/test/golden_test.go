package test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	goyaml "github.com/goccy/go-yaml"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/command"
	"github.com/radbicep/rad/pkg/armjson"
)

var update = flag.Bool("update", false, "write the expected outputs of testdata/")

// samples is the folder of the sample templates. Each has an app.bicep or an
// app.json, maybe args.txt with the arguments of generate-kubernetes-manifest, one a
// line, and its goldens:
//
//	template.json     what build prints
//	manifest.yaml     what generate-kubernetes-manifest writes
//	manifest.radius.yaml  the same with --target radius
//	diagnostics.txt   what build says
//	messages.txt      what generate-kubernetes-manifest says
//
// A golden that would be empty is not there.
const samples = "../../../testdata"

var goldens = []string{"template.json", "manifest.yaml", "manifest.radius.yaml", "diagnostics.txt", "messages.txt"}

// others are the folders of TestOfficialAnswers, TestSamplesOfTargets and TestSamplesOfExamples.
var others = []string{"official", "targets", "examples"}

func TestSamples(t *testing.T) {
	entries, err := os.ReadDir(samples)
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(entries), 20)
	for _, e := range entries {
		if slices.Contains(others, e.Name()) {
			continue
		}
		t.Run(e.Name(), func(t *testing.T) {
			t.Parallel()
			testSample(t, filepath.Join(samples, e.Name()))
		})
	}
}

func testSample(t *testing.T, dir string) {
	abs, err := filepath.Abs(dir)
	require.NoError(t, err)
	input := filepath.Join(dir, "app.bicep")
	if _, err := os.Stat(input); err != nil {
		input = filepath.Join(dir, "app.json")
	}
	got := map[string]string{}
	local := func(s string) string { // messages do not tell where the repository lies
		s = strings.ReplaceAll(s, abs+string(filepath.Separator), "")
		return strings.ReplaceAll(s, dir+string(filepath.Separator), "")
	}
	if strings.HasSuffix(input, ".bicep") {
		status, out, errs := runIn(t, "bicep", "build", "--stdout", "--compiler", "embedded", input)
		assert.False(t, status != 0 && out != "", "build failed and printed a template")
		assert.Equal(t, strings.Contains(errs, ": Error "), (status != 0), "build ended with status %d and said %s", status, errs)
		got["template.json"], got["diagnostics.txt"] = out, local(errs)
	}
	args := []string{"bicep", "generate-kubernetes-manifest", "--compiler", "embedded", "--outfile", "-", input}
	for _, target := range []string{"design", "radius"} {
		more := sampleArgs(t, dir)
		if target == "radius" {
			more = append(more, "--target", "radius")
			if !strings.Contains(strings.Join(more, " "), "--group ") {
				more = append(more, "--group", "default")
			}
		}
		status, out, errs := runIn(t, append(args, more...)...)
		assert.False(t, status != 0 && out != "", "generate-kubernetes-manifest failed and printed a manifest")
		if target == "design" {
			got["manifest.yaml"], got["messages.txt"] = out, local(errs)
			compareManifest(t, out, got["template.json"])
		} else {
			got["manifest.radius.yaml"] = out
			compareManifest(t, out, "")
		}
	}
	for _, name := range goldens {
		compareGolden(t, filepath.Join(dir, name), got[name])
	}
}

// TestSamplesOfExamples: what the programs of examples/ print that are run by another program elsewhere.
func TestSamplesOfExamples(t *testing.T) {
	var application struct {
		Spec struct {
			Source struct {
				Plugin struct {
					Parameters []map[string]any `json:"parameters"`
				} `json:"plugin"`
			} `json:"source"`
		} `json:"spec"`
	}
	text, err := os.ReadFile("../../../examples/argocd/application.yaml")
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text, &application))
	parameters, err := json.Marshal(application.Spec.Source.Plugin.Parameters)
	require.NoError(t, err)
	for _, c := range []struct{ golden, folder, script string }{
		{"aso-azure", "aso", `rad bicep generate-kubernetes-manifest azure.bicep --target aso -o - \
			--subscription-id 00000000-0000-0000-0000-000000000001 --resource-group apps --location westeurope`},
		{"aso-app", "aso", "rad bicep generate-kubernetes-manifest app.bicep --name shop --secure-parameters reference -o -"},
		{"kustomize", "kustomize", `{ printf 'kind: ResourceList\nfunctionConfig:\n'; sed 's/^/  /' shop.yaml; } | rad bicep fn`},
		{"argocd", "argocd/app", "ARGOCD_APP_NAMESPACE=shop ARGOCD_APP_PARAMETERS='" + string(parameters) + "' rad bicep argocd generate"},
		{"pre-commit", "pre-commit", "rad bicep generate-kubernetes-manifest -o - --hermetic"},
	} {
		t.Run(c.golden, func(t *testing.T) {
			t.Parallel()
			dir, sh := workbench(t)
			dir = filepath.Join(dir, "examples")
			require.NoError(t, os.CopyFS(dir, os.DirFS(filepath.Join("../../../examples", c.folder))))
			status, out := sh("cd examples && " + c.script)
			require.Zero(t, status, out)
			compareGolden(t, filepath.Join(samples, "examples", c.golden+".txt"), out)
		})
	}
}

func sampleArgs(t *testing.T, dir string) []string {
	text, err := os.ReadFile(filepath.Join(dir, "args.txt"))
	if os.IsNotExist(err) {
		return nil
	}
	require.NoError(t, err)
	var args []string
	for line := range strings.SplitSeq(strings.TrimSuffix(string(text), "\n"), "\n") {
		if path, ok := strings.CutPrefix(line, "@"); ok {
			line = "@" + filepath.Join(dir, path)
		} else if strings.HasSuffix(line, ".bicepparam") {
			line = filepath.Join(dir, line)
		}
		args = append(args, line)
	}
	return args
}

func runIn(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = command.Run(context.Background(), args, strings.NewReader(""), &out, &errs)
	if status >= cli.ExitBug {
		t.Errorf("%s: status %d: %s", strings.Join(args, " "), status, errs.String())
	}
	return status, out.String(), errs.String()
}

func compareGolden(t *testing.T, path, got string) {
	t.Helper()
	want, err := os.ReadFile(path)
	require.False(t, err != nil && !os.IsNotExist(err), "%v", err)
	if string(want) == got {
		return
	}
	if !*update {
		assert.Equal(t, string(want), got, "%s differs (make golden writes it)", path)
		return
	}
	if got == "" {
		err = os.Remove(path)
	} else {
		err = os.WriteFile(path, []byte(got), 0o666)
	}
	require.NoError(t, err)
}

// compareManifest reads a manifest back by two YAML parsers and holds what it
// says to the template that went in.
func compareManifest(t *testing.T, manifest, template string) {
	t.Helper()
	if manifest == "" {
		return
	}
	var one, two map[string]any
	assert.NoError(t, yaml.UnmarshalStrict([]byte(manifest), &one), "sigs.k8s.io/yaml")
	assert.NoError(t, goyaml.Unmarshal([]byte(manifest), &two), "goccy/go-yaml")
	assert.Equal(t, one, two, "two parsers read two manifests")
	assert.Contains(t, manifest, "\n  template: |\n", "the template is not a literal block")
	if template == "" {
		return
	}
	spec, _ := one["spec"].(map[string]any)
	text, _ := spec["template"].(string)
	got, err := armjson.Parse(text, armjson.Options{})
	require.NoError(t, err)
	want, err := armjson.Parse(template, armjson.Options{})
	require.NoError(t, err)
	assert.True(t, armjson.Equal(got, want), "the manifest holds another template than build prints")
}

// TestNoGoldenIsOrphaned finds files in the samples that nothing reads.
func TestNoGoldenIsOrphaned(t *testing.T) {
	t.Parallel()
	known := map[string]bool{"args.txt": true}
	for _, g := range goldens {
		known[g] = true
	}
	dirs, err := filepath.Glob(filepath.Join(samples, "*"))
	require.NoError(t, err)
	for _, dir := range dirs {
		if slices.Contains(others, filepath.Base(dir)) {
			continue
		}
		_, bicepErr := os.Stat(filepath.Join(dir, "app.bicep"))
		_, jsonErr := os.Stat(filepath.Join(dir, "app.json"))
		assert.False(t, bicepErr != nil && jsonErr != nil, "%s has neither app.bicep nor app.json: its goldens are orphaned", dir)
		files, err := os.ReadDir(dir)
		require.NoError(t, err)
		for _, f := range files {
			ext := filepath.Ext(f.Name())
			isGolden := strings.HasPrefix(f.Name(), "manifest") || strings.HasPrefix(f.Name(), "template") || ext == ".txt" || ext == ".yaml"
			if !f.IsDir() && isGolden && !known[f.Name()] {
				t.Errorf("%s: no test looks at it", filepath.Join(dir, f.Name()))
			}
		}
	}
}
