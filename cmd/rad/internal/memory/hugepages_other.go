//go:build !linux

package memory

func useHugePages() {}
