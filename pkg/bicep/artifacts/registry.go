package artifacts

import (
	"runtime/debug"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/internal/cache"
	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/internal/registry"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// client returns a client of registries. The configuration is that of an entry file.
func client(a bicep.Artifacts, c *config.Config) *registry.Client {
	return registry.New(registry.Options{Mirrors: a.Mirrors, TokenServers: a.TokenServers,
		UserAgent: registry.UserAgent, Credentials: c.Credentials})
}

// reader returns a reader of the artifacts of programs that share a lock file.
func reader(a bicep.Artifacts, fsys source.FS, root string, lockPath func() string) *cache.Reader {
	r := &cache.Reader{Project: fsys, Trusted: a.Trusted, Root: root, User: a.Cache, LockPath: lockPath, BuiltIn: cache.BuiltIn(a.BuiltIn)}
	r.SetVendor(a.Vendor)
	return r
}

// progress returns what registries call for each artifact, or nil.
func progress(a bicep.Artifacts) func(registry.Progress) {
	if a.Progress == nil {
		return nil
	}
	return func(p registry.Progress) { a.Progress(bicep.Progress(p)) }
}

// contain turns a panic into an error, as compiling does.
func contain(file string, err *error) {
	if fault := recover(); fault != nil {
		*err = &bicep.InternalError{File: file, Fault: fault, Stack: debug.Stack()}
	}
}
