package flow_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/checktest"
	"github.com/radbicep/rad/pkg/bicep/internal/flow"
)

const (
	storage  = "resource s 'Microsoft.Storage/storageAccounts@2023-01-01' = {\n  name: 's'\n}\n"
	storages = "resource many 'Microsoft.Storage/storageAccounts@2023-01-01' = [for i in range(0, 2): {\n  name: 's${i}'\n}]\n"
	module   = "module m 'm.bicep' = {\n  name: 'm'\n}\n"
)

func analyzed(t *testing.T, program string) *flow.Analysis {
	t.Helper()
	files := map[string]string{"main.bicep": program, "m.bicep": "output o string = 'o'\n"}
	return flow.Analyze(checktest.Program(t, "main.bicep", files, check.Options{}).Entry())
}

func TestSettings(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, program string
		want          flow.Settings
	}{
		{"values and resources", "param p string\nvar v = p\noutput o string = v\n" + storage, flow.Settings{}},
		{"a module that has a name", module, flow.Settings{}},
		{"a module that has none", "module m 'm.bicep' = {}\n", flow.Settings{Symbolic: true}},
		{"a type", "type t = string\n", flow.Settings{Symbolic: true}},
		{"a parameter that may be null", "param p string?\n", flow.Settings{Symbolic: true}},
		{"one of a collection", storages + "output o string = many[0].id\n", flow.Settings{}},
		{"one of a collection, in parentheses", storages + "output o string = (many)[0].id\n", flow.Settings{}},
		{"a whole collection", storages + "output o array = map(many, x => x.id)\n", flow.Settings{Symbolic: true}},
		{"a whole collection to depend on", storages + strings.Replace(storage, "}", "  dependsOn: many\n}", 1), flow.Settings{}},
		{"what may be missing", "@nullIfNotFound()\n" + strings.Replace(storage, "=", "existing =", 1), flow.Settings{Symbolic: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := analyzed(t, test.program).Settings()
			assert.True(t, got == test.want, "got %+v, want %+v", got, test.want)
		})
	}
}

// The last variable of a program is the one that is asked about.
func TestMustInline(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, program string
		path          string
		want          bool
	}{
		{"a constant", "var v = 1\n", "", false},
		{"what the declaration says", storage + "var v = s.name\n", "", false},
		{"what the deployment says", storage + "var v = s.properties.x\n", "", true},
		{"by way of others", storage + "var a = s.properties.x\nvar b = a\nvar v = b\n", "b a", true},
		{"a function of the deployment", "var v = reference('x').y\n", "", true},
		{"a name alone", storage + "var v = nameof(s)\n", "", false},
		{"an output", module + "var v = m.outputs.o\n", "", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			f := analyzed(t, test.program)
			vars := f.Model.Binding().Vars
			v := vars[len(vars)-1]
			path, got := f.MustInline(v)
			require.Equal(t, test.want, got, "got %v by way of %q, want %v by way of %q", got, path, test.want, test.path)
			require.Equal(t, test.path, strings.Join(path, " "), "got %v by way of %q, want %v by way of %q", got, path, test.want, test.path)
			assert.Equal(t, test.want, f.Inlined().Vars[v], "asked about all variables the answer is another one")
		})
	}
}

func TestDependencies(t *testing.T) {
	t.Parallel()
	f := analyzed(t, storage+storages+module+
		"var late = s.properties.x\nvar plain = 'x'\n"+
		"resource r 'A.B/c@2020-01-01' = [for k in range(0, 2): {\n  name: '${plain}${late}'\n  dependsOn: [m]\n"+
		"  properties: {\n    id: s.id\n    one: many[k].properties.y\n    all: [for i in range(0, 2): many[i].properties.y]\n  }\n}]\n")
	of := func(d flow.Dependencies, name string) string {
		var list []string
		for s, needs := range d {
			if s.Name() != name {
				continue
			}
			for _, n := range needs {
				text := n.On.Name()
				if n.Index != nil {
					text += "[]"
				}
				if n.Weak {
					text += " weakly"
				}
				list = append(list, text)
			}
		}
		return strings.Join(list, ", ")
	}
	for _, test := range []struct {
		name, got, want string
	}{
		{"all", of(f.Dependencies(), "r"), "late, m, s weakly, many[], many"},
		{"without dependsOn", of(f.ImplicitDependencies(), "r"), "late, s weakly, many[], many"},
		{"a variable", of(f.Dependencies(), "late"), "s"},
		{"a variable that needs nothing", of(f.Dependencies(), "plain"), ""},
	} {
		assert.Equal(t, test.want, test.got, test.name)
	}
}

// An expression that moves out of a loop loses the loop's variables; those of
// a loop that moves with it stay.
func TestLostLocals(t *testing.T) {
	t.Parallel()
	f := analyzed(t, "var a = [for i in [1]: map([i], x => x + i)]\nvar b = 1\n")
	vars := f.Model.Binding().Vars
	inner, outer := flow.VarBody(vars[0]), flow.VarBody(vars[1])
	names := func(list []*bind.Local) (names []string) {
		for _, l := range list {
			names = append(names, l.Name())
		}
		return names
	}
	got := names(f.LostLocals(inner, outer))
	assert.True(t, slices.Equal(got, []string{"i"}), "got %v", got)
	assert.Nil(t, names(f.LostLocals(inner, inner)), "where it stands it loses")
}
