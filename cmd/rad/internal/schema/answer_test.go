package schema_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/command"
	"github.com/radbicep/rad/cmd/rad/internal/schema"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
)

var update = flag.Bool("update", false, "write docs/schemas")

// runIn runs a command line in this process.
func runIn(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = command.Run(context.Background(), args, strings.NewReader(""), &out, &errs)
	return status, out.String(), errs.String()
}

// compileSchema returns the validator of a schema.
func compileSchema(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	for _, s := range command.Schemas() {
		if s.Name != name {
			continue
		}
		text, err := s.Text()
		require.NoError(t, err)
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		require.NoError(t, err)
		c := jsonschema.NewCompiler()
		c.AssertFormat()
		require.NoError(t, c.AddResource(schema.Home+name+".json", doc))
		compiled, err := c.Compile(schema.Home + name + ".json")
		require.NoError(t, err)
		return compiled
	}
	t.Fatalf("there is no schema %s", name)
	return nil
}

// validate holds a JSON text to a schema.
func validate(t *testing.T, name, text string) error {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	return compileSchema(t, name).Validate(value)
}

// TestSchemasArePublished: docs/schemas holds what `rad bicep schema` prints, and nothing else.
func TestSchemasArePublished(t *testing.T) {
	t.Parallel()
	dir := filepath.Join("..", "..", "..", "..", "docs", "schemas")
	known := map[string]bool{}
	for _, s := range command.Schemas() {
		known[s.Name+".json"] = true
		status, text, _ := runIn(t, "bicep", "schema", s.Name)
		require.Equal(t, 0, status)
		path := filepath.Join(dir, s.Name+".json")
		if *update {
			require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		}
		published, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, string(published), text, "%s differs (make golden writes it)", path)
		compileSchema(t, s.Name)
	}
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, f := range files {
		require.True(t, known[f.Name()], "%s is not a schema", f.Name())
	}
	require.Len(t, files, len(known))
}

// TestEveryCommandAnswers: a command that does not stand in for the official compiler's takes
// --format json, has a schema, and is tried below.
func TestEveryCommandAnswers(t *testing.T) {
	t.Parallel()
	for name, c := range command.Runnable() {
		flag := c.Flags().Lookup(cli.FormatFlag)
		has := slices.ContainsFunc(command.Schemas(), func(s schema.Named) bool { return s.Name == strings.ReplaceAll(name, " ", "-") })
		if cli.IsDropIn(c) || c.Annotations[cli.Protocol] != "" { // their output is another program's form
			require.Nil(t, flag, name)
			require.False(t, has, name)
			continue
		}
		require.NotNil(t, flag, name)
		require.Contains(t, flag.Usage, "json", name)
		require.True(t, has, "%s has no schema", name)
		require.True(t, slices.ContainsFunc(answerCases, func(a answerCase) bool {
			return a.status == 0 && strings.HasPrefix(strings.Join(a.args, " ")+" ", strings.TrimPrefix("bicep "+name+" ", "bicep rad "))
		}), "no case of answerCases runs %s", name)
	}
}

// answerCase is a command line whose answer is held to its schema.
type answerCase struct {
	name   string
	args   []string
	status int
	class  string // of the error
	code   string
	has    string // that the answer holds
}

var answerCases = []answerCase{
	{"write", []string{"bicep", "generate-kubernetes-manifest", "app.bicep", "-p", "tag=v1", "-o", "out.yaml", "--explain-parameters"}, 0, "", "", `"state": "written"`},
	{"write again", []string{"bicep", "generate-kubernetes-manifest", "app.bicep", "-p", "tag=v1", "-o", "out.yaml"}, 0, "", "", `"state": "unchanged"`},
	{"compare", []string{"bicep", "generate-kubernetes-manifest", "app.bicep", "-p", "tag=v2", "-o", "out.yaml", "--diff"}, 1, "", "", `"diff": "`},
	{"compare resources", []string{"bicep", "generate-kubernetes-manifest", "app.bicep", "-p", "tag=v2", "-o", "out.yaml", "--diff=resources"}, 1, "", "", `"plan": {`},
	{"check", []string{"bicep", "generate-kubernetes-manifest", "app.bicep", "-p", "tag=v2", "-o", "no.yaml", "--check"}, 1, "", "", `"state": "absent"`},
	{"print", []string{"bicep", "generate-kubernetes-manifest", "app.bicep", "-p", "tag=v1", "-o", "-"}, 0, "", "", `"content": "kind: DeploymentTemplate`},
	{"a value is missing", []string{"bicep", "generate-kubernetes-manifest", "app.bicep", "-o", "out.yaml"}, 2, "parameters", "parameters", `"code": "missing-parameter"`},
	{"a mistake in the source", []string{"bicep", "generate-kubernetes-manifest", "wrong.bicep", "-o", "w.yaml"}, 2, "source", "source", `"code": "BCP`},
	{"a document of findings", []string{"bicep", "generate-kubernetes-manifest", "wrong.bicep", "-o", "w.yaml", "--diagnostics-format", "sarif"}, 2, "source", "source", `"code": "BCP`},
	{"a file that is not there", []string{"bicep", "generate-kubernetes-manifest", "none.bicep"}, 4, "files", "not-found", "none.bicep"},
	{"an unknown flag", []string{"bicep", "generate-kubernetes-manifest", "app.bicep", "--nope"}, 3, "usage", "usage", "--nope"},
	{"a wrong setting", []string{"bicep", "generate-kubernetes-manifest", "app.bicep", "--color", "red", "--diagnostics-format", "json"}, 3, "usage", "usage", "red"},
	{"watch", []string{"bicep", "generate-kubernetes-manifest", "app.bicep", "--watch"}, 3, "usage", "usage", "no end"},
	{"a module that was not restored", []string{"bicep", "generate-kubernetes-manifest", "remote.bicep", "--offline", "-o", "r.yaml"}, 2, "network", "restore", "BCP192"},
	{"a plan", []string{"bicep", "plan", "app.bicep"}, 0, "", "", `"deploy": 2`},
	{"a plan against a manifest", []string{"bicep", "plan", "app.bicep", "-p", "tag=v3", "--against", "out.yaml", "--exit-code"}, 1, "", "", `"change": "update"`},
	{"a plan of a mistake", []string{"bicep", "plan", "wrong.bicep"}, 2, "source", "source", ""},
	{"a plan without git", []string{"bicep", "plan", "app.bicep", "--base", "HEAD"}, 4, "files", "git", ""},
	{"a graph", []string{"bicep", "graph", "app.bicep"}, 0, "", "", `"resources": [`},
	{"a graph of two", []string{"bicep", "graph"}, 3, "usage", "usage", ""},
	{"affected without git", []string{"bicep", "affected", "app.bicep", "--base", "HEAD"}, 4, "files", "git", ""},
	{"what would be migrated", []string{"bicep", "migrate", "old.bicep", "--diff"}, 1, "", "", `"diff": "`},
	{"migrate", []string{"bicep", "migrate", "old.bicep"}, 0, "", "", `"path": "old.bicep"`},
	{"outdated", []string{"bicep", "outdated", "app.bicep"}, 0, "", "", `"artifacts": []`},
	{"outdated, offline", []string{"bicep", "outdated", "remote.bicep", "--offline"}, 4, "network", "registry", `"retryable": `},
	{"the cache", []string{"bicep", "cache", "list"}, 0, "", "", `"artifacts": []`},
	{"the cache's folder", []string{"bicep", "cache", "path"}, 0, "", "", `"path": "`},
	{"an empty cache", []string{"bicep", "cache", "clean", "--all"}, 0, "", "", `"artifacts": []`},
	{"clean what", []string{"bicep", "cache", "clean"}, 3, "usage", "usage", ""},
	{"types", []string{"bicep", "types", "import", "az", "types"}, 0, "", "", `"types": 1`},
	{"no types", []string{"bicep", "types", "import", "az", "nowhere"}, 4, "files", "not-found", ""},
	{"types of Radius", []string{"bicep", "types", "import", "radius", "--built-in"}, 0, "", "", `"changed": false`},
	{"no types of Radius", []string{"bicep", "types", "import", "radius", "nowhere.tgz"}, 4, "files", "not-found", ""},
	{"link", []string{"bicep", "link", "bin"}, 0, "", "", `"changed": true`},
	{"an explanation", []string{"bicep", "explain", "BCP036"}, 0, "", "", `"repair": "`},
	{"new settings", []string{"bicep", "init", "--dry-run"}, 0, "", "", `"template": "app.bicep"`},
	{"settings of nothing", []string{"bicep", "init", "bin"}, 3, "usage", "usage", "no template"},
	{"all codes", []string{"bicep", "explain"}, 0, "", "", `"code": "no-unused-params"`},
	{"no such code", []string{"bicep", "explain", "BCP999"}, 3, "usage", "usage", "BCP999"},
	{"schemas", []string{"bicep", "schema"}, 0, "", "", `"plan"`},
	{"a schema", []string{"bicep", "schema", "plan"}, 0, "", "", `"$schema"`},
	{"no schema", []string{"bicep", "schema", "plam"}, 3, "usage", "usage", `did you mean \"plan\"`},
	{"a bundle", []string{"bicep", "bundle", "app.bicep", "-p", "tag=v1", "-o", "app.tar"}, 0, "", "", `"written": true`},
	{"a bundle's manifest", []string{"bicep", "generate-kubernetes-manifest", "app.tar", "-o", "bundled.yaml"}, 0, "", "", `"state": "written"`},
	{"inspect", []string{"bicep", "inspect", "app.tar"}, 0, "", "", `"value": "v1"`},
	{"verify", []string{"bicep", "verify", "app.tar", "app.bicep"}, 0, "", "", `"same": true`},
	{"verify another", []string{"bicep", "verify", "app.tar", "other.bicep"}, 1, "", "", `"state": "added"`},
	{"no bundle", []string{"bicep", "inspect", "wrong.tar"}, 4, "files", "bundle", "OCI layout"},
	{"dependencies", []string{"bicep", "affected", "app.bicep", "--deps", "app.d"}, 0, "", "", `"result": null`},
	{"version", []string{"version"}, 0, "", "", `"bicep": "0.49`},
	{"bicep version", []string{"bicep", "version"}, 0, "", "", `"bicep": "0.49`},
}

// answerFiles are the files that answerCases name.
var answerFiles = map[string]string{
	"app.bicep": `extension radius
param tag string
resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  properties: { environment: 'e' }
}
resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  properties: { application: app.id, container: { image: 'web:${tag}' } }
}
`,
	"wrong.bicep":                     "output port int = 'http'\n",
	"other.bicep":                     "param tag string\n",
	"wrong.tar":                       "no archive",
	"old.bicep":                       "extension radius\nresource app 'Applications.Core/applications@2023-10-01-preview' = {\n  name: 'app'\n  properties: { environment: 'e' }\n}\n",
	"remote.bicep":                    "module m 'br:mcr.microsoft.com/bicep/none:1' = { name: 'm' }\n",
	"types/generated/shop/types.json": `[{"$type": "ObjectType", "name": "Own.Shop/shops", "properties": {}}, {"$type": "ResourceType", "name": "Own.Shop/shops@2025-01-01", "body": {"$ref": "#/0"}}]`,
	".git/HEAD":                       "",
	"bin/README":                      "",
}

func TestAnswersHaveTheirSchemas(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("HOME", dir)
	t.Setenv("USERPROFILE", dir)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("XDG_CACHE_HOME", "")
	for name, text := range answerFiles {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	for _, c := range answerCases {
		status, out, errs := runIn(t, append(slices.Clone(c.args), "--format", "json")...)
		require.Equal(t, c.status, status, "%s: %s%s", c.name, out, errs)
		var a struct {
			Command  string
			Status   string
			ExitCode int
			Error    *cli.Problem
		}
		require.NoError(t, json.Unmarshal([]byte(out), &a), "%s: %s%s", c.name, out, errs)
		require.Equal(t, status, a.ExitCode, c.name)
		require.Equal(t, map[int]string{0: "ok", 1: "changes"}[min(status, 2)]+map[bool]string{true: "failed"}[status > 1], a.Status, c.name)
		require.NoError(t, validate(t, strings.ReplaceAll(a.Command, " ", "-"), out), "%s: %s", c.name, out)
		require.NoError(t, validate(t, "answer", out), c.name)
		require.Contains(t, out, c.has, c.name)
		if c.class == "" {
			require.Nil(t, a.Error, "%s: %s", c.name, out)
			continue
		}
		require.NotNil(t, a.Error, "%s: %s", c.name, out)
		require.Equal(t, c.class, a.Error.Class, "%s: %s", c.name, out)
		require.Equal(t, c.code, a.Error.Code, "%s: %s", c.name, out)
		require.NotEmpty(t, a.Error.Message, c.name)
	}
}

// TestAffectedHasItsSchema: the answer about a change, which needs git.
func TestAffectedHasItsSchema(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	t.Chdir(t.TempDir())
	for _, line := range []string{
		"mkdir .rad; printf '{targets: [{template: a.bicep}, {template: b.bicep}]}' >.rad/bicep.yaml; touch a.bicep b.bicep",
		"git init -q . && git add . && git -c user.name=t -c user.email=t@example.com commit -q -m t",
		"echo 'param p string' >a.bicep; printf '{targets: [{template: a.bicep}]}' >.rad/bicep.yaml",
	} {
		out, err := exec.Command("sh", "-c", line).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	status, out, errs := runIn(t, "bicep", "affected", "--base", "HEAD", "--format", "json")
	require.Equal(t, 0, status, errs)
	require.NoError(t, validate(t, "affected", out), out)
	require.Contains(t, out, `"kind": "changed"`)
	require.Contains(t, out, `"template": "b.bicep"`)
}

// TestSettingsSchema: the schema and the reader of settings files agree.
func TestSettingsSchema(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		ok   bool
	}{
		{"namespace: apps\ncompact: true\ntimeout: 1m30s\nallowEnv: [A, B_*]\ntarget: radius\nlabels: {a: b}\n", true},
		{"allowEnv: A\ncolor: null\nregistryMirrors: {a.io: b.io/x}\n", true},
		{"registryMirrors: [a.io=b.io]\n", true},
		{"targets:\n- template: app.bicep\n  parameters: ['@app.bicepparam', tag=v1]\n  outfile: out/app.yaml\n  target: design\n", true},
		{"targets:\n- template: app.bicep\n  parameters: tag=v1\n  name: null\n", true},
		{"targets:\n- outfile: app.yaml\n", false},
		{"targets:\n- template: a.bicep\n  nope: 1\n", false},
		{"targets:\n- template: a.bicep\n  target: other\n", false},
		{"nope: 1\n", false},
		{"compact: 'yes'\n", false},
		{"namespace: 1\n", false},
		{"labels: [a]\n", false},
		{"namespace: [a]\n", false},
	} {
		doc, err := yaml.YAMLToJSON([]byte(c.text))
		require.NoError(t, err)
		require.Equal(t, c.ok, settings.NewFile("x").Read([]byte(c.text)) == nil, "reader: %s", c.text)
		require.Equal(t, c.ok, validate(t, "settings", string(doc)) == nil, "schema: %s", c.text)
	}
	require.Error(t, validate(t, "settings", `{"target": "other"}`)) // refused when the settings are merged
}
