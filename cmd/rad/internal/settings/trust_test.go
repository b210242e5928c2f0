package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
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

// TestWhatAProjectMaySet: the user's file, if it says something, closes what the project's may
// not open again.
func TestWhatAProjectMaySet(t *testing.T) {
	t.Parallel()
	repo := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(repo, ".git"), 0o777))
	require.NoError(t, os.MkdirAll(filepath.Join(repo, "in"), 0o777))
	require.NoError(t, os.Symlink(os.TempDir(), filepath.Join(repo, "out")))
	require.NoError(t, os.Symlink("loop", filepath.Join(repo, "loop")))
	for _, test := range []struct{ project, user, want string }{
		{"namespace: here", "", ""},
		{"compiler: auto", "", ""},
		{"compiler: embedded", "", ""},
		{"compiler: ./bicep", "", "bicep.yaml:1: compiler: a project may choose auto or embedded only"},
		{"namespace: here\ncompiler: bicep", "", "bicep.yaml:2: compiler: "},
		{"timeout: 2m", "", ""},
		{"timeout: 2m1s", "", "timeout: a repository may only shorten it, and 2m1s is longer than 2m0s"},
		{"timeout: 10m", "timeout: 10m", ""},
		{"timeout: 10m1s", "timeout: 10m", "longer than 10m0s"},
		{"timeout: 1m", "timeout: 30s", "longer than 30s"},
		{"timeLimit: 60s", "", ""},
		{"timeLimit: 61s", "", "timeLimit: a repository may only shorten it, and 61s is longer than 1m0s"},
		{"timeLimit: '0'", "", "timeLimit: a repository may only shorten it"},
		{"timeLimit: 5m", "timeLimit: 5m", ""},
		{"timeLimit: 5m", "timeLimit: '0'", ""},
		{"timeLimit: '0'", "timeLimit: '0'", ""},
		{"timeLimit: '0'", "timeLimit: 5m", "may only shorten it"},
		{"azTypes: none", "", ""},
		{"azTypes: ./in", "", ""},
		{"azTypes: ../x", "", "azTypes: REPO/../x is outside the project root REPO"},
		{"root: ./in", "", ""},
		{"root: ..", "", "root: REPO/.. is outside the project root REPO"},
		{"root: ..", "", "a repository may only narrow the root"},
		{"hermetic: true", "", ""},
		{"hermetic: false", "", ""},
		{"hermetic: false", "offline: true", ""},
		{"hermetic: false", "hermetic: false", ""},
		{"hermetic: true", "hermetic: true", ""},
		{"hermetic: false", "hermetic: true", "hermetic: it would take back what the user's settings close"},
		{"offline: false", "offline: true", "offline: it would take back what the user's settings close"},
		{"allowEnv: [A]", "", "allowEnv cannot be set by a project, since it opens the environment"},
		{"trustedRegistries: [a.example]", "", "trustedRegistries cannot be set by a project, since it decides who gets credentials"},
		{"registryMirrors: [a.example=b.example]", "", "registryMirrors cannot be set by a project"},
		{"tokenServers: [a.example]", "", "tokenServers cannot be set by a project"},
		{"trustedFolders: [/]", "", "trustedFolders cannot be set by a project, since a repository cannot make itself trusted"},
		{"secureParameters: omit", "", ""},
		{"secureParameters: error", "", ""},
		{"secureParameters: reference", "", ""},
		{"secureParameters: allow", "", "secureParameters: it would let values of secure parameters out"},
		{"outdir: ./out", "", "outdir: REPO/out leads outside the project root REPO through a link"},
		{"outdir: ./in/new", "", ""},
		{"outdir: ./.git/hooks", "", "outdir: REPO/.git/hooks is in git's own folder"},
		{`outdir: .git\hooks`, "", "outdir: REPO/.git/hooks is in git's own folder"},
		{`targets: [{template: in\a.bicep, outfile: .git\config}]`, "", "targets[0].outfile: .git/config is in git's own folder"},
		{`targets: [{template: in\a.bicep, outfile: in\..\..\a.yaml}]`, "", "targets[0].outfile: "},
		{`targets: [{template: in\a.bicep, parameters: ['a=in\b', 'c=@..\..\c.json']}]`, "", "targets[0].parameters[1]: "},
		{"vendor: ./loop/in", "", "too many links"},
		{"vendor: /", "", "vendor: / is outside the project root"},
		{"cacheRootDirectory: ../c", "", "cacheRootDirectory: REPO/../c is outside the project root"},
		{"targets: [{template: in/a.bicep, outfile: in/a.yaml, parameters: ['@in/p.json', in/p.bicepparam, a=b, 'c=@in/c.json']}]", "", ""},
		{"targets: [{template: in/a.bicep}, {template: ../a.bicep}]", "", "targets[1].template: "},
		{"targets:\n- template: in/a.bicep\n- template: in/b.bicep\n  outfile: ../../a.yaml", "", "bicep.yaml:4: targets[1].outfile: "},
		{"targets: [{template: /a.bicep}]", "", "targets[0].template: "},
		{"targets: [{template: in/a.bicep, outfile: ../../a.yaml}]", "", "targets[0].outfile: "},
		{"targets: [{template: in/a.bicep, parameters: [a=b, '@../../p.json']}]", "", "targets[0].parameters[1]: "},
		{"targets: [{template: in/a.bicep, parameters: [../../p.bicepparam]}]", "", "targets[0].parameters[0]: "},
		{"targets: [{template: in/a.bicep, parameters: ['a=@/etc/hostname']}]", "", "targets[0].parameters[0]: "},
		{"targets: [{template: in/a.bicep, parameters: ['a=@text:/etc/hostname']}]", "", "targets[0].parameters[0]: "},
		{"targets: [{template: in/a.bicep, parameters: ['@-']}]", "", "a repository may not read standard input"},
	} {
		judge := &Judge{File: NewFile(filepath.Join(repo, ".rad", "bicep.yaml")), Bounds: workdir.NewBounds(repo)}
		require.NoError(t, judge.File.Parse([]byte(test.project)), test.project)
		if test.user != "" {
			judge.user = NewFile(filepath.Join(repo, "user.yaml"))
			require.NoError(t, judge.user.Parse([]byte(test.user)), test.user)
		}
		err := judge.Judge()
		if test.want == "" {
			assert.NoError(t, err, "%s\n%s", test.project, test.user)
		} else {
			want := strings.NewReplacer("REPO/..", filepath.Dir(repo), "REPO", repo).Replace(test.want)
			assert.ErrorContains(t, err, want, "%s\n%s", test.project, test.user)
		}
		judge.File.Trusted = true
		require.NoError(t, judge.Judge(), "a folder that the user trusts: %s", test.project)
	}
	require.NotEmpty(t, Rule{}.check(nil, nil), "a setting without a rule is refused")
}
