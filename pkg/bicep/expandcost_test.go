package bicep_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/internal/cputime"
)

// containers returns a program of n containers of Radius that are connected to each other.
func containers(n int) string {
	var b strings.Builder
	b.WriteString(`extension radius
param environment string
param tag string = 'latest'
resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'app'
  properties: { environment: environment }
}
resource c0 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'c0'
  properties: { application: app.id, container: { image: 'x' } }
}
`)
	for i := range n {
		fmt.Fprintf(&b, `resource c%[1]d 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'c%[1]d'
  properties: {
    application: app.id
    container: { image: 'web:${tag}', env: { N: { value: '%[1]d' } } }
    connections: { next: { source: c%[2]d.id } }
  }
}
`, i+1, i)
	}
	return b.String()
}

// BenchmarkExpand is what predicting the resources of a program costs beside compiling it.
func BenchmarkExpand(b *testing.B) {
	for name, text := range large() {
		b.Run(name+"/compile", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				symbolic(b, text)
			}
		})
		b.Run(name+"/expand", func(b *testing.B) {
			b.ReportAllocs()
			r := symbolic(b, text)
			for b.Loop() {
				predict(b, r)
			}
		})
	}
}

// large returns programs of 20,000 resources.
func large() map[string]string {
	return map[string]string{"resources": resources(20_000), "containers": containers(20_000)}
}

func symbolic(t testing.TB, text string) *bicep.Result {
	t.Helper()
	files := source.Memory{"/main.bicep": text, "/bicepconfig.json": noLimit}
	r, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{FS: files, File: "/main.bicep", Options: bicep.Options{Symbolic: true}})
	require.NoError(t, err)
	require.True(t, r.OK())
	return r
}

func predict(t testing.TB, r *bicep.Result) {
	t.Helper()
	template, err := r.TemplateTree()
	require.NoError(t, err)
	e, err := expand.Expand(template, expand.Options{Places: r.Places, Tolerant: true})
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(e.Resources), 20_000)
}

// TestExpansionCostsNoMoreThanCompiling compares processor time. It is about a third. Where other
// work on the machine disturbs a measurement, there is a second one.
func TestExpansionCostsNoMoreThanCompiling(t *testing.T) {
	if testing.Short() {
		t.Skip("takes its time")
	}
	for name, text := range large() {
		var r *bicep.Result
		compiling, expanding := time.Hour, time.Hour
		for range 3 {
			if expanding < compiling {
				break
			}
			compiling = min(compiling, cputime.Measure(func() { r = symbolic(t, text) }))
			expanding = min(expanding, cputime.Measure(func() { predict(t, r) }))
		}
		require.LessOrEqual(t, expanding, compiling, name)
	}
}
