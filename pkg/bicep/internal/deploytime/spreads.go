package deploytime

import (
	"slices"

	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

// spreadPlaces refuses ... in objects whose property names must all be known.
func (c *checker) spreadPlaces() {
	noSpread := func(x syntax.Expr) {
		o, _ := x.(*syntax.Object)
		if o == nil {
			return
		}
		for _, item := range o.Items {
			if s, ok := item.(*syntax.Spread); ok {
				c.report(diag.BCP401.At(s.Span()))
			}
		}
	}
	for _, m := range c.m.Binding().Modules {
		body := syntax.Body(m.Stmt.Value)
		noSpread(body)
		noSpread(body.PropertyValue("params"))
		configs := c.extensionConfigs(body)
		noSpread(configs)
		for _, p := range properties(configs) {
			noSpread(p.Value)
		}
	}
	for _, r := range c.m.Binding().Resources {
		noSpread(syntax.Body(r.Stmt.Value))
	}
	loops := map[*syntax.Object]bool{} // an object may have many spreads
	for _, s := range c.spreads {
		object, ok := c.parent(s).(*syntax.Object)
		if !ok {
			continue
		}
		holds, known := loops[object]
		if !known {
			holds = c.holdsPropertyLoop(object)
			loops[object] = holds
		}
		if holds {
			c.report(diag.BCP417.At(s.Span()))
		}
		if with, ok := c.parent(object).(*syntax.WithClause); ok && !c.isUsing(with) {
			c.report(diag.BCP401.At(s.Span()))
		}
	}
}

func (c *checker) isUsing(n syntax.Node) bool {
	_, ok := c.parent(n).(*syntax.Using)
	return ok
}

func (c *checker) holdsPropertyLoop(o *syntax.Object) bool {
	if !c.m.Has(release.NestedSpreadLoops) {
		return slices.ContainsFunc(o.Items, func(item syntax.ObjectItem) bool {
			p, ok := item.(*syntax.Property)
			if !ok {
				return false
			}
			_, loop := p.Value.(*syntax.For)
			return loop
		})
	}
	found := false
	syntax.Walk(o, func(n syntax.Node) bool {
		if p, ok := n.(*syntax.Property); ok {
			if _, loop := p.Value.(*syntax.For); loop {
				found = true
			}
		}
		return !found
	})
	return found
}
