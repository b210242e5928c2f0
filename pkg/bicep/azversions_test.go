package bicep_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// The linter compares versions with those that the library has.
func TestRecentVersionsOfALibrary(t *testing.T) {
	t.Parallel()
	var index, types []string
	types = append(types, `{"$type": "StringType"}`, `{"$type": "ObjectType", "name": "x", "properties": {"name": {"type": {"$ref": "#/0"}, "flags": 9}}}`)
	for _, name := range []string{"Own.Az/shops@2019-01-01", "Own.Az/shops@2020-01-01", "Own.Az/shops@2020-06-01-preview", "Own.Az/shops@2021-01-01-preview", "Own.Az/previews@2018-01-01-preview"} {
		index = append(index, fmt.Sprintf(`"%s": {"$ref": "t.json#/%d"}`, name, len(types)))
		types = append(types, fmt.Sprintf(`{"$type": "ResourceType", "name": "%s", "body": {"$ref": "#/1"}, "readableScopes": 8, "writableScopes": 8}`, name))
	}
	archive := tgz(t, "types.tgz", tgz(t, "index.json", `{"resources": {`+strings.Join(index, ", ")+`}, "settings": {"name": "AzureResourceManager", "version": "1.0"}}`,
		"t.json", "["+strings.Join(types, ",")+"]"))
	const config = `{"extensions": {"az": "./az.tgz"}, "analyzers": {"core": {"rules": {"no-unused-existing-resources": {"level": "off"},
		"use-recent-api-versions": {"level": "warning", "maxAgeInDays": 365, "gracePeriodInDays": 90, "test-today": "2021-03-01"}}}}}`
	for text, want := range map[string]string{
		"resource s 'Own.Az/shops@2019-01-01' existing = {\n  name: 's'\n}":              "1:26 Own.Az/shops is 790 days old, which is more than 365; it has 2020-06-01-preview, 2020-01-01.",
		"resource s 'Own.Az/shops@2020-01-01' existing = {\n  name: 's'\n}":              "",
		"resource s 'Own.Az/shops@2020-06-01-preview' existing = {\n  name: 's'\n}":      "",
		"resource s 'Own.Az/shops@2021-01-01-preview' existing = {\n  name: 's'\n}":      "", // too new to be recommended, and not wrong
		"resource s 'Own.Az/previews@2018-01-01-preview' existing = {\n  name: 's'\n}":   "", // there is no other
		"output o object = reference(resourceId('Own.Az/shops', 's'), '2019-01-01')":     "1:19 790 days old",
		"output o object = reference(resourceId('Own.Az/shops', 's'), '2020-01-01')":     "",
		"output o object = reference(resourceId('Own.Az/shops', 's'), '2020-01-02')":     "1:19 Own.Az/shops has no version 2020-01-02; it has 2020-06-01-preview, 2020-01-01.",
		"output o object = reference(resourceId('Own.Az/stalls', 's'), '2020-01-01')":    `1:19 there is no resource type "Own.Az/stalls" in Azure`,
		"output o object = reference(resourceId('Other.Az/shops', 's'), '2020-01-01')":   `1:19 there is no resource type "Other.Az/shops" in Azure`,
		"output o object = listKeys(resourceId('Own.Az/shops', 'a', 'b'), '2019-01-01')": "1:19 790 days old",
	} {
		dir := t.TempDir()
		for name, content := range map[string]string{"main.bicep": text, "az.tgz": archive, "bicepconfig.json": config} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
		}
		r := build(t, bicep.Request{FS: source.Disk{}, File: filepath.Join(dir, "main.bicep")})
		got := ""
		for _, f := range r.Findings {
			if f.Code == "use-recent-api-versions" {
				got += fmt.Sprintf("%d:%d %s", f.Start.Line, f.Start.Column, f.Message)
			}
		}
		place, message, _ := strings.Cut(want, " ")
		if want == "" {
			require.Empty(t, got, text)
			continue
		}
		require.True(t, strings.HasPrefix(got, place+" "), "%s: %s", text, got)
		require.Contains(t, got, message, text)
	}
}
