package objects_test

import (
	"fmt"

	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/manifest/objects"
)

// A target notes what it cannot express with its place in the program.
func ExampleOutput() {
	var out objects.Output
	out.Refuse(expand.Position{File: "app.bicep", Line: 7, Column: 3}, "aso-type", "there is no kind for %s", "Contoso.Stores/stores")
	out.Refuse(expand.Position{File: "app.bicep", Line: 2, Column: 1}, "aso-version", "the operator has another version of it")
	out.Sort()
	for _, p := range out.Problems {
		fmt.Println(p.Position, p.Code, p.Message)
	}
	fmt.Println(objects.SafeName("Shop_Data/Main", "", false))
	// Output:
	// app.bicep(2,1) aso-version the operator has another version of it
	// app.bicep(7,3) aso-type there is no kind for Contoso.Stores/stores
	// shop-data-main
}
