package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
)

// The keys of the settings about registries.
const (
	keyOffline           = "offline"
	keyVendor            = "vendor"
	keyTrustedRegistries = "trustedRegistries"
	keyRegistryMirrors   = "registryMirrors"
	keyTokenServers      = "tokenServers"
	keyRadiusVersion     = "radiusVersion"
	keyCacheRoot         = "cacheRootDirectory"
)

// radiusTypes is the repository of the types that Radius publishes.
const radiusTypes = "br:biceptypes.azurecr.io/radius:"

// registrySettings are those of every command that needs artifacts of registries.
var registrySettings = []setting{
	{keyRadiusVersion, "", nil, "take the types of Radius from its release `TAG`, such as 0.58"},
	{keyOffline, false, nil, "do not open network connections"},
	{keyVendor, "", nil, "`DIR` that holds artifacts of registries, in the layout of the cache, and is read first"},
	{keyCacheRoot, "", nil, "`DIR` of the cache of artifacts, before cacheRootDirectory in bicepconfig.json"},
	{keyTrustedRegistries, []string(nil), nil, "registries that are trusted beside the well-known ones: `HOST[,*.SUFFIX]`"},
	{keyRegistryMirrors, []string(nil), nil, "mirrors to fetch the content of registries from: `HOST=HOST[/PREFIX]`"},
	{keyTokenServers, []string(nil), nil, "hosts that may be given the credentials of registries: `HOST[:PORT]`"},
}

// artifacts returns where artifacts of registries come from.
func (a *app) artifacts(s *settings) (bicep.Artifacts, error) {
	out := bicep.Artifacts{
		Offline: s.bool(keyOffline), TokenServers: s.list(keyTokenServers),
	}
	// The variable is that of the official compiler.
	out.Trusted = strings.Join(append([]string{os.Getenv("BICEP_TRUSTED_REGISTRIES")}, s.list(keyTrustedRegistries)...), ",")
	for _, one := range s.list(keyRegistryMirrors) {
		from, to, ok := strings.Cut(one, "=")
		if !ok || from == "" || to == "" || strings.Contains(one, "://") {
			return out, cli.Fail(cli.ExitUsage, "--registry-mirrors %s: want HOST=HOST[/PREFIX]", one)
		}
		if out.Mirrors == nil {
			out.Mirrors = map[string]string{}
		}
		out.Mirrors[from] = to
	}
	if dir := s.str(keyVendor); dir != "" {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return out, cli.FailWith(cli.ExitIO, err)
		}
		out.Vendor = abs
	}
	if tag := s.str(keyRadiusVersion); tag != "" {
		if !validTag(tag) {
			return out, cli.Fail(cli.ExitUsage, "--radius-version %s: want a tag, such as 0.58", tag)
		}
		out.Extensions = map[string]string{"radius": radiusTypes + tag}
	}
	if dir := s.str(keyCacheRoot); dir != "" {
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

// mirrorList reads the setting registryMirrors, which a settings file may also
// write as names and texts.
func mirrorList(v any) any {
	m, err := textMap(v)
	if err != nil {
		return v
	}
	var list []any
	for from, to := range m {
		list = append(list, from+"="+to)
	}
	slices.SortFunc(list, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
	return list
}
