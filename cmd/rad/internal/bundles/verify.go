package bundles

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/targets"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep/bundle"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/generate"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/params"
)

// Verification is the result of verify.
type Verification struct {
	Reference string         `json:"reference"`
	Digest    string         `json:"digest" doc:"of the bundle's manifest"`
	Same      bool           `json:"same" doc:"whether all checks passed"`
	Checks    []Check        `json:"checks"`
	Inputs    []ChangedInput `json:"inputs,omitempty" doc:"files of the source that are not those the bundle was made of"`
}

// Check is one check of a bundle.
type Check struct {
	Name   string `json:"name" enum:"digests,name,parameters,values,manifests,settings,source"`
	Same   bool   `json:"same"`
	Detail string `json:"detail,omitempty"`
}

// ChangedInput is a file of the source that differs.
type ChangedInput struct {
	Path  string `json:"path"`
	State string `json:"state" enum:"added,changed,deleted"`
}

// Verify checks a bundle by itself. p is its program.
func Verify(name string, artifact bundle.Artifact, b *bundle.Bundle, p *generate.Program) (r Verification, err error) {
	r = Verification{Reference: workdir.Slashed(name), Digest: bundle.Digest(artifact.Manifest), Same: true}
	r.add("digests", "")
	if artifact.Called != "" {
		problem := ""
		if name := workdir.Stem(b.About.Name); artifact.Called != name {
			problem = fmt.Sprintf("index.json calls it %q, and its name is %q", report.Visible(artifact.Called), report.Visible(name))
		}
		r.add("name", problem)
	}
	listed, err := json.Marshal(append([]bundle.Parameter{}, b.Parameters...))
	if err != nil {
		return r, err
	}
	own, err := json.Marshal(p.Parameters())
	if err != nil {
		return r, err
	}
	if bytes.Equal(listed, own) {
		r.add("parameters", "")
	} else {
		r.add("parameters", "the list of parameters is not that of the template")
	}
	r.add("values", checkValues(p))
	if len(b.Manifests) > 0 {
		r.add("manifests", checkManifest(p))
	}
	return r, nil
}

// WriteText shows the checks to people.
func (r *Verification) WriteText(w io.Writer) error {
	var b strings.Builder
	for _, one := range r.Checks {
		text := "ok"
		if !one.Same {
			text = "differs: " + one.Detail
		}
		fmt.Fprintf(&b, "%-10s %s\n", report.Visible(one.Name), cli.ShowControls(text))
	}
	for _, i := range r.Inputs {
		fmt.Fprintf(&b, "  %s %s\n", report.Visible(i.State), cli.ShowControls(i.Path))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Verification) add(check, problem string) {
	r.Checks = append(r.Checks, Check{check, problem == "", problem})
	r.Same = r.Same && problem == ""
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

// SourceOf returns that of the targets which a bundle was made of: the only one, or that of its name. It is nil if
// there is none.
func SourceOf(side project.Side, b *bundle.Bundle, list []*targets.Target) *targets.Target {
	list = slices.DeleteFunc(list, func(t *targets.Target) bool { return t.Bundle })
	if said, _ := generate.Recorded(b); len(list) > 1 {
		list = slices.DeleteFunc(list, func(t *targets.Target) bool { return t.NameOf(side) != said.Name })
	}
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// CompareSettings notes how the manifest of a bundle is called and placed in another way than the settings say of
// its target.
func (r *Verification) CompareSettings(side project.Side, b *bundle.Bundle, t *targets.Target) {
	was, known := generate.Recorded(b)
	if !known {
		return
	}
	is := t.ManifestOptions()
	is.Name = t.NameOf(side)
	var problems []string
	now := optionTexts(is)
	for i, one := range optionTexts(was) {
		if one != now[i] {
			problems = append(problems, fmt.Sprintf("%s: %s in the bundle, %s in the source",
				one[0], cmp.Or(one[1], "none"), cmp.Or(now[i][1], "none")))
		}
	}
	r.add("settings", strings.Join(problems, "; "))
}

// optionTexts returns the options of a manifest that a bundle records, by their keys in the settings.
func optionTexts(o manifest.Options) [][2]string {
	pairs := func(m map[string]string) string {
		var list []string
		for _, key := range slices.Sorted(maps.Keys(m)) {
			list = append(list, key+"="+m[key])
		}
		return strings.Join(list, ",")
	}
	var waits []string
	for _, r := range o.DependsOn {
		waits = append(waits, r.Kind+" "+r.Name+" ("+r.APIVersion+")")
	}
	mode := ""
	if o.DropGenerator {
		mode = "drop"
	}
	return [][2]string{
		{"name", o.Name}, {"namespace", o.Namespace}, {"group", o.Group}, {"target", string(o.Target)},
		{"azureScope", o.AzureScope}, {"awsScope", o.AWSScope}, {"compact", fmt.Sprint(o.Compact)}, {"generatorMetadata", mode},
		{"labels", pairs(o.Labels)}, {"annotations", pairs(o.Annotations)},
		{"dependsOn", strings.Join(waits, ", ")},
	}
}

// CompareSource notes how the source of a bundle differs from what the bundle was made of. p is the program
// of the source, and files are those that it was compiled from.
func (r *Verification) CompareSource(side project.Side, b *bundle.Bundle, p *generate.Program, files []string) error {
	now, _, _, err := inputs(side, p.Path, files)
	if err != nil {
		return err
	}
	r.Inputs = inputChanges(b.About.Inputs, now)
	problem := ""
	if !bytes.Equal(p.Text, b.Template) {
		problem = "the source compiles to another template"
	}
	r.add("source", problem)
	return nil
}

// inputChanges compares the files that two templates were made of.
func inputChanges(before, after []bundle.Input) (list []ChangedInput) {
	was := map[string]string{}
	for _, i := range before {
		was[i.Path] = i.Digest
	}
	for _, i := range after {
		switch digest, ok := was[i.Path]; {
		case !ok:
			list = append(list, ChangedInput{i.Path, "added"})
		case digest != i.Digest:
			list = append(list, ChangedInput{i.Path, "changed"})
		}
		delete(was, i.Path)
	}
	for path := range was {
		list = append(list, ChangedInput{path, "deleted"})
	}
	slices.SortFunc(list, func(a, b ChangedInput) int { return strings.Compare(a.Path, b.Path) })
	return list
}
