package narrow

import (
	"maps"

	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// # Types that contain themselves
//
// Two types that contain themselves in rings of n and n+1 steps meet in n*(n+1) pairs, and a file can have such values
// as often as it has lines:
//
//	type t0 = { a: t1? }   type t1 = { a: t0? }
//	type u0 = { a: u1? }   type u1 = { a: u2? }   type u2 = { a: u0? }
//	param p t0
//	output o0 u0 = p
//	output o1 u1 = p
//
// Where only the types of a value say what its parts are, a check in which nothing was wrong says of each pair that it
// met that it fits, for all values (fitting). And the pairs that are compared in a file are counted (maxPairs).

// maxPairs is how many pairs of types the parts of the values of a file may be compared by. More than that is a
// finding: no file of 2,500 public programs has 512.
const maxPairs = 20_000

// typePair is the check of a part of which only the type is known.
type typePair struct {
	actual, target                        types.Type
	skipErrors, skip, disallow, resources bool
	implicitNull                          bool // as propertyType finds it
}

// provenPair is what a typePair was narrowed to.
type provenPair struct {
	pair typePair
	to   types.Type
}

// compare counts a pair of types that is compared.
func (k *Checker) compare() {
	if k.pairs++; k.pairs > maxPairs {
		panic(tooDeep{})
	}
}

// onlyTyped reports whether nothing but the type of a value tells what its parts are.
func (n *narrower) onlyTyped(x syntax.Node) bool {
	switch x := x.(type) {
	case *syntax.VarRef:
		return n.valueOf(x) == nil
	case *syntax.Local, *syntax.PropertyAccess, *syntax.Index, *syntax.NestedAccess, *syntax.Call, *syntax.InstanceCall:
		return !n.nodes.HasParseErrors(x)
	}
	return false
}

// fitting returns what a pair was narrowed to in an earlier check in which nothing was wrong, or nil.
func (k *Checker) fitting(p typePair) types.Type { return k.proven[p] }

// prove notes that a pair fits if nothing is wrong in the whole check that it is a part of: until then, pairs are
// taken to fit because they are compared already.
func (s *visited) prove(p typePair, to types.Type) { s.proofs = append(s.proofs, provenPair{p, to}) }

// learn keeps what a check has found for those that follow, if nothing was wrong.
func (k *Checker) learn(s *visited) {
	if s.said == 0 {
		if k.proven == nil && len(s.proofs) > 0 {
			k.proven = map[typePair]types.Type{}
		}
		for _, one := range s.proofs {
			k.proven[one.pair] = one.to
		}
		if k.clean == nil {
			k.clean, s.clean = s.clean, nil
		}
		maps.Copy(k.clean, s.clean)
	}
	s.proofs = nil
}
