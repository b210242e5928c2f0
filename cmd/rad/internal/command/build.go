package command

import (
	"cmp"
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/compile"
	"github.com/radbicep/rad/cmd/rad/internal/deliver"
	"github.com/radbicep/rad/cmd/rad/internal/linting"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/releases"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// buildOptions are the flags that build, build-params and lint have in common
// with the official compiler's commands of those names.
type buildOptions struct {
	compile.Places
	stdout    bool
	noRestore bool
	bicepFile string
	deps      string        // a dependency file to write
	rules     deliver.Rules // its content
	tally     *cli.Tally    // counts what lint finds
	lint      *linting.Options
	from      string // the first release of --compare-versions
}

func (o *buildOptions) addInput(a *app, c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&o.Pattern, "pattern", "", "take all files that match the glob `PATTERN`")
	f.BoolVar(&o.noRestore, "no-restore", false, "do not fetch modules and extensions from registries")
	settings.AddFlags(a.App, c, settings.Compiler)
}

func (o *buildOptions) addOutput(c *cobra.Command) {
	f := c.Flags()
	f.BoolVar(&o.stdout, "stdout", false, "print the output to stdout")
	f.StringVar(&o.Outfile, "outfile", "", "write the output to `FILE`")
	f.StringVar(&o.Outdir, "outdir", "", "write the output into the folder `DIR`")
	_ = c.MarkFlagFilename("outfile", "json")
	_ = c.MarkFlagDirname("outdir")
}

func (o *buildOptions) addDeps(c *cobra.Command) {
	c.Flags().StringVar(&o.deps, "deps", "", "write the files that were read to `FILE`, as rules for make")
}

func newBuild(a *app) *cobra.Command {
	var o buildOptions
	c := &cobra.Command{
		Use:   "build [file.bicep]",
		Short: "Compile a .bicep file into an ARM template",
		Long: `Compile a .bicep file into an ARM template, as the official 'bicep build' does: the same
flags, the same output, status 1 when there are errors. Without an output flag the template
goes to the file of the same name with the extension .json.`,
		Example: `  rad bicep build app.bicep
  rad bicep build app.bicep --stdout
  rad bicep build --pattern 'modules/**/*.bicep' --outdir out
  rad bicep build --compare-versions 0.46.1 0.49.2 modules`,
		Args: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed(compareVersions) {
				return nil
			}
			return oneFile(c, args)
		},
		Annotations:       map[string]string{cli.DropIn: "build"},
		ValidArgsFunction: cli.CompleteFiles("bicep"),
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed(compareVersions) {
				return a.compareVersions(c, args, &o)
			}
			return a.build(c, args, &o, ".bicep")
		},
	}
	o.addOutput(c)
	o.addDeps(c)
	o.addInput(a, c)
	c.Flags().StringVar(&o.from, compareVersions, "",
		"write nothing; tell what changes from one release of Bicep to another: `A` B FILE...; exit 1 if anything but stamps does")
	a.CompleteFlag(c, compareVersions, cobra.FixedCompletions(bicep.Releases(), cobra.ShellCompDirectiveNoFileComp))
	return c
}

const compareVersions = "compare-versions"

// compareVersions compares what two releases make of files, folders and globs.
func (a *app) compareVersions(c *cobra.Command, args []string, o *buildOptions) error {
	from, to, args, err := releases.Choose(o.from, args)
	if err != nil {
		return err
	}
	for _, flag := range []string{"stdout", "outfile", "outdir", "deps", "bicep-version"} {
		if c.Flags().Changed(flag) {
			return cli.Fail(cli.ExitUsage, "--%s and --%s cannot be used together", compareVersions, flag)
		}
	}
	files, err := lintFiles(args)
	if err != nil {
		return err
	}
	jobs, others, err := o.Jobs(files, "")
	if err = cmp.Or(err, others); err != nil {
		return err
	}
	options, err := a.open(c.Flags(), settings.Compiler, folderOf(jobs))
	if err != nil {
		return err
	}
	if len(jobs) == 0 {
		return cli.Fail(cli.ExitUsage, "no file matches --pattern %s", o.Pattern)
	}
	if options.External {
		return cli.Fail(cli.ExitUsage, "--%s needs the embedded compiler", compareVersions)
	}
	r := compile.Run{Project: options, Base: options.Base}
	r.Base.NoRestore = r.Base.NoRestore || o.noRestore
	differs, err := releases.Compare(c.Context(), a.App, r, from, to, jobs)
	if err == nil && differs {
		err = cli.Silent(cli.ExitSource)
	}
	return cli.FailWith(cli.ExitIO, err)
}

func newBuildParams(a *app) *cobra.Command {
	var o buildOptions
	c := &cobra.Command{
		Use:   "build-params [file.bicepparam]",
		Short: "Compile a .bicepparam file into an ARM parameter file",
		Long: `Compile a .bicepparam file into an ARM parameter file, as the official 'bicep build-params'
does. With --stdout, one JSON object holds the parameters and the template they are for.
BICEP_PARAMETERS_OVERRIDES may hold a JSON object of values that replace the file's.`,
		Example: `  rad bicep build-params app.bicepparam
  rad bicep build-params app.bicepparam --stdout
  rad bicep build-params app.bicepparam --outfile app.parameters.json`,
		Args:              oneFile,
		Annotations:       map[string]string{cli.DropIn: "build-params"},
		ValidArgsFunction: cli.CompleteFiles("bicepparam"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.build(c, args, &o, ".bicepparam")
		},
	}
	o.addOutput(c)
	o.addDeps(c)
	c.Flags().StringVar(&o.bicepFile, "bicep-file", "", "make sure that `FILE` is the template that the parameter file uses")
	o.addInput(a, c)
	return c
}

// oneFile refuses several files, and says what takes them.
func oneFile(_ *cobra.Command, args []string) error {
	if len(args) > 1 {
		return cli.Fail(cli.ExitUsage, "%s and %s: one file at a time; --pattern takes several", args[0], args[1])
	}
	return nil
}

// build runs build, build-params (ext tells which), or lint (ext is "").
func (a *app) build(c *cobra.Command, args []string, o *buildOptions, ext string) error {
	if err := o.validate(); err != nil {
		return err
	}
	jobs, others, err := o.Jobs(args, ext)
	if err != nil {
		return err
	}
	if len(args) > 0 {
		for _, j := range jobs {
			if err := project.CheckExtension(j.Input, ext); err != nil {
				return err
			}
		}
	}
	options, err := a.open(c.Flags(), settings.Compiler, folderOf(jobs))
	if err != nil {
		return err
	}
	r := &compile.Run{Project: options, Base: options.Base, BicepFile: o.bicepFile, Traced: o.deps != ""}
	r.Base.NoRestore = r.Base.NoRestore || o.noRestore
	r.Base.DiagnoseOnly, r.Base.HideEnvironment = ext == "", ext == ""
	// As text, files are named in full, as the official compiler does.
	found := a.reporterFor(options, "")
	if ext == "" && found.Printer.Format != report.Text {
		found.ToStdout()
	}
	found.Tally = o.tally
	if len(jobs) == 0 && others == nil {
		found.Notice("Warning: no file matches --pattern " + o.Pattern)
	}
	if o.lint == nil {
		err = a.buildAll(c.Context(), r, jobs, o, ext, found)
	} else {
		err = linting.Run(c.Context(), a.App, r, o.lint, jobs, found)
	}
	if others != nil && (err == nil || err.Error() == "") {
		err = others
	}
	err = found.Finish(err)
	if o.tally != nil && found.Printer.Format == report.Text && !a.Quiet {
		o.tally.Print(a.Stderr, len(jobs))
	}
	return cli.FailWith(cli.ExitIO, err)
}

// folderOf returns the folder of the first job, whose settings count; "" if there is none.
func folderOf(jobs []compile.Job) string {
	if len(jobs) == 0 {
		return ""
	}
	return filepath.Dir(jobs[0].Input)
}

// buildAll compiles the files, and reports and writes them one after the other. Errors in
// one of them are not a reason to leave out the next.
func (a *app) buildAll(ctx context.Context, c *compile.Run, jobs []compile.Job, o *buildOptions, ext string, found *cli.Reporter) error {
	failed, options := false, c.Project
	written := map[string]bool{} // the outputs so far, by outputName
	for i, outcome := range c.All(ctx, jobs) {
		if outcome.Err == nil && outcome.Early && compile.ReadsAny(outcome.Result, written) {
			// It was compiled before a file was written that it reads.
			outcome = c.One(ctx, jobs[i], false)
		}
		j, result := jobs[i], outcome.Result
		if outcome.Err != nil {
			return outcome.Err
		}
		if o.deps != "" {
			o.rules.Add(options.Shown(j.Output), outcome.Reads)
		}
		broken, err := found.Take(result)
		if err != nil {
			return err
		}
		if broken {
			failed = true
		} else if ext != "" {
			if err := a.emit(j, o, options.Bounds, ext, result); err != nil {
				return err
			}
			written[compile.OutputName(j.Output)] = true
		}
	}
	if failed {
		return cli.Silent(cli.ExitSource)
	}
	if o.deps != "" {
		return o.rules.WriteMade(options, o.deps)
	}
	return nil
}

func (o *buildOptions) validate() error {
	both := func(a, b string) error { return cli.Fail(cli.ExitUsage, "--%s and --%s cannot be used together", a, b) }
	switch {
	case o.deps != "" && o.stdout:
		return both("deps", "stdout")
	case o.Pattern != "" && o.stdout:
		return both("pattern", "stdout")
	case o.Pattern != "" && o.Outfile != "":
		return both("pattern", "outfile")
	case o.Pattern != "" && o.bicepFile != "":
		return both("pattern", "bicep-file")
	case o.stdout && o.Outdir != "":
		return both("stdout", "outdir")
	case o.stdout && o.Outfile != "":
		return both("stdout", "outfile")
	case o.Outdir != "" && o.Outfile != "":
		return both("outdir", "outfile")
	}
	return nil
}

// emit writes the output of one job.
func (a *app) emit(j compile.Job, o *buildOptions, area workdir.Bounds, ext string, r *bicep.Result) error {
	params := ext == ".bicepparam"
	if o.stdout {
		text := r.Template
		if params {
			text = paramsStdout(r)
		}
		return a.WriteResult(text)
	}
	if params {
		return area.WriteFile(j.Output, r.Parameters)
	}
	return area.WriteFile(j.Output, r.Template)
}

// paramsStdout returns the object that `build-params --stdout` prints.
func paramsStdout(r *bicep.Result) []byte {
	out := armjson.AppendString([]byte(`{"parametersJson":`), string(r.Parameters))
	out = append(out, `,"templateJson":`...)
	if r.Template != nil {
		out = armjson.AppendString(out, string(r.Template))
	} else {
		out = append(out, "null"...)
	}
	out = append(out, `,"templateSpecId":`...)
	if r.TemplateSpec != "" {
		out = armjson.AppendString(out, r.TemplateSpec)
	} else {
		out = append(out, "null"...)
	}
	return append(out, '}')
}
