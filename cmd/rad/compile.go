package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/diag"
)

// compileOptions are what every command that compiles has been told.
type compileOptions struct {
	*settings
	compiler bicep.Compiler
	printer  diag.Printer
	base     bicep.Request // what all requests have in common
	strict   bool          // warnings are errors
}

// newCompileOptions merges the settings for inputs in a folder and chooses the compiler.
func (a *app) newCompileOptions(flags *pflag.FlagSet, all []setting, folder string, errors any) (*compileOptions, error) {
	root := os.Getenv("RAD_BICEP_ROOT")
	if f := flags.Lookup("root"); f != nil && f.Changed {
		root = f.Value.String()
	}
	if root == "" {
		root = gitTop(folder)
	}
	s, err := loadSettings(flags, all, folder, root)
	if err != nil {
		return nil, failWith(exitUsage, err)
	}
	o := &compileOptions{settings: s, strict: s.bool(keyWarningsAsErrors)}
	if set := s.str(keyRoot); set != "" {
		root = set
	}
	if root != "" {
		if root, err = filepath.Abs(root); err != nil {
			return nil, failWith(exitIO, err)
		}
		if info, err := os.Stat(root); err != nil || !info.IsDir() {
			return nil, fail(exitUsage, "--root %s: not a folder", root)
		}
	}
	o.compiler, err = bicep.Choose(bicep.Choice{Name: s.str(keyCompiler), Timeout: s.duration(keyTimeout), RequiredVersion: s.str(keyRequiredVersion)})
	if err != nil {
		return nil, failWith(exitIO, err)
	}
	_, external := o.compiler.(*bicep.External)
	if external && s.bool(keyHermetic) {
		return nil, fail(exitUsage, "--hermetic needs the embedded compiler: what another program reads cannot be closed off")
	}
	if !external {
		useHugePages()
	}
	o.base = bicep.Request{Root: root, GeneratorVersion: s.str(keyGeneratorVersion), LookupEnv: s.lookupEnv()}
	o.printer = diag.Printer{Format: diag.Format(s.str(keyDiagnosticsFormat))}
	if o.printer.Format == diag.SARIF {
		o.printer.Version = version()
	}
	if o.printer.Format == diag.Text {
		o.printer.Color = colors(s.str(keyColor), errors)
		o.printer.Snippets = isTerminal(errors) || s.str(keyColor) == "always"
	}
	return o, nil
}

// lookupEnv returns how parameter files see the environment; nil stands for as it is.
func (s *settings) lookupEnv() func(string) (string, bool) {
	if !s.bool(keyHermetic) {
		return nil
	}
	allowed := s.list(keyAllowEnv)
	return func(name string) (string, bool) {
		for _, a := range allowed {
			if prefix, ok := strings.CutSuffix(a, "*"); ok && strings.HasPrefix(name, prefix) || a == name {
				return os.LookupEnv(name)
			}
		}
		return "", false
	}
}

// request returns the request for a file.
func (o *compileOptions) request(file string) bicep.Request {
	r := o.base
	r.File = file
	return r
}

// judge applies --warnings-as-errors to what a compiler found.
func (o *compileOptions) judge(findings []diag.Finding) []diag.Finding {
	if o.strict {
		for i := range findings {
			if findings[i].Severity == diag.Warning {
				findings[i].Severity = diag.Error
			}
		}
	}
	return findings
}
