package registry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/cache"
)

// Artifact is a manifest and the blobs that it names, as they are in a registry.
type Artifact struct {
	Manifest []byte
	Blobs    map[string][]byte // by digest
}

// Limits bound an artifact that is pulled.
type Limits struct {
	Layers int
	Blob   int64 // of one blob
	All    int64 // of all blobs
}

// Push pushes an artifact under the tag of a reference.
func (c *Client) Push(ctx context.Context, a *artifact.Reference, content Artifact, force bool) (err error) {
	defer func() { err = c.hide(err) }()
	if a.Tag == "" {
		return errors.New("an artifact is published under a tag")
	}
	var m document
	if err := json.Unmarshal(content.Manifest, &m); err != nil {
		return err
	}
	if !force {
		taken, err := c.exists(ctx, a)
		if err != nil {
			return err
		}
		if taken {
			return ErrExists
		}
	}
	for _, d := range append(m.Layers, m.Config) {
		if err := c.pushBlob(ctx, a, blobToPush{d, content.Blobs[d.Digest]}); err != nil {
			return err
		}
	}
	ctx, stop := c.budget(ctx, int64(len(content.Manifest)))
	defer stop()
	return c.with(ctx, a, true, func(ctx context.Context, r *repository) error { return r.pushManifest(ctx, a.Tag, content.Manifest) })
}

// Pull fetches an artifact. check looks at its manifest before anything else is fetched.
func (c *Client) Pull(ctx context.Context, a *artifact.Reference,
	limits Limits, check func(manifest []byte) error) (_ Artifact, err error) {
	defer func() { err = c.hide(err) }()
	data, host, err := c.manifestData(ctx, a, "")
	if err != nil {
		return Artifact{}, err
	}
	if err := check(data); err != nil {
		return Artifact{}, err
	}
	var m document
	if err := json.Unmarshal(data, &m); err != nil {
		return Artifact{}, fmt.Errorf("the artifact that %s sent has a manifest that is not JSON of the right form", host)
	}
	if len(m.Layers) > limits.Layers {
		return Artifact{}, fmt.Errorf("the artifact that %s sent has %d layers; at most %d are read", host, len(m.Layers), limits.Layers)
	}
	all := append([]descriptor{m.Config}, m.Layers...)
	var size int64
	for _, d := range all {
		if err := checkDescriptor("blob", d, limits.Blob); err != nil {
			return Artifact{}, fmt.Errorf("the artifact that %s sent is not usable: %w", host, err)
		}
		if size += d.Size; size > limits.All {
			return Artifact{}, fmt.Errorf("the artifact that %s sent has more than %d MiB", host, limits.All>>20)
		}
	}
	out := Artifact{Manifest: data, Blobs: map[string][]byte{}}
	for _, d := range all {
		b, err := c.blob(ctx, a, d)
		if err != nil {
			return Artifact{}, err
		}
		if out.Blobs[d.Digest], err = b.bytes(); err != nil {
			return Artifact{}, err
		}
	}
	return out, nil
}

// Digest returns the digest of content.
func Digest(content []byte) string { return cache.Digest(content) }
