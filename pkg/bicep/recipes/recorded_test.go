package recipes

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/internal/radiusmanifest"
	"github.com/radbicep/rad/pkg/bicep/registrytest"
)

// recordedInput is what the settings of a folder say of recipes.
type recordedInput struct {
	Environment string
	Types       []string
	Sources     map[string]string
}

type recordedTarget struct {
	Name, Template, Group string
	Parameters            []string
	Recipes               recordedInput
}

// TestRecordedContexts compares what recipes are given with what Radius itself gave them, and the values of Secrets, which the
// command does not write. make recipes-e2e records both: RECIPES_FOLDERS lists more folders, separated by colons.
func TestRecordedContexts(t *testing.T) {
	folders := filepath.SplitList(os.Getenv("RECIPES_FOLDERS"))
	if len(folders) == 0 {
		folders = []string{"../../../testdata/targets/kubernetes/recipes"}
	}
	equal, all := 0, 0
	for _, folder := range folders {
		dir := t.TempDir()
		require.NoError(t, os.CopyFS(dir, os.DirFS(folder)))
		text, err := os.ReadFile(filepath.Join(dir, ".rad", "bicep.yaml"))
		require.NoError(t, err)
		var settings struct {
			Recipes recordedInput
			Targets []recordedTarget
		}
		require.NoError(t, yaml.Unmarshal(text, &settings))
		for _, one := range settings.Targets {
			for source, file := range settings.Recipes.Sources {
				if one.Recipes.Sources == nil {
					one.Recipes.Sources = map[string]string{}
				}
				if one.Recipes.Sources[source] == "" {
					one.Recipes.Sources[source] = file
				}
			}
			one.Recipes.Types = append(one.Recipes.Types, settings.Recipes.Types...)
			if one.Recipes.Environment == "" {
				one.Recipes.Environment = settings.Recipes.Environment
			}
			t.Run(one.Name, func(t *testing.T) {
				same, of := one.compare(t, dir)
				equal, all = equal+same, all+of
			})
		}
	}
	t.Logf("%d of %d recipes are given the same", equal, all)
}

// compare compares what became of a target with what is recorded.
func (one *recordedTarget) compare(t *testing.T, dir string) (equal, all int) {
	text, err := os.ReadFile(filepath.Join(dir, one.Name+".json"))
	require.NoError(t, err)
	recorded := parsed(t, string(text)).(*armjson.Object)
	if recorded.Find("failed") >= 0 {
		t.Skip("Radius refuses it")
	}
	e := one.run(t, dir)
	theirs, secrets := map[string]armjson.Value{}, map[string]string{}
	list, _ := recorded.Get("recipes")
	for _, given := range list.(armjson.Array) {
		theirs[keyOf(given)] = given
	}
	list, _ = recorded.Get("objects")
	for _, made := range list.(armjson.Array) {
		if o := made.(*armjson.Object); o.Str("kind") == "Secret" {
			secrets[o.Object("metadata").Str("name")] = secretText(o)
		}
	}
	all = len(theirs)
	for _, m := range e.Made {
		if m.Given == nil {
			continue
		}
		given := armjson.NewObject()
		for name, p := range m.Given {
			given.Set(name, object(member("value", p.Value)))
		}
		key := keyOf(given)
		if assert.Contains(t, theirs, key) && assert.Equal(t, sortedText(asKnown(theirs[key], given)), sortedText(given), key) {
			equal++
		}
		delete(theirs, key)
		for _, r := range m.Result.Resources {
			if name, _ := expand.Known(r.Name); r.Type == "core/Secret" && expand.IsKnown(r.Body) {
				assert.Equal(t, secrets[name], secretText(r.Body), name)
			}
		}
	}
	assert.Empty(t, theirs, "Radius runs these recipes, too")
	return equal, all
}

// run predicts what a target deploys, with its secrets.
func (one *recordedTarget) run(t *testing.T, dir string) *Engine {
	x := expand.Context{RadiusGroup: "/planes/radius/local/resourcegroups/" + one.Group, DeploymentName: "app"} // as it is recorded
	o := Options{Release: "0.60", Types: Types{}, Expand: expand.Options{Context: x, Tolerant: true}}
	for _, name := range one.Recipes.Types {
		manifest, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.NoError(t, o.Types.ReadTypes(manifest))
		files, err := radiusmanifest.Convert(manifest)
		require.NoError(t, err)
		types := registrytest.Archive(t, "index.json", string(files.Index), "types.json", string(files.Types))
		archive := filepath.Join(dir, strings.TrimSuffix(name, filepath.Ext(name))+".tgz")
		require.NoError(t, os.WriteFile(archive, registrytest.Archive(t, "types.tgz", string(types)), 0o600))
	}
	given := map[string]expand.Parameter{}
	if one.Recipes.Environment != "" {
		env, err := expand.Expand(compiledIn(t, dir, filepath.Join(dir, one.Recipes.Environment)).Tree, expand.Options{Context: x})
		require.NoError(t, err)
		o.Declared = []*expand.Result{env}
		for _, r := range typed(o.Declared, environmentType) {
			id := armjson.String(strings.Replace(expand.Text(r.ID), "/resourcegroups/", "/resourceGroups/", 1))
			given["environment"] = expand.Parameter{Value: id}
		}
	}
	made := map[string]*Template{}
	o.Template = func(from string, _ bool) (*Template, error) {
		for source, file := range one.Recipes.Sources {
			if Repository(source) == Repository(from) && made[file] == nil {
				made[file] = compiledIn(t, dir, filepath.Join(dir, file))
			}
			if Repository(source) == Repository(from) {
				return made[file], nil
			}
		}
		return nil, nil
	}
	e := New(o)
	e.reveal = true
	app := compiledIn(t, dir, filepath.Join(dir, one.Template))
	app.Tree = parsed(t, strings.NewReplacer(`"securestring"`, `"string"`, `"secureObject"`, `"object"`).Replace(armjson.Text(app.Tree))).(*armjson.Object)
	for _, p := range one.Parameters {
		name, value, _ := strings.Cut(p, "=")
		given[strings.TrimSuffix(name, ":")] = expand.Parameter{Value: armjson.String(value)}
		if strings.HasSuffix(name, ":") {
			given[strings.TrimSuffix(name, ":")] = expand.Parameter{Value: parsed(t, value)}
		}
	}
	declared := app.Tree.Object("parameters")
	for name := range given {
		if declared.Find(name) < 0 {
			delete(given, name)
		}
	}
	result, err := expand.Expand(app.Tree, expand.Options{Context: x, Returned: e.Returned, Parameters: given, Tolerant: true})
	require.NoError(t, err)
	e.Finish(result)
	return e
}

// keyOf tells recipes apart: by the resource, or by all that they are given.
func keyOf(given armjson.Value) string {
	if context := given.(*armjson.Object).Object("context"); context != nil {
		return context.Object("value").Object("resource").Str("id")
	}
	return sortedText(given)
}

// asKnown returns a value with the parts of another that are not known: the value of a secure output is in no part of a prediction.
func asKnown(v, other armjson.Value) armjson.Value {
	if _, unknown := other.(expand.Unknown); unknown {
		return other
	}
	o, ok := other.(*armjson.Object)
	if _, both := v.(*armjson.Object); !ok || !both {
		return v
	}
	return armjson.WithParts(v, func(name string, part armjson.Value) armjson.Value {
		if x, ok := o.Get(name); ok {
			return asKnown(part, x)
		}
		return part
	})
}

// sortedText returns what a recipe is given, but for the resources that those that it connects to are made of.
func sortedText(given armjson.Value) string {
	return string(armjson.Append(nil, withoutOutputs(armjson.Sorted(given)), armjson.Indented))
}

func withoutOutputs(v armjson.Value) armjson.Value {
	if o, ok := v.(*armjson.Object); ok && o.Find("outputResources") >= 0 {
		o = o.Clone()
		o.Delete("outputResources")
		v = o
	}
	switch v.(type) {
	case *armjson.Object, armjson.Array:
		return armjson.WithParts(v, func(_ string, x armjson.Value) armjson.Value { return withoutOutputs(x) })
	}
	return v
}

func secretText(o *armjson.Object) string {
	return armjson.Text(armjson.Sorted(object(member("data", o.Object("data").Clone()), member("stringData", o.Object("stringData").Clone()), text("type", o.Str("type")))))
}
