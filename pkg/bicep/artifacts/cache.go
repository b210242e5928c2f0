package artifacts

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/internal/cache"
	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Cache is a folder of restored artifacts.
type Cache struct {
	Path  string // absolute
	place cache.Place
}

// CachedArtifact is an artifact that is in the cache.
type CachedArtifact struct {
	Reference string `json:"reference"`
	Folder    string `json:"folder"`
	Kind      string `json:"kind"`             // module, extension, recipe or templateSpec
	Digest    string `json:"digest,omitempty"` // of the manifest
	Size      int64  `json:"size"`             // of all its files
}

// CacheRest is something in a cache that is left alone, and why.
type CacheRest struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// FindCache returns the cache of the files in a folder: the one that the user names, the one
// of their bicepconfig.json, or the user's own. files and root are as in Request. A bicepconfig.json may
// name a folder below the root, or without one a folder below its own.
func FindCache(files source.FS, folder, root, user string) (*Cache, error) {
	if files == nil {
		return nil, bicep.ErrNoFS
	}
	c := config.NewLoader(files).For(filepath.Join(folder, "main.bicep"))
	if user == "" && len(c.Problems) > 0 {
		return nil, errors.New(c.Problems[0].Message())
	}
	if root == "" && user == "" && c.Path != "" {
		root = filepath.Dir(c.Path)
		files = source.Below(root)
	}
	place, err := cache.PlaceOf(user, c, root, files)
	if err != nil && user == "" {
		err = &report.HintedError{Text: "cacheRootDirectory in " + c.Path +
			" names a folder that is not used: " + err.Error(), Hint: report.HintNameCache}
	}
	if err != nil {
		return nil, err
	}
	if place.Dir == "" {
		return nil, errors.New("there is no home directory, and so no cache; set cacheRootDirectory in bicepconfig.json")
	}
	if place.Dir, err = filepath.Abs(place.Dir); err != nil {
		return nil, err
	}
	return &Cache{place.Dir, place}, nil
}

// List lists what the cache holds, sorted by reference, and what is not listed since it is
// reached by a link or is no artifact.
func (c *Cache) List() ([]CachedArtifact, []CacheRest, error) {
	list, rest, err := cache.List(c.place)
	if err != nil {
		return nil, nil, err
	}
	var out []CachedArtifact
	for _, a := range list {
		out = append(out, CachedArtifact{Reference: a.Reference, Folder: a.Dir, Kind: a.Kind, Digest: a.Digest, Size: a.Size})
	}
	slices.SortFunc(out, func(a, b CachedArtifact) int {
		return cmp.Or(strings.Compare(a.Reference, b.Reference), strings.Compare(a.Kind, b.Kind))
	})
	var left []CacheRest
	for _, r := range rest {
		left = append(left, CacheRest(r))
	}
	return out, left, nil
}

// Remove removes artifacts, and what killed processes left beside them. It returns those that
// were removed, and those that were left since their folders hold something else, too.
func (c *Cache) Remove(list []CachedArtifact) (removed []CachedArtifact, left []CacheRest, err error) {
	var errs []error
	for _, a := range list {
		rest, err := cache.Remove(c.place, a.Folder)
		switch {
		case rest != nil:
			left = append(left, CacheRest(*rest))
		case err == nil:
			removed = append(removed, a)
		case !errors.Is(err, fs.ErrNotExist): // another process may have removed it
			errs = append(errs, err)
		}
	}
	return removed, left, errors.Join(errs...)
}
