package bicep_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/registrytest"
)

// TestUnreadableTypes: a file of types that cannot be read is an error at the
// extension, whether or not a resource needs it.
func TestUnreadableTypes(t *testing.T) {
	t.Parallel()
	const index = `{"resources": {"Acme/things@v1": {"$ref": "types.json#/3"}}, "settings": {"name": "Acme", "version": "1.0.0"}}`
	for name, types := range map[string]string{
		"blanks": strings.Repeat(" ", 1<<20), "an object": "{}", "half an array": `[{"$type": "AnyType"}`, "nothing": "", "many blanks": strings.Repeat(" ", 64<<20),
	} {
		for _, use := range []string{"", "resource r 'Acme/things@v1' = { name: 'n' }\n"} {
			dir := t.TempDir()
			inner := registrytest.Archive(t, "index.json", index, "types.json", types)
			require.NoError(t, os.WriteFile(dir+"/x.tgz", registrytest.Archive(t, "types.tgz", string(inner)), 0o666))
			require.NoError(t, os.WriteFile(dir+"/main.bicep", []byte("extension 'x.tgz' as x\n"+use), 0o666))
			result := build(t, bicep.Request{FS: bicep.Dir(dir), File: dir + "/main.bicep", NoRestore: true})
			f := find(t, result.Findings, "BCP396")
			require.Equal(t, "1:11", where(f), name)
			require.Nil(t, result.Template)
		}
	}
}

// TestBrokenTypes: what a resource needs and a file of types does not say is an error.
func TestBrokenTypes(t *testing.T) {
	t.Parallel()
	const index = `{"resources": {"Acme/things@v1": {"$ref": "types.json#/0"}}, "settings": {"name": "Acme", "version": "1.0.0"}}`
	resource := func(body string) string {
		return `{"$type": "ResourceType", "name": "Acme/things@v1", "scopeType": 8, "body": {"$ref": "` + body + `"}, "flags": 0}`
	}
	object := `{"$type": "ObjectType", "name": "Acme/things", "properties": {"name": {"type": {"$ref": "#/2"}, "flags": 1}}}`
	for name, c := range map[string]struct{ types, want string }{
		"good":                  {"[" + resource("#/1") + "," + object + `,{"$type": "StringType"}]`, ""},
		"no such resource type": {"[]", "it has no type 0, which the index names"},
		"not a resource type":   {`[{"$type": "StringType"}]`, "type 0 is not a resource type"},
		"no such body":          {"[" + resource("#/7") + "]", "it refers to a type that it does not hold"},
		"a negative reference":  {"[" + resource("#/-1") + "]", "it refers to a type that it does not hold"},
		"its own body":          {"[" + resource("#/0") + "]", `type 0 is of the kind "ResourceType"`},
		"an unknown kind":       {"[" + resource("#/1") + "," + object + `,{"$type": "Tomorrow"}]`, `type 2 is of the kind "Tomorrow"`},
		"no kind":               {"[" + resource("#/1") + "," + object + `,{}]`, "type 2 does not say of what kind it is"},
		"null":                  {"[" + resource("#/1") + "," + object + `,null]`, "type 2 does not say of what kind it is"},
		"a property of no type": {"[" + resource("#/1") + `,{"$type": "ObjectType", "name": "Acme/things", "properties": {"name": {"flags": 1}}}]`, "it refers to a type that it does not hold"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			inner := registrytest.Archive(t, "index.json", index, "types.json", c.types)
			require.NoError(t, os.WriteFile(dir+"/x.tgz", registrytest.Archive(t, "types.tgz", string(inner)), 0o666))
			require.NoError(t, os.WriteFile(dir+"/main.bicep", []byte("extension 'x.tgz' as x\nresource r 'Acme/things@v1' = { name: 'n' }\n"), 0o666))
			result := build(t, bicep.Request{FS: bicep.Dir(dir), File: dir + "/main.bicep", NoRestore: true})
			if c.want == "" {
				require.Empty(t, result.Findings)
				return
			}
			f := find(t, result.Findings, "BCP396")
			require.Equal(t, "1:11", where(f))
			require.Contains(t, f.Message, c.want)
			require.Nil(t, result.Template)
		})
	}
}
