//go:build race

package bicep_test

const raceEnabled = true
