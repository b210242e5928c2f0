// Package generate makes a program of a template and the values of its parameters: compiled,
// declared, merged and bound, once. Its methods make a manifest, objects of a cluster, the
// resources that it deploys, or a bundle.
//
//	Source, Input ─Load─► Program ─► Manifest | Objects | Expand | Bundle, each with what was found
//
// The package knows no flags, prints nothing, and reads nothing but through the Source.
package generate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"sync"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/bundle"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/recipes"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/params"
)

// Source says how programs are compiled and read, and what is asked of them.
type Source struct {
	// Compiler compiles; nil is the embedded one.
	Compiler bicep.Compiler
	// Base is what all compiles have in common. Its FS is required.
	Base bicep.Request
	// Host is what a command line has beside; nil is none: all files are those of Base.
	Host Host

	// AsCompiled leaves the findings as the compiler reports them. Without it, a type of
	// Radius that does not exist is an error, as manifests demand.
	AsCompiled bool
	// Existing says that the program is about existing resources, so that one which nothing
	// refers to is not superfluous.
	Existing bool
	// NoTemplate accepts a parameter file that uses no template. The program has no Tree then.
	NoTemplate bool
	// ReadOn reads the arguments of a template with errors, too.
	ReadOn bool
}

// Host is where a command line runs: it has standard input, files that its user names, maybe outside of the root, and
// names for them in messages.
type Host interface {
	// FilesFor returns the root and the files for one file that is compiled.
	FilesFor(path string) (root string, files source.FS)
	// ReadFile reads a file that somebody named: that of an argument, or a JSON template.
	ReadFile(path string) ([]byte, error)
	// Stat describes such a file. It fails if the file must not be read, too.
	Stat(path string) (fs.FileInfo, error)
	// ReadStdin reads standard input, for the argument @-.
	ReadStdin() ([]byte, error)
	// Shown returns a path as messages show it.
	Shown(path string) string
}

// Input is what a program is made of.
type Input struct {
	// Template is the absolute path of a .bicep, .bicepparam or .json file, or where Bundle
	// comes from.
	Template string
	// Text is what messages call the template; "" stands for the path.
	Text string
	// Bundle holds the template in place of a file.
	Bundle *bundle.Bundle
	// Args give values to parameters. Of several for one, the last wins.
	Args []params.Arg
	// Own is how many of the first Args belong to the template, as a file of settings lists it. The
	// others are what somebody says now.
	Own int
	// Fallbacks are values of parameters that the template may declare and nothing else gives.
	Fallbacks []Fallback
	// Group is the resource group of Radius that names in Fallbacks belong to.
	Group string
}

// Fallback is a value for a parameter that nothing else gives: the ID of a resource of Radius,
// or its name.
type Fallback struct {
	Parameter string
	Value     string // "" is none
	Kind      string // of the resource, as IDs write it: environments
	Source    string // where the value was given, for messages
	// Firm says that the value was asked for now: a template, or its own arguments, that give another
	// one are an error, a *FallbackError.
	Firm bool
}

// FallbackError says that a value was asked for which does not count.
type FallbackError struct {
	Fallback Fallback
	By       params.Source // what gives the parameter another value
}

// Error names the fallback, and what gives its parameter another value.
func (e *FallbackError) Error() string {
	return fmt.Sprintf("%s %s: %s gives the parameter %q another value", e.Fallback.Source, e.Fallback.Value, e.By, e.Fallback.Parameter)
}

// Program is a template and the values of its parameters. Nothing changes it after Load, and its
// texts and trees must not be changed: several goroutines may use it.
type Program struct {
	Path   string // of the .bicep or .json file, or of the bundle
	Name   string // of the template's file
	Text   []byte // the template; nil if there is none
	Tree   *armjson.Object
	Places expand.Places // where its resources are declared, if the template is symbolic

	Declared *params.Declarations
	Given    params.Layer  // what was given, merged
	Values   params.Values // those of secure parameters too; Written says which of them a manifest holds

	// Plain makes Expand and ExpandAll show plain objects, those of recipes behind the resources that they are of; may be nil.
	Plain *ObjectOptions

	Found
	Missing  []report.Finding // on what was not read, where that is not an error
	Follow   int              // how many findings are left out, since they follow from others
	Files    []string         // that were read
	Compiled []string         // those of them that the template was compiled from
	Err      error            // why the work could not be done, beside the findings

	source     *Source
	run        *expand.Run
	declaredAt func() map[string]source.Position // where the template declares its parameters
	input      Input
	binding    *params.Binding
	before     int  // how many findings are not about binding
	incomplete bool // values could not be read
	recipe     *recipes.Template
}

// Found is what was found: in a program, and while something was made of it.
type Found struct {
	Findings []report.Finding
	Notices  []string // warnings that concern no place in a file
}

// find adds a finding.
func (f *Found) find(one report.Finding) { f.Findings = append(f.Findings, one) }

// Load compiles a template and reads the values of its parameters. The Program is never nil:
// it holds what was found, and as much as there is. The error is that of Program.Failed.
func Load(ctx context.Context, s Source, in Input) (*Program, error) {
	if s.Base.FS == nil && s.Host == nil {
		p := &Program{source: &s, input: in, Err: errors.New("generate: Source.Base.FS is nil; bicep.Dir returns the files of a folder")}
		return p, p.Err
	}
	if s.Compiler == nil {
		s.Compiler = bicep.Embedded{}
	}
	if s.Host == nil {
		s.Host = noHost{s.Base}
	}
	if in.Text == "" {
		in.Text = s.Host.Shown(in.Template)
	}
	p := &Program{source: &s, input: in, run: expand.RunOf(ctx)}
	p.declaredAt = sync.OnceValue(func() map[string]source.Position {
		list, _ := bicep.DeclaredParameters(s.request(p.Path).FS, p.Path) // one that cannot be read has no places
		places := map[string]source.Position{}
		for _, one := range list {
			places[one.Name] = one.At
		}
		return places
	})
	own := p.compile(ctx)
	if p.Name == "" {
		p.Name = filepath.Base(p.Path)
	}
	p.Compiled = slices.Clone(p.Files)
	switch {
	case p.Tree == nil && !s.ReadOn, p.Failed() != nil && !s.ReadOn:
		return p, p.Failed()
	case p.Tree == nil:
		p.Tree = armjson.NewObject()
	}
	p.declare(p.Tree)
	p.merge(ctx, own)
	if p.Err == nil {
		p.bind()
	}
	return p, p.Failed()
}

// noHost reads the files of Base.
type noHost struct{ base bicep.Request }

func (h noHost) FilesFor(string) (root string, files source.FS) { return h.base.Root, h.base.FS }

func (h noHost) ReadFile(path string) ([]byte, error) {
	b, err := h.base.FS.ReadFile(path)
	if encoding, _ := source.ByteOrderMark(b); encoding != "" {
		b = []byte(source.Decode(b, encoding))
	}
	return b, err
}

func (h noHost) Stat(path string) (fs.FileInfo, error) { return h.base.FS.Stat(path) }

func (noHost) ReadStdin() ([]byte, error) { return nil, errors.New("there is none") }

func (noHost) Shown(path string) string { return path }

// Failed returns why nothing can be made of the program: the error, or the findings that are
// errors, as report.Errors. It is nil if something can.
func (p *Program) Failed() error { return p.failedWith(p.Found) }

// unfit is failedWith for what needs a template.
func (p *Program) unfit(found Found) error {
	if err := p.failedWith(found); err != nil || p.Tree != nil {
		return err
	}
	return &TemplateError{Problem: UsesNone, File: p.input.Text, Text: usesNone}
}

// failedWith is Failed of what was found.
func (p *Program) failedWith(found Found) error {
	if p.Err != nil {
		return p.Err
	}
	return report.ErrorOf(found.Findings)
}

// fail notes why the work could not be done, beside what else went wrong.
func (p *Program) fail(err error) { p.Err = errors.Join(p.Err, err) }

// request returns the request for a file.
func (s *Source) request(file string) bicep.Request {
	q := s.Base
	q.File = file
	q.Root, q.FS = s.Host.FilesFor(file)
	return q
}

// Problem is what is wrong with a template.
type Problem uint8

// The problems.
const (
	NotJSON       Problem = iota + 1 // the text of a .json file is not JSON
	NotTemplate                      // the file is no ARM template
	ParameterFile                    // the file is an ARM parameter file
	UsesNone                         // the parameter file uses no template
	UsesSpec                         // the parameter file uses a template spec
	NotFile                          // the parameter file does not use a template file
)

// TemplateError says why there is no template.
type TemplateError struct {
	Problem Problem
	File    string // as messages show it
	Text    string
}

// Error names the file, and what is wrong with it.
func (e *TemplateError) Error() string { return e.File + ": " + e.Text }
