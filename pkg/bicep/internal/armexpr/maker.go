package armexpr

import (
	"github.com/radbicep/rad/pkg/bicep/internal/arena"
	"github.com/radbicep/rad/pkg/bicep/internal/memo"
)

// Maker makes expressions as the functions of this package do, with fewer allocations. Its
// zero value is ready for use.
type Maker struct {
	calls   arena.Scratch[Call]
	lists   arena.Scratch[Expr]
	strings map[string]Expr
	named   map[[2]string]*Call
}

// Reset gives up the calls and the lists that have been made, but not what the Maker keeps.
// Their memory is used again.
func (m *Maker) Reset() {
	m.calls.Reset()
	m.lists.Reset()
}

// Str returns a string literal. It is for names that are used often: the Maker keeps it.
func (m *Maker) Str(s string) Expr {
	return memo.In(&m.strings, s, func() Expr { return Str(s) })
}

// Fn returns a call. The arguments are copied.
func (m *Maker) Fn(name string, args ...Expr) *Call {
	return m.Call(name, m.lists.List(args))
}

// Call is Fn for a list of arguments, which becomes the call's.
func (m *Maker) Call(name string, args []Expr) *Call {
	return m.calls.New(Call{Name: name, Args: args})
}

// Named returns the call of a function on a name, as in parameters('name'). The Maker
// keeps it.
func (m *Maker) Named(function, name string) *Call {
	return memo.In(&m.named, [2]string{function, name}, func() *Call { return Fn(function, Str(name)) })
}

// List returns an empty list with room for n expressions.
func (m *Maker) List(n int) []Expr { return m.lists.Make(n)[:0] }

// Access returns base with further accesses made on it.
func (m *Maker) Access(base Expr, keys ...Expr) *Call {
	c := m.calls.New(*AsCall(base))
	list := m.lists.Make(len(c.Access) + len(keys))
	copy(list[copy(list, c.Access):], keys)
	c.Access = list
	return c
}
