// Package artifacts restores, publishes and lists what programs have in registries: modules,
// extensions, and libraries of types. Begin with Restore. A compile needs none of it: it fetches
// what the cache lacks itself.
package artifacts

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/cache"
	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/lockfile"
	"github.com/radbicep/rad/pkg/bicep/internal/registry"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// LockVersion is the version of the lock file that is written.
const LockVersion = lockfile.Version

// LockName is the name of the lock file.
const LockName = lockfile.Name

// RestoreRequest says what to fetch, and how.
type RestoreRequest struct {
	// Files are the paths of entry files.
	Files []string
	// FS and Root are as in Request.
	FS   source.FS
	Root string
	// Artifacts says where they come from.
	Artifacts bicep.Artifacts
	// Force fetches what is in the cache already.
	Force bool
	// Locked demands that the lock file names everything.
	Locked bool
	// Update asks registries what tags mean now, and takes entries out of the lock file
	// that no file beside or below it needs. Only limits it to some references.
	Update bool
	Only   []string
	// Recipes are sources of recipes that the program of the only file needs. They are restored in place of what the file leads to.
	Recipes []RecipeSource
	// VendorTo is a folder to which what is needed is copied, or "".
	VendorTo string
	// WriteLock writes a lock file that is to change. If it is nil, none is written.
	WriteLock func(path string, text []byte) error
}

// RestoreResult is the result of a restore.
type RestoreResult struct {
	// Findings say what could not be restored, at its place.
	Findings []report.Finding
	// BuiltIn are the references among them that builds need not, since built-in types stand in for them.
	BuiltIn []string
	// Recipes says what is wrong with recipes.
	Recipes map[RecipeSource]error
}

// Restore fetches the artifacts that files lead to into the cache, also those that built-in
// types would stand in for in their absence. If a lock file cannot be
// written, there is a result beside the error.
func Restore(ctx context.Context, r RestoreRequest) (result *RestoreResult, err error) {
	defer contain(strings.Join(r.Files, ", "), &err)
	if r.FS == nil {
		return nil, bicep.ErrNoFS
	}
	if r.VendorTo != "" {
		r.Artifacts.Vendor = "" // what is there is replaced
	}
	run := &restore{only: map[string]bool{}, result: &RestoreResult{}}
	if r.Artifacts.BuiltIn == bicep.BuiltInWhenAbsent {
		r.Artifacts.BuiltIn, run.standIns = bicep.BuiltInNever, true
	}
	run.RestoreRequest = r
	for _, ref := range r.Only {
		run.only[ref] = false
	}
	groups := map[string]*restoreGroup{}
	var order []*restoreGroup
	for _, name := range r.Files {
		path, err := filepath.Abs(name)
		if err != nil {
			return nil, err
		}
		place := lockfile.Place(r.FS, path, r.Root)
		g := groups[place]
		if g == nil {
			g = &restoreGroup{reader: reader(r.Artifacts, r.FS, r.Root, func() string { return place }),
				problems: map[string]*diag.Problem{}}
			groups[place] = g
			order = append(order, g)
		}
		g.files = append(g.files, path)
	}
	settings := config.BuiltIn()
	for i, g := range order {
		if err := run.plan(ctx, g); err != nil {
			return nil, err
		}
		if i == 0 {
			settings = g.settings
		}
	}
	for ref, found := range run.only {
		if !found && r.Recipes == nil { // other programs may need it
			return nil, fmt.Errorf("%s: no file that was named leads to this reference", ref)
		}
	}
	client := client(r.Artifacts, settings)
	client.Run(ctx, run.jobs, progress(r.Artifacts))
	client.Close()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, g := range order {
		if err := run.finish(ctx, g); err != nil {
			return run.result, err
		}
	}
	return run.result, nil
}

// restore is one run of Restore.
type restore struct {
	RestoreRequest
	only     map[string]bool // the references to update, and whether they were found
	jobs     []*registry.Job
	standIns bool // builds use built-in types in place of what is absent
	result   *RestoreResult
}

// restoreGroup is the files that share a lock file.
type restoreGroup struct {
	files    []string
	reader   *cache.Reader
	programs []*graph.Program
	lock     *lockfile.File
	jobs     map[string]*registry.Job  // by reference
	entries  map[string]lockfile.Entry // that this run found out
	problems map[string]*diag.Problem  // by reference
	settings *config.Config            // of the first file
	found    map[string][]*cache.Found // by reference
}

// plan reads the programs of a group, and decides what is to be fetched.
func (r *restore) plan(ctx context.Context, g *restoreGroup) (err error) {
	if g.lock, err = g.reader.Lock(); err != nil {
		return err
	}
	if r.Recipes != nil {
		g.settings = config.NewLoader(r.FS).For(g.files[0])
		for _, s := range r.Recipes {
			if a, err := artifact.ParseRecipe(s.Source, s.PlainHTTP); err == nil {
				g.reader.Find(a, g.settings)
			}
		}
		return r.planAll(g)
	}
	for _, path := range g.files {
		p, err := graph.Load(ctx, path, graph.Options{FS: r.FS, Artifacts: g.reader, Extensions: r.Artifacts.Extensions})
		if err != nil {
			return err
		}
		g.programs = append(g.programs, p)
	}
	g.settings = g.programs[0].Entry.Config
	return r.planAll(g)
}

// planAll decides what is to be fetched of all that was looked for.
func (r *restore) planAll(g *restoreGroup) error {
	g.jobs, g.entries, g.found = map[string]*registry.Job{}, map[string]lockfile.Entry{}, map[string][]*cache.Found{}
	for _, f := range g.reader.All() {
		if f.State == cache.Replaced {
			continue
		}
		key := f.Reference.String()
		g.found[key] = append(g.found[key], f)
		switch {
		case f.State == cache.Refused:
		case f.Reference.Scheme != artifact.OCI:
			if f.State != cache.Whole {
				g.problems[key] = registry.NotFetched(f.Reference)
			}
		default:
			r.planOne(g, key, f)
		}
	}
	return nil
}

// planOne decides what to do with one artifact of a registry.
func (r *restore) planOne(g *restoreGroup, key string, f *cache.Found) {
	update := r.Update && (len(r.only) == 0 || r.wanted(key))
	digest := ""
	switch {
	case update && f.Reference.Digest == "":
	case f.Lock != nil:
		if digest = f.Lock.Digest; f.State == cache.Whole && !r.Force {
			if e, err := registry.FromCache(f); err == nil {
				r.learn(g, key, f.Reference, e)
			}
			return
		}
	case r.Locked:
		g.problems[key] = mustNotChange(f.Reference, "does not name it")
		return
	case f.State == cache.Whole && !r.Force:
		// The cache says what the tag means, until --update asks the registry again.
		if e, err := registry.FromCache(f); err == nil {
			g.entries[key] = e
			return
		}
	}
	if r.Artifacts.Offline {
		g.problems[key] = registry.Offline(f.Reference)
		return
	}
	if j := g.jobs[key]; j != nil && j.Root == f.Root {
		return
	}
	j := &registry.Job{Reference: f.Reference, Root: f.Root, Digest: digest, Again: r.Force}
	g.jobs[key] = j
	r.jobs = append(r.jobs, j)
}

// learn notes what an artifact turned out to be. The lock file may not say so: it names no
// such artifact, or somebody has edited it.
func (r *restore) learn(g *restoreGroup, key string, a *artifact.Reference, e lockfile.Entry) {
	locked, named := g.lock.Entries[key]
	switch {
	case named && locked.Equal(e):
	case r.Locked:
		g.problems[key] = mustNotChange(a, "does not say of it what its manifest says")
	default:
		g.entries[key] = e
	}
}

// mustNotChange is what is wrong with an artifact for which the lock file would change.
func mustNotChange(a *artifact.Reference, problem string) *diag.Problem {
	return diag.BCP192.With(a,
		&report.HintedError{Text: lockfile.Name + " " + problem + ", and must not be changed", Hint: report.HintChangeLock})
}

// wanted reports whether a reference is one of those to update.
func (r *restore) wanted(key string) bool {
	if _, ok := r.only[key]; ok {
		r.only[key] = true
		return true
	}
	return false
}

// finish reports what failed in a group, copies what is to be vendored, and writes the
// lock file.
func (r *restore) finish(ctx context.Context, g *restoreGroup) error {
	for key, j := range g.jobs {
		if j.Err != nil {
			g.problems[key] = registry.NotRestored(j)
			continue
		}
		r.learn(g, key, j.Reference, j.Entry)
	}
	if r.VendorTo != "" {
		r.vendor(ctx, g)
	}
	for key := range g.problems {
		if f := g.found[key][0]; r.standIns && f.State == cache.Missing &&
			f.Lock == nil && f.Reference.BuiltIn() != "" && !slices.Contains(r.result.BuiltIn, key) {
			r.result.BuiltIn = append(r.result.BuiltIn, key)
		}
	}
	for _, p := range g.programs {
		r.report(p, g)
	}
	r.reportRecipes(g)
	if r.Locked || len(g.entries) == 0 && !r.Update {
		return nil
	}
	// Other processes may have written the file while this one was fetching, or want to.
	defer cache.Exclusive(ctx, g.cacheRoot(), g.lock.Path)()
	if root := g.cacheRoot(); root != "" {
		cache.Sweep(root)
	}
	current, err := cache.ReadLock(r.FS, r.Root, g.lock.Path)
	if err != nil {
		return err
	}
	next := &lockfile.File{Entries: map[string]lockfile.Entry{}}
	maps.Copy(next.Entries, current.Entries)
	maps.Copy(next.Entries, g.entries)
	if r.Update && r.Recipes == nil {
		if err := r.prune(ctx, g, next); err != nil {
			return err
		}
	}
	if len(next.Entries) == 0 && !current.Exists {
		return nil
	}
	if r.WriteLock != nil && (!current.Exists || !maps.EqualFunc(next.Entries, current.Entries, lockfile.Entry.Equal)) {
		return r.WriteLock(g.lock.Path, next.Bytes())
	}
	return nil
}

// cacheRoot returns the root of the cache that the group's artifacts are in, or "".
func (g *restoreGroup) cacheRoot() string {
	root := ""
	for _, f := range g.reader.All() {
		if f.State != cache.Refused && (root == "" || f.Root < root) {
			root = f.Root
		}
	}
	return root
}

// vendor copies the artifacts of a group.
func (r *restore) vendor(ctx context.Context, g *restoreGroup) {
	for key, list := range g.found {
		for _, f := range list {
			if g.problems[key] != nil || f.State == cache.Refused {
				continue
			}
			from := filepath.Dir(f.Path())
			if g.jobs[key] != nil { // what was fetched just now may be in another folder than what was found
				from = f.Reference.CacheDir(f.Root)
			}
			if err := cache.Copy(ctx, f.Reference, from, r.VendorTo); err != nil {
				g.problems[key] = diag.BCP192.With(f.Reference, "it cannot be copied: "+err.Error())
			}
		}
	}
}

// report adds the findings of a program: what is wrong with references that lead
// outside of the project, each at its place.
func (r *restore) report(p *graph.Program, g *restoreGroup) {
	var list diag.List
	add := func(f *graph.File, span source.Span, a *artifact.Reference, problem *diag.Problem) {
		if a != nil && a.Scheme != artifact.Local && a.Scheme != artifact.Mocked {
			key := a.String()
			if g.problems[key] != nil {
				problem = g.problems[key]
			} else if list := g.found[key]; len(list) > 0 && list[0].State != cache.Refused {
				return
			}
		} else if a != nil {
			return
		}
		if problem == nil {
			return
		}
		d := problem.At(span)
		d.File = f.Source
		list.Add(d)
	}
	for _, f := range p.Files {
		for _, ref := range f.References {
			if ref.External {
				add(f, ref.Span(), ref.Artifact, ref.Problem)
			}
		}
		for _, x := range f.Implicit {
			if x.Artifact != nil {
				add(f, source.Span{}, x.Artifact, x.Problem)
			}
		}
	}
	r.result.Findings = append(r.result.Findings, diag.Findings(p.Entry.Path, list)...)
}

// reportRecipes notes what is wrong with recipes.
func (r *restore) reportRecipes(g *restoreGroup) {
	r.result.Recipes = map[RecipeSource]error{}
	for _, s := range r.Recipes {
		a, err := artifact.ParseRecipe(s.Source, s.PlainHTTP)
		if err != nil {
			continue // whoever reads it says so
		}
		key := a.String()
		if p := g.problems[key]; p != nil {
			r.result.Recipes[s] = problemError(p)
		}
	}
}

// prune takes entries out of a lock file that no file in its folder needs.
func (r *restore) prune(ctx context.Context, g *restoreGroup, lock *lockfile.File) error {
	var paths []string
	err := filepath.WalkDir(filepath.Dir(g.lock.Path), func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && errors.Is(err, fs.ErrPermission):
			return fs.SkipDir
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules"):
			return fs.SkipDir
		case d.Type().IsRegular() && isBicep(path) && lockfile.Place(r.FS, path, r.Root) == g.lock.Path:
			paths = append(paths, path)
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	all := reader(r.Artifacts, r.FS, r.Root, nil)
	if err := graph.Scan(ctx, append(paths, g.files...),
		graph.Options{FS: r.FS, Artifacts: all, Extensions: r.Artifacts.Extensions}); err != nil {
		return err
	}
	named := map[string]bool{}
	for _, f := range append(all.All(), g.reader.All()...) {
		named[f.Reference.String()] = true
	}
	for key := range lock.Entries {
		if !named[key] && lock.Entries[key].Type != artifact.Recipe {
			delete(lock.Entries, key)
		}
	}
	return nil
}

// isBicep reports whether a name is that of a source file.
func isBicep(name string) bool {
	ext := strings.ToLower(filepath.Ext(name))
	return ext == ".bicep" || ext == ".bicepparam"
}
