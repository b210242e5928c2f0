package generate

import (
	"cmp"

	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/params"
)

// Manifest makes the DeploymentTemplate of the program. The options say everything except the
// template, its parameters, and which of them are secure, which are those of the program; secure
// says what becomes of values of secure parameters, "" is params.SecureError. Objections of
// Kubernetes or Radius are among what was found.
func (p *Program) Manifest(o manifest.Options, secure params.SecurePolicy) (*manifest.Manifest, Found, error) {
	values, found := p.Written(secure, nil)
	if err := p.unfit(found); err != nil {
		return nil, found, err
	}
	m, err := p.manifest(o, values, &found)
	return m, found, err
}

// manifest makes the DeploymentTemplate with values.
func (p *Program) manifest(o manifest.Options, values params.Values, found *Found) (*manifest.Manifest, error) {
	o.Template, o.Tree, o.Secure, o.InSecret = p.Text, p.Tree, p.Declared.SecureNames(), nil
	for _, v := range values {
		if v.InSecret {
			o.InSecret = append(o.InSecret, v.Name)
			continue
		}
		o.Parameters = append(o.Parameters, manifest.Parameter{Name: v.Name, Value: v.Value, Reference: v.Reference, Mark: v.Mark})
	}
	o.Name = cmp.Or(o.Name, p.Name)
	if o.Names == nil {
		o.Names = func() []manifest.ResourceName { return p.names(values) }
	}
	m, err := manifest.New(o)
	if err != nil {
		return nil, err
	}
	for i := range m.Warnings {
		w := &m.Warnings[i]
		found.find(report.Finding{Path: p.Path, Severity: report.Warning, Code: w.Code, Message: report.Sentence(w.Text), Cause: w})
	}
	return m, nil
}

// names returns the names of the resources that the program deploys, but those that are
// not shown or known only during the deployment.
func (p *Program) names(values params.Values) (names []manifest.ResourceName) {
	result, err := p.expand(values, expand.Options{Tolerant: true})
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
