package resources_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/checktest"
	"github.com/radbicep/rad/pkg/bicep/internal/resources"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

var withScopes = check.Options{Inspectors: []check.Inspector{resources.Inspector{}}}

// TestCases checks the programs of testdata/cases.
func TestCases(t *testing.T) {
	t.Parallel()
	checktest.RunCases(t, withScopes)
}

func TestResources(t *testing.T) {
	t.Parallel()
	m := checktest.Program(t, "main.bicep", map[string]string{"main.bicep": `
resource s 'Microsoft.Storage/storageAccounts@2023-01-01' existing = {
  name: 'st'
  scope: resourceGroup('other')
  resource blob 'blobServices' existing = {
    name: 'default'
  }
}
resource c 'Microsoft.Storage/storageAccounts/blobServices/containers@2023-01-01' existing = [for i in range(0, 2): {
  parent: s::blob
  name: 'c${i}'
}]
var picked = c[0]
resource d 'Microsoft.Storage/storageAccounts@2023-01-01' = [for i in range(0, 2): {
  name: 'd${i}'
}]
resource l 'Microsoft.Authorization/locks@2020-05-01' = {
  name: 'l'
  scope: d[1]
  properties: { level: 'CanNotDelete' }
}
`}, withScopes).Entry()
	require.Empty(t, m.Diagnostics())
	index := resources.IndexOf(m)
	var list []string
	for _, r := range index.Declared() {
		s := r.Symbol.Name() + " " + r.TypeRef().Name()
		for _, a := range index.Ancestors(r) {
			s += fmt.Sprintf(" < %s", a.Resource.Symbol.Name())
		}
		d := index.Scope(r)
		s += fmt.Sprintf(" in %s", d.Requested)
		if d.ResourceGroup != nil {
			s += " " + m.Source().Slice(d.ResourceGroup.Span())
		}
		if d.Resource != nil {
			s += fmt.Sprintf(" %s[%s]", d.Resource.Symbol.Name(), m.Source().Slice(d.Index.Span()))
		}
		list = append(list, s)
	}
	want := `blob Microsoft.Storage/storageAccounts/blobServices@2023-01-01 < s in resourceGroup 'other'
s Microsoft.Storage/storageAccounts@2023-01-01 in resourceGroup 'other'
c Microsoft.Storage/storageAccounts/blobServices/containers@2023-01-01 < s < blob in resourceGroup 'other'
d Microsoft.Storage/storageAccounts@2023-01-01 in resourceGroup
l Microsoft.Authorization/locks@2020-05-01 in resource d[1]`
	require.Equal(t, want, strings.Join(list, "\n"))
	require.Nil(t, index.At(m.Tree().Stmts[2].(*syntax.Var).Value), "an element of a collection is not the collection")
	require.Equal(t, "'st'", m.Source().Slice(index.Declared()[1].NameExpr().Span()))
}
