package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"

	"github.com/radbicep/rad/cmd/rad/internal/workdir"

	"github.com/radbicep/rad/cmd/rad/internal/cli"

	"github.com/radbicep/rad/cmd/rad/internal/settings"
)

// compileOptions are what every command that compiles has been told.
type compileOptions struct {
	*settings.Settings
	compiler bicep.Compiler
	external bool           // the compiler is another program
	cwd      string         // the working directory
	base     bicep.Request  // what all requests have in common
	bounds   workdir.Bounds // of what the repository may name, and of its links
	strict   bool           // warnings are errors
}

// newCompileOptions merges the settings for inputs in a folder, which is the
// working directory if it is "", and chooses the compiler.
func (a *app) newCompileOptions(flags *pflag.FlagSet, set settings.Set, folder string) (*compileOptions, error) {
	cwd, err := os.Getwd()
	if err != nil {
		return nil, cli.FailWith(cli.ExitIO, err)
	}
	if folder == "" {
		folder = cwd
	}
	s, root, area, err := settings.For(flags, set, folder)
	if err != nil {
		return nil, err
	}
	o := &compileOptions{Settings: s, cwd: cwd, strict: s.WarningsAsErrors, bounds: area}
	name := s.Compiler
	if a.AsBicep && (name == "" || name == "auto") {
		name = "embedded" // BICEP may well name this program
	}
	compiler, err := chooseCompiler(name, s.RequiredVersion, s.Timeout, os.Getenv)
	if err != nil {
		if place := s.Where(settings.KeyCompiler); s.Given(settings.KeyCompiler) && !s.Changed(settings.KeyCompiler) {
			err = fmt.Errorf("%s: %w", place, err)
		}
		return nil, cli.FailWith(cli.ExitIO, err)
	}
	_, o.external = compiler.(*bicep.External)
	if o.external && s.Hermetic {
		return nil, cli.Fail(cli.ExitUsage, "--hermetic needs the embedded compiler: what another program reads cannot be closed off")
	}
	o.compiler = cli.Advisor{Compiler: compiler, App: a.App}
	if !o.external {
		useHugePages()
	}
	o.base = bicep.Request{Root: root, FS: workdir.FilesBelow(root), Env: s.Variables(), GeneratorVersion: s.GeneratorVersion, AzTypes: s.AzTypes, Workspace: a.workspace}
	if o.base.Artifacts, err = a.artifacts(s); err != nil {
		return nil, err
	}
	o.base.NoRestore = s.Hermetic // --offline says what is missing in its own words
	return o, nil
}

// request returns the request for a file.
func (o *compileOptions) request(file string) bicep.Request {
	r := o.base
	r.File = file
	if abs, err := filepath.Abs(file); err == nil {
		r.File = abs
	}
	return r
}

// judge applies --warnings-as-errors to what a compiler found.
func (o *compileOptions) judge(findings []report.Finding) []report.Finding {
	if o.strict {
		for i := range findings {
			if findings[i].Severity == report.Warning {
				findings[i].Severity = report.Error
			}
		}
	}
	return findings
}
