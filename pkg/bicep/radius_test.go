package bicep_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep"
)

const container = `extension radius
resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  properties: {
    application: 'app'
    container: {
      image: 'web:1'
      shutdown: 'slow'
    }
  }
}
`

// The types that rad knows are those that are used when there is no archive, and when that of
// Radius' registry was not restored.
func TestAnArchiveWins(t *testing.T) {
	t.Parallel()
	types := tgz(t,
		"index.json", `{"resources": {"Applications.Core/containers@2023-10-01-preview": {"$ref": "t.json#/1"}}, "settings": {"name": "Radius", "version": "latest"}}`,
		"t.json", `[{"$type": "AnyType"},
 {"$type": "ResourceType", "name": "Applications.Core/containers@2023-10-01-preview", "body": {"$ref": "#/2"}},
 {"$type": "ObjectType", "name": "Applications.Core/containers", "properties": {"name": {"type": {"$ref": "#/3"}, "flags": 25}, "properties": {"type": {"$ref": "#/4"}, "flags": 1}}},
 {"$type": "StringType"},
 {"$type": "ObjectType", "name": "ContainerProperties", "properties": {"application": {"type": {"$ref": "#/3"}, "flags": 1}, "container": {"type": {"$ref": "#/5"}, "flags": 1}}},
 {"$type": "ObjectType", "name": "Container", "properties": {"image": {"type": {"$ref": "#/3"}, "flags": 1}, "shutdown": {"type": {"$ref": "#/3"}, "flags": 0}}}]`)
	newer := tgz(t, "types.tgz", types)
	names := func(reference string) string { return `{"extensions": {"radius": "` + reference + `"}}` }
	const official, github = "br:biceptypes.azurecr.io/radius:", "br:ghcr.io/radius-project/bicep-types-radius:"
	for _, c := range []struct {
		name, config, lock, cached string
		builtIn                    bicep.BuiltIn
		want                       string
		replaced                   []bicep.Replaced
	}{
		{name: "no configuration", want: "8:7 BCP037"},
		{name: "an archive", config: names("./newer.tgz"), want: ""},
		{name: "an archive, whatever is published", config: names("./newer.tgz"), builtIn: bicep.BuiltInAlways, want: ""},
		{name: "not restored", config: names(official + "latest"), want: "8:7 BCP037", replaced: []bicep.Replaced{{Reference: official + "latest", Release: "0.60"}}},
		{name: "the same", config: names(official + "0.60"), want: "8:7 BCP037"},
		{name: "a patch of it", config: names(official + "v0.60.9"), want: "8:7 BCP037"},
		{name: "before it", config: names(official + "0.60.0-rc1"), want: "8:7 BCP037"},
		{name: "older", config: names(official + "0.40.1"), want: "8:7 BCP037"},
		{name: "too old", config: names(official + "v0.9"), want: "", replaced: []bicep.Replaced{{Reference: official + "v0.9", Release: "0.40", Unknown: true}}},
		{name: "newer", config: names(official + "0.61"), want: "", replaced: []bicep.Replaced{{Reference: official + "0.61", Release: "0.60", Unknown: true}}},
		{name: "newer, always", config: names(official + "0.61"), builtIn: bicep.BuiltInAlways, want: ""},
		{name: "much newer", config: names(official + "1.0.0-rc1"), want: "", replaced: []bicep.Replaced{{Reference: official + "1.0.0-rc1", Release: "0.60", Unknown: true}}},
		{name: "edge", config: names(official + "edge"), want: "8:7 BCP037", replaced: []bicep.Replaced{{Reference: official + "edge", Release: "0.60"}}},
		{name: "the other registry", config: names(github + "0.59"), want: "8:7 BCP037"},
		{name: "the other registry, not wanted", config: names(github + "0.59"), builtIn: bicep.BuiltInNever, want: "1:11 BCP190"},
		{name: "never", config: names(official + "latest"), builtIn: bicep.BuiltInNever, want: "1:11 BCP190"},
		{name: "always", config: names(official + "latest"), builtIn: bicep.BuiltInAlways, want: "8:7 BCP037"},
		{name: "another registry", config: names("br:ghcr.io/radius:latest"), builtIn: bicep.BuiltInAlways, want: "1:11 BCP190"},
		{name: "restored", config: names(official + "0.60"), cached: "0.60$", want: ""},
		{name: "restored, and not wanted", config: names(official + "0.60"), cached: "0.60$", builtIn: bicep.BuiltInAlways, want: "8:7 BCP037"},
		{name: "locked", config: names(official + "0.60"), lock: official + "0.60", want: "1:11 BCP190"},
		{name: "another one locked", config: names(official + "0.58"), lock: official + "0.59", want: "8:7 BCP037"},
		{name: "locked, and not wanted", config: names(official + "0.60"), lock: official + "0.60", builtIn: bicep.BuiltInAlways, want: "8:7 BCP037"},
		{
			name: "implicit", config: `{"extensions": {"radius": "` + official + `0.58"}, "implicitExtensions": ["az", "radius"]}`,
			want: "8:7 BCP037",
		},
	} {
		dir := t.TempDir()
		files := map[string]string{"app.bicep": container, "newer.tgz": newer, "bicepconfig.json": c.config}
		if c.name == "implicit" {
			files["app.bicep"] = strings.Replace(container, "extension radius", "", 1)
		}
		if c.lock != "" {
			digest := "sha256:" + strings.Repeat("0", 64)
			files["bicep.lock.json"] = `{"version": 1, "artifacts": {"` + c.lock + `": {"kind": "extension", "digest": "` + digest + `", "size": 1, "mediaType": "application/vnd.oci.image.manifest.v1+json",
				"layers": [{"mediaType": "application/vnd.ms.bicep.provider.layer.v1.tar+gzip", "digest": "` + digest + `", "size": 1}]}}}`
		}
		if c.cached != "" {
			for _, name := range []string{"types.tgz", "manifest", "metadata"} {
				files["cache/br/biceptypes.azurecr.io/radius/"+c.cached+"/"+name] = types
			}
		}
		for name, text := range files {
			if text != "" {
				require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
			}
		}
		artifacts := bicep.Artifacts{Cache: filepath.Join(dir, "cache"), BuiltIn: c.builtIn}
		r, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{File: filepath.Join(dir, "app.bicep"), FS: bicep.Dir(dir), Root: dir, NoRestore: true, Options: bicep.Options{Artifacts: artifacts}})
		require.NoError(t, err, c.name)
		assert.Equal(t, c.want, strings.ReplaceAll(errorsOf(r), "app.bicep ", ""), c.name)
		assert.Equal(t, c.replaced, r.Replaced, c.name)
	}
}
