//go:build !linux || race

package memory

func useHugePages() {}
