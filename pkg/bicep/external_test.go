package bicep

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/radbicep/rad/pkg/bicep/internal/diag"
	"github.com/radbicep/rad/pkg/bicep/report"
	"github.com/radbicep/rad/pkg/bicep/source"
)

func TestParseDiagnostic(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"/a/b.bicep(3,14) : Error BCP057: The name \"x\" does not exist. [https://aka.ms/x]": "/a/b.bicep|3|14|Error|BCP057|The name \"x\" does not exist.|https://aka.ms/x",
		"/a/b (1).bicep(3,14) : Warning no-unused-params: m":                                 "/a/b (1).bicep|3|14|Warning|no-unused-params|m|",
		"/a(1,2) : x/b.bicep(3,4) : Info BCP1: m : n":                                        "/a(1,2) : x/b.bicep|3|4|Info|BCP1|m : n|",
		`C:\a\b.bicep(3,4) : Error BCP1: m [not a link]`:                                     `C:\a\b.bicep|3|4|Error|BCP1|m [not a link]|`,
	} {
		f, ok := parseDiagnostic(line)
		got := f.Path + "|" + itoa(f.Start.Line) + "|" + itoa(f.Start.Column) + "|" + f.Severity.String() + "|" + f.Code + "|" + f.Message + "|" + f.URL
		require.True(t, ok, "%s: %v %s, want %s", line, ok, got, want)
		require.Equal(t, want, got, "%s: %v", line, ok)
	}
	for _, line := range []string{"", "Build succeeded", "a(1) : Error X: m", "a(1,2) : Fatal X: m", "a(0,2) : Error X: m", "a(1,2) : Error X", "a(1,2): Error X: m", "(x,y) : Error X: m"} {
		if f, ok := parseDiagnostic(line); ok {
			t.Errorf("%q was taken for %+v", line, f)
		}
	}
	f, _ := parseDiagnostic("a(1,2) : Error X: m")
	assert.Equal(t, diag.Error, f.Severity, "%+v", f)
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}

func TestStripEscapes(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain":                      "plain",
		"\x1b[31mred\x1b[0m":         "red",
		"\x1b[1;31mx\x1b[mtail\x1b[": "xtail",
	} {
		assert.Equal(t, want, stripEscapes(in), "%q", in)
	}
}

func TestVersionMatches(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		version, prefix string
		want            bool
	}{
		{"0.46.1.21595", "0.46", true}, {"0.46.1", "0.46.1", true}, {"0.46.10", "0.46.1", false}, {"0.460.1", "0.46", false}, {"0.46.1", "v0.46", true}, {"", "0.46", false},
	} {
		assert.Equal(t, c.want, VersionMatches(c.version, c.prefix), "%s, %s", c.version, c.prefix)
	}
}

func TestNearestRadiusType(t *testing.T) {
	t.Parallel()
	known := RadiusTypesOf(Request{FS: source.Memory{}}, "/a.bicep").Names
	for name, want := range map[string]string{
		"Applications.Core/aplications@2023-10-01-preview": "Applications.Core/applications@2023-10-01-preview",
		"Applications.Core/container@2023-10-01-preview":   "Applications.Core/containers@2023-10-01-preview",
		"Aplications.Core/containers@2023-10-01-preview":   "Applications.Core/containers@2023-10-01-preview",
		"Applications.Core/containers@2022-01-01":          "Applications.Core/containers@2023-10-01-preview",
		"Applications.Mine/things@2024-01-01":              "",
		"Microsoft.Storage/storageAccounts@2023-01-01":     "",
		"": "",
	} {
		assert.Equal(t, want, nearestRadiusType(name, known), name)
	}
}

// A compiler that says too much is cut short, and what was left out is counted.
func TestTalkativeCompilers(t *testing.T) {
	t.Parallel()
	r := &Result{}
	r.readDiagnostics(source.Memory{}, []byte(strings.Repeat("Warning: come to the dark side\n", 100)+
		strings.Repeat("/p/a.bicep(1,1) : Warning x: y\n", 10_000)+strings.Repeat("/p/a.bicep(1,1) : Error x: y\n", 5)))
	require.Len(t, r.Notices, 21)
	require.Contains(t, r.Notices[20], "80 more lines")
	require.Len(t, r.Findings, 10_001)
	last := r.Findings[10_000]
	require.Equal(t, "RAD004", last.Code)
	require.Contains(t, last.Message, "5 more findings")
	require.False(t, r.OK(), "an error is among them")
}

// Programs that embed the package name files as they like. The official compiler must not
// take one for an option, nor for a response file, which holds options.
func TestExternalGetsNamesOfFiles(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	program := filepath.Join(t.TempDir(), "bicep")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\nprintf '%s|' \"$@\" >&2\nexit 1\n"), 0o700))
	for _, name := range []string{"--outfile=x.bicep", "-o.bicep", "@r.bicep"} {
		_, err := (&External{Path: program}).Build(t.Context(), Request{FS: source.Disk{}, File: name})
		require.ErrorContains(t, err, "build|--stdout|./"+name+"|", name)
	}
}

// What an external compiler cannot do is refused before it runs, by the name of the field.
func TestExternalRefusesOptions(t *testing.T) {
	t.Parallel()
	r := Request{FS: source.Memory{}, File: "/p/a.bicep"}
	for i, options := 0, reflect.ValueOf(&r.Options).Elem(); i < options.NumField(); i++ {
		field := options.Field(i)
		switch field.Interface().(type) {
		case bool:
			field.SetBool(true)
		case string:
			field.SetString("x")
		case Artifacts:
			r.Artifacts.Offline = true
		case Advice:
			r.Advice = AdviceToAuthor
		case *Workspace:
			r.Workspace = &Workspace{}
		}
		for _, compile := range []func(context.Context, Request) (*Result, error){(&External{}).Build, (&External{}).BuildParams} {
			_, err := compile(t.Context(), r)
			var refused *UnsupportedError
			require.ErrorAs(t, err, &refused)
			require.Equal(t, options.Type().Field(i).Name, refused.Field)
			require.ErrorContains(t, err, "Request."+refused.Field)
		}
		field.SetZero()
	}
}

// A request without an environment gives none of this process's to the compiler, but what programs need to run.
func TestExternalGetsNoEnvironment(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	t.Setenv("TOKEN_OF_THE_JOB", "hunter2")
	program := filepath.Join(t.TempDir(), "bicep")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\necho \"PATH=$PATH HOME=$HOME token=$TOKEN_OF_THE_JOB named=$NAMED\" >&2\nexit 1\n"), 0o700))
	base := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}
	for _, test := range []struct {
		env          []string
		asked        Environment
		token, named string
	}{
		{nil, nil, "", ""},
		{[]string{"NAMED=1"}, nil, "", "1"},
		{nil, inherited{}, "hunter2", ""},
		{append(base, "NAMED=1"), inherited{}, "", "1"},
	} {
		x := &External{Path: program, Env: test.env}
		r := Request{FS: source.Memory{"/p/a.bicep": "", "/p/a.bicepparam": "using 'a.bicep'\n"}, Env: test.asked, File: "/p/a.bicep"}
		want := strings.Join(base, " ") + " token=" + test.token + " named=" + test.named
		_, err := x.Build(t.Context(), r)
		require.ErrorContains(t, err, want)
		r.File = "/p/a.bicepparam"
		_, err = x.BuildParams(t.Context(), r)
		require.ErrorContains(t, err, want)
	}
}

// The type that BCP081 is about is read in the source: what a compiler says of it is its own.
func TestResourceTypeOfDiagnostics(t *testing.T) {
	t.Parallel()
	files := source.Memory{"/p/a.bicep": "// \nresource a 'Applications.Core/container@2023-10-01-preview' = {}\nparam p resourceInput<'Radius.Core/x@v'>\n"}
	r := &Result{}
	r.readDiagnostics(files, []byte("/p/a.bicep(2,12) : Warning BCP081: Not a word of it.\n/p/a.bicep(3,23) : Warning BCP081: m\n/p/a.bicep(2,12) : Warning BCP035: m\n"+
		"/p/a.bicep(9,9) : Warning BCP081: 'Applications.Core/y@v'\n/p/none.bicep(1,1) : Warning BCP081: m\n"))
	var got []string
	for _, f := range r.Findings {
		got = append(got, f.ResourceType)
	}
	require.Equal(t, []string{"Applications.Core/container@2023-10-01-preview", "Radius.Core/x@v", "", "", ""}, got)
}

// An external compiler's findings say in their texts alone that they follow from another one.
func TestConsequencesAmongDiagnostics(t *testing.T) {
	t.Parallel()
	r := &Result{}
	r.readDiagnostics(source.Memory{}, []byte(strings.Join([]string{
		`/p/a.bicep(1,8) : Error BCP354: m`,
		`/p/a.bicep(1,8) : Error BCP012: follows`,
		`/p/a.bicep(2,8) : Error BCP012: another place`,
		`/p/a.bicep(3,1) : Error BCP033: Expected a value of type "error" but the provided value is of type "'x'". follows`,
		`/p/a.bicep(3,1) : Error BCP036: The property "b" expected a value of type "error" but the provided value is of type "'x'". follows`,
		`/p/a.bicep(3,1) : Error BCP034: The enclosing array expected an item of type "error", but the provided item was of type "'x'". follows`,
		`/p/a.bicep(4,1) : Error BCP033: Expected a value of type "int" but the provided value is of type "error".`,
		`/p/a.bicep(5,1) : Error BCP033: Expected a value of type "int" but the provided value is of type "' of type "error".'".`,
		`/p/a.bicep(6,1) : Error BCP057: It is of type "error".`,
		`/p/a.bicep(7,1) : Error BCP104: The referenced module has errors.`,
	}, "\n")))
	var got []bool
	for _, f := range r.Findings {
		got = append(got, f.Consequence)
	}
	require.Equal(t, []bool{false, true, false, true, true, true, true, false, false, true}, got)
}

// FuzzDiagnosticsOfCompilers: whatever an external compiler says, it becomes findings
// and notices of one line each that print in every format.
func FuzzDiagnosticsOfCompilers(f *testing.F) {
	f.Add("/p/a.bicep(1,1) : Error BCP057: The name \"x\" does not exist. [https://aka.ms/x]\n")
	f.Add("/dev/zero(1,1) : Warning x: y\r\nWARNING: z\n\x1b[31mred\x1b[0m\n")
	f.Add("/p/a.bicep(99999999999,1) : Error x: y\n/p/a.bicep(2,2147483647) : Info x: y [https://##[error]]\n")
	f.Add("a(1,1) : Error : \n(1,1) : Error x: \n::add-mask::x\n##vso[task.x]\n")
	f.Fuzz(func(t *testing.T, stderr string) {
		r := &Result{}
		rest := r.readDiagnostics(source.Memory{"/p/a.bicep": "param x\n\tvar y"}, []byte(stderr))
		assert.LessOrEqual(t, strings.Count(rest, "\n"), 20)
		for _, format := range report.Formats {
			var b strings.Builder
			p := report.Printer{Format: format, Base: "/p", Snippets: true}
			require.NoError(t, p.Print(&b, r.Findings))
			assert.NotContains(t, b.String(), "\x1b", "%s: it steers the terminal", format)
			if format == report.Text && strings.Contains(b.String(), "##[") {
				t.Errorf("a command: %q", b.String())
			}
		}
	})
}

// FuzzCachedArtifact: whatever is in the cache, a compile ends with findings.
func FuzzCachedArtifact(f *testing.F) {
	f.Add([]byte(`{"$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#", "contentVersion": "1.0.0.0", "resources": [], "outputs": {"o": {"type": "string", "value": "x"}}}`), []byte(`{}`), []byte(`{"layers": []}`))
	f.Add([]byte(`{"parameters": {"a": {"$ref": "#/definitions/a"}}, "definitions": {"a": {"$ref": "#/definitions/a"}}}`), []byte(`[`), []byte("\x00"))
	f.Add([]byte("\x1f\x8b\x08\x00"), []byte(nil), []byte(nil))
	dir := f.TempDir()
	file := filepath.Join(dir, "main.bicep")
	text := "extension 'br:mcr.microsoft.com/x:v1' as x\nmodule m 'br:mcr.microsoft.com/a:v1' = { name: 'm' }\noutput o string = m.outputs.o\n"
	require.NoError(f, os.WriteFile(file, []byte(text), 0o666))
	cache := filepath.Join(dir, "cache")
	f.Fuzz(func(t *testing.T, main, metadata, manifest []byte) {
		for name, content := range map[string][]byte{"a/v1$/main.json": main, "x/v1$/types.tgz": main, "a/v1$/metadata": metadata, "x/v1$/metadata": metadata, "a/v1$/manifest": manifest, "x/v1$/manifest": manifest} {
			path := filepath.Join(cache, "br", "mcr.microsoft.com", filepath.FromSlash(name))
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
			require.NoError(t, os.WriteFile(path, content, 0o666))
		}
		result, err := Embedded{}.Build(t.Context(), Request{File: file, FS: Dir(dir), Root: dir, NoRestore: true, Options: Options{Artifacts: Artifacts{Cache: cache}}})
		require.NoError(t, err)
		for _, one := range result.Findings {
			assert.NotEmpty(t, one.Message, "a finding says nothing: %+v", one)
		}
	})
}
