package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/deliver"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep/bundle"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/generate"
	"github.com/radbicep/rad/pkg/params"
)

func oneBundle(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return cli.Fail(cli.ExitUsage, "name one bundle: an archive, a folder, or oci://HOST/PATH:TAG")
	}
	return nil
}

func newInspect(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "inspect bundle.tar | folder | oci://HOST/PATH:TAG",
		Short: "Show what a bundle is",
		Long: `Show what a bundle is: what made it, its parameters and values, the files that it was made of,
and the manifests that it holds.`,
		Example: `  rad bicep bundle app.bicep -p @app.bicepparam -p tag=v1 -o app.tar
  rad bicep inspect app.tar`,
		Args:              oneBundle,
		ValidArgsFunction: cli.CompleteFiles("tar"),
		RunE:              func(c *cobra.Command, args []string) error { return a.inspect(c, args[0]) },
	}
	settings.AddFlags(a.App, c, settings.Compiler)
	a.TakesFormat(c, "text", "json")
	return c
}

// inspectResult is the result of inspect.
type inspectResult struct {
	Reference string `json:"reference"`
	Digest    string `json:"digest" doc:"of the bundle's manifest"`
	Version   int    `json:"version" doc:"of the bundle's format"`
	Tool      string `json:"tool" doc:"version of rad that made it"`
	Bicep     string `json:"bicep,omitempty" doc:"version that the template names"`
	Name      string `json:"name" doc:"file name of the template"`
	bundle.Origin
	Parameters []bundle.Parameter `json:"parameters"`
	Values     []bundledValue     `json:"values"`
	Inputs     []bundle.Input     `json:"inputs"`
	Lock       bool               `json:"lock" doc:"whether it holds bicep.lock.json"`
	Manifests  []string           `json:"manifests" doc:"names of the Kubernetes manifests"`
}

// bundledValue is a value that a bundle holds.
type bundledValue struct {
	Name      string          `json:"name"`
	Value     json.RawMessage `json:"value,omitempty" doc:"absent for a secure parameter"`
	Reference bool            `json:"reference,omitempty" doc:"a secret of a key vault is meant"`
}

// readBundle opens a bundle for a command that only looks at it, and loads its program.
func (a *app) readBundle(c *cobra.Command, name string) (bundle.Artifact, *bundle.Bundle, *generate.Program, error) {
	folder := ""
	if !strings.HasPrefix(name, bundle.Scheme) {
		var err error
		if folder, err = project.SettingsFolder([]string{name}); err != nil {
			return bundle.Artifact{}, nil, nil, err
		}
	}
	options, err := a.open(c.Flags(), settings.Compiler, folder)
	if err != nil {
		return bundle.Artifact{}, nil, nil, err
	}
	artifact, b, err := options.OpenBundle(c.Context(), name)
	if err != nil {
		return artifact, nil, nil, err
	}
	s := generate.Source{Base: options.Base, Secure: params.SecureAllow, Missing: generate.MissingAny}
	p, _ := generate.Load(c.Context(), s, generate.Input{Template: name, Text: name, Bundle: b}) // its values are for verify to judge
	return artifact, b, p, cli.ProgramError(p.Err, "")
}

func (a *app) inspect(c *cobra.Command, name string) error {
	artifact, b, p, err := a.readBundle(c, name)
	if err != nil {
		return err
	}
	r := inspectResult{
		Reference: workdir.Slashed(name), Digest: bundle.Digest(artifact.Manifest), Version: b.About.Version, Tool: b.About.Tool, Bicep: b.About.Bicep, Name: b.About.Name, Origin: b.Origin,
		Parameters: p.Parameters(), Values: []bundledValue{}, Inputs: append([]bundle.Input{}, b.About.Inputs...), Lock: b.Lock != nil, Manifests: []string{},
	}
	for _, v := range p.Values {
		one := bundledValue{Name: v.Name, Reference: v.Reference != nil}
		if v.Mark.Shown() && v.Reference == nil {
			one.Value = cli.RawJSON(v.Value)
		}
		r.Values = append(r.Values, one)
	}
	for _, f := range b.Manifests {
		r.Manifests = append(r.Manifests, f.Name)
	}
	a.Result = r
	if a.WantsJSON() {
		return nil
	}
	_, err = fmt.Fprint(a.Stdout, r.text())
	return cli.FailWith(cli.ExitIO, err)
}

// text shows a bundle to people.
func (r *inspectResult) text() string {
	var b strings.Builder
	line := func(format string, args ...any) { b.WriteString(cli.ShowControls(fmt.Sprintf(format, args...)) + "\n") }
	line("bundle    %s", r.Reference)
	line("digest    %s", r.Digest)
	line("template  %s (Bicep %s)", r.Name, r.Bicep)
	line("made by   rad %s, format %d", r.Tool, r.Version)
	for _, x := range [][2]string{{"source", r.Source}, {"revision", r.Revision}, {"created", r.Created}} {
		if x[1] != "" {
			line("%-9s %s", x[0], x[1])
		}
	}
	given := map[string]bundledValue{}
	for _, v := range r.Values {
		given[v.Name] = v
	}
	if len(r.Parameters) > 0 {
		b.WriteString("\nParameters:\n")
	}
	for _, p := range r.Parameters {
		v, ok := given[p.Name]
		switch {
		case ok && v.Reference:
			line("  %s %s = (key vault reference)", p.Name, p.Type)
		case ok && v.Value == nil, !ok && p.Secure && !p.Required:
			line("  %s %s = (secure)", p.Name, p.Type)
		case ok:
			line("  %s %s = %s", p.Name, p.Type, v.Value)
		case p.Required && p.Secure:
			line("  %s %s, secure, needs a value", p.Name, p.Type)
		case p.Required:
			line("  %s %s, needs a value", p.Name, p.Type)
		case p.Default != nil:
			line("  %s %s, default %s", p.Name, p.Type, p.Default)
		default:
			line("  %s %s", p.Name, p.Type)
		}
	}
	if len(r.Inputs) > 0 {
		b.WriteString("\nMade of:\n")
	}
	for _, i := range r.Inputs {
		line("  %s %s", i.Digest, i.Path)
	}
	if len(r.Manifests) > 0 {
		b.WriteString("\nManifests:\n")
	}
	for _, m := range r.Manifests {
		line("  %s", m)
	}
	return b.String()
}

func newVerify(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "verify bundle.tar | folder | oci://HOST/PATH:TAG [app.bicep | template.json]",
		Short: "Check a bundle, and compare it with its source",
		Long: `Check a bundle: that nothing of it is damaged, that its index calls it by its name, that its list of parameters and its values fit the
template, that it holds no secure value, and that its manifest is what this rad makes of it.

Given the source, the template is compiled again, with the version of Bicep that the bundle
names, and compared byte by byte. Files that differ from those that the bundle was made of are
named.

Exit status: 0 all is the same, 1 something differs, 2 errors in the source, 3 wrong usage or
settings, 4 the bundle is damaged or cannot be read.`,
		Example: `  rad bicep bundle app.bicep -p @app.bicepparam -p tag=v1 -o app.tar
  rad bicep verify app.tar
  rad bicep verify app.tar app.bicep`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 && len(args) != 2 {
				return cli.Fail(cli.ExitUsage, "name one bundle, and its template to compare it with")
			}
			return nil
		},
		ValidArgsFunction: cli.CompleteFiles("tar", "bicep", "json"),
		RunE:              func(c *cobra.Command, args []string) error { return a.verify(c, args) },
	}
	settings.AddFlags(a.App, c, settings.Compiler)
	a.TakesFormat(c, "text", "json")
	return c
}

// verifyResult is the result of verify.
type verifyResult struct {
	Reference string         `json:"reference"`
	Digest    string         `json:"digest" doc:"of the bundle's manifest"`
	Same      bool           `json:"same" doc:"whether all checks passed"`
	Checks    []verifyCheck  `json:"checks"`
	Inputs    []inputChanged `json:"inputs,omitempty" doc:"files of the source that are not those the bundle was made of"`
}

// verifyCheck is one check of a bundle.
type verifyCheck struct {
	Name   string `json:"name" enum:"digests,name,parameters,values,manifests,source"`
	Same   bool   `json:"same"`
	Detail string `json:"detail,omitempty"`
}

// inputChanged is a file of the source that differs.
type inputChanged struct {
	Path  string `json:"path"`
	State string `json:"state" enum:"added,changed,deleted"`
}

func (a *app) verify(c *cobra.Command, args []string) (err error) {
	name := args[0]
	artifact, b, p, err := a.readBundle(c, name)
	if err != nil {
		return err
	}
	r := verifyResult{Reference: workdir.Slashed(name), Digest: bundle.Digest(artifact.Manifest), Same: true}
	add := func(check string, problem string) {
		r.Checks = append(r.Checks, verifyCheck{check, problem == "", problem})
		r.Same = r.Same && problem == ""
	}
	add("digests", "")
	if artifact.Called != "" {
		problem := ""
		if name := workdir.Stem(b.About.Name); artifact.Called != name {
			problem = fmt.Sprintf("index.json calls it %q, and its name is %q", report.Visible(artifact.Called), report.Visible(name))
		}
		add("name", problem)
	}
	listed, err := json.Marshal(append([]bundle.Parameter{}, b.Parameters...))
	if err != nil {
		return err
	}
	own, err := json.Marshal(p.Parameters())
	if err != nil {
		return err
	}
	if bytes.Equal(listed, own) {
		add("parameters", "")
	} else {
		add("parameters", "the list of parameters is not that of the template")
	}
	add("values", checkValues(p))
	if len(b.Manifests) > 0 {
		add("manifests", checkManifest(p))
	}
	if len(args) == 2 {
		problem, err := a.compareSource(c, b, args[1], &r)
		if err != nil {
			return err
		}
		add("source", problem)
	}
	a.Result = r
	if !a.WantsJSON() {
		for _, one := range r.Checks {
			text := "ok"
			if !one.Same {
				text = "differs: " + one.Detail
			}
			if _, err := fmt.Fprintf(a.Stdout, "%-10s %s\n", report.Visible(one.Name), cli.ShowControls(text)); err != nil {
				return cli.FailWith(cli.ExitIO, err)
			}
		}
		for _, i := range r.Inputs {
			if _, err := fmt.Fprintf(a.Stdout, "  %s %s\n", report.Visible(string(i.State)), cli.ShowControls(i.Path)); err != nil {
				return cli.FailWith(cli.ExitIO, err)
			}
		}
	}
	if !r.Same {
		return cli.Silent(cli.ExitStale)
	}
	return nil
}

// checkValues says what is wrong with the values of a bundle.
func checkValues(p *generate.Program) string {
	for _, f := range p.Findings {
		if problem, ok := f.Cause.(*params.Problem); ok && f.Severity == report.Error {
			return problem.Message
		}
	}
	for _, v := range p.Values {
		if !v.Mark.Written() {
			return fmt.Sprintf("it holds a value of the secure parameter %q", v.Name)
		}
	}
	return ""
}

// checkManifest says how the manifest of a bundle differs from what is made of it now.
func checkManifest(p *generate.Program) string {
	same, err := p.SameManifest()
	switch {
	case err != nil:
		return err.Error()
	case !same:
		return "the manifest is not what this rad makes of the template and the values"
	}
	return ""
}

// compareSource compiles the source, and says how its template differs from the bundle's.
func (a *app) compareSource(c *cobra.Command, b *bundle.Bundle, source string, r *verifyResult) (problem string, err error) {
	g, err := a.newGenerator(c, settings.Compiler, []string{source}, &generateOptions{})
	if err != nil {
		return "", err
	}
	if g.Project.Base.GeneratorVersion == "" {
		g.Project.Base.GeneratorVersion = b.About.Bicep
	}
	g.Reads = workdir.NewTrace()
	defer func() { err = g.Found.End(err) }()
	tasks, err := g.FileTargets([]string{source})
	if err != nil {
		return "", err
	}
	if len(tasks) != 1 || tasks[0].Bundle {
		return "", cli.Fail(cli.ExitUsage, "%s: name the template that the bundle was made of", source)
	}
	if strings.EqualFold(filepath.Ext(tasks[0].Input), ".bicepparam") {
		if err := g.UseTemplate(tasks[0]); err != nil {
			return "", err
		}
	}
	tasks[0].Args = nil // values do not change the template
	out := &deliver.Outcome{Target: tasks[0]}
	p := g.Load(c.Context(), tasks[0], func(s *generate.Source) { s.Missing = generate.MissingAny })
	out.Settle(p)
	if err := g.Report([]*deliver.Outcome{out}); err != nil {
		return "", err
	}
	now, _, _, err := g.inputs(p.Path, append(g.Reads.Files(), out.Files...))
	if err != nil {
		return "", err
	}
	r.Inputs = inputChanges(b.About.Inputs, now)
	if !bytes.Equal(p.Text, b.Template) {
		return "the source compiles to another template", nil
	}
	return "", nil
}

// inputChanges compares the files that two templates were made of.
func inputChanges(before, after []bundle.Input) (list []inputChanged) {
	was := map[string]string{}
	for _, i := range before {
		was[i.Path] = i.Digest
	}
	for _, i := range after {
		switch digest, ok := was[i.Path]; {
		case !ok:
			list = append(list, inputChanged{i.Path, "added"})
		case digest != i.Digest:
			list = append(list, inputChanged{i.Path, "changed"})
		}
		delete(was, i.Path)
	}
	for path := range was {
		list = append(list, inputChanged{path, "deleted"})
	}
	slices.SortFunc(list, func(a, b inputChanged) int { return strings.Compare(a.Path, b.Path) })
	return list
}
