package recipes

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/expand"
)

// make recipes-oracle says what these are.
var (
	contribDir = os.Getenv("RECIPES_CONTRIB") // git directory of radius-project/resource-types-contrib
	oracle     = os.Getenv("RECIPES_ORACLE")  // the program of controller/test/radius/programs/recipes
)

// contrib returns a folder with the files of resource-types-contrib.
func contrib(t *testing.T) string {
	t.Helper()
	if contribDir == "" {
		t.Skip("make recipes-oracle runs it")
	}
	dir := t.TempDir()
	archive, err := exec.Command("git", "-C", contribDir, "archive", "ebdeec9509036f2b2f271e41661e6fcfe45eda89").Output()
	require.NoError(t, err)
	tar := exec.Command("tar", "-x", "-C", dir)
	tar.Stdin = bytes.NewReader(archive)
	require.NoError(t, tar.Run())
	return dir
}

// compiled returns the template of a file.
func compiled(t *testing.T, file string) *Template {
	t.Helper()
	return compiledIn(t, filepath.Dir(file), file)
}

// compiledIn returns that of a file below a root.
func compiledIn(t *testing.T, root, file string) *Template {
	t.Helper()
	r, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{
		File: file, FS: bicep.Dir(root), Options: bicep.Options{Symbolic: true},
	})
	require.NoError(t, err)
	v, err := armjson.ParseBytes(r.Template, armjson.Options{})
	require.NoError(t, err, "%s: %v", file, r.Findings)
	return &Template{Tree: v.(*armjson.Object), Places: r.Places}
}

// contribRecipes are the recipes of contrib for Kubernetes, by the last part of their sources.
func contribRecipes(t *testing.T, dir string) func(source string, plainHTTP bool) (*Template, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*/*/recipes/kubernetes/bicep/*.bicep"))
	require.NoError(t, err)
	require.Len(t, files, 10)
	made := map[string]*Template{}
	return func(source string, plainHTTP bool) (*Template, error) {
		leaf := path.Base(Repository(source))
		for _, file := range files {
			if kind := strings.Split(filepath.ToSlash(file[len(dir)+1:]), "/")[1]; strings.EqualFold(kind, leaf) {
				if made[leaf] == nil {
					made[leaf] = compiled(t, file)
				}
				return made[leaf], nil
			}
		}
		return nil, nil
	}
}

const scope = "/planes/radius/local/resourcegroups/default"

// sameContexts compares the contexts of recipes with those that Radius makes of the same properties.
func sameContexts(t *testing.T, e *Engine) {
	t.Helper()
	needOracle(t)
	var questions []map[string]any
	for _, m := range e.Made {
		questions = append(questions, question(t, "context", m))
	}
	for i, answer := range asked(t, questions) {
		require.Equal(t, armjson.Text(parsed(t, string(answer))), armjson.Text(parsed(t, armjson.Text(e.Made[i].Context))))
	}
}

// question asks about the context of a recipe.
func question(t *testing.T, op string, m *Made) map[string]any {
	c := m.Context.(*armjson.Object)
	r := c.Object("resource")
	q := map[string]any{"op": op, "resource": r.Str("id"), "application": c.Object("application").Str("id"),
		"environment": c.Object("environment").Str("id"), "namespace": c.Object("runtime").Object("kubernetes").Str("namespace"),
		"properties": asGo(t, r.Object("properties"))}
	if connections := r.Object("connections"); connections != nil {
		q["connections"] = asGo(t, connections)
	}
	if azure := c.Object("azure"); azure != nil {
		q["azure"] = azure.Object("resourceGroup").Str("id")
	}
	return q
}

// TestAzurePackParameters compares what the modules of Azure in contrib's pack are given with what Radius gives them.
func TestAzurePackParameters(t *testing.T) {
	dir := contrib(t)
	needOracle(t)
	x := expand.Context{RadiusGroup: scope}
	given := map[string]expand.Parameter{}
	for _, name := range []string{"azureSubscriptionId", "azureResourceGroup", "routesGatewayName", "containerImagesRegistry"} {
		given[name] = expand.Parameter{Value: armjson.String(name)}
	}
	env, err := expand.Expand(compiled(t, filepath.Join(dir, "recipe-packs/azure/aks-recipepack.bicep")).Tree, expand.Options{Context: x, Parameters: given})
	require.NoError(t, err)
	all := typed([]*expand.Result{env}, packType)[0].Body.Object("properties").Object("recipes")
	var questions []map[string]any
	var got []expand.Value
	for kind, v := range all.All() {
		of := readRecipe(&pack{}, v.(*armjson.Object))
		if !strings.HasPrefix(of.source, "mcr.microsoft.com/bicep/avm/") {
			continue
		}
		_, leaf, _ := strings.Cut(kind, ".")
		app := parsed(t, strings.ReplaceAll(armjson.Text(compiled(t, filepath.Join(dir, leaf, "test/app.bicep")).Tree), "securestring", "string")).(*armjson.Object)
		e := New(Options{Release: "0.60", Declared: []*expand.Result{env}, Template: func(string, bool) (*Template, error) { return nil, nil }})
		e.reveal = true
		given := map[string]expand.Parameter{"environment": {Value: armjson.String(scope + "/providers/Radius.Core/environments/default")}}
		for name := range app.Object("parameters").All() {
			if name != "environment" {
				given[name] = expand.Parameter{Value: armjson.String("p4ss")}
			}
		}
		result, err := expand.Expand(app, expand.Options{Context: x, Returned: e.Returned, Parameters: given, Tolerant: true})
		require.NoError(t, err)
		e.Finish(result)
		made := e.states[strings.ToLower(scope+"/providers/"+kind+"/"+resourceOf(t, result, kind))].made[0]
		q := question(t, "parameters", made)
		q["parameters"] = asGo(t, of.parameters)
		questions, got = append(questions, q), append(got, newResolver(made.Context.(*armjson.Object)).value(of.parameters))
	}
	require.Len(t, questions, 9)
	for i, answer := range asked(t, questions) {
		require.JSONEq(t, string(answer), armjson.Text(got[i]))
	}
	t.Logf("%d modules", len(got))
}

// resourceOf returns the name of a resource of a type.
func resourceOf(t *testing.T, result *expand.Result, kind string) string {
	t.Helper()
	list := typed([]*expand.Result{result}, kind)
	require.NotEmpty(t, list, kind)
	return expand.Text(list[0].Name)
}

// TestContribContexts compares contexts for the applications that the recipes are tested with.
func TestContribContexts(t *testing.T) {
	dir := contrib(t)
	apps, err := filepath.Glob(filepath.Join(dir, "*/*/test/app.bicep"))
	require.NoError(t, err)
	require.Len(t, apps, 13)
	of := contribRecipes(t, dir)
	x := expand.Context{RadiusGroup: scope, DeploymentName: "d"}
	pack := defaultPack("0.61") // all that have recipes for Kubernetes
	body := object(member("properties", object(member("recipes", pack.recipes))))
	packs := []*expand.Result{{Resources: []*expand.Resource{{Type: packType, Body: body, Extension: &expand.Extension{Provider: "Radius"}}}}}
	contexts := 0
	for _, file := range apps {
		r, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{File: file, FS: bicep.Dir(filepath.Dir(file)), Options: bicep.Options{Symbolic: true}})
		require.NoError(t, err)
		if r.Template == nil {
			t.Logf("%s needs an extension of its own", file[len(dir):])
			continue
		}
		app := parsed(t, strings.ReplaceAll(string(r.Template), "securestring", "string")).(*armjson.Object)
		e := New(Options{Release: "0.60", Packs: packs, Template: of, Expand: expand.Options{Context: x, Tolerant: true}})
		e.reveal = true
		given := map[string]expand.Parameter{}
		for name := range app.Object("parameters").All() {
			given[name] = expand.Parameter{Value: armjson.String("p4ss")}
		}
		given["environment"] = expand.Parameter{Value: armjson.String("/planes/radius/local/resourceGroups/default/providers/Radius.Core/environments/dev")}
		result, err := expand.Expand(app, expand.Options{Context: x, Returned: e.Returned, Parameters: given, Tolerant: true})
		require.NoError(t, err)
		e.Finish(result)
		for _, p := range e.Problems {
			require.Equal(t, CodeMissing, p.Code, "%s: %v", file, p)
		}
		sameContexts(t, e)
		contexts += len(e.Made)
	}
	t.Logf("%d contexts", contexts)
}

// asked asks the oracle.
func asked(t *testing.T, questions []map[string]any) []json.RawMessage {
	t.Helper()
	var in bytes.Buffer
	for _, q := range questions {
		require.NoError(t, json.NewEncoder(&in).Encode(q))
	}
	command := exec.Command(oracle)
	command.Stdin, command.Stderr = &in, os.Stderr
	out, err := command.Output()
	require.NoError(t, err)
	var answers []json.RawMessage
	decoder := json.NewDecoder(bytes.NewReader(out))
	for decoder.More() {
		var a struct {
			Result json.RawMessage
			Error  string
		}
		require.NoError(t, decoder.Decode(&a))
		if a.Error != "" {
			a.Result, _ = json.Marshal("error: " + a.Error)
		}
		answers = append(answers, a.Result)
	}
	require.Len(t, answers, len(questions))
	return answers
}

func needOracle(t *testing.T) {
	t.Helper()
	if oracle == "" {
		t.Skip("make recipes-oracle runs it")
	}
}

func asGo(t *testing.T, v armjson.Value) (out any) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(armjson.Text(v)), &out))
	return out
}

func parsed(t *testing.T, text string) armjson.Value {
	t.Helper()
	v, err := armjson.Parse(text, armjson.Options{})
	require.NoError(t, err)
	return v
}

// random makes schemas and values.
type random struct{ *rand.Rand }

func (r random) schema(depth int) map[string]any {
	s := map[string]any{"type": []string{"string", "integer", "boolean", "object", "array"}[r.IntN(5)]}
	if r.IntN(4) == 0 {
		s["x-radius-sensitive"] = r.IntN(4) > 0
	}
	if r.IntN(4) == 0 {
		s["readOnly"] = true
	}
	if r.IntN(3) == 0 {
		s["default"] = r.value(1)
	}
	if depth == 0 {
		return s
	}
	if r.IntN(2) == 0 {
		s["items"] = r.schema(depth - 1)
	}
	if r.IntN(3) == 0 {
		s["additionalProperties"] = r.schema(depth - 1)
	}
	properties, required := map[string]any{}, []any{}
	for range r.IntN(5) {
		name := r.name()
		properties[name] = r.schema(depth - 1)
		if r.IntN(3) == 0 {
			required = append(required, name)
		}
	}
	s["properties"], s["required"] = properties, required
	return s
}

func (r random) name() string { return []string{"a", "b", "c", "data", "value", "secrets"}[r.IntN(6)] }

func (r random) value(depth int) any {
	switch r.IntN(8) {
	case 0:
		return nil
	case 1:
		return r.IntN(2) == 0
	case 2:
		return r.IntN(10)
	case 3:
		return math.Trunc(r.Float64()*1e6) / 8 * math.Pow10(r.IntN(24)-6)
	case 4:
		return "x"
	case 5:
		if depth > 0 {
			list := []any{}
			for range r.IntN(3) {
				list = append(list, r.value(depth-1))
			}
			return list
		}
	}
	if depth == 0 {
		return "y"
	}
	m := map[string]any{}
	for range r.IntN(5) {
		m[r.name()] = r.value(depth - 1)
	}
	return m
}

// TestOracleSchemas compares what is made of schemas with what Radius makes of them.
func TestOracleSchemas(t *testing.T) {
	needOracle(t)
	r := random{rand.New(rand.NewPCG(1, 2))}
	var questions []map[string]any
	var got []string
	ask := func(op string, q map[string]any, answer any) {
		text, err := json.Marshal(answer)
		require.NoError(t, err)
		q["op"] = op
		questions, got = append(questions, q), append(got, string(text))
	}
	for range 1000 {
		schema := r.schema(3)
		properties, _ := r.value(3).(map[string]any)
		if properties == nil {
			properties = map[string]any{}
		}
		q := map[string]any{"schema": schema, "properties": properties}
		text, err := json.Marshal(q)
		require.NoError(t, err)
		both := parsed(t, string(text)).(*armjson.Object)
		with := plain(both.Object("properties")).(*armjson.Object)
		applyDefaults(with, both.Object("schema"))
		ask("defaults", maps.Clone(q), asGo(t, with))
		ask("sensitive", maps.Clone(q), hasSecrets(both.Object("schema")))
		given := plain(both.Object("properties")).(*armjson.Object)
		ask("redacted", maps.Clone(q), asGo(t, redacted(given, both.Object("schema"))))
		of := both.Object("schema").Object("properties")
		ask("secrets", maps.Clone(q), of.Object("secrets") != nil)
		value := r.value(3)
		text, err = json.Marshal(value)
		require.NoError(t, err)
		line, ok := printed(plain(parsed(t, string(text))))
		require.True(t, ok)
		ask("text", map[string]any{"value": value}, line)
		name := strings.Repeat("aB-_ü9"[:1+r.IntN(6)], 1+r.IntN(20))
		id := scope + "/providers/Radius.Data/redisCaches/" + name
		ask("name", map[string]any{"resource": id}, managedName(id, name))
	}
	for i, answer := range asked(t, questions) {
		if questions[i]["op"] == "sensitive" { // the paths
			answer = json.RawMessage(strconv.FormatBool(string(answer) != "null"))
		}
		require.JSONEq(t, string(answer), got[i], "%v", questions[i])
	}
}

// TestOracleValidation compares which properties fit the types of Radius 0.60.
func TestOracleValidation(t *testing.T) {
	needOracle(t)
	r := random{rand.New(rand.NewPCG(3, 4))}
	var questions []map[string]any
	var got []string
	for line := range strings.SplitSeq(strings.TrimSpace(builtIn), "\n") {
		part := strings.SplitN(line, " ", 4)
		schema := parsed(t, part[3]).(*armjson.Object)
		for range 100 {
			v := r.fitting(schema, 4)
			properties, ok := v.(map[string]any)
			if !ok {
				continue
			}
			text, err := json.Marshal(properties)
			require.NoError(t, err)
			path, wrong := mismatch(plain(parsed(t, string(text))), schema, nil)
			questions = append(questions, map[string]any{"op": "validate", "schema": asGo(t, schema), "properties": properties})
			got = append(got, wrong+" "+strings.Join(path, "."))
		}
	}
	wrong := 0
	for i, answer := range asked(t, questions) {
		fits := string(answer) == "null"
		if !fits {
			wrong++
		}
		require.Equal(t, fits, got[i] == " ", "%s\n%s\n%v", answer, got[i], questions[i])
	}
	t.Logf("%d of %d do not fit", wrong, len(questions))
}

// fitting makes a value that mostly fits a schema.
func (r random) fitting(schema *armjson.Object, depth int) any {
	if r.IntN(60) == 0 || schema == nil {
		return r.value(1)
	}
	if list, ok := schema.Get("enum"); ok {
		return string(list.(armjson.Array)[0].(armjson.String))
	}
	switch schema.Str("type") {
	case "string":
		return "x"
	case "integer":
		return r.IntN(5)
	case "boolean":
		return true
	case "array":
		return []any{r.fitting(schema.Object("items"), depth-1)}
	}
	m := map[string]any{}
	if properties := schema.Object("properties"); properties != nil {
		for name := range properties.All() {
			if r.IntN(2) == 0 && depth > 0 || slices.Contains(textsOf(schema, "required"), name) && r.IntN(20) > 0 {
				m[name] = r.fitting(properties.Object(name), depth-1)
			}
		}
	}
	if rest := schema.Object("additionalProperties"); rest != nil && depth > 0 {
		m["k"] = r.fitting(rest, depth-1)
	}
	return m
}

// TestOracleParameters runs the cases of Radius' own tests of expressions, as the test target recorded them.
func TestOracleParameters(t *testing.T) {
	file := os.Getenv("RECIPES_CASES")
	if file == "" {
		t.Skip("make recipes-oracle runs it")
	}
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	n := 0
	for line := range strings.Lines(string(text)) {
		one := parsed(t, line).(*armjson.Object)
		context := one.Object("context")
		if context == nil {
			context = armjson.NewObject()
		}
		given, want := one.Object("parameters"), one.Object("result")
		if given == nil {
			continue
		}
		n++
		require.Equal(t, asGo(t, want), asGo(t, newResolver(context).value(given)), line)
	}
	require.GreaterOrEqual(t, n, 30)
	t.Logf("%d cases", n)
}
