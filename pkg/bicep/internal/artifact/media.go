package artifact

import "strings"

// The media types of what registries hold. They are compared without regard to
// letter case.
const (
	MediaTypeManifest = "application/vnd.oci.image.manifest.v1+json"
	DockerManifest    = "application/vnd.docker.distribution.manifest.v2+json"

	ModuleArtifactType = "application/vnd.ms.bicep.module.artifact"
	ModuleConfig       = "application/vnd.ms.bicep.module.config.v1+json"
	ModuleLayer        = "application/vnd.ms.bicep.module.layer.v1+json"
	SourceLayer        = "application/vnd.ms.bicep.module.source.v1.tar+gzip"

	ExtensionArtifactType = "application/vnd.ms.bicep.provider.artifact"
	ExtensionConfig       = "application/vnd.ms.bicep.provider.config.v1+json"
	ExtensionLayer        = "application/vnd.ms.bicep.provider.layer.v1.tar+gzip"
)

// IsNewerModule reports whether a media type is that of a module's configuration of another version, such
// as the one of modules in layers, which has been proposed.
func IsNewerModule(mediaType string) bool {
	version, ok := strings.CutPrefix(strings.ToLower(mediaType), "application/vnd.ms.bicep.module.config.v")
	return ok && version != "1+json"
}

// BinaryLayer returns the media type of an extension's program for an
// architecture such as linux-x64.
func BinaryLayer(architecture string) string {
	return "application/vnd.ms.bicep.provider.layer.v1." + architecture + ".binary"
}

// Layer returns the media type of the layer that artifacts of the type consist of; "" where it is the first one, whatever it is.
func (t Type) Layer() string {
	switch t {
	case Extension:
		return ExtensionLayer
	case Recipe:
		return ""
	}
	return ModuleLayer
}

// String names the type as the lock file and messages do.
func (t Type) String() string {
	switch t {
	case Extension:
		return "extension"
	case Recipe:
		return "recipe"
	}
	return "module"
}
