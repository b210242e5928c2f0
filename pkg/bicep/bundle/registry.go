package bundle

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/internal/registry"
	"github.com/radbicep/rad/pkg/bicep/source"
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
	client, _, err := p.open(write)
	if err == nil {
		client.Close()
	}
	return err
}

// Push pushes an artifact. A tag that exists is refused unless force says that it may be
// replaced.
func (p Place) Push(ctx context.Context, a Artifact, force bool) error {
	client, ref, err := p.open(true)
	if err != nil {
		return err
	}
	defer client.Close()
	err = client.Push(ctx, ref, registry.Artifact{Manifest: a.Manifest, Blobs: a.Blobs}, force)
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
	client, ref, err := p.open(false)
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
	out := Artifact{Manifest: a.Manifest, Blobs: a.Blobs}
	if err == nil { // what is wrong with it is told here, without the credentials that the registry was given
		if _, err = Open(out); err != nil {
			err = client.Hide(err)
		}
	}
	return out, err
}

// open returns a client for the registry, and the address as it understands it.
func (p Place) open(write bool) (*registry.Client, *artifact.Reference, error) {
	address, a := p.Address, p.Artifacts
	rest, ok := strings.CutPrefix(address, Scheme)
	if !ok {
		return nil, nil, fmt.Errorf("%s: want oci://HOST/PATH:TAG", address)
	}
	// An empty configuration: an address of a registry has no aliases.
	c := config.NewLoader(source.Memory{}).For(filepath.Join(string(filepath.Separator), "main.bicep"))
	ref, problem := artifact.Parse("br:"+rest, artifact.Module, c)
	switch {
	case problem != nil || ref.Scheme != artifact.OCI:
		return nil, nil, fmt.Errorf("%s: want oci://HOST/PATH:TAG", address)
	case write && ref.Tag == "":
		return nil, nil, fmt.Errorf("%s: a bundle is pushed under a tag, not under a digest", address)
	case !ref.Trusted(a.Trusted):
		return nil, nil, fmt.Errorf("%s: the registry %s is not trusted; list it in BICEP_TRUSTED_REGISTRIES", address, ref.Registry)
	case a.Offline:
		return nil, nil, errors.New("no connection may be opened, and the bundle is in the registry " + ref.Registry)
	}
	return registry.New(registry.Options{Mirrors: a.Mirrors, TokenServers: a.TokenServers,
		UserAgent: registry.UserAgent, Credentials: c.Credentials}), ref, nil
}
