package bicep

import (
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// given returns the parameters of files that other files of the program give values to.
func given(p *graph.Program) (list []Given) {
	for _, f := range p.Files {
		if f.Tree == nil {
			continue
		}
		for _, r := range f.References {
			if r.File == nil {
				continue
			}
			switch s := r.Stmt.(type) {
			case *syntax.Module:
				params, _ := syntax.Body(s.Value).PropertyValue("params").(*syntax.Object)
				if params == nil {
					continue
				}
				for _, item := range params.Items {
					if p, ok := item.(*syntax.Property); ok {
						if name, ok := p.KeyName(); ok {
							list = append(list, Given{r.File.Path, name})
						}
					}
				}
			case *syntax.Using:
				for _, stmt := range f.Tree.Stmts {
					if a, ok := stmt.(*syntax.ParamAssign); ok {
						list = append(list, Given{r.File.Path, a.Name.Name})
					}
				}
			}
		}
	}
	return list
}

// brokenTypes reports extensions whose types turned out to be unreadable while the
// program was checked: files of types are read when a resource needs them.
func (c *compilation) brokenTypes() (list diag.List) {
	for _, f := range c.files.Files {
		for _, ref := range f.References {
			if _, ok := ref.Stmt.(*syntax.Extension); !ok || ref.Archive == nil {
				continue
			}
			list = append(list, c.brokenArchive(f, ref)...)
		}
	}
	return list
}

func (c *compilation) brokenArchive(f *graph.File, ref *graph.Reference) diag.List {
	err := c.namespaces.Broken(ref.Archive)
	if err == nil {
		return nil
	}
	d := diag.BCP396.At(ref.Span(), err.Error())
	d.File = f.Source
	return diag.List{d}
}

// lineEnds returns findings on the multi-line strings of a file whose values hold the
// line ends of Windows: in a checkout with other line ends they have other values.
func lineEnds(f *graph.File) (out []report.Finding) {
	if f.Tree == nil || !strings.Contains(f.Source.Text, "\r\n") || !strings.Contains(f.Source.Text, "'''") {
		return nil
	}
	f.Tree.Walk(f.Tree, func(n syntax.Node) bool {
		s, ok := n.(*syntax.String)
		if ok && s.Multiline && slices.ContainsFunc(s.Segments(), func(text string) bool { return strings.Contains(text, "\r\n") }) {
			start := f.Source.Position(s.Span().Start)
			out = append(out, report.Finding{
				Path: f.Path, Start: start, End: f.Source.Position(s.Span().End), Severity: report.Warning, Code: "line-ends",
				Message: "The lines of this string end in \\r\\n, so its value depends on how the file is checked out. " +
					"Put '*.bicep text eol=lf' into .gitattributes.",
			})
		}
		return true
	})
	return out
}
