package command

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/deliver"
	"github.com/radbicep/rad/cmd/rad/internal/gittree"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep/artifacts"
	"github.com/radbicep/rad/pkg/bicep/bundle"
	"github.com/radbicep/rad/pkg/generate"
	"github.com/radbicep/rad/pkg/params"
)

// bundleOptions are the flags of bundle that are not settings.
type bundleOptions struct {
	parameters []string
	only       []string
	outfile    string
	name       string
	force      bool
}

func newBundle(a *app) *cobra.Command {
	var o bundleOptions
	c := &cobra.Command{
		Use:   "bundle app.bicep | template.json | app.bicepparam | bundle.tar",
		Short: "Package a compiled template, its parameters and its manifest as one artifact",
		Long: `Compile a template and write a bundle: an OCI artifact that holds the template, the types of its
parameters, the values that are given, bicep.lock.json, and digests of all files that were
compiled. With values for all parameters, a layer that Flux reads holds the manifest. The same
inputs give the same bytes.

--outfile names an archive (.tar), a folder, or a place in a registry: oci://HOST/PATH:TAG. A
bundle that is named instead of a template is copied there.

A bundle never holds the value of a secure parameter, nor one that is computed from the
environment. They are errors, or left out with --secure-parameters omit.

generate-kubernetes-manifest takes a bundle in place of a template. inspect shows what it is,
and verify checks it.`,
		Example: `  rad bicep bundle app.bicep -p @app.bicepparam -p tag=v1 --outfile app.tar`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Fail(cli.ExitUsage, "name one template, parameter file or bundle%s", cli.SuchAs())
			}
			return nil
		},
		ValidArgsFunction: cli.CompleteFiles("bicep", "bicepparam", "json", "tar"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.bundle(c, args[0], &o)
		},
	}
	f := c.Flags()
	addParameters(a, c, &o.parameters)
	addOnly(c, &o.only)
	f.StringVarP(&o.outfile, "outfile", "o", "", "`FILE.tar`, folder, or oci://HOST/PATH:TAG (default: beside the template, with the extension .tar)")
	f.StringVar(&o.name, "name", "", "`NAME` of the manifest (default: the template's file name)")
	f.BoolVar(&o.force, "force", false, "replace a tag that exists, or a file or folder that is not a bundle")
	settings.AddFlags(a.App, c, settings.Manifest)
	a.TakesFormat(c, "text", "json")
	return c
}

// bundleResult is the result of bundle.
type bundleResult struct {
	Reference string `json:"reference" doc:"where the bundle was written"`
	Digest    string `json:"digest" doc:"of the bundle's manifest"`
	Manifest  bool   `json:"manifest" doc:"whether it holds a Kubernetes manifest"`
	Written   bool   `json:"written" doc:"false if it was there already"`
}

func (a *app) bundle(c *cobra.Command, input string, o *bundleOptions) (err error) {
	g, err := a.newGenerator(c, settings.Manifest, []string{input}, &generateOptions{Flags: project.Flags{Parameters: o.parameters, Only: o.only, Name: o.name}})
	if err != nil {
		return err
	}
	options := g.Project
	switch {
	case options.SecureParameters == "allow":
		return cli.Fail(cli.ExitUsage, "--secure-parameters allow: a bundle holds no value of a secure parameter; use omit, and give the value to generate-kubernetes-manifest")
	case options.SecureParameters == "reference":
		return cli.Fail(cli.ExitUsage, "--secure-parameters reference: a bundle holds the parameters of a program, and references are those of a manifest; use omit, and give reference to generate-kubernetes-manifest")
	case options.Target != settings.DesignTarget && options.Target != settings.RadiusTarget:
		return cli.Fail(cli.ExitUsage, "--target %s: a bundle holds a DeploymentTemplate; generate-kubernetes-manifest makes other objects of it", options.Target)
	}
	outfile := o.outfile
	if outfile == "" {
		if outfile = strings.TrimSuffix(input, filepath.Ext(input)) + ".tar"; options.IsBundle(input) {
			return cli.Fail(cli.ExitUsage, "--outfile is missing; it says where to copy the bundle")
		}
	}
	if err := options.CheckBundlePlace(outfile, true); err != nil {
		return err
	}
	var artifact bundle.Artifact
	hasManifest := false
	if options.IsBundle(input) {
		if len(o.parameters) > 0 || o.name != "" {
			return cli.Fail(cli.ExitUsage, "%s: a bundle is copied as it is; --parameters and --name are for the template", input)
		}
		var b *bundle.Bundle
		if artifact, b, err = options.OpenBundle(c.Context(), input); err != nil {
			return err
		}
		hasManifest = len(b.Manifests) > 0
	} else {
		g.Flags.Outfile = outfile
		defer func() { err = g.Found.End(err) }()
		if err := g.ParseMaps(); err != nil {
			return err
		}
		b, err := g.makeBundle(c.Context(), input)
		if err != nil {
			return err
		}
		hasManifest = len(b.Manifests) > 0
		if artifact, err = bundle.Pack(b); err != nil {
			return cli.Fail(cli.ExitSource, "%s: %w", input, err)
		}
	}
	written, err := options.WriteBundle(c.Context(), outfile, artifact, o.force)
	if err != nil {
		return err
	}
	digest := bundle.Digest(artifact.Manifest)
	a.Result = bundleResult{workdir.Slashed(outfile), digest, hasManifest, written}
	if written {
		a.Say("Bundle written to %s (%s)", outfile, digest)
	} else {
		a.Say("Bundle is up to date at %s (%s)", outfile, digest)
	}
	return nil
}

// makeBundle compiles a template and binds the values that are given.
func (g *generator) makeBundle(ctx context.Context, input string) (*bundle.Bundle, error) {
	tasks, err := g.ArgumentTargets([]string{input})
	if err != nil {
		return nil, err
	}
	if len(tasks) != 1 {
		return nil, cli.Fail(cli.ExitUsage, "%s: name one template%s", input, project.OrOnly(tasks))
	}
	if err = g.CheckOptions(tasks); err == nil {
		err = g.checkTargetFlags(tasks)
	}
	if err != nil {
		return nil, err
	}
	t := tasks[0]
	if strings.EqualFold(filepath.Ext(t.Input), ".bicepparam") {
		if err := g.UseTemplate(t); err != nil {
			return nil, err
		}
	}
	r := &deliver.Outcome{Target: t}
	b, err := g.fillBundle(ctx, r)
	r.Fail(err)
	return b, g.Report([]*deliver.Outcome{r})
}

// fillBundle makes the bundle of a task.
func (g *generator) fillBundle(ctx context.Context, r *deliver.Outcome) (*bundle.Bundle, error) {
	traced := g.traced(workdir.NewTrace())
	var files []string // those of the template
	p := traced.Load(ctx, r.Target, func(s *generate.Source) {
		s.Secure, s.Missing = params.SecurePolicy(g.Project.SecureParameters), generate.MissingAny
		s.Compiled = func(p *generate.Program) { files = append(traced.Reads.Files(), p.Files...) }
	})
	defer func() { r.Settle(p) }()
	o := generate.BundleOptions{Tool: cli.Version(), Manifest: g.ManifestOptions(r.Target)}
	if o.Manifest.Name = cmp.Or(g.Flags.Name, filepath.Base(p.Path)); p.Path != "" {
		if err := o.Manifest.Check(); err != nil {
			r.Fail(cli.FailWith(cli.ExitUsage, g.OptionError(r.Target, err)))
		}
	}
	if r.Err != nil || p.Failed() != nil {
		return nil, nil
	}
	var err error
	var own map[string][]byte
	if o.Inputs, o.Lock, own, err = g.inputs(p.Path, files); err != nil {
		return nil, err
	}
	if known, ok := gittree.OriginOf(ctx, filepath.Dir(p.Path), own); ok {
		o.Origin = bundle.Origin{Source: known.Source, Revision: known.Revision, Created: known.Created.Format(time.RFC3339)}
	}
	b, err := p.Bundle(o)
	switch {
	case p.Failed() != nil:
		return nil, nil
	case err != nil:
		return nil, cli.Fail(cli.ExitSource, "%s: %w", r.Target.Arg, cli.OptionError(err))
	case len(b.Manifests) == 0:
		r.Notices = append(r.Notices, "The bundle holds no manifest, since parameters have no value. generate-kubernetes-manifest makes one of it with --parameters.")
	}
	return b, nil
}

// inputs returns the digests of files that were compiled, and the lock file among them. Their
// names are the same on every machine. own are the contents of those that are not in the cache.
func (g *generator) inputs(template string, files []string) (list []bundle.Input, lock []byte, own map[string][]byte, err error) {
	folder, _ := g.FilesFor(template)
	root := workdir.NewBounds(folder)
	cache := g.Project.Base.Artifacts.Cache
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
		content, err := g.Project.Bounds.ReadFile(path)
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
