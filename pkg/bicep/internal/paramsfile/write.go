package paramsfile

import (
	"fmt"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/armexpr"
	"github.com/radbicep/rad/pkg/bicep/internal/bind"
	"github.com/radbicep/rad/pkg/bicep/internal/check"
	"github.com/radbicep/rad/pkg/bicep/internal/collate"
	"github.com/radbicep/rad/pkg/bicep/internal/ir"
)

const schema = "https://schema.management.azure.com/schemas/2019-04-01/deploymentParameters.json#"

// Output is what a parameter file becomes.
type Output struct {
	JSON       *armjson.Object // the ARM parameter file
	Parameters []Parameter     // the parameters in it
}

// Parameter is what is given for one parameter. One of Value, Reference and Expression
// is set.
type Parameter struct {
	Assign     *bind.ParamAssign
	Value      armjson.Value
	Reference  *armjson.Object // to a secret in a key vault
	Expression string          // what only a deployment can evaluate
}

// Build returns what a parameter file becomes. The file has no errors; an error is a
// fault of the compiler.
func Build(m *check.Model) (*Output, error) {
	f := of(m)
	built := &Output{}
	out := armjson.NewObject()
	out.Set("$schema", armjson.String(schema))
	out.Set("contentVersion", armjson.String("1.0.0.0"))
	params := armjson.NewObject()
	out.Set("parameters", params)
	used, _ := m.Used()
	for _, p := range f.names.ParamAssigns {
		if used != nil && used.File() != nil && used.Parameter(p.Name()) == nil {
			continue // it belongs to a file that this one extends
		}
		a, err := f.assignment(p)
		if err != nil {
			return nil, fmt.Errorf("parameter %s: %w", p.Name(), err)
		}
		v, err := f.assigned(a, "reference")
		if err != nil {
			return nil, fmt.Errorf("parameter %s: %w", p.Name(), err)
		}
		params.Set(p.Name(), v)
		expression, _ := v.Get("expression")
		text, _ := expression.(armjson.String)
		built.Parameters = append(built.Parameters,
			Parameter{Assign: p, Value: a.Value, Reference: v.Object("reference"), Expression: string(text)})
	}
	if d := f.definitions(); d != nil {
		out.Set("externalInputDefinitions", d)
	}
	if m.Features().ModuleExtensionConfigs {
		configs, err := f.extensionConfigs()
		if err != nil {
			return nil, err
		}
		out.Set("extensionConfigs", configs)
	}
	if u := f.names.Using(); u != nil && u.With != nil {
		v, err := f.assigned(&Assignment{Expression: f.ctx.Builder(nil).Expr(u.With.Config)}, "reference")
		if err != nil {
			return nil, err
		}
		out.Set("usingConfig", v)
	}
	built.JSON = out
	return built, nil
}

// assigned returns the object that holds what something is given; secrets are
// in it under the given name.
func (f *file) assigned(a *Assignment, secret string) (*armjson.Object, error) {
	switch {
	case a.Secret != nil:
		v, err := f.secret(a.Secret)
		return armjson.NewObject(armjson.Member{Key: secret, Value: v}), err
	case a.Value != nil:
		return armjson.NewObject(armjson.Member{Key: "value", Value: a.Value}), nil
	}
	text, err := f.text(a.Expression)
	return armjson.NewObject(armjson.Member{Key: "expression", Value: text}), err
}

// secret returns a reference to a Key Vault's secret.
func (f *file) secret(s *ir.KeyVaultReference) (armjson.Value, error) {
	id, err := f.text(s.VaultID)
	if err != nil {
		return nil, err
	}
	name, err := f.text(s.Secret)
	if err != nil {
		return nil, err
	}
	out := armjson.NewObject(
		armjson.Member{Key: "keyVault", Value: armjson.NewObject(armjson.Member{Key: "id", Value: id})},
		armjson.Member{Key: "secretName", Value: name},
	)
	if s.Version != nil {
		version, err := f.text(s.Version)
		if err != nil {
			return nil, err
		}
		out.Set("secretVersion", version)
	}
	return out, nil
}

// text returns an expression's text in the template language.
func (f *file) text(x ir.Expr) (armjson.Value, error) {
	e, err := f.armExpr(x)
	if err != nil {
		return nil, err
	}
	return armjson.String(armexpr.Text(e)), nil
}

// extensionConfigs returns the configurations of extensions, sorted by their
// aliases and the names of their settings.
func (f *file) extensionConfigs() (armjson.Value, error) {
	list := append([]*bind.ExtensionConfig(nil), f.names.ExtensionConfigs...)
	collate.SortFunc(list, func(s *bind.ExtensionConfig) string { return s.Name() })
	out := armjson.NewObject()
	for _, s := range list {
		settings := append([]setting(nil), f.extensionSettings().of[s]...)
		collate.SortFunc(settings, func(s setting) string { return s.name })
		o := armjson.NewObject()
		for _, x := range settings {
			v, err := f.assigned(&x.Assignment, "keyVaultReference")
			if err != nil {
				return nil, fmt.Errorf("extension %s: %w", s.Name(), err)
			}
			o.Set(x.name, v)
		}
		out.Set(s.Name(), o)
	}
	return out, nil
}
