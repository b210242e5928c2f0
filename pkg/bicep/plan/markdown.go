package plan

import (
	"regexp"
	"strings"
	"sync"

	"github.com/radbicep/rad/pkg/bicep/report"
)

// MaxMarkdown is how long a comment on GitHub may be.
const MaxMarkdown = 65536

// Markdown returns plans for a comment on a pull request. Long plans are folded. Of several, those without changes are
// counted only. Plans that do not fit into limit bytes are left out.
func Markdown(sections []Section, style Style, limit int) string {
	last, sections := inAll(sections)
	for _, detail := range []int{300, 80, 0, -1} {
		if s := markdown(sections, style, last, detail); len(s) <= limit {
			return s
		}
	}
	s := markdown(sections, style, "", -1)
	note := "\n… the rest is too long for a comment.\n"
	if last != "" {
		note += "\n" + escape(last) + "\n"
	}
	cut := max(limit-len(note), 0)
	if i := strings.LastIndexByte(s[:cut], '\n'); i >= 0 {
		cut = i
	}
	return s[:cut] + note
}

// markdown writes plans with values of at most detail bytes; 0 leaves values out,
// -1 the resources.
func markdown(sections []Section, style Style, last string, detail int) string {
	m := markdownWriter{textWriter: textWriter{Style: style}, detail: detail}
	for n, g := range groups(sections, func(p *Plan) string {
		one := markdownWriter{textWriter: textWriter{Style: style}, detail: detail}
		one.section(p)
		return one.b.String()
	}) {
		if n > 0 {
			m.line("")
		}
		m.line("### %s\n", escape(strings.Join(g.titles, ", ")))
		m.b.WriteString(g.body)
	}
	if last != "" {
		if len(sections) > 0 {
			m.line("")
		}
		m.line("%s", escape(last))
	}
	return m.b.String()
}

type markdownWriter struct {
	textWriter
	detail int
}

func (m *markdownWriter) section(p *Plan) {
	m.line("**%s**", p.Summary())
	if off := m.notDeployed(p); off != "" {
		m.line("\n%s", escape(off))
	}
	if m.detail >= 0 {
		m.plan(p)
	}
}

func (m *markdownWriter) plan(p *Plan) {
	p.mentioned = map[string]bool{}
	if p.Count(Unchanged) < len(p.Items) {
		m.line("")
	}
	for _, r := range m.rows(p) {
		m.entry(p, r)
	}
	if m.detail == 0 {
		return
	}
	if len(p.Outputs) > 0 {
		m.line("\nOutputs\n")
		m.changes(p, p.Outputs, "")
	}
	if list := p.named(m.detail); len(list) > 0 {
		m.line("\n<details><summary>%d %s</summary>\n", len(list), plural(len(list), "value", "values"))
		for _, v := range list {
			m.line("- %s = %s", v[0], code(v[1]))
		}
		m.line("\n</details>")
	}
	if u := strings.Join(p.unknowns(), "; "); u != "" {
		m.line("\nUnknown: %s", escape(u))
	}
}

var words = map[Action]string{Deploy: "", Create: "create ",
	Update: "update ", Delete: "delete ", Rename: "rename ", Replace: "replace ", Unknown: "unknown "}

func (m *markdownWriter) entry(p *Plan, r row) {
	i := r.item
	s := r.indent + "- " + words[i.Action] + code(strings.TrimPrefix(r.called, r.indent+marks[r.action]+" "))
	for _, part := range []string{r.what, r.place} {
		if part != "" {
			s += ", " + escape(part)
		}
	}
	m.line("%s", s)
	if m.detail <= 0 {
		return
	}
	list, left := i.Changes, 0
	const fold = 5
	folded := len(list) > fold
	if i.Was == nil {
		list, left = p.properties(i, m.Details)
		folded = len(list) > 0
	}
	if folded {
		n := len(list) + left
		m.line("%s  <details><summary>%d %s</summary>\n", r.indent, n, plural(n, "property", "properties"))
	}
	if i.Was == nil {
		for _, c := range list {
			m.line("%s  - %s: %s", r.indent, code(c.Path), code(c.text(p, c.After, m.detail)))
		}
	} else {
		m.changes(p, list, r.indent+"  ")
	}
	if left > 0 {
		m.line("%s  - … and %d more", r.indent, left)
	}
	if folded {
		m.line("\n%s  </details>", r.indent)
	}
}

func (m *markdownWriter) changes(p *Plan, list []Change, indent string) {
	for _, c := range list {
		s := indent + "- " + code(c.Path) + ": "
		switch c.Action {
		case Deploy:
			s += code(c.text(p, c.After, m.detail))
		case Create:
			s += "added " + code(c.text(p, c.After, m.detail))
		case Delete:
			s += "removed " + code(c.text(p, c.Before, m.detail))
		default:
			before, after := c.texts(p, m.detail)
			s += code(before) + " → " + code(after)
		}
		m.line("%s", s)
	}
}

// code returns a text as a code span, whatever it holds.
func code(s string) string {
	s = report.Visible(s)
	longest, run := 0, 0
	for _, r := range s {
		if r == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	if s == "" {
		return "(empty)"
	}
	fence := strings.Repeat("`", longest+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || strings.HasPrefix(s, " ") {
		s = " " + s + " "
	}
	return fence + s + fence
}

// escape makes plain text of what Markdown or HTML would take for more. What would become a link, or call somebody, is
// code: no escape holds for every program that shows Markdown.
func escape(s string) string {
	if s = report.Visible(s); links().MatchString(s) {
		return code(s)
	}
	return escaper.Replace(s)
}

// links matches addresses of pages and of mail, names of users, and numbers of issues.
var links = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)://|www\.|mailto:|xmpp:|(^|\W)@\w|@[\w-]*\.|#\d|GH-\d`)
})

var escaper = strings.NewReplacer("\\", "\\\\", "`", "\\`", "*", "\\*", "_", "\\_", "[", "\\[", "]", "\\]", "|", "\\|", "#", "\\#",
	"@", "&#64;", "&", "&amp;", "<", "&lt;", ">", "&gt;")
