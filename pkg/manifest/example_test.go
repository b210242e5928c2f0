package manifest_test

import (
	"fmt"
	"log"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/manifest"
)

// A manifest is made from the text of a compiled template and the values of its
// parameters.
func Example() {
	m, err := manifest.New(manifest.Options{
		Name:       "app.bicep",
		Namespace:  manifest.DefaultNamespace,
		Template:   []byte(`{"contentVersion": "1.0.0.0", "resources": []}`),
		Parameters: []manifest.Parameter{{Name: "port", Value: armjson.Int(3000)}},
		Group:      "default",
		Target:     manifest.Design,
		Compact:    true,
	})
	if err != nil {
		log.Fatal(err)
	}
	text, err := m.Render(manifest.YAML)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(text))
	// Output:
	// kind: DeploymentTemplate
	// apiVersion: radapp.io/v1alpha3
	// metadata:
	//   name: app.bicep
	//   namespace: radius-system
	// spec:
	//   template: |
	//     {"contentVersion":"1.0.0.0","resources":[]}
	//   parameters: |
	//     {
	//       "port": {
	//         "value": 3000
	//       }
	//     }
	//   providerConfig:
	//     radius:
	//       type: Radius
	//       value:
	//         scope: /planes/radius/local/resourceGroups/default
	//     deployments:
	//       type: Microsoft.Resources
	//       value:
	//         scope: /planes/radius/local/resourceGroups/default
}
