package project

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep/bundle"
)

// IsBundle reports whether an argument names a bundle: by its address, its extension, or by
// what the folder holds.
func (o *Project) IsBundle(arg string) bool {
	if strings.HasPrefix(arg, bundle.Scheme) || strings.EqualFold(filepath.Ext(arg), ".tar") {
		return true
	}
	info, err := o.Bounds.Stat(filepath.Join(arg, bundle.LayoutFile))
	return err == nil && info.Mode().IsRegular()
}

// BundlePlace returns the place in a registry that an address names.
func (o *Project) BundlePlace(address string) bundle.Place {
	return bundle.Place{Address: address, Artifacts: o.Base.Artifacts}
}

// CheckBundlePlace refuses names to which no bundle can be read or written, before any work
// is done.
func (o *Project) CheckBundlePlace(name string, write bool) error {
	switch {
	case strings.HasPrefix(name, bundle.Scheme):
		if o.Base.Artifacts.Offline {
			return cli.Fail(cli.ExitUsage, "%s: --offline allows no connection to a registry", name)
		}
		if o.Hermetic {
			return cli.Fail(cli.ExitUsage, "%s: --hermetic allows no connection to a registry", name)
		}
		return cli.FailWith(cli.ExitUsage, o.BundlePlace(name).Check(write))
	case strings.Contains(name, "://"):
		return cli.Fail(cli.ExitUsage, "%s: want an archive (.tar), a folder, or oci://HOST/PATH:TAG", cli.Redacted(name))
	case name == "-" || slices.Contains([]string{".tgz", ".gz", ".zip"}, strings.ToLower(filepath.Ext(name))):
		return cli.Fail(cli.ExitUsage, "%s: a bundle is an uncompressed archive (.tar), a folder, or oci://HOST/PATH:TAG", name)
	}
	return nil
}

// OpenBundle reads a bundle and checks it.
func (o *Project) OpenBundle(ctx context.Context, name string) (a bundle.Artifact, b *bundle.Bundle, err error) {
	if err := o.CheckBundlePlace(name, false); err != nil {
		return a, nil, err
	}
	switch info, statErr := o.Bounds.Stat(name); {
	case strings.HasPrefix(name, bundle.Scheme):
		a, err = o.BundlePlace(name).Pull(ctx)
	case workdir.IsMissing(statErr):
		hint := ""
		if near := workdir.NearFile(name, []string{".tar"}); near != "" {
			hint = "; did you mean " + near + "?"
		}
		return a, nil, cli.Missing("%s: there is no such file and no such folder%s", name, hint)
	case statErr != nil:
		return a, nil, cli.FailWith(cli.ExitIO, statErr)
	case info.IsDir():
		a, err = bundle.ReadLayout(func(part string) ([]byte, error) {
			return o.Bounds.ReadFile(filepath.Join(name, filepath.FromSlash(part)))
		})
	default:
		var text []byte
		if text, err = o.Bounds.ReadFile(name); err == nil {
			a, err = bundle.ReadTar(text)
		}
	}
	if err == nil {
		b, err = bundle.Open(a)
	}
	if err != nil && ctx.Err() != nil {
		return a, nil, ctx.Err()
	}
	if err != nil {
		return a, nil, cli.Fail(cli.ExitIO, "%s: %w", name, err)
	}
	return a, b, nil
}
