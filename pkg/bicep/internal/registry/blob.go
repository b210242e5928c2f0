package registry

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/cache"
)

// inMemory is the size up to which blobs are kept in memory. Larger ones wait in a
// temporary file.
const inMemory = 4 << 20

// blob is the verified content of one digest. It is downloaded once, however many
// artifacts have it.
type blob struct {
	mu   sync.Mutex
	done bool
	data []byte
	path string // of the temporary file, if the content is not in memory
}

func (b *blob) bytes() ([]byte, error) {
	if b.path != "" {
		return os.ReadFile(b.path)
	}
	return b.data, nil
}

func (b *blob) open() (io.ReadCloser, error) {
	if b.path != "" {
		return os.Open(b.path)
	}
	return io.NopCloser(bytes.NewReader(b.data)), nil
}

func (b *blob) remove() {
	if b.path != "" {
		os.Remove(b.path)
	}
}

// blob returns the content of a descriptor. A download that failed is tried again
// by the next who asks: it may know another registry.
func (c *Client) blob(ctx context.Context, a *artifact.Reference, d descriptor) (*blob, error) {
	key := fmt.Sprintf("%s %d", d.Digest, d.Size)
	c.mu.Lock()
	b := c.blobs[key]
	if b == nil {
		b = &blob{}
		c.blobs[key] = b
	}
	c.mu.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.done {
		return b, nil
	}
	if err := c.download(ctx, a, d, b); err != nil {
		b.remove()
		b.data, b.path = nil, ""
		return nil, err
	}
	b.done = true
	return b, nil
}

// download fetches a blob, and verifies its size and digest while reading.
func (c *Client) download(ctx context.Context, a *artifact.Reference, d descriptor, b *blob) error {
	ctx, stop := c.budget(ctx, d.Size)
	defer stop()
	host, _ := c.place(a)
	for attempt := 1; ; attempt++ {
		err := c.with(ctx, a, false, func(ctx context.Context, r *repository) error {
			body, err := r.blob(ctx, d)
			if err != nil {
				return err
			}
			defer body.Close()
			return b.fill(body, d)
		})
		var bad *contentError
		switch {
		case err == nil:
			return nil
		case errors.As(err, &bad):
			err = fmt.Errorf("%s sent a layer that is not what the manifest names: %w", host, bad)
		case errors.Is(err, io.ErrUnexpectedEOF) && attempt < maxAttempts && ctx.Err() == nil:
			continue // the connection broke in the middle
		}
		return err
	}
}

// contentError says how content differs from its descriptor.
type contentError struct{ text string }

func (e *contentError) Error() string { return e.text }

// fill reads the content.
func (b *blob) fill(body io.Reader, d descriptor) error {
	hash := sha256.New()
	var memory bytes.Buffer
	var to io.Writer = &memory
	if d.Size > inMemory {
		if b.path != "" {
			os.Remove(b.path)
		}
		removeOldLayers()
		f, err := os.CreateTemp("", layerPrefix+"*")
		if err != nil {
			return err
		}
		defer f.Close()
		b.path, to = f.Name(), f
	}
	n, err := io.Copy(io.MultiWriter(to, hash), io.LimitReader(body, d.Size+1))
	switch {
	case err != nil:
		return err
	case n > d.Size:
		return &contentError{fmt.Sprintf("it has more than %d bytes", d.Size)}
	case n < d.Size:
		return &contentError{fmt.Sprintf("it has %d bytes instead of %d", n, d.Size)}
	}
	if got := "sha256:" + hex.EncodeToString(hash.Sum(nil)); got != d.Digest {
		return &contentError{fmt.Sprintf("its digest is %s instead of %s", got, d.Digest)}
	}
	b.data = memory.Bytes()
	return nil
}

// layerPrefix begins the names of temporary files.
const layerPrefix = "rad-layer-"

// removeOldLayers removes, once in a run, the temporary files that killed processes left behind. No
// download takes as long.
var removeOldLayers = sync.OnceFunc(func() {
	paths, _ := filepath.Glob(filepath.Join(os.TempDir(), layerPrefix+"*"))
	for _, path := range paths {
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > 6*time.Hour {
			os.Remove(path)
		}
	}
})

// layer fetches a blob into a file of a stage.
func (c *Client) layer(ctx context.Context, a *artifact.Reference, d descriptor, stage *cache.Stage, name string) error {
	b, err := c.blob(ctx, a, d)
	if err != nil {
		return err
	}
	from, err := b.open()
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := stage.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	if name == cache.BinaryFile && err == nil {
		err = to.Chmod(0o700)
	}
	return errors.Join(err, cache.Sync(to))
}
