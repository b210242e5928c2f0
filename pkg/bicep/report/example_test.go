package report_test

import (
	"context"
	"log"
	"os"

	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// The findings of a compile are printed as the official compiler prints them.
func ExamplePrinter() {
	files := source.Memory{"/main.bicep": "output port int = 'http'\n"}
	result, err := bicep.Embedded{}.Build(context.Background(), bicep.Request{FS: files, File: "/main.bicep"})
	if err != nil {
		log.Fatal(err)
	}
	p := report.Printer{Format: report.Text, Base: "/"}
	if err := p.Print(os.Stdout, result.Findings); err != nil {
		log.Fatal(err)
	}
	// Output:
	// main.bicep(1,19) : Error BCP033: Expected a value of type "int", but this value is of type "'http'". [https://aka.ms/bicep/core-diagnostics#BCP033]
}

// Code scanning services read SARIF.
func ExamplePrinter_sarif() {
	p := report.Printer{Format: report.SARIF, Version: "1.0.0"}
	if err := p.Print(os.Stdout, nil); err != nil {
		log.Fatal(err)
	}
	// Output:
	// {
	//   "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
	//   "version": "2.1.0",
	//   "runs": [
	//     {
	//       "tool": {
	//         "driver": {
	//           "name": "rad bicep",
	//           "version": "1.0.0",
	//           "informationUri": "https://github.com/radbicep/rad",
	//           "rules": []
	//         }
	//       },
	//       "columnKind": "utf16CodeUnits",
	//       "results": []
	//     }
	//   ]
	// }
}
