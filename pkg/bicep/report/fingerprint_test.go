package report_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/report"
)

// Fingerprints of many findings on a long line hold the line once, and tell lines apart.
func TestFingerprintsOnALongLine(t *testing.T) {
	line := strings.Repeat("x, ", 30_000)
	findings := make([]report.Finding, 2000)
	for i := range findings {
		findings[i] = report.Finding{Path: "a.bicep", Code: "BCP057", Message: fmt.Sprint("name ", i), Line: line}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	prints := (&report.Printer{}).Fingerprints(findings)
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(20<<20), "bytes")
	seen := map[string]bool{}
	for _, p := range prints {
		require.False(t, seen[p])
		seen[p] = true
	}
	one := func(line string) string {
		return (&report.Printer{}).Fingerprints([]report.Finding{{Path: "a.bicep", Code: "BCP057", Message: "name", Line: line}})[0]
	}
	require.Equal(t, one("  "+line), one(line), "where a line begins makes no difference")
	require.NotEqual(t, one(line+"y"), one(line))
	require.NotEqual(t, one("short"), one("shorter"))
}
