package bind_test

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/cache"
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
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range p.Entry.Diagnostics {
		t.Fatalf("the test's program does not parse: %s", d.Message())
	}
	return p
}

func bound(t *testing.T, name, text string, exports map[string]bind.ExportKind) *bind.Binding {
	t.Helper()
	return bind.Bind(loaded(t, name, text).Entry, env{exports})
}

// report lists the codes of the file, in order, each with the text it is about.
func report(b *bind.Binding) string {
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
			list.Add(diag.BCP080.At(d.NameSpan(), strings.ReplaceAll(b.CycleChain(d), " -> ", " ")))
		}
	}
	list.SortByPlace()
	var out []string
	for _, d := range list {
		code := d.Code()
		if d.Kind == diag.BCP080 {
			code = fmt.Sprintf("cycle(%s)", d.Args...)
		}
		out = append(out, code+":"+b.File.Source.Slice(d.Span))
	}
	return strings.Join(out, " ")
}

func TestDiagnostics(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"param a string\nvar b = a", ""},
		{"var a = 1\nparam a string", "BCP028:a BCP028:a"},
		{"output a string = 'x'\noutput a string = 'y'\nvar a = 1", "BCP145:a BCP145:a"},
		{"metadata a = 1\nmetadata a = 2", "BCP145:a BCP145:a"},
		{"var sys = 1", "BCP084:sys"},
		{"var this = 1", "BCP084:this"},
		{"var a = b", "BCP057:b"},
		{"var a = conct()", "BCP082:conct"},
		{"var a = both()", "BCP056:both"},
		{"var a = sys", ""},
		{"var a = newGuid()", "BCP065:newGuid"},
		{"param a string = newGuid()", ""},
		{"param a string = reference()", "BCP066:reference"},
		{"var a = reference()", ""},
		{"resource r 'a/b@c' = if (reference()) { x: reference() }", "BCP066:reference"},
		{"@secure()\nparam a string", ""},
		{"@secure()\nvar a = 1", "BCP126:secure"},
		{"@concat()\nvar a = 1", "BCP152:concat"},
		{"@description(description())\nvar a = 1", "BCP057:description"},
		{"var a = a", "cycle(a):a"},
		{"var a = b\nvar b = c\nvar c = a", "cycle(a b c):a cycle(b c a):b cycle(c a b):c"},
		{"type t = { a: t? }", ""},
		{"type t = t[]", ""},
		{"type t = t?", "cycle(t):t"},
		{"func f(a string) string => f(a)", "cycle(f):f"},
		{"param p string\nfunc f(a string) string => p", "BCP057:p"},
		{"var v = 1\nfunc f(a string) string => '${v}${a}'", ""},
		{"var x = 1\nvar a = [for x in y: x]", "BCP057:y"},
		{"var a = [for (x, x) in []: x]", "BCP028:x BCP028:x"},
		{"resource r 'a/b@c' = {\n  resource s 'd' = {}\n}\nvar v = r::s\nvar w = r::t\nvar u = v::s", "BCP159:t BCP158:s"},
		{"resource r 'a/b@c' = {\n  x: this\n  resource s 'd' = {\n  }\n}", ""},
		{"resource r 'a/b@c' existing = {\n  x: this\n}", "BCP057:this"},
		{"resource r 'a/b@c' = {\n  resource s 'd' = {\n    x: r\n  }\n  y: s\n}", "cycle(r s):r"},
		{"extension kubernetes as a\nextension kubernetes as b", "BCP207:kubernetes BCP207:kubernetes"},
		{"import {f, no, bad, t as u} from 'lib.bicep'\nvar x = f()\nparam p u", "BCP360:no BCP373:bad"},
		{"import * as l from 'lib.bicep'\nvar x = l.f()", ""},
		{"import {f} from 'none.bicep'\nvar x = f()", "BCP091:'none.bicep'"},
	} {
		b := bound(t, "main.bicep", test.text, map[string]bind.ExportKind{"f": bind.ExportFunc, "t": bind.ExportType, "bad": bind.ExportError})
		if got := report(b); got != test.want {
			t.Errorf("%s\ngot  %s\nwant %s", test.text, got, test.want)
		}
	}
	b := bound(t, "main.bicep", "import {f} from 'lib.bicep'", nil)
	if got, want := report(b), "BCP104:from 'lib.bicep'"; got != want {
		t.Errorf("importing from a broken file: got %s, want %s", got, want)
	}
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
	if got, want := strings.Join(names, " "), "c b d a e"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestBaseParameters(t *testing.T) {
	t.Parallel()
	b := bound(t, "main.bicepparam", "using none\nextends 'base.bicepparam'\nparam a = base.b\n", nil)
	if got := report(b); got != "" {
		t.Errorf("got %s", got)
	}
	var names []string
	for _, a := range b.ParamAssigns {
		names = append(names, fmt.Sprintf("%s from %s", a.Name(), a.Binding().File.Path))
	}
	sort.Strings(names)
	if got, want := strings.Join(names, ", "), "a from /p/main.bicepparam, b from /p/base.bicepparam"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if b.Base == nil || len(b.Base.Parents) != 2 {
		t.Errorf("base holds %v, want a and b", b.Base)
	}
}
