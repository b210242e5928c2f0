//go:build costs

package command

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// costsFile has what each workload allocates, in the format of Go's benchmarks, which
// benchstat reads.
const costsFile = "testdata/costs.txt"

var update = flag.Bool("update", false, "write costsFile")

// TestCosts compares what the workloads allocate with what is written in costsFile, and
// fails where it is more than 5 per cent more. A cost that has to rise is written there
// (make bench), so that it is seen in the change.
//
// Allocations are counted, not times: they are the same on every machine.
func TestCosts(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	path, err := filepath.Abs(costsFile)
	require.NoError(t, err)
	written, err := os.ReadFile(path)
	if !*update {
		require.NoError(t, err)
	}
	var now bytes.Buffer
	for _, w := range workloads() {
		t.Run(w.name, func(t *testing.T) {
			allocs, size := costs(t, &w)
			line := fmt.Sprintf("BenchmarkRun/%s 1 %d B/op %d allocs/op\n", w.name, size, allocs)
			now.WriteString(line)
			if *update {
				return
			}
			wantSize, wantAllocs := costsOf(t, string(written), w.name)
			for _, c := range []struct {
				what     string
				is, want uint64
			}{{"bytes", size, wantSize}, {"allocations", allocs, wantAllocs}} {
				switch change := 100 * (float64(c.is)/float64(c.want) - 1); {
				case change > 5:
					t.Errorf("%d %s, which is %.1f %% more than the %d in %s.\nIf it has to cost so much, run make bench.", c.is, c.what, change, c.want, costsFile)
				case change < -5:
					t.Logf("%d %s, which is %.1f %% less than the %d in %s. Run make bench to keep it so.", c.is, c.what, -change, c.want, costsFile)
				}
			}
		})
	}
	if *update {
		require.NoError(t, os.WriteFile(path, now.Bytes(), 0o644))
	}
}

// costs returns how many allocations a workload makes, and of how many bytes, when what
// belongs to the process has been made already.
func costs(t *testing.T, w *workload) (allocs, size uint64) {
	w.prepare(t)
	if len(w.files["main.bicep"]) < 1<<20 {
		w.run(t)
	}
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	w.run(t)
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc
}

func costsOf(t *testing.T, text, name string) (size, allocs uint64) {
	for line := range strings.Lines(text) {
		var runs uint64
		if rest, ok := strings.CutPrefix(line, "BenchmarkRun/"+name+" "); ok {
			_, err := fmt.Sscanf(rest, "%d %d B/op %d allocs/op", &runs, &size, &allocs)
			require.NoError(t, err)
			return size, allocs
		}
	}
	t.Fatalf("%s has no line for this; run make bench", costsFile)
	return 0, 0
}
