package command

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/deliver"
	"github.com/radbicep/rad/cmd/rad/internal/krm"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/run"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/targets"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/generate"
)

func newFn(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "fn",
		Short: "Generate manifests as a function of kustomize and kpt (KRM)",
		Long: `Read a ResourceList from standard input, add the manifests that its functionConfig
describes, and print the list. kustomize runs it as a generator, kpt as a function.

The functionConfig is an object of the kind ` + krm.FnKind + ` (` + krm.FnVersion + `). Its
spec is one target as .rad/bicep.yaml lists them, or has a list of them under targets:
template, parameters, name, namespace, group, target, environment, application, labels,
annotations. A ConfigMap with the same keys in its data is understood, too; there each line
of parameters is one. Paths are relative to the working directory, which is the folder of
the kustomization. A manifest replaces the object of its name in the list.

Errors are reported on stderr, and in the results of the list, with file and line. The
environment is closed to parameter files, as by --hermetic; --hermetic=false opens it.`,
		Example:     `  printf '{kind: ResourceList, functionConfig: {kind: BicepManifest, spec: {template: app.bicepparam}}}' | rad bicep fn`,
		Args:        cobra.NoArgs,
		Annotations: map[string]string{cli.Protocol: "kustomize"},
		RunE:        func(c *cobra.Command, _ []string) error { return a.fn(c) },
	}
	settings.AddFlags(a.App, c, settings.Manifest)
	return c
}

// fn runs the function. The list is printed whatever happens, with the results in it.
func (a *app) fn(c *cobra.Command) error {
	text, err := workdir.ReadText(a.Stdin)
	if err != nil {
		return cli.Fail(cli.ExitIO, "standard input: %w", err)
	}
	list, err := krm.Read(text)
	if err != nil {
		return cli.Fail(cli.ExitUsage, "standard input: %w", err)
	}
	outcomes, err := a.generateFor(c, list)
	if err == nil {
		for _, r := range outcomes {
			if err = list.Put(r.Content); err != nil {
				break
			}
		}
	}
	list.Tell(outcomes, err)
	if printErr := list.Print(a.Stdout); printErr != nil {
		return cli.FailWith(cli.ExitIO, printErr)
	}
	return err
}

// generateFor makes the manifests that the function's configuration describes.
func (a *app) generateFor(c *cobra.Command, list *krm.List) ([]*run.Outcome, error) {
	listed, place, err := list.Targets()
	if err != nil {
		return nil, cli.Fail(cli.ExitUsage, "%s: %w", krm.Config, err)
	}
	d, err := a.beginFor(c, settings.Caller{Closes: map[string]any{settings.KeyHermetic: true}})
	if err != nil {
		return nil, err
	}
	file := &settings.File{Path: krm.Config, List: place, Targets: listed}
	if err := targets.Permit(d.Project, file); err != nil {
		return nil, err
	}
	return a.makeFor(c, d, targets.Selection{ListFile: file})
}

// beginFor is begin for a program that runs this one.
func (a *app) beginFor(c *cobra.Command, caller settings.Caller) (*deliver.Delivery, error) {
	process := project.Process{App: a.App, Stdin: func() ([]byte, error) { return nil, errors.New("it is not read for parameters here") }}
	o, err := project.Open(process, c.Flags(), settings.Manifest, "", caller)
	if err != nil {
		return nil, err
	}
	return &deliver.Delivery{Project: o, Console: a.App, Reporter: a.reporterFor(o, o.Cwd)}, nil
}

// makeFor makes manifests for a program that runs this one, writes no file, and reports what was found.
func (a *app) makeFor(c *cobra.Command, d *deliver.Delivery, s targets.Selection) ([]*run.Outcome, error) {
	s.Outfile = "-"
	side := d.Disk()
	list, _, err := toWrite(side, s)
	if err == nil {
		err = checkTargetFlags(c.Flags(), false, list)
	}
	if err != nil {
		return nil, err
	}
	outcomes, err := (&maker{app: a, side: side, ask: func(*generate.Source) {}}).make(c.Context(), d, list)
	return outcomes, d.Reporter.End(err)
}
