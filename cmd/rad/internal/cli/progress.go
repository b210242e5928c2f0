package cli

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// Progress returns what shows on a terminal how far fetching artifacts has come: a
// line that is written over, and is gone at the end.
func (a *App) Progress() func(bicep.Progress) {
	var last time.Time
	return func(p bicep.Progress) {
		if p.Done == p.Total {
			fmt.Fprint(a.Stderr, "\r\x1b[K")
			return
		}
		if now := time.Now(); now.Sub(last) > 50*time.Millisecond {
			last = now
			name := strings.TrimPrefix(p.Name, "br:")
			if len(name) > 50 {
				name = "…" + name[len(name)-49:]
			}
			size := ""
			if p.Bytes > 0 {
				size = "  " + ByteCount(p.Bytes)
			}
			fmt.Fprintf(a.Stderr, "\r\x1b[K%s/%s  %s%s", strconv.Itoa(p.Done), strconv.Itoa(p.Total), report.Visible(name), size)
		}
	}
}

// manyTemplates is from how many templates on a terminal shows how far the work has come.
const manyTemplates = 20

// CountOn returns what shows on a terminal how many templates are made, of as many as
// take a while. It is called for each.
func (a *App) CountOn(total int) func(name string) {
	if total < manyTemplates || a.Quiet || !IsTerminal(a.Stderr) {
		return func(string) {}
	}
	var mu sync.Mutex
	show, done := a.Progress(), 0
	return func(name string) {
		mu.Lock()
		defer mu.Unlock()
		done++
		show(bicep.Progress{Done: done, Total: total, Name: workdir.Shown(name)})
	}
}
