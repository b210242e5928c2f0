package aztypes

// NodeID is the number of a type that resource types are made of.
type NodeID int32

// None is the number of no type.
const None NodeID = -1

// Kind is the kind of a type.
type Kind uint8

const (
	Any Kind = iota
	Null
	Bool
	Int
	String
	Literal
	Array
	Union
	Object
	Discriminated
	SelfType    // in a resource's body: the literal that is the resource's type …
	SelfVersion // … or its version
)

// Flags in the first byte of a node, beside its kind.
const (
	KindMask  = 1<<4 - 1
	Sensitive = 1 << 4
	HasMin    = 1 << 5
	HasMax    = 1 << 6
	HasMore   = 1 << 7
)

// The steps of a list of properties.
const (
	StepCopy   = 1
	StepSkip   = 3
	StepInline = 7
)

// Node is a type.
type Node struct {
	Kind      Kind
	Sensitive bool
	Min, Max  *int64

	Name          string // of an object; the value of a literal
	Pattern       string // of a string
	Discriminator string

	Properties []Property // of an object; those that all members of a discriminated one have
	Keys       []string   // of the members of a discriminated object
	Members    []NodeID   // of a union, or of a discriminated object
	Literals   []string   // the members of a union of literals
	// Item is the type of an array's items, or that of an object's properties that
	// are not named.
	Item NodeID
}

// Property is a property of an object.
type Property struct {
	Name  string
	Type  NodeID
	Flags uint8
}

// The flags of a property.
const (
	Required = 1 << iota
	ReadOnly
	WriteOnly
	DeployTimeConstant
)

// reference reads a reference in node from.
func (l *Library) reference(r *input, from NodeID) NodeID {
	x := r.uv()
	if x&1 == 0 {
		return NodeID(x >> 1)
	}
	x >>= 1
	return from + NodeID(int32(x>>1)^-int32(x&1))
}

// Node returns the type with a number.
func (l *Library) Node(id NodeID) Node {
	r := input{s: l.item(Nodes, NodeAt, int(id))}
	head := r.s[0]
	r.i++
	n := Node{Kind: Kind(head & KindMask), Sensitive: head&Sensitive != 0, Item: None}
	if head&HasMin != 0 {
		v := r.zz()
		n.Min = &v
	}
	if head&HasMax != 0 {
		v := r.zz()
		n.Max = &v
	}
	more := head&HasMore != 0
	switch n.Kind {
	case String:
		if more {
			n.Pattern = l.str(r.uv())
		}
	case Literal:
		n.Name = l.str(r.uv())
	case Array:
		n.Item = l.reference(&r, id)
	case Union:
		count := r.count()
		if more {
			n.Literals = make([]string, count)
			for i := range n.Literals {
				n.Literals[i] = l.str(r.uv())
			}
			break
		}
		n.Members = make([]NodeID, count)
		for i := range n.Members {
			n.Members[i] = l.reference(&r, id)
		}
	case Object:
		n.Name = l.str(r.uv())
		n.Properties = l.properties(&r, id)
		if more {
			n.Item = l.reference(&r, id)
		}
	case Discriminated:
		n.Name = l.str(r.uv())
		n.Discriminator = l.str(r.uv())
		n.Properties = l.properties(&r, id)
		count := r.count()
		n.Keys, n.Members = make([]string, count), make([]NodeID, count)
		for i := range n.Keys {
			n.Keys[i] = l.str(r.uv())
			n.Members[i] = l.reference(&r, id)
		}
	}
	return n
}

func (l *Library) properties(r *input, id NodeID) []Property {
	var buf [64]listed
	list := l.list(buf[:0], r, id, true)
	out := make([]Property, len(list))
	for i, p := range list {
		out[i] = Property{l.str(int(p.name)), p.node, p.flags}
	}
	return out
}

// listed is a property whose name is not looked up yet.
type listed struct {
	name  int32
	node  NodeID
	flags uint8
}

// list appends the properties of a list. One that is a change of another takes
// copies from it; the other is itself no change of a third.
func (l *Library) list(out []listed, r *input, id NodeID, change bool) []listed {
	steps := r.uv()
	var base []listed
	if steps&1 != 0 && change {
		from := l.reference(r, id)
		var buf [64]listed
		base = l.list(buf[:0], l.listOf(from), from, false)
	}
	for steps >>= 1; steps > 0; steps-- {
		x := r.uv()
		switch {
		case x&1 == 0:
			at := x >> 1 * 6
			nf := u24(l.section[Props], at)
			out = append(out, listed{int32(nf & (1<<20 - 1)), NodeID(u24(l.section[Props], at+3)), uint8(nf >> 20)})
		case x&7 == StepCopy:
			out = append(out, base[:x>>3]...)
			base = base[x>>3:]
		case x&7 == StepSkip:
			base = base[x>>3:]
		default:
			name := r.uv()
			out = append(out, listed{int32(name), l.reference(r, id), uint8(x >> 3)})
		}
	}
	return out
}

// listOf returns where the list of an object's properties begins.
func (l *Library) listOf(id NodeID) *input {
	r := &input{s: l.item(Nodes, NodeAt, int(id))}
	head := r.s[0]
	r.i++
	if head&HasMin != 0 {
		r.zz()
	}
	if head&HasMax != 0 {
		r.zz()
	}
	r.uv()
	if Kind(head&KindMask) == Discriminated {
		r.uv()
	}
	return r
}
