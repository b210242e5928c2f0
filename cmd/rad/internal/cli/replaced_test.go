package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/radbicep/rad/pkg/bicep"
)

// With --watch, the notice on built-in types is not repeated after each change.
func TestReplacedTypesAreSaidOnce(t *testing.T) {
	t.Parallel()
	var stderr bytes.Buffer
	a := &App{Stderr: &stderr}
	latest := bicep.Replaced{Reference: "br:biceptypes.azurecr.io/radius:latest", Release: "0.60"}
	for range 2 {
		a.replaced.add(&bicep.Result{Replaced: []bicep.Replaced{latest}})
		a.SayTypes()
	}
	assert.Equal(t, 1, strings.Count(stderr.String(), "Notice: "))
	a.replaced.add(&bicep.Result{Replaced: []bicep.Replaced{latest, {Reference: "br:biceptypes.azurecr.io/aws:0.61", Release: "0.60", Unknown: true}}})
	a.SayTypes()
	assert.Equal(t, 2, strings.Count(stderr.String(), "Notice: "))
	assert.Contains(t, stderr.String(), "since the release of br:biceptypes.azurecr.io/aws:0.61 is not built in")
}
