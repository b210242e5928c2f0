package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// compileOptions are what every command that compiles has been told.
type compileOptions struct {
	*settings
	compiler bicep.Compiler
	external bool          // the compiler is another program
	cwd      string        // the working directory
	base     bicep.Request // what all requests have in common
	bounds   bounds        // of what the repository may name, and of its links
	strict   bool          // warnings are errors
}

// newCompileOptions merges the settings for inputs in a folder, which is the
// working directory if it is "", and chooses the compiler.
func (a *app) newCompileOptions(flags *pflag.FlagSet, all []setting, folder string) (*compileOptions, error) {
	cwd, err := os.Getwd()
	if err != nil {
		return nil, failWith(exitIO, err)
	}
	if folder == "" {
		folder = cwd
	}
	s, root, area, err := settingsFor(flags, all, folder)
	if err != nil {
		return nil, err
	}
	o := &compileOptions{settings: s, cwd: cwd, strict: s.bool(keyWarningsAsErrors), bounds: area}
	name := s.str(keyCompiler)
	if a.asBicep && (name == "" || name == "auto") {
		name = "embedded" // BICEP may well name this program
	}
	compiler, err := chooseCompiler(name, s.str(keyRequiredVersion), s.duration(keyTimeout), os.Getenv)
	if err != nil {
		if place := s.place(settingOf(compilerSettings, keyCompiler)); s.given(keyCompiler) && !flags.Changed(keyCompiler) {
			err = fmt.Errorf("%s: %w", place, err)
		}
		return nil, failWith(exitIO, err)
	}
	_, o.external = compiler.(*bicep.External)
	if o.external && s.bool(keyHermetic) {
		return nil, fail(exitUsage, "--hermetic needs the embedded compiler: what another program reads cannot be closed off")
	}
	o.compiler = advisor{compiler, a}
	if !o.external {
		useHugePages()
	}
	o.base = bicep.Request{Root: root, FS: filesBelow(root), Env: s.environment(), GeneratorVersion: s.str(keyGeneratorVersion), AzTypes: s.str(keyAzTypes), Workspace: a.workspace}
	if o.base.Artifacts, err = a.artifacts(s); err != nil {
		return nil, err
	}
	o.base.NoRestore = s.bool(keyHermetic) // --offline says what is missing in its own words
	return o, nil
}

// settingsFor reads and merges the settings for inputs in a folder. root is the
// project's root, or "" where there is none; area is the root or else the folder.
func settingsFor(flags *pflag.FlagSet, all []setting, folder string) (s *settings, root string, area bounds, err error) {
	user, err := readUserSettings()
	if err != nil {
		return nil, "", area, err
	}
	if root, err = projectRoot(flags, user, folder); err != nil {
		return nil, "", area, err
	}
	area = newBounds(folder)
	if root != "" {
		area = newBounds(root)
	}
	project, err := findSettings(folder, root, trustedFolders(flags, user))
	if err != nil {
		return nil, "", area, err
	}
	if project != nil {
		judge := &projectJudge{file: project, user: user, bounds: area}
		if err := judge.judge(); err != nil {
			return nil, "", area, err
		}
	}
	if s, err = loadSettings(flags, all, user, project); err != nil {
		return nil, "", area, failWith(exitUsage, err)
	}
	if set := s.str(keyRoot); set != "" {
		if root, err = rootFolder(set); err != nil {
			return nil, "", area, err
		}
		area = newBounds(root)
	}
	return s, root, area, nil
}

// projectRoot returns the folder outside of which no file is read: what the user names,
// or else the git work tree of a folder. It is "" where there is none.
func projectRoot(flags *pflag.FlagSet, user *settingsFile, folder string) (string, error) {
	given := os.Getenv(settingOf(compilerSettings, keyRoot).env())
	if f := flags.Lookup(keyRoot); f != nil && f.Changed {
		given = f.Value.String()
	}
	if given == "" && user != nil {
		given, _ = user.values[keyRoot].(string)
	}
	root, err := rootFolder(given)
	if err != nil && !flags.Changed(keyRoot) {
		where := userSettingsName() + ": " + keyRoot
		if variable := settingOf(compilerSettings, keyRoot).env(); os.Getenv(variable) != "" {
			where = "the environment's " + variable
		}
		err = fail(exitUsage, "%s: %w", where, err)
	}
	if root == "" && err == nil {
		root = gitTop(folder)
	}
	return root, err
}

// trustedFolders returns the folders whose settings the user trusts.
func trustedFolders(flags *pflag.FlagSet, user *settingsFile) []string {
	if f := flags.Lookup(kebab(keyTrustedFolders)); f != nil && f.Changed {
		list, _ := flags.GetStringSlice(kebab(keyTrustedFolders))
		return list
	}
	if v := os.Getenv("RAD_BICEP_TRUSTED_FOLDERS"); v != "" {
		return strings.Split(v, ",")
	}
	if user == nil {
		return nil
	}
	list, _ := textList(user.values[keyTrustedFolders])
	return list
}

// rootFolder returns the absolute path of what is given as the root, if it is.
func rootFolder(given string) (string, error) {
	if given == "" {
		return "", nil
	}
	root, err := filepath.Abs(given)
	if err != nil {
		return "", failWith(exitIO, err)
	}
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		return "", fail(exitUsage, "--root %s: not a folder", given)
	}
	return root, nil
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
