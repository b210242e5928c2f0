package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheHeapGrowsInHugePages(t *testing.T) {
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage"); err != nil {
		t.Skip("the kernel has none")
	}
	useHugePages()
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil || !strings.Contains(string(maps), "\nVmFlags:") {
		t.Skip("the kernel does not tell the flags of mappings")
	}
	size, advisedSize := 0, 0 // KB
	for line := range strings.Lines(string(maps)) {
		fields := strings.Fields(line)
		switch fields[0] {
		case "Size:":
			size, _ = strconv.Atoi(fields[1])
		case "VmFlags:":
			if strings.Contains(line+" ", " hg ") {
				advisedSize += size
			}
		}
	}
	assert.True(t, advisedSize >= advised>>10/2, "%d KB are to be in huge pages, want about %d", advisedSize, advised>>10)
}

// TestHugePagesAreUsed: what a new process takes from the heap costs few page faults.
func TestHugePagesAreUsed(t *testing.T) {
	const size, child = 6 << 20, "RAD_TEST_HUGE_PAGES"
	if os.Getenv(child) != "" {
		useHugePages()
		before := pageFaults(t)
		for range size / (32 << 10) {
			kept = append(kept, bytes.Repeat([]byte{1}, 32<<10))
		}
		fmt.Println("faults:", pageFaults(t)-before)
		return
	}
	if enabled, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled"); err != nil || strings.Contains(string(enabled), "[never]") {
		t.Skip("the kernel has none, or does not give them")
	}
	c := exec.Command(os.Args[0], "-test.run=^TestHugePagesAreUsed$")
	c.Env = append(os.Environ(), child+"=1")
	out, err := c.Output()
	require.NoError(t, err)
	var faults int
	_, text, _ := strings.Cut(string(out), "faults:")
	_, err = fmt.Sscan(text, &faults)
	require.NoError(t, err, "%s", out)
	require.Less(t, faults, size>>13, "half of what small pages cost")
}

var kept [][]byte

func pageFaults(t *testing.T) int64 {
	var u syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return u.Minflt
}
