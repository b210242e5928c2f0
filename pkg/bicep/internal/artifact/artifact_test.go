package artifact_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
	"github.com/radbicep/rad/pkg/bicep/internal/config"
	"github.com/radbicep/rad/pkg/bicep/source"
)

const settings = `{
	"moduleAliases": {
		"br": {"mine": {"registry": "Me.azurecr.io", "modulePath": "a/b"}, "bare": {"registry": "me.azurecr.io"}, "broken": {}},
		"ts": {"specs": {"subscription": "11111111-1111-1111-1111-111111111111", "resourceGroup": "RG"}, "half": {"subscription": "x"}}
	},
	"moduleAliasesMock": {"br": {"lib": {"mapToFilePath": "lib/"}, "root": {"mapToFilePath": "/opt/lib"}, "share": {"mapToFilePath": "\\\\server\\x"}}}
}`

func TestParse(t *testing.T) {
	t.Parallel()
	c := config.NewLoader(source.Memory{"/p/bicepconfig.json": settings}).For("/p/main.bicep")
	for _, test := range []struct{ text, want string }{
		{"br/mine:c:v1", "br:me.azurecr.io/a/b/c:v1"},
		{"br/bare:c:v1", "br:me.azurecr.io/c:v1"},
		{"br/broken:c:v1", "BCP216"},
		{"br/public:c:v1", "br:mcr.microsoft.com/bicep/c:v1"},
		{"br:localhost:5000/a:v1", "br:localhost:5000/a:v1"},
		{"br:host:99999/a:v1", "BCP193"},
		{"br:ho st/a:v1", "BCP193"},
		{"br:/a:v1", "BCP193"},
		{"br:host/a/:v1", "BCP195"},
		{"br:host/a%20b:v1", "BCP195"},
		{"br:host/a..b:v1", "BCP195"},
		{"br:host/a@sha1:00", "BCP224"},
		{"br:" + strings.Repeat("h", 256) + "/a:v1", "BCP200"},
		{"br/lib:net/vm:v1", "br:net/vm -> /p/lib/net/vm.bicep"},
		{"br/lib:net/vm@sha256:0", "br:net/vm -> /p/lib/net/vm.bicep"},
		{"br/lib:Net:v1", "BCP195"},
		{"br/lib::v1", "BCP050"},
		{"br/root:vm:v1", "br:vm -> /opt/lib/vm.bicep"},
		{"br/share:vm:v1", "BCP451"},
		{"ts/specs:n:v", "ts:11111111-1111-1111-1111-111111111111/RG/n:v"},
		{"ts/half:n:v", "BCP215"},
		{"ts/none:n:v", "BCP212"},
		{"ts:{11111111-1111-1111-1111-111111111111}/rg/n:v", "ts:{11111111-1111-1111-1111-111111111111}/rg/n:v"},
		{"ts:11111111-1111-1111-1111-111111111111/" + strings.Repeat("g", 91) + "/n:v", "BCP218"},
		{"ts:11111111-1111-1111-1111-111111111111/g/" + strings.Repeat("n", 91) + ":v", "BCP220"},
		{"ts:11111111-1111-1111-1111-111111111111/g/n:" + strings.Repeat("v", 91), "BCP222"},
		{":x", "BCP189"},
		{"BR:host/a:v1", "BCP189"},
	} {
		ref, problem := artifact.Parse(test.text, artifact.Module, c)
		got := ""
		switch {
		case problem != nil:
			got = problem.Code()
		case ref.Scheme == artifact.Mocked:
			got = ref.String() + " -> " + filepath.ToSlash(ref.Path)
		default:
			got = ref.String()
		}
		assert.Equal(t, test.want, got, test.text)
	}
}

func TestCacheDir(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		ref  artifact.Reference
		want string
	}{
		{artifact.Reference{Scheme: artifact.OCI, Registry: "Host:5000", Repository: "a/b", Tag: "v1"}, "/c/br/host$5000/a$b/v1$"},
		{artifact.Reference{Scheme: artifact.OCI, Registry: "h", Repository: "a", Tag: "aBC"}, "/c/br/h/a/aBC$6"},
		{artifact.Reference{Scheme: artifact.OCI, Registry: "h", Repository: "a", Tag: strings.Repeat("a", 64) + "B"},
			"/c/br/h/a/" + strings.Repeat("a", 64) + "B$10000000000000000"},
		{artifact.Reference{Scheme: artifact.OCI, Registry: "h", Repository: "a", Digest: "sha256:0a"}, "/c/br/h/a/sha256#0a"},
		{artifact.Reference{Scheme: artifact.TemplateSpec, Subscription: "S", ResourceGroup: "G", Name: "N", Version: "V"}, "/c/ts/s/g/n/v"},
	} {
		assert.Equal(t, test.want, filepath.ToSlash(test.ref.CacheDir("/c")), "%s", &test.ref)
	}
}

func TestTrusted(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]bool{
		"mcr.microsoft.com": true, "x.azurecr.io": true, "x.azurecr.io:443": true, "azurecr.io": false, "ghcr.io.": true,
		"evil.com": false, "mine.example.com": true, "example.org": true, "[::1]:5000": false,
	} {
		r := artifact.Reference{Scheme: artifact.OCI, Registry: host}
		assert.Equal(t, want, r.Trusted("*.example.com; example.org"), host)
	}
	// What the message names can be listed: a host with its port. Another port is not meant.
	for host, want := range map[string]bool{
		"example.org:5000": true, "example.org": false, "example.org:5001": false, "EXAMPLE.org.:5000": true, "x.example.com:5000": true,
		"x.example.com": false, "[::1]:5000": true, "[::1]:80": false, "[::2]:7": true, "[::2]": true, "localhost:1": true, "localhost": true,
	} {
		r := artifact.Reference{Scheme: artifact.OCI, Registry: host}
		assert.Equal(t, want, r.Trusted("example.org:5000,*.example.com:5000;[::1]:5000, [::2], localhost"), host)
	}
}

// A reference that forgets the alias of the public registry is told how it is written.
func TestNotTrustedSuggestsThePublicAlias(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"br:avm/res/storage/storage-account:0.9.0":        `Did you mean "br/public:avm/res/storage/storage-account:0.9.0"?`,
		"br:public/avm/res/storage/storage-account:0.9.0": `Did you mean "br/public:avm/res/storage/storage-account:0.9.0"?`,
		"br:registry.example.com:5000/avm/res/x:1":        `the registry "registry.example.com:5000" is not trusted. List it in BICEP_TRUSTED_REGISTRIES.`,
	} {
		ref, problem := artifact.Parse(text, artifact.Module, config.BuiltIn())
		require.Nil(t, problem)
		assert.Contains(t, ref.NotTrusted().At(source.Span{}).Message(), want)
	}
}

// TestParseRecipe: the source of a recipe is read as docker reads the name of an image.
func TestParseRecipe(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"ghcr.io/radius-project/kube-recipes/containers:0.60": "ghcr.io/radius-project/kube-recipes/containers:0.60",
		"https://ghcr.io/a/b": "ghcr.io/a/b:latest", "http://localhost:5000/a:1": "localhost:5000/a:1", "localhost/a": "localhost/a:latest",
		"a": "docker.io/library/a:latest", "a/b:V2": "docker.io/a/b:V2", "docker.io/a": "docker.io/library/a:latest",
		"index.docker.io/a/b": "docker.io/a/b:latest", "MyHost.io/a": "myhost.io/a:latest", "MyHost/a": `error "MyHost/a" is not the name of a repository`, "h:5000/a__b/c--d.e": "h:5000/a__b/c--d.e:latest",
		"[::1]:5000/a": "[::1]:5000/a:latest",
		"h.io/A/b":     `error "A/b" is not the name of a repository`, "h.io/": `error "" is not the name of a repository`,
		"h.io/a/../b": `error "a/../b" is not the name`, "h.io//a": `error "/a" is not the name`, "": "error", "h.io/a:": `error "" is not a tag`,
		"h.io/a:b/c": `error "a:b/c" is not the name`, "h.io/a:" + strings.Repeat("t", 129): "error", "h..io/a": `error "h..io" is not the name of a registry`,
		"user@h.io/a": "error it has a digest", "h.io/a@sha256:0a": "error it has a digest", "h.io:x/a": "error", "br:h.io/a:1": `error "br:h.io" is not`,
		"h.io/a?b": "error", "h.io/a%2e": "error",
	} {
		got := ""
		if r, err := artifact.ParseRecipe(text, false); err != nil {
			got = "error " + err.Error()
		} else {
			got = r.String()
			again, err := artifact.ParseRecipe(got, true)
			require.NoError(t, err)
			require.Equal(t, got, again.String())
		}
		if strings.HasPrefix(want, "error") {
			assert.True(t, strings.HasPrefix(got, want), "%q: %s", text, got)
		} else {
			assert.Equal(t, want, got, "%q", text)
		}
	}
	// A recipe is not in the folder of a module of the same name, and no well-known registry is trusted without TLS.
	r, err := artifact.ParseRecipe("ghcr.io/a/b:V1", false)
	require.NoError(t, err)
	assert.Equal(t, "/c/recipe/ghcr.io/a$b/V1$1", filepath.ToSlash(r.CacheDir("/c")))
	assert.True(t, r.Trusted(""))
	r.PlainHTTP = true
	assert.False(t, r.Trusted(""))
	assert.True(t, r.Trusted("ghcr.io"))
	assert.Contains(t, r.NotTrusted().At(source.Span{}).Message(), "without TLS")
}
