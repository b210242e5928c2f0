package lint

import (
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// artifactsParameters checks the two parameters with which templates find their files: a template
// has both or neither, with the types and defaults that tools expect.
func (l *linter) artifactsParameters() {
	const location, token = "_artifactsLocation", "_artifactsLocationSasToken"
	find := func(name string) *bind.Param {
		for _, p := range l.b.Params {
			if strings.EqualFold(p.Name(), name) {
				return p
			}
		}
		return nil
	}
	a, b := find(location), find(token)
	switch {
	case a != nil && b == nil:
		l.add(a.NameSpan(), location, "also needs the parameter "+token)
	case b != nil && a == nil:
		l.add(b.NameSpan(), token, "also needs the parameter "+location)
	case a != nil:
		for _, p := range []*bind.Param{a, b} {
			if t, ok := p.Stmt.Type.(*syntax.TypeName); ok && t.Name.Name != "string" {
				l.add(t.Span(), p.Name(), "must be a string")
			}
		}
		if !hasCall(b.Stmt, "secure") {
			l.add(b.Stmt.Type.Span(), b.Name(), "must be secure")
		}
		if d := a.Stmt.Default; d != nil {
			text, plain := literalOf(d.Value)
			if !(plain && strings.HasPrefix(text, "http")) && !mentionsTemplateLink(l.sourceText(d.Value)) {
				l.add(d.Value.Span(), a.Name(), "can default to a URL, or to one made from deployment().properties.templateLink.uri")
			}
		}
		if d := b.Stmt.Default; d != nil {
			if text, plain := literalOf(d.Value); !plain || text != "" {
				l.add(d.Value.Span(), b.Name(), "can default to nothing but an empty string")
			}
		}
	}
	for _, m := range l.b.Modules {
		t := l.m.Referenced(m.Stmt)
		if t == nil {
			continue
		}
		var params *syntax.Object
		if body := syntax.Body(m.Stmt.Value); body != nil {
			params, _ = body.PropertyValue("params").(*syntax.Object)
		}
		for _, p := range t.Parameters() {
			if !strings.EqualFold(p.Name, location) && !strings.EqualFold(p.Name, token) {
				continue
			}
			if namedProperty(params, nameIs(p.Name)) == nil {
				l.add(m.NameSpan(), p.Name, "of the module "+m.Name()+" should be given a value")
			}
		}
	}
}

// mentionsTemplateLink looks for deployment(….templateLink within a line.
func mentionsTemplateLink(text string) bool {
	for line := range strings.SplitSeq(strings.ToLower(text), "\n") {
		if _, rest, ok := strings.Cut(line, "deployment("); ok && strings.Contains(rest, ".templatelink") {
			return true
		}
	}
	return false
}
