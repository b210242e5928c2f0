package lint

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// constrained is a file whose configuration says which releases of Bicep may compile it.
type constrained struct {
	name string
	*config.Constraint
}

func (c constrained) String() string { return fmt.Sprintf("%s needs %s", c.name, c.Text) }

// constrainedModules returns the local modules of the file, and theirs, that have a range of releases.
func (l *linter) constrainedModules() (list []constrained) {
	entry := l.m.File()
	seen := map[*graph.File]bool{entry: true}
	var visit func(f *graph.File)
	visit = func(f *graph.File) {
		if f.Tree == nil {
			return
		}
		for _, stmt := range f.Tree.Stmts {
			m, ok := stmt.(*syntax.Module)
			if !ok {
				continue
			}
			ref := f.Reference(m)
			if ref == nil || ref.File == nil || ref.Artifact == nil || ref.Artifact.Scheme != artifact.Local || seen[ref.File] {
				continue
			}
			seen[ref.File] = true
			// A JSON template has no configuration.
			if cfg := ref.File.Config; cfg != nil && cfg.Constraint != nil {
				name, err := filepath.Rel(filepath.Dir(entry.Path), ref.File.Path)
				if err != nil {
					name = ref.File.Path
				}
				list = append(list, constrained{filepath.ToSlash(name), cfg.Constraint})
			}
			visit(ref.File)
		}
	}
	visit(entry)
	return list
}

// constraintsConflict finds ranges of releases that have none in common.
func (l *linter) constraintsConflict() {
	var all release.Range
	var said []string
	add := func(c constrained) {
		all = all.And(c.Range)
		said = append(said, c.String())
	}
	if c := l.m.Config().Constraint; c != nil {
		add(constrained{"this file", c})
	}
	for _, c := range l.constrainedModules() {
		if was := all.IsEmpty(); !was {
			if add(c); all.IsEmpty() {
				l.add(source.Span{}, strings.Join(said, ", "))
			}
		}
	}
}

// entryTooWide finds modules that not all releases may compile that may compile the file.
func (l *linter) entryTooWide() {
	var own release.Range
	text := "any"
	if c := l.m.Config().Constraint; c != nil {
		own, text = c.Range, c.Text
	}
	var said []string
	for _, c := range l.constrainedModules() {
		if !own.IsIn(c.Range) {
			said = append(said, c.String())
		}
	}
	if len(said) > 0 {
		l.add(source.Span{}, text, strings.Join(said, ", "))
	}
}
