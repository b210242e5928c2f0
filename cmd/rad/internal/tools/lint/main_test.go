package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCheckGo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, text, want string }{
		{"pkg/a/a.go", "import \"os\"\nvar s = os.Getenv(\"A\")", "4:9: a library asks the machine by os.Getenv; use a source.FS, or let the caller give the value"},
		{"pkg/a/a.go", "import \"path/filepath\"\nvar f = filepath.WalkDir", "4:9: a library asks the machine by filepath.WalkDir; use a source.FS, or let the caller give the value"},
		{"pkg/a/a.go", "import system \"os\"\nvar f = system.Open", "4:9: a library asks the machine by system.Open; use a source.FS, or let the caller give the value"},
		{"pkg/a/a.go", "import \"example/os\"\nvar f = os.Open", ""},
		{"pkg/a/a.go", "import \"os\"\nvar f = os.ErrNotExist", ""},
		{"pkg/a/a_test.go", "import \"os\"\nvar f = os.Open", ""},

		{"cmd/rad/a.go", "func f() { fmt.Fprintln(a.Stdout, \"text\") }", ""},
		{"cmd/rad/a.go", "func f() { fmt.Fprintf(a.Stdout, \"%s\\n\", report.Visible(name)+\"!\") }", ""},
		{"cmd/rad/a.go", "func f() { fmt.Fprint(a.Stdout, report.Lines(report.Visible(name))) }", ""},
		{"cmd/rad/a.go", "func f() { fmt.Fprint(a.Stdout, report.Lines(name)) }", "3:23" + unescaped},
		{"cmd/rad/a.go", "func f() { fmt.Fprintf(a.Stdout, \"%s\\n\", name) }", "3:24" + unescaped},
		{"cmd/rad/a.go", "func f() { io.WriteString(c.OutOrStdout(), name) }", "3:27" + unescaped},
		{"cmd/rad/a.go", "func f() { a.Stderr.Write(text) }", "3:12" + unescaped},
		{"cmd/rad/a.go", "func f() { w := a.Stderr; w.Write(text) }", "3:17" + unescaped},
		{"cmd/rad/a.go", "func f() { fmt.Fprint(&b, a.Stderr) }", "3:27" + unescaped},
		{"cmd/rad/a.go", "func f() { other(os.Stdout, name) }", "3:18" + unescaped},
		{"cmd/rad/a.go", "func f() { p.Print(os.Stdout, list); cli.Colors(mode, a.Stdout) }", ""},
		{"cmd/rad/a.go", "func f() { a.Tell(\"%s\", name); a.Say(words, name) }\nconst words = \"%s\"", ""},
		{"cmd/rad/a.go", "func f() { a.Tell(name) }", "3:19" + changing},
		{"cmd/rad/a.go", "func f() { a.Say(\"x\"+name, 1) }", "3:18" + changing},
		{"cmd/rad/a.go", "func f() { return cli.Fail(cli.ExitUsage, name) }", "3:43" + changing},
		{"cmd/rad/a.go", "func (a *App) Say(format string) { a.Tell(format) }", ""},
		{"cmd/rad/a_test.go", "func f() { a.Stderr.Write(text) }", ""},
		{"cmd/rad/internal/fakebicep/a.go", "func f() { os.Stderr.Write(text) }", ""},
		{"pkg/a/a.go", "func f() { c.Stderr = &b }", ""},
		{"cmd/rad/a.go", "import \"os\"\nvar f = os.Open", ""},
		{"pkg/bicep/source/a.go", "import \"os\"\nvar f = os.Open", ""},
	} {
		got, err := checkGo(c.file, []byte("package a\n\n"+c.text), none())
		require.NoError(t, err, c.text)
		var want []string
		if c.want != "" {
			want = []string{c.file + ":" + c.want}
		}
		assert.Equal(t, want, got, "%s: %s", c.file, c.text)
	}
}

func TestFunctionsAreShort(t *testing.T) {
	t.Parallel()
	fill := strings.Repeat("\n", maxFunctionLines-1)
	for _, c := range []struct{ name, body, want string }{
		{"cmd/a.go", "func f() {" + fill + "}", ""},
		{"cmd/a.go", "func f() {\n" + fill + "}", "f has 81 lines, and at most 80 are allowed but for a plain switch"},
		{"pkg/a/a.go", "func f() {\n" + fill + "}", "f has 81 lines"},
		{"controller/a.go", "func f() {\n" + fill + "}", "f has 81 lines"},
		{"examples/a.go", "func f() {\n" + fill + "}", ""},
		{"cmd/a_test.go", "func f() {\n" + fill + "}", ""},
		{"cmd/a.go", "func f(n int) {\nswitch n {\ncase 1:" + fill + "}\n}", ""},
		{"cmd/a.go", "func f(n any) {\nswitch n.(type) {\ncase int:" + fill + "}\n}", ""},
		{"cmd/a.go", "func f() []int {\nreturn []int{" + fill + "}\n}", ""},
		{"cmd/a.go", "func f(n int) {\nswitch n {\ncase 1:\n}" + fill + "}", "f has 83 lines"},
	} {
		findings, err := checkGo(c.name, []byte("package p\n\n"+c.body+"\n"), none())
		require.NoError(t, err)
		text := strings.Join(findings, "\n")
		if c.want == "" {
			assert.Empty(t, text, "%s: %s", c.name, strings.TrimSpace(c.body))
		} else {
			assert.Contains(t, text, c.want)
		}
	}
}

func TestLinesAreNarrow(t *testing.T) {
	t.Parallel()
	fill := strings.Repeat("·", maxColumns-len("    var x = ''"))
	for _, c := range []struct {
		name, text, want string
		wide             int
	}{
		{"cmd/a.go", "\tvar x = \"" + fill + "\"", "", 0},
		{"cmd/a.go", "\tvar x = \"" + fill + "·\"", "cmd/a.go:3: the line has 141 columns, and at most 140 are allowed", 1},
		{"pkg/a/a.go", "// " + fill + fill, "pkg/a/a.go:3: the line has 255 columns", 1},
		{"pkg/a/a.go", "var x = `\n" + fill + fill + "`", "", 1},
		{tables[0], "\tvar x = \"" + fill + "·\"", "", 1},
		{"controller/a.go", "\tvar x = \"" + fill + "·\"", "controller/a.go:3: the line has 141 columns", 1},
		{"cmd/a_test.go", "\tvar x = \"" + fill + "·\"", "", 0},
		{"examples/a.go", "\tvar x = \"" + fill + "·\"", "", 0},
	} {
		used := none()
		findings, err := checkGo(c.name, []byte("package p\n\n"+c.text+"\n"), used)
		require.NoError(t, err)
		assert.Equal(t, c.wide, used.wide, c.name)
		assert.Equal(t, c.want != "", len(findings) == 1 && strings.HasPrefix(findings[0], c.want), "%s: %v", c.text, findings)
	}
	generated := []byte("// Code generated by x; DO NOT EDIT.\n\npackage p\n\n// " + fill + fill + "\n")
	findings, err := checkGo("pkg/a/a.go", generated, none())
	require.NoError(t, err)
	assert.Empty(t, findings)
}

// TestLint looks at a repository: only at tracked files, and at all of these.
func TestLint(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{
		"untracked.md":          "",
		"docs/large.svg":        strings.Repeat("x", maxFile+1),
		"docs/page.md":          strings.Repeat("x", maxFile),
		"cmd/a.go":              "package a\n",
		"pkg/large/a.go":        "package large\n" + strings.Repeat("\n", maxPackageLines-1),
		"pkg/large/b.go":        "package large\n",
		"pkg/large/a_test.go":   "package large\n",
		"pkg/bicep/source/a.go": "package source\n\nimport \"os\"\n\nvar f = os.Open\n",
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "docs", "cmd", "pkg"}} {
		out, err := exec.Command("git", append([]string{"-C", root}, args...)...).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	findings, err := lint(root)
	require.NoError(t, err)
	require.Len(t, findings, 2+len(mayAskMachine)-1+len(mayPrint), "the exceptions that nothing here needs are findings, too")
	assert.Equal(t, []string{
		"docs/large.svg: the file has 1048577 bytes, and at most 1048576 are allowed",
		"pkg/large: the package has 6001 lines, and at most 6000 are allowed; move what can stand alone",
	}, findings[:2])
	unused := strings.Join(findings[2:], "\n")
	assert.NotContains(t, unused, "pkg/bicep/source/:")
	assert.Contains(t, unused, "pkg/bicep/redact.go: nothing here asks the machine")
	_, err = lint(filepath.Join(root, "none"))
	assert.ErrorContains(t, err, "git ls-files")
}

const (
	unescaped = ": this may write text to a stream that nothing has escaped; use Tell or Say, or write what report.Visible returns"
	changing  = ": the format of a message is not constant, so a text from elsewhere could be in it unescaped; give it as an argument of %s"
)

func none() *exceptions { return &exceptions{asks: map[string]bool{}, prints: map[string]bool{}} }
