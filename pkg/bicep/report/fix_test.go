package report_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/internal/cputime"
)

// fixOf returns a fix of edits that are written as start-end=text.
func fixOf(edits ...string) *report.Fix {
	f := &report.Fix{}
	for _, text := range edits {
		var e report.Edit
		place, with, _ := strings.Cut(text, "=")
		fmt.Sscanf(place, "%d-%d", &e.Span.Start, &e.Span.End)
		e.Text = with
		f.Edits = append(f.Edits, e)
	}
	return f
}

func TestApplyFixes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		fixes   []*report.Fix
		want    string
		applied int
	}{
		{"none", nil, "0123456789", 0},
		{"in any order", []*report.Fix{fixOf("7-8=x"), fixOf("1-3="), fixOf("4-4=y")}, "03y456x89", 3},
		{"what overlaps an earlier one is left out", []*report.Fix{fixOf("2-5=a"), fixOf("4-6=b"), fixOf("5-6=c")}, "01ac6789", 2},
		{"and does not keep a later one out", []*report.Fix{fixOf("2-4=a"), fixOf("3-7=b"), fixOf("6-8=c")}, "01a45c89", 2},
		{"the same edit is made once", []*report.Fix{fixOf("2-4=a", "6-7=b"), fixOf("2-4=a", "8-9=c")}, "01a45b7c9", 2},
		{"another text at the same place", []*report.Fix{fixOf("2-4=a"), fixOf("2-4=b")}, "01a456789", 1},
		{"insertions at one place", []*report.Fix{fixOf("3-3=a"), fixOf("3-3=b"), fixOf("3-3=a")}, "012a3456789", 2},
		{"an insertion beside a replacement", []*report.Fix{fixOf("3-5=a"), fixOf("5-5=b"), fixOf("3-3=c")}, "012a56789", 1},
		{"one edit of a fix is not possible", []*report.Fix{fixOf("1-2=a"), fixOf("1-2=b", "7-8=c"), fixOf("7-8=d")}, "0a23456d89", 2},
		{"outside of the text", []*report.Fix{fixOf("9-11=a"), fixOf("5-4=b")}, "0123456789", 0},
		{"a fix without edits", []*report.Fix{fixOf()}, "0123456789", 0},
	} {
		got, applied := report.ApplyFixes("0123456789", c.fixes)
		require.Equal(t, c.want, got, c.name)
		require.Equal(t, c.applied, applied, c.name)
	}
}

// Each fix is applied unless it overlaps one that was applied before: compared with
// every fix before, as the definition says.
func TestApplyFixesAsDefined(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var fixes []*report.Fix
		var taken []report.Edit
		applied := 0
		for range r.IntN(12) {
			at := r.Int32N(30)
			e := report.Edit{Span: source.Span{Start: at, End: at + r.Int32N(4)}, Text: string(rune('a' + r.IntN(2)))}
			fixes = append(fixes, &report.Fix{Edits: []report.Edit{e}})
			free := true
			for _, d := range taken {
				apart := e.Span.End <= d.Span.Start || d.Span.End <= e.Span.Start
				if e.Span.Len() == 0 || d.Span.Len() == 0 {
					apart = e.Span.End < d.Span.Start || d.Span.End < e.Span.Start
				}
				free = free && (apart || e == d)
			}
			if free {
				applied++
				taken = append(taken, e)
			}
		}
		_, n := report.ApplyFixes(strings.Repeat("x", 40), fixes)
		require.Equal(t, applied, n)
	}
}

// Twice the fixes take about twice the time, whatever their order.
func TestApplyFixesIsLinear(t *testing.T) {
	t.Parallel()
	run := func(n int) time.Duration {
		text := strings.Repeat("0123456789", n)
		var fixes []*report.Fix
		for i := range n {
			fixes = append(fixes, fixOf(fmt.Sprintf("%d-%d=x", 10*i, 10*i+5)))
		}
		best := time.Hour
		for range 3 {
			best = min(best, cputime.Measure(func() {
				_, applied := report.ApplyFixes(text, fixes)
				require.Equal(t, n, applied)
			}))
		}
		return best
	}
	small, large := run(2000), run(32000)
	require.Less(t, large, 100*small+50*time.Millisecond, "16 times as many: %v and %v", small, large)
}
