package registrytest_test

import (
	"fmt"
	"io"
	"log"
	"net/http"

	"github.com/radbicep/rad/pkg/bicep/registrytest"
)

// A registry with a module in it, what it answers, and what it was asked.
func Example() {
	registry := registrytest.Start()
	defer registry.Close()
	digest := registry.Module("bicep/app", "v1", `{"resources": {}}`)

	answer, err := http.Get("http://" + registry.Host + "/v2/bicep/app/manifests/v1")
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	manifest, err := io.ReadAll(answer.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.StatusCode, registrytest.Digest(manifest) == digest)
	for _, r := range registry.Requests() {
		fmt.Println(r.Method, r.Path)
	}
	// Output:
	// 200 true
	// GET /v2/bicep/app/manifests/v1
}
