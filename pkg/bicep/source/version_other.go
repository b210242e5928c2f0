//go:build !linux && !darwin

package source

import "io/fs"

const hasVersions = false

func versionOf(fs.FileInfo) Version { return Version{} }

func isLocalDisk(string) bool { return false }
