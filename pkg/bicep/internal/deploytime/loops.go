package deploytime

import (
	"maps"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// reach says whether a loop may be the value of a property at some place.
type reach uint8

const (
	undecided reach = iota // no expression around it yet
	blocked                // below an operator or a call
	open                   // below objects and arrays only
)

// loopWalk checks that loops are written where a template can repeat something, and that
// whole collections of resources are used where a template can list them.
type loopWalk struct {
	*checker
	decl     syntax.Node // the declaration that may hold a loop
	variable bool        // within a variable
	output   bool        // within an output

	reach     reach
	nested    int // property loops around this place
	depth     int // loops around this place
	dependsOn *syntax.Property
	body      *syntax.Property // properties of a resource, params of a module
	inDepends bool
	inBody    bool

	// Set while the walk is in the value of a variable that is written out where it is used.
	use   *syntax.VarRef
	first *bind.Var // what use names
	names []string  // those that lead from there to what cannot be used so
	again bool      // what is looked through has to be when it is used elsewhere, too
	level int
	seen  map[lookedThrough]bool // for this use
	clean map[lookedThrough]bool // in which nothing was wrong
}

// lookedThrough is a variable whose value was checked, with everything that decides what is
// allowed there.
type lookedThrough struct {
	v                                  *bind.Var
	inLoop, inDepends, inBody, outputs bool
}

func (c *checker) loops() {
	if c.loopCount == 0 {
		return // nor are there collections
	}
	w := &loopWalk{checker: c}
	w.visit(c.m.Tree())
}

func reachInside(n syntax.Node) reach {
	switch n.(type) {
	case *syntax.Object, *syntax.Array:
		return open
	case *syntax.For, *syntax.If, *syntax.Property, *syntax.Skipped:
		return undecided
	case syntax.Expr:
		return blocked
	}
	return undecided
}

func (w *loopWalk) visit(n syntax.Node) {
	outer := w.reach
	inside := reachInside(n)
	switch {
	case outer == undecided:
		w.reach = inside
	case outer == open && inside != undecided:
		w.reach = inside
	}
	w.enter(n)
	w.reach = outer
}

func (w *loopWalk) children(n syntax.Node) { w.m.Tree().Children(n, w.visit) }

func (w *loopWalk) enter(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.Resource:
		w.resource(n)
	case *syntax.Module:
		body := syntax.Body(n.Value)
		w.decl, w.dependsOn, w.body = n, body.Property("dependsOn"), body.Property("params")
		w.children(n)
		w.decl, w.dependsOn, w.body = nil, nil, nil
	case *syntax.Var:
		if w.level > 0 {
			w.children(n)
			return
		}
		w.decl, w.variable = n, true
		w.children(n)
		w.decl, w.variable = nil, false
	case *syntax.ParamAssign:
		if w.m.Has(release.LoopsInParams) {
			w.decl = n
		}
		w.children(n)
		w.decl = nil
	case *syntax.Output:
		w.decl, w.output = n, true
		w.children(n)
		w.decl, w.output = nil, false
	case *syntax.For:
		w.loop(n)
	case *syntax.Property:
		w.property(n)
	case *syntax.VarRef:
		w.reference(n)
		w.children(n)
	case *syntax.NestedAccess:
		w.reference(n)
		w.children(n)
	case *syntax.Call, *syntax.InstanceCall:
		if f, ok := w.flags(n); !ok || f&types.IsArgumentValueIndependent == 0 {
			w.children(n)
		}
	default:
		w.children(n)
	}
}

func (w *loopWalk) resource(n *syntax.Resource) {
	if w.inLoop(n) {
		w.report(diag.BCP160.At(n.Span()))
	}
	decl, dependsOn, inner := w.decl, w.dependsOn, w.body
	body := syntax.Body(n.Value)
	w.decl, w.dependsOn, w.body = n, body.Property("dependsOn"), body.Property("properties")
	w.children(n)
	w.decl, w.dependsOn, w.body = decl, dependsOn, inner
}

func (w *loopWalk) inLoop(n syntax.Node) bool {
	for p := w.parent(n); p != nil; p = w.parent(p) {
		if _, ok := p.(*syntax.For); ok {
			return true
		}
	}
	return false
}

func (w *loopWalk) loop(n *syntax.For) {
	w.again = true // whether this loop is allowed depends on all that is around it
	nested := w.nested
	switch allowed, property := w.allows(n); {
	case property:
		w.nested++
		if w.nested > 1 {
			w.report(diag.BCP142.At(n.Keyword))
		}
	case !allowed:
		w.report(diag.BCP138.At(n.Keyword))
	}
	w.depth++
	w.children(n)
	w.depth--
	w.nested = nested
}

// allows reports whether a loop is allowed here, and whether it is one that
// makes the value of a property.
func (w *loopWalk) allows(n *syntax.For) (allowed, property bool) {
	if w.decl == nil {
		return false, false
	}
	parent := w.parent(n)
	switch p := parent.(type) {
	case *syntax.Resource:
		return true, false
	case *syntax.Module:
		return true, false
	case *syntax.Output:
		return p.Value == syntax.Expr(n), false
	case *syntax.Var:
		return p.Value == syntax.Expr(n), false
	case *syntax.ParamAssign:
		return true, false
	}
	switch w.decl.(type) {
	case *syntax.Output, *syntax.Var, *syntax.ParamAssign:
		return false, false
	}
	p, ok := parent.(*syntax.Property)
	if w.reach == blocked || !ok || p.Value != syntax.Expr(n) {
		return false, false
	}
	return true, true
}

func (w *loopWalk) property(n *syntax.Property) {
	if _, ok := n.KeyName(); !ok {
		if _, loop := n.Value.(*syntax.For); loop {
			w.report(diag.BCP143.At(n.Key.Span()))
		}
	}
	depends, body := n == w.dependsOn, n == w.body
	w.inDepends = w.inDepends || depends
	w.inBody = w.inBody || body
	w.children(n)
	if depends {
		w.inDepends = false
	}
	if body {
		w.inBody = false
	}
}

// reference checks the use of a name. Whole collections may be used in few places, directly
// or through variables that are written out where they are used.
func (w *loopWalk) reference(n syntax.Expr) {
	s := w.m.Symbol(n)
	if bind.IsLoop(s) {
		w.collection(n, s)
		return
	}
	ref, ok := n.(*syntax.VarRef)
	v, isVar := s.(*bind.Var)
	if !ok || !isVar || w.variable && w.depth == 0 {
		return
	}
	if !w.analysis.Inlined().Vars[v] {
		return
	}
	step := lookedThrough{v, w.depth > 0, w.inDepends, w.inBody, w.output}
	if w.seen[step] || w.clean[step] {
		return // what there is to report has been
	}
	if w.level == 0 {
		w.use, w.first, w.names, w.again = ref, v, nil, false
		w.seen = map[lookedThrough]bool{}
	}
	w.seen[step] = true
	w.level++
	w.visit(v.Stmt)
	w.level--
	if w.level > 0 {
		return
	}
	// Each variable of a chain may be used in a loop, so each is checked once.
	switch {
	case w.again:
	case w.clean == nil:
		w.clean = w.seen
	default:
		maps.Copy(w.clean, w.seen)
	}
	w.use, w.seen = nil, nil
}

func (w *loopWalk) collection(n syntax.Expr, s bind.Symbol) {
	parent, _ := w.m.Binding().Around(n)
	if _, access := parent.(syntax.Access); access || w.inDepends {
		return
	}
	if w.depth == 0 && (w.inBody || w.output || w.variable && w.use == nil) {
		return
	}
	at, how := n.Span(), ""
	if w.use != nil {
		at = w.use.Span()
		w.again = true
		how = " (it is used by way of " + chainText(append(w.way(), s.Name())) + ")"
	}
	w.report(diag.BCP144.At(at, how))
}

// way returns the names that lead from the current use to the collection that cannot be used.
func (w *loopWalk) way() []string {
	if len(w.names) == 0 {
		path, _ := w.analysis.MustInline(w.first)
		w.names = append([]string{w.first.Name()}, path...)
	}
	return w.names
}

// loopInvariants warns of loops that deploy the same resource or module in each iteration,
// since its identity does not depend on the iteration.
func (c *checker) loopInvariants() {
	for _, r := range c.analysis.Resources.Declared() {
		if !r.Symbol.Stmt.IsExisting() {
			c.loopInvariant(r.Symbol, r.Symbol.Stmt.Value, false)
		}
	}
	for _, m := range c.m.Binding().Modules {
		c.loopInvariant(m, m.Stmt.Value, true)
	}
}

func (c *checker) loopInvariant(s bind.Declared, value syntax.Expr, module bool) {
	loop, ok := value.(*syntax.For)
	if !ok || loop.Item() == nil {
		return
	}
	body := c.body(s)
	object := syntax.Body(value)
	if body == nil || object == nil {
		return
	}
	required, named := false, false
	for _, item := range object.Items {
		p := variantProperty(body, object, item)
		if p == nil {
			continue
		}
		if c.usesAny(item.(*syntax.Property).Value, loop) {
			return
		}
		required = required || p.Flags.Has(types.Required)
		named = named || p.Name == "name"
	}
	if module && !named || !module && !required {
		return
	}
	var expected []string
	for i := range body.Properties() {
		if p := &body.Properties()[i]; p.Flags.Has(types.LoopVariant) {
			expected = append(expected, p.Name)
		}
	}
	names := loop.Item().Name.Name
	if i := loop.IndexVar(); i != nil {
		names += " or " + i.Name.Name
	}
	c.report(diag.BCP179.At(s.NameSpan(), names, strings.Join(expected, ", ")))
}

// variantProperty returns the property of a type that an item of an object gives a value,
// if the value has to differ in each turn of a loop.
func variantProperty(body *types.Object, object *syntax.Object, item syntax.ObjectItem) *types.Property {
	written, ok := item.(*syntax.Property)
	if !ok {
		return nil
	}
	name, ok := written.KeyName()
	if !ok || object.Property(name) != written {
		return nil
	}
	if _, bad := written.Value.(*syntax.Skipped); bad {
		return nil
	}
	p := body.Property(name)
	if p == nil || !p.Flags.Has(types.LoopVariant) {
		return nil
	}
	return p
}

// usesAny reports whether the value depends on a variable of the loop. It does not follow
// variables, since their declarations cannot use locals.
func (c *checker) usesAny(v syntax.Expr, loop *syntax.For) bool {
	found := false
	c.m.Tree().Walk(v, func(n syntax.Node) bool {
		if ref, ok := n.(*syntax.VarRef); ok {
			if l, ok := c.m.Symbol(ref).(*bind.Local); ok && (l.Node == loop.Item() || l.Node == loop.IndexVar()) {
				found = true
			}
		}
		return !found
	})
	return found
}
