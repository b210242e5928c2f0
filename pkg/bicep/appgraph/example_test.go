package appgraph_test

import (
	"context"
	"fmt"
	"log"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/appgraph"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// The graph of a program's resources. A parameter without a value is unknown, which is
// no error.
func ExampleNew() {
	files := source.Memory{"/app.bicep": `extension radius
param environment string
resource app 'Applications.Core/applications@2023-10-01-preview' = {
  name: 'shop'
  properties: { environment: environment }
}
resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'web'
  properties: {
    application: app.id
    container: { image: 'web:1' }
    connections: { cache: { source: cache.id } }
  }
}
resource cache 'Applications.Datastores/redisCaches@2023-10-01-preview' = {
  name: 'cache'
  properties: { environment: environment, application: app.id }
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
	expansion, err := expand.Expand(template, expand.Options{})
	if err != nil {
		log.Fatal(err)
	}
	graph := appgraph.New(expansion, "")
	fmt.Print(graph.Text())
	// Output:
	// web (Applications.Core/containers)
	//   ==> cache
	// cache (Applications.Datastores/redisCaches)
}
