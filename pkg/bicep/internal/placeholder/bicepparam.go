package placeholder

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/format"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
	"github.com/radbicep/rad/pkg/bicep/source"
)

func digits(n uint64) string { return strconv.FormatUint(n, 10) }

// Where a value has to be filled in, a question mark is written, which is an error
// until somebody does. While the file is laid out a name is there, of the same
// width, and a letter of the comment after it is one that no source holds.
const (
	mark = "\ue000"
	// absent stands for a value of which nothing at all is known.
	absent = "_ /*\ue001*/"
)

var unmark = strings.NewReplacer("_ /*"+mark, "? /*T", "_ /* "+mark, "? /* T", " "+absent, "\n")

// Bicepparam returns a Bicep parameter file.
func Bicepparam(m *check.Model, all bool) string {
	w := &writer{text: m.File().Source.Text}
	w.out.WriteString("using " + types.QuoteString("./"+filepath.Base(m.File().Path)) + "\n\n")
	for _, p := range parameters(m, all) {
		w.out.WriteString("param " + p.Name.Name + " = ")
		w.value(p)
		w.out.WriteString("\n")
	}
	file := source.NewFile("main.bicepparam", w.out.String())
	return unmark.Replace(format.File(file, true, format.Defaults()).Text) + "\n"
}

// writer writes values as Bicep.
type writer struct {
	text string // of the template
	out  strings.Builder
}

func (w *writer) slice(n syntax.Node) string {
	s := n.Span()
	return w.text[s.Start:s.End]
}

// fill writes a value that has to be filled in. what is the comment after it,
// without the T of the TODO that it begins with.
func (w *writer) fill(blank, what string) {
	w.out.WriteString("_ /*" + blank + mark + strings.ReplaceAll(what, "*/", "* /") + blank + "*/")
}

func (w *writer) call(c *syntax.Call) {
	w.fill(" ", "ODO : please fix the value assigned to this parameter `"+c.Name.Name+"()`")
}

func (w *writer) value(p *syntax.Param) {
	if p.Default != nil {
		w.expression(p.Default.Value)
		return
	}
	switch t := p.Type.(type) {
	case *syntax.TypeName:
		w.named(t, allowed(p))
	case *syntax.ObjectType:
		w.object(t)
	default:
		w.out.WriteString(absent)
	}
}

// expression writes a default. Calls, of which few are allowed in a parameter
// file, have to be replaced by somebody; what is below the items of an array is
// written as it is.
func (w *writer) expression(x syntax.Expr) {
	switch x := x.(type) {
	case *syntax.Call:
		w.call(x)
		return
	case *syntax.Array:
		w.out.WriteString("[")
		for _, item := range x.Items {
			w.out.WriteString("\n")
			if c, ok := item.(*syntax.Call); ok {
				w.call(c)
			} else {
				w.out.WriteString(w.slice(item) + w.remark(item.Span().End))
			}
		}
		if len(x.Items) > 0 {
			w.out.WriteString("\n")
		}
		w.out.WriteString("]")
		return
	case *syntax.Object:
		w.out.WriteString("{\n")
		for _, item := range x.Items {
			if p, ok := item.(*syntax.Property); ok {
				w.out.WriteString(w.slice(p.Key) + ": ")
				w.expression(p.Value)
			} else {
				w.out.WriteString(w.slice(item) + w.remark(item.Span().End))
			}
			w.out.WriteString("\n")
		}
		w.out.WriteString("}")
		return
	}
	w.out.WriteString(w.slice(x) + w.remark(x.Span().End))
}

// remark returns the comment after a value on its line.
func (w *writer) remark(end int32) string {
	line := w.text[end:]
	if i := strings.IndexAny(line, "\r\n"); i >= 0 {
		line = line[:i]
	}
	line = strings.Trim(line, " \t")
	if strings.HasPrefix(line, "//") || strings.HasPrefix(line, "/*") && strings.Index(line, "*/") == len(line)-2 {
		return " " + line
	}
	return ""
}

// allowed returns the first value that a parameter is allowed to have, if it says so.
func allowed(p *syntax.Param) syntax.Expr {
	for _, d := range p.Decorators {
		c, ok := d.Expr.(*syntax.Call)
		if !ok || c.Name.Name != "allowed" || len(c.Args) == 0 {
			continue
		}
		if list, ok := c.Args[0].(*syntax.Array); ok && len(list.Items) > 0 {
			return list.Items[0]
		}
	}
	return nil
}

// named writes the plainest value of a type that is known by its name.
func (w *writer) named(t *syntax.TypeName, first syntax.Expr) {
	switch t.Name.Name {
	case "int":
		n := uint64(0)
		if i, ok := first.(*syntax.Int); ok {
			n = i.Value
		}
		w.out.WriteString(digits(n))
	case "bool":
		w.out.WriteString("false")
	case "array":
		w.out.WriteString("[]")
	case "object":
		w.out.WriteString("{}")
	default:
		text := ""
		if s, ok := first.(*syntax.String); ok {
			text, _ = s.Literal()
		}
		w.out.WriteString(types.QuoteString(text))
	}
}

func (w *writer) object(t *syntax.ObjectType) {
	w.out.WriteString("{\n")
	for _, m := range t.Members {
		p, ok := m.(*syntax.TypeProperty)
		if !ok {
			continue
		}
		w.out.WriteString(w.slice(p.Key) + ": ")
		switch v := p.Value.(type) {
		case *syntax.TypeName:
			w.named(v, nil)
		case *syntax.ObjectType:
			w.object(v)
		default:
			w.fill("", "ODO: fix the value assigned to this parameter `"+strings.Join(strings.Fields(w.slice(v)), " ")+"`")
		}
		w.out.WriteString("\n")
	}
	w.out.WriteString("}")
}
