package bicep_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/source"
)

const ownAzIndex = `{"resources": {"Own.Az/shops@2024-01-01": {"$ref": "t.json#/9"}, "Own.Az/shops/shelves@2024-01-01": {"$ref": "t.json#/12"},
 "Own.Az/views@2024-01-01": {"$ref": "t.json#/13"}, "Own.Az/kinds@2024-01-01": {"$ref": "t.json#/16"}},
 "settings": {"name": "AzureResourceManager", "version": "9.9.9", "isSingleton": true, "configurationType": {"$ref": "t.json#/17"}}}`

const ownAzTypes = `[{"$type": "StringType"}, {"$type": "IntegerType"}, {"$type": "StringLiteralType", "value": "Own.Az/shops"}, {"$type": "StringLiteralType", "value": "2024-01-01"},
 {"$type": "StringLiteralType", "value": "default"}, {"$type": "StringLiteralType", "value": "a"}, {"$type": "StringLiteralType", "value": "b"},
 {"$type": "ObjectType", "name": "Properties", "properties": {"size": {"type": {"$ref": "#/1"}, "flags": 1}, "note": {"type": {"$ref": "#/0"}, "flags": 0}, "state": {"type": {"$ref": "#/0"}, "flags": 2}}},
 {"$type": "ObjectType", "name": "Own.Az/shops@2024-01-01", "properties": {"id": {"type": {"$ref": "#/0"}, "flags": 10}, "name": {"type": {"$ref": "#/0"}, "flags": 9},
  "type": {"type": {"$ref": "#/2"}, "flags": 10}, "apiVersion": {"type": {"$ref": "#/3"}, "flags": 10}, "location": {"type": {"$ref": "#/0"}, "flags": 0}, "properties": {"type": {"$ref": "#/7"}, "flags": 1}}},
 {"$type": "ResourceType", "name": "Own.Az/shops@2024-01-01", "body": {"$ref": "#/8"}, "readableScopes": 8, "writableScopes": 8},
 {"$type": "ObjectType", "name": "none", "properties": {}},
 {"$type": "ObjectType", "name": "Own.Az/shops/shelves@2024-01-01", "properties": {"name": {"type": {"$ref": "#/4"}, "flags": 9}}},
 {"$type": "ResourceType", "name": "Own.Az/shops/shelves@2024-01-01", "body": {"$ref": "#/11"}, "readableScopes": 8, "writableScopes": 8},
 {"$type": "ResourceType", "name": "Own.Az/views@2024-01-01", "body": {"$ref": "#/8"}, "readableScopes": 8, "writableScopes": 0},
 {"$type": "ObjectType", "name": "A", "properties": {"name": {"type": {"$ref": "#/0"}, "flags": 9}, "kind": {"type": {"$ref": "#/5"}, "flags": 1}, "properties": {"type": {"$ref": "#/7"}, "flags": 0}}},
 {"$type": "ObjectType", "name": "B", "properties": {"name": {"type": {"$ref": "#/0"}, "flags": 9}, "kind": {"type": {"$ref": "#/6"}, "flags": 1}}},
 {"$type": "ResourceType", "name": "Own.Az/kinds@2024-01-01", "body": {"$ref": "#/18"}, "readableScopes": 8, "writableScopes": 8},
 {"$type": "ObjectType", "name": "config", "properties": {"providers": {"type": {"$ref": "#/19"}, "flags": 0}}},
 {"$type": "DiscriminatedObjectType", "name": "Own.Az/kinds@2024-01-01", "discriminator": "kind", "baseProperties": {}, "elements": {"a": {"$ref": "#/14"}, "b": {"$ref": "#/15"}}},
 {"$type": "ArrayType", "itemType": {"$ref": "#/5"}}]`

// An archive of Azure's types takes the place of what is known of them without one.
func TestArchiveOfAzure(t *testing.T) {
	t.Parallel()
	const shop = "resource s 'own.az/SHOPS@2024-01-01' = {\n  name: 's'\n  properties: { size: 1 }\n}\n"
	tests := []struct{ name, text, want string }{
		{"what is right", shop + "output o string = s.properties.state\noutput g string = resourceGroup().id", ""},
		{"what the body has not", "resource s 'Own.Az/shops@2024-01-01' = {\n  name: 's'\n  properties: { sice: 1, state: 'x', note: 1 }\n}",
			"3:3 BCP035 W, 3:17 BCP089 W, 3:26 BCP073 W, 3:44 BCP036 W"},
		{"what only any resource has", "resource s 'Own.Az/shops@2024-01-01' = {\n  name: 's'\n  zones: ['1']\n  shelf: 1\n  properties: { size: 1 }\n}", "3:3 BCP187 W, 4:3 BCP037"},
		{"a type that is not in it", "resource s 'Microsoft.Storage/storageAccounts@2023-01-01' existing = {\n  name: 's'\n}\noutput o string = s.id", "1:12 BCP081 W"},
		{"a property set by itself", "resource s 'Own.Az/shops@2024-01-01' = {\n  name: 's'\n  location: t.properties.state\n  properties: { size: 1 }\n}\n" +
			"resource t 'Own.Az/shops@2024-01-01' existing = {\n  name: 't'\n}", "3:13 BCP120"},
		{"a child by its own name", shop + "resource c 'Own.Az/shops/shelves@2024-01-01' = {\n  parent: s\n  name: 'other'\n}", "7:9 BCP036"},
		{"a child by both names", "resource c 'Own.Az/shops/shelves@2024-01-01' = {\n  name: 's/default'\n}", ""},
		{"a type that can only be read", "resource v 'Own.Az/views@2024-01-01' = {\n  name: 'v'\n  properties: { size: 1 }\n}", "1:12 BCP245 W, 1:40 BCP246 W"},
		{"a scope that it cannot have", "resource s 'Own.Az/shops@2024-01-01' existing = {\n  name: 's'\n  scope: subscription()\n}\noutput o string = s.id", "3:10 BCP135"},
		{"a kind", "resource k 'Own.Az/kinds@2024-01-01' = {\n  name: 'k'\n  kind: 'b'\n  properties: {}\n}", "4:3 BCP187 W"},
		{"an existing one of any kind", "resource k 'Own.Az/kinds@2024-01-01' existing = {\n  name: 'k'\n}\noutput o object = k.properties", ""},
		{"a version that is not in it", "resource s 'Own.Az/shops@2024-01-02' = {\n  name: 's'\n}", "1:12 BCP081 W"},
		{"no version", "resource s 'Own.Az/shops' = {\n  name: 's'\n}", "1:12 BCP029"},
		{"a derived type", "param p resourceInput<'Own.Az/shops@2024-01-01'>.properties.size = 'x'", "1:68 BCP033 W"},
		{"its configuration", "extension az with { providers: ['b'] }", "1:33 BCP034 W"},
	}
	archive := tgz(t, "types.tgz", tgz(t, "index.json", ownAzIndex, "t.json", ownAzTypes))
	const config = `{"extensions": {"az": "./az.tgz"}, "experimentalFeaturesEnabled": {"azExtensionConfig": true}, "analyzers": {"core": {"enabled": false}}}`
	for _, tt := range tests {
		dir := t.TempDir()
		for name, text := range map[string]string{"main.bicep": tt.text, "az.tgz": archive, "bicepconfig.json": config} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		}
		r := build(t, bicep.Request{FS: source.Disk{}, File: filepath.Join(dir, "main.bicep")})
		var got []string
		for _, f := range r.Findings {
			s := fmt.Sprintf("%d:%d %s", f.Start.Line, f.Start.Column, f.Code)
			if f.Severity != diag.Error {
				s += " W"
			}
			got = append(got, s)
		}
		assert.Equal(t, tt.want, strings.Join(got, ", "), tt.name)
		assert.False(t, tt.want == "" && !r.OK(), "%s: no template", tt.name)
	}
}
