package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
	"github.com/radbicep/rad/pkg/manifest"
	"github.com/radbicep/rad/pkg/params"
)

// state says how a manifest compares with its file.
type state int

const (
	same state = iota
	stale
	absent
)

// compare looks at the file that a manifest goes to, and returns what it holds.
func (g *generator) compare(r *outcome) (state, []byte, error) {
	area := g.compile.bounds
	switch info, err := area.stat(r.task.outfile); {
	case err != nil:
	case info.IsDir():
		return stale, nil, fmt.Errorf("%s is a folder; name a file in it by --outfile, or give the folder by --outdir", r.task.outfile)
	case g.app.written.is(r.task.outfile, info) && !bytes.Equal(r.content, g.app.written[r.task.outfile].content):
		return stale, nil, nil
	}
	old, stream, err := area.existing(r.task.outfile)
	switch {
	case stream:
		return stale, nil, nil
	case errors.Is(err, fs.ErrNotExist):
		return absent, nil, nil
	case err != nil:
		return stale, nil, err
	case bytes.Equal(old, r.content):
		return same, old, nil
	case bytes.Contains(old, []byte("\r\n")) && bytes.Equal(bytes.ReplaceAll(old, []byte("\r\n"), []byte("\n")), r.content):
		return same, old, nil // git turned the line ends around
	}
	return stale, old, nil
}

// manifestResult is what --format json says of a manifest.
type manifestResult struct {
	Input      string          `json:"input" doc:"the template or parameter file, as it was named"`
	Name       string          `json:"name"`
	Namespace  string          `json:"namespace,omitempty"`
	File       string          `json:"file,omitempty" doc:"where the manifest is; absent if it is printed"`
	State      string          `json:"state" enum:"written,unchanged,stale,absent,printed" doc:"stale and absent: with --check and --diff, the file differs or does not exist"`
	Stamp      bool            `json:"generatorOnly,omitempty" doc:"the file differs only in the compiler's version and hash"`
	Size       int             `json:"size" doc:"of the manifest, in bytes"`
	Private    bool            `json:"private,omitempty" doc:"it holds values of secure parameters"`
	Content    string          `json:"content,omitempty" doc:"the manifest, if it is printed"`
	Diff       string          `json:"diff,omitempty" doc:"with --diff: unified diff, secure values masked"`
	Plan       json.RawMessage `json:"plan,omitempty" schema:"plan" doc:"with --diff=resources"`
	Parameters []explained     `json:"parameters,omitempty" doc:"with --explain-parameters"`
}

// generateResult is the result of generate-kubernetes-manifest.
type generateResult struct {
	Manifests []manifestResult `json:"manifests"`
}

// deliver prints, compares or writes the manifests.
func (g *generator) deliver(ctx context.Context, outcomes []*outcome) error {
	for _, r := range outcomes {
		name, namespace := r.called()
		r.delivered = manifestResult{Input: slashed(r.task.arg), Name: name, Namespace: namespace, Size: len(r.content), Private: r.private, Parameters: r.explain, State: "unchanged"}
		if r.task.outfile != "-" {
			r.delivered.File = slashed(r.task.outfile)
		}
	}
	defer func() {
		result := generateResult{Manifests: []manifestResult{}}
		for _, r := range outcomes {
			result.Manifests = append(result.Manifests, r.delivered)
		}
		g.result = result
	}()
	if g.options.outfile == "-" || outcomes[0].task.outfile == "-" {
		return g.print(outcomes)
	}
	if g.options.check || g.options.diff != "" {
		return g.compareAll(ctx, outcomes)
	}
	// Nothing is written before everything can be.
	states := make([]state, len(outcomes))
	for i, r := range outcomes {
		s, old, err := g.compare(r)
		if err != nil {
			return failWith(exitIO, err)
		}
		if s == stale && len(bytes.TrimSpace(old)) > 0 && !g.options.force && !r.owns(old) {
			if r.target != nil {
				return fail(exitIO, "%s exists and does not hold %s; --force replaces it", r.task.outfile, r.target.what)
			}
			return fail(exitIO, "%s exists and is not a DeploymentTemplate manifest; --force replaces it", r.task.outfile)
		}
		states[i] = s
	}
	var written, large int
	var files []string
	for i, r := range outcomes {
		if r.manifest != nil && r.manifest.Large() {
			large++
		}
		if r.folder == "" {
			files = append(files, r.task.outfile)
		} else if folder := g.display(r.folder); !slices.Contains(files, folder) {
			files = append(files, folder)
		}
		if states[i] == same {
			if r.private {
				if err := makePrivate(r.task.outfile); err != nil {
					return failWith(exitIO, err)
				}
			}
			g.say("%s %s up to date at %s%s", r.what(), r.verb(), r.task.outfile, r.refused())
			continue
		}
		mode := fs.FileMode(0o644)
		if r.private {
			mode = 0o600
		}
		if err := g.compile.bounds.writeFileMode(r.task.outfile, r.content, mode); err != nil {
			return failWith(exitIO, err)
		}
		if g.options.watch {
			g.app.written.note(g.compile.bounds, r)
		}
		written++
		r.delivered.State = "written"
		g.say("%s generated at %s%s", r.what(), r.task.outfile, r.refused())
	}
	if g.options.failOnChange {
		if err := g.staged(ctx, outcomes); err != nil || written == 0 {
			return err
		}
		return silent(exitStale)
	}
	resource, apply := "the DeploymentTemplate resource", "kubectl apply"
	if len(files) > 1 {
		resource += "s"
	}
	if outcomes[0].target != nil {
		resource = "the " + outcomes[0].target.what
	}
	if large > 0 {
		apply += " --server-side"
	}
	g.say("\nTo apply %s onto your cluster, run:", resource)
	for _, f := range files {
		g.say("%s -f %s", apply, shellQuote(asArgument(f)))
	}
	return nil
}

// writtenFiles are the outputs that --watch has written, by name. What is there need not be
// read again to know that it may be replaced.
type writtenFiles map[string]struct {
	version source.Version
	content []byte
}

// is reports whether a file is as it was written.
func (w writtenFiles) is(name string, info fs.FileInfo) bool {
	v := source.VersionOf(info)
	return v.Known() && v == w[name].version
}

// note remembers what was written.
func (w writtenFiles) note(area bounds, r *outcome) {
	if info, err := area.stat(r.task.outfile); err == nil && info.Size() == int64(len(r.content)) {
		one := w[r.task.outfile]
		one.version, one.content = source.VersionOf(info), r.content
		w[r.task.outfile] = one
	}
}

// refused says that the cluster will refuse what the manifest holds, or nothing: the
// compiler only warns of required properties that a resource lacks.
func (r *outcome) refused() string {
	n := 0
	for _, f := range r.findings {
		if f.Code == "BCP035" && r.target == nil {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", but Radius will refuse it: required properties are missing in %s (BCP035)", plural(n, "place"))
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

// print writes the manifests to stdout, as one stream of documents.
func (g *generator) print(outcomes []*outcome) error {
	for i, r := range outcomes {
		if r.delivered.State = "printed"; g.wantsJSON() {
			r.delivered.Content, r.delivered.File = string(r.content), ""
			continue
		}
		if i > 0 {
			if _, err := fmt.Fprintln(g.stdout, "---"); err != nil {
				return failWith(exitIO, err)
			}
		}
		if _, err := g.stdout.Write(r.content); err != nil {
			return failWith(exitIO, err)
		}
	}
	return nil
}

// compareAll does --check and --diff.
func (g *generator) compareAll(ctx context.Context, outcomes []*outcome) error {
	changed := false
	for _, r := range outcomes {
		s, old, err := g.compare(r)
		if err != nil {
			return failWith(exitIO, err)
		}
		stampOnly := s == stale && sameButStamp(old, r.content)
		if s == same || stampOnly && g.options.ignoreStamp {
			continue
		}
		changed = true
		r.delivered.State, r.delivered.Stamp = "stale", stampOnly
		if s == absent {
			r.delivered.State = "absent"
		}
		switch g.options.diff {
		case "text":
			g.showDiff(r, old, s)
		case "resources":
			g.showPlan(r, old)
		}
		if g.options.check {
			what := "is not up to date"
			switch {
			case s == absent:
				what = "does not exist"
			case stampOnly:
				what = "differs only in the compiler's version and hash (--ignore-generator lets it pass)"
			}
			if g.found.printer.Format == report.Text {
				g.say("%s %s; generate it from %s: %s", r.task.outfile, what, r.task.arg, g.renewal(r.task))
			} else {
				g.found.pending = append(g.found.pending, report.Finding{Path: r.task.absOutfile(), Severity: report.Error, Code: "stale-manifest",
					Message: fmt.Sprintf("This manifest %s; generate it from %s.", what, r.task.arg)})
			}
		}
	}
	if changed {
		return silent(exitStale)
	}
	if g.options.failOnChange {
		return g.staged(ctx, outcomes)
	}
	return nil
}

// renewal returns the command that writes a manifest again. Values of parameters are not
// shown: they may be secret.
func (g *generator) renewal(t *task) string {
	words := []string{"rad bicep generate-kubernetes-manifest"}
	if t.listed == "" {
		words = append(words, shellQuote(asArgument(t.arg)))
	}
	g.compile.flags.Visit(func(f *pflag.Flag) {
		switch f.Name {
		case "check", "diff", "ignore-generator", "fail-on-change", "diagnostics-format", "color", "parameters":
		default:
			words = append(words, "--"+f.Name+"="+shellQuote(f.Value.String()))
		}
	})
	for _, one := range g.options.parameters {
		arg, err := params.ParseArg(one)
		if err == nil && (arg.Kind == params.ArgText || arg.Kind == params.ArgJSON) {
			before, _, _ := strings.Cut(one, "=")
			one = before + "=…"
		}
		words = append(words, "--parameters "+shellQuote(one))
	}
	return strings.Join(words, " ")
}

// showPlan shows what a manifest would change in what is deployed.
func (g *generator) showPlan(r *outcome, old []byte) {
	p, err := comparePlan(old, r.manifest)
	if err != nil {
		g.say("%s differs; its resources cannot be compared: %v", r.task.outfile, err)
		return
	}
	if g.wantsJSON() {
		r.delivered.Plan = rawJSON(p.JSON(g.display))
		return
	}
	p.Remedy = unknownRemedy
	var text strings.Builder
	_ = p.WriteText(&text, colors(g.compile.str(keyColor), g.stderr)) // a Builder does not fail
	g.showText(report.Visible(r.task.outfile) + ": " + text.String())
}

func (g *generator) showDiff(r *outcome, old []byte, s state) {
	color := colors(g.compile.str(keyColor), g.stderr)
	format := manifest.Format(g.compile.str(keyOutputFormat))
	before, after, ok := []byte(nil), []byte(nil), false
	switch {
	case r.manifest != nil:
		before, after, ok = r.manifest.Masked(old, format)
	case len(bytes.TrimSpace(old)) == 0 || r.owns(old): // objects hold no values of secure parameters
		before, after, ok = manifest.MaskedObjects(r.objects, r.comments, old, format)
	}
	if !ok {
		g.say("%s differs; it cannot be shown, since it may hold values of secure parameters or of the environment", r.task.outfile)
		return
	}
	from := r.task.outfile
	if s == absent {
		from = os.DevNull
	}
	text := unifiedDiff(from, r.task.outfile, string(before), string(after), color && !g.wantsJSON())
	if g.wantsJSON() {
		r.delivered.Diff = text
		return
	}
	if text == "" {
		g.say("%s differs only in the values of secure parameters or of the environment, or in its layout", r.task.outfile)
		return
	}
	g.showText(text)
}

// showText writes a text for people to stderr. In CI, what a repository holds must not
// be taken for commands.
func (g *generator) showText(text string) {
	if g.quiet {
		return
	}
	switch g.found.printer.Format {
	case report.GitHub: // what a repository holds must not be taken for commands
		token := rand.Text()
		fmt.Fprintf(g.stderr, "::stop-commands::%s\n%s::%s::\n", token, report.Lines(text), token)
	default:
		fmt.Fprint(g.stderr, report.Lines(text))
	}
}

// shellQuote returns a word as a shell reads it.
func shellQuote(s string) string {
	plain := s != ""
	for _, r := range s {
		if r != '/' && r != '.' && r != '-' && r != '_' && r != ':' && r != '\\' && r != '+' && r != '@' &&
			(r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r < 0x80 {
			plain = false
		}
	}
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
