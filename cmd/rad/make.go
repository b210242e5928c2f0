package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/params"
)

// make makes the manifest of one task: compile, lay the parameters over each
// other, bind them, build, render.
func (g *generator) make(ctx context.Context, r *outcome) {
	t := r.task
	if k := g.objectTarget(t); k != nil {
		g.makeObjects(ctx, r, k)
		return
	}
	args, err := t.args()
	if err != nil {
		r.err = err
		return
	}
	options := g.manifestOptions(t)
	template, own := g.template(ctx, r)
	options.Name = cmp.Or(t.name, template.name)
	if options.Name == "" {
		options.Name = filepath.Base(template.path)
	}
	if err := options.Check(); err != nil && template.path != "" {
		r.fail(fail(exitUsage, "%s: %w", g.optionPlace(t, err), optionError(err)))
	}
	if r.failed() {
		return
	}
	declared := params.Declare(template.tree)
	merged, incomplete := g.merge(ctx, r, args, template, own, declared, options.Group)
	if r.err != nil {
		return
	}
	values, problems := params.Bind(declared, merged, params.SecurePolicy(g.compile.str(keySecureParameters)))
	if incomplete { // what could not be read may well hold what is missing
		problems = withoutMissing(problems)
	}
	r.problems(problems, template.path)
	if g.options.explainValues {
		r.explain = explain(declared, merged, values)
	}
	if report.AnyError(g.compile.judge(r.findings)) {
		return
	}

	options.Template, options.Tree = template.text, template.tree
	for _, v := range values {
		options.Parameters = append(options.Parameters, manifest.Parameter{Name: v.Name, Value: v.Value, Reference: v.Reference, Hidden: v.Hidden()})
		r.private = r.private || v.Secret()
	}
	for _, d := range declared.All() {
		if d.Secure {
			options.Secure = append(options.Secure, d.Name)
		}
	}
	options.Names = func() []manifest.ResourceName { return computedNames(template.tree, values) }
	m, err := manifest.New(options)
	if err != nil {
		r.err = fail(exitSource, "%s: %w", t.arg, optionError(err))
		return
	}
	r.manifest = m
	for _, w := range m.Warnings {
		text := w.Text
		if flag := optionFlags[w.Option]; flag != "" {
			text += "; give " + flag
		}
		r.findings = append(r.findings, report.Finding{Path: template.path, Severity: report.Warning, Code: w.Code, Message: sentence(text)})
	}
	if r.content, err = m.Render(manifest.Format(g.compile.str(keyOutputFormat))); err != nil {
		r.err = err
	}
}

// computedNames returns the names of the resources that a template deploys, but those that
// are secret or known only during the deployment.
func computedNames(template *armjson.Object, values params.Values) (names []manifest.ResourceName) {
	given := map[string]bicep.ExpandParameter{}
	for _, v := range values {
		given[v.Name] = bicep.ExpandParameter{Value: v.Value, Reference: v.Reference, Secret: v.Secret() || v.Hidden()}
	}
	result, err := bicep.Expand(template, bicep.ExpandOptions{Parameters: given, Tolerant: true})
	if err != nil {
		return nil // what cannot be predicted is not checked
	}
	for _, r := range result.Resources {
		if name, ok := bicep.Known(r.Name); ok && !r.Existing {
			names = append(names, manifest.ResourceName{Type: r.Type, Name: name})
		}
	}
	return names
}

// merge reads what is given for a template's parameters and lays it over each other.
// incomplete says that something could not be read, which is reported.
func (g *generator) merge(ctx context.Context, r *outcome, args []params.Arg, template compiled, own *bicep.Result, declared *params.Declarations, group string) (merged params.Layer, incomplete bool) {
	layers := []params.Layer{}
	if own != nil {
		layers = append(layers, g.assignedLayer(r, own, r.task.input))
	}
	before := len(r.findings)
	if template.values != nil {
		layer, problems := params.ReadFile(template.values, params.Source{Text: r.task.arg}, declared)
		r.problems(problems, template.path)
		layers = append(layers, layer)
	}
	for _, arg := range args {
		layers = append(layers, g.layer(ctx, r, arg, template, declared))
	}
	return g.fill(r.task, params.Merge(layers...), declared, template.tree, group), report.AnyError(r.findings[before:])
}

// withoutMissing leaves out that parameters have no value.
func withoutMissing(problems []params.Problem) []params.Problem {
	return slices.DeleteFunc(problems, func(p params.Problem) bool { return p.Code == params.CodeMissing })
}

func parseArgs(list []string) ([]params.Arg, error) {
	var args []params.Arg
	var wrong []error
	for _, one := range list {
		arg, err := params.ParseArg(one)
		if err != nil {
			wrong = append(wrong, argumentError(err))
		}
		arg.Label = "--parameters "
		args = append(args, arg)
	}
	if len(wrong) > 0 {
		return nil, &failure{status: exitUsage, err: errors.Join(wrong...)}
	}
	return args, nil
}

// rebase returns a parameter argument with its file's path changed by at.
func rebase(arg string, at func(string) string) string {
	a, err := params.ParseArg(arg)
	if err != nil {
		return arg // it is reported where arguments are parsed
	}
	switch a.Kind {
	case params.ArgFile, params.ArgBicepFile:
		return "@" + at(a.Value)
	case params.ArgJSONFile:
		return a.Name + "=@" + at(a.Value)
	case params.ArgTextFile:
		return a.Name + "=@text:" + at(a.Value)
	}
	return arg
}

// manifestOptions returns the manifest's options as far as flags, settings and the
// target know them.
func (g *generator) manifestOptions(t *task) manifest.Options {
	set := func(own, key string) string {
		if own != "" {
			return own
		}
		return g.compile.str(key)
	}
	o := manifest.Options{
		Namespace:     set(t.namespace, keyNamespace),
		Labels:        mergeMaps(g.labels, t.labels),
		Annotations:   mergeMaps(g.annotations, t.annotations),
		Group:         set(t.group, keyGroup),
		AzureScope:    g.compile.str(keyAzureScope),
		AWSScope:      g.compile.str(keyAWSScope),
		Target:        manifest.Target(set(t.target, keyTarget)),
		Compact:       g.compile.bool(keyCompact),
		DropGenerator: g.compile.str(keyGeneratorMetadata) == "drop",
	}
	if o.Namespace == "" && o.Target != manifest.Radius && !g.namespaceSet {
		o.Namespace = manifest.DefaultNamespace
	}
	return o
}

// compiled is a template, compiled from Bicep or read from JSON.
type compiled struct {
	path   string // of the .bicep or .json file, or of the bundle
	name   string // of the manifest, if it is not the name in path
	values []byte // an ARM parameter file that comes with the template, or nil
	text   []byte
	tree   *armjson.Object
	places bicep.Places // nil unless the request asked for them
}

// template compiles or reads the task's template. For a .bicepparam file, own is
// what became of the file itself.
func (g *generator) template(ctx context.Context, r *outcome) (c compiled, own *bicep.Result) {
	if r.task.bundle {
		return g.bundledTemplate(ctx, r), nil
	}
	input := r.task.input
	var parse func() (*armjson.Object, error)
	switch strings.ToLower(filepath.Ext(input)) {
	case ".json":
		c.path = input
		r.files = append(r.files, input)
		c.text, r.err = g.read(input)
		parse = func() (*armjson.Object, error) { return bicep.ParseTemplate(c.text) }
	case ".bicepparam":
		result := g.buildParams(ctx, r, input, "", nil, false)
		if result == nil {
			return c, nil
		}
		own, c.path, c.text, c.places = result, result.Using, result.Template, result.Places
		parse = result.TemplateTree
		if r.failed() {
			return c, own
		}
		switch {
		case result.TemplateSpec != "":
			r.err = fail(exitSource, "%s: it uses a template spec, which a manifest cannot hold; name a template and give this file by --parameters", r.task.arg)
		case result.Template == nil && g.mayUseNone:
			r.notices = append(r.notices, r.task.arg+": it uses no template, so it deploys nothing")
			return c, own
		case result.Template == nil:
			r.err = fail(exitUsage, "%s: it uses no template; name one and give this file by --parameters", r.task.arg)
		case c.path == "":
			c.path = input
		}
	default:
		c.path = input
		result := g.run(ctx, r, input, g.compile.compiler.Build)
		if result != nil {
			c.text, c.places = result.Template, result.Places
			parse = result.TemplateTree
		}
	}
	if r.failed() {
		return c, own
	}
	var err error
	c.tree, err = parse()
	var syntax *armjson.SyntaxError
	switch {
	case errors.As(err, &syntax):
		line := 1 + bytes.Count(c.text[:syntax.Offset], []byte{'\n'})
		column := syntax.Offset - bytes.LastIndexByte(c.text[:syntax.Offset], '\n')
		r.err = fail(exitSource, "%s(%d,%d): not JSON: %s", g.display(c.path), line, column, syntax.Problem)
	case err != nil:
		r.err = fail(exitSource, "%s: %w", g.display(c.path), err)
	case c.tree.Find("resources") >= 0:
	case isParameterFile(c.tree):
		r.err = fail(exitSource, "%s: this is an ARM parameter file; name the template, and give this file by --parameters @%s", g.display(c.path), g.display(c.path))
	default:
		r.err = fail(exitSource, "%s: not an ARM template: it has no resources", g.display(c.path))
	}
	return c, own
}

// request returns the request for a file. A manifest is made for a cluster, maybe
// of a repository that is not the user's own, so there is always a root.
func (g *generator) request(file string) bicep.Request {
	q := g.compile.request(file)
	if q.Root == "" {
		q.Root = filepath.Dir(file)
		q.FS = filesBelow(q.Root)
	}
	q.Symbolic, q.Lenient = g.symbolic, g.partial
	if g.tree != nil && g.tree.Contains(file) {
		q.FS = g.tree
	}
	if g.reads != nil {
		q.FS = g.reads.of(q.FS)
	}
	return q
}

// read reads a file: of the revision that is looked at, if it is in its repository.
func (g *generator) read(path string) ([]byte, error) {
	abs, err := filepath.Abs(path)
	if err == nil && g.reads != nil {
		g.reads.noteFile(abs)
	}
	if err != nil || g.tree == nil || !g.tree.Contains(abs) {
		return g.compile.bounds.readFileText(path)
	}
	b, err := g.tree.ReadFile(abs)
	if err != nil {
		return nil, failWith(exitIO, err)
	}
	b, err = readText(bytes.NewReader(b))
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return b, failWith(exitIO, err)
}

// readRaw reads a file as read does, without decoding it.
func (g *generator) readRaw(path string) ([]byte, error) {
	if g.tree != nil && g.tree.Contains(path) {
		return g.tree.ReadFile(path)
	}
	return g.compile.bounds.readFile(path)
}

// stat describes the file that read reads.
func (g *generator) stat(path string) (fs.FileInfo, error) {
	if g.tree == nil || !g.tree.Contains(path) {
		return g.compile.bounds.stat(path)
	}
	return g.tree.Stat(path)
}

// run runs a compiler and notes what it found. It returns nil if it could not do its work.
func (g *generator) run(ctx context.Context, r *outcome, file string, build func(context.Context, bicep.Request) (*bicep.Result, error)) *bicep.Result {
	result, err := build(ctx, g.request(file))
	r.note(result, file)
	if err != nil {
		r.fail(failWith(exitIO, err))
		return nil
	}
	return result
}

// isParameterFile reports whether a JSON file says that it is an ARM parameter file.
func isParameterFile(tree *armjson.Object) bool {
	schema, _ := tree.Get("$schema")
	return schema != nil && strings.Contains(strings.ToLower(armjson.Text(schema)), "deploymentparameters.json")
}

// note adds what a compiler found.
func (r *outcome) note(result *bicep.Result, file string) {
	r.files = append(r.files, file)
	if result == nil {
		return
	}
	// Where an extension cannot be read, its types are unknown for that reason alone.
	unread := slices.ContainsFunc(result.Findings, func(f report.Finding) bool {
		return f.Severity == report.Error && (f.Code == "BCP091" || f.Code == "BCP190" || f.Code == "BCP192" || f.Code == "BCP204")
	})
	for _, f := range result.Findings {
		if r.target != nil && r.target.existing && f.Code == "no-unused-existing-resources" {
			continue
		}
		if !r.asCompiled {
			if f.Consequence {
				continue
			}
			before := f
			if f = unknownRadiusType(f); f != before && unread {
				continue
			}
		}
		r.findings = append(r.findings, f)
	}
	if !r.asCompiled {
		r.findings = append(r.findings, result.LineEnds...)
	}
	r.missing = append(r.missing, result.Missing...)
	r.notices = append(r.notices, result.Notices...)
	r.files = append(r.files, result.Files...)
}

// layer reads what one --parameters argument gives.
func (g *generator) layer(ctx context.Context, r *outcome, arg params.Arg, template compiled, declared *params.Declarations) params.Layer {
	var content []byte
	var err error
	switch arg.Kind {
	case params.ArgBicepFile:
		return g.bicepLayer(ctx, r, arg.Value, template, declared)
	case params.ArgStdin:
		if content, err = g.stdin(); err != nil {
			err = fail(exitIO, "standard input: %w", err)
		}
	case params.ArgEnvironment:
		content, err = g.variable(arg)
	case params.ArgFile, params.ArgJSONFile, params.ArgTextFile:
		r.files = append(r.files, arg.Value)
		if content, err = g.read(arg.Value); err != nil {
			if errors.Is(err, fs.ErrNotExist) && (arg.Name == "" || declared.MayShow(arg.Name)) {
				shown := arg
				if isURL(arg.Value) {
					shown.Value = redacted(arg.Value)
				}
				place := ""
				if r.task.listed != "" {
					place = r.task.listed + ": "
				}
				err = missing("%s--parameters %s: there is no such %s", place, shown.Written(), fileOrURL(arg.Value))
			} else {
				err = fmt.Errorf("--parameters: %w", withoutPath(err, arg, declared))
			}
		}
	}
	if err != nil {
		r.fail(err)
		return nil
	}
	if arg.Kind == params.ArgStdin || arg.Kind == params.ArgFile {
		layer, problems := params.ReadFile(content, arg.Source(), declared)
		r.problems(problems, template.path)
		return layer
	}
	layer, problem := arg.Layer(content, declared)
	if problem != nil {
		r.problems([]params.Problem{*problem}, template.path)
	}
	return layer
}

// variable returns the environment variable that an argument gives a parameter's value by.
func (g *generator) variable(arg params.Arg) ([]byte, error) {
	env := g.compile.base.Env
	if value, ok := env.Lookup(arg.Value); ok {
		return []byte(value), nil
	}
	hint := env.Hint(arg.Value)
	if hint == "" {
		hint = "Set it."
	}
	return nil, fail(exitUsage, "--parameters %s=@env:%s: there is no such environment variable. %s", arg.Name, arg.Value, hint)
}

// withoutPath returns an error about the file that an argument gives a parameter's value
// by. Where the parameter may be secure, the name of the file is not shown: it may be the
// value itself, if that begins with @.
func withoutPath(err error, arg params.Arg, declared *params.Declarations) error {
	if arg.Name == "" || declared.MayShow(arg.Name) {
		return err
	}
	reason := "its file cannot be read"
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		reason += ": " + pathErr.Err.Error()
	}
	return fail(exitIO, "parameter %q: %s; a value that begins with @ is written %s=@@…", arg.Name, reason, arg.Name)
}

// bicepLayer compiles a .bicepparam file that is given beside a template.
func (g *generator) bicepLayer(ctx context.Context, r *outcome, name string, template compiled, declared *params.Declarations) params.Layer {
	path, err := filepath.Abs(name)
	if err == nil {
		_, err = g.stat(path)
	}
	if err != nil {
		r.files = append(r.files, name)
		switch {
		case isURL(name):
			err = missing("--parameters @%s: there is no such %s", redacted(name), fileOrURL(name))
		case errors.Is(err, fs.ErrNotExist):
			err = missing("--parameters @%s: there is no such file", name)
		default:
			err = fail(exitIO, "--parameters: %w", err)
		}
		r.fail(err)
		return nil
	}
	result := g.buildParams(ctx, r, path, template.path, declared, true)
	if result == nil || !result.OK() {
		return nil
	}
	if result.Using != "" && !sameFile(result.Using, template.path) {
		r.findings = append(r.findings, report.Finding{Path: path, Severity: report.Error, Code: params.CodeFile,
			Message: fmt.Sprintf("This file is for the template %s, not for %s; change its `using`, or name the other template.", g.display(result.Using), g.display(template.path))})
		return nil
	}
	return g.assignedLayer(r, result, path)
}

// assignedLayer returns the layer of a .bicepparam file that was compiled.
func (g *generator) assignedLayer(r *outcome, result *bicep.Result, path string) params.Layer {
	var layer params.Layer
	for _, a := range result.Assigned {
		e := params.Entry{Name: a.Name, Source: params.Source{Text: g.display(path), Path: path}}
		if a.Path != "" {
			e.Source = params.Source{Text: g.display(a.Path), Path: a.Path, Line: a.At.Line}
		}
		switch {
		case a.Reference != nil:
			e.Value = params.Reference{Object: a.Reference}
		case a.Value != nil:
			e.Value = params.JSON{Value: a.Value}
		default:
			e.Value = params.Expression(a.Expression)
		}
		switch {
		case a.Secrecy.Has(bicep.Secure):
			e.Origin = params.FromSecure
		case a.Secrecy.Has(bicep.FromEnvironment):
			e.Origin = params.FromEnvironment
		}
		layer = append(layer, e)
	}
	r.problems(layer.Twins(), path)
	return layer
}

// fill gives the parameters environment and application their values, where the
// template declares them and nothing else was given.
func (g *generator) fill(t *task, merged params.Layer, declared *params.Declarations, template *armjson.Object, group string) params.Layer {
	for _, one := range []struct{ name, own, key, kind string }{
		{"environment", t.environment, keyEnvironment, "environments"},
		{"application", t.application, keyApplication, "applications"},
	} {
		value := one.own
		if value == "" {
			value = g.compile.str(one.key)
		}
		if value == "" || !declared.Has(one.name) {
			continue
		}
		given := false
		for _, e := range merged {
			given = given || e.Name == one.name
		}
		if given {
			continue
		}
		if !strings.HasPrefix(value, "/") && group != "" {
			value = "/planes/radius/local/resourceGroups/" + group + "/providers/" + coreNamespace(template) + "/" + one.kind + "/" + value
		}
		merged = append(merged, params.Entry{Name: one.name, Value: params.JSON{Value: armjson.String(value)}, Source: params.Source{Text: "--" + one.name}})
	}
	return merged
}

// problems adds what is wrong with parameters.
func (r *outcome) problems(problems []params.Problem, templatePath string) {
	for _, p := range problems {
		message := p.Message
		if remedy := parameterRemedy(p); remedy != "" {
			message += "; " + remedy
		}
		f := report.Finding{Path: templatePath, Severity: report.Error, Code: p.Code, Message: sentence(message)}
		if p.Warning {
			f.Severity = report.Warning
		}
		if p.Source.Path != "" {
			f.Path = p.Source.Path
			if abs, err := filepath.Abs(f.Path); err == nil {
				f.Path = abs
			}
			if p.Source.Line > 0 {
				f.Start = source.Position{Line: p.Source.Line, Column: max(1, p.Source.Column)}
			}
		}
		r.findings = append(r.findings, f)
	}
}

// sentence gives a message the form of the compiler's. A message that begins with a
// reference or the name of a file keeps its first letter.
func sentence(s string) string {
	first, _, _ := strings.Cut(s, " ")
	if !strings.ContainsAny(first, ":./") {
		r, size := utf8.DecodeRuneInString(s)
		s = string(unicode.ToUpper(r)) + s[size:]
	}
	if strings.HasSuffix(s, "?") || strings.HasSuffix(s, "…") || strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

// explained says where the value of a parameter came from.
type explained struct {
	Name   string          `json:"name"`
	State  string          `json:"state" enum:"given,reference,secure,unused,default,absent" doc:"secure: the value is not shown; unused: the value was left out; default: that of the template; absent: there is no value"`
	Source string          `json:"source,omitempty" doc:"where the value was given"`
	Value  json.RawMessage `json:"value,omitempty"`
}

func (e explained) String() string {
	switch e.State {
	case "default":
		return e.Name + ": the template's default"
	case "absent":
		return e.Name + ": not given"
	case "unused":
		return fmt.Sprintf("%s: from %s, not used", e.Name, e.Source)
	case "reference":
		return fmt.Sprintf("%s = (key vault reference), from %s", e.Name, e.Source)
	case "secure":
		return fmt.Sprintf("%s = (secure), from %s", e.Name, e.Source)
	}
	return fmt.Sprintf("%s = %s, from %s", e.Name, e.Value, e.Source)
}

// explain shows where the value of each parameter came from.
func explain(declared *params.Declarations, merged params.Layer, values params.Values) []explained {
	list := []explained{}
	from := map[string]params.Entry{}
	for _, e := range merged {
		from[e.Name] = e
	}
	final := map[string]params.Bound{}
	for _, v := range values {
		final[v.Name] = v
	}
	for _, d := range declared.All() {
		e, given := from[d.Name]
		v, ok := final[d.Name]
		one := explained{Name: d.Name}
		if given {
			one.Source = e.Source.String()
		}
		switch {
		case !given && d.HasDefault:
			one.State = "default"
		case !given:
			one.State = "absent"
		case !ok:
			one.State = "unused"
		case v.Reference != nil:
			one.State = "reference"
		case v.Hidden():
			one.State = "secure"
		default:
			one.State, one.Value = "given", rawJSON(v.Value)
		}
		list = append(list, one)
	}
	return list
}
