// Package deliver prints, compares and writes what was made of targets, and says what was found in them.
package deliver

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/run"
	"github.com/radbicep/rad/cmd/rad/internal/targets"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep/plan"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/generate"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/params"
)

// Delivery prints, compares or writes what was made.
type Delivery struct {
	*project.Project
	Console  *cli.App
	Reporter *cli.Reporter
	Options  Options
	Args     []params.Arg  // of the command line, for messages that repeat it
	Seen     *targets.Seen // how the targets were found
	Written  Written       // by --watch

	orphaned []string // manifests that no target makes any more
	secrets  []run.Secret
	leftOut  []run.Left
	empty    []*run.Outcome // of targets whose folder gets no object
}

// Options are what a command line says of what becomes of manifests.
type Options struct {
	Check        bool
	Prune        bool
	Diff         string // text or resources, if it is asked for
	Watch, Force bool
	FailOnChange bool
	IgnoreStamp  bool
}

// state says how a manifest compares with its file.
type state int

const (
	same state = iota
	stale
	absent
)

// compare looks at the file that a manifest goes to, and returns what it holds.
func (g *Delivery) compare(r *run.Outcome) (state, []byte, error) {
	area := g.Bounds
	switch info, err := area.Stat(r.Target.Outfile); {
	case err != nil:
	case info.IsDir():
		return stale, nil, fmt.Errorf("%s is a folder; name a file in it with --outfile, or give the folder with --outdir",
			r.Target.Outfile)
	case g.Written.is(r.Target.Outfile, info) && !bytes.Equal(r.Content, g.Written[r.Target.Outfile].content):
		return stale, nil, nil
	}
	old, stream, err := area.Existing(r.Target.Outfile)
	switch {
	case stream:
		return stale, nil, nil
	case errors.Is(err, fs.ErrNotExist):
		return absent, nil, nil
	case err != nil:
		return stale, nil, err
	case bytes.Equal(old, r.Content):
		return same, old, nil
	case bytes.Contains(old, []byte("\r\n")) && bytes.Equal(bytes.ReplaceAll(old, []byte("\r\n"), []byte("\n")), r.Content):
		return same, old, nil // git turned the line ends around
	}
	return stale, old, nil
}

// GenerateResult is the result of generate-kubernetes-manifest.
type GenerateResult struct {
	Manifests []run.Delivered `json:"manifests"`
	Orphans   []string        `json:"orphans,omitempty" doc:"manifests that no target makes any more; --prune deletes them"`
	Secrets   []run.Secret    `json:"secrets,omitempty" doc:"with --target kubernetes: Secrets of the program that are in no manifest, since their values are secret"`
	LeftOut   []run.Left      `json:"leftOut,omitempty" doc:"with --skip-unsupported: resources that no objects are made of"`
}

// Deliver prints, compares or writes the manifests.
func (g *Delivery) Deliver(ctx context.Context, outcomes []*run.Outcome) error {
	for _, r := range outcomes {
		name, namespace := r.Called()
		r.Delivered = run.Delivered{Input: workdir.Slashed(r.Target.Arg),
			Name: name, Namespace: namespace, Size: len(r.Content), Private: r.Private, Parameters: r.Explain, State: "unchanged"}
		if r.Target.Outfile != "-" {
			r.Delivered.File = workdir.Slashed(r.Target.Outfile)
		}
	}
	defer func() {
		result := GenerateResult{Manifests: []run.Delivered{}, Orphans: g.orphaned, Secrets: g.secrets, LeftOut: g.leftOut}
		for _, r := range outcomes {
			result.Manifests = append(result.Manifests, r.Delivered)
		}
		g.Console.Result = result
	}()
	if len(outcomes) > 0 && outcomes[0].Target.Outfile == "-" { // a target without objects has no file in a folder
		return g.Print(outcomes)
	}
	if g.Options.Check || g.Options.Diff != "" {
		return g.compareAll(ctx, outcomes)
	}
	written, err := g.write(outcomes)
	if err != nil {
		return err
	}
	pruned, err := g.judgeOrphans(outcomes)
	switch {
	case err != nil:
		return err
	case g.Options.FailOnChange:
		if err := g.staged(ctx, outcomes); err != nil || written == 0 && !pruned {
			return err
		}
		return cli.Silent(cli.ExitStale)
	}
	if !g.Brief() {
		g.sayApply(outcomes)
	}
	return nil
}

// write writes the manifests, and returns how many of them were not there already. Nothing is
// written before everything can be.
func (g *Delivery) write(outcomes []*run.Outcome) (written int, err error) {
	states := make([]state, len(outcomes))
	for i, r := range outcomes {
		s, old, err := g.compare(r)
		if err != nil {
			return 0, cli.FailWith(cli.ExitIO, err)
		}
		if s == stale && len(bytes.TrimSpace(old)) > 0 && !g.Options.Force && !r.Owns(old) {
			switch {
			case r.Kind.OfAnyKind():
				return 0, cli.Fail(cli.ExitIO, "%s exists and was not written by this command; --force replaces it", r.Target.Outfile)
			case r.Kind != nil:
				return 0, cli.Fail(cli.ExitIO, "%s exists and does not hold %s; --force replaces it", r.Target.Outfile, r.Kind.What)
			}
			return 0, cli.Fail(cli.ExitIO, "%s exists and is not a DeploymentTemplate manifest; --force replaces it", r.Target.Outfile)
		}
		states[i] = s
	}
	for i, r := range outcomes {
		if states[i] == same {
			if r.Private {
				if err := makePrivate(r.Target.Outfile); err != nil {
					return written, cli.FailWith(cli.ExitIO, err)
				}
			}
			continue
		}
		mode := fs.FileMode(0o644)
		if r.Private {
			mode = 0o600
		}
		if err := g.Bounds.WriteFileMode(r.Target.Outfile, r.Content, mode); err != nil {
			return written, cli.FailWith(cli.ExitIO, err)
		}
		if g.Options.Watch {
			g.Written.note(g.Bounds, r)
		}
		written++
		r.Delivered.State = "written"
	}
	g.sayWritten(outcomes)
	g.sayOverrides(outcomes)
	return written, nil
}

// Written are the outputs that --watch has written, by name. What is there need not be
// read again to know that it may be replaced.
type Written map[string]struct {
	version source.Version
	content []byte
}

// is reports whether a file is as it was written.
func (w Written) is(name string, info fs.FileInfo) bool {
	v := source.VersionOf(info)
	return v.Known() && v == w[name].version
}

// note remembers what was written.
func (w Written) note(area workdir.Bounds, r *run.Outcome) {
	if info, err := area.Stat(r.Target.Outfile); err == nil && info.Size() == int64(len(r.Content)) {
		one := w[r.Target.Outfile]
		one.version, one.content = source.VersionOf(info), r.Content
		w[r.Target.Outfile] = one
	}
}

// makePrivate takes a file away from everybody but its owner. A link is followed to the
// file that was compared.
func makePrivate(path string) error {
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm()&0o077 == 0 || !info.Mode().IsRegular() {
		return err
	}
	return os.Chmod(path, info.Mode().Perm()&^0o077)
}

// Print writes the manifests to stdout, as one stream of documents.
func (g *Delivery) Print(outcomes []*run.Outcome) error {
	for i, r := range outcomes {
		if r.Delivered.State = "printed"; g.Console.WantsJSON() {
			r.Delivered.Content, r.Delivered.File = string(r.Content), ""
			continue
		}
		if i > 0 {
			if _, err := fmt.Fprintln(g.Console.Stdout, "---"); err != nil {
				return cli.FailWith(cli.ExitIO, err)
			}
		}
		if err := g.Console.WriteResult(r.Content); err != nil {
			return err
		}
	}
	return nil
}

// compareAll does --check and --diff.
func (g *Delivery) compareAll(ctx context.Context, outcomes []*run.Outcome) error {
	changed := false
	for _, r := range outcomes {
		s, old, err := g.compare(r)
		if err != nil {
			return cli.FailWith(cli.ExitIO, err)
		}
		stampOnly := s == stale && sameButStamp(old, r.Content)
		if s == same || stampOnly && g.Options.IgnoreStamp {
			continue
		}
		changed = true
		r.Delivered.State, r.Delivered.Stamp = "stale", stampOnly
		if s == absent {
			r.Delivered.State = "absent"
		}
		first, _, conflict := manifest.Sides(old)
		if r.Delivered.Conflict = conflict; conflict {
			old = first
			if g.Options.Diff != "" {
				g.Reporter.Say("%s has conflict markers; this is the difference to their first side", r.Target.Outfile)
			}
		}
		switch g.Options.Diff {
		case "text":
			g.showDiff(r, old, s)
		case "resources":
			g.showPlan(r, old)
		}
		if g.Options.Check {
			what := "is not up to date"
			switch {
			case s == absent:
				what = "does not exist"
			case conflict:
				what = "has conflict markers"
			case stampOnly:
				what = "differs only in the compiler's version and hash (--ignore-generator lets it pass)"
			}
			if g.Reporter.Printer.Format == report.Text {
				g.Reporter.Say("%s %s; generate it from %s: %s", r.Target.Outfile, what, r.Target.Arg, g.renewal(r.Target))
			} else {
				g.Reporter.Put(report.Finding{Path: r.Target.AbsOutfile(), Severity: report.Error, Code: "stale-manifest",
					Message: fmt.Sprintf("This manifest %s; generate it from %s.", what, r.Target.Arg)})
			}
		}
	}
	orphaned, err := g.judgeOrphans(outcomes)
	if err != nil {
		return err
	}
	if changed || orphaned {
		return cli.Silent(cli.ExitStale)
	}
	if g.Options.FailOnChange {
		return g.staged(ctx, outcomes)
	}
	return nil
}

// renewal returns the command that writes a manifest again. Values of parameters are not
// shown: they may be secret.
func (g *Delivery) renewal(t *targets.Target) string {
	words := []string{"rad bicep generate-kubernetes-manifest"}
	if name := cmp.Or(t.Named, t.Arg); t.ListedAt == "" || t.Named != "" {
		words = append(words, cli.ShellQuote(cli.AsArgument(name)))
	}
	return strings.Join(g.repeated(words...), " ")
}

// repeated adds the flags of the command line to the words of a command that writes.
func (g *Delivery) repeated(words ...string) []string {
	g.Flags.Visit(func(f *pflag.Flag) {
		switch f.Name {
		case "check", "diff", "ignore-generator", "fail-on-change", "diagnostics-format", "color", "parameters":
		default:
			words = append(words, asFlags(f)...)
		}
	})
	for _, a := range g.Args {
		words = append(words, "--parameters "+cli.ShellQuote(a.Written()))
	}
	return words
}

// asFlags returns a flag as it is written on a command line: once for each value of a list.
func asFlags(f *pflag.Flag) (words []string) {
	values := []string{f.Value.String()}
	if list, ok := f.Value.(pflag.SliceValue); ok {
		values = list.GetSlice()
	}
	for _, v := range values {
		if f.Value.Type() == "bool" && v == "true" {
			words = append(words, "--"+f.Name)
		} else {
			words = append(words, "--"+f.Name+"="+cli.ShellQuote(v))
		}
	}
	return words
}

// showPlan shows what a manifest would change in what is deployed.
func (g *Delivery) showPlan(r *run.Outcome, old []byte) {
	p, err := generate.Changes(old, r.Manifest)
	if err != nil {
		g.Reporter.Say("%s differs; its resources cannot be compared: %v", r.Target.Outfile, err)
		return
	}
	if g.Console.WantsJSON() {
		r.Delivered.Plan = cli.RawJSON(p.JSON(g.Shown))
		return
	}
	p.Remedy = cli.UnknownRemedy
	var text strings.Builder
	style := plan.Style{Color: cli.Colors(g.Color, g.Console.Stderr), File: g.Shown}
	_ = plan.WriteText(&text, []plan.Section{{Title: r.Target.Outfile, Plan: p}}, style) // a Builder does not fail
	g.showText(text.String())
}

func (g *Delivery) showDiff(r *run.Outcome, old []byte, s state) {
	color := cli.Colors(g.Color, g.Console.Stderr)
	format := r.Target.Format()
	before, after, ok := []byte(nil), []byte(nil), false
	switch {
	case r.Manifest != nil:
		before, after, ok = r.Manifest.Masked(old, format)
	case len(bytes.TrimSpace(old)) == 0 || r.Owns(old): // objects hold no values of secure parameters
		before, after, ok = manifest.MaskedObjects(r.Objects, slices.Concat(r.Header, r.Comments), old, format)
	}
	if !ok {
		g.Reporter.Say("%s differs; it cannot be shown, since it may hold values of secure parameters or of the environment",
			r.Target.Outfile)
		return
	}
	from := r.Target.Outfile
	if s == absent {
		from = os.DevNull
	}
	text := cli.UnifiedDiff(from, r.Target.Outfile, string(before), string(after), color && !g.Console.WantsJSON())
	if g.Console.WantsJSON() {
		r.Delivered.Diff = text
		return
	}
	if text == "" {
		g.Reporter.Say("%s differs only in the values of secure parameters or of the environment, or in its layout", r.Target.Outfile)
		return
	}
	g.showText(text)
}

// showText writes a text for people to stderr. In CI, what a repository holds must not
// be taken for commands.
func (g *Delivery) showText(text string) {
	if g.Console.Quiet {
		return
	}
	switch g.Reporter.Printer.Format {
	case report.GitHub: // what a repository holds must not be taken for commands
		token := rand.Text()
		fmt.Fprintf(g.Console.Stderr, "::stop-commands::%s\n%s::%s::\n", token, report.Lines(text), token)
	default:
		fmt.Fprint(g.Console.Stderr, report.Lines(text))
	}
}
