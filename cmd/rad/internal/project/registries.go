package project

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/pkg/bicep"
)

// RadiusTypes is the repository of the types that Radius publishes.
const RadiusTypes = "br:biceptypes.azurecr.io/radius:"

// artifacts returns where artifacts of registries come from.
func artifacts(a *cli.App, s *settings.Settings) (bicep.Artifacts, error) {
	out := bicep.Artifacts{
		Offline: s.Offline, TokenServers: s.TokenServers,
	}
	// The variable is that of the official compiler.
	out.Trusted = strings.Join(append([]string{os.Getenv("BICEP_TRUSTED_REGISTRIES")}, s.TrustedRegistries...), ",")
	switch s.BuiltinTypes {
	case "never":
		out.BuiltIn = bicep.BuiltInNever
	case "always":
		out.BuiltIn = bicep.BuiltInAlways
	}
	for _, one := range s.RegistryMirrors {
		from, to, ok := strings.Cut(one, "=")
		if !ok || from == "" || to == "" || strings.Contains(one, "://") {
			return out, cli.Fail(cli.ExitUsage, "%s: want HOST=HOST[/PREFIX]", s.Named(settings.KeyRegistryMirrors, one))
		}
		if out.Mirrors == nil {
			out.Mirrors = map[string]string{}
		}
		out.Mirrors[from] = to
	}
	if dir := s.Vendor; dir != "" {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return out, cli.FailWith(cli.ExitIO, err)
		}
		out.Vendor = abs
	}
	var err error
	if out.Extensions, err = radiusTypes(s); err != nil {
		return out, err
	}
	if dir := s.CacheRoot; dir != "" {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return out, cli.FailWith(cli.ExitIO, err)
		}
		out.Cache = abs
	}
	if cli.IsTerminal(a.Stderr) && !a.Quiet {
		out.Progress = a.Progress()
	}
	return out, nil
}

// radiusTypes returns the extension of Radius' types that a setting chooses.
func radiusTypes(s *settings.Settings) (map[string]string, error) {
	switch tag := s.RadiusVersion; {
	case tag == "":
		return nil, nil
	case !validTag(tag):
		return nil, cli.Fail(cli.ExitUsage, "%s: want a tag, such as 0.58", s.Named(settings.KeyRadiusVersion, tag))
	default:
		return map[string]string{"radius": RadiusTypes + tag}, nil
	}
}

// validTag reports whether a text can be a tag of a registry.
func validTag(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || i > 0 && (c == '.' || c == '-')) {
			return false
		}
	}
	return s != "" && len(s) <= 128
}
