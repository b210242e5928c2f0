//go:build race

package main

// A process that detects races starts a hundred times slower.
const raceEnabled = true
