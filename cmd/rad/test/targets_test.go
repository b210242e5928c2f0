package test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	goyaml "github.com/goccy/go-yaml"
	"github.com/stretchr/testify/assert"
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
	planned := ""
	if flat := strings.Join(args, " "); k.OfAnyKind() && status == 0 && !strings.Contains(flat, "--label ") {
		_, planned, errs = runIn(t, append(append([]string{"bicep", "plan", "--format", "json", "--target", k.Name}, args[8:]...), flags...)...)
		require.NotEmpty(t, planned, errs)
	}
	for document := range strings.SplitSeq(out, "---\n") {
		var one, two map[string]any
		require.NoError(t, yaml.UnmarshalStrict([]byte(document), &one))
		require.NoError(t, goyaml.Unmarshal([]byte(document), &two))
		require.Equal(t, asJSON(t, one), asJSON(t, two), "two parsers read two objects")
		if planned != "" && len(one) > 0 {
			requirePlanned(t, planned, one)
		}
	}
}

// requirePlanned: a plan shows an object as it is written.
func requirePlanned(t *testing.T, planned string, object map[string]any) {
	var answer struct {
		Result struct {
			Plans []struct {
				Resources []struct {
					Type, APIVersion string
					Body             map[string]any
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(planned), &answer))
	apiVersion := object["apiVersion"].(string)
	if !strings.Contains(apiVersion, "/") {
		apiVersion = "core/" + apiVersion
	}
	group, version, _ := strings.Cut(apiVersion, "/")
	kind := group + "/" + object["kind"].(string)
	delete(object, "apiVersion")
	delete(object, "kind")
	want := asJSON(t, object)
	for _, r := range answer.Result.Plans[0].Resources {
		if r.Type == kind && r.APIVersion == version && strings.ReplaceAll(asJSON(t, r.Body), `"[[`, `"[`) == want {
			return
		}
	}
	require.Fail(t, "the plan does not show the object", "%s\n%s", want, planned)
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

// TestRowsOfTheDesign: at the end of the pages of targets, what is met names tests and programs that are there, and what is
// different says why.
func TestRowsOfTheDesign(t *testing.T) {
	t.Parallel()
	root, tests := "../../..", map[string]bool{}
	declared, named := regexp.MustCompile(`(?m)^func (Test\w+)\(`), regexp.MustCompile(`(Test\w+)((?:/[\w-]+)*)`)
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range declared.FindAllSubmatch(text, -1) {
			tests[string(m[1])] = true
		}
		return err
	}))
	rows := 0
	for _, page := range []string{"aso", "crossplane"} {
		text, err := os.ReadFile(filepath.Join(root, "docs", "target-"+page+".md"))
		require.NoError(t, err)
		_, table, _ := strings.Cut(string(text), "\n| the design | here |\n|---|---|\n")
		for line := range strings.Lines(table) {
			cells := strings.Split(line, " | ")
			require.Len(t, cells, 2, line)
			rows++
			if why, ok := strings.CutPrefix(cells[1], "different: "); ok {
				assert.NotEmpty(t, strings.TrimSuffix(why, " |\n"), line)
			} else {
				assert.Regexp(t, "^met.*Test", cells[1], line)
			}
			for _, m := range named.FindAllStringSubmatch(cells[1], -1) {
				assert.True(t, tests[m[1]], "%s: there is no %s", line, m[1])
				switch m[1] {
				case "TestSamplesOfTargets":
					if m[2] != "" {
						assert.FileExists(t, filepath.Join(programs, m[2]+".bicep"), line)
					}
				case "TestScripts":
					assert.FileExists(t, filepath.Join("testdata", "script", m[2]+".txtar"), line)
				}
			}
		}
	}
	assert.GreaterOrEqual(t, rows, 30)
}
