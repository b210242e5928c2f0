package controller

import (
	"os"
	"runtime/debug"
	"testing"
)

// The simulated API server makes much garbage and keeps little, so that collecting it takes a third of the processor's time.
func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(800)
	}
	os.Exit(m.Run())
}
