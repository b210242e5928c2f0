package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/manifest/aso"
	"github.com/radbicep/rad/pkg/manifest/crossplane"
	"github.com/radbicep/rad/pkg/manifest/objects"
	"github.com/radbicep/rad/pkg/params"
)

// objectTarget is a target that is made from the resources of a program: everything that
// the command has to know about it.
type objectTarget struct {
	name string
	what string // its objects, as messages call them
	// settings are those that only some targets have. The texts of them are the options
	// that convert gets.
	settings []setting
	convert  func(objects.Input) (*objects.Output, error)
	owns     func(manifest.Head) bool
	// existing says that the target is about existing resources, so that one which nothing
	// refers to is not superfluous.
	existing bool
}

// The targets that make a DeploymentTemplate.
const (
	designTarget = string(manifest.Design)
	radiusTarget = string(manifest.Radius)
)

// objectTargets are the targets beside those that make a DeploymentTemplate. A target is one
// entry here, and a package.
var objectTargets = []objectTarget{
	{
		name: "aso", what: "Azure Service Operator objects", convert: aso.Convert, owns: aso.Owns,
		settings: append([]setting{
			{aso.ReconcilePolicy, aso.Policies[0], aso.Policies, "what Azure Service Operator does with the resources, by `POLICY`: manage, skip or detach-on-delete"},
			{aso.CredentialFrom, "", nil, "secret that holds Azure Service Operator's credential for the resources: `NAME`"},
		}, targetContextSettings...),
	},
	{
		name: "crossplane", what: "Crossplane objects", convert: crossplane.Convert, owns: crossplane.Owns, existing: true,
		settings: append([]setting{
			{crossplane.CapiPaused, false, nil, "pause the objects of Cluster API that are made for clusters of AKS and EKS"},
		}, targetContextSettings...),
	},
}

// targetContextSettings are contextSettings, with the targets that they are for.
var targetContextSettings = func() []setting {
	list := slices.Clone(contextSettings)
	for i := range list {
		list[i].help += " (--target aso, crossplane)"
	}
	return list
}()

// targetNames are the values of --target.
var targetNames = func() []string {
	list := []string{designTarget, radiusTarget}
	for _, t := range objectTargets {
		list = append(list, t.name)
	}
	return list
}()

// targetSettings are the settings that only some targets have.
var targetSettings = func() []setting {
	var list []setting
	for _, t := range objectTargets {
		for _, s := range t.settings {
			if !slices.ContainsFunc(list, func(o setting) bool { return o.key == s.key }) {
				list = append(list, s)
			}
		}
	}
	return list
}()

// templateOnly are the flags that say something about a DeploymentTemplate only.
var templateOnly = []string{"group", "compact", "generator-metadata", "ignore-generator"}

// objectTarget returns the target of a task, or nil if it makes a DeploymentTemplate.
func (g *generator) objectTarget(t *task) *objectTarget {
	name := t.target
	if name == "" {
		name = g.compile.str(keyTarget)
	}
	for i := range objectTargets {
		if objectTargets[i].name == name {
			return &objectTargets[i]
		}
	}
	return nil
}

// checkTargetFlags refuses flags that no task has a use for.
func (g *generator) checkTargetFlags(tasks []*task) error {
	used := map[string]bool{}
	templates, objects := false, false
	for _, t := range tasks {
		k := g.objectTarget(t)
		if k == nil {
			templates = true
			continue
		}
		objects = true
		for _, s := range k.settings {
			used[s.flag()] = true
		}
	}
	changed := g.compile.flags.Changed
	for _, s := range targetSettings {
		if !changed(s.flag()) || used[s.flag()] {
			continue
		}
		var names []string
		for _, t := range objectTargets {
			if slices.ContainsFunc(t.settings, func(o setting) bool { return o.key == s.key }) {
				names = append(names, "--target "+t.name)
			}
		}
		return fail(exitUsage, "--%s needs %s", s.flag(), orList(names))
	}
	for _, name := range templateOnly {
		if changed(name) && !templates {
			return fail(exitUsage, "--%s is about a DeploymentTemplate; it has no meaning with --target %s", name, g.objectTarget(tasks[0]).name)
		}
	}
	if g.options.diff == "resources" && objects {
		return fail(exitUsage, "--diff=resources compares DeploymentTemplates; use --diff")
	}
	return nil
}

// option returns a setting of a target as a task or the settings have it.
func (g *generator) option(t *task, key string) string {
	if v, ok := t.options[key]; ok && !g.compile.flags.Changed(kebab(key)) {
		return v
	}
	return g.compile.str(key)
}

// makeObjects makes the objects of one task: compile, bind the parameters, expand, convert.
func (g *generator) makeObjects(ctx context.Context, r *outcome, k *objectTarget) {
	t := r.task
	r.target = k
	args, err := t.args()
	if err != nil {
		r.err = err
		return
	}
	at := *g
	at.symbolic = true // only the symbolic form names existing resources
	template, own := at.template(ctx, r)
	in := objects.Input{
		Name: t.name, Namespace: t.namespace, Labels: mergeMaps(g.labels, t.labels), Annotations: mergeMaps(g.annotations, t.annotations),
		Secure: map[string]bool{}, Vault: map[string]bool{}, Options: map[string]string{},
	}
	if in.Name == "" {
		in.Name = filepath.Base(template.path)
	}
	if in.Namespace == "" {
		in.Namespace = g.compile.str(keyNamespace)
	}
	for _, s := range k.settings {
		in.Options[s.key] = g.option(t, s.key)
	}
	if err := manifest.CheckMetadata(in.Namespace, in.Labels, in.Annotations); err != nil {
		r.fail(fail(exitUsage, "%s: %w", t.arg, err))
	}
	x, err := g.targetContext(t)
	if err != nil {
		r.fail(err)
	} else if template.tree != nil {
		all := func(string) bool { return true }
		if err := checkContext(x, template.tree, all); err != nil && g.compile.str(keyAzureScope) == "" {
			r.fail(fail(exitUsage, "%s: %w", t.arg, err))
		}
	}
	if r.failed() {
		return
	}
	declared := params.Declare(template.tree)
	merged, incomplete := at.merge(ctx, r, args, template, own, declared, "")
	if r.err != nil {
		return
	}
	values, problems := params.Bind(declared, merged, params.SecurePolicy(g.compile.str(keySecureParameters)))
	problems = slices.DeleteFunc(problems, func(p params.Problem) bool {
		return (p.Code == params.CodeMissing || p.Code == params.CodeSecure && p.Warning) && (incomplete || isSecure(declared, p.Parameter))
	})
	r.problems(problems, template.path)
	if g.options.explainValues {
		r.explain = explain(declared, merged, values)
	}
	if report.AnyError(g.compile.judge(r.findings)) {
		return
	}
	for _, v := range values {
		in.Vault[v.Name] = v.Reference != nil
	}
	for _, d := range declared.All() {
		in.Secure[d.Name] = d.Secure
	}
	if scope := bicep.TemplateScope(template.tree); x.SubscriptionID == "" && (scope == "resourceGroup" || scope == "subscription") {
		in.Missing = append(in.Missing, objects.OptionSubscription)
	}
	if x.ResourceGroup == "" && bicep.TemplateScope(template.tree) == "resourceGroup" {
		in.Missing = append(in.Missing, objects.OptionGroup)
	}
	failing, ok := r.expand(&in, values, template, x)
	if ok {
		g.convert(r, &in, template, failing)
	}
}

// convert makes the objects of a program that was expanded, or says why there are none.
// failing says that its deployment would fail, which is reported.
func (g *generator) convert(r *outcome, in *objects.Input, template compiled, failing bool) {
	k := r.target
	out, err := k.convert(*in)
	if err != nil {
		r.fail(fail(exitUsage, "%s: %w", r.task.arg, err))
		return
	}
	if failing { // what cannot be evaluated is not known for that reason alone
		out.Problems = slices.DeleteFunc(out.Problems, func(p objects.Problem) bool { return p.Code == objects.CodeUnknown && len(p.Missing) == 0 })
	}
	if len(out.Objects) == 0 && len(out.Problems) == 0 && !failing {
		out.Refuse(bicep.Position{}, "no-objects", "the file has no resources that %s are made of", k.what)
	}
	r.addFindings(out, template.path)
	if len(out.Problems) > 0 || failing {
		if !failing && !slices.ContainsFunc(out.Problems, func(p objects.Problem) bool { return len(p.Missing) == 0 }) {
			r.fail(silent(exitUsage)) // only flags are missing
		}
		return
	}
	r.objects, r.comments = out.Objects, out.Comments
	if g.compile.str(keyOutputFormat) == string(manifest.JSON) && g.compile.str(keyOutdir) == "" {
		r.notices = append(r.notices, r.comments...) // JSON has no comments
	}
	if r.content, err = manifest.RenderObjects(out.Objects, out.Comments, manifest.Format(g.compile.str(keyOutputFormat))); err != nil {
		r.err = err
	}
}

// expand predicts what is deployed: as it is written, without the values of secure parameters, and
// as it may be shown, without those of the environment too. failing says that a deployment
// would fail; ok is false if nothing can be predicted.
func (r *outcome) expand(in *objects.Input, values params.Values, template compiled, x bicep.ExpandContext) (failing, ok bool) {
	expand := func(secret func(*params.Bound) bool) (*bicep.Expansion, error) {
		given := map[string]bicep.ExpandParameter{}
		for _, v := range values {
			given[v.Name] = bicep.ExpandParameter{Value: v.Value, Reference: v.Reference, Secret: secret(&v)}
		}
		return bicep.Expand(template.tree, bicep.ExpandOptions{Parameters: given, Context: x, Places: template.places, Tolerant: true, SecretsApart: true})
	}
	find := func(at bicep.Position, message string) {
		failing = true
		r.findings = append(r.findings, positioned(at, template.path, report.Finding{Severity: report.Error, Code: "cannot-expand", Message: sentence(message)}))
	}
	var err error
	if in.Shown, err = expand((*params.Bound).Hidden); err != nil {
		r.findings = append(r.findings, expandFinding(err, template.path))
		return true, false
	}
	for _, d := range in.Shown.Diagnostics {
		if d.Level == "Warning" {
			find(d.Position, d.Message)
		}
	}
	in.Program = in.Shown
	if !slices.ContainsFunc(values, func(v params.Bound) bool { return v.Hidden() && !v.Secret() }) {
		return failing, true
	}
	const why = "the deployment would fail because of a value of the environment, which is not shown"
	if in.Program, err = expand((*params.Bound).Secret); err != nil {
		var e *bicep.ExpandError
		if errors.As(err, &e) {
			find(e.Position, why)
		} else {
			find(bicep.Position{}, why)
		}
		return true, false
	}
	for _, d := range in.Program.Diagnostics {
		if d.Level == "Warning" && !failing {
			find(d.Position, why)
		}
	}
	return failing, true
}

func isSecure(declared *params.Declarations, name string) bool {
	for _, d := range declared.All() {
		if d.Name == name {
			return d.Secure
		}
	}
	return false
}

// targetContext returns what flags, settings and a listed target say of the deployment.
func (g *generator) targetContext(t *task) (bicep.ExpandContext, error) {
	for _, s := range contextSettings {
		if v := g.option(t, s.key); strings.ContainsAny(v, "/\\ \t\r\n") {
			return bicep.ExpandContext{}, fail(exitUsage, "--%s %q: want a name or an ID without slashes and blanks", s.flag(), v)
		}
	}
	x, err := g.expandContext(t)
	x.RadiusGroup = t.group // that of the flag is about a DeploymentTemplate
	return x, err
}

// addFindings adds what a target found.
func (r *outcome) addFindings(out *objects.Output, path string) {
	add := func(level report.Severity, list []objects.Problem) {
		for _, p := range list {
			text := sentence(p.Message)
			if help := targetRemedy(p); help != "" {
				text += " " + sentence(help)
			}
			r.findings = append(r.findings, positioned(p.Position, path, report.Finding{Severity: level, Code: p.Code, Message: text}))
		}
	}
	add(report.Error, out.Problems)
	add(report.Warning, out.Warnings)
}

// positioned gives a finding its place: that in the source, or else the template.
func positioned(at bicep.Position, path string, f report.Finding) report.Finding {
	f.Path = path
	if at.File != "" {
		f.Path, f.Start = at.File, source.Position{Line: at.Line, Column: at.Column}
	}
	return f
}

// spread makes one outcome for each object where objects go to a folder.
func (g *generator) spread(outcomes []*outcome) ([]*outcome, error) {
	dir := g.compile.str(keyOutdir)
	format := manifest.Format(g.compile.str(keyOutputFormat))
	var out []*outcome
	seen := map[string]*task{}
	for _, r := range outcomes {
		if r.target == nil || dir == "" || r.task.ownOutfile || g.options.outfile != "" {
			out = append(out, r)
			continue
		}
		for _, line := range r.comments {
			g.found.notice(line)
		}
		alike := map[string]int{} // objects of one kind and name, in several groups
		for _, o := range r.objects {
			alike[o.Kind+"-"+o.Called()]++
		}
		for _, o := range r.objects {
			t := *r.task
			file := o.Kind + "-" + o.Called()
			if alike[file] > 1 {
				file = o.Kind + "." + o.Group() + "-" + o.Called()
			}
			t.outfile = filepath.Join(g.display(dir), file+"."+string(format))
			if other, ok := seen[strings.ToLower(t.outfile)]; ok {
				return nil, fail(exitUsage, "%s and %s would both write %s; give one of them another folder", other.place(), t.place(), t.outfile)
			}
			seen[strings.ToLower(t.outfile)] = &t
			one := &outcome{task: &t, target: r.target, objects: []*manifest.Object{o}, files: r.files, reads: r.reads, folder: dir}
			var err error
			if one.content, err = manifest.RenderObjects(one.objects, nil, format); err != nil {
				return nil, err
			}
			out = append(out, one)
		}
	}
	return out, nil
}

// what is how messages call what a task makes.
func (r *outcome) what() string {
	if r.target == nil {
		return "DeploymentTemplate resource"
	}
	return strings.ToUpper(r.target.what[:1]) + r.target.what[1:]
}

// called returns the name and the namespace of what was made: of the manifest, or of the
// one object.
func (r *outcome) called() (name, namespace string) {
	switch {
	case r.manifest != nil:
		return r.manifest.Name, r.manifest.Namespace
	case len(r.objects) == 1:
		return r.objects[0].Called(), r.objects[0].Namespace
	}
	return filepath.Base(r.task.input), r.objects[0].Namespace
}

// verb is the verb that goes with what.
func (r *outcome) verb() string {
	if r.target == nil {
		return "is"
	}
	return "are"
}

// owns reports whether the content of a file is what the target makes, so that the command
// may replace it.
func (r *outcome) owns(content []byte) bool {
	if r.target == nil {
		return manifest.IsManifest(content)
	}
	heads, ok := manifest.Heads(content)
	return ok && len(heads) > 0 && !slices.ContainsFunc(heads, func(h manifest.Head) bool { return !r.target.owns(h) })
}

// objectKey is what identifies an object in a cluster, and how messages show it.
type objectKey struct{ key, shown string }

func (r *outcome) identities() []objectKey {
	if r.manifest != nil {
		return []objectKey{{key: manifest.Kind + "/" + r.manifest.Namespace + "/" + r.manifest.Name, shown: r.manifest.Name}}
	}
	var list []objectKey
	for _, o := range r.objects {
		of := fmt.Sprintf("%s.%s/%s/", o.Kind, o.Group(), o.Namespace)
		list = append(list, objectKey{key: of + o.Name, shown: of + o.Called()})
	}
	return list
}
