package rules

import (
	"sort"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// Some places take only what is known when a deployment begins: names of
// resources, conditions, what loops go over, arguments of some functions. The
// rule looks at each such place, at what it reads of resources and modules, and
// through the variables that it uses.

// place is somewhere that takes only deploy-time constants.
type place struct {
	node syntax.Node // *syntax.Property, *If, *For, *Func, *WithClause, a call, or an argument
	call syntax.Expr // whose argument node is, if it is one
	arg  int
}

// leak is what a variable reads that is known too late.
type leak struct {
	symbol   bind.Declared // nil for a function
	body     *types.Object
	chain    []string // the variables on the way, and what is read
	property string
}

func (c *checker) deployTimeConstants() {
	b := c.m.Binding()
	if len(b.Resources)+len(b.Modules) == 0 && c.called&types.RequiresInlining == 0 && !c.m.Features().ResourceTypedParamsOutputs {
		return // nothing here is known only during the deployment
	}
	var visit func(n syntax.Node)
	children := func(n syntax.Node) { syntax.Children(n, visit) }
	visit = func(n syntax.Node) {
		switch n := n.(type) {
		case *syntax.Func:
			c.placed(place{node: n})
			children(n)
		case *syntax.Resource:
			if !n.IsExisting() {
				children(n)
				return
			}
			// What identifies an existing resource may be known late; what is nested in it has rules of its own.
			if body := syntax.Body(n.Value); body != nil {
				for _, item := range body.Items {
					if r, ok := item.(*syntax.Resource); ok {
						visit(r)
					}
				}
			}
		case *syntax.Property:
			if p := c.typeProperty(n); p != nil && p.Flags.Has(types.DeployTimeConstant) {
				c.placed(place{node: n})
			}
			children(n)
		case *syntax.If, *syntax.For:
			c.placed(place{node: n})
			children(n)
		case *syntax.Call:
			c.callPlaces(n, n.Args, visit)
		case *syntax.InstanceCall:
			visit(n.X)
			c.callPlaces(n, n.Args, visit)
		case *syntax.WithClause:
			if _, ok := c.parent(n).(*syntax.Extension); ok {
				c.placed(place{node: n})
			}
			children(n)
		default:
			children(n)
		}
	}
	visit(c.m.Tree())
}

// callPlaces finds the arguments that must be constants.
func (c *checker) callPlaces(call syntax.Expr, args []syntax.Expr, visit func(syntax.Node)) {
	if f, ok := c.flags(call); ok && f&types.RequiresInlining != 0 {
		c.placed(place{node: call})
		return
	}
	overload := c.m.Overload(call)
	for i, a := range args {
		if overload != nil && overload.ParamFlags(i)&types.ParamDeployTimeConstant != 0 {
			c.placed(place{node: a, call: call, arg: i})
		} else {
			visit(a)
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

// placed looks at what stands in a place.
func (c *checker) placed(p place) {
	check := func(n syntax.Node) {
		if n != nil {
			c.direct(n, p)
			c.indirect(n, p)
		}
	}
	switch n := p.node.(type) {
	case *syntax.Property:
		check(n.Key)
		check(n.Value)
	case *syntax.If:
		check(n.Cond)
	case *syntax.For:
		check(n.X)
		if _, ok := c.parent(n).(*syntax.Var); ok {
			check(n.Body)
		}
	case *syntax.WithClause:
		if o, ok := n.Config.(*syntax.Object); ok {
			for _, item := range o.Items {
				if property, ok := item.(*syntax.Property); ok {
					check(property)
				}
			}
		}
	default:
		if args, ok := callArgs(n); ok && p.call == nil {
			for _, a := range args {
				check(a)
			}
			return
		}
		check(n)
	}
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

// indirect looks through the variables that n uses.
func (c *checker) indirect(n syntax.Node, p place) {
	seen := map[*syntax.VarRef]bool{}
	syntax.Walk(n, func(n syntax.Node) bool {
		if ref, ok := n.(*syntax.VarRef); ok && !seen[ref] {
			seen[ref] = true
			if v, ok := c.m.Symbol(ref).(*bind.Var); ok && c.m.Binding().Cycle(v) == nil {
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
	if c.leaks == nil {
		c.leaks = map[*bind.Var]*leak{}
	}
	l := c.findLeak(v.Stmt)
	if l != nil {
		found := *l
		found.chain = append([]string{v.Name()}, l.chain...)
		l = &found
	}
	c.leaks[v] = l
	return l
}

func (c *checker) findLeak(n syntax.Node) (found *leak) {
	flag := func(s bind.Declared, body *types.Object, property string) {
		if found == nil {
			found = &leak{s, body, []string{s.Name()}, property}
		}
	}
	var visit func(n syntax.Node)
	children := func(n syntax.Node) { syntax.Children(n, visit) }
	visit = func(n syntax.Node) {
		if found != nil {
			return
		}
		switch n := n.(type) {
		case *syntax.Index:
			c.indexRead(n, flag)
			children(n)
		case *syntax.PropertyAccess:
			c.propertyRead(n, flag)
			children(n)
		case *syntax.VarRef:
			if v, ok := c.m.Symbol(n).(*bind.Var); ok && c.m.Binding().Cycle(v) == nil {
				found = c.leakOf(v)
				return
			}
			c.wholeRead(n, func(_ syntax.Node, s bind.Declared, body *types.Object) { flag(s, body, "") })
		case *syntax.NestedAccess:
			c.wholeRead(n, func(_ syntax.Node, s bind.Declared, body *types.Object) { flag(s, body, "") })
		case *syntax.Call, *syntax.InstanceCall:
			f, ok := c.flags(n)
			if ok && f&types.RequiresInlining != 0 {
				name, _, _ := syntax.CallName(n)
				found = &leak{chain: []string{name.Name}}
				return
			}
			if !ok || f&types.IsArgumentValueIndependent == 0 {
				children(n)
			}
		default:
			children(n)
		}
	}
	visit(n)
	return found
}

// direct reports what n itself reads too early.
func (c *checker) direct(n syntax.Node, p place) {
	var visit func(n syntax.Node)
	children := func(n syntax.Node) { syntax.Children(n, visit) }
	visit = func(n syntax.Node) {
		flag := func(s bind.Declared, body *types.Object, property string) {
			c.violation(p, n, &leak{s, body, nil, property})
		}
		whole := func(at syntax.Node, s bind.Declared, body *types.Object) {
			c.violation(p, at, &leak{s, body, nil, ""})
		}
		switch n := n.(type) {
		case *syntax.Index:
			c.indexRead(n, flag)
			children(n)
		case *syntax.PropertyAccess:
			c.propertyRead(n, flag)
			children(n)
		case *syntax.VarRef:
			c.wholeReadIn(p, n, whole)
		case *syntax.NestedAccess:
			c.wholeReadIn(p, n, whole)
		case *syntax.Call, *syntax.InstanceCall:
			f, ok := c.flags(n)
			if ok && f&types.RequiresInlining != 0 {
				c.violation(p, n, &leak{})
			}
			if !ok || f&types.IsArgumentValueIndependent == 0 {
				children(n)
			}
		default:
			children(n)
		}
	}
	visit(n)
}

type readFunc func(s bind.Declared, body *types.Object, property string)

// indexRead finds reads of a resource's properties by index: r['sku'].
func (c *checker) indexRead(n *syntax.Index, flag readFunc) {
	s, body := c.resolve(unwrapNonNull(n.X))
	if s == nil || body == nil {
		return
	}
	switch t := c.m.TypeOf(n.Index).(type) {
	case *types.StringLiteral:
		c.readProperty(t.Value, s, body, flag)
	case *types.Union:
		var names []string
		for _, m := range t.Members {
			l, ok := m.Type().(*types.StringLiteral)
			if !ok {
				flag(s, body, "")
				return
			}
			names = append(names, l.Value)
		}
		sort.Strings(names)
		for _, name := range names {
			c.readProperty(name, s, body, flag)
		}
	default:
		flag(s, body, "")
	}
}

func (c *checker) propertyRead(n *syntax.PropertyAccess, flag readFunc) {
	if s, body := c.resolve(unwrapNonNull(n.X)); s != nil && body != nil {
		c.readProperty(n.Name.Name, s, body, flag)
	}
}

func (c *checker) readProperty(name string, s bind.Declared, body *types.Object, flag readFunc) {
	if p := body.Property(name); p != nil && !p.Flags.Has(types.ReadableAtDeployTime) {
		flag(s, body, name)
	}
}

func unwrapNonNull(x syntax.Expr) syntax.Expr {
	for {
		n, ok := x.(*syntax.NonNull)
		if !ok {
			return x
		}
		x = n.X
	}
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

// wholeReadIn finds the use of a whole resource or module in a place. A parent
// or a scope is one by its nature; there only existing resources that are
// identified by late values are refused.
func (c *checker) wholeReadIn(p place, n syntax.Expr, flag func(syntax.Node, bind.Declared, *types.Object)) {
	property, ok := p.node.(*syntax.Property)
	if !ok {
		c.wholeRead(n, flag)
		return
	}
	declared := c.typeProperty(property)
	if declared == nil {
		c.wholeRead(n, flag)
		return
	}
	switch declared.Type.Type().(type) {
	case *types.ResourceParent, *types.ScopeReference:
	default:
		c.wholeRead(n, flag)
		return
	}
	parent, child := c.around(n)
	if i, ok := parent.(*syntax.Index); ok {
		if syntax.Node(i.X) == child && !isPropertyOrIndex(c.parent(i)) && isInteger(c.m.TypeOf(i.Index)) {
			if s, body := c.resolveLate(i); s != nil {
				flag(child, s, body)
			}
		}
		return
	}
	if !isPropertyOrIndex(parent) {
		if s, body := c.resolveLate(n); s != nil {
			flag(child, s, body)
		}
	}
}

// wholeRead finds the use of a whole resource or module: by itself, or by its number in a collection.
func (c *checker) wholeRead(n syntax.Expr, flag func(syntax.Node, bind.Declared, *types.Object)) {
	parent, child := c.around(n)
	if i, ok := parent.(*syntax.Index); ok {
		if syntax.Node(i.X) != child || isPropertyOrIndex(c.parent(i)) {
			return
		}
		if s, body := c.resolve(i); s != nil && body != nil && isNumbered(c.m.TypeOf(i.Index)) {
			flag(child, s, body)
		}
		return
	}
	if isPropertyOrIndex(parent) {
		return
	}
	if x, ok := child.(syntax.Expr); ok {
		if s, body := c.resolve(x); s != nil && body != nil {
			flag(child, s, body)
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
		for _, m := range t.Members {
			if !isInteger(m.Type()) {
				return false
			}
		}
		return true
	}
	return isInteger(t)
}

// violation reports that a place reads something too early.
func (c *checker) violation(p place, at syntax.Node, l *leak) {
	why := late{c, l}
	switch n := p.node.(type) {
	case *syntax.Property:
		if p.call == nil {
			name, _ := n.KeyName()
			c.report(diag.BCP120.At(at.Span(), name, why))
			return
		}
	case *syntax.If:
		c.report(diag.BCP177.At(at.Span(), why))
		return
	case *syntax.For:
		if v, ok := c.parent(n).(*syntax.Var); ok && p.call == nil {
			if s, b := at.Span(), n.Body.Span(); s.Start < b.End && b.Start < s.End {
				c.report(diag.BCP182.At(at.Span(), v.Name.Name, why))
				return
			}
		}
		if p.call == nil {
			c.report(diag.BCP178.At(at.Span(), why))
			return
		}
	case *syntax.Func:
		c.report(diag.BCP341.At(at.Span(), why))
		return
	case *syntax.WithClause:
		c.report(diag.BCP444.At(at.Span(), why))
		return
	}
	if p.call != nil {
		name, _, _ := syntax.CallName(p.call)
		c.report(diag.BCP432.At(at.Span(), p.arg+1, name.Name, why))
		return
	}
	name, _, _ := syntax.CallName(p.node)
	c.report(diag.BCP181.At(at.Span(), name.Name, why))
}

// late says what is known too late, and what could be read instead.
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
	if len(w.l.chain) > 1 {
		b.WriteString(" (used by way of " + strings.Join(w.l.chain, " -> ") + ")")
	}
	if names := w.c.readable(w.l.symbol, w.l.body); len(names) > 0 {
		b.WriteString("; known before it: " + strings.Join(names, ", "))
	}
	return b.String()
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
	for i := range body.Properties {
		p := &body.Properties[i]
		if !p.Flags.Has(types.ReadableAtDeployTime) || p.Flags.Has(types.WriteOnly) {
			continue
		}
		if isResource && (declared == nil || declared.Property(p.Name) == nil) {
			switch p.Name {
			case "type", "apiVersion", "id", "name":
			default:
				continue
			}
		}
		names = append(names, p.Name)
	}
	return names
}
