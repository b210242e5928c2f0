package registry

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/cache"
)

// Content is a module or an extension to publish.
type Content struct {
	Main          []byte            // the template, or the archive of types
	Source        []byte            // the archive of a module's source files, if it is to be published
	Binaries      map[string][]byte // the programs of an extension, by architecture
	Description   string
	Documentation string
	Created       time.Time
}

// Architectures are those that an extension may have programs for, in the order in
// which they are published.
var Architectures = []string{"linux-x64", "linux-arm64", "osx-x64", "osx-arm64", "win-x64", "win-arm64"}

// Annotations of manifests and layers.
const (
	annotationTitle         = "org.opencontainers.image.title"
	annotationCreated       = "org.opencontainers.image.created"
	annotationDescription   = "org.opencontainers.image.description"
	annotationDocumentation = "org.opencontainers.image.documentation"
	annotationFormat        = "bicep.serialization.format"
)

// createdFormat is how .NET writes times that are read again.
const createdFormat = "2006-01-02T15:04:05.0000000Z07:00"

// ErrExists is returned when the tag is taken.
var ErrExists = errors.New("the tag exists already")

// Publish pushes an artifact under the tag of its reference, and returns the digest
// of its manifest.
func (c *Client) Publish(ctx context.Context, a *artifact.Reference, content Content, force bool) (_ string, err error) {
	defer func() { err = c.hide(err) }()
	if a.Tag == "" {
		return "", errors.New("an artifact is published under a tag")
	}
	manifest, blobs, err := assemble(a.Type, content)
	if err != nil {
		return "", err
	}
	if !force {
		taken, err := c.exists(ctx, a)
		if err != nil {
			return "", err
		}
		if taken {
			return "", ErrExists
		}
	}
	for _, b := range blobs {
		if err := c.pushBlob(ctx, a, b); err != nil {
			return "", err
		}
	}
	ctx, stop := c.budget(ctx, int64(len(manifest)))
	defer stop()
	err = c.with(ctx, a, true, func(ctx context.Context, r *repository) error { return r.pushManifest(ctx, a.Tag, manifest) })
	return cache.Digest(manifest), err
}

// blobToPush is a blob with its descriptor.
type blobToPush struct {
	desc descriptor
	data []byte
}

// assemble makes the manifest of an artifact and the blobs that it names.
func assemble(t artifact.Type, content Content) (manifest []byte, blobs []blobToPush, err error) {
	m := document{
		SchemaVersion: 2, MediaType: artifact.MediaTypeManifest,
		Annotations: map[string]string{annotationCreated: content.Created.UTC().Format(createdFormat)},
	}
	add := func(mediaType, title string, data []byte) descriptor {
		d := descriptor{MediaType: mediaType, Digest: cache.Digest(data), Size: int64(len(data))}
		if title != "" {
			d.Annotations = map[string]string{annotationTitle: title}
		}
		blobs = append(blobs, blobToPush{d, data})
		return d
	}
	if t == artifact.Module {
		m.ArtifactType = artifact.ModuleArtifactType
		m.Config = add(artifact.ModuleConfig, "", []byte("{}"))
		m.Layers = append(m.Layers, add(artifact.ModuleLayer, "Compiled ARM template", content.Main))
		if content.Source != nil {
			m.Layers = append(m.Layers, add(artifact.SourceLayer, "Source files", content.Source))
		}
	} else {
		m.ArtifactType = artifact.ExtensionArtifactType
		m.Annotations[annotationFormat] = "v1"
		config := []byte("{}")
		if len(content.Binaries) > 0 {
			var list []string
			for _, arch := range Architectures {
				if content.Binaries[arch] != nil {
					list = append(list, arch)
				}
			}
			config, err = json.Marshal(struct {
				LocalDeployEnabled     bool     `json:"localDeployEnabled"`
				SupportedArchitectures []string `json:"supportedArchitectures"`
			}{true, list})
			if err != nil {
				return nil, nil, err
			}
		}
		m.Config = add(artifact.ExtensionConfig, "", config)
		m.Layers = append(m.Layers, add(artifact.ExtensionLayer, "types.tgz", content.Main))
		for _, arch := range Architectures {
			if data := content.Binaries[arch]; data != nil {
				m.Layers = append(m.Layers, add(artifact.BinaryLayer(arch), "extension.bin", data))
			}
		}
	}
	if content.Description != "" {
		m.Annotations[annotationDescription] = content.Description
	}
	if content.Documentation != "" {
		m.Annotations[annotationDocumentation] = content.Documentation
	}
	manifest, err = json.Marshal(m)
	return manifest, blobs, err
}

// exists reports whether the tag of an artifact is taken.
func (c *Client) exists(ctx context.Context, a *artifact.Reference) (taken bool, err error) {
	ctx, stop := c.budget(ctx, 0)
	defer stop()
	err = c.with(ctx, a, true, func(ctx context.Context, r *repository) (err error) {
		taken, err = r.hasManifest(ctx, a.Tag)
		return err
	})
	return taken, err
}

func (c *Client) pushBlob(ctx context.Context, a *artifact.Reference, b blobToPush) error {
	ctx, stop := c.budget(ctx, b.desc.Size)
	defer stop()
	return c.with(ctx, a, true, func(ctx context.Context, r *repository) error { return r.push(ctx, b.desc.Digest, b.data) })
}

// Tags lists the tags of an artifact's repository.
func (c *Client) Tags(ctx context.Context, a *artifact.Reference) ([]string, error) {
	ctx, stop := c.budget(ctx, maxManifest)
	defer stop()
	var tags []string
	err := c.with(ctx, a, false, func(ctx context.Context, r *repository) (err error) {
		tags, err = r.tags(ctx)
		return err
	})
	tags = slices.DeleteFunc(tags, func(tag string) bool { return c.hideText(tag) != tag })
	return tags, c.hide(err)
}

// WriteLocal returns the archive that is the file of an extension that is not in
// a registry: types.tgz, and the programs.
func WriteLocal(content Content) ([]byte, error) {
	files := []packedFile{{"types.tgz", content.Main}}
	for _, arch := range Architectures {
		if data := content.Binaries[arch]; data != nil {
			files = append(files, packedFile{arch + ".bin", data})
		}
	}
	return pack(files)
}

// CheckContent refuses what Fetch would refuse.
func CheckContent(t artifact.Type, content Content) error {
	if t == artifact.Extension {
		if len(content.Main) > maxTypes {
			return fmt.Errorf("the archive of types has more than %d MiB", maxTypes>>20)
		}
		return CheckTypes(bytes.NewReader(content.Main))
	}
	if len(content.Main) > maxModule {
		return fmt.Errorf("the template has more than %d MiB", maxModule>>20)
	}
	return nil
}
