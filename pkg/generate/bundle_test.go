package generate_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/bundle"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/generate"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/params"
)

// packed packs a bundle and opens it again, as it travels.
func packed(t *testing.T, b *bundle.Bundle) *bundle.Bundle {
	t.Helper()
	artifact, err := bundle.Pack(b)
	require.NoError(t, err)
	opened, err := bundle.Open(artifact)
	require.NoError(t, err)
	return opened
}

// unpacked loads the program of a bundle.
func unpacked(t *testing.T, b *bundle.Bundle, args ...string) *generate.Program {
	t.Helper()
	in := input(t, "/shop.tar", args...)
	in.Bundle = b
	p, err := generate.Load(context.Background(), inMemory(), in)
	require.NoError(t, err)
	return p
}

func TestBundle(t *testing.T) {
	t.Parallel()
	for _, o := range []manifest.Options{
		{Target: manifest.Design},
		{Target: manifest.Radius, Group: "g", Name: "shop"},
		{
			Target: manifest.Design, Name: "shop", Namespace: "apps", Group: "g", Compact: true, DropGenerator: true,
			Labels: map[string]string{"team": "web"}, Annotations: map[string]string{"a": "b"},
			AzureScope: "/subscriptions/s/resourceGroups/r", AWSScope: "/planes/aws/aws/accounts/1/regions/eu-west-1",
		},
	} {
		p := load(t, inMemory(), "/shop.bicep", "@/values.json", "tag=given")
		b, _, err := p.Bundle(generate.BundleOptions{Tool: "test", Manifest: o, Lock: []byte("{}"), Inputs: []bundle.Input{{Path: "shop.bicep", Digest: bundle.Digest([]byte(shop))}}})
		require.NoError(t, err)
		m, _, err := p.Manifest(o, "")
		require.NoError(t, err)
		want, err := m.Render(manifest.YAML)
		require.NoError(t, err)
		require.Len(t, b.Manifests, 1)
		assert.Equal(t, "shop.yaml", b.Manifests[0].Name)
		assert.Equal(t, string(want), string(b.Manifests[0].Content))

		opened := packed(t, b)
		assert.Equal(t, "test", opened.About.Tool)
		assert.Equal(t, "shop.bicep", opened.About.Name)
		q := unpacked(t, opened)
		assert.Equal(t, string(p.Text), string(q.Text))
		assert.Equal(t, values(p), values(q))
		assert.Equal(t, p.Parameters(), q.Parameters())
		same, err := q.SameManifest()
		require.NoError(t, err)
		assert.True(t, same, "%+v", o)

		// An argument counts more than a value of the bundle, and gives another manifest.
		q = unpacked(t, opened, "port=7")
		assert.Equal(t, "7", values(q)["port"])
		same, err = q.SameManifest()
		require.NoError(t, err)
		assert.False(t, same)
	}
}

func TestSameManifest(t *testing.T) {
	t.Parallel()
	b, _, err := load(t, inMemory(), "/shop.bicep", "port=1").Bundle(generate.BundleOptions{})
	require.NoError(t, err)
	changed := *b
	changed.Manifests = []bundle.File{{Name: "shop.yaml", Content: bytes.Replace(b.Manifests[0].Content, []byte("name: shop"), []byte("name: ship"), 1)}}
	same, err := unpacked(t, &changed).SameManifest()
	require.NoError(t, err)
	assert.False(t, same)
	changed = *b
	changed.About.Manifest = nil
	_, err = unpacked(t, &changed).SameManifest()
	assert.ErrorIs(t, err, generate.ErrNoRecord)
	// Nor does a program say it that no bundle holds.
	_, err = load(t, inMemory(), "/shop.bicep", "port=1").SameManifest()
	assert.ErrorIs(t, err, generate.ErrNoRecord)
}

// TestIncompleteBundle holds no manifest, as long as a parameter has no value.
func TestIncompleteBundle(t *testing.T) {
	t.Parallel()
	b, _, err := load(t, inMemory(), "/shop.bicep", "tag=given").Bundle(generate.BundleOptions{})
	require.NoError(t, err)
	assert.Empty(t, b.Manifests)
	p := unpacked(t, packed(t, b), "port=1")
	assert.Equal(t, map[string]string{"port": "1", "tag": `"given"`}, values(p))
	assert.Equal(t, []string{"port", "tag", "sizes", "password"}, names(p.Parameters()))
}

func names(list []bundle.Parameter) (all []string) {
	for _, p := range list {
		all = append(all, p.Name)
	}
	return all
}

// TestBundleKeepsSecrets holds nothing that is secret, or computed from the environment.
func TestBundleKeepsSecrets(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"/secure.bicepparam", "/env.bicepparam"} {
		for _, policy := range []params.SecurePolicy{params.SecureAllow, params.SecureOmit, params.SecureError} {
			b, said, err := load(t, inMemory(), file).Bundle(generate.BundleOptions{Secure: policy})
			if policy != params.SecureOmit {
				var found report.Errors
				require.ErrorAs(t, err, &found, "%s %s", file, policy)
				require.Len(t, found, 1)
				assert.Equal(t, params.CodeSecure, found[0].Code)
				assert.Nil(t, b)
				continue
			}
			require.NoError(t, err)
			assert.Empty(t, b.Manifests, "what is left out is missing in the manifest")
			assert.NotContains(t, string(b.Values), "hush")
			assert.NotContains(t, string(b.Values), "variable")
			assert.Contains(t, string(b.Values), "port")
			assert.Equal(t, 1, len(said.Notices)+len(said.Findings), "it is said what is left out")
		}
	}
}
