package graph

import (
	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Options say where a program's files come from.
type Options struct {
	FS source.FS // of the program's own files

	// Cache is where restored artifacts are read from; nil stands for the disk,
	// since the cache lies outside of any project.
	Cache source.FS

	// Configs finds configurations; nil stands for one that reads from FS.
	Configs *config.Loader

	// TrustedRegistries is the value of BICEP_TRUSTED_REGISTRIES.
	TrustedRegistries string

	// Overlay holds texts that replace those of files, by absolute path. The
	// entry of a program that was changed in memory goes here.
	Overlay map[string]string
}
