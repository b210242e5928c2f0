// Package migrating moves programs to the resource types that take the place of those that Radius removes: it finds the
// programs, compiles what becomes of them, and shows or writes it.
package migrating

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/radbicep/rad/cmd/rad/internal/cli"
	"github.com/radbicep/rad/cmd/rad/internal/compile"
	"github.com/radbicep/rad/cmd/rad/internal/project"
	"github.com/radbicep/rad/cmd/rad/internal/workdir"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Options say how programs are moved.
type Options struct {
	Drop bool // what has no counterpart is left out
	Diff bool // nothing is written
}

// Result is what became of the files of a command line.
type Result struct {
	Files   []File   `json:"files" doc:"those that were moved, or with --diff those that would be"`
	Refused []string `json:"refused" doc:"the programs that cannot be moved, by their entry files: the findings say why"`
}

// File is a file that changes.
type File struct {
	Path string `json:"path"`
	Diff string `json:"diff,omitempty" doc:"with --diff: what would change"`
}

// program is one to move, with its modules.
type program struct {
	*bicep.Migration
	path    string
	refused bool
}

// refuse notes why a program is not moved.
func (p *program) refuse(file, why string) {
	p.refused = true
	p.Findings = append(p.Findings, report.Finding{Path: file, Severity: report.Error, Code: bicep.CodeNotFollowed, Message: why})
}

// run is what becomes of the files of a command line.
type run struct {
	*cli.App
	Options
	project  *project.Project
	found    *cli.Reporter
	programs []*program
	before   map[string]string // the texts of files that change
	marks    map[string]string // their byte order marks
}

// Run moves the programs of files, which are absolute paths.
func Run(ctx context.Context, app *cli.App, p *project.Project, found *cli.Reporter, files []string, o Options) error {
	r := &run{App: app, Options: o, project: p, found: found, before: map[string]string{}, marks: map[string]string{}}
	if err := r.load(ctx, files); err != nil {
		return err
	}
	r.unite()
	if err := r.report(); err != nil {
		return err
	}
	texts, err := r.check(ctx)
	if err != nil {
		return err
	}
	paths := slices.Sorted(maps.Keys(texts))
	if err := r.deliver(paths, texts); err != nil {
		return err
	}
	return r.tell(len(paths))
}

// load finds what becomes of each program. A file that another program has as a module is none.
func (r *run) load(ctx context.Context, files []string) error {
	modules := map[string]bool{}
	for _, path := range files {
		done := r.Working(r.project.Shown(path))
		m, err := bicep.Embedded{}.Migrate(ctx, r.project.Request(r.project.Base, path), r.Drop)
		if done(); err != nil {
			return err
		}
		for _, file := range m.Files {
			modules[file] = modules[file] || file != path
		}
		r.programs = append(r.programs, &program{Migration: m, path: path, refused: report.AnyError(m.Findings)})
	}
	r.programs = slices.DeleteFunc(r.programs, func(p *program) bool { return modules[p.path] })
	for _, p := range r.programs {
		for _, file := range slices.Sorted(maps.Keys(p.Texts)) {
			if err := r.read(p, file); err != nil {
				return err
			}
		}
	}
	return nil
}

// read reads a file that is to change, and refuses what is not written.
func (r *run) read(p *program, file string) error {
	if isLinked(filepath.Dir(p.path), file) {
		p.refuse(file, "The file is a link, or in a folder that is one, and no link is written through. Name the file that it leads to.")
		return nil
	}
	content, err := r.project.Base.FS.ReadFile(file)
	if err != nil {
		return err
	}
	mark, _, ok := compile.SourceText(content)
	if !ok {
		p.refuse(file, "The file is not UTF-8. Save it as UTF-8 first.")
	}
	r.before[file], r.marks[file] = string(content), mark
	return nil
}

// isLinked reports whether a file is a link, or a link is on the way to it from a folder.
func isLinked(folder, file string) bool {
	from, errFrom := filepath.EvalSymlinks(folder)
	to, errTo := filepath.EvalSymlinks(file)
	if errFrom != nil || errTo != nil {
		return true
	}
	named, errFrom := filepath.Rel(folder, file)
	leads, errTo := filepath.Rel(from, to)
	return errFrom != nil || errTo != nil || named != leads
}

// unite refuses programs that have a file in common with one that is refused, which would change with them.
func (r *run) unite() {
	changing := map[string][]*program{}
	var bad []*program
	for _, p := range r.programs {
		if p.refused {
			bad = append(bad, p)
		}
		for file := range p.Texts {
			changing[file] = append(changing[file], p)
		}
	}
	for i := 0; i < len(bad); i++ {
		for _, file := range bad[i].Files {
			for _, p := range changing[file] {
				if !p.refused {
					p.refuse(p.path, fmt.Sprintf("The program shares %s with %s, which cannot be moved.",
						r.project.Shown(file), r.project.Shown(bad[i].path)))
					bad = append(bad, p)
				}
			}
		}
	}
}

// report reports what was found in the programs that change, and why others do not.
func (r *run) report() error {
	type place struct {
		path, message string
		start         source.Position
	}
	told := map[place]bool{}
	for _, p := range r.programs {
		var list []report.Finding
		for _, f := range p.Findings {
			at := place{f.Path, f.Message, f.Start}
			if !told[at] && (p.refused && f.Severity == report.Error || !p.refused && len(p.Texts) > 0) {
				told[at] = true
				list = append(list, f)
			}
		}
		if err := r.found.Add(list); err != nil {
			return err
		}
	}
	return nil
}

// check compiles what is to be written, and returns it. That it does not compile is a fault of this program.
func (r *run) check(ctx context.Context) (map[string]string, error) {
	texts := map[string]string{}
	for _, p := range r.programs {
		if p.refused {
			continue
		}
		for file, text := range p.Texts {
			if text = r.marks[file] + text; text != r.before[file] {
				texts[file] = text
			}
		}
	}
	base := r.project.Base
	base.DiagnoseOnly = true
	for _, p := range r.programs {
		if p.refused || len(p.Texts) == 0 {
			continue
		}
		request := r.project.Request(base, p.path)
		request.FS = source.Overlay{Below: request.FS, Texts: texts}
		result, err := bicep.Embedded{}.Build(ctx, request)
		if err != nil {
			return nil, err
		}
		if err := report.ErrorOf(result.Findings); err != nil {
			return nil, &bicep.InternalError{File: p.path, Fault: fmt.Errorf("nothing is written: the result does not compile: %w", err)}
		}
	}
	return texts, nil
}

// deliver shows or writes the files: all of them, or none.
func (r *run) deliver(paths []string, texts map[string]string) error {
	result := Result{Files: []File{}, Refused: []string{}}
	for _, p := range r.programs {
		if p.refused {
			result.Refused = append(result.Refused, r.project.Shown(p.path))
		}
	}
	for _, path := range paths {
		one := File{Path: workdir.Shown(path)}
		if r.Diff {
			color := !r.WantsJSON() && cli.Colors(r.project.Color, r.Stdout)
			one.Diff = cli.UnifiedDiff(one.Path, one.Path, r.before[path], texts[path], color)
		}
		if result.Files = append(result.Files, one); r.WantsJSON() || !r.Diff {
			continue
		}
		if err := r.WriteResult([]byte(one.Diff)); err != nil {
			return err
		}
	}
	if r.Result = result; r.Diff {
		return nil
	}
	files := r.project.Base.FS
	for i, path := range paths {
		err := compile.Rewrite(files, path, r.before[path], texts[path], "moved")
		for ; err != nil && i > 0; i-- {
			done := paths[i-1]
			err = errors.Join(err, compile.Rewrite(files, done, texts[done], r.before[done], "put back"))
		}
		if err != nil {
			return cli.FailWith(cli.ExitIO, err)
		}
	}
	return nil
}

// tell says what was done, and returns the status.
func (r *run) tell(changed int) error {
	refused, advice := 0, ""
	for _, p := range r.programs {
		if p.refused {
			refused++
		}
		if !r.Drop && slices.ContainsFunc(p.Findings, func(f report.Finding) bool { return f.Code == bicep.CodeNoCounterpart }) {
			advice = ", or leave out by --drop what has no counterpart"
		}
	}
	if changed > 0 {
		did := "moved"
		if r.Diff {
			did = "would move"
		}
		r.found.Say("%s %s; IDs in parameter files and pipelines name the old types: change them, too", did, cli.Plural(changed, "file"))
	}
	if refused > 0 {
		r.found.Say("%s not moved: correct the errors above%s", cli.Plural(refused, "program"), advice)
		return cli.Silent(cli.ExitSource)
	}
	if changed > 0 && r.Diff {
		return cli.Silent(cli.ExitStale)
	}
	return nil
}

// Files returns the .bicep files that arguments stand for, as absolute paths.
func Files(args []string) (files []string, err error) {
	for _, arg := range args {
		if err := project.CheckPath(arg); err != nil {
			return nil, err
		}
		paths, below, err := project.BicepFiles(arg)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			if below != "" && !project.IsOfKind(path, ".bicep") {
				continue
			}
			if err := project.CheckExtension(path, ".bicep"); err != nil {
				return nil, err
			}
			abs, err := filepath.Abs(path)
			if err != nil {
				return nil, cli.FailWith(cli.ExitIO, err)
			}
			if !slices.Contains(files, abs) {
				files = append(files, abs)
			}
		}
	}
	return files, nil
}
