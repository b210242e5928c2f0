package bundles

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep/bundle"
	"github.com/radbicep/rad/pkg/generate"
)

// Inspection is the result of inspect.
type Inspection struct {
	Reference string `json:"reference"`
	Digest    string `json:"digest" doc:"of the bundle's manifest"`
	Version   int    `json:"version" doc:"of the bundle's format"`
	Tool      string `json:"tool" doc:"version of rad that made it"`
	Bicep     string `json:"bicep,omitempty" doc:"version that the template names"`
	Name      string `json:"name" doc:"file name of the template"`
	bundle.Origin
	Parameters []bundle.Parameter `json:"parameters"`
	Values     []Value            `json:"values"`
	Inputs     []bundle.Input     `json:"inputs"`
	Lock       bool               `json:"lock" doc:"whether it holds bicep.lock.json"`
	Manifests  []string           `json:"manifests" doc:"names of the Kubernetes manifests"`
}

// Value is a value that a bundle holds.
type Value struct {
	Name      string          `json:"name"`
	Value     json.RawMessage `json:"value,omitempty" doc:"absent for a secure parameter"`
	Reference bool            `json:"reference,omitempty" doc:"a secret of a key vault is meant"`
}

// Inspect says what a bundle is. p is its program.
func Inspect(name string, artifact bundle.Artifact, b *bundle.Bundle, p *generate.Program) Inspection {
	r := Inspection{
		Reference: workdir.Slashed(name), Digest: bundle.Digest(artifact.Manifest), Origin: b.Origin,
		Version: b.About.Version, Tool: b.About.Tool, Bicep: b.About.Bicep, Name: b.About.Name,
		Parameters: p.Parameters(), Values: []Value{}, Inputs: append([]bundle.Input{}, b.About.Inputs...),
		Lock: b.Lock != nil, Manifests: []string{},
	}
	for _, v := range p.Values {
		one := Value{Name: v.Name, Reference: v.Reference != nil}
		if v.Mark.Shown() && v.Reference == nil {
			one.Value = cli.RawJSON(v.Value)
		}
		r.Values = append(r.Values, one)
	}
	for _, f := range b.Manifests {
		r.Manifests = append(r.Manifests, f.Name)
	}
	return r
}

// WriteText shows a bundle to people.
func (r *Inspection) WriteText(w io.Writer) error {
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
	given := map[string]Value{}
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
	_, err := io.WriteString(w, b.String())
	return err
}
