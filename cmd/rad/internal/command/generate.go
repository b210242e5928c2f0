package command

import (
	"context"
	"errors"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/deliver"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/run"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/watch"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/manifest"
)

// generateOptions are the flags of generate-kubernetes-manifest that are not settings.
type generateOptions struct {
	project.Flags
	destination string
	deliver.Options
	explainValues bool
	noRestore     bool
	deps          string // a dependency file to write
}

func newGenerate(a *app) *cobra.Command {
	var o generateOptions
	c := &cobra.Command{
		Use:   "generate-kubernetes-manifest [app.bicep | template.json | app.bicepparam | folder | 'glob']...",
		Short: "Write the DeploymentTemplate manifest of a template and its parameters",
		Long: `Write the DeploymentTemplate manifest of a Bicep template and its parameters, for
kubectl apply, Flux or Argo CD.

An argument is a .bicep file, an ARM .json template, or a .bicepparam file, whose
'using' names the template. A folder stands for its .bicepparam files, and for those of
its .bicep files that no other file in it uses. Without arguments, the targets that
.rad/bicep.yaml lists are written. The template or parameter file of such a target stands
for it, with its outfile, name and parameters; if several targets have it, for all of
them, of which --only chooses. What the command line says counts more.

--parameters takes these forms; of several values for one parameter, the last wins:

  name=value            a value, which the template's declaration gives its type
  name:=json            a JSON value
  name.property=value   a property of an object: of what is given before, or of the default; with := too
  name=@file.json       the JSON value in a file
  name=@text:file       the text of a file
  name=@env:NAME        the value of an environment variable; with --hermetic, --allow-env has to name it
  name=@@text           a text that begins with @
  @file.json            an ARM parameter file, or a plain object of names and values
  file.bicepparam       a Bicep parameter file, also as @file.bicepparam
  @-                    standard input, as @file.json

The files of a repository cannot make this command disclose anything else. Files are read only
below the project root, which is --root, RAD_BICEP_ROOT, the user's settings, the git work tree
or else the template's folder. No link leads out of it, for reading or for writing. The file
.rad/bicep.yaml cannot name a program or a file outside. What you name here may be anywhere.

Exit status: 0 done, 1 not up to date (--check, --diff, --fail-on-change), 2 errors in the
source or the parameters, 3 wrong usage or settings, 4 files or the external compiler.

Settings can be written in .rad/bicep.yaml and in the environment: --output-format is
outputFormat there, and RAD_BICEP_OUTPUT_FORMAT here. A flag comes before the environment,
and that before the file.`,
		Example: `  rad bicep generate-kubernetes-manifest app.bicep --parameters @app.bicepparam --parameters tag=latest
  rad bicep generate-kubernetes-manifest app.bicepparam --outfile app.yaml
  rad bicep generate-kubernetes-manifest app.bicep -p tag=latest -p port=3000 --outfile -
  rad bicep generate-kubernetes-manifest app.bicep -p tag=latest -p port=3000 --check --diff
  rad bicep generate-kubernetes-manifest deploy/ --outdir manifests`,
		Aliases:           []string{"gkm"},
		ValidArgsFunction: cli.CompleteFiles("bicep", "bicepparam", "json"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.generate(c, args, &o)
		},
	}
	f := c.Flags()
	f.StringArrayVarP(&o.Parameters, "parameters", "p", nil, "values of parameters, repeatable; see above for the `FORMS`")
	f.StringVarP(&o.Outfile, "outfile", "o", "", "`FILE` to write, - for stdout (default: beside the template, with the extension .yaml)")
	f.StringVarP(&o.destination, "destination-file", "d", "", "`FILE` to write: --outfile, as released rad spells it")
	f.StringVar(&o.Name, "name", "", "`NAME` of the manifest (default: the template's file name)")
	f.StringArray("label", nil, "label of the manifest, repeatable: `KEY=VALUE`")
	f.StringArray("annotation", nil, "annotation of the manifest, repeatable: `KEY=VALUE`")
	addOnly(a, c, &o.Only)
	f.BoolVar(&o.Check, "check", false, "write nothing; exit 1 if a manifest is absent, not up to date, or of no target any more")
	f.BoolVar(&o.Prune, "prune", false, "delete the manifests, in folders of the targets, that no target makes any more")
	f.BoolVar(&o.IgnoreStamp, "ignore-generator", false, "with --check and --diff, ignore differences in the compiler's version and hash in the template")
	f.StringVar(&o.Diff, "diff", "", "write nothing; show on stderr what would change, as text or by `resources`, and exit 1 if something would")
	f.Lookup("diff").NoOptDefVal = "text"
	f.StringVar(&o.deps, "deps", "", "write the files that were read to `FILE`, as rules for make")
	f.BoolVar(&o.Watch, "watch", false, "write again whenever a file changes, until interrupted")
	f.BoolVar(&o.Force, "force", false, "replace a file that is not a manifest")
	f.BoolVar(&o.FailOnChange, "fail-on-change", false, "exit 1 if a manifest was written, or if git would not commit it as it is, as hooks of pre-commit need")
	f.BoolVar(&o.explainValues, "explain-parameters", false, "show on stderr where the value of each parameter came from")
	f.BoolVar(&o.noRestore, "no-restore", false, "do not fetch modules and extensions from registries")
	settings.AddFlags(a.App, c, settings.Generate)
	completeGenerate(a, c)
	a.TakesFormat(c, "text", "json")
	return c
}

// generate runs the command, again and again with --watch.
func (a *app) generate(c *cobra.Command, args []string, o *generateOptions) error {
	if err := o.validate(c); err != nil {
		return err
	}
	if o.Watch && a.WantsJSON() {
		return cli.Fail(cli.ExitUsage, "--watch: --format json prints one document at the end, and there is no end; use text")
	}
	stdin := a.readStdin()
	run := func() ([]string, error) { return a.generateOnce(c, args, o, stdin) }
	if o.Watch {
		return a.watch(c, run)
	}
	_, err := run()
	return err
}

func (o *generateOptions) validate(c *cobra.Command) error {
	if o.destination != "" {
		if o.Outfile != "" {
			return cli.Fail(cli.ExitUsage, "--outfile and --destination-file are the same; give one")
		}
		o.Outfile = o.destination
	}
	changed := c.Flags().Changed
	switch o.Diff {
	case "", "text", "resources":
	case "true": // as a flag without a value is written
		o.Diff = "text"
	case "false":
		o.Diff = ""
	default:
		return cli.Fail(cli.ExitUsage, "--diff=%s: it is text or resources", o.Diff)
	}
	if o.Name == "" && changed("name") {
		return cli.Fail(cli.ExitUsage, "--name: the name is missing")
	}
	if o.Outfile != "" && changed("outdir") {
		return cli.Fail(cli.ExitUsage, "--outfile and --outdir cannot be used together")
	}
	if o.Watch && (o.Check || o.Diff != "" || o.FailOnChange) {
		return cli.Fail(cli.ExitUsage, "--watch writes until it is interrupted; it cannot be used with --check, --diff or --fail-on-change")
	}
	if o.Prune && (o.Watch || o.Check || o.Diff != "") {
		return cli.Fail(cli.ExitUsage, "--prune deletes files; it cannot be used with --check, --diff or --watch")
	}
	if o.IgnoreStamp && !o.Check && o.Diff == "" {
		return cli.Fail(cli.ExitUsage, "--ignore-generator needs --check or --diff")
	}
	if o.deps != "" && (o.Outfile == "-" || o.Check || o.Diff != "") {
		return cli.Fail(cli.ExitUsage, "--deps needs files to write: it cannot be used with --outfile -, --check or --diff")
	}
	if o.Outfile == "-" && (o.Check || o.Diff != "" || o.Watch) {
		return cli.Fail(cli.ExitUsage, "--outfile -: --check, --diff and --watch need a file")
	}
	return nil
}

// generateOnce makes all manifests once. It returns the files that they depend on,
// as far as it got.
func (a *app) generateOnce(c *cobra.Command, args []string, o *generateOptions, stdin func() ([]byte, error)) (files []string, err error) {
	folder, err := project.SettingsFolder(args)
	if err != nil {
		return nil, err
	}
	defer func() {
		if o.Watch && err != nil && len(files) == 0 {
			files = awaited(args, folder, err)
		}
	}()
	g, err := a.newGenerator(c, settings.Generate, args, o)
	if err != nil {
		return nil, err
	}
	g.Work.Stdin = stdin
	options := g.Project
	options.Base.NoRestore = options.Base.NoRestore || o.noRestore
	options.Base.LineEnds = true
	if strings.ToLower(filepath.Ext(o.Outfile)) == ".json" && !options.Given(settings.KeyOutputFormat) {
		options.OutputFormat = "json"
	}
	defer func() { err = g.Found.End(err) }()
	if err := g.checkHeader(o); err != nil {
		return nil, err
	}
	if options.File.Path != "" {
		files = append(files, options.File.Path)
		a.watcher.Saw(options.File.Path)
	}
	if err := o.checkFormat(g.Found); err != nil {
		return nil, err
	}
	tasks, err := g.Targets(args)
	if o.Watch {
		files = append(files, g.Named(args)...)
	}
	if err != nil {
		return files, err
	}
	if g.Options.Listing = g.WholeListing(args); o.Prune && g.Options.Listing == "" {
		return files, cli.Fail(cli.ExitUsage, "--prune deletes what no target of %s makes any more; it cannot be used with arguments, --only or --outfile", settings.FileName)
	}
	if err := g.checkTargetFlags(tasks); err != nil {
		return nil, err
	}
	g.sayBegin(o, tasks[0])
	outcomes := g.makeAll(c.Context(), tasks)
	if a.watcher.HasChanged(c.Context()) {
		return files, watch.ErrChanged
	}
	made := outcomes
	defer func() { files = append(files, o.readFor(made)...) }() // after the manifests were written
	a.noteRead(made)
	if err := g.Stopped(c.Context(), outcomes); err != nil {
		return files, err
	}
	if err := g.Report(outcomes); err != nil {
		return files, err
	}
	if err := deliver.CheckCollisions(outcomes); err != nil {
		return files, err
	}
	if outcomes, err = g.Spread(outcomes); err != nil {
		return files, err
	}
	err = g.Deliver(c.Context(), outcomes)
	var f *cli.Failure
	if o.deps != "" && (err == nil || errors.As(err, &f) && f.Status == cli.ExitStale) {
		if e := g.WriteDeps(o.deps, outcomes); e != nil {
			err = e
		}
	}
	return files, err
}

// sayBegin says that the manifests are being made, where a line about it is not in the way.
func (g *generator) sayBegin(o *generateOptions, first *project.Target) {
	if o.Outfile == "-" || o.Check || o.Diff != "" || g.Brief() {
		return
	}
	what := "DeploymentTemplate resource"
	if k := first.Kind(); k != nil {
		what = k.What
	}
	g.Found.Say("Generating %s...", what)
}

// checkFormat refuses what cannot be shown where findings are one document.
func (o *generateOptions) checkFormat(found *cli.Reporter) error {
	format := found.Printer.Format
	switch {
	case !found.Document():
	case o.Diff != "":
		return cli.Fail(cli.ExitUsage, "--diff: it cannot be shown in the format %s; use --check", format)
	case o.explainValues:
		return cli.Fail(cli.ExitUsage, "--explain-parameters: it cannot be shown in the format %s", format)
	case o.Watch:
		return cli.Fail(cli.ExitUsage, "--watch: the format %s is one document that is printed at the end, and there is no end; use text", format)
	}
	return nil
}

// checkHeader refuses --header where manifests are JSON, which has no comments. If only the format is one
// of the command line, the manifests have no header, and that is said.
func (g *generator) checkHeader(o *generateOptions) error {
	if !g.Project.Header || g.Project.OutputFormat != string(manifest.JSON) {
		return nil
	}
	where := g.Project.Where(settings.KeyHeader)
	switch named := strings.EqualFold(filepath.Ext(o.Outfile), ".json"); {
	case g.Project.Changed(settings.KeyHeader) || !named && !g.Project.Changed(settings.KeyOutputFormat):
		return cli.Fail(cli.ExitUsage, "%s: JSON has no comments, and the output format is json; use yaml, or leave the header out", where)
	}
	g.Found.Notice(where + ": the output has no header, since JSON has no comments")
	return nil
}

// readFor returns the files that outcomes depend on.
func (o *generateOptions) readFor(outcomes []*deliver.Outcome) (files []string) {
	for _, r := range outcomes {
		files = append(files, r.Files...)
		if o.Watch && r.Reads != nil {
			files = append(files, r.Reads.Looked()...)
			files = append(files, r.Reads.Folders()...)
		}
	}
	return files
}

// noteRead tells --watch what was seen of files before they were read, so that it sees what has become of them since.
func (a *app) noteRead(outcomes []*deliver.Outcome) {
	for _, r := range outcomes {
		if a.watcher != nil && r.Reads != nil {
			a.watcher.SawAll(r.Reads.Before())
		}
	}
}

// makeAll makes the manifests of all tasks, several at a time.
func (g *generator) makeAll(ctx context.Context, tasks []*project.Target) []*deliver.Outcome {
	made := g.CountOn(len(tasks))
	outcomes := make([]*deliver.Outcome, len(tasks))
	for i, r := range run.Each(tasks, run.Workers(len(tasks)), func(t *project.Target) *deliver.Outcome {
		defer made(t.Input)
		return g.makeOne(ctx, t)
	}) {
		outcomes[i] = r
	}
	return outcomes
}

func (g *generator) makeOne(ctx context.Context, t *project.Target) (r *deliver.Outcome) {
	r = &deliver.Outcome{Target: t}
	defer func() {
		if v := recover(); v != nil {
			r.Err = &bicep.InternalError{File: t.Input, Fault: v, Stack: debug.Stack()}
		}
	}()
	if r.Err = ctx.Err(); r.Err != nil {
		return r
	}
	defer g.app.Working(t.Arg)()
	if g.flags.deps == "" && !g.Options.Watch {
		g.make(ctx, r)
		return r
	}
	reads := workdir.NewTrace()
	if g.Options.Watch {
		reads.NoteStates()
	}
	traced := g.traced(reads)
	traced.make(ctx, r)
	r.Reads = traced.Reads
	return r
}
