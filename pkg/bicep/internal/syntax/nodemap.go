package syntax

// NodeMap holds values for some of a file's nodes. A node without a value costs
// four bytes.
type NodeMap[T any] struct {
	places []uint32 // by node: the index of its value, from 1; 0 if it has none
	pages  [][]T
	next   uint32
}

const valuesPerPage = 64

// NewNodeMap returns an empty map for the nodes of a file.
func NewNodeMap[T any](f *File) NodeMap[T] { return NodeMap[T]{places: make([]uint32, f.NodeCount())} }

// Get returns the value of a node, or nil if it has none.
func (x *NodeMap[T]) Get(id ID) *T {
	place := x.places[id]
	if place == 0 {
		return nil
	}
	place--
	return &x.pages[place/valuesPerPage][place%valuesPerPage]
}

// GetOrAdd returns the value of a node. If it has none, it gets the zero value of T.
// The pointer stays valid.
func (x *NodeMap[T]) GetOrAdd(id ID) *T {
	if x.places[id] == 0 {
		if x.next%valuesPerPage == 0 {
			x.pages = append(x.pages, make([]T, valuesPerPage))
		}
		x.next++
		x.places[id] = x.next
	}
	return x.Get(id)
}
