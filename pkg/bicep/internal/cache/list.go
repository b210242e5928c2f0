package cache

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Copy copies an artifact from one cache to another, or to a folder of vendored
// artifacts, which has the same layout.
func Copy(ctx context.Context, a *artifact.Reference, from, to string) error {
	folder := a.CacheDir(from)
	stage, err := NewStage(a, to)
	if err != nil {
		return err
	}
	defer stage.Close()
	if a.Scheme == artifact.TemplateSpec {
		return errors.New("template specs are not copied")
	}
	manifest, err := source.Disk{}.ReadFile(filepath.Join(folder, manifestName))
	if err != nil {
		return err
	}
	for _, name := range []string{stage.main, sourceName, binaryName} {
		err := stage.copy(filepath.Join(folder, name), name)
		if err != nil && (name == stage.main || !errors.Is(err, fs.ErrNotExist)) {
			return err
		}
	}
	if err := stage.Commit(ctx, manifest); err != nil {
		return err
	}
	// No other process writes there, and the lock would be committed.
	return os.Remove(filepath.Join(stage.target, lockName))
}

func (s *Stage) copy(from, name string) error {
	r, err := source.OpenRegular(from)
	if err != nil {
		return err
	}
	defer r.Close()
	if info, err := r.Stat(); err != nil {
		return err
	} else if !info.Mode().IsRegular() {
		return &fs.PathError{Op: "copy", Path: from, Err: source.ErrNotRegular}
	}
	w, err := s.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, r)
	return errors.Join(err, Sync(w))
}

// Entry is an artifact that a cache holds.
type Entry struct {
	Reference string
	Dir       string
	Kind      string // module, extension or templateSpec
	Digest    string // of the manifest
	Size      int64
}

// List returns the whole artifacts of a cache. A cache that is not there is empty.
func List(root string) ([]Entry, error) {
	var list []Entry
	registries, err := folders(filepath.Join(root, "br"))
	if err != nil {
		return nil, err
	}
	for _, registry := range registries {
		repositories, err := folders(registry)
		if err != nil {
			return nil, err
		}
		for _, repository := range repositories {
			versions, err := folders(repository)
			if err != nil {
				return nil, err
			}
			for _, version := range versions {
				if e, ok := entryAt(registry, repository, version); ok {
					list = append(list, e)
				}
			}
		}
	}
	specs, err := filepath.Glob(filepath.Join(escapeGlob(root), "ts", "*", "*", "*", "*", "main.json"))
	if err != nil {
		return nil, err
	}
	for _, main := range specs {
		dir := filepath.Dir(main)
		rel, err := filepath.Rel(filepath.Join(root, "ts"), dir)
		if err != nil {
			continue
		}
		parts := strings.Split(filepath.ToSlash(rel), "/")
		list = append(list, Entry{
			Reference: "ts:" + strings.Join(parts[:3], "/") + ":" + parts[3], Dir: dir, Kind: "templateSpec", Size: sizeOf(dir),
		})
	}
	return list, nil
}

// escapeGlob makes a path a pattern that matches it alone.
func escapeGlob(path string) string {
	if filepath.Separator == '\\' {
		return path // where nothing can be escaped
	}
	return strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`, `\`, `\\`).Replace(path)
}

// folders lists the folders in a folder, but those in which artifacts are put together.
func folders(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			list = append(list, filepath.Join(dir, e.Name()))
		}
	}
	return list, nil
}

func entryAt(registry, repository, version string) (Entry, bool) {
	e := Entry{Dir: version, Size: sizeOf(version)}
	exists := func(name string) bool {
		info, err := os.Stat(filepath.Join(version, name))
		return err == nil && info.Mode().IsRegular()
	}
	switch {
	case !exists(manifestName) || !exists(metadataName):
		return e, false
	case exists("main.json"):
		e.Kind = artifact.Module.String()
	case exists("types.tgz"):
		e.Kind = artifact.Extension.String()
	default:
		return e, false
	}
	mark := ":"
	name := filepath.Base(version)
	if hex, ok := strings.CutPrefix(name, "sha256#"); ok {
		mark, name = "@", "sha256:"+hex
	} else if i := strings.LastIndexByte(name, '$'); i >= 0 {
		name = name[:i]
	}
	e.Reference = "br:" + strings.ReplaceAll(filepath.Base(registry), "$", ":") + "/" + strings.ReplaceAll(filepath.Base(repository), "$", "/") + mark + name
	var metadata struct {
		ManifestDigest string `json:"manifestDigest"`
	}
	if text, err := (source.Disk{}).ReadFile(filepath.Join(version, metadataName)); err == nil && json.Unmarshal(text, &metadata) == nil && artifact.ValidDigest(metadata.ManifestDigest) {
		e.Digest = metadata.ManifestDigest
	}
	return e, true
}

func sizeOf(dir string) int64 {
	var size int64
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			size += info.Size()
		}
	}
	return size
}

// Remove removes the folder of an artifact below the root of a cache, and the
// folders above it that hold nothing else.
func Remove(root, dir string) error {
	rel, err := filepath.Rel(root, dir)
	if err != nil || !filepath.IsLocal(rel) || rel == "." {
		return fmt.Errorf("%s is not in the cache %s", dir, root)
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	for up := filepath.Dir(dir); len(up) > len(root); up = filepath.Dir(up) {
		if entries, err := os.ReadDir(up); err == nil {
			for _, e := range entries {
				if strings.HasPrefix(e.Name(), stagePrefix) {
					os.RemoveAll(filepath.Join(up, e.Name()))
				}
			}
		}
		if os.Remove(up) != nil {
			break
		}
	}
	return nil
}
