package artifact

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/diag"
)

// CacheDir returns the directory in which the cache keeps an artifact that was
// fetched, below the cache's root.
//
//	br/<registry>/<repository>/<tag>$<mask>   ":" of the registry and "/" of the repository are written "$"
//	br/<registry>/<repository>/<digest>       ":" is written "#"
//	recipe/<registry>/<repository>/<tag>$<mask>           or the digest, where the tag's folder holds another one
//	ts/<subscription>/<resource group>/<name>/<version>   in lower case
func (r *Reference) CacheDir(root string) string {
	switch r.Scheme {
	case OCI:
		version := strings.ReplaceAll(r.Digest, ":", "#")
		if r.Tag != "" {
			version = encodeTag(r.Tag)
		}
		return filepath.Join(root, r.folder(), strings.ToLower(strings.ReplaceAll(r.Registry, ":", "$")),
			strings.ReplaceAll(r.Repository, "/", "$"), version)
	case TemplateSpec:
		return filepath.Join(root, strings.ToLower(filepath.Join("ts", r.Subscription, r.ResourceGroup, r.Name, r.Version)))
	}
	return ""
}

func (r *Reference) folder() string {
	if r.Type == Recipe {
		return RecipeFolder
	}
	return "br"
}

// RecipeFolder is the folder of a cache that recipes are in: other programs need not take them for modules.
const RecipeFolder = "recipe"

// MainFile returns the name of the file in CacheDir that is wanted.
func (r *Reference) MainFile() string {
	if r.Type == Extension {
		return "types.tgz"
	}
	return "main.json"
}

// encodeTag makes tags that differ in case only into names that differ on file
// systems that ignore case: a bit mask says where the upper-case letters are.
func encodeTag(tag string) string {
	var mask [2]uint64
	for i := 0; i < len(tag) && i < maxTag; i++ {
		if c := tag[i]; 'A' <= c && c <= 'Z' {
			mask[i/64] |= 1 << (i % 64)
		}
	}
	s := tag + "$"
	switch {
	case mask[1] != 0:
		low := strconv.FormatUint(mask[0], 16)
		s += strconv.FormatUint(mask[1], 16) + strings.Repeat("0", 16-len(low)) + low
	case mask[0] != 0:
		s += strconv.FormatUint(mask[0], 16)
	}
	return s
}

// builtInHosts are the registries that are trusted without being asked for.
var builtInHosts = [...]string{"*.azurecr.io", "*.azurecr.cn", "*.azurecr.us", "mcr.microsoft.com", "mcr.azure.cn", "ghcr.io"}

// Trusted reports whether artifacts may come from the reference's registry: one
// of the well-known hosts or one that list names, which holds hosts and
// patterns such as *.example.com separated by commas or semicolons. One with a
// port, such as example.com:5000, is that port only. A well-known host is trusted by TLS
// alone: without it, anybody could answer in its place.
func (r *Reference) Trusted(list string) bool {
	host, port := splitPort(r.Registry)
	for _, p := range builtInHosts {
		if matchHost(host, p) && !r.PlainHTTP {
			return true
		}
	}
	for _, p := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ';' }) {
		pattern, only := splitPort(strings.TrimSpace(p))
		if pattern != "" && matchHost(host, pattern) && (only == "" || only == port) {
			return true
		}
	}
	return false
}

// NotTrusted says that a registry is not trusted. A module of the public registry whose alias is missing
// looks as if it were in a registry of the name avm.
func (r *Reference) NotTrusted() *diag.Problem {
	remedy := "List it in BICEP_TRUSTED_REGISTRIES."
	if r.PlainHTTP {
		remedy = "List it in BICEP_TRUSTED_REGISTRIES: its recipe pack asks it without TLS (plainHttp)."
	}
	_, public, _ := strings.Cut(r.String(), "br:")
	if public = strings.TrimPrefix(public, "public/"); strings.HasPrefix(public, "avm/") {
		remedy = fmt.Sprintf("Did you mean %q?", "br/public:"+public)
	}
	return diag.BCP446.With(r, r.Registry, remedy)
}

// splitPort splits a registry or a pattern into its host, in lower case and without a dot at the end, and its port.
func splitPort(registry string) (host, port string) {
	host = strings.ToLower(registry)
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		host, port = host[:i], host[i+1:]
	}
	return strings.TrimSuffix(host, "."), port
}

func matchHost(host, pattern string) bool {
	if suffix, ok := strings.CutPrefix(pattern, "*"); ok && strings.HasPrefix(suffix, ".") {
		return strings.HasSuffix(host, suffix) && len(host) > len(suffix)
	}
	return host == pattern
}
