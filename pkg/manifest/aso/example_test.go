package aso_test

import (
	"context"
	"fmt"
	"log"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/manifest/aso"
	"github.com/radbicep/rad/pkg/manifest/objects"
)

// The resources of a program become objects of Azure Service Operator.
func ExampleConvert() {
	files := source.Memory{"/app.bicep": `resource identity 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31' = {
  name: 'reader'
  location: 'westeurope'
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
	out, err := aso.Convert(objects.Input{Program: program, Name: "app", Namespace: "shop"})
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
	// apiVersion: managedidentity.azure.com/v1api20230131
	// kind: UserAssignedIdentity
	// metadata:
	//   name: reader
	//   namespace: shop
	// spec:
	//   azureName: reader
	//   owner:
	//     armId: /subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/apps
	//   location: westeurope
}
