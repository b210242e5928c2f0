package spell_test

import (
	"testing"

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
		if got := spell.Nearest(word, words); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
}
