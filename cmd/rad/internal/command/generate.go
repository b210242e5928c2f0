package command

import (
	"cmp"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/deliver"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/run"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/targets"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/generate"
	"github.com/radbicep/rad/pkg/manifest"
)

// generateOptions are the flags of generate-kubernetes-manifest that are not settings.
type generateOptions struct {
	parameters    []string
	outfile, name string
	destination   string
	only          []string
	deliver.Options
	explainValues bool
	noRestore     bool
	requirements  bool
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
	f.StringArrayVarP(&o.parameters, "parameters", "p", nil, "values of parameters, repeatable; see above for the `FORMS`")
	f.StringVarP(&o.outfile, "outfile", "o", "", "`FILE` to write, - for stdout (default: beside the template, with the extension .yaml)")
	f.StringVarP(&o.destination, "destination-file", "d", "", "`FILE` to write: --outfile, as released rad spells it")
	f.StringVar(&o.name, "name", "", "`NAME` of the manifest (default: the template's file name)")
	f.StringArray("label", nil, "label of the manifest, repeatable: `KEY=VALUE`")
	f.StringArray("annotation", nil, "annotation of the manifest, repeatable: `KEY=VALUE`")
	addRecipes(c)
	addOnly(a, c, &o.only)
	f.BoolVar(&o.Check, "check", false, "write nothing; exit 1 if a manifest is absent, not up to date, or of no target any more")
	f.BoolVar(&o.Prune, "prune", false, "delete the manifests, in folders of the targets, that no target makes any more")
	f.BoolVar(&o.IgnoreStamp, "ignore-generator", false,
		"with --check and --diff, ignore differences in the compiler's version and hash in the template")
	f.StringVar(&o.Diff, "diff", "",
		"write nothing; show on stderr what would change, as text or by `resources`, and exit 1 if something would")
	f.Lookup("diff").NoOptDefVal = "text"
	f.StringVar(&o.deps, "deps", "", "write the files that were read to `FILE`, as rules for make")
	f.BoolVar(&o.Watch, "watch", false, "write again whenever a file changes, until interrupted")
	f.BoolVar(&o.Force, "force", false, "replace a file that is not a manifest")
	f.BoolVar(&o.FailOnChange, "fail-on-change", false,
		"exit 1 if a manifest was written, or if git would not commit it as it is, as hooks of pre-commit need")
	f.BoolVar(&o.explainValues, "explain-parameters", false, "show on stderr where the value of each parameter came from")
	f.BoolVar(&o.requirements, "requirements", false,
		"print what has to be in the cluster for the objects, instead of them (--target aso): CRDs, a role, credentials")
	f.BoolVar(&o.noRestore, "no-restore", false, "do not fetch modules, extensions and recipes from registries")
	settings.AddFlags(a.App, c, settings.Generate)
	completeGenerate(a, c)
	a.TakesFormat(c, "text", "json")
	return c
}

// addRecipes adds the flags that say what stands for a cluster of Radius.
func addRecipes(c *cobra.Command) {
	f := c.Flags()
	const kubernetes = " (--target kubernetes)"
	f.String("recipes", "", "Bicep or JSON `FILE` that declares environments and recipe packs of Radius"+kubernetes)
	f.StringArray("recipe-source", nil, "file of a recipe that packs name, repeatable: `SOURCE=PATH`, without its tag"+kubernetes)
	f.StringArray("assume", nil, "what a resource of Radius has, repeatable: `TYPE/NAME.PROPERTY=VALUE`, or := with JSON"+kubernetes)
	_ = c.MarkFlagFilename("recipes", "bicep", "bicepparam", "json")
}

// generate runs the command, again and again with --watch.
func (a *app) generate(c *cobra.Command, args []string, o *generateOptions) error {
	if err := o.validate(c); err != nil {
		return err
	}
	if o.Watch && a.WantsJSON() {
		return cli.Fail(cli.ExitUsage, "--watch: --format json prints one document at the end, and there is no end; use text")
	}
	once := func() ([]string, error) { return a.generateOnce(c, args, o) }
	if o.Watch {
		return a.watch(c, once)
	}
	_, err := once()
	return err
}

func (o *generateOptions) validate(c *cobra.Command) error {
	if o.destination != "" {
		if o.outfile != "" {
			return cli.Fail(cli.ExitUsage, "--outfile and --destination-file are the same; give one")
		}
		o.outfile = o.destination
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
	compares := o.Check || o.Diff != ""
	if o.requirements {
		if compares || o.Watch || o.Prune || o.FailOnChange || o.deps != "" || changed("outdir") || changed("output-format") ||
			o.outfile != "" && o.outfile != "-" {
			return cli.Fail(cli.ExitUsage, "--requirements prints YAML; it cannot be used with flags about files or other forms")
		}
		o.outfile = "-"
	}
	switch {
	case o.name == "" && changed("name"):
		return cli.Fail(cli.ExitUsage, "--name: the name is missing")
	case o.outfile != "" && changed("outdir"):
		return cli.Fail(cli.ExitUsage, "--outfile and --outdir cannot be used together")
	case o.Watch && (compares || o.FailOnChange):
		return cli.Fail(cli.ExitUsage, "--watch writes until it is interrupted; it cannot be used with --check, --diff or --fail-on-change")
	case o.Prune && (o.Watch || compares):
		return cli.Fail(cli.ExitUsage, "--prune deletes files; it cannot be used with --check, --diff or --watch")
	case o.IgnoreStamp && !compares:
		return cli.Fail(cli.ExitUsage, "--ignore-generator needs --check or --diff")
	case o.deps != "" && (o.outfile == "-" || compares):
		return cli.Fail(cli.ExitUsage, "--deps needs files to write: it cannot be used with --outfile -, --check or --diff")
	case o.outfile == "-" && (compares || o.Watch):
		return cli.Fail(cli.ExitUsage, "--outfile -: --check, --diff and --watch need a file")
	}
	return nil
}

// generateOnce makes all manifests once. It returns the files that --watch has to look at.
func (a *app) generateOnce(c *cobra.Command, args []string, o *generateOptions) (files []string, err error) {
	d, s, err := a.begin(c, settings.Generate, args, o.parameters)
	if err == nil {
		if d.File.Path != "" {
			a.watcher.Saw(d.File.Path)
		}
		s.Outfile, s.Name, s.Only, d.Options = o.outfile, o.name, o.only, o.Options
		var made []*run.Outcome
		made, err = a.generateAll(c, d, s, o)
		err = d.Reporter.End(err)
		files = o.readFor(d, made)
	}
	if o.Watch && err != nil && len(files) == 0 {
		files = awaited(args, err)
	}
	return files, err
}

// generateAll lists the targets, makes their manifests and delivers them.
func (a *app) generateAll(c *cobra.Command, d *deliver.Delivery, s targets.Selection, o *generateOptions) (made []*run.Outcome, err error) {
	if err := o.check(d); err != nil {
		return nil, err
	}
	side := d.Disk()
	list, seen, err := toWrite(side, s)
	if d.Seen = seen; err != nil {
		return nil, err
	}
	others := func(t *targets.Target) bool { return !t.Kind().OfAnyKind() } // a folder may hold those of other runs
	if o.Prune && seen.CompleteFolder() == "" && (d.Outdir == "" || slices.ContainsFunc(list, others)) {
		return nil, cli.Fail(cli.ExitUsage, "--prune deletes what no target of %s makes any more; it cannot be used with arguments, "+
			"--only or --outfile, but for the folder --outdir of --target %s", settings.FileName, settings.KubernetesTarget)
	}
	if err := checkTargetFlags(c.Flags(), o.Diff == "resources", list); err != nil {
		d.Seen = nil // no file can repair it
		return nil, err
	}
	o.sayBegin(d, list[0])
	m := &maker{app: a, side: side, explain: o.explainValues, traced: o.Watch || o.deps != "", watched: o.Watch,
		apart: d.Outdir != "" && !o.requirements}
	m.ask = func(s *generate.Source) {
		s.Base.NoRestore, s.Base.LineEnds, s.Base.Advice = s.Base.NoRestore || o.noRestore, true, bicep.AdviceToDeploy
	}
	if made, err = m.make(c.Context(), d, list); err != nil {
		return made, err
	}
	if o.requirements {
		r, err := requirements(made)
		if err != nil {
			return made, err
		}
		return made, d.Deliver(c.Context(), []*run.Outcome{r})
	}
	out, err := d.Spread(made)
	if err != nil {
		return made, err
	}
	err = d.Deliver(c.Context(), out)
	var f *cli.Failure
	if o.deps != "" && (err == nil || errors.As(err, &f) && f.Status == cli.ExitStale) {
		err = cmp.Or(d.WriteDeps(o.deps, out), err)
	}
	return made, err
}

// toWrite returns the targets of a command that writes manifests.
func toWrite(side project.Side, s targets.Selection) ([]*targets.Target, *targets.Seen, error) {
	list, seen, err := targets.List(side, s)
	if err == nil {
		list, err = targets.ToWrite(side, s, list)
	}
	if err == nil {
		err = targets.Check(list, true)
	}
	return list, seen, err
}

// sayBegin says that the manifests are being made, where a line about it is not in the way.
func (o *generateOptions) sayBegin(d *deliver.Delivery, first *targets.Target) {
	if o.outfile == "-" || o.Check || o.Diff != "" || d.Brief() {
		return
	}
	what := "DeploymentTemplate resource"
	if k := first.Kind(); k != nil {
		what = k.What
	}
	d.Reporter.Say("Generating %s...", what)
}

// check refuses what cannot be made or shown, whatever the targets are.
func (o *generateOptions) check(d *deliver.Delivery) error {
	if err := o.checkHeader(d); err != nil {
		return err
	}
	return o.checkFormat(d.Reporter)
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
		return cli.Fail(cli.ExitUsage,
			"--watch: the format %s is one document that is printed at the end, and there is no end; use text", format)
	}
	return nil
}

// checkHeader refuses --header where manifests are JSON, which has no comments. If only the format is one
// of the command line, the manifests have no header, and that is said.
func (o *generateOptions) checkHeader(d *deliver.Delivery) error {
	named := strings.EqualFold(filepath.Ext(o.outfile), ".json")
	if !d.Header || d.OutputFormat != string(manifest.JSON) && (!named || d.Given(settings.KeyOutputFormat)) {
		return nil
	}
	where := d.Where(settings.KeyHeader)
	if d.Changed(settings.KeyHeader) || !named && !d.Changed(settings.KeyOutputFormat) {
		return cli.Fail(cli.ExitUsage, "%s: JSON has no comments, and the output format is json; use yaml, or leave the header out", where)
	}
	d.Reporter.Notice(where + ": the output has no header, since JSON has no comments")
	return nil
}

// readFor returns the files that decide what a run makes, as far as it got. Nothing was read if a mistake of the command
// line ended it.
func (o *generateOptions) readFor(d *deliver.Delivery, made []*run.Outcome) (files []string) {
	if d.Seen == nil || !o.Watch {
		return nil
	}
	if files = d.Seen.Files(); d.File.Path != "" {
		files = append(files, d.File.Path)
	}
	for _, r := range made { // after the manifests were written
		files = append(files, r.Files...)
		if r.Reads != nil {
			files = append(files, r.Reads.Looked()...)
			files = append(files, r.Reads.Folders()...)
		}
	}
	return files
}

// noteRead tells --watch what was seen of files before they were read, so that it sees what has become of them since.
func (a *app) noteRead(outcomes []*run.Outcome) {
	for _, r := range outcomes {
		if a.watcher != nil && r.Reads != nil {
			a.watcher.SawAll(r.Reads.Before())
		}
	}
}
