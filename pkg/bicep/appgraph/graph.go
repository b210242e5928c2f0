// Package appgraph makes the application graph of a template: the resources of an application and
// what connects them, in the shape of Radius' own (ApplicationGraphResponse), and draws it.
//
// Begin with New, which takes the result of package expand. The graph has what the template says,
// and nothing of a running application.
package appgraph

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
)

// Graph is an application graph.
type Graph struct {
	Nodes []*Node
}

// Node is a resource of the graph.
type Node struct {
	ID, Name, Type string
	Symbol         string // symbolic name; "" if there is none
	Module         string // symbolic names of the modules that lead to it, as "front/web"
	Existing       bool
	Conditional    bool // whether it is deployed depends on what is not known
	Connections    []Edge
	DiffHash       string
	Properties     *armjson.Object // nil if the program sets none

	resource *expand.Resource
	module   *expand.Module
}

// Edge is a connection or dependency as one of its ends sees it.
type Edge struct {
	ID       string // of the other end
	Outbound bool
	Kind     Kind
}

// Kind says where an edge comes from.
type Kind string

const (
	// Connection: the program declares it under connections.
	Connection Kind = "Connection"
	// Dependency: one needs the other to be deployed first.
	Dependency Kind = "Dependency"
	// Recipe: the recipe of one makes the other.
	Recipe Kind = "Recipe"
)

func (e Edge) direction() string {
	if e.Outbound {
		return "Outbound"
	}
	return "Inbound"
}

// containers holds the types of what groups resources, and is not a node itself.
var containers = map[string]bool{
	"applications.core/applications": true, "applications.core/environments": true,
	"radius.core/applications": true, "radius.core/environments": true, "radius.core/recipepacks": true,
}

// defaultScope is where Radius' own graph of a file places resources.
const defaultScope = "/planes/radius/local/resourcegroups/default"

// builder puts a graph together.
type builder struct {
	scope string
	graph *Graph
	byID  map[string]*Node // lower case
	of    map[*expand.Resource]*Node
	ofMod map[*expand.Module]*Node
}

// New returns the graph of an expansion. Its resources are named within a Radius
// scope; "" stands for the default group.
func New(result *expand.Result, scope string) *Graph {
	if scope = strings.TrimRight(scope, "/"); scope == "" {
		scope = defaultScope
	} else if !strings.HasPrefix(scope, "/") {
		scope = "/planes/radius/local/resourceGroups/" + scope
	}
	b := &builder{scope: scope, graph: &Graph{Nodes: []*Node{}},
		byID: map[string]*Node{}, of: map[*expand.Resource]*Node{}, ofMod: map[*expand.Module]*Node{}}
	radius := false
	for _, r := range result.Resources {
		radius = radius || r.Extension != nil && r.Module.Parent == nil
	}
	for _, r := range result.Resources {
		b.add(r)
	}
	if !radius { // a file for Azure alone: its modules are deployments, and shown
		for _, m := range result.Modules() {
			b.addModule(m)
		}
	}
	for _, n := range b.graph.Nodes {
		b.connect(n)
	}
	for _, n := range b.graph.Nodes {
		b.madeBy(n)
		b.depend(n)
	}
	for _, n := range b.graph.Nodes {
		slices.SortFunc(n.Connections, func(x, y Edge) int {
			return cmp.Or(cmp.Compare(x.direction(), y.direction()), cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.ID, y.ID))
		})
		n.DiffHash = b.hash(n)
	}
	return b.graph
}

func (b *builder) add(r *expand.Resource) {
	if containers[strings.ToLower(r.Type)] {
		return
	}
	name := nameOf(r)
	if name == "" {
		return
	}
	n := &Node{Name: name, Type: r.Type, ID: b.idFor(r, name),
		Existing: r.Existing, Conditional: r.Condition != nil, Symbol: r.Symbol, Module: r.Module.Path(), resource: r}
	if old := b.byID[strings.ToLower(n.ID)]; old != nil {
		b.of[r] = old // deployed twice, or in one module and referred to in another
		if old.Existing && !r.Existing {
			old.Existing, old.resource, old.Properties = false, r, properties(r)
		}
		return
	}
	n.Properties = properties(r)
	b.of[r] = n
	b.insert(n)
}

func (b *builder) insert(n *Node) {
	b.byID[strings.ToLower(n.ID)] = n
	b.graph.Nodes = append(b.graph.Nodes, n)
}

func (b *builder) addModule(m *expand.Module) {
	name := cmp.Or(expand.Text(m.Name), m.Symbol)
	n := &Node{Name: name, Type: "Microsoft.Resources/deployments",
		Conditional: m.Condition != nil, Symbol: m.Symbol, Module: m.Parent.Path(), module: m}
	n.ID = b.id(n.Type, name)
	if old := b.byID[strings.ToLower(n.ID)]; old != nil {
		b.ofMod[m] = old
		return
	}
	b.ofMod[m] = n
	b.insert(n)
}

// idFor returns the ID of a node. That of an object of Kubernetes which a recipe makes is as Radius writes it.
func (b *builder) idFor(r *expand.Resource, name string) string {
	switch {
	case r.Maker == nil:
	case r.NotKnown != "":
		return b.idOf(r.Maker) + "/" + r.Type
	case r.IsKubernetes():
		scope := "/planes/kubernetes/local"
		if r.Scope != nil {
			scope += "/namespaces/" + expand.Text(r.Scope)
		}
		return scope + "/providers/" + r.Type + "/" + name
	}
	return b.id(r.Type, name)
}

func (b *builder) id(kind, name string) string { return b.scope + "/providers/" + kind + "/" + name }

// nameOf returns the name of a resource as the graph shows it. An unknown name is an
// expression; a resource without one has the name of its symbol.
func nameOf(r *expand.Resource) string {
	switch {
	case r.NotKnown != "":
		return "not known"
	case r.Name == nil:
		return r.Symbol
	}
	return expand.Text(r.Name)
}

// connect adds the connections that a resource declares, to both ends.
func (b *builder) connect(n *Node) {
	if n.resource == nil {
		return
	}
	connections := n.resource.Body.Object("properties").Object("connections")
	if connections == nil {
		return
	}
	seen := map[string]bool{}
	for _, v := range connections.All() {
		o, ok := v.(*armjson.Object)
		if !ok {
			continue
		}
		source, _ := o.Get("source")
		id := b.target(source)
		if id == "" || seen[strings.ToLower(id)] {
			continue
		}
		seen[strings.ToLower(id)] = true
		other := b.byID[strings.ToLower(id)]
		if other != nil {
			id = other.ID
		}
		n.Connections = append(n.Connections, Edge{ID: id, Outbound: true, Kind: Connection})
		if other != nil {
			other.Connections = append(other.Connections, Edge{ID: n.ID, Kind: Connection})
		}
	}
}

// target returns the ID of what a connection's source refers to, or "".
func (b *builder) target(v expand.Value) string {
	if v == nil || expand.IsSecure(v) {
		return ""
	}
	if r, _, _ := expand.Read(v); r != nil {
		return b.idOf(r)
	}
	if s, ok := expand.Known(v); ok {
		i := strings.LastIndex(strings.ToLower(s), "/providers/")
		if !strings.HasPrefix(s, "/") || i < 0 {
			return ""
		}
		return b.fromSegments(strings.Split(s[i+len("/providers/"):], "/"))
	}
	u, ok := v.(*eval.Unknown)
	if !ok {
		return ""
	}
	if c, ok := u.Expr.(*armexpr.Call); ok && len(c.Access) == 0 && strings.EqualFold(c.Name, "resourceId") {
		if id := b.fromCall(c); id != "" {
			return id
		}
	}
	if list := expand.References(v); len(list) == 1 {
		return b.idOf(list[0])
	}
	return ""
}

// idOf returns the ID of a resource in the graph, also of one that is not a node.
func (b *builder) idOf(r *expand.Resource) string {
	if n := b.of[r]; n != nil {
		return n.ID
	}
	return b.id(r.Type, nameOf(r))
}

// fromSegments reads NAMESPACE/TYPE/NAME[/TYPE/NAME…].
func (b *builder) fromSegments(parts []string) string {
	if len(parts) < 3 || len(parts)%2 == 0 {
		return ""
	}
	kind, name := []string{parts[0]}, []string{}
	for i := 1; i < len(parts); i += 2 {
		kind, name = append(kind, parts[i]), append(name, parts[i+1])
	}
	return b.id(strings.Join(kind, "/"), strings.Join(name, "/"))
}

// fromCall reads resourceId('TYPE', 'NAME', …).
func (b *builder) fromCall(c *armexpr.Call) string {
	var kind string
	var name []string
	for _, a := range c.Args {
		s, ok := a.(armexpr.Str)
		switch {
		case kind == "" && ok && strings.Contains(string(s), "/"):
			kind = string(s)
		case kind == "":
		case !ok:
			return ""
		default:
			name = append(name, string(s))
		}
	}
	if kind == "" || len(name) == 0 {
		return ""
	}
	return b.id(kind, strings.Join(name, "/"))
}

// madeBy adds the resource whose recipe makes a node.
func (b *builder) madeBy(n *Node) {
	if n.resource == nil || n.resource.Maker == nil {
		return
	}
	if maker := b.of[n.resource.Maker]; maker != nil {
		maker.Connections = append(maker.Connections, Edge{ID: n.ID, Outbound: true, Kind: Recipe})
		n.Connections = append(n.Connections, Edge{ID: maker.ID, Kind: Recipe})
	}
}

// depend adds what a node is deployed after, unless a connection says it already.
func (b *builder) depend(n *Node) {
	var list []expand.Dependency
	if n.resource != nil {
		list = n.resource.Dependencies
	} else {
		list = n.module.Dependencies
	}
	seen := map[string]bool{}
	for _, e := range n.Connections {
		if e.Outbound {
			seen[strings.ToLower(e.ID)] = true
		}
	}
	for _, d := range list {
		other := b.ofMod[d.Module]
		if d.Resource != nil {
			other = b.of[d.Resource]
		}
		if other == nil || other == n || seen[strings.ToLower(other.ID)] {
			continue
		}
		seen[strings.ToLower(other.ID)] = true
		n.Connections = append(n.Connections, Edge{ID: other.ID, Outbound: true, Kind: Dependency})
		other.Connections = append(other.Connections, Edge{ID: n.ID, Kind: Dependency})
	}
}

// hash returns a digest of what the program says of a node.
func (b *builder) hash(n *Node) string {
	var properties armjson.Value = armjson.NewObject()
	if n.resource != nil {
		if p := n.resource.Body.Object("properties"); p != nil {
			out := armjson.NewObject()
			for k, v := range p.All() {
				if k != "provisioningState" && k != "status" {
					out.Set(k, expand.Printable(v))
				}
			}
			properties = armjson.Sorted(out)
		}
	}
	var needs []string
	for _, e := range n.Connections {
		if e.Outbound && e.Kind != Recipe {
			needs = append(needs, strings.ToLower(e.ID))
		}
	}
	slices.Sort(needs)
	sum := sha256.Sum256([]byte(armjson.Text(properties) + "\n" + strings.Join(needs, "\n")))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// elsewhere holds the properties that the graph has as members of its own, or that
// hold what only a deployment computes.
var elsewhere = map[string]bool{"provisioningState": true, "connections": true, "status": true}

// sensitive holds names under which secrets are kept, in lower case.
var sensitive = map[string]bool{
	"password": true, "connectionstring": true, "apikey": true, "secret": true, "token": true, "privatekey": true, "sastoken": true,
}

// properties returns the properties of a resource without what is secret.
func properties(r *expand.Resource) *armjson.Object {
	p := r.Body.Object("properties")
	if p == nil {
		return nil
	}
	out := armjson.NewObject()
	for k, v := range p.All() {
		if !elsewhere[k] {
			out.Set(k, redacted(k, v))
		}
	}
	if strings.EqualFold(r.Type, "Radius.Compute/containers") {
		// Values in the environment of containers are not shown.
		if list := out.Object("containers"); list != nil {
			for _, v := range list.All() {
				if c, ok := v.(*armjson.Object); ok {
					c.Delete("env")
				}
			}
		}
	}
	if out.Len() == 0 {
		return nil
	}
	return out
}

// redacted returns a copy of a value in which null stands for what is secure by its
// mark or by its name.
func redacted(name string, v expand.Value) armjson.Value {
	if sensitive[strings.ToLower(name)] {
		return armjson.Null{}
	}
	switch v := v.(type) {
	case expand.Unknown:
		if v.IsSecure() {
			return armjson.Null{}
		}
	case armjson.Array, *armjson.Object:
		return armjson.WithParts(v, redacted)
	}
	return expand.Printable(v)
}

// JSON returns the graph in the shape of Radius' ApplicationGraphResponse.
func (g *Graph) JSON() *armjson.Object {
	nodes := make(armjson.Array, len(g.Nodes))
	by := map[string]*Node{}
	for _, n := range g.Nodes {
		by[n.ID] = n
	}
	for i, n := range g.Nodes {
		made := armjson.Array{}
		edges := make(armjson.Array, len(n.Connections))
		for j, e := range n.Connections {
			edges[j] = texts("direction", e.direction(), "id", e.ID, "kind", string(e.Kind))
			if e.Kind == Recipe && e.Outbound {
				made = append(made, texts("id", e.ID, "name", by[e.ID].Name, "type", by[e.ID].Type))
			}
		}
		o := armjson.NewObject(armjson.Member{Key: "connections", Value: edges})
		for k, v := range texts("diffHash", n.DiffHash, "id", n.ID, "name", n.Name).All() {
			o.Set(k, v)
		}
		o.Set("outputResources", made)
		if n.Properties != nil {
			o.Set("properties", n.Properties)
		}
		o.Set("provisioningState", armjson.String("NotSpecified"))
		o.Set("type", armjson.String(n.Type))
		nodes[i] = o
	}
	return armjson.NewObject(armjson.Member{Key: "resources", Value: nodes})
}

func texts(pairs ...string) *armjson.Object {
	o := armjson.NewObject()
	for i := 0; i < len(pairs); i += 2 {
		o.Set(pairs[i], armjson.String(pairs[i+1]))
	}
	return o
}
