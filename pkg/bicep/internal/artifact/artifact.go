// Package artifact understands what follows `module`, `import … from`, `using`, `extends` and
// `extension`: relative paths, modules and extensions of a registry (br:), and template specs
// (ts:); and the sources of Radius' recipes. Begin with Parse, or ParseRecipe.
//
// It knows in which folder of the cache an artifact belongs, and reads nothing: cache does that,
// and registry fetches.
package artifact

import (
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
)

// Type tells what a reference is used for.
type Type uint8

const (
	Module    Type = iota // anything that is compiled or read as a template
	Extension             // an archive of types
	Recipe                // a template that Radius deploys in place of a resource
)

// Scheme tells the kinds of references apart.
type Scheme uint8

const (
	Local Scheme = iota
	OCI
	Mocked // a registry alias that the configuration maps to a folder
	TemplateSpec
)

// Reference is a reference that has been understood.
type Reference struct {
	Scheme Scheme
	Type   Type

	Path string // Local: as written. Mocked: absolute, of the file that is meant

	// OCI
	Registry   string
	Repository string
	Tag        string // one of Tag
	Digest     string // and Digest is set
	PlainHTTP  bool   // of a recipe: a recipe pack demands it

	// TemplateSpec
	Subscription  string
	ResourceGroup string
	Name          string
	Version       string

	mocked string // the path that was written, without its tag
}

// String returns the reference in full, aliases resolved, as templates and
// messages name it.
func (r *Reference) String() string {
	switch r.Scheme {
	case OCI:
		text := r.Registry + "/" + r.Repository + ":" + r.Tag
		if r.Digest != "" {
			text = r.Registry + "/" + r.Repository + "@" + r.Digest
		}
		if r.Type == Recipe {
			return text
		}
		return "br:" + text
	case Mocked:
		return "br:" + r.mocked
	case TemplateSpec:
		return "ts:" + r.Subscription + "/" + r.ResourceGroup + "/" + r.Name + ":" + r.Version
	}
	return r.Path
}

// BuiltIn returns the name of the extension that this program has the types of, where the
// reference is to a release of the same types, or to the latest ones; "" for all others.
func (r *Reference) BuiltIn() string {
	if r.Scheme != OCI || r.Type != Extension || r.Tag != "latest" && r.Tag != "edge" && !isRelease(r.Tag) {
		return ""
	}
	// These are where Radius publishes types.
	switch strings.TrimSuffix(r.Registry, ":443") + "/" + r.Repository {
	case "biceptypes.azurecr.io/radius", "ghcr.io/radius-project/bicep-types-radius":
		return "radius"
	case "biceptypes.azurecr.io/aws":
		return "aws"
	}
	return ""
}

// isRelease reports whether a tag is that of a release, such as 0.60, v0.60.1 or 0.61.0-rc1.
func isRelease(tag string) bool {
	numbers, _, _ := strings.Cut(strings.TrimPrefix(tag, "v"), "-")
	parts := strings.Split(numbers, ".")
	for _, p := range parts {
		if p == "" || strings.Trim(p, "0123456789") != "" {
			return false
		}
	}
	return len(parts) == 2 || len(parts) == 3
}

// Parse reads a reference as it is in a file that has the configuration c.
//
//	reference = path | scheme ["/" alias] ":" rest
//	scheme    = "br" | "ts"
func Parse(text string, t Type, c *config.Config) (*Reference, *diag.Problem) {
	head, rest, ok := strings.Cut(text, ":")
	if !ok {
		if p := CheckPath(text); p != nil {
			return nil, p
		}
		return &Reference{Scheme: Local, Type: t, Path: text}, nil
	}
	scheme, alias, aliased := strings.Cut(head, "/")
	switch scheme {
	case "br":
		return parseOCI(rest, alias, aliased, t, c)
	case "br-mock":
		return nil, diag.BCP449.With()
	case "ts":
		if t != Module {
			return nil, diag.BCP380.With()
		}
		return parseTemplateSpec(rest, alias, aliased, c)
	}
	return nil, diag.BCP189.With(scheme)
}

const forbidden = `"*:<>?\|`

// CheckPath reports what keeps a path from being a relative one that works on
// every system.
func CheckPath(path string) *diag.Problem {
	if path == "" {
		return diag.BCP050.With()
	}
	if path[0] == '/' || len(path) > 1 && path[1] == ':' && isLetter(path[0]) {
		return diag.BCP051.With()
	}
	for i := 0; i < len(path); i++ {
		switch c := path[i]; {
		case c == '\\':
			return diag.BCP098.With()
		case strings.IndexByte(forbidden, c) >= 0:
			return diag.BCP085.With()
		case c < 0x20:
			return diag.BCP111.With()
		}
	}
	if last := path[len(path)-1]; last == ' ' || last == '.' {
		return diag.BCP086.With()
	}
	return nil
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
