package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/format"
	"github.com/radbicep/rad/pkg/bicep/report"
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
	f.BoolVar(&o.check, "check", false, "write nothing; list the files that would change, and exit 1 if there is one")
	f.BoolVar(&o.diff, "diff", false, "write nothing; show what would change, and exit 1 if something would")
	f.StringVar(&o.stdinFilename, "stdin-filename", "main.bicep", "treat standard input as the text of `FILE`")
	f.StringVar(&o.color, "color", "auto", "`WHEN` to colour the diff: auto, always or never")
	_ = c.RegisterFlagCompletionFunc("newline-kind", cobra.FixedCompletions(format.NewlineKinds, cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("indent-kind", cobra.FixedCompletions(format.IndentKinds, cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("color", cobra.FixedCompletions([]string{"auto", "always", "never"}, cobra.ShellCompDirectiveNoFileComp))
	_ = c.MarkFlagFilename("outfile", "bicep", "bicepparam")
	_ = c.MarkFlagDirname("outdir")
	return c
}

// formatJob is one file to lay out.
type formatJob struct {
	name   string // as it is shown
	input  string // absolute path
	output string // absolute path; "" is standard output
	stdin  bool
}

func (a *app) format(c *cobra.Command, args []string, o *formatOptions) error {
	if err := o.validate(args); err != nil {
		return err
	}
	layout, err := o.layout(c)
	if err != nil {
		return err
	}
	jobs, err := a.formatJobs(args, o)
	if err != nil {
		return err
	}
	if err := o.checkJobs(jobs); err != nil {
		return err
	}
	if len(jobs) == 0 {
		a.Say("Warning: no file matches --pattern %s", o.pattern)
	}
	run := &formatRun{app: a, flags: c.Flags(), options: o, layout: layout, formatters: map[string]*format.Formatter{}, areas: map[string]formatArea{}, told: map[string]bool{}}
	for _, j := range jobs {
		if err := c.Context().Err(); err != nil {
			return err
		}
		if err := run.one(j); err != nil {
			var internal *bicep.InternalError
			if errors.As(err, &internal) || len(jobs) == 1 {
				return cli.FailWith(cli.ExitIO, err)
			}
			// One file that cannot be read is not a reason to leave out the others.
			a.Tell("Error: %v", err)
			run.failed = true
		}
	}
	switch {
	case run.failed:
		return cli.Silent(cli.ExitIO)
	case run.changed && (o.check || o.diff):
		return cli.Silent(cli.ExitStale)
	}
	return nil
}

// validate refuses flags that do not go together.
func (o *formatOptions) validate(args []string) error {
	if o.pattern != "" && o.outdir != "" {
		return cli.Fail(cli.ExitUsage, "--pattern and --outdir cannot be used together")
	}
	b := buildOptions{stdout: o.stdout, outfile: o.outfile, outdir: o.outdir, pattern: o.pattern}
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
		return cli.Fail(cli.ExitUsage, "name a file, or files by --pattern")
	}
	return nil
}

// layout is what the flags say about the text.
func (o *formatOptions) layout(c *cobra.Command) (format.Layout, error) {
	l := format.Layout{NewlineKind: o.newlineKind, IndentKind: o.indentKind}
	if err := oneOf("newline-kind", o.newlineKind, format.NewlineKinds); err != nil {
		return l, err
	}
	if err := oneOf("indent-kind", o.indentKind, format.IndentKinds); err != nil {
		return l, err
	}
	if c.Flags().Changed("indent-size") {
		l.IndentSize = &o.indentSize
	}
	if c.Flags().Changed("insert-final-newline") {
		l.FinalNewline = &o.finalNewline
	}
	return l, nil
}

// oneOf holds the value of a flag to a list of words, in any letter case.
func oneOf(flag, value string, words []string) error {
	if value == "" || slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(w, value) }) {
		return nil
	}
	return cli.Fail(cli.ExitUsage, "--%s: want %s, not %q%s", flag, cli.OrList(words), value, cli.DidYouMean(value, words))
}

// checkJobs refuses places that do not fit the number of files.
func (o *formatOptions) checkJobs(jobs []formatJob) error {
	if len(jobs) > 1 && o.outfile != "" {
		return cli.Fail(cli.ExitUsage, "--outfile names one file, and there are %d; use --outdir", len(jobs))
	}
	if len(jobs) > 1 && o.stdout {
		return cli.Fail(cli.ExitUsage, "--stdout prints one file, and there are %d", len(jobs))
	}
	seen := map[string]string{}
	for _, j := range jobs {
		if j.stdin || j.output == "" {
			continue
		}
		if other, ok := seen[j.output]; ok {
			return cli.Fail(cli.ExitUsage, "%s and %s would both be written to %s", other, j.name, j.output)
		}
		seen[j.output] = j.name
	}
	return nil
}

// formatJobs returns the files that the arguments, or the pattern, stand for.
func (a *app) formatJobs(args []string, o *formatOptions) ([]formatJob, error) {
	list := formatList{options: o, seen: map[string]bool{}}
	if len(args) == 0 {
		if err := project.CheckPath(o.pattern); err != nil {
			return nil, err
		}
		root, paths, err := workdir.Glob(o.pattern)
		if err != nil {
			return nil, cli.FailWith(cli.ExitIO, err)
		}
		for _, path := range paths {
			if workdir.IsLink(path) { // which may lead anywhere
				continue
			}
			if err := list.add(workdir.Shown(path), root); err != nil {
				return nil, err
			}
		}
		return list.jobs, nil
	}
	for _, arg := range args {
		if err := list.argument(arg); err != nil {
			return nil, err
		}
	}
	return list.jobs, nil
}

// formatList gathers jobs.
type formatList struct {
	options *formatOptions
	jobs    []formatJob
	seen    map[string]bool
}

func (l *formatList) argument(arg string) error {
	if arg == "-" {
		return l.stdin()
	}
	if err := project.CheckPath(arg); err != nil {
		return err
	}
	paths, below, err := project.BicepFiles(arg)
	if err != nil {
		return err
	}
	for _, path := range paths {
		if err := l.add(path, below); err != nil {
			return err
		}
	}
	return nil
}

// add appends a file, unless it is there already. below is the folder that it was
// found in.
func (l *formatList) add(path, below string) error {
	if err := project.CheckExtension(path, ""); err != nil {
		return err
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return cli.FailWith(cli.ExitIO, err)
	}
	if l.seen[abs] {
		return nil
	}
	l.seen[abs] = true
	j := formatJob{name: path, input: abs, output: abs}
	o := l.options
	switch {
	case o.stdout:
		j.output = ""
	case o.outfile != "":
		j.output, err = filepath.Abs(o.outfile)
	case o.outdir != "":
		name := filepath.Base(abs)
		if below != "" {
			if base, err := filepath.Abs(below); err == nil {
				if rel, err := filepath.Rel(base, abs); err == nil && filepath.IsLocal(rel) {
					name = rel
				}
			}
		}
		j.output, err = filepath.Abs(filepath.Join(o.outdir, name))
	}
	l.jobs = append(l.jobs, j)
	return cli.FailWith(cli.ExitIO, err)
}

func (l *formatList) stdin() error {
	o := l.options
	if err := project.CheckExtension(o.stdinFilename, ""); err != nil {
		return cli.Fail(cli.ExitUsage, "--stdin-filename %w", err)
	}
	abs, err := filepath.Abs(o.stdinFilename)
	if err != nil {
		return cli.FailWith(cli.ExitIO, err)
	}
	j := formatJob{name: o.stdinFilename, input: abs, stdin: true}
	switch {
	case o.outfile != "":
		j.output, err = filepath.Abs(o.outfile)
	case o.outdir != "":
		j.output, err = filepath.Abs(filepath.Join(o.outdir, filepath.Base(abs)))
	}
	l.jobs = append(l.jobs, j)
	return cli.FailWith(cli.ExitIO, err)
}

// formatRun lays out the files of one command line.
type formatRun struct {
	*app
	options    *formatOptions
	layout     format.Layout
	formatters map[string]*format.Formatter // by the root that configurations are looked for in
	areas      map[string]formatArea        // by folder
	flags      *pflag.FlagSet
	changed    bool
	failed     bool
	told       map[string]bool // of configurations
}

// formatter returns the formatter for a file. Configurations are looked for in the root or the git
// work tree, and wherever there is none in all folders above.
func (r *formatRun) formatter(path string) (*format.Formatter, error) {
	area, err := r.area(path)
	if err != nil {
		return nil, err
	}
	root := ""
	if area.rooted {
		root = area.Dir
	}
	if f := r.formatters[root]; f != nil {
		return f, nil
	}
	f, err := format.New(workdir.FilesBelow(root), r.layout)
	if err != nil {
		return nil, err
	}
	r.formatters[root] = f
	return f, nil
}

// formatArea is where the files of a folder may be.
type formatArea struct {
	workdir.Bounds
	rooted bool
}

// area returns the bounds of a file.
func (r *formatRun) area(path string) (formatArea, error) {
	dir := filepath.Dir(path)
	a, known := r.areas[dir]
	if !known {
		var err error
		if a.Bounds, a.rooted, err = settings.Area(r.flags, dir); err != nil {
			return a, err
		}
		r.areas[dir] = a
	}
	return a, nil
}

func (r *formatRun) one(j formatJob) error {
	defer r.Working(j.name)()
	content, err := r.read(j)
	if err != nil {
		return err
	}
	f, err := r.formatter(j.input)
	if err != nil {
		return err
	}
	out, err := f.Format(j.input, content)
	if err != nil {
		return err
	}
	if out.Findings = r.fresh(out.Findings); len(out.Findings) > 0 {
		p := report.Printer{Format: report.Text, Color: cli.FindingColors(r.options.color, r.Stderr)}
		if err := p.Print(r.Stderr, out.Findings); err != nil {
			return err
		}
	}
	switch {
	case report.AnyError(out.Findings):
		return cli.Silent(cli.ExitSource)
	case r.options.check || r.options.diff:
		return r.compare(j, content, out.Text)
	case j.output == "":
		_, err := io.WriteString(r.Stdout, out.Text)
		return err
	}
	area, err := r.area(j.output)
	if err != nil {
		return err
	}
	return area.Replace(j.output, []byte(out.Text), 0o644, true) // what somebody wrote is not lost
}

// fresh leaves out what has been said of the configuration of another file.
func (r *formatRun) fresh(list []report.Finding) []report.Finding {
	var out []report.Finding
	for _, f := range list {
		if strings.HasPrefix(f.Code, "BCP") {
			if r.told[f.Message] {
				continue
			}
			r.told[f.Message] = true
		}
		out = append(out, f)
	}
	return out
}

func (r *formatRun) read(j formatJob) ([]byte, error) {
	if j.stdin {
		return io.ReadAll(r.Stdin)
	}
	area, err := r.area(j.input)
	if err != nil {
		return nil, err
	}
	text, err := area.ReadFile(j.input)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: there is no such file", j.name)
	}
	return text, err
}

// compare tells whether a file would change, and how.
func (r *formatRun) compare(j formatJob, content []byte, text string) error {
	if bytes.Equal(content, []byte(text)) {
		return nil
	}
	r.changed = true
	if !r.options.diff {
		_, err := fmt.Fprintln(r.Stdout, report.Lines(report.Visible(cli.AsArgument(j.name))))
		return err
	}
	diff := cli.UnifiedDiff(j.name, j.name, string(content), text, cli.Colors(r.options.color, r.Stdout))
	if diff == "" || !strings.HasSuffix(string(content), "\n") != !strings.HasSuffix(text, "\n") {
		// What a line shows is equal: the line ends differ, or the last one is absent.
		diff += report.Lines(report.Visible(j.name) + ": the line ends differ\n")
	}
	_, err := io.WriteString(r.Stdout, diff)
	return err
}
