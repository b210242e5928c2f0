package settings

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/cmd/rad/internal/workdir"
)

// FuzzSettings: whatever a settings file of a repository holds, it is read or refused,
// and it makes no setting that is not its own to make.
func FuzzSettings(f *testing.F) {
	f.Add("compiler: ./x\n")
	f.Add("root: ..\nallowEnv: ['*']\nsecureParameters: allow\n")
	f.Add("targets: [{template: a.bicep, outfile: ../x, parameters: ['p=@text:/etc/passwd']}]\n")
	f.Add("a: &a [*a]\n")
	f.Add("hermetic: false\noutdir: &x /\nvendor: *x\n")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<16 {
			return
		}
		file := NewFile("/p/.rad/bicep.yaml")
		if file.Parse([]byte(text)) != nil {
			return
		}
		judge := &Judge{File: file, Bounds: workdir.Bounds{Dir: "/p", Resolved: "/p"}}
		if judge.Judge() != nil {
			return
		}
		for key, value := range file.Values {
			switch key {
			case KeyAllowEnv, KeyTrustedRegistries, KeyRegistryMirrors, KeyTokenServers, KeyTrustedFolders:
				t.Errorf("%s: %v is accepted", key, value)
			case KeyCompiler:
				require.Contains(t, []any{"auto", "embedded"}, value)
			case KeyRoot, KeyOutdir, KeyVendor, KeyCacheRoot:
				require.True(t, value == "" || workdir.Within("/p", value.(string)), "%s: %v", key, value)
			case KeySecureParameters:
				require.NotEqual(t, "allow", value)
			}
		}
		for _, one := range file.Targets {
			for _, path := range []string{one.Template, one.Outfile} {
				require.True(t, path == "" || workdir.Within("/p", file.resolve(path)) || workdir.Within("/p", filepath.Join("/p/.rad", path)), path)
			}
		}
	})
}
