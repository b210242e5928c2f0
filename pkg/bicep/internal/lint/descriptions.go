package lint

import (
	"strings"

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

func (l *linter) describeOutputs() {
	for _, o := range l.b.Outputs {
		if o.NameValid() {
			l.describe(o.Stmt, o.Name(), o.NameSpan())
		}
	}
}

func (l *linter) describeParams() {
	for _, p := range l.b.Params {
		if p.NameValid() {
			l.describe(p.Stmt, p.Name(), p.NameSpan())
		}
	}
}

func (l *linter) describeVars() {
	for _, v := range l.b.Vars {
		if v.NameValid() {
			l.describe(v.Stmt, v.Name(), v.NameSpan())
		}
	}
}

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
