package appgraph

import (
	"cmp"
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// # The drawing
//
// A box stands for a resource, and a box around boxes for a module. Each module is laid out by itself, from the inside
// out, and is then one box of what is around it. Boxes are in columns: what a box needs is in a column further to the right,
// but where things need each other. A column has its boxes one below the other, so no two of them overlap. A line goes
// from a side of one box to a side of another.

// Sizes, in pixels. Letters are of one width.
const (
	letter      = 7.25 // width of one of a label
	smallLetter = 6.1  // width of one of a type
	boxHeight   = 40.0
	boxPadding  = 10.0
	between     = 14.0 // boxes of a column
	columnGap   = 70.0
	margin      = 16.0 // of a module around its boxes
	titleHeight = 20.0 // of a module
)

// drawn is a box: of a node, of a module, or of both.
type drawn struct {
	node   *Node  // nil for a module that is no node
	title  string // of a module
	inner  []*drawn
	around *drawn
	depth  int

	x, y, w, h float64 // x and y are those within the box around, and then those of the drawing
	column     int
	needs      []*drawn // boxes beside it, inside the same box
	neededBy   []*drawn
	state      byte
}

// drawing puts boxes together.
type drawing struct {
	root   *drawn
	boxes  map[string]*drawn // of nodes, by ID
	groups map[string]*drawn // of modules, by path
}

// SVG returns the graph as a drawing for browsers, in light or dark colours as the reader has them. Connections are thick.
func (g *Graph) SVG() string {
	d := &drawing{root: &drawn{}, boxes: map[string]*drawn{}, groups: map[string]*drawn{}}
	d.groups[""] = d.root
	d.place(g)
	layOut(d.root)
	d.root.x, d.root.y = 0, 0
	settle(d.root, 0, 0)

	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0[1]f" height="%.0[2]f" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="12">`,
		math.Ceil(max(d.root.w, 200)), math.Ceil(max(d.root.h, 60)))
	b.WriteString(`
<style>
svg { background: #ffffff; color: #1f2328 }
.box { fill: #f6f8fa; stroke: #59636e }
.existing { stroke-dasharray: 4 3 }
.module { fill: #0969da; fill-opacity: .05; stroke: #0969da; stroke-opacity: .5 }
text { fill: #1f2328 }
.title { paint-order: stroke; stroke: #ffffff; stroke-width: 4 }
.small { font-size: 10px; fill: #59636e }
.line { fill: none; stroke: #59636e; stroke-width: 1.2 }
.Dependency { stroke-dasharray: 5 3 }
.Connection { stroke: #0969da; stroke-width: 2.4 }
#arrow path { fill: #59636e }
@media (prefers-color-scheme: dark) {
svg { background: #0d1117; color: #f0f6fc }
.box { fill: #151b23; stroke: #9198a1 }
.module { fill: #4493f8; fill-opacity: .08; stroke: #4493f8 }
text { fill: #f0f6fc }
.title { stroke: #0d1117 }
.small { fill: #9198a1 }
.line { stroke: #9198a1 }
.Connection { stroke: #4493f8 }
#arrow path { fill: #9198a1 }
}
</style>
<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>
`)
	if len(g.Nodes) == 0 {
		b.WriteString("<text x=\"16\" y=\"34\">no resources</text>\n")
	}
	d.write(&b, d.root, true)
	for _, n := range g.Nodes {
		for _, e := range n.Connections {
			if e.Outbound {
				writeLine(&b, d.boxes[n.ID], d.boxes[e.ID], e.Kind)
			}
		}
	}
	d.write(&b, d.root, false) // over the lines, so that these strike out no text
	b.WriteString("</svg>\n")
	return b.String()
}

// place makes the boxes of a graph, and finds which of them need each other.
func (d *drawing) place(g *Graph) {
	for _, n := range g.Nodes {
		if n.module != nil { // the box of what it deploys
			box := d.group(n.module.Path())
			box.node, d.boxes[n.ID] = n, box
		}
	}
	add := func(around *drawn, n *Node) {
		box := &drawn{node: n, around: around, depth: around.depth + 1}
		around.inner = append(around.inner, box)
		d.boxes[n.ID] = box
	}
	names := g.names()
	for _, n := range g.Nodes {
		if n.module == nil {
			add(d.group(n.Module), n)
		}
	}
	for _, n := range g.Nodes {
		for _, e := range n.Connections {
			if e.Outbound && d.boxes[e.ID] == nil { // what the program only names
				add(d.root, &Node{ID: e.ID, Name: label(names, e.ID), Existing: true})
			}
		}
	}
	for _, n := range g.Nodes {
		for _, e := range n.Connections {
			if a, b := beside(d.boxes[n.ID], d.boxes[e.ID]); e.Outbound && a != b {
				a.needs, b.neededBy = append(a.needs, b), append(b.neededBy, a)
			}
		}
	}
}

// group returns the box of a module.
func (d *drawing) group(path string) *drawn {
	if g := d.groups[path]; g != nil {
		return g
	}
	up, name := "", path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		up, name = path[:i], path[i+1:]
	}
	around := d.group(up)
	g := &drawn{title: name, around: around, depth: around.depth + 1}
	around.inner = append(around.inner, g)
	d.groups[path] = g
	return g
}

// beside returns the boxes around two boxes that are inside the same one; twice the same if one is around the other.
func beside(a, b *drawn) (x, y *drawn) {
	for a.depth > b.depth {
		a = a.around
	}
	for b.depth > a.depth {
		b = b.around
	}
	for a != b && a.around != b.around {
		a, b = a.around, b.around
	}
	return a, b
}

// layOut places what is inside a box, and finds its size.
func layOut(g *drawn) {
	if g.node != nil && len(g.inner) == 0 || g.title != "" && len(g.inner) == 0 {
		first, second := g.texts()
		g.w = 2*boxPadding + max(letter*float64(utf8.RuneCountInString(first)), smallLetter*float64(utf8.RuneCountInString(second)))
		g.h = boxHeight
		return
	}
	for _, i := range g.inner {
		layOut(i)
	}
	var columns [][]*drawn
	arrange(g.inner)
	for _, i := range g.inner {
		for len(columns) <= i.column {
			columns = append(columns, nil)
		}
		columns[i.column] = append(columns[i.column], i)
	}
	top, tallest := margin, 0.0
	if g.title != "" {
		top += titleHeight
		first, _ := g.texts()
		g.w = 2*margin + letter*float64(utf8.RuneCountInString(first))
	}
	heights := make([]float64, len(columns))
	for c, column := range columns {
		for i, box := range column {
			if heights[c] += box.h; i > 0 {
				heights[c] += between
			}
		}
		tallest = max(tallest, heights[c])
	}
	x := margin
	for c, column := range columns {
		if c > 0 {
			slices.SortStableFunc(column, func(a, b *drawn) int { return cmp.Compare(a.wanted(), b.wanted()) })
		}
		y, widest := top+(tallest-heights[c])/2, 0.0
		for _, box := range column {
			box.x, box.y = x, y
			y += box.h + between
			widest = max(widest, box.w)
		}
		for _, box := range column { // so that a line out of one does not cross the others
			box.w = widest
		}
		x += widest + columnGap
	}
	if len(columns) > 0 {
		x -= columnGap
	}
	g.w, g.h = max(g.w, x+margin), top+tallest+margin
}

// arrange gives boxes columns: a box is to the left of those that it needs. Where they need each other in a circle,
// one of them counts as needing nothing.
func arrange(boxes []*drawn) {
	const fresh, open, done = 0, 1, 2
	var order []*drawn
	type step struct {
		box  *drawn
		next int
	}
	for _, start := range boxes {
		if start.state != fresh {
			continue
		}
		start.state = open
		for stack := []step{{box: start}}; len(stack) > 0; {
			top := &stack[len(stack)-1]
			if top.next == len(top.box.needs) {
				top.box.state = done
				order = append(order, top.box)
				stack = stack[:len(stack)-1]
				continue
			}
			other := top.box.needs[top.next]
			top.next++
			if other.state == fresh {
				other.state = open
				stack = append(stack, step{box: other})
			}
		}
	}
	slices.Reverse(order) // now a box comes before those that it needs
	at := make(map[*drawn]int, len(order))
	for i, box := range order {
		at[box] = i
	}
	for i, box := range order {
		for _, other := range box.needs {
			if at[other] > i {
				other.column = max(other.column, box.column+1)
			}
		}
	}
}

// wanted returns how high a box would be beside those that need it.
func (g *drawn) wanted() float64 {
	sum, n := 0.0, 0.0
	for _, other := range g.neededBy {
		if other.column < g.column {
			sum += other.y + other.h/2
			n++
		}
	}
	if n == 0 {
		return 0
	}
	return sum / n
}

// settle makes places in the drawing of places within boxes.
func settle(g *drawn, x, y float64) {
	g.x, g.y = g.x+x, g.y+y
	for _, i := range g.inner {
		settle(i, g.x, g.y)
	}
}

// texts returns the two lines of a box.
func (g *drawn) texts() (first, second string) {
	switch {
	case g.title != "" && g.node != nil:
		first = "module " + g.node.label(false)
	case g.title != "":
		first = "module " + short(g.title, longestName)
	case g.node != nil:
		first, second = g.node.label(false), short(g.node.Type, longestType)
	}
	return first, second
}

// write writes the boxes of modules, or their titles and the boxes of resources.
func (d *drawing) write(b *strings.Builder, g *drawn, modules bool) {
	first, second := g.texts()
	rect := func(class string) {
		fmt.Fprintf(b, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"6\"/>\n", class, g.x, g.y, g.w, g.h)
	}
	text := func(class string, x, y float64, s string) {
		fmt.Fprintf(b, "<text%s x=\"%.1f\" y=\"%.1f\">%s</text>\n", class, x, y, html.EscapeString(s))
	}
	switch {
	case g == d.root:
	case g.title != "" && modules:
		rect("module")
	case g.title != "":
		text(` class="title"`, g.x+boxPadding, g.y+titleHeight, first)
	case !modules:
		class := "box"
		if g.node.Existing {
			class += " existing"
		}
		rect(class)
		if second == "" {
			text("", g.x+boxPadding, g.y+24, first)
			break
		}
		text("", g.x+boxPadding, g.y+17, first)
		text(` class="small"`, g.x+boxPadding, g.y+32, second)
	}
	for _, i := range g.inner {
		d.write(b, i, modules)
	}
}

// writeLine writes a line from a box to another.
func writeLine(b *strings.Builder, from, to *drawn, kind Kind) {
	if x, y := beside(from, to); x == y {
		return // one of them is around the other
	}
	const bend = 40
	left := func(d *drawn) (x, y float64) { return d.x, d.y + d.h/2 }
	right := func(d *drawn) (x, y float64) { return d.x + d.w, d.y + d.h/2 }
	var x1, y1, x2, y2, out, in, down float64
	switch {
	case from.x+from.w <= to.x:
		x1, y1 = right(from)
		x2, y2 = left(to)
		out, in = bend, -bend
	case to.x+to.w <= from.x:
		x1, y1 = left(from)
		x2, y2 = right(to)
		out, in = -bend, bend
	default: // one below the other
		x1, y1 = left(from)
		x2, y2 = left(to)
		out, in = -bend, -bend
	}
	if math.Abs(x2-x1) > 2*columnGap && math.Abs(y2-y1) < boxHeight { // below what is between them
		down = boxHeight
	}
	fmt.Fprintf(b, "<path class=\"line %s\" marker-end=\"url(#arrow)\" d=\"M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f\"/>\n",
		kind, x1, y1, x1+out, y1+down, x2+in, y2+down, x2, y2)
}
