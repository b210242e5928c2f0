package bicep_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// resources is a program with n resources, of which most read another.
func resources(n int) string {
	var b strings.Builder
	b.WriteString("param location string = resourceGroup().location\nparam tags object = {}\nvar prefix = 'st${uniqueString(resourceGroup().id)}'\n")
	for i := range n {
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
		if i > 0 {
			fmt.Fprintf(&b, "    customDomain: {\n      name: s%d.properties.primaryEndpoints.web\n    }\n", i/2)
		}
		b.WriteString("  }\n}\n")
	}
	return b.String()
}

// noLimit lets a template hold more resources than Azure does.
const noLimit = `{"analyzers": {"core": {"rules": {"max-resources": {"level": "off"}}}}}`

// write puts files into a folder and returns the path of main.bicep.
func write(tb testing.TB, files map[string]string) string {
	tb.Helper()
	dir := tb.TempDir()
	for name, text := range files {
		require.NoError(tb, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return filepath.Join(dir, "main.bicep")
}

func benchmark(b *testing.B, files map[string]string) {
	file := write(b, files)
	b.ReportAllocs()
	size := 0
	for b.Loop() {
		r, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{FS: source.Disk{}, File: file})
		if err != nil {
			b.Fatal(err)
		}
		if !r.OK() {
			b.Fatal(r.Findings[0])
		}
		size = len(r.Template)
	}
	b.SetBytes(int64(size))
}

func BenchmarkBuild(b *testing.B) {
	for _, n := range []int{10, 1_000, 20_000} {
		b.Run(fmt.Sprintf("resources=%d", n), func(b *testing.B) {
			benchmark(b, map[string]string{"main.bicep": resources(n), "bicepconfig.json": noLimit})
		})
	}
	b.Run("chain=64", func(b *testing.B) {
		files := map[string]string{"m63.bicep": resources(3)}
		for i := range 63 {
			name := fmt.Sprintf("m%d.bicep", i)
			if i == 0 {
				name = "main.bicep"
			}
			files[name] = fmt.Sprintf("param tags object = {}\nmodule next 'm%d.bicep' = {\n  name: 'next%d'\n  params: {\n    tags: tags\n  }\n}\n", i+1, i)
		}
		benchmark(b, files)
	})
	b.Run("fan=300", func(b *testing.B) {
		files := map[string]string{"leaf.bicep": resources(5)}
		var main strings.Builder
		for i := range 300 {
			fmt.Fprintf(&main, "module m%d 'leaf%d.bicep' = {\n  name: 'm%d'\n}\n", i, i%30, i)
		}
		for i := range 30 {
			files[fmt.Sprintf("leaf%d.bicep", i)] = resources(5)
		}
		files["main.bicep"] = main.String()
		benchmark(b, files)
	})
}
