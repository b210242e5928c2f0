package narrow

import (
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
	"github.com/radbicep/rad/pkg/bicep/internal/types"
)

// visited remembers what was checked, so that types that contain themselves do not
// lead to endless recursion, and variables that are used often are checked once.
type visited struct {
	top    narrower
	checks []nodeCheck
	table  []int32                         // a hash table of nodes: the index of a node's first check, from 1
	pairs  map[visitedNode][][2]types.Type // actual and target, of nodes that are checked more than once
	clean  map[variableUse]types.Type      // the uses in which nothing was wrong
	lists  map[listCheck]types.Type        // what was found of lists in which nothing was wrong; nil while they are checked
	sink   diag.Sink                       // where the check reports to
	count  diag.Sink                       // counts, and reports to sink
	proofs []provenPair                    // of pairs that fit if nothing is wrong
	said   int                             // how often something was reported, also in trials
}

// newVisited returns memory for checks.
func newVisited() *visited {
	s := &visited{}
	s.count = func(d diag.Diagnostic) {
		s.said++
		s.sink(d)
	}
	return s
}

// nodeCheck is the first check of a node.
type nodeCheck struct {
	x              syntax.Node
	actual, target types.Type
	repeated       bool // all checks of the node are in pairs
}

// visitedNode is a node, and the fingerprints of the type of its value and of the expected one.
type visitedNode struct {
	x              syntax.Node
	actual, target uint64
}

// listCheck is the check of a list of which only the type is known.
type listCheck struct {
	x                         syntax.Node
	actual, target            types.Type
	skip, disallow, resources bool
}

// variableUse is the check of a variable's value against a type.
type variableUse struct {
	value                             syntax.Node
	actual                            types.Type
	target                            types.Ref
	itemOnly                          bool // target is the item type of an array without limits
	errors, skip, disallow, resources bool
}

// add records a check of a node. It returns false if it was recorded before.
func (s *visited) add(x syntax.Node, actual, target types.Type) bool {
	place := s.find(x)
	if *place == 0 {
		s.checks = append(s.checks, nodeCheck{x: x, actual: actual, target: target})
		*place = int32(len(s.checks))
		return true
	}
	if first := &s.checks[*place-1]; !first.repeated {
		if types.Equal(first.actual, actual) && types.Equal(first.target, target) {
			return false
		}
		first.repeated = true
		s.addPair(x, first.actual, first.target)
	}
	return s.addPair(x, actual, target)
}

func (s *visited) addPair(x syntax.Node, actual, target types.Type) bool {
	key := visitedNode{x, types.ShortFingerprint(actual), types.ShortFingerprint(target)}
	for _, p := range s.pairs[key] {
		if types.Equal(p[0], actual) && types.Equal(p[1], target) {
			return false
		}
	}
	if s.pairs == nil {
		s.pairs = map[visitedNode][][2]types.Type{}
	}
	s.pairs[key] = append(s.pairs[key], [2]types.Type{actual, target})
	return true
}

const smallTable = 64

// find returns the place of a node in the table.
func (s *visited) find(x syntax.Node) *int32 {
	if 2*len(s.checks) >= len(s.table) {
		s.table = make([]int32, max(2*len(s.table), smallTable))
		for i := range s.checks {
			*s.place(s.checks[i].x) = int32(i + 1)
		}
	}
	return s.place(x)
}

func (s *visited) place(x syntax.Node) *int32 {
	mask := uint32(len(s.table) - 1)
	for i := uint32(x.ID()) * 0x9E3779B1 >> 7; ; i++ {
		if p := &s.table[i&mask]; *p == 0 || s.checks[*p-1].x == x {
			return p
		}
	}
}

// reset removes all recorded checks.
func (s *visited) reset() {
	if len(s.table) > smallTable {
		s.table, s.checks = nil, nil
	}
	clear(s.table)
	s.checks = s.checks[:0]
	s.pairs, s.clean, s.lists, s.sink, s.proofs = nil, nil, nil, nil, nil
}

// begin returns memory for a check.
func (k *Checker) begin() *visited {
	if last := len(k.free) - 1; last >= 0 {
		s := k.free[last]
		k.free = k.free[:last]
		return s
	}
	return newVisited()
}

// end takes back the memory of a check, unless types that are found later need it.
func (k *Checker) end(s *visited) {
	if !s.top.kept {
		s.reset()
		k.free = append(k.free, s)
	}
}

// trial narrows, and keeps what is reported until it is known whether it counts.
type trial struct {
	narrower
	seen     *visited
	warnings []diag.Diagnostic
	errors   []diag.Diagnostic
}

func (t *trial) add(d diag.Diagnostic) {
	t.seen.said++
	if d.Severity == diag.Error {
		t.errors = append(t.errors, d)
	} else {
		t.warnings = append(t.warnings, d)
	}
}

// try begins a trial.
func (n *narrower) try(seen *visited) *trial {
	k := n.Checker
	var t *trial
	if last := len(k.trials) - 1; last >= 0 {
		t = k.trials[last]
		k.trials = k.trials[:last]
	} else {
		t = &trial{}
		t.report = t.add
	}
	t.Checker, t.outer, t.seen = k, n, seen
	return t
}

// end ends a trial and returns its result.
func (t *trial) end(member, narrowed types.Type) candidate {
	r := candidate{member, narrowed, t.warnings, t.errors}
	t.warnings, t.errors = nil, nil
	if !t.kept {
		k := t.Checker
		t.narrower, t.seen = narrower{report: t.report}, nil
		k.trials = append(k.trials, t)
	}
	return r
}
