package generate

import (
	"errors"
	"fmt"

	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/params"
)

// expand predicts what the program deploys with values. It is the one place where bound values become
// the parameters of an expansion.
func (p *Program) expand(values params.Values, o expand.Options) (*expand.Result, error) {
	o.Parameters = make(map[string]expand.Parameter, len(values))
	for i := range values {
		if v := &values[i]; !v.InSecret {
			o.Parameters[v.Name] = expand.Parameter{Value: v.Value, Reference: v.Reference, Mark: v.Mark}
		}
	}
	o.Places, o.Run = p.Places, p.run
	return expand.Expand(p.Tree, o)
}

// Expand predicts what the program deploys in a context. Values of secure parameters and of the
// environment are secret in it, and parameters without a value are unknown. If it cannot be evaluated,
// that is a finding. A deployment that would fail is a notice.
func (p *Program) Expand(x expand.Context) (*expand.Result, Found, error) {
	return p.expandWith(x, false)
}

// ExpandAll is Expand, but lists resources whose condition is false, too.
func (p *Program) ExpandAll(x expand.Context) (*expand.Result, Found, error) {
	return p.expandWith(x, true)
}

func (p *Program) expandWith(x expand.Context, all bool) (*expand.Result, Found, error) {
	values, found := p.written(params.SecureAllow, needNone)
	if err := p.failedWith(found); err != nil {
		return nil, found, err
	}
	if p.Tree == nil { // see Source.NoTemplate
		return &expand.Result{}, found, nil
	}
	lenient := p.source.Base.Lenient
	o := expand.Options{Context: x, Tolerant: true, Graphs: true, All: all || lenient, Declared: !lenient}
	expanded := p.expand
	if p.Plain != nil {
		expanded = func(values params.Values, o expand.Options) (*expand.Result, error) {
			return p.becomes(values, o, &found)
		}
	}
	result, err := expanded(values, o)
	if err != nil {
		p.notExpanded(err, &found)
		return nil, found, p.failedWith(found)
	}
	for _, d := range result.Diagnostics {
		switch {
		case d.Code == expand.CodeTooLarge:
			found.Notices = append(found.Notices, fmt.Sprintf("%s: %s", p.source.Host.Shown(p.Path), d.Message))
		case d.Level == "Warning":
			found.Notices = append(found.Notices, fmt.Sprintf("%s: the deployment would fail: %s", p.source.Host.Shown(p.Path), d.Message))
		}
	}
	return result, found, nil
}

// Hides reports whether the value of a parameter must not be shown.
func (p *Program) Hides(name string) bool {
	for i := range p.Values {
		if p.Values[i].Name == name {
			return !p.Values[i].Mark.Shown() || expand.IsSecure(p.Values[i].Value)
		}
	}
	return false
}

// notExpanded notes why the program cannot be expanded: that is a finding, unless it is no fault of the program.
func (p *Program) notExpanded(err error, found *Found) {
	if p.Err != nil {
		return
	}
	e := new(expand.Error)
	errors.As(err, &e)
	found.find(positioned(e.Position, p.Path,
		report.Finding{Severity: report.Error, Code: expand.CodeCannotExpand, Message: report.Sentence(err.Error())}))
}

// positioned gives a finding its place: that in the source, or else the template.
func positioned(at expand.Position, path string, f report.Finding) report.Finding {
	f.Path = path
	if at.File != "" {
		f.Path, f.Start = at.File, source.Position{Line: at.Line, Column: at.Column}
	}
	return f
}
