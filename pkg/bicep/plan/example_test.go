package plan_test

import (
	"context"
	"log"
	"os"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/plan"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// What a change of a program changes: both versions are compiled, expanded and compared.
func ExampleCompare() {
	deploys := func(program string) *expand.Result {
		files := source.Memory{"/app.bicep": program}
		result, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{FS: files, File: "/app.bicep", Options: bicep.Options{Symbolic: true}})
		if err != nil {
			log.Fatal(err)
		}
		template, err := result.TemplateTree()
		if err != nil {
			log.Fatal(err)
		}
		expansion, err := expand.Expand(template, expand.Options{Context: expand.Context{RadiusGroup: "default"}})
		if err != nil {
			log.Fatal(err)
		}
		return expansion
	}
	before := deploys(`extension radius
resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  properties: { environment: 'test' }
}
`)
	after := deploys(`extension radius
resource shop 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  properties: { environment: 'prod' }
}
resource stores 'Applications.Datastores/redisCaches@2023-10-01-preview' = [for i in range(1, 2): {
  name: 'store-${i}'
  properties: { environment: 'prod', application: shop.id }
}]
`)
	if err := plan.Compare(before, after).WriteText(os.Stdout, plan.Style{}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// ~ shop                 Applications.Core/applications
	//       properties.environment: 'test' -> 'prod'
	//   + stores[0] 'store-1'  Applications.Datastores/redisCaches
	//       name: 'store-1'
	//       properties.environment: 'prod'
	//       properties.application: shop.id
	//   + stores[1] 'store-2'  Applications.Datastores/redisCaches
	//       name: 'store-2'
	//       properties.environment: 'prod'
	//       properties.application: shop.id
	// 2 to create, 1 to update
}
