package generate

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/bundle"
)

// compile compiles or reads the template. For a .bicepparam file, own is what became of the
// file itself.
func (p *Program) compile(ctx context.Context) (own *bicep.Result) {
	if p.input.Bundle != nil {
		p.unpack()
		return nil
	}
	input := p.input.Template
	var parse func() (*armjson.Object, error)
	switch strings.ToLower(filepath.Ext(input)) {
	case ".json":
		p.Path = input
		p.Files = append(p.Files, input)
		p.Text, p.Err = p.source.Host.ReadFile(input)
		parse = func() (*armjson.Object, error) { return bicep.ParseTemplate(p.Text) }
	case ".bicepparam":
		own = p.buildParams(ctx, input, false)
		if own == nil {
			return nil
		}
		p.Path, p.Text, p.Places = own.Using, own.Template, own.Places
		parse = own.TemplateTree
		if p.Failed() != nil || !p.usesTemplate(own) {
			return own
		}
		p.Path = cmp.Or(p.Path, input)
	default:
		p.Path = input
		result, err := p.source.Compiler.Build(ctx, p.source.request(input))
		p.note(result, input)
		if err != nil {
			p.fail(err)
			return nil
		}
		p.Text, p.Places = result.Template, result.Places
		parse = result.TemplateTree
	}
	if p.Failed() == nil {
		p.parse(parse)
	}
	return own
}

const usesNone = "it uses no template"

// usesTemplate reports whether a parameter file uses a template. It notes why not.
func (p *Program) usesTemplate(own *bicep.Result) bool {
	e := &TemplateError{File: p.input.Text}
	switch {
	case own.TemplateSpec != "":
		e.Problem, e.Text = UsesSpec, "it uses a template spec, which a manifest cannot hold"
	case own.Template != nil:
		return true
	case p.source.NoTemplate:
		p.Notices = append(p.Notices, p.input.Text+": it uses no template, so it deploys nothing")
		return false
	default:
		e.Problem, e.Text = UsesNone, usesNone
	}
	p.fail(e)
	return false
}

// parse takes the tree of the template.
func (p *Program) parse(parse func() (*armjson.Object, error)) {
	tree, err := parse()
	e := &TemplateError{File: p.source.Host.Shown(p.Path)}
	var syntax *armjson.SyntaxError
	switch {
	case errors.As(err, &syntax):
		line := 1 + bytes.Count(p.Text[:syntax.Offset], []byte{'\n'})
		column := syntax.Offset - bytes.LastIndexByte(p.Text[:syntax.Offset], '\n')
		e.File = fmt.Sprintf("%s(%d,%d)", e.File, line, column)
		e.Problem, e.Text = NotJSON, "not JSON: "+syntax.Problem
	case err != nil:
		e.Problem, e.Text = NotJSON, err.Error()
	case hasResources(tree):
		p.Tree = tree
		return
	case isParameterFile(tree):
		e.Problem, e.Text = ParameterFile, "this is an ARM parameter file"
	case tree.Find("resources") >= 0:
		e.Problem, e.Text = NotTemplate, "not an ARM template: its resources are neither an array nor an object"
	default:
		e.Problem, e.Text = NotTemplate, "not an ARM template: it has no resources"
	}
	p.fail(e)
}

// hasResources reports whether a template has what a deployment demands: resources, if only an empty list of them.
func hasResources(tree *armjson.Object) bool {
	v, _ := tree.Get("resources")
	_, isList := v.(armjson.Array)
	_, isObject := v.(*armjson.Object)
	return isList || isObject
}

// isParameterFile reports whether a JSON file says that it is an ARM parameter file.
func isParameterFile(tree *armjson.Object) bool {
	schema, _ := tree.Get("$schema")
	return schema != nil && strings.Contains(strings.ToLower(armjson.Text(schema)), "deploymentparameters.json")
}

// unpack takes the template out of a bundle.
func (p *Program) unpack() {
	b := p.input.Bundle
	if !strings.HasPrefix(p.input.Template, bundle.Scheme) {
		p.Files = append(p.Files, p.input.Template)
	}
	p.Path, p.Name, p.Text = p.input.Template, b.About.Name, b.Template
	tree, err := bicep.ParseTemplate(p.Text)
	if err != nil || !hasResources(tree) {
		p.fail(fmt.Errorf("%s: %w", p.input.Text, &bundle.InvalidError{Problem: "its template is not an ARM template"}))
		return
	}
	p.Tree = tree
}
