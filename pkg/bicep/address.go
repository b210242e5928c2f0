package bicep

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/internal/registry"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// OpenRegistry returns a client for an address such as oci://HOST/PATH:TAG, and the address
// as it understands it. It is for the packages of this module.
func (a Artifacts) OpenRegistry(address string, write bool) (*registry.Client, *artifact.Reference, error) {
	rest, ok := strings.CutPrefix(address, "oci://")
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
	return a.client(c), ref, nil
}
