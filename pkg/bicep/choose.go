package bicep

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/radbicep/rad/pkg/spell"
)

// Choice says which compiler is wanted, as users do.
type Choice struct {
	// Name is auto (or ""), embedded, bicep, rad, or the path of an executable.
	Name            string
	Timeout         time.Duration
	RequiredVersion string
	Getenv          func(string) string // nil means os.Getenv
}

// Choose returns the compiler that is wanted.
//
// auto is the embedded one, so that two machines agree, unless the environment
// names an executable, or a folder that holds one, in BICEP or RAD_BICEP.
func Choose(c Choice) (Compiler, error) {
	if c.Getenv == nil {
		c.Getenv = os.Getenv
	}
	external := func(path string) (Compiler, error) {
		return &External{Path: path, Timeout: c.Timeout, RequiredVersion: c.RequiredVersion}, nil
	}
	embedded := func() (Compiler, error) {
		if c.RequiredVersion != "" && !versionHasPrefix(DefaultGeneratorVersion, c.RequiredVersion) {
			return nil, fmt.Errorf("the embedded compiler is Bicep %s, and requiredVersion is %s", DefaultGeneratorVersion, c.RequiredVersion)
		}
		return Embedded{}, nil
	}
	switch c.Name {
	case "embedded":
		return embedded()
	case "", "auto":
		for _, name := range []string{"BICEP", "RAD_BICEP"} {
			if path := c.Getenv(name); path != "" {
				found, err := executable(path, "bicep")
				if err != nil {
					return nil, fmt.Errorf("the environment's %s: %w", name, err)
				}
				return external(found)
			}
		}
		return embedded()
	case "bicep":
		path, err := exec.LookPath("bicep")
		if err != nil {
			return nil, fmt.Errorf("--compiler bicep: there is no bicep on the PATH; --compiler embedded needs none")
		}
		return external(path)
	case "rad":
		home, err := os.UserHomeDir()
		if err != nil {
			return nil, fmt.Errorf("--compiler rad: %w", err)
		}
		folder := filepath.Join(home, ".rad", "bin")
		for _, name := range []string{"bicep", "rad-bicep"} {
			if found, err := executable(folder, name); err == nil {
				return external(found)
			}
		}
		return nil, fmt.Errorf("--compiler rad: there is no bicep and no rad-bicep in %s; --compiler embedded needs none", folder)
	}
	found, err := executable(c.Name, "bicep")
	if err != nil {
		hint := ""
		if near := spell.Nearest(c.Name, []string{"auto", "embedded", "bicep", "rad"}); near != "" {
			hint = fmt.Sprintf("; did you mean %q?", near)
		}
		return nil, fmt.Errorf("--compiler %s: want auto, embedded, bicep, rad or an executable: %w%s", c.Name, err, hint)
	}
	return external(found)
}

// executable returns the path of a program: the file at path, or the one of the
// given name in the folder at path.
func executable(path, name string) (string, error) {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if info.IsDir() {
		path = filepath.Join(path, name)
		if info, err = os.Stat(path); err != nil {
			return "", err
		}
	}
	if !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode().Perm()&0o111 == 0 {
		return "", fmt.Errorf("%s is not a program that can be run", path)
	}
	return filepath.Abs(path)
}
