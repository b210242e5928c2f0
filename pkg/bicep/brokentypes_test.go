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
			result := build(t, bicep.Request{File: dir + "/main.bicep", NoRestore: true})
			f := find(t, result.Findings, "BCP396")
			require.Equal(t, "1:11", where(f), name)
			require.Nil(t, result.Template)
		}
	}
}
