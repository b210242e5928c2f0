//go:build costs && !windows

package command

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// costsFile has what each workload allocates, in the format of Go's benchmarks, which
// benchstat reads.
const costsFile = "testdata/costs.txt"

var update = flag.Bool("update", false, "write costsFile")

// TestCosts compares what the workloads allocate, and the page faults of a process for each, with
// what is written in costsFile, and fails where it is more than 5 per cent more, and of page faults 10. A cost that has
// to rise is written there (make bench), so that it is seen in the change.
//
// Allocations are counted, not times: they are the same on every machine. So are page faults, where the kernel
// gives huge pages to who asks for them; what one of them costs differs by a factor of ten.
func TestCosts(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	path, err := filepath.Abs(costsFile)
	require.NoError(t, err)
	written, err := os.ReadFile(path)
	if !*update {
		require.NoError(t, err)
	}
	huge, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	counted := err == nil && strings.Contains(string(huge), "[madvise]")
	if !counted {
		t.Logf("page faults are not counted, since the kernel does not say that it gives huge pages to who asks for them (%s, %v)", huge, err)
	}
	var now bytes.Buffer
	for _, w := range workloads() {
		t.Run(w.name, func(t *testing.T) {
			allocs, size := costs(t, &w)
			wantSize, wantAllocs, wantFaults := costsOf(t, string(written), w.name)
			pages := wantFaults
			if counted {
				pages = faults(t, &w)
			}
			fmt.Fprintf(&now, "BenchmarkRun/%s 1 %d B/op %d allocs/op %d faults/op\n", w.name, size, allocs, pages)
			if *update {
				return
			}
			for _, c := range []struct {
				what     string
				is, want uint64
				bound    float64
			}{{"bytes", size, wantSize, 5}, {"allocations", allocs, wantAllocs, 5}, {"page faults", pages, wantFaults, 10}} {
				switch change := 100 * (float64(c.is)/float64(c.want) - 1); {
				case change > c.bound:
					t.Errorf("%d %s, which is %.1f %% more than the %d in %s.\nIf it has to cost so much, run make bench.", c.is, c.what, change, c.want, costsFile)
				case change < -c.bound:
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

const asRad = "RAD_COSTS_AS_RAD"

func init() {
	if os.Getenv(asRad) != "" {
		Main()
	}
}

// faults returns how many page faults a process makes that runs the workload: the fewest of some, since what
// the machine does beside it adds some.
func faults(t *testing.T, w *workload) (fewest uint64) {
	args := w.args
	if w.edits != "" { // one round of it
		args = append([]string{"bicep", "generate-kubernetes-manifest"}, args...)
	}
	for range 5 {
		c := exec.Command(os.Args[0], args...)
		c.Env = append(os.Environ(), asRad+"=1")
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%.2000s", out)
		if n := uint64(c.ProcessState.SysUsage().(*syscall.Rusage).Minflt); fewest == 0 || n < fewest {
			fewest = n
		}
	}
	return fewest
}

func costsOf(t *testing.T, text, name string) (size, allocs, faults uint64) {
	for line := range strings.Lines(text) {
		var runs uint64
		if rest, ok := strings.CutPrefix(line, "BenchmarkRun/"+name+" "); ok {
			_, err := fmt.Sscanf(rest, "%d %d B/op %d allocs/op %d faults/op", &runs, &size, &allocs, &faults)
			require.True(t, err == nil || *update, "%s", err)
			return size, allocs, faults
		}
	}
	if !*update {
		t.Fatalf("%s has no line for this; run make bench", costsFile)
	}
	return 0, 0, 0
}
