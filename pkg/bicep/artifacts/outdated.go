package artifacts

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/cache"
	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/lockfile"
)

// Outdated is a reference to an artifact of which there is something newer.
type Outdated struct {
	Reference string   `json:"reference"`
	Kind      string   `json:"kind"`
	Current   string   `json:"current"`          // the tag
	Latest    string   `json:"latest,omitempty"` // the newest tag of its kind; absent if there is none that is newer
	Newer     []string `json:"newer,omitempty"`  // all newer ones, the oldest first
	// Moved is the digest that the tag has now, where the lock file names another.
	Moved string `json:"moved,omitempty"`
	// Error says why the registry did not answer.
	Error string `json:"error,omitempty"`
}

// FindOutdated looks for newer versions of the artifacts that files lead to, other than those
// that built-in types stand in for, and of the recipes in their lock files.
func FindOutdated(ctx context.Context, r RestoreRequest) (list []Outdated, err error) {
	defer contain(strings.Join(r.Files, ", "), &err)
	if r.FS == nil {
		return nil, bicep.ErrNoFS
	}
	readers := map[string]*cache.Reader{}
	var found []*cache.Found
	seen := map[string]bool{}
	settings := config.BuiltIn()
	for i, path := range r.Files {
		place := lockfile.Place(r.FS, path, r.Root)
		one := readers[place]
		if one == nil {
			one = reader(r.Artifacts, r.FS, r.Root, func() string { return place })
			readers[place] = one
		}
		program, err := graph.Load(ctx, path, graph.Options{FS: r.FS, Artifacts: one, Extensions: r.Artifacts.Extensions})
		if err != nil {
			return nil, err
		}
		if i == 0 {
			settings = program.Entry.Config
		}
	}
	for _, one := range readers {
		locked, err := lockedRecipes(one)
		if err != nil {
			return nil, err
		}
		for _, f := range append(one.All(), locked...) {
			key := f.Reference.String()
			if f.State != cache.Replaced && f.Reference.Scheme == artifact.OCI && f.Reference.Tag != "" && !seen[key] {
				seen[key], found = true, append(found, f)
			}
		}
	}
	client := client(r.Artifacts, settings)
	defer client.Close()
	var mu sync.Mutex
	var wg sync.WaitGroup
	slots := make(chan struct{}, 8)
	for _, f := range found {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			o := Outdated{Reference: f.Reference.String(), Kind: f.Reference.Type.String(), Current: f.Reference.Tag}
			switch {
			case r.Artifacts.Offline:
				o.Error = "the run is offline, so the registry was not asked"
			case !f.Reference.Trusted(r.Artifacts.Trusted):
				o.Error = "the registry " + f.Reference.Registry + " is not trusted; list it in BICEP_TRUSTED_REGISTRIES"
			default:
				tags, err := client.Tags(ctx, f.Reference)
				if err != nil {
					o.Error = err.Error()
					break
				}
				o.Newer = newer(f.Reference.Tag, tags)
				if n := len(o.Newer); n > 0 {
					o.Latest = o.Newer[n-1]
				}
				if f.Lock != nil {
					if e, err := client.Resolve(ctx, f.Reference); err != nil {
						o.Error = err.Error()
					} else if e.Digest != f.Lock.Digest {
						o.Moved = e.Digest
					}
				}
			}
			if o.Latest != "" || o.Moved != "" || o.Error != "" {
				mu.Lock()
				defer mu.Unlock()
				list = append(list, o)
			}
		})
	}
	wg.Wait()
	slices.SortFunc(list, func(a, b Outdated) int { return strings.Compare(a.Reference, b.Reference) })
	return list, ctx.Err()
}

// lockedRecipes returns the recipes that a lock file names: files do not.
func lockedRecipes(r *cache.Reader) (list []*cache.Found, err error) {
	lock, err := r.Lock()
	if err != nil {
		return nil, err
	}
	for key, e := range lock.Entries {
		if a, err := artifact.ParseRecipe(key, false); err == nil && e.Type == artifact.Recipe {
			list = append(list, &cache.Found{Reference: a, Lock: &e})
		}
	}
	return list, nil
}

// newer returns the tags that are versions newer than one, the oldest first. A tag
// that is not a version has none, and neither are versions before a release newer than
// one, unless it is such a version itself.
func newer(current string, tags []string) []string {
	have, ok := artifact.ParseVersion(current)
	if !ok {
		return nil
	}
	type tagged struct {
		tag string
		v   artifact.Version
	}
	var list []tagged
	for _, tag := range tags {
		v, ok := artifact.ParseVersion(tag)
		if ok && v.Prefix == have.Prefix && v.Compare(have) > 0 && (v.Pre == "" || have.Pre != "") {
			list = append(list, tagged{tag, v})
		}
	}
	slices.SortFunc(list, func(a, b tagged) int {
		if c := a.v.Compare(b.v); c != 0 {
			return c
		}
		return strings.Compare(a.tag, b.tag)
	})
	out := make([]string, len(list))
	for i, t := range list {
		out[i] = t.tag
	}
	return out
}
