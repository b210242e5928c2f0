package generate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/bundle"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/params"
)

// BundleOptions say what a bundle holds beside the program.
type BundleOptions struct {
	// Tool is the version of the program that makes the bundle.
	Tool string
	// Manifest are the options of the manifest that it holds.
	Manifest manifest.Options
	// Inputs are the files that the template was compiled from.
	Inputs []bundle.Input
	// Lock is the content of bicep.lock.json; nil if there is none.
	Lock []byte
	// Origin says where the source is.
	Origin bundle.Origin
	// Secure says what becomes of values that are not shown: params.SecureOmit leaves them out.
	Secure params.SecurePolicy
}

// Bundle makes a bundle of the program. A value that is not shown is not in it: that is an
// error, or it is left out if the options say so. Without values for all parameters it
// holds no manifest.
func (p *Program) Bundle(o BundleOptions) (*bundle.Bundle, Found, error) {
	values, found := p.written(o.Secure, needNone)
	if err := p.unfit(found); err != nil {
		return nil, found, err
	}
	name := filepath.Base(p.Path)
	b := &bundle.Bundle{
		About: bundle.About{Tool: o.Tool, Name: name, Inputs: o.Inputs,
			Bicep: p.Tree.Object("metadata").Object("_generator").Str("version")},
		Template: p.Text, Parameters: p.Parameters(), Lock: o.Lock, Origin: o.Origin,
	}
	var kept params.Values
	for _, v := range values {
		switch {
		case v.Mark.Shown():
			kept = append(kept, v)
		case o.Secure == params.SecureOmit:
			found.Notices = append(found.Notices, v.Name+": the value is secret, or computed from the environment, and is left out")
		default:
			found.find(report.Finding{Path: p.Path, Severity: report.Error, Code: params.CodeSecure,
				Message: fmt.Sprintf("The value of %q is computed from the environment, and a bundle holds no such value.", v.Name),
				Hint:    report.HintLeaveOut})
		}
	}
	if err := p.failedWith(found); err != nil {
		return nil, found, err
	}
	if len(kept) > 0 {
		b.Values = valuesFile(kept)
	}
	o.Manifest.Name = cmp.Or(o.Manifest.Name, name)
	var err error
	if b.About.Manifest, err = json.Marshal(o.Manifest); err != nil || !p.complete(kept) {
		return b, found, err
	}
	m, err := p.manifest(o.Manifest, kept, &found)
	if err != nil {
		return nil, found, err
	}
	content, err := m.Render(manifest.YAML)
	if err != nil {
		return nil, found, err
	}
	b.Manifests = []bundle.File{{Name: strings.TrimSuffix(name, filepath.Ext(name)) + ".yaml", Content: content}}
	return b, found, nil
}

// complete reports whether all parameters have values: those that need one, and those that
// were given one, which may have been left out.
func (p *Program) complete(values params.Values) bool {
	has := map[string]bool{}
	for _, v := range values {
		has[v.Name] = true
	}
	for _, d := range p.Declared.All() {
		if d.Required() && !has[d.Name] {
			return false
		}
	}
	return !slices.ContainsFunc(p.Given, func(e params.Entry) bool { return !has[e.Name] })
}

// ErrNoRecord is the error about a bundle that does not say how its manifest was made, and about
// a program that was not loaded from a bundle.
var ErrNoRecord = errors.New("it does not say how the manifest was made")

// SameManifest reports whether the manifest of the bundle that the program was loaded from is
// what is made of its template and values now.
func (p *Program) SameManifest() (bool, error) {
	b := p.input.Bundle
	if b == nil {
		return false, ErrNoRecord
	}
	options, ok := Recorded(b)
	if !ok {
		return false, ErrNoRecord
	}
	values, found := p.written(params.SecureAllow, needNone)
	if p.failedWith(found) != nil { // nothing is made of it
		return false, nil
	}
	m, err := p.manifest(options, values, &found)
	if err != nil {
		return false, err
	}
	content, err := m.Render(manifest.YAML)
	if err != nil {
		return false, err
	}
	return len(b.Manifests) == 1 && bytes.Equal(b.Manifests[0].Content, content), nil
}

// Recorded returns how the manifest of a bundle was, or is to be, made. ok is false if the bundle does not say it.
func Recorded(b *bundle.Bundle) (o manifest.Options, ok bool) {
	return o, json.Unmarshal(b.About.Manifest, &o) == nil
}

// valuesFile returns values as an ARM parameter file.
func valuesFile(values params.Values) []byte {
	list := armjson.NewObject()
	for _, v := range values {
		entry := armjson.NewObject()
		if v.Reference != nil {
			entry.Set("reference", v.Reference)
		} else {
			entry.Set("value", v.Value)
		}
		list.Set(v.Name, entry)
	}
	return append(armjson.Append(nil, armjson.NewObject(
		armjson.Member{Key: "$schema",
			Value: armjson.String("https://schema.management.azure.com/schemas/2019-04-01/deploymentParameters.json#")},
		armjson.Member{Key: "contentVersion", Value: armjson.String("1.0.0.0")},
		armjson.Member{Key: "parameters", Value: list},
	), armjson.Indented), '\n')
}

// Parameters describes the parameters that the template declares.
func (p *Program) Parameters() []bundle.Parameter {
	list := []bundle.Parameter{}
	all := p.Tree.Object("parameters")
	for _, d := range p.Declared.All() {
		one := bundle.Parameter{Name: d.Name, Type: d.Type(), Required: d.Required(), Secure: d.Secure}
		if o := all.Object(d.Name); o != nil {
			if v, ok := o.Get("defaultValue"); ok && !d.Secure {
				one.Default = armjson.Append(nil, v, armjson.Compact)
			}
			one.Description = o.Object("metadata").Str("description")
		}
		list = append(list, one)
	}
	return list
}
