package bicep

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/cache"
	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/lockfile"
	"github.com/radbicep/rad/pkg/bicep/internal/registry"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Artifacts says where modules and extensions of registries come from. All fields but Vendor
// and BuiltIn must come from the user, and not from a repository.
type Artifacts struct {
	// Offline forbids connections, whatever is missing.
	Offline bool
	// Vendor is a folder that holds artifacts, in the layout of the cache. It is
	// looked through first, and what it holds must be in the lock file.
	Vendor string
	// Cache is the folder of the cache that the user names, or "".
	Cache string
	// Trusted lists registries, separated by commas, beyond the well-known ones.
	Trusted string
	// Mirrors maps hosts to the mirrors, host[/prefix], from which content is fetched.
	Mirrors map[string]string
	// TokenServers are hosts that may be given the credentials of registries.
	TokenServers []string
	// Extensions replaces what bicepconfig.json says of extensions, by name.
	Extensions map[string]string
	// BuiltIn says when the types that this program has stand in for those that Radius publishes.
	BuiltIn BuiltIn
	// Progress is called for each artifact that was fetched. It may be nil.
	Progress func(Progress)
}

// BuiltIn says when built-in types stand in for an artifact.
type BuiltIn uint8

const (
	BuiltInWhenAbsent = BuiltIn(cache.WhenAbsent) // where it is neither in the cache nor in the lock file
	BuiltInNever      = BuiltIn(cache.Never)      // the artifact is needed
	BuiltInAlways     = BuiltIn(cache.Always)     // whether or not there is an artifact
)

// Progress tells how far fetching artifacts has come.
type Progress struct {
	Done, Total int
	Name        string // of the artifact that was fetched last
	Bytes       int64  // that it has
}

// progress returns what registries call for each artifact, or nil.
func (a Artifacts) progress() func(registry.Progress) {
	if a.Progress == nil {
		return nil
	}
	return func(p registry.Progress) { a.Progress(Progress(p)) }
}

// client returns a client of registries. The configuration is that of an entry file.
func (a Artifacts) client(c *config.Config) *registry.Client {
	return registry.New(registry.Options{Mirrors: a.Mirrors, TokenServers: a.TokenServers,
		UserAgent: registry.UserAgent, Credentials: c.Credentials})
}

// reader returns a reader of the artifacts of programs that share a lock file.
func (a Artifacts) reader(fsys source.FS, root string, lockPath func() string) *cache.Reader {
	r := &cache.Reader{Project: fsys, Trusted: a.Trusted, Root: root, User: a.Cache, LockPath: lockPath, BuiltIn: cache.BuiltIn(a.BuiltIn)}
	r.SetVendor(a.Vendor)
	return r
}

// loadProgram reads a program. Artifacts that it needs and the cache lacks are
// fetched, unless the request forbids it.
func loadProgram(ctx context.Context, path string, r Request, o graph.Options) (*graph.Program, error) {
	lockPath := func() string { return lockfile.Place(o.FS, path, r.Root) }
	o.Artifacts = r.Artifacts.reader(o.FS, r.Root, lockPath)
	o.Extensions = r.Artifacts.Extensions
	before := fetched.Load()
	program, err := graph.Load(ctx, path, o)
	if err != nil || r.NoRestore {
		return program, err
	}
	failed := map[string]*diag.Problem{}
	var jobs []*registry.Job
	for _, f := range o.Artifacts.All() {
		if f.State != cache.Missing && f.State != cache.Stale {
			continue
		}
		if f.Reference.Scheme != artifact.OCI {
			failed[f.Reference.String()] = registry.NotFetched(f.Reference)
			continue
		}
		if r.Artifacts.Offline {
			failed[f.Reference.String()] = registry.Offline(f.Reference)
			continue
		}
		j := &registry.Job{Reference: f.Reference, Root: f.Root}
		if f.Lock != nil {
			j.Digest = f.Lock.Digest
		}
		jobs = append(jobs, j)
	}
	if len(jobs) == 0 && len(failed) == 0 {
		return program, nil
	}
	if len(jobs) > 0 {
		done := fetch(before, func() {
			client := r.Artifacts.client(program.Entry.Config)
			client.Run(ctx, jobs, r.Artifacts.progress())
			client.Close()
		})
		if !done {
			return loadProgram(ctx, path, r, o)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	for _, j := range jobs {
		if j.Err != nil {
			failed[j.Reference.String()] = registry.NotRestored(j)
		}
	}
	o.Artifacts = r.Artifacts.reader(o.FS, r.Root, lockPath)
	o.Artifacts.Failed = failed
	return graph.Load(ctx, path, o)
}

var (
	fetching sync.Mutex
	fetched  atomic.Int64 // how often artifacts were fetched
)

// fetch calls run, unless artifacts were fetched since the given time: then what was
// missing may be there. Files that are compiled at the same time fetch one after the
// other, so that none fetches what another one has fetched.
func fetch(since int64, run func()) bool {
	fetching.Lock()
	defer fetching.Unlock()
	if fetched.Load() != since {
		return false
	}
	defer fetched.Add(1)
	run()
	return true
}
