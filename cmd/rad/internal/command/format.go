package command

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/compile"
	"github.com/radbicep/rad/cmd/rad/internal/formatting"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/pkg/bicep/format"
)

// formatOptions are the flags of format. Those up to finalNewline are the
// official command's.
type formatOptions struct {
	stdout          bool
	outfile, outdir string
	pattern         string
	newlineKind     string
	indentKind      string
	indentSize      int
	finalNewline    bool
	config          string

	check, diff   bool
	stdinFilename string
	color         string
}

func newFormat(a *app) *cobra.Command {
	var o formatOptions
	c := &cobra.Command{
		Use:   "format [file.bicep | file.bicepparam | folder | glob | -]...",
		Short: "Lay out Bicep files",
		Long: `Lay out Bicep files as the official 'bicep format' does, to the byte: the same flags, and the
settings in the section "formatting" of bicepconfig.json. Files are written in place, unless a
flag names another place; a file that is laid out already is not touched. A statement with a
syntax error is left as it is.

A folder stands for the Bicep files in it and below. A dash is standard input, whose text goes
to standard output.`,
		Example: `  rad bicep format app.bicep
  rad bicep format . --check --diff
  rad bicep format app.bicep --stdout --indent-kind tab
  rad bicep format - --stdin-filename=app.bicep < app.bicep`,
		Annotations:       map[string]string{cli.DropIn: "format"},
		ValidArgsFunction: cli.CompleteFiles("bicep", "bicepparam"),
		RunE: func(c *cobra.Command, args []string) error {
			return a.format(c, args, &o)
		},
	}
	f := c.Flags()
	f.BoolVar(&o.stdout, "stdout", false, "print the text to stdout")
	f.StringVar(&o.outfile, "outfile", "", "write the text to `FILE`")
	f.StringVar(&o.outdir, "outdir", "", "write the files into the folder `DIR`")
	f.StringVar(&o.pattern, "pattern", "", "take all files that match the glob `PATTERN`")
	f.StringVar(&o.newlineKind, "newline-kind", "", "line ends by `KIND`: LF, CRLF or CR")
	f.StringVar(&o.indentKind, "indent-kind", "", "indent by `KIND`: Space or Tab")
	f.IntVar(&o.indentSize, "indent-size", 2, "indent by `N` blanks a level")
	f.BoolVar(&o.finalNewline, "insert-final-newline", true, "end the file with a line end")
	f.StringVar(&o.config, "config", "", "use the configuration `FILE` for all files, instead of the nearest bicepconfig.json")
	f.BoolVar(&o.check, "check", false, "write nothing; list the files that would change, and exit 1 if there is one")
	f.BoolVar(&o.diff, "diff", false, "write nothing; show what would change, and exit 1 if something would")
	f.StringVar(&o.stdinFilename, "stdin-filename", "main.bicep", "treat standard input as the text of `FILE`")
	f.StringVar(&o.color, "color", "auto", "`WHEN` to colour the diff: auto, always or never")
	a.CompleteFlag(c, "newline-kind", cobra.FixedCompletions(format.NewlineKinds, cobra.ShellCompDirectiveNoFileComp))
	a.CompleteFlag(c, "indent-kind", cobra.FixedCompletions(format.IndentKinds, cobra.ShellCompDirectiveNoFileComp))
	a.CompleteFlag(c, "color", cobra.FixedCompletions([]string{"auto", "always", "never"}, cobra.ShellCompDirectiveNoFileComp))
	_ = c.MarkFlagFilename("outfile", "bicep", "bicepparam")
	_ = c.MarkFlagDirname("outdir")
	_ = c.MarkFlagFilename("config", "json")
	return c
}

func (a *app) format(c *cobra.Command, args []string, o *formatOptions) error {
	if err := o.validate(args); err != nil {
		return err
	}
	layout, err := o.layout(c)
	if err != nil {
		return err
	}
	return formatting.Run(c.Context(), a.App, args, formatting.Options{
		Pattern:       o.pattern,
		StdinFilename: o.stdinFilename,
		Layout:        layout,
		Print:         o.stdout,
		Outfile:       o.outfile,
		Outdir:        o.outdir,
		Check:         o.check,
		Diff:          o.diff,
		Color:         o.color,
		Flags:         c.Flags(),
	})
}

// validate refuses flags that do not go together.
func (o *formatOptions) validate(args []string) error {
	if o.pattern != "" && o.outdir != "" {
		return cli.Fail(cli.ExitUsage, "--pattern and --outdir cannot be used together")
	}
	b := buildOptions{stdout: o.stdout, Places: compile.Places{Outfile: o.outfile, Outdir: o.outdir, Pattern: o.pattern}}
	if err := b.validate(); err != nil {
		return err
	}
	if (o.check || o.diff) && (o.stdout || o.outfile != "" || o.outdir != "") {
		return cli.Fail(cli.ExitUsage, "--check and --diff write nothing; they cannot be used with --stdout, --outfile or --outdir")
	}
	if !slices.Contains([]string{"auto", "always", "never"}, o.color) {
		return cli.Fail(cli.ExitUsage, "--color: want auto, always or never, not %q", o.color)
	}
	if len(args) == 0 && o.pattern == "" {
		return cli.Fail(cli.ExitUsage, "name a file%s, or files by --pattern", cli.SuchAs())
	}
	return nil
}

// layout is what the flags say about the text.
func (o *formatOptions) layout(c *cobra.Command) (format.Layout, error) {
	config, err := project.ConfigFile(o.config, "--config "+o.config)
	if err != nil {
		return format.Layout{}, err
	}
	l := format.Layout{NewlineKind: o.newlineKind, IndentKind: o.indentKind, Config: config}
	if err := oneOf(c, "newline-kind", o.newlineKind, format.NewlineKinds); err != nil {
		return l, err
	}
	if err := oneOf(c, "indent-kind", o.indentKind, format.IndentKinds); err != nil {
		return l, err
	}
	if c.Flags().Changed("indent-size") {
		if int64(o.indentSize) != int64(int32(o.indentSize)) { // as upstream, on machines of 32 bits and of 64
			return l, cli.Fail(cli.ExitUsage, "--indent-size %d: want a number of blanks, such as 2 or 4", o.indentSize)
		}
		l.IndentSize = &o.indentSize
	}
	if c.Flags().Changed("insert-final-newline") {
		l.FinalNewline = &o.finalNewline
	}
	return l, nil
}

// oneOf holds the value of a flag, if it is given, to a list of words, in any letter case.
func oneOf(c *cobra.Command, flag, value string, words []string) error {
	if !c.Flags().Changed(flag) || slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(w, value) }) {
		return nil
	}
	return cli.Fail(cli.ExitUsage, "--%s: want %s, not %q%s", flag, cli.OrList(words), value, cli.DidYouMean(value, words))
}
