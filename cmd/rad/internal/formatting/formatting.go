// Package formatting lays out the files that a command line names: it finds them, reads them, and
// prints, compares or writes what pkg/bicep/format makes of them.
package formatting

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/memory"
	"github.com/radbicep/rad/cmd/rad/internal/settings"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/format"
	"github.com/radbicep/rad/pkg/bicep/report"
)

// Options say which files are laid out, how, and what becomes of the text.
type Options struct {
	Pattern       string // instead of arguments
	StdinFilename string // what standard input is called
	Layout        format.Layout

	// Without any of these, files are written in place. Print is to standard output.
	Print           bool
	Outfile, Outdir string
	Check, Diff     bool // nothing is written

	Color string         // when the diff and findings have colours
	Flags *pflag.FlagSet // of the command, for the settings that bound its files

	others error // files of another kind that the pattern matches
}

// Run lays out the files that the arguments stand for.
func Run(ctx context.Context, app *cli.App, args []string, o Options) error {
	jobs, err := o.jobs(args)
	if err != nil {
		return err
	}
	if err := o.checkJobs(jobs); err != nil {
		return err
	}
	if len(jobs) == 0 && o.others == nil {
		app.Say("Warning: no file matches --pattern %s", o.Pattern)
	}
	r := &run{App: app, options: o, formatters: map[string]*format.Formatter{}, areas: map[string]area{}, told: map[string]bool{}}
	for _, j := range jobs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.one(j); err != nil {
			var internal *bicep.InternalError
			if errors.As(err, &internal) || len(jobs) == 1 {
				return cli.FailWith(cli.ExitIO, err)
			}
			// One file that cannot be read is not a reason to leave out the others.
			app.Tell("Error: %v", err)
			r.failed = true
		}
	}
	switch {
	case o.others != nil:
		return o.others
	case r.failed:
		return cli.Silent(cli.ExitIO)
	case r.changed && (o.Check || o.Diff):
		return cli.Silent(cli.ExitStale)
	}
	return nil
}

// run lays out the files of one command line.
type run struct {
	*cli.App
	options    Options
	formatters map[string]*format.Formatter // by the root that configurations are looked for in
	areas      map[string]area              // by folder
	changed    bool
	failed     bool
	told       map[string]bool // of configurations
}

// formatter returns the formatter for a file. Configurations are looked for in the root or the git
// work tree, and wherever there is none in all folders above.
func (r *run) formatter(path string) (*format.Formatter, error) {
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
	f, err := format.New(workdir.FilesBelow(root), r.options.Layout)
	if err != nil {
		return nil, err
	}
	r.formatters[root] = f
	return f, nil
}

// area is where the files of a folder may be.
type area struct {
	workdir.Bounds
	rooted bool
}

// area returns the bounds of a file.
func (r *run) area(path string) (area, error) {
	dir := filepath.Dir(path)
	a, known := r.areas[dir]
	if !known {
		var err error
		if a.Bounds, a.rooted, err = settings.Area(r.options.Flags, dir); err != nil {
			return a, err
		}
		r.areas[dir] = a
	}
	return a, nil
}

func (r *run) one(j job) error {
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
		p := report.Printer{Format: report.Text, Color: cli.FindingColors(r.options.Color, r.Stderr)}
		if err := p.Print(r.Stderr, out.Findings); err != nil {
			return err
		}
	}
	switch {
	case report.AnyError(out.Findings):
		return cli.Silent(cli.ExitSource)
	case r.options.Check || r.options.Diff:
		return r.compare(j, content, out.Text)
	case j.output == "":
		return r.WriteResult([]byte(out.Text))
	}
	area, err := r.area(j.output)
	if err != nil {
		return err
	}
	return area.Replace(j.output, []byte(out.Text), 0o644, true) // what somebody wrote is not lost
}

// fresh leaves out what has been said of the configuration of another file.
func (r *run) fresh(list []report.Finding) []report.Finding {
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

func (r *run) read(j job) ([]byte, error) {
	if j.stdin {
		return io.ReadAll(r.Stdin)
	}
	area, err := r.area(j.input)
	if err != nil {
		return nil, err
	}
	text, err := area.ReadFile(j.input)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, cli.NoFile(j.name, "file")
	}
	memory.Expect(int64(len(text)))
	return text, err
}

// compare tells whether a file would change, and how.
func (r *run) compare(j job, content []byte, text string) error {
	if bytes.Equal(content, []byte(text)) {
		return nil
	}
	r.changed = true
	if !r.options.Diff {
		_, err := fmt.Fprintln(r.Stdout, report.Lines(report.Visible(cli.AsArgument(j.name))))
		return err
	}
	diff := cli.UnifiedDiff(j.name, j.name, string(content), text, cli.Colors(r.options.Color, r.Stdout))
	if diff == "" || !strings.HasSuffix(string(content), "\n") != !strings.HasSuffix(text, "\n") {
		// What a line shows is equal: the line ends differ, or the last one is absent.
		diff += report.Lines(report.Visible(j.name) + ": the line ends differ\n")
	}
	_, err := io.WriteString(r.Stdout, diff)
	return err
}
