package bicep_test

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/armjson"
	"github.com/radbicep/rad/pkg/bicep"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

// officialDir holds the recorded answers of the official compiler. Its README.md
// describes the format.
const officialDir = "../../testdata/official"

// officialRelease is the release of Bicep that gave the answers that name none, and officialStamp
// is what it writes into templates.
const (
	officialRelease = "0.46.1"
	officialStamp   = "0.46.1.21595"
)

// A program is a Bicep program with the official compiler's answer to it.
type program struct {
	ID string `json:"id"`
	// Release is the release that gave the answer, if it is not officialRelease.
	Release string `json:"release,omitempty"`

	Files map[string]string `json:"files"`
	Entry string            `json:"entry"`
	// Azure: the official compiler's warnings come from its library of Azure's
	// types, so that only the errors are recorded.
	Azure bool `json:"azure,omitempty"`
	// Radius: the program uses the extensions of Radius, which the official
	// compiler knows only from an archive.
	Radius bool `json:"radius,omitempty"`
	// Order: the official compiler writes some members in an order that differs
	// from run to run.
	Order bool `json:"order,omitempty"`
	answer
}

// An answer is what a compiler says about a program.
type answer struct {
	OK          bool    `json:"ok"`
	Diagnostics []place `json:"diagnostics"`
	// Output is what build or build-params prints, without the last newline.
	Output string `json:"output,omitempty"`
}

// A place is a diagnostic in the entry file: its position, level and code.
// Messages are not compared, since ours are our own.
type place struct {
	line, column int
	level, code  string
}

func (p place) String() string {
	return fmt.Sprintf("(%d,%d) %s %s", p.line, p.column, p.level, p.code)
}

// MarshalJSON writes [line, column, level, code].
func (p place) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{p.line, p.column, p.level, p.code})
}

// UnmarshalJSON reads [line, column, level, code].
func (p *place) UnmarshalJSON(b []byte) error {
	return json.Unmarshal(b, &[]any{&p.line, &p.column, &p.level, &p.code})
}

// programs reads all recorded programs, by family.
func programs(t *testing.T) map[string][]program {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(officialDir, "*.jsonl.gz"))
	require.NoError(t, err)
	require.NotEmpty(t, paths, "no recorded answers in %s", officialDir)
	families := map[string][]program{}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		z, err := gzip.NewReader(bytes.NewReader(b))
		require.NoError(t, err, path)
		lines := bufio.NewScanner(z)
		lines.Buffer(nil, 16<<20)
		family := strings.TrimSuffix(filepath.Base(path), ".jsonl.gz")
		for lines.Scan() {
			var p program
			require.NoError(t, json.Unmarshal(lines.Bytes(), &p), path)
			require.True(t, strings.HasPrefix(p.ID, family+"/"), "%s holds the program %s", path, p.ID)
			families[family] = append(families[family], p)
		}
		require.NoError(t, lines.Err(), path)
	}
	return families
}

// knownDifferences reads differences.txt: the ID of a program and the reason why
// our answer differs, a line each.
func knownDifferences(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(officialDir, "differences.txt"))
	require.NoError(t, err)
	known := map[string]string{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		id, reason, _ := strings.Cut(line, " ")
		require.NotEmpty(t, strings.TrimSpace(reason), "differences.txt: %s has no reason", id)
		require.NotContains(t, known, id, "differences.txt: %s is listed twice", id)
		known[id] = strings.TrimSpace(reason)
	}
	return known
}

// write puts the program's files into dir and returns the path of the entry file.
func (p program) write(dir string) (string, error) {
	for name, text := range p.Files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return "", err
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			return "", err
		}
	}
	return filepath.Join(dir, filepath.FromSlash(p.Entry)), nil
}

// memory returns the program's files, and the path of the entry file.
func (p program) memory() (entry string, files source.Memory) {
	files = source.Memory{}
	for name, text := range p.Files {
		files["/p/"+name] = text
	}
	return "/p/" + p.Entry, files
}

// ask returns what a compiler says about a file.
func ask(c bicep.Compiler, r bicep.Request) (answer, error) {
	compile := c.Build
	if strings.HasSuffix(r.File, ".bicepparam") {
		compile = c.BuildParams
	}
	result, err := compile(context.Background(), r)
	if err != nil {
		return answer{}, err
	}
	a := answer{OK: result.OK(), Diagnostics: places(result.Findings, r.File)}
	switch {
	case result.Parameters != nil:
		b, err := json.Marshal(map[string]string{"parametersJson": string(result.Parameters), "templateJson": string(result.Template)})
		a.Output = string(b)
		return a, err
	case result.Template != nil:
		a.Output = strings.TrimRight(string(result.Template), "\r\n")
	}
	return a, nil
}

// places returns the diagnostics of the entry file, each once.
func places(findings []report.Finding, file string) []place {
	var list []place
	for _, f := range findings {
		if filepath.Clean(f.Path) == filepath.Clean(file) {
			list = append(list, place{f.Start.Line, f.Start.Column, f.Severity.String(), f.Code})
		}
	}
	return list
}

// difference says how an answer differs from the recorded one; "" if it does not.
func (p program) difference(got answer) string {
	want := p.answer
	want.Diagnostics = p.compared(want.Diagnostics)
	got.Diagnostics = p.compared(got.Diagnostics)
	if strings.HasSuffix(p.Entry, ".bicepparam") {
		want.Output, got.Output = parameterTexts(want.Output), parameterTexts(got.Output)
	}
	if p.Order {
		want.Output, got.Output = inOneOrder(want.Output), inOneOrder(got.Output)
	}
	if want.OK == got.OK && want.Output == got.Output && slices.Equal(want.Diagnostics, got.Diagnostics) {
		return ""
	}
	return gocmp.Diff(want, got, gocmp.AllowUnexported(place{}, answer{}))
}

// compared returns the diagnostics that are compared, in order, each once. The
// README of the answers says which are not.
func (p program) compared(list []place) []place {
	set := map[place]bool{}
	for _, d := range list {
		switch {
		case d.code == "BCP081", p.Azure && d.level != "Error", strings.Contains(d.code, " "):
		case d.code == "BCP192":
			d.code = "BCP190"
			fallthrough
		default:
			set[d] = true
		}
	}
	return slices.SortedFunc(maps.Keys(set), func(a, b place) int {
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.column, b.column), cmp.Compare(a.code, b.code), cmp.Compare(a.level, b.level))
	})
}

// parameterTexts returns the two texts that build-params prints as members of a
// JSON object.
func parameterTexts(output string) string {
	var texts struct{ ParametersJSON, TemplateJSON string }
	if output == "" {
		return ""
	}
	if err := json.Unmarshal([]byte(output), &texts); err != nil {
		return err.Error()
	}
	return texts.ParametersJSON + "\n" + texts.TemplateJSON
}

// inOneOrder returns a template with what has no fixed order sorted, and without the
// hashes that follow from the order.
func inOneOrder(output string) string {
	template, err := armjson.Parse(output, armjson.Options{MaxDepth: armjson.TemplateMaxDepth})
	if err != nil {
		return output
	}
	var sort func(armjson.Value)
	sort = func(v armjson.Value) {
		switch v := v.(type) {
		case armjson.Array:
			for _, x := range v {
				sort(x)
			}
		case *armjson.Object:
			for i := range v.Len() {
				m := v.At(i)
				sort(m.Value)
				list, isList := m.Value.(armjson.Array)
				options, isObject := m.Value.(*armjson.Object)
				switch {
				case m.Key == "templateHash":
					v.Set(m.Key, armjson.Null{})
				case m.Key == "dependsOn" && isList:
					slices.SortFunc(list, func(a, b armjson.Value) int { return cmp.Compare(armjson.Text(a), armjson.Text(b)) })
				case m.Key == "@options" && isObject:
					members := maps.Collect(options.All())
					sorted := armjson.NewObject()
					for _, name := range slices.Sorted(maps.Keys(members)) {
						sorted.Set(name, members[name])
					}
					v.Set(m.Key, sorted)
				}
			}
		}
	}
	sort(template)
	return string(armjson.Append(nil, template, armjson.Indented))
}

// text returns the program as a person reads it.
func (p program) text() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(p.Files)) {
		fmt.Fprintf(&b, "-- %s --\n%s\n", name, p.Files[name])
	}
	if b.Len() > 8000 {
		return b.String()[:8000] + "...\n"
	}
	return b.String()
}

// officialEnvironment sets what the answers were recorded with, and hides the
// artifacts that the user has restored.
func officialEnvironment(t *testing.T) {
	t.Helper()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("USERPROFILE", os.Getenv("HOME"))
	t.Setenv("stringEnvVariableName", "test")
	t.Setenv("intEnvVariableName", "100")
	t.Setenv("boolEnvironmentVariable", "true")
}

// TestOfficialAnswers compiles every recorded program and compares the answer
// with the official compiler's: the output to the byte, and each diagnostic's
// place, level and code. A difference that is listed in differences.txt must still
// be there, so that the list only shrinks.
func TestOfficialAnswers(t *testing.T) {
	officialEnvironment(t)
	known := knownDifferences(t)
	for _, list := range programs(t) {
		for _, p := range list {
			reason, listed := known[p.ID]
			delete(known, p.ID)
			t.Run(p.ID, func(t *testing.T) {
				t.Parallel()
				file, files := p.memory()
				got, err := ask(bicep.Embedded{}, bicep.Request{File: file, FS: files, Env: process{}, NoRestore: true, Options: bicep.Options{BicepVersion: cmp.Or(p.Release, officialRelease)}})
				require.NoError(t, err)
				diff := p.difference(got)
				switch {
				case listed && diff == "":
					t.Errorf("the answers are equal: remove the line of %s from differences.txt", p.ID)
				case !listed && diff != "":
					t.Errorf("- official, + ours:\n%s\n%s", diff, p.text())
				case listed:
					t.Logf("differs, as known: %s", reason)
				}
			})
		}
	}
	require.Empty(t, known, "differences.txt lists programs that are not recorded")
}
