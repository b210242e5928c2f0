package syntax

// Facts are what is known of some of a file's nodes. They take room for the nodes
// that have one, and four bytes for each of the others: most nodes are names.
type Facts[T any] struct {
	places []uint32 // of the nodes' facts in pages, from 1; 0 if there is none
	pages  [][]T
	next   uint32
}

const factsOfPage = 64

// FactsOf returns room for facts about the nodes of a file.
func FactsOf[T any](f *File) Facts[T] { return Facts[T]{places: make([]uint32, f.NodeCount())} }

// Get returns the fact about a node, or nil if there is none.
func (x *Facts[T]) Get(id ID) *T {
	place := x.places[id]
	if place == 0 {
		return nil
	}
	place--
	return &x.pages[place/factsOfPage][place%factsOfPage]
}

// Make returns the fact about a node, which is T's zero value at first. It stays
// where it is.
func (x *Facts[T]) Make(id ID) *T {
	if x.places[id] == 0 {
		if x.next%factsOfPage == 0 {
			x.pages = append(x.pages, make([]T, factsOfPage))
		}
		x.next++
		x.places[id] = x.next
	}
	return x.Get(id)
}
