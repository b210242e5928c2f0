package snapshot_test

import (
	"context"
	"fmt"
	"log"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/snapshot"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// A snapshot is taken of two versions of a program. The differences are those that
// `rad bicep snapshot --mode validate` prints.
func ExampleChanges() {
	take := func(tier string) *snapshot.Snapshot {
		files := source.Memory{"/app.bicep": `resource store 'Contoso.Stores/stores@2024-01-01' = {
  name: 'shop'
  properties: { tier: '` + tier + `' }
}
`}
		result, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{FS: files, File: "/app.bicep"})
		if err != nil {
			log.Fatal(err)
		}
		template, err := result.TemplateTree()
		if err != nil {
			log.Fatal(err)
		}
		expansion, err := expand.Expand(template, expand.Options{
			Context: expand.Context{SubscriptionID: "11", ResourceGroup: "apps"}, Official: true,
		})
		if err != nil {
			log.Fatal(err)
		}
		return snapshot.New(expansion)
	}
	// A snapshot that was written to a file is read by Parse.
	before, err := snapshot.Parse(take("small").Text())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(snapshot.Format(snapshot.Changes(before, take("large")), false))
	// Output:
	// Scope: /subscriptions/11/resourceGroups/apps
	//
	//   ~ Contoso.Stores/stores/shop
	//     ~ properties.tier: "small" => "large"
}
