package bicep_test

import (
	"context"
	"fmt"
	"log"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// A program is compiled from memory. No file of the disk is read.
func ExampleEmbedded_Build() {
	files := source.Memory{
		"/app/main.bicep": `import { greeting } from 'words.bicep'
param name string
output text string = '${greeting}, ${name}'
`,
		"/app/words.bicep": `@export()
var greeting = 'Hello'
`,
	}
	result, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{FS: files, File: "/app/main.bicep"})
	if err != nil {
		log.Fatal(err)
	}
	outputs, err := armjson.ParseBytes(result.Template, armjson.Options{})
	if err != nil {
		log.Fatal(err)
	}
	text := outputs.(*armjson.Object).Object("outputs").Object("text")
	fmt.Println(armjson.Text(text))
	// Output:
	// {"type":"string","value":"[format('{0}, {1}', variables('greeting'), parameters('name'))]"}
}

// The findings of the result say what is wrong with a program.
func ExampleResult() {
	files := source.Memory{"/main.bicep": "output port int = 'http'\n"}
	result, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{FS: files, File: "/main.bicep"})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range result.Findings {
		fmt.Printf("%d:%d %s %s\n", f.Start.Line, f.Start.Column, f.Severity, f.Code)
	}
	fmt.Println("template:", result.Template != nil)
	// Output:
	// 1:19 Error BCP033
	// template: false
}
