//go:build corpus

package namespaces_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// The functions have the signatures that the official compiler lists for itself.
func TestSignatures(t *testing.T) {
	t.Parallel()
	repo := os.Getenv("BICEP_CORPUS")
	if repo == "" {
		t.Fatal("BICEP_CORPUS must name a git directory of Azure/bicep")
	}
	all := load(t, types.ScopeResourceGroup, graph.Bicep)
	for _, name := range []string{"sys", "az"} {
		file := "src/Bicep.Core.Samples/Files/baselines/Functions/" + name + ".json"
		b, err := exec.Command("git", "-C", repo, "show", "HEAD:"+file).Output()
		if err != nil {
			t.Fatal(err)
		}
		var listed []struct{ Name, TypeSignature, Flags string }
		if err := json.Unmarshal(b, &listed); err != nil {
			t.Fatal(err)
		}
		var want, got []string
		for _, f := range listed {
			want = append(want, f.Name+f.TypeSignature+" "+mark(strings.Contains(f.Flags, "pure"), strings.Contains(f.Flags, "requiresInlining")))
		}
		for _, o := range all[name].Methods.Overloads {
			if o.Wildcard == "" {
				got = append(got, o.Name+o.Signature()+" "+mark(o.Flags.Has(types.Pure), o.Flags.Has(types.RequiresInlining)))
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(want, got) {
			t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

func mark(pure, inlined bool) string {
	switch {
	case pure:
		return "pure"
	case inlined:
		return "inlined"
	}
	return ""
}
