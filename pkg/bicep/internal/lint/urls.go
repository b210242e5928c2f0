package lint

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// hosts are the addresses of Azure's public cloud; in others they differ.
var hosts = []string{
	"azuredatalakeanalytics.net", "azuredatalakestore.net", "batch.core.windows.net", "core.windows.net",
	"database.windows.net", "datalake.azure.net", "gallery.azure.com", "graph.windows.net",
	"login.microsoftonline.com", "management.azure.com", "management.core.windows.net", "vault.azure.net",
}

var harmlessHosts = []string{"schema.management.azure.com"}

// hardcodedURLs finds addresses that environment() knows for each cloud.
func (l *linter) hardcodedURLs() {
	if l.m.IsParams() {
		return
	}
	bad, fine := l.hostList("disallowedhosts", hosts), l.hostList("excludedhosts", harmlessHosts)
	shortest, dotted := 1<<30, true
	for _, h := range bad {
		shortest = min(shortest, len(h))
		dotted = dotted && strings.Contains(h, ".")
	}
	isSuspect := func(n syntax.Node) bool {
		if _, isString := n.(*syntax.String); !isString || n.Span().Len() <= shortest {
			return false
		}
		if r, ok := l.m.Parent(n).(*syntax.Resource); ok && syntax.Node(r.Type) == n {
			return false
		}
		text := l.sourceText(n)
		return (!dotted || strings.Contains(text, ".")) && len(matches(text, bad)) > 0
	}
	if !slices.ContainsFunc(l.m.Tree().Nodes(), isSuspect) {
		return
	}
	var visit func(n syntax.Node)
	visit = func(n syntax.Node) {
		switch n := n.(type) {
		case *syntax.Metadata:
			return
		case *syntax.Resource:
			for _, d := range n.Decorators {
				visit(d)
			}
			visit(n.Value)
			return
		case *syntax.Module:
			for _, d := range n.Decorators {
				visit(d)
			}
			visit(n.Value)
			return
		case *syntax.Decorator:
			if f := l.function(n.Expr, "sys"); f != nil && (f.Name() == "description" || f.Name() == "metadata") {
				return
			}
		case *syntax.String:
			if n.Span().Len() > shortest {
				l.hostsIn(n, bad, fine, shortest)
			}
		}
		l.m.Tree().Children(n, visit)
	}
	visit(l.m.Tree())
}

func (l *linter) hostList(name string, def []string) []string {
	v, ok := l.setting(name)
	if !ok {
		return def
	}
	list, ok := v.(armjson.Array)
	if !ok {
		return nil
	}
	var out []string
	for _, item := range list {
		if s, ok := item.(armjson.String); ok {
			out = append(out, strings.ToLower(string(s)))
		}
	}
	return out
}

func (l *linter) hostsIn(n *syntax.String, bad, fine []string, shortest int) {
	for _, at := range n.Tokens() {
		text := l.m.Source().Slice(at)
		if len(text) < shortest {
			continue
		}
		found := matches(text, bad)
		if len(found) == 0 {
			return
		}
		excluded := matches(text, fine)
		for _, m := range found {
			if !overlapsAny(m, excluded) {
				l.add(source.Span{Start: at.Start + m.Start, End: at.Start + m.End}, text[m.Start:m.End])
			}
		}
	}
}

func overlapsAny(s source.Span, list []source.Span) bool {
	return slices.ContainsFunc(list, func(o source.Span) bool { return s.Start < o.End && o.Start < s.End })
}

// matches finds where hosts are by themselves in a text. Of those that
// overlap the first counts, and of two in one place the longer.
func matches(text string, hosts []string) []source.Span {
	var found []source.Span
	lower := strings.ToLower(text)
	if len(lower) != len(text) {
		lower = text
	}
	for _, h := range hosts {
		if h == "" {
			continue
		}
		for from := 0; ; {
			i := strings.Index(lower[from:], h)
			if i < 0 {
				break
			}
			start, end := from+i, from+i+len(h)
			from = end
			before, _ := utf8.DecodeLastRuneInString(text[:start])
			after, _ := utf8.DecodeRuneInString(text[end:])
			if !isAlphanumeric(before) && !isAlphanumeric(after) {
				found = append(found, source.Span{Start: int32(start), End: int32(end)})
			}
		}
	}
	var out []source.Span
	for len(found) > 0 {
		best := 0
		for i, s := range found {
			if b := found[best]; s.Start < b.Start || s.Start == b.Start && s.End > b.End {
				best = i
			}
		}
		s := found[best]
		found = append(found[:best], found[best+1:]...)
		if len(out) == 0 || s.Start >= out[len(out)-1].End {
			out = append(out, s)
		}
	}
	return out
}

func isAlphanumeric(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}
