package project

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/spell"
)

// chooseCompiler returns the compiler that --compiler names.
//
// auto is the embedded one, so that two machines agree, unless the environment
// names an executable, or a folder that holds one, in BICEP or RAD_BICEP. Where that is
// this very program, as released Radius sets it, that is the embedded compiler.
func chooseCompiler(name, requiredVersion, bicepVersion string, timeout time.Duration, getenv func(string) string) (bicep.Compiler, error) {
	release, stamp, err := bicep.FindRelease(bicepVersion)
	if err != nil {
		return nil, err
	}
	if bicepVersion == "" {
		release = "" // any
	}
	// Where nobody names a release, a bicepconfig.json may choose one. Then the compiler compares, unless no release would do.
	possible := func(v string) bool { return bicep.VersionMatches(v, requiredVersion) }
	open := bicepVersion == "" && slices.ContainsFunc(bicep.Releases(), func(v string) bool {
		_, whole, err := bicep.FindRelease(v)
		return err == nil && possible(whole)
	})
	embedded := func() (bicep.Compiler, error) {
		if requiredVersion != "" && !open && !possible(stamp) {
			return nil, fmt.Errorf("the embedded compiler is Bicep %s, and requiredVersion is %s", stamp, requiredVersion)
		}
		return bicep.Embedded{}, nil
	}
	external := func(path string) (bicep.Compiler, error) {
		if workdir.IsSelf(path) {
			return embedded()
		}
		if getenv(settings.CallerVariable) != "" || bicep.CalledBack() {
			return nil, fmt.Errorf("the external compiler %s calls rad again, so this would never end; "+
				"name the official compiler, or use --compiler embedded", path)
		}
		env := append(os.Environ(), fmt.Sprintf("%s=%d", settings.CallerVariable, os.Getpid()))
		return &bicep.External{Path: path, Env: env, Timeout: timeout,
			RequiredVersion: requiredVersion, BicepVersion: release, EndOrphans: true}, nil
	}
	switch name {
	case "embedded":
		return embedded()
	case "", "auto":
		for _, variable := range []string{"BICEP", "RAD_BICEP"} {
			if path := getenv(variable); path != "" {
				found, err := workdir.Executable(path, "bicep")
				if err != nil {
					return nil, fmt.Errorf("the environment's %s: %w", variable, err)
				}
				return external(found)
			}
		}
		return embedded()
	case "bicep":
		for _, folder := range filepath.SplitList(getenv("PATH")) {
			// A relative folder depends on who made the working directory.
			if !filepath.IsAbs(folder) {
				continue
			}
			if found, err := workdir.Executable(folder, "bicep"); err == nil {
				return external(found)
			}
		}
		return nil, fmt.Errorf("--compiler bicep: there is no bicep on the PATH; --compiler embedded needs none")
	case "rad":
		home, err := os.UserHomeDir()
		if err != nil {
			return nil, fmt.Errorf("--compiler rad: %w", err)
		}
		folder := filepath.Join(home, ".rad", "bin")
		for _, program := range []string{"bicep", "rad-bicep"} {
			if found, err := workdir.Executable(folder, program); err == nil {
				return external(found)
			}
		}
		return nil, fmt.Errorf("--compiler rad: there is no bicep and no rad-bicep in %s; --compiler embedded needs none", folder)
	}
	found, err := workdir.Executable(name, "bicep")
	if err != nil {
		hint := ""
		if near := spell.Nearest(name, []string{"auto", "embedded", "bicep", "rad"}); near != "" {
			hint = fmt.Sprintf("; did you mean %q?", near)
		}
		return nil, fmt.Errorf("--compiler %s: want auto, embedded, bicep, rad or an executable: %w%s", name, err, hint)
	}
	return external(found)
}
