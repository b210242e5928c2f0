package registry

import (
	"fmt"
	"os"
	"testing"
)

// TestMain makes the tests independent of who runs them: there are no credentials, and no proxy but the one of
// a test that runs alone.
func TestMain(m *testing.M) {
	os.Exit(alike(m))
}

func alike(m *testing.M) int {
	dir, err := os.MkdirTemp("", "registry-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	os.Setenv("DOCKER_CONFIG", dir)
	for _, name := range []string{"DOCKER_REGISTRY", "DOCKER_USERNAME", "DOCKER_PASSWORD"} {
		os.Unsetenv(name)
	}
	if os.Getenv("REGISTRY_TEST_PROXY") == "" {
		for _, name := range []string{"HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy", "ALL_PROXY", "all_proxy"} {
			os.Unsetenv(name)
		}
	}
	return m.Run()
}
