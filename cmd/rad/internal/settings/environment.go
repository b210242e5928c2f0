package settings

import (
	"fmt"
	"os"
	"strings"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/spell"
)

// Variables returns what parameter files see of the process's environment.
func (s *Settings) Variables() bicep.Environment {
	if s.Hermetic {
		return allowedVariables(s.AllowEnv)
	}
	return allVariables{}
}

// allVariables is the environment of the process.
type allVariables struct{}

func (allVariables) Lookup(name string) (string, bool) { return os.LookupEnv(name) }

// Hint names a variable with a similar name.
func (allVariables) Hint(name string) string {
	names := os.Environ()
	for i, e := range names {
		names[i], _, _ = strings.Cut(e, "=")
	}
	if near := spell.Near(name, names); near != "" {
		return fmt.Sprintf("Did you mean %q?", near)
	}
	return ""
}

// allowedVariables is what --hermetic leaves of the environment: the variables that
// --allow-env names, in which * stands for any characters.
type allowedVariables []string

func (a allowedVariables) Lookup(name string) (string, bool) {
	for _, pattern := range a {
		if prefix, ok := strings.CutSuffix(pattern, "*"); ok && strings.HasPrefix(name, prefix) || pattern == name {
			return os.LookupEnv(name)
		}
	}
	return "", false
}

// Hint says how to let a variable through that exists.
func (allowedVariables) Hint(name string) string {
	if _, exists := os.LookupEnv(name); !exists {
		return ""
	}
	return fmt.Sprintf("--hermetic hides it; --allow-env %s lets it through.", name)
}
