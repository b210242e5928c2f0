package controller

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/controller/internal/radius"
)

// The text of a progress names what runs, and changes seldom while nothing ends: each change is written to the object.
func TestProgressText(t *testing.T) {
	var e remembered
	p := e.progressOf(stateWith(operation("h", opToken)).status.Operation)
	require.Empty(t, p.text(start, 3))
	require.Zero(t, p.delay(start))
	p.see([]radius.Step{{ID: webID, State: radius.Running}, {ID: scope + "/providers/Microsoft.Resources/deployments/m", State: radius.Running}}, start)
	require.Equal(t, "0 of 3 made; makes containers/web", p.text(start.Add(9*time.Second), 3))
	require.Equal(t, "0 of 3 made; makes containers/web since 40 s", p.text(start.Add(49*time.Second), 3))
	require.Equal(t, "0 made; makes containers/web since 2 min", p.text(start.Add(179*time.Second), 0))
	require.Equal(t, stepsDelay, p.delay(start.Add(time.Minute)))
	require.Zero(t, p.delay(start.Add(3*time.Minute)), "polls become rare")

	ended := p.see([]radius.Step{{ID: webID, State: radius.Succeeded}, {ID: envID, State: radius.Running}}, start.Add(3*time.Minute))
	require.Len(t, ended, 1)
	require.Equal(t, "containers/web is made", stepNotes(ended)[0].message)
	require.Equal(t, "1 of 2 made; makes environments/env", p.text(start.Add(3*time.Minute), 1), "more than the template names")
	require.Empty(t, p.see([]radius.Step{{ID: webID, State: radius.Succeeded}}, start.Add(4*time.Minute)), "a step ends once")
	require.Equal(t, []string{envID}, p.without([]child{{id: webID}}))
	require.NotSame(t, p, e.progressOf(stateWith(operation("other", opToken)).status.Operation), "another operation begins afresh")
}
