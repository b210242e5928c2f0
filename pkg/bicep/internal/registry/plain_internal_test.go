package registry

import (
	"encoding/base64"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/artifact"
)

// TestPlainHTTP: a registry that a recipe pack asks without TLS gets no credentials.
func TestPlainHTTP(t *testing.T) {
	config := t.TempDir()
	auth := base64.StdEncoding.EncodeToString([]byte("me:S3cr3t"))
	require.NoError(t, os.WriteFile(filepath.Join(config, "config.json"), []byte(`{"auths": {"reg.example.com:5000": {"auth": "`+auth+`"}}}`), 0o600))
	t.Setenv("DOCKER_CONFIG", config)
	for _, plain := range []bool{true, false} {
		c := New(Options{})
		var asked []string
		c.host("reg.example.com:5000", plain).transport.open = roundTrip(func(r *http.Request) (*http.Response, error) {
			asked = append(asked, strings.TrimSpace(r.URL.Scheme+" "+r.Header.Get("Authorization")))
			return &http.Response{StatusCode: http.StatusUnauthorized, Header: http.Header{"Www-Authenticate": {`Basic realm="r"`}},
				Body: io.NopCloser(strings.NewReader("")), Request: r}, nil
		})
		a, err := artifact.ParseRecipe("reg.example.com:5000/redis:1", plain)
		require.NoError(t, err)
		_, err = c.Fetch(t.Context(), a, "", t.TempDir(), false)
		if plain {
			require.Equal(t, []string{"http"}, asked)
			require.ErrorContains(t, err, "none are sent without TLS")
		} else {
			require.Equal(t, []string{"https", "https", "https Basic " + auth}, asked)
		}
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
