package cli

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/report"
)

// Tally counts findings. A module that several files use is reported once.
type Tally struct {
	Statistics bool
	Known      map[string]bool
	Codes      map[string]int
	severities [report.Error + 1]int
}

// Count counts findings, and returns those that were not there before.
func (t *Tally) Count(list []report.Finding) []report.Finding {
	fresh := make([]report.Finding, 0, len(list))
	for _, f := range list {
		key := fmt.Sprint(f.Path, f.Start, f.End, f.Severity, f.Code, f.Message)
		if t.Known[key] {
			continue
		}
		t.Known[key] = true
		t.Codes[f.Code]++
		t.severities[f.Severity]++
		fresh = append(fresh, f)
	}
	return fresh
}

// Print tells what was counted.
func (t *Tally) Print(w io.Writer, files int) {
	if t.Statistics {
		order := func(a, b string) int { return cmp.Or(t.Codes[b]-t.Codes[a], strings.Compare(a, b)) }
		for _, code := range slices.SortedFunc(maps.Keys(t.Codes), order) {
			fmt.Fprintf(w, "%6d  %s\n", t.Codes[code], report.Visible(code))
		}
	}
	if t.Statistics || files > 1 && len(t.Known) > 0 {
		fmt.Fprintf(w, "%s, %s, %s in %s\n", Plural(t.severities[report.Error], "error"), Plural(t.severities[report.Warning], "warning"),
			Plural(t.severities[report.Info], "note"), Plural(files, "file"))
	}
}
