package syntax

// NodeMap holds values for some of a file's nodes. A node without a value costs four
// bytes, or next to nothing where none of those around it has one.
type NodeMap[T any] struct {
	places []*[nodesPerPage]uint32 // by node: the index of its value, from 1; 0 if it has none
	pages  [][]T
	next   uint32
}

const (
	nodesPerPage  = 256
	valuesPerPage = 64
)

// NewNodeMap returns an empty map for the nodes of a file.
func NewNodeMap[T any](f *File) NodeMap[T] {
	return NodeMap[T]{places: make([]*[nodesPerPage]uint32, f.NodeCount()/nodesPerPage+1)}
}

// Get returns the value of a node, or nil if it has none.
func (x *NodeMap[T]) Get(id ID) *T {
	page := x.places[id/nodesPerPage]
	if page == nil {
		return nil
	}
	place := page[id%nodesPerPage]
	if place == 0 {
		return nil
	}
	place--
	return &x.pages[place/valuesPerPage][place%valuesPerPage]
}

// GetOrAdd returns the value of a node. If it has none, it gets the zero value of T.
// The pointer stays valid.
func (x *NodeMap[T]) GetOrAdd(id ID) *T {
	page := x.places[id/nodesPerPage]
	if page == nil {
		page = new([nodesPerPage]uint32)
		x.places[id/nodesPerPage] = page
	}
	place := &page[id%nodesPerPage]
	if *place == 0 {
		if x.next%valuesPerPage == 0 {
			x.pages = append(x.pages, make([]T, valuesPerPage))
		}
		x.next++
		*place = x.next
	}
	return &x.pages[(*place-1)/valuesPerPage][(*place-1)%valuesPerPage]
}
