// Package scaffold finds what a repository's first settings file lists, and makes the text of that
// file.
package scaffold

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/schema"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/generate"
	"github.com/radbicep/rad/pkg/params"
)

// Target is a manifest that was found.
type Target struct {
	Template   string   `json:"template" doc:"template or parameter file, from the folder"`
	Parameters []string `json:"parameters,omitempty"`
	Name       string   `json:"name,omitempty" doc:"name of the manifest, where that of the template is taken"`
	Outfile    string   `json:"outfile,omitempty"`
	Required   []string `json:"required,omitempty" doc:"parameters that need a value and are not secure"`
	Secure     []string `json:"secure,omitempty" doc:"secure parameters that need a value, which does not belong into the file"`

	base string // the name that the manifest would have
}

// Find returns the manifests that the files of a folder, and below it, make. What these files
// name is read within the bounds.
func Find(folder string, area workdir.Bounds) ([]Target, error) {
	root, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	files, err := project.BicepFilesBelow(root)
	if err != nil {
		return nil, err
	}
	fsys := workdir.FilesBelow(area.Dir)
	used := map[string]bool{}
	for _, f := range files {
		refs, err := bicep.References(fsys, f)
		if err != nil {
			return nil, err
		}
		for _, ref := range refs {
			used[ref] = used[ref] || ref != f
		}
	}
	slices.Sort(files)
	var targets []Target
	for _, f := range files {
		if used[f] {
			continue
		}
		rel, err := filepath.Rel(root, f)
		if err != nil {
			return nil, err
		}
		t := Target{Template: workdir.Slashed(rel), base: workdir.Stem(f)}
		if strings.EqualFold(filepath.Ext(f), ".bicepparam") {
			using, err := bicep.Using(fsys, f)
			if err != nil || using == "" { // it is there to be extended
				continue
			}
			t.base = workdir.Stem(using)
			targets = append(targets, t)
			continue
		}
		outline, err := bicep.OutlineOf(fsys, f)
		if err != nil {
			return nil, err
		}
		if !outline.Deploys { // it holds types and functions for others
			continue
		}
		sets, err := parameterSets(f)
		if err != nil {
			return nil, err
		}
		for _, set := range sets {
			one := t
			one.Parameters = []string{"@" + workdir.Slashed(filepath.Join(filepath.Dir(rel), set))}
			if len(sets) > 1 {
				middle := strings.TrimSuffix(set[:len(set)-len(parametersEnding)], ".")
				one.base = middle
				one.Outfile = workdir.Slashed(filepath.Join(filepath.Dir(rel), middle+".yaml"))
			}
			targets = append(targets, one)
		}
		if len(sets) == 0 {
			t.Required, t.Secure = outline.Required, outline.Secure
			targets = append(targets, t)
		}
	}
	nameTargets(targets)
	return targets, nil
}

// parametersEnding is how the names of ARM parameter files end.
const parametersEnding = ".parameters.json"

// parameterSets returns the ARM parameter files beside a template that are named after it.
func parameterSets(template string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Dir(template))
	if err != nil {
		return nil, err
	}
	var sets []string
	for _, e := range entries {
		lower := strings.ToLower(e.Name())
		if strings.HasSuffix(lower, parametersEnding) &&
			strings.HasPrefix(lower, strings.ToLower(workdir.Stem(template))+".") && e.Type().IsRegular() {
			sets = append(sets, e.Name())
		}
	}
	return sets, nil
}

// nameTargets gives manifests names of their own where several would have the same.
func nameTargets(targets []Target) {
	count := func(name func(Target) string) map[string]int {
		n := map[string]int{}
		for _, t := range targets {
			n[name(t)]++
		}
		return n
	}
	byFile := func(t Target) string { return workdir.Stem(t.Template) }
	bases, files := count(func(t Target) string { return t.base }), count(byFile)
	for i := range targets {
		t := &targets[i]
		switch {
		case bases[t.base] == 1 && t.Outfile == "" && isPlainName(t.base):
		case bases[t.base] == 1:
			t.Name = objectName(t.base)
		case files[byFile(*t)] == 1 && bases[byFile(*t)] == 0:
			t.Name = objectName(byFile(*t))
		default:
			path := strings.TrimSuffix(t.Template, filepath.Ext(t.Template))
			if t.Outfile != "" {
				path = strings.TrimSuffix(t.Outfile, filepath.Ext(t.Outfile))
			}
			t.Name = objectName(path)
		}
	}
}

// isPlainName reports whether the name of a template can be that of a Kubernetes object.
func isPlainName(name string) bool {
	return strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789.-") == "" && strings.Trim(name, ".-") == name
}

// objectName makes a name of a Kubernetes object of a path.
func objectName(path string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(path) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			b.WriteRune(r)
		} else if s := b.String(); s != "" && !strings.HasSuffix(s, "-") {
			b.WriteByte('-')
		}
	}
	return strings.Trim(b.String()[:min(b.Len(), 63)], "-")
}

// Place says where manifests are deployed to, as far as it is known.
type Place struct {
	Target      string `json:"target,omitempty" doc:"what the manifests are made for"`
	Group       string `json:"group,omitempty"`
	Environment string `json:"environment,omitempty"`
	Application string `json:"application,omitempty"`

	SubscriptionID string `json:"subscriptionId,omitempty" doc:"of Azure, for targets that make objects of its resources"`
	ResourceGroup  string `json:"resourceGroup,omitempty" doc:"of Azure"`
	Location       string `json:"location,omitempty" doc:"of Azure"`
}

// Azure returns what is known of the place in Azure, by the keys of the settings.
func (p *Place) Azure() iter.Seq2[string, *string] {
	return func(yield func(string, *string) bool) {
		_ = yield(settings.KeySubscriptionID, &p.SubscriptionID) && yield(settings.KeyResourceGroup, &p.ResourceGroup) &&
			yield(settings.KeyLocation, &p.Location)
	}
}

// OfObjects reports whether other objects than DeploymentTemplates are made.
func (p *Place) OfObjects() bool { return generate.KindOf(p.Target) != nil }

// OfAzure reports whether these are made of resources of Azure.
func (p *Place) OfAzure() bool { return p.OfObjects() && !generate.KindOf(p.Target).OfAnyKind() }

// Gives takes the parameters from those that a target requires which get their values from the place.
func (p Place) Gives(targets []Target) {
	for i := range targets {
		if p.OfObjects() {
			targets[i].Secure = nil // the objects refer to Secrets
		}
		targets[i].Required = slices.DeleteFunc(targets[i].Required, func(name string) bool {
			return p.Environment != "" && strings.EqualFold(name, "environment") ||
				p.Application != "" && strings.EqualFold(name, "application")
		})
	}
}

// Requires reports whether a target requires a parameter.
func Requires(targets []Target, name string) bool {
	return slices.ContainsFunc(targets, func(t Target) bool {
		return slices.ContainsFunc(t.Required, func(one string) bool { return strings.EqualFold(one, name) })
	})
}

// Settings returns the settings file.
func Settings(targets []Target, p Place, gitops bool) string {
	var b strings.Builder
	b.WriteString("# yaml-language-server: $schema=" + schema.Home + "settings.json\n" + `#
# Settings of rad bicep for this repository, made by 'rad bicep init'. All keys are in
# https://github.com/radbicep/rad/blob/main/docs/settings.md

`)
	if p.OfObjects() {
		p.writeObjects(&b)
	} else {
		p.write(&b)
	}
	if gitops {
		b.WriteString("# The manifests are those that " + settings.GitopsName + " lists. Targets here would replace them.\n# targets: []\n")
		return b.String()
	}
	writeSecure(&b, targets, p)
	b.WriteString("# The manifests. 'rad bicep generate-kubernetes-manifest' without arguments writes them all.\n")
	waiting := slices.DeleteFunc(slices.Clone(targets), Target.Complete)
	if len(waiting) == len(targets) {
		b.WriteString("# ") // an empty list of targets is none
	}
	b.WriteString("targets:\n")
	for _, t := range targets {
		if t.Complete() {
			t.write(&b, "")
		}
	}
	if len(waiting) > 0 {
		b.WriteString("# These lack values. Give them here or in a parameter file, and take the signs of the comment away:\n")
	}
	for _, t := range waiting {
		t.write(&b, "# ")
	}
	return b.String()
}

// SecretsPage says where the values of secure parameters come from.
const SecretsPage = "https://github.com/radbicep/rad/blob/main/docs/secrets.md"

// writeSecure writes which secure parameters need values, since it proposes none.
func writeSecure(b *strings.Builder, targets []Target, p Place) {
	targets = slices.DeleteFunc(slices.Clone(targets), func(t Target) bool { return len(t.Secure) == 0 })
	if len(targets) == 0 {
		return
	}
	b.WriteString("# Secure parameters need values, which do not belong into this file. Where they come from:\n# " + SecretsPage + "\n")
	for _, t := range targets {
		fmt.Fprintf(b, "#   %s: %s\n", cli.YAMLText(t.Template), cli.OrAnd(t.Secure))
	}
	if p.Target != settings.RadiusTarget {
		writeLine(b, settings.KeySecureParameters, "", string(params.SecureReference))
	}
	b.WriteString("\n")
}

// writeLine writes a setting, or, where its value is not known, an example as a comment.
func writeLine(b *strings.Builder, key, value, example string) {
	switch {
	case value != "":
		fmt.Fprintf(b, "%s: %s\n", key, cli.YAMLText(value))
	case example != "":
		fmt.Fprintf(b, "# %s: %s\n", key, example)
	}
}

// writeObjects writes what is known of other objects.
func (p Place) writeObjects(b *strings.Builder) {
	b.WriteString("# Which objects the cluster takes: aso for those of Azure Service Operator, crossplane for those of Crossplane\n" +
		"# and Cluster API, kubernetes for those of the extension kubernetes as they are.\n")
	writeLine(b, settings.KeyTarget, p.Target, "")
	if p.OfAzure() {
		b.WriteString("\n# The subscription and the resource group that the resources are in, and the location of the group.\n")
		writeLine(b, settings.KeySubscriptionID, p.SubscriptionID, "00000000-0000-0000-0000-000000000000")
		writeLine(b, settings.KeyResourceGroup, p.ResourceGroup, "apps")
		writeLine(b, settings.KeyLocation, p.Location, "westeurope")
	}
	b.WriteString("\n# The namespace of the objects.\n")
	writeLine(b, settings.KeyNamespace, "", "default")
	b.WriteString("\n")
}

// write writes what is known of DeploymentTemplates.
func (p Place) write(b *strings.Builder) {
	line := func(key, value, example string) { writeLine(b, key, value, example) }
	b.WriteString("# The DeploymentTemplate that the cluster takes: radius for released Radius, design for the\n" +
		"# controller of this project.\n")
	line(settings.KeyTarget, p.Target, "radius")
	b.WriteString("\n# The namespace of the manifests, and the resource group of Radius that they deploy to.\n")
	line(settings.KeyNamespace, "", "default")
	line(settings.KeyGroup, p.Group, "default")
	if p.Environment+p.Application != "" {
		b.WriteString("\n# Values of the parameters of these names: names of resources in the group, or IDs.\n")
		line(settings.KeyEnvironment, p.Environment, "")
		line(settings.KeyApplication, p.Application, "")
	}
	b.WriteString("\n")
}

// Complete reports whether the manifest can be made of what is known.
func (t Target) Complete() bool { return len(t.Required)+len(t.Secure) == 0 }

// write writes a target of the list. The lines of one that lacks values begin with the sign of a comment, so that the others can be made.
func (t Target) write(b *strings.Builder, sign string) {
	fmt.Fprintf(b, "%s  - template: %s\n", sign, cli.YAMLText(t.Template))
	if len(t.Parameters) > 0 {
		fmt.Fprintf(b, "%s    parameters: [%s]\n", sign, cli.YAMLText(t.Parameters[0]))
	}
	if len(t.Required) > 0 {
		fmt.Fprintf(b, "%s    parameters: [%s=…]\n", sign, strings.Join(t.Required, "=…, "))
	}
	if t.Name != "" {
		fmt.Fprintf(b, "%s    name: %s\n", sign, cli.YAMLText(t.Name))
	}
	if t.Outfile != "" {
		fmt.Fprintf(b, "%s    outfile: %s\n", sign, cli.YAMLText(t.Outfile))
	}
}
