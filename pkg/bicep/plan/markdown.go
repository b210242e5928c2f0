package plan

import (
	"fmt"
	"html"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/report"
)

// MaxMarkdown is how long a comment on GitHub may be.
const MaxMarkdown = 65536

// Section is a plan with its title.
type Section struct {
	Title string
	Plan  *Plan
}

// Markdown returns plans for a comment on a pull request. Long plans are folded. Plans that do not
// fit into limit bytes are left out and counted.
func Markdown(sections []Section, limit int) string {
	for _, detail := range []int{400, 80, 0, -1} {
		if s := markdown(sections, detail); len(s) <= limit {
			return s
		}
	}
	s := markdown(sections, -1)
	const note = "\n… the rest is too long for a comment.\n"
	cut := max(limit-len(note), 0)
	if i := strings.LastIndexByte(s[:cut], '\n'); i >= 0 {
		cut = i
	}
	return s[:cut] + note
}

// markdown writes plans with values of at most detail bytes; 0 leaves values out,
// -1 the resources.
func markdown(sections []Section, detail int) string {
	var b strings.Builder
	for n, s := range sections {
		begin := b.Len()
		if n > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "### %s\n\n**%s**\n", escape(s.Title), s.Plan.Summary())
		if detail < 0 {
			continue
		}
		for _, g := range s.Plan.groups() {
			fmt.Fprintf(&b, "\n%s\n\n", escape(capital(g.title)))
			for _, i := range g.items {
				markdownItem(&b, i, detail)
			}
		}
		if detail == 0 {
			continue
		}
		if len(s.Plan.Outputs) > 0 {
			b.WriteString("\nOutputs\n\n")
			for _, c := range s.Plan.Outputs {
				b.WriteString(markdownChange(c, detail, ""))
			}
		}
		if list := s.Plan.named(b.String()[begin:]); len(list) > 0 {
			fmt.Fprintf(&b, "\n<details><summary>%d %s</summary>\n\n", len(list), plural(len(list), "value", "values"))
			for _, v := range list {
				fmt.Fprintf(&b, "- %s = %s\n", v.Name, code(clip(expression(v.Value), detail)))
			}
			b.WriteString("\n</details>\n")
		}
		if n := len(s.Plan.Unknowns); n > 0 && !(s.Plan.Compared && s.Plan.Empty()) {
			fmt.Fprintf(&b, "\n<details><summary>%d %s not known before deployment</summary>\n\n", n, plural(n, "value", "values"))
			for _, c := range s.Plan.Unknowns {
				fmt.Fprintf(&b, "- %s%s\n", code(clip(c.Call, detail)), escape(s.Plan.usedBy(c)))
			}
			b.WriteString("\n</details>\n")
		}
	}
	return b.String()
}

var words = map[Action]string{Deploy: "", Create: "create ", Update: "update ", Delete: "delete ", Unknown: "unknown "}

func markdownItem(b *strings.Builder, i *Item, detail int) {
	r := i.Resource
	fmt.Fprintf(b, "- %s%s (%s)", words[i.Action], code(Label(r)), escape(r.Type))
	switch {
	case i.RenamedFrom != "":
		b.WriteString(", renamed from " + code(i.RenamedFrom))
	case i.RenamedTo != "":
		b.WriteString(", renamed to " + code(i.RenamedTo))
	}
	if r.Condition != nil && detail > 0 {
		b.WriteString(", if " + code(clip(expression(r.Condition), detail)))
	}
	b.WriteByte('\n')
	if detail <= 0 || len(i.Changes) == 0 {
		return
	}
	const fold = 5
	if len(i.Changes) > fold {
		fmt.Fprintf(b, "  <details><summary>%d properties</summary>\n\n", len(i.Changes))
	}
	for _, c := range i.Changes {
		b.WriteString(markdownChange(c, detail, "  "))
	}
	if len(i.Changes) > fold {
		b.WriteString("\n  </details>\n")
	}
}

func markdownChange(c Change, detail int, indent string) string {
	before, after := c.texts(detail)
	s := indent + "- " + code(c.Path) + ": "
	switch c.Action {
	case Create:
		s += "added " + code(after)
	case Delete:
		s += "removed " + code(before)
	default:
		s += code(before) + " → " + code(after)
	}
	return s + "\n"
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

// escape makes plain text of what Markdown or HTML would take for more.
func escape(s string) string {
	return strings.NewReplacer("\\", "\\\\", "`", "\\`", "*", "\\*", "_", "\\_", "[", "\\[", "]", "\\]", "|", "\\|", "#", "\\#", "@", "&#64;").
		Replace(html.EscapeString(report.Visible(s)))
}
