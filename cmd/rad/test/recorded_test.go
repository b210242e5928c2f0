package test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/radbicep/rad/pkg/armjson"
)

// TestRecordedRecipes compares objects with those that Radius itself made of the same programs, in every field. make recipes-e2e
// records them, and compares programs of other people, too: RECIPES_FOLDERS lists folders of them, separated by colons.
func TestRecordedRecipes(t *testing.T) {
	folders := filepath.SplitList(os.Getenv("RECIPES_FOLDERS"))
	if len(folders) == 0 {
		folders = []string{filepath.Join(programs, "kubernetes", "recipes")}
	}
	equal, all := 0, 0
	for _, folder := range folders {
		dir := t.TempDir()
		require.NoError(t, os.CopyFS(dir, os.DirFS(folder)))
		t.Chdir(dir)
		text, err := os.ReadFile(filepath.Join(".rad", "bicep.yaml"))
		require.NoError(t, err)
		var settings struct {
			Recipes struct{ Types []string }
			Targets []struct {
				Name    string
				Recipes struct{ Types []string }
			}
		}
		require.NoError(t, yaml.Unmarshal(text, &settings))
		types := settings.Recipes.Types
		for _, one := range settings.Targets {
			types = append(types, one.Recipes.Types...)
		}
		slices.Sort(types)
		for _, file := range slices.Compact(types) {
			status, _, stderr := runIn(t, "bicep", "publish-extension", file, "--target", strings.TrimSuffix(file, filepath.Ext(file))+".tgz")
			require.Zero(t, status, stderr)
		}
		for _, one := range settings.Targets {
			t.Run(one.Name, func(t *testing.T) {
				same, of := compareRecorded(t, one.Name)
				equal, all = equal+same, all+of
			})
		}
	}
	t.Logf("%d of %d objects are equal", equal, all)
}

// compareRecorded compares the objects of a target. Secrets whose values are secret are not written: their names and keys are compared.
func compareRecorded(t *testing.T, name string) (equal, all int) {
	text, err := os.ReadFile(name + ".json")
	require.NoError(t, err)
	v, err := armjson.ParseBytes(text, armjson.Options{})
	require.NoError(t, err)
	recorded := v.(*armjson.Object)
	status, stdout, stderr := runIn(t, "bicep", "generate-kubernetes-manifest", "--root", ".", "--only", name, "-o", "-", "--output-format", "json", "--format", "json")
	if failed := recorded.Str("failed"); failed != "" {
		assert.Equal(t, 2, status, "Radius refuses it: %s", failed)
		t.Logf("Radius: %s\nrad: %s", failed, firstError(stdout))
		return 0, 0
	}
	list, _ := recorded.Get("objects")
	theirs, _ := list.(armjson.Array)
	switch why := firstError(stdout); {
	case status == 2 && len(theirs) == 0:
		require.Contains(t, why, "no-objects: ")
		return 0, 0
	case status == 2 && os.Getenv("RECIPES_FOLDERS") != "" && strings.HasPrefix(why, "object-secret: "):
		t.Logf("not written: %s", why) // programs of other people may put secrets anywhere
		return 0, len(theirs)
	}
	require.Zero(t, status, "%s%s", stderr, firstError(stdout))
	var answer struct {
		Result struct {
			Manifests []struct{ Content string }
			Secrets   []struct {
				Name, Namespace string
				Keys            []string
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &answer))
	ours := map[string]string{}
	for _, one := range answer.Result.Manifests {
		v, err := armjson.Parse(one.Content, armjson.Options{})
		require.NoError(t, err)
		items, ok := v.(*armjson.Object).Get("items")
		if !ok {
			items = armjson.Array{v}
		}
		for _, item := range items.(armjson.Array) {
			ours[objectKey(item.(*armjson.Object))] = indented(item)
		}
	}
	for _, s := range answer.Result.Secrets {
		ours["v1 Secret "+s.Namespace+"/"+s.Name] = strings.Join(s.Keys, " ")
	}
	for _, item := range theirs {
		o := item.(*armjson.Object)
		key, want := objectKey(o), indented(o)
		got, ok := ours[key]
		if strings.HasPrefix(key, "v1 Secret ") && !strings.HasPrefix(got, "{") {
			want = strings.Join(secretKeys(o), " ")
		}
		if assert.True(t, ok, "Radius makes %s: %s", key, want) && assert.Equal(t, want, got, key) {
			equal++
		}
		delete(ours, key)
	}
	assert.Empty(t, ours, "Radius does not make them")
	return equal, len(theirs)
}

func objectKey(o *armjson.Object) string {
	m := o.Object("metadata")
	return o.Str("apiVersion") + " " + o.Str("kind") + " " + m.Str("namespace") + "/" + m.Str("name")
}

func indented(v armjson.Value) string {
	return string(armjson.Append(nil, armjson.Sorted(v), armjson.Indented))
}

func secretKeys(o *armjson.Object) (keys []string) {
	for _, part := range []string{"data", "stringData"} {
		if o := o.Object(part); o != nil {
			for key := range o.All() {
				keys = append(keys, key)
			}
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

func firstError(stdout string) string {
	var answer struct {
		Findings []struct{ Severity, Code, Message string }
	}
	_ = json.Unmarshal([]byte(stdout), &answer)
	for _, f := range answer.Findings {
		if f.Severity == "error" {
			return f.Code + ": " + f.Message
		}
	}
	return ""
}
