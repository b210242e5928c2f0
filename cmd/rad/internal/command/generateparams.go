package command

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/compile"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/pkg/bicep"
)

// generateParamsOptions are the flags of generate-params.
type generateParamsOptions struct {
	buildOptions
	outputFormat, includeParams string
}

var (
	paramsFormats  = []string{"json", "bicepparam"}
	paramsIncluded = []string{"requiredonly", "all"}
)

func newGenerateParams(a *app) *cobra.Command {
	var o generateParamsOptions
	c := &cobra.Command{
		Use:   "generate-params [file.bicep]",
		Short: "Write a parameter file for a template, with values to fill in",
		Long: `Write a parameter file for a .bicep file, as the official 'bicep generate-params' does: each
required parameter with a value of its type to fill in, and with --include-params all each
other one with its default. What an existing ARM parameter file says of the parameters is kept.`,
		Example: `  rad bicep generate-params app.bicep
  rad bicep generate-params app.bicep --output-format bicepparam --include-params all`,
		Args:              oneFile,
		Annotations:       map[string]string{cli.DropIn: "generate-params"},
		ValidArgsFunction: cli.CompleteFiles("bicep"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.generateParams(c, args, &o)
		},
	}
	o.addOutput(c)
	f := c.Flags()
	f.BoolVar(&o.noRestore, "no-restore", false, "do not fetch modules and extensions from registries")
	f.StringVar(&o.outputFormat, "output-format", "json", "`FORM` of the file: json or bicepparam")
	f.StringVar(&o.includeParams, "include-params", "requiredonly", "`WHICH` parameters to write: requiredonly or all")
	settings.AddFlags(a.App, c, settings.Checker)
	a.CompleteFlag(c, "output-format", cobra.FixedCompletions(paramsFormats, cobra.ShellCompDirectiveNoFileComp))
	a.CompleteFlag(c, "include-params", cobra.FixedCompletions(paramsIncluded, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func (a *app) generateParams(c *cobra.Command, args []string, o *generateParamsOptions) error {
	if err := o.validate(); err != nil {
		return err
	}
	if err := oneOf(c, "output-format", o.outputFormat, paramsFormats); err != nil {
		return err
	}
	if err := oneOf(c, "include-params", o.includeParams, paramsIncluded); err != nil {
		return err
	}
	if len(args) == 0 {
		return cli.Fail(cli.ExitUsage, "name a .bicep file")
	}
	jobs, _, err := o.Jobs(args, ".bicep")
	if err != nil {
		return err
	}
	j := jobs[0]
	if err := project.CheckExtension(j.Input, ".bicep"); err != nil {
		return err
	}
	want := bicep.ParamsFile{Bicepparam: strings.EqualFold(o.outputFormat, "bicepparam"), All: strings.EqualFold(o.includeParams, "all")}
	if o.Outfile == "" {
		// The compiled template, NAME.json, is another file.
		extension := ".parameters.json"
		if want.Bicepparam {
			extension = ".bicepparam"
		}
		j.Output = strings.TrimSuffix(j.Output, ".json") + extension
	}
	options, err := a.open(c.Flags(), settings.Checker, filepath.Dir(j.Input))
	if err != nil {
		return err
	}
	r := options.Request(options.Base, j.Input)
	r.NoRestore = r.NoRestore || o.noRestore
	if !o.stdout && !want.Bicepparam {
		if want.Existing, _, err = options.Bounds.Existing(j.Output); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return cli.FailWith(cli.ExitIO, err)
		}
	}
	found := a.reporterFor(options, "")
	result, err := a.Advise(bicep.Embedded{}.GenerateParams(c.Context(), r, want))
	if err == nil {
		err = a.writeParams(result, j, o, options, found)
	}
	return cli.FailWith(cli.ExitIO, found.Finish(err))
}

// writeParams reports what was found, and writes the file unless that is an error.
func (a *app) writeParams(result *bicep.Result, j compile.Job,
	o *generateParamsOptions, options *project.Project, found *cli.Reporter) error {
	switch failed, err := found.Take(result); {
	case err != nil:
		return err
	case failed:
		return cli.Silent(cli.ExitSource)
	case o.stdout:
		return a.WriteResult(result.Parameters)
	}
	return cli.FailWith(cli.ExitIO, options.Bounds.WriteFile(j.Output, result.Parameters))
}
