package main

import (
	"fmt"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/report"
)

// diffContext is how many equal lines stand around a change.
const diffContext = 3

// unifiedDiff returns what turns one text into another, as a unified diff.
func unifiedDiff(from, to, before, after string, color bool) string {
	a, b := splitLines(before), splitLines(after)
	edits := diffLines(a, b)
	var out strings.Builder
	paint := func(code, line string) {
		line = showControls(line)
		if color {
			out.WriteString(code + line + "\x1b[0m\n")
		} else {
			out.WriteString(line + "\n")
		}
	}
	for i := 0; i < len(edits); {
		if edits[i].kind == ' ' {
			i++
			continue
		}
		// A hunk runs until more than twice the context is equal.
		start := max(0, i-diffContext)
		end, equal := i, 0
		for end < len(edits) && equal <= 2*diffContext {
			if edits[end].kind == ' ' {
				equal++
			} else {
				equal = 0
			}
			end++
		}
		end -= max(0, equal-diffContext)
		if out.Len() == 0 {
			paint("\x1b[1m", "--- "+from)
			paint("\x1b[1m", "+++ "+to)
		}
		var olds, news int
		for _, e := range edits[start:end] {
			if e.kind != '+' {
				olds++
			}
			if e.kind != '-' {
				news++
			}
		}
		paint("\x1b[36m", fmt.Sprintf("@@ -%s +%s @@", hunkRange(edits[start].a, olds), hunkRange(edits[start].b, news)))
		for _, e := range edits[start:end] {
			switch e.kind {
			case '-':
				paint("\x1b[31m", "-"+a[e.a])
			case '+':
				paint("\x1b[32m", "+"+b[e.b])
			default:
				out.WriteString(" " + showControls(a[e.a]) + "\n")
			}
		}
		i = end
	}
	return out.String()
}

// showControls keeps a line of a file from steering the terminal. A tab is one.
func showControls(s string) string {
	parts := strings.Split(s, "\t")
	for i, part := range parts {
		parts[i] = report.Visible(part)
	}
	return strings.Join(parts, "\t")
}

func hunkRange(start, n int) string {
	switch n {
	case 0:
		return fmt.Sprintf("%d,0", start)
	case 1:
		return fmt.Sprint(start + 1)
	}
	return fmt.Sprintf("%d,%d", start+1, n)
}

func splitLines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// edit is one line of a comparison: ' ' equal, '-' only in a, '+' only in b. a and b
// are where it stands, or would stand, in each text.
type edit struct {
	kind byte
	a, b int
}

// maxDistance bounds the search for the least number of edits: beyond it, the
// texts have little in common, and a coarser answer does.
const maxDistance = 4000

// diffLines compares two texts by Myers' algorithm: it follows, for each number of
// edits, the furthest points that can be reached on each diagonal, until the end of
// both texts is reached, and then goes back along the way.
func diffLines(a, b []string) []edit {
	pre := 0
	for pre < len(a) && pre < len(b) && a[pre] == b[pre] {
		pre++
	}
	post := 0
	for post < len(a)-pre && post < len(b)-pre && a[len(a)-1-post] == b[len(b)-1-post] {
		post++
	}
	var edits []edit
	for i := range pre {
		edits = append(edits, edit{' ', i, i})
	}
	edits = append(edits, diffMiddle(a[pre:len(a)-post], b[pre:len(b)-post], pre)...)
	for i := range post {
		edits = append(edits, edit{' ', len(a) - post + i, len(b) - post + i})
	}
	return edits
}

func diffMiddle(a, b []string, at int) []edit {
	n, m := len(a), len(b)
	limit := min(n+m, maxDistance)
	v := make([]int, 2*limit+2)
	var trace [][]int
	found := n == 0 && m == 0
	for d := 0; d <= limit && !found; d++ {
		row := make([]int, 2*d+1)
		for k := -d; k <= d; k += 2 {
			var x int
			if k == -d || k != d && v[limit+k-1] < v[limit+k+1] {
				x = v[limit+k+1]
			} else {
				x = v[limit+k-1] + 1
			}
			for x < n && x-k < m && a[x] == b[x-k] {
				x++
			}
			v[limit+k] = x
			row[d+k] = x
			if x >= n && x-k >= m {
				found = true
				break
			}
		}
		trace = append(trace, row)
	}
	if !found {
		var edits []edit
		for i := range a {
			edits = append(edits, edit{'-', at + i, at})
		}
		for i := range b {
			edits = append(edits, edit{'+', at + n, at + i})
		}
		return edits
	}
	var back []edit
	x, y := n, m
	for d := len(trace) - 1; d > 0; d-- {
		k := x - y
		row := trace[d-1]
		get := func(k int) int {
			if k < -(d-1) || k > d-1 {
				return -1
			}
			return row[d-1+k]
		}
		down := k == -d || k != d && get(k-1) < get(k+1)
		var px int
		if down {
			px = get(k + 1)
		} else {
			px = get(k - 1)
		}
		pk := k - 1
		if down {
			pk = k + 1
		}
		py := px - pk
		for x > px && y > py && (down && x > px || !down && x > px+1) {
			x, y = x-1, y-1
			back = append(back, edit{' ', at + x, at + y})
		}
		if down {
			y--
			back = append(back, edit{'+', at + x, at + y})
		} else {
			x--
			back = append(back, edit{'-', at + x, at + y})
		}
	}
	for x > 0 && y > 0 {
		x, y = x-1, y-1
		back = append(back, edit{' ', at + x, at + y})
	}
	for i, j := 0, len(back)-1; i < j; i, j = i+1, j-1 {
		back[i], back[j] = back[j], back[i]
	}
	return back
}
