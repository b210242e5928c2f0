// Package releases compares what two releases of Bicep make of the same files: their findings, the text
// of their templates, and what is deployed. So a change of the release is reviewed by its effect.
//
// Begin with Compare.
package releases

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/compile"
	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/expand"
	"github.com/radbicep/rad/pkg/bicep/plan"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/generate"
)

// Choose takes the two releases out of a command line: the value of the flag, and the first argument
// that is one. It returns their numbers, in the order in which they were named, and the other arguments.
func Choose(value string, args []string) (from, to string, files []string, err error) {
	if from, _, err = bicep.FindRelease(value); err != nil || value == "" {
		return "", "", nil, wrong(value)
	}
	for i, arg := range args {
		if name, _, err := bicep.FindRelease(arg); err == nil && arg != "" {
			to, files = name, slices.Delete(slices.Clone(args), i, i+1)
			break
		}
	}
	switch {
	case to == "":
		return "", "", nil, wrong("")
	case from == to:
		return "", "", nil, cli.Fail(cli.ExitUsage, "--compare-versions: %s and %s are the same release", from, to)
	}
	return from, to, files, nil
}

func wrong(value string) error {
	about := "it needs two releases, such as --compare-versions 0.46.1 0.49.2 app.bicep"
	if value != "" {
		about = fmt.Sprintf("unknown release of Bicep %q", value)
	}
	return cli.Fail(cli.ExitUsage, "--compare-versions: %s; known are %s", about, strings.Join(bicep.Releases(), ", "))
}

// counts are of files.
type counts struct{ all, findings, templates, deployed, stamped, broken int }

func (n counts) String() string {
	var parts []string
	for _, x := range []struct {
		n    int
		what string
	}{
		{n.findings, "with other findings"},
		{n.templates, "with other output"},
		{n.deployed, "with another deployment"},
		{n.stamped, "with another stamp and hash only"},
		{n.broken, "that compile with neither"},
	} {
		if x.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", x.n, x.what))
		}
	}
	return cli.Plural(n.all, "file") + ": " + strings.Join(parts, ", ")
}

// comparison is a run of Compare.
type comparison struct {
	from, to compile.Run
	counts   counts
	out      bytes.Buffer
}

// Compare compares files and prints what differs beside stamps and hashes. It reports whether
// anything does.
func Compare(ctx context.Context, a *cli.App, r compile.Run, from, to string, jobs []compile.Job) (differs bool, err error) {
	c := &comparison{from: r, to: r}
	c.from.Base.BicepVersion, c.to.Base.BicepVersion = from, to
	fmt.Fprintf(&c.out, "Bicep %s -> %s\n", from, to)
	next, stop := iter.Pull2(c.to.All(ctx, jobs))
	defer stop()
	for i, before := range c.from.All(ctx, jobs) {
		_, after, ok := next()
		if !ok {
			return false, cli.FailWith(cli.ExitIO, ctx.Err())
		}
		for _, x := range []compile.Outcome{before, after} {
			if x.Err != nil {
				return false, x.Err
			}
		}
		if err := c.file(ctx, jobs[i].Input, before.Result, after.Result); err != nil {
			return false, err
		}
		// What is known is printed at once.
		if err := a.WriteResult(c.out.Bytes()); err != nil {
			return false, err
		}
		c.out.Reset()
	}
	fmt.Fprintf(&c.out, "\n%s\n", c.counts)
	return c.counts.findings+c.counts.templates > 0, a.WriteResult(c.out.Bytes())
}

// file compares the two results of a file.
func (c *comparison) file(ctx context.Context, path string, before, after *bicep.Result) error {
	c.counts.all++
	gone, come := difference(before.Findings, after.Findings)
	var places []string
	both := before.OK() && after.OK()
	switch {
	case both:
		places = append(differing(before.Template, after.Template, "template"),
			differing(before.Parameters, after.Parameters, "parameters")...)
	case !before.OK() && !after.OK():
		c.counts.broken++
	}
	if len(gone)+len(come) > 0 {
		c.counts.findings++
	}
	if len(gone)+len(come)+len(places) == 0 {
		if both {
			c.counts.stamped++
		}
		return nil
	}
	fmt.Fprintf(&c.out, "\n%s\n", report.Visible(c.from.Project.Shown(path)))
	switch {
	case before.OK() && !after.OK():
		fmt.Fprintf(&c.out, "  it compiles no more\n")
	case !before.OK() && after.OK():
		fmt.Fprintf(&c.out, "  it compiles now\n")
	}
	c.findings("-", gone)
	c.findings("+", come)
	if len(places) == 0 {
		return nil
	}
	c.counts.templates++
	const few = 8
	shown := places[:min(few, len(places))]
	fmt.Fprintf(&c.out, "  other output at %s", report.Visible(strings.Join(shown, ", ")))
	if n := len(places) - len(shown); n > 0 {
		fmt.Fprintf(&c.out, " and %s", cli.Plural(n, "more place"))
	}
	fmt.Fprintln(&c.out)
	return c.plan(ctx, path)
}

// findings prints what only one of the releases finds.
func (c *comparison) findings(mark string, list []report.Finding) {
	here := report.Printer{Base: c.from.Project.Cwd}
	for _, f := range list {
		fmt.Fprintf(&c.out, "  %s %s(%d,%d) : %s %s: %s\n", mark, report.Visible(c.from.Project.Shown(f.Path)),
			f.Start.Line, f.Start.Column, f.Severity, report.Visible(f.Code), report.Visible(here.Message(f)))
	}
}

// plan prints what the second release would deploy otherwise.
func (c *comparison) plan(ctx context.Context, path string) error {
	before, err := predict(ctx, &c.from, path)
	if err != nil {
		return err
	}
	after, err := predict(ctx, &c.to, path)
	if err != nil {
		return err
	}
	if before == nil || after == nil {
		fmt.Fprintf(&c.out, "  what is deployed cannot be predicted\n")
		return nil
	}
	p := plan.Compare(before, after)
	if p.Empty() {
		fmt.Fprintf(&c.out, "  deployed: no changes\n")
		return nil
	}
	c.counts.deployed++
	var text bytes.Buffer
	if err := p.WriteText(&text, plan.Style{}); err != nil {
		return err
	}
	fmt.Fprintf(&c.out, "  deployed:\n")
	for line := range strings.Lines(text.String()) {
		fmt.Fprint(&c.out, "    ", line)
	}
	return nil
}

// predict returns what a file deploys, whatever its parameters are; nil if that cannot be said.
func predict(ctx context.Context, r *compile.Run, path string) (*expand.Result, error) {
	s := generate.Source{Compiler: r.Project.Compiler, Base: r.Base, AsCompiled: true, NoTemplate: true}
	s.Base.Symbolic = true
	p, err := generate.Load(ctx, s, generate.Input{Template: path})
	if err != nil {
		return nil, err
	}
	if p.Failed() != nil || p.Tree == nil {
		return nil, nil
	}
	deployed, _, _ := p.Expand(expand.Context{})
	return deployed, nil
}

// difference returns the findings that are in one list only. A message is not compared: it may name
// the release.
func difference(before, after []report.Finding) (gone, come []report.Finding) {
	type key struct {
		path         string
		line, column int
		level, code  string
	}
	of := func(f report.Finding) key {
		return key{f.Path, f.Start.Line, f.Start.Column, f.Severity.String(), f.Code}
	}
	count := map[key]int{}
	for _, f := range before {
		count[of(f)]++
	}
	for _, f := range after {
		if count[of(f)]--; count[of(f)] < 0 {
			come = append(come, f)
		}
	}
	for _, f := range before {
		if count[of(f)] > 0 {
			count[of(f)]--
			gone = append(gone, f)
		}
	}
	return gone, come
}

// differing returns where two texts of JSON differ, beside the stamps of compilers.
func differing(before, after []byte, name string) []string {
	if bytes.Equal(before, after) {
		return nil
	}
	x, err := armjson.ParseBytes(before, armjson.Options{MaxDepth: armjson.TemplateMaxDepth})
	if err != nil {
		return []string{name}
	}
	y, err := armjson.ParseBytes(after, armjson.Options{MaxDepth: armjson.TemplateMaxDepth})
	if err != nil {
		return []string{name}
	}
	var d places
	d.compare(x, y, name)
	return d
}

// places are paths at which two values differ.
type places []string

func (d *places) compare(x, y armjson.Value, path string) {
	switch x := x.(type) {
	case *armjson.Object:
		y, ok := y.(*armjson.Object)
		if !ok {
			break
		}
		for name, v := range x.All() {
			w, ok := y.Get(name)
			switch {
			case name == "_generator" && filepath.Ext(path) == ".metadata":
			case !ok:
				*d = append(*d, path+"."+name)
			default:
				d.compare(v, w, path+"."+name)
			}
		}
		for name := range y.All() {
			if _, ok := x.Get(name); !ok {
				*d = append(*d, path+"."+name)
			}
		}
		return
	case armjson.Array:
		y, ok := y.(armjson.Array)
		if !ok || len(x) != len(y) {
			break
		}
		for i := range x {
			d.compare(x[i], y[i], fmt.Sprintf("%s[%d]", path, i))
		}
		return
	}
	if armjson.Text(x) != armjson.Text(y) {
		*d = append(*d, path)
	}
}
