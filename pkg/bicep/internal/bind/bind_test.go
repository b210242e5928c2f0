package bind_test

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/cache"
	"github.com/radbicep/rad/pkg/bicep/internal/casetest"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// env offers two namespaces that are small.
type env struct{ exports map[string]bind.ExportKind }

func overload(name string, flags types.FunctionFlags) *types.FunctionOverload {
	return &types.FunctionOverload{Name: name, Return: types.TAny, Flags: flags}
}

func (env) Namespaces(f *graph.File, _ types.ResourceScope) []bind.Namespace {
	ns := func(name string, properties []types.Property, fs ...*types.FunctionOverload) *types.Namespace {
		return types.NewNamespace(name, types.NamespaceSettings{ExtensionName: name, Singleton: true}, properties, fs,
			nil, []*types.Decorator{
				{Overload: overload("description", types.AnyDecorator)},
				{Overload: overload("secure", types.ParameterDecorator)},
			}, nil)
	}
	sys := ns("sys", []types.Property{{Name: "string", Type: types.TAny}},
		overload("concat", 0), overload("both", 0), overload("newGuid", types.ParamDefaultsOnly), overload("reference", types.RequiresInlining))
	az := types.NewNamespace("az", types.NamespaceSettings{ExtensionName: "az"}, nil,
		[]*types.FunctionOverload{overload("both", 0), overload("resourceGroup", 0)}, nil, nil, nil)
	list := []bind.Namespace{{Name: "sys", Type: sys}, {Name: "az", Type: az}}
	for _, s := range f.Tree.Stmts {
		if x, ok := s.(*syntax.Extension); ok {
			list = append(list, bind.Namespace{Name: "kubernetes", Type: ns("kubernetes", nil), Origin: x})
		}
	}
	return list
}

func (env) This() types.Type { return types.TAny }

func (e env) Exporter(f *graph.File) bind.Exporter { return exporter{f, e.exports} }

func (env) Binding(f *graph.File) *bind.Binding { return bind.Bind(f, env{}) }

type exporter struct {
	f       *graph.File
	exports map[string]bind.ExportKind
}

func (e exporter) File() *graph.File       { return e.f }
func (e exporter) HasErrors() bool         { return e.exports == nil }
func (e exporter) Exports() []*bind.Export { return nil }
func (e exporter) FindExport(name string) *bind.Export {
	if k, ok := e.exports[name]; ok {
		return &bind.Export{Kind: k, Name: name, Type: types.TAny}
	}
	return nil
}

func loaded(t testing.TB, name, text string) *graph.Program {
	t.Helper()
	p, err := graph.Load(context.Background(), "/p/"+name, graph.Options{
		FS:        source.Memory{"/p/" + name: text, "/p/lib.bicep": "", "/p/base.bicepparam": "using none\nparam a = 1\nparam b = 2"},
		Artifacts: &cache.Reader{FS: source.Memory{}}})
	require.NoError(t, err)
	for _, d := range p.Entry.Diagnostics {
		t.Fatalf("the test's program does not parse: %s", d.Message())
	}
	return p
}

func bound(t *testing.T, name, text string, exports map[string]bind.ExportKind) *bind.Binding {
	t.Helper()
	return bind.Bind(loaded(t, name, text).Entry, env{exports})
}

// diagnostics returns what is wrong with the names of a file: their declarations, their uses,
// imports and cycles.
func diagnostics(b *bind.Binding) diag.List {
	list := b.Diagnostics()
	syntax.Walk(b.File.Tree, func(n syntax.Node) bool {
		if e, ok := b.Symbol(n).(*bind.ErrorSymbol); ok && e.Diagnostic != nil {
			list.Add(*e.Diagnostic)
		}
		return true
	})
	for _, e := range b.ErroredImports {
		list = append(list, e.Problems...)
	}
	for _, d := range b.Declarations() {
		if b.IsCyclic(d) {
			list.Add(diag.BCP080.At(d.NameSpan(), b.CycleChain(d)))
		}
	}
	list.SortByPlace()
	return list
}

// TestCases binds the programs of testdata/cases.
func TestCases(t *testing.T) {
	t.Parallel()
	casetest.Run(t, func(t *testing.T, c casetest.Case) (r casetest.Result) {
		b := bound(t, c.Entry, c.Files[c.Entry], map[string]bind.ExportKind{"f": bind.ExportFunc, "t": bind.ExportType, "bad": bind.ExportError})
		for _, d := range diagnostics(b) {
			d.File = b.File.Source
			r.Add(d)
		}
		return r
	})
}

func TestImportFromAFileWithErrors(t *testing.T) {
	t.Parallel()
	list := diagnostics(bound(t, "main.bicep", "import {f} from 'lib.bicep'", nil))
	require.Len(t, list, 1)
	require.Equal(t, diag.BCP104, list[0].Kind)
}

// Resources are taken from the inside out, before those of the top level.
func TestDeclaredResources(t *testing.T) {
	t.Parallel()
	b := bound(t, "main.bicep", `resource a 'a/b@c' = {
  resource b 'd' = {
    resource c 'e' = {}
  }
  resource d 'd' = {}
}
resource e 'a/b@c' = [for x in []: {
}]
`, nil)
	var names []string
	for _, r := range b.DeclaredResources() {
		names = append(names, r.Name())
	}
	got, want := strings.Join(names, " "), "c b d a e"
	assert.Equal(t, want, got)
}

func TestBaseParameters(t *testing.T) {
	t.Parallel()
	b := bound(t, "main.bicepparam", "using none\nextends 'base.bicepparam'\nparam a = base.b\n", nil)
	require.Empty(t, diagnostics(b))
	var names []string
	for _, a := range b.ParamAssigns {
		names = append(names, fmt.Sprintf("%s from %s", a.Name(), a.Binding().File.Path))
	}
	sort.Strings(names)
	got, want := strings.Join(names, ", "), "a from /p/main.bicepparam, b from /p/base.bicepparam"
	assert.Equal(t, want, got)
	require.NotNil(t, b.Base, "base")
	require.Len(t, b.Base.Parents, 2, "base holds %v, want a and b", b.Base)
}
