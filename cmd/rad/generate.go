package main

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/manifest"
)

// generateOptions are the flags of generate-kubernetes-manifest that are not settings.
type generateOptions struct {
	parameters    []string
	outfile       string
	destination   string
	name          string
	labels        []string
	annotations   []string
	check         bool
	diff          string // text or resources, if it is asked for
	watch, force  bool
	failOnChange  bool
	explainValues bool
	noRestore     bool
	ignoreStamp   bool
	deps          string // a dependency file to write
}

var generateSettings = slices.Concat(compilerSettings, manifestSettings, targetSettings)

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
.rad/bicep.yaml lists are written.

--parameters takes these forms; of several values for one parameter, the last wins:

  name=value            a value, which the template's declaration gives its type
  name:=json            a JSON value
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
		ValidArgsFunction: completeFiles("bicep", "bicepparam", "json"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.generate(c, args, &o)
		},
	}
	f := c.Flags()
	f.StringArrayVarP(&o.parameters, "parameters", "p", nil, "values of parameters, repeatable; see above for the `FORMS`")
	f.StringVarP(&o.outfile, "outfile", "o", "", "`FILE` to write, - for stdout (default: beside the template, with the extension .yaml)")
	f.StringVarP(&o.destination, "destination-file", "d", "", "`FILE` to write: --outfile, as released rad spells it")
	f.StringVar(&o.name, "name", "", "`NAME` of the manifest (default: the template's file name)")
	f.StringArrayVar(&o.labels, "label", nil, "label of the manifest, repeatable: `KEY=VALUE`")
	f.StringArrayVar(&o.annotations, "annotation", nil, "annotation of the manifest, repeatable: `KEY=VALUE`")
	f.BoolVar(&o.check, "check", false, "write nothing; exit 1 if a manifest is absent or not up to date")
	f.BoolVar(&o.ignoreStamp, "ignore-generator", false, "with --check and --diff, ignore differences in the compiler's version and hash in the template")
	f.StringVar(&o.diff, "diff", "", "write nothing; show on stderr what would change, as text or by `resources`, and exit 1 if something would")
	f.Lookup("diff").NoOptDefVal = "text"
	f.StringVar(&o.deps, "deps", "", "write the files that were read to `FILE`, as rules for make")
	f.BoolVar(&o.watch, "watch", false, "write again whenever a file changes, until interrupted")
	f.BoolVar(&o.force, "force", false, "replace a file that is not a manifest")
	f.BoolVar(&o.failOnChange, "fail-on-change", false, "exit 1 if a manifest was written, or if git would not commit it as it is, as hooks of pre-commit need")
	f.BoolVar(&o.explainValues, "explain-parameters", false, "show on stderr where the value of each parameter came from")
	f.BoolVar(&o.noRestore, "no-restore", false, "do not fetch modules and extensions from registries")
	addSettings(c, generateSettings)
	completeGenerate(c)
	a.takesFormat(c, "text", "json")
	return c
}

// generate runs the command, again and again with --watch.
func (a *app) generate(c *cobra.Command, args []string, o *generateOptions) error {
	if err := o.validate(c); err != nil {
		return err
	}
	if o.watch && a.wantsJSON() {
		return fail(exitUsage, "--watch: --format json prints one document at the end, and there is no end; use text")
	}
	stdin := a.readStdin()
	run := func() ([]string, error) { return a.generateOnce(c, args, o, stdin) }
	if o.watch {
		return a.watch(c.Context(), run)
	}
	_, err := run()
	return err
}

func (o *generateOptions) validate(c *cobra.Command) error {
	if o.destination != "" {
		if o.outfile != "" {
			return fail(exitUsage, "--outfile and --destination-file are the same; give one")
		}
		o.outfile = o.destination
	}
	changed := c.Flags().Changed
	switch o.diff {
	case "", "text", "resources":
	case "true": // as a flag without a value is written
		o.diff = "text"
	case "false":
		o.diff = ""
	default:
		return fail(exitUsage, "--diff=%s: it is text or resources", o.diff)
	}
	if o.outfile == "" && (changed("outfile") || changed("destination-file")) {
		return fail(exitUsage, "--outfile: the name of a file is missing")
	}
	if o.name == "" && changed("name") {
		return fail(exitUsage, "--name: the name is missing")
	}
	if o.outfile != "" && changed("outdir") {
		return fail(exitUsage, "--outfile and --outdir cannot be used together")
	}
	if o.watch && (o.check || o.diff != "" || o.failOnChange) {
		return fail(exitUsage, "--watch writes until it is interrupted; it cannot be used with --check, --diff or --fail-on-change")
	}
	if o.ignoreStamp && !o.check && o.diff == "" {
		return fail(exitUsage, "--ignore-generator needs --check or --diff")
	}
	if o.deps != "" && (o.outfile == "-" || o.check || o.diff != "") {
		return fail(exitUsage, "--deps needs files to write: it cannot be used with --outfile -, --check or --diff")
	}
	if o.outfile == "-" && (o.check || o.diff != "" || o.watch) {
		return fail(exitUsage, "--outfile -: --check, --diff and --watch need a file")
	}
	return nil
}

// generateOnce makes all manifests once. It returns the files that they depend on,
// as far as it got.
func (a *app) generateOnce(c *cobra.Command, args []string, o *generateOptions, stdin func() ([]byte, error)) (files []string, err error) {
	folder, err := settingsFolder(args)
	if err != nil {
		return nil, err
	}
	defer func() {
		if o.watch && err != nil && len(files) == 0 {
			files = awaited(args, folder, err)
		}
	}()
	g, err := a.newGenerator(c, generateSettings, args, o)
	if err != nil {
		return nil, err
	}
	g.stdin = stdin
	options := g.compile
	options.base.NoRestore = options.base.NoRestore || o.noRestore
	options.base.LineEnds = true
	if strings.ToLower(filepath.Ext(o.outfile)) == ".json" && !options.given(keyOutputFormat) {
		options.viper.Set(keyOutputFormat, "json")
	}
	defer func() { err = g.finish(err) }()
	if options.file.path != "" {
		files = append(files, options.file.path)
	}
	if err := g.parseMaps(); err != nil {
		return files, err
	}
	tasks, err := g.tasks(args)
	if err != nil {
		return files, err
	}
	if g.found.document() {
		format := g.found.printer.Format
		switch {
		case o.diff != "":
			return files, fail(exitUsage, "--diff: it cannot be shown in the format %s; use --check", format)
		case o.explainValues:
			return files, fail(exitUsage, "--explain-parameters: it cannot be shown in the format %s", format)
		case o.watch:
			return files, fail(exitUsage, "--watch: the format %s is one document that is printed at the end, and there is no end; use text", format)
		}
	}
	if err := g.checkTargetFlags(tasks); err != nil {
		return files, err
	}
	if o.outfile != "-" && !o.check && o.diff == "" && (a.changing == nil || !a.changing.again) {
		what := "DeploymentTemplate resource"
		if k := g.objectTarget(tasks[0]); k != nil {
			what = k.what
		}
		g.say("Generating %s...", what)
	}
	files = append(files, g.folders...)
	outcomes := g.makeAll(c.Context(), tasks)
	if a.changing.hasChanged(c.Context()) {
		return files, errChanged
	}
	made := outcomes
	defer func() { // after the manifests were written
		if o.watch {
			files = append(files, settingsPlaces(folder)...)
		}
		for _, r := range made {
			files = append(files, r.files...)
			if o.watch && r.reads != nil {
				files = append(files, r.reads.looked()...)
				files = append(files, r.reads.folders()...)
			}
		}
	}()
	if err := c.Context().Err(); err != nil {
		return files, err
	}
	if err := g.report(outcomes); err != nil {
		return files, err
	}
	if err := checkCollisions(outcomes); err != nil {
		return files, err
	}
	if outcomes, err = g.spread(outcomes); err != nil {
		return files, err
	}
	err = g.deliver(c.Context(), outcomes)
	var f *failure
	if o.deps != "" && (err == nil || errors.As(err, &f) && f.status == exitStale) {
		if e := g.writeDeps(outcomes); e != nil {
			err = e
		}
	}
	return files, err
}

// parseMaps reads --label and --annotation, which add to those of the settings.
func (g *generator) parseMaps() (err error) {
	if g.labels, err = parseMap("label", g.options.labels); err != nil {
		return err
	}
	if g.annotations, err = parseMap("annotation", g.options.annotations); err != nil {
		return err
	}
	g.labels = mergeMaps(g.compile.file.Labels, g.labels)
	g.annotations = mergeMaps(g.compile.file.Annots, g.annotations)
	return nil
}

func parseMap(flag string, list []string) (map[string]string, error) {
	out := map[string]string{}
	for _, one := range list {
		k, v, ok := strings.Cut(one, "=")
		if !ok || k == "" {
			return nil, fail(exitUsage, "--%s %s: want KEY=VALUE", flag, one)
		}
		out[k] = v
	}
	return out, nil
}

// outcome is what became of one task.
type outcome struct {
	task     *task
	manifest *manifest.Manifest // nil if objects are made
	target   *objectTarget      // nil if a DeploymentTemplate is made
	objects  []*manifest.Object
	comments []string // on the objects
	folder   string   // that the object goes to with others
	content  []byte
	private  bool     // the content holds secrets
	hidden   []string // the parameters that are as secret as a secure one
	findings []report.Finding
	missing  []report.Finding // on what was not read, where that is not an error
	notices  []string
	explain  []explained
	files    []string
	reads    *trace // what was read, if that is asked for
	err      error  // the work could not be done

	delivered manifestResult // what --format json says of the manifest

	asCompiled bool // findings are the compiler's, without what manifests demand
}

// fail notes why the work could not be done, beside what else went wrong.
func (r *outcome) fail(err error) { r.err = errors.Join(r.err, err) }

func (r *outcome) failed() bool { return r.err != nil || report.AnyError(r.findings) }

// makeAll makes the manifests of all tasks, as many at a time as there are processors.
func (g *generator) makeAll(ctx context.Context, tasks []*task) []*outcome {
	outcomes := make([]*outcome, len(tasks))
	if len(tasks) == 1 {
		outcomes[0] = g.makeOne(ctx, tasks[0])
		return outcomes
	}
	made := g.countOn(len(tasks))
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, t := range tasks {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			outcomes[i] = g.makeOne(ctx, t)
			made(t.input)
		})
	}
	wg.Wait()
	return outcomes
}

func (g *generator) makeOne(ctx context.Context, t *task) (r *outcome) {
	r = &outcome{task: t}
	defer func() {
		if v := recover(); v != nil {
			r.err = &bicep.InternalError{File: t.input, Fault: v, Stack: debug.Stack()}
		}
	}()
	if r.err = ctx.Err(); r.err != nil {
		return r
	}
	if g.options.deps == "" && !g.options.watch {
		g.make(ctx, r)
		return r
	}
	traced := *g
	traced.reads = newTrace()
	traced.make(ctx, r)
	r.reads = traced.reads
	return r
}

// report prints what was found, in the order of the tasks. It fails if one of them did.
func (g *generator) report(outcomes []*outcome) error {
	seen := map[report.Finding]bool{}
	var broken []error
	status := 0
	for _, r := range outcomes {
		for _, n := range r.notices {
			g.found.notice(n)
		}
		r.findings = g.compile.judge(r.findings)
		var fresh []report.Finding
		for _, f := range r.findings {
			if !seen[f] {
				seen[f] = true
				fresh = append(fresh, f)
			}
		}
		if err := g.found.add(fresh); err != nil {
			return failWith(exitIO, err)
		}
		if len(r.explain) > 0 {
			g.say("Parameters:")
		}
		for _, one := range r.explain {
			g.say("  %s", one)
		}
		if r.err != nil {
			broken = append(broken, r.err)
			var f *failure
			if errors.As(r.err, &f) {
				status = max(status, f.status)
			} else {
				status = max(status, exitIO)
			}
		} else if report.AnyError(r.findings) {
			status = max(status, exitSource)
		}
	}
	if len(broken) > 0 {
		return &failure{status: status, err: errors.Join(broken...)}
	}
	if status != 0 {
		return silent(status)
	}
	return nil
}

// checkCollisions refuses manifests that would replace each other in the cluster.
func checkCollisions(outcomes []*outcome) error {
	seen := map[string]*task{}
	for _, r := range outcomes {
		for _, id := range r.identities() {
			other, ok := seen[id.key]
			switch {
			case ok && r.manifest != nil:
				return fail(exitUsage, "%s and %s give manifests of one name, %s, in one namespace; make one of them in a run of its own with --name, or name both in the targets of %s", other.place(), r.task.place(), id.shown, settingsName)
			case ok:
				return fail(exitUsage, "%s and %s both give the object %s; give one of them another --namespace in a run of its own, or in the targets of %s", other.place(), r.task.place(), id.shown, settingsName)
			}
			seen[id.key] = r.task
		}
	}
	return nil
}

// display returns a path as messages show it: relative to where the user is.
func (g *generator) display(path string) string { return g.compile.display(path) }

func (o *compileOptions) display(path string) string {
	if !filepath.IsAbs(path) {
		return path
	}
	if rel, err := filepath.Rel(o.cwd, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}
