package bicep

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/azlibrary"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/deploytime"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/emit"
	"github.com/radbicep/rad/pkg/bicep/internal/eval"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/lint"
	"github.com/radbicep/rad/pkg/bicep/internal/lower"
	"github.com/radbicep/rad/pkg/bicep/internal/namespaces"
	"github.com/radbicep/rad/pkg/bicep/internal/paramscheck"
	"github.com/radbicep/rad/pkg/bicep/internal/paramsfile"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/bicep/internal/repair"
	"github.com/radbicep/rad/pkg/bicep/internal/resources"
	"github.com/radbicep/rad/pkg/bicep/internal/secrecy"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Embedded is the compiler written here. It runs in this process and needs no
// other program, no configuration and no network.
type Embedded struct{}

var _ Compiler = Embedded{}

// Build compiles a .bicep file.
func (Embedded) Build(ctx context.Context, r Request) (result *Result, err error) {
	return compile(ctx, r, func(c *compilation, result *Result) error { return c.emit(c.files.Entry, result) })
}

// compile reads and checks a program and, unless something is wrong with it or
// its output is not wanted, has it made by finish.
func compile(ctx context.Context, r Request, finish func(*compilation, *Result) error) (result *Result, err error) {
	defer contain(r.File, &err)
	before := r.Workspace.take(&r)
	c, result, err := compileFrom(ctx, r, before, finish)
	if err == nil && before != nil && c.budgetIsLow() {
		// The budget was spent on files that have changed since, too.
		c, result, err = compileFrom(ctx, r, nil, finish)
	}
	if err == nil {
		r.Workspace.put(c)
	}
	return result, err
}

// compileFrom compiles a program of which an earlier compilation, unless it is nil, may
// know a part.
func compileFrom(ctx context.Context, r Request, before *compilation,
	finish func(*compilation, *Result) error) (*compilation, *Result, error) {
	c, err := load(ctx, r, before)
	if err != nil {
		return nil, nil, err
	}
	result := c.diagnose()
	if c.azTypes.Err != nil {
		return nil, nil, c.azTypes.Err
	}
	if r.DiagnoseOnly || !result.OK() {
		return c, result, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	if err := finish(c, result); err != nil {
		return nil, nil, &InternalError{File: r.File, Fault: err, Stack: debug.Stack()}
	}
	return c, result, nil
}

// emit makes the template of a file of the program. A template that exceeds the size limit
// is a finding.
func (c *compilation) emit(f *graph.File, result *Result) (err error) {
	if c.request.Symbolic { // it is to be expanded
		if found := tooDeep(c.files, f); found != nil {
			result.Findings = append(result.Findings, *found)
			return nil
		}
	}
	emitter := emit.New(c.program, c.generator())
	if c.texts != nil {
		emitter.Reuse(c.texts)
	}
	if result.text, err = emitter.Text(f); err == nil {
		result.Template = result.text.Bytes()
	}
	if c.request.Symbolic {
		result.Places = placesOf(c.program, f)
	}
	if large, ok := errors.AsType[*emit.TooLargeError](err); ok {
		result.Findings = append(result.Findings, tooLarge(large))
		return nil
	}
	if unfit, ok := errors.AsType[*emit.UnfitTypeError](err); ok {
		d := diag.BCP319.At(unfit.Span, unfit.Error())
		d.File = unfit.File.Source
		result.Findings = append(result.Findings, d.Finding())
		return nil
	}
	return err
}

// tooLarge is the finding for a template that exceeds the size limit.
func tooLarge(e *emit.TooLargeError) report.Finding {
	what := "it has more than 64 MiB. Modules, and names that other resources use, are written out wherever they are used. " +
		"Use them in fewer places, or deploy parts of the program by themselves"
	if variable, ok := errors.AsType[*lower.TooLargeError](e); ok {
		what = fmt.Sprintf("variables such as %q, which is known only during the deployment, "+
			"are written out wherever they are used, and so double with each link of a chain. Use them in fewer places", variable.Var)
	}
	d := diag.TemplateTooLarge.At(source.Span{}, what)
	d.File = e.File.Source
	return d.Finding()
}

// contain turns a panic into an error: no source may take the process down.
func contain(file string, err *error) {
	if fault := recover(); fault != nil {
		*err = &InternalError{File: file, Fault: fault, Stack: debug.Stack()}
	}
}

// compilation is one run of the compiler.
type compilation struct {
	secret  *secrecy.Program // made when it is first needed
	request Request
	release release.Version
	files   *graph.Program
	program *check.Program
	azTypes *azlibrary.Source

	namespaces *namespaces.Provider

	// With a workspace:
	environment *environment
	texts       *emit.Texts // of modules
}

// load reads the entry file and all that it leads to, of which an earlier compilation, unless it is nil, may know a part.
func load(ctx context.Context, r Request, before *compilation) (*compilation, error) {
	if r.FS == nil {
		return nil, ErrNoFS
	}
	path := filepath.Clean(r.File)
	c := &compilation{request: r}
	var err error
	if c.release, err = release.Parse(r.BicepVersion); err != nil {
		return nil, err
	}
	if c.azTypes, err = azlibrary.Find(r.AzTypes); err != nil {
		return nil, err
	}
	if before != nil && r.BicepVersion == "" && before.request.BicepVersion == "" {
		c.release = before.release
	}
	o := graph.Options{FS: r.FS, Lenient: r.Lenient, Unfetched: r.Unfetched,
		Config: r.Config, TrustedClouds: r.TrustedClouds, Release: c.release, Keep: r.Workspace != nil}
	if before != nil && before.azTypes.IsSame(c.azTypes) && before.release == c.release {
		o.Before = before.files
	}
	if o.FS, err = overridden(r, path); err != nil {
		return nil, err
	}
	if c.files, err = loadProgram(ctx, path, r, o); err != nil {
		return nil, err
	}
	if wanted := c.wanted(); wanted != c.release {
		c.release, o.Release, o.Before = wanted, wanted, nil
		if c.files, err = loadProgram(ctx, path, r, o); err != nil {
			return nil, err
		}
	}
	if v := r.RequiredVersion; v != "" && !VersionMatches(c.release.Stamp(), v) {
		why := ""
		if r.BicepVersion == "" && c.release != release.Default {
			why = fmt.Sprintf(", because \"bicep.version\" in %s is %q", c.files.Entry.Config.Path, c.files.Entry.Config.Constraint.Text)
		}
		return nil, fmt.Errorf("the embedded compiler is Bicep %s%s, and requiredVersion is %s", c.release.Stamp(), why, v)
	}
	if c.files.Continues {
		c.continueFrom(before)
		return c, nil
	}
	options := namespaces.Options{Environment: r.Env, Hidden: r.HideEnvironment, Converted: azlibrary.Converted}
	if r.Workspace != nil {
		c.environment, c.texts = &environment{r.Env}, &emit.Texts{}
		options.Environment = c.environment
	}
	if c.azTypes.Where != "" {
		options.AzTypes = c.azTypes.Open
	}
	c.namespaces = namespaces.NewProvider(options)
	c.program = check.NewProgram(c.files, check.Options{
		Namespaces: c.namespaces,
		Symbolic:   r.Symbolic,
		HidesEnv:   r.HideEnvironment,
		Run:        eval.RunOf(ctx),
		Inspectors: []check.Inspector{deploytime.Inspector{}, paramsfile.Inspector{},
			lint.Inspector{Advice: lint.Advice(r.Advice)}, resources.Inspector{}, paramscheck.Inspector{}},
	})
	return c, nil
}

// wanted returns the release that the program is to be compiled as. If nobody names one, it is the
// default, or the newest that the entry file's configuration allows.
func (c *compilation) wanted() release.Version {
	if c.request.BicepVersion != "" {
		return c.release
	}
	// A JSON template has no configuration.
	if cfg := c.files.Entry.Config; cfg != nil && cfg.Constraint != nil && !cfg.Constraint.Holds(release.Default) {
		if newest, ok := release.Newest(cfg.Constraint.Range); ok {
			return newest
		}
	}
	return release.Default
}

func (c *compilation) generator() string {
	if v := c.request.GeneratorVersion; v != "" {
		return v
	}
	return c.release.Stamp()
}

// secrets tells what in the program must not be shown.
func (c *compilation) secrets() *secrecy.Program {
	if c.secret == nil {
		c.secret = secrecy.Analyze(c.program, c.request.Secure)
	}
	return c.secret
}

// modelOf returns the model of a source of the program.
func (c *compilation) modelOf(s *source.File) *check.Model {
	for _, f := range c.files.Files {
		if f.Source == s {
			return c.program.Model(f)
		}
	}
	return nil
}

// hideLines hides secrets in the lines that findings show.
func (c *compilation) hideLines(list []report.Finding) {
	if len(list) == 0 {
		return
	}
	models := map[string]*check.Model{}
	for _, f := range c.files.Files {
		if m := c.program.Model(f); m != nil {
			models[f.Path] = m
		}
	}
	for i := range list {
		if m := models[list[i].Path]; m != nil && list[i].Line != "" {
			list[i].Line = c.secrets().Line(m, list[i].Start.Line)
		}
	}
}

// gather adds what is wrong with a file to a list, without the values of secrets.
func (c *compilation) gather(list *diag.List, f *graph.File, m *check.Model) {
	found := diag.List(m.Diagnostics())
	var repairs *repair.File
	if c.request.Fixes && len(found) > 0 {
		repairs = repair.New(m, found)
	}
	for _, d := range found {
		if repairs != nil && d.Inherited == nil {
			if d.Fix = repairs.Fix(d); d.Fix != nil {
				d.Fix.Private = slices.ContainsFunc(d.Fix.Edits, func(e report.Edit) bool {
					return e.Text != "" && len(c.secrets().Written(m, e.Span)) > 0
				})
			}
		}
		if c.request.Partial && f == c.files.Entry && d.Kind == diag.BCP258 { // required parameters are left out
			continue
		}
		owner := m
		if d.File != nil && d.File != f.Source { // it is about a file that this one extends
			owner = c.modelOf(d.File)
		}
		if at := d.Span; d.Inherited != nil {
			d.Span = d.Inherited.Span
			d = c.secrets().Hide(c.modelOf(d.Inherited.File), d)
			d.Span = at
		} else {
			d = c.secrets().Hide(owner, d)
		}
		d.File = f.Source
		list.Add(d)
	}
}

// diagnose checks every file, and finds out which template a parameter file uses.
func (c *compilation) diagnose() *Result {
	var list diag.List
	var experiments []string
	known := map[string]bool{}
	for _, f := range c.files.Files {
		m := c.program.Model(f)
		if m == nil {
			continue
		}
		c.gather(&list, f, m)
		for _, name := range f.Features().Warned() {
			if !known[name] {
				known[name] = true
				experiments = append(experiments, name)
			}
		}
	}
	list = append(list, c.brokenTypes()...)
	r := &Result{Findings: diag.Findings(c.files.Entry.Path, list)}
	if c.request.Fixes {
		r.Given = given(c.files)
	}
	c.hideLines(r.Findings)
	if len(experiments) > 0 && c.files.Entry.Config.FeaturesWarning {
		r.Notices = append(r.Notices, "experimental features are enabled, which may change or go away: "+strings.Join(experiments, ", "))
	}
	if c.request.BicepVersion == "" && c.release != release.Default {
		cfg := c.files.Entry.Config
		r.Notices = append(r.Notices, fmt.Sprintf("compiled as Bicep %s, because \"bicep.version\" in %s is %q",
			c.release, cfg.Path, cfg.Constraint.Text))
	}
	c.standIn(r)
	r.Untyped = c.untyped()
	for _, d := range c.files.MissingFiles() {
		if m := c.modelOf(d.File); m != nil {
			file := d.File
			d = c.secrets().Hide(m, d)
			d.File = file
		}
		f := d.Finding()
		f.Severity = report.Warning
		r.Missing = append(r.Missing, f)
	}
	c.hideLines(r.Missing)
	for _, f := range c.files.Files {
		r.Files = append(r.Files, f.Path)
		if c.request.LineEnds {
			r.LineEnds = append(r.LineEnds, lineEnds(f)...)
		}
	}
	r.Files = append(r.Files, c.files.AuxFiles()...)
	r.Folders = c.files.Folders()
	if c.files.Entry.Kind == graph.Params {
		if used := c.used(); used != nil && used.Kind != graph.TemplateSpec {
			r.Using = used.Path
		}
	}
	return r
}
