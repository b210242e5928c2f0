package lint

import (
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// describe asks for a description that is not blank.
func (l *linter) describe(n syntax.Decorated, name string, at source.Span) {
	d := l.m.SystemDecorator(n, "description")
	if d == nil {
		l.add(at, name)
		return
	}
	_, args, _ := syntax.CallName(d.Expr)
	if len(args) > 0 {
		if text, ok := l.literal(args[0]); ok && strings.TrimSpace(text) == "" {
			l.add(args[0].Span(), name)
		}
	}
}

// describeAll asks each of some declarations for a description.
func describeAll[D bind.Declared](l *linter, list []D) {
	for _, d := range list {
		if d.NameValid() {
			l.describe(d.Decl().(syntax.Decorated), d.Name(), d.NameSpan())
		}
	}
}

func (l *linter) describeOutputs() { describeAll(l, l.b.Outputs) }
func (l *linter) describeParams()  { describeAll(l, l.b.Params) }
func (l *linter) describeVars()    { describeAll(l, l.b.Vars) }

func (l *linter) describeTypes() {
	for _, t := range l.b.Types {
		if t.NameValid() && l.m.SystemDecorator(t.Stmt, "discriminator") == nil {
			l.describe(t.Stmt, t.Name(), t.NameSpan())
		}
	}
}

func (l *linter) describeTypeProperties() {
	for _, t := range l.b.Types {
		syntax.Walk(t.Stmt, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.TypeProperty:
				if name, ok := n.KeyName(); ok {
					l.describe(n, name, n.Key.Span())
				}
			case *syntax.TypeRest:
				l.describe(n, "*", n.Star)
			}
			return true
		})
	}
}

// conflictingMetadata finds descriptions that are given in two ways. The rule looks
// at statements, not at what has decorators within them.
func (l *linter) conflictingMetadata() {
	for _, s := range l.m.Tree().Stmts {
		n, ok := s.(syntax.Decorated)
		if !ok {
			continue
		}
		d := l.m.SystemDecorator(n, "metadata")
		if d == nil || l.m.SystemDecorator(n, "description") == nil {
			continue
		}
		_, args, _ := syntax.CallName(d.Expr)
		if len(args) == 0 {
			continue
		}
		o, ok := args[0].(*syntax.Object)
		if !ok {
			continue
		}
		for _, item := range o.Items {
			if p, ok := item.(*syntax.Property); ok {
				if name, ok := p.KeyName(); ok && name == "description" {
					l.add(p.Key.Span())
				}
			}
		}
	}
}
