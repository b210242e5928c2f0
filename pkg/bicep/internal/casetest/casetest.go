// Package casetest runs tests of the compiler that are files, which a person can
// read and write without Go.
//
// An archive in the txtar format, testdata/cases/NAME.txtar, holds many cases. The first part of a
// file's path is the name of its case; a file without a folder belongs to every case of the
// archive. The file main.bicepparam is compiled if there is one, or else main.bicep.
//
//	Optional text about the cases.
//	-- mod.bicep --
//	param a string
//	-- a parameter of another type/main.bicep --
//	module m 'mod.bicep' = {
//	  params: { a: 1 }
//	            ^ error BCP036: ...
//	}
//
// Below a line are the diagnostics that begin on it, each on a line of its own:
// the place, the level, the code and the message. The place is a row of carets
// below the text that is meant, or, where that is not in one line, the column or
// the columns: "5", "5-9", or "5-2:9" for an end on line 2.
//
// A case may have sections "template" and "parameters" that say what parts of the
// output are: lines with a path of keys and indices, each followed by the value in JSON, which
// is indented. The path "." is the whole output.
//
// The lines with diagnostics are not part of the source that is compiled. They, and
// the values, are written by
//
//	go test ./pkg/bicep/internal/check -run TestCases -update
//
// so a new case needs only the source, and the paths.
package casetest

import (
	gocmp "cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// Update is the flag -update.
var Update = flag.Bool("update", false, "write the expected outputs in testdata")

// A Case is a program to compile.
type Case struct {
	Archive string // the archive's name, without the folder and .txtar
	Name    string
	Entry   string
	Files   map[string]string // the sources, by name
}

// A Result is what a stage says about a program. The path of a finding in the file
// NAME is /p/NAME.
type Result struct {
	Findings   []report.Finding
	Template   []byte // nil if there is none
	Parameters []byte // nil if there are none
}

// Add adds a diagnostic, which must have its File.
func (r *Result) Add(d diag.Diagnostic) { r.Findings = append(r.Findings, d.Finding()) }

// Run runs the cases of testdata/cases through a stage of the compiler.
func Run(t *testing.T, stage func(t *testing.T, c Case) Result) {
	paths, err := filepath.Glob("testdata/cases/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, paths, "there are no cases in testdata/cases")
	for _, p := range paths {
		name := strings.TrimSuffix(filepath.Base(p), ".txtar")
		t.Run(name, func(t *testing.T) { runArchive(t, p, name, stage) })
	}
}

func runArchive(t *testing.T, file, name string, stage func(*testing.T, Case) Result) {
	archive, err := txtar.ParseFile(file)
	require.NoError(t, err)
	shared := map[string]string{}
	var order []string
	cases := map[string][]*txtar.File{}
	for i := range archive.Files {
		f := &archive.Files[i]
		folder, _, ok := strings.Cut(f.Name, "/")
		if !ok {
			shared[f.Name] = string(f.Data)
			continue
		}
		if cases[folder] == nil {
			order = append(order, folder)
		}
		cases[folder] = append(cases[folder], f)
	}
	if *Update {
		t.Cleanup(func() { // when all cases have run
			require.NoError(t, os.WriteFile(file, txtar.Format(archive), 0o666))
		})
	}
	for _, folder := range order {
		t.Run(folder, func(t *testing.T) {
			t.Parallel()
			c := Case{Archive: name, Name: folder, Entry: "main.bicep", Files: map[string]string{}}
			maps.Copy(c.Files, shared)
			for _, f := range cases[folder] {
				n := f.Name[len(folder)+1:]
				if n != "template" && n != "parameters" {
					c.Files[n] = strip(string(f.Data))
				}
				if n == "main.bicepparam" {
					c.Entry = n
				}
			}
			result := stage(t, c)
			var want, got strings.Builder
			for _, f := range cases[folder] {
				n := f.Name[len(folder)+1:]
				var text string
				switch n {
				case "template":
					text = parts(t, string(f.Data), result.Template)
				case "parameters":
					text = parts(t, string(f.Data), result.Parameters)
				default:
					text = annotate(c.Files[n], of(n, result.Findings))
				}
				fmt.Fprintf(&want, "-- %s --\n%s", n, f.Data)
				fmt.Fprintf(&got, "-- %s --\n%s", n, text)
				if *Update {
					f.Data = []byte(text)
				}
			}
			for _, f := range result.Findings {
				if n := inFile(f); !slices.ContainsFunc(cases[folder], func(f *txtar.File) bool { return f.Name == folder+"/"+n }) {
					t.Errorf("%s, which is not a file of this case, has %s: %s", n, f.Code, f.Message)
				}
			}
			if diff := cmp.Diff(want.String(), got.String()); diff != "" && !*Update {
				t.Errorf("%s: %s differs (-want +got; -update writes it):\n%s", file, folder, diff)
			}
		})
	}
}

// inFile returns the name of the file of a case that a finding is in.
func inFile(f report.Finding) string {
	return strings.TrimPrefix(path.Clean(filepath.ToSlash(f.Path)), "/p/")
}

// of returns the findings in a file, by place.
func of(name string, all []report.Finding) []report.Finding {
	var list []report.Finding
	for _, f := range all {
		if inFile(f) == name {
			list = append(list, f)
		}
	}
	slices.SortStableFunc(list, func(a, b report.Finding) int {
		return gocmp.Or(gocmp.Compare(a.Start.Line, b.Start.Line), gocmp.Compare(a.Start.Column, b.Start.Column),
			gocmp.Compare(a.End.Line, b.End.Line), gocmp.Compare(a.End.Column, b.End.Column), gocmp.Compare(a.Code, b.Code))
	})
	return list
}

var expectation = regexp.MustCompile(`^// *(\^+|[0-9]+(-[0-9:]+)?) (error|warning|info) [^:]+: `)

// strip removes the lines with diagnostics.
func strip(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !expectation.MatchString(line) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// annotate puts the findings below the lines that they begin on.
func annotate(text string, list []report.Finding) string {
	var b strings.Builder
	lines := slices.Collect(strings.Lines(text))
	if len(lines) == 0 || strings.HasSuffix(text, "\n") {
		lines = append(lines, "")
	}
	for i, line := range lines {
		b.WriteString(line)
		for _, f := range list {
			if f.Start.Line == i+1 {
				fmt.Fprintf(&b, "%s %s %s: %s\n",
					place(line, f), strings.ToLower(f.Severity.String()), f.Code, strings.ReplaceAll(f.Message, "\n", `\n`))
			}
		}
	}
	return b.String()
}

// place returns the comment sign and the place of a finding.
func place(line string, f report.Finding) string {
	from, to := f.Start, f.End
	switch ascii := strings.IndexFunc(line, func(r rune) bool { return r > '~' || r == '\t' }) < 0; {
	case from.Line != to.Line:
		return fmt.Sprintf("// %d-%d:%d", from.Column, to.Line, to.Column)
	case ascii && from.Column >= 3 && to.Column > from.Column:
		return "//" + strings.Repeat(" ", from.Column-3) + strings.Repeat("^", to.Column-from.Column)
	case to.Column > from.Column:
		return fmt.Sprintf("// %d-%d", from.Column, to.Column)
	}
	return fmt.Sprintf("// %d", from.Column)
}

// parts returns a section of paths with the values that a JSON text has there.
func parts(t *testing.T, section string, output []byte) string {
	t.Helper()
	if output == nil {
		return "nothing\n"
	}
	v, err := armjson.ParseBytes(output, armjson.Options{})
	require.NoError(t, err)
	var b strings.Builder
	for line := range strings.Lines(section) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" || strings.HasPrefix(line, " ") {
			continue // the value
		}
		value := "nothing"
		if part := at(v, line); part != nil {
			value = armjson.Text(part)
			if len(value) > 100 {
				value = string(armjson.Append(nil, part, armjson.Indented))
			}
		}
		fmt.Fprintf(&b, "%s\n  %s\n", line, strings.ReplaceAll(value, "\n", "\n  "))
	}
	return b.String()
}

// at returns the part of a value at a path, such as resources/0/name; nil if there
// is none.
func at(v armjson.Value, path string) armjson.Value {
	if path == "." {
		return v
	}
	for key := range strings.SplitSeq(path, "/") {
		switch x := v.(type) {
		case *armjson.Object:
			if x.Find(key) < 0 {
				return nil
			}
			v, _ = x.Get(key)
		case armjson.Array:
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= len(x) {
				return nil
			}
			v = x[i]
		default:
			return nil
		}
	}
	return v
}

// Sources returns the files of a case as a file system, in the folder /p.
func (c Case) Sources() source.Memory {
	fs := source.Memory{}
	for name, text := range c.Files {
		fs["/p/"+name] = text
	}
	return fs
}
