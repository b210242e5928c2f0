package command

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/bundles"
	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/run"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/targets"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep/bundle"
	"github.com/radbicep/rad/pkg/generate"
)

func oneBundle(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return cli.Fail(cli.ExitUsage, "name one bundle: an archive, a folder, or oci://HOST/PATH:TAG")
	}
	return nil
}

func newInspect(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "inspect bundle.tar | folder | oci://HOST/PATH:TAG",
		Short: "Show what a bundle is",
		Long: `Show what a bundle is: what made it, its parameters and values, the files that it was made of,
and the manifests that it holds.`,
		Example: `  rad bicep bundle app.bicep -p @app.bicepparam -p tag=v1 -o app.tar
  rad bicep inspect app.tar`,
		Args:              oneBundle,
		ValidArgsFunction: cli.CompleteFiles("tar"),
		RunE:              func(c *cobra.Command, args []string) error { return a.inspect(c, args[0]) },
	}
	settings.AddFlags(a.App, c, settings.Compiler)
	a.TakesFormat(c, "text", "json")
	return c
}

// readBundle opens a bundle for a command that only looks at it, and loads its program.
func (a *app) readBundle(c *cobra.Command, set settings.Set, name string) (bundle.Artifact, *bundle.Bundle, *generate.Program, error) {
	folder := ""
	if !strings.HasPrefix(name, bundle.Scheme) {
		var err error
		if folder, err = targets.Folder([]string{name}); err != nil {
			return bundle.Artifact{}, nil, nil, err
		}
	}
	options, err := a.open(c.Flags(), set, folder)
	if err != nil {
		return bundle.Artifact{}, nil, nil, err
	}
	artifact, b, err := options.OpenBundle(c.Context(), name)
	if err != nil {
		return artifact, nil, nil, err
	}
	s := generate.Source{Base: options.Base}
	p, _ := generate.Load(c.Context(), s, generate.Input{Template: name, Text: name, Bundle: b}) // its values are for verify to judge
	return artifact, b, p, cli.ProgramError(p.Err, "")
}

func (a *app) inspect(c *cobra.Command, name string) error {
	artifact, b, p, err := a.readBundle(c, settings.Compiler|settings.Registries, name)
	if err != nil {
		return err
	}
	r := bundles.Inspect(name, artifact, b, p)
	a.Result = r
	if a.WantsJSON() {
		return nil
	}
	return cli.FailWith(cli.ExitIO, r.WriteText(a.Stdout))
}

// verified are the settings of verify: what a bundle records is compared.
const verified = settings.Compiler | settings.Recorded | settings.Registries

func newVerify(a *app) *cobra.Command {
	var manifest string
	c := &cobra.Command{
		Use:   "verify bundle.tar | folder | oci://HOST/PATH:TAG [app.bicep | template.json]",
		Short: "Check a bundle, and compare it with its source",
		Long: `Check a bundle: that nothing of it is damaged, that its index calls it by its name, that its list of parameters and its values fit the
template, that it holds no secure value, and that its manifest is what this rad makes of it.

Given the source, the template is compiled again, with the version of Bicep that the bundle
names, and compared byte by byte. Files that differ from those that the bundle was made of are
named. So is what the settings, or the flags that the bundle was made with, say otherwise of
the manifest: its name, namespace, labels, group …

Exit status: 0 all is the same, 1 something differs, 2 errors in the source, 3 wrong usage or
settings, 4 the bundle is damaged or cannot be read.`,
		Example: `  rad bicep bundle app.bicep -p @app.bicepparam -p tag=v1 -o app.tar
  rad bicep verify app.tar
  rad bicep verify app.tar app.bicep`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 && len(args) != 2 {
				return cli.Fail(cli.ExitUsage, "name one bundle, and its template to compare it with")
			}
			return nil
		},
		ValidArgsFunction: cli.CompleteFiles("tar", "bicep", "json"),
		RunE:              func(c *cobra.Command, args []string) error { return a.verify(c, args, manifest) },
	}
	c.Flags().StringVar(&manifest, "name", "", "`NAME` of the manifest, as it was given to bundle")
	settings.AddFlags(a.App, c, verified)
	a.TakesFormat(c, "text", "json")
	return c
}

func (a *app) verify(c *cobra.Command, args []string, manifest string) (err error) {
	name := args[0]
	artifact, b, p, err := a.readBundle(c, verified, name)
	if err != nil {
		return err
	}
	r, err := bundles.Verify(name, artifact, b, p)
	if err != nil {
		return err
	}
	if len(args) == 2 {
		if err := a.compareSource(c, b, args[1], manifest, &r); err != nil {
			return err
		}
	}
	a.Result = r
	if !a.WantsJSON() {
		if err := r.WriteText(a.Stdout); err != nil {
			return cli.FailWith(cli.ExitIO, err)
		}
	}
	if !r.Same {
		return cli.Silent(cli.ExitStale)
	}
	return nil
}

// compareSource compiles the source, and notes how it differs from what the bundle was made of.
func (a *app) compareSource(c *cobra.Command, b *bundle.Bundle, source, name string, r *bundles.Verification) (err error) {
	d, s, err := a.begin(c, verified, []string{source}, nil)
	if err != nil {
		return err
	}
	s.Name = name
	defer func() { err = d.Reporter.End(err) }()
	side := d.Disk()
	list, _, err := targets.List(side, s)
	if err != nil {
		return err
	}
	t := bundles.SourceOf(side, b, list)
	if t == nil {
		return cli.Fail(cli.ExitUsage, "%s: name the template that the bundle was made of", source)
	}
	if err := targets.Check([]*targets.Target{t}, true); err != nil {
		return err
	}
	if t, err = t.OfTemplate(side); err != nil {
		return err
	}
	out := &run.Outcome{Target: t.WithoutValues()} // they do not change the template
	reads := workdir.NewTrace()
	p := out.Load(c.Context(), side.Traced(reads), func(s *generate.Source) {
		s.Base.GeneratorVersion = cmp.Or(s.Base.GeneratorVersion, b.About.Bicep)
	})
	out.Note(p.Found)
	if err := d.Report([]*run.Outcome{out}); err != nil {
		return err
	}
	r.CompareSettings(side, b, t)
	return r.CompareSource(side, b, p, append(reads.Files(), out.Files...))
}
