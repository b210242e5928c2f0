package snapshot_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// TestPlansHaveTheValuesOfSnapshots expands the programs of testdata/cases once more, as a plan does. What is known in the
// snapshot is known in the plan, and the same. What is not, is a call in the plan: of what is declared, a plan believes only
// texts, numbers and true (Options.Declared), and two calls may have one value.
func TestPlansHaveTheValuesOfSnapshots(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/cases/*.txtar")
	require.NoError(t, err)
	compared, unknown := 0, 0
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		require.NoError(t, err)
		cases := map[string]source.Memory{}
		shared := source.Memory{}
		for _, f := range archive.Files {
			name, rest, ok := strings.Cut(f.Name, "/")
			if !ok {
				shared["/"+f.Name] = string(f.Data)
				continue
			}
			if cases[name] == nil {
				cases[name] = source.Memory{}
			}
			cases[name]["/"+rest] = string(f.Data)
		}
		for name, files := range cases {
			if files["/main.bicep"] == "" || files["/context"] != "" {
				continue
			}
			for n, text := range shared {
				if files[n] == "" {
					files[n] = text
				}
			}
			official, plan := both(t, files)
			if official == nil {
				continue // it is refused
			}
			for at, want := range official {
				got, ok := plan[at]
				if !ok {
					got = above(plan, at)
				}
				if got == want {
					compared++
					continue
				}
				if assert.Regexp(t, `^"\[.*\]"$`, got, "%s: %s is %s in the snapshot", name, at, want) {
					unknown++
				}
			}
		}
	}
	t.Log(compared, "values are the same; in the plan are not known:", unknown)
	require.Greater(t, compared, 30)
	require.Less(t, unknown, 20)
}

// above returns the value that holds what is at a path; "" if there is none.
func above(values map[string]string, at string) string {
	for i := strings.LastIndexAny(at, ".["); i > 0; i = strings.LastIndexAny(at[:i], ".[") {
		if v, ok := values[at[:i]]; ok {
			return v
		}
	}
	return ""
}

// both expands a program as for a snapshot and as for a plan, and returns the known values of the one and all of the other,
// by type, name and path.
func both(t *testing.T, files source.Memory) (official, plan map[string]string) {
	t.Helper()
	for _, o := range []expand.Options{{Official: true}, {Tolerant: true, Graphs: true, Declared: true}} {
		result, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{FS: files, File: "/main.bicep", Options: bicep.Options{Symbolic: !o.Official}})
		require.NoError(t, err)
		template, err := result.TemplateTree()
		require.NoError(t, err, result.Findings)
		o.Context = expand.Context{SubscriptionID: "1", ResourceGroup: "g"}
		expansion, err := expand.Expand(template, o)
		if err != nil {
			return nil, nil
		}
		values := map[string]string{}
		for _, r := range expansion.Resources {
			if name, ok := expand.Known(r.Name); ok && !r.Existing {
				leaves(r.Body, r.Type+" "+name, !o.Official, values)
			}
		}
		for _, x := range expansion.Outputs {
			leaves(x.Value, "output "+x.Name, !o.Official, values)
		}
		official, plan = plan, values
	}
	return official, plan
}

// leaves adds the parts of a value that are neither arrays nor objects. Null is as good as nothing.
func leaves(v expand.Value, at string, unknown bool, into map[string]string) {
	switch v := v.(type) {
	case armjson.Array:
		for i, x := range v {
			leaves(x, fmt.Sprintf("%s[%d]", at, i), unknown, into)
		}
	case *armjson.Object:
		for k, x := range v.All() {
			leaves(x, at+"."+k, unknown, into)
		}
	case armjson.Null:
	default:
		if unknown || expand.IsKnown(v) && !expand.IsSecure(v) {
			into[at] = armjson.Text(expand.Printable(v))
		}
	}
}
