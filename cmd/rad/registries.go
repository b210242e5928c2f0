package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// The keys of the settings about registries.
const (
	keyOffline           = "offline"
	keyVendor            = "vendor"
	keyTrustedRegistries = "trustedRegistries"
	keyRegistryMirrors   = "registryMirrors"
	keyTokenServers      = "tokenServers"
	keyRadiusVersion     = "radiusVersion"
	keyBuiltinTypes      = "builtinTypes"
	keyCacheRoot         = "cacheRootDirectory"
)

// radiusTypes is the repository of the types that Radius publishes.
const radiusTypes = "br:biceptypes.azurecr.io/radius:"

// registrySettings are those of every command that needs artifacts of registries.
var registrySettings = []setting{
	{keyRadiusVersion, "", nil, "take the types of Radius from its release `TAG`, such as 0.58"},
	{keyBuiltinTypes, "when-absent", []string{"never", "when-absent", "always"}, "`WHEN` built-in types stand in for those that Radius publishes: never, when-absent (from cache and lock file) or always"},
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
	switch s.str(keyBuiltinTypes) {
	case "never":
		out.BuiltIn = bicep.BuiltInNever
	case "always":
		out.BuiltIn = bicep.BuiltInAlways
	}
	// The variable is that of the official compiler.
	out.Trusted = strings.Join(append([]string{os.Getenv("BICEP_TRUSTED_REGISTRIES")}, s.list(keyTrustedRegistries)...), ",")
	for _, one := range s.list(keyRegistryMirrors) {
		from, to, ok := strings.Cut(one, "=")
		if !ok || from == "" || to == "" || strings.Contains(one, "://") {
			return out, fail(exitUsage, "--registry-mirrors %s: want HOST=HOST[/PREFIX]", one)
		}
		if out.Mirrors == nil {
			out.Mirrors = map[string]string{}
		}
		out.Mirrors[from] = to
	}
	if dir := s.str(keyVendor); dir != "" {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return out, failWith(exitIO, err)
		}
		out.Vendor = abs
	}
	if tag := s.str(keyRadiusVersion); tag != "" {
		if !validTag(tag) {
			return out, fail(exitUsage, "--radius-version %s: want a tag, such as 0.58", tag)
		}
		out.Extensions = map[string]string{"radius": radiusTypes + tag}
	}
	if dir := s.str(keyCacheRoot); dir != "" {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return out, failWith(exitIO, err)
		}
		out.Cache = abs
	}
	if isTerminal(a.stderr) && !a.quiet {
		out.Progress = a.progress()
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

// within reports whether a path is in a folder.
func within(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// progress returns what shows on a terminal how far fetching artifacts has come: a
// line that is written over, and is gone at the end.
func (a *app) progress() func(bicep.Progress) {
	var last time.Time
	return func(p bicep.Progress) {
		if p.Done == p.Total {
			fmt.Fprint(a.stderr, "\r\x1b[K")
			return
		}
		if now := time.Now(); now.Sub(last) > 50*time.Millisecond {
			last = now
			name := strings.TrimPrefix(p.Name, "br:")
			if len(name) > 50 {
				name = "…" + name[len(name)-49:]
			}
			size := ""
			if p.Bytes > 0 {
				size = "  " + byteCount(p.Bytes)
			}
			fmt.Fprintf(a.stderr, "\r\x1b[K%d/%d  %s%s", p.Done, p.Total, report.Visible(name), size)
		}
	}
}

// manyTemplates is from how many templates on a terminal shows how far the work has come.
const manyTemplates = 20

// countOn returns what shows on a terminal how many templates are made, of as many as
// take a while. It is called for each.
func (a *app) countOn(total int) func(name string) {
	if total < manyTemplates || a.quiet || !isTerminal(a.stderr) {
		return func(string) {}
	}
	var mu sync.Mutex
	show, done := a.progress(), 0
	return func(name string) {
		mu.Lock()
		defer mu.Unlock()
		done++
		show(bicep.Progress{Done: done, Total: total, Name: display(name)})
	}
}

// byteCount writes a number of bytes for people.
func byteCount(n int64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
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
