package integration

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"
)

var walkthroughStep = regexp.MustCompile("(?s)<!-- walkthrough -->\n```sh\n(.*?)\n```")

// The commands of docs/controller-walkthrough.md do what the page says. The program of the root
// module is run; kubectl's three commands are done as kubectl does them, since tests have none.
func TestTheWalkthrough(t *testing.T) {
	w := newWorld(t, func(w *world) { w.ns = "default"; w.settings.WatchNamespaces = []string{"default"} })
	page, err := os.ReadFile("../../../docs/controller-walkthrough.md")
	require.NoError(t, err)
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	dir := t.TempDir()
	steps := walkthroughStep.FindAllStringSubmatch(string(page), -1)
	require.Len(t, steps, 6)
	for _, s := range steps {
		command := s[1]
		words := strings.Fields(command)
		t.Log(command)
		switch {
		case strings.HasPrefix(command, "go run ./cmd/rad "):
			i := len(words) - 1
			words[i] = filepath.Join(dir, words[i])
			cmd := exec.Command(words[0], words[1:]...)
			cmd.Dir = root
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
		case strings.HasPrefix(command, "kubectl apply -f "):
			o := readManifest(t, filepath.Join(dir, words[3]))
			existing := o.DeepCopy()
			err := w.Get(context.Background(), client.ObjectKeyFromObject(o), existing)
			if apierrors.IsNotFound(err) {
				require.NoError(t, w.Create(context.Background(), o))
				continue
			}
			require.NoError(t, err)
			require.Empty(t, patchOf(t, o, existing), "kubectl would not say unchanged")
			require.Len(t, w.radius.Puts(), 1)
		case strings.HasPrefix(command, "kubectl wait deploymenttemplate/"):
			name := strings.TrimPrefix(words[2], "deploymenttemplate/")
			w.within(time.Minute, func() string {
				dt := w.get(name)
				c := meta.FindStatusCondition(dt.Status.Conditions, "Ready")
				if c == nil || c.Status != metav1.ConditionTrue || c.ObservedGeneration < dt.Generation {
					return "not ready: " + dt.Status.Message
				}
				return ""
			})
		case strings.HasPrefix(command, "kubectl get deploymentresources"):
			children := w.children()
			require.Len(t, children, 1)
			require.Contains(t, children[0].Spec.ID, "/Applications.Core/environments/shop-env")
		case strings.HasPrefix(command, "kubectl delete -f "):
			o := readManifest(t, filepath.Join(dir, words[3]))
			require.NoError(t, w.Delete(context.Background(), o))
			w.waitGone(o.GetName())
			require.Empty(t, w.radius.Resources())
		default:
			t.Fatalf("the test cannot run %q", command)
		}
	}
}

func readManifest(t *testing.T, file string) *unstructured.Unstructured {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	o := &unstructured.Unstructured{}
	require.NoError(t, yaml.Unmarshal(text, &o.Object))
	return o
}

// The sample of the documentation deploys.
func TestTheSample(t *testing.T) {
	w := newWorld(t)
	o := readManifest(t, "../../config/samples/deploymenttemplate.yaml")
	o.SetNamespace(w.ns)
	require.NoError(t, w.Create(context.Background(), o))
	w.waitFor("demo", "True/Succeeded")
	require.Len(t, w.children(), 2)
}

// The page names every flag, every reason and every annotation.
func TestThePageIsComplete(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/controller.md")
	require.NoError(t, err)
	out, _ := func() ([]byte, error) {
		cmd := exec.Command(os.Args[0], "--help")
		cmd.Env = append(os.Environ(), asController+"=1")
		return cmd.CombinedOutput()
	}()
	flags := regexp.MustCompile(`(?m)^  -([a-z-]+)`).FindAllStringSubmatch(string(out), -1)
	require.Greater(t, len(flags), 15)
	for _, f := range flags {
		if f[1] != "version" {
			require.Contains(t, string(page), "`--"+f[1], "the page does not name the flag")
		}
	}
	source, err := os.ReadFile("../../api/v1alpha3/names.go")
	require.NoError(t, err)
	names := regexp.MustCompile(`(?m)^\s*(?:Reason\w+|Condition\w+|\w+Annotation) += "(.*)"`).FindAllStringSubmatch(string(source), -1)
	require.Greater(t, len(names), 30)
	for _, name := range names {
		require.Contains(t, string(page), "`"+name[1], "the page does not name it")
	}

	// The tests that the page names are there.
	var tests strings.Builder
	for _, pattern := range []string{"../*/*_test.go", "../../internal/*/*_test.go", "../../check/*_test.go"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			tests.Write(text)
		}
	}
	for _, row := range regexp.MustCompile(`(?m)^\|[^|]*\| yes[^|]*\|`).FindAllString(string(page), -1) {
		require.Contains(t, row, "`Test", "what the page says yes to has a test")
	}
	named := regexp.MustCompile("`(Test[A-Za-z]+)`").FindAllStringSubmatch(string(page), -1)
	require.Greater(t, len(named), 30)
	design, err := os.ReadFile("../../../docs/controller-design.md")
	require.NoError(t, err)
	for _, row := range regexp.MustCompile(`(?m)^\|[^|]*\| met.*\|$`).FindAllString(string(design), -1) {
		require.Contains(t, row, "`Test", "what is met has a test")
	}
	for _, n := range named {
		require.Contains(t, tests.String(), "func "+n[1]+"(t *testing.T)", "the page names a test")
	}
}
