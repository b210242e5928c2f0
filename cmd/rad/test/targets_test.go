package test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	goyaml "github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/radbicep/rad/pkg/generate"
)

// programs is the folder of the programs of the targets: programs/TARGET/NAME.bicep, with
// what the command prints for it: NAME.yaml, and NAME.txt for its messages and its status.
// A line "// args: …" adds arguments, and "// flags: none" takes those away that say what
// is deployed to.
var programs = filepath.Join(samples, "targets")

var deployedTo = []string{
	"--subscription-id", "00000000-0000-0000-0000-000000000001", "--resource-group", "apps", "--location", "westeurope",
	"--tenant-id", "00000000-0000-0000-0000-000000000002", "--deployment-name", "main",
}

func TestSamplesOfTargets(t *testing.T) {
	t.Parallel()
	for _, k := range generate.Kinds {
		list, err := filepath.Glob(filepath.Join(programs, k.Name, "*.bicep"))
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(list), 20, "there were more programs for the target %s", k.Name)
		for _, program := range list {
			t.Run(k.Name+"/"+strings.TrimSuffix(filepath.Base(program), ".bicep"), func(t *testing.T) {
				t.Parallel()
				testProgram(t, k, program)
			})
		}
	}
}

func testProgram(t *testing.T, k *generate.Kind, program string) {
	text, err := os.ReadFile(program)
	require.NoError(t, err)
	args := []string{"bicep", "generate-kubernetes-manifest", "--compiler", "embedded", "--outfile", "-", "--target", k.Name, program}
	flags := deployedTo
	for line := range strings.SplitSeq(string(text), "\n") {
		if more, ok := strings.CutPrefix(line, "// args: "); ok {
			args = append(args, strings.Fields(more)...)
		}
		if line == "// flags: none" {
			flags = nil
		}
	}
	if strings.Contains(string(text), "targetScope = 'subscription'") {
		flags = append(flags[:2:2], flags[4:]...) // without a resource group
	}
	status, out, errs := runIn(t, append(args, flags...)...)
	require.Equal(t, status != 0, out == "", "what is refused prints nothing, and what is not prints objects")
	abs, err := filepath.Abs(filepath.Dir(program))
	require.NoError(t, err)
	for _, dir := range []string{abs, filepath.Dir(program)} {
		errs = strings.ReplaceAll(errs, dir+string(filepath.Separator), "")
	}
	if status != 0 {
		errs += "status " + string(rune('0'+status)) + "\n"
	}
	out = strings.Replace(out, "# Source: testdata/targets/"+k.Name+"/", "# Source: ", 1) // in a git work tree
	base := strings.TrimSuffix(program, ".bicep")
	compareGolden(t, base+".yaml", out)
	compareGolden(t, base+".txt", filepath.ToSlash(errs))
	for document := range strings.SplitSeq(out, "---\n") {
		var one, two map[string]any
		require.NoError(t, yaml.UnmarshalStrict([]byte(document), &one))
		require.NoError(t, goyaml.Unmarshal([]byte(document), &two))
		require.Equal(t, asJSON(t, one), asJSON(t, two), "two parsers read two objects")
	}
}

func asJSON(t *testing.T, v any) string {
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}

// TestNoGoldenOfTargetsIsOrphaned finds expected outputs without a program.
func TestNoGoldenOfTargetsIsOrphaned(t *testing.T) {
	t.Parallel()
	for _, k := range generate.Kinds {
		files, err := os.ReadDir(filepath.Join(programs, k.Name))
		require.NoError(t, err)
		for _, f := range files {
			ext := filepath.Ext(f.Name())
			if f.IsDir() || ext == ".bicep" || f.Name() == "bicepconfig.json" {
				continue
			}
			_, err := os.Stat(filepath.Join(programs, k.Name, strings.TrimSuffix(f.Name(), ext)+".bicep"))
			require.NoError(t, err, "%s belongs to no program", f.Name())
		}
	}
}
