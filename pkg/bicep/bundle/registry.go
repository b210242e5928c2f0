package bundle

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/internal/registry"
)

// Scheme begins the address of a bundle in a registry: oci://HOST/PATH:TAG, or @DIGEST.
const Scheme = "oci://"

// ErrExists is returned for a tag that exists already.
var ErrExists = registry.ErrExists

// Place is where a bundle is in a registry.
type Place struct {
	Address   string // oci://HOST/PATH:TAG
	Artifacts bicep.Artifacts
}

// Stem returns the last name of an address, without tag and digest.
func Stem(address string) string {
	rest, _, _ := strings.Cut(strings.TrimPrefix(address, Scheme), "@")
	name, _, _ := strings.Cut(path.Base(rest), ":")
	return name
}

// Check reports what is wrong with an address, before work is done for it.
func (p Place) Check(write bool) error {
	client, _, err := p.Artifacts.OpenRegistry(p.Address, write)
	if err == nil {
		client.Close()
	}
	return err
}

// Push pushes an artifact. A tag that exists is refused unless force says that it may be
// replaced.
func (p Place) Push(ctx context.Context, a Artifact, force bool) error {
	client, ref, err := p.Artifacts.OpenRegistry(p.Address, true)
	if err != nil {
		return err
	}
	defer client.Close()
	err = client.Push(ctx, ref, a, force)
	switch {
	case errors.Is(err, registry.ErrExists):
		return ErrExists
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return fmt.Errorf("%s could not be pushed: %w", p.Address, err)
	}
	return nil
}

// Pull fetches an artifact. An artifact that is not a bundle is refused before anything but its
// manifest is fetched.
func (p Place) Pull(ctx context.Context) (Artifact, error) {
	client, ref, err := p.Artifacts.OpenRegistry(p.Address, false)
	if err != nil {
		return Artifact{}, err
	}
	defer client.Close()
	a, err := client.Pull(ctx, ref, limits, func(manifest []byte) error {
		_, err := checkManifest(manifest)
		return err
	})
	if err != nil && ctx.Err() != nil {
		return Artifact{}, ctx.Err()
	}
	return a, err
}
