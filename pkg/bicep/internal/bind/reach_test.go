package bind_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/internal/cputime"
)

func names(list []bind.Declared) []string {
	var out []string
	for _, d := range list {
		out = append(out, d.Name())
	}
	return out
}

func TestUnexportable(t *testing.T) {
	t.Parallel()
	b := bound(t, "main.bicep", `param p string
param q string
var free = 1
var direct = p
var both = '${q}${direct}${p}'
var far = [both, free]
var a = [c, q]
var c = a
`, nil)
	for name, want := range map[string][]string{
		"free": nil, "direct": {"p"}, "both": {"q", "p"}, "far": {"q", "p"}, "a": {"q"}, "c": {"q"},
	} {
		require.Equal(t, want, names(b.Unexportable(b.DeclarationsOf(name)[0])), name)
	}
}

// TestReachIsAWalk compares Reach with a walk from each symbol, in programs whose
// variables use each other at random, in cycles too.
func TestReachIsAWalk(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		const n = 12
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, "var v%d = [", i)
			for range r.IntN(3) {
				fmt.Fprintf(&text, "v%d,", r.IntN(n))
			}
			text.WriteString("]\n")
		}
		b := bound(t, "main.bicep", text.String(), nil)
		even := func(d bind.Declared) bool { return d.Name()[len(d.Name())-1]%2 == 0 }
		reach := b.NewReach(even)
		for _, i := range r.Perm(n) {
			d := b.DeclarationsOf(fmt.Sprintf("v%d", i))[0]
			seen := map[bind.Declared]bool{}
			var want []string
			var walk func(bind.Declared)
			walk = func(d bind.Declared) {
				for _, next := range b.ReferencedBy(d) {
					if !seen[next] {
						seen[next] = true
						if even(next) {
							want = append(want, next.Name())
						}
						walk(next)
					}
				}
			}
			walk(d)
			got := names(reach.From(d))
			if b.IsCyclic(d) || slices.ContainsFunc(b.Declarations(), func(d bind.Declared) bool { return b.IsCyclic(d) }) {
				slices.Sort(got) // the order is that of a walk only where there is no cycle
				slices.Sort(want)
			}
			require.Equal(t, want, got, "what %s needs in\n%s", d.Name(), text.String())
		}
	}
}

func TestReachOfALongChain(t *testing.T) {
	t.Parallel()
	const n = 20_000
	var text strings.Builder
	text.WriteString("param p string\nvar v0 = p\n")
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&text, "var v%d = [v%d, p]\n", i, i-1)
	}
	b := bound(t, "main.bicep", text.String(), nil)
	took := cputime.Measure(func() {
		for _, d := range b.Declarations() {
			if d.Name() != "p" {
				require.Len(t, b.Unexportable(d), 1)
			}
		}
	})
	require.Less(t, took, 10*time.Second) // about 0.1 s; quadratic work takes minutes
}

// References are listed once each, in the order of their first use, however many they are.
func TestReferencesAreListedOnce(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 15, 16, 17, 60} {
		var text, uses strings.Builder
		var want []string
		for i := range n {
			fmt.Fprintf(&text, "var v%d = %d\n", i, i)
			fmt.Fprintf(&uses, "v%d, v%d, ", i, i/2)
			want = append(want, fmt.Sprintf("v%d", i))
		}
		b := bound(t, "main.bicep", fmt.Sprintf("%svar all = [%s v0]\n", &text, &uses), nil)
		require.Equal(t, want, names(b.References(b.DeclarationsOf("all")[0].Decl())))
	}
}
