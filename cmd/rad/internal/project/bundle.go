package project

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/bundle"
	"github.com/radbicep/rad/pkg/bicep/source"
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
	case write && (IsReference(name) || o.isOfRegistry(name)), IsReference(name) && !workdir.Exists(name):
		return cli.Fail(cli.ExitUsage, "%s is written as an address in a registry; write %s, or ./%s for a file or folder",
			name, AddressOf(name), name)
	case strings.Contains(name, "://"):
		return cli.Fail(cli.ExitUsage, "%s: want an archive (.tar), a folder, or oci://HOST/PATH:TAG", cli.Redacted(name))
	case name == "-" || slices.Contains([]string{".tgz", ".gz", ".zip"}, strings.ToLower(filepath.Ext(name))):
		return cli.Fail(cli.ExitUsage, "%s: a bundle is an uncompressed archive (.tar), a folder, or oci://HOST/PATH:TAG", name)
	}
	return nil
}

// reference matches HOST:PORT/PATH, HOST/PATH:TAG, PATH:TAG and these with a digest, but no archive, and no drive of Windows.
var reference = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(br:)?(\w[\w.-]+:[0-9]+(/[\w.-]+)+|\w[\w.-]+(/[\w.-]+)*)(:\w[\w.-]*|@sha256:[0-9a-fA-F]+)?$`)
})

// IsReference reports whether a name is written as tools for containers write the address of an image. A path that begins
// with a dot or a slash is none.
func IsReference(name string) bool {
	return strings.Contains(name, ":") && reference().MatchString(name) && !strings.EqualFold(filepath.Ext(name), ".tar")
}

// isOfRegistry reports whether a name without a tag begins with a registry that is trusted.
func (o *Project) isOfRegistry(name string) bool {
	place := bundle.Place{Address: bundle.Scheme + name + ":tag", Artifacts: bicep.Artifacts{Trusted: o.Base.Artifacts.Trusted}}
	return reference().MatchString(name) && !strings.EqualFold(filepath.Ext(name), ".tar") && place.Check(true) == nil
}

// AddressOf returns a reference as the address of a bundle.
func AddressOf(reference string) string {
	address := strings.TrimPrefix(reference, "br:")
	if !strings.ContainsAny(address[strings.LastIndexByte(address, '/')+1:], ":@") {
		address += ":TAG"
	}
	return bundle.Scheme + address
}

// OpenBundle reads a bundle and checks it.
func (o *Project) OpenBundle(ctx context.Context, name string) (a bundle.Artifact, b *bundle.Bundle, err error) {
	if err := o.CheckBundlePlace(name, false); err != nil {
		return a, nil, err
	}
	switch info, statErr := o.Bounds.Stat(name); {
	case strings.HasPrefix(name, bundle.Scheme):
		a, err = o.BundlePlace(name).Pull(ctx)
	case source.IsMissing(statErr):
		return a, nil, cli.Missing("%s: there is no such file and no such folder%s", name, cli.Near(name, ".tar"))
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

// WriteBundle writes a bundle to an archive, a folder or a registry, and reports whether it was not there already.
func (o *Project) WriteBundle(ctx context.Context, name string, a bundle.Artifact, force bool) (written bool, err error) {
	if strings.HasPrefix(name, bundle.Scheme) {
		err := o.BundlePlace(name).Push(ctx, a, force)
		if errors.Is(err, bundle.ErrExists) {
			err = fmt.Errorf("%s exists already; --force replaces it", name)
		}
		return true, cli.FailWith(cli.ExitIO, err)
	}
	files, err := bundle.Layout(a)
	if err != nil {
		return false, cli.FailWith(cli.ExitIO, err)
	}
	info, statErr := o.Bounds.Stat(name)
	if statErr == nil {
		old, _, err := o.OpenBundle(ctx, name)
		empty := false
		if info.IsDir() {
			entries, e := o.Bounds.Entries(name)
			empty = e == nil && len(entries) == 0
		}
		if err != nil && !force && !empty {
			return false, cli.Fail(cli.ExitIO, "%s exists and is not a bundle that can be read; --force replaces it", name)
		}
		if err == nil && string(old.Manifest) == string(a.Manifest) {
			return false, nil
		}
	} else if !source.IsMissing(statErr) {
		return false, cli.FailWith(cli.ExitIO, statErr)
	}
	if strings.EqualFold(filepath.Ext(name), ".tar") && (statErr != nil || !info.IsDir()) {
		archive, err := bundle.Tar(files)
		if err == nil {
			err = o.Bounds.WriteFile(name, archive)
		}
		return true, cli.FailWith(cli.ExitIO, err)
	}
	if statErr == nil && !info.IsDir() {
		return false, cli.Fail(cli.ExitIO, "%s is a file; name a folder, or an archive by the extension .tar", name)
	}
	return true, cli.FailWith(cli.ExitIO, writeLayout(o.Bounds, name, files))
}

// writeLayout writes the files of a layout into a folder. The index is written last, and the
// blobs of the bundle that was there before are removed.
func writeLayout(b workdir.Bounds, folder string, files map[string][]byte) error {
	at := func(name string) string { return filepath.Join(folder, filepath.FromSlash(name)) }
	last := []string{bundle.LayoutFile, "index.json"}
	for name, content := range files {
		if !slices.Contains(last, name) {
			if err := b.WriteFile(at(name), content); err != nil {
				return err
			}
		}
	}
	for _, name := range last {
		if err := b.WriteFile(at(name), files[name]); err != nil {
			return err
		}
	}
	entries, err := b.Entries(at("blobs/sha256"))
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := "blobs/sha256/" + e.Name()
		if _, ok := files[name]; !ok && bundle.IsBlob(name) {
			if err := b.Remove(at(name)); err != nil {
				return err
			}
		}
	}
	return nil
}
