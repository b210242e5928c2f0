package deploytime

import (
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/flow"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// Some places take only what is known when a deployment begins: names of resources,
// conditions, the arrays of loops, arguments of some functions. For each such place, the
// check looks at what it reads of resources and modules, also through variables.

// place is a node whose value must be known when a deployment begins.
type place struct {
	node syntax.Node // *syntax.Property, *If, *For, *Func, *WithClause, a call, or an argument
	call syntax.Expr // whose argument node is, if it is one
	arg  int
}

// leak is a value that is read, directly or through variables, and is known too late.
type leak struct {
	symbol   bind.Declared // nil for a function
	body     *types.Object
	property string // "" for the whole
	chain    *link  // the variables on the way, and what is read
}

// link is one step of a chain, which shares its end with others.
type link struct {
	name string
	next *link
}

func (c *checker) deployTimeConstants() {
	b := c.m.Binding()
	if len(b.Resources)+len(b.Modules) == 0 && c.called&types.RequiresInlining == 0 && !c.m.Features().ResourceTypedParamsOutputs {
		return // nothing here is known only during the deployment
	}
	tree := c.m.Tree()
	var visit func(n syntax.Node) bool
	visit = func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Func, *syntax.If, *syntax.For:
			c.placed(place{node: n})
		case *syntax.Resource:
			if !n.IsExisting() {
				return true
			}
			// The identifiers of an existing resource may be known late. Resources nested in it are checked on their own.
			if body := syntax.Body(n.Value); body != nil {
				for _, item := range body.Items {
					if r, ok := item.(*syntax.Resource); ok {
						tree.Walk(r, visit)
					}
				}
			}
			return false
		case *syntax.Property:
			if p := c.typeProperty(n); p != nil && p.Flags.Has(types.DeployTimeConstant) {
				c.placed(place{node: n})
			}
		case *syntax.Call:
			c.callPlaces(n, n.Args, visit)
			return false
		case *syntax.InstanceCall:
			tree.Walk(n.X, visit)
			c.callPlaces(n, n.Args, visit)
			return false
		case *syntax.WithClause:
			if _, ok := c.parent(n).(*syntax.Extension); ok {
				c.placed(place{node: n})
			}
		}
		return true
	}
	tree.Walk(tree, visit)
}

// callPlaces finds the arguments that must be constants.
func (c *checker) callPlaces(call syntax.Expr, args []syntax.Expr, visit func(syntax.Node) bool) {
	if f, ok := c.flags(call); ok && f&types.RequiresInlining != 0 {
		c.placed(place{node: call})
		return
	}
	overload := c.m.Overload(call)
	for i, a := range args {
		if overload != nil && overload.ParamFlags(i)&types.ParamDeployTimeConstant != 0 {
			c.placed(place{node: a, call: call, arg: i})
		} else {
			c.m.Tree().Walk(a, visit)
		}
	}
}

// typeProperty returns the declared property that n assigns, or nil.
func (c *checker) typeProperty(n *syntax.Property) *types.Property {
	name, ok := n.KeyName()
	if !ok {
		return nil
	}
	object, ok := c.parent(n).(*syntax.Object)
	if !ok {
		return nil
	}
	switch t := c.m.DeclaredType(object).(type) {
	case *types.Object:
		return t.Property(name)
	case *types.DiscriminatedObject:
		if t.Discriminator.Name == name {
			return &t.Discriminator
		}
	}
	return nil
}

// placed checks the expression in a place.
func (c *checker) placed(p place) {
	look := func(n syntax.Node) {
		if n != nil && !isPlain(n) {
			c.direct(n, p)
			c.indirect(n, p)
		}
	}
	switch n := p.node.(type) {
	case *syntax.Property:
		look(n.Key)
		look(n.Value)
	case *syntax.If:
		look(n.Cond)
	case *syntax.For:
		look(n.X)
		if _, ok := c.parent(n).(*syntax.Var); ok {
			look(n.Body)
		}
	case *syntax.WithClause:
		for _, p := range properties(n.Config) {
			look(p)
		}
	default:
		if args, ok := callArgs(n); ok && p.call == nil {
			for _, a := range args {
				look(a)
			}
			return
		}
		look(n)
	}
}

// isPlain reports whether a node obviously reads nothing.
func isPlain(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.Ident, *syntax.Int, *syntax.Bool, *syntax.Null:
		return true
	case *syntax.String:
		return len(n.Exprs()) == 0
	}
	return false
}

func callArgs(n syntax.Node) ([]syntax.Expr, bool) {
	switch n := n.(type) {
	case *syntax.Call:
		return n.Args, true
	case *syntax.InstanceCall:
		return n.Args, true
	}
	return nil, false
}

// indirect checks the values of the variables that n uses.
func (c *checker) indirect(n syntax.Node, p place) {
	c.m.Tree().Walk(n, func(n syntax.Node) bool {
		if ref, ok := n.(*syntax.VarRef); ok {
			if v, ok := c.m.Symbol(ref).(*bind.Var); ok && !c.m.Binding().IsCyclic(v) {
				if l := c.leakOf(v); l != nil {
					c.violation(p, ref, l)
				}
			}
		}
		return true
	})
}

// leakOf returns the first thing in a variable's value that is known too late, or nil.
func (c *checker) leakOf(v *bind.Var) *leak {
	if l, ok := c.leaks[v]; ok {
		return l
	}
	l := c.findLeak(v.Stmt)
	if l != nil {
		found := *l
		found.chain = &link{v.Name(), l.chain}
		l = &found
	}
	c.leaks[v] = l
	return l
}

func (c *checker) findLeak(n syntax.Node) *leak {
	r := &lateReads{checker: c}
	c.m.Tree().Walk(n, r.visit)
	return r.first
}

// direct reports the values that n itself reads too early.
func (c *checker) direct(n syntax.Node, p place) {
	r := &lateReads{checker: c, place: p}
	c.m.Tree().Walk(n, r.visit)
}

// lateReads walks an expression and finds what it reads of resources and modules
// that only the deployment knows, and the functions that only it can call.
type lateReads struct {
	*checker
	place place // that the expression is in: what is found is reported there
	first *leak // if there is no place, the first that is found
}

func (r *lateReads) found(at syntax.Node, l *leak) {
	switch {
	case r.place.node != nil:
		r.violation(r.place, at, l)
	case r.first == nil:
		r.first = l
	}
}

// name checks the use of a name.
func (r *lateReads) name(n syntax.Expr) {
	if r.place.node != nil {
		r.wholeReadIn(n)
		return
	}
	if v, ok := r.m.Symbol(n).(*bind.Var); ok && !r.m.Binding().IsCyclic(v) {
		if l := r.leakOf(v); l != nil {
			r.found(n, l)
		}
		return
	}
	r.wholeRead(n)
}

// visit checks a node, and reports whether to visit the nodes below it.
func (r *lateReads) visit(n syntax.Node) bool {
	if r.first != nil {
		return false
	}
	switch n := n.(type) {
	case *syntax.Index:
		r.index(n)
	case *syntax.PropertyAccess:
		if s, body := r.resolve(syntax.UnwrapNonNull(n.X)); s != nil && body != nil {
			r.property(n, s, body, n.Name.Name)
		}
	case *syntax.VarRef:
		r.name(n)
		return false
	case *syntax.NestedAccess:
		r.name(n)
		return false
	case *syntax.Call, *syntax.InstanceCall:
		flags, known := r.flags(n)
		if known && flags&types.RequiresInlining != 0 {
			name, _, _ := syntax.CallName(n)
			r.found(n, &leak{chain: &link{name: name.Name}})
		}
		if known && flags&types.IsArgumentValueIndependent != 0 {
			return false
		}
	}
	return true
}

// index finds reads of a resource's properties by index: r['sku'].
func (r *lateReads) index(n *syntax.Index) {
	s, body := r.resolve(syntax.UnwrapNonNull(n.X))
	if s == nil || body == nil {
		return
	}
	switch t := r.m.TypeOf(n.Index).(type) {
	case *types.StringLiteral:
		r.property(n, s, body, t.Value)
	case *types.Union:
		names := make([]string, len(t.Members))
		for i, m := range t.Members {
			l, ok := m.Type().(*types.StringLiteral)
			if !ok {
				r.found(n, wholeOf(s, body))
				return
			}
			names[i] = l.Value
		}
		slices.Sort(names)
		for _, name := range names {
			r.property(n, s, body, name)
		}
	default:
		r.found(n, wholeOf(s, body))
	}
}

func (r *lateReads) property(at syntax.Node, s bind.Declared, body *types.Object, name string) {
	if p := body.Property(name); p != nil && !p.Flags.Has(types.ReadableAtDeployTime) {
		r.found(at, &leak{s, body, name, &link{name: s.Name()}})
	}
}

func wholeOf(s bind.Declared, body *types.Object) *leak {
	return &leak{s, body, "", &link{name: s.Name()}}
}

// around returns what holds n, and the child of it that n is in, past x! forms.
func (c *checker) around(n syntax.Node) (parent, child syntax.Node) {
	for {
		p := c.parent(n)
		if _, ok := p.(*syntax.NonNull); !ok {
			return p, n
		}
		n = p
	}
}

func isPropertyOrIndex(n syntax.Node) bool {
	switch n.(type) {
	case *syntax.PropertyAccess, *syntax.Index:
		return true
	}
	return false
}

// wholeReadIn finds the use of a whole resource or module in a place. A parent or a scope
// is always a whole resource, so only existing resources with late identifiers are refused
// there.
func (r *lateReads) wholeReadIn(n syntax.Expr) {
	property, ok := r.place.node.(*syntax.Property)
	if !ok {
		r.wholeRead(n)
		return
	}
	declared := r.typeProperty(property)
	if declared == nil {
		r.wholeRead(n)
		return
	}
	switch declared.Type.Type().(type) {
	case *types.ResourceParent, *types.ScopeReference:
	default:
		r.wholeRead(n)
		return
	}
	parent, child := r.around(n)
	if i, ok := parent.(*syntax.Index); ok {
		if syntax.Node(i.X) == child && !isPropertyOrIndex(r.parent(i)) && isInteger(r.m.TypeOf(i.Index)) {
			if s, body := r.resolveLate(i); s != nil {
				r.found(child, wholeOf(s, body))
			}
		}
		return
	}
	if !isPropertyOrIndex(parent) {
		if s, body := r.resolveLate(n); s != nil {
			r.found(child, wholeOf(s, body))
		}
	}
}

// wholeRead finds the use of a whole resource or module, or of one of a collection.
func (r *lateReads) wholeRead(n syntax.Expr) {
	parent, child := r.around(n)
	if i, ok := parent.(*syntax.Index); ok {
		if syntax.Node(i.X) != child || isPropertyOrIndex(r.parent(i)) {
			return
		}
		if s, body := r.resolve(i); s != nil && body != nil && isNumbered(r.m.TypeOf(i.Index)) {
			r.found(child, wholeOf(s, body))
		}
		return
	}
	if isPropertyOrIndex(parent) {
		return
	}
	if x, ok := child.(syntax.Expr); ok {
		if s, body := r.resolve(x); s != nil && body != nil {
			r.found(child, wholeOf(s, body))
		}
	}
}

func isInteger(t types.Type) bool {
	switch t.(type) {
	case *types.Int, *types.IntLiteral:
		return true
	}
	return false
}

func isNumbered(t types.Type) bool {
	switch t := t.(type) {
	case *types.AnyType:
		return true
	case *types.Union:
		return !slices.ContainsFunc(t.Members, func(m types.Ref) bool { return !isInteger(m.Type()) })
	}
	return isInteger(t)
}

// violation reports that a place reads something too early.
func (c *checker) violation(p place, at syntax.Node, l *leak) {
	why := late{c, l}
	if p.call != nil {
		name, _, _ := syntax.CallName(p.call)
		c.report(diag.BCP432.At(at.Span(), p.arg+1, name.Name, why))
		return
	}
	switch n := p.node.(type) {
	case *syntax.Property:
		name, _ := n.KeyName()
		c.report(diag.BCP120.At(at.Span(), name, why))
	case *syntax.If:
		c.report(diag.BCP177.At(at.Span(), why))
	case *syntax.For:
		if v, ok := c.parent(n).(*syntax.Var); ok && flow.Within(at, n.Body) {
			c.report(diag.BCP182.At(at.Span(), v.Name.Name, why))
		} else {
			c.report(diag.BCP178.At(at.Span(), why))
		}
	case *syntax.Func:
		c.report(diag.BCP341.At(at.Span(), why))
	case *syntax.WithClause:
		c.report(diag.BCP444.At(at.Span(), why))
	default:
		name, _, _ := syntax.CallName(n)
		c.report(diag.BCP181.At(at.Span(), name.Name, why))
	}
}

// late describes what is known too late, and lists what can be read instead.
type late struct {
	c *checker
	l *leak
}

func (w late) String() string {
	var b strings.Builder
	switch {
	case w.l.symbol != nil && w.l.property != "":
		b.WriteString("the property " + w.l.property + " of " + w.l.symbol.Name())
	case w.l.symbol != nil:
		b.WriteString(w.l.symbol.Name())
	default:
		b.WriteString("the result of this function")
	}
	b.WriteString(" is known only during the deployment")
	var chain []string
	for l := w.l.chain; l != nil; l = l.next {
		chain = append(chain, l.name)
	}
	if len(chain) > 1 {
		b.WriteString(" (used by way of " + chainText(chain) + ")")
	}
	if names := w.c.readable(w.l.symbol, w.l.body); len(names) > 0 {
		b.WriteString("; known before it: " + strings.Join(names, ", "))
	}
	return b.String()
}

func chainText(names []string) string {
	return diag.Chain(names, func(name string) string { return name })
}

// readable lists the properties that can be read before the deployment.
func (c *checker) readable(s bind.Declared, body *types.Object) []string {
	if s == nil || body == nil {
		return nil
	}
	var declared *syntax.Object
	r, isResource := s.(*bind.Resource)
	if isResource {
		declared = syntax.Body(r.Stmt.Value)
	}
	var names []string
	for i := range body.Properties() {
		p := &body.Properties()[i]
		if !p.Flags.Has(types.ReadableAtDeployTime) || p.Flags.Has(types.WriteOnly) {
			continue
		}
		if isResource && declared.Property(p.Name) == nil && !flow.IsIdentityProperty(p.Name) {
			continue
		}
		names = append(names, p.Name)
	}
	return names
}
