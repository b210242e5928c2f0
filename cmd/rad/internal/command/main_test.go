package command

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	// What the tests find does not depend on what the developer has imported.
	if _, set := os.LookupEnv("RAD_BICEP_AZ_TYPES"); !set {
		os.Setenv("RAD_BICEP_AZ_TYPES", "none")
	}
	os.Exit(m.Run())
}
