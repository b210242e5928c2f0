// Package bundle makes and reads bundles: OCI artifacts that hold a compiled template and what
// is needed to deploy it without its source.
//
// A bundle is the same bytes whenever it is made of the same things. Begin with Pack, which
// makes an Artifact of a Bundle, and Open, which checks one and reads it. An artifact is in
// a folder or a tar archive in the OCI layout, or in a registry.
package bundle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/registry"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// Version is the version of the format that Pack writes, and the latest that Open reads.
const Version = 1

// The media types of a bundle. That of manifests is the one that Flux reads.
const (
	ArtifactType        = "application/vnd.radbicep.bundle"
	MediaTypeAbout      = "application/vnd.radbicep.bundle.config+json"
	MediaTypeTemplate   = "application/vnd.radbicep.bundle.template+json"
	MediaTypeParameters = "application/vnd.radbicep.bundle.parameters+json"
	MediaTypeValues     = "application/vnd.radbicep.bundle.values+json"
	MediaTypeLock       = "application/vnd.radbicep.bundle.lock+json"
	MediaTypeManifests  = "application/vnd.cncf.flux.content.v1.tar+gzip"
)

// Bundle is the content of a bundle.
type Bundle struct {
	About      About
	Template   []byte      // JSON, as the compiler printed it
	Parameters []Parameter // that the template declares
	Values     []byte      // of an environment: an ARM parameter file without secure values; nil if there are none
	Lock       []byte      // bicep.lock.json; nil if there was none
	Manifests  []File      // that were generated; none where values are missing
	Origin     Origin
}

// Origin says where the source of a bundle is, as far as that is known. It is written as annotations that
// registries and other tools read.
type Origin struct {
	Source   string `json:"source,omitempty" doc:"URL of the repository"`
	Revision string `json:"revision,omitempty" doc:"the commit that last changed what the template was compiled from"`
	Created  string `json:"created,omitempty" doc:"time of that commit, in UTC"`
}

// About says what a bundle was made of.
type About struct {
	Version  int             `json:"version"` // of the format
	Tool     string          `json:"tool"`    // version of rad
	Bicep    string          `json:"bicep"`   // version that the template names
	Name     string          `json:"name"`    // the template's file name
	Inputs   []Input         `json:"inputs"`
	Manifest json.RawMessage `json:"manifest,omitempty"` // how the manifest was made, in the words of who made it
}

// Input is a file that the template was compiled from.
type Input struct {
	Path   string `json:"path" doc:"from the project's root; cache/ stands for the cache of artifacts"`
	Digest string `json:"digest"`
}

// Parameter is a parameter that the template declares.
type Parameter struct {
	Name        string          `json:"name"`
	Type        string          `json:"type"`
	Required    bool            `json:"required"`
	Secure      bool            `json:"secure,omitempty"`
	Default     json.RawMessage `json:"default,omitempty" doc:"absent for a secure parameter"`
	Description string          `json:"description,omitempty"`
}

// File is a file that was generated.
type File struct {
	Name    string
	Content []byte
}

// Artifact is a bundle in its parts: an OCI manifest, and the blobs that it names.
type Artifact struct {
	Manifest []byte
	Blobs    map[string][]byte // by digest
	// Called is the name that the index of an OCI layout gives it, or "". Tools that copy bundles may
	// write a tag there.
	Called string
}

// InvalidError says why an artifact is refused.
type InvalidError struct{ Problem string }

// Error returns the problem.
func (e *InvalidError) Error() string { return e.Problem }

func invalid(format string, args ...any) error { return &InvalidError{fmt.Sprintf(format, args...)} }

// Limits of a bundle, so that a hostile one ends in an error.
const (
	maxBlob      = 64 << 20
	maxAll       = 128 << 20
	maxManifest  = 4 << 20
	maxLayers    = 16
	maxUnpacked  = 64 << 20 // manifests
	maxManifests = 1000
	maxArchive   = maxAll + maxManifest
	maxEntries   = 1000 // of an archive, those of other tools among them
)

var limits = registry.Limits{Layers: maxLayers, Blob: maxBlob, All: maxAll}

// document is an OCI manifest.
type document struct {
	SchemaVersion int               `json:"schemaVersion"`
	MediaType     string            `json:"mediaType"`
	ArtifactType  string            `json:"artifactType,omitempty"`
	Config        descriptor        `json:"config"`
	Layers        []descriptor      `json:"layers"`
	Annotations   map[string]string `json:"annotations,omitempty"`
}

type descriptor struct {
	MediaType    string            `json:"mediaType"`
	ArtifactType string            `json:"artifactType,omitempty"` // in an index
	Digest       string            `json:"digest"`
	Size         int64             `json:"size"`
	Annotations  map[string]string `json:"annotations,omitempty"`
}

// The annotations of a bundle.
const (
	titleAnnotation    = "org.opencontainers.image.title"
	sourceAnnotation   = "org.opencontainers.image.source"
	revisionAnnotation = "org.opencontainers.image.revision"
	createdAnnotation  = "org.opencontainers.image.created"
)

// Digest returns the digest of content: sha256: and hexadecimal digits.
func Digest(content []byte) string { return registry.Digest(content) }

// Pack makes the artifact of a bundle, or says why Open would refuse it.
func Pack(b *Bundle) (Artifact, error) {
	out := Artifact{Blobs: map[string][]byte{}}
	add := func(mediaType, title string, content []byte) (descriptor, error) {
		if len(content) > maxBlob {
			return descriptor{}, fmt.Errorf("%s has more than %d MiB, which a bundle cannot hold", title, maxBlob>>20)
		}
		d := descriptor{MediaType: mediaType, Digest: Digest(content),
			Size: int64(len(content)), Annotations: map[string]string{titleAnnotation: title}}
		out.Blobs[d.Digest] = content
		return d, nil
	}
	about := b.About
	about.Version = Version
	if about.Inputs == nil {
		about.Inputs = []Input{}
	}
	config, err := json.Marshal(about)
	if err != nil {
		return out, err
	}
	m := document{SchemaVersion: 2, MediaType: artifact.MediaTypeManifest,
		ArtifactType: ArtifactType, Annotations: map[string]string{titleAnnotation: about.Name}}
	for name, value := range map[string]string{sourceAnnotation: b.Origin.Source,
		revisionAnnotation: b.Origin.Revision, createdAnnotation: b.Origin.Created} {
		if value != "" {
			m.Annotations[name] = value
		}
	}
	if m.Config, err = add(MediaTypeAbout, "about.json", config); err != nil {
		return out, err
	}
	parameters, err := json.Marshal(append([]Parameter{}, b.Parameters...))
	if err != nil {
		return out, err
	}
	var manifests []byte
	if len(b.Manifests) > 0 { // the first layer is what Flux takes if it is not told another one
		var names, contents []string
		for _, f := range b.Manifests {
			names, contents = append(names, f.Name), append(contents, string(f.Content))
		}
		if manifests, err = registry.PackFiles(names, contents); err != nil {
			return out, err
		}
	}
	for _, l := range []struct {
		mediaType, title string
		content          []byte
	}{
		{MediaTypeManifests, "manifests.tar.gz", manifests},
		{MediaTypeTemplate, "template.json", b.Template},
		{MediaTypeParameters, "parameters.json", parameters},
		{MediaTypeValues, "values.json", b.Values},
		{MediaTypeLock, "bicep.lock.json", b.Lock},
	} {
		if l.content == nil {
			continue
		}
		d, err := add(l.mediaType, l.title, l.content)
		if err != nil {
			return out, err
		}
		m.Layers = append(m.Layers, d)
	}
	if out.Manifest, err = json.Marshal(m); err != nil {
		return out, err
	}
	if _, err := Open(out); err != nil {
		return out, fmt.Errorf("no bundle that can be read is made of this: %w", err)
	}
	return out, nil
}

// shown makes a text that an artifact holds fit for a message.
func shown(s string) string {
	if len(s) > 100 {
		s = strings.ToValidUTF8(s[:100], "") + "…"
	}
	return report.Visible(s)
}

// checkManifest refuses a manifest that is not that of a bundle.
func checkManifest(data []byte) (document, error) {
	var m document
	if len(data) > maxManifest {
		return m, invalid("its manifest has more than %d MiB", maxManifest>>20)
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return m, invalid("its manifest is not JSON of the right form")
	}
	switch {
	case m.ArtifactType != ArtifactType && m.ArtifactType == "":
		return m, invalid("it is not a bundle of rad, but another OCI artifact, with the configuration %q", shown(m.Config.MediaType))
	case m.ArtifactType != ArtifactType:
		return m, invalid("it is not a bundle of rad, but an artifact of the type %q", shown(m.ArtifactType))
	case m.SchemaVersion != 2 || m.MediaType != "" && m.MediaType != artifact.MediaTypeManifest:
		return m, invalid("its manifest is not an OCI image manifest")
	case m.Config.MediaType != MediaTypeAbout:
		return m, invalid("its configuration is of the type %q", shown(m.Config.MediaType))
	case len(m.Layers) > maxLayers:
		return m, invalid("it has %d layers; at most %d are read", len(m.Layers), maxLayers)
	}
	var size int64
	for _, d := range append([]descriptor{m.Config}, m.Layers...) {
		switch {
		case !artifact.ValidDigest(d.Digest):
			return m, invalid("a part of it has the digest %q, which is not a SHA-256", shown(d.Digest))
		case d.Size < 0 || d.Size > maxBlob:
			return m, invalid("a part of it has %d bytes; at most %d MiB are read", d.Size, maxBlob>>20)
		}
		if size += d.Size; size > maxAll {
			return m, invalid("it has more than %d MiB", maxAll>>20)
		}
	}
	return m, nil
}

// Open checks an artifact and reads it. An error that is an *InvalidError says why it is
// refused.
func Open(a Artifact) (*Bundle, error) {
	m, err := checkManifest(a.Manifest)
	if err != nil {
		return nil, err
	}
	content := func(d descriptor) ([]byte, error) {
		data, ok := a.Blobs[d.Digest]
		switch {
		case !ok:
			return nil, invalid("it is not whole: the part %s is missing", d.Digest)
		case int64(len(data)) != d.Size:
			return nil, invalid("it is damaged: the part %s has %d bytes instead of %d", d.Digest, len(data), d.Size)
		case Digest(data) != d.Digest:
			return nil, invalid("it is damaged: a part has the digest %s instead of %s", Digest(data), d.Digest)
		}
		return data, nil
	}
	b := &Bundle{Origin: Origin{Source: m.Annotations[sourceAnnotation],
		Revision: m.Annotations[revisionAnnotation], Created: m.Annotations[createdAnnotation]}}
	config, err := content(m.Config)
	if err != nil {
		return nil, err
	}
	var version struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(config, &version); err != nil || version.Version < 1 {
		return nil, invalid("its configuration is not that of a bundle")
	}
	if version.Version > Version {
		return nil, invalid("it was made by a newer rad: its format has the version %d, and this rad reads %d; update rad",
			version.Version, Version)
	}
	if err := json.Unmarshal(config, &b.About); err != nil {
		return nil, invalid("its configuration is not that of a bundle")
	}
	if !plainName(b.About.Name) {
		return nil, invalid("its name, %q, is not the name of a file", shown(b.About.Name))
	}
	seen := map[string]bool{}
	for _, d := range m.Layers {
		data, err := content(d)
		if err != nil {
			return nil, err
		}
		if seen[d.MediaType] {
			return nil, invalid("it has two layers of the type %q", shown(d.MediaType))
		}
		seen[d.MediaType] = true
		switch d.MediaType {
		case MediaTypeManifests:
			b.Manifests, err = unpackManifests(data)
		case MediaTypeTemplate:
			b.Template, err = data, object(data, "template")
		case MediaTypeParameters:
			if json.Unmarshal(data, &b.Parameters) != nil {
				err = invalid("its list of parameters is not JSON of the right form")
			}
		case MediaTypeValues:
			b.Values, err = data, object(data, "list of values")
		case MediaTypeLock:
			b.Lock = data
		default:
			err = invalid("it has a layer of the type %q, which no bundle has", shown(d.MediaType))
		}
		if err != nil {
			return nil, err
		}
	}
	if b.Template == nil {
		return nil, invalid("it has no template")
	}
	return b, nil
}

// object refuses a value that is not a JSON object.
func object(data []byte, what string) error {
	if !json.Valid(data) || !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return invalid("its %s is not a JSON object", what)
	}
	return nil
}

// plainName reports whether a text is the name of a file in no folder, on any system.
func plainName(name string) bool {
	return name != "" && len(name) <= 255 && name != "." && name != ".." &&
		!strings.ContainsAny(name, `/\:`) && !strings.ContainsFunc(name, unicode.IsControl)
}
