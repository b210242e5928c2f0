package spell_test

import (
	"fmt"

	"github.com/radbicep/rad/pkg/spell"
)

func ExampleNearest() {
	fmt.Println(spell.Nearest("outfil", []string{"outdir", "outfile", "output-format"}))
	// Output: outfile
}
