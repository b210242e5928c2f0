package bundle_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/bundle"
	"github.com/radbicep/rad/pkg/bicep/registrytest"
)

// withoutCredentials makes a test independent of who runs it.
func withoutCredentials(t *testing.T) {
	t.Helper()
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	for _, name := range []string{"DOCKER_REGISTRY", "DOCKER_USERNAME", "DOCKER_PASSWORD", "HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy"} {
		t.Setenv(name, "")
	}
}

// at is a place in a registry.
func at(r *registrytest.Registry, rest string) bundle.Place {
	return bundle.Place{Address: "oci://" + r.Host + "/" + rest, Artifacts: bicep.Artifacts{Trusted: r.Host}}
}

func packed(t *testing.T, change func(b *bundle.Bundle)) bundle.Artifact {
	t.Helper()
	b := sample()
	change(b)
	a, err := bundle.Pack(b)
	require.NoError(t, err)
	return a
}

// TestPushAndPull: what is pushed is pulled again, by its tag and by its digest. A tag that is taken is replaced
// where that is forced only.
func TestPushAndPull(t *testing.T) {
	withoutCredentials(t)
	r := registrytest.New(t)
	place, ctx := at(r, "teams/shop:v1"), context.Background()
	require.NoError(t, place.Check(true))
	require.NoError(t, place.Check(false))
	require.Empty(t, r.Requests(), "an address is checked without the registry")

	one, two := packed(t, func(*bundle.Bundle) {}), packed(t, func(b *bundle.Bundle) { b.Template = []byte(`{"resources": [1]}`) })
	require.NoError(t, place.Push(ctx, one, false))
	pulled, err := place.Pull(ctx)
	require.NoError(t, err)
	require.Equal(t, one, pulled)

	require.ErrorIs(t, place.Push(ctx, two, false), bundle.ErrExists)
	pulled, err = place.Pull(ctx)
	require.NoError(t, err)
	require.Equal(t, one, pulled)

	require.NoError(t, place.Push(ctx, two, true))
	pulled, err = place.Pull(ctx)
	require.NoError(t, err)
	require.Equal(t, two, pulled)

	pulled, err = at(r, "teams/shop@"+bundle.Digest(one.Manifest)).Pull(ctx)
	require.NoError(t, err)
	require.Equal(t, one, pulled)
}

// TestAddresses: an address that cannot be used is refused before the registry is asked.
func TestAddresses(t *testing.T) {
	withoutCredentials(t)
	r := registrytest.New(t)
	digest := "sha256:" + strings.Repeat("1", 64)
	const untagged = ": a bundle is pushed under a tag, not under a digest"
	for _, test := range []struct {
		address     string
		artifacts   bicep.Artifacts
		write, read string // errors; "" is none
	}{
		{"oci://HOST/shop:v1", bicep.Artifacts{Trusted: r.Host}, "", ""},
		{"oci://HOST/shop@" + digest, bicep.Artifacts{Trusted: r.Host}, "oci://HOST/shop@" + digest + untagged, ""},
		{"HOST/shop:v1", bicep.Artifacts{Trusted: r.Host}, "HOST/shop:v1: want oci://HOST/PATH:TAG", "HOST/shop:v1: want oci://HOST/PATH:TAG"},
		{"oci://HOST", bicep.Artifacts{Trusted: r.Host}, "oci://HOST: want oci://HOST/PATH:TAG", "oci://HOST: want oci://HOST/PATH:TAG"},
		{"oci://HOST/shop", bicep.Artifacts{Trusted: r.Host}, "oci://HOST/shop: want oci://HOST/PATH:TAG", "oci://HOST/shop: want oci://HOST/PATH:TAG"},
		{"oci://HOST/shop:v1", bicep.Artifacts{Trusted: "ghcr.io"}, "oci://HOST/shop:v1: the registry HOST is not trusted; list it in BICEP_TRUSTED_REGISTRIES", "oci://HOST/shop:v1: the registry HOST is not trusted; list it in BICEP_TRUSTED_REGISTRIES"},
		{"oci://HOST/shop:v1", bicep.Artifacts{Trusted: r.Host, Offline: true}, "no connection may be opened, and the bundle is in the registry HOST", "no connection may be opened, and the bundle is in the registry HOST"},
	} {
		address := strings.ReplaceAll(test.address, "HOST", r.Host)
		host := func(s string) string {
			return strings.ReplaceAll(strings.ReplaceAll(s, "HOST", r.Host), r.Host+"/PATH", "HOST/PATH")
		}
		place := bundle.Place{Address: address, Artifacts: test.artifacts}
		check := func(want string, errs ...error) {
			for _, err := range errs {
				if want == "" {
					require.NoError(t, err, address)
				} else {
					require.EqualError(t, err, host(want))
				}
			}
		}
		check(test.write, place.Check(true))
		check(test.read, place.Check(false))
		if test.write != "" {
			check(test.write, place.Push(context.Background(), packed(t, func(*bundle.Bundle) {}), false))
		}
		if test.read != "" {
			_, err := place.Pull(context.Background())
			check(test.read, err)
		}
	}
	require.Empty(t, r.Requests())
}

func TestStem(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"oci://ghcr.io/acme/shop:v1":            "shop",
		"oci://localhost:5000/shop":             "shop",
		"oci://localhost:5000/a/shop@sha256:11": "shop",
		"oci://ghcr.io/shop:v1@sha256:11":       "shop",
	} {
		require.Equal(t, want, bundle.Stem(address), address)
	}
}

// TestPushesThatFail: a bundle that the registry does not take is not there, and the reason is told.
func TestPushesThatFail(t *testing.T) {
	withoutCredentials(t)
	for _, method := range []string{http.MethodHead, http.MethodPost, http.MethodPut} {
		r := registrytest.New(t)
		r.Fault = func(w http.ResponseWriter, q *http.Request) bool {
			if q.Method != method || method == http.MethodHead && !strings.Contains(q.URL.Path, "/manifests/") {
				return false
			}
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprint(w, `{"errors": [{"code": "DENIED", "message": "the quota is used up"}]}`)
			return true
		}
		place := at(r, "shop:v1")
		err := place.Push(context.Background(), packed(t, func(*bundle.Bundle) {}), false)
		require.ErrorContains(t, err, place.Address+" could not be pushed: ", method)
		require.ErrorContains(t, err, "403", method)
		require.NotErrorIs(t, err, bundle.ErrExists)
		r.Fault = nil
		_, err = place.Pull(context.Background())
		require.Error(t, err, method)
	}
	r := registrytest.New(t)
	ctx, stop := context.WithCancel(context.Background())
	stop()
	require.Equal(t, context.Canceled, at(r, "shop:v1").Push(ctx, packed(t, func(*bundle.Bundle) {}), false))
	_, err := at(r, "shop:v1").Pull(ctx)
	require.Equal(t, context.Canceled, err)
}

// TestPullsThatAreRefused: of what is no bundle only the manifest is fetched, and a damaged bundle is not taken.
func TestPullsThatAreRefused(t *testing.T) {
	withoutCredentials(t)
	r, ctx := registrytest.New(t), context.Background()
	r.Module("shop", "module", `{"resources": []}`)
	_, err := at(r, "shop:module").Pull(ctx)
	require.EqualError(t, err, `it is not a bundle of rad, but an artifact of the type "application/vnd.ms.bicep.module.artifact"`)
	require.Len(t, r.Requests(), 1)

	_, err = at(r, "shop:absent").Pull(ctx)
	require.ErrorContains(t, err, r.Host+" has no such artifact (status 404)")

	good := packed(t, func(*bundle.Bundle) {})
	require.NoError(t, at(r, "shop:v1").Push(ctx, good, false))
	r.SetBlob(bundle.Digest(sample().Template), []byte(`{"resources": {}}`))
	_, err = at(r, "shop:v1").Pull(ctx)
	require.Error(t, err)

	// The parts are as the manifest says, and it is a bundle of no use.
	text := []byte(`{"schemaVersion":2,"artifactType":"application/vnd.radbicep.bundle","config":` +
		descriptorOf(bundle.MediaTypeAbout, "about.json", []byte(`{"version":9}`)) + `,"layers":[]}`)
	r.Blob([]byte(`{"version":9}`))
	r.Manifest("shop", "v9", text)
	_, err = at(r, "shop:v9").Pull(ctx)
	require.EqualError(t, err, "it was made by a newer rad: its format has the version 9, and this rad reads 1; update rad")
}

// TestNoCredentialIsTold: an error that quotes what the registry sent does not show what it was given.
func TestNoCredentialIsTold(t *testing.T) {
	withoutCredentials(t)
	r := registrytest.New(t)
	r.User, r.Password = "me", "s3cret-of-mine"
	place, ctx := at(r, "shop:v1"), context.Background()
	require.Error(t, place.Push(ctx, packed(t, func(*bundle.Bundle) {}), false), "without credentials")
	t.Setenv("DOCKER_REGISTRY", r.Host)
	t.Setenv("DOCKER_USERNAME", r.User)
	t.Setenv("DOCKER_PASSWORD", r.Password)
	require.NoError(t, place.Push(ctx, packed(t, func(*bundle.Bundle) {}), false))
	about := []byte(`{"version":1,"name":"../s3cret-of-mine"}`)
	r.Blob(about)
	r.Manifest("shop", "echo", []byte(`{"schemaVersion":2,"artifactType":"application/vnd.radbicep.bundle","config":`+descriptorOf(bundle.MediaTypeAbout, "about.json", about)+`,"layers":[]}`))
	_, err := at(r, "shop:echo").Pull(ctx)
	require.EqualError(t, err, `its name, "../(credential)", is not the name of a file`)
}
