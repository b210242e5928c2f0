package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/radbicep/rad/pkg/bicep/report"

	"github.com/radbicep/rad/cmd/rad/internal/workdir"

	"github.com/radbicep/rad/cmd/rad/internal/cli"

	"github.com/radbicep/rad/cmd/rad/internal/settings"

	"github.com/radbicep/rad/cmd/rad/internal/project"

	"github.com/radbicep/rad/cmd/rad/internal/deliver"
)

// The names of the object that configures the function.
const (
	fnVersion = "radbicep.github.io/v1alpha1"
	fnKind    = "BicepManifest"
)

// functionConfig is how the function calls what it is configured by, in messages.
const functionConfig = "functionConfig"

// protocol is the annotation of commands that answer another program in its own form, so that
// they have no --format. Its value names the program.
const protocol = "protocol"

func newFn(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "fn",
		Short: "Generate manifests as a function of kustomize and kpt (KRM)",
		Long: `Read a ResourceList from standard input, add the manifests that its functionConfig
describes, and print the list. kustomize runs it as a generator, kpt as a function.

The functionConfig is an object of the kind ` + fnKind + ` (` + fnVersion + `). Its
spec is one target as .rad/bicep.yaml lists them, or has a list of them under targets:
template, parameters, name, namespace, group, target, environment, application, labels,
annotations. A ConfigMap with the same keys in its data is understood, too; there each line
of parameters is one. Paths are relative to the working directory, which is the folder of
the kustomization. A manifest replaces the object of its name in the list.

Errors are reported on stderr, and in the results of the list, with file and line. The
environment is closed to parameter files, as by --hermetic; --hermetic=false opens it.`,
		Example:     `  printf '{kind: ResourceList, functionConfig: {kind: BicepManifest, spec: {template: app.bicepparam}}}' | rad bicep fn`,
		Args:        cobra.NoArgs,
		Annotations: map[string]string{protocol: "kustomize"},
		RunE:        func(c *cobra.Command, _ []string) error { return a.fn(c) },
	}
	settings.AddFlags(c, settings.Generate)
	return c
}

// fn runs the function. The list is printed whatever happens, with the results in it.
func (a *app) fn(c *cobra.Command) error {
	text, err := workdir.ReadText(a.Stdin)
	if err != nil {
		return cli.Fail(cli.ExitIO, "standard input: %w", err)
	}
	list, err := readResourceList(text)
	if err != nil {
		return cli.Fail(cli.ExitUsage, "standard input: %w", err)
	}
	outcomes, err := a.generateFor(c, list)
	if err == nil {
		for _, r := range outcomes {
			if err = list.put(r.Content); err != nil {
				break
			}
		}
	}
	list.tell(outcomes, err)
	if printErr := list.print(a); printErr != nil {
		return cli.FailWith(cli.ExitIO, printErr)
	}
	return err
}

// generateFor makes the manifests that the function's configuration describes.
func (a *app) generateFor(c *cobra.Command, list *resourceList) ([]*deliver.Outcome, error) {
	targets, err := list.targets()
	if err != nil {
		return nil, cli.Fail(cli.ExitUsage, "%s: %w", functionConfig, err)
	}
	g, err := a.newPluginGenerator(c)
	if err != nil {
		return nil, err
	}
	if err := g.use(functionConfig, targets); err != nil {
		return nil, err
	}
	return g.generateAll(c.Context(), nil)
}

// newPluginGenerator returns a generator for a program that runs this one: it writes no file,
// and the environment is closed unless the user opens it.
func (a *app) newPluginGenerator(c *cobra.Command) (*generator, error) {
	flags := c.Flags()
	if !flags.Changed(settings.KeyHermetic) && os.Getenv(settings.Of(settings.KeyHermetic).Env()) == "" {
		if err := flags.Set(settings.KeyHermetic, "true"); err != nil {
			return nil, err
		}
	}
	options, err := a.open(flags, settings.Generate, "")
	if err != nil {
		return nil, err
	}
	options.OutputFormat = "yaml"
	o := &generateOptions{Flags: project.Flags{Outfile: "-"}}
	w := &project.Work{
		Project: options, Flags: &o.Flags, Folder: options.Cwd, NamespaceSet: flags.Changed(settings.KeyNamespace),
		Stdin: func() ([]byte, error) { return nil, errors.New("it is not read for parameters here") },
	}
	g := &generator{app: a, flags: o, Delivery: &deliver.Delivery{Work: w, Console: a.App}}
	g.Found = a.reporterFor(options, options.Cwd)
	return g, nil
}

// use makes targets that another program has given the ones of the run. They come from a
// repository or from its users, so they may do what a project's settings may.
func (g *generator) use(name string, targets []settings.Target) error {
	file := *g.Project.File
	file.Path, file.Base, file.Targets, file.Values, file.Text = name, g.Project.Cwd, targets, nil, nil
	file.Trusted = settings.IsTrusted(g.Project.Cwd, g.Project.TrustedFolders)
	if err := (&settings.Judge{File: &file, Bounds: g.Project.Bounds}).Judge(); err != nil {
		return err
	}
	g.Project.File = &file
	return nil
}

// generateAll makes the manifests of the arguments, or of the targets, and reports what was found.
func (g *generator) generateAll(ctx context.Context, args []string) ([]*deliver.Outcome, error) {
	if err := g.ParseMaps(); err != nil {
		return nil, err
	}
	tasks, err := g.Targets(args)
	if err != nil {
		return nil, err
	}
	if err := g.checkTargetFlags(tasks); err != nil {
		return nil, err
	}
	outcomes := g.makeAll(ctx, tasks)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err = g.Report(outcomes); err == nil {
		err = deliver.CheckCollisions(outcomes)
	}
	return outcomes, g.Found.End(err)
}

// resourceList is the ResourceList that a function gets and gives back. What the function does
// not know stays as it is.
type resourceList struct {
	document, root, items, config *yaml.Node
}

func readResourceList(text []byte) (*resourceList, error) {
	l := &resourceList{document: &yaml.Node{}}
	if err := yaml.Unmarshal(text, l.document); err != nil {
		return nil, fmt.Errorf("want a ResourceList in YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if len(l.document.Content) == 0 {
		return nil, errors.New("it is empty; want a ResourceList, as kustomize and kpt give it")
	}
	l.root = l.document.Content[0]
	if kind := member(l.root, "kind"); kind == nil || kind.Value != "ResourceList" {
		return nil, errors.New("want an object of the kind ResourceList, as kustomize and kpt give it")
	}
	if member(l.root, "apiVersion") == nil {
		set(l.root, "apiVersion", &yaml.Node{Kind: yaml.ScalarNode, Value: "config.kubernetes.io/v1"})
	}
	l.config = member(l.root, functionConfig)
	if l.items = member(l.root, "items"); l.items == nil || l.items.Kind != yaml.SequenceNode {
		l.items = &yaml.Node{Kind: yaml.SequenceNode}
		set(l.root, "items", l.items)
	}
	l.items.Style = 0
	return l, nil
}

// member returns the value of a key of a mapping, or nil.
func member(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// set gives a key of a mapping a value.
func set(n *yaml.Node, key string, value *yaml.Node) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			n.Content[i+1] = value
			return
		}
	}
	n.Content = append(n.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, value)
}

// targets returns what the configuration lists.
func (l *resourceList) targets() ([]settings.Target, error) {
	if l.config == nil {
		return nil, fmt.Errorf("it is missing; want an object of the kind %s with a spec", fnKind)
	}
	var config struct {
		Kind string
		Spec map[string]any
		Data map[string]any
	}
	if err := l.config.Decode(&config); err != nil {
		return nil, errors.New(strings.Join(strings.Fields(strings.TrimPrefix(err.Error(), "yaml: ")), " "))
	}
	switch config.Kind {
	case fnKind:
		if config.Spec == nil {
			return nil, errors.New("spec is missing; it has template, parameters, name …")
		}
		file := settings.File{}
		if several, ok := config.Spec["targets"]; ok && len(config.Spec) == 1 {
			if err := file.ReadTargets(several); err != nil {
				return nil, fmt.Errorf("spec: %w", err)
			}
		} else {
			var t settings.Target
			if err := t.Read(config.Spec); err != nil {
				return nil, fmt.Errorf("spec: %w", err)
			}
			file.Targets = []settings.Target{t}
		}
		for _, t := range file.Targets {
			if t.Outfile != "" {
				return nil, errors.New("spec: outfile: a function writes no file; remove it")
			}
		}
		if len(file.Targets) == 0 {
			return nil, errors.New("spec: it lists no targets")
		}
		return file.Targets, nil
	case "ConfigMap":
		data := config.Data
		if lines, ok := data["parameters"].(string); ok {
			var parameters []any
			for _, line := range strings.Split(lines, "\n") {
				if line = strings.TrimSpace(line); line != "" {
					parameters = append(parameters, line)
				}
			}
			data["parameters"] = parameters
		}
		var t settings.Target
		if err := t.Read(data); err != nil {
			return nil, fmt.Errorf("data: %w", err)
		}
		return []settings.Target{t}, nil
	}
	return nil, fmt.Errorf("want an object of the kind %s or ConfigMap, not %q", fnKind, config.Kind)
}

// put adds the objects of a manifest to the items, or replaces those that are there.
func (l *resourceList) put(manifest []byte) error {
	decoder := yaml.NewDecoder(bytes.NewReader(manifest))
	for {
		var document yaml.Node
		if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if len(document.Content) == 1 && document.Content[0].Kind == yaml.MappingNode {
			l.putObject(document.Content[0])
		}
	}
}

func (l *resourceList) putObject(item *yaml.Node) {
	for i, old := range l.items.Content {
		if slices.Equal(identity(old), identity(item)) {
			l.items.Content[i] = item
			return
		}
	}
	l.items.Content = append(l.items.Content, item)
}

// identity is what an object is known by in a cluster.
func identity(n *yaml.Node) []string {
	var out []string
	for _, value := range []*yaml.Node{member(n, "apiVersion"), member(n, "kind"), member(member(n, "metadata"), "name"), member(member(n, "metadata"), "namespace")} {
		if value == nil {
			value = &yaml.Node{}
		}
		out = append(out, value.Value)
	}
	return out
}

// functionResult is an entry of the results of a ResourceList.
type functionResult struct {
	Message  string            `yaml:"message"`
	Severity string            `yaml:"severity"`
	File     *functionFile     `yaml:"file,omitempty"`
	Tags     map[string]string `yaml:"tags,omitempty"`
}

type functionFile struct {
	Path string `yaml:"path"`
}

// tell writes what was found, and why the function failed, into the results.
func (l *resourceList) tell(outcomes []*deliver.Outcome, err error) {
	var results []functionResult
	for _, r := range outcomes {
		for _, f := range r.Findings {
			results = append(results, resultOf(f))
		}
	}
	if err != nil && err.Error() != "" {
		results = append(results, functionResult{Message: cli.ErrorText(err), Severity: "error"})
	}
	if len(results) == 0 {
		return
	}
	var n yaml.Node
	if n.Encode(results) == nil {
		set(l.root, "results", &n)
	}
}

func resultOf(f report.Finding) functionResult {
	r := functionResult{Message: f.Code + ": " + report.Visible(f.Message), Tags: map[string]string{"code": f.Code}}
	switch f.Severity {
	case report.Error, report.Warning:
		r.Severity = strings.ToLower(fmt.Sprint(f.Severity))
	default:
		r.Severity = "info"
	}
	if f.Path != "" {
		path := f.Path
		if here, err := os.Getwd(); err == nil {
			if rel, err := filepath.Rel(here, path); err == nil && filepath.IsLocal(rel) {
				path = rel
			}
		}
		path = workdir.Slashed(report.Visible(path))
		r.File = &functionFile{Path: path}
		if f.Start.Line > 0 {
			r.Message = fmt.Sprintf("%s(%d,%d): %s", path, f.Start.Line, f.Start.Column, r.Message)
			r.Tags["line"], r.Tags["column"] = strconv.Itoa(f.Start.Line), strconv.Itoa(f.Start.Column)
		}
	}
	return r
}

// print writes the list to stdout.
func (l *resourceList) print(a *app) error {
	l.root.Style = 0
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(l.document); err != nil {
		return err
	}
	_, err := a.Stdout.Write(out.Bytes())
	return err
}
