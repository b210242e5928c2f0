package repair

import (
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// unused removes a declaration that nothing uses. Where there are errors, it may be
// one of those that nothing uses it.
func (f *File) unused(d diag.Diagnostic, n *syntax.Ident) *report.Fix {
	c := report.Certain
	if f.broken {
		c = report.Likely
	}
	switch s := f.m.Parent(n).(type) {
	case *syntax.Param:
		fix := f.removal("Remove the parameter "+name(n.Name)+".", c, f.statement(s))
		fix.Parameter = n.Name
		return fix
	case *syntax.Var:
		return f.removal("Remove the variable "+name(n.Name)+".", c, f.statement(s))
	case *syntax.TypeDecl:
		return f.removal("Remove the type "+name(n.Name)+".", c, f.statement(s))
	}
	return nil
}

// unusedExisting removes an existing resource that nothing uses. A deployment that
// names its resources fails where the resource is absent, so that it may be a check.
func (f *File) unusedExisting(d diag.Diagnostic, n *syntax.Ident) *report.Fix {
	r, ok := f.m.Parent(n).(*syntax.Resource)
	if !ok {
		return nil
	}
	title := "Remove the existing resource " + name(n.Name) + "."
	if fix := f.itemRemoval(title, report.Likely, r); fix != nil {
		return fix
	}
	return f.removal(title, report.Likely, f.statement(r))
}

// unusedImport removes a name from an import, or the import if nothing is left.
func (f *File) unusedImport(d diag.Diagnostic, n *syntax.Ident) *report.Fix {
	c := report.Certain
	if f.broken {
		c = report.Likely
	}
	for x := f.m.Parent(n); x != nil; x = f.m.Parent(x) {
		switch x := x.(type) {
		case *syntax.ImportItem:
			list, ok := f.m.Parent(x).(*syntax.ImportList)
			if !ok {
				return nil
			}
			if items, keep := kept(f, d.Kind, list.Items); keep {
				return f.removal("Remove "+name(n.Name)+" from the import.", c, f.item(items, x))
			}
		case *syntax.Import:
			title := "Remove the import."
			if f.holdsComment(x.Span()) {
				c = report.Likely
			}
			return f.removal(title, c, f.statement(x))
		}
	}
	return nil
}

// kept returns the items of a list as nodes, and whether there is one without a diagnostic of a kind.
func kept[N syntax.Node](f *File, kind diag.Kind, list []N) (items []syntax.Node, keep bool) {
	for _, item := range list {
		items = append(items, item)
		keep = keep || !f.isFound(kind, item.Span())
	}
	return items, keep
}

// isFound reports whether a diagnostic of a kind is in a part of the text.
func (f *File) isFound(kind diag.Kind, within source.Span) bool {
	for i := range f.found {
		if d := &f.found[i]; d.Kind == kind && within.Contains(d.Span) && d.Severity != diag.Off {
			return true
		}
	}
	return false
}

// dependency removes an item of dependsOn, or the property if nothing is left.
func (f *File) dependency(d diag.Diagnostic) *report.Fix {
	for _, n := range f.places[d.Span] {
		list, ok := f.m.Parent(n).(*syntax.Array)
		if !ok {
			continue
		}
		if items, keep := kept(f, d.Kind, list.Items); keep {
			return f.removal("Remove the dependency.", report.Certain, f.item(items, n))
		}
		c := report.Certain
		if f.holdsComment(list.Span()) {
			c = report.Likely
		}
		if p, ok := f.m.Parent(list).(*syntax.Property); ok {
			return f.itemRemoval("Remove dependsOn.", c, p)
		}
	}
	return nil
}

// moduleName removes the name of a module, so that the compiler makes one.
func (f *File) moduleName(_ diag.Diagnostic, p *syntax.Property) *report.Fix {
	return f.itemRemoval("Remove the name.", report.Likely, p)
}

// Statement returns what to remove so that a statement is gone.
func (f *File) Statement(s syntax.Stmt) source.Span { return f.statement(s) }

func (f *File) removal(title string, c report.Certainty, span source.Span) *report.Fix {
	return replace(title, c, span, "")
}

// itemRemoval removes a node that is an item of an object. It returns nil for other nodes.
func (f *File) itemRemoval(title string, c report.Certainty, item syntax.Node) *report.Fix {
	o, ok := f.m.Parent(item).(*syntax.Object)
	if !ok {
		return nil
	}
	return f.removal(title, c, f.objectItem(o, item))
}

// objectItem returns what to remove so that an item of an object is gone.
func (f *File) objectItem(o *syntax.Object, item syntax.Node) source.Span {
	items := make([]syntax.Node, len(o.Items))
	for i := range o.Items {
		items[i] = o.Items[i]
	}
	return f.item(items, item)
}

// item returns what to remove so that one of the items of a list is gone: its lines,
// if it has them for itself, or it and a separator.
func (f *File) item(items []syntax.Node, item syntax.Node) source.Span {
	span := item.Span()
	start, ownStart := f.lineBefore(span.Start)
	if end, own := f.lineBehind(span.End, true); ownStart && own {
		return source.Span{Start: start, End: end}
	}
	for i, n := range items {
		if n != item {
			continue
		}
		if i+1 < len(items) {
			return source.Span{Start: span.Start, End: items[i+1].Span().Start}
		}
		if i > 0 {
			return source.Span{Start: items[i-1].Span().End, End: span.End}
		}
	}
	for int(span.End) < len(f.text) && f.text[span.End] == ' ' && span.Start > 0 && f.text[span.Start-1] == ' ' {
		span.End++
	}
	return span
}

// lineBefore returns where a line begins, and whether nothing but blanks is
// between there and a place.
func (f *File) lineBefore(at int32) (int32, bool) {
	start := int32(strings.LastIndexAny(f.text[:at], "\r\n") + 1)
	return start, strings.Trim(f.text[start:at], " \t\ufeff") == "" && !strings.HasPrefix(f.text[start:at], "\ufeff")
}

// lineBehind returns where the next line begins, and whether nothing is before
// it but blanks, a comma if there may be one, and a comment that ends on the line.
func (f *File) lineBehind(at int32, comma bool) (int32, bool) {
	n := strings.IndexAny(f.text[at:], "\r\n")
	if n < 0 {
		n = len(f.text) - int(at)
	}
	end := at + int32(n)
	rest := strings.TrimLeft(f.text[at:end], " \t")
	if comma && strings.HasPrefix(rest, ",") {
		rest = strings.TrimLeft(rest[1:], " \t")
	}
	if strings.HasPrefix(rest, "/*") {
		_, behind, closed := strings.Cut(rest, "*/")
		if !closed {
			return end, false
		}
		rest = strings.TrimLeft(behind, " \t")
	}
	return f.skipLineEnd(end), rest == "" || strings.HasPrefix(rest, "//")
}

// skipLineEnd returns the place after a line end, if there is one.
func (f *File) skipLineEnd(at int32) int32 {
	rest := f.text[at:]
	switch {
	case strings.HasPrefix(rest, "\r\n"):
		return at + 2
	case rest != "" && (rest[0] == '\n' || rest[0] == '\r'):
		return at + 1
	}
	return at
}

// line returns the line at a place, without its blanks, and where the next begins.
func (f *File) line(at int32) (string, int32) {
	n := strings.IndexAny(f.text[at:], "\r\n")
	if n < 0 {
		return strings.TrimSpace(f.text[at:]), int32(len(f.text))
	}
	end := at + int32(n)
	return strings.TrimSpace(f.text[at:end]), f.skipLineEnd(end)
}

// lineAbove returns the line above the one that begins at a place, and its beginning.
func (f *File) lineAbove(at int32) (string, int32) {
	end := at
	if strings.HasSuffix(f.text[:end], "\n") {
		end--
	}
	if strings.HasSuffix(f.text[:end], "\r") {
		end--
	}
	start := int32(strings.LastIndexAny(f.text[:end], "\r\n") + 1)
	return strings.TrimSpace(f.text[start:end]), start
}

// statement returns what to remove so that a statement is gone: its decorators, its
// lines, the comment that is its own, and the blank lines that would be too many.
//
// The comment lines directly above belong to the statement if another statement does
// not follow directly below, since the comment may be about both then, and unless the
// comment begins the file. A #disable-next-line above always goes.
func (f *File) statement(s syntax.Stmt) source.Span {
	span := s.Span()
	start, ownStart := f.lineBefore(span.Start)
	end, ownEnd := f.lineBehind(span.End, false)
	if !ownStart || !ownEnd {
		return span
	}
	next, _ := f.line(end)
	alone := next == "" || strings.HasPrefix(next, "//") || strings.HasPrefix(next, "/*") || strings.HasPrefix(next, "#")
	begin := start
	for begin > 0 {
		line, at := f.lineAbove(begin)
		if strings.HasPrefix(line, "#disable-next-line") {
			begin, start = at, at
			continue
		}
		if !alone || line == "" {
			break
		}
		if !strings.HasPrefix(line, "//") {
			// The last line of a comment of several lines, or other text.
			if at = f.commentEnding(line, at); at < 0 {
				break
			}
		}
		begin = at
	}
	if begin > 0 && alone {
		start = begin
	}
	// Of the blank lines around, those above stay.
	above := ""
	if start > 0 {
		above, _ = f.lineAbove(start)
	}
	if above == "" {
		for int(end) < len(f.text) {
			line, behind := f.line(end)
			if line != "" {
				break
			}
			end = behind
		}
	}
	if int(end) == len(f.text) {
		for start > 0 {
			line, at := f.lineAbove(start)
			if line != "" {
				break
			}
			start = at
		}
	}
	return source.Span{Start: start, End: end}
}

// commentEnding returns where the line begins on which the comment begins that ends a
// line, if nothing is before it; -1 if there is none.
func (f *File) commentEnding(line string, at int32) int32 {
	if !strings.HasSuffix(line, "*/") {
		return -1
	}
	end := at + int32(strings.Index(f.text[at:], line)+len(line))
	open := int32(strings.LastIndex(f.text[:end], "/*"))
	if open < 0 || !f.holdsComment(source.Span{Start: open, End: end}) {
		return -1
	}
	start, own := f.lineBefore(open)
	if !own {
		return -1
	}
	return start
}
