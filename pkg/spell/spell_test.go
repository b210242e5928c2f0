package spell_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/radbicep/rad/pkg/spell"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	words := []string{"port", "tag", "environment", "application", "replicaCount", "io"}
	for word, want := range map[string]string{
		"prot":         "port",
		"tags":         "tag",
		"enviroment":   "environment",
		"Environment":  "environment",
		"replicacount": "replicaCount",
		"database":     "",
		"x":            "",
		"oi":           "io", // neighbours that changed places
		"port":         "",
	} {
		assert.Equal(t, want, spell.Nearest(word, words), "Nearest(%q)", word)
	}
}
