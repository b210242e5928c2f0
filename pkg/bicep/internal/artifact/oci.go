package artifact

import (
	"net/url"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
)

const (
	maxRegistry   = 255
	maxRepository = 255
	maxTag        = 128
)

// parseOCI reads what follows `br:` or `br/ALIAS:`.
func parseOCI(rest, alias string, aliased bool, t Type, c *config.Config) (*Reference, *diag.Problem) {
	if aliased {
		// A mapping that is there but unusable counts as none, and the alias is
		// then looked up among the real ones.
		if dir, ok, p := c.MockedAlias(alias); ok && p == nil {
			return parseMocked(rest, alias, dir, t, c)
		}
		if t != Module {
			return nil, diag.BCP380.With()
		}
		registry, modulePath, p := c.OCIAlias(alias)
		if p != nil {
			return nil, p
		}
		if !validHost(registry) { // no list of trusted registries can have it
			return nil, diag.BCP446.With("br/"+alias+":"+rest, registry, "Its alias has to name a host.")
		}
		if modulePath != "" {
			registry += "/" + modulePath
		}
		rest = registry + "/" + rest
	}
	return parseAddress(rest, t)
}

// parseAddress reads
//
//	registry "/" segment {"/" segment} (":" tag | "@" digest)
func parseAddress(text string, t Type) (*Reference, *diag.Problem) {
	full := "br:" + text
	registry, path, ok := strings.Cut(text, "/")
	if !ok || !validHost(registry) || path == "" || strings.ContainsAny(path, "?#") {
		return nil, diag.BCP193.With(full)
	}
	registry = strings.ToLower(registry)
	if len(registry) > maxRegistry {
		return nil, diag.BCP200.With(full, registry, maxRegistry)
	}
	segments := strings.Split(path, "/")
	if segments[len(segments)-1] == "" {
		// a slash at the end belongs to the segment before it
		segments = segments[:len(segments)-1]
		segments[len(segments)-1] += "/"
	}
	for _, s := range segments[:len(segments)-1] {
		if !validSegment(s) {
			return nil, diag.BCP195.With(full, decode(s))
		}
	}
	last := segments[len(segments)-1]
	name, version := last, ""
	mark := strings.IndexAny(last, ":@")
	if mark >= 0 {
		name, version = last[:mark], decode(last[mark+1:])
	}
	if name = decode(name); !validSegment(name) {
		return nil, diag.BCP195.With(full, name)
	}
	segments[len(segments)-1] = name
	repository := strings.Join(segments, "/")
	switch {
	case len(repository) > maxRepository:
		return nil, diag.BCP199.With(full, repository, maxRepository)
	case version == "":
		return nil, diag.BCP196.With(full)
	}
	ref := &Reference{Scheme: OCI, Type: t, Registry: registry, Repository: repository}
	if last[mark] == '@' {
		if !ValidDigest(version) {
			return nil, diag.BCP224.With(full, version)
		}
		ref.Digest = version
		return ref, nil
	}
	if len(version) > maxTag {
		return nil, diag.BCP197.With(full, version, maxTag)
	}
	if !validTag(version) {
		return nil, diag.BCP198.With(full, version)
	}
	ref.Tag = version
	return ref, nil
}

// parseMocked resolves a reference through an alias that stands for a folder.
func parseMocked(rest, alias, dir string, t Type, c *config.Config) (*Reference, *diag.Problem) {
	if t != Module {
		return nil, diag.BCP448.With(alias)
	}
	path := rest
	if i := strings.IndexByte(path, '@'); i >= 0 {
		path = path[:i]
	} else if i := strings.LastIndexByte(path, ':'); i >= 0 {
		path = path[:i]
	}
	if path == "" {
		return nil, diag.BCP050.With()
	}
	for s := range strings.SplitSeq(path, "/") {
		if !validSegment(s) {
			return nil, diag.BCP195.With("br/"+alias+":"+rest, s)
		}
	}
	if strings.HasPrefix(dir, "/") || strings.HasPrefix(dir, `\`) {
		// an absolute path may be written in the manner of any system
		slashed := strings.ReplaceAll(dir, `\`, "/")
		if strings.HasPrefix(slashed, "//") && runtime.GOOS != "windows" {
			return nil, diag.BCP451.With(dir, alias, "it is a path of a network share, which works on Windows only")
		}
		dir = slashed
	}
	dir = filepath.FromSlash(dir)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(filepath.Dir(c.Path), dir)
	}
	return &Reference{Scheme: Mocked, Type: t, Path: filepath.Join(dir, filepath.FromSlash(path)+".bicep"), mocked: path}, nil
}

// validHost reports whether text can be the host and port of a URL.
func validHost(text string) bool {
	if text == "" || strings.ContainsAny(text, "@ \t\"<>\\^`{|}?#") {
		return false
	}
	u, err := url.Parse("br://" + text + "/")
	if err != nil || u.Hostname() == "" {
		return false
	}
	if port := u.Port(); port != "" {
		n, err := strconv.Atoi(port)
		return err == nil && n < 65536
	}
	return !strings.Contains(u.Host, "%")
}

// decode undoes percent-escapes and reads + as a blank, as in a URL's query.
func decode(s string) string {
	if !strings.ContainsAny(s, "%+") {
		return s
	}
	if d, err := url.QueryUnescape(s); err == nil {
		return d
	}
	return s
}

func lowerOrDigit(c byte) bool { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' }

// validSegment reports whether s is runs of lower-case letters and digits with
// single separators between them.
func validSegment(s string) bool {
	word := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case lowerOrDigit(c):
			word = true
		case (c == '.' || c == '_' || c == '-') && word:
			word = false
		default:
			return false
		}
	}
	return word
}

func validTag(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !isLetter(c) && !('0' <= c && c <= '9') && c != '_' && (i == 0 || c != '.' && c != '-') {
			return false
		}
	}
	return s != ""
}

// ValidDigest reports whether s is a digest as registries write them: sha256: and
// 64 hexadecimal digits in lower case.
func ValidDigest(s string) bool {
	hex, ok := strings.CutPrefix(s, "sha256:")
	if !ok || len(hex) != 64 {
		return false
	}
	for i := 0; i < len(hex); i++ {
		if c := hex[i]; !('0' <= c && c <= '9' || 'a' <= c && c <= 'f') {
			return false
		}
	}
	return true
}
