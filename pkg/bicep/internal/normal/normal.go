// Package normal brings expressions into a normal form, so that a plan can tell whether two of them
// have the same value.
//
// # The problem
//
// What a program deploys often depends on values that are known only later. Such a value is an
// expression, and one value can be written in many ways. With a parameter a of type string,
//
//	'${a}-x'     concat(a, '-x')     format('{0}-{1}', a, 'x')     '${'${a}'}-x'     join([a, 'x'], '-')
//
// are one text. A plan that compares what is written says that a resource of this name is deleted and
// another one created, though nothing changes.
//
// # The algorithm
//
// A Table makes nodes from the leaves up (Of, make). A node is a call whose arguments are nodes or
// literals. make first simplifies the call, with rules for each function:
//
//   - Texts (text.go) become one call of format with flat pieces: literals that are next to each other are
//     one literal, and no piece is itself such a text.
//   - Booleans (logic.go): negations stand at the leaves, and() and or() are flat and without repetitions,
//     a comparison with true or false is the condition itself. Conditionals lose branches that cannot
//     differ.
//   - Arrays, objects and accesses (collections.go): what is written next to each other is put together,
//     and an access to something that is written there is that.
//   - A function of nothing but literals is evaluated.
//   - Parameters of lambdas are named by how deep lambdas nest below them: $1, $2.
//
// Then it looks for a node of this shape, and makes one if there is none. The arguments of functions for
// which the order makes no difference count as sorted.
//
// With a parameter c of type bool,
//
//	if(and(true(), not(not(equals(c, true())))), concat(a, '-', 'x'), null())
//
// has the nodes parameters('c'), parameters('a'), format('{0}-x', parameters('a')) and the call of if().
//
// # Invariants
//
//   - Evaluated by the deployment, a node has the value of the expression that it was made of, wherever
//     that has one: an expression that fails may become one that does not.
//   - Nodes of one shape are one pointer. Two expressions of one pointer have the same value.
//     The opposite is not true: Relate (relate.go) finds more.
//   - A node takes memory for its own arguments only. The text of an expression may be far larger than its
//     nodes: f(x, x) with x = g(y, y) and so on. So nothing here walks an expression as a tree.
//
// # Why it ends
//
// Each expression is visited once, since its node is kept (done). A rule makes a call of parts that are nodes
// already, with fewer pieces, fewer negations above the leaves or a function that comes later in the order of the
// rules; none makes a call that another one turns back. A node has at most maxParts parts more than what it is made
// of, however often texts, conditions and arrays are doubled: what has more is a part by itself.
package normal

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
)

// Kind is what is known of the type of an expression's value.
type Kind uint8

const (
	Any Kind = iota
	Text
	Int
	Bool
	Array
	Object
)

// maxParts is how many parts of an argument become parts of the call around it.
const maxParts = 128

// Table makes nodes. It must not be used concurrently.
type Table struct {
	// parameters tells the kinds of the template's parameters, by names in lower case.
	parameters map[string]Kind

	nodes map[string]*armexpr.Call // by shape
	info  map[*armexpr.Call]*info
	done  map[*armexpr.Call]armexpr.Expr // normal forms of what was given
	work  int                            // nodes that were visited to relate expressions; see relate.go
	known map[pair]Relation
	cases map[choice]armexpr.Expr
}

// info is what a table knows of a node.
type info struct {
	id       int
	size     int      // about how long its text is
	binders  int      // how deep lambdas nest in it
	free     []string // parameters of lambdas around it, sorted, in lower case
	constant bool     // it has literals only
	kind     Kind
	// conditional says that if(), and(), or() or not() is in it.
	conditional bool

	split  bool    // pieces is known
	pieces []piece // see text.go
}

// NewTable returns an empty table. Kinds of parameters are by names in lower case.
func NewTable(parameters map[string]Kind) *Table {
	return &Table{
		parameters: parameters, nodes: map[string]*armexpr.Call{}, info: map[*armexpr.Call]*info{},
		done: map[*armexpr.Call]armexpr.Expr{}, known: map[pair]Relation{}, cases: map[choice]armexpr.Expr{},
	}
}

// Of returns the normal form of an expression.
func (t *Table) Of(e armexpr.Expr) armexpr.Expr {
	c, ok := e.(*armexpr.Call)
	if !ok || t.info[c] != nil {
		return e
	}
	if n, ok := t.done[c]; ok {
		return n
	}
	var n armexpr.Expr
	if strings.EqualFold(c.Name, "lambda") {
		n = t.lambda(c)
	} else {
		n = t.make(c.Name, t.all(c.Args)...)
	}
	for _, k := range c.Access {
		n = t.access(n, t.Of(k))
	}
	t.done[c] = n
	return n
}

func (t *Table) all(list []armexpr.Expr) []armexpr.Expr {
	out := make([]armexpr.Expr, len(list))
	for i, e := range list {
		out[i] = t.Of(e)
	}
	return out
}

// make returns the node of a call. The arguments are nodes or literals.
func (t *Table) make(name string, args ...armexpr.Expr) armexpr.Expr {
	if e := t.simplify(strings.ToLower(name), args); e != nil {
		return e
	}
	return t.intern(name, args, nil)
}

// simplify returns what a call is by the rules; nil if it stays a call of this function and these
// arguments.
func (t *Table) simplify(key string, args []armexpr.Expr) armexpr.Expr {
	switch key {
	case "format", "concat", "string", "join", "tolower", "toupper", "replace":
		if e := t.text(key, args); e != nil {
			return e
		}
	case "not", "and", "or", "if", "equals", "coalesce", "greater", "lessorequals":
		if e := t.logic(key, args); e != nil {
			return e
		}
	case "union", "createarray", "createobject":
		return t.collection(key, args)
	case "reference":
		if len(args) > 1 { // the version of the request is not part of the value
			rest := []armexpr.Expr{args[0]}
			if len(args) > 2 {
				rest = append(rest, armexpr.Str(""), args[2])
			}
			if len(args) == 2 || args[1] != armexpr.Str("") {
				return t.intern("reference", rest, nil)
			}
		}
	case "length":
		if e := t.length(args); e != nil {
			return e
		}
	case "last":
		if e := t.lastPart(args); e != nil {
			return e
		}
	case "resourceid", "subscriptionresourceid":
		if rest := t.ownPlace(key, args); len(rest) < len(args) {
			return t.make(idNames[key], rest...)
		}
	}
	return t.evaluate(key, args)
}

// lastPart simplifies last(split(resourceId(…, name), '/')) to the name, in which there is no slash; nil if it is not that.
func (t *Table) lastPart(args []armexpr.Expr) armexpr.Expr {
	if len(args) != 1 {
		return nil
	}
	split := call(args[0], "split")
	if split == nil || len(split.Args) != 2 || split.Args[1] != armexpr.Str("/") {
		return nil
	}
	id, ok := split.Args[0].(*armexpr.Call)
	if !ok || len(id.Access) > 0 || !isID(id.Name) || len(id.Args) < 2 {
		return nil
	}
	if name := id.Args[len(id.Args)-1]; t.kind(name) == Text {
		return name
	}
	return nil
}

// isID reports whether a function makes the ID of a resource of types and names.
func isID(name string) bool {
	switch strings.ToLower(name) {
	case "resourceid", "subscriptionresourceid", "tenantresourceid", "extensionresourceid", "managementgroupresourceid":
		return true
	}
	return false
}

// idNames are the names of functions of which arguments are left out.
var idNames = map[string]string{"resourceid": "resourceId", "subscriptionresourceid": "subscriptionResourceId"}

// evaluate returns the value of a function of literals; nil if there is none.
func (t *Table) evaluate(key string, args []armexpr.Expr) armexpr.Expr {
	if !eval.Known(key) || len(args) == 0 || key == "copyindex" || key == "parameters" || key == "variables" || key == "lambdavariables" {
		return nil
	}
	size := 0
	for _, a := range args {
		if !t.constant(a) {
			return nil
		}
		size += t.Size(a)
	}
	if size > 1<<16 {
		return nil
	}
	v, err := eval.New(eval.NoScope{}).Eval(&armexpr.Call{Name: key, Args: args})
	if err != nil {
		return nil
	}
	if unknown, mark := eval.Marks(v); unknown || !mark.Shown() {
		return nil
	}
	return t.literal(eval.Expression(v))
}

// literal returns the node of an expression that a value is.
func (t *Table) literal(e armexpr.Expr) armexpr.Expr {
	c, ok := e.(*armexpr.Call)
	if !ok {
		return e
	}
	list := make([]armexpr.Expr, len(c.Args))
	for i, a := range c.Args {
		list[i] = t.literal(a)
	}
	return t.intern(c.Name, list, nil)
}

// unordered are the functions for which the order of arguments makes no difference.
var unordered = map[string]bool{"and": true, "or": true, "equals": true, "add": true, "mul": true}

// intern returns the node of a call as it is.
func (t *Table) intern(name string, args, access []armexpr.Expr) *armexpr.Call {
	key := strings.ToLower(name)
	keys := make([]string, len(args))
	for i, a := range args {
		keys[i] = t.keyOf(a)
	}
	switch {
	case unordered[key]:
		slices.Sort(keys)
	case key == "createobject" && len(args)%2 == 0:
		members := make([]string, 0, len(keys)/2)
		for i := 0; i < len(keys); i += 2 {
			members = append(members, keys[i]+":"+keys[i+1])
		}
		slices.Sort(members)
		keys = members
	}
	shape := key + "(" + strings.Join(keys, ",") + ")"
	if len(access) > 0 {
		var b strings.Builder
		b.WriteString(shape)
		for _, k := range access {
			b.WriteString("[" + t.keyOf(k) + "]")
		}
		shape = b.String()
	}
	if n := t.nodes[shape]; n != nil {
		return n
	}
	n := &armexpr.Call{Name: name, Args: args, Access: access}
	t.nodes[shape] = n
	t.info[n] = t.describe(n, len(t.info))
	return n
}

// Key returns a text that tells a node or a literal from others.
func (t *Table) Key(e armexpr.Expr) string { return t.keyOf(e) }

// keyOf returns what stands for an argument in the shape of a node.
func (t *Table) keyOf(e armexpr.Expr) string {
	switch e := e.(type) {
	case armexpr.Str:
		return strconv.Quote(string(e))
	case armexpr.Int:
		return strconv.FormatInt(int64(e), 10)
	case *armexpr.Call:
		return "#" + strconv.Itoa(t.info[e].id)
	}
	return ""
}

// describe finds out what is known of a node.
func (t *Table) describe(n *armexpr.Call, id int) *info {
	x := &info{id: id, size: len(n.Name) + 2, constant: len(n.Access) == 0 && isConstructor(n)}
	own := ""
	if strings.EqualFold(n.Name, "lambdaVariables") && len(n.Args) == 1 {
		if s, ok := n.Args[0].(armexpr.Str); ok {
			own = strings.ToLower(string(s))
			x.free = []string{own}
		}
	}
	for _, list := range [][]armexpr.Expr{n.Args, n.Access} {
		for _, a := range list {
			x.size += 2 + t.Size(a)
			x.constant = x.constant && t.constant(a)
			if c, ok := a.(*armexpr.Call); ok {
				x.conditional = x.conditional || t.info[c].conditional
				x.binders = max(x.binders, t.info[c].binders)
				x.free = merged(x.free, t.info[c].free)
			}
		}
	}
	x.size = min(x.size, math.MaxInt32)
	if strings.EqualFold(n.Name, "lambda") {
		x.binders += len(n.Args) - 1
		x.free = slices.DeleteFunc(slices.Clone(x.free), func(name string) bool {
			return slices.ContainsFunc(n.Args[:len(n.Args)-1], func(p armexpr.Expr) bool {
				s, _ := p.(armexpr.Str)
				return strings.EqualFold(string(s), name)
			})
		})
	}
	x.kind = t.kindOf(n)
	switch strings.ToLower(n.Name) {
	case "if", "and", "or", "not":
		x.conditional = true
	}
	return x
}

func isConstructor(c *armexpr.Call) bool {
	switch strings.ToLower(c.Name) {
	case "true", "false", "null":
		return len(c.Args) == 0
	case "json":
		return len(c.Args) == 1
	case "createarray", "createobject":
		return true
	}
	return false
}

// merged returns the names of two sorted lists.
func merged(a, b []string) []string {
	switch {
	case len(b) == 0:
		return a
	case len(a) == 0:
		return b
	}
	out := append(slices.Clone(a), b...)
	slices.Sort(out)
	return slices.Compact(out)
}

func (t *Table) constant(e armexpr.Expr) bool {
	c, ok := e.(*armexpr.Call)
	return !ok || t.info[c].constant
}

// Size returns about how long the text of a node is.
func (t *Table) Size(e armexpr.Expr) int {
	switch e := e.(type) {
	case armexpr.Str:
		return len(e) + 3
	case *armexpr.Call:
		return t.info[e].size
	}
	return 8
}

// lambda returns the node of a lambda, with other names for its parameters.
func (t *Table) lambda(c *armexpr.Call) armexpr.Expr {
	if len(c.Args) == 0 {
		return t.intern(c.Name, nil, nil)
	}
	last := len(c.Args) - 1
	body := t.Of(c.Args[last])
	n, free := 0, []string(nil)
	if b, ok := body.(*armexpr.Call); ok {
		n, free = t.info[b].binders, t.info[b].free
	}
	args := make([]armexpr.Expr, 0, len(c.Args))
	to := map[string]string{}
	for _, p := range c.Args[:last] {
		s, ok := p.(armexpr.Str)
		if !ok {
			return t.intern(c.Name, t.all(c.Args), nil)
		}
		n++
		name := "$" + strconv.Itoa(n)
		for slices.Contains(free, name) && !strings.EqualFold(string(s), name) {
			n++
			name = "$" + strconv.Itoa(n)
		}
		to[strings.ToLower(string(s))] = name
		args = append(args, armexpr.Str(name))
	}
	body = t.replace(body, map[*armexpr.Call]armexpr.Expr{}, func(c *armexpr.Call) armexpr.Expr {
		if strings.EqualFold(c.Name, "lambdaVariables") && len(c.Args) == 1 && len(c.Access) == 0 {
			s, _ := c.Args[0].(armexpr.Str)
			if name, ok := to[strings.ToLower(string(s))]; ok {
				return t.intern("lambdaVariables", []armexpr.Expr{armexpr.Str(name)}, nil)
			}
		}
		return nil
	}, func(x *info) bool { return len(x.free) > 0 })
	return t.intern("lambda", append(args, body), nil)
}

// replace returns a node with other nodes within it replaced, and simplified where something was. with returns
// what replaces a node, or nil; nodes that in rejects are left.
func (t *Table) replace(e armexpr.Expr, made map[*armexpr.Call]armexpr.Expr,
	with func(*armexpr.Call) armexpr.Expr, in func(*info) bool) armexpr.Expr {
	c, ok := e.(*armexpr.Call)
	if !ok || !in(t.info[c]) {
		return e
	}
	if n, ok := made[c]; ok {
		return n
	}
	t.work++
	n := with(c)
	if n == nil && len(c.Access) > 0 {
		if n = with(t.Base(c)); n != nil {
			n = t.accesses(n, t.replaceAll(c.Access, made, with, in))
		}
	}
	if n == nil {
		args, access := t.replaceAll(c.Args, made, with, in), t.replaceAll(c.Access, made, with, in)
		switch {
		case slices.Equal(args, c.Args) && slices.Equal(access, c.Access):
			n = c
		case strings.EqualFold(c.Name, "lambda"):
			n = t.intern(c.Name, args, nil)
		default:
			n = t.accesses(t.make(c.Name, args...), access)
		}
	}
	made[c] = n
	return n
}

func (t *Table) replaceAll(list []armexpr.Expr, made map[*armexpr.Call]armexpr.Expr,
	with func(*armexpr.Call) armexpr.Expr, in func(*info) bool) []armexpr.Expr {
	out := make([]armexpr.Expr, len(list))
	for i, e := range list {
		out[i] = t.replace(e, made, with, in)
	}
	return out
}

// Base returns the node of a call without the accesses to its result.
func (t *Table) Base(c *armexpr.Call) *armexpr.Call { return t.intern(c.Name, c.Args, nil) }

// Closed tells whether a node has no parameters of lambdas around it.
func (t *Table) Closed(c *armexpr.Call) bool { return len(t.info[c].free) == 0 }

// accesses returns a property or an element of one, and so on. Only the first can be written in a node: the others are
// read of what that is, or of what is not known.
func (t *Table) accesses(e armexpr.Expr, keys []armexpr.Expr) armexpr.Expr {
	for i, k := range keys {
		if c, ok := e.(*armexpr.Call); ok && len(c.Access) > 0 {
			return t.intern(c.Name, c.Args, append(slices.Clone(c.Access), keys[i:]...))
		}
		e = t.access(e, k)
	}
	return e
}

// call returns an expression as a call of a function, without accesses; nil if it is something else.
func call(e armexpr.Expr, name string) *armexpr.Call {
	if c, ok := e.(*armexpr.Call); ok && len(c.Access) == 0 && strings.EqualFold(c.Name, name) {
		return c
	}
	return nil
}
