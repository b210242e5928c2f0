package command

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/bundles"
	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/deliver"
	"github.com/radbicep/rad/cmd/rad/internal/run"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/targets"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep/bundle"
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
	addOnly(a, c, &o.only)
	f.StringVarP(&o.outfile, "outfile", "o", "",
		"`FILE.tar`, folder, or oci://HOST/PATH:TAG (default: beside the template, with the extension .tar)")
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
	d, s, err := a.begin(c, settings.Manifest, []string{input}, o.parameters)
	if err != nil {
		return err
	}
	s.Only, s.Name = o.only, o.name
	options := d.Project
	switch {
	case options.SecureParameters == "allow":
		return cli.Fail(cli.ExitUsage, "--secure-parameters allow: a bundle holds no value of a secure parameter; "+
			"use omit, and give the value to generate-kubernetes-manifest")
	case options.SecureParameters == "reference":
		return cli.Fail(cli.ExitUsage, "--secure-parameters reference: a bundle holds the parameters of a program, "+
			"and references are those of a manifest; use omit, and give reference to generate-kubernetes-manifest")
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
		s.Outfile = outfile
		defer func() { err = d.Reporter.End(err) }()
		b, err := makeBundle(c, d, s)
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
func makeBundle(c *cobra.Command, d *deliver.Delivery, s targets.Selection) (*bundle.Bundle, error) {
	side := d.Disk()
	t, err := one(side, s, "template")
	if err != nil {
		return nil, err
	}
	list := []*targets.Target{t}
	if err = targets.Check(list, true); err == nil {
		err = checkTargetFlags(c.Flags(), false, list)
	}
	if err != nil {
		return nil, err
	}
	if k := t.Kind(); k != nil {
		return nil, cli.Fail(cli.ExitUsage, "%s %s: a bundle holds a DeploymentTemplate; "+
			"generate-kubernetes-manifest makes other objects of it", t.Settings.Where(settings.KeyTarget), k.Name)
	}
	if t, err = t.OfTemplate(side); err != nil {
		return nil, err
	}
	r := &run.Outcome{Target: t}
	b, err := bundles.Make(c.Context(), side, r)
	r.Fail(err)
	return b, d.Report([]*run.Outcome{r})
}
