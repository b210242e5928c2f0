package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/pkg/bicep"
)

// A workload is a command line and the files that it works on. The benchmarks time it,
// and TestCosts counts what it allocates.
type workload struct {
	name  string
	files map[string]string
	args  []string
	edits string // a file that is changed before each run but the first, with what --watch keeps between runs

	runs      int
	workspace *bicep.Workspace
}

// workloads are what `make bench` measures: from the run that a developer waits for to
// the largest programs.
func workloads() []workload {
	build := []string{"bicep", "build", "main.bicep", "--outfile", "main.json"}
	return []workload{
		{name: "small", files: map[string]string{"main.bicep": radiusProgram(1)}, args: []string{"bicep", "build", "--stdout", "main.bicep"}},
		{name: "manifest", files: map[string]string{"main.bicep": radiusProgram(3)}, args: []string{"bicep", "generate-kubernetes-manifest", "main.bicep", "-o", "-", "-p", "tag=latest"}},
		{name: "containers=500", files: map[string]string{"main.bicep": radiusProgram(500)}, args: build},
		{name: "resources=1000", files: map[string]string{"main.bicep": storageProgram(1000, 0), "bicepconfig.json": noLimit}, args: build},
		{name: "resources=20000", files: map[string]string{"main.bicep": storageProgram(20_000, 0), "bicepconfig.json": noLimit}, args: build},
		{name: "files=300", files: manyFiles(300), args: []string{"bicep", "build", "--pattern", "**/*.bicep"}},
		{name: "modules=100", files: modules(100), args: build},
		{name: "variables=4000", files: map[string]string{"main.bicep": chainOfVariables(4000)}, args: build},
		{name: "lint", files: map[string]string{"main.bicep": findingsProgram(200)}, args: []string{"bicep", "lint", "main.bicep"}},
		{name: "format", files: map[string]string{"main.bicep": storageProgram(1000, 0)}, args: []string{"bicep", "format", "main.bicep", "--stdout"}},
		{name: "recipes", files: applications(1), args: throughRecipes("app0.bicep", "-o", "-")},
		{name: "recipes=100", files: applications(100), args: throughRecipes("*.bicep")},
		{name: "watch=300", files: smallModules(300), args: []string{"main.bicep"}, edits: "m4.bicep"},
	}
}

// noLimit lets a template hold more resources than Azure does.
const noLimit = `{"analyzers": {"core": {"rules": {"max-resources": {"level": "off"}}}}}`

// storageProgram is a program with n resources of a type whose properties are not known.
// Most read another.
func storageProgram(n, first int) string {
	var b strings.Builder
	b.WriteString("param location string = resourceGroup().location\nparam tags object = {}\nvar prefix = 'st${uniqueString(resourceGroup().id)}'\n")
	for i := first; i < first+n; i++ {
		fmt.Fprintf(&b, `
resource s%[1]d 'Microsoft.Storage/storageAccounts@2023-01-01' = {
  name: '${prefix}%[1]d'
  location: location
  kind: 'StorageV2'
  tags: tags
  sku: {
    name: 'Standard_LRS'
  }
  properties: {
    minimumTlsVersion: 'TLS1_2'
    accessTier: %[1]d %% 2 == 0 ? 'Hot' : 'Cool'
`, i)
		if i > first {
			fmt.Fprintf(&b, "    customDomain: {\n      name: s%d.properties.primaryEndpoints.web\n    }\n", first+(i-first)/2)
		}
		b.WriteString("  }\n}\n")
	}
	return b.String()
}

// applications are n programs of eight resources each, which a recipe makes thirteen objects of, and what they need.
func applications(n int) map[string]string {
	files := map[string]string{"env/env.bicep": `extension radius
resource pack 'Radius.Core/recipePacks@2025-08-01-preview' = {
  name: 'pack'
  properties: {
    recipes: {
      'Radius.Compute/containers': { kind: 'bicep', source: 'reg.example.com/web:1' }
      'Radius.Data/redisCaches': { kind: 'bicep', source: 'reg.example.com/cache:1' }
    }
  }
}
resource dev 'Radius.Core/environments@2025-08-01-preview' = {
  name: 'dev'
  properties: { recipePacks: [ pack.id ], providers: { kubernetes: { namespace: 'shop' } } }
}
`}
	const service = `"service": {"import": "kubernetes", "type": "core/Service@v1",
"properties": {"metadata": {"name": "[parameters('context').resource.name]"}, "spec": {"ports": [{"port": 80}]}}}`
	recipe := func(resources string) string {
		return `{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#", "languageVersion": "2.1-experimental",
"contentVersion": "1.0.0.0", "parameters": {"context": {"type": "object"}}, "imports": {"kubernetes": {"provider": "Kubernetes",
"version": "1.0.0", "config": {"namespace": "[parameters('context').runtime.kubernetes.namespace]", "kubeConfig": ""}}},
"resources": {` + resources + `}, "outputs": {"result": {"type": "object",
"value": {"values": {"host": "[format('{0}.svc', parameters('context').resource.name)]"}}}}}`
	}
	files["env/cache.json"] = recipe(service)
	files["env/web.json"] = recipe(service + `, "deployment": {"import": "kubernetes", "type": "apps/Deployment@v1", "properties": {
"metadata": {"name": "[parameters('context').resource.name]"}, "spec": {
"selector": {"matchLabels": {"app": "[parameters('context').resource.name]"}},
"template": {"metadata": {"labels": {"app": "[parameters('context').resource.name]"}}, "spec": {
"containers": "[map(items(parameters('context').resource.properties.containers), lambda('c', createObject('name', lambdaVariables('c').key, ` +
		`'image', lambdaVariables('c').value.image, 'env', map(items(parameters('context').resource.connections), lambda('e', ` +
		`createObject('name', toUpper(lambdaVariables('e').key), 'value', lambdaVariables('e').value.properties.host))))))]"}}}}}`)
	for i := range n {
		var b strings.Builder
		b.WriteString(`extension radius
param environment string
`)
		for _, cache := range []string{"a", "b", "c"} {
			fmt.Fprintf(&b, `resource %[1]s 'Radius.Data/redisCaches@2025-08-01-preview' = {
  name: '%[1]s%[2]d'
  properties: { environment: environment }
}
`, cache, i)
		}
		for j := range 5 {
			fmt.Fprintf(&b, `resource web%[1]d 'Radius.Compute/containers@2025-08-01-preview' = {
  name: 'web%[1]d-%[2]d'
  properties: {
    environment: environment
    application: '/planes/radius/local/resourceGroups/g/providers/Radius.Core/applications/shop'
    containers: { web: { image: 'web:1' } }
    connections: { a: { source: a.id }, b: { source: b.id }, c: { source: c.id } }
  }
}
`, j, i)
		}
		files[fmt.Sprintf("app%d.bicep", i)] = b.String()
	}
	return files
}

// throughRecipes is a command line that makes objects of applications.
func throughRecipes(more ...string) []string {
	return append([]string{"bicep", "generate-kubernetes-manifest", "--target", "kubernetes", "-g", "g", "--recipes", "env/env.bicep",
		"--recipe-source", "reg.example.com/web=env/web.json", "--recipe-source", "reg.example.com/cache=env/cache.json"}, more...)
}

// radiusProgram is an application of n containers, whose types are known.
func radiusProgram(n int) string {
	var b strings.Builder
	b.WriteString(`extension radius

param tag string

resource env 'Applications.Core/environments@2023-10-01-preview' existing = {
  name: 'env'
}

resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'app'
  properties: {
    environment: env.id
  }
}
`)
	for i := range n {
		fmt.Fprintf(&b, `
resource web%[1]d 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web%[1]d'
  properties: {
    application: app.id
    container: {
      image: 'example/web:${tag}'
      env: {
        PORT: {
          value: '%[1]d'
        }
      }
      ports: {
        web: {
          containerPort: 3000
        }
      }
    }
    connections: {
      other: {
        source: %[2]s
      }
    }
  }
}
`, i, map[bool]string{true: "app.id", false: fmt.Sprintf("web%d.id", i/2)}[i == 0])
	}
	return b.String()
}

func manyFiles(n int) map[string]string {
	files := map[string]string{}
	for i := range n {
		files[fmt.Sprintf("d%d/m%d.bicep", i/20, i)] = storageProgram(3+i%5, 1000*i+1)
	}
	return files
}

// modules is a program that deploys n modules, of which some are deployed twice.
func modules(n int) map[string]string {
	files := map[string]string{}
	var b strings.Builder
	for i := range n {
		file := fmt.Sprintf("m%d.bicep", i-i%2)
		files[file] = storageProgram(5, 0) + "output first string = s0.id\n"
		fmt.Fprintf(&b, "module m%[1]d '%[2]s' = {\n  name: 'm%[1]d'\n  params: {\n    tags: {}\n  }\n}\n", i, file)
	}
	files["main.bicep"] = b.String() + "output first string = m0.outputs.first\n"
	return files
}

// smallModules is a program that deploys n modules of three resources.
func smallModules(n int) map[string]string {
	files := map[string]string{}
	var b strings.Builder
	for i := range n {
		files[fmt.Sprintf("m%d.bicep", i)] = storageProgram(3, 1000*i)
		fmt.Fprintf(&b, "module m%[1]d 'm%[1]d.bicep' = {\n  name: 'm%[1]d'\n}\n", i)
	}
	files["main.bicep"] = b.String()
	return files
}

// chainOfVariables is a program in which each variable uses the one before.
func chainOfVariables(n int) string {
	var b strings.Builder
	b.WriteString("@export()\nvar v0 = 'a'\n")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "@export()\nvar v%d = '${v%d}b'\n", i, i-1)
	}
	return b.String()
}

// findingsProgram is a program with 3 n findings of the linter.
func findingsProgram(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `
param unused%[1]d string
resource n%[1]d 'Microsoft.Network/virtualNetworks@2020-01-01' = {
  name: concat('net', '%[1]d')
  location: 'westeurope'
}
`, i)
	}
	return b.String()
}

// settled is longer than a compile takes a file for one that may still change, and reads it again.
const settled = 200 * time.Millisecond

// prepare writes the files of a workload into a folder and makes it the current one.
func (w *workload) prepare(tb testing.TB) {
	dir := tb.TempDir()
	for name, text := range w.files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(tb, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(tb, os.WriteFile(path, []byte(text), 0o600))
	}
	require.NoError(tb, os.Mkdir(filepath.Join(dir, ".git"), 0o700)) // it is a project of its own
	if w.edits != "" {
		time.Sleep(settled)
	}
	switch tb := tb.(type) {
	case *testing.B:
		tb.Chdir(dir)
	case *testing.T:
		tb.Chdir(dir)
	}
}

func (w *workload) run(tb testing.TB) {
	var errs strings.Builder
	if w.edits != "" {
		w.runAgain(tb)
		return
	}
	if status := Run(context.Background(), w.args, strings.NewReader(""), io.Discard, &errs); status != cli.ExitOK {
		tb.Fatalf("status %d: %.2000s", status, errs.String())
	}
}

// runAgain changes a module and writes the manifest again, as --watch does.
func (w *workload) runAgain(tb testing.TB) {
	if w.workspace == nil {
		w.workspace = &bicep.Workspace{}
	} else {
		w.runs++
		text := strings.Replace(w.files[w.edits], "'StorageV2'", fmt.Sprintf("'Storage%d'", w.runs%10), 1)
		require.NoError(tb, os.WriteFile(w.edits, []byte(text), 0o600))
	}
	a := newApp(nil, io.Discard, io.Discard)
	a.workspace = w.workspace
	c := newGenerate(a)
	c.SetArgs(w.args)
	require.NoError(tb, c.ExecuteContext(context.Background()))
}

func BenchmarkRun(b *testing.B) {
	for _, w := range workloads() {
		b.Run(w.name, func(b *testing.B) {
			w.prepare(b)
			b.ReportAllocs()
			for b.Loop() {
				w.run(b)
			}
		})
	}
}
