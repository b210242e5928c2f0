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
	lists  map[listCheck]bool              // those that are being checked
}

// nodeCheck is the first check of a node.
type nodeCheck struct {
	x              syntax.Node
	actual, target types.Type
	repeated       bool // all checks of the node are in pairs
}

// visitedNode is a node, and the digest of the type of its value.
type visitedNode struct {
	x      syntax.Node
	actual any
}

// listCheck is the check of a list of which only the type is known.
type listCheck struct {
	x              syntax.Node
	actual, target types.Type
}

// variableUse is the check of a variable's value against a type.
type variableUse struct {
	value                     syntax.Node
	actual                    types.Type
	target                    types.Ref
	itemOnly                  bool // target is the item type of an array without limits
	skip, disallow, resources bool
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
	key := visitedNode{x, types.Digest(actual)}
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
	s.pairs, s.clean, s.lists = nil, nil, nil
}

// begin returns memory for a check.
func (k *Checker) begin() *visited {
	if last := len(k.free) - 1; last >= 0 {
		s := k.free[last]
		k.free = k.free[:last]
		return s
	}
	return &visited{}
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
	warnings []diag.Diagnostic
	errors   []diag.Diagnostic
}

func (t *trial) add(d diag.Diagnostic) {
	if d.Severity == diag.Error {
		t.errors = append(t.errors, d)
	} else {
		t.warnings = append(t.warnings, d)
	}
}

// try begins a trial.
func (n *narrower) try() *trial {
	k := n.Checker
	var t *trial
	if last := len(k.trials) - 1; last >= 0 {
		t = k.trials[last]
		k.trials = k.trials[:last]
	} else {
		t = &trial{}
		t.report = t.add
	}
	t.Checker, t.outer = k, n
	return t
}

// end ends a trial and returns its result.
func (t *trial) end(member, narrowed types.Type) candidate {
	r := candidate{member, narrowed, t.warnings, t.errors}
	t.warnings, t.errors = nil, nil
	if !t.kept {
		k := t.Checker
		t.narrower = narrower{report: t.report}
		k.trials = append(k.trials, t)
	}
	return r
}
