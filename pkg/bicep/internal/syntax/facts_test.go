package syntax_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/syntax"
)

func TestFactsStayWhereTheyAre(t *testing.T) {
	t.Parallel()
	tree := parse(t, everyForm, false)
	facts := syntax.NewNodeMap[syntax.ID](tree)
	made := map[syntax.ID]*syntax.ID{}
	for id := range syntax.ID(tree.NodeCount()) {
		if id%3 == 0 {
			made[id] = facts.GetOrAdd(id)
			*made[id] = id
		}
	}
	require.GreaterOrEqual(t, len(made), 60, "only")
	for id := range syntax.ID(tree.NodeCount()) {
		switch f := facts.Get(id); {
		case f != made[id]:
			t.Errorf("the fact about node %d is at %p, want %p", id, f, made[id])
		case f != nil && (*f != id || facts.GetOrAdd(id) != f):
			t.Errorf("the fact about node %d is %d", id, *f)
		}
	}
}
