package bicep

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/graph"
	"github.com/radbicep/rad/pkg/bicep/internal/paramsfile"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// BuildParams compiles a .bicepparam file.
func (Embedded) BuildParams(ctx context.Context, r Request) (*Result, error) {
	return compile(ctx, r, func(c *compilation, result *Result) error {
		switch template := c.used(); {
		case template == nil: // using none
		case template.Kind == graph.TemplateSpec:
			result.TemplateSpec = template.TemplateID
		case r.ParametersOnly:
		case template.Kind == graph.ARMTemplate:
			result.Template = []byte(template.Source.Text)
		default:
			if err := c.emit(template, result); err != nil || !result.OK() {
				return err
			}
		}
		params, err := paramsfile.Build(c.program.Entry())
		if err != nil {
			return err
		}
		if !r.HideEnvironment && !r.Unfetched && !r.Lenient { // else values may be unknown
			result.Parameters = armjson.Append(nil, params.JSON, armjson.Indented)
		}
		for _, p := range params.Parameters {
			a := Assigned{Name: p.Assign.Name(), Value: p.Value, Reference: p.Reference, Expression: p.Expression}
			c.locate(&a, p.Assign)
			result.Assigned = append(result.Assigned, a)
		}
		return nil
	})
}

// locate says of a parameter where it is assigned, and whether its value may be written and shown.
func (c *compilation) locate(a *Assigned, p *bind.ParamAssign) {
	a.Mark = c.secrets().Assigned(p)
	if c.request.HideEnvironment && a.Mark.Written() {
		a.Mark = 0 // what comes from the environment is not in the value
	}
	f := c.files.Entry.Source
	if b := p.Binding(); b != nil {
		f = b.File.Source
	}
	a.Path, a.At = f.Path, f.Position(p.NameSpan().Start)
}

// used returns the template that the parameter file uses, or nil.
func (c *compilation) used() *graph.File {
	if m, _ := c.program.Entry().Used(); m != nil {
		return m.File()
	}
	return nil
}

// overridden returns the files of a request with its overrides in the entry file. A file that cannot be read is
// reported when it is loaded.
func overridden(r Request, path string) (source.FS, error) {
	if r.Overrides == "" {
		return r.FS, nil
	}
	b, err := r.FS.ReadFile(path)
	if err != nil {
		return r.FS, nil
	}
	text, err := paramsfile.Override(source.Decode(b, ""), r.Overrides)
	if err != nil {
		return nil, fmt.Errorf("the values that override those of %s: %w", filepath.Base(path), err)
	}
	return source.Overlay{Below: r.FS, Texts: map[string]string{path: text}}, nil
}
