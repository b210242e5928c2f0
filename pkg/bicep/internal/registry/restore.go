package registry

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/cache"
	"github.com/radbicep/rad/pkg/bicep/internal/lockfile"
)

// Job is an artifact to fetch into a cache.
type Job struct {
	Reference *artifact.Reference
	Root      string // of the cache
	Digest    string // of the manifest; "" asks the registry what the tag means
	Again     bool   // download it even if the cache holds it

	// The result.
	Entry lockfile.Entry
	Err   error
}

// Progress tells how far a run has come.
type Progress struct {
	Done, Total int
	Name        string // of the artifact that was fetched last
	Bytes       int64  // that it has
}

// Run fetches artifacts, several at the same time. It returns when all are fetched
// or have failed; one that fails is not a reason to leave out another.
func (c *Client) Run(ctx context.Context, jobs []*Job, progress func(Progress)) {
	var mu sync.Mutex
	done := 0
	var wg sync.WaitGroup
	slots := make(chan struct{}, atOnce)
	for _, j := range jobs {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			j.Entry, j.Err = c.Fetch(ctx, j.Reference, j.Digest, j.Root, j.Again)
			if j.Err != nil && ctx.Err() == nil {
				j.Err = storeError(j.Err)
			}
			mu.Lock()
			defer mu.Unlock()
			done++
			if progress != nil {
				progress(Progress{Done: done, Total: len(jobs), Name: j.Reference.String(), Bytes: j.Entry.Main().Size})
			}
		})
	}
	wg.Wait()
}

// storeError says that it is the cache that cannot be written.
func storeError(err error) error {
	var path *os.PathError
	var link *os.LinkError
	if errors.As(err, &path) || errors.As(err, &link) {
		return fmt.Errorf("the cache cannot be written: %w", err)
	}
	return err
}

// FromCache says what an artifact is that the cache holds, if its files are those
// that its manifest names.
func FromCache(f *cache.Found) (lockfile.Entry, error) {
	data, err := f.ReadManifest()
	if err != nil {
		return lockfile.Entry{}, err
	}
	metadata, err := f.ReadMetadata()
	if err != nil {
		return lockfile.Entry{}, err
	}
	m, err := parseManifest(data, f.Reference.Type)
	if err != nil {
		return lockfile.Entry{}, err
	}
	main, err := f.Read()
	if err != nil {
		return lockfile.Entry{}, err
	}
	switch {
	case !strings.Contains(string(metadata), m.entry.Digest):
		return lockfile.Entry{}, errors.New("the manifest is not the one that was fetched")
	case f.Reference.Digest != "" && f.Reference.Digest != m.entry.Digest:
		return lockfile.Entry{}, errors.New("the manifest is not the one of the reference")
	case cache.Digest(main) != m.main.Digest:
		return lockfile.Entry{}, fmt.Errorf("%s is not the one that was fetched", f.Reference.MainFile())
	}
	return m.entry, nil
}
