package params_test

import (
	"fmt"
	"log"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/params"
)

// The values of a file and of an argument are merged. The later layer wins, and the
// declarations of the template give the values their types.
func Example() {
	template, err := armjson.Parse(`{
  "parameters": {
    "tag": {"type": "string"},
    "port": {"type": "int"}
  }
}`, armjson.Options{})
	if err != nil {
		log.Fatal(err)
	}
	declared := params.Declare(template.(*armjson.Object))

	file, problems := params.ReadFile([]byte(`{"tag": "dev", "port": 80}`), params.Source{Text: "dev.json"}, declared)
	if len(problems) > 0 {
		log.Fatal(problems)
	}
	arg, err := params.ParseArg("port=3000")
	if err != nil {
		log.Fatal(err)
	}
	override, problem := arg.Layer(nil, declared)
	if problem != nil {
		log.Fatal(problem)
	}

	values, problems := params.Bind(declared, params.Merge(file, override), params.SecureError)
	if len(problems) > 0 {
		log.Fatal(problems)
	}
	for _, v := range values {
		fmt.Printf("%s = %s, from %s\n", v.Name, armjson.Text(v.Value), v.Source)
	}
	// Output:
	// tag = "dev", from dev.json:1
	// port = 3000, from port=…
}

// Bind finds everything that is wrong in one call.
func ExampleBind() {
	template, err := armjson.Parse(`{"parameters": {"tag": {"type": "string"}, "port": {"type": "int"}}}`, armjson.Options{})
	if err != nil {
		log.Fatal(err)
	}
	declared := params.Declare(template.(*armjson.Object))
	arg, err := params.ParseArg("port=http")
	if err != nil {
		log.Fatal(err)
	}
	layer, _ := arg.Layer(nil, declared)
	_, problems := params.Bind(declared, layer, params.SecureError)
	for _, p := range problems {
		fmt.Println(p.Code, p.Parameter)
	}
	// Output:
	// parameter-type port
	// missing-parameter tag
}
