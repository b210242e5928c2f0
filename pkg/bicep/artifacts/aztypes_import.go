package artifacts

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/azlibrary"
	"github.com/radbicep/rad/pkg/bicep/internal/aztypes"
	"github.com/radbicep/rad/pkg/bicep/internal/aztypes/pack"
	"github.com/radbicep/rad/pkg/bicep/internal/aztypes/store"
	"github.com/radbicep/rad/pkg/bicep/internal/cache"
	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/internal/registry"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// ImportAzTypes makes a library of Azure's types and puts it into the user's cache,
// where compilations find it. The types are in a folder, such as a copy of
// Azure/bicep-types-az, in an archive or a library, or in a registry (br:…). Below root, if it is
// not "", no link leads out of it.
func ImportAzTypes(ctx context.Context, from, root string, a bicep.Artifacts) (AzTypes, error) {
	library, err := packAzTypes(ctx, from, root, a)
	if err != nil {
		return AzTypes{}, err
	}
	lib, err := aztypes.Verified(library)
	if err == nil {
		err = lib.Check()
	}
	if err != nil {
		return AzTypes{}, fmt.Errorf("%s: %w", from, err)
	}
	if lib.Len() == 0 {
		return AzTypes{}, fmt.Errorf("%s: there is no resource type in it", from)
	}
	s, err := store.Open()
	if err == nil {
		err = s.Put(library)
	}
	if err != nil {
		return AzTypes{}, err
	}
	return describeAzTypes(s.Path(), lib), nil
}

func packAzTypes(ctx context.Context, from, root string, a bicep.Artifacts) ([]byte, error) {
	if strings.HasPrefix(from, "br:") || strings.HasPrefix(from, "br/") {
		data, err := fetchTypes(ctx, from, root, a)
		if err != nil {
			return nil, err
		}
		return packed(from, data, from)
	}
	info, err := os.Stat(from)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		abs, err := filepath.Abs(from)
		if err != nil {
			return nil, err
		}
		return pack.Repository(from, filepath.Base(abs))
	}
	data, err := source.Disk{}.ReadFile(from)
	if err != nil {
		return nil, err
	}
	return packed(from, data, filepath.Base(from))
}

// packed makes a library of a file.
func packed(from string, data []byte, source string) ([]byte, error) {
	if aztypes.IsLibrary(data) {
		return data, nil
	}
	if !azlibrary.IsGzip(data) {
		return nil, fmt.Errorf("%s: this is neither a folder of types, nor an archive or a library of them", from)
	}
	library, err := azlibrary.PackArchive(data, source)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", from, err)
	}
	return library, nil
}

// fetchTypes fetches the archive of types that a registry holds into the cache of
// artifacts, and returns it.
func fetchTypes(ctx context.Context, text, root string, a bicep.Artifacts) ([]byte, error) {
	c := config.BuiltIn()
	ref, problem := artifact.Parse(text, artifact.Extension, c)
	if problem == nil && !ref.Trusted(a.Trusted) {
		problem = ref.NotTrusted()
	}
	if problem != nil {
		return nil, errors.New(problem.At(source.Span{}).Message())
	}
	var files source.FS = source.Disk{}
	if root != "" {
		files = source.Below(root)
	}
	place, err := cache.PlaceOf(a.Cache, c, root, files)
	if err != nil {
		return nil, fmt.Errorf("the cache is not used: %w", err)
	}
	if place.Within == "" {
		files = source.Disk{}
	}
	main := filepath.Join(ref.CacheDir(place.Dir), ref.MainFile())
	var outside *source.OutsideError
	if _, err := files.Stat(main); errors.As(err, &outside) {
		return nil, fmt.Errorf("the cache is not used: %w", err)
	}
	if a.Offline {
		data, err := files.ReadFile(main)
		if err != nil {
			return nil, fmt.Errorf("%s: it is not in the cache, and the run is offline", ref)
		}
		return data, nil
	}
	job := &registry.Job{Reference: ref, Root: place.Dir}
	client := client(a, c)
	client.Run(ctx, []*registry.Job{job}, progress(a))
	client.Close()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if job.Err != nil {
		return nil, fmt.Errorf("%s: %w", ref, job.Err)
	}
	return files.ReadFile(main)
}
