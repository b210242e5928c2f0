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

// The types that rad knows are those that are used when there is no archive.
func TestAnArchiveWins(t *testing.T) {
	t.Parallel()
	newer := tgz(t, "types.tgz", tgz(t,
		"index.json", `{"resources": {"Applications.Core/containers@2023-10-01-preview": {"$ref": "t.json#/1"}}, "settings": {"name": "Radius", "version": "latest"}}`,
		"t.json", `[{"$type": "AnyType"},
 {"$type": "ResourceType", "name": "Applications.Core/containers@2023-10-01-preview", "body": {"$ref": "#/2"}},
 {"$type": "ObjectType", "name": "Applications.Core/containers", "properties": {"name": {"type": {"$ref": "#/3"}, "flags": 25}, "properties": {"type": {"$ref": "#/4"}, "flags": 1}}},
 {"$type": "StringType"},
 {"$type": "ObjectType", "name": "ContainerProperties", "properties": {"application": {"type": {"$ref": "#/3"}, "flags": 1}, "container": {"type": {"$ref": "#/5"}, "flags": 1}}},
 {"$type": "ObjectType", "name": "Container", "properties": {"image": {"type": {"$ref": "#/3"}, "flags": 1}, "shutdown": {"type": {"$ref": "#/3"}, "flags": 0}}}]`))
	for _, c := range []struct{ name, config, want string }{
		{"no configuration", "", "8:7 BCP037"},
		{"an archive that is not restored", `{"extensions": {"radius": "br:biceptypes.azurecr.io/radius:latest"}}`, "1:11 BCP190"},
		{"an archive", `{"extensions": {"radius": "./newer.tgz"}}`, ""},
	} {
		dir := t.TempDir()
		files := map[string]string{"app.bicep": container, "newer.tgz": newer}
		if c.config != "" {
			files["bicepconfig.json"] = c.config
		}
		for name, text := range files {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		}
		r, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{File: filepath.Join(dir, "app.bicep"), Root: dir, NoRestore: true})
		require.NoError(t, err)
		assert.Equal(t, c.want, strings.ReplaceAll(errorsOf(r), "app.bicep ", ""), c.name)
	}
}
