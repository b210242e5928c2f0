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
		{"cmd/rad/a.go", "func f(n int) { for i := range n { println(i) } }", ""},
		{"cmd/rad/a.go", "func min() {}", "3:6: the name min hides the built-in one"},
		{"cmd/rad/a.go", "func (t T) min() {}", ""},
		{"cmd/rad/a.go", "type T struct{ len int }", ""},
		{"cmd/rad/a.go", "type any int", "3:6: the name any hides the built-in one"},
		{"cmd/rad/a.go", "func f(len int) {}", "3:8: the name len hides the built-in one"},
		{"cmd/rad/a.go", "func f() (cap int) { return }", "3:11: the name cap hides the built-in one"},
		{"cmd/rad/a.go", "var f = func() { a, max := 1, 2; a, max = max, a }", "3:21: the name max hides the built-in one"},
		{"cmd/rad/a.go", "func f() { for new := range 3 { println(new) } }", "3:16: the name new hides the built-in one"},
		{"cmd/rad/a.go", "const true = 1", "3:7: the name true hides the built-in one"},

		{"pkg/a/a.go", `var s = "use --flag"`, `3:9: a library names a flag: "use --flag"`},
		{"pkg/a/a.go", "var s = `(--flag)`", "3:9: a library names a flag: `(--flag)`"},
		{"pkg/a/a.go", `var s = "a--b, ---"`, ""},
		{"pkg/a/a.go", `var s = "kubectl apply --server-side"`, ""},
		{"pkg/a/a.go", `var s = "run 'rad bicep restore'"`, `3:9: a library names a command: "run 'rad bicep restore'"`},
		{"pkg/a/a.go", "var s = \"use `lint app.bicep`\"", "3:9: a library names a command: \"use `lint app.bicep`\""},
		{"pkg/a/a.go", `var s = "the cache of modules"`, ""},
		{"pkg/a/a_test.go", `var s = "--flag"`, ""},
		{"cmd/rad/a.go", `var s = "--flag"`, ""},
		{"pkg/bicep/external.go", `var s = "--flag"`, ""},

		{"pkg/a/a.go", `var s = "run rad bicep restore"`, `3:9: a library names a command: "run rad bicep restore"`},
		{"pkg/a/a.go", `var s = "run 'lint a.bicep'"`, `3:9: a library names a command: "run 'lint a.bicep'"`},
		{"pkg/a/a.go", `var s = "a trade version, to lint"`, ""},
		{"pkg/a/a.go", `var s = "rad bicep"`, ""},
		{"pkg/a/a.go", `var s = "'test'\n"`, ""},

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
	got, err := checkGo("pkg/a/a.go", []byte("package main\n\nvar s = \"--flag\""), none())
	require.NoError(t, err)
	assert.Empty(t, got, "a command has flags")
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

// TestLint looks at a repository: only at tracked files, and at all of these.
func TestLint(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{
		"NOTES.md":              "",
		"untracked.md":          "",
		"docs/large.svg":        strings.Repeat("x", maxFile+1),
		"docs/page.md":          strings.Repeat("x", maxFile),
		"cmd/a.go":              "package a\n\nvar len int\n",
		"pkg/large/a.go":        "package large\n" + strings.Repeat("\n", maxPackageLines-1),
		"pkg/large/b.go":        "package large\n",
		"pkg/large/a_test.go":   "package large\n",
		"pkg/bicep/source/a.go": "package source\n\nimport \"os\"\n\nvar f = os.Open\n",
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "NOTES.md", "docs", "cmd", "pkg"}} {
		out, err := exec.Command("git", append([]string{"-C", root}, args...)...).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	findings, err := lint(root)
	require.NoError(t, err)
	require.Len(t, findings, 4+len(mayAskMachine)-1+len(mayPrint), "the exceptions that nothing here needs are findings, too")
	assert.Equal(t, []string{
		"NOTES.md: the root of the repository does not have this entry; move it, or add it to entries in cmd/rad/internal/tools/lint",
		"cmd/a.go:3:5: the name len hides the built-in one",
		"docs/large.svg: the file has 1048577 bytes, and at most 1048576 are allowed",
		"pkg/large: the package has 6001 lines, and at most 6000 are allowed; move what can stand alone",
	}, findings[:4])
	unused := strings.Join(findings[4:], "\n")
	assert.NotContains(t, unused, "pkg/bicep/source/:")
	assert.Contains(t, unused, "pkg/bicep/redact.go: nothing here asks the machine")
	_, err = lint(filepath.Join(root, "none"))
	assert.ErrorContains(t, err, "git ls-files")
}

const (
	unescaped = ": this may write text to a stream that nothing has escaped; use Tell or Say, or write what report.Visible returns"
	changing  = ": the format of a message is not constant, so a text from elsewhere could be in it unescaped; give it as an argument of %s"
)

func none() exceptions { return exceptions{asks: map[string]bool{}, prints: map[string]bool{}} }
