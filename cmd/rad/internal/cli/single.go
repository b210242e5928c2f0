package cli

import (
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// outputFlags name what a command writes. One that is empty is a variable of a script that is
// not set, and does not mean that the flag was left out.
var outputFlags = []string{"outfile", "outdir", "destination-file", "deps", "write-baseline"}

// HoldFlags makes mistakes of flags that take one text errors: one that is given twice, an
// output without a name, and a file to write that is named like a folder.
func HoldFlags(c *cobra.Command) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Value.Type() == "string" {
			f.Value = &held{Value: f.Value, name: f.Name, command: c.Name()}
		}
	})
}

// held is the value of a flag that takes one text.
type held struct {
	pflag.Value
	name, command string
	given         bool
}

// flagError is a mistake of a flag, in words that stand alone.
type flagError string

func (e flagError) Error() string { return string(e) }

func (h *held) Set(text string) error {
	if h.given {
		return flagError("--" + h.name + " is given twice; give it once")
	}
	h.given = true
	if text == "" && slices.Contains(outputFlags, h.name) {
		what := "file"
		if h.name == "outdir" {
			what = "folder"
		}
		return flagError("--" + h.name + ": the name of a " + what + " is missing")
	}
	// A bundle may be a folder.
	if h.name == "outfile" && h.command != "bundle" &&
		(strings.HasSuffix(text, "/") || os.PathSeparator != '/' && strings.HasSuffix(text, string(os.PathSeparator))) {
		return flagError("--outfile " + text + " names a folder; name a file in it, or give the folder with --outdir")
	}
	if h.name == "outfile" && h.command == "generate-kubernetes-manifest" && (text == "yaml" || text == "json") { // as kubectl has it
		return flagError("--outfile " + text + " names a file; --output-format " +
			text + " chooses the notation, and ./" + text + " is the file")
	}
	return h.Value.Set(text)
}

// mistake returns the words of a mistake that a held flag found.
func mistake(err error) (text string, ok bool) {
	var e flagError
	ok = errors.As(err, &e)
	return string(e), ok
}
