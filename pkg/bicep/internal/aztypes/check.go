package aztypes

import "fmt"

// Check reads all that is in a library. One that passes can be read without a fault.
func (l *Library) Check() (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%w: %v", ErrDamaged, fault)
		}
	}()
	seen := make(map[NodeID]bool)
	var todo []NodeID
	visit := func(id NodeID) {
		if id != None && !seen[id] {
			seen[id] = true
			todo = append(todo, id)
		}
	}
	found := 0
	for t := range l.Types() {
		for r := range l.Versions(t) {
			found++
			visit(r.Body)
			for _, f := range r.Functions {
				visit(f.Output)
				visit(f.Input)
			}
		}
	}
	for len(todo) > 0 {
		n := l.Node(todo[len(todo)-1])
		todo = todo[:len(todo)-1]
		for _, p := range n.Properties {
			visit(p.Type)
		}
		for _, m := range n.Members {
			visit(m)
		}
		visit(n.Item)
	}
	if found != l.Len() {
		return ErrDamaged
	}
	return nil
}
