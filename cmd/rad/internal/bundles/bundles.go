// Package bundles makes bundles of targets, shows what a bundle is, and compares it with its source.
package bundles

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/gittree"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/run"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep/artifacts"
	"github.com/radbicep/rad/pkg/bicep/bundle"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/generate"
	"github.com/radbicep/rad/pkg/params"
)

// tracedTemplate is a side that notes what the template is compiled from, and not what its parameters are.
type tracedTemplate struct {
	project.Side
	template string
	traced   project.Side
}

func (t tracedTemplate) FilesFor(path string) (root string, files source.FS) {
	if path == t.template {
		return t.traced.FilesFor(path)
	}
	return t.Side.FilesFor(path)
}

// Make makes the bundle of a target: its template, and the values that are given. It is nil where that
// fails; the outcome says why.
func Make(ctx context.Context, side project.Side, r *run.Outcome) (*bundle.Bundle, error) {
	reads := workdir.NewTrace()
	p := r.Load(ctx, side, func(s *generate.Source) { s.Host = tracedTemplate{side, r.Target.Input, side.Traced(reads)} })
	o := generate.BundleOptions{Tool: cli.Version(), Manifest: r.Target.ManifestOptions(),
		Secure: params.SecurePolicy(side.SecureParameters)}
	r.Making = string(o.Manifest.Target)
	if o.Manifest.Name = cmp.Or(r.Target.Name, filepath.Base(p.Path)); p.Path != "" {
		if err := o.Manifest.Check(); err != nil {
			r.Fail(cli.FailWith(cli.ExitUsage, r.Target.OptionError(err)))
		}
	}
	if r.Err != nil || p.Failed() != nil {
		_, found, _ := p.Bundle(o) // for all that is wrong
		r.Note(found)
		return nil, nil
	}
	var err error
	var own map[string][]byte
	if o.Inputs, o.Lock, own, err = inputs(side, p.Path, append(reads.Files(), p.Compiled...)); err != nil {
		return nil, err
	}
	if known, ok := gittree.OriginOf(ctx, filepath.Dir(p.Path), own); ok {
		o.Origin = bundle.Origin{Source: known.Source, Revision: known.Revision, Created: known.Created.Format(time.RFC3339)}
	}
	b, found, err := p.Bundle(o)
	r.Note(found)
	switch {
	case r.Failed():
		return nil, nil
	case err != nil:
		return nil, cli.Fail(cli.ExitSource, "%s: %w", r.Target.Arg, cli.OptionError(err))
	case len(b.Manifests) == 0:
		r.Notices = append(r.Notices,
			"The bundle holds no manifest, since parameters have no value. generate-kubernetes-manifest makes one of it with --parameters.")
	}
	return b, nil
}

// inputs returns the digests of files that were compiled, and the lock file among them. Their
// names are the same on every machine. own are the contents of those that are not in the cache.
func inputs(side project.Side, template string, files []string) (list []bundle.Input, lock []byte, own map[string][]byte, err error) {
	folder, _ := side.FilesFor(template)
	root := workdir.NewBounds(folder)
	cache := side.Base.Artifacts.Cache
	if cache == "" {
		if found, err := artifacts.FindCache(workdir.FilesBelow(folder), filepath.Dir(template), folder, ""); err == nil {
			cache = found.Path
		}
	}
	names := map[string]bool{}
	own = map[string][]byte{}
	for _, path := range files {
		name := root.Relative(path)
		if filepath.IsAbs(name) {
			rel, err := filepath.Rel(cache, path)
			switch {
			case cache != "" && err == nil && filepath.IsLocal(rel):
				name = "cache/" + filepath.ToSlash(rel)
			default:
				name = filepath.Base(path) // a template that was named, outside of the root
			}
		}
		if name = filepath.ToSlash(name); names[name] {
			continue
		}
		names[name] = true
		content, err := side.Bounds.ReadFile(path)
		if err != nil {
			return nil, nil, nil, cli.FailWith(cli.ExitIO, err)
		}
		if filepath.Base(path) == artifacts.LockName {
			lock = content
		}
		if abs, err := filepath.Abs(path); err == nil && !strings.HasPrefix(name, "cache/") {
			own[abs] = content
		}
		list = append(list, bundle.Input{Path: name, Digest: bundle.Digest(content)})
	}
	slices.SortFunc(list, func(a, b bundle.Input) int { return strings.Compare(a.Path, b.Path) })
	return list, lock, own, nil
}
