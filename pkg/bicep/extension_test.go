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
	"github.com/radbicep/rad/pkg/bicep/registrytest"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// tgz packs files, given as name, text, name, text …
func tgz(t *testing.T, files ...string) string { return string(registrytest.Archive(t, files...)) }

const shopIndex = `{"resources": {"Shop/basket@v1": {"$ref": "t.json#/5"}},
 "settings": {"name": "Shop", "version": "3.1.4", "isSingleton": false},
 "namespaceFunctions": [{"$ref": "t.json#/2"}, {"$ref": "t.json#/3"}, {"$ref": "t.json#/4"}]}`

const shopTypes = `[{"$type": "StringType"}, {"$type": "AnyType"},
 {"$type": "NamespaceFunctionType", "name": "ask", "evaluatedLanguageExpression": "[externalInput('shop.price', concat('of ', parameters('what')))]",
  "parameters": [{"name": "what", "type": {"$ref": "#/0"}, "flags": 3}], "outputType": {"$ref": "#/1"}, "visibleInFileKind": 2},
 {"$type": "NamespaceFunctionType", "name": "pick", "evaluatedLanguageExpression": "[parameters('from')[externalInput('choice')]]",
  "parameters": [{"name": "from", "type": {"$ref": "#/1"}, "flags": 1}], "outputType": {"$ref": "#/1"}, "visibleInFileKind": 2},
 {"$type": "NamespaceFunctionType", "name": "shout", "evaluatedLanguageExpression": "[toUpper(parameters('text'))]",
  "parameters": [{"name": "text", "type": {"$ref": "#/0"}, "flags": 1}], "outputType": {"$ref": "#/0"}},
 {"$type": "ResourceType", "name": "Shop/basket@v1", "body": {"$ref": "#/6"}},
 {"$type": "ObjectType", "name": "Basket", "properties": {"name": {"type": {"$ref": "#/0"}, "flags": 17}, "note": {"type": {"$ref": "#/0"}, "flags": 0}}}]`

// shop puts an extension beside a source file, and returns the file's path.
func shop(t *testing.T, name, text string) string {
	t.Helper()
	dir := t.TempDir()
	inner := tgz(t, "index.json", shopIndex, "t.json", shopTypes)
	for n, s := range map[string]string{name: text, "shop.tgz": tgz(t, "types.tgz", inner), "flat.tgz": inner, "broken.tgz": tgz(t, "types.tgz", tgz(t, "index.json", "{"))} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, n), []byte(s), 0o644))
	}
	return filepath.Join(dir, name)
}

// The functions of an extension stand for expressions, and what they ask of the
// deployment is listed with the parameters.
func TestExtensionFunctions(t *testing.T) {
	t.Parallel()
	path := shop(t, "p.bicepparam", `using none
extension './shop.tgz' as s
var fruit = 'plum'
param price = s.ask('apple')
param other = s.pick({ a: fruit, b: 2 })
param loud = s.shout(fruit)
`)
	r, err := bicep.Embedded{}.BuildParams(context.Background(), bicep.Request{FS: source.Below(filepath.Dir(path)), File: path})
	require.NoError(t, err)
	require.Empty(t, errorsOf(r))
	got, want := part(t, r, "parameters"), `{"price":{"expression":"[externalInputs('shop_price_0')]"},`+
		`"other":{"expression":"[createObject('a', 'plum', 'b', 2)[externalInputs('choice_1')]]"},"loud":{"value":"PLUM"}}`
	assert.Equal(t, want, got)
	got, want = part(t, r, "externalInputDefinitions"), `{"choice_1":{"kind":"choice"},"shop_price_0":{"kind":"shop.price","config":"of apple"}}`
	assert.Equal(t, want, got)
}

func TestExtensionArchives(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"extension './shop.tgz'\nresource b 'Shop/basket@v1' = {\n  name: 'b'\n  note: 'n'\n}\noutput o string = b.note\n", ""},
		{"extension './shop.tgz' as s\nvar x = s.ask('a')\n", "2:11 BCP107"},
		{"extension './shop.tgz' as s\nvar x = s.shout()\n", "2:16 BCP071"},
		{"extension './flat.tgz' as s\n", "1:11 BCP192"},
		{"extension './broken.tgz' as s\n", "1:11 BCP396"},
		{"extension './none.tgz' as s\n", "1:11 BCP091"},
	} {
		path := shop(t, "p.bicep", c.text)
		r, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{FS: source.Below(filepath.Dir(path)), File: path})
		require.NoError(t, err)
		if got := strings.ReplaceAll(errorsOf(r), "p.bicep ", ""); got != c.want {
			t.Errorf("%s: got %q, want %q", strings.ReplaceAll(c.text, "\n", "; "), got, c.want)
		}
	}
}
