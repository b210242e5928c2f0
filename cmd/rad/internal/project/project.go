// Package project is what a command works on: the settings and the compiler, and where its files are read.
//
//	Open ─► Project        the settings, the compiler and its artifacts; it does not change
//	Disk, At ─► Side       where files are read: on the disk, or in a git revision
package project

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep"
)

// Project are what every command that compiles has been told.
type Project struct {
	*settings.Settings
	Compiler bicep.Compiler
	External bool           // the compiler is another program
	InVain   []string       // where settings are made that it does not take
	Cwd      string         // the working directory
	Folder   string         // from which settings are looked for
	Base     bicep.Request  // what all requests have in common; each command adds its own to a copy
	Bounds   workdir.Bounds // of what the repository may name, and of its links
	Stdin    func() ([]byte, error)
	set      settings.Set // that the command has
}

// Process is what the process that runs a command has.
type Process struct {
	*cli.App
	Stdin     func() ([]byte, error) // the whole of it
	Workspace *bicep.Workspace       // what the compiler knows from the run before, or nil
}

// Open merges the settings for inputs in a folder, which is the
// working directory if it is "", and chooses the compiler.
func Open(a Process, flags *pflag.FlagSet, set settings.Set, folder string, caller settings.Caller) (*Project, error) {
	cwd, err := os.Getwd()
	if err != nil {
		return nil, cli.FailWith(cli.ExitIO, err)
	}
	folder = cmp.Or(folder, cwd)
	s, root, area, err := settings.For(flags, set, folder, caller)
	if err != nil {
		return nil, err
	}
	o := &Project{Settings: s, Cwd: cwd, Folder: folder, Bounds: area, Stdin: a.Stdin, set: set}
	name := s.Compiler
	if a.AsBicep && (name == "" || name == "auto") || set&settings.Compiler == 0 {
		name = "embedded" // BICEP may well name this program; and only those with the setting can use another one
	}
	if _, _, err := bicep.FindRelease(s.BicepVersion); err != nil {
		return nil, cli.FailWith(cli.ExitUsage, err)
	}
	compiler, err := chooseCompiler(name, s.RequiredVersion, s.BicepVersion, s.Timeout, os.Getenv)
	if err != nil {
		if place := s.Where(settings.KeyCompiler); s.Given(settings.KeyCompiler) && !s.Changed(settings.KeyCompiler) {
			err = fmt.Errorf("%s: %w", place, err)
		}
		return nil, cli.FailWith(cli.ExitIO, err)
	}
	_, o.External = compiler.(*bicep.External)
	limit := s.TimeLimit
	if o.External && !s.Given(settings.KeyTimeLimit) {
		limit = 0 // each call of another program has its own limit
	}
	a.LimitTime(limit)
	if o.External && s.Hermetic {
		return nil, cli.Fail(cli.ExitUsage, "--hermetic needs the embedded compiler: rad cannot limit what another program reads")
	}
	o.Compiler = cli.Advisor{Compiler: compiler, App: a.App}
	if o.External {
		if o.InVain, err = s.InVain(set); err != nil {
			return nil, err
		}
	}
	o.Base = bicep.Request{Root: root, FS: workdir.FilesBelow(root), Env: s.Variables(), Options: bicep.Options{
		BicepVersion: s.BicepVersion, RequiredVersion: s.RequiredVersion, GeneratorVersion: s.GeneratorVersion,
		AzTypes: s.AzTypes, TrustedClouds: os.Getenv("BICEP_TRUSTED_CLOUDS"), Workspace: a.Workspace,
	}}
	if o.Base.Config, err = ConfigFile(s.Config, s.Named(settings.KeyConfig, s.Config)); err != nil {
		return nil, err
	}
	if o.Base.Artifacts, err = artifacts(a.App, s); err != nil {
		return nil, err
	}
	o.Base.NoRestore = s.Hermetic || s.Offline && o.External // the embedded compiler has its own words for --offline
	return o, nil
}

// ConfigFile returns the absolute path of the file that --config or its setting names, which messages call named; "" if
// there is none.
func ConfigFile(path, named string) (string, error) {
	if path == "" {
		return "", nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", cli.Fail(cli.ExitUsage, "%s: %w", named, cli.ReasonOf(err))
	}
	if !info.Mode().IsRegular() {
		return "", cli.Fail(cli.ExitUsage, "%s: not a file", named)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", cli.FailWith(cli.ExitIO, err)
	}
	return abs, nil
}

// Shown returns a path as messages show it: relative to where the user is.
func (o *Project) Shown(path string) string {
	if !filepath.IsAbs(path) {
		return path
	}
	if rel, err := filepath.Rel(o.Cwd, path); err == nil && (filepath.IsLocal(rel) || o.Bounds.Contains(path) && o.Bounds.Contains(o.Cwd)) {
		return rel
	}
	return path
}

// Request returns a request for a file, of what it has in common with others: an external compiler gets no options.
func (o *Project) Request(base bicep.Request, file string) bicep.Request {
	if o.External {
		base.Options = bicep.Options{}
	}
	base.File = file
	if abs, err := filepath.Abs(file); err == nil {
		base.File = abs
	}
	return base
}

// Annotated is the format of findings where a CI system may show them as annotations: the user has not chosen a
// form. The commands that stand in for the official compiler's do not ask.
func (o *Project) Annotated() string {
	if o.Given(settings.KeyDiagnosticsFormat) {
		return o.DiagnosticsFormat
	}
	return cmp.Or(string(cli.CiFormat(os.Getenv)), o.DiagnosticsFormat)
}
