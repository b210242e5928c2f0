package cache

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Entry is an artifact that a cache holds.
type Entry struct {
	Reference string
	Dir       string
	Kind      string // module, extension, recipe or templateSpec
	Digest    string // of the manifest
	Size      int64
}

// Rest is something in a cache that is not taken for an artifact.
type Rest struct {
	Path   string
	Reason string
}

// The files that the folder of an artifact may hold, in the order in which they are removed:
// without the metadata, an artifact does not count as whole.
var (
	ociFiles  = []string{metadataName, manifestName, "main.json", "types.tgz", sourceName, binaryName, lockName}
	specFiles = []string{"main.json", lockName}
)

// schemes are the folders of a cache, with the number of folders down to that of an
// artifact, and the files in that.
var schemes = []struct {
	folder string
	depth  int
	files  []string
}{
	{"br", 3, ociFiles},
	{artifact.RecipeFolder, 3, ociFiles},
	{"ts", 4, specFiles},
}

// listing collects what is in a cache.
type listing struct {
	place   Place
	entries []Entry
	rest    []Rest
}

// List returns the whole artifacts of a cache, and what was found in their place: links,
// which are not followed, and folders that are no artifact's. A cache that is not there
// is empty.
func List(place Place) ([]Entry, []Rest, error) {
	root, err := place.open()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	l := &listing{place: place}
	for _, s := range schemes {
		if err := l.visit(root, nil, s.folder, s.depth); err != nil {
			return nil, nil, err
		}
	}
	return l.entries, l.rest, nil
}

// visit looks at a folder of the cache, which is so many levels above the artifacts.
func (l *listing) visit(in *os.Root, parts []string, name string, levels int) error {
	parts = append(slices.Clip(parts), name)
	info, err := in.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case isLink(info):
		l.leave(parts, "it is a link, and links are not followed")
		return nil
	case !info.IsDir():
		return nil
	}
	sub, err := openFolder(in, name)
	if err != nil {
		return err
	}
	defer sub.Close()
	if levels == 0 {
		return l.artifact(sub, parts)
	}
	entries, err := readFolder(sub)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), stagePrefix) { // artifacts are put together there
			continue
		}
		if err := l.visit(sub, parts, e.Name(), levels-1); err != nil {
			return err
		}
	}
	return nil
}

// isLink reports whether something is a symbolic link, or a junction of Windows.
func isLink(info fs.FileInfo) bool { return info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0 }

func (l *listing) leave(parts []string, reason string) {
	l.rest = append(l.rest, Rest{filepath.Join(l.place.Dir, filepath.Join(parts...)), reason})
}

// artifact looks at a folder that has the place of an artifact's.
func (l *listing) artifact(in *os.Root, parts []string) error {
	c, err := contentOf(in, filesOf(parts))
	if err != nil {
		return err
	}
	e := Entry{Dir: filepath.Join(l.place.Dir, filepath.Join(parts...)), Size: c.size}
	need := []string{"main.json"}
	kind := artifact.Module
	switch parts[0] {
	case artifact.RecipeFolder:
		kind, need = artifact.Recipe, append(need, manifestName, metadataName)
	case "br":
		if c.files["main.json"] == nil && c.files["types.tgz"] != nil {
			need, kind = []string{"types.tgz"}, artifact.Extension
		}
		need = append(need, manifestName, metadataName)
	}
	for _, name := range need {
		info := c.files[name]
		if info == nil {
			return nil // it is not whole
		}
		if !info.Mode().IsRegular() {
			l.leave(parts, name+" is not a regular file")
			return nil
		}
	}
	ref, ok := referenceOf(parts, kind)
	if !ok {
		l.leave(parts, "its name is not that of an artifact's folder")
		return nil
	}
	e.Reference, e.Kind = ref.String(), kind.String()
	if ref.Scheme == artifact.TemplateSpec {
		e.Kind = "templateSpec"
	} else {
		e.Digest = digestIn(in)
	}
	l.entries = append(l.entries, e)
	return nil
}

// filesOf returns the names of files that the folder of an artifact may hold.
func filesOf(parts []string) []string {
	for _, s := range schemes {
		if len(parts) == s.depth+1 && parts[0] == s.folder {
			return s.files
		}
	}
	return nil
}

// content is what a folder holds.
type content struct {
	files map[string]fs.FileInfo // those that an artifact may have
	other string                 // the first thing that an artifact does not have, or ""
	size  int64                  // of all regular files
}

// contentOf looks at what a folder holds. names are the files that it may have.
func contentOf(in *os.Root, names []string) (c content, err error) {
	entries, err := readFolder(in)
	if err != nil {
		return c, err
	}
	c.files = map[string]fs.FileInfo{}
	for _, e := range entries {
		info, err := in.Lstat(e.Name())
		if err != nil {
			return c, err
		}
		known := slices.Contains(names, e.Name())
		if known {
			c.files[e.Name()] = info
		}
		if info.Mode().IsRegular() {
			c.size += info.Size()
		}
		if (!known || !info.Mode().IsRegular()) && c.other == "" {
			c.other = e.Name()
		}
	}
	return c, nil
}

// builtIn is the configuration without aliases.
var builtIn = sync.OnceValue(config.BuiltIn)

// referenceOf returns the reference of the artifact that has a folder. Only the folder that
// the reference leads to is its own.
func referenceOf(parts []string, kind artifact.Type) (*artifact.Reference, bool) {
	text := ""
	switch {
	case len(parts) == 4 && (parts[0] == "br" || parts[0] == artifact.RecipeFolder):
		mark, version := ":", parts[3]
		if hex, ok := strings.CutPrefix(version, "sha256#"); ok {
			mark, version = "@", "sha256:"+hex
		} else if i := strings.LastIndexByte(version, '$'); i >= 0 {
			version = version[:i]
		}
		text = strings.ReplaceAll(parts[1], "$", ":") + "/" + strings.ReplaceAll(parts[2], "$", "/") + mark + version
	case len(parts) == 5 && parts[0] == "ts":
		text = "ts:" + strings.Join(parts[1:4], "/") + ":" + parts[4]
	}
	var ref *artifact.Reference
	ok := false
	if parts[0] == artifact.RecipeFolder {
		tagged, digest, pinned := strings.Cut(text, "@")
		recipe, err := artifact.ParseRecipe(tagged, false)
		if ref, ok = recipe, err == nil; ok && pinned {
			ref, ok = recipe.Pinned(digest), artifact.ValidDigest(digest)
		}
	} else {
		if parts[0] == "br" {
			text = "br:" + text
		}
		module, problem := artifact.Parse(text, kind, builtIn())
		ref, ok = module, problem == nil
	}
	dir := filepath.Join(parts...)
	return ref, ok && ref.CacheDir("") == dir && !source.InGitFolder(dir)
}

// digestIn returns the digest that the metadata in an artifact's folder name, or "".
func digestIn(in *os.Root) string {
	f, err := source.OpenRegularIn(in, metadataName)
	if err != nil {
		return ""
	}
	defer f.Close()
	var metadata struct {
		ManifestDigest string `json:"manifestDigest"`
	}
	text, err := source.ReadRegular(f, metadataName)
	if err != nil || json.Unmarshal(text, &metadata) != nil || !artifact.ValidDigest(metadata.ManifestDigest) {
		return ""
	}
	return metadata.ManifestDigest
}
