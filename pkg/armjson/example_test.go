package armjson_test

import (
	"fmt"
	"log"

	"github.com/radbicep/rad/pkg/armjson"
)

// The order of members and the text of numbers stay as they were written.
func Example() {
	v, err := armjson.Parse(`{"port": 3000, "limit": 1.50}`, armjson.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for name, member := range v.(*armjson.Object).All() {
		fmt.Println(name, armjson.Text(member))
	}
	// Output:
	// port 3000
	// limit 1.50
}
