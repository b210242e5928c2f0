package snapshot

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// Format returns changes as people read them: by scope, what is deleted first,
// then what is created and what is modified. No change makes an empty text.
func Format(changes []Change, color bool) string {
	p := printer{color: color}
	type split struct {
		scope, relative string
		change          *Change
	}
	list := make([]split, len(changes))
	for i := range changes {
		list[i].scope, list[i].relative = splitID(changes[i].ID)
		list[i].change = &changes[i]
	}
	slices.SortStableFunc(list, func(a, b split) int {
		return cmp.Or(cmp.Compare(strings.ToUpper(a.scope), strings.ToUpper(b.scope)),
			cmp.Compare(a.change.Kind, b.change.Kind), cmp.Compare(a.relative, b.relative))
	})
	for i, s := range list {
		first := i == 0 || !strings.EqualFold(list[i-1].scope, s.scope)
		last := i == len(list)-1 || !strings.EqualFold(list[i+1].scope, s.scope)
		if first {
			p.text("\nScope: " + report.Visible(s.scope) + "\n")
		}
		if first || list[i-1].change.Kind != s.change.Kind {
			p.push(colors[s.change.Kind])
		}
		p.resource(s.change, s.relative, last)
		if last || list[i+1].change.Kind != s.change.Kind {
			p.pop()
		}
	}
	return report.Lines(p.b.String())
}

// splitID splits a resource's ID into the ID of its scope and the rest.
func splitID(id string) (scope, relative string) {
	parts := strings.Split(id, "/")
	at := func(i int, name string) bool { return i < len(parts) && strings.EqualFold(parts[i], name) }
	switch {
	case parts[0] != "" || len(parts) < 3:
	case at(1, "subscriptions") && at(3, "resourceGroups") && at(5, "providers"):
		return strings.Join(parts[:5], "/"), strings.Join(parts[6:], "/")
	case at(1, "subscriptions") && at(3, "providers"):
		return strings.Join(parts[:3], "/"), strings.Join(parts[4:], "/")
	case at(1, "subscriptions") && at(3, "resourceGroups"):
		return strings.Join(parts[:3], "/"), strings.Join(parts[3:], "/")
	case at(1, "providers"):
		return "/", strings.Join(parts[2:], "/")
	}
	return "<unknown>", id
}

var (
	symbols = map[Kind]string{Delete: "-", Create: "+", Modify: "~", arrayChange: "~"}
	colors  = map[Kind]string{Delete: "\x1b[38;5;208m", Create: "\x1b[38;5;77m", Modify: "\x1b[38;5;141m", arrayChange: "\x1b[38;5;141m"}
)

const reset = "\x1b[0m"

type printer struct {
	b     strings.Builder
	color bool
	stack []string
}

func (p *printer) text(s string) { p.b.WriteString(s) }

func (p *printer) push(color string) {
	p.stack = append(p.stack, color)
	if p.color {
		p.b.WriteString(color)
	}
}

func (p *printer) pop() {
	p.stack = p.stack[:len(p.stack)-1]
	if !p.color {
		return
	}
	if n := len(p.stack); n > 0 {
		p.b.WriteString(p.stack[n-1])
	} else {
		p.b.WriteString(reset)
	}
}

func (p *printer) in(color, s string) {
	p.push(color)
	p.text(s)
	p.pop()
}

// A line is indented by maxLevel levels at most, and a name is padded to maxWidth columns: a
// program can be deeper and its names longer, but that times its lines may be gigabytes.
const maxLevel, maxWidth = 100, 300

func (p *printer) indent(level int) { p.text(strings.Repeat("  ", min(level, maxLevel))) }

func (p *printer) pad(columns int) { p.text(strings.Repeat(" ", max(min(columns, maxWidth), 0))) }

func (p *printer) resource(c *Change, relative string, last bool) {
	p.text("\n")
	p.indent(1)
	p.text(symbols[c.Kind] + " " + report.Visible(relative))
	switch {
	case c.Body != nil:
		p.value(c.Body, "", 0, 2)
	case len(c.Delta) > 0:
		p.push(reset)
		p.text("\n")
		p.deltas(c.Delta, 2)
		p.pop()
	case last:
		p.text("\n")
	}
}

// value prints a value after its path, which is padded to a width.
func (p *printer) value(v armjson.Value, path string, width, level int) {
	switch v := v.(type) {
	case armjson.Array:
		if len(v) > 0 {
			p.path(path, 1, level)
			p.array(v, level)
			return
		}
	case *armjson.Object:
		if v.Len() > 0 {
			p.object(v, path, width, level)
			return
		}
	}
	p.path(path, width-length(path)+1, level)
	p.leaf(v)
}

func length(s string) int { return utf8.RuneCountInString(s) }

func (p *printer) path(path string, padding, level int) {
	if path == "" {
		return
	}
	p.indent(level)
	p.text(report.Visible(path))
	p.in(reset, ":")
	p.pad(padding)
}

func (p *printer) leaf(v armjson.Value) {
	if s, ok := v.(armjson.String); ok {
		p.text(`"` + visible(string(s)) + `"`)
		return
	}
	p.text(armjson.Text(v))
}

// visible writes what would do something to a terminal as escapes, line ends apart.
func visible(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = report.Visible(line)
	}
	return strings.Join(lines, "\n")
}

func (p *printer) array(a armjson.Array, level int) {
	p.in(reset, "[")
	p.text("\n")
	width := 0
	for i, v := range a {
		if isLeaf(v) {
			width = i
		}
	}
	width = len(strconv.Itoa(width))
	for i, v := range a {
		path := strconv.Itoa(i)
		if o, ok := v.(*armjson.Object); ok && o.Len() > 0 {
			p.path(path, 0, level+1)
			p.object(o, "", 0, level+1)
		} else {
			p.value(v, path, width, level+1)
		}
		p.text("\n")
	}
	p.indent(level)
	p.in(reset, "]")
}

func isLeaf(v armjson.Value) bool {
	switch v := v.(type) {
	case armjson.Array:
		return len(v) == 0
	case *armjson.Object:
		return v.Len() == 0
	}
	return true
}

func (p *printer) object(o *armjson.Object, path string, width, level int) {
	if path == "" {
		p.text("\n\n")
		width = widest(o)
		level++
	}
	for k, v := range o.All() {
		at := k
		if path != "" {
			at = join(path, k)
		}
		p.value(v, at, width, level)
		if inner, ok := v.(*armjson.Object); !ok || inner.Len() == 0 {
			p.text("\n")
		}
	}
}

// widest returns the length of the longest path to a value that is on one line.
func widest(o *armjson.Object) int {
	n := 0
	for k, v := range o.All() {
		switch v := v.(type) {
		case armjson.Array:
			if len(v) > 0 {
				continue
			}
		case *armjson.Object:
			if v.Len() > 0 {
				n = max(n, length(k)+1+widest(v))
				continue
			}
		}
		n = max(n, length(k))
	}
	return n
}

func (p *printer) deltas(list []delta, level int) {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b delta) int {
		return cmp.Or(cmp.Compare(min(a.kind, Modify), min(b.kind, Modify)), cmp.Compare(a.path(), b.path()))
	})
	p.sorted(list, level)
}

func (p *printer) sorted(list []delta, level int) {
	width := 0
	for _, d := range list {
		shown := d.before
		if d.kind == Create {
			shown = d.after
		}
		if d.kind != arrayChange && isLeaf(shown) {
			width = max(width, length(d.path()))
		}
	}
	for _, d := range list {
		p.delta(d, width, level)
		p.text("\n")
	}
}

func (p *printer) delta(d delta, width, level int) {
	shown := d.before
	if d.kind == Create {
		shown = d.after
	}
	padding := width - length(d.path()) + 1
	switch {
	case d.kind == arrayChange:
		padding = 1
	case len(d.children) > 0:
		padding = 0
	case !isLeaf(shown):
		padding = 0
		if _, ok := shown.(armjson.Array); ok {
			padding = 1
		}
	}
	p.indent(level)
	p.in(colors[d.kind], symbols[d.kind])
	p.text(" " + report.Visible(d.path()))
	p.in(reset, ":")
	p.pad(padding)
	level++
	switch {
	case d.kind == Create:
		p.colored(Create, d.after, level)
	case d.kind == Delete:
		p.colored(Delete, d.before, level)
	case d.kind == arrayChange:
		p.text("[\n")
		p.sorted(d.children, level)
		p.indent(level)
		p.text("]")
	case len(d.children) > 0:
		p.text("\n\n")
		p.deltas(d.children, level)
	default:
		p.colored(Delete, d.before, level)
		if o, ok := d.before.(*armjson.Object); ok && o.Len() > 0 {
			p.text("\n")
			p.indent(level)
		} else {
			p.text(" ")
		}
		p.text("=>")
		if o, ok := d.after.(*armjson.Object); !ok || o.Len() == 0 {
			p.text(" ")
		}
		p.colored(Create, d.after, level)
		if !isLeaf(d.before) && isLeaf(d.after) {
			p.text("\n")
		}
	}
}

func (p *printer) colored(k Kind, v armjson.Value, level int) {
	p.push(colors[k])
	p.value(v, "", 0, level)
	p.pop()
}
