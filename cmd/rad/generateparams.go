package main

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"
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

// checkerSettings are those of commands that check a program and need no template.
var checkerSettings = slices.DeleteFunc(slices.Clone(compilerSettings), func(s setting) bool {
	return slices.Contains([]string{keyCompiler, keyTimeout, keyRequiredVersion, keyGeneratorVersion, keyHermetic, keyAllowEnv}, s.key)
})

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
		Annotations:       map[string]string{dropIn: "generate-params"},
		ValidArgsFunction: completeFiles("bicep"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.generateParams(c, args, &o)
		},
	}
	o.addOutput(c)
	f := c.Flags()
	f.BoolVar(&o.noRestore, "no-restore", false, "do not fetch modules and extensions from registries")
	f.StringVar(&o.outputFormat, "output-format", "json", "`FORM` of the file: json or bicepparam")
	f.StringVar(&o.includeParams, "include-params", "requiredonly", "`WHICH` parameters to write: requiredonly or all")
	addSettings(c, checkerSettings)
	_ = c.RegisterFlagCompletionFunc("output-format", cobra.FixedCompletions(paramsFormats, cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("include-params", cobra.FixedCompletions(paramsIncluded, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func (a *app) generateParams(c *cobra.Command, args []string, o *generateParamsOptions) error {
	if err := o.validate(); err != nil {
		return err
	}
	if err := oneOf("output-format", o.outputFormat, paramsFormats); err != nil {
		return err
	}
	if err := oneOf("include-params", o.includeParams, paramsIncluded); err != nil {
		return err
	}
	if len(args) == 0 {
		return fail(exitUsage, "name a .bicep file")
	}
	jobs, err := o.jobs(args)
	if err != nil {
		return err
	}
	j := jobs[0]
	if err := checkExtension(j.input, ".bicep"); err != nil {
		return err
	}
	want := bicep.ParamsFile{Bicepparam: strings.EqualFold(o.outputFormat, "bicepparam"), All: strings.EqualFold(o.includeParams, "all")}
	if o.outfile == "" {
		// The compiled template, NAME.json, is another file.
		extension := ".parameters.json"
		if want.Bicepparam {
			extension = ".bicepparam"
		}
		j.output = strings.TrimSuffix(j.output, ".json") + extension
	}
	options, err := a.newCompileOptions(c.Flags(), checkerSettings, filepath.Dir(j.input))
	if err != nil {
		return err
	}
	options.base.NoRestore = options.base.NoRestore || o.noRestore
	if !o.stdout && !want.Bicepparam {
		if want.Existing, _, err = options.bounds.existing(j.output); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return failWith(exitIO, err)
		}
	}
	found := a.newReporter(options, "")
	result, err := a.advise(bicep.Embedded{}.GenerateParams(c.Context(), options.request(j.input), want))
	if err == nil {
		err = a.writeParams(result, j, o, options, found)
	}
	if e := found.finish(); e != nil && err == nil {
		err = e
	}
	return failWith(exitIO, err)
}

// writeParams reports what was found, and writes the file unless that is an error.
func (a *app) writeParams(result *bicep.Result, j job, o *generateParamsOptions, options *compileOptions, found *reporter) error {
	for _, n := range result.Notices {
		found.notice(n)
	}
	findings := options.judge(result.Findings)
	if err := found.add(findings); err != nil {
		return err
	}
	switch {
	case report.AnyError(findings):
		return silent(exitSource)
	case o.stdout:
		_, err := a.stdout.Write(result.Parameters)
		return err
	}
	return failWith(exitIO, options.bounds.writeFile(j.output, result.Parameters))
}
