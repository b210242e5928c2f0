package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/bundle"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/params"
)

// bundleOptions are the flags of bundle that are not settings.
type bundleOptions struct {
	parameters []string
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
				return fail(exitUsage, "name one template, parameter file or bundle")
			}
			return nil
		},
		ValidArgsFunction: completeFiles("bicep", "bicepparam", "json", "tar"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.bundle(c, args[0], &o)
		},
	}
	f := c.Flags()
	addParameters(c, &o.parameters)
	f.StringVarP(&o.outfile, "outfile", "o", "", "`FILE.tar`, folder, or oci://HOST/PATH:TAG (default: beside the template, with the extension .tar)")
	f.StringVar(&o.name, "name", "", "`NAME` of the manifest (default: the template's file name)")
	f.BoolVar(&o.force, "force", false, "replace a tag that exists, or a file or folder that is not a bundle")
	addSettings(c, generateSettings)
	a.takesFormat(c, "text", "json")
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
	g, err := a.newGenerator(c, generateSettings, []string{input}, &generateOptions{parameters: o.parameters, name: o.name})
	if err != nil {
		return err
	}
	options := g.compile
	switch {
	case options.str(keySecureParameters) == "allow":
		return fail(exitUsage, "--secure-parameters allow: a bundle holds no value of a secure parameter; use omit, and give the value to generate-kubernetes-manifest")
	case options.str(keyTarget) != designTarget && options.str(keyTarget) != radiusTarget:
		return fail(exitUsage, "--target %s: a bundle holds a DeploymentTemplate; generate-kubernetes-manifest makes other objects of it", options.str(keyTarget))
	}
	outfile := o.outfile
	if outfile == "" {
		if outfile = strings.TrimSuffix(input, filepath.Ext(input)) + ".tar"; options.isBundle(input) {
			return fail(exitUsage, "--outfile is missing: where to copy the bundle")
		}
	}
	if err := options.checkBundlePlace(outfile, true); err != nil {
		return err
	}
	var artifact bundle.Artifact
	hasManifest := false
	if options.isBundle(input) {
		if len(o.parameters) > 0 || o.name != "" {
			return fail(exitUsage, "%s: a bundle is copied as it is; --parameters and --name are for the template", input)
		}
		var b *bundle.Bundle
		if artifact, b, err = options.openBundle(c.Context(), input); err != nil {
			return err
		}
		hasManifest = len(b.Manifests) > 0
	} else {
		g.options.outfile = outfile
		defer func() { err = g.finish(err) }()
		if err := g.parseMaps(); err != nil {
			return err
		}
		b, err := g.makeBundle(c.Context(), input)
		if err != nil {
			return err
		}
		hasManifest = len(b.Manifests) > 0
		if artifact, err = bundle.Pack(b); err != nil {
			return fail(exitSource, "%s: %w", input, err)
		}
	}
	written, err := options.writeBundle(c.Context(), outfile, artifact, o.force)
	if err != nil {
		return err
	}
	digest := bundle.Digest(artifact.Manifest)
	a.result = bundleResult{slashed(outfile), digest, hasManifest, written}
	if written {
		a.say("Bundle written to %s (%s)", outfile, digest)
	} else {
		a.say("Bundle is up to date at %s (%s)", outfile, digest)
	}
	return nil
}

// isBundle reports whether an argument names a bundle: by its address, its extension, or by
// what the folder holds.
func (o *compileOptions) isBundle(arg string) bool {
	if strings.HasPrefix(arg, bundle.Scheme) || strings.EqualFold(filepath.Ext(arg), ".tar") {
		return true
	}
	info, err := o.bounds.stat(filepath.Join(arg, bundle.LayoutFile))
	return err == nil && info.Mode().IsRegular()
}

// bundlePlace returns the place in a registry that an address names.
func (o *compileOptions) bundlePlace(address string) bundle.Place {
	return bundle.Place{Address: address, Artifacts: o.base.Artifacts}
}

// checkBundlePlace refuses names to which no bundle can be read or written, before any work
// is done.
func (o *compileOptions) checkBundlePlace(name string, write bool) error {
	switch {
	case strings.HasPrefix(name, bundle.Scheme):
		if o.base.Artifacts.Offline {
			return fail(exitUsage, "%s: --offline forbids to open a connection", name)
		}
		if o.bool(keyHermetic) {
			return fail(exitUsage, "%s: --hermetic forbids to open a connection", name)
		}
		return failWith(exitUsage, o.bundlePlace(name).Check(write))
	case strings.Contains(name, "://"):
		return fail(exitUsage, "%s: want an archive (.tar), a folder, or oci://HOST/PATH:TAG", redacted(name))
	case name == "-" || slices.Contains([]string{".tgz", ".gz", ".zip"}, strings.ToLower(filepath.Ext(name))):
		return fail(exitUsage, "%s: a bundle is an archive that is not packed (.tar), a folder, or oci://HOST/PATH:TAG", name)
	}
	return nil
}

// openBundle reads a bundle and checks it.
func (o *compileOptions) openBundle(ctx context.Context, name string) (a bundle.Artifact, b *bundle.Bundle, err error) {
	if err := o.checkBundlePlace(name, false); err != nil {
		return a, nil, err
	}
	switch info, statErr := o.bounds.stat(name); {
	case strings.HasPrefix(name, bundle.Scheme):
		a, err = o.bundlePlace(name).Pull(ctx)
	case isMissing(statErr):
		return a, nil, missing("%s: there is no such file and no such folder", name)
	case statErr != nil:
		return a, nil, failWith(exitIO, statErr)
	case info.IsDir():
		a, err = bundle.ReadLayout(func(part string) ([]byte, error) {
			return o.bounds.readFile(filepath.Join(name, filepath.FromSlash(part)))
		})
	default:
		var text []byte
		if text, err = o.bounds.readFile(name); err == nil {
			a, err = bundle.ReadTar(text)
		}
	}
	if err == nil {
		b, err = bundle.Open(a)
	}
	if err != nil && ctx.Err() != nil {
		return a, nil, ctx.Err()
	}
	if err != nil {
		return a, nil, fail(exitIO, "%s: %w", name, err)
	}
	return a, b, nil
}

// writeBundle writes a bundle, and reports whether it was not there already.
func (o *compileOptions) writeBundle(ctx context.Context, name string, a bundle.Artifact, force bool) (written bool, err error) {
	if strings.HasPrefix(name, bundle.Scheme) {
		err := o.bundlePlace(name).Push(ctx, a, force)
		if errors.Is(err, bundle.ErrExists) {
			err = fmt.Errorf("%s exists already; --force replaces it", name)
		}
		return true, failWith(exitIO, err)
	}
	files, err := bundle.Layout(a)
	if err != nil {
		return false, failWith(exitIO, err)
	}
	info, statErr := o.bounds.stat(name)
	if statErr == nil {
		old, _, err := o.openBundle(ctx, name)
		empty := false
		if info.IsDir() {
			entries, e := o.bounds.entries(name)
			empty = e == nil && len(entries) == 0
		}
		if err != nil && !force && !empty {
			return false, fail(exitIO, "%s exists and is not a bundle that can be read; --force replaces it", name)
		}
		if err == nil && string(old.Manifest) == string(a.Manifest) {
			return false, nil
		}
	} else if !isMissing(statErr) {
		return false, failWith(exitIO, statErr)
	}
	if strings.EqualFold(filepath.Ext(name), ".tar") && (statErr != nil || !info.IsDir()) {
		archive, err := bundle.Tar(files)
		if err == nil {
			err = o.bounds.writeFile(name, archive)
		}
		return true, failWith(exitIO, err)
	}
	if statErr == nil && !info.IsDir() {
		return false, fail(exitIO, "%s is a file; name a folder, or an archive by the extension .tar", name)
	}
	return true, failWith(exitIO, o.bounds.writeLayout(name, files))
}

// writeLayout writes the files of a layout into a folder. The index is written last, and the
// blobs of the bundle that was there before are removed.
func (b bounds) writeLayout(folder string, files map[string][]byte) error {
	at := func(name string) string { return filepath.Join(folder, filepath.FromSlash(name)) }
	last := []string{bundle.LayoutFile, "index.json"}
	for name, content := range files {
		if !slices.Contains(last, name) {
			if err := b.writeFile(at(name), content); err != nil {
				return err
			}
		}
	}
	for _, name := range last {
		if err := b.writeFile(at(name), files[name]); err != nil {
			return err
		}
	}
	entries, err := b.entries(at("blobs/sha256"))
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := "blobs/sha256/" + e.Name()
		if _, ok := files[name]; !ok && bundle.IsBlob(name) {
			if err := b.remove(at(name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// manifestRecord says how the manifest in a bundle was made, so that verify can make it again.
type manifestRecord struct {
	Name        string            `json:"name"`
	Namespace   string            `json:"namespace,omitempty"`
	Labels      map[string]string `json:"labels,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
	Group       string            `json:"group,omitempty"`
	AzureScope  string            `json:"azureScope,omitempty"`
	AWSScope    string            `json:"awsScope,omitempty"`
	Target      string            `json:"target"`
	Compact     bool              `json:"compact,omitempty"`
	NoGenerator bool              `json:"dropGenerator,omitempty"`
}

func (m manifestRecord) options() manifest.Options {
	return manifest.Options{
		Name: m.Name, Namespace: m.Namespace, Labels: m.Labels, Annotations: m.Annotations, Group: m.Group, AzureScope: m.AzureScope,
		AWSScope: m.AWSScope, Target: manifest.Target(m.Target), Compact: m.Compact, DropGenerator: m.NoGenerator,
	}
}

func manifestRecordOf(o manifest.Options) manifestRecord {
	return manifestRecord{o.Name, o.Namespace, o.Labels, o.Annotations, o.Group, o.AzureScope, o.AWSScope, string(o.Target), o.Compact, o.DropGenerator}
}

// makeBundle compiles a template and binds the values that are given.
func (g *generator) makeBundle(ctx context.Context, input string) (*bundle.Bundle, error) {
	tasks, err := g.argumentTasks([]string{input})
	if err != nil {
		return nil, err
	}
	if len(tasks) != 1 {
		return nil, fail(exitUsage, "%s: name one template", input)
	}
	t := tasks[0]
	if strings.EqualFold(filepath.Ext(t.input), ".bicepparam") {
		if err := g.useTemplate(t); err != nil {
			return nil, err
		}
	}
	r := &outcome{task: t}
	args, err := t.args()
	if err != nil {
		return nil, err
	}
	traced := *g
	traced.reads = newTrace()
	template, _ := traced.template(ctx, r)
	files := append(traced.reads.files(), r.files...)
	var b *bundle.Bundle
	if !r.failed() {
		b, err = g.fillBundle(ctx, r, args, template, files)
		r.fail(err)
	}
	return b, g.report([]*outcome{r})
}

// useTemplate turns the task of a parameter file into that of the template that it uses, with
// the file as the first of its parameters.
func (g *generator) useTemplate(t *task) error {
	using, err := bicep.Using(g.request(t.input).FS, t.input)
	if err != nil {
		return failWith(exitIO, err)
	}
	if using == "" || !slices.Contains([]string{".bicep", ".json"}, strings.ToLower(filepath.Ext(using))) {
		return fail(exitUsage, "%s: it uses no template that is a file; name the template, and give this file by --parameters", t.arg)
	}
	t.parameters = append([]string{"@" + t.input}, t.parameters...)
	t.input = using
	return nil
}

// fillBundle makes the bundle of a template that was compiled.
func (g *generator) fillBundle(ctx context.Context, r *outcome, args []params.Arg, template compiled, files []string) (*bundle.Bundle, error) {
	b := &bundle.Bundle{Template: template.text}
	b.About.Tool, b.About.Bicep, b.About.Name = version(), generatorOf(template.tree), filepath.Base(template.path)
	var err error
	if b.About.Inputs, b.Lock, err = g.inputs(template.path, files); err != nil {
		return nil, err
	}
	declared := params.Declare(template.tree)
	b.Parameters = parametersOf(declared, template.tree)
	options := g.manifestOptions(r.task)
	if options.Name = g.options.name; options.Name == "" {
		options.Name = b.About.Name
	}
	if err := options.Check(); err != nil {
		return nil, fail(exitUsage, "%s: %w", r.task.arg, err)
	}
	merged, _ := g.merge(ctx, r, args, template, nil, declared, options.Group)
	if r.err != nil {
		return nil, nil
	}
	policy := params.SecurePolicy(g.compile.str(keySecureParameters))
	values, problems := params.Bind(declared, merged, policy)
	r.problems(withoutMissing(problems), template.path)
	var kept params.Values
	for _, v := range values {
		switch {
		case !v.Hidden():
			kept = append(kept, v)
		case policy == "omit":
			g.found.notice(fmt.Sprintf("%s: the value is secret, or computed from the environment, and is left out", v.Name))
		default:
			r.findings = append(r.findings, report.Finding{Path: template.path, Severity: report.Error, Code: params.CodeSecure,
				Message: fmt.Sprintf("The value of %q is computed from the environment, and a bundle holds no such value. Give it to generate-kubernetes-manifest, or leave it out with --secure-parameters omit.", v.Name)})
		}
	}
	if r.failed() {
		return nil, nil
	}
	if len(kept) > 0 {
		b.Values = valuesFile(kept)
	}
	if !complete(declared, merged, kept) {
		g.found.notice("The bundle holds no manifest, since parameters have no value. generate-kubernetes-manifest makes one of it with --parameters.")
		return b, nil
	}
	if b.About.Manifest, err = json.Marshal(manifestRecordOf(options)); err != nil {
		return nil, err
	}
	file, warnings, err := manifestOf(options, template.text, template.tree, declared, kept)
	if err != nil {
		return nil, fail(exitSource, "%s: %w", r.task.arg, err)
	}
	for _, w := range warnings {
		r.findings = append(r.findings, report.Finding{Path: template.path, Severity: report.Warning, Code: w.Code, Message: sentence(w.Text)})
	}
	b.Manifests = []bundle.File{{Name: strings.TrimSuffix(b.About.Name, filepath.Ext(b.About.Name)) + ".yaml", Content: file}}
	return b, nil
}

// complete reports whether all parameters have values: those that need one, and those that
// were given one, which may have been left out.
func complete(declared *params.Declarations, given params.Layer, kept params.Values) bool {
	has := map[string]bool{}
	for _, v := range kept {
		has[v.Name] = true
	}
	for _, d := range declared.All() {
		if d.Required() && !has[d.Name] {
			return false
		}
	}
	return !slices.ContainsFunc(given, func(e params.Entry) bool { return !has[e.Name] })
}

// manifestOf makes the manifest of a template and the values of its parameters.
func manifestOf(o manifest.Options, text []byte, tree *armjson.Object, declared *params.Declarations, values params.Values) ([]byte, []manifest.Warning, error) {
	o.Template, o.Tree, o.Secure = text, tree, declared.SecureNames()
	for _, v := range values {
		o.Parameters = append(o.Parameters, manifest.Parameter{Name: v.Name, Value: v.Value, Reference: v.Reference})
	}
	m, err := manifest.New(o)
	if err != nil {
		return nil, nil, err
	}
	content, err := m.Render(manifest.Format("yaml"))
	return content, m.Warnings, err
}

// valuesFile returns values as an ARM parameter file.
func valuesFile(values params.Values) []byte {
	list := armjson.NewObject()
	for _, v := range values {
		entry := armjson.NewObject()
		if v.Reference != nil {
			entry.Set("reference", v.Reference)
		} else {
			entry.Set("value", v.Value)
		}
		list.Set(v.Name, entry)
	}
	return append(armjson.Append(nil, armjson.NewObject(
		armjson.Member{Key: "$schema", Value: armjson.String("https://schema.management.azure.com/schemas/2019-04-01/deploymentParameters.json#")},
		armjson.Member{Key: "contentVersion", Value: armjson.String("1.0.0.0")},
		armjson.Member{Key: "parameters", Value: list},
	), armjson.Indented), '\n')
}

// generatorOf returns the version of the compiler that a template names.
func generatorOf(template *armjson.Object) string {
	if metadata := template.Object("metadata"); metadata != nil {
		if generator := metadata.Object("_generator"); generator != nil {
			v, _ := generator.Get("version")
			if s, ok := v.(armjson.String); ok {
				return string(s)
			}
		}
	}
	return ""
}

// parametersOf describes the parameters that a template declares.
func parametersOf(declared *params.Declarations, template *armjson.Object) []bundle.Parameter {
	list := []bundle.Parameter{}
	all := template.Object("parameters")
	for _, d := range declared.All() {
		p := bundle.Parameter{Name: d.Name, Type: d.Type(), Required: d.Required(), Secure: d.Secure}
		if o := all.Object(d.Name); o != nil {
			if v, ok := o.Get("defaultValue"); ok && !d.Secure {
				p.Default = rawJSON(v)
			}
			if m := o.Object("metadata"); m != nil {
				if v, _ := m.Get("description"); v != nil {
					if s, ok := v.(armjson.String); ok {
						p.Description = string(s)
					}
				}
			}
		}
		list = append(list, p)
	}
	return list
}

// inputs returns the digests of files that were compiled, and the lock file among them. Their
// names are the same on every machine.
func (g *generator) inputs(template string, files []string) (list []bundle.Input, lock []byte, err error) {
	root := bounds{dir: g.request(template).Root}
	root = newBounds(root.dir)
	cache := g.compile.base.Artifacts.Cache
	if cache == "" {
		if found, err := bicep.FindCache(filepath.Dir(template), g.request(template).Root, ""); err == nil {
			cache = found.Path
		}
	}
	names := map[string]bool{}
	for _, path := range files {
		name := root.relative(path)
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
		content, err := g.compile.bounds.readFile(path)
		if err != nil {
			return nil, nil, failWith(exitIO, err)
		}
		if filepath.Base(path) == bicep.LockName {
			lock = content
		}
		list = append(list, bundle.Input{Path: name, Digest: bundle.Digest(content)})
	}
	slices.SortFunc(list, func(a, b bundle.Input) int { return strings.Compare(a.Path, b.Path) })
	return list, lock, nil
}

// bundleTask returns the task of making a manifest from a bundle.
func (g *generator) bundleTask(arg string) *task {
	t := &task{arg: arg, input: arg, bundle: true, parameters: g.options.parameters, name: g.options.name}
	name := arg
	if strings.HasPrefix(arg, bundle.Scheme) {
		name = bundle.Stem(arg) + ".tar"
	} else if abs, err := filepath.Abs(arg); err == nil {
		t.input = abs
		if !strings.EqualFold(filepath.Ext(arg), ".tar") {
			name = filepath.Clean(arg) + ".tar" // a folder may well have a dot in its name
		}
	}
	t.outfile = g.outfileFor(name)
	return t
}

// bundledTemplate reads the template of a bundle.
func (g *generator) bundledTemplate(ctx context.Context, r *outcome) (c compiled) {
	_, b, err := g.compile.openBundle(ctx, r.task.arg)
	if err != nil {
		r.fail(err)
		return c
	}
	if !strings.HasPrefix(r.task.arg, bundle.Scheme) {
		r.files = append(r.files, r.task.input)
	}
	c.path, c.name, c.text, c.values = r.task.input, b.About.Name, b.Template, b.Values
	if c.tree, err = bicep.ParseTemplate(c.text); err != nil || c.tree.Find("resources") < 0 {
		r.fail(fail(exitIO, "%s: %w", r.task.arg, &bundle.InvalidError{Problem: "its template is not an ARM template"}))
	}
	return c
}
