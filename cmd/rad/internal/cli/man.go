package cli

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/radbicep/rad/cmd/rad/internal/workdir"
)

// WriteManPages writes a manual page of each command into the folder: rad.1, rad-bicep.1 …
// The pages are made of what --help shows.
func WriteManPages(root *cobra.Command, folder string) error {
	// A folder of a repository may be a link, or hold links of the pages' names.
	area := workdir.BoundsOf(filepath.Join(folder, "rad.1"))
	info, _ := debug.ReadBuildInfo()
	b := ReadBuilt(info)
	day, _, _ := strings.Cut(b.Date, "T")
	var walk func(c *cobra.Command) error
	walk = func(c *cobra.Command) error {
		if c.Hidden {
			return nil
		}
		c.InitDefaultHelpFlag()
		var page strings.Builder
		manPage(&page, c, day, b.Version)
		if err := area.WriteFile(filepath.Join(folder, manName(c)+".1"), []byte(page.String())); err != nil {
			return FailWith(ExitIO, err)
		}
		for _, sub := range c.Commands() {
			if err := walk(sub); err != nil {
				return err
			}
		}
		return nil
	}
	return walk(root)
}

// manName is the name of the page of a command: rad-bicep-build.
func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// manPage writes one page in the language of man(7).
func manPage(w io.Writer, c *cobra.Command, day, version string) {
	section := func(name string) { fmt.Fprintf(w, ".SH %s\n", name) }
	fmt.Fprintf(w, ".TH %q 1 %q %q\n.nh\n.ad l\n", strings.ToUpper(manName(c)), day, "rad "+version)
	section("NAME")
	fmt.Fprintf(w, "%s \\- %s\n", roff(manName(c)), roff(c.Short))
	section("SYNOPSIS")
	fmt.Fprintf(w, ".B %s\n", roff(c.UseLine()))
	section("DESCRIPTION")
	paragraphs(w, cmp.Or(c.Long, c.Short+"."))
	if c.HasAvailableSubCommands() {
		section("COMMANDS")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(w, ".TP\n.B %s\n%s\n", roff(sub.Name()), roff(sub.Short))
			}
		}
	}
	if c.HasAvailableFlags() {
		section("OPTIONS")
		c.Flags().VisitAll(func(f *pflag.Flag) { manFlag(w, f) })
		c.InheritedFlags().VisitAll(func(f *pflag.Flag) { manFlag(w, f) })
	}
	if c.Example != "" {
		section("EXAMPLES")
		fmt.Fprintf(w, ".nf\n%s\n.fi\n", roff(strings.TrimRight(c.Example, "\n")))
	}
	var related []string
	if c.HasParent() {
		related = append(related, manName(c.Parent()))
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			related = append(related, manName(sub))
		}
	}
	if len(related) > 0 {
		section("SEE ALSO")
		for i, name := range related {
			end := ","
			if i == len(related)-1 {
				end = ""
			}
			fmt.Fprintf(w, ".BR %s (1)%s\n", roff(name), end)
		}
	}
}

// manFlag writes the entry of one flag.
func manFlag(w io.Writer, f *pflag.Flag) {
	if f.Hidden {
		return
	}
	value, usage := pflag.UnquoteUsage(f)
	short := ""
	if f.Shorthand != "" {
		short = "-" + f.Shorthand + ", "
	}
	fmt.Fprintf(w, ".TP\n\\fB%s\\fR", roff(short+"--"+f.Name))
	if value != "" {
		fmt.Fprintf(w, " \\fI%s\\fR", roff(value))
	}
	fmt.Fprintf(w, "\n%s", roff(usage))
	if d := f.DefValue; d != "" && d != "false" && d != "[]" && d != "0" && d != "0s" && !strings.Contains(usage, "default") {
		fmt.Fprintf(w, " (default %s)", roff(d))
	}
	fmt.Fprintln(w)
}

// paragraphs writes text in which blank lines separate paragraphs. Indented lines stay lines.
func paragraphs(w io.Writer, text string) {
	for i, p := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if i > 0 {
			fmt.Fprintln(w, ".PP")
		}
		if strings.Contains("\n"+p, "\n ") {
			fmt.Fprintf(w, ".nf\n%s\n.fi\n", roff(p))
		} else {
			fmt.Fprintln(w, roff(p))
		}
	}
}

// roff escapes text, so that no part of it is a command of man(7).
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\u00a0", " ").Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
