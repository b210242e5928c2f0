package crossplane_test

import (
	"context"
	"fmt"
	"log"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/manifest/crossplane"
	"github.com/radbicep/rad/pkg/manifest/objects"
)

// The existing resources of a program become objects that Crossplane observes.
func ExampleConvert() {
	files := source.Memory{"/app.bicep": `resource account 'Microsoft.Storage/storageAccounts@2023-01-01' existing = {
  name: 'shopdata'
}
`}
	result, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{FS: files, File: "/app.bicep", Options: bicep.Options{Symbolic: true}})
	if err != nil {
		log.Fatal(err)
	}
	template, err := result.TemplateTree()
	if err != nil {
		log.Fatal(err)
	}
	program, err := expand.Expand(template, expand.Options{
		Context: expand.Context{SubscriptionID: "00000000-0000-0000-0000-000000000001", ResourceGroup: "apps"},
	})
	if err != nil {
		log.Fatal(err)
	}
	out, err := crossplane.Convert(objects.Input{Program: program, Name: "app", Namespace: "shop"})
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range out.Problems {
		fmt.Println(p.Code, p.Message)
	}
	text, err := manifest.RenderObjects(out.Objects, nil, manifest.YAML)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(text))
	// Output:
	// apiVersion: storage.azure.m.upbound.io/v1beta1
	// kind: Account
	// metadata:
	//   name: shopdata
	//   namespace: shop
	//   annotations:
	//     crossplane.io/external-name: shopdata
	// spec:
	//   managementPolicies:
	//     - Observe
	//   forProvider:
	//     resourceGroupName: apps
}
