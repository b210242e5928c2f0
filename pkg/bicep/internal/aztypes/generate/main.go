// Generate makes the library of Azure's types that is built into releases, from a
// copy of the official repository Azure/bicep-types-az:
//
//	go run ./pkg/bicep/internal/aztypes/generate --from FOLDER --out FILE
//
// FOLDER is the repository, or its folder generated. The same types make the same
// library, to the byte.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/radbicep/rad/pkg/bicep/internal/aztypes"
	"github.com/radbicep/rad/pkg/bicep/internal/aztypes/pack"
)

func main() {
	from := flag.String("from", "", "`FOLDER` with the official types")
	out := flag.String("out", "", "`FILE` to write the library to")
	source := flag.String("source", "Azure/bicep-types-az", "`TEXT` that says where the types come from")
	flag.Parse()
	if *from == "" || *out == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := generate(*from, *out, *source); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func generate(from, out, source string) error {
	library, err := pack.Repository(from, source)
	if err != nil {
		return err
	}
	lib, err := aztypes.Verified(library)
	if err != nil {
		return err
	}
	if err := lib.Check(); err != nil {
		return err
	}
	if lib.Licence() == "" {
		return fmt.Errorf("%s: the licence of the types has to be in the library, and there is no file LICENSE", from)
	}
	return os.WriteFile(out, library, 0o644)
}
