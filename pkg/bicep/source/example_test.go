package source_test

import (
	"fmt"
	"log"

	"github.com/radbicep/rad/pkg/bicep/source"
)

// Memory holds texts by path. The compiler reads from it as from a disk.
func ExampleMemory() {
	files := source.Memory{"/app/main.bicep": "param tag string\n"}
	text, err := files.ReadFile("/app/main.bicep")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(text))
	// Output: param tag string
}

// A File tells the line and column of an offset as editors count them.
func ExampleFile_Position() {
	f := source.NewFile("main.bicep", "param tag string\nparam port int\n")
	fmt.Println(f.Position(23))
	// Output: {2 7}
}
