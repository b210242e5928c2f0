package plan

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/secret"
)

var marks = map[Action]string{Deploy: " ", Create: "+", Update: "~", Delete: "-", Unknown: "?"}

var colors = map[Action]string{Create: "\x1b[32m", Update: "\x1b[33m", Delete: "\x1b[31m", Unknown: "\x1b[35m"}

// group is the resources of one application, or of one place outside of any.
type group struct {
	title, environment string
	items              []*Item
}

// groups sorts the items that are to be shown into groups, in the order in which
// these appear.
func (p *Plan) groups() []*group {
	var list []*group
	at := map[string]*group{}
	for i := range p.Items {
		item := &p.Items[i]
		if item.Action == Unchanged {
			continue
		}
		title := groupTitle(item)
		g := at[title]
		if g == nil {
			g = &group{title: title}
			at[title] = g
			list = append(list, g)
		}
		if g.environment == "" {
			g.environment = item.Environment
		}
		g.items = append(g.items, item)
	}
	for _, g := range list {
		if g.environment != "" && strings.HasPrefix(g.title, "application ") {
			g.title += ", environment " + g.environment
		}
	}
	return list
}

func groupTitle(i *Item) string {
	switch {
	case i.Application != "":
		return "application " + i.Application
	case i.Environment != "":
		return "environment " + i.Environment
	}
	r := i.Resource
	if r.Extension != nil {
		name := r.Extension.Provider
		if name == "" {
			name = r.Extension.Alias
		}
		if s, ok := expand.Known(r.Scope); ok {
			return name + " " + s
		}
		return name
	}
	if r.Scope == nil {
		return "Azure"
	}
	return "Azure " + expand.Text(r.Scope)
}

// capital returns a text that begins with a capital letter.
func capital(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return strings.ToUpper(s[:n]) + s[n:]
}

// Summary returns what would happen in a few words.
func (p *Plan) Summary() string {
	var parts []string
	if !p.Compared {
		n := len(p.Items)
		parts = append(parts, fmt.Sprintf("%d %s", n, plural(n, "resource", "resources")))
		if n := len(p.Unknowns); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s not known before deployment", n, plural(n, "value", "values")))
		}
		return strings.Join(parts, ", ")
	}
	for _, x := range []struct {
		action Action
		text   string
	}{{Create, "to create"}, {Update, "to update"}, {Delete, "to delete"}, {Unknown, "unknown"}} {
		if n := p.Count(x.action); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, x.text))
		}
	}
	if n := len(p.Outputs); n > 0 {
		parts = append(parts, fmt.Sprintf("%d %s changed", n, plural(n, "output", "outputs")))
	}
	if len(parts) == 0 {
		return "no changes"
	}
	return strings.Join(parts, ", ")
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// WriteText writes the plan for a terminal.
func (p *Plan) WriteText(w io.Writer, color bool) error {
	t := textWriter{color: color}
	for _, g := range p.groups() {
		t.line("%s", report.Visible(capital(g.title)))
		for _, i := range g.items {
			t.item(i)
		}
		t.line("")
	}
	if len(p.Outputs) > 0 {
		t.line("Outputs")
		for _, c := range p.Outputs {
			t.change(c, "  ")
		}
		t.line("")
	}
	if list := p.named(t.b.String()); len(list) > 0 {
		t.line("Values")
		for _, v := range list {
			t.line("  %s = %s", v.Name, report.Visible(clip(expression(v.Value), maxNamed)))
		}
		t.line("")
	}
	if len(p.Unknowns) > 0 && (!p.Compared || !p.Empty()) {
		t.line("Not known before deployment")
		for _, c := range p.Unknowns {
			t.line("  %s%s", report.Visible(clip(c.Call, 120)), report.Visible(p.usedBy(c)))
		}
		t.line("")
	}
	t.line("%s", p.Summary())
	_, err := io.WriteString(w, t.b.String())
	return err
}

// usedBy says where something unknown is used, and how it could be known.
func (p *Plan) usedBy(c Cause) string {
	s := ""
	const few = 3
	list := c.Resources
	if len(list) > few {
		s = fmt.Sprintf(": %s and %d more", strings.Join(list[:few], ", "), len(list)-few)
	} else if len(list) > 0 {
		s = ": " + strings.Join(list, ", ")
	}
	if p.Remedy != nil {
		if remedy := p.Remedy(c); remedy != "" {
			s += " (" + remedy + ")"
		}
	}
	return s
}

// maxNamed is how much of a named value is written in a text.
const maxNamed = 400

type textWriter struct {
	b     strings.Builder
	color bool
}

func (t *textWriter) line(format string, args ...any) { fmt.Fprintf(&t.b, format+"\n", args...) }

func (t *textWriter) paint(a Action, s string) string {
	if c := colors[a]; t.color && c != "" {
		return c + s + "\x1b[0m"
	}
	return s
}

func (t *textWriter) item(i *Item) {
	r := i.Resource
	s := fmt.Sprintf("%s %s (%s)", marks[i.Action], Label(r), r.Type)
	switch {
	case i.RenamedFrom != "":
		s += ", renamed from " + i.RenamedFrom
	case i.RenamedTo != "":
		s += ", renamed to " + i.RenamedTo
	}
	switch {
	case r.Condition != nil:
		s += ", if " + clip(expression(r.Condition), 120)
	case r.Copies != nil:
		s += ", copies: " + clip(expression(r.Copies), 120)
	}
	t.line("  %s", t.paint(i.Action, report.Visible(s)))
	for _, c := range i.Changes {
		t.change(c, "      ")
	}
}

func (t *textWriter) change(c Change, indent string) {
	s := c.Path + ": "
	before, after := c.texts(160)
	switch c.Action {
	case Create:
		s += after
	case Delete:
		s += before
	default:
		s += before + " -> " + after
	}
	t.line("%s%s %s", indent, t.paint(c.Action, marks[c.Action]), report.Visible(s))
}

// texts returns the two values as one line each, of a length that can be read.
func (c *Change) texts(limit int) (before, after string) {
	return c.text(c.Before, limit), c.text(c.After, limit)
}

func (c *Change) text(v expand.Value, limit int) string {
	switch {
	case v == nil:
		return "nothing"
	case c.Secure:
		return secret.Text
	}
	return clip(armjson.Text(expand.Printable(v)), limit)
}

// expression returns a value that is unknown, unless that is secure.
func expression(v expand.Value) string {
	if expand.IsSecure(v) {
		return secret.Text
	}
	return strings.TrimSuffix(strings.TrimPrefix(expand.Text(v), "["), "]")
}

// clip shortens a text.
func clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit] + "…"
}
