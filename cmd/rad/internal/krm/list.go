// Package krm reads and writes the ResourceList of a KRM function, as kustomize and kpt call one.
package krm

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/run"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// The names of the object that configures the function.
const (
	FnVersion = "radbicep.github.io/v1alpha1"
	FnKind    = "BicepManifest"
)

// Config is how the function calls what it is configured by, in messages.
const Config = "functionConfig"

// List is the ResourceList that a function gets and gives back. What the function does
// not know stays as it is.
type List struct {
	document, root, items, config *yaml.Node
}

func Read(text []byte) (*List, error) {
	l := &List{document: &yaml.Node{}}
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
	l.config = member(l.root, Config)
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

// fields are keys and values, or something else where they should be.
type fields struct {
	values map[string]any
	wrong  bool
}

// UnmarshalYAML takes whatever is there.
func (f *fields) UnmarshalYAML(n *yaml.Node) error {
	f.wrong = n.Decode(&f.values) != nil
	return nil
}

// Targets returns what the configuration lists, and what messages call it: the place of the one target, or
// of the list.
func (l *List) Targets() (_ []settings.Target, place string, _ error) {
	if l.config == nil {
		return nil, "", fmt.Errorf("it is missing; want an object of the kind %s with a spec", FnKind)
	}
	var config struct {
		Kind string
		Spec fields
		Data fields
	}
	if err := l.config.Decode(&config); err != nil {
		return nil, "", errors.New(strings.Join(strings.Fields(strings.TrimPrefix(err.Error(), "yaml: ")), " "))
	}
	switch {
	case config.Spec.wrong:
		return nil, "", errors.New("spec: want keys and values")
	case config.Data.wrong:
		return nil, "", errors.New("data: want keys and values")
	}
	switch config.Kind {
	case FnKind:
		if config.Spec.values == nil {
			return nil, "", errors.New("spec is missing; it has template, parameters, name …")
		}
		file := settings.File{}
		place = "spec"
		if several, ok := config.Spec.values["targets"]; ok {
			if len(config.Spec.values) > 1 {
				return nil, "", errors.New("spec: beside targets there is no other key; write it into each of the targets")
			}
			place = "spec.targets"
			if err := file.ReadTargets(several); err != nil {
				return nil, "", fmt.Errorf("spec.%w", err)
			}
		} else {
			var t settings.Target
			if err := t.Read(config.Spec.values); err != nil {
				return nil, "", fmt.Errorf("spec: %w", err)
			}
			file.Targets = []settings.Target{t}
		}
		for _, t := range file.Targets {
			if t.Outfile != "" {
				return nil, "", errors.New("spec: outfile: a function writes no file; remove it")
			}
		}
		if len(file.Targets) == 0 {
			return nil, "", errors.New("spec: it lists no targets")
		}
		return file.Targets, place, nil
	case "ConfigMap":
		data := config.Data.values
		if lines, ok := data["parameters"].(string); ok {
			var parameters []any
			for line := range strings.SplitSeq(lines, "\n") {
				if line = strings.TrimSpace(line); line != "" {
					parameters = append(parameters, line)
				}
			}
			data["parameters"] = parameters
		}
		var t settings.Target
		if err := t.Read(data); err != nil {
			return nil, "", fmt.Errorf("data: %w", err)
		}
		return []settings.Target{t}, "data", nil
	}
	return nil, "", fmt.Errorf("want an object of the kind %s or ConfigMap, not %q", FnKind, config.Kind)
}

// Put adds the objects of a manifest to the items, or replaces those that are there.
func (l *List) Put(manifest []byte) error {
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

func (l *List) putObject(item *yaml.Node) {
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
	for _, value := range []*yaml.Node{member(n, "apiVersion"), member(n, "kind"),
		member(member(n, "metadata"), "name"), member(member(n, "metadata"), "namespace")} {
		if value == nil {
			value = &yaml.Node{}
		}
		out = append(out, value.Value)
	}
	return out
}

// result is an entry of the results of a ResourceList.
type result struct {
	Message  string            `yaml:"message"`
	Severity string            `yaml:"severity"`
	File     *file             `yaml:"file,omitempty"`
	Tags     map[string]string `yaml:"tags,omitempty"`
}

type file struct {
	Path string `yaml:"path"`
}

// Tell writes what was found, and why the function failed, into the results.
func (l *List) Tell(outcomes []*run.Outcome, err error) {
	var results []result
	for _, r := range outcomes {
		for _, f := range r.Findings {
			results = append(results, resultOf(f))
		}
	}
	if err != nil && err.Error() != "" {
		results = append(results, result{Message: cli.ErrorText(err), Severity: "error"})
	}
	if len(results) == 0 {
		return
	}
	var n yaml.Node
	if n.Encode(results) == nil {
		set(l.root, "results", &n)
	}
}

func resultOf(f report.Finding) result {
	var here report.Printer // names files from the folder of the function
	here.Base, _ = os.Getwd()
	r := result{Message: f.Code + ": " + report.Visible(here.Message(f)), Tags: map[string]string{"code": f.Code}}
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
		r.File = &file{Path: path}
		if f.Start.Line > 0 {
			r.Message = fmt.Sprintf("%s(%d,%d): %s", path, f.Start.Line, f.Start.Column, r.Message)
			r.Tags["line"], r.Tags["column"] = strconv.Itoa(f.Start.Line), strconv.Itoa(f.Start.Column)
		}
	}
	return r
}

// Print writes the list to stdout.
func (l *List) Print(w io.Writer) error {
	l.root.Style = 0
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(l.document); err != nil {
		return err
	}
	_, err := w.Write(out.Bytes())
	return err
}
