package appgraph

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/radbicep/rad/pkg/bicep/report"
)

// Text returns the graph as people read it: each resource, and what it leads to.
func (g *Graph) Text() string {
	var b strings.Builder
	names := g.names()
	for _, n := range g.Nodes {
		fmt.Fprintf(&b, "%s (%s)", n.label(true), report.Visible(n.Type))
		if n.Existing {
			b.WriteString(", existing")
		}
		if n.Conditional {
			b.WriteString(", under a condition")
		}
		b.WriteByte('\n')
		for _, e := range n.Connections {
			if e.Outbound {
				arrow := map[Kind]string{Connection: "==>", Dependency: "-->", Recipe: "+->"}[e.Kind]
				fmt.Fprintf(&b, "  %s %s\n", arrow, report.Visible(label(names, e.ID)))
			}
		}
	}
	if len(g.Nodes) == 0 {
		return "no resources\n"
	}
	return b.String()
}

// label returns what people call a node: its symbol, and its name if that is known and another. With modules, the
// symbols of its modules come first.
func (n *Node) label(modules bool) string {
	s := cmp.Or(n.Symbol, n.Name)
	if modules && n.Module != "" && n.Symbol != "" {
		s = n.Module + "/" + s
	}
	if known := !strings.HasPrefix(n.Name, "["); known && n.Name != n.Symbol && n.Symbol != "" {
		s += " (" + n.Name + ")"
	}
	return short(s, longestName)
}

// names returns how nodes are called, by ID: by their labels, and by types as well
// where several have one label.
func (g *Graph) names() map[string]string {
	count := map[string]int{}
	for _, n := range g.Nodes {
		count[n.label(true)]++
	}
	m := map[string]string{}
	for _, n := range g.Nodes {
		m[n.ID] = n.label(true)
		if count[m[n.ID]] > 1 {
			m[n.ID] += " (" + n.Type + ")"
		}
	}
	return m
}

// label names the other end of an edge, which may be no node.
func label(names map[string]string, id string) string {
	if s, ok := names[id]; ok {
		return s
	}
	if _, after, ok := strings.Cut(id, "/providers/"); ok {
		return after
	}
	return id
}

// numbers gives every node, and every end of an edge that is not a node, a name that
// drawings can use.
func (g *Graph) numbers() (ids map[string]string, others []string) {
	ids = map[string]string{}
	for _, n := range g.Nodes {
		ids[n.ID] = fmt.Sprintf("n%d", len(ids))
	}
	for _, n := range g.Nodes {
		for _, e := range n.Connections {
			if _, ok := ids[e.ID]; !ok {
				ids[e.ID] = fmt.Sprintf("n%d", len(ids))
				others = append(others, e.ID)
			}
		}
	}
	return ids, others
}

// short cuts a text that is too long for a drawing. Graphviz reads no text of more than 16,384 bytes.
func short(s string, longest int) string {
	if s = report.Visible(s); utf8.RuneCountInString(s) > longest {
		s = string([]rune(s)[:longest-1]) + "…"
	}
	return s
}

// Lengths of labels in drawings.
const (
	longestName = 40
	longestType = 100
)

// Mermaid returns the graph as a Mermaid flowchart. Connections are thick lines.
func (g *Graph) Mermaid() string {
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	ids, others := g.numbers()
	text := func(s string) string {
		return strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;", "#", "&#35;", "`", "&#96;").Replace(s)
	}
	for _, n := range g.Nodes {
		open, end := "[", "]"
		if n.Existing {
			open, end = "([", "])"
		}
		fmt.Fprintf(&b, "  %s%s\"%s<br/>%s\"%s\n", ids[n.ID], open, text(n.label(true)), text(short(n.Type, longestType)), end)
	}
	for _, id := range others {
		fmt.Fprintf(&b, "  %s([\"%s\"])\n", ids[id], text(short(label(nil, id), longestName)))
	}
	for _, n := range g.Nodes {
		for _, e := range n.Connections {
			if !e.Outbound {
				continue
			}
			arrow := map[Kind]string{Connection: "==>", Dependency: "-.->", Recipe: "-->"}[e.Kind]
			fmt.Fprintf(&b, "  %s %s %s\n", ids[n.ID], arrow, ids[e.ID])
		}
	}
	return b.String()
}

// Dot returns the graph for Graphviz. Connections are bold.
func (g *Graph) Dot() string {
	var b strings.Builder
	b.WriteString("digraph app {\n  rankdir=LR;\n  node [shape=box];\n")
	ids, others := g.numbers()
	text := func(s string) string {
		return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s)
	}
	for _, n := range g.Nodes {
		style := ""
		if n.Existing {
			style = ", style=rounded"
		}
		fmt.Fprintf(&b, "  %s [label=\"%s\\n%s\"%s];\n", ids[n.ID], text(n.label(true)), text(short(n.Type, longestType)), style)
	}
	for _, id := range others {
		fmt.Fprintf(&b, "  %s [label=\"%s\", style=rounded];\n", ids[id], text(short(label(nil, id), longestName)))
	}
	for _, n := range g.Nodes {
		for _, e := range n.Connections {
			if !e.Outbound {
				continue
			}
			style := map[Kind]string{Connection: " [style=bold]", Dependency: " [style=dashed]", Recipe: " [style=solid]"}[e.Kind]
			fmt.Fprintf(&b, "  %s -> %s%s;\n", ids[n.ID], ids[e.ID], style)
		}
	}
	b.WriteString("}\n")
	return b.String()
}
