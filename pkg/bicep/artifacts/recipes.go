package artifacts

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/cache"
	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/lockfile"
	"github.com/radbicep/rad/pkg/bicep/internal/registry"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// RecipeSource says where a recipe pack has the template of a recipe.
type RecipeSource struct {
	Source    string
	PlainHTTP bool // ask the registry without TLS
}

// String returns the source in full, as the lock file names it.
func (s RecipeSource) String() string {
	if a, err := artifact.ParseRecipe(s.Source, s.PlainHTTP); err == nil {
		return a.String()
	}
	return s.Source
}

// LockPath returns where the lock file of the program of a request lies, or would.
func LockPath(q bicep.Request) string { return lockfile.Place(q.FS, q.File, q.Root) }

// ErrLater says that a template has to be fetched first.
var ErrLater = errors.New("the recipe has to be fetched first")

// Recipes are the templates of recipes that one program needs of registries. Read returns what the cache has; Fetch fetches what
// Read lacked, all of it at once. The lock file of the program pins them, as it pins modules.
type Recipes struct {
	// Restore does what Fetch does in its place. It returns what went wrong.
	Restore func(ctx context.Context, q bicep.Request, sources []RecipeSource) map[RecipeSource]error

	request bicep.Request
	config  *config.Config
	reader  *cache.Reader
	missing map[RecipeSource]*artifact.Reference
	tried   map[RecipeSource]error // those that were fetched, or could not be
	texts   map[RecipeSource][]byte
}

// NewRecipes returns the recipes of the program of a request.
func NewRecipes(q bicep.Request) *Recipes {
	r := &Recipes{request: q, config: config.NewLoader(q.FS).WithFile(q.Config).For(q.File),
		missing: map[RecipeSource]*artifact.Reference{}, tried: map[RecipeSource]error{},
		texts: map[RecipeSource][]byte{}}
	r.look()
	return r
}

// look has the cache looked through again.
func (r *Recipes) look() {
	r.reader = reader(r.request.Artifacts, r.request.FS, r.request.Root, func() string { return LockPath(r.request) })
}

// ReadLock reads the lock file, as Read does.
func (r *Recipes) ReadLock() {
	_, _ = r.reader.Lock() // Err says what is wrong with it
}

// Err returns what is wrong with the lock file, if it was needed.
func (r *Recipes) Err() error { return r.reader.Err() }

// Read returns the template of a source. The error is ErrLater if Fetch is to be called before, or if there is an Err.
func (r *Recipes) Read(s RecipeSource) ([]byte, error) {
	if text := r.texts[s]; text != nil {
		return text, nil
	}
	a, err := artifact.ParseRecipe(s.Source, s.PlainHTTP)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be used: %w", s.Source, err)
	}
	err, tried := r.tried[s]
	if err != nil {
		return nil, err
	}
	f := r.reader.Find(a, r.config)
	if r.Err() != nil {
		return nil, ErrLater
	}
	switch {
	case f.State == cache.Refused, tried && f.State != cache.Whole:
		return nil, problemError(f.Problem)
	case f.State == cache.Whole && (tried || r.Restore == nil):
		r.texts[s], err = f.Read()
		return r.texts[s], err
	case r.Restore != nil:
	case r.request.Artifacts.Offline:
		return nil, problemError(registry.Offline(a))
	case r.request.NoRestore:
		return nil, problemError(f.Problem)
	}
	r.missing[s] = a
	return nil, ErrLater
}

// problemError is a problem with an artifact as an error: its message, with what helps.
func problemError(p *diag.Problem) error {
	e := &report.HintedError{Text: strings.TrimSuffix(p.Message(), "."), Hint: p.Kind.Hint()}
	for _, arg := range p.Args {
		if hinted, ok := arg.(*report.HintedError); ok {
			e.Hint = hinted.Hint
		}
	}
	return e
}

// fetchingRecipes has programs fetch one after the other, so that none fetches what another one has fetched.
var fetchingRecipes sync.Mutex

// Fetch fetches what Read lacked. It reports whether that was anything: then Read is to be called again.
func (r *Recipes) Fetch(ctx context.Context) bool {
	if len(r.missing) == 0 {
		return false
	}
	defer clear(r.missing)
	sources := slices.SortedFunc(maps.Keys(r.missing), func(a, b RecipeSource) int { return strings.Compare(a.Source, b.Source) })
	for _, s := range sources {
		r.tried[s] = nil
	}
	if r.Restore != nil {
		maps.Copy(r.tried, r.Restore(ctx, r.request, sources))
		r.look()
		return true
	}
	fetchingRecipes.Lock()
	defer fetchingRecipes.Unlock()
	r.look()
	var jobs []*registry.Job
	of := map[*registry.Job]RecipeSource{}
	for _, s := range sources {
		f := r.reader.Find(r.missing[s], r.config)
		if f.State != cache.Missing && f.State != cache.Stale {
			continue
		}
		j := &registry.Job{Reference: f.Reference, Root: f.Root}
		if f.Lock != nil {
			j.Digest = f.Lock.Digest
		}
		if f.State == cache.Stale { // others may need what is there
			j.Reference = f.Reference.Pinned(j.Digest)
		}
		jobs, of[j] = append(jobs, j), s
	}
	c := client(r.request.Artifacts, r.config)
	defer c.Close()
	c.Run(ctx, jobs, progress(r.request.Artifacts))
	for _, j := range jobs {
		if j.Err != nil {
			j.Reference = r.missing[of[j]]
			r.tried[of[j]] = problemError(registry.NotRestored(j))
		}
	}
	r.look()
	return true
}

// PruneRecipes takes recipes out of the lock files of programs, the files of a request, that are none of those that are needed.
// may is asked for each lock file that something would be taken out of.
func PruneRecipes(ctx context.Context, r RestoreRequest, needed []string, may func(lock string) bool) error {
	seen := map[string]bool{}
	for _, file := range r.Files {
		place := lockfile.Place(r.FS, file, r.Root)
		if seen[place] {
			continue
		}
		seen[place] = true
		if err := pruneRecipes(ctx, r, file, place, needed, may); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// pruneRecipes is PruneRecipes for one lock file. Other processes may be writing it.
func pruneRecipes(ctx context.Context, r RestoreRequest, file, place string, needed []string, may func(lock string) bool) error {
	if of, err := cache.PlaceOf(r.Artifacts.Cache, config.NewLoader(r.FS).For(file), r.Root, r.FS); err == nil {
		defer cache.Exclusive(ctx, of.Dir, place)()
	}
	lock, err := cache.ReadLock(r.FS, r.Root, place)
	if err != nil {
		return err
	}
	before := len(lock.Entries)
	maps.DeleteFunc(lock.Entries, func(key string, e lockfile.Entry) bool {
		return e.Type == artifact.Recipe && !slices.Contains(needed, key)
	})
	if len(lock.Entries) == before || !may(place) {
		return nil
	}
	return r.WriteLock(place, lock.Bytes())
}
