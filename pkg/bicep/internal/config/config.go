// Package config reads bicepconfig.json. Every source file has its own configuration: the nearest
// such file in its directory or above, together with the files that it extends, laid over the
// built-in one.
//
// Begin with NewLoader and Loader.For. Mistakes in a configuration are its Problems. The packages
// that use a setting give it its meaning.
package config

import (
	"maps"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/internal/release"
	"github.com/radbicep/rad/pkg/spell"
)

// FileName is the name under which a configuration is looked for.
const FileName = "bicepconfig.json"

// Config is the configuration of a source file. It is shared and never changed.
type Config struct {
	Release release.Version // that the program is compiled as

	Path string // of the nearest bicepconfig.json; "" where there is none

	// Problems are to be reported at the start of each file that has this
	// configuration. All but BCP456 leave the built-in settings in force.
	Problems []*diag.Problem

	Constraint *Constraint // nil if all releases may compile the files

	Features        Features
	FeaturesWarning bool // whether enabled experiments are worth a warning, if an entry file has this configuration
	Analyzers       Analyzers
	Formatting      Formatting

	Implicit    []string // extensions that need no declaration
	CacheRoot   string   // "" stands for ~/.bicep
	Cloud       Cloud
	Credentials Credentials

	extensions map[string]string
	ociAlias   map[string]OCIAlias
	tsAlias    map[string]TemplateSpecAlias
	mockAlias  map[string]*string
}

// Has reports whether the release of Bicep that the program is compiled as has a fact.
func (c *Config) Has(f release.Fact) bool { return c.Release.Has(f) }

// Source names the configuration in messages.
func (c *Config) Source() diag.Words {
	if c.Path == "" {
		return diag.Words{Text: "the built-in configuration"}
	}
	return diag.File(c.Path)
}

// Constraint is the range of releases of Bicep that a configuration allows.
type Constraint struct {
	release.Range
	Text string
}

// OCIAlias stands for a registry and a part of a path there.
type OCIAlias struct {
	Registry   *string
	ModulePath *string
}

// TemplateSpecAlias stands for a subscription and a resource group.
type TemplateSpecAlias struct {
	Subscription  *string
	ResourceGroup *string
}

// Extension says where the types of an extension come from.
type Extension struct {
	Value string // "builtin:", an artifact reference, or a path relative to the configuration file
}

// BuiltIn reports whether this program knows the extension itself.
func (e Extension) BuiltIn() bool { return e.Value == builtin }

const builtin = "builtin:"

// Extension finds an extension by the name it has in the configuration.
func (c *Config) Extension(name string) (Extension, *diag.Problem) {
	v, ok := c.extensions[name]
	switch {
	case ok:
		return Extension{v}, nil
	case name == "microsoftGraph":
		return Extension{}, diag.BCP407.With()
	}
	return Extension{}, diag.BCP204.With(name, extensionHint{c, name})
}

// extensionHint says what to do about an extension that is not defined.
type extensionHint struct {
	c    *Config
	name string
}

// Suggestion returns the extension that may be meant.
func (h extensionHint) Suggestion() diag.Suggestion {
	const many = 1000 // to compare a name with
	if len(h.c.extensions) > many {
		return diag.Suggestion{}
	}
	names := slices.Sorted(maps.Keys(h.c.extensions))
	near := spell.Nearest(h.name, names)
	others := slices.DeleteFunc(names, func(n string) bool { return n == near })
	return diag.Suggestion{Name: near, Only: near != "" && spell.Nearest(h.name, others) == ""}
}

func (h extensionHint) String() string {
	if s := h.Suggestion(); s.Name != "" {
		return `Did you mean "` + s.Name + `"?`
	}
	return `Use a built-in one, or list it under "extensions" in bicepconfig.json.`
}

// IsBuiltIn reports whether `extension name` needs no file.
func (c *Config) IsBuiltIn(name string) bool {
	return name == "sys" || c.extensions[name] == builtin
}

// OCIAlias resolves the NAME of `br/NAME:…`.
func (c *Config) OCIAlias(name string) (registry, modulePath string, _ *diag.Problem) {
	if !validAlias(name) {
		return "", "", diag.BCP211.With(name)
	}
	a, ok := c.ociAlias[name]
	if !ok {
		return "", "", diag.BCP213.With(name, c.Source())
	}
	if a.Registry == nil {
		return "", "", diag.BCP216.With(name, c.Source())
	}
	if a.ModulePath != nil {
		modulePath = *a.ModulePath
	}
	return *a.Registry, modulePath, nil
}

// MockedAlias returns the folder that stands in for a registry alias. It is ok
// only if the configuration maps the alias.
func (c *Config) MockedAlias(name string) (path string, ok bool, _ *diag.Problem) {
	p, found := c.mockAlias[name]
	switch {
	case !found || !c.Has(release.MappedAliases):
		return "", false, nil
	case !validAlias(name):
		return "", false, diag.BCP211.With(name)
	case p == nil:
		return "", false, diag.BCP216.With(name, c.Source())
	}
	return *p, true, nil
}

// TemplateSpecAlias resolves the NAME of `ts/NAME:…`.
func (c *Config) TemplateSpecAlias(name string) (subscription, resourceGroup string, _ *diag.Problem) {
	if !validAlias(name) {
		return "", "", diag.BCP211.With(name)
	}
	a, ok := c.tsAlias[name]
	switch {
	case !ok:
		return "", "", diag.BCP212.With(name, c.Source())
	case a.Subscription == nil:
		return "", "", diag.BCP214.With(name, c.Source())
	case a.ResourceGroup == nil:
		return "", "", diag.BCP215.With(name, c.Source())
	}
	return *a.Subscription, *a.ResourceGroup, nil
}

// validAlias reports whether a name is made of ASCII letters, digits, - and _.
func validAlias(name string) bool {
	for i := 0; i < len(name); i++ {
		c := name[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_') {
			return false
		}
	}
	return name != ""
}

// Analyzers are the settings of the linter.
type Analyzers struct{ tree *armjson.Object }

// Value returns the setting at a path of names, such as "core", "rules", "no-unused-params", "level".
func (a Analyzers) Value(path ...string) (armjson.Value, bool) {
	var v armjson.Value = a.tree
	if a.tree == nil {
		return nil, false
	}
	for _, name := range path {
		o, ok := v.(*armjson.Object)
		if !ok {
			return nil, false
		}
		if v, ok = o.Get(name); !ok {
			return nil, false
		}
	}
	return v, true
}

// Bool returns a yes-or-no setting.
func (a Analyzers) Bool(def bool, path ...string) bool {
	if v, ok := a.Value(path...); ok {
		if b, ok := v.(armjson.Bool); ok {
			return bool(b)
		}
	}
	return def
}

// Enabled reports whether the linter runs at all.
func (a Analyzers) Enabled() bool { return a.Bool(true, "core", "enabled") }

// Verbose reports whether the linter says which configuration it follows.
func (a Analyzers) Verbose() bool { return a.Bool(false, "core", "verbose") }

// Rule returns a setting of a rule.
func (a Analyzers) Rule(code, name string) (armjson.Value, bool) {
	return a.Value("core", "rules", code, name)
}

// Level returns the level that is set for a rule, by its name or its number.
func (a Analyzers) Level(code string) (diag.Severity, bool) {
	v, ok := a.Rule(code, "level")
	if !ok {
		return 0, false
	}
	s, ok := v.(armjson.String)
	if !ok {
		return 0, false
	}
	switch strings.ToLower(strings.TrimSpace(string(s))) {
	case "off", "0":
		return diag.Off, true
	case "info", "1":
		return diag.Info, true
	case "warning", "2":
		return diag.Warning, true
	case "error", "3":
		return diag.Error, true
	}
	return 0, false
}
