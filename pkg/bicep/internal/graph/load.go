package graph

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/cache"
	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Options say where a program's files come from.
type Options struct {
	FS source.FS // of the program's own files

	// Artifacts finds what was restored from registries. Nil stands for the cache on
	// the disk, with neither a lock file nor vendored artifacts.
	Artifacts *cache.Reader

	// Extensions replaces what configurations say of extensions, by name.
	Extensions map[string]string

	// Config is the path of the configuration that every file has; "" if each has the
	// nearest.
	Config string

	// TrustedClouds is the text of BICEP_TRUSTED_CLOUDS.
	TrustedClouds string

	// Release is the release of Bicep that the program is compiled as.
	Release release.Version

	// Lenient goes on without modules and loaded files that cannot be read.
	Lenient bool
	// Unfetched goes on without modules of registries that cannot be fetched. A resource of the type
	// armexpr.UnfetchedModule stands for what each of them deploys.
	Unfetched bool

	// Keep says that the program may become Before of another load, so that it is worth
	// asking for the versions of files.
	Keep bool

	// Before is what an earlier load of the same entry has read, or nil. Its files that
	// are still the same are used again, so it must not be used after this load.
	Before *Program
}

// Load reads the file at path, which ends in .bicep or .bicepparam, and all that it leads to. The
// error says that the entry file cannot be read. Problems with other files are in the program.
//
// Files are read in waves: those that the files of one wave refer to are the
// next one. Within a wave they are read and parsed at the same time.
func Load(ctx context.Context, path string, o Options) (*Program, error) {
	l := newLoader(o)
	entry := &result{path: path}
	l.results[path] = entry
	for wave := []*result{entry}; len(wave) > 0; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l.readAll(wave)
		wave = l.next(wave)
	}
	if err := l.Artifacts.Err(); err != nil {
		return nil, err
	}
	l.program.archives = l.readArchives()
	l.takeOver()
	if entry.file == nil {
		if entry.err != nil {
			return nil, entry.err
		}
		return nil, fmt.Errorf("%s: %s", path, entry.problem.Message())
	}
	l.connect(entry.file)
	l.program.Entry = entry.file
	l.program.reportCycles()
	return l.program, nil
}

// Scan reads files, and has the artifacts looked for that they name. Other references are not
// followed, and files that cannot be read are left out.
func Scan(ctx context.Context, paths []string, o Options) error {
	l := newLoader(o)
	for _, path := range paths {
		if err := ctx.Err(); err != nil {
			return err
		}
		l.read(&result{path: path})
	}
	return l.Artifacts.Err()
}

func newLoader(o Options) *loader {
	if o.Artifacts == nil {
		o.Artifacts = &cache.Reader{Project: o.FS}
	}
	configs := config.NewLoader(o.FS).WithRelease(o.Release).WithExtensions(o.Extensions).
		WithFile(o.Config).WithTrustedClouds(o.TrustedClouds)
	before := earlierFiles(o.Before, configs)
	l := &loader{
		Options: o, configs: configs, before: before,
		program: &Program{fs: o.FS, aux: map[string]*Aux{}, lenient: o.Lenient, Unfetched: o.Unfetched},
		results: map[string]*result{}, archives: map[string]*archiveResult{},
		restored: map[string]*cache.Found{}, folders: map[string]bool{},
	}
	if o.Keep {
		l.program.versions = newVersions(o.FS)
	}
	return l
}

// loader reads the files of one program.
type loader struct {
	Options
	configs *config.Loader
	program *Program
	results map[string]*result // by path
	before  map[string]*File   // of the earlier program, by path

	mu       sync.Mutex
	folders  map[string]bool // by path: whether it is that of a folder
	archives map[string]*archiveResult
	restored map[string]*cache.Found // by the path of the file, which is in the cache
}

// result is what became of reading a file.
type result struct {
	path string
	spec *artifact.Reference // the template spec that the file holds, if it is one

	file    *File
	problem *diag.Problem
	err     error // behind the problem
}

// readAll reads the files of a wave.
func (l *loader) readAll(wave []*result) {
	if len(l.before) > 0 { // files that are the same are not worth a goroutine
		var changed []*result
		for _, r := range wave {
			if l.hasVersion(r.path, l.before[r.path]) {
				l.read(r)
			} else {
				changed = append(changed, r)
			}
		}
		wave = changed
	}
	workers := min(len(wave), runtime.GOMAXPROCS(0))
	if workers < 2 {
		for _, r := range wave {
			l.read(r)
		}
		return
	}
	jobs := make(chan *result)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for r := range jobs {
				l.read(r)
			}
		})
	}
	for _, r := range wave {
		jobs <- r
	}
	close(jobs)
	wg.Wait()
}

// next returns the files that the files of a wave refer to and that no one has
// asked for yet.
func (l *loader) next(wave []*result) []*result {
	var list []*result
	for _, r := range wave {
		if r.file == nil {
			continue
		}
		for _, ref := range r.file.References {
			if ref.target == "" || l.results[ref.target] != nil {
				continue
			}
			t := &result{path: ref.target}
			if ref.Artifact.Scheme == artifact.TemplateSpec {
				t.spec = ref.Artifact
			}
			l.results[ref.target] = t
			list = append(list, t)
		}
	}
	return list
}

// connect puts the file of each reference in its place, and lists the files in
// the order in which a reader who follows each reference at once meets them.
func (l *loader) connect(f *File) {
	f.Index = len(l.program.Files)
	f.program = l.program
	l.program.Files = append(l.program.Files, f)
	for _, ref := range f.References {
		if ref.target != "" {
			r := l.results[ref.target]
			if ref.File, ref.Problem = r.file, r.problem; r.file != nil && r.file.program == nil {
				l.connect(r.file)
			}
		}
		if l.Lenient || l.Unfetched && ref.External && ref.Artifact != nil {
			l.standIn(f, ref)
		}
	}
}
