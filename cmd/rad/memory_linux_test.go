package main

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
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
