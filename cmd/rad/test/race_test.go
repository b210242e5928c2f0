//go:build race

package test

// A process that detects races starts a hundred times slower.
const raceEnabled = true
