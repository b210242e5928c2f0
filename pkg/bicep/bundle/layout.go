package bundle

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
)

// The files of an OCI layout.
const (
	LayoutFile    = "oci-layout"
	indexFile     = "index.json"
	blobFolder    = "blobs/sha256/"
	layoutVersion = "1.0.0"
	indexType     = "application/vnd.oci.image.index.v1+json"
	nameAnnotated = "org.opencontainers.image.ref.name"
)

type index struct {
	SchemaVersion int          `json:"schemaVersion"`
	MediaType     string       `json:"mediaType"`
	Manifests     []descriptor `json:"manifests"`
}

// Layout returns the files of the OCI layout of an artifact, by their names.
func Layout(a Artifact) (map[string][]byte, error) {
	m, err := checkManifest(a.Manifest)
	if err != nil {
		return nil, err
	}
	name := strings.TrimSuffix(m.Annotations[titleAnnotation], path.Ext(m.Annotations[titleAnnotation]))
	d := descriptor{
		MediaType: artifact.MediaTypeManifest, ArtifactType: ArtifactType, Digest: Digest(a.Manifest), Size: int64(len(a.Manifest)),
		Annotations: map[string]string{nameAnnotated: name},
	}
	list, err := json.Marshal(index{2, indexType, []descriptor{d}})
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{LayoutFile: []byte(`{"imageLayoutVersion":"` + layoutVersion + `"}`), indexFile: list}
	blob := func(digest string) string { return blobFolder + strings.TrimPrefix(digest, "sha256:") }
	files[blob(d.Digest)] = a.Manifest
	for digest, content := range a.Blobs {
		files[blob(digest)] = content
	}
	return files, nil
}

// IsBlob reports whether a name is that of a blob in a layout.
func IsBlob(name string) bool {
	digits, ok := strings.CutPrefix(name, blobFolder)
	return ok && artifact.ValidDigest("sha256:"+digits)
}

// Tar returns the files of a layout as an archive: sorted, without times and owners.
func Tar(files map[string][]byte) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name,
			Size: int64(len(files[name])), Mode: 0o644, Format: tar.FormatUSTAR}); err != nil {
			return nil, err
		}
		if _, err := w.Write(files[name]); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// ReadTar reads the artifact of an archive in the OCI layout.
func ReadTar(data []byte) (Artifact, error) {
	if len(data) > maxArchive {
		return Artifact{}, invalid("it has more than %d MiB", maxArchive>>20)
	}
	files := map[string][]byte{}
	last := "" // entry
	r := tar.NewReader(bytes.NewReader(data))
	for n := 0; ; n++ {
		h, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return ReadLayout(func(name string) ([]byte, error) {
				if content, ok := files[name]; ok {
					return content, nil
				}
				return nil, fs.ErrNotExist
			})
		case err != nil && n == 0:
			return Artifact{}, invalid("it is not a tar archive in the OCI layout")
		case err != nil:
			return Artifact{}, invalid("it is damaged or breaks off, in or after %q", shown(last))
		case n == maxEntries:
			return Artifact{}, invalid("it holds more than %d files and folders", maxEntries)
		}
		last = h.Name
		name := path.Clean(h.Name)
		switch {
		case h.Typeflag == tar.TypeDir:
			continue
		case h.Typeflag != tar.TypeReg || artifact.IsSparse(h):
			return Artifact{}, invalid("%q in it is not a regular file", shown(h.Name))
		case name != LayoutFile && name != indexFile && !IsBlob(name):
			continue // of another tool
		case files[name] != nil:
			return Artifact{}, invalid("%q is in it twice", shown(h.Name))
		}
		content, err := io.ReadAll(r) // not more than data holds, since an archive is not packed and no file is sparse
		if err != nil {
			return Artifact{}, invalid("it is not whole: %q breaks off", shown(h.Name))
		}
		files[name] = content
	}
}

// ReadLayout reads the artifact of an OCI layout. read returns the content of a file by its
// name in the layout.
func ReadLayout(read func(name string) ([]byte, error)) (Artifact, error) {
	var out Artifact
	text, err := read(LayoutFile)
	if errors.Is(err, fs.ErrNotExist) {
		return out, invalid("it is not in the OCI layout: there is no %s in it", LayoutFile)
	}
	if err != nil {
		return out, err
	}
	var layout struct {
		Version string `json:"imageLayoutVersion"`
	}
	if json.Unmarshal(text, &layout) != nil || layout.Version == "" {
		return out, invalid("it is not in the OCI layout: %s is not JSON of the right form", LayoutFile)
	}
	if layout.Version != layoutVersion {
		return out, invalid("its OCI layout has the version %q, and %s is read", shown(layout.Version), layoutVersion)
	}
	if text, err = read(indexFile); errors.Is(err, fs.ErrNotExist) {
		return out, invalid("it is not whole: %s is missing", indexFile)
	} else if err != nil {
		return out, err
	}
	var list index
	if len(text) > maxManifest || json.Unmarshal(text, &list) != nil {
		return out, invalid("its %s is not JSON of the right form", indexFile)
	}
	if list.SchemaVersion != 2 || list.MediaType != "" && list.MediaType != indexType {
		return out, invalid("its %s is not an OCI image index", indexFile)
	}
	d, err := oneManifest(list)
	if err != nil {
		return out, err
	}
	blob := func(d descriptor) ([]byte, error) {
		if !artifact.ValidDigest(d.Digest) {
			return nil, invalid("a part of it has the digest %q, which is not a SHA-256", shown(d.Digest))
		}
		content, err := read(blobFolder + strings.TrimPrefix(d.Digest, "sha256:"))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, invalid("it is not whole: the part %s is missing", d.Digest)
		}
		return content, err
	}
	if out.Manifest, err = blob(d); err != nil {
		return out, err
	}
	switch got := Digest(out.Manifest); {
	case got != d.Digest:
		return out, invalid("it is damaged: its manifest has the digest %s instead of %s", got, d.Digest)
	case int64(len(out.Manifest)) != d.Size:
		return out, invalid("it is damaged: its manifest has %d bytes, and %s says %d", len(out.Manifest), indexFile, d.Size)
	case d.MediaType != artifact.MediaTypeManifest:
		return out, invalid("its %s says that its manifest is of the type %q", indexFile, shown(d.MediaType))
	case d.ArtifactType != "" && d.ArtifactType != ArtifactType:
		return out, invalid("its %s says that it is an artifact of the type %q", indexFile, shown(d.ArtifactType))
	}
	out.Called = d.Annotations[nameAnnotated]
	m, err := checkManifest(out.Manifest)
	if err != nil {
		return out, err
	}
	out.Blobs = map[string][]byte{}
	for _, d := range append([]descriptor{m.Config}, m.Layers...) {
		if out.Blobs[d.Digest], err = blob(d); err != nil {
			return out, err
		}
	}
	return out, nil
}

// oneManifest returns the manifest in an index that is, or may be, a bundle's.
func oneManifest(list index) (descriptor, error) {
	var own []descriptor
	for _, d := range list.Manifests {
		if d.ArtifactType == ArtifactType {
			own = append(own, d)
		}
	}
	switch {
	case len(own) == 1:
		return own[0], nil
	case len(own) > 1:
		return descriptor{}, invalid("it holds %d bundles; one is wanted", len(own))
	case len(list.Manifests) == 1:
		return list.Manifests[0], nil
	case len(list.Manifests) == 0:
		return descriptor{}, invalid("it holds no artifact")
	}
	return descriptor{}, invalid("it holds %d artifacts, and none is known to be a bundle of rad", len(list.Manifests))
}

// unpackManifests reads the layer of manifests.
func unpackManifests(data []byte) ([]File, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, invalid("its layer of manifests is not packed by gzip")
	}
	limited := &io.LimitedReader{R: z, N: maxUnpacked + 1}
	r := tar.NewReader(limited)
	var files []File
	seen := map[string]bool{}
	for {
		h, err := r.Next()
		if limited.N <= 0 {
			return nil, invalid("its manifests unpack to more than %d MiB", maxUnpacked>>20)
		}
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, invalid("its layer of manifests is not a tar archive")
		}
		if h.Typeflag != tar.TypeReg || artifact.IsSparse(h) || !plainName(h.Name) {
			return nil, invalid("its layer of manifests holds %q, which is not a regular file", shown(h.Name))
		}
		if len(files) == maxManifests {
			return nil, invalid("it has more than %d manifests", maxManifests)
		}
		if seen[h.Name] {
			return nil, invalid("its layer of manifests holds %q twice", shown(h.Name))
		}
		seen[h.Name] = true
		content, err := io.ReadAll(r)
		if limited.N <= 0 {
			return nil, invalid("its manifests unpack to more than %d MiB", maxUnpacked>>20)
		}
		if err != nil {
			return nil, invalid("its layer of manifests breaks off in %q", shown(h.Name))
		}
		files = append(files, File{h.Name, content})
	}
}
