package generate

import (
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/manifest"
)

// Manifest makes the DeploymentTemplate of the program. The options say everything except the
// template, its parameters, and which of them are secure, which are those of the program.
// Objections of Kubernetes or Radius are added to the findings.
func (p *Program) Manifest(o manifest.Options) (*manifest.Manifest, error) {
	if err := p.Failed(); err != nil {
		return nil, err
	}
	o.Template, o.Tree, o.Secure = p.Text, p.Tree, p.Declared.SecureNames()
	for _, v := range p.Values {
		o.Parameters = append(o.Parameters, manifest.Parameter{Name: v.Name, Value: v.Value, Reference: v.Reference, Mark: v.Mark})
	}
	o.InSecret = p.InSecret
	if o.Name == "" {
		o.Name = p.Name
	}
	if o.Names == nil {
		o.Names = p.names
	}
	m, err := manifest.New(o)
	if err != nil {
		return nil, err
	}
	for i := range m.Warnings {
		w := &m.Warnings[i]
		p.warn(w.Code, w.Text, w)
	}
	return m, nil
}

// Private reports whether the values hold one of a secure parameter.
func (p *Program) Private() bool {
	for i := range p.Values {
		if !p.Values[i].Mark.Written() {
			return true
		}
	}
	return false
}

// names returns the names of the resources that the program deploys, but those that are
// not shown or known only during the deployment.
func (p *Program) names() (names []manifest.ResourceName) {
	result, err := p.expand(expand.Options{Tolerant: true})
	if err != nil {
		return nil // what cannot be predicted is not checked
	}
	for _, r := range result.Resources {
		if name, ok := expand.Known(r.Name); ok && !r.Existing {
			names = append(names, manifest.ResourceName{Type: r.Type, Name: name})
		}
	}
	return names
}
