package artifact

import (
	"path/filepath"
	"strconv"
	"strings"
)

// CacheDir returns the directory in which the cache keeps an artifact that was
// fetched, below the cache's root.
//
//	br/<registry>/<repository>/<tag>$<mask>   ":" of the registry and "/" of the repository are written "$"
//	br/<registry>/<repository>/<digest>       ":" is written "#"
//	ts/<subscription>/<resource group>/<name>/<version>   in lower case
func (r *Reference) CacheDir(root string) string {
	switch r.Scheme {
	case OCI:
		version := strings.ReplaceAll(r.Digest, ":", "#")
		if r.Tag != "" {
			version = encodeTag(r.Tag)
		}
		return filepath.Join(root, "br", strings.ToLower(strings.ReplaceAll(r.Registry, ":", "$")),
			strings.ReplaceAll(r.Repository, "/", "$"), version)
	case TemplateSpec:
		return filepath.Join(root, strings.ToLower(filepath.Join("ts", r.Subscription, r.ResourceGroup, r.Name, r.Version)))
	}
	return ""
}

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
// patterns such as *.example.com separated by commas or semicolons.
func (r *Reference) Trusted(list string) bool {
	host := strings.ToLower(r.Registry)
	if strings.HasPrefix(host, "[") {
		end := strings.IndexByte(host, ']')
		if end < 0 {
			return false
		}
		host = host[:end+1]
	} else {
		host, _, _ = strings.Cut(host, ":")
	}
	host = strings.TrimSuffix(host, ".")
	for _, p := range builtInHosts {
		if matchHost(host, p) {
			return true
		}
	}
	for _, p := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ';' }) {
		if p = strings.TrimSpace(p); p != "" && matchHost(host, strings.ToLower(p)) {
			return true
		}
	}
	return false
}

func matchHost(host, pattern string) bool {
	if suffix, ok := strings.CutPrefix(pattern, "*"); ok && strings.HasPrefix(suffix, ".") {
		return strings.HasSuffix(host, suffix) && len(host) > len(suffix)
	}
	return host == pattern
}
